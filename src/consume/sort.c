/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The order of display.  What a row is ordered by is worked out once per row
 * (a histogram's total takes 127 multiplications, a standard deviation a
 * division of 192 bits), then rows are sorted by it; keys are compared in place
 * when values tie.  The order is total, so no sort needs to be stable.
 */
#include <stdlib.h>
#include <string.h>

#include "consume/consume_priv.h"

struct ranked {
	struct weight weight;
	const struct consume_elem *key_elem;	/* the row's key is there */
	const struct abi_agg_desc *key_desc;
	size_t row;
};

struct order {
	const struct consume_meta *meta;
	struct consume_sort how;
};

static int
compare_weights(const struct weight *a, const struct weight *b)
{
	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	return (a->zero > b->zero) - (a->zero < b->zero);
}

static int
compare_ranked(const void *av, const void *bv, void *ctx)
{
	const struct ranked *a = av, *b = bv;
	const struct order *o = ctx;
	int d = o->how.by_key ? 0 : compare_weights(&a->weight, &b->weight);

	if (!d)
		d = consume_key_compare(o->meta, a->key_desc, a->key_elem->key,
					b->key_desc, b->key_elem->key,
					o->how.keypos);
	if (!d)
		d = compare_weights(&a->weight, &b->weight);
	return o->how.reverse ? -d : d;
}

static void
sort_ranked(const struct consume *c, struct ranked *v, size_t n,
	    struct consume_sort how)
{
	struct order o = { c->meta, how };

	if (n)
		qsort_r(v, n, sizeof(*v), compare_ranked, &o);
}

struct err *
consume_agg_sorted(struct consume *c, struct consume_agg *g,
		   struct consume_sort how, struct consume_elem ***ret,
		   size_t *n)
{
	struct ranked *v = util_alloc(g->n * sizeof(*v));
	struct consume_elem **sorted = util_alloc(g->n * sizeof(*sorted));

	if (!v || !sorted) {
		util_free(v);
		util_free(sorted);
		return &err_nomem;
	}
	for (size_t i = 0; i < g->n; i++)
		v[i] = (struct ranked){ consume_weight(g->desc, &g->elems[i]),
					&g->elems[i], g->desc, i };
	sort_ranked(c, v, g->n, how);
	for (size_t i = 0; i < g->n; i++)
		sorted[i] = &g->elems[v[i].row];
	util_free(v);
	*ret = sorted;
	*n = g->n;
	return NULL;
}

/* --- Several aggregations ----------------------------------------------- */

struct join {
	struct consume *c;
	struct consume_agg *const *g;
	unsigned naggs;
	struct consume_elem **rows;	/* naggs pointers each */
	struct ranked *ranked;
	size_t n;
};

/* The element of aggregation `at` with the key of e, which is of `from`. */
static struct consume_elem *
partner(const struct join *j, unsigned from, const struct consume_elem *e,
	unsigned at)
{
	const struct store *s = (const struct store *)j->g[at];

	if (!consume_key_translate(j->c, j->g[from]->desc, e->key,
				   j->g[at]->desc, j->c->key))
		return NULL;
	return consume_store_find(s, j->c->key);
}

/* A row for e of aggregation `from`, unless an earlier one has its key. */
static void
join_elem(struct join *j, unsigned from, struct consume_elem *e, unsigned pos)
{
	struct consume_elem **row = j->rows + j->n * j->naggs;

	for (unsigned i = 0; i < j->naggs; i++) {
		row[i] = i == from ? e : partner(j, from, e, i);
		if (i < from && row[i])
			return;
	}
	for (unsigned i = 0; i < j->naggs; i++)
		if (!row[i])
			row[i] = &((struct store *)j->g[i])->zero;
	j->ranked[j->n] = (struct ranked){
		consume_weight(j->g[pos]->desc, row[pos]), e,
		j->g[from]->desc, j->n };
	j->n++;
}

/* The rows in the order of ranked. */
static void
permute(const struct join *j, struct consume_elem **out)
{
	for (size_t i = 0; i < j->n; i++)
		memcpy(out + i * j->naggs,
		       j->rows + j->ranked[i].row * j->naggs,
		       j->naggs * sizeof(*out));
}

static bool
join_begin(struct join *j, size_t *max)
{
	for (unsigned i = 0; i < j->naggs; i++) {
		if (!consume_store_zero((struct store *)j->g[i]))
			return false;
		*max += j->g[i]->n;
	}
	j->rows = util_alloc(*max * j->naggs * sizeof(*j->rows));
	j->ranked = util_alloc(*max * sizeof(*j->ranked));
	return j->rows && j->ranked;
}

struct err *
consume_agg_joined(struct consume *c, struct consume_agg *const *g,
		   unsigned naggs, struct consume_sort how, unsigned pos,
		   struct consume_elem ***ret, size_t *nrows)
{
	struct join j = { .c = c, .g = g, .naggs = naggs };
	struct consume_elem **out = NULL;
	size_t max = 0;

	if (pos >= naggs)
		pos = 0;
	if (join_begin(&j, &max))
		out = util_alloc(max * naggs * sizeof(*out));
	if (out) {
		for (unsigned i = 0; i < naggs; i++)
			for (size_t k = 0; k < g[i]->n; k++)
				join_elem(&j, i, &g[i]->elems[k], pos);
		sort_ranked(c, j.ranked, j.n, how);
		permute(&j, out);
		*ret = out;
		*nrows = j.n;
	}
	util_free(j.rows);
	util_free(j.ranked);
	return out ? NULL : &err_nomem;
}
