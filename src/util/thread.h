/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Threads of ours: they do little, so their stacks need not take the eight megabytes of
 * address space that are usual, of which a limit may leave none.
 */
#ifndef UTIL_THREAD_H
#define UTIL_THREAD_H

#include <pthread.h>

/* As pthread_create(): 0, or an error number. */
static inline int
util_thread(pthread_t *ret, void *(*fn)(void *), void *arg)
{
	enum { STACK = 512 << 10 };
	pthread_attr_t attr;
	int e = pthread_attr_init(&attr);

	if (e)
		return e;
	pthread_attr_setstacksize(&attr, STACK);
	e = pthread_create(ret, &attr, fn, arg);
	pthread_attr_destroy(&attr);
	return e;
}

#endif
