/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The caller that frame pointers do not show (bpfrt/leaf.h), as a program of the host
 * (support/bpfhost): each way to call a function that makes a system call, and what looks
 * alike.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "bpfrt/rt.h"

/* What else bpfrt/leaf.h asks of the kernel. */
void *bpf_get_current_task_btf(void);
u64 bpf_task_pt_regs(void *task);

#include "bpfrt/leaf.h"

/* What the process has: four pages.  A return address behind a call, an entry of a
 * linkage table, the word by which that jumps, and the function. */
enum { PAGE = 4096, TO = 0x100, PLT = 0x200, SLOT = 0x300, STACK = 0x400, FUNCTION = 0x2000,
       END = FUNCTION + LEAF_MAX };

static _Alignas(1 << 16) unsigned char memory[4 * PAGE];
static u64 regs[64];

void *
bpf_map_lookup_elem(const void *map, const void *key)
{
	(void)map, (void)key;
	return NULL;
}

long
bpf_probe_read_user(void *to, uint32_t size, const void *from)
{
	u64 at = (u64)(uintptr_t)from - (u64)(uintptr_t)memory;

	memset(to, 0, size);
	if (at > sizeof(memory) - size)
		return -14;
	memcpy(to, from, size);
	return 0;
}

void *
bpf_get_current_task_btf(void)
{
	return NULL;
}

u64
bpf_task_pt_regs(void *task)
{
	(void)task;
	return (u64)(uintptr_t)regs;
}

static u64
address(u32 at)
{
	return (u64)(uintptr_t)memory + at;
}

/* Code with the distance to `target` behind it; where it ends. */
static u32
put(u32 at, const char *code, u32 target)
{
	size_t n = strlen(code);

	memcpy(memory + at, code, n);
	at += (u32)n + 4;
	memcpy(memory + at - 4, &(u32){ target - at }, 4);
	return at;
}

/* A process whose call has these bytes, before its return address, and goes to `target`,
 * with an entry of a linkage table that begins with these; nothing is NULL. */
static void
make(const char *call, u32 target, const char *entry, u32 word)
{
	memset(memory, 0x90, sizeof(memory));
	if (call)
		assert_int_equal(put(TO - 4 - (u32)strlen(call), call, target), TO);
	if (entry)
		put(PLT, entry, SLOT);
	u64 v = word ? address(word) : 0, to = address(TO);
	memcpy(memory + SLOT, &v, 8);
	memcpy(memory + STACK, &to, 8);
	regs[LEAF_SP] = address(STACK);
}

/* Does the function, which makes the system call in front of pc, seem called from TO? */
static bool
is_found(u32 pc, u32 next)
{
	memcpy(memory + pc - 2, "\x0f\x05", 2);
	u64 to = rt_leaf(address(pc), address(next), address(TO));

	assert_int_equal(rt_leaf(address(pc), address(next), 0), to);	/* from the stack */
	assert_true(to == 0 || to == address(TO));
	return to;
}

#define CALL "\xe8"
#define CALL_SLOT "\xff\x15"
#define JUMP_SLOT "\xff\x25"
#define ENDBR "\xf3\x0f\x1e\xfa"
#define BND "\xf2"

static void
test_calls(void **state)
{
	static const struct {
		const char *call, *entry;
		u32 target, word;
		bool is_found;
	} rows[] = {
		{ CALL, NULL, FUNCTION, 0, true },
		{ CALL_SLOT, NULL, SLOT, FUNCTION, true },
		{ CALL, JUMP_SLOT, PLT, FUNCTION, true },
		{ CALL, ENDBR JUMP_SLOT, PLT, FUNCTION, true },
		{ CALL, BND JUMP_SLOT, PLT, FUNCTION, true },
		{ CALL, ENDBR BND JUMP_SLOT, PLT, FUNCTION, true },
		/* No call; of another function; by what is no entry. */
		{ NULL, NULL, 0, FUNCTION, false },
		{ "\xe9", NULL, FUNCTION, 0, false },
		{ "\xff\x25", NULL, SLOT, FUNCTION, false },
		{ CALL, NULL, STACK, 0, false },
		{ CALL_SLOT, NULL, SLOT, STACK, false },
		{ CALL_SLOT, NULL, SLOT, 0, false },
		{ CALL_SLOT, JUMP_SLOT, SLOT, PLT, false },
		{ CALL, JUMP_SLOT, PLT, STACK, false },
		{ CALL, JUMP_SLOT, PLT, 0, false },
		{ CALL, "\xff\x15", PLT, FUNCTION, false },
		{ CALL, BND ENDBR JUMP_SLOT, PLT, FUNCTION, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		make(rows[i].call, rows[i].target, rows[i].entry, rows[i].word);
		if (is_found(FUNCTION + 32, STACK) != rows[i].is_found)
			fail_msg("row %zu", i);
	}
}

/* The function is not too large, what is missing is not there already, and there is a
 * system call. */
static void
test_where(void **state)
{
	(void)state;
	make(CALL, FUNCTION, NULL, 0);
	assert_true(is_found(FUNCTION + 2, STACK));
	assert_true(is_found(END - 1, STACK));
	assert_false(is_found(END, STACK));
	assert_false(is_found(FUNCTION + 32, TO));
	assert_true(is_found(FUNCTION + 32, STACK));
	memory[FUNCTION + 31] = 0x90;
	assert_int_equal(rt_leaf(address(FUNCTION + 32), address(STACK), address(TO)), 0);
}

/* An entry is read as far as its page goes. */
static void
test_page(void **state)
{
	(void)state;
	for (u32 left = 1; left < 16; left++) {
		make(CALL, PAGE - left, NULL, FUNCTION + 64);
		put(PAGE - left, JUMP_SLOT, SLOT);
		assert_int_equal(is_found(FUNCTION + 96, STACK), left >= 6);
	}
}

/* Where code may lie, beside the function and the next return address. */
static void
test_plausible(void **state)
{
	static const struct { u64 addr; bool is; } rows[] = {
		{ 0x7f1234567890, true }, { 0x7f0234567890, true }, { 0x7e1234567890, false },
		{ 0x551234567890, true }, { 0x561234567890, true }, { 0x541234567890, false },
		{ 0x571234567890, false }, { 0x10000, true }, { 0xffff, false },
		{ 0xffffffff, true }, { 0x100000000, false }, { 0, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (leaf_plausible(rows[i].addr, 0x7f1200000000, 0x7f0200000000) != rows[i].is)
			fail_msg("%llx", (unsigned long long)rows[i].addr);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_where),
		cmocka_unit_test(test_page),
		cmocka_unit_test(test_plausible),
	};

	return cmocka_run_group_tests_name("bpfrt-leaf", tests, NULL, NULL);
}
