/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Scratch slots.
 *
 * One firing that needs memory claims one of its CPU's slots by exchanging
 * busy with 1, and stores 0 when it is done.  Programs nest (task, softirq,
 * irq, NMI) and uprobe programs can be preempted, hence several.
 * Behind this header stand, at offsets the code generator chose: clause-local
 * variables, tuple cells, key, record, strings, and alloca() scratch.
 */
#ifndef ABI_SLOT_H
#define ABI_SLOT_H

#include "abi/int.h"

enum { ABI_NSLOTS = 4 };

struct abi_slot {
	uint32_t busy;
	uint32_t fault;		/* enum abi_fault + 1; 0: none.  Set by runtime
				 * functions, cleared by whoever handles it */
	uint64_t fault_value;
	uint64_t self;		/* the address of this slot, as a number */
	uint64_t conv;		/* where a pointer becomes a number */
	uint32_t scratch_used;	/* bytes of alloca() scratch */
	uint32_t serial;	/* of the last stamp from here; never reset */
	uint64_t owner;		/* the context of the firing, while it is handed
				 * from one program to the next; else 0 */
	/* Of a CPU's first slot: when its interval for chill() began, and how
	 * much of it was spent so, ns. */
	uint64_t chill_since, chill_spent;
	uint32_t loop_state;	/* which loop goes on; 0: none, from the top */
	uint32_t loop_left;	/* how the callback left, enum ebpf_left */
	uint32_t turns;		/* of all loops of the clause */
	uint32_t log_used;	/* bytes of the record, when it is a log */
	uint64_t saved[8];	/* arguments while ERROR's clauses run */
	uint64_t work[23];	/* state of the loops of runtime functions */
};

/* Of a slot, where programs ask for stacks: those of the kernel that were seen
 * (bpfrt/kstack.h). */
enum { ABI_KNOWN_STACKS = 4, ABI_KNOWN_FRAMES = 8 };

struct abi_known {
	uint32_t point;		/* 1 + its number */
	uint32_t n;		/* return addresses; 0: none is known */
	uint64_t ret[ABI_KNOWN_FRAMES];
	uint32_t at[ABI_KNOWN_FRAMES];	/* words from the context, all but the
					 * last */
};

struct abi_stacks {
	struct abi_known known[ABI_KNOWN_STACKS];	/* by point */
	uint64_t near[40];	/* what lies from the context on */
	uint64_t tracers[64];	/* addresses whose function's name is known; the
				 * upper bit is 0 of those that do not trace */
};

/* Bytes of a process's stack that are looked at together (bpfrt/ustack.h). */
enum { ABI_WINDOW = 512 };

#endif
