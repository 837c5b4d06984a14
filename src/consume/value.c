/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the cells of an aggregation say.
 *
 * The variance is (n * sumsq - sum^2) / n^2, exact, toward zero.  The dividend
 * needs 192 bits (64 x 128), so it is kept as three 64-bit limbs and divided
 * by n twice; floor(floor(x / n) / n) is floor(x / n^2).  Values that make no
 * sense (a sum that wrapped, so that the dividend is negative) give 0.
 */
#include "abi/quant.h"
#include "consume/consume_priv.h"

typedef unsigned __int128 u128;

/* --- Shapes ------------------------------------------------------------- */

/* One magnitude of an llquantize: n buckets of width step from `from`. */
struct magnitude {
	int64_t from, step;
	uint64_t n;
};

/* factor^power; false when it does not fit. */
static bool
ipow(uint32_t factor, uint32_t power, int64_t *ret)
{
	int64_t v = 1;

	for (uint32_t i = 0; i < power; i++)
		if (__builtin_mul_overflow(v, (int64_t)factor, &v))
			return false;
	*ret = v;
	return true;
}

static bool
get_magnitude(uint64_t arg, uint32_t mag, struct magnitude *ret)
{
	uint32_t nsteps = ABI_LLQ_NSTEPS(arg);
	int64_t from, to;

	if (!ipow(ABI_LLQ_FACTOR(arg), mag, &from) ||
	    !ipow(ABI_LLQ_FACTOR(arg), mag + 1, &to))
		return false;
	ret->from = from;
	ret->step = BASE_MAX(to / nsteps, 1);
	ret->n = ((uint64_t)(to - from) + (uint64_t)ret->step - 1) /
		 (uint64_t)ret->step;
	return true;
}

static uint32_t
llquantize_cells(uint64_t arg)
{
	uint64_t n = 2;
	struct magnitude m;

	if (ABI_LLQ_FACTOR(arg) < 2 || !ABI_LLQ_NSTEPS(arg))
		return 0;
	if (ABI_LLQ_LOW(arg) > ABI_LLQ_HIGH(arg))
		return 0;
	for (uint32_t k = ABI_LLQ_LOW(arg); k <= ABI_LLQ_HIGH(arg); k++) {
		if (!get_magnitude(arg, k, &m))
			return 0;
		n += m.n;	/* at most 63 x 65535 x 2 */
	}
	return (uint32_t)n;
}

uint32_t
consume_agg_cells(uint32_t func, uint64_t arg)
{
	if (func == ABI_AGG_LQUANTIZE)
		return ABI_LQ_STEP(arg) && ABI_LQ_LEVELS(arg) ?
			ABI_LQ_LEVELS(arg) + 2 : 0;
	if (func == ABI_AGG_LLQUANTIZE)
		return llquantize_cells(arg);
	return abi_agg_cells(func, arg);
}

bool
consume_is_histogram(const struct abi_agg_desc *d)
{
	return abi_agg_is_histogram(d->func);
}

static int64_t
quantize_value(uint32_t i)
{
	int64_t n = (int64_t)i - ABI_QUANTIZE_ZERO;

	if (n == 0)
		return 0;
	return n > 0 ? 1LL << (n - 1) : -(1LL << (-n - 1));
}

static int64_t
lquantize_value(uint64_t arg, uint32_t i)
{
	int64_t base = ABI_LQ_BASE(arg);

	return i ? base + ((int64_t)i - 1) * ABI_LQ_STEP(arg) : base - 1;
}

static int64_t
llquantize_value(uint64_t arg, uint32_t i)
{
	struct magnitude m = { 0 };
	int64_t edge = 0;

	if (!i)
		return ipow(ABI_LLQ_FACTOR(arg), ABI_LLQ_LOW(arg), &edge) ?
			edge - 1 : 0;
	i--;
	for (uint32_t k = ABI_LLQ_LOW(arg); k <= ABI_LLQ_HIGH(arg); k++) {
		if (!get_magnitude(arg, k, &m))
			return 0;
		if (i < m.n)
			return m.from + m.step * (int64_t)i;
		i -= (uint32_t)m.n;
	}
	return ipow(ABI_LLQ_FACTOR(arg), ABI_LLQ_HIGH(arg) + 1, &edge) ?
		edge : 0;
}

int64_t
consume_bucket_value(const struct abi_agg_desc *d, uint32_t i)
{
	if (d->func == ABI_AGG_LQUANTIZE)
		return lquantize_value(d->arg, i);
	if (d->func == ABI_AGG_LLQUANTIZE)
		return llquantize_value(d->arg, i);
	return i <= 2 * ABI_QUANTIZE_ZERO ? quantize_value(i) : 0;
}

/* --- Numbers ------------------------------------------------------------ */

int64_t
consume_normalize(int64_t v, int64_t by)
{
	if (by == 0 || by == 1)
		return v;
	if (by == -1)
		return (int64_t)-(uint64_t)v;
	return v / by;
}

/* Divide the number in limb[0..3), the lowest first, by n. */
static void
divide(uint64_t *limb, uint64_t n)
{
	u128 rest = 0;

	for (int i = 2; i >= 0; i--) {
		rest = rest << 64 | limb[i];
		limb[i] = (uint64_t)(rest / n);
		rest %= n;
	}
}

static uint64_t
isqrt(u128 v)
{
	u128 root = 0;

	for (u128 bit = (u128)1 << 126; bit; bit >>= 2) {
		if (v >= root + bit) {
			v -= root + bit;
			root = (root >> 1) + bit;
		} else {
			root >>= 1;
		}
	}
	return (uint64_t)root;
}

static int64_t
stddev(const uint64_t *cells)
{
	uint64_t n = cells[0];
	u128 low = (u128)n * cells[2], high = (u128)n * cells[3] + (low >> 64);
	uint64_t sum = (int64_t)cells[1] < 0 ? -cells[1] : cells[1];
	u128 square = (u128)sum * sum, mid = high << 64 | (uint64_t)low;
	uint64_t limb[3];

	if (!n)
		return 0;
	if (mid < square && !(high >> 64))
		return 0;
	limb[2] = (uint64_t)(high >> 64) - (mid < square);
	mid -= square;
	limb[1] = (uint64_t)(mid >> 64);
	limb[0] = (uint64_t)mid;
	divide(limb, n);
	divide(limb, n);
	uint64_t root = isqrt((u128)limb[1] << 64 | limb[0]);
	return limb[2] || root > INT64_MAX ? INT64_MAX : (int64_t)root;
}

static int64_t
average(const uint64_t *cells)
{
	int64_t n = (int64_t)cells[0];

	return n ? consume_normalize((int64_t)cells[1], n) : 0;
}

/* The value before it is normalised. */
static int64_t
raw_value(const struct abi_agg_desc *d, const struct consume_elem *e)
{
	switch (d->func) {
	case ABI_AGG_MIN: return e->seen ? abi_agg_min_decode(e->cells[0]) : 0;
	case ABI_AGG_MAX: return e->seen ? abi_agg_max_decode(e->cells[0]) : 0;
	case ABI_AGG_AVG: return average(e->cells);
	case ABI_AGG_STDDEV: return stddev(e->cells);
	default: return (int64_t)e->cells[0];
	}
}

int64_t
consume_agg_value(const struct consume_agg *g, const struct consume_elem *e)
{
	return consume_normalize(raw_value(g->desc, e), g->normal);
}

struct weight
consume_weight(const struct abi_agg_desc *d, const struct consume_elem *e)
{
	u128 total = 0;		/* wraps without harm */
	struct weight ret = { 0 };

	if (!consume_is_histogram(d)) {
		ret.value = raw_value(d, e);
		return ret;
	}
	for (uint32_t i = 0; i < d->ncells; i++) {
		int64_t count = (int64_t)e->cells[i];
		if (!count)
			continue;
		int64_t value = consume_bucket_value(d, i);
		total += (u128)((__int128)value * count);
		if (!value)
			ret.zero = count;
	}
	ret.value = (__int128)total;
	return ret;
}
