/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Rows of probes that are found by cookie, names for programs and layouts, in memory of
 * the test's; and which probe an EPID is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/base.h"
#include "kengine/attach_priv.h"
#include "kengine/kengine_priv.h"

/* A point of two probes with a table, one of two that are found by cookie, and what
 * comes later. */
enum { NPOINTS = 2, NPROBES = 2, MORE = 3, ROWS = NPROBES + MORE, NAMES = 16 };

struct rig {
	struct kengine k;
	struct ebpf_object code;
	struct abi_point at[NPOINTS];
	struct engine_point points[NPOINTS];
	struct kengine_point kpoints[NPOINTS];
	struct abi_row rows[ROWS + 1];
	struct abi_names names[NAMES];
	struct abi_layout layouts[ABI_LAYOUTS];
};

static const struct plan_epid epids[] = { { 1, 7 }, { 2, 7 }, { 2, 8 } };
static const uint32_t clauses[] = { 3, 5, 9 };
static const struct abi_layout layout = { 0 };

static const struct plan_probe probes[NPOINTS][NPROBES] = {
	{ { .id = 1, .part = { "a", "b", "c", "d" } },
	  { .id = 2, .part = { "e", NULL, "f", "" } } },
	{ { .id = 10, .part = { "p", "m", "g", "n" }, .is_numbered = true,
	    .clauses = clauses, .nclauses = 3, .layout = &layout },
	  { .id = 11, .part = { "p", "m", "h", "n" }, .value = 44, .moved = 5, .pid = 6,
	    .clauses = clauses + 1, .nclauses = 1, .layout = &layout } },
};

static void
rig_init(struct rig *r)
{
	memset(r, 0, sizeof(*r));
	r->at[0].find = ABI_FIND_TABLE;
	r->at[1].find = ABI_FIND_COOKIE;
	for (int i = 0; i < NPOINTS; i++) {
		struct engine_point *pt = &r->points[i];
		pt->point = &r->at[i];
		for (int j = 0; j < NPROBES; j++)
			assert_true(vec_push(&pt->probes, probes[i][j]));
		r->kpoints[i].p = pt;
	}
	for (size_t i = 0; i < BASE_NELEMS(clauses); i++)
		assert_true(vec_push(&r->points[1].clauses, clauses[i]));
	r->code = (struct ebpf_object){ .epids = epids, .nepids = 3,
		.has_rows = true, .has_names = true, .nnames = NPROBES + 1 };
	r->k.code = &r->code;
	r->k.points = r->kpoints;
	r->k.rows_max = ROWS;
	r->k.names_max = NAMES;
	r->k.shared = (struct kengine_shared){ .rows = r->rows,
		.names = r->names, .layouts = r->layouts };
	r->k.e.in = (struct engine_input){ .points = r->points,
		.npoints = NPOINTS, .error = { .id = 3, .part = { "dtrace", "",
		"", "ERROR" } } };
}

static void
rig_fini(struct rig *r)
{
	for (int i = 0; i < NPOINTS; i++) {
		vec_fini(&r->points[i].probes);
		vec_fini(&r->points[i].clauses);
	}
	vec_fini(&r->k.rows);
	hash_fini(&r->k.layouts);
}

static void
check_row(const struct rig *r, int i, struct abi_row want)
{
	assert_memory_equal(&r->rows[i], &want, sizeof(want));
}

static void
check_names(const struct rig *r, int i, const char *const want[4], bool numbered)
{
	for (int k = 0; k < 4; k++)
		assert_string_equal(r->names[i].part[k], want[k]);
	assert_int_equal(r->names[i].is_numbered, numbered);
}

static void
check_epid(const struct rig *r, uint32_t epid, uint32_t probe, uint32_t clause)
{
	struct plan_epid e;

	assert_true(kengine_epid(&r->k, epid, &e));
	assert_int_equal(e.probe, probe);
	assert_int_equal(e.clause, clause);
}

static void
test_fill(void **state)
{
	static const char *const names[][4] = {
		{ "a", "b", "c", "d" }, { "e", "", "f", "" },
		{ "dtrace", "", "", "ERROR" }, { "p", "m", "g", "n" },
		{ "p", "m", "h", "n" },
	};
	struct plan_epid e;
	struct rig r;

	rig_init(&r);
	assert_null(kengine_rows_fill(&r.k));
	assert_int_equal(r.kpoints[0].first_cookie, 0);
	assert_int_equal(r.kpoints[1].first_cookie, 1);
	assert_int_equal(r.k.rows.n, 2);
	assert_int_equal(r.k.nnames, 5);
	for (int i = 0; i < 5; i++)
		check_names(&r, i, names[i], i == 3);
	check_row(&r, 0, (struct abi_row){ 0 });
	check_row(&r, 1, (struct abi_row){ 10, 4, 7, 3, 0, 0, 0 });
	check_row(&r, 2, (struct abi_row){ 11, 7, 2, 4, 0, 5, 44, 6 });
	check_row(&r, 3, (struct abi_row){ 0 });
	check_epid(&r, 1, 1, 7);
	check_epid(&r, 3, 2, 8);
	check_epid(&r, 4, 10, 3);
	check_epid(&r, 6, 10, 9);
	check_epid(&r, 7, 11, 3);
	check_epid(&r, 9, 11, 9);
	assert_false(kengine_epid(&r.k, 0, &e));
	assert_false(kengine_epid(&r.k, 10, &e));
	rig_fini(&r);
}

/* Of each thing the last for which there is room. */
static void
test_room(void **state)
{
	static const struct abi_layout many[ABI_LAYOUTS];
	struct plan_probe p = { .id = 50, .part = { "", "", "", "" } };
	uint64_t cookie;
	struct rig r;
	struct err *e;

	rig_init(&r);
	assert_null(kengine_rows_fill(&r.k));
	for (uint32_t i = 0; i < MORE; i++) {
		p.id = 50 + i;
		assert_null(kengine_row_add(&r.k, 1, &p, &cookie));
		assert_int_equal(cookie, 3 + i);
		check_row(&r, (int)cookie, (struct abi_row){ 50 + i, 10 + 3 * i,
			  0, 5 + i, 0, 0, 0 });
	}
	e = kengine_row_add(&r.k, 1, &p, &cookie);
	assert_non_null(e);
	assert_int_equal(e->code, ERR_LIMIT);
	assert_string_equal(e->text,
			    "a trace has room for 5 probes that come and go");
	err_free(e);
	rig_fini(&r);

	rig_init(&r);
	r.k.names_max = 5;
	assert_null(kengine_rows_fill(&r.k));
	e = kengine_row_add(&r.k, 1, &p, &cookie);
	assert_non_null(e);
	assert_int_equal(e->code, ERR_LIMIT);
	assert_string_equal(e->text,
			    "a trace has room for the names of 5 probes");
	err_free(e);
	assert_int_equal(r.names[5].part[0][0], 0);
	rig_fini(&r);

	/* One layout is there already, and is no other when it is used again. */
	rig_init(&r);
	r.k.shared.rows = NULL;
	r.k.shared.names = NULL;
	r.k.rows_max = 2 * ABI_LAYOUTS;
	assert_null(kengine_rows_fill(&r.k));
	for (int i = 0; i < ABI_LAYOUTS; i++) {
		p.layout = i ? &many[i] : &layout;
		assert_null(kengine_row_add(&r.k, 1, &p, &cookie));
	}
	assert_null(kengine_row_add(&r.k, 1, &p, &cookie));
	p.layout = &many[0];
	e = kengine_row_add(&r.k, 1, &p, &cookie);
	assert_non_null(e);
	assert_int_equal(e->code, ERR_LIMIT);
	assert_int_equal(e->os, 0);
	err_free(e);
	rig_fini(&r);
}

/* Names that are too long are cut, and end. */
static void
test_long_names(void **state)
{
	char longest[ABI_NAME_MAX + 8];
	struct plan_probe p = { .id = 50, .part = { longest, longest, "", "n" } };
	uint64_t cookie;
	struct rig r;

	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = 0;
	rig_init(&r);
	assert_null(kengine_rows_fill(&r.k));
	assert_null(kengine_row_add(&r.k, 1, &p, &cookie));
	for (int i = 0; i < 2; i++)
		assert_int_equal(strlen(r.names[5].part[i]), ABI_NAME_MAX - 1);
	assert_string_equal(r.names[5].part[3], "n");
	rig_fini(&r);
}

/* In place of those of kern: which maps there are, as bits, and their memory. */
enum { MAP_ROWS = 1, MAP_NAMES = 2, MAP_LAYOUTS = 4 };
static unsigned maps;
static uint64_t memory[8];

int __wrap_kern_obj_map(struct kern_obj *o, const char *name);
struct err *__wrap_kern_map_mmap(int fd, size_t size, void **ret);

int
__wrap_kern_obj_map(struct kern_obj *o, const char *name)
{
	int bit = strcmp(name, "dt_rows") == 0 ? MAP_ROWS :
		  strcmp(name, "dt_names") == 0 ? MAP_NAMES :
		  strcmp(name, "dt_layouts") == 0 ? MAP_LAYOUTS : 0;

	assert_int_not_equal(bit, 0);
	return maps & bit ? bit & ~1 : -1;	/* 0 is one, too */
}

struct err *
__wrap_kern_map_mmap(int fd, size_t size, void **ret)
{
	*ret = &memory[fd];
	return NULL;
}

/* What the object has is mapped, and nothing else. */
static void
test_map(void **state)
{
	for (maps = 0; maps < 8; maps++) {
		struct rig r;

		rig_init(&r);
		r.k.shared = (struct kengine_shared){ 0 };
		assert_null(kengine_rows_map(&r.k));
		assert_ptr_equal(r.k.shared.rows,
				 maps & MAP_ROWS ? &memory[0] : NULL);
		assert_ptr_equal(r.k.shared.names,
				 maps & MAP_NAMES ? &memory[MAP_NAMES] : NULL);
		assert_ptr_equal(r.k.shared.layouts,
				 maps & MAP_LAYOUTS ? &memory[MAP_LAYOUTS] : NULL);
		rig_fini(&r);
	}
}

/* A program without rows has none, and EPIDs are those of the code. */
static void
test_none(void **state)
{
	struct plan_epid e;
	struct rig r;

	rig_init(&r);
	r.code.has_rows = false;
	assert_null(kengine_rows_fill(&r.k));
	assert_int_equal(r.k.rows.n, 0);
	assert_int_equal(r.k.nnames, 0);
	check_epid(&r, 3, 2, 8);
	assert_false(kengine_epid(&r.k, 4, &e));
	rig_fini(&r);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fill),
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_long_names),
		cmocka_unit_test(test_none),
		cmocka_unit_test(test_map),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
