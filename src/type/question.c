/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What kind of type is this?  Every question looks through typedefs and
 * qualifiers first, and answers no for NULL, so that a caller whose operand
 * already failed need not ask.
 */
#include "base/base.h"
#include "type/type_priv.h"

static bool
is_qual(const struct type *t)
{
	return t->kind == TYPE_CONST || t->kind == TYPE_VOLATILE ||
	       t->kind == TYPE_RESTRICT;
}

const struct type *
type_unqual(const struct type *t)
{
	while (t && is_qual(t))
		t = t->base;
	return t;
}

const struct type *
type_strip(const struct type *t)
{
	while (t && (is_qual(t) || t->kind == TYPE_TYPEDEF))
		t = t->base;
	return t;
}

uint64_t
type_size(const struct type *t)
{
	t = type_strip(t);
	return t ? t->size : 0;
}

/* For a source that gives offsets but no alignment (BTF): that of the
 * strictest member, unless something does not lie on a multiple of it; then
 * the struct is packed. */
static uint32_t
align_of_members(const struct type *t)
{
	uint32_t n, align = 1;
	const struct type_member *m = type_members(t, &n);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t a = type_align(m[i].type);
		if (!m[i].bit_size && m[i].bit_offset % (a * 8ULL))
			return 1;
		align = a > align ? a : align;
	}
	return t->size % align ? 1 : align;
}

uint32_t
type_align(const struct type *t)
{
	while (t && (is_qual(t) || t->kind == TYPE_ARRAY ||
		     (t->kind == TYPE_TYPEDEF && !t->align)))
		t = t->base;
	if (!t)
		return 1;
	if (!t->align && type_is_sou(t)) {
		struct type *late = (struct type *)(uintptr_t)t;
		late->align = 1;	/* ends the walk if t is in itself */
		late->align = align_of_members(t);
	}
	return t->align ? t->align : 1;
}

static bool
is_kind(const struct type *t, enum type_kind kind)
{
	t = type_strip(t);
	return t && t->kind == kind;
}

bool
type_is_integer(const struct type *t)
{
	return is_kind(t, TYPE_INT) || is_kind(t, TYPE_ENUM);
}

bool
type_is_signed(const struct type *t)
{
	return type_is_integer(t) && type_strip(t)->is_signed;
}

bool
type_is_signed_field(const struct type *t)
{
	t = type_strip(t);
	if (!type_is_signed(t) || t->kind != TYPE_ENUM)
		return type_is_signed(t);
	uint32_t n;
	const struct type_enumerator *e = type_enums(t, &n);
	return BASE_ANY(i, n, e[i].value < 0);
}

bool
type_is_float(const struct type *t)
{
	return is_kind(t, TYPE_FLOAT);
}

bool
type_is_arith(const struct type *t)
{
	return type_is_integer(t) || type_is_float(t);
}

bool
type_is_ptr(const struct type *t)
{
	return is_kind(t, TYPE_PTR);
}

bool
type_is_scalar(const struct type *t)
{
	return type_is_integer(t) || type_is_ptr(t);
}

bool
type_is_sou(const struct type *t)
{
	return is_kind(t, TYPE_STRUCT) || is_kind(t, TYPE_UNION);
}

bool
type_is_array(const struct type *t)
{
	return is_kind(t, TYPE_ARRAY);
}

bool
type_is_func(const struct type *t)
{
	return is_kind(t, TYPE_FUNC);
}

bool
type_is_void(const struct type *t)
{
	return is_kind(t, TYPE_VOID);
}

bool
type_is_string(const struct type *t)
{
	return is_kind(t, TYPE_STRING);
}

bool
type_is_dyn(const struct type *t)
{
	return is_kind(t, TYPE_DYN);
}

bool
type_is_charptr(const struct type *t)
{
	if (!type_is_ptr(t) && !type_is_array(t))
		return false;
	const struct type *of = type_strip(type_strip(t)->base);
	return of->kind == TYPE_INT && of->is_char;
}

bool
type_is_strcompat(const struct type *t)
{
	return type_is_string(t) || type_is_charptr(t);
}

bool
type_in_user(const struct type *t)
{
	for (; t; t = t->base) {
		if (t->kind != TYPE_PTR && t->is_user)
			return true;
		if (t->kind == TYPE_FUNC)
			return false;
	}
	return false;
}

bool
type_is_complete(const struct type *t)
{
	t = type_strip(t);
	if (!t)
		return false;
	switch (t->kind) {
	case TYPE_VOID:
	case TYPE_FUNC:
	case TYPE_FWD:
	case TYPE_DYN:
		return false;
	case TYPE_ARRAY:
		return t->nelems > 0 && type_is_complete(t->base);
	default:
		return true;
	}
}
