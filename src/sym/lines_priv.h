/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The units of a file's debugging information, by address.
 */
#ifndef SYM_LINES_PRIV_H
#define SYM_LINES_PRIV_H

#include "sym/libdw.h"
#include "sym/lines.h"
#include "util/arena.h"
#include "util/hash.h"
#include "util/vec.h"

/* Code of a function, perhaps a part. */
struct code {
	uint64_t from, to;	/* as linked; to: behind the last */
	Dwarf_Die die;
};

struct unit {
	Dwarf_Die lines;	/* has the table of lines */
	Dwarf_Die top;		/* has the functions: the same, unless split */
	bool is_listed;
	bool is_walked;		/* places.c's */
	VEC(struct code) code;	/* by address */
};

/* Addresses of a unit. */
struct span {
	uint64_t from, to;
	uint32_t unit;		/* index */
};

struct sym_lines {
	const struct libdw *lib;
	int fd;			/* of the file that has them; -1: it has been
				 * read */
	bool mangled;
	bool is_open;		/* that was tried */
	Elf *elf;
	Dwarf *dwarf;		/* NULL: it cannot be read */
	struct arena *arena;
	VEC(struct unit) units;
	VEC(struct span) spans;	/* by address */
	struct hash known;	/* address: struct sym_known */
};

/* An answer of sym_lines_at(). */
struct sym_known {
	size_t n;
	const void **ids;	/* tell functions, and copies of one that were
				 * inlined, from others; NULL: unknown */
	struct sym_line v[];
};
/* NULL: none. */
const struct sym_known *sym_lines_known(struct sym_lines *l, uint64_t addr);
/* Read what there is, unless that was tried. */
void sym_lines_read(struct sym_lines *l);

#endif
