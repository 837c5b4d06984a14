/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Calls: arguments against prototypes.  What a function asks beyond its
 * prototype is its check_* function, named in builtins.def.
 *
 * Actions record and may only be statements; subroutines may stand anywhere;
 * aggregating functions only behind `@a = `.
 *
 * An action inside an expression has no value: type void.  Whoever wants a value
 * there says so in words of its own.  Where nobody does, sema_no_action()
 * reports the action: expr.c asks it about all operands.
 */
#include <assert.h>
#include <string.h>

#include "sema/call_priv.h"
#include "sema/clause_priv.h"
#include "sema/expr_priv.h"
#include "sema/name_priv.h"
#include "sema/tree.h"
#include "sema/type_priv.h"
#include "type/make.h"
#include "type/text.h"

const char *
sema_call_name(const struct ast_node *call)
{
	return call->kid[0]->name;
}

struct ast_node *
sema_arg(const struct ast_node *call, unsigned i)
{
	struct ast_node *a = call->list;

	while (a && i-- > 0)
		a = a->next;
	return a;
}

static struct builtin *
builtin_of(const struct ast_node *call)
{
	return (struct builtin *)call->kid[0]->ident;
}

const struct proto *
sema_call_proto(struct sema *s, const struct ast_node *call)
{
	return sema_proto(s, builtin_of(call));
}

/* --- Prototypes ---------------------------------------------------------- */

static const char *
expected(struct sema *s, const struct proto *p)
{
	const char *text;

	if (p->max >= PROTO_MANY)
		text = arena_printf(s->a, "at least %u", p->min);
	else if (p->min == p->max)
		text = arena_printf(s->a, "%u", p->min);
	else
		text = arena_printf(s->a, "%u%s%u", p->min,
				    p->max == p->min + 1 ? " or " : " to ",
				    p->max);
	return text ? text : "";
}

bool
sema_args_count(struct sema *s, struct ast_node *call, const struct proto *p,
		enum diag_tag tag)
{
	const char *name = sema_call_name(call);

	if (call->nlist >= p->min && call->nlist <= p->max)
		return true;
	diag(s->d, tag, call->span,
	     "%s( ) prototype mismatch: %u arg%s passed, %s expected", name,
	     call->nlist, call->nlist == 1 ? "" : "s", expected(s, p));
	const char *text = builtin_of(call)->text;
	diag_hint(s->d, "prototype: %.*s %s%s", (int)strcspn(text, "("), text,
		  name, strchr(text, '('));
	return false;
}

/* D's loose ideas: a string where char * is wanted, a pointer where
 * uintptr_t is. */
static bool
is_arg_ok(struct sema *s, const struct type *t, const struct ast_node *arg)
{
	if (type_is_charptr(t) && type_is_string(arg->type))
		return true;
	if (t == type_alias("uintptr_t") &&
	    type_is_scalar(sema_decay(s, arg)))
		return true;
	return sema_assignable(s, t, arg);
}

/* Check the type of argument no against what is wanted. */
static bool
arg_type(struct sema *s, const struct ast_node *call,
	 const struct ast_node *arg, unsigned no, const struct proto_param *p)
{
	if (!arg->type)
		return false;
	if (p->kind == PARAM_ANY || is_arg_ok(s, p->type, arg))
		return true;
	diag(s->d, D_PROTO_ARG, arg->span, "%s( ) argument #%u is "
	     "incompatible with prototype: prototype: %s, argument: %s",
	     sema_call_name(call), no, p->text, sema_tname(s, arg->type));
	if (type_is_charptr(p->type) && type_is_integer(arg->type))
		diag_hint(s->d, "copyinstr(...) reads a string of the "
			  "traced process, stringof(...) one of the kernel");
	else if (type_is_ptr(p->type) && type_is_string(arg->type))
		diag_hint(s->d, "(char *) in front of it makes it the address of "
			  "its text");
	sema_hint_action(s, arg);
	return false;
}

bool
sema_args(struct sema *s, struct ast_node *call)
{
	const struct proto *p = sema_call_proto(s, call);
	bool ok = p != NULL;
	unsigned i = 0;

	for (struct ast_node *a = call->list; a; a = a->next)
		sema_expr(s, a);
	if (!p || !sema_args_count(s, call, p, D_PROTO_LEN))
		return false;
	for (struct ast_node *a = call->list; a; a = a->next, i++)
		ok = arg_type(s, call, a, i + 1, &p->params[i]) && ok;
	return ok;
}

void
sema_check_plain(struct sema *s, struct ast_node *call)
{
	if (sema_args(s, call))
		call->type = sema_call_proto(s, call)->result;
}

/* alloca(), copyin(): what they give lies in the trace's own memory, whatever a
 * cast makes of it. */
void
sema_check_own(struct sema *s, struct ast_node *call)
{
	struct type *t;

	sema_check_plain(s, call);
	if (!call->type)
		return;
	t = type_new_ptr(s->a, type_strip(call->type)->base);
	if (t)
		t->is_own = true;
	call->type = t;
}

/* strlen(): a constant is as long as it is, whatever strsize. */
void
sema_check_length(struct sema *s, struct ast_node *call)
{
	const struct ast_node *a;

	sema_check_plain(s, call);
	if (!call->type)
		return;
	a = sema_eval(call->list);
	if (sema_is_cut(s, a))
		sema_set_const(call, strnlen(a->str, a->str_len));
}

/* strtoll(): a constant base must be one. */
void
sema_check_base(struct sema *s, struct ast_node *call)
{
	struct ast_node *base = sema_arg(call, 1);
	int64_t v;

	sema_check_plain(s, call);
	if (!call->type || !base || !sema_const(base, &v) ||
	    (v >= 2 && v <= 36))
		return;
	diag(s->d, D_PROTO_ARG, base->span, "%s( ) argument #2 must be a base "
	     "from 2 to 36, not %lld", sema_call_name(call), (long long)v);
	call->type = NULL;
}

/* --- Actions ------------------------------------------------------------- */

struct value_action {
	enum diag_tag dyn, none, size;
	bool whole;		/* takes a translated struct */
};

/* f(any value that can be recorded); true when it is one. */
static bool
value_action(struct sema *s, struct ast_node *call,
	     const struct value_action *t)
{
	const struct proto *p = sema_call_proto(s, call);
	const char *name = sema_call_name(call);
	struct ast_node *a = call->list;

	if (!p || !sema_args_count(s, call, p, D_PROTO_LEN))
		return false;
	if (a->kind == AST_AGG) {
		diag(s->d, t->dyn, a->span,
		     "%s( ) may not be applied to an aggregation", name);
		diag_hint(s->d, "use printa(@%s)", a->name);
		return false;
	}
	if (t->whole && a->kind != AST_CALL)
		sema_expr_whole(s, a);
	else
		sema_expr_dyn(s, a);
	if (!a->type)
		return false;
	if (type_is_dyn(a->type)) {
		diag(s->d, t->dyn, a->span, "%s( ) may not be applied "
		     "to a value of type %s", name, sema_tname(s, a->type));
		diag_hint(s->d, "%s( ) is an action of its own",
			  sema_call_name(a));
	} else if (type_is_void(a->type)) {
		diag(s->d, t->none, a->span,
		     "%s( ) may not be applied to a void expression", name);
		sema_hint_action(s, a);
	} else if (!type_is_func(a->type) && !type_is_complete(a->type)) {
		diag(s->d, t->size, a->span, "the size of %s is not "
		     "known", sema_tname(s, a->type));
	} else {
		call->type = p->result;
	}
	return call->type != NULL;
}

void
sema_check_trace(struct sema *s, struct ast_node *call)
{
	static const struct value_action t = {
		D_TRACE_DYN, D_TRACE_VOID, D_OP_INCOMPLETE
	};

	value_action(s, call, &t);
}

void
sema_check_print(struct sema *s, struct ast_node *call)
{
	static const struct value_action t = {
		D_PRINT_DYN, D_PRINT_VOID, D_PRINT_SIZE, true
	};
	const struct ast_node *a = call->list;
	int64_t max = s->opts->v[OPT_PRINTSIZE];

	if (!value_action(s, call, &t) || type_is_func(a->type))
		return;
	uint64_t size = type_size(a->type);
	if (size && size <= (uint64_t)max)
		return;
	call->type = NULL;
	if (!size) {
		diag(s->d, D_PRINT_SIZE, a->span, "print( ) may not be "
		     "applied to a value of no bytes: %s",
		     sema_tname(s, a->type));
		return;
	}
	diag(s->d, D_PRINT_SIZE, a->span, "%s has %llu bytes, more than "
	     "the %lld that print( ) takes", sema_tname(s, a->type),
	     (unsigned long long)size, (long long)max);
	diag_hint(s->d, "-x printsize=%llu allows it",
		  (unsigned long long)size);
}

bool
sema_agg_arg(struct sema *s, const struct ast_node *call,
	     struct ast_node *arg, unsigned no, enum diag_tag tag)
{
	if (arg->kind == AST_AGG && !arg->list)
		return true;
	diag(s->d, tag, arg->span, "%s( ) argument #%u must be an aggregation",
	     sema_call_name(call), no);
	if (arg->kind == AST_AGG)
		diag_hint(s->d, "it is taken as a whole: @%s without keys",
			  arg->name);
	return false;
}

static const struct agg_action {
	uint32_t id;
	enum diag_tag proto, arg, scalar, bad;
} agg_actions[] = {
	{ ABI_ACT_CLEAR, D_CLEAR_PROTO, D_CLEAR_AGGARG, D_UNKNOWN, D_CLEAR_AGGBAD },
	{ ABI_ACT_TRUNC, D_TRUNC_PROTO, D_TRUNC_AGGARG, D_TRUNC_SCALAR,
	  D_TRUNC_AGGBAD },
	{ ABI_ACT_NORMALIZE, D_NORMALIZE_PROTO, D_NORMALIZE_AGGARG,
	  D_NORMALIZE_SCALAR, D_NORMALIZE_AGGBAD },
	{ ABI_ACT_DENORMALIZE, D_DENORMALIZE_PROTO, D_DENORMALIZE_AGGARG,
	  D_UNKNOWN, D_DENORMALIZE_AGGBAD },
};

/* f(@a) or f(@a, integer) */
void
sema_check_agg(struct sema *s, struct ast_node *call)
{
	const struct agg_action *t = agg_actions;
	const struct proto *p = sema_call_proto(s, call);
	struct ast_node *a = call->list, *number;

	while (t->id != builtin_of(call)->id.id) {
		t++;
		assert(t < agg_actions + BASE_NELEMS(agg_actions));
	}
	if (!p || !sema_args_count(s, call, p, t->proto) ||
	    !sema_agg_arg(s, call, a, 1, t->arg))
		return;
	number = a->next;
	if (number) {
		sema_expr(s, number);
		if (!number->type)
			return;
	}
	if (number && !type_is_integer(number->type)) {
		diag(s->d, t->scalar, number->span, "%s( ) argument #2 must "
		     "be an integer, not %s", sema_call_name(call),
		     sema_tname(s, number->type));
		return;
	}
	call->type = p->result;
	sema_late_add(s, call, t->bad, NULL);
}

/* --- Calls --------------------------------------------------------------- */

/* Finds what is called; NULL after a report. */
static struct sema_ident *
callee(struct sema *s, struct ast_node *n)
{
	struct ast_node *f = n->kid[0];
	struct sema_ident *id;

	if (f->kind != AST_IDENT) {
		diag(s->d, D_FUNC_IDENT, f->span,
		     "only a function name can be called");
		return NULL;
	}
	id = sema_ident_lookup(s, f->name);
	if (!id) {
		sema_func_undef(s, f);
		return NULL;
	}
	f->ident = id;
	if (id->kind == SEMA_FUNC)
		return id;
	if (id->kind != SEMA_SUBR && id->kind != SEMA_ACTION &&
	    id->kind != SEMA_AGGFUNC) {
		diag(s->d, D_FUNC_IDENT, f->span,
		     "%s is a variable and cannot be called", f->name);
		if (id->kind == SEMA_INLINE && id->is_array)
			diag_hint(s->d, "what an inline is given stands in "
				  "brackets: %s[...]", f->name);
		return NULL;
	}
	return id;
}

static bool
is_later(struct sema *s, const struct ast_node *n, const struct sema_ident *id)
{
	return id->kind != SEMA_FUNC &&
	       sema_is_later(s, (const struct builtin *)id, n->kid[0]);
}

/* Arguments of a call that is wrong: errors in them are worth telling. */
static void
look_at_args(struct sema *s, struct ast_node *n)
{
	for (struct ast_node *a = n->list; a; a = a->next)
		if (a->kind != AST_AGG)
			sema_expr(s, a);
}

static void
call(struct sema *s, struct ast_node *n, struct sema_ident *id)
{
	n->type = NULL;
	if (id->kind == SEMA_FUNC) {
		sema_func_call(s, n, (struct sema_func *)id);
		return;
	}
	n->ident = id;
	sema_use(s, id->attr, n->kid[0]->span);
	if (s->prog && id->is_destructive)
		s->prog->destructive = true;
	((const struct builtin *)id)->check(s, n);
}

bool
sema_no_action(struct sema *s, const struct ast_node *n)
{
	n = sema_eval(n);
	if (n->kind != AST_CALL || !n->ident ||
	    n->ident->kind != SEMA_ACTION || !type_is_void(n->type))
		return true;
	diag(s->d, D_OP_ACT, n->span, "action %s( ) may only be a statement "
	     "of its own", n->ident->name);
	return false;
}

void
sema_hint_action(struct sema *s, const struct ast_node *n)
{
	if (n->kind == AST_CALL && n->ident && n->ident->kind == SEMA_ACTION)
		diag_hint(s->d, "action %s( ) has no value: it is a statement "
			  "of its own", n->ident->name);
}

/* An action where a value is wanted. */
static void
inner_action(struct sema *s, struct ast_node *n, struct sema_ident *id)
{
	if (s->func)
		diag(s->d, D_OP_ACT, n->span, "action %s( ) cannot be in a "
		     "function", id->name);
	else if (((struct builtin *)id)->flags & BUILTIN_DYN)
		diag(s->d, D_OP_ACT, n->span, "action %s( ) may only be a "
		     "statement of its own", id->name);
	else if (!is_later(s, n, id)) {
		look_at_args(s, n);
		n->ident = id;
		n->type = &type_void;
	}
}

void
sema_call(struct sema *s, struct ast_node *n)
{
	struct sema_ident *id;

	if (sema_either(s, n))
		return;
	id = callee(s, n);
	if (!id) {
		look_at_args(s, n);
	} else if (id->kind == SEMA_ACTION) {
		inner_action(s, n, id);
	} else if (id->kind == SEMA_AGGFUNC) {
		diag(s->d, D_AGG_SCALAR, n->span, "aggregating function %s( ) "
		     "may only be assigned to an aggregation", id->name);
		diag_hint(s->d, "write @ = %s(...)", id->name);
	} else if (!is_later(s, n, id)) {
		call(s, n, id);
	}
}

bool
sema_is_dyn_call(struct sema *s, const struct ast_node *n)
{
	const struct ast_node *f = n->kid[0];
	struct sema_ident *id = f->kind == AST_IDENT ?
				sema_ident_lookup(s, f->name) : NULL;

	return id && id->kind == SEMA_ACTION &&
	       ((struct builtin *)id)->flags & BUILTIN_DYN;
}

void
sema_call_stmt(struct sema *s, struct ast_node *n)
{
	struct sema_ident *id;

	if (sema_either(s, n))
		return;
	id = callee(s, n);
	if (!id) {
		look_at_args(s, n);
	} else if (id->kind == SEMA_AGGFUNC) {
		diag(s->d, D_AGG_NULL, n->span, "aggregating function %s( ) "
		     "must be assigned to an aggregation", id->name);
		diag_hint(s->d, "write @ = %s(...)", id->name);
	} else if (id->kind == SEMA_ACTION && s->func) {
		diag(s->d, D_OP_ACT, n->span, "action %s( ) cannot be in a "
		     "function", id->name);
		diag_hint(s->d, "only clauses have actions");
	} else if (id->kind == SEMA_ACTION || !is_later(s, n, id)) {
		/* An action that cannot be is order.c's to report. */
		call(s, n, id);
	}
}
