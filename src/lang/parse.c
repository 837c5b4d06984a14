/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A program: declarations, and clauses.
 *
 * Which of the two begins is decided on the bare text, before any token is
 * made.  A word of C's declarations begins one, unless it goes on as only a
 * probe's name can (`int:::x`); so does the name of a known type with a name
 * or a star behind it.  Everything else is a probe description.
 */
#include <string.h>

#include "lang/error_priv.h"
#include "lang/lex_priv.h"
#include "lang/syntax_priv.h"

/* --- Declaration or description? ------------------------------------------ */

/* Behind the name of a type at [.., pos): does a declarator follow? */
static bool
declarator_follows(const struct parser *p, uint32_t pos)
{
	uint32_t q = lang_after_blank(p, pos);

	if (lang_char(p, q) == '(')
		return true;
	while (lang_char(p, q) == '*')
		q = lang_after_blank(p, q + 1);
	return q > pos && (lang_is_alpha(lang_char(p, q)) ||
			   lang_char(p, q) == '(');
}

static bool
begins_decl(struct parser *p)
{
	uint32_t start = p->pos, end = start, run = start;
	const char *text = p->text;
	struct token word = { 0 };

	while (lang_is_alpha(lang_char(p, end)) ||
	       (end > start && (lang_is_digit(lang_char(p, end)) ||
				lang_char(p, end) == '`')))
		end++;
	if (end == start)
		return false;
	if (!memchr(text + start, '`', end - start))
		end = lang_space_end(p, start, end);
	while (lang_is_desc_char(lang_char(p, run)))
		run++;
	if (memchr(text + start, ':', run - start))
		return false;
	bool scoped = memchr(text + start, '`', end - start);
	const char *name = text + start;
	if (scoped)
		name = (const char *)memrchr(name, '`', end - start) + 1;
	lang_make_word(p, name, (size_t)(text + end - name), &word);
	lang_space_qualify(p, start, &word);
	if (word.kind != T_IDENT && !scoped)
		return (lang_keyword_flags(word.kind) &
			(KW_TYPE | KW_CLASS | KW_FILE)) &&
			(run == end || declarator_follows(p, end));
	return (run == end || text[end] == '*') &&
		declarator_follows(p, end) && lang_is_type(p, word.name);
}

/* --- Items ---------------------------------------------------------------- */

static struct ast_item *
new_item(struct parser *p, enum ast_item_kind kind)
{
	struct ast_item *item = LANG_NEW(p, struct ast_item);

	item->kind = (uint8_t)kind;
	return item;
}

static struct lang_span
since(const struct parser *p, struct lang_span start)
{
	return lang_span_join(start, p->last);
}

/* A declaration that goes on with '{'. */
static void
parse_func(struct parser *p, struct ast_item *item)
{
	struct ast_func *f = LANG_NEW(p, struct ast_func);

	f->decl = item->u.decl;
	p->in_func = true;
	f->body = lang_block(p);
	p->in_func = false;
	f->span = since(p, f->decl->span);
	item->kind = AST_ITEM_FUNC;
	item->u.func = f;
}

static struct ast_item *
parse_decl(struct parser *p)
{
	struct ast_item *item = new_item(p, AST_ITEM_DECL);

	item->u.decl = lang_decl(p);
	if (!p->panic && !p->dead && lang_is_func(item->u.decl) &&
	    lang_peek(p)->kind == T_LBRACE)
		parse_func(p, item);
	return item;
}

/* inline T n = e; */
static struct ast_item *
parse_inline(struct parser *p)
{
	struct ast_item *item = new_item(p, AST_ITEM_INLINE);
	struct ast_inline *n = LANG_NEW(p, struct ast_inline);

	item->u.inl = n;
	n->span = lang_next(p).span;
	n->decl = lang_one_decl(p);
	lang_expect(p, T_ASSIGN, "inline TYPE NAME = EXPRESSION;");
	n->expr = lang_assign(p);
	lang_expect(p, T_SEMI, "a ';' is missing before this");
	n->span = since(p, n->span);
	return item;
}

static struct ast_member_expr *
parse_member_expr(struct parser *p)
{
	struct ast_member_expr *m = LANG_NEW(p, struct ast_member_expr);
	struct token t = *lang_peek(p);

	if (t.kind != T_IDENT && t.kind < T_FIRST_KEYWORD) {
		lang_syntax(p, "the name of a member is expected here");
		return m;
	}
	lang_next(p);
	m->name = t.word;
	lang_expect(p, T_ASSIGN, "MEMBER = EXPRESSION;");
	m->expr = lang_assign(p);
	m->span = since(p, t.span);
	lang_expect(p, T_SEMI, "a ';' is missing before this");
	return m;
}

/* translator OUT < IN name > { member = e; ... }; */
static struct ast_item *
parse_translator(struct parser *p)
{
	static const char form[] = "translator OUTPUT < INPUT name > { ... };";
	struct ast_item *item = new_item(p, AST_ITEM_XLATOR);
	struct ast_xlator *x = LANG_NEW(p, struct ast_xlator);
	struct ast_member_expr **tail = &x->members;

	item->u.xlator = x;
	x->span = lang_next(p).span;
	x->out = lang_type_name(p);
	lang_expect(p, T_LT, form);
	x->in = lang_one_decl(p);
	lang_expect(p, T_GT, form);
	x->span = since(p, x->span);
	struct lang_span open = lang_peek(p)->span;
	lang_expect(p, T_LBRACE, form);
	while (!p->panic && !p->dead && lang_peek(p)->kind != T_RBRACE &&
	       lang_peek(p)->kind != T_EOF) {
		struct ast_member_expr *m = parse_member_expr(p);
		*tail = m;
		tail = &m->next;
	}
	lang_expect_close(p, T_RBRACE, open);
	lang_expect(p, T_SEMI, "a ';' follows the '}' of a translator");
	return item;
}

static struct ast_decl *
parse_probe_args(struct parser *p)
{
	struct lang_span open = lang_peek(p)->span;
	bool variadic = false;

	if (!lang_expect(p, T_LPAREN, "probe NAME (TYPES);"))
		return NULL;
	struct ast_decl *args = lang_params(p, T_RPAREN, &variadic);
	if (variadic)
		diag(p->env->diags, D_DECL_PROTO_VARARGS, p->last,
		     "a probe cannot have a variable number of arguments");
	lang_expect_close(p, T_RPAREN, open);
	return args;
}

/* probe n(types) : (types); */
static struct ast_probe_decl *
parse_probe(struct parser *p)
{
	struct ast_probe_decl *d = LANG_NEW(p, struct ast_probe_decl);
	struct lang_span start = lang_peek(p)->span;

	lang_expect(p, T_PROBE, "probe NAME (TYPES);");
	if (lang_peek(p)->kind != T_IDENT)
		lang_syntax(p, "the name of a probe is expected here");
	d->name = lang_next(p).name;
	d->nargs = parse_probe_args(p);
	if (lang_accept(p, T_COLON)) {
		d->has_xargs = true;
		d->xargs = parse_probe_args(p);
	}
	d->span = since(p, start);
	lang_expect(p, T_SEMI, "a ';' is missing before this");
	return d;
}

/* provider n { probe ...; }; */
static struct ast_item *
parse_provider(struct parser *p)
{
	struct ast_item *item = new_item(p, AST_ITEM_PROVIDER);
	struct ast_provider *v = LANG_NEW(p, struct ast_provider);
	struct ast_probe_decl **tail = &v->probes;

	item->u.provider = v;
	v->span = lang_next(p).span;
	if (lang_peek(p)->kind != T_IDENT)
		lang_syntax(p, "the name of a provider is expected here");
	v->name = lang_next(p).name;
	v->span = since(p, v->span);
	struct lang_span open = lang_peek(p)->span;
	lang_expect(p, T_LBRACE, "provider NAME { probe ...; };");
	while (!p->panic && !p->dead && lang_peek(p)->kind != T_RBRACE &&
	       lang_peek(p)->kind != T_EOF) {
		struct ast_probe_decl *d = parse_probe(p);
		*tail = d;
		tail = &d->next;
	}
	lang_expect_close(p, T_RBRACE, open);
	lang_expect(p, T_SEMI, "a ';' follows the '}' of a provider");
	return item;
}

/* --- Clauses -------------------------------------------------------------- */

/* At the '/' that begins it. */
static struct ast_node *
parse_pred(struct parser *p)
{
	p->last = lang_span_at(p, p->pos, p->pos + 1);
	p->pos++;
	p->in_pred = true;
	struct ast_node *e = lang_peek(p)->kind == T_PRED_END ? NULL :
		lang_expr(p);
	if (!e)
		lang_syntax(p, "the predicate is empty");
	else
		lang_expect(p, T_PRED_END, "the '/' that ends the predicate, or "
			    "the '{' behind it, is missing");
	bool bad = p->panic;
	if (bad)
		lang_resync_pred(p);
	p->in_pred = false;
	return bad ? NULL : e;
}

/* `word name;`, `word *name = ...`: a declaration, if `word` were a type. */
static bool
is_like_decl(struct parser *p, const struct ast_pdesc *d)
{
	unsigned n = 0;

	for (const char *s = d->text; *s; s++)
		if (!lang_is_alpha(*s) && !lang_is_digit(*s))
			return false;
	while (n < 2 && lang_look(p, n)->kind == T_STAR)
		n++;
	if (lang_look(p, n)->kind != T_IDENT)
		return false;
	unsigned next = lang_look(p, n + 1)->kind;
	return next == T_SEMI || next == T_COMMA || next == T_ASSIGN ||
		next == T_LBRACKET || next == T_LPAREN;
}

/* `def f(x)` */
static bool
is_like_func(struct parser *p, const struct ast_pdesc *d)
{
	return is_like_decl(p, d) && lang_look(p, 0)->kind == T_IDENT &&
		lang_look(p, 1)->kind == T_LPAREN;
}

/* `pid1:a.out:f(int)`: the last description goes on with what none can have. */
static bool
goes_on(struct parser *p, const struct ast_pdesc *d)
{
	while (d->next)
		d = d->next;
	return strchr(d->text, ':') && d->span.src == lang_peek(p)->span.src &&
		d->span.off + d->span.len == lang_peek(p)->span.off;
}

/* After the description and the predicate, without '{'. */
static void
parse_no_body(struct parser *p, const struct ast_clause *c, bool has_pred)
{
	bool allowed = has_pred || (p->env->flags & LANG_CMDLINE);
	unsigned kind = lang_peek(p)->kind;

	if (allowed && (kind == T_EOF || kind == T_SEMI))
		lang_accept(p, T_SEMI);
	else if (has_pred)
		lang_syntax(p, "'{' is expected after a predicate");
	else if (kind == T_IF)
		lang_bad_header(p, "what a clause asks first stands between "
				"slashes: %.60s /condition/ { statements }",
				c->descs->text);
	else if (kind != T_EOF && kind != T_RBRACE && kind != T_SEMI &&
		 goes_on(p, c->descs))
		lang_bad_header(p, "in a description ? stands for a character "
				"that it cannot have, as in "
				"pid$target:a.out:space??name?int?:entry", "");
	else if ((kind == T_LPAREN && !strchr(c->descs->text, ':')) ||
		 is_like_func(p, c->descs))
		lang_bad_header(p, "a function is TYPE NAME(TYPE PARAMETER, "
				"...) { statements }", "");
	else if (is_like_decl(p, c->descs))
		lang_bad_header(p, "\"%.60s\" is not the name of a type",
				c->descs->text);
	else
		lang_bad_header(p, "a predicate or '{' is expected after "
				"\"%.60s\"", c->descs->text);
}

static struct ast_item *
parse_clause(struct parser *p)
{
	struct ast_item *item = new_item(p, AST_ITEM_CLAUSE);
	struct ast_clause *c = LANG_NEW(p, struct ast_clause);

	item->u.clause = c;
	c->descs = lang_read_descs(p);
	if (!c->descs || p->dead)
		return item;
	c->span = c->descs->span;
	if ((p->env->flags & (LANG_LIBRARY | LANG_PRELUDE)) == LANG_LIBRARY) {
		lang_syntax_at(p, c->span, "syntax error near \"%.60s\": a "
			       "library cannot have clauses", c->descs->text);
		return item;
	}
	bool has_pred = lang_char(p, p->pos) == '/';
	if (has_pred)
		c->pred = parse_pred(p);
	if (lang_peek(p)->kind == T_LBRACE) {
		c->has_body = true;
		c->body = lang_block(p);
	} else {
		parse_no_body(p, c, has_pred);
	}
	c->span = since(p, c->span);
	return item;
}

static void parse_items(struct parser *p);

/* NULL for what leaves nothing in the tree. */
static struct ast_item *
parse_item(struct parser *p)
{
	if (lang_at_space(p)) {
		lang_read_space(p, parse_items);
		return NULL;
	}
	if (!begins_decl(p))
		return parse_clause(p);
	switch (lang_peek(p)->kind) {
	case T_IMPORT: lang_read_import(p); return NULL;
	case T_INLINE: return parse_inline(p);
	case T_TRANSLATOR: return parse_translator(p);
	case T_PROVIDER: return parse_provider(p);
	case T_STATIC_ASSERT: lang_skip_assertion(p); return NULL;
	default: return parse_decl(p);
	}
}

/* --- The program ---------------------------------------------------------- */

/* Tokens looked at but not taken are text again. */
static void
forget_tokens(struct parser *p)
{
	if (p->nlook)
		p->pos = p->look[0].span.off;
	p->nlook = 0;
}

static void
resync(struct parser *p, const struct ast_item *item)
{
	if (item && item->kind == AST_ITEM_CLAUSE && item->u.clause->descs &&
	    !item->u.clause->has_body)
		lang_resync_no_body(p);
	else
		lang_resync_item(p, item && item->kind == AST_ITEM_DECL);
}

static void
parse_items(struct parser *p)
{
	while (!p->dead) {
		forget_tokens(p);
		lang_skip_blank(p);
		if (p->pos >= p->size || p->dead)
			break;
		if (p->text[p->pos] == ';') {
			p->pos++;
			continue;
		}
		if (p->space && p->text[p->pos] == '}')
			break;
		p->braces = p->loops = 0;
		p->in_func = p->garbled = p->told_decl = false;
		p->bad_before = p->env->diags->n > p->item_diags;
		p->item_diags = p->env->diags->n;
		struct ast_item *item = parse_item(p);
		if (p->panic)
			resync(p, item);
		else if (item && !p->dead)
			lang_add_item(p, item);
	}
}

/* The whole text is `struct file *`, and nothing is behind that. */
static void
parse_type_text(struct parser *p)
{
	struct ast_item *item = new_item(p, AST_ITEM_TYPE);
	unsigned errors = p->env->diags->n;

	item->u.decl = lang_type_name(p);
	if (p->dead || p->panic)
		return;
	if (p->items)
		lang_syntax_at(p, p->items->u.pragma->span,
			       "a type has no pragmas");
	else if (lang_peek(p)->kind != T_EOF)
		lang_syntax(p, "a type ends before this");
	else if (p->env->diags->n == errors)
		lang_add_item(p, item);
}

/* A NUL anywhere spoils the program; a mark of UTF-8 and "#!" may begin it. */
static bool
check_text(struct parser *p)
{
	const char *nul = p->size ? memchr(p->text, '\0', p->size) : NULL;

	if (nul) {
		uint32_t at = (uint32_t)(nul - p->text);
		diag(p->env->diags, D_SYNTAX, lang_span_at(p, at, at + 1),
		     "syntax error: NUL byte at offset %u", at);
		return false;
	}
	if (p->size > 2 && !memcmp(p->text, "\xef\xbb\xbf", 3))
		p->pos = p->start = 3;
	if (lang_char(p, p->pos) == '#' && lang_char(p, p->pos + 1) == '!')
		while (p->pos < p->size && p->text[p->pos] != '\n')
			p->pos++;
	return true;
}

struct ast_program *
lang_parse_traced(const struct lang_env *env, const struct lang_source *src,
		  struct sb *trace)
{
	struct parser p = {
		.env = env, .src = src, .text = src->text, .size = src->size,
		.panic_tok = { .kind = T_ERROR, .name = "", .str = "" },
		.ndiags = env->diags->n, .item_diags = env->diags->n,
		.trace = trace,
	};
	struct ast_program *prog = LANG_NEW(&p, struct ast_program);

	p.item_tail = &p.items;
	if (!p.dead && check_text(&p)) {
		if (env->flags & LANG_TYPE)
			parse_type_text(&p);
		else
			parse_items(&p);
		lang_check_unused_macros(&p);
	}
	hash_fini(&p.types);
	hash_fini(&p.spaces);
	if (p.no_memory || arena_failed(env->a))
		return NULL;
	prog->src = src;
	prog->items = p.items;
	return prog;
}

struct ast_program *
lang_parse(const struct lang_env *env, const struct lang_source *src)
{
	return lang_parse_traced(env, src, NULL);
}
