/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where the arguments of one place lie, when each place has a way of its own: an
 * element of dt_layouts, which its row names (abi/row.h).
 */
#ifndef ABI_LAYOUT_H
#define ABI_LAYOUT_H

#include "abi/int.h"

enum { ABI_LAYOUT_NARGS = 10, ABI_LAYOUTS = 4096 };

enum abi_place_kind {
	ABI_PLACE_NONE,		/* reads as 0 */
	ABI_PLACE_CONST,	/* off itself */
	ABI_PLACE_REG,		/* in the register, from its byte off on */
	ABI_PLACE_MEMORY,	/* of the process, at register + index * scale + off, */
	ABI_PLACE_MEMORY_32,	/* of which these bits count */
};

struct abi_place {
	uint8_t kind;		/* enum abi_place_kind */
	uint8_t size;		/* 1, 2, 4 or 8 */
	uint8_t is_signed;
	uint8_t scale;		/* 0: no index */
	uint16_t reg, index;	/* offsets into the process's struct pt_regs */
	int64_t off;
};
_Static_assert(sizeof(struct abi_place) == 16, "elements of a map");

struct abi_layout { struct abi_place arg[ABI_LAYOUT_NARGS]; };

#endif
