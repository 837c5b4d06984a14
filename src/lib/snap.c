/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Snapshots of aggregations: keys and cells are copied, in the order of display.
 */
#include <string.h>

#include "lib/event_priv.h"

struct dtrace_row {
	const struct dtrace_agg *agg;
	const uint8_t *key;
	const uint64_t *cells;
	const struct dtrace_field *keys;	/* nkeys */
	bool seen;
};

struct dtrace_agg {
	unsigned refs;
	const struct abi_agg_desc *d;
	int64_t normal;
	size_t n;
	/* Owned. */
	struct dtrace_row *rows;		/* n */
	struct dtrace_field *fields;		/* n * nkeys */
	uint64_t *cells;			/* n * ncells */
	uint8_t *keys;				/* n * key_size */
};

static bool
alloc_rows(dtrace_agg_t *a, size_t n)
{
	a->rows = util_alloc(n * sizeof(*a->rows));
	a->fields = util_alloc(n * a->d->nkeys * sizeof(*a->fields));
	a->cells = util_alloc(n * a->d->ncells * sizeof(*a->cells));
	a->keys = util_alloc(n * a->d->key_size);
	return a->rows && a->fields && a->cells && a->keys;
}

static void
copy_row(dtrace_hdl_t *h, dtrace_agg_t *a, const struct consume_elem *e)
{
	const struct abi_agg_desc *d = a->d;
	struct dtrace_field *f = a->fields + a->n * d->nkeys;
	uint64_t *cells = a->cells + a->n * d->ncells;
	uint8_t *key = a->keys + a->n * d->key_size;

	memcpy(key, e->key, d->key_size);
	memcpy(cells, e->cells, d->ncells * sizeof(*cells));
	for (uint32_t i = 0; i < d->nkeys; i++)
		f[i] = (struct dtrace_field){ h, &d->keys[i], key, NULL };
	a->rows[a->n++] = (struct dtrace_row){ a, key, cells, f, e->seen };
}

struct err *
lib_snap(dtrace_hdl_t *h, struct consume_agg *g, dtrace_agg_t **ret)
{
	dtrace_agg_t *a = util_zalloc(sizeof(*a));
	struct consume_elem **v = NULL;
	struct err *e = NULL;
	size_t n = 0;

	if (!a)
		return &err_nomem;
	a->refs = 1;
	a->d = g->desc;
	a->normal = g->normal ? g->normal : 1;
	e = consume_agg_sorted(session_consume(h->s), g, lib_agg_sort(h), &v,
			       &n);
	if (!e && !alloc_rows(a, n))
		e = &err_nomem;
	for (size_t i = 0; !e && i < n; i++)
		copy_row(h, a, v[i]);
	util_free(v);
	if (e)
		dtrace_agg_unref(a);
	else
		*ret = a;
	return e;
}

PUBLIC unsigned int
dtrace_naggs(dtrace_hdl_t *h)
{
	return h->fmt ? session_meta(h->s)->naggs : 0;
}

PUBLIC dtrace_agg_t *
dtrace_agg_snap(dtrace_hdl_t *h, dtrace_aggid_t id)
{
	dtrace_agg_t *ret = NULL;
	struct consume_agg *g = NULL;
	struct err *e = lib_check_walk(h);

	if (!e)
		e = consume_snapshot(session_consume(h->s));
	if (!e) {
		g = consume_agg(session_consume(h->s), id);
		e = g ? lib_snap(h, g, &ret) :
			err_new(ERR_NOTFOUND, 0, "there is no aggregation %u",
				id);
	}
	if (e)
		lib_fail(h, e);
	return ret;
}

PUBLIC dtrace_agg_t *
dtrace_agg_ref(dtrace_agg_t *a)
{
	a->refs++;
	return a;
}

PUBLIC void
dtrace_agg_unref(dtrace_agg_t *a)
{
	if (!a || --a->refs)
		return;
	util_free(a->rows);
	util_free(a->fields);
	util_free(a->cells);
	util_free(a->keys);
	util_free(a);
}

/* --- Asking ----------------------------------------------------------------------- */

PUBLIC dtrace_aggid_t
dtrace_agg_id(const dtrace_agg_t *a)
{
	return a->d->id;
}

PUBLIC const char *
dtrace_agg_name(const dtrace_agg_t *a)
{
	return a->d->name;
}

PUBLIC int
dtrace_agg_func(const dtrace_agg_t *a)
{
	return (int)a->d->func;
}

PUBLIC int64_t
dtrace_agg_normal(const dtrace_agg_t *a)
{
	return a->normal;
}

PUBLIC unsigned int
dtrace_agg_nkeys(const dtrace_agg_t *a)
{
	return a->d->nkeys;
}

PUBLIC const char *
dtrace_agg_keyname(const dtrace_agg_t *a, unsigned int i)
{
	return i < a->d->nkeys && a->d->key_names ? a->d->key_names[i] : NULL;
}

PUBLIC size_t
dtrace_agg_nrows(const dtrace_agg_t *a)
{
	return a->n;
}

PUBLIC const dtrace_row_t *
dtrace_agg_row(const dtrace_agg_t *a, size_t i)
{
	return i < a->n ? &a->rows[i] : NULL;
}

PUBLIC int
dtrace_agg_walk(const dtrace_agg_t *a, dtrace_row_f *fn, void *arg)
{
	int result = 0;

	for (size_t i = 0; i < a->n && !result; i++)
		result = fn(a, &a->rows[i], arg);
	return result;
}

PUBLIC const dtrace_field_t *
dtrace_row_key(const dtrace_row_t *r, unsigned int i)
{
	return i < r->agg->d->nkeys ? &r->keys[i] : NULL;
}

static int64_t
sum_of_buckets(const dtrace_row_t *r)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < r->agg->d->ncells; i++)
		sum += r->cells[i];
	return (int64_t)sum;
}

PUBLIC int64_t
dtrace_row_value(const dtrace_row_t *r)
{
	const struct dtrace_agg *a = r->agg;
	struct consume_agg g = { .desc = a->d, .normal = a->normal };
	struct consume_elem e = { r->key, (uint64_t *)(uintptr_t)r->cells,
				  r->seen };

	if (consume_is_histogram(a->d))
		return consume_normalize(sum_of_buckets(r), a->normal);
	return consume_agg_value(&g, &e);
}

PUBLIC int64_t
dtrace_row_count(const dtrace_row_t *r)
{
	switch (r->agg->d->func) {
	case ABI_AGG_COUNT:
	case ABI_AGG_AVG:
	case ABI_AGG_STDDEV: return (int64_t)r->cells[0];
	default: return dtrace_row_nbuckets(r) ? sum_of_buckets(r) : 0;
	}
}

PUBLIC int64_t
dtrace_row_sum(const dtrace_row_t *r)
{
	switch (r->agg->d->func) {
	case ABI_AGG_SUM: return (int64_t)r->cells[0];
	case ABI_AGG_AVG:
	case ABI_AGG_STDDEV: return (int64_t)r->cells[1];
	default: return 0;
	}
}

PUBLIC unsigned int
dtrace_row_nbuckets(const dtrace_row_t *r)
{
	return consume_is_histogram(r->agg->d) ? r->agg->d->ncells : 0;
}

PUBLIC int
dtrace_row_bucket(const dtrace_row_t *r, unsigned int i, dtrace_bucket_t *ret)
{
	int64_t low, high;
	bool has_low, has_high;

	if (i >= dtrace_row_nbuckets(r))
		return -1;
	fmt_bucket_range(r->agg->d, i, &low, &has_low, &high, &has_high);
	*ret = (dtrace_bucket_t){ has_low ? low : INT64_MIN,
		has_high ? high : INT64_MAX,
		consume_normalize((int64_t)r->cells[i], r->agg->normal) };
	return 0;
}
