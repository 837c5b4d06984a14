/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What is told of a verifier's log: its last lines, as many as fit, without
 * its statistics; for each room there may be.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/base.h"
#include "kern/kern_priv.h"

static void
check(const char *log, size_t size, const char *want)
{
	char ret[64];

	memset(ret, 'z', sizeof(ret));
	kern_log_tail(log, ret, size);
	if (strcmp(ret, want))
		fail_msg("%zu bytes of \"%s\": \"%s\"", size, log, ret);
	for (size_t i = size; i < sizeof(ret); i++)
		assert_int_equal(ret[i], 'z');
}

static void
test_lines(void **state)
{
	static const struct { const char *log, *want; } rows[] = {
		{ "", "" }, { "\n", "" }, { "\n\n\n", "" }, { "one", "one" },
		{ "one\n", "one" }, { "one\ntwo", "one; two" },
		{ "one\ntwo\nthree\n", "one; two; three" },
		{ "\none\n\n\ntwo\n\n", "one; two" },
		{ "a\nb\nc\nd", "a; b; c; d" },
		{ "why\nprocessed 7 insns\n", "why" },
		{ "why\nverification time 12 usec\nstack depth 0\n", "why" },
		{ "processed 7", "" }, { "processed", "processed" },
		{ " processed 7", " processed 7" },
		{ "stack depth 0\nwhy\nstack depths", "why; stack depths" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		check(rows[i].log, 64, rows[i].want);
}

/* A line is told whole or not at all, and so are those before it. */
static void
test_room(void **state)
{
	static const char log[] = "first\nsecond\n\nth\nprocessed 3\n";
	static const struct { size_t size; const char *want; } rows[] = {
		{ 64, "first; second; th" },
		{ 18, "first; second; th" }, { 17, "second; th" },
		{ 11, "second; th" }, { 10, "th" }, { 4, "th" }, { 3, "th" },
		{ 2, "" }, { 1, "" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		check(log, rows[i].size, rows[i].want);
	/* What does not fit ends it: no line is told without the one behind. */
	check("a\nmuch too long\nb\n", 8, "b");
	check("a\nmuch too long\n", 8, "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_room),
	};

	return cmocka_run_group_tests_name("kern-log", tests, NULL, NULL);
}
