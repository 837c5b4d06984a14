/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A consumer from beginning to end.  What the descriptions of aggregations
 * claim is checked here, once, and is relied on wherever cells are merged:
 *
 *	1. an aggregation has as many cells as its function needs, or has neither;
 *	2. each part of a key lies within the key.
 */
#include "base/base.h"
#include "consume/consume_priv.h"

/* --- Checking what aggregations claim to be ----------------------------- */

static bool
key_fits(const struct abi_agg_desc *d, const struct abi_field *f)
{
	if (f->offset > d->key_size || f->size > d->key_size - f->offset)
		return false;
	if (f->kind == ABI_FIELD_PROBE)
		return f->size == 4 && f->sub < CANON_NPARTS;
	return true;
}

static bool
agg_fits(const struct abi_agg_desc *d)
{
	if (!d->ncells || d->ncells != consume_agg_cells(d->func, d->arg))
		return false;
	return !BASE_ANY(i, d->nkeys, !key_fits(d, &d->keys[i]));
}

static struct err *
open_stores(struct consume *c)
{
	uint32_t n = c->meta->agg ? c->meta->naggs : 0;
	size_t longest = 1;

	c->stores = util_zalloc(n * sizeof(*c->stores));
	if (!c->stores)
		return &err_nomem;
	for (; c->nstores < n; c->nstores++) {
		const struct abi_agg_desc *d =
			c->meta->agg(c->meta->ctx, c->nstores + 1);
		/* Only clauses that are left out, as their probes cannot be attached,
		 * aggregate into one without a function. */
		if (d && !d->func && !d->ncells)
			d = NULL;
		consume_store_init(&c->stores[c->nstores], d);
		if (!d)
			continue;
		if (!agg_fits(d))
			return err_new(ERR_FORMAT, 0, "aggregation %u: bad "
				       "description", c->nstores + 1);
		longest = BASE_MAX(longest, d->key_size);
	}
	c->key = util_alloc(longest);
	return c->key ? NULL : &err_nomem;
}

struct err *
consume_new(const struct consume_source *src, const struct consume_meta *meta,
	    struct consume **ret)
{
	struct consume *c = util_zalloc(sizeof(*c));
	struct err *err;

	if (!c)
		return &err_nomem;
	c->src = src;
	c->meta = meta;
	c->cpus = util_zalloc(src->ncpus * sizeof(*c->cpus));
	c->told = util_zalloc((size_t)ABI_NDROPS * BASE_MAX(src->ncpus, 1u) *
			      sizeof(*c->told));
	err = c->cpus && c->told ? open_stores(c) : &err_nomem;
	if (!err)
		err = consume_spec_init(c);
	if (err) {
		consume_free(c);
		return err;
	}
	*ret = c;
	return NULL;
}

void
consume_free(struct consume *c)
{
	if (!c)
		return;
	for (uint32_t i = 0; i < c->nstores; i++)
		consume_store_fini(&c->stores[i]);
	for (unsigned i = 0; i < CANON_NPARTS; i++)
		consume_canon_fini(&c->canon[i]);
	for (unsigned i = 0; i < BASE_NELEMS(c->pools); i++)
		consume_pool_fini(&c->pools[i]);
	consume_spec_fini(c);
	vec_fini(&c->items);
	vec_fini(&c->tmp);
	vec_fini(&c->epids);
	util_free(c->stores);
	util_free(c->cpus);
	util_free(c->told);
	util_free(c->key);
	util_free(c);
}
