/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The text of which CPU belongs where: a range for neighbours that are alike, and what a
 * machine that is made up says of its first CPU.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/base.h"
#include "kern/kern.h"
#include "session/program_priv.h"

static void
test_ranges(void **state)
{
	static const struct { int ids[8]; unsigned n; const char *want; }
	rows[] = {
		{ { 0 }, 0, "inline int x[int CPU] =\n\t0;\n" },
		{ { 3 }, 1, "inline int x[int CPU] =\n\tCPU < 1 ? 3 :\n\t0;\n" },
		{ { 0, 0, 0, 0 }, 4,
		  "inline int x[int CPU] =\n\tCPU < 4 ? 0 :\n\t0;\n" },
		{ { 0, 0, 1, 1, 0 }, 5,
		  "inline int x[int CPU] =\n\tCPU < 2 ? 0 :\n\tCPU < 4 ? 1 :\n"
		  "\tCPU < 5 ? 0 :\n\t0;\n" },
	};
	struct sb b;

	sb_init(&b, 4096);
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		sb_reset(&b);
		session_topology_inline(&b, "x", rows[i].ids, rows[i].n);
		assert_string_equal(sb_str(&b), rows[i].want);
	}
	sb_fini(&b);
}

/* --- A machine -------------------------------------------------------------- */

static char machine[] = "/tmp/topology.XXXXXX";

FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__real_fopen64(const char *path, const char *mode);
FILE *__wrap_fopen64(const char *path, const char *mode);
DIR *__real_opendir(const char *path);
DIR *__wrap_opendir(const char *path);

/* The same file of the machine: its folder holds what ends in these names. */
static const char *
path_of(const char *path)
{
	static char there[256];
	const char *cpu = strstr(path, "/cpu/");

	snprintf(there, sizeof(there), "%s%s", machine, cpu ? cpu + 4 : "/cpuinfo");
	return there;
}

FILE *
__wrap_fopen(const char *path, const char *mode)
{
	return __real_fopen(path_of(path), mode);
}

FILE *
__wrap_fopen64(const char *path, const char *mode)
{
	return __real_fopen64(path_of(path), mode);
}

DIR *
__wrap_opendir(const char *path)
{
	return __real_opendir(path_of(path));
}

static void
write_file(const char *name, const char *text)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", machine, name);
	FILE *f = __real_fopen(path, "we");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* Of its first CPU only; 0: nothing is known. */
static void
check(int chip, int node, int mhz)
{
	const struct { const char *name; int id; } rows[] = {
		{ "__chip", chip }, { "__node", node }, { "__mhz", mhz },
	};
	unsigned n = kern_ncpus();
	int *ids = calloc(n + 1, sizeof(*ids));
	struct session s = { .a = arena_new() };
	struct sb b;

	sb_init(&b, 1 << 20);
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		ids[0] = rows[i].id;
		session_topology_inline(&b, rows[i].name, ids, n);
	}
	assert_string_equal(session_topology(&s), sb_str(&b));
	sb_fini(&b);
	arena_free(s.a);
	free(ids);
}

static void
test_machine(void **state)
{
	char path[256];

	assert_non_null(mkdtemp(machine));
	check(0, 0, 0);
	for (const char *const *dir = (const char *const[]){ "cpu0", "cpu0/topology",
							     "cpu0/node3", NULL }; *dir; dir++) {
		snprintf(path, sizeof(path), "%s/%s", machine, *dir);
		assert_int_equal(mkdir(path, 0700), 0);
	}
	check(0, 3, 0);
	write_file("cpu0/topology/physical_package_id", "5\n");
	write_file("cpuinfo", "processor\t: 0\ncpu MHz\t\t: 2100.75\n\n"
		   "processor\t: 100000\ncpu MHz\t\t: 9.0\n");
	check(5, 3, 2100);
	for (const char *const *name = (const char *const[]){ "cpuinfo",
		"cpu0/topology/physical_package_id", "cpu0/topology", "cpu0/node3", "cpu0", "",
		NULL }; *name; name++) {
		snprintf(path, sizeof(path), "%s/%s", machine, *name);
		assert_int_equal(remove(path), 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ranges), cmocka_unit_test(test_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
