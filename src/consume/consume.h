/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Bytes to events: records of all CPUs in order of their timestamps,
 * aggregations merged, drops and errors, each handed to the caller as data.
 * Knows nothing of the kernel: bytes come from a struct consume_source, so
 * live rings, the in-process agent and a saved file look the same.  Prints
 * nothing: fmt does.
 */
#ifndef CONSUME_CONSUME_H
#define CONSUME_CONSUME_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/abi.h"
#include "util/err.h"

struct consume;

/* --- Metadata: what ids mean ------------------------------------------------ */

/* A probe as the consumer needs it; strings are borrowed. */
struct consume_probe {
	uint32_t id;
	const char *prov, *mod, *func, *name;
};

/* An enabled probe: EPID -> probe and clause.  EPIDs are 1..n. */
struct consume_epid {
	uint32_t probe;				/* probe id */
	uint32_t clause;			/* index, program order */
	const struct abi_clause_desc *desc;
};

struct consume_meta {
	/* Lookups may return NULL for ids never heard of. */
	const struct consume_epid *(*epid)(void *ctx, uint32_t epid);
	const struct consume_probe *(*probe)(void *ctx, uint32_t id);
	const struct abi_agg_desc *(*agg)(void *ctx, uint32_t aggid);
	uint32_t naggs;				/* ids 1..naggs */
	void *ctx;
};

/* --- Where bytes come from ---------------------------------------------------- */

/*
 * Each callback may be NULL when the source has no such thing.
 */
struct consume_source {
	void *ctx;
	unsigned ncpus;
	/* Next record of a CPU, in order of commitment, or NULL; borrowed until
	 * release(cpu), which gives back all handed out so far. */
	const void *(*next)(void *ctx, unsigned cpu, size_t *size);
	void (*release)(void *ctx, unsigned cpu);
	/* Take everything aggregated since the last snapshot: call
	 * consume_agg_add() for each element. */
	struct err *(*snapshot)(void *ctx, struct consume *c);
	/* Running totals since the start, by kind and CPU; kinds that are not
	 * per CPU stand at cpu 0. */
	uint64_t (*drops)(void *ctx, enum abi_drop kind, unsigned cpu);
	/* Nanoseconds, same clock as record timestamps. */
	uint64_t (*now)(void *ctx);
};

/* --- Aggregations, merged ------------------------------------------------------ */

/* One element of an aggregation. */
struct consume_elem {
	const uint8_t *key;		/* key_size bytes, layout of the desc;
					 * PROBE keys hold a canonical probe id:
					 * the first seen with that text */
	uint64_t *cells;		/* ncells, as abi.h describes */
	bool seen;			/* false after clear() until new data */
};

struct consume_agg {
	const struct abi_agg_desc *desc;
	struct consume_elem *elems;	/* in no particular order */
	size_t n;
	int64_t normal;			/* divisor for display; 1: none */
	bool printed;			/* some printa() has shown it */
};

/* Merge one element; called from the source's snapshot().  Cells are added,
 * or for MIN and MAX the larger is kept. */
struct err *consume_agg_add(struct consume *c, uint32_t aggid,
			    const void *key, const uint64_t *cells);
/* NULL for an unknown id. */
struct consume_agg *consume_agg(struct consume *c, uint32_t aggid);
/* The displayed number of a scalar aggregation, normalised: count, sum, min,
 * max, avg (toward zero), stddev (integer square root of the variance). */
int64_t consume_agg_value(const struct consume_agg *g,
			  const struct consume_elem *e);

/* clear(), trunc(n), normalize(), denormalize(). */
void consume_agg_clear(struct consume_agg *g);
struct err *consume_agg_trunc(struct consume *c, struct consume_agg *g,
			      int64_t n);

/*
 * Elements in the order of display: *ret is an array of pointers, owned by
 * the caller (util_free).  Options: aggsortkey, aggsortkeypos, aggsortrev.
 */
struct consume_sort {
	bool by_key, reverse;
	unsigned keypos;
};
struct err *consume_agg_sorted(struct consume *c, struct consume_agg *g,
			       struct consume_sort how,
			       struct consume_elem ***ret, size_t *n);

/*
 * Several aggregations with identical key types joined by key, ordered by
 * the values of number `pos` (then by key).  Rows are naggs pointers each; an
 * absent value points at an element with zero cells.
 */
struct err *consume_agg_joined(struct consume *c,
			       struct consume_agg *const *g, unsigned naggs,
			       struct consume_sort how, unsigned pos,
			       struct consume_elem ***ret, size_t *nrows);

/* --- Events ----------------------------------------------------------------------- */

enum consume_event_kind {
	CONSUME_RECORD,		/* a clause recorded */
	CONSUME_ERROR,		/* a clause faulted */
	CONSUME_DROP,		/* something was lost since last told */
};

struct consume_event {
	enum consume_event_kind kind;
	unsigned cpu;
	uint64_t timestamp;
	const struct consume_probe *probe;	/* RECORD, ERROR; may be NULL */
	const struct consume_epid *epid;	/* RECORD, ERROR; may be NULL */
	uint32_t epid_no;
	const struct abi_record *record;	/* RECORD */
	const struct abi_error_record *error;	/* ERROR */
	enum abi_drop drop;			/* DROP */
	uint64_t count, total;			/* DROP */
};

/* An error ends the pass and is passed on. */
typedef struct err *consume_fn(void *ctx, const struct consume_event *e);

struct err *consume_new(const struct consume_source *src,
			const struct consume_meta *meta, struct consume **ret);
void consume_free(struct consume *c);

/*
 * One pass: take what the rings hold and hand on, in order of timestamp, every
 * event that can no longer be overtaken by another CPU's; with `final`, all of
 * them.  A record with an action on aggregations (PRINTA, CLEAR, TRUNC,
 * NORMALIZE, DENORMALIZE) is handed on only after a snapshot taken since it
 * was read, so it sees everything aggregated before it.  temporal false: CPU
 * after CPU.
 */
struct err *consume_pass(struct consume *c, bool temporal, bool final,
			 consume_fn *fn, void *ctx);
/* Report drops since last told.  Order: as drop.def, then by CPU. */
struct err *consume_drops(struct consume *c, consume_fn *fn, void *ctx);
/* Snapshot now. */
struct err *consume_snapshot(struct consume *c);

/* The integer of field f in a record or key: sign- or zero-extended. */
int64_t consume_field_int(const struct abi_field *f, const void *base);

/* The text of a PROBE field, "" when unknown. */
const char *consume_probe_part(const struct consume_meta *m, uint32_t probe,
			       enum abi_probe_part part);

#endif
