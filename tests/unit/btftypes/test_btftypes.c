/* SPDX-License-Identifier: BSD-2-Clause
 *
 * BTF as types: what a well-formed file means, in a sample that has every kind,
 * with a module's own types on top of it.  What is broken is test_broken.c's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/base.h"
#include "btftypes/btftypes.h"
#include "test_btftypes.h"
#include "type/convert.h"
#include "type/text.h"

struct fixture {
	struct btfw w;
	struct arena *arena;
	struct btftypes *b;
	uint8_t *file;
};

static void
open_fixture(struct fixture *f, struct btftypes *base, const char *module)
{
	size_t size;

	f->arena = arena_new();
	f->file = btfw_file(&f->w, &size);
	assert_null(btftypes_new(f->arena, f->file, size, base, module,
				 &f->b));
	assert_null(load_all(f->b));
}

static void
close_fixture(struct fixture *f)
{
	btftypes_free(f->b);
	arena_free(f->arena);
	free(f->file);
	btfw_fini(&f->w);
}

static void
check_print(const struct type *t, const char *name, const char *want)
{
	struct sb b;

	sb_init(&b, 1024);
	type_print(t, name, &b);
	assert_string_equal(sb_str(&b), want);
	sb_fini(&b);
}

static void
test_members(void **state)
{
	static const struct {
		const char *name, *text;
		uint32_t bit, bits;
	} rows[] = {
		{ "comm", "char comm[16]", 0, 0 },
		{ "pid", "int pid", 128, 0 },
		{ "flag", "_Bool flag", 160, 0 },
		{ "low", "unsigned long long low", 192, 3 },
		{ "high", "u64 high", 195, 61 },
		{ "name", "const char *name", 256, 0 },
		{ "ubuf", "char *ubuf", 320, 0 },
		{ "opaque", "struct opaque *opaque", 384, 0 },
		{ "parent", "struct all *parent", 448, 0 },
		{ "color", "enum color color", 512, 0 },
		{ "wide", "enum wide wide", 576, 0 },
		{ "fn", "int (*fn)(const char *, ...)", 640, 0 },
		{ "word", "unsigned long word", 704, 0 },
		{ "half", "int half", 704, 0 },
		{ "d", "double d", 768, 0 },
		{ "v", "volatile int v", 832, 0 },
		{ "r", "const char *restrict r", 896, 0 },
	};
	struct fixture f;
	struct type_member m;

	btfw_init(&f.w);
	btfw_sample(&f.w);
	open_fixture(&f, NULL, "vmlinux");
	const struct type *all = btftypes_find(f.b, TYPE_STRUCT, "all");
	assert_non_null(all);
	assert_string_equal(all->module, "vmlinux");
	assert_int_equal(type_size(all), 128);
	assert_int_equal(type_align(all), 8);
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		assert_true(type_find_member(all, rows[i].name, &m));
		check_print(m.type, m.name, rows[i].text);
		assert_int_equal(m.bit_offset, rows[i].bit);
		assert_int_equal(m.bit_size, rows[i].bits);
		assert_int_equal(m.type->is_user,
				 strcmp(rows[i].name, "ubuf") == 0);
	}
	/* The kernel's names for integers are the compiler's types. */
	assert_true(type_find_member(all, "word", &m));
	assert_true(type_equal(m.type, &type_ulong));
	assert_true(type_find_member(all, "high", &m));
	assert_true(type_equal(m.type, &type_ullong));
	assert_true(type_find_member(all, "parent", &m));
	assert_ptr_equal(type_strip(m.type)->base, all);
	close_fixture(&f);
}

static void
test_find(void **state)
{
	static const struct {
		enum type_kind kind;
		const char *name, *text;
	} rows[] = {
		{ TYPE_STRUCT, "all", "struct all" },
		{ TYPE_STRUCT, "opaque", "struct opaque" },
		{ TYPE_UNION, "opaque", NULL },
		{ TYPE_UNION, "all", NULL },
		{ TYPE_TYPEDEF, "u64", "u64" },
		{ TYPE_STRUCT, "u64", NULL },
		{ TYPE_ENUM, "color", "enum color" },
		{ TYPE_ENUM, "wide", "enum wide" },
		{ TYPE_FUNC, "printk", "int (const char *, ...)" },
		{ TYPE_FUNC, "jiffies", NULL },
		{ TYPE_INT, "int", NULL },
		{ TYPE_STRUCT, "", NULL },
		{ TYPE_STRUCT, "al", NULL },
		{ TYPE_STRUCT, "all2", NULL },
	};
	struct fixture f;

	btfw_init(&f.w);
	btfw_sample(&f.w);
	open_fixture(&f, NULL, "vmlinux");
	/* The first round searches, the later ones look up. */
	for (size_t i = 0; i < 3 * BASE_NELEMS(rows); i++) {
		size_t r = i % BASE_NELEMS(rows);
		const struct type *t = btftypes_find(f.b, rows[r].kind,
						     rows[r].name);
		if (!rows[r].text)
			assert_null(t);
		else
			check_print(t, NULL, rows[r].text);
	}
	close_fixture(&f);
}

/* By section: a variable that is not per CPU has no such place. */
static void
test_percpu(void **state)
{
	struct fixture f;
	uint32_t off = 7;

	btfw_init(&f.w);
	btfw_sample(&f.w);
	open_fixture(&f, NULL, "vmlinux");
	assert_true(btftypes_percpu(f.b, "runqueues", &off));
	assert_int_equal(off, 64);
	assert_true(btftypes_percpu(f.b, "jiffies", &off));
	assert_int_equal(off, 40);
	assert_false(btftypes_percpu(f.b, "other", &off));
	assert_false(btftypes_percpu(f.b, "absent", &off));
	assert_false(btftypes_percpu(f.b, "printk", &off));
	assert_int_equal(off, 40);
	close_fixture(&f);
}

static void
test_enums(void **state)
{
	struct fixture f;
	int64_t v;

	btfw_init(&f.w);
	btfw_sample(&f.w);
	btfw_record(&f.w, BTF_KIND_ENUM, false, "plain", 1);
	btfw_enum(&f.w, "BIG", -1);
	btfw_record(&f.w, BTF_KIND_ENUM64, true, "neg", 8);
	btfw_enum64(&f.w, "NEG", INT64_MIN);
	open_fixture(&f, NULL, "vmlinux");

	static const struct {
		const char *tag, *name;
		int64_t value;
		unsigned size;
		bool is_signed;
	} rows[] = {
		{ "color", "RED", -1, 4, true },
		{ "color", "BLUE", 7, 4, true },
		{ "wide", "WIDE", 0x123456789abcLL, 8, false },
		{ "plain", "BIG", 0xffffffff, 1, false },
		{ "neg", "NEG", INT64_MIN, 8, true },
	};
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		const struct type *t = btftypes_find(f.b, TYPE_ENUM,
						     rows[i].tag);
		assert_non_null(t);
		assert_true(type_find_enum(t, rows[i].name, &v));
		assert_true(v == rows[i].value);
		assert_int_equal(type_size(t), rows[i].size);
		assert_int_equal(type_is_signed(t), rows[i].is_signed);
	}
	close_fixture(&f);
}

/* Integers whose name, size or sign are not those of C. */
static void
test_ints(void **state)
{
	static const struct {
		const char *name;
		uint32_t size, encoding;
		const struct type *same;	/* or NULL */
		bool is_signed;
	} rows[] = {
		{ "int", 4, BTF_INT_SIGNED, &type_int, true },
		{ "unsigned int", 4, 0, &type_uint, false },
		{ "long int", 8, BTF_INT_SIGNED, &type_long, true },
		{ "long unsigned int", 8, 0, &type_ulong, false },
		{ "long long int", 8, BTF_INT_SIGNED, &type_llong, true },
		{ "long long unsigned int", 8, 0, &type_ullong, false },
		{ "short int", 2, BTF_INT_SIGNED, &type_short, true },
		{ "short unsigned int", 2, 0, &type_ushort, false },
		{ "char", 1, BTF_INT_CHAR, &type_char, true },
		{ "char", 1, BTF_INT_SIGNED, &type_char, true },
		{ "signed char", 1, BTF_INT_SIGNED, &type_schar, true },
		{ "unsigned char", 1, 0, &type_uchar, false },
		{ "_Bool", 1, BTF_INT_BOOL, &type_bool, false },
		{ "bool", 1, BTF_INT_BOOL, &type_bool, false },
		{ "__int128", 16, BTF_INT_SIGNED, NULL, true },
		{ "__int128 unsigned", 16, 0, NULL, false },
		{ "long int", 4, BTF_INT_SIGNED, &type_int, true },
		{ "u32", 4, 0, &type_uint, false },
		{ "usize", 8, 0, &type_ulong, false },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct fixture f;
		btfw_init(&f.w);
		uint32_t id = btfw_int(&f.w, rows[i].name, rows[i].size,
				       rows[i].encoding);
		btfw_record(&f.w, BTF_KIND_TYPEDEF, false, "t", id);
		open_fixture(&f, NULL, "vmlinux");
		const struct type *t = btftypes_find(f.b, TYPE_TYPEDEF, "t");
		assert_true(type_is_integer(t));
		assert_int_equal(type_size(t), rows[i].size);
		assert_int_equal(type_is_signed(t), rows[i].is_signed);
		if (rows[i].same && !type_equal(t, rows[i].same))
			fail_msg("row %zu: %s", i, rows[i].name);
		close_fixture(&f);
	}
}

/* Bit-fields as they were written before kind_flag. */
static void
test_old_bitfields(void **state)
{
	struct fixture f;
	struct type_member m;

	btfw_init(&f.w);
	uint32_t i3 = btfw_int_bits(&f.w, "int", 4, BTF_INT_SIGNED, 0, 3);
	uint32_t i5 = btfw_int_bits(&f.w, "int", 4, BTF_INT_SIGNED, 2, 5);
	uint32_t t5 = btfw_record(&f.w, BTF_KIND_TYPEDEF, false, "five", i5);
	uint32_t i = btfw_int(&f.w, "int", 4, BTF_INT_SIGNED);
	btfw_record(&f.w, BTF_KIND_STRUCT, false, "old", 8);
	btfw_member(&f.w, "a", i3, 0, 0);
	btfw_member(&f.w, "b", t5, 8, 0);
	btfw_member(&f.w, "c", i, 32, 0);
	open_fixture(&f, NULL, "vmlinux");
	const struct type *t = btftypes_find(f.b, TYPE_STRUCT, "old");
	assert_true(type_find_member(t, "a", &m));
	assert_int_equal(m.bit_size, 3);
	assert_true(type_find_member(t, "b", &m));
	assert_int_equal(m.bit_size, 5);
	assert_int_equal(m.bit_offset, 10);
	assert_true(type_find_member(t, "c", &m));
	assert_int_equal(m.bit_size, 0);
	assert_int_equal(m.bit_offset, 32);
	close_fixture(&f);
}

/* A module's types refer to the kernel's, and so do its names. */
static void
test_split(void **state)
{
	struct fixture k, f;
	struct type_member m;

	btfw_init(&k.w);
	btfw_sample(&k.w);
	open_fixture(&k, NULL, "vmlinux");
	btfw_init_split(&f.w, &k.w);
	btfw_record(&f.w, BTF_KIND_TYPEDEF, false, "first", 1);
	uint32_t ptr = btfw_record(&f.w, BTF_KIND_PTR, false, NULL, 9);
	uint32_t fwd = btfw_record(&f.w, BTF_KIND_FWD, false, "all", 0);
	btfw_record(&f.w, BTF_KIND_STRUCT, false, "mine", 16);
	btfw_member(&f.w, "text", ptr, 0, 0);
	/* "pid" is among the strings of the kernel: offset there. */
	uint32_t shared = btfw_str(&k.w, "pid");
	btfw_member(&f.w, "pid", 1, 64, 0);
	memcpy(f.w.types.p + f.w.types.size - sizeof(struct btf_member),
	       &shared, sizeof(shared));
	btfw_record(&f.w, BTF_KIND_STRUCT, false, "x", 8);
	memcpy(f.w.types.p + f.w.last, &shared, sizeof(shared));
	open_fixture(&f, k.b, "mod");

	const struct type *mine = btftypes_find(f.b, TYPE_STRUCT, "mine");
	assert_non_null(mine);
	/* Each knows whose it is. */
	assert_string_equal(mine->module, "mod");
	assert_string_equal(btftypes_find(f.b, TYPE_TYPEDEF, "first")->module,
			    "mod");
	assert_string_equal(btftypes_find(f.b, TYPE_ENUM, "color")->module,
			    "vmlinux");
	assert_true(type_find_member(mine, "text", &m));
	check_print(m.type, NULL, "char *");
	assert_true(m.type->is_user);	/* 9 is the tag */
	assert_true(type_find_member(mine, "pid", &m));
	assert_ptr_equal(m.type, &type_int);
	assert_null(btftypes_find(k.b, TYPE_STRUCT, "mine"));
	/* The first string of split BTF has no NUL before it. */
	assert_non_null(btftypes_find(f.b, TYPE_TYPEDEF, "first"));
	/* By a name that only the kernel's strings hold, both ways. */
	for (int i = 0; i < 20; i++)
		assert_non_null(btftypes_find(f.b, TYPE_STRUCT, "pid"));
	assert_non_null(btftypes_find(f.b, TYPE_TYPEDEF, "first"));
	/* The definition in the kernel beats the declaration here. */
	assert_int_not_equal(fwd, 0);
	const struct type *all = btftypes_find(f.b, TYPE_STRUCT, "all");
	assert_int_equal(all->kind, TYPE_STRUCT);
	assert_ptr_equal(all, btftypes_find(k.b, TYPE_STRUCT, "all"));
	close_fixture(&f);
	close_fixture(&k);
}

static void
test_file(void **state)
{
	char path[] = "/tmp/btf-test-XXXXXX";
	struct fixture f;
	struct btftypes *b = NULL;
	size_t size;

	btfw_init(&f.w);
	btfw_sample(&f.w);
	open_fixture(&f, NULL, "vmlinux");
	uint8_t *file = btfw_file(&f.w, &size);
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, file, size), size);
	close(fd);
	free(file);

	assert_null(btftypes_open(f.arena, path, NULL, "vmlinux", &b));
	assert_non_null(btftypes_find(b, TYPE_STRUCT, "all"));
	btftypes_free(b);
	unlink(path);

	b = NULL;
	struct err *e = btftypes_open(f.arena, path, NULL, "vmlinux", &b);
	assert_non_null(e);
	assert_int_equal(e->code, ERR_OS);
	assert_null(b);
	err_free(e);
	/* Cannot be mapped, and has no size. */
	e = btftypes_open(f.arena, "/proc/self/status", NULL, "x", &b);
	assert_non_null(e);
	assert_int_equal(e->code, ERR_FORMAT);
	err_free(e);
	close_fixture(&f);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_members),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_percpu),
		cmocka_unit_test(test_enums),
		cmocka_unit_test(test_ints),
		cmocka_unit_test(test_old_bitfields),
		cmocka_unit_test(test_split),
		cmocka_unit_test(test_file),
		cmocka_unit_test(test_bad_headers),
		cmocka_unit_test(test_bad_records),
		cmocka_unit_test(test_bad_graphs),
		cmocka_unit_test(test_deep),
		cmocka_unit_test(test_prefixes),
		cmocka_unit_test(test_mutations),
		cmocka_unit_test(test_same_names),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_oom),
		cmocka_unit_test(test_vmlinux_known),
		cmocka_unit_test(test_vmlinux_all),
	};

	return cmocka_run_group_tests_name("btftypes", tests, NULL, NULL);
}
