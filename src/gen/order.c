/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which operand first?  With one operand waiting in a register while the
 * other is computed, an expression needs the fewest registers when the needier
 * operand goes first (Sethi and Ullman 1970).  D, as C, leaves the order open,
 * but people expect left to right, so only operands without effects are
 * swapped.  What is counted is a guess of what the code will need; a wrong
 * guess costs a spill, not a wrong result.
 */
#include "gen/expr_priv.h"
#include "sema/tree.h"

/* Inlines make the tree a graph, so the walk has a budget. */
enum { MAX_VISITS = 4096 };

static unsigned need(const struct ast_node *n, unsigned *budget);

const struct sema_func *
gen_func_of(const struct ast_node *n)
{
	if (n->kind != AST_CALL || !n->ident || n->ident->kind != SEMA_FUNC)
		return NULL;
	return (const struct sema_func *)n->ident;
}

static bool
assigns(const struct ast_node *n)
{
	return n->kind == AST_ASSIGN || gen_func_of(n) ||
	       (n->kind == AST_UNARY &&
		(n->op == AST_PREINC || n->op == AST_PREDEC ||
		 n->op == AST_POSTINC || n->op == AST_POSTDEC));
}

/* Something that runs out of budget may assign. */
static bool
may_assign(const struct ast_node *n, unsigned *budget)
{
	n = sema_eval(n);
	if (!n || n->is_const)
		return false;
	if (!*budget || assigns(n))
		return true;
	--*budget;
	for (unsigned i = 0; i < 3; i++)
		if (may_assign(n->kid[i], budget))
			return true;
	for (const struct ast_node *k = n->list; k; k = k->next)
		if (may_assign(k, budget))
			return true;
	return false;
}

bool
gen_has_effect(const struct ast_node *n)
{
	unsigned budget = MAX_VISITS;

	return may_assign(n, &budget);
}

static unsigned
need_of_list(const struct ast_node *n, unsigned *budget)
{
	unsigned most = 0, before = 0;

	for (const struct ast_node *k = n->list; k; k = k->next) {
		unsigned this = need(k, budget);
		if (!this)
			return 0;
		most = BASE_MAX(most, this + before);
		before++;
	}
	return BASE_MAX(most, 1u);
}

/* How many registers; 0: it has an effect, or is too big to tell. */
static unsigned
need(const struct ast_node *n, unsigned *budget)
{
	n = sema_eval(n);
	if (!n || n->is_const)
		return 1;
	if (!*budget || assigns(n) || n->kind == AST_CALL ||
	    n->kind == AST_XLATE)
		return 0;
	--*budget;

	unsigned most = need_of_list(n, budget);
	if (!most)
		return 0;
	for (unsigned i = 0; i < 3 && n->kid[i]; i++) {
		unsigned this = need(n->kid[i], budget);
		if (!this)
			return 0;
		most = this == most && i > 0 ? most + 1 : BASE_MAX(most, this);
	}
	return most;
}

bool
gen_swaps(const struct ast_node *a, const struct ast_node *b)
{
	unsigned budget = MAX_VISITS;
	unsigned na = need(a, &budget), nb = na ? need(b, &budget) : 0;

	return nb > na;
}
