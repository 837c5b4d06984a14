/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Syntax errors and getting over them.
 *
 * The first error of a statement is reported and puts the parser in panic: all
 * it sees is T_ERROR, which no rule accepts, so it unwinds without a further
 * word.  Whoever owns a place where reading can go on (a statement, an item)
 * ends the panic and skips there.  While skipping, brackets are counted, so
 * that a broken `for (;;) { ... }` is skipped whole; lexical errors are not
 * reported.
 */
#include <stdio.h>
#include <string.h>

#include "lang/error_priv.h"
#include "lang/lex_priv.h"

static void
panic(struct parser *p, struct lang_span s)
{
	p->panic = true;
	if (p->dead)
		return;		/* the end is what a dead parser sees */
	p->panic_tok = (struct token){
		.kind = T_ERROR, .span = s, .name = "", .str = "",
	};
}

void
lang_syntax(struct parser *p, const char *hint, ...)
{
	const struct token *t = lang_peek(p);
	char text[256];
	va_list ap;

	if (p->panic || p->dead)
		return;
	if (p->garbled) {
		panic(p, t->span);
		return;
	}
	/* A token may be a whole string: its first line, and not all of it. */
	uint32_t n = BASE_MIN(t->span.len, 40);
	const char *s = p->text + t->span.off;
	const char *eol = memchr(s, '\n', n);
	if (eol)
		n = (uint32_t)(eol - s);
	while (n && n < t->span.len && ((unsigned char)s[n] & 0xc0) == 0x80)
		n--;
	if (t->kind == T_EOF)
		diag(p->env->diags, D_SYNTAX, t->span,
		     "syntax error near end of input");
	else
		diag(p->env->diags, D_SYNTAX, t->span,
		     "syntax error near \"%.*s\"", (int)n, s);
	const char *habit = lang_habit(p, t->span);
	if (habit) {
		diag_hint(p->env->diags, "%s", habit);
	} else if (hint) {
		va_start(ap, hint);
		vsnprintf(text, sizeof(text), hint, ap);
		va_end(ap);
		diag_hint(p->env->diags, "%s", text);
	}
	panic(p, t->span);
}

void
lang_syntax_at(struct parser *p, struct lang_span s, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	if (p->panic || p->dead)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (!p->garbled)
		diag(p->env->diags, D_SYNTAX, s, "%s", text);
	panic(p, s);
}

void
lang_no_decl(struct parser *p)
{
	if (p->told_decl)
		panic(p, lang_peek(p)->span);
	else
		lang_syntax(p, "variables and types are declared outside of "
			    "clauses");
	p->told_decl = true;
}

void
lang_bad_header(struct parser *p, const char *hint, const char *text)
{
	if (p->bad_before || p->bad_header)
		panic(p, lang_peek(p)->span);
	else
		lang_syntax(p, hint, text);
	p->bad_header = true;
}

bool
lang_expect(struct parser *p, enum token_kind kind, const char *hint)
{
	if (lang_accept(p, kind))
		return true;
	if (hint)
		lang_syntax(p, "%s", hint);
	else
		lang_syntax(p, "\"%s\" is expected here", lang_token_text(kind));
	return false;
}

/* `hello world`: one word behind another. */
static bool
two_words(struct parser *p)
{
	return lang_peek(p)->kind == T_IDENT && !lang_peek(p)->on_new_line &&
		lang_is_alpha(lang_char(p, p->last.off)) &&
		lang_look(p, 1)->kind != T_LPAREN;
}

bool
lang_expect_close(struct parser *p, enum token_kind kind,
		  struct lang_span open)
{
	unsigned line, col;

	if (lang_accept(p, kind))
		return true;
	if (p->panic || p->dead || p->env->diags->n >= DIAG_MAX) {
		lang_syntax(p, NULL);
		return false;
	}
	if (two_words(p)) {
		lang_syntax(p, "an operator or a ',' is missing before this; "
			    "text stands in quotes, \"like this\"");
		return false;
	}
	lang_span_where(open, &line, &col, NULL);
	lang_syntax(p, "the \"%.*s\" on line %u, column %u is not closed",
		    (int)open.len, p->text + open.off, line, col);
	return false;
}

bool
lang_enter(struct parser *p)
{
	if (p->depth++ < LANG_MAX_DEPTH)
		return true;
	if (!p->dead && !p->panic)
		diag(p->env->diags, D_SYNTAX, lang_peek(p)->span, "syntax "
		     "error: nested too deeply (limit %d)", LANG_MAX_DEPTH);
	lang_die(p);
	return false;
}

void
lang_leave(struct parser *p)
{
	p->depth--;
}

/* --- Skipping ------------------------------------------------------------- */

static bool
opens(unsigned kind)
{
	return kind == T_LPAREN || kind == T_LBRACKET || kind == T_LBRACE;
}

static bool
closes(unsigned kind)
{
	return kind == T_RPAREN || kind == T_RBRACKET || kind == T_RBRACE;
}

/* How deep in { } a token leaves us, parentheses inside counted apart: a '}'
 * also ends whatever ( and [ were left open. */
struct nesting {
	unsigned braces, parens;
};

static void
count_bracket(struct nesting *n, unsigned kind)
{
	if (kind == T_LBRACE) {
		n->braces++;
		n->parens = 0;
	} else if (kind == T_RBRACE) {
		n->braces -= n->braces > 0;
		n->parens = 0;
	} else if (opens(kind)) {
		n->parens++;
	} else if (closes(kind)) {
		n->parens -= n->parens > 0;
	}
}

enum stop { STOP_IN_BLOCK, STOP_AT_ITEM, STOP_AT_SEMI };

static void
skip_past_end(struct parser *p, unsigned braces, enum stop stop)
{
	struct nesting n = { .braces = braces, .parens = p->in_head };

	p->in_head = false;

	p->panic = false;
	p->quiet = true;
	for (;;) {
		unsigned kind = lang_peek(p)->kind;

		if (kind == T_EOF || (stop == STOP_IN_BLOCK &&
				      kind == T_RBRACE && n.braces == 0))
			break;
		lang_next(p);
		count_bracket(&n, kind);
		if (n.braces == 0 &&
		    ((kind == T_RBRACE && stop != STOP_AT_SEMI) ||
		     (kind == T_SEMI && n.parens == 0)))
			break;
	}
	p->quiet = false;
}

/* An else behind what was skipped belongs to it. */
void
lang_resync_stmt(struct parser *p)
{
	do
		skip_past_end(p, 0, STOP_IN_BLOCK);
	while (lang_accept(p, T_ELSE));
}

void
lang_resync_item(struct parser *p, bool is_decl)
{
	bool inside = p->braces > 0;

	p->in_pred = false;
	skip_past_end(p, p->braces,
		      is_decl && inside ? STOP_AT_SEMI : STOP_AT_ITEM);
}

/* Does a '}' come before any '{'?  Leaves the parser there, behind the '}'; or
 * where it was. */
static bool
skip_past_brace(struct parser *p)
{
	uint32_t pos = p->nlook ? p->look[0].span.off : p->pos;

	for (;;) {
		unsigned kind = lang_peek(p)->kind;

		if (kind == T_LBRACE || kind == T_EOF) {
			p->pos = pos;
			p->nlook = 0;
			return false;
		}
		lang_next(p);
		if (kind == T_RBRACE)
			return true;
	}
}

void
lang_resync_no_body(struct parser *p)
{
	p->panic = false;
	p->quiet = true;
	bool found = skip_past_brace(p);
	p->quiet = false;
	if (!found)
		skip_past_end(p, 0, STOP_AT_ITEM);
}

void
lang_resync_pred(struct parser *p)
{
	p->panic = false;
	p->quiet = true;
	for (;;) {
		unsigned kind = lang_peek(p)->kind;

		if (kind == T_EOF || kind == T_LBRACE || kind == T_SEMI)
			break;
		lang_next(p);
		if (kind == T_PRED_END)
			break;
	}
	p->quiet = false;
}
