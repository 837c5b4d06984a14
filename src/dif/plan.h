/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A plan is what one clause compiles to: a small tree whose leaves are DIFOs.
 * Every engine runs plans; none of them sees D.  Immutable; allocated in the
 * arena of the compilation.
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
#ifndef DIF_PLAN_H
#define DIF_PLAN_H

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

/* A clause, independent of which probes it is enabled on. */
struct plan_clause {
	const struct dif_difo *pred;	/* or NULL */
	const struct plan_node *body;	/* NULL: the default action */
	struct abi_clause_desc desc;
	uint32_t place;			/* abi_place() */
	bool uses_exit;			/* some action is EXIT */
	bool in_parts;			/* RECORD nodes stand in PARTs */
	/* It comes before all others of its probe: unless it runs to its end, they
	 * do not run, and for them argn is the value of the n-th of its
	 * EXPR nodes, 0 where there is none.  Only it sees the raw arguments.
	 * It has no other nodes. */
	bool is_prelude;
};

/* A function: what `callf` runs.  It takes its arguments from clause-locals and
 * leaves its result in one; it calls functions of smaller numbers only. */
struct plan_func {
	const char *name;
	const struct plan_node *body;
	uint32_t place;			/* abi_place() */
	bool keeps;			/* some node does not free: what calls
					 * it does not, either */
};

/* A variable of the program, whichever clauses use it. */
struct plan_var {
	const char *name;
	uint32_t id;			/* DIF_VAR_*_UBASE.. */
	uint8_t scope;			/* DIF_VS_* */
	uint8_t kind;			/* DIF_VK_*: ARRAY is associative */
	struct dif_type type;		/* of the value */
	uint32_t nkeys;			/* ARRAY */
	uint32_t key_size;		/* bytes, multiple of 8 */
	/* INT keys are pushed with pushtv and stand in 8 bytes; STRING keys
	 * are pushed with pushtr, padded with zeros to their size. */
	const struct abi_field *keys;
};

/* Is the value of the variable an address: of a string, a struct, an array? */
static inline bool
plan_var_is_ref(const struct plan_var *v)
{
	return v->type.flags & DIF_TF_BYREF;
}

static inline bool
plan_var_is_string(const struct plan_var *v)
{
	return v->type.kind == DIF_TYPE_STRING;
}

/* What a string takes at most in a key or record, its NUL included: strsize cuts
 * it, though a part may be padded; but a part that is wider than that has room
 * for constants that strsize does not cut. */
static inline uint32_t
plan_string_room(uint32_t size, uint32_t strsize)
{
	return size > base_align(strsize, 8) ? size : BASE_MIN(size, strsize);
}

struct plan_prog {
	const struct plan_clause *clauses;	/* in program order */
	uint32_t nclauses;
	const struct plan_var *vars;
	uint32_t nvars;
	const struct abi_agg_desc *aggs;	/* aggs[id - 1] */
	uint32_t naggs;
	uint32_t strsize;			/* bytes, NUL included */
	bool who;				/* records and error records
						 * have a struct abi_who */
	const struct plan_func *funcs;
	uint32_t nfuncs;
	uint32_t loopmax;			/* turns of one loop, >= 1 */
	const char *const *files;		/* that places are in, but for
						 * the script: see abi_place() */
	uint32_t nfiles;
};

/* A probe to enable, with the clauses to run, in order. */
struct plan_probe {
	uint32_t id;
	const char *part[4];		/* enum abi_probe_part */
	const uint32_t *clauses;	/* indices into the plan */
	uint32_t nclauses;
	uint32_t keys[4];		/* FIND_TABLE: where it stands */
	uint32_t nkeys;
};

/* What an EPID stands for. */
struct plan_epid {
	uint32_t probe;			/* probe id */
	uint32_t clause;
};

#endif
