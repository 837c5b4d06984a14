/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A span is only offsets.  Its line is found by reading the source from the
 * start, or from a mark: each action has a line, so that reading from the start
 * would make compiling 10,000 clauses take half a minute.  The reader knows
 * comments and strings, so that a `# 3 "x"` inside one of them is not taken for
 * a control line.
 *
 * Marks stand where no comment, string or control line is open: what the reader
 * knows there does not depend on where it will stop.
 */
#include <string.h>

#include "base/base.h"
#include "lang/lex_priv.h"

enum { MARK_EVERY = 512 };	/* bytes, and then to the end of the string */

struct lang_mark {
	uint32_t pos, bol;
	unsigned line;
	struct base_span file;
};

struct reader {
	const char *text;
	uint32_t pos, end;	/* end: where the span starts */
	uint32_t bol;		/* offset of the line that holds pos */
	unsigned line;
	struct base_span file;
	struct lang_mark *marks;	/* to fill in, or NULL */
	uint32_t nmarks;
};

static void
newline(struct reader *r)
{
	r->line++;
	r->bol = r->pos;
}

static void
read_comment(struct reader *r)
{
	for (r->pos += 2; r->pos < r->end; ) {
		char c = r->text[r->pos++];
		if (c == '\n')
			newline(r);
		else if (c == '/' && r->text[r->pos - 2] == '*')
			return;
	}
}

/* A string or character constant; a newline ends it, closed or not. */
static void
read_quoted(struct reader *r)
{
	char quote = r->text[r->pos++];

	while (r->pos < r->end && r->text[r->pos] != '\n') {
		char c = r->text[r->pos++];
		if (c == quote)
			return;
		if (c == '\\' && r->pos < r->end && r->text[r->pos] != '\n')
			r->pos++;
	}
}

/* After the '#': when it is `line N "file"` or `N "file"`, obey. */
static void
read_line_control(struct reader *r)
{
	uint32_t p = r->pos, end = r->end;
	const char *t = r->text;
	unsigned n = 0;

	while (p < end && lang_is_blank(t[p]))
		p++;
	if (end - p > 4 && !memcmp(t + p, "line", 4))
		for (p += 4; p < end && lang_is_blank(t[p]); )
			p++;
	if (p >= end || t[p] < '0' || t[p] > '9')
		return;
	for (; p < end && t[p] >= '0' && t[p] <= '9'; p++)
		n = n > 100000000 ? n : n * 10 + (unsigned)(t[p] - '0');
	while (p < end && lang_is_blank(t[p]))
		p++;
	uint32_t eol = p;
	while (eol < end && t[eol] != '\n')
		eol++;
	if (eol == end)
		return;		/* the span is on the control line itself */
	if (p < eol && t[p] == '"') {
		const char *close = memchr(t + p + 1, '"', eol - p - 1);
		if (close)
			r->file = (struct base_span){ t + p + 1,
				(size_t)(close - (t + p + 1)) };
	}
	r->line = n;
	r->pos = r->bol = eol + 1;
}

static bool
only_blank_before(const struct reader *r)
{
	for (uint32_t p = r->bol; p < r->pos; p++)
		if (!lang_is_blank(r->text[p]))
			return false;
	return true;
}

static void
mark(struct reader *r)
{
	uint32_t last = r->nmarks ? r->marks[r->nmarks - 1].pos : 0;

	if (r->pos - last >= MARK_EVERY)
		r->marks[r->nmarks++] = (struct lang_mark){ r->pos, r->bol,
							    r->line, r->file };
}

static void
read_lines(struct reader *r)
{
	while (r->pos < r->end) {
		char c = r->text[r->pos];

		if (r->marks)
			mark(r);
		if (c == '\n') {
			r->pos++;
			newline(r);
		} else if (lang_begins_line_comment(r->text, r->pos, r->end)) {
			r->pos = lang_line_end(r->text, r->pos, r->end);
		} else if (c == '/' && r->pos + 1 < r->end &&
			   r->text[r->pos + 1] == '*') {
			read_comment(r);
		} else if (c == '"' || c == '\'') {
			read_quoted(r);
		} else if (c == '#' && only_blank_before(r)) {
			r->pos++;
			read_line_control(r);
		} else {
			r->pos++;
		}
	}
}

static struct reader
at_start(const struct lang_source *src)
{
	struct reader r = { .text = src->text, .line = 1 };

	if (src->name)
		r.file = (struct base_span){ src->name, strlen(src->name) };
	return r;
}

bool
lang_mark_lines(struct lang_source *src, struct arena *a)
{
	struct reader r = at_start(src);
	struct lang_mark *marks = ARENA_ARRAY(a, struct lang_mark,
					      src->size / MARK_EVERY + 1);

	if (!marks)
		return false;
	r.marks = marks;
	r.end = src->size;
	read_lines(&r);
	src->marks = marks;
	src->nmarks = r.nmarks;
	return true;
}

/* Go on from the last mark that is not behind off. */
static void
skip_to_mark(struct reader *r, const struct lang_source *src, uint32_t off)
{
	size_t n = BASE_HOW_MANY(i, src->nmarks, src->marks[i].pos <= off);

	if (!n)
		return;
	const struct lang_mark *m = &src->marks[n - 1];
	r->pos = m->pos;
	r->bol = m->bol;
	r->line = m->line;
	r->file = m->file;
}

void
lang_span_where(struct lang_span s, unsigned *line, unsigned *col,
		struct base_span *file)
{
	struct reader r = { 0 };

	if (s.src) {
		r = at_start(s.src);
		r.end = BASE_MIN(s.off, s.src->size);
		skip_to_mark(&r, s.src, r.end);
		read_lines(&r);
	}
	if (line)
		*line = r.line;
	if (col)
		*col = s.src ? r.end - r.bol + 1 : 0;
	if (file)
		*file = r.file;
}
