/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A consumer from the inside, and what its files have for each other.
 */
#ifndef CONSUME_PRIV_H
#define CONSUME_PRIV_H

#include "base/base.h"
#include "consume/consume.h"
#include "util/hash.h"
#include "util/vec.h"

/* --- pool.c: memory in chunks ------------------------------------------- */

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

/* --- order.c: records by time ------------------------------------------- */

struct item {
	uint64_t timestamp;
	const struct abi_record *rec;	/* a copy in the batch's pool */
	uint32_t cpu;
};

typedef VEC(struct item) item_vec;

/* Append; a few places nearer to the front, but not before `from`, when that
 * is where its timestamp belongs.  False when out of memory. */
bool consume_item_push(item_vec *v, size_t from, struct item it);
/* Stable sort by timestamp; tmp is scratch.  False when out of memory. */
bool consume_item_sort(item_vec *v, item_vec *tmp);

/* --- spec.c: speculations ------------------------------------------------ */

struct spec;

/* ERR_NOMEM.  n may be 0. */
struct err *consume_spec_init(struct consume *c);
void consume_spec_fini(struct consume *c);

enum spec_verdict {
	SPEC_SHOW,	/* hand it on */
	SPEC_DONE,	/* it is kept, or not wanted */
	SPEC_NOMEM,	/* it could not be kept */
};

/* What is to become of a record with this tag, whose turn has come. */
enum spec_verdict consume_spec_judge(struct consume *c, uint64_t tag,
				     const struct item *it);
/* The turn of an end has come: if it was a commit, give the records that were kept
 * to fn, in order.  After an error call again: what fn has told of does not come
 * twice. */
typedef struct err *consume_item_fn(void *ctx, const struct item *it,
				    bool *told);
struct err *consume_spec_end(struct consume *c, uint64_t tag,
			     consume_item_fn *fn, void *ctx);
/* Make items of the ends whose record was lost. */
struct err *consume_spec_lost(struct consume *c);

/* --- canon.c: probes by their text -------------------------------------- */

enum { CANON_NPARTS = ABI_PART_NAME + 1 };

struct canon {
	struct hash ids;		/* text -> canonical probe id + 1 */
	uint32_t *cache;		/* probe id -> canonical id + 1, or 0 */
	uint32_t ncache;
};

void consume_canon_init(struct canon *t);
void consume_canon_fini(struct canon *t);
/* The id that stands for all probes with the same text; false: no memory. */
bool consume_canon(struct canon *t, const struct consume_meta *m,
		   enum abi_probe_part part, uint32_t probe, uint32_t *ret);
/* The id standing for text; false: none has it. */
bool consume_canon_find(const struct canon *t, struct base_span text,
			uint32_t *ret);

/* --- key.c -------------------------------------------------------------- */

/* The canonical form of key to out, key_size bytes. */
struct err *consume_key_canon(struct consume *c, const struct abi_agg_desc *d,
			      const uint8_t *key, uint8_t *out);
/* A canonical key of `from` in the layout of `to`; false when it cannot be
 * one of to's. */
bool consume_key_translate(const struct consume *c,
			   const struct abi_agg_desc *from, const uint8_t *key,
			   const struct abi_agg_desc *to, uint8_t *out);
/* <0, 0, >0; keypos: the number of the key to begin with. */
int consume_key_compare(const struct consume_meta *m,
			const struct abi_agg_desc *ad, const uint8_t *a,
			const struct abi_agg_desc *bd, const uint8_t *b,
			unsigned keypos);
/* A number that says of two keys, when it differs, how key number keypos
 * compares.  Of two aggregations: only if their images are of one kind. */
uint64_t consume_key_image(const struct consume_meta *m,
			   const struct abi_agg_desc *d, const uint8_t *key,
			   unsigned keypos);
bool consume_key_same_images(const struct abi_agg_desc *a,
			     const struct abi_agg_desc *b);

/* --- store.c: the elements of one aggregation --------------------------- */

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

/* --- field.c ------------------------------------------------------------ */

/* Does a log of this size hold entries, one behind the other? */
bool consume_log_fits(const struct abi_clause_desc *d, const void *record,
		      uint32_t size);

/* --- The whole ---------------------------------------------------------- */

/* What is known of an EPID; 0: nothing yet. */
enum epid_state {
	EPID_GOOD = 1,		/* its description has been checked */
	EPID_BAD = 2,		/* unknown, or the description is nonsense */
	EPID_AGG = 4,		/* with GOOD: has actions on aggregations */
	EPID_EXIT = 8,		/* with GOOD: has an EXIT */
	EPID_SPEC = 16,		/* with GOOD: may belong to a speculation */
};

struct cpu {
	/* Handed out by next() but not yet copied, since memory was short. */
	const void *rec;
	size_t size;
};

struct consume {
	const struct consume_source *src;
	const struct consume_meta *meta;

	struct cpu *cpus;		/* ncpus */
	bool temporal;			/* of the pass that is running */
	item_vec items, tmp;		/* items[0..n): not yet handed on */
	struct pool pools[2];		/* pools[pool] has the items' bytes */
	unsigned pool;
	VEC(uint8_t) epids;		/* by EPID, enum epid_state */

	struct store *stores;		/* aggregation id - 1 */
	uint32_t nstores;
	uint8_t *key;			/* scratch: the longest key */
	struct canon canon[CANON_NPARTS];
	consume_elem_fn *on_elem;	/* or NULL */
	void *on_elem_ctx;

	struct spec *specs;		/* by id - 1 */
	uint64_t handed;		/* everything written before this time
					 * has been handed on */

	uint64_t *told;			/* ABI_NDROPS x ncpus */
	uint64_t late;			/* records of speculations too long
					 * over to know how they ended */
	uint64_t malformed;
};

#endif
