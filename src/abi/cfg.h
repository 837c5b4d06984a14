/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Configuration: constants to the verifier.
 */
#ifndef ABI_CFG_H
#define ABI_CFG_H

#include "abi/int.h"

enum abi_koff {
#define KOFF(name, ...) ABI_KOFF_##name,
#include "abi/koff.def"
#undef KOFF
	ABI_NKOFFS
};

struct abi_cfg {
	uint32_t strsize;	/* bytes, NUL included; <= ABI_STRSIZE_MAX */
	uint32_t slot_size;	/* bytes of one slot, header included */
	uint32_t record_off;	/* in a slot */
	uint32_t scratch_off;
	uint32_t scratch_size;
	uint32_t tmp_off;	/* two strings of runtime functions, or 72
				 * bytes of digits */
	uint32_t token_off;	/* strtok(): u64 the offset in the slot where it
				 * goes on, 0: nowhere; then its string.  0:
				 * nobody calls it */
	uint32_t json_off;	/* json(): a bit for each container that can be
				 * open.  0: nobody calls it */
	uint32_t stacks_off;	/* struct abi_stacks.  0: nobody asks */
	uint32_t window_off;	/* ABI_WINDOW bytes, for ustack(), u64 the
				 * address of a page that is none, and, if there
				 * are tables, struct abi_unwind_late[].  The
				 * same */
	uint32_t ncpus;
	uint32_t flight_size;	/* bytes for the records of a ring */
	uint32_t nspec;
	uint32_t specsize;	/* bytes of one speculation on one CPU */
	int32_t preempt_off;	/* from a CPU's run queue to its word of what
				 * forbids to preempt, bytes; 0: unknown */
	uint32_t preempt_shift;	/* how many bits higher than ever interrupts and NMIs
				 * are counted there: 0 or 8 */
	int32_t active_off;	/* from the run queue to the flag of the CPU that programs
				 * at functions and events have, bytes; 0: unknown */
	uint32_t page_shift;	/* what a process has mapped can be asked of the
				 * kernel, in pages of so many bits; 0: no */
	char symbol[4];		/* "%ps": what the kernel prints an address by */
	uint32_t koff[ABI_NKOFFS];	/* by enum abi_koff, bytes;
					 * UINT32_MAX: unknown */
};

enum { ABI_STRSIZE_MAX = 4096, ABI_STRSIZE_MIN = 2,
       ABI_SCRATCHSIZE_MAX = 1 << 20 };

#endif
