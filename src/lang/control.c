/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Lines that begin with '#'.  They may stand anywhere between two tokens, so a
 * pragma inside a clause comes before that clause in the tree.  #line needs no
 * work here: line.c finds it when it counts lines.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "lang/lex_priv.h"
#include "lang/syntax_priv.h"

enum { WORDS_MAX = 16 };

struct line {
	struct lang_span span;	/* from the '#' to the last word */
	uint32_t rest;		/* offset behind the first word */
	const char *words[WORDS_MAX];
	unsigned nwords;	/* may exceed WORDS_MAX: not kept */
};

void
lang_add_item(struct parser *p, struct ast_item *item)
{
	*p->item_tail = item;
	p->item_tail = &item->next;
}

/* Copy the word at p->pos, without quotes, and step over it. */
static const char *
read_word(struct parser *p)
{
	uint32_t start = p->pos;
	char quote = '\0';
	struct sb word;

	sb_init(&word, (size_t)p->size - start + 1);
	for (; p->pos < p->size && p->text[p->pos] != '\n'; p->pos++) {
		char c = p->text[p->pos];
		if (!quote && (lang_is_blank(c) ||
			       (c == '/' && lang_char(p, p->pos + 1) == '*')))
			break;
		if (c == '"')
			quote = quote ? '\0' : c;
		else
			sb_putc(&word, c);
	}
	if (word.failed)
		lang_no_memory(p);
	const char *name = lang_intern(p, sb_str(&word), word.len);
	sb_fini(&word);
	return name;
}

/* Step over blanks and the comments that end on this line; false at a comment
 * that does not, or at the end of the line. */
static bool
skip_in_line(struct parser *p)
{
	while (p->pos < p->size && p->text[p->pos] != '\n') {
		if (lang_is_blank(p->text[p->pos])) {
			p->pos++;
			continue;
		}
		if (lang_begins_line_comment(p->text, p->pos, p->size))
			return false;
		if (p->text[p->pos] != '/' || lang_char(p, p->pos + 1) != '*')
			return true;
		uint32_t q = p->pos + 2;
		while (q < p->size && p->text[q] != '\n' &&
		       !(p->text[q] == '*' && lang_char(p, q + 1) == '/'))
			q++;
		if (lang_char(p, q) != '*')
			return false;
		p->pos = q + 2;
	}
	return false;
}

static void
read_line(struct parser *p, struct line *l)
{
	uint32_t start = p->pos++, end = p->pos;

	*l = (struct line){ .rest = p->pos };
	while (skip_in_line(p)) {
		const char *word = read_word(p);
		if (l->nwords < WORDS_MAX)
			l->words[l->nwords] = word;
		if (l->nwords++ == 0)
			l->rest = p->pos;
		end = p->pos;
	}
	l->span = lang_span_at(p, start, end);
}

/* --- #pragma -------------------------------------------------------------- */

static void
add_pragma(struct parser *p, const char *const *words, unsigned n,
	   struct lang_span span)
{
	struct ast_item *item = LANG_NEW(p, struct ast_item);
	struct ast_pragma *pragma = LANG_NEW(p, struct ast_pragma);

	pragma->words = arena_memdup(p->env->a, words, n * sizeof(*words));
	pragma->nwords = n;
	pragma->span = span;
	if (!pragma->words || p->dead) {
		lang_no_memory(p);
		return;
	}
	item->kind = AST_ITEM_PRAGMA;
	item->u.pragma = pragma;
	lang_add_item(p, item);
}

/* One of push, pop, and a number, or what else stands between the parentheses
 * of #pragma pack. */
static void
pack_word(struct parser *p, const char *word, size_t n)
{
	if (n == 4 && !memcmp(word, "push", n)) {
		if (p->npacks < BASE_NELEMS(p->packs))
			p->packs[p->npacks] = p->pack;
		p->npacks++;
	} else if (n == 3 && !memcmp(word, "pop", n) && p->npacks) {
		if (--p->npacks < BASE_NELEMS(p->packs))
			p->pack = p->packs[p->npacks];
	} else if (lang_is_digit(*word)) {
		long v = strtol(word, NULL, 10);
		if (v <= 16 && !(v & (v - 1)))
			p->pack = (uint16_t)v;
	}
}

/* #pragma pack(1), pack(push, 1), pack(pop), pack(): a limit to alignments from
 * here on. */
static void
pragma_pack(struct parser *p, const struct line *l)
{
	bool any = false;

	for (unsigned i = 1; i < BASE_MIN(l->nwords, WORDS_MAX); i++) {
		const char *w = l->words[i] + (i == 1 ? 4 : 0);
		while (*(w += strspn(w, "(,)"))) {
			size_t n = strcspn(w, "(,)");
			pack_word(p, w, n);
			any = true;
			w += n;
		}
	}
	if (!any)
		p->pack = 0;
}

/* Does nothing but blanks follow? */
static bool
is_last_line(const struct parser *p)
{
	uint32_t at = p->pos;

	while (at < p->size && (lang_is_blank(p->text[at]) ||
				p->text[at] == '\n'))
		at++;
	return at >= p->size;
}

static void
control_pragma(struct parser *p, const struct line *l)
{
	const char *const *words = l->words + 2;
	unsigned n = l->nwords - 2;

	if (l->nwords >= 2 && (!strcmp(l->words[1], "pack") ||
			       !strncmp(l->words[1], "pack(", 5)))
		pragma_pack(p, l);
	if (l->nwords < 2 && is_last_line(p))
		lang_lex_diag(p, D_PRAGMA_MALFORM, l->span, "malformed "
			      "#pragma: nothing follows");
	if (l->nwords < 2 || strcmp(l->words[1], "D"))
		return;		/* for some other program */
	bool option = n && !strcmp(words[0], "option");
	if (n == 0 || l->nwords > WORDS_MAX) {
		lang_lex_diag(p, D_PRAGMA_MALFORM, l->span, "malformed #pragma "
			      "D: %s", n ? "too many words" : "nothing follows");
		return;
	}
	if (option && n != 2) {
		lang_lex_diag(p, D_PRAGMA_MALFORM, l->span, "malformed #pragma "
			      "D option: NAME or NAME=VALUE expected");
		return;
	}
	add_pragma(p, words, n, l->span);
	if (option && !p->dead && p->env->on_option)
		p->env->on_option(p->env->ctx, words[1], l->span);
}

/* --- The others ----------------------------------------------------------- */

static void
control_error(struct parser *p, const struct line *l)
{
	uint32_t end = l->span.off + l->span.len, from = l->rest;

	while (from < end && lang_is_blank(p->text[from]))
		from++;
	lang_lex_diag(p, D_PRAGERR, l->span, "#error: %.*s",
		      (int)BASE_MIN(end - from, 200), p->text + from);
}

static bool
all_digits(const char *s)
{
	return *s && strspn(s, "0123456789") == strlen(s);
}

static void
control_line_number(struct parser *p, const struct line *l)
{
	unsigned at = !strcmp(l->words[0], "line");

	if (l->nwords <= at || !all_digits(l->words[at]))
		lang_lex_diag(p, D_PRAGCTL_INVAL, l->span, "invalid #line: a "
			      "number and perhaps a file name expected");
}

static bool
is_of_cpp(const char *word)
{
	static const char *const cpp[] = {
		"define", "undef", "include", "include_next", "if", "ifdef",
		"ifndef", "elif", "else", "endif", "warning",
	};

	return BASE_ANY(i, BASE_NELEMS(cpp), !strcmp(word, cpp[i]));
}

/* What is of cpp needs cpp, and without it nothing behind means what it should;
 * the rest is a comment of other languages. */
static void
unknown(struct parser *p, const struct line *l)
{
	bool cpp = is_of_cpp(l->words[0]);

	if (lang_lex_diag(p, D_PRAGCTL_INVAL, l->span, "invalid control "
			  "directive: #%.40s", l->words[0]))
		diag_hint(p->env->diags, "%s", cpp ?
			  "-C runs the C preprocessor first" :
			  "comments are written /* like this */ or // like this");
	if (cpp)
		lang_die(p);
}

static void
control_ignored(struct parser *p, const struct line *l)
{
}

void
lang_control_line(struct parser *p)
{
	static const struct {
		const char *name;
		void (*obey)(struct parser *, const struct line *);
	} controls[] = {
		{ "error", control_error },
		{ "ident", control_ignored },
		{ "line", control_line_number },
		{ "pragma", control_pragma },
	};
	struct line l;

	read_line(p, &l);
	if (l.nwords == 0 || p->dead)
		return;
	for (size_t i = 0; i < BASE_NELEMS(controls); i++) {
		if (!strcmp(l.words[0], controls[i].name)) {
			controls[i].obey(p, &l);
			return;
		}
	}
	if (all_digits(l.words[0]))
		control_line_number(p, &l);
	else
		unknown(p, &l);
}
