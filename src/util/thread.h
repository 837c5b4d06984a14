/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Threads of ours: they do little, so their stacks need not take the eight megabytes of
 * address space that are usual, of which a limit may leave none.  Signals are for the
 * thread that was there first, which may be waiting for one.
 */
#ifndef UTIL_THREAD_H
#define UTIL_THREAD_H

#include <pthread.h>

/* As pthread_create(): 0, or an error number. */
int util_thread(pthread_t *ret, void *(*fn)(void *), void *arg);

#endif
