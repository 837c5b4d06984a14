/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where members lie: System V x86-64 and AAPCS64, which is what the kernel and every
 * program we trace was compiled for.
 *
 * A plain member goes to the next multiple of its alignment.  A bit-field of
 * declared type T goes to the next free bit unless it would then lie across a
 * multiple of T's size, in which case it starts there.  A width of zero only
 * moves to such a multiple.  Bit-fields without a name do not
 * raise the alignment of the struct on x86-64; all other members do.  A union is the same
 * with every member starting at zero.
 *
 * GNU C changes alignments: of a packed member it is one byte, of a packed
 * bit-field one bit; of an aligned one at least so much, and then for a
 * bit-field, too; and #pragma pack is a limit to whatever comes of that.  Under
 * any such limit bit-fields may lie across anything, and packed does not lower
 * what they ask of the struct.
 */
#include <limits.h>

#include "base/base.h"
#include "type/make.h"
#include "type/type_priv.h"

#if defined(__aarch64__)
enum { UNNAMED_ALIGNS = true };
#else
enum { UNNAMED_ALIGNS = false };
#endif

struct layout {
	uint64_t bit;		/* the next free one */
	uint64_t max_bit;	/* the end of the longest member */
	uint32_t align;		/* bytes, so far */
	bool is_union;
};

/* In bytes. */
static uint32_t
limited(const struct type_member *m, uint32_t align)
{
	return m->max_align ? BASE_MIN(align, (uint32_t)m->max_align) : align;
}

/* Of a member, in bytes. */
static uint32_t
member_align(const struct type_member *m)
{
	bool is_tight = m->is_packed && !(m->bit_size && m->max_align);
	uint32_t align = is_tight ? 1 : type_align(m->type);

	return limited(m, BASE_MAX(align, m->align));
}

static void
place_bitfield(struct layout *l, struct type_member *m)
{
	uint64_t unit = limited(m, type_align(m->type)) * 8ULL;

	if (m->name || UNNAMED_ALIGNS)
		l->align = BASE_MAX(l->align, member_align(m));
	if (m->bit_size == UINT32_MAX) {
		l->bit = base_align(l->bit, unit);
		m->bit_offset = l->bit;
		return;
	}
	if (m->align)
		l->bit = base_align(l->bit, limited(m, m->align) * 8ULL);
	if (!m->is_packed && !m->max_align &&
	    l->bit % unit + m->bit_size > unit)
		l->bit = base_align(l->bit, unit);
	m->bit_offset = l->bit;
	l->bit += m->bit_size;
}

static void
place_plain(struct layout *l, struct type_member *m)
{
	l->bit = base_align(l->bit, member_align(m) * 8ULL);
	m->bit_offset = l->bit;
	l->bit += type_size(m->type) * 8;
	l->align = BASE_MAX(l->align, member_align(m));
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

void
type_raise_align(struct type *t, uint32_t align)
{
	t->align = BASE_MAX(t->align, align);
	t->size = base_align(t->size, t->align);
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
	t->is_signed = min < 0 || max <= INT_MAX;
	return true;
}

void
type_pack_enum(struct type *t)
{
	int64_t min = 0, max = 0;

	for (uint32_t i = 0; i < t->n; i++) {
		min = BASE_MIN(min, t->u.enums[i].value);
		max = BASE_MAX(max, t->u.enums[i].value);
	}
	t->is_signed = min < 0;
	for (unsigned bits = 32; bits > 4 && t->size <= 4; bits /= 2) {
		unsigned high = bits - t->is_signed;
		if (max >> high || min < -(1LL << high))
			break;
		t->size = t->align = bits / 8;
	}
}

void
type_widen_enum(struct type *t)
{
	t->size = t->align = 8;
	t->is_signed = false;
}
