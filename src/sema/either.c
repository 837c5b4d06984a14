/* SPDX-License-Identifier: BSD-2-Clause
 *
 * __either(a, b ...), in libraries only: the first of its operands that means
 * something on this kernel.  A library serves every kernel with it:
 *
 *	__either(T->__state, T->state, 0)
 *
 * The operands are checked in turn, and what is wrong with all but the last
 * is not told.  The value and its type are those of the one that is taken.
 * The name is asked for where the text stands, not where it is used: a
 * library's inline is expanded in the midst of a program.
 */
#include <string.h>

#include "sema/expand_priv.h"
#include "sema/expr_priv.h"

/* Is n fine?  Nothing is reported, and nothing is remembered of it. */
static bool
try(struct sema *s, struct ast_node *n)
{
	struct diag_list *outer = s->d, trial;
	size_t seen = s->reported.n;
	bool too_big = s->too_big, was_trial = s->is_trial;

	diag_init(&trial, s->a);
	s->d = &trial;
	s->is_trial = true;	/* to look for a hint may run the command of -c */
	sema_expr_any(s, n);
	s->is_trial = was_trial;
	s->d = outer;
	hash_cut(&s->reported, seen);
	s->too_big = too_big;
	return n->type && !trial.n;
}

bool
sema_either(struct sema *s, struct ast_node *n)
{
	struct ast_node *a = n->list;
	unsigned before = s->weight;

	if (!n->span.src || !n->span.src->is_library || !n->kid[0]->name ||
	    strcmp(n->kid[0]->name, "__either") != 0)
		return false;
	if (!a) {
		diag(s->d, D_PROTO_LEN, n->span, "__either( ) prototype "
		     "mismatch: 0 args passed, at least 1 expected");
		return true;
	}
	while (a->next && !try(s, a)) {
		s->weight = before;
		a = a->next;
	}
	if (!a->next)
		sema_expr_any(s, a);
	if (!a->type)
		return true;
	s->repl_weight = s->weight - before;
	sema_replace(n, a);
	return true;
}
