/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the files of this folder share.
 */
#ifndef DWARFTYPES_DWARFTYPES_PRIV_H
#define DWARFTYPES_DWARFTYPES_PRIV_H

#include <dwarf.h>

#include "dwarftypes/dwarftypes.h"
#include "sym/libdw.h"
#include "util/hash.h"
#include "util/vec.h"

/* An entry that may be asked for by name; the rows of the table in index.c. */
enum entry_kind {
	ENTRY_STRUCT, ENTRY_UNION, ENTRY_ENUM, ENTRY_TYPEDEF,
	ENTRY_TAG,	/* a struct, union or enum, where tags are names */
	ENTRY_VARIABLE,
	ENTRY_NKINDS
};

struct dwarftypes {
	const struct libdw *lib;
	struct arena *arena;		/* of the nodes; the caller's */
	const char *module;		/* the caller's */
	int fd;				/* of the file with the information */
	Elf *elf;
	Dwarf *dwarf;
	uint32_t word;			/* of the program, in bytes: 8 or 4 */

	bool is_indexed;
	const char *absent;		/* see dwarftypes_absent() */
	bool is_unread;
	struct hash names[ENTRY_NKINDS];	/* name: Dwarf_Die */
	struct hash functions;		/* address: Dwarf_Die */
	struct hash qualified;		/* address of an entry that stands in
					 * a namespace or class: its name */
	struct hash nodes;		/* address of an entry: its node */
};

/* The name of an entry, with those around it; NULL: it has none. */
const char *dwarftypes_name(struct dwarftypes *d, Dwarf_Die *die);
/* Its node, or NULL when its data is broken or memory is short. */
const struct type *dwarftypes_node(struct dwarftypes *d, Dwarf_Die *die);
/* A pointer of the program to that; NULL stays so. */
const struct type *dwarftypes_pointer(struct dwarftypes *d, const struct type *to);
/* Of a function, with its parameters, as it is called. */
const struct type *dwarftypes_prototype(struct dwarftypes *d, Dwarf_Die *die);
/* Is that said of it? */
bool dwarftypes_has_flag(const struct dwarftypes *d, Dwarf_Die *die,
			 unsigned attr);
/* The entry of that kind that is called so in other words, if it is one. */
Dwarf_Die *dwarftypes_respelled(struct dwarftypes *d, enum entry_kind kind,
				const char *name);
/* Is what has the name `there` what is asked for, but for typedefs? */
bool dwarftypes_is_called(const char *asked, const char *there);
/* Is it an enum without values?  What the linker's optimizer copies loses them. */
bool dwarftypes_is_bare_enum(const struct dwarftypes *d, Dwarf_Die *die);
/* Is the function a closure of Rust, as {closure#0}?  Its name has those around it. */
bool dwarftypes_is_closure(const struct dwarftypes *d, Dwarf_Die *die);

/* The first argument of a closure, what it has captured. */
struct dwarftypes_environment {
	bool is_left_out;	/* of the parameters */
	bool is_optimized;	/* parameters are only where their places say so */
	const struct type *type;	/* a word where that is all that may be known */
};

/* False: it cannot be told where the closure's arguments are, or no memory. */
bool dwarftypes_environment(struct dwarftypes *d, Dwarf_Die *closure,
			    struct dwarftypes_environment *ret);
/* Is the parameter in the register of the nth argument, from 0, as the function begins? */
bool dwarftypes_is_in_register(const struct dwarftypes *d, Dwarf_Die *function,
			       Dwarf_Die *param, size_t nth);

#endif
