/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Files: fileinfo_t, fds[].
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

/* AT_FDCWD is open, too: the current directory. */
translator fileinfo_t < int FD > {
	fi_name = FD == __at_cwd ? basename(cwd) :
		xlate <fileinfo_t>(__file_of[FD]).fi_name;
	fi_dirname = FD == __at_cwd ? dirname(cwd) :
		xlate <fileinfo_t>(__file_of[FD]).fi_dirname;
	fi_pathname = FD == __at_cwd ? cwd : __file_path[__file_of[FD]];
	fi_offset = FD == __at_cwd ? 0 :
		xlate <fileinfo_t>(__file_of[FD]).fi_offset;
	fi_fs = FD == __at_cwd ?
		stringof(curthread->fs->pwd.mnt->mnt_sb->s_type->name) :
		xlate <fileinfo_t>(__file_of[FD]).fi_fs;
	fi_mount = FD == __at_cwd ?
		__path(curthread->fs->pwd.mnt, curthread->fs->pwd.mnt->mnt_root) :
		xlate <fileinfo_t>(__file_of[FD]).fi_mount;
	fi_oflags = FD == __at_cwd ? 0 :
		xlate <fileinfo_t>(__file_of[FD]).fi_oflags;
};

inline fileinfo_t fds[int FD] = xlate <fileinfo_t>(FD);
#pragma D attributes Stable/Stable/Common fds
#pragma D binding "1.1" fds

/* What an operation of fsinfo is on: a file of the kernel's, whose address is
 * negative, or a name in the process, which is told as it was given. */
inline int __is_file[struct filename *N] = (int64_t)N <= 0;
inline string __given[struct filename *N] = copyinstr((uintptr_t)N);

translator fileinfo_t < struct filename *N > {
	fi_name = __is_file[N] ?
		xlate <fileinfo_t>((struct file *)N).fi_name :
		basename(__given[N]);
	fi_dirname = __is_file[N] ?
		xlate <fileinfo_t>((struct file *)N).fi_dirname :
		dirname(__given[N]);
	fi_pathname = __is_file[N] ? __file_path[(struct file *)N] : __given[N];
	fi_offset = __is_file[N] ?
		xlate <fileinfo_t>((struct file *)N).fi_offset : 0;
	fi_fs = __is_file[N] ?
		xlate <fileinfo_t>((struct file *)N).fi_fs : "<unknown>";
	fi_mount = __is_file[N] ?
		xlate <fileinfo_t>((struct file *)N).fi_mount : "<unknown>";
	fi_oflags = __is_file[N] ?
		xlate <fileinfo_t>((struct file *)N).fi_oflags : 0;
};
