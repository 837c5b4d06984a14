/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Most tests need a process that may load BPF programs; where there is none,
 * they are reported as skipped, with the reason.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <linux/bpf.h>
#include <bpf/bpf.h>
#include <cmocka.h>

#include "abi/attach.h"
#include "abi/obj.h"
#include "base/base.h"
#include "kern/kern.h"
#include "kern/kern_priv.h"
#include "kern/ring.h"
#include "kern/site.h"
#include "kern/task.h"
#include "support/assertok.h"
#include "support/countopen.h"
#include "support/needbpf.h"
#include "util/alloc.h"
#include "util/cleanup.h"

static uint64_t
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Stay on this CPU, which is returned; where we might be before goes to *old. */
static unsigned
stay(cpu_set_t *old)
{
	unsigned cpu = (unsigned)sched_getcpu();
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	assert_int_equal(sched_getaffinity(0, sizeof(*old), old), 0);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	return cpu;
}

static void
move_to(const cpu_set_t *cpus)
{
	assert_int_equal(sched_setaffinity(0, sizeof(*cpus), cpus), 0);
}

extern const struct abi_obj good_object, bad_object;

static struct kern_obj *
open_obj(const struct abi_obj *obj)
{
	struct kern_obj *o;

	assert_ok(kern_obj_open(&obj, 1, &o));
	return o;
}

static struct kern_obj *
load_good_sized(uint32_t ring_size)
{
	struct kern_obj *o = open_obj(&good_object);

	assert_ok(kern_obj_set_map(o, "ring", 0, ring_size));
	assert_ok(kern_obj_load(o, false));
	return o;
}

static struct kern_obj *
load_good(void)
{
	return load_good_sized(4096);
}

static uint64_t
cell(struct kern_obj *o, unsigned i)
{
	void *cells;

	assert_ok(kern_map_mmap(kern_obj_map(o, "cells"), 64, &cells));
	uint64_t v = ((uint64_t *)cells)[i];
	kern_unmap(cells, 64);
	return v;
}

/* --- CPUs and features ------------------------------------------------------- */

static void
test_cpus(void **state)
{
	unsigned n = kern_ncpus();
	uint8_t *mask = malloc(n);
	cpu_set_t mine;

	assert_in_range(n, 1, 4096);
	memset(mask, 9, n);
	unsigned online = kern_online(mask, n);
	assert_int_equal(online, sysconf(_SC_NPROCESSORS_ONLN));
	unsigned count = 0;
	for (unsigned i = 0; i < n; i++)
		count += mask[i] == 1;
	assert_int_equal(count, online);
	assert_int_equal(sched_getaffinity(0, sizeof(mine), &mine), 0);
	for (unsigned i = 0; i < n; i++)
		if (CPU_ISSET(i, &mine))
			assert_int_equal(mask[i], 1);
	/* A short mask takes what fits. */
	assert_int_equal(kern_online(mask, 1), mask[0]);
	free(mask);
}

/* Where sysfs is not mounted. */
static void
test_cpus_of_map(void **state)
{
	need_bpf();
	assert_int_equal(kern_ncpus_of_map(), kern_ncpus());
}

/* Since when all kernels have it that let us trace at all, as 100 * major + minor. */
static const struct { const char *id; unsigned since; } since[] = {
	{ "rawtp", 515 }, { "prog_run", 515 }, { "perf_link", 515 }, { "ringbuf", 515 },
	{ "mmap_array", 515 }, { "map_in_map", 515 }, { "batch", 515 }, { "loop", 517 },
	{ "rawtp_cookie", 610 },
};

static void
test_features(void **state)
{
	unsigned n;

	need_bpf();
	const struct kern_feature *f = kern_features(&n);
	bool ringbuf = false;
	for (unsigned i = 0; i < n; i++) {
		assert_non_null(f[i].name);
		assert_non_null(f[i].detail);
		print_message("# %s: %s, %s\n", f[i].name,
			      f[i].present ? "yes" : "no", f[i].detail);
		ringbuf |= strcmp(f[i].name, "ring buffer") == 0 &&
			   f[i].present;
		for (size_t k = 0; k < BASE_NELEMS(since); k++)
			if (!strcmp(f[i].id, since[k].id) &&
			    kern_is_since(since[k].since / 100, since[k].since % 100) &&
			    !f[i].present)
				fail_msg("%s: %s", f[i].id, f[i].detail);
		if (!strcmp(f[i].id, "write_user"))
			assert_int_equal(f[i].present, kern_may_write_user());
	}
	assert_true(ringbuf);		/* Linux 5.15 is the floor */
}

struct asked { int prog; uint32_t pid; struct err *e; };

static void *
ask(void *arg)
{
	struct asked *a = arg;

	a->e = kern_prog_run(a->prog, NULL, 0, &a->pid);
	return NULL;
}

/* It says in which process a thread is, by its number outside of all namespaces. */
static void
test_pid_prog(void **state)
{
	struct asked main_thread = { .prog = -1 }, other;
	pthread_t thread;

	need_bpf();
	assert_ok(kern_pid_prog(&main_thread.prog));
	other = main_thread;
	ask(&main_thread);
	assert_int_equal(pthread_create(&thread, NULL, ask, &other), 0);
	pthread_join(thread, NULL);
	close(other.prog);
	assert_ok(main_thread.e);
	assert_ok(other.e);
	assert_int_not_equal(other.pid, 0);
	assert_int_equal(other.pid, main_thread.pid);
	if (kern_first_pid_ns())
		assert_int_equal(other.pid, getpid());
}

/* --- Maps ---------------------------------------------------------------------- */

/* The address of name by /proc/kallsyms; 0: hidden. */
static uint64_t
kallsyms(const char *name)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	unsigned long long addr = 0;
	char line[512], is[256], type;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "%llx %c %255s", &addr, &type, is) == 3 &&
		    strcmp(is, name) == 0)
			break;
	fclose(f);
	return strcmp(is, name) == 0 ? addr : 0;
}

static void
test_symbol(void **state)
{
	char long_name[] = "0123456789012345678901234567890123456789"
			   "012345678901234567890123";
	uint64_t addr = 0;

	need_bpf();
	struct err *e = kern_symbol(long_name, &addr);
	assert_int_equal(e->code, ERR_LIMIT);
	err_free(e);
	if (!kern_is_since(5, 16) || !kallsyms("_stext")) {
		print_message("# skipped: the kernel does not tell\n");
		skip();
	}
	assert_ok(kern_symbol("_stext", &addr));
	assert_int_equal(addr, kallsyms("_stext"));
	assert_ok(kern_symbol("_etext", &addr));
	assert_int_equal(addr, kallsyms("_etext"));
	assert_ok(kern_symbol("__traceiter_sys_enter", &addr));
	assert_int_equal(addr, kallsyms("__traceiter_sys_enter"));
	e = kern_symbol("no_such_name_xy", &addr);
	assert_non_null(e);
	err_free(e);
}

struct lived {
	int pid;
	unsigned forked, ended, executed;
	bool mapped, lost;
	uint64_t start, time_ns;
	int parent;
};

static void
live(void *ctx, const struct kern_task_event *e)
{
	struct lived *s = ctx;

	s->lost |= e->kind == KERN_TASK_LOST;
	if (e->pid != s->pid)
		return;
	s->forked += e->kind == KERN_TASK_FORKED;
	s->ended += e->kind == KERN_TASK_ENDED;
	s->executed += e->kind == KERN_TASK_EXECUTED;
	if (e->kind == KERN_TASK_FORKED)
		s->parent = e->parent;
	if (e->kind != KERN_TASK_MAPPED || e->start != s->start)
		return;
	s->mapped = true;
	s->time_ns = e->time_ns;
	assert_int_equal(e->size, 8192);
	assert_int_equal(e->offset, 4096);
	assert_non_null(strstr(e->path, "test-kern"));
	assert_true(e->inode != 0);
}

static void *
do_nothing(void *arg)
{
	return arg;
}

/* A child that maps a file and is gone, while the ring goes round often.  It has a
 * thread, whose beginning and end are not a process's.  The ring is everybody's: when
 * others have filled it, that is told, and it counts for nothing. */
static void
test_tasks(void **state)
{
	struct kern_tasks *t = NULL;

	need_bpf();
	assert_ok(kern_tasks_open(0, &t));
	assert_true(kern_tasks_fd(t, 0) >= 0);
	assert_int_equal(kern_tasks_fd(t, 100000), -1);
	for (int i = 0, n = 0; n < 600; i++) {
		assert_in_range(i, 0, 6000);
		uint64_t *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		uint64_t before = now_ns();
		struct lived s = { .pid = fork() };
		if (s.pid == 0) {
			int fd = open("/proc/self/exe", O_RDONLY);
			pthread_t thread;
			if (pthread_create(&thread, NULL, do_nothing, NULL) == 0)
				pthread_join(thread, NULL);
			*at = (uint64_t)(uintptr_t)mmap(NULL, 8192,
				PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 4096);
			_exit(0);
		}
		assert_int_equal(waitpid(s.pid, NULL, 0), s.pid);
		s.start = *at;
		munmap(at, 4096);
		kern_tasks_read(t, live, &s);
		if (s.lost)
			continue;
		n++;
		assert_true(s.mapped);
		assert_int_equal(s.forked, 1);
		assert_int_equal(s.ended, 1);
		assert_int_equal(s.executed, 0);
		assert_int_equal(s.parent, getpid());
		assert_in_range(s.time_ns, before, now_ns());
	}
	kern_tasks_close(t);
	kern_tasks_close(NULL);
}

/* Another name is no other program. */
static void
test_tasks_executed(void **state)
{
	struct kern_tasks *t = NULL;
	struct lived s;

	need_bpf();
	assert_ok(kern_tasks_open(0, &t));
	do {
		s = (struct lived){ .pid = fork() };
		if (s.pid == 0) {
			prctl(PR_SET_NAME, "other");
			prctl(PR_SET_NAME, "another");
			execl("/bin/true", "true", NULL);
			_exit(1);
		}
		assert_int_equal(waitpid(s.pid, NULL, 0), s.pid);
		kern_tasks_read(t, live, &s);
	} while (s.lost);
	assert_int_equal(s.forked, 1);
	assert_int_equal(s.executed, 1);
	assert_int_equal(s.ended, 1);
	kern_tasks_close(t);
}

/* Of this process's children; of whichever process. */
struct heard { uint64_t told, lost; };

static void
count_heard(void *ctx, const struct kern_task_event *e)
{
	struct heard *h = ctx;

	if (e->kind == KERN_TASK_LOST)
		h->lost += e->lost;
	else if (e->parent == getpid())
		h->told++;
}

static void
live_and_die(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* More happens than a ring takes, and nobody reads: it is said how much.  The ring
 * is everybody's, and so is what is lost: an event of another process may be too
 * long for what is left of it, and be told of in front of a short one that fits. */
static void
test_tasks_lost(void **state)
{
	/* 40 bytes for each at least; a new name is an event, too. */
	enum { HELD = (512 << 10) / 40, NAMES = 2 * HELD, N = 100 };
	struct kern_tasks *t = NULL;
	struct heard h = { 0 };
	cpu_set_t old;

	need_bpf();
	stay(&old);
	assert_ok(kern_tasks_open(0, &t));
	for (int i = 0; i < NAMES; i++)
		assert_int_equal(prctl(PR_SET_NAME, "test-kern"), 0);
	for (int i = 0; i < N; i++)
		live_and_die();
	kern_tasks_read(t, count_heard, &h);
	/* What is lost is told in front of the next event. */
	live_and_die();
	kern_tasks_read(t, count_heard, &h);
	assert_true(h.told + h.lost >= 2 * (N + 1));
	assert_true(h.lost + HELD >= NAMES + 2 * N);
	kern_tasks_close(t);
	move_to(&old);
}

static void
test_map_errors(void **state)
{
	uint64_t v = 0;
	uint32_t key = 0;
	int fd = -5;
	void *p;

	need_bpf();
	struct err *e = kern_map_create(KERN_MAP_RINGBUF, "odd", 0, 0, 4097, 0,
					-1, &fd);
	assert_int_equal(e->code, ERR_OS);
	assert_string_equal(e->text, "cannot create map odd: Invalid argument");
	assert_int_equal(fd, -5);
	err_free(e);
	e = kern_map_update(-1, &key, &v);
	assert_int_equal(e->os, 9);		/* EBADF */
	err_free(e);
	e = kern_map_mmap(-1, 8, &p);
	assert_int_equal(e->os, 9);
	err_free(e);
	struct kern_ring *r;
	e = kern_ring_open(-1, 4096, &r);
	assert_int_equal(e->os, 9);
	err_free(e);
}

static void
test_map_mmap(void **state)
{
	CLEANUP(util_closep) int fd = -1;
	uint32_t key = 700;
	uint64_t v = 99;
	void *p;

	need_bpf();
	assert_ok(kern_map_create(KERN_MAP_ARRAY, "a name-too*long for it", 4, 8, 1000,
				  BPF_F_MMAPABLE, -1, &fd));
	assert_ok(kern_map_mmap(fd, 8000, &p));
	assert_ok(kern_map_update(fd, &key, &v));
	assert_int_equal(((uint64_t *)p)[700], 99);
	kern_unmap(p, 8000);
	unsigned char there;
	assert_int_equal(mincore(p, 1, &there), -1);
	assert_int_equal(errno, ENOMEM);
	kern_unmap(NULL, 8000);
}

struct seen {
	uint32_t n, per_value;		/* words per value */
	uint64_t sum;
	uint8_t keys[20000];
	uint32_t fail_at;		/* fail at the nth element */
};

static struct err *
see(void *ctx, const void *key, const void *value)
{
	struct seen *s = ctx;
	uint32_t k;

	if (++s->n == s->fail_at)
		return err_new(ERR_STATE, 0, "enough");
	memcpy(&k, key, 4);
	assert_in_range(k, 0, sizeof(s->keys) - 1);
	s->keys[k]++;
	for (uint32_t i = 0; i < s->per_value; i++) {
		uint64_t v;
		memcpy(&v, (const char *)value + 8 * i, 8);
		s->sum += v;
	}
	return NULL;
}

static void
fill(int fd, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++) {
		uint64_t value = k;
		assert_ok(kern_map_update(fd, &k, &value));
	}
}

/* 10,000 keys come out once each, with their values, and none is left. */
static void
test_drain(void **state)
{
	static const struct {
		uint32_t entries, fill, flags;
	} rows[] = {
		{ 10000, 10000, 0 }, { 10000, 10000, BPF_F_NO_PREALLOC },
		{ 20000, 1, 0 }, { 1, 1, 0 }, { 10, 0, 0 },
	};

	need_bpf();
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct seen *s = calloc(1, sizeof(*s));
		uint64_t n = rows[i].fill;
		int fd;

		s->per_value = 1;
		assert_ok(kern_map_create(KERN_MAP_HASH, "drain", 4, 8,
					  rows[i].entries, rows[i].flags, -1,
					  &fd));
		fill(fd, rows[i].fill);
		uint64_t start = now_ns();
		assert_ok(kern_map_drain(fd, 4, 8, see, s));
		print_message("# %u elements: %llu us\n", rows[i].fill,
			(unsigned long long)(now_ns() - start) / 1000);
		assert_int_equal(s->n, n);
		assert_int_equal(s->sum, n ? n * (n - 1) / 2 : 0);
		for (uint32_t k = 0; k < n; k++)
			assert_int_equal(s->keys[k], 1);
		s->n = 0;
		assert_ok(kern_map_drain(fd, 4, 8, see, s));
		assert_int_equal(s->n, 0);
		close(fd);
		free(s);
	}
}

/* A thread that is to keep its CPU is a real-time one for that time, whatever ordinary one it
 * was; and one that is already stays what it is. */
static void
test_steady(void **state)
{
	static const struct { int policy, priority, meanwhile; } rows[] = {
		{ SCHED_OTHER, 0, SCHED_FIFO }, { SCHED_BATCH, 0, SCHED_FIFO },
		{ SCHED_IDLE, 0, SCHED_FIFO }, { SCHED_RR, 2, SCHED_RR },
	};
	struct sched_param p = { .sched_priority = 1 };

	if (sched_setscheduler(0, SCHED_FIFO, &p))
		skip();		/* who may not */
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		p.sched_priority = rows[i].priority;
		assert_int_equal(sched_setscheduler(0, rows[i].policy, &p), 0);
		struct kern_steady s = kern_steady();
		assert_int_equal(sched_getscheduler(0), rows[i].meanwhile);
		kern_steady_end(&s);
		assert_int_equal(sched_getscheduler(0), rows[i].policy);
		assert_int_equal(sched_getparam(0, &p), 0);
		assert_int_equal(p.sched_priority, rows[i].priority);
	}
	p.sched_priority = 0;
	assert_int_equal(sched_setscheduler(0, SCHED_OTHER, &p), 0);
}

/* Odd sizes keep their stride: 4-byte values pack in a plain hash. */
static void
test_drain_small_values(void **state)
{
	CLEANUP(util_closep) int fd = -1;
	struct seen s = { 0 };

	need_bpf();
	assert_ok(kern_map_create(KERN_MAP_HASH, "small", 4, 4, 300, 0, -1,
				  &fd));
	for (uint32_t k = 0; k < 300; k++)
		assert_ok(kern_map_update(fd, &k, &k));
	assert_ok(kern_map_drain(fd, 4, 4, see, &s));
	assert_int_equal(s.n, 300);
}

/* Batches that are too small for a bucket grow; 0 takes keys one by one. */
static void
test_drain_batches(void **state)
{
	static const uint32_t rows[] = { 1, 2, 3000, 0 };

	need_bpf();
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		CLEANUP(util_closep) int fd = -1;
		struct seen *s = calloc(1, sizeof(*s));

		assert_ok(kern_map_create(KERN_MAP_HASH, "batch", 4, 8, 2000, 0,
					  -1, &fd));
		fill(fd, 2000);
		/* Read it, read it again, empty it. */
		for (int round = 1; round <= 3; round++) {
			struct kern_map_shape m = { 4, 8 };
			assert_ok(kern_map_drain_by(fd, &m, round < 3,
						    rows[i], see, s));
			assert_int_equal(s->n, round * 2000);
			for (uint32_t k = 0; k < 2000; k++)
				assert_int_equal(s->keys[k], round);
		}
		s->n = 0;
		assert_ok(kern_map_drain(fd, 4, 8, see, s));
		assert_int_equal(s->n, 0);
		free(s);
	}
}

static void
test_drain_large_values(void **state)
{
	CLEANUP(util_closep) int fd = -1;
	struct seen s = { .per_value = 2000 };
	uint64_t value[2000];

	need_bpf();
	assert_ok(kern_map_create(KERN_MAP_HASH, "large", 4, sizeof(value), 500,
				  BPF_F_NO_PREALLOC, -1, &fd));
	for (int w = 0; w < 2000; w++)
		value[w] = 1;
	for (uint32_t k = 0; k < 500; k++)
		assert_ok(kern_map_update(fd, &k, value));
	assert_ok(kern_map_drain(fd, 4, sizeof(value), see, &s));
	assert_int_equal(s.n, 500);
	assert_int_equal(s.sum, 500 * 2000);
}

static void
test_drain_errors(void **state)
{
	CLEANUP(util_closep) int fd = -1, array = -1;
	struct seen s = { .fail_at = 5 };

	need_bpf();
	assert_ok(kern_map_create(KERN_MAP_HASH, "hash", 4, 8, 100, 0, -1, &fd));
	fill(fd, 100);
	assert_ok(kern_map_read(fd, 4, 8, see, &(struct seen){ 0 }));
	struct err *e = kern_map_drain(fd, 4, 8, see, &s);
	assert_int_equal(e->code, ERR_STATE);
	assert_int_equal(s.n, 5);
	err_free(e);
	e = kern_map_drain(-1, 4, 8, see, &s);
	assert_int_equal(e->code, ERR_OS);
	err_free(e);
	e = kern_map_drain(fd, 4, 0, see, &s);
	assert_int_equal(e->code, ERR_INVALID);
	err_free(e);
	/* An array gives nothing up. */
	assert_ok(kern_map_create(KERN_MAP_ARRAY, "array", 4, 8, 1, 0, -1,
				  &array));
	e = kern_map_drain(array, 4, 8, see, &s);
	assert_non_null(e);
	err_free(e);
	/* Each of our own allocations may fail. */
	for (unsigned long n = 1; n <= 2; n++) {
		util_alloc_fail(n, 1);
		e = kern_map_drain(fd, 4, 8, see, &s);
		util_alloc_fail(0, 0);
		assert_int_equal(e->code, ERR_NOMEM);
		err_free(e);
	}
}

/* --- Objects and programs ----------------------------------------------------------- */

/* r0 = twice(21), by two objects; and what twice() is not. */
static const struct bpf_insn user_code[] = {
	{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 1, .imm = 21 },
	{ .code = BPF_JMP | BPF_CALL, .src_reg = BPF_PSEUDO_CALL },
	{ .code = BPF_JMP | BPF_EXIT },
}, lib_code[] = {
	{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = 7 },
	{ .code = BPF_JMP | BPF_EXIT },
	{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 0, .src_reg = 1 },
	{ .code = BPF_ALU64 | BPF_ADD | BPF_X, .dst_reg = 0, .src_reg = 1 },
	{ .code = BPF_JMP | BPF_EXIT },
};
static const struct abi_ref user_refs[] = { { 1, 0 } };
static const struct abi_func user_funcs[] = {
	{ .name = "twice", .nargs = 1 },
	{ .name = "user", .ninsns = 3, .nrefs = 1, .kind = ABI_FUNC_PROG,
	  .attach = ABI_ATTACH_RUN, .nargs = 1 },
}, lib_funcs[] = {
	{ .name = "seven", .ninsns = 2, .kind = ABI_FUNC_GLOBAL },
	{ .name = "twice", .insn = 2, .ninsns = 3, .kind = ABI_FUNC_GLOBAL,
	  .nargs = 1 },
}, first_funcs[] = {
	{ .name = "twice", .insn = 2, .ninsns = 3, .kind = ABI_FUNC_GLOBAL,
	  .nargs = 1 },
}, other_funcs[] = {
	{ .name = "twice", .insn = 2, .ninsns = 3, .kind = ABI_FUNC_GLOBAL,
	  .nargs = 2 },
};
static const struct abi_map user_maps[] = { { .name = "shared" } };
static const struct abi_obj user_obj = {
	.code = user_code, .funcs = user_funcs, .refs = user_refs, .nfuncs = 2,
}, lib_obj = {
	.code = lib_code, .funcs = lib_funcs, .nfuncs = 2,
}, first_obj = {
	.code = lib_code, .funcs = first_funcs, .nfuncs = 1,
}, other_obj = {
	.code = lib_code, .funcs = other_funcs, .nfuncs = 1,
}, map_obj = {
	.maps = user_maps, .nmaps = 1,
};

static void
test_obj_undefined(void **state)
{
	const struct {
		const struct abi_obj *objs[2];
		unsigned n;
		const char *name;
	} rows[] = {
		{ { &user_obj }, 1, "twice" },
		{ { &user_obj, &other_obj }, 2, "twice" },	/* two arguments */
		{ { &lib_obj, &map_obj }, 2, "shared" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct kern_obj *o = NULL;
		struct err *e = kern_obj_open(rows[i].objs, rows[i].n, &o);
		assert_int_equal(e->code, ERR_NOTFOUND);
		assert_non_null(strstr(e->text, rows[i].name));
		assert_null(o);
		err_free(e);
	}
	kern_obj_close(NULL);
}

/* What is set is of a program that there is. */
static void
test_obj_programs(void **state)
{
	struct kern_obj *o = open_obj(&good_object);
	struct err *e = kern_obj_set_btf(o, "nobody", 1, 0);

	assert_int_equal(e->code, ERR_NOTFOUND);
	assert_string_equal(e->text, "no program nobody");
	err_free(e);
	assert_ok(kern_obj_set_btf(o, "sum", 1, 0));
	e = kern_obj_use_prog(o, "nobody");
	assert_int_equal(e->code, ERR_NOTFOUND);
	err_free(e);
	assert_ok(kern_obj_use_prog(o, "lonely"));
	kern_obj_close(o);
}

/* The first function of all may be what another object lacks. */
static void
test_obj_order(void **state)
{
	const struct abi_obj *const orders[][2] = {
		{ &first_obj, &user_obj }, { &user_obj, &first_obj },
		{ &lib_obj, &user_obj }, { &user_obj, &lib_obj },
	};

	for (size_t i = 0; i < BASE_NELEMS(orders); i++) {
		struct kern_obj *o = NULL;
		assert_ok(kern_obj_open(orders[i], 2, &o));
		kern_obj_close(o);
	}
}

static struct err *
open_and_load(struct kern_obj **ret)
{
	const struct abi_obj *objs[] = { &user_obj, &lib_obj };

	TRY(kern_obj_open(objs, 2, ret));
	return kern_obj_load(*ret, false);
}

static void
test_obj_join(void **state)
{
	struct kern_obj *o = NULL;
	struct err *e;
	uint32_t retval;

	need_bpf();
	for (unsigned long nth = 1; ; nth++) {
		util_alloc_fail(nth, 1);
		e = open_and_load(&o);
		util_alloc_fail(0, 0);
		if (!e)
			break;
		assert_ptr_equal(e, &err_nomem);
		kern_obj_close(o);
		o = NULL;
	}
	assert_ok(kern_prog_run(kern_obj_prog(o, "user"), NULL, 0, &retval));
	assert_int_equal(retval, 42);
	assert_int_equal(kern_obj_prog(o, "twice"), -1);	/* no program */
	kern_obj_close(o);
}

static void
test_obj_names(void **state)
{
	struct kern_obj *o = open_obj(&good_object);

	struct err *e = kern_obj_set_map(o, "nosuch", 8, 8);
	assert_int_equal(e->code, ERR_NOTFOUND);
	err_free(e);
	e = kern_obj_set_sparse(o, "nosuch");
	assert_int_equal(e->code, ERR_NOTFOUND);
	err_free(e);
	e = kern_obj_set_initial(o, "nosuch", "");
	assert_int_equal(e->code, ERR_NOTFOUND);
	err_free(e);
	assert_int_equal(kern_obj_map(o, "nosuch"), -1);
	assert_int_equal(kern_obj_prog(o, "nosuch"), -1);
	assert_int_equal(kern_obj_prog(o, "sum"), -1);	/* not loaded yet */
	kern_obj_close(o);
}

static uint32_t
map_flags(int fd)
{
	struct bpf_map_info info = { 0 };
	uint32_t size = sizeof(info);

	assert_int_equal(bpf_obj_get_info_by_fd(fd, &info, &size), 0);
	return info.map_flags;
}

/* Elements are made beforehand, unless it is said of the map that they are not. */
static void
test_obj_sparse(void **state)
{
	need_bpf();
	for (int sparse = 0; sparse < 2; sparse++) {
		struct kern_obj *o = open_obj(&good_object);
		if (sparse)
			assert_ok(kern_obj_set_sparse(o, "counts"));
		assert_ok(kern_obj_load(o, false));
		assert_int_equal(map_flags(kern_obj_map(o, "counts")),
				 sparse ? BPF_F_NO_PREALLOC : 0);
		kern_obj_close(o);
	}
}

static void
test_obj_settings(void **state)
{
	uint64_t base = 1000, ctx[12] = { 20 };
	uint32_t retval;

	need_bpf();
	struct kern_obj *o = open_obj(&good_object);
	assert_ok(kern_obj_set_map(o, "counts", 0, 100));
	assert_ok(kern_obj_set_initial(o, ".rodata", &base));
	assert_ok(kern_obj_load(o, false));

	ctx[11] = 3;
	assert_ok(kern_prog_run(kern_obj_prog(o, "sum"), ctx, 12, &retval));
	assert_int_equal(retval, 1023);
	assert_ok(kern_prog_run(kern_obj_prog(o, "sum"), ctx, 1, &retval));
	assert_int_equal(retval, 1020);
	assert_ok(kern_prog_run(kern_obj_prog(o, "sum"), NULL, 0, &retval));
	assert_int_equal(retval, 1000);
	assert_int_equal(cell(o, 0), 3);
	/* The hash holds 100 keys instead of 1. */
	for (ctx[0] = 0; ctx[0] < 100; ctx[0]++) {
		assert_ok(kern_prog_run(kern_obj_prog(o, "put"), ctx, 1,
					&retval));
		assert_int_equal(retval, 0);
	}
	assert_ok(kern_prog_run(kern_obj_prog(o, "put"), ctx, 1, &retval));
	assert_int_equal((int)retval, -7);		/* -E2BIG */

	struct err *e = kern_prog_run(kern_obj_prog(o, "sum"), ctx, 13, &retval);
	assert_int_equal(e->code, ERR_INVALID);
	err_free(e);
	assert_int_equal(kern_prog_misses(kern_obj_prog(o, "sum")), 0);
	assert_int_equal(kern_prog_misses(-1), 0);
	kern_obj_close(o);
}

/* Programs that are loaded on demand, maps that no program uses, and running on
 * another CPU. */
static void
test_obj_parts(void **state)
{
	uint8_t online[64] = { 0 };

	need_bpf();
	struct kern_obj *o = open_obj(&good_object);
	assert_ok(kern_obj_use_prog(o, "where"));
	struct err *e = kern_obj_use_prog(o, "nosuch");
	assert_int_equal(e->code, ERR_NOTFOUND);
	err_free(e);
	e = kern_obj_need_map(o, "nosuch");
	assert_int_equal(e->code, ERR_NOTFOUND);
	err_free(e);
	assert_ok(kern_obj_load(o, false));
	assert_true(kern_obj_prog(o, "where") >= 0);
	assert_int_equal(kern_obj_prog(o, "lonely"), -1);
	assert_int_equal(kern_obj_map(o, "spare"), -1);

	kern_online(online, 64);
	uint64_t mask = 0;
	for (unsigned cpu = 0; cpu < 64; cpu++)
		if (online[cpu]) {
			assert_ok(kern_prog_run_on(kern_obj_prog(o, "where"),
						   cpu));
			mask |= 1ULL << cpu;
		}
	assert_int_equal(cell(o, 4), mask);
	e = kern_prog_run_on(kern_obj_prog(o, "where"), 1u << 20);
	assert_int_equal(e->code, ERR_OS);
	err_free(e);
	kern_obj_close(o);
	/* Unless somebody else does. */
	o = open_obj(&good_object);
	assert_ok(kern_obj_need_map(o, "spare"));
	assert_ok(kern_obj_load(o, false));
	assert_true(kern_obj_map(o, "spare") >= 0);
	kern_obj_close(o);
}

/* Run fn with stderr in a file; returns what it wrote, to be freed. */
static char *
capture_stderr(void (*fn)(void *), void *ctx)
{
	size_t size;
	FILE *f = tmpfile();
	int saved = dup(2);
	char *text = calloc(1, 1 << 20);

	fflush(stderr);
	dup2(fileno(f), 2);
	fn(ctx);
	fflush(stderr);
	dup2(saved, 2);
	close(saved);
	rewind(f);
	size = fread(text, 1, (1 << 20) - 1, f);
	text[size] = '\0';
	fclose(f);
	return text;
}

struct loading {
	const struct abi_obj *obj;
	bool verbose;
	struct err *e;
};

static void
load(void *ctx)
{
	struct loading *l = ctx;
	struct kern_obj *o = open_obj(l->obj);

	l->e = kern_obj_load(o, l->verbose);
	kern_obj_close(o);
}

static void
test_obj_refused(void **state)
{
	struct loading l = { &bad_object, false, NULL };

	need_bpf();
	char *text = capture_stderr(load, &l);
	assert_non_null(l.e);
	assert_int_equal(l.e->code, ERR_VERIFY);
	assert_string_equal(text, "");
	/* The reason, in one line, and not the statistics behind it. */
	assert_non_null(strstr(l.e->text, "invalid mem access"));
	assert_null(strstr(l.e->text, "processed"));
	assert_null(strchr(l.e->text, '\n'));
	err_free(l.e);
	free(text);

	l.verbose = true;
	text = capture_stderr(load, &l);
	assert_int_equal(l.e->code, ERR_VERIFY);
	assert_non_null(strstr(text, "invalid mem access"));
	assert_non_null(strstr(text, "processed"));
	err_free(l.e);
	free(text);
}

static void
load_good_verbosely(void *ctx)
{
	struct kern_obj *o = open_obj(&good_object);

	assert_ok(kern_obj_load(o, ctx != NULL));
	kern_obj_close(o);
}

static void
test_obj_log(void **state)
{
	need_bpf();
	char *text = capture_stderr(load_good_verbosely, NULL);
	assert_string_equal(text, "");
	free(text);
	text = capture_stderr(load_good_verbosely, "yes");
	assert_non_null(strstr(text, "processed"));
	free(text);
}

/* --- Attaching ---------------------------------------------------------------------- */

static void
test_rawtp(void **state)
{
	struct kern_site site = { .attach = ABI_ATTACH_RAWTP,
				  .target = "sys_enter" };
	struct kern_link *l = NULL;

	need_bpf();
	struct kern_obj *o = load_good();
	assert_ok(kern_attach(kern_obj_prog(o, "enter"), &site, &l));
	for (int i = 0; i < 1000; i++)
		syscall(SYS_getppid);
	kern_detach(l);
	uint64_t n = cell(o, 3);
	assert_true(n >= 1000);		/* others may call it too */
	for (int i = 0; i < 1000; i++)
		syscall(SYS_getppid);
	assert_true(cell(o, 3) < n + 1000);

	l = NULL;
	site.target = "no_such";
	struct err *e = kern_attach(kern_obj_prog(o, "enter"), &site, &l);
	assert_int_equal(e->code, ERR_OS);
	assert_non_null(strstr(e->text, "no_such"));
	assert_null(l);
	err_free(e);
	site.attach = ABI_ATTACH_RUN;	/* nothing attaches it */
	e = kern_attach(kern_obj_prog(o, "enter"), &site, &l);
	assert_int_equal(e->code, ERR_INVALID);
	assert_null(l);
	err_free(e);
	kern_detach(NULL);
	kern_obj_close(o);
}

/* A loop that is busy is sampled each millisecond of its CPU's time, no oftener. */
static void
test_profile(void **state)
{
	struct kern_link *l = NULL;
	cpu_set_t old;

	need_bpf();
	struct kern_obj *o = load_good();
	unsigned cpu = stay(&old);
	uint64_t start = now_ns();
	struct kern_site site = { .attach = ABI_ATTACH_PERF, .cpu = cpu,
		.period_ns = 1000000, .place.cookie = 7 };
	assert_ok(kern_attach(kern_obj_prog(o, "sample"), &site, &l));
	while (cell(o, 1) < 100)
		;
	kern_detach(l);
	uint64_t n = cell(o, 1), ms = (now_ns() - start) / 1000000;
	assert_true(n <= ms + ms / 10 + 2);
	assert_int_equal(cell(o, 2), 7 * n);	/* the cookie arrives */

	start = now_ns();
	while (now_ns() - start < 20000000)
		;
	assert_int_equal(cell(o, 1), n);	/* and it is over */

	l = NULL;
	site.cpu = 100000;
	struct err *e = kern_attach(kern_obj_prog(o, "sample"), &site, &l);
	assert_int_equal(e->code, ERR_OS);
	assert_null(l);
	err_free(e);
	kern_obj_close(o);
	move_to(&old);
}

/* --- The barrier ---------------------------------------------------------------------- */

/* A thread runs a long program over and over, on another CPU if there is one. */
static int barrier_prog;
static int barrier_stop;
static cpu_set_t barrier_cpus;

static void *
run_forever(void *arg)
{
	uint64_t ctx[1] = { 1000 };
	uint32_t retval;

	if (CPU_COUNT(&barrier_cpus))
		move_to(&barrier_cpus);
	while (!__atomic_load_n(&barrier_stop, __ATOMIC_ACQUIRE)) {
		struct err *e = kern_prog_run(barrier_prog, ctx, 1, &retval);
		if (e)
			return e;
	}
	return NULL;
}

/* How often it has begun: asked while it runs, where there are two CPUs. */
static uint64_t
await_begun(const uint64_t *begun, const uint64_t *ended)
{
	uint64_t n = 0;

	for (int i = 0; i < 1000000; i++) {
		n = __atomic_load_n(begun, __ATOMIC_ACQUIRE);
		if (__atomic_load_n(ended, __ATOMIC_ACQUIRE) < n)
			break;
	}
	return n;
}

/* What ran when it was asked has ended when it returns, and it returns although another
 * one always runs. */
static void
test_barrier(void **state)
{
	pthread_t thread;
	void *cells, *result;
	cpu_set_t old;

	need_bpf();
	struct kern_obj *o = load_good();
	assert_ok(kern_map_mmap(kern_obj_map(o, "cells"), 64, &cells));
	const uint64_t *begun = (uint64_t *)cells + 6, *ended = begun + 1;
	barrier_prog = kern_obj_prog(o, "emit");
	unsigned cpu = stay(&old);
	barrier_cpus = old;
	CPU_CLR(cpu, &barrier_cpus);
	assert_int_equal(pthread_create(&thread, NULL, run_forever, NULL), 0);
	while (__atomic_load_n(ended, __ATOMIC_ACQUIRE) == 0)
		sched_yield();
	assert_ok(kern_barrier());
	unsigned open = count_open();
	for (int i = 0; i < 20; i++) {
		uint64_t n = await_begun(begun, ended);
		assert_ok(kern_barrier());
		assert_true(__atomic_load_n(ended, __ATOMIC_ACQUIRE) >= n);
	}
	assert_int_equal(count_open(), open);
	__atomic_store_n(&barrier_stop, 1, __ATOMIC_RELEASE);
	pthread_join(thread, &result);
	assert_null(result);
	move_to(&old);
	kern_unmap(cells, 64);
	kern_obj_close(o);
}

/* --- Rings ---------------------------------------------------------------------------- */

static uint32_t
emit(struct kern_obj *o, uint64_t n)
{
	uint32_t refused;

	assert_ok(kern_prog_run(kern_obj_prog(o, "emit"), &n, 1, &refused));
	return refused;
}

/* Read records until there are none; each third number was discarded. */
static unsigned
read_ring(struct kern_ring *r)
{
	const uint64_t *p;
	uint64_t want = 0;
	unsigned n = 0;
	size_t size;

	while ((p = kern_ring_next(r, &size))) {
		assert_int_equal(size, 8);
		assert_int_equal((uintptr_t)p % 8, 0);
		assert_int_equal(*p, want);
		want += want % 3 == 1 ? 2 : 1;
		n++;
	}
	return n;
}

static void
test_ring(void **state)
{
	struct kern_ring *r;
	size_t size;

	need_bpf();
	struct kern_obj *o = load_good();
	int fd = kern_obj_map(o, "ring");
	assert_ok(kern_ring_open(fd, 4096, &r));
	assert_null(kern_ring_next(r, &size));
	assert_int_equal(kern_ring_pending(r), 0);

	/* Around the ring many times: 90 numbers are 90 * 16 bytes. */
	for (int i = 0; i < 100; i++) {
		assert_int_equal(emit(o, 90), 0);
		assert_int_equal(kern_ring_pending(r), 90 * 16);
		assert_int_equal(read_ring(r), 60);
		assert_int_equal(kern_ring_pending(r), 0);
		kern_ring_release(r);
	}
	/* Records handed out keep their space until released. */
	assert_int_equal(emit(o, 200), 0);
	assert_int_equal(read_ring(r), 134);
	assert_int_equal(emit(o, 100), 100 - (4096 - 200 * 16) / 16 + 1);
	kern_ring_release(r);
	assert_int_equal(read_ring(r), 37);
	kern_ring_release(r);

	/* Too many: what fits is there, the rest was refused. */
	uint32_t refused = emit(o, 1000);
	assert_in_range(refused, 1000 - 256, 1000 - 250);
	assert_true(read_ring(r) > 160);
	kern_ring_release(r);
	assert_int_equal(emit(o, 10), 0);
	assert_int_equal(read_ring(r), 7);
	kern_ring_release(r);

	kern_ring_close(r);
	/* A second reader starts where the first one stopped. */
	assert_int_equal(emit(o, 4), 0);
	assert_ok(kern_ring_open(fd, 4096, &r));
	assert_int_equal(read_ring(r), 3);
	kern_ring_close(r);
	kern_ring_close(NULL);
	kern_obj_close(o);
}

/* Not all of a large ring is looked at before there is something. */
static void
test_ring_large(void **state)
{
	struct kern_ring *r;
	const uint64_t *p;
	size_t size;

	need_bpf();
	struct kern_obj *o = load_good_sized(256 << 10);
	int fd = kern_obj_map(o, "ring");
	assert_ok(kern_ring_open(fd, 256 << 10, &r));
	for (int round = 0; round < 8; round++) {
		/* 160 KB: over the edge, or around. */
		for (int i = 0; i < 10; i++)
			assert_int_equal(emit(o, 1000), 0);
		const uint64_t *first = kern_ring_next(r, &size);
		assert_non_null(first);
		unsigned n = 1;
		uint64_t want = 1;
		while ((p = kern_ring_next(r, &size))) {
			assert_int_equal(*p, want);
			want += want % 3 == 1 ? 2 : 1;
			want = want == 1000 ? 0 : want;
			n++;
		}
		assert_int_equal(n, 10 * 667);
		assert_int_equal(*first, 0);	/* it is still ours */
		kern_ring_release(r);
	}
	kern_ring_close(r);
	kern_obj_close(o);
}

/* A record may lie over the end of the ring; it is whole nevertheless. */
static void
test_ring_wraps(void **state)
{
	enum { WORDS = 5 };
	CLEANUP(util_closep) int fd = -1, prog = -1;
	struct kern_ring *r;
	uint32_t retval;
	size_t size;

	need_bpf();
	assert_ok(kern_map_create(KERN_MAP_RINGBUF, "ring", 0, 0, 4096, 0, -1,
				  &fd));
	const struct bpf_insn insns[] = {
		/* r6 = the number; r0 = bpf_ringbuf_reserve(ring, 40, 0) */
		{ BPF_LDX | BPF_DW | BPF_MEM, 6, 1, 0, 0 },
		{ BPF_LD | BPF_DW | BPF_IMM, 1, BPF_PSEUDO_MAP_FD, 0, fd },
		{ 0 },
		{ BPF_ALU64 | BPF_MOV | BPF_K, 2, 0, 0, WORDS * 8 },
		{ BPF_ALU64 | BPF_MOV | BPF_K, 3, 0, 0, 0 },
		{ BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_ringbuf_reserve },
		/* if (!r0) return 1 */
		{ BPF_JMP | BPF_JNE | BPF_K, 0, 0, 2, 0 },
		{ BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 1 },
		{ BPF_JMP | BPF_EXIT },
		/* each word is the number */
		{ BPF_STX | BPF_DW | BPF_MEM, 0, 6, 0, 0 },
		{ BPF_STX | BPF_DW | BPF_MEM, 0, 6, 8, 0 },
		{ BPF_STX | BPF_DW | BPF_MEM, 0, 6, 16, 0 },
		{ BPF_STX | BPF_DW | BPF_MEM, 0, 6, 24, 0 },
		{ BPF_STX | BPF_DW | BPF_MEM, 0, 6, 32, 0 },
		/* bpf_ringbuf_submit(r0, BPF_RB_NO_WAKEUP); return 0 */
		{ BPF_ALU64 | BPF_MOV | BPF_X, 1, 0, 0, 0 },
		{ BPF_ALU64 | BPF_MOV | BPF_K, 2, 0, 0, 1 },
		{ BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_ringbuf_submit },
		{ BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0 },
		{ BPF_JMP | BPF_EXIT },
	};
	prog = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "wrap", "GPL",
			     insns, BASE_NELEMS(insns), NULL);
	assert_true(prog >= 0);
	assert_ok(kern_ring_open(fd, 4096, &r));
	/* 48 bytes do not divide 4096: each fourth round or so one is torn. */
	for (uint64_t n = 1; n <= 4000; n++) {
		assert_ok(kern_prog_run(prog, &n, 1, &retval));
		assert_int_equal(retval, 0);
		if (n % 20)
			continue;
		for (uint64_t i = n - 19; i <= n; i++) {
			const uint64_t *p = kern_ring_next(r, &size);
			assert_non_null(p);
			assert_int_equal(size, WORDS * 8);
			for (int k = 0; k < WORDS; k++)
				assert_int_equal(p[k], i);
		}
		assert_null(kern_ring_next(r, &size));
		kern_ring_release(r);
	}
	kern_ring_close(r);
}

/* Hand-made programs: one reserves 24 bytes and discards them. */
static void
test_ring_only_discards(void **state)
{
	CLEANUP(util_closep) int fd = -1, prog = -1;
	struct kern_ring *r;
	uint32_t retval;
	size_t size;

	need_bpf();
	assert_ok(kern_map_create(KERN_MAP_RINGBUF, "ring", 0, 0, 4096, 0, -1,
				  &fd));
	const struct bpf_insn insns[] = {
		/* r0 = bpf_ringbuf_reserve(ring, 24, 0) */
		{ BPF_LD | BPF_DW | BPF_IMM, 1, BPF_PSEUDO_MAP_FD, 0, fd },
		{ 0 },
		{ BPF_ALU64 | BPF_MOV | BPF_K, 2, 0, 0, 24 },
		{ BPF_ALU64 | BPF_MOV | BPF_K, 3, 0, 0, 0 },
		{ BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_ringbuf_reserve },
		/* if (!r0) return 1 */
		{ BPF_JMP | BPF_JNE | BPF_K, 0, 0, 2, 0 },
		{ BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 1 },
		{ BPF_JMP | BPF_EXIT },
		/* bpf_ringbuf_discard(r0, BPF_RB_NO_WAKEUP); return 0 */
		{ BPF_ALU64 | BPF_MOV | BPF_X, 1, 0, 0, 0 },
		{ BPF_ALU64 | BPF_MOV | BPF_K, 2, 0, 0, 1 },
		{ BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_ringbuf_discard },
		{ BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0 },
		{ BPF_JMP | BPF_EXIT },
	};
	prog = bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "discard", "GPL",
			     insns, BASE_NELEMS(insns), NULL);
	assert_true(prog >= 0);
	assert_ok(kern_ring_open(fd, 4096, &r));
	/* Nobody releases, as nothing is ever handed out; yet it never fills. */
	for (int i = 0; i < 1000; i++) {
		assert_ok(kern_prog_run(prog, NULL, 0, &retval));
		assert_int_equal(retval, 0);
		assert_null(kern_ring_next(r, &size));
	}
	kern_ring_close(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cpus),
		cmocka_unit_test(test_cpus_of_map),
		cmocka_unit_test(test_features),
		cmocka_unit_test(test_symbol),
		cmocka_unit_test(test_tasks),
		cmocka_unit_test(test_tasks_executed),
		cmocka_unit_test(test_tasks_lost),
		cmocka_unit_test(test_map_errors),
		cmocka_unit_test(test_map_mmap),
		cmocka_unit_test(test_drain),
		cmocka_unit_test(test_drain_small_values),
		cmocka_unit_test(test_drain_batches),
		cmocka_unit_test(test_drain_large_values),
		cmocka_unit_test(test_drain_errors),
		cmocka_unit_test(test_obj_undefined),
		cmocka_unit_test(test_obj_order),
		cmocka_unit_test(test_obj_programs),
		cmocka_unit_test(test_obj_join),
		cmocka_unit_test(test_obj_names),
		cmocka_unit_test(test_obj_sparse),
		cmocka_unit_test(test_obj_settings),
		cmocka_unit_test(test_obj_parts),
		cmocka_unit_test(test_obj_refused),
		cmocka_unit_test(test_obj_log),
		cmocka_unit_test(test_rawtp),
		cmocka_unit_test(test_profile),
		cmocka_unit_test(test_barrier),
		cmocka_unit_test(test_pid_prog),
		cmocka_unit_test(test_steady),
		cmocka_unit_test(test_ring),
		cmocka_unit_test(test_ring_large),
		cmocka_unit_test(test_ring_wraps),
		cmocka_unit_test(test_ring_only_discards),
	};

	return cmocka_run_group_tests_name("kern", tests, NULL, NULL);
}
