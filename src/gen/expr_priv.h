/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Expressions.
 */
#ifndef GEN_EXPR_PRIV_H
#define GEN_EXPR_PRIV_H

#include "gen/code_priv.h"

struct gen_val gen_eval(struct gen_code *c, const struct ast_node *n);
/* Two operands; the one that needs more registers first. */
void gen_eval2(struct gen_code *c, const struct ast_node *a,
	       const struct ast_node *b, struct gen_val *va,
	       struct gen_val *vb);
/* The function of the program that n calls, or NULL. */
const struct sema_func *gen_func_of(const struct ast_node *n);
/* Does evaluating n assign to anything? */
bool gen_has_effect(const struct ast_node *n);
/* Evaluate b before a? */
bool gen_swaps(const struct ast_node *a, const struct ast_node *b);
/* As what a op b, of type t, is computed when the result goes to something that
 * holds it as `to`: what is cut then need not be right before. */
struct gen_int gen_arith_for(enum ast_op op, const struct type *t,
			     struct gen_int to);
/* a op b for integers and pointers of C type t.  Also for op=. */
struct gen_val gen_arith(struct gen_code *c, enum ast_op op,
			 struct gen_val a, struct gen_val b, struct gen_int t);
/* p + i * (size of what t points to) */
struct gen_val gen_ptr_add(struct gen_code *c, struct gen_val p,
			   struct gen_val i, const struct type *t, bool minus);
/* The value 0 or 1 of a comparison or logical operator. */
struct gen_val gen_truth(struct gen_code *c, const struct ast_node *n);
struct gen_val gen_select(struct gen_code *c, const struct ast_node *n);
struct gen_val gen_assign(struct gen_code *c, const struct ast_node *n);
struct gen_val gen_step(struct gen_code *c, const struct ast_node *n);
/* Evaluate n, a statement, for its effect alone; the result is any value. */
struct gen_val gen_effect(struct gen_code *c, const struct ast_node *n);
/* A translated struct as a whole, in scratch. */
struct gen_val gen_xlate(struct gen_code *c, const struct ast_node *n);
struct gen_val gen_call(struct gen_code *c, const struct ast_node *n);
/* call subr(args); kinds as in subrs.def. */
uint32_t gen_call_subr(struct gen_code *c, unsigned subr, const char *kinds,
		       const uint32_t *args, const uint32_t *limits,
		       unsigned n);

/*
 * v, the value of n that is to be a string operand.  What lies in user memory
 * is copied in.  is_bounded: whoever reads it knows how long an array is
 * (gen_limit()); else what may be an array without a NUL is copied, too.
 */
struct gen_val gen_operand(struct gen_code *c, const struct ast_node *n,
			   struct gen_val v, bool is_bounded);

/* v, the value of n, kept while `later` (and what stands behind it in its list)
 * is evaluated: a copy when that might change the variable v lies in. */
struct gen_val gen_hold(struct gen_code *c, const struct ast_node *n,
			struct gen_val v, const struct ast_node *later);

#endif
