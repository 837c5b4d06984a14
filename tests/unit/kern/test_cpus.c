/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The CPUs that are there, as sysfs lists them; in a mount namespace of its own
 * the test says what is in the list.
 */
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/base.h"
#include "kern/kern.h"

#define LIST "/sys/devices/system/cpu/online"

static char path[] = "/tmp/kern-cpus-XXXXXX";

static int
setup(void **state)
{
	int fd = mkstemp(path);

	return fd < 0 || close(fd);
}

static int
teardown(void **state)
{
	umount2(LIST, MNT_DETACH);
	return unlink(path);
}

static bool
mount_list(void)
{
	return unshare(CLONE_NEWNS) == 0 &&
	       mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
	       mount(path, LIST, NULL, MS_BIND, NULL) == 0;
}

static void
test_lists(void **state)
{
	enum { N = 6 };
	static const struct { const char *list; unsigned n, mask; } rows[] = {
		{ "0-5\n", 6, 0x3f }, { "0\n", 1, 0x1 }, { "5\n", 1, 0x20 },
		{ "0-1,3\n", 3, 0xb }, { "1,3-4\n", 3, 0x1a },
		{ "2-2,5", 2, 0x24 },
		/* CPUs that there cannot be, and some that are named twice */
		{ "4-9,12\n", 2, 0x30 }, { "0-2,1-3\n", 4, 0xf },
		/* what comes before nonsense counts */
		{ "1,x,3\n", 1, 0x2 }, { "1,3-\n", 1, 0x2 },
		{ "3-1,0\n", 1, 0x1 },
	};
	uint8_t mask[N + 1];

	if (!mount_list()) {
		print_message("# skipped: no mount namespace\n");
		skip();
	}
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		unsigned got = 0;
		int fd = open(path, O_WRONLY | O_TRUNC);
		ssize_t size = (ssize_t)strlen(rows[i].list);
		assert_int_equal(write(fd, rows[i].list, (size_t)size), size);
		close(fd);
		memset(mask, 0xff, sizeof(mask));
		assert_int_equal(kern_online(mask, N), rows[i].n);
		for (unsigned cpu = 0; cpu < N; cpu++)
			got |= (unsigned)mask[cpu] << cpu;
		assert_int_equal(got, rows[i].mask);
		assert_int_equal(mask[N], 0xff);
	}
	/* Without a list it is the first that are there. */
	assert_int_equal(truncate(path, 0), 0);
	unsigned n = (unsigned)BASE_MIN(sysconf(_SC_NPROCESSORS_ONLN), (long)N);
	assert_int_equal(kern_online(mask, N), n);
	for (unsigned cpu = 0; cpu < N; cpu++)
		assert_int_equal(mask[cpu], cpu < n);
	memset(mask, 0xff, sizeof(mask));
	assert_int_equal(kern_online(mask, 1), 1);
	assert_int_equal(mask[0], 1);
	assert_int_equal(mask[1], 0xff);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_lists, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
