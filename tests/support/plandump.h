/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Plans as text, records and trees included: unlike what -S shows, it has no
 * addresses and leaves nothing out.
 */
#ifndef SUPPORT_PLANDUMP_H
#define SUPPORT_PLANDUMP_H

#include "gen/gen.h"

void plandump(const struct plan_prog *p, struct sb *b);

#endif
