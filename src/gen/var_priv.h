/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Variables of D, the built-in ones too.
 */
#ifndef GEN_VAR_PRIV_H
#define GEN_VAR_PRIV_H

#include "gen/code_priv.h"

/* Variables.  keys are registers, NULL for scalars. */
struct gen_var {
	const struct sema_ident *id;
	uint32_t n;			/* cells of the tuple, n of each: */
	uint32_t *keys, *limits;	/* limits: of strings, as gen_limit() */
	bool *is_str;
	bool keep;	/* the load leaves the tuple for the store */
};
/* How many numbers or strings of a tuple one key is. */
uint32_t gen_key_cells(const struct sema_key *k);
/* A variable's scope: DIF_VS_*. */
uint8_t gen_scope(const struct sema_ident *id);
/* n names a variable of the program itself (not a part of one). */
const struct sema_ident *gen_is_var(const struct ast_node *n);
/* Is n an element of an array, or a byte of a string? */
bool gen_is_part(const struct ast_node *n);
/* The node of the variable that n is or is a part of, or NULL. */
const struct ast_node *gen_whole(const struct ast_node *n);
struct gen_var gen_var_open(struct gen_code *c, const struct ast_node *n);
struct gen_val gen_var_load(struct gen_code *c, const struct gen_var *v);
void gen_var_store(struct gen_code *c, const struct gen_var *v,
		   struct gen_val val);
/* The same, from bytes laid out as the variable's. */
void gen_var_store_bytes(struct gen_code *c, const struct gen_var *v,
			 struct gen_val val);
/* Where it lies: an in_memory one. */
struct gen_val gen_var_addr(struct gen_code *c, const struct gen_var *v);
/* Add the number in a register to a global; *old, unless NULL, becomes what was
 * there before. */
void gen_var_add(struct gen_code *c, const struct gen_var *v, uint32_t reg,
		 struct gen_val *old);
/* t: the type of what it holds. */
struct gen_val gen_bvar_load(struct gen_code *c, unsigned id,
			     const struct type *t);

#endif
