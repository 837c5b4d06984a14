/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Operands: names, literals, parentheses, and what may follow an operand:
 * [keys], (arguments), .member, ->member, ++ and --.
 */
#include <string.h>

#include "lang/error_priv.h"
#include "lang/lex_priv.h"
#include "lang/syntax_priv.h"

/* "a, b, c" into n->list, up to the closing bracket, which is taken. */
static void
read_list(struct parser *p, struct ast_node *n, enum token_kind close,
	  struct lang_span open)
{
	struct ast_node **tail = &n->list;

	if (!lang_enter(p))
		goto out;
	do {
		struct ast_node *kid = lang_assign(p);
		*tail = kid;
		tail = &kid->next;
		n->nlist++;
		lang_grow(p, n, kid);
	} while (!p->dead && lang_accept(p, T_COMMA));
	lang_expect_close(p, close, open);
	lang_end_here(p, n);
out:
	lang_leave(p);
}

/* --- Primary expressions -------------------------------------------------- */

static struct ast_node *
int_node(struct parser *p)
{
	struct token t = lang_next(p);
	struct ast_node *n = lang_node(p, AST_INT, t.span);

	n->value = t.value;
	n->is_unsigned = t.is_unsigned;
	n->is_long = t.is_long;
	n->is_llong = t.is_llong;
	n->is_decimal = t.is_decimal;
	n->is_char = t.is_char;
	return t.negative ? lang_unary_node(p, AST_NEG, t.span, n) : n;
}

static struct ast_node *
text_node(struct parser *p, enum ast_kind kind)
{
	struct token t = lang_next(p);
	struct ast_node *n = lang_node(p, kind, t.span);

	n->str = t.str;
	n->str_len = t.str_len;
	n->is_macro = t.is_macro;
	return n;
}

/* Room for size bytes at least, and for as many again that may come. */
static char *
more_room(struct parser *p, const struct ast_node *n, size_t size)
{
	char *room = arena_alloc(p->env->a, 2 * size);

	if (!room)
		lang_no_memory(p);
	else
		memcpy(room, n->str, n->str_len);
	return room;
}

/* As in C, strings side by side are one: macros make such. */
static struct ast_node *
string_node(struct parser *p)
{
	struct ast_node *n = text_node(p, AST_STR);
	char *room = NULL;

	for (size_t size = 0; !p->dead && lang_peek(p)->kind == T_STR;) {
		struct token t = lang_next(p);
		size_t need = (size_t)n->str_len + t.str_len + 1;

		if (need > size) {
			if (!(room = more_room(p, n, need)))
				break;
			size = 2 * need;
		}
		if (t.str_len)
			memcpy(room + n->str_len, t.str, t.str_len);
		n->str_len += t.str_len;
		room[n->str_len] = '\0';
		n->str = room;
		lang_end_here(p, n);
	}
	return n;
}

static struct ast_node *
name_node(struct parser *p, enum ast_kind kind)
{
	struct token t = lang_next(p);
	struct ast_node *n = lang_node(p, kind, t.span);

	n->name = t.name;
	n->module = t.module;
	return n;
}

/* A member's name: here keywords are only words.  NULL after a report. */
static const char *
member_word(struct parser *p)
{
	const struct token *t = lang_peek(p);

	if (t->kind != T_IDENT && t->kind < T_FIRST_KEYWORD) {
		lang_syntax(p, "the name of a member is expected here");
		return NULL;
	}
	const char *name = t->word ? t->word : t->name;
	lang_next(p);
	return name;
}

static void
read_member(struct parser *p, struct ast_node *n)
{
	const char *name = member_word(p);

	if (!name)
		return;
	n->name = name;
	n->op_span = p->last;
	lang_end_here(p, n);
}

/* this->x, self->x */
static struct ast_node *
scoped_node(struct parser *p, enum ast_kind kind)
{
	struct token t = lang_next(p);
	struct ast_node *n = lang_node(p, kind, t.span);

	if (!lang_accept(p, T_ARROW))
		lang_syntax(p, lang_keyword_flags(lang_peek(p)->kind) & KW_TYPE ?
			    "variables are declared outside of clauses" :
			    "\"%s\" is followed by -> and a name", t.name);
	else
		read_member(p, n);
	return n;
}

static struct ast_node *
agg_node(struct parser *p)
{
	struct ast_node *n = name_node(p, AST_AGG);
	struct lang_span open = lang_peek(p)->span;

	if (lang_accept(p, T_LBRACKET))
		read_list(p, n, T_RBRACKET, open);
	return n;
}

static struct ast_node *
paren_node(struct parser *p)
{
	struct lang_span open = lang_next(p).span;
	struct ast_node *n;

	if (!lang_enter(p)) {
		lang_leave(p);
		return lang_node(p, AST_EMPTY, open);
	}
	n = lang_expr(p);
	lang_expect_close(p, T_RPAREN, open);
	lang_leave(p);
	if (p->dead)
		return n;
	n->parens = true;
	n->span = lang_span_join(lang_span_join(open, n->span), p->last);

	const struct token *t = lang_peek(p);
	if (n->kind == AST_IDENT && (t->kind == T_IDENT || t->kind == T_INT ||
				     t->kind == T_STR || t->kind == T_SELF ||
				     t->kind == T_THIS || t->kind == T_SYM))
		lang_syntax(p, "\"%.60s\" is not the name of a type", n->name);
	return n;
}

static struct ast_node *
not_an_expr(struct parser *p)
{
	const struct token *t = lang_peek(p);
	struct ast_node *n = lang_node(p, AST_EMPTY, t->span);
	unsigned flags = lang_keyword_flags(t->kind);

	if (flags & KW_RESERVED) {
		lang_syntax(p, "\"%s\" is a reserved word without a meaning in "
			    "D", t->name);
	} else if (flags & (KW_TYPE | KW_CLASS)) {
		lang_no_decl(p);
	} else if (flags & (KW_FILE | KW_STMT) || t->kind == T_PROBE ||
		   t->kind == T_ELSE) {
		lang_syntax(p, "\"%s\" is a reserved word", t->name);
	} else if (t->kind == T_LBRACE && lang_char(p, p->last.off) == '=') {
		lang_syntax(p, "elements and members are assigned one by one");
	} else if (t->kind == T_LBRACE) {
		lang_syntax(p, "a block follows if, else, for, while and do");
	} else {
		bool second = t->kind == T_SLASH && p->in_pred;
		lang_syntax(p, second ? "a clause has one predicate, && joins "
			    "what it asks" : NULL);
	}
	return n;
}

/* .member and [index], any number of them, into n->path. */
static void
read_path(struct parser *p, struct ast_node *n)
{
	struct ast_step **tail = &n->path;

	for (;;) {
		struct lang_span open = lang_peek(p)->span;
		bool is_dot = lang_accept(p, T_DOT);
		if (!is_dot && !lang_accept(p, T_LBRACKET))
			return;
		struct ast_step *step = LANG_NEW(p, struct ast_step);
		if (is_dot) {
			step->name = member_word(p);
		} else {
			if (lang_enter(p)) {
				step->index = lang_expr(p);
				lang_grow(p, n, step->index);
			}
			lang_leave(p);
			lang_expect_close(p, T_RBRACKET, open);
		}
		step->span = lang_span_join(open, p->last);
		if (p->dead || p->panic)
			return;
		*tail = step;
		tail = &step->next;
	}
}

/* offsetof (type, member.member[index]...) */
static struct ast_node *
offsetof_node(struct parser *p)
{
	struct ast_node *n = lang_node(p, AST_OFFSETOF, lang_next(p).span);
	struct lang_span open = lang_peek(p)->span;

	if (!lang_expect(p, T_LPAREN, "offsetof (type, member)"))
		return n;
	n->tname = lang_type_name(p);
	if (lang_expect(p, T_COMMA, "offsetof (type, member)"))
		read_member(p, n);
	read_path(p, n);
	lang_expect_close(p, T_RPAREN, open);
	return lang_end_here(p, n);
}

/* xlate <type> (e) */
static struct ast_node *
xlate_node(struct parser *p)
{
	static const char form[] = "xlate <type> (expression)";
	struct ast_node *n = lang_node(p, AST_XLATE, lang_next(p).span);

	if (!lang_expect(p, T_LT, form))
		return n;
	n->tname = lang_type_name(p);
	if (!lang_expect(p, T_GT, form))
		return n;
	if (lang_peek(p)->kind == T_LPAREN)
		lang_set_kid(p, n, 0, paren_node(p));
	else
		lang_syntax(p, "%s", form);
	return n;
}

static struct ast_node *
primary(struct parser *p)
{
	switch (lang_peek(p)->kind) {
	case T_INT: return int_node(p);
	case T_FLOAT: return text_node(p, AST_FLOAT);
	case T_STR: return string_node(p);
	case T_IDENT: return name_node(p, AST_IDENT);
	case T_SYM: return name_node(p, AST_SYM);
	case T_AGG: return agg_node(p);
	case T_THIS: return scoped_node(p, AST_THIS);
	case T_SELF: return scoped_node(p, AST_SELF);
	case T_LPAREN: return paren_node(p);
	case T_OFFSETOF: return offsetof_node(p);
	case T_XLATE: return xlate_node(p);
	default: return not_an_expr(p);
	}
}

/* --- Postfix operators ---------------------------------------------------- */

/* base[...] and base(...) */
static struct ast_node *
with_list(struct parser *p, enum ast_kind kind, enum token_kind close,
	  struct ast_node *base)
{
	struct lang_span open = lang_next(p).span;
	struct ast_node *n = lang_node(p, kind, open);

	lang_set_kid(p, n, 0, base);
	if (kind == AST_CALL)
		n->op_span = base->span;
	if (kind == AST_CALL && lang_accept(p, close))
		return lang_end_here(p, n);
	read_list(p, n, close, open);
	return n;
}

static struct ast_node *
with_member(struct parser *p, enum ast_kind kind, struct ast_node *base)
{
	struct ast_node *n = lang_node(p, kind, lang_next(p).span);

	lang_set_kid(p, n, 0, base);
	read_member(p, n);
	return n;
}

static struct ast_node *
with_postfix(struct parser *p, enum ast_op op, struct ast_node *base)
{
	return lang_unary_node(p, op, lang_next(p).span, base);
}

struct ast_node *
lang_operand(struct parser *p)
{
	struct ast_node *n = primary(p);

	while (!p->dead) {
		switch (lang_peek(p)->kind) {
		case T_LBRACKET:
			n = with_list(p, AST_INDEX, T_RBRACKET, n);
			break;
		case T_LPAREN:
			if (n->kind != AST_IDENT || n->parens) {
				lang_syntax(p, "only a name can be called");
				return n;
			}
			n = with_list(p, AST_CALL, T_RPAREN, n);
			break;
		case T_DOT:
			n = with_member(p, AST_DOT, n);
			break;
		case T_ARROW:
			n = with_member(p, AST_ARROW, n);
			break;
		case T_INC:
			n = with_postfix(p, AST_POSTINC, n);
			break;
		case T_DEC:
			n = with_postfix(p, AST_POSTDEC, n);
			break;
		default:
			return n;
		}
	}
	return n;
}
