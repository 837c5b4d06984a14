/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Speculations.  Their records come through the rings like all others, each
 * with the tag of its speculation, and wait here until its end is known.
 *
 *  1. A commit has a record of its own, which stands in the ring where commit()
 *     was called.  When its turn comes, so does that of all records that wait
 *     for it.  If the ring had no room for it, the speculation itself says when
 *     it was committed.  A discard needs no record.
 *  2. A firing on another CPU may still be writing when the speculation ends,
 *     if its speculate() came before.  What it writes comes late: it is handed
 *     on at once, or is not wanted.
 *  3. When the end of a speculation has been handed on, its id may be used
 *     again, for its next generation.  How the last FATES generations ended is
 *     remembered, so that what comes late is known for what it is.  Ids turn
 *     over once in a cleanrate at most, so a record that is later still has
 *     been written for longer than any firing lasts; it counts as dropped.
 */
#include <string.h>

#include "consume/consume_priv.h"
#include "util/alloc.h"

enum {
	FATES = 64,
	SPARE_MAX = 64 << 10,	/* bytes that an id keeps for its next use */
};

struct spec {
	uint32_t gen;
	bool ended, committed;		/* the current generation has, how */
	bool queued;			/* an item for a lost commit is made */
	uint64_t fates;			/* bit n: generation gen - 1 - n was
					 * committed */
	item_vec kept;			/* of the current generation */
	size_t at;			/* kept[0..at) have been handed on */
	struct pool pool;		/* the kept records' bytes */
};

struct err *
consume_spec_init(struct consume *c)
{
	if (!c->src->nspec)
		return NULL;
	c->specs = util_zalloc(c->src->nspec * sizeof(*c->specs));
	return c->specs ? NULL : &err_nomem;
}

void
consume_spec_fini(struct consume *c)
{
	for (unsigned i = 0; c->specs && i < c->src->nspec; i++) {
		vec_fini(&c->specs[i].kept);
		consume_pool_fini(&c->specs[i].pool);
	}
	util_free(c->specs);
}

static void
end(struct spec *s, bool committed)
{
	s->ended = true;
	s->committed = committed;
	s->kept.n = s->at = 0;
	if (s->pool.size <= SPARE_MAX) {
		consume_pool_reset(&s->pool);
		return;
	}
	consume_pool_fini(&s->pool);
	vec_fini(&s->kept);
}

static void
next_generation(struct spec *s)
{
	s->fates = s->fates << 1 | s->committed;
	s->gen++;
	s->ended = s->committed = s->queued = false;
}

/* NULL: there is none with that tag. */
static struct spec *
find(struct consume *c, uint64_t tag)
{
	uint32_t id = ABI_SPEC_ID(tag);

	if (c->specs && id && id <= c->src->nspec &&
	    ABI_SPEC_GEN(tag) <= c->specs[id - 1].gen)
		return &c->specs[id - 1];
	c->malformed++;
	return NULL;
}

static bool
keep(struct spec *s, const struct item *it)
{
	void *copy = consume_pool_alloc(&s->pool, it->rec->size);
	struct item mine = *it;

	if (!copy)
		return false;
	mine.rec = memcpy(copy, it->rec, it->rec->size);
	return vec_push(&s->kept, mine);
}

enum spec_verdict
consume_spec_judge(struct consume *c, uint64_t tag, const struct item *it)
{
	struct spec *s = find(c, tag);
	uint32_t ago;

	if (!s)
		return SPEC_DONE;
	ago = s->gen - ABI_SPEC_GEN(tag);
	if (!ago && !s->ended)
		return keep(s, it) ? SPEC_DONE : SPEC_NOMEM;
	if (!ago)
		return s->committed ? SPEC_SHOW : SPEC_DONE;
	if (ago > FATES) {
		c->late++;
		return SPEC_DONE;
	}
	return s->fates >> (ago - 1) & 1 ? SPEC_SHOW : SPEC_DONE;
}

struct err *
consume_spec_commit(struct consume *c, uint64_t tag, consume_item_fn *fn,
		    void *ctx)
{
	struct spec *s = find(c, tag);

	if (!s || ABI_SPEC_GEN(tag) != s->gen || s->ended)
		return NULL;
	if (c->temporal && !s->at && !consume_item_sort(&s->kept, &c->tmp))
		return &err_nomem;
	while (s->at < s->kept.n) {
		bool told = false;
		struct err *e = fn(ctx, &s->kept.v[s->at], &told);
		s->at += told;
		if (e)
			return e;
	}
	end(s, true);
	return NULL;
}

static struct err *
make_commit(struct consume *c, uint64_t tag, uint64_t timestamp)
{
	struct abi_commit_record *r =
		consume_pool_alloc(&c->pools[c->pool], sizeof(*r));

	if (!r)
		return &err_nomem;
	*r = (struct abi_commit_record){
		{ ABI_EPID_COMMIT, sizeof(*r), timestamp }, tag };
	struct item it = { timestamp, &r->hdr, 0 };
	return vec_push(&c->items, it) ? NULL : &err_nomem;
}

struct err *
consume_spec_lost(struct consume *c)
{
	for (unsigned i = 0; c->specs && c->src->spec && i < c->src->nspec;
	     i++) {
		struct spec *s = &c->specs[i];
		struct consume_spec now = c->src->spec(c->src->ctx, i + 1);
		if (!now.lost || now.state != CONSUME_SPEC_COMMITTED ||
		    s->ended || s->queued)
			continue;
		TRY(make_commit(c, ABI_SPEC_TAG(i + 1, s->gen), now.lost));
		s->queued = true;
	}
	return NULL;
}

bool
consume_clean(struct consume *c)
{
	bool waits = false;

	for (unsigned i = 0; c->specs && c->src->spec && i < c->src->nspec;
	     i++) {
		struct spec *s = &c->specs[i];
		struct consume_spec now = c->src->spec(c->src->ctx, i + 1);
		if (now.state == CONSUME_SPEC_DISCARDED)
			end(s, false);
		if (now.state == CONSUME_SPEC_OPEN)
			continue;
		if (!s->ended) {
			waits = true;
			continue;
		}
		next_generation(s);
		c->src->spec_free(c->src->ctx, i + 1);
	}
	return waits;
}
