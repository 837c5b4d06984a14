/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Formats taken apart: pieces, letters, and what goes on behind a mistake.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "pfmt/pfmt.h"

/* The piece as "[literal]text flags width precision size conv arg". */
static void
show(const struct pfmt_conv *c, char *out, size_t size)
{
	char width[16], prec[16];

	snprintf(width, sizeof(width), "%s%s%d", c->dyn_width ? "*" : "",
		 c->addr_width ? "?" : "", c->width);
	snprintf(prec, sizeof(prec), "%s%d", c->dyn_prec ? "*" : "", c->prec);
	snprintf(out, size, "[%.*s]%.*s f%x w%s p%s s%s%s %c a%d",
		 (int)c->lit.n, c->lit.p, (int)c->text.n, c->text.p, c->flags,
		 width, prec, c->size, c->bad_size ? "!" : "",
		 c->conv ? c->conv : '.', c->arg);
}

static void
test_pieces(void **state)
{
	static const struct {
		const char *format;
		const char *want[4];	/* until NULL */
		int last;		/* what pfmt_next() ends with */
	} rows[] = {
		{ "", { NULL }, 0 },
		{ "abc", { "[abc] f0 w-1 p-1 s . a8" }, 0 },
		{ "%d", { "[]%d f0 w-1 p-1 s d a0" }, 0 },
		{ "a%db", { "[a]%d f0 w-1 p-1 s d a0",
			    "[b] f0 w-1 p-1 s . a8" }, 0 },
		{ "100%%", { "[100]%% f0 w-1 p-1 s % a8" }, 0 },
		{ "%-+ #0'@5.3lld",
		  { "[]%-+ #0'@5.3lld f7f w5 p3 sll d a0" }, 0 },
		{ "%10@u", { "[]%10@u f40 w10 p-1 s u a0" }, 0 },
		{ "%@8u", { "[]%@8u f40 w8 p-1 s u a0" }, 0 },
		{ "%?p", { "[]%?p f0 w?-1 p-1 s p a4" }, 0 },
		{ "%*.*s", { "[]%*.*s f0 w*-1 p*-1 s s a2" }, 0 },
		{ "%.s", { "[]%.s f0 w-1 p0 s s a2" }, 0 },
		{ "%08x|%hhX", { "[]%08x f10 w8 p-1 s x a0",
				 "[|]%hhX f0 w-1 p-1 shh X a0" }, 0 },
		{ "%ws%wc", { "[]%ws f0 w-1 p-1 sw s a2",
			      "[]%wc f0 w-1 p-1 sw c a1" }, 0 },
		{ "%Lf", { "[]%Lf f0 w-1 p-1 sL f a3" }, 0 },
		{ "%hs", { "[]%hs f0 w-1 p-1 sh! s a2" }, 0 },
		{ "%Ld", { "[]%Ld f0 w-1 p-1 sL! d a0" }, 0 },
		{ "%wd", { "[]%wd f0 w-1 p-1 sw! d a0" }, 0 },
		{ "%lk", { "[]%lk f0 w-1 p-1 sl! k a7" }, 0 },
		{ "%99999999999d",
		  { "[]%99999999999d f0 w1048577 p-1 s d a0" }, 0 },
		{ "%", { NULL }, -1 },
		{ "x%", { NULL }, -1 },
		{ "%5", { NULL }, -1 },
		{ "%d%q", { "[]%d f0 w-1 p-1 s d a0" }, -1 },
		{ "%1$d", { NULL }, -1 },
		{ "%n", { NULL }, -1 },
		{ "%-%", { NULL }, -1 },
		{ "%5%", { NULL }, -1 },
		{ "%l%", { NULL }, -1 },
	};
	char got[128];

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct pfmt_conv c;
		size_t pos = 0, n = 0;
		int rc;
		while ((rc = pfmt_next(rows[i].format, &pos, &c)) == 1) {
			show(&c, got, sizeof(got));
			assert_non_null(rows[i].want[n]);
			assert_string_equal(got, rows[i].want[n]);
			n++;
		}
		assert_null(rows[i].want[n]);
		assert_int_equal(rc, rows[i].last);
		assert_true(pos <= strlen(rows[i].format));
	}
}

/* Every letter: those that exist say what they want, the rest do not pass. */
static void
test_letters(void **state)
{
	static const struct {
		const char *letters;
		enum pfmt_arg arg;
	} rows[] = {
		{ "dioxXuP", PFMT_ARG_INT }, { "I", PFMT_ARG_NET }, { "cC", PFMT_ARG_CHAR },
		{ "sS", PFMT_ARG_STR }, { "eEfgG", PFMT_ARG_FLOAT },
		{ "ap", PFMT_ARG_ADDR }, { "A", PFMT_ARG_UADDR }, { "YT", PFMT_ARG_TIME },
		{ "k", PFMT_ARG_STACK }, { "%", PFMT_ARG_NONE },
	};

	for (int letter = 1; letter < 256; letter++) {
		char format[3] = { '%', (char)letter, '\0' };
		struct pfmt_conv c;
		size_t pos = 0, row = 0;
		while (row < BASE_NELEMS(rows) &&
		       !strchr(rows[row].letters, letter))
			row++;
		int rc = pfmt_next(format, &pos, &c);
		assert_int_equal(rc, row < BASE_NELEMS(rows) ? 1 : -1);
		assert_int_equal(pos, 2);
		assert_int_equal(c.text.n, 2);
		if (rc == 1)
			assert_int_equal(c.arg, rows[row].arg);
	}
}

/* A conversion that does not exist is shown whole, and reading can go on. */
static void
test_bad_text(void **state)
{
	struct pfmt_conv c;
	size_t pos = 0;

	assert_int_equal(pfmt_next("ab%-5.2llqz", &pos, &c), -1);
	assert_int_equal(c.text.n, strlen("%-5.2llq"));
	assert_memory_equal(c.text.p, "%-5.2llq", c.text.n);
	assert_int_equal(c.lit.n, 2);
	assert_int_equal(pfmt_next("ab%-5.2llqz", &pos, &c), 1);
	assert_int_equal(c.lit.n, 1);
	assert_int_equal(c.conv, 0);
}

static void
test_addresses(void **state)
{
	assert_true(pfmt_names_addresses("%a"));
	assert_true(pfmt_names_addresses("x%d%% %-20A\n"));
	assert_false(pfmt_names_addresses("a%pA%%a%da"));
	assert_false(pfmt_names_addresses("%q%a"));	/* is never printed */
	assert_false(pfmt_names_addresses(""));
	assert_false(pfmt_names_addresses(NULL));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_letters),
		cmocka_unit_test(test_bad_text),
		cmocka_unit_test(test_addresses),
	};
	return cmocka_run_group_tests_name("pfmt", tests, NULL, NULL);
}
