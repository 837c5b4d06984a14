/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One clause to a plan: a list of nodes.
 *
 * speculate() takes what is recorded behind it elsewhere.  Without ifs all that
 * a clause records goes to one place, for nothing may be recorded before.
 * With them, each straight piece that records is a part with its own record
 * (dif/node.h), and the branch bytes say which part it is.  A loop of such a
 * clause is divided into parts, too, where elsewhere it has a log (record.c).
 */
#include "gen/clause_priv.h"
#include "gen/value_priv.h"
#include "sema/tree.h"

/* --- What statements call ------------------------------------------------- */

/* What a statement calls, if that is an action; else NULL. */
static const struct sema_ident *
action_of(const struct ast_node *stmt)
{
	const struct ast_node *e =
		stmt->kind == AST_EXPR ? sema_eval(stmt->kid[0]) : NULL;
	const struct sema_ident *id =
		e && e->kind == AST_CALL ? sema_eval(e->kid[0])->ident : NULL;

	return id && id->kind == SEMA_ACTION ? id : NULL;
}

static bool
is_spec(const struct sema_ident *id)
{
	return id && abi_action_class(id->id) == ABI_DOES_SPECULATES;
}

static bool
is_speculate(const struct ast_node *stmt)
{
	const struct sema_ident *id = action_of(stmt);

	return id && id->id == ABI_ACT_SPECULATE;
}

/* --- Acting on the process or the CPU ----------------------------------- */

static bool
is_act(uint32_t kind)
{
	return abi_action_class(kind) == ABI_DOES_ACTS;
}

static struct plan_node *
gen_act(struct clause *c, const struct ast_node *stmt,
	const struct ast_node *call, uint32_t kind)
{
	struct gen_want want = { .as_int = true, .as = gen_int_s64 };
	struct plan_node *p = gen_node_new(c, PLAN_ACT, stmt);

	if (!p || (call->list && !gen_node_difo(c, call->list, want)) ||
	    !gen_node_done(c, p))
		return NULL;
	p->act = kind;
	return p;
}

/* --- Speculating -------------------------------------------------------- */

static struct plan_node *
gen_spec(struct clause *c, const struct ast_node *stmt,
	 const struct ast_node *call)
{
	struct plan_node *p = gen_node_new(c, PLAN_SPEC, stmt);
	struct gen_want want = { .as_int = true, .as = gen_int_s32 };

	if (!p || !gen_node_difo(c, call->list, want) || !gen_node_done(c, p))
		return NULL;
	p->act = sema_eval(call->kid[0])->ident->id;
	return p;
}

/* --- Aggregating -------------------------------------------------------- */

/* Which argument of an aggregating function is the increment. */
static unsigned
increment_arg(enum abi_agg_func func)
{
	switch (func) {
	case ABI_AGG_QUANTIZE: return 1;
	case ABI_AGG_LQUANTIZE: return 4;
	case ABI_AGG_LLQUANTIZE: return 5;
	default: return UINT32_MAX;
	}
}

static bool
add_keys(struct clause *c, const struct abi_agg_desc *agg,
	 const struct ast_node *n)
{
	for (uint32_t i = 0; n && i < agg->nkeys; i++, n = n->next) {
		const struct abi_field *f = &agg->keys[i];
		struct gen_want want = {
			.as_int = f->kind == ABI_FIELD_INT,
			.as = { (uint8_t)f->size, f->is_signed, false },
			.as_string = f->kind == ABI_FIELD_STRING,
			.size = f->size,
		};
		if (!gen_node_value(c, n, f, want))
			return false;
	}
	return true;
}

static bool
add_value(struct clause *c, struct plan_node *p, const struct ast_node *n)
{
	struct gen_want want = { .as_int = true, .as = gen_int_s64 };
	unsigned incr = increment_arg(p->agg->func);

	for (unsigned i = 0; n; i++, n = n->next) {
		if (i != 0 && i != incr)
			continue;
		if (!gen_node_difo(c, n, want))
			return false;
		if (i == 0)
			p->has_value = true;
		else
			p->has_incr = true;
	}
	return true;
}

static struct plan_node *
gen_agg(struct clause *c, const struct ast_node *stmt,
	const struct ast_node *assign)
{
	const struct ast_node *agg = assign->kid[0];
	const struct ast_node *call = sema_eval(assign->kid[1]);
	struct plan_node *p = gen_node_new(c, PLAN_AGG, stmt);

	if (!p)
		return NULL;
	p->agg = &c->g->aggs[agg->ident->id - 1];
	gen_node_frees(c, p, agg, call);
	if (!add_keys(c, p->agg, agg->list) || !add_value(c, p, call->list) ||
	    !gen_node_done(c, p))
		return NULL;
	return p;
}

/* --- Statements --------------------------------------------------------- */

static bool gen_list(struct clause *c, const struct ast_node *stmts,
		     struct arm *arm, const struct plan_node **ret);

static struct plan_node *
gen_if(struct clause *c, const struct ast_node *stmt)
{
	struct plan_node *p = gen_node_new(c, PLAN_IF, stmt);
	struct arm yes = { 0 }, no = { 0 };

	if (p)
		gen_node_frees(c, p, stmt->kid[0], NULL);
	if (!p ||
	    !gen_node_difo(c, stmt->kid[0], (struct gen_want){ .size = 0 }) ||
	    !gen_node_done(c, p) ||
	    !gen_list(c, stmt->list, &yes, &p->then_) ||
	    !gen_list(c, stmt->list2, &no, &p->else_))
		return NULL;
	p->branch = yes.branch;
	p->else_branch = no.branch;
	return p;
}

static struct plan_node *
gen_expr(struct clause *c, const struct ast_node *stmt,
	 const struct ast_node *e)
{
	struct plan_node *p = gen_node_new(c, PLAN_EXPR, stmt);
	struct gen_want want = { .no_value = !c->is_prelude,
				 .as_int = c->is_prelude, .as = gen_int_s64 };

	if (p)
		gen_node_frees(c, p, e, NULL);
	return p && gen_node_difo(c, e, want) && gen_node_done(c, p) ? p : NULL;
}

static bool
gen_step_node(struct clause *c, const struct ast_node *stmt,
	      const struct plan_node **ret)
{
	struct plan_node *p;

	if (!stmt->kid[1])
		return true;
	*ret = p = gen_expr(c, stmt, stmt->kid[1]);
	if (p)
		p->place = gen_place_of(c->g, stmt->kid[1]->span);
	return p;
}

/* The loop itself, without what comes before it. */
static struct plan_node *
gen_turns(struct clause *c, const struct ast_node *stmt)
{
	struct plan_node *p = gen_node_new(c, PLAN_LOOP, stmt);
	struct arm arm = { 0 };
	const struct ast_node *cond = stmt->kid[0];

	if (!p)
		return NULL;
	p->is_post = stmt->kind == AST_DO;
	if (cond)
		gen_node_frees(c, p, cond, NULL);
	if ((cond && !gen_node_difo(c, cond, (struct gen_want){ .size = 0 })) ||
	    !gen_node_done(c, p) || !gen_list(c, stmt->list, &arm, &p->then_) ||
	    !gen_step_node(c, stmt, &p->else_))
		return NULL;
	return p;
}

/* a, then b. */
static struct plan_node *
both(struct plan_node *a, struct plan_node *b)
{
	if (!a || !b)
		return NULL;
	a->next = b;
	return a;
}

static struct plan_node *
gen_loop(struct clause *c, const struct ast_node *stmt)
{
	const struct ast_node *first = stmt->list2;
	struct plan_node *p = NULL;
	uint64_t times = c->times;

	c->loops++;
	c->times = BASE_MIN(times * c->loopmax, (uint64_t)GEN_TIMES_MAX);
	if (first)
		p = gen_expr(c, first, first->kid[first->kind == AST_LOCAL]);
	struct plan_node *turns = gen_turns(c, stmt);
	c->times = times;
	c->loops--;
	return first ? both(p, turns) : turns;
}

static struct plan_node *
gen_return(struct clause *c, const struct ast_node *stmt)
{
	struct plan_node *ret;

	if (!stmt->kid[1])
		return gen_node_new(c, PLAN_RETURN, stmt);
	ret = gen_expr(c, stmt, stmt->kid[1]);
	return both(ret, gen_node_new(c, PLAN_RETURN, stmt));
}

static struct plan_node *
gen_simple(struct clause *c, const struct ast_node *stmt, struct arm *arm)
{
	const struct ast_node *e = sema_eval(stmt->kid[0]);
	const struct sema_ident *id = action_of(stmt);

	if (e->kind == AST_ASSIGN && e->kid[0]->kind == AST_AGG)
		return gen_agg(c, stmt, e);
	if (is_spec(id))
		return gen_spec(c, stmt, e);
	if (id && is_act(id->id))
		return gen_act(c, stmt, e, id->id);
	return id ? gen_record_action(c, stmt, e, arm)
		  : gen_expr(c, stmt, stmt->kid[0]);
}

/* One node or two. */
static struct plan_node *
gen_stmt(struct clause *c, const struct ast_node *stmt, struct arm *arm)
{
	switch (stmt->kind) {
	case AST_IF: return gen_if(c, stmt);
	case AST_FOR: case AST_DO: return gen_loop(c, stmt);
	case AST_BREAK: return gen_node_new(c, PLAN_BREAK, stmt);
	case AST_CONTINUE: return gen_node_new(c, PLAN_CONTINUE, stmt);
	case AST_RETURN: return gen_return(c, stmt);
	case AST_LOCAL: return gen_expr(c, stmt, stmt->kid[1]);
	default: return gen_simple(c, stmt, arm);
	}
}

/* A list of nodes being made, at its end. */
struct tail {
	const struct plan_node **head;
	struct plan_node *last;
};

/* Append p and what hangs on it. */
static void
append(struct tail *t, struct plan_node *p)
{
	if (t->last)
		t->last->next = p;
	else
		*t->head = p;
	while (p->next)
		p = p->next;
	t->last = p;
}

/* Does a straight piece end here? */
static bool
divides(const struct ast_node *stmt)
{
	return stmt->kind != AST_EXPR && stmt->kind != AST_LOCAL;
}

/* The statements around one that are not empty. */
static bool
stands_alone(const struct ast_node *before, const struct ast_node *stmt)
{
	const struct ast_node *after = stmt->next;

	while (after && after->kind == AST_EMPTY)
		after = after->next;
	return (!before || divides(before)) && (!after || divides(after));
}

static bool
is_in_parts(const struct clause *c)
{
	return c->has_if && c->has_spec;
}

/* Straight pieces of a list: where the next node goes. */
struct pieces {
	struct tail list, part;
	struct arm arm;			/* of the part */
	const struct ast_node *before;
};

/* The piece has begun to record: its nodes from p on are a part. */
static bool
open_part(struct clause *c, struct pieces *s, const struct plan_node *p)
{
	struct plan_node *part = ARENA_NEW(c->g->a, struct plan_node);

	if (!part)
		return gen_clause_no_memory(c);
	*part = (struct plan_node){ .kind = PLAN_PART, .place = p->place,
		.branch = s->arm.branch, .action_no = p->action_no };
	append(&s->list, part);
	s->part = (struct tail){ &part->then_, NULL };
	return true;
}

static bool
gen_piece(struct clause *c, struct pieces *s, const struct ast_node *stmt,
	  struct arm *arm)
{
	bool in_parts = is_in_parts(c);
	bool alone = is_speculate(stmt) && stands_alone(s->before, stmt);

	if (divides(stmt)) {
		s->arm.branch = 0;
		s->part.head = NULL;
	}
	s->before = stmt;
	if (in_parts)
		arm = &s->arm;
	struct plan_node *p = gen_stmt(c, stmt, arm);
	if (!p || (alone && !gen_record_row(c, stmt, p, arm)))
		return false;
	if (in_parts && s->arm.branch && !s->part.head &&
	    !open_part(c, s, p))
		return false;
	append(s->part.head ? &s->part : &s->list, p);
	return true;
}

static bool
gen_list(struct clause *c, const struct ast_node *stmts, struct arm *arm,
	 const struct plan_node **ret)
{
	struct pieces s = { .list = { ret, NULL } };
	bool ok = true;

	/* What goes wrong is kept, and we go on: there may be more to
	 * report. */
	for (; stmts; stmts = stmts->next)
		if (stmts->kind != AST_EMPTY)
			ok = gen_piece(c, &s, stmts, arm) && ok;
	return ok;
}

/* --- The clause ----------------------------------------------------------- */

/* What the statements have in them; in_loop: they are in a loop. */
static void
look_at(struct clause *c, const struct ast_node *stmts, bool in_loop)
{
	for (; stmts; stmts = stmts->next) {
		const struct sema_ident *id = action_of(stmts);
		bool is_loop = stmts->kind == AST_FOR || stmts->kind == AST_DO;

		c->has_if |= stmts->kind == AST_IF || is_loop;
		c->has_spec |= is_spec(id);
		c->speculates |= is_speculate(stmts);
		c->out->desc.is_log |= in_loop && id && !is_spec(id) &&
				       !is_act(id->id);
		if (stmts->kind == AST_IF)
			look_at(c, stmts->list2, in_loop);
		if (stmts->kind == AST_IF || is_loop)
			look_at(c, stmts->list, in_loop || is_loop);
	}
}

static bool
build(struct clause *c, const struct ast_clause *ast)
{
	struct gen_want want = { .size = 0 };
	bool ok = true;

	c->out->place = gen_place_of(c->g, ast->span);
	look_at(c, ast->body, false);
	c->out->in_parts = is_in_parts(c);
	if (c->has_spec)
		c->out->desc.is_log = false;
	if (ast->pred) {
		c->out->pred = gen_difo(c->g, ast->pred, want);
		ok = c->out->pred != NULL;
	}
	return gen_list(c, ast->body, NULL, &c->out->body) && ok &&
	       gen_record_describe(c, ast->span);
}

bool
gen_clause(struct gen *g, const struct sema_clause *sc, bool is_prelude,
	   struct plan_clause *ret)
{
	struct clause c = { .g = g, .out = ret, .times = 1,
			    .loopmax = g->loopmax, .is_prelude = is_prelude };
	bool ok = build(&c, sc->ast);

	ret->is_prelude = is_prelude;

	vec_fini(&c.actions);
	vec_fini(&c.recorders);
	vec_fini(&c.fields);
	vec_fini(&c.aggids);
	vec_fini(&c.difos);
	return ok;
}

bool
gen_func(struct gen *g, const struct sema_func *f, struct plan_func *ret)
{
	struct plan_clause none = { .place = 0 };
	struct clause c = { .g = g, .out = &none, .func = f, .times = 1,
			    .loopmax = g->loopmax };
	const struct plan_node *body = NULL;
	struct plan_node *clear = NULL;
	bool ok = true;

	if (f->clear) {
		clear = gen_expr(&c, f->clear, f->clear);
		ok = clear != NULL;
	}
	ok = gen_list(&c, f->ast->body, NULL, &body) && ok;
	if (clear)
		clear->next = (struct plan_node *)body;
	ret->body = clear ? clear : body;
	ret->name = f->id.name;
	ret->place = gen_place_of(g, f->ast->span);
	ret->keeps = c.keeps;
	vec_fini(&c.difos);
	return ok;
}
