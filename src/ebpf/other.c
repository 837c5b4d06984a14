/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Firings in a thread that is not the current one.  When a thread gets a CPU the
 * kernel says so while the one that leaves is still current; yet the probe's
 * thread is the one that comes (abi_point.thread).  Its task is an argument there
 * that the verifier knows for one, and stands in CF_TASK as the current
 * task does elsewhere.
 *
 *  1. What is kept with a task, or in it, comes from CF_TASK: self-> variables,
 *     curthread, pid, tid, ppid, uid, gid, execname, uregs[], the kernel's
 *     stack.
 *  2. What only the current thread has, or does, does not: the memory of its
 *     process, and what is found by way of that.  It faults, and the user's stack
 *     has no frames.
 *  3. A clause may be enabled for other probes too, so FS_OTHER tells at run time
 *     where 2 holds.  A clause that no such probe has asks nothing of this: its
 *     code is that of helpers, which is shorter.
 */
#include "base/base.h"
#include "ebpf/other_priv.h"

static bool
has_clause(const struct ebpf_point *p, uint32_t index)
{
	for (uint32_t k = 0; k < p->nprobes; k++)
		for (uint32_t i = 0; i < p->probes[k].nclauses; i++)
			if (p->probes[k].clauses[i] == index)
				return true;
	return false;
}

/* ERROR fires wherever a clause faults. */
static bool
is_errors(const struct ebpf *g, uint32_t index)
{
	const struct plan_probe *e = &g->in->error;

	return BASE_ANY(i, e->nclauses, e->clauses[i] == index);
}

bool
ebpf_has_others(const struct ebpf *g, uint32_t index)
{
	for (uint32_t i = 0; i < g->in->npoints; i++) {
		const struct ebpf_point *p = &g->in->points[i];
		if (p->point->thread &&
		    (has_clause(p, index) || is_errors(g, index)))
			return true;
	}
	return false;
}

void
ebpf_unless_other(struct ebpf_out *o, int label)
{
	o->use.other = true;
	ebpf_load(o, 2, BPF_REG_0, R_FS, FS_OTHER);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, label);
}

void
ebpf_current_only(struct ebpf_out *o)
{
	if (!o->other)
		return;
	o->use.other = true;
	ebpf_load(o, 2, BPF_REG_0, R_FS, FS_OTHER);
	ebpf_jmp_imm(o, BPF_JNE, BPF_REG_0, 0,
		     ebpf_fault(o, ABI_FAULT_ILLOP, 0));
}

void
ebpf_curthread(struct ebpf_out *o)
{
	if (!o->other) {
		ebpf_helper(o, BPF_FUNC_get_current_task);
		return;
	}
	ebpf_task(o, BPF_REG_0);
	ebpf_to_number(o, BPF_REG_0);
}

/* r0 <- a number in the task. */
static void
member(struct ebpf_out *o, enum abi_koff which)
{
	ebpf_task(o, BPF_REG_1);
	ebpf_load(o, 4, BPF_REG_0, BPF_REG_1,
		  (int32_t)o->g->in->kernel.off[which]);
}

void
ebpf_pid(struct ebpf_out *o)
{
	if (o->other) {
		member(o, ABI_KOFF_TASK_TGID);
		return;
	}
	ebpf_helper(o, BPF_FUNC_get_current_pid_tgid);
	ebpf_alu_imm(o, BPF_RSH, BPF_REG_0, 32);
}

void
ebpf_tid(struct ebpf_out *o)
{
	if (o->other) {
		member(o, ABI_KOFF_TASK_PID);
		return;
	}
	ebpf_helper(o, BPF_FUNC_get_current_pid_tgid);
	ebpf_zext(o, BPF_REG_0, 4);
}

void
ebpf_other_comm(struct ebpf_out *o, uint8_t base, int32_t off)
{
	ebpf_zero(o, base, off, 16);
	ebpf_task(o, BPF_REG_3);
	ebpf_alu_imm(o, BPF_ADD, BPF_REG_3,
		     (int32_t)o->g->in->kernel.off[ABI_KOFF_TASK_COMM]);
	ebpf_dst(o, BPF_REG_1, base, off);
	ebpf_imm(o, BPF_REG_2, 16);
	ebpf_helper(o, BPF_FUNC_probe_read_kernel_str);
}

void
ebpf_other_ureg(struct ebpf_out *o)
{
	ebpf_store(o, 8, BPF_REG_10, CF_ADDR, BPF_REG_2);
	ebpf_jmp_imm(o, BPF_JGE, BPF_REG_2, ABI_NREGS,
		     ebpf_fault(o, ABI_FAULT_ILLOP, 0));
	ebpf_task(o, BPF_REG_1);
	ebpf_helper(o, BPF_FUNC_task_pt_regs);
	ebpf_to_number(o, BPF_REG_0);
	ebpf_load(o, 8, BPF_REG_3, BPF_REG_10, CF_ADDR);
	ebpf_alu_imm(o, BPF_LSH, BPF_REG_3, 3);
	ebpf_alu(o, BPF_ADD, BPF_REG_3, BPF_REG_0);
	ebpf_lea(o, BPF_REG_1, BPF_REG_10, CF_TMP);
	ebpf_imm(o, BPF_REG_2, 8);
	ebpf_helper(o, BPF_FUNC_probe_read_kernel);
	ebpf_jmp_imm(o, BPF_JNE, BPF_REG_0, 0,
		     ebpf_fault(o, ABI_FAULT_ILLOP, 0));
	ebpf_load(o, 8, BPF_REG_0, BPF_REG_10, CF_TMP);
}
