/* SPDX-License-Identifier: BSD-2-Clause
 *
 * An engine is what runs a plan: the kernel (kengine), and later a traced
 * process by itself.  A session drives any engine through these operations and
 * reads its bytes through one consume_source, so nothing else in the session
 * depends on where clauses run.
 *
 * Call order, which engine.c asserts:
 *
 *	prepare, attach, fire(BEGIN), start, turn*, stop, fire(END), free
 *
 * free may come at any point.  After a failure only free may follow.
 */
#ifndef ENGINE_ENGINE_H
#define ENGINE_ENGINE_H

#include "abi/ctl.h"
#include "abi/point.h"
#include "consume/consume.h"
#include "dif/plan.h"
#include "opt/opt.h"
#include "prov/site.h"
#include "sym/sym.h"
#include "typedb/typedb.h"
#include "util/arena.h"
#include "util/err.h"
#include "util/vec.h"

struct engine_site {
	struct prov_site site;
	uint32_t probe;		/* index in its point's probes */
};

/* One way of attaching, and the probes that it fires. */
struct engine_point {
	const struct abi_point *point;
	enum prov_trigger trigger;
	uint64_t period_ns;
	const struct abi_event *event;
	VEC(struct plan_probe) probes;
	VEC(struct engine_site) sites;	/* of all of them */
	/* FIND_COOKIE: the clauses that its probes have, or those may have that
	 * come later; in order. */
	VEC(uint32_t) clauses;
};

/* What an engine is made from.  Everything is borrowed until engine_free(). */
struct engine_input {
	struct arena *a;
	struct opt_set *opts;	/* sizes that the machine cannot bear are
				 * lowered by prepare */
	struct typedb *types;
	struct sym_kernel *syms;
	const struct plan_prog *plan;
	const struct engine_point *points;
	uint32_t npoints;
	struct plan_probe error;	/* of ERROR; nclauses 0: not enabled */
	/* Told of each site that cannot be attached, and why.  NULL: nobody is. */
	void (*warn)(void *ctx, const char *text);
	void *warn_ctx;
	/* As sym_names_files().  NULL: nobody knows. */
	void (*files)(void *ctx, int pid, void (*fn)(void *, int), void *fn_ctx);
	void *files_ctx;
	const char *limit_tag;	/* before the text of a limit; NULL: nothing */
};

enum engine_state {
	ENGINE_NEW, ENGINE_PREPARED, ENGINE_ATTACHED, ENGINE_BEGUN,
	ENGINE_STARTED, ENGINE_STOPPED, ENGINE_ENDED,
};

struct engine {
	const struct engine_ops *ops;
	struct engine_input in;
	enum engine_state state;

	/* From prepare on. */
	struct abi_ctl *ctl;		/* shared with the programs */
	struct consume_source source;
	size_t buffer_size;		/* bytes, of each CPU's trace buffer */

	uint64_t nwarnings;		/* sites that could not be attached */
	uint64_t ngone;			/* processes that ended just before, while
					 * tracing; these are no warnings */

	/* From start on. */
	bool fired;		/* probes other than BEGIN could fire */
	uint64_t stopped_ns;	/* when nothing fired any more, by the clock of
				 * records; 0: not yet, or nobody knows */
};

/* Generate and load.  ERR_LIMIT: the program or an option asks for more than
 * there is. */
struct err *engine_prepare(struct engine *e);
/* Attach everything; nothing fires yet. */
struct err *engine_attach(struct engine *e);
/* Run the probes of this trigger, PROV_TRIGGER_BEGIN or _END, here and now.
 * After END nothing is recorded or aggregated any more. */
struct err *engine_fire(struct engine *e, enum prov_trigger which);
/* From now on probes fire, unless BEGIN has called exit(): see e->fired. */
struct err *engine_start(struct engine *e);
/*
 * Probes more, while tracing: point number `point` of the input, which is found by
 * cookie, has got probes from number `probe` on and sites from number `site` on.
 * Their clauses are among the point's.  From now on they fire.  A site that cannot be
 * attached is no error, but a warning.  ERR_LIMIT: there is no room for all of them.
 */
struct err *engine_add(struct engine *e, uint32_t point, size_t probe,
		       size_t site);
/* What an EPID means; false: nothing. */
bool engine_epid(const struct engine *e, uint32_t epid, struct plan_epid *ret);
void engine_turn(struct engine *e, uint64_t now_ns);
uint64_t engine_due(const struct engine *e);
/* When this returns no probe fires any more, nor has one begun that is not at
 * its end. */
struct err *engine_stop(struct engine *e);
size_t engine_pending(const struct engine *e);
int engine_fd(const struct engine *e, unsigned i);
bool engine_speculates(const struct engine *e);
void engine_free(struct engine *e);		/* NULL is fine */

/* Are buffers read only when the tracing is over: does bufpolicy say so? */
static inline bool
engine_keeps(const struct engine *e)
{
	return e->in.opts->v[OPT_BUFPOLICY] != OPT_POLICY_SWITCH;
}

/* Do probes fire at this moment?  No longer when exit() was called. */
static inline bool
engine_is_active(const struct engine *e)
{
	return __atomic_load_n(&e->ctl->state, __ATOMIC_ACQUIRE) ==
	       ABI_STATE_ACTIVE;
}

/* Was exit() called, or the engine stopped? */
static inline bool
engine_has_stopped(const struct engine *e)
{
	return __atomic_load_n(&e->ctl->state, __ATOMIC_ACQUIRE) ==
	       ABI_STATE_STOPPED;
}

#endif
