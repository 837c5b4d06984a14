/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The cells of an aggregation's value: which one a number is counted in, and how
 * the least and the greatest are kept.
 */
#ifndef ABI_QUANT_H
#define ABI_QUANT_H

#include "abi/abi.h"

#define ABI_QUANTIZE_ZERO 63

/* base has 32 bits and a sign; all others have 16 bits. */
#define ABI_LQ_ARG(base, levels, step) \
	((uint64_t)(step) << 48 | (uint64_t)(levels) << 32 | (uint32_t)(base))
#define ABI_LLQ_ARG(factor, low, high, nsteps) \
	((uint64_t)(factor) << 48 | (uint64_t)(low) << 32 | \
	 (uint64_t)(high) << 16 | (uint64_t)(nsteps))
enum { ABI_QUANT_MAX = 0xffff };	/* what 16 bits hold */
#define ABI_LQ_BASE(arg)   ((int32_t)(arg))
#define ABI_LQ_LEVELS(arg) ((uint32_t)((arg) >> 32 & 0xffff))
#define ABI_LQ_STEP(arg)   ((uint32_t)((arg) >> 48))
#define ABI_LLQ_FACTOR(arg) ((uint32_t)((arg) >> 48))
#define ABI_LLQ_LOW(arg)    ((uint32_t)((arg) >> 32 & 0xffff))
#define ABI_LLQ_HIGH(arg)   ((uint32_t)((arg) >> 16 & 0xffff))
#define ABI_LLQ_NSTEPS(arg) ((uint32_t)((arg) & 0xffff))

/* MIN and MAX keep a number whose unsigned order is the order wanted and
 * which is never 0 unless no value was seen or the value is the identity. */
static inline uint64_t
abi_agg_max_encode(int64_t v)
{
	return (uint64_t)v ^ 1ULL << 63;
}

static inline uint64_t
abi_agg_min_encode(int64_t v)
{
	return ~((uint64_t)v ^ 1ULL << 63);
}

static inline int64_t
abi_agg_max_decode(uint64_t c)
{
	return (int64_t)(c ^ 1ULL << 63);
}

static inline int64_t
abi_agg_min_decode(uint64_t c)
{
	return (int64_t)(~c ^ 1ULL << 63);
}

/* The bucket of v in a QUANTIZE value: 63 for 0, 63 + 1 + log2(v) for v > 0,
 * mirrored for v < 0. */
static inline uint32_t
abi_quantize_bucket(int64_t v)
{
	uint64_t mag = v < 0 ? -(uint64_t)v : (uint64_t)v;
	uint32_t log = 0;

	if (!mag)
		return ABI_QUANTIZE_ZERO;
	if (mag >> 32) { mag >>= 32; log += 32; }
	if (mag >> 16) { mag >>= 16; log += 16; }
	if (mag >> 8) { mag >>= 8; log += 8; }
	if (mag >> 4) { mag >>= 4; log += 4; }
	if (mag >> 2) { mag >>= 2; log += 2; }
	if (mag >> 1) log += 1;
	if (v < 0)	/* -2^63 shares the last bucket of -2^62 */
		return log >= 63 ? 0 : ABI_QUANTIZE_ZERO - 1 - log;
	return ABI_QUANTIZE_ZERO + 1 + log;
}

static inline uint32_t
abi_lquantize_bucket(int64_t v, uint64_t arg)
{
	int64_t base = ABI_LQ_BASE(arg);
	uint64_t level;

	if (v < base)
		return 0;
	level = ((uint64_t)v - (uint64_t)base) / ABI_LQ_STEP(arg);
	return level < ABI_LQ_LEVELS(arg) ? (uint32_t)level + 1
					  : ABI_LQ_LEVELS(arg) + 1;
}

/* The bucket of v in an LLQUANTIZE value: 0 below factor^low; then, for each
 * magnitude k of low..high, buckets of width max(1, factor^(k+1) / nsteps)
 * from factor^k to factor^(k+1); one more from factor^(high+1) on, so that
 * the bucket of INT64_MAX, plus 1, is the number of cells.
 * factor^(high+1) fits an int64_t, hence the bound of the loop. */
static inline uint32_t
abi_llquantize_bucket(int64_t v, uint64_t arg)
{
	uint64_t val = (uint64_t)v, at = 1;	/* at: factor^k */
	uint32_t bucket = 1;
	uint32_t k;

	if (v <= 0)
		return 0;
	for (k = 0; k < 64 && k <= ABI_LLQ_HIGH(arg); k++) {
		uint64_t next = at * ABI_LLQ_FACTOR(arg);
		uint64_t width = next / ABI_LLQ_NSTEPS(arg);

		if (!width)
			width = 1;
		if (k >= ABI_LLQ_LOW(arg)) {
			if (val < at)
				return 0;
			if (val < next)
				return bucket + (uint32_t)((val - at) / width);
			bucket += (uint32_t)((next - at + width - 1) / width);
		}
		at = next;
	}
	return bucket;
}

#ifndef __bpf__
/* How many cells a value has, of parameters that make sense; 0: func is none. */
static inline uint32_t
abi_agg_cells(uint32_t func, uint64_t arg)
{
	if (func == ABI_AGG_LQUANTIZE)
		return ABI_LQ_LEVELS(arg) + 2;
	if (func == ABI_AGG_LLQUANTIZE)
		return abi_llquantize_bucket(INT64_MAX, arg) + 1;
	switch (func) {
#define AGG(NAME, no, name, cells) case no: return cells;
#include "abi/agg.def"
#undef AGG
	default: return 0;
	}
}

/* "quantize"; "" for what is none. */
static inline const char *
abi_agg_name(uint32_t func)
{
	switch (func) {
#define AGG(NAME, no, name, cells) case no: return name;
#include "abi/agg.def"
#undef AGG
	default: return "";
	}
}
#endif

#endif
