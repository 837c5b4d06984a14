/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * What is done to the current process or to the CPU.
 */

enum { RAISE_EPERM = -1 };	/* bpf_send_signal()'s, as in errno.h */

/* To the current process; a thread of the kernel, which has no registers of a process,
 * cannot be told, and one that is ending need not. */
RT u64
rt_raise(u64 index, u64 sig)
{
	char *slot = slot_get(index);
	const u64 *regs = (void *)bpf_task_pt_regs(bpf_get_current_task_btf());
	long e = sig - 1 < 64 ? bpf_send_signal(sig) : 1;

	if (slot && e && (e != RAISE_EPERM || !regs[ABI_ROLE_OFF_PC / 8]))
		slot_fault(slot, ABI_FAULT_ILLOP, 0);
	return 0;
}

/* Within an interval of so long, a CPU may be held up for so long. */
enum { CHILL_INTERVAL_NS = 1000000000, CHILL_MAX_NS = 500000000 };

/* Turns of the loop; as many looks at the clock in each take longer than
 * CHILL_MAX_NS together. */
enum { CHILL_TURNS = 1 << 23, CHILL_LOOKS = 16 };

struct chill_ctx {
	u64 until;
};

static long
chill_turn(u32 i, struct chill_ctx *c)
{
	for (int k = 0; k < CHILL_LOOKS; k++)
		if (bpf_ktime_get_ns() >= c->until)
			return 1;
	return 0;
}

/* Keep the CPU busy.  Its account is in its first slot; a program that
 * interrupts another here may make that forget what was spent, which lasts no
 * longer than the interval. */
RT u64
rt_chill(u64 index, u64 ns)
{
	char *slot = slot_get(index);
	struct abi_slot *s = (struct abi_slot *)slot_get(index / ABI_NSLOTS *
							 ABI_NSLOTS);
	u64 now = bpf_ktime_get_ns();
	struct chill_ctx c = { now + ns };

	if (!slot || !s)
		return 0;
	if (now - s->chill_since >= CHILL_INTERVAL_NS) {
		s->chill_since = now;
		s->chill_spent = 0;
	}
	if (ns > CHILL_MAX_NS || s->chill_spent + ns > CHILL_MAX_NS) {
		slot_fault(slot, ABI_FAULT_ILLOP, 0);
		return 0;
	}
	s->chill_spent += ns;
	bpf_loop(CHILL_TURNS, chill_turn, &c, 0);
	return 0;
}
