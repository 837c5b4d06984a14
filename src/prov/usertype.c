/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Types of processes.  An object's are read from its DWARF, or without that from its
 * BTF, or CTF, when it is first asked about; one that cannot be read has none, and why is
 * kept for who has looked for something in vain.
 */
#include <assert.h>
#include <elf.h>
#include <string.h>

#include "btftypes/btftypes.h"
#include "dwarftypes/dwarftypes.h"
#include "prov/user_priv.h"
#include "prov/usertype.h"
#include "sym/file.h"
#include "sym/lines.h"
#include "util/cleanup.h"

/* What is known of an object's types. */
struct prov_types {
	struct dwarftypes *dwarf;	/* or */
	struct btftypes *btf;		/* of: */
	struct sym_section section;
	const char *why;		/* or neither; in the set's arena */
};

void
prov_types_free(struct prov_types *t)
{
	if (!t)
		return;
	dwarftypes_free(t->dwarf);
	btftypes_free(t->btf);
	sym_section_fini(&t->section);
	util_free(t);
}

/* --- Objects ---------------------------------------------------------------- */

static struct err *
as_btf(struct prov_set *s, struct prov_object *o, struct prov_types *t)
{
	TRY(btftypes_new(s->arena, t->section.data, t->section.size, NULL,
			 o->name, &t->btf));
	btftypes_of_process(t->btf);
	return NULL;
}

static struct err *
open_btf(struct prov_set *s, struct prov_object *o, struct prov_types *t)
{
	TRY(sym_elf_section(o->fd, ".BTF", &t->section));
	return as_btf(s, o, t);
}

/* As BTF from then on.  ERR_NOTFOUND: there is none. */
static struct err *
open_ctf(struct prov_set *s, struct prov_object *o, struct prov_types *t)
{
	static const char *const sections[2][2] = {
		{ ".symtab", ".strtab" }, { ".dynsym", ".dynstr" },
	};
	CLEANUP(sym_section_fini) struct sym_section ctf = { NULL };
	CLEANUP(sym_section_fini) struct sym_section symbols = { NULL };
	CLEANUP(sym_section_fini) struct sym_section names = { NULL };
	TRY(sym_elf_section(o->fd, ".ctf", &ctf));
	const char *const *of =
		sections[btftypes_ctf_is_dynamic(ctf.data, ctf.size)];
	struct err *e = sym_elf_section(o->fd, of[0], &symbols);

	if (!e)
		e = sym_elf_section(o->fd, of[1], &names);
	TRY(err_only_nomem(e));
	TRY(btftypes_from_ctf(&(struct btftypes_ctf){
		.types = ctf.data, .types_size = ctf.size,
		.symbols = symbols.data, .symbols_size = symbols.size,
		.symbol_size = sizeof(Elf64_Sym),
		.names = names.data, .names_size = names.size,
	}, &t->section.data, &t->section.size));
	return as_btf(s, o, t);
}

static struct err *
open_types(struct prov_set *s, struct prov_object *o, struct prov_types *t)
{
	struct err *e = dwarftypes_open(s->arena, o->fd, o->path, o->name,
					&t->dwarf);
	if (!e || e->code == ERR_NOMEM)
		return e;
	t->why = arena_strdup(s->arena, e->text);
	err_free(e);
	/* In the others a pointer is as wide as ours, to whoever reads them. */
	if (o->is_32)
		return t->why ? NULL : &err_nomem;
	e = open_btf(s, o, t);
	if (!e || e->code == ERR_NOMEM)
		return e;
	err_free(e);
	sym_section_fini(&t->section);
	e = open_ctf(s, o, t);
	if (!e || e->code == ERR_NOMEM)
		return e;
	if (e->code != ERR_NOTFOUND)
		t->why = arena_printf(s->arena, "%s: %s", o->path, e->text);
	err_free(e);
	return t->why ? NULL : &err_nomem;
}

void
prov_lines_free(struct prov_lines *l)
{
	if (l)
		sym_lines_free(l->of);
	util_free(l);
}

struct err *
prov_user_lines(struct prov_set *s, struct prov_object *o,
		struct prov_lines **ret)
{
	*ret = o->lines;
	if (*ret)
		return NULL;
	struct prov_lines *l = util_zalloc(sizeof(*l));
	if (!l)
		return &err_nomem;
	struct err *e = sym_lines_open(o->fd, o->path, NULL, true, &l->of);
	if (e && e->code != ERR_NOMEM) {
		l->why = arena_strdup(s->arena, e->text);
		err_free(e);
		e = l->why ? NULL : &err_nomem;
	}
	if (e)
		prov_lines_free(l);
	else
		*ret = o->lines = l;
	return e;
}

static struct err *
need_types(struct prov_set *s, struct prov_object *o)
{
	if (o->types)
		return NULL;
	struct prov_types *t = util_zalloc(sizeof(*t));
	struct err *e = t ? open_types(s, o, t) : &err_nomem;
	if (e) {
		prov_types_free(t);
		return e;
	}
	o->types = t;
	return NULL;
}

static bool
is_called(const struct prov_process *p, const struct prov_object *o,
	  const char *module)
{
	const char *name = module ? o->name : NULL;

	for (unsigned i = 0; name; name = prov_object_alias(p, o, i++))
		if (!strcmp(name, module))
			return true;
	return !module;
}

/* Call fn for each object of that name that p has mapped, its program first. */
typedef struct err *object_fn(void *ctx, struct prov_process *p,
			      const struct prov_mapping *m);
static struct err *
each_object(struct prov_process *p, const char *module, object_fn *fn,
	    void *ctx)
{
	for (int pass = 0; pass < 2; pass++) {
		const struct prov_object *last = NULL;
		for (size_t i = 0; i < p->maps.n; i++) {
			const struct prov_mapping *m = &p->maps.v[i];
			bool is_program = m->object == p->exe;
			if (m->object == last || is_program != !pass ||
			    !is_called(p, m->object, module))
				continue;
			last = m->object;
			TRY(fn(ctx, p, m));
		}
	}
	return NULL;
}

/* --- Types ------------------------------------------------------------------ */

struct question {
	struct prov_set *s;
	enum type_kind kind;
	const char *name;
	const struct type *type;	/* the answer */
	uint64_t addr;			/* of a symbol, */
	struct prov_object *object;	/* which is in there */
	const char *why;
	prov_name_fn *fn;
	void *ctx;
};

static struct err *
ask_type(void *ctx, struct prov_process *p, const struct prov_mapping *m)
{
	struct question *q = ctx;
	const struct type *t = NULL;

	if (q->type && type_is_complete(q->type))
		return NULL;
	TRY(need_types(q->s, m->object));
	struct prov_types *types = m->object->types;
	assert(!types->dwarf || !types->btf);
	assert(types->dwarf || types->btf || types->why);
	if (types->dwarf)
		TRY(dwarftypes_find(types->dwarf, q->kind, q->name, &t));
	else if (types->btf)
		t = btftypes_find(types->btf, q->kind, q->name);
	if (t && (!q->type || type_is_complete(t)))
		q->type = t;
	return arena_failed(q->s->arena) ? &err_nomem : NULL;
}

struct err *
prov_user_type(struct prov_set *s, pid_t pid, const char *module,
	       enum type_kind kind, const char *name, const struct type **ret)
{
	struct question q = { .s = s, .kind = kind, .name = name };
	struct prov_process *p;

	TRY(prov_user_process(s, pid, &p));
	TRY(each_object(p, module, ask_type, &q));
	*ret = q.type;
	return NULL;
}

static struct err *
ask_why(void *ctx, struct prov_process *p, const struct prov_mapping *m)
{
	struct question *q = ctx;
	const struct prov_types *t = m->object->types;
	bool is_unread;
	const char *absent = t && t->dwarf ? dwarftypes_absent(t->dwarf, &is_unread)
					   : NULL;

	if (q->why || !t)
		return NULL;
	q->why = !absent ? t->why :
		arena_printf(q->s->arena, "a part of those of %s is in %s, %s",
			     m->object->path, absent, is_unread ?
			     "a package, which needs libdw 0.191" :
			     "which is not found");
	return NULL;
}

const char *
prov_user_no_types(struct prov_set *s, pid_t pid, const char *module)
{
	struct question q = { .s = s };
	struct prov_process *p;
	struct err *e = prov_user_process(s, pid, &p);

	if (!e)
		e = each_object(p, module ? module : "a.out", ask_why, &q);
	err_free(e);
	return q.why;
}

static struct err *
note_object(void *ctx, struct prov_process *p, const struct prov_mapping *m)
{
	*(bool *)ctx = true;
	return NULL;
}

bool
prov_user_maps(struct prov_set *s, pid_t pid, const char *module)
{
	struct prov_process *p;
	bool is = false;
	struct err *e = prov_user_process(s, pid, &p);

	if (!e)
		e = each_object(p, module, note_object, &is);
	err_free(e);
	return is;
}

static struct err *
ask_names(void *ctx, struct prov_process *p, const struct prov_mapping *m)
{
	struct question *q = ctx;

	TRY(need_types(q->s, m->object));
	return m->object->types->dwarf ?
	       dwarftypes_names(m->object->types->dwarf, q->kind, q->fn,
				q->ctx) : NULL;
}

struct err *
prov_user_type_names(struct prov_set *s, pid_t pid, const char *module,
		     enum type_kind kind, prov_name_fn *fn, void *ctx)
{
	struct question q = { .s = s, .kind = kind, .fn = fn, .ctx = ctx };
	struct prov_process *p;

	TRY(prov_user_process(s, pid, &p));
	return each_object(p, module ? module : "a.out", ask_names, &q);
}

/* --- Variables and functions ------------------------------------------------ */

/* Not in the debugging information: in the tables of symbols. */
static struct err *
find_address(struct prov_object *o, const char *name, uint64_t *linked,
	     bool *found)
{
	struct sym_file f;
	struct err *e = sym_file_read(o->file, name, &f);

	*found = !e && f.found;
	if (*found)
		*linked = f.value;
	return err_only_nomem(e);
}

static struct err *
ask_symbol(void *ctx, struct prov_process *p, const struct prov_mapping *m)
{
	struct question *q = ctx;
	uint64_t linked = 0, start;
	bool found;

	if (q->addr || !prov_mapping_linked(m, &start))
		return NULL;
	TRY(need_types(q->s, m->object));
	struct prov_types *types = m->object->types;
	if (types->dwarf)
		TRY(dwarftypes_variable(types->dwarf, q->name, &linked,
					&q->type));
	found = q->type;
	if (!found)
		TRY(find_address(m->object, q->name, &linked, &found));
	if (!found)
		return NULL;
	if (!q->type && types->btf)
		q->type = btftypes_variable(types->btf, q->name);
	if (!q->type)
		q->type = prov_user_prototype(q->s, m->object, linked, q->name);
	/* libc's environ is __environ to its DWARF. */
	if (!q->type && types->dwarf)
		TRY(dwarftypes_variable_at(types->dwarf, linked, &q->type));
	q->addr = m->start - start + linked;
	q->object = m->object;
	return NULL;
}

/* The address of a variable that the object lets others see; 0: there is none. */
static struct err *
exported(const struct prov_process *p, const struct prov_object *o, const char *name,
	 uint64_t *ret)
{
	struct sym_file f;
	uint64_t start;
	struct err *e = sym_file_exported(o->file, name, &f);
	bool is = !e && f.found && f.is_data;

	*ret = 0;
	for (size_t i = 0; is && !*ret && i < p->maps.n; i++) {
		const struct prov_mapping *m = &p->maps.v[i];
		if (m->object == o && prov_mapping_linked(m, &start))
			*ret = m->start - start + f.value;
	}
	return err_only_nomem(e);
}

/* A library's variable of which the program has one, too, is that of all: a program that
 * was linked against it may have the place for it (a copy relocation). */
static struct err *
prefer_program(struct question *q, const struct prov_process *p)
{
	uint64_t own, other = 0;

	if (!q->addr || !p->exe || q->object == p->exe)
		return NULL;
	TRY(exported(p, p->exe, q->name, &own));
	if (own)
		TRY(exported(p, q->object, q->name, &other));
	if (own && other == q->addr)
		q->addr = own;
	return NULL;
}

struct err *
prov_user_symbol(struct prov_set *s, pid_t pid, const char *module,
		 const char *name, uint64_t *addr, const struct type **type)
{
	struct question q = { .s = s, .name = name };
	struct prov_process *p;

	TRY(prov_user_process(s, pid, &p));
	TRY(each_object(p, module, ask_symbol, &q));
	TRY(prefer_program(&q, p));
	*addr = q.addr;
	*type = q.type;
	return NULL;
}

static struct err *
ask_no_symbol(void *ctx, struct prov_process *p, const struct prov_mapping *m)
{
	struct question *q = ctx;
	struct sym_file f;
	struct err *e = sym_file_read(m->object->file, q->name, &f);

	if (!e && f.is_of_thread)
		q->why = arena_printf(q->s->arena, "each thread has its own %s, which "
				      "cannot be found", q->name);
	return err_only_nomem(e);
}

const char *
prov_user_no_symbol(struct prov_set *s, pid_t pid, const char *module,
		    const char *name)
{
	struct question q = { .s = s, .name = name };
	struct prov_process *p;
	struct err *e = prov_user_process(s, pid, &p);

	if (!e)
		e = each_object(p, module, ask_no_symbol, &q);
	err_free(e);
	return q.why ? q.why : prov_user_no_types(s, pid, module);
}

const struct type *
prov_user_prototype(struct prov_set *s, struct prov_object *o, uint64_t addr,
		    const char *name)
{
	const struct type *t = NULL;
	struct err *e = need_types(s, o);

	if (!e && o->types->dwarf)
		e = dwarftypes_function(o->types->dwarf, addr, &t);
	else if (!e && o->types->btf)
		t = btftypes_find(o->types->btf, TYPE_FUNC, name);
	err_free(e);
	return t;
}

bool
prov_user_is_inlined(struct prov_set *s, struct prov_object *o, const char *name)
{
	struct err *e = need_types(s, o);
	bool is = !e && o->types->dwarf && dwarftypes_is_inlined(o->types->dwarf, name);

	err_free(e);
	return is;
}

/* --- Arguments -------------------------------------------------------------- */

enum { WORD = 8, IN_REGISTERS = 6 };

/* How many words of those that are counted as arguments a value takes; -1: it is
 * somewhere else. */
static int
words_of(const struct type *t)
{
	uint64_t size = type_size(t);

	if (type_is_float(t) || (type_is_sou(t) && size > 2 * WORD))
		return -1;
	return size > WORD ? 2 : 1;
}

/* Parts of structs may be in registers for floats: where what follows them is,
 * nobody knows without looking into them. */
static bool
is_plain(const struct type *t)
{
	return type_is_scalar(t) || type_is_float(t);
}

/* --- 32 bits ------------------------------------------------------------------ */

/* All is on the stack, in words of 4 bytes.  What takes two is no argument as they are
 * counted. */
static const struct type *
arg_32(const struct type_member *p, unsigned n, unsigned at, unsigned *raw)
{
	enum { WORD_32 = 4 };

	for (unsigned i = 0; i < n; i++)
		at += (unsigned)base_align(type_size(p[i].type), WORD_32) / WORD_32;
	*raw = at;
	return type_size(p[n].type) > WORD_32 ? NULL : p[n].type;
}

/* --- Go ----------------------------------------------------------------------- */

enum {
#if defined(__aarch64__)
	GO_REGISTERS = 16,
#else
	GO_REGISTERS = 9,
#endif
	GO_DEPTH = 16,
};

/* How many registers for whole numbers a value of Go takes; -1: it is passed on the
 * stack, or nobody knows.  Numbers with a point have registers of their own. */
static int
go_words(const struct type *t, int depth)
{
	const struct type_member *m;
	uint32_t count;
	int n = 0;

	t = type_strip(t);
	if (type_is_float(t))
		return 0;
	if (type_is_scalar(t))
		return 1;
	if (depth == GO_DEPTH || (!type_is_array(t) && t->kind != TYPE_STRUCT))
		return -1;
	if (type_is_array(t))
		return !t->nelems ? 0 :
		       t->nelems == 1 ? go_words(t->base, depth + 1) : -1;
	m = type_members(t, &count);
	for (uint32_t i = 0; i < count; i++) {
		int one = go_words(m[i].type, depth + 1);
		if (one < 0 || (n += one) > GO_REGISTERS)
			return -1;
	}
	return n;
}

/* What finds no room in the registers goes to the stack as a whole, and those behind it
 * may still find some. */
static const struct type *
go_arg(const struct type_member *p, unsigned n, const char **name, unsigned *raw)
{
	unsigned at = 0;

	for (unsigned i = 0; i < n; i++) {
		int words = go_words(p[i].type, 0);
		if (words > 0 && at + (unsigned)words <= GO_REGISTERS)
			at += (unsigned)words;
	}
	if (go_words(p[n].type, 0) != 1 || at >= GO_REGISTERS)
		return NULL;
	*name = p[n].name;
	*raw = at;
	return p[n].type;
}

const struct type *
prov_user_arg(const struct type *f, bool is_return, unsigned n,
	      const char **name, unsigned *raw)
{
	uint32_t count;
	const struct type_member *p = type_params(f, &count);
	/* Where a large struct is to go, comes first. */
	unsigned at = f->in_memory;

	*name = NULL;
	*raw = n;
	if (is_return)
		return n == 1 && type_is_scalar(f->base) &&
		       !(f->is_32 && type_size(f->base) > 4) ? f->base : NULL;
	assert(type_is_func(f));
	if (n >= count || !type_is_scalar(p[n].type))
		return NULL;
	if (f->is_go)
		return go_arg(p, n, name, raw);
	if (f->is_32) {
		*name = p[n].name;
		return arg_32(p, n, at, raw);
	}
	for (unsigned i = 0; i < n; i++) {
		int words = words_of(p[i].type);
		if (!is_plain(p[i].type) && words > 0)
			return NULL;
		/* Behind the registers others stand on the stack, too. */
		if (words < 0 && at >= IN_REGISTERS)
			return NULL;
		at += words > 0 ? (unsigned)words : 0;
	}
	*name = p[n].name;
	*raw = at;
	return p[n].type;
}

const struct abi_layout *
prov_user_layout(struct prov_set *s, struct hash *layouts, const struct abi_layout *l)
{
	void **at = hash_ref(layouts, l, sizeof(*l));

	if (at && !*at)
		*at = arena_memdup(s->arena, l, sizeof(*l));
	return at ? *at : NULL;
}
