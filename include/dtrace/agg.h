/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Snapshots of aggregations: values that do not change any more.  A snapshot has
 * one reference, the caller's; what is asked of it is borrowed from it.  All must
 * be given back before dtrace_close().
 */
#ifndef DTRACE_AGG_H
#define DTRACE_AGG_H

#include "dtrace/aggregate.h"
#include "dtrace/event.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of the programs that dtrace_go() has started: their ids are 1..n. */
unsigned int dtrace_naggs(dtrace_hdl_t *);
/* What was aggregated until now, in the order of dtrace_aggregate_print(). */
dtrace_agg_t *dtrace_agg_snap(dtrace_hdl_t *, dtrace_aggid_t id);
dtrace_agg_t *dtrace_agg_ref(dtrace_agg_t *);
void dtrace_agg_unref(dtrace_agg_t *);		/* NULL is fine */

dtrace_aggid_t dtrace_agg_id(const dtrace_agg_t *);
const char *dtrace_agg_name(const dtrace_agg_t *);	/* "" for @ */
int dtrace_agg_func(const dtrace_agg_t *);		/* DTRACEAGG_* */
/* normalize()'s divisor; 1: none. */
int64_t dtrace_agg_normal(const dtrace_agg_t *);
unsigned int dtrace_agg_nkeys(const dtrace_agg_t *);
/* A key as the program writes it; NULL: unknown. */
const char *dtrace_agg_keyname(const dtrace_agg_t *, unsigned int i);
size_t dtrace_agg_nrows(const dtrace_agg_t *);

/* One element. */
typedef struct dtrace_row dtrace_row_t;
const dtrace_row_t *dtrace_agg_row(const dtrace_agg_t *, size_t i);
/* Return nonzero to end the walk; it is the result then. */
typedef int dtrace_row_f(const dtrace_agg_t *, const dtrace_row_t *,
			 void *arg);
int dtrace_agg_walk(const dtrace_agg_t *, dtrace_row_f *, void *arg);

const dtrace_field_t *dtrace_row_key(const dtrace_row_t *, unsigned int i);
/* The number that is displayed, normalised: count, sum, min, max, avg, stddev;
 * of a histogram how many values it holds. */
int64_t dtrace_row_value(const dtrace_row_t *);
/* COUNT, AVG, STDDEV, histograms: how many values; else 0. */
int64_t dtrace_row_count(const dtrace_row_t *);
/* SUM, AVG, STDDEV: their sum; else 0. */
int64_t dtrace_row_sum(const dtrace_row_t *);

/* What a bucket counts: low to high, both included. */
typedef struct dtrace_bucket {
	int64_t low, high;	/* INT64_MIN, INT64_MAX: open */
	int64_t count;		/* normalised */
} dtrace_bucket_t;
unsigned int dtrace_row_nbuckets(const dtrace_row_t *);	/* 0: none */
/* -1: there are fewer. */
int dtrace_row_bucket(const dtrace_row_t *, unsigned int i, dtrace_bucket_t *);

#ifdef __cplusplus
}
#endif

#endif
