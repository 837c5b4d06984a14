/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * What the current process has mapped at an address, found without a lock.
 * bpf_find_vma() needs that of all mappings, and does not wait for it: it fails while
 * another thread maps something, while somebody puts a uprobe into a file that is
 * mapped, and in an interrupt after the first time.  Since Linux 6.1 mappings stand in a
 * tree whose nodes can be read like any memory of the kernel:
 *
 *	mm_struct.mm_mt.ma_root		an entry
 *	an entry	the node's address; in the low 8 bits, among others, its kind
 *	a node		pivots, ascending: slot i has what lies above pivot i - 1, up to
 *			and with pivot i
 *			slots, one more than pivots: entries of nodes, or in a leaf mappings
 *			the number of the last slot: in the node, or, of a node without
 *			gaps whose last pivot is used, none, and all are used
 *
 *  1. What is read may be changed meanwhile, or be freed and be something else.  So what is
 *     found is an answer only if it is a mapping of this process at that address,
 *     by its own words. Who has read it asks again, and if that is another one, or
 *     none was found, once more from the start.
 *  2. A mapping that is being taken away may be found.  It was there.
 *  3. What is chosen is computed and not branched to, or the verifier would follow each
 *     way on each level.
 *
 * What the offsets of are unknown, as on older kernels, is not found.
 */

enum {
	MAPPING_LEVELS = 8,	/* 65,530 mappings, 5 in each node */
	MAPPING_NODE_SIZE = 256,	/* bytes; nodes are aligned so */
	MAPPING_KIND_SHIFT = 3, MAPPING_KIND_MASK = 15,
	/* kinds: pivots and slots only, in a leaf and above; with gaps */
	MAPPING_LEAF = 1, MAPPING_RANGE = 2, MAPPING_GAPS = 3,
};

/* In the slot's work, behind what the walk of a stack has there, since stack is short
 * here. */
struct mapping {
	u64 addr, mm, entry, kind, word;
	u64 pivots, slots;	/* of the node, where these are: all before them are below
				 * addr, */
	u64 n;			/* and so many more pivots may be */
	unsigned char last;	/* the number of the last slot */
};

enum { MAPPING_WORK = 23 };	/* word */
_Static_assert(MAPPING_WORK * 8 + sizeof(struct mapping) <=
	       sizeof(((struct abi_slot *)0)->work), "room");

INLINE struct mapping *
mapping_of(char *slot)
{
	return (void *)&((struct abi_slot *)slot)->work[MAPPING_WORK];
}

INLINE bool
mapping_peek(struct mapping *m, u64 addr)
{
	OPAQUE(m);		/* or the address is kept on the stack */
	return peek(addr, &m->word);
}

/* 1 if a < b, else 0.  (Of all ones and 0 the verifier would follow each.) */
INLINE u64
mapping_below(u64 a, u64 b)
{
	OPAQUE(a);
	u64 is = ((~a & b) | ((~a | b) & (a - b))) >> 63;

	OPAQUE(is);		/* or a branch is made of it */
	return is;
}

/* 1 if the node has gaps, else 0. */
INLINE u64
mapping_gaps(const struct mapping *m)
{
	_Static_assert(MAPPING_GAPS == 3 && MAPPING_RANGE == 2, "by its bits");
	u64 is = m->kind >> 1 & m->kind & 1;

	OPAQUE(is);
	return is;
}

/* Where the node has something, by its kind. */
INLINE u64
mapping_at(const struct mapping *m, enum abi_koff range, enum abi_koff gaps)
{
	u64 more = (u64)dt_cfg.koff[gaps] - dt_cfg.koff[range];

	return (m->entry & ~(u64)(MAPPING_NODE_SIZE - 1)) + dt_cfg.koff[range] +
	       mapping_gaps(m) * more;
}

/* How many pivots the node uses, into m->n: all, or as its number of the last slot says. */
INLINE void
mapping_count(struct mapping *m)
{
	u64 end = mapping_at(m, ABI_KOFF_RANGE_END, ABI_KOFF_GAPS_END);

	m->pivots = mapping_at(m, ABI_KOFF_RANGE_PIVOTS, ABI_KOFF_GAPS_PIVOTS);
	m->slots = mapping_at(m, ABI_KOFF_RANGE_SLOTS, ABI_KOFF_GAPS_SLOTS);
	m->n = (m->slots - m->pivots) / 8;
	mapping_peek(m, m->slots - 8);		/* the last pivot */
	OPAQUE(end);
	bpf_probe_read_kernel(&m->last, 1, (void *)end);
	u64 told = mapping_below(m->last, m->n) &
		   (mapping_gaps(m) | (1 - mapping_below(0, m->word)));
	m->n -= told * (m->n - m->last);
}

/* To the slot of the node that m->addr belongs to: as many as pivots, at most 15, are below
 * it. */
INLINE void
mapping_search(struct mapping *m)
{
#pragma clang loop unroll(full)
	for (u32 i = 0; i < 4; i++) {
		u64 half = m->n >> 1;
		mapping_peek(m, m->pivots + half * 8);
		u64 right = mapping_below(0, m->n) & mapping_below(m->word, m->addr);
		u64 skip = right * (half + 1);
		m->pivots += skip * 8;
		m->slots += skip * 8;
		m->n = half + right * (m->n - skip - half);
	}
}

/* From the entry of a node, in m->entry, to what that has at the address, or to 0.  How often
 * this must be done again is nothing to the verifier, as it is a function. */
RT u64
rt_mapping_descend(u64 index)
{
	char *slot = slot_get(index);

	if (!slot)
		return 0;
	struct mapping *m = mapping_of(slot);
	m->kind = m->entry >> MAPPING_KIND_SHIFT & MAPPING_KIND_MASK;
	if (m->kind < MAPPING_LEAF || m->kind > MAPPING_GAPS)
		return 0;
	mapping_count(m);
	mapping_search(m);
	m->entry = mapping_peek(m, m->slots) ? m->word : 0;
	return m->kind != MAPPING_LEAF;
}

/* Is what was found a mapping of this memory, at the address? */
INLINE bool
mapping_is(struct mapping *m)
{
	return mapping_peek(m, m->entry + dt_cfg.koff[ABI_KOFF_MAP_MM]) &&
	       m->word == m->mm &&
	       mapping_peek(m, m->entry + dt_cfg.koff[ABI_KOFF_MAP_START]) &&
	       m->word <= m->addr &&
	       mapping_peek(m, m->entry + dt_cfg.koff[ABI_KOFF_MAP_END]) &&
	       m->addr < m->word;
}

/* The memory of the current process, and the first entry of its tree. */
INLINE bool
mapping_begin(struct mapping *m)
{
	if (dt_cfg.koff[ABI_KOFF_MM_ROOT] == ~0U ||
	    dt_cfg.koff[ABI_KOFF_RANGE_END] == ~0U ||
	    dt_cfg.koff[ABI_KOFF_GAPS_END] == ~0U ||
	    !peek(bpf_get_current_task() + dt_cfg.koff[ABI_KOFF_TASK_MAPS], &m->mm))
		return false;
	return m->mm && peek(m->mm + dt_cfg.koff[ABI_KOFF_MM_ROOT], &m->entry);
}

/* The current process's mapping at addr, as the kernel's struct vm_area_struct; 0: none was
 * found. */
INLINE u64
mapping_find(char *slot, u64 index, u64 addr)
{
	struct mapping *m = mapping_of(slot);

	if (!mapping_begin(m))
		return 0;
	m->addr = addr;
	m->kind = 0;
#pragma clang loop unroll(disable)
	for (u32 i = 0; i < MAPPING_LEVELS; i++)
		if (!rt_mapping_descend(index))
			break;
	return m->kind == MAPPING_LEAF && mapping_is(m) ? m->entry : 0;
}
