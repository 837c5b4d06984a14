/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * Stop a process that executes a file which nobody has looked at yet, so that it can
 * be probed before it runs on: at the end of its execve(), of the mmap() of a library,
 * and, where each process has probes of its own, of the fork() that made it.  The signal
 * is there when it returns to its own code, of which it executes nothing before.
 *
 *  1. Where it is stopped is in a slot before it is, and the slot is taken before it
 *     is asked whether anybody is there to let it go: so whoever says that nobody is,
 *     and looks at the slots then, finds all that are stopped.
 *  2. Who is under a debugger is not stopped, nor is a job of a shell, nor who may
 *     become one: its parent would hear of it.
 */
#include "bpfrt/rt.h"

#include "abi/hold.h"
#include "bpfrt/task.h"

struct abi_hold dt_hold SEC(".bss.hold");

const volatile struct abi_hold_cfg dt_hold_cfg SEC(".rodata.hold") = { .self = 1 };

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(key_size, sizeof(struct abi_hold_file));
	__uint(value_size, 4);
	__uint(max_entries, 65536);
	__uint(map_flags, BPF_F_NO_PREALLOC);
} dt_hold_files SEC(".maps");

/* A word each: look at the slots. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} dt_hold_wakes SEC(".maps");

enum {
	HOLD_TGID = 1,		/* PIDTYPE_TGID */
	HOLD_PGRP = 2,		/* PIDTYPE_PGID */
	HOLD_SESSION = 3,	/* PIDTYPE_SID */
	HOLD_EXEC = 4,		/* PROT_EXEC */
	HOLD_ANONYMOUS = 0x20,	/* MAP_ANONYMOUS */
	HOLD_CHLD = 17,		/* SIGCHLD */
	HOLD_STOP = 19,		/* SIGSTOP */
	HOLD_ACTION_SIZE = 32,	/* struct k_sigaction: four words */
	HOLD_NOCLDSTOP = 1,	/* SA_NOCLDSTOP */
	HOLD_CLONE3 = 435,
#if defined(__TARGET_ARCH_arm64)
	HOLD_MMAP = 222,
	HOLD_CLONE = 220,
#else
	HOLD_MMAP = 9, HOLD_CLONE = 56, HOLD_FORK = 57, HOLD_VFORK = 58,
	HOLD_MMAP_32 = 192, HOLD_CLONE_32 = 120, HOLD_FORK_32 = 2, HOLD_VFORK_32 = 190,
#endif
};

/* The word of a struct of the kernel's; 0 where it cannot be read. */
INLINE u64
hold_word(u64 at, u64 off)
{
	u64 v = 0;

	peek(at + off, &v);
	return v;
}

#define HOLD_AT(at, NAME) hold_word(at, dt_cfg.koff[ABI_KOFF_##NAME])

INLINE u64
hold_pid(u64 task, u32 type)
{
	return hold_word(HOLD_AT(task, TASK_SIGNAL),
			 dt_cfg.koff[ABI_KOFF_SIGNAL_PIDS] + 8 * type);
}

/* Whether a handler of the process is called when a child stops. */
INLINE bool
hold_handles_stops(u64 task)
{
	u64 action = HOLD_AT(task, TASK_SIGHAND) + dt_cfg.koff[ABI_KOFF_SIGHAND_ACTION] +
		     (HOLD_CHLD - 1) * HOLD_ACTION_SIZE;

	/* SIG_DFL is 0, SIG_IGN 1 */
	return HOLD_AT(action, ACTION_HANDLER) > 1 &&
	       !(HOLD_AT(action, ACTION_FLAGS) & HOLD_NOCLDSTOP);
}

/* A shell with job control gives each job a process group in its own session, and
 * waits for stops, too.  On a terminal it leads a group itself; without one it is told
 * by its handler.  A child that was just forked is not in its own group yet: it may
 * come into one where the shell leads a group on a terminal, or where it has its
 * handler wait until it has the child in its books: the child inherits that.  But who
 * made it by vfork() waits for it and asks of nothing. */
INLINE bool
hold_is_job(u64 task, bool forked)
{
	u64 parent = HOLD_AT(task, TASK_REAL_PARENT), group = hold_pid(task, HOLD_PGRP);
	bool terminal = HOLD_AT(HOLD_AT(task, TASK_SIGNAL), SIGNAL_TTY);

	if (group != hold_pid(parent, HOLD_PGRP))
		return terminal || (hold_pid(task, HOLD_SESSION) ==
				    hold_pid(parent, HOLD_SESSION) &&
				    hold_handles_stops(parent));
	if (!forked || HOLD_AT(task, TASK_VFORK))
		return false;
	return (terminal && group == hold_pid(parent, HOLD_TGID)) ||
	       (HOLD_AT(task, TASK_BLOCKED) & 1ull << (HOLD_CHLD - 1) &&
		hold_handles_stops(parent));
}

RT u64
rt_hold_concerns(u64 task)
{
	u64 parent = dt_cfg.koff[ABI_KOFF_TASK_REAL_PARENT];
	u64 tgid = dt_cfg.koff[ABI_KOFF_TASK_TGID];

	if (!dt_hold_cfg.nroots)
		return !rt_progenyof(dt_hold_cfg.self, parent, tgid, task);
	for (u32 i = 0; i < ABI_HOLD_ROOTS && i < dt_hold_cfg.nroots; i++)
		if (rt_progenyof(dt_hold_cfg.roots[i], parent, tgid, task))
			return 1;
	return 0;
}

/* -c and -p: what they map has probes of their own, whoever else has it. */
RT u64
rt_hold_is_root(u32 pid)
{
	for (u32 i = 0; i < ABI_HOLD_ROOTS && i < dt_hold_cfg.nroots; i++)
		if (dt_hold_cfg.roots[i] == pid)
			return 1;
	return 0;
}

INLINE struct abi_hold_slot *
hold_take(u32 pid)
{
	for (u32 i = 0; i < ABI_HOLD_SLOTS; i++) {
		u32 at = (pid + i) & (ABI_HOLD_SLOTS - 1);
		OPAQUE(at);
		struct abi_hold_slot *s = &dt_hold.slots[at & (ABI_HOLD_SLOTS - 1)];
		if (__sync_val_compare_and_swap(&s->state, ABI_HOLD_FREE,
						ABI_HOLD_TAKEN) == ABI_HOLD_FREE)
			return s;
	}
	return 0;
}

INLINE void
hold_file(u64 file, u32 pid, struct abi_hold_file *f)
{
	u64 inode = HOLD_AT(file, FILE_INODE);

	f->dev = (u32)HOLD_AT(HOLD_AT(inode, INODE_SB), SB_DEV);
	f->inode = HOLD_AT(inode, INODE_INO);
	f->generation = (u32)HOLD_AT(inode, INODE_GENERATION);
	f->size = HOLD_AT(inode, INODE_SIZE);
	f->pid = dt_hold_cfg.each || rt_hold_is_root(pid) ? pid : 0;
}

/* The current process has mapped f; or, without an inode, was just forked. */
RT u64
rt_hold(struct abi_hold_file *f)
{
	u64 task = bpf_get_current_task();
	u32 ready = ABI_HOLD_HELD;

	if (!f || (u32)HOLD_AT(task, TASK_PTRACE) || !rt_hold_concerns(task))
		return 0;
	if (hold_is_job(task, !f->inode)) {
		__sync_fetch_and_add(&dt_hold.jobs, 1);			/* 2 */
		return 0;
	}
	u32 pid = bpf_get_current_pid_tgid() >> 32;
	struct abi_hold_slot *s = hold_take(pid);
	if (!s) {
		__sync_fetch_and_add(&dt_hold.full, 1);
		return 0;
	}
	s->pid = pid;
	s->since = bpf_ktime_get_ns();
	s->file = *f;
	if (!*(volatile u32 *)&dt_hold.armed || bpf_send_signal(HOLD_STOP))	/* 1 */
		ready = ABI_HOLD_FREE;
	__sync_lock_test_and_set(&s->state, ready);
	if (ready == ABI_HOLD_HELD)
		bpf_ringbuf_output(&dt_hold_wakes, &s->since, sizeof(s->since),
				   BPF_RB_FORCE_WAKEUP);
	return 0;
}

INLINE void
hold_mapped(u64 file)
{
	struct abi_hold_file f;

	if (!file || !*(volatile u32 *)&dt_hold.armed)
		return;
	hold_file(file, bpf_get_current_pid_tgid() >> 32, &f);
	if (f.inode && !bpf_map_lookup_elem(&dt_hold_files, &f))
		rt_hold(&f);
}

/* Argument n of the function that calls a tracepoint's programs; 0 is none of theirs. */
#define HOLD_ARG(ctx, n) (*(const u64 *)((const char *)(ctx) + ABI_ROLE_OFF_ARG##n))

/* (struct task_struct *, pid_t, struct linux_binprm *) */
SEC("?raw_tp/sched_process_exec")
int
dt_hold_exec(struct bpf_raw_tracepoint_args *ctx)
{
	hold_mapped(HOLD_AT(ctx->args[2], BINPRM_FILE));
	return 0;
}

SEC("?traceiter/sched_process_exec")
int
dt_hold_exec_safe(const void *ctx)
{
	hold_mapped(HOLD_AT(HOLD_ARG(ctx, 3), BINPRM_FILE));
	return 0;
}

INLINE u64
hold_open_file(u64 fd)
{
	u64 table = HOLD_AT(HOLD_AT(bpf_get_current_task(), TASK_FILES), FILES_FDT);

	return fd < (u32)HOLD_AT(table, FDT_MAX) ?
	       hold_word(HOLD_AT(table, FDT_FD), fd * 8) : 0;
}

INLINE bool
hold_is_32(u64 regs)
{
#if defined(__TARGET_ARCH_arm64)
	return false;
#else
	return (hold_word(regs, ABI_ROLE_OFF_MODE) & ABI_MODE_CODE_BITS) !=
	       ABI_MODE_CODE_64;
#endif
}

/* 0 is returned to the new one alone. */
INLINE bool
hold_is_fork(u64 regs, u32 nr)
{
	if (nr == HOLD_CLONE3)
		return true;
#if defined(__TARGET_ARCH_arm64)
	return nr == HOLD_CLONE;
#else
	if (hold_is_32(regs))
		return nr == HOLD_CLONE_32 || nr == HOLD_FORK_32 || nr == HOLD_VFORK_32;
	return nr == HOLD_CLONE || nr == HOLD_FORK || nr == HOLD_VFORK;
#endif
}

INLINE void
hold_forked(void)
{
	struct abi_hold_file none = { 0 };
	u64 who = bpf_get_current_pid_tgid();

	if ((u32)who == who >> 32 && *(volatile u32 *)&dt_hold.armed)
		rt_hold(&none);
}

INLINE int
hold_exit(u64 regs, s64 ret)
{
	u64 prot, flags, fd;

	if (ret >= -4095 && ret < 0)
		return 0;
	u32 nr = hold_word(regs, ABI_ROLE_OFF_CALL);
	if (!ret) {
		if (dt_hold_cfg.each && hold_is_fork(regs, nr))
			hold_forked();
		return 0;
	}
	if (nr == HOLD_MMAP) {
		prot = hold_word(regs, ABI_ROLE_OFF_CALL2);
		flags = hold_word(regs, ABI_ROLE_OFF_CALL3);
		fd = hold_word(regs, ABI_ROLE_OFF_CALL4);
#if !defined(__TARGET_ARCH_arm64)
	} else if (nr == HOLD_MMAP_32 && hold_is_32(regs)) {
		prot = hold_word(regs, ABI_ROLE_OFF_COMPAT2);
		flags = hold_word(regs, ABI_ROLE_OFF_COMPAT3);
		fd = hold_word(regs, ABI_ROLE_OFF_COMPAT4);
#endif
	} else {
		return 0;
	}
	if (prot & HOLD_EXEC && !(flags & HOLD_ANONYMOUS))
		hold_mapped(hold_open_file((u32)fd));
	return 0;
}

/* (struct pt_regs *, long) */
SEC("?raw_tp/sys_exit")
int
dt_hold_exit(struct bpf_raw_tracepoint_args *ctx)
{
	return hold_exit(ctx->args[0], ctx->args[1]);
}

SEC("?traceiter/sys_exit")
int
dt_hold_exit_safe(const void *ctx)
{
	return hold_exit(HOLD_ARG(ctx, 1), HOLD_ARG(ctx, 2));
}

char _license[] SEC("license") = "Dual BSD/GPL";
