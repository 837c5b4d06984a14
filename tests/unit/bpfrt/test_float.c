/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Numbers with fractions, without a unit for them (bpfrt/float.h), as a program of the
 * host (support/bpfhost): against what this machine makes of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "bpfrt/rt.h"
#include "bpfrt/float.h"
#include "base/base.h"
#include "some.h"

static struct abi_slot scratch;

void *
bpf_map_lookup_elem(const void *map, const void *key)
{
	(void)key;
	return map == (const void *)&dt_slots ? &scratch : NULL;
}

long
bpf_probe_read_kernel(void *to, uint32_t size, const void *from)
{
	(void)to, (void)size, (void)from;
	return -14;
}

static u64
bits_of(double v)
{
	u64 bits;

	memcpy(&bits, &v, 8);
	return bits;
}

static u64
narrow(u64 bits)
{
	double v;
	float f;
	u32 ret;

	memcpy(&v, &bits, 8);
	f = (float)v;
	memcpy(&ret, &f, 4);
	return ret;
}

static u64
widen(u32 bits)
{
	float f;

	memcpy(&f, &bits, 4);
	return bits_of(f);
}

/* Of each exponent, with fractions at every place where something is cut off. */
static void
test_narrowed(void **state)
{
	(void)state;
	for (u64 e = 0; e < 2047; e++)
		for (u32 place = 0; place <= 52; place++)
			for (u32 add = 0; add < 6; add++) {
				u64 part = (1ull << place) + (add < 3 ? add - 1 :
					   ((u64)some(1 << 16) << 36 | (u64)some(1 << 16) << 18 |
					    some(1 << 16)));
				u64 v = (u64)(add & 1) << 63 | e << 52 |
					(part & ((1ull << 52) - 1));
				u64 got = rt_number(0, v, NUM_DOUBLE, NUM_FLOAT);
				if (got != narrow(v))
					fail_msg("%llx: %llx, not %llx", v, got, narrow(v));
			}
}

static void
test_widened(void **state)
{
	(void)state;
	for (u32 e = 0; e < 255; e++)
		for (u32 place = 0; place <= 23; place++)
			for (u32 add = 0; add < 3; add++) {
				u32 v = (add & 1) << 31 | e << 23 |
					(((1u << place) + add - 1) & ((1u << 23) - 1));
				assert_int_equal(rt_number(0, v, NUM_FLOAT, NUM_DOUBLE),
						 widen(v));
				/* and back, from what stands above it, too */
				assert_int_equal(rt_number(0, widen(v), NUM_DOUBLE, NUM_FLOAT),
						 v);
				assert_int_equal(rt_number(0, 5ull << 32 | v, NUM_FLOAT,
							   NUM_FLOAT), v);
			}
}

static void
test_integers(void **state)
{
	(void)state;
	for (u32 place = 0; place < 64; place++)
		for (u32 cut = 0; cut < 64; cut++)
			for (s64 add = -1; add <= 1; add++) {
				u64 v = (1ull << place) + (1ull << cut) + (u64)add;
				u64 s = bits_of((double)(s64)v), u = bits_of((double)v);
				float f = (float)v;
				u32 fbits;
				memcpy(&fbits, &f, 4);
				assert_int_equal(rt_number(0, v, NUM_SIGNED, NUM_DOUBLE), s);
				assert_int_equal(rt_number(0, v, NUM_UNSIGNED, NUM_DOUBLE), u);
				assert_int_equal(rt_number(0, v, NUM_UNSIGNED, NUM_FLOAT), fbits);
				assert_int_equal(rt_number(0, v, NUM_SIGNED, NUM_UNSIGNED), v);
				if (v < 1ull << 53) {
					assert_int_equal(rt_number(0, u, NUM_DOUBLE,
								   NUM_UNSIGNED), v);
					assert_int_equal(rt_number(0, u, NUM_DOUBLE,
								   NUM_SIGNED), v);
					assert_int_equal(rt_number(0, u | 1ull << 63, NUM_DOUBLE,
								   NUM_SIGNED), -v);
				}
			}
}

/* Fractions are cut off; what no integer is, is the one that is farthest below 0. */
static void
test_cut(void **state)
{
	static const struct { double v; u64 to_signed, to_unsigned; } rows[] = {
		{ 0., 0, 0 }, { -0., 0, 0 }, { 0.99, 0, 0 }, { -0.99, 0, 0 },
		{ 1.5, 1, 1 }, { -1.5, (u64)-1, (u64)-1 }, { 5e-324, 0, 0 },
		{ 0x1p62, 1ull << 62, 1ull << 62 },
		{ 0x1.fffffffffffffp62, 0x7ffffffffffffc00, 0x7ffffffffffffc00 },
		{ 0x1p63, 1ull << 63, 1ull << 63 }, { -0x1p63, 1ull << 63, 1ull << 63 },
		{ 0x1.8p63, 1ull << 63, 3ull << 62 }, { 0x1p64, 1ull << 63, 1ull << 63 },
		{ 1e300, 1ull << 63, 1ull << 63 }, { -1e300, 1ull << 63, 1ull << 63 },
	};

	(void)state;
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		u64 v = bits_of(rows[i].v);
		assert_int_equal(rt_number(0, v, NUM_DOUBLE, NUM_SIGNED), rows[i].to_signed);
		assert_int_equal(rt_number(0, v, NUM_DOUBLE, NUM_UNSIGNED),
				 rows[i].to_unsigned);
	}
}

static void
test_special(void **state)
{
	(void)state;
	for (u64 sign = 0; sign < 2; sign++) {
		u64 inf = sign << 63 | 0x7ffull << 52, finf = sign << 31 | 0xffull << 23;
		assert_int_equal(rt_number(0, inf, NUM_DOUBLE, NUM_FLOAT), finf);
		assert_int_equal(rt_number(0, finf, NUM_FLOAT, NUM_DOUBLE), inf);
		assert_int_equal(rt_number(0, inf, NUM_DOUBLE, NUM_SIGNED), 1ull << 63);
		assert_int_equal(rt_number(0, inf | 1ull << 51, NUM_DOUBLE, NUM_FLOAT),
				 finf | 1 << 22);
		assert_int_equal(rt_number(0, finf | 1 << 22, NUM_FLOAT, NUM_DOUBLE),
				 inf | 1ull << 51);
		assert_int_equal(rt_number(0, finf | 1 << 22, NUM_FLOAT, NUM_UNSIGNED),
				 1ull << 63);
	}
	rt_number(0, 1, NUM_KINDS, NUM_SIGNED);
	assert_int_equal(scratch.fault, ABI_FAULT_ILLOP + 1);
	scratch.fault = 0;
	rt_number(0, 1, NUM_SIGNED, NUM_KINDS);
	assert_int_equal(scratch.fault, ABI_FAULT_ILLOP + 1);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_narrowed),
		cmocka_unit_test(test_widened),
		cmocka_unit_test(test_integers),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_special),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
