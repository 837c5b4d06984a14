/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Subscribers of what processes do, with a kernel that is made up: who is told
 * what, who comes and goes while others are being told, and when the kernel is
 * asked at all.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "fakekern.h"
#include "session/run_priv.h"
#include "sym/maps.h"

enum {
	EXECUTED = 1 << KERN_TASK_EXECUTED, MAPPED = 1 << KERN_TASK_MAPPED,
	FORKED = 1 << KERN_TASK_FORKED, ENDED = 1 << KERN_TASK_ENDED,
};

/* A subscriber that writes down what it hears. */
struct listener {
	struct session *s;
	struct sb heard;
	void (*then)(struct listener *l);	/* may be NULL */
	struct listener *other;
};

static void
hear(void *ctx, const struct kern_task_event *e)
{
	static const char *const names[] = {
		[KERN_TASK_EXECUTED] = "exec", [KERN_TASK_MAPPED] = "map",
		[KERN_TASK_FORKED] = "fork", [KERN_TASK_ENDED] = "end",
		[KERN_TASK_LOST] = "lost", [KERN_TASK_LEADERLESS] = "leaderless",
	};
	struct listener *l = ctx;

	sb_printf(&l->heard, "%s %d;", names[e->kind],
		  e->kind == KERN_TASK_LOST ? (int)e->lost :
		  e->time_ns ? 0 : e->pid);
	if (l->then)
		l->then(l);
}

static struct listener
listener(struct session *s)
{
	struct listener l = { .s = s };

	sb_init(&l.heard, 4096);
	return l;
}

static void
happens(enum kern_task_kind kind, int pid)
{
	fakekern_task(&(struct kern_task_event){ .kind = kind, .pid = pid });
}

static void
thread_ends(int pid, int thread)
{
	fakekern_task(&(struct kern_task_event){ .kind = KERN_TASK_THREAD_ENDED,
						 .pid = pid, .thread = thread });
}

static void
loses(uint64_t n)
{
	fakekern_task(&(struct kern_task_event){ .kind = KERN_TASK_LOST,
						 .lost = n });
}

/* What it heard since it was asked last. */
#define assert_heard(l, text) \
	do { \
		assert_string_equal(sb_str(&(l)->heard), text); \
		sb_reset(&(l)->heard); \
	} while (0)

static struct session *
start(void)
{
	struct session *s;

	fakekern_reset();
	assert_null(session_new(&s));
	return s;
}

static void
stop(struct session *s)
{
	session_free(s);
	assert_int_equal(fake.ntasks, 0);
}

static void
test_two(void **state)
{
	struct session *s = start();
	struct listener a = listener(s), b = listener(s);

	happens(KERN_TASK_FORKED, 1);		/* nobody listens */
	assert_null(session_tasks_subscribe(s, FORKED | ENDED, hear, &a, NULL));
	assert_int_equal(fake.ntasks, 1);
	assert_null(session_tasks_subscribe(s, EXECUTED | MAPPED | ENDED, hear,
					    &b, NULL));
	assert_int_equal(fake.ntasks, 1);
	happens(KERN_TASK_FORKED, 2);
	happens(KERN_TASK_EXECUTED, 2);
	happens(KERN_TASK_MAPPED, 2);
	happens(KERN_TASK_ENDED, 2);
	session_tasks_read(s);
	assert_heard(&a, "fork 2;end 2;");
	assert_heard(&b, "exec 2;map 2;end 2;");
	session_tasks_unsubscribe(s, hear, &a);
	assert_int_equal(fake.ntasks, 1);
	happens(KERN_TASK_ENDED, 3);
	session_tasks_read(s);
	assert_heard(&a, "");
	assert_heard(&b, "end 3;");
	session_tasks_unsubscribe(s, hear, &a);	/* once more is nothing */
	session_tasks_unsubscribe(s, hear, &b);
	assert_int_equal(fake.ntasks, 0);
	session_tasks_read(s);
	/* and again from the start */
	assert_null(session_tasks_subscribe(s, ENDED, hear, &a, NULL));
	assert_int_equal(fake.ntasks, 1);
	happens(KERN_TASK_ENDED, 4);
	session_tasks_read(s);
	assert_heard(&a, "end 4;");
	stop(s);
	sb_fini(&a.heard);
	sb_fini(&b.heard);
}

static void
note_warning(void *ctx, const char *text)
{
	const char *what = strstr(text, "noticed in time: ");

	assert_non_null(what);
	sb_printf(ctx, "%s;", strchr(what, ':') + 2);
}

static void
test_lost(void **state)
{
	struct session *s = start();
	struct listener a = listener(s), b = listener(s), c = listener(s);
	struct sb warnings;

	sb_init(&warnings, 4096);
	session_on_warning(s, note_warning, &warnings);
	assert_null(session_tasks_subscribe(s, FORKED, hear, &a, NULL));
	loses(1);
	session_tasks_read(s);
	assert_heard(&a, "lost 1;");
	assert_string_equal(sb_str(&warnings), "");
	assert_null(session_tasks_subscribe(s, ENDED, hear, &b, "b's"));
	assert_null(session_tasks_subscribe(s, ENDED, hear, &c, "c's"));
	loses(7);
	happens(KERN_TASK_ENDED, 2);
	loses(5);
	session_tasks_read(s);
	assert_heard(&a, "lost 7;lost 5;");
	assert_heard(&b, "lost 7;end 2;lost 5;");
	assert_heard(&c, "lost 7;end 2;lost 5;");
	assert_int_equal(s->tasks.lost, 13);
	assert_string_equal(sb_str(&warnings), "b's;c's;");	/* each once */
	stop(s);
	sb_fini(&warnings);
	sb_fini(&a.heard);
	sb_fini(&b.heard);
	sb_fini(&c.heard);
}

static void
leave(struct listener *l)
{
	session_tasks_unsubscribe(l->s, hear, l);
}

static void
make_other_leave(struct listener *l)
{
	session_tasks_unsubscribe(l->s, hear, l->other);
}

/* More than there is room for without moving. */
static void
bring_others(struct listener *l)
{
	l->then = NULL;
	for (int i = 0; i < 100; i++)
		assert_null(session_tasks_subscribe(l->s, ENDED, hear,
						    l->other, NULL));
}

static void
read_again(struct listener *l)
{
	session_tasks_read(l->s);
}

static void
test_within(void **state)
{
	struct session *s = start();
	struct listener a = listener(s), b = listener(s), c = listener(s);

	/* who leaves by itself */
	a.then = leave;
	assert_null(session_tasks_subscribe(s, ENDED, hear, &a, NULL));
	assert_null(session_tasks_subscribe(s, ENDED, hear, &b, NULL));
	happens(KERN_TASK_ENDED, 1);
	happens(KERN_TASK_ENDED, 2);
	session_tasks_read(s);
	assert_heard(&a, "end 1;");
	assert_heard(&b, "end 1;end 2;");
	/* who is made to leave before his turn */
	b.then = make_other_leave;
	b.other = &c;
	assert_null(session_tasks_subscribe(s, ENDED, hear, &c, NULL));
	happens(KERN_TASK_ENDED, 3);
	session_tasks_read(s);
	assert_heard(&b, "end 3;");
	assert_heard(&c, "");
	/* who comes hears the next */
	b.then = bring_others;
	b.other = &a;
	a.then = NULL;
	happens(KERN_TASK_ENDED, 4);
	session_tasks_read(s);
	assert_heard(&b, "end 4;");
	assert_heard(&a, "");
	session_tasks_unsubscribe(s, hear, &b);
	happens(KERN_TASK_ENDED, 5);
	session_tasks_read(s);
	assert_int_equal(b.heard.len, 0);
	assert_int_equal(a.heard.len, 100 * strlen("end 5;"));
	sb_reset(&a.heard);
	session_tasks_unsubscribe(s, hear, &a);
	/* the last who leaves, in the midst: closed when nobody reads any more */
	c.then = leave;
	assert_null(session_tasks_subscribe(s, ENDED, hear, &c, NULL));
	happens(KERN_TASK_ENDED, 6);
	happens(KERN_TASK_ENDED, 7);
	session_tasks_read(s);
	assert_heard(&c, "end 6;");
	assert_int_equal(fake.ntasks, 0);
	/* who reads in the midst hears nothing twice */
	c.then = read_again;
	assert_null(session_tasks_subscribe(s, ENDED, hear, &c, NULL));
	happens(KERN_TASK_ENDED, 8);
	happens(KERN_TASK_ENDED, 9);
	session_tasks_read(s);
	assert_heard(&c, "end 8;end 9;");
	stop(s);
	sb_fini(&a.heard);
	sb_fini(&b.heard);
	sb_fini(&c.heard);
}

static void *
wait_for_end(void *fd)
{
	char c;

	return read(*(int *)fd, &c, 1) ? NULL : NULL;
}

/* Its first thread ends, and then the other; both may be heard of late. */
static void
test_leaderless(void **state)
{
#if defined(__SANITIZE_THREAD__)
	print_message("# skipped: ThreadSanitizer lets no child of fork() begin threads\n");
	skip();
#endif
	struct session *s = start();
	struct listener a = listener(s);
	siginfo_t info;
	int ends[2], thread;
	char text[64];

	assert_null(session_tasks_subscribe(s, ENDED | 1 << KERN_TASK_LEADERLESS, hear, &a,
					    NULL));
	for (int how = 0; how < 4; how++) {
		assert_int_equal(pipe(ends), 0);
		pid_t pid = fork();
		if (!pid) {
			pthread_t t;
			close(ends[1]);
			pthread_create(&t, NULL, wait_for_end, &ends[0]);
			pthread_exit(NULL);
		}
		close(ends[0]);
		while ((thread = sym_living(pid)) == pid)
			usleep(1000);
		assert_int_equal(sym_lives(pid), thread);
		thread_ends(pid, thread + 1);	/* of no interest by now */
		if (how != 1)
			happens(KERN_TASK_ENDED, pid);
		if (how == 0)
			thread_ends(pid, thread);	/* not yet: another look */
		session_tasks_read(s);
		snprintf(text, sizeof(text), "leaderless %d;", (int)pid);
		assert_heard(&a, how != 1 ? text : "");
		if (how == 2) {
			happens(KERN_TASK_EXECUTED, pid);
			session_tasks_read(s);
		}
		close(ends[1]);
		assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
		assert_false(sym_lives(pid));
		assert_int_equal(sym_living(pid), pid);
		if (how == 1)
			happens(KERN_TASK_ENDED, pid);
		else if (how == 3)
			loses(1);
		if (how == 0) {			/* not the one that is remembered: no look */
			thread_ends(pid, thread + 1);
			session_tasks_read(s);
			assert_heard(&a, "");
		}
		thread_ends(pid, thread);
		session_tasks_read(s);
		snprintf(text, sizeof(text), how == 3 ? "end %d;lost 1;" : "end %d;", (int)pid);
		assert_heard(&a, how == 2 ? "" : text);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
	}
	session_tasks_unsubscribe(s, hear, &a);
	stop(s);
	sb_fini(&a.heard);
}

static struct err *
ignore(void *ctx, const struct consume_event *e)
{
	return NULL;
}

/* Does something wait for whoever waits for the session? */
static bool
wakes(const struct session *s)
{
	struct epoll_event ev;

	return epoll_wait(session_fd(s), &ev, 1, 0) == 1;
}

static void
come_and_go(const char *text, int others)
{
	const struct diag_list *diags;
	enum session_status status;
	struct session_prog *p;
	struct session *s = start();
	struct listener a = listener(s);

	assert_null(session_compile(s, NULL, text, strlen(text),
				    PROBE_SPEC_NAME, 0, NULL, 0, &diags, &p));
	assert_null(session_enable(s, p));
	assert_null(session_go(s));
	assert_int_equal(fake.ntasks, others);
	assert_null(session_tasks_subscribe(s, FORKED, hear, &a, NULL));
	assert_int_equal(fake.ntasks, 1);
	assert_false(wakes(s));
	happens(KERN_TASK_FORKED, 0x3fffff00);
	assert_true(wakes(s));
	assert_null(session_step(s, ignore, NULL, &status));
	assert_heard(&a, "fork 1073741568;");
	assert_false(wakes(s));
	session_tasks_unsubscribe(s, hear, &a);
	assert_int_equal(fake.ntasks, others);
	assert_null(session_stop(s));
	stop(s);
	sb_fini(&a.heard);
}

/* While tracing, beside a program that wants names, and without. */
static void
test_tracing(void **state)
{
	come_and_go("BEGIN { x = 1; }", 0);
	come_and_go("syscall::read:entry { ustack(); }", 1);
}

static void
happened(enum kern_task_kind kind, int pid, uint64_t time_ns)
{
	fakekern_task(&(struct kern_task_event){ .kind = kind, .pid = pid,
						 .time_ns = time_ns });
}

/* Who has just executed a program and lives has not ended, whatever is told. */
static void
test_ended(void **state)
{
	struct session *s = start();
	struct listener a = listener(s);
	pid_t pid = fork(), me = getpid();

	if (!pid)
		_exit(0);
	assert_int_equal(waitid(P_PID, (id_t)pid, NULL, WEXITED | WNOWAIT), 0);
	assert_null(session_tasks_subscribe(s, ENDED | EXECUTED, hear, &a, NULL));
	happened(KERN_TASK_EXECUTED, me, 5);
	happened(KERN_TASK_ENDED, me, 6);
	session_tasks_read(s);
	assert_heard(&a, "exec 0;");
	happened(KERN_TASK_EXECUTED, me, 7);	/* by another thread */
	happened(KERN_TASK_ENDED, me, 6);
	session_tasks_read(s);
	assert_heard(&a, "exec 0;end 0;");
	happened(KERN_TASK_EXECUTED, me, 8);	/* and it went on */
	happened(KERN_TASK_MAPPED, me, 9);
	happened(KERN_TASK_ENDED, me, 10);
	session_tasks_read(s);
	assert_heard(&a, "exec 0;end 0;");
	happened(KERN_TASK_EXECUTED, pid, 11);	/* nobody has waited for it */
	happened(KERN_TASK_ENDED, pid, 12);
	session_tasks_read(s);
	assert_heard(&a, "exec 0;end 0;");
	waitpid(pid, NULL, 0);
	stop(s);
	sb_fini(&a.heard);
}

static void
test_failure(void **state)
{
	struct session *s = start();
	struct listener a = listener(s);

	fake.fail_at = fake.ncalls + 1;
	struct err *e = session_tasks_subscribe(s, ENDED, hear, &a, NULL);
	assert_non_null(e);
	assert_int_equal(e->code, ERR_OS);
	err_free(e);
	assert_int_equal(s->tasks.subscribers.n, 0);
	assert_null(session_tasks_subscribe(s, ENDED, hear, &a, NULL));
	happens(KERN_TASK_ENDED, 1);
	session_tasks_read(s);
	assert_heard(&a, "end 1;");
	stop(s);
	sb_fini(&a.heard);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_within),
		cmocka_unit_test(test_leaderless),
		cmocka_unit_test(test_tracing),
		cmocka_unit_test(test_ended),
		cmocka_unit_test(test_failure),
	};

	int failed = cmocka_run_group_tests(tests, NULL, NULL);

	fakekern_reset();
	sb_fini(&fake.log);
	return failed;
}
