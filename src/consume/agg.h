/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Aggregations as the consumer holds them: merged from all CPUs and all
 * snapshots, changed by clear() and trunc(), handed out in order of display.
 */
#ifndef CONSUME_AGG_H
#define CONSUME_AGG_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/agg.h"
#include "util/err.h"

struct consume;

/* One element of an aggregation. */
struct consume_elem {
	const uint8_t *key;		/* key_size bytes, layout of the desc;
					 * PROBE keys hold a canonical probe id:
					 * the first seen with that text.  NULL
					 * in a joined row without a value */
	uint64_t *cells;		/* ncells, as abi/agg.h describes */
	bool seen;			/* false after clear() until new data */
};

struct consume_agg {
	const struct abi_agg_desc *desc;
	/* In no particular order; they move with consume_agg_add() and
	 * consume_agg_trunc(). */
	struct consume_elem *elems;
	size_t n;
	int64_t normal;			/* divisor for display; 1: none */
	bool printed;			/* by some printa(), once: it is not
					 * printed again without being asked */
	bool shown;			/* the same, since clear() or trunc()
					 * emptied it last */
};

/* A printa() has shown what is here. */
static inline void
consume_agg_show(struct consume_agg *g)
{
	g->printed = g->shown = true;
}

/*
 * Merge one element; called from the source's snapshot().  Cells are added,
 * or for MIN and MAX the larger is kept.  A call means that something was
 * aggregated, even if every cell is 0: leave out values that nothing touched.
 * Keys that mean the same become the same: bytes behind the end of a string or
 * a stack do not count.  An unknown aggid counts as malformed.
 */
struct err *consume_agg_add(struct consume *c, uint32_t aggid,
			    const void *key, const uint64_t *cells);
/* The same with n of the cells, from `first` on; those that there are not do not
 * count.  More than one make a STDDEV. */
struct err *consume_agg_add_piece(struct consume *c, uint32_t aggid,
				  const void *key, uint32_t first, uint32_t n,
				  const uint64_t *cells);
/* Have fn see what is merged: each element as the source gives it.  NULL: nobody
 * does. */
typedef void consume_elem_fn(void *ctx, const struct abi_agg_desc *d,
			     const void *key, uint32_t first, uint32_t n,
			     const uint64_t *cells);
void consume_watch_aggs(struct consume *c, consume_elem_fn *fn, void *ctx);
/* NULL for an unknown id.  Borrowed until consume_free(). */
struct consume_agg *consume_agg(struct consume *c, uint32_t aggid);

/* How many cells a value has; 0 when func or arg make no sense. */
uint32_t consume_agg_cells(uint32_t func, uint64_t arg);
/* True for QUANTIZE, LQUANTIZE and LLQUANTIZE. */
bool consume_is_histogram(const struct abi_agg_desc *d);
/*
 * The value a bucket of a histogram stands for: its edge nearest to zero
 * for QUANTIZE, its lower edge for the others; for the first bucket of those
 * ("< n") n - 1.
 */
int64_t consume_bucket_value(const struct abi_agg_desc *d, uint32_t i);

/* v / by toward zero, for display; by 0 or 1 leaves v alone. */
int64_t consume_normalize(int64_t v, int64_t by);
/* The displayed number of a scalar aggregation, normalised: count, sum, min,
 * max, avg (toward zero), stddev (integer square root of the variance); 0 when
 * there is no data. */
int64_t consume_agg_value(const struct consume_agg *g,
			  const struct consume_elem *e);

/* clear() and trunc(n); normalize() and denormalize() set g->normal. */
void consume_agg_clear(struct consume_agg *g);
/* n > 0 keeps the n largest values, n < 0 the -n smallest, 0 none. */
struct err *consume_agg_trunc(struct consume *c, struct consume_agg *g,
			      int64_t n);

/* clear() of one element. */
void consume_elem_clear(struct consume_agg *g, struct consume_elem *e);
/* Throw away all elements but these n of its own. */
struct err *consume_agg_keep(struct consume_agg *g,
			     struct consume_elem *const *keep, size_t n);

/*
 * Elements in the order of display: *ret is an array of n pointers, owned by
 * the caller (util_free), that point at borrowed elements, valid until they
 * move.  By value then key, or with by_key by key then value.  Keys compare
 * from number `keypos` on to the last, then from the first.
 */
struct consume_sort {
	bool by_key, reverse;
	unsigned keypos;
};
struct err *consume_agg_sorted(struct consume *c, struct consume_agg *g,
			       struct consume_sort how,
			       struct consume_elem ***ret, size_t *n);

/*
 * The elements of several aggregations as one list; what is equal stands in the
 * order of their ids.  *ret: n pairs, owned by the caller, their elements borrowed
 * likewise.
 */
struct consume_pair {
	struct consume_agg *g;
	struct consume_elem *e;
};
struct err *consume_agg_merged(struct consume *c, struct consume_agg *const *g,
			       unsigned naggs, struct consume_sort how,
			       struct consume_pair **ret, size_t *n);

/*
 * Several aggregations with the same types of keys joined by key, ordered by
 * the values of number `pos` (then by key).  Rows are naggs pointers each; an
 * absent value points at an element with zero cells and no key.
 */
struct err *consume_agg_joined(struct consume *c,
			       struct consume_agg *const *g, unsigned naggs,
			       struct consume_sort how, unsigned pos,
			       struct consume_elem ***ret, size_t *nrows);

#endif
