/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Input that nobody means, and memory that runs out.
 */
#include <stdlib.h>
#include <time.h>

#include "fixture.h"
#include "util/alloc.h"

/* open^n middle close^n between head and tail; freed by the caller. */
static char *
nest(const char *head, const char *open, size_t n, const char *middle,
     const char *close, const char *tail)
{
	struct sb b;

	sb_init(&b, 64 << 20);
	sb_puts(&b, head);
	for (size_t i = 0; i < n; i++)
		sb_puts(&b, open);
	sb_puts(&b, middle);
	for (size_t i = 0; i < n; i++)
		sb_puts(&b, close);
	sb_puts(&b, tail);
	assert_false(b.failed);
	return sb_steal(&b);
}

static const struct nesting {
	const char *head, *open, *middle, *close, *tail;
	size_t taken;		/* levels that the rest of it needs */
} nestings[] = {
	{ "BEGIN { ", "(", "x", ")", " }", 1 },
	{ "BEGIN /", "(", "x", ")", "/ {}", 0 },
	{ "BEGIN { ", "- ", "x", "", " }", 1 },
	{ "BEGIN { ", "!", "x", "", " }", 1 },
	{ "BEGIN { ", "sizeof ", "x", "", " }", 1 },
	{ "BEGIN { ", "stringof ", "x", "", " }", 1 },
	{ "BEGIN { ", "(int)", "x", "", " }", 1 },
	{ "BEGIN { ", "x[", "x", "]", " }", 1 },
	{ "BEGIN { ", "f(", "x", ")", " }", 1 },
	{ "BEGIN { ", "@a[", "x", "]", " }", 1 },
	{ "BEGIN { ", "x = ", "x", "", " }", 1 },
	{ "BEGIN { ", "x ? y : ", "x", "", " }", 1 },
	{ "BEGIN { ", "x ? ", "x", " : y", " }", 1 },
	{ "BEGIN { ", "if (x) ", "x", "", " }", 1 },
	{ "BEGIN { ", "if (x) y; else ", "x", "", " }", 1 },
	{ "", "struct { ", "int y; ", "} x; ", "", 0 },
	{ "int ", "(*", "x", ")", ";", 0 },
	{ "int ", "*", "x", "", ";", 0 },
	{ "int x", "[1]", "", "", ";", 0 },
	{ "int x", "(int (*)", "", ")", ";", 0 },
	{ "", "__typeof__(", "int", ")", " x;", 0 },
	{ "_Atomic(", "__typeof__(", "int", ")", ") x;", 1 },
	{ "BEGIN { ", "offsetof(int, a[", "1", "])", " }", 1 },
	{ "int x ", "__attribute__((aligned(_Alignof(int ", "", "))))", ";", 0 },
};

static void
check_nesting(const struct nesting *t, size_t n, bool ok)
{
	struct fixture f;
	char *text = nest(t->head, t->open, n, t->middle, t->close, t->tail);

	fixture_init(&f, 0, NULL, NULL);
	fixture_parse(&f, text);
	assert_non_null(f.prog);
	if ((f.diags.n == 0) != ok)
		print_message("# %s x %zu: %s\n", t->open, n,
			      fixture_diags(&f));
	assert_int_equal(f.diags.n, ok ? 0 : 1);
	if (ok) {
		fixture_dump(&f);
	} else {
		assert_int_equal(f.diags.first->tag, D_SYNTAX);
		assert_non_null(strstr(f.diags.first->text, "(limit 500)"));
	}
	fixture_fini(&f);
	util_free(text);
}

static void
test_nesting(void **state)
{
	for (size_t i = 0; i < BASE_NELEMS(nestings); i++) {
		check_nesting(&nestings[i], 200, true);
		check_nesting(&nestings[i], 10000, false);
	}
	/* The limit itself. */
	check_nesting(&nestings[0], LANG_MAX_DEPTH - 1, true);
	check_nesting(&nestings[0], LANG_MAX_DEPTH, false);
	check_nesting(&nestings[1], LANG_MAX_DEPTH, true);
	check_nesting(&nestings[1], LANG_MAX_DEPTH + 1, false);
}

/* What nests in the tree alone. */
static void
test_chains(void **state)
{
	static const char *const links[] = {
		" + x", " , x", "->x", ".x", "[1]", "++", " && x",
	};

	for (size_t i = 0; i < BASE_NELEMS(links); i++) {
		static const struct {
			size_t n;
			bool ok;
		} rows[] = {
			{ 10, true }, { LANG_MAX_HEIGHT - 2, true },
			{ LANG_MAX_HEIGHT, false }, { 100000, false },
		};
		for (size_t j = 0; j < BASE_NELEMS(rows); j++) {
			struct fixture f;
			char *text = nest("BEGIN { x", links[i], rows[j].n,
					  "", "", " }");

			fixture_init(&f, 0, NULL, NULL);
			fixture_parse(&f, text);
			assert_int_equal(f.diags.n, rows[j].ok ? 0 : 1);
			fixture_dump(&f);
			fixture_fini(&f);
			util_free(text);
		}
	}
}

static void
test_nul(void **state)
{
	static const struct {
		const char *text;
		size_t size;
		const char *want;
	} rows[] = {
		{ "\0", 1, "syntax error: NUL byte at offset 0" },
		{ "BEGIN {\0}", 9, "syntax error: NUL byte at offset 7" },
		{ "BEGIN { \"a\0\" }", 14, "syntax error: NUL byte at offset 10" },
		{ "BEGIN {} /* \0 */", 16,
		  "syntax error: NUL byte at offset 12" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct fixture f;

		fixture_init(&f, 0, NULL, NULL);
		fixture_parse_n(&f, rows[i].text, rows[i].size);
		assert_int_equal(f.diags.n, 1);
		assert_int_equal(f.diags.first->tag, D_SYNTAX);
		assert_string_equal(f.diags.first->text, rows[i].want);
		fixture_fini(&f);
	}
}

/* UTF-8 outside strings is refused whatever it is; inside it passes. */
static void
test_utf8(void **state)
{
	static const struct {
		const char *bytes;
		bool is_utf8;
	} rows[] = {
		{ "\xc3\xa9", true }, { "\xe2\x82\xac", true },
		{ "\xf0\x9f\x98\x80", true }, { "\x80", false },
		{ "\xc3", false }, { "\xc0\x80", false },
		{ "\xe0\x80\x80", false }, { "\xed\xa0\x80", false },
		{ "\xf4\x90\x80\x80", false }, { "\xf5", false },
		{ "\xff", false },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct fixture f;
		char text[64];

		fixture_init(&f, 0, NULL, NULL);
		snprintf(text, sizeof(text), "BEGIN { %s }", rows[i].bytes);
		fixture_parse(&f, text);
		assert_int_equal(f.diags.n, 1);
		assert_int_equal(f.diags.first->tag, D_SYNTAX);
		assert_int_equal(!strstr(f.diags.first->text, "is not UTF-8"),
				 rows[i].is_utf8);
		fixture_fini(&f);

		fixture_init(&f, 0, NULL, NULL);
		snprintf(text, sizeof(text), "BEGIN { \"%s\" /* %s */ }",
			 rows[i].bytes, rows[i].bytes);
		fixture_parse(&f, text);
		assert_int_equal(f.diags.n, 0);
		fixture_fini(&f);
	}
}

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* A megabyte of anything takes a moment: nothing is read again and again. */
static void
test_megabytes(void **state)
{
	static const struct {
		const char *head, *unit, *tail;
		bool ok;
	} rows[] = {
		{ "", "syscall::read:entry /pid == $pid/ { @[execname] = "
		  "count(); }\n", "", true },
		{ "", "int x; self foo_t *y;\n", "", true },
		{ "BEGIN { ", "x = y[1, \"a\"] + 2; ", "}", true },
		{ "BEGIN { x = \"", "a\\n", "\" }", true },
		{ "BEGIN {} /* ", "/* ", "*/", true },
		{ "", "\n", "BEGIN {}", true },
		{ "", "# 1 \"x\"\n", "BEGIN {}", true },
		{ "", "#pragma D option quiet\n", "BEGIN {}", true },
		{ "", "x, ", "x {}", true },
		{ "enum { A", ", A", " };", true },
		{ "BEGIN /x ", "/ /* */ x ", "/ {}", false },
		{ "BEGIN { ", "x; + ; ", "}", false },
		{ "", "(", "", false }, { "", "{", "", false },
		{ "", "}", "", false }, { "", "/", "", true },
		{ "", "#", "", false }, { "", "\"", "", false },
		{ "", "'", "", false }, { "", "@", "", false },
		{ "", "`", "", false }, { "", "$", "", false },
		{ "", "$1", "", false }, { "", "[", "", false },
		{ "", "a", "", false }, { "", "\xff", "", false },
		{ "", "/*", "", false }, { "", "int ", "", false },
		{ "BEGIN {", "\n{ x", "", false },
		{ "BEGIN { ", "0", " }", true },
		{ "BEGIN { ", "if (x) {} ", " }", true },
		{ "BEGIN { ", "(code * ", " }", false },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct fixture f;
		size_t n = (1 << 20) / strlen(rows[i].unit);
		char *text = nest(rows[i].head, rows[i].unit, n, "", "",
				  rows[i].tail);

		fixture_init(&f, 0, NULL, NULL);
		double start = seconds();
		fixture_parse(&f, text);
		double took = seconds() - start;
		if ((f.diags.n == 0) != rows[i].ok || took > 5)
			print_message("# %s: %u errors, %.1f s\n%s\n",
				      rows[i].unit, f.diags.n, took,
				      fixture_diags(&f));
		assert_int_equal(f.diags.n == 0, rows[i].ok);
		assert_true(took < 5);	/* 0.1 and less; much more under ASan */
		fixture_fini(&f);
		util_free(text);
	}
}

static const char oom_decls[] =
	"#pragma D option quiet\n"
	"typedef struct s { int a : 3; char *b[4]; struct { int c; } d; } s_t;\n"
	"enum e { A, B = 2 };\nself int x; int y[string, int];\n"
	"int *(*f)(int, const char *, ...);\ninline int z = 1 + 2;\n"
	"translator struct t < s_t *p > { a = p->a; };\n"
	"#pragma pack(1)\nstruct __attribute__((packed, x(y))) p { __int128 v; } "
	"__attribute__((aligned(8)));\ntypedef __typeof__(1) m "
	"__attribute__((mode(DI)));\n_Alignas(long) int l;\n"
	"provider p { probe q(int a, char *) : (char *); };\n";
static const char oom_clauses[] =
	"BEGIN { offsetof(struct p, v.a[1]); _Alignof(int); }\n"
	"syscall::*read*:entry, pid$1:::entry, 12\n"
	"/execname == \"x\" && arg0 / 2 > $1/\n"
	"{ self->x = timestamp; this->y[1, \"a\"] = 'ab'; @a[pid] = count();\n"
	"  if (x) { trace(1); } else if (y) trace(2.5); else ;\n"
	"  printf(\"%d\\n\", (struct s *)x, sizeof (int), `sym, m`sym, $$1);\n"
	"  a ? b : c, -d++, xlate <struct t> (x).a, stringof(y);\n"
	"  f(\"a\" \"b\" \"some more text than that\"); }\n";
static const char oom_errors[] =
	"int x = 3; BEGIN { x = ; y = 08; \"a\n; 'b } END /+/ { for (;;) { } }\n"
	"#error text\n#include \"x\"\nfoo bar { $nosuch } BEGIN { f(a";

/* Fail the nth allocation, for every n, once or for good. */
static void
test_no_memory(void **state)
{
	static const char *const programs[] = {
		oom_decls, oom_clauses, oom_errors,
	};

	for (size_t i = 0; i < BASE_NELEMS(programs); i++) {
		for (int sticky = 0; sticky < 2; sticky++) {
			struct fixture f;
			unsigned long n = 0;

			do {
				if (n)
					fixture_fini(&f);
				fixture_init(&f, LANG_ARGREF, "10", NULL);
				util_alloc_fail(++n, sticky);
				fixture_parse(&f, programs[i]);
				util_alloc_fail(0, 0);
				assert_true(n < 10000);
			} while (!f.prog);
			assert_true(n > 10);
			assert_int_equal(f.diags.n > 0,
					 programs[i] == oom_errors);
			fixture_fini(&f);
		}
	}
}

static uint32_t
next_random(uint32_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed;
}

/* Words thrown together, and good programs with bytes changed: no crash, and
 * the tree can be walked. */
static void
test_soup(void **state)
{
	static const char *const words[] = {
		"BEGIN", "{", "}", "(", ")", "[", "]", ";", ",", "/", "*", "-",
		"->", ".", "self", "this", "int", "struct", "enum", "typedef",
		"foo_t", "x", "y", "@a", "`s", "m`s", "\"str\"", "'c'", "1",
		"0x1f", "1.5", "$1", "$$1", "$target", "if", "else", "for",
		"sizeof", "offsetof", "xlate", "<", ">", "?", ":", "=", "+=",
		"\n", "#pragma D option x\n", "\n#line 3\n", "/*", "*/", "inline",
		"translator", "provider", "probe", "...", "++", "!", "&&",
		"string", "counter", "\\", "\xc3", "pid$1:::",
	};
	uint32_t seed = 20240517;
	char text[2048];

	for (int round = 0; round < 4000; round++) {
		struct fixture f;
		size_t size = 0;

		if (round % 2) {
			strcpy(text, round % 4 == 1 ? oom_clauses : oom_decls);
			size = strlen(text);
			for (unsigned i = next_random(&seed) % 8; i-- > 0; )
				text[next_random(&seed) % size] =
					(char)next_random(&seed);
		} else {
			while (size < 300) {
				const char *w = words[next_random(&seed) %
						      BASE_NELEMS(words)];
				size += (size_t)snprintf(text + size,
					sizeof(text) - size, "%s%s", w,
					next_random(&seed) % 4 ? " " : "");
			}
		}
		fixture_init(&f, next_random(&seed) % 16, "10", NULL);
		fixture_parse_n(&f, text, size);
		fixture_dump(&f);
		fixture_diags(&f);
		for (const struct diag *d = f.diags.first; d; d = d->next)
			diag_print_source(d, &f.out);
		fixture_fini(&f);
	}
}

/* No is_type, no options, no arguments, no text. */
static void
test_bare_env(void **state)
{
	static const char text[] = "#pragma D option x\nBEGIN { (foo_t)-x; $1 }";
	struct fixture f;

	fixture_init(&f, 0, NULL, NULL);
	f.env = (struct lang_env){
		.a = f.arena, .names = &f.names, .diags = &f.diags,
	};
	fixture_parse(&f, text);
	assert_string_equal(fixture_diags(&f), "[D_MACRO_UNDEF] line 2: macro "
			    "argument $1 is not defined");
	fixture_parse_n(&f, NULL, 0);
	assert_non_null(f.prog);
	assert_null(f.prog->items);
	fixture_fini(&f);
}

const struct CMUnitTest robust_tests[] = {
	cmocka_unit_test(test_nesting),
	cmocka_unit_test(test_chains),
	cmocka_unit_test(test_nul),
	cmocka_unit_test(test_utf8),
	cmocka_unit_test(test_megabytes),
	cmocka_unit_test(test_no_memory),
	cmocka_unit_test(test_soup),
	cmocka_unit_test(test_bare_env),
};
const size_t n_robust_tests = BASE_NELEMS(robust_tests);
