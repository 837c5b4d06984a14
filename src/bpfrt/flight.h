/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * Buffers that overwrite (bufpolicy=ring): the last records of each CPU, read
 * when all is over.  The kernel's ring buffers refuse what does not fit, hence
 * this.
 *
 * `head` counts all bytes ever reserved; a record lies at head modulo the size,
 * a power of two, and never across the end: what is left there is a gap.  Both
 * records and gaps end in a mark that tells how long they are, so whoever knows
 * head finds the newest, the one before, and so on back, until one begins more
 * than the size ago: that one has been overwritten, at least in part.
 *
 * Firings nest, and with more CPUs than rings some share one, so room is taken
 * by compare and exchange.
 */

#include "abi/flight.h"

/* The session makes both larger. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(key_size, 4);
	__uint(value_size, 4096 + sizeof(struct abi_flight));
	__uint(max_entries, 1);
} dt_flight SEC(".maps");

/* size bytes end at `end` of the area; head is then `head`. */
INLINE void
flight_mark(char *area, u64 end, u64 head, u64 size)
{
	OPAQUE(end);
	if (end < 8 || end > dt_cfg.flight_size)
		return;
	*(u64 *)(area + sizeof(struct abi_flight) - 8 + end) =
		ABI_FLIGHT_MARK(head, size);
}

/* Reserve size bytes, mark included: 1 + where they begin, or 0. */
RT u64
rt_flight(u64 ring, u64 size)
{
	u32 key = ring;
	char *area = bpf_map_lookup_elem(&dt_flight, &key);
	u64 all = dt_cfg.flight_size;

	if (!area || size > all)
		return 0;
	for (int i = 0; i < 16; i++) {
		u64 old = *(volatile u64 *)area;
		u64 left = all - (old & (all - 1));
		u64 at = left < size ? old + left : old;
		if (__sync_val_compare_and_swap((u64 *)area, old,
						at + size) != old)
			continue;
		u64 place = at & (all - 1);
		if (at != old)
			flight_mark(area, all, at, left | ABI_FLIGHT_GAP);
		flight_mark(area, place + size, at + size, size);
		return place + 1;
	}
	return 0;
}

struct flight_copy {
	char *area, *slot;
	u64 at;
};

static long
flight_word(u32 i, struct flight_copy *c)
{
	u64 from = dt_cfg.record_off + (u64)i * 8;
	u64 to = sizeof(struct abi_flight) + c->at + (u64)i * 8;

	OPAQUE(from);
	OPAQUE(to);
	if (from > dt_cfg.slot_size - 8 ||
	    to > dt_cfg.flight_size + sizeof(struct abi_flight) - 8)
		return 1;
	*(u64 *)(c->area + to) = *(u64 *)(c->slot + from);
	return 0;
}

/* Write the record of the slot, which is a log of size bytes; 0: no room. */
RT u64
rt_flight_log(u64 index, u64 ring, u64 size)
{
	struct flight_copy c = { .slot = slot_get(index) };
	u32 key = ring;

	c.area = bpf_map_lookup_elem(&dt_flight, &key);
	if (!c.area || !c.slot)
		return 0;
	c.at = rt_flight(ring, size + 8);
	if (!c.at)
		return 0;
	c.at--;
	bpf_loop(size / 8, flight_word, &c, 0);
	return 1;
}
