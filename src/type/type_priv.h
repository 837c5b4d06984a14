/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the files of this folder share.
 */
#ifndef TYPE_TYPE_PRIV_H
#define TYPE_TYPE_PRIV_H

#include "type/type.h"

/* Bytes; see invariant 3 of basic.c. */
#define TYPE_MAX_SIZE ((uint64_t)1 << 60)

/* How deep types may nest before we stop looking: data from outside can be
 * deeper than the stack. */
enum { TYPE_MAX_DEPTH = 64 };

extern const struct type type_char_ptr;

#endif
