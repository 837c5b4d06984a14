/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A program of provider definitions as it travels in a note: as D, since that has
 * all there is to say of types, translators and stability, and whoever can use it
 * has a compiler for it.  A binary form was not made: it would be a second language
 * for types, with versions of its own, to save some hundred bytes.
 *
 * Comments and blanks are left out, and what is for the preprocessor: it has run.
 * A blank stays between two tokens unless one of them is a bracket or separator,
 * which belongs to no longer token.
 */
#include <ctype.h>
#include <string.h>

#include "provide/provide_priv.h"
#include "type/type.h"

/* --- What is there --------------------------------------------------------- */

const char *
provide_first(const struct ast_program *prog)
{
	for (const struct ast_item *it = prog->items; it; it = it->next)
		if (it->kind == AST_ITEM_PROVIDER)
			return it->u.provider->name;
	return NULL;
}

static bool
can_pass(const struct type *t)
{
	return (type_is_scalar(t) && type_size(t) <= 8) || type_is_array(t) ||
		type_is_string(t) || type_is_func(t);
}

static struct err *
check_probe(const struct ast_provider *v, const struct ast_probe_decl *p)
{
	unsigned n = 0;

	for (const struct ast_decl *d = lang_args(p->nargs); d; d = d->next) {
		n++;
		if (!can_pass(d->type))
			return err_new(ERR_INVALID, 0, "provider %s, probe %s: "
				"argument %u is neither an integer nor an enum "
				"nor a pointer", v->name, p->name, n);
	}
	if (n > PROVIDE_NARGS)
		return err_new(ERR_INVALID, 0, "provider %s, probe %s: %u "
			       "arguments; %d are possible", v->name, p->name,
			       n, PROVIDE_NARGS);
	return NULL;
}

struct err *
provide_check(const struct ast_program *prog)
{
	for (const struct ast_item *it = prog->items; it; it = it->next) {
		if (it->kind == AST_ITEM_CLAUSE)
			return err_new(ERR_INVALID, 0, "a file of provider "
				       "definitions cannot trace probes");
		if (it->kind != AST_ITEM_PROVIDER)
			continue;
		const struct ast_provider *v = it->u.provider;
		for (const struct ast_probe_decl *p = v->probes; p; p = p->next)
			TRY(check_probe(v, p));
	}
	return NULL;
}

/* --- The text -------------------------------------------------------------- */

struct squeeze {
	const char *p, *end;
	struct sb *b;
	bool blank;		/* there was one since the last token */
};

static bool
at(const struct squeeze *s, const char *text)
{
	size_t n = strlen(text);

	return (size_t)(s->end - s->p) >= n && memcmp(s->p, text, n) == 0;
}

static char
last(const struct squeeze *s)
{
	return s->b->len ? s->b->p[s->b->len - 1] : '\n';
}

/* Up to what closes a comment, and behind it. */
static void
skip_comment(struct squeeze *s)
{
	for (s->p += 2; s->p < s->end && !at(s, "*/"); s->p++)
		;
	s->p += s->p < s->end ? 2 : 0;
	s->blank = true;
}

/* A line that begins with '#'. */
static void
take_line(struct squeeze *s)
{
	const char *eol = memchr(s->p, '\n', (size_t)(s->end - s->p));
	const char *end = eol ? eol : s->end;
	bool keep = at(s, "#pragma") &&
		!memmem(s->p, (size_t)(end - s->p), "option", 6);

	if (keep) {
		if (last(s) != '\n')
			sb_putc(s->b, '\n');
		sb_putn(s->b, s->p, (size_t)(end - s->p));
		sb_putc(s->b, '\n');
	}
	s->p = eol ? eol + 1 : end;
	s->blank = false;
}

static bool
separates(char c)
{
	return strchr(";,(){}[]\n", c) != NULL;
}

static void
put_char(struct squeeze *s)
{
	if (s->blank && !separates(last(s)) && !separates(*s->p))
		sb_putc(s->b, ' ');
	s->blank = false;
	sb_putc(s->b, *s->p++);
}

static void
take_quoted(struct squeeze *s)
{
	char quote = *s->p;

	put_char(s);
	while (s->p < s->end && *s->p != quote) {
		if (*s->p == '\\' && s->end - s->p > 1)
			sb_putc(s->b, *s->p++);
		sb_putc(s->b, *s->p++);
	}
	if (s->p < s->end)
		sb_putc(s->b, *s->p++);
}

void
provide_text(const struct ast_program *prog, struct sb *b)
{
	struct squeeze s = { prog->src->text,
			     prog->src->text + prog->src->size, b, false };
	bool first = true;		/* of a line */

	while (s.p < s.end) {
		bool starts = first;
		first = *s.p == '\n' || (first && isspace((unsigned char)*s.p));
		if (at(&s, "/*")) {
			skip_comment(&s);
		} else if (*s.p == '#' && starts) {
			take_line(&s);
			first = true;
		} else if (*s.p == '"' || *s.p == '\'') {
			take_quoted(&s);
		} else if (isspace((unsigned char)*s.p)) {
			s.blank = true;
			s.p++;
		} else {
			put_char(&s);
		}
	}
}
