/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Lines to addresses: where the code of a line begins.
 *
 * The table of lines has a row where a statement begins, and rows for pieces of it that
 * were moved, which are marked as no statements; in between come the rows of what was
 * inlined.  A place is
 *
 *  1. a row that begins a statement, the first such of a run of rows of that line, and
 *  2. not where the function only goes on with the line after what was inlined: there
 *     the address before lies in the same function, or the same copy of one that was
 *     inlined, and is of that line, too, which has had a place before.
 *
 * So a line that was inlined three times has three places, the head of a loop one for
 * each of its parts, and a call with its arguments one.
 */
#include <string.h>

#include "sym/lines_priv.h"

struct row {
	uint64_t addr;
	const char *file;
	unsigned line;
	bool is_statement, is_end;	/* is_end: code ends before it */
};

struct walk {
	struct sym_lines *l;
	uint64_t from, to;
	sym_wants_line_fn *wants;
	sym_line_place_fn *fn;
	void *ctx;
	struct hash *had;	/* struct copy: it has had a place */
};

/* A line of one function, or of one copy. */
struct copy {
	const void *id;
	const char *file;
	uint64_t line;
};

static bool
is_line(const struct row *r, const char *file, unsigned line)
{
	return r->line == line && r->file && file &&
	       (r->file == file || strcmp(r->file, file) == 0);
}

static bool
read_row(const struct libdw *lib, Dwarf_Lines *rows, size_t i, struct row *ret)
{
	Dwarf_Line *row = lib->dwarf_onesrcline(rows, i);
	Dwarf_Addr addr;
	int line;

	if (!row || lib->dwarf_lineaddr(row, &addr) ||
	    lib->dwarf_lineno(row, &line) ||
	    lib->dwarf_lineendsequence(row, &ret->is_end) ||
	    lib->dwarf_linebeginstatement(row, &ret->is_statement))
		return false;
	ret->addr = addr;
	ret->line = line > 0 ? (unsigned)line : 0;
	ret->file = lib->dwarf_linesrc(row, NULL, NULL);
	return true;
}

/* Whose the row is; NULL: unknown. */
static const void *
owner(const struct sym_known *at, const struct row *r)
{
	for (size_t i = 0; at && i < at->n; i++)
		if (is_line(r, at->v[i].file, at->v[i].line))
			return at->ids[i];
	return NULL;
}

/* 2 */
static bool
goes_on(struct sym_lines *l, const struct row *r, const void *id)
{
	const struct sym_known *before = sym_lines_known(l, r->addr - 1);

	for (size_t k = 0; before && k < before->n; k++)
		if (before->ids[k] == id)
			return is_line(r, before->v[k].file, before->v[k].line);
	return false;
}

static struct err *
offer(const struct walk *w, const struct row *r)
{
	const struct copy key = { owner(sym_lines_known(w->l, r->addr), r),
				  r->file, r->line };
	void **had = key.id ? hash_ref(w->had, &key, sizeof(key)) : NULL;

	if (key.id && !had)
		return &err_nomem;
	if (had && *had && goes_on(w->l, r, key.id))
		return NULL;
	if (had)
		*had = w->l;
	return w->fn(w->ctx, r->addr, r->file, r->line);
}

/* Places of one address are told last first: what is attached last to an address is
 * what the kernel runs first. */
typedef VEC(struct row) row_list;

static struct err *
flush(const struct walk *w, row_list *same)
{
	struct err *e = NULL;

	while (same->n && !e)
		e = offer(w, &same->v[--same->n]);
	return e;
}

static struct err *
walk_rows(const struct walk *w, struct unit *u, row_list *same)
{
	struct row r = { 0 }, before = { .is_end = true };
	const struct libdw *lib = w->l->lib;
	bool has_begun = false;
	Dwarf_Lines *rows;
	size_t n;

	if (lib->dwarf_getsrclines(&u->lines, &rows, &n))
		return NULL;
	for (size_t i = 0; i < n; i++, before = r) {
		if (!read_row(lib, rows, i, &r))
			continue;
		if (before.is_end || !is_line(&r, before.file, before.line))
			has_begun = false;
		if (r.is_end || !r.is_statement || has_begun || !r.line ||
		    !r.file)
			continue;
		has_begun = true;
		if (same->n && same->v[0].addr != r.addr)
			TRY(flush(w, same));
		if (r.addr >= w->from && r.addr < w->to &&
		    w->wants(w->ctx, r.file, r.line) && !vec_push(same, r))
			return &err_nomem;
	}
	return flush(w, same);
}

static struct err *
walk_unit(const struct walk *w, struct unit *u)
{
	row_list same = { 0 };
	struct err *e = walk_rows(w, u, &same);

	vec_fini(&same);
	return e;
}

static struct err *
walk(const struct walk *w)
{
	struct sym_lines *l = w->l;

	for (size_t k = 0; k < l->units.n; k++)
		l->units.v[k].is_walked = false;
	for (size_t i = 0; i < l->spans.n; i++) {
		const struct span *s = &l->spans.v[i];
		struct unit *u = &l->units.v[s->unit];
		if (s->to <= w->from || s->from >= w->to || u->is_walked)
			continue;
		u->is_walked = true;
		TRY(walk_unit(w, u));
	}
	return NULL;
}

struct err *
sym_lines_walk(struct sym_lines *l, uint64_t from, uint64_t to,
	       sym_wants_line_fn *wants, sym_line_place_fn *fn, void *ctx)
{
	struct hash had = { 0 };
	const struct walk w = { l, from, to, wants, fn, ctx, &had };

	sym_lines_read(l);
	if (!l->dwarf)
		return err_new(ERR_UNSUPPORTED, 0, "its debugging information "
			       "cannot be read");
	struct err *e = walk(&w);
	hash_fini(&had);
	return e;
}
