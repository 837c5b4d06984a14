/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which probes a description matches.  Once providers were asked, a description
 * that is one name in all four parts is one look-up; any other is compared with
 * the probes whose ids lie where the providers in question have theirs.
 *
 * A provider may know foreign names of its functions.  Such a name is tried as
 * it stands, and then as each of the functions that it is a name of.
 */
#include <string.h>

#include "base/base.h"
#include "prov/prov_priv.h"

void
prov_filter_init(struct prov_filter *f, const struct prov_ops *ops,
		 const struct probe_desc *d)
{
	probe_matcher_init(&f->m, d);
	f->nfuncs = ops->aliases ? ops->aliases(d->func, f->funcs) : 0;
}

static bool
has_func(const struct prov_filter *f, const char *func)
{
	for (unsigned i = 0; i < f->nfuncs; i++)
		if (strcmp(f->funcs[i], func) == 0)
			return true;
	return false;
}

bool
prov_filter_match(struct prov_set *s, const struct prov_filter *f,
		  const struct probe *p)
{
	s->work.matched++;
	return (probe_pattern_match(&f->m.func, p->func) ||
		has_func(f, p->func)) &&
	       probe_pattern_match(&f->m.name, p->name) &&
	       probe_pattern_match(&f->m.mod, p->mod) &&
	       probe_pattern_match(&f->m.prov, p->prov);
}

bool
prov_by_alias(struct prov_set *s, const struct probe_desc *d,
	      const struct probe *p)
{
	const struct prov_ops *ops = s->providers.v[p->provider].ops;
	struct prov_filter f;

	if (!ops->aliases || probe_desc_match(d, p))
		return false;
	prov_filter_init(&f, ops, d);
	return f.nfuncs && prov_filter_match(s, &f, p);
}

bool
prov_foreign(struct prov_set *s, const struct probe_desc *d, struct sb *b)
{
	bool any = false;

	for (size_t i = 0; i < s->providers.n && !d->id; i++) {
		const struct prov_ops *ops = s->providers.v[i].ops;
		if (ops->foreign && prov_may_match(ops, d))
			any |= ops->foreign(d, b);
	}
	return any;
}

static bool
is_one_name(const struct probe_desc *d)
{
	const char *const parts[] = { d->prov, d->mod, d->func, d->name };

	for (size_t i = 0; i < BASE_NELEMS(parts); i++)
		if (!*parts[i] || probe_has_glob(parts[i]))
			return false;
	return true;
}

static bool
knows_aliases(const struct prov_set *s, const struct probe_desc *d)
{
	const char *funcs[PROV_MAX_ALIASES];

	for (size_t i = 0; i < s->providers.n; i++) {
		const struct prov_ops *ops = s->providers.v[i].ops;
		if (ops->aliases && prov_may_match(ops, d) &&
		    ops->aliases(d->func, funcs))
			return true;
	}
	return false;
}

/* The providers that may have a match, and between which ids. */
struct range {
	struct prov_filter *filters;	/* by provider */
	bool *may;			/* by provider: has its filter */
	size_t nproviders;
	uint32_t low, high;
};

static struct err *
range_init(struct prov_set *s, const struct probe_desc *d, struct range *r)
{
	size_t n = s->providers.n;
	struct prov_filter *f = util_alloc(n * (sizeof(*f) + sizeof(bool)));

	*r = (struct range){ .filters = f, .may = (bool *)(f + n),
			     .nproviders = n, .low = UINT32_MAX };
	if (!f)
		return &err_nomem;
	for (size_t i = 0; i < n; i++) {
		const struct provider *v = &s->providers.v[i];
		r->may[i] = v->low <= v->high && prov_may_match(v->ops, d);
		if (!r->may[i])
			continue;
		prov_filter_init(&f[i], v->ops, d);
		r->low = BASE_MIN(r->low, v->low);
		r->high = BASE_MAX(r->high, v->high);
	}
	return NULL;
}

/* fn may make more probes; those are not walked. */
static struct err *
walk(struct prov_set *s, const struct probe_desc *d, prov_match_fn *fn,
     void *ctx)
{
	struct range r;

	TRY(range_init(s, d, &r));
	for (uint32_t id = r.low; id <= r.high; id++) {
		const struct probe *p = s->probes.v[id - 1];
		if (p && p->provider < r.nproviders && r.may[p->provider] &&
		    prov_filter_match(s, &r.filters[p->provider], p) &&
		    !fn(ctx, p))
			break;
	}
	util_free(r.filters);
	return NULL;
}

struct err *
prov_match(struct prov_set *s, const struct probe_desc *d, prov_match_fn *fn,
	   void *ctx)
{
	const struct probe *p;

	if (d->id) {
		p = prov_by_id(s, d->id);
		if (p && probe_desc_match(d, p))
			fn(ctx, p);
		return NULL;
	}
	TRY(prov_ask(s, d));
	if (!is_one_name(d) || knows_aliases(s, d))
		return walk(s, d, fn, ctx);
	struct probe like = { .prov = d->prov, .mod = d->mod, .func = d->func,
			      .name = d->name };
	TRY(prov_find(s, &like, &p));
	if (p)
		fn(ctx, p);
	return NULL;
}
