/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Inside the code generator.  An expression goes through three forms:
 *
 *   tree  --(expr.c, cond.c, ...)-->  struct gen_code: DIF instructions over
 *         any number of virtual registers, and labels
 *         --(regs.c)-->  the same over %r1..%r7, spilling to hidden
 *         clause-locals
 *         --(finish.c)-->  struct dif_difo
 */
#ifndef GEN_GEN_PRIV_H
#define GEN_GEN_PRIV_H

#include "gen/gen.h"
#include "util/vec.h"

/* Which built-in all uses of one part of an aggregation's key name directly,
 * so that four bytes of probe id do for it. */
enum { GEN_PART_UNSEEN = -1, GEN_PART_NO = -2 };

struct gen {
	struct arena *a;
	const struct sema *sema;
	struct diag_list *d;
	uint32_t strsize;		/* bytes, NUL included */
	bool who;			/* records have a struct abi_who */
	uint32_t loopmax;
	uint32_t spill_id;		/* of the first hidden clause-local */
	uint32_t nspills;		/* hidden clause-locals of all DIFOs */
	uint32_t spill_base;		/* the first that is not a function's
					 * that has been compiled */
	const struct plan_func *funcs;	/* those that have been compiled */
	/* [agg id - 1][key]: enum abi_probe_part or GEN_PART_* */
	int **key_parts;
	const char ***key_names;	/* [agg id - 1][key]: text, or NULL */
	const struct abi_agg_desc *aggs;
	uint32_t naggs;
	VEC(const char *) files;	/* see place.c */
	bool failed;			/* reported, or no memory */
};

/* place.c: the span's, abi_place(). */
uint32_t gen_place_of(struct gen *g, struct lang_span span);

bool gen_agg_table(struct gen *g, const struct sema_prog *const *progs,
		   unsigned nprogs);
bool gen_clause(struct gen *g, const struct sema_clause *sc, bool is_prelude,
		struct plan_clause *ret);
bool gen_func(struct gen *g, const struct sema_func *f, struct plan_func *ret);

#endif
