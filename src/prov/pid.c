/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The pid provider: probes in the functions of process N, pidN:OBJECT:FUNCTION:NAME.
 * Probes are made for who asks, from the symbols of the files that the process has
 * mapped.  Here are their names; where they fire is pid_site.c's.
 *
 *	entry	arg0 ...	what the function was called with
 *	return	arg0		where in it that was
 *		arg1		what it returns
 *	1f	the instruction that many bytes, in hex, behind the beginning; of
 *		function "-": at that address of the object (pid_addr.c)
 *	a.c@12	a line of source (pid_line.c)
 *
 * Instructions are probes of their own only where one function is named, or one offset
 * of each: those of a library are a million.
 *
 * A place has one probe, whatever names its function has: the name that was asked
 * for first.  By the others it is found, too (`alias`).  Functions of one name in
 * one object, static ones, are one probe with several places.
 *
 *  1. A probe has a place, and each of them once.
 *  2. Of the names of one place the first is no alias, and the others follow it.
 */
#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "prov/pid_priv.h"

static void
fini(void *state)
{
	struct pid *b = state;

	vec_fini(&b->code);
	for (size_t i = 0; i < b->all.n; i++) {
		vec_fini(&b->all.v[i]->funcs);
		vec_fini(&b->all.v[i]->ats);
	}
	vec_fini(&b->all);
	hash_fini(&b->places);
	hash_fini(&b->layouts);
	hash_fini(&b->alls);
	hash_fini(&b->asked);
}

/* --- Names ------------------------------------------------------------------ */

/* What a name of a function may be called, in turn: itself, and as its programmer wrote
 * it, with parameters and without.  Those that there are not are "". */
enum { FORMS = 3 };

static const char *
form(struct prov_set *s, struct prov_ufunc *f, unsigned i)
{
	const char *text = f->name;

	if (i) {
		prov_user_plain(s, f);
		text = i == 1 ? f->plain : f->bare;
	}
	return text ? text : "";
}

/* The i-th of the names that a place has besides the probe's own. */
static const char *
func_alias(struct prov_set *s, const struct pid_probe *p, unsigned i)
{
	struct prov_ufunc *f = p->funcs.v[0];
	unsigned no = i / FORMS;

	assert(p->funcs.n);						/* 1 */
	while (f->is_alias)
		f--;
	assert(!no || f < p->object->funcs || !f->is_alias);		/* 2 */
	if (no && (f < p->object->funcs ||
		   f + no >= p->object->funcs + p->object->nfuncs))
		return NULL;	/* none more, or chosen: it is by itself */
	f += no;
	if (no && !f->is_alias)
		return NULL;
	return form(s, f, i % FORMS);
}

static const char *
alias(struct prov_set *s, const struct probe *probe, enum prov_part part,
      unsigned i)
{
	const struct pid_probe *p = prov_pid_of(probe);

	switch (part) {
	case PROV_PART_PROV:
		return i ? NULL : p->parent;
	case PROV_PART_MOD:
		return prov_object_alias(p->process, p->object, i);
	default:
		return func_alias(s, p, i);
	}
}

/* --- Discovery -------------------------------------------------------------- */

/* One description, while its probes are made. */
struct asking {
	struct prov_set *s;
	struct prov_sink *sink;
	struct pid *b;
	const char *asked;		/* "pid7" */
	const char *prov;		/* the same, or the name of a follower's, */
	const char *parent;		/* and then the same; else NULL */
	struct probe_matcher m;
	const struct probe_desc *d;
	const char *name;		/* of its last part */
	bool is_of_all;			/* of whom executes the object */
	bool one_func;			/* its function is no pattern */
	bool one_insn;			/* its name is that of one in a function */
	struct prov_process *process;
	struct prov_object *object;	/* that is being looked at */
};

/* What a place is.  process: NULL: of all. */
struct key {
	struct prov_process *process;
	struct prov_object *object;
	uint64_t offset, kind, at;
};

static struct pid_probe *
new_probe(struct asking *a)
{
	struct pid_probe *p = ARENA_NEW(a->s->arena, struct pid_probe);

	return p && vec_push(&a->b->all, p) ? p : NULL;
}

static struct err *
make_probe(struct asking *a, const struct prov_ufunc *f, enum pid_kind kind,
	   uint64_t at, const char *name, struct pid_probe *p)
{
	assert(p->funcs.n && (kind != PID_LINE || p->ats.n == p->funcs.n)); /* 1 */
	p->kind = kind;
	p->at = at;
	p->process = a->process;
	p->is_of_all = a->is_of_all;
	p->parent = a->parent;
	p->object = a->object;
	return prov_add(a->sink, &(struct prov_new){
		.prov = a->prov, .mod = a->object->name, .func = f->name,
		.name = name, .arg = (uintptr_t)p });
}

/* The number is another process's now: its places are others. */
static void
take_over(const struct asking *a, struct pid_probe *p)
{
	if (p->is_of_all || p->process == a->process)
		return;
	p->process = a->process;
	p->parent = a->parent;
	p->nold = p->funcs.n;
}

/* What f is and is called is a probe's from now on.  (A resolver's name is that of what it
 * has chosen, which may lie elsewhere.) */
static void
keep_names(const struct asking *a, const struct prov_ufunc *f)
{
	a->object->has_places = f->object->has_places = true;
}

/* Let the probe of these names have one place more, or make it. */
static struct err *
add_place(struct asking *a, struct prov_ufunc *f, enum pid_kind kind,
	  uint64_t at, const char *name, struct pid_probe **ret)
{
	const struct probe like = { .prov = a->prov, .mod = a->object->name,
				    .func = f->name, .name = name };
	const struct probe *old;
	struct pid_probe *p;

	keep_names(a, f);
	TRY(prov_find(a->s, &like, &old));
	if (old) {
		*ret = prov_pid_of(old);
		assert((*ret)->kind == kind && (*ret)->at == at);
		take_over(a, *ret);
		for (size_t i = (*ret)->nold; i < (*ret)->funcs.n; i++)
			if ((*ret)->funcs.v[i]->object == f->object &&
			    (*ret)->funcs.v[i]->offset == f->offset)
				return NULL;
		return vec_push(&(*ret)->funcs, f) ? NULL : &err_nomem;
	}
	p = new_probe(a);
	if (!p || !vec_push(&p->funcs, f))
		return &err_nomem;
	*ret = p;
	return make_probe(a, f, kind, at, name, p);
}

static struct err *
offer(struct asking *a, struct prov_ufunc *f, enum pid_kind kind,
      uint64_t at, const char *name)
{
	const struct key key = { a->is_of_all ? NULL : a->process, a->object,
				 f->offset, kind, at };
	struct pid_probe *p;

	if (!probe_pattern_match(&a->m.name, name) ||
	    hash_get(&a->b->places, &key, sizeof(key)))
		return NULL;
	TRY(add_place(a, f, kind, at, name, &p));
	a->b->knows_go |= !a->b->is_fixed && prov_pid_is_go(f);
	a->b->knows_32 |= !a->b->is_fixed && a->object->is_32;
	return hash_put(&a->b->places, &key, sizeof(key), p) ? NULL : &err_nomem;
}

struct offering {
	struct asking *a;
	struct prov_ufunc *f;
	struct err *err;
};

static bool
offer_insn(void *ctx, const struct insn *i)
{
	struct offering *o = ctx;
	char name[16];

	snprintf(name, sizeof(name), "%x", i->at);
	if (i->is_harmful || !probe_pattern_match(&o->a->m.name, name))
		return true;
	const char *own = arena_strdup(o->a->s->arena, name);
	o->err = own ? offer(o->a, o->f, PID_OFFSET, i->at, own) : &err_nomem;
	return !o->err;
}

/* Instructions, of a function that is named, or one of each. */
static struct err *
offer_insns(struct asking *a, struct prov_ufunc *f)
{
	struct offering o = { a, f, NULL };
	size_t size, end;

	if (!a->one_func && !a->one_insn)
		return NULL;
	TRY(prov_pid_code(a->b, a->object, f, &size));
	TRY(prov_pid_walk(a->b, a->object, size, offer_insn, &o, &end));
	return o.err;
}

/* The instruction at an address.  Its function is one by itself, called "-": it begins
 * with the instruction. */
static struct err *
offer_addr(struct asking *a, struct prov_object *o)
{
	struct pid_around x;
	struct pid_probe *p;

	TRY(prov_pid_addr(a->b, o, a->name, &x));
	if (!x.is_one || x.is_harmful)
		return NULL;
	struct prov_ufunc *f = ARENA_NEW(a->s->arena, struct prov_ufunc);
	const char *name = arena_strdup(a->s->arena, a->name);
	if (!f || !name)
		return &err_nomem;
	*f = (struct prov_ufunc){
		.name = "-", .object = o, .value = x.func->value + x.at,
		.offset = x.func->offset + x.at, .size = x.size - x.at,
	};
	return add_place(a, f, PID_OFFSET, 0, name, &p);
}

/* Of the names of one place the first, when some name is meant; or the one that is
 * asked for.  NULL: none. */
static struct prov_ufunc *
choose(const struct asking *a, struct prov_ufunc *f,
       struct prov_ufunc *end)
{
	struct prov_ufunc *first = f;

	assert(f < end && !f->is_alias);				/* 2 */
	if (prov_pid_is_part(f))
		return NULL;
	do {
		for (unsigned i = 0; i < FORMS; i++)
			if (probe_pattern_match(&a->m.func, form(a->s, f, i)))
				return a->one_func ? f : first;
	} while (++f < end && f->is_alias);
	return NULL;
}

/* Several names may be chosen to be one function: who says a name gets that, and who
 * says a pattern gets the function once. */
static struct err *
offer_chosen(struct asking *a, struct prov_ufunc *f)
{
	static const char *const names[] = { "entry", "return" };
	struct pid_probe *p;

	for (unsigned i = 0; i < BASE_NELEMS(names); i++) {
		enum pid_kind kind = i ? PID_RETURN : PID_ENTRY;
		if (!a->one_func)
			TRY(offer(a, f, kind, 0, names[i]));
		else if (probe_pattern_match(&a->m.name, names[i]))
			TRY(add_place(a, f, kind, 0, names[i], &p));
	}
	return offer_insns(a, f);
}

/* Functions that are chosen when the program starts.  Where one is asked for, another
 * of that name is an old version, which hardly anybody calls. */
static struct err *
ask_chosen(struct asking *a, struct prov_object *o, bool *only)
{
	struct prov_ufunc *f, *end = o->funcs + o->nfuncs, *resolver, *chosen;

	*only = false;
	for (f = o->funcs; f < end; f++) {
		if (f->is_alias || !f->is_resolver ||
		    !(resolver = choose(a, f, end)))
			continue;
		*only |= a->one_func;
		TRY(prov_pid_chosen(a->s, a->process, o, resolver, a->one_func,
				    &chosen));
		if (chosen)
			TRY(offer_chosen(a, chosen));
	}
	return NULL;
}

/* --- Lines ------------------------------------------------------------------ */

static struct err *
add_line_place(struct pid_probe *p, struct prov_ufunc *f, uint64_t at)
{
	for (size_t i = p->nold; i < p->funcs.n; i++)
		if (p->funcs.v[i] == f && p->ats.v[i] == at)
			return NULL;
	return vec_reserve(&p->ats, 1) && vec_push(&p->funcs, f) &&
	       vec_push(&p->ats, at) ? NULL : &err_nomem;
}

static struct err *
offer_line(void *ctx, struct prov_ufunc *f, uint64_t at, const char *name)
{
	struct asking *a = ctx;
	struct prov_object *o = a->object;
	struct prov_ufunc *chosen = choose(a, f, o->funcs + o->nfuncs);
	const struct probe *old;

	if (!chosen)
		return NULL;
	keep_names(a, chosen);
	TRY(prov_find(a->s, &(struct probe){
		.prov = a->prov, .mod = o->name, .func = chosen->name,
		.name = name }, &old));
	if (old) {
		take_over(a, prov_pid_of(old));
		return add_line_place(prov_pid_of(old), chosen, at);
	}
	struct pid_probe *p = new_probe(a);
	if (!p)
		return &err_nomem;
	TRY(add_line_place(p, chosen, at));
	return make_probe(a, chosen, PID_LINE, 0, name, p);
}

static bool
is_chosen(void *ctx, struct prov_ufunc *f)
{
	const struct asking *a = ctx;

	return choose(a, f, a->object->funcs + a->object->nfuncs);
}

/* --- All -------------------------------------------------------------------- */

static struct err *
ask_object(void *ctx, struct prov_object *o)
{
	struct asking *a = ctx;
	struct prov_ufunc *f, *end, *chosen;
	bool only;

	TRY(prov_user_functions(a->s, o));
	a->object = o;
	if (prov_pid_is_line(a->name))
		return prov_pid_lines(&(struct pid_lines){
			.s = a->s, .object = o, .name = a->name,
			.one_func = a->one_func, .is_meant = is_chosen,
			.fn = offer_line, .ctx = a });
	if (a->one_func && probe_pattern_match(&a->m.func, "-"))
		return offer_addr(a, o);
	TRY(ask_chosen(a, o, &only));
	if (only)
		return NULL;
	end = o->funcs + o->nfuncs;
	for (f = o->funcs; f < end; f++) {
		if (f->is_alias || f->is_resolver || !(chosen = choose(a, f, end)))
			continue;
		TRY(offer(a, chosen, PID_ENTRY, 0, "entry"));
		TRY(offer(a, chosen, PID_RETURN, 0, "return"));
		TRY(offer_insns(a, chosen));
	}
	return NULL;
}

/* The name, for as long as the set is there; a process has one. */
static const char *
keep_name(struct prov_set *s, struct prov_process *p, const char *name)
{
	if (!p->prov || strcmp(p->prov, name) != 0)
		p->prov = arena_strdup(s->arena, name);
	return p->prov;
}

static struct err *
ask_process(void *ctx, struct prov_process *p)
{
	struct asking *a = ctx;
	char own[24];

	snprintf(own, sizeof(own), "pid%d", (int)p->pid);
	a->process = p;
	a->prov = p->followed ? keep_name(a->s, p, own) : a->asked;
	a->parent = p->followed ? a->asked : NULL;
	if (!a->prov)
		return &err_nomem;
	return prov_user_objects(p, &a->m.mod, ask_object, a);
}

/* --- Of all processes ----------------------------------------------------------- */

/* Of an object all who execute it have the same; it is asked once. */
static struct err *
ask_object_once(void *ctx, struct prov_object *o)
{
	struct asking *a = ctx;
	char key[512];
	int n = snprintf(key, sizeof(key), "%p %s:%s:%s", (void *)o, a->d->mod,
			 a->d->func, a->d->name);
	void **at = hash_ref(&a->b->asked, key, (size_t)n < sizeof(key) ?
			     (size_t)n : sizeof(key) - 1);

	if (!at)
		return &err_nomem;
	if (*at)
		return NULL;
	*at = a->b;
	return ask_object(a, o);
}

static struct err *
ask_one_of_all(void *ctx, struct prov_process *p)
{
	struct asking *a = ctx;

	a->process = p;
	return prov_user_objects(p, &a->m.mod, ask_object_once, a);
}

/* May the file be called so?  ("libc" is libc.so.6, and a path is itself.) */
static struct err *
may_be_called(const void *ctx, int fd, const char *path, bool *ret)
{
	const char *name = ctx, *slash = strrchr(path, '/');

	*ret = probe_has_glob(name) || !strcmp(name, "a.out") ||
	       !strcmp(path, name) ||
	       !strncmp(slash ? slash + 1 : path, name, strlen(name));
	return NULL;
}

static struct err *
ask_all(struct asking *a)
{
	struct prov_all *all = hash_gets(&a->b->alls, a->d->mod);

	if (!a->s->funcs || !*a->d->mod)
		return NULL;
	if (!all) {
		const char *name = arena_strdup(a->s->arena, a->d->mod);
		if (!name)
			return &err_nomem;
		TRY(prov_all_new(a->s, may_be_called, name, &all));
		prov_all_files_will_do(all, true);
		if (!hash_puts(&a->b->alls, name, all))
			return &err_nomem;
	}
	a->is_of_all = true;
	a->prov = "pid";
	return prov_all_walk(a->s, all, ask_one_of_all, a);
}

/* "p*" may mean other providers. */
bool
prov_pid_means_all(const char *prov)
{
	struct probe_pattern p;

	probe_pattern_init(&p, prov);
	return !strncmp(prov, "pid", 3) && probe_has_glob(prov) &&
	       probe_pattern_match(&p, "pid");
}

pid_t
prov_pid_number(const char *prov)
{
	const char *digits = prov + 3;
	char *end;
	long pid;

	if (strncmp(prov, "pid", 3) || *digits < '1' || *digits > '9')
		return 0;
	pid = strtol(digits, &end, 10);
	return *end || pid > INT_MAX ? 0 : (pid_t)pid;
}

static struct err *
discover(struct prov_set *s, const struct probe_desc *d, struct prov_sink *sink)
{
	struct asking a = {
		.s = s, .sink = sink, .b = prov_state(s, &prov_pid_ops),
		.one_func = *d->func && !probe_has_glob(d->func),
		.one_insn = prov_pid_is_hex(d->name),
		.d = d, .name = d->name,
	};
	pid_t pid = prov_pid_number(d->prov);
	struct prov_process *p;

	probe_matcher_init(&a.m, d);
	if (!pid)
		return prov_pid_means_all(d->prov) ? ask_all(&a) : NULL;
	TRY(prov_user_process(s, pid, &p));
	a.asked = keep_name(s, p, d->prov);
	if (!a.asked)
		return &err_nomem;
	return prov_user_processes(s, pid, ask_process, &a);
}

/* What is mapped later may have any of these, of functions with the name. */
static struct err *
later(struct prov_set *s, const struct probe_desc *d, prov_point_fn *fn,
      void *ctx)
{
	struct probe_pattern name;
	bool one_func = *d->func && !probe_has_glob(d->func);

	if (!prov_pid_number(d->prov) && !prov_pid_means_all(d->prov))
		return NULL;
	probe_pattern_init(&name, d->name);
	/* "entry" begins as a number does. */
	bool insns = prov_pid_is_hex(d->name) ||
		     (one_func && (!*d->name || probe_has_glob(d->name)) &&
		      probe_globs_meet(d->name, "[0-9a-f]*"));
	return prov_pid_later(s, probe_pattern_match(&name, "entry"),
			      probe_pattern_match(&name, "return"),
			      prov_pid_is_line(d->name) || insns, fn, ctx);
}

static size_t
places(const struct probe *p)
{
	return prov_pid_of(p)->funcs.n;
}

static const char *
of_all(const struct probe *p)
{
	return "pid";
}

static const char *const names[] = { "entry", "return", "[0-9a-f]*", "*@*", NULL };

const struct prov_ops prov_pid_ops = {
	.name = "pid[0-9]*",
	.attr = PROV_ATTR_RAW,
	.names = names,
	.is_large = true,
	.is_named = true,
	.is_mapped = true,
	.state_size = sizeof(struct pid),
	.fini = fini,
	.discover = discover,
	.ways = prov_user_ways,
	.sites = prov_pid_sites,
	.later = later,
	.alias = alias,
	.places = places,
	.of_all = of_all,
	.missing = prov_pid_missing,
	.arg_type = prov_pid_arg_type,
	.arg_raw = prov_pid_arg_raw,
	.nargs = prov_pid_nargs,
};
