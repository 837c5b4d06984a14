/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What processes do, for whoever wants to know: they execute, fork, map files
 * and end.  The kernel tells of all processes, and it costs all of them; so it is
 * asked from the first subscriber on, and no longer than there is one.
 *
 *  1. A subscriber is called for the kinds that it named, and for what was lost,
 *     in the order in which a CPU's events happened.
 *  2. From within a call anybody may subscribe or leave.  Who leaves is not
 *     called again; who comes is called from the next event on.
 *  3. Events are never read in the midst of a call: they would overtake the one
 *     that is being told.
 *  4. Who is leaderless has not been told to have ended, executed or been forked since.
 *
 * A process ends with its last thread.  The kernel tells of each, after its memory is
 * gone; so when it tells of the last, /proc has no other.  To look costs 12 us, or 36 among
 * a thousand threads, and threads may come and go as fast; so we remember one that lives,
 * and look for another when we are told of its end.
 *
 * Who executes a program of another user (setuid) is told to have ended right after, as
 * the kernel takes it from then on for one that its watchers may not see.  It has memory
 * still, and who ends has none when that is told.  (Another thread that executes a program
 * ends the first before that.)
 *
 * Who leaves during a call keeps his place, empty, until nobody is being called:
 * so places do not move under whoever walks over them.
 */
#include <assert.h>
#include <stdio.h>
#include <sys/epoll.h>

#include "session/run_priv.h"
#include "sym/maps.h"

enum { KEEP = 16 << 20 };	/* bytes, while we do not read */

/* Have what happens wake who waits; later, when nothing waits yet. */
struct err *
session_tasks_watch(struct session *s)
{
	const struct kern_tasks *t = s->tasks.kern;

	for (unsigned i = 0; s->run.epoll >= 0 && t && kern_tasks_fd(t, i) >= 0;
	     i++)
		TRY(session_watch(s, kern_tasks_fd(t, i), EPOLLIN));
	return NULL;
}

static struct err *
open_first(struct session *s)
{
	if (s->tasks.kern)
		return NULL;
	TRY(kern_tasks_open(KEEP, &s->tasks.kern));
	return session_tasks_watch(s);
}

/* Remove empty places, and close behind the last who has left. */
static void
tidy(struct session *s)
{
	struct session_tasks *t = &s->tasks;
	size_t n = 0;

	if (t->reading)
		return;
	for (size_t i = 0; i < t->subscribers.n; i++)
		if (t->subscribers.v[i].fn)
			t->subscribers.v[n++] = t->subscribers.v[i];
	t->subscribers.n = n;
	if (n)
		return;
	kern_tasks_close(t->kern);
	t->kern = NULL;
}

struct err *
session_tasks_subscribe(struct session *s, unsigned kinds, kern_task_fn *fn,
			void *ctx, const char *if_lost)
{
	struct session_subscriber new = { kinds, fn, ctx, if_lost };

	assert(fn && kinds && kinds < 1u << KERN_TASK_NKINDS);
	if (!vec_push(&s->tasks.subscribers, new))
		return &err_nomem;
	struct err *e = open_first(s);
	if (e)
		session_tasks_unsubscribe(s, fn, ctx);
	return e;
}

void
session_tasks_unsubscribe(struct session *s, kern_task_fn *fn, void *ctx)
{
	for (size_t i = 0; i < s->tasks.subscribers.n; i++) {
		struct session_subscriber *u = &s->tasks.subscribers.v[i];
		if (u->fn == fn && u->ctx == ctx)
			u->fn = NULL;
	}
	tidy(s);
}

/* Each subscriber's warning once: how much it was says nothing about what was missed. */
static void
tell_lost(struct session *s, uint64_t n)
{
	char text[160];

	for (size_t i = 0; i < s->tasks.subscribers.n; i++) {
		struct session_subscriber *u = &s->tasks.subscribers.v[i];
		if (!u->fn || !u->if_lost)
			continue;
		snprintf(text, sizeof(text), "not all that processes did was "
			 "noticed in time: %s", u->if_lost);
		u->if_lost = NULL;
		session_tell(s, text);
	}
	s->tasks.lost += n;
}

/* Is this no end? */
static bool
lives_on(struct session_tasks *t, const struct kern_task_event *e)
{
	uintptr_t executed;

	switch (e->kind) {
	case KERN_TASK_EXECUTED:
		(void)!hash_put(&t->new, &e->pid, sizeof(e->pid),
				(void *)(uintptr_t)e->time_ns);
		return false;
	case KERN_TASK_MAPPED:
		hash_del(&t->new, &e->pid, sizeof(e->pid));
		return false;
	case KERN_TASK_ENDED:
		executed = (uintptr_t)hash_del(&t->new, &e->pid, sizeof(e->pid));
		return executed && e->time_ns > executed && sym_lives(e->pid) == e->pid;
	default:
		return false;
	}
}

/* The array may move in a call, and grow. */
static void
tell_all(struct session *s, const struct kern_task_event *e)
{
	struct session_tasks *t = &s->tasks;
	size_t n = t->subscribers.n;

	for (size_t i = 0; i < n; i++) {
		const struct session_subscriber u = t->subscribers.v[i];
		if (u.fn && (e->kind == KERN_TASK_LOST ||
			     u.kinds & 1u << e->kind))
			u.fn(u.ctx, e);
	}
}

static bool
remember(struct session *s, int pid, int thread)
{
	return hash_put(&s->tasks.leaderless, &pid, sizeof(pid), (void *)(intptr_t)thread);
}

/* Who is leaderless has ended if no thread is left. */
static void
tell_end(struct session *s, int pid, uint64_t time_ns)
{
	const struct kern_task_event end = { .kind = KERN_TASK_ENDED, .pid = pid,
					     .time_ns = time_ns };
	int thread = sym_lives(pid);

	if (thread && remember(s, pid, thread))
		return;
	hash_del(&s->tasks.leaderless, &pid, sizeof(pid));
	tell_all(s, &end);
}

/* Of some the end was perhaps among what was lost. */
static void
tell_ends(struct session *s, uint64_t time_ns)
{
	VEC(int) all = { 0 };
	struct hash_entry *e;

	for (size_t i = 0; (e = hash_next(&s->tasks.leaderless, &i)); )
		(void)!vec_push(&all, *(const int *)e->key);
	for (size_t i = 0; i < all.n; i++)
		tell_end(s, all.v[i], time_ns);
	vec_fini(&all);
}

static void
on_event(void *ctx, const struct kern_task_event *e)
{
	struct session *s = ctx;
	struct kern_task_event it = *e;
	int thread;

	if (lives_on(&s->tasks, e))
		return;
	switch (e->kind) {
	case KERN_TASK_THREAD_ENDED:
		if (hash_get(&s->tasks.leaderless, &e->pid, sizeof(e->pid)) ==
		    (void *)(intptr_t)e->thread)
			tell_end(s, e->pid, e->time_ns);
		return;
	case KERN_TASK_ENDED:
		hash_del(&s->tasks.leaderless, &e->pid, sizeof(e->pid));
		thread = sym_living(e->pid);
		if (thread != e->pid && remember(s, e->pid, thread))
			it.kind = KERN_TASK_LEADERLESS;
		break;
	case KERN_TASK_EXECUTED:
	case KERN_TASK_FORKED:
		hash_del(&s->tasks.leaderless, &e->pid, sizeof(e->pid));
		break;
	case KERN_TASK_LOST:
		tell_lost(s, e->lost);
		tell_ends(s, e->time_ns);
		break;
	default:
		break;
	}
	assert(it.kind != KERN_TASK_ENDED ||
	       !hash_get(&s->tasks.leaderless, &it.pid, sizeof(it.pid)));	/* 4 */
	tell_all(s, &it);
}

void
session_tasks_read(struct session *s)
{
	if (!s->tasks.kern || s->tasks.reading)
		return;
	s->tasks.reading = true;
	kern_tasks_read(s->tasks.kern, on_event, s);
	s->tasks.reading = false;
	tidy(s);
}

void
session_tasks_fini(struct session *s)
{
	vec_fini(&s->tasks.subscribers);
	hash_fini(&s->tasks.new);
	hash_fini(&s->tasks.leaderless);
	kern_tasks_close(s->tasks.kern);
	s->tasks.kern = NULL;
}
