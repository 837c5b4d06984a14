/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * The stack of a process, followed as the kernel's helper does it, in less time.
 * The helper asks for user memory twice for each frame, 70 ns together; but
 * frames lie side by side, and to read 512 bytes takes little longer than to
 * read 8.  So a window of the stack is copied, from the stack pointer up, and the
 * chain of frame pointers followed there; what lies elsewhere is read into the
 * window then.  The word on top, which may be the caller that the frames lack
 * (leaf.h), is in the first one.
 *
 *	fp ->	next fp		a chain ends at what cannot be read, and at what
 *		return address	is no address of a process (stack.c says why)
 *
 * Where the kernel would see something else, it is asked:
 *
 *  1. Its walk for 32-bit code is another one: the code segment says so.
 *  2. Who runs no code of a process has no registers of one: pc is 0.  (A thread that has
 *     run none yet has those of another: its stack is empty, and the kernel is not asked.)
 *  3. Frames that are large, so that each needs a window, take it less time;
 *     so do stacks that go on for ever.
 *
 * A window may reach into a page that is not there: then what its own page has of
 * it is read.  To try takes 500 ns, so the address of such a page is kept (`gap`) for
 * the next firing, which may as well be wrong: it reads less then.
 *
 * (That a process is watched by uprobes, which put addresses of their own into
 * its stack, is the caller's to find out.)
 */

#include "abi/regs.h"

enum {
	/* words of pt_regs */
	USTACK_REG_FP = ABI_ROLE_OFF_FP / 8, USTACK_PC = ABI_ROLE_OFF_PC / 8,
	USTACK_MODE = ABI_ROLE_OFF_MODE / 8,
	USTACK_SOME = 4, USTACK_TURNS = 10,	/* so many frames so often */
	USTACK_PAGE = 4096,
	USTACK_LOW = 0x10000,	/* of code's addresses */
	/* system calls that make threads; where clone3() has its arguments, and of these
	 * the stack */
#if defined(__TARGET_ARCH_arm64)
	USTACK_CLONE = 220, USTACK_ARGS = ABI_REG_OFF_ORIG_X0 / 8,
#else
	USTACK_CLONE = 56, USTACK_ARGS = ABI_ROLE_OFF_CALL0 / 8,
#endif
	USTACK_CLONE_32 = 120, USTACK_CLONE3 = 435, USTACK_GIVEN = 40,
};

/* In the slot's work, for the verifier's sake: the address of the window's first
 * byte, and how far from there the last frame begins that is all in it; how often
 * it was filled; where the next frame is put, and where it stands. */
enum { USTACK_BASE, USTACK_LAST, USTACK_READS, USTACK_AT, USTACK_FP };

INLINE u64 *
ustack_work(char *slot)
{
	return ((struct abi_slot *)slot)->work;
}

/* `left` bytes from addr on, which are the rest of its page, into the window; 0 if
 * that is not enough for a frame, or cannot be read. */
INLINE u64
ustack_rest(char *window, u64 addr, u64 left)
{
	OPAQUE(left);		/* checked here, for the verifier */
	if (left < 16 || left >= ABI_WINDOW ||
	    bpf_probe_read_user(window, left, (void *)addr))
		return 0;
	*(u64 *)(window + ABI_WINDOW) = addr + left;
	return left;
}

/* Fill the window from addr on, or as far as its page goes; if that is not enough
 * for a frame, no address is in it.  How many bytes there are. */
RT u64
rt_ustack_read(u64 index, u64 addr)
{
	u64 left = USTACK_PAGE - addr % USTACK_PAGE, size = ABI_WINDOW;
	char *slot = slot_get(index);

	if (!slot)
		return 0;
	char *window = slot + dt_cfg.window_off;
	u64 gap = *(u64 *)(window + ABI_WINDOW), *work = ustack_work(slot);
	work[USTACK_READS]++;
	work[USTACK_BASE] = addr + 1;
	work[USTACK_LAST] = 0;
	if (addr < USTACK_PAGE)		/* to try would take long */
		return 0;
	if ((left < ABI_WINDOW && addr + left == gap) ||
	    bpf_probe_read_user(window, ABI_WINDOW, (void *)addr))
		size = ustack_rest(window, addr, left);
	if (!size)
		return 0;
	work[USTACK_BASE] = addr;
	work[USTACK_LAST] = size - 16;
	return size;
}

/* A return address without its signature; 0: it is none. */
INLINE u64
ustack_code(u64 ret)
{
#if defined(__TARGET_ARCH_arm64)
	ret &= (1ull << ABI_ADDRESS_BITS) - 1;
#endif
	return (ret - USTACK_LOW) >> ABI_ADDRESS_BITS ? 0 : ret;
}

/* The next return address; 0: the chain ends. */
INLINE u64
ustack_next(char *slot, u64 index)
{
	u64 *work = ustack_work(slot), fp = work[USTACK_FP];
	u64 at = fp - work[USTACK_BASE];
	char *window = slot + dt_cfg.window_off;

	if (at > work[USTACK_LAST]) {
		rt_ustack_read(index, fp);
		at = fp - work[USTACK_BASE];
	}
	OPAQUE(at);
	if (at > ABI_WINDOW - 16)
		return 0;
	work[USTACK_FP] = *(u64 *)(window + at);
	return ustack_code(*(u64 *)(window + at + 8));
}

INLINE bool
ustack_put(char *slot, u64 addr)
{
	u64 *next = &ustack_work(slot)[USTACK_AT], at = *next;

	OPAQUE(at);
	if (at > dt_cfg.slot_size - 8)
		return false;
	*(u64 *)(slot + at) = addr;
	*next = at + 8;
	return true;
}

/* Is the process in code of 64 bits? */
INLINE bool
ustack_is_64(const u64 *regs)
{
	return (regs[USTACK_MODE] & ABI_MODE_CODE_BITS) == ABI_MODE_CODE_64;
}

/* Has the thread executed nothing yet, and a stack that its maker gave it?  Then nobody
 * has called anybody there; but its registers are those of its maker, also the frame
 * pointer, except for the result of the system call that made it.  Which stack it was
 * given clone3() has in the maker's memory, where it stays until a process that shares
 * that executes something; for a thread the maker does not wait, but each has one. */
INLINE bool
ustack_is_new(const u64 *regs)
{
	u32 call = *(const u32 *)((const char *)regs + ABI_ROLE_OFF_CALL);
	bool is_64 = ustack_is_64(regs);
	u64 id = bpf_get_current_pid_tgid(), stack = 0;

	if (regs[ABI_ROLE_OFF_RESULT / 8])
		return false;
	if (call == (is_64 ? USTACK_CLONE : USTACK_CLONE_32))
		return regs[is_64 ? ABI_ROLE_OFF_CALL1 / 8 : ABI_ROLE_OFF_COMPAT1 / 8];
	if (call != USTACK_CLONE3)
		return false;
	if ((u32)id != id >> 32)
		return true;
	bpf_probe_read_user(&stack, sizeof(stack),
			    (void *)(regs[is_64 ? USTACK_ARGS : ABI_ROLE_OFF_COMPAT0 / 8] +
				     USTACK_GIVEN));
	return stack;
}

/* Begin with a stack of the current process at `off` of the slot.  Its registers; NULL:
 * it has none. */
INLINE const u64 *
ustack_begin(char *slot, u64 off)
{
	const u64 *regs = (void *)bpf_task_pt_regs(bpf_get_current_task_btf());
	u64 *work = ustack_work(slot);

	work[USTACK_AT] = off;
	work[USTACK_READS] = 0;
	work[USTACK_FP] = regs[USTACK_REG_FP];
	return regs[USTACK_PC] ? regs : NULL;
}

/* Put some frames, as far as `end`.  May there be more?  (A function of its own,
 * lest the verifier follow each way through each turn: 5,000 instructions become
 * 900.) */
RT u64
rt_ustack_some(u64 index, u64 end)
{
	char *slot = slot_get(index);

	if (!slot)
		return 0;
	for (u32 i = 0; i < USTACK_SOME; i++) {
		u64 ret = ustack_work(slot)[USTACK_AT] < end ?
			  ustack_next(slot, index) : 0;
		if (!ret || !ustack_put(slot, ret))
			return 0;
	}
	return 1;
}

/* The stack of the current process to at most `max` words that are 0, at least 2, at `off`
 * of the slot.  How many there are; 0: ask the kernel. */
RT u64
rt_ustack(u64 index, u64 off, u64 max)
{
	char *slot = slot_get(index);
	const u64 *regs = slot ? ustack_begin(slot, off) : NULL;

	if (!regs || !ustack_is_64(regs))
		return 0;
	u64 *work = ustack_work(slot), pc = regs[USTACK_PC], end = off + max * 8;
	if (ustack_is_new(regs))
		return ustack_put(slot, pc);
	if (!rt_ustack_read(index, regs[LEAF_SP]))
		return 0;
	u64 top = *(u64 *)(slot + dt_cfg.window_off);
	u64 ret = ustack_next(slot, index);
	ustack_put(slot, pc);
	if (leaf_may_be(top, pc, ret) && rt_leaf(pc, ret, top))
		ustack_put(slot, top);
	if (!ret || work[USTACK_AT] >= end)
		return (work[USTACK_AT] - off) / 8;
	ustack_put(slot, ret);
	for (u32 i = 0; i < USTACK_TURNS; i++) {
		if (!rt_ustack_some(index, end))
			return (work[USTACK_AT] - off) / 8;
		if (work[USTACK_READS] > 2 + (i + 1) * USTACK_SOME / 2)
			return 0;
	}
	return 0;
}
