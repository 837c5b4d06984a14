/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Members of structs and unions, values of enums.
 *
 * What a class inherits is a member without a name at its place, so that its members
 * are found in it.  Static members and functions are none.  An enum of Rust is a
 * struct whose variants lie over one another, with a member discr, which tells them
 * apart and has no name there.
 */
#include <limits.h>

#include "base/base.h"
#include "dwarftypes/load_priv.h"
#include "type/make.h"

struct members {
	struct dwarftypes *d;
	VEC(struct type_member) all;
	int depth;
};

enum { MAX_VARIANTS = 4 };	/* that lie in one another */

static bool add_all(struct members *m, Dwarf_Die *parent);

/* Bytes from the beginning of the struct: a number, or as DWARF 2 has it, how many are
 * added to that; false: only a running program knows. */
static bool
byte_offset(const struct dwarftypes *d, Dwarf_Attribute *a, Dwarf_Die *die,
	    uint64_t *ret)
{
	Dwarf_Op *ops;
	size_t n;

	if (dwarftypes_number(d, die, DW_AT_data_member_location, ret))
		return true;
	if (d->lib->dwarf_getlocation(a, &ops, &n) || n != 1 ||
	    ops->atom != DW_OP_plus_uconst)
		return false;
	*ret = ops->number;
	return true;
}

/* Where in the struct it lies, in bits; false: only a running program knows. */
static bool
bit_offset(const struct dwarftypes *d, Dwarf_Die *die, struct type_member *m)
{
	uint64_t byte = 0, bit, size = type_size(m->type);
	Dwarf_Attribute a;

	m->bit_offset = 0;
	if (dwarftypes_number(d, die, DW_AT_data_bit_offset, &m->bit_offset))
		return true;
	if (d->lib->dwarf_attr(die, DW_AT_data_member_location, &a) &&
	    !byte_offset(d, &a, die, &byte))
		return false;
	m->bit_offset = byte * 8;
	if (!m->bit_size || !dwarftypes_number(d, die, DW_AT_bit_offset, &bit))
		return true;
	/* Counted from the highest bit of what holds it. */
	dwarftypes_number(d, die, DW_AT_byte_size, &size);
	m->bit_offset += size * 8 - bit - m->bit_size;
	return true;
}

static bool
add_member(struct members *m, Dwarf_Die *die, bool is_base)
{
	struct dwarftypes *d = m->d;
	struct type_member one = { .type = dwarftypes_type_of(d, die) };
	uint64_t bits = 0;

	if (!one.type)
		return false;
	if (!is_base)
		one.name = dwarftypes_name(d, die);
	if (!one.name && m->depth)
		one.name = "discr";	/* which variant is there */
	dwarftypes_number(d, die, DW_AT_bit_size, &bits);
	one.bit_size = bits <= 64 ? (uint32_t)bits : 0;
	/* One of as many bits as its type is none, but for where it lies. */
	if (!bit_offset(d, die, &one))
		return true;
	return vec_push(&m->all, one);
}

static bool
add_variants(struct members *m, Dwarf_Die *die)
{
	if (m->depth == MAX_VARIANTS)
		return false;
	m->depth++;
	bool ok = add_all(m, die);
	m->depth--;
	return ok;
}

static bool
add_entry(struct members *m, Dwarf_Die *die)
{
	switch (m->d->lib->dwarf_tag(die)) {
	case DW_TAG_member:
		/* Static ones. */
		return dwarftypes_has_flag(m->d, die, DW_AT_external) ||
		       dwarftypes_has_flag(m->d, die, DW_AT_declaration) ||
		       add_member(m, die, false);
	case DW_TAG_inheritance:
		return add_member(m, die, true);
	case DW_TAG_variant_part:
	case DW_TAG_variant:
		return add_variants(m, die);
	default:
		return true;
	}
}

static bool
add_all(struct members *m, Dwarf_Die *parent)
{
	Dwarf_Die die;

	if (m->d->lib->dwarf_child(parent, &die))
		return true;
	do {
		if (!add_entry(m, &die))
			return false;
	} while (m->d->lib->dwarf_siblingof(&die, &die) == 0);
	return true;
}

bool
dwarftypes_load_sou(struct type *t)
{
	struct members m = { .d = t->load_ctx };
	Dwarf_Die *die = (Dwarf_Die *)(uintptr_t)t->load_arg;
	bool ok = add_all(&m, die) && m.all.n <= UINT32_MAX;

	if (ok && m.all.n) {
		t->u.members = arena_memdup(m.d->arena, m.all.v,
					    m.all.n * sizeof(*m.all.v));
		ok = t->u.members;
	}
	if (ok) {
		t->n = (uint32_t)m.all.n;
		t->load = NULL;
	}
	vec_fini(&m.all);
	return ok;
}

/* --- Enums ---------------------------------------------------------------- */

/* What is written as so many bytes is not negative, unless the enum says so. */
static bool
value_of(const struct dwarftypes *d, Dwarf_Die *die, int64_t *ret)
{
	Dwarf_Attribute a;
	Dwarf_Word u;
	Dwarf_Sword s;

	if (!d->lib->dwarf_attr(die, DW_AT_const_value, &a))
		return false;
	unsigned form = d->lib->dwarf_whatform(&a);
	if (form != DW_FORM_sdata && form != DW_FORM_implicit_const) {
		if (d->lib->dwarf_formudata(&a, &u))
			return false;
		*ret = (int64_t)u;
		return true;
	}
	if (d->lib->dwarf_formsdata(&a, &s))
		return false;
	*ret = s;
	return true;
}

/* Calls fn for each value; false when it ends that. */
static bool
each_value(struct dwarftypes *d, Dwarf_Die *die,
	   bool (*fn)(void *ctx, struct type_enumerator e), void *ctx)
{
	Dwarf_Die kid;

	if (d->lib->dwarf_child(die, &kid))
		return true;
	do {
		struct type_enumerator e = { .name = NULL };
		if (d->lib->dwarf_tag(&kid) != DW_TAG_enumerator ||
		    !value_of(d, &kid, &e.value))
			continue;
		e.name = dwarftypes_name(d, &kid);
		if (!fn(ctx, e))
			return false;
	} while (d->lib->dwarf_siblingof(&kid, &kid) == 0);
	return true;
}

typedef VEC(struct type_enumerator) enumerators;

static bool
add_value(void *ctx, struct type_enumerator e)
{
	enumerators *all = ctx;

	return vec_push(all, e);
}

bool
dwarftypes_load_enum(struct type *t)
{
	struct dwarftypes *d = t->load_ctx;
	enumerators all = { 0 };
	bool ok = each_value(d, (Dwarf_Die *)(uintptr_t)t->load_arg, add_value,
			     &all) && all.n <= UINT32_MAX;

	if (ok && all.n) {
		t->u.enums = arena_memdup(d->arena, all.v,
					  all.n * sizeof(*all.v));
		ok = t->u.enums;
	}
	if (ok) {
		t->n = (uint32_t)all.n;
		t->load = NULL;
	}
	vec_fini(&all);
	return ok;
}

struct range { int64_t min, max; };

static bool
widen(void *ctx, struct type_enumerator e)
{
	struct range *r = ctx;

	r->min = BASE_MIN(r->min, e.value);
	r->max = BASE_MAX(r->max, e.value);
	return true;
}

void
dwarftypes_shape_enum(struct dwarftypes *d, Dwarf_Die *die, struct type *t)
{
	struct range r = { 0, 0 };
	Dwarf_Attribute a;

	if (t->size != 1 && t->size != 2 && t->size != 8)
		t->size = 4;
	t->align = (uint32_t)t->size;
	each_value(d, die, widen, &r);
	t->is_signed = r.min < 0 ||
		       (t->size == 4 && r.max <= INT_MAX);
	if (d->lib->dwarf_attr(die, DW_AT_type, &a)) {
		const struct type *of = dwarftypes_type_of(d, die);
		t->is_signed = of && type_is_integer(of) && type_is_signed(of);
	}
}
