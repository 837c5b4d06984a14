/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Objects of BPF programs, joined: what one declares another defines.  Nothing
 * is an ELF file and nothing is copied; joining is a table of functions and one
 * of maps, in which a declaration points at its definition.
 *
 * libbpf's linker and loader are not used for it (doc/decisions/007): they read,
 * write and sort all of the runtime, of which a program uses a tenth, and try
 * out features that we need anyway.
 */
#include <string.h>
#include <unistd.h>

#include "kern/obj_priv.h"
#include "util/alloc.h"

/* --- Joining ---------------------------------------------------------------- */

static struct err *
undefined(const char *what, const char *name)
{
	return err_new(ERR_NOTFOUND, 0, "no object defines %s %s", what, name);
}

static struct err *
join_funcs(struct kern_obj *o)
{
	for (uint32_t i = 0; i < o->nfuncs; i++) {
		struct obj_func *f = &o->funcs[i];
		uint32_t def = i;
		if (!f->f->ninsns)
			for (def = 0; def < o->nfuncs; def++)
				if (o->funcs[def].f->ninsns &&
				    o->funcs[def].f->nargs == f->f->nargs &&
				    !strcmp(o->funcs[def].f->name, f->f->name))
					break;
		if (def == o->nfuncs)
			return undefined("function", f->f->name);
		f->def = def;
	}
	return NULL;
}

static struct err *
join_maps(struct kern_obj *o)
{
	for (uint32_t i = 0; i < o->nmaps; i++) {
		struct obj_map *m = &o->maps[i];
		uint32_t def = i;
		if (!m->m.type)
			for (def = 0; def < o->nmaps; def++)
				if (o->maps[def].m.type &&
				    !strcmp(o->maps[def].m.name, m->m.name))
					break;
		if (def == o->nmaps)
			return undefined("map", m->m.name);
		m->def = def;
	}
	return NULL;
}

static void
add(struct kern_obj *o, const struct abi_obj *from)
{
	uint32_t func = o->nfuncs, map = o->nmaps;

	for (uint32_t i = 0; i < from->nfuncs; i++) {
		const struct abi_func *f = &from->funcs[i];
		o->funcs[o->nfuncs++] = (struct obj_func){
			.f = f, .from = from, .func0 = func, .map0 = map,
			.fd = -1, .load = obj_is_prog(f) && !f->optional };
	}
	for (uint32_t i = 0; i < from->nmaps; i++)
		o->maps[o->nmaps++] = (struct obj_map){
			.m = from->maps[i], .fd = -1 };
}

struct err *
kern_obj_open(const struct abi_obj *const *objs, unsigned n,
	      struct kern_obj **ret)
{
	uint32_t nfuncs = 0, nmaps = 0;
	struct kern_obj *o = util_zalloc(sizeof(*o));

	if (!o)
		return &err_nomem;
	for (unsigned i = 0; i < n; i++) {
		nfuncs += objs[i]->nfuncs;
		nmaps += objs[i]->nmaps;
	}
	o->btf = -1;
	o->funcs = util_alloc((nfuncs + 1) * sizeof(*o->funcs));
	o->maps = util_alloc((nmaps + 1) * sizeof(*o->maps));
	struct err *e = o->funcs && o->maps ? NULL : &err_nomem;
	for (unsigned i = 0; i < n && !e; i++)
		add(o, objs[i]);
	if (!e)
		e = join_funcs(o);
	if (!e)
		e = join_maps(o);
	if (e)
		kern_obj_close(o);
	else
		*ret = o;
	return e;
}

void
kern_obj_close(struct kern_obj *o)
{
	if (!o)
		return;
	for (uint32_t i = 0; i < o->nfuncs; i++)
		if (o->funcs[i].fd >= 0)
			close(o->funcs[i].fd);
	for (uint32_t i = 0; i < o->nmaps; i++)
		if (o->maps[i].fd >= 0)
			close(o->maps[i].fd);
	if (o->btf >= 0)
		close(o->btf);
	vec_fini(&o->parts);
	util_free(o->funcs);
	util_free(o->maps);
	util_free(o);
}

/* --- Settings --------------------------------------------------------------- */

static struct obj_map *
lookup_map(const struct kern_obj *o, const char *name)
{
	for (uint32_t i = 0; i < o->nmaps; i++)
		if (o->maps[i].m.type && !strcmp(o->maps[i].m.name, name))
			return &o->maps[i];
	return NULL;
}

static struct err *
find_map(struct kern_obj *o, const char *name, struct obj_map **ret)
{
	*ret = lookup_map(o, name);
	return *ret ? NULL : err_new(ERR_NOTFOUND, 0, "no map %s", name);
}

static struct obj_func *
find_prog(const struct kern_obj *o, const char *name)
{
	for (uint32_t i = 0; i < o->nfuncs; i++)
		if (obj_is_prog(o->funcs[i].f) &&
		    !strcmp(o->funcs[i].f->name, name))
			return &o->funcs[i];
	return NULL;
}

struct err *
kern_obj_set_map(struct kern_obj *o, const char *map, uint32_t value_size,
		 uint32_t entries)
{
	struct obj_map *m;

	TRY(find_map(o, map, &m));
	if (value_size)
		m->m.value_size = value_size;
	if (entries)
		m->m.entries = entries;
	return NULL;
}

struct err *
kern_obj_set_sparse(struct kern_obj *o, const char *map)
{
	struct obj_map *m;

	TRY(find_map(o, map, &m));
	m->m.flags |= BPF_F_NO_PREALLOC;
	return NULL;
}

struct err *
kern_obj_set_initial(struct kern_obj *o, const char *map, const void *bytes)
{
	struct obj_map *m;

	TRY(find_map(o, map, &m));
	m->m.data = bytes;
	return NULL;
}

struct err *
kern_obj_need_map(struct kern_obj *o, const char *map)
{
	struct obj_map *m;

	TRY(find_map(o, map, &m));
	m->needed = true;
	return NULL;
}

struct err *
kern_obj_use_prog(struct kern_obj *o, const char *prog)
{
	struct obj_func *f = find_prog(o, prog);

	if (!f)
		return err_new(ERR_NOTFOUND, 0, "no program %s", prog);
	f->load = true;
	return NULL;
}

struct err *
kern_obj_set_btf(struct kern_obj *o, const char *prog, uint32_t id, int module)
{
	struct obj_func *f = find_prog(o, prog);

	if (!f)
		return err_new(ERR_NOTFOUND, 0, "no program %s", prog);
	f->btf_id = id;
	f->btf_module = module;
	return NULL;
}

bool
kern_obj_turned(const struct kern_obj *o)
{
	return o->turned;
}

int
kern_obj_map(struct kern_obj *o, const char *name)
{
	const struct obj_map *m = lookup_map(o, name);

	return m ? m->fd : -1;
}

int
kern_obj_prog(struct kern_obj *o, const char *name)
{
	const struct obj_func *f = find_prog(o, name);

	return f ? f->fd : -1;
}
