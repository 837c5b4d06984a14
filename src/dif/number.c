/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Numbers from one encoding to another, as the host's C has it.  What C leaves
 * undefined is given a value here: NaN, and what is too large for 64 bits, become
 * the smallest integer; a negative number becomes unsigned by way of signed.
 */
#include <string.h>

#include "dif/dif.h"

/* 2^63, 2^64 */
#define TWO_63 9223372036854775808.0
#define TWO_64 18446744073709551616.0

static double
double_of(uint64_t v, unsigned kind)
{
	uint32_t low = (uint32_t)v;
	double d;
	float f;

	if (kind == DIF_NUM_FLOAT) {
		memcpy(&f, &low, sizeof(f));
		return f;
	}
	memcpy(&d, &v, sizeof(d));
	return d;
}

static uint64_t
float_bits(float f)
{
	uint32_t v;

	memcpy(&v, &f, sizeof(v));
	return v;
}

static uint64_t
double_bits(double d)
{
	uint64_t v;

	memcpy(&v, &d, sizeof(v));
	return v;
}

static uint64_t
integer_of(double d, bool is_unsigned)
{
	if (d >= -TWO_63 && d < TWO_63)
		return (uint64_t)(int64_t)d;
	return is_unsigned && d >= TWO_63 && d < TWO_64 ? (uint64_t)d
							: 1ULL << 63;
}

static uint64_t
from_integer(uint64_t v, bool is_unsigned, unsigned to)
{
	if (to == DIF_NUM_FLOAT)
		return float_bits(is_unsigned ? (float)v : (float)(int64_t)v);
	return double_bits(is_unsigned ? (double)v : (double)(int64_t)v);
}

uint64_t
dif_number(uint64_t v, unsigned from, unsigned to)
{
	bool is_integer = from < DIF_NUM_FLOAT;

	BASE_ASSERT(from <= DIF_NUM_DOUBLE && to <= DIF_NUM_DOUBLE);
	if (to < DIF_NUM_FLOAT)
		return is_integer ? v : integer_of(double_of(v, from),
						   to == DIF_NUM_UNSIGNED);
	if (is_integer)
		return from_integer(v, from == DIF_NUM_UNSIGNED, to);
	if (from == to)
		return to == DIF_NUM_FLOAT ? (uint32_t)v : v;
	return to == DIF_NUM_FLOAT ? float_bits((float)double_of(v, from))
				   : double_bits(double_of(v, from));
}
