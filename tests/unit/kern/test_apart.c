/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What is done where nobody can kill it: with this process's memory and files, while
 * no signal comes through, and with its answer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <signal.h>
#include <unistd.h>
#include <cmocka.h>

#include "kern/kern_priv.h"
#include "util/alloc.h"

struct seen {
	sigset_t blocked;
	unsigned runs;
	int fd;
};

static int
look(void *ctx)
{
	struct seen *s = ctx;

	s->runs++;
	sigprocmask(SIG_BLOCK, NULL, &s->blocked);
	s->fd = dup(0);
	return -7;
}

static void
test_apart(void **state)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGUSR1, SIGCHLD, SIGHUP };
	struct seen s = { 0 };
	sigset_t some, now;

	sigemptyset(&some);
	sigaddset(&some, SIGUSR1);
	sigprocmask(SIG_SETMASK, &some, NULL);
	assert_int_equal(kern_apart(look, &s), -7);
	assert_int_equal(s.runs, 1);
	for (unsigned i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		assert_true(sigismember(&s.blocked, signals[i]));
	assert_int_equal(close(s.fd), 0);	/* it is ours */
	sigprocmask(SIG_SETMASK, NULL, &now);
	for (unsigned i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		assert_int_equal(sigismember(&now, signals[i]),
				 signals[i] == SIGUSR1);
}

/* Without memory it is done here. */
static void
test_no_memory(void **state)
{
	struct seen s = { 0 };

	util_alloc_fail(1, 0);
	int ret = kern_apart(look, &s);
	util_alloc_fail(0, 0);
	assert_int_equal(ret, -7);
	assert_int_equal(s.runs, 1);
	close(s.fd);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_apart),
		cmocka_unit_test(test_no_memory),
	};

	return cmocka_run_group_tests_name("kern-apart", tests, NULL, NULL);
}
