/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A growing array of any type:
 *
 *	VEC(struct foo) foos = { 0 };
 *	if (!vec_push(&foos, f)) return &err_nomem;
 *	for (size_t i = 0; i < foos.n; i++) use(foos.v[i]);
 *	vec_fini(&foos);
 */
#ifndef UTIL_VEC_H
#define UTIL_VEC_H

#include <stdbool.h>
#include <stddef.h>

#define VEC(type) struct { type *v; size_t n, cap; }

/* Make room for `more` elements; false when out of memory. */
bool vec_grow_(void *v, size_t *cap, size_t n, size_t more, size_t elem);

#define vec_reserve(vec, more) \
	vec_grow_(&(vec)->v, &(vec)->cap, (vec)->n, (more), sizeof(*(vec)->v))
#define vec_push(vec, item) \
	(vec_reserve((vec), 1) ? ((vec)->v[(vec)->n++] = (item), true) : false)
#define vec_fini(vec) \
	(util_free((vec)->v), (vec)->v = NULL, (vec)->n = (vec)->cap = 0)

#include "util/alloc.h"

#endif
