/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Aggregating functions on values at the edges of buckets and of 64 bits.
 */
#include "abi/quant.h"
#include "world.h"

#define LQ(base, levels, step) ((uint64_t)(step) << 48 | \
	(uint64_t)(levels) << 32 | (uint32_t)(base))
#define LLQ(factor, low, high, nsteps) ((uint64_t)(factor) << 48 | \
	(uint64_t)(low) << 32 | (uint64_t)(high) << 16 | (nsteps))

static void
test_scalars(void **state)
{
	static const int64_t values[] = { 5, -7, INT64_MAX, 3 };
	uint64_t count = 0, sum = 0, min = 0, max = 0, avg[2] = { 0 };

	for (size_t i = 0; i < BASE_NELEMS(values); i++) {
		vm_agg_add(&count, ABI_AGG_COUNT, 0, values[i], 9);
		vm_agg_add(&sum, ABI_AGG_SUM, 0, values[i], 9);
		vm_agg_add(&min, ABI_AGG_MIN, 0, values[i], 9);
		vm_agg_add(&max, ABI_AGG_MAX, 0, values[i], 9);
		vm_agg_add(avg, ABI_AGG_AVG, 0, values[i], 9);
	}
	assert_int_equal(count, 4);
	assert_int_equal(sum, 1ULL << 63);	/* wraps */
	assert_int_equal(abi_agg_min_decode(min), -7);
	assert_int_equal(abi_agg_max_decode(max), INT64_MAX);
	assert_int_equal(avg[0], 4);
	assert_int_equal(avg[1], 1ULL << 63);
	/* a single negative value is the maximum */
	max = 0;
	vm_agg_add(&max, ABI_AGG_MAX, 0, -3, 1);
	assert_int_equal(abi_agg_max_decode(max), -3);
}

static void
test_stddev(void **state)
{
	uint64_t c[4] = { 0 };
	unsigned __int128 want = 0;
	static const int64_t values[] = {
		100, 200, 300, INT64_MIN, INT64_MAX, -1, 1LL << 32,
		4000000000, 4000000000,		/* a carry */
	};

	for (size_t i = 0; i < BASE_NELEMS(values); i++) {
		__int128 v = values[i];

		want += (unsigned __int128)(v * v);
		vm_agg_add(c, ABI_AGG_STDDEV, 0, values[i], 1);
	}
	assert_int_equal(c[0], 9);
	assert_int_equal(c[1], 100 + 200 + 300 - 1 - 1 + (1LL << 32) +
			 8000000000);
	assert_int_equal(c[2], (uint64_t)want);
	assert_int_equal(c[3], (uint64_t)(want >> 64));
}

/* The lower edge of a quantize bucket is in it, the number below is not. */
static void
test_quantize(void **state)
{
	uint64_t c[127] = { 0 };

	for (int k = 0; k < 63; k++) {
		int64_t edge = 1LL << k;

		assert_int_equal(abi_quantize_bucket(edge), 64 + k);
		assert_int_equal(abi_quantize_bucket(2 * (edge - 1) + 1),
				 64 + k);
		assert_int_equal(abi_quantize_bucket(-edge), 62 - k);
	}
	assert_int_equal(abi_quantize_bucket(0), 63);
	assert_int_equal(abi_quantize_bucket(INT64_MAX), 126);
	assert_int_equal(abi_quantize_bucket(INT64_MIN), 0);
	vm_agg_add(c, ABI_AGG_QUANTIZE, 0, 5, 3);
	vm_agg_add(c, ABI_AGG_QUANTIZE, 0, 4, -1);
	assert_int_equal(c[66], 2);
}

static void
test_lquantize(void **state)
{
	static const struct {
		int32_t base;
		uint32_t levels, step;
		int64_t v;
		uint32_t want;
	} rows[] = {
		{ 0, 10, 10, -1, 0 }, { 0, 10, 10, 0, 1 }, { 0, 10, 10, 9, 1 },
		{ 0, 10, 10, 10, 2 }, { 0, 10, 10, 99, 10 },
		{ 0, 10, 10, 100, 11 }, { 0, 10, 10, INT64_MAX, 11 },
		{ 0, 10, 10, INT64_MIN, 0 }, { -5, 3, 2, -5, 1 },
		{ -5, 3, 2, -6, 0 }, { -5, 3, 2, 0, 3 }, { -5, 3, 2, 1, 4 },
		{ INT32_MIN, 1, 1, INT32_MIN, 1 },
		{ INT32_MIN, 1, 1, INT64_MAX, 2 },
	};
	uint64_t c[12] = { 0 };

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		assert_int_equal(abi_lquantize_bucket(rows[i].v,
			LQ(rows[i].base, rows[i].levels, rows[i].step)),
			rows[i].want);
	vm_agg_add(c, ABI_AGG_LQUANTIZE, LQ(0, 10, 10), 42, 7);
	assert_int_equal(c[5], 7);
	assert_int_equal(abi_agg_cells(ABI_AGG_LQUANTIZE, LQ(0, 10, 10)), 12);
}

static void
test_llquantize(void **state)
{
	static const struct {
		uint64_t arg;
		int64_t v;
		uint32_t want;
	} rows[] = {
		/* 0; 1..9 by 1; 10..99 by 10; >= 100 */
		{ LLQ(10, 0, 1, 10), 0, 0 }, { LLQ(10, 0, 1, 10), -5, 0 },
		{ LLQ(10, 0, 1, 10), INT64_MIN, 0 },
		{ LLQ(10, 0, 1, 10), 1, 1 }, { LLQ(10, 0, 1, 10), 9, 9 },
		{ LLQ(10, 0, 1, 10), 10, 10 }, { LLQ(10, 0, 1, 10), 19, 10 },
		{ LLQ(10, 0, 1, 10), 20, 11 }, { LLQ(10, 0, 1, 10), 99, 18 },
		{ LLQ(10, 0, 1, 10), 100, 19 },
		{ LLQ(10, 0, 1, 10), INT64_MAX, 19 },
		/* below the first magnitude */
		{ LLQ(10, 2, 3, 10), 99, 0 }, { LLQ(10, 2, 3, 10), 100, 1 },
		{ LLQ(10, 2, 3, 10), 999, 9 }, { LLQ(10, 2, 3, 10), 1000, 10 },
		/* 20 steps: 1..9 collapse to width 1, 10..99 have width 5 */
		{ LLQ(10, 0, 1, 20), 9, 9 }, { LLQ(10, 0, 1, 20), 10, 10 },
		{ LLQ(10, 0, 1, 20), 14, 10 }, { LLQ(10, 0, 1, 20), 15, 11 },
		{ LLQ(10, 0, 1, 20), 99, 27 }, { LLQ(10, 0, 1, 20), 100, 28 },
		/* 5 steps: 10..29, 30..49, ..., 90..99 */
		{ LLQ(10, 1, 1, 5), 10, 1 }, { LLQ(10, 1, 1, 5), 29, 1 },
		{ LLQ(10, 1, 1, 5), 30, 2 }, { LLQ(10, 1, 1, 5), 99, 5 },
		{ LLQ(10, 1, 1, 5), 100, 6 },
		/* powers of two up to the largest */
		{ LLQ(2, 0, 61, 2), 1, 1 }, { LLQ(2, 0, 61, 2), 2, 2 },
		{ LLQ(2, 0, 61, 2), 3, 2 }, { LLQ(2, 0, 61, 2), 1LL << 61, 62 },
		{ LLQ(2, 0, 61, 2), (1LL << 62) - 1, 62 },
		{ LLQ(2, 0, 61, 2), 1LL << 62, 63 },
	};
	uint64_t c[20] = { 0 };

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		if (abi_llquantize_bucket(rows[i].v, rows[i].arg) !=
		    rows[i].want)
			fail_msg("row %zu: bucket %u", i,
				 abi_llquantize_bucket(rows[i].v, rows[i].arg));
	assert_int_equal(abi_agg_cells(ABI_AGG_LLQUANTIZE, LLQ(10, 0, 1, 10)),
			 20);
	vm_agg_add(c, ABI_AGG_LLQUANTIZE, LLQ(10, 0, 1, 10), 42, 2);
	assert_int_equal(c[13], 2);
}

static void
test_cells(void **state)
{
	static const struct { uint32_t func, want; } rows[] = {
		{ ABI_AGG_COUNT, 1 }, { ABI_AGG_MIN, 1 }, { ABI_AGG_MAX, 1 },
		{ ABI_AGG_SUM, 1 }, { ABI_AGG_AVG, 2 }, { ABI_AGG_STDDEV, 4 },
		{ ABI_AGG_QUANTIZE, 127 }, { 0, 0 }, { 0x7ff, 0 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		assert_int_equal(abi_agg_cells(rows[i].func, 0), rows[i].want);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scalars),
		cmocka_unit_test(test_stddev),
		cmocka_unit_test(test_quantize),
		cmocka_unit_test(test_lquantize),
		cmocka_unit_test(test_llquantize),
		cmocka_unit_test(test_cells),
	};

	return cmocka_run_group_tests_name("vm-agg", tests, NULL, NULL);
}
