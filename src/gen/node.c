/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Nodes of a plan.  Each runs some DIFOs, one for each value that is wanted of
 * an expression; they are collected while the node is being made.
 *
 * What a node claims of scratch is free again when it is done, unless an
 * address of it may be left behind in a variable or in memory.
 */
#include "gen/clause_priv.h"
#include "gen/expr_priv.h"
#include "sema/tree.h"

bool
gen_clause_no_memory(struct clause *c)
{
	c->g->failed = true;
	return false;
}

bool
gen_node_difo(struct clause *c, const struct ast_node *n, struct gen_want want)
{
	const struct dif_difo *d = gen_difo(c->g, n, want);

	if (!d)
		return false;
	return vec_push(&c->difos, d) || gen_clause_no_memory(c);
}

/* The value of a field or key: a symbol is recorded as its address, and a
 * stack needs no code. */
bool
gen_node_value(struct clause *c, const struct ast_node *n,
	       const struct abi_field *f, struct gen_want want)
{
	static const struct gen_want address = {
		.as_int = true, .as = { .size = 8 },
	};

	switch (f->kind) {
	case ABI_FIELD_STACK:
	case ABI_FIELD_USTACK:
		return vec_push(&c->difos, NULL) || gen_clause_no_memory(c);
	case ABI_FIELD_SYM:
	case ABI_FIELD_MOD:
	case ABI_FIELD_USYM:
	case ABI_FIELD_UMOD:
	case ABI_FIELD_UADDR:
		if (type_is_dyn(sema_eval(n)->type))
			n = sema_eval(n)->list;
		return gen_node_difo(c, n, address);
	default:
		return gen_node_difo(c, n, want);
	}
}

struct plan_node *
gen_node_new(struct clause *c, enum plan_kind kind, const struct ast_node *stmt)
{
	struct plan_node *p = ARENA_NEW(c->g->a, struct plan_node);

	c->difos.n = 0;
	if (!p) {
		gen_clause_no_memory(c);
		return NULL;
	}
	p->kind = (uint8_t)kind;
	p->place = gen_place_of(c->g, stmt->span);
	p->action_no = c->func ? 0 : ++c->nnodes;
	p->tells_place = c->func || c->loops || abi_place_file(p->place);
	return p;
}

/*
 * Might n leave an address of scratch behind?  It does when it claims some
 * that has no other name, or sets a pointer.  Else what it claims is free
 * again when it is done, so that neither a loop nor a long clause runs out.
 */
static bool
keeps_scratch(const struct gen *g, const struct ast_node *n)
{
	const struct sema_ident *id;
	const struct sema_func *func;

	n = sema_eval(n);
	if (!n || n->is_const)
		return false;
	id = n->kind == AST_CALL ? sema_eval(n->kid[0])->ident : NULL;
	if (id && id->kind == SEMA_SUBR &&
	    (!dif_subr_info(id->id) || dif_subr_info(id->id)->ret == 'p'))
		return true;
	func = n->kind == AST_CALL ? gen_func_of(n) : NULL;
	if (func && g->funcs[func->id.id].keeps)
		return true;
	if (n->kind == AST_ASSIGN && n->type && !type_is_integer(n->type) &&
	    !type_is_string(n->type))
		return true;
	for (int i = n->kind == AST_CALL; i < 3; i++)
		if (keeps_scratch(g, n->kid[i]))
			return true;
	for (const struct ast_node *k = n->list; k; k = k->next)
		if (keeps_scratch(g, k))
			return true;
	return false;
}

void
gen_node_frees(struct clause *c, struct plan_node *p, const struct ast_node *n,
	       const struct ast_node *more)
{
	p->frees = !keeps_scratch(c->g, n) && !keeps_scratch(c->g, more);
	c->keeps |= !p->frees;
}

/* The DIFOs collected since gen_node_new() are p's. */
bool
gen_node_done(struct clause *c, struct plan_node *p)
{
	p->ndifos = (uint32_t)c->difos.n;
	p->difos = arena_memdup(c->g->a, c->difos.v,
				c->difos.n * sizeof(*c->difos.v));
	return p->difos || gen_clause_no_memory(c);
}
