/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Types through the file and back, and what is cut short or lies.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/base.h"
#include "save/save_priv.h"
#include "type/make.h"
#include "type/text.h"

struct made {
	struct arena *a;
	const struct type *type;
};

/* struct outer { struct outer *self; int flags : 3; unsigned rest : 29;
 * struct { char name[4]; union { double d; enum e e; } u[2]; } in; word_t w; } */
static struct made
make(void)
{
	struct arena *a = arena_new();
	struct type *outer = type_new_fwd(a, TYPE_STRUCT, "outer");
	struct type *in = type_new_fwd(a, TYPE_STRUCT, NULL);
	struct type *u = type_new_fwd(a, TYPE_UNION, "u");
	struct type *e = type_new_fwd(a, TYPE_ENUM, "e");
	static const struct type_enumerator names[] = {
		{ "LOW", -1 }, { "HIGH", 1 << 20 },
	};
	assert_true(type_define_enum(a, e, names, 2));
	struct type_member um[] = {
		{ .name = "d", .type = &type_double },
		{ .name = "e", .type = e },
	};
	assert_true(type_define(a, u, um, 2));
	struct type_member im[] = {
		{ .name = "name", .type = type_new_array(a, &type_char, 4) },
		{ .name = "u", .type = type_new_array(a, u, 2) },
	};
	assert_true(type_define(a, in, im, 2));
	struct type_member om[] = {
		{ .name = "self", .type = type_new_ptr(a, outer) },
		{ .name = "flags", .type = &type_int, .bit_size = 3 },
		{ .name = "rest", .type = &type_uint, .bit_size = 29 },
		{ .name = "in", .type = in },
		{ .name = "w", .type = type_new_typedef(a, "word_t",
			type_new_qual(a, TYPE_CONST, &type_ulong)) },
	};

	assert_true(type_define(a, outer, om, 5));
	return (struct made){ a, outer };
}

static void
compare(const struct type *x, const struct type *y, unsigned depth)
{
	uint32_t nx, ny;

	assert_int_equal(x->kind, y->kind);
	assert_int_equal(type_size(x), type_size(y));
	assert_int_equal(x->is_signed, y->is_signed);
	assert_true(!x->name == !y->name);
	if (x->name)
		assert_string_equal(x->name, y->name);
	if (x->kind == TYPE_ENUM) {
		const struct type_enumerator *ex = type_enums(x, &nx);
		const struct type_enumerator *ey = type_enums(y, &ny);
		assert_int_equal(nx, ny);
		for (uint32_t i = 0; i < nx; i++) {
			assert_string_equal(ex[i].name, ey[i].name);
			assert_int_equal(ex[i].value, ey[i].value);
		}
		return;
	}
	if (x->kind == TYPE_STRUCT || x->kind == TYPE_UNION) {
		const struct type_member *mx = type_members(x, &nx);
		const struct type_member *my = type_members(y, &ny);
		assert_int_equal(nx, ny);
		for (uint32_t i = 0; i < nx; i++) {
			assert_string_equal(mx[i].name, my[i].name);
			assert_int_equal(mx[i].bit_offset, my[i].bit_offset);
			assert_int_equal(mx[i].bit_size, my[i].bit_size);
			compare(mx[i].type, my[i].type, depth + 1);
		}
		return;
	}
	if (x->kind == TYPE_PTR) {	/* the rest is named only */
		assert_int_equal(y->base->kind, TYPE_FWD);
		assert_string_equal(y->base->name, x->base->name);
		return;
	}
	if (x->base)
		compare(x->base, y->base, depth + 1);
}

static void
test_round_trip(void **state)
{
	struct made m = make();
	struct arena *a = arena_new();
	struct sb b;

	sb_init(&b, 1 << 20);
	save_put_types(&b, m.type);
	struct save_cursor c = { (const uint8_t *)b.p, b.len };
	const struct type *t = save_take_types(&c, b.len, a);
	assert_non_null(t);
	assert_int_equal(c.left, 0);
	arena_free(m.a);
	m = make();
	compare(m.type, t, 0);
	sb_fini(&b);
	arena_free(m.a);
	arena_free(a);
}

/* However it is cut, and whichever byte is another one: a type or none. */
static void
test_hostile(void **state)
{
	struct made m = make();
	struct sb b, text;

	sb_init(&b, 1 << 20);
	save_put_types(&b, m.type);
	for (size_t n = 0; n < b.len; n += 8) {
		struct arena *a = arena_new();
		struct save_cursor c = { (const uint8_t *)b.p, n };
		assert_null(save_take_types(&c, b.len, a));
		arena_free(a);
	}
	for (size_t i = 0; i < b.len; i++)
		for (int bit = 0; bit < 8; bit++) {
			struct arena *a = arena_new();
			struct save_cursor c = { (const uint8_t *)b.p, b.len };
			b.p[i] ^= (char)(1 << bit);
			const struct type *t = save_take_types(&c, b.len, a);
			sb_init(&text, 1 << 20);
			if (t)
				type_print(t, "x", &text);
			sb_fini(&text);
			b.p[i] ^= (char)(1 << bit);
			arena_free(a);
		}
	sb_fini(&b);
	arena_free(m.a);
}

/* A node that names itself, or one behind it, is no type. */
static void
test_no_cycles(void **state)
{
	struct save_type node = { .bytes = sizeof(node), .kind = TYPE_TYPEDEF,
				  .base = 1, .size = 4 };
	struct save_cursor c = { (const uint8_t *)&node, sizeof(node) };
	struct arena *a = arena_new();

	assert_null(save_take_types(&c, sizeof(node), a));
	arena_free(a);
}

/* A node that is none spoils those behind it, too: each alone, and before a good one. */
static void
test_nodes(void **state)
{
	static const struct save_type good = { .bytes = sizeof(good), .kind = TYPE_INT,
					       .size = 4, .align = 4 };
	static const struct {
		const char *what;
		bool is;
		struct save_type node;
		char name[8];
	} rows[] = {
		{ "1 byte", true, { .kind = TYPE_INT, .size = 1 } },
		{ "2 bytes", true, { .kind = TYPE_INT, .size = 2 } },
		{ "8 bytes", true, { .kind = TYPE_INT, .size = 8 } },
		{ "no bytes", false, { .kind = TYPE_INT } },
		{ "3 bytes", false, { .kind = TYPE_INT, .size = 3 } },
		{ "16 bytes", false, { .kind = TYPE_INT, .size = 16 } },
		{ "a float of 4", true, { .kind = TYPE_FLOAT, .size = 4 } },
		{ "a float of 16", true, { .kind = TYPE_FLOAT, .size = 16 } },
		{ "a float of 2", false, { .kind = TYPE_FLOAT, .size = 2 } },
		{ "a float of 10", false, { .kind = TYPE_FLOAT, .size = 10 } },
		{ "the last kind", true, { .kind = TYPE_DYN, .size = 4 } },
		{ "no kind", false, { .kind = TYPE_DYN + 1, .size = 4 } },
		{ "as large as can be", true, { .kind = TYPE_FUNC, .size = UINT32_MAX } },
		{ "larger", false, { .kind = TYPE_FUNC, .size = 1ull << 32 } },
		{ "members that are ignored", true, { .kind = TYPE_INT, .size = 4, .n = 65536 } },
		{ "more than there can be", false, { .kind = TYPE_INT, .size = 4, .n = 65537 } },
		{ "a pointer to nothing", false, { .kind = TYPE_PTR, .size = 8 } },
		{ "a name of nothing", false, { .kind = TYPE_TYPEDEF, .size = 4 } },
		{ "an array of nothing", false, { .kind = TYPE_ARRAY, .size = 4, .nelems = 1 } },
		{ "members beyond", false, { .kind = TYPE_STRUCT, .size = 4, .n = 1 } },
		{ "a name", true, { .kind = TYPE_INT, .size = 4, .name = 8 }, "1234567" },
		{ "a name without an end", false, { .kind = TYPE_INT, .size = 4, .name = 8 },
		  "12345678" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		for (int is_last = 0; is_last < 2; is_last++) {
			uint8_t bytes[2 * sizeof(good) + 8];
			size_t n = sizeof(good);
			struct save_type node = rows[i].node;
			node.bytes = (uint32_t)(sizeof(node) + node.name);
			memcpy(bytes, &node, sizeof(node));
			memcpy(bytes + n, rows[i].name, node.name);
			n += node.name;
			if (!is_last)
				memcpy(bytes + n, &good, sizeof(good));
			n += is_last ? 0 : sizeof(good);
			struct save_cursor c = { bytes, n };
			struct arena *a = arena_new();
			const struct type *t = save_take_types(&c, n, a);
			if (!t == rows[i].is)
				fail_msg("%s%s", rows[i].what, is_last ? "" : ", and another");
			if (t && is_last)
				assert_int_equal(t->kind, node.kind);
			if (t && is_last && node.name)
				assert_string_equal(t->name, rows[i].name);
			arena_free(a);
		}
	}
}

/* What can have no members has none, whatever the file says. */
static void
test_no_members(void **state)
{
	struct save_type node = { .bytes = sizeof(node), .kind = TYPE_INT,
				  .n = 3, .size = 4, .align = 4 };
	struct save_cursor c = { (const uint8_t *)&node, sizeof(node) };
	struct arena *a = arena_new();
	const struct type *t = save_take_types(&c, sizeof(node), a);

	assert_non_null(t);
	assert_int_equal(t->n, 0);
	arena_free(a);
}

/* As deep as types are kept, and one level more: that is no type. */
static void
test_depth(void **state)
{
	for (unsigned levels = 63; levels <= 66; levels++) {
		struct arena *from = arena_new(), *a = arena_new();
		const struct type *t = &type_int;
		struct sb b;

		for (unsigned i = 1; i < levels; i++)
			t = type_new_array(from, t, 1);
		sb_init(&b, 1 << 20);
		save_put_types(&b, t);
		struct save_cursor c = { (const uint8_t *)b.p, b.len };
		const struct type *got = save_take_types(&c, b.len, a);
		if (levels <= 64) {
			assert_non_null(got);
			compare(t, got, 0);
		} else {
			assert_true(!got || type_size(got) != 4);
			assert_true(b.len <= 64 * sizeof(struct save_type));
		}
		sb_fini(&b);
		arena_free(from);
		arena_free(a);
	}
}

/* Numbers and pointers are as large as a load reads, floating numbers as large as they are;
 * an array is what its elements take. */
static void
test_sizes(void **state)
{
	static const struct { unsigned kind; uint64_t sizes; } rows[] = {	/* bit n: n bytes */
		{ TYPE_INT, 0x116 }, { TYPE_ENUM, 0x116 }, { TYPE_PTR, 0x116 },
		{ TYPE_FLOAT, 0x10110 }, { TYPE_STRUCT, 0x1fffff }, { TYPE_UNION, 0x1fffff },
	};

	for (size_t r = 0; r < BASE_NELEMS(rows); r++)
		for (unsigned size = 0; size <= 20; size++) {
			struct save_type node = { .bytes = sizeof(node), .kind = rows[r].kind,
						  .size = size, .align = 1 };
			struct save_type of[2] = { { .bytes = sizeof(node), .kind = TYPE_INT,
				.size = 4, .align = 4 }, node };
			of[1].base = 1;
			bool is_ptr = node.kind == TYPE_PTR;
			size_t bytes = is_ptr ? sizeof(of) : sizeof(node);
			struct save_cursor c = { is_ptr ? (uint8_t *)of : (uint8_t *)&node, bytes };
			struct arena *a = arena_new();
			const struct type *t = save_take_types(&c, bytes, a);
			if (!!t != (rows[r].sizes >> size & 1))
				fail_msg("row %zu of %u bytes", r, size);
			if (t)
				assert_int_equal(type_size(t), size);
			arena_free(a);
		}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_no_cycles),
		cmocka_unit_test(test_nodes),
		cmocka_unit_test(test_no_members),
		cmocka_unit_test(test_depth),
		cmocka_unit_test(test_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
