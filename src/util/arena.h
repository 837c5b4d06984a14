/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Memory that is freed all at once: one arena per compilation.
 */
#ifndef UTIL_ARENA_H
#define UTIL_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena;

struct arena *arena_new(void);		/* NULL when out of memory */
void arena_free(struct arena *a);	/* NULL is fine */

/* Zeroed, 16-byte aligned, borrowed until arena_free().  NULL when out of
 * memory; from then on every call answers NULL, so that a caller may check
 * arena_failed() once instead of each result. */
void *arena_alloc(struct arena *a, size_t size);
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_strdup(struct arena *a, const char *s);
char *arena_printf(struct arena *a, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *a, const char *fmt, va_list ap);
/* A copy of size bytes. */
void *arena_memdup(struct arena *a, const void *p, size_t size);
int arena_failed(const struct arena *a);
/* Bytes handed out so far: by which tests see that what is refused costs little. */
size_t arena_used(const struct arena *a);

#define ARENA_NEW(a, type) ((type *)arena_alloc((a), sizeof(type)))
#define ARENA_ARRAY(a, type, n) \
	((type *)arena_alloc((a), sizeof(type) * (size_t)(n)))

#endif
