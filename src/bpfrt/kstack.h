/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * Kernel stacks that have been seen.  To unwind one takes the kernel 2,000 ns,
 * and half of that goes for its own helper and our program; yet at a system
 * call there are no more than a few different ones.  So where the return
 * addresses stand is noted, and whoever finds them all there again has the
 * same stack: 100 ns.
 *
 *	context		an array in the frame of what called our program
 *	...		here, or
 *	ret[0]		frames of fixed sizes: at a fixed distance from the
 *	...		context
 *	ret[n-2]
 *	...		a gap: do_syscall_64() moves the stack at random
 *	ret[n-1]	next to the registers, which the context points to
 *	registers
 *
 * Why that cannot take one stack for another:
 *
 *  1. The context stands at a fixed distance from ret[0], at one point.
 *  2. How far it is from a return address to the next is a fact of the function
 *     between them.  There is one whose frame has no fixed size, and it is the
 *     outermost: what it returns to is next to the registers.  So when the
 *     addresses up to some place are those noted, the next one stands where it
 *     was noted.
 *  3. Where an address stands is learned from a stack on which it is found
 *     once, between the context and the registers; an old copy of it in memory
 *     that nobody has written to since would make it two.
 *
 * A stack that has more frames than there is room for, or another shape (another
 * way into the kernel, another architecture) is unwound each time.
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

/* Is it __bpf_trace_X() or __traceiter_X()? */
INLINE bool
kstack_is_tracer(u64 addr)
{
	u64 name[2] = { 0 };

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
	u64 *known = &s->tracers[addr / 4 % KSTACK_KNOWN];

	if ((*known | KSTACK_YES) != (addr | KSTACK_YES))
		*known = kstack_is_tracer(addr) ? addr | KSTACK_YES
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
	KSTACK_FAR = 2048,	/* bytes from the context to the registers */
	KSTACK_WORDS = sizeof(((struct abi_stacks *)0)->near) / 8,
	KSTACK_LOOK = 24,	/* words, in which all but one stand */
};

INLINE struct abi_known *
kstack_known(struct abi_stacks *s, u64 point)
{
	return &s->known[point % ABI_KNOWN_STACKS];
}

/* Words from the context on; how many bytes it is to the registers, 0: they
 * are not on this stack. */
INLINE u64
kstack_read(struct abi_stacks *s, u64 ctx, u32 size)
{
	if (bpf_probe_read_kernel(s->near, size, (void *)ctx))
		return 0;
	u64 far = s->near[0] - ctx;
	return far <= KSTACK_FAR ? far : 0;
}

/* How many frames the stack at this point (0: somewhere else) has, which then
 * are in near, with zeros behind them; 0: it is not known. */
RT u64
rt_stack_known(u64 index, u64 point, u64 ctx)
{
	char *slot = slot_get(index);
	u64 far, top = 0;

	if (!slot || !point)
		return 0;
	struct abi_stacks *s = kstack_get(slot);
	struct abi_known *k = kstack_known(s, point);
	u32 n = k->n;
	if (k->point != point || n < 2 || n > ABI_KNOWN_FRAMES)
		return 0;
	far = kstack_read(s, ctx, KSTACK_LOOK * 8);
	for (u32 i = 0; i < ABI_KNOWN_FRAMES - 1 && i < n - 1; i++) {
		u64 at = k->at[i];
		OPAQUE(at);
		if (at >= KSTACK_LOOK || s->near[at] != k->ret[i] ||
		    far < (at + 2) * 8)
			return 0;
	}
	if (bpf_probe_read_kernel(&top, 8, (void *)(ctx + far - 8)) ||
	    top != k->ret[n - 1])
		return 0;
	for (u32 i = 1; i < ABI_KNOWN_FRAMES; i++)
		s->near[i - 1] = k->ret[i];
	return n - 1;
}

/* All ones: a < b, neither being large.  No branch: the verifier would follow
 * each way through the loops below. */
INLINE u64
kstack_below(u64 a, u64 b)
{
	s64 x = a - b;

	OPAQUE(x);
	x >>= 63;
	OPAQUE(x);
	return x;
}

/* All ones: a == b. */
INLINE u64
kstack_same(u64 a, u64 b)
{
	u64 x = a ^ b;

	return ~kstack_below(~(x | -x) >> 63, 1);
}

/* Which of the words is addr; KSTACK_LOOK: none of the first of them, or several
 * of all.  (Not in line: the verifier goes through the callback below again and
 * again.) */
RT u64
rt_stack_find(u64 index, u64 addr)
{
	u64 times = 0, at = 0, one;
	char *slot = slot_get(index);

	if (!slot)
		return KSTACK_LOOK;
	struct abi_stacks *s = kstack_get(slot);
	#pragma unroll
	for (u32 i = 0; i < KSTACK_WORDS; i++) {
		u64 same = kstack_same(s->near[i], addr);
		times -= same;
		at |= same & i;
	}
	one = kstack_same(times, 1) & kstack_below(at, KSTACK_LOOK);
	return (at & one) | (KSTACK_LOOK & ~one);
}

/* A stack that is being noted: its addresses are at `off` of the slot. */
struct kstack_new {
	char *slot;
	u64 off, n, point, index;
};
/* In the slot's work, for the verifier's sake: where the next address may stand,
 * and whether one stands nowhere. */
enum { KSTACK_NEXT = 3, KSTACK_BAD };

static long
kstack_note(u32 i, struct kstack_new *w)
{
	struct abi_stacks *s = kstack_get(w->slot);
	struct abi_known *k = kstack_known(s, w->point);
	u64 *work = ((struct abi_slot *)w->slot)->work;
	u64 off = w->off + (u64)i * 8;

	OPAQUE(i);
	OPAQUE(off);
	if (i >= ABI_KNOWN_FRAMES || off > dt_cfg.slot_size - 8)
		return 1;
	u64 ret = *(u64 *)(w->slot + off), at = rt_stack_find(w->index, ret);
	k->ret[i] = ret & kstack_below(i, w->n);
	k->at[i] = at;
	work[KSTACK_BAD] |= kstack_below(i + 1, w->n) &
		(kstack_below(at, work[KSTACK_NEXT]) | ~kstack_below(at, KSTACK_LOOK));
	work[KSTACK_NEXT] = at + 1;
	return 0;
}

/* Note a stack that has been unwound: n addresses at `off` of the slot. */
RT u64
rt_stack_learn(u64 index, u64 point, u64 ctx, u64 off, u64 n)
{
	char *slot = slot_get(index);

	if (!slot || !point || n < 2 || n > ABI_KNOWN_FRAMES ||
	    off > dt_cfg.slot_size - ABI_KNOWN_FRAMES * 8)
		return 0;
	struct abi_stacks *s = kstack_get(slot);
	struct abi_known *k = kstack_known(s, point);
	struct kstack_new w = { slot, off, n, point, index };
	u64 *work = ((struct abi_slot *)slot)->work;
	u64 words = kstack_read(s, ctx, sizeof(s->near)) / 8;
	k->n = 0;
	if (!words || words > KSTACK_WORDS)
		return 0;
	u64 top = s->near[words - 1];
	#pragma unroll
	for (u32 i = 0; i < KSTACK_WORDS; i++) {	/* others are not of the stack */
		OPAQUE(words);		/* one by one: there is no room for all */
		s->near[i] &= kstack_below(i, words);
	}
	work[KSTACK_NEXT] = work[KSTACK_BAD] = 0;
	bpf_loop(ABI_KNOWN_FRAMES, kstack_note, &w, 0);
	if (work[KSTACK_BAD] || k->ret[(n - 1) % ABI_KNOWN_FRAMES] != top)
		return 0;
	k->point = point;
	k->n = n;
	return 0;
}
