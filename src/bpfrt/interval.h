/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * Firings of profile-N, and of ticks that are interrupts, which did not take place.
 * The clock of the kernel's that causes them skips the ones that it is late for by
 * a period, and stands still at times while a CPU idles.  It keeps to a grid, on
 * which a firing is late by some microseconds, seldom much more; so the
 * earliest that was ever seen says where the grid lies, and how many of its
 * points passed since the last firing on the same CPU says how many are missing.
 * What is missing at the end, after which nothing fires that could count, is
 * the consumer's to say.
 */

#include "abi/interval.h"

/* npoints elements for each CPU.  The session makes it larger. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(key_size, 4);
	__uint(value_size, sizeof(struct abi_interval));
	__uint(max_entries, 1);
} dt_intervals SEC(".maps");

/* index: of the element of this CPU. */
RT u64
rt_interval(u64 index, u64 period)
{
	u32 at = index;
	struct abi_interval *v = bpf_map_lookup_elem(&dt_intervals, &at);
	u64 missed = v ? abi_interval_fire(v, bpf_ktime_get_ns(), period) : 0;

	if (missed)
		drop_many(ABI_DROP_FIRING, bpf_get_smp_processor_id(), missed);
	return 0;
}
