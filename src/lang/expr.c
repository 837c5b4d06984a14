/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Expressions: nodes, and operators by precedence climbing over the table of
 * token.def.  Operands are in operand.c.
 *
 * Two bounds hold for every tree that leaves here, so that recursive walkers
 * are safe: what nests in the text nests at most LANG_MAX_DEPTH (lang_enter),
 * and a chain such as a+b+c, which nests only in the tree, grows no higher
 * than LANG_MAX_HEIGHT (lang_grow).
 */
#include <string.h>

#include "lang/error_priv.h"
#include "lang/syntax_priv.h"

static const struct binary {
	uint8_t prec, op, assign;
} binaries[] = {
#define PUNCT(NAME, text, prec, op, assign) { prec, op, assign },
#include "lang/token.def"
};

static struct binary
binary_of(unsigned kind)
{
	if (kind < T_FIRST_PUNCT || kind >= T_FIRST_KEYWORD)
		return (struct binary){ 0, AST_OP_NONE, LANG_NOT_ASSIGN };
	return binaries[kind - T_FIRST_PUNCT];
}

/* --- Nodes ---------------------------------------------------------------- */

struct ast_node *
lang_node(struct parser *p, enum ast_kind kind, struct lang_span span)
{
	struct ast_node *n = LANG_NEW(p, struct ast_node);

	n->kind = (uint8_t)kind;
	n->span = n->op_span = span;
	n->height = 1;
	return n;
}

/* n has got a new child: keep its height. */
void
lang_grow(struct parser *p, struct ast_node *n, const struct ast_node *child)
{
	if (!child || n->height > child->height)
		return;
	n->height = child->height + 1;
	if (n->height <= LANG_MAX_HEIGHT || p->dead)
		return;
	if (!p->panic)
		diag(p->env->diags, D_SYNTAX, n->op_span, "syntax error: "
		     "expression is too long (limit %d operators in a row)",
		     LANG_MAX_HEIGHT);
	lang_die(p);
}

void
lang_set_kid(struct parser *p, struct ast_node *n, unsigned i,
	     struct ast_node *kid)
{
	n->kid[i] = kid;
	if (!kid || p->dead)
		return;
	n->span = lang_span_join(n->span, kid->span);
	lang_grow(p, n, kid);
}

struct ast_node *
lang_unary_node(struct parser *p, enum ast_op op, struct lang_span op_span,
		struct ast_node *kid)
{
	struct ast_node *n = lang_node(p, AST_UNARY, op_span);

	n->op = (uint8_t)op;
	lang_set_kid(p, n, 0, kid);
	return n;
}

static struct ast_node *
binary_node(struct parser *p, enum ast_kind kind, enum ast_op op,
	    struct lang_span op_span, struct ast_node *a, struct ast_node *b)
{
	struct ast_node *n = lang_node(p, kind, op_span);

	n->op = (uint8_t)op;
	lang_set_kid(p, n, 0, a);
	lang_set_kid(p, n, 1, b);
	return n;
}

/* Stretch n to the end of what was taken last. */
struct ast_node *
lang_end_here(struct parser *p, struct ast_node *n)
{
	if (!p->dead)
		n->span = lang_span_join(n->span, p->last);
	return n;
}

/* --- Prefix operators ----------------------------------------------------- */

static enum ast_op
prefix_op(unsigned kind)
{
	switch (kind) {
	case T_NOT_: return AST_LNOT;
	case T_TILDE: return AST_BNOT;
	case T_INC: return AST_PREINC;
	case T_DEC: return AST_PREDEC;
	case T_PLUS: return AST_PLUS;
	case T_MINUS: return AST_NEG;
	case T_STAR: return AST_DEREF;
	case T_AMP: return AST_ADDR;
	default: return AST_OP_NONE;
	}
}

static struct ast_node *unary(struct parser *p);

/* The operand of a prefix operator: one level deeper. */
static struct ast_node *
inner(struct parser *p)
{
	struct ast_node *n;

	if (lang_enter(p))
		n = unary(p);
	else
		n = lang_node(p, AST_EMPTY, lang_peek(p)->span);
	lang_leave(p);
	return n;
}

/* sizeof e, sizeof (type), stringof e */
static struct ast_node *
word_prefix(struct parser *p, enum ast_kind kind)
{
	struct lang_span op = lang_next(p).span;
	struct ast_node *n = lang_node(p, kind, op);

	if (kind == AST_SIZEOF_E && lang_at_paren_type(p, true)) {
		struct lang_span open = lang_next(p).span;
		n->kind = AST_SIZEOF_T;
		n->tname = lang_type_name(p);
		lang_expect_close(p, T_RPAREN, open);
		return lang_end_here(p, n);
	}
	lang_set_kid(p, n, 0, inner(p));
	return n;
}

/* _Alignof (type) */
static struct ast_node *
alignof_node(struct parser *p)
{
	struct ast_node *n = lang_node(p, AST_ALIGNOF, lang_next(p).span);
	struct lang_span open = lang_peek(p)->span;

	if (!lang_expect(p, T_LPAREN, "_Alignof (type)"))
		return n;
	n->tname = lang_type_name(p);
	lang_expect_close(p, T_RPAREN, open);
	return lang_end_here(p, n);
}

static struct ast_node *
cast(struct parser *p)
{
	struct lang_span open = lang_next(p).span;
	struct ast_node *n = lang_node(p, AST_CAST, open);

	n->tname = lang_type_name(p);
	lang_expect_close(p, T_RPAREN, open);
	n->op_span = lang_end_here(p, n)->span;
	lang_set_kid(p, n, 0, inner(p));
	return n;
}

static struct ast_node *
unary(struct parser *p)
{
	unsigned kind = lang_peek(p)->kind;
	enum ast_op op = prefix_op(kind);

	if (op != AST_OP_NONE) {
		struct lang_span span = lang_next(p).span;
		return lang_unary_node(p, op, span, inner(p));
	}
	if (kind == T_SIZEOF || kind == T_STRINGOF)
		return word_prefix(p, kind == T_SIZEOF ? AST_SIZEOF_E :
				   AST_STRINGOF);
	if (kind == T_ALIGNOF)
		return alignof_node(p);
	return lang_at_paren_type(p, false) ? cast(p) : lang_operand(p);
}

/* --- Infix operators ------------------------------------------------------ */

static struct ast_node *
binary(struct parser *p, unsigned min_prec)
{
	struct ast_node *n = unary(p);

	for (;;) {
		struct binary b = binary_of(lang_peek(p)->kind);
		if (b.prec == 0 || b.prec < min_prec)
			return n;
		struct lang_span op = lang_next(p).span;
		struct ast_node *right = binary(p, b.prec + 1u);
		n = binary_node(p, AST_BINARY, b.op, op, n, right);
	}
}

struct ast_node *
lang_cond(struct parser *p)
{
	struct ast_node *n = binary(p, 1), *yes;
	struct lang_span op = lang_peek(p)->span;

	if (!lang_accept(p, T_QUESTION))
		return n;
	if (!lang_enter(p)) {
		lang_leave(p);
		return n;
	}
	yes = lang_expr(p);
	lang_expect(p, T_COLON, "the ? before lacks its ':'");
	n = binary_node(p, AST_COND, AST_OP_NONE, op, n, yes);
	lang_set_kid(p, n, 2, lang_cond(p));
	lang_leave(p);
	return n;
}

/* The aggregation that ends the choice n, for `c ? 1 : @a = count()` and
 * `c && @a = count()`: nothing else could be assigned to there.  NULL: none. */
static struct ast_node **
chosen_agg(struct ast_node **n)
{
	while (!(*n)->parens) {
		struct ast_node *e = *n;
		if (e->kind == AST_COND && e->kid[2])
			n = &e->kid[2];
		else if (e->kind == AST_BINARY &&
			 (e->op == AST_LAND || e->op == AST_LOR))
			n = &e->kid[1];
		else
			return e->kind == AST_AGG ? n : NULL;
	}
	return NULL;
}

struct ast_node *
lang_assign(struct parser *p)
{
	struct ast_node *n = lang_cond(p), **to;
	const struct token *t = lang_peek(p);
	struct binary b = binary_of(t->kind);
	struct lang_span op = t->span;

	if (b.assign == LANG_NOT_ASSIGN)
		return n;
	lang_next(p);
	if (n->kind == AST_IDENT)
		lang_declare(p, n->name, false);
	to = chosen_agg(&n);
	if (!to)
		to = &n;
	if (lang_enter(p)) {
		*to = binary_node(p, AST_ASSIGN, b.assign, op, *to,
				  lang_assign(p));
		if (to != &n) {
			n->span = lang_span_join(n->span, (*to)->span);
			lang_grow(p, n, *to);
		}
	}
	lang_leave(p);
	return n;
}

struct ast_node *
lang_expr(struct parser *p)
{
	struct ast_node *n = lang_assign(p);

	while (lang_peek(p)->kind == T_COMMA) {
		struct lang_span op = lang_next(p).span;
		n = binary_node(p, AST_BINARY, AST_COMMA, op, n,
				lang_assign(p));
	}
	return n;
}
