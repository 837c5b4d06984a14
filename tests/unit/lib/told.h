/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a test was told by functions that the library calls, as one text.
 */
#ifndef TESTS_LIB_TOLD_H
#define TESTS_LIB_TOLD_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char told[8192];

static inline void __attribute__((format(printf, 1, 2)))
tell(const char *fmt, ...)
{
	size_t n = strlen(told);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(told + n, sizeof(told) - n, fmt, ap);
	va_end(ap);
}

#endif
