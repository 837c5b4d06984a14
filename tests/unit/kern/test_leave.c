/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Links are detached in the background, each once: by the thread, together while that waits
 * for the kernel; by the caller where there is no thread; and all before the end returns.
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "kern/kern.h"
#include "support/await.h"
#include "util/thread.h"

enum { MAX = 1000 };

static char link_of[MAX];	/* a link is the address of one of them */
static unsigned ndetached[MAX];	/* atomic, as what follows */
static unsigned ncalls;
static sem_t detaches, may_go;
static bool slow, no_thread;

void __wrap_kern_detach_all(struct kern_link *const *l, size_t n);
int __real_util_thread(pthread_t *ret, void *(*fn)(void *), void *arg);
int __wrap_util_thread(pthread_t *ret, void *(*fn)(void *), void *arg);

static struct kern_link *
link_at(unsigned i)
{
	return (struct kern_link *)&link_of[i];
}

void
__wrap_kern_detach_all(struct kern_link *const *l, size_t n)
{
	if (slow) {
		sem_post(&detaches);
		(void)await(&may_go);
	}
	for (size_t i = 0; i < n; i++)
		__atomic_add_fetch(&ndetached[(const char *)l[i] - link_of], 1,
				   __ATOMIC_RELAXED);
	__atomic_add_fetch(&ncalls, 1, __ATOMIC_RELAXED);
}

int
__wrap_util_thread(pthread_t *ret, void *(*fn)(void *), void *arg)
{
	return no_thread ? EAGAIN : __real_util_thread(ret, fn, arg);
}

static int
setup(void **state)
{
	memset(ndetached, 0, sizeof(ndetached));
	ncalls = 0;
	slow = no_thread = false;
	sem_init(&detaches, 0, 0);
	sem_init(&may_go, 0, 0);
	return 0;
}

static void
assert_once(unsigned from, unsigned to)
{
	for (unsigned i = 0; i < MAX; i++)
		assert_int_equal(ndetached[i], i >= from && i < to);
}

static void
test_each_once(void **state)
{
	struct kern_leaving *v = NULL;

	for (unsigned i = 0; i < MAX; i++)
		kern_leave(&v, link_at(i));
	assert_non_null(v);
	kern_leave_end(&v);
	assert_null(v);
	assert_once(0, MAX);
}

/* What comes while the kernel takes its time is detached at one go, and nobody waits. */
static void
test_together(void **state)
{
	struct kern_leaving *v = NULL;

	slow = true;
	kern_leave(&v, link_at(0));
	assert_true(await(&detaches));
	for (unsigned i = 1; i < 10; i++)
		kern_leave(&v, link_at(i));
	sem_post(&may_go);
	sem_post(&may_go);
	kern_leave_end(&v);
	assert_once(0, 10);
	assert_int_equal(ncalls, 2);
}

/* After an end there can be a beginning. */
static void
test_again(void **state)
{
	struct kern_leaving *v = NULL;

	kern_leave_end(&v);
	kern_leave(&v, link_at(3));
	kern_leave_end(&v);
	kern_leave(&v, link_at(4));
	kern_leave_end(&v);
	assert_once(3, 5);
}

static void
test_no_thread(void **state)
{
	struct kern_leaving *v = NULL;

	no_thread = true;
	kern_leave(&v, link_at(7));
	assert_null(v);
	assert_once(7, 8);
	kern_leave_end(&v);
	assert_once(7, 8);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_each_once, setup),
		cmocka_unit_test_setup(test_together, setup),
		cmocka_unit_test_setup(test_again, setup),
		cmocka_unit_test_setup(test_no_thread, setup),
	};

	return cmocka_run_group_tests_name("kern-leave", tests, NULL, NULL);
}
