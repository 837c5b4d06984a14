/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How to find the caller of a function without a frame pointer: a table for each
 * file, made of its .eh_frame (src/unwind) and searched where a stack is
 * read.  A row holds from its address to the next row's.
 */
#ifndef ABI_UNWIND_H
#define ABI_UNWIND_H

#ifndef __bpf__		/* there, abi.h has the types */
#include <stdint.h>
#endif

/*
 * Where the canonical frame address (CFA) is, that is the stack pointer before the
 * call.  On x86 the return address is the word below it.  On aarch64 it is in
 * the link register until it is saved, and then it stands behind the caller's frame
 * pointer; or alone, of which *_RA tell.
 */
enum abi_unwind {
	ABI_UNWIND_FRAME,	/* nobody knows: follow the frame pointer */
	ABI_UNWIND_STOP,	/* nobody called: the stack ends here */
	ABI_UNWIND_SP,		/* sp + n */
	ABI_UNWIND_FP,		/* fp + n */
	ABI_UNWIND_FP_DEREF,	/* the word at fp - n; the caller's fp is the
				 * word at fp */
	ABI_UNWIND_PLT,		/* sp and a word, and one more from byte n of 16 on */
	ABI_UNWIND_SP_DEREF,	/* the word below sp + n, and a word */
	ABI_UNWIND_SIGNAL,	/* a signal handler returns there: the registers
				 * that were interrupted stand at sp; with 32 bits the
				 * stack pointer at sp + n */
	ABI_UNWIND_SP_RA,	/* as SP, and as FP, but what is saved is the */
	ABI_UNWIND_FP_RA,	/* return address, not the frame pointer */
};

/* In the kernel's frame of a signal, bytes from the stack pointer: where registers
 * are. */
#if defined(__aarch64__) || defined(__TARGET_ARCH_arm64)
enum { ABI_UNWIND_SIG_FP = 544, ABI_UNWIND_SIG_RA = 552, ABI_UNWIND_SIG_SP = 560,
       ABI_UNWIND_SIG_PC = 568 };
#else
enum { ABI_UNWIND_SIG_FP = 120, ABI_UNWIND_SIG_RA = 168, ABI_UNWIND_SIG_SP = 160,
       ABI_UNWIND_SIG_PC = 168 };
#endif
/* With 32 bits, from where the stack pointer is. */
enum { ABI_UNWIND_SIG32_FP = -4, ABI_UNWIND_SIG32_PC = 28 };

struct abi_unwind_row {
	uint32_t pc;		/* behind the file's first address, bytes */
	uint32_t rule;
};

/* In a rule: what, n in words (PLT: in bytes), and where the caller's frame pointer is saved:
 * how many words below the CFA, 0: it is not. */
enum {
	ABI_UNWIND_WHAT_BITS = 4, ABI_UNWIND_N_BITS = 14,
	ABI_UNWIND_SAVED_BITS = 14,
	ABI_UNWIND_N_MAX = (1 << ABI_UNWIND_N_BITS) - 1,
	ABI_UNWIND_SAVED_MAX = (1 << ABI_UNWIND_SAVED_BITS) - 1,
};

static inline uint32_t
abi_unwind_rule(enum abi_unwind what, uint32_t n, uint32_t saved)
{
	return (uint32_t)what | n << ABI_UNWIND_WHAT_BITS |
	       saved << (ABI_UNWIND_WHAT_BITS + ABI_UNWIND_N_BITS);
}

static inline enum abi_unwind
abi_unwind_what(uint32_t rule)
{
	return (enum abi_unwind)(rule & ((1u << ABI_UNWIND_WHAT_BITS) - 1));
}

static inline uint32_t
abi_unwind_n(uint32_t rule)
{
	return rule >> ABI_UNWIND_WHAT_BITS & ABI_UNWIND_N_MAX;
}

static inline uint32_t
abi_unwind_saved(uint32_t rule)
{
	return rule >> (ABI_UNWIND_WHAT_BITS + ABI_UNWIND_N_BITS);
}

#endif
