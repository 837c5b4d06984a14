/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which probes a description matches.  Once providers were asked, a description
 * of one function and one last part is a look-up; any other is compared with the
 * probes whose ids lie where the providers in question have theirs, or, where there
 * are many descriptions, with those of its last part.
 *
 * A provider may know foreign names of its functions, or of its probes' last parts.  Such
 * a name is tried as it stands, and then as each of those that it is a name of.  Names that
 * the kernel itself has elsewhere are its own: io:genunix::start is
 * io:vmlinux::start.
 */
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "prov/coming.h"
#include "prov/derive.h"
#include "prov/prov_priv.h"
#include "prov/user.h"

void
prov_filter_init(struct prov_filter *f, const struct prov_ops *ops,
		 const struct probe_desc *d)
{
	probe_matcher_init(&f->m, d);
	f->nfuncs = ops->aliases ? ops->aliases(d->func, f->funcs) : 0;
	f->foreign_name = ops->is_foreign_name && ops->is_foreign_name(NULL, d->name) ? d->name
										     : NULL;
}

static bool
has_func(const struct prov_filter *f, const char *func)
{
	return BASE_ANY(i, f->nfuncs, strcmp(f->funcs[i], func) == 0);
}

static bool
has_foreign_name(struct prov_set *s, const struct prov_filter *f, const struct probe *p)
{
	return f->foreign_name &&
	       s->providers.v[p->provider].ops->is_foreign_name(p, f->foreign_name);
}

/* By another name that its provider knows. */
static bool
alias_matches(struct prov_set *s, const struct probe_pattern *pattern,
	      const struct probe *p, enum prov_part part)
{
	const struct prov_ops *ops = s->providers.v[p->provider].ops;
	const char *name;

	for (unsigned i = 0; ops->alias && (name = ops->alias(s, p, part, i));
	     i++)
		if (part == PROV_PART_MOD ? prov_object_name_matches(pattern, name)
					  : probe_pattern_match(pattern, name))
			return true;
	return false;
}

bool
prov_filter_match(struct prov_set *s, const struct prov_filter *f,
		  const struct probe *p)
{
	s->work.matched++;
	return (probe_pattern_match(&f->m.name, p->name) || has_foreign_name(s, f, p)) &&
	       (probe_pattern_match(&f->m.prov, p->prov) ||
		alias_matches(s, &f->m.prov, p, PROV_PART_PROV)) &&
	       (probe_pattern_match(&f->m.func, p->func) ||
		has_func(f, p->func) ||
		alias_matches(s, &f->m.func, p, PROV_PART_FUNC)) &&
	       (probe_matcher_mod(&f->m, p->mod) ||
		alias_matches(s, &f->m.mod, p, PROV_PART_MOD));
}

bool
prov_by_alias(struct prov_set *s, const struct probe_desc *d,
	      const struct probe *p)
{
	const struct prov_ops *ops = s->providers.v[p->provider].ops;
	struct prov_filter f;

	if ((!ops->aliases && !ops->is_foreign_name) || probe_desc_match(d, p))
		return false;
	prov_filter_init(&f, ops, d);
	return (f.nfuncs || f.foreign_name) && prov_filter_match(s, &f, p);
}

bool
prov_is_of_all(const struct prov_set *s, const struct probe *p)
{
	const struct prov_ops *ops = s->providers.v[p->provider].ops;

	return ops->of_all && !strcmp(p->prov, ops->of_all(p));
}

size_t
prov_places(const struct prov_set *s, const struct probe *p)
{
	const struct prov_ops *ops = s->providers.v[p->provider].ops;

	return ops->places ? ops->places(p) : 0;
}

void
prov_places_from(struct prov_set *s, size_t from)
{
	s->from_place = from;
}

bool
prov_is_unlisted(const struct prov_set *s, const struct probe *p)
{
	return s->providers.v[p->provider].ops->lists_each &&
	       prov_is_of_all(s, p);
}

bool
prov_is_covered(struct prov_set *s, const struct probe_desc *d,
		const struct probe *p)
{
	const struct prov_ops *ops = s->providers.v[p->provider].ops;
	struct probe like = { .mod = p->mod, .func = p->func, .name = p->name };
	const struct probe *all = NULL;
	struct prov_filter f;

	if (!ops->of_all || prov_is_of_all(s, p))
		return false;
	like.prov = ops->of_all(p);
	err_free(prov_find(s, &like, &all));
	if (!all)
		return false;
	prov_filter_init(&f, ops, d);
	return prov_filter_match(s, &f, all);
}

enum prov_foreign
prov_foreign(struct prov_set *s, const struct probe_desc *d, struct sb *b)
{
	for (size_t i = 0; i < s->providers.n && !d->id; i++) {
		const struct prov_ops *ops = s->providers.v[i].ops;
		if (ops->foreign && (ops->derived || prov_may_match(ops, d)) &&
		    ops->foreign(s, ops, d, b))
			return ops->derived ? PROV_FOREIGN_PROBE
					    : PROV_FOREIGN_CALL;
	}
	return PROV_FOREIGN_NONE;
}

const struct type *
prov_foreign_arg(struct prov_set *s, const struct probe_desc *d, unsigned n,
		 const char **xlate)
{
	const struct type *t = NULL;

	for (size_t i = 0; i < s->providers.n && !d->id && !t; i++) {
		const struct prov_ops *ops = s->providers.v[i].ops;
		if (ops->derived)
			t = derive_foreign_arg(s, ops, d, n, xlate);
	}
	return t;
}

const char *
prov_misnamed(const struct prov_set *s, const struct probe_desc *d, struct sb *b)
{
	for (size_t i = 0; i < s->providers.n && !d->id && !b->len; i++) {
		const struct prov_ops *ops = s->providers.v[i].ops;
		if (ops->misnamed && probe_globs_meet(d->prov, ops->name) &&
		    !probe_has_glob(d->name))
			ops->misnamed(d->name, b);
	}
	return b->len ? sb_str(b) : NULL;
}

bool
prov_missing(struct prov_set *s, const struct probe_desc *d, struct sb *b,
	     enum prov_part *part)
{
	/* A name that none of its probes has is for the provider to explain, too. */
	const struct probe_desc all = { d->prov, "", "", "", 0 };

	for (size_t i = 0; i < s->providers.n && !d->id && !b->len; i++) {
		const struct prov_ops *ops = s->providers.v[i].ops;
		if (ops->missing && prov_may_match(ops, &all))
			err_free(ops->missing(s, d, b, part));
	}
	return b->len && !b->failed;
}

/* The providers that may have a match, and between which ids. */
struct range {
	struct prov_filter *filters;	/* by provider */
	bool *may;			/* by provider: has its filter */
	bool has_aliases;		/* names are not all that is matched */
	bool has_foreign_name;		/* nor is the last part */
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
		r->has_aliases |= v->ops->alias != NULL;
		r->has_foreign_name |= f[i].foreign_name != NULL;
		r->low = BASE_MIN(r->low, v->low);
		r->high = BASE_MAX(r->high, v->high);
	}
	return NULL;
}

/* Whether p matches; false for a provider that came in the meantime. */
static bool
in_range(struct prov_set *s, const struct range *r, const struct probe *p)
{
	return p && p->provider < r->nproviders && r->may[p->provider] &&
	       prov_filter_match(s, &r->filters[p->provider], p);
}

/* fn may make more probes; those are not walked. */
static void
walk_all(struct prov_set *s, const struct range *r, prov_match_fn *fn,
	 void *ctx)
{
	for (uint32_t id = r->low; id <= r->high; id++) {
		const struct probe *p = s->probes.v[id - 1];
		if (in_range(s, r, p) && !fn(ctx, p))
			break;
	}
}

static int
by_value(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static bool
is_literal(const char *field)
{
	return *field && !probe_has_glob(field);
}

/* What d may be about, were it of that function: the one of all four names, or
 * all of the function and last part. */
static struct err *
look_up(struct prov_set *s, const struct probe_desc *d, const char *func,
	struct prov_ids *ids)
{
	struct probe like = { .prov = d->prov, .mod = d->mod, .func = func,
			      .name = d->name };
	const struct probe *p;

	if (!is_literal(d->prov) || !is_literal(d->mod) ||
	    probe_is_kernel(d->mod))
		return prov_find_group(s, func, d->name, ids);
	TRY(prov_find(s, &like, &p));
	return !p || vec_push(ids, p->id) ? NULL : &err_nomem;
}

/* Those of the function of d and of all that it is a foreign name of. */
static struct err *
gather(struct prov_set *s, const struct range *r, const struct probe_desc *d,
       struct prov_ids *ids)
{
	TRY(look_up(s, d, d->func, ids));
	for (size_t i = 0; i < r->nproviders; i++)
		for (unsigned k = 0; r->may[i] && k < r->filters[i].nfuncs; k++)
			TRY(look_up(s, d, r->filters[i].funcs[k], ids));
	return NULL;
}

static void
walk_ids(struct prov_set *s, const struct range *r, struct prov_ids *ids,
	 prov_match_fn *fn, void *ctx)
{
	if (ids->n > 1)
		qsort(ids->v, ids->n, sizeof(*ids->v), by_value);
	for (size_t i = 0; i < ids->n; i++) {
		const struct probe *p = s->probes.v[ids->v[i] - 1];
		if (i && ids->v[i] == ids->v[i - 1])
			continue;
		if (in_range(s, r, p) && !fn(ctx, p))
			break;
	}
}

static struct err *
walk_group(struct prov_set *s, const struct range *r,
	   const struct probe_desc *d, prov_match_fn *fn, void *ctx)
{
	struct prov_ids ids = { 0 };
	struct err *e = gather(s, r, d, &ids);

	if (!e)
		walk_ids(s, r, &ids, fn, ctx);
	vec_fini(&ids);
	return e;
}

/* Without a function, what has the last part is looked for among all; where that has
 * been done so often that a hash would have cost less, it is there, and may say
 * that few have it. */
static struct err *
walk_named(struct prov_set *s, const struct range *r,
	   const struct probe_desc *d, prov_match_fn *fn, void *ctx)
{
	enum { FEW = 64, DEAR = 8 };	/* to enter a name, in names that are compared */
	struct prov_ids ids = { 0 };
	bool hashed = s->index.walked >= DEAR * s->probes.n;
	struct err *e = hashed ? prov_find_named(s, d->name, FEW, &ids) : NULL;

	if (!e && hashed && ids.n <= FEW) {
		walk_ids(s, r, &ids, fn, ctx);
	} else if (!e) {
		s->index.walked += r->high >= r->low ? r->high - r->low + 1 : 0;
		walk_all(s, r, fn, ctx);
	}
	vec_fini(&ids);
	return e;
}

struct err *
prov_match(struct prov_set *s, const struct probe_desc *d, prov_match_fn *fn,
	   void *ctx)
{
	struct err *e = NULL;
	struct range r;

	if (d->id) {
		const struct probe *p;
		TRY(prov_find_id(s, d->id, &p));
		if (p && probe_desc_match(d, p))
			fn(ctx, p);
		return NULL;
	}
	TRY(prov_ask(s, d));
	TRY(range_init(s, d, &r));
	if (is_literal(d->func) && is_literal(d->name) && !r.has_aliases)
		e = walk_group(s, &r, d, fn, ctx);
	else if (is_literal(d->name) && !r.has_foreign_name)
		e = walk_named(s, &r, d, fn, ctx);
	else
		walk_all(s, &r, fn, ctx);
	util_free(r.filters);
	return e;
}
