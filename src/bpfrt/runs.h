/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * Does a thread run here, or what has interrupted it?  The kernel counts, in one
 * word, what forbids to preempt; some of its bits are nested NMIs, interrupts,
 * and whether softirqs are being served (to forbid those counts elsewhere).  No
 * helper reads the word.  Where it is:
 *
 *	arm64	in the task
 *	x86-64	per CPU, and of such a variable BTF knows the place in a CPU's
 *		area, but nobody tells where that area is.  So we start at
 *		another one that something points to: the run queue, of which
 *		the current task knows a part.
 *
 * That takes no symbol: many kernels have no names of data.
 *
 * Real-time kernels serve softirqs in a thread, also in one that did something else: each
 * task has a word of its own that says so.
 *
 * A breakpoint, which a kprobe may be, counts as an NMI in an interrupt while its
 * program runs.  So of a kprobe one of each is taken off, and one in an NMI,
 * where there was no breakpoint, passes for the thread's.  (An NMI in an interrupt, or in
 * another NMI, leaves an interrupt behind, since it counts as one itself.)
 *
 * Since Linux 7.3 interrupts stand 8 bits higher, and NMIs behind them as one flag.
 *
 * Where BTF does not tell, all is the thread's.
 */

#define RUNS_SERVING 0x00000100U	/* softirqs */
/* before dt_cfg.preempt_shift */
#define RUNS_HARD 0x000f0000U
#define RUNS_NMI 0x00700000U
#define RUNS_BREAKPOINT 0x00010000U

/* Read the CPU's variable that is so far from its run queue.  The kernel vouches for
 * pointers that begin at the task, so they are followed without a call of a helper each. */
INLINE bool
percpu(s64 off, u32 *ret)
{
	const char *at = (const char *)bpf_get_current_task_btf();

	if (!off)
		return false;
	at = *(const char *const *)(at + dt_cfg.koff[ABI_KOFF_TASK_CFS]);
	if (!at)
		return false;
	at = *(const char *const *)(at + dt_cfg.koff[ABI_KOFF_CFS_RQ]);
	return at && !bpf_probe_read_kernel(ret, sizeof(*ret), at + off);
}

/* Read the word; false: it is not known where. */
INLINE bool
preempt_count(u32 *count)
{
	const char *at = (const char *)bpf_get_current_task_btf();

	if (dt_cfg.koff[ABI_KOFF_TASK_PREEMPT] == ~0U)
		return percpu(dt_cfg.preempt_off, count);
	*count = *(const u32 *)(at + dt_cfg.koff[ABI_KOFF_TASK_PREEMPT]);
	return true;
}

/* 1: an interrupt; 0: a thread.  is_kprobe: see above.  threads: of those of a real-time
 * kernel one that serves softirqs counts as an interrupt. */
INLINE u64
interrupted(bool is_kprobe, bool threads)
{
	u32 shift = dt_cfg.preempt_shift & 31, count = 0;
	u32 hard = RUNS_HARD << shift, nmi = RUNS_NMI << shift;

	if (!preempt_count(&count))
		return 0;
	if (threads && dt_cfg.koff[ABI_KOFF_TASK_SOFTIRQS] != ~0U)
		count |= *(const u32 *)((const char *)bpf_get_current_task_btf() +
			 dt_cfg.koff[ABI_KOFF_TASK_SOFTIRQS]) & RUNS_SERVING;
	if (is_kprobe && count & nmi && count & hard)
		count = (count & ~nmi) - (RUNS_BREAKPOINT << shift);
	return !!(count & (RUNS_SERVING | hard | nmi));
}

RT u64
rt_interrupt(u64 is_kprobe)
{
	return interrupted(is_kprobe, true);
}

/* 1: an interrupt has come while this CPU ran a program, at a function or an event, or worked
 * on a map; so at this tracepoint's function the kernel has skipped ours, and counted that.
 * Of a thread nobody can tell: it may have lost the CPU since then. */
RT u64
rt_spare(void)
{
	u32 active = 0, cpu;
	u64 *row;

	if (!percpu(dt_cfg.active_off, &active) || !active || !interrupted(false, false))
		return 0;
	cpu = bpf_get_smp_processor_id();
	row = bpf_map_lookup_elem(&dt_drops, &cpu);
	if (row)
		__sync_fetch_and_add(&row[ABI_SPARED], 1);
	return 1;
}
