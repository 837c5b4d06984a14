/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Aggregations: printa(), and what is printed without being asked at the end.
 * One or several are the same thing, rows of as many elements as there are
 * aggregations; a row without a value in one of them has zeroes there.
 */
#include "fmt/agg_priv.h"
#include "fmt/field_priv.h"
#include "fmt/format_priv.h"
#include "util/alloc.h"

struct rows {
	struct consume_elem **v;	/* n rows of naggs */
	size_t n;
	struct consume_agg *const *g;
	unsigned naggs;
};

/* The number that an option is, 0 when it is none. */
static unsigned
number_of(const struct fmt *f, enum opt_id id)
{
	int64_t v = f->opts->v[id];

	return v > 0 && v < INT32_MAX ? (unsigned)v : 0;
}

struct consume_sort
fmt_sort(const struct fmt *f)
{
	return (struct consume_sort){
		.by_key = fmt_on(f, OPT_AGGSORTKEY),
		.reverse = fmt_on(f, OPT_AGGSORTREV),
		.keypos = number_of(f, OPT_AGGSORTKEYPOS),
	};
}

static struct err *
get_rows(struct fmt *f, struct rows *r)
{
	struct consume_sort how = fmt_sort(f);

	if (r->naggs == 1)
		return consume_agg_sorted(f->c, r->g[0], how, &r->v, &r->n);
	return consume_agg_joined(f->c, r->g, r->naggs, how,
				  number_of(f, OPT_AGGSORTPOS), &r->v, &r->n);
}

/* Which of a row's elements knows the key. */
static unsigned
keyed(const struct rows *r, struct consume_elem *const *row)
{
	for (unsigned i = 0; i < r->naggs; i++)
		if (row[i]->key)
			return i;
	return 0;
}

static void
put_keys(const struct fmt *f, const struct abi_agg_desc *d,
	 const uint8_t *key, struct sb *b)
{
	for (uint32_t i = 0; i < d->nkeys; i++)
		fmt_field(f, &d->keys[i], key, FMT_KEY, b);
}

static void
put_scalar(int64_t v, struct sb *b)
{
	sb_putc(b, ' ');
	sb_dec(b, v, 16);
}

static void
put_value(const struct fmt *f, const struct consume_agg *g,
	  const struct consume_elem *e, struct sb *b)
{
	if (consume_is_histogram(g->desc))
		fmt_histogram(g->desc, e->cells, g->normal, fmt_style(f), b);
	else
		put_scalar(consume_agg_value(g, e), b);
}

static void
put_default(const struct fmt *f, const struct rows *r,
	    struct consume_elem *const *row, struct sb *b)
{
	unsigned k = keyed(r, row);

	put_keys(f, r->g[k]->desc, row[k]->key, b);
	for (unsigned i = 0; i < r->naggs; i++)
		put_value(f, r->g[i], row[i], b);
	sb_putc(b, '\n');
}

static void
put_formatted(struct fmt *f, const struct rows *r,
	      struct consume_elem *const *row, const char *format,
	      struct sb *b)
{
	unsigned k = keyed(r, row);
	struct fmt_args args = {
		.fields = r->g[k]->desc->keys, .nfields = r->g[k]->desc->nkeys,
		.base = row[k]->key,
		.aggs = r->g, .elems = row, .naggs = r->naggs,
	};

	fmt_format(f, format, &args, b);
}

/* A line for each key when an option asks for that, of one aggregation. */
static struct err *
put_default_rows(struct fmt *f, const struct rows *r, struct sb *b)
{
	const struct abi_agg_desc *d = r->g[0]->desc;
	bool histogram = consume_is_histogram(d);

	if (r->naggs == 1 && histogram && fmt_on(f, OPT_AGGPACK))
		return fmt_aggpack(f, r->g[0], r->v, r->n, b);
	if (r->naggs == 1 && !histogram && d->nkeys && r->n &&
	    fmt_on(f, OPT_AGGHIST))
		return fmt_agghist(f, r->g[0], r->v, r->n, b);
	for (size_t i = 0; i < r->n; i++) {
		put_default(f, r, r->v + i * r->naggs, b);
		TRY(fmt_spill(f, b));
	}
	return NULL;
}

static struct err *
put_rows(struct fmt *f, const struct rows *r, const char *format, struct sb *b)
{
	if (!format)
		return put_default_rows(f, r, b);
	for (size_t i = 0; i < r->n; i++) {
		put_formatted(f, r, r->v + i * r->naggs, format, b);
		TRY(fmt_spill(f, b));
	}
	return NULL;
}

static struct err *
print_all(struct fmt *f, struct consume_agg *const *g, unsigned naggs,
	  const char *format, struct sb *b)
{
	struct rows r = { .g = g, .naggs = naggs };

	TRY(get_rows(f, &r));
	struct err *err = put_rows(f, &r, format, b);
	util_free(r.v);
	return err;
}

struct err *
fmt_agg(struct fmt *f, struct consume_agg *g, struct sb *b)
{
	return print_all(f, &g, 1, NULL, b);
}

struct err *
fmt_printa(struct fmt *f, struct consume_agg *const *g, unsigned naggs,
	   const char *format, struct sb *b)
{
	for (unsigned i = 0; i < naggs; i++)
		consume_agg_show(g[i]);
	if (!format)
		sb_putc(b, '\n');
	return print_all(f, g, naggs, format, b);
}
