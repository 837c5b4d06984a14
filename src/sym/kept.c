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

/* Lines with texts of ours instead of the caller's. */
static bool
copy_lines(struct intern *texts, struct sym_place *p)
{
	struct sym_line *v = p->nlines ? util_alloc(p->nlines * sizeof(*v))
				       : NULL;
	bool ok = v || !p->nlines;

	for (size_t i = 0; v && i < p->nlines; i++) {
		const struct sym_line *l = &p->lines[i];
		v[i] = *l;
		if (l->function)
			ok &= !!(v[i].function = intern(texts, l->function));
		if (l->file)
			ok &= !!(v[i].file = intern(texts, l->file));
	}
	p->nlines = v ? p->nlines : 0;
	p->lines = v;
	return ok;
}

static void
place_free(struct sym_place *p)
{
	if (p)
		util_free((void *)(uintptr_t)p->lines);
	util_free(p);
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
	place_free(*at);
	*at = copy;
	*copy = *p;
	bool ok = copy_lines(texts, copy);
	copy->module = p->module ? intern(texts, p->module) : NULL;
	copy->function = p->function ? intern(texts, p->function) : NULL;
	return ok && (!p->module || copy->module) &&
	       (!p->function || copy->function);
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
		place_free(e->val);
	hash_fini(h);
}
