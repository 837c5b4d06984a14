/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Names in expressions, and what is in brackets behind them: variables,
 * built-ins, enumerators, kernel symbols; elements of associative arrays, C
 * arrays and pointers, args[] and uregs[].
 */
#include "sema/call_priv.h"
#include "sema/clause_priv.h"
#include "sema/expand_priv.h"
#include "sema/expr_priv.h"
#include "sema/name_priv.h"
#include "sema/tree.h"
#include "sema/type_priv.h"
#include "type/text.h"

const struct type *
sema_int64(void)
{
	return type_alias("int64_t");
}

enum sema_scope
sema_scope_of(const struct ast_node *n)
{
	return n->kind == AST_SELF ? SEMA_SELF :
	       n->kind == AST_THIS ? SEMA_THIS : SEMA_GLOBAL;
}

bool
sema_is_name(const struct ast_node *n)
{
	return n->kind == AST_IDENT || n->kind == AST_SELF ||
	       n->kind == AST_THIS;
}

struct sema_ident *
sema_named(struct sema *s, const struct ast_node *n)
{
	return n->kind == AST_IDENT
	       ? sema_ident_lookup(s, n->name)
	       : sema_ident_find(s, sema_scope_of(n), n->name);
}

/* The type of n that reads a variable, with the bits every such node has. */
static void
use_var(struct ast_node *n, const struct sema_ident *id)
{
	n->type = id->type;
	n->is_lvalue = true;
}

/* --- Bare names ---------------------------------------------------------- */

static struct sema_param *
find_param(struct sema *s, const char *name)
{
	for (struct sema_param *p = s->params; p; p = p->next)
		if (p->name == name)
			return p;
	return NULL;
}

bool
sema_is_known(struct sema *s, const char *name)
{
	return find_param(s, name) || sema_ident_lookup(s, name);
}

static void
use_param(struct sema *s, struct ast_node *n, const struct sema_param *p)
{
	n->ident = p->ident;
	n->type = p->type;
	if (!p->arg)
		return;
	s->repl_weight = p->weight;
	sema_replace(n, p->arg);
}

static void
need_keys(struct sema *s, const struct ast_node *n, const char *what)
{
	diag(s->d, D_ARR_BADREF, n->span, "%s %s may not be used without "
	     "an index", what,
	     sema_var_text(s, sema_scope_of(n), n->name));
	diag_hint(s->d, "write %s[...]",
		  sema_var_text(s, sema_scope_of(n), n->name));
}

static void
use_builtin(struct sema *s, struct ast_node *n)
{
	struct builtin *b = (struct builtin *)n->ident;

	if (sema_is_later(s, b, n))
		return;
	if (b->id.is_array) {
		need_keys(s, n, "array");
		return;
	}
	n->type = b->id.type;
}

static void
use_func(struct sema *s, const struct ast_node *n)
{
	diag(s->d, D_IDENT_BADREF, n->span,
	     "%s( ) is a function and may only be called", n->name);
	diag_hint(s->d, "write %s(...)", n->name);
}

bool
sema_use_enum(struct sema *s, struct ast_node *n, const struct type *t,
	      int64_t value)
{
	struct sema_ident *id = ARENA_NEW(s->a, struct sema_ident);

	if (!id)
		return false;
	id->kind = SEMA_ENUM;
	id->name = n->name;
	id->type = t;
	id->value = (uint64_t)value;
	id->attr = sema_attr_default;
	n->ident = id;
	n->type = t;
	sema_set_const(n, (uint64_t)value);
	return true;
}

/* A name that means nothing else and is an enumerator of the kernel's.  One that has
 * several values means something only beside what is of its enum. */
static bool
use_kernel_enum(struct sema *s, struct ast_node *n)
{
	const struct type *other = NULL, *t;
	int64_t v;

	if (!s->world->find_enumerator)
		return false;
	t = s->world->find_enumerator(s->world->ctx, n->name, &v, &other);
	if (!t)
		return false;
	if (!other)
		return sema_use_enum(s, n, t, v);
	diag(s->d, D_IDENT_UNDEF, n->span, "%s is ambiguous: %s and %s have "
	     "enumerators of that name with different values", n->name,
	     sema_tname(s, t), sema_tname(s, other));
	diag_hint(s->d, "it is known where it is compared with a value of its enum; "
		  "else write its number");
	return true;
}

static void
use_global(struct sema *s, struct ast_node *n)
{
	switch (n->ident->kind) {
	case SEMA_VAR:
		if (n->ident->is_assoc)
			need_keys(s, n, "associative array");
		else
			use_var(n, n->ident);
		break;
	case SEMA_BVAR:
		use_builtin(s, n);
		break;
	case SEMA_ENUM:
		n->type = n->ident->type;
		sema_set_const(n, n->ident->value);
		break;
	case SEMA_INLINE:
		sema_inline_use(s, n, n->ident, NULL, 0);
		break;
	default:
		use_func(s, n);
	}
}

void
sema_name(struct sema *s, struct ast_node *n)
{
	enum sema_scope scope = sema_scope_of(n);
	const struct sema_param *p;

	if (scope == SEMA_GLOBAL && (p = find_param(s, n->name))) {
		use_param(s, n, p);
		return;
	}
	n->ident = sema_named(s, n);
	if (!n->ident)
		n->ident = sema_look_ahead(s, n);
	if (!n->ident && scope == SEMA_GLOBAL && use_kernel_enum(s, n))
		return;
	if (!n->ident) {
		sema_var_undef(s, n, scope);
		return;
	}
	sema_use(s, n->ident->attr, n->span);
	use_global(s, n);
}

/* --- Symbols ------------------------------------------------------ */

static void
unknown_symbol(struct sema *s, const struct ast_node *n)
{
	const char *text = arena_printf(s->a, "%s`%s", n->module ? n->module : "", n->name);
	const char *why = sema_kvar_foreign(n);

	if (!text || sema_seen(s, &s->reported, text))
		return;
	if (!why && s->world->no_symbol)
		why = s->world->no_symbol(s->world->ctx, n->module, n->name);
	diag(s->d, D_IDENT_UNDEF, n->span,
	     "failed to resolve %s: Unknown symbol name", text);
	if (why)
		diag_hint(s->d, "%s", why);
}

/* One of an object that a process has mapped. */
static bool
process_symbol(struct sema *s, const struct ast_node *n, uint64_t *addr,
	       const struct type **type)
{
	const struct sema_world *w = s->world;

	return n->module && w->find_process_symbol &&
	       w->find_process_symbol(w->ctx, n->module, n->name, addr, type);
}

/* n is the symbol at addr; type: NULL where it is not known. */
static void
use_symbol(struct sema *s, struct ast_node *n, uint64_t addr,
	   const struct type *type)
{
	static const struct probe_attr attr = {
		PROBE_PRIVATE, PROBE_PRIVATE, PROBE_CLASS_UNKNOWN
	};
	struct sema_ident *id = ARENA_NEW(s->a, struct sema_ident);
	if (!id)
		return;
	id->kind = SEMA_KSYM;
	id->name = n->name;
	id->value = addr;
	id->attr = attr;
	id->span = n->span;
	id->type = type;
	n->ident = id;
	/* Without a type it is good for its address alone. */
	n->type = type ? type : &type_void;
	n->is_lvalue = true;
	sema_use(s, attr, n->span);
}

void
sema_sym(struct sema *s, struct ast_node *n)
{
	const struct type *type = NULL;
	struct sema_percpu percpu;
	bool is_user = false;
	uint64_t addr = 0;

	if (sema_kvar(s, n, false))
		return;
	bool is_kernel = s->world->find_symbol &&
			 s->world->find_symbol(s->world->ctx, n->module, n->name,
					       &addr, &type);
	if (!is_kernel && sema_kvar(s, n, true))
		return;
	if (!type && sema_percpu(s, n, &percpu)) {
		use_symbol(s, n, percpu.place, percpu.type);
		sema_percpu_use(s, n, &percpu);
		return;
	}
	if (!is_kernel)
		is_user = process_symbol(s, n, &addr, &type);
	if (!is_kernel && !is_user) {
		unknown_symbol(s, n);
		return;
	}
	use_symbol(s, n, addr, type);
	n->is_user = is_user;
}

/* --- Brackets ------------------------------------------------------------ */

static bool
one_index(struct sema *s, const struct ast_node *n)
{
	if (n->nlist == 1)
		return true;
	diag(s->d, D_ARR_BADREF, n->span, "an array has one index, not %u",
	     n->nlist);
	if (n->nlist > 1)
		diag_hint(s->d, "an element of an array of arrays is [i][j]");
	return false;
}

/* An index into memory; NULL after a report. */
static struct ast_node *
int_index(struct sema *s, struct ast_node *n)
{
	if (!one_index(s, n))
		return NULL;
	sema_expr(s, n->list);
	if (!n->list->type)
		return NULL;
	if (!type_is_integer(n->list->type)) {
		diag(s->d, D_OP_INT, n->list->span,
		     "an array index must be an integer, not %s",
		     sema_tname(s, n->list->type));
		return NULL;
	}
	return n->list;
}

/* args[n] as the type that text tells: put the translation in its place. */
static void
translate_arg(struct sema *s, struct ast_node *n, const char *text)
{
	const struct type *t = sema_type_text(s, text);
	struct ast_node *native = arena_memdup(s->a, n, sizeof(*n));

	n->type = NULL;
	if (!t || !native)
		return;
	native->next = NULL;
	n->repl = sema_xlate_to(s, t, native);
	if (!n->repl)
		return;
	n->type = t;
	s->repl_weight = 2;
}

static void
args_index(struct sema *s, struct ast_node *n)
{
	struct ast_node *i = int_index(s, n);
	unsigned raw = 0;
	int64_t no;

	if (!i)
		return;
	if (!sema_const(i, &no)) {
		diag(s->d, D_ARGS_TYPE, i->span,
		     "the index of args[ ] must be an integer constant");
		return;
	}
	n->ident = n->kid[0]->ident;
	n->type = sema_args_type(s, i, no, &raw);
	n->value = raw;
	if (n->type && s->arg_types.v[no].xlate)
		translate_arg(s, n, s->arg_types.v[no].xlate);
}

static void
builtin_index(struct sema *s, struct ast_node *n)
{
	struct builtin *b = (struct builtin *)n->kid[0]->ident;

	sema_use(s, b->id.attr, n->span);
	if (sema_is_later(s, b, n->kid[0]))
		return;
	n->kid[0]->type = b->id.type;
	if (b->id.id == 0) {
		args_index(s, n);
	} else if (int_index(s, n)) {
		n->ident = &b->id;
		n->type = b->id.type;
	}
}

/* Is n a variable of the program, or a part of one? */
static bool
is_in_variable(const struct ast_node *n)
{
	for (n = sema_eval(n); n; n = sema_eval(n->kid[0])) {
		if (n->ident && n->ident->kind == SEMA_VAR)
			return true;
		if (n->kind != AST_DOT &&
		    (n->kind != AST_INDEX ||
		     !type_is_array(sema_eval(n->kid[0])->type)))
			return false;
	}
	return false;
}

static void
check_bounds(struct sema *s, const struct ast_node *n,
	     const struct type *array)
{
	int64_t i;

	/* Arrays in the kernel's structs are often longer than they say. */
	if (!array->nelems || !is_in_variable(n->kid[0]) ||
	    !sema_const(n->list, &i))
		return;
	if (i < 0 || (uint64_t)i >= array->nelems + (n == s->addressed))
		diag(s->d, D_ARR_BOUNDS, n->list->span,
		     "index %lld is out of range: the array has %llu "
		     "element%s", (long long)i,
		     (unsigned long long)array->nelems,
		     array->nelems == 1 ? "" : "s");
}

/* 1[p] is p[1]. */
static struct ast_node *
swap_index(struct sema *s, struct ast_node *n)
{
	struct ast_node *base = n->kid[0], *i = n->list;

	if (!type_is_integer(base->type) || !i || i->next)
		return n;
	sema_expr(s, i);
	if (type_is_ptr(i->type) || type_is_array(i->type)) {
		n->kid[0] = i;
		n->list = base;
	}
	return n;
}

/* s[i]: a byte of a string. */
static void
string_index(struct sema *s, struct ast_node *n)
{
	int64_t i;

	if (sema_const(n->list, &i) && (i < 0 || i >= s->strsize)) {
		diag(s->d, D_ARR_BOUNDS, n->list->span, "index %lld is out of "
		     "range: a string has %u bytes (-x strsize)",
		     (long long)i, s->strsize);
		return;
	}
	n->type = &type_char;
	n->is_lvalue = n->kid[0]->is_lvalue;
}

static void
memory_index(struct sema *s, struct ast_node *n)
{
	const struct type *t = type_strip(n->kid[0]->type);
	struct ast_node *i = int_index(s, n);

	if (!i)
		return;
	if (type_is_string(t)) {
		string_index(s, n);
		return;
	}
	if (t->kind != TYPE_PTR && t->kind != TYPE_ARRAY) {
		diag(s->d, D_OP_PTR, n->span,
		     "only an array, a pointer or a string can be indexed, "
		     "not %s", sema_tname(s, n->kid[0]->type));
		return;
	}
	if (type_is_void(t->base)) {
		diag(s->d, D_DEREF_VOID, n->span,
		     "a pointer to void cannot be indexed");
		return;
	}
	if (type_is_func(t->base) || !type_size(t->base)) {
		diag(s->d, D_OP_INCOMPLETE, n->span,
		     "the size of %s is not known",
		     sema_tname(s, t->base));
		return;
	}
	if (t->kind == TYPE_ARRAY)
		check_bounds(s, n, t);
	n->type = t->base;
	n->is_lvalue = t->kind == TYPE_PTR || n->kid[0]->is_lvalue;
	n->is_user = t->kind == TYPE_PTR ? t->is_user : n->kid[0]->is_user;
}

static void
assoc_index(struct sema *s, struct ast_node *n, struct sema_ident *id)
{
	n->ident = n->kid[0]->ident = id;
	sema_use(s, id->attr, n->span);
	if (!sema_keys(s, id, n))
		return;
	use_var(n, id);
	n->kid[0]->type = id->type;
}

static void
undef_index(struct sema *s, struct ast_node *n)
{
	const struct ast_node *base = n->kid[0];

	for (struct ast_node *k = n->list; k; k = k->next)
		sema_expr(s, k);
	if (base->kind == AST_THIS) {
		diag(s->d, D_ARR_LOCAL, base->span,
		     "associative array this->%s may not be clause-local",
		     base->name);
		return;
	}
	sema_var_undef(s, base, sema_scope_of(base));
}

void
sema_index(struct sema *s, struct ast_node *n)
{
	struct ast_node *base = n->kid[0];
	struct sema_ident *id = NULL;

	if (base->kind == AST_AGG) {
		sema_agg_mdim(s, n);
		return;
	}
	if (sema_is_name(base) && !(base->kind == AST_IDENT &&
			       find_param(s, base->name))) {
		id = sema_named(s, base);
		if (!id)
			id = sema_look_ahead(s, base);
		base->ident = id;
		if (!id) {
			undef_index(s, n);
			return;
		}
	}
	if (id && id->kind == SEMA_VAR && id->is_assoc) {
		assoc_index(s, n, id);
	} else if (id && id->kind == SEMA_BVAR &&
		   ((struct builtin *)id)->flags & BUILTIN_ARRAY) {
		builtin_index(s, n);
	} else if (id && id->kind == SEMA_INLINE &&
		   ((struct sema_inline *)id)->params) {
		sema_inline_use(s, n, id, n->list, n->nlist);
	} else {
		sema_expr(s, base);
		if (base->type)
			memory_index(s, swap_index(s, n));
	}
}
