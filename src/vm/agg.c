/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Adding a value to the cells of an aggregation (abi/agg.h says what they
 * are).  The kernel side does the same with atomic operations.
 */
#include "abi/quant.h"
#include "vm/vm_priv.h"

/* cells[0..1], low half first, += v squared. */
static void
add_square(uint64_t *cells, int64_t v)
{
	uint64_t mag = v < 0 ? -(uint64_t)v : (uint64_t)v;
	unsigned __int128 square = (unsigned __int128)mag * mag;
	uint64_t low = (uint64_t)square;

	cells[0] += low;
	cells[1] += (uint64_t)(square >> 64) + (cells[0] < low);
}

static void
raise_to(uint64_t *cell, uint64_t v)
{
	*cell = BASE_MAX(*cell, v);
}

void
vm_agg_add(uint64_t *cells, uint32_t func, uint64_t arg, int64_t v,
	   int64_t incr)
{
	switch (func) {
	case ABI_AGG_COUNT: cells[0]++; break;
	case ABI_AGG_SUM: cells[0] += v; break;
	case ABI_AGG_MIN: raise_to(cells, abi_agg_min_encode(v)); break;
	case ABI_AGG_MAX: raise_to(cells, abi_agg_max_encode(v)); break;
	case ABI_AGG_STDDEV:
		add_square(cells + 2, v);
		/* fallthrough */
	case ABI_AGG_AVG:
		cells[0]++;
		cells[1] += v;
		break;
	case ABI_AGG_QUANTIZE: cells[abi_quantize_bucket(v)] += incr; break;
	case ABI_AGG_LQUANTIZE:
		cells[abi_lquantize_bucket(v, arg)] += incr;
		break;
	case ABI_AGG_LLQUANTIZE:
		cells[abi_llquantize_bucket(v, arg)] += incr;
		break;
	}
}
