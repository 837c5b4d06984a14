/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * Speculations: which are free, in use, ended (abi/spec.h).  Any CPU may begin
 * or end any, so the word of one changes by compare and exchange alone, and
 * only the one who changes it goes on: of two commits of a speculation one
 * does something.
 *
 * When a speculation has ended, firings that had called speculate() before may
 * still write to it.  On the CPU that ends it there are none, or such as it
 * interrupts; so when no other CPU has called speculate(), the id is free at once
 * for its next generation.  Otherwise, too, but not more than ABI_SPEC_AHEAD times
 * before the consumer has seen the ends of all of these, since it must remember
 * them: what comes late bears the tag of the use that it belongs to.
 *
 * specsize is room on each CPU, so `used` has a word for each, which tells of
 * which generation it is: nobody needs to zero it.
 */

#include "abi/record.h"
#include "abi/spec.h"

/* The session makes both larger. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(key_size, 4);
	__uint(value_size, sizeof(struct abi_spec));
	__uint(max_entries, 1);
} dt_specs SEC(".maps");

/* generation << 32 | bytes recorded: nspec words for each CPU. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
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

INLINE u64 *
spec_used(u64 tag, u32 cpu)
{
	u32 at = cpu * dt_cfg.nspec + ABI_SPEC_ID(tag) - 1;

	return bpf_map_lookup_elem(&dt_spec_used, &at);
}

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

/* The speculation id; NULL when there is none. */
INLINE struct abi_spec *
spec_of(u64 id)
{
	return id && id <= dt_cfg.nspec ? spec_get(id - 1) : NULL;
}

/* At most so many others change a word while somebody tries to: one calls
 * speculate() as the first, one as the second, one ends it. */
enum { SPEC_TRIES = 4 };

/* speculate(): the tag for what is recorded from now on. */
RT u64
rt_speculate(u64 id)
{
	struct abi_spec *s = spec_of(id);
	u32 me = bpf_get_smp_processor_id() + 1;

	if (!s)
		return ABI_SPEC_NOWHERE;
	for (int i = 0; i < SPEC_TRIES; i++) {
		u64 old = *(volatile u64 *)&s->word;
		u32 user = ABI_SPEC_USER(old);
		if (ABI_SPEC_STATE(old) != ABI_SPEC_ACTIVE)
			break;
		if (user == me || user == ABI_SPEC_MANY ||
		    __sync_val_compare_and_swap(&s->word, old,
			ABI_SPEC_WORD(old >> 32, user ? ABI_SPEC_MANY : me,
				      ABI_SPEC_ACTIVE)) == old)
			return ABI_SPEC_TAG(id, old >> 32);
	}
	return ABI_SPEC_NOWHERE;
}

/* Has this CPU recorded something of that generation? */
INLINE int
spec_has_some(u64 id, u32 gen, u32 cpu)
{
	u64 *used = spec_used(id, cpu);

	return used && *used >> 32 == gen && (u32)*used;
}

/* commit() and discard(): begin to end an active speculation.  The tag of what
 * ends, with bits that tell how; 0: there is nothing to tell anybody, because
 * it was not active, or what is discarded is nothing. */
RT u64
rt_spec_end(u64 id, u64 how)
{
	struct abi_spec *s = spec_of(id);
	u32 cpu = bpf_get_smp_processor_id();

	if (!s)
		return 0;
	for (int i = 0; i < SPEC_TRIES; i++) {
		u64 old = *(volatile u64 *)&s->word;
		u32 gen = old >> 32, user = ABI_SPEC_USER(old);
		u64 shared = user && user != cpu + 1 ? ABI_SPEC_END_SHARED : 0;
		if (ABI_SPEC_STATE(old) != ABI_SPEC_ACTIVE)
			break;
		if (__sync_val_compare_and_swap(&s->word, old,
			ABI_SPEC_WORD(gen, user, ABI_SPEC_ENDING)) != old)
			continue;
		if (!how || shared || spec_has_some(id, gen, cpu))
			return ABI_SPEC_TAG(id, gen) | how | shared;
		*(volatile u64 *)&s->word = ABI_SPEC_WORD(gen + 1, 0,
							  ABI_SPEC_IDLE);
		break;
	}
	return 0;
}

/* What tag says has been told; lost: when that was not possible at this time.
 * Free the speculation, or leave it to the consumer. */
RT u64
rt_spec_ended(u64 tag, u64 lost)
{
	struct abi_spec *s = spec_of(ABI_SPEC_ID(tag));
	u32 gen = ABI_SPEC_GEN(tag);

	if (!s)
		return 0;
	if (lost)
		*(volatile u64 *)&s->lost = lost;
	if (lost || (tag & ABI_SPEC_END_SHARED &&
		     __sync_fetch_and_add(&s->ahead, 1) >= ABI_SPEC_AHEAD))
		*(volatile u64 *)&s->word = ABI_SPEC_WORD(gen, 0,
			tag & ABI_SPEC_END_DISCARD ? ABI_SPEC_DISCARDED
						   : ABI_SPEC_COMMITTED);
	else
		*(volatile u64 *)&s->word = ABI_SPEC_WORD(gen + 1, 0,
							  ABI_SPEC_IDLE);
	return 0;
}

/* Take size bytes of the room of a speculation; 1, and a drop is counted, when
 * there is not so much.  What comes late, when the word is of a later generation,
 * takes nothing. */
RT u64
rt_spec_room(u64 tag, u64 size, u64 cpu)
{
	u64 *used = spec_used(tag, cpu);
	u32 gen = ABI_SPEC_GEN(tag);

	for (int i = 0; used && i < SPEC_TRIES; i++) {
		u64 old = *(volatile u64 *)used;
		int newer = gen - (u32)(old >> 32);
		u64 bytes = newer ? 0 : (u32)old;
		if (newer < 0)
			return 0;
		if (bytes + size > dt_cfg.specsize)
			break;
		if (__sync_val_compare_and_swap(used, old,
				(u64)gen << 32 | (bytes + size)) == old)
			return 0;
	}
	drop_one(ABI_DROP_SPEC, cpu);
	return 1;
}
