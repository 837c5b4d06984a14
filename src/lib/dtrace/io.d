/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Files and input and output: fileinfo_t, fds[], bufinfo_t, devinfo_t.
 */
typedef struct fileinfo {
	string fi_name;		/* the last part of the path */
	string fi_dirname;	/* the rest */
	string fi_pathname;
	int64_t fi_offset;
	string fi_fs;		/* the type of the file system */
	string fi_mount;	/* where that is mounted */
	int fi_oflags;		/* O_* of fcntl.d */
} fileinfo_t;

/* Pipes, sockets and the like have a name that is made up when asked for. */
inline int __has_path[struct file *F] = F->f_path.dentry->d_op == NULL ||
	F->f_path.dentry->d_op->d_dname == NULL;

inline string __file_path[struct file *F] =
	F == NULL ? "<none>" :
	__has_path[F] ? __path(F->f_path.mnt, F->f_path.dentry) : "<unknown>";

translator fileinfo_t < struct file *F > {
	fi_name = F == NULL ? "<none>" :
		__has_path[F] ? basename(__file_path[F]) : "<unknown>";
	fi_dirname = F == NULL ? "<none>" :
		__has_path[F] ? dirname(__file_path[F]) : "<unknown>";
	fi_pathname = __file_path[F];
	fi_offset = F == NULL ? 0 : F->f_pos;
	fi_fs = F == NULL ? "<none>" :
		stringof(F->f_inode->i_sb->s_type->name);
	fi_mount = F == NULL ? "<none>" :
		__has_path[F] ? __path(F->f_path.mnt,
			F->f_path.mnt->mnt_root) : "<unknown>";
	fi_oflags = F == NULL ? 0 : F->f_flags;
};

inline struct file *__file_of[int FD] =
	curthread->files == NULL || FD < 0 ||
	FD >= (int)curthread->files->fdt->max_fds ? NULL :
	curthread->files->fdt->fd[FD];

inline fileinfo_t fds[int FD] = xlate <fileinfo_t>(__file_of[FD]);
#pragma D attributes Stable/Stable/Common fds
#pragma D binding "1.1" fds

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
	caddr_t b_addr;
	uint64_t b_lblkno;	/* in the file */
	uint64_t b_blkno;	/* on the device, in sectors of 512 bytes */
	size_t b_resid;		/* bytes not moved yet */
	size_t b_bufsize;
	caddr_t b_iodone;	/* who is called when it is done */
	int b_error;
	int b_edev;		/* major << 20 | minor */
} bufinfo_t;

typedef struct devinfo {
	int dev_major;
	int dev_minor;
	int dev_instance;
	string dev_name;
	string dev_statname;
	string dev_pathname;
} devinfo_t;

/* The low bits say what is done: reads are even.  Status 1 and above, and
 * error before it, are errors. */
translator bufinfo_t < struct bio *B > {
	b_flags = (B->bi_opf & 1 ? B_WRITE : B_READ) | B_PHYS |
		(B->bi_status != 0 ? B_ERROR : 0) |
		(B->bi_opf & (1 << 11) ? 0 : B_ASYNC);
	b_bcount = B->bi_iter.bi_size;
	b_addr = 0;
	b_lblkno = B->bi_iter.bi_sector;
	b_blkno = B->bi_iter.bi_sector;
	b_resid = 0;
	b_bufsize = B->bi_iter.bi_size;
	b_iodone = (caddr_t)B->bi_end_io;
	b_error = B->bi_status;
	b_edev = __either(B->bi_bdev->bd_dev, 0);
};

translator devinfo_t < struct bio *B > {
	dev_major = B->bi_bdev->bd_dev >> 20;
	dev_minor = B->bi_bdev->bd_dev & 0xfffff;
	dev_instance = B->bi_bdev->bd_dev & 0xfffff;
	dev_name = stringof(B->bi_bdev->bd_disk->disk_name);
	dev_statname = stringof(B->bi_bdev->bd_disk->disk_name);
	dev_pathname = strjoin("/dev/",
		stringof(B->bi_bdev->bd_disk->disk_name));
};
