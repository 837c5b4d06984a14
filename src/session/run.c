/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tracing: from go to stop.
 *
 * When nothing fires any more the buffers are emptied, so that there is room for
 * END's records; then END runs, and they are emptied again.
 */
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>

#include "engine/process.h"
#include "kengine/kengine.h"
#include "prov/coming.h"
#include "prov/func.h"
#include "prov/user.h"
#include "session/proc_priv.h"
#include "session/program_priv.h"
#include "session/run_priv.h"
#include "sym/file.h"
#include "sym/names.h"

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

	if (!epoll_ctl(s->run.epoll, EPOLL_CTL_ADD, fd, &ev))
		return NULL;
	return err_new(ERR_OS, errno, "epoll_ctl: %s", strerror(errno));
}

/* Rings and processes wake who waits. */
static struct err *
watch_all(struct session *s)
{
	int fd;

	s->run.epoll = epoll_create1(EPOLL_CLOEXEC);
	if (s->run.epoll < 0)
		return err_new(ERR_OS, errno, "epoll: %s", strerror(errno));
	for (unsigned i = 0; !engine_keeps(s->engine) &&
	     (fd = engine_fd(s->engine, i)) >= 0; i++)
		TRY(session_watch(s, fd, EPOLLIN));
	for (struct session_proc *p = s->procs; p; p = p->next)
		if (!p->released)
			TRY(session_watch(s, p->pidfd, EPOLLIN | EPOLLONESHOT));
	TRY(session_arrivals_watch(s));
	return session_tasks_watch(s);
}

static struct err *
make_consumer(struct session *s)
{
	const struct consume_source *source = &s->engine->source;
	struct save_subject of = { source, &s->meta.of, &s->opts,
				   s->sym_names };

	if (!s->opts.s[OPT_SAVE])
		return consume_new(source, &s->meta.of, &s->consume);
	TRY(save_create(s->opts.s[OPT_SAVE],
			(uint64_t)s->opts.v[OPT_SAVESIZE], &of, &s->file.to));
	TRY(consume_new(save_source(s->file.to), &s->meta.of, &s->consume));
	save_watch(s->file.to, s->consume);
	return NULL;
}

struct err *
session_take_step(struct session *s, enum save_step step, consume_fn *fn,
		  void *ctx)
{
	if (s->file.to)
		TRY(save_step(s->file.to, step, s->engine->ctl->wall_delta));
	return saved_run(s->consume, step, s->opts.v[OPT_TEMPORAL] > 0, fn,
			 ctx);
}

/* Who wants to know everything is told where probes are not. */
static void
tell_left_out(struct session *s)
{
	struct sb b;

	if (s->opts.v[OPT_VERBOSE] <= 0)
		return;
	sb_init(&b, 4096);
	if (prov_user_tell_left_out(s->prov, &b))
		session_tell(s, sb_str(&b));
	sb_reset(&b);
	if (prov_func_tell_left_out(s->prov, &b))
		session_tell(s, sb_str(&b));
	sb_fini(&b);
}

static void
tell_files(void *ctx, int pid, void (*fn)(void *fn_ctx, int fd), void *fn_ctx)
{
	struct session *s = ctx;

	sym_names_files(s->sym_names, pid, fn, fn_ctx);
}

/* One that a description names by its number. */
static void
tell_chosen(void *ctx, int pid)
{
	struct session *s = ctx;
	const struct session_proc *p = s->procs;

	while (p && p->pid != pid)
		p = p->next;
	if (!p)
		engine_process(s->engine, pid, ENGINE_PROCESS_TRACED);
}

/* What is mapped by our processes, and by those that descriptions name, is known before
 * they run on, so that their first stack is as good as any other. */
static void
tell_processes(struct session *s)
{
	prov_user_chosen(s->prov, tell_chosen, s);
	for (struct session_proc *p = s->procs; p; p = p->next) {
		if (!p->start || p->held)
			engine_process(s->engine, p->pid, ENGINE_PROCESS_TRACED);
		else
			engine_program(s->engine, p->path);
	}
}

static struct err *
make_engine(struct session *s)
{
	struct engine_input in = {
		.a = s->a, .opts = &s->opts, .types = s->types,
		.syms = s->syms,
		.warn = session_tell, .warn_ctx = s,
		.files = tell_files, .files_ctx = s,
		.limit_tag = s->opts.v[OPT_ERRTAGS] > 0 ?
			diag_tag_name(D_CG_EXPR) : NULL,
	};

	TRY(session_plan(s, &in));
	tell_left_out(s);
	TRY(session_tell_nowhere(s));
	session_tell_unusual(s);
	session_tell_blind(s);
	TRY(kengine_new(&in, &s->engine));
	tell_processes(s);
	TRY(engine_prepare(s->engine));
	TRY(session_meta_init(s));
	return make_consumer(s);
}

static struct err *
make_ready(struct session *s)
{
	TRY(session_proc_place(s));
	TRY(make_engine(s));
	TRY(session_naming_start(s));
	TRY(session_arrivals_start(s));
	TRY(watch_all(s));
	return engine_attach(s->engine);
}

struct err *
session_prepare(struct session *s)
{
	if (s->run.phase != SESSION_NEW)
		return err_new(ERR_STATE, 0, "tracing has begun already");
	s->run.phase = SESSION_BEGUN;
	if (!s->file.from)
		TRY(make_ready(s));
	s->run.phase = SESSION_PREPARED;
	return NULL;
}

struct err *
session_go(struct session *s)
{
	if (s->run.phase != SESSION_PREPARED)
		TRY(session_prepare(s));
	s->run.phase = SESSION_WENT;
	if (s->file.from)
		return session_replay_go(s);
	s->run.at.begun = clock_ns();
	if (s->file.to)
		save_start(s->file.to, s->run.at.begun, s->heading);
	TRY(engine_fire(s->engine, PROV_TRIGGER_BEGIN));
	TRY(engine_start(s->engine));
	s->run.live = true;
	s->run.next.status = clock_ns() + status_rate(s);
	s->run.next.agg = clock_ns() + (uint64_t)s->opts.v[OPT_AGGRATE];
	return session_proc_run(s);
}

/* --- Turning -------------------------------------------------------------- */

/* Let records gather once there are some, rather than wake for each: for as
 * long as a quarter of the ring takes to fill at 250 MB/s.  When much waits
 * already there is no time to lose.  Not beyond `until`. */
static void
gather(const struct session *s, uint64_t until)
{
	uint64_t ns = s->engine->buffer_size, now;
	struct timespec ts;

	if (engine_pending(s->engine) > s->engine->buffer_size / 8)
		return;
	ns = ns < 200000 ? 200000 : ns > 4000000 ? 4000000 : ns;
	ns = BASE_MIN(ns, (uint64_t)s->opts.v[OPT_SWITCHRATE]);
	now = clock_ns();
	ns = BASE_MIN(ns, until > now ? until - now : 0);
	ts = (struct timespec){ 0, (long)ns };
	nanosleep(&ts, NULL);
}

/* Wait at most so long for something to come; did it? */
static bool
wait_events(const struct session *s, uint64_t ns)
{
	const uint64_t second = 1000000000;
	struct timespec ts = { (time_t)(ns / second), (long)(ns % second) };
	struct epoll_event ev;

	return epoll_pwait2(s->run.epoll, &ev, 1, &ts, NULL) > 0;
}

/* Rates may be anything, and to wake more often is of no use to anybody. */
enum { KEPT_NS = 20000000, WAIT_MIN_NS = 250000 };

/* When to look again though nothing has come. */
static uint64_t
wait_until(struct session *s, uint64_t now)
{
	uint64_t until = s->run.next.status;

	until = BASE_MIN(until, now + (uint64_t)s->opts.v[OPT_SWITCHRATE]);
	if (s->plan->naggs)
		until = BASE_MIN(until, s->run.next.agg);
	until = BASE_MIN(until, engine_due(s->engine));
	if (engine_speculates(s->engine))
		until = BASE_MIN(until, s->run.next.clean);
	if (engine_keeps(s->engine))	/* no ring tells when it is over */
		until = BASE_MIN(until, now + KEPT_NS);
	return BASE_MAX(until, now + WAIT_MIN_NS);
}

/* Is there nothing to do but to wait? */
static bool
may_wait(struct session *s)
{
	return s->engine && s->run.live && engine_is_active(s->engine) && !s->naming.sweep;
}

/* Does something wait for us? */
static bool
data_waits(struct session *s)
{
	return !engine_keeps(s->engine) && engine_pending(s->engine);
}

int
session_fd(const struct session *s)
{
	return s->run.epoll;
}

uint64_t
session_due(struct session *s)
{
	uint64_t now = clock_ns();

	if (!may_wait(s) || data_waits(s))
		return now;
	return BASE_MIN(wait_until(s, now), consume_due(s->consume));
}

void
session_wait(struct session *s)
{
	uint64_t now = clock_ns();

	if (!may_wait(s))
		return;
	uint64_t until = wait_until(s, now);
	if (!data_waits(s) && !wait_events(s, until - now))
		return;
	if (!engine_keeps(s->engine) && engine_is_active(s->engine))
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

	if (p->s->file.to)
		save_event(p->s->file.to);
	if (e->exits && !p->s->run.exit_seen) {
		p->s->run.exit_seen = true;
		p->s->engine->stopped_ns = e->timestamp;
	}
	return p->fn(p->ctx, e);
}

struct err *
session_step(struct session *s, consume_fn *fn, void *ctx,
	     enum session_status *status)
{
	struct passing p = { s, fn, ctx };
	uint64_t now = clock_ns();
	bool ended, stopped;

	if (s->file.from)
		return session_replay_step(s, fn, ctx, status);
	stopped = engine_has_stopped(s->engine);
	TRY(session_proc_poll(s, &ended));
	TRY(session_arrivals_turn(s));
	TRY(session_naming_turn(s, engine_pending(s->engine) >
				s->engine->buffer_size / 16));
	if (!engine_keeps(s->engine))
		TRY(session_take_step(s, stopped ? SAVE_STEP_FINAL :
				      SAVE_STEP_PASS, pass_on, &p));
	if (now >= s->run.next.clean) {
		TRY(session_take_step(s, SAVE_STEP_CLEAN, pass_on, &p));
		s->run.next.clean = now + (uint64_t)s->opts.v[OPT_CLEANRATE];
	}
	if (now >= s->run.next.agg && s->plan->naggs) {
		TRY(session_take_step(s, SAVE_STEP_SNAPSHOT, pass_on, &p));
		s->run.next.agg = now + (uint64_t)s->opts.v[OPT_AGGRATE];
	}
	if (now >= s->run.next.status) {
		TRY(session_take_step(s, SAVE_STEP_DROPS, pass_on, &p));
		s->run.next.status = now + status_rate(s);
	}
	/* Last, as it may look at the clock: what has come is shown by the one before,
	 * and saved so. */
	engine_turn(s->engine, now);
	*status = s->engine->ctl->filled ? SESSION_FILLED :
		  s->run.exit_seen || stopped ? SESSION_EXITED :
		  ended ? SESSION_DONE : SESSION_OKAY;
	return NULL;
}

struct err *
session_stop(struct session *s)
{
	if (!s->run.live)
		return NULL;
	s->run.live = false;
	if (s->file.from)
		return NULL;
	session_arrivals_stop(s);
	prov_user_unwatch(s->prov);
	struct err *e = engine_stop(s->engine);
	prov_user_let_write(s->prov);
	TRY(e);
	session_arrivals_tell(s);
	TRY(session_take_step(s, SAVE_STEP_COLLECT, NULL, NULL));
	return engine_fire(s->engine, PROV_TRIGGER_END);
}

struct err *
session_drain(struct session *s, consume_fn *fn, void *ctx)
{
	static const enum save_step steps[] = {
		SAVE_STEP_SNAPSHOT, SAVE_STEP_FINAL, SAVE_STEP_DROPS,
	};
	struct passing p = { s, fn, ctx };
	bool ended;

	if (s->file.from)
		return NULL;
	TRY(session_proc_poll(s, &ended));
	for (size_t i = 0; i < BASE_NELEMS(steps); i++)
		TRY(session_take_step(s, steps[i], pass_on, &p));
	s->run.at.ended = clock_ns();
	return s->file.to ? save_end(s->file.to, s->run.at.ended) : NULL;
}
