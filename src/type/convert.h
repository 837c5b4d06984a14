/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Two types: whether they are one, or go together, and what they become.
 */
#ifndef TYPE_CONVERT_H
#define TYPE_CONVERT_H

#include "type/type.h"

/* Same type: structure for derived types, names for tagged ones.  Typedefs
 * and outermost qualifiers do not count; strings of any size are one type. */
bool type_equal(const struct type *a, const struct type *b);
/* Pointers that may be compared, assigned or passed for one another: equal
 * but for qualifiers, one of them void *, or to integers of one size that
 * differ in name (or, for characters, in sign).  Arrays and functions decay;
 * anything else is not a pointer and compatible with nothing. */
bool type_ptr_compat(const struct type *a, const struct type *b);
/* The usual arithmetic conversions of two integers (INT or ENUM, which the
 * caller has made sure of), by C rank; the result is a basic type. */
const struct type *type_usual_arith(const struct type *a,
				    const struct type *b);
/* Integer promotion of one; the result is a basic type. */
const struct type *type_promote(const struct type *t);

#endif
