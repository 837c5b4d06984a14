/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Memory in chunks.
 */
#ifndef CONSUME_POOL_PRIV_H
#define CONSUME_POOL_PRIV_H

#include <stddef.h>

struct pool_chunk;

struct pool {
	struct pool_chunk *used;	/* newest first */
	struct pool_chunk *spare;	/* kept by consume_pool_reset() */
	size_t size;			/* bytes in all chunks */
};

/* 8-byte aligned, not cleared; NULL when out of memory. */
void *consume_pool_alloc(struct pool *p, size_t size);
/* Take everything back; some memory is kept for the next round. */
void consume_pool_reset(struct pool *p);
void consume_pool_fini(struct pool *p);

#endif
