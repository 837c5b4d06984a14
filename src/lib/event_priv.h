/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Events, fields and snapshots from the inside.
 *
 * All three are for the one who asked: what they hold is a copy, but for
 * descriptions and names, which belong to the session and live as long as the
 * handle.
 */
#ifndef LIB_EVENT_PRIV_H
#define LIB_EVENT_PRIV_H

#include "lib/lib_priv.h"
#include "util/alloc.h"

struct dtrace_field {
	dtrace_hdl_t *h;
	const struct abi_field *d;	/* NULL: agg */
	const uint8_t *base;		/* d's offset counts from here */
	dtrace_agg_t *agg;		/* AGG: owned; NULL: not yet made */
};

/* What waits to be asked for: an event, or the record that it will be made of. */
struct lib_queued {
	struct lib_queued *next;
	dtrace_event_t *ev;		/* NULL: not yet made */
	unsigned cpu;
	struct abi_record rec;		/* and its bytes behind */
};

struct dtrace_event {
	dtrace_hdl_t *h;
	unsigned refs;
	dtrace_eventkind_t kind;
	/* RECORD, ERROR, DROP; its pointers are to what is below, or NULL. */
	struct consume_event e;
	struct lib_queued *queued;	/* RECORD: has its bytes; owned */
	struct abi_who who;
	struct consume_epid epid;	/* their tables may move as they grow */
	struct consume_probe probe;
	dtrace_action_t *actions;	/* both behind this */
	struct dtrace_field *fields;
	unsigned nactions, nfields;
	struct sb text;
	bool has_text;
	int fault, action;
	uint64_t address;
	char *hint;			/* owned, or NULL */
	pid_t pid;			/* PROC */
	int status;			/* END */
};

/* --- event.c ----------------------------------------------------------------- */

/* NULL: no memory.  e: or NULL. */
dtrace_event_t *lib_event_new(dtrace_hdl_t *h, dtrace_eventkind_t kind,
			      const struct consume_event *e);
/* The event of a record, which it owns from now on; NULL: no memory. */
dtrace_event_t *lib_event_of(dtrace_hdl_t *h, struct lib_queued *q);

/* --- next.c ------------------------------------------------------------------ */

/* Write the actions of a record to its own text, without carrying any out. */
struct err *lib_event_print(dtrace_event_t *ev);

/* --- snap.c ------------------------------------------------------------------ */

struct err *lib_snap(dtrace_hdl_t *h, struct consume_agg *g,
		     dtrace_agg_t **ret);

#endif
