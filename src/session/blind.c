/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Probes of threads that are not there yet (abi_point.thread): the stack of their process
 * cannot be had, and a program that asks for it would show empty ones.  A probe that has
 * another place, too, is seldom so, and nothing is said of it.
 */
#include "session/program_priv.h"
#include "session/run_priv.h"

static bool
stands_elsewhere(const struct session *s, uint32_t id)
{
	for (uint32_t i = 0; i < s->points.all.n; i++) {
		const struct engine_point *p = &s->points.all.v[i];
		if (p->point->thread)
			continue;
		if (BASE_ANY(k, p->probes.n, p->probes.v[k].id == id))
			return true;
	}
	return false;
}

static bool
asks_ustack(const struct session *s, const struct plan_probe *p)
{
	return BASE_ANY(i, p->nclauses, session_asks_ustack(s->plan,
			&s->plan->clauses[p->clauses[i]]));
}

void
session_tell_blind(struct session *s)
{
	struct sb b;

	sb_init(&b, 512);
	for (uint32_t i = 0; i < s->points.all.n; i++) {
		const struct engine_point *point = &s->points.all.v[i];
		for (size_t k = 0; point->point->thread && k < point->probes.n; k++) {
			const struct plan_probe *p = &point->probes.v[k];
			if (!asks_ustack(s, p) || stands_elsewhere(s, p->id))
				continue;
			sb_reset(&b);
			sb_printf(&b, "ustack( ) has no frames at %s:::%s on this kernel, "
				  "as the thread is not there yet; at sched:::off-cpu it "
				  "has", p->part[0], p->part[3]);
			session_tell(s, sb_str(&b));
		}
	}
	sb_fini(&b);
}
