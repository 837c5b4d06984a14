/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The door to the heap, and the counter behind it that tests use to make the
 * Nth allocation fail.  The counter is atomic, since any thread may allocate;
 * the rest is set by tests alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/alloc.h"
#include "util/cleanup.h"

static unsigned long count;	/* allocations so far, from any thread */
static unsigned long fail_at;	/* value of count that fails; 0: never */
static int fail_sticky;

static int
must_fail(void)
{
	unsigned long n = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);

	if (!fail_at)
		return 0;
	return fail_sticky ? n >= fail_at : n == fail_at;
}

void
util_alloc_fail(unsigned long nth, int sticky)
{
	fail_at = nth ? count + nth : 0;
	fail_sticky = sticky;
}

unsigned long
util_alloc_count(void)
{
	return count;
}

void *
util_alloc(size_t size)
{
	return must_fail() ? NULL : malloc(size ? size : 1);
}

void *
util_zalloc(size_t size)
{
	return must_fail() ? NULL : calloc(1, size ? size : 1);
}

void *
util_realloc(void *p, size_t size)
{
	return must_fail() ? NULL : realloc(p, size ? size : 1);
}

void
util_free(void *p)
{
	free(p);
}

char *
util_strndup(const char *s, size_t n)
{
	char *copy = util_alloc(n + 1);

	if (!copy)
		return NULL;
	memcpy(copy, s, n);
	copy[n] = '\0';
	return copy;
}

char *
util_strdup(const char *s)
{
	return util_strndup(s, strlen(s));
}

void
util_freep(void *pp)
{
	util_free(*(void **)pp);
}

void
util_closep(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

void
util_fclosep(void *fp)
{
	FILE *f = *(FILE **)fp;

	if (f)
		fclose(f);
}
