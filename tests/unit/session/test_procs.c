/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Commands of a session, for real: what a subscriber hears of one.
 *
 * test_procs COMINGS LIBRARY: programs of tests/support.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "session/session_priv.h"
#include "support/needbpf.h"

static const char *comings, *library;

static struct session *
start(const char *const *argv, struct session_proc **p)
{
	struct session *s;

	assert_null(session_new(&s));
	struct err *e = session_proc_create(s, argv[0], argv, p);
	if (e)
		fail_msg("%s", e->text);
	return s;
}

/* --- What a subscriber hears ---------------------------------------------- */

/* What is kept of an event of any process. */
struct heard {
	struct kern_task_event e;
	bool is_program, is_library;
};

struct ear { VEC(struct heard) all; };

static bool
is_same(const char *path, const char *of)
{
	const char *a = strrchr(path, '/'), *b = strrchr(of, '/');

	return a && b && strcmp(a, b) == 0;
}

static void
hear(void *ctx, const struct kern_task_event *e)
{
	struct ear *ear = ctx;
	struct heard h = { .e = *e };

	if (e->kind == KERN_TASK_MAPPED) {
		h.is_program = is_same(e->path, comings);
		h.is_library = is_same(e->path, library);
	}
	h.e.path = NULL;
	assert_true(vec_push(&ear->all, h));
}

/* Events of one CPU come in order; those of two have their times. */
static int
by_time(const void *x, const void *y)
{
	const struct heard *a = x, *b = y;

	return (a->e.time_ns > b->e.time_ns) - (a->e.time_ns < b->e.time_ns);
}

/* What process pid has done, as words, and the last child that it had. */
static void
tell(const struct ear *ear, pid_t pid, struct sb *b, pid_t *child)
{
	for (size_t i = 0; i < ear->all.n; i++) {
		const struct heard *h = &ear->all.v[i];
		if (h->e.kind == KERN_TASK_FORKED && h->e.parent == pid) {
			sb_puts(b, "forks ");
			*child = h->e.pid;
		}
		if (h->e.kind == KERN_TASK_LOST || h->e.pid != pid)
			continue;
		if (h->e.kind == KERN_TASK_MAPPED)
			sb_puts(b, h->is_program ? "program " :
				h->is_library ? "library " : "");
		else
			sb_puts(b, h->e.kind == KERN_TASK_EXECUTED ? "execs " :
				h->e.kind == KERN_TASK_FORKED ? "forked " :
				"ends");
	}
}

static void
test_heard(void **state)
{
	const char *argv[] = { comings, library, NULL };
	struct ear ear = { 0 };
	struct session_proc *p;
	bool ended = false;
	pid_t child = 0;
	struct sb b;

	need_bpf();
	struct session *s = start(argv, &p);
	assert_null(session_tasks_subscribe(s, 1u << KERN_TASK_EXECUTED |
			1u << KERN_TASK_MAPPED | 1u << KERN_TASK_FORKED |
			1u << KERN_TASK_ENDED, hear, &ear));
	assert_null(session_proc_run(s));
	while (!ended) {
		nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
		session_tasks_read(s);
		assert_null(session_proc_poll(s, &ended));
	}
	session_tasks_read(s);
	qsort(ear.all.v, ear.all.n, sizeof(*ear.all.v), by_time);
	sb_init(&b, 4096);
	tell(&ear, session_proc_pid(p), &b, &child);
	assert_string_equal(sb_str(&b), "execs program forks ends");
	sb_reset(&b);
	tell(&ear, child, &b, &(pid_t){ 0 });
	assert_string_equal(sb_str(&b), "forked execs program library ends");
	session_free(s);
	sb_fini(&b);
	vec_fini(&ear.all);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_heard),
	};

	if (argc < 3)
		return 2;
	comings = argv[1];
	library = argv[2];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
