/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Annotated trees to plans: DIF for each expression, record layouts, variable
 * and aggregation tables.
 */
#ifndef GEN_GEN_H
#define GEN_GEN_H

#include "dif/plan.h"
#include "sema/sema.h"

/*
 * Compile every clause of progs, in order, to one plan; clause i of the plan
 * is the i-th clause over all programs.  Everything is allocated in a.
 * Diagnostics (limits met: D_NOREG, D_CG_*) go to d; NULL when any was
 * reported or memory is short.  strsize: bytes, NUL included.  who: records say
 * which thread they are about (struct abi_who).
 */
const struct plan_prog *gen_plan(struct arena *a, const struct sema *s,
				 const struct sema_prog *const *progs,
				 unsigned nprogs, uint32_t strsize, bool who,
				 struct diag_list *d);

/* Every DIFO of the plan in order, as -S prints them. */
void gen_print(const struct plan_prog *p, struct sb *b);

#endif
