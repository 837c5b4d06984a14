/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Generated code into the kernel: sizes of maps, chains of programs, rings, and
 * the mappings through which the consumer looks at them.  Everything is held by
 * file descriptors of this process, so nothing outlives it.
 *
 *  1. What a chain or a point names is a program that is loaded.
 *  2. A ring is mapped at the size it was made with, a power of two.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "abi/slot.h"
#include "bpfrt/bpfrt.h"
#include "kengine/attach_priv.h"
#include "kengine/kengine_priv.h"
#include "kengine/parts_priv.h"
#include "kengine/size_priv.h"
#include "kengine/unwind.h"
#include "kern/map.h"
#include "kern/ring.h"
#include "util/alloc.h"
#include "util/cleanup.h"
#include "util/files.h"

/* --- Before loading ------------------------------------------------------- */

/* A map that no code uses is not there. */
static struct err *
unless_unused(struct err *e)
{
	if (!e || e->code != ERR_NOTFOUND)
		return e;
	err_free(e);
	return NULL;
}

static struct err *
size_map(struct kengine *k, const char *map, uint32_t entries)
{
	return unless_unused(kern_obj_set_map(k->obj, map, 0, entries));
}

/* Where variables may have little, they have no places in front. */
static struct err *
size_fronts(struct kengine *k, uint64_t dynvarsize)
{
	uint64_t each = ABI_FRONT_BUCKETS * sizeof(struct abi_bucket);

	if (!k->code->nfronts || dynvarsize / 8 < each)
		return NULL;
	return size_map(k, "dt_fronts", 1 + k->code->nfronts * ABI_FRONT_BUCKETS);
}

static struct err *
size_vars(struct kengine *k)
{
	uint64_t bytes = (uint64_t)kengine_opt(k, OPT_DYNVARSIZE);
	uint64_t left = KENGINE_READY_BYTES;

	for (uint32_t i = 0; i < k->code->ntables; i++) {
		const struct ebpf_table *t = &k->code->tables[i];
		TRY(size_map(k, t->map, kengine_table_entries(bytes, t)));
		if (!kengine_table_is_ready(bytes, t, &left))
			TRY(unless_unused(kern_obj_set_sparse(k->obj, t->map)));
	}
	return size_fronts(k, bytes);
}

/* The runtime's books on threads (bpfrt/thread.h): so many at least may have
 * variables. */
enum { MIN_THREADS = 16384 };

static struct err *
size_threads(struct kengine *k)
{
	uint64_t bytes = (uint64_t)kengine_opt(k, OPT_DYNVARSIZE);
	uint32_t n = kengine_entries(bytes, 8, 8);

	if (!k->code->nfrees)
		return NULL;
	TRY(kern_obj_use_prog(k->obj, "dt_exit"));
	TRY(kern_obj_set_map(k->obj, "dt_sweeping", 0, k->e.in.plan->nvars + 1));
	return kern_obj_set_map(k->obj, "dt_threads", 0,
				BASE_MAX(n, (uint32_t)MIN_THREADS));
}

static struct err *
size_aggs(struct kengine *k)
{
	CLEANUP(util_freep) uint64_t *most =
		util_alloc((k->e.in.plan->naggs + 1) * sizeof(*most));

	if (!most)
		return &err_nomem;
	TRY(kengine_agg_most(&k->e.in, k->ncpus, most));
	for (uint32_t i = 0; i < k->code->naggmaps; i++) {
		const struct ebpf_aggmap *m = &k->code->aggmaps[i];
		uint32_t n = kengine_agg_entries(
			(uint64_t)kengine_opt(k, OPT_AGGSIZE), m, k->ncpus,
			kengine_map_most(m, most));
		for (size_t gen = 0; gen < BASE_NELEMS(m->map); gen++)
			TRY(size_map(k, m->map[gen], n));
	}
	return NULL;
}

static struct err *
size_links(struct kengine *k)
{
	for (uint32_t i = 0; i < k->code->nlinks; i++)
		TRY(kern_obj_set_map(k->obj, k->code->links[i].map, 0,
				     k->code->nlinks));
	return NULL;
}

static uint32_t
nspec(const struct kengine *k)
{
	return (uint32_t)kengine_opt(k, OPT_NSPEC);
}

static struct err *
size_specs(struct kengine *k)
{
	if (!k->code->uses_spec)
		return NULL;
	TRY(kern_obj_need_map(k->obj, "dt_specs"));
	TRY(kern_obj_need_map(k->obj, "dt_spec_used"));
	TRY(kern_obj_set_map(k->obj, "dt_specs", 0, BASE_MAX(nspec(k), 1u)));
	return kern_obj_set_map(k->obj, "dt_spec_used", 0,
				BASE_MAX(nspec(k), 1u) * k->ncpus);
}

struct err *
kengine_tracepoint_id(const struct kengine *k, const char *name, uint32_t *ret)
{
	char type[128];

	snprintf(type, sizeof(type), ABI_BTF_TRACE "%s", name);
	return typedb_btf_id(k->e.in.types, TYPE_TYPEDEF, type, ret);
}

/* A typed program is loaded for one tracepoint or function. */
static struct err *
set_target(struct kengine *k, const char *prog, uint8_t attach,
	   const char *target)
{
	uint32_t id;

	if (!abi_attach_is_typed(attach))
		return NULL;
	if (attach == ABI_ATTACH_TP_BTF)
		TRY(kengine_tracepoint_id(k, target, &id));
	else
		TRY(typedb_btf_id(k->e.in.types, TYPE_FUNC, target, &id));
	if (!id)
		return err_new(ERR_NOTFOUND, 0, "the kernel's types know no %s",
			       target);
	return kern_obj_set_btf(k->obj, prog, id, 0);
}

static struct err *
set_targets(struct kengine *k)
{
	const struct ebpf_link_prog *l = k->code->links;
	const struct ebpf_served *s = k->code->served;
	const struct engine_point *p = k->e.in.points;

	for (size_t i = 0; i < k->e.in.npoints; i++)
		if (s[i].is_first)
			TRY(set_target(k, s[i].prog, s[i].attach,
				       p[i].point->target));
	for (uint32_t i = 0; i < k->code->nlinks; i++)
		TRY(set_target(k, l[i].name, s[l[i].point].attach,
			       p[l[i].point].point->target));
	return NULL;
}

static struct err *
prepare(struct kengine *k)
{
	TRY(set_targets(k));
	TRY(kern_obj_set_map(k->obj, "dt_slots", k->code->cfg.slot_size,
			     k->ncpus * ABI_NSLOTS));
	TRY(kern_obj_need_map(k->obj, ".bss.ctl"));
	TRY(kern_obj_need_map(k->obj, "dt_drops"));
	TRY(kern_obj_set_map(k->obj, "dt_drops", 0, k->ncpus));
	TRY(kern_obj_set_initial(k->obj, ".rodata.cfg", &k->code->cfg));
	TRY(kengine_vtime_prepare(k));
	TRY(size_map(k, "dt_intervals",
		     BASE_MAX(k->nintervals, 1u) * k->ncpus));
	if (k->reads_cache)
		TRY(kern_obj_use_prog(k->obj, "dt_pages"));
	TRY(size_specs(k));
	TRY(kengine_unwind_size(k));
	TRY(kengine_flight_size(k));
	TRY(kengine_rows_size(k));
	TRY(size_links(k));
	TRY(size_threads(k));
	TRY(size_vars(k));
	return size_aggs(k);
}

/* --- After loading -------------------------------------------------------- */

static struct err *
find_aggs(struct kengine *k)
{
	uint32_t n = k->code->naggmaps;

	k->agg_fds = util_alloc((n + 1) * sizeof(*k->agg_fds));
	if (!k->agg_fds)
		return &err_nomem;
	for (uint32_t i = 0; i < n; i++)
		for (size_t gen = 0; gen < BASE_NELEMS(*k->agg_fds); gen++)
			k->agg_fds[i][gen] = kern_obj_map(k->obj,
				k->code->aggmaps[i].map[gen]);
	return n ? kern_barrier_open() : NULL;
}

static struct err *
fill_links(struct kengine *k)
{
	for (uint32_t i = 0; i < k->code->nlinks; i++) {
		const struct ebpf_link_prog *l = &k->code->links[i];
		int prog = kern_obj_prog(k->obj, l->name);
		assert(prog >= 0 && l->point < k->e.in.npoints);	/* 1 */
		TRY(kern_map_update(kern_obj_map(k->obj, l->map), &i,
				    &prog));
	}
	return NULL;
}

static struct err *
open_rings(struct kengine *k)
{
	char name[32];

	k->rings = util_zalloc(k->ncpus * sizeof(*k->rings));
	k->ring_fds = util_alloc(k->ncpus * sizeof(*k->ring_fds));
	if (!k->rings || !k->ring_fds)
		return &err_nomem;
	assert(k->e.buffer_size &&
	       !(k->e.buffer_size & (k->e.buffer_size - 1)));		/* 2 */
	for (uint32_t cpu = 0; cpu < k->ncpus; cpu++) {
		snprintf(name, sizeof(name), "dt_ring%u", cpu);
		k->ring_fds[cpu] = kern_obj_map(k->obj, name);
		if (k->ring_fds[cpu] >= 0)
			TRY(kern_ring_open(k->ring_fds[cpu], k->e.buffer_size,
					   &k->rings[cpu]));
	}
	return NULL;
}

static size_t
specs_size(const struct kengine *k)
{
	return base_align(nspec(k) * sizeof(struct abi_spec), 4096);
}

static struct err *
map_specs(struct kengine *k)
{
	void *p;

	if (!k->code->uses_spec || !nspec(k))
		return NULL;
	TRY(kern_map_mmap(kern_obj_map(k->obj, "dt_specs"), specs_size(k),
			  &p));
	k->shared.specs = p;
	return NULL;
}

static size_t
intervals_size(const struct kengine *k)
{
	return base_align((uint64_t)k->nintervals * k->ncpus *
			  sizeof(struct abi_interval), 4096);
}

static size_t
drops_size(const struct kengine *k)
{
	return base_align(k->ncpus * DROP_ROW * 8, 4096);
}

static size_t
agg_rows_size(const struct kengine *k)
{
	return base_align((uint64_t)k->code->agg_row * 2 * k->ncpus, 4096);
}

static struct err *
map_shared(struct kengine *k)
{
	void *p;
	int fd = kern_obj_map(k->obj, ".bss.ctl");
	int rows = kern_obj_map(k->obj, ".bss.agg");

	TRY(kern_map_mmap(fd, 4096, &p));
	k->e.ctl = p;
	TRY(kern_map_mmap(kern_obj_map(k->obj, "dt_drops"), drops_size(k),
			  &p));
	k->shared.drops = p;
	if (k->nintervals) {
		TRY(kern_map_mmap(kern_obj_map(k->obj, "dt_intervals"),
				  intervals_size(k), &p));
		k->shared.intervals = p;
	}
	if (rows >= 0) {	/* not when only ERROR adds, and nothing faults */
		TRY(kern_map_mmap(rows, agg_rows_size(k), &p));
		k->shared.agg_rows = p;
	}
	TRY(kengine_rows_map(k));
	return map_specs(k);
}

static struct err *
find_progs(struct kengine *k)
{
	for (size_t i = 0; i < k->e.in.npoints; i++) {
		k->points[i].prog = kern_obj_prog(k->obj,
						  k->code->served[i].prog);
		if (k->points[i].prog < 0)
			return err_new(ERR_VERIFY, 0, "program %s is missing",
				       k->code->served[i].prog);
	}
	return NULL;
}

/* A limit that the program meets is the compiler's to report. */
static struct err *
generate(struct kengine *k, const struct ebpf_input *in)
{
	const char *tag = k->e.in.limit_tag;
	struct err *e = ebpf_generate(k->e.in.a, in, &k->code), *tagged;

	if (!e || e->code != ERR_LIMIT || !tag)
		return e;
	tagged = err_new(ERR_LIMIT, 0, "[%s] %s", tag, e->text);
	err_free(e);
	return tagged;
}

/* For a program and map each, and for what is attached. */
static void
reserve_files(const struct kengine *k)
{
	size_t n = k->code->obj.nfuncs + k->code->obj.nmaps;

	for (uint32_t i = 0; i < k->e.in.npoints; i++)
		n += k->e.in.points[i].sites.n;
	files_reserve(n + 4 * k->ncpus);
}

/* System calls and what is attached to files come from threads that can be interrupted. */
static bool
fires_uninterrupted(const struct engine_point *p)
{
	switch (p->trigger) {
	case PROV_TRIGGER_RAWTP:
		return p->point->find != ABI_FIND_TABLE &&
		       !(p->sites.n && p->sites.v[0].site.file);
	case PROV_TRIGGER_PROFILE:
	case PROV_TRIGGER_INTERRUPT:
	case PROV_TRIGGER_EVENT:
		return true;
	default:
		return false;
	}
}

struct err *
kengine_load(struct kengine *k, const struct ebpf_input *in)
{
	TRY(generate(k, in));
	TRY(kengine_check_policy(k));
	reserve_files(k);
	const struct abi_obj *objs[] = { &k->code->obj, &bpfrt_object };
	TRY(kern_obj_open(objs, BASE_NELEMS(objs), &k->obj));
	TRY(prepare(k));
	TRY(kern_obj_make_maps(k->obj));
	TRY(kengine_unwind_open(k));
	TRY(kern_obj_load(k->obj, kengine_opt(k, OPT_DEBUG) > 0));
	if (BASE_ANY(i, k->e.in.npoints, fires_uninterrupted(&k->e.in.points[i])))
		kern_obj_warm(k->obj);
	if (kern_obj_turned(k->obj) && k->e.in.plan->strsize > KERN_TURNS_STRING)
		return err_new(ERR_UNSUPPORTED, 0, "strings of more than %d bytes "
			       "(-x strsize) need Linux 5.17 (bpf_loop)", KERN_TURNS_STRING);
	TRY(fill_links(k));
	TRY(find_aggs(k));
	TRY(open_rings(k));
	TRY(kengine_flight_open(k));
	TRY(map_shared(k));
	TRY(kengine_pages_find(k));
	return find_progs(k);
}

static void
unmap_shared(struct kengine *k)
{
	struct kengine_shared *sh = &k->shared;

	if (k->e.ctl)
		kern_unmap(k->e.ctl, 4096);
	if (sh->drops)
		kern_unmap(sh->drops, drops_size(k));
	if (sh->agg_rows)
		kern_unmap(sh->agg_rows, agg_rows_size(k));
	if (sh->intervals)
		kern_unmap(sh->intervals, intervals_size(k));
	if (sh->specs)
		kern_unmap(sh->specs, specs_size(k));
}

void
kengine_unload(struct kengine *k)
{
	for (unsigned cpu = 0; k->rings && cpu < k->ncpus; cpu++)
		kern_ring_close(k->rings[cpu]);
	kengine_flight_close(k);
	kengine_unwind_close(k);
	unmap_shared(k);
	kengine_rows_unmap(k);
	kern_obj_close(k->obj);
	util_free(k->rings);
	util_free(k->ring_fds);
	util_free(k->agg_fds);
}
