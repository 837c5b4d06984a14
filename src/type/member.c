/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Looking inside structs, unions, enums and functions, loading what is not
 * there yet.  A node that is `const` to everyone else is still filled in
 * here: that is what `load` means, and it changes no answer given before.
 */
#include <string.h>

#include "type/type_priv.h"

enum { MAX_STEPS = 65536 };

struct search {
	const char *name;
	struct type_member *ret;
	unsigned steps;		/* members looked at, against circles */
};

static const struct type *
loaded(const struct type *t)
{
	t = type_strip(t);
	if (t && t->load)
		t->load((struct type *)(uintptr_t)t);
	return t;
}

const struct type_member *
type_members(const struct type *t, uint32_t *n)
{
	t = loaded(t);
	*n = type_is_sou(t) ? t->n : 0;
	return *n ? t->u.members : NULL;
}

const struct type_enumerator *
type_enums(const struct type *t, uint32_t *n)
{
	t = loaded(t);
	*n = t && t->kind == TYPE_ENUM ? t->n : 0;
	return *n ? t->u.enums : NULL;
}

const struct type_member *
type_params(const struct type *t, uint32_t *n)
{
	t = loaded(t);
	*n = type_is_func(t) ? t->n : 0;
	return *n ? t->u.params : NULL;
}

static bool
search(struct search *s, const struct type *t, uint64_t bit, int depth)
{
	uint32_t n;
	const struct type_member *m = type_members(t, &n);

	for (uint32_t i = 0; i < n && ++s->steps < MAX_STEPS; i++) {
		if (m[i].name && strcmp(m[i].name, s->name) == 0) {
			*s->ret = m[i];
			s->ret->bit_offset += bit;
			return true;
		}
		if (!m[i].name && !m[i].bit_size && depth < TYPE_MAX_DEPTH &&
		    type_is_sou(m[i].type) &&
		    search(s, m[i].type, bit + m[i].bit_offset, depth + 1))
			return true;
	}
	return false;
}

bool
type_find_member(const struct type *t, const char *name,
		 struct type_member *ret)
{
	struct search s = { .name = name, .ret = ret };

	return search(&s, t, 0, 0);
}

bool
type_find_enum(const struct type *t, const char *name, int64_t *ret)
{
	uint32_t n;
	const struct type_enumerator *e = type_enums(t, &n);

	for (uint32_t i = 0; i < n; i++) {
		if (e[i].name && strcmp(e[i].name, name) == 0) {
			*ret = e[i].value;
			return true;
		}
	}
	return false;
}
