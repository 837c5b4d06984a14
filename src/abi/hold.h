/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Processes that wait until their probes are there: shared by the programs that stop
 * them (bpfrt/hold.bpf.c), the consumer, and who watches over both (kengine/hold.c).
 */
#ifndef ABI_HOLD_H
#define ABI_HOLD_H

#include "abi/int.h"

enum { ABI_HOLD_SLOTS = 64, ABI_HOLD_ROOTS = 64 };

/* FREE -> TAKEN -> HELD by the programs; the rest by the others. */
enum abi_hold_state {
	ABI_HOLD_FREE,
	ABI_HOLD_TAKEN,		/* it is about to be stopped */
	ABI_HOLD_HELD,		/* SIGSTOP has been sent */
	ABI_HOLD_LATE,		/* it was let go of as its time was over */
};

/* As the kernel has it.  A new file may have the number of a deleted one. */
struct abi_hold_file {
	uint64_t dev, inode, generation, size;
	uint64_t pid;		/* that maps it: a root, or `each`; 0: whoever does */
};

struct abi_hold_slot {
	uint32_t state;		/* enum abi_hold_state */
	uint32_t pid;
	uint64_t since;		/* ns, CLOCK_MONOTONIC */
	struct abi_hold_file file;
};

struct abi_hold {
	uint32_t armed;		/* 0: nobody is stopped, for now or any more */
	uint32_t pad;
	uint64_t full;		/* were not stopped, as there was no slot; */
	uint64_t jobs;		/* as a shell would take notice */
	struct abi_hold_slot slots[ABI_HOLD_SLOTS];
};
_Static_assert(sizeof(struct abi_hold) <= 4096, "mapped as one page");

struct abi_hold_cfg {
	uint32_t each;		/* a file that is known is so for one process */
	uint32_t self;		/* who traces; it and its children are left
				 * alone, unless: */
	uint32_t nroots;	/* these, each by itself, and their children are
				 * meant; 0: all */
	uint32_t roots[ABI_HOLD_ROOTS];
};

#endif
