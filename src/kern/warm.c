/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The first elements of hashes.  From Linux 6.1 on the kernel keeps some elements of each hash
 * ready for each CPU: at first one where they have more than 256 bytes, and more as soon as
 * one has been taken, by an interrupt that it sends itself.  Where interrupts are off, as when
 * threads are switched, that comes behind the firing, and a second new key in the first
 * firing on a CPU would be a drop.  So one is taken on each CPU before, and given back.
 */
#include <bpf/bpf.h>
#include <pthread.h>
#include <sched.h>

#include "base/base.h"
#include "kern/obj_priv.h"
#include "util/alloc.h"
#include "util/cleanup.h"
#include "util/thread.h"

struct warming {
	const struct kern_obj *o;
	uint8_t *online;	/* by CPU */
	unsigned ncpus;
	void *zeros;		/* as a key, and as a value */
};

static bool
is_hash(const struct obj_map *m)
{
	return m->needed && m->fd >= 0 && m->m.type == BPF_MAP_TYPE_HASH &&
	       m->m.flags & BPF_F_NO_PREALLOC;
}

static void
warm_hashes(const struct warming *w)
{
	for (uint32_t i = 0; i < w->o->nmaps; i++) {
		const struct obj_map *m = &w->o->maps[i];
		if (is_hash(m) && !bpf_map_update_elem(m->fd, w->zeros, w->zeros, BPF_NOEXIST))
			bpf_map_delete_elem(m->fd, w->zeros);
	}
}

/* A thread that ends with it, so that nobody else's CPU is changed; those CPUs that it
 * may not have are left out. */
static void *
warm(void *ctx)
{
	const struct warming *w = ctx;
	size_t size = CPU_ALLOC_SIZE(w->ncpus);
	cpu_set_t *set = CPU_ALLOC(w->ncpus);

	for (unsigned cpu = 0; set && cpu < w->ncpus; cpu++) {
		if (!w->online[cpu])
			continue;
		CPU_ZERO_S(size, set);
		CPU_SET_S(cpu, size, set);
		if (!sched_setaffinity(0, size, set))
			warm_hashes(w);
	}
	CPU_FREE(set);
	return NULL;
}

void
kern_obj_warm(const struct kern_obj *o)
{
	struct warming w = { .o = o, .ncpus = kern_ncpus() };
	size_t most = 0;
	pthread_t thread;

	for (uint32_t i = 0; i < o->nmaps; i++)
		if (is_hash(&o->maps[i]))
			most = BASE_MAX(most, BASE_MAX((size_t)o->maps[i].m.key_size,
						       (size_t)o->maps[i].m.value_size));
	if (!most)
		return;
	CLEANUP(util_freep) uint8_t *online = w.online = util_alloc(w.ncpus);
	CLEANUP(util_freep) void *zeros = w.zeros = util_zalloc(most);
	if (!online || !zeros)
		return;
	kern_online(online, w.ncpus);
	if (!util_thread(&thread, warm, &w))
		pthread_join(thread, NULL);
}
