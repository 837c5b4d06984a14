/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Diagnostics: every tag that lang reports, recovery, and how they look.
 */
#include "fixture.h"

/* The program, and all that is said of it. */
static void
test_messages(void **state)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "BEGIN { x = ; }",
		  "[D_SYNTAX] line 1: syntax error near \";\"" },
		{ "BEGIN {\n\tx }\n\nEND }",
		  "[D_SYNTAX] line 4: syntax error near \"}\"" },
		{ "BEGIN { x",
		  "[D_SYNTAX] line 1: syntax error near end of input" },
		{ "BEGIN { $3 }",
		  "[D_MACRO_UNDEF] line 1: macro argument $3 is not defined" },
		{ "x$3:a {}",
		  "[D_MACRO_UNDEF] line 1: macro argument $3 is not defined" },
		{ "BEGIN { $nosuch }", "[D_MACRO_UNDEF] line 1: macro variable "
		  "$nosuch is not defined" },
		{ "BEGIN { $99999999999 }", "[D_MACRO_OFLOW] line 1: macro "
		  "argument $99999999999 is out of range" },
		{ "BEGIN { 08 }", "[D_INT_DIGIT] line 1: invalid digit '8' in "
		  "octal integer constant" },
		{ "BEGIN { 0b11 }", "[D_INT_DIGIT] line 1: invalid digit 'b' in "
		  "octal integer constant" },
		{ "BEGIN { 12a }", "[D_INT_DIGIT] line 1: invalid digit 'a' in "
		  "decimal integer constant" },
		{ "BEGIN { 0xfg }", "[D_INT_DIGIT] line 1: invalid digit 'g' in "
		  "hexadecimal integer constant" },
		{ "BEGIN { 0x }", "[D_INT_DIGIT] line 1: hexadecimal integer "
		  "constant without digits" },
		{ "BEGIN { 1uu }", "[D_INT_DIGIT] line 1: invalid suffix \"uu\" "
		  "of integer constant" },
		{ "BEGIN { 1lul }", "[D_INT_DIGIT] line 1: invalid suffix "
		  "\"lul\" of integer constant" },
		{ "BEGIN { 18446744073709551616 }", "[D_INT_OFLOW] line 1: "
		  "integer constant does not fit in 64 bits" },
		{ "BEGIN { 0x10000000000000000 }", "[D_INT_OFLOW] line 1: "
		  "integer constant does not fit in 64 bits" },
		{ "BEGIN { '' }",
		  "[D_CHR_NULL] line 1: empty character constant" },
		{ "BEGIN { 'a\n; }", "[D_CHR_NL] line 1: newline encountered in "
		  "character constant" },
		{ "BEGIN { '123456789' }", "[D_CHR_OFLOW] line 1: character "
		  "constant is longer than 8 characters" },
		{ "BEGIN { \"a\n; }", "[D_STR_NL] line 1: newline encountered "
		  "in string literal" },
		{ "BEGIN {\n\"a", "[D_SYNTAX] line 2: syntax error: end of "
		  "input in the string that begins on line 2" },
		{ "BEGIN { 'a", "[D_SYNTAX] line 1: syntax error: end of input "
		  "in the character constant that begins on line 1" },
		{ "\nBEGIN { } /* \n\n", "[D_SYNTAX] line 2: syntax error: end "
		  "of input in the comment that begins on line 2" },
		{ "#error stop now\nBEGIN {}",
		  "[D_PRAGERR] line 1: #error: stop now" },
		{ "\n#include <x.h>\nBEGIN {}", "[D_PRAGCTL_INVAL] line 2: "
		  "invalid control directive: #include" },
		{ "#line x\nBEGIN {}", "[D_PRAGCTL_INVAL] line 1: invalid "
		  "#line: a number and perhaps a file name expected" },
		{ "#pragma D\nBEGIN {}", "[D_PRAGMA_MALFORM] line 1: malformed "
		  "#pragma D: nothing follows" },
		{ "#pragma D option\nBEGIN {}", "[D_PRAGMA_MALFORM] line 1: "
		  "malformed #pragma D option: NAME or NAME=VALUE expected" },
		{ "#pragma D option a = b\nBEGIN {}", "[D_PRAGMA_MALFORM] line "
		  "1: malformed #pragma D option: NAME or NAME=VALUE "
		  "expected" },
		{ "BEGIN { for (a; b) { c } }",
		  "[D_SYNTAX] line 1: syntax error near \")\"" },
		{ "BEGIN { while () b; }",
		  "[D_SYNTAX] line 1: syntax error near \")\"" },
		{ "BEGIN { do a; b }",
		  "[D_SYNTAX] line 1: syntax error near \"b\"" },
		{ "BEGIN { break; }",
		  "[D_SYNTAX] line 1: syntax error near \"break\"" },
		{ "BEGIN { if (a) continue; }",
		  "[D_SYNTAX] line 1: syntax error near \"continue\"" },
		{ "BEGIN { return 1; }",
		  "[D_SYNTAX] line 1: syntax error near \"return\"" },
		{ "int f(int a) { break; }",
		  "[D_SYNTAX] line 1: syntax error near \"break\"" },
		{ "BEGIN { switch (a) { case 1: b } }",
		  "[D_SYNTAX] line 1: syntax error near \"switch\"" },
		{ "static self int x;", "[D_DECL_CLASS] line 1: only one "
		  "storage class may be given; \"self\" is one too many" },
		{ "struct s struct t x;", "[D_DECL_COMBO] line 1: invalid "
		  "combination of types: \"struct\" follows another type" },
		{ "provider p { probe a(int, ...); };",
		  "[D_DECL_PROTO_VARARGS] line 1: a probe cannot have a "
		  "variable number of arguments" },
		{ "BEGIN { x = 1 @ 2 }",
		  "[D_SYNTAX] line 1: syntax error near \"@\"" },
		{ "BEGIN { # }", "[D_SYNTAX] line 1: syntax error near \"#\"" },
		{ "BEGIN { \xc3\xa9 }",
		  "[D_SYNTAX] line 1: syntax error near \"\xc3\xa9\"" },
		{ "BEGIN { \xff }", "[D_SYNTAX] line 1: syntax error: byte 0xff "
		  "at offset 8 is not UTF-8" },
		{ "BEGIN { \x01 }", "[D_SYNTAX] line 1: syntax error: "
		  "unexpected byte 0x01 at offset 8" },
		{ "BEGIN / / {}", "[D_SYNTAX] line 1: syntax error near \"/\"" },
		{ "BEGIN /x {}", "[D_SYNTAX] line 1: syntax error near \"{\"" },
		{ "BEGIN /x/ y {}", "[D_SYNTAX] line 1: syntax error near "
		  "\"{\"" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct fixture f;

		fixture_init(&f, 0, NULL, NULL);
		fixture_parse(&f, rows[i].text);
		assert_non_null(f.prog);
		assert_string_equal(fixture_diags(&f), rows[i].want);
		fixture_fini(&f);
	}
}

/* With arguments: the texts of section 7. */
static void
test_argument_messages(void **state)
{
	static const struct {
		unsigned flags;
		const char *arg, *text, *want;
	} rows[] = {
		{ 0, "10", "BEGIN {}", "[D_MACRO_UNUSED] extraneous argument "
		  "'10' ($1 is not referenced)" },
		{ LANG_ARGREF, "10", "BEGIN {}", "" },
		{ LANG_DEFAULTARGS, "10", "BEGIN {}", "" },
		{ LANG_LIBRARY, "10", "int x;", "" },
		{ 0, "10", "BEGIN { x = }",
		  "[D_SYNTAX] line 1: syntax error near \"}\"" },
		{ 0, "a b", "BEGIN { $1 }", "[D_SYNTAX] line 1: syntax error: "
		  "macro argument 'a b' is no integer, word or quoted string" },
		{ 0, "a:b", "x$1 {}", "[D_PDESC_INVAL] line 1: invalid probe "
		  "description: $1 expands to 'a:b', which has a colon" },
		/* Not what a second token would make of it. */
		{ 0, "1; y", "BEGIN { x = $1 }", "[D_SYNTAX] line 1: syntax "
		  "error: macro argument '1; y' is no integer, word or quoted "
		  "string" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct fixture f;

		fixture_init(&f, rows[i].flags, rows[i].arg, NULL);
		fixture_parse(&f, rows[i].text);
		assert_string_equal(fixture_diags(&f), rows[i].want);
		fixture_fini(&f);
	}
}

/* One error for each mistake, and what is sound is kept. */
static void
test_recovery(void **state)
{
	static const struct {
		const char *text;
		unsigned ndiags;
		const char *tree;
	} rows[] = {
		{ "BEGIN { a = ; b; c ! 1; d }", 2,
		  "(clause \"BEGIN\"\n  (body\n    b\n    d))" },
		{ "a b { x; y } END { z }", 1,
		  "(clause \"END\"\n  (body\n    z))" },
		{ "int = 3; END { z }", 1, "(clause \"END\"\n  (body\n    z))" },
		{ "struct { int; x y } z; END {}", 1,
		  "(clause \"END\"\n  (body))" },
		{ "BEGIN { f(a; b } END {}", 1,
		  "(clause \"BEGIN\"\n  (body\n    b))\n"
		  "(clause \"END\"\n  (body))" },
		{ "BEGIN { if (a { b; } c } END {}", 1,
		  "(clause \"BEGIN\"\n  (body\n    c))\n"
		  "(clause \"END\"\n  (body))" },
		{ "BEGIN { if (a +) { b } else { c } d }", 1,
		  "(clause \"BEGIN\"\n  (body\n    d))" },
		{ "BEGIN { for (a; b) { d; e } f }", 1,
		  "(clause \"BEGIN\"\n  (body\n    f))" },
		{ "BEGIN { do { a } until (b); c }", 1,
		  "(clause \"BEGIN\"\n  (body\n    c))" },
		{ "BEGIN /a +/ { b } END /) c/ { d }", 2,
		  "(clause \"BEGIN\"\n  (body\n    b))\n"
		  "(clause \"END\"\n  (body\n    d))" },
		{ "BEGIN { a = \"x\n; b = ''; c = 09 }", 3,
		  "(clause \"BEGIN\"\n  (body\n    (= a \"x\")\n"
		  "    (= b (char 0))\n    (= c 0)))" },
		{ "BEGIN { a\nEND { b }", 1, "" },
		{ "\xef\xbb\xbf#!/usr/sbin/dtrace -s\nEND { c }", 0,
		  "(clause \"END\"\n  (body\n    c))" },
		{ "\xef\xbb\xbf#ident x\nEND { c }", 0,
		  "(clause \"END\"\n  (body\n    c))" },
		/* The '}' that is missing makes a number of a probe's name. */
		{ "BEGIN { a;\ntick-1s { b; }\ntick-2s { c; }", 1, "" },
		{ "BEGIN { a;\ntick-1s /b/ { b; }\nEND { c; }", 1, "" },
		/* Without cpp a program for cpp is none. */
		{ "#define X 3\n#ifdef Y\nEND { c }\n#else\nEND { Y(X) }\n"
		  "#endif", 1, "" },
		/* An open quote makes nonsense of the rest of its statement. */
		{ "BEGIN { f(\"a);\n b; }\nEND { c }", 1,
		  "(clause \"BEGIN\"\n  (body))\n"
		  "(clause \"END\"\n  (body\n    c))" },
		{ "BEGIN { f(\"a);\n b; d; }\nEND { c }", 1,
		  "(clause \"BEGIN\"\n  (body\n    d))\n"
		  "(clause \"END\"\n  (body\n    c))" },
		{ "BEGIN { x = \"a\n\"; b; }", 1, "" },
		{ "BEGIN { x = 'a\n'; b; }", 1, "" },
		{ "BEGIN a(0); b; }\nEND { c }", 1,
		  "(clause \"END\"\n  (body\n    c))" },
		{ "BEGIN a(0);\nEND { c }", 1,
		  "(clause \"END\"\n  (body\n    c))" },
		{ "provider p { probe; }; END {}", 1,
		  "(clause \"END\"\n  (body))" },
		{ "} ) ] END {}", 1, "" },
		{ "BEGIN { f(}); a(1); b(2); }", 1, "" },
		{ "BEGIN { { a; }\nBEGIN { b; }\nEND { c; }", 1, "" },
		{ "BEGIN { a;\nBEGIN { b; }\nEND { c; }", 1, "" },
		{ "BEGIN { int a; char b[2]; c; struct x *d; }\n"
		  "END { int x; }", 2, "(clause \"BEGIN\"\n  (body\n    c))\n"
		  "(clause \"END\"\n  (body))" },
		{ "BEGIN { for (a b = 0; b < 3; b++) c; d; }", 1,
		  "(clause \"BEGIN\"\n  (body\n    d))" },
		{ "BEGIN { for (a; b < 3, ; b++) { c; d; } e; }", 1,
		  "(clause \"BEGIN\"\n  (body\n    e))" },
		{ "BEGIN .\n a(1); b(2); if (c) { d; } else { e; } }", 1, "" },
		{ "int a = 1; int b;", 1, "(declare (decl b (spec int)))" },
		{ "this int a; BEGIN { this int b; c }", 1,
		  "(declare (decl a (spec this int)))\n"
		  "(clause \"BEGIN\"\n  (body\n    c))" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct fixture f;

		fixture_init(&f, 0, NULL, NULL);
		fixture_parse(&f, rows[i].text);
		if (f.diags.n != rows[i].ndiags)
			print_message("# %s\n# %s\n", rows[i].text,
				      fixture_diags(&f));
		assert_int_equal(f.diags.n, rows[i].ndiags);
		if (*rows[i].tree)
			assert_string_equal(fixture_dump(&f), rows[i].tree);
		fixture_fini(&f);
	}
}

#define NO_SUCH_CHARACTER "in a description ? stands for a character that it cannot " \
	"have, as in pid$target:a.out:space??name?int?:entry"


static void
test_hints(void **state)
{
	static const struct {
		const char *text, *hint;
	} rows[] = {
		{ "BEGIN { a b }", "is a ';' missing before this?" },
		{ "BEGIN {\n a\nEND { b }",
		  "is a '}' missing? The '{' on line 1 is not closed" },
		{ "BEGIN {\n a",
		  "is a '}' missing? The '{' on line 1 is not closed" },
		{ "BEGIN {\n f(a }",
		  "the \"(\" on line 2, column 3 is not closed" },
		{ "int a = 1;", "a declaration cannot set a value; assign it in "
		  "a clause, such as BEGIN" },
		{ "BEGIN { int a; }",
		  "variables and types are declared outside of clauses" },
		{ "BEGIN { (bar)x }", "\"bar\" is not the name of a type" },
		{ "BEGIN /a/ /b/ { }",
		  "a clause has one predicate, && joins what it asks" },
		{ "BEGIN { $targat }", "a variable is written without $" },
		{ "#define x", "-C runs the C preprocessor first" },
		{ "const x;", "a type is missing before \"x\"" },
		{ "BEGIN /x {}", "the '/' that ends the predicate, or the "
		  "'{' behind it, is missing" },
		{ "BEGIN /x/ trace(1);", "the '/' that ends the predicate, or "
		  "the '{' behind it, is missing" },
		{ "int f { }", "a function is TYPE NAME(TYPE PARAMETER, ...) "
		  "{ statements }" },
		{ "BEGIN { break; }", "there is no loop around it" },
		{ "no_t x;", "\"no_t\" is not the name of a type" },
		{ "no_t *x, y;", "\"no_t\" is not the name of a type" },
		{ "no x { }", "a predicate or '{' is expected after \"no\"" },
		{ "function f(x) { }", "a function is TYPE NAME(TYPE PARAMETER, "
		  "...) { statements }" },
		{ "f(x) { }", "a function is TYPE NAME(TYPE PARAMETER, ...) "
		  "{ statements }" },
		{ "BEGIN if (1) { }", "what a clause asks first stands between "
		  "slashes: BEGIN /condition/ { statements }" },
		{ "pid1:a:f(int):entry { }", NO_SUCH_CHARACTER },
		{ "BEGIN, pid1:a:~f:entry { }", NO_SUCH_CHARACTER },
		{ "pid1:a:f<int>:entry { }", NO_SUCH_CHARACTER },
		{ "pid1:a:f (int):entry { }", "a predicate or '{' is expected "
		  "after \"pid1:a:f\"" },
		{ "pid1:a:f", "a predicate or '{' is expected after \"pid1:a:f\"" },
		{ "BEGIN { exit 0; }", "is a ';' missing before this? Arguments "
		  "stand in parentheses" },
		{ "BEGIN { trace \"x\"; }", "is a ';' missing before this? "
		  "Arguments stand in parentheses" },
		{ "BEGIN { x = {1, 2}; }",
		  "elements and members are assigned one by one" },
		{ "BEGIN { { x; } }",
		  "a block follows if, else, for, while and do" },
		{ "BEGIN { for (i in a) x; }", "the keys of an array cannot be "
		  "gone through; an aggregation prints its own" },
		{ "BEGIN { x = sizeof int; }", "the name of a type stands in "
		  "parentheses: sizeof (int)" },
		{ "BEGIN { x: y; }", "there are no labels" },
		{ "BEGIN { $x = 5; }", "a variable is written without $" },
		{ "BEGIN { a;\ntick-1s { b; }", "is a '}' missing before? Within "
		  "{ } the name of a probe such as tick-1s is none" },
		{ "# a comment\nBEGIN { }",
		  "comments are written /* like this */ or // like this" },
		{ "BEGIN { x = \"a\n; }",
		  "a '\"' is missing; \\n makes a new line" },
		{ "BEGIN { x = 'a\n; }", "a \"'\" is missing" },
		{ "BEGIN { f(\xe2\x80\x9chello\xe2\x80\x9d); }",
		  "a string stands in plain quotes, \"like this\"" },
		{ "BEGIN {\xc2\xa0" "f(); }",
		  "this looks like a blank, and is another character" },
		{ "BEGIN { f(\xc3\xa9); }", "only strings and comments may "
		  "hold characters outside ASCII" },
		{ "BEGIN { printf(hello world); }", "an operator or a ',' is "
		  "missing before this; text stands in quotes, \"like this\"" },
		{ "BEGIN { f(a g(); }",
		  "the \"(\" on line 1, column 10 is not closed" },
		{ "BEGIN { f(a)); }", "nothing is open that it could close" },
		{ "BEGIN { a]; }", "nothing is open that it could close" },
		{ "BEGIN { } }", "no '{' is open that it could close" },
		{ "BEGIN { } / 1 /", "a probe description is expected here" },
		{ "BEGIN { foreach (x) { y } }",
		  "a block follows if, else, for, while and do" },
		{ "BEGIN { x = 1 and 2; }", "&& is the logical and" },
		{ "BEGIN { x = 1 or 2; }", "|| is the logical or" },
		{ "BEGIN { x = not 1; }", "! is the logical not" },
		{ "BEGIN { var x = 1; }",
		  "a variable needs no declaration: NAME = VALUE;" },
		{ "BEGIN { if (x) then y; }", "the statement follows the "
		  "condition: if (condition) statement" },
		{ "BEGIN { x = 1 <> 2; }", "!= compares for inequality" },
		{ "BEGIN { x = 1 =< 2; }", "<= is \"less or equal\"" },
		{ "BEGIN { x = 1 === 2; }", "== compares" },
		{ "BEGIN { x := 1; }", "= assigns, == compares" },
		{ "BEGIN { return 1; }", "only a function returns" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct fixture f;

		fixture_init(&f, 0, NULL, NULL);
		fixture_parse(&f, rows[i].text);
		assert_non_null(f.diags.first);
		if (!f.diags.first->hint)
			print_message("# %s\n", rows[i].text);
		assert_non_null(f.diags.first->hint);
		assert_string_equal(f.diags.first->hint, rows[i].hint);
		fixture_fini(&f);
	}
}

/* Every keyword is refused as the name of a variable. */
static void
test_keywords(void **state)
{
	static const char *const words[] = {
		"auto", "break", "case", "char", "const", "continue",
		"counter", "default", "do", "double", "else", "enum",
		"extern", "float", "for", "goto", "if", "import", "inline",
		"int", "long", "offsetof", "probe", "provider", "register",
		"restrict", "return", "self", "short", "signed", "sizeof",
		"static", "string", "stringof", "struct", "switch", "this",
		"translator", "typedef", "union", "unsigned", "void",
		"volatile", "while", "xlate",
	};

	for (size_t i = 0; i < BASE_NELEMS(words); i++) {
		struct fixture f;
		char text[64];

		fixture_init(&f, 0, NULL, NULL);
		snprintf(text, sizeof(text), "BEGIN { %s = 1; }", words[i]);
		fixture_parse(&f, text);
		assert_int_equal(f.diags.n, 1);
		assert_true(f.diags.first->tag == D_SYNTAX ||
			    f.diags.first->tag == D_NOTIMPL);
		fixture_fini(&f);

		/* But not as that of a member or a probe. */
		fixture_init(&f, 0, NULL, NULL);
		snprintf(text, sizeof(text), "p:::%s { a->%s }", words[i],
			 words[i]);
		fixture_parse(&f, text);
		assert_string_equal(fixture_diags(&f), "");
		fixture_fini(&f);
	}
}

static void
check_where(const char *name, const char *text, const char *want)
{
	struct fixture f;

	fixture_init(&f, 0, NULL, NULL);
	f.src = (struct lang_source){ name, text, (uint32_t)strlen(text) };
	f.prog = lang_parse(&f.env, &f.src);
	assert_int_equal(f.diags.n, 1);
	sb_reset(&f.out);
	diag_print_line(f.diags.first, false, &f.out);
	assert_string_equal(sb_str(&f.out), want);
	fixture_fini(&f);
}

static void
test_lines(void **state)
{
	check_where(NULL, "BEGIN { + }", "syntax error near \"}\"");
	check_where(NULL, "BEGIN {\n+ }", "line 2: syntax error near \"}\"");
	check_where("f.d", "BEGIN { + }", "line 1: syntax error near \"}\"");
	check_where("f.d", "#line 40\nBEGIN { + }",
		    "line 40: syntax error near \"}\"");
	check_where("f.d", "# 7 \"x.h\" 1 3\n\nBEGIN { + }",
		    "\"x.h\", line 8: syntax error near \"}\"");
	check_where(NULL, "# 1 \"x.h\"\nBEGIN { + }",
		    "\"x.h\", line 1: syntax error near \"}\"");
	check_where("f.d", "# 7 \"x.h\"\n# 3 \"f.d\"\nBEGIN { + }",
		    "line 3: syntax error near \"}\"");
	check_where(NULL, "# 1 \"<stdin>\"\n\nBEGIN { + }",
		    "line 2: syntax error near \"}\"");
	check_where("f.d", "BEGIN { x = \"a\"\n\"b\"\n+ }",
		    "line 3: syntax error near \"}\"");
	/* These only look like control lines. */
	check_where("f.d", "/*\n# 9 \"x\"\n*/\nBEGIN { + }",
		    "line 4: syntax error near \"}\"");
	check_where("f.d", "BEGIN { x = \"\\\"# 9\"; y = '#'; + }",
		    "line 1: syntax error near \"}\"");
}

/* Every place of a long text is where it is without marks.  npieces: of the
 * pieces, so many; the first ones have no line ends. */
static void
check_marks(unsigned npieces)
{
	static const char *const pieces[] = {
		"a = 5; ", "b = \"x\\\"y#\"; ", "/* # 7 */ ", " # 8 ", "'/*' ",
		"x = 1;\n", "\n\n\n\n", "# 7 \"other.h\"\n", "#line 40\n",
		"/* a\n# 3 \"no\"\n long\n comment */ y;\n", "s = \"a\\\"#\";\n",
		"z = '\\n'; /* b */ /* c\n */ # 9\n", "a = \"open\n",
		"w = 2 /", "* no\n */\n", " # 4 \"f\" 1\n",
	};
	uint32_t seed = 1;
	struct sb text;
	struct arena *a = arena_new();

	sb_init(&text, 1 << 20);
	for (int i = 0; i < 2000; i++) {
		seed = seed * 1103515245 + 12345;
		sb_puts(&text, pieces[(seed >> 16) %
				      BASE_MIN(npieces, BASE_NELEMS(pieces))]);
	}
	struct lang_source plain = { "f.d", text.p, (uint32_t)text.len };
	struct lang_source marked = plain;
	assert_true(lang_mark_lines(&marked, a));
	assert_true(marked.nmarks > 10);
	for (uint32_t off = 0; off <= text.len; off += off % 3 + 1) {
		unsigned line[2], col[2];
		struct base_span file[2];
		lang_span_where((struct lang_span){ &plain, off, 0 }, &line[0],
				&col[0], &file[0]);
		lang_span_where((struct lang_span){ &marked, off, 0 }, &line[1],
				&col[1], &file[1]);
		assert_int_equal(line[0], line[1]);
		assert_int_equal(col[0], col[1]);
		assert_int_equal(file[0].n, file[1].n);
		assert_memory_equal(file[0].p, file[1].p, file[0].n);
	}
	sb_fini(&text);
	arena_free(a);
}

static void
test_marks(void **state)
{
	check_marks(5);
	check_marks(100);
}

static void
test_source_form(void **state)
{
	static const char text[] = "BEGIN\n{\n\tx = \"\xc3\xa9\" + foo bar;\n}\n";
	struct fixture f;
	unsigned line, col;
	struct base_span file;

	fixture_init(&f, 0, NULL, NULL);
	fixture_parse(&f, text);
	assert_int_equal(f.diags.n, 1);
	sb_reset(&f.out);
	diag_print_source(f.diags.first, &f.out);
	assert_string_equal(sb_str(&f.out),
		"    3 | \tx = \"\xc3\xa9\" + foo bar;\n"
		"      | \t              ^~~\n"
		"hint: is a ';' missing before this?\n");
	lang_span_where(f.diags.first->span, &line, &col, &file);
	assert_int_equal(line, 3);
	assert_int_equal(col, 17);
	assert_true(base_span_is(file, "test.d"));
	fixture_fini(&f);

	struct diag nowhere = { .tag = D_EMPTY, .text = "empty D program" };
	sb_init(&f.out, 1000);
	diag_print_line(&nowhere, true, &f.out);
	diag_print_source(&nowhere, &f.out);
	assert_string_equal(sb_str(&f.out), "[D_EMPTY] empty D program");
	sb_fini(&f.out);
}

static void
test_span_join(void **state)
{
	struct lang_source src = { 0 }, other = { 0 };
	struct lang_span a = { &src, 5, 3 }, b = { &src, 10, 2 }, none = { 0 };

	struct lang_span j = lang_span_join(a, b);
	assert_int_equal(j.off, 5);
	assert_int_equal(j.len, 7);
	j = lang_span_join(b, a);
	assert_int_equal(j.off, 5);
	assert_int_equal(j.len, 7);
	assert_ptr_equal(lang_span_join(none, b).src, &src);
	assert_ptr_equal(lang_span_join(a, none).src, &src);
	b.src = &other;
	assert_int_equal(lang_span_join(a, b).len, 3);
}

static void
test_tag_names(void **state)
{
	assert_string_equal(diag_tag_name(D_ACT_SPEC), "D_ACT_SPEC");
	assert_string_equal(diag_tag_name(D_XLATE_SOU), "D_XLATE_SOU");
	for (int i = 1; i < DIAG_N; i++)
		assert_true(strcmp(diag_tag_name(i - 1), diag_tag_name(i)) < 0);
}

/* More than DIAG_MAX are counted. */
static void
test_many(void **state)
{
	struct fixture f;
	char text[64 * 10] = "BEGIN {";
	unsigned kept = 0;

	for (int i = 0; i < 60; i++)
		strcat(text, " + ;");
	strcat(text, "}");
	fixture_init(&f, 0, NULL, NULL);
	fixture_parse(&f, text);
	assert_int_equal(f.diags.n, 60);
	for (const struct diag *d = f.diags.first; d; d = d->next)
		kept++;
	assert_int_equal(kept, DIAG_MAX);
	fixture_fini(&f);
}

/* What is quoted must not break the line, nor speak to the terminal. */
static void
test_control_characters(void **state)
{
	struct lang_span nowhere = { 0 };
	struct fixture f;

	fixture_init(&f, 0, NULL, NULL);
	diag(&f.diags, D_SYNTAX, nowhere, "%s", "a\nb\t\x1b[1m\x7f\xc3\xa9\\n");
	diag_hint(&f.diags, "%s", "\r");
	diag(&f.diags, D_SYNTAX, nowhere, "%s", "");
	assert_string_equal(fixture_diags(&f),
		"[D_SYNTAX] a\\nb\\t\\033[1m\\177\xc3\xa9\\n\n[D_SYNTAX] ");
	assert_string_equal(f.diags.first->hint, "\\r");
	fixture_fini(&f);
}

const struct CMUnitTest error_tests[] = {
	cmocka_unit_test(test_messages),
	cmocka_unit_test(test_argument_messages),
	cmocka_unit_test(test_recovery),
	cmocka_unit_test(test_hints),
	cmocka_unit_test(test_keywords),
	cmocka_unit_test(test_lines),
	cmocka_unit_test(test_marks),
	cmocka_unit_test(test_source_form),
	cmocka_unit_test(test_span_join),
	cmocka_unit_test(test_tag_names),
	cmocka_unit_test(test_many),
	cmocka_unit_test(test_control_characters),
};
const size_t n_error_tests = BASE_NELEMS(error_tests);
