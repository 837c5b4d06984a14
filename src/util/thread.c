/* SPDX-License-Identifier: BSD-2-Clause */
#include <signal.h>

#include "util/thread.h"

enum { STACK = 512 << 10 };

int
util_thread(pthread_t *ret, void *(*fn)(void *), void *arg)
{
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
