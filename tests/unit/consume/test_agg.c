/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Aggregations: merging, values, order, clear() and trunc(), joining.
 */
#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "abi/quant.h"
#include "base/base.h"
#include "consume/consume.h"
#include "consume/key_priv.h"
#include "support/recmaker.h"
#include "util/alloc.h"

static struct consume *
open_consume(struct rm *m)
{
	struct consume *c;

	assert_null(consume_new(&m->source, &m->meta, &c));
	return c;
}

/* An aggregation with one integer key of 4 bytes. */
static uint32_t
keyed_agg(struct rm *m, enum abi_agg_func func, uint64_t arg, uint32_t ncells)
{
	uint32_t id = rm_agg(m, func, arg, ncells);

	rm_key(m, id, ABI_FIELD_INT, 4, true);
	return id;
}

static void
add(struct consume *c, uint32_t aggid, int32_t key, const uint64_t *cells)
{
	assert_null(consume_agg_add(c, aggid, &key, cells));
}

static void
add1(struct consume *c, uint32_t aggid, int32_t key, uint64_t cell)
{
	add(c, aggid, key, &cell);
}

/* The int keys in order of display. */
static const char *
sorted(struct consume *c, uint32_t aggid, struct consume_sort how)
{
	static char out[256];
	struct consume_elem **v;
	char *p = out;
	size_t n;

	assert_null(consume_agg_sorted(c, consume_agg(c, aggid), how, &v, &n));
	out[0] = '\0';
	for (size_t i = 0; i < n; i++) {
		int32_t key;
		memcpy(&key, v[i]->key, sizeof(key));
		p += sprintf(p, "%s%d", i ? " " : "", key);
	}
	util_free(v);
	return out;
}

/* --- Values ------------------------------------------------------------- */

/* Two contributions of each function. */
static void
test_merge(void **state)
{
	static const struct {
		enum abi_agg_func func;
		uint32_t ncells;
		uint64_t a[4], b[4], want[4];
	} rows[] = {
		{ ABI_AGG_COUNT, 1, { 3 }, { 4 }, { 7 } },
		{ ABI_AGG_SUM, 1, { 5 }, { (uint64_t)-7 }, { (uint64_t)-2 } },
		{ ABI_AGG_MAX, 1, { 1ULL << 63 | 5 }, { 0x7fffffffffffffff },
		  { 1ULL << 63 | 5 } },
		{ ABI_AGG_MIN, 1, { 1 }, { 9 }, { 9 } },
		{ ABI_AGG_AVG, 2, { 1, 10 }, { 2, 20 }, { 3, 30 } },
		{ ABI_AGG_STDDEV, 4, { 1, 2, UINT64_MAX, 1 }, { 1, 2, 2, 3 },
		  { 2, 4, 1, 5 } },
		{ ABI_AGG_STDDEV, 4, { 1, 2, 3, 4 }, { 5, 6, 7, 8 },
		  { 6, 8, 10, 12 } },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct rm *m = rm_new(1);
		uint32_t id = rm_agg(m, rows[i].func, 0, rows[i].ncells);
		struct consume *c = open_consume(m);
		rm_sample(m, id, "", rows[i].a);
		assert_null(consume_snapshot(c));
		rm_sample(m, id, "", rows[i].b);
		assert_null(consume_snapshot(c));
		struct consume_agg *g = consume_agg(c, id);
		assert_int_equal(g->n, 1);
		assert_true(g->elems[0].seen);
		assert_memory_equal(g->elems[0].cells, rows[i].want,
				    rows[i].ncells * 8);
		consume_free(c);
		rm_free(m);
	}
}

/* The cells that values make, as abi/agg.h describes them. */
static void
cells_of(uint32_t func, const int64_t *v, size_t n, uint64_t *cells)
{
	for (size_t i = 0; i < n; i++) {
		unsigned __int128 square =
			(unsigned __int128)((__int128)v[i] * v[i]);
		uint64_t low = cells[2] + (uint64_t)square;
		switch (func) {
		case ABI_AGG_COUNT: cells[0]++; break;
		case ABI_AGG_SUM: cells[0] += (uint64_t)v[i]; break;
		case ABI_AGG_MIN:
			cells[0] = BASE_MAX(cells[0], abi_agg_min_encode(v[i]));
			break;
		case ABI_AGG_MAX:
			cells[0] = BASE_MAX(cells[0], abi_agg_max_encode(v[i]));
			break;
		default:
			cells[0]++;
			cells[1] += (uint64_t)v[i];
			cells[3] += (uint64_t)(square >> 64) + (low < cells[2]);
			cells[2] = low;
		}
	}
}

static void
test_values(void **state)
{
	enum { C = ABI_AGG_COUNT, S = ABI_AGG_SUM, A = ABI_AGG_AVG,
	       D = ABI_AGG_STDDEV, MIN = ABI_AGG_MIN, MAX = ABI_AGG_MAX };
	static const struct {
		uint32_t func;
		size_t n;
		int64_t v[4];
		int64_t normal, want;
	} rows[] = {
		{ C, 3, { 0, 0, 0 }, 1, 3 },
		{ C, 3, { 0, 0, 0 }, 2, 1 },
		{ S, 3, { 100, -300, 5 }, 1, -195 },
		{ S, 1, { -195 }, 10, -19 },	/* toward zero */
		{ S, 1, { -195 }, -10, 19 },
		{ S, 1, { INT64_MIN }, -1, INT64_MIN },
		{ S, 1, { 7 }, 0, 7 },		/* no such thing: leave it */
		{ A, 0, { 0 }, 1, 0 },
		{ A, 2, { -3, -4 }, 1, -3 },
		{ A, 2, { 3, 4 }, 1, 3 },
		{ A, 2, { 30, 40 }, 10, 3 },
		{ MIN, 3, { 5, -7, 9 }, 1, -7 },
		{ MAX, 3, { 5, -7, 9 }, 1, 9 },
		{ MAX, 2, { -5, -7 }, 1, -5 },
		{ MIN, 1, { INT64_MAX }, 1, INT64_MAX },
		{ MAX, 1, { INT64_MIN }, 1, INT64_MIN },
		{ MIN, 1, { INT64_MIN }, 1, INT64_MIN },
		{ MAX, 1, { INT64_MAX }, 1, INT64_MAX },
		{ D, 0, { 0 }, 1, 0 },
		{ D, 1, { 42 }, 1, 0 },
		{ D, 3, { 100, 200, 300 }, 1, 81 },
		{ D, 3, { -100, -200, -300 }, 1, 81 },
		{ D, 3, { 100, 200, 300 }, 10, 8 },
		{ D, 2, { 1, 2 }, 1, 0 },	/* variance 1/4 */
		{ D, 2, { 1, 3 }, 1, 1 },
		{ D, 2, { 1LL << 62, 1LL << 62 }, 1, 0 },
		{ D, 2, { INT64_MAX, -INT64_MAX }, 1, INT64_MAX },
		/* n * sumsq is 2^128: more than 128 bits */
		{ D, 4, { 1LL << 62, 1LL << 62, 1LL << 62, -(1LL << 62) },
		  1, 3993837246235628775 },
		{ D, 4, { 1LL << 40, 0, 1LL << 40, 0 }, 1, 1LL << 39 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		uint64_t cells[4] = { 0 };
		struct abi_agg_desc d = { .func = rows[i].func };
		struct consume_agg g = { .desc = &d, .normal = rows[i].normal };
		struct consume_elem e = { .cells = cells, .seen = true };
		cells_of(rows[i].func, rows[i].v, rows[i].n, cells);
		assert_int_equal(consume_agg_value(&g, &e), rows[i].want);
	}
}

/* a + b and a - b, once or twice: their mean is a, and b is the deviation, of whatever size
 * their squares are. */
static void
test_stddev_exact(void **state)
{
	struct abi_agg_desc d = { .func = ABI_AGG_STDDEV };
	struct consume_agg g = { .desc = &d, .normal = 1 };

	for (unsigned i = 0; i < 62; i++)
		for (unsigned j = 0; j <= i; j++)
			for (int64_t odd = -1; odd <= 1; odd++) {
				int64_t a = 1LL << i, b = (1LL << j) + (j > 1 ? odd : 0);
				int64_t v[] = { a + b, a - b, a - b, a + b, -a - b, b - a };
				struct consume_elem e = { .seen = true };
				for (unsigned part = 0; part < 3; part++) {
					uint64_t cells[4] = { 0 };
					e.cells = cells;
					cells_of(d.func, part < 2 ? v : v + 4, part ? 2 : 4,
						 cells);
					/* the sum must fit 64 bits */
					if (part || i < 60)
						assert_int_equal(
							consume_agg_value(&g, &e), b);
				}
			}
}

/* A sum that wrapped, or cells that are noise, must give some number. */
static void
test_stddev_noise(void **state)
{
	struct abi_agg_desc d = { .func = ABI_AGG_STDDEV };
	struct consume_agg g = { .desc = &d, .normal = 1 };
	static const uint64_t edges[] = { 0, 1, 2, 1ULL << 63, UINT64_MAX,
					  INT64_MAX };
	enum { N = BASE_NELEMS(edges) };

	for (unsigned i = 0; i < N * N * N * N; i++) {
		uint64_t cells[4] = { edges[i % N], edges[i / N % N],
				      edges[i / N / N % N],
				      edges[i / N / N / N] };
		struct consume_elem e = { .cells = cells, .seen = true };
		assert_true(consume_agg_value(&g, &e) >= 0);
	}
}

static void
test_cells(void **state)
{
	static const struct {
		uint32_t func;
		uint64_t arg;
		uint32_t want;
	} rows[] = {
		{ ABI_AGG_COUNT, 0, 1 }, { ABI_AGG_SUM, 0, 1 },
		{ ABI_AGG_MIN, 0, 1 }, { ABI_AGG_MAX, 0, 1 },
		{ ABI_AGG_AVG, 0, 2 }, { ABI_AGG_STDDEV, 0, 4 },
		{ ABI_AGG_QUANTIZE, 0, 127 },
		{ ABI_AGG_LQUANTIZE, 1ULL << 48 | 10ULL << 32, 12 },
		{ ABI_AGG_LQUANTIZE, 0, 0 },
		/* 10, 0..2, 10: nine buckets per magnitude */
		{ ABI_AGG_LLQUANTIZE, 10ULL << 48 | 2 << 16 | 10, 29 },
		/* 10, 0..2, 20: nine, then eighteen twice */
		{ ABI_AGG_LLQUANTIZE, 10ULL << 48 | 2 << 16 | 20, 47 },
		{ ABI_AGG_LLQUANTIZE, 10ULL << 48 | 100 << 16 | 10, 0 },
		{ ABI_AGG_LLQUANTIZE, 1ULL << 48 | 2 << 16 | 10, 0 },
		{ ABI_AGG_LLQUANTIZE, 10ULL << 48 | 2 << 16, 0 },
		{ ABI_AGG_LLQUANTIZE, 10ULL << 48 | 3ULL << 32 | 2 << 16 | 10,
		  0 },
		{ 0, 0, 0 }, { 0x70a, 0, 0 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		assert_int_equal(consume_agg_cells(rows[i].func, rows[i].arg),
				 rows[i].want);
}

static uint32_t
bucket_of(const struct abi_agg_desc *d, int64_t v)
{
	switch (d->func) {
	case ABI_AGG_QUANTIZE: return abi_quantize_bucket(v);
	case ABI_AGG_LQUANTIZE: return abi_lquantize_bucket(v, d->arg);
	default: return abi_llquantize_bucket(v, d->arg);
	}
}

/* The value of each bucket lies in it and the value before the edge does not;
 * this ties the consumer to what the engines count. */
static void
test_bucket_values(void **state)
{
	static const struct { uint32_t func; uint64_t arg; } rows[] = {
		{ ABI_AGG_QUANTIZE, 0 },
		{ ABI_AGG_LQUANTIZE, 1ULL << 48 | 100ULL << 32 | 0 },
		{ ABI_AGG_LQUANTIZE,
		  7ULL << 48 | 30ULL << 32 | (uint32_t)-100 },
		{ ABI_AGG_LQUANTIZE, 65535ULL << 48 | 65535ULL << 32 |
		  (uint32_t)INT32_MIN },
		{ ABI_AGG_LLQUANTIZE, 10ULL << 48 | 6 << 16 | 20 },
		{ ABI_AGG_LLQUANTIZE, 10ULL << 48 | 2ULL << 32 | 4 << 16 | 5 },
		{ ABI_AGG_LLQUANTIZE, 2ULL << 48 | 61 << 16 | 2 },
		{ ABI_AGG_LLQUANTIZE, 10ULL << 48 | 17 << 16 | 1000 },
		{ ABI_AGG_LLQUANTIZE, 3ULL << 48 | 3ULL << 32 | 9 << 16 | 27 },
	};

	for (size_t r = 0; r < BASE_NELEMS(rows); r++) {
		struct abi_agg_desc d = { .func = rows[r].func,
					  .arg = rows[r].arg };
		d.ncells = consume_agg_cells(d.func, d.arg);
		assert_int_not_equal(d.ncells, 0);
		for (uint32_t i = 0; i < d.ncells; i++) {
			int64_t v = consume_bucket_value(&d, i);
			assert_int_equal(bucket_of(&d, v), i);
			if (v <= 0 && d.func == ABI_AGG_QUANTIZE)
				assert_int_equal(bucket_of(&d, v + 1), i + 1);
			else if (i)
				assert_int_equal(bucket_of(&d, v - 1), i - 1);
		}
		assert_int_equal(bucket_of(&d, INT64_MAX), d.ncells - 1);
		assert_int_equal(bucket_of(&d, INT64_MIN), 0);
	}
}

/* Some of the cells; those that there are not do not count, and none of them is no element. */
static void
test_piece(void **state)
{
	static const struct { uint32_t first, n; uint64_t want[4]; bool is_bad; } rows[] = {
		{ 0, 4, { 1, 2, 3, 4 }, false }, { 2, 1, { 0, 0, 1, 0 }, false },
		{ 3, 4, { 0, 0, 0, 1 }, false }, { 1, UINT32_MAX, { 0, 1, 2, 3 }, false },
		{ 4, 1, { 0 }, true }, { UINT32_MAX, 1, { 0 }, true },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct rm *m = rm_new(1);
		uint32_t id = keyed_agg(m, ABI_AGG_STDDEV, 0, 4);
		struct consume *c = open_consume(m);
		struct consume_agg *g = consume_agg(c, id);
		int32_t key = 7;
		assert_null(consume_agg_add_piece(c, id, &key, rows[i].first, rows[i].n,
						  (uint64_t[]){ 1, 2, 3, 4 }));
		assert_int_equal(rm_malformed(c), rows[i].is_bad);
		assert_int_equal(g->n, !rows[i].is_bad);
		if (g->n)
			assert_memory_equal(g->elems[0].cells, rows[i].want, 32);
		consume_free(c);
		rm_free(m);
	}
}

/* --- clear(), trunc() --------------------------------------------------- */

static void
test_clear(void **state)
{
	static const enum abi_agg_func funcs[] = {
		ABI_AGG_COUNT, ABI_AGG_SUM, ABI_AGG_MIN, ABI_AGG_MAX,
		ABI_AGG_AVG, ABI_AGG_STDDEV,
	};

	for (size_t i = 0; i < BASE_NELEMS(funcs); i++) {
		struct rm *m = rm_new(1);
		uint32_t id = keyed_agg(m, funcs[i], 0,
					consume_agg_cells(funcs[i], 0));
		struct consume *c = open_consume(m);
		struct consume_agg *g = consume_agg(c, id);
		uint64_t cells[4] = { 0 };
		cells_of(funcs[i], (int64_t[]){ 4, 8 }, 2, cells);
		add(c, id, 1, cells);
		g->normal = 2;
		consume_agg_clear(g);
		assert_int_equal(g->n, 1);
		assert_false(g->elems[0].seen);
		assert_int_equal(consume_agg_value(g, &g->elems[0]), 0);
		assert_int_equal(g->normal, 2);
		add(c, id, 1, cells);
		assert_int_equal(g->n, 1);
		assert_true(g->elems[0].seen);
		assert_int_not_equal(g->elems[0].cells[0], 0);
		consume_free(c);
		rm_free(m);
	}
}

/* What empties an aggregation makes a printa() of it new; what only cuts it does not. */
static void
test_shown(void **state)
{
	static const struct { int64_t n; bool shown; } rows[] = {
		{ 0, false }, { 1, true }, { -1, true }, { 2, true }, { 9, true },
	};

	for (size_t empty = 0; empty < 2; empty++)
		for (size_t i = 0; i <= BASE_NELEMS(rows); i++) {
			struct rm *m = rm_new(1);
			uint32_t id = keyed_agg(m, ABI_AGG_SUM, 0, 1);
			struct consume *c = open_consume(m);
			struct consume_agg *g = consume_agg(c, id);
			for (int32_t key = 0; !empty && key < 3; key++)
				add1(c, id, key, 1);
			consume_agg_show(g);
			assert_true(g->printed && g->shown);
			if (i == BASE_NELEMS(rows))
				consume_agg_clear(g);
			else
				assert_null(consume_agg_trunc(c, g, rows[i].n));
			assert_true(g->printed);
			assert_int_equal(g->shown, i < BASE_NELEMS(rows) && rows[i].shown);
			consume_free(c);
			rm_free(m);
		}
}

static void
test_trunc(void **state)
{
	static const struct {
		int64_t n;
		const char *want;
	} rows[] = {
		{ 0, "" }, { 1, "4" }, { 2, "2 4" }, { 3, "1 2 4" },
		{ 4, "3 1 2 4" }, { 5, "3 1 2 4" }, { INT64_MAX, "3 1 2 4" },
		{ -1, "3" }, { -2, "3 1" }, { -4, "3 1 2 4" },
		{ INT64_MIN, "3 1 2 4" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct rm *m = rm_new(1);
		uint32_t id = keyed_agg(m, ABI_AGG_SUM, 0, 1);
		struct consume *c = open_consume(m);
		struct consume_agg *g = consume_agg(c, id);
		add1(c, id, 1, 20);
		add1(c, id, 2, 20);
		add1(c, id, 3, 10);
		add1(c, id, 4, 30);
		g->normal = 5;
		assert_null(consume_agg_trunc(c, g, rows[i].n));
		assert_string_equal(sorted(c, id, (struct consume_sort){ 0 }),
				    rows[i].want);
		assert_int_equal(g->normal, 5);
		/* It goes on as before. */
		add1(c, id, 9, 1000);
		add1(c, id, 4, 1);
		size_t n = strlen(rows[i].want);
		assert_int_equal(g->n, (n ? (n + 1) / 2 : 0) + 1 +
				 !strchr(rows[i].want, '4'));
		consume_free(c);
		rm_free(m);
	}
}

/* What is kept stays what it was: seen or not since clear(). */
static void
test_keep(void **state)
{
	struct rm *m = rm_new(1);
	uint32_t id = keyed_agg(m, ABI_AGG_MAX, 0, 1);
	struct consume *c = open_consume(m);
	struct consume_agg *g = consume_agg(c, id);

	for (int32_t key = 0; key < 3; key++)
		add1(c, id, key, abi_agg_max_encode(5 + key));
	consume_elem_clear(g, &g->elems[1]);
	assert_null(consume_agg_keep(g, (struct consume_elem *[]){ &g->elems[1],
						&g->elems[2] }, 2));
	assert_int_equal(g->n, 2);
	assert_false(g->elems[0].seen);
	assert_true(g->elems[1].seen);
	assert_int_equal(consume_agg_value(g, &g->elems[1]), 7);
	consume_free(c);
	rm_free(m);
}

/* --- Order -------------------------------------------------------------- */

static void
test_sort_options(void **state)
{
	static const struct {
		struct consume_sort how;
		const char *want;
	} rows[] = {
		{ { false, false, 0 }, "5 -1 3 2" },
		{ { false, true, 0 }, "2 3 -1 5" },
		{ { true, false, 0 }, "-1 2 3 5" },
		{ { true, true, 0 }, "5 3 2 -1" },
		{ { false, false, 9 }, "5 -1 3 2" },	/* no such key */
	};
	struct rm *m = rm_new(1);
	uint32_t id = keyed_agg(m, ABI_AGG_SUM, 0, 1);
	struct consume *c = open_consume(m);

	add1(c, id, 3, 7);
	add1(c, id, -1, 7);
	add1(c, id, 5, (uint64_t)-7);
	add1(c, id, 2, 9);
	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		assert_string_equal(sorted(c, id, rows[i].how), rows[i].want);
	consume_free(c);
	rm_free(m);
}

/* Each function orders by the number it shows. */
static void
test_sort_functions(void **state)
{
	static const struct {
		enum abi_agg_func func;
		int64_t v[3][3];	/* of keys 1, 2, 3 */
		const char *want;
	} rows[] = {
		{ ABI_AGG_SUM, { { 1, 1, 1 }, { -9, 0, 0 }, { 0, 0, 0 } },
		  "2 3 1" },
		{ ABI_AGG_MIN, { { 5, 6, 7 }, { -1, 90, 90 }, { 3, 3, 3 } },
		  "2 3 1" },
		{ ABI_AGG_MAX, { { 5, 6, 7 }, { -1, 90, 90 }, { 3, 3, 3 } },
		  "3 1 2" },
		{ ABI_AGG_AVG, { { 9, 9, 9 }, { -30, 0, 0 }, { 1, 1, 1 } },
		  "2 3 1" },
		{ ABI_AGG_STDDEV,
		  { { 100, 200, 300 }, { 5, 5, 5 }, { 1, 50, 99 } }, "2 3 1" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct rm *m = rm_new(1);
		uint32_t id = keyed_agg(m, rows[i].func, 0,
					consume_agg_cells(rows[i].func, 0));
		struct consume *c = open_consume(m);
		for (int k = 0; k < 3; k++) {
			uint64_t cells[4] = { 0 };
			cells_of(rows[i].func, rows[i].v[k], 3, cells);
			add(c, id, k + 1, cells);
		}
		assert_string_equal(sorted(c, id, (struct consume_sort){ 0 }),
				    rows[i].want);
		consume_free(c);
		rm_free(m);
	}
}

/* Histograms: by weighted total, then by the count at zero, then by key. */
static void
test_sort_histograms(void **state)
{
	struct rm *m = rm_new(1);
	uint32_t id = keyed_agg(m, ABI_AGG_QUANTIZE, 0, 127);
	static const struct { int32_t key; int64_t v[2], n[2]; } rows[] = {
		{ 1, { 8, 0 }, { 1, 9 } },	/* total 8, nine zeroes */
		{ 2, { 1, 0 }, { 8, 2 } },	/* total 8, two zeroes */
		{ 3, { 4, 0 }, { 2, 2 } },	/* the same */
		{ 4, { -1, 0 }, { 50, 0 } },	/* total -50 */
		{ 5, { 1024, 0 }, { 1, 0 } },
		{ 6, { 0, 0 }, { 100, 0 } },
	};
	struct consume *c = open_consume(m);

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		uint64_t cells[127] = { 0 };
		for (int k = 0; k < 2; k++)
			cells[abi_quantize_bucket(rows[i].v[k])] +=
				(uint64_t)rows[i].n[k];
		add(c, id, rows[i].key, cells);
	}
	assert_string_equal(sorted(c, id, (struct consume_sort){ 0 }),
			    "4 6 2 3 1 5");
	consume_free(c);
	rm_free(m);
}

/* A key of several parts, each in its own order; strings as strcmp, numbers
 * by value and sign. */
static void
test_sort_keys(void **state)
{
	struct __attribute__((packed)) key {
		char s[8];
		int64_t i;
		uint64_t u;
	};
	static const struct key keys[] = {	/* by the first part on */
		{ "", 0, 0 },
		{ "a", -5, 1ULL << 63 },
		{ "a", 3, 1 },
		{ "a", 3, 1ULL << 63 },
		{ "ab", -9, 0 },
		{ "b", INT64_MIN, 7 },
		{ "\xc3\xa4", 0, 2 },		/* bytes are unsigned */
	};
	static const struct { unsigned keypos; int order[7]; } rows[] = {
		{ 0, { 0, 1, 2, 3, 4, 5, 6 } },
		{ 1, { 5, 4, 1, 0, 6, 2, 3 } },
		{ 2, { 0, 4, 2, 6, 5, 1, 3 } },
		{ 3, { 0, 1, 2, 3, 4, 5, 6 } },
	};
	struct rm *m = rm_new(1);
	uint32_t id = rm_agg(m, ABI_AGG_COUNT, 0, 1);
	uint64_t one = 1;

	rm_key(m, id, ABI_FIELD_STRING, 8, false);
	rm_key(m, id, ABI_FIELD_INT, 8, true);
	rm_key(m, id, ABI_FIELD_INT, 8, false);
	struct consume *c = open_consume(m);
	for (int i = 6; i >= 0; i--)
		assert_null(consume_agg_add(c, id, &keys[i], &one));
	for (size_t r = 0; r < BASE_NELEMS(rows); r++) {
		struct consume_sort how = { .keypos = rows[r].keypos };
		struct consume_elem **v;
		size_t n;
		assert_null(consume_agg_sorted(c, consume_agg(c, id), how, &v,
					       &n));
		assert_int_equal(n, 7);
		for (size_t i = 0; i < n; i++)
			assert_memory_equal(v[i]->key, &keys[rows[r].order[i]],
					    sizeof(struct key));
		util_free(v);
	}
	consume_free(c);
	rm_free(m);
}

/* Totals beyond 64 bits. */
static void
test_sort_large_totals(void **state)
{
	static const struct { int64_t v; uint64_t n; } rows[] = {
		{ 1LL << 62, 11 }, { 1LL << 62, 10 }, { -(1LL << 62), 11 },
		{ -(1LL << 62), 10 }, { 1, 1 },
	};
	struct rm *m = rm_new(1);
	uint32_t id = keyed_agg(m, ABI_AGG_QUANTIZE, 0, 127);
	struct consume *c = open_consume(m);

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		uint64_t cells[127] = { 0 };
		cells[abi_quantize_bucket(rows[i].v)] = rows[i].n;
		add(c, id, (int32_t)i + 1, cells);
	}
	assert_string_equal(sorted(c, id, (struct consume_sort){ 0 }),
			    "3 4 5 2 1");
	consume_free(c);
	rm_free(m);
}

/* Keys that differ behind their first eight bytes, or before. */
static void
test_sort_long_keys(void **state)
{
	static const struct {
		enum abi_field_kind kind;
		uint64_t keys[5][3];	/* in order */
	} rows[] = {
#define TEXT(s) { 0x6867666564636261, s }	/* "abcdefgh" */
		{ ABI_FIELD_STRING, { { 0 }, TEXT(0), TEXT('0'),
				      TEXT('0' | 'a' << 8), { 'z' } } },
		{ ABI_FIELD_BYTES, { { 0 }, { 256, 0 }, { 1, 0 }, { 1, 256 },
				     { 1, 1 } } },
		{ ABI_FIELD_STACK, { { 0 }, { 4, 10 }, { 5, 8 }, { 5, 9 },
				     { 1ULL << 63, 1 } } },
		{ ABI_FIELD_USTACK, { { 1, 9, 9 }, { 2, 0 }, { 2, 7 },
				      { 2, 7, 1 }, { 3, 1 } } },
#undef TEXT
	};
	static const int order[] = { 3, 1, 4, 0, 2 };

	for (size_t r = 0; r < BASE_NELEMS(rows); r++) {
		struct rm *m = rm_new(1);
		uint32_t id = rm_agg(m, ABI_AGG_COUNT, 0, 1);
		struct consume_elem **v;
		size_t n;
		rm_key(m, id, rows[r].kind, 24, false);
		struct consume *c = open_consume(m);
		for (int i = 0; i < 5; i++)
			assert_null(consume_agg_add(c, id,
				rows[r].keys[order[i]], (uint64_t[]){ 1 }));
		assert_null(consume_agg_sorted(c, consume_agg(c, id),
			(struct consume_sort){ 0 }, &v, &n));
		assert_int_equal(n, 5);
		for (int i = 0; i < 5; i++)
			assert_memory_equal(v[i]->key, rows[r].keys[i], 24);
		util_free(v);
		consume_free(c);
		rm_free(m);
	}
}

/* An image tells how two keys compare, or nothing: of what stands beside the key it is
 * independent, and one of at most eight bytes it tells whole. */
static void
test_images(void **state)
{
	static const struct { enum abi_field_kind kind; uint32_t size; bool is_signed; } rows[] = {
		{ ABI_FIELD_INT, 1, true }, { ABI_FIELD_INT, 1, false },
		{ ABI_FIELD_INT, 2, true }, { ABI_FIELD_INT, 2, false },
		{ ABI_FIELD_INT, 4, true }, { ABI_FIELD_INT, 4, false },
		{ ABI_FIELD_INT, 8, true }, { ABI_FIELD_INT, 8, false },
		{ ABI_FIELD_STRING, 1, false }, { ABI_FIELD_STRING, 3, false },
		{ ABI_FIELD_STRING, 7, false }, { ABI_FIELD_STRING, 8, false },
		{ ABI_FIELD_STRING, 9, false }, { ABI_FIELD_STRING, 16, false },
		{ ABI_FIELD_BYTES, 1, false }, { ABI_FIELD_BYTES, 3, false },
		{ ABI_FIELD_BYTES, 7, false }, { ABI_FIELD_BYTES, 8, false },
		{ ABI_FIELD_BYTES, 9, false }, { ABI_FIELD_BYTES, 16, false },
		{ ABI_FIELD_STACK, 8, false }, { ABI_FIELD_STACK, 16, false },
		{ ABI_FIELD_USTACK, 16, false }, { ABI_FIELD_USTACK, 24, false },
	};
	static const uint8_t bytes[] = { 0, 1, 0x7f, 0x80, 0xff };
	enum { AT = 8, ROUNDS = 2000, SIZE = 64 };
	uint32_t seed = 1;

	for (size_t r = 0; r < BASE_NELEMS(rows); r++)
		for (unsigned round = 0; round < ROUNDS; round++) {
			struct abi_field f = { .kind = rows[r].kind, .size = rows[r].size,
					       .is_signed = rows[r].is_signed, .align = 1,
					       .offset = AT };
			struct abi_agg_desc d = { .nkeys = 1, .key_size = SIZE, .keys = &f };
			_Alignas(8) uint8_t key[2][SIZE], other[SIZE];
			uint64_t image[2];
			for (unsigned k = 0; k < 2; k++) {
				memset(key[k], 0xff, SIZE);
				memset(other, 0, SIZE);
				for (uint32_t i = 0; i < f.size; i++) {
					seed = seed * 1103515245 + 12345;
					key[k][AT + i] = k && seed >> 31 ? key[0][AT + i] :
						bytes[(seed >> 16) % BASE_NELEMS(bytes)];
				}
				memcpy(other + AT, key[k] + AT, f.size);
				image[k] = consume_key_image(NULL, &d, key[k], 0);
				if (consume_key_image(NULL, &d, other, 0) != image[k] ||
				    consume_key_image(NULL, &d, key[k], 7) != image[k])
					fail_msg("row %zu: more than the key", r);
			}
			int how = consume_key_compare(NULL, &d, key[0], &d, key[1], 0);
			if ((image[0] < image[1] && how >= 0) ||
			    (image[0] > image[1] && how <= 0) ||
			    (image[0] == image[1] && f.size <= 8 && how))
				fail_msg("row %zu: %llx %llx, but %d", r,
					 (unsigned long long)image[0],
					 (unsigned long long)image[1], how);
		}
}

/* Joined keys of different signs compare as numbers. */
static void
test_sort_joined_signs(void **state)
{
	struct rm *m = rm_new(1);
	uint32_t a = rm_agg(m, ABI_AGG_COUNT, 0, 1);
	uint32_t b = rm_agg(m, ABI_AGG_COUNT, 0, 1);
	static const uint64_t as[] = { -1ULL, 7, -9ULL };
	static const uint64_t bs[] = { 1ULL << 63, 5 };

	rm_key(m, a, ABI_FIELD_INT, 8, true);
	rm_key(m, b, ABI_FIELD_INT, 8, false);
	struct consume *c = open_consume(m);
	for (size_t i = 0; i < BASE_NELEMS(as); i++)
		assert_null(consume_agg_add(c, a, &as[i], (uint64_t[]){ 1 }));
	for (size_t i = 0; i < BASE_NELEMS(bs); i++)
		assert_null(consume_agg_add(c, b, &bs[i], (uint64_t[]){ 1 }));
	struct consume_agg *g[] = { consume_agg(c, a), consume_agg(c, b) };
	static const uint64_t want[] = { -9ULL, -1ULL, 5, 7, 1ULL << 63 };
	struct consume_elem **v;
	size_t n;
	assert_null(consume_agg_joined(c, g, 2,
		(struct consume_sort){ .by_key = true }, 0, &v, &n));
	assert_int_equal(n, 5);
	for (size_t i = 0; i < n; i++) {
		const uint8_t *key = v[2 * i]->key ? v[2 * i]->key
						   : v[2 * i + 1]->key;
		assert_memory_equal(key, &want[i], 8);
	}
	util_free(v);
	consume_free(c);
	rm_free(m);
}

/* Of two aggregations as one list: each element as ID:KEY. */
static void
test_merged(void **state)
{
	static const struct { struct consume_sort how; const char *want; } rows[] = {
		{ { 0 }, "2:9 1:3 1:8 2:1 1:5" },
		{ { .reverse = true }, "1:5 2:1 1:8 1:3 2:9" },
		{ { .by_key = true }, "2:1 1:3 1:5 1:8 2:9" },
		{ { .by_key = true, .reverse = true }, "2:9 1:8 1:5 1:3 2:1" },
	};
	struct rm *m = rm_new(1);
	uint32_t a = keyed_agg(m, ABI_AGG_SUM, 0, 1), b = keyed_agg(m, ABI_AGG_SUM, 0, 1);
	struct consume *c = open_consume(m);
	struct consume_agg *g[] = { consume_agg(c, a), consume_agg(c, b), consume_agg(c, a) };

	add1(c, a, 5, 30);
	add1(c, a, 8, 20);
	add1(c, a, 3, 20);
	add1(c, b, 1, 20);
	add1(c, b, 9, 10);
	for (size_t i = 0; i < 2 * BASE_NELEMS(rows); i++) {
		struct consume_pair *v;
		char text[64] = "", *p = text;
		size_t n;
		/* In whatever order they are given. */
		assert_null(consume_agg_merged(c, g + i % 2, 2, rows[i / 2].how, &v, &n));
		for (size_t k = 0; k < n; k++) {
			int32_t key;
			memcpy(&key, v[k].e->key, sizeof(key));
			p += sprintf(p, "%s%u:%d", k ? " " : "", v[k].g->desc->id, key);
		}
		assert_string_equal(text, rows[i / 2].want);
		util_free(v);
	}
	consume_free(c);
	rm_free(m);
}

/* --- Keys that mean the same -------------------------------------------- */

/* What one of two aggregations has more of does not count. */
static void
test_compare_common_keys(void **state)
{
	static const struct abi_field fields[] = {
		{ .kind = ABI_FIELD_INT, .size = 4, .align = 4 },
		{ .kind = ABI_FIELD_INT, .size = 4, .align = 4, .offset = 4 },
	};
	const struct abi_agg_desc one = { .nkeys = 1, .key_size = 4,
					  .keys = fields };
	const struct abi_agg_desc two = { .nkeys = 2, .key_size = 8,
					  .keys = fields };
	static const struct {
		uint32_t a[2], b[2];
		unsigned keypos;
		int want;
	} rows[] = {
		{ { 5, 1 }, { 5, 9 }, 0, 0 }, { { 5, 1 }, { 5, 9 }, 1, 0 },
		{ { 4, 9 }, { 5, 1 }, 0, -1 }, { { 6, 1 }, { 5, 9 }, 1, 1 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		const uint8_t *a = (const uint8_t *)rows[i].a;
		const uint8_t *b = (const uint8_t *)rows[i].b;
		assert_int_equal(consume_key_compare(NULL, &one, a, &two, b,
						     rows[i].keypos),
				 rows[i].want);
		assert_int_equal(consume_key_compare(NULL, &two, a, &one, b,
						     rows[i].keypos),
				 rows[i].want);
	}
}

static void
test_canonical_probe(void **state)
{
	struct rm *m = rm_new(1);
	static const char *const funcs[] = { "read", "write", "read", NULL };
	uint32_t id = rm_agg(m, ABI_AGG_COUNT, 0, 1);

	for (int i = 0; i < 4; i++)
		rm_probe(m, "syscall", "vmlinux", funcs[i], "entry");
	rm_key(m, id, ABI_FIELD_PROBE, 4, false);
	m->keys[id - 1][0].sub = ABI_PART_FUNC;
	struct consume *c = open_consume(m);
	struct consume_agg *g = consume_agg(c, id);
	static const struct { uint32_t probe; uint64_t n; } rows[] = {
		{ 3, 1 }, { 2, 10 }, { 1, 100 }, { 3, 1000 },
		/* no name, and probes nobody knows: all "" */
		{ 4, 5 }, { 99, 6 }, { UINT32_MAX, 7 }, { 0, 8 },
	};
	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		assert_null(consume_agg_add(c, id, &rows[i].probe,
					    &rows[i].n));
	static const struct { uint32_t probe; uint64_t n; } want[] = {
		{ 3, 1101 }, { 2, 10 }, { 4, 26 },
	};
	assert_int_equal(g->n, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_memory_equal(g->elems[i].key, &want[i].probe, 4);
		assert_int_equal(g->elems[i].cells[0], want[i].n);
	}
	/* By key: "", "read", "write". */
	struct consume_elem **v;
	size_t n;
	assert_null(consume_agg_sorted(c, g, (struct consume_sort){ true },
				       &v, &n));
	assert_ptr_equal(v[0], &g->elems[2]);
	assert_ptr_equal(v[1], &g->elems[0]);
	assert_ptr_equal(v[2], &g->elems[1]);
	util_free(v);
	consume_free(c);
	rm_free(m);
}

/* A text that no probe has is not the key of the probes without a name. */
static void
test_joined_probe(void **state)
{
	static const struct { uint32_t probe; uint64_t n; } probes[] = {
		{ 0, 7 }, { 1, 8 },
	};
	static const struct { char text[8]; uint64_t n; } texts[] = {
		{ "zzz", 1 }, { "read", 2 }, { "", 3 },
	};
	static const int64_t want[][2] = { { 1, 0 }, { 2, 8 }, { 3, 7 } };
	struct rm *m = rm_new(1);
	uint32_t a = rm_agg(m, ABI_AGG_SUM, 0, 1);
	uint32_t b = rm_agg(m, ABI_AGG_SUM, 0, 1);
	struct consume_elem **v;
	size_t n;

	rm_probe(m, "syscall", "vmlinux", "read", "entry");
	rm_key(m, a, ABI_FIELD_STRING, 8, false);
	rm_key(m, b, ABI_FIELD_PROBE, 4, false);
	m->keys[b - 1][0].sub = ABI_PART_FUNC;
	struct consume *c = open_consume(m);
	for (size_t i = 0; i < BASE_NELEMS(texts); i++)
		assert_null(consume_agg_add(c, a, texts[i].text, &texts[i].n));
	for (size_t i = 0; i < BASE_NELEMS(probes); i++)
		assert_null(consume_agg_add(c, b, &probes[i].probe, &probes[i].n));
	struct consume_agg *g[] = { consume_agg(c, a), consume_agg(c, b) };
	assert_null(consume_agg_joined(c, g, 2, (struct consume_sort){ 0 }, 0,
				       &v, &n));
	assert_int_equal(n, BASE_NELEMS(want));
	for (size_t i = 0; i < n; i++)
		for (int k = 0; k < 2; k++)
			assert_int_equal(consume_agg_value(g[k], v[2 * i + k]),
					 want[i][k]);
	util_free(v);
	consume_free(c);
	rm_free(m);
}

/* Bytes behind an end do not count. */
static void
test_canonical_tails(void **state)
{
	struct rm *m = rm_new(1);
	uint32_t s = rm_agg(m, ABI_AGG_COUNT, 0, 1);
	uint32_t k = rm_agg(m, ABI_AGG_COUNT, 0, 1);
	uint32_t u = rm_agg(m, ABI_AGG_COUNT, 0, 1);
	uint64_t one = 1;

	rm_key(m, s, ABI_FIELD_STRING, 8, false);
	rm_key(m, k, ABI_FIELD_STACK, 32, false);
	rm_key(m, u, ABI_FIELD_USTACK, 32, false);
	struct consume *c = open_consume(m);
	assert_null(consume_agg_add(c, s, "abc\0xyz", &one));
	assert_null(consume_agg_add(c, s, "abc\0\0\0\0", &one));
	assert_null(consume_agg_add(c, s, "abcdefgh", &one));	/* no end */
	assert_int_equal(consume_agg(c, s)->n, 2);
	assert_null(consume_agg_add(c, k, (uint64_t[]){ 5, 6, 0, 9 }, &one));
	assert_null(consume_agg_add(c, k, (uint64_t[]){ 5, 6, 0, 8 }, &one));
	assert_null(consume_agg_add(c, k, (uint64_t[]){ 0, 6, 0, 8 }, &one));
	assert_null(consume_agg_add(c, k, (uint64_t[]){ 0, 7, 0, 8 }, &one));
	assert_int_equal(consume_agg(c, k)->n, 2);
	assert_null(consume_agg_add(c, u, (uint64_t[]){ 0, 6, 0, 8 }, &one));
	assert_null(consume_agg_add(c, u, (uint64_t[]){ 0, 6, 0, 7 }, &one));
	assert_null(consume_agg_add(c, u, (uint64_t[]){ 0, 7, 0, 8 }, &one));
	assert_null(consume_agg_add(c, u, (uint64_t[]){ 1, 7, 0, 8 }, &one));
	assert_int_equal(consume_agg(c, u)->n, 3);
	consume_free(c);
	rm_free(m);
}

/* What begins 16 bytes, at a multiple of them; of a process 100 further on. */
static uint64_t
whole_of(void *ctx, enum abi_field_kind kind, int64_t pid, uint64_t addr)
{
	return (addr & ~15ull) + (pid ? 100 : 0);
}

/* Addresses in one function are one key, but not those of two processes. */
static void
test_canonical_address(void **state)
{
	static const struct { enum abi_field_kind kind; uint64_t key[2], want[2]; } rows[] = {
		{ ABI_FIELD_SYM, { 33 }, { 32 } },
		{ ABI_FIELD_MOD, { 47 }, { 32 } },
		{ ABI_FIELD_USYM, { 8, 33 }, { 8, 132 } },
		{ ABI_FIELD_UMOD, { 9, 47 }, { 9, 132 } },
		{ ABI_FIELD_INT, { 33 }, { 33 } },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		uint32_t size = rows[i].key[1] ? 16 : 8;
		struct rm *m = rm_new(1);
		uint32_t id = rm_agg(m, ABI_AGG_COUNT, 0, 1);
		uint64_t one = 1;
		rm_key(m, id, rows[i].kind, size, false);
		m->meta.whole = whole_of;
		struct consume *c = open_consume(m);
		assert_null(consume_agg_add(c, id, rows[i].key, &one));
		assert_memory_equal(consume_agg(c, id)->elems[0].key, rows[i].want, size);
		consume_free(c);
		rm_free(m);
	}
}

/* --- Several at once ---------------------------------------------------- */

/* Stacks of two sizes behind a number; one is too deep for the other. */
static void
test_joined_stacks(void **state)
{
	static const uint64_t as[][4] = { { 1, 5, 6 }, { 1, 7 }, { 1, 5, 6, 8 } },
			      bs[][3] = { { 1, 5, 6 }, { 2, 5, 6 } };
	static const uint64_t want[][2] = {	/* of both, by value */
		{ 10, 1 }, { 11, 0 }, { 12, 0 }, { 0, 2 },
	};
	struct rm *m = rm_new(1);
	uint32_t a = rm_agg(m, ABI_AGG_SUM, 0, 1);
	uint32_t b = rm_agg(m, ABI_AGG_SUM, 0, 1);
	struct consume_elem **v;
	size_t n;

	for (int i = 0; i < 2; i++) {
		rm_key(m, i ? b : a, ABI_FIELD_INT, 8, true);
		rm_key(m, i ? b : a, ABI_FIELD_STACK, i ? 16 : 24, false);
	}
	struct consume *c = open_consume(m);
	for (uint64_t i = 0; i < BASE_NELEMS(as); i++)
		assert_null(consume_agg_add(c, a, as[i], (uint64_t[]){ 10 + i }));
	for (uint64_t i = 0; i < BASE_NELEMS(bs); i++)
		assert_null(consume_agg_add(c, b, bs[i], (uint64_t[]){ 1 + i }));
	struct consume_agg *g[] = { consume_agg(c, a), consume_agg(c, b) };
	assert_null(consume_agg_joined(c, g, 2, (struct consume_sort){ .by_key = true },
				       0, &v, &n));
	assert_int_equal(n, BASE_NELEMS(want));
	for (size_t w = 0; w < BASE_NELEMS(want); w++) {
		size_t i = 0;
		while (i < n && !(consume_agg_value(g[0], v[2 * i]) ==
				  (int64_t)want[w][0] &&
				  consume_agg_value(g[1], v[2 * i + 1]) ==
				  (int64_t)want[w][1]))
			i++;
		if (i == n)
			fail_msg("no row of %d and %d", (int)want[w][0],
				 (int)want[w][1]);
	}
	util_free(v);
	consume_free(c);
	rm_free(m);
}

/* One has wide strings, one narrow, one names probes. */
static void
test_joined(void **state)
{
	struct rm *m = rm_new(1);
	uint32_t a = rm_agg(m, ABI_AGG_COUNT, 0, 1);
	uint32_t b = rm_agg(m, ABI_AGG_SUM, 0, 1);
	uint32_t p = rm_agg(m, ABI_AGG_MAX, 0, 1);

	rm_key(m, a, ABI_FIELD_STRING, 16, false);
	rm_key(m, b, ABI_FIELD_STRING, 4, false);
	rm_key(m, p, ABI_FIELD_PROBE, 4, false);
	m->keys[p - 1][0].sub = ABI_PART_NAME;
	uint32_t x = rm_probe(m, "", "", "", "x");
	uint32_t z = rm_probe(m, "", "", "", "z");
	struct consume *c = open_consume(m);
	static const struct { const char key[16]; uint64_t n; } as[] = {
		{ "x", 5 }, { "y", 2 }, { "a long name", 3 },
	};
	for (size_t i = 0; i < BASE_NELEMS(as); i++)
		assert_null(consume_agg_add(c, a, as[i].key, &as[i].n));
	assert_null(consume_agg_add(c, b, "y\0\0\0", (uint64_t[]){ 70 }));
	assert_null(consume_agg_add(c, b, "b\0\0\0", (uint64_t[]){ 80 }));
	uint64_t nine = abi_agg_max_encode(-9);
	assert_null(consume_agg_add(c, p, &x, &nine));
	assert_null(consume_agg_add(c, p, &z, &nine));

	struct consume_agg *g[] = { consume_agg(c, a), consume_agg(c, b),
				    consume_agg(c, p) };
	static const struct {
		unsigned pos;
		struct consume_sort how;
		const char *want;
	} rows[] = {
		{ 0, { 0 }, "b:0,80,0 z:0,0,-9 y:2,70,0 a:3,0,0 x:5,0,-9 " },
		{ 1, { 0 }, "a:3,0,0 x:5,0,-9 z:0,0,-9 y:2,70,0 b:0,80,0 " },
		{ 2, { 0 }, "x:5,0,-9 z:0,0,-9 a:3,0,0 b:0,80,0 y:2,70,0 " },
		{ 7, { 0 }, "b:0,80,0 z:0,0,-9 y:2,70,0 a:3,0,0 x:5,0,-9 " },
		{ 0, { .by_key = true },
		  "a:3,0,0 b:0,80,0 x:5,0,-9 y:2,70,0 z:0,0,-9 " },
		{ 0, { .reverse = true },
		  "x:5,0,-9 a:3,0,0 y:2,70,0 z:0,0,-9 b:0,80,0 " },
	};
	for (size_t r = 0; r < BASE_NELEMS(rows); r++) {
		struct consume_elem **v;
		char got[256] = "", *at = got;
		size_t n;
		assert_null(consume_agg_joined(c, g, 3, rows[r].how,
					       rows[r].pos, &v, &n));
		for (size_t i = 0; i < n; i++) {
			struct consume_elem **row = v + i * 3;
			uint32_t probe = 0;
			if (row[2]->key)
				memcpy(&probe, row[2]->key, 4);
			at += sprintf(at, "%c:%lld,%lld,%lld ",
				row[0]->key ? row[0]->key[0] :
				row[1]->key ? row[1]->key[0] :
				probe == x ? 'x' : 'z',
				(long long)consume_agg_value(g[0], row[0]),
				(long long)consume_agg_value(g[1], row[1]),
				(long long)consume_agg_value(g[2], row[2]));
		}
		util_free(v);
		assert_string_equal(got, rows[r].want);
	}
	consume_free(c);
	rm_free(m);
}

/* --- What is refused ---------------------------------------------------- */

static void
test_bad_description(void **state)
{
	for (int what = 0; what < 8; what++) {
		struct rm *m = rm_new(1);
		uint32_t id = keyed_agg(m, ABI_AGG_COUNT, 0, 1);
		struct abi_agg_desc *d = &m->aggs[id - 1];
		struct consume *c = NULL;
		switch (what) {
		case 0: break;			/* this one is fine */
		case 1: d->ncells = 0; break;
		case 2: d->ncells = 2; break;
		case 3: d->func = 1; break;
		case 4: d->func = ABI_AGG_LQUANTIZE; break;
		case 5: m->keys[0][0].offset = 1; break;
		case 6: m->keys[0][0].size = UINT32_MAX; break;
		case 7: m->keys[0][0].kind = ABI_FIELD_PROBE;
			m->keys[0][0].sub = 4; break;
		}
		struct err *e = consume_new(&m->source, &m->meta, &c);
		assert_int_equal(e != NULL, what != 0);
		if (e) {
			assert_int_equal(e->code, ERR_FORMAT);
			assert_string_equal(e->text, "aggregation 1: bad description");
		}
		err_free(e);
		consume_free(c);
		rm_free(m);
	}
}

static void
test_unknown_id(void **state)
{
	struct rm *m = rm_new(1);
	uint64_t one = 1;

	rm_agg(m, ABI_AGG_COUNT, 0, 1);
	struct consume *c = open_consume(m);
	assert_null(consume_agg(c, 0));
	assert_null(consume_agg(c, 2));
	assert_null(consume_agg_add(c, 0, "", &one));
	assert_null(consume_agg_add(c, 2, "", &one));
	assert_int_equal(rm_malformed(c), 2);
	assert_int_equal(consume_agg(c, 1)->n, 0);
	consume_free(c);
	rm_free(m);
}

/* --- Size --------------------------------------------------------------- */

static size_t
heap_used(void)
{
	struct mallinfo2 i = mallinfo2();

	return i.uordblks + i.hblkhd;
}

/* A million keys of 16 bytes: all there, at most 300 bytes each. */
static void
test_million(void **state)
{
	enum { N = 1000000 };
	struct rm *m = rm_new(1);
	uint32_t id = rm_agg(m, ABI_AGG_COUNT, 0, 1);
	struct consume_elem **v;
	size_t n;

	rm_key(m, id, ABI_FIELD_STRING, 16, false);
	struct consume *c = open_consume(m);
	size_t before = heap_used();
	for (int round = 0; round < 2; round++)
		for (uint32_t i = 0; i < N; i++) {
			char key[16] = { 0 };
			uint64_t cell = i % 1000;
			snprintf(key, sizeof(key), "key%u", i);
			assert_null(consume_agg_add(c, id, key, &cell));
		}
	assert_true(heap_used() - before < 300UL * N);
	struct consume_agg *g = consume_agg(c, id);
	assert_int_equal(g->n, N);
	assert_null(consume_agg_sorted(c, g, (struct consume_sort){ 0 }, &v,
				       &n));
	assert_int_equal(n, N);
	for (size_t i = 1; i < n; i++)
		assert_true(v[i - 1]->cells[0] <= v[i]->cells[0]);
	assert_int_equal(v[N - 1]->cells[0], 1998);
	util_free(v);
	assert_null(consume_agg_trunc(c, g, 10));
	assert_int_equal(g->n, 10);
	assert_true(heap_used() - before < 1 << 20);
	consume_free(c);
	rm_free(m);
}

/* Fail each allocation in turn: what was there stays as it was. */
static void
test_no_memory(void **state)
{
	bool failed = true;

	for (unsigned long n = 1; failed; n++) {
		struct rm *m = rm_new(1);
		uint32_t a = keyed_agg(m, ABI_AGG_SUM, 0, 1);
		uint32_t b = keyed_agg(m, ABI_AGG_SUM, 0, 1);
		struct consume *c = open_consume(m);
		struct consume_agg *g[] = { consume_agg(c, a),
					    consume_agg(c, b) };
		struct consume_elem **v = NULL;
		size_t rows;
		failed = false;
		util_alloc_fail(n, 0);
		for (int32_t i = 0; i < 100; i++) {
			uint64_t cell = (uint64_t)i;
			while (consume_agg_add(c, a + i % 2, &i, &cell))
				failed = true;
		}
		assert_int_equal(g[0]->n, 50);
		while (consume_agg_joined(c, g, 2, (struct consume_sort){ 0 },
					  0, &v, &rows))
			failed = true;
		assert_int_equal(rows, 100);
		util_free(v);
		while (consume_agg_trunc(c, g[0], 10)) {
			failed = true;
			assert_int_equal(g[0]->n, 50);
		}
		while (consume_agg_sorted(c, g[0], (struct consume_sort){ 0 },
					  &v, &rows))
			failed = true;
		util_alloc_fail(0, 0);
		assert_int_equal(rows, 10);
		for (size_t i = 0; i < rows; i++)
			assert_int_equal(v[i]->cells[0], 80 + 2 * i);
		util_free(v);
		consume_free(c);
		rm_free(m);
		assert_true(n < 1000);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_merge),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_stddev_exact),
		cmocka_unit_test(test_stddev_noise),
		cmocka_unit_test(test_cells),
		cmocka_unit_test(test_bucket_values),
		cmocka_unit_test(test_piece),
		cmocka_unit_test(test_clear),
		cmocka_unit_test(test_shown),
		cmocka_unit_test(test_trunc),
		cmocka_unit_test(test_keep),
		cmocka_unit_test(test_sort_options),
		cmocka_unit_test(test_sort_functions),
		cmocka_unit_test(test_sort_histograms),
		cmocka_unit_test(test_sort_keys),
		cmocka_unit_test(test_sort_large_totals),
		cmocka_unit_test(test_sort_long_keys),
		cmocka_unit_test(test_images),
		cmocka_unit_test(test_sort_joined_signs),
		cmocka_unit_test(test_merged),
		cmocka_unit_test(test_compare_common_keys),
		cmocka_unit_test(test_canonical_probe),
		cmocka_unit_test(test_joined_probe),
		cmocka_unit_test(test_canonical_tails),
		cmocka_unit_test(test_canonical_address),
		cmocka_unit_test(test_joined_stacks),
		cmocka_unit_test(test_joined),
		cmocka_unit_test(test_bad_description),
		cmocka_unit_test(test_unknown_id),
		cmocka_unit_test(test_million),
		cmocka_unit_test(test_no_memory),
	};
	return cmocka_run_group_tests_name("agg", tests, NULL, NULL);
}
