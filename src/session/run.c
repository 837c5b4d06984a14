/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tracing: from go to stop.
 *
 * Start: everything is attached while the control block says STARTING, so
 * nothing fires; BEGIN runs (its program ignores the state); then the state
 * becomes ACTIVE, unless BEGIN called exit().  Stop: the state becomes
 * STOPPED, everything is detached, a barrier waits for programs still
 * running, the rings are emptied, so that there is room for END's records, END
 * runs, and the rings are emptied again.
 */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>

#include "session/session_priv.h"

/* --- Attaching ------------------------------------------------------------ */

uint8_t *
session_online(struct session *s)
{
	uint8_t *mask = ARENA_ARRAY(s->a, uint8_t, s->ncpus);

	if (mask)
		kern_online(mask, s->ncpus);
	return mask;
}

/* On each CPU, or only the first of those that may be. */
static struct err *
attach_profile(struct session *s, const struct session_point *p)
{
	bool one = p->trigger == PROV_TRIGGER_INTERRUPT;
	const uint8_t *online = session_online(s);

	if (!online)
		return &err_nomem;
	for (unsigned cpu = 0, n = 0; cpu < s->ncpus && !(one && n); cpu++) {
		struct kern_link *l;
		if (!online[cpu] || (s->opts.v[OPT_CPU] >= 0 &&
				     s->opts.v[OPT_CPU] != cpu))
			continue;
		TRY(kern_attach_profile(p->prog, cpu, p->period_ns, 0, &l));
		if (!vec_push(&s->links, l)) {
			kern_detach(l);
			return &err_nomem;
		}
		session_interval(s, p, cpu)->begun = 1;
		n++;
	}
	return NULL;
}

static struct err *
attach_rawtp(struct session *s, int prog, const char *target)
{
	struct kern_link *l;

	TRY(kern_attach_rawtp(prog, target, &l));
	if (vec_push(&s->links, l))
		return NULL;
	kern_detach(l);
	return &err_nomem;
}

/* What takes care of the variables of threads that have ended. */
static struct err *
attach_threads(struct session *s)
{
	for (uint32_t i = 0; i < s->code->nfrees; i++) {
		int prog = kern_obj_prog(s->obj, s->code->frees[i]);
		TRY(attach_rawtp(s, prog, "task_newtask"));
		TRY(attach_rawtp(s, prog, "sched_process_free"));
	}
	return s->code->nfrees ?
		attach_rawtp(s, kern_obj_prog(s->obj, "dt_exit"),
			     "sched_process_exit") : NULL;
}

static struct err *
attach(struct session *s)
{
	TRY(attach_threads(s));
	for (size_t i = 0; i < s->points.n; i++) {
		const struct session_point *p = &s->points.v[i];
		if (session_interrupts(p))
			TRY(attach_profile(s, p));
		if (p->trigger == PROV_TRIGGER_RAWTP)
			TRY(attach_rawtp(s, p->prog, p->point->target));
	}
	return NULL;
}

void
session_pin(const struct session *s)
{
	cpu_set_t set;

	if (s->opts.v[OPT_CPU] < 0)
		return;
	CPU_ZERO(&set);
	CPU_SET((size_t)s->opts.v[OPT_CPU], &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static struct err *
fire_here(struct session *s, enum prov_trigger which)
{
	uint64_t ctx[1] = { 0 };
	uint32_t ret;

	for (size_t i = 0; i < s->points.n; i++)
		if (s->points.v[i].trigger == which)
			TRY(kern_prog_run(s->points.v[i].prog, ctx, 1, &ret));
	return NULL;
}

/* Fire BEGIN or END now. */
static struct err *
fire(struct session *s, enum prov_trigger which)
{
	cpu_set_t old;
	bool known = !sched_getaffinity(0, sizeof(old), &old);

	session_pin(s);
	struct err *e = fire_here(s, which);
	if (known && s->opts.v[OPT_CPU] >= 0)
		sched_setaffinity(0, sizeof(old), &old);
	return e;
}

static void
set_clock(struct session *s)
{
	struct timespec wall;

	clock_gettime(CLOCK_REALTIME, &wall);
	s->ctl->wall_delta = (int64_t)wall.tv_sec * 1000000000 +
		wall.tv_nsec - (int64_t)clock_ns();
}

/* What was lost is told within ten seconds at the latest. */
static uint64_t
status_rate(const struct session *s)
{
	const uint64_t most = 10000000000;
	uint64_t ns = (uint64_t)s->opts.v[OPT_STATUSRATE];

	return ns < most ? ns : most;
}

struct err *
session_watch(struct session *s, int fd, uint32_t events)
{
	struct epoll_event ev = { .events = events };

	if (!epoll_ctl(s->epoll, EPOLL_CTL_ADD, fd, &ev))
		return NULL;
	return err_new(ERR_OS, errno, "epoll_ctl: %s", strerror(errno));
}

/* Rings and processes wake who waits. */
static struct err *
watch_all(struct session *s)
{
	s->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (s->epoll < 0)
		return err_new(ERR_OS, errno, "epoll: %s", strerror(errno));
	for (unsigned cpu = 0; cpu < s->ncpus; cpu++)
		if (s->ring_fds[cpu] >= 0 && !session_keeps(s))
			TRY(session_watch(s, s->ring_fds[cpu], EPOLLIN));
	for (struct session_proc *p = s->procs; p; p = p->next)
		TRY(session_watch(s, p->pidfd, EPOLLIN | EPOLLONESHOT));
	return session_names_watch(s);
}

/* From now on firings may be missing, wherever something is attached. */
static void
begin_intervals(struct session *s)
{
	uint64_t now = clock_ns();

	for (size_t i = 0; i < s->points.n; i++) {
		const struct session_point *p = &s->points.v[i];
		for (unsigned cpu = 0; session_interrupts(p) && cpu < s->ncpus;
		     cpu++)
			if (session_interval(s, p, cpu)->begun)
				session_interval(s, p, cpu)->begun = now;
	}
}

struct err *
session_go(struct session *s)
{
	struct ebpf_input in = { 0 };
	uint32_t begun = ABI_STATE_STOPPED;

	if (s->running)
		return err_new(ERR_STATE, 0, "tracing has begun already");
	TRY(session_proc_place(s));
	TRY(session_plan(s, &in));
	TRY(session_load(s, &in));
	TRY(session_source_init(s));
	TRY(session_names_start(s));
	TRY(watch_all(s));
	set_clock(s);
	session_kvars_set(s);
	s->ctl->state = ABI_STATE_STARTING;
	TRY(session_vtime_start(s));
	TRY(attach(s));
	TRY(fire(s, PROV_TRIGGER_BEGIN));
	begin_intervals(s);
	begun = ABI_STATE_STARTING;
	s->fired = __atomic_compare_exchange_n(&s->ctl->state, &begun,
		ABI_STATE_ACTIVE, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	s->running = true;
	s->next_status = clock_ns() + status_rate(s);
	s->next_agg = clock_ns() + (uint64_t)s->opts.v[OPT_AGGRATE];
	TRY(session_tick_start(s));
	return session_proc_run(s);
}

/* --- Turning -------------------------------------------------------------- */

/* Bytes that wait in the fullest ring. */
static size_t
data_waits(const struct session *s)
{
	size_t most = 0;

	for (unsigned cpu = 0; cpu < s->ncpus; cpu++) {
		size_t n = s->rings[cpu] ? kern_ring_pending(s->rings[cpu]) : 0;
		if (n > most)
			most = n;
	}
	return most;
}

/* Let records gather once there are some, rather than wake for each: for as
 * long as a quarter of the ring takes to fill at 250 MB/s.  When much waits
 * already there is no time to lose.  Not beyond `until`. */
static void
gather(const struct session *s, uint64_t until)
{
	uint64_t ns = s->ring_size, now;
	struct timespec ts;

	if (data_waits(s) > s->ring_size / 8)
		return;
	ns = ns < 200000 ? 200000 : ns > 4000000 ? 4000000 : ns;
	ns = BASE_MIN(ns, (uint64_t)s->opts.v[OPT_SWITCHRATE]);
	now = clock_ns();
	ns = BASE_MIN(ns, until > now ? until - now : 0);
	ts = (struct timespec){ 0, (long)ns };
	nanosleep(&ts, NULL);
}

/* Speculations in use may end at any time, and want cleaning then. */
static bool
some_in_use(const struct session *s)
{
	for (int64_t i = 0; s->specs && i < s->opts.v[OPT_NSPEC]; i++)
		if (ABI_SPEC_STATE(__atomic_load_n(&s->specs[i].word,
				__ATOMIC_RELAXED)) != ABI_SPEC_IDLE)
			return true;
	return false;
}

/* Wait at most so long for something to come; did it? */
static bool
wait_events(const struct session *s, uint64_t ns)
{
	const uint64_t second = 1000000000;
	struct timespec ts = { (time_t)(ns / second), (long)(ns % second) };
	struct epoll_event ev;

	return epoll_pwait2(s->epoll, &ev, 1, &ts, NULL) > 0;
}

/* Rates may be anything, and to wake more often is of no use to anybody. */
enum { KEPT_NS = 20000000, WAIT_MIN_NS = 100000 };

void
session_wait(struct session *s)
{
	uint64_t now = clock_ns(), until = s->next_status;

	if (!s->running || s->ctl->state != ABI_STATE_ACTIVE || s->sweep)
		return;
	until = BASE_MIN(until, now + (uint64_t)s->opts.v[OPT_SWITCHRATE]);
	if (s->plan->naggs)
		until = BASE_MIN(until, s->next_agg);
	until = BASE_MIN(until, session_kvars_next(s));
	if (some_in_use(s))
		until = BASE_MIN(until, s->next_clean);
	if (session_keeps(s))	/* no ring tells when it is over */
		until = BASE_MIN(until, now + KEPT_NS);
	until = BASE_MAX(until, now + WAIT_MIN_NS);
	bool waits = !session_keeps(s) && data_waits(s);
	if (!waits && !wait_events(s, until - now))
		return;
	if (!session_keeps(s) && s->ctl->state == ABI_STATE_ACTIVE)
		gather(s, until);
}

/* Watches the events go by for an exit(). */
struct passing {
	struct session *s;
	consume_fn *fn;
	void *ctx;
};

static struct err *
pass_on(void *ctx, const struct consume_event *e)
{
	struct passing *p = ctx;

	if (e->exits && !p->s->exit_seen) {
		p->s->exit_seen = 1;
		p->s->stopped_ns = e->timestamp;
	}
	return p->fn(p->ctx, e);
}

struct err *
session_step(struct session *s, consume_fn *fn, void *ctx,
	     enum session_status *status)
{
	struct passing p = { s, fn, ctx };
	uint64_t now = clock_ns();
	bool ended, stopped = s->ctl->state == ABI_STATE_STOPPED;

	TRY(session_proc_poll(s, &ended));
	TRY(session_names_turn(s, data_waits(s) > s->ring_size / 16));
	if (!session_keeps(s))
		TRY(consume_pass(s->consume, s->opts.v[OPT_TEMPORAL] > 0,
				 stopped, pass_on, &p));
	if (now >= s->next_clean) {
		consume_clean(s->consume);
		s->next_clean = now + (uint64_t)s->opts.v[OPT_CLEANRATE];
	}
	if (now >= s->next_agg && s->plan->naggs) {
		TRY(consume_snapshot(s->consume));
		s->next_agg = now + (uint64_t)s->opts.v[OPT_AGGRATE];
	}
	if (now >= session_kvars_next(s))
		session_kvars_set(s);
	if (now >= s->next_status) {
		set_clock(s);
		TRY(consume_drops(s->consume, fn, ctx));
		s->next_status = now + status_rate(s);
	}
	*status = s->ctl->filled ? SESSION_FILLED :
		  s->exit_seen || stopped ? SESSION_EXITED :
		  ended ? SESSION_DONE : SESSION_OKAY;
	return NULL;
}

struct err *
session_stop(struct session *s)
{
	bool wait = s->links.n && s->fired;

	if (!s->running)
		return NULL;
	if (__atomic_exchange_n(&s->ctl->state, ABI_STATE_STOPPED,
				__ATOMIC_SEQ_CST) == ABI_STATE_ACTIVE)
		s->stopped_ns = clock_ns();
	session_tick_stop(s);
	for (size_t i = 0; i < s->links.n; i++)
		kern_detach(s->links.v[i]);
	s->links.n = 0;
	s->running = false;
	if (wait)
		TRY(kern_barrier());
	TRY(consume_collect(s->consume));
	s->ctl->filled = ABI_FILLED_END;
	session_kvars_set(s);
	struct err *e = fire(s, PROV_TRIGGER_END);
	s->ended = true;
	session_vtime_stop(s);
	return e;
}

struct err *
session_drain(struct session *s, consume_fn *fn, void *ctx)
{
	struct passing p = { s, fn, ctx };
	bool ended;

	TRY(session_proc_poll(s, &ended));
	TRY(consume_snapshot(s->consume));
	TRY(consume_pass(s->consume, s->opts.v[OPT_TEMPORAL] > 0, true,
			 pass_on, &p));
	return consume_drops(s->consume, fn, ctx);
}
