/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Translators.  `xlate <T>(e)` has no value of its own; its members are the
 * expressions of the translator with e in place of the parameter.
 */
#include "sema/sema_priv.h"

static const struct ast_member_expr *
find_expr(const struct sema_xlator *x, const char *name)
{
	for (const struct ast_member_expr *m = x->ast->members; m; m = m->next)
		if (m->name == name)
			return m;
	return NULL;
}

/* --- Definition ---------------------------------------------------------- */

static struct sema_param
param_of(const struct sema_xlator *x, struct sema_ident *id,
	 struct ast_node *arg, unsigned weight)
{
	id->kind = SEMA_PARAM;
	id->name = x->param;
	id->type = x->in;
	id->attr = sema_attr_default;
	return (struct sema_param){
		.name = x->param, .type = x->in, .arg = arg,
		.weight = weight, .ident = id,
	};
}

/* A string may fill a char array, as in `pr_fname = stringof(...)`. */
static bool
fits_member(struct sema *s, const struct type *t, const struct ast_node *e)
{
	if (sema_eval(e)->kind == AST_XLATE)
		return type_equal(t, e->type);
	if (type_is_array(t))
		return type_equal(t, e->type) ||
		       (type_is_charptr(t) && type_is_strcompat(e->type));
	return sema_assignable(s, t, e);
}

static void
check_member(struct sema *s, const struct sema_xlator *x,
	     const struct ast_member_expr *m, struct hash *seen)
{
	struct sema_ident *id = ARENA_NEW(s->a, struct sema_ident);
	struct type_member tm;
	struct sema_param p;
	struct ast_node *e;

	if (!id)
		return;
	if (!type_find_member(x->out, m->name, &tm)) {
		diag(s->d, D_XLATE_MEMB, m->span, "translator member %s is "
		     "not a member of %s", m->name, sema_tname(s, x->out));
		return;
	}
	if (sema_seen(s, seen, m->name)) {
		diag(s->d, D_XLATE_REDECL, m->span, "translator member %s is "
		     "defined twice", m->name);
		return;
	}
	p = param_of(x, id, NULL, 0);
	e = sema_expand(s, m->expr, &p, NULL, m->expr);
	if (e && !fits_member(s, tm.type, e))
		diag(s->d, D_XLATE_INCOMPAT, m->expr->span, "translator "
		     "member %s definition uses incompatible types: "
		     "\"%s\" = \"%s\"", m->name, sema_tname(s, tm.type),
		     sema_tname(s, e->type));
}

static bool
is_defined(struct sema *s, const struct sema_xlator *x)
{
	for (const struct sema_xlator *i = s->xlators; i; i = i->next)
		if (type_equal(i->out, x->out) && type_equal(i->in, x->in))
			return true;
	return false;
}

void
sema_xlator_define(struct sema *s, const struct ast_xlator *ast)
{
	struct sema_xlator *x = ARENA_NEW(s->a, struct sema_xlator);
	const struct type *out = sema_decl_type(s, ast->out, DECL_TYPENAME);
	const struct type *in = sema_decl_type(s, ast->in, DECL_TYPENAME);
	struct hash seen;

	if (!x || !in || !out)
		return;
	if (!type_is_sou(out)) {
		diag(s->d, D_XLATE_SOU, ast->out->span, "translator output "
		     "type must be a struct or union, not %s",
		     sema_tname(s, out));
		return;
	}
	x->out = out;
	x->in = in;
	x->param = ast->in->name;
	x->ast = ast;
	x->attr = sema_attr_default;
	if (is_defined(s, x)) {
		diag(s->d, D_XLATE_REDECL, ast->span, "translator from %s to "
		     "%s has already been declared", sema_tname(s, in),
		     sema_tname(s, out));
		return;
	}
	hash_init(&seen);
	for (const struct ast_member_expr *m = ast->members; m; m = m->next)
		check_member(s, x, m, &seen);
	hash_fini(&seen);
	x->next = s->xlators;
	s->xlators = x;
}

/* --- Use ----------------------------------------------------------------- */

enum match { MATCH_EXACT, MATCH_RESOLVED, MATCH_ASSIGN };

static bool
matches(struct sema *s, const struct sema_xlator *x, const struct ast_node *e,
	enum match how)
{
	const struct type *from = type_unqual(e->type);

	switch (how) {
	case MATCH_EXACT:
		return x->in == from ||
		       (x->in->kind == from->kind && x->in->name &&
			x->in->name == from->name);
	case MATCH_RESOLVED:
		return type_equal(x->in, from);
	default:
		return sema_assignable(s, x->in, e);
	}
}

/* Compile the libraries that translate to out, by whichever of its names. */
static void
load_xlators(struct sema *s, const struct type *out)
{
	for (const struct type *t = out; t; t = t->base) {
		if (t->name)
			sema_library(s, LANG_NAME_XLATOR, t->name);
		if (t->kind != TYPE_TYPEDEF && t->kind != TYPE_CONST &&
		    t->kind != TYPE_VOLATILE)
			return;
	}
}

static struct sema_xlator *
find_xlator(struct sema *s, const struct type *out, const struct ast_node *e)
{
	load_xlators(s, out);
	for (int how = MATCH_EXACT; how <= MATCH_ASSIGN; how++)
		for (struct sema_xlator *x = s->xlators; x; x = x->next)
			if (type_equal(x->out, out) && matches(s, x, e, how))
				return x;
	return NULL;
}

void
sema_xlate(struct sema *s, struct ast_node *n)
{
	const struct type *t = sema_decl_type(s, n->tname, DECL_TYPENAME);
	struct sema_xlated *xu = ARENA_NEW(s->a, struct sema_xlated);
	unsigned weight = sema_expr_weight(s, n->kid[0]);
	const struct type *out;

	if (!t || !n->kid[0]->type || !xu)
		return;
	out = type_is_ptr(t) ? type_strip(t)->base : t;
	if (!type_is_sou(out) && type_strip(out)->kind != TYPE_FWD) {
		diag(s->d, D_XLATE_SOU, n->tname->span, "xlate makes a struct "
		     "or union, or a pointer to one, not %s",
		     sema_tname(s, t));
		return;
	}
	struct sema_xlator *x = find_xlator(s, out, n->kid[0]);
	if (!x) {
		diag(s->d, D_XLATE_NONE, n->span, "no translator is known "
		     "from %s to %s", sema_tname(s, n->kid[0]->type),
		     sema_tname(s, out));
		return;
	}
	sema_use(s, x->attr, n->span);
	xu->xlator = x;
	xu->weight = weight;
	n->sema = xu;
	n->type = t;
}

void
sema_xlate_member(struct sema *s, struct ast_node *n,
		  const struct ast_node *xn)
{
	const struct sema_xlated *xu = xn->sema;
	const struct sema_xlator *x = xu->xlator;
	const struct ast_member_expr *m = find_expr(x, n->name);
	struct sema_ident *id = ARENA_NEW(s->a, struct sema_ident);
	struct type_member tm;
	struct sema_param p;
	struct ast_node *arg, *e;

	if (!type_find_member(x->out, n->name, &tm)) {
		sema_no_member(s, n, x->out);
		return;
	}
	if (!m) {
		diag(s->d, D_XLATE_MEMB, n->op_span, "the translator from %s "
		     "to %s does not define member %s",
		     sema_tname(s, x->in), sema_tname(s, x->out), n->name);
		return;
	}
	arg = sema_convert(s, xn->kid[0], x->in);
	if (!id || !arg)
		return;
	p = param_of(x, id, arg, xu->weight);
	/* What is a char array in the struct may be a string here. */
	e = sema_expand(s, m->expr, &p,
			type_is_array(tm.type) ? NULL : tm.type, n);
	if (!e)
		return;
	n->repl = e;
	n->type = e->type;
	n->is_const = e->is_const;
	n->value = e->value;
	n->is_user = e->is_user;
}
