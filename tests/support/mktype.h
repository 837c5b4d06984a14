/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A struct, union or enum in one step, for tests: what announces one and then
 * defines it, as D source and BTF do, has the two calls of type/type.h.
 */
#ifndef SUPPORT_MKTYPE_H
#define SUPPORT_MKTYPE_H

#include "type/make.h"
#include "type/type.h"

/* tag may be NULL.  NULL when memory is short or the type too large. */
static inline struct type *
mktype_sou(struct arena *a, enum type_kind kind, const char *tag,
	   const struct type_member *members, uint32_t n)
{
	struct type *t = type_new_fwd(a, kind, tag);

	return t && type_define(a, t, members, n) ? t : NULL;
}

static inline struct type *
mktype_enum(struct arena *a, const char *tag,
	    const struct type_enumerator *enums, uint32_t n)
{
	struct type *t = type_new_fwd(a, TYPE_ENUM, tag);

	return t && type_define_enum(a, t, enums, n) ? t : NULL;
}

#endif
