/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What stands in the tree for what was written: new nodes, copies of expressions
 * with parameters bound, inlines, translated members.
 */
#ifndef SEMA_EXPAND_PRIV_H
#define SEMA_EXPAND_PRIV_H

#include "sema/state_priv.h"

/* A node that the program did not write; NULL without memory. */
struct ast_node *sema_node(struct sema *s, enum ast_kind kind,
			   struct lang_span span);
/* The number value, an int, checked already; NULL without memory. */
struct ast_node *sema_int(struct sema *s, int value, struct lang_span span);
/* A copy of e, to be checked anew; NULL without memory, or when too much has been
 * copied. */
struct ast_node *sema_copy(struct sema *s, const struct ast_node *e);
/* A copy of e checked with params visible, as a value of type t; NULL after
 * a report or without memory. */
struct ast_node *sema_expand(struct sema *s, const struct ast_node *e,
			     struct sema_param *params, const struct type *t,
			     const struct ast_node *use);
/* Have the checked e evaluated in place of n. */
void sema_replace(struct ast_node *n, const struct ast_node *e);
/* Check n, and count the nodes it will have to evaluate. */
unsigned sema_expr_weight(struct sema *s, struct ast_node *n);
/* Report an expression that has grown too large through expansion. */
void sema_too_big(struct sema *s, struct lang_span span);
/* Is what is defined there looked at only where it is used? */
static inline bool
sema_is_proven(struct lang_span span)
{
	return span.src && span.src->is_proven;
}
/* n as a value of type t: n itself or a cast of it. */
struct ast_node *sema_convert(struct sema *s, struct ast_node *n,
			      const struct type *t);

/* --- inline.c, xlate.c --------------------------------------------------- */

void sema_inline_define(struct sema *s, const struct ast_inline *i);
/* Have the types of inline id, which one that is proven (lang/diag.h) gets when it is
 * used; false after a report or without memory. */
bool sema_inline_need(struct sema *s, struct sema_ident *id);
/* What is being looked at, laid aside while something that was said elsewhere, at `to`,
 * is: for that it is not there, and what a library says it says of its own names and
 * types, not of the program's. */
struct sema_around {
	struct sema_param *params;
	struct sema_local *locals;
	unsigned flags;
};
void sema_step_out(struct sema *s, struct lang_span to, struct sema_around *around);
void sema_step_in(struct sema *s, const struct sema_around *around);
/* n names inline id; args: the keys of the array form, or NULL. */
void sema_inline_use(struct sema *s, struct ast_node *n,
		     struct sema_ident *id, struct ast_node *args,
		     uint32_t nargs);
void sema_xlator_define(struct sema *s, const struct ast_xlator *x);
/* If the checked n is a translated struct, have its value made as a whole; false
 * after a report. */
bool sema_whole(struct sema *s, struct ast_node *n);
/* The same for *p, if p is a translated pointer: then true, and n is done. */
bool sema_whole_deref(struct sema *s, struct ast_node *n);
/* n is a member access whose base is the XLATE node x. */
void sema_xlate_member(struct sema *s, struct ast_node *n,
		       const struct ast_node *x);

#endif
