/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Parts of the engine that a trace may do without: each has a file.
 */
#ifndef KENGINE_PARTS_PRIV_H
#define KENGINE_PARTS_PRIV_H

#include "kengine/kengine_priv.h"

/* Of what is counted beside drops, on all CPUs. */
static inline uint64_t
kengine_counted(const struct kengine *k, enum abi_drop kind)
{
	uint64_t n = 0;

	for (unsigned cpu = 0; k->shared.drops && cpu < k->ncpus; cpu++)
		n += __atomic_load_n(&k->shared.drops[cpu * DROP_ROW + kind],
				     __ATOMIC_RELAXED);
	return n;
}

/* interval.c: has the point a perf event? */
bool kengine_interrupts(const struct kengine_point *p);
/* Its firings on a CPU. */
struct abi_interval *kengine_interval(const struct kengine *k,
				      const struct kengine_point *p,
				      unsigned cpu);
/* From now on firings may be missing, wherever something is attached. */
void kengine_intervals_begin(struct kengine *k);
/* Firings that are missing on a CPU since the last one there. */
uint64_t kengine_missed_last(const struct kengine *k, unsigned cpu);

/* flight.c: buffers that overwrite. */
struct err *kengine_flight_size(struct kengine *k);	/* before loading */
struct err *kengine_flight_open(struct kengine *k);
void kengine_flight_close(struct kengine *k);
/* Once the tracing has ended: records of a ring, oldest first. */
const void *kengine_flight_next(struct kengine *k, unsigned ring,
				size_t *size);

/* tick.c */
struct err *kengine_tick_start(struct kengine *k);
void kengine_tick_stop(struct kengine *k);

/* pages.c: does the program read strings, and does BTF tell how the page cache
 * can be read?  Then, once it is loaded, find out where it lies; when that goes
 * wrong, programs do without.  An error is one of memory. */
bool kengine_pages_known(struct kengine *k, const struct ebpf_input *in);
struct err *kengine_pages_find(struct kengine *k);

/* kvar.c: look anew at what programs read as variables of the kernel; when that
 * is due again. */
void kengine_kvars_set(struct kengine *k);
uint64_t kengine_kvars_next(const struct kengine *k);

/* vtime.c: before loading; before attaching; when END has run. */
/* *ret: the id of its type, 0 where this kernel has no such tracepoint. */
struct err *kengine_tracepoint_id(const struct kengine *k, const char *name, uint32_t *ret);
struct err *kengine_vtime_prepare(struct kengine *k);
struct err *kengine_vtime_start(struct kengine *k);
void kengine_vtime_stop(struct kengine *k);

#endif
