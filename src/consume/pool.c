/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Many small pieces that die together.  Chunks double in size up to 1 MiB, so
 * that a small aggregation costs little and a large one wastes little.  Reset
 * keeps what a busy pass needed: the next one will need it too.
 */
#include <assert.h>

#include "consume/consume_priv.h"

enum {
	CHUNK_MIN = 512,
	CHUNK_MAX = 1 << 20,
	SPARE_MAX = 16 << 20,	/* bytes kept across a reset */
};

struct pool_chunk {
	struct pool_chunk *next;
	size_t size, used;		/* of bytes[] */
	_Alignas(8) uint8_t bytes[];
};

/* A kept chunk of at least size bytes; smaller ones are given up. */
static struct pool_chunk *
take_spare(struct pool *p, size_t size)
{
	struct pool_chunk *k;

	while ((k = p->spare)) {
		p->spare = k->next;
		k->used = 0;
		if (k->size >= size)
			return k;
		assert(p->size >= k->size);
		p->size -= k->size;
		util_free(k);
	}
	return NULL;
}

static struct pool_chunk *
new_chunk(struct pool *p, size_t size)
{
	size_t want = p->used ? p->used->size * 2 : CHUNK_MIN;

	want = BASE_MAX(BASE_MIN(want, (size_t)CHUNK_MAX), size);
	struct pool_chunk *k = util_alloc(sizeof(*k) + want);
	if (!k)
		return NULL;
	k->size = want;
	k->used = 0;
	p->size += want;
	return k;
}

void *
consume_pool_alloc(struct pool *p, size_t size)
{
	struct pool_chunk *k = p->used;

	if (size > SIZE_MAX / 2)
		return NULL;
	size = base_align(size, 8);
	if (!k || k->size - k->used < size) {
		k = take_spare(p, size);
		if (!k)
			k = new_chunk(p, size);
		if (!k)
			return NULL;
		k->next = p->used;
		p->used = k;
	}
	void *ret = k->bytes + k->used;
	assert(size <= k->size - k->used && k->used % 8 == 0);
	k->used += size;
	return ret;
}

static void
free_chunks(struct pool_chunk *k)
{
	while (k) {
		struct pool_chunk *next = k->next;
		util_free(k);
		k = next;
	}
}

void
consume_pool_reset(struct pool *p)
{
	struct pool_chunk *k;

	while ((k = p->used)) {
		p->used = k->next;
		if (p->size > SPARE_MAX) {
			p->size -= k->size;
			util_free(k);
		} else {
			k->next = p->spare;
			p->spare = k;
		}
	}
}

void
consume_pool_fini(struct pool *p)
{
	free_chunks(p->used);
	free_chunks(p->spare);
	*p = (struct pool){ 0 };
}
