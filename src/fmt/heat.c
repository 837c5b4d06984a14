/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Heat maps.  A map has at most COLUMNS_MAX columns; with more, neighbours are
 * added up.  Rows reach from the lowest bucket that is ever used to the highest.
 * Colours follow the logarithm of the count, so that one among millions can
 * still be seen; a cell without a count has the colour of the page.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "fmt/graph_priv.h"
#include "fmt/heat.h"
#include "fmt/page.h"

enum { COLUMNS_MAX = 300, SERIES_MAX = 8, POINTS_MAX = 1 << 20,
       LABEL_MAX = 1 << 24 };

void
fmt_heat_init(struct fmt_heat *h, const struct abi_agg_desc *d)
{
	*h = (struct fmt_heat){ .desc = d };
}

void
fmt_heat_fini(struct fmt_heat *h)
{
	struct hash_entry *e;

	for (size_t i = 0; (e = hash_next(&h->series, &i)); ) {
		struct fmt_heat_series *s = e->val;
		if (!s)
			continue;
		util_free(s->label);
		vec_fini(&s->points);
		util_free(s);
	}
	hash_fini(&h->series);
	vec_fini(&h->times);
}

/* --- Gathering ---------------------------------------------------------- */

static struct fmt_heat_series *
get_series(struct fmt_heat *h, const uint8_t *key)
{
	/* A key of no bytes is one byte here. */
	size_t size = h->desc->key_size;
	void **at = hash_ref(&h->series, size ? (const void *)key : "",
			     size ? size : 1);

	if (at && !*at)
		*at = util_zalloc(sizeof(struct fmt_heat_series));
	return at ? *at : NULL;
}

static bool
add_cells(struct fmt_heat *h, struct fmt_heat_series *s, uint32_t column,
	  const uint64_t *cells)
{
	for (uint32_t i = 0; i < h->desc->ncells; i++) {
		struct fmt_heat_point p = { column, i, cells[i] };
		if ((int64_t)cells[i] <= 0)
			continue;
		if (h->npoints >= POINTS_MAX) {
			h->full = true;
			return true;
		}
		if (!vec_push(&s->points, p))
			return false;
		h->npoints++;
		s->total += cells[i];
	}
	return true;
}

struct err *
fmt_heat_add(struct fmt_heat *h, const struct fmt *f,
	     const struct consume_agg *g, uint64_t now,
	     void (*label)(const struct fmt *f, const struct abi_agg_desc *d,
			   const uint8_t *key, struct sb *b))
{
	uint32_t column = (uint32_t)h->times.n;
	struct sb b;

	assert(g->desc == h->desc);	/* or the cells are others */
	if (h->full)
		return NULL;
	if (!vec_push(&h->times, now))
		return &err_nomem;
	for (size_t i = 0; i < g->n; i++) {
		const struct consume_elem *e = &g->elems[i];
		struct fmt_heat_series *s = get_series(h, e->key);
		if (!s || !add_cells(h, s, column, e->cells))
			return &err_nomem;
		if (s->label)
			continue;
		sb_init(&b, LABEL_MAX);
		label(f, h->desc, e->key, &b);
		s->label = sb_steal(&b);
		if (!s->label)
			return &err_nomem;
	}
	return NULL;
}

/* --- Drawing ------------------------------------------------------------ */

struct map {
	const struct fmt_heat *h;
	uint32_t low, high;		/* buckets */
	uint32_t each;			/* columns of time in one that is shown */
	uint32_t ncolumns;		/* shown */
	uint64_t *cells;		/* column * rows + bucket - low */
	uint64_t max;
};

static uint32_t
nrows(const struct map *m)
{
	return m->high - m->low + 1;
}

static bool
fill(struct map *m, const struct fmt_heat_series *s)
{
	size_t n = (size_t)nrows(m) * m->ncolumns;

	m->cells = util_zalloc(n * sizeof(*m->cells));
	for (size_t i = 0; m->cells && i < s->points.n; i++) {
		const struct fmt_heat_point *p = &s->points.v[i];
		uint64_t *cell = &m->cells[(size_t)(p->column / m->each) *
					   nrows(m) + p->bucket - m->low];
		*cell += p->count;
		m->max = BASE_MAX(m->max, *cell);
	}
	return m->cells;
}

static double
seconds(const struct fmt_heat *h, size_t column)
{
	column = BASE_MIN(column, h->times.n - 1);
	return (double)(h->times.v[column] - h->times.v[0]) / 1e9;
}

/* From pale yellow through orange to dark red. */
static void
put_colour(double share, struct sb *b)
{
	sb_printf(b, "hsl(%.0f %.0f%% %.0f%%)", 52 - 52 * share,
		  90 - 10 * share, 82 - 50 * share);
}

/* The logarithm of n + 1 to base 2, straight between powers of two. */
static double
logarithm(uint64_t n)
{
	unsigned log = 0;

	for (uint64_t rest = n + 1; rest > 1; rest >>= 1)
		log++;
	return log + (double)(n + 1) / (double)(1ull << log) - 1;
}

static void
put_cell(const struct map *m, uint32_t column, uint32_t bucket, uint64_t count,
	 struct sb *b)
{
	char label[32];
	uint32_t y = m->high - bucket;

	fmt_bucket_label(m->h->desc, bucket, label);
	sb_printf(b, "<rect x=\"%u\" y=\"%u\" width=\"1\" height=\"1\" fill=\"",
		  column, y);
	put_colour(logarithm(count) / logarithm(m->max), b);
	sb_printf(b, "\"><title>%.1f s, ",
		  seconds(m->h, (size_t)column * m->each));
	fmt_page_text(b, label, strlen(label), SIZE_MAX);
	sb_puts(b, ": ");
	fmt_page_number(b, (int64_t)count);
	sb_puts(b, "</title></rect>\n");
}

/* Some of the labels, when there are many rows. */
static void
put_labels(const struct map *m, struct sb *b)
{
	uint32_t every = nrows(m) / 32 + 1;
	char label[32];

	sb_puts(b, "<ol>");
	for (uint32_t i = m->low; i <= m->high; i++) {
		sb_puts(b, "<li>");
		fmt_bucket_label(m->h->desc, i, label);
		if ((i - m->low) % every == 0)
			fmt_page_text(b, label, strlen(label), SIZE_MAX);
		sb_puts(b, "</li>");
	}
	sb_puts(b, "</ol>");
}

static void
put_map(const struct map *m, struct sb *b)
{
	uint32_t rows = nrows(m), height = BASE_MIN(rows * 14, 560u);

	sb_printf(b, "<div class=\"heat\" style=\"grid-template-rows:%upx auto\">",
		  height);
	put_labels(m, b);
	sb_printf(b, "<svg xmlns=\"http://www.w3.org/2000/svg\" "
		  "preserveAspectRatio=\"none\" viewBox=\"0 0 %u %u\" "
		  "shape-rendering=\"crispEdges\">\n", m->ncolumns, rows);
	for (uint32_t c = 0; c < m->ncolumns; c++)
		for (uint32_t i = 0; i < rows; i++) {
			uint64_t n = m->cells[(size_t)c * rows + i];
			if (n)
				put_cell(m, c, m->low + i, n, b);
		}
	sb_printf(b, "</svg><div class=\"x dim\"><span>0 s</span>"
		  "<span>%.1f s</span></div></div>\n",
		  seconds(m->h, m->h->times.n - 1));
}

static int
by_total(const void *a, const void *b)
{
	const struct fmt_heat_series *x = *(void *const *)a;
	const struct fmt_heat_series *y = *(void *const *)b;

	return x->total < y->total ? 1 : x->total > y->total ? -1 : 0;
}

static struct err *
put_series(const struct fmt_heat *h, const struct fmt_heat_series *s,
	   struct sb *b)
{
	struct map m = { .h = h, .low = UINT32_MAX };

	for (size_t i = 0; i < s->points.n; i++) {
		m.low = BASE_MIN(m.low, s->points.v[i].bucket);
		m.high = BASE_MAX(m.high, s->points.v[i].bucket);
	}
	m.each = (uint32_t)((h->times.n + COLUMNS_MAX - 1) / COLUMNS_MAX);
	m.ncolumns = (uint32_t)((h->times.n + m.each - 1) / m.each);
	if (!fill(&m, s))
		return &err_nomem;
	if (*s->label)
		sb_printf(b, "<h3>%s</h3>\n", s->label);
	put_map(&m, b);
	util_free(m.cells);
	return NULL;
}

static struct err *
put_sorted(const struct fmt_heat *h, struct fmt_heat_series **v, size_t n,
	   struct sb *b)
{
	qsort(v, n, sizeof(*v), by_total);
	for (size_t i = 0; i < n && i < SERIES_MAX; i++)
		TRY(put_series(h, v[i], b));
	if (n > SERIES_MAX)
		sb_printf(b, "<p class=\"dim\">%zu more keys have counted less."
			  "</p>\n", n - SERIES_MAX);
	if (h->full)
		sb_puts(b, "<p class=\"dim\">There was more than a page can "
			"show; what came later is left out.</p>\n");
	return NULL;
}

struct err *
fmt_heat_put(const struct fmt_heat *h, struct sb *b)
{
	struct hash_entry *e;
	size_t n = 0;

	if (h->times.n < 2)
		return NULL;
	struct fmt_heat_series **v = util_alloc((h->series.nlive + 1) *
						sizeof(*v));
	if (!v)
		return &err_nomem;
	for (size_t i = 0; (e = hash_next(&h->series, &i)); ) {
		struct fmt_heat_series *s = e->val;
		if (s && s->points.n && s->label)
			v[n++] = s;
	}
	struct err *err = put_sorted(h, v, n, b);
	util_free(v);
	return err;
}
