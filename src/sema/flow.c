/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Statements that are no expressions: if, loops, declarations inside a
 * statement, and functions, which are made of them.
 *
 * A variable that is declared inside is a clause-local of its own, found by
 * its name from its declaration to the end of the loop or function around it.
 * So are the parameters of a function and its result: a function calls no
 * function that is still running, hence one set of them is enough.
 *
 * Functions may stand in any order.  Their names are known before anything
 * else is looked at, and a body is checked where it stands or at the first
 * call, whichever comes first; a call of a function whose body is being
 * checked closes a circle.
 */
#include <string.h>

#include "sema/call_priv.h"
#include "sema/clause_priv.h"
#include "sema/expand_priv.h"
#include "sema/expr_priv.h"
#include "sema/name_priv.h"
#include "sema/tree.h"
#include "sema/type_priv.h"

/* --- Names inside --------------------------------------------------------- */

struct sema_ident *
sema_local_find(const struct sema *s, const char *name)
{
	for (const struct sema_local *l = s->locals; l; l = l->next)
		if (l->name == name)
			return l->ident;
	return NULL;
}

struct sema_place
sema_go_inside(struct sema *s)
{
	struct sema_place here = {
		.clause = s->clause, .locals = s->locals, .params = s->params,
		.func = s->func, .args = s->arg_types,
		.outermost = s->outermost, .height = s->height,
		.d = s->d, .is_trial = s->is_trial,
		.is_idle = s->is_idle,
	};

	s->d = s->told;
	s->is_trial = s->is_idle = false;
	s->clause = NULL;
	s->locals = NULL;
	s->params = NULL;
	s->func = NULL;
	s->height = 0;
	memset(&s->arg_types, 0, sizeof(s->arg_types));
	return here;
}

void
sema_go_back(struct sema *s, const struct sema_place *here)
{
	s->clause = here->clause;
	s->locals = here->locals;
	s->params = here->params;
	s->func = here->func;
	s->arg_types = here->args;
	s->outermost = here->outermost;
	s->height = here->height;
	s->d = here->d;
	s->is_trial = here->is_trial;
	s->is_idle = here->is_idle;
}

/* A clause-local that only we know how to find. */
static struct sema_ident *
new_local(struct sema *s, const char *name, const struct type *t,
	  struct lang_span span)
{
	struct sema_local *l = ARENA_NEW(s->a, struct sema_local);
	struct sema_ident *id = l ? sema_hidden_var(s, name, t, span) : NULL;

	if (!id)
		return NULL;
	*l = (struct sema_local){ s->locals, name, id };
	s->locals = l;
	return id;
}

/* Numbers, pointers and strings can be passed and kept. */
static const struct type *
value_type(struct sema *s, const struct type *t, const char *what,
	   struct lang_span span)
{
	if (type_is_string(t))
		return s->string;
	t = type_unqual(t);
	if (type_is_scalar(t) || sema_is_real(t))
		return t;
	diag(s->d, D_DECL_PROTO_TYPE, span, "%s must be an integer, a pointer "
	     "or a string, not %s", what, sema_tname(s, t));
	return NULL;
}

/* id = value, both checked. */
static struct ast_node *
set_local(struct sema *s, struct sema_ident *id, struct ast_node *value)
{
	struct ast_node *to = sema_node(s, AST_IDENT, value->span);
	struct ast_node *n = sema_node(s, AST_ASSIGN, value->span);

	if (!to || !n)
		return NULL;
	to->ident = id;
	to->name = id->name;
	to->type = n->type = id->type;
	to->is_lvalue = true;
	n->kid[0] = to;
	n->kid[1] = value;
	n->height = (uint16_t)(value->height + 1);
	return n;
}

static struct ast_node *
zero(struct sema *s, struct lang_span span)
{
	struct ast_node *n = sema_node(s, AST_INT, span);

	if (n)
		sema_expr(s, n);
	return n;
}

/* T name = e;  kid[1] becomes the assignment. */
static void
check_local(struct sema *s, struct ast_node *n)
{
	struct ast_decl *d = n->tname;
	struct ast_node *value = n->kid[0] ? n->kid[0] : zero(s, n->span);
	const struct type *t = sema_decl_type(s, d, DECL_FILE);

	if (n->kid[0])
		sema_expr(s, value);
	if (t)
		t = value_type(s, t, "what is declared here", d->span);
	if (t && d->spec->class != AST_CLASS_NONE) {
		diag(s->d, D_DECL_BADCLASS, d->spec->span,
		     "a storage class is not possible here");
		t = NULL;
	}
	if (!t || !value || !value->type) {
		sema_mute(s, d->name);
		return;
	}
	if (n->kid[0] && !sema_assignable(s, t, value)) {
		diag(s->d, D_OP_INCOMPAT, n->span, "operands have incompatible "
		     "types: \"%s\" = \"%s\"", sema_tname(s, t),
		     sema_tname(s, value->type));
		return;
	}
	struct sema_ident *id = new_local(s, d->name, t, d->span);
	if (id)
		n->kid[1] = set_local(s, id, value);
}

/* --- Branches and loops --------------------------------------------------- */

static void
condition(struct sema *s, struct ast_node *n, const char *what)
{
	if (!n)
		return;
	sema_expr(s, n);
	sema_is_cond(s, n, D_OP_SCALAR, what);
}

/* What is chosen, unless it never is: then nothing of it is left, and its
 * aggregations need not agree with those that are filled (agg.c). */
static void
check_arm(struct sema *s, struct ast_node **list, bool is_idle)
{
	bool outside = s->is_idle;

	s->is_idle = outside || is_idle;
	sema_stmts(s, *list);
	s->is_idle = outside;
	if (is_idle)
		*list = NULL;
}

static void
check_if(struct sema *s, struct ast_node *n)
{
	int64_t value = 0;

	condition(s, n->kid[0], "the condition of if");
	bool is_fixed = n->kid[0]->type && sema_const(n->kid[0], &value);
	check_arm(s, &n->list, is_fixed && !value);
	check_arm(s, &n->list2, is_fixed && value);
}

/* In the order in which it runs: that is where variables come from. */
static void
check_loop(struct sema *s, struct ast_node *n)
{
	struct sema_local *outside = s->locals;

	if (n->list2 && n->list2->kind == AST_LOCAL)
		check_local(s, n->list2);
	else if (n->list2)
		sema_expr(s, n->list2->kid[0]);
	if (n->kind == AST_DO)
		sema_stmts(s, n->list);
	condition(s, n->kid[0], "the condition of a loop");
	if (n->kind == AST_FOR)
		sema_stmts(s, n->list);
	if (n->kid[1])
		sema_expr(s, n->kid[1]);
	if (n->kid[1] && n->kid[1]->type)
		sema_no_action(s, n->kid[1]);
	s->locals = outside;
}

/* kid[1] becomes the assignment to the function's result. */
static void
check_return(struct sema *s, struct ast_node *n)
{
	struct sema_func *f = s->func;
	struct ast_node *e = n->kid[0];

	if (e)
		sema_expr(s, e);
	if (!f || (e && !e->type) || f->state == SEMA_FUNC_BAD)
		return;
	if (!e != !f->ret) {
		diag(s->d, D_FUNC_RETURN, n->span, e ?
		     "%s( ) is void and cannot return a value" :
		     "%s( ) must return a value", f->id.name);
		return;
	}
	if (e && !sema_assignable(s, f->ret->type, e)) {
		diag(s->d, D_FUNC_RETURN, e->span, "%s( ) returns %s, and this "
		     "is %s", f->id.name, sema_tname(s, f->ret->type),
		     sema_tname(s, e->type));
		return;
	}
	if (e)
		n->kid[1] = set_local(s, f->ret, e);
}

/* What an AST_EXPR says. */
static void
check_expr(struct sema *s, struct ast_node *e)
{
	bool is_agg = e->kind == AST_AGG ||
		      (e->kind == AST_ASSIGN && e->kid[0]->kind == AST_AGG);

	if (is_agg && s->func) {
		diag(s->d, D_OP_ACT, e->span, "a function cannot aggregate");
		diag_hint(s->d, "return the value and aggregate that");
	} else if (e->kind == AST_CALL) {
		sema_call_stmt(s, e);
	} else if (e->kind == AST_AGG) {
		diag(s->d, D_AGG_NULL, e->span, "aggregation @%s must be "
		     "assigned an aggregating function", e->name);
		diag_hint(s->d, "such as @%s = count( )", e->name);
	} else if (is_agg) {
		sema_agg_assign(s, e);
	} else {
		sema_expr(s, e);
	}
}

void
sema_stmts(struct sema *s, struct ast_node *n)
{
	struct sema_local *outside = s->locals;

	for (; n; n = n->next) {
		if (n->kind == AST_EXPR)
			sema_unfold_stmt(s, n);
		switch (n->kind) {
		case AST_EXPR: check_expr(s, n->kid[0]); break;
		case AST_IF: check_if(s, n); break;
		case AST_FOR: case AST_DO: check_loop(s, n); break;
		case AST_RETURN: check_return(s, n); break;
		case AST_LOCAL: check_local(s, n); break;
		}
	}
	s->locals = outside;
}

/* --- Functions ------------------------------------------------------------ */

void
sema_func_declare(struct sema *s, const struct ast_func *ast)
{
	struct sema_func *f = ARENA_NEW(s->a, struct sema_func);

	if (!f || !sema_is_free(s, ast->decl))
		return;
	f->id.kind = SEMA_FUNC;
	f->id.name = ast->decl->name;
	f->id.attr = sema_attr_default;
	f->id.span = ast->decl->span;
	f->ast = ast;
	sema_ident_add(s, SEMA_GLOBAL, &f->id);
}

static bool
check_params(struct sema *s, struct sema_func *f, const struct type *t)
{
	const struct ast_decl *d = f->ast->decl->deriv->params;

	f->nparams = t->n;
	f->params = ARENA_ARRAY(s->a, struct sema_ident *, f->nparams);
	if (!f->params)
		return false;
	for (uint32_t i = 0; i < f->nparams; i++, d = d->next) {
		const struct type *p = value_type(s, t->u.params[i].type,
						  "a parameter", d->span);
		if (p && !d->name)
			diag(s->d, D_DECL_PROTO_NAME, d->span,
			     "a parameter needs a name here");
		if (!p || !d->name)
			return false;
		f->params[i] = new_local(s, d->name, p, d->span);
		if (!f->params[i])
			return false;
	}
	return true;
}

static bool
check_head(struct sema *s, struct sema_func *f)
{
	struct ast_decl *d = f->ast->decl;
	const struct type *t;

	if (d->spec->class != AST_CLASS_NONE &&
	    d->spec->class != AST_CLASS_STATIC) {
		diag(s->d, D_DECL_BADCLASS, d->spec->span,
		     "a function is static, or has no storage class");
		return false;
	}
	if (d->deriv->variadic) {
		diag(s->d, D_DECL_PROTO_VARARGS, d->span, "%s( ) cannot have a "
		     "variable number of arguments", d->name);
		return false;
	}
	t = sema_decl_type(s, d, DECL_FILE);
	if (!t || !check_params(s, f, t))
		return false;
	f->id.type = t->base;
	if (type_is_void(t->base))
		return true;
	f->id.type = value_type(s, t->base, "the result of a function",
				d->span);
	f->ret = f->id.type ? sema_hidden_var(s, d->name, f->id.type, d->span)
			    : NULL;
	return f->ret;
}

/* A function that ends without returning anything returns 0. */
static void
clear_result(struct sema *s, struct sema_func *f)
{
	const struct ast_node *last = f->ast->body;

	while (last && last->next)
		last = last->next;
	if (f->ret && !(last && last->kind == AST_RETURN)) {
		struct ast_node *none = zero(s, f->ast->span);
		f->clear = none ? set_local(s, f->ret, none) : NULL;
	}
}

static void
check_func(struct sema *s, struct sema_func *f)
{
	struct sema_place here = sema_go_inside(s);
	unsigned errors = s->d->n;

	f->caller = here.func;
	s->func = f;
	f->state = SEMA_FUNC_BUSY;
	if (check_head(s, f))
		sema_stmts(s, f->ast->body);
	else
		f->state = SEMA_FUNC_BAD;
	if (s->d->n > errors)
		f->state = SEMA_FUNC_BAD;
	sema_go_back(s, &here);
	if (f->state == SEMA_FUNC_BAD)
		return;
	clear_result(s, f);
	f->state = SEMA_FUNC_GOOD;
	f->id.id = (uint32_t)s->funcs.n;
	sema_had(s, vec_push(&s->funcs, f));
}

static struct sema_func *
find_func(struct sema *s, const struct ast_func *ast)
{
	struct sema_ident *id = sema_ident_find(s, SEMA_GLOBAL,
						ast->decl->name);

	return id && id->kind == SEMA_FUNC &&
	       ((struct sema_func *)id)->ast == ast
	       ? (struct sema_func *)id : NULL;
}

void
sema_func_define(struct sema *s, const struct ast_func *ast)
{
	struct sema_func *f = find_func(s, ast);

	if (f && f->state == SEMA_FUNC_NEW)
		check_func(s, f);
}

/* f is called while it is being checked. */
static void
circle(struct sema *s, const struct sema_func *f, struct lang_span span)
{
	const char *text = f->id.name;

	for (const struct sema_func *c = s->func; c; c = c->caller) {
		const char *more = arena_printf(s->a, "%s -> %s", c->id.name,
						text);
		text = more ? more : text;
		if (c == f)
			break;
	}
	diag(s->d, D_FUNC_RECURSIVE, span, "functions cannot call themselves: "
	     "%s", text);
	diag_hint(s->d, "write a loop instead");
}

static bool
check_args(struct sema *s, struct ast_node *n, const struct sema_func *f)
{
	struct ast_node *a = n->list;
	bool ok = true;

	if (n->nlist != f->nparams) {
		diag(s->d, D_PROTO_LEN, n->span, "%s( ) prototype mismatch: "
		     "%u arg%s passed, %u expected", f->id.name, n->nlist,
		     n->nlist == 1 ? "" : "s", f->nparams);
		return false;
	}
	for (uint32_t i = 0; a; a = a->next, i++) {
		const struct type *t = f->params[i]->type;
		if (!a->type) {
			ok = false;
		} else if (!sema_assignable(s, t, a)) {
			diag(s->d, D_PROTO_ARG, a->span, "%s( ) argument #%u "
			     "is incompatible with prototype: prototype: %s, "
			     "argument: %s", f->id.name, i + 1,
			     sema_tname(s, t), sema_tname(s, a->type));
			ok = false;
		}
	}
	return ok;
}

void
sema_func_call(struct sema *s, struct ast_node *n, struct sema_func *f)
{
	for (struct ast_node *a = n->list; a; a = a->next)
		sema_expr(s, a);
	if (f->state == SEMA_FUNC_BUSY) {
		circle(s, f, n->span);
		return;
	}
	if (f->state == SEMA_FUNC_NEW)
		check_func(s, f);
	if (f->state != SEMA_FUNC_GOOD || !check_args(s, n, f))
		return;
	n->ident = &f->id;
	n->type = f->id.type;
	sema_use(s, f->id.attr, n->span);
}

struct sema_func *const *
sema_funcs(const struct sema *s, uint32_t *n)
{
	*n = (uint32_t)s->funcs.n;
	return s->funcs.v;
}
