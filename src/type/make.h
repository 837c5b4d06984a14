/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Construction: nodes in arena a; NULL in, no memory, or a type of 2^60 bytes or
 * more gives NULL.  Names are borrowed: they must live as long as the node.
 */
#ifndef TYPE_MAKE_H
#define TYPE_MAKE_H

#include "type/type.h"
#include "util/arena.h"

/* An integer of the form of `like`, with another name. */
struct type *type_new_int(struct arena *a, const char *name,
			  const struct type *like);
struct type *type_new_ptr(struct arena *a, const struct type *to);
struct type *type_new_array(struct arena *a, const struct type *of,
			    uint64_t nelems);
/* kind: TYPE_CONST, TYPE_VOLATILE, TYPE_RESTRICT. */
struct type *type_new_qual(struct arena *a, enum type_kind kind,
			   const struct type *of);
struct type *type_new_typedef(struct arena *a, const char *name,
			      const struct type *of);
struct type *type_new_fwd(struct arena *a, enum type_kind kind,
			  const char *tag);
struct type *type_new_func(struct arena *a, const struct type *result,
			   const struct type_member *params, uint32_t n,
			   bool variadic);
/* D's string of `size` bytes, NUL included. */
struct type *type_new_string(struct arena *a, uint64_t size);
struct type *type_new_dyn(struct arena *a, const char *name);

/*
 * fwd, from type_new_fwd(), becomes the struct or union it announced, also for
 * those who already point to it, laid out as the C compiler would, bit-fields
 * included (System V x86-64).  members[i].bit_offset is computed; bit_size says
 * which are bit-fields (a width of 0 with a NULL name is `int : 0`, marked by
 * bit_size UINT32_MAX).  Members are copied.  False when memory is short or the
 * type too large; then fwd is unchanged.
 */
bool type_define(struct arena *a, struct type *fwd,
		 const struct type_member *members, uint32_t n);
/* A struct or union that was just defined: aligned to so many bytes or more,
 * a power of two, and its size a multiple of that. */
void type_raise_align(struct type *t, uint32_t align);
/* A value of which only the size is known, and D can do nothing with it but
 * copy it: a typedef of a struct without members.  The same name is the same
 * type. */
struct type *type_new_opaque(struct arena *a, const char *name, uint64_t size,
			     uint32_t align);
/* As type_define(), of an enum: int-sized and signed unless a value needs
 * unsigned or 64 bits. */
bool type_define_enum(struct arena *a, struct type *fwd,
		      const struct type_enumerator *enums, uint32_t n);
/* An enum that was just defined: its values that look negative are unsigned. */
void type_widen_enum(struct type *t);
/* And as narrow as its values allow. */
void type_pack_enum(struct type *t);

#endif
