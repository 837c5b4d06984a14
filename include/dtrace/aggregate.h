/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Aggregations as the classic calls have them: bytes, described by records.
 * (agg.h has them as values.)
 */
#ifndef DTRACE_AGGREGATE_H
#define DTRACE_AGGREGATE_H

#include "dtrace/consume.h"

#ifdef __cplusplus
extern "C" {
#endif

/* dtrd_action of a value, and dtrace_agg_func(). */
enum {
	DTRACEAGG_COUNT = 0x701, DTRACEAGG_MIN, DTRACEAGG_MAX, DTRACEAGG_AVG,
	DTRACEAGG_SUM, DTRACEAGG_STDDEV, DTRACEAGG_QUANTIZE,
	DTRACEAGG_LQUANTIZE, DTRACEAGG_LLQUANTIZE
};

/* The first record is the aggregation's id, the last one its value, and between
 * them are the keys. */
typedef struct dtrace_aggdesc {
	const char *dtagd_name;		/* "" for @ */
	int64_t dtagd_varid;		/* the id, too */
	dtrace_aggid_t dtagd_id;	/* from 1 on */
	uint32_t dtagd_size;		/* bytes of the data */
	int dtagd_nrecs;
	const dtrace_recdesc_t *dtagd_rec;
} dtrace_aggdesc_t;

/*
 * One element; borrowed for the time of the call.  The value is words of 64
 * bits: COUNT, SUM, MIN, MAX one; AVG count and sum; STDDEV count, sum, low and
 * high half of the sum of squares; QUANTIZE 127 buckets, of which number 63 is
 * for 0; LQUANTIZE and LLQUANTIZE the parameter (dtrd_arg) and then the buckets,
 * the first for what is below, the last for what is above.
 */
typedef struct dtrace_aggdata {
	dtrace_hdl_t *dtada_handle;
	dtrace_aggdesc_t *dtada_desc;
	char *dtada_data;
	size_t dtada_size;
	int64_t dtada_normal;		/* by which it is divided for display */
} dtrace_aggdata_t;

enum {	/* what a function that walks answers */
	DTRACE_AGGWALK_ERROR = -1, DTRACE_AGGWALK_NEXT = 0,
	DTRACE_AGGWALK_ABORT = 1,	/* end here */
	DTRACE_AGGWALK_CLEAR = 2,	/* its value becomes 0 */
	/* By what the function has written to dtada_normal; the whole
	 * aggregation. */
	DTRACE_AGGWALK_NORMALIZE = 3,
	DTRACE_AGGWALK_DENORMALIZE = 4,
	DTRACE_AGGWALK_REMOVE = 5	/* the element goes */
};

/* May not call the library about aggregations. */
typedef int dtrace_aggregate_f(const dtrace_aggdata_t *, void *);
typedef int dtrace_aggregate_walk_f(dtrace_hdl_t *, dtrace_aggregate_f *,
				    void *);

/* Merge what was aggregated until now. */
int dtrace_aggregate_snap(dtrace_hdl_t *);
/* All values become 0; keys stay. */
void dtrace_aggregate_clear(dtrace_hdl_t *);
/* At the end: every aggregation that no printa() has shown, and what closes a
 * document (option oformat).  fp as of dtrace_work().  walk: NULL; an order of
 * one's own is refused, see the options aggsort*. */
int dtrace_aggregate_print(dtrace_hdl_t *, FILE *fp,
			   dtrace_aggregate_walk_f *walk);

/* What the last dtrace_aggregate_snap() has seen: in no order; as
 * dtrace_aggregate_print() has it. */
int dtrace_aggregate_walk(dtrace_hdl_t *, dtrace_aggregate_f *, void *);
int dtrace_aggregate_walk_sorted(dtrace_hdl_t *, dtrace_aggregate_f *, void *);
/* One aggregation behind the other, each by key or by value; rev: backwards. */
int dtrace_aggregate_walk_keysorted(dtrace_hdl_t *, dtrace_aggregate_f *,
				    void *);
int dtrace_aggregate_walk_valsorted(dtrace_hdl_t *, dtrace_aggregate_f *,
				    void *);
int dtrace_aggregate_walk_keyrevsorted(dtrace_hdl_t *, dtrace_aggregate_f *,
				       void *);
int dtrace_aggregate_walk_valrevsorted(dtrace_hdl_t *, dtrace_aggregate_f *,
				       void *);
/* All of them together by key (or value), what is equal in order of the ids. */
int dtrace_aggregate_walk_keyvarsorted(dtrace_hdl_t *, dtrace_aggregate_f *,
				       void *);
int dtrace_aggregate_walk_valvarsorted(dtrace_hdl_t *, dtrace_aggregate_f *,
				       void *);
int dtrace_aggregate_walk_keyvarrevsorted(dtrace_hdl_t *,
					  dtrace_aggregate_f *, void *);
int dtrace_aggregate_walk_valvarrevsorted(dtrace_hdl_t *,
					  dtrace_aggregate_f *, void *);

/* Aggregations with the same types of keys side by side: n elements with one
 * key, in the order of the ids given, by the value of the first.  Those without
 * that key have the value 0.  Answers other than ERROR, NEXT, ABORT are errors. */
typedef int dtrace_aggregate_walk_joined_f(const dtrace_aggdata_t **, int n,
					   void *);
int dtrace_aggregate_walk_joined(dtrace_hdl_t *, dtrace_aggid_t *ids, int n,
				 dtrace_aggregate_walk_joined_f *, void *);

#ifdef __cplusplus
}
#endif

#endif
