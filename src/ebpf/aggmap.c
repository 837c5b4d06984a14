/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which hashes the aggregations with keys have.
 *
 * An element is one piece of a value on one CPU (abi/agg.h).  Each aggregation has
 * a pair of hashes to itself, one for each generation, and one more pair if its
 * keys may be brief.  But a program of the kernel has room for 64 maps.  So with
 * more aggregations than that is enough for, those of one shape, that is size of
 * key and of piece, share a pair.  And where even shapes are too many, sizes are
 * rounded up to few, and nothing is brief.
 *
 *  1. Of the ways in `ways` the first is taken that needs no more maps than variables
 *     leave room for.  The last always fits: that is EBPF_AGG_MAPS at least.
 *  2. A piece's number, times the number of CPUs, fits a tag.
 *  3. A key and a piece of each aggregation fit its map.
 *  4. A piece of a map is of one aggregation.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "ebpf/ebpf_priv.h"

struct way {
	bool share, brief, round_up;
};

static const struct way ways[] = {
	{ .brief = true },
	{ .share = true, .brief = true },
	{ .share = true },
	{ .share = true, .round_up = true },
};

/* Bytes of keys, cells of pieces: what they are rounded up to; keys at last to the
 * longest there is. */
static const uint32_t key_steps[] = { 32, 256 };
enum { FEW_CELLS = 4 };
_Static_assert((BASE_NELEMS(key_steps) + 1) * 2 * 2 <= EBPF_AGG_MAPS,
	       "the last way fits");

static uint32_t
round_key(const struct ebpf *g, uint32_t size)
{
	uint32_t longest = 0;

	for (size_t i = 0; i < BASE_NELEMS(key_steps); i++)
		if (size <= key_steps[i])
			return key_steps[i];
	for (uint32_t i = 0; i < g->plan->naggs; i++)
		longest = BASE_MAX(longest, g->plan->aggs[i].key_size);
	return longest;
}

/* The place of aggregation number agg among the elements of a map of this shape. */
static struct ebpf_agg_place
add(struct ebpf *g, const struct way *w, struct ebpf_aggmap shape,
    uint32_t agg)
{
	struct ebpf_aggmap *m = g->aggmaps, *end = m + g->naggmaps;
	uint32_t pieces = abi_agg_pieces(&g->plan->aggs[agg]);

	while (m < end && (!w->share || m->key_size != shape.key_size ||
			   m->ncells != shape.ncells ||
			   m->brief != shape.brief))
		m++;
	if (m == end) {
		*m = shape;
		g->naggmaps++;
	}
	assert(pieces);
	struct ebpf_agg_place at = { (uint32_t)(m - g->aggmaps) + 1,
				     m->npieces };
	if (((uint64_t)m->npieces + pieces) * g->in->ncpus > UINT32_MAX)
		ebpf_limit(g, 0, "the histograms of the program have too many "
			   "buckets in all");
	m->npieces += pieces;
	m->naggs++;
	return at;
}

static void
place_agg(struct ebpf *g, const struct way *w, uint32_t i)
{
	const struct abi_agg_desc *d = &g->plan->aggs[i];
	uint32_t brief = w->brief ? abi_brief_size(d) : 0;
	struct ebpf_aggmap shape = {
		.key_size = d->key_size, .ncells = abi_piece_cells(d) };

	if (w->round_up) {
		shape.key_size = round_key(g, d->key_size);
		shape.ncells = shape.ncells <= FEW_CELLS ? FEW_CELLS
							 : ABI_PIECE;
	}
	assert(shape.key_size >= d->key_size &&
	       shape.ncells >= abi_piece_cells(d));			/* 3 */
	g->aggs[i].whole = add(g, w, shape, i);
	if (brief) {
		assert(brief < d->key_size);
		shape.key_size = brief;
		shape.brief = true;
		g->aggs[i].brief = add(g, w, shape, i);
	}
}

/* Whose a piece is, by its number. */
static void
list_pieces(struct ebpf *g, struct ebpf_aggmap *m, uint32_t index)
{
	uint32_t *aggs = EBPF_ARRAY(g, uint32_t, m->npieces);

	if (!aggs)
		return;
	for (uint32_t i = 0; i < g->plan->naggs; i++) {
		const struct ebpf_agg *a = &g->aggs[i];
		struct ebpf_agg_place at = m->brief ? a->brief : a->whole;
		uint32_t pieces = abi_agg_pieces(&g->plan->aggs[i]);
		assert(at.map != index + 1 ||
		       at.first + pieces <= m->npieces);		/* 4 */
		for (uint32_t k = 0; at.map == index + 1 && k < pieces; k++)
			aggs[at.first + k] = i;
	}
	m->aggs = aggs;
}

static void
finish_maps(struct ebpf *g)
{
	for (uint32_t i = 0; i < g->naggmaps && !g->err; i++) {
		struct ebpf_aggmap *m = &g->aggmaps[i];
		for (unsigned gen = 0; gen < BASE_NELEMS(m->map); gen++)
			snprintf(m->map[gen], sizeof(m->map[gen]),
				 "dt_agg%u_%u", (uint8_t)(i + 1), gen);
		list_pieces(g, m, i);
	}
}

void
ebpf_agg_maps(struct ebpf *g)
{
	uint32_t n = g->plan->naggs;
	uint32_t room = ebpf_maps_room(g) - ebpf_var_maps(g);
	size_t w = 0;

	assert(room <= INT32_MAX && room >= EBPF_AGG_MAPS);		/* 1 */
	g->aggs = EBPF_ARRAY(g, struct ebpf_agg, n);
	g->aggmaps = EBPF_ARRAY(g, struct ebpf_aggmap, 2 * n + 1);
	if (!g->aggs || !g->aggmaps)
		return;
	do {
		assert(w < BASE_NELEMS(ways));				/* 1 */
		g->naggmaps = 0;
		memset(g->aggs, 0, n * sizeof(*g->aggs));
		for (uint32_t i = 0; i < n; i++)
			if (g->plan->aggs[i].nkeys)
				place_agg(g, &ways[w], i);
		w++;
	} while (2 * g->naggmaps > room);
	assert(g->naggmaps <= 2 * n);
	finish_maps(g);
}

bool
ebpf_find_piece(const struct ebpf_aggmap *m, const struct ebpf_agg *aggs,
		const void *key, uint32_t ncpus, struct ebpf_piece *ret)
{
	uint32_t tag, n;

	memcpy(&tag, (const char *)key + m->key_size, sizeof(tag));
	n = ABI_TAG_PIECE(tag, ncpus);
	if (n >= m->npieces)
		return false;
	const struct ebpf_agg *a = &aggs[m->aggs[n]];
	assert(n >= (m->brief ? a->brief : a->whole).first);		/* 4 */
	ret->agg = m->aggs[n];
	ret->first = (n - (m->brief ? a->brief : a->whole).first) * ABI_PIECE;
	return true;
}
