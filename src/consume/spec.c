/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Speculations.  Their records come through the rings like all others, each
 * with the tag of its speculation, and wait here until its end is known.
 *
 *  1. The end of each use of an id, a generation, has a record of its own, which
 *     stands in the ring where commit() or discard() was called.  When the turn of
 *     a commit comes, so does that of all records that wait for it.  If the ring had
 *     no room, the speculation itself says how and when it ended.  (What is
 *     discarded and has recorded nothing ends without a word.)
 *  2. Records are handed on in the order of time, and the ids turn over while they
 *     wait in the rings.  So several generations of an id may be open at once.
 *  3. A firing may still be writing when the speculation ends, if its speculate()
 *     came before.  What it writes comes late: it is handed on at once, or is not
 *     wanted.  Hence how the latest generations ended is remembered, apart for those
 *     that only one CPU can have written to: there are any number of these, while
 *     the kernel side lets few of the others go by (ABI_SPEC_AHEAD) before their
 *     ends were handed on.
 *  4. What is open still, when everything has been handed on that was written before
 *     the id got to a later generation, has an end that is forgotten.  It counts
 *     as dropped.
 */
#include <assert.h>
#include <string.h>

#include "consume/consume_priv.h"
#include "util/alloc.h"

enum {
	FATES = 64,
	SPARE_MAX = 64 << 10,	/* bytes that an id keeps for its next use */
};

/* How generations ended, by their number modulo FATES. */
struct fates {
	uint32_t gen[FATES];
	uint64_t known, committed;	/* bits */
};

/* Records that wait. */
struct use {
	uint32_t gen;
	item_vec kept;
	size_t at;			/* kept[0..at) have been handed on */
	struct pool pool;		/* their bytes */
};

struct spec {
	struct fates fates[2];		/* [1]: several CPUs may have written */
	VEC(struct use) open;
	struct use spare;		/* empty */
	bool queued;			/* an item for the lost end of */
	uint32_t queued_gen;		/* this one is made */
	/* Everything that belongs to generations before this one had been
	 * written at that time. */
	bool marked;
	uint32_t mark_gen;
	uint64_t mark_time;
};

struct err *
consume_spec_init(struct consume *c)
{
	if (!c->src->nspec)
		return NULL;
	c->specs = util_zalloc(c->src->nspec * sizeof(*c->specs));
	return c->specs ? NULL : &err_nomem;
}

static void
use_fini(struct use *u)
{
	vec_fini(&u->kept);
	consume_pool_fini(&u->pool);
}

void
consume_spec_fini(struct consume *c)
{
	for (unsigned i = 0; c->specs && i < c->src->nspec; i++) {
		struct spec *s = &c->specs[i];
		for (size_t k = 0; k < s->open.n; k++)
			use_fini(&s->open.v[k]);
		vec_fini(&s->open);
		use_fini(&s->spare);
	}
	util_free(c->specs);
}

/* --- What is open --------------------------------------------------------- */

/* NULL: it has kept nothing. */
static struct use *
find_open(struct spec *s, uint32_t gen)
{
	for (size_t i = s->open.n; i-- > 0; )
		if (s->open.v[i].gen == gen)
			return &s->open.v[i];
	return NULL;
}

/* NULL: no memory. */
static struct use *
open_use(struct spec *s, uint32_t gen)
{
	struct use *u = find_open(s, gen);

	if (u)
		return u;
	if (!vec_push(&s->open, s->spare))
		return NULL;
	memset(&s->spare, 0, sizeof(s->spare));
	u = &s->open.v[s->open.n - 1];
	assert(!u->kept.n && !u->at);	/* the spare one is empty */
	u->gen = gen;
	return u;
}

static void
close_use(struct spec *s, struct use *u)
{
	struct use old = *u;

	assert(s->open.n && u >= s->open.v && u < s->open.v + s->open.n);
	*u = s->open.v[--s->open.n];
	if (old.pool.size > SPARE_MAX || s->spare.pool.size) {
		use_fini(&old);
		return;
	}
	use_fini(&s->spare);
	old.kept.n = old.at = 0;
	consume_pool_reset(&old.pool);
	s->spare = old;
}

static bool
keep(struct use *u, const struct item *it)
{
	void *copy = consume_pool_alloc(&u->pool, it->rec->size);
	struct item mine = *it;

	if (!copy)
		return false;
	mine.rec = memcpy(copy, it->rec, it->rec->size);
	return vec_push(&u->kept, mine);
}

/* --- What has ended ------------------------------------------------------- */

static void
remember(struct fates *f, uint32_t gen, bool committed)
{
	uint64_t bit = 1ULL << gen % FATES;

	f->gen[gen % FATES] = gen;
	f->known |= bit;
	f->committed = committed ? f->committed | bit : f->committed & ~bit;
}

/* Has it ended?  *committed: how. */
static bool
has_ended(const struct spec *s, uint32_t gen, bool *committed)
{
	for (unsigned i = 0; i < BASE_NELEMS(s->fates); i++) {
		const struct fates *f = &s->fates[i];
		uint64_t bit = 1ULL << gen % FATES;
		if (f->known & bit && f->gen[gen % FATES] == gen) {
			*committed = f->committed & bit;
			return true;
		}
	}
	return false;
}

/* --- Records -------------------------------------------------------------- */

/* NULL: there is none with that tag. */
static struct spec *
find(struct consume *c, uint64_t tag)
{
	uint32_t id = ABI_SPEC_ID(tag);

	if (c->specs && id && id <= c->src->nspec) {
		struct consume_spec now = c->src->spec(c->src->ctx, id);
		if ((int32_t)(now.gen - ABI_SPEC_GEN(tag)) >= 0)
			return &c->specs[id - 1];
	}
	c->malformed++;
	return NULL;
}

enum spec_verdict
consume_spec_judge(struct consume *c, uint64_t tag, const struct item *it)
{
	struct spec *s = find(c, tag);
	uint32_t gen = ABI_SPEC_GEN(tag);
	bool committed;

	if (!s)
		return SPEC_DONE;
	if (has_ended(s, gen, &committed))
		return committed ? SPEC_SHOW : SPEC_DONE;
	struct use *u = open_use(s, gen);
	return u && keep(u, it) ? SPEC_DONE : SPEC_NOMEM;
}

struct err *
consume_spec_end(struct consume *c, uint64_t tag, consume_item_fn *fn,
		 void *ctx)
{
	struct spec *s = find(c, tag);
	bool committed = !(tag & ABI_SPEC_END_DISCARD), known;
	uint32_t gen = ABI_SPEC_GEN(tag);

	if (!s || has_ended(s, gen, &known))
		return NULL;
	struct use *u = find_open(s, gen);
	if (u && committed && c->temporal && !u->at &&
	    !consume_item_sort(&u->kept, &c->tmp))
		return &err_nomem;
	while (u && committed && u->at < u->kept.n) {
		bool told = false;
		struct err *e = fn(ctx, &u->kept.v[u->at], &told);
		u->at += told;
		if (e)
			return e;
	}
	remember(&s->fates[!!(tag & ABI_SPEC_END_SHARED)], gen, committed);
	if (u)
		close_use(s, u);
	return NULL;
}

/* --- What the speculations say -------------------------------------------- */

static struct err *
make_end(struct consume *c, uint64_t tag, uint64_t timestamp)
{
	struct abi_spec_end *r =
		consume_pool_alloc(&c->pools[c->pool], sizeof(*r));

	if (!r)
		return &err_nomem;
	*r = (struct abi_spec_end){
		{ ABI_EPID_SPEC_END, sizeof(*r), timestamp }, tag };
	struct item it = { timestamp, &r->hdr, 0 };
	return vec_push(&c->items, it) ? NULL : &err_nomem;
}

struct err *
consume_spec_lost(struct consume *c)
{
	for (unsigned i = 0; c->specs && i < c->src->nspec; i++) {
		struct spec *s = &c->specs[i];
		struct consume_spec now = c->src->spec(c->src->ctx, i + 1);
		if (!now.lost || now.state == CONSUME_SPEC_OPEN ||
		    (s->queued && s->queued_gen == now.gen))
			continue;
		uint64_t how = ABI_SPEC_END_SHARED |
			(now.state == CONSUME_SPEC_DISCARDED ?
			 ABI_SPEC_END_DISCARD : 0);
		TRY(make_end(c, ABI_SPEC_TAG(i + 1, now.gen) | how, now.lost));
		s->queued = true;
		s->queued_gen = now.gen;
	}
	return NULL;
}

/* Invariant 4.  now: when the speculation was in generation gen. */
static void
see_off(struct consume *c, uint32_t id, uint32_t gen, uint64_t now)
{
	struct spec *s = &c->specs[id - 1];

	assert(id && id <= c->src->nspec);
	if (s->marked && c->handed > s->mark_time) {
		for (size_t i = s->open.n; i-- > 0; ) {
			struct use *u = &s->open.v[i];
			if ((int32_t)(u->gen - s->mark_gen) >= 0)
				continue;
			assert(u->at <= u->kept.n);
			c->late += u->kept.n - u->at;
			close_use(s, u);
		}
		c->src->spec_seen(c->src->ctx, id);
		s->marked = false;
	}
	if (!s->marked && gen != s->mark_gen) {
		s->marked = true;
		s->mark_gen = gen;
		s->mark_time = now;
	}
}

bool
consume_clean(struct consume *c)
{
	bool waits = false, committed;

	for (unsigned i = 0; c->specs && i < c->src->nspec; i++) {
		uint64_t time = c->src->now ? c->src->now(c->src->ctx) : 0;
		struct consume_spec now = c->src->spec(c->src->ctx, i + 1);
		see_off(c, i + 1, now.gen, time);
		if (now.state == CONSUME_SPEC_OPEN)
			continue;
		if (has_ended(&c->specs[i], now.gen, &committed))
			c->src->spec_free(c->src->ctx, i + 1);
		else
			waits = true;
	}
	return waits;
}
