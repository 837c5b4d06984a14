/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The elements of one aggregation.
 */
#ifndef CONSUME_STORE_PRIV_H
#define CONSUME_STORE_PRIV_H

#include "consume/agg.h"
#include "consume/pool_priv.h"

struct store {
	struct consume_agg pub;		/* first: what callers hold */
	size_t cap;			/* of pub.elems */
	uint64_t *slots;		/* hash << 32 | index + 1; 0 free */
	size_t nslots;			/* power of two, or 0 */
	struct pool pool;		/* cells and keys */
	struct consume_elem zero;	/* absent values; made when asked */
};

void consume_store_init(struct store *s, const struct abi_agg_desc *d);
void consume_store_fini(struct store *s);
/* NULL when absent. */
struct consume_elem *consume_store_find(const struct store *s,
					const uint8_t *key);
/* The element of key, made with zero cells when absent; NULL: no memory. */
struct consume_elem *consume_store_ref(struct store *s, const uint8_t *key);
/* Throw away all elements but these n of its own; false: no memory, and
 * nothing has changed. */
bool consume_store_keep(struct store *s, struct consume_elem *const *keep,
			size_t n);
/* Its element with zero cells; NULL: no memory. */
struct consume_elem *consume_store_zero(struct store *s);

/* --- value.c ------------------------------------------------------------ */

/* What elements are ordered by: the value, or the weighted total of a
 * histogram and the count at 0. */
struct weight {
	__int128 value;
	int64_t zero;
};

struct weight consume_weight(const struct abi_agg_desc *d,
			     const struct consume_elem *e);

#endif
