/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Text and numbers on pages.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/base.h"
#include "fmt/page.h"

static void
test_text(void **state)
{
	static const struct {
		const char *text;
		size_t max;
		const char *want;
	} rows[] = {
		{ "", 0, "" }, { "", 1, "" }, { "a", 1, "a" },
		{ "abc", 3, "abc" }, { "abcd", 3, "a.." },
		{ "abc", 2, ".." }, { "abc", 1, ".." }, { "abc", 0, ".." },
		{ "<&>\"", 9, "&lt;&amp;&gt;&quot;" },
		/* characters, not bytes */
		{ "\u00e4\u00f6\u00fc", 3, "\u00e4\u00f6\u00fc" },
		{ "\u00e4\u00f6\u00fc\u00df", 3, "\u00e4.." },
		{ "a\xff" "b", 3, "a\ufffd" "b" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct sb b;

		sb_init(&b, 1000);
		fmt_page_text(&b, rows[i].text, strlen(rows[i].text),
			      rows[i].max);
		sb_putc(&b, '\0');
		assert_string_equal(b.p, rows[i].want);
		sb_fini(&b);
	}
}

static void
test_number(void **state)
{
	static const struct {
		int64_t v;
		const char *want;
	} rows[] = {
		{ 0, "0" }, { 999, "999" }, { 1000, "1\u202f000" },
		{ -999, "\u2212999" }, { -1000, "\u22121\u202f000" },
		{ 1234567, "1\u202f234\u202f567" }, { 1000001, "1\u202f000\u202f001" },
		{ INT64_MAX, "9\u202f223\u202f372\u202f036\u202f854\u202f775\u202f807" },
		{ INT64_MIN, "\u22129\u202f223\u202f372\u202f036\u202f854\u202f775\u202f808" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct sb b;

		sb_init(&b, 1000);
		fmt_page_number(&b, rows[i].v);
		sb_putc(&b, '\0');
		assert_string_equal(b.p, rows[i].want);
		sb_fini(&b);
	}
}

/* A page names its program, and shows it. */
static void
test_open(void **state)
{
	struct sb b;

	sb_init(&b, 1 << 20);
	fmt_page_open(&b, "Heat", "a<b\nc", "STYLE", "MORE");
	sb_putc(&b, '\0');
	assert_non_null(strstr(b.p, "<title>Heat: a&lt;b</title>"));
	assert_non_null(strstr(b.p, "STYLEMORE"));
	assert_non_null(strstr(b.p, "<pre class=\"program\">a&lt;b\nc</pre>\n"));
	assert_null(strstr(b.p, "{{"));
	sb_reset(&b);
	fmt_page_open(&b, "Heat", NULL, "", "");
	sb_putc(&b, '\0');
	assert_non_null(strstr(b.p, "<title>Heat</title>"));
	assert_null(strstr(b.p, "<pre"));
	sb_reset(&b);
	fmt_page_close(&b);
	sb_putc(&b, '\0');
	assert_non_null(strstr(b.p, "</html>"));
	sb_fini(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_open),
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
