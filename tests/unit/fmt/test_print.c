/* SPDX-License-Identifier: BSD-2-Clause
 *
 * print(): values of every kind of type, laid out as the specification has it.
 * Rows give a type as text and its bytes; what needs members is built here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/base.h"
#include "fmt/walk.h"
#include "fmtworld.h"
#include "support/mktype.h"
#include "type/make.h"
#include "type/text.h"
#include "type/type.h"

static struct arena *a;

static const struct type *
colour(void)
{
	static const struct type_enumerator e[] = {
		{ "RED", 0 }, { "GREEN", 1 }, { "DARK", -1 },
	};

	return mktype_enum(a, "colour", e, 3);
}

static const struct type *
sou(enum type_kind kind, const char *tag, const char *const *decls,
    unsigned n);

static const struct type *
find(void *ctx, enum type_kind kind, const char *name)
{
	static const char *const alpha[] = { "int alpha" };

	if (kind == TYPE_TYPEDEF && !strcmp(name, "u8"))
		return type_new_typedef(a, "u8", &type_uchar);
	if (kind == TYPE_TYPEDEF && !strcmp(name, "letter"))
		return type_new_typedef(a, "letter", &type_char);
	if (kind == TYPE_TYPEDEF && !strcmp(name, "bar_t"))
		return type_new_typedef(a, "bar_t",
			sou(TYPE_STRUCT, "bar", alpha, 1));
	if (kind == TYPE_ENUM && !strcmp(name, "colour"))
		return colour();
	if (kind == TYPE_STRUCT && !strcmp(name, "bar"))
		return sou(TYPE_STRUCT, "bar", alpha, 1);
	return NULL;
}

static const struct type *
parse(const char *text)
{
	const struct type *t = !strcmp(text, "string") ? type_new_string(a, 8)
		: type_parse(a, text, find, NULL);

	if (!t)
		fail_msg("no type: %s", text);
	return t;
}

/* Members as print() has them, a type and then a name; "int f :4" is a
 * bit-field, "int  :4" one without a name; a leading "*" has the type last given
 * to `inner`. */
static const struct type *inner;

static const struct type *
sou(enum type_kind kind, const char *tag, const char *const *decls, unsigned n)
{
	struct type_member m[16] = { 0 };
	char text[64];

	for (unsigned i = 0; i < n; i++) {
		const char *colon = strchr(decls[i], ':');
		snprintf(text, sizeof(text), "%.*s",
			 (int)(colon ? (size_t)(colon - 1 - decls[i])
				     : strlen(decls[i])), decls[i]);
		if (colon)
			m[i].bit_size = (uint32_t)atoi(colon + 1);
		if (text[0] == '*') {
			m[i].type = inner;
			m[i].name = text[1] ? decls[i] + 1 : NULL;
		} else {
			char *name = strrchr(text, ' ');
			*name++ = '\0';
			m[i].name = *name ? arena_strdup(a, name) : NULL;
			m[i].type = parse(text);
		}
	}
	return mktype_sou(a, kind, tag, m, n);
}

/* A record with one print() of n bytes of type t; quiet. */
static void
expect_field(struct abi_field field, const struct type *t, const void *p,
	     size_t n, const char *want)
{
	struct fw *w = fw_new();
	struct rm_clause *cl = rm_clause(w->m, 0);

	rm_action(cl, ABI_ACT_PRINT, NULL);
	rm_field(cl, field.kind, (uint32_t)n, false);
	cl->fields[0].sub = field.sub;
	cl->actions[0].type = t;
	w->opts.v[OPT_QUIET] = 1;
	fw_open(w);
	struct abi_record *r = fw_fire(w, cl);
	memcpy((char *)r + cl->fields[0].offset, p, n);
	fw_run(w);
	fw_expect(w, want);
	fw_free(w);
}

static void
expect(const struct type *t, const void *p, size_t n, const char *want)
{
	expect_field((struct abi_field){ .kind = ABI_FIELD_BYTES }, t, p, n,
		     want);
}

/* --- Values without members --------------------------------------------- */

static void
test_values(void **state)
{
	static const struct {
		const char *type, *bytes;
		size_t n;
		const char *want;
	} rows[] = {
		{ "char", "a", 1, "char 'a'\n" },
		{ "char", "\0", 1, "char '\\0'\n" },
		{ "char", "\4", 1, "char '\\004'\n" },
		{ "char", "\n", 1, "char '\\n'\n" },
		{ "char", "'", 1, "char '\\''\n" },
		{ "char", "\"", 1, "char '\"'\n" },
		{ "char", "\\", 1, "char '\\\\'\n" },
		{ "char", "\xff", 1, "char '\\377'\n" },
		{ "letter", "z", 1, "letter 'z'\n" },
		{ "unsigned char", "b", 1, "unsigned char 'b'\n" },
		{ "u8", "b", 1, "u8 0x62\n" },
		{ "int8_t", "\xff", 1, "int8_t 0xff\n" },
		{ "_Bool", "\1", 1, "_Bool 0x1\n" },
		{ "short", "\xff\xff", 2, "short 0xffff\n" },
		{ "int", "\xff\xff\xff\xff", 4, "int 0xffffffff\n" },
		{ "int", "\0\0\0\0", 4, "int 0\n" },
		{ "unsigned int", "\xef\xbe\xad\xde", 4,
		  "unsigned int 0xdeadbeef\n" },
		{ "uint64_t", "\1\2\3\4\5\6\7\x8", 8,
		  "uint64_t 0x807060504030201\n" },
		{ "long", "\xff\xff\xff\xff\xff\xff\xff\xff", 8,
		  "long 0xffffffffffffffff\n" },
		{ "void *", "\x34\x12\0\0\0\0\0\0", 8, "void * 0x1234\n" },
		{ "char *", "\0\0\0\0\0\0\0\0", 8, "char * 0\n" },
		{ "struct bar *", "\x34\x12\0\0\0\0\0\0", 8,
		  "struct bar * 0x1234\n" },
		{ "int (*)(int, char *)", "\x8\0\0\0\0\0\0\0", 8,
		  "int (*)() 0x8\n" },
		{ "enum colour", "\1\0\0\0", 4, "enum colour GREEN\n" },
		{ "enum colour", "\xff\xff\xff\xff", 4, "enum colour DARK\n" },
		{ "enum colour", "\7\0\0\0", 4, "enum colour 0x7\n" },
		{ "float", "\0\0\xc0\x3f", 4, "float 1.5000000e+00\n" },
		{ "double", "\0\0\0\0\0\0\4\xc0", 8,
		  "double -2.5000000e+00\n" },
		{ "string", "hello\0\0", 8, "string \"hello\"\n" },
		{ "string", "\0abcdef", 8, "string \"\"\n" },
		{ "string", "a\tb\"\\\1\0", 8,
		  "string \"a\\tb\\\"\\\\\\001\"\n" },
		/* Characters that are text, all of it or up to zeros. */
		{ "char [6]", "ab\0\0\0\0", 6, "char [6] \"ab\"\n" },
		{ "char [2]", "ab", 2, "char [2] \"ab\"\n" },
		{ "char [2]", "\0\0", 2, "char [2] \"\"\n" },
		{ "char [3]", "\0a\0", 3, "char [3] [ '\\0', 'a', '\\0' ]\n" },
		{ "char [3]", "\4\0\0", 3,
		  "char [3] [ '\\004', '\\0', '\\0' ]\n" },
		{ "unsigned char [3]", "xy\0", 3, "unsigned char [3] \"xy\"\n" },
		{ "u8 [3]", "xy\0", 3, "u8 [3] [ 0x78, 0x79, 0 ]\n" },
		{ "short [3]", "\1\0\2\0\3\0", 6, "short [3] [ 0x1, 0x2, 0x3 ]\n" },
		{ "short [2][2]", "\1\0\2\0\3\0\4\0", 8,
		  "short [2][2] [ [ 0x1, 0x2 ], [ 0x3, 0x4 ] ]\n" },
		{ "char [2][3]", "ab\0cd\0", 6,
		  "char [2][3] [ [ \"ab\" ], [ \"cd\" ] ]\n" },
		{ "enum colour [2]", "\1\0\0\0\0\0\0\0", 8,
		  "enum colour [2] [ GREEN, RED ]\n" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		expect(parse(rows[i].type), rows[i].bytes, rows[i].n,
		       rows[i].want);
}

static void
test_long_double(void **state)
{
	long double v = 1.25;

	expect(&type_ldouble, &v, sizeof(v),
	       "long double 1.2500000000000000E+00\n");
}

/* What a record holds in another form than C. */
static void
test_other_forms(void **state)
{
	struct abi_field probe = { .kind = ABI_FIELD_PROBE,
				   .sub = ABI_PART_FUNC };
	struct abi_field text = { .kind = ABI_FIELD_STRING,
				  .sub = ABI_MEANS_FLOAT };

	expect_field(probe, type_new_string(a, 192), "\1\0\0\0", 4,
		     "string \"func\"\n");
	expect_field(text, &type_ldouble, "0.5", 4,
		     "long double 5.0000000000000000E-01\n");
}

/* --- Structs ------------------------------------------------------------ */

/* The example of the specification. */
static void
test_struct(void **state)
{
	static const char *const c[] = { "uint64_t alpha" };
	static const char *const foo[] = {
		"int a", "int f :4", "*c", "bar_t [2] b", "char [3] d",
		"char [30] e", "int (*)(int) g",
	};
	struct {
		int a, f;
		uint64_t c;
		int b[2];
		char d[3], e[30];
		int (*g)(int);
	} v = { 1, 1, 3, { 5, 6 }, { 4 }, "ab", (int (*)(int))8 };

	inner = sou(TYPE_STRUCT, NULL, c, 1);
	const struct type *t = type_new_typedef(a, "foo_t",
		sou(TYPE_STRUCT, "foo", foo, BASE_NELEMS(foo)));
	assert_int_equal(type_size(t), sizeof(v));
	expect(t, &v, sizeof(v),
"foo_t {\n"
"    int a = 0x1\n"
"    int f :4 = 0x1\n"
"    struct c = {\n"
"        uint64_t alpha = 0x3\n"
"    }\n"
"    bar_t [2] b = [ \n"
"        bar_t {\n"
"            int alpha = 0x5\n"
"        }, \n"
"        bar_t {\n"
"            int alpha = 0x6\n"
"        }\n"
"    ]\n"
"    char [3] d = [ '\\004', '\\0', '\\0' ]\n"
"    char [30] e = [ \"ab\" ]\n"
"    int (*)() g = 0x8\n"
"}\n");
}

/* Signs, neighbours, units that are crossed; padding is not told. */
static void
test_bit_fields(void **state)
{
	static const char *const decls[] = {
		"int a :3", "unsigned int b :7", "int c :22", "long d :40",
		"unsigned long e :24", "enum colour f :2", "_Bool g :1",
	};
	struct {
		int a:3;
		unsigned b:7;
		int c:22;
		long d:40;
		unsigned long e:24;
		unsigned f:2;
		_Bool g:1;
	} v = { -1, 100, -2, 1L << 38, 0xabcdef, 1, 1 };
	const struct type *t = sou(TYPE_STRUCT, "bits", decls, 7);

	assert_int_equal(type_size(t), sizeof(v));
	expect(t, &v, sizeof(v),
"struct bits {\n"
"    int a :3 = 0x7\n"
"    unsigned int b :7 = 0x64\n"
"    int c :22 = 0x3ffffe\n"
"    long d :40 = 0x4000000000\n"
"    unsigned long e :24 = 0xabcdef\n"
"    enum colour f :2 = GREEN\n"
"    _Bool g :1 = 0x1\n"
"}\n");
}

static void
test_anonymous(void **state)
{
	static const char *const u[] = { "int i", "char [4] c" };
	static const char *const outer[] = { "*", "int  :5", "int last" };
	struct { int u, gap, last; } v = { 0x6968, 0, 2 };

	inner = sou(TYPE_UNION, NULL, u, 2);
	expect(sou(TYPE_STRUCT, NULL, outer, 3), &v, sizeof(v),
"struct {\n"
"    union {\n"
"        int i = 0x6968\n"
"        char [4] c = [ \"hi\" ]\n"
"    }\n"
"    int last = 0x2\n"
"}\n");
}

static void
test_arrays_of_structs(void **state)
{
	static const char *const decls[] = {
		"bar_t [2][1] m", "bar_t [] none", "void *[2] p", "string s",
	};
	struct { int m[2]; void *p[2]; char s[8]; } v = {
		{ 1, 2 }, { (void *)16, NULL }, "xyz" };

	expect(sou(TYPE_STRUCT, "box", decls, 4), &v, sizeof(v),
"struct box {\n"
"    bar_t [2][1] m = [ \n"
"        bar_t [1] [ \n"
"            bar_t {\n"
"                int alpha = 0x1\n"
"            }\n"
"        ], \n"
"        bar_t [1] [ \n"
"            bar_t {\n"
"                int alpha = 0x2\n"
"            }\n"
"        ]\n"
"    ]\n"
"    bar_t [] none = [ ]\n"
"    void *[2] p = [ 0x10, 0 ]\n"
"    string s = \"xyz\"\n"
"}\n");
}

/* Not quiet: behind the row's prefix; the row's own newline follows. */
static void
test_row(void **state)
{
	struct fw *w = fw_new();
	struct rm_clause *cl = rm_clause(w->m, 0);

	rm_action(cl, ABI_ACT_PRINT, NULL);
	rm_field(cl, ABI_FIELD_INT, 4, true);
	cl->actions[0].type = &type_int;
	fw_open(w);
	fw_fire(w, cl);
	fw_run(w);
	fw_expect(w, HEADER ROW "int 0\n\n");
	fw_free(w);
}

/* --- What could be too much --------------------------------------------- */

static void
count_leaf(void *ctx, const struct fmt_value *v)
{
	unsigned *n = ctx;

	n[v->kind]++;
}

static void
count_other(void *ctx, const struct fmt_value *v)
{
}

static const struct fmt_walk_ops counter = {
	count_leaf, count_other, count_other
};

/* Each level holds two of the next: 2^70 values. */
static void
test_bounds(void **state)
{
	unsigned n[FMT_VALUE_STRUCT + 1] = { 0 };
	struct type_member m[2] = { { "a", &type_int, 0, 0 },
				    { "b", &type_int, 0, 0 } };
	const struct type *t;
	uint32_t zero = 0;

	for (int i = 0; i < 70; i++) {
		t = mktype_sou(a, TYPE_UNION, "u", m, 2);
		m[0].type = m[1].type = t;
	}
	fmt_walk(t, &zero, sizeof(zero), &counter, n);
	assert_true(n[FMT_VALUE_CUT] > 0);
	assert_true(n[FMT_VALUE_CUT] < 1 << 21);
}

static bool
load_nothing(struct type *t)
{
	return false;
}

/* Members that a source does not give. */
static void
test_unreadable(void **state)
{
	static const char *const decls[] = { "int a", "*b" };
	struct type *t = mktype_sou(a, TYPE_STRUCT, "lost",
		&(struct type_member){ "x", &type_int, 0, 0 }, 1);

	t->n = 0;
	t->load = load_nothing;
	inner = t;
	expect(sou(TYPE_STRUCT, "s", decls, 2), (int[]){ 1, 2 }, 8,
"struct s {\n"
"    int a = 0x1\n"
"    struct lost b = ...\n"
"}\n");
}

/* Bytes that end too early: nothing behind them is touched. */
static void
test_short(void **state)
{
	static const char *const decls[] = { "int a", "long b", "int [4] c",
					     "int d :9" };
	const struct type *t = sou(TYPE_STRUCT, "s", decls, 4);

	for (size_t size = 0; size <= type_size(t); size++) {
		unsigned n[FMT_VALUE_STRUCT + 1] = { 0 };
		char *p = calloc(1, size ? size : 1);
		fmt_walk(t, p, size, &counter, n);
		assert_int_equal(n[FMT_VALUE_INT],
				 (size >= 4) + (size >= 16) + (size >= 34) +
				 (size < 16 ? 0 : BASE_MIN((size - 16) / 4, 4)));
		free(p);
	}
}

static int
setup(void **state)
{
	a = arena_new();
	return a ? 0 : -1;
}

static int
teardown(void **state)
{
	arena_free(a);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_long_double),
		cmocka_unit_test(test_other_forms),
		cmocka_unit_test(test_struct),
		cmocka_unit_test(test_bit_fields),
		cmocka_unit_test(test_anonymous),
		cmocka_unit_test(test_arrays_of_structs),
		cmocka_unit_test(test_row),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_unreadable),
		cmocka_unit_test(test_short),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
