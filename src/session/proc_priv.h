/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Processes: those of -c and -p, and we ourselves.
 */
#ifndef SESSION_PROC_PRIV_H
#define SESSION_PROC_PRIV_H

#include "session/session_priv.h"

/* Memory shared with a child that is to execute a command. */
struct proc_start {
	int ready, go;
	int keep;		/* it may live on when we have ended */
	int exec_errno;		/* why execve failed; 0: it did not (yet) */
	uint32_t seen;		/* its number as probes see it; 0: its pid */
};

struct session_proc {
	struct session_proc *next;
	pid_t pid;
	pid_t seen;			/* pid as probes see it */
	int pidfd;
	bool created, ended;
	bool wanted;			/* to run, once tracing is on */
	bool runs;			/* created: it was let go */
	bool released;			/* it is no longer ours */
	bool held;			/* by ptrace, from here to _continue() */
	unsigned point;			/* held: at which, OPT_EVAL_* */
	struct proc_start *start;	/* the child's, too, until it runs */
	const char *path;		/* with start: what it executes */
};

/* evaltime.c: before go, have p stand where the option evaltime says, so that what
 * it has mapped can be looked at; it waits there.  With exec that is behind its
 * execve(), which is not traced then.  A process that was there before us is
 * ready as it is. */
struct err *session_proc_ready(struct session *s, struct session_proc *p);
/* Have process pid, as probes see it, ready to be looked at, if it is one of these.
 * *own: our number of it.  Unless somebody has set evaltime, a command then stands
 * where its libraries are mapped and initialised. */
struct err *session_proc_look(struct session *s, pid_t pid, pid_t *own);
/* The same of all commands, but for those that may wait in front of execve(). */
struct err *session_proc_place(struct session *s);
/* proc.c: let go of those that are wanted to run, now that tracing is on. */
struct err *session_proc_run(struct session *s);
/* Why a command could not be executed, if it has tried and could not. */
struct err *session_proc_executed(const struct session_proc *p);
/* Notice ends; *ended: there were processes, and all have ended.  An error when
 * one could not be executed. */
struct err *session_proc_poll(struct session *s, bool *ended);
void session_proc_free(struct session *s);
pid_t session_target(const struct session *s);	/* as probes see it; 0: none */
pid_t session_self(void);			/* ours, as probes see it */

#endif
