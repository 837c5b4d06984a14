/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Files that are written over while probes are attached to them: a library that is
 * unloaded, copied over with a new version, and loaded again, by who reloads plug-ins.  It has
 * the inode that it had, so the kernel would put its breakpoints where functions were
 * before, in the middle of other instructions.  So whoever writes is noticed, by inotify(7),
 * what is attached is detached, and what the file has by then is another object.  If
 * that is not all yet, it will be written over itself.
 *
 *  1. A file that was written over is told once.
 */
#include <assert.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "prov/func_priv.h"
#include "prov/user_priv.h"
#include "util/thread.h"

int
prov_user_written_fd(struct prov_set *s)
{
	struct prov_users *u = s->users;

	if (!u || u->is_unwatched)
		return -1;
	if (u->notify < 0)
		u->notify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	return u->notify;
}

static void *
closer(void *ctx)
{
	struct prov_users *u = ctx;

	close(u->notify);
	return NULL;
}

/* The kernel takes some 10 ms to close it, while others are being left. */
void
prov_user_unwatch(struct prov_set *s)
{
	struct prov_users *u = s->users;

	if (!u || u->is_unwatched || u->notify < 0)
		return;
	u->is_unwatched = true;
	u->is_closing = !util_thread(&u->closer, closer, u);
}

void
prov_users_close_notify(struct prov_users *u)
{
	if (u->is_closing)
		pthread_join(u->closer, NULL);
	else if (u->notify >= 0)
		close(u->notify);
}

void
prov_user_watch(struct prov_set *s, struct prov_object *o)
{
	int fd = o->is_watched || o->fd < 0 ? -1 : prov_user_written_fd(s);

	if (fd < 0)
		return;
	o->watch = inotify_add_watch(fd, o->file, IN_MODIFY);
	o->is_watched = true;
}

/* Is what is open what it was?  Some news are of before it was opened. */
static bool
is_as_opened(const struct prov_object *o)
{
	struct stat st;

	return o->fd >= 0 && !fstat(o->fd, &st) && prov_object_is_same(o, &st);
}

/* watch: -1: of some nobody was told. */
static void
on_written(struct prov_set *s, int watch)
{
	struct prov_users *u = s->users;

	for (size_t i = 0; i < u->objects.n; i++) {
		struct prov_object *o = u->objects.v[i];
		if (o->watch <= 0 || (watch >= 0 && o->watch != watch) ||
		    o->is_written || is_as_opened(o))
			continue;
		o->is_written = true;
		(void)!vec_push(&u->written, o);	/* else it stays attached */
	}
}

void
prov_users_read_written(struct prov_set *s)
{
	_Alignas(struct inotify_event) char buf[4096];
	ssize_t n;

	while (s->users->notify >= 0 && !s->users->is_unwatched &&
	       (n = read(s->users->notify, buf, sizeof(buf))) > 0)
		for (const char *p = buf; p < buf + n; ) {
			const struct inotify_event *e = (const void *)p;
			if (e->mask & (IN_MODIFY | IN_Q_OVERFLOW))
				on_written(s, e->wd);
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
