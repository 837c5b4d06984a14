/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A clause, or a function, while it becomes a plan.
 */
#ifndef GEN_CLAUSE_PRIV_H
#define GEN_CLAUSE_PRIV_H

#include "gen/difo_priv.h"

enum { GEN_TIMES_MAX = 1 << 20 };

struct clause {
	struct gen *g;
	/* Anywhere in the body; has_if: an if or a loop. */
	bool has_if, has_spec, speculates;
	bool is_prelude;
	struct plan_clause *out;
	VEC(struct abi_action) actions;
	VEC(struct plan_node *) recorders;	/* node of actions.v[i] */
	VEC(struct abi_field) fields;
	VEC(uint32_t) aggids;
	VEC(const struct dif_difo *) difos;	/* of the node being made */
	uint16_t nbranches;
	uint32_t nnodes;
	const struct sema_func *func;	/* what is compiled, or NULL */
	unsigned loops;			/* around the statement */
	bool keeps;			/* some node does not free */
	uint64_t times;			/* that the statement can run; saturates
					 * at GEN_TIMES_MAX */
	uint64_t log;			/* bytes that entries can take */
	uint32_t loopmax;
};

/* An arm of an if; branch is its byte, once it has one. */
struct arm {
	uint16_t branch;
};

/* Memory is short; always false. */
bool gen_clause_no_memory(struct clause *c);

/* --- node.c: nodes and what they run -------------------------------------- */

/* A node for a statement, without DIFOs; NULL without memory. */
struct plan_node *gen_node_new(struct clause *c, enum plan_kind kind,
			       const struct ast_node *stmt);
/* The newest node runs n, too.  False: reported, or no memory. */
bool gen_node_difo(struct clause *c, const struct ast_node *n,
		   struct gen_want want);
/* The same for what becomes a field or key f. */
bool gen_node_value(struct clause *c, const struct ast_node *n,
		    const struct abi_field *f, struct gen_want want);
/* p, which runs n and more (NULL: no more), frees the scratch that it claims,
 * unless one of them keeps some. */
void gen_node_frees(struct clause *c, struct plan_node *p,
		    const struct ast_node *n, const struct ast_node *more);
/* The DIFOs collected since gen_node_new() are p's. */
bool gen_node_done(struct clause *c, struct plan_node *p);

/* --- record.c: what is recorded, and where it lies ------------------------ */

/* A statement that calls an action which records; arm: the arm it stands in, or
 * NULL.  NULL: reported, or no memory. */
struct plan_node *gen_record_action(struct clause *c,
				    const struct ast_node *stmt,
				    const struct ast_node *call,
				    struct arm *arm);
/* A speculate() that stands alone speculates the row of the default action;
 * p: its node, behind which that goes. */
bool gen_record_row(struct clause *c, const struct ast_node *stmt,
		    struct plan_node *p, struct arm *arm);
/* When all actions are known: lay out the record.  span: the clause's, to
 * report that it is too large. */
bool gen_record_describe(struct clause *c, struct lang_span span);

#endif
