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

	if (kind == ABI_DROP_FIRING)
		n += session_missed_last(s, cpu);
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
	const struct ebpf_aggmap *map;
	void *key;		/* where one that is brief is made whole */
};

static struct err *
drain_piece(void *ctx, const void *key, const void *cells)
{
	struct draining *d = ctx;
	struct session *s = d->s;
	struct ebpf_piece p;

	if (!ebpf_find_piece(d->map, s->code->aggs, key, s->ncpus, &p))
		return NULL;
	const struct abi_agg_desc *a = &s->plan->aggs[p.agg];
	if (d->map->brief) {
		abi_brief_expand(a, key, d->key);
		key = d->key;
	}
	return consume_agg_add_piece(d->c, a->id, key, p.first,
				     abi_piece_cells(a), cells);
}

static uint32_t
longest_key(const struct session *s)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->plan->naggs; i++)
		n = BASE_MAX(n, s->plan->aggs[i].key_size);
	return n;
}

/* Those with keys, of generation gen. */
static struct err *
drain_maps(struct session *s, struct consume *c, uint32_t gen, bool last)
{
	struct err *(*drain)(int fd, uint32_t key_size, uint32_t value_size,
			     kern_map_fn *fn, void *ctx) =
		last ? kern_map_read : kern_map_drain;
	CLEANUP(util_freep) void *key = util_alloc(longest_key(s) + 1);
	struct draining d = { s, c, NULL, key };

	if (!key)
		return &err_nomem;
	for (uint32_t i = 0; i < s->code->naggmaps; i++) {
		d.map = &s->code->aggmaps[i];
		if (s->agg_fds[i][gen] < 0)	/* no code that runs adds there */
			continue;
		TRY(drain(s->agg_fds[i][gen], d.map->key_size + ABI_TAG_SIZE,
			  d.map->ncells * 8, drain_piece, &d));
	}
	return NULL;
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
		for (unsigned cpu = 0; s->agg_rows && !d->nkeys &&
				       cpu < s->ncpus; cpu++)
			TRY(drain_row(s, c, d, s->agg_rows +
				(size_t)(gen * s->ncpus + cpu) *
				s->code->agg_row));
	}
	return drain_maps(s, c, gen, last);
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
		[ABI_SPEC_ENDING] = CONSUME_SPEC_OPEN,
		[ABI_SPEC_COMMITTED] = CONSUME_SPEC_COMMITTED,
		[ABI_SPEC_DISCARDED] = CONSUME_SPEC_DISCARDED,
	};
	const struct session *s = ctx;
	const struct abi_spec *p = &s->specs[id - 1];
	uint64_t word = __atomic_load_n(&p->word, __ATOMIC_ACQUIRE);

	return (struct consume_spec){
		states[ABI_SPEC_STATE(word) % BASE_NELEMS(states)],
		(uint32_t)(word >> 32),
		__atomic_load_n(&p->lost, __ATOMIC_ACQUIRE) };
}

/* Nobody else changes the word of one that was left to us. */
static void
spec_free(void *ctx, uint32_t id)
{
	struct session *s = ctx;
	struct abi_spec *p = &s->specs[id - 1];

	p->lost = 0;
	__atomic_store_n(&p->word, ABI_SPEC_WORD((p->word >> 32) + 1, 0,
						 ABI_SPEC_IDLE),
			 __ATOMIC_RELEASE);
}

static void
spec_seen(void *ctx, uint32_t id)
{
	struct session *s = ctx;

	__atomic_store_n(&s->specs[id - 1].ahead, 0, __ATOMIC_RELAXED);
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
		s->source.spec_seen = spec_seen;
	}
	s->meta = (struct consume_meta){
		.epid = meta_epid, .probe = meta_probe, .agg = meta_agg,
		.file = meta_file, .whole = meta_whole,
		.naggs = s->plan->naggs, .ctx = s,
		.strsize = (uint32_t)s->opts.v[OPT_STRSIZE],
	};
	return consume_new(&s->source, &s->meta, &s->consume);
}
