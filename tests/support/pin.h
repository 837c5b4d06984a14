/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A test that stays on one CPU, and the threads that it starts.
 */
#ifndef TESTS_SUPPORT_PIN_H
#define TESTS_SUPPORT_PIN_H

#include <sched.h>

static inline void
pin(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)sched_getcpu(), &set);
	sched_setaffinity(0, sizeof(set), &set);
}

#endif
