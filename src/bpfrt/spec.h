/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * Speculations: which are free, in use, ended (abi/rt.h).  Any CPU may begin
 * or end any, so the word of one changes by compare and exchange alone, and
 * only the one who changes it goes on: of two commits of a speculation one
 * does something.
 *
 * specsize is room on each CPU, so `used` has a word for each; the consumer
 * zeroes them when it frees the speculation.
 */

/* The session makes both larger. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(key_size, 4);
	__uint(value_size, sizeof(struct abi_spec));
	__uint(max_entries, 1);
} dt_specs SEC(".maps");

/* Bytes recorded: nspec words for each CPU. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(key_size, 4);
	__uint(value_size, 8);
	__uint(max_entries, 1);
} dt_spec_used SEC(".maps");

INLINE struct abi_spec *
spec_get(u32 index)
{
	return bpf_map_lookup_elem(&dt_specs, &index);
}

struct spec_search {
	u32 id;		/* found; 0: none */
	u32 busy;	/* some have ended, and are not free yet */
};

static long
spec_take(u32 i, struct spec_search *c)
{
	struct abi_spec *s = spec_get(i);

	if (!s)
		return 1;
	u64 old = *(volatile u64 *)&s->word;
	if (ABI_SPEC_STATE(old) > ABI_SPEC_ACTIVE)
		c->busy = 1;
	if (ABI_SPEC_STATE(old) != ABI_SPEC_IDLE)
		return 0;
	if (__sync_val_compare_and_swap(&s->word, old,
					old | ABI_SPEC_ACTIVE) != old)
		return 0;
	c->id = i + 1;
	return 1;
}

/* speculation() */
RT u64
rt_speculation(u64 cpu)
{
	struct spec_search c = { 0, 0 };

	/* A loop of no turns would leave the kernel with a callback that it has
	 * never seen (Linux 6.18 refuses that as a bug of its own). */
	if (dt_cfg.nspec)
		bpf_loop(dt_cfg.nspec, spec_take, &c, 0);
	if (!c.id)
		drop_one(c.busy ? ABI_DROP_SPECBUSY : ABI_DROP_SPECUNAVAIL,
			 cpu);
	return c.id;
}

/* The speculation id; NULL for 0, and after a fault. */
INLINE struct abi_spec *
spec_of(u64 index, u64 id)
{
	char *slot = slot_get(index);

	if (!slot || !id)
		return NULL;
	if (id > dt_cfg.nspec) {
		slot_fault(slot, ABI_FAULT_ILLOP, 0);
		return NULL;
	}
	return spec_get(id - 1);
}

/* speculate(): the tag for what is recorded from now on. */
RT u64
rt_speculate(u64 index, u64 id, u64 unused)
{
	struct abi_spec *s = spec_of(index, id);

	if (!s)
		return ABI_SPEC_NOWHERE;
	u64 word = *(volatile u64 *)&s->word;
	if (ABI_SPEC_STATE(word) != ABI_SPEC_ACTIVE)
		return ABI_SPEC_NOWHERE;
	return ABI_SPEC_TAG(id, word >> 32);
}

/* commit() and discard(): end an active speculation as `state`; its tag, 0
 * when it was not active. */
RT u64
rt_spec_end(u64 index, u64 id, u64 state)
{
	struct abi_spec *s = spec_of(index, id);

	if (!s)
		return 0;
	u64 old = *(volatile u64 *)&s->word;
	if (ABI_SPEC_STATE(old) != ABI_SPEC_ACTIVE ||
	    __sync_val_compare_and_swap(&s->word, old,
		ABI_SPEC_WORD(old >> 32, state)) != old)
		return 0;
	return ABI_SPEC_TAG(id, old >> 32);
}

/* There was no room for the record of a commit made at `time`. */
RT u64
rt_spec_lost(u64 tag, u64 time)
{
	struct abi_spec *s = spec_get(ABI_SPEC_ID(tag) - 1);

	if (s)
		*(volatile u64 *)&s->lost = time;
	return 0;
}

/* Take size bytes of the room of a speculation; 1, and a drop is counted, when
 * there is not so much. */
RT u64
rt_spec_room(u64 tag, u64 size, u64 cpu)
{
	u32 at = cpu * dt_cfg.nspec + ABI_SPEC_ID(tag) - 1;
	u64 *used = bpf_map_lookup_elem(&dt_spec_used, &at);

	if (used) {
		u64 old = __sync_fetch_and_add(used, size);
		if (old + size <= dt_cfg.specsize)
			return 0;
		__sync_fetch_and_sub(used, size);
	}
	drop_one(ABI_DROP_SPEC, cpu);
	return 1;
}
