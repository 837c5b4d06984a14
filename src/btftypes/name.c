/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Names to types.  A script asks for a handful of names; a script that traces
 * thousands of functions asks for thousands.  So:
 *
 * - The first few questions search.  A name is stored once, so finding its
 *   bytes among the strings gives the offset by which records refer to it,
 *   and a scan over the names of the index gives the types.
 * - When that has cost as much as it would, a hash table of all names is made,
 *   and nothing is paid per question.  Made at once, it would cost every small
 *   script more than all the rest.
 *
 * Nothing says that equal strings must be stored once; the search looks at a
 * few copies before it gives up.
 */
#include <string.h>

#include "base/base.h"
#include "btftypes/btftypes_priv.h"
#include "util/alloc.h"
#include "util/hash.h"

/* On a kernel with 126,000 types the table takes as long as some 50 searches: it misses
 * the caches, and they do not. */
enum { MAX_SEARCHES = 48, MAX_COPIES = 8, MAX_NAME = 1024, BLOCK = 64,
       STRETCH = 256 };

/* What is looked for: any of `kinds`, a set of bits, called `name`. */
static bool
has_kind(const struct btftypes *b, uint32_t id, uint32_t kinds)
{
	return kinds >> btftypes_kind(b, id) & 1;
}

/* Is one of BLOCK names at offset?  Compilers make it a few wide instructions. */
static bool
block_has(const uint32_t *names, uint32_t offset)
{
	uint32_t any = 0;

	for (int i = 0; i < BLOCK; i++)
		any |= names[i] == offset;
	return any;
}

static uint32_t
find_by_offset(struct btftypes *b, uint32_t kinds, uint32_t offset)
{
	uint32_t i = 0;

	while (btftypes_reach(b, b->first_id + i)) {
		uint32_t n = BASE_MIN(b->end_id - b->first_id - i, BLOCK);
		if (n == BLOCK && !block_has(b->names + i, offset)) {
			i += n;
			continue;
		}
		for (; n > 0; n--, i++)
			if (b->names[i] == offset &&
			    has_kind(b, b->first_id + i, kinds))
				return b->first_id + i;
	}
	return 0;
}

/* Does a string of needle's length that begins as it does begin in the STRETCH bytes
 * from p on?  This, too, becomes wide instructions: with memmem() alone a search takes
 * half as long again. */
static bool
may_have(const char *p, const char *needle, size_t size)
{
	const char *end = p + size - 1;
	unsigned char any = 0;

	for (int i = 0; i < STRETCH; i++)
		any |= (p[i] == '\0') & (p[i + 1] == needle[1]) &
		       (end[i] == '\0');
	return any;
}

/* The next place of the string `needle + 1` in b's own strings from p on, or
 * NULL.  Each string stands behind a NUL, except the first of split BTF. */
static const char *
next_copy(const struct btftypes *b, const char *p, const char *needle,
	  size_t size)
{
	size_t left = b->strs_size - (size_t)(p - b->strs);

	if (p == b->strs && left >= size - 1 &&
	    memcmp(p, needle + 1, size - 1) == 0)
		return p;
	for (; left >= STRETCH + size; p += STRETCH, left -= STRETCH) {
		const char *at = may_have(p, needle, size) ?
				 memmem(p, STRETCH + size, needle, size) :
				 NULL;
		if (at)
			return at + 1;
	}
	p = memmem(p, left, needle, size);
	return p ? p + 1 : NULL;
}

/* The first copy.  What is not there is asked for again and again: a type that this
 * kernel has not, under each kind that it might be. */
static const char *
first_copy(struct btftypes *from, const char *needle, size_t size)
{
	static char absent;
	void *known = hash_get(&from->searched, needle, size);

	if (!known) {
		const char *p = next_copy(from, from->strs, needle, size);
		known = p ? (void *)(uintptr_t)p : &absent;
		hash_put(&from->searched, needle, size, known);
	}
	return known == &absent ? NULL : known;
}

/* Search for name in the strings of `from`, which is b or below it. */
static uint32_t
search(struct btftypes *b, struct btftypes *from, uint32_t kinds,
       const char *name)
{
	char needle[MAX_NAME + 2] = "";
	size_t size = strlen(name) + 2;

	if (size > sizeof(needle))
		return 0;
	memcpy(needle + 1, name, size - 1);
	const char *p = first_copy(from, needle, size);
	for (int i = 0; p && i < MAX_COPIES; i++) {
		uint32_t id = find_by_offset(b, kinds, from->first_str +
					     (uint32_t)(p - from->strs));
		if (id)
			return id;
		/* From its NUL on, which may begin the next. */
		p = next_copy(from, p + size - 2, needle, size);
	}
	return 0;
}

static const char *
name_of(const struct btftypes *b, uint32_t id)
{
	return btftypes_name(b, b->names[id - b->first_id]);
}

/* Is type id called so?  Most that are have the very same string. */
static bool
is_called(const struct btftypes *b, uint32_t id, const char *name)
{
	const char *its = name_of(b, id);

	return its == name || strcmp(its, name) == 0;
}

/* The slot of the first type of these kinds and name, or the free one where
 * the probing ended. */
static uint32_t
probe(const struct btftypes *b, uint32_t kinds, const char *name)
{
	uint32_t i = hash_bytes(name, strlen(name)) & (b->nslots - 1);

	while (b->slots[i] && !(has_kind(b, b->slots[i], kinds) &&
				is_called(b, b->slots[i], name)))
		i = (i + 1) & (b->nslots - 1);
	return i;
}

/* In order, and only the first of a kind and name: a table full of one name
 * would take forever to fill. */
static void
fill(struct btftypes *b)
{
	for (uint32_t id = b->first_id; id < b->end_id; id++) {
		const char *name = name_of(b, id);
		if (!name)
			continue;
		uint32_t i = probe(b, 1U << btftypes_kind(b, id), name);
		if (!b->slots[i])
			b->slots[i] = id;
	}
}

static bool
make_table(struct btftypes *b)
{
	btftypes_reach(b, UINT32_MAX);
	uint32_t n = b->end_id - b->first_id;
	b->nslots = 64;
	while (b->nslots < n + n / 2)
		b->nslots *= 2;
	b->slots = util_zalloc((size_t)b->nslots * sizeof(*b->slots));
	if (b->slots)
		fill(b);
	return b->slots;
}

uint32_t
btftypes_search(struct btftypes *b, uint32_t kinds, const char *name)
{
	if (!*name)
		return 0;
	if (b->slots || (b->nsearches >= MAX_SEARCHES && make_table(b)))
		return b->slots[probe(b, kinds, name)];
	b->nsearches++;
	for (struct btftypes *from = b; from; from = from->base) {
		uint32_t id = search(b, from, kinds, name);
		if (id)
			return id;
	}
	return 0;
}

void
btftypes_typedefs(struct btftypes *b, const char *prefix, btftypes_name_fn *fn,
		  void *ctx)
{
	struct err *e = btftypes_index(b);
	size_t n = strlen(prefix);

	for (uint32_t id = b->first_id; !e && btftypes_reach(b, id); id++) {
		if (!has_kind(b, id, 1U << BTF_KIND_TYPEDEF))
			continue;
		const char *name = name_of(b, id);
		if (name && strncmp(name, prefix, n) == 0 && !fn(ctx, name))
			return;
	}
	err_free(e);
}
