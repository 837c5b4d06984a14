/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A trace, from program text to detaching: the place where compiler and
 * running system meet.  Call order:
 *
 *	session_new, options, session_compile*, session_enable*, session_proc_*,
 *	session_go, { session_wait, session_step }*, session_stop, session_free
 *
 * One thread calls; a thread of the session's own runs tick probes.
 */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include "consume/consume.h"
#include "opt/opt.h"
#include "util/err.h"
#include "util/sb.h"

struct session;

struct err *session_new(struct session **ret);
/* Detach, end what we created, free.  NULL is fine. */
void session_free(struct session *s);

struct opt_set *session_opts(struct session *s);
/* The options may only be so large, here: ERR_LIMIT for the first that is not.  What is
 * lowered instead is told to said, if not NULL. */
struct err *session_check_limits(struct session *s, struct sb *said);
/* True between session_go() and session_stop(). */
bool session_running(const struct session *s);

/* --- Probes that come ------------------------------------------------------ */

/* Called with a line about each site or probe that could not be attached. */
typedef void session_warn_fn(void *ctx, const char *text);
void session_on_warning(struct session *s, session_warn_fn *fn, void *ctx);
/* How many there were. */
uint64_t session_nwarnings(const struct session *s);
/* While tracing: providers may have more probes now.  Those that descriptions of the
 * enabled programs match are attached, and fire from then on; nothing happens when
 * the tracing does not go on. */
struct err *session_add_probes(struct session *s);

/* --- Tracing -------------------------------------------------------------- */

/* Instead of programs: replay a trace that was saved (option save) from a file.
 * Then session_go(), step, stop and drain are as for a trace that goes on. */
struct err *session_replay(struct session *s, const char *path);
bool session_is_replay(const struct session *s);
/* What a page says of where it comes from, kept with a trace that is saved: lines
 * of text, borrowed until session_free(). */
void session_set_heading(struct session *s, const char *text);
/* The same, or that of the trace that is replayed; NULL: there is none. */
const char *session_heading(const struct session *s);
/* When probes began to fire, ns as records have it; 0: they do not yet. */
uint64_t session_begun(const struct session *s);
/* Load and attach: what may take long, and nothing fires yet, so who ends meanwhile loses
 * nothing.  Once: whether it succeeds or not, it cannot begin again. */
struct err *session_prepare(struct session *s);
/* That, unless it was done, then fire BEGIN, and let those processes run that are to.
 * Once. */
struct err *session_go(struct session *s);
/* Sleep until there is something to do: data, a rate's turn, a process's end,
 * a signal. */
void session_wait(struct session *s);

/* Instead of turns, for as long as nobody wants what is recorded: leave it in the
 * buffers until fd can be read (*came), or a signal comes. */
struct err *session_hold(struct session *s, int fd, bool *came);

/* For those who wait by themselves: a descriptor that poll() finds readable when
 * something has come, and the time, ns, at which session_step() is to be called
 * at the latest. */
int session_fd(const struct session *s);
uint64_t session_due(struct session *s);

enum session_status {
	SESSION_OKAY,
	SESSION_EXITED,		/* exit() was called */
	SESSION_DONE,		/* all processes have ended */
	SESSION_FILLED,		/* a buffer is full, with bufpolicy=fill */
};

/* One turn: events and drops go to fn.  A record that holds exit() ends the
 * tracing: *status says so. */
struct err *session_step(struct session *s, consume_fn *fn, void *ctx,
			 enum session_status *status);
/* Detach and fire END; nothing is recorded from then on. */
struct err *session_stop(struct session *s);
/* After session_stop(): hand on everything that is left. */
struct err *session_drain(struct session *s, consume_fn *fn, void *ctx);

/* The time, in ns as records have it, and what to add to such for ns since the
 * epoch. */
void session_clock(const struct session *s, uint64_t *now, int64_t *wall_delta);
struct consume *session_consume(struct session *s);
const struct consume_meta *session_meta(struct session *s);
struct sym_names *session_names(struct session *s);
struct sym_kernel *session_kernel_symbols(struct session *s);
/* What else there is to say of an ERROR event, one line, at the end of b; false:
 * nothing, or it has been said of that clause before (b is then to be ignored). */
bool session_hint(struct session *s, const struct consume_event *e,
		  struct sb *b);

/* Call fn for each provider of which it is known how its probes are attached: can
 * they be, here; how, and what is missing and why. */
typedef void session_how_fn(void *ctx, const char *provider, bool can,
			    const char *text);
struct err *session_hows(struct session *s, session_how_fn *fn, void *ctx);

#endif
