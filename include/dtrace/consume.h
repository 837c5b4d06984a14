/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tracing, and what it recorded handed to functions of the consumer.
 */
#ifndef DTRACE_CONSUME_H
#define DTRACE_CONSUME_H

#include "dtrace/program.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The kinds of actions.  Those of the last line are this library's own. */
enum {
	DTRACEACT_NONE = 0, DTRACEACT_DIFEXPR = 1 /* trace() */,
	DTRACEACT_EXIT = 2, DTRACEACT_PRINTF = 3, DTRACEACT_PRINTA = 4,
	DTRACEACT_LIBACT = 5, DTRACEACT_TRACEMEM = 6,
	DTRACEACT_TRACEMEM_DYNSIZE = 7, DTRACEACT_PRINTM = 8,
	DTRACEACT_USTACK = 0x101, DTRACEACT_JSTACK, DTRACEACT_USYM,
	DTRACEACT_UMOD, DTRACEACT_UADDR,
	DTRACEACT_STOP = 0x201, DTRACEACT_RAISE, DTRACEACT_SYSTEM,
	DTRACEACT_FREOPEN,
	DTRACEACT_STACK = 0x401, DTRACEACT_SYM, DTRACEACT_MOD,
	DTRACEACT_BREAKPOINT = 0x501, DTRACEACT_PANIC, DTRACEACT_CHILL,
	DTRACEACT_SPECULATE = 0x601, DTRACEACT_COMMIT, DTRACEACT_DISCARD,
	DTRACEACT_CLEAR = 0x801, DTRACEACT_TRUNC, DTRACEACT_NORMALIZE,
	DTRACEACT_DENORMALIZE, DTRACEACT_SETOPT, DTRACEACT_FTRUNCATE,
	DTRACEACT_PRINT
};

typedef enum {	/* what the bytes of a field are */
	DTRACE_FIELD_NONE,	/* an action without a value */
	DTRACE_FIELD_INT,	/* of 1, 2, 4 or 8 bytes */
	DTRACE_FIELD_FLOAT,	/* a float, double or long double */
	DTRACE_FIELD_STRING,	/* to the first NUL or the end */
	DTRACE_FIELD_BYTES,	/* a struct or an array */
	DTRACE_FIELD_STACK,	/* addresses of 8 bytes; one of 0 ends them */
	DTRACE_FIELD_USTACK,	/* a pid of 8 bytes, then likewise */
	DTRACE_FIELD_SYM, DTRACE_FIELD_MOD,	/* an address of 8 bytes */
	DTRACE_FIELD_USYM, DTRACE_FIELD_UMOD,	/* a pid and an address */
	DTRACE_FIELD_UADDR,
	DTRACE_FIELD_AGG	/* of events alone: a snapshot */
} dtrace_fieldkind_t;

/* One field of an action that ran.  An action without fields is described by
 * one of size 0, and one on aggregations by one for each of them and then one
 * for each of its fields. */
typedef struct dtrace_recdesc {
	uint32_t dtrd_action;		/* DTRACEACT_*; a value: DTRACEAGG_* */
	uint32_t dtrd_size;		/* bytes */
	uint32_t dtrd_offset;		/* from the start of the data */
	uint16_t dtrd_alignment;
	uint16_t dtrd_format;		/* not 0: the action has a format */
	uint64_t dtrd_arg;		/* the parameter: of a stack its depth,
					 * of an action on aggregations the id */
	uint64_t dtrd_uarg;		/* 0 */
	dtrace_fieldkind_t dtrd_kind;
	int dtrd_signed;		/* INT: is its type? */
	unsigned int dtrd_index;	/* how many actions ran before it */
	const char *dtrd_text;		/* the format, or NULL */
} dtrace_recdesc_t;

typedef struct dtrace_eprobedesc {
	dtrace_epid_t dtepd_epid;
	dtrace_id_t dtepd_probeid;
	uint64_t dtepd_uarg;		/* 0 */
	uint32_t dtepd_size;		/* bytes of the data */
	int dtepd_nrecs;
	const dtrace_recdesc_t *dtepd_rec;	/* what ran, in that order */
} dtrace_eprobedesc_t;

/* What a firing recorded; borrowed for the time of the call. */
typedef struct dtrace_probedata {
	dtrace_hdl_t *dtpda_handle;
	dtrace_eprobedesc_t *dtpda_edesc;
	dtrace_probedesc_t *dtpda_pdesc;
	unsigned int dtpda_cpu;
	char *dtpda_data;
	uint64_t dtpda_timestamp;	/* ns, CLOCK_MONOTONIC, of the firing */
} dtrace_probedata_t;

enum {	/* what a consume callback answers */
	DTRACE_CONSUME_ERROR = -1, DTRACE_CONSUME_THIS = 0,
	DTRACE_CONSUME_NEXT = 1, DTRACE_CONSUME_ABORT = 2
};

/* Called for each firing first.  NEXT: with this one the library is done. */
typedef int dtrace_consume_probe_f(const dtrace_probedata_t *, void *);
/* Called for each field in its turn, and with NULL at the end of a firing's.
 * NEXT: the library does not print, or do, this action. */
typedef int dtrace_consume_rec_f(const dtrace_probedata_t *,
				 const dtrace_recdesc_t *, void *);

typedef enum {
	DTRACE_WORKSTATUS_ERROR = -1, DTRACE_WORKSTATUS_OKAY = 0,
	DTRACE_WORKSTATUS_DONE = 1
} dtrace_workstatus_t;

enum {	/* dtrace_status() */
	DTRACE_STATUS_NONE = 0, DTRACE_STATUS_OKAY, DTRACE_STATUS_EXITED,
	DTRACE_STATUS_FILLED, DTRACE_STATUS_STOPPED
};

/* Instead of programs: replay the trace that option save put into a file.  Then
 * dtrace_go() and dtrace_work() are as for a trace that goes on; a handle opened
 * with DTRACE_O_NODEV will do. */
int dtrace_replay(dtrace_hdl_t *, const char *path);
/* What takes long of dtrace_go(), which need not be called: load and attach.  Nothing fires
 * yet, so who is ended meanwhile, by a signal, loses nothing.  Once, also when it
 * fails. */
int dtrace_prepare(dtrace_hdl_t *);
/* Once for each handle, also when it fails. */
int dtrace_go(dtrace_hdl_t *);
/* The next dtrace_work() hands on what is left and answers DONE. */
int dtrace_stop(dtrace_hdl_t *);
/* Until there is something to do, or a signal comes. */
void dtrace_sleep(dtrace_hdl_t *);
/* Before the first turn, while nobody wants what is recorded: it stays in the
 * buffers, whose sizes and policy say what becomes of more than fits, until fd can
 * be read (1) or a signal comes (0). */
int dtrace_hold(dtrace_hdl_t *, int fd);
/* One turn of the consumer: what was recorded is handed to the functions (NULL:
 * none), and printed to fp.  fp NULL: to the handler of dtrace_handle_buffered(),
 * or nowhere. */
dtrace_workstatus_t dtrace_work(dtrace_hdl_t *, FILE *fp,
	dtrace_consume_probe_f *, dtrace_consume_rec_f *, void *arg);
/* The same; 0 unless it fails, and dtrace_status() says how it stands. */
int dtrace_consume(dtrace_hdl_t *, FILE *fp, dtrace_consume_probe_f *,
		   dtrace_consume_rec_f *, void *arg);
int dtrace_status(dtrace_hdl_t *);
/* The argument of the last exit() that ran, END's included; 0 without one. */
int dtrace_exit_status(dtrace_hdl_t *);

#ifdef __cplusplus
}
#endif

#endif
