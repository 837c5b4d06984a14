/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The runtime's programs that keep vtimestamp (bpfrt/vtime.h): loaded,
 * attached and started only when some clause reads it.  They go before
 * everything else and leave after END, which may read it too.
 */
#include "kengine/attach_priv.h"
#include "kengine/kengine_priv.h"
#include "kengine/parts_priv.h"

static const char *const progs[] = { "dt_free", "dt_switch", "dt_seen" };
enum { MAX_THREADS = 65536 };
/* Not every task is said to be freed, so its entry goes once more when a new one
 * is made in its place. */
static const struct { const char *prog, *target; } tracepoints[] = {
	{ "dt_free", "task_newtask" }, { "dt_free", "sched_process_free" },
	{ "dt_switch", "sched_switch" },
};
static const char *const seen = "dt_seen";	/* run by hand */

struct err *
kengine_vtime_prepare(struct kengine *k)
{
	if (!k->code->uses_vtime)
		return NULL;
	for (size_t i = 0; i < BASE_NELEMS(progs); i++)
		TRY(kern_obj_use_prog(k->obj, progs[i]));
	return kern_obj_set_map(k->obj, "dt_vtime", 0, MAX_THREADS);
}

struct err *
kengine_vtime_start(struct kengine *k)
{
	const uint8_t *online;

	if (!k->code->uses_vtime)
		return NULL;
	for (size_t i = 0; i < BASE_NELEMS(tracepoints); i++)
		TRY(kengine_attach_rawtp(kern_obj_prog(k->obj,
						       tracepoints[i].prog),
					 tracepoints[i].target,
					 &k->vtime_links[i]));
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
