/* SPDX-License-Identifier: BSD-2-Clause
 *
 * tick probes: a thread that runs their programs when they are due, so that a
 * consumer that waits for its output does not delay them.  When the thread
 * itself is late it makes up for what it missed, at most for a second: a trace
 * that was stopped for an hour shall not fire for minutes.  The rest is lost,
 * and counted.
 */
#include <string.h>
#include <time.h>

#include "session/session_priv.h"

/* The longest sleep: a wake-up that gets lost delays the end by no more. */
enum { LATE_NS = 1000000000, SLEEP_NS = 1000000000 };

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
lose(struct session *s, uint64_t n)
{
	__atomic_fetch_add(&s->drops[ABI_DROP_FIRING], n, __ATOMIC_RELAXED);
}

static void
fire(struct session *s, const struct session_point *p)
{
	uint64_t ctx[1] = { 0 };
	uint32_t ret;
	struct err *e = kern_prog_run(p->prog, ctx, 1, &ret);

	if (e)
		lose(s, 1);
	err_free(e);
}

static void
catch_up(struct session *s, struct session_point *p, uint64_t now)
{
	uint64_t due = (now - p->next_ns) / p->period_ns + 1;
	uint64_t most = BASE_MAX(LATE_NS / p->period_ns, 1);

	p->next_ns += due * p->period_ns;
	if (due > most)
		lose(s, due - most);
	for (due = BASE_MIN(due, most); due; due--)
		fire(s, p);
}

static void
fire_due(struct session *s, uint64_t now)
{
	for (size_t i = 0; i < s->points.n; i++) {
		struct session_point *p = &s->points.v[i];
		if (p->trigger == PROV_TRIGGER_TICK && p->next_ns <= now)
			catch_up(s, p, now);
	}
}

static bool
stops(const struct session *s)
{
	return __atomic_load_n(&s->tick_stop, __ATOMIC_ACQUIRE);
}

static void *
ticker(void *arg)
{
	struct session *s = arg;

	session_pin(s);
	while (!stops(s)) {
		uint64_t due = BASE_MIN(earliest(s), clock_ns() + SLEEP_NS);
		struct timespec ts = { (time_t)(due / 1000000000),
				       (long)(due % 1000000000) };
		sem_clockwait(&s->tick_wake, CLOCK_MONOTONIC, &ts);
		if (!stops(s))
			fire_due(s, clock_ns());
	}
	return NULL;
}

struct err *
session_tick_start(struct session *s)
{
	uint64_t now = clock_ns();

	for (size_t i = 0; i < s->points.n; i++)
		s->points.v[i].next_ns = now + s->points.v[i].period_ns;
	if (!earliest(s))
		return NULL;
	sem_init(&s->tick_wake, 0, 0);
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
	__atomic_store_n(&s->tick_stop, true, __ATOMIC_RELEASE);
	sem_post(&s->tick_wake);
	pthread_join(s->ticker, NULL);
	sem_destroy(&s->tick_wake);
	s->ticking = false;
}
