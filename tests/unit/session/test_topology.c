/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The text of which CPU belongs where: a range for neighbours that are alike.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/base.h"
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

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_ranges) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
