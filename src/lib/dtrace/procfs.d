/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Processes and threads: psinfo_t, lwpsinfo_t, and those of the thread that
 * fired, curpsinfo and curlwpsinfo.
 *
 * A process has no structure of its own in this kernel: both are made of a
 * struct task_struct.  Times are those of that thread and of the threads of
 * its process that have ended.
 */
typedef struct timestruc {
	int64_t tv_sec;
	int64_t tv_nsec;
} timestruc_t;

translator timestruc_t < uint64_t NS > {
	tv_sec = NS / 1000000000;
	tv_nsec = NS % 1000000000;
};

/* pr_state, and what pr_sname shows for it. */
inline char SSLEEP = 1;		/* S */
inline char SRUN = 2;		/* R */
inline char SZOMB = 3;		/* Z */
inline char SSTOP = 4;		/* T */
inline char SIDL = 5;		/* I */
inline char SONPROC = 6;	/* O */
inline char SWAIT = 7;		/* W */

/* pr_stype */
inline char SOBJ_NONE = 0;
inline char SOBJ_MUTEX = 1;
inline char SOBJ_RWLOCK = 2;
inline char SOBJ_CV = 3;
inline char SOBJ_SEMA = 4;
inline char SOBJ_USER = 5;
inline char SOBJ_USER_PI = 6;
inline char SOBJ_SHUTTLE = 7;

/* pr_flag: threads of the kernel (PF_KTHREAD), and those of its idle CPUs (PF_IDLE) */
inline int PR_ISSYS = 0x00200000;
inline int PR_IDLE = 0x00000002;

/* pr_dmodel */
inline char PR_MODEL_ILP32 = 1;
inline char PR_MODEL_LP64 = 2;

typedef struct lwpsinfo {
	int pr_flag;		/* PF_* of the kernel */
	id_t pr_lwpid;
	uintptr_t pr_addr;	/* struct task_struct */
	uintptr_t pr_wchan;
	char pr_stype;
	char pr_state;
	char pr_sname;
	char pr_nice;
	short pr_syscall;	/* the number of the system call */
	char pr_oldpri;
	char pr_cpu;
	int pr_pri;
	ushort_t pr_pctcpu;
	timestruc_t pr_start;	/* since the epoch */
	timestruc_t pr_time;	/* on a CPU */
	char pr_clname[8];
	char pr_name[16];
	int pr_onpro;		/* the CPU it is on, or was on last */
	int pr_bindpro;		/* the only one that it may run on, or -1 */
	int pr_bindpset;
	int pr_lgrp;
} lwpsinfo_t;

typedef struct psinfo {
	int pr_flag;
	int pr_nlwp;
	pid_t pr_pid;
	pid_t pr_ppid;
	pid_t pr_pgid;
	pid_t pr_sid;
	uid_t pr_uid;
	uid_t pr_euid;
	gid_t pr_gid;
	gid_t pr_egid;
	uintptr_t pr_addr;
	size_t pr_size;		/* KB of address space */
	size_t pr_rssize;	/* KB of it in memory */
	int pr_ttydev;		/* -1: none */
	ushort_t pr_pctcpu;
	ushort_t pr_pctmem;
	timestruc_t pr_start;
	timestruc_t pr_time;
	timestruc_t pr_ctime;	/* of children that were waited for */
	char pr_fname[16];
	char pr_psargs[80];	/* its translation may be longer */
	int pr_wstat;
	int pr_argc;
	uintptr_t pr_argv;
	uintptr_t pr_envp;
	char pr_dmodel;
	int pr_taskid;
	int pr_projid;
	int pr_nzomb;
	int pr_poolid;
	int pr_zoneid;
	int pr_contract;
	int pr_jailid;
	lwpsinfo_t pr_lwp;
} psinfo_t;

/* The kernel's states: 0 runs or may; 1 and 2 sleep; 4 and 8 are stopped; and
 * 0x800 is new.  Whoever ended has an exit_state.  Who goes to sleep is asleep in
 * off-cpu, though the CPU is not yet another's. */
inline int __state[struct task_struct *T] = __either(T->__state, T->state, 0);

inline char __pr_state[struct task_struct *T] =
	T->exit_state != 0 ? SZOMB :
	__state[T] & 0x0c ? SSTOP :
	__state[T] & 0x800 ? SIDL :
	__state[T] & 0x03 ? SSLEEP :
	__either(T->on_cpu, T == curthread, 0) ? SONPROC : SRUN;

/* Whoever sleeps in futex() waits for a lock of programs; for one of the kernel
 * newer kernels tell.  All else is a queue of those that wait. */
inline int __in_futex[struct task_struct *T] = T == curthread && T->mm != NULL &&
	__either(sizeof (T->thread.fsbase) != 0 && (short)uregs[15] == 202, 0);

inline char __pr_stype[struct task_struct *T] =
	__pr_state[T] != SSLEEP ? SOBJ_NONE :
	__either(T->pi_blocked_on != NULL, 0) ? SOBJ_USER_PI :
	__either(T->blocked_on != NULL, 0) ? SOBJ_MUTEX :
	__in_futex[T] ? SOBJ_USER : SOBJ_CV;

/* The kernel counts from when it started; walltimestamp is now. */
inline uint64_t __since_epoch[uint64_t NS] = walltimestamp - (timestamp - NS);

inline string __class[int POLICY] =
	POLICY == 1 || POLICY == 2 || POLICY == 6 ? "RT" :
	POLICY == 5 ? "IDLE" : "TS";

/* The CPU that it is on, or in the queue of. */
inline int __cpu_of[struct task_struct *T] =
	__either(T->thread_info.cpu, T->cpu, 0);

translator lwpsinfo_t < struct task_struct *T > {
	pr_flag = T->flags;
	pr_lwpid = T->pid;
	pr_addr = (uintptr_t)T;
	pr_wchan = 0;
	pr_stype = __pr_stype[T];
	pr_state = __pr_state[T];
	pr_sname = __pr_state[T] == SSLEEP ? 'S' :
		__pr_state[T] == SRUN ? 'R' :
		__pr_state[T] == SZOMB ? 'Z' :
		__pr_state[T] == SSTOP ? 'T' :
		__pr_state[T] == SIDL ? 'I' : 'O';
	pr_nice = T->static_prio - 120;
	pr_syscall = T == curthread ? (short)uregs[15] : -1;
	pr_oldpri = T->prio;
	pr_cpu = 0;
	pr_pri = T->prio;
	pr_start = xlate <timestruc_t>(__since_epoch[T->start_time]);
	pr_time = xlate <timestruc_t>((uint64_t)T->se.sum_exec_runtime);
	pr_clname = __class[T->policy];
	pr_name = T->comm;
	pr_onpro = __cpu_of[T];
	pr_bindpro = T->nr_cpus_allowed == 1 ? __cpu_of[T] : -1;
	pr_bindpset = -1;
	pr_lgrp = 0;
};

/* A thread whose priority sched:::change-pri tells, by its address: it has the new one
 * already, or not yet. */
self int __sched_pri;
this int __sched_was;
inline lwpsinfo_t *__changed[unsigned long T] =
	xlate <lwpsinfo_t *>((struct task_struct *)T);

translator lwpsinfo_t < unsigned long T > {
	pr_flag = __changed[T]->pr_flag;
	pr_lwpid = __changed[T]->pr_lwpid;
	pr_addr = __changed[T]->pr_addr;
	pr_wchan = __changed[T]->pr_wchan;
	pr_stype = __changed[T]->pr_stype;
	pr_state = __changed[T]->pr_state;
	pr_sname = __changed[T]->pr_sname;
	pr_nice = __changed[T]->pr_nice;
	pr_syscall = __changed[T]->pr_syscall;
	pr_oldpri = this->__sched_was;
	pr_cpu = __changed[T]->pr_cpu;
	pr_pri = this->__sched_was;
	pr_start = __changed[T]->pr_start;
	pr_time = __changed[T]->pr_time;
	pr_clname = __changed[T]->pr_clname;
	pr_name = __changed[T]->pr_name;
	pr_onpro = __changed[T]->pr_onpro;
	pr_bindpro = __changed[T]->pr_bindpro;
	pr_bindpset = __changed[T]->pr_bindpset;
	pr_lgrp = __changed[T]->pr_lgrp;
};

inline struct mm_struct *__mm[struct task_struct *T] = T->mm;

inline int __page_kb = 4;

/* Pages of files, of nothing, of shared memory; from 6.2 on counted per CPU,
 * which is summed up only now and then. */
inline int64_t __rss_pages[struct mm_struct *MM] = __either(
	MM->rss_stat[0].count + MM->rss_stat[1].count + MM->rss_stat[3].count,
	MM->rss_stat.count[0].counter + MM->rss_stat.count[1].counter +
	MM->rss_stat.count[3].counter, 0);

/* Which of the numbers of a group: 2 is the process group, 3 the session. */
inline pid_t __group[struct task_struct *T, int WHICH] =
	T->signal->pids[WHICH]->numbers[0].nr;

translator psinfo_t < struct task_struct *T > {
	pr_flag = T->flags;
	pr_nlwp = T->signal->nr_threads;
	pr_pid = T->tgid;
	pr_ppid = T->real_parent->tgid;
	pr_pgid = __group[T, 2];
	pr_sid = __group[T, 3];
	pr_uid = T->cred->uid.val;
	pr_euid = T->cred->euid.val;
	pr_gid = T->cred->gid.val;
	pr_egid = T->cred->egid.val;
	pr_addr = (uintptr_t)T;
	pr_size = T->mm == NULL ? 0 : T->mm->total_vm * __page_kb;
	pr_rssize = T->mm == NULL ? 0 : __rss_pages[T->mm] * __page_kb;
	pr_ttydev = T->signal->tty == NULL ? -1 :
		T->signal->tty->driver->major << 20 |
		(T->signal->tty->driver->minor_start + T->signal->tty->index);
	pr_start = xlate <timestruc_t>(
		__since_epoch[T->group_leader->start_time]);
	pr_time = xlate <timestruc_t>((uint64_t)(T->se.sum_exec_runtime +
		T->signal->sum_sched_runtime));
	pr_ctime = xlate <timestruc_t>((uint64_t)(T->signal->cutime +
		T->signal->cstime));
	pr_fname = T->comm;
	/* The arguments are in user memory, which only its owner sees. */
	pr_psargs = T == curthread && T->mm != NULL ? execargs :
		stringof(T->comm);
	/* Of the process: SIGNAL_GROUP_EXIT. */
	pr_wstat = T->signal->flags & 4 ? T->signal->group_exit_code :
		T->group_leader->exit_code;
	/* What a program starts with lies above its first stack pointer. */
	pr_argc = T == curthread && T->mm != NULL ?
		*(int *)copyin(T->mm->start_stack, 4) : 0;
	pr_argv = T->mm == NULL ? 0 : T->mm->start_stack + 8;
	pr_envp = T == curthread && T->mm != NULL ? T->mm->start_stack + 16 +
		8 * *(int *)copyin(T->mm->start_stack, 4) : 0;
	/* TIF_ADDR32 */
	pr_dmodel = __either(T->thread_info.flags >> 29 & 1 ?
		PR_MODEL_ILP32 : PR_MODEL_LP64, PR_MODEL_LP64);
	pr_taskid = 0;
	pr_projid = 0;
	pr_nzomb = 0;
	pr_poolid = 0;
	pr_zoneid = 0;
	pr_contract = 0;
	pr_jailid = 0;
	pr_lwp = xlate <lwpsinfo_t>(T);
};

/* What the processor reports (proc:::fault). */
inline int FLTILL = 1;		/* no instruction */
inline int FLTPRIV = 2;
inline int FLTBPT = 3;		/* a breakpoint */
inline int FLTTRACE = 4;	/* a step */
inline int FLTACCESS = 5;	/* memory that may not be used so */
inline int FLTBOUNDS = 6;	/* no memory */
inline int FLTIOVF = 7;
inline int FLTIZDIV = 8;
inline int FLTFPE = 9;
inline int FLTSTACK = 10;
inline int FLTPAGE = 11;
inline int FLTWATCH = 12;
inline int FLTCPCOVF = 13;

typedef struct __siginfo {
	int si_signo;
	int si_errno;
	int si_code;		/* above 0: the kernel's reason; 0: kill() */
	pid_t si_pid;
	uid_t si_uid;
	int si_status;
	uintptr_t si_addr;
	uint64_t si_value;
} siginfo_t;

/* In place of an address the kernel has 0 for what a process sends without more, and
 * 1 for what it sends itself. */
translator siginfo_t < struct kernel_siginfo *I > {
	si_signo = (uint64_t)I < 2 ? 0 : I->si_signo;
	si_errno = (uint64_t)I < 2 ? 0 : I->si_errno;
	si_code = (uint64_t)I == 1 ? 0x80 : (uint64_t)I == 0 ? 0 : I->si_code;
	si_pid = (uint64_t)I == 0 ? curthread->tgid : (uint64_t)I == 1 ? 0 :
		I->_sifields._kill._pid;
	si_uid = (uint64_t)I == 0 ? curthread->cred->uid.val :
		(uint64_t)I == 1 ? 0 : I->_sifields._kill._uid;
	si_status = (uint64_t)I < 2 ? 0 : I->_sifields._sigchld._status;
	si_addr = (uint64_t)I < 2 ? 0 : (uintptr_t)I->_sifields._sigfault._addr;
	si_value = (uint64_t)I < 2 ? 0 :
		(uint64_t)I->_sifields._rt._sigval.sival_ptr;
};

inline psinfo_t *curpsinfo = xlate <psinfo_t *>(curthread);
#pragma D attributes Stable/Stable/Common curpsinfo

inline lwpsinfo_t *curlwpsinfo = xlate <lwpsinfo_t *>(curthread);
#pragma D attributes Stable/Stable/Common curlwpsinfo
