/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The list of diagnostics and how they look.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lang/diag.h"

enum {
	SHOWN_MAX = 160,	/* bytes of a source line that are shown */
	TEXT_MAX = 2000,	/* bytes of a diagnostic's text, with its NUL */
};

void
diag_init(struct diag_list *l, struct arena *a)
{
	*l = (struct diag_list){ .a = a };
	l->tail = &l->first;
	l->warn_tail = &l->warnings;
}

static bool
continues_char(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;	/* UTF-8 */
}

/* What a diagnostic quotes may be as long as the program, which nobody reads. */
static void
cut(char *s)
{
	static const char dots[] = "...";
	size_t n = TEXT_MAX - sizeof(dots);

	if (!s || strlen(s) < TEXT_MAX)
		return;
	while (n && continues_char(s[n]))
		n--;
	memcpy(s + n, dots, sizeof(dots));
}

/* It may hold newlines and worse, too: they are shown as the escapes that stand
 * for them.  NULL when out of memory. */
static const char *
one_line(struct arena *a, char *s)
{
	size_t n = 0;

	cut(s);
	for (const char *p = s; p && *p; p++)
		n += iscntrl((unsigned char)*p) != 0;
	if (!n)
		return s;
	char *text = arena_alloc(a, strlen(s) + 3 * n + 1), *to = text;
	for (; text && *s; s++) {
		char letter = base_escape_letter(*s);
		if (!iscntrl((unsigned char)*s))
			*to++ = *s;
		else if (letter)
			to += sprintf(to, "\\%c", letter);
		else
			to += sprintf(to, "\\%03o", (unsigned char)*s);
	}
	return text;
}

/* Put a diagnostic at the end of a list; NULL without memory. */
static struct diag *
append(struct arena *a, struct diag ***tail, enum diag_tag tag,
       struct lang_span span, const char *fmt, va_list ap)
{
	struct diag *d = ARENA_NEW(a, struct diag);

	if (!d)
		return NULL;
	d->text = one_line(a, arena_vprintf(a, fmt, ap));
	if (!d->text)
		return NULL;
	d->tag = tag;
	d->span = span;
	**tail = d;
	*tail = &d->next;
	return d;
}

void
diag(struct diag_list *l, enum diag_tag tag, struct lang_span span,
     const char *fmt, ...)
{
	va_list ap;

	l->last = NULL;
	if (l->n++ >= DIAG_MAX)
		return;
	va_start(ap, fmt);
	l->last = append(l->a, &l->tail, tag, span, fmt, ap);
	va_end(ap);
}

void
diag_warn(struct diag_list *l, enum diag_tag tag, struct lang_span span,
	  const char *fmt, ...)
{
	va_list ap;

	l->last = NULL;
	if (l->nwarnings++ >= DIAG_MAX)
		return;
	va_start(ap, fmt);
	l->last = append(l->a, &l->warn_tail, tag, span, fmt, ap);
	va_end(ap);
}

void
diag_reason(struct diag_list *l, const char *text)
{
	if (l->last)
		l->last->reason = text;
}

void
diag_hint(struct diag_list *l, const char *fmt, ...)
{
	va_list ap;

	if (!l->last)
		return;
	va_start(ap, fmt);
	l->last->hint = one_line(l->a, arena_vprintf(l->a, fmt, ap));
	va_end(ap);
}

const char *
diag_tag_name(enum diag_tag tag)
{
	static const char *const names[DIAG_N] = {
#define DIAG(TAG) #TAG,
#include "lang/diag.def"
#undef DIAG
	};

	return (unsigned)tag < DIAG_N ? names[tag] : "D_UNKNOWN";
}

struct lang_span
lang_span_join(struct lang_span a, struct lang_span b)
{
	if (!a.src)
		return b;
	if (a.src != b.src)
		return a;
	uint32_t off = BASE_MIN(a.off, b.off);
	uint32_t end = BASE_MAX(a.off + a.len, b.off + b.len);
	return (struct lang_span){ .src = a.src, .off = off, .len = end - off };
}

/* --- Printing ------------------------------------------------------------- */

bool
lang_span_elsewhere(struct lang_span s, struct base_span *file)
{
	if (!s.src)
		return false;
	lang_span_where(s, NULL, NULL, file);
	/* Did a #line send us there?  cpp's "<stdin>" is the program itself. */
	if (file->n && file->p[0] != '<' &&
	    !(s.src->name && base_span_is(*file, s.src->name)))
		return true;
	if (!s.src->is_library)
		return false;
	*file = (struct base_span){ s.src->name, strlen(s.src->name) };
	return true;
}

void
diag_print_line(const struct diag *d, bool tags, struct sb *b)
{
	unsigned line;
	struct base_span file;

	if (tags)
		sb_printf(b, "[%s] ", diag_tag_name(d->tag));
	lang_span_where(d->span, &line, NULL, NULL);
	if (lang_span_elsewhere(d->span, &file))
		sb_printf(b, "\"%.*s\", line %u: ", (int)file.n, file.p, line);
	else if (d->span.src && (d->span.src->name || line != 1))
		sb_printf(b, "line %u: ", line);
	sb_puts(b, d->text);
}

/* Of the line that holds s, the part worth showing: [*from, *to). */
static void
shown_part(struct lang_span s, uint32_t *from, uint32_t *to)
{
	const char *t = s.src->text;
	uint32_t off = BASE_MIN(s.off, s.src->size);
	uint32_t a = off, z = off;

	while (a > 0 && t[a - 1] != '\n')
		a--;
	while (z < s.src->size && t[z] != '\n')
		z++;
	if (off - a > SHOWN_MAX / 2)
		for (a = off - SHOWN_MAX / 2; a < off && continues_char(t[a]); )
			a++;
	if (z - a > SHOWN_MAX)
		for (z = a + SHOWN_MAX; z > off && continues_char(t[z]); )
			z--;
	*from = a;
	*to = z;
}

static void
print_underline(struct lang_span s, uint32_t from, uint32_t to, struct sb *b)
{
	const char *t = s.src->text;
	uint32_t off = BASE_MIN(s.off, s.src->size);
	uint32_t end = BASE_MIN(off + s.len, to);

	for (uint32_t i = from; i < off; i++)
		if (!continues_char(t[i]))
			sb_putc(b, t[i] == '\t' ? '\t' : ' ');
	sb_putc(b, '^');
	for (uint32_t i = off + 1; i < end; i++)
		if (!continues_char(t[i]))
			sb_putc(b, '~');
	sb_putc(b, '\n');
}

void
diag_print_source(const struct diag *d, struct sb *b)
{
	if (d->span.src && d->span.src->size) {
		unsigned line;
		uint32_t from, to;

		lang_span_where(d->span, &line, NULL, NULL);
		shown_part(d->span, &from, &to);
		sb_printf(b, "%5u | ", line);
		for (uint32_t i = from; i < to; i++) {
			unsigned char c = (unsigned char)d->span.src->text[i];
			bool odd = (c < ' ' && c != '\t') || c == 0x7f;
			sb_putc(b, odd ? '?' : (char)c);
		}
		sb_puts(b, "\n      | ");
		print_underline(d->span, from, to, b);
	}
	if (d->hint)
		sb_printf(b, "hint: %s\n", d->hint);
}
