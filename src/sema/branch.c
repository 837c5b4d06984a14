/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Statements that choose: a ? b : c, a && b and a || b, when what is chosen is an
 * action or an aggregation, are if in another dress,
 *
 *	OPT_time ? printf("%d ", timestamp) : 1;
 *	pid == $target && printf("%s\n", execname);
 *
 * and are turned into one before they are checked; a, b as what is chosen is two
 * statements.  Without an action in it such a statement stays an expression, whose operands
 * must fit each other.
 */
#include "sema/clause_priv.h"
#include "sema/expand_priv.h"
#include "sema/name_priv.h"

static bool
is_choice(const struct ast_node *n)
{
	return n->kind == AST_COND ||
	       (n->kind == AST_BINARY &&
		(n->op == AST_LAND || n->op == AST_LOR));
}

static bool
is_comma(const struct ast_node *n)
{
	return n->kind == AST_BINARY && n->op == AST_COMMA;
}

/* Is this a call of something that has no value? */
static bool
calls_for_effect(struct sema *s, const struct ast_node *n)
{
	const struct ast_node *f = n->kid[0];
	struct sema_ident *id = f->kind == AST_IDENT ?
				sema_ident_lookup(s, f->name) : NULL;
	const struct proto *p;

	if (!id)
		return false;
	if (id->kind != SEMA_SUBR)
		return id->kind == SEMA_ACTION || id->kind == SEMA_AGGFUNC ||
		       id->kind == SEMA_FUNC;
	p = sema_proto(s, (struct builtin *)id);
	return p && type_is_void(p->result);
}

/* Must n be a statement: is it, or does it choose or list, something that is no
 * expression? */
static bool
must_be_stmt(struct sema *s, const struct ast_node *n)
{
	if (n->kind == AST_CALL)
		return calls_for_effect(s, n);
	if (n->kind == AST_ASSIGN)
		return n->kid[0]->kind == AST_AGG;
	if (is_comma(n))
		return must_be_stmt(s, n->kid[0]) ||
		       must_be_stmt(s, n->kid[1]);
	return is_choice(n) && (must_be_stmt(s, n->kid[1]) ||
				(n->kid[2] && must_be_stmt(s, n->kid[2])));
}

/* What is chosen, as statements: a, b is two. */
static struct ast_node *
stmts_of(struct sema *s, struct ast_node *e)
{
	struct ast_node *n, *last;

	if (is_comma(e) && must_be_stmt(s, e)) {
		n = last = stmts_of(s, e->kid[0]);
		while (last && last->next)
			last = last->next;
		if (last)
			last->next = stmts_of(s, e->kid[1]);
		return n;
	}
	n = sema_node(s, AST_EXPR, e->span);
	if (n) {
		n->kid[0] = e;
		n->height = (uint16_t)(e->height + 1);
	}
	return n;
}

void
sema_unfold_stmt(struct sema *s, struct ast_node *n)
{
	struct ast_node *e = n->kid[0], *first;

	if (!is_choice(e) || !must_be_stmt(s, e))
		return;
	first = stmts_of(s, e->kid[1]);
	n->kind = AST_IF;
	n->kid[0] = e->kid[0];
	if (e->kind == AST_COND)
		n->list2 = stmts_of(s, e->kid[2]);
	if (e->kind == AST_BINARY && e->op == AST_LOR)
		n->list2 = first;
	else
		n->list = first;
}
