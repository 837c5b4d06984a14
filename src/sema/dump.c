/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The annotated tree as text, one node a line, children indented:
 *
 *	clause "BEGIN" probe Stable/Stable/Common stmt Stable/Stable/Common
 *	  assign = : int
 *	    ident x : int var 1280 lvalue
 *	    int : int const 1
 */
#include <string.h>

#include "sema/expr_priv.h"
#include "type/text.h"

static const char *const kinds[] = {
	[AST_INT] = "int", [AST_FLOAT] = "float", [AST_STR] = "str",
	[AST_IDENT] = "ident", [AST_THIS] = "this", [AST_SELF] = "self",
	[AST_SYM] = "sym", [AST_AGG] = "agg", [AST_INDEX] = "index",
	[AST_CALL] = "call", [AST_UNARY] = "unary", [AST_BINARY] = "binary",
	[AST_ASSIGN] = "assign", [AST_COND] = "cond", [AST_CAST] = "cast",
	[AST_SIZEOF_T] = "sizeof", [AST_SIZEOF_E] = "sizeof",
	[AST_ALIGNOF] = "alignof", [AST_OFFSETOF] = "offsetof", [AST_STRINGOF] = "stringof",
	[AST_XLATE] = "xlate", [AST_DOT] = "dot", [AST_ARROW] = "arrow",
	[AST_EXPR] = "expr", [AST_IF] = "if",
	[AST_FOR] = "for", [AST_DO] = "do", [AST_BREAK] = "break",
	[AST_CONTINUE] = "continue", [AST_RETURN] = "return",
	[AST_LOCAL] = "local", [AST_EMPTY] = "empty",
};

static const char *const ident_kinds[] = {
	[SEMA_BVAR] = "builtin", [SEMA_VAR] = "var", [SEMA_AGG] = "agg",
	[SEMA_SUBR] = "subr", [SEMA_ACTION] = "action",
	[SEMA_AGGFUNC] = "aggfunc", [SEMA_INLINE] = "inline",
	[SEMA_ENUM] = "constant", [SEMA_KSYM] = "symbol",
	[SEMA_KVAR] = "kvar",
	[SEMA_FUNC] = "function", [SEMA_PARAM] = "param",
};

static void
put_type(struct sb *b, const struct type *t)
{
	sb_puts(b, " : ");
	if (!t)
		sb_puts(b, "(none)");
	else if (type_is_string(t))
		sb_printf(b, "string(%llu)",
			  (unsigned long long)type_size(t));
	else
		type_print(t, NULL, b);
}

static void
put_ident(struct sb *b, const struct sema_ident *id)
{
	sb_printf(b, " %s", ident_kinds[id->kind]);
	if (id->kind == SEMA_KSYM || id->kind == SEMA_KVAR)
		sb_printf(b, " 0x%llx", (unsigned long long)id->value);
	else if (id->kind != SEMA_INLINE && id->kind != SEMA_ENUM &&
		 id->kind != SEMA_PARAM)
		sb_printf(b, " %u", id->id);
}

static void
put_str(struct sb *b, const char *s, uint32_t n)
{
	sb_puts(b, " \"");
	for (uint32_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];
		if (c < ' ' || c > '~' || c == '"' || c == '\\')
			sb_printf(b, "\\%03o", c);
		else
			sb_putc(b, (char)c);
	}
	sb_putc(b, '"');
}

static void
put_const(struct sb *b, const struct ast_node *n)
{
	if (n->kind == AST_STR)
		put_str(b, n->str, n->str_len);
	else if (n->kind == AST_FLOAT)
		sb_printf(b, " const %s", n->str);
	else if (!type_is_scalar(n->type))
		sb_puts(b, " const");
	else if (type_is_signed(n->type))
		sb_printf(b, " const %lld", (long long)n->value);
	else
		sb_printf(b, " const %llu", (unsigned long long)n->value);
}

static void
put_flags(struct sb *b, const struct ast_node *n)
{
	if (n->ident)
		put_ident(b, n->ident);
	if (n->is_const)
		put_const(b, n);
	if (n->is_lvalue)
		sb_puts(b, " lvalue");
	if (n->is_user)
		sb_puts(b, " user");
	if ((n->kind == AST_DOT || n->kind == AST_ARROW) && !n->repl) {
		sb_printf(b, " bit %llu", (unsigned long long)n->bit_offset);
		if (n->bit_size)
			sb_printf(b, " width %u", n->bit_size);
	}
	if (n->kind == AST_INDEX && n->ident && n->ident->kind == SEMA_BVAR &&
	    strcmp(n->ident->name, "args") == 0)
		sb_printf(b, " raw %llu", (unsigned long long)n->value);
}

static void put_node(struct sb *b, const struct ast_node *n, int depth);

static void
indent(struct sb *b, int depth)
{
	for (int i = 0; i < depth; i++)
		sb_puts(b, "  ");
}

static void
put_list(struct sb *b, const char *what, const struct ast_node *n, int depth)
{
	if (n && what) {
		indent(b, depth);
		sb_printf(b, "%s\n", what);
		depth++;
	}
	for (; n; n = n->next)
		put_node(b, n, depth);
}

static void
put_node(struct sb *b, const struct ast_node *n, int depth)
{
	bool has_type = n->kind < AST_EXPR;

	indent(b, depth);
	sb_puts(b, kinds[n->kind]);
	if (n->kind == AST_UNARY || n->kind == AST_BINARY)
		sb_printf(b, " %s", sema_op_text(n->op));
	else if (n->kind == AST_ASSIGN)
		sb_printf(b, " %s", n->op ? sema_op_text(n->op) : "=");
	if (n->name)
		sb_printf(b, " %s", n->name);
	if (has_type) {
		put_type(b, n->type);
		put_flags(b, n);
	}
	sb_putc(b, '\n');
	if (n->repl) {
		indent(b, depth + 1);
		sb_puts(b, "instead\n");
		put_node(b, n->repl, depth + 2);
		return;
	}
	bool is_set = n->kind == AST_LOCAL || n->kind == AST_RETURN;
	for (int i = n->kind == AST_CALL || (is_set && n->kid[1]); i < 3; i++)
		if (n->kid[i])
			put_node(b, n->kid[i], depth + 1);
	bool is_loop = n->kind == AST_FOR || n->kind == AST_DO;
	put_list(b, n->kind == AST_IF ? "then" : is_loop ? "body" : NULL,
		 n->list, depth + 1);
	put_list(b, is_loop ? "first" : "else", n->list2, depth + 1);
}

static void
put_attr(struct sb *b, const char *what, struct probe_attr a)
{
	char text[64];
	struct base_buf buf;

	base_buf_init(&buf, text, sizeof(text));
	probe_attr_print(a, &buf);
	sb_printf(b, " %s %s", what, text);
}

static void
put_clause(struct sb *b, const struct sema_clause *c)
{
	sb_puts(b, "clause");
	for (const struct ast_pdesc *p = c->ast->descs; p; p = p->next)
		sb_printf(b, " \"%s\"", p->text);
	put_attr(b, "probe", c->probe_attr);
	put_attr(b, "stmt", c->stmt_attr);
	sb_putc(b, '\n');
	if (c->ast->pred) {
		sb_puts(b, "  predicate\n");
		put_node(b, c->ast->pred, 2);
	}
	put_list(b, NULL, c->ast->body, 1);
}

void
sema_dump(const struct sema_prog *p, struct sb *b)
{
	for (uint32_t i = 0; i < p->nclauses; i++)
		put_clause(b, &p->clauses[i]);
	if (p->destructive)
		sb_puts(b, "destructive\n");
}
