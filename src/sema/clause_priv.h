/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Clauses: descriptions, statements, functions, pragmas.
 */
#ifndef SEMA_CLAUSE_PRIV_H
#define SEMA_CLAUSE_PRIV_H

#include "sema/state_priv.h"

/* --- branch.c ------------------------------------------------------------- */

/* If the EXPR n, which has not been checked, chooses between actions, make it an
 * IF. */
void sema_unfold_stmt(struct sema *s, struct ast_node *n);

/* --- clause.c ------------------------------------------------------------ */

/* The program has been seen: judge what its descriptions name that only other
 * systems have. */
void sema_foreign_check(struct sema *s);

/* --- flow.c: statements and functions ------------------------------------- */

/* Look at another clause or function, and come back: between the two calls nothing
 * is known of where we were. */
struct sema_place sema_go_inside(struct sema *s);
void sema_go_back(struct sema *s, const struct sema_place *here);
void sema_stmts(struct sema *s, struct ast_node *n);
/* A variable declared inside that is visible now, or NULL. */
struct sema_ident *sema_local_find(const struct sema *s, const char *name);
/* Make the name known. */
void sema_func_declare(struct sema *s, const struct ast_func *f);
void sema_func_define(struct sema *s, const struct ast_func *f);
void sema_func_call(struct sema *s, struct ast_node *call,
		    struct sema_func *f);

/* --- clause.c, pragma.c, provider.c -------------------------------------- */

void sema_clause_check(struct sema *s, const struct ast_clause *c);
/* Fill s->clause->descs from those of c; reports. */
void sema_clause_descs(struct sema *s, const struct ast_clause *c);
/* As sema_world.match; nothing matches when there is none.  Without memory s is
 * told, and not who asks. */
struct err *sema_match(struct sema *s, const struct probe_desc *d,
		       bool (*fn)(void *arg, const struct probe *p),
		       void *arg);
/* order.c: what may not follow speculate(), commit() and records. */
void sema_order(struct sema *s, const struct ast_node *stmts);
/* args[no]: its type and the raw argument; NULL after a report. */
const struct type *sema_args_type(struct sema *s, const struct ast_node *n,
				  int64_t no, unsigned *raw);
void sema_pragma(struct sema *s, const struct ast_pragma *p);
void sema_pragma_option(struct sema *s, const struct ast_pragma *p);
void sema_pragmas_end(struct sema *s);
void sema_provider_define(struct sema *s, const struct ast_provider *p);

#endif
