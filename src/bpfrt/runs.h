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

/* Read the word; false: it is not known where.  The kernel vouches for pointers that
 * begin at the task, so they are followed without a call of a helper each. */
INLINE bool
preempt_count(u32 *count)
{
	const char *at = (const char *)bpf_get_current_task_btf();

	if (dt_cfg.koff[ABI_KOFF_TASK_PREEMPT] != ~0U) {
		*count = *(const u32 *)(at + dt_cfg.koff[ABI_KOFF_TASK_PREEMPT]);
		return true;
	}
	if (!dt_cfg.preempt_off)
		return false;
	at = *(const char *const *)(at + dt_cfg.koff[ABI_KOFF_TASK_CFS]);
	if (!at)
		return false;
	at = *(const char *const *)(at + dt_cfg.koff[ABI_KOFF_CFS_RQ]);
	return at && !bpf_probe_read_kernel(count, sizeof(*count),
					    at + (s64)dt_cfg.preempt_off);
}

/* 1: an interrupt; 0: a thread.  is_kprobe: see above. */
RT u64
rt_interrupt(u64 is_kprobe)
{
	u32 shift = dt_cfg.preempt_shift & 31, count = 0;
	u32 hard = RUNS_HARD << shift, nmi = RUNS_NMI << shift;

	if (!preempt_count(&count))
		return 0;
	if (dt_cfg.koff[ABI_KOFF_TASK_SOFTIRQS] != ~0U)
		count |= *(const u32 *)((const char *)bpf_get_current_task_btf() +
			 dt_cfg.koff[ABI_KOFF_TASK_SOFTIRQS]) & RUNS_SERVING;
	if (is_kprobe && count & nmi && count & hard)
		count = (count & ~nmi) - (RUNS_BREAKPOINT << shift);
	return !!(count & (RUNS_SERVING | hard | nmi));
}
