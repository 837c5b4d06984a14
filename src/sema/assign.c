/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Assignment.  A variable comes into being here: its type is that of the
 * first value, or int64_t when the first use is x++ or x += 1.  The value is
 * looked at first, so x of `x = x + 1` may be used before it is assigned (ahead.c).
 */
#include <string.h>

#include "sema/call_priv.h"
#include "sema/expr_priv.h"
#include "sema/name_priv.h"
#include "sema/type_priv.h"

/* The type a variable takes from what is first assigned to it; NULL after a
 * report. */
static const struct type *
type_for_var(struct sema *s, const struct ast_node *v)
{
	const struct type *t = type_unqual(v->type);
	const char *why = NULL;

	if (!t)
		return NULL;
	if (type_is_dyn(t)) {
		diag(s->d, D_OP_DYN, v->span, "a value of type %s cannot be "
		     "kept in a variable", sema_tname(s, t));
		return NULL;
	}
	if (type_is_string(t))
		return s->string;
	if (type_is_void(t) || type_is_func(t) ||
	    (type_is_float(t) && !sema_is_real(t)))
		why = "cannot be kept in a variable";
	else if (type_is_array(t))
		why = "is an array, which cannot be assigned as a whole";
	if (why) {
		diag(s->d, D_OP_INCOMPAT, v->span, "a value of type %s %s",
		     sema_tname(s, t), why);
		if (type_is_charptr(t))
			diag_hint(s->d, "stringof(...) makes a string of it");
		return NULL;
	}
	if (!type_is_complete(t)) {
		diag(s->d, D_OP_INCOMPLETE, v->span, "the size of %s is not "
		     "known", sema_tname(s, t));
		return NULL;
	}
	return t;
}

/* --- Targets ------------------------------------------------------------- */

/* Does the name n mean nothing yet?  What is known but not built may be used
 * as a name; one whose declaration was wrong waits for that to be mended. */
static bool
is_new_name(struct sema *s, const struct ast_node *n)
{
	struct sema_ident *id = sema_named(s, n);

	if (!id && sema_is_muted(s, sema_var_text(s, sema_scope_of(n),
						  n->name)))
		return false;
	if (!id)
		return n->kind != AST_IDENT || !sema_is_known(s, n->name);
	return sema_is_unbuilt(id);
}

/* Will assigning to n decide the type of a variable? */
static bool
is_new(struct sema *s, const struct ast_node *n)
{
	bool is_index = n->kind == AST_INDEX;
	const struct ast_node *name = is_index ? n->kid[0] : n;

	if (!sema_is_name(name))
		return false;
	if (is_new_name(s, name))
		return true;
	/* Its first value was wrong. */
	struct sema_ident *id = sema_named(s, name);
	return id && id->kind == SEMA_VAR && !id->type &&
	       id->is_assoc == is_index;
}

void
sema_target(struct sema *s, struct ast_node *n, const struct type *type)
{
	bool is_index = n->kind == AST_INDEX;
	const struct ast_node *name = is_index ? n->kid[0] : n;
	struct sema_ident *id;

	if (is_new(s, n) && !(is_index && name->kind == AST_THIS)) {
		/* What is wrong was reported, unless this is only tried. */
		if (!type && s->is_trial)
			return;
		id = is_new_name(s, name)
		     ? sema_var_new(s, sema_scope_of(name), name->name, type,
				    name->span)
		     : sema_named(s, name);
		if (!id)
			return;
		id->type = type;
		id->is_assoc = is_index;
	}
	unsigned before = s->d->n;
	sema_expr(s, n);
	if (s->d->n > before && is_index && name->kind == AST_INDEX &&
	    sema_is_name(name->kid[0]) && !sema_named(s, name->kid[0]))
		diag_hint(s->d, "several keys stand in one pair of brackets: "
			  "%s[KEY, KEY]", name->kid[0]->name);
}

/* --- What may be written to ---------------------------------------------- */

static const struct ast_node *
root_of(const struct ast_node *n)
{
	while (n->kind == AST_DOT || sema_is_part(n))
		n = n->kid[0];
	return n;
}

bool
sema_writable(struct sema *s, const struct ast_node *n, const char *op)
{
	const struct ast_node *root = root_of(n);
	struct sema_ident *id = root->ident;

	if (id && id->kind == SEMA_VAR) {
		id->in_memory |= type_is_string(root->type) && n != root;
		return true;
	}
	if (id && (id->kind == SEMA_BVAR || id->kind == SEMA_KSYM ||
		   id->kind == SEMA_KVAR || id->kind == SEMA_INLINE || id->kind == SEMA_ENUM)) {
		/* `jiffies is a built-in variable of another name. */
		diag(s->d, D_OP_WRITE, n->span, "operator %s cannot be "
		     "applied to %s, which is read-only", op,
		     root->kind == AST_SYM ? root->name : id->name);
		if (id->kind == SEMA_BVAR && !strcmp(op, "="))
			diag_hint(s->d, "= assigns, == compares");
		return false;
	}
	if (!n->is_lvalue || n->repl) {
		diag(s->d, D_OP_LVAL, n->span, "operator %s requires a "
		     "variable or other lvalue on its left", op);
		return false;
	}
	return true;
}

/* --- Assignment ---------------------------------------------------------- */

static const char *
op_text(struct sema *s, const struct ast_node *n)
{
	const char *text;

	if (n->op == AST_OP_NONE)
		return "=";
	text = arena_printf(s->a, "%s=", sema_op_text(n->op));
	return text ? text : "=";
}

static void
incompatible(struct sema *s, const struct ast_node *n)
{
	const struct ast_node *l = n->kid[0], *r = n->kid[1];

	diag(s->d, D_OP_INCOMPAT, n->span,
	     "operands have incompatible types: \"%s\" %s \"%s\"",
	     sema_tname(s, l->type), op_text(s, n), sema_tname(s, r->type));
	if (type_is_integer(l->type) && type_is_float(r->type))
		diag_hint(s->d, "a cast cuts off the fraction: (%s)",
			  sema_tname(s, l->type));
	else
		sema_hint_float(s, r->type);
	if ((type_is_ptr(l->type) && type_is_integer(r->type)) ||
	    (type_is_integer(l->type) && type_is_ptr(r->type)) ||
	    (type_is_charptr(l->type) && type_is_string(r->type)))
		diag_hint(s->d, "cast it: (%s)", sema_tname(s, l->type));
	else if (n->op == AST_ADD && type_is_string(l->type))
		diag_hint(s->d, "strjoin( ) puts strings together");
	else if (type_is_string(l->type) && type_is_integer(r->type))
		diag_hint(s->d, "lltostr( ) makes a string of a number");
	else if (type_is_string(r->type) && l->ident &&
		 l->ident->kind == SEMA_VAR && !l->ident->is_declared)
		diag_hint(s->d, "the type of %s was fixed by its first "
			  "assignment", l->ident->name);
}

static void
plain(struct sema *s, struct ast_node *n)
{
	struct ast_node *l = n->kid[0], *r = n->kid[1];

	if (type_is_array(l->type) || type_is_func(l->type)) {
		diag(s->d, D_OP_ARRFUN, l->span, "operator = cannot be "
		     "applied to an array or a function as a whole");
		return;
	}
	if (!sema_assignable(s, l->type, r)) {
		incompatible(s, n);
		return;
	}
	n->type = l->type;
}

/* What a op= b asks of a and b is what a op b does. */
static void
compound(struct sema *s, struct ast_node *n)
{
	struct ast_node *l = n->kid[0], *r = n->kid[1];
	bool is_add = n->op == AST_ADD || n->op == AST_SUB;
	bool is_arith = is_add || n->op == AST_MUL || n->op == AST_DIV;
	const char *op = op_text(s, n);

	if (!sema_operand(s, l, op) || !sema_operand(s, r, op) ||
	    sema_div_zero(s, r, n->op))
		return;
	sema_warn_of_shift(s, r, n->op);
	if (type_is_integer(l->type) && type_is_integer(r->type)) {
		n->type = l->type;
	} else if (is_add && type_is_ptr(l->type) &&
		   type_is_integer(r->type)) {
		if (sema_can_step(s, l->type, op, l->span))
			n->type = l->type;
	} else if (is_add) {
		incompatible(s, n);
	} else {
		diag(s->d, is_arith ? D_OP_ARITH : D_OP_INT,
		     type_is_integer(l->type) ? r->span : l->span,
		     "operator %s requires operands of %s type", op,
		     is_arith ? "arithmetic" : "integral");
	}
}

/* An aggregation, or something behind it?  Reports. */
static bool
is_agg_target(struct sema *s, const struct ast_node *n)
{
	const struct ast_node *l = n->kid[0];

	if (l->kind == AST_AGG) {
		diag(s->d, D_AGG_SCALAR, n->span, "assigning to aggregation "
		     "@%s must be a statement of its own", l->name);
		return true;
	}
	if (l->kind == AST_INDEX && l->kid[0]->kind == AST_AGG) {
		sema_agg_mdim(s, l);
		return true;
	}
	return false;
}

/* (char *)curpsinfo->pr_psargs is elsewhere where the kernel keeps that text.  Here text
 * that is not a variable's is made as the probe fires, and gone with it: whoever wants to
 * keep its address gets the text itself, which serves wherever one prints it. */
static void
keep_text(struct sema *s, const struct ast_node *l, struct ast_node *r)
{
	const struct ast_node *name = l->kind == AST_INDEX ? l->kid[0] : l;
	const struct ast_node *text = r->kid[0];

	if (name->kind != AST_THIS && r->kind == AST_CAST &&
	    type_is_charptr(r->type) && type_is_string(text->type) &&
	    text->kind != AST_STR && !text->is_lvalue)
		r->type = sema_as_string(s, text->type);
}

void
sema_assign(struct sema *s, struct ast_node *n)
{
	struct ast_node *l = n->kid[0], *r = n->kid[1];
	const struct type *type = NULL;

	if (is_agg_target(s, n))
		return;
	sema_expr_whole(s, r);
	if (r->type && !sema_no_action(s, r))
		r->type = NULL;
	if (n->op != AST_OP_NONE)
		type = sema_int64();
	else if (is_new(s, l)) {
		keep_text(s, l, r);
		type = type_for_var(s, r);
	}
	sema_target(s, l, type);
	if (!l->type || !r->type || !sema_writable(s, l, op_text(s, n)))
		return;
	if (n->op == AST_OP_NONE)
		plain(s, n);
	else
		compound(s, n);
	if (n->type)
		sema_note_store(s, n);
}
