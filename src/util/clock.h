/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The clock that everything here is timed by.
 */
#ifndef UTIL_CLOCK_H
#define UTIL_CLOCK_H

#include <stdint.h>
#include <time.h>

/* ns, the kernel's CLOCK_MONOTONIC, as records have it; in a time namespace, too. */
uint64_t clock_ns(void);

/* When that is by the CLOCK_MONOTONIC of this process, for what waits until then: never 0. */
struct timespec clock_local(uint64_t ns);

/* For tests: by how many ns the clock of the process with this folder in /proc is before
 * the kernel's, and what clock_local() returns where it is. */
int64_t clock_offset_of(const char *proc);
struct timespec clock_moved(uint64_t ns, int64_t by);

#endif
