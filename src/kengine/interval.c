/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Points that fire at intervals: how many firings are missing (bpfrt/interval.h).
 */
#include <assert.h>

#include "kengine/kengine_priv.h"
#include "kengine/parts_priv.h"

bool
kengine_interrupts(const struct kengine_point *p)
{
	return p->p->trigger == PROV_TRIGGER_PROFILE ||
	       p->p->trigger == PROV_TRIGGER_INTERRUPT;
}

struct abi_interval *
kengine_interval(const struct kengine *k, const struct kengine_point *p,
		 unsigned cpu)
{
	assert(cpu < k->ncpus && p->interval < k->nintervals &&
	       kengine_interrupts(p));
	return &k->shared.intervals[cpu * k->nintervals + p->interval];
}

uint64_t
kengine_missed_last(const struct kengine *k, unsigned cpu)
{
	uint64_t n = 0;

	if (!k->shared.intervals || !k->e.stopped_ns)
		return 0;
	for (uint32_t i = 0; i < k->e.in.npoints; i++) {
		const struct kengine_point *p = &k->points[i];
		if (kengine_interrupts(p))
			n += abi_interval_end(kengine_interval(k, p, cpu),
					      k->e.stopped_ns, p->p->period_ns);
	}
	return n;
}

void
kengine_intervals_begin(struct kengine *k)
{
	uint64_t now = clock_ns();

	for (size_t i = 0; i < k->e.in.npoints; i++) {
		const struct kengine_point *p = &k->points[i];
		for (unsigned cpu = 0; kengine_interrupts(p) && cpu < k->ncpus;
		     cpu++)
			if (kengine_interval(k, p, cpu)->begun)
				kengine_interval(k, p, cpu)->begun = now;
	}
}

