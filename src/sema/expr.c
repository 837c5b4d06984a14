/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Expressions: literals, and a table from the kind of a node to the function
 * that checks it.
 */
#include <string.h>

#include "sema/call_priv.h"
#include "sema/expand_priv.h"
#include "sema/expr_priv.h"
#include "sema/tree.h"
#include "sema/type_priv.h"

/* The first of int, long that holds the value; unsigned if need be, and before
 * long where the number is hexadecimal or octal. */
static const struct type *
int_literal_type(const struct ast_node *n)
{
	static const struct type *const types[3][2] = {
		{ &type_int, &type_uint }, { &type_long, &type_ulong },
		{ &type_llong, &type_ullong },
	};
	bool uns = n->is_unsigned;
	unsigned rank = n->is_llong ? 2 : n->is_long ? 1 : 0;

	if (rank == 0 && !n->is_decimal && n->value > INT32_MAX &&
	    n->value <= UINT32_MAX)
		uns = true;
	if (rank == 0 && n->value > (uns ? UINT32_MAX : INT32_MAX))
		rank = 1;
	if (n->value > INT64_MAX)
		uns = true;
	return types[rank][uns];
}

/* A character constant is an int; five characters and more take a long. */
static const struct type *
char_literal_type(const struct ast_node *n)
{
	int64_t v = (int64_t)n->value;

	return v >= INT32_MIN && v <= UINT32_MAX ? &type_int : &type_long;
}

static void
expr_int(struct sema *s, struct ast_node *n)
{
	n->type = n->is_char ? char_literal_type(n) : int_literal_type(n);
	sema_set_const(n, n->value);
}

static void
expr_float(struct sema *s, struct ast_node *n)
{
	size_t len = n->str ? strlen(n->str) : 0;
	char last = len ? n->str[len - 1] : '\0';

	n->type = last == 'f' || last == 'F' ? &type_float :
		  last == 'l' || last == 'L' ? &type_ldouble : &type_double;
	n->is_const = true;
}

bool
sema_is_cut(const struct sema *s, const struct ast_node *n)
{
	return n->kind == AST_STR &&
	       strnlen(n->str, n->str_len) >= s->strsize;
}

static bool
in_library(const struct ast_node *n)
{
	return n->span.src && n->span.src->is_library;
}

static void
expr_str(struct sema *s, struct ast_node *n)
{
	n->type = sema_string(s, (uint64_t)n->str_len + 1);
	n->is_const = true;
	if (!sema_is_cut(s, n) || s->told_cut || in_library(n))
		return;
	s->told_cut = true;
	diag_warn(s->d, D_STR_LONG, n->span, "a string constant of %zu "
		  "characters is cut to %u where it is stored",
		  strnlen(n->str, n->str_len), s->strsize - 1);
	diag_hint(s->d, "-x strsize=N lets strings have N bytes, with the NUL "
		  "at their end");
}

static void
expr_agg(struct sema *s, struct ast_node *n)
{
	diag(s->d, D_AGG_SCALAR, n->span,
	     "aggregation @%s may not be used as a value", n->name);
	diag_hint(s->d, "its value is known only to the consumer: "
		  "print it with printa(@%s)", n->name);
}

static void
expr_bad(struct sema *s, struct ast_node *n)
{
	diag(s->d, D_UNKNOWN, n->span, "this is not an expression");
}

static void (*const checks[])(struct sema *, struct ast_node *) = {
	[AST_INT] = expr_int,
	[AST_FLOAT] = expr_float,
	[AST_STR] = expr_str,
	[AST_IDENT] = sema_name,
	[AST_THIS] = sema_name,
	[AST_SELF] = sema_name,
	[AST_SYM] = sema_sym,
	[AST_AGG] = expr_agg,
	[AST_INDEX] = sema_index,
	[AST_CALL] = sema_call,
	[AST_UNARY] = sema_unary,
	[AST_BINARY] = sema_binary,
	[AST_ASSIGN] = sema_assign,
	[AST_COND] = sema_cond,
	[AST_CAST] = sema_cast,
	[AST_SIZEOF_T] = sema_sizeof,
	[AST_SIZEOF_E] = sema_sizeof,
	[AST_ALIGNOF] = sema_alignof,
	[AST_OFFSETOF] = sema_offsetof,
	[AST_STRINGOF] = sema_stringof,
	[AST_XLATE] = sema_xlate,
	[AST_DOT] = sema_member,
	[AST_ARROW] = sema_member,
	[AST_EXPR] = expr_bad,
	[AST_IF] = expr_bad,
	[AST_FOR ... AST_EMPTY] = expr_bad,
};
_Static_assert(BASE_NELEMS(checks) == AST_EMPTY + 1, "one per kind");

/* The height of n with what stands in place of names.  Trees too high for
 * those who walk them are refused. */
static void
measure(struct sema *s, struct ast_node *n)
{
	unsigned h = n->height;

	for (int i = 0; i < 3; i++)
		if (n->kid[i])
			h = BASE_MAX(h, n->kid[i]->height + 1u);
	for (const struct ast_node *k = n->list; k; k = k->next)
		h = BASE_MAX(h, k->height + 1u);
	if (n->repl)
		h = BASE_MAX(h, n->repl->height + 1u);
	if (h > LANG_MAX_HEIGHT) {
		sema_too_big(s, n->span);
		n->type = NULL;
	} else {
		n->height = (uint16_t)h;
	}
}

/* No operand of n may be an action. */
static void
check_operands(struct sema *s, struct ast_node *n)
{
	bool ok = true;

	for (int i = 0; i < 3 && n->kind != AST_CALL; i++)
		ok = (!n->kid[i] || sema_no_action(s, n->kid[i])) && ok;
	for (const struct ast_node *k = n->list; k; k = k->next)
		ok = sema_no_action(s, k) && ok;
	if (!ok)
		n->type = NULL;
}

/* Add n to what must be evaluated: with it what stands in its place, or else
 * what its operands have added since `before`. */
static void
weigh(struct sema *s, struct ast_node *n, unsigned before)
{
	unsigned w = n->repl ? s->repl_weight : s->weight - before;
	bool is_much = n->repl && w >= SEMA_MAX_EXPANDED;

	s->weight = before + w + 1;
	if (!is_much && s->weight <= SEMA_MAX_WEIGHT)
		return;
	s->weight = before + 1;
	sema_too_big(s, n->span);
	n->type = NULL;
}

void
sema_expr_place(struct sema *s, struct ast_node *n)
{
	unsigned before = s->weight;

	n->type = NULL;
	n->ident = NULL;
	n->repl = NULL;
	n->is_const = n->is_lvalue = n->is_user = false;
	n->bit_size = 0;
	checks[n->kind](s, n);
	if (n->type)
		check_operands(s, n);
	measure(s, n);
	weigh(s, n, before);
}

void
sema_expr_any(struct sema *s, struct ast_node *n)
{
	sema_expr_place(s, n);
	if (n->kind != AST_SYM || !n->type || n->ident->type)
		return;
	const char *module = n->module ? n->module : "";
	diag(s->d, D_TYPE_ERR, n->span, "the type of %s`%s is not known", module,
	     n->name);
	diag_hint(s->d, "its address is: cast that, as in *(int *)&%s`%s", module,
		  n->name);
	n->type = NULL;
}

bool
sema_const(const struct ast_node *n, int64_t *ret)
{
	if (!n->is_const || !type_is_integer(n->type))
		return false;
	*ret = (int64_t)n->value;
	return true;
}

/* A translated pointer: of an argument the untranslated one tells whether it is there. */
static void
hint_whole(struct sema *s, const struct ast_node *n)
{
	const struct ast_node *name = n->kid[0];
	int64_t number;

	if (n->kind == AST_INDEX && name->kind == AST_IDENT &&
	    strcmp(name->name, "args") == 0 && sema_const(n->list, &number))
		diag_hint(s->d, "with * before it, it is a struct; compare it with NULL, or look at "
			  "arg%d, the address that it is made from", (int)number);
	else
		diag_hint(s->d, "with * before it, it is a struct");
}

/* Report n, if it is translated and no struct is made of it. */
static void
must_have_value(struct sema *s, struct ast_node *n)
{
	const struct ast_node *e = sema_eval(n);

	if (!n->type || e->kind != AST_XLATE || e->list || e->is_zero)
		return;
	diag(s->d, D_XLATE_NOCONV, n->span, "a translated %s has no value of "
	     "its own: only its members can be used", sema_tname(s, n->type));
	if (type_is_ptr(e->type))
		hint_whole(s, n);
	n->type = NULL;
}

void
sema_expr(struct sema *s, struct ast_node *n)
{
	sema_expr_any(s, n);
	must_have_value(s, n);
}

void
sema_expr_is_there(struct sema *s, struct ast_node *n, const struct ast_node *other)
{
	const struct ast_node *e = sema_eval(n);

	if (!n->type || e->kind != AST_XLATE || !type_is_ptr(e->type) || !other->type ||
	    !sema_is_null(other)) {
		must_have_value(s, n);
		return;
	}
	if (type_is_ptr(sema_decay(s, e->kid[0])))
		e = e->kid[0];
	else
		e = sema_int(s, 1, n->span);	/* made of a number: always there */
	if (e)
		sema_replace(n, e);
	else
		n->type = NULL;
}

void
sema_expr_whole(struct sema *s, struct ast_node *n)
{
	sema_expr_any(s, n);
	if (!n->type || sema_eval(n)->kind != AST_XLATE)
		return;
	if (type_is_sou(n->type))
		sema_whole(s, n);
	else
		sema_expr(s, n);	/* reports */
}

void
sema_expr_dyn(struct sema *s, struct ast_node *n)
{
	if (n->kind == AST_CALL && sema_is_dyn_call(s, n))
		sema_call_stmt(s, n);
	else
		sema_expr(s, n);
}
