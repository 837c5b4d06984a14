/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The parser's tests; the tables are in the files beside this one.
 */
#include "fixture.h"

enum { TESTS_MAX = 100 };

int
main(void)
{
	static struct CMUnitTest tests[TESTS_MAX];
	const struct {
		const struct CMUnitTest *v;
		size_t n;
	} parts[] = {
		{ lex_tests, n_lex_tests }, { parse_tests, n_parse_tests },
		{ error_tests, n_error_tests },
		{ robust_tests, n_robust_tests },
		{ outline_tests, n_outline_tests },
	};
	size_t n = 0;

	for (size_t i = 0; i < BASE_NELEMS(parts); i++)
		for (size_t j = 0; j < parts[i].n && n < TESTS_MAX; j++)
			tests[n++] = parts[i].v[j];
	/* A row with no function would end the group: there is none. */
	return _cmocka_run_group_tests("lang", tests, n, NULL, NULL);
}
