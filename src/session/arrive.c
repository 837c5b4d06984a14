/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What processes map while they are traced: libraries that they load, programs that
 * they execute, and with the option follow what their children do.  When one of those
 * that descriptions name has something new, the providers are asked again; a pattern
 * for the provider names all processes, also those that come.  What is
 * called in the milliseconds that this takes is not seen; unless the option usdtwait
 * says that who maps a file which was not seen before stands still for so long.
 */
#include <stdio.h>
#include <sys/epoll.h>

#include "engine/process.h"
#include "kengine/hold.h"
#include "kern/kern.h"
#include "prov/coming.h"
#include "session/proc_priv.h"
#include "session/program_priv.h"
#include "session/run_priv.h"

static void
on_fork(struct session *s, const struct kern_task_event *e)
{
	s->arrivals.pending |= prov_user_forked(s->prov, e->parent, e->pid,
						 e->time_ns);
	if (s->opts.v[OPT_FOLLOW] <= 0 || !prov_user_has(s->prov, e->parent))
		return;
	bool gone;
	struct err *err = prov_user_follow(s->prov, e->parent, e->pid, e->time_ns, &gone);
	s->arrivals.ngone += gone;
	if (err)
		session_fail(s, err);
	s->arrivals.pending = true;
}

/* The kernel keeps the first thread with a probe of a process, and asks it whose memory is
 * meant.  That one has ended. */
static void
attach_again(struct session *s, int pid, enum engine_first first, uint64_t time_ns)
{
	char text[256];
	struct err *e = engine_attach_again(s->engine, pid, first, time_ns);

	if (!e)
		return;
	snprintf(text, sizeof(text), "the first thread of process %d has ended: probes that "
		 "were there fire no more: %s", pid, e->text);
	session_tell(s, text);
	err_free(e);
}

static void
on_task(void *ctx, const struct kern_task_event *e)
{
	struct session *s = ctx;
	uint64_t executed = 0;

	switch (e->kind) {
	case KERN_TASK_FORKED:
		on_fork(s, e);
		break;
	case KERN_TASK_ENDED:
		prov_user_ended(s->prov, e->pid, e->time_ns, &executed);
		break;
	case KERN_TASK_LEADERLESS:
		prov_user_leaderless(s->prov, e->pid);
		if (prov_user_has(s->prov, e->pid))
			attach_again(s, e->pid, ENGINE_FIRST_NONE, e->time_ns);
		break;
	case KERN_TASK_LOST:
		prov_user_missed(s->prov);
		s->arrivals.pending = true;
		break;
	case KERN_TASK_MAPPED:
		s->arrivals.pending |= prov_user_mapped(s->prov, e->pid, e->dev,
							e->inode, e->path);
		break;
	case KERN_TASK_EXECUTED:
		prov_user_executed(s->prov, e->pid, e->time_ns, &executed);
		s->arrivals.pending |= prov_user_has(s->prov, e->pid);
		break;
	default:
		break;
	}
	if (executed)
		attach_again(s, e->pid, ENGINE_FIRST_ANOTHER, executed);
	if (s->arrivals.pending && !s->arrivals.since)
		s->arrivals.since = e->time_ns;
}

static bool
names_processes(const struct session *s)
{
	for (size_t i = 0; i < s->enabled.n; i++)
		for (uint32_t c = 0; c < s->enabled.v[i]->nclauses; c++) {
			const struct sema_clause *cl =
				&s->enabled.v[i]->clauses[c];
			for (uint32_t d = 0; d < cl->ndescs; d++)
				if (prov_names_processes(s->prov,
							 &cl->descs[d]))
					return true;
		}
	return false;
}

/* Those of -c and -p and what they start, or all but ourselves. */
static struct err *
hold_start(struct session *s)
{
	VEC(uint32_t) roots = { 0 };
	struct err *e = NULL;

	if (s->opts.v[OPT_USDTWAIT] != OPT_USDTWAIT_STOP)
		return NULL;
	if (!kern_first_pid_ns())
		return err_new(ERR_UNSUPPORTED, 0, "usdtwait=stop: processes have "
			       "other numbers here, as in a container: run dtrace in "
			       "the machine's first pid namespace");
	for (const struct session_proc *p = s->procs; p && !e; p = p->next)
		e = vec_push(&roots, (uint32_t)p->seen) ? NULL : &err_nomem;
	if (!e)
		e = kengine_hold_new(&(struct kengine_hold_input){
			.types = s->types, .roots = roots.v,
			.nroots = (uint32_t)roots.n,
			.self = (uint32_t)session_self(),
			.each = s->opts.v[OPT_FOLLOW] > 0,
			.most_ns = (uint64_t)s->opts.v[OPT_USDTWAITTIME],
			.warn = session_tell, .warn_ctx = s,
		}, &s->arrivals.hold);
	vec_fini(&roots);
	return e;
}

struct err *
session_arrivals_start(struct session *s)
{
	if (!names_processes(s))
		return NULL;
	/* Those that run may have done something since they were looked at. */
	for (const struct session_proc *p = s->procs; p; p = p->next)
		s->arrivals.pending |= !p->created;
	bool all = prov_user_missed(s->prov);
	s->arrivals.pending |= all;
	/* Processes that are known are looked at again, but of others some may be gone. */
	TRY(session_tasks_subscribe(s, 1u << KERN_TASK_MAPPED |
		1u << KERN_TASK_EXECUTED | 1u << KERN_TASK_FORKED |
		1u << KERN_TASK_ENDED | 1u << KERN_TASK_LEADERLESS, on_task, s,
		all || s->opts.v[OPT_FOLLOW] > 0 ?
		"some that came may have had no probes" : NULL));
	return hold_start(s);
}

struct err *
session_arrivals_watch(struct session *s)
{
	int fd = kengine_hold_fd(s->arrivals.hold), written = prov_user_written_fd(s->prov);

	if (written >= 0)
		TRY(session_watch(s, written, EPOLLIN));
	return fd < 0 ? NULL : session_watch(s, fd, EPOLLIN);
}

/* That would come of nearly each trace of what is loaded later, so it is told to who
 * wants to know everything (decision 014). */
static void
tell_late(struct session *s)
{
	char text[200];

	if (!s->arrivals.late || s->opts.v[OPT_VERBOSE] <= 0 ||
	    s->opts.v[OPT_USDTWAIT] == OPT_USDTWAIT_STOP)
		return;
	snprintf(text, sizeof(text), "probes in what came while tracing were attached after "
		 "%llu us at most: calls before that are not seen; with -x usdtwait=stop "
		 "processes wait", (unsigned long long)(s->arrivals.late / 1000));
	session_tell(s, text);
}

void
session_arrivals_tell(struct session *s)
{
	uint64_t n = s->arrivals.ngone + s->engine->ngone;
	char text[160];

	tell_late(s);
	if (!n)
		return;
	snprintf(text, sizeof(text), "%llu process%s ended before %s probes were there%s",
		 (unsigned long long)n, n == 1 ? "" : "es", n == 1 ? "its" : "their",
		 s->opts.v[OPT_USDTWAIT] == OPT_USDTWAIT_STOP ? "" :
		 "; with -x usdtwait=stop they wait");
	session_tell(s, text);
}

void
session_arrivals_stop(struct session *s)
{
	kengine_hold_free(s->arrivals.hold);
	s->arrivals.hold = NULL;
}

static size_t
count_sites(const struct session *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->points.all.n; i++)
		n += s->points.all.v[i].sites.n;
	return n;
}

static struct err *
probe_new(struct session *s)
{
	if (!s->arrivals.pending)
		return NULL;
	uint64_t since = s->arrivals.since;
	size_t n = count_sites(s);
	s->arrivals.pending = false;
	s->arrivals.since = 0;
	TRY(session_add_probes(s));
	if (since && count_sites(s) > n) {
		uint64_t ns = clock_ns() - since;
		s->arrivals.late = BASE_MAX(s->arrivals.late, ns);
	}
	return session_failure(s);
}

/* Links of who has ended, before others have the numbers and are attached to. */
static void
leave_ended(struct session *s)
{
	uint64_t life;

	prov_user_turn(s->prov, clock_ns());
	while ((life = prov_user_over(s->prov)))
		engine_process_over(s->engine, life);
}

/* What was attached to files as they were; who has them mapped is asked again. */
static void
leave_written(struct session *s)
{
	const struct prov_object *o;

	while ((o = prov_user_written(s->prov))) {
		engine_file_over(s->engine, o->file);
		kengine_hold_forget(s->arrivals.hold, o->inode);
		prov_user_left(s->prov, o);
		s->arrivals.pending = true;
	}
}

/* What those have done that stand still is read after it is known who they are. */
struct err *
session_arrivals_turn(struct session *s)
{
	kengine_hold_take(s->arrivals.hold);
	session_tasks_read(s);
	leave_ended(s);
	leave_written(s);
	TRY(probe_new(s));
	kengine_hold_release(s->arrivals.hold);
	return NULL;
}
