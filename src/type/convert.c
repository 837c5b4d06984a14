/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The integer conversions of C11 6.3.1 for LP64.  The results are always the
 * basic types: a sum of two int64_t is a long.
 */
#include <assert.h>

#include "type/convert.h"
#include "type/type_priv.h"

static const struct type *
basic_int(unsigned rank, bool is_signed)
{
	static const struct type *const by_rank[][2] = {
		[TYPE_RANK_INT] = { &type_uint, &type_int },
		[TYPE_RANK_LONG] = { &type_ulong, &type_long },
		[TYPE_RANK_LLONG] = { &type_ullong, &type_llong },
	};

	return by_rank[rank][is_signed];
}

const struct type *
type_promote(const struct type *t)
{
	t = type_strip(t);
	assert(type_is_integer(t));
	/* Whatever is narrower than int fits int. */
	if (t->size < type_int.size)
		return &type_int;
	if (t->kind == TYPE_ENUM)
		return basic_int(t->size > 4 ? TYPE_RANK_LONG : TYPE_RANK_INT,
				 t->is_signed);
	return basic_int(t->rank, t->is_signed);
}

const struct type *
type_usual_arith(const struct type *a, const struct type *b)
{
	a = type_promote(a);
	b = type_promote(b);
	if (a->is_signed == b->is_signed)
		return a->rank >= b->rank ? a : b;

	const struct type *s = a->is_signed ? a : b;
	const struct type *u = a->is_signed ? b : a;
	if (u->rank >= s->rank)
		return u;
	if (s->size > u->size)
		return s;
	return basic_int(s->rank, false);
}
