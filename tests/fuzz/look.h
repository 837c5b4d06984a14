/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Everything that can be reached from a type without names.
 */
#ifndef TESTS_FUZZ_LOOK_H
#define TESTS_FUZZ_LOOK_H

#include "type/type.h"

/* NULL is fine. */
void look_at_type(const struct type *t);

#endif
