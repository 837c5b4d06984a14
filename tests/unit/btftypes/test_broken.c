/* SPDX-License-Identifier: BSD-2-Clause
 *
 * BTF that is not what it claims to be, and memory that runs out.  Buffers
 * are exactly as large as their data, so that the address sanitizer sees a
 * step beyond.
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
#include "btftypes/btftypes.h"
#include "test_btftypes.h"
#include "type/convert.h"
#include "type/text.h"
#include "util/alloc.h"

/* Look at everything that can be reached from t without names. */
static void
look(const struct type *t, int depth)
{
	struct sb b;
	uint32_t n;

	if (!t || depth > 4)
		return;
	sb_init(&b, 4096);
	type_print(t, "x", &b);
	sb_fini(&b);
	type_align(t);
	type_is_complete(t);
	type_equal(t, t->base);
	type_ptr_compat(t, t);
	const struct type_member *m = type_members(t, &n);
	for (uint32_t i = 0; i < n; i++)
		look(m[i].type, depth + 1);
	m = type_params(t, &n);
	for (uint32_t i = 0; i < n; i++)
		look(m[i].type, depth + 1);
	type_enums(t, &n);
	look(t->base, depth + 1);
}

/* Open a copy of the data and ask for the usual names; true when it opened
 * and "all" was there. */
static bool
exercise(const uint8_t *data, size_t size)
{
	static const struct {
		enum type_kind kind;
		const char *name;
	} rows[] = {
		{ TYPE_STRUCT, "all" }, { TYPE_STRUCT, "opaque" },
		{ TYPE_TYPEDEF, "u64" }, { TYPE_ENUM, "color" },
		{ TYPE_ENUM, "wide" }, { TYPE_FUNC, "printk" },
		{ TYPE_STRUCT, "none" }, { TYPE_UNION, "none" },
		{ TYPE_STRUCT, "all" }, { TYPE_FUNC, "printk" },
	};
	struct arena *a = arena_new();
	uint8_t *copy = malloc(size ? size : 1);
	struct btftypes *b = NULL;
	bool found = false;
	struct type_member m;

	memcpy(copy, data, size);
	struct err *e = a ? btftypes_new(a, copy, size, NULL, "x", &b)
			  : &err_nomem;
	for (size_t i = 0; !e && i < BASE_NELEMS(rows); i++) {
		const struct type *t = btftypes_find(b, rows[i].kind,
						     rows[i].name);
		look(t, 0);
		found |= i == 0 && type_find_member(t, "half", &m);
	}
	err_free(e);
	btftypes_free(b);
	arena_free(a);
	free(copy);
	return found;
}

void
test_bad_headers(void **state)
{
	const struct btf_header good = {
		.magic = BTF_MAGIC, .version = 1, .hdr_len = 24,
		.type_len = 16, .str_off = 16, .str_len = 4,
	};
	struct btf_header rows[] = {
		good, good, good, good, good, good, good, good, good, good,
	};
	uint8_t buf[24 + 16 + 4] = { 0 };
	struct arena *a = arena_new();
	struct btftypes *b;

	/* Types may end the file, too. */
	rows[0].str_off = 0;
	rows[0].type_off = 4;
	rows[1].magic = 0x9feb;		/* the other byte order */
	rows[2].version = 2;
	rows[3].hdr_len = 23;
	rows[4].hdr_len = 45;
	rows[5].type_len = 21;
	rows[6].type_off = UINT32_MAX;
	rows[7].str_len = 5;
	rows[8].str_off = UINT32_MAX - 2;
	rows[9].type_len = UINT32_MAX;
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		b = NULL;
		memcpy(buf, &rows[i], sizeof(rows[i]));
		struct err *e = btftypes_new(a, buf, sizeof(buf), NULL, "x",
					     &b);
		if (!e != (i == 0))
			fail_msg("row %zu", i);
		if (e)
			assert_null(b);
		err_free(e);
		btftypes_free(b);
	}
	/* Strings that run off the end. */
	memcpy(buf, &good, sizeof(good));
	buf[sizeof(buf) - 1] = 'x';
	struct err *e = btftypes_new(a, buf, sizeof(buf), NULL, "x", &b);
	assert_non_null(e);
	assert_int_equal(e->code, ERR_FORMAT);
	err_free(e);
	arena_free(a);
}

/* Records that end outside their section, or of no kind known. */
void
test_bad_records(void **state)
{
	static const uint32_t infos[] = {
		0, 20U << 24, 31U << 24, 4U << 24 | 0xffff, 4U << 24 | 1,
		1U << 24, 3U << 24, 6U << 24 | 1, 13U << 24 | 1, 14U << 24,
		15U << 24 | 1, 17U << 24, 19U << 24 | 1,
	};
	struct arena *a = arena_new();

	for (size_t i = 0; i < BASE_NELEMS(infos); i++) {
		struct btftypes *b;
		struct btfw w;
		size_t size;
		uint32_t head[] = { 0, infos[i], 4 };
		btfw_init(&w);
		btfw_int(&w, "int", 4, 1);
		btfw_raw(&w, head, sizeof(head));
		uint8_t *file = btfw_file(&w, &size);
		assert_null(btftypes_new(a, file, size, NULL, "m", &b));
		for (int again = 0; again < 2; again++) {
			struct err *e = load_all(b);
			assert_non_null(e);
			assert_int_equal(e->code, ERR_FORMAT);
			assert_string_equal(e->text, "BTF of m: bad type 2");
			err_free(e);
		}
		assert_null(btftypes_find(b, TYPE_STRUCT, "x"));
		btftypes_free(b);
		/* A question that meets the record says no, and then why. */
		assert_null(btftypes_new(a, file, size, NULL, "m", &b));
		assert_null(btftypes_check(b));
		assert_int_equal(btftypes_id(b, TYPE_FUNC, "int"), 0);
		struct err *e = btftypes_check(b);
		assert_string_equal(e->text, "BTF of m: bad type 2");
		err_free(e);
		btftypes_free(b);
		free(file);
		btfw_fini(&w);
	}
	arena_free(a);
}

/* A typedef "t" of id 1, and at id 2 what the row says. */
void
test_bad_graphs(void **state)
{
	static const struct {
		const char *what;
		uint32_t kind, arg;
	} rows[] = {
		{ "itself", BTF_KIND_TYPEDEF, 1 },
		{ "a pointer to it", BTF_KIND_PTR, 1 },
		{ "const of it", BTF_KIND_CONST, 1 },
		{ "const of itself", BTF_KIND_CONST, 2 },
		{ "a pointer to itself", BTF_KIND_PTR, 2 },
		{ "a tag of itself", BTF_KIND_TYPE_TAG, 2 },
		{ "nothing", BTF_KIND_PTR, 3 },
		{ "far away", BTF_KIND_PTR, UINT32_MAX },
		{ "a function returning it", BTF_KIND_FUNC_PROTO, 1 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct arena *a = arena_new();
		struct btftypes *b;
		struct btfw w;
		size_t size;
		btfw_init(&w);
		btfw_record(&w, BTF_KIND_TYPEDEF, false, "t", 2);
		btfw_record(&w, rows[i].kind, false, "u", rows[i].arg);
		uint8_t *file = btfw_file(&w, &size);
		assert_null(btftypes_new(a, file, size, NULL, "m", &b));
		if (btftypes_find(b, TYPE_TYPEDEF, "t"))
			fail_msg("found a typedef of %s", rows[i].what);
		assert_false(arena_failed(a));
		btftypes_free(b);
		free(file);
		btfw_fini(&w);
		arena_free(a);
	}
}

/* Pointers to pointers to ...: shallow is fine, deep ends somewhere. */
void
test_deep(void **state)
{
	static const struct {
		uint32_t levels;
		bool found;
	} rows[] = { { 20, true }, { 100000, false } };

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct arena *a = arena_new();
		struct btftypes *b;
		struct btfw w;
		size_t size;
		btfw_init(&w);
		btfw_record(&w, BTF_KIND_TYPEDEF, false, "t",
			    rows[i].levels + 1);
		for (uint32_t j = 0; j < rows[i].levels; j++)
			btfw_record(&w, BTF_KIND_PTR, false, NULL,
				    w.next_id == 2 ? 0 : w.next_id - 1);
		uint8_t *file = btfw_file(&w, &size);
		assert_null(btftypes_new(a, file, size, NULL, "m", &b));
		const struct type *t = btftypes_find(b, TYPE_TYPEDEF, "t");
		assert_int_equal(t != NULL, rows[i].found);
		look(t, 0);
		btftypes_free(b);
		free(file);
		btfw_fini(&w);
		arena_free(a);
	}
}

void
test_prefixes(void **state)
{
	struct btfw w;
	size_t size;

	btfw_init(&w);
	btfw_sample(&w);
	uint8_t *file = btfw_file(&w, &size);
	assert_true(exercise(file, size));
	for (size_t n = 0; n < size; n++)
		assert_false(exercise(file, n));
	free(file);
	btfw_fini(&w);
}

void
test_mutations(void **state)
{
	static const uint8_t flips[] = { 0x01, 0x02, 0x10, 0x80, 0xff };
	struct btfw w;
	size_t size, found = 0, tried = 0;
	uint32_t rng = 1;

	btfw_init(&w);
	btfw_sample(&w);
	uint8_t *file = btfw_file(&w, &size);
	for (size_t i = 0; i < size; i++) {
		for (size_t j = 0; j < BASE_NELEMS(flips); j++, tried++) {
			file[i] ^= flips[j];
			found += exercise(file, size);
			file[i] ^= flips[j];
		}
	}
	/* Several at once. */
	for (int i = 0; i < 3000; i++) {
		uint8_t *copy = malloc(size);
		memcpy(copy, file, size);
		for (int j = 0; j < 4; j++) {
			rng = rng * 1103515245 + 12345;
			copy[24 + (rng >> 8) % (size - 24)] = rng >> 24;
		}
		exercise(copy, size);
		free(copy);
	}
	/* Most flips hurt nobody, some do. */
	assert_true(found > tried / 4 && found < tried);
	free(file);
	btfw_fini(&w);
}

/* A name that thousands of types share must not take thousands squared. */
void
test_same_names(void **state)
{
	struct arena *a = arena_new();
	struct btftypes *b;
	struct btfw w;
	size_t size;

	btfw_init(&w);
	uint32_t i = btfw_int(&w, "int", 4, 1);
	for (int j = 0; j < 200000; j++)
		btfw_record(&w, BTF_KIND_TYPEDEF, false, "t", i);
	btfw_record(&w, BTF_KIND_STRUCT, false, "t", 4);
	uint8_t *file = btfw_file(&w, &size);
	assert_null(btftypes_new(a, file, size, NULL, "m", &b));
	const struct type *t = btftypes_find(b, TYPE_TYPEDEF, "t");
	assert_non_null(t);
	for (int j = 0; j < 20; j++)
		assert_ptr_equal(btftypes_find(b, TYPE_TYPEDEF, "t"), t);
	assert_non_null(btftypes_find(b, TYPE_STRUCT, "t"));
	btftypes_free(b);
	free(file);
	btfw_fini(&w);
	arena_free(a);
}

enum { PLACES = 1500 };

static const char *
place_name(int j, int letters, int lengths)
{
	static char name[64];

	snprintf(name, sizeof(name), "%c%04d%.*s", 'a' + j % letters, j,
		 j % lengths, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
	return name;
}

/* Names at every place of the stretches that a search looks at, with many beside them
 * that begin and end as they do, or with none; each question is a file's first. */
static void
look_at_places(struct arena *a, int letters, int lengths)
{
	struct btfw w;
	size_t size;

	btfw_init(&w);
	uint32_t i = btfw_int(&w, "int", 4, 1);
	for (int j = 0; j < PLACES; j++)
		btfw_record(&w, BTF_KIND_TYPEDEF, false,
			    place_name(j, letters, lengths), i);
	uint8_t *file = btfw_file(&w, &size);
	for (int j = 0; j <= PLACES; j++) {
		const char *name = place_name(j, letters, lengths);
		struct btftypes *b;
		assert_null(btftypes_new(a, file, size, NULL, "m", &b));
		for (int again = 0; again < 2; again++) {
			const struct type *t =
				btftypes_find(b, TYPE_TYPEDEF, name);
			assert_int_equal(t != NULL, j < PLACES);
			if (t)
				assert_string_equal(t->name, name);
			assert_null(btftypes_find(b, TYPE_STRUCT, name));
			assert_null(btftypes_find(b, TYPE_TYPEDEF, name + 1));
		}
		btftypes_free(b);
	}
	free(file);
	btfw_fini(&w);
}

void
test_places(void **state)
{
	struct arena *a = arena_new();

	look_at_places(a, 1, 5);
	look_at_places(a, 26, 37);
	arena_free(a);
}

void
test_oom(void **state)
{
	struct btfw w;
	size_t size;
	bool found = false;

	btfw_init(&w);
	btfw_sample(&w);
	uint8_t *file = btfw_file(&w, &size);
	for (int sticky = 0; sticky < 2; sticky++) {
		unsigned long n = 1;
		for (found = false; !found && n < 1000; n++) {
			util_alloc_fail(n, sticky);
			found = exercise(file, size);
			util_alloc_fail(0, 0);
		}
		assert_true(found);
		assert_true(n > 3);
	}
	free(file);
	btfw_fini(&w);
}
