/* SPDX-License-Identifier: BSD-2-Clause
 *
 * More of what processes execute than a ring holds: what is told is told right,
 * once and in order, also where a record wraps around the end of the ring; what
 * is not told was lost, and how much that was is told.
 *
 * The ring is everybody's: where much else is going on, the little that fits may
 * be lost, too, so that what is told and what was lost are added up.
 */
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/base.h"
#include "kern/kern.h"
#include "kern/task.h"
#include "support/needbpf.h"

/* A record takes 100 bytes and more, and a ring has room for 512 KiB. */
enum { SOME = 1000, MANY = 12000, PAUSE = 500, PAGE = 4096 };

static char *const place = (char *)0x100000000000;

struct seen {
	int pid;
	unsigned mapped, forked, ended;
	uint64_t lost;			/* by whichever process */
	uint64_t next;			/* address that is to come, at least */
	uint64_t time_ns;
};

static void
note(void *ctx, const struct kern_task_event *e)
{
	struct seen *s = ctx;

	if (e->kind == KERN_TASK_LOST)
		s->lost += e->lost;
	if (e->pid != s->pid)
		return;
	assert_true(e->time_ns >= s->time_ns);
	s->time_ns = e->time_ns;
	s->forked += e->kind == KERN_TASK_FORKED;
	s->ended += e->kind == KERN_TASK_ENDED;
	if (e->kind != KERN_TASK_MAPPED || e->start < (uintptr_t)place)
		return;
	assert_true(e->start >= s->next);
	assert_int_equal(e->size, PAGE);
	assert_int_equal((e->start - (uintptr_t)place) % (2 * PAGE), 0);
	assert_string_equal(e->path, "//anon");
	s->next = e->start + 2 * PAGE;
	s->mapped++;
}

/* In a child: n mappings that may be executed, each at an address of its own, with a
 * pause after each PAUSE of them.  The child's number; it has ended. */
static int
map_many(unsigned first, unsigned n, unsigned pause_us)
{
	int pid = fork();

	if (pid == 0) {
		for (unsigned i = first; i < first + n; i++) {
			if (pause_us && i % PAUSE == 0)
				usleep(pause_us);
			void *p = mmap(place + (size_t)i * 2 * PAGE, PAGE,
				PROT_READ | PROT_EXEC, MAP_PRIVATE |
				MAP_ANONYMOUS | MAP_FIXED, -1, 0);
			if (p == MAP_FAILED || munmap(p, PAGE))
				_exit(1);
		}
		_exit(0);
	}
	int status = 1;
	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
	return pid;
}

/* What is told of a child with n mappings; with it being forked and ending, that
 * is n + 2 events, each of which is told or lost. */
static struct seen
look(struct kern_tasks *t, unsigned first, unsigned n)
{
	struct seen s = { .pid = map_many(first, n, 0),
			  .next = (uintptr_t)place };

	kern_tasks_read(t, note, &s);
	/* What is lost is told in front of the next event. */
	map_many(0, 0, 0);
	kern_tasks_read(t, note, &s);
	assert_in_range(s.forked, 0, 1);
	assert_in_range(s.ended, 0, 1);
	assert_in_range(s.mapped, 0, n);
	assert_true(s.mapped + s.forked + s.ended + s.lost >= n + 2);
	return s;
}

static void
open_tasks(size_t keep, struct kern_tasks **ret)
{
	need_bpf();
	struct err *e = kern_tasks_open(keep, ret);
	if (e) {
		print_message("# skipped: %s\n", e->text);
		err_free(e);
		skip();
	}
}

/* One CPU, also of the children: one ring, and one order. */
static void
on_one_cpu(cpu_set_t *old)
{
	cpu_set_t one;

	assert_int_equal(sched_getaffinity(0, sizeof(*old), old), 0);
	CPU_ZERO(&one);
	CPU_SET((size_t)sched_getcpu(), &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
}

static void
test_lost(void **state)
{
	struct kern_tasks *t = NULL;
	cpu_set_t old;

	open_tasks(0, &t);
	on_one_cpu(&old);
	/* Round the ring some times, so that records wrap. */
	for (unsigned i = 0; i < 16; i++)
		look(t, i * SOME, SOME);
	struct seen s = look(t, 0, MANY);
	assert_in_range(s.mapped, 1, MANY - 1);
	assert_in_range(s.lost, MANY - s.mapped, UINT64_MAX);
	/* Afterwards there is room again. */
	for (unsigned i = 0; i < 4; i++)
		look(t, i * SOME, SOME);
	assert_int_equal(sched_setaffinity(0, sizeof(old), &old), 0);
	kern_tasks_close(t);
}

/* What nobody reads for a while is kept, in order, as much as was asked for.  (A machine
 * with much to do may be too late, and then something is lost as well.) */
static void
test_kept(void **state)
{
	struct kern_tasks *t = NULL;
	struct seen s;
	cpu_set_t old;
	int tries = 0;

	open_tasks(16 << 20, &t);
	on_one_cpu(&old);
	do {
		s = (struct seen){ .pid = map_many(0, MANY, 60000),
				   .next = (uintptr_t)place };
		kern_tasks_read(t, note, &s);
		assert_in_range(++tries, 1, 20);
	} while (s.lost);
	assert_int_equal(s.mapped, MANY);
	assert_int_equal(s.forked, 1);
	assert_int_equal(s.ended, 1);
	kern_tasks_close(t);
	/* Of less, the ring's and that. */
	open_tasks(1 << 20, &t);
	s = (struct seen){ .pid = map_many(0, MANY, 60000), .next = (uintptr_t)place };
	kern_tasks_read(t, note, &s);
	assert_in_range(s.mapped, 1, MANY - 1);
	assert_int_equal(sched_setaffinity(0, sizeof(old), &old), 0);
	kern_tasks_close(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_kept),
	};

	return cmocka_run_group_tests_name("kern-lost", tests, NULL, NULL);
}
