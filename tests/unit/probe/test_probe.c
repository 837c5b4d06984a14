/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Names of probes: globs, parsing, matching, which name is nearest; stability.
 * Globs and distances are compared with slow definitions of themselves, on all
 * short strings.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "probe/probe.h"
#include "util/alloc.h"

/* --- Globs ---------------------------------------------------------------- */

static void
test_glob(void **state)
{
	static const struct {
		const char *pattern, *s;
		bool match;
	} rows[] = {
		{ "", "", true }, { "", "anything", true },
		{ "read", "read", true }, { "read", "pread", false },
		{ "read", "reads", false }, { "read", "", false },
		{ "*", "", true }, { "*", "read", true }, { "**", "", true },
		{ "r*", "read", true }, { "*d", "read", true },
		{ "*ea*", "read", true }, { "r*d*", "read", true },
		{ "*x*", "read", false }, { "a*b*c", "abbc", true },
		{ "a*b*c", "abcb", false }, { "*abc", "ababc", true },
		{ "*aab", "aaab", true }, { "a*a", "a", false },
		{ "?", "", false }, { "?", "a", true }, { "?", "ab", false },
		{ "r??d", "read", true }, { "*?", "", false },
		{ "[abc]x", "bx", true }, { "[abc]x", "dx", false },
		{ "[a-c]", "b", true }, { "[a-c]", "d", false },
		{ "[a-cx-z]", "y", true }, { "[a-cx-z]", "m", false },
		{ "[!a-c]", "d", true }, { "[!a-c]", "b", false },
		{ "[!a]", "", false }, { "[]]", "]", true },
		{ "[]a]", "a", true }, { "[!]]", "]", false },
		{ "[!]]", "a", true }, { "[a-]", "-", true },
		{ "[a-]", "b", false }, { "[-a]", "-", true },
		{ "[\\]x]", "]", true }, { "[a\\-c]", "b", false },
		{ "[a\\-c]", "-", true }, { "[c-a]", "b", false },
		{ "[abc", "[abc", true }, { "[abc", "a", false },
		{ "[", "[", true }, { "[!", "[!", true },
		{ "a[", "a[", true }, { "[\\", "[\\", true },
		{ "\\*", "*", true }, { "\\*", "x", false },
		{ "\\?", "?", true }, { "\\[a]", "[a]", true },
		{ "\\a", "a", true }, { "a\\", "a\\", true },
		{ "\\\\", "\\", true },
		{ "[\x80-\xff]", "\xc3", true }, { "?", "\xc3", true },
		{ "[\x01-\x7f]", "\xc3", false },
		{ "*[0-9]", "tick-1", true }, { "*[0-9]", "tick-1s", false },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		if (probe_glob_match(rows[i].pattern, rows[i].s) !=
		    rows[i].match)
			fail_msg("\"%s\" against \"%s\"", rows[i].pattern,
				 rows[i].s);
}

/* By definition: every way of cutting s. */
static bool
slow_match(const char *p, const char *s)
{
	if (*p == '*')
		return slow_match(p + 1, s) || (*s && slow_match(p, s + 1));
	if (!*p || !*s)
		return *p == *s;
	return (*p == '?' || *p == *s) && slow_match(p + 1, s + 1);
}

/* All patterns of up to 5 of "ab*?" against all strings of up to 6 of "ab". */
static void
test_glob_exhaustive(void **state)
{
	for (unsigned np = 1; np <= 5; np++)
	for (unsigned pi = 0; pi < 1u << 2 * np; pi++) {
		char p[8] = "";
		for (unsigned k = 0; k < np; k++)
			p[k] = "ab*?"[pi >> 2 * k & 3];
		struct probe_pattern ready;
		probe_pattern_init(&ready, p);
		for (unsigned ns = 0; ns <= 6; ns++)
		for (unsigned si = 0; si < 1u << ns; si++) {
			char s[8] = "";
			for (unsigned k = 0; k < ns; k++)
				s[k] = "ab"[si >> k & 1];
			if (probe_glob_match(p, s) != slow_match(p, s))
				fail_msg("\"%s\" against \"%s\"", p, s);
			if (probe_pattern_match(&ready, s) != slow_match(p, s))
				fail_msg("\"%s\", made ready, against \"%s\"",
					 p, s);
		}
	}
}

/* Which patterns are quick, and that those with other characters are right. */
static void
test_pattern_kinds(void **state)
{
	static const struct {
		const char *pattern;
		enum probe_pattern_kind kind;
		const char *yes, *no;	/* names; NULL: there is none */
	} rows[] = {
		{ "", PROBE_PATTERN_ANY, "x", NULL },
		{ "**", PROBE_PATTERN_ANY, "", NULL },
		{ "read", PROBE_PATTERN_EXACT, "read", "reads" },
		{ "read*", PROBE_PATTERN_START, "read", "rea" },
		{ "*read", PROBE_PATTERN_END, "pread", "preads" },
		{ "**re**", PROBE_PATTERN_PART, "pread", "r" },
		{ "r*d", PROBE_PATTERN_GLOB, "read", "reads" },
		{ "re[a-c]d", PROBE_PATTERN_GLOB, "read", "rexd" },
		{ "re\\*", PROBE_PATTERN_GLOB, "re*", "read" },
		{ "*\\*", PROBE_PATTERN_GLOB, "x*", "x" },
		{ "*[", PROBE_PATTERN_GLOB, "x[", "x" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct probe_pattern p;
		probe_pattern_init(&p, rows[i].pattern);
		assert_int_equal(p.kind, rows[i].kind);
		assert_true(probe_pattern_match(&p, rows[i].yes));
		assert_false(rows[i].no && probe_pattern_match(&p, rows[i].no));
	}
}

enum { MEET_PATTERNS = 4 + 16 + 64 + 256, MEET_STRINGS = 512 };

/* All pairs of patterns of up to 4 of "ab*?": two of them meet when one of all
 * strings of up to 8 of "ab", which are enough, matches both. */
static void
test_globs_meet_exhaustive(void **state)
{
	static char p[MEET_PATTERNS][8];
	static uint64_t fits[MEET_PATTERNS][MEET_STRINGS / 64];
	unsigned n = 0;

	for (unsigned np = 1; np <= 4; np++)
	for (unsigned pi = 0; pi < 1u << 2 * np; pi++, n++) {
		for (unsigned k = 0; k < np; k++)
			p[n][k] = "ab*?"[pi >> 2 * k & 3];
		unsigned at = 0;
		for (unsigned ns = 0; ns <= 8; ns++)
		for (unsigned si = 0; si < 1u << ns; si++, at++) {
			char s[16] = "";
			for (unsigned k = 0; k < ns; k++)
				s[k] = "ab"[si >> k & 1];
			if (slow_match(p[n], s))
				fits[n][at / 64] |= 1ull << at % 64;
		}
	}
	assert_int_equal(n, MEET_PATTERNS);
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < n; k++) {
			uint64_t both = 0;
			for (unsigned w = 0; w < MEET_STRINGS / 64; w++)
				both |= fits[i][w] & fits[k][w];
			if (probe_globs_meet(p[i], p[k]) != (both != 0))
				fail_msg("\"%s\" and \"%s\"", p[i], p[k]);
		}
}

static void
test_globs_meet(void **state)
{
	static const struct {
		const char *a, *b;
		bool meet;
	} rows[] = {
		{ "", "pid[0-9]*", true }, { "pid12", "pid[0-9]*", true },
		{ "pid", "pid[0-9]*", false }, { "pid*", "pid[0-9]*", true },
		{ "p*", "pid[0-9]*", true }, { "pidx*", "pid[0-9]*", false },
		{ "pid?", "pid[0-9]*", true }, { "*d9", "pid[0-9]*", true },
		{ "*pid", "pid[0-9]*", true }, { "*pid", "pid[0-9]", false },
		{ "pid[a-z]*", "pid[0-9]*", false },
		{ "pid[a-z5]", "pid[0-9]*", true },
		{ "pid[!0-9]*", "pid[0-9]*", false },
		{ "x\\*", "x[*]", true }, { "x\\*", "x[!*]", false },
		{ "*a*b", "*b*a", false }, { "*a*b*", "*b*a*", true },
		{ "myusdt7", "*[0-9]", true }, { "myusdt*", "*[0-9]", true },
		{ "syscall", "*[0-9]", false },
		/* A bracket that comes first is in the set. */
		{ "[]a]b", "ab", true }, { "[]a]b", "]b", true },
		{ "[]a]b", "a]b", false }, { "[!]a]b", "cb", true },
		{ "[!]a]b", "]b", false }, { "[[a]b", "[b", true },
	};
	char many[PROBE_FUNCLEN + 8];

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		if (probe_globs_meet(rows[i].a, rows[i].b) != rows[i].meet ||
		    probe_globs_meet(rows[i].b, rows[i].a) != rows[i].meet)
			fail_msg("%s and %s", rows[i].a, rows[i].b);
	/* What is too long to be looked at may meet anything. */
	memset(many, '?', sizeof(many) - 1);
	many[sizeof(many) - 1] = '\0';
	assert_true(probe_globs_meet(many, "a?"));
	many[PROBE_FUNCLEN] = '\0';
	assert_false(probe_globs_meet(many, "a?"));
}

static void
test_glob_no_blowup(void **state)
{
	char pattern[PROBE_FUNCLEN] = "", s[PROBE_FUNCLEN];

	for (unsigned i = 0; i < 60; i++)
		strcat(pattern, "*a");
	strcat(pattern, "*b");
	memset(s, 'a', sizeof(s) - 1);
	s[sizeof(s) - 1] = '\0';
	clock_t start = clock();
	assert_false(probe_glob_match(pattern, s));
	assert_true(clock() - start < CLOCKS_PER_SEC / 10);
}

static void
test_has_glob(void **state)
{
	assert_false(probe_has_glob(""));
	assert_false(probe_has_glob("tick-1s"));
	assert_false(probe_has_glob("a]!-"));
	assert_true(probe_has_glob("a*"));
	assert_true(probe_has_glob("?"));
	assert_true(probe_has_glob("x[y]"));
	assert_true(probe_has_glob("a\\*"));
}

/* --- Descriptions ------------------------------------------------------------ */

static struct base_span
span(const char *s)
{
	return (struct base_span){ s, strlen(s) };
}

static void
test_parse(void **state)
{
	static const struct {
		enum probe_spec spec;
		const char *text, *printed;
	} rows[] = {
		{ PROBE_SPEC_NAME, "BEGIN", ":::BEGIN" },
		{ PROBE_SPEC_NAME, "read:entry", "::read:entry" },
		{ PROBE_SPEC_NAME, "m:f:n", ":m:f:n" },
		{ PROBE_SPEC_NAME, "p:m:f:n", "p:m:f:n" },
		{ PROBE_SPEC_NAME, "p:::", "p:::" },
		{ PROBE_SPEC_NAME, "p::", ":p::" },
		{ PROBE_SPEC_NAME, ":::", ":::" },
		{ PROBE_SPEC_NAME, ":", ":::" },
		{ PROBE_SPEC_NAME, "", ":::" },
		{ PROBE_SPEC_NAME, " \t\n", ":::" },
		{ PROBE_SPEC_NAME, " \tsyscall:::entry\n ", "syscall:::entry" },
		{ PROBE_SPEC_NAME, "12", "12" },
		{ PROBE_SPEC_NAME, " 4294967295 ", "4294967295" },
		{ PROBE_SPEC_NAME, "12x", ":::12x" },
		{ PROBE_SPEC_NAME, "::12", ":::12" },
		{ PROBE_SPEC_FUNC, "read", "::read:" },
		{ PROBE_SPEC_FUNC, "vmlinux:read", ":vmlinux:read:" },
		{ PROBE_SPEC_FUNC, "p:m:f", "p:m:f:" },
		{ PROBE_SPEC_FUNC, "12", "::12:" },
		{ PROBE_SPEC_MOD, "vmlinux", ":vmlinux::" },
		{ PROBE_SPEC_MOD, "p:m", "p:m::" },
		{ PROBE_SPEC_PROVIDER, "syscall", "syscall:::" },
		{ PROBE_SPEC_PROVIDER, "7", "7:::" },
	};
	struct arena *a = arena_new();

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct probe_desc d;
		struct base_buf b;
		char out[64];

		assert_null(probe_desc_parse(a, span(rows[i].text),
					     rows[i].spec, &d));
		base_buf_init(&b, out, sizeof(out));
		probe_desc_print(&d, &b);
		assert_string_equal(out, rows[i].printed);
	}
	arena_free(a);
}

/* A module that is a path is the file that it leads to, if there is one. */
static void
test_parse_path(void **state)
{
	static const struct { const char *text, *mod; } rows[] = {
		{ "p:/dev/../dev/./null:f:n", "/dev/null" },
		{ "p:/dev/null:f:n", "/dev/null" },
		{ "p:/no/such/../file:f:n", "/no/such/../file" },
		{ "p:dev/../null:f:n", "dev/../null" },
	};
	struct arena *a = arena_new();

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct probe_desc d;
		assert_null(probe_desc_parse(a, span(rows[i].text),
					     PROBE_SPEC_NAME, &d));
		assert_string_equal(d.mod, rows[i].mod);
		assert_string_equal(d.func, "f");
	}
	arena_free(a);
}

static void
test_parse_errors(void **state)
{
	static const struct {
		enum probe_spec spec;
		const char *text, *error;
	} rows[] = {
		{ PROBE_SPEC_NAME, "a:b:c:d:e",
		  "Overspecified probe description" },
		{ PROBE_SPEC_NAME, "::::", "Overspecified probe description" },
		{ PROBE_SPEC_FUNC, "a:b:c:d",
		  "Overspecified probe description" },
		{ PROBE_SPEC_MOD, "a:b:c", "Overspecified probe description" },
		{ PROBE_SPEC_PROVIDER, "a:b",
		  "Overspecified probe description" },
		{ PROBE_SPEC_PROVIDER, ":", "Overspecified probe description" },
		{ PROBE_SPEC_NAME, "0", "Unknown probe identifier" },
		{ PROBE_SPEC_NAME, "4294967296", "Unknown probe identifier" },
		{ PROBE_SPEC_NAME, "99999999999999999999999999",
		  "Unknown probe identifier" },
	};
	struct arena *a = arena_new();

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct probe_desc d = { .id = 77 };
		struct err *e = probe_desc_parse(a, span(rows[i].text),
						 rows[i].spec, &d);
		assert_non_null(e);
		assert_int_equal(e->code, ERR_INVALID);
		assert_string_equal(e->text, rows[i].error);
		assert_int_equal(d.id, 77);
		err_free(e);
	}
	struct probe_desc d;
	struct err *e = probe_desc_parse(a, (struct base_span){ "a\0b", 3 },
					 PROBE_SPEC_NAME, &d);
	assert_int_equal(e->code, ERR_INVALID);
	err_free(e);
	arena_free(a);
}

/* Each field holds its limit less one, and no more. */
static void
test_parse_lengths(void **state)
{
	static const struct {
		enum probe_spec spec;
		size_t size;
	} rows[] = {
		{ PROBE_SPEC_PROVIDER, 64 }, { PROBE_SPEC_MOD, 64 },
		{ PROBE_SPEC_FUNC, 192 }, { PROBE_SPEC_NAME, 64 },
	};
	struct arena *a = arena_new();
	struct probe_desc d;
	char text[256];

	memset(text, 'x', sizeof(text));
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct base_span t = { text, rows[i].size - 1 };
		assert_null(probe_desc_parse(a, t, rows[i].spec, &d));
		t.n++;
		struct err *e = probe_desc_parse(a, t, rows[i].spec, &d);
		assert_non_null(e);
		assert_int_equal(e->code, ERR_INVALID);
		err_free(e);
	}
	arena_free(a);
}

static void
test_parse_no_memory(void **state)
{
	unsigned long n = 1;
	struct err *e;

	do {
		struct arena *a = arena_new();
		struct probe_desc d;

		util_alloc_fail(n++, 1);
		e = probe_desc_parse(a, span("p:m:f:n"), PROBE_SPEC_NAME, &d);
		util_alloc_fail(0, 0);
		arena_free(a);
		if (e)
			assert_int_equal(e->code, ERR_NOMEM);
	} while (e);
	assert_true(n > 2);		/* it did fail once */
}

static void
test_desc_match(void **state)
{
	static const struct probe read = { 4, "syscall", "vmlinux", "read",
					   "entry" };
	static const struct probe begin = { 1, "dtrace", "", "", "BEGIN" };
	static const struct {
		struct probe_desc d;
		bool read, begin;
	} rows[] = {
		{ { "", "", "", "" }, true, true },
		{ { "", "", "", "", 4 }, true, false },
		{ { "syscall", "", "", "" }, true, false },
		{ { "*", "*", "*", "*" }, true, true },
		{ { "", "", "r*", "" }, true, false },
		{ { "", "", "", "entry" }, true, false },
		{ { "", "", "", "BEGIN" }, false, true },
		{ { "", "", "?*", "" }, true, false },
		{ { "dtrace", "vmlinux", "", "BEGIN" }, false, false },
		{ { "syscall", "vmlinux", "read", "entry" }, true, false },
		{ { "syscall", "vmlinux", "rea", "entry" }, false, false },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		assert_int_equal(probe_desc_match(&rows[i].d, &read),
				 rows[i].read);
		assert_int_equal(probe_desc_match(&rows[i].d, &begin),
				 rows[i].begin);
	}
}

/* --- Edit distance -------------------------------------------------------------- */

static void
test_distance(void **state)
{
	static const struct {
		const char *a, *b;
		unsigned max, want;
	} rows[] = {
		{ "", "", 3, 0 }, { "read", "read", 0, 0 },
		{ "read", "raed", 3, 1 }, { "entry", "entyr", 3, 1 },
		{ "syscall", "syscal", 3, 1 }, { "BEGIN", "BEGN", 3, 1 },
		{ "", "abc", 3, 3 }, { "", "abcd", 3, 4 },
		{ "kitten", "sitting", 3, 3 }, { "kitten", "sitting", 2, 3 },
		{ "abc", "xyz", 2, 3 }, { "abc", "xyz", 3, 3 },
		{ "ab", "ba", 0, 1 }, { "write", "read", 9, 4 },
		{ "ca", "abc", 5, 3 },
		/* The second must not see what the first left behind. */
		{ "abcd", "abcd", 2, 0 }, { "xx", "yyyy", 2, 3 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		unsigned got = probe_edit_distance(rows[i].a, rows[i].b,
						   rows[i].max);
		unsigned back = probe_edit_distance(rows[i].b, rows[i].a,
						    rows[i].max);
		if (got != rows[i].want || back != got)
			fail_msg("%s %s: %u, back %u, not %u", rows[i].a,
				 rows[i].b, got, back, rows[i].want);
	}
}

/* By definition, without a band. */
static unsigned
slow_distance(const char *a, size_t na, const char *b, size_t nb)
{
	if (!na || !nb)
		return (unsigned)(na + nb);
	unsigned best = slow_distance(a, na - 1, b, nb - 1) +
			(a[na - 1] != b[nb - 1]);
	best = BASE_MIN(best, slow_distance(a, na - 1, b, nb) + 1);
	best = BASE_MIN(best, slow_distance(a, na, b, nb - 1) + 1);
	if (na > 1 && nb > 1 && a[na - 1] == b[nb - 2] && a[na - 2] == b[nb - 1])
		best = BASE_MIN(best,
				slow_distance(a, na - 2, b, nb - 2) + 1);
	return best;
}

/* All pairs of strings of up to 4 of "abc", for every useful max. */
static void
test_distance_exhaustive(void **state)
{
	char strings[121][5];
	unsigned n = 0;

	for (unsigned len = 0, count = 1; len <= 4; len++, count *= 3)
		for (unsigned i = 0; i < count; i++, n++) {
			unsigned v = i;
			memset(strings[n], 0, 5);
			for (unsigned k = 0; k < len; k++, v /= 3)
				strings[n][k] = "abc"[v % 3];
		}
	assert_int_equal(n, 121);
	for (unsigned i = 0; i < n; i++)
	for (unsigned j = 0; j < n; j++) {
		unsigned want = slow_distance(strings[i], strlen(strings[i]),
					      strings[j], strlen(strings[j]));
		for (unsigned max = 0; max <= 5; max++)
			if (probe_edit_distance(strings[i], strings[j], max) !=
			    BASE_MIN(want, max + 1))
				fail_msg("%s %s max %u", strings[i],
					 strings[j], max);
	}
}

static void
test_distance_long(void **state)
{
	char a[PROBE_FUNCLEN + 8], b[PROBE_FUNCLEN];

	memset(a, 'a', sizeof(a));
	memset(b, 'b', sizeof(b));
	a[sizeof(a) - 1] = b[sizeof(b) - 1] = '\0';
	assert_int_equal(probe_edit_distance(a, b, 5), 6);
	a[sizeof(b) - 1] = '\0';
	assert_int_equal(probe_edit_distance(a, b, 500), PROBE_FUNCLEN - 1);
	assert_int_equal(probe_edit_distance(a, b, UINT32_MAX),
			 PROBE_FUNCLEN - 1);
}

/* --- Stability ------------------------------------------------------------------ */

static void
test_attr_names(void **state)
{
	static const char *const stability[] = {
		"Internal", "Private", "Obsolete", "External", "Unstable",
		"Evolving", "Stable", "Standard",
	};
	static const char *const class[] = {
		"Unknown", "CPU", "Platform", "Group", "ISA", "Common",
	};

	for (unsigned i = 0; i < 8; i++)
		assert_string_equal(probe_stability_name(i), stability[i]);
	assert_null(probe_stability_name(8));
	for (unsigned i = 0; i < 6; i++)
		assert_string_equal(probe_class_name(i), class[i]);
	assert_null(probe_class_name(6));
}

static void
test_attr_parse(void **state)
{
	static const char *const bad[] = {
		"", "/", "//", "Evolving", "Evolving/Evolving",
		"Evolving/Evolving/", "Evolving/Evolving/Evolving",
		"Common/Evolving/Evolving", "Evolving/Evolving/Common/",
		" Evolving/Evolving/Common", "Evolvin/Evolving/Common",
		"Evolvingx/Evolving/Common",
	};
	struct probe_attr a = { 1, 1, 1 };

	/* Every triple prints and reads back. */
	for (unsigned i = 0; i < 8 * 8 * 6; i++) {
		struct probe_attr in = { i % 8, i / 8 % 8, i / 64 };
		struct base_buf b;
		char out[64];

		base_buf_init(&b, out, sizeof(out));
		probe_attr_print(in, &b);
		assert_true(probe_attr_parse(out, &a));
		assert_memory_equal(&a, &in, sizeof(a));
	}
	assert_true(probe_attr_parse("stable/PRIVATE/isa", &a));
	assert_int_equal(a.name, 6);
	assert_int_equal(a.data, 1);
	assert_int_equal(a.class, 4);
	for (size_t i = 0; i < BASE_NELEMS(bad); i++)
		assert_false(probe_attr_parse(bad[i], &a));
	assert_int_equal(a.name, 6);		/* left alone */
}

static void
test_attr_min(void **state)
{
	struct probe_attr a = { 5, 6, 0 }, b = { 7, 3, 4 };
	struct probe_attr m = probe_attr_min(a, b);

	assert_int_equal(m.name, 5);
	assert_int_equal(m.data, 3);
	assert_int_equal(m.class, 0);
}

/* Each part that a description names counts; an id names all. */
static void
test_attr_of(void **state)
{
	static const struct probe_provattr of = {
		.provider = { 7, 7, 1 }, .module = { 3, 7, 5 },
		.function = { 7, 2, 5 }, .name = { 6, 7, 0 },
	};
	static const struct { struct probe_desc d; struct probe_attr want; } rows[] = {
		{ { "", "", "", "", 0 }, { PROBE_STANDARD, PROBE_STANDARD,
					   PROBE_CLASS_COMMON } },
		{ { "p", "", "", "", 0 }, { PROBE_STANDARD, PROBE_STANDARD, 1 } },
		{ { "", "m", "", "", 0 }, { 3, PROBE_STANDARD,
					    PROBE_CLASS_COMMON } },
		{ { "", "", "f", "", 0 }, { PROBE_STANDARD, 2,
					    PROBE_CLASS_COMMON } },
		{ { "", "", "", "n", 0 }, { 6, PROBE_STANDARD, 0 } },
		{ { "p", "", "f", "", 0 }, { PROBE_STANDARD, 2, 1 } },
		{ { "", "", "", "", 9 }, { 3, 2, 0 } },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct probe_attr got = probe_attr_of(&of, &rows[i].d);
		if (got.name != rows[i].want.name ||
		    got.data != rows[i].want.data ||
		    got.class != rows[i].want.class)
			fail_msg("row %zu: %u %u %u", i, got.name, got.data,
				 got.class);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_glob),
		cmocka_unit_test(test_glob_exhaustive),
		cmocka_unit_test(test_pattern_kinds),
		cmocka_unit_test(test_globs_meet),
		cmocka_unit_test(test_globs_meet_exhaustive),
		cmocka_unit_test(test_glob_no_blowup),
		cmocka_unit_test(test_has_glob),
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_parse_errors),
		cmocka_unit_test(test_parse_lengths),
		cmocka_unit_test(test_parse_no_memory),
		cmocka_unit_test(test_desc_match),
		cmocka_unit_test(test_distance),
		cmocka_unit_test(test_distance_exhaustive),
		cmocka_unit_test(test_distance_long),
		cmocka_unit_test(test_attr_names),
		cmocka_unit_test(test_attr_parse),
		cmocka_unit_test(test_attr_min),
		cmocka_unit_test(test_attr_of),
		cmocka_unit_test(test_parse_path),
	};
	return cmocka_run_group_tests_name("probe", tests, NULL, NULL);
}
