/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Histograms over time: each time that one is printed is a column, each bucket a
 * row, and the count a colour.
 */
#ifndef FMT_HEAT_H
#define FMT_HEAT_H

#include "fmt/fmt_priv.h"
#include "util/hash.h"
#include "util/vec.h"

struct fmt_heat_point {
	uint32_t column, bucket;
	uint64_t count;
};

/* One key's. */
struct fmt_heat_series {
	char *label;			/* owned; HTML */
	uint64_t total;
	VEC(struct fmt_heat_point) points;	/* in order of column */
};

struct fmt_heat {
	const struct abi_agg_desc *desc;
	VEC(uint64_t) times;		/* ns, of each column */
	struct hash series;		/* key -> struct fmt_heat_series */
	size_t npoints;
	bool full;			/* later points are left out */
};

void fmt_heat_init(struct fmt_heat *h, const struct abi_agg_desc *d);
void fmt_heat_fini(struct fmt_heat *h);
/* A column: all elements of g, now.  label makes the HTML of a key. */
struct err *fmt_heat_add(struct fmt_heat *h, const struct fmt *f,
			 const struct consume_agg *g, uint64_t now,
			 void (*label)(const struct fmt *f,
				       const struct abi_agg_desc *d,
				       const uint8_t *key, struct sb *b));
/* The maps of those keys that have counted most; nothing for less than two
 * columns. */
struct err *fmt_heat_put(const struct fmt_heat *h, struct sb *b);

#endif
