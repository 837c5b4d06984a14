/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Bytes to events: records of all CPUs in order of their timestamps,
 * aggregations merged, drops and errors, each handed to the caller as data.
 * Knows nothing of the kernel: bytes come from a struct consume_source, be
 * they live rings or a test's own.  Prints nothing: fmt does.
 */
#ifndef CONSUME_CONSUME_H
#define CONSUME_CONSUME_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/agg.h"
#include "consume/agg.h"
#include "consume/meta.h"
#include "consume/source.h"
#include "util/err.h"

struct consume;

/* --- Events ------------------------------------------------------------- */

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
	const struct abi_who *who;	/* RECORD, ERROR; NULL: not recorded */
	bool exits;				/* RECORD: an EXIT of it ran */
	const struct abi_error_record *error;	/* ERROR */
	const char *file;		/* ERROR: of its place; NULL: the script */
	enum abi_drop drop;			/* DROP */
	/* DROP: how many since the last event of the kind, and in all.  ERROR:
	 * how many more, like one before, this stands for; 0: for itself. */
	uint64_t count, total;
};

/* An error ends the pass and is passed on. */
typedef struct err *consume_fn(void *ctx, const struct consume_event *e);

/* src and meta are borrowed until consume_free(); meta->naggs is read now.
 * ERR_FORMAT when an aggregation's description contradicts itself. */
struct err *consume_new(const struct consume_source *src,
			const struct consume_meta *meta, struct consume **ret);
void consume_free(struct consume *c);		/* NULL is fine */

/*
 * One pass: take what the rings hold and hand on, in order of timestamp, every
 * event that can no longer be overtaken by another CPU's; with `final`, all of
 * them.  A record with an action on aggregations (PRINTA, CLEAR, TRUNC,
 * NORMALIZE, DENORMALIZE) is handed on only after a snapshot taken since it
 * was read, so it sees everything aggregated before it.  Records of a
 * speculation are handed on, in order of timestamp, when its commit's turn
 * comes, and never if that does not come.  temporal false: CPU after CPU.  An
 * error loses nothing: events not yet handed to fn come in the next pass (the
 * one that fn refused does not come again).
 *
 * Events are borrowed for the time of the call.  The description of a RECORD
 * has been checked: every field lies inside the record, every index in range.
 */
struct err *consume_pass(struct consume *c, bool temporal, bool final,
			 consume_fn *fn, void *ctx);
/* Free the speculations whose end was left to the consumer, as far as it has been
 * handed on; to be called now and then.  True when some still wait for that. */
bool consume_clean(struct consume *c);
/* When what has been read and not yet handed on is old enough, ns; UINT64_MAX:
 * there is nothing. */
uint64_t consume_due(const struct consume *c);
/* Empty the rings into memory; the next pass hands it on. */
struct err *consume_collect(struct consume *c);
/* Report drops since last told.  Order: as drop.def, then by CPU. */
struct err *consume_drops(struct consume *c, consume_fn *fn, void *ctx);
/* Snapshot now. */
struct err *consume_snapshot(struct consume *c);
/*
 * The actions of a RECORD event that ran, one after the other:
 *
 *	struct consume_step s = { .at = 0 };
 *	while (consume_next(desc, record, &s))
 *		s.action has its fields at s.base
 *
 * An action in a loop comes once for each turn; one in a branch that was not
 * taken does not come.
 */
struct consume_step {
	const struct abi_action *action;
	const uint8_t *base;		/* fields' offsets count from here */
	uint32_t at;			/* private; 0 at first */
};
bool consume_next(const struct abi_clause_desc *d, const struct abi_record *r,
		  struct consume_step *s);

/* The integer of field f in a record or key: sign- or zero-extended by its
 * size; 0 when that is not 1, 2, 4 or 8. */
int64_t consume_field_int(const struct abi_field *f, const void *base);

/* The text of a PROBE field, at most as long as a string may be; nothing when
 * unknown. */
struct base_span consume_probe_part(const struct consume_meta *m, uint32_t probe,
				    enum abi_probe_part part);

#endif
