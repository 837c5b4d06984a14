/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Floating-point constants, read as C reads them: with a point, whatever the
 * locale says, and rounded once, to the type wanted.  A suffix (f F l L) ends
 * the number; what is too large is an infinity.
 */
#ifndef UTIL_NUMBER_H
#define UTIL_NUMBER_H

#include <stdint.h>

uint32_t number_float_bits(const char *text);
uint64_t number_double_bits(const char *text);
long double number_ldouble(const char *text);

#endif
