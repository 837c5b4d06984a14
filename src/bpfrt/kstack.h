/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * Kernel stacks of frames that have been seen.  To unwind a stack takes the kernel 1,000
 * to 3,000 ns, by rules that say of each address how large the frame is there.  Here
 * such sizes are learned from the stacks that it has unwound, and who finds a known
 * address at every step down to the registers of the thread has the same stack: 200 to
 * 300 ns with what it takes to count by it (bench/RESULTS.md).
 *
 *	context		an array in the frame of what called our program
 *	...		here, or
 *	ret[0]		how far a return address is from the next is a fact of the
 *	...		first; from the context to ret[0], of the point
 *	ret[n-2]
 *	...		a gap: do_syscall_64() moves the stack at random
 *	ret[n-1]	next to the registers
 *	registers
 *
 * Why that does not take one stack for another:
 *
 *  1. A step is taken only to an address that was seen as the caller of the one before
 *     (calls), and the last one only to that next to the registers.
 *  2. A size is learned from where an address stands, when it stands once between the
 *     one before and the gap; an old copy of it in memory that nobody has written to
 *     since would make it two.
 *  3. A function whose frame has no fixed size, as one that aligns it, leads to an
 *     address that is no caller of it; the stack is unwound then, and a size that
 *     was wrong is learned anew.  If that happens KSTACK_TRIES times, or none can be
 *     learned, its stacks are unwound each time.
 *  4. What 1 would not find out, because an old copy stands where the size says, is
 *     found out when one of KSTACK_CHECK stacks is unwound all the same.
 *
 * So are stacks that are larger than there is room for, or go over to another one,
 * as that of interrupts.
 */

/*
 * Of the frames of a tracepoint some are the kernel's, but of its tracing.  There
 * are thousands of such functions, and which of them a tracepoint has nobody tells
 * (many share one): so they are known by their names.  The kernel takes 900 ns to
 * find one, so an address is asked about once, or as often as it was forgotten.
 */

enum {
	KSTACK_TRACERS = 2,	/* such frames behind bpf_trace_runN() */
	KSTACK_KNOWN = sizeof(((struct abi_stacks *)0)->tracers) / 8,
};
#define KSTACK_YES (1ULL << 63)		/* of all addresses in the kernel */

/* Four characters, and eight, as they lie in memory. */
#define KSTACK_4(a, b, c, d) \
	((u64)(a) | (u64)(b) << 8 | (u64)(c) << 16 | (u64)(d) << 24)
#define KSTACK_8(a, b, c, d, e, f, g, h) \
	(KSTACK_4(a, b, c, d) | KSTACK_4(e, f, g, h) << 32)

INLINE struct abi_stacks *
kstack_get(char *slot)
{
	return (void *)(slot + dt_cfg.stacks_off);
}

/* Is it __bpf_trace_X() or __traceiter_X()?  Some kernels (seen: 6.17) do not know that
 * bpf_snprintf() writes, and what stood there before must not be a number that they know, nor
 * the same twice: they would leave out what that makes unreachable. */
INLINE bool
kstack_is_tracer(struct abi_stacks *s, u64 addr)
{
	u64 name[2] = { s->frames[0], s->frames[1] };

	bpf_snprintf((char *)name, sizeof(name), (const char *)dt_cfg.symbol,
		     &addr, sizeof(addr));
	u64 head = name[0], tail = (u32)name[1];
	return (head == KSTACK_8('_', '_', 'b', 'p', 'f', '_', 't', 'r') &&
		tail == KSTACK_4('a', 'c', 'e', '_')) ||
	       (head == KSTACK_8('_', '_', 't', 'r', 'a', 'c', 'e', 'i') &&
		tail == KSTACK_4('t', 'e', 'r', '_'));
}

/* The same, of addresses that were seen without asking. */
INLINE bool
kstack_traces(struct abi_stacks *s, u64 addr)
{
	u64 *known = (void *)&s->tracers[addr / 4 % KSTACK_KNOWN];

	if ((*known | KSTACK_YES) != (addr | KSTACK_YES))
		*known = kstack_is_tracer(s, addr) ? addr | KSTACK_YES
						: addr & ~KSTACK_YES;
	return *known & KSTACK_YES;
}

/* n frames of those at `off` of the slot are ours: how many are, with those. */
RT u64
rt_stack_own(u64 index, u64 off, u64 n)
{
	char *slot = slot_get(index);

	for (u32 i = 0; slot && i < KSTACK_TRACERS; i++) {
		u64 at = off + n * 8;
		OPAQUE(at);
		if (at > dt_cfg.slot_size - 8 ||
		    !kstack_traces(kstack_get(slot), *(u64 *)(slot + at)))
			break;
		n++;
	}
	return n;
}

enum {
	KSTACK_TRIES = 8, KSTACK_CHECK = 1024,
	KSTACK_TOP = 0xffff,	/* as a size: to the word next to the registers */
};

/* Of struct abi_stacks, by return address (a point's number in place of the context's):
 * the address, bytes 4 to 7; words to the next one, 0: unknown; how often that went wrong. */
#define KSTACK_WORDS(e) ((e) >> 16 & 0xffff)
#define KSTACK_TRIED(e) ((e) & 0xffff)

/* Where that of an address is, or goes if there is none: the first of two, which then are
 * the latest.  Addresses of code differ in their lower half only. */
INLINE u64 *
kstack_size_of(struct abi_stacks *s, u64 from)
{
	u64 *two = (void *)s->sizes[(u32)from * 0x9e3779b1U >> (32 - ABI_KNOWN_SIZES)];

	return two[1] >> 32 == (u32)from ? &two[1] : two;
}

INLINE void
kstack_note_size(u64 *size, u64 from, u64 words, u64 tries)
{
	if (*size >> 32 != (u32)from)
		size[1] = size[0];
	*size = from << 32 | words << 16 | tries;
}

/* A call by 32 bits of what both addresses come to, two of which a word keeps: a stack that is
 * wrong would need more than one that are. */
INLINE u32
kstack_call(u64 from, u64 to)
{
	return ((u32)from << 7 | (u32)from >> 25) ^ (u32)to;
}

INLINE u64 *
kstack_calls(struct abi_stacks *s, u32 call)
{
	return (void *)&s->calls[call * 0x9e3779b1U >> (32 - ABI_KNOWN_CALLS)];
}

INLINE bool
kstack_calls_it(struct abi_stacks *s, u64 from, u64 to)
{
	u32 call = kstack_call(from, to);
	u64 two = *kstack_calls(s, call);

	return (u32)two == call || two >> 32 == call;
}

INLINE void
kstack_note_call(struct abi_stacks *s, u64 from, u64 to)
{
	u32 call = kstack_call(from, to);
	u64 *two = kstack_calls(s, call);

	if (!kstack_calls_it(s, from, to))
		*two = *two << 32 | call;
}

/* The words from the context to the registers to `near`: how many; 0: too many, or
 * they are not on this stack. */
INLINE u64
kstack_read(char *slot, u64 ctx)
{
	struct abi_stacks *s = kstack_get(slot);
	volatile u64 *regs = (void *)&((struct abi_slot *)slot)->conv;

	*regs = bpf_task_pt_regs(bpf_get_current_task_btf());
	u64 far = *regs - ctx;
	OPAQUE(far);
	if (far < 16 || far > sizeof(s->near) ||
	    bpf_probe_read_kernel(s->near, far, (void *)ctx))
		return 0;
	return far / 8;
}

/* The word where the caller of `from`, which stands at word `at`, is expected; as many
 * as there are: nobody knows.  (Through memory, so that the verifier sees one way.) */
INLINE u64
kstack_step(char *slot, u64 from, u64 at, u64 words)
{
	volatile u64 *ret = (void *)&((struct abi_slot *)slot)->conv;
	u64 size = *kstack_size_of(kstack_get(slot), from), by = KSTACK_WORDS(size);

	*ret = words;
	if (size >> 32 == (u32)from && by)
		*ret = by == KSTACK_TOP ? words - 1 : at + by;
	return *ret;
}

/* A stack that is looked at; if it has been unwound, the n addresses at `off` of the slot. */
struct kstack {
	char *slot;
	u64 words, off, n;
};
/* In the slot's work, for the verifier's sake: the address that is known last, or the
 * point, and where it stands; how many there are, 0: it has not ended.  While a size is
 * learned: the address behind that, which is not known, 0: all are; whether it is
 * the last; the last but one; where what is looked for was found, and how often. */
enum {
	KSTACK_FROM = 3, KSTACK_AT, KSTACK_FRAMES, KSTACK_TO, KSTACK_LAST, KSTACK_GAP,
	KSTACK_FOUND, KSTACK_TIMES,
};

INLINE u64 *
kstack_work(const struct kstack *w)
{
	return (void *)((struct abi_slot *)w->slot)->work;
}

/* Frame i, if it is where it is expected. */
static long
kstack_follow(u32 i, struct kstack *w)
{
	struct abi_stacks *s = kstack_get(w->slot);
	u64 *work = kstack_work(w), from = work[KSTACK_FROM];
	u64 at = kstack_step(w->slot, from, work[KSTACK_AT], w->words);

	OPAQUE(at);
	if (at >= w->words || at >= ABI_KNOWN_NEAR || i >= ABI_KNOWN_FRAMES)
		return 1;
	u64 to = s->near[at];
	if (to >> 32 != 0xffffffff || !kstack_calls_it(s, from, to))
		return 1;
	s->frames[i] = to;
	work[KSTACK_FROM] = to;
	work[KSTACK_AT] = at;
	if (at != w->words - 1)
		return 0;
	work[KSTACK_FRAMES] = i + 1;
	return 1;
}

/* How many frames the stack at this point (0: somewhere else) has, which then are in
 * `frames`, with zeros behind them; 0: it is not known. */
RT u64
rt_stack_known(u64 index, u64 point, u64 ctx)
{
	char *slot = slot_get(index);

	if (!slot || !point)
		return 0;
	struct abi_stacks *s = kstack_get(slot);
	struct kstack w = { .slot = slot, .words = kstack_read(slot, ctx) };
	u64 *work = kstack_work(&w);
	if (!w.words || ++s->turn % KSTACK_CHECK == 0)
		return 0;
	__builtin_memset(s->frames, 0, sizeof(s->frames));
	work[KSTACK_FROM] = point;
	work[KSTACK_AT] = work[KSTACK_FRAMES] = 0;
	bpf_loop(ABI_KNOWN_FRAMES, kstack_follow, &w, 0);
	return work[KSTACK_FRAMES];
}

/* Address i of them; 0: there is none. */
INLINE u64
kstack_nth(const struct kstack *w, u64 i)
{
	u64 off = w->off + i * 8;

	OPAQUE(off);
	return i < w->n && off <= dt_cfg.slot_size - 8 ? *(u64 *)(w->slot + off) : 0;
}

/* Does frame i stand where it is expected?  If not, it is what there is to learn. */
static long
kstack_compare(u32 i, struct kstack *w)
{
	struct abi_stacks *s = kstack_get(w->slot);
	u64 *work = kstack_work(w);
	u64 from = work[KSTACK_FROM], to = kstack_nth(w, i);
	u64 at = kstack_step(w->slot, from, work[KSTACK_AT], w->words);
	work[KSTACK_LAST] = i + 1 == w->n;
	OPAQUE(at);
	if (at >= ABI_KNOWN_NEAR || at >= w->words || s->near[at] != to ||
	    (at == w->words - 1) != work[KSTACK_LAST]) {
		work[KSTACK_TO] = to;
		return 1;
	}
	kstack_note_call(s, from, to);
	work[KSTACK_FROM] = to;
	work[KSTACK_AT] = at;
	return 0;
}

/* Does the address that is looked for stand at word i?  Behind the last but one is the gap,
 * which is full of old copies. */
static long
kstack_look(u32 i, struct kstack *w)
{
	u64 *work = kstack_work(w);

	if (i >= ABI_KNOWN_NEAR)
		return 1;
	u64 is = kstack_get(w->slot)->near[i];
	if (i <= work[KSTACK_AT])
		return 0;
	if (is == work[KSTACK_TO]) {
		work[KSTACK_FOUND] = i;
		work[KSTACK_TIMES]++;
	}
	return is == work[KSTACK_GAP];
}

/* How many words it is to the address that is looked for; 0: that cannot be said.  What is
 * next to the registers needs no looking. */
INLINE u64
kstack_find(struct kstack *w)
{
	u64 *work = kstack_work(w), far = w->words - 1;

	if (work[KSTACK_LAST] && far < ABI_KNOWN_NEAR)
		return kstack_get(w->slot)->near[far] == work[KSTACK_TO] ?
			far - work[KSTACK_AT] : 0;
	work[KSTACK_FOUND] = work[KSTACK_TIMES] = 0;
	work[KSTACK_GAP] = kstack_nth(w, w->n - 2);
	bpf_loop(w->words, kstack_look, w, 0);
	return work[KSTACK_TIMES] == 1 ? work[KSTACK_FOUND] - work[KSTACK_AT] : 0;
}

/* Learn what is not known yet of a stack that has been unwound: one size. */
RT u64
rt_stack_learn(u64 index, u64 point, u64 ctx, u64 off, u64 n)
{
	char *slot = slot_get(index);

	if (!slot || !point || n < 1 || n > ABI_KNOWN_FRAMES)
		return 0;
	struct abi_stacks *s = kstack_get(slot);
	struct kstack w = { slot, kstack_read(slot, ctx), off, n };
	u64 *work = kstack_work(&w);
	if (!w.words)
		return 0;
	work[KSTACK_FROM] = point;
	work[KSTACK_AT] = work[KSTACK_TO] = 0;
	bpf_loop(n, kstack_compare, &w, 0);
	if (!work[KSTACK_TO])
		return 0;
	u64 from = work[KSTACK_FROM], *size = kstack_size_of(s, from), tries = 0;
	if (*size >> 32 == (u32)from)
		tries = KSTACK_TRIED(*size) + 1;
	if (tries > KSTACK_TRIES)
		return 0;
	u64 words = kstack_find(&w);
	if (words && tries && work[KSTACK_LAST])
		words = KSTACK_TOP;
	kstack_note_size(size, from, words, tries);
	if (words)
		kstack_note_call(s, from, work[KSTACK_TO]);
	return 0;
}
