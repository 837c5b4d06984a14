/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where what happens goes: to the functions of the consumer, to text, or into the
 * queue.
 */
#ifndef LIB_TURN_PRIV_H
#define LIB_TURN_PRIV_H

#include "lib/lib_priv.h"

/* work.c: how text looks is to follow the options as they are now; nothing has been
 * handed out yet. */
struct err *lib_shape(dtrace_hdl_t *h);
/* One turn; at the end of tracing the last one. */
struct err *lib_turn(dtrace_hdl_t *h);
void lib_set_clock(dtrace_hdl_t *h, struct fmt *f);
/* Write what there is of text, for who is called; nothing else. */
struct err *lib_text_flush(dtrace_hdl_t *h);

/* next.c */
struct err *lib_push_record(dtrace_hdl_t *h, const struct consume_event *e);
struct err *lib_push_error(dtrace_hdl_t *h, const struct consume_event *e,
			   int fault, const char *text, const char *hint);
struct err *lib_push_drop(dtrace_hdl_t *h, const struct consume_event *e,
			  const char *text);
struct err *lib_push_proc(dtrace_hdl_t *h, pid_t pid, const char *text);
/* Have who polls look again. */
void lib_wake(dtrace_hdl_t *h);
void lib_queue_fini(dtrace_hdl_t *h);

/* fmt_out.refuse and fmt_out.act; ctx is the handle. */
struct err *lib_refuse(void *ctx, const struct consume_event *e,
		       const char *why);
struct err *lib_act(void *ctx, const struct consume_event *e,
		    const struct abi_action *a, const char *text,
		    const char *value);
/* Hand an error of a clause to the handler: text without its newline, hint (or
 * NULL) with one.  An error means that the handler wants no more. */
struct err *lib_error(dtrace_hdl_t *h, const struct consume_event *e,
		      int fault, struct sb *text, const char *hint);
/* *again: an error like this one was told before, and only counts. */
struct err *lib_repeat_note(dtrace_hdl_t *h, const struct consume_event *e,
			    bool *again);
/* Tell how many came again, when it is time; last: now. */
struct err *lib_repeat_tell(dtrace_hdl_t *h, bool last);
/* handler.c: tell of what is no record. */
struct err *lib_tell_error(dtrace_hdl_t *h, const struct consume_event *e,
			   int fault, const char *msg, const char *hint);
struct err *lib_tell_drop(dtrace_hdl_t *h, const struct consume_event *e,
			  const char *msg);
struct err *lib_tell_text(dtrace_hdl_t *h, const char *p, size_t n);
struct err *lib_tell_option(dtrace_hdl_t *h, const char *name, int64_t old);

#endif
