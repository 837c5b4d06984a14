/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A clause that is generated, chunk by chunk, and what its statements are made of.
 */
#ifndef EBPF_CLAUSE_PRIV_H
#define EBPF_CLAUSE_PRIV_H

#include "ebpf/ebpf_priv.h"

/* Labels of what is around a node: where break, continue and return go. */
struct ebpf_around {
	int brk, cont, ret;
};

struct ebpf_body {
	struct ebpf *g;
	struct ebpf_out *o;
	uint32_t depth;		/* of functions */
	uint32_t func_end;	/* those below may be called */
	struct ebpf_around around;
	uint32_t scratch_mark;	/* where in the slot stands how much scratch
				 * is in use when the node ends; 0: all is */
	uint32_t limits;	/* in the slot, from here on; 0: the clause has
				 * none so far */
	/* The chunk. */
	uint32_t chunk;		/* where it begins */
	int quit;		/* label: the clause ends here; -1: not used */
	bool looping;		/* it is a callback */
	int hop;		/* label: which loop is meant? */
	uint32_t nstates;
};

/* --- clause.c ----------------------------------------------------------------- */

/* Nodes of a clause, or (c NULL) of a function.  tag: where in the slot the tag
 * of the speculation in force stands. */
void ebpf_nodes(struct ebpf_body *b, const struct plan_clause *c,
		const struct plan_node *n, uint32_t *tag);
/* r0 <- the value of difos[0], a number. */
void ebpf_condition(struct ebpf_body *b, const struct plan_node *n);
/* A result of d, a DIFO of the node that runs, has been copied. */
void ebpf_free_scratch(struct ebpf_body *b, const struct dif_difo *d);
/* The label to go to where a clause ends in the middle, without a fault. */
int ebpf_quit(struct ebpf_body *b);

/* --- expr.c ------------------------------------------------------------------- */

/* r0 <- the value of d, a number. */
void ebpf_number(struct ebpf_body *b, const struct dif_difo *d,
		 uint32_t action);
/* A DIFO that is nothing but `ld BUILTIN; ret`: its id; 0: it is not. */
unsigned ebpf_difo_bvar(const struct dif_difo *d);

/* --- record.c, aggregate.c ------------------------------------------------------ */

/* Where byte off of the record lies in the slot. */
static inline int32_t
ebpf_rec(const struct ebpf_out *o, uint32_t off)
{
	return (int32_t)(o->g->lay.record + off);
}

/* Evaluate d into the bytes of field f at [base + off]. */
void ebpf_field(struct ebpf_body *b, const struct abi_field *f,
		const struct dif_difo *d, uint8_t base, int32_t off,
		uint32_t action);
/* What the action of n records. */
void ebpf_record(struct ebpf_body *b, const struct plan_clause *c,
		 const struct plan_node *n);
/* Add the values of n to its aggregation. */
void ebpf_aggregate(struct ebpf_body *b, const struct plan_node *n);

/* --- ring.c --------------------------------------------------------------------- */

/* The size and lap of a record at [base + off]; cpu: register. */
void ebpf_store_size(struct ebpf_out *o, uint8_t base, int32_t off,
		     uint32_t size, uint8_t cpu);
void ebpf_store_size_of(struct ebpf_out *o, uint8_t base, int32_t off,
			uint8_t size, uint8_t cpu); /* size: a register, too */
/* size 0: of a record that is a log. */
const char *ebpf_commit_name(struct ebpf *g, uint32_t size);
/* u64 (tag, time, cpu): the record of a commit(). */
#define EBPF_SPEC_END "dt_spec_end"
#define EBPF_ROOM "dt_room"

/* --- prelude.c ------------------------------------------------------------------ */

/* Before the predicate of a prelude; its values; behind them. */
void ebpf_prelude_begin(struct ebpf_out *o);
void ebpf_prelude(struct ebpf_body *b, const struct plan_clause *c);
void ebpf_prelude_end(struct ebpf_out *o);

/* --- spec.c --------------------------------------------------------------------- */

/* tag: where in the slot the tag stands of the speculation in force; 0: none
 * is. */
void ebpf_spec(struct ebpf_body *b, const struct plan_node *n, uint32_t *tag);
/* Put that tag into the record, unless there is no room: then go to out. */
void ebpf_spec_tag(struct ebpf_out *o, const struct abi_clause_desc *d,
		   uint32_t tag, int out);

/* --- loop.c --------------------------------------------------------------------- */

/* Are the statements from n on to stand in a chunk that is a callback, between
 * ebpf_loop_begin() and _end(), and made functions by ebpf_loop_funcs()?  now:
 * so does what is before them. */
bool ebpf_loops(const struct ebpf *g, const struct plan_node *n, bool now);
/* Anywhere in a clause; in its predicate. */
bool ebpf_has_loops(const struct ebpf *g, const struct plan_clause *c);
bool ebpf_pred_loops(const struct ebpf *g, const struct plan_clause *c);
void ebpf_loop_begin(struct ebpf_body *b);
void ebpf_loop_end(struct ebpf_body *b);
void ebpf_loop(struct ebpf_body *b, const struct plan_clause *c,
	       const struct plan_node *n, uint32_t tag);
/* Go to label for good. */
void ebpf_leave(struct ebpf_out *o, int label);

#endif
