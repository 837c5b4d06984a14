/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Types: text to type and back, equality, conversions, layout; questions asked
 * of types that broken data made.  Layout against the compiler is
 * test_layout.c's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <cmocka.h>

#include "base/base.h"
#include "support/mktype.h"
#include "test_type.h"
#include "type/convert.h"
#include "type/make.h"
#include "type/text.h"
#include "type/type.h"
#include "util/alloc.h"

static const struct type *
find(void *ctx, enum type_kind kind, const char *name)
{
	struct arena *a = ctx;

	if (kind == TYPE_TYPEDEF && strcmp(name, "u64") == 0)
		return type_new_typedef(a, "u64", &type_ullong);
	if (kind == TYPE_TYPEDEF && strcmp(name, "u8") == 0)
		return type_new_typedef(a, "u8", &type_uchar);
	if (kind == TYPE_TYPEDEF && strcmp(name, "fn_t") == 0)
		return type_new_typedef(a, "fn_t",
			type_new_func(a, &type_int, NULL, 0, false));
	if (kind == TYPE_STRUCT && strcmp(name, "full") == 0) {
		struct type_member m = { "x", &type_int, 0, 0 };
		return mktype_sou(a, TYPE_STRUCT, "full", &m, 1);
	}
	return NULL;
}

static const struct type *
parse(struct arena *a, const char *text)
{
	const struct type *t = type_parse(a, text, find, a);

	if (!t)
		fail_msg("no type: %s", text);
	return t;
}

static void
test_basic(void **state)
{
#define BASIC(id, text, k, bytes, sign, r) \
	assert_string_equal(type_##id.name, text); \
	assert_int_equal(type_size(&type_##id), bytes);
#include "type/basic.def"
#undef BASIC
	/* Sizes and signs as this compiler has them. */
#define SAME(id, ctype) \
	assert_int_equal(type_size(&type_##id), sizeof(ctype)); \
	assert_int_equal(type_align(&type_##id), _Alignof(ctype)); \
	assert_int_equal(type_is_signed(&type_##id), (ctype)-1 < (ctype)1)
	/* D's char has a sign on every machine. */
	assert_true(type_is_signed(&type_char));
	SAME(schar, signed char); SAME(uchar, unsigned char);
	SAME(short, short); SAME(ushort, unsigned short);
	SAME(int, int); SAME(uint, unsigned int);
	SAME(long, long); SAME(ulong, unsigned long);
	SAME(llong, long long); SAME(ullong, unsigned long long);
	SAME(bool, _Bool);
	SAME(int8, int8_t); SAME(uint8, uint8_t);
	SAME(int16, int16_t); SAME(uint16, uint16_t);
	SAME(int32, int32_t); SAME(uint32, uint32_t);
	SAME(int64, int64_t); SAME(uint64, uint64_t);
	SAME(size_t, size_t); SAME(ssize_t, ssize_t); SAME(pid_t, pid_t);
	SAME(id_t, id_t); SAME(uid_t, uid_t); SAME(gid_t, gid_t);
	SAME(intptr_t, intptr_t); SAME(uintptr_t, uintptr_t);
	assert_int_equal(type_size(&type_ldouble), sizeof(long double));
	assert_ptr_equal(type_alias("uint64_t"), &type_uint64);
	assert_true(type_is_charptr(type_alias("caddr_t")));
	assert_null(type_alias("u64"));
}

/* Every pair of integers against the compiler's own conversions. */
#define ID(e) _Generic((e), \
	char: &type_char, signed char: &type_schar, \
	unsigned char: &type_uchar, short: &type_short, \
	unsigned short: &type_ushort, int: &type_int, \
	unsigned int: &type_uint, long: &type_long, \
	unsigned long: &type_ulong, long long: &type_llong, \
	unsigned long long: &type_ullong, _Bool: &type_bool)

/* A row called bool would expand to _Bool. */
#define type_boolean type_bool

#define INTS(X, arg) \
	X(char, char, arg) X(schar, signed char, arg) \
	X(uchar, unsigned char, arg) X(short, short, arg) \
	X(ushort, unsigned short, arg) X(int, int, arg) \
	X(uint, unsigned int, arg) X(long, long, arg) \
	X(ulong, unsigned long, arg) X(llong, long long, arg) \
	X(ullong, unsigned long long, arg) X(boolean, _Bool, arg)
/* The same, so that one list can be walked inside the other. */
#define INTS2(X, arg) \
	X(char, char, arg) X(schar, signed char, arg) \
	X(uchar, unsigned char, arg) X(short, short, arg) \
	X(ushort, unsigned short, arg) X(int, int, arg) \
	X(uint, unsigned int, arg) X(long, long, arg) \
	X(ulong, unsigned long, arg) X(llong, long long, arg) \
	X(ullong, unsigned long long, arg) X(boolean, _Bool, arg)

static void
test_conversions(void **state)
{
#define PAIR(id, ctype, other) \
	assert_ptr_equal(type_usual_arith(&type_##other, &type_##id), \
			 ID((c_##other)0 + (ctype)0));
#define ROW(id, ctype, arg) { \
	typedef ctype c_##id; \
	assert_ptr_equal(type_promote(&type_##id), ID(+(c_##id)0)); \
	INTS2(PAIR, id) \
}
	INTS(ROW, 0)
}

static void
test_enum(void **state)
{
	static const struct {
		int64_t lo, hi;
		unsigned size;
		bool is_signed;
		const struct type *promoted;
	} rows[] = {
		{ 0, 1, 4, true, &type_int },
		{ -1, 1, 4, true, &type_int },
		{ INT32_MIN, INT32_MAX, 4, true, &type_int },
		{ 0, UINT32_MAX, 4, false, &type_uint },
		{ 0, (int64_t)INT32_MAX + 1, 4, false, &type_uint },
		{ -1, (int64_t)INT32_MAX + 1, 8, true, &type_long },
		{ 0, (int64_t)UINT32_MAX + 1, 8, false, &type_ulong },
		{ (int64_t)INT32_MIN - 1, 0, 8, true, &type_long },
	};
	struct arena *a = arena_new();
	int64_t v;

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct type_enumerator e[] = {
			{ "LO", rows[i].lo }, { "HI", rows[i].hi },
		};
		const struct type *t = mktype_enum(a, "e", e, 2);
		assert_int_equal(type_size(t), rows[i].size);
		assert_int_equal(type_is_signed(t), rows[i].is_signed);
		assert_ptr_equal(type_promote(t), rows[i].promoted);
		assert_true(type_find_enum(t, "HI", &v));
		assert_true(v == rows[i].hi);
		assert_false(type_find_enum(t, "MID", &v));
	}
	arena_free(a);
}

/* print(parse(text)) gives text, and out where that differs. */
static void
test_print_parse(void **state)
{
	static const struct {
		const char *text, *out;
	} rows[] = {
		{ "int" }, { "void" }, { "_Bool" }, { "u64" }, { "size_t" },
		{ "unsigned", "unsigned int" },
		{ "signed", "int" }, { "short int", "short" },
		{ "long unsigned int", "unsigned long" },
		{ "int long long unsigned", "unsigned long long" },
		{ "long double" }, { "signed char" },
		{ "struct task_struct *" }, { "struct full" },
		{ "union u *" }, { "enum e" },
		{ "char *" }, { "char **" }, { "const char *" },
		{ "char const *", "const char *" },
		{ "char *const" }, { "const char *const *" },
		{ "const volatile int" },
		{ "volatile const int", "const volatile int" },
		{ "char *restrict" },
		{ "char [16]" }, { "char[16]", "char [16]" },
		{ "char *[4]" }, { "char [2][3]" }, { "char *const [4]" },
		{ "char []" }, { "char (*)[16]" }, { "const char (*)[16]" },
		{ "int (void)" }, { "int (*)(void)" }, { "int(*)(void)",
		  "int (*)(void)" },
		{ "int ()", "int (void)" },
		{ "int (*[4])(void)" }, { "int (**)(void)" },
		{ "int (*(*)(void))(int)" },
		{ "void (*(int, void (*)(int)))(int)" },
		{ "int (*)(int, ...)" },
		{ "long (struct file *, const char *, size_t, u64 *)" },
		{ "int (*(*[3])[5])(char **)" },
		{ "fn_t *" },
		{ "void (int [4], fn_t)", "void (int *, fn_t *)" },
		{ "  struct   full  * ", "struct full *" },
		{ "const char __user *", "const char *" },
	};
	struct arena *a = arena_new();
	struct sb b;

	sb_init(&b, 4096);
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		const char *want = rows[i].out ? rows[i].out : rows[i].text;
		const struct type *t = parse(a, rows[i].text);
		sb_reset(&b);
		type_print(t, NULL, &b);
		assert_string_equal(sb_str(&b), want);
		assert_true(type_equal(t, parse(a, sb_str(&b))));
	}
	sb_fini(&b);
	arena_free(a);
}

/* Without parameters and without what has no name. */
static void
test_brief(void **state)
{
	static const struct { const char *text, *out; } rows[] = {
		{ "int (*)(int, char *)", "int (*)()" },
		{ "void (*(int, void (*)(int)))(int)", "void (*())()" },
		{ "int (*[4])(void)", "int (*[4])()" },
		{ "struct full *", "struct full *" },
		{ "const char [2][3]", "const char [2][3]" },
	};
	struct type_member m = { "x", &type_int, 0, 0 };
	struct arena *a = arena_new();
	const struct type *s = mktype_sou(a, TYPE_UNION, NULL, &m, 1);
	struct sb b;

	sb_init(&b, 4096);
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		sb_reset(&b);
		type_print_brief(parse(a, rows[i].text), &b);
		assert_string_equal(sb_str(&b), rows[i].out);
	}
	sb_reset(&b);
	type_print_brief(type_new_array(a, s, 2), &b);
	assert_string_equal(sb_str(&b), "union [2]");
	sb_fini(&b);
	arena_free(a);
}

/* Parameters: names are dropped, arrays and functions become pointers. */
static void
test_params(void **state)
{
	static const struct {
		const char *text, *out;
	} rows[] = {
		{ "char comm[16]", "char *" },
		{ "const char * filename", "const char *" },
		{ "unsigned short common_type", "unsigned short" },
		{ "int (*fn)(void)", "int (*)(void)" },
		{ "int f(int a, char *b)", "int (*)(int, char *)" },
		{ "char *const p", "char *const" },
		{ "unsigned x", "unsigned int" },
		{ "u64 u64", "u64" },
		{ "u64", "u64" },
		{ "struct full *", "struct full *" },
		{ "int (*a[2])[3]", "int (**)[3]" },
	};
	struct arena *a = arena_new();
	char text[64];
	struct sb b;

	sb_init(&b, 4096);
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		snprintf(text, sizeof(text), "void (%s)", rows[i].text);
		const struct type *t = type_parse(a, text, find, a);
		assert_non_null(t);
		snprintf(text, sizeof(text), "void (%s)", rows[i].out);
		sb_reset(&b);
		type_print(t, NULL, &b);
		assert_string_equal(sb_str(&b), text);
	}
	sb_fini(&b);
	arena_free(a);
}

/* What the words of a specifier are in C, in any order: n[i] of specifier_words[i]. */
static const char *const specifier_words[] = {
	"void", "_Bool", "float", "double", "char", "short", "int", "long", "signed", "unsigned",
};

static const struct type *
specified(const unsigned n[10], unsigned all)
{
	enum { VOID, BOOL, FLOAT, DOUBLE, CHAR, SHORT, INT, LONG, SIGNED, UNSIGNED };
	static const struct type *const integers[3][4] = {
		{ &type_char, &type_schar, &type_uchar },
		{ &type_short, &type_short, &type_ushort },
		{ &type_int, &type_int, &type_uint },
	}, *const longs[3][3] = {
		{ &type_int }, { &type_long, &type_long, &type_ulong },
		{ &type_llong, &type_llong, &type_ullong },
	};
	unsigned sign = n[SIGNED] ? 1 : n[UNSIGNED] ? 2 : 0;

	if (n[VOID] + n[BOOL] + n[FLOAT] + n[DOUBLE])
		return all == 1 ? n[VOID] ? &type_void : n[BOOL] ? &type_bool :
				  n[FLOAT] ? &type_float : &type_double :
		       all == 2 && n[DOUBLE] == 1 && n[LONG] == 1 ? &type_ldouble : NULL;
	if (n[SIGNED] + n[UNSIGNED] > 1 || n[CHAR] + n[SHORT] > 1 || n[INT] > 1 ||
	    n[LONG] > 2 || (n[CHAR] && n[INT] + n[LONG]) || (n[SHORT] && n[LONG]))
		return NULL;
	return n[LONG] ? longs[n[LONG]][sign] : integers[n[CHAR] ? 0 : n[SHORT] ? 1 : 2][sign];
}

/* All specifiers of up to five words. */
static void
test_specifiers(void **state)
{
	enum { WORDS = 10, MOST = 5 };
	unsigned total = 1, ngood = 0;

	for (unsigned length = 1; length <= MOST; length++) {
		total *= WORDS;
		for (unsigned k = 0; k < total; k++) {
			unsigned n[WORDS] = { 0 };
			char text[64];
			size_t at = 0;
			for (unsigned i = 0, rest = k; i < length; i++, rest /= WORDS) {
				n[rest % WORDS]++;
				at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s",
						       i ? " " : "", specifier_words[rest % WORDS]);
			}
			const struct type *want = specified(n, length);
			if (type_parse(NULL, text, NULL, NULL) != want)
				fail_msg("%s", text);
			ngood += want != NULL;
		}
	}
	assert_int_equal(ngood, 90);
}

static void
test_parse_bad(void **state)
{
	static const char *const rows[] = {
		"", " ", "*", "unknown_t", "unsigned float", "long long long",
		"short long", "int int", "struct", "struct *", "char [",
		"char [x]", "char [99999999999999999999]", "int (", "int (*",
		"int (*)(", "int (*)(void", "int ()[2]", "int [2]()", "int )",
		"int x", "void [4]", "int (void, int)", "int (int,)", "int,",
		"char * unsigned", "u64 unsigned", "int (...", "12", "int 3",
		"char [1152921504606846976]", "char [-1]", "struct full int",
	};
	char deep[20001];
	struct arena *a = arena_new();

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		if (type_parse(a, rows[i], find, a))
			fail_msg("a type: %s", rows[i]);
	strcpy(deep, "int ");
	memset(deep + 4, '(', sizeof(deep) - 5);
	deep[sizeof(deep) - 1] = '\0';
	assert_null(type_parse(a, deep, find, a));
	for (size_t i = 4; i + 3 < sizeof(deep); i += 3)
		memcpy(deep + i, "[2]", 3);
	assert_null(type_parse(a, deep, find, a));
	arena_free(a);
}

static void
test_equal(void **state)
{
	static const struct {
		const char *a, *b;
		bool equal, compat;
	} rows[] = {
		{ "int", "int", true, false },
		{ "int", "const int", true, false },
		{ "int", "unsigned", false, false },
		{ "long", "long long", false, false },
		{ "long", "int64_t", true, false },
		{ "u64", "unsigned long long", true, false },
		{ "char", "signed char", false, false },
		{ "char", "_Bool", false, false },
		{ "float", "double", false, false },
		{ "char *", "char *", true, true },
		{ "char *", "const char *", false, true },
		{ "char *", "unsigned char *", false, true },
		{ "char *", "u8 *", false, true },
		{ "char **", "const char **", false, true },
		{ "char *", "char **", false, false },
		{ "char *", "short *", false, false },
		{ "void *", "int *", false, true },
		{ "const void *", "struct full *", false, true },
		{ "void *", "int", false, false },
		{ "void **", "int **", false, false },
		{ "int *", "long *", false, false },
		{ "int *", "unsigned *", false, false },
		{ "u64 *", "uint64_t *", false, true },
		{ "int *", "int [4]", false, true },
		{ "int [4]", "int [5]", false, true },
		{ "struct full *", "struct full *", true, true },
		{ "struct a *", "struct a *", true, true },
		{ "struct a *", "struct b *", false, false },
		{ "struct a *", "union a *", false, false },
		{ "enum a *", "enum a *", true, true },
		{ "int (*)(void)", "int (*)(void)", true, true },
		{ "int (*)(void)", "int (void)", false, true },
		{ "int (*)(void)", "int (*)(int)", false, false },
		{ "int (*)(int)", "int (*)(const int)", true, true },
		{ "int (*)(int, ...)", "int (*)(int)", false, false },
		{ "int (*)(char *)", "int (*)(const char *)", false, false },
	};
	struct arena *a = arena_new();

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		const struct type *x = parse(a, rows[i].a);
		const struct type *y = parse(a, rows[i].b);
		if (type_equal(x, y) != rows[i].equal ||
		    type_equal(y, x) != rows[i].equal)
			fail_msg("equal: %s, %s", rows[i].a, rows[i].b);
		if (type_ptr_compat(x, y) != rows[i].compat ||
		    type_ptr_compat(y, x) != rows[i].compat)
			fail_msg("compat: %s, %s", rows[i].a, rows[i].b);
	}
	/* Declared and defined are one; anonymous ones go by content. */
	assert_true(type_equal(parse(a, "struct full"),
			       type_new_fwd(a, TYPE_STRUCT, "full")));
	struct type_member m = { "x", &type_int, 0, 0 };
	struct type_member m2 = { "y", &type_int, 0, 0 };
	assert_true(type_equal(mktype_sou(a, TYPE_STRUCT, NULL, &m, 1),
			       mktype_sou(a, TYPE_STRUCT, NULL, &m, 1)));
	assert_false(type_equal(mktype_sou(a, TYPE_STRUCT, NULL, &m, 1),
				mktype_sou(a, TYPE_STRUCT, NULL, &m2, 1)));
	assert_true(type_equal(type_new_string(a, 16),
			       type_new_string(a, 256)));
	assert_false(type_equal(type_new_dyn(a, "stack"),
				type_new_dyn(a, "sym")));
	assert_false(type_equal(NULL, &type_int));
	arena_free(a);
}

enum {
	Q_INTEGER = 1, Q_SIGNED = 2, Q_FLOAT = 4, Q_ARITH = 8, Q_PTR = 16,
	Q_SCALAR = 32, Q_SOU = 64, Q_ARRAY = 128, Q_FUNC = 256, Q_VOID = 512,
	Q_STRING = 1024, Q_DYN = 2048, Q_CHARPTR = 4096, Q_STRCOMPAT = 8192,
	Q_COMPLETE = 16384,
	Q_INT = Q_INTEGER | Q_ARITH | Q_SCALAR | Q_COMPLETE,
	Q_POINTER = Q_PTR | Q_SCALAR | Q_COMPLETE,
	Q_CHARS = Q_CHARPTR | Q_STRCOMPAT,
};

static unsigned
answers(const struct type *t)
{
	return type_is_integer(t) * Q_INTEGER | type_is_signed(t) * Q_SIGNED |
	       type_is_float(t) * Q_FLOAT | type_is_arith(t) * Q_ARITH |
	       type_is_ptr(t) * Q_PTR | type_is_scalar(t) * Q_SCALAR |
	       type_is_sou(t) * Q_SOU | type_is_array(t) * Q_ARRAY |
	       type_is_func(t) * Q_FUNC | type_is_void(t) * Q_VOID |
	       type_is_string(t) * Q_STRING | type_is_dyn(t) * Q_DYN |
	       type_is_charptr(t) * Q_CHARPTR |
	       type_is_strcompat(t) * Q_STRCOMPAT |
	       type_is_complete(t) * Q_COMPLETE;
}

static void
test_questions(void **state)
{
	struct arena *a = arena_new();
	struct type_enumerator one = { "ONE", 1 };
	const struct {
		const struct type *t;
		unsigned yes;
	} rows[] = {
		{ NULL, 0 },
		{ &type_void, Q_VOID },
		{ &type_int, Q_INT | Q_SIGNED },
		{ &type_uint64, Q_INT },
		{ &type_bool, Q_INT },
		{ &type_double, Q_FLOAT | Q_ARITH | Q_COMPLETE },
		{ mktype_enum(a, "e", &one, 1), Q_INT | Q_SIGNED },
		{ parse(a, "const volatile u64"), Q_INT },
		{ parse(a, "int *"), Q_POINTER },
		{ parse(a, "const char *"), Q_POINTER | Q_CHARS },
		{ parse(a, "u8 *"), Q_POINTER | Q_CHARS },
		{ parse(a, "_Bool *"), Q_POINTER },
		{ parse(a, "char [16]"), Q_ARRAY | Q_CHARS | Q_COMPLETE },
		{ parse(a, "char []"), Q_ARRAY | Q_CHARS },
		{ parse(a, "int [3]"), Q_ARRAY | Q_COMPLETE },
		{ parse(a, "struct none [3]"), Q_ARRAY },
		{ parse(a, "int (void)"), Q_FUNC },
		{ parse(a, "struct full"), Q_SOU | Q_COMPLETE },
		{ parse(a, "struct none"), 0 },
		{ type_new_string(a, 256), Q_STRING | Q_STRCOMPAT |
					   Q_COMPLETE },
		{ type_new_dyn(a, "stack"), Q_DYN },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		if (answers(rows[i].t) != rows[i].yes)
			fail_msg("row %zu: %#x, not %#x", i,
				 answers(rows[i].t), rows[i].yes);
	assert_true(parse(a, "char __user *")->is_user);
	assert_false(parse(a, "char *")->is_user);
	assert_true(parse(a, "char *__user *")->is_user);
	arena_free(a);
}

/* A struct that points to itself. */
static void
test_define(void **state)
{
	struct arena *a = arena_new();
	struct type *list = type_new_fwd(a, TYPE_STRUCT, "list");
	const struct type *ptr = type_new_ptr(a, list);
	struct type_member m[] = {
		{ "flags", &type_int, 0, 3 }, { "next", ptr, 0, 0 },
	};
	struct type_member found;

	assert_false(type_is_complete(list));
	assert_true(type_define(a, list, m, 2));
	assert_int_equal(type_size(ptr->base), 16);
	assert_true(type_find_member(ptr->base, "next", &found));
	assert_ptr_equal(found.type->base, list);

	struct type *e = type_new_fwd(a, TYPE_ENUM, "e");
	assert_true(type_define_enum(a, e, NULL, 0));
	assert_int_equal(type_size(e), 4);

	/* Too large to have bit offsets. */
	const struct type *big = type_new_array(a, &type_char,
						((uint64_t)1 << 60) - 1);
	struct type_member two[] = { { "a", big }, { "b", big } };
	assert_non_null(big);
	assert_null(mktype_sou(a, TYPE_STRUCT, "big", two, 2));
	assert_null(type_new_array(a, big, 2));
	assert_null(type_new_array(a, &type_long, UINT64_MAX));
	arena_free(a);
}

/* NULL in, NULL out, so that constructors can be nested unchecked. */
static void
test_null(void **state)
{
	struct arena *a = arena_new();
	struct type_member none = { "x", NULL, 0, 0 };

	assert_null(type_new_ptr(a, NULL));
	assert_null(type_new_array(a, NULL, 1));
	assert_null(type_new_qual(a, TYPE_CONST, NULL));
	assert_null(type_new_typedef(a, "t", NULL));
	assert_null(type_new_func(a, NULL, NULL, 0, false));
	assert_null(type_new_func(a, &type_int, &none, 1, false));
	assert_null(mktype_sou(a, TYPE_STRUCT, "s", &none, 1));
	arena_free(a);
}

/* A loader that fails n times and then gives one member. */
static bool
load_one(struct type *t)
{
	static const struct type_member m = { "x", &type_int, 32, 0 };
	int *failures = t->load_ctx;

	if ((*failures)-- > 0)
		return false;
	t->u.members = &m;
	t->n = 1;
	t->load = NULL;
	return true;
}

static void
test_load(void **state)
{
	int failures = 1;
	struct type t = {
		.kind = TYPE_STRUCT, .name = "lazy", .size = 8, .align = 4,
		.load = load_one, .load_ctx = &failures,
	};
	struct type_member m;

	assert_false(type_find_member(&t, "x", &m));
	assert_true(type_find_member(&t, "x", &m));
	assert_int_equal(m.bit_offset, 32);
	assert_null(t.load);
}

/* An anonymous struct that contains itself twice, as broken data may say. */
static void
test_circle(void **state)
{
	struct type t = {
		.kind = TYPE_STRUCT, .size = 8, .align = 4, .n = 2,
	}, u = t;
	struct type_member m[] = { { NULL, &t, 0, 0 }, { NULL, &t, 0, 0 } };
	struct type_member n[] = { { NULL, &u, 0, 0 }, { NULL, &u, 0, 0 } };
	struct type_member found;

	t.u.members = m;
	u.u.members = n;
	assert_false(type_find_member(&t, "x", &found));
	assert_false(type_equal(&t, &u));
	assert_true(type_equal(&t, &t));
}

static void
test_oom(void **state)
{
	static const char text[] =
		"struct a *(*)(unsigned long, const char *[4], enum e)";

	for (unsigned long n = 1; n < 50; n++) {
		struct arena *a = arena_new();
		util_alloc_fail(n, 1);
		const struct type *t = type_parse(a, text, NULL, NULL);
		util_alloc_fail(0, 0);
		assert_true(t != NULL || arena_failed(a));
		arena_free(a);
		if (t) {
			assert_true(n > 1);
			return;
		}
	}
	fail();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_basic),
		cmocka_unit_test(test_conversions),
		cmocka_unit_test(test_enum),
		cmocka_unit_test(test_print_parse),
		cmocka_unit_test(test_brief),
		cmocka_unit_test(test_params),
		cmocka_unit_test(test_specifiers),
		cmocka_unit_test(test_parse_bad),
		cmocka_unit_test(test_equal),
		cmocka_unit_test(test_questions),
		cmocka_unit_test(test_define),
		cmocka_unit_test(test_null),
		cmocka_unit_test(test_load),
		cmocka_unit_test(test_circle),
		cmocka_unit_test(test_oom),
		cmocka_unit_test(test_layout_made_up),
		cmocka_unit_test(test_layout_nested),
	};

	return cmocka_run_group_tests_name("type", tests, NULL, NULL);
}
