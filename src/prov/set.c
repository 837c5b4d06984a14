/* SPDX-License-Identifier: BSD-2-Clause
 *
 * All providers and their probes.  Ids are handed out by rank alone: each
 * provider knows how many standing probes it has, so a probe has the same id
 * whether or not the probes before it were ever listed.  Listing waits until
 * a description may match; then probes that come to be by mention follow,
 * in the order of mention.
 */
#include <string.h>

#include "prov/prov_priv.h"
#include "util/alloc.h"

const struct prov_ops *const prov_table[PROV_NPROVIDERS] = {
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
	s->first_made = 1;
	for (unsigned i = 0; i < PROV_NPROVIDERS; i++) {
		s->groups[i].first = s->first_made;
		s->first_made += prov_table[i]->nstanding;
	}
	*ret = s;
	return NULL;
}

void
prov_set_free(struct prov_set *s)
{
	if (!s)
		return;
	vec_fini(&s->made);
	util_free(s);
}

static void
init_probe(struct probe *p, unsigned provider, uint32_t id)
{
	*p = (struct probe){
		.id = id, .prov = prov_table[provider]->name,
		.mod = "", .func = "", .name = "",
		.attr = &prov_table[provider]->attr, .provider = provider,
	};
}

struct err *
prov_fill(struct prov_set *s, unsigned i)
{
	const struct prov_ops *ops = prov_table[i];
	struct prov_group *g = &s->groups[i];

	if (g->probes)
		return NULL;
	struct probe *probes = ARENA_ARRAY(s->arena, struct probe,
					   ops->nstanding);
	if (!probes)
		return &err_nomem;
	for (uint32_t k = 0; k < ops->nstanding; k++)
		init_probe(&probes[k], i, g->first + k);
	if (!ops->list(s, probes))
		return &err_nomem;
	g->probes = probes;
	return NULL;
}

/* Whether provider i has a probe of that name already. */
static bool
has_name(const struct prov_set *s, unsigned i, const char *name)
{
	for (uint32_t k = 0; k < prov_table[i]->nstanding; k++)
		if (strcmp(s->groups[i].probes[k].name, name) == 0)
			return true;
	for (size_t k = 0; k < s->made.n; k++)
		if (s->made.v[k]->provider == i &&
		    strcmp(s->made.v[k]->name, name) == 0)
			return true;
	return false;
}

struct err *
prov_mention(struct prov_set *s, unsigned i, const struct probe_desc *d)
{
	struct probe fresh;
	bool made = false;

	if (!prov_table[i]->mention)
		return NULL;
	TRY(prov_fill(s, i));
	if (has_name(s, i, d->name))
		return NULL;
	init_probe(&fresh, i, s->first_made + (uint32_t)s->made.n);
	TRY(prov_table[i]->mention(s, d, &fresh, &made));
	if (!made)
		return NULL;
	struct probe *p = arena_memdup(s->arena, &fresh, sizeof(fresh));
	return p && vec_push(&s->made, p) ? NULL : &err_nomem;
}

/* Whether any probe of the provider can match, as far as can be told without
 * listing them. */
static bool
may_match(const struct prov_ops *ops, const struct probe_desc *d)
{
	if (!probe_glob_match(d->prov, ops->name))
		return false;
	for (const char *const *name = ops->names; name && *name; name++)
		if (probe_glob_match(d->name, *name))
			return true;
	return !ops->names;
}

/* p matches d once a foreign name is read as ours. */
static bool
alias_match(const struct probe_desc *d, const struct probe *p,
	    const char *const *funcs, unsigned n)
{
	struct probe_desc ours = *d;

	for (unsigned i = 0; i < n; i++) {
		ours.func = funcs[i];
		if (probe_desc_match(&ours, p))
			return true;
	}
	return false;
}

bool
prov_by_alias(const struct probe_desc *d, const struct probe *p)
{
	const struct prov_ops *ops = prov_table[p->provider];
	const char *funcs[PROV_MAX_ALIASES];

	if (!ops->aliases || probe_desc_match(d, p))
		return false;
	return alias_match(d, p, funcs, ops->aliases(d->func, funcs));
}

bool
prov_foreign(const struct probe_desc *d, struct sb *b)
{
	bool any = false;

	for (unsigned i = 0; i < PROV_NPROVIDERS && !d->id; i++)
		if (prov_table[i]->foreign && may_match(prov_table[i], d))
			any |= prov_table[i]->foreign(d, b);
	return any;
}

/* Walk the standing probes of provider i; false in *more ends the walk. */
static struct err *
match_group(struct prov_set *s, unsigned i, const struct probe_desc *d,
	    prov_match_fn *fn, void *ctx, bool *more)
{
	const struct prov_ops *ops = prov_table[i];
	const char *funcs[PROV_MAX_ALIASES];
	unsigned nfuncs = ops->aliases ? ops->aliases(d->func, funcs) : 0;

	TRY(prov_fill(s, i));
	TRY(prov_mention(s, i, d));
	for (uint32_t k = 0; k < ops->nstanding && *more; k++) {
		const struct probe *p = &s->groups[i].probes[k];
		if (probe_desc_match(d, p) || alias_match(d, p, funcs, nfuncs))
			*more = fn(ctx, p);
	}
	return NULL;
}

static struct err *
find_id(struct prov_set *s, uint32_t id, const struct probe **ret)
{
	*ret = NULL;
	if (id >= s->first_made) {
		if (id - s->first_made < s->made.n)
			*ret = s->made.v[id - s->first_made];
		return NULL;
	}
	for (unsigned i = PROV_NPROVIDERS; id && i-- > 0;) {
		if (id < s->groups[i].first)
			continue;
		TRY(prov_fill(s, i));
		*ret = &s->groups[i].probes[id - s->groups[i].first];
		return NULL;
	}
	return NULL;
}

struct err *
prov_match(struct prov_set *s, const struct probe_desc *d, prov_match_fn *fn,
	   void *ctx)
{
	bool more = true;

	if (d->id) {
		const struct probe *p;
		TRY(find_id(s, d->id, &p));
		if (p && probe_desc_match(d, p))
			fn(ctx, p);
		return NULL;
	}
	for (unsigned i = 0; i < PROV_NPROVIDERS && more; i++)
		if (may_match(prov_table[i], d))
			TRY(match_group(s, i, d, fn, ctx, &more));
	for (size_t i = 0; i < s->made.n && more; i++)
		if (probe_desc_match(d, s->made.v[i]))
			more = fn(ctx, s->made.v[i]);
	return NULL;
}

const struct probe *
prov_by_id(struct prov_set *s, uint32_t id)
{
	const struct probe *p = NULL;

	err_free(find_id(s, id, &p));
	return p;
}

uint32_t
prov_nprobes(struct prov_set *s)
{
	return s->first_made - 1 + (uint32_t)s->made.n;
}

const struct type *
prov_arg_type(struct prov_set *s, const struct probe *p, unsigned n,
	      const char **name, unsigned *raw)
{
	const struct prov_ops *ops = prov_table[p->provider];
	const char *own = NULL;
	const struct type *t = ops->arg_type ? ops->arg_type(s, p, n, &own)
					     : NULL;

	if (!t)
		return NULL;
	*name = own;
	*raw = n;
	return t;
}

int
prov_nargs(struct prov_set *s, const struct probe *p)
{
	const struct prov_ops *ops = prov_table[p->provider];

	return ops->nargs ? ops->nargs(p) : 0;
}

struct err *
prov_where(struct prov_set *s, const struct probe *p, struct prov_where *ret)
{
	*ret = (struct prov_where){ 0 };
	prov_table[p->provider]->where(p, ret);
	return NULL;
}
