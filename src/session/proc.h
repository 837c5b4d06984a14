/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Processes that are traced, or held until they are.
 */
#ifndef SESSION_PROC_H
#define SESSION_PROC_H

#include <sys/types.h>

#include "session/session.h"

struct session_proc;

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

#endif
