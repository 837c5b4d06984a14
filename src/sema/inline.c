/* SPDX-License-Identifier: BSD-2-Clause
 *
 * inline T name = e;  and  inline T name[K k] = e;
 */
#include "sema/expand_priv.h"
#include "sema/expr_priv.h"
#include "sema/name_priv.h"
#include "sema/tree.h"
#include "sema/type_priv.h"
#include "type/convert.h"

static struct sema_param *
new_param(struct sema *s, const struct ast_decl *d, const struct type *type)
{
	struct sema_param *p = ARENA_NEW(s->a, struct sema_param);

	if (!p)
		return NULL;
	p->name = d->name;
	p->type = type;
	p->ident = ARENA_NEW(s->a, struct sema_ident);
	if (!p->ident)
		return NULL;
	p->ident->kind = SEMA_PARAM;
	p->ident->name = d->name;
	p->ident->type = type;
	p->ident->attr = sema_attr_default;
	p->ident->span = d->span;
	return p;
}

/* The parameters of the array form, in order. */
static bool
make_params(struct sema *s, struct sema_inline *in, const struct ast_deriv *a)
{
	struct sema_param **tail = &in->params;
	const struct type **types;
	uint32_t n;

	types = sema_decl_params(s, a->params, &n);
	if (!types)
		return false;
	in->nparams = n;
	n = 0;
	for (const struct ast_decl *d = a->params; d && n < in->nparams;
	     d = d->next, n++) {
		*tail = new_param(s, d, types[n]);
		if (!*tail)
			return false;
		tail = &(*tail)->next;
	}
	return n > 0;
}

static bool
check_value(struct sema *s, const struct ast_inline *i,
	    const struct ast_node *e, const struct type *t)
{
	bool ok = sema_eval(e)->kind == AST_XLATE ? type_equal(e->type, t)
						  : sema_assignable(s, t, e);

	if (ok)
		return true;
	diag(s->d, D_OP_INCOMPAT, i->expr->span, "inline %s definition uses "
	     "incompatible types: \"%s\" = \"%s\"", i->decl->name,
	     sema_tname(s, t), sema_tname(s, e->type));
	sema_hint_float(s, e->type);
	return false;
}

static bool
is_function(struct sema *s, const struct ast_decl *d, const struct type *t)
{
	if (type_strip(t)->kind != TYPE_FUNC)
		return false;
	diag(s->d, D_OP_INCOMPAT, d->span, "inline %s cannot be a function",
	     d->name);
	diag_hint(s->d, "what an inline is given stands in brackets, as in %s[int x]",
		  d->name);
	return true;
}

/* Its type and its parameters. */
static bool
make_types(struct sema *s, struct sema_inline *in)
{
	struct ast_decl *d = in->id.inl->decl;
	const struct type *t = in->id.is_array ? sema_decl_assoc_value(s, d)
					       : sema_decl_type(s, d, DECL_FILE);

	if (!t || (in->id.is_array &&
		   !make_params(s, in, sema_decl_assoc(d))) ||
	    is_function(s, d, t)) {
		sema_mute(s, d->name);
		return false;
	}
	in->id.type = t;
	return true;
}

bool
sema_inline_need(struct sema *s, struct sema_ident *id)
{
	struct sema_around around;
	bool ok;

	if (id->type)
		return true;
	sema_step_out(s, id->span, &around);
	ok = make_types(s, (struct sema_inline *)id);
	sema_step_in(s, &around);
	return ok;
}

void
sema_inline_define(struct sema *s, const struct ast_inline *i)
{
	struct ast_decl *d = i->decl;
	struct sema_inline *in = ARENA_NEW(s->a, struct sema_inline);
	struct ast_node *e;

	if (!in || !sema_is_free(s, d))
		return;
	in->id.kind = SEMA_INLINE;
	in->id.name = d->name;
	in->id.attr = sema_attr_default;
	in->id.inl = i;
	in->id.span = d->span;
	in->id.is_array = sema_decl_assoc(d) != NULL;
	if (sema_is_proven(d->span)) {
		sema_ident_add(s, SEMA_GLOBAL, &in->id);
		return;
	}
	if (!make_types(s, in))
		return;
	e = sema_expand(s, i->expr, in->params, NULL, i->expr);
	if (e && check_value(s, i, e, in->id.type))
		sema_ident_add(s, SEMA_GLOBAL, &in->id);
	else if (!s->nomem && !arena_failed(s->a))
		sema_mute(s, d->name);
}

/* The parameters again, bound to args; NULL after a report. */
static struct sema_param *
bind(struct sema *s, const struct sema_inline *in, struct ast_node *args,
     uint32_t nargs, const struct ast_node *use)
{
	struct sema_param *first = NULL, **tail = &first;
	const struct sema_param *p = in->params;
	uint32_t no = 1;

	if (nargs != in->nparams) {
		diag(s->d, D_PROTO_LEN, use->span, "%s[ ] prototype mismatch: "
		     "%u key%s passed, %u expected", in->id.name, nargs,
		     nargs == 1 ? "" : "s", in->nparams);
		return NULL;
	}
	for (; args; args = args->next, p = p->next, no++) {
		unsigned weight = sema_expr_weight(s, args);
		if (!args->type)
			return NULL;
		if (!sema_assignable(s, p->type, args)) {
			diag(s->d, D_PROTO_ARG, args->span, "%s[ ] key #%u "
			     "is incompatible with prototype: prototype: %s, "
			     "argument: %s", in->id.name, no,
			     sema_tname(s, p->type),
			     sema_tname(s, args->type));
			return NULL;
		}
		*tail = arena_memdup(s->a, p, sizeof(*p));
		if (!*tail)
			return NULL;
		(*tail)->next = NULL;
		(*tail)->weight = weight;
		(*tail)->arg = sema_convert(s, args, p->type);
		if (!(*tail)->arg)
			return NULL;
		tail = &(*tail)->next;
	}
	return first;
}

void
sema_inline_use(struct sema *s, struct ast_node *n, struct sema_ident *id,
		struct ast_node *args, uint32_t nargs)
{
	struct sema_inline *in = (struct sema_inline *)id;
	struct sema_param *params = NULL;
	struct ast_node *e;

	n->ident = id;
	if (in->params && !args) {
		diag(s->d, D_ARR_BADREF, n->span, "%s may not be used without "
		     "an index", id->name);
		return;
	}
	if (in->params) {
		sema_use(s, id->attr, n->span);
		params = bind(s, in, args, nargs, n);
		if (!params)
			return;
	}
	e = sema_expand(s, id->inl->expr, params, id->type, n);
	if (e)
		sema_replace(n, e);
}
