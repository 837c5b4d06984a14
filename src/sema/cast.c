/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Operators that name types: casts, sizeof, offsetof, stringof.
 */
#include "sema/call_priv.h"
#include "sema/expand_priv.h"
#include "sema/expr_priv.h"
#include "sema/name_priv.h"
#include "sema/tree.h"
#include "sema/type_priv.h"
#include "type/convert.h"
#include "type/make.h"
#include "type/text.h"

static bool
can_cast(struct sema *s, const struct ast_node *k, const struct type *to)
{
	const struct type *from = sema_decay(s, k);

	if (type_is_void(to))
		return true;
	/* A number is an address, as for stringof(). */
	if (type_is_string(to))
		return type_is_strcompat(k->type) || type_is_scalar(from);
	if (type_is_string(from))
		return type_is_charptr(to);
	if (type_is_sou(to))
		return type_equal(to, from);
	if (sema_is_real(to) || type_is_float(from))
		return (sema_is_real(to) || type_is_integer(to)) &&
		       (sema_is_real(from) || type_is_integer(from) ||
			sema_eval(k)->kind == AST_FLOAT);
	return type_is_scalar(to) && type_is_scalar(from);
}

/* The type `to`, as which k is cast: a pointer to a type of a process points into
 * the process, unless it is to a copy that the program has made. */
static const struct type *
cast_type(struct sema *s, const struct ast_node *k, const struct type *to)
{
	const struct type *from = type_strip(k->type);
	struct type *p;

	if (type_is_string(to))
		return sema_as_string(s, k->type);
	if (!type_is_ptr(to) || !type_is_ptr(from) || !from->is_own)
		return to;
	p = type_new_ptr(s->a, type_strip(to)->base);
	if (p)
		p->is_own = true;
	return p;
}

/* A string as a number says whether there is one: 1, or 0 for NULL. */
static struct ast_node *
is_there(struct sema *s, struct ast_node *k)
{
	struct ast_node *n = sema_node(s, AST_BINARY, k->span);
	struct ast_node *null = sema_int(s, 0, k->span);

	if (!n || !null)
		return NULL;
	n->op = AST_NE;
	n->type = &type_int;
	n->kid[0] = k;
	n->kid[1] = null;
	n->height = (uint16_t)(k->height + 1);
	return n;
}

void
sema_cast(struct sema *s, struct ast_node *n)
{
	struct ast_node *k = n->kid[0];
	const struct type *to = sema_decl_type(s, n->tname, DECL_TYPENAME);

	sema_expr(s, k);
	if (!to || !k->type)
		return;
	if (type_is_integer(to) && type_is_string(k->type)) {
		k = n->kid[0] = is_there(s, k);
		if (!k)
			return;
		n->height = (uint16_t)(k->height + 1);
	}
	if (!can_cast(s, k, to)) {
		diag(s->d, D_CAST_INVAL, n->span,
		     "invalid cast expression: (%s) of %s",
		     sema_tname(s, to), sema_tname(s, k->type));
		if (type_is_string(to))
			diag_hint(s->d, "stringof(...) or copyinstr(...) "
				  "makes a string of an address");
		return;
	}
	n->type = cast_type(s, k, to);
	sema_fold_cast(n);
}

void
sema_stringof(struct sema *s, struct ast_node *n)
{
	struct ast_node *k = n->kid[0];

	sema_expr(s, k);
	if (!k->type)
		return;
	if (!type_is_strcompat(k->type) &&
	    !type_is_scalar(sema_decay(s, k))) {
		diag(s->d, D_STRINGOF_TYPE, k->span,
		     "cannot make a string of a value of type %s",
		     sema_tname(s, k->type));
		sema_hint_action(s, k);
		return;
	}
	n->type = sema_as_string(s, k->type);
}

static void
size_of(struct sema *s, struct ast_node *n, const struct type *t,
	struct lang_span span)
{
	if (!t)
		return;
	if (type_is_dyn(t) || type_is_void(t) || type_is_func(t)) {
		diag(s->d, D_SIZEOF_TYPE, span,
		     "cannot apply sizeof to a value of type %s",
		     sema_tname(s, t));
		return;
	}
	if (!type_is_complete(t)) {
		diag(s->d, D_SIZEOF_TYPE, span, "the size of %s is not known",
		     sema_tname(s, t));
		return;
	}
	n->type = type_alias("size_t");
	/* D's string is strsize bytes, whatever we know of this one. */
	sema_set_const(n, type_is_string(t) ? s->strsize : type_size(t));
}

/* A literal is an array of its bytes, as in C.  NULL is an integer, though one
 * that any pointer takes. */
static bool
size_of_literal(struct sema *s, struct ast_node *n, const struct ast_node *k)
{
	uint64_t size;

	if (k->kind == AST_STR)
		size = (uint64_t)k->str_len + 1;
	else if (k->ident && k->ident == &sema_builtin(s, "NULL")->id)
		size = sizeof(int);
	else
		return false;
	n->type = type_alias("size_t");
	sema_set_const(n, size);
	return true;
}

void
sema_sizeof(struct sema *s, struct ast_node *n)
{
	struct ast_node *k = n->kid[0];

	if (n->kind == AST_SIZEOF_T) {
		size_of(s, n, sema_decl_type(s, n->tname, DECL_TYPENAME),
			n->span);
		return;
	}
	if (k->kind == AST_AGG) {
		diag(s->d, D_SIZEOF_TYPE, k->span,
		     "cannot apply sizeof to an aggregation");
		return;
	}
	if (k->kind == AST_CALL)
		sema_expr_dyn(s, k);
	else
		sema_expr_any(s, k);
	if (k->type && (k->kind == AST_DOT || k->kind == AST_ARROW) &&
	    k->bit_size) {
		diag(s->d, D_SIZEOF_BITFIELD, k->span,
		     "cannot apply sizeof to bit-field %s", k->name);
		return;
	}
	if (!size_of_literal(s, n, k))
		size_of(s, n, k->type, k->span);
}

void
sema_alignof(struct sema *s, struct ast_node *n)
{
	const struct type *t = sema_decl_type(s, n->tname, DECL_TYPENAME);

	if (!t)
		return;
	if (!type_is_complete(t) || type_is_dyn(t)) {
		diag(s->d, D_SIZEOF_TYPE, n->span, "the alignment of %s is "
		     "not known", sema_tname(s, t));
		return;
	}
	n->type = type_alias("size_t");
	sema_set_const(n, type_align(t));
}

/* Where offsetof has got to. */
struct place {
	const struct type *type;
	uint64_t offset;		/* bytes */
	const char *bit_field;		/* its name, if it is one */
};

/* Into member `name`; n->op_span is where a report points to. */
static bool
enter_member(struct sema *s, struct ast_node *n, const char *name,
	     struct place *at)
{
	struct ast_node what = { .name = name, .span = n->span,
				 .op_span = n->op_span };
	struct type_member m;

	if (!type_is_sou(at->type) || !type_is_complete(at->type)) {
		diag(s->d, D_OFFSETOF_TYPE, n->span, "offsetof wants a "
		     "struct or union whose members are known, not %s",
		     sema_tname(s, at->type));
		return false;
	}
	if (!type_find_member(at->type, name, &m)) {
		sema_no_member(s, &what, at->type);
		return false;
	}
	at->type = m.type;
	at->offset += m.bit_offset / 8;
	at->bit_field = m.bit_size ? name : NULL;
	return true;
}

/* Into an element: any, as an array at the end is often longer than it says. */
static bool
enter_element(struct sema *s, struct ast_node *index, struct place *at)
{
	const struct type *t = type_strip(at->type);
	int64_t i;

	sema_expr(s, index);
	if (!index->type)
		return false;
	if (t->kind != TYPE_ARRAY) {
		diag(s->d, D_OFFSETOF_TYPE, index->span, "offsetof does not "
		     "follow pointers: %s is no array",
		     sema_tname(s, at->type));
		return false;
	}
	if (!sema_const(index, &i) || i < 0 || i > INT32_MAX) {
		diag(s->d, D_OFFSETOF_TYPE, index->span, "the index of an "
		     "element must be an integer constant, and not negative");
		return false;
	}
	at->type = t->base;
	at->offset += (uint64_t)i * type_size(t->base);
	return true;
}

void
sema_offsetof(struct sema *s, struct ast_node *n)
{
	struct place at = {
		.type = sema_decl_type(s, n->tname, DECL_TYPENAME),
	};
	bool ok = at.type && enter_member(s, n, n->name, &at);

	for (struct ast_step *i = n->path; ok && i; i = i->next) {
		struct ast_node where = { .span = i->span, .op_span = i->span };
		ok = i->name ? enter_member(s, &where, i->name, &at)
			     : enter_element(s, i->index, &at);
	}
	if (!ok)
		return;
	if (at.bit_field) {
		diag(s->d, D_OFFSETOF_BITFIELD, n->span,
		     "cannot take the offset of bit-field %s", at.bit_field);
		return;
	}
	n->type = type_alias("size_t");
	sema_set_const(n, at.offset);
}
