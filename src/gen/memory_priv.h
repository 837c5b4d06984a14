/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Memory: addresses, and what is loaded from and stored to them.
 */
#ifndef GEN_MEMORY_PRIV_H
#define GEN_MEMORY_PRIV_H

#include "gen/code_priv.h"

/* Memory: base + off. */
struct gen_addr {
	struct gen_val base;
	uint64_t off;		/* bytes */
};

/* Where the object n lies.  n: an lvalue in memory, or a value by
 * reference. */
struct gen_addr gen_addr(struct gen_code *c, const struct ast_node *n);
/* For operator &: an element may be the one behind the last. */
struct gen_addr gen_addr_of(struct gen_code *c, const struct ast_node *n);
/* i, which must be below n. */
struct gen_val gen_check_bound(struct gen_code *c, struct gen_val i,
			       uint64_t n);
uint32_t gen_addr_reg(struct gen_code *c, struct gen_addr a);
/* bits: width of a bit-field that starts at bit_offset behind a, or 0. */
struct gen_val gen_load(struct gen_code *c, struct gen_addr a,
			const struct type *t);
struct gen_val gen_load_bits(struct gen_code *c, struct gen_addr a,
			     const struct type *t, uint64_t bit_offset,
			     uint32_t bits);
void gen_store(struct gen_code *c, struct gen_addr a, struct gen_val v,
	       const struct type *t);
/* The field's type is t; the result is what the field then holds. */
struct gen_val gen_store_bits(struct gen_code *c, struct gen_addr a,
			      struct gen_val v, const struct type *t,
			      uint64_t bit_offset, uint32_t bits);
/* The address of v, a struct of size bytes, in memory that can be copied
 * from: v itself, or a copy when v lies in user memory. */
uint32_t gen_copy_in(struct gen_code *c, struct gen_val v, uint64_t size);

#endif
