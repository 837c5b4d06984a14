/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * Arguments of places that have a way of their own each (abi/layout.h).
 */

#include "abi/layout.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(key_size, 4);
	__uint(value_size, sizeof(struct abi_layout));
	__uint(max_entries, ABI_LAYOUTS);
	__uint(map_flags, BPF_F_MMAPABLE);
} dt_layouts SEC(".maps");

INLINE u64
layout_narrow(u64 v, u64 size, bool is_signed)
{
	u64 spare = 64 - 8 * size;

	v <<= spare;
	return is_signed ? (u64)((s64)v >> spare) : v >> spare;
}

/* Argument n of the layout; what cannot be read is 0. */
RT u64
rt_layout_arg(u64 layout, u64 n)
{
	u32 key = layout;
	const struct abi_layout *l = bpf_map_lookup_elem(&dt_layouts, &key);
	u64 v = 0, index = 0;

	if (!l || n >= ABI_LAYOUT_NARGS)
		return 0;
	const struct abi_place *p = &l->arg[n];
	u64 size = p->size;
	if (p->kind == ABI_PLACE_CONST)
		return p->off;
	if (p->kind == ABI_PLACE_NONE || size < 1)
		return 0;
	/* Or clang 19 compares size - 1, and up to 6.12 the verifier learns nothing of the
	 * size from that; or it compares the byte and extends that again for use. */
	OPAQUE(size);
	if (size > 8)
		return 0;
	u64 regs = bpf_task_pt_regs(bpf_get_current_task_btf());
	bpf_probe_read_kernel(&v, 8, (void *)(regs + p->reg));
	if (p->kind == ABI_PLACE_REG)
		return layout_narrow(v >> (8 * p->off & 63), size, p->is_signed);
	if (p->scale)
		bpf_probe_read_kernel(&index, 8, (void *)(regs + p->index));
	u64 addr = v + index * p->scale + p->off;
	if (p->kind == ABI_PLACE_MEMORY_32)
		addr = (u32)addr;
	v = 0;
	bpf_probe_read_user(&v, size, (void *)addr);
	return layout_narrow(v, size, p->is_signed);
}
