/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tick probes: a thread that runs their programs when they are due, so that a
 * consumer that waits for its output does not delay them.
 */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "session/session_priv.h"

/* The earliest deadline; 0: there are no ticks. */
static uint64_t
earliest(struct session *s)
{
	uint64_t min = 0;

	for (size_t i = 0; i < s->points.n; i++) {
		struct session_point *p = &s->points.v[i];
		if (p->trigger == PROV_TRIGGER_TICK &&
		    (!min || p->next_ns < min))
			min = p->next_ns;
	}
	return min;
}

static void
fire(struct session *s, const struct session_point *p)
{
	uint64_t ctx[1] = { 0 };
	uint32_t ret;
	struct err *e = kern_prog_run(p->prog, ctx, 1, &ret);

	if (e)
		__atomic_fetch_add(&s->drops[ABI_DROP_FIRING], 1,
				   __ATOMIC_RELAXED);
	err_free(e);
}

/* A late tick fires once, not once for each period missed. */
static void
fire_due(struct session *s, uint64_t now)
{
	for (size_t i = 0; i < s->points.n; i++) {
		struct session_point *p = &s->points.v[i];
		if (p->trigger != PROV_TRIGGER_TICK || p->next_ns > now)
			continue;
		fire(s, p);
		p->next_ns += p->period_ns;
		if (p->next_ns <= now)
			p->next_ns = now + p->period_ns -
				     (now - p->next_ns) % p->period_ns;
	}
}

static void *
ticker(void *arg)
{
	struct session *s = arg;

	session_pin(s);
	pthread_mutex_lock(&s->tick_lock);
	while (!s->tick_stop) {
		uint64_t due = earliest(s);
		struct timespec ts = { (time_t)(due / 1000000000),
				       (long)(due % 1000000000) };
		if (pthread_cond_timedwait(&s->tick_wake, &s->tick_lock,
					   &ts) == ETIMEDOUT)
			fire_due(s, clock_ns());
	}
	pthread_mutex_unlock(&s->tick_lock);
	return NULL;
}

struct err *
session_tick_start(struct session *s)
{
	uint64_t now = clock_ns();
	pthread_condattr_t attr;

	for (size_t i = 0; i < s->points.n; i++)
		s->points.v[i].next_ns = now + s->points.v[i].period_ns;
	if (!earliest(s))
		return NULL;
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&s->tick_wake, &attr);
	pthread_condattr_destroy(&attr);
	int err = pthread_create(&s->ticker, NULL, ticker, s);
	if (err)
		return err_new(ERR_OS, err, "a thread for ticks: %s",
			       strerror(err));
	s->ticking = true;
	return NULL;
}

void
session_tick_stop(struct session *s)
{
	if (!s->ticking)
		return;
	pthread_mutex_lock(&s->tick_lock);
	s->tick_stop = true;
	pthread_cond_signal(&s->tick_wake);
	pthread_mutex_unlock(&s->tick_lock);
	pthread_join(s->ticker, NULL);
	pthread_cond_destroy(&s->tick_wake);
	s->ticking = false;
}
