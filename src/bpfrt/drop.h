/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * What is lost is counted.
 */

INLINE void
drop_many(u64 kind, u64 cpu, u64 n)
{
	u32 key = cpu;
	u64 *row = bpf_map_lookup_elem(&dt_drops, &key);

	if (row && kind < ABI_NDROPS)
		__sync_fetch_and_add(&row[kind], n);
}

INLINE void
drop_one(u64 kind, u64 cpu)
{
	drop_many(kind, cpu, 1);
}

RT u64
rt_drop(u64 kind, u64 cpu)
{
	drop_one(kind, cpu);
	return 0;
}
