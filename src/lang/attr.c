/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What GNU C and C11 say of a declaration besides its type:
 * __attribute__((...)) and _Alignas(...).
 *
 * Headers are full of them, at any place, and most tell a compiler how to call
 * a function or when to warn.  Those that change a layout are kept; the others
 * are read over, whatever stands in their parentheses.
 */
#include <string.h>

#include "lang/error_priv.h"
#include "lang/syntax_priv.h"

enum operand { OPERAND_NONE, OPERAND_VALUE, OPERAND_WORD };

static const struct row {
	const char *name;
	uint8_t kind, operand;
} rows[] = {
	{ "aligned", AST_ATTR_ALIGNED, OPERAND_VALUE },
	{ "mode", AST_ATTR_MODE, OPERAND_WORD },
	{ "packed", AST_ATTR_PACKED, OPERAND_NONE },
	{ "vector_size", AST_ATTR_VECTOR, OPERAND_VALUE },
};

bool
ast_attr_is(const char *word, const char *name)
{
	size_t n = strlen(name), size = strlen(word);

	if (size == n + 4 && !strncmp(word, "__", 2) &&
	    !strcmp(word + 2 + n, "__"))
		return !strncmp(word + 2, name, n);
	return !strcmp(word, name);
}

static const struct row *
find_row(const char *word)
{
	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		if (ast_attr_is(word, rows[i].name))
			return &rows[i];
	return NULL;
}

static struct ast_attr *
add_attr(struct parser *p, struct ast_attr **list, unsigned kind,
	 struct lang_span span)
{
	struct ast_attr *a = LANG_NEW(p, struct ast_attr);

	a->kind = (uint8_t)kind;
	a->span = span;
	if (p->dead)
		return a;
	while (*list)
		list = &(*list)->next;
	*list = a;
	return a;
}

/* Behind a '(': up to the ')' that closes it, which is taken. */
static void
skip_parens(struct parser *p, struct lang_span open)
{
	unsigned depth = 1;

	while (!p->panic && !p->dead && depth) {
		unsigned kind = lang_peek(p)->kind;
		if (kind == T_EOF || kind == T_RBRACE || kind == T_SEMI)
			break;
		depth += kind == T_LPAREN;
		depth -= kind == T_RPAREN;
		lang_next(p);
	}
	if (depth)
		lang_expect_close(p, T_RPAREN, open);
}

/* One of a list; an empty one is none. */
static void
read_attr(struct parser *p, struct ast_attr **list)
{
	const struct token *t = lang_peek(p);

	if (t->kind != T_IDENT && t->kind < T_FIRST_KEYWORD)
		return;
	struct token word = lang_next(p);
	const struct row *row = find_row(word.word);
	struct ast_attr *a = row ? add_attr(p, list, row->kind, word.span)
				 : NULL;
	struct lang_span open = lang_peek(p)->span;
	if (!lang_accept(p, T_LPAREN))
		return;
	if (row && row->operand == OPERAND_VALUE)
		a->value = lang_cond(p);
	else if (row && row->operand == OPERAND_WORD)
		a->word = lang_peek(p)->word;
	skip_parens(p, open);
}

/* __attribute__((a, b(1), ...)), from behind the word. */
static void
read_attribute(struct parser *p, struct ast_attr **list)
{
	static const char form[] = "__attribute__((...))";
	struct lang_span outer = lang_peek(p)->span;

	if (!lang_expect(p, T_LPAREN, form))
		return;
	struct lang_span open = lang_peek(p)->span;
	if (!lang_expect(p, T_LPAREN, form))
		return;
	do
		read_attr(p, list);
	while (lang_accept(p, T_COMMA));
	lang_expect_close(p, T_RPAREN, open);
	lang_expect_close(p, T_RPAREN, outer);
}

/* _Alignas(type) or _Alignas(value), from behind the word. */
static void
read_alignas(struct parser *p, struct ast_attr **list)
{
	struct ast_attr *a = add_attr(p, list, AST_ATTR_ALIGNED, p->last);
	struct lang_span open = lang_peek(p)->span;
	bool is_type = lang_at_paren_type(p, true);

	if (!lang_expect(p, T_LPAREN, "_Alignas(type) or _Alignas(number)"))
		return;
	if (is_type)
		a->tname = lang_type_name(p);
	else
		a->value = lang_cond(p);
	lang_expect_close(p, T_RPAREN, open);
}

bool
lang_attrs(struct parser *p, struct ast_attr **list)
{
	bool any = false;

	for (;; any = true) {
		bool is_alignas = lang_peek(p)->kind == T_ALIGNAS;
		if (!is_alignas && lang_peek(p)->kind != T_ATTRIBUTE)
			return any;
		lang_next(p);
		if (lang_enter(p) && is_alignas)
			read_alignas(p, list);
		else if (!p->dead)
			read_attribute(p, list);
		lang_leave(p);
	}
}
