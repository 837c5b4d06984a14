/* SPDX-License-Identifier: BSD-2-Clause */
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "util/number.h"

/* The locale "C" is a constant of the C library: nothing to release. */
static locale_t
plain(void)
{
	return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

uint32_t
number_float_bits(const char *text)
{
	float f = strtof_l(text, NULL, plain());
	uint32_t bits;

	memcpy(&bits, &f, sizeof(bits));
	return bits;
}

uint64_t
number_double_bits(const char *text)
{
	double d = strtod_l(text, NULL, plain());
	uint64_t bits;

	memcpy(&bits, &d, sizeof(bits));
	return bits;
}

long double
number_ldouble(const char *text)
{
	return strtold_l(text, NULL, plain());
}
