/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The runtime's programs that keep vtimestamp (bpfrt/vtime.h): loaded,
 * attached and started only when some clause reads it.  They go before
 * everything else and leave after END, which may read it too.
 */
#include <assert.h>

#include "kengine/attach_priv.h"
#include "kengine/kengine_priv.h"
#include "kengine/parts_priv.h"

enum { MAX_THREADS = 65536 };
/* Not every task is said to be freed, so its entry goes once more when a new one
 * is made in its place. */
static const struct { const char *prog, *target; bool may_lack; } tracepoints[] = {
	{ "dt_free", "task_newtask" }, { "dt_free", "sched_process_free" },
	{ "dt_switch", "sched_switch" }, { "dt_came", "sched_exit_tp", true },
};
static_assert(BASE_NELEMS(tracepoints) ==
	      BASE_NELEMS(((struct kengine *)0)->vtime_links), "one each");
static const char *const seen = "dt_seen";	/* run by hand */

static struct err *
is_there(const struct kengine *k, size_t i, bool *ret)
{
	uint32_t id;

	*ret = true;
	if (!tracepoints[i].may_lack)
		return NULL;
	TRY(kengine_tracepoint_id(k, tracepoints[i].target, &id));
	*ret = id != 0;
	return NULL;
}

struct err *
kengine_vtime_prepare(struct kengine *k)
{
	bool there;

	if (!k->code->uses_vtime)
		return NULL;
	for (size_t i = 0; i < BASE_NELEMS(tracepoints); i++) {
		TRY(is_there(k, i, &there));
		if (there)
			TRY(kern_obj_use_prog(k->obj, tracepoints[i].prog));
	}
	TRY(kern_obj_use_prog(k->obj, seen));
	return kern_obj_set_map(k->obj, "dt_vtime", 0, MAX_THREADS);
}

static struct err *
attach_there(struct kengine *k)
{
	for (size_t i = 0; i < BASE_NELEMS(tracepoints); i++) {
		int prog = kern_obj_prog(k->obj, tracepoints[i].prog);
		if (prog >= 0)
			TRY(kengine_attach_rawtp(prog, tracepoints[i].target,
						 &k->vtime_links[i]));
	}
	return NULL;
}

struct err *
kengine_vtime_start(struct kengine *k)
{
	const uint8_t *online;

	if (!k->code->uses_vtime)
		return NULL;
	TRY(attach_there(k));
	online = kengine_online(k);
	if (!online)
		return &err_nomem;
	/* A CPU that cannot be reached has gone offline: it is seen when it
	 * switches. */
	for (unsigned cpu = 0; cpu < k->ncpus; cpu++)
		if (online[cpu])
			err_free(kern_prog_run_on(kern_obj_prog(k->obj, seen),
						  cpu));
	return NULL;
}

void
kengine_vtime_stop(struct kengine *k)
{
	for (size_t i = 0; i < BASE_NELEMS(k->vtime_links); i++) {
		kern_detach(k->vtime_links[i]);
		k->vtime_links[i] = NULL;
	}
}
