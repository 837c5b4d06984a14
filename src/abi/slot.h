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
	uint64_t work[32];	/* state of the loops of runtime functions */
};

/* Of a slot, where programs ask for stacks: what is known of those of the kernel
 * (bpfrt/kstack.h). */
enum {
	ABI_KNOWN_FRAMES = 32, ABI_KNOWN_NEAR = 384,
	ABI_KNOWN_SIZES = 9, ABI_KNOWN_CALLS = 10,	/* bits */
};

struct abi_stacks {
	uint64_t sizes[1 << ABI_KNOWN_SIZES][2];	/* of frames */
	uint64_t calls[1 << ABI_KNOWN_CALLS];	/* who was seen to call whom */
	uint64_t near[ABI_KNOWN_NEAR];	/* what lies from the context on */
	uint64_t frames[ABI_KNOWN_FRAMES];	/* of a stack that is known */
	uint64_t turn;		/* stacks that were asked for */
	uint64_t tracers[64];	/* addresses whose function's name is known; the
				 * upper bit is 0 of those that do not trace */
};

/* Bytes of a process's stack that are looked at together (bpfrt/ustack.h). */
enum { ABI_WINDOW = 512 };

#endif
