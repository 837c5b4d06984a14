/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What attributes of C make of a type.
 *
 * packed and aligned of a member are for the layout (type/layout.c).  A mode
 * says which integer is meant by how wide it is.  What D cannot compute with
 * (vectors, integers and floating-point numbers of 128 bits, complex numbers)
 * is known by its size: structs that hold such values are laid out as C does,
 * and only who uses one is told that it is no number.
 */
#include <string.h>

#include "sema/expr_priv.h"
#include "sema/tree.h"
#include "sema/type_priv.h"
#include "type/make.h"

enum { STRICTEST_ALIGN = 16, MAX_ALIGN = 1 << 28 };

/* The bytes of ALIGNED or VECTOR; 0 after a report. */
static uint64_t
attr_bytes(struct sema *s, const struct ast_attr *a)
{
	int64_t v = STRICTEST_ALIGN;

	if (a->tname) {
		const struct type *t = sema_decl_type(s, a->tname,
						      DECL_TYPENAME);
		return t ? type_align(t) : 0;
	}
	if (a->value) {
		sema_expr(s, a->value);
		if (!a->value->type)
			return 0;
		if (!sema_const(a->value, &v))
			v = 0;
	}
	if (v > 0 && v <= MAX_ALIGN && !(v & (v - 1)))
		return (uint64_t)v;
	diag(s->d, D_DECL_ARRSUB, a->span, "a constant power of two is needed "
	     "here");
	return 0;
}

void
sema_attrs(struct sema *s, const struct ast_attr *a, struct sema_attrs *ret)
{
	for (; a; a = a->next) {
		if (a->kind == AST_ATTR_PACKED)
			ret->is_packed = true;
		else if (a->kind == AST_ATTR_ALIGNED)
			ret->align = BASE_MAX(ret->align,
					      (uint32_t)attr_bytes(s, a));
	}
}

/* --- Types of other widths ------------------------------------------------ */

static const struct type *
with_mode(struct sema *s, const struct ast_attr *a, const struct type *t)
{
	static const struct {
		const char *word;
		const struct type *is_signed, *is_unsigned;
	} modes[] = {
		{ "QI", &type_schar, &type_uchar },
		{ "byte", &type_schar, &type_uchar },
		{ "HI", &type_short, &type_ushort },
		{ "SI", &type_int, &type_uint },
		{ "DI", &type_long, &type_ulong },
		{ "word", &type_long, &type_ulong },
		{ "pointer", &type_long, &type_ulong },
		{ "unwind_word", &type_long, &type_ulong },
		{ "SF", &type_float, &type_float },
		{ "DF", &type_double, &type_double },
		{ "XF", &type_ldouble, &type_ldouble },
	};
	const char *word = a->word ? a->word : "";

	for (size_t i = 0; i < BASE_NELEMS(modes); i++)
		if (ast_attr_is(word, modes[i].word))
			return type_is_signed(t) ? modes[i].is_signed
						 : modes[i].is_unsigned;
	return type_new_opaque(s->a, "integer or number of 128 bits or more",
			       16, 16);
}

/* So many bytes of elements t. */
static const struct type *
vector(struct sema *s, const struct ast_attr *a, const struct type *t)
{
	uint64_t size = attr_bytes(s, a);
	const char *name = arena_printf(s->a, "vector of %llu bytes of %s",
					(unsigned long long)size,
					sema_tname(s, t));

	return size && name ? type_new_opaque(s->a, name, size, (uint32_t)size)
			    : NULL;
}

const struct type *
sema_attr_type(struct sema *s, const struct ast_attr *a, const struct type *t)
{
	for (; a && t; a = a->next) {
		bool is_number = type_is_integer(t) || type_is_float(t);
		if (a->kind == AST_ATTR_MODE && is_number)
			t = with_mode(s, a, t);
		else if (a->kind == AST_ATTR_VECTOR && is_number)
			t = vector(s, a, t);
	}
	return t;
}

/* --- Types that D lacks --------------------------------------------------- */

const struct type *
sema_foreign_words(struct sema *s, const struct ast_spec *sp)
{
	if (sp->n_int128)
		return type_new_opaque(s->a, sp->n_unsigned ?
				       "unsigned __int128" : "__int128",
				       16, 16);
	if (sp->n_float128)
		return type_new_opaque(s->a, sp->n_complex ?
				       "_Float128 _Complex" : "_Float128",
				       sp->n_complex ? 32 : 16, 16);
	if (sp->n_float)
		return type_new_opaque(s->a, "float _Complex", 8, 4);
	return sp->n_long ?
		type_new_opaque(s->a, "long double _Complex", 32, 16) :
		type_new_opaque(s->a, "double _Complex", 16, 8);
}

const struct type *
sema_foreign_name(struct sema *s, const char *name)
{
	static const struct {
		const char *name;
		uint8_t size, align;
	} names[] = {
		{ "__builtin_va_list", 24, 8 }, { "__int128_t", 16, 16 },
		{ "__uint128_t", 16, 16 }, { "_Float64x", 16, 16 },
		{ "__bf16", 2, 2 }, { "_Float16", 2, 2 },
	};

	for (size_t i = 0; i < BASE_NELEMS(names); i++)
		if (!strcmp(names[i].name, name))
			return type_new_opaque(s->a, names[i].name,
					       names[i].size, names[i].align);
	return NULL;
}
