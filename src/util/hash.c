/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Open addressing over an array of indices; entries stand in a second array
 * in order of insertion.  A removed entry stays as a tombstone (live ==
 * false) until the next rebuild.
 */
#include <string.h>

#include "util/alloc.h"
#include "util/hash.h"

/* Multiplying carries low bits up; folding brings them down again. */
static uint64_t
mix(uint64_t sum, uint64_t word)
{
	sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
	return sum ^ sum >> 32;
}

/* The last bytes, fewer than a word has, in any order that uses each. */
static uint64_t
rest_of(const unsigned char *c, size_t size)
{
	uint32_t first, last;

	if (size < sizeof(first))
		return size ? (uint64_t)c[0] << 16 | c[size / 2] << 8 |
			      c[size - 1] : 0;
	memcpy(&first, c, sizeof(first));
	memcpy(&last, c + size - sizeof(last), sizeof(last));
	return (uint64_t)first << 32 | last;
}

uint32_t
hash_bytes(const void *p, size_t size)
{
	const unsigned char *c = p;
	uint64_t sum = size, word;

	for (; size >= sizeof(word); size -= sizeof(word)) {
		memcpy(&word, c, sizeof(word));
		sum = mix(sum, word);
		c += sizeof(word);
	}
	return (uint32_t)mix(sum, rest_of(c, size));
}

void
hash_fini(struct hash *h)
{
	for (size_t i = 0; i < h->n; i++)
		util_free((void *)h->entries[i].key);
	util_free(h->entries);
	util_free(h->slots);
	*h = (struct hash){ 0 };
}

static struct hash_entry *
find(const struct hash *h, const void *key, size_t size, uint32_t sum)
{
	if (!h->nslots)
		return NULL;
	size_t mask = h->nslots - 1;
	for (size_t i = sum & mask; h->slots[i]; i = (i + 1) & mask) {
		struct hash_entry *e = &h->entries[h->slots[i] - 1];
		if (e->live && e->sum == sum && e->size == size &&
		    !memcmp(e->key, key, size))
			return e;
	}
	return NULL;
}

/* All slots are free: give one to each entry. */
static void
fill_slots(struct hash *h)
{
	for (size_t i = 0; i < h->n; i++) {
		size_t s = h->entries[i].sum & (h->nslots - 1);
		while (h->slots[s])
			s = (s + 1) & (h->nslots - 1);
		h->slots[s] = (uint32_t)i + 1;
	}
}

/* Drop tombstones and rebuild the slots, at least twice the live entries. */
static bool
rebuild(struct hash *h)
{
	size_t nslots = 16;
	while (nslots < (h->nlive + 1) * 3)
		nslots *= 2;
	uint32_t *slots = util_zalloc(nslots * sizeof(*slots));
	if (!slots)
		return false;

	size_t n = 0;
	for (size_t i = 0; i < h->n; i++) {
		if (h->entries[i].live)
			h->entries[n++] = h->entries[i];
		else
			util_free((void *)h->entries[i].key);
	}
	h->n = n;
	util_free(h->slots);
	h->slots = slots;
	h->nslots = nslots;
	fill_slots(h);
	return true;
}

void *
hash_get(const struct hash *h, const void *key, size_t size)
{
	struct hash_entry *e = find(h, key, size, hash_bytes(key, size));

	return e ? e->val : NULL;
}

void *
hash_gets(const struct hash *h, const char *key)
{
	return hash_get(h, key, strlen(key));
}

void **
hash_ref(struct hash *h, const void *key, size_t size)
{
	uint32_t sum = hash_bytes(key, size);
	struct hash_entry *e = find(h, key, size, sum);

	if (e)
		return &e->val;
	if ((h->n + 1) * 3 > h->nslots * 2 && !rebuild(h))
		return NULL;
	if (h->n == h->cap) {
		size_t cap = h->cap ? h->cap * 2 : 16;
		void *p = util_realloc(h->entries, cap * sizeof(*h->entries));
		if (!p)
			return NULL;
		h->entries = p;
		h->cap = cap;
	}
	void *copy = util_alloc(size);
	if (!copy)
		return NULL;
	memcpy(copy, key, size);

	e = &h->entries[h->n++];
	*e = (struct hash_entry){ copy, size, NULL, sum, true };
	h->nlive++;
	size_t mask = h->nslots - 1, s = sum & mask;
	while (h->slots[s])
		s = (s + 1) & mask;
	h->slots[s] = (uint32_t)h->n;
	return &e->val;
}

bool
hash_put(struct hash *h, const void *key, size_t size, void *val)
{
	void **p = hash_ref(h, key, size);

	if (p)
		*p = val;
	return p != NULL;
}

bool
hash_puts(struct hash *h, const char *key, void *val)
{
	return hash_put(h, key, strlen(key), val);
}

void *
hash_del(struct hash *h, const void *key, size_t size)
{
	struct hash_entry *e = find(h, key, size, hash_bytes(key, size));

	if (!e)
		return NULL;
	void *val = e->val;
	e->live = false;
	h->nlive--;
	return val;
}

void
hash_cut(struct hash *h, size_t n)
{
	if (h->n <= n)
		return;
	while (h->n > n) {
		struct hash_entry *e = &h->entries[--h->n];
		h->nlive -= e->live;
		util_free((void *)e->key);
	}
	memset(h->slots, 0, h->nslots * sizeof(*h->slots));
	fill_slots(h);
}

struct hash_entry *
hash_next(const struct hash *h, size_t *i)
{
	while (*i < h->n) {
		struct hash_entry *e = &h->entries[(*i)++];
		if (e->live)
			return e;
	}
	return NULL;
}
