/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Statements.  An error costs the statement it is in and no more.
 */
#include "lang/error_priv.h"
#include "lang/lex_priv.h"
#include "lang/syntax_priv.h"

static struct ast_node *statement(struct parser *p, struct lang_span open);

/* `exit 0`, `trace "x"` */
static bool
is_bare_argument(struct parser *p, const struct token *t)
{
	return (t->kind == T_STR || t->kind == T_INT) && !t->on_new_line &&
		lang_is_alpha(lang_char(p, p->last.off));
}

/* What follows an expression: ';', or the '}' or else that makes it needless.
 * open is the '{' around. */
static void
end_of_stmt(struct parser *p, struct lang_span open)
{
	const struct token *t = lang_peek(p);
	unsigned line;
	bool bad_before = p->env->diags->n > p->item_diags;

	if (lang_accept(p, T_SEMI) || t->kind == T_RBRACE || t->kind == T_ELSE)
		return;
	if (p->panic || p->dead)
		return;
	if (is_bare_argument(p, t)) {
		lang_syntax(p, "is a ';' missing before this? Arguments stand "
			    "in parentheses");
		return;
	}
	if (t->kind == T_COLON && lang_is_blank(lang_char(p, t->span.off + 1))) {
		lang_syntax(p, "there are no labels");
		return;
	}
	/* `END {` on a new line is more likely the next clause. */
	if (t->on_new_line && (t->kind == T_IDENT || t->kind == T_SYM))
		t = lang_look(p, 1);
	if (t->kind == T_RPAREN || t->kind == T_RBRACKET) {
		lang_syntax(p, "nothing is open that it could close");
	} else if (t->kind == T_LBRACE && t == lang_peek(p) &&
		   lang_char(p, p->last.off) == ')' && !t->on_new_line) {
		lang_syntax(p, "a block follows if, else, for, while and do");
	} else if (t->kind == T_LBRACE || t->kind == T_COLON || t->kind == T_EOF) {
		/* Then what follows is not what it seems. */
		bool is_clause = t->kind == T_LBRACE;
		lang_span_where(open, &line, NULL, NULL);
		if (!is_clause || !bad_before)
			lang_syntax(p, "is a '}' missing? The '{' on line %u "
				    "is not closed", line);
		if (is_clause)
			lang_die(p);
	} else {
		lang_syntax(p, "is a ';' missing before this?");
	}
}

/* A statement or a block, into *list. */
static void
branch(struct parser *p, struct lang_span open, struct ast_node **list)
{
	if (lang_peek(p)->kind == T_LBRACE)
		*list = lang_block(p);
	else if (lang_peek(p)->kind == T_RBRACE)
		lang_syntax(p, "a statement is missing before this");
	else
		*list = statement(p, open);
}

/* The ';' of `};' says nothing. */
static void
after_block(struct parser *p)
{
	if (!p->panic && lang_char(p, p->last.off) == '}')
		lang_accept(p, T_SEMI);
}

static struct ast_node *
if_stmt(struct parser *p, struct lang_span open)
{
	struct ast_node *n = lang_node(p, AST_IF, lang_next(p).span);
	struct lang_span paren = lang_peek(p)->span;

	if (!lang_expect(p, T_LPAREN, "if (condition)"))
		return n;
	n->kid[0] = lang_expr(p);
	lang_expect_close(p, T_RPAREN, paren);
	branch(p, open, &n->list);
	/* `};` is fine, also before else. */
	if (lang_peek(p)->kind == T_SEMI && lang_look(p, 1)->kind == T_ELSE)
		lang_next(p);
	if (lang_accept(p, T_ELSE))
		branch(p, open, &n->list2);
	after_block(p);
	return lang_end_here(p, n);
}

/* --- Loops ---------------------------------------------------------------- */

static void
body(struct parser *p, struct lang_span open, struct ast_node *n)
{
	p->loops++;
	branch(p, open, &n->list);
	p->loops--;
}

/* A declaration without its ';'. */
static struct ast_node *
local(struct parser *p)
{
	struct ast_node *n = lang_node(p, AST_LOCAL, lang_peek(p)->span);

	n->tname = lang_one_decl(p);
	if (lang_accept(p, T_ASSIGN))
		lang_set_kid(p, n, 0, lang_assign(p));
	return lang_end_here(p, n);
}

static bool
at_decl(struct parser *p)
{
	const struct token *t = lang_peek(p);

	if (t->kind != T_IDENT)
		return lang_keyword_flags(t->kind) & KW_TYPE;
	unsigned next = lang_look(p, 1)->kind;
	return (next == T_IDENT ||
		(next == T_STAR && lang_look(p, 2)->kind == T_IDENT &&
		 lang_look(p, 3)->kind == T_ASSIGN)) &&
	       lang_is_type(p, t->name);
}

/* What stands before the first ';' of a for. */
static struct ast_node *
for_init(struct parser *p)
{
	if (lang_peek(p)->kind == T_SEMI)
		return NULL;
	if (at_decl(p))
		return local(p);
	struct ast_node *n = lang_node(p, AST_EXPR, lang_peek(p)->span);
	lang_set_kid(p, n, 0, lang_expr(p));
	n->op_span = n->span;
	return n;
}

static struct ast_node *
for_stmt(struct parser *p, struct lang_span open)
{
	static const char form[] = "for (first; condition; step) statement";
	struct ast_node *n = lang_node(p, AST_FOR, lang_next(p).span);
	struct lang_span paren = lang_peek(p)->span;

	if (!lang_expect(p, T_LPAREN, form))
		return n;
	p->in_head = true;
	n->list2 = for_init(p);
	lang_expect(p, T_SEMI, form);
	if (lang_peek(p)->kind != T_SEMI)
		lang_set_kid(p, n, 0, lang_expr(p));
	lang_expect(p, T_SEMI, form);
	if (lang_peek(p)->kind != T_RPAREN)
		lang_set_kid(p, n, 1, lang_expr(p));
	lang_expect_close(p, T_RPAREN, paren);
	if (p->panic)
		return n;
	p->in_head = false;
	body(p, open, n);
	after_block(p);
	return lang_end_here(p, n);
}

/* (condition) */
static void
condition(struct parser *p, struct ast_node *n)
{
	struct lang_span paren = lang_peek(p)->span;

	if (lang_expect(p, T_LPAREN, "while (condition)")) {
		n->kid[0] = lang_expr(p);
		lang_expect_close(p, T_RPAREN, paren);
	}
}

static struct ast_node *
while_stmt(struct parser *p, struct lang_span open)
{
	struct ast_node *n = lang_node(p, AST_FOR, lang_next(p).span);

	condition(p, n);
	if (!p->panic)
		body(p, open, n);
	after_block(p);
	return lang_end_here(p, n);
}

static struct ast_node *
do_stmt(struct parser *p, struct lang_span open)
{
	struct ast_node *n = lang_node(p, AST_DO, lang_next(p).span);

	body(p, open, n);
	after_block(p);
	if (!p->panic)
		lang_expect(p, T_WHILE, "do statement while (condition);");
	if (!p->panic)
		condition(p, n);
	end_of_stmt(p, open);
	return lang_end_here(p, n);
}

/* break, continue */
static struct ast_node *
leave_stmt(struct parser *p, struct lang_span open)
{
	unsigned kind = lang_peek(p)->kind;
	struct ast_node *n = lang_node(p, kind == T_BREAK ? AST_BREAK :
				       AST_CONTINUE, lang_peek(p)->span);

	if (!p->loops) {
		lang_syntax(p, "there is no loop around it");
		return n;
	}
	lang_next(p);
	end_of_stmt(p, open);
	return n;
}

static struct ast_node *
return_stmt(struct parser *p, struct lang_span open)
{
	struct ast_node *n = lang_node(p, AST_RETURN, lang_peek(p)->span);

	if (!p->in_func) {
		lang_syntax(p, "only a function returns");
		return n;
	}
	lang_next(p);
	if (lang_peek(p)->kind != T_SEMI && lang_peek(p)->kind != T_RBRACE)
		lang_set_kid(p, n, 0, lang_expr(p));
	end_of_stmt(p, open);
	return lang_end_here(p, n);
}

static struct ast_node *
local_stmt(struct parser *p, struct lang_span open)
{
	struct ast_node *n = local(p);

	end_of_stmt(p, open);
	return n;
}

/* --- Statements ----------------------------------------------------------- */

static struct ast_node *
expr_stmt(struct parser *p, struct lang_span open)
{
	struct ast_node *n = lang_node(p, AST_EXPR, lang_peek(p)->span);

	lang_set_kid(p, n, 0, lang_expr(p));
	n->op_span = n->span;
	end_of_stmt(p, open);
	return n;
}

static struct ast_node *
statement(struct parser *p, struct lang_span open)
{
	static struct ast_node *(*const stmts[T_N])(struct parser *p,
						    struct lang_span open) = {
		[T_IF] = if_stmt, [T_FOR] = for_stmt, [T_WHILE] = while_stmt,
		[T_DO] = do_stmt, [T_BREAK] = leave_stmt,
		[T_CONTINUE] = leave_stmt, [T_RETURN] = return_stmt,
	};
	struct ast_node *n;
	unsigned kind = lang_peek(p)->kind;

	if (kind == T_SEMI)
		return lang_node(p, AST_EMPTY, lang_next(p).span);
	if (!stmts[kind])
		return p->in_func && at_decl(p) ? local_stmt(p, open)
						: expr_stmt(p, open);
	if (lang_enter(p))
		n = stmts[kind](p, open);
	else
		n = lang_node(p, AST_EMPTY, lang_peek(p)->span);
	lang_leave(p);
	return n;
}

static struct ast_node *
statements(struct parser *p, struct lang_span open)
{
	struct ast_node *first = NULL, **tail = &first;
	unsigned ndiags = p->env->diags->n;

	for (;;) {
		unsigned kind = lang_peek(p)->kind;
		if (kind == T_RBRACE || kind == T_EOF || p->dead)
			break;
		struct ast_node *n = p->panic ? NULL : statement(p, open);
		if (p->panic) {
			lang_resync_stmt(p);
		} else if (!p->dead) {
			*tail = n;
			tail = &n->next;
		}
		p->garbled = false;
	}
	/* What swallowed the '}' has been reported: say no more. */
	if (lang_peek(p)->kind == T_EOF && p->env->diags->n > ndiags)
		lang_die(p);
	return first;
}

struct ast_node *
lang_block(struct parser *p)
{
	struct lang_span open = lang_next(p).span;
	struct ast_node *list = NULL;

	if (lang_enter(p)) {
		list = statements(p, open);
		lang_expect_close(p, T_RBRACE, open);
	}
	lang_leave(p);
	return list;
}
