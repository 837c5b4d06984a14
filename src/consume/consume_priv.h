/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A consumer from the inside, and what its files have for each other.
 */
#ifndef CONSUME_PRIV_H
#define CONSUME_PRIV_H

#include "base/base.h"
#include "consume/consume.h"
#include "consume/key_priv.h"
#include "consume/store_priv.h"
#include "util/vec.h"

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
