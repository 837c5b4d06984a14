/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The types, variables and prototypes of a process that is ourselves, and where by the
 * rules of this machine the arguments of its functions are.
 */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/base.h"
#include "prov/user_priv.h"
#include "prov/usertype.h"
#include "support/assertok.h"
#include "type/text.h"
#include "util/sb.h"
#include "fresh.h"

/* --- What there is ------------------------------------------------------------------- */

struct ut_pair { long a, b; };
struct ut_large { long a[5]; };
struct ut_hidden;
typedef int ut_number;
enum ut_color { UT_RED, UT_GREEN };
union ut_union { int a; char b; };

struct ut_pair ut_variable = { 1, 2 };
struct ut_hidden *ut_hidden_one;
ut_number ut_count;
enum ut_color ut_color_one;
union ut_union ut_union_one;

#define DEFINE(type, name, ...) \
	type name(__VA_ARGS__); \
	__attribute__((noinline)) type \
	name(__VA_ARGS__)

DEFINE(long, ut_none, void) { return 1; }
DEFINE(void, ut_void, int n) { ut_count = n; }
DEFINE(long, ut_mixed, int a, double b, char c) { return a + (long)b + c; }
DEFINE(long, ut_many, int a, int b, int c, int d, int e, int f, short g, char *h)
{ return a + b + c + d + e + f + g + *h; }
DEFINE(long, ut_wide, __int128 a, int b) { return (long)a + b; }
DEFINE(struct ut_large, ut_returns, int a) { return (struct ut_large){ { a } }; }
DEFINE(long, ut_struct, struct ut_pair a, int b) { return a.a + b; }
DEFINE(long, ut_in_memory, struct ut_large a, int b) { return a.a[0] + b; }
DEFINE(long, ut_behind, int a, int b, int c, int d, int e, int f, struct ut_large g, int h)
{ return a + b + c + d + e + f + g.a[0] + h; }
DEFINE(float, ut_float, float a) { return a; }
DEFINE(char *, ut_pointer, char *a) { return a; }

/* --- Arguments ----------------------------------------------------------------------- */

/* n: of args[], or with is_return of a return's. */
static const struct {
	const char *func;
	bool is_return;
	unsigned n;
	const char *decl;	/* NULL: there is none */
	unsigned raw;
} args[] = {
	{ "ut_none", false, 0, NULL, 0 }, { "ut_none", true, 1, "long", 1 },
	{ "ut_none", true, 0, NULL, 0 }, { "ut_none", true, 2, NULL, 0 },
	{ "ut_void", false, 0, "int n", 0 }, { "ut_void", true, 1, NULL, 0 },
	{ "ut_mixed", false, 0, "int a", 0 }, { "ut_mixed", false, 1, NULL, 0 },
	{ "ut_mixed", false, 2, "char c", 1 }, { "ut_mixed", false, 3, NULL, 0 },
	{ "ut_many", false, 5, "int f", 5 }, { "ut_many", false, 6, "short g", 6 },
	{ "ut_many", false, 7, "char *h", 7 },
	/* Of 16 bytes nothing is told. */
	{ "ut_wide", false, 1, NULL, 0 },
	/* Where the large struct is to go comes first. */
	{ "ut_returns", false, 0, "int a", 1 }, { "ut_returns", true, 1, "struct ut_large *", 1 },
	{ "ut_struct", false, 0, NULL, 0 }, { "ut_struct", false, 1, NULL, 0 },
	{ "ut_in_memory", false, 1, "int b", 0 }, { "ut_behind", false, 5, "int f", 5 },
	{ "ut_behind", false, 7, NULL, 0 }, { "ut_float", false, 0, NULL, 0 },
	{ "ut_float", true, 1, NULL, 0 }, { "ut_pointer", true, 1, "char *", 1 },
};

/* But for the mark that a pointer is the process's. */
static const char *
text_of(const struct type *t, const char *name)
{
	static char text[256];
	struct sb b;
	size_t n = 0;

	sb_init(&b, sizeof(text));
	if (t)
		type_print(t, name, &b);
	for (const char *s = sb_str(&b); *s; )
		if (!strncmp(s, "userland ", 9))
			s += 9;
		else
			text[n++] = *s++;
	text[n] = '\0';
	sb_fini(&b);
	return text;
}

static void
test_args(void **state)
{
#if defined(__x86_64__)
	for (size_t i = 0; i < BASE_NELEMS(args); i++) {
		const struct type *f;
		const char *name = "?";
		uint64_t addr;
		unsigned raw = 77;
		assert_ok(prov_user_symbol(set, getpid(), "a.out", args[i].func, &addr, &f));
		assert_non_null(f);
		const struct type *t = prov_user_arg(f, args[i].is_return, args[i].n, &name,
						     &raw);
		const char *got = text_of(t, name);
		if (strcmp(got, args[i].decl ? args[i].decl : "") || (t && raw != args[i].raw))
			fail_msg("%s %d args[%u]: %s, raw %u", args[i].func,
				 args[i].is_return, args[i].n, got, raw);
	}
#else
	skip();
#endif
}

/* --- Types --------------------------------------------------------------------------- */

static const struct {
	const char *mod;
	enum type_kind kind;
	const char *name, *text;
	uint64_t size;
} types[] = {
	{ "a.out", TYPE_STRUCT, "ut_pair", "struct ut_pair", 16 },
	{ NULL, TYPE_STRUCT, "ut_pair", "struct ut_pair", 16 },
	{ "test-prov-usertype", TYPE_STRUCT, "ut_large", "struct ut_large", 40 },
	{ "a.out", TYPE_TYPEDEF, "ut_number", "ut_number", 4 },
	{ "a.out", TYPE_ENUM, "ut_color", "enum ut_color", 4 },
	{ "a.out", TYPE_UNION, "ut_union", "union ut_union", 4 },
	{ "a.out", TYPE_STRUCT, "ut_union", NULL, 0 },
	{ "a.out", TYPE_STRUCT, "ut_nosuch", NULL, 0 },
	{ "libc.so.6", TYPE_STRUCT, "ut_pair", NULL, 0 },
	{ "nosuch", TYPE_STRUCT, "ut_pair", NULL, 0 },
};

static void
test_types(void **state)
{
	for (size_t i = 0; i < BASE_NELEMS(types); i++) {
		const struct type *t = NULL;
		assert_ok(prov_user_type(set, getpid(), types[i].mod, types[i].kind,
					 types[i].name, &t));
		if (!types[i].text) {
			assert_null(t);
			continue;
		}
		assert_non_null(t);
		assert_string_equal(text_of(t, NULL), types[i].text);
		assert_int_equal(type_size(t), types[i].size);
	}
	assert_true(prov_user_maps(set, getpid(), "a.out"));
	assert_true(prov_user_maps(set, getpid(), "libc"));
	assert_false(prov_user_maps(set, getpid(), "nosuch"));
}

/* Why there are none is known of what was asked. */
static void
test_why(void **state)
{
	const struct type *t;

	assert_null(prov_user_no_types(set, getpid(), "libc.so.6"));
	assert_ok(prov_user_type(set, getpid(), NULL, TYPE_STRUCT, "ut_nosuch", &t));
	assert_null(prov_user_no_types(set, getpid(), "a.out"));
	assert_null(prov_user_no_types(set, getpid(), NULL));
	const char *why = prov_user_no_types(set, getpid(), "libcmocka.so.0");
	assert_non_null(why);
	assert_non_null(strstr(why, "libcmocka.so.0"));
	assert_null(prov_user_no_types(set, getpid(), "nosuch"));
}

struct names { unsigned n, pairs, colors; };

static bool
on_name(void *ctx, const char *name)
{
	struct names *x = ctx;

	x->n++;
	x->pairs += !strcmp(name, "ut_pair");
	x->colors += !strcmp(name, "ut_color");
	return x->n != 1000000;
}

static void
test_names(void **state)
{
	struct names x = { 0 };

	assert_ok(prov_user_type_names(set, getpid(), NULL, TYPE_STRUCT, on_name, &x));
	assert_true(x.pairs && !x.colors);
	x = (struct names){ 0 };
	assert_ok(prov_user_type_names(set, getpid(), "a.out", TYPE_ENUM, on_name, &x));
	assert_true(x.colors && !x.pairs);
	x = (struct names){ .n = 999999 };
	assert_ok(prov_user_type_names(set, getpid(), "a.out", TYPE_STRUCT, on_name, &x));
	assert_int_equal(x.n, 1000000);
	x = (struct names){ 0 };
	assert_ok(prov_user_type_names(set, getpid(), "nosuch", TYPE_ENUM, on_name, &x));
	assert_int_equal(x.n, 0);
}

/* --- Symbols ------------------------------------------------------------------------- */

static void
check_symbol(const char *mod, const char *name, const void *want, const char *type)
{
	const struct type *t = NULL;
	uint64_t addr = 1;

	assert_ok(prov_user_symbol(set, getpid(), mod, name, &addr, &t));
	assert_int_equal(addr, (uintptr_t)want);
	assert_string_equal(text_of(t, NULL), type);
}

static void
test_symbols(void **state)
{
	void *other = dlsym(RTLD_DEFAULT, "_cmocka_run_group_tests");

	check_symbol("a.out", "ut_variable", &ut_variable, "struct ut_pair");
	check_symbol(NULL, "ut_count", &ut_count, "ut_number");
	check_symbol("a.out", "ut_hidden_one", &ut_hidden_one, "struct ut_hidden *");
	check_symbol("a.out", "ut_none", ut_none, "long (void)");
	/* In no debugging information: in the table of symbols. */
	check_symbol("libcmocka.so.0", "_cmocka_run_group_tests", other, "");
	check_symbol(NULL, "_cmocka_run_group_tests", other, "");
	check_symbol("a.out", "_cmocka_run_group_tests", NULL, "");
	check_symbol("libc.so.6", "ut_variable", NULL, "");
	check_symbol(NULL, "ut_nosuch", NULL, "");
}

/* A process that is not there is an error, and not the answer that it has none. */
static void
test_nobody(void **state)
{
	const struct type *t;
	struct names x = { 0 };
	uint64_t addr;
	struct err *e[] = {
		prov_user_type(set, 0x7ffffff0, NULL, TYPE_STRUCT, "ut_pair", &t),
		prov_user_symbol(set, 0x7ffffff0, NULL, "ut_count", &addr, &t),
		prov_user_type_names(set, 0x7ffffff0, NULL, TYPE_STRUCT, on_name, &x),
	};

	for (size_t i = 0; i < BASE_NELEMS(e); i++) {
		assert_non_null(e[i]);
		err_free(e[i]);
	}
	assert_false(prov_user_maps(set, 0x7ffffff0, "a.out"));
	assert_null(prov_user_no_types(set, 0x7ffffff0, "a.out"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_args, setup, teardown),
		cmocka_unit_test_setup_teardown(test_types, setup, teardown),
		cmocka_unit_test_setup_teardown(test_why, setup, teardown),
		cmocka_unit_test_setup_teardown(test_names, setup, teardown),
		cmocka_unit_test_setup_teardown(test_symbols, setup, teardown),
		cmocka_unit_test_setup_teardown(test_nobody, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
