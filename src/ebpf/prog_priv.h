/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Inside a program: what row.c, firing.c and prog.c share.
 *
 * Registers until clauses run: r6 context, r8 CPU, r9 the probe's row; r7 the
 * slot, to the end.  For clauses r6 is the firing's state (R_FS).
 */
#ifndef EBPF_PROG_PRIV_H
#define EBPF_PROG_PRIV_H

#include "abi/arg.h"
#include "ebpf/ebpf_priv.h"

enum { R_CTX = 6, R_CPU = 8, R_ROW = 9 };

/* On the stack until clauses run: a temporary. */
enum { TMP = CF_CTX };
/* In a program of several points, from one to the next: the context. */
enum { CTX = CF_UP };

/* A probe's row in the table: any is not 0 when this row or its twin for
 * 32-bit calls is used. */
struct row { uint32_t probe, pno; uint16_t set, any; uint32_t index; };

/* Probes with the same list of clauses.  A clause's EPID is a constant of the
 * set plus the probe's index within it. */
struct set {
	const struct plan_probe *like;	/* any of its probes */
	uint32_t n;			/* probes */
	const uint32_t *epids;		/* of each clause, at index 0 */
	int label;
};

struct sets { struct set *v; uint32_t n; uint32_t *of; };

/* The program being generated, or a point's part of it. */
struct prog {
	const struct ebpf_point *p;
	struct sets sets;
	uint8_t attach;		/* of the program; typed for the sake of others */
	uint32_t rows;		/* where its table is (row.c) */
	uint32_t ninsns;	/* of its clauses */
	struct ebpf_use use;	/* of all its clauses */
	uint32_t raw_args;	/* those of its point that are used */
	bool in_slot;		/* the firing's state is there, not on the stack */
	int32_t state;		/* where it stands */
	bool chained;		/* other programs run the clauses */
	bool takes_in;		/* clauses stand in it; else it calls them */
	int out, end;		/* labels: leave; leave with the slot */
};

/* Until clauses run, whether this is a 32-bit call: where neither the state stands nor
 * what is kept from one point to the next. */
static inline int32_t
ebpf_compat_slot(const struct prog *pr)
{
	return pr->takes_in ? CF_CCA : CF_UP;
}

/* Have the chunks of a clause as functions; not while another is written.  Those
 * of loops are loop.c's. */
void ebpf_clause_funcs(struct ebpf *g, uint32_t index);
void ebpf_loop_funcs(struct ebpf *g, const char *name, struct ebpf_chunk *c);
/* A chunk's function begins, and leaves.  The caller's head is at [up]; r0 stays
 * when it leaves. */
void ebpf_head_in(struct ebpf_out *o, const struct ebpf_chunk *c, uint8_t up);
void ebpf_head_out(struct ebpf_out *o, const struct ebpf_chunk *c);
/* May clause index call exit()? */
bool ebpf_may_exit(const struct ebpf *g, uint32_t index);
/* Go to label if exit() has run in this firing; r0 dies. */
void ebpf_if_exited(struct ebpf_out *o, int label);

/* row.c: sets of probes, and finding the one that fired. */
bool ebpf_sets(struct ebpf *g, struct prog *pr);
uint32_t ebpf_rows(struct ebpf *g, const struct prog *pr);
/* r9 <- the row of the probe; to pr->out when it is none of ours. */
void ebpf_find_row(struct ebpf_out *o, const struct prog *pr, uint32_t rows);
/* To the label of the row's set. */
void ebpf_choose_set(struct ebpf_out *o, const struct prog *pr);

/* arg.c: dst <- the value of an argument; r1..r5 die. */
void ebpf_arg(struct ebpf_out *o, const struct prog *pr,
	      const struct abi_arg *a, uint8_t dst);
/* firing.c: its slot and its state. */
bool ebpf_knows_compat(const struct ebpf *g, const struct prog *pr);
bool ebpf_has_compat_args(const struct ebpf *g, const struct prog *pr);
void ebpf_claim(struct ebpf_out *o, const struct prog *pr);
void ebpf_release(struct ebpf_out *o);
void ebpf_fetch(struct ebpf_out *o, const struct prog *pr);
/* reg <- the state's address. */
void ebpf_state_addr(struct ebpf_out *o, const struct prog *pr, uint8_t reg);
/* Another program will see to the rest of the firing; it does: r7 <- the slot.
 * The context is in r6. */
void ebpf_hand_on(struct ebpf_out *o);
void ebpf_go_on(struct ebpf_out *o, const struct prog *pr);

#endif
