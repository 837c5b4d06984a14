/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A step of the stack's walk on aarch64, on any machine: the runtime's own code for that
 * one, with a stack made up.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

/* From here on it is that machine. */
#undef __x86_64__
#undef __TARGET_ARCH_x86
#define __TARGET_ARCH_arm64
#include "bpfrt/rt.h"
#include "bpfrt/leaf.h"
#include "bpfrt/ustack.h"
#include "bpfrt/mapping.h"
#include "bpfrt/unwind.h"

/* A word of the stack by its number; where that is in the process. */
enum { NWORDS = 256, WINDOW_OFF = 1024, FRAMES_OFF = 8192 };
static uint64_t stack[NWORDS];
static const uint64_t BASE = 0x7fff0000;
static uint64_t slot_words[2048];

#define AT(n) (BASE + 8 * (n))
#define SIGNED(addr) ((addr) | 0x2a5cull << 48)
#define RULE(what, n, saved) abi_unwind_rule(ABI_UNWIND_##what, n, saved)

void *
bpf_map_lookup_elem(void *map, const void *key)
{
	return map == (void *)&dt_slots ? slot_words : NULL;
}

long
bpf_probe_read_user(void *to, uint32_t size, const void *from)
{
	uint64_t at = (uint64_t)from - BASE;

	if (at > sizeof(stack) || size > sizeof(stack) - at)
		return -1;
	memcpy(to, (char *)stack + at, size);
	return 0;
}

static uint64_t *
begin(uint64_t sp, uint64_t fp, uint64_t link)
{
	char *slot = (char *)slot_words;
	uint64_t *work = (uint64_t *)ustack_work(slot);

	memset(slot_words, 0, sizeof(slot_words));
	memset(stack, 0, sizeof(stack));
	work[UNWIND_SP] = sp;
	work[USTACK_FP] = fp;
	work[UNWIND_LINK] = link;
	work[UNWIND_EXACT] = 1;
	work[USTACK_AT] = FRAMES_OFF;
	return work;
}

static void
want(const uint64_t *work, uint64_t pc, uint64_t sp, uint64_t fp)
{
	assert_int_equal(work[UNWIND_PC], pc);
	assert_int_equal(work[UNWIND_SP], sp);
	assert_int_equal(work[USTACK_FP], fp);
	assert_int_equal(work[UNWIND_EXACT], 0);
	assert_int_equal(slot_words[work[USTACK_AT] / 8 - 1], pc);
}

/* By this rule the caller is at pc, with these stack and frame pointers. */
struct step {
	uint32_t rule;
	uint64_t pc, sp, fp;
};

static void
walk(const uint64_t *work, const struct step *steps, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		assert_int_equal(rt_unwind_step(0, steps[i].rule, 1), 1);
		want(work, steps[i].pc, steps[i].sp, steps[i].fp);
	}
}

/* A leaf, one with a frame, one that saves its return address alone, one whose stack
 * pointer has moved, and the first function, whom nobody called. */
static void
test_chain(void **state)
{
	const struct step steps[] = {
		{ RULE(SP, 0, 0), 0x400100, AT(0), AT(100) },
		{ RULE(SP, 4, 4), 0x400200, AT(4), AT(50) },
		{ RULE(SP_RA, 2, 2), 0x400300, AT(6), AT(50) },
		{ RULE(FP, 2, 2), 0x400400, AT(52), AT(60) },
	};
	uint64_t *work = begin(AT(0), AT(100), SIGNED(0x400100));

	stack[0] = AT(50);
	stack[1] = SIGNED(0x400200);
	stack[4] = 0x400300;
	stack[50] = AT(60);
	stack[51] = 0x400400;
	walk(work, steps, sizeof(steps) / sizeof(steps[0]));
	assert_int_equal(rt_unwind_step(0, RULE(STOP, 0, 0), 1), 0);
}

/* Only the innermost function may have its return address in the register. */
static void
test_link(void **state)
{
	begin(AT(0), AT(100), 0x400100);
	assert_int_equal(rt_unwind_step(0, RULE(SP, 2, 0), 1), 1);
	assert_int_equal(rt_unwind_step(0, RULE(SP, 2, 0), 1), 0);
	begin(AT(0), AT(100), 0);
	assert_int_equal(rt_unwind_step(0, RULE(SP, 2, 0), 1), 0);
}

/* Behind code of no table the stack pointer is not known: frame pointers are followed
 * until a frame is found by one. */
static void
test_lost(void **state)
{
	const struct step steps[] = {
		{ RULE(FRAME, 0, 0), 0x400200, AT(12), AT(20) },
		{ RULE(SP, 4, 4), 0x400300, AT(22), AT(30) },
		{ RULE(FP, 8, 8), 0x400400, AT(38), AT(40) },
		{ RULE(SP, 2, 2), 0x400500, AT(40), AT(70) },
	};
	uint64_t *work = begin(AT(0), AT(10), 0x400100);

	stack[10] = AT(20);
	stack[11] = 0x400200;
	stack[20] = AT(30);
	stack[21] = 0x400300;
	stack[30] = AT(40);
	stack[31] = 0x400400;
	stack[38] = AT(70);
	stack[39] = 0x400500;
	walk(work, steps, sizeof(steps) / sizeof(steps[0]));
}

static void
test_signal(void **state)
{
	uint64_t *work = begin(AT(0), AT(10), 0);

	stack[ABI_UNWIND_SIG_FP / 8] = AT(90);
	stack[ABI_UNWIND_SIG_RA / 8] = 0x400100;
	stack[ABI_UNWIND_SIG_SP / 8] = AT(80);
	stack[ABI_UNWIND_SIG_PC / 8] = 0x400204;
	assert_int_equal(rt_unwind_step(0, RULE(SIGNAL, 0, 0), 1), 1);
	assert_int_equal(work[UNWIND_PC], 0x400204);
	assert_int_equal(work[UNWIND_EXACT], 1);
	assert_int_equal(rt_unwind_step(0, RULE(SP, 0, 0), 1), 1);
	want(work, 0x400100, AT(80), AT(90));
}

/* What does not ascend, or is no address, ends it. */
static void
test_ends(void **state)
{
	uint64_t *work = begin(AT(20), AT(10), 0);

	stack[12] = 0x400100;
	assert_int_equal(rt_unwind_step(0, RULE(FP, 4, 4), 1), 0);
	assert_int_equal(rt_unwind_step(0, RULE(FRAME, 0, 0), 1), 0);
	assert_int_equal(rt_unwind_step(0, RULE(SP, 2, 2), 1), 0);
	work = begin(AT(20), AT(10), 0x400200);
	work[UNWIND_EXACT] = 0;
	stack[21] = 0x400100;
	assert_int_equal(rt_unwind_step(0, RULE(SP, 0, 0), 1), 0);
	assert_int_equal(rt_unwind_step(0, RULE(SP, 2, 2), 1), 1);
}

/* Processes that were forked off have the same addresses and take turns; most of what one
 * has found is there the next time, and nothing of another's. */
static void
test_turns(void **state)
{
	enum { PROCESSES = 8, ADDRS = 8 };
	uint64_t *work = begin(AT(0), 0, 0);
	unsigned found = 0;

	for (uint32_t i = 0; i < 2 * PROCESSES * ADDRS; i++) {
		uint32_t p = i / ADDRS % PROCESSES, rule = RULE(SP, p, i % ADDRS);
		work[UNWIND_STAMP] = (uint64_t)(700 + p) << 32 | 64;
		work[UNWIND_PC] = 0x7f0000401000 + i % ADDRS * 0x1235;
		uint64_t have = rt_unwind_recall(0);
		assert_true(!have || have == (UNWIND_KNOWN | rule));
		found += have != 0;
		if (i < PROCESSES * ADDRS)
			unwind_remember((char *)slot_words, UNWIND_KNOWN | rule);
	}
	assert_true(found > PROCESSES * ADDRS / 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chain),
		cmocka_unit_test(test_link),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_signal),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_turns),
	};
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *from = (char *)((uintptr_t)&dt_cfg & ~(page - 1));

	/* The runtime may only read it. */
	if (mprotect(from, (size_t)((char *)(&dt_cfg + 1) - from), PROT_READ | PROT_WRITE))
		return 1;
	struct abi_cfg *cfg = (struct abi_cfg *)(uintptr_t)&dt_cfg;
	cfg->window_off = WINDOW_OFF;
	return cmocka_run_group_tests_name("bpfrt-arm64", tests, NULL, NULL);
}
