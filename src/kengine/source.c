/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The live kernel as a source of bytes for consume.
 *
 *  1. An aggregation's id is its place in the plan, from 1.
 *  2. Of two generations one is written to, but for what has yet to see the flip;
 *     the other is read behind a barrier.
 *  3. A speculation has an id from 1 to nspec.
 */
#include <assert.h>
#include <string.h>

#include "kengine/attach_priv.h"
#include "kengine/kengine_priv.h"
#include "kengine/parts_priv.h"
#include "kern/map.h"
#include "kern/ring.h"
#include "util/alloc.h"
#include "util/cleanup.h"

static const void *
next(void *ctx, unsigned cpu, size_t *size)
{
	struct kengine *k = ctx;

	if (k->flight)
		return kengine_flight_next(k, cpu, size);
	return k->rings[cpu] ? kern_ring_next(k->rings[cpu], size) : NULL;
}

static void
release(void *ctx, unsigned cpu)
{
	struct kengine *k = ctx;

	if (k->rings[cpu])
		kern_ring_release(k->rings[cpu]);
}

static uint64_t
drops(void *ctx, enum abi_drop kind, unsigned cpu)
{
	struct kengine *k = ctx;
	_Static_assert((int)ABI_NCOUNTS <= (int)DROP_ROW, "a row has all kinds");
	assert(kind < ABI_NDROPS && cpu < k->ncpus);
	uint64_t n = __atomic_load_n(&k->shared.drops[cpu * DROP_ROW + kind],
				     __ATOMIC_RELAXED);

	return kind == ABI_DROP_FIRING ? n + kengine_missed_last(k, cpu) : n;
}

static uint64_t
drops_total(void *ctx, enum abi_drop kind, unsigned cpu)
{
	struct kengine *k = ctx;
	/* Firings that the kernel itself skipped. */
	uint64_t n = kind == ABI_DROP_FIRING && cpu == 0 ? kengine_missed(k) : 0;

	if (abi_drop_per_cpu(kind))
		return drops(ctx, kind, cpu);
	for (unsigned i = 0; cpu == 0 && i < k->ncpus; i++)
		n += drops(ctx, kind, i);
	return n;
}

/* --- Aggregations --------------------------------------------------------- */

struct draining {
	struct kengine *k;
	struct consume *c;
	const struct ebpf_aggmap *map;
	void *key;		/* where one that is brief is made whole */
};

static struct err *
drain_piece(void *ctx, const void *key, const void *cells)
{
	struct draining *d = ctx;
	struct kengine *k = d->k;
	struct ebpf_piece p;

	if (!ebpf_find_piece(d->map, k->code->aggs, key, k->ncpus, &p))
		return NULL;
	assert(p.agg < k->e.in.plan->naggs);
	const struct abi_agg_desc *a = &k->e.in.plan->aggs[p.agg];
	assert(a->id == p.agg + 1 && a->nkeys);				/* 1 */
	assert(p.first < a->ncells);
	if (d->map->brief) {
		abi_brief_expand(a, key, d->key);
		key = d->key;
	}
	return consume_agg_add_piece(d->c, a->id, key, p.first,
				     abi_piece_cells(a), cells);
}

static uint32_t
longest_key(const struct kengine *k)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < k->e.in.plan->naggs; i++)
		n = BASE_MAX(n, k->e.in.plan->aggs[i].key_size);
	return n;
}

/* Those with keys, of generation gen. */
static struct err *
drain_maps(struct kengine *k, struct consume *c, uint32_t gen, bool last)
{
	struct err *(*drain)(int fd, uint32_t key_size, uint32_t value_size,
			     kern_map_fn *fn, void *ctx) =
		last ? kern_map_read : kern_map_drain;
	CLEANUP(util_freep) void *key = util_alloc(longest_key(k) + 1);
	struct draining d = { k, c, NULL, key };

	if (!key)
		return &err_nomem;
	for (uint32_t i = 0; i < k->code->naggmaps; i++) {
		d.map = &k->code->aggmaps[i];
		if (k->agg_fds[i][gen] < 0)	/* no code that runs adds there */
			continue;
		TRY(drain(k->agg_fds[i][gen], d.map->key_size + ABI_TAG_SIZE,
			  d.map->ncells * 8, drain_piece, &d));
	}
	return NULL;
}

/* The cells of an aggregation without keys, and the word that says that some
 * firing touched them; both are zeroed. */
static struct err *
drain_row(struct kengine *k, struct consume *c, const struct abi_agg_desc *d,
	  uint8_t *row)
{
	uint64_t *cells = (uint64_t *)(row + k->code->aggs[d->id - 1].offset);
	struct err *e = NULL;

	assert(k->code->aggs[d->id - 1].offset + (d->ncells + 1) * 8 <=
	       k->code->agg_row);
	if (cells[d->ncells]) {
		e = consume_agg_add(c, d->id, "", cells);
		memset(cells, 0, (d->ncells + 1) * 8);
	}
	return e;
}

/* Everything in generation gen.  last: nobody will write to it again. */
static struct err *
drain_gen(struct kengine *k, struct consume *c, uint32_t gen, bool last)
{
	for (uint32_t i = 0; i < k->e.in.plan->naggs; i++) {
		const struct abi_agg_desc *d = &k->e.in.plan->aggs[i];
		assert(d->id == i + 1);					/* 1 */
		for (unsigned cpu = 0; k->shared.agg_rows && !d->nkeys &&
				       cpu < k->ncpus; cpu++)
			TRY(drain_row(k, c, d, k->shared.agg_rows +
				(size_t)(gen * k->ncpus + cpu) *
				k->code->agg_row));
	}
	return drain_maps(k, c, gen, last);
}

/* After END nothing is aggregated any more, so elements need not be deleted;
 * instead each generation is looked at once. */
static struct err *
snapshot(void *ctx, struct consume *c)
{
	struct kengine *k = ctx;
	uint32_t old;

	if (!k->e.in.plan->naggs)
		return NULL;
	old = k->e.ctl->gen;
	assert(old <= 1);						/* 2 */
	__atomic_store_n(&k->e.ctl->gen, old ^ 1, __ATOMIC_RELEASE);
	/* Otherwise nobody can be writing. */
	if (k->e.state == ENGINE_STARTED && k->e.fired)
		TRY(kern_barrier());
	if (k->gen_done[old])
		return NULL;
	k->gen_done[old] = kengine_has_ended(k);
	return drain_gen(k, c, old, kengine_has_ended(k));
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
	const struct kengine *k = ctx;
	assert(id && id <= (uint32_t)kengine_opt(k, OPT_NSPEC));	/* 3 */
	const struct abi_spec *p = &k->shared.specs[id - 1];
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
	struct kengine *k = ctx;
	assert(id && id <= (uint32_t)kengine_opt(k, OPT_NSPEC));	/* 3 */
	struct abi_spec *p = &k->shared.specs[id - 1];

	p->lost = 0;
	__atomic_store_n(&p->word, ABI_SPEC_WORD((p->word >> 32) + 1, 0,
						 ABI_SPEC_IDLE),
			 __ATOMIC_RELEASE);
}

static void
spec_seen(void *ctx, uint32_t id)
{
	struct kengine *k = ctx;

	assert(id && id <= (uint32_t)kengine_opt(k, OPT_NSPEC));	/* 3 */
	__atomic_store_n(&k->shared.specs[id - 1].ahead, 0, __ATOMIC_RELAXED);
}

static uint64_t
now(void *ctx)
{
	return clock_ns();
}

struct consume_source
kengine_source(struct kengine *k)
{
	struct consume_source src = {
		.ctx = k, .ncpus = k->ncpus, .nrings = k->nrings,
		.next = next, .release = release,
		.snapshot = snapshot, .drops = drops_total, .now = now,
	};

	if (k->shared.specs) {
		src.nspec = (unsigned)kengine_opt(k, OPT_NSPEC);
		src.spec = spec;
		src.spec_free = spec_free;
		src.spec_seen = spec_seen;
	}
	return src;
}
