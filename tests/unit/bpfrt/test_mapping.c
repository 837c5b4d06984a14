/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a process has mapped at an address (bpfrt/mapping.h), as a program of the host
 * (support/bpfhost): trees of every height and filling that the kernel may have, and such
 * as change meanwhile, against the mappings themselves.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "bpfrt/rt.h"
#include "fakes.h"

/* What else bpfrt/mapping.h asks of the kernel. */
u64 bpf_get_current_task(void);

#include "base/base.h"
#include "bpfrt/mapping.h"
#include "some.h"

enum { NVMAS = 3000, NNODES = 2000, RANGE_SLOTS = 16, GAPS_SLOTS = 10, PAGE = 4096 };

/* As the kernel lays them out: kinds LEAF and RANGE, and GAPS. */
struct range {
	u64 parent, pivot[RANGE_SLOTS - 1], slot[RANGE_SLOTS];
};

struct gaps {
	u64 parent, pivot[GAPS_SLOTS - 1], slot[GAPS_SLOTS], gap[GAPS_SLOTS];
	unsigned char end, first;
};

union node {
	struct range range;
	struct gaps gaps;
	char room[MAPPING_NODE_SIZE];
} __attribute__((aligned(MAPPING_NODE_SIZE)));
_Static_assert(sizeof(union node) == MAPPING_NODE_SIZE, "an address has a kind in it");

struct vma {
	u64 start, end, mm;
};

static union node nodes[NNODES];
static struct vma vmas[NVMAS];
static struct { u64 mm, root; } task;	/* its memory is here, too */
static struct abi_slot scratch;
static u32 nnodes, nvmas;

u64
bpf_get_current_task(void)
{
	return address(&task);
}

/* Nothing else is read, lest it be of a node that is none. */
long
bpf_probe_read_kernel(void *to, uint32_t size, const void *from)
{
	u64 at = address(from);
	bool is = is_within(at, size, nodes, sizeof(nodes)) ||
		  is_within(at, size, vmas, sizeof(vmas)) ||
		  is_within(at, size, &task, sizeof(task));

	memset(to, 0, size);
	if (is)
		memcpy(to, from, size);
	return is ? 0 : -EFAULT;
}

void *
bpf_map_lookup_elem(const void *map, const void *key)
{
	(void)key;
	return map == (const void *)&dt_slots ? &scratch : NULL;
}

static void
begin(void)
{
	struct abi_cfg *cfg = (struct abi_cfg *)(uintptr_t)&dt_cfg;

	assert_int_equal(bpfhost_open(&dt_cfg, sizeof(dt_cfg)), 0);
#define AT(name, type, member) cfg->koff[ABI_KOFF_##name] = offsetof(type, member)
	AT(RANGE_PIVOTS, struct range, pivot);
	AT(RANGE_SLOTS, struct range, slot);
	AT(RANGE_END, struct range, slot[RANGE_SLOTS - 1]);
	AT(GAPS_PIVOTS, struct gaps, pivot);
	AT(GAPS_SLOTS, struct gaps, slot);
	AT(GAPS_END, struct gaps, end);
	AT(MAP_START, struct vma, start);
	AT(MAP_END, struct vma, end);
	AT(MAP_MM, struct vma, mm);
#undef AT
	cfg->koff[ABI_KOFF_TASK_MAPS] = 0;
	cfg->koff[ABI_KOFF_MM_ROOT] = 8;
	task.mm = (uintptr_t)&task;
	task.root = 0;
	memset(nodes, 0xa5, sizeof(nodes));	/* what was there before */
	memset(vmas, 0, sizeof(vmas));
	nnodes = nvmas = 0;
}

/* What stands in a slot, and the last address that it is for. */
struct entry {
	u64 slot, last;
};

/* A node of a kind with n entries, which the last node of all ends with the last address. */
static struct entry
make_node(u32 kind, const struct entry *in, u32 n)
{
	union node *node = &nodes[nnodes++];
	u32 nslots = kind == MAPPING_GAPS ? GAPS_SLOTS : RANGE_SLOTS;
	u64 *pivot = node->range.pivot;
	u64 *slot = kind == MAPPING_GAPS ? node->gaps.slot : node->range.slot;

	assert_in_range(nnodes, 1, NNODES - 1);
	if (n < nslots && kind != MAPPING_GAPS)
		pivot[nslots - 2] = 0;
	for (u32 i = 0; i < n; i++) {
		slot[i] = in[i].slot;
		if (i < nslots - 1)
			pivot[i] = in[i].last;
	}
	if (kind == MAPPING_GAPS)
		node->gaps.end = (unsigned char)(n - 1);
	else if (n < nslots - 1)
		*(unsigned char *)&slot[nslots - 1] = (unsigned char)(n - 1);
	return (struct entry){
		(uintptr_t)node | kind << MAPPING_KIND_SHIFT | 4, in[n - 1].last };
}

/* Nodes of up to `most` slots of the entries; how many there are. */
static u32
make_level(u32 kind, struct entry *e, u32 n, u32 most)
{
	u32 to = 0;

	for (u32 at = 0; at < n; to++) {
		u32 part = 1 + some(most);
		part = part < n - at ? part : n - at;
		struct entry node = make_node(kind, e + at, part);
		at += part;
		e[to] = node;
	}
	return to;
}

/* Mappings at random, with and without room between them. */
static u32
make_vmas(u32 n, struct entry *e)
{
	u64 at = some(3) * PAGE;
	u32 ne = 0;

	for (nvmas = 0; nvmas < n; nvmas++) {
		struct vma *v = &vmas[nvmas];
		if (at > (nvmas ? v[-1].end : 0))
			e[ne++] = (struct entry){ 0, at - 1 };
		*v = (struct vma){ at, at + (1 + some(4)) * PAGE, task.mm };
		e[ne++] = (struct entry){ (uintptr_t)v, v->end - 1 };
		at = v->end + some(3) * PAGE;
	}
	e[ne++] = (struct entry){ 0, UINT64_MAX };
	return ne;
}

static u64
at(u64 addr)
{
	for (u32 i = 0; i < nvmas; i++)
		if (vmas[i].start <= addr && addr < vmas[i].end)
			return (uintptr_t)&vmas[i];
	return 0;
}

static void
make_tree(u32 n, u32 kind, u32 leaf, u32 above)
{
	static struct entry e[2 * NVMAS + 1];
	u32 ne;

	begin();
	ne = make_level(MAPPING_LEAF, e, make_vmas(n, e), leaf);
	while (ne > 1)
		ne = make_level(kind, e, ne, above);
	task.root = e[0].slot | 2;
}

static u64
find(u64 addr)
{
	return mapping_find((char *)&scratch, 0, addr);
}

static void
check_tree(void)
{
	u64 end = vmas[nvmas - 1].end;

	for (u64 addr = 0; addr < end + 2 * PAGE; addr += PAGE) {
		assert_int_equal(find(addr), at(addr));
		assert_int_equal(find(addr + PAGE - 1), at(addr));
	}
	assert_int_equal(find(UINT64_MAX), 0);
}

/* Every number of mappings that one node may have, and more levels. */
static void
test_trees(void **state)
{
	(void)state;
	for (u32 n = 1; n < 40; n++)
		for (u32 i = 0; i < 20; i++) {
			make_tree(n, MAPPING_GAPS, RANGE_SLOTS, GAPS_SLOTS);
			check_tree();
			make_tree(n, MAPPING_RANGE, RANGE_SLOTS, RANGE_SLOTS);
			check_tree();
		}
	make_tree(NVMAS, MAPPING_GAPS, RANGE_SLOTS, GAPS_SLOTS);
	check_tree();
}

/* A mapping of somebody else, one that is elsewhere now, a node that is none any more, no
 * memory. */
static void
test_changes(void **state)
{
	u64 addr;

	(void)state;
	make_tree(30, MAPPING_GAPS, RANGE_SLOTS, GAPS_SLOTS);
	addr = vmas[20].start;
	assert_int_equal(find(addr), (uintptr_t)&vmas[20]);
	vmas[20].mm++;
	assert_int_equal(find(addr), 0);
	vmas[20].mm--;
	vmas[20].start++;
	assert_int_equal(find(addr), 0);
	vmas[20].start--;
	vmas[20].end = addr;
	assert_int_equal(find(addr), 0);
	vmas[20].end = addr + 1;
	assert_int_equal(find(addr), (uintptr_t)&vmas[20]);
	memset(nodes, 0xff, sizeof(nodes));
	assert_int_equal(find(addr), 0);
	/* one that leads to itself for ever */
	for (u32 i = 0; i < GAPS_SLOTS; i++)
		nodes[0].gaps.slot[i] = (uintptr_t)nodes | MAPPING_GAPS << MAPPING_KIND_SHIFT;
	task.root = nodes[0].gaps.slot[0];
	assert_int_equal(find(addr), 0);
	for (u32 kind = 0; kind <= MAPPING_KIND_MASK; kind++) {
		task.root = 4096 | kind << MAPPING_KIND_SHIFT;	/* not to be read */
		assert_int_equal(find(addr), 0);
	}
	task.mm = 0;
	assert_int_equal(find(addr), 0);

}

/* A kernel without such trees, and one that cannot be asked for a process's memory: what
 * was found before is not taken for it. */
static void
test_unknown(void **state)
{
	static const enum abi_koff needed[] = {
		ABI_KOFF_MM_ROOT, ABI_KOFF_RANGE_END, ABI_KOFF_GAPS_END,
		ABI_KOFF_TASK_MAPS,
	};
	struct abi_cfg *cfg = (struct abi_cfg *)(uintptr_t)&dt_cfg;
	struct mapping *m = mapping_of((char *)&scratch);

	(void)state;
	make_tree(30, MAPPING_GAPS, RANGE_SLOTS, GAPS_SLOTS);
	assert_int_equal(find(vmas[3].start), (uintptr_t)&vmas[3]);
	for (u32 i = 0; i < BASE_NELEMS(needed); i++) {
		u32 was = cfg->koff[needed[i]];
		m->mm = task.mm;
		m->entry = task.root;
		cfg->koff[needed[i]] = ~0U;
		assert_int_equal(find(vmas[3].start), 0);
		cfg->koff[needed[i]] = was;
	}
	assert_int_equal(find(vmas[3].start), (uintptr_t)&vmas[3]);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_trees),
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
