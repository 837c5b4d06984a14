/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A handle from the inside, and what the files of the library share.
 */
#ifndef LIB_LIB_PRIV_H
#define LIB_LIB_PRIV_H

#include "dtrace/dtrace.h"
#include "fmt/fmt.h"
#include "session/session.h"
#include "util/hash.h"

#define PUBLIC __attribute__((visibility("default")))

struct dtrace_hdl {
	struct session *s;
	struct fmt *fmt;
	FILE *out;			/* where this turn's text goes */
	FILE *redirect;			/* since freopen(), instead; or NULL */
	int error;			/* EDT_* */
	char *errmsg;			/* owned, or NULL */
	struct sb detail;
	int exit_status;
	int status;			/* DTRACE_STATUS_* */
	bool stopped, drained;		/* tracing has; the last records are */
	struct arena *a;		/* handles given out */
	struct hash repeated;		/* errors that were told */
	struct lib_repeat *repeats;	/* the same, latest first */
	uint64_t next_repeat;		/* ns: when to tell their numbers */

	dtrace_handle_err_f *on_err;
	dtrace_handle_drop_f *on_drop;
	dtrace_handle_proc_f *on_proc;
	void *err_arg, *drop_arg, *proc_arg;
	/* The callbacks of the current dtrace_work(). */
	dtrace_consume_probe_f *chew;
	dtrace_consume_rec_f *chewrec;
	void *chew_arg;
};

struct dtrace_prog { struct session_prog *p; };
struct dtrace_proc { struct session_proc *p; };

/* Keep e for dtrace_errno(); always -1. */
int lib_fail(dtrace_hdl_t *h, struct err *e);
/* Where text goes now: NULL for nowhere. */
FILE *lib_out(dtrace_hdl_t *h);
/* Tell fmt where text goes, as that has changed. */
void lib_set_terminal(dtrace_hdl_t *h);
/* Have the system write what lies in lib_out(). */
struct err *lib_flush(dtrace_hdl_t *h);
/* errno says why output could not be written. */
struct err *lib_write_error(void);
/* fmt_out.act; ctx is the handle. */
struct err *lib_act(void *ctx, const struct consume_event *e,
		    const struct abi_action *a, const char *text,
		    const char *value);
/* Hand an error of a clause to the handler: text without its newline, hint (or
 * NULL) with one.  An
 * error means that the handler wants no more. */
struct err *lib_error(dtrace_hdl_t *h, const struct consume_event *e,
		      int fault, struct sb *text, const char *hint);
/* *again: an error like this one was told before, and only counts. */
struct err *lib_repeat_note(dtrace_hdl_t *h, const struct consume_event *e,
			    bool *again);
/* Tell how many came again, when it is time; last: now. */
struct err *lib_repeat_tell(dtrace_hdl_t *h, bool last);
void lib_probedesc(dtrace_probedesc_t *d, uint32_t id, const char *prov,
		   const char *mod, const char *func, const char *name);

#endif
