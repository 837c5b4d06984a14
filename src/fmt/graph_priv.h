/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What is drawn: bars, histograms, the column of calls.
 */
#ifndef FMT_GRAPH_PRIV_H
#define FMT_GRAPH_PRIV_H

#include "fmt/fmt_priv.h"

enum { FMT_FLOW_WIDTH = 41 };

/* The column of a row that shows calls and returns, and a blank; false: no
 * memory. */
bool fmt_flow(struct fmt *f, const struct consume_event *e, struct sb *b);
void fmt_flow_fini(struct fmt_flow *w);

/* --- bar.c -------------------------------------------------------------- */

/* Values that are drawn beside each other. */
struct fmt_bars {
	struct fmt_style style;
	bool to_edge;		/* zoomed and none negative: the largest has
				 * all columns */
	bool positive, negative;	/* some value is > 0, < 0 */
	unsigned __int128 total;	/* of absolute values */
	uint64_t max;			/* the largest of them */
};

void fmt_bars_add(struct fmt_bars *g, int64_t v);
/* 41 columns, once all values have been added. */
void fmt_bar(const struct fmt_bars *g, int64_t v, struct sb *b);
/* The line above: `what` in a column of width, then the graph's. */
void fmt_bars_head(const char *what, unsigned width, struct sb *b);

/* --- hist.c ------------------------------------------------------------- */

/* The buckets to show; some: one is not empty. */
struct fmt_range {
	uint32_t first, last;
	bool some;
};

/* Widen r, at first all zero, to what cells need. */
void fmt_range_add(const struct abi_agg_desc *d, const uint64_t *cells,
		   struct fmt_range *r);
void fmt_bucket_label(const struct abi_agg_desc *d, uint32_t i, char out[32]);

#endif
