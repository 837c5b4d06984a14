/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Commands of a session, for real: what a subscriber hears of one, and how far
 * one is run before it is traced.
 *
 * test_procs COMINGS LIBRARY POINTS...: programs of tests/support.
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

#include "session/proc_priv.h"
#include "session/run_priv.h"
#include "support/countopen.h"
#include "support/needbpf.h"

static const char *comings, *library;
static char **programs;		/* NULL behind the last */

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
			1u << KERN_TASK_ENDED, hear, &ear, NULL));
	p->wanted = true;
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

/* --- How far one is run --------------------------------------------------- */

static const char *const points[] = { "exec", "preinit", "postinit", "main" };

static void
set_point(struct session *s, unsigned point)
{
	struct err *e = opt_set_value(session_opts(s), "evaltime",
				      points[point], OPT_FROM_SETOPT, false);

	if (e)
		fail_msg("%s", e->text);
}

/* Does the process have the file mapped? */
static bool
has_mapped(const struct session_proc *p, const char *file)
{
	char path[64], line[4096];
	bool found = false;

	snprintf(path, sizeof(path), "/proc/%d/maps",
		 (int)session_proc_pid(p));
	FILE *f = fopen(path, "re");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		found |= is_same(line, file);
	}
	fclose(f);
	return found;
}

static bool
is_static(const char *program)
{
	return strstr(program, "-static") || strstr(program, "-bare");
}

/* What the linker has done by then is there to be looked at. */
static void
check_mapped(const struct session_proc *p, const char *program,
	     unsigned point)
{
	assert_true(has_mapped(p, program));
	assert_false(has_mapped(p, "/test-session-procs"));
	assert_int_equal(has_mapped(p, library),
			 point != OPT_EVAL_EXEC && !is_static(program));
}

static void
let_end(struct session *s)
{
	bool ended = false;

	s->procs->wanted = true;
	assert_null(session_proc_run(s));
	while (!ended) {
		nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
		assert_null(session_proc_poll(s, &ended));
	}
}

static void
count_end(void *ctx, pid_t pid, const char *text)
{
	assert_non_null(strstr(text, "has exited"));
	++*(unsigned *)ctx;
}

static bool
has_point(const char *program, unsigned point)
{
	return point != OPT_EVAL_MAIN || !strstr(program, "-bare");
}

static void
test_ready(void **state)
{
	for (char **program = programs; *program; program++)
		for (unsigned i = 0; i < 4 && has_point(*program, i); i++) {
			const char *argv[] = { *program, NULL };
			struct session_proc *p;
			unsigned ends = 0, nopen = count_open();
			struct session *s = start(argv, &p);
			session_on_proc(s, count_end, &ends);
			set_point(s, i);
			assert_false(has_mapped(p, *program));
			assert_null(session_proc_ready(s, p));
			check_mapped(p, *program, i);
			assert_null(session_proc_ready(s, p));
			check_mapped(p, *program, i);
			let_end(s);
			assert_int_equal(ends, 1);
			session_free(s);
			assert_int_equal(count_open(), nopen);
		}
}

/* From each point to each later one. */
static void
test_onwards(void **state)
{
	for (char **program = programs; *program; program++)
		for (unsigned i = 0; i < 3; i++)
			for (unsigned k = i; k < 4 && has_point(*program, k);
			     k++) {
				const char *argv[] = { *program, NULL };
				struct session_proc *p;
				struct session *s = start(argv, &p);
				set_point(s, i);
				assert_null(session_proc_ready(s, p));
				set_point(s, k);
				assert_null(session_proc_place(s));
				check_mapped(p, *program, k);
				assert_int_equal(p->point, k);
				let_end(s);
				session_free(s);
			}
}

static void
test_back(void **state)
{
	const char *argv[] = { programs[0], NULL };
	struct session_proc *p;
	struct session *s = start(argv, &p);

	set_point(s, OPT_EVAL_MAIN);
	assert_null(session_proc_ready(s, p));
	set_point(s, OPT_EVAL_PREINIT);
	struct err *e = session_proc_ready(s, p);
	assert_non_null(e);
	assert_string_equal(e->text, "the command has been run to main "
			    "already, behind the point of evaltime=preinit");
	err_free(e);
	let_end(s);
	session_free(s);
}

static struct err *
place(struct session *s, struct session_proc *p)
{
	return session_proc_place(s);
}

/* It ends before: an error, whoever asks and as often, and a session that can be freed. */
static void
test_never_ready(void **state)
{
	const char *argv[] = { programs[0], NULL };
	struct session_proc *p;

	setenv("POINTS_END", "1", 1);
	struct session *s = start(argv, &p);
	unsetenv("POINTS_END");
	set_point(s, OPT_EVAL_MAIN);
	struct err *(*const ask[])(struct session *s, struct session_proc *p) = {
		session_proc_ready, session_proc_ready, place,
	};
	for (unsigned i = 0; i < BASE_NELEMS(ask); i++) {
		struct err *e = ask[i](s, p);
		assert_non_null(e);
		assert_int_equal(e->code, ERR_STATE);
		err_free(e);
	}
	session_free(s);
}

static void
keep_end(void *ctx, pid_t pid, const char *text)
{
	sb_puts(ctx, text);
}

/* What a signal does to it on the way there is as it would be without us. */
static void
test_signal(void **state)
{
	const char *argv[] = { programs[0], NULL };
	struct session_proc *p;
	struct sb b;

	for (unsigned i = 0; i < 4; i++) {
		setenv("POINTS_SIGNAL", "1", 1);
		struct session *s = start(argv, &p);
		unsetenv("POINTS_SIGNAL");
		sb_init(&b, 4096);
		session_on_proc(s, keep_end, &b);
		set_point(s, i);
		assert_null(session_proc_ready(s, p));
		let_end(s);
		assert_non_null(strstr(sb_str(&b), "exited with status 3"));
		session_free(s);
		sb_fini(&b);
	}
}

/* It has our environment, but for what options say, in their order. */
static void
test_environment(void **state)
{
	const char *argv[] = { "/bin/sh", "-c",
		"[ \"$KEPT/$SET/$MORE/${GONE-none}/${LATE-none}\" = k/new/a=b/none/l ]",
		NULL };
	static const char *const sets[][2] = {
		{ "setenv", "SET=odd" }, { "unsetenv", "GONE" },
		{ "setenv", "MORE=a=b" }, { "setenv", "SET=new" },
		{ "unsetenv", "LATE" }, { "setenv", "LATE=l" },
		{ "unsetenv", "NOSUCH" },
	};
	struct session *s;
	struct session_proc *p;
	struct sb b;

	setenv("KEPT", "k", 1);
	setenv("SET", "old", 1);
	setenv("GONE", "g", 1);
	sb_init(&b, 4096);
	assert_null(session_new(&s));
	for (size_t i = 0; i < BASE_NELEMS(sets); i++)
		assert_null(opt_set_value(session_opts(s), sets[i][0], sets[i][1],
					  OPT_FROM_COMMAND, false));
	assert_null(session_proc_create(s, argv[0], argv, &p));
	session_on_proc(s, keep_end, &b);
	let_end(s);
	assert_non_null(strstr(sb_str(&b), "has exited"));
	assert_string_equal(getenv("SET"), "old");	/* ours is as it was */
	session_free(s);
	sb_fini(&b);
}

/* --- Whether all have ended ----------------------------------------------- */

/* One letter for each process: E has ended, S stands where it was put, R is released. */
static void
make_procs(struct session *s, const char *all)
{
	const char *argv[] = { "/bin/true", NULL };
	struct session_proc *p;

	for (; *all; all++) {
		assert_null(session_proc_create(s, argv[0], argv, &p));
		if (*all == 'R')
			assert_null(session_proc_release(s, p));
		p->wanted = *all == 'E';
	}
	assert_null(session_proc_run(s));
}

static bool
is_over(const struct session *s, const char *all)
{
	const struct session_proc *p = s->procs;

	for (; p; p = p->next, all++)
		if (*all == 'E' && !p->ended)
			return false;
	return true;
}

static void
test_ended(void **state)
{
	static const struct { const char *all; bool want; } rows[] = {
		{ "", false }, { "E", true }, { "S", false }, { "R", false },
		{ "EE", true }, { "ES", false }, { "SE", false },
		{ "RE", true }, { "ER", true }, { "RS", false }, { "RR", false },
		{ "ERE", true }, { "ERS", false },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct session *s;
		unsigned ends = 0, want = 0;
		bool ended;

		assert_null(session_new(&s));
		session_on_proc(s, count_end, &ends);
		make_procs(s, rows[i].all);
		for (;;) {
			assert_null(session_proc_poll(s, &ended));
			if (is_over(s, rows[i].all))
				break;
			nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
		}
		assert_null(session_proc_poll(s, &ended));
		if (ended != rows[i].want)
			fail_msg("%s: %d", rows[i].all, ended);
		/* Each is told of once. */
		for (const char *c = rows[i].all; *c; c++)
			want += *c == 'E';
		assert_int_equal(ends, want);
		session_free(s);
	}
}

/* --- What is traced then -------------------------------------------------- */

static const char program_text[] =
	"syscall::execve:entry, syscall::getsid:entry, syscall::getpgid:entry,"
	"syscall::getppid:entry /pid == $target/ { printf(\" %s\", probefunc);"
	"}";

/* What a program does from its execve() on, and from each point. */
static const char *
calls_from(const char *program, unsigned point, bool was_ready)
{
	bool links = !is_static(program);

	return point == OPT_EVAL_MAIN ? " getppid" :
	       point == OPT_EVAL_POSTINIT && links ? " getpgid getppid" :
	       point == OPT_EVAL_EXEC && !was_ready
			? " execve getsid getpgid getppid"
			: " getsid getpgid getppid";
}

static struct err *
take(void *ctx, const struct consume_event *e)
{
	if (e->kind == CONSUME_RECORD)
		sb_printf(ctx, " %s", e->probe->func);
	return NULL;
}

static void
compile(struct session *s)
{
	const struct diag_list *diags;
	struct session_prog *prog;

	assert_null(session_compile(s, NULL, program_text,
				    strlen(program_text), PROBE_SPEC_NAME, 0,
				    NULL, 0, &diags, &prog));
	assert_null(session_enable(s, prog));
}

/* when: the command is made ready before the program is compiled (0), after
 * that (1), or by session_go() (2). */
static void
trace(const char *program, unsigned point, unsigned when)
{
	const char *argv[] = { program, NULL };
	enum session_status status = SESSION_OKAY;
	struct session_proc *p;
	struct sb b;

	struct session *s = start(argv, &p);
	set_point(s, point);
	sb_init(&b, 4096);
	if (when == 0)
		assert_null(session_proc_ready(s, p));
	compile(s);
	if (when == 1)
		assert_null(session_proc_ready(s, p));
	struct err *e = session_go(s);
	if (e)
		fail_msg("%s", e->text);
	assert_null(session_proc_continue(s, p));
	while (status == SESSION_OKAY) {
		session_wait(s);
		assert_null(session_step(s, take, &b, &status));
	}
	assert_null(session_stop(s));
	assert_null(session_drain(s, take, &b));
	assert_string_equal(sb_str(&b),
			    calls_from(program, point, when != 2));
	session_free(s);
	sb_fini(&b);
}

static void
test_traced(void **state)
{
	need_bpf();
	for (char **program = programs; *program; program++)
		for (unsigned i = 0; i < 4 && has_point(*program, i); i++)
			for (unsigned when = 0; when < 3; when++)
				trace(*program, i, when);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_heard),
		cmocka_unit_test(test_ready),
		cmocka_unit_test(test_onwards),
		cmocka_unit_test(test_back),
		cmocka_unit_test(test_never_ready),
		cmocka_unit_test(test_signal),
		cmocka_unit_test(test_environment),
		cmocka_unit_test(test_ended),
		cmocka_unit_test(test_traced),
	};

	if (argc < 3)
		return 2;
	comings = argv[1];
	library = argv[2];
	programs = argv + 3;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
