/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Probe descriptions: runs of characters that are not tokens of anything else,
 * `pid$target:libc.so.6:mem*:entry`.  Macros are inserted as text and join what
 * stands beside them, but may not bring a colon: the fields are those that the
 * program's author wrote.
 */
#include <string.h>

#include "lang/error_priv.h"
#include "lang/lex_priv.h"
#include "lang/syntax_priv.h"

enum { DESC_MAX = 4096 };	/* bytes, macros expanded */

bool
lang_is_desc_char(char c)
{
	return lang_is_alpha(c) || lang_is_digit(c) ||
		(c && strchr("-$:.?*[]!`\\@", c));
}

static bool
insert_macro(struct parser *p, struct sb *text)
{
	struct macro m;

	if (!lang_read_macro(p, &m)) {
		sb_putc(text, p->text[p->pos++]);
		return true;
	}
	if (!m.text) {
		p->panic = true;
		return false;
	}
	if (!strchr(m.text, ':')) {
		sb_puts(text, m.text);
		return true;
	}
	if (lang_lex_diag(p, D_PDESC_INVAL, m.span, "invalid probe "
			  "description: %.*s expands to '%.80s', which has a "
			  "colon", (int)BASE_MIN(m.span.len, 40u),
			  p->text + m.span.off, m.text))
		diag_hint(p->env->diags, "write the colons in the program and "
			  "pass the fields one by one");
	p->panic = true;
	return false;
}

/* How long the path at p->pos is that stands for a process's object, as in
 * `pid$target:/opt/x/libx.so:f:entry`; 0: there is none.  Behind a first colon a '/'
 * may begin a predicate as well, but that has no colon behind what may be a path: one
 * would need a '?' or blanks. */
static uint32_t
path_at(const struct parser *p, const struct sb *text)
{
	const char *colon = strchr(sb_str(text), ':');
	uint32_t n = 0;
	char c;

	if (text->failed || !colon || colon[1] || lang_char(p, p->pos) != '/')
		return 0;
	while (c = lang_char(p, p->pos + n), lang_is_alpha(c) ||
	       lang_is_digit(c) || (c && strchr("/-._+~%=@", c)))
		n++;
	return c == ':' ? n : 0;
}

/* One description at p->pos, perhaps empty. */
static bool
read_text(struct parser *p, struct sb *text)
{
	for (uint32_t path; p->pos < p->size; ) {
		if ((path = path_at(p, text)) > 0)
			for (; path; path--)
				sb_putc(text, p->text[p->pos++]);
		else if (!lang_is_desc_char(p->text[p->pos]))
			break;
		else if (p->text[p->pos] != '$')
			sb_putc(text, p->text[p->pos++]);
		else if (!insert_macro(p, text))
			return false;
	}
	return true;
}

static struct ast_pdesc *
read_desc(struct parser *p)
{
	struct sb text;
	struct ast_pdesc *d = NULL;

	lang_skip_blank(p);
	sb_init(&text, DESC_MAX);
	uint32_t start = p->pos;
	if (!read_text(p, &text) || p->dead)
		goto out;
	if (p->pos == start) {
		int c = lang_char(p, start);
		lang_bad_header(p, c == '}' ?
				"no '{' is open that it could close" :
				"a probe description is expected here", "");
		goto out;
	}
	struct lang_span span = lang_span_at(p, start, p->pos);
	if (text.failed && p->pos - start < DESC_MAX / 2) {
		lang_no_memory(p);
		goto out;
	}
	if (text.failed) {
		diag(p->env->diags, D_PDESC_INVAL, span, "invalid probe "
		     "description: longer than %d characters", DESC_MAX - 1);
		p->panic = true;
		goto out;
	}
	d = LANG_NEW(p, struct ast_pdesc);
	d->text = lang_intern(p, sb_str(&text), text.len);
	d->span = span;
	p->last = span;
	if (p->trace && !p->dead)
		lang_trace_desc(p->trace, d->text);
out:
	sb_fini(&text);
	return d;
}

struct ast_pdesc *
lang_read_descs(struct parser *p)
{
	struct ast_pdesc *first = NULL, **tail = &first;

	for (;;) {
		struct ast_pdesc *d = read_desc(p);
		if (!d || p->dead)
			return NULL;
		*tail = d;
		tail = &d->next;
		lang_skip_blank(p);
		if (lang_char(p, p->pos) != ',')
			return first;
		p->pos++;
	}
}
