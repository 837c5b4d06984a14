/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What an NFS client asks of a server, which is an io (disk.d): told by the address of its
 * header plus 2.
 */

/* Is it an NFS request?  While there is no NFS client nothing is. */
inline int __io_nfs[uintptr_t P] =
	__either(sizeof(struct nfs_pgio_header) != 0 ? P & 2 : 0, 0);

/* The NFS request of this firing: the file's inode, where it begins there, the first
 * page of memory, how the file is open, how it ended; its size is disk.d's
 * __io.size. */
this struct inode *__io_inode;
this uint64_t __io_at;
this struct page *__io_page;
this int __io_flags;
this int __io_oflags;
this int __io_errno;
this uint32_t __io_resid;
