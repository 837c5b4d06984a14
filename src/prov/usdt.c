/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Static probes of programs: PROVIDERpid:OBJECT:FUNCTION:NAME, as the notes of the files
 * tell that a process has mapped (sym/stap.h).  A `__` in a note's name reads `-`.
 *
 * The process is the number that the provider's name ends with.  A provider's own name
 * may end with digits, too; then each place where the number may begin is tried.
 * Where the provider is a pattern, all processes are asked that there are.
 *
 * Where arguments lie is the compiler's choice for each place, and stands in the place's
 * row (abi/layout.h): so one point serves all, also those of files that are mapped while
 * tracing goes on.
 *
 *  1. A probe has a place.  They may lie in several objects of one name.
 *  2. Each layout is there once.
 */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "prov/func_priv.h"
#include "prov/usdt_priv.h"
#include "prov/usertype.h"
#include "sym/file.h"
#include "util/alloc.h"
#include "util/cleanup.h"

struct usdt {
	struct hash files;		/* struct prov_object *: struct usdt_file */
	struct prov_all *all;		/* processes that have notes */
	bool asks_each;			/* a pattern needs their numbers to match */
	struct hash places;		/* struct place: struct usdt_probe */
	struct hash layouts;		/* struct abi_layout, the content: one of
					 * them */
	struct hash texts;		/* D: struct prov_text */
	struct abi_point point;
	bool has_point;
};

struct usdt_probe {
	struct prov_process *process;	/* of the probe of all the first one seen */
	struct prov_object *object;
	bool is_of_all;
	const char *parent;		/* the provider of whom it goes with, or NULL */
	VEC(const struct usdt_note *) notes;	/* its places */
};

/* Of a process, or of all: NULL. */
struct place { const struct prov_process *process; const struct usdt_note *note; };

static void
fini(void *state)
{
	struct usdt *b = state;
	struct hash_entry *e;

	for (size_t i = 0; (e = hash_next(&b->files, &i)); ) {
		struct usdt_file *f = e->val;
		if (f) {
			vec_fini(&f->notes);
			vec_fini(&f->texts);
		}
		util_free(f);
	}
	for (size_t i = 0; (e = hash_next(&b->places, &i)); ) {
		struct usdt_probe *p = e->val;
		vec_fini(&p->notes);
	}
	hash_fini(&b->files);
	hash_fini(&b->places);
	hash_fini(&b->layouts);
	hash_fini(&b->texts);
}

static struct usdt_probe *
of(const struct probe *p)
{
	return (struct usdt_probe *)(uintptr_t)p->arg;
}

/* --- Notes --------------------------------------------------------------------- */

struct reading {
	struct prov_set *s;
	struct prov_object *object;
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
	struct abi_layout layout;

	if (!n)
		return &err_nomem;
	if (!*from->prov || !*from->name)
		return NULL;
	n->is_harmful = is_long_nop(r->object, from->offset);
	n->object = r->object;
	n->prov = arena_strdup(a, from->prov);
	n->own_name = arena_strdup(a, from->name);
	n->name = dashed(a, from->name);
	n->addr = from->addr;
	n->offset = from->offset;
	n->semaphore = from->semaphore;
	n->nargs = (uint8_t)prov_usdt_args(from->args, from->addr, symbol, r,
					   &layout);
	struct usdt *b = prov_state(r->s, &prov_usdt_ops);
	assert(b);
	n->layout = prov_user_layout(r->s, &b->layouts, &layout);
	return n->prov && n->own_name && n->name && n->layout && vec_push(&r->file->notes, n) ?
	       NULL : &err_nomem;
}

bool
prov_usdt_is_alias(const struct usdt_note *n, const char *name)
{
	static const struct { const char *prov, *foreign, *ours; } rows[] = {
#define USDT_ALIAS(prov, foreign, ours) { prov, foreign, ours },
#include "prov/usdt_alias.def"
#undef USDT_ALIAS
	};

	return BASE_ANY(i, BASE_NELEMS(rows),
			!strcmp(name, rows[i].foreign) &&
			(!n || (!strcmp(n->prov, rows[i].prov) &&
				!strcmp(n->name, rows[i].ours))));
}

struct err *
prov_usdt_file(struct prov_set *s, struct prov_object *o,
	       struct usdt_file **ret)
{
	struct usdt *b = prov_state(s, &prov_usdt_ops);
	void **at = hash_ref(&b->files, &o, sizeof(o));
	struct reading r = { s, o, NULL };

	if (!at || (!*at && !(*at = util_zalloc(sizeof(struct usdt_file)))))
		return &err_nomem;
	*ret = r.file = *at;
	if (r.file->has_notes)
		return NULL;
	r.file->has_notes = true;
	return sym_stap_walk(o->fd, on_note, &r);
}

struct hash *
prov_usdt_texts(struct prov_set *s)
{
	struct usdt *b = prov_state(s, &prov_usdt_ops);

	return &b->texts;
}

/* --- Discovery ------------------------------------------------------------------ */

/* One description, while its probes are made. */
struct asking {
	struct prov_set *s;
	struct prov_sink *sink;
	struct usdt *b;
	struct probe_matcher m;
	const char *name;		/* what notes call the provider; NULL: the
					 * pattern says that, with the number */
	const char *last;		/* the description's last part */
	bool is_all;			/* of all processes */
	struct prov_process *process;	/* that is being looked at, */
	struct prov_object *object;
};

static const char *
numbered(struct asking *a, const struct usdt_note *n, pid_t pid)
{
	return arena_printf(a->s->arena, "%s%d", n->prov, (int)pid);
}

/* Let the probe of these names have one place more, or make it. */
static struct err *
add_place(struct asking *a, struct usdt_note *n, bool is_of_all,
	  struct usdt_probe **ret)
{
	const char *prov = is_of_all ? n->prov
				     : numbered(a, n, a->process->pid);
	const struct probe like = { .prov = prov, .mod = a->object->name,
				    .func = n->func, .name = n->name };
	const struct probe *old;

	if (!prov)
		return &err_nomem;
	TRY(prov_find(a->s, &like, &old));
	if (old) {
		*ret = of(old);
		assert((*ret)->is_of_all == is_of_all);
		if (!is_of_all)
			(*ret)->process = a->process;	/* who has its number now */
		return vec_push(&(*ret)->notes, n) ? NULL : &err_nomem;
	}
	struct usdt_probe *p = ARENA_NEW(a->s->arena, struct usdt_probe);
	if (!p || !vec_push(&p->notes, n))
		return &err_nomem;
	p->process = a->process;
	p->object = a->object;
	p->is_of_all = is_of_all;
	if (!is_of_all && p->process->followed &&
	    !(p->parent = numbered(a, n, p->process->followed)))
		return &err_nomem;
	*ret = p;
	return prov_add(a->sink, &(struct prov_new){
		.prov = prov, .mod = like.mod, .func = like.func,
		.name = like.name, .arg = (uintptr_t)p });
}

/* The places whose counters n looks at besides its own. */
static struct err *
add_needed(struct asking *a, const struct usdt_note *n, struct usdt_probe *p)
{
	static const struct { const char *prov, *objects, *name, *other; } rows[] = {
#define USDT_NEEDS(prov, objects, name, other) { prov, objects, name, other },
#include "prov/usdt_needs.def"
#undef USDT_NEEDS
	};
	struct usdt_file *f = NULL;

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		if (strcmp(n->prov, rows[i].prov) || strcmp(n->name, rows[i].name) ||
		    !probe_glob_match(rows[i].objects, a->object->name))
			continue;
		TRY(prov_usdt_file(a->s, a->object, &f));
		for (size_t k = 0; k < f->notes.n; k++) {
			if (!f->notes.v[k]->semaphore ||
			    strcmp(f->notes.v[k]->prov, n->prov) ||
			    strcmp(f->notes.v[k]->name, rows[i].other))
				continue;
			struct usdt_note *other = arena_memdup(a->s->arena, f->notes.v[k],
							       sizeof(*other));
			if (!other || !vec_push(&p->notes, other))
				return &err_nomem;
			other->only_counts = true;
		}
	}
	return NULL;
}

/* Is it of the provider that is asked for?  Who goes with another answers to his
 * number. */
static bool
is_asked(const struct asking *a, const struct usdt_note *n)
{
	const struct prov_process *p = a->process;
	char prov[256];

	if (a->name)
		return !strcmp(n->prov, a->name);
	snprintf(prov, sizeof(prov), "%s%d", n->prov,
		 (int)(p->followed ? p->followed : p->pid));
	return probe_pattern_match(&a->m.prov, prov);
}

static struct err *
offer_one(struct asking *a, struct usdt_note *n, bool is_of_all)
{
	const struct place place = { is_of_all ? NULL : a->process, n };
	struct usdt_probe *p;

	if (hash_get(&a->b->places, &place, sizeof(place)))
		return NULL;
	TRY(prov_usdt_func(a->s, a->object, n));
	if (!probe_pattern_match(&a->m.func, n->func))
		return NULL;
	TRY(add_place(a, n, is_of_all, &p));
	TRY(add_needed(a, n, p));
	return hash_put(&a->b->places, &place, sizeof(place), p) ? NULL
								 : &err_nomem;
}

/* A pattern that needs no number to match means all processes, now and later; then
 * those of each are for lists. */
static struct err *
offer(struct asking *a, struct usdt_note *n)
{
	if (!is_asked(a, n) || (!probe_pattern_match(&a->m.name, n->name) &&
				!prov_usdt_is_alias(n, a->last)))
		return NULL;
	if (!a->is_all || !probe_pattern_match(&a->m.prov, n->prov)) {
		a->b->asks_each |= a->is_all;
		return offer_one(a, n, false);
	}
	TRY(offer_one(a, n, true));
	return prov_user_watched(a->s) ? NULL : offer_one(a, n, false);
}

static struct err *
ask_object(void *ctx, struct prov_object *o)
{
	struct asking *a = ctx;
	struct usdt_file *f = NULL;

	TRY(prov_usdt_file(a->s, o, &f));
	a->object = o;
	for (size_t i = 0; i < f->notes.n; i++)
		TRY(offer(a, f->notes.v[i]));
	return NULL;
}

static struct err *
ask_process(void *ctx, struct prov_process *p)
{
	struct asking *a = ctx;

	a->process = p;
	return prov_user_objects(p, &a->m.mod, ask_object, a);
}

/* A process that is not there, or not ours to look at, has no probes. */
static struct err *
ask_number(struct asking *a, pid_t pid)
{
	return err_only_nomem(prov_user_processes(a->s, pid, ask_process, a));
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
	CLEANUP(util_freep) char *name = util_alloc(len + 1);

	if (!name)
		return &err_nomem;
	for (; first < len; first++) {
		unsigned long pid = strtoul(prov + first, NULL, 10);
		if (!first || prov[first] == '0' || pid > INT_MAX ||
		    (first == 3 && !strncmp(prov, "pid", 3)))
			continue;
		memcpy(name, prov, first);
		name[first] = '\0';
		a->name = is_pattern ? NULL : name;
		TRY(ask_number(a, (pid_t)pid));
	}
	a->name = NULL;
	return NULL;
}

/* --- All processes ------------------------------------------------------------------ */

static struct err *
has_note(void *ctx, const struct sym_stap *p)
{
	*(bool *)ctx = true;
	return NULL;
}

static struct err *
has_notes(const void *ctx, int fd, const char *path, bool *ret)
{
	return sym_stap_walk(fd, has_note, ret);
}

static struct err *
discover(struct prov_set *s, const struct probe_desc *d, struct prov_sink *sink)
{
	struct asking a = { .s = s, .sink = sink, .last = d->name,
			    .b = prov_state(s, &prov_usdt_ops) };

	probe_matcher_init(&a.m, d);
	if (!*d->prov)
		return NULL;
	if (d->prov[digits_of(d->prov)])
		return ask_numbered(&a, d->prov, probe_has_glob(d->prov));
	if (!s->funcs)			/* without a world there is none */
		return NULL;
	a.is_all = true;
	if (!a.b->all)
		TRY(prov_all_new(s, has_notes, NULL, &a.b->all));
	TRY(prov_all_walk(s, a.b->all, ask_process, &a));
	prov_all_files_will_do(a.b->all, !a.b->asks_each);
	return NULL;
}

/* --- Arguments ---------------------------------------------------------------------- */

const struct usdt_note *
prov_usdt_first(const struct probe *p)
{
	assert(of(p)->notes.n);						/* 1 */
	return of(p)->notes.v[0];
}

static int
nargs(struct prov_set *s, const struct probe *p)
{
	return (int)BASE_MIN(prov_usdt_first(p)->nargs, (uint8_t)ABI_NARGS);
}

static const struct type *
arg_type(struct prov_set *s, const struct probe *p, unsigned n, const char **name)
{
	if (n >= (unsigned)nargs(s, p))
		return NULL;
	const struct abi_place *a = &prov_usdt_first(p)->layout->arg[n];
	switch (a->size) {
	case 1: return a->is_signed ? &type_int8 : &type_uint8;
	case 2: return a->is_signed ? &type_int16 : &type_uint16;
	case 4: return a->is_signed ? &type_int32 : &type_uint32;
	default: return a->is_signed ? &type_int64 : &type_uint64;
	}
}

static struct err *
need_point(struct prov_set *s, struct usdt *b)
{
	_Static_assert((int)ABI_NARGS == (int)ABI_LAYOUT_NARGS,
		       "each has a place");

	if (b->has_point)
		return NULL;
	b->point.find = ABI_FIND_COOKIE;
	b->point.target = "usdt";
	for (int i = 0; i < ABI_NARGS; i++)
		b->point.args[i] = (struct abi_arg){
			.kind = ABI_ARG_LAYOUT, .size = 8, .off = i };
	TRY(prov_user_point(s, false, &b->point));
	b->has_point = true;
	return NULL;
}

static struct err *
sites(struct prov_set *s, const struct probe *probe, prov_site_fn *fn, void *ctx)
{
	const struct usdt_probe *p = of(probe);
	struct usdt *b = prov_state(s, &prov_usdt_ops);

	TRY(need_point(s, b));
	for (size_t i = s->from_place; i < p->notes.n; i++) {
		const struct usdt_note *n = p->notes.v[i];
		assert(n->layout);					/* 2 */
		if (n->is_harmful) {
			prov_user_left_out(s, probe, "whose nop of 5 bytes the "
					   "kernel may turn into a call");
			continue;
		}
		prov_user_watch(s, n->object);
		TRY(fn(ctx, &(struct prov_site){
			.point = &b->point, .layout = n->layout,
			.trigger = PROV_TRIGGER_RAWTP, .file = n->object->file,
			.pid = p->is_of_all ? 0 : p->process->own,
			.life = p->is_of_all ? 0 : p->process->life,
			.leaderless = !p->is_of_all && p->process->leaderless,
			.offset = n->offset, .semaphore = n->semaphore,
			.only_counts = n->only_counts }));
	}
	return NULL;
}

bool
prov_usdt_is_others(const struct prov_set *s, const char *prov)
{
	for (size_t i = 0; i < s->providers.n; i++) {
		const struct prov_ops *ops = s->providers.v[i].ops;
		if (ops != &prov_usdt_ops && probe_globs_meet(prov, ops->name))
			return true;
	}
	return false;
}

/* What is mapped later may have any. */
static struct err *
later(struct prov_set *s, const struct probe_desc *d, prov_point_fn *fn,
      void *ctx)
{
	struct usdt *b = prov_state(s, &prov_usdt_ops);

	if (!probe_has_glob(d->prov) && prov_usdt_is_others(s, d->prov))
		return NULL;
	TRY(need_point(s, b));
	return fn(ctx, &(struct prov_site){ .point = &b->point,
					    .trigger = PROV_TRIGGER_RAWTP });
}

static bool
is_foreign_name(const struct probe *p, const char *name)
{
	return prov_usdt_is_alias(p ? prov_usdt_first(p) : NULL, name);
}

static const char *
alias(struct prov_set *s, const struct probe *probe, enum prov_part part,
      unsigned i)
{
	const struct usdt_probe *p = of(probe);

	if (part == PROV_PART_PROV)
		return i ? NULL : p->parent;
	return part == PROV_PART_MOD ?
	       prov_object_alias(p->process, p->object, i) : NULL;
}

static size_t
places(const struct probe *p)
{
	return of(p)->notes.n;
}

static const char *
of_all(const struct probe *p)
{
	return prov_usdt_first(p)->prov;
}

const struct prov_ops prov_usdt_ops = {
	.name = "*[0-9]",
	.attr = PROV_ATTR_RAW,
	.is_large = true,
	.is_named = true,
	.is_mapped = true,
	.lists_each = true,
	.later = later,
	.state_size = sizeof(struct usdt),
	.fini = fini,
	.discover = discover,
	.sites = sites,
	.arg_type = arg_type,
	.nargs = nargs,
	.is_foreign_name = is_foreign_name,
	.alias = alias,
	.missing = prov_usdt_missing,
	.places = places,
	.of_all = of_all,
};
