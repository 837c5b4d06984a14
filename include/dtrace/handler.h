/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What is not a record: faults, losses, processes, text, options.  All data is
 * borrowed for the time of the call; setting a handler replaces the one before,
 * NULL takes it away.
 *
 * dtrace_next() tells of these as events, and calls none of the handlers but that
 * of setopt().
 */
#ifndef DTRACE_HANDLER_H
#define DTRACE_HANDLER_H

#include "dtrace/consume.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {	/* what a handler answers */
	DTRACE_HANDLE_ABORT = -1, DTRACE_HANDLE_OK = 0
};

typedef struct dtrace_errdata {
	dtrace_hdl_t *dteda_handle;
	dtrace_eprobedesc_t *dteda_edesc;	/* without records */
	dtrace_probedesc_t *dteda_pdesc;
	unsigned int dteda_cpu;
	int dteda_action, dteda_offset, dteda_fault;
	uint64_t dteda_addr;
	const char *dteda_msg;		/* one line, with newline */
	const char *dteda_hint;		/* how to mend it, one line with newline,
					 * once for each clause; or NULL */
	/* 0: an error that was not told before; else how many more of one that
	 * was, since the last time, at other addresses perhaps */
	uint64_t dteda_count;
} dtrace_errdata_t;

typedef enum {
	DTRACEDROP_PRINCIPAL, DTRACEDROP_AGGREGATION, DTRACEDROP_DYNAMIC,
	DTRACEDROP_DYNRINSE, DTRACEDROP_DYNDIRTY, DTRACEDROP_SPEC,
	DTRACEDROP_SPECBUSY, DTRACEDROP_SPECUNAVAIL,
	DTRACEDROP_STKSTROVERFLOW, DTRACEDROP_DBLERROR, DTRACEDROP_FIRING,
	DTRACEDROP_MALFORMED
} dtrace_dropkind_t;

typedef struct dtrace_dropdata {
	dtrace_hdl_t *dtdda_handle;
	int dtdda_cpu;
	dtrace_dropkind_t dtdda_kind;
	uint64_t dtdda_drops, dtdda_total;
	const char *dtdda_msg;		/* one line, with newline */
} dtrace_dropdata_t;

/* Text that would have been printed: of one action, with the row's columns
 * before it and its newline behind it; or any amount that belongs to none. */
typedef struct dtrace_bufdata {
	dtrace_hdl_t *dtbda_handle;
	const char *dtbda_buffered;	/* a NUL stands behind it */
	size_t dtbda_size;		/* without that; there may be others */
	const dtrace_probedata_t *dtbda_probe;	/* whose; or NULL */
	const dtrace_recdesc_t *dtbda_recdesc;	/* its action; or NULL */
} dtrace_bufdata_t;

/* setopt() of a program has changed an option. */
typedef struct dtrace_setoptdata {
	dtrace_hdl_t *dtsda_handle;
	const dtrace_probedata_t *dtsda_probe;
	const char *dtsda_option;
	int64_t dtsda_oldval, dtsda_newval;	/* as of dtrace_getopt() */
} dtrace_setoptdata_t;

typedef int dtrace_handle_err_f(const dtrace_errdata_t *, void *);
typedef int dtrace_handle_drop_f(const dtrace_dropdata_t *, void *);
/* msg: why it ended, "pid 7 has exited". */
typedef void dtrace_handle_proc_f(pid_t pid, const char *msg, void *);
/* Only where dtrace_work() and dtrace_aggregate_print() are given no FILE. */
typedef int dtrace_handle_buffered_f(const dtrace_bufdata_t *, void *);
typedef int dtrace_handle_setopt_f(const dtrace_setoptdata_t *, void *);

int dtrace_handle_err(dtrace_hdl_t *, dtrace_handle_err_f *, void *);
int dtrace_handle_drop(dtrace_hdl_t *, dtrace_handle_drop_f *, void *);
int dtrace_handle_proc(dtrace_hdl_t *, dtrace_handle_proc_f *, void *);
int dtrace_handle_buffered(dtrace_hdl_t *, dtrace_handle_buffered_f *, void *);
int dtrace_handle_setopt(dtrace_hdl_t *, dtrace_handle_setopt_f *, void *);

#ifdef __cplusplus
}
#endif

#endif
