/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Histograms: 68 columns, of which 41 are the graph.
 *
 *	only counts >= 0	| and 40 columns to its right
 *	only counts <= 0	40 columns to its left, then |
 *	both			20, |, 20
 *
 * A bar is the bucket's share of the total of absolute counts, rounded to the
 * nearest column, half up.  Bars show raw counts; only the printed number is
 * normalised.  The rows shown reach from the bucket before the first that is
 * not empty to the one after the last.
 */
#include "fmt/fmt_priv.h"

enum { FULL = 40, HALF = 20 };

struct graph {
	bool positive, negative;	/* some count is > 0, < 0 */
	unsigned __int128 total;	/* of absolute counts */
	uint32_t first, last;		/* rows shown */
};

static uint64_t
magnitude(uint64_t cell)
{
	return (int64_t)cell < 0 ? -cell : cell;
}

/* When all buckets are empty: those around zero, or the first three. */
static void
choose_empty(const struct abi_agg_desc *d, struct graph *g)
{
	bool quantize = d->func == ABI_AGG_QUANTIZE;

	g->first = quantize ? ABI_QUANTIZE_ZERO - 1 : 0;
	g->last = BASE_MIN(g->first + 2, d->ncells - 1);
}

static struct graph
survey(const struct abi_agg_desc *d, const uint64_t *cells)
{
	struct graph g = { .first = UINT32_MAX };

	for (uint32_t i = 0; i < d->ncells; i++) {
		if (!cells[i])
			continue;
		g.first = BASE_MIN(g.first, i ? i - 1 : 0);
		g.last = BASE_MIN(i + 1, d->ncells - 1);
		g.total += magnitude(cells[i]);
		if ((int64_t)cells[i] < 0)
			g.negative = true;
		else
			g.positive = true;
	}
	if (g.first == UINT32_MAX)
		choose_empty(d, &g);
	return g;
}

static unsigned
bar(uint64_t cell, unsigned __int128 total, unsigned columns)
{
	unsigned __int128 twice = magnitude(cell);

	twice *= columns * 2;
	return total ? (unsigned)((twice + total) / (total * 2)) : 0;
}

static void
repeat(struct sb *b, char c, unsigned n)
{
	while (n--)
		sb_putc(b, c);
}

static void
put_graph(const struct graph *g, uint64_t cell, struct sb *b)
{
	unsigned side = g->positive && g->negative ? HALF : FULL;
	unsigned n = bar(cell, g->total, side);
	unsigned left = (int64_t)cell < 0 ? n : 0;

	if (g->negative) {
		repeat(b, ' ', side - left);
		repeat(b, '@', left);
	}
	sb_putc(b, '|');
	if (g->positive || !g->negative) {
		repeat(b, '@', n - left);
		repeat(b, ' ', side - (n - left));
	}
}

static void
put_label(const struct abi_agg_desc *d, uint32_t i, struct sb *b)
{
	bool open = d->func != ABI_AGG_QUANTIZE;
	long long value = consume_bucket_value(d, i);
	char text[32];
	struct base_buf out;

	base_buf_init(&out, text, sizeof(text));
	if (open && i == 0)
		base_puts(&out, "< ");
	else if (open && i == d->ncells - 1)
		base_puts(&out, ">= ");
	base_putd(&out, open && i == 0 ? value + 1 : value);
	sb_printf(b, "%16s ", text);
}

void
fmt_histogram(const struct abi_agg_desc *d, const uint64_t *cells,
	      int64_t normal, struct sb *b)
{
	struct graph g = survey(d, cells);

	sb_printf(b, "\n%16s %41s %-9s\n", "value",
		  " ------------- Distribution -------------", "count");
	for (uint32_t i = g.first; i <= g.last; i++) {
		put_label(d, i, b);
		put_graph(&g, cells[i], b);
		sb_printf(b, " %-9lld\n", (long long)
			  consume_normalize((int64_t)cells[i], normal));
	}
}
