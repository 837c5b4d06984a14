/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Attaching and detaching: the programs of points, and those that take care of
 * the variables of threads.
 */
#include <sched.h>

#include "kengine/kengine_priv.h"
#include "kern/site.h"

uint8_t *
kengine_online(struct kengine *k)
{
	uint8_t *mask = ARENA_ARRAY(k->e.in.a, uint8_t, k->ncpus);

	if (mask)
		kern_online(mask, k->ncpus);
	return mask;
}

struct err *
kengine_attach_rawtp(int prog, const char *target, struct kern_link **ret)
{
	const struct kern_site site = { .attach = ABI_ATTACH_RAWTP,
					.target = target };

	return kern_attach(prog, &site, ret);
}

static struct err *
attach_at(struct kengine *k, int prog, const struct kern_site *site)
{
	struct kern_link *l;

	TRY(kern_attach(prog, site, &l));
	if (vec_push(&k->links, l))
		return NULL;
	kern_detach(l);
	return &err_nomem;
}

/* On each CPU, or only the first of those that may be. */
static struct err *
attach_profile(struct kengine *k, const struct kengine_point *p)
{
	bool one = p->p->trigger == PROV_TRIGGER_INTERRUPT;
	const uint8_t *online = kengine_online(k);

	if (!online)
		return &err_nomem;
	for (unsigned cpu = 0, n = 0; cpu < k->ncpus && !(one && n); cpu++) {
		if (!online[cpu] || (kengine_opt(k, OPT_CPU) >= 0 &&
				     kengine_opt(k, OPT_CPU) != cpu))
			continue;
		const struct kern_site site = { .attach = ABI_ATTACH_PERF,
			.cpu = cpu, .period_ns = p->p->period_ns };
		TRY(attach_at(k, p->prog, &site));
		kengine_interval(k, p, cpu)->begun = 1;
		n++;
	}
	return NULL;
}

static struct err *
attach_rawtp(struct kengine *k, int prog, const char *target)
{
	return attach_at(k, prog, &(struct kern_site){
			.attach = ABI_ATTACH_RAWTP, .target = target });
}

/* What takes care of the variables of threads that have ended. */
static struct err *
attach_threads(struct kengine *k)
{
	for (uint32_t i = 0; i < k->code->nfrees; i++) {
		int prog = kern_obj_prog(k->obj, k->code->frees[i]);
		TRY(attach_rawtp(k, prog, "task_newtask"));
		TRY(attach_rawtp(k, prog, "sched_process_free"));
	}
	return k->code->nfrees ?
		attach_rawtp(k, kern_obj_prog(k->obj, "dt_exit"),
			     "sched_process_exit") : NULL;
}

struct err *
kengine_attach(struct kengine *k)
{
	TRY(attach_threads(k));
	for (size_t i = 0; i < k->e.in.npoints; i++) {
		const struct kengine_point *p = &k->points[i];
		if (kengine_interrupts(p))
			TRY(attach_profile(k, p));
		if (p->p->trigger == PROV_TRIGGER_RAWTP)
			TRY(attach_at(k, p->prog, &(struct kern_site){
				.attach = p->p->point->attach,
				.target = p->p->point->target }));
	}
	return NULL;
}

void
kengine_pin(const struct kengine *k)
{
	cpu_set_t set;

	if (kengine_opt(k, OPT_CPU) < 0)
		return;
	CPU_ZERO(&set);
	CPU_SET((size_t)kengine_opt(k, OPT_CPU), &set);
	sched_setaffinity(0, sizeof(set), &set);
}

void
kengine_detach(struct kengine *k)
{
	for (size_t i = 0; i < k->links.n; i++)
		kern_detach(k->links.v[i]);
	k->links.n = 0;
}
