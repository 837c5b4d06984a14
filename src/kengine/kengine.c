/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The operations of the kernel's engine.
 *
 * Start: everything is attached while the control block says STARTING, so
 * nothing fires; BEGIN runs (its program ignores the state); then the state
 * becomes ACTIVE, unless BEGIN called exit().  Stop: the state becomes
 * STOPPED, everything is detached, and a barrier waits for programs that still
 * run.  END's program ignores the state, too.
 *
 *  1. Nothing is attached before attach(), nor after stop().
 *  2. Rows of probes that come follow those that are there.
 */
#include <assert.h>
#include <sched.h>
#include <time.h>

#include "engine/ops.h"
#include "kengine/attach_priv.h"
#include "kengine/kengine_priv.h"
#include "kengine/parts_priv.h"
#include "kengine/unwind.h"
#include "kern/ring.h"
#include "util/alloc.h"

enum { CLOCK_NS = 1000000000 };	/* the wall clock is looked at so often */

static struct kengine *
of(const struct engine *e)
{
	return (struct kengine *)(uintptr_t)e;
}
_Static_assert(offsetof(struct kengine, e) == 0, "the engine comes first");

static void
set_clock(struct kengine *k, uint64_t now)
{
	struct timespec wall;

	clock_gettime(CLOCK_REALTIME, &wall);
	k->e.ctl->wall_delta = (int64_t)wall.tv_sec * 1000000000 +
		wall.tv_nsec - (int64_t)clock_ns();
	k->next_clock = now + CLOCK_NS;
}

static struct err *
prepare(struct engine *e)
{
	struct kengine *k = of(e);
	struct ebpf_input in;

	TRY(kengine_input(k, &in));
	TRY(kengine_load(k, &in));
	TRY(kengine_rows_fill(k));
	e->source = kengine_source(k);
	return NULL;
}

static struct err *
attach(struct engine *e)
{
	struct kengine *k = of(e);

	assert(!k->links.all.n);						/* 1 */
	set_clock(k, clock_ns());
	kengine_kvars_set(k);
	e->ctl->state = ABI_STATE_STARTING;
	TRY(kengine_vtime_start(k));
	TRY(kengine_attach(k));
	kengine_unwind_settle(k);
	return NULL;
}

static struct err *
run_progs(struct kengine *k, enum prov_trigger which)
{
	uint64_t ctx[1] = { 0 };
	uint32_t ret;

	for (size_t i = 0; i < k->e.in.npoints; i++)
		if (k->e.in.points[i].trigger == which)
			TRY(kern_prog_run(k->points[i].prog, ctx, 1, &ret));
	return NULL;
}

static struct err *
fire_pinned(struct kengine *k, enum prov_trigger which)
{
	cpu_set_t old;
	bool known = !sched_getaffinity(0, sizeof(old), &old);

	kengine_pin(k);
	struct err *e = run_progs(k, which);
	if (known && kengine_opt(k, OPT_CPU) >= 0)
		sched_setaffinity(0, sizeof(old), &old);
	return e;
}

/* END's buffers are empty again, so it records even if one was full before. */
static struct err *
fire(struct engine *e, enum prov_trigger which)
{
	struct kengine *k = of(e);
	bool ends = which == PROV_TRIGGER_END;

	if (ends) {
		e->ctl->filled = ABI_FILLED_END;
		kengine_kvars_set(k);
	}
	struct err *err = fire_pinned(k, which);
	if (ends)
		kengine_vtime_stop(k);
	return err;
}

static struct err *
start(struct engine *e)
{
	uint32_t begun = ABI_STATE_STARTING;

	kengine_intervals_begin(of(e));
	e->fired = __atomic_compare_exchange_n(&e->ctl->state, &begun,
		ABI_STATE_ACTIVE, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	return kengine_tick_start(of(e));
}

static struct err *
add(struct engine *e, uint32_t point, size_t probe, size_t site)
{
	const struct engine_point *p = &e->in.points[point];
	uint64_t first = of(e)->rows.n + 1, cookie;

	assert(probe <= p->probes.n && site <= p->sites.n);
	for (size_t i = probe; i < p->probes.n; i++)
		TRY(kengine_row_add(of(e), point, &p->probes.v[i], &cookie));
	assert(of(e)->rows.n + 1 - first == p->probes.n - probe);	/* 2 */
	return kengine_attach_sites(of(e), point, site, first - probe);
}

static struct err *
again(struct engine *e, int pid, enum engine_first first, uint64_t time_ns)
{
	return kengine_attach_again(of(e), pid, first, time_ns);
}

static void
over(struct engine *e, uint64_t life)
{
	kengine_leave(of(e), life);
}

static void
file_over(struct engine *e, const char *file)
{
	kengine_leave_file(of(e), file);
}

static bool
epid(const struct engine *e, uint32_t no, struct plan_epid *ret)
{
	return kengine_epid(of(e), no, ret);
}

static void
turn(struct engine *e, uint64_t now)
{
	struct kengine *k = of(e);

	if (now >= kengine_kvars_next(k))
		kengine_kvars_set(k);
	if (now >= k->next_clock)
		set_clock(k, now);
	kengine_unwind_turn(k);
}

static void
process(struct engine *e, int pid, enum engine_process what)
{
	kengine_unwind_process(of(e), pid, what);
}

static void
program(struct engine *e, const char *path)
{
	kengine_unwind_program(of(e), path);
}

static uint64_t
due(const struct engine *e)
{
	return kengine_kvars_next(of(e));
}

static struct err *
stop(struct engine *e)
{
	struct kengine *k = of(e);
	bool wait = (k->links.all.n || k->leaving) && e->fired;

	if (__atomic_exchange_n(&e->ctl->state, ABI_STATE_STOPPED,
				__ATOMIC_SEQ_CST) == ABI_STATE_ACTIVE)
		e->stopped_ns = clock_ns();
	kengine_tick_stop(k);
	kengine_detach(k);
	kengine_missed_tell(k);
	kengine_unwind_tell(k);
	assert(!k->links.all.n && !k->ticker.runs);				/* 1 */
	return wait ? kern_barrier() : NULL;
}

static size_t
pending(const struct engine *e)
{
	const struct kengine *k = of(e);
	size_t most = 0;

	for (unsigned cpu = 0; cpu < k->ncpus; cpu++) {
		size_t n = k->rings[cpu] ? kern_ring_pending(k->rings[cpu]) : 0;
		most = BASE_MAX(most, n);
	}
	return most;
}

static int
fd(const struct engine *e, unsigned i)
{
	const struct kengine *k = of(e);

	for (unsigned cpu = 0; cpu < k->ncpus; cpu++)
		if (k->ring_fds[cpu] >= 0 && !i--)
			return k->ring_fds[cpu];
	return i ? -1 : kengine_unwind_fd(k);
}

/* Those in use may end at any time, and want cleaning then. */
static bool
speculates(const struct engine *e)
{
	const struct abi_spec *specs = of(e)->shared.specs;

	for (unsigned i = 0; specs && i < e->source.nspec; i++)
		if (ABI_SPEC_STATE(__atomic_load_n(&specs[i].word,
				__ATOMIC_RELAXED)) != ABI_SPEC_IDLE)
			return true;
	return false;
}

static void
free_engine(struct engine *e)
{
	struct kengine *k = of(e);

	kengine_tick_stop(k);
	kengine_detach(k);
	kengine_links_fini(&k->links);
	hash_fini(&k->gone);
	vec_fini(&k->held);
	kengine_vtime_stop(k);
	kengine_unload(k);
	util_free(k);
}

static const struct engine_ops ops = {
	.name = "kernel",
	.prepare = prepare, .attach = attach, .fire = fire, .start = start,
	.add = add, .again = again, .over = over, .file_over = file_over, .epid = epid, .turn = turn, .process = process,
	.program = program, .due = due, .stop = stop, .pending = pending, .fd = fd,
	.speculates = speculates, .free = free_engine,
};

struct err *
kengine_new(const struct engine_input *in, struct engine **ret)
{
	struct kengine *k = util_zalloc(sizeof(*k));

	if (!k)
		return &err_nomem;
	k->e.ops = &ops;
	k->e.in = *in;
	*ret = &k->e;
	return kengine_unwind_new(k);
}
