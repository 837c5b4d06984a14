/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Build ids, and files found by them.
 */
#ifndef SYM_DEBUG_PRIV_H
#define SYM_DEBUG_PRIV_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sym/file.h"

enum { SYM_ID_MAX = SYM_BUILD_ID_MAX };

/* Bytes of the build id into id; 0: the file has none. */
size_t sym_build_id(Elf *e, uint8_t id[SYM_ID_MAX]);
/* Do both files have one, and the same? */
bool sym_same_build(Elf *a, Elf *b);
/* Open the file of a build id below dir; -1: there is none. */
int sym_open_build(const uint8_t *id, size_t n, const char *dir);

#endif
