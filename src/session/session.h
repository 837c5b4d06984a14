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

#include <sys/types.h>

#include "consume/consume.h"
#include "lang/diag.h"
#include "opt/opt.h"
#include "probe/probe.h"
#include "util/err.h"
#include "util/sb.h"

struct session;
struct session_prog;
struct session_proc;

struct err *session_new(struct session **ret);
/* Detach, end what we created, free.  NULL is fine. */
void session_free(struct session *s);

struct opt_set *session_opts(struct session *s);
/* The options may only be so large, here: ERR_LIMIT for the first that is not. */
struct err *session_check_limits(const struct session *s);
/* True between session_go() and session_stop(). */
bool session_running(const struct session *s);

/* --- Programs ------------------------------------------------------------- */

enum { SESSION_TEXT_MAX = 64 << 20 };	/* bytes of a program */

enum session_flags {
	SESSION_CMDLINE = 1,	/* text from -n and friends */
	SESSION_TYPE = 2,	/* not a program but the name of a type:
				 * session_prog_type() */
};

/*
 * Compile D text.  name: file, or NULL for a command line.  spec: what the
 * description at the start of a command line names last.  args[0] is $0.
 * ERR_COMPILE when the program is wrong: *diags then tells why (borrowed until
 * the next compilation).  ERR_LIMIT: it is longer than SESSION_TEXT_MAX.
 */
struct err *session_compile(struct session *s, const char *name,
			    const char *text, size_t size,
			    enum probe_spec spec, unsigned flags,
			    const char *const *args, unsigned nargs,
			    const struct diag_list **diags,
			    struct session_prog **ret);
/* Probes that the program's descriptions match now. */
unsigned session_prog_matches(const struct session_prog *p);
/* Its statements that record, aggregate, and speculate. */
struct session_prog_counts {
	unsigned records, aggregates, speculates, clauses;
};
struct session_prog_counts session_prog_counts(const struct session_prog *p);
/* The least stable of its descriptions, and of what its clauses use. */
void session_prog_attrs(const struct session_prog *p, struct probe_attr *desc,
			struct probe_attr *stmt);
/* The program's code, as -S shows it. */
struct err *session_prog_print(struct session *s, struct session_prog *p,
			       struct sb *b);
/* The type that a text of SESSION_TYPE names; NULL: it is a program. */
struct type;
const struct type *session_prog_type(const struct session_prog *p);
/* A type is loaded when its members are asked for, and then has none when memory was
 * short: ERR_NOMEM once it was. */
struct err *session_check_memory(const struct session *s);
/* The type of a symbol of the kernel's or of a module's: a function, or a variable
 * of which it is known.  ERR_NOTFOUND: it is not. */
struct err *session_symbol_type(struct session *s, const char *module,
				const char *name, const struct type **ret);
/* Each description of each clause. */
struct session_stmt {
	uint32_t clause;		/* from 0 on */
	const struct probe_desc *desc;
	bool has_pred;
	struct probe_attr desc_attr, stmt_attr;	/* the clause's */
};
typedef bool session_stmt_fn(void *ctx, const struct session_stmt *st);
void session_prog_stmts(const struct session_prog *p, session_stmt_fn *fn,
			void *ctx);
/* Have it run by the next session_go(). */
struct err *session_enable(struct session *s, struct session_prog *p);

/* --- Probes --------------------------------------------------------------- */

typedef bool session_probe_fn(void *ctx, const struct probe *p);
/* Every probe that text matches (NULL: all), in order of id. */
struct err *session_probes(struct session *s, const char *text,
			   enum probe_spec spec, session_probe_fn *fn,
			   void *ctx);
/* Those that the clauses of a program match; a description that matches none
 * is a probe with that name and id 0. */
struct err *session_prog_probes(struct session *s, struct session_prog *p,
				session_probe_fn *fn, void *ctx);

/* What is known of a probe.  nargs: its typed arguments, -1 when unknown. */
struct session_probe {
	struct probe_attr desc, args;
	int nargs;
};
bool session_probe_info(struct session *s, uint32_t id,
			struct session_probe *ret);
/* The type of its args[n] as text, borrowed from the session; NULL: none. */
const char *session_probe_arg(struct session *s, uint32_t id, unsigned n);

/* --- Processes ------------------------------------------------------------ */

/* Start a command, the file by the name of argv[0], stopped before its first
 * instruction; session_go() runs it to where the option evaltime says.  There it
 * stands until session_proc_continue().  It does not outlive the session. */
struct err *session_proc_create(struct session *s, const char *file,
				const char *const *argv,
				struct session_proc **ret);
struct err *session_proc_grab(struct session *s, pid_t pid,
			      struct session_proc **ret);
pid_t session_proc_pid(const struct session_proc *p);
/* Let a command run, once tracing is on: now, or when session_go() has done its
 * work.  What runs already goes on. */
struct err *session_proc_continue(struct session *s, struct session_proc *p);
/* It is no longer the session's, except as $target: a command that stands runs,
 * whether it is traced or not, and does not end with the session; that it ends is
 * not told, and does not end the tracing. */
struct err *session_proc_release(struct session *s, struct session_proc *p);
/* Called when a process has ended; text: "pid 7 has exited". */
typedef void session_proc_fn(void *ctx, pid_t pid, const char *text);
void session_on_proc(struct session *s, session_proc_fn *fn, void *ctx);

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
/* Load, attach, fire BEGIN, let those processes run that are to.  Once: whether it
 * succeeds or not, it cannot begin again. */
struct err *session_go(struct session *s);
/* Sleep until there is something to do: data, a rate's turn, a process's end,
 * a signal. */
void session_wait(struct session *s);

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

#endif
