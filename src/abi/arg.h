/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where the arguments of a probe lie when its program starts.
 */
#ifndef ABI_ARG_H
#define ABI_ARG_H

#include "abi/regs.h"

/*
 * Memory and registers that cannot be read are 0.  Where registers are depends on
 * the context: it is them (REGS, PERF), or the word `base` bytes into it has
 * their address (WORDS).
 */
enum abi_arg_kind {
	ABI_ARG_NONE,		/* reads as 0 */
	ABI_ARG_CTX,		/* the word `off` bytes into the context */
	ABI_ARG_REG,		/* `size` bytes of a register, from off on */
	ABI_ARG_KMEM,		/* kernel memory at register + off; WORDS and
				 * TYPED: at the word `base` bytes into the
				 * context + off */
	ABI_ARG_UMEM,		/* user memory at register + index * scale +
				 * off, and with `row` + the site's value */
	ABI_ARG_ROW,		/* the site's value (abi/row.h), where sites
				 * are found by cookie */
	ABI_ARG_LAYOUT,		/* number `off` of the site's layout
				 * (abi/layout.h), where sites are found by
				 * cookie */
	ABI_ARG_CONST,		/* off itself */
	ABI_ARG_ERROR,		/* arg1..arg5 of dtrace:::ERROR */
	ABI_ARG_KPC,		/* interrupted kernel PC, 0 when in user mode */
	ABI_ARG_UPC,		/* interrupted user PC, 0 when in the kernel */
};

struct abi_arg {
	uint8_t kind;		/* enum abi_arg_kind */
	uint8_t size;		/* 1, 2, 4 or 8 */
	uint8_t is_signed;
	uint8_t base;		/* see above */
	uint8_t reg;		/* REG, KMEM, UMEM: enum abi_reg */
	uint8_t index;		/* UMEM: the same */
	uint8_t scale;		/* UMEM: 1, 2, 4 or 8; 0: no index */
	uint8_t row;		/* UMEM: see above; its point is found by
				 * cookie */
	int64_t off;
};

#endif
