/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Static probes of programs: PROVIDERpid:OBJECT:FUNCTION:NAME, as the notes of the files
 * tell that a process has mapped (sym/stap.h).  A `__` in a note's name reads `-`.
 *
 * The process is the number that the provider's name ends with.  A provider's own name
 * may end with digits, too; then each place where the number may begin is tried.
 * Where the provider is a pattern, all processes are asked that there are.
 *
 * Where arguments lie is the compiler's choice for each place.  So there is a point for
 * each choice that occurs.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "prov/func_priv.h"
#include "prov/usdt_priv.h"
#include "sym/file.h"
#include "sym/maps.h"
#include "util/cleanup.h"

/* The notes of an object. */
struct usdt_file { VEC(struct usdt_note *) notes; };

struct usdt {
	struct hash files;		/* struct prov_object *: struct usdt_file */
	struct hash seen;		/* struct file_id: whether it has notes */
	struct hash places;		/* struct place: struct usdt_probe */
	VEC(struct abi_point *) points;
};

struct file_id { uint64_t dev, inode; };

struct usdt_probe {
	struct prov_process *process;
	struct prov_object *object;
	VEC(const struct usdt_note *) notes;	/* its places */
};

struct place { const struct prov_process *process; const struct usdt_note *note; };

static struct err *
init(struct prov_set *s, void **ret)
{
	struct usdt *b = util_zalloc(sizeof(*b));

	if (!b)
		return &err_nomem;
	hash_init(&b->files);
	hash_init(&b->seen);
	hash_init(&b->places);
	*ret = b;
	return NULL;
}

static void
fini(void *state)
{
	struct usdt *b = state;
	struct hash_entry *e;

	for (size_t i = 0; (e = hash_next(&b->files, &i)); ) {
		struct usdt_file *f = e->val;
		if (f)
			vec_fini(&f->notes);
		util_free(f);
	}
	for (size_t i = 0; (e = hash_next(&b->places, &i)); ) {
		struct usdt_probe *p = e->val;
		vec_fini(&p->notes);
	}
	hash_fini(&b->files);
	hash_fini(&b->seen);
	hash_fini(&b->places);
	vec_fini(&b->points);
	util_free(b);
}

static struct usdt_probe *
of(const struct probe *p)
{
	return (struct usdt_probe *)(uintptr_t)p->arg;
}

/* --- Notes --------------------------------------------------------------------- */

struct reading {
	struct prov_set *s;
	const struct prov_object *object;
	struct usdt_file *file;
};

static bool
symbol(void *ctx, const char *name, uint64_t *ret)
{
	const struct reading *r = ctx;
	struct sym_file f = { .found = false };

	err_free(sym_file_read(r->object->file, name, &f));
	*ret = f.value;
	return f.found;
}

/* The name as descriptions say it. */
static const char *
dashed(struct arena *a, const char *name)
{
	char *s = arena_strdup(a, name), *to = s;

	for (const char *p = s; s && *p; ) {
		bool two = p[0] == '_' && p[1] == '_';
		*to++ = two ? '-' : *p;
		p += 1 + two;
	}
	if (s)
		*to = '\0';
	return s;
}

/* A nop of this kind is the kernel's to use where programs are attached by it; what is
 * attached to it as to any other may end the program. */
static bool
is_long_nop(const struct prov_object *o, uint64_t offset)
{
	static const uint8_t nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
	uint8_t code[sizeof(nop)];

	return pread(o->fd, code, sizeof(code), (off_t)offset) ==
		       sizeof(code) && !memcmp(code, nop, sizeof(nop));
}

static struct err *
on_note(void *ctx, const struct sym_stap *from)
{
	struct reading *r = ctx;
	struct arena *a = r->s->arena;
	struct usdt_note *n = ARENA_NEW(a, struct usdt_note);

	if (!n)
		return &err_nomem;
	if (!*from->prov || !*from->name ||
	    is_long_nop(r->object, from->offset))
		return NULL;
	n->prov = arena_strdup(a, from->prov);
	n->name = dashed(a, from->name);
	n->addr = from->addr;
	n->offset = from->offset;
	n->semaphore = from->semaphore;
	n->nargs = (uint8_t)prov_usdt_args(from->args, from->addr, symbol, r,
					   n->args);
	return n->prov && n->name && vec_push(&r->file->notes, n) ?
	       NULL : &err_nomem;
}

static struct err *
read_notes(struct prov_set *s, struct usdt *b, const struct prov_object *o,
	   struct usdt_file **ret)
{
	void **at = hash_ref(&b->files, &o, sizeof(o));
	struct reading r = { s, o, NULL };

	if (!at || (!*at && !(*at = util_zalloc(sizeof(struct usdt_file)))))
		return &err_nomem;
	if (*ret == *at)
		return NULL;
	*ret = r.file = *at;
	return r.file->notes.n ? NULL : sym_stap_walk(o->fd, on_note, &r);
}

/* --- Discovery ------------------------------------------------------------------ */

/* One description, while its probes are made. */
struct asking {
	struct prov_set *s;
	struct prov_sink *sink;
	struct usdt *b;
	struct probe_matcher m;
	const char *prov;		/* the provider of all of them; NULL: the
					 * note's with the number of */
	const char *name;		/* and then what notes call it */
	struct prov_process *process;	/* that is being looked at, */
	struct prov_object *object;
};

/* The function that the place is in; "": nobody knows. */
static struct err *
find_func(struct asking *a, struct usdt_note *n)
{
	struct prov_object *o = a->object;
	size_t from = 0, to;

	if (n->func)
		return NULL;
	TRY(prov_user_functions(a->s, o));
	for (to = o->nfuncs; from < to; ) {
		size_t mid = from + (to - from) / 2;
		if (o->funcs[mid].offset <= n->offset)
			from = mid + 1;
		else
			to = mid;
	}
	const struct prov_ufunc *f = from ? &o->funcs[from - 1] : NULL;
	while (f && f > o->funcs && f->is_alias)
		f--;
	n->func = f && (!f->size || n->offset - f->offset < f->size) ? f->name
								     : "";
	return NULL;
}

/* Let the probe of these names have one place more, or make it. */
static struct err *
add_place(struct asking *a, struct usdt_note *n, const char *prov,
	  struct usdt_probe **ret)
{
	const struct probe like = { .prov = prov, .mod = a->object->name,
				    .func = n->func, .name = n->name };
	const struct probe *old;

	TRY(prov_find(a->s, &like, &old));
	if (old) {
		*ret = of(old);
		return vec_push(&(*ret)->notes, n) ? NULL : &err_nomem;
	}
	struct usdt_probe *p = ARENA_NEW(a->s->arena, struct usdt_probe);
	if (!p || !vec_push(&p->notes, n))
		return &err_nomem;
	p->process = a->process;
	p->object = a->object;
	*ret = p;
	return prov_add(a->sink, &(struct prov_new){
		.prov = prov, .mod = like.mod, .func = like.func,
		.name = like.name, .arg = (uintptr_t)p });
}

static struct err *
offer(struct asking *a, struct usdt_note *n)
{
	const struct place place = { a->process, n };
	const char *prov = a->prov;
	struct usdt_probe *p;

	if (a->prov ? strcmp(n->prov, a->name) != 0 : false)
		return NULL;
	if (!probe_pattern_match(&a->m.name, n->name) ||
	    hash_get(&a->b->places, &place, sizeof(place)))
		return NULL;
	if (!prov && !(prov = arena_printf(a->s->arena, "%s%d", n->prov,
					   (int)a->process->pid)))
		return &err_nomem;
	if (!probe_pattern_match(&a->m.prov, prov))
		return NULL;
	TRY(find_func(a, n));
	if (!probe_pattern_match(&a->m.func, n->func))
		return NULL;
	TRY(add_place(a, n, prov, &p));
	return hash_put(&a->b->places, &place, sizeof(place), p) ? NULL
								 : &err_nomem;
}

static struct err *
ask_object(struct asking *a, struct prov_object *o)
{
	struct usdt_file *f = NULL;

	TRY(read_notes(a->s, a->b, o, &f));
	a->object = o;
	for (size_t i = 0; i < f->notes.n; i++)
		TRY(offer(a, f->notes.v[i]));
	return NULL;
}

static bool
object_matches(const struct asking *a, const struct prov_process *p,
	       const struct prov_object *o)
{
	if (probe_pattern_match(&a->m.mod, o->name) ||
	    (p->exe == o && probe_pattern_match(&a->m.mod, "a.out")))
		return true;
	for (const char *const *name = o->others; *name; name++)
		if (probe_pattern_match(&a->m.mod, *name))
			return true;
	return false;
}

static struct err *
ask_process(void *ctx, struct prov_process *p)
{
	struct asking *a = ctx;

	a->process = p;
	for (size_t i = 0; i < p->maps.n; i++)
		if (object_matches(a, p, p->maps.v[i].object))
			TRY(ask_object(a, p->maps.v[i].object));
	return NULL;
}

/* A process that is not there, or not ours to look at, has no probes. */
static struct err *
ask_number(struct asking *a, pid_t pid)
{
	struct prov_process *p;
	struct err *e = prov_user_process(a->s, pid, &p);

	if (!e)
		return ask_process(a, p);
	if (e->code == ERR_NOMEM)
		return e;
	err_free(e);
	return NULL;
}

/* --- Numbered: "python1234", "py*1234" ---------------------------------------------- */

/* Where the digits begin that it ends with. */
static size_t
digits_of(const char *prov)
{
	size_t n = strlen(prov);

	while (n && isdigit((unsigned char)prov[n - 1]))
		n--;
	return n;
}

static struct err *
ask_numbered(struct asking *a, const char *prov, bool is_pattern)
{
	size_t len = strlen(prov), first = digits_of(prov);

	a->prov = is_pattern ? NULL : arena_strdup(a->s->arena, prov);
	if (!is_pattern && !a->prov)
		return &err_nomem;
	for (; first < len; first++) {
		unsigned long pid = strtoul(prov + first, NULL, 10);
		if (!first || prov[first] == '0' || pid > INT_MAX ||
		    (first == 3 && !strncmp(prov, "pid", 3)))
			continue;
		a->name = arena_strndup(a->s->arena, prov, first);
		if (!a->name)
			return &err_nomem;
		TRY(ask_number(a, (pid_t)pid));
	}
	return NULL;
}

/* --- All processes ------------------------------------------------------------------ */

struct looking {
	struct asking *a;
	pid_t pid;
	bool found;
};

static struct err *
has_notes(void *ctx, const struct sym_stap *p)
{
	*(bool *)ctx = true;
	return NULL;
}

/* Has the file any?  That is found out once. */
static struct err *
look_at(void *ctx, const struct sym_mapping *m)
{
	static const char yes[] = "yes", no[] = "no";
	struct looking *l = ctx;
	struct file_id id = { m->dev, m->inode };
	bool has = false;

	if (!m->inode || l->found)
		return NULL;
	void **at = hash_ref(&l->a->b->seen, &id, sizeof(id));
	if (!at)
		return &err_nomem;
	if (!*at) {
		CLEANUP(util_closep) int fd = sym_maps_open(l->pid, m);
		if (fd >= 0)
			TRY(sym_stap_walk(fd, has_notes, &has));
		*at = (void *)(has ? yes : no);
	}
	l->found = *at == (const void *)yes;
	return NULL;
}

static struct err *
ask_all(struct asking *a)
{
	DIR *dir = opendir("/proc");
	struct err *e = NULL;
	struct dirent *d;

	while (dir && !e && (d = readdir(dir))) {
		struct looking l = { a, (pid_t)atoi(d->d_name), false };
		if (l.pid <= 0 || l.pid == getpid())
			continue;
		e = sym_maps_read(l.pid, look_at, &l);
		if (e && e->code != ERR_NOMEM) {
			err_free(e);
			e = NULL;
		}
		if (!e && l.found)
			e = ask_number(a, l.pid);
	}
	if (dir)
		closedir(dir);
	return e;
}

static struct err *
discover(struct prov_set *s, const struct probe_desc *d, struct prov_sink *sink)
{
	struct asking a = { .s = s, .sink = sink,
			    .b = prov_state(s, &prov_usdt_ops) };

	probe_matcher_init(&a.m, d);
	if (!*d->prov)
		return NULL;
	if (d->prov[digits_of(d->prov)])
		return ask_numbered(&a, d->prov, probe_has_glob(d->prov));
	return s->funcs ? ask_all(&a) : NULL;	/* without a world there is none */
}

/* --- Arguments ---------------------------------------------------------------------- */

static const struct usdt_note *
first_note(const struct probe *p)
{
	return of(p)->notes.v[0];
}

static int
nargs(struct prov_set *s, const struct probe *p)
{
	return (int)BASE_MIN(first_note(p)->nargs, (uint8_t)ABI_NARGS);
}

static const struct type *
arg_type(struct prov_set *s, const struct probe *p, unsigned n, const char **name)
{
	const struct abi_arg *a = &first_note(p)->args[n];

	if (n >= (unsigned)nargs(s, p))
		return NULL;
	switch (a->size) {
	case 1: return a->is_signed ? &type_int8 : &type_uint8;
	case 2: return a->is_signed ? &type_int16 : &type_uint16;
	case 4: return a->is_signed ? &type_int32 : &type_uint32;
	default: return a->is_signed ? &type_int64 : &type_uint64;
	}
}

/* The point whose arguments lie there. */
static struct err *
find_point(struct prov_set *s, struct usdt *b, const struct usdt_note *n,
	   const struct abi_point **ret)
{
	for (size_t i = 0; i < b->points.n; i++) {
		*ret = b->points.v[i];
		if (!memcmp((*ret)->args, n->args, sizeof(n->args)))
			return NULL;
	}
	struct abi_point *p = ARENA_NEW(s->arena, struct abi_point);
	if (!p)
		return &err_nomem;
	p->find = ABI_FIND_COOKIE;
	p->target = arena_printf(s->arena, "usdt_%zu", b->points.n);
	memcpy(p->args, n->args, sizeof(p->args));
	TRY(prov_user_point(s, false, p));
	*ret = p;
	return p->target && vec_push(&b->points, p) ? NULL : &err_nomem;
}

static struct err *
sites(struct prov_set *s, const struct probe *probe, prov_site_fn *fn, void *ctx)
{
	const struct usdt_probe *p = of(probe);
	struct usdt *b = prov_state(s, &prov_usdt_ops);

	for (size_t i = 0; i < p->notes.n; i++) {
		const struct usdt_note *n = p->notes.v[i];
		struct prov_site site = {
			.trigger = PROV_TRIGGER_RAWTP, .file = p->object->file,
			.pid = p->process->own, .offset = n->offset,
			.semaphore = n->semaphore };
		TRY(find_point(s, b, n, &site.point));
		TRY(fn(ctx, &site));
	}
	return NULL;
}

static const char *
alias(struct prov_set *s, const struct probe *probe, enum prov_part part,
      unsigned i)
{
	const struct usdt_probe *p = of(probe);
	bool is_exe = p->process->exe == p->object;

	if (part != PROV_PART_MOD)
		return NULL;
	return is_exe && !i ? "a.out" : p->object->others[i - is_exe];
}

const struct prov_ops prov_usdt_ops = {
	.name = "*[0-9]",
	.attr = PROV_ATTR_RAW,
	.is_large = true,
	.is_named = true,
	.init = init,
	.fini = fini,
	.discover = discover,
	.sites = sites,
	.arg_type = arg_type,
	.nargs = nargs,
	.alias = alias,
};
