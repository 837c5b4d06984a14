/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The pid provider: pidN:OBJECT:FUNCTION:entry of every function of process N.
 * Probes are made for who asks, from the symbols of the files that the process has
 * mapped; all entries of one process have one program, and a link for each file.
 *
 *	entry	arg0 ...	what the function was called with
 *
 * A place has one probe, whatever names its function has: the name that was asked
 * for first.  By the others it is found, too (`alias`).  Functions of one name in
 * one object, static ones, are one probe with several places.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "prov/func.h"
#include "prov/prov_priv.h"
#include "prov/user.h"

enum kind { ENTRY, NKINDS };

static const char *const kind_names[NKINDS] = { [ENTRY] = "entry" };

struct pid {
	struct abi_point point[NKINDS];
	bool has_points;
	struct hash places;		/* struct key: struct pid_probe */
};

/* A probe, and what it is found by. */
struct pid_probe {
	enum kind kind;
	struct prov_process *process;
	struct prov_object *object;
	VEC(const struct prov_ufunc *) funcs;	/* its places */
};

struct key {
	struct prov_process *process;
	struct prov_object *object;
	uint64_t offset, kind;
};

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

	for (size_t i = 0; (e = hash_next(&b->places, &i)); ) {
		struct pid_probe *p = e->val;
		vec_fini(&p->funcs);
	}
	hash_fini(&b->places);
	util_free(b);
}

static struct pid_probe *
of(const struct probe *p)
{
	return (struct pid_probe *)(uintptr_t)p->arg;
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

static bool
object_matches(const struct probe_pattern *pattern,
	       const struct prov_process *p, const struct prov_object *o)
{
	const char *name = o->name;

	for (unsigned i = 0; name; name = object_alias(p, o, i++))
		if (probe_pattern_match(pattern, name))
			return true;
	return false;
}

/* The i-th of the names that a place has besides the probe's own. */
static const char *
func_alias(const struct pid_probe *p, unsigned i)
{
	const struct prov_ufunc *f = p->funcs.v[0];

	while (f->is_alias)
		f--;
	f += i;
	if (f == p->object->funcs + p->object->nfuncs || (i && !f->is_alias))
		return NULL;
	return f->name;
}

static const char *
alias(struct prov_set *s, const struct probe *probe, enum prov_part part,
      unsigned i)
{
	const struct pid_probe *p = of(probe);

	return part == PROV_PART_MOD ?
	       object_alias(p->process, p->object, i) : func_alias(p, i);
}

/* --- Discovery -------------------------------------------------------------- */

/* One description, while its probes are made. */
struct asking {
	struct prov_set *s;
	struct prov_sink *sink;
	struct pid *b;
	const char *prov;		/* "pid7" */
	struct probe_matcher m;
	bool one_func;			/* its function is no pattern */
	struct prov_process *process;
	struct prov_object *object;	/* that is being looked at */
};

/* Let the probe of these names have one place more, or make it. */
static struct err *
add_place(struct asking *a, const struct prov_ufunc *f, enum kind kind,
	  struct pid_probe **ret)
{
	const struct probe like = { .prov = a->prov, .mod = a->object->name,
				    .func = f->name,
				    .name = kind_names[kind] };
	const struct probe *old;
	struct pid_probe *p;

	TRY(prov_find(a->s, &like, &old));
	if (old) {
		*ret = of(old);
		return vec_push(&of(old)->funcs, f) ? NULL : &err_nomem;
	}
	p = ARENA_NEW(a->s->arena, struct pid_probe);
	if (!p || !vec_push(&p->funcs, f))
		return &err_nomem;
	p->kind = kind;
	p->process = a->process;
	p->object = a->object;
	*ret = p;
	return prov_add(a->sink, &(struct prov_new){
		.prov = a->prov, .mod = like.mod, .func = like.func,
		.name = like.name, .arg = (uintptr_t)p });
}

static struct err *
offer(struct asking *a, const struct prov_ufunc *f, enum kind kind)
{
	const struct key key = { a->process, a->object, f->offset, kind };
	struct pid_probe *p;

	if (!probe_pattern_match(&a->m.name, kind_names[kind]))
		return NULL;
	if (hash_get(&a->b->places, &key, sizeof(key)))
		return NULL;
	TRY(add_place(a, f, kind, &p));
	return hash_put(&a->b->places, &key, sizeof(key), p) ? NULL : &err_nomem;
}

/* Of the names of one place the first, when some name is meant; or the one that is
 * asked for. */
static const struct prov_ufunc *
choose(const struct asking *a, const struct prov_ufunc *f,
       const struct prov_ufunc *end)
{
	const struct prov_ufunc *first = f;

	do {
		if (probe_pattern_match(&a->m.func, f->name))
			return a->one_func ? f : first;
	} while (++f < end && f->is_alias);
	return NULL;
}

static struct err *
ask_object(struct asking *a, struct prov_object *o)
{
	const struct prov_ufunc *f, *end, *chosen;

	TRY(prov_user_functions(a->s, o));
	a->object = o;
	end = o->funcs + o->nfuncs;
	for (f = o->funcs; f < end; f++) {
		if (f->is_alias || !(chosen = choose(a, f, end)))
			continue;
		for (int k = 0; k < NKINDS; k++)
			TRY(offer(a, chosen, (enum kind)k));
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
ask_process(struct asking *a)
{
	struct prov_process *p = a->process;

	for (size_t i = 0; i < p->maps.n; i++)
		if (is_first(p, i) &&
		    object_matches(&a->m.mod, p, p->maps.v[i].object))
			TRY(ask_object(a, p->maps.v[i].object));
	return NULL;
}

/* The process that a provider's name ends with; 0: none. */
static pid_t
pid_of(const char *prov)
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
	pid_t pid = pid_of(d->prov);

	if (!pid)
		return NULL;
	a.prov = arena_strdup(s->arena, d->prov);
	if (!a.prov)
		return &err_nomem;
	probe_matcher_init(&a.m, d);
	TRY(prov_user_process(s, pid, &a.process));
	return ask_process(&a);
}

/* --- Sites ------------------------------------------------------------------ */

/* Registers, and then what lies above the address to return to. */
static void
entry_args(struct abi_arg args[ABI_NARGS])
{
	static const uint8_t regs[] = {
		ABI_ROLE_ARG0, ABI_ROLE_ARG1, ABI_ROLE_ARG2, ABI_ROLE_ARG3,
		ABI_ROLE_ARG4, ABI_ROLE_ARG5,
#if defined(__aarch64__)
		ABI_REG_X6, ABI_REG_X7,
#endif
	};
	enum { NREGS = BASE_NELEMS(regs) };
#if defined(__aarch64__)
	const int above = 0;
#else
	const int above = 8;
#endif

	for (unsigned i = 0; i < ABI_NARGS; i++)
		args[i] = i < NREGS ?
			(struct abi_arg){ .kind = ABI_ARG_REG, .size = 8,
					  .reg = regs[i] } :
			(struct abi_arg){ .kind = ABI_ARG_UMEM, .size = 8,
				.reg = ABI_ROLE_SP,
				.off = above + 8 * (int)(i - NREGS) };
}

static struct err *
need_points(struct prov_set *s, struct pid *b)
{
	if (b->has_points)
		return NULL;
	entry_args(b->point[ENTRY].args);
	for (int i = 0; i < NKINDS; i++) {
		b->point[i].find = ABI_FIND_COOKIE;
		b->point[i].target = "pid_entry";
		TRY(prov_user_point(s, false, &b->point[i]));
	}
	b->has_points = true;
	return NULL;
}

static struct err *
sites(struct prov_set *s, const struct probe *probe, prov_site_fn *fn,
      void *ctx)
{
	struct pid *b = prov_state(s, &prov_pid_ops);
	const struct pid_probe *p = of(probe);

	TRY(need_points(s, b));
	for (size_t i = 0; i < p->funcs.n; i++)
		TRY(fn(ctx, &(struct prov_site){
			.point = &b->point[p->kind],
			.trigger = PROV_TRIGGER_RAWTP,
			.file = p->object->file, .pid = p->process->own,
			.offset = p->funcs.v[i]->offset }));
	return NULL;
}

static const char *const names[] = { "entry", NULL };

const struct prov_ops prov_pid_ops = {
	.name = "pid[0-9]*",
	.attr = PROV_ATTR_RAW,
	.names = names,
	.is_large = true,
	.is_named = true,
	.init = init,
	.fini = fini,
	.discover = discover,
	.sites = sites,
	.alias = alias,
};
