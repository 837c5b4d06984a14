/* SPDX-License-Identifier: BSD-2-Clause
 *
 * For tests of threads: wait for what another one does, but not for good.
 */
#ifndef TESTS_AWAIT_H
#define TESTS_AWAIT_H

#include <semaphore.h>
#include <stdbool.h>
#include <time.h>

enum { LONG_S = 60 };		/* nobody needs so long, on any machine */

/* False: nobody came. */
static inline bool
await(sem_t *s)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += LONG_S;
	return !sem_timedwait(s, &until);
}

#endif
