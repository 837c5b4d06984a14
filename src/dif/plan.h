/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A plan is what one clause compiles to: a small tree whose leaves are DIFOs.
 * Every engine runs plans; none of them sees D.  Immutable; allocated in the
 * arena of the compilation.
 */
#ifndef DIF_PLAN_H
#define DIF_PLAN_H

#include "dif/node.h"

/* A clause, independent of which probes it is enabled on. */
struct plan_clause {
	const struct dif_difo *pred;	/* or NULL */
	const struct plan_node *body;	/* NULL: the default action */
	struct abi_clause_desc desc;
	uint32_t place;			/* abi_place() */
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
	uint32_t value;			/* FIND_COOKIE: of its sites, and */
	uint32_t pid;			/* whose they are; 0: nobody knows */
	uint16_t moved;			/* how far they are behind the place, and */
	const struct abi_layout *layout;	/* of their arguments, or NULL;
						 * one of each content */
	bool is_numbered;		/* the provider's name has the number of
					 * the process that fires behind it */
};

/* What an EPID stands for. */
struct plan_epid {
	uint32_t probe;			/* probe id */
	uint32_t clause;
};

#endif
