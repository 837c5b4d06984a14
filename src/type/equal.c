/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Sameness.  Tagged types are the same when their tags are, whatever module
 * they came from and whether or not one of them is only declared: the kernel
 * has one `struct file`, seen by many.  Types without a tag are compared
 * member by member, and here, where members lead back to types, data from
 * outside may be circular or doubly shared; so each comparison has a budget
 * of steps and answers "different" when it runs out.
 */
#include <string.h>

#include "base/base.h"
#include "type/convert.h"
#include "type/type_priv.h"

enum { MAX_STEPS = 4096 };

enum { QUAL_CONST = 1, QUAL_VOLATILE = 2, QUAL_RESTRICT = 4 };

struct walk {
	unsigned depth, steps;
};

static bool same(struct walk *w, const struct type *a, const struct type *b);

/* The type below typedefs and qualifiers; *quals collects the latter. */
static const struct type *
bare(const struct type *t, unsigned *quals)
{
	for (*quals = 0;; t = t->base) {
		switch (t->kind) {
		case TYPE_TYPEDEF: break;
		case TYPE_CONST: *quals |= QUAL_CONST; break;
		case TYPE_VOLATILE: *quals |= QUAL_VOLATILE; break;
		case TYPE_RESTRICT: *quals |= QUAL_RESTRICT; break;
		default: return t;
		}
	}
}

static bool
same_name(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool
same_int(const struct type *a, const struct type *b)
{
	if (a->rank != b->rank || a->size != b->size ||
	    a->is_signed != b->is_signed || a->is_bool != b->is_bool ||
	    a->is_char != b->is_char)
		return false;
	/* char and signed char differ in nothing but their name. */
	return !a->is_char || same_name(a->name, b->name);
}

static int
tag_kind(const struct type *t)
{
	return t->kind == TYPE_FWD ? t->fwd_kind : t->kind;
}

static bool
is_tagged(const struct type *t)
{
	int kind = tag_kind(t);

	return kind == TYPE_STRUCT || kind == TYPE_UNION || kind == TYPE_ENUM;
}

static bool
same_members(struct walk *w, const struct type *a, const struct type *b)
{
	uint32_t na, nb;
	const struct type_member *ma = type_members(a, &na);
	const struct type_member *mb = type_members(b, &nb);

	if (na != nb || a->size != b->size || !na)
		return false;
	for (uint32_t i = 0; i < na; i++) {
		if (ma[i].bit_offset != mb[i].bit_offset ||
		    ma[i].bit_size != mb[i].bit_size ||
		    !same_name(ma[i].name, mb[i].name) ||
		    !same(w, ma[i].type, mb[i].type))
			return false;
	}
	return true;
}

static bool
same_enums(const struct type *a, const struct type *b)
{
	uint32_t na, nb;
	const struct type_enumerator *ea = type_enums(a, &na);
	const struct type_enumerator *eb = type_enums(b, &nb);

	if (na != nb || !na)
		return false;
	return !BASE_ANY(i, na,
			 ea[i].value != eb[i].value ||
			 !same_name(ea[i].name, eb[i].name));
}

static bool
same_tagged(struct walk *w, const struct type *a, const struct type *b)
{
	if (tag_kind(a) != tag_kind(b))
		return false;
	if (a->name || b->name)
		return same_name(a->name, b->name);
	if (a->kind == TYPE_FWD || b->kind == TYPE_FWD)
		return false;
	return a->kind == TYPE_ENUM ? same_enums(a, b) : same_members(w, a, b);
}

static bool
same_func(struct walk *w, const struct type *a, const struct type *b)
{
	uint32_t na, nb;
	const struct type_member *pa = type_params(a, &na);
	const struct type_member *pb = type_params(b, &nb);
	unsigned quals;

	if (na != nb || a->variadic != b->variadic ||
	    !same(w, a->base, b->base))
		return false;
	/* A qualifier on the parameter itself is the callee's business. */
	return !BASE_ANY(i, na,
			 !same(w, bare(pa[i].type, &quals),
			       bare(pb[i].type, &quals)));
}

/* Neither a nor b is a typedef or qualifier. */
static bool
same_bare(struct walk *w, const struct type *a, const struct type *b)
{
	if (a == b)
		return true;
	if (is_tagged(a) && is_tagged(b))
		return same_tagged(w, a, b);
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case TYPE_INT:
		return same_int(a, b);
	case TYPE_FLOAT:
		return a->size == b->size;
	case TYPE_PTR:
		return same(w, a->base, b->base);
	case TYPE_ARRAY:
		return a->nelems == b->nelems && same(w, a->base, b->base);
	case TYPE_FUNC:
		return same_func(w, a, b);
	case TYPE_DYN:
		return same_name(a->name, b->name);
	default:	/* void; strings of any size are one type */
		return true;
	}
}

static bool
same(struct walk *w, const struct type *a, const struct type *b)
{
	unsigned qa, qb;

	a = bare(a, &qa);
	b = bare(b, &qb);
	if (qa != qb || w->depth >= TYPE_MAX_DEPTH || ++w->steps > MAX_STEPS)
		return false;
	w->depth++;
	bool yes = same_bare(w, a, b);
	w->depth--;
	return yes;
}

bool
type_equal(const struct type *a, const struct type *b)
{
	struct walk w = { 0 };

	return a && b && same(&w, type_strip(a), type_strip(b));
}

/* What t points to once arrays and functions have decayed, or NULL. */
static const struct type *
pointee(const struct type *t)
{
	t = type_strip(t);
	if (!t)
		return NULL;
	if (t->kind == TYPE_FUNC)
		return t;
	return t->kind == TYPE_PTR || t->kind == TYPE_ARRAY
	       ? type_strip(t->base) : NULL;
}

/* Integers that differ in name only: char and unsigned char, but also
 * D's uint64_t (long) and the kernel's u64 (long long). */
static bool
same_shape(const struct type *a, const struct type *b)
{
	if (a->kind != TYPE_INT || b->kind != TYPE_INT || a->size != b->size)
		return false;
	return (a->is_char && b->is_char) ||
	       (a->is_signed == b->is_signed && a->is_bool == b->is_bool);
}

bool
type_ptr_compat(const struct type *a, const struct type *b)
{
	/* Below the first level too, qualifiers and signs of char matter
	 * little: char ** and const char ** are one thing to D. */
	for (int i = 0; i < TYPE_MAX_DEPTH; i++) {
		a = pointee(a);
		b = pointee(b);
		if (!a || !b)
			return false;
		if (i == 0 && (type_is_void(a) || type_is_void(b)))
			return true;
		if (type_equal(a, b) || same_shape(a, b))
			return true;
		if (a->kind != TYPE_PTR || b->kind != TYPE_PTR)
			return false;
	}
	return false;
}
