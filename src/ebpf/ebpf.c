/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The order of generation: sizes that depend on the plan alone come first
 * (layout of slots), then clauses, which gather what programs must provide
 * (time, arguments, a slot ...), then dt_fault, then the programs, then the
 * object.
 *
 *  1. The areas of a slot follow one another, each at a multiple of 8.
 *  2. Every probe has a number, ERROR the last.
 *  3. Every EPID that was counted is given.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "abi/slot.h"
#include "abi/mapped.h"
#include "base/base.h"
#include "ebpf/ebpf_priv.h"

/* A number in base 2 with its sign or prefix. */
enum { NUMBER_TEXT = 72 };

static uint32_t
string_stride(const struct ebpf *g)
{
	return (g->plan->strsize + 15) & ~7u;
}

/* --- Sizes ---------------------------------------------------------------- */

/* Bytes.  The kernel takes no value of a map that is much larger than a few
 * megabytes, and with these bounds no sum of sizes below leaves 32 bits.
 * Clause-locals are cleared by an instruction for each 8, in every firing. */
enum { VALUE_MAX = 1 << 20, LOCALS_MAX = 128 << 10, GLOBALS_MAX = 64 << 20,
       CELLS_MAX = 4 << 20 };

/* An error when size is more than max. */
static struct err *
check_size(const char *what, const char *name, uint64_t size, uint64_t max)
{
	if (size <= max)
		return NULL;
	return err_new(ERR_LIMIT, 0, "%s%s: %llu bytes are more than the %llu "
		       "there can be", what, name, (unsigned long long)size,
		       (unsigned long long)max);
}

static struct err *
check_vars(const struct plan_prog *p, struct ebpf_part *part)
{
	uint64_t sums[3] = { 0 };	/* by scope */

	for (uint32_t i = 0; i < p->nvars; i++) {
		const struct plan_var *v = &p->vars[i];
		assert(v->scope < BASE_NELEMS(sums) && v->key_size % 8 == 0);
		*part = (struct ebpf_part){ EBPF_VAR, i };
		TRY(check_size("variable ", v->name, v->type.size, VALUE_MAX));
		TRY(check_size("key of variable ", v->name, v->key_size,
			       VALUE_MAX));
		sums[v->scope] += base_align(v->type.size, 8) + 8;
	}
	part->n = p->nvars;
	TRY(check_size("clause-local variables", "", sums[DIF_VS_LOCAL],
		       LOCALS_MAX));
	return check_size("global variables", "", sums[DIF_VS_GLOBAL],
			  GLOBALS_MAX);
}

static struct err *
check_aggs(const struct plan_prog *p, struct ebpf_part *part)
{
	for (uint32_t i = 0; i < p->naggs; i++) {
		const struct abi_agg_desc *d = &p->aggs[i];
		*part = (struct ebpf_part){ EBPF_AGG, i };
		TRY(check_size("key of aggregation @", d->name, d->key_size,
			       VALUE_MAX));
		TRY(check_size("value of aggregation @", d->name,
			       (uint64_t)d->ncells * 8, CELLS_MAX));
	}
	return NULL;
}

struct err *
ebpf_check_sizes(const struct plan_prog *p, struct ebpf_part *part)
{
	*part = (struct ebpf_part){ EBPF_VAR, 0 };
	TRY(check_vars(p, part));
	TRY(check_aggs(p, part));
	for (uint32_t i = 0; i < p->nclauses; i++) {
		*part = (struct ebpf_part){ EBPF_CLAUSE, i };
		TRY(check_size("record of a clause", "",
			       p->clauses[i].desc.record_size, VALUE_MAX));
	}
	return NULL;
}

/* The largest of each: records, those that are logs, entries of these. */
static void
measure_record(const struct abi_clause_desc *d, uint32_t *record,
	       uint32_t *log, uint32_t *entry)
{
	if (!d->is_log) {
		*record = BASE_MAX(*record, d->record_size);
		return;
	}
	*log = BASE_MAX(*log, d->record_size);
	for (uint32_t i = 0; i < d->nactions; i++)
		*entry = BASE_MAX(*entry, abi_entry_size(d, i));
}

static void
check_layout(const struct ebpf_layout *l)
{
	const uint32_t at[] = {
		l->state, l->locals, l->scratch, l->cells, l->varkey, l->value,
		l->aggkey, l->brief, l->operands, l->record, l->entry, l->comm,
		l->tmp, l->temps,
	};

	for (size_t i = 0; i < BASE_NELEMS(at); i++) {
		assert(at[i] % 8 == 0);					/* 1 */
		assert(!i || at[i - 1] <= at[i]);			/* 1 */
	}
}

/* The areas of a slot in order. */
static void
layout(struct ebpf *g)
{
	struct ebpf_layout *l = &g->lay;
	uint32_t varkey, aggkey = 0, record = sizeof(struct abi_record), value;
	uint32_t brief = 0;
	uint32_t log = 0, entry = 0;

	l->state = sizeof(struct abi_slot);
	l->locals = l->state + FS_SIZE;
	ebpf_vars_layout(g);
	varkey = (uint32_t)base_align(l->varkey, 8);
	value = (uint32_t)base_align(l->value, 8);
	for (uint32_t i = 0; i < g->naggmaps; i++) {
		const struct ebpf_aggmap *m = &g->aggmaps[i];
		uint32_t *most = m->brief ? &brief : &aggkey;
		*most = BASE_MAX(*most, m->key_size + ABI_TAG_SIZE);
	}
	for (uint32_t i = 0; i < g->plan->nclauses; i++)
		measure_record(&g->plan->clauses[i].desc, &record, &log,
			       &entry);
	l->scratch = l->locals + l->locals_size;
	l->scratch_size = g->in->scratch_size;
	l->cells = l->scratch + (uint32_t)base_align(l->scratch_size, 8);
	l->varkey = l->cells + DIF_NTUPLE * 8;
	l->value = l->varkey + varkey;
	l->aggkey = l->value + value + 8;
	l->brief = l->aggkey + (uint32_t)base_align(aggkey, 8);
	l->operands = l->brief + (uint32_t)base_align(brief, 8);
	l->record = l->operands + 16;
	l->entry = l->record + BASE_MAX(record, log);
	l->comm = l->entry + entry;
	l->tmp = l->comm + 16;
	l->temps = l->tmp + BASE_MAX(2 * string_stride(g), NUMBER_TEXT);
	if (ebpf_needs(g->in) & EBPF_NEED_TOKENS) {
		l->token = l->temps;
		l->temps += 8 + string_stride(g);
	}
	if (ebpf_needs(g->in) & EBPF_NEED_JSON) {
		l->json = l->temps;
		l->temps += 8 + (uint32_t)base_align(g->plan->strsize, 64) / 8;
	}
	if (ebpf_needs(g->in) & EBPF_NEED_TEXT) {
		l->stacks = l->temps;
		l->temps += sizeof(struct abi_stacks);
	}
	if (ebpf_needs(g->in) & EBPF_NEED_USTACK) {
		l->window = l->temps;
		l->temps += ABI_WINDOW + 8;
		if (g->in->unwinds)
			l->temps += ABI_UNWIND_LATE *
					    sizeof(struct abi_unwind_late) +
				    ABI_UNWIND_NEAR *
					    sizeof(struct abi_unwind_near);
	}
	g->zeros_size = BASE_MAX(BASE_MAX(record, entry),
				 BASE_MAX(value, varkey));
	check_layout(l);
}

static uint32_t
slot_size(const struct ebpf *g)
{
	uint32_t natural = g->lay.temps + g->temps_max + 8;
	/* Runtime functions check offsets against the size less the largest
	 * thing they may write there. */
	uint32_t slack = g->lay.scratch + g->lay.scratch_size +
		(g->lay.scratch_size > ABI_STRSIZE_MAX ? g->lay.scratch_size
						       : ABI_STRSIZE_MAX) + 64;

	return (uint32_t)base_align(natural > slack ? natural : slack, 64);
}

/* Zeros, to insert new keys and to clear large areas. */
static void
write_zeros(struct ebpf *g)
{
	uint32_t n = g->zeros_size;

	for (uint32_t i = 0; i < g->naggmaps; i++)
		n = BASE_MAX(n, BASE_MAX(g->aggmaps[i].key_size,
					 g->aggmaps[i].ncells * 8));
	n = (uint32_t)base_align(n + 8, 8);
	if (!vec_reserve(&g->strs, n)) {
		ebpf_fail(g, &err_nomem);
		return;
	}
	g->zeros = (uint32_t)g->strs.n;
	memset(g->strs.v + g->strs.n, 0, n);
	g->strs.n += n;
	g->zeros_size = n;
}

static bool
has_rows(const struct ebpf_input *in)
{
	return BASE_ANY(i, in->npoints,
			in->points[i].point->find == ABI_FIND_COOKIE);
}

/* All probes in order, and room for the offsets of their names. */
static void
number_probes(struct ebpf *g)
{
	uint32_t n = 1;

	g->has_rows = has_rows(g->in);
	for (uint32_t i = 0; i < g->in->npoints; i++)
		n += g->in->points[i].nprobes;
	g->probes = EBPF_ARRAY(g, const struct plan_probe *, n);
	g->first_pno = EBPF_ARRAY(g, uint32_t, g->in->npoints);
	if (!g->probes || !g->first_pno || !vec_reserve(&g->strs, n * 16)) {
		ebpf_fail(g, &err_nomem);
		return;
	}
	for (uint32_t i = 0; i < g->in->npoints; i++) {
		g->first_pno[i] = g->nprobes;
		for (uint32_t k = 0; k < g->in->points[i].nprobes; k++)
			g->probes[g->nprobes++] = &g->in->points[i].probes[k];
	}
	g->probes[g->nprobes++] = &g->in->error;
	assert(g->nprobes == n);					/* 2 */
	g->names = (uint32_t)g->strs.n;
	memset(g->strs.v + g->strs.n, 0, n * 16);
	g->strs.n += n * 16;
}

static void
write_names(struct ebpf *g)
{
	for (uint32_t i = 0; i < g->nprobes && !g->err; i++)
		for (int k = 0; k < 4; k++) {
			const char *s = g->probes[i]->part[k];
			uint32_t off = s ? ebpf_str(g, s, strlen(s) + 1)
					 : g->zeros;
			if (!g->err)
				memcpy(g->strs.v + g->names + i * 16 + k * 4,
				       &off, 4);
		}
}

_Static_assert((EBPF_MAPS_MAX - EBPF_OTHER_MAPS - EBPF_RINGS_MAX + 1) / 2 >=
	       EBPF_VAR_MAPS, "half is for variables");
_Static_assert((EBPF_MAPS_MAX - EBPF_OTHER_MAPS - EBPF_RINGS_MAX) / 2 >=
	       EBPF_AGG_MAPS, "and half for aggregations");

uint32_t
ebpf_maps_room(const struct ebpf *g)
{
	uint32_t rings = g->in->nrings ? g->in->nrings : g->in->ncpus;

	return EBPF_MAPS_MAX - EBPF_OTHER_MAPS -
	       BASE_MIN(rings, (uint32_t)EBPF_RINGS_MAX);
}

/* Those without keys. */
static void
layout_rows(struct ebpf *g)
{
	uint32_t row = 0;

	for (uint32_t i = 0; i < g->plan->naggs; i++) {
		const struct abi_agg_desc *d = &g->plan->aggs[i];
		assert(d->id == i + 1);
		if (d->nkeys)
			continue;
		g->aggs[i].offset = row;
		row += (d->ncells + 1) * 8;
	}
	g->agg_row = row ? (uint32_t)base_align(row, 64) : 0;
}

static void
generate(struct ebpf *g, struct ebpf_object *o)
{
	g->clauses = EBPF_ARRAY(g, struct ebpf_chunk, g->plan->nclauses);
	if (!g->clauses)
		return;
	ebpf_thread_begin(g);
	for (uint32_t i = 0; i < g->plan->nclauses && !g->err; i++)
		ebpf_clause(g, i);
	if (!g->err)
		ebpf_epids(g);
	if (g->use.fault && !g->err)
		ebpf_error_func(g);
	if (!g->err)
		o->served = ebpf_programs(g);
	if (!g->err)
		ebpf_ring_funcs(g);
	ebpf_hash_funcs(g);
	ebpf_thread_end(g);
	if (g->need_names && !g->has_rows)
		write_names(g);
}

static void
finish(struct ebpf *g, struct ebpf_object *o)
{
	uint32_t n = g->plan->nclauses;

	assert(!n || g->next_epid[n - 1] == g->nepids + 1);		/* 3 */
	assert(g->lay.temps + g->temps_max < slot_size(g));
	o->cfg = (struct abi_cfg){
		.strsize = g->plan->strsize, .slot_size = slot_size(g),
		.record_off = g->lay.record,
		.scratch_off = g->lay.scratch,
		.scratch_size = g->lay.scratch_size,
		.tmp_off = g->lay.tmp, .token_off = g->lay.token,
		.json_off = g->lay.json, .stacks_off = g->lay.stacks,
		.window_off = g->lay.window,
		.ncpus = g->in->ncpus,
		.flight_size = g->in->ring_size,
		.nspec = g->in->nspec, .specsize = g->in->specsize,
	};
	memcpy(o->cfg.symbol, "%ps", sizeof(o->cfg.symbol));
	o->cfg.preempt_off = g->in->kernel.preempt_off;
	o->cfg.preempt_shift = g->in->kernel.preempt_shift;
	o->cfg.active_off = g->in->kernel.active_off;
	o->cfg.page_shift = g->in->page_shift;
	memcpy(o->cfg.koff, g->in->kernel.off, sizeof(o->cfg.koff));
	o->has_rows = g->has_rows;
	o->has_names = g->has_rows && g->need_names;
	o->nnames = g->nprobes;
	o->epids = g->epids;
	o->nepids = g->nepids;
	o->links = arena_memdup(g->a, g->links.v,
				g->links.n * sizeof(*g->links.v));
	o->nlinks = (uint32_t)g->links.n;
	o->aggs = g->aggs;
	o->aggmaps = g->aggmaps;
	o->naggmaps = g->naggmaps;
	o->agg_row = g->agg_row;
	o->tables = g->tables;
	o->ntables = g->ntables;
	o->nfronts = ebpf_fronts(g);
	o->frees = arena_memdup(g->a, g->frees.v,
				g->frees.n * sizeof(*g->frees.v));
	o->nfrees = (uint32_t)g->frees.n;
	o->uses_rings = g->use.rings || g->use.fault;
	o->uses_vtime = g->use.vtime;
	o->uses_spec = g->uses_spec;
	o->uses_kvars = g->uses_kvars;
	if (!o->links || !o->frees)
		ebpf_fail(g, &err_nomem);
}

static void
fini(struct ebpf *g)
{
	for (int i = 0; i < SEC_NCODE; i++) {
		vec_fini(&g->code[i].insns);
		vec_fini(&g->code[i].relocs);
	}
	vec_fini(&g->chunks.insns);
	vec_fini(&g->chunks.relocs);
	vec_fini(&g->syms);
	vec_fini(&g->strs);
	vec_fini(&g->table);
	vec_fini(&g->links);
	vec_fini(&g->hash_funcs);
	vec_fini(&g->frees);
}

struct err *
ebpf_generate(struct arena *a, const struct ebpf_input *in,
	      struct ebpf_object **ret)
{
	struct ebpf g = { .a = a, .in = in, .plan = in->plan };
	struct ebpf_object *o = ARENA_NEW(a, struct ebpf_object);

	if (!o)
		return &err_nomem;
	number_probes(&g);
	if (!g.err)
		g.err = ebpf_check_sizes(g.plan, &(struct ebpf_part){ 0 });
	if (!g.err)
		ebpf_self_layout(&g);
	if (!g.err)
		ebpf_tables(&g);
	if (!g.err)
		ebpf_agg_maps(&g);
	if (!g.err) {
		layout(&g);
		write_zeros(&g);
		layout_rows(&g);
	}
	if (!g.err)
		generate(&g, o);
	if (!g.err)
		finish(&g, o);
	if (!g.err)
		ebpf_finish(&g, &o->obj);
	fini(&g);
	if (!g.err)
		*ret = o;
	return g.err;
}
