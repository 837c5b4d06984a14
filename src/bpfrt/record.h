/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * Records into the ring of this CPU, and what is counted when they do not
 * fit.
 */

RT u64
rt_drop(u64 kind, u64 cpu)
{
	u32 key = cpu;
	u64 *row = bpf_map_lookup_elem(&dt_drops, &key);

	if (row && kind < ABI_NDROPS)
		__sync_fetch_and_add(&row[kind], 1);
	return 0;
}

/* The record that the clause built in its slot. */
RT u64
rt_commit(u64 index, u64 cpu, u64 size)
{
	u32 key = cpu;
	void *ring = bpf_map_lookup_elem(&dt_rings, &key);
	char *slot = slot_get(index);

	if (!slot || size > dt_cfg.record_max)
		return 0;
	if (!ring || bpf_ringbuf_output(ring, slot + dt_cfg.record_off, size, 0))
		rt_drop(ABI_DROP_PRINCIPAL, cpu);
	return 0;
}

/* A clause faulted: where holds the action above the DIF offset. */
RT u64
rt_error(u64 timestamp, u64 epid_cpu, u64 where, u64 fault, u64 value)
{
	u32 cpu = epid_cpu >> 32;
	struct abi_error_record r = {
		.hdr = { ABI_EPID_ERROR, sizeof(r), timestamp },
		.epid = epid_cpu,
		.action = where >> 32,
		.dif_offset = where,
		.fault = fault,
		.value = value,
	};
	void *ring = bpf_map_lookup_elem(&dt_rings, &cpu);

	if (!ring || bpf_ringbuf_output(ring, &r, sizeof(r), 0))
		rt_drop(ABI_DROP_PRINCIPAL, cpu);
	return 0;
}
