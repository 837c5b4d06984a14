/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tables for the stacks of processes are made by a thread, against a kernel that is made
 * up (fakekern.h): what is recorded meanwhile is consumed, what was told of before
 * tracing began is known when it begins, and nobody waits at its end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "await.h"
#include "countopen.h"
#include "fakekern.h"
#include "engine/process.h"
#include "session/proc.h"
#include "session/session_priv.h"

static sem_t adds, may_add;
static unsigned nadded;		/* atomic */

/* The first table takes as long as the test likes. */
static void
add_slowly(void)
{
	sem_post(&adds);
	if (await(&may_add))
		__atomic_add_fetch(&nadded, 1, __ATOMIC_RELAXED);
}

static void
add(void)
{
	__atomic_add_fetch(&nadded, 1, __ATOMIC_RELAXED);
	sem_post(&adds);
}

static struct session *
compile(void (*on_add)(void))
{
	static const char text[] = "syscall::read:entry { trace(arg0); @[ustack()] = count(); }";
	const struct diag_list *diags;
	struct session_prog *p;
	struct session *s;

	fakekern_reset();
	fake.on_add = on_add;
	sem_init(&adds, 0, 0);
	sem_init(&may_add, 0, 0);
	nadded = 0;
	assert_null(session_new(&s));
	s->opts.s[OPT_UNWINDCACHE] = util_strdup("none");
	assert_null(session_compile(s, NULL, text, sizeof(text) - 1,
				    PROBE_SPEC_NAME, 0, NULL, 0, &diags, &p));
	assert_null(session_enable(s, p));
	return s;
}

static struct err *
count_records(void *ctx, const struct consume_event *e)
{
	*(unsigned *)ctx += e->kind == CONSUME_RECORD;
	return NULL;
}

static void
step(struct session *s, unsigned *n)
{
	enum session_status status;

	assert_null(session_step(s, count_records, n, &status));
}

/* Records are consumed while a table is made. */
static void
test_meanwhile(void **state)
{
	struct { struct abi_record hdr; uint64_t arg; } r = {
		{ 1, sizeof(r), 1000 }, 3 };
	struct session *s = compile(add_slowly);
	unsigned n = 0;

	assert_null(session_go(s));
	engine_process(s->engine, getpid(), ENGINE_PROCESS_TRACED);
	assert_true(await(&adds));
	fakekern_record(1, &r, sizeof(r));
	step(s, &n);
	assert_int_equal(n, 1);
	assert_int_equal(__atomic_load_n(&nadded, __ATOMIC_RELAXED), 0);
	sem_post(&may_add);
	assert_null(session_stop(s));
	session_free(s);
	assert_int_equal(nadded, 1);
	assert_int_equal(fake.nrings, 0);
}

/* The files of a command are known before it runs. */
static void
test_settled(void **state)
{
	static const char *const argv[] = { "/bin/true", NULL };
	struct session *s = compile(add);
	struct session_proc *p;

	assert_null(session_proc_create(s, argv[0], argv, &p));
	assert_null(session_go(s));
	assert_true(__atomic_load_n(&nadded, __ATOMIC_RELAXED) > 0);
	assert_null(session_stop(s));
	session_free(s);
}

static pid_t child;
static unsigned nwanted;

/* The first table was made, and the other files are still to be opened. */
static void
end_child(void)
{
	if (__atomic_add_fetch(&nadded, 1, __ATOMIC_RELAXED) > 1)
		return;
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	sem_post(&adds);
}

static void
count_wanted(void *ctx, int pid, void (*fn)(void *fn_ctx, int fd), void *fn_ctx)
{
	nwanted += pid == child;
}

/* What is left of the files of a process that ends while they are read is asked for: when
 * it is noticed, and when the end is told of, by when more may be known. */
static void
test_missed(void **state)
{
	struct session *s = compile(end_child);
	unsigned n = 0;

	child = fork();
	if (!child)
		for (;;)
			pause();
	assert_true(child > 0);
	nwanted = 0;
	struct abi_unwind_ask ask = { .tgid = (uint32_t)child, .exec = 1 };
	fakekern_ask(&ask);
	assert_null(session_go(s));
	s->engine->in.files = count_wanted;
	assert_true(await(&adds));
	for (int i = 0; i < LONG_S * 1000 && !nwanted; i++, usleep(1000))
		step(s, &n);
	assert_int_equal(nwanted, 1);
	engine_process(s->engine, child, ENGINE_PROCESS_ENDED);
	for (int i = 0; i < LONG_S * 1000 && nwanted < 2; i++, usleep(1000))
		step(s, &n);
	assert_int_equal(nwanted, 2);
	assert_null(session_stop(s));
	session_free(s);
}

/* Everything at once, for ThreadSanitizer: processes ask, map, end, and are gone. */
static void
test_all(void **state)
{
	struct session *s = compile(add);
	unsigned n = 0;

	for (uint32_t i = 0; i < 8; i++) {
		struct abi_unwind_ask ask = { .tgid = i % 2 ? (uint32_t)getpid()
			: 1u << 30 | i, .exec = i };
		fakekern_ask(&ask);
	}
	assert_null(session_go(s));
	for (int i = 0; i < 200; i++) {
		engine_process(s->engine, getpid(), i % 3 ? ENGINE_PROCESS_MAPPED
						  : ENGINE_PROCESS_TRACED);
		engine_process(s->engine, 1 << 30 | i, ENGINE_PROCESS_ENDED);
		engine_program(s->engine, i % 8 ? "/nowhere" : "/proc/self/exe");
		step(s, &n);
	}
	/* The thread may not have had a processor until now. */
	assert_true(await(&adds));
	engine_process(s->engine, getpid(), ENGINE_PROCESS_ENDED);
	assert_null(session_stop(s));
	session_free(s);
	assert_true(nadded > 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_meanwhile, count_open_begin, count_open_end),
		cmocka_unit_test_setup_teardown(test_settled, count_open_begin, count_open_end),
		cmocka_unit_test_setup_teardown(test_missed, count_open_begin, count_open_end),
		cmocka_unit_test_setup_teardown(test_all, count_open_begin, count_open_end),
	};

	int failed = cmocka_run_group_tests_name("session-stacks", tests, NULL, NULL);
	fakekern_reset();
	sb_fini(&fake.log);
	return failed;
}
