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
	u64 addr, mm, entry, kind, node, word;
	u64 first, n;		/* of pivots: all before the first are below addr, and
				 * n more may be */
	unsigned char last;	/* the number of the last slot */
};

enum { MAPPING_WORK = 23 };	/* word */
_Static_assert(MAPPING_WORK * 8 + sizeof(struct mapping) <=
	       sizeof(((struct abi_slot *)0)->work), "room");

INLINE bool
mapping_peek(struct mapping *m, u64 addr)
{
	OPAQUE(m);		/* or the address is kept on the stack */
	return peek(addr, &m->word);
}

/* An offset in the node, by its kind. */
INLINE u64
mapping_off(const struct mapping *m, enum abi_koff range, enum abi_koff gaps)
{
	return dt_cfg.koff[m->kind == MAPPING_GAPS ? gaps : range];
}

INLINE u64
mapping_pivots(const struct mapping *m)
{
	return m->node + mapping_off(m, ABI_KOFF_RANGE_PIVOTS, ABI_KOFF_GAPS_PIVOTS);
}

INLINE u64
mapping_slots(const struct mapping *m)
{
	return m->node + mapping_off(m, ABI_KOFF_RANGE_SLOTS, ABI_KOFF_GAPS_SLOTS);
}

/* How many pivots the node uses, into m->n. */
INLINE void
mapping_count(struct mapping *m)
{
	m->n = (mapping_slots(m) - mapping_pivots(m)) / 8;
	mapping_peek(m, mapping_slots(m) - 8);		/* the last pivot */
	if (m->word && m->kind != MAPPING_GAPS)
		return;
	OPAQUE(m);
	bpf_probe_read_kernel(&m->last, 1, (void *)(m->node +
		mapping_off(m, ABI_KOFF_RANGE_END, ABI_KOFF_GAPS_END)));
	if (m->last < m->n)
		m->n = m->last;
}

/* Which slot of the node m->addr belongs to, into m->first: how many of the pivots, at
 * most 15, are below it. */
INLINE void
mapping_search(struct mapping *m)
{
	m->first = 0;
#pragma clang loop unroll(full)
	for (u32 i = 0; i < 4; i++) {
		mapping_peek(m, mapping_pivots(m) + (m->first + (m->n >> 1)) * 8);
		u64 half = m->n >> 1;
		u64 skip = m->n && m->word < m->addr ? half + 1 : 0;
		m->first += skip;
		m->n = skip ? m->n - skip : half;
	}
}

/* From the entry of a node to what that has at the address; 0: nothing that can be read. */
INLINE void
mapping_descend(struct mapping *m)
{
	m->node = m->entry & ~(u64)(MAPPING_NODE_SIZE - 1);
	mapping_count(m);
	mapping_search(m);
	m->entry = mapping_peek(m, mapping_slots(m) + m->first * 8) ? m->word : 0;
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
RT u64
rt_mapping(u64 index, u64 addr)
{
	char *slot = slot_get(index);

	if (!slot)
		return 0;
	struct mapping *m = (void *)&((struct abi_slot *)slot)->work[MAPPING_WORK];
	if (!mapping_begin(m))
		return 0;
	m->addr = addr;
	m->kind = MAPPING_GAPS;
#pragma clang loop unroll(disable)
	for (u32 i = 0; i < MAPPING_LEVELS && m->kind != MAPPING_LEAF; i++) {
		m->kind = m->entry >> MAPPING_KIND_SHIFT & MAPPING_KIND_MASK;
		if (m->kind < MAPPING_LEAF || m->kind > MAPPING_GAPS)
			return 0;
		mapping_descend(m);
	}
	return mapping_is(m) ? m->entry : 0;
}
