/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How many elements an aggregation can have, whatever happens.
 *
 * The kernel makes the buckets of a hash beforehand, 16 bytes for each element that
 * there may be, and for all that aggsize has room for that takes longer than
 * anything else at the start.  But in many programs keys are few, and one can
 * see it:
 *
 *  1. BEGIN and END fire once.  A statement there that is in no loop makes one
 *     element.
 *  2. @[probefunc], @["reads"], @[cpu, id % 2]: what a key says is settled by the
 *     probe and the CPU.  A statement makes an element for each of these at
 *     most, however often they fire.
 *
 * All this times the pieces of a histogram, of which more than one may be used.
 * (A CPU that is part of a key is the CPU of the element.)  Of any other statement
 * nothing is known, nor of what dtrace:::ERROR does, since anything may fault; nor
 * where more probes may come while tracing, as of libraries that a process loads.
 * (Functions cannot aggregate.)
 */
#include <assert.h>
#include <string.h>

#include "base/base.h"
#include "kengine/kengine_priv.h"
#include "kengine/size_priv.h"
#include "util/alloc.h"

/* Nothing is known. */
#define MANY UINT64_MAX

static uint64_t
add(uint64_t a, uint64_t b)
{
	return a > MANY - b ? MANY : a + b;
}

static bool
var_is_settled(unsigned id)
{
	switch (id) {
	case DIF_VAR_ID: case DIF_VAR_EPID: case DIF_VAR_CPU:
	case DIF_VAR_PROBEMOD: case DIF_VAR_PROBEFUNC: case DIF_VAR_PROBENAME:
		return true;
	default:
		return false;
	}
}

static bool
insn_is_settled(uint32_t w)
{
	switch (DIF_INSN_OP(w)) {
	case DIF_OP_OR: case DIF_OP_XOR: case DIF_OP_AND: case DIF_OP_SLL:
	case DIF_OP_SRL: case DIF_OP_SRA: case DIF_OP_SUB: case DIF_OP_ADD:
	case DIF_OP_MUL: case DIF_OP_SDIV: case DIF_OP_UDIV:
	case DIF_OP_SREM: case DIF_OP_UREM: case DIF_OP_NOT: case DIF_OP_MOV:
	case DIF_OP_SETX: case DIF_OP_SETS: case DIF_OP_RET: case DIF_OP_NOP:
		return true;
	case DIF_OP_LDGS:
		return var_is_settled(DIF_INSN_INDEX(w));
	default:
		return false;
	}
}

/* Is its value settled by the probe and the CPU?  Not one with branches, though
 * it might be. */
static bool
is_settled(const struct dif_difo *d)
{
	for (uint32_t pc = 0; d && pc < d->ntext; pc++)
		if (!insn_is_settled(d->text[pc]))
			return false;
	return d != NULL;	/* NULL: a stack */
}

/* The probes that run a clause. */
struct runs {
	uint64_t once, often;	/* how many fire once, and more often */
	bool more;		/* others may come */
};

struct counting {
	unsigned ncpus;
	struct runs runs;
	uint64_t *most;		/* by aggregation id - 1 */
};

static void
count_nodes(const struct counting *c, const struct plan_node *n, bool loops)
{
	for (; n; n = n->next) {
		bool loop = loops || n->kind == PLAN_LOOP;
		count_nodes(c, n->then_, loop);
		count_nodes(c, n->else_, loop);
		if (n->kind != PLAN_AGG)
			continue;
		bool settled = !BASE_ANY(i, n->agg->nkeys,
					 !is_settled(n->difos[i]));
		uint64_t often = c->runs.often + (loops ? c->runs.once : 0);
		uint64_t once = loops ? 0 : c->runs.once;
		assert(n->agg->id && n->agg->nkeys <= n->ndifos);
		uint64_t *to = &c->most[n->agg->id - 1];
		if (c->runs.more)
			*to = MANY;
		*to = add(*to, once);
		*to = add(*to, !often ? 0 : settled ? often * c->ncpus : MANY);
	}
}

static bool
fires_once(const struct engine_point *p)
{
	return p->trigger == PROV_TRIGGER_BEGIN ||
	       p->trigger == PROV_TRIGGER_END;
}

/* Is it in files that processes have mapped, or will have? */
static bool
is_in_processes(const struct abi_point *p)
{
	const struct abi_attach_row *row = abi_attach_row(p->attach);

	return row->context == ABI_CONTEXT_REGS && row->runs == ABI_RUNS_TASK;
}

static bool
is_run(const struct engine_point *p, uint32_t clause)
{
	for (size_t k = 0; k < p->probes.n; k++)
		for (uint32_t c = 0; c < p->probes.v[k].nclauses; c++)
			if (p->probes.v[k].clauses[c] == clause)
				return true;
	return false;
}

static void
count_runs(const struct engine_input *in, struct runs *runs)
{
	for (uint32_t i = 0; i < in->npoints; i++) {
		const struct engine_point *p = &in->points[i];
		for (size_t k = 0; k < p->clauses.n; k++)
			runs[p->clauses.v[k]].more |=
				is_in_processes(p->point) ||
				!is_run(p, p->clauses.v[k]);
		for (size_t k = 0; k < p->probes.n; k++)
			for (uint32_t c = 0; c < p->probes.v[k].nclauses; c++) {
				struct runs *r = &runs[
					p->probes.v[k].clauses[c]];
				r->once += fires_once(p);
				r->often += !fires_once(p);
			}
	}
}

/* Statements of which nothing is known. */
static void
forget(const struct plan_node *n, uint64_t *most)
{
	for (; n; n = n->next) {
		forget(n->then_, most);
		forget(n->else_, most);
		if (n->kind == PLAN_AGG)
			most[n->agg->id - 1] = MANY;
	}
}

struct err *
kengine_agg_most(const struct engine_input *in, unsigned ncpus, uint64_t *most)
{
	const struct plan_prog *p = in->plan;
	struct runs *runs = util_zalloc((p->nclauses + 1) * sizeof(*runs));

	if (!runs)
		return &err_nomem;
	memset(most, 0, p->naggs * sizeof(*most));
	count_runs(in, runs);
	for (uint32_t i = 0; i < p->nclauses; i++) {
		struct counting c = { ncpus, runs[i], most };
		count_nodes(&c, p->clauses[i].body, false);
	}
	for (uint32_t i = 0; i < in->error.nclauses; i++)
		forget(p->clauses[in->error.clauses[i]].body, most);
	util_free(runs);
	return NULL;
}

uint64_t
kengine_map_most(const struct ebpf_aggmap *m, const uint64_t *most)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < m->npieces; i++)
		n = add(n, most[m->aggs[i]]);
	return n;
}
