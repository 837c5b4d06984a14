/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * The stack of a process by tables (abi/unwind.h): where no frame pointer is kept,
 * as in most programs, these say of each address how to find the caller.  The consumer
 * makes them, and says what each process has mapped.  Of a process or an address that
 * it does not know yet it is told through dt_unwind_asks; until it answers the kernel
 * is asked which file is mapped there, and if nobody has made a table of that, the
 * frame pointer has to do.
 *
 *  1. A return address is behind the call, which may be a function's last
 *     instruction; so the rule is that of the byte before.  Where a thread was
 *     interrupted, by us or by a signal, it is that of the address itself.
 *  2. The stack grows down, so each frame lies above the one it calls; what does
 *     not ends the stack.  (A signal may be handled on another one.)
 *  3. Searches do not branch, or the verifier would follow each way.
 *  4. On aarch64 the return address may be in the link register: of the innermost frame,
 *     and of one that a signal interrupted, for no other's is known.  There, too, a
 *     frame pointer does not tell where the stack pointer was.
 *  5. Functions call each other three deep at most, so that there is room for them on
 *     the stack of BPF below those of the firing.  So the program that wants a stack
 *     calls rt_unwind_begin(), and then rt_unwind_some() as often as need be: each turn of
 *     a loop is one more to the verifier, a function is verified once.
 */

#include "abi/mapped.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(key_size, 4);
	__uint(value_size, 4);
	__uint(max_entries, 1);
	__uint(map_extra, ABI_UNWIND_CHUNK);
} dt_unwind SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(key_size, sizeof(struct abi_unwind_key));
	__uint(value_size, sizeof(struct abi_unwind_place));
	__uint(max_entries, ABI_UNWIND_PLACES);
} dt_unwind_places SEC(".maps");

/* struct abi_unwind_ask, each */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} dt_unwind_asks SEC(".maps");

/* Behind USTACK_*, in the slot's work, which is where everything is, for there is little
 * room on the stack of BPF. */
enum {
	UNWIND_PC = USTACK_FP + 1,	/* 0: what is put already is all */
	UNWIND_SP, UNWIND_EXACT, UNWIND_STAMP,
	UNWIND_BLIND,		/* 1: a table was missing */
	UNWIND_KEY,		/* struct abi_unwind_key, */
	UNWIND_INO, UNWIND_SIZE,
	UNWIND_OFFSET,		/* what is mapped at an address: from that to the
				 * place in the file */
	UNWIND_MAPPED,		/* a file, or only memory, with code or without; 0:
				 * nobody knows */
	UNWIND_RETURNS,		/* struct return_instance of the kernel, from the
				 * innermost: where it had frames return to itself */
	UNWIND_LINK,		/* the link register; 0: nobody knows */
	UNWIND_LOST,		/* 1: the stack pointer is not known (4), but lies
				 * above UNWIND_SP */
	UNWIND_WORD,		/* of the code, in bytes: 8 or 4 */
	UNWIND_SEGS,		/* of the process: how many, and UNWIND_OWN; which
				 * they are is in UNWIND_STAMP */
	UNWIND_VALUE,		/* struct abi_unwind_place; or a word and */
	UNWIND_START, UNWIND_END,	/* of what is mapped at an address */
	UNWIND_NWORDS = UNWIND_VALUE + 3
};

_Static_assert((int)UNWIND_BLIND == (int)ABI_UNWIND_BLIND &&
	       (int)USTACK_AT == (int)ABI_UNWIND_AT, "our callers look there");

enum { UNWIND_FILE = 1, UNWIND_MEMORY, UNWIND_DATA };

enum {
	UNWIND_KNOWN = 1ull << 32,	/* a rule is in the lower half */
	UNWIND_NO_CODE = 1ull << 33,	/* nobody can return there */
	UNWIND_OWN = 1ull << 32,	/* they are no parent's */
	UNWIND_STRANGE = 1U << 31,	/* a stamp: there are none */
	UNWIND_RETURNED = 4,	/* frames that are left, but not yet forgotten */
#if defined(__TARGET_ARCH_arm64)
	UNWIND_HAS_LINK = 1,
#else
	UNWIND_HAS_LINK = 0,
#endif
};

/* In bytes. */
INLINE u64
unwind_size(const u64 *work)
{
	return UNWIND_HAS_LINK ? 8 : work[UNWIND_WORD];
}

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

/* --- What is mapped where ------------------------------------------------------ */

/* Which program the process runs, of those that it has executed. */
INLINE u64
unwind_exec(void)
{
	u64 n = 0;

	if (dt_cfg.koff[ABI_KOFF_TASK_EXEC_ID] != ~0U)
		peek(bpf_get_current_task() + dt_cfg.koff[ABI_KOFF_TASK_EXEC_ID],
		     &n);
	return n;
}

INLINE struct abi_unwind_place *
unwind_place(char *slot)
{
	return bpf_map_lookup_elem(&dt_unwind_places,
				   &ustack_work(slot)[UNWIND_KEY]);
}

/* The current process, if the consumer has heard of it.  What it said of another
 * program is forgotten. */
INLINE struct abi_unwind_place *
unwind_proc(char *slot)
{
	*(struct abi_unwind_key *)&ustack_work(slot)[UNWIND_KEY] =
		abi_unwind_process(bpf_get_current_pid_tgid() >> 32);
	struct abi_unwind_place *p = unwind_place(slot);
	u64 exec = p ? unwind_exec() : 0;

	if (p && p->exec != exec) {
		p->n = 0;
		p->exec = exec;
		p->asked = 0;
	}
	return p;
}

/* The parent of the current process, if that has been forked off and has executed nothing
 * since; or 0. */
RT u64
rt_unwind_up(void)
{
	u64 up, exec;
	u32 tgid;

	if (dt_cfg.koff[ABI_KOFF_TASK_EXEC_ID] == ~0U ||
	    !peek(bpf_get_current_task() + dt_cfg.koff[ABI_KOFF_TASK_UP], &up) ||
	    !peek(up + dt_cfg.koff[ABI_KOFF_TASK_EXEC_ID], &exec) ||
	    exec != unwind_exec() ||
	    bpf_probe_read_kernel(&tgid, sizeof(tgid),
				  (void *)(up + dt_cfg.koff[ABI_KOFF_UP_TGID])))
		return 0;
	return tgid;
}

/* What such a process has from its parent: the same is mapped there. */
INLINE struct abi_unwind_place *
unwind_from_up(char *slot)
{
	u32 up = rt_unwind_up();

	if (!up)
		return 0;
	*(struct abi_unwind_key *)&ustack_work(slot)[UNWIND_KEY] =
		abi_unwind_process(up);
	struct abi_unwind_place *p = unwind_place(slot);
	return p && p->n && p->exec == unwind_exec() ? p : 0;
}

/* Tell the consumer of the current process, once. */
RT u64
rt_unwind_ask(u64 index)
{
	char *slot = slot_get(index);

	if (!slot)
		return 0;
	struct abi_unwind_place *p = unwind_proc(slot);
	struct abi_unwind_place *fresh =
		(void *)&ustack_work(slot)[UNWIND_VALUE];
	struct abi_unwind_ask *ask = (void *)fresh;
	if (p && p->asked)
		return 0;
	u64 exec = unwind_exec();
	*fresh = (struct abi_unwind_place){ .asked = 1, .exec = exec };
	if (p)
		p->asked = 1;
	else if (bpf_map_update_elem(&dt_unwind_places,
				     &ustack_work(slot)[UNWIND_KEY], fresh,
				     BPF_NOEXIST))
		return 0;
	ask->tgid = bpf_get_current_pid_tgid() >> 32;
	ask->up = rt_unwind_up();
	ask->exec = exec;
	bpf_ringbuf_output(&dt_unwind_asks, ask, sizeof(*ask), 0);
	return 1;
}

/* The rule at `at`, and KNOWN, by n segments of a chunk; 0: none of them covers it. */
RT u64
rt_unwind_in(u64 chunk, u64 first, u64 n, u64 at)
{
	const struct abi_unwind_seg *segs = unwind_chunk(chunk);

	if (!segs || !n)
		return 0;
	const struct abi_unwind_seg *seg =
		&segs[unwind_seg_at(segs, first, n, at)];
	if (at - seg->start >= seg->size)
		return 0;
	if (!seg->n)
		return UNWIND_KNOWN;
	const struct abi_unwind_row *rows = unwind_chunk(seg->chunk);
	if (!rows)
		return 0;
	u64 row = unwind_row_at(rows, seg->first, seg->n, at - seg->bias);
	return UNWIND_KNOWN | rows[row].rule;
}

/* The word of the kernel's at addr, to word `to` of the work. */
INLINE bool
unwind_copy(u64 *work, u32 to, u64 addr, u32 koff)
{
	return !bpf_probe_read_kernel(&work[to], 8,
				      (void *)(addr + dt_cfg.koff[koff]));
}

/* Which file it is, and which part; v: the mapping. */
INLINE bool
unwind_on_file(u64 *work, u64 v, u64 file)
{
	u64 word;

	if (!unwind_copy(work, UNWIND_VALUE, v, ABI_KOFF_MAP_OFF) ||
	    !peek(file + dt_cfg.koff[ABI_KOFF_FILE_INODE], &word) ||
	    !unwind_copy(work, UNWIND_INO, word, ABI_KOFF_INODE_INO) ||
	    !unwind_copy(work, UNWIND_SIZE, word, ABI_KOFF_INODE_SIZE) ||
	    !peek(word + dt_cfg.koff[ABI_KOFF_INODE_SB], &word) ||
	    !unwind_copy(work, UNWIND_KEY, word, ABI_KOFF_SB_DEV))
		return false;
	work[UNWIND_KEY] = (u32)work[UNWIND_KEY];
	work[UNWIND_OFFSET] += work[UNWIND_VALUE] << (dt_cfg.page_shift & 63);
	return true;
}

enum { UNWIND_VM_EXEC = 4 };	/* the kernel's vm_flags */

/* Memory, or what the kernel gives each process. */
INLINE u64
unwind_on_memory(u64 *work, u64 v)
{
	u64 word, flags;

	if (!peek(v + dt_cfg.koff[ABI_KOFF_MAP_OPS], &word) ||
	    !unwind_copy(work, UNWIND_SIZE, v, ABI_KOFF_MAP_END))
		return 0;
	work[UNWIND_KEY] = 0;
	work[UNWIND_INO] = 0;
	work[UNWIND_SIZE] += work[UNWIND_OFFSET] + (unwind_size(work) == 4);
	if (word)
		return UNWIND_FILE;
	return peek(v + dt_cfg.koff[ABI_KOFF_MAP_FLAGS], &flags) &&
	       !(flags & UNWIND_VM_EXEC) ? UNWIND_DATA : UNWIND_MEMORY;
}

/* bpf_find_vma() calls it. */
static long
unwind_on_mapping(struct task_struct *t, void *vma, void *ctx)
{
	char *slot = slot_get(*(u64 *)ctx);
	u64 v = (u64)vma, word;

	if (!slot)
		return 0;
	u64 *work = ustack_work(slot);
	if (!unwind_copy(work, UNWIND_OFFSET, v, ABI_KOFF_MAP_START) ||
	    !peek(v + dt_cfg.koff[ABI_KOFF_MAP_FILE], &word))
		return 0;
	work[UNWIND_START] = work[UNWIND_OFFSET];
	if (!unwind_copy(work, UNWIND_END, v, ABI_KOFF_MAP_END))
		work[UNWIND_END] = 0;
	work[UNWIND_OFFSET] = -work[UNWIND_OFFSET];
	if (!word)
		work[UNWIND_MAPPED] = unwind_on_memory(work, v);
	else if (unwind_on_file(work, v, word))
		work[UNWIND_MAPPED] = UNWIND_FILE;
	return 0;
}

enum {
	UNWIND_BUSY = -16,	/* the kernel's EBUSY: the mappings are locked */
	UNWIND_TRIES = 2,
};

/* The same without the lock. */
INLINE void
unwind_on_found(char *slot, u64 index, u64 addr)
{
	u64 *work = ustack_work(slot);

#pragma clang loop unroll(disable)
	for (u32 i = 0; i < UNWIND_TRIES && !work[UNWIND_MAPPED]; i++) {
		u64 vma = mapping_find(slot, index, addr);
		if (!vma)
			continue;
		unwind_on_mapping(NULL, (void *)vma, &index);
		if (mapping_find(slot, index, addr) != vma)
			work[UNWIND_MAPPED] = 0;
	}
}

/* Where what belongs to an address of the process is kept, of 1 << bits places: those that
 * were forked off have the same addresses, and take turns. */
INLINE u64
unwind_spread(const u64 *work, u64 addr, u32 bits)
{
	return (addr + work[UNWIND_STAMP]) * 0x9e3779b97f4a7c15ull >> (64 - bits);
}

INLINE struct abi_unwind_near *
unwind_near_at(char *slot)
{
	return (void *)(slot + dt_cfg.window_off + ABI_WINDOW + 8 +
			ABI_UNWIND_LATE * sizeof(struct abi_unwind_late));
}

/* What is mapped at addr, if it was found lately. */
INLINE bool
unwind_near(char *slot, u64 addr)
{
	u64 *work = ustack_work(slot);
	struct abi_unwind_near *n = unwind_near_at(slot);

	for (u32 i = 0; i < ABI_UNWIND_NEAR; i++, n++) {
		if (n->stamp != work[UNWIND_STAMP] || addr < n->start ||
		    addr >= n->end)
			continue;
		*(struct abi_unwind_key *)&work[UNWIND_KEY] = n->key;
		work[UNWIND_OFFSET] = n->offset;
		work[UNWIND_MAPPED] = n->mapped;
		return true;
	}
	return false;
}

INLINE void
unwind_note(char *slot)
{
	u64 *work = ustack_work(slot);
	u64 at = unwind_spread(work, work[UNWIND_START], ABI_UNWIND_NEAR_BITS);
	struct abi_unwind_near *n = unwind_near_at(slot);

	OPAQUE(at);
	n += at & (ABI_UNWIND_NEAR - 1);
	n->stamp = work[UNWIND_STAMP];
	n->start = work[UNWIND_START];
	n->end = work[UNWIND_END];
	n->key = *(struct abi_unwind_key *)&work[UNWIND_KEY];
	n->offset = work[UNWIND_OFFSET];
	n->mapped = work[UNWIND_MAPPED];
}

/* The rule where a process of 32 bits is in a system call, which it makes in the code that
 * the kernel gives it, behind three pushes, of which the frame pointer is the last.  The
 * consumer meets that code with the first such process, which has made calls by then. */
INLINE u64
unwind_call_32(const u64 *work)
{
	return !UNWIND_HAS_LINK && unwind_size(work) == 4 && !work[UNWIND_INO] &&
	       work[UNWIND_EXACT] ?
	       UNWIND_KNOWN | abi_unwind_rule(ABI_UNWIND_SP, 4, 4) : 0;
}

/* The rule at addr, and KNOWN, if there is a table of the file that is mapped there. */
RT u64
rt_unwind_mapped(u64 index, u64 addr)
{
	char *slot = slot_get(index);

	if (!slot)
		return 0;
	u64 *work = ustack_work(slot);
	if (!unwind_near(slot, addr)) {
		work[UNWIND_MAPPED] = 0;
		if (dt_cfg.page_shift &&
		    bpf_find_vma(bpf_get_current_task_btf(), addr,
				 unwind_on_mapping, &index, 0) == UNWIND_BUSY)
			unwind_on_found(slot, index, addr);
		if (work[UNWIND_MAPPED])
			unwind_note(slot);
	}
	if (work[UNWIND_MAPPED] == UNWIND_DATA)
		return UNWIND_KNOWN | UNWIND_NO_CODE;
	if (work[UNWIND_MAPPED] != UNWIND_FILE)
		return work[UNWIND_MAPPED] ? UNWIND_KNOWN : 0;
	struct abi_unwind_place *f = unwind_place(slot);
	if (!f) {
		work[UNWIND_KEY] = ABI_UNWIND_SOME_DEV;
		f = unwind_place(slot);
	}
	return f ? rt_unwind_in(f->chunk, f->first, f->n,
				addr + work[UNWIND_OFFSET]) : unwind_call_32(work);
}

/* The segments of the current process, or what they are known by where there are none. */
INLINE void
unwind_choose(char *slot, u64 index)
{
	u64 *work = ustack_work(slot);
	struct abi_unwind_place *p = unwind_proc(slot);
	u64 tgid = work[UNWIND_KEY], own = UNWIND_OWN;

	if (!p || !p->n) {
		rt_unwind_ask(index);
		p = unwind_from_up(slot);
		own = 0;
	}
	work[UNWIND_SEGS] = p ? own | p->n : 0;
	work[UNWIND_STAMP] = tgid << 32 |
			     (p ? p->chunk * ABI_UNWIND_SEGS | p->first :
			      UNWIND_STRANGE | (unwind_exec() & ~UNWIND_STRANGE));
}
_Static_assert((65536ull * ABI_UNWIND_SEGS) >> 31 == 0, "stamps are of two kinds");

/* The byte whose rule is asked for. */
INLINE u64
unwind_addr(const u64 *work)
{
	return work[UNWIND_PC] - !work[UNWIND_EXACT];
}

INLINE struct abi_unwind_late *
unwind_late(char *slot)
{
	const u64 *work = ustack_work(slot);
	u64 at = unwind_spread(work, unwind_addr(work), ABI_UNWIND_LATE_BITS);
	struct abi_unwind_late *late =
		(void *)(slot + dt_cfg.window_off + ABI_WINDOW + 8);

	OPAQUE(at);
	return late + (at & (ABI_UNWIND_LATE - 1));
}

/* The rule there, and KNOWN, if it was found lately. */
RT u64
rt_unwind_recall(u64 index)
{
	char *slot = slot_get(index);

	if (!slot)
		return 0;
	const u64 *work = ustack_work(slot);
	const struct abi_unwind_late *late = unwind_late(slot);
	return late->addr == unwind_addr(work) &&
	       late->stamp == work[UNWIND_STAMP] ? late->rule : 0;
}

INLINE void
unwind_count_blind(void)
{
	u32 cpu = bpf_get_smp_processor_id();
	u64 *row = bpf_map_lookup_elem(&dt_drops, &cpu);

	if (row)
		__sync_fetch_and_add(&row[ABI_BLIND_STACKS], 1);
}

INLINE void
unwind_remember(char *slot, u64 rule)
{
	u64 *work = ustack_work(slot);
	struct abi_unwind_late *late = unwind_late(slot);

	if (!rule) {
		if (!work[UNWIND_BLIND])
			unwind_count_blind();
		work[UNWIND_BLIND] = 1;
		return;
	}
	late->addr = unwind_addr(work);
	late->stamp = work[UNWIND_STAMP];
	late->rule = rule;
}

/* The same, looked for; 0 if that is only because the consumer has not answered yet. */
RT u64
rt_unwind_find(u64 index)
{
	char *slot = slot_get(index);
	u64 rule = 0;

	if (!slot)
		return 0;
	u64 *work = ustack_work(slot);
	u32 at = (u32)work[UNWIND_STAMP], n = (u32)work[UNWIND_SEGS];
	if (n)
		rule = rt_unwind_in(at / ABI_UNWIND_SEGS, at % ABI_UNWIND_SEGS, n,
				    unwind_addr(work));
	if (!rule || !(work[UNWIND_SEGS] & UNWIND_OWN))
		rt_unwind_ask(index);
	if (!rule)
		rule = rt_unwind_mapped(index, unwind_addr(work));
	unwind_remember(slot, rule);
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
	*ret = *(u64 *)(window + at) << (64 - 8 * unwind_size(work)) >>
	       (64 - 8 * unwind_size(work));
	return true;
}

INLINE bool
unwind_signal_32(char *slot, u64 index, u64 n)
{
	u64 *work = ustack_work(slot), sp = work[UNWIND_SP] + n * 4, fp, pc, up;

	if (!unwind_word(slot, index, sp + ABI_UNWIND_SIG32_FP, &fp) ||
	    !unwind_word(slot, index, sp, &up) ||
	    !unwind_word(slot, index, sp + ABI_UNWIND_SIG32_PC, &pc))
		return false;
	work[USTACK_FP] = fp;
	work[UNWIND_SP] = up;
	work[UNWIND_PC] = pc;
	work[UNWIND_EXACT] = 1;
	return pc;
}

INLINE bool
unwind_signal(char *slot, u64 index, u32 rule)
{
	u64 *work = ustack_work(slot), sp = work[UNWIND_SP], fp, ra, pc, up;

	if (unwind_size(work) == 4)
		return unwind_signal_32(slot, index, abi_unwind_n(rule));

	if (!unwind_word(slot, index, sp + ABI_UNWIND_SIG_FP, &fp) ||
	    !unwind_word(slot, index, sp + ABI_UNWIND_SIG_RA, &ra) ||
	    !unwind_word(slot, index, sp + ABI_UNWIND_SIG_SP, &up) ||
	    !unwind_word(slot, index, sp + ABI_UNWIND_SIG_PC, &pc))
		return false;
	work[USTACK_FP] = fp;
	work[UNWIND_SP] = up;
	work[UNWIND_PC] = pc;
	work[UNWIND_EXACT] = 1;
	work[UNWIND_LINK] = ra;
	work[UNWIND_LOST] = 0;
	return pc;
}

/* What to do by the rule, with what is known. */
INLINE u32
unwind_what(const u64 *work, u32 rule)
{
	u32 what = abi_unwind_what(rule);

	if (UNWIND_HAS_LINK && work[UNWIND_LOST] &&
	    (what == ABI_UNWIND_SP || what == ABI_UNWIND_SP_RA))
		return ABI_UNWIND_FRAME;
	return what;
}

/* Where the frame ends, by the rule; 0: nobody can tell. */
INLINE u64
unwind_cfa(char *slot, u64 index, u32 what, u32 rule)
{
	u64 *work = ustack_work(slot);
	u64 sp = work[UNWIND_SP], fp = work[USTACK_FP], n = abi_unwind_n(rule);
	u64 word = 0, size = unwind_size(work);

	switch (what) {
	case ABI_UNWIND_FRAME: return fp < sp ? 0 : fp + 2 * size;
	case ABI_UNWIND_SP: return sp + n * size;
	case ABI_UNWIND_FP: return fp + n * size;
#if defined(__TARGET_ARCH_arm64)
	case ABI_UNWIND_SP_RA: return sp + n * size;
	case ABI_UNWIND_FP_RA: return fp + n * size;
#else
	case ABI_UNWIND_PLT:
		return sp + size + ((work[UNWIND_PC] & 15) >= n ? size : 0);
	case ABI_UNWIND_FP_DEREF:
		unwind_word(slot, index, fp - n * size, &word);
		return word;
	case ABI_UNWIND_SP_DEREF:
		return unwind_word(slot, index, sp + n * size - size, &word) ?
		       word + size : 0;
#endif
	default: return word;
	}
}

/* Where uprobes have the kernel hear of returns, if anywhere.  False: nobody knows. */
INLINE bool
unwind_returns(u64 *work)
{
	work[UNWIND_RETURNS] = 0;
	if (dt_cfg.koff[ABI_KOFF_TASK_UTASK] == ~0U ||
	    !unwind_copy(work, UNWIND_RETURNS, bpf_get_current_task(),
			 ABI_KOFF_TASK_UTASK))
		return false;
	return !work[UNWIND_RETURNS] ||
	       (dt_cfg.koff[ABI_KOFF_RETURN_NEXT] != ~0U &&
		unwind_copy(work, UNWIND_RETURNS, work[UNWIND_RETURNS],
			    ABI_KOFF_UTASK_RETURNS));
}

/* The address at `at` of the stack is ret; where the kernel has put one of its own,
 * what stood there. */
INLINE u64
unwind_real(u64 *work, u64 at, u64 ret)
{
#pragma clang loop unroll(full)
	for (u32 i = 0; i < UNWIND_RETURNED; i++) {
		u64 r = work[UNWIND_RETURNS];
		if (!r || !unwind_copy(work, UNWIND_VALUE, r,
				       ABI_KOFF_RETURN_STACK) ||
		    work[UNWIND_VALUE] > at ||
		    !unwind_copy(work, UNWIND_RETURNS, r, ABI_KOFF_RETURN_NEXT))
			return ret;
		if (work[UNWIND_VALUE] == at)
			return unwind_copy(work, UNWIND_VALUE, r,
					   ABI_KOFF_RETURN_ADDR) ?
			       work[UNWIND_VALUE] : ret;
	}
	return ret;
}

/* Does nobody lie below it: does it end above where it begins? */
INLINE bool
unwind_ascends(const u64 *work, u64 cfa)
{
	return cfa > work[UNWIND_SP] ||
	       (UNWIND_HAS_LINK && work[UNWIND_EXACT] && cfa == work[UNWIND_SP]);
}

/* The caller's frame pointer. */
INLINE bool
unwind_up(char *slot, u64 index, u64 cfa, u32 what, u64 saved, u64 *ret)
{
	*ret = ustack_work(slot)[USTACK_FP];
	if (UNWIND_HAS_LINK &&
	    (what == ABI_UNWIND_SP_RA || what == ABI_UNWIND_FP_RA))
		return true;
	if (what == ABI_UNWIND_FP_DEREF)
		return unwind_word(slot, index, *ret, ret);
	return !saved || unwind_word(slot, index, cfa - unwind_size(ustack_work(slot)) * saved,
				     ret);
}

/* Where it goes on when the function returns; 0: nobody knows. */
INLINE u64
unwind_return(char *slot, u64 index, u64 cfa, u32 what, u64 saved)
{
	u64 *work = ustack_work(slot), at = cfa - unwind_size(work), ret;

	if (UNWIND_HAS_LINK)
		at = cfa - 8 * saved + (what == ABI_UNWIND_SP_RA ||
					what == ABI_UNWIND_FP_RA ? 0 : 8);
	if (UNWIND_HAS_LINK && !saved)
		ret = work[UNWIND_LINK];
	else if (!unwind_word(slot, index, at, &ret))
		return 0;
	return ustack_code(unwind_real(work, UNWIND_HAS_LINK ? cfa : at, ret));
}

/* The last frame is none. */
INLINE void
unwind_take_back(char *slot)
{
	u64 *next = &ustack_work(slot)[USTACK_AT], at = *next - 8;

	OPAQUE(at);
	if (at > dt_cfg.slot_size - 8)
		return;
	*(u64 *)(slot + at) = 0;
	*next = at;
}

/* From a frame, the i-th, to its caller's, by the rule, and put that; false: it has none,
 * or nobody can tell.  Of the rule 0 is to follow the frame pointer. */
RT u64
rt_unwind_step(u64 index, u64 rule, u64 i)
{
	char *slot = slot_get(index);
	u64 up, ret;

	if (!slot)
		return 0;
	/* A thread's first function has no caller, but something lies where it would
	 * be. */
	if (i && rule & UNWIND_NO_CODE) {
		unwind_take_back(slot);
		return 0;
	}
	u64 *work = ustack_work(slot);
	u32 what = unwind_what(work, (u32)rule);
	u64 saved = what == ABI_UNWIND_FRAME ? 2 : abi_unwind_saved((u32)rule);
	if (what == ABI_UNWIND_SIGNAL)
		return unwind_signal(slot, index, (u32)rule) &&
		       ustack_put(slot, work[UNWIND_PC]);
	u64 cfa = unwind_cfa(slot, index, what, (u32)rule);
	if (!unwind_ascends(work, cfa) ||
	    !unwind_up(slot, index, cfa, what, saved, &up))
		return 0;
	ret = unwind_return(slot, index, cfa, what, saved);
	if (!ret)
		return 0;
	work[UNWIND_PC] = ret;
	work[UNWIND_SP] = cfa;
	work[USTACK_FP] = up;
	work[UNWIND_EXACT] = 0;
	work[UNWIND_LINK] = 0;
	work[UNWIND_LOST] = UNWIND_HAS_LINK && what == ABI_UNWIND_FRAME;
	return ustack_put(slot, ret);
}

/* Begin at `off` of the slot, with where the process stands; false: nobody knows. */
RT u64
rt_unwind_begin(u64 index, u64 off)
{
	char *slot = slot_get(index);
	const u64 *regs = slot ? ustack_begin(slot, off) : NULL;

	if (!regs)
		return 0;
	u64 *work = ustack_work(slot), pc = regs[USTACK_PC];
	if ((UNWIND_HAS_LINK && !ustack_is_64(regs)) || !unwind_returns(work))
		return 0;
	work[UNWIND_WORD] = ustack_is_64(regs) ? 8 : 4;
	work[UNWIND_BLIND] = 0;
	work[USTACK_BASE] = 0;
	work[USTACK_LAST] = 0;
	work[UNWIND_PC] = ustack_is_new(regs) ? 0 : pc;
	work[UNWIND_SP] = regs[LEAF_SP];
	work[UNWIND_EXACT] = 1;
	work[UNWIND_LOST] = 0;
#if defined(__TARGET_ARCH_arm64)
	work[UNWIND_LINK] = regs[ABI_ROLE_OFF_LINK / 8];
#endif
	ustack_put(slot, pc);
	unwind_choose(slot, index);
	return 1;
}

/* Put some frames after that, as far as `end`; `later`: not the first.  May there be more?
 * None is left if there is no table for where it begins. */
RT u64
rt_unwind_some(u64 index, u64 end, u64 later)
{
	char *slot = slot_get(index);

	if (!slot)
		return 0;
	u64 *at = &ustack_work(slot)[USTACK_AT];
	for (u64 i = 0; i < ABI_UNWIND_SOME; i++) {
		if (*at >= end || !ustack_work(slot)[UNWIND_PC])
			return 0;
		u64 rule = rt_unwind_recall(index);
		if (!rule)
			rule = rt_unwind_find(index);
		if (!rule && !(later | i)) {
			*at -= 8;
			return 0;
		}
		if (!rt_unwind_step(index, rule, later | i))
			return 0;
	}
	return 1;
}
_Static_assert((int)UNWIND_NWORDS <= (int)MAPPING_WORK, "room");
