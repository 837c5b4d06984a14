/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The memory that cgroups leave us, by files as those of /proc and /sys.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/base.h"
#include "kern/kern_priv.h"

#define MACHINE 1000000

static void
put(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void
test_limits(void **state)
{
	static const char *const folders[] = {
		"fs", "fs/a", "fs/a/b", "fs/a/b/c", "fs/memory", "fs/memory/m",
		"fs/memory/m/n",
	};
	static const struct { const char *path, *text; } files[] = {
		{ "fs/a/memory.max", "700\n" }, { "fs/a/b/memory.max", "max\n" },
		{ "fs/a/b/c/memory.max", "800\n" },
		{ "fs/memory/memory.limit_in_bytes", "9223372036854771712\n" },
		{ "fs/memory/m/memory.limit_in_bytes", "600\n" },
		{ "fs/memory/m/n/memory.limit_in_bytes", "500\n" },
	};
	static const struct { const char *cgroups; uint64_t want; } rows[] = {
		{ "", MACHINE }, { "what\n", MACHINE }, { "0:what\n", MACHINE },
		{ "0::/\n", MACHINE }, { "0::/a\n", 700 }, { "0::/a", 700 },
		{ "0::/a/b\n", 700 }, { "0::/a/b/c\n", 700 },
		{ "0::/elsewhere/b\n", MACHINE },
		{ "9:cpu:/m\n4:memory:/m/n\n0::/\n", 500 },
		{ "4:memory:/m\n", 600 }, { "4:memory:/\n", MACHINE },
		{ "4:memory:/m/n\n0::/a\n", 500 }, { "4:cpu,cpuacct:/m\n", MACHINE },
	};
	char dir[] = "/tmp/kern-memory-XXXXXX";

	assert_non_null(mkdtemp(dir));
	assert_int_equal(chdir(dir), 0);
	assert_int_equal(kern_memory_in(MACHINE, "none", "fs"), MACHINE);
	for (size_t i = 0; i < BASE_NELEMS(folders); i++)
		assert_int_equal(mkdir(folders[i], 0700), 0);
	for (size_t i = 0; i < BASE_NELEMS(files); i++)
		put(files[i].path, files[i].text);
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		put("cgroups", rows[i].cgroups);
		uint64_t got = kern_memory_in(MACHINE, "cgroups", "fs");
		if (got != rows[i].want)
			fail_msg("%s: %llu", rows[i].cgroups,
				 (unsigned long long)got);
	}
	/* Where a container's own is mounted, whatever its name outside. */
	put("fs/memory.max", "300\n");
	put("cgroups", "0::/elsewhere/b\n");
	assert_int_equal(kern_memory_in(MACHINE, "cgroups", "fs"), 300);

	unlink("cgroups");
	unlink("fs/memory.max");
	for (size_t i = 0; i < BASE_NELEMS(files); i++)
		unlink(files[i].path);
	for (size_t i = BASE_NELEMS(folders); i--;)
		assert_int_equal(rmdir(folders[i]), 0);
	assert_int_equal(rmdir(dir), 0);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
