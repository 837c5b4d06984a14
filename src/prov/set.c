/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which probes there are.  A provider is asked, not emptied: it makes the
 * probes that a description can match, when one comes that can.  So a program
 * of system calls never waits for the kernel's functions to be listed.
 *
 *  1. There are no two probes of one name; index.c finds what exists.
 *  2. An id is given when a probe is made, and stays.  Of those that are known
 *     when this is built each has a place, so that BEGIN is 1 whatever is asked
 *     first; places are filled as they are asked for, and until then the table
 *     of probes has NULL there.  All others follow, as they come.
 *  3. A description is asked once, until prov_ask_again() says that the world
 *     has changed.
 *  4. low <= id <= high for each probe of a provider.
 *  5. A provider has its state before anything is asked of it.
 */
#include <assert.h>
#include <string.h>

#include "base/base.h"
#include "prov/derive.h"
#include "prov/prov_priv.h"
#include "prov/user.h"
#include "util/alloc.h"

static const struct prov_ops *const table[] = {
#define PROVIDER(id) &prov_##id##_ops,
#include "prov/provider.def"
#undef PROVIDER
};

struct err *
prov_set_new(struct arena *a, struct typedb *db, struct prov_set **ret)
{
	struct prov_set *s = util_zalloc(sizeof(*s));

	if (!s)
		return &err_nomem;
	s->arena = a;
	s->db = db;
	s->looks = PROV_LOOKS_ALL;
	for (size_t i = 0; i < BASE_NELEMS(table); i++) {
		struct err *e = prov_set_add(s, table[i]);
		if (e) {
			prov_set_free(s);
			return e;
		}
	}
	*ret = s;
	return NULL;
}

void
prov_set_free(struct prov_set *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->providers.n; i++) {
		struct provider *p = &s->providers.v[i];
		if (p->state && p->ops->fini)
			p->ops->fini(p->state);
		util_free(p->state);
	}
	vec_fini(&s->providers);
	vec_fini(&s->probes);
	prov_index_fini(s);
	hash_fini(&s->asked);
	prov_users_free(s->users);
	prov_funcs_free(s->funcs);
	util_free(s);
}

struct err *
prov_set_add(struct prov_set *s, const struct prov_ops *ops)
{
	uint32_t n = ops->nplaces;
	struct provider p = {
		.ops = ops, .first = (uint32_t)s->probes.n + 1,
		.low = UINT32_MAX,
	};

	if (n) {
		if (!vec_reserve(&s->probes, n))
			return &err_nomem;
		memset(s->probes.v + s->probes.n, 0, n * sizeof(*s->probes.v));
		s->probes.n += n;
	}
	if (!vec_push(&s->providers, p))
		return &err_nomem;
	prov_ask_again(s);
	return NULL;
}

void
prov_ask_again(struct prov_set *s)
{
	hash_fini(&s->asked);
	prov_users_again(s->users);
	for (size_t i = 0; i < s->providers.n; i++)
		s->providers.v[i].asked_all = false;
}

void *
prov_state(const struct prov_set *s, const struct prov_ops *ops)
{
	for (size_t i = 0; i < s->providers.n; i++)
		if (s->providers.v[i].ops == ops)
			return s->providers.v[i].state;
	return NULL;
}

static bool
has_state(const struct provider *p)
{
	return p->state || !p->ops->state_size;
}

/* Before provider i is asked for anything. */
static struct err *
need_state(struct prov_set *s, size_t i)
{
	struct provider *p = &s->providers.v[i];

	if (has_state(p))
		return NULL;
	p->state = util_zalloc(p->ops->state_size);
	if (!p->state)
		return &err_nomem;
	if (p->ops->init)
		p->ops->init(p->state);
	return NULL;
}

struct err *
prov_need_state(struct prov_set *s, const struct prov_ops *ops)
{
	size_t i = 0;

	while (i < s->providers.n && s->providers.v[i].ops != ops)
		i++;
	assert(i < s->providers.n);
	return need_state(s, i);
}

const struct prov_work *
prov_work(const struct prov_set *s)
{
	return &s->work;
}

uint64_t
prov_asked(const struct prov_set *s, const char *name)
{
	for (size_t i = 0; i < s->providers.n; i++)
		if (strcmp(s->providers.v[i].ops->name, name) == 0)
			return s->providers.v[i].asked;
	return 0;
}

uint32_t
prov_last_id(const struct prov_set *s)
{
	return (uint32_t)s->probes.n;
}

/* --- Making --------------------------------------------------------------- */

static struct probe
draft(const struct prov_sink *k, const struct prov_new *n)
{
	assert(k->provider < k->s->providers.n);
	const struct prov_ops *ops = k->s->providers.v[k->provider].ops;

	return (struct probe){
		.prov = n->prov ? n->prov : ops->name,
		.mod = n->mod ? n->mod : "", .func = n->func ? n->func : "",
		.name = n->name ? n->name : "",
		.attr = &ops->attr, .provider = k->provider, .arg = n->arg,
	};
}

/* Whether the sink asks for p, and there is none of its name. */
static struct err *
wants(const struct prov_sink *k, const struct probe *p, uint32_t place,
      bool *ret)
{
	const struct provider *v = &k->s->providers.v[k->provider];
	const struct probe *old = NULL;

	*ret = prov_filter_match(k->s, &k->f, p);
	if (!*ret)
		return NULL;
	/* Nobody else has its place; that saves looking it up. */
	if (place)
		old = k->s->probes.v[v->first + place - 2];
	else
		TRY(prov_find(k->s, p, &old));
	*ret = !old;
	return NULL;
}

struct err *
prov_wants(const struct prov_sink *k, const struct prov_new *n, bool *ret)
{
	struct probe p = draft(k, n);

	return wants(k, &p, n->place, ret);
}

static bool
copy_names(struct arena *a, struct probe *p)
{
	p->prov = arena_strdup(a, p->prov);
	p->mod = arena_strdup(a, p->mod);
	p->func = arena_strdup(a, p->func);
	p->name = arena_strdup(a, p->name);
	return !arena_failed(a);
}

/* p gets its id. */
static struct err *
keep(struct prov_set *s, struct probe *p, uint32_t place)
{
	struct provider *v = &s->providers.v[p->provider];

	assert(place <= v->ops->nplaces);				/* 2 */
	p->id = place ? v->first + place - 1 : (uint32_t)s->probes.n + 1;
	assert(!place || !s->probes.v[p->id - 1]);			/* 1 */
	if ((!place && !vec_reserve(&s->probes, 1)) || !prov_index_add(s, p))
		return &err_nomem;
	s->probes.n += !place;
	s->probes.v[p->id - 1] = p;
	v->low = BASE_MIN(v->low, p->id);
	v->high = BASE_MAX(v->high, p->id);
	assert(p->id && p->id <= s->probes.n &&
	       v->low <= p->id && p->id <= v->high);			/* 4 */
	return NULL;
}

struct err *
prov_add(struct prov_sink *k, const struct prov_new *n)
{
	struct prov_set *s = k->s;
	struct probe p = draft(k, n);
	bool wanted;

	TRY(wants(k, &p, n->place, &wanted));
	if (!wanted)
		return NULL;
	if (n->copy && !copy_names(s->arena, &p))
		return &err_nomem;
	struct probe *own = arena_memdup(s->arena, &p, sizeof(p));
	return own ? keep(s, own, n->place) : &err_nomem;
}

/* --- Asking --------------------------------------------------------------- */

bool
prov_may_match(const struct prov_ops *ops, const struct probe_desc *d)
{
	if (!probe_globs_meet(d->prov, ops->name) ||
	    (ops->is_named && !*d->prov))
		return false;
	if (ops->derived)
		return derive_may_match(ops->derived, d);
	for (const char *const *name = ops->names; name && *name; name++)
		if (probe_globs_meet(d->name, *name))
			return true;
	return !ops->names;
}

struct err *
prov_ask_one(struct prov_set *s, uint32_t i, const struct probe_desc *d)
{
	const struct prov_ops *ops = s->providers.v[i].ops;
	struct prov_sink sink = { .s = s, .provider = i };

	TRY(need_state(s, i));
	prov_filter_init(&sink.f, ops, d);
	s->providers.v[i].asked++;
	s->work.asked++;
	assert(has_state(&s->providers.v[i]));				/* 5 */
	return ops->discover(s, d, &sink);
}

struct err *
prov_ask_all(struct prov_set *s, uint32_t i)
{
	static const struct probe_desc all = { "", "", "", "", 0 };

	if (s->providers.v[i].asked_all)
		return NULL;
	TRY(prov_ask_one(s, i, &all));
	s->providers.v[i].asked_all = true;
	return NULL;
}

/* The description as a key; 0: it is longer than any that is remembered. */
static size_t
asked_key(const struct probe_desc *d, char *buf, size_t size)
{
	const char *const parts[] = { d->prov, d->mod, d->func, d->name };
	size_t n = 0;

	for (size_t i = 0; i < BASE_NELEMS(parts); i++) {
		size_t len = strlen(parts[i]) + 1;
		if (len > size - n)
			return 0;
		memcpy(buf + n, parts[i], len);
		n += len;
	}
	return n;
}

/* What one provider cannot tell is of no interest to a description that does not
 * name it: others have what is meant.  Then *whole is false. */
static struct err *
serious(struct err *e, const struct probe_desc *d, bool *whole)
{
	if (!e || e->code == ERR_NOMEM ||
	    (*d->prov && !probe_has_glob(d->prov)))
		return e;
	*whole = false;
	err_free(e);
	return NULL;
}

struct err *
prov_ask(struct prov_set *s, const struct probe_desc *d)
{
	char key[PROBE_PROVLEN + PROBE_MODLEN + PROBE_FUNCLEN + PROBE_NAMELEN];
	size_t size = asked_key(d, key, sizeof(key));
	bool whole = true;

	if (size && hash_get(&s->asked, key, size))
		return NULL;
	for (uint32_t i = 0; i < s->providers.n; i++)
		if (prov_may_match(s->providers.v[i].ops, d))
			TRY(serious(prov_ask_one(s, i, d), d, &whole));
	return !whole || !size || hash_put(&s->asked, key, size, s) ? NULL : &err_nomem;
}

/* --- By id ---------------------------------------------------------------- */

static struct err *
make_id(struct prov_set *s, uint32_t id)
{
	const struct probe_desc any = { "", "", "", "", 0 };
	bool whole;

	for (uint32_t i = 0; i < s->providers.n; i++) {
		const struct provider *v = &s->providers.v[i];
		if (id >= v->first && id - v->first < v->ops->nplaces)
			return prov_ask_all(s, i);
	}
	for (uint32_t i = 0; i < s->providers.n && id > s->probes.n; i++)
		TRY(serious(prov_ask_all(s, i), &any, &whole));
	return NULL;
}

struct err *
prov_find_id(struct prov_set *s, uint32_t id, const struct probe **ret)
{
	if (id && (id > s->probes.n || !s->probes.v[id - 1]))
		TRY(make_id(s, id));
	*ret = id && id <= s->probes.n ? s->probes.v[id - 1] : NULL;
	assert(!*ret || (*ret)->id == id);				/* 2 */
	return NULL;
}

const struct probe *
prov_by_id(struct prov_set *s, uint32_t id)
{
	const struct probe *p = NULL;

	err_free(prov_find_id(s, id, &p));
	return p;
}

/* --- Of a probe ----------------------------------------------------------- */

const struct type *
prov_arg_type(struct prov_set *s, const struct probe *p, unsigned n,
	      const char **name, unsigned *raw)
{
	const struct prov_ops *ops = s->providers.v[p->provider].ops;
	const char *own = NULL;
	const struct type *t = ops->arg_type ? ops->arg_type(s, p, n, &own)
					     : NULL;

	if (!t)
		return NULL;
	*name = own;
	*raw = ops->arg_raw ? ops->arg_raw(s, p, n) : n;
	return t;
}

const char *
prov_arg_xlate(struct prov_set *s, const struct probe *p, unsigned n)
{
	const struct prov_ops *ops = s->providers.v[p->provider].ops;

	return ops->arg_xlate ? ops->arg_xlate(s, p, n) : NULL;
}

int
prov_nargs(struct prov_set *s, const struct probe *p)
{
	const struct prov_ops *ops = s->providers.v[p->provider].ops;

	return ops->nargs ? ops->nargs(s, p) : 0;
}

void
prov_looks(struct prov_set *s, unsigned looks)
{
	s->looks = looks;
}

struct err *
prov_sites(struct prov_set *s, const struct probe *p, prov_site_fn *fn,
	   void *ctx)
{
	assert(p->id && s->probes.v[p->id - 1] == p);			/* 2 */
	assert(has_state(&s->providers.v[p->provider]));		/* 5 */
	return s->providers.v[p->provider].ops->sites(s, p, fn, ctx);
}

struct err *
prov_later(struct prov_set *s, const struct probe_desc *d, prov_point_fn *fn,
	   void *ctx)
{
	for (uint32_t i = 0; !d->id && i < s->providers.n; i++) {
		const struct prov_ops *ops = s->providers.v[i].ops;
		if (!ops->later || !prov_may_match(ops, d))
			continue;
		TRY(need_state(s, i));
		TRY(ops->later(s, d, fn, ctx));
	}
	return NULL;
}
