/* SPDX-License-Identifier: BSD-2-Clause
 *
 * More of what processes execute than a ring holds: what is told is told right,
 * once and in order, also where a record wraps around the end of the ring, and
 * that some was lost is no event.
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
#include "support/needbpf.h"

/* A record takes 100 bytes and more, and a ring has room for 128 KiB. */
enum { SOME = 300, MANY = 4000, PAGE = 4096, CLOCK_BACK_NS = 100000 };

static char *const place = (char *)0x100000000000;

struct seen {
	int pid;
	unsigned mapped, forked, ended;
	uint64_t next;			/* address that is to come, at least */
	uint64_t time_ns;
};

static void
note(void *ctx, const struct kern_task_event *e)
{
	struct seen *s = ctx;

	if (e->pid != s->pid)
		return;
	if (e->kind == KERN_TASK_FORKED) {	/* perhaps on another CPU */
		s->forked++;
		return;
	}
	/* perf reads the clock without a lock, and then it may step back by a
	 * little while the kernel adjusts it; the addresses tell the order. */
	assert_true(e->time_ns + CLOCK_BACK_NS >= s->time_ns);
	s->time_ns = e->time_ns;
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

/* On one CPU, in a child of its own: n mappings that may be executed, each at an
 * address of its own.  The child's number; it has ended. */
static int
map_many(unsigned first, unsigned n)
{
	int pid = fork();

	if (pid == 0) {
		cpu_set_t set;
		CPU_ZERO(&set);
		CPU_SET((size_t)sched_getcpu(), &set);
		sched_setaffinity(0, sizeof(set), &set);
		for (unsigned i = first; i < first + n; i++) {
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

static struct seen
look(struct kern_tasks *t, unsigned first, unsigned n)
{
	struct seen s = { .pid = map_many(first, n),
			  .next = (uintptr_t)place };

	kern_tasks_read(t, note, &s);
	return s;
}

static void
test_lost(void **state)
{
	struct kern_tasks *t = NULL;
	struct err *e;

	need_bpf();
	e = kern_tasks_open(&t);
	if (e) {
		print_message("# skipped: %s\n", e->text);
		err_free(e);
		skip();
	}
	/* Round the ring some times, so that records wrap. */
	for (unsigned i = 0; i < 16; i++) {
		struct seen s = look(t, i * SOME, SOME);
		assert_int_equal(s.mapped, SOME);
		assert_int_equal(s.forked, 1);
		assert_int_equal(s.ended, 1);
	}
	struct seen s = look(t, 0, MANY);
	assert_in_range(s.mapped, SOME, MANY - 1);
	/* The next tells first that some were lost. */
	for (unsigned i = 0; i < 4; i++) {
		s = look(t, i * SOME, SOME);
		assert_int_equal(s.mapped, SOME);
		assert_int_equal(s.forked, 1);
		assert_int_equal(s.ended, 1);
	}
	kern_tasks_close(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_lost) };

	return cmocka_run_group_tests_name("kern-lost", tests, NULL, NULL);
}
