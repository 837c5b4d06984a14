/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Literals, names, macros, control lines, probe descriptions.
 */
#include "base/base.h"
#include "fixture.h"
#include "lang/decl.h"
#include "lang/lex_priv.h"

/* Parse "BEGIN { TEXT }" into buf's lifetime and give the statement. */
static const struct ast_node *
parse_stmt(struct fixture *f, const char *text, char *buf, size_t size)
{
	snprintf(buf, size, "BEGIN { %s }", text);
	fixture_parse(f, buf);
	const struct ast_item *it = f->prog ? f->prog->items : NULL;
	return it && it->u.clause->body ? it->u.clause->body->kid[0] : NULL;
}

static void
test_integers(void **state)
{
	static const struct {
		const char *text;
		uint64_t value;
		const char *flags;	/* u, l, L (ll), d(ecimal), c(har) */
	} rows[] = {
		{ "0", 0, "" }, { "1", 1, "d" }, { "1234567890", 1234567890, "d" },
		{ "017", 15, "" }, { "0x1F", 31, "" }, { "0XfF", 255, "" },
		{ "18446744073709551615", UINT64_MAX, "d" },
		{ "0xffffffffffffffff", UINT64_MAX, "" },
		{ "01777777777777777777777", UINT64_MAX, "" },
		{ "5u", 5, "ud" }, { "5U", 5, "ud" }, { "5l", 5, "ld" },
		{ "5L", 5, "ld" }, { "5ul", 5, "uld" }, { "5LU", 5, "uld" },
		{ "5ll", 5, "Ld" }, { "5lL", 5, "Ld" }, { "5ULL", 5, "uLd" },
		{ "5llu", 5, "uLd" }, { "0x5ul", 5, "ul" }, { "07u", 7, "u" },
		{ "'a'", 'a', "c" }, { "'\\0'", 0, "c" },
		{ "'\\n'", '\n', "c" }, { "'\\''", '\'', "c" },
		{ "'\"'", '"', "c" }, { "'\\\"'", '"', "c" },
		{ "'\\x41'", 0x41, "c" }, { "'\\101'", 0101, "c" },
		{ "'\\377'", (uint64_t)-1, "c" },
		{ "'ab'", 0x6162, "c" },
		{ "'\\377\\377'", 0xffff, "c" },
		{ "'abcdefgh'", 0x6162636465666768, "c" },
		{ "'\\1\\2\\3\\4\\5\\6\\7\\10'", 0x0102030405060708, "c" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct fixture f;
		char buf[256];
		const char *flags = rows[i].flags;

		fixture_init(&f, 0, NULL, NULL);
		const struct ast_node *n = parse_stmt(&f, rows[i].text, buf,
						      sizeof(buf));
		assert_string_equal(fixture_diags(&f), "");
		assert_non_null(n);
		assert_int_equal(n->kind, AST_INT);
		assert_int_equal(n->value, rows[i].value);
		assert_int_equal(n->is_unsigned, !!strchr(flags, 'u'));
		assert_int_equal(n->is_long, !!strchr(flags, 'l'));
		assert_int_equal(n->is_llong, !!strchr(flags, 'L'));
		assert_int_equal(n->is_decimal, !!strchr(flags, 'd'));
		assert_int_equal(n->is_char, !!strchr(flags, 'c'));
		assert_int_equal(n->span.len, strlen(rows[i].text));
		fixture_fini(&f);
	}
}

static void
test_floats(void **state)
{
	static const char *const rows[] = {
		"1.0", "0.5", ".5", "1.", "1e5", "1E+5", "1.5e-3", "1.0f",
		"1.0F", "1.0l", "1.0L",
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct fixture f;
		char buf[256];

		fixture_init(&f, 0, NULL, NULL);
		const struct ast_node *n = parse_stmt(&f, rows[i], buf,
						      sizeof(buf));
		assert_string_equal(fixture_diags(&f), "");
		assert_int_equal(n->kind, AST_FLOAT);
		assert_string_equal(n->str, rows[i]);
		fixture_fini(&f);
	}
}

static void
test_strings(void **state)
{
	static const struct {
		const char *text, *value;
		uint32_t size;
	} rows[] = {
		{ "\"\"", "", 0 },
		{ "\"abc\"", "abc", 3 },
		{ "\"\\a\\b\\f\\n\\r\\t\\v\"", "\a\b\f\n\r\t\v", 7 },
		{ "\"\\\\\\?\\'\\\"\"", "\\?'\"", 4 },
		{ "\"\\0\"", "\0", 1 },
		{ "\"a\\0b\"", "a\0b", 3 },
		{ "\"\\101\\x42\"", "AB", 2 },
		{ "\"\\1011\"", "A1", 2 },
		{ "\"\\x424\"", "B4", 2 },
		{ "\"\\q\"", "q", 1 },
		{ "\"/* no */\"", "/* no */", 8 },
		{ "\"caf\xc3\xa9\"", "caf\xc3\xa9", 5 },
		{ "\"\xff\"", "\xff", 1 },
		{ "\"it's\"", "it's", 4 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct fixture f;
		char buf[256];

		fixture_init(&f, 0, NULL, NULL);
		const struct ast_node *n = parse_stmt(&f, rows[i].text, buf,
						      sizeof(buf));
		assert_string_equal(fixture_diags(&f), "");
		assert_int_equal(n->kind, AST_STR);
		assert_int_equal(n->str_len, rows[i].size);
		assert_memory_equal(n->str, rows[i].value, rows[i].size);
		assert_int_equal(n->str[n->str_len], '\0');
		fixture_fini(&f);
	}
}

static void
test_macros(void **state)
{
	static const struct {
		const char *arg, *text, *tree;
	} rows[] = {
		{ "10", "$1", "10" },
		{ "-5", "$1", "(neg 5)" },
		{ "-5", "3 - $1 * 2", "(- 3 (* (neg 5) 2))" },
		{ "0x1f", "$1", "31" },
		{ "-0x10", "$1", "(neg 16)" },
		{ "017", "$1", "15" },
		{ "10ul", "$1", "10ul" },
		{ "foo", "$1", "foo" },
		{ "\"a b\"", "$1", "\"a b\"" },
		{ "\"a\\n\"", "$1", "\"a\\n\"" },
		{ "int", "sizeof ($1)", "(sizeof (decl - (spec int)))" },
		{ "foo", "this->$1", "this->foo" },
		{ "10", "$$1", "\"10\"" },
		{ "a b\"c", "$$1", "\"a b\\\"c\"" },
		{ "a\\nb\\", "$$1", "\"a\\nb\\\\\"" },
		{ "", "$$1", "\"\"" },
		{ "x", "$1 + $pid", "(+ x 1234)" },
		{ "x", "$1 + $$pid", "(+ x \"1234\")" },
		{ "x", "$1 + $word", "(+ x foo)" },
		{ "x", "trace($1, $$0)", "(call trace x \"test.d\")" },
		/* An argument is one token, whatever it holds. */
		{ "x", "$1$pid2", NULL },
		{ "1+1", "$1", NULL }, { "a b", "$1", NULL },
		{ "10abc", "$1", NULL }, { "089", "$1", NULL },
		{ "1.5", "$1", NULL }, { "", "$1", NULL }, { "-", "$1", NULL },
		{ "-x", "$1", NULL }, { "--5", "$1", NULL },
		{ "+5", "$1", NULL }, { "\"", "$1", NULL },
		{ "\"a\"b\"", "$1", NULL }, { "\"a\\\"", "$1", NULL },
		{ "5 ", "$1", NULL }, { "99999999999999999999", "$1", NULL },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct fixture f;
		char buf[256], want[256];

		fixture_init(&f, 0, rows[i].arg, NULL);
		parse_stmt(&f, rows[i].text, buf, sizeof(buf));
		if (rows[i].tree) {
			snprintf(want, sizeof(want), "(clause \"BEGIN\"\n"
				 "  (body\n    %s))", rows[i].tree);
			assert_string_equal(fixture_diags(&f), "");
			assert_string_equal(fixture_dump(&f), want);
			assert_true(f.used[1]);
		} else {
			assert_true(f.diags.n > 0);
		}
		fixture_fini(&f);
	}
}

static void
test_default_args(void **state)
{
	struct fixture f;

	fixture_init(&f, LANG_DEFAULTARGS, NULL, NULL);
	fixture_parse(&f, "tick-$1s{ $2; $$3; }");
	assert_string_equal(fixture_diags(&f), "");
	assert_string_equal(fixture_dump(&f), "(clause \"tick-0s\"\n  (body\n"
			    "    0\n    \"\"))");
	fixture_fini(&f);

	/* The pragma counts from where it stands; extra arguments pass. */
	fixture_init(&f, 0, "10", "20");
	fixture_parse(&f, "#pragma D option defaultargs\nBEGIN { $7 }");
	assert_string_equal(fixture_diags(&f), "");
	fixture_fini(&f);
}

static void
test_control_lines(void **state)
{
	struct fixture f;

	fixture_init(&f, 0, NULL, NULL);
	fixture_parse(&f,
		"#!/usr/sbin/dtrace -s\n"
		"#pragma D option quiet\n"
		"  #pragma D option bufsize=4m /* more\n lines */\n"
		"# pragma D binding \"1.0\" translator /* a */ x\n"
		"#ident \"@(#)x\"\n#pragma ident \"x\"\n#pragma once\n#\n"
		"BEGIN { a;\n#pragma D attributes Stable/Stable/ISA y\nb }\n");
	assert_string_equal(fixture_diags(&f), "");
	assert_string_equal(fixture_dump(&f),
		"(pragma \"option\" \"quiet\")\n"
		"(pragma \"option\" \"bufsize=4m\")\n"
		"(pragma \"binding\" \"1.0\" \"translator\" \"x\")\n"
		"(pragma \"attributes\" \"Stable/Stable/ISA\" \"y\")\n"
		"(clause \"BEGIN\"\n  (body\n    a\n    b))");
	assert_string_equal(f.options, "quiet;bufsize=4m;");
	fixture_fini(&f);
}

/* A path may be long; no word of a pragma is cut. */
static void
test_long_control_word(void **state)
{
	static const char head[] = "#pragma D option cpppath=",
		   tail[] = "\nBEGIN {}\n";
	char text[4200], want[4300];
	struct fixture f;

	memset(text, 'x', sizeof(text));
	memcpy(text, head, sizeof(head) - 1);
	memcpy(text + sizeof(text) - sizeof(tail), tail, sizeof(tail));
	int n = (int)(sizeof(text) - sizeof(tail) - strlen("#pragma D option "));
	snprintf(want, sizeof(want), "(pragma \"option\" \"%.*s\")\n"
		 "(clause \"BEGIN\"\n  (body))", n,
		 text + strlen("#pragma D option "));

	fixture_init(&f, 0, NULL, NULL);
	f.env.on_option = NULL;		/* it has room for less */
	fixture_parse(&f, text);
	assert_string_equal(fixture_diags(&f), "");
	assert_string_equal(fixture_dump(&f), want);
	fixture_fini(&f);
}

static void
test_descriptions(void **state)
{
	static const struct {
		const char *text, *want;	/* NULL: an error */
	} rows[] = {
		{ "BEGIN{}", "\"BEGIN\"" },
		{ "12 {}", "\"12\"" },
		{ "a:b:c:d{}", "\"a:b:c:d\"" },
		{ ":::{}", "\":::\"" },
		{ "syscall::[a-z]*?[!x]:\\*{}", "\"syscall::[a-z]*?[!x]:\\\\*\"" },
		{ "a , b\n,/* x */c {}", "\"a\" \"b\" \"c\"" },
		{ "pid$1:libc.so.6:a`b:entry{}", "\"pid10:libc.so.6:a`b:entry\"" },
		{ "profile-$1hz{}", "\"profile-10hz\"" },
		{ "p$pid:$$1:x$word-y{$1}", "\"p1234:10:xfoo-y\"" },
		{ "a$:b{}", "\"a$:b\"" },
		{ "int:::x{}", "\"int:::x\"" },
		{ "self-x{}", "\"self-x\"" },
		{ "if{}", "\"if\"" },
		{ "return{}", "\"return\"" },
		{ "foo_t{}", "\"foo_t\"" },
		{ "foo_t*{}", "\"foo_t*\"" },
		{ "foo_t:x{}", "\"foo_t:x\"" },
		{ "code*,x{}", "\"code*\" \"x\"" },
		{ "int*{}", "\"int*\"" },
		{ "a,{}", NULL }, { ",a{}", NULL }, { "a b{}", NULL },
		{ "a+b{}", NULL }, { "{}", NULL }, { "a$target{}", "\"a0\"" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct fixture f;
		char want[128];

		fixture_init(&f, LANG_ARGREF, "10", NULL);
		fixture_parse(&f, rows[i].text);
		if (!rows[i].want) {
			assert_true(f.diags.n > 0);
			fixture_fini(&f);
			continue;
		}
		assert_string_equal(fixture_diags(&f), "");
		const char *got = fixture_dump(&f);
		snprintf(want, sizeof(want), "(clause %s\n", rows[i].want);
		assert_int_equal(strncmp(got, want, strlen(want)), 0);
		fixture_fini(&f);
	}
}

/* Tokens, where their limits are. */
static void
test_tokens(void **state)
{
	static const char text[] =
		"BEGIN /a / b > 1 / { @ = x; @a1[`s, m`s, LM1`libc`s]; "
		"a>>=b<<c->d...--e^^f^=g }";
	static const char want[] =
		"DESC BEGIN\nIDENT a\nPUNCT /\nIDENT b\nPUNCT >\nINT 1\n"
		"PRED_END\nPUNCT {\nAGG _\nPUNCT =\nIDENT x\nPUNCT ;\n"
		"AGG a1\nPUNCT [\nSYM `s\nPUNCT ,\nSYM m`s\nPUNCT ,\n"
		"SYM LM1`libc`s\nPUNCT ]\nPUNCT ;\nIDENT a\nPUNCT >>=\n"
		"IDENT b\nPUNCT <<\nIDENT c\nPUNCT ->\nIDENT d\nPUNCT ...\n";
	struct fixture f;

	fixture_init(&f, 0, NULL, NULL);
	f.src = (struct lang_source){ NULL, text, sizeof(text) - 1 };
	lang_dump_tokens(&f.env, &f.src, &f.out);
	assert_string_equal(sb_str(&f.out), want);
	assert_int_equal(f.diags.n, 1);		/* at the "..." */
	fixture_fini(&f);
}

/* How far a number reaches, right or wrong: one dot and one sign behind an exponent, and
 * of hexadecimal ones neither. */
static void
test_number_sizes(void **state)
{
	static const struct { const char *text; uint32_t size; } rows[] = {
		{ "", 0 }, { "1", 1 }, { "1+2", 1 }, { "1.", 2 }, { ".5", 2 }, { "12abc", 5 },
		{ "1.2.3", 3 }, { "1..2", 2 }, { "..", 1 }, { "1.5.", 3 },
		{ "1e5", 3 }, { "1e+5", 4 }, { "1E-5", 4 }, { "1e+", 2 }, { "1e-x", 2 },
		{ "1e+5+3", 4 }, { "1e+5e+3", 5 }, { "1.5e+3.4", 6 }, { "1e+5.", 4 },
		{ "1.e5", 4 }, { "1e.5", 4 }, { "1f-2", 2 }, { "+1", 0 },
		{ "0x1.2", 3 }, { "0X1.2", 3 }, { "0x1e+5", 4 }, { "0x1E-5", 4 },
		{ "0e+5", 4 }, { "00x1.2", 6 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		uint32_t size = lang_number_size(rows[i].text,
						 (uint32_t)strlen(rows[i].text));
		if (size != rows[i].size)
			fail_msg("%s: %u", rows[i].text, size);
		/* nor is what follows looked at */
		if (rows[i].size)
			assert_int_equal(lang_number_size(rows[i].text, 1), 1);
	}
}

/* A literal ends at its quote; a newline ends it, too, and that is an error, also behind
 * a backslash. */
static void
test_ends(void **state)
{
	static const struct { const char *text; uint32_t size; bool ends; } rows[] = {
		{ "\"a\" ;", 3, true }, { "\"a\\\"b\" ;", 6, true },
		{ "\"a\\\\\" ;", 5, true }, { "'\\'' ;", 4, true },
		{ "\"a\n\" ;", 2, false }, { "\"a\\\nb\" ;", 3, false },
		{ "\"a\\\"\n;", 4, false }, { "\"a\\x\n\";", 4, false },
		{ "\"a'\n;", 3, false }, { "'\"\n;", 2, false }, { "'\\\n'", 2, false },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		char text[64];
		struct fixture f;
		fixture_init(&f, 0, NULL, NULL);
		snprintf(text, sizeof(text), "BEGIN { %s }", rows[i].text);
		fixture_parse(&f, text);
		if (rows[i].ends ? f.diags.n : !f.diags.n)
			fail_msg("%s: %s", text, fixture_diags(&f));
		if (rows[i].ends) {
			const struct ast_node *n = f.prog->items->u.clause->body->kid[0];
			assert_int_equal(n->span.len, rows[i].size);
		} else {
			assert_non_null(strstr(fixture_diags(&f), "newline encountered"));
			assert_int_equal(f.diags.first->span.off, 8);
			assert_int_equal(f.diags.first->span.len, rows[i].size);
		}
		fixture_fini(&f);
	}
}

/* A word of an attribute with two underscores on each side is that word; fewer, more or
 * others are another's. */
static void
test_attribute_words(void **state)
{
	static const struct { const char *word; bool is; } rows[] = {
		{ "packed", true }, { "__packed__", true }, { "_packed__", false },
		{ "__packed_", false }, { "__packed", false }, { "packed__", false },
		{ "__xacked__", false }, { "__packex__", false }, { "___packed_", false },
		{ "_xpacked__", false }, { "xxpackedxx", false }, { "__packed_x", false },
		{ "__packedx__", false }, { "____", false }, { "", false }, { "packe", false },
		{ "packed ", false },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		if (ast_attr_is(rows[i].word, "packed") != rows[i].is)
			fail_msg("%s", rows[i].word);
}

/* What is wrong behind an error is not said, nor is a hint of it. */
static void
test_hints_of_first(void **state)
{
	static const char *const rows[] = {
		"BEGIN { x = = }", "BEGIN { x = = \xc2\xa0 }", "BEGIN { x = = # }",
		"BEGIN { x = = \"a\n }", "BEGIN { x = = $nosuch 09 0xg }",
	};
	char first[1000];

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct fixture f;
		fixture_init(&f, 0, NULL, NULL);
		fixture_parse(&f, rows[i]);
		if (f.diags.n != 1)
			fail_msg("%s: %s", rows[i], fixture_diags(&f));
		const char *hint = f.diags.first->hint ? f.diags.first->hint : "";
		if (!i)
			snprintf(first, sizeof(first), "%s", hint);
		assert_string_equal(hint, first);
		fixture_fini(&f);
	}
}

const struct CMUnitTest lex_tests[] = {
	cmocka_unit_test(test_integers),
	cmocka_unit_test(test_floats),
	cmocka_unit_test(test_strings),
	cmocka_unit_test(test_macros),
	cmocka_unit_test(test_default_args),
	cmocka_unit_test(test_control_lines),
	cmocka_unit_test(test_long_control_word),
	cmocka_unit_test(test_descriptions),
	cmocka_unit_test(test_tokens),
	cmocka_unit_test(test_number_sizes),
	cmocka_unit_test(test_ends),
	cmocka_unit_test(test_attribute_words),
	cmocka_unit_test(test_hints_of_first),
};
const size_t n_lex_tests = BASE_NELEMS(lex_tests);
