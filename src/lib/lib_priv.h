/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A handle from the inside, and what the files of the library share.
 *
 * Events of the session go one of two ways: to the consumer's functions and to
 * text (work.c), or into a queue (next.c).  h->pull says which.
 */
#ifndef LIB_LIB_PRIV_H
#define LIB_LIB_PRIV_H

#include "dtrace/dtrace.h"
#include "fmt/fmt.h"
#include "lib/record_priv.h"
#include "session/session.h"
#include "util/arena.h"
#include "util/hash.h"

#define PUBLIC __attribute__((visibility("default")))

struct lib_queued;

struct dtrace_hdl {
	struct session *s;
	struct fmt *fmt;
	FILE *out;			/* where this turn's text goes */
	FILE *redirect;			/* since freopen(), instead; or NULL */
	int error;			/* EDT_* */
	char *errmsg;			/* owned, or NULL */
	struct sb detail, hints;
	struct sb program, command;	/* for headings: what traces, in lines; and
					 * what -c runs */
	int exit_status;
	int status;			/* DTRACE_STATUS_* */
	/* Functions of the consumer are called, perhaps. */
	bool turning, walking;
	bool turned;			/* something may have been handed out */
	bool stopped, drained;		/* tracing has; the last records are */
	struct arena *a;		/* handles given out */
	struct hash typenames;		/* struct type to its text, in a */
	struct hash repeated;		/* errors that were told */
	struct lib_repeat *repeats;	/* the same, latest first */
	uint64_t next_repeat;		/* ns: when to tell their numbers */

	dtrace_handle_err_f *on_err;
	dtrace_handle_drop_f *on_drop;
	dtrace_handle_proc_f *on_proc;
	dtrace_handle_buffered_f *on_buffered;
	dtrace_handle_setopt_f *on_setopt;
	void *err_arg, *drop_arg, *proc_arg, *buffered_arg, *setopt_arg;
	struct lib_record rec;

	/* Those who ask for events; next.c. */
	bool pull, over;		/* over: the last was queued */
	struct lib_queued *first, *last;	/* the queue */
	struct err *late;		/* to be told when it is empty */
	struct fmt *text_fmt;		/* texts of events; or NULL */
	struct opt_set text_opts;	/* its; borrowed from the session's */
	dtrace_event_t *printing;	/* whose text is being made */
	unsigned turn_of;		/* which of its actions */
	int poll, timer;		/* of dtrace_fd(); -1: not asked for */

	/* The callbacks of the current dtrace_work(). */
	dtrace_consume_probe_f *chew;
	dtrace_consume_rec_f *chewrec;
	void *chew_arg;
};

struct dtrace_prog { struct session_prog *p; };
struct dtrace_proc { struct session_proc *p; };

/* program.c: compile text of a command line, flags as of session_compile(); NULL
 * after a failure that is kept. */
dtrace_prog_t *lib_compile(dtrace_hdl_t *h, const char *text, size_t size,
			   unsigned flags);
/* All that fp has; name for messages. */
struct err *lib_read_all(FILE *fp, const char *name, struct sb *b);
/* "a callback ended the tracing" */
struct err *lib_aborted(void);
/* There is something to look at only once dtrace_go() has been called. */
struct err *lib_check_begun(const dtrace_hdl_t *h);
/* "%s is missing", when p is NULL. */
struct err *lib_need(const void *p, const char *what);
/* A turn hands out records and a walk elements that another one, from a function
 * that was called for one of those, would free. */
struct err *lib_check_turn(const dtrace_hdl_t *h);
struct err *lib_check_walk(const dtrace_hdl_t *h);
/* Keep e for dtrace_errno(); always -1. */
int lib_fail(dtrace_hdl_t *h, struct err *e);
/* Where text goes now: NULL for nowhere. */
FILE *lib_out(const dtrace_hdl_t *h);
/* Tell fmt where text goes, as that has changed. */
void lib_set_terminal(dtrace_hdl_t *h);
/* Have the system write what lies in lib_out(). */
struct err *lib_flush(dtrace_hdl_t *h);
/* errno says why output could not be written. */
struct err *lib_write_error(void);
/* aggregate.c: the order that the options ask for. */
struct consume_sort lib_agg_sort(dtrace_hdl_t *h);

#endif
