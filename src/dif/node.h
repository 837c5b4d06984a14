/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Nodes of a plan.
 *
 * How an engine runs a clause:
 *   1. the predicate, when there is one, must yield nonzero;
 *   2. body nodes run in order.  An IF runs its DIFO, then one of its arms.
 *      A LOOP runs its DIFO, its body and its step until the DIFO yields 0.
 *   3. RECORD nodes evaluate DIFOs into the fields of the clause's single
 *      record; AGG nodes evaluate keys and value and add to the aggregation;
 *      EXPR nodes are run for their effect, ACT nodes act on the traced
 *      process or the CPU, at once.
 *   4. at the end the record is committed if the clause has one and either
 *      no RECORD node lies in a branch or a branch with one was taken; unless
 *      PART nodes have done so (below).
 *   5. a fault anywhere ends the clause: its record is discarded, aggregations
 *      and stores done so far stay, ERROR's clauses run, then the next clause.
 *
 * Speculation: a SPEC node evaluates its DIFO to an id.  SPECULATE holds for
 * the nodes behind it in its list, the lists below them included: records go
 * to that speculation.  COMMIT and DISCARD act at once.  In a clause with
 * branches, where records of one firing may go to different places, each
 * straight piece with RECORD nodes is a PART: a record of its own, in the
 * layout of the clause, with the part's branch byte set.
 */
#ifndef DIF_NODE_H
#define DIF_NODE_H

#include "abi/agg.h"
#include "dif/dif.h"

enum plan_kind {
	PLAN_EXPR,	/* difos[0] for its effect */
	PLAN_RECORD,	/* action: difos[i] fills field action->field + i */
	PLAN_AGG,	/* difos[0..nkeys-1] keys, then value, then increment */
	PLAN_IF,	/* difos[0]; then_ / else_ */
	PLAN_ACT,	/* done to the process or CPU: act, of difos[0] if any */
	PLAN_SPEC,	/* act on the speculation difos[0] */
	PLAN_PART,	/* then_ with a record of its own */
	PLAN_LOOP,	/* difos[0] (none: 1) before each turn but, when
			 * is_post, the first; then_ is the body, else_ the
			 * step between two turns */
	PLAN_BREAK, PLAN_CONTINUE,	/* of the innermost LOOP */
	PLAN_RETURN,	/* from the function */
};

/* How often all loops of one run of a clause may go back to their heads. */
enum { PLAN_TURNS_MAX = 1 << 20 };

struct plan_node {
	struct plan_node *next;		/* in order of execution */
	uint8_t kind;			/* enum plan_kind */
	uint16_t branch;		/* RECORD: as abi_action.branch.
					 * IF: branch byte set by then_; 0: none.
					 * PART: branch byte of its record */
	uint16_t else_branch;		/* IF: branch byte set by else_ */
	uint32_t place;			/* of the source, abi_place() */
	uint32_t action_no;		/* 1-based, for ERROR's arg2; 0 in a
					 * function: the caller's */
	bool tells_place;		/* a fault here does */
	bool frees;			/* scratch claimed here is free again
					 * at the end */
	bool is_post;			/* LOOP: the first turn is free */

	uint32_t ndifos;
	const struct dif_difo *const *difos;
	const struct abi_action *action;	/* RECORD */
	const struct abi_agg_desc *agg;		/* AGG */
	uint32_t act;				/* ACT, SPEC: enum abi_action_kind */
	/* AGG: which parts difos[] holds behind the keys. */
	bool has_value;			/* false: count() */
	bool has_incr;			/* quantize(v, incr) */
	const struct plan_node *then_, *else_;
};

#endif
