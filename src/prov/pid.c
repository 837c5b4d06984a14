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
 *		function "-": of the object
 *
 * Instructions are probes of their own only where one function is named: those of a
 * library are a million.
 *
 * A place has one probe, whatever names its function has: the name that was asked
 * for first.  By the others it is found, too (`alias`).  Functions of one name in
 * one object, static ones, are one probe with several places.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "prov/pid_priv.h"

static struct err *
init(struct prov_set *s, void **ret)
{
	struct pid *b = util_zalloc(sizeof(*b));

	if (!b)
		return &err_nomem;
	hash_init(&b->places);
	*ret = b;
	return NULL;
}

static void
fini(void *state)
{
	struct pid *b = state;
	struct hash_entry *e;

	vec_fini(&b->code);
	for (size_t i = 0; (e = hash_next(&b->places, &i)); ) {
		struct pid_probe *p = e->val;
		vec_fini(&p->funcs);
	}
	hash_fini(&b->places);
	util_free(b);
}

/* --- Names ------------------------------------------------------------------ */

/* What an object is called besides its own name, by those who trace p. */
static const char *
object_alias(const struct prov_process *p, const struct prov_object *o,
	     unsigned i)
{
	if (p->exe == o && !i)
		return "a.out";
	return o->others[i - (p->exe == o)];
}

bool
prov_pid_object_matches(const struct probe_pattern *pattern,
			const struct prov_process *p,
			const struct prov_object *o)
{
	const char *name = o->name;

	for (unsigned i = 0; name; name = object_alias(p, o, i++))
		if (probe_pattern_match(pattern, name))
			return true;
	return false;
}

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

	while (f->is_alias)
		f--;
	f += no;
	if (f == p->object->funcs + p->object->nfuncs || (no && !f->is_alias))
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
		return object_alias(p->process, p->object, i);
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
	bool one_func;			/* its function is no pattern */
	struct prov_process *process;
	struct prov_object *object;	/* that is being looked at */
};

/* What a place is. */
struct key {
	struct prov_process *process;
	struct prov_object *object;
	uint64_t offset, kind, at;
};

/* Let the probe of these names have one place more, or make it. */
static struct err *
add_place(struct asking *a, struct prov_ufunc *f, enum pid_kind kind,
	  uint64_t at, const char *name, struct pid_probe **ret)
{
	const struct probe like = { .prov = a->prov, .mod = a->object->name,
				    .func = f->name, .name = name };
	const struct probe *old;
	struct pid_probe *p;

	TRY(prov_find(a->s, &like, &old));
	if (old) {
		*ret = prov_pid_of(old);
		return vec_push(&(*ret)->funcs, f) ? NULL : &err_nomem;
	}
	p = ARENA_NEW(a->s->arena, struct pid_probe);
	if (!p || !vec_push(&p->funcs, f))
		return &err_nomem;
	p->kind = kind;
	p->at = at;
	p->process = a->process;
	p->parent = a->parent;
	p->object = a->object;
	*ret = p;
	return prov_add(a->sink, &(struct prov_new){
		.prov = a->prov, .mod = like.mod, .func = like.func,
		.name = like.name, .arg = (uintptr_t)p });
}

static struct err *
offer(struct asking *a, struct prov_ufunc *f, enum pid_kind kind,
      uint64_t at, const char *name)
{
	const struct key key = { a->process, a->object, f->offset, kind, at };
	struct pid_probe *p;

	if (!probe_pattern_match(&a->m.name, name) ||
	    hash_get(&a->b->places, &key, sizeof(key)))
		return NULL;
	TRY(add_place(a, f, kind, at, name, &p));
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

/* Instructions, of a function that is named. */
static struct err *
offer_insns(struct asking *a, struct prov_ufunc *f)
{
	struct offering o = { a, f, NULL };
	size_t size, end;

	if (!a->one_func)
		return NULL;
	TRY(prov_pid_code(a->b, a->object, f, &size));
	TRY(insn_walk(a->b->code.v, size, offer_insn, &o, &end));
	return o.err;
}

/* Of the names of one place the first, when some name is meant; or the one that is
 * asked for.  NULL: none. */
static struct prov_ufunc *
choose(const struct asking *a, struct prov_ufunc *f,
       struct prov_ufunc *end)
{
	struct prov_ufunc *first = f;

	if (f->is_resolver || prov_pid_is_part(f))
		return NULL;
	do {
		for (unsigned i = 0; i < FORMS; i++)
			if (probe_pattern_match(&a->m.func, form(a->s, f, i)))
				return a->one_func ? f : first;
	} while (++f < end && f->is_alias);
	return NULL;
}

/* Is what is asked for chosen when the program starts?  Then a function of that name is
 * an old version, which hardly anybody calls. */
static bool
is_chosen_later(const struct asking *a, const struct prov_object *o)
{
	for (size_t i = 0; a->one_func && i < o->nfuncs; i++)
		if (o->funcs[i].is_resolver &&
		    probe_pattern_match(&a->m.func, o->funcs[i].name))
			return true;
	return false;
}

static struct err *
ask_object(struct asking *a, struct prov_object *o)
{
	struct prov_ufunc *f, *end, *chosen;

	TRY(prov_user_functions(a->s, o));
	if (is_chosen_later(a, o))
		return NULL;
	a->object = o;
	end = o->funcs + o->nfuncs;
	for (f = o->funcs; f < end; f++) {
		if (f->is_alias || !(chosen = choose(a, f, end)))
			continue;
		TRY(offer(a, chosen, PID_ENTRY, 0, "entry"));
		TRY(offer(a, chosen, PID_RETURN, 0, "return"));
		TRY(offer_insns(a, chosen));
	}
	return NULL;
}

/* Each object once, though it may be mapped in pieces. */
static bool
is_first(const struct prov_process *p, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (p->maps.v[k].object == p->maps.v[i].object)
			return false;
	return true;
}

static struct err *
ask_process(void *ctx, struct prov_process *p)
{
	struct asking *a = ctx;

	a->process = p;
	a->prov = p->followed ? arena_printf(a->s->arena, "pid%d", (int)p->pid)
			      : a->asked;
	a->parent = p->followed ? a->asked : NULL;
	if (!a->prov)
		return &err_nomem;
	for (size_t i = 0; i < p->maps.n; i++)
		if (is_first(p, i) &&
		    prov_pid_object_matches(&a->m.mod, p, p->maps.v[i].object))
			TRY(ask_object(a, p->maps.v[i].object));
	return NULL;
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
	};
	pid_t pid = prov_pid_number(d->prov);

	if (!pid)
		return NULL;
	a.asked = arena_strdup(s->arena, d->prov);
	if (!a.asked)
		return &err_nomem;
	probe_matcher_init(&a.m, d);
	return prov_user_processes(s, pid, ask_process, &a);
}

/* What is mapped later may have any of these, of functions with the name. */
static struct err *
later(struct prov_set *s, const struct probe_desc *d, prov_point_fn *fn,
      void *ctx)
{
	struct probe_pattern name;

	if (!prov_pid_number(d->prov))
		return NULL;
	probe_pattern_init(&name, d->name);
	return prov_pid_later(s, probe_pattern_match(&name, "entry"),
			      probe_pattern_match(&name, "return"),
			      *d->func && !probe_has_glob(d->func) &&
			      probe_globs_meet(d->name, "[0-9a-f]*"), fn, ctx);
}

static const struct prov_way ways[] = {
	{ "uprobe_multi", "by links of many places (uprobe.multi)" },
	{ "uprobe", "by a perf event for each place" },
	{ NULL, NULL },
};

static const char *const names[] = { "entry", "return", "[0-9a-f]*", NULL };

const struct prov_ops prov_pid_ops = {
	.name = "pid[0-9]*",
	.attr = PROV_ATTR_RAW,
	.names = names,
	.is_large = true,
	.is_named = true,
	.is_mapped = true,
	.init = init,
	.fini = fini,
	.discover = discover,
	.ways = ways,
	.sites = prov_pid_sites,
	.later = later,
	.alias = alias,
	.missing = prov_pid_missing,
	.arg_type = prov_pid_arg_type,
	.arg_raw = prov_pid_arg_raw,
	.nargs = prov_pid_nargs,
};
