/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Aggregations as a whole.
 */
#ifndef FMT_AGG_PRIV_H
#define FMT_AGG_PRIV_H

#include "fmt/fmt_priv.h"

/* The n elements e of g under the options agghist and aggpack. */
struct err *fmt_agghist(struct fmt *f, const struct consume_agg *g,
			struct consume_elem *const *e, size_t n, struct sb *b);
struct err *fmt_aggpack(struct fmt *f, const struct consume_agg *g,
			struct consume_elem *const *e, size_t n, struct sb *b);

/* --- agg.c -------------------------------------------------------------- */

/* In the order that the options aggsort... ask for. */
struct consume_sort fmt_sort(const struct fmt *f);
/* printa(): format NULL for the default print. */
struct err *fmt_printa(struct fmt *f, struct consume_agg *const *g,
		       unsigned naggs, const char *format, struct sb *b);

#endif
