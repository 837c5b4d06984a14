/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The live kernel as a source of bytes for consume.
 */
#include <string.h>

#include "session/session_priv.h"
#include "util/alloc.h"
#include "util/cleanup.h"

static const void *
next(void *ctx, unsigned cpu, size_t *size)
{
	struct session *s = ctx;

	if (s->flight)
		return session_flight_next(s, cpu, size);
	return s->rings[cpu] ? kern_ring_next(s->rings[cpu], size) : NULL;
}

static void
release(void *ctx, unsigned cpu)
{
	struct session *s = ctx;

	if (s->rings[cpu])
		kern_ring_release(s->rings[cpu]);
}

static uint64_t
drops(void *ctx, enum abi_drop kind, unsigned cpu)
{
	struct session *s = ctx;
	uint64_t n = __atomic_load_n(&s->drops[cpu * DROP_ROW + kind],
				     __ATOMIC_RELAXED);

	/* Firings that the kernel itself skipped. */
	if (kind == ABI_DROP_FIRING && cpu == 0)
		for (size_t i = 0; i < s->points.n; i++)
			n += kern_prog_misses(s->points.v[i].prog);
	return n;
}

static uint64_t
drops_total(void *ctx, enum abi_drop kind, unsigned cpu)
{
	struct session *s = ctx;
	uint64_t n = 0;

	if (abi_drop_per_cpu(kind))
		return drops(ctx, kind, cpu);
	for (unsigned i = 0; cpu == 0 && i < s->ncpus; i++)
		n += drops(ctx, kind, i);
	return n;
}

/* --- Aggregations --------------------------------------------------------- */

struct draining {
	struct session *s;
	struct consume *c;
	const struct abi_agg_desc *desc;
	void *key;		/* where one that is brief is made whole */
};

static struct err *
drain_one(void *ctx, const void *key, const void *values)
{
	struct draining *d = ctx;
	const uint64_t *cells = values;
	unsigned n = ABI_AGG_PERCPU(d->desc) ? d->s->ncpus : 1;

	for (unsigned cpu = 0; cpu < n; cpu++)
		TRY(consume_agg_add(d->c, d->desc->id, key,
				    cells + (size_t)cpu * d->desc->ncells));
	return NULL;
}

static struct err *
drain_brief(void *ctx, const void *key, const void *values)
{
	struct draining *d = ctx;

	abi_brief_expand(d->desc, key, d->key);
	return drain_one(ctx, d->key, values);
}

/* One with keys, of generation gen. */
static struct err *
drain_keyed(struct draining *d, uint32_t gen, bool last)
{
	struct err *(*drain)(int fd, uint32_t key_size, uint32_t value_size,
			     bool percpu, kern_map_fn *fn, void *ctx) =
		last ? kern_map_read : kern_map_drain;
	const struct abi_agg_desc *a = d->desc;
	const int *fds = d->s->agg_fds[a->id - 1];
	uint32_t brief = d->s->code->aggs[a->id - 1].brief_size;
	uint32_t cells = a->ncells * 8;

	if (fds[gen] < 0)	/* no code that runs adds there */
		return NULL;
	TRY(drain(fds[gen], a->key_size, cells, ABI_AGG_PERCPU(a), drain_one,
		  d));
	if (!brief)
		return NULL;
	CLEANUP(util_freep) void *key = d->key = util_alloc(a->key_size);
	if (!key)
		return &err_nomem;
	return drain(fds[2 + gen], brief, cells, ABI_AGG_PERCPU(a), drain_brief,
		     d);
}

/* The cells of an aggregation without keys, and the word that says that some
 * firing touched them; both are zeroed. */
static struct err *
drain_row(struct session *s, struct consume *c, const struct abi_agg_desc *d,
	  uint8_t *row)
{
	uint64_t *cells = (uint64_t *)(row + s->code->aggs[d->id - 1].offset);
	struct err *e = NULL;

	if (cells[d->ncells]) {
		e = consume_agg_add(c, d->id, "", cells);
		memset(cells, 0, (d->ncells + 1) * 8);
	}
	return e;
}

/* Everything in generation gen.  last: nobody will write to it again. */
static struct err *
drain_gen(struct session *s, struct consume *c, uint32_t gen, bool last)
{
	for (uint32_t i = 0; i < s->plan->naggs; i++) {
		const struct abi_agg_desc *d = &s->plan->aggs[i];
		struct draining dr = { s, c, d, NULL };
		if (d->nkeys) {
			TRY(drain_keyed(&dr, gen, last));
			continue;
		}
		for (unsigned cpu = 0; s->agg_rows && cpu < s->ncpus; cpu++)
			TRY(drain_row(s, c, d, s->agg_rows +
				(size_t)(gen * s->ncpus + cpu) *
				s->code->agg_row));
	}
	return NULL;
}

/* After END nothing is aggregated any more, so elements need not be deleted;
 * instead each generation is looked at once. */
static struct err *
snapshot(void *ctx, struct consume *c)
{
	struct session *s = ctx;
	uint32_t old;

	if (!s->plan->naggs)
		return NULL;
	old = s->ctl->gen;
	__atomic_store_n(&s->ctl->gen, old ^ 1, __ATOMIC_RELEASE);
	if (s->running && s->fired)	/* else nobody can be writing */
		TRY(kern_barrier());
	if (s->gen_done[old])
		return NULL;
	s->gen_done[old] = s->ended;
	return drain_gen(s, c, old, s->ended);
}

/* --- Speculations --------------------------------------------------------- */

static struct consume_spec
spec(void *ctx, uint32_t id)
{
	static const enum consume_spec_state states[] = {
		[ABI_SPEC_IDLE] = CONSUME_SPEC_OPEN,
		[ABI_SPEC_ACTIVE] = CONSUME_SPEC_OPEN,
		[ABI_SPEC_COMMITTED] = CONSUME_SPEC_COMMITTED,
		[ABI_SPEC_DISCARDED] = CONSUME_SPEC_DISCARDED,
	};
	const struct session *s = ctx;
	const struct abi_spec *p = &s->specs[id - 1];
	uint64_t word = __atomic_load_n(&p->word, __ATOMIC_ACQUIRE);

	return (struct consume_spec){
		states[ABI_SPEC_STATE(word) & 3],
		__atomic_load_n(&p->lost, __ATOMIC_ACQUIRE) };
}

static void
spec_free(void *ctx, uint32_t id)
{
	struct session *s = ctx;
	struct abi_spec *p = &s->specs[id - 1];
	uint32_t nspec = (uint32_t)s->opts.v[OPT_NSPEC];

	for (unsigned cpu = 0; cpu < s->ncpus; cpu++)
		__atomic_store_n(&s->spec_used[cpu * nspec + id - 1], 0,
				 __ATOMIC_RELAXED);
	p->lost = 0;
	__atomic_store_n(&p->word, ABI_SPEC_WORD((p->word >> 32) + 1,
						 ABI_SPEC_IDLE),
			 __ATOMIC_RELEASE);
}

static uint64_t
now(void *ctx)
{
	return clock_ns();
}

/* --- Metadata ------------------------------------------------------------- */

static const struct consume_epid *
meta_epid(void *ctx, uint32_t epid)
{
	struct session *s = ctx;

	return epid && epid <= s->code->nepids ? &s->epids[epid - 1] : NULL;
}

static const struct consume_probe *
meta_probe(void *ctx, uint32_t id)
{
	struct session *s = ctx;

	return id && id <= s->nprobes && s->probes[id].id ? &s->probes[id]
							  : NULL;
}

static const struct abi_agg_desc *
meta_agg(void *ctx, uint32_t id)
{
	struct session *s = ctx;

	return id && id <= s->plan->naggs ? &s->plan->aggs[id - 1] : NULL;
}

static const char *
meta_file(void *ctx, uint32_t no)
{
	struct session *s = ctx;

	return no && no <= s->plan->nfiles ? s->plan->files[no - 1] : NULL;
}

static uint64_t
meta_whole(void *ctx, enum abi_field_kind kind, int64_t pid, uint64_t addr)
{
	struct session *s = ctx;
	struct sym_place p;

	if (kind == ABI_FIELD_USYM || kind == ABI_FIELD_UMOD)
		sym_names_user(s->sym_names, (int)pid, addr, &p);
	else
		sym_names_kernel(s->sym_names, addr, &p);
	return kind == ABI_FIELD_MOD || kind == ABI_FIELD_UMOD
	       ? p.module_start : addr - p.offset;
}

static struct err *
fill_meta(struct session *s)
{
	uint32_t n = s->code->nepids;

	s->nprobes = prov_nprobes(s->prov);
	s->epids = util_zalloc((n + 1) * sizeof(*s->epids));
	s->probes = util_zalloc((s->nprobes + 1) * sizeof(*s->probes));
	if (!s->epids || !s->probes)
		return &err_nomem;
	for (uint32_t i = 0; i < n; i++) {
		const struct ebpf_epid *e = &s->code->epids[i];
		const struct probe *p = prov_by_id(s->prov, e->probe);
		s->epids[i] = (struct consume_epid){
			.probe = e->probe,
			.desc = &s->plan->clauses[e->clause].desc };
		if (p && p->id <= s->nprobes)
			s->probes[p->id] = (struct consume_probe){
				p->id, p->prov, p->mod, p->func, p->name };
	}
	return NULL;
}

struct err *
session_source_init(struct session *s)
{
	TRY(fill_meta(s));
	s->source = (struct consume_source){
		.ctx = s, .ncpus = s->ncpus, .nrings = s->nrings,
		.next = next, .release = release,
		.snapshot = snapshot, .drops = drops_total, .now = now,
	};
	if (s->specs) {
		s->source.nspec = (unsigned)s->opts.v[OPT_NSPEC];
		s->source.spec = spec;
		s->source.spec_free = spec_free;
	}
	s->meta = (struct consume_meta){
		.epid = meta_epid, .probe = meta_probe, .agg = meta_agg,
		.file = meta_file, .whole = meta_whole,
		.naggs = s->plan->naggs, .ctx = s,
		.strsize = (uint32_t)s->opts.v[OPT_STRSIZE],
	};
	return consume_new(&s->source, &s->meta, &s->consume);
}
