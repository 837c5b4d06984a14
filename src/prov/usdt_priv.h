/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the files of the usdt provider share.
 */
#ifndef PROV_USDT_PRIV_H
#define PROV_USDT_PRIV_H

#include "prov/prov_priv.h"
#include "prov/user.h"
#include "sym/stap.h"

enum { USDT_NARGS_MAX = 12 };	/* that a note has */

/* A place of a probe. */
struct usdt_note {
	const char *prov, *name, *func;	/* func: NULL until asked for */
	uint64_t addr, offset, semaphore;
	struct abi_arg args[ABI_NARGS];
	uint8_t nargs;
};

/*
 * Operands of a note, as the assembler has them, each "SIZE@OPERAND" with SIZE below 0
 * where it is signed.  What cannot be had (a floating-point number, a register that
 * the kernel does not keep) has kind NONE.  Returns how many there are, at most
 * ABI_NARGS of which are in ret.  addr: of the instruction, as linked; symbol: tells
 * the address of a name as linked, for what is relative to the instruction.
 */
typedef bool usdt_symbol_fn(void *ctx, const char *name, uint64_t *ret);
unsigned prov_usdt_args(const char *text, uint64_t addr, usdt_symbol_fn *symbol,
			void *ctx, struct abi_arg ret[ABI_NARGS]);

#endif
