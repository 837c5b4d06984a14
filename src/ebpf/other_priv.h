/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Whose firing it is, where that need not be the current thread (other.c).  r1..r5
 * die.
 */
#ifndef EBPF_OTHER_PRIV_H
#define EBPF_OTHER_PRIV_H

#include "abi/regs.h"
#include "ebpf/ebpf_priv.h"

/* May clause index fire in a thread that is not the current one? */
bool ebpf_has_others(const struct ebpf *g, uint32_t index);

/* r0 <- the task as a number, its process, its thread. */
void ebpf_curthread(struct ebpf_out *o);
void ebpf_pid(struct ebpf_out *o);
void ebpf_tid(struct ebpf_out *o);

/* What follows is had, or done, by the current thread only: fault in others. */
void ebpf_current_only(struct ebpf_out *o);

/* In clauses with others only.  To the label unless this is one; r0 dies. */
void ebpf_unless_other(struct ebpf_out *o, int label);
/* execname to 16 bytes at [base + off]; r0 <- register r2 of the user. */
void ebpf_other_comm(struct ebpf_out *o, uint8_t base, int32_t off);
void ebpf_other_ureg(struct ebpf_out *o);

#endif
