/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Variables: where each is kept, and what loads and stores it there.
 */
#ifndef EBPF_VAR_PRIV_H
#define EBPF_VAR_PRIV_H

#include "ebpf/expr_priv.h"

/* --- table.c, var.c: where --------------------------------------------------------- */

/* NULL: v has none. */
const struct ebpf_var_table *ebpf_table_of(const struct ebpf *g,
					   const struct plan_var *v);
/* Does v lie at a fixed place, as bytes with an address?  Then *off is where,
 * in the slot (LOCAL) or in SEC_VARS. */
bool ebpf_var_place(const struct ebpf *g, const struct plan_var *v,
		    uint32_t *off);
/* The first variable that is loaded and stored as v is: in the same hash, with
 * values of the same kind and size. */
const struct plan_var *ebpf_var_layout(const struct ebpf *g,
				       const struct plan_var *v);
/* Where the stamp of an element stands; 0: it has none. */
uint32_t ebpf_var_stamp(const struct ebpf *g, const struct plan_var *v);
/* Has it a table that some code has loaded so far? */
bool ebpf_var_used(const struct ebpf *g, const struct plan_var *v);

/* --- var.c: in a hash, the key being built -------------------------------------------- */

/* dst <- the hash of a variable. */
void ebpf_var_map(struct ebpf_out *o, const struct plan_var *v, uint8_t dst);
/* r0 <- the element, or NULL. */
void ebpf_var_lookup(struct ebpf_out *o, const struct plan_var *v);
void ebpf_var_delete(struct ebpf_out *o, const struct plan_var *v);
/* Copy a by-reference value from r3 to r1. */
void ebpf_var_copy(struct ebpf_out *o, const struct plan_var *v);

/* --- hash.c: the same, but the key of a global string ---------------------------------- */

/* Load a variable that CPUs share to off of the slot, a number as 8 bytes;
 * zeros or "" when it does not exist. */
void ebpf_hash_load(struct ebpf_out *o, const struct plan_var *v,
		    uint32_t off);
/* Store the number in r3, or when that is not 0 the value in the slot. */
void ebpf_hash_store(struct ebpf_out *o, const struct plan_var *v);
/* Add the number in r3 to an element that is never replaced nor deleted. */
void ebpf_hash_add(struct ebpf_out *o, const struct plan_var *v);
/* The same of any array that has a front, to a key with a place there: r0 <- 1, with what
 * was there at lay.value; 0: nothing was done. */
void ebpf_hash_add_front(struct ebpf_out *o, const struct plan_var *v);

/* --- front.c: where a key keeps its place ----------------------------------------------- */

/* Has it a front? */
bool ebpf_front_has(const struct ebpf *g, const struct plan_var *v);
/* r0 <- where the number of the key in the slot is, which r7 points at.  To full if it is in
 * the hash.  If it is nowhere: to absent, or have a place unless the register `needs` is 0
 * (-1: never).  r9 is used, and 4 bytes of the frame at -32. */
void ebpf_front_find(struct ebpf_out *o, const struct plan_var *v, int needs, int absent,
		     int full);

/* --- self.c: kept with the task -------------------------------------------------------- */

bool ebpf_self_has(const struct ebpf *g, const struct plan_var *v);
void ebpf_self_load(struct ebpf_expr *e, const struct plan_var *v,
		    unsigned rd);
void ebpf_self_store(struct ebpf_expr *e, const struct plan_var *v,
		     unsigned rs);

/* --- thread.c -------------------------------------------------------------------------- */

/* Have a number for the thread, which is in the key that is built, and put it
 * into that of an array; to none when there is no room. */
void ebpf_thread_number(struct ebpf_out *o, const struct plan_var *v,
			int none);
/* Make room in a thread's variable, or go to no when it is not time to. */
void ebpf_sweep(struct ebpf_out *o, const struct plan_var *v, int no);

#endif
