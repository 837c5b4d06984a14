/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What was traced, as events that one asks for:
 *
 *	while ((r = dtrace_next(h, &e)) >= 0 && r != DTRACE_NEXT_END) {
 *		if (r == DTRACE_NEXT_NONE) {
 *			dtrace_sleep(h);
 *			continue;
 *		}
 *		... dtrace_event_kind(e) ...
 *		dtrace_event_unref(e);
 *	}
 *
 * An event has one reference, the caller's, who may keep it as long as the handle
 * is open.  All that is asked of an event, its fields and texts too, is borrowed
 * from it.
 */
#ifndef DTRACE_EVENT_H
#define DTRACE_EVENT_H

#include "dtrace/consume.h"
#include "dtrace/handler.h"
#include "dtrace/lookup.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dtrace_event dtrace_event_t;
typedef struct dtrace_field dtrace_field_t;
typedef struct dtrace_agg dtrace_agg_t;		/* agg.h */

enum {	/* dtrace_next(); -1 is an error */
	DTRACE_NEXT_NONE = 0,	/* nothing yet: dtrace_sleep(), or poll() */
	DTRACE_NEXT_EVENT = 1,
	DTRACE_NEXT_END = 2	/* nothing more */
};

/* Never waits.  The actions of records that do something (to aggregations, to
 * options, system()) are carried out when their event is made; freopen() and
 * ftruncate() do nothing, since nothing is written. */
int dtrace_next(dtrace_hdl_t *, dtrace_event_t **ret);
/* While tracing, a descriptor that poll() finds readable when dtrace_next() is to
 * be called until it has no more; -1 before dtrace_go().  The handle's: it is not
 * to be read or closed. */
int dtrace_fd(dtrace_hdl_t *);

dtrace_event_t *dtrace_event_ref(dtrace_event_t *);
void dtrace_event_unref(dtrace_event_t *);	/* NULL is fine */

typedef enum {
	DTRACE_EVENT_RECORD = 1,	/* a clause recorded something */
	DTRACE_EVENT_ERROR,	/* a clause faulted, or an action failed */
	DTRACE_EVENT_DROP,	/* something was lost */
	DTRACE_EVENT_PROC,	/* a process of ours has ended */
	DTRACE_EVENT_END	/* the last: tracing is over */
} dtrace_eventkind_t;

dtrace_eventkind_t dtrace_event_kind(const dtrace_event_t *);
/* RECORD, ERROR; DROP where it is known.  -1 else. */
int dtrace_event_cpu(const dtrace_event_t *);
/* RECORD, ERROR: ns, CLOCK_MONOTONIC, of the firing; else 0. */
uint64_t dtrace_event_timestamp(const dtrace_event_t *);
/* RECORD, ERROR: the probe and the enabling; else 0 and "". */
dtrace_epid_t dtrace_event_epid(const dtrace_event_t *);
dtrace_id_t dtrace_event_probeid(const dtrace_event_t *);
const char *dtrace_event_provider(const dtrace_event_t *);
const char *dtrace_event_module(const dtrace_event_t *);
const char *dtrace_event_function(const dtrace_event_t *);
const char *dtrace_event_name(const dtrace_event_t *);
/* PROC: the process.  RECORD, ERROR: the thread that fired, which is recorded
 * when the option `who' was set before dtrace_go(); else -1 and NULL. */
pid_t dtrace_event_pid(const dtrace_event_t *);
pid_t dtrace_event_tid(const dtrace_event_t *);
const char *dtrace_event_execname(const dtrace_event_t *);
/* RECORD: what its actions show, without columns and without a newline that they
 * do not print themselves (as with the option quiet).  ERROR, DROP, PROC: one
 * line.  END: "".  *size, unless NULL: bytes, of which some may be NUL.  NULL:
 * there was no memory. */
const char *dtrace_event_text(dtrace_event_t *, size_t *size);
/* ERROR: DTRACEFLT_*, see dtrace_faultstr(); else -1. */
int dtrace_event_fault(const dtrace_event_t *);
/* ERROR: the address at fault, or 0; where its value in the program is. */
uint64_t dtrace_event_address(const dtrace_event_t *);
/* ERROR: how to mend it, one line; or NULL. */
const char *dtrace_event_hint(const dtrace_event_t *);
/* DROP: of which kind; else -1. */
int dtrace_event_dropkind(const dtrace_event_t *);
/* DROP: how many since the last one of the kind, and in all.  ERROR: for how many
 * this stands.  Else 1. */
uint64_t dtrace_event_count(const dtrace_event_t *);
uint64_t dtrace_event_total(const dtrace_event_t *);
/* END: dtrace_exit_status(); else 0. */
int dtrace_event_status(const dtrace_event_t *);

/* RECORD: the actions that ran, in order; each has fields first.. of the event. */
typedef struct dtrace_action {
	uint32_t kind;			/* DTRACEACT_* */
	unsigned int first, nfields;
	const char *format;		/* or NULL */
} dtrace_action_t;
unsigned int dtrace_event_nactions(const dtrace_event_t *);
const dtrace_action_t *dtrace_event_action(const dtrace_event_t *,
					   unsigned int i);
/* All fields of all actions; NULL behind the last. */
unsigned int dtrace_event_nfields(const dtrace_event_t *);
const dtrace_field_t *dtrace_event_field(const dtrace_event_t *,
					 unsigned int i);

/* --- Fields: values of records, keys of aggregations ----------------------- */

dtrace_fieldkind_t dtrace_field_kind(const dtrace_field_t *);
/* INT: the value, extended to 64 bits as its sign says.  Of symbols the address.
 * 0 for others. */
int64_t dtrace_field_int(const dtrace_field_t *);
uint64_t dtrace_field_uint(const dtrace_field_t *);
int dtrace_field_signed(const dtrace_field_t *);
/* FLOAT; or an INT's as one.  A long double is rounded. */
double dtrace_field_float(const dtrace_field_t *);
/* Its bytes as they are: of a STRING those of its text.  *size as above. */
const void *dtrace_field_bytes(const dtrace_field_t *, size_t *size);
/* USTACK, USYM, UMOD, UADDR: whose; 0 for the kernel's; else -1. */
pid_t dtrace_field_pid(const dtrace_field_t *);
/* STACK, USTACK: the frames, the innermost first; SYM and its like: 1. */
unsigned int dtrace_field_nframes(const dtrace_field_t *);
/* -1: there are fewer. */
int dtrace_field_frame(const dtrace_field_t *, unsigned int i,
		       dtrace_frame_t *);
/* AGG: a printa()'s, as it was then; borrowed.  Else NULL. */
const dtrace_agg_t *dtrace_field_agg(const dtrace_field_t *);
/* The value as text: a number in decimal, a name, frames a line each.  The
 * caller's to free(); NULL: there was no memory. */
char *dtrace_field_text(const dtrace_field_t *);

#ifdef __cplusplus
}
#endif

#endif
