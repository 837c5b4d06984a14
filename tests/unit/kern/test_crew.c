/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Slow system calls at once: each is made once, by as many threads as there are CPUs for
 * them, or by as many as there are calls.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "base/base.h"
#include "kern/kern_priv.h"
#include "util/thread.h"

enum { MOST = 16, CALLS = 40, PATIENCE = 10 /* seconds, when nobody comes */ };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct {
	unsigned ncalls[CALLS];
	unsigned meet;		/* so many wait for each other */
	unsigned now, most;	/* that are in a call, and were at once */
	unsigned nothers;	/* calls by another thread than the test's */
	unsigned nthreads, refuse_at;
	pthread_t own;
	bool is_late;
} t;

int __real_util_thread(pthread_t *ret, void *(*fn)(void *), void *arg);
int __wrap_util_thread(pthread_t *ret, void *(*fn)(void *), void *arg);

int
__wrap_util_thread(pthread_t *ret, void *(*fn)(void *), void *arg)
{
	if (++t.nthreads == t.refuse_at)
		return EAGAIN;
	return __real_util_thread(ret, fn, arg);
}

static void
call(void *ctx, uint32_t i)
{
	struct timespec end;

	assert_ptr_equal(ctx, &t);
	assert_true(i < CALLS);
	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += PATIENCE;
	pthread_mutex_lock(&lock);
	t.ncalls[i]++;
	t.nothers += !pthread_equal(t.own, pthread_self());
	t.now++;
	t.most = BASE_MAX(t.most, t.now);
	pthread_cond_broadcast(&changed);
	while (t.most < t.meet && !t.is_late)
		t.is_late = pthread_cond_timedwait(&changed, &lock, &end) == ETIMEDOUT;
	t.now--;
	pthread_mutex_unlock(&lock);
}

static void
begin(unsigned meet)
{
	memset(&t, 0, sizeof(t));
	t.meet = meet;
	t.own = pthread_self();
}

static void
expect_calls(unsigned n)
{
	assert_false(t.is_late);
	for (unsigned i = 0; i < CALLS; i++)
		assert_int_equal(t.ncalls[i], i < n);
}

static unsigned
ncpus(void)
{
	cpu_set_t set;

	assert_int_equal(sched_getaffinity(0, sizeof(set), &set), 0);
	return (unsigned)CPU_COUNT(&set);
}

static void
test_once(void **state)
{
	for (unsigned n = 0; n <= CALLS; n++) {
		begin(0);
		kern_crew(n, call, &t);
		expect_calls(n);
		assert_true(t.most <= BASE_MIN(n, ncpus()));
		begin(0);
		kern_crew_waits(n, call, &t);
		expect_calls(n);
	}
}

/* One by itself is not worth a thread; two are, where there are CPUs for them. */
static void
test_cpus(void **state)
{
	begin(1);
	kern_crew(1, call, &t);
	expect_calls(1);
	assert_int_equal(t.nthreads, 0);
	begin(BASE_MIN(2, ncpus()));
	kern_crew(2, call, &t);
	expect_calls(2);
	assert_int_equal(t.nthreads, t.meet - 1);
	begin(BASE_MIN(MOST, ncpus()));
	kern_crew(CALLS, call, &t);
	expect_calls(CALLS);
	assert_int_equal(t.nthreads, t.meet - 1);
}

/* Where we may run on one CPU alone, there are no others; but who only waits needs none. */
static void
test_one_cpu(void **state)
{
	cpu_set_t all, one;
	int cpu = 0;

	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	while (!CPU_ISSET(cpu, &all))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	begin(1);
	kern_crew(CALLS, call, &t);
	expect_calls(CALLS);
	assert_int_equal(t.nthreads, 0);
	assert_int_equal(t.nothers, 0);
	for (unsigned n = 1; n <= MOST; n++) {
		begin(n);
		kern_crew_waits(n, call, &t);
		expect_calls(n);
		assert_int_equal(t.nthreads, n - 1);
	}
	begin(MOST);
	kern_crew_waits(CALLS, call, &t);
	expect_calls(CALLS);
	assert_int_equal(t.most, MOST);
	assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
}

/* Without threads, or without more of them, those that are there do it all. */
static void
test_no_threads(void **state)
{
	begin(1);
	t.refuse_at = 1;
	kern_crew_waits(CALLS, call, &t);
	expect_calls(CALLS);
	assert_int_equal(t.nthreads, 1);
	assert_int_equal(t.nothers, 0);
	begin(3);
	t.refuse_at = 3;
	kern_crew_waits(CALLS, call, &t);
	expect_calls(CALLS);
	assert_int_equal(t.nthreads, 3);
	assert_int_equal(t.most, 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_once),
		cmocka_unit_test(test_cpus),
		cmocka_unit_test(test_one_cpu),
		cmocka_unit_test(test_no_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
