/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Keys of aggregations, and probes by their text.
 */
#ifndef CONSUME_KEY_PRIV_H
#define CONSUME_KEY_PRIV_H

#include "consume/consume.h"
#include "util/hash.h"

enum { CANON_NPARTS = ABI_PART_NAME + 1 };

struct canon {
	struct hash ids;		/* text -> canonical probe id + 1 */
	uint32_t *cache;		/* probe id -> canonical id + 1, or 0 */
	uint32_t ncache;
};

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

#endif
