/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The file that an io of disk.d is of.
 */
#pragma D depends_on library io.d

/* An inline is put in each place that uses it, so each step is kept here. */
this struct bio *__bio;
this struct bio *__whole;
this uintptr_t __head;
this struct folio *__folio;
this uintptr_t __mapping;
this struct kiocb *__kiocb;
this struct inode *__inode;
this struct super_block *__sb;
this struct vfsmount *__mnt;
this struct dentry *__dentry;

/* The first page of this->__bio.  Reads and writes have pages; what is discarded
 * is not moved. */
inline struct page *__bio_page = this->__bio == NULL ||
	(this->__bio->bi_opf & 0xff) > 1 || this->__bio->bi_io_vec == NULL ?
	NULL : this->__bio->bi_io_vec[this->__bio->bi_iter.bi_idx].bv_page;

/* Before Linux 5.16 there are no folios, and the first page is what they became. */
inline uintptr_t __folio_mapping[struct folio *F] = (uintptr_t)
	__either(F->mapping, ((struct page *)F)->mapping);
inline uint64_t __folio_index[struct folio *F] =
	__either(F->index, ((struct page *)F)->index);

/* What the kernel has allocated by the object has something else in that place. */
inline int __is_slab[struct folio *F] = __either(
	(uint32_t)F->page.page_type >> 24 == (enum pagetype)0xf5,
	F->flags >> 9 & 1, ((struct page *)F)->flags >> 9 & 1);

/* Of a page that is not the first of its folio the lowest bit is set, and the others are the
 * address of the first, or (7.x) the bits that it has in common with this one: no page
 * of the kernel's is that high. */
inline uintptr_t __page_head[struct folio *F] =
	__either(F->page.compound_head, F->page.compound_info,
		((struct page *)F)->compound_head);

inline uintptr_t __first_page[struct folio *F] =
	this->__head >= 0xffffff0000000000 ? (uintptr_t)F & this->__head :
	this->__head - 1;

/* Keep the mapping of P's folio.  Its two low bits: pages of a process's own
 * memory, and others. */
inline uintptr_t __map[struct page *P] = this->__mapping =
	(this->__folio = (struct folio *)P) == NULL ? 0 :
	(((this->__head = __page_head[this->__folio]) & 1 ?
		(this->__folio = (struct folio *)__first_page[this->__folio]) :
		NULL),
	 __is_slab[this->__folio] ? 0 : __folio_mapping[this->__folio]);

/* The inode that P is of, or NULL.  S_IFBLK: the cache of a device, where file systems
 * keep their own data.  TMPFS_MAGIC: shared memory, which is where to or from,
 * and not the file. */
inline struct inode *__page_inode[struct page *P] =
	__map[P] == 0 || this->__mapping & 3 ? NULL :
	(this->__inode = ((struct address_space *)this->__mapping)->host)
		== NULL || (this->__inode->i_mode & 0xf000) == 0x6000 ||
	this->__inode->i_sb->s_magic == 0x01021994 ? NULL : this->__inode;

/* The call that this->__bio is of, if it goes past the page cache.  What was split
 * off a bio ends in the rest. */
inline struct kiocb *__bio_kiocb = __either(
	(this->__whole = this->__bio) == NULL ? NULL :
	((this->__whole->bi_end_io == (bio_end_io_t *)&`bio_chain_endio ?
		(this->__whole = (struct bio *)this->__whole->bi_private) :
		NULL),
	 this->__whole->bi_end_io == (bio_end_io_t *)&`iomap_dio_bio_end_io ?
		((struct iomap_dio *)this->__whole->bi_private)->iocb : NULL),
	NULL);

inline struct inode *__bio_inode[struct bio *B] = this->__inode =
	__io_nfs[(uintptr_t)B] ? (this->__kiocb = NULL, this->__io_inode) :
	(this->__bio = B, (this->__kiocb = __bio_kiocb) != NULL ?
	 this->__kiocb->ki_filp->f_inode : __page_inode[__bio_page]);

/* An inode knows its names, and not through which mount it was reached: the first
 * name, and the first mount of the file system. */
inline struct dentry *__inode_dentry = this->__inode->i_dentry.first == NULL ?
	NULL : (struct dentry *)((uintptr_t)this->__inode->i_dentry.first -
		__either(offsetof(struct dentry, d_alias),
			 offsetof(struct dentry, d_u)));

inline struct vfsmount *__inode_mnt = (this->__sb = this->__inode->i_sb,
	__either(this->__sb->s_mounts == NULL ? NULL :
		&this->__sb->s_mounts->mnt,
	(uintptr_t)this->__sb->s_mounts.next ==
		(uintptr_t)&this->__sb->s_mounts ? NULL :
	(struct vfsmount *)((uintptr_t)this->__sb->s_mounts.next -
		offsetof(struct mount, mnt_instance) +
		offsetof(struct mount, mnt))));

/* Of B's file: is it known, and then also where it is? */
inline int __bio_has_inode[struct bio *B] = __bio_inode[B] != NULL;
inline int __bio_has_path[struct bio *B] = ((this->__kiocb != NULL ?
	(this->__mnt = this->__kiocb->ki_filp->f_path.mnt,
	 this->__dentry = this->__kiocb->ki_filp->f_path.dentry) :
	(this->__mnt = __inode_mnt, this->__dentry = __inode_dentry)),
	this->__mnt != NULL && this->__dentry != NULL);

inline string __bio_path[struct bio *B] =
	!__bio_has_inode[B] ? "<none>" : !__bio_has_path[B] ? "<unknown>" :
	__path(this->__mnt, this->__dentry);

translator fileinfo_t < struct bio *B > {
	fi_name = !__bio_has_inode[B] ? "<none>" :
		!__bio_has_path[B] ? "<unknown>" :
		stringof(this->__dentry->d_name.name);
	fi_dirname = !__bio_has_inode[B] ? "<none>" :
		!__bio_has_path[B] ? "<unknown>" :
		dirname(__path(this->__mnt, this->__dentry));
	fi_pathname = __bio_path[B];
	/* Past the page cache only where the call began is known. */
	fi_offset = __io_nfs[(uintptr_t)B] ? this->__io_at :
		!__bio_has_inode[B] ? 0 :
		this->__kiocb != NULL ? this->__kiocb->ki_pos :
		(__bio_page - (struct page *)this->__folio +
			__folio_index[this->__folio]) *
		4096 + B->bi_io_vec[B->bi_iter.bi_idx].bv_offset;
	fi_fs = !__bio_has_inode[B] ? "<none>" :
		stringof(this->__inode->i_sb->s_type->name);
	fi_mount = !__bio_has_inode[B] ? "<none>" :
		!__bio_has_path[B] ? "<unknown>" :
		__path(this->__mnt, this->__mnt->mnt_root);
	fi_oflags = __io_nfs[(uintptr_t)B] ? this->__io_oflags :
		__bio_has_inode[B] && this->__kiocb != NULL ?
		this->__kiocb->ki_filp->f_flags : 0;
};
