/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * Buckets and cells of aggregations (abi/quant.h describes them).
 */

#include "abi/quant.h"

RT u64
rt_lquantize(u64 v, u64 arg)
{
	/* The compiler never packs a zero step; the verifier wants to see. */
	if (!ABI_LQ_STEP(arg))
		return 0;
	return abi_lquantize_bucket(v, arg);
}

/* Unsigned maximum.  Only a nested program can come between, so a few tries
 * do; 1 when they did not. */
RT u64
rt_max(u64 *cell, u64 v)
{
	if (!cell)
		return 0;
	for (int i = 0; i < 8; i++) {
		u64 old = *(volatile u64 *)cell;
		if (v <= old)
			return 0;
		if (__sync_val_compare_and_swap(cell, old, v) == old)
			return 0;
	}
	return 1;
}

struct rt_stddev {
	u64 count, sum, lo, hi;
};

/* Add v to {count, sum, 128-bit sum of squares}; n times. */
RT u64
rt_stddev(struct rt_stddev *c, u64 v)
{
	u64 mag = (s64)v < 0 ? -v : v;
	u64 l = mag & 0xffffffff, h = mag >> 32;
	u64 mid = l * h;		/* twice this, shifted by 32 */
	u64 lo = l * l, hi = h * h + (mid >> 31);
	u64 add = mid << 33;

	if (!c)
		return 0;
	lo += add;
	if (lo < add)
		hi++;
	__sync_fetch_and_add(&c->count, 1);
	__sync_fetch_and_add(&c->sum, v);
	u64 old = __sync_fetch_and_add(&c->lo, lo);
	if (old + lo < old)
		hi++;
	__sync_fetch_and_add(&c->hi, hi);
	return 0;
}
