/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Layouts against the compiler that builds this file.  Each made-up struct
 * is given to both; where the compiler put a bit-field is found by setting
 * it in zeroed memory and looking for the bits.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/base.h"
#include "support/mktype.h"
#include "test_type.h"
#include "type/make.h"
#include "type/type.h"

/* Not a constant, so that putting it into a bit-field draws no warning. */
static volatile unsigned long long all_ones = ~0ULL;

/* Where one member was found. */
struct place {
	uint64_t bit;
	uint32_t bits;
};

static struct place
find_bits(const void *p, size_t size)
{
	const uint8_t *bytes = p;
	struct place at = { UINT64_MAX, 0 };

	for (size_t i = 0; i < size * 8; i++) {
		if (!(bytes[i / 8] >> (i % 8) & 1))
			continue;
		if (!at.bits)
			at.bit = i;
		at.bits++;
	}
	return at;
}

static void
compare(const char *what, const struct type *t, const struct place *where,
	size_t size, size_t align)
{
	uint32_t n;
	const struct type_member *m = type_members(t, &n);

	if (type_size(t) != size || type_align(t) != align)
		fail_msg("%s: size %zu align %zu, not %ju %u", what, size,
			 align, (uintmax_t)type_size(t), type_align(t));
	for (uint32_t i = 0; i < n; i++) {
		if (!m[i].name)
			continue;
		if (m[i].bit_offset != where[i].bit ||
		    m[i].bit_size != where[i].bits)
			fail_msg("%s.%s: at %ju:%u, not %ju:%u", what,
				 m[i].name, (uintmax_t)where[i].bit,
				 where[i].bits, (uintmax_t)m[i].bit_offset,
				 m[i].bit_size);
	}
}

#include "layouts.h"

void
test_layout_made_up(void **state)
{
	struct arena *a = arena_new();

	check_layouts(a);
	arena_free(a);
}

struct inner {
	char c;
	long l;
};

struct outer {
	short s;
	struct inner in[3];
	union {
		char bytes[5];
		int word;
	};
	enum { ONE = 1 } e : 2;
	int (*fn)(void);
	char open[];
};

/* Derived types inside structs, and members found through an anonymous one. */
void
test_layout_nested(void **state)
{
	struct arena *a = arena_new();
	const struct type *inner = mktype_sou(a, TYPE_STRUCT, "inner",
		(struct type_member[]){
			{ "c", &type_char }, { "l", &type_long } }, 2);
	const struct type *u = mktype_sou(a, TYPE_UNION, NULL,
		(struct type_member[]){
			{ "bytes", type_new_array(a, &type_char, 5) },
			{ "word", &type_int } }, 2);
	const struct type *e = mktype_enum(a, NULL,
		(struct type_enumerator[]){ { "ONE", 1 } }, 1);
	const struct type *fn = type_new_ptr(a,
		type_new_func(a, &type_int, NULL, 0, false));
	const struct type *outer = mktype_sou(a, TYPE_STRUCT, "outer",
		(struct type_member[]){
			{ "s", &type_short },
			{ "in", type_new_array(a, inner, 3) },
			{ NULL, u },
			{ "e", e, 0, 2 },
			{ "fn", fn },
			{ "open", type_new_array(a, &type_char, 0) } }, 6);
	static const struct {
		const char *name;
		size_t offset;
	} rows[] = {
		{ "s", offsetof(struct outer, s) },
		{ "in", offsetof(struct outer, in) },
		{ "bytes", offsetof(struct outer, bytes) },
		{ "word", offsetof(struct outer, word) },
		{ "fn", offsetof(struct outer, fn) },
		{ "open", offsetof(struct outer, open) },
	};
	struct type_member m;

	assert_int_equal(type_size(outer), sizeof(struct outer));
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		assert_true(type_find_member(outer, rows[i].name, &m));
		assert_int_equal(m.bit_offset, rows[i].offset * 8);
	}
	assert_false(type_find_member(outer, "c", &m));
	/* through two anonymous ones, of which one holds the other */
	const struct type *half = mktype_sou(a, TYPE_STRUCT, NULL,
		(struct type_member[]){ { "l", &type_long }, { NULL, u } }, 2);
	const struct type *whole = mktype_sou(a, TYPE_STRUCT, "whole",
		(struct type_member[]){ { "s", &type_short }, { NULL, half } }, 2);
	assert_true(type_find_member(whole, "word", &m));
	assert_int_equal(m.bit_offset, 16 * 8);
	/* nor does it go down without end */
	for (int i = 0; i < 100; i++)
		whole = mktype_sou(a, TYPE_STRUCT, NULL,
			(struct type_member[]){ { NULL, whole } }, 1);
	assert_false(type_find_member(whole, "word", &m));
	arena_free(a);
}
