/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The clock that everything here is timed by.
 */
#ifndef UTIL_CLOCK_H
#define UTIL_CLOCK_H

#include <stdint.h>
#include <time.h>

/* ns, CLOCK_MONOTONIC: as records have it. */
static inline uint64_t
clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

#endif
