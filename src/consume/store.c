/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The elements of one aggregation: an array in order of arrival, whose cells
 * and keys lie in a pool, and an open hash of {hash, index} words into it.
 * A million keys of 16 bytes with one cell take 24 + 24 + 16 bytes each.
 *
 *  1. nslots is 0 or a power of two greater than n, so a probe always ends.
 *  2. Nothing is ever removed singly; consume_store_keep() builds anew.
 */
#include <assert.h>
#include <string.h>

#include "consume/consume_priv.h"

void
consume_store_init(struct store *s, const struct abi_agg_desc *d)
{
	*s = (struct store){ .pub = { .desc = d, .normal = 1 } };
}

/* What holds the elements; nothing may ask for one any more. */
static void
free_elems(struct store *s)
{
	util_free(s->pub.elems);
	util_free(s->slots);
	consume_pool_fini(&s->pool);
}

void
consume_store_fini(struct store *s)
{
	free_elems(s);
	util_free(s->zero.cells);
}

/* Where key stands, or the free place where it would. */
static uint64_t *
find_slot(const struct store *s, const uint8_t *key, uint32_t sum)
{
	size_t i = sum & (s->nslots - 1);

	assert(s->nslots > s->pub.n && !(s->nslots & (s->nslots - 1)));	/* 1 */
	for (; s->slots[i]; i = (i + 1) & (s->nslots - 1)) {
		uint32_t index = (uint32_t)s->slots[i] - 1;
		if (s->slots[i] >> 32 == sum &&
		    !memcmp(s->pub.elems[index].key, key,
			    s->pub.desc->key_size))
			break;
	}
	return &s->slots[i];
}

struct consume_elem *
consume_store_find(const struct store *s, const uint8_t *key)
{
	if (!s->nslots)
		return NULL;
	uint64_t slot = *find_slot(s, key,
				   hash_bytes(key, s->pub.desc->key_size));
	return slot ? &s->pub.elems[(uint32_t)slot - 1] : NULL;
}

static bool
grow_elems(struct store *s)
{
	if (s->pub.n < s->cap)
		return true;
	size_t cap = s->cap ? s->cap + s->cap / 2 + 1 : 4;
	struct consume_elem *v = util_realloc(s->pub.elems, cap * sizeof(*v));
	if (!v)
		return false;
	s->pub.elems = v;
	s->cap = cap;
	return true;
}

/* Keep a quarter of the slots free. */
static bool
grow_slots(struct store *s)
{
	if (s->pub.n + 1 <= s->nslots / 4 * 3)
		return true;
	size_t n = s->nslots ? s->nslots * 2 : 8;
	uint64_t *slots = util_zalloc(n * sizeof(*slots));
	if (!slots)
		return false;
	for (size_t i = 0; i < s->nslots; i++) {
		size_t j = s->slots[i] >> 32 & (n - 1);
		if (!s->slots[i])
			continue;
		while (slots[j])
			j = (j + 1) & (n - 1);
		slots[j] = s->slots[i];
	}
	util_free(s->slots);
	s->slots = slots;
	s->nslots = n;
	return true;
}

static struct consume_elem *
append(struct store *s, const uint8_t *key)
{
	const struct abi_agg_desc *d = s->pub.desc;
	size_t ncells = d->ncells;

	if (s->pub.n >= UINT32_MAX - 1 || !grow_elems(s))
		return NULL;
	uint64_t *cells = consume_pool_alloc(&s->pool,
				ncells * sizeof(*cells) + d->key_size);
	if (!cells)
		return NULL;
	memset(cells, 0, ncells * sizeof(*cells));
	memcpy(cells + ncells, key, d->key_size);
	struct consume_elem *e = &s->pub.elems[s->pub.n++];
	*e = (struct consume_elem){ .key = (uint8_t *)(cells + ncells),
				    .cells = cells };
	return e;
}

struct consume_elem *
consume_store_ref(struct store *s, const uint8_t *key)
{
	uint32_t sum = hash_bytes(key, s->pub.desc->key_size);

	if (!grow_slots(s))
		return NULL;
	uint64_t *slot = find_slot(s, key, sum);
	if (*slot)
		return &s->pub.elems[(uint32_t)*slot - 1];
	struct consume_elem *e = append(s, key);
	if (e)
		*slot = (uint64_t)sum << 32 | (uint32_t)s->pub.n;
	return e;
}

bool
consume_store_keep(struct store *s, struct consume_elem *const *keep, size_t n)
{
	struct store fresh;

	consume_store_init(&fresh, s->pub.desc);
	for (size_t i = 0; i < n; i++) {
		struct consume_elem *e = consume_store_ref(&fresh,
							   keep[i]->key);
		if (!e) {
			consume_store_fini(&fresh);
			return false;
		}
		memcpy(e->cells, keep[i]->cells,
		       s->pub.desc->ncells * sizeof(*e->cells));
		e->seen = keep[i]->seen;
	}
	free_elems(s);
	s->pub.elems = fresh.pub.elems;
	s->pub.n = fresh.pub.n;
	s->cap = fresh.cap;
	s->slots = fresh.slots;
	s->nslots = fresh.nslots;
	s->pool = fresh.pool;
	return true;
}

struct consume_elem *
consume_store_zero(struct store *s)
{
	if (!s->zero.cells)
		s->zero.cells = util_zalloc(s->pub.desc->ncells *
					    sizeof(*s->zero.cells));
	return s->zero.cells ? &s->zero : NULL;
}
