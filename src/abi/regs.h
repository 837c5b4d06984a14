/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The registers of this architecture, as a struct pt_regs of the kernel has
 * them (abi/regs.def).
 */
#ifndef ABI_REGS_H
#define ABI_REGS_H

#include "abi/int.h"

/* On x86-64 these are the words of a struct pt_regs, in its order. */
enum abi_reg {
#define REG(NAME, ...) ABI_REG_##NAME,
#include "abi/regs.def"
	ABI_NREGS,
#define ROLE(role, NAME) ABI_ROLE_##role = ABI_REG_##NAME,
#include "abi/regs.def"
};

/* Where they are, in bytes. */
enum {
#define REG(NAME, text, offset, ...) ABI_REG_OFF_##NAME = offset,
#include "abi/regs.def"
#define ROLE(role, NAME) ABI_ROLE_OFF_##role = ABI_REG_OFF_##NAME,
#include "abi/regs.def"
};

/* The bits of MODE that say whether a process was running: they are none, or they
 * are not.  Those that say what code it runs, and what they are for 64-bit code.  How
 * many bits addresses in processes have: on aarch64 those above may be a signature. */
#if defined(__x86_64__) || defined(__TARGET_ARCH_x86)
enum { ABI_MODE_BITS = 3, ABI_MODE_USER_IS_0 = 0,
       ABI_MODE_CODE_BITS = 0xffff, ABI_MODE_CODE_64 = 0x33, ABI_ADDRESS_BITS = 47 };
#else
enum { ABI_MODE_BITS = 15, ABI_MODE_USER_IS_0 = 1,
       ABI_MODE_CODE_BITS = 0x1f, ABI_MODE_CODE_64 = 0, ABI_ADDRESS_BITS = 48 };
#endif

struct abi_reg_row {
	const char *text;
	uint16_t offset;	/* in struct pt_regs */
	uint8_t size;		/* bytes */
	signed char dwarf;	/* -1: none */
};

static inline const struct abi_reg_row *
abi_reg_row(enum abi_reg reg)
{
	static const struct abi_reg_row rows[] = {
#define REG(NAME, text, offset, size, dwarf) { text, offset, size, dwarf },
#include "abi/regs.def"
	};

	return &rows[reg];
}

#endif
