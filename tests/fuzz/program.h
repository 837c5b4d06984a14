/* SPDX-License-Identifier: BSD-2-Clause
 *
 * D text to a plan, in the made-up world of the tests of sema, in the way a
 * session does it.
 */
#ifndef TESTS_FUZZ_PROGRAM_H
#define TESTS_FUZZ_PROGRAM_H

#include "../unit/sema/world.h"
#include "gen/gen.h"

struct program {
	struct compile c;
	bool failing;			/* allocations may fail */
	const struct sema_prog *sema;	/* NULL: diagnostics say why */
	const struct plan_prog *plan;	/* the same */
};

/* text: borrowed until program_fini(). */
void program_init(struct program *p, const uint8_t *text, size_t n);
/* The nth allocation fails, and when sticky all behind it: that may end in
 * nothing, but not in half a plan. */
void program_init_failing(struct program *p, const uint8_t *text, size_t n,
			  unsigned long nth, bool sticky);
void program_fini(struct program *p);

/* Called for each DIFO of a plan. */
typedef void program_difo_fn(void *ctx, const struct dif_difo *d);
void program_difos(const struct plan_prog *p, program_difo_fn *fn, void *ctx);

#endif
