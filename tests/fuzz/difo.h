/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One DIFO: as bytes, and by itself as a program.
 *
 * The bytes, little-endian: return type; number of integers (2 bytes), of
 * bytes of strings (2), of variables (1), the tables; the words.  A type is
 * kind, ckind, flags, 0 and 4 bytes of size; a variable is name (2), id (2),
 * kind, scope, flags (1 each) and a type.
 */
#ifndef TESTS_FUZZ_DIFO_H
#define TESTS_FUZZ_DIFO_H

#include "dif/dif.h"
#include "fuzz.h"
#include "util/sb.h"

void difo_encode(const struct dif_difo *d, struct sb *b);
/* Every table has an allocation of its own; given back by difo_fini(). */
void difo_decode(struct dif_difo *d, struct bytes b);
void difo_fini(struct dif_difo *d);

/* Verify d; when it is sound, print it and run it as a predicate, for its
 * effect, into a record and into an aggregation, on both engines. */
void difo_check(const struct dif_difo *d, uint64_t seed);

#endif
