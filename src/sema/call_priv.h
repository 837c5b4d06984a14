/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Calls: subroutines, actions, aggregating functions, formats.
 */
#ifndef SEMA_CALL_PRIV_H
#define SEMA_CALL_PRIV_H

#include "sema/state_priv.h"

void sema_call(struct sema *s, struct ast_node *n);	/* as an expression */
void sema_call_stmt(struct sema *s, struct ast_node *n);
/* Is n no action?  Reports one, unless it has a value (a stack). */
bool sema_no_action(struct sema *s, const struct ast_node *n);
/* Behind a report that n is void: if it is an action, say so. */
void sema_hint_action(struct sema *s, const struct ast_node *n);
/* Is this a call of an action that names a stack or symbol? */
bool sema_is_dyn_call(struct sema *s, const struct ast_node *n);
/* "f( )": how messages name the function of a call. */
const char *sema_call_name(const struct ast_node *call);
/* The prototype of the built-in that is called; NULL without memory. */
const struct proto *sema_call_proto(struct sema *s,
				    const struct ast_node *call);
/* Number and types of arguments as the prototype wants. */
bool sema_args(struct sema *s, struct ast_node *call);
bool sema_args_count(struct sema *s, struct ast_node *call,
		     const struct proto *p, enum diag_tag tag);
void sema_agg_assign(struct sema *s, struct ast_node *n);
/* The operator of n, with "=" or "" behind it, cannot be: kid[0] is an aggregation. */
void sema_agg_op(struct sema *s, const struct ast_node *n, const char *behind);
/* Report @a[1][2]. */
void sema_agg_mdim(struct sema *s, const struct ast_node *n);
/* Argument no (1..) must be an aggregation as a whole; reports with tag. */
bool sema_agg_arg(struct sema *s, const struct ast_node *call,
		  struct ast_node *arg, unsigned no, enum diag_tag tag);
/* When the whole program has been seen: every aggregation among the arguments of
 * call must have been used with an aggregating function, else report with
 * `bad`; then call check, unless it is NULL. */
void sema_late_add(struct sema *s, struct ast_node *call, enum diag_tag bad,
		   void (*check)(struct sema *, struct ast_node *));
void sema_late_check(struct sema *s);
/* Argument i (0..), or NULL. */
struct ast_node *sema_arg(const struct ast_node *call, unsigned i);
/* Parameters of lquantize() and llquantize() into id->agg_arg. */
bool sema_lquantize(struct sema *s, struct sema_agg *agg,
		    struct ast_node *call);
bool sema_llquantize(struct sema *s, struct sema_agg *agg,
		     struct ast_node *call);
/* The checks of builtins.def, each where what it knows is. */
#define BUILTIN(KIND, name, id, proto, attr, version, flags, check) \
	builtin_check sema_check_##check;
#include "sema/builtins.def"
#undef BUILTIN

#endif
