/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What lives from the plan to the object: struct ebpf.  What is shorter-lived has
 * structs of its own, which point to those around them:
 *
 *	struct ebpf		the plan, until its object is finished
 *	  struct prog		a program, one for each point (prog_priv.h)
 *	  struct ebpf_out	a function or clause while it is written
 *				(code_priv.h)
 *	    struct ebpf_body	a clause (clause_priv.h)
 *	      struct ebpf_expr	one of its expressions (expr_priv.h)
 *
 * A function takes the outermost of them that has what it needs.
 */
#ifndef EBPF_EBPF_PRIV_H
#define EBPF_EBPF_PRIV_H

#include "ebpf/ebpf.h"
#include "ebpf/emit_priv.h"
#include "ebpf/frame_priv.h"
#include "ebpf/object.h"

/* Where a variable is that has a table. */
struct ebpf_var_table {
	const struct ebpf_table *table;
	uint32_t number;		/* in it */
	uint32_t layout;		/* in the plan: ebpf_var_layout() */
};

/* A function that does something with a variable in a hash. */
struct ebpf_hash_func {
	const struct plan_var *var;
	enum ebpf_hash_op { HASH_GET, HASH_AGAIN, HASH_TURNS, HASH_PUT, HASH_ADD4, HASH_ADD8,
			    HASH_FRONT4, HASH_FRONT8 } op;
};

struct ebpf {
	struct arena *a;
	const struct ebpf_input *in;
	const struct plan_prog *plan;
	struct err *err;	/* the first; then everything is a no-op */

	/* Known before any code is generated. */
	struct ebpf_layout lay;
	uint32_t zeros, zeros_size;	/* in SEC_STRS */
	const struct plan_probe **probes;	/* all enabled, by FS_PNO */
	uint32_t nprobes;
	uint32_t *first_pno;		/* by point: that of its first probe */
	uint32_t names;		/* in SEC_STRS: 4 offsets per enabled probe */
	bool has_rows;			/* some point is found by cookie */
	struct ebpf_agg *aggs;
	struct ebpf_aggmap *aggmaps;
	uint32_t naggmaps;
	uint32_t agg_row;
	struct ebpf_table *tables;
	uint32_t ntables;
	struct ebpf_var_table *var_tables;	/* by the plan's index */
	uint32_t vars_size;	/* SEC_VARS */
	int32_t *self_off;	/* by the plan's index (self.c) */
	uint32_t self_size;	/* bytes of one half */
	const struct plan_var *widest_string;	/* of the global ones */
	uint32_t nstrings;
	bool *is_stored;	/* by id: stgaa stores into it somewhere */

	/* The object so far. */
	struct ebpf_code code[SEC_NCODE], chunks;
	struct ebpf_chunk *clauses;	/* by the plan's index */
	VEC(struct ebpf_sym) syms;
	VEC(char) strs;		/* SEC_STRS */
	VEC(uint32_t) table;	/* SEC_TABLE */
	VEC(struct ebpf_hash_func) hash_funcs;
	VEC(const char *) frees;	/* programs run when a task is freed */
	VEC(struct ebpf_link_prog) links;
	uint32_t sweep[2];		/* symbols: for scalars, for arrays */
	struct plan_epid *epids;
	uint32_t nepids;
	uint32_t *next_epid;		/* of each clause: ebpf_epids() */
	uint32_t error_insns;	/* of ERROR's clauses */

	/* What clauses have asked for. */
	struct ebpf_use use;		/* of all clauses */
	uint32_t temps_max;	/* bytes of temps used by the hungriest */
	bool need_names;
	bool uses_spec, sends_ends;	/* of speculations */
	bool asks_room;			/* some clause calls dt_room() */
	bool uses_kvars;
};

/* --- code.c ----------------------------------------------------------------- */

void ebpf_fail(struct ebpf *g, struct err *e);	/* takes e */
/* Of the arena, zeroed.  Without memory g fails, and these are NULL and "". */
void *ebpf_alloc(struct ebpf *g, size_t n, size_t size);
const char *ebpf_name(struct ebpf *g, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
#define EBPF_ARRAY(g, type, n) ((type *)ebpf_alloc((g), (n), sizeof(type)))
#define EBPF_NEW(g, type) EBPF_ARRAY(g, type, 1)
/* Without memory g fails, and false. */
#define EBPF_PUSH(g, vec, value) \
	(vec_push((vec), (value)) || (ebpf_fail((g), &err_nomem), false))
/* Fail with ERR_LIMIT; the text names the limit.  place: 0 or where the clause
 * stands that meets it. */
void ebpf_limit(struct ebpf *g, uint32_t place, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
uint32_t ebpf_sym(struct ebpf *g, const char *name, enum ebpf_symkind kind);
uint32_t ebpf_map_sym(struct ebpf *g, const char *name,
		      const struct ebpf_mapdef *def);
/* Where in SEC_STRS it is. */
uint32_t ebpf_str(struct ebpf *g, const char *s, size_t size);

/* --- In the order in which ebpf.c calls them ---------------------------------- */

/* How many maps there can be for variables and aggregations.  Half of them,
 * EBPF_VAR_MAPS at least, are for tables (table.c) and for global strings;
 * what these leave, EBPF_AGG_MAPS at least, is for aggregations (aggmap.c). */
enum { EBPF_VAR_MAPS = 14, EBPF_STRING_MAPS = 1, EBPF_AGG_MAPS = 12 };
uint32_t ebpf_maps_room(const struct ebpf *g);
/* After ebpf_tables(): how many variables have; how many arrays have a front. */
uint32_t ebpf_var_maps(const struct ebpf *g), ebpf_fronts(const struct ebpf *g);
void ebpf_self_layout(struct ebpf *g);
void ebpf_tables(struct ebpf *g);
void ebpf_agg_maps(struct ebpf *g);
void ebpf_vars_layout(struct ebpf *g);
void ebpf_thread_begin(struct ebpf *g);
/* Generate g->clauses[index]. */
void ebpf_clause(struct ebpf *g, uint32_t index);
/* Number the enabled probes, when it is known what may fault; the number of this
 * one, each time another. */
void ebpf_epids(struct ebpf *g);
uint32_t ebpf_new_epid(struct ebpf *g, uint32_t probe, uint32_t clause);
/* dt_fault, which the programs call. */
void ebpf_error_func(struct ebpf *g);
/* The programs; by point which serves it. */
struct ebpf_served *ebpf_programs(struct ebpf *g);
/* The functions that write to the rings; those of variables in hashes; what
 * deletes a thread's. */
void ebpf_ring_funcs(struct ebpf *g);
void ebpf_hash_funcs(struct ebpf *g);
void ebpf_thread_end(struct ebpf *g);
/* All that was generated, in the arena. */
void ebpf_finish(struct ebpf *g, struct abi_obj *ret);

/* --- need.c ------------------------------------------------------------------- */

/* Are the offsets known that this built-in variable or subroutine of the table
 * there needs?  Else fails, saying which is not. */
bool ebpf_known(struct ebpf *g, bool is_subr, unsigned id);

#endif
