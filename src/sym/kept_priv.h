/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Places that are known beforehand (kept.c).
 */
#ifndef SYM_KEPT_PRIV_H
#define SYM_KEPT_PRIV_H

#include "sym/names.h"
#include "sym/sym.h"
#include "util/hash.h"
#include "util/intern.h"

bool sym_kept_add(struct hash *h, struct intern *texts, enum sym_kept whose,
		  int pid, bool is_return, const struct sym_place *p);
/* Unknown: a place without names. */
void sym_kept_find(const struct hash *h, enum sym_kept whose, int pid,
		   bool is_return, uint64_t addr, struct sym_place *ret);
void sym_kept_fini(struct hash *h);

#endif
