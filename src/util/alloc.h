/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The one door to the heap.  Tests can make the Nth allocation fail, so every
 * caller must treat NULL as an ordinary answer.
 */
#ifndef UTIL_ALLOC_H
#define UTIL_ALLOC_H

#include <stddef.h>

void *util_alloc(size_t size);			/* not cleared */
void *util_zalloc(size_t size);			/* zeroed */
void *util_realloc(void *p, size_t size);	/* p stays valid on NULL */
void util_free(void *p);			/* NULL is fine */
char *util_strdup(const char *s);		/* owned, or NULL */
char *util_strndup(const char *s, size_t n);

/*
 * Make the nth allocation from now (1 is the next) fail, and every one after
 * it when `sticky`.  0 turns failing off.  For tests.
 */
void util_alloc_fail(unsigned long nth, int sticky);
/* Allocations made since the program started. */
unsigned long util_alloc_count(void);

#endif
