/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Expressions.
 *
 * An expression is checked once, by sema_expr(), which fills the node.  A
 * node whose type is NULL afterwards is wrong and has been reported; whoever
 * uses it stays silent and yields NULL in turn.  Lack of memory looks the
 * same, without a report; sema_program() notices at the end.
 */
#ifndef SEMA_EXPR_PRIV_H
#define SEMA_EXPR_PRIV_H

#include "sema/state_priv.h"

/* --- Expressions: expr.c, op.c, assign.c, var.c, member.c, cast.c -------- */

/* Check n and fill it. */
void sema_expr(struct sema *s, struct ast_node *n);
/* The same, but a stack or symbol will do: for what only prints it. */
void sema_expr_dyn(struct sema *s, struct ast_node *n);
/* The same, but a translated struct as a whole will do. */
void sema_expr_any(struct sema *s, struct ast_node *n);
/* n, checked as by sema_expr_any(), is compared with other: a translated pointer may be with NULL,
 * which asks whether what it is made from is there. */
void sema_expr_is_there(struct sema *s, struct ast_node *n, const struct ast_node *other);
/* The same, and a translated struct is a value. */
void sema_expr_whole(struct sema *s, struct ast_node *n);
/* The same, but what only has an address will do: a symbol without a type. */
void sema_expr_place(struct sema *s, struct ast_node *n);
void sema_unary(struct sema *s, struct ast_node *n);
void sema_binary(struct sema *s, struct ast_node *n);
void sema_cond(struct sema *s, struct ast_node *n);
void sema_assign(struct sema *s, struct ast_node *n);
void sema_cast(struct sema *s, struct ast_node *n);
void sema_sizeof(struct sema *s, struct ast_node *n);
void sema_alignof(struct sema *s, struct ast_node *n);
void sema_offsetof(struct sema *s, struct ast_node *n);
void sema_stringof(struct sema *s, struct ast_node *n);
void sema_name(struct sema *s, struct ast_node *n);	/* IDENT THIS SELF */
void sema_sym(struct sema *s, struct ast_node *n);
void sema_index(struct sema *s, struct ast_node *n);
void sema_member(struct sema *s, struct ast_node *n);
void sema_xlate(struct sema *s, struct ast_node *n);
/* xlate <t>(e) as a node, e being checked; NULL after a report. */
struct ast_node *sema_xlate_to(struct sema *s, const struct type *t,
			       struct ast_node *e);
/* Report that struct t has no member n->name. */
void sema_no_member(struct sema *s, const struct ast_node *n,
		    const struct type *t);
/* Does a bare name mean anything? */
bool sema_is_known(struct sema *s, const char *name);
/* n becomes the enumerator of t that has this value; false: no memory. */
bool sema_use_enum(struct sema *s, struct ast_node *n, const struct type *t,
		   int64_t value);
/* Check n as what is assigned to; a variable that is new gets type (NULL: one
 * that is wrong, so that nothing more is said about it). */
void sema_target(struct sema *s, struct ast_node *n, const struct type *type);
/* Is n the name of a variable as it is written: x, self->x, this->x?  Which scope
 * does it mean, and what (NULL: nothing)? */
bool sema_is_name(const struct ast_node *n);
enum sema_scope sema_scope_of(const struct ast_node *n);
struct sema_ident *sema_named(struct sema *s, const struct ast_node *n);
/* May op write to the checked node n?  Reports. */
bool sema_writable(struct sema *s, const struct ast_node *n, const char *op);
/* A scalar, for conditions; reports with tag. */
bool sema_is_cond(struct sema *s, const struct ast_node *n,
		  enum diag_tag tag, const char *what);
/* D's integer of int64_t. */
const struct type *sema_int64(void);
const char *sema_op_text(unsigned op);
/* Behind a report: what may be done with a value of type t, if it is a float. */
void sema_hint_float(struct sema *s, const struct type *t);
/* Behind a report that a string is wanted: is n text in single quotes? */
void sema_hint_char(struct sema *s, const struct ast_node *n);
/* Can one step from the thing that p, a pointer, points to, to the next?
 * Reports. */
bool sema_can_step(struct sema *s, const struct type *p, const char *op,
		   struct lang_span span);
/* Reports operands that no operator takes: void, <DYN>, float.  True: fine. */
bool sema_operand(struct sema *s, const struct ast_node *n, const char *op);

/* --- fold.c -------------------------------------------------------------- */

/* v as a value of type t stands in 64 bits. */
uint64_t sema_cut(const struct type *t, uint64_t v);
/* Make n, whose type is known, the constant v. */
void sema_set_const(struct ast_node *n, uint64_t v);
void sema_fold_unary(struct ast_node *n);
void sema_fold_binary(struct sema *s, struct ast_node *n);
void sema_fold_cond(struct ast_node *n);
void sema_fold_cast(struct ast_node *n);
/* Is n a constant divisor of 0?  Reports. */
bool sema_div_zero(struct sema *s, const struct ast_node *n, unsigned op);
/* Tell of a constant that shifts everything away, or by a negative number. */
void sema_warn_of_shift(struct sema *s, const struct ast_node *by, unsigned op);

/* --- width.c -------------------------------------------------------------- */

/* n, an ASSIGN or a step of an integer, stores something in its kid[0]. */
void sema_note_store(struct sema *s, struct ast_node *n);
/* n is used as this key of an aggregation. */
void sema_note_key(struct sema *s, struct sema_key *key, struct ast_node *n);
/* Find out what is wide, from all that was noted. */
void sema_width_settle(struct sema *s);

/* --- ahead.c -------------------------------------------------------------- */

/* Have the variable that n names, which means nothing yet, come into being as an
 * assignment elsewhere in the program says.  NULL: there is none that tells. */
struct sema_ident *sema_look_ahead(struct sema *s, const struct ast_node *n);

/* --- either.c ------------------------------------------------------------ */

/* True when n is a call of __either(), which is then checked. */
bool sema_either(struct sema *s, struct ast_node *n);

#endif
