/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Instructions of arm64, on any machine: the code for that one.  What the kernel refuses
 * was tried on one, by a uprobe at each (6.1 and 6.12).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define INSN_TEST_ARM64
#include "insn/arm64.c"
#include "support/assertok.h"

/* --- One by one -------------------------------------------------------------------- */

enum { STEPPED, BY_KERNEL, NEVER };

static const struct {
	const char *text;
	uint32_t w;
	uint8_t kind, how;
	int64_t target;			/* 0: none */
} insns[] = {
	{ "nop", 0xd503201f, INSN_PLAIN, STEPPED },
	{ "yield", 0xd503203f, INSN_PLAIN, NEVER },
	{ "wfe", 0xd503205f, INSN_PLAIN, NEVER },
	{ "csdb", 0xd503229f, INSN_PLAIN, NEVER },
	{ "esb", 0xd503221f, INSN_PLAIN, NEVER },
	{ "bti", 0xd503241f, INSN_PLAIN, STEPPED },
	{ "bti c", 0xd503245f, INSN_PLAIN, STEPPED },
	{ "bti j", 0xd503249f, INSN_PLAIN, STEPPED },
	{ "bti jc", 0xd50324df, INSN_PLAIN, STEPPED },
	{ "paciasp", 0xd503233f, INSN_PLAIN, STEPPED },
	{ "pacibsp", 0xd503237f, INSN_PLAIN, STEPPED },
	{ "paciaz", 0xd503231f, INSN_PLAIN, STEPPED },
	{ "pacia1716", 0xd503211f, INSN_PLAIN, STEPPED },
	{ "xpaclri", 0xd50320ff, INSN_PLAIN, STEPPED },
	{ "autiasp", 0xd50323bf, INSN_PLAIN, NEVER },
	{ "autibsp", 0xd50323ff, INSN_PLAIN, NEVER },
	{ "autia1716", 0xd503219f, INSN_PLAIN, NEVER },
	{ "hint #40", 0xd503251f, INSN_PLAIN, NEVER },
	{ "dmb ish", 0xd5033bbf, INSN_PLAIN, STEPPED },
	{ "ret", 0xd65f03c0, INSN_RETURN, BY_KERNEL },
	{ "ret x3", 0xd65f0060, INSN_RETURN, BY_KERNEL },
	{ "retaa", 0xd65f0bff, INSN_RETURN, NEVER },
	{ "retab", 0xd65f0fff, INSN_RETURN, NEVER },
	{ "br x5", 0xd61f00a0, INSN_AWAY, BY_KERNEL },
	{ "braa x5, x6", 0xd71f08a6, INSN_AWAY, NEVER },
	{ "blr x5", 0xd63f00a0, INSN_CALL, BY_KERNEL },
	{ "blraa x5, x6", 0xd73f08a6, INSN_CALL, NEVER },
	{ "blraaz x5", 0xd63f08bf, INSN_CALL, NEVER },
	{ "b .+8", 0x14000002, INSN_JUMP, BY_KERNEL, 8 },
	{ "b .-4", 0x17ffffff, INSN_JUMP, BY_KERNEL, -4 },
	{ "bl .+8", 0x94000002, INSN_CALL, BY_KERNEL, 8 },
	{ "b.eq .+8", 0x54000040, INSN_BRANCH, BY_KERNEL, 8 },
	{ "b.ne .-8", 0x54ffffc1, INSN_BRANCH, BY_KERNEL, -8 },
	{ "bc.eq .+8", 0x54000050, INSN_BRANCH, NEVER, 8 },
	{ "cbz x1, .+8", 0xb4000041, INSN_BRANCH, BY_KERNEL, 8 },
	{ "cbnz w1, .-4", 0x35ffffe1, INSN_BRANCH, BY_KERNEL, -4 },
	{ "tbz w1, #3, .+8", 0x36180041, INSN_BRANCH, BY_KERNEL, 8 },
	{ "tbnz x1, #63, .-4", 0xb7ffffe1, INSN_BRANCH, BY_KERNEL, -4 },
	{ "adr x1, .+16", 0x10000081, INSN_PLAIN, BY_KERNEL },
	{ "adrp x1, .+4096", 0xb0000001, INSN_PLAIN, BY_KERNEL },
	{ "ldr x1, .+16", 0x58000081, INSN_PLAIN, NEVER },
	{ "ldr w1, .+16", 0x18000081, INSN_PLAIN, NEVER },
	{ "ldrsw x1, .+16", 0x98000081, INSN_PLAIN, NEVER },
	{ "prfm pldl1keep, .+16", 0xd8000080, INSN_PLAIN, NEVER },
	{ "ldr q0, .+16", 0x9c000080, INSN_PLAIN, NEVER },
	{ "ldxr x1, [x2]", 0xc85f7c41, INSN_PLAIN, NEVER },
	{ "stxr w3, x1, [x2]", 0xc8037c41, INSN_PLAIN, NEVER },
	{ "ldaxrb w1, [x2]", 0x085ffc41, INSN_PLAIN, NEVER },
	{ "casp x0, x1, x2, x3, [x4]", 0x48207c82, INSN_PLAIN, NEVER },
	{ "cas x1, x3, [x2]", 0xc8a17c43, INSN_PLAIN, STEPPED },
	{ "ldar x1, [x2]", 0xc8dffc41, INSN_PLAIN, STEPPED },
	{ "stlr x1, [x2]", 0xc89ffc41, INSN_PLAIN, STEPPED },
	{ "ldadd x1, x3, [x2]", 0xf8210043, INSN_PLAIN, STEPPED },
	{ "swp x1, x3, [x2]", 0xf8218043, INSN_PLAIN, STEPPED },
	{ "stp x29, x30, [sp, #-16]!", 0xa9bf7bfd, INSN_PLAIN, STEPPED },
	{ "ldp x29, x30, [sp], #16", 0xa8c17bfd, INSN_PLAIN, STEPPED },
	{ "sub sp, sp, #32", 0xd10083ff, INSN_PLAIN, STEPPED },
	{ "ldr x1, [x0, #8]", 0xf9400401, INSN_PLAIN, STEPPED },
	{ "svc #0", 0xd4000001, INSN_PLAIN, NEVER },
	{ "brk #1", 0xd4200020, INSN_PLAIN, NEVER },
	{ "mrs x1, tpidr_el0", 0xd53bd041, INSN_PLAIN, STEPPED },
	{ "msr tpidr_el0, x1", 0xd51bd041, INSN_PLAIN, NEVER },
	{ "msr nzcv, x1", 0xd51b4201, INSN_PLAIN, NEVER },
	{ "cfinv", 0xd500401f, INSN_PLAIN, NEVER },
	{ "dc zva, x1", 0xd50b7421, INSN_PLAIN, STEPPED },
	{ "fadd d0, d1, d2", 0x1e622820, INSN_PLAIN, STEPPED },
	{ "ld1 {v0.16b}, [x1]", 0x4c407020, INSN_PLAIN, STEPPED },
};

static bool
take_last(void *ctx, const struct insn *i)
{
	*(struct insn *)ctx = *i;
	return true;
}

static void
test_one_by_one(void **state)
{
	for (size_t k = 0; k < BASE_NELEMS(insns); k++) {
		struct insn i;
		struct insn_entry e;
		size_t end;
		const uint8_t *code = (const uint8_t *)&insns[k].w;

		assert_ok(insn_walk(code, 4, take_last, &i, &end));
		assert_ok(insn_entry(code, 4, 4, INSN_LOOKS_ALL, &e));
		if (end != 4 || i.size != 4 || i.kind != insns[k].kind ||
		    i.is_emulated != (insns[k].how == BY_KERNEL) ||
		    i.is_harmful != (insns[k].how == NEVER) ||
		    i.has_target != (insns[k].target != 0) ||
		    i.target != insns[k].target ||
		    e.found == i.is_harmful || e.at || e.sp || e.is_checked)
			fail_msg("%s: kind %d emulated %d harmful %d target %lld",
				 insns[k].text, i.kind, i.is_emulated, i.is_harmful,
				 (long long)i.target);
	}
}

/* --- Several ------------------------------------------------------------------------ */

/* What a jump by a register is depends on where that has its value from. */
static const struct {
	const char *what;
	uint32_t code[6];
	uint8_t n, kind;
} jumps[] = {
	{ "an argument", { 0xd61f0000 }, 1, INSN_AWAY },
	{ "mov x16, x1; br x16", { 0xaa0103f0, 0xd61f0200 }, 2, INSN_AWAY },
	{ "ldr x1, [x0, #8]; br x1", { 0xf9400401, 0xd61f0020 }, 2, INSN_AWAY },
	{ "ldr x1, [x0], #8; br x1", { 0xf8408401, 0xd61f0020 }, 2, INSN_AWAY },
	{ "ldrb w1, [x1, w0, uxtw]; adr x0, .; add x1, x0, w1, sxtb #2; br x1",
	  { 0x38604821, 0x10000000, 0x8b218801, 0xd61f0020 }, 4, INSN_TABLE },
	{ "add x1, x0, x1, lsl #2; mov x2, x1; br x2",
	  { 0x8b010801, 0xaa0103e2, 0xd61f0040 }, 3, INSN_TABLE },
	{ "ldr x1, [x0, x1, lsl #3]; br x1", { 0xf8617801, 0xd61f0020 }, 2, INSN_TABLE },
	{ "add x1, x0, x1; ldr x1, [x1]; br x1",
	  { 0x8b010001, 0xf9400021, 0xd61f0020 }, 3, INSN_AWAY },
	{ "add x1, x0, x1; bl .; br x1",
	  { 0x8b010001, 0x94000000, 0xd61f0020 }, 3, INSN_AWAY },
	{ "add x19, x0, x1; bl .; br x19",
	  { 0x8b010013, 0x94000000, 0xd61f0260 }, 3, INSN_TABLE },
};

static void
test_jumps(void **state)
{
	for (size_t k = 0; k < BASE_NELEMS(jumps); k++) {
		struct insn i;
		size_t end;

		assert_ok(insn_walk((const uint8_t *)jumps[k].code, jumps[k].n * 4u + 3,
				    take_last, &i, &end));
		assert_int_equal(end, jumps[k].n * 4u);
		assert_int_equal(i.at, end - 4);
		if (i.kind != jumps[k].kind)
			fail_msg("%s: kind %d", jumps[k].what, i.kind);
	}
}

/* Which of them a probe may stand on, '1', and not, '0'. */
static const struct {
	const char *what, *want;
	uint32_t code[6];
} exclusive[] = {
	{ "ldxr w9, [x0]; add w9, w9, #1; stxr w10, w9, [x0]; cbnz w10, .-12; ret", "00011",
	  { 0x885f7c09, 0x11000529, 0x880a7c09, 0x35ffffaa, 0xd65f03c0 } },
	{ "ldaxr w9, [x0]; cmp w9, w1; b.ne .+8; stlxr w10, w2, [x0]; nop", "00001",
	  { 0x885ffc09, 0x6b01013f, 0x54000041, 0x880afc02, 0xd503201f } },
	{ "ldxr w9, [x0]; ret; nop", "001", { 0x885f7c09, 0xd65f03c0, 0xd503201f } },
	{ "ldar w9, [x0]; nop; stlr w9, [x0]", "111", { 0x88dffc09, 0xd503201f, 0x889ffc09 } },
};

static bool
may_stand(void *ctx, const struct insn *i)
{
	((char *)ctx)[i->at / 4] = i->is_harmful ? '0' : '1';
	return true;
}

static void
test_exclusive(void **state)
{
	for (size_t k = 0; k < BASE_NELEMS(exclusive); k++) {
		char got[7] = "";
		size_t end;

		assert_ok(insn_walk((const uint8_t *)exclusive[k].code,
				    4 * strlen(exclusive[k].want), may_stand, got, &end));
		assert_string_equal(got, exclusive[k].want);
	}
}

/* A load that no store follows: of what comes later probes are possible once more. */
static void
test_far(void **state)
{
	uint32_t code[64] = { 0x885f7c09 };
	char got[65] = "";
	size_t end;

	for (size_t k = 1; k < BASE_NELEMS(code); k++)
		code[k] = 0xd503201f;
	assert_ok(insn_walk((const uint8_t *)code, sizeof(code), may_stand, got, &end));
	assert_int_equal(strspn(got, "0"), 33);
	assert_int_equal(strspn(got + 33, "1"), 31);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_by_one),
		cmocka_unit_test(test_jumps),
		cmocka_unit_test(test_exclusive),
		cmocka_unit_test(test_far),
	};

	return cmocka_run_group_tests_name("insn-arm64", tests, NULL, NULL);
}
