/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The kernel tells of a lease that somebody waits for by a signal, which goes to our
 * thread: nobody else can take it, so the process may do with signals what it likes.
 */
#include <assert.h>
#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "prov/lease.h"
#include "prov/user.h"
#include "util/clock.h"
#include "util/thread.h"

/* Files that nobody maps any more are kept open for so many leases. */
enum { MOST_KEPT = 64 };
enum { PATIENCE_NS = 1000 * 1000 * 1000, WRITES_NS = PATIENCE_NS / 5, LOOK_NS = 1000 * 1000 };

struct lease {
	const struct prov_object *whose;
	int fd;
	bool is_kept;		/* fd is ours to close */
	uint64_t wanted;	/* when that was seen first; 0: it is not */
	bool is_given;		/* by the thread */
};

struct prov_leases {
	pthread_t thread;
	pid_t tid;		/* of the thread, once `began` is posted */
	sem_t began;
	int event;
	pthread_mutex_t lock;	/* of what follows */
	VEC(struct lease) all;
	bool ends;
};

/* Before SIGRTMAX, which others are more likely to think of; only our thread gets it. */
static int
signal_no(void)
{
	return SIGRTMAX - 3;
}

/* --- The thread ------------------------------------------------------------- */

/* Looks at all, since a signal may stand for several; the ns until the next is to be given,
 * or 0. */
static uint64_t
look(struct prov_leases *l, uint64_t now)
{
	uint64_t next = 0, one = 1;
	bool news = false;

	for (size_t i = 0; i < l->all.n; i++) {
		struct lease *e = &l->all.v[i];
		if (e->is_given || fcntl(e->fd, F_GETLEASE) == F_RDLCK)
			continue;
		news |= !e->wanted;
		if (!e->wanted)
			e->wanted = now;
		if (now - e->wanted >= PATIENCE_NS) {
			fcntl(e->fd, F_SETLEASE, F_UNLCK);
			e->is_given = true;
		} else if (!next || e->wanted + PATIENCE_NS - now < next) {
			next = e->wanted + PATIENCE_NS - now;
		}
	}
	if (news)
		(void)!write(l->event, &one, sizeof(one));
	return next;
}

static void *
watch(void *ctx)
{
	struct prov_leases *l = ctx;
	sigset_t mine;
	bool ends = false;

	sigemptyset(&mine);
	sigaddset(&mine, signal_no());
	sigaddset(&mine, SIGIO);	/* when there are too many */
	l->tid = gettid();
	sem_post(&l->began);
	while (!ends) {
		pthread_mutex_lock(&l->lock);
		uint64_t next = look(l, clock_ns());
		ends = l->ends;
		pthread_mutex_unlock(&l->lock);
		struct timespec t = { (time_t)(next / 1000000000), (long)(next % 1000000000) };
		if (!ends)
			sigtimedwait(&mine, NULL, next ? &t : NULL);
	}
	return NULL;
}

/* --- All of them ------------------------------------------------------------ */

/* What there is besides the thread. */
static void
free_leases(struct prov_leases *l)
{
	vec_fini(&l->all);
	close(l->event);
	pthread_mutex_destroy(&l->lock);
	sem_destroy(&l->began);
	util_free(l);
}

struct prov_leases *
prov_leases_new(void)
{
	struct prov_leases *l = util_zalloc(sizeof(*l));

	if (!l)
		return NULL;
	l->event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (l->event < 0) {
		util_free(l);
		return NULL;
	}
	pthread_mutex_init(&l->lock, NULL);
	sem_init(&l->began, 0, 0);
	if (util_thread(&l->thread, watch, l)) {
		free_leases(l);
		return NULL;
	}
	while (sem_wait(&l->began))
		continue;
	return l;
}

static void
end_lease(struct lease *e)
{
	fcntl(e->fd, F_SETLEASE, F_UNLCK);
	if (e->is_kept)
		close(e->fd);
}

void
prov_leases_free(struct prov_leases *l)
{
	if (!l)
		return;
	pthread_mutex_lock(&l->lock);
	l->ends = true;
	pthread_mutex_unlock(&l->lock);
	pthread_kill(l->thread, signal_no());
	pthread_join(l->thread, NULL);
	for (size_t i = 0; i < l->all.n; i++)
		end_lease(&l->all.v[i]);
	free_leases(l);
}

int
prov_leases_fd(const struct prov_leases *l)
{
	return l->event;
}

void
prov_leases_read(struct prov_leases *l)
{
	uint64_t n;

	(void)!read(l->event, &n, sizeof(n));
}

/* --- One -------------------------------------------------------------------- */

/* With the lock held.  NULL: there is none. */
static struct lease *
find(struct prov_leases *l, const struct prov_object *o)
{
	for (size_t i = 0; l && i < l->all.n; i++)
		if (l->all.v[i].whose == o)
			return &l->all.v[i];
	return NULL;
}

bool
prov_lease_take(struct prov_leases *l, const struct prov_object *o)
{
	struct f_owner_ex to = { F_OWNER_TID, l->tid };

	assert(o->fd >= 0);
	if (fcntl(o->fd, F_SETOWN_EX, &to) || fcntl(o->fd, F_SETSIG, signal_no()))
		return false;
	pthread_mutex_lock(&l->lock);
	assert(!find(l, o));						/* 1 */
	bool ok = vec_reserve(&l->all, 1) && !fcntl(o->fd, F_SETLEASE, F_RDLCK);
	if (ok)
		l->all.v[l->all.n++] = (struct lease){ .whose = o, .fd = o->fd };
	pthread_mutex_unlock(&l->lock);
	return ok;
}

bool
prov_lease_is_wanted(struct prov_leases *l, const struct prov_object *o)
{
	if (!l)
		return false;
	pthread_mutex_lock(&l->lock);
	struct lease *e = find(l, o);
	bool wanted = e && e->wanted;
	pthread_mutex_unlock(&l->lock);
	return wanted;
}

/* With the lock held. */
static void
remove_lease(struct prov_leases *l, struct lease *e)
{
	size_t i = (size_t)(e - l->all.v);

	l->all.n--;
	memmove(e, e + 1, (l->all.n - i) * sizeof(*e));
}

/* With the lock held: the oldest that is kept goes when there are too many. */
static void
keep_few(struct prov_leases *l)
{
	size_t n = 0;
	struct lease *first = NULL;

	for (size_t i = 0; i < l->all.n; i++)
		if (l->all.v[i].is_kept && !n++)
			first = &l->all.v[i];
	if (n <= MOST_KEPT)
		return;
	end_lease(first);
	remove_lease(l, first);
}

bool
prov_lease_keep(struct prov_leases *l, const struct prov_object *o)
{
	if (!l)
		return false;
	pthread_mutex_lock(&l->lock);
	struct lease *e = find(l, o);
	bool keeps = e && !e->is_kept;
	if (keeps) {
		e->is_kept = true;
		keep_few(l);
	}
	pthread_mutex_unlock(&l->lock);
	return keeps;
}

/* The kernel counts who writes before it has them wait. */
static void
wait_for_writers(int fd)
{
	uint64_t until = clock_ns() + WRITES_NS;

	while (fcntl(fd, F_SETLEASE, F_RDLCK) && clock_ns() < until)
		nanosleep(&(struct timespec){ 0, LOOK_NS }, NULL);
	fcntl(fd, F_SETLEASE, F_UNLCK);
}

void
prov_lease_give(struct prov_leases *l, const struct prov_object *o)
{
	struct lease had;

	if (!l)
		return;
	pthread_mutex_lock(&l->lock);
	struct lease *e = find(l, o);
	if (e) {
		had = *e;
		remove_lease(l, e);
	}
	pthread_mutex_unlock(&l->lock);
	if (!e)
		return;
	fcntl(had.fd, F_SETLEASE, F_UNLCK);
	wait_for_writers(had.fd);
	end_lease(&had);
}
