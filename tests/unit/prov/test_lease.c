/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Who opens files to write to them, and how long that takes.
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "prov/lease.h"
#include "prov/user.h"
#include "util/clock.h"

enum { MANY = 70, MOST_KEPT = 64 };
static const uint64_t patience = 1000000000;

static struct prov_object objects[MANY];
static char paths[MANY][32];
static struct prov_leases *leases;

static void
begin(void)
{
	for (int i = 0; i < MANY; i++) {
		strcpy(paths[i], "/tmp/lease.XXXXXX");
		int fd = mkstemp(paths[i]);
		assert_true(fd >= 0);
		close(fd);
		objects[i].fd = open(paths[i], O_RDONLY | O_CLOEXEC);
		assert_true(objects[i].fd >= 0);
	}
	leases = prov_leases_new();
	assert_non_null(leases);
}

static int
end(void **state)
{
	prov_leases_free(leases);
	leases = NULL;
	for (int i = 0; i < MANY; i++) {
		unlink(paths[i]);
		if (objects[i].fd >= 0)
			close(objects[i].fd);
	}
	return 0;
}

static bool
is_open_for(int i, int flags)
{
	int fd = open(paths[i], flags | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool
has_news(int timeout)
{
	struct pollfd p = { .fd = prov_leases_fd(leases), .events = POLLIN };

	return poll(&p, 1, timeout) == 1;
}

/* Who only reads is no concern; who would write is told of, and waits until it is given. */
static void
test_given(void **state)
{
	begin();
	assert_true(prov_lease_take(leases, &objects[0]));
	assert_true(is_open_for(0, O_RDONLY));
	assert_false(has_news(20) || prov_lease_is_wanted(leases, &objects[0]));
	assert_false(is_open_for(0, O_WRONLY));
	assert_true(has_news(-1));
	assert_true(prov_lease_is_wanted(leases, &objects[0]));
	assert_false(prov_lease_is_wanted(leases, &objects[1]));
	prov_leases_read(leases);
	assert_false(has_news(0));
	prov_lease_give(leases, &objects[0]);
	assert_true(is_open_for(0, O_WRONLY));
	prov_lease_give(leases, &objects[1]);
}

static void *
cut(void *ctx)
{
	uint64_t *took = ctx, from = clock_ns();

	assert_false(truncate(paths[0], 1));
	*took = clock_ns() - from;
	return NULL;
}

/* Nobody gives it: who waits is let go on after a second. */
static void
test_patience(void **state)
{
	uint64_t took;
	pthread_t t;

	begin();
	assert_true(prov_lease_take(leases, &objects[0]));
	assert_int_equal(pthread_create(&t, NULL, cut, &took), 0);
	pthread_join(t, NULL);
	assert_true(took >= patience);
	assert_true(has_news(-1));
	assert_true(prov_lease_is_wanted(leases, &objects[0]));
	assert_true(is_open_for(0, O_WRONLY));
	prov_lease_give(leases, &objects[0]);
}

/* While somebody writes there is no lease. */
static void
test_writing(void **state)
{
	begin();
	int fd = open(paths[0], O_WRONLY | O_CLOEXEC);
	assert_false(prov_lease_take(leases, &objects[0]));
	close(fd);
	assert_true(prov_lease_take(leases, &objects[0]));
}

static void *
write_slowly(void *ctx)
{
	int fd = open(paths[0], O_WRONLY | O_CLOEXEC);

	nanosleep(&(struct timespec){ 0, 20 * 1000 * 1000 }, NULL);
	__atomic_store_n((bool *)ctx, true, __ATOMIC_SEQ_CST);
	close(fd);
	return NULL;
}

/* Whoever gives it goes on when that has been written, or after 0.2 s. */
static void
test_written(void **state)
{
	const uint64_t most = patience / 5;
	bool has = false;
	pthread_t t;

	begin();
	assert_true(prov_lease_take(leases, &objects[0]));
	assert_int_equal(pthread_create(&t, NULL, write_slowly, &has), 0);
	assert_true(has_news(-1));
	uint64_t from = clock_ns();
	prov_lease_give(leases, &objects[0]);
	assert_true(__atomic_load_n(&has, __ATOMIC_SEQ_CST) || clock_ns() - from >= most);
	pthread_join(t, NULL);
}

/* Of files that are closed, so many are kept, the last. */
static void
test_kept(void **state)
{
	begin();
	assert_false(prov_lease_keep(NULL, &objects[0]));
	assert_false(prov_lease_keep(leases, &objects[0]));
	for (int i = 0; i < MANY; i++) {
		assert_true(prov_lease_take(leases, &objects[i]));
		assert_true(prov_lease_keep(leases, &objects[i]));
		objects[i].fd = -1;
		objects[i].fd = open(paths[i], O_RDONLY | O_CLOEXEC);
		/* Another descriptor of it is its owner's. */
		assert_false(prov_lease_keep(leases, &objects[i]));
	}
	for (int i = 0; i < MANY; i++)
		assert_int_equal(is_open_for(i, O_WRONLY), i < MANY - MOST_KEPT);
	prov_lease_give(leases, &objects[MANY - 1]);
	assert_true(is_open_for(MANY - 1, O_WRONLY));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_given, end),
		cmocka_unit_test_teardown(test_patience, end),
		cmocka_unit_test_teardown(test_writing, end),
		cmocka_unit_test_teardown(test_written, end),
		cmocka_unit_test_teardown(test_kept, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
