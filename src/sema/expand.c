/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Putting an expression in place of a name: inlines, and members of translated
 * structs.  The expression is copied and the copy is checked afresh, because
 * what it means (args[], string sizes, the parameters) depends on where it is
 * used.  Parameters are not copied: each use of one points to the node it
 * stands for.
 *
 * Inlines that use inlines twice grow without bounds, so copies are counted,
 * and so is the height of the tree they make.
 */
#include "sema/sema_priv.h"

static struct ast_node *copy(struct sema *s, const struct ast_node *n);

static struct ast_node *
copy_list(struct sema *s, const struct ast_node *n)
{
	struct ast_node *first = NULL, **tail = &first;

	for (; n; n = n->next) {
		*tail = copy(s, n);
		if (!*tail)
			return NULL;
		tail = &(*tail)->next;
	}
	return first;
}

static struct ast_node *
copy(struct sema *s, const struct ast_node *n)
{
	struct ast_node *c;

	if (++s->expanded > SEMA_MAX_EXPANDED)
		return NULL;
	c = arena_memdup(s->a, n, sizeof(*n));
	if (!c)
		return NULL;
	c->next = NULL;
	for (int i = 0; i < 3; i++) {
		c->kid[i] = n->kid[i] ? copy(s, n->kid[i]) : NULL;
		if (n->kid[i] && !c->kid[i])
			return NULL;
	}
	c->list = copy_list(s, n->list);
	return n->list && !c->list ? NULL : c;
}

static struct ast_node *
too_big(struct sema *s)
{
	if (!s->too_big)
		diag(s->d, D_CG_EXPR, s->outermost, "inlines and translators "
		     "expand to too large an expression here");
	s->too_big = true;
	return NULL;
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
	c = ARENA_NEW(s->a, struct ast_node);
	if (!c)
		return NULL;
	c->kind = to_string ? AST_STRINGOF : AST_CAST;
	c->span = c->op_span = n->span;
	c->kid[0] = n;
	c->type = to_string ? sema_as_string(s, n->type) : t;
	sema_fold_cast(c);
	return c;
}

struct ast_node *
sema_expand(struct sema *s, const struct ast_node *e,
	    struct sema_param *params, const struct type *t,
	    const struct ast_node *use)
{
	struct sema_param *outer = s->params;
	struct ast_node *c;

	if (s->height == 0)
		s->outermost = use->span;
	if (s->height + e->height > LANG_MAX_HEIGHT)
		return too_big(s);
	c = copy(s, e);
	if (!c)
		return s->expanded > SEMA_MAX_EXPANDED ? too_big(s) : NULL;
	s->params = params;
	s->height += e->height + 1u;
	sema_expr_any(s, c);
	s->height -= e->height + 1u;
	s->params = outer;
	return c->type ? sema_convert(s, c, t) : NULL;
}
