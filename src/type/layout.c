/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where members lie: System V x86-64, which is what the kernel and every
 * program we trace was compiled for.
 *
 * A plain member goes to the next multiple of its alignment.  A bit-field of
 * declared type T goes to the next free bit unless it would then lie across a
 * multiple of T's size, in which case it starts there.  A width of zero only
 * moves to such a multiple.  Bit-fields without a name do not raise the
 * alignment of the struct; all other members do.  A union is the same with
 * every member starting at zero.
 */
#include <limits.h>

#include "base/base.h"
#include "type/type_priv.h"

struct layout {
	uint64_t bit;		/* the next free one */
	uint64_t max_bit;	/* the end of the longest member */
	uint32_t align;		/* bytes, so far */
	bool is_union;
};

static void
raise_align(struct layout *l, const struct type *t)
{
	l->align = BASE_MAX(l->align, type_align(t));
}

static void
place_bitfield(struct layout *l, struct type_member *m)
{
	uint64_t unit = type_size(m->type) * 8;

	if (!unit)
		unit = 8;
	if (m->bit_size == UINT32_MAX) {
		l->bit = base_align(l->bit, unit);
		m->bit_offset = l->bit;
		return;
	}
	if (l->bit % unit + m->bit_size > unit)
		l->bit = base_align(l->bit, unit);
	m->bit_offset = l->bit;
	l->bit += m->bit_size;
	if (m->name)
		raise_align(l, m->type);
}

static void
place_plain(struct layout *l, struct type_member *m)
{
	l->bit = base_align(l->bit, (uint64_t)type_align(m->type) * 8);
	m->bit_offset = l->bit;
	l->bit += type_size(m->type) * 8;
	raise_align(l, m->type);
}

/* False when the type grows too large. */
static bool
place(struct layout *l, struct type_member *m)
{
	if (l->is_union)
		l->bit = 0;
	if (m->bit_size)
		place_bitfield(l, m);
	else
		place_plain(l, m);
	l->max_bit = BASE_MAX(l->max_bit, l->bit);
	return l->max_bit < TYPE_MAX_SIZE * 8;
}

bool
type_define(struct arena *a, struct type *t, const struct type_member *members,
	    uint32_t n)
{
	struct layout l = {
		.align = 1, .is_union = t->fwd_kind == TYPE_UNION,
	};
	struct type_member *copy = arena_memdup(a, members,
						sizeof(*members) * n);

	if (!copy)
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (!copy[i].type || !place(&l, &copy[i]))
			return false;
	t->kind = t->fwd_kind;
	t->n = n;
	t->u.members = copy;
	t->align = l.align;
	t->size = base_align((l.max_bit + 7) / 8, l.align);
	return true;
}

bool
type_define_enum(struct arena *a, struct type *t,
		 const struct type_enumerator *enums, uint32_t n)
{
	int64_t min = 0, max = 0;
	const struct type_enumerator *copy =
		arena_memdup(a, enums, sizeof(*enums) * n);

	if (!copy)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		min = BASE_MIN(min, copy[i].value);
		max = BASE_MAX(max, copy[i].value);
	}
	t->kind = TYPE_ENUM;
	t->n = n;
	t->u.enums = copy;
	t->size = min < INT_MIN || max > UINT_MAX || (min < 0 && max > INT_MAX)
		  ? 8 : 4;
	t->align = (uint32_t)t->size;
	t->is_signed = t->size == 8 || max <= INT_MAX;
	return true;
}
