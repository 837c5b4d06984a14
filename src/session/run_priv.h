/* SPDX-License-Identifier: BSD-2-Clause
 *
 * While tracing: what ids mean, what processes do, names, turns.
 */
#ifndef SESSION_RUN_PRIV_H
#define SESSION_RUN_PRIV_H

#include "kern/task.h"
#include "session/session_priv.h"

/* session.c: does output say of each record which thread fired? */
bool session_wants_who(const struct session *s);

/* meta.c */
struct err *session_meta_init(struct session *s);
/* There are more EPIDs. */
struct err *session_meta_update(struct session *s);
void session_meta_fini(struct session *s);

/* session.c: warn whoever listens; s: a session. */
void session_tell(void *s, const char *text);
/* A probe that came while tracing cannot be attached. */
void session_warn(struct session *s, const struct plan_probe *p,
		  const char *why);
/*
 * tasks.c: have fn called for what processes do, of these kinds (a set of 1 <<
 * enum kern_task_kind), and for KERN_TASK_LOST, of whatever kinds that was: then
 * /proc is to be looked at again.  What that cannot make good is if_lost, of which the
 * user is warned once; NULL: nothing.  At any time, also from within such a call.
 */
struct err *session_tasks_subscribe(struct session *s, unsigned kinds,
				    kern_task_fn *fn, void *ctx,
				    const char *if_lost);
/* Who does not subscribe may leave, too. */
void session_tasks_unsubscribe(struct session *s, kern_task_fn *fn, void *ctx);
/* Tell of what has happened; nothing in the midst of telling. */
void session_tasks_read(struct session *s);
/* Once there is an epoll. */
struct err *session_tasks_watch(struct session *s);
void session_tasks_fini(struct session *s);
/* names.c: before attaching; at each turn, when tasks were read. */
struct err *session_naming_start(struct session *s);
struct err *session_naming_turn(struct session *s, bool busy);
void session_naming_stop(struct session *s);
/* nowhere.c: when probes have been placed; each description is told once. */
struct err *session_tell_nowhere(struct session *s);
/* usual.c: the same, of calls that are hardly ever made. */
void session_tell_unusual(struct session *s);
/* blind.c: the same, of stacks that cannot be had where a probe stands. */
void session_tell_blind(struct session *s);
/* run.c: have the consumer take a step, which is saved if the trace is. */
struct err *session_take_step(struct session *s, enum save_step step,
			      consume_fn *fn, void *ctx);
/* run.c: have what comes at fd wake session_wait(). */
struct err *session_watch(struct session *s, int fd, uint32_t events);
/* replay.c: as their namesakes, of a trace that was saved. */
struct err *session_replay_go(struct session *s);
struct err *session_replay_step(struct session *s, consume_fn *fn, void *ctx,
				enum session_status *status);

/* arrive.c: from now on look out for what processes load and execute; have it
 * probed. */
struct err *session_arrivals_start(struct session *s);
/* Tasks are read by it. */
struct err *session_arrivals_turn(struct session *s);
/* Once there is an epoll; nobody waits for us any more. */
struct err *session_arrivals_watch(struct session *s);
void session_arrivals_stop(struct session *s);
/* When tracing has stopped: whom all that was too late for. */
void session_arrivals_tell(struct session *s);

#endif
