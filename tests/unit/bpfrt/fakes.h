/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the runtime's programs find on the host: a thread with registers, and of the kernel's
 * memory what a test says.  Behind bpfrt/rt.h, before the code that is tested.
 */
#ifndef TESTS_BPFRT_FAKES_H
#define TESTS_BPFRT_FAKES_H

#include <errno.h>
#include <string.h>

#include "bpfrt/rt.h"

struct task_struct;
struct task_struct *bpf_get_current_task_btf(void);
u64 bpf_task_pt_regs(struct task_struct *task);

static u64 fake_regs[64];

static inline u64
address(const void *p)
{
	return (uintptr_t)p;
}

struct task_struct *
bpf_get_current_task_btf(void)
{
	return NULL;
}

u64
bpf_task_pt_regs(struct task_struct *task)
{
	(void)task;
	return address(fake_regs);
}

static inline bool
is_within(u64 at, u64 size, const void *p, u64 max)
{
	return size <= max && at - address(p) <= max - size;
}

/* As bpf_probe_read_kernel(), of the `max` bytes at p alone. */
static inline long
read_within(void *to, u32 size, const void *from, const void *p, u64 max)
{
	if (!is_within(address(from), size, p, max))
		return -EFAULT;
	memcpy(to, from, size);
	return 0;
}

#endif
