/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Aggregations: what comes in with a snapshot, and what clear() and trunc()
 * make of it.
 */
#include <string.h>

#include "consume/consume_priv.h"

static struct store *
find_store(struct consume *c, uint32_t aggid)
{
	if (!aggid || aggid > c->nstores || !c->stores[aggid - 1].pub.desc)
		return NULL;
	return &c->stores[aggid - 1];
}

struct consume_agg *
consume_agg(struct consume *c, uint32_t aggid)
{
	struct store *s = find_store(c, aggid);

	return s ? &s->pub : NULL;
}

/* Cells first..last-1. */
static void
merge_cells(const struct abi_agg_desc *d, uint64_t *to, uint32_t first,
	    uint32_t last, const uint64_t *from)
{
	bool is_max = d->func == ABI_AGG_MIN || d->func == ABI_AGG_MAX;

	for (uint32_t i = first; i < last; i++, from++) {
		if (is_max)
			to[i] = BASE_MAX(to[i], *from);
		else
			to[i] += *from;
		/* Cells 2 and 3 are one number. */
		if (d->func == ABI_AGG_STDDEV && i == 2 && to[2] < *from)
			to[3]++;
	}
}

struct err *
consume_agg_add_piece(struct consume *c, uint32_t aggid, const void *key,
		      uint32_t first, uint32_t n, const uint64_t *cells)
{
	struct store *s = find_store(c, aggid);

	if (!s || first >= s->pub.desc->ncells) {
		c->malformed++;
		return NULL;
	}
	n = BASE_MIN(n, s->pub.desc->ncells - first);
	if (c->on_elem)
		c->on_elem(c->on_elem_ctx, s->pub.desc, key, first, n, cells);
	TRY(consume_key_canon(c, s->pub.desc, key, c->key));
	struct consume_elem *e = consume_store_ref(s, c->key);
	if (!e)
		return &err_nomem;
	merge_cells(s->pub.desc, e->cells, first, first + n, cells);
	e->seen = true;
	return NULL;
}

struct err *
consume_agg_add(struct consume *c, uint32_t aggid, const void *key,
		const uint64_t *cells)
{
	return consume_agg_add_piece(c, aggid, key, 0, UINT32_MAX, cells);
}

void
consume_elem_clear(struct consume_agg *g, struct consume_elem *e)
{
	memset(e->cells, 0, g->desc->ncells * sizeof(*e->cells));
	e->seen = false;
}

void
consume_watch_aggs(struct consume *c, consume_elem_fn *fn, void *ctx)
{
	c->on_elem = fn;
	c->on_elem_ctx = ctx;
}

void
consume_agg_clear(struct consume_agg *g)
{
	g->shown = false;
	for (size_t i = 0; i < g->n; i++)
		consume_elem_clear(g, &g->elems[i]);
}

struct err *
consume_agg_keep(struct consume_agg *g, struct consume_elem *const *keep,
		 size_t n)
{
	return consume_store_keep((struct store *)g, keep, n) ? NULL
							      : &err_nomem;
}

struct err *
consume_agg_trunc(struct consume *c, struct consume_agg *g, int64_t n)
{
	uint64_t keep = n < 0 ? -(uint64_t)n : (uint64_t)n;
	struct consume_elem **sorted;
	size_t have;

	if (!keep)
		g->shown = false;
	if (keep >= g->n)
		return NULL;
	if (!keep) {
		consume_store_keep((struct store *)g, NULL, 0);
		return NULL;
	}
	TRY(consume_agg_sorted(c, g, (struct consume_sort){ 0 }, &sorted,
			       &have));
	bool ok = consume_store_keep((struct store *)g,
				     n > 0 ? sorted + (have - keep) : sorted,
				     keep);
	util_free(sorted);
	return ok ? NULL : &err_nomem;
}

struct err *
consume_snapshot(struct consume *c)
{
	if (!c->src->snapshot)
		return NULL;
	return c->src->snapshot(c->src->ctx, c);
}
