/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How many firings are missing, by when those fire that do.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "abi/interval.h"
#include "base/base.h"

enum { MAX = 8, PERIOD = 1000 };

/* It begins at 10000; then a firing, and how many are missing before it. */
struct row {
	struct { uint64_t at, missed; } fires[MAX];
	uint64_t end, missed;		/* behind the last */
};

static const struct row rows[] = {
	/* on the grid, and at last between two of its points */
	{ { { 10400, 0 }, { 11400, 0 }, { 12400, 0 } }, 12900, 0 },
	/* late, but none is missing */
	{ { { 10400, 0 }, { 12300, 0 }, { 12410, 0 }, { 13400, 0 } }, 14000, 0 },
	/* one is; two are */
	{ { { 10400, 0 }, { 12400, 1 }, { 15400, 2 }, { 16400, 0 } }, 17000, 0 },
	/* the first that fires is late: the grid lies earlier */
	{ { { 10900, 0 }, { 11400, 0 }, { 12400, 0 }, { 14400, 1 } }, 14500, 0 },
	{ { { 10900, 0 }, { 11890, 0 }, { 12881, 0 }, { 14400, 0 } }, 14500, 0 },
	/* before the first */
	{ { { 14400, 4 }, { 15400, 0 } }, 15500, 0 },
	/* behind the last; none ever */
	{ { { 10400, 0 } }, 15500, 4 },
	{ { { 0, 0 } }, 10900, 0 },
	{ { { 0, 0 } }, 20100, 9 },
};

static void
test_missing(void **state)
{
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct abi_interval v = { .begun = 10000 };
		for (unsigned k = 0; k < MAX && rows[i].fires[k].at; k++) {
			uint64_t n = abi_interval_fire(&v, rows[i].fires[k].at,
						       PERIOD);
			if (n != rows[i].fires[k].missed)
				fail_msg("row %zu, firing %u: %llu", i, k,
					 (unsigned long long)n);
		}
		uint64_t n = abi_interval_end(&v, rows[i].end, PERIOD);
		if (n != rows[i].missed)
			fail_msg("row %zu, at the end: %llu", i,
				 (unsigned long long)n);
	}
}

/* Where nothing is attached nothing is missing. */
static void
test_nowhere(void **state)
{
	struct abi_interval v = { 0 };

	assert_int_equal(abi_interval_end(&v, 1000000, PERIOD), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_nowhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
