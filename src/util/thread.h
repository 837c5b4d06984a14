/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Threads of ours: they do little, so their stacks need not take the eight megabytes of
 * address space that are usual, of which a limit may leave none.  Signals are for the
 * thread that was there first, which may be waiting for one.
 */
#ifndef UTIL_THREAD_H
#define UTIL_THREAD_H

#include <pthread.h>
#include <signal.h>

/* As pthread_create(): 0, or an error number. */
static inline int
util_thread(pthread_t *ret, void *(*fn)(void *), void *arg)
{
	enum { STACK = 512 << 10 };
	pthread_attr_t attr;
	int e = pthread_attr_init(&attr);
	sigset_t all, old;

	if (e)
		return e;
	pthread_attr_setstacksize(&attr, STACK);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	e = pthread_create(ret, &attr, fn, arg);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attr);
	return e;
}

#endif
