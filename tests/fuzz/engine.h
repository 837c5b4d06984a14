/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Running what was compiled or verified: the interpreter in a hostile world,
 * and the generator of BPF code, whose result is thrown away.
 */
#ifndef TESTS_FUZZ_ENGINE_H
#define TESTS_FUZZ_ENGINE_H

#include "dif/plan.h"

/* What a clause of a plan recorded, or an error record; NULL: not wanted. */
typedef void engine_record_fn(void *ctx, const void *record, uint32_t size);

/*
 * Fire all clauses of p, in order, `firings` times.  Memory of the world, kernel
 * and user, is noise that depends on seed; some addresses cannot be read.  A
 * program whose variables are larger than is reasonable is left alone.
 */
void engine_interpret(const struct plan_prog *p, uint64_t seed,
		      unsigned firings, engine_record_fn *fn, void *ctx);
/* Generate code for p: a limit met is the only error there is. */
void engine_generate(const struct plan_prog *p);
/* Print d in every form; what is assembled from the text is the same. */
void engine_print(const struct dif_difo *d);

#endif
