/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Working with values: how types stand in registers, and conversions.
 */
#ifndef GEN_VALUE_PRIV_H
#define GEN_VALUE_PRIV_H

#include "gen/code_priv.h"

extern const struct gen_int gen_int_s32, gen_int_s64, gen_int_u64;

/* Values of this type are addresses of it. */
bool gen_is_ref(const struct type *t);
/* ... and this is how they, or the numbers, stand in a register. */
struct gen_int gen_int_of(const struct type *t);
/* As what integers of type t are computed. */
struct gen_int gen_arith_int(const struct type *t);
/* As what a variable, or whatever is assigned to, holds its integer. */
struct gen_int gen_var_int(const struct sema_ident *id);
struct gen_int gen_target_int(const struct ast_node *target);
struct dif_type gen_dif_type(const struct type *t, bool user);
struct dif_type gen_dif_string(uint64_t size);
/* Of a variable: what lies in memory is kept as bytes there. */
struct dif_type gen_dif_var(const struct sema_ident *id);

struct gen_val gen_val_reg(uint32_t reg, struct gen_int as);
struct gen_val gen_val_const(uint64_t value, struct gen_int as);
/* The value in a register, as it is. */
uint32_t gen_in_reg(struct gen_code *c, struct gen_val v);
/* Extended to 64 bits. */
struct gen_val gen_clean(struct gen_code *c, struct gen_val v);
/* C's conversion; the result may be dirty. */
struct gen_val gen_convert(struct gen_code *c, struct gen_val v,
			   struct gen_int to);
/* v, a number of type from, as target holds it. */
struct gen_val gen_convert_to(struct gen_code *c, struct gen_val v,
			      const struct type *from,
			      const struct ast_node *target);
/* Before gen_convert(): v, the value of n, encoded as one of type `to`, where one of
 * the two is a floating-point number. */
struct gen_val gen_recode(struct gen_code *c, const struct ast_node *n,
			  struct gen_val v, const struct type *to);
/* gen_convert() and gen_clean(): a register with the value. */
uint32_t gen_as(struct gen_code *c, struct gen_val v, struct gen_int to);

/* --- How long strings may be -------------------------------------------- */

/* Bytes that a string in an object of type t may have; 0: strsize.  Arrays of
 * none or one at the end of a struct are longer than they say. */
uint64_t gen_array_limit(const struct type *t);
/* How many bytes a string at n may have at most, 0: strsize; the same in a
 * register. */
uint64_t gen_string_limit(const struct ast_node *n);
uint32_t gen_limit(struct gen_code *c, const struct ast_node *n);

#endif
