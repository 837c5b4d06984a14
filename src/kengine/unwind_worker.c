/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The thread that makes tables, and how it is told of what happens.
 *
 *  1. What is told is heard in order, all of it, unless the worker ends first.
 *  2. The lock is never held while something is made or read.
 */
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "kengine/unwind_priv.h"
#include "util/clock.h"
#include "util/thread.h"

/* --- Events ------------------------------------------------------------------------- */

static void
signal_event(int fd)
{
	uint64_t one = 1;

	(void)!write(fd, &one, sizeof(one));	/* full: it is set already */
}

static void
clear_event(int fd)
{
	uint64_t n;

	(void)!read(fd, &n, sizeof(n));
}

/* --- What is told ------------------------------------------------------------------- */

static void
told_free(unwind_told_vec *v)
{
	for (size_t i = 0; i < v->n; i++) {
		util_free(v->v[i].path);
		if (v->v[i].kind == UNWIND_TOLD_FILE)
			close(v->v[i].n);
	}
	vec_fini(v);
}

static bool
push(struct unwind_worker *w, const struct unwind_told *t)
{
	pthread_mutex_lock(&w->lock);
	bool ok = vec_push(&w->told, *t);
	pthread_mutex_unlock(&w->lock);
	return ok;
}

void
unwind_tell(struct unwind_worker *w, enum unwind_kind kind, int n, const char *path)
{
	struct unwind_told t = { kind, n, path ? util_strdup(path) : NULL };

	if ((!path || t.path) && push(w, &t)) {
		signal_event(w->wake);
		return;
	}
	util_free(t.path);
	if (kind == UNWIND_TOLD_FILE)
		close(n);
}

void
unwind_settle(struct unwind_worker *w)
{
	pthread_mutex_lock(&w->lock);
	while (w->runs && (w->told.n || w->is_busy))
		pthread_cond_wait(&w->idle, &w->lock);
	pthread_mutex_unlock(&w->lock);
}

void
unwind_want(struct unwind_worker *w, int pid)
{
	pthread_mutex_lock(&w->lock);
	(void)!vec_push(&w->wanted, pid);	/* else its files come later */
	pthread_mutex_unlock(&w->lock);
	signal_event(w->wants);
}

void
unwind_take_wanted(struct unwind_worker *w, unwind_pids *ret)
{
	pthread_mutex_lock(&w->lock);
	*ret = w->wanted;
	w->wanted = (unwind_pids){ 0 };
	if (ret->n)
		clear_event(w->wants);
	pthread_mutex_unlock(&w->lock);
}

/* --- The worker ----------------------------------------------------------------------- */

static void
hear_all(struct kengine_unwind *u)
{
	struct unwind_worker *w = &u->worker;

	pthread_mutex_lock(&w->lock);
	unwind_told_vec v = w->told;
	w->told = (unwind_told_vec){ 0 };
	w->is_busy = true;
	pthread_mutex_unlock(&w->lock);
	for (size_t i = 0; i < v.n && !unwind_stops(w); i++)		/* 1 */
		unwind_hear(u, &v.v[i]);
	told_free(&v);
	pthread_mutex_lock(&w->lock);
	w->is_busy = false;
	pthread_cond_broadcast(&w->idle);
	pthread_mutex_unlock(&w->lock);
}

/* Until somebody tells something, or asks, or something is due. */
static void
wait(struct kengine_unwind *u)
{
	struct pollfd fds[] = { { .fd = u->worker.wake, .events = POLLIN },
				{ .fd = u->asks_fd, .events = POLLIN } };
	const uint64_t second = 1000000000;
	uint64_t now = clock_ns(), due = unwind_due(u);
	uint64_t ns = due > now ? due - now : 0;
	struct timespec ts = { (time_t)(ns / second), (long)(ns % second) };

	ppoll(fds, BASE_NELEMS(fds), due == UINT64_MAX ? NULL : &ts, NULL);
	if (fds[0].revents)
		clear_event(u->worker.wake);
}

static void *
work(void *arg)
{
	struct kengine_unwind *u = arg;

	unwind_begin(u);
	while (!unwind_stops(&u->worker)) {
		hear_all(u);
		unwind_turn(u, clock_ns());
		wait(u);
	}
	return NULL;
}

struct err *
unwind_worker_new(struct unwind_worker *w)
{
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->idle, NULL);
	w->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	w->wants = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return w->wake < 0 || w->wants < 0 ?
	       err_new(ERR_OS, errno, "eventfd: %s", strerror(errno)) : NULL;
}

struct err *
unwind_worker_start(struct kengine_unwind *u)
{
	int e = util_thread(&u->worker.thread, work, u);

	if (e)
		return err_new(ERR_OS, e, "a thread for tables of stacks: %s",
			       strerror(e));
	u->worker.runs = true;
	return NULL;
}

void
unwind_worker_end(struct unwind_worker *w)
{
	__atomic_store_n(&w->stops, true, __ATOMIC_RELEASE);
	if (w->runs) {
		signal_event(w->wake);
		pthread_join(w->thread, NULL);
	}
	told_free(&w->told);
	vec_fini(&w->wanted);
	if (w->wake >= 0)
		close(w->wake);
	if (w->wants >= 0)
		close(w->wants);
	pthread_cond_destroy(&w->idle);
	pthread_mutex_destroy(&w->lock);
}
