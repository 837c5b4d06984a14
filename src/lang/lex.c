/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Characters to tokens.
 *
 * D cannot be cut into tokens without knowing where one is: `a-b` is three
 * tokens in an expression and one probe name between items, and '/' divides,
 * or closes a predicate.  The parser says which, so there are two readers of
 * the text: this file, for everything within an item, and pdesc.c, for what
 * stands before a clause.
 *
 * A '/' closes a predicate when '{', ';' or the end follows, blanks and
 * comments aside.  The look ahead stops at the first character that is
 * neither, so that reading stays linear.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lang/error_priv.h"
#include "lang/lex_priv.h"

/* --- Tables --------------------------------------------------------------- */

static const struct punct {
	const char *text;
	uint8_t size, kind;
} puncts[] = {
#define PUNCT(NAME, text, ...) { text, sizeof(text) - 1, T_##NAME },
#include "lang/token.def"
};

static const struct keyword {
	const char *text;
	uint8_t flags;
} keywords[] = {
#define KEYWORD(NAME, text, flags) { text, flags },
#include "lang/keyword.def"
#undef KEYWORD
};

static const struct spelling {
	const char *text;
	uint8_t kind;
} spellings[] = {
#define SPELLING(text, NAME) { text, T_##NAME },
#include "lang/spelling.def"
#undef SPELLING
};

_Static_assert(T_FIRST_KEYWORD + BASE_NELEMS(keywords) == T_N,
	       "keywords are the last tokens");
_Static_assert(T_FIRST_PUNCT + BASE_NELEMS(puncts) == T_FIRST_KEYWORD,
	       "punctuation stands between");

unsigned
lang_keyword_flags(unsigned kind)
{
	if (kind < T_FIRST_KEYWORD || kind >= T_N)
		return 0;
	return keywords[kind - T_FIRST_KEYWORD].flags;
}

const char *
lang_token_text(unsigned kind)
{
	static const char *const specials[] = {
#define TOKEN(NAME, text) text,
#include "lang/token.def"
	};

	if (kind < T_FIRST_PUNCT)
		return specials[kind];
	if (kind < T_FIRST_KEYWORD)
		return puncts[kind - T_FIRST_PUNCT].text;
	return kind < T_N ? keywords[kind - T_FIRST_KEYWORD].text : "";
}

/* --- Memory --------------------------------------------------------------- */

void
lang_die(struct parser *p)
{
	p->dead = true;
	p->panic_tok = (struct token){
		.kind = T_EOF, .name = "", .str = "",
		.span = lang_span_at(p, p->size, p->size),
	};
}

void
lang_no_memory(struct parser *p)
{
	p->no_memory = true;
	lang_die(p);
}

void *
lang_alloc(struct parser *p, size_t size)
{
	assert(size <= sizeof(p->dummy));
	void *mem = arena_alloc(p->env->a, size);

	if (mem)
		return mem;
	lang_no_memory(p);
	memset(p->dummy, 0, sizeof(p->dummy));
	return p->dummy;
}

const char *
lang_intern(struct parser *p, const char *s, size_t n)
{
	const char *name = intern_n(p->env->names, s, n);

	if (!name)
		lang_no_memory(p);
	return name ? name : "";
}

/* --- Errors --------------------------------------------------------------- */

struct lang_span
lang_span_at(const struct parser *p, uint32_t off, uint32_t end)
{
	return (struct lang_span){ .src = p->src, .off = off, .len = end - off };
}

bool
lang_lex_diag(struct parser *p, enum diag_tag tag, struct lang_span s,
	      const char *fmt, ...)
{
	char text[256];
	va_list ap;

	if (p->quiet || p->panic || p->dead || p->garbled)
		return false;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	diag(p->env->diags, tag, s, "%s", text);
	return true;
}

/* Of the character at s, of this size, outside ASCII. */
static const char *
foreign_hint(const char *s, uint32_t size)
{
	static const char *const blanks[] = {
		"\xc2\xa0", "\xe2\x80\x89", "\xe2\x80\x8b", "\xe2\x80\xaf",
		"\xe3\x80\x80", "\xef\xbb\xbf",
	};
	static const char quotes[] = "\xe2\x80\x98" "\xe2\x80\x99"
				     "\xe2\x80\x9c" "\xe2\x80\x9d";

	for (const char *q = quotes; size == 3 && *q; q += 3)
		if (!memcmp(q, s, 3))
			return "a string stands in plain quotes, \"like this\"";
	for (size_t i = 0; i < BASE_NELEMS(blanks); i++)
		if (!strncmp(blanks[i], s, size) && !blanks[i][size])
			return "this looks like a blank, and is another "
			       "character";
	return "only strings and comments may hold characters outside ASCII";
}

static void
scan_bad(struct parser *p, struct token *t)
{
	const char *s = p->text + p->pos;
	unsigned char c = (unsigned char)*s;
	uint32_t size = base_utf8(s, p->size - p->pos);
	struct lang_span span = lang_span_at(p, p->pos,
					     p->pos + (size ? size : 1));
	const char *hint;

	t->kind = T_BAD;
	if (size == 0 || c < ' ' || c == 0x7f)
		lang_lex_diag(p, D_SYNTAX, span, size == 0 ?
			"syntax error: byte 0x%02x at offset %u is not UTF-8" :
			"syntax error: unexpected byte 0x%02x at offset %u",
			c, p->pos);
	else if (size > 1 && lang_lex_diag(p, D_SYNTAX, span,
					   "syntax error near \"%.*s\"",
					   (int)size, s))
		diag_hint(p->env->diags, "%s", foreign_hint(s, size));
	else if (lang_lex_diag(p, D_SYNTAX, span, "syntax error near \"%c\"", c) &&
		 (hint = lang_habit(p, span)))
		diag_hint(p->env->diags, "%s", hint);
	p->panic = !p->quiet;
	p->pos += span.len;
}

/* --- Blanks --------------------------------------------------------------- */

static bool
at_comment(const struct parser *p, uint32_t pos)
{
	return (lang_char(p, pos) == '/' && lang_char(p, pos + 1) == '*') ||
	       lang_begins_line_comment(p->text, pos, p->size);
}

/* The offset behind the comment at pos; 0 when it is not closed. */
static uint32_t
comment_end(const struct parser *p, uint32_t pos)
{
	if (p->text[pos + 1] == '/')
		return lang_line_end(p->text, pos, p->size);
	for (pos += 2; pos + 1 < p->size; pos++)
		if (p->text[pos] == '*' && p->text[pos + 1] == '/')
			return pos + 2;
	return 0;
}

/* Is the '#' at pos the first thing on its line? */
static bool
at_control(const struct parser *p, uint32_t pos)
{
	if (lang_char(p, pos) != '#')
		return false;
	while (pos > p->start && lang_is_blank(p->text[pos - 1]))
		pos--;
	return pos == p->start || p->text[pos - 1] == '\n';
}

static void
unclosed_comment(struct parser *p)
{
	unsigned line;
	struct lang_span s = lang_span_at(p, p->pos, p->pos + 2);

	lang_span_where(s, &line, NULL, NULL);
	if (lang_lex_diag(p, D_SYNTAX, s, "syntax error: end of input in the "
			  "comment that begins on line %u", line) &&
	    p->pos > p->start && lang_is_desc_char(p->text[p->pos - 1]))
		diag_hint(p->env->diags, "a blank keeps a '/' and a '*' behind "
			  "it apart");
	p->pos = p->size;
	if (!p->quiet)
		lang_die(p);
}

bool
lang_skip_blank(struct parser *p)
{
	bool newline = p->pos == p->start;

	while (p->pos < p->size) {
		char c = p->text[p->pos];

		if (c == '\n') {
			newline = true;
			p->pos++;
		} else if (lang_is_blank(c)) {
			p->pos++;
		} else if (at_comment(p, p->pos)) {
			uint32_t end = comment_end(p, p->pos);
			if (!end)
				unclosed_comment(p);
			else
				p->pos = end;
		} else if (at_control(p, p->pos)) {
			lang_control_line(p);
		} else {
			break;
		}
	}
	return newline;
}

uint32_t
lang_after_blank(const struct parser *p, uint32_t pos)
{
	while (pos < p->size) {
		char c = p->text[pos];

		if (c == '\n' || lang_is_blank(c)) {
			pos++;
		} else if (at_comment(p, pos)) {
			uint32_t end = comment_end(p, pos);
			pos = end ? end : p->size;
		} else if (at_control(p, pos)) {
			while (pos < p->size && p->text[pos] != '\n')
				pos++;
		} else {
			break;
		}
	}
	return pos;
}

/* --- Words ---------------------------------------------------------------- */

static int
compare_keyword(const void *name, const void *row)
{
	return strcmp(name, ((const struct keyword *)row)->text);
}

static int
compare_spelling(const void *name, const void *row)
{
	return strcmp(name, ((const struct spelling *)row)->text);
}

static uint8_t
word_kind(const char *name)
{
	const struct keyword *k = bsearch(name, keywords,
		BASE_NELEMS(keywords), sizeof(keywords[0]), compare_keyword);
	if (k)
		return (uint8_t)(T_FIRST_KEYWORD + (k - keywords));
	if (*name != '_')
		return T_IDENT;
	const struct spelling *other = bsearch(name, spellings,
		BASE_NELEMS(spellings), sizeof(spellings[0]),
		compare_spelling);
	return other ? other->kind : T_IDENT;
}

void
lang_make_word(struct parser *p, const char *s, size_t n, struct token *t)
{
	t->name = t->word = lang_intern(p, s, n);
	t->kind = word_kind(t->name);
}

uint32_t
lang_word_end(const struct parser *p, uint32_t pos)
{
	while (lang_is_alpha(lang_char(p, pos)) ||
	       lang_is_digit(lang_char(p, pos)))
		pos++;
	return pos;
}

/* The backquote behind the name of a file that begins here, as in libc.so.6`x, or
 * 0: what is not followed by one has no dots.  "libstdc++" is followed by one. */
static uint32_t
file_end(const struct parser *p, uint32_t pos)
{
	for (;; pos++) {
		char c = lang_char(p, pos);
		if (c == '+' && lang_char(p, pos + 1) == '+' &&
		    lang_char(p, pos + 2) == '.')
			pos++;
		else if (c != '.' && !lang_is_alpha(c) && !lang_is_digit(c))
			return c == '`' ? pos : 0;
	}
}

static bool
bad_word(struct parser *p, uint32_t start, uint32_t end, struct token *t)
{
	t->kind = T_BAD;
	bool told = lang_lex_diag(p, D_SYNTAX, lang_span_at(p, start, end),
				  "syntax error near \"%.*s\"",
				  (int)BASE_MIN(end - start, 40), p->text + start);
	p->panic = !p->quiet;
	return told;
}

/* `sym, mod`sym, or LM0`lib`sym: the name follows the last backquote. */
static void
scan_symbol(struct parser *p, uint32_t start, uint32_t quote, bool is_tag,
	    struct token *t)
{
	enum lang_args args = is_tag ? LANG_ARGS : LANG_ARGS_BEFORE_SCOPE;
	uint32_t end = lang_scoped_end(p, quote + 1, args);

	while (lang_char(p, end) == '`') {
		quote = end;
		end = lang_scoped_end(p, quote + 1, args);
	}
	p->pos = end;
	t->kind = T_SYM;
	t->name = lang_intern(p, p->text + quote + 1, end - quote - 1);
	if (quote > start)
		t->module = lang_intern(p, p->text + start, quote - start);
	if (lang_is_alpha(*t->name) || p->dead)
		return;
	bad_word(p, start, end, t);
}

/* is_tag: behind struct, union or enum. */
static void
scan_word(struct parser *p, bool is_tag, struct token *t)
{
	uint32_t start = p->pos, end = lang_word_end(p, start);

	uint32_t quote = file_end(p, end);
	if (quote) {
		scan_symbol(p, start, quote, is_tag, t);
		return;
	}
	uint32_t scoped = lang_scoped_end(p, start, is_tag ? LANG_ARGS
						: LANG_ARGS_IF_SCOPED);
	end = scoped > end ? scoped : lang_space_end(p, start, end);
	lang_make_word(p, p->text + start, end - start, t);
	lang_space_qualify(p, start, t);
	p->pos = end;
	if (is_tag && lang_char(p, end) == '<' && bad_word(p, start, end + 1, t))
		diag_hint(p->env->diags, "the \"<\" has no \">\" in this line");
}

static void
scan_agg(struct parser *p, struct token *t)
{
	uint32_t start = p->pos + 1, end = start;

	if (lang_is_alpha(lang_char(p, start)))
		end = lang_word_end(p, start);
	t->kind = T_AGG;
	t->name = end > start ? lang_intern(p, p->text + start, end - start) :
		lang_intern(p, "_", 1);
	p->pos = end;
}

/* --- The rest ------------------------------------------------------------- */

/* The longest operator that the text begins with. */
static const struct punct *
find_punct(const struct parser *p)
{
	const struct punct *best = NULL;
	uint32_t left = p->size - p->pos;

	for (size_t i = 0; i < BASE_NELEMS(puncts); i++) {
		const struct punct *q = &puncts[i];
		if (q->text[0] == p->text[p->pos] && q->size <= left &&
		    !memcmp(q->text, p->text + p->pos, q->size) &&
		    (!best || q->size > best->size))
			best = q;
	}
	return best;
}

static bool
closes_pred(const struct parser *p)
{
	if (!p->in_pred || lang_char(p, p->pos) != '/')
		return false;
	uint32_t next = lang_after_blank(p, p->pos + 1);
	return next >= p->size || p->text[next] == '{' || p->text[next] == ';';
}

static void
scan_punct(struct parser *p, struct token *t)
{
	const struct punct *q;

	if (closes_pred(p)) {
		t->kind = T_PRED_END;
		p->pos++;
	} else if ((q = find_punct(p))) {
		t->kind = q->kind;
		p->pos += q->size;
	} else {
		scan_bad(p, t);
	}
}

static void
scan_macro(struct parser *p, struct token *t)
{
	struct macro m;

	if (!lang_read_macro(p, &m)) {
		scan_bad(p, t);
		return;
	}
	t->span = m.span;
	lang_make_macro(p, &m, t);
}

static void
scan_number(struct parser *p, struct token *t)
{
	const char *s = p->text + p->pos;
	uint32_t n = lang_number_size(s, p->size - p->pos);

	t->span = lang_span_at(p, p->pos, p->pos + n);
	lang_make_number(p, s, n, t);
	p->pos += n;
}

static void
scan(struct parser *p, struct token *t)
{
	*t = (struct token){ .name = "", .str = "" };
	t->on_new_line = lang_skip_blank(p);

	uint32_t start = p->pos;
	char c = lang_char(p, start);
	bool is_tag = p->at_tag;
	if (p->pos >= p->size)
		t->kind = T_EOF;
	else if (lang_is_alpha(c))
		scan_word(p, is_tag, t);
	else if (lang_is_digit(c) ||
		 (c == '.' && lang_is_digit(lang_char(p, start + 1))))
		scan_number(p, t);
	else if (c == '"' || c == '\'')
		p->pos += lang_make_quoted(p, p->text + start, p->size - start,
					   start, t);
	else if (c == '$')
		scan_macro(p, t);
	else if (c == '@')
		scan_agg(p, t);
	else if (c == '`')
		scan_symbol(p, start, start, is_tag, t);
	else
		scan_punct(p, t);
	t->span = lang_span_at(p, start, p->pos);
	/* Behind a translator's type `<` is its own. */
	p->at_tag = !p->in_translator &&
		    (t->kind == T_STRUCT || t->kind == T_UNION || t->kind == T_ENUM);
	p->in_translator = t->kind == T_TRANSLATOR;
	if (p->trace && !p->dead && !p->quiet)
		lang_trace_token(p->trace, t);
}

const struct token *
lang_look(struct parser *p, unsigned n)
{
	while (p->nlook <= n && !p->panic && !p->dead) {
		scan(p, &p->look[p->nlook]);
		p->nlook++;
	}
	return p->panic || p->dead ? &p->panic_tok : &p->look[n];
}

const struct token *
lang_peek(struct parser *p)
{
	return lang_look(p, 0);
}

struct token
lang_next(struct parser *p)
{
	struct token t = *lang_peek(p);

	if (p->panic || p->dead)
		return t;
	if (t.kind == T_LBRACE)
		p->braces++;
	else if (t.kind == T_RBRACE && p->braces)
		p->braces--;
	p->nlook--;
	memmove(p->look, p->look + 1, p->nlook * sizeof(p->look[0]));
	p->last = t.span;
	return t;
}

bool
lang_accept(struct parser *p, enum token_kind kind)
{
	if (lang_peek(p)->kind != kind)
		return false;
	lang_next(p);
	return true;
}
