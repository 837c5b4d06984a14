/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The thread that makes tables for stacks: what it is told it hears, all of it and in
 * order, and it does nothing without a reason.  What it does then is test_unwind.c's.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "kengine/unwind_priv.h"
#include "support/assertok.h"
#include "support/countopen.h"
#include "util/alloc.h"
#include "util/clock.h"
#include "util/thread.h"

enum { MANY = 1000 };

static struct kengine_unwind u;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
	unsigned nbegun, nturns, nheard, nthreads;
	bool no_threads, is_slow;
	uint64_t turned_ns;		/* the latest turn, as it was told */
	struct { enum unwind_kind kind; int n; char path[32]; bool is_open; } heard[MANY];
} seen;
static sem_t heard_one, go_on;
static int asks[2];

void __wrap_unwind_begin(struct kengine_unwind *w);
void __wrap_unwind_hear(struct kengine_unwind *w, const struct unwind_told *t);
void __wrap_unwind_turn(struct kengine_unwind *w, uint64_t now);
int __real_util_thread(pthread_t *ret, void *(*fn)(void *), void *arg);
int __wrap_util_thread(pthread_t *ret, void *(*fn)(void *), void *arg);

void
__wrap_unwind_begin(struct kengine_unwind *w)
{
	assert_ptr_equal(w, &u);
	pthread_mutex_lock(&lock);
	seen.nbegun += !seen.nturns && !seen.nheard;
	pthread_mutex_unlock(&lock);
}

void
__wrap_unwind_hear(struct kengine_unwind *w, const struct unwind_told *t)
{
	pthread_mutex_lock(&lock);
	unsigned i = seen.nheard++;
	seen.heard[i].kind = t->kind;
	seen.heard[i].n = t->n;
	snprintf(seen.heard[i].path, sizeof(seen.heard[i].path), "%s",
		 t->path ? t->path : "none");
	seen.heard[i].is_open = fcntl(t->n, F_GETFD) >= 0;
	pthread_mutex_unlock(&lock);
	if (seen.is_slow) {
		sem_post(&heard_one);
		sem_wait(&go_on);
	}
}

void
__wrap_unwind_turn(struct kengine_unwind *w, uint64_t now)
{
	char bytes[8];

	pthread_mutex_lock(&lock);
	seen.nturns++;
	seen.turned_ns = now;
	if (now >= w->next_ns)
		w->next_ns = UINT64_MAX;
	(void)!read(asks[0], bytes, sizeof(bytes));
	pthread_mutex_unlock(&lock);
}

int
__wrap_util_thread(pthread_t *ret, void *(*fn)(void *), void *arg)
{
	seen.nthreads++;
	return seen.no_threads ? EAGAIN : __real_util_thread(ret, fn, arg);
}

static unsigned
turns(void)
{
	pthread_mutex_lock(&lock);
	unsigned n = seen.nturns;
	pthread_mutex_unlock(&lock);
	return n;
}

/* Until there have been more turns than that. */
static void
await_turn(unsigned than)
{
	for (unsigned i = 0; turns() <= than && i < 20000; i++)
		usleep(1000);
	assert_true(turns() > than);
}

static uint64_t
turned(void)
{
	pthread_mutex_lock(&lock);
	uint64_t ns = seen.turned_ns;
	pthread_mutex_unlock(&lock);
	return ns;
}

static void
await_turn_at(uint64_t ns)
{
	for (unsigned i = 0; turned() < ns && i < 20000; i++)
		usleep(1000);
	assert_in_range(turned(), ns, UINT64_MAX);
}

/* Until it waits: in a while without a reason there is no turn. */
static unsigned
await_quiet(void)
{
	unsigned n;

	do {
		n = turns();
		usleep(20000);
	} while (turns() != n);
	return n;
}

static int
begin(void **state)
{
	memset(&seen, 0, sizeof(seen));
	memset(&u, 0, sizeof(u));
	assert_int_equal(pipe2(asks, O_NONBLOCK | O_CLOEXEC), 0);
	sem_init(&heard_one, 0, 0);
	sem_init(&go_on, 0, 0);
	u.next_ns = UINT64_MAX;
	u.asks_fd = asks[0];
	assert_ok(unwind_worker_new(&u.worker));
	return 0;
}

static int
end(void **state)
{
	close(asks[0]);
	close(asks[1]);
	return 0;
}

static bool
is_set(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, 0) == 1;
}

static void
test_heard(void **state)
{
	char path[] = "/bin/true";
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	assert_ok(unwind_worker_start(&u));
	unwind_tell(&u.worker, UNWIND_TOLD_TRACED, 1, NULL);
	unwind_tell(&u.worker, UNWIND_TOLD_PROGRAM, 2, path);
	path[1] = 'X';			/* it was copied */
	unwind_tell(&u.worker, UNWIND_TOLD_FILE, fd, NULL);
	for (int i = 3; i < MANY; i++)
		unwind_tell(&u.worker, UNWIND_TOLD_MAPPED, i, NULL);
	unwind_settle(&u.worker);
	assert_int_equal(seen.nheard, MANY);
	assert_int_equal(seen.nbegun, 1);
	assert_int_equal(seen.heard[0].kind, UNWIND_TOLD_TRACED);
	assert_int_equal(seen.heard[0].n, 1);
	assert_string_equal(seen.heard[0].path, "none");
	assert_int_equal(seen.heard[1].kind, UNWIND_TOLD_PROGRAM);
	assert_string_equal(seen.heard[1].path, "/bin/true");
	assert_int_equal(seen.heard[2].kind, UNWIND_TOLD_FILE);
	assert_int_equal(seen.heard[2].n, fd);
	assert_true(seen.heard[2].is_open);
	assert_int_equal(fcntl(fd, F_GETFD), -1);	/* and closed then */
	for (int i = 3; i < MANY; i++)
		assert_int_equal(seen.heard[i].n, i);
	unwind_worker_end(&u.worker);
}

/* Who settles waits for what is being heard, too; what is told meanwhile comes then. */
static void
test_settle(void **state)
{
	seen.is_slow = true;
	assert_ok(unwind_worker_start(&u));
	unwind_tell(&u.worker, UNWIND_TOLD_TRACED, 1, NULL);
	sem_wait(&heard_one);
	unwind_tell(&u.worker, UNWIND_TOLD_TRACED, 2, NULL);
	assert_true(u.worker.is_busy);
	sem_post(&go_on);
	sem_wait(&heard_one);
	sem_post(&go_on);
	unwind_settle(&u.worker);
	assert_false(u.worker.is_busy);
	assert_int_equal(seen.nheard, 2);
	unwind_worker_end(&u.worker);
}

/* A turn when something is told, asked or due, and no others. */
static void
test_turns(void **state)
{
	assert_ok(unwind_worker_start(&u));
	await_turn(0);
	unsigned n = await_quiet();
	assert_true(n <= 2);
	unwind_tell(&u.worker, UNWIND_TOLD_ENDED, 1, NULL);
	await_turn(n);
	assert_int_equal(await_quiet(), n + 1);
	assert_int_equal(write(asks[1], "x", 1), 1);
	await_turn(n + 1);
	assert_int_equal(await_quiet(), n + 2);
	pthread_mutex_lock(&lock);
	uint64_t due = u.next_ns = clock_ns() + 1500000000;
	pthread_mutex_unlock(&lock);
	unwind_tell(&u.worker, UNWIND_TOLD_ENDED, 1, NULL);
	await_turn_at(due);
	/* two, unless it was not heard before it was due */
	assert_in_range(await_quiet(), n + 3, n + 4);
	unwind_worker_end(&u.worker);
}

static void
test_wanted(void **state)
{
	unwind_pids pids;

	assert_false(is_set(u.worker.wants));
	unwind_take_wanted(&u.worker, &pids);
	assert_int_equal(pids.n, 0);
	for (int i = 0; i < 100; i++)
		unwind_want(&u.worker, i);
	assert_true(is_set(u.worker.wants));
	unwind_take_wanted(&u.worker, &pids);
	assert_int_equal(pids.n, 100);
	for (int i = 0; i < 100; i++)
		assert_int_equal(pids.v[i], i);
	assert_false(is_set(u.worker.wants));
	vec_fini(&pids);
	unwind_take_wanted(&u.worker, &pids);
	assert_int_equal(pids.n, 0);
	unwind_want(&u.worker, 5);
	assert_true(is_set(u.worker.wants));
	unwind_worker_end(&u.worker);
}

static void *
end_worker(void *arg)
{
	unwind_worker_end(arg);
	return NULL;
}

/* Who ends hears no more, and leaves nothing open. */
static void
test_ends(void **state)
{
	int first = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int second = open("/dev/null", O_RDONLY | O_CLOEXEC);
	pthread_t ender;

	seen.is_slow = true;
	assert_ok(unwind_worker_start(&u));
	unwind_tell(&u.worker, UNWIND_TOLD_TRACED, 1, NULL);
	sem_wait(&heard_one);
	unwind_tell(&u.worker, UNWIND_TOLD_FILE, first, NULL);
	unwind_tell(&u.worker, UNWIND_TOLD_PROGRAM, 0, "/bin/true");
	assert_int_equal(pthread_create(&ender, NULL, end_worker, &u.worker), 0);
	while (!unwind_stops(&u.worker))
		usleep(1000);
	sem_post(&go_on);
	pthread_join(ender, NULL);
	assert_int_equal(seen.nheard, 1);
	assert_int_equal(fcntl(first, F_GETFD), -1);
	/* One that never ran. */
	u.worker = (struct unwind_worker){ .runs = false };
	assert_ok(unwind_worker_new(&u.worker));
	unwind_tell(&u.worker, UNWIND_TOLD_FILE, second, NULL);
	unwind_tell(&u.worker, UNWIND_TOLD_PROGRAM, 0, "/bin/true");
	unwind_settle(&u.worker);
	unwind_worker_end(&u.worker);
	assert_int_equal(seen.nheard, 1);
	assert_int_equal(fcntl(second, F_GETFD), -1);
}

static void
test_no_memory(void **state)
{
	for (unsigned nth = 1; nth <= 2; nth++) {
		int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
		util_alloc_fail(nth, 1);
		unwind_tell(&u.worker, UNWIND_TOLD_FILE, fd, "/bin/true");
		util_alloc_fail(0, 0);
		assert_int_equal(u.worker.told.n, 0);
		assert_false(is_set(u.worker.wake));
		assert_int_equal(fcntl(fd, F_GETFD), -1);
	}
	unwind_tell(&u.worker, UNWIND_TOLD_TRACED, 1, NULL);
	assert_true(is_set(u.worker.wake));
	unwind_worker_end(&u.worker);
	/* nor a thread */
	u.worker = (struct unwind_worker){ .runs = false };
	assert_ok(unwind_worker_new(&u.worker));
	seen.no_threads = true;
	struct err *e = unwind_worker_start(&u);
	assert_non_null(e);
	assert_int_equal(e->os, EAGAIN);
	err_free(e);
	unwind_worker_end(&u.worker);
	assert_int_equal(seen.nthreads, 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_heard, begin, end),
		cmocka_unit_test_setup_teardown(test_settle, begin, end),
		cmocka_unit_test_setup_teardown(test_turns, begin, end),
		cmocka_unit_test_setup_teardown(test_wanted, begin, end),
		cmocka_unit_test_setup_teardown(test_ends, begin, end),
		cmocka_unit_test_setup_teardown(test_no_memory, begin, end),
	};

	return cmocka_run_group_tests(tests, count_open_begin, count_open_end);
}
