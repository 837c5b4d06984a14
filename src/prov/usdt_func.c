/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The functions that static probes are in.  Of a large library they are few, so where
 * its symbol table names all functions it is read for these alone: a process runs on
 * while the probes of what it has just loaded are made.
 */
#include <stdlib.h>
#include <string.h>

#include "prov/usdt_priv.h"
#include "prov/user_priv.h"
#include "sym/file.h"
#include "util/alloc.h"
#include "util/cleanup.h"

struct naming {
	struct prov_set *s;
	struct usdt_note **notes;	/* by place */
	size_t n;
};

static int
by_place(const void *a, const void *b)
{
	struct usdt_note *const *x = a, *const *y = b;

	return ((*x)->offset > (*y)->offset) - ((*x)->offset < (*y)->offset);
}

/* Functions come by place, so where they overlap the innermost has the last word; and of
 * the names of one the first has. */
static struct err *
on_function(void *ctx, const struct sym_function *f)
{
	struct naming *x = ctx;
	const char *name = NULL;

	for (size_t i = 0; i < x->n && !f->is_alias; i++) {
		if (x->notes[i]->offset - f->offset >= f->size)
			continue;
		if (!name && !(name = arena_strdup(x->s->arena, f->name)))
			return &err_nomem;
		x->notes[i]->func = name;
	}
	return NULL;
}

/* Of all o's notes; without a symbol table none is named. */
static struct err *
name_all(struct prov_set *s, struct prov_object *o)
{
	struct naming x = { .s = s };
	CLEANUP(util_freep) struct usdt_note **notes = NULL;
	CLEANUP(util_freep) uint64_t *places = NULL;
	struct sym_section symtab = { NULL };
	struct usdt_file *f;

	struct err *e = sym_elf_section(o->fd, ".symtab", &symtab);
	sym_section_fini(&symtab);
	if (e)
		return err_only_nomem(e);
	TRY(prov_usdt_file(s, o, &f));
	x.n = f->notes.n;
	notes = util_alloc(x.n * sizeof(*notes));
	places = util_alloc(x.n * sizeof(*places));
	if (!notes || !places)
		return &err_nomem;
	memcpy(notes, f->notes.v, x.n * sizeof(*notes));
	qsort(notes, x.n, sizeof(*notes), by_place);
	for (size_t i = 0; i < x.n; i++) {
		places[i] = notes[i]->offset;
		notes[i]->func = "";
	}
	x.notes = notes;
	/* Some may have no name. */
	return err_only_nomem(sym_elf_walk_at(o->fd, places, x.n, on_function,
					      &x));
}

struct err *
prov_usdt_func(struct prov_set *s, struct prov_object *o, struct usdt_note *n)
{
	const struct prov_ufunc *f;

	if (!n->func && !o->is_listed)
		TRY(name_all(s, o));
	if (n->func)
		return NULL;
	TRY(prov_user_functions(s, o));
	f = prov_user_function_at(o, n->offset);
	bool in = f && (!f->size || n->offset - f->offset < f->size);
	n->func = in && !f->is_unnamed ? f->name : "";
	o->has_places = true;		/* the name is one of those */
	return NULL;
}
