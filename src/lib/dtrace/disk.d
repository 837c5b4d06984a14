/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Input and output of disks and NFS clients: bufinfo_t, devinfo_t; the file is told by
 * biofile.d, and what is of NFS by nfs.d.
 *
 * An io is a request, as a disk's driver gets it and as /proc/diskstats counts it.
 * Some have no request of their own with the driver: a flush that carries no data, and
 * what is asked of a device whose driver serves bios itself.  Such an io is its bio,
 * and the address is told plus 1, or plus 5 if a disk with several ways has handed it on.
 */

/* b_flags */
inline int B_BUSY = 0x001;
inline int B_DONE = 0x002;
inline int B_ERROR = 0x004;
inline int B_PAGEIO = 0x010;
inline int B_PHYS = 0x020;
inline int B_READ = 0x040;
inline int B_WRITE = 0x100;
inline int B_ASYNC = 0x400;

typedef struct bufinfo {
	int b_flags;
	size_t b_bcount;	/* bytes to be moved */
	caddr_t b_addr;		/* struct page of the first of them */
	uint64_t b_lblkno;	/* on the device, of NFS in the file, in sectors of 512
				 * bytes */
	uint64_t b_blkno;	/* the same */
	size_t b_resid;		/* bytes that were not moved */
	size_t b_bufsize;	/* as b_bcount */
	caddr_t b_iodone;	/* who is called when it is done */
	int b_error;		/* errno, at done */
	int b_edev;		/* major << 20 | minor */
} bufinfo_t;

typedef struct devinfo {
	int dev_major;
	int dev_minor;
	int dev_instance;	/* the minor number */
	string dev_name;	/* of the whole disk; "nfs" */
	string dev_statname;	/* of the disk or partition, as in diskstats; of NFS
				 * with the minor number */
	string dev_pathname;	/* of NFS what is mounted: "server:/path" */
} devinfo_t;

/* What failed, from when it is known until the request is used again; and has
 * anything? */
int __io_error[struct request *];
int __io_was_error;

/* The driver was busy, and gets it again; and has that been? */
int __io_again[struct request *];
int __io_was_again;

/* A bio: who was asked, for how many bytes, from where on. */
struct __io {
	struct block_device *by;
	uint64_t size, sector;
};

/* What was asked of devices whose drivers serve bios themselves, until it is done;
 * and has anything been? */
struct __io __io_served[struct bio *];
int __io_was_served;

/* That of this firing. */
this struct __io __io;
this struct block_device *__io_part;

self struct bio *__io_wait;

/* --- Requests and bios -------------------------------------------------------- */

inline int __io_bare[struct request *R] = (uintptr_t)R & 1;

inline struct bio *__bare_bio[struct request *R] = (struct bio *)((uintptr_t)R & ~7);
inline struct bio *__io_bio[struct request *R] = __io_bare[R] ? __bare_bio[R] : R->bio;

/* A queue that keeps no statistics has no partition for its requests. */
inline struct block_device *__io_dev[struct request *R] =
	__io_bare[R] ? this->__io.by :
	(this->__io_part = R->part) != NULL ? this->__io_part : R->q->disk->part0;

inline uint32_t __io_op[struct request *R] = __io_bare[R] ?
	__bare_bio[R]->bi_opf : R->cmd_flags;

inline uint32_t __io_len[struct request *R] =
	__io_bare[R] || __io_nfs[(uintptr_t)R] ? this->__io.size : R->__data_len;

/* Of a flush there is no place. */
inline uint64_t __io_blkno[struct request *R] =
	__io_nfs[(uintptr_t)R] ? this->__io_at / 512 : __io_len[R] == 0 ? 0 :
	(__io_bare[R] ? this->__io.sector : R->__sector) -
	__io_dev[R]->bd_start_sect;

/* REQ_SYNC, REQ_FUA, REQ_PREFLUSH; REQ_RAHEAD.  Odd numbers write. */
inline int __io_async[uint32_t OP] =
	OP & 1 ? (OP & (1 << 11 | 1 << 17 | 1 << 18)) == 0 : OP >> 19 & 1;

/* The kernel's block status, as it tells programs. */
inline int __blk_errno[int S] = S == 0 ? 0 : S == 1 ? EOPNOTSUPP :
	S == 2 ? ETIMEDOUT : S == 3 ? ENOSPC : S == 4 ? ENOLINK :
	S == 5 ? EREMOTEIO : S == 6 ? EBADE : S == 7 ? ENODATA :
	S == 8 ? EILSEQ : S == 9 ? ENOMEM : S == 12 ? EAGAIN : EIO;

inline int __io_errno[struct request *R] = __io_bare[R] ?
	__blk_errno[__io_bio[R]->bi_status] :
	__io_was_error ? __blk_errno[__io_error[R]] : 0;

/* --- Buffers and devices ----------------------------------------------------------- */

/* Memory from P on: the page cache's, or a process's own. */
inline int __page_flags[struct page *P] = __page_inode[P] != NULL ? B_PAGEIO :
	this->__mapping & 1 ? B_PHYS : 0;
inline int __bio_pageio = __page_flags[__bio_page];

/* The mount of an NFS request, and what is mounted there. */
inline struct mount *__nfs_mount = (this->__inode = this->__io_inode,
	(this->__mnt = __inode_mnt) == NULL ? NULL :
	(struct mount *)((uintptr_t)this->__mnt - offsetof(struct mount, mnt)));
inline uint32_t __nfs_dev = this->__io_inode->i_sb->s_dev;

translator bufinfo_t < struct request *R > {
	b_flags = __io_nfs[(uintptr_t)R] ? this->__io_flags |
		__page_flags[this->__io_page] |
		(this->__io_errno != 0 ? B_ERROR : 0) :
		(__io_op[R] & 1 ? B_WRITE : B_READ) |
		(this->__bio = __io_bio[R], __bio_pageio) |
		(__io_errno[R] != 0 ? B_ERROR : 0) |
		(__io_async[__io_op[R]] ? B_ASYNC : 0);
	b_bcount = __io_len[R];
	b_addr = __io_nfs[(uintptr_t)R] ? (caddr_t)this->__io_page :
		(this->__bio = __io_bio[R], (caddr_t)__bio_page);
	b_lblkno = __io_blkno[R];
	b_blkno = __io_blkno[R];
	b_resid = __io_nfs[(uintptr_t)R] ? this->__io_resid :
		__io_errno[R] == 0 ? 0 : __io_len[R];
	b_bufsize = __io_len[R];
	b_iodone = __io_nfs[(uintptr_t)R] || __io_bio[R] == NULL ? NULL :
		(caddr_t)__io_bio[R]->bi_end_io;
	b_error = __io_nfs[(uintptr_t)R] ? this->__io_errno : __io_errno[R];
	b_edev = __io_nfs[(uintptr_t)R] ? __nfs_dev : __io_dev[R]->bd_dev;
};

/* Of a bio that is on its way: what is left of it. */
translator bufinfo_t < struct bio *B > {
	b_flags = (B->bi_opf & 1 ? B_WRITE : B_READ) |
		(this->__bio = B, __bio_pageio) |
		(B->bi_status != 0 ? B_ERROR : 0) |
		(__io_async[B->bi_opf] ? B_ASYNC : 0);
	b_bcount = B->bi_iter.bi_size;
	b_addr = (this->__bio = B, (caddr_t)__bio_page);
	b_lblkno = B->bi_iter.bi_sector;
	b_blkno = B->bi_iter.bi_sector;
	b_resid = B->bi_status != 0 ? B->bi_iter.bi_size : 0;
	b_bufsize = B->bi_iter.bi_size;
	b_iodone = (caddr_t)B->bi_end_io;
	b_error = __blk_errno[B->bi_status];
	b_edev = B->bi_bdev->bd_dev;
};

translator devinfo_t < struct block_device *D > {
	dev_major = (__io_nfs[(uintptr_t)D] ? __nfs_dev : D->bd_dev) >> 20;
	dev_minor = (__io_nfs[(uintptr_t)D] ? __nfs_dev : D->bd_dev) & 0xfffff;
	dev_instance = (__io_nfs[(uintptr_t)D] ? __nfs_dev : D->bd_dev) & 0xfffff;
	dev_name = __io_nfs[(uintptr_t)D] ? "nfs" :
		stringof(D->bd_disk->disk_name);
	dev_statname = __io_nfs[(uintptr_t)D] ?
		strjoin("nfs", lltostr(__nfs_dev & 0xfffff)) :
		stringof(D->bd_device.kobj.name);
	dev_pathname = !__io_nfs[(uintptr_t)D] ?
		strjoin("/dev/", stringof(D->bd_device.kobj.name)) :
		__nfs_mount == NULL ? "<unknown>" :
		stringof(__nfs_mount->mnt_devname);
};

translator devinfo_t < struct bio *B > {
	dev_major = B->bi_bdev->bd_dev >> 20;
	dev_minor = B->bi_bdev->bd_dev & 0xfffff;
	dev_instance = B->bi_bdev->bd_dev & 0xfffff;
	dev_name = stringof(B->bi_bdev->bd_disk->disk_name);
	dev_statname = stringof(B->bi_bdev->bd_device.kobj.name);
	dev_pathname = strjoin("/dev/",
		stringof(B->bi_bdev->bd_device.kobj.name));
};
