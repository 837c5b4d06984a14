/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Diagnostics: what is wrong with the user's program.  A list grows while the
 * compiler goes on; nothing is printed here.
 */
#ifndef LANG_DIAG_H
#define LANG_DIAG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"
#include "util/arena.h"
#include "util/sb.h"

enum diag_tag {
#define DIAG(TAG) TAG,
#include "lang/diag.def"
#undef DIAG
	DIAG_N
};

/* A text being compiled: a -n argument, a script, a library. */
struct lang_source {
	const char *name;	/* file name, or NULL for a command line */
	const char *text;
	uint32_t size;		/* bytes */
	const struct lang_mark *marks;	/* lang_mark_lines(); may be NULL */
	uint32_t nmarks;
	bool is_library;	/* messages about it name the file */
	bool is_proven;		/* what it defines is looked at where it is used
				 * only: the tests have looked at all of it */
};

/* Note in the arena where lines begin, so that lang_span_where() is quick in a
 * long text, too.  False when out of memory: then it is slow. */
bool lang_mark_lines(struct lang_source *src, struct arena *a);

/* Part of a source.  Lines are counted when someone asks. */
struct lang_span {
	const struct lang_source *src;	/* NULL: nowhere */
	uint32_t off, len;		/* bytes */
};

struct diag {
	struct diag *next;
	enum diag_tag tag;
	struct lang_span span;
	const char *text;	/* one line */
	const char *reason;	/* the part of text that says why, or NULL */
	const char *hint;	/* how to mend it, or NULL */
};

enum { DIAG_MAX = 20 };		/* more are counted, not kept */

struct diag_list {
	struct arena *a;
	struct diag *first, **tail;
	struct diag *last;	/* the newest, NULL when it was not kept */
	unsigned n;		/* all that were reported */
	/* What is odd but no error; not counted in n. */
	struct diag *warnings, **warn_tail;
	unsigned nwarnings;
};

void diag_init(struct diag_list *l, struct arena *a);
/* Report.  Survives lack of memory: n counts all the same. */
void diag(struct diag_list *l, enum diag_tag tag, struct lang_span span,
	  const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* Say that something is odd; the program goes on. */
void diag_warn(struct diag_list *l, enum diag_tag tag, struct lang_span span,
	       const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* Say what the reason is in the text of the last diagnostic; kept as it is. */
void diag_reason(struct diag_list *l, const char *text);
/* Add a hint to the last diagnostic; a second hint replaces the first. */
void diag_hint(struct diag_list *l, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

const char *diag_tag_name(enum diag_tag tag);	/* "D_SYNTAX" */
/* 1-based line and column (bytes) of the start of a span; a `#line` control
 * before it counts, and then *file is that name (borrowed from the source's
 * text, so not NUL-terminated), else src->name.  Any of the three may be NULL.
 * A span nowhere is line 0, column 0. */
void lang_span_where(struct lang_span s, unsigned *line, unsigned *col,
		     struct base_span *file);

/* Does the span stand in another file than the script: one that was included,
 * or a library?  Then *file is its name, borrowed like that of
 * lang_span_where(). */
bool lang_span_elsewhere(struct lang_span s, struct base_span *file);

/*
 * "[TAG] line 3: text" (tag when tags; no "line 1: " for a command line's
 * first line, as spec says), the classic one-line form.  Inside an included
 * file: "[TAG] "file", line 3: text".  No newline.
 */
void diag_print_line(const struct diag *d, bool tags, struct sb *b);
/* For people: the source line, the span underlined with ^~~~, the hint; each
 * ends in a newline. */
void diag_print_source(const struct diag *d, struct sb *b);

/* From the start of a to the end of b. */
struct lang_span lang_span_join(struct lang_span a, struct lang_span b);

#endif
