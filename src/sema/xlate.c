/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Translators.  The members of `xlate <T>(e)` are the expressions of the
 * translator with e in place of the parameter; only those that are used are
 * evaluated.  As a whole it has a value where a struct can be copied: then all
 * members of the translator are, and those that it does not define are zero.
 */
#include "sema/expand_priv.h"
#include "sema/expr_priv.h"
#include "sema/name_priv.h"
#include "sema/tree.h"
#include "sema/type_priv.h"
#include "type/convert.h"

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

/* What x translates from; NULL after a report. */
static const struct type *
input_of(struct sema *s, struct sema_xlator *x)
{
	struct sema_around around;

	if (x->in)
		return x->in;
	sema_step_out(s, x->ast->span, &around);
	x->in = sema_decl_type(s, x->ast->in, DECL_TYPENAME);
	sema_step_in(s, &around);
	return x->in;
}

/* The same type under the same name? */
static bool
is_exactly(const struct type *a, const struct type *b)
{
	if (a == b)
		return true;
	return a->kind == b->kind && (a->name || b->name ? a->name == b->name
							 : type_equal(a, b));
}

static bool
is_defined(struct sema *s, const struct sema_xlator *x)
{
	for (struct sema_xlator *i = s->xlators; i; i = i->next)
		if (type_equal(i->out, x->out) && input_of(s, i) &&
		    is_exactly(i->in, x->in))
			return true;
	return false;
}

/* Under which name a type is known as that of a translator that is wrong. */
static const char *
out_text(struct sema *s, const struct type *out)
{
	const char *text = arena_printf(s->a, "translator %s",
					sema_tname(s, type_unqual(out)));

	return text ? text : "translator";
}

void
sema_xlator_define(struct sema *s, const struct ast_xlator *ast)
{
	struct sema_xlator *x = ARENA_NEW(s->a, struct sema_xlator);
	const struct type *out = sema_decl_type(s, ast->out, DECL_TYPENAME);
	bool is_proven = sema_is_proven(ast->span);
	const struct type *in = is_proven ? NULL :
				sema_decl_type(s, ast->in, DECL_TYPENAME);
	struct hash seen = { 0 };
	unsigned before = s->d->n;

	if (out && !in && !is_proven)
		sema_mute(s, out_text(s, out));
	if (!x || !out || (!in && !is_proven))
		return;
	if (type_strip(out)->kind == TYPE_FWD) {
		diag(s->d, D_XLATE_SOU, ast->out->span, "translator output "
		     "type %s is not defined", sema_tname(s, out));
		sema_mute(s, out_text(s, out));
		return;
	}
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
	if (!is_proven && is_defined(s, x)) {
		diag(s->d, D_XLATE_REDECL, ast->span, "translator from %s to "
		     "%s has already been declared", sema_tname(s, in),
		     sema_tname(s, out));
		return;
	}
	for (const struct ast_member_expr *m = is_proven ? NULL : ast->members;
	     m; m = m->next)
		check_member(s, x, m, &seen);
	hash_fini(&seen);
	x->is_bad = s->d->n > before;
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
		return is_exactly(x->in, from);
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
	struct sema_xlator *found = NULL;

	load_xlators(s, out);
	/* Of several the first that was defined, which is the last here. */
	for (int how = MATCH_EXACT; how <= MATCH_ASSIGN && !found; how++)
		for (struct sema_xlator *x = s->xlators; x; x = x->next)
			if (type_equal(x->out, out) && input_of(s, x) &&
			    matches(s, x, e, how))
				found = x;
	return found;
}

/* n, whose operand is checked, becomes a translation to t; at: where t is
 * written. */
static void
xlate_as(struct sema *s, struct ast_node *n, const struct type *t,
	 unsigned weight, struct lang_span at)
{
	struct sema_xlated *xu = ARENA_NEW(s->a, struct sema_xlated);
	const struct type *out = type_is_ptr(t) ? type_strip(t)->base : t;

	if (!xu)
		return;
	if (!type_is_sou(out) && type_strip(out)->kind != TYPE_FWD) {
		diag(s->d, D_XLATE_SOU, at, "xlate makes a struct or union, "
		     "or a pointer to one, not %s", sema_tname(s, t));
		return;
	}
	struct sema_xlator *x = find_xlator(s, out, n->kid[0]);
	if (x ? x->is_bad : sema_is_muted(s, out_text(s, out)))
		return;
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
	n->list = NULL;
	n->is_zero = false;
}

void
sema_xlate(struct sema *s, struct ast_node *n)
{
	const struct type *t = sema_decl_type(s, n->tname, DECL_TYPENAME);
	unsigned weight = sema_expr_weight(s, n->kid[0]);

	if (t && n->kid[0]->type)
		xlate_as(s, n, t, weight, n->tname->span);
}

struct ast_node *
sema_xlate_to(struct sema *s, const struct type *t, struct ast_node *e)
{
	struct ast_node *n = sema_node(s, AST_XLATE, e->span);

	if (!n)
		return NULL;
	n->kid[0] = e;
	n->height = (uint16_t)(e->height + 1);
	xlate_as(s, n, t, 1, e->span);
	return n->type ? n : NULL;
}

/* e shifted by so many bits, as t. */
static struct ast_node *
shifted(struct sema *s, struct ast_node *e, enum ast_op op, uint32_t bits,
	const struct type *t)
{
	struct ast_node *n = sema_node(s, AST_BINARY, e->span);
	struct ast_node *by = sema_int(s, (int)bits, e->span);

	if (!n || !by)
		return NULL;
	n->op = (uint8_t)op;
	n->type = t;
	n->kid[0] = e;
	n->kid[1] = by;
	n->height = (uint16_t)(e->height + 1);
	return n;
}

/* e, an integer, as a bit-field would hold it. */
static struct ast_node *
cut_to_bits(struct sema *s, struct ast_node *e, const struct type_member *m)
{
	bool is_signed = type_is_signed(m->type);
	const struct type *t = is_signed ? &type_long : &type_ulong;
	uint32_t spare = 64 - m->bit_size;

	if (!m->bit_size || !spare)
		return e;
	e = sema_convert(s, e, t);
	e = e ? shifted(s, e, AST_SHL, spare, t) : NULL;
	e = e ? shifted(s, e, AST_SHR, spare, t) : NULL;
	return e ? sema_convert(s, e, m->type) : NULL;
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
	if (e && e->type)
		e = cut_to_bits(s, e, &tm);
	if (e)
		sema_replace(n, e);
}

/* --- As a whole ---------------------------------------------------------- */

/* The node of one member of xn; NULL after a report or without memory. */
static struct ast_node *
whole_member(struct sema *s, struct ast_node *xn, const char *name)
{
	struct ast_node *k = sema_node(s, AST_DOT, xn->span);

	if (!k)
		return NULL;
	k->name = name;
	sema_xlate_member(s, k, xn);
	if (!k->type || !sema_whole(s, k))
		return NULL;
	k->height = (uint16_t)(k->repl->height + 1);
	return k;
}

/* Give xn the nodes of its members; n is it, or has it in its place. */
static bool
whole(struct sema *s, struct ast_node *n, struct ast_node *xn)
{
	const struct sema_xlated *xu = xn->sema;
	struct ast_node **tail = &xn->list;
	unsigned h = xn->height;

	for (const struct ast_member_expr *m = xu->xlator->ast->members; m;
	     m = m->next) {
		struct ast_node *k = whole_member(s, xn, m->name);
		if (!k)
			return false;
		*tail = k;
		tail = &k->next;
		h = BASE_MAX(h, k->height + 1u);
	}
	if (!xn->list)		/* nothing but zeros */
		xn->is_zero = true;
	for (struct ast_node *i = n; i; i = (struct ast_node *)i->repl)
		h++;
	if (h > LANG_MAX_HEIGHT) {
		sema_too_big(s, n->span);
		return false;
	}
	for (struct ast_node *i = n; i; i = (struct ast_node *)i->repl)
		i->height = (uint16_t)h--;
	return true;
}

bool
sema_whole(struct sema *s, struct ast_node *n)
{
	struct ast_node *xn = (struct ast_node *)sema_eval(n);

	if (xn->kind != AST_XLATE || xn->list || xn->is_zero ||
	    !type_is_sou(xn->type))
		return true;
	if (whole(s, n, xn))
		return true;
	n->type = NULL;
	return false;
}

bool
sema_whole_deref(struct sema *s, struct ast_node *n)
{
	const struct ast_node *p = sema_eval(n->kid[0]);
	unsigned before = s->weight;
	struct ast_node *xn;

	if (p->kind != AST_XLATE || !type_is_ptr(p->type))
		return false;
	xn = arena_memdup(s->a, p, sizeof(*p));
	if (!xn)
		return true;
	xn->type = ((struct sema_xlated *)p->sema)->xlator->out;
	xn->list = NULL;
	n->repl = xn;
	n->type = xn->type;
	sema_whole(s, n);
	s->repl_weight = s->weight - before;
	return true;
}
