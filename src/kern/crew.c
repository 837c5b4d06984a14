/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Several system calls at once, when they are slow.
 */
#include <pthread.h>
#include <sched.h>

#include "base/base.h"
#include "kern/kern_priv.h"
#include "util/thread.h"

enum { THREADS_MAX = 15 };

struct crew {
	uint32_t n, next;
	void (*fn)(void *ctx, uint32_t i);
	void *ctx;
};

static void *
work(void *arg)
{
	struct crew *c = arg;
	uint32_t i;

	while ((i = __atomic_fetch_add(&c->next, 1, __ATOMIC_RELAXED)) < c->n)
		c->fn(c->ctx, i);
	return NULL;
}

/* CPUs that we may run on. */
static unsigned
ncpus(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) ? 1 :
	       (unsigned)CPU_COUNT(&set);
}

/* On so many threads, of which we are one. */
static void
work_on(struct crew *c, unsigned max)
{
	pthread_t threads[THREADS_MAX];
	unsigned t = 0;

	while (t + 1 < max && t < THREADS_MAX &&
	       !util_thread(&threads[t], work, c))
		t++;
	work(c);
	while (t)
		pthread_join(threads[--t], NULL);
}

void
kern_crew(uint32_t n, void (*fn)(void *ctx, uint32_t i), void *ctx)
{
	struct crew c = { .n = n, .fn = fn, .ctx = ctx };

	work_on(&c, n > 1 ? BASE_MIN(n, ncpus()) : 1);
}

void
kern_crew_waits(uint32_t n, void (*fn)(void *ctx, uint32_t i), void *ctx)
{
	struct crew c = { .n = n, .fn = fn, .ctx = ctx };

	work_on(&c, n);
}
