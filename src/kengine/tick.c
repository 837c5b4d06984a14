/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tick probes: a thread that runs their programs when they are due, so that a
 * consumer that waits for its output does not delay them.  When the thread
 * itself is late it makes up for what it missed, at most for a second: a trace
 * that was stopped for an hour shall not fire for minutes.  The rest is lost,
 * and counted.
 *
 *  1. Once a tick has caught up it is due in the future, a period away at most.
 *  2. There is one thread at most.
 */
#include <assert.h>
#include <string.h>
#include <time.h>

#include "kengine/attach_priv.h"
#include "kengine/kengine_priv.h"
#include "kengine/parts_priv.h"
#include "util/thread.h"

/* The longest sleep: a wake-up that gets lost delays the end by no more. */
enum { LATE_NS = 1000000000, SLEEP_NS = 1000000000 };

/* The earliest deadline; 0: there are no ticks. */
static uint64_t
earliest(struct kengine *k)
{
	uint64_t min = 0;

	for (size_t i = 0; i < k->e.in.npoints; i++) {
		const struct kengine_point *p = &k->points[i];
		if (p->p->trigger == PROV_TRIGGER_TICK &&
		    (!min || p->next_ns < min))
			min = p->next_ns;
	}
	return min;
}

static void
lose(struct kengine *k, uint64_t n)
{
	__atomic_fetch_add(&k->shared.drops[ABI_DROP_FIRING], n,
			   __ATOMIC_RELAXED);
}

static void
fire(struct kengine *k, const struct kengine_point *p)
{
	uint64_t ctx[1] = { 0 };
	uint32_t ret;
	struct err *e = kern_prog_run(p->prog, ctx, 1, &ret);

	if (e)
		lose(k, 1);
	err_free(e);
}

static void
catch_up(struct kengine *k, struct kengine_point *p, uint64_t now)
{
	assert(p->p->period_ns && p->next_ns <= now);
	uint64_t due = (now - p->next_ns) / p->p->period_ns + 1;
	uint64_t most = BASE_MAX(LATE_NS / p->p->period_ns, 1);

	p->next_ns += due * p->p->period_ns;
	assert(p->next_ns > now &&
	       p->next_ns - now <= p->p->period_ns);			/* 1 */
	if (due > most)
		lose(k, due - most);
	for (due = BASE_MIN(due, most); due; due--)
		fire(k, p);
}

static void
fire_due(struct kengine *k, uint64_t now)
{
	for (size_t i = 0; i < k->e.in.npoints; i++) {
		struct kengine_point *p = &k->points[i];
		if (p->p->trigger == PROV_TRIGGER_TICK && p->next_ns <= now)
			catch_up(k, p, now);
	}
}

static bool
stops(const struct kengine *k)
{
	return __atomic_load_n(&k->ticker.stop, __ATOMIC_ACQUIRE);
}

static void *
ticker(void *arg)
{
	struct kengine *k = arg;

	kengine_pin(k);
	while (!stops(k)) {
		uint64_t due = BASE_MIN(earliest(k), clock_ns() + SLEEP_NS);
		struct timespec ts = clock_local(due);
		sem_clockwait(&k->ticker.wake, CLOCK_MONOTONIC, &ts);
		if (!stops(k))
			fire_due(k, clock_ns());
	}
	return NULL;
}

struct err *
kengine_tick_start(struct kengine *k)
{
	uint64_t now = clock_ns();

	assert(!k->ticker.runs);					/* 2 */
	for (size_t i = 0; i < k->e.in.npoints; i++)
		k->points[i].next_ns = now +
			k->e.in.points[i].period_ns;
	if (!earliest(k))
		return NULL;
	sem_init(&k->ticker.wake, 0, 0);
	int err = util_thread(&k->ticker.thread, ticker, k);
	if (err)
		return err_new(ERR_OS, err, "no thread for ticks can be "
			       "started: %s", strerror(err));
	k->ticker.runs = true;
	return NULL;
}

void
kengine_tick_stop(struct kengine *k)
{
	if (!k->ticker.runs)
		return;
	__atomic_store_n(&k->ticker.stop, true, __ATOMIC_RELEASE);
	sem_post(&k->ticker.wake);
	pthread_join(k->ticker.thread, NULL);
	sem_destroy(&k->ticker.wake);
	k->ticker.runs = false;
}
