/* SPDX-License-Identifier: BSD-2-Clause
 *
 * DIFOs, and the fields that hold what they return.
 */
#ifndef GEN_DIFO_PRIV_H
#define GEN_DIFO_PRIV_H

#include "gen/code_priv.h"

/* What a DIFO is to return. */
struct gen_want {
	bool as_string;			/* an address, typed string */
	bool as_int;			/* converted to `as` */
	struct gen_int as;
	bool no_value;			/* only the effect matters */
	bool as_memory;			/* an address of `size` bytes */
	uint64_t size;			/* of the string, of the memory */
};
const struct dif_difo *gen_difo(struct gen *g, const struct ast_node *n,
				struct gen_want want);

/* The field that holds the value of n; as_string as for %s.  *want tells
 * gen_difo() what to make. */
struct abi_field gen_field(const struct gen *g, const struct ast_node *n,
			   bool as_string, struct gen_want *want);
/* Of an integer of type t that may be none of its type. */
struct abi_field gen_field_wide(const struct type *t, uint8_t columns,
				struct gen_want *want);
struct abi_field gen_field_int(struct gen_int as, struct gen_want *want);
struct abi_field gen_field_memory(uint64_t size, struct gen_want *want);
struct abi_field gen_field_string(uint64_t size, struct gen_want *want);
/* The field of a stack or symbol. */
struct abi_field gen_field_dyn(const struct type *t);
/* The part of the probe's name that n is, or GEN_PART_NO. */
int gen_probe_part(const struct ast_node *n);

#endif
