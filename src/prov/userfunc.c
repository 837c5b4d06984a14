/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The functions of the files that processes execute: those of the symbol tables, and
 * of a file without one those that the unwinding table knows.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "prov/user_priv.h"
#include "prov/userreloc.h"
#include "sym/file.h"
#include "unwind/unwind.h"
#include "util/cleanup.h"

struct prov_ufunc *
prov_user_function_at(const struct prov_object *o, uint64_t offset)
{
	assert(o->is_listed);
	size_t n = BASE_HOW_MANY(i, o->nfuncs, o->funcs[i].offset <= offset);

	while (n > 1 && o->funcs[n - 1].is_alias)
		n--;
	assert(!n || o->funcs[n - 1].offset <= offset);
	return n ? &o->funcs[n - 1] : NULL;
}

struct listing {
	struct prov_set *s;
	struct prov_object *o;
	VEC(struct prov_ufunc) all;
	size_t nnamed;			/* the first of them have names */
	struct sym_code code;		/* where the last one was */
	struct { uint64_t addr, size; } plt[3];
	struct err *err;
};

static struct err *
on_function(void *ctx, const struct sym_function *f)
{
	struct listing *l = ctx;
	struct prov_ufunc u = {
		.name = arena_strdup(l->o->list, f->name),
		.object = l->o, .value = f->value, .size = f->size,
		.offset = f->offset, .is_alias = f->is_alias,
		.is_resolver = f->is_resolver,
	};

	return u.name && vec_push(&l->all, u) ? NULL : &err_nomem;
}

static int
by_place(const void *a, const void *b)
{
	const struct prov_ufunc *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return x->is_alias - y->is_alias;
}

/* Does a function with a name cover it?  They seldom overlap. */
static bool
is_named(const struct listing *l, uint64_t offset)
{
	assert(l->nnamed <= l->all.n);
	size_t n = BASE_HOW_MANY(i, l->nnamed, l->all.v[i].offset <= offset);

	for (size_t i = n; i && n - i < 4; i--)
		if (offset - l->all.v[i - 1].offset <
		    BASE_MAX(l->all.v[i - 1].size, (uint64_t)1))
			return true;
	return false;
}

static bool
is_plt(const struct listing *l, uint64_t addr)
{
	return BASE_ANY(i, BASE_NELEMS(l->plt),
			addr - l->plt[i].addr < l->plt[i].size);
}

/* A function of which only the unwinding table knows: it is called by its address. */
static void
on_unnamed(void *ctx, uint64_t addr, uint64_t size, bool is_called)
{
	struct listing *l = ctx;

	if (!is_called || l->err || is_plt(l, addr))
		return;
	if (addr - l->code.addr >= l->code.size &&
	    !sym_elf_code(l->o->fd, addr, &l->code))
		return;
	struct prov_ufunc u = {
		.object = l->o, .value = addr, .size = size, .is_unnamed = true,
		.offset = addr - l->code.addr + l->code.offset,
	};
	if (is_named(l, u.offset))
		return;
	u.name = arena_printf(l->o->list, PROV_NAMELESS "%llx", (unsigned long long)addr);
	if (!u.name || !vec_push(&l->all, u))
		l->err = &err_nomem;
}

static bool
section(int fd, const char *name, uint64_t *addr, uint64_t *size)
{
	struct sym_section x = { NULL };
	struct err *e = sym_elf_place(fd, name, &x);
	bool is = !e;

	err_free(e);
	*addr = x.addr;
	*size = x.size;
	return is;
}

/* A file with a .symtab has names for all. */
static struct err *
list_unnamed(struct listing *l)
{
	static const char *const plts[] = { ".plt", ".plt.got", ".plt.sec" };
	uint64_t addr, size;

	if (section(l->o->fd, ".symtab", &addr, &size))
		return NULL;
	for (size_t i = 0; i < BASE_NELEMS(plts); i++)
		section(l->o->fd, plts[i], &l->plt[i].addr, &l->plt[i].size);
	l->nnamed = l->all.n;
	struct err *e = err_only_nomem(unwind_file_functions(l->o->fd,
							     on_unnamed, l));
	if (l->all.n > l->nnamed)
		qsort(l->all.v, l->all.n, sizeof(*l->all.v), by_place);
	return e ? e : l->err;
}

struct err *
prov_user_functions(struct prov_set *s, struct prov_object *o)
{
	struct listing l = { .s = s, .o = o };

	if (o->is_listed)
		return NULL;
	if (!o->list)
		o->list = arena_new();
	if (!o->list)
		return &err_nomem;
	struct err *e = sym_elf_walk(o->fd, o->path, on_function, &l);
	if (!e || e->code != ERR_NOMEM) {
		struct err *more = list_unnamed(&l);
		if (more) {
			err_free(e);
			e = more;
		}
	}
	if (!e || e->code != ERR_NOMEM) {
		o->partly = e ? arena_strdup(o->list, e->text) : NULL;
		o->nfuncs = l.all.n;
		o->funcs = l.all.n ? arena_memdup(o->list, l.all.v,
			l.all.n * sizeof(*l.all.v)) : NULL;
		o->is_listed = true;
		err_free(e);
		e = l.all.n && !o->funcs ? &err_nomem : NULL;
	}
	vec_fini(&l.all);
	return e ? e : prov_user_relocations(o);
}

void
prov_object_forget_functions(struct prov_object *o)
{
	arena_free(o->list);
	o->list = NULL;
	o->funcs = NULL;
	o->nfuncs = 0;
	o->partly = NULL;
	o->is_listed = false;
	vec_fini(&o->changed);
}

void
prov_user_plain(struct prov_set *s, struct prov_ufunc *f)
{
	/* What a resolver has chosen may lie where nothing is listed. */
	struct arena *a = f->object->list ? f->object->list : s->arena;

	if (f->has_plain)
		return;
	f->has_plain = true;
	CLEANUP(util_freep) char *text = sym_demangle(f->name);
	if (!text)
		return;
	f->plain = arena_strdup(a, text);
	const char *end = strchr(text, '(');
	if (end && end > text)
		f->bare = arena_strndup(a, text, (size_t)(end - text));
}

bool
prov_user_is_go(struct prov_object *o)
{
	enum { FLAGS = 15, HAS_TEXT = 2 };	/* of the section; its version follows */
	struct sym_section x = { NULL };

	if (o->go == PROV_GO_UNKNOWN) {
		struct err *e = sym_elf_section(o->fd, ".go.buildinfo", &x);
		const uint8_t *info = x.data;
		o->go = !e && x.size > FLAGS && info[FLAGS] & HAS_TEXT ?
			PROV_GO_YES : PROV_GO_NO;
		sym_section_fini(&x);
		err_free(e);
	}
	return o->go == PROV_GO_YES;
}
