/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Keeping the CPU for a moment.  While a thread is in a call that works on elements of a map
 * the kernel runs no program of a function, a perf event or a sample on its CPU
 * (bpf_disable_instrumentation()).  That is of no matter as long as nobody else runs
 * there; but the thread can be preempted in it, and then it is for as long as the others
 * take.  As a real-time thread it is not.  Who may not be one goes without.
 */
#include <sched.h>

#include "kern/kern_priv.h"

static bool
is_ordinary(int policy)
{
	return policy == SCHED_OTHER || policy == SCHED_BATCH ||
	       policy == SCHED_IDLE;
}

struct kern_steady
kern_steady(void)
{
	struct kern_steady s = { .policy = sched_getscheduler(0) };
	const struct sched_param lowest = { .sched_priority = 1 };

	s.is_changed = is_ordinary(s.policy) &&
		       !sched_setscheduler(0, SCHED_FIFO, &lowest);
	return s;
}

void
kern_steady_end(struct kern_steady *s)
{
	const struct sched_param none = { .sched_priority = 0 };

	if (s->is_changed)
		sched_setscheduler(0, s->policy, &none);
}
