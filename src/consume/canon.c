/* SPDX-License-Identifier: BSD-2-Clause
 *
 * @[probefunc] must count read:entry and read:return under one key, though
 * their records carry two probe ids.  So the first id seen with a text stands
 * for all: ids finds it by text, cache by id without looking at the text.
 */
#include <string.h>

#include "consume/consume_priv.h"

/* Ids beyond this are looked up by text each time. */
enum { CACHE_MAX = 1 << 22 };

void
consume_canon_fini(struct canon *t)
{
	hash_fini(&t->ids);
	util_free(t->cache);
}

static bool
grow_cache(struct canon *t, uint32_t probe)
{
	uint32_t n = t->ncache ? t->ncache : 64;

	while (n <= probe)
		n *= 2;
	uint32_t *cache = util_realloc(t->cache, n * sizeof(*cache));
	if (!cache)
		return false;
	memset(cache + t->ncache, 0, (n - t->ncache) * sizeof(*cache));
	t->cache = cache;
	t->ncache = n;
	return true;
}

static bool
by_text(struct canon *t, struct base_span text, uint32_t probe, uint32_t *ret)
{
	void **place = hash_ref(&t->ids, text.p, text.n);

	if (!place)
		return false;
	if (!*place)
		*place = (void *)((uintptr_t)probe + 1);
	*ret = (uint32_t)((uintptr_t)*place - 1);
	return true;
}

bool
consume_canon(struct canon *t, const struct consume_meta *m,
	      enum abi_probe_part part, uint32_t probe, uint32_t *ret)
{
	if (probe < t->ncache && t->cache[probe]) {
		*ret = t->cache[probe] - 1;
		return true;
	}
	if (probe < CACHE_MAX && probe >= t->ncache && !grow_cache(t, probe))
		return false;
	if (!by_text(t, consume_probe_part(m, probe, part), probe, ret))
		return false;
	if (probe < t->ncache)
		t->cache[probe] = *ret + 1;
	return true;
}

bool
consume_canon_find(const struct canon *t, struct base_span text, uint32_t *ret)
{
	void *val = hash_get(&t->ids, text.p, text.n);

	if (!val)
		return false;
	*ret = (uint32_t)((uintptr_t)val - 1);
	return true;
}
