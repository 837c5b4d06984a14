/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What nodes are filled with.
 */
#ifndef DWARFTYPES_LOAD_PRIV_H
#define DWARFTYPES_LOAD_PRIV_H

#include "dwarftypes/dwarftypes_priv.h"

/* For type.load; load_ctx: struct dwarftypes, load_arg: Dwarf_Die. */
bool dwarftypes_load_sou(struct type *t);
bool dwarftypes_load_enum(struct type *t);
/* Size and sign of an enum, before anybody looks at its values. */
void dwarftypes_shape_enum(struct dwarftypes *d, Dwarf_Die *die,
			   struct type *t);

/* A constant of the entry; false: it has none. */
bool dwarftypes_number(const struct dwarftypes *d, Dwarf_Die *die,
		       unsigned attr, uint64_t *ret);
/* What the entry says is its type, void without a word; NULL: broken. */
const struct type *dwarftypes_type_of(struct dwarftypes *d, Dwarf_Die *die);

#endif
