/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Probes on lines of source, FILE@LINE: where the debugging information says that the
 * code of a line begins (sym/lines.h).  FILE is the name of the file without its path,
 * or a pattern; LINE a number, or of one function that is named a pattern, too.
 *
 * A line may have several places, also in one function, and what was inlined has them
 * in the functions around it: the function of the probe is the one whose symbol covers
 * the place.  Pieces of it that were put elsewhere (.cold) count as it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "prov/pid_priv.h"
#include "prov/usertype.h"
#include "sym/file.h"
#include "sym/lines.h"

enum { NAME_SIZE = 4096 };

bool
prov_pid_is_line(const char *name)
{
	return strchr(name, '@');
}

struct walk {
	const struct pid_lines *of;
	struct probe_pattern file, name;
	char file_text[NAME_SIZE];
	unsigned line;			/* 0: a pattern */
	const char *last;		/* the file that was looked at last */
	bool last_fits;
	struct sym_code code;		/* where the last place was */
};

static bool
wants(void *ctx, const char *file, unsigned line)
{
	struct walk *w = ctx;
	char name[NAME_SIZE];

	if (w->line && line != w->line)
		return false;
	if (file != w->last) {
		w->last = file;
		w->last_fits = probe_pattern_match(&w->file,
						   sym_line_base(file));
	}
	if (!w->last_fits || w->line)
		return w->last_fits;
	snprintf(name, sizeof(name), "%s@%u", sym_line_base(file), line);
	return probe_pattern_match(&w->name, name);
}

/* The function that f is a part of; itself where nobody knows. */
static struct prov_ufunc *
whole_of(const struct prov_object *o, struct prov_ufunc *f)
{
	if (!prov_pid_is_part(f))
		return f;
	size_t n = (size_t)(strstr(f->name, ".cold") - f->name);
	for (size_t i = 0; i < o->nfuncs; i++)
		if (!strncmp(o->funcs[i].name, f->name, n) &&
		    !o->funcs[i].name[n] && !o->funcs[i].is_alias)
			return &o->funcs[i];
	return f;
}

static struct err *
on_place(void *ctx, uint64_t addr, const char *file, unsigned line)
{
	struct walk *w = ctx;
	const struct pid_lines *of = w->of;

	if (addr - w->code.addr >= w->code.size &&
	    !sym_elf_code(of->object->fd, addr, &w->code))
		return NULL;
	uint64_t offset = addr - w->code.addr + w->code.offset;
	struct prov_ufunc *f = prov_user_function_at(of->object, offset);
	if (!f || (f->size && offset - f->offset >= f->size))
		return NULL;
	const char *name = arena_printf(of->s->arena, "%s@%u",
					sym_line_base(file), line);
	if (!name)
		return &err_nomem;
	f = whole_of(of->object, f);
	return of->fn(of->ctx, f, offset - f->offset, name);
}

static bool
is_meant(const struct pid_lines *of, struct prov_ufunc *f)
{
	return !f->is_alias && of->is_meant(of->ctx, whole_of(of->object, f));
}

struct err *
prov_pid_lines(const struct pid_lines *of)
{
	struct walk w = { .of = of };
	struct prov_object *o = of->object;
	const char *at = strrchr(of->name, '@');
	struct prov_lines *l;

	TRY(prov_user_lines(of->s, o, &l));
	if (!l->of || l->why || !at)
		return NULL;
	if (at[1] && !at[1 + strspn(at + 1, "0123456789")])
		w.line = (unsigned)strtoul(at + 1, NULL, 10);
	if (!w.line && !of->one_func)
		return NULL;
	snprintf(w.file_text, sizeof(w.file_text), "%.*s",
		 (int)(at - of->name), of->name);
	probe_pattern_init(&w.file, w.file_text);
	probe_pattern_init(&w.name, of->name);
	struct err *e = NULL;
	if (!of->one_func)
		e = sym_lines_walk(l->of, 0, UINT64_MAX, wants, on_place, &w);
	for (size_t i = 0; of->one_func && i < o->nfuncs && !e; i++) {
		struct prov_ufunc *f = &o->funcs[i];
		if (is_meant(of, f))
			e = sym_lines_walk(l->of, f->value,
					   f->value + BASE_MAX(f->size, 1ul),
					   wants, on_place, &w);
	}
	if (e && e->code == ERR_UNSUPPORTED) {
		l->why = arena_printf(of->s->arena, "%s: %s", o->path, e->text);
		err_free(e);
		return l->why ? NULL : &err_nomem;
	}
	return e;
}

/* --- Where the instruction is ------------------------------------------------- */

struct finding {
	uint64_t at;
	bool found;
};

/* An instruction that may not be probed is passed, if it does nothing but go on. */
static bool
look(void *ctx, const struct insn *i)
{
	struct finding *x = ctx;

	if (i->at < x->at)
		return true;
	if (i->at > x->at)
		return false;
	x->found = !i->is_harmful;
	if (i->is_harmful && i->kind == INSN_PLAIN)
		x->at += i->size;
	return !x->found;
}

struct err *
prov_pid_line_at(struct pid *b, const struct prov_object *o, uint64_t *offset,
		 bool *found)
{
	const struct prov_ufunc *f = prov_user_function_at(o, *offset);
	struct finding x = { 0 };
	size_t size, end;

	*found = false;
	if (!f)
		return NULL;
	x.at = *offset - f->offset;
	TRY(prov_pid_code(b, o, f, &size));
	TRY(prov_pid_walk(b, o, size, look, &x, &end));
	*offset = f->offset + x.at;
	*found = x.found;
	return NULL;
}

/* --- What is not there ---------------------------------------------------------- */

struct missing {
	struct prov_set *s;
	const struct probe_desc *d;
	struct probe_matcher m;
	struct probe_pattern file;
	char file_text[NAME_SIZE];
	unsigned line, before, behind;
	bool has_lines, has_file;
	const char *why;		/* an object has no lines */
	const char *last;
	bool last_fits;
};

static bool
near(void *ctx, const char *file, unsigned line)
{
	struct missing *x = ctx;

	if (file != x->last) {
		x->last = file;
		x->last_fits = probe_pattern_match(&x->file,
						   sym_line_base(file));
	}
	if (!x->last_fits)
		return false;
	x->has_file = true;
	if (line < x->line && line > x->before)
		x->before = line;
	if (line > x->line && (!x->behind || line < x->behind))
		x->behind = line;
	return false;
}

static struct err *
never(void *ctx, uint64_t addr, const char *file, unsigned line)
{
	return NULL;
}

static struct err *
look_in(void *ctx, struct prov_object *o)
{
	struct missing *x = ctx;
	struct prov_lines *l;

	TRY(prov_user_lines(x->s, o, &l));
	if (l->why) {
		x->why = x->why ? x->why : l->why;
		return NULL;
	}
	x->has_lines = true;
	if (!*x->d->func)
		return sym_lines_walk(l->of, 0, UINT64_MAX, near, never, x);
	TRY(prov_user_functions(x->s, o));
	for (size_t i = 0; i < o->nfuncs; i++) {
		const struct prov_ufunc *f = &o->funcs[i];
		if (probe_pattern_match(&x->m.func, f->name))
			TRY(sym_lines_walk(l->of, f->value,
					   f->value + BASE_MAX(f->size, 1ul),
					   near, never, x));
	}
	return NULL;
}

struct err *
prov_pid_no_line(struct prov_set *s, const struct probe_desc *d,
		 const struct prov_process *p, struct sb *b)
{
	const char *at = strrchr(d->name, '@');
	struct missing x = { .s = s, .d = d };

	probe_matcher_init(&x.m, d);
	snprintf(x.file_text, sizeof(x.file_text), "%.*s", (int)(at - d->name),
		 d->name);
	probe_pattern_init(&x.file, x.file_text);
	x.line = (unsigned)strtoul(at + 1, NULL, 10);
	if (at == d->name || !at[1] || at[1 + strspn(at + 1, "0123456789")]) {
		sb_printf(b, "a line is FILE@NUMBER; a pattern of lines stands "
			  "for those of one function, by its name");
		return NULL;
	}
	TRY(prov_user_objects(p, &x.m.mod, look_in, &x));
	const char *where = *d->func ? d->func : *d->mod ? d->mod : "the process";
	if (!x.has_lines)
		sb_puts(b, x.why ? x.why : "there is no debugging information");
	else if (!x.has_file)
		sb_printf(b, "nothing in %s was made of a file %s", where,
			  x.file_text);
	else
		sb_printf(b, "line %u of %s is no code of %s", x.line,
			  x.file_text, where);
	if (x.has_file && x.before && x.behind)
		sb_printf(b, "; near are %u and %u", x.before, x.behind);
	else if (x.has_file && (x.before || x.behind))
		sb_printf(b, "; near is %u", x.before ? x.before : x.behind);
	return NULL;
}
