/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * The stack of a process by tables (abi/unwind.h): where no frame pointer is kept,
 * as in most programs, these say of each address how to find the caller.  The consumer
 * makes them; of a process or an address that it does not know yet it is told
 * through dt_unwind_asks, and until it answers the frame pointer has to do.
 *
 *  1. A return address is behind the call, which may be a function's last
 *     instruction; so the rule is that of the byte before.  Where a thread was
 *     interrupted, by us or by a signal, it is that of the address itself.
 *  2. The stack grows down, so each frame lies above the one it calls; what does
 *     not ends the stack.  (A signal may be handled on another one.)
 *  3. Searches do not branch, or the verifier would follow each way.
 */

#include "abi/unwind.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(key_size, 4);
	__uint(value_size, 4);
	__uint(max_entries, 1);
	__uint(map_extra, ABI_UNWIND_CHUNK);
} dt_unwind SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(key_size, 4);
	__uint(value_size, sizeof(struct abi_unwind_proc));
	__uint(max_entries, ABI_UNWIND_PROCS);
} dt_unwind_procs SEC(".maps");

/* u32 tgid, each */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} dt_unwind_asks SEC(".maps");

/* Behind USTACK_*, in the slot's work. */
enum { UNWIND_PC = USTACK_FP + 1, UNWIND_SP, UNWIND_EXACT, UNWIND_STAMP };

enum {
	UNWIND_KNOWN = 1ull << 32,	/* a rule is in the lower half */
	UNWIND_FRAMES = 127,
	/* bytes from the stack pointer, in the kernel's frame of a signal */
	UNWIND_SIG_FP = 120, UNWIND_SIG_SP = 160, UNWIND_SIG_PC = 168,
};

INLINE const void *
unwind_chunk(u32 number)
{
	void *chunk = bpf_map_lookup_elem(&dt_unwind, &number);
	u32 zero = 0;

	return chunk ? bpf_map_lookup_elem(chunk, &zero) : 0;
}

/* All ones if a >= b, else 0; both are below 2^63. */
INLINE u64
unwind_from(u64 a, u64 b)
{
	return ((a - b) >> 63) - 1;
}

INLINE u64
unwind_seg_at(const struct abi_unwind_seg *segs, u64 base, u64 n, u64 addr)
{
#pragma clang loop unroll(full)
	for (u32 i = 0; i < 10; i++) {		/* PROC_SEGS */
		u64 half = n >> 1;
		u64 at = (base + half) & (ABI_UNWIND_SEGS - 1);
		base += half & unwind_from(addr, segs[at].start);
		n -= half;
	}
	return base & (ABI_UNWIND_SEGS - 1);
}

INLINE u64
unwind_row_at(const struct abi_unwind_row *rows, u64 base, u64 n, u64 pc)
{
#pragma clang loop unroll(full)
	for (u32 i = 0; i < 14; i++) {		/* ROWS */
		u64 half = n >> 1;
		u64 at = (base + half) & (ABI_UNWIND_ROWS - 1);
		base += half & unwind_from(pc, rows[at].pc);
		n -= half;
	}
	return base & (ABI_UNWIND_ROWS - 1);
}
_Static_assert(ABI_UNWIND_PROC_SEGS == 1 << 10 && ABI_UNWIND_ROWS == 1 << 14,
	       "the turns above");

/* Tell the consumer, once. */
INLINE void
unwind_ask(u32 tgid, struct abi_unwind_proc *p)
{
	u32 one = 1;

	OPAQUE(one);		/* else fresh were a constant, that is a map */
	struct abi_unwind_proc fresh = { .asked = one };
	if (p && p->asked)
		return;
	if (p)
		p->asked = 1;
	else if (bpf_map_update_elem(&dt_unwind_procs, &tgid, &fresh,
				     BPF_NOEXIST))
		return;
	bpf_ringbuf_output(&dt_unwind_asks, &tgid, sizeof(tgid), 0);
}

/* What the segments of the current process are known by; 0: nothing is known of it. */
RT u64
rt_unwind_stamp(void)
{
	u32 tgid = bpf_get_current_pid_tgid() >> 32;
	struct abi_unwind_proc *p = bpf_map_lookup_elem(&dt_unwind_procs, &tgid);

	if (p && p->n)
		return (u64)tgid << 32 | p->chunk * ABI_UNWIND_SEGS | p->first;
	unwind_ask(tgid, p);
	return 0;
}

/* The rule at addr in the current process, and KNOWN, unless that is only because the
 * consumer has not answered yet. */
RT u64
rt_unwind_find(u64 addr)
{
	u32 tgid = bpf_get_current_pid_tgid() >> 32;
	struct abi_unwind_proc *p = bpf_map_lookup_elem(&dt_unwind_procs, &tgid);
	const struct abi_unwind_seg *segs = p ? unwind_chunk(p->chunk) : 0;

	if (!segs)
		return 0;
	const struct abi_unwind_seg *seg =
		&segs[unwind_seg_at(segs, p->first, p->n, addr)];
	if (addr - seg->start >= seg->size) {
		unwind_ask(tgid, p);
		return 0;
	}
	if (!seg->n)
		return UNWIND_KNOWN;
	const struct abi_unwind_row *rows = unwind_chunk(seg->chunk);
	if (!rows)
		return 0;
	u64 at = unwind_row_at(rows, seg->first, seg->n, addr - seg->bias);
	return UNWIND_KNOWN | rows[at].rule;
}

/* The rule, of which 0 is to follow the frame pointer. */
INLINE u32
unwind_rule(char *slot, u64 addr)
{
	u64 at = addr * 0x9e3779b97f4a7c15ull >> (64 - ABI_UNWIND_LATE_BITS);
	u64 stamp = ustack_work(slot)[UNWIND_STAMP], rule;
	struct abi_unwind_late *late =
		(void *)(slot + dt_cfg.window_off + ABI_WINDOW + 8);

	OPAQUE(at);
	late += at & (ABI_UNWIND_LATE - 1);
	if (late->addr == addr && late->stamp == stamp)
		return late->rule;
	rule = rt_unwind_find(addr);
	if (rule) {
		late->addr = addr;
		late->stamp = stamp;
		late->rule = rule;
	}
	return rule;
}

/* The word of the stack at addr. */
INLINE bool
unwind_word(char *slot, u64 index, u64 addr, u64 *ret)
{
	u64 *work = ustack_work(slot), at = addr - work[USTACK_BASE];
	char *window = slot + dt_cfg.window_off;

	if (at > work[USTACK_LAST]) {
		rt_ustack_read(index, addr);
		at = addr - work[USTACK_BASE];
	}
	OPAQUE(at);
	if (at > ABI_WINDOW - 16)
		return false;
	*ret = *(u64 *)(window + at);
	return true;
}

INLINE bool
unwind_signal(char *slot, u64 index)
{
	u64 *work = ustack_work(slot), sp = work[UNWIND_SP], fp, pc, up;

	if (!unwind_word(slot, index, sp + UNWIND_SIG_FP, &fp) ||
	    !unwind_word(slot, index, sp + UNWIND_SIG_SP, &up) ||
	    !unwind_word(slot, index, sp + UNWIND_SIG_PC, &pc))
		return false;
	work[USTACK_FP] = fp;
	work[UNWIND_SP] = up;
	work[UNWIND_PC] = pc;
	work[UNWIND_EXACT] = 1;
	return pc;
}

/* Where the frame ends, by the rule; 0: nobody can tell. */
INLINE u64
unwind_cfa(char *slot, u64 index, u32 rule)
{
	u64 *work = ustack_work(slot);
	u64 sp = work[UNWIND_SP], fp = work[USTACK_FP], cfa = 0;
	u64 n = abi_unwind_n(rule);

	switch (abi_unwind_what(rule)) {
	case ABI_UNWIND_FRAME: return fp < sp ? 0 : fp + 16;
	case ABI_UNWIND_SP: return sp + n * 8;
	case ABI_UNWIND_FP: return fp + n * 8;
	case ABI_UNWIND_PLT:
		return sp + 8 + ((work[UNWIND_PC] & 15) >= n ? 8 : 0);
	case ABI_UNWIND_FP_DEREF:
		unwind_word(slot, index, fp - n * 8, &cfa);
		return cfa;
	default: return 0;
	}
}

/* From a frame to its caller's; false: it has none, or nobody can tell. */
RT u64
rt_unwind_step(u64 index)
{
	char *slot = slot_get(index);
	u64 up, ret;

	if (!slot)
		return 0;
	u64 *work = ustack_work(slot);
	u32 rule = unwind_rule(slot, work[UNWIND_PC] - !work[UNWIND_EXACT]);
	u32 what = abi_unwind_what(rule);
	u64 saved = abi_unwind_saved(rule);
	if (what == ABI_UNWIND_SIGNAL)
		return unwind_signal(slot, index);
	up = work[USTACK_FP];
	u64 cfa = unwind_cfa(slot, index, rule);
	if (cfa <= work[UNWIND_SP])
		return 0;
	if (what == ABI_UNWIND_FRAME)
		saved = 2;
	if (what == ABI_UNWIND_FP_DEREF) {
		if (!unwind_word(slot, index, up, &up))
			return 0;
	} else if (saved && !unwind_word(slot, index, cfa - 8 * saved, &up)) {
		return 0;
	}
	if (!unwind_word(slot, index, cfa - 8, &ret) ||
	    (ret - USTACK_LOW) >> USTACK_BITS)
		return 0;
	work[UNWIND_PC] = ret;
	work[UNWIND_SP] = cfa;
	work[USTACK_FP] = up;
	work[UNWIND_EXACT] = 0;
	return 1;
}

/* As rt_ustack(); 0: there are no tables for the process. */
RT u64
rt_unwind(u64 index, u64 off, u64 max)
{
	char *slot = slot_get(index);
	const u64 *regs = slot ? ustack_begin(slot, off) : NULL;

	if (!regs)
		return 0;
	u64 *work = ustack_work(slot), pc = regs[USTACK_PC], end = off + max * 8;
	work[UNWIND_STAMP] = rt_unwind_stamp();
	if (!work[UNWIND_STAMP])
		return 0;
	work[USTACK_BASE] = 0;
	work[USTACK_LAST] = 0;
	work[UNWIND_PC] = pc;
	work[UNWIND_SP] = regs[LEAF_SP];
	work[UNWIND_EXACT] = 1;
	ustack_put(slot, pc);
	for (u32 i = 0; i < UNWIND_FRAMES; i++) {
		if (work[USTACK_AT] >= end || !rt_unwind_step(index) ||
		    !ustack_put(slot, work[UNWIND_PC]))
			break;
	}
	return (work[USTACK_AT] - off) / 8;
}
