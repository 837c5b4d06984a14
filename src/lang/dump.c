/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The tree and the tokens as text, for golden tests.  The tree is written as
 * S-expressions without places; what the parser merely passes on (spans,
 * parentheses) is left out.  Recursion is bounded by LANG_MAX_DEPTH and
 * LANG_MAX_HEIGHT.
 */
#include <stdio.h>
#include <string.h>

#include "lang/lang_priv.h"

/* --- Pieces --------------------------------------------------------------- */

static void
put_quoted(struct sb *b, const char *s, uint32_t n)
{
	sb_putc(b, '"');
	for (uint32_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];
		if (c == '"' || c == '\\')
			sb_printf(b, "\\%c", c);
		else if (c == '\n')
			sb_puts(b, "\\n");
		else if (c < ' ' || c >= 0x7f)
			sb_printf(b, "\\x%02x", c);
		else
			sb_putc(b, (char)c);
	}
	sb_putc(b, '"');
}

static void
put_int(struct sb *b, uint64_t v, bool u, bool l, bool ll, bool is_char)
{
	if (is_char)
		sb_printf(b, "(char %lld)", (long long)v);
	else
		sb_printf(b, "%llu%s%s", (unsigned long long)v, u ? "u" : "",
			  ll ? "ll" : l ? "l" : "");
}

static void
put_symbol(struct sb *b, const char *module, const char *name)
{
	sb_printf(b, "%s`%s", module ? module : "", name);
}

/* --- Tokens --------------------------------------------------------------- */

void
lang_trace_token(struct sb *b, const struct token *t)
{
	switch (t->kind) {
	case T_IDENT:
		sb_printf(b, "IDENT %s\n", t->name);
		return;
	case T_SYM:
		sb_puts(b, "SYM ");
		put_symbol(b, t->module, t->name);
		break;
	case T_AGG:
		sb_printf(b, "AGG %s\n", t->name);
		return;
	case T_INT:
		sb_printf(b, "INT %s", t->negative ? "-" : "");
		put_int(b, t->value, t->is_unsigned, t->is_long, t->is_llong,
			t->is_char);
		break;
	case T_FLOAT:
		sb_printf(b, "FLOAT %s", t->str);
		break;
	case T_STR:
		sb_puts(b, "STR ");
		put_quoted(b, t->str, t->str_len);
		break;
	case T_PRED_END:
		sb_puts(b, "PRED_END");
		break;
	case T_EOF:
	case T_BAD:
	case T_ERROR:
		sb_puts(b, t->kind == T_EOF ? "EOF" : "BAD");
		break;
	default:
		sb_printf(b, "%s %s\n", t->kind >= T_FIRST_KEYWORD ? "KEYWORD" :
			  "PUNCT", lang_token_text(t->kind));
		return;
	}
	sb_putc(b, '\n');
}

void
lang_trace_desc(struct sb *b, const char *text)
{
	sb_printf(b, "DESC %s\n", text);
}

void
lang_dump_tokens(const struct lang_env *env, const struct lang_source *src,
		 struct sb *b)
{
	lang_parse_traced(env, src, b);
}

/* --- Types ---------------------------------------------------------------- */

static void dump_expr(const struct ast_node *n, struct sb *b);
static void dump_decls(const struct ast_decl *d, struct sb *b);

static void
dump_words(const struct ast_spec *s, struct sb *b)
{
	static const char *const classes[] = {
		"", " self", " this", " extern", " static", " typedef",
		" auto", " register",
	};
	const struct {
		const char *word;
		unsigned n;
	} words[] = {
		{ "const", s->is_const }, { "volatile", s->is_volatile },
		{ "restrict", s->is_restrict }, { "userland", s->is_userland },
		{ "void", s->n_void }, { "signed", s->n_signed },
		{ "unsigned", s->n_unsigned }, { "short", s->n_short },
		{ "long", s->n_long }, { "char", s->n_char },
		{ "int", s->n_int }, { "float", s->n_float },
		{ "double", s->n_double }, { "string", s->n_string },
		{ "_Bool", s->n_bool }, { "__int128", s->n_int128 },
		{ "_Float128", s->n_float128 }, { "_Complex", s->n_complex },
	};

	sb_puts(b, classes[s->class]);
	for (size_t i = 0; i < BASE_NELEMS(words); i++)
		for (unsigned n = 0; n < words[i].n; n++)
			sb_printf(b, " %s", words[i].word);
}

static void
dump_attrs(const struct ast_attr *a, struct sb *b)
{
	static const char *const kinds[] = {
		"packed", "aligned", "mode", "vector",
	};

	for (; a; a = a->next) {
		sb_printf(b, " (%s", kinds[a->kind]);
		if (a->word)
			sb_printf(b, " %s", a->word);
		if (a->value)
			sb_putc(b, ' ');
		if (a->value)
			dump_expr(a->value, b);
		dump_decls(a->tname, b);
		sb_putc(b, ')');
	}
}

static void
dump_spec(const struct ast_spec *s, struct sb *b)
{
	static const char *const kinds[] = {
		"", "", " struct", " union", " enum", " typeof",
	};

	sb_puts(b, "(spec");
	dump_words(s, b);
	sb_puts(b, kinds[s->kind]);
	if (s->name)
		sb_printf(b, " %s%s%s", s->module ? s->module : "",
			  s->module ? "`" : "", s->name);
	if (s->has_body && s->kind == AST_SPEC_ENUM) {
		sb_puts(b, " {");
		for (const struct ast_enumerator *e = s->enums; e; e = e->next) {
			sb_printf(b, " %s", e->name);
			if (e->value) {
				sb_puts(b, " = ");
				dump_expr(e->value, b);
			}
		}
		sb_puts(b, " }");
	} else if (s->has_body) {
		sb_puts(b, " {");
		dump_decls(s->members, b);
		sb_puts(b, " }");
	}
	dump_decls(s->tname, b);
	if (s->expr)
		dump_expr(s->expr, b);
	dump_attrs(s->tag_attrs, b);
	if (s->pack)
		sb_printf(b, " (pack %u)", s->pack);
	if (s->attrs)
		sb_puts(b, " :");
	dump_attrs(s->attrs, b);
	sb_putc(b, ')');
}

static void
dump_deriv(const struct ast_deriv *v, struct sb *b)
{
	static const char *const kinds[] = { "ptr", "array", "func" };

	sb_printf(b, " (%s%s%s%s%s", kinds[v->kind],
		  v->is_assoc ? " assoc" : "", v->is_const ? " const" : "",
		  v->is_volatile ? " volatile" : "",
		  v->is_restrict ? " restrict" : "");
	if (v->size) {
		sb_putc(b, ' ');
		dump_expr(v->size, b);
	}
	dump_decls(v->params, b);
	sb_puts(b, v->variadic ? " ...)" : ")");
}

static void
dump_decl(const struct ast_decl *d, struct sb *b)
{
	sb_printf(b, "(decl %s ", d->name ? d->name : "-");
	dump_spec(d->spec, b);
	for (const struct ast_deriv *v = d->deriv; v; v = v->next)
		dump_deriv(v, b);
	if (d->bits) {
		sb_puts(b, " : ");
		dump_expr(d->bits, b);
	}
	dump_attrs(d->attrs, b);
	sb_putc(b, ')');
}

static void
dump_decls(const struct ast_decl *d, struct sb *b)
{
	for (; d; d = d->next) {
		sb_putc(b, ' ');
		dump_decl(d, b);
	}
}

/* --- Expressions ---------------------------------------------------------- */

static const char *
op_word(enum ast_op op)
{
	static const char *const words[] = {
		[AST_OP_NONE] = "",
#define OP(NAME, text, word, want) [AST_##NAME] = word,
#include "lang/op.def"
#undef OP
	};

	return words[op];
}

static void
dump_list(const struct ast_node *n, struct sb *b)
{
	for (; n; n = n->next) {
		sb_putc(b, ' ');
		dump_expr(n, b);
	}
}

static void
dump_kids(const struct ast_node *n, struct sb *b)
{
	for (unsigned i = 0; i < BASE_NELEMS(n->kid) && n->kid[i]; i++) {
		sb_putc(b, ' ');
		dump_expr(n->kid[i], b);
	}
	sb_putc(b, ')');
}

static void
dump_tname(const char *word, const struct ast_node *n, struct sb *b)
{
	sb_printf(b, "(%s ", word);
	dump_decl(n->tname, b);
	dump_kids(n, b);
}

/* What has a form of its own; the rest is (word kids...). */
static void
dump_compound(const struct ast_node *n, struct sb *b)
{
	switch (n->kind) {
	case AST_AGG:
		sb_printf(b, "(@%s", n->name);
		dump_list(n->list, b);
		sb_putc(b, ')');
		break;
	case AST_INDEX:
	case AST_CALL:
		sb_puts(b, n->kind == AST_CALL ? "(call " : "(index ");
		dump_expr(n->kid[0], b);
		dump_list(n->list, b);
		sb_putc(b, ')');
		break;
	case AST_DOT:
	case AST_ARROW:
		sb_puts(b, n->kind == AST_DOT ? "(. " : "(-> ");
		dump_expr(n->kid[0], b);
		sb_printf(b, " %s)", n->name);
		break;
	case AST_OFFSETOF:
		sb_puts(b, "(offsetof ");
		dump_decl(n->tname, b);
		sb_printf(b, " %s", n->name);
		for (const struct ast_step *i = n->path; i; i = i->next) {
			sb_printf(b, "%s%s", i->name ? "." : "[",
				  i->name ? i->name : "");
			if (i->index)
				dump_expr(i->index, b);
			sb_puts(b, i->name ? "" : "]");
		}
		sb_putc(b, ')');
		break;
	case AST_CAST: dump_tname("cast", n, b); break;
	case AST_SIZEOF_T: dump_tname("sizeof", n, b); break;
	case AST_ALIGNOF: dump_tname("alignof", n, b); break;
	case AST_XLATE: dump_tname("xlate", n, b); break;
	case AST_ASSIGN:
		sb_printf(b, "(%s=", op_word(n->op));
		dump_kids(n, b);
		break;
	default:
		sb_printf(b, "(%s", n->kind == AST_COND ? "?" :
			  n->kind == AST_SIZEOF_E ? "sizeof" :
			  n->kind == AST_STRINGOF ? "stringof" :
			  op_word(n->op));
		dump_kids(n, b);
	}
}

static void
dump_expr(const struct ast_node *n, struct sb *b)
{
	switch (n->kind) {
	case AST_INT:
		put_int(b, n->value, n->is_unsigned, n->is_long, n->is_llong,
			n->is_char);
		break;
	case AST_FLOAT: sb_printf(b, "(float %s)", n->str); break;
	case AST_STR: put_quoted(b, n->str, n->str_len); break;
	case AST_IDENT: sb_puts(b, n->name); break;
	case AST_THIS: sb_printf(b, "this->%s", n->name); break;
	case AST_SELF: sb_printf(b, "self->%s", n->name); break;
	case AST_SYM: put_symbol(b, n->module, n->name); break;
	case AST_EMPTY: sb_puts(b, "(empty)"); break;
	default: dump_compound(n, b);
	}
}

/* --- Statements and items ------------------------------------------------- */

static void
indent(struct sb *b, unsigned depth)
{
	sb_putc(b, '\n');
	for (unsigned i = 0; i < depth; i++)
		sb_puts(b, "  ");
}

static void dump_stmts(const struct ast_node *n, unsigned depth, struct sb *b);

static void
dump_loop(const struct ast_node *n, unsigned depth, struct sb *b)
{
	sb_puts(b, n->kind == AST_DO ? "(do " : "(for ");
	for (int i = 0; i < 2; i++) {
		if (i)
			sb_putc(b, ' ');
		if (n->kid[i])
			dump_expr(n->kid[i], b);
		else
			sb_puts(b, "()");
	}
	if (n->list2) {
		indent(b, depth);
		sb_puts(b, "first");
		dump_stmts(n->list2, depth + 1, b);
		indent(b, depth);
		sb_puts(b, "each");
	}
	dump_stmts(n->list, depth + 1, b);
	sb_putc(b, ')');
}

static void
dump_leaf(const struct ast_node *n, struct sb *b)
{
	static const char *const names[] = {
		[AST_BREAK] = "break", [AST_CONTINUE] = "continue",
		[AST_RETURN] = "return", [AST_LOCAL] = "local",
		[AST_EMPTY] = "empty",
	};

	sb_printf(b, "(%s", names[n->kind]);
	if (n->tname) {
		sb_putc(b, ' ');
		dump_decl(n->tname, b);
	}
	if (n->kid[0]) {
		sb_putc(b, ' ');
		dump_expr(n->kid[0], b);
	}
	sb_putc(b, ')');
}

static void
dump_stmts(const struct ast_node *n, unsigned depth, struct sb *b)
{
	for (; n; n = n->next) {
		indent(b, depth);
		if (n->kind == AST_EXPR) {
			dump_expr(n->kid[0], b);
		} else if (n->kind == AST_IF) {
			sb_puts(b, "(if ");
			dump_expr(n->kid[0], b);
			dump_stmts(n->list, depth + 1, b);
			if (n->list2) {
				indent(b, depth);
				sb_puts(b, "else");
				dump_stmts(n->list2, depth + 1, b);
			}
			sb_putc(b, ')');
		} else if (n->kind == AST_FOR || n->kind == AST_DO) {
			dump_loop(n, depth, b);
		} else {
			dump_leaf(n, b);
		}
	}
}

static void
dump_clause(const struct ast_clause *c, struct sb *b)
{
	sb_puts(b, "(clause");
	for (const struct ast_pdesc *d = c->descs; d; d = d->next) {
		sb_putc(b, ' ');
		put_quoted(b, d->text, (uint32_t)strlen(d->text));
	}
	if (c->pred) {
		indent(b, 1);
		sb_puts(b, "(pred ");
		dump_expr(c->pred, b);
		sb_putc(b, ')');
	}
	if (c->has_body) {
		indent(b, 1);
		sb_puts(b, "(body");
		dump_stmts(c->body, 2, b);
		sb_putc(b, ')');
	}
	sb_putc(b, ')');
}

static void
dump_func(const struct ast_func *f, struct sb *b)
{
	sb_puts(b, "(function ");
	dump_decl(f->decl, b);
	dump_stmts(f->body, 1, b);
	sb_putc(b, ')');
}

static void
dump_xlator(const struct ast_xlator *x, struct sb *b)
{
	sb_puts(b, "(translator ");
	dump_decl(x->out, b);
	sb_putc(b, ' ');
	dump_decl(x->in, b);
	for (const struct ast_member_expr *m = x->members; m; m = m->next) {
		indent(b, 1);
		sb_printf(b, "(%s ", m->name);
		dump_expr(m->expr, b);
		sb_putc(b, ')');
	}
	sb_putc(b, ')');
}

static void
dump_provider(const struct ast_provider *v, struct sb *b)
{
	sb_printf(b, "(provider %s", v->name);
	for (const struct ast_probe_decl *d = v->probes; d; d = d->next) {
		indent(b, 1);
		sb_printf(b, "(probe %s (", d->name);
		dump_decls(d->nargs, b);
		sb_puts(b, d->has_xargs ? " ) (" : " )");
		if (d->has_xargs) {
			dump_decls(d->xargs, b);
			sb_puts(b, " )");
		}
		sb_putc(b, ')');
	}
	sb_putc(b, ')');
}

static void
dump_item(const struct ast_item *it, struct sb *b)
{
	switch (it->kind) {
	case AST_ITEM_CLAUSE:
		dump_clause(it->u.clause, b);
		break;
	case AST_ITEM_DECL:
	case AST_ITEM_TYPE:
		sb_puts(b, "(declare");
		dump_decls(it->u.decl, b);
		sb_putc(b, ')');
		break;
	case AST_ITEM_XLATOR:
		dump_xlator(it->u.xlator, b);
		break;
	case AST_ITEM_INLINE:
		sb_puts(b, "(inline ");
		dump_decl(it->u.inl->decl, b);
		sb_putc(b, ' ');
		dump_expr(it->u.inl->expr, b);
		sb_putc(b, ')');
		break;
	case AST_ITEM_FUNC:
		dump_func(it->u.func, b);
		break;
	case AST_ITEM_PROVIDER:
		dump_provider(it->u.provider, b);
		break;
	case AST_ITEM_PRAGMA:
		sb_puts(b, "(pragma");
		for (unsigned i = 0; i < it->u.pragma->nwords; i++) {
			const char *word = it->u.pragma->words[i];
			sb_putc(b, ' ');
			put_quoted(b, word, (uint32_t)strlen(word));
		}
		sb_putc(b, ')');
		break;
	}
	sb_putc(b, '\n');
}

void
lang_dump(const struct ast_program *p, struct sb *b)
{
	for (const struct ast_item *it = p->items; it; it = it->next)
		dump_item(it, b);
}
