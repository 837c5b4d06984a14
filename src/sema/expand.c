/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Putting an expression in place of a name: inlines, and members of translated
 * structs.  The expression is copied and the copy is checked afresh, because
 * what it means (args[], string sizes, the parameters) depends on where it is
 * used.  Parameters are not copied: each use of one points to the node it
 * stands for.
 *
 * Inlines that use inlines twice grow without bounds, and so does the work of
 * walking parameters that are used twice.  So copies are counted; and each
 * check of an expression (sema_expr_place()) adds up the nodes that whoever
 * evaluates it will meet, its weight, and watches the height of the tree.
 */
#include "sema/expand_priv.h"
#include "sema/expr_priv.h"
#include "sema/tree.h"
#include "sema/type_priv.h"
#include "type/convert.h"

struct ast_node *
sema_node(struct sema *s, enum ast_kind kind, struct lang_span span)
{
	struct ast_node *n = ARENA_NEW(s->a, struct ast_node);

	if (!n)
		return NULL;
	n->kind = (uint8_t)kind;
	n->span = n->op_span = span;
	n->height = 1;
	return n;
}

struct ast_node *
sema_int(struct sema *s, int value, struct lang_span span)
{
	struct ast_node *n = sema_node(s, AST_INT, span);

	if (n) {
		n->type = &type_int;
		n->is_const = true;
		n->value = (uint64_t)value;
	}
	return n;
}

/* --- Copies -------------------------------------------------------------- */

static struct ast_node *
copy_list(struct sema *s, const struct ast_node *n)
{
	struct ast_node *first = NULL, **tail = &first;

	for (; n; n = n->next) {
		*tail = sema_copy(s, n);
		if (!*tail)
			return NULL;
		tail = &(*tail)->next;
	}
	return first;
}

struct ast_node *
sema_copy(struct sema *s, const struct ast_node *n)
{
	struct ast_node *c;

	if (++s->expanded > SEMA_MAX_EXPANDED)
		return NULL;
	c = arena_memdup(s->a, n, sizeof(*n));
	if (!c)
		return NULL;
	c->next = NULL;
	for (int i = 0; i < 3; i++) {
		c->kid[i] = n->kid[i] ? sema_copy(s, n->kid[i]) : NULL;
		if (n->kid[i] && !c->kid[i])
			return NULL;
	}
	c->list = copy_list(s, n->list);
	return n->list && !c->list ? NULL : c;
}

void
sema_too_big(struct sema *s, struct lang_span span)
{
	if (!s->too_big)
		diag(s->d, D_CG_EXPR, s->height ? s->outermost : span,
		     "inlines and translators expand to too large an "
		     "expression here");
	s->too_big = true;
}

void
sema_replace(struct ast_node *n, const struct ast_node *e)
{
	n->repl = e;
	n->type = e->type;
	n->is_const = e->is_const;
	n->value = e->value;
	n->is_user = e->is_user;
}

unsigned
sema_expr_weight(struct sema *s, struct ast_node *n)
{
	unsigned before = s->weight;

	sema_expr(s, n);
	return s->weight - before;
}

struct ast_node *
sema_convert(struct sema *s, struct ast_node *n, const struct type *t)
{
	bool to_string = type_is_string(t);
	struct ast_node *c;

	if (!t || !n->type || type_is_sou(t) ||
	    sema_eval(n)->kind == AST_XLATE)
		return n;
	if (to_string ? type_is_string(n->type) || sema_is_null(n)
		      : type_equal(n->type, t))
		return n;
	c = sema_node(s, to_string ? AST_STRINGOF : AST_CAST, n->span);
	if (!c)
		return NULL;
	c->kid[0] = n;
	c->height = n->height + 1;
	c->type = to_string ? sema_as_string(s, n->type) : t;
	sema_fold_cast(c);
	return c;
}

void
sema_step_out(struct sema *s, struct lang_span to, struct sema_around *around)
{
	*around = (struct sema_around){ s->params, s->locals, s->flags };
	s->params = NULL;
	s->locals = NULL;
	if (to.src && to.src->is_library)
		s->flags |= LANG_LIBRARY;
}

void
sema_step_in(struct sema *s, const struct sema_around *around)
{
	s->params = around->params;
	s->locals = around->locals;
	s->flags = around->flags;
}

struct ast_node *
sema_expand(struct sema *s, const struct ast_node *e,
	    struct sema_param *params, const struct type *t,
	    const struct ast_node *use)
{
	struct sema_around around;
	struct ast_node *c;

	if (s->height == 0)
		s->outermost = use->span;
	if (s->height + e->height > LANG_MAX_HEIGHT) {
		sema_too_big(s, use->span);
		return NULL;
	}
	c = sema_copy(s, e);
	if (!c) {
		if (s->expanded > SEMA_MAX_EXPANDED)
			sema_too_big(s, use->span);
		return NULL;
	}
	sema_step_out(s, e->span, &around);
	s->params = params;
	s->height += e->height + 1u;
	unsigned before = s->weight;
	sema_expr_any(s, c);
	s->repl_weight = s->weight - before;
	s->height -= e->height + 1u;
	sema_step_in(s, &around);
	return c->type ? sema_convert(s, c, t) : NULL;
}
