/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Names kept once, so that equal names are equal pointers.
 */
#ifndef UTIL_INTERN_H
#define UTIL_INTERN_H

#include <stddef.h>

#include "util/hash.h"

struct intern {
	struct hash names;
};

void intern_fini(struct intern *t);
/* Borrowed until intern_fini(); NULL when out of memory.  The result is
 * NUL-terminated; s may hold NUL bytes, which are then part of the name. */
const char *intern_n(struct intern *t, const char *s, size_t n);
const char *intern(struct intern *t, const char *s);

#endif
