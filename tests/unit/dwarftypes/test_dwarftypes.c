/* SPDX-License-Identifier: BSD-2-Clause
 *
 * This program's own types, as its debugging information has them.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "assertok.h"
#include "base/base.h"
#include "dwarftypes/dwarftypes_priv.h"
#include "type/text.h"

/* --- What is looked at ---------------------------------------------------- */

enum dwt_color { DWT_RED = -1, DWT_GREEN, DWT_BLUE = 7 };
enum dwt_mask { DWT_ALL = 200, DWT_HIGH = 1u << 31 };
enum dwt_byte { DWT_A = -1 } __attribute__((packed));
enum dwt_short { DWT_S = 300 } __attribute__((packed));
enum dwt_long { DWT_L = 1LL << 40 };

struct dwt_opaque;

struct dwt_node {
	struct dwt_node *next;
	const char *name;
	enum dwt_color color;
	unsigned low : 3, high : 7;
	signed long wide : 40;
	union {
		int number;
		double real;
	};
	struct { short x, y; } point[2][3];
	volatile unsigned char flag;
	_Bool yes;
	int (*call)(struct dwt_node *n, char c);
	struct dwt_opaque *opaque;
	long tail[];
};

typedef struct dwt_node dwt_node_t;
typedef struct { int a; } dwt_nameless;

struct dwt_packed {
	char c;
	int i;
	unsigned f : 11;
} __attribute__((packed));

struct dwt_node dwt_first = { .name = "first", .color = DWT_BLUE };
static dwt_node_t *dwt_list[4] = { &dwt_first };
struct dwt_packed dwt_pack;
dwt_nameless dwt_none;
int (*dwt_says)(const char *, ...);
int (*dwt_hears)(const char *, int);
void (*dwt_waits)(void);
enum dwt_mask dwt_masks = DWT_HIGH;
enum dwt_byte dwt_bytes = DWT_A;
enum dwt_short dwt_shorts = DWT_S;
enum dwt_long dwt_longs = DWT_L;

struct dwt_packed *dwt_function(dwt_node_t *, const char *, unsigned long, ...);

__attribute__((noinline)) struct dwt_packed *
dwt_function(dwt_node_t *node, const char *text, unsigned long n, ...)
{
	dwt_list[n & 3] = node;
	if (dwt_says || dwt_hears || dwt_waits)
		return NULL;
	dwt_none.a += text[0] + (int)dwt_masks;
	return &dwt_pack;
}

/* --- Questions ------------------------------------------------------------ */

struct world {
	struct arena *a;
	struct dwarftypes *d;
};

static int
setup(void **state)
{
	static struct world w;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	dwt_function(dwt_list[0], "", 1);
	w.a = arena_new();
	assert_ok(dwarftypes_open(w.a, fd, NULL, "a.out", &w.d));
	close(fd);
	*state = &w;
	return 0;
}

static int
teardown(void **state)
{
	struct world *w = *state;

	dwarftypes_free(w->d);
	arena_free(w->a);
	return 0;
}

static const struct type *
find(void **state, enum type_kind kind, const char *name)
{
	struct world *w = *state;
	const struct type *t;

	assert_ok(dwarftypes_find(w->d, kind, name, &t));
	return t;
}

static void
assert_text(const struct type *t, const char *name, const char *want)
{
	struct sb b;

	sb_init(&b, 1024);
	type_print(t, name, &b);
	assert_string_equal(sb_str(&b), want);
	sb_fini(&b);
}

static struct type_member
member(const struct type *t, const char *name)
{
	struct type_member m = { 0 };

	if (!type_find_member(t, name, &m))
		fail_msg("no member %s", name);
	return m;
}

static void
members_lie_where_the_compiler_puts_them(void **state)
{
	const struct type *t = find(state, TYPE_STRUCT, "dwt_node");

	assert_non_null(t);
	assert_int_equal(type_size(t), sizeof(struct dwt_node));
#define AT(m) assert_int_equal(member(t, #m).bit_offset, \
			       offsetof(struct dwt_node, m) * 8)
	AT(next);
	AT(name);
	AT(color);
	AT(number);
	AT(real);
	AT(point);
	AT(flag);
	AT(call);
	AT(tail);
	assert_int_equal(member(t, "low").bit_offset,
			 offsetof(struct dwt_node, color) * 8 + 32);
	assert_int_equal(member(t, "low").bit_size, 3);
	assert_int_equal(member(t, "high").bit_size, 7);
	assert_int_equal(member(t, "high").bit_offset,
			 member(t, "low").bit_offset + 3);
	assert_int_equal(member(t, "wide").bit_size, 40);
	assert_int_equal(member(t, "tail").type->nelems, 0);

	const struct type *p = find(state, TYPE_STRUCT, "dwt_packed");
	assert_int_equal(type_size(p), sizeof(struct dwt_packed));
	assert_int_equal(type_align(p), 1);
	assert_int_equal(member(p, "i").bit_offset, 8);
	assert_int_equal(member(p, "f").bit_offset, 40);
}

static void
types_read_as_they_were_written(void **state)
{
	const struct type *t = find(state, TYPE_STRUCT, "dwt_node");

	assert_text(member(t, "next").type, "next", "struct dwt_node *next");
	assert_text(member(t, "name").type, "name", "const char *name");
	assert_text(member(t, "flag").type, "flag",
		    "volatile unsigned char flag");
	assert_text(member(t, "call").type, "call",
		    "int (*call)(struct dwt_node *, char)");
	assert_text(member(t, "tail").type, "tail", "long tail[]");
	assert_true(type_strip(member(t, "yes").type)->is_bool);
	t = find(state, TYPE_TYPEDEF, "dwt_node_t");
	assert_text(t, "x", "dwt_node_t x");
	assert_int_equal(type_size(t), sizeof(struct dwt_node));
	assert_int_equal(type_size(find(state, TYPE_TYPEDEF, "dwt_nameless")),
			 4);
	t = member(find(state, TYPE_STRUCT, "dwt_node"), "point").type;
	assert_int_equal(t->nelems, 2);
	assert_int_equal(t->base->nelems, 3);
}

static void
pointers_are_the_process_s(void **state)
{
	const struct type *t = find(state, TYPE_STRUCT, "dwt_node");

	assert_true(type_in_user(t));
	assert_true(type_in_user(find(state, TYPE_TYPEDEF, "dwt_node_t")));
	assert_true(type_strip(member(t, "next").type)->is_user);
	assert_true(type_strip(member(t, "name").type)->is_user);
	assert_false(type_in_user(&type_int));
	/* one that points to itself comes back to itself */
	assert_ptr_equal(type_strip(member(t, "next").type)->base, t);
}

static void
enums_have_their_values(void **state)
{
	const struct type *t = find(state, TYPE_ENUM, "dwt_color");
	int64_t v = 0;

	assert_true(type_find_enum(t, "DWT_RED", &v));
	assert_int_equal(v, -1);
	assert_true(type_find_enum(t, "DWT_BLUE", &v));
	assert_int_equal(v, 7);
	assert_true(type_is_signed(t));
	t = find(state, TYPE_ENUM, "dwt_mask");
	assert_true(type_find_enum(t, "DWT_ALL", &v));
	assert_int_equal(v, 200);
	assert_true(type_find_enum(t, "DWT_HIGH", &v));
	assert_int_equal(v, 1LL << 31);
	assert_false(type_is_signed(t));
}

static void
enums_have_their_sizes(void **state)
{
	static const struct { const char *name; uint64_t size; } rows[] = {
		{ "dwt_color", 4 }, { "dwt_mask", 4 }, { "dwt_byte", 1 },
		{ "dwt_short", 2 }, { "dwt_long", 8 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		const struct type *t = find(state, TYPE_ENUM, rows[i].name);
		if (t->size != rows[i].size || t->align != rows[i].size)
			fail_msg("%s", rows[i].name);
	}
}

static void
what_is_not_there_is_none(void **state)
{
	assert_null(find(state, TYPE_STRUCT, "dwt_nobody"));
	assert_null(find(state, TYPE_UNION, "dwt_node"));
	assert_null(find(state, TYPE_ENUM, "dwt_node"));
	/* in C a tag is no name */
	assert_null(find(state, TYPE_TYPEDEF, "dwt_node"));
	/* declared, and defined nowhere */
	assert_null(find(state, TYPE_STRUCT, "dwt_opaque"));
	const struct type *t = type_strip(member(find(state, TYPE_STRUCT,
			"dwt_node"), "opaque").type)->base;
	assert_int_equal(t->kind, TYPE_FWD);
	assert_string_equal(t->name, "dwt_opaque");
	assert_true(t->is_user);
	assert_string_equal(t->module, find(state, TYPE_STRUCT, "dwt_node")->module);
	dwarftypes_free(NULL);
}

/* The address as linked of a variable of ours. */
static uint64_t
linked(const void *p)
{
	extern const char __executable_start[];

	return (uint64_t)((const char *)p - __executable_start);
}

static void
variables_have_addresses(void **state)
{
	struct world *w = *state;
	const struct type *t = NULL;
	uint64_t addr = 0, base = 0;

	assert_ok(dwarftypes_variable(w->d, "dwt_pack", &addr, &t));
	assert_text(t, "x", "struct dwt_packed x");
	base = addr - linked(&dwt_pack);
	assert_ok(dwarftypes_variable(w->d, "dwt_list", &addr, &t));
	assert_text(t, "x", "dwt_node_t *x[4]");
	assert_int_equal(addr - base, linked(dwt_list));
	assert_ok(dwarftypes_variable(w->d, "dwt_node", &addr, &t));
	assert_null(t);
}

/* Types of functions have theirs, and say whether there may be more. */
static void
types_have_parameters(void **state)
{
	static const struct { const char *variable, *want; } rows[] = {
		{ "dwt_says", "int (*v)(const char *, ...)" },
		{ "dwt_hears", "int (*v)(const char *, int)" },
		{ "dwt_waits", "void (*v)(void)" },
	};
	struct world *w = *state;

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		const struct type *t = NULL;
		uint64_t addr;
		assert_ok(dwarftypes_variable(w->d, rows[i].variable, &addr, &t));
		assert_non_null(t);
		assert_text(t, "v", rows[i].want);
	}
}

static void
functions_have_parameters(void **state)
{
	struct world *w = *state;
	const struct type *t = NULL;
	uint64_t pack = 0;
	uint32_t n;

	assert_ok(dwarftypes_variable(w->d, "dwt_pack", &pack, &t));
	pack -= linked(&dwt_pack);
	uint64_t at = linked((void *)dwt_function) + pack;
	assert_ok(dwarftypes_function(w->d, at, &t));
	assert_non_null(t);
	assert_text(t, "f", "struct dwt_packed *f(dwt_node_t *, const char *, "
		    "unsigned long, ...)");
	const struct type_member *p = type_params(t, &n);
	assert_int_equal(n, 3);
	assert_string_equal(p[0].name, "node");
	assert_string_equal(p[1].name, "text");
	assert_string_equal(p[2].name, "n");
	assert_ok(dwarftypes_function(w->d, at + 1, &t));
	assert_null(t);
}

static bool
count(void *ctx, const char *name)
{
	*(unsigned *)ctx += strncmp(name, "dwt_", 4) == 0;
	return true;
}

static void
names_are_told(void **state)
{
	struct world *w = *state;
	unsigned n = 0;

	assert_ok(dwarftypes_names(w->d, TYPE_STRUCT, count, &n));
	assert_int_equal(n, 2);
	n = 0;
	assert_ok(dwarftypes_names(w->d, TYPE_ENUM, count, &n));
	assert_int_equal(n, 5);
}

static void
names_with_arguments_are_written_in_many_ways(void **state)
{
	static const struct { const char *asked, *there; bool is; } rows[] = {
		{ "a::b<int>", "a::b<int>", true },
		{ "a::b<int>", "a::b<long>", false },
		{ "a::b<int>", "a::c<int>", false },
		{ "b<int>", "a::b<int>", false },
		{ "b< int , 3 >", "b<int, 3>", true },
		{ "b<b<int>>", "b<b<int> >", true },
		{ "b<unsigned long>", "b<long unsigned int>", true },
		{ "b<unsigned>", "b<unsigned int>", true },
		{ "b<unsigned>", "b<unsigned char>", false },
		{ "b<char>", "b<signed char>", false },
		{ "b<long>", "b<long int>", true },
		{ "b<long>", "b<long long int>", false },
		{ "b<long double>", "b<double>", false },
		{ "b<short int, x>", "b<short, x>", true },
		{ "b<intern>", "b<int>", false },
		{ "b<3>", "b<3ul>", true },
		{ "b<3U>", "b<3>", true },
		{ "b<3>", "b<30>", false },
		{ "b<const char *>", "b<char const*>", true },
		{ "b<char const*>", "b<const char *>", true },
		{ "b<const char *>", "b<char*>", false },
		{ "b<const char *>", "b<char* const>", false },
		{ "b<const a<int>, int>", "b<a<int> const, int>", true },
		{ "b<const int, int>", "b<int, int const>", false },
		{ "const b<int>", "b<int>", false },
		{ "b<int>", "b<int, c<int> >", true },
		{ "b<int>::d", "b<int, c<int>, d<int(e)> >::d", true },
		{ "b<int>::e", "b<int, c<int> >::d", false },
		{ "b<int>", "b<int, c<int>", false },
		{ "b<int, c<int>>", "b<int>", false },
		{ "b<b<int>, 3>", "b<b<int, c<int> >, 3>", true },
		{ "std::list<int>", "std::__cxx11::list<int>", true },
		{ "std::list<int>", "std::cxx::list<int>", false },
		{ "b<std::s>", "b<std::__1::s>", true },
		{ "b<f(int)>", "b<f(int)>", true },
		{ "b<", "b<", true },
		{ "b>", "b>", false },
		{ "b>", "b,", false },
		{ "", "b", false },
		{ "b", "", false },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		if (dwarftypes_is_called(rows[i].asked, rows[i].there) != rows[i].is)
			fail_msg("%s %s", rows[i].asked, rows[i].there);
	char deep[512];
	memset(deep, '<', sizeof(deep) - 1);
	deep[sizeof(deep) - 1] = '\0';
	assert_false(dwarftypes_is_called(deep, deep));
}

static void
other_files_are_refused(void **state)
{
	struct world *w = *state;
	struct dwarftypes *d = NULL;
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	struct err *e = dwarftypes_open(w->a, fd, NULL, "x", &d);

	assert_non_null(e);
	assert_int_equal(e->code, ERR_FORMAT);
	err_free(e);
	close(fd);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_lie_where_the_compiler_puts_them),
		cmocka_unit_test(types_read_as_they_were_written),
		cmocka_unit_test(pointers_are_the_process_s),
		cmocka_unit_test(enums_have_their_values),
		cmocka_unit_test(enums_have_their_sizes),
		cmocka_unit_test(what_is_not_there_is_none),
		cmocka_unit_test(variables_have_addresses),
		cmocka_unit_test(types_have_parameters),
		cmocka_unit_test(functions_have_parameters),
		cmocka_unit_test(names_are_told),
		cmocka_unit_test(names_with_arguments_are_written_in_many_ways),
		cmocka_unit_test(other_files_are_refused),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
