/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Kernel stacks of frames that have been seen (bpfrt/kstack.h), as a program of the host
 * (support/bpfhost): stacks at random, in memory that keeps what earlier ones left in it,
 * against what they are.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "bpfrt/rt.h"

/* What else bpfrt/kstack.h asks of the kernel. */
void *bpf_get_current_task_btf(void);
u64 bpf_task_pt_regs(void *task);
long bpf_snprintf(char *to, u32 size, const char *fmt, const void *args, u32 bytes);

#include "bpfrt/kstack.h"
#include "some.h"

enum {
	NFUNCS = 40, DEEPEST = 16, PLACES = 2, POINTS = 2,
	STACK = 600,			/* words */
	STACKS_OFF = 1024, TRUTH_OFF = STACKS_OFF + sizeof(struct abi_stacks),
	SLOT = TRUTH_OFF + 64 * 8,
	ROUNDS = 20000,
};

static u64 slot_words[SLOT / 8], stack[STACK];
static u64 *const regs = stack + STACK;		/* where the stack begins; it grows down */

void *
bpf_map_lookup_elem(const void *map, const void *key)
{
	(void)key;
	return map == (const void *)&dt_slots ? slot_words : NULL;
}

long
bpf_probe_read_kernel(void *to, uint32_t size, const void *from)
{
	memcpy(to, from, size);
	return 0;
}

void *
bpf_get_current_task_btf(void)
{
	return stack;
}

u64
bpf_task_pt_regs(void *task)
{
	(void)task;
	return (u64)(uintptr_t)regs;
}

long
bpf_snprintf(char *to, u32 size, const char *fmt, const void *args, u32 bytes)
{
	(void)fmt, (void)args, (void)bytes;
	memset(to, 0, size);
	return 0;
}

/* Functions call those with larger numbers, each from PLACES places; function 0 is what
 * the entry of a system call calls, and moves the stack. */
static u32 size_of[NFUNCS];		/* words, the return address with them */

static u64
address(u32 func, u32 place)
{
	return 0xffffffff81000000 + func * 0x1000 + place * 0x10 + 5;
}

struct made {
	u64 *ctx, truth[DEEPEST + 1];
	u32 n;
};

/* A stack: from the registers down, so that truth is made back to front.  Function
 * `loose`, if any, has a frame of another size each time. */
static struct made
make(u32 point, u32 loose)
{
	struct made m = { 0 };
	u64 rets[DEEPEST + 1];
	u64 *sp = regs;
	u32 func = 0, depth = 2 + some(DEEPEST - 2);

	*--sp = rets[m.n++] = 0xffffffff82000076;	/* the entry's */
	sp -= 3 + some(60);				/* and the gap */
	for (u32 i = 0; i < depth && func < NFUNCS - 1; i++) {
		u32 place = some(PLACES), callee = func + 1 + place;
		u32 size = func == loose ? 2 + some(6) : size_of[func];
		for (u32 k = 1; func && k < size; k++)
			if (some(4))		/* others keep what was there */
				sp[-(int)k] = some(1 << 30);
		sp -= func ? size : 1;
		*sp = rets[m.n++] = address(func, place);
		func = callee < NFUNCS ? callee : NFUNCS - 1;
	}
	m.ctx = sp - 5 - point;
	for (u32 i = 0; i < m.n; i++)
		m.truth[i] = rets[m.n - 1 - i];
	return m;
}

/* What the program does at each firing.  1: it was known, -1: wrongly so. */
static int
fire(u32 point, u32 loose)
{
	struct made m = make(point, loose);
	struct abi_stacks *s = kstack_get((char *)slot_words);
	u64 ctx = (u64)(uintptr_t)m.ctx, n = rt_stack_known(0, point + 1, ctx);

	if (!n) {
		memcpy((char *)slot_words + TRUTH_OFF, m.truth, sizeof(m.truth));
		rt_stack_learn(0, point + 1, ctx, TRUTH_OFF, m.n);
		return 0;
	}
	for (u32 i = (u32)n; i < ABI_KNOWN_FRAMES; i++)
		if (s->frames[i])
			return -1;
	return n == m.n && !memcmp(s->frames, m.truth, n * 8) ? 1 : -1;
}

static int
setup(void **state)
{
	(void)state;
	memset(slot_words, 0, sizeof(slot_words));
	memset(stack, 0, sizeof(stack));
	for (u32 i = 0; i < NFUNCS; i++)
		size_of[i] = 2 + some(16);
	return 0;
}

static void
test_learned(void **state)
{
	u32 known = 0;

	(void)state;
	for (u32 i = 0; i < ROUNDS; i++) {
		int is = fire(some(POINTS), NFUNCS);
		assert_true(is >= 0);
		known += is > 0 && i >= ROUNDS / 2;
	}
	/* But for those that are unwound to see. */
	assert_true(known > ROUNDS / 2 * 99 / 100);
}

/* A frame that has no fixed size: stacks with it are found out, until none is tried any more,
 * and others stay known. */
static void
test_loose(void **state)
{
	enum { LOOSE = 10 };
	u32 known = 0, wrong = 0;

	(void)state;
	for (u32 i = 0; i < ROUNDS; i++) {
		int is = fire(0, LOOSE);
		known += is > 0 && i >= ROUNDS / 2;
		wrong += is < 0;
	}
	assert_int_equal(wrong, 0);
	assert_true(known > ROUNDS / 2 / 2);
	for (u32 place = 0; place < PLACES; place++)
		assert_int_equal(KSTACK_TRIED(*kstack_size_of(kstack_get((char *)slot_words),
							      address(LOOSE, place))),
				 KSTACK_TRIES);
}

/* Another stack, and one that is too large, are nobody's to know. */
static void
test_elsewhere(void **state)
{
	static const long ctx[] = { -8, 0, 8, -8 * (ABI_KNOWN_NEAR + 1), -(1 << 20), 1 << 20 };

	(void)state;
	for (size_t i = 0; i < sizeof(ctx) / sizeof(ctx[0]); i++) {
		u64 at = (u64)(uintptr_t)regs + (u64)ctx[i];
		*(u64 *)((char *)slot_words + TRUTH_OFF) = address(1, 1);
		assert_int_equal(rt_stack_learn(0, 1, at, TRUTH_OFF, 1), 0);
		assert_int_equal(rt_stack_known(0, 1, at), 0);
	}
	assert_int_equal(*kstack_size_of(kstack_get((char *)slot_words), 1), 0);
}

/* One of so many is unwound although it is known. */
static void
test_checked(void **state)
{
	u32 unwound = 0;

	(void)state;
	for (u32 i = 0; i < ROUNDS; i++)
		fire(0, NFUNCS);
	for (u32 i = 0; i < 4 * KSTACK_CHECK; i++)
		unwound += fire(0, NFUNCS) == 0;
	assert_int_equal(unwound, 4);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_learned, setup),
		cmocka_unit_test_setup(test_loose, setup),
		cmocka_unit_test_setup(test_elsewhere, setup),
		cmocka_unit_test_setup(test_checked, setup),
	};

	if (bpfhost_open(&dt_cfg, sizeof(dt_cfg)))
		return 1;
	struct abi_cfg *cfg = (struct abi_cfg *)(uintptr_t)&dt_cfg;
	cfg->stacks_off = STACKS_OFF;
	cfg->slot_size = SLOT;
	return cmocka_run_group_tests_name("bpfrt-kstack", tests, NULL, NULL);
}
