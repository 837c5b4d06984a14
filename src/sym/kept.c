/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Places that are known beforehand: a table by address, and whose it is.
 */
#include <string.h>

#include "sym/kept_priv.h"
#include "sym/names.h"
#include "util/alloc.h"

struct key {
	uint64_t addr;
	int32_t pid;
	uint32_t how;		/* enum sym_kept, and 2: returned to */
};

static struct key
key(enum sym_kept whose, int pid, bool is_return, uint64_t addr)
{
	return (struct key){ addr, whose == SYM_KEPT_USER ? pid : 0,
			     (uint32_t)whose | (is_return ? 2 : 0) };
}

bool
sym_kept_add(struct hash *h, struct intern *texts, enum sym_kept whose, int pid,
	     bool is_return, const struct sym_place *p)
{
	struct key k = key(whose, pid, is_return, p->addr);
	struct sym_place *copy = util_alloc(sizeof(*copy));
	void **at = copy ? hash_ref(h, &k, sizeof(k)) : NULL;

	if (!at) {
		util_free(copy);
		return false;
	}
	util_free(*at);
	*at = copy;
	*copy = *p;
	copy->module = p->module ? intern(texts, p->module) : NULL;
	copy->function = p->function ? intern(texts, p->function) : NULL;
	return (!p->module || copy->module) && (!p->function || copy->function);
}

void
sym_kept_find(const struct hash *h, enum sym_kept whose, int pid,
	      bool is_return, uint64_t addr, struct sym_place *ret)
{
	struct key k = key(whose, pid, is_return, addr);
	const struct sym_place *p = hash_get(h, &k, sizeof(k));

	*ret = p ? *p : (struct sym_place){ .addr = addr, .module_start = addr };
}

void
sym_kept_fini(struct hash *h)
{
	struct hash_entry *e;

	for (size_t i = 0; (e = hash_next(h, &i)); )
		util_free(e->val);
	hash_fini(h);
}
