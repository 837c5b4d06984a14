/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The places of a file that the dynamic linker fills with addresses of functions.
 */
#ifndef SYM_SLOT_H
#define SYM_SLOT_H

#include <stdint.h>

#include "util/err.h"

struct sym_slot {
	uint64_t addr;		/* of its eight bytes, as linked */
	/* The function, as linked, that the linker calls to be told the address
	 * (STT_GNU_IFUNC of the same file); 0: it looks for the name. */
	uint64_t resolver;
	const char *name;	/* without a version; NULL with a resolver */
};

/* Call fn for each; what is borrowed is so for the call.  The first error of fn ends
 * the walk and is returned.  A file that is none of this machine has none. */
typedef struct err *sym_slot_fn(void *ctx, const struct sym_slot *s);
struct err *sym_elf_slots(int fd, sym_slot_fn *fn, void *ctx);

#endif
