/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The raw side of BTF, seen by the files of this folder only.
 */
#ifndef BTFTYPES_BTFTYPES_PRIV_H
#define BTFTYPES_BTFTYPES_PRIV_H

#include <linux/btf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "btftypes/btftypes.h"
#include "util/hash.h"

struct btftypes {
	struct arena *arena;		/* of the nodes; the caller's */
	const char *module;		/* the caller's */
	struct btftypes *base;		/* or NULL; the caller's */
	bool is_user;

	void *map;			/* what btftypes_free() gives back, */
	size_t map_size;		/* by munmap() if not 0, else free */

	const uint8_t *types;
	uint32_t types_size;
	const char *strs;		/* ends in a NUL */
	uint32_t strs_size;

	/* The index, from btftypes_index() on: types first_id .. end_id - 1 are
	 * ours, as far as the pass has come, lower ones the base's.  Both
	 * arrays count from first_id. */
	uint32_t first_id, end_id;
	uint32_t at;			/* into types: number end_id */
	bool bad;			/* which is broken */
	uint32_t first_str;		/* as first_id, for string offsets */
	uint32_t *offsets;		/* into types */
	uint32_t *names;		/* string offset of each type */
	struct type **nodes;		/* made so far; see node.c */

	/* Names to ids, once there were enough questions; see name.c. */
	unsigned nsearches;
	struct hash searched;		/* where among strs a name stands first */
	uint32_t *slots;		/* ids, 0: free */
	uint32_t nslots;		/* a power of two */
};

/* A record's head, with what follows it. */
struct raw {
	uint32_t kind, vlen;
	bool flag;			/* kind_flag */
	uint32_t name, arg;		/* arg: size or type id */
	const uint8_t *tail;		/* vlen entries, checked to be there */
};

/* Check the header of `size` bytes of BTF. */
struct err *btftypes_header(struct btftypes *b, const void *data, size_t size);
void btftypes_index_free(struct btftypes *b);
/* All below wants btftypes_index(). */
/* Have the pass come past id; false when there is none in b or its bases, or a
 * broken one before it. */
bool btftypes_reach(struct btftypes *b, uint32_t id);
/* The record of id, which must be one of b's own and have been reached. */
struct raw btftypes_raw(const struct btftypes *b, uint32_t id);
/* Whose type id is: b or one of its bases, or NULL when there is no such. */
struct btftypes *btftypes_owner(struct btftypes *b, uint32_t id);
/* Records are not aligned when the header has an odd length. */
static inline uint32_t
btftypes_u32(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* The kind of a type that btftypes_raw() would take. */
static inline uint32_t
btftypes_kind(const struct btftypes *b, uint32_t id)
{
	return BTF_INFO_KIND(btftypes_u32(b->types +
		b->offsets[id - b->first_id] + offsetof(struct btf_type, info)));
}

/* The string at offset, which may be one of the base; NULL for the empty one, and
 * when out of range. */
static inline const char *
btftypes_name(const struct btftypes *b, uint32_t offset)
{
	while (b->base && offset < b->first_str)
		b = b->base;
	offset -= b->first_str;
	return offset < b->strs_size && b->strs[offset] ? b->strs + offset
							: NULL;
}

/* The first own type of that BTF kind and name; 0 when absent. */
uint32_t btftypes_search(struct btftypes *b, uint32_t kinds, const char *name);

#endif
