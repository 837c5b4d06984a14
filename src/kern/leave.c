/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Detaching while tracing goes on.  The kernel takes 8 to 90 ms to leave a link's places
 * (attach.c), which whoever reads buffers has not: where children end one after the other
 * it would do nothing else.  So a thread does it; what comes while it waits for the kernel
 * is detached together.
 *
 *  1. A link is detached once: by the thread, or where there is none by the caller.
 */
#include <assert.h>
#include <pthread.h>

#include "kern/kern_priv.h"
#include "util/alloc.h"
#include "util/thread.h"
#include "util/vec.h"

struct kern_leaving {
	pthread_t thread;
	pthread_mutex_t lock;		/* of what follows */
	pthread_cond_t change;
	VEC(struct kern_link *) links;	/* that nobody has taken yet */
	bool ends;
};

static void *
leave(void *arg)
{
	struct kern_leaving *v = arg;

	pthread_mutex_lock(&v->lock);
	for (;;) {
		while (!v->links.n && !v->ends)
			pthread_cond_wait(&v->change, &v->lock);
		if (!v->links.n)
			break;
		struct kern_link **links = v->links.v;
		size_t n = v->links.n;
		v->links.v = NULL;
		v->links.n = v->links.cap = 0;
		pthread_mutex_unlock(&v->lock);
		kern_detach_all(links, n);
		util_free(links);
		pthread_mutex_lock(&v->lock);
	}
	pthread_mutex_unlock(&v->lock);
	return NULL;
}

/* NULL: nobody is there who could. */
static struct kern_leaving *
start(void)
{
	struct kern_leaving *v = util_zalloc(sizeof(*v));

	if (!v)
		return NULL;
	pthread_mutex_init(&v->lock, NULL);
	pthread_cond_init(&v->change, NULL);
	if (!util_thread(&v->thread, leave, v))
		return v;
	pthread_mutex_destroy(&v->lock);
	pthread_cond_destroy(&v->change);
	util_free(v);
	return NULL;
}

void
kern_leave(struct kern_leaving **at, struct kern_link *l)
{
	struct kern_leaving *v = *at ? *at : (*at = start());

	if (v) {
		pthread_mutex_lock(&v->lock);
		assert(!v->ends);
		bool taken = vec_push(&v->links, l);			/* 1 */
		pthread_cond_signal(&v->change);
		pthread_mutex_unlock(&v->lock);
		if (taken)
			return;
	}
	kern_detach_all(&l, 1);						/* 1 */
}

void
kern_leave_end(struct kern_leaving **at)
{
	struct kern_leaving *v = *at;

	*at = NULL;
	if (!v)
		return;
	pthread_mutex_lock(&v->lock);
	v->ends = true;
	pthread_cond_signal(&v->change);
	pthread_mutex_unlock(&v->lock);
	pthread_join(v->thread, NULL);
	assert(!v->links.n);						/* 1 */
	vec_fini(&v->links);
	pthread_mutex_destroy(&v->lock);
	pthread_cond_destroy(&v->change);
	util_free(v);
}
