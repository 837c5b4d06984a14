/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A prelude (plan_clause): whether the firing is one of its probe, and what its
 * arguments are.
 *
 *  1. While it runs the firing counts as one that exit() has ended; at its end
 *     that is taken back.  So whatever keeps it from its end, the predicate or a
 *     fault, keeps clauses from running.
 *  2. Programs fetch raw arguments for preludes only (firing.c).  The values take
 *     their place, and one that another value is still to be made of is
 *     kept aside until the last has been made.
 *  3. Only those are made that clauses of the probe use, so they have been
 *     generated before it.
 */
#include <assert.h>

#include "ebpf/clause_priv.h"

/* What the clauses use that run behind prelude number `index`. */
static uint32_t
used_behind(const struct ebpf *g, uint32_t index, const struct plan_probe *p)
{
	uint32_t args = 0;

	if (!p->nclauses || p->clauses[0] != index)
		return 0;
	for (uint32_t i = 1; i < p->nclauses; i++) {
		assert(p->clauses[i] < index);
		for (const struct ebpf_chunk *c = &g->clauses[p->clauses[i]];
		     c; c = c->next)
			args |= c->use.args;
	}
	return args;
}

static uint32_t
used(const struct ebpf *g, uint32_t index)
{
	uint32_t args = 0;

	for (uint32_t i = 0; i < g->in->npoints; i++)
		for (uint32_t k = 0; k < g->in->points[i].nprobes; k++)
			args |= used_behind(g, index,
					    &g->in->points[i].probes[k]);
	return args;
}

static uint32_t
raw_args(const struct dif_difo *d)
{
	uint32_t args = 0;

	for (uint32_t pc = 0; pc < d->ntext; pc++) {
		unsigned var = DIF_INSN_INDEX(d->text[pc]);
		if (DIF_INSN_OP(d->text[pc]) == DIF_OP_LDGS &&
		    var >= DIF_VAR_ARG0 && var < DIF_VAR_ARG0 + ABI_NARGS)
			args |= 1u << (var - DIF_VAR_ARG0);
	}
	return args;
}

/* Is raw argument n still wanted for a value behind n's? */
static bool
wanted_behind(const struct plan_node *node, unsigned n, uint32_t want)
{
	unsigned i = n;

	while ((node = node->next))
		if (want & 1u << ++i && raw_args(node->difos[0]) & 1u << n)
			return true;
	return false;
}

void
ebpf_prelude(struct ebpf_body *b, const struct plan_clause *c)
{
	struct ebpf_out *o = b->o;
	uint32_t want = used(b->g, (uint32_t)(c - b->g->plan->clauses));
	uint32_t aside[ABI_NARGS] = { 0 };
	unsigned n = 0;

	for (const struct plan_node *p = c->body; p; p = p->next, n++) {
		assert(p->kind == PLAN_EXPR && n < ABI_NARGS);
		if (!(want & 1u << n))
			continue;
		ebpf_number(b, p->difos[0], p->action_no);
		if (!wanted_behind(p, n, want)) {
			ebpf_store(o, 8, R_FS, FS_ARGS + 8 * (int)n, BPF_REG_0);
			continue;
		}
		aside[n] = ebpf_temp(o, 8);
		ebpf_store(o, 8, R_SLOT, (int32_t)aside[n], BPF_REG_0);
	}
	for (unsigned i = 0; i < ABI_NARGS; i++) {
		if (aside[i]) {
			ebpf_load(o, 8, BPF_REG_0, R_SLOT, (int32_t)aside[i]);
			ebpf_store(o, 8, R_FS, FS_ARGS + 8 * (int)i, BPF_REG_0);
		} else if (i >= n && want & 1u << i) {
			ebpf_store_imm(o, 8, R_FS, FS_ARGS + 8 * (int)i, 0);
		}
	}
}

void
ebpf_prelude_begin(struct ebpf_out *o)
{
	o->use.exit = true;
	ebpf_store_imm(o, 1, R_FS, FS_EXITED, 1);
}

void
ebpf_prelude_end(struct ebpf_out *o)
{
	ebpf_store_imm(o, 1, R_FS, FS_EXITED, 0);
}
