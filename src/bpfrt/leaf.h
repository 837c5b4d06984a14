/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * The caller that frame pointers do not show.
 *
 * A function of libc that makes a system call keeps no frame, so the frame
 * pointer is its caller's, and the first return address that hangs on it is
 * the one into the caller's caller: write() seems to be called by whoever
 * called its caller.  The address that is missing lies on top of the stack.
 * Something else may lie there when the function has put it there; so it is
 * believed only when a call instruction stands before it, and calls the
 * function, or an entry of a procedure linkage table that jumps there:
 *
 *	call function				e8 rel32
 *	call *slot(%rip)			ff 15 disp32
 *	plt:	[endbr64] [bnd] jmp *slot(%rip)	f3 0f 1e fa  f2  ff 25 disp32
 *
 * and the function begins less than LEAF_MAX bytes before the system call.
 * x86-64 only: elsewhere the system call is another instruction, and no frame
 * is added.
 */

#include "abi/regs.h"

enum {
	LEAF_MAX = 4096,
	LEAF_SP = ABI_ROLE_OFF_SP / 8,	/* which word of struct pt_regs */
	LEAF_SYSCALL = 0x050f,
	LEAF_PAGE = 4096,
};

INLINE u64
leaf_rel32(const unsigned char *p)
{
	u32 v = p[0] | (u32)p[1] << 8 | (u32)p[2] << 16 | (u32)p[3] << 24;

	return (u64)(s64)(int)v;
}

INLINE u64
leaf_word(u64 uaddr)
{
	u64 v = 0;

	bpf_probe_read_user(&v, sizeof(v), (void *)uaddr);
	return v;
}

/* The word on top of the stack. */
INLINE u64
leaf_top(void)
{
	const u64 *regs = (void *)bpf_task_pt_regs(bpf_get_current_task_btf());

	return leaf_word(regs[LEAF_SP]);
}

/* Where the entry of a linkage table at `at` jumps to; 0: it is none.  Reading once
 * is what costs; what lies in another page is none of an entry. */
INLINE u64
leaf_jump(u64 at)
{
	u64 w[2] = { 0 }, left = LEAF_PAGE - at % LEAF_PAGE, code;

	if (bpf_probe_read_user(w, left < 16 ? left : 16, (void *)at))
		return 0;
	code = w[0];
	if ((u32)code == 0xfa1e0ff3) {
		code = code >> 32 | w[1] << 32;
		at += 4;
	}
	if ((code & 0xff) == 0xf2) {
		code >>= 8;
		at++;
	}
	if ((code & 0xffff) != 0x25ff)
		return 0;
	return leaf_word(at + 6 + (u64)(s64)(int)(code >> 16));
}

INLINE bool
leaf_holds(u64 function, u64 pc)
{
	return function && pc - function < LEAF_MAX;
}

/* May an address be one of code?  To read what is not mapped takes the kernel
 * half a microsecond.  Libraries lie together, near pc or the next address;
 * programs at the bottom, or where the kernel moves them to. */
INLINE bool
leaf_plausible(u64 addr, u64 pc, u64 next)
{
	u64 high = addr >> 40;

	return addr >> 36 == pc >> 36 || addr >> 36 == next >> 36 ||
	       high == 0x55 || high == 0x56 ||
	       (addr >> 32 == 0 && addr >= 0x10000);
}

/* May `to`, on top of the stack, be what the frames lack between pc and `next`,
 * the first return address they have, 0: none? */
INLINE bool
leaf_may_be(u64 to, u64 pc, u64 next)
{
	return to != next && leaf_plausible(to, pc, next);
}

/* The return address that the frames lack between pc, where the thread makes a
 * system call, and `next`; 0: they lack none.  `to` lies on top of the stack; 0: see
 * there. */
RT u64
rt_leaf(u64 pc, u64 next, u64 to)
{
	unsigned char p[6] = { 0 };
	unsigned short insn = 0;
	u64 function;

	if (!to)
		to = leaf_top();
	if (!leaf_may_be(to, pc, next) ||
	    bpf_probe_read_user(p, 6, (void *)(to - 6)))
		return 0;
	bool by_slot = p[0] == 0xff && p[1] == 0x15;
	if ((!by_slot && p[1] != 0xe8) ||
	    bpf_probe_read_user(&insn, 2, (void *)(pc - 2)) ||
	    insn != LEAF_SYSCALL)
		return 0;
	function = to + leaf_rel32(p + 2);
	if (by_slot)
		function = leaf_word(function);
	if (!leaf_holds(function, pc) && !by_slot)
		function = leaf_jump(function);
	return leaf_holds(function, pc) ? to : 0;
}
