/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Who is stopped before it runs on (bpfrt/hold.bpf.c), as a program of the host
 * (support/bpfhost): each question that it asks of the kernel with both answers, in
 * structs that are made up and beyond which nothing can be read.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <cmocka.h>

#if defined(__aarch64__)
#define __TARGET_ARCH_arm64
#endif
#include "bpfrt/rt.h"
#include "fakes.h"

/* What else it asks of the kernel. */
u64 bpf_get_current_task(void);
u64 bpf_get_current_pid_tgid(void);
long bpf_send_signal(u32 signal);
long bpf_ringbuf_output(void *ring, void *data, u64 size, u64 flags);

#include "bpfrt/hold.bpf.c"

#include "base/base.h"

/* --- A kernel ---------------------------------------------------------------- */

enum { PID = 1000, PARENT = 900, TRACER = 800, NFDS = 4, NOW = 12345,
       OTHER = 0x5a5a5a5a /* stands behind what is half a word */ };

struct fake_task {
	u64 parent, signal, sighand, files, vfork, blocked, bprm;
	u32 tgid, other, ptrace, other2;
};

struct fake_signal {
	u64 tty, pids[4];
};

struct fake_action {
	u64 handler, flags, restorer, mask;
};

struct fake_file {
	u64 inode;
};

static struct {
	struct fake_task task[3];	/* the current one, its parent, init */
	struct fake_signal signal[3];
	struct { u64 first; struct fake_action action[64]; } sighand;
	u64 fdt;			/* of struct files_struct */
	struct { u32 max, other; u64 fd; } table;
	u64 fds[NFDS + 1];		/* one more than max says */
	struct fake_file file;
	struct { u64 sb, ino, size; u32 generation, other; } inode;
	struct { u32 dev, other; } sb;
	u64 bprm;			/* of struct linux_binprm */
	unsigned char regs[320];
} k;

static u64 who;				/* tgid and pid of the current task */
static u32 signals, wakes;
static long refusal;			/* of signals */
static bool is_known, is_disarmed_late;
static struct abi_hold_file asked;
static volatile struct abi_hold_cfg *cfg;

u64
bpf_get_current_task(void)
{
	return address(&k.task[0]);
}

u64
bpf_get_current_pid_tgid(void)
{
	return who;
}

uint64_t
bpf_ktime_get_ns(void)
{
	if (is_disarmed_late)
		dt_hold.armed = 0;
	return NOW;
}

/* By then the slot says who it is. */
long
bpf_send_signal(u32 signal)
{
	u32 ntaken = 0;

	for (u32 i = 0; i < ABI_HOLD_SLOTS; i++)
		ntaken += dt_hold.slots[i].state == ABI_HOLD_TAKEN &&
			  dt_hold.slots[i].pid == who >> 32;
	assert_int_equal(ntaken, 1);
	assert_int_equal(signal, SIGSTOP);
	signals++;
	return refusal;
}

long
bpf_ringbuf_output(void *ring, void *data, u64 size, u64 flags)
{
	assert_ptr_equal(ring, &dt_hold_wakes);
	assert_int_equal(size, 8);
	assert_int_equal(*(u64 *)data, NOW);
	assert_int_equal(flags, BPF_RB_FORCE_WAKEUP);
	wakes++;
	return 0;
}

__attribute__((noinline)) void *
bpf_map_lookup_elem(const void *map, const void *key)
{
	static u64 value[64];

	assert_ptr_equal(map, &dt_hold_files);
	asked = *(const struct abi_hold_file *)key;
	return is_known ? value : NULL;
}

long
bpf_probe_read_kernel(void *to, uint32_t size, const void *from)
{
	return read_within(to, size, from, &k, sizeof(k));
}

static void
set_offsets(void)
{
	volatile struct abi_cfg *c = (volatile struct abi_cfg *)(uintptr_t)&dt_cfg;

#define AT(name, offset) c->koff[ABI_KOFF_##name] = (u32)(offset)
#define OF(type, member) ((char *)&k.type.member - (char *)&k.type)
	AT(TASK_REAL_PARENT, offsetof(struct fake_task, parent));
	AT(TASK_SIGNAL, offsetof(struct fake_task, signal));
	AT(TASK_SIGHAND, offsetof(struct fake_task, sighand));
	AT(TASK_FILES, offsetof(struct fake_task, files));
	AT(TASK_VFORK, offsetof(struct fake_task, vfork));
	AT(TASK_BLOCKED, offsetof(struct fake_task, blocked));
	AT(TASK_TGID, offsetof(struct fake_task, tgid));
	AT(TASK_PTRACE, offsetof(struct fake_task, ptrace));
	AT(SIGNAL_TTY, offsetof(struct fake_signal, tty));
	AT(SIGNAL_PIDS, offsetof(struct fake_signal, pids));
	AT(SIGHAND_ACTION, OF(sighand, action));
	AT(ACTION_HANDLER, offsetof(struct fake_action, handler));
	AT(ACTION_FLAGS, offsetof(struct fake_action, flags));
	AT(FILES_FDT, 0);
	AT(FDT_MAX, 0);
	AT(FDT_FD, OF(table, fd));
	AT(FILE_INODE, 0);
	AT(INODE_SB, OF(inode, sb));
	AT(INODE_INO, OF(inode, ino));
	AT(INODE_SIZE, OF(inode, size));
	AT(INODE_GENERATION, OF(inode, generation));
	AT(SB_DEV, 0);
	AT(BINPRM_FILE, 0);
#undef OF
#undef AT
}

/* A process that executes and maps the same file, and is stopped as it does. */
static void
begin(void)
{
	memset(&k, 0, sizeof(k));
	for (u32 i = 0; i < 3; i++) {
		k.task[i] = (struct fake_task){
			.signal = address(&k.signal[i]), .other2 = OTHER,
			.sighand = address(&k.sighand), .files = address(&k.fdt) };
		for (u32 j = 0; j < 4; j++)
			k.signal[i].pids[j] = 70 + j;	/* all the same */
	}
	k.task[0].parent = address(&k.task[1]);
	k.task[0].tgid = PID;
	k.task[1].parent = address(&k.task[2]);
	k.task[1].tgid = PARENT;
	k.task[2].parent = address(&k.task[2]);
	k.task[2].tgid = 1;
	k.fdt = address(&k.table);
	k.table.max = NFDS;
	k.table.other = k.inode.other = k.sb.other = OTHER;
	k.table.fd = address(k.fds);
	k.fds[NFDS - 1] = k.fds[NFDS] = k.bprm = address(&k.file);
	k.file.inode = address(&k.inode);
	k.inode.sb = address(&k.sb);
	k.inode.ino = 31;
	k.inode.size = 4097;
	k.inode.generation = 7;
	k.sb.dev = 0x801;

	memset(&dt_hold, 0, sizeof(dt_hold));
	memset(&asked, 0, sizeof(asked));
	*cfg = (struct abi_hold_cfg){ .self = TRACER };
	dt_hold.armed = 1;
	who = (u64)PID << 32 | PID;
	signals = wakes = 0;
	refusal = 0;
	is_known = is_disarmed_late = false;
}

static void
execute(void)
{
	u64 args[] = { address(&k.task[0]), PID, address(&k.bprm) };

	assert_int_equal(dt_hold_exec((struct bpf_raw_tracepoint_args *)args), 0);
}

/* The slot of who is held; NULL: nobody was stopped. */
static const struct abi_hold_slot *
held(void)
{
	const struct abi_hold_slot *found = NULL;

	for (u32 i = 0; i < ABI_HOLD_SLOTS; i++) {
		const struct abi_hold_slot *s = &dt_hold.slots[i];
		if (s->state == ABI_HOLD_FREE)
			continue;
		assert_null(found);
		assert_int_equal(s->state, ABI_HOLD_HELD);
		assert_int_equal(s->pid, PID);
		assert_int_equal(s->since, NOW);
		found = s;
	}
	assert_int_equal(signals, found ? 1 : 0);
	assert_int_equal(wakes, signals);
	return found;
}

static void
expect_file(const struct abi_hold_file *f, u64 pid)
{
	assert_int_equal(f->dev, 0x801);
	assert_int_equal(f->inode, 31);
	assert_int_equal(f->generation, 7);
	assert_int_equal(f->size, 4097);
	assert_int_equal(f->pid, pid);
}

/* --- Who executes a file -------------------------------------------------------- */

static void
test_exec(void **state)
{
	u64 regs[40] = { 0 };

	(void)state;
	begin();
	execute();
	assert_non_null(held());
	expect_file(&held()->file, 0);
	expect_file(&asked, 0);

	begin();
	regs[ABI_ROLE_OFF_ARG1 / 8] = address(&k.task[0]);
	regs[ABI_ROLE_OFF_ARG2 / 8] = PID;
	regs[ABI_ROLE_OFF_ARG3 / 8] = address(&k.bprm);
	assert_int_equal(dt_hold_exec_safe(regs), 0);
	assert_non_null(held());
	expect_file(&held()->file, 0);
}

static void
test_not_held(void **state)
{
	(void)state;
	begin();
	dt_hold.armed = 0;
	execute();
	assert_null(held());
	begin();
	is_known = true;
	execute();
	assert_null(held());
	expect_file(&asked, 0);
	begin();
	k.bprm = 0;
	execute();
	assert_null(held());
	begin();
	k.inode.ino = 0;		/* a new one, which rt_hold() would take for a fork */
	execute();
	assert_null(held());
	begin();
	k.task[0].ptrace = 1;
	execute();
	assert_null(held());
	assert_int_equal(dt_hold.jobs, 0);
	assert_int_equal(dt_hold.full, 0);
}

/* Of which process a file is, and which are asked for. */
static void
test_roots(void **state)
{
	static const struct {
		u32 self, nroots, roots[3], each;
		bool is_held;
		u32 pid;		/* of the file */
	} rows[] = {
		{ TRACER, 0, { 0 }, 0, true, 0 },
		{ PARENT, 0, { 0 }, 0, false, 0 },
		{ PID, 0, { 0 }, 0, false, 0 },
		{ 1, 0, { 0 }, 0, false, 0 },
		{ TRACER, 0, { 0 }, 1, true, PID },
		{ TRACER, 0, { PID }, 0, true, 0 },
		{ TRACER, 1, { PID }, 0, true, PID },
		{ TRACER, 1, { PARENT }, 0, true, 0 },
		{ PARENT, 1, { PARENT }, 0, true, 0 },
		{ TRACER, 1, { PARENT }, 1, true, PID },
		{ TRACER, 1, { 77, PID }, 0, false, 0 },
		{ TRACER, 2, { 77, PID }, 0, true, PID },
		{ TRACER, 2, { 77, 1 }, 0, true, 0 },
		{ TRACER, 3, { 77, 78, 79 }, 0, false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		begin();
		cfg->self = rows[i].self;
		cfg->nroots = rows[i].nroots;
		cfg->each = rows[i].each;
		for (u32 j = 0; j < 3; j++)
			cfg->roots[j] = rows[i].roots[j];
		execute();
		if (!held() != !rows[i].is_held)
			fail_msg("row %zu", i);
		if (rows[i].is_held)
			expect_file(&held()->file, rows[i].pid);
	}
	/* all of them, and no more */
	begin();
	cfg->nroots = ABI_HOLD_ROOTS;
	cfg->roots[ABI_HOLD_ROOTS - 1] = PID;
	execute();
	assert_non_null(held());
	expect_file(&held()->file, PID);
}

/* The tracer goes while somebody is about to be stopped. */
static void
test_refused(void **state)
{
	(void)state;
	begin();
	is_disarmed_late = true;
	execute();
	assert_null(held());
	begin();
	refusal = -1;
	execute();
	assert_int_equal(signals, 1);
	assert_int_equal(wakes, 0);
	for (u32 i = 0; i < ABI_HOLD_SLOTS; i++)
		assert_int_equal(dt_hold.slots[i].state, ABI_HOLD_FREE);
}

/* Any slot that is free does, and none of another's. */
static void
test_slots(void **state)
{
	(void)state;
	for (u32 at = 0; at <= ABI_HOLD_SLOTS; at++) {
		begin();
		for (u32 i = 0; i < ABI_HOLD_SLOTS; i++)
			if (i != at)
				dt_hold.slots[i].state = ABI_HOLD_LATE;
		execute();
		assert_int_equal(signals, at < ABI_HOLD_SLOTS);
		assert_int_equal(dt_hold.full, at == ABI_HOLD_SLOTS);
		for (u32 i = 0; i < ABI_HOLD_SLOTS; i++)
			assert_int_equal(dt_hold.slots[i].state,
					 i == at ? ABI_HOLD_HELD : ABI_HOLD_LATE);
	}
}

/* --- Jobs of shells -------------------------------------------------------------- */

/* Of every case: a child in a group of its own is a job where its parent has a
 * terminal, or hears of stops in its own session; one in its parent's group may become
 * a job when it was just forked, not by vfork(), and the parent leads the group on a
 * terminal, or hears of stops and has put off doing so. */
static void
test_jobs(void **state)
{
	enum { FORKED = 1, TERMINAL = 2, SAME_GROUP = 4, LEADS = 8, SAME_SESSION = 16,
	       NO_STOPS = 32, VFORK = 64, BLOCKED = 128, ALL = 256 };
	static const u64 handlers[] = { 0, 1, 2, 0x400000 };

	(void)state;
	for (u32 i = 0; i < ALL * BASE_NELEMS(handlers); i++) {
		u64 handler = handlers[i / ALL];
		bool hears = handler != (uintptr_t)SIG_DFL &&
			     handler != (uintptr_t)SIG_IGN && !(i & NO_STOPS);
		struct abi_hold_file f = { .inode = i & FORKED ? 0 : 31 };
		struct fake_signal *own = &k.signal[0], *parent = &k.signal[1];
		struct fake_action *chld = &k.sighand.action[SIGCHLD - 1];

		begin();
		*own = (struct fake_signal){ .pids = { 1, 2, 3, 4 } };
		*parent = (struct fake_signal){ .pids = { 5, 6, 7, 8 } };
		own->tty = i & TERMINAL ? 1 : 0;
		parent->pids[2] = i & SAME_GROUP ? own->pids[2] : 7;
		parent->pids[1] = i & LEADS ? parent->pids[2] : 6;
		parent->pids[3] = i & SAME_SESSION ? own->pids[3] : 8;
		chld->handler = handler;
		chld->flags = i & NO_STOPS ? SA_NOCLDSTOP : ~(u64)SA_NOCLDSTOP;
		chld[-1].handler = chld[1].handler = i & 1 ? 0 : 99;
		k.task[0].vfork = i & VFORK ? 1 : 0;
		k.task[0].blocked = 1ull << (SIGCHLD - 1);
		if (!(i & BLOCKED))
			k.task[0].blocked = ~k.task[0].blocked;
		bool becomes = i & FORKED && !(i & VFORK) &&
			       ((i & TERMINAL && i & LEADS) || (i & BLOCKED && hears));
		bool is_job = i & SAME_GROUP ? becomes :
			      i & TERMINAL || (i & SAME_SESSION && hears);
		rt_hold(&f);
		if (!held() != is_job || dt_hold.jobs != is_job)
			fail_msg("case %x: %d", i, is_job);
	}
}

/* --- System calls ---------------------------------------------------------------- */

static void
put(u32 off, u64 value)
{
	memcpy(k.regs + off, &value, 8);
}

static void
call(u32 nr, bool is_32)
{
#if defined(__x86_64__)
	put(ABI_ROLE_OFF_MODE, is_32 ? 0x23 : 0x33);
#endif
	memcpy(k.regs + ABI_ROLE_OFF_CALL, &(u32[]){ nr, OTHER }, 8);
}

static void
leave(s64 ret)
{
	u64 args[] = { address(k.regs), (u64)ret };

	assert_int_equal(dt_hold_exit((struct bpf_raw_tracepoint_args *)args), 0);
}

static void
map_file(u32 nr, bool is_32, u64 prot, u64 flags, u64 fd)
{
	begin();
	call(nr, is_32);
	put(is_32 ? ABI_ROLE_OFF_COMPAT2 : ABI_ROLE_OFF_CALL2, prot);
	put(is_32 ? ABI_ROLE_OFF_COMPAT3 : ABI_ROLE_OFF_CALL3, flags);
	put(is_32 ? ABI_ROLE_OFF_COMPAT4 : ABI_ROLE_OFF_CALL4, fd);
}

static bool
is_held_at(s64 ret)
{
	leave(ret);
	if (held())
		expect_file(&held()->file, 0);
	return held();
}

enum { RX = PROT_READ | PROT_EXEC, FD = NFDS - 1 };

static void
test_mmap(void **state)
{
	u64 regs[40] = { 0 };

	(void)state;
	map_file(SYS_mmap, false, RX, MAP_PRIVATE, FD);
	assert_true(is_held_at(0x7f0000000000));
	map_file(SYS_mmap, false, PROT_EXEC, MAP_SHARED, FD | 1ull << 32);
	assert_true(is_held_at(0x1000));
	map_file(SYS_mmap, false, PROT_READ | PROT_WRITE, MAP_PRIVATE, FD);
	assert_false(is_held_at(0x1000));
	map_file(SYS_mmap, false, RX, MAP_PRIVATE | MAP_ANONYMOUS, FD);
	assert_false(is_held_at(0x1000));
	map_file(SYS_mmap, false, RX, MAP_PRIVATE, NFDS);	/* stands behind */
	assert_false(is_held_at(0x1000));
	map_file(SYS_mmap, false, RX, MAP_PRIVATE, (u64)-1);
	assert_false(is_held_at(0x1000));
	map_file(SYS_mmap, false, RX, MAP_PRIVATE, 0);		/* is not open */
	assert_false(is_held_at(0x1000));
	map_file(SYS_mprotect, false, RX, MAP_PRIVATE, FD);
	assert_false(is_held_at(0x1000));
	/* errors, and what only looks like one */
	map_file(SYS_mmap, false, RX, MAP_PRIVATE, FD);
	assert_false(is_held_at(-1));
	assert_false(is_held_at(-4095));
	assert_false(is_held_at(0));
	assert_true(is_held_at(-4096));

	map_file(SYS_mmap, false, RX, MAP_PRIVATE, FD);
	regs[ABI_ROLE_OFF_ARG1 / 8] = address(k.regs);
	regs[ABI_ROLE_OFF_ARG2 / 8] = 0x1000;
	assert_int_equal(dt_hold_exit_safe(regs), 0);
	assert_non_null(held());
}

static bool
is_held_forked(u32 nr, bool is_32, s64 ret)
{
	static const struct abi_hold_file none;

	call(nr, is_32);
	leave(ret);
	if (held())
		assert_memory_equal(&held()->file, &none, sizeof(none));
	return held();
}

static bool
is_fork(u32 nr, bool is_32)
{
	begin();
	cfg->each = 1;
	return is_held_forked(nr, is_32, 0);
}

static void
test_fork(void **state)
{
	(void)state;
	assert_true(is_fork(SYS_clone3, false));
	assert_true(is_fork(SYS_clone, false));
	assert_false(is_fork(SYS_execve, false));
	assert_false(is_fork(SYS_mmap, false));
	begin();				/* its probes are there already */
	assert_false(is_held_forked(SYS_clone, false, 0));
	begin();				/* the parent */
	cfg->each = 1;
	assert_false(is_held_forked(SYS_clone, false, 77));
	assert_false(is_held_forked(SYS_clone, false, -11));
	who = (u64)PID << 32 | (PID + 1);	/* a thread */
	assert_false(is_held_forked(SYS_clone, false, 0));
	begin();
	cfg->each = 1;
	dt_hold.armed = 0;
	assert_false(is_held_forked(SYS_clone, false, 0));
}

#if defined(__x86_64__)
/* Programs of 32 bits have numbers and arguments of their own. */
static void
test_compat(void **state)
{
	enum { FORK_32 = 2, CLONE_32 = 120, VFORK_32 = 190, MMAP_32 = 192 };

	(void)state;
	map_file(MMAP_32, true, RX, MAP_PRIVATE, FD);
	assert_true(is_held_at(0x1000));
	map_file(MMAP_32, true, RX, MAP_PRIVATE | MAP_ANONYMOUS, FD);
	assert_false(is_held_at(0x1000));
	map_file(MMAP_32, true, PROT_READ, MAP_PRIVATE, FD);
	assert_false(is_held_at(0x1000));
	map_file(MMAP_32, true, RX, MAP_PRIVATE, NFDS);
	assert_false(is_held_at(0x1000));
	map_file(MMAP_32, true, RX, MAP_PRIVATE, FD);
	call(MMAP_32, false);
	assert_false(is_held_at(0x1000));

	assert_true(is_fork(SYS_fork, false));
	assert_true(is_fork(SYS_vfork, false));
	assert_true(is_fork(FORK_32, true));
	assert_true(is_fork(CLONE_32, true));
	assert_true(is_fork(VFORK_32, true));
	assert_true(is_fork(SYS_clone3, true));
	assert_false(is_fork(FORK_32, false));
	assert_false(is_fork(CLONE_32, false));
	assert_false(is_fork(VFORK_32, false));
	assert_false(is_fork(SYS_fork, true));
	assert_false(is_fork(SYS_vfork, true));
	assert_false(is_fork(SYS_clone, true));
	/* of CS half a word counts */
	begin();
	cfg->each = 1;
	call(SYS_fork, false);
	put(ABI_ROLE_OFF_MODE, 0xffff0033);
	leave(0);
	assert_non_null(held());
}
#endif

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exec),
		cmocka_unit_test(test_not_held),
		cmocka_unit_test(test_roots),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_slots),
		cmocka_unit_test(test_jobs),
		cmocka_unit_test(test_mmap),
		cmocka_unit_test(test_fork),
#if defined(__x86_64__)
		cmocka_unit_test(test_compat),
#endif
	};

	assert_int_equal(bpfhost_open(&dt_cfg, sizeof(dt_cfg)), 0);
	assert_int_equal(bpfhost_open(&dt_hold_cfg, sizeof(dt_hold_cfg)), 0);
	cfg = (volatile struct abi_hold_cfg *)(uintptr_t)&dt_hold_cfg;
	set_offsets();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
