/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * The current task.  Offsets into kernel structs come as arguments, from BTF.
 */

#include "abi/regs.h"

/* Does the process of the task have ancestor pid, or is it pid itself? */
RT u64
rt_progenyof(u64 pid, u64 off_parent, u64 off_tgid, u64 task)
{
	for (int i = 0; i < 64; i++) {
		u32 tgid = 0;
		u64 parent = 0;
		if (bpf_probe_read_kernel(&tgid, 4, (void *)(task + off_tgid)))
			return 0;
		if (tgid == pid)
			return 1;
		if (bpf_probe_read_kernel(&parent, 8,
					  (void *)(task + off_parent)))
			return 0;
		if (!parent || parent == task)
			return 0;
		task = parent;
	}
	return 0;
}

/* Word i of the user registers, in the order of the kernel's pt_regs, at the probe's
 * place, which is `moved` bytes in front. */
RT u64
rt_ureg(u64 index, u64 i, u64 moved)
{
	char *slot = slot_get(index);
	u64 v = 0;

	if (!slot)
		return 0;
	u64 regs = bpf_task_pt_regs(bpf_get_current_task_btf());
	if (i >= ABI_NREGS || bpf_probe_read_kernel(&v, 8, (void *)(regs + i * 8)))
		slot_fault(slot, ABI_FAULT_ILLOP, 0);
	return i == ABI_ROLE_OFF_PC / 8 ? v - moved : v;
}
