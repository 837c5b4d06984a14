/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * What the pieces of the kernel-side runtime share.  Restricted C for clang
 * -target bpf.  Every function that generated code calls is global, so the
 * kernel verifies it once; its arguments and result are 64-bit scalars, or
 * pointers to aggregation cells.  A function that can fault takes the index
 * of the firing's scratch slot first and leaves the fault in the slot.
 */
#ifndef BPFRT_RT_H
#define BPFRT_RT_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <bpf/bpf_helpers.h>

#include "abi/abi.h"
#include "abi/cfg.h"
#include "abi/ctl.h"
#include "abi/slot.h"

typedef unsigned long long u64;
typedef long long s64;
typedef unsigned int u32;

#define RT __attribute__((noinline))
#define INLINE static inline __attribute__((always_inline))
/* Hide a value from the optimiser, so that a check stays before its use. */
#define OPAQUE(x) asm volatile("" : "+r"(x))

/* Defaults are for the build alone: the session sets sizes before loading. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(key_size, 4);
	__uint(value_size, 65536);
	__uint(max_entries, 4);
} dt_slots SEC(".maps");

/* Running totals, one row of ABI_NDROPS per CPU. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(key_size, 4);
	__uint(value_size, 128);
	__uint(max_entries, 1);
} dt_drops SEC(".maps");
_Static_assert(ABI_NCOUNTS * 8 <= 128, "a row of drop counters");

struct abi_ctl dt_ctl SEC(".bss.ctl");

const volatile struct abi_cfg dt_cfg SEC(".rodata.cfg") = {
	.strsize = 256,
};

INLINE char *
slot_get(u64 index)
{
	u32 key = index;

	return bpf_map_lookup_elem(&dt_slots, &key);
}

/* The word of the kernel's at addr; false: it cannot be read. */
INLINE bool
peek(u64 addr, u64 *ret)
{
	return bpf_probe_read_kernel(ret, sizeof(*ret), (void *)addr) == 0;
}

INLINE void
slot_fault(char *slot, enum abi_fault fault, u64 value)
{
	struct abi_slot *s = (struct abi_slot *)slot;

	s->fault = fault + 1;
	s->fault_value = value;
}

/* Have turn(i, ctx) called n times or until it returns 1.  False, and a fault: the kernel
 * did not get through (kern/turns.c). */
INLINE bool
slot_loop(char *slot, u32 n, void *turn, void *ctx)
{
	if (bpf_loop(n, turn, ctx, 0) >= 0)
		return true;
	slot_fault(slot, ABI_FAULT_LOOP, 0);
	return false;
}

#endif
