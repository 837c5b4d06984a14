/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Aggregations: @name[keys] = function(arguments).  The function, its constant
 * parameters and the keys are those of the first use; every other use must
 * agree.
 *
 * What prints or empties an aggregation may stand before the clause that
 * fills it, so such uses are judged when the whole program has been seen.
 *
 * What never runs, since a constant chooses otherwise, is no use:
 *
 *	OPT_lib ? @n[probemod, probefunc] = count() : 1;
 *	! OPT_lib ? @n[probefunc] = count() : 1;
 *
 * An aggregation that has no other still is one, which stays empty.
 */
#include "sema/call_priv.h"
#include "sema/expr_priv.h"
#include "sema/name_priv.h"

/* From now on it is one of the program; NULL without memory. */
static struct sema_agg *
enter(struct sema *s, struct sema_agg *g)
{
	g->id.id = (uint32_t)s->aggs.n + 1;
	return sema_had(s, vec_push(&s->aggs, &g->id) &&
			hash_puts(&s->agg_names, g->id.name, g)) ? g : NULL;
}

static struct sema_agg *
new_agg(struct sema *s, const struct ast_node *n)
{
	struct sema_agg *g = ARENA_NEW(s->a, struct sema_agg);

	if (!g)
		return NULL;
	g->id.kind = SEMA_AGG;
	g->id.name = n->name;
	g->id.attr = sema_attr_default;
	g->id.span = n->span;
	if (!s->is_idle)
		return enter(s, g);
	return sema_had(s, hash_gets(&s->idle_aggs, n->name) ||
			hash_puts(&s->idle_aggs, n->name, g)) ? g : NULL;
}

void
sema_agg_mdim(struct sema *s, const struct ast_node *n)
{
	diag(s->d, D_AGG_MDIM, n->span, "aggregation @%s has its keys in one "
	     "pair of brackets", n->kid[0]->name);
	diag_hint(s->d, "write @%s[a, b]", n->kid[0]->name);
}

/* The call on the right; NULL after a report. */
static struct builtin *
agg_function(struct sema *s, struct ast_node *call)
{
	struct ast_node *f = call->kid[0];
	struct sema_ident *id = NULL;

	if (call->kind == AST_CALL && f->kind == AST_IDENT) {
		id = sema_ident_lookup(s, f->name);
		if (!id) {
			sema_func_undef(s, f);
			return NULL;
		}
		f->ident = call->ident = id;
	}
	if (id && id->kind == SEMA_AGGFUNC) {
		sema_use(s, id->attr, f->span);
		return (struct builtin *)id;
	}
	diag(s->d, D_AGG_FUNC, call->span, "an aggregation can only be "
	     "assigned the result of an aggregating function");
	diag_hint(s->d, "such as count( ), sum(x), avg(x), min(x), max(x), "
		  "quantize(x)");
	return NULL;
}

/* No function yet, or this one? */
static bool
fix_function(struct sema *s, struct sema_agg *g, const struct builtin *b,
	     const struct ast_node *n)
{
	unsigned line;

	if (g->has_func && g->id.func != b->id.id) {
		diag(s->d, D_AGG_REDEF, n->kid[1]->span, "aggregation @%s "
		     "redefined: current: %s( ), previous: %s( )",
		     g->id.name, b->id.name, g->func);
		lang_span_where(g->first, &line, NULL, NULL);
		diag_hint(s->d, "the previous is on line %u; give the two "
			  "different names", line);
		return false;
	}
	if (!g->has_func)
		g->first = n->span;
	g->func = b->id.name;
	g->id.func = b->id.id;
	return true;
}

/* Functions whose parameters are part of the aggregation. */
static bool
fix_params(struct sema *s, struct sema_agg *g, struct ast_node *call)
{
	bool ok = true;

	if (g->id.func == ABI_AGG_LQUANTIZE)
		ok = sema_lquantize(s, g, call);
	else if (g->id.func == ABI_AGG_LLQUANTIZE)
		ok = sema_llquantize(s, g, call);
	g->has_func = g->has_func || ok;
	return ok;
}

/* Under which name an aggregation is known whose function was wrong. */
static const char *
muted_name(struct sema *s, const struct ast_node *a)
{
	const char *text = arena_printf(s->a, "@%s", a->name);

	return text ? text : a->name;
}

void
sema_agg_op(struct sema *s, const struct ast_node *n, const char *behind)
{
	const struct ast_node *agg = n->kid[0];

	diag(s->d, D_AGG_SCALAR, n->span, "operator %s%s cannot be applied to an "
	     "aggregation", sema_op_text(n->op), behind);
	diag_hint(s->d, "@%s = count( ) counts, @%s = sum(x) adds x",
		  agg->name, agg->name);
}

void
sema_agg_assign(struct sema *s, struct ast_node *n)
{
	struct ast_node *l = n->kid[0], *call = n->kid[1];
	struct builtin *b;
	struct sema_agg *g;

	if (n->op != AST_OP_NONE) {
		sema_agg_op(s, n, "=");
		return;
	}
	b = agg_function(s, call);
	if (!b) {
		sema_mute(s, muted_name(s, l));
		return;
	}
	g = s->is_idle ? NULL : hash_gets(&s->agg_names, l->name);
	if (!g)
		g = new_agg(s, l);
	if (!g)
		return;
	l->ident = &g->id;
	bool ok = sema_keys(s, &g->id, l);
	ok = sema_args(s, call) && ok;
	if (!ok || !fix_function(s, g, b, n) || !fix_params(s, g, call))
		return;
	call->type = l->type = n->type = &type_void;
}

/* --- Later --------------------------------------------------------------- */

void
sema_late_add(struct sema *s, struct ast_node *call, enum diag_tag bad,
	      void (*check)(struct sema *, struct ast_node *))
{
	struct sema_late l = { call, bad, check };

	if (s->is_idle)
		return;
	sema_had(s, vec_push(&s->late, l));
}

static bool
is_known(struct sema *s, struct ast_node *a, enum diag_tag tag)
{
	struct sema_agg *g = hash_gets(&s->agg_names, a->name);
	struct hash_entry *e;
	struct near r;
	size_t i = 0;

	if (!g) {
		g = hash_gets(&s->idle_aggs, a->name);
		g = g ? enter(s, g) : NULL;
	}
	a->ident = g ? &g->id : NULL;
	a->type = &type_void;
	if (g)
		return g->has_func;
	if (sema_is_muted(s, muted_name(s, a)))
		return false;
	diag(s->d, tag, a->span, "undefined aggregation: @%s", a->name);
	if (!sema_wants_hint(s))
		return false;
	sema_near_init(&r, a->name);
	while ((e = hash_next(&s->agg_names, &i)))
		sema_near_try(&r, ((struct sema_ident *)e->val)->name);
	if (r.best)
		diag_hint(s->d, "did you mean @%s?", r.best);
	return false;
}

static bool
are_known(struct sema *s, struct ast_node *call, enum diag_tag tag)
{
	bool ok = true;

	for (struct ast_node *a = call->list; a; a = a->next)
		if (a->kind == AST_AGG)
			ok = is_known(s, a, tag) && ok;
	return ok;
}

void
sema_late_check(struct sema *s)
{
	for (size_t i = 0; i < s->late.n; i++) {
		const struct sema_late *l = &s->late.v[i];

		if (are_known(s, l->call, l->bad) && l->check)
			l->check(s, l->call);
	}
}
