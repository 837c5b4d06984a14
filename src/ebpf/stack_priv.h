/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Variables about stacks.
 */
#ifndef EBPF_STACK_PRIV_H
#define EBPF_STACK_PRIV_H

#include "ebpf/expr_priv.h"

/* r0 <- how many frames there are, or the PC of the second (0: there is none):
 * of the kernel's stack, or, as id asks, of the user's. */
void ebpf_stackdepth(struct ebpf_out *o, unsigned id);
void ebpf_caller(struct ebpf_out *o, unsigned id);

/* dst <- how many bytes the process is behind the place that the probe is of: an entry
 * may be probed behind a function's first instructions. */
void ebpf_moved(struct ebpf_out *o, uint8_t dst);

/* Fill a field with the kernel's stack; or, behind the process id, with the
 * user's. */
void ebpf_stack(struct ebpf_out *o, const struct abi_field *f, uint8_t base,
		int32_t off);

#endif
