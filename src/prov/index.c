/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Probes by name.  Three hashes: by all four parts, which makes a name unique and
 * a full description one look-up; by function and last part, which finds
 * what "fbt::vfs_read:entry" means, the way that nearly everybody writes it; and by
 * the last part, for many names such as tick-5ms, which have no function.
 *
 * A probe enters a hash when somebody looks there next.  Most programs are about
 * system calls, which are not looked up to be made, and then hardly ever (of 816
 * probes, all made: 90 us with, 31 without).
 *
 *  1. A hash has a power of 2 of slots, and a free one, so that looking ends.
 *  2. A name enters once.
 *  3. In a group each probe leads to one that entered before it.
 */
#include <assert.h>
#include <string.h>

#include "base/base.h"
#include "prov/prov_priv.h"
#include "util/alloc.h"

static void
hash_free(struct prov_hash *h)
{
	util_free(h->v);
	vec_fini(&h->fresh);
}

static void
groups_free(struct prov_groups *g)
{
	hash_free(&g->last);
	vec_fini(&g->next);
}

void
prov_index_fini(struct prov_set *s)
{
	hash_free(&s->index.names);
	groups_free(&s->index.funcs);
	groups_free(&s->index.lasts);
}

bool
prov_index_add(struct prov_set *s, const struct probe *p)
{
	struct prov_index *x = &s->index;

	if (!vec_reserve(&x->names.fresh, 1) ||
	    !vec_reserve(&x->funcs.last.fresh, 1) ||
	    !vec_reserve(&x->lasts.last.fresh, 1))
		return false;
	x->names.fresh.v[x->names.fresh.n++] = p->id;
	x->funcs.last.fresh.v[x->funcs.last.fresh.n++] = p->id;
	x->lasts.last.fresh.v[x->lasts.last.fresh.n++] = p->id;
	return true;
}

/* Eight bytes at a time: names are short, and there may be many. */
static uint64_t
mix(uint64_t sum, const char *s)
{
	static const uint64_t odd = 0x9e3779b97f4a7c15;
	size_t n = strlen(s);
	uint64_t w = 0;

	for (; n >= 8; n -= 8, s += 8) {
		memcpy(&w, s, 8);
		sum = (sum ^ w) * odd;
		sum ^= sum >> 32;
	}
	w = 0;
	memcpy(&w, s, n);
	sum = (sum ^ w ^ (uint64_t)(n + 1) << 56) * odd;
	return sum ^ sum >> 32;
}

static uint64_t
last_sum(const struct probe *p)
{
	return mix(0, p->name);
}

static uint64_t
group_sum(const struct probe *p)
{
	return mix(mix(0, p->func), p->name);
}

static uint64_t
name_sum(const struct probe *p)
{
	return mix(mix(group_sum(p), p->mod), p->prov);
}

static bool
same_last(const struct probe *a, const struct probe *b)
{
	return !strcmp(a->name, b->name);
}

static bool
same_group(const struct probe *a, const struct probe *b)
{
	return !strcmp(a->func, b->func) && !strcmp(a->name, b->name);
}

static bool
same_name(const struct probe *a, const struct probe *b)
{
	return same_group(a, b) && !strcmp(a->mod, b->mod) &&
	       !strcmp(a->prov, b->prov);
}

/* The slot of what is the same as `like`, or the free one where it belongs. */
static struct prov_slot *
slot_of(struct prov_set *s, const struct prov_hash *h,
	const struct probe *like, uint64_t sum,
	bool (*same)(const struct probe *a, const struct probe *b))
{
	size_t mask = h->size - 1, i = sum & mask;

	assert(h->size && !(h->size & mask) && h->n < h->size);		/* 1 */
	for (;; i = (i + 1) & mask) {
		struct prov_slot *x = &h->v[i];
		s->work.slots++;
		if (!x->id || (x->sum == (uint32_t)sum &&
			       same(s->probes.v[x->id - 1], like)))
			return x;
	}
}

/* Slots for all that are fresh and one more, with a third of them free. */
static bool
reserve(struct prov_set *s, struct prov_hash *h)
{
	size_t n = h->n + h->fresh.n + 1, size = h->size ? h->size : 64;

	if (n * 3 <= h->size * 2)
		return true;
	while (n * 3 > size * 2)
		size *= 2;
	struct prov_slot *v = util_zalloc(size * sizeof(*v));
	if (!v)
		return false;
	for (size_t k = 0; k < h->size; k++) {
		size_t i = h->v[k].sum & (size - 1);
		if (!h->v[k].id)
			continue;
		s->work.slots++;
		while (v[i].id)
			i = (i + 1) & (size - 1);
		v[i] = h->v[k];
	}
	util_free(h->v);
	h->v = v;
	h->size = size;
	return true;
}

static bool
enter_names(struct prov_set *s)
{
	struct prov_hash *h = &s->index.names;

	if (!reserve(s, h))
		return false;
	for (size_t i = 0; i < h->fresh.n; i++, h->n++) {
		const struct probe *p = s->probes.v[h->fresh.v[i] - 1];
		uint64_t sum = name_sum(p);
		struct prov_slot *x = slot_of(s, h, p, sum, same_name);
		assert(!x->id);						/* 2 */
		*x = (struct prov_slot){ p->id, (uint32_t)sum };
	}
	h->fresh.n = 0;
	return true;
}

struct err *
prov_find(struct prov_set *s, const struct probe *like,
	  const struct probe **ret)
{
	if (!enter_names(s))
		return &err_nomem;
	uint32_t id = slot_of(s, &s->index.names, like, name_sum(like),
			      same_name)->id;
	*ret = id ? s->probes.v[id - 1] : NULL;
	return NULL;
}

static bool
enter_groups(struct prov_set *s, struct prov_groups *g,
	     uint64_t (*sum_of)(const struct probe *p),
	     bool (*same)(const struct probe *a, const struct probe *b))
{
	struct prov_hash *h = &g->last;
	size_t ids = s->probes.n;

	if (!reserve(s, h) ||
	    (g->next.n < ids && !vec_reserve(&g->next, ids - g->next.n)))
		return false;
	g->next.n = BASE_MAX(g->next.n, ids);
	for (size_t i = 0; i < h->fresh.n; i++, h->n++) {
		const struct probe *p = s->probes.v[h->fresh.v[i] - 1];
		uint64_t sum = sum_of(p);
		struct prov_slot *t = slot_of(s, h, p, sum, same);
		assert(t->id != p->id);					/* 3 */
		g->next.v[p->id - 1] = t->id;
		*t = (struct prov_slot){ p->id, (uint32_t)sum };
	}
	h->fresh.n = 0;
	return true;
}

struct err *
prov_find_group(struct prov_set *s, const char *func, const char *name,
		struct prov_ids *ret)
{
	struct prov_groups *g = &s->index.funcs;
	struct probe like = { .func = func, .name = name };

	if (!enter_groups(s, g, group_sum, same_group))
		return &err_nomem;
	uint32_t id = slot_of(s, &g->last, &like, group_sum(&like), same_group)->id;
	for (; id; id = g->next.v[id - 1])
		if (!vec_push(ret, id))
			return &err_nomem;
	return NULL;
}

struct err *
prov_find_named(struct prov_set *s, const char *name, size_t most,
		struct prov_ids *ret)
{
	struct prov_groups *g = &s->index.lasts;
	struct probe like = { .name = name };

	if (!enter_groups(s, g, last_sum, same_last))
		return &err_nomem;
	uint32_t id = slot_of(s, &g->last, &like, last_sum(&like), same_last)->id;
	for (; id && ret->n <= most; id = g->next.v[id - 1])
		if (!vec_push(ret, id))
			return &err_nomem;
	return NULL;
}
