/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The order in which an engine is driven.  Invariants, asserted here:
 *  1. the operations come in the order of enum engine_state, none twice;
 *  2. what prepare promises is there when it has succeeded.
 */
#include <assert.h>

#include "engine/ops.h"

/* The step from one state to the next, when op succeeds. */
static struct err *
advance(struct engine *e, enum engine_state from, enum engine_state to,
	struct err *(*op)(struct engine *e))
{
	assert(e->state == from);		/* 1 */
	TRY(op(e));
	e->state = to;
	return NULL;
}

struct err *
engine_prepare(struct engine *e)
{
	TRY(advance(e, ENGINE_NEW, ENGINE_PREPARED, e->ops->prepare));
	assert(e->ctl && e->source.ctx);	/* 2 */
	return NULL;
}

struct err *
engine_attach(struct engine *e)
{
	return advance(e, ENGINE_PREPARED, ENGINE_ATTACHED, e->ops->attach);
}

struct err *
engine_fire(struct engine *e, enum prov_trigger which)
{
	bool begins = which == PROV_TRIGGER_BEGIN;

	assert(begins || which == PROV_TRIGGER_END);
	assert(e->state == (begins ? ENGINE_ATTACHED : ENGINE_STOPPED));
	struct err *err = e->ops->fire(e, which);
	e->state = begins ? ENGINE_BEGUN : ENGINE_ENDED;
	return err;
}

struct err *
engine_start(struct engine *e)
{
	return advance(e, ENGINE_BEGUN, ENGINE_STARTED, e->ops->start);
}

struct err *
engine_add(struct engine *e, uint32_t point, size_t probe, size_t site)
{
	assert(e->state == ENGINE_STARTED && point < e->in.npoints);
	assert(e->in.points[point].point->find == ABI_FIND_COOKIE);
	return e->ops->add(e, point, probe, site);
}

struct err *
engine_attach_again(struct engine *e, int pid, enum engine_first first,
		    uint64_t time_ns)
{
	return e->state == ENGINE_STARTED && e->ops->again ?
		e->ops->again(e, pid, first, time_ns) : NULL;
}

void
engine_process_over(struct engine *e, uint64_t life)
{
	assert(life);
	if (e->ops->over)
		e->ops->over(e, life);
}

void
engine_file_over(struct engine *e, const char *file)
{
	assert(file);
	if (e->ops->file_over)
		e->ops->file_over(e, file);
}

bool
engine_epid(const struct engine *e, uint32_t epid, struct plan_epid *ret)
{
	return e->ops->epid(e, epid, ret);
}

void
engine_turn(struct engine *e, uint64_t now_ns)
{
	if (e->ops->turn)
		e->ops->turn(e, now_ns);
}

void
engine_process(struct engine *e, int pid, enum engine_process what)
{
	if (e->ops->process)
		e->ops->process(e, pid, what);
}

void
engine_program(struct engine *e, const char *path)
{
	if (e->ops->program)
		e->ops->program(e, path);
}

uint64_t
engine_due(const struct engine *e)
{
	return e->ops->due ? e->ops->due(e) : UINT64_MAX;
}

struct err *
engine_stop(struct engine *e)
{
	return advance(e, ENGINE_STARTED, ENGINE_STOPPED, e->ops->stop);
}

size_t
engine_pending(const struct engine *e)
{
	return e->ops->pending(e);
}

int
engine_fd(const struct engine *e, unsigned i)
{
	return e->ops->fd(e, i);
}

bool
engine_speculates(const struct engine *e)
{
	return e->ops->speculates(e);
}

void
engine_free(struct engine *e)
{
	if (e)
		e->ops->free(e);
}
