/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The nodes: the basic types, which are static, and the constructors of
 * those derived types whose layout needs no thought.
 *
 * Invariants, on which the other files of this folder rely:
 * 1. Following `base` ends: no constructor can close a circle, because the
 *    base exists before the node.  Circles lead through members only.
 * 2. Typedefs and qualifiers do not copy the size of their base, and arrays
 *    not its alignment: a TYPE_FWD below them may be completed later
 *    (type_define()), a lazy struct loaded later.
 * 3. No complete type is TYPE_MAX_SIZE bytes or larger, so that bit offsets
 *    fit 64 bits.
 */
#include <string.h>

#include "base/base.h"
#include "type/make.h"
#include "type/text.h"
#include "type/type_priv.h"

/* basic.def gives 0 where alignment is 1 or there is none. */
#define BASIC(id, text, k, bytes, sign, r) \
const struct type type_##id = { \
	.kind = TYPE_##k, \
	.is_signed = sign, \
	.is_char = (r) == TYPE_RANK_CHAR, \
	.is_bool = TYPE_##k == TYPE_INT && !(r), \
	.rank = (r), \
	.name = text, \
	.size = bytes, \
	.align = (bytes) ? (bytes) : 1, \
	.module = "C", \
};
#include "type/basic.def"
#undef BASIC

const struct type type_char_ptr = {
	.kind = TYPE_PTR, .size = 8, .align = 8, .base = &type_char,
	.module = "C",
};

#define ALIAS(id, text, of) \
const struct type type_##id = { \
	.kind = TYPE_TYPEDEF, .name = text, .base = &of, .module = "C", \
};
#include "type/alias.def"
#undef ALIAS

const struct type *
type_alias(const char *name)
{
	static const struct type *const all[] = {
#define ALIAS(id, text, of) &type_##id,
#include "type/alias.def"
#undef ALIAS
	};

	for (size_t i = 0; i < BASE_NELEMS(all); i++)
		if (strcmp(all[i]->name, name) == 0)
			return all[i];
	return NULL;
}

static struct type *
node(struct arena *a, enum type_kind kind, const struct type *base)
{
	struct type *t = ARENA_NEW(a, struct type);

	if (!t)
		return NULL;
	t->kind = kind;
	t->base = base;
	t->align = 1;
	return t;
}

struct type *
type_new_int(struct arena *a, const char *name, const struct type *like)
{
	struct type *t = like ? node(a, TYPE_INT, NULL) : NULL;

	if (!t)
		return NULL;
	*t = *like;
	t->name = name;
	return t;
}

struct type *
type_new_ptr(struct arena *a, const struct type *to)
{
	struct type *t = to ? node(a, TYPE_PTR, to) : NULL;

	if (!t)
		return NULL;
	t->size = t->align = 8;
	return t;
}

struct type *
type_new_array(struct arena *a, const struct type *of, uint64_t nelems)
{
	uint64_t size;

	if (!of || __builtin_mul_overflow(type_size(of), nelems, &size) ||
	    size >= TYPE_MAX_SIZE)
		return NULL;
	struct type *t = node(a, TYPE_ARRAY, of);
	if (!t)
		return NULL;
	t->nelems = nelems;
	t->size = size;
	return t;
}

struct type *
type_new_qual(struct arena *a, enum type_kind kind, const struct type *of)
{
	return of ? node(a, kind, of) : NULL;
}

struct type *
type_new_typedef(struct arena *a, const char *name, const struct type *of)
{
	struct type *t = of ? node(a, TYPE_TYPEDEF, of) : NULL;

	if (!t)
		return NULL;
	t->name = name;
	t->align = 0;
	return t;
}

struct type *
type_new_opaque(struct arena *a, const char *name, uint64_t size,
		uint32_t align)
{
	struct type *t = size < TYPE_MAX_SIZE ? node(a, TYPE_STRUCT, NULL)
					      : NULL;

	if (!t)
		return NULL;
	t->name = name;
	t->size = size;
	t->align = align;
	return type_new_typedef(a, name, t);
}

struct type *
type_new_fwd(struct arena *a, enum type_kind kind, const char *tag)
{
	struct type *t = node(a, TYPE_FWD, NULL);

	if (!t)
		return NULL;
	t->fwd_kind = kind;
	t->name = tag;
	return t;
}

struct type *
type_new_func(struct arena *a, const struct type *result,
	      const struct type_member *params, uint32_t n, bool variadic)
{
	struct type *t = result ? node(a, TYPE_FUNC, result) : NULL;

	if (!t)
		return NULL;
	for (uint32_t i = 0; i < n; i++)
		if (!params[i].type)
			return NULL;
	t->u.params = arena_memdup(a, params, sizeof(*params) * n);
	if (!t->u.params)
		return NULL;
	t->n = n;
	t->variadic = variadic;
	return t;
}

struct type *
type_new_string(struct arena *a, uint64_t size)
{
	struct type *t = node(a, TYPE_STRING, NULL);

	if (!t)
		return NULL;
	t->name = "string";
	t->size = size;
	t->module = "D";
	return t;
}

struct type *
type_new_dyn(struct arena *a, const char *name)
{
	struct type *t = node(a, TYPE_DYN, NULL);

	if (!t)
		return NULL;
	t->name = name;
	t->module = "D";
	return t;
}
