/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The kernel's side: generate, link, load, run by BPF_PROG_RUN, and read what
 * came into the ring of our CPU.
 */
#include <bpf/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "abi/ctl.h"
#include "abi/slot.h"
#include "bpfrt/bpfrt.h"
#include "depth.h"
#include "diff_priv.h"
#include "kern/map.h"
#include "kern/ring.h"
#include "typedb/typedb.h"

/* All offsets that the engine may need. */
static void
find_offsets(struct ebpf_kernel *k)
{
	static const struct { const char *tag, *path; } rows[] = {
#define KOFF(name, need, tag, path) { tag, path },
#include "abi/koff.def"
#undef KOFF
	};
	static struct ebpf_kernel found;
	static bool done;
	struct arena *a = done ? NULL : arena_new();
	struct typedb *db;
	uint32_t size;

	if (a) {
		diff_must(typedb_new(a, NULL, &db));
		/* No machine has all of them. */
		for (unsigned i = 0; i < BASE_NELEMS(rows); i++) {
			struct err *e = typedb_offset(db, rows[i].tag,
				rows[i].path, &found.off[i], &size);
			if (e)
				found.off[i] = UINT32_MAX;
			err_free(e);
		}
		typedb_free(db);
		arena_free(a);
		done = true;
	}
	*k = found;
}

static struct err *
size_maps(struct diff_kern *k)
{
	const struct diff *d = k->d;

	TRY(kern_obj_set_map(k->obj, "dt_slots", k->code->cfg.slot_size,
			     k->ncpus * ABI_NSLOTS));
	TRY(kern_obj_need_map(k->obj, ".bss.ctl"));
	TRY(kern_obj_need_map(k->obj, "dt_drops"));
	TRY(kern_obj_set_map(k->obj, "dt_drops", 0, k->ncpus));
	TRY(kern_obj_set_initial(k->obj, ".rodata.cfg", &k->code->cfg));
	if (k->code->uses_spec) {
		TRY(kern_obj_need_map(k->obj, "dt_specs"));
		TRY(kern_obj_need_map(k->obj, "dt_spec_used"));
		TRY(kern_obj_set_map(k->obj, "dt_specs", 0, NSPEC));
		TRY(kern_obj_set_map(k->obj, "dt_spec_used", 0,
				     NSPEC * k->ncpus));
	}
	if (k->code->nlinks)	/* all points here are of one kind */
		TRY(kern_obj_set_map(k->obj, k->code->links[0].map, 0,
				     k->code->nlinks));
	/* A variable or aggregation of another piece has no map. */
	for (uint32_t i = 0; i < k->code->ntables; i++)
		err_free(kern_obj_set_map(k->obj, k->code->tables[i].map, 0,
					  d->room * k->code->tables[i].nvars));
	for (uint32_t i = 0; i < k->code->naggmaps; i++)
		for (int gen = 0; gen < 2; gen++)
			err_free(kern_obj_set_map(k->obj,
				k->code->aggmaps[i].map[gen], 0,
				d->room * k->code->aggmaps[i].naggs));
	return NULL;
}

static void
note_size(struct diff *d, int prog)
{
	struct bpf_prog_info info = { 0 };
	uint32_t size = sizeof(info);

	if (!bpf_obj_get_info_by_fd(prog, &info, &size) &&
	    info.verified_insns > d->count.verified)
		d->count.verified = info.verified_insns;
}

static struct err *
fill_links(struct diff_kern *k)
{
	for (uint32_t i = 0; i < k->code->nlinks; i++) {
		int prog = kern_obj_prog(k->obj, k->code->links[i].name);
		note_size(k->d, prog);
		TRY(kern_map_update(kern_obj_map(k->obj,
						 k->code->links[i].map), &i,
				    &prog));
	}
	return NULL;
}

static struct err *
open_shared(struct diff_kern *k)
{
	char name[32];
	void *p;

	TRY(fill_links(k));
	for (uint32_t i = 0; i < k->d->npoints; i++) {
		k->progs[i] = kern_obj_prog(k->obj, k->code->served[i].prog);
		note_size(k->d, k->progs[i]);
	}
	snprintf(name, sizeof(name), "dt_ring%u", diff_cpu());
	int ring = kern_obj_map(k->obj, name);
	if (ring >= 0)
		TRY(kern_ring_open(ring, RING_SIZE, &k->ring));
	TRY(kern_map_mmap(kern_obj_map(k->obj, ".bss.ctl"), 4096, &p));
	k->ctl = p;
	k->ctl->wall_delta = DIFF_WALL_DELTA;
	k->ctl->kvars = diff_kvars;
	k->drops_size = base_align(k->ncpus * DROP_ROW * 8, 4096);
	TRY(kern_map_mmap(kern_obj_map(k->obj, "dt_drops"), k->drops_size, &p));
	k->drops = p;
	int rows = kern_obj_map(k->obj, ".bss.agg");
	if (!k->d->uses_rows || rows < 0)
		return NULL;
	k->rows_size = base_align((uint64_t)k->code->agg_row * 2 * k->ncpus,
				  4096);
	TRY(kern_map_mmap(rows, k->rows_size, &p));
	k->agg_rows = p;
	return NULL;
}

/* What loads here must load on kernels that count more strictly. */
static void
check_depth(struct diff *d)
{
	const char *way;
	unsigned depth = diff_depth_seen(&way);

	if (depth > DEPTH_MAX)
		diff_note(d, NULL, "stack of %u bytes: %s", depth, way);
}

struct err *
diff_kern_init(struct diff_kern *k, struct diff *d)
{
	struct ebpf_point pts[MAX_POINTS];
	static uint8_t rings[4096];

	*k = (struct diff_kern){ .d = d, .ncpus = kern_ncpus() };
	rings[diff_cpu()] = 1;
	for (uint32_t i = 0; i < d->npoints; i++) {
		struct diff_point *p = &d->points[i];
		pts[i] = (struct ebpf_point){ &p->point, p->probes, p->nprobes,
					      p->always };
	}
	struct ebpf_input in = {
		.plan = &d->plan, .points = pts, .npoints = d->npoints,
		.error = d->error, .ncpus = k->ncpus, .ring_cpus = rings,
		.ring_size = RING_SIZE, .scratch_size = d->scratch,
		.nspec = NSPEC, .specsize = SPECSIZE,
	};
	find_offsets(&in.kernel);
	TRY(ebpf_generate(d->a, &in, &k->code));
	const struct abi_obj *objs[] = { &k->code->obj, &bpfrt_object };
	TRY(kern_obj_open(objs, BASE_NELEMS(objs), &k->obj));
	TRY(size_maps(k));
	struct err *refused = kern_obj_load(k->obj,
					    getenv("DIFF_VERBOSE") != NULL);
	check_depth(d);
	TRY(refused);
	return open_shared(k);
}

void
diff_kern_fini(struct diff_kern *k)
{
	kern_ring_close(k->ring);
	if (k->ctl)
		kern_unmap(k->ctl, 4096);
	if (k->drops)
		kern_unmap(k->drops, k->drops_size);
	if (k->agg_rows)
		kern_unmap(k->agg_rows, k->rows_size);
	kern_obj_close(k->obj);
	diff_log_clear(&k->log);
	vec_fini(&k->log.events);
}

static uint64_t
now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

void
diff_kern_fire(struct diff_kern *k, const struct diff_args *args)
{
	const struct diff_point *pt;
	const struct plan_probe *probe = diff_probe(k->d, args->probe, &pt);
	uint64_t ctx[12] = { 0 };
	uint32_t ret;
	size_t size;
	const void *p;

	memcpy(ctx, args->v, sizeof(args->v));
	ctx[10] = args->v[9];
	ctx[11] = (uint64_t)(probe - pt->probes);
	k->ctl->state = ABI_STATE_ACTIVE;	/* even after exit() */
	k->before = now();
	diff_must(kern_prog_run(k->progs[pt - k->d->points], ctx, 12, &ret));
	k->after = now();
	while (k->ring && (p = kern_ring_next(k->ring, &size)))
		diff_log_add(&k->log, p, size);
	if (k->ring)
		kern_ring_release(k->ring);
}
