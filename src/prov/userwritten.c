/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Files that are written over while probes are attached to them: a library that is
 * unloaded, copied over with a new version, and loaded again, by who reloads plug-ins.  It has
 * the inode that it had, so the kernel would put its breakpoints where functions were
 * before, in the middle of other instructions.  So what is attached is detached before
 * anybody can write: who opens the file to do so waits for that (lease.h).  What the file has
 * by then is another object.  Where there can be no lease, and where somebody was writing
 * already, whoever writes is noticed by inotify(7), some milliseconds later (decision 021).
 *
 *  1. A file that was written over is told once.
 */
#include <assert.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "prov/func_priv.h"
#include "prov/lease.h"
#include "prov/user_priv.h"
#include "util/thread.h"

int
prov_user_written_fd(struct prov_set *s)
{
	struct prov_users *u = s->users;

	if (!u || u->is_unwatched)
		return -1;
	if (u->news < 0)
		u->news = epoll_create1(EPOLL_CLOEXEC);
	return u->news;
}

static void
tell_of(const struct prov_users *u, int fd)
{
	if (fd >= 0)
		epoll_ctl(u->news, EPOLL_CTL_ADD, fd, &(struct epoll_event){ .events = EPOLLIN });
}

static void *
closer(void *ctx)
{
	struct prov_users *u = ctx;

	close(u->notify);
	return NULL;
}

/* The kernel takes some 10 ms to close inotify's, while others are being left. */
void
prov_user_unwatch(struct prov_set *s)
{
	struct prov_users *u = s->users;

	if (!u || u->is_unwatched)
		return;
	u->is_unwatched = true;
	u->is_closing = u->notify >= 0 && !util_thread(&u->closer, closer, u);
}

void
prov_user_let_write(struct prov_set *s)
{
	if (!s->users)
		return;
	assert(s->users->is_unwatched);
	prov_leases_free(s->users->leases);
	s->users->leases = NULL;
}

void
prov_users_close_news(struct prov_users *u)
{
	if (u->is_closing)
		pthread_join(u->closer, NULL);
	else if (u->notify >= 0)
		close(u->notify);
	prov_leases_free(u->leases);
	u->leases = NULL;
	if (u->news >= 0)
		close(u->news);
}

static bool
lease(struct prov_users *u, const struct prov_object *o)
{
	if (!u->leases) {
		u->leases = prov_leases_new();
		if (u->leases)
			tell_of(u, prov_leases_fd(u->leases));
	}
	return u->leases && prov_lease_take(u->leases, o);
}

static void
notify(struct prov_users *u, struct prov_object *o)
{
	if (u->notify < 0) {
		u->notify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
		tell_of(u, u->notify);
	}
	if (u->notify >= 0)
		o->watch = inotify_add_watch(u->notify, o->file, IN_MODIFY);
}

void
prov_user_watch(struct prov_set *s, struct prov_object *o)
{
	if (o->is_watched || o->fd < 0 || prov_user_written_fd(s) < 0)
		return;
	o->is_watched = true;
	if (!lease(s->users, o))
		notify(s->users, o);
}

/* The oldest leases may be given, so it is watched otherwise, too. */
bool
prov_users_keep(struct prov_users *u, struct prov_object *o)
{
	if (u->is_unwatched || !prov_lease_keep(u->leases, o))
		return false;
	notify(u, o);
	return true;
}

/* Is what is open what it was?  Some news are of before it was opened. */
static bool
is_as_opened(const struct prov_object *o)
{
	struct stat st;

	return o->fd >= 0 && !fstat(o->fd, &st) && prov_object_is_same(o, &st);
}

void
prov_object_set_over(struct prov_users *u, struct prov_object *o)
{
	assert(!o->is_written);						/* 1 */
	o->is_written = true;
	(void)!vec_push(&u->written, o);	/* else it stays attached */
}

/* watch: -1: of some nobody was told. */
static void
on_written(struct prov_users *u, int watch)
{
	for (size_t i = 0; i < u->objects.n; i++) {
		struct prov_object *o = u->objects.v[i];
		if (o->watch > 0 && (watch < 0 || o->watch == watch) &&
		    !o->is_written && !is_as_opened(o))
			prov_object_set_over(u, o);
	}
}

static void
read_leases(struct prov_users *u)
{
	prov_leases_read(u->leases);
	for (size_t i = 0; i < u->objects.n; i++) {
		struct prov_object *o = u->objects.v[i];
		if (!o->is_written && o->is_watched && prov_lease_is_wanted(u->leases, o))
			prov_object_set_over(u, o);
	}
}

void
prov_users_read_written(struct prov_set *s)
{
	_Alignas(struct inotify_event) char buf[4096];
	struct prov_users *u = s->users;
	struct epoll_event any[2];
	ssize_t n;

	if (u->is_unwatched || u->news < 0 || epoll_wait(u->news, any, 2, 0) <= 0)
		return;
	if (u->leases)
		read_leases(u);
	while (u->notify >= 0 && (n = read(u->notify, buf, sizeof(buf))) > 0)
		for (const char *p = buf; p < buf + n; ) {
			const struct inotify_event *e = (const void *)p;
			if (e->mask & (IN_MODIFY | IN_Q_OVERFLOW))
				on_written(u, e->wd);
			p += sizeof(*e) + e->len;
		}
}

const struct prov_object *
prov_user_written(struct prov_set *s)
{
	struct prov_users *u = s->users;

	if (!u || !u->written.n)
		return NULL;
	const struct prov_object *o = u->written.v[--u->written.n];
	assert(o->is_written);						/* 1 */
	return o;
}

void
prov_user_left(struct prov_set *s, const struct prov_object *o)
{
	assert(o->is_written);
	prov_lease_give(s->users->leases, o);
}
