/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The ways of attaching and the registers, beside what the headers of the kernel
 * say (abi/attach.def, abi/regs.def).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include <linux/bpf.h>
#include <asm/ptrace.h>

#include "abi/point.h"


static void
test_numbers(void **state)
{
	assert_int_equal(ABI_PROG_KPROBE, BPF_PROG_TYPE_KPROBE);
	assert_int_equal(ABI_PROG_TRACEPOINT, BPF_PROG_TYPE_TRACEPOINT);
	assert_int_equal(ABI_PROG_PERF_EVENT, BPF_PROG_TYPE_PERF_EVENT);
	assert_int_equal(ABI_PROG_RAW_TRACEPOINT, BPF_PROG_TYPE_RAW_TRACEPOINT);
	assert_int_equal(ABI_PROG_TRACING, BPF_PROG_TYPE_TRACING);
	assert_int_equal(ABI_EXPECT_TRACE_RAW_TP, BPF_TRACE_RAW_TP);
	assert_int_equal(ABI_EXPECT_TRACE_FENTRY, BPF_TRACE_FENTRY);
	assert_int_equal(ABI_EXPECT_TRACE_FEXIT, BPF_TRACE_FEXIT);
	assert_int_equal(ABI_EXPECT_TRACE_KPROBE_MULTI, BPF_TRACE_KPROBE_MULTI);
}

/* Each way has a section of its own; a class is called by its first way. */
static void
test_ways(void **state)
{
	for (int i = 0; i < ABI_NATTACH; i++) {
		const struct abi_attach_row *row = abi_attach_row(i);
		enum abi_attach first = abi_attach_class(i);
		assert_true(row->runs != ABI_RUNS_AS_ATTACHED);
		assert_in_range(first, 0, i);
		assert_int_equal(abi_attach_row(first)->prog, row->prog);
		assert_int_equal(abi_attach_row(first)->expect, row->expect);
		for (int k = 0; k < i; k++) {
			assert_string_not_equal(abi_attach_row(k)->section,
						row->section);
			if (k < (int)first)
				assert_false(abi_attach_row(k)->prog == row->prog &&
					     abi_attach_row(k)->expect == row->expect);
		}
	}
	assert_int_equal(abi_attach_class(ABI_ATTACH_RAWTP), ABI_ATTACH_RUN);
	assert_int_equal(abi_attach_class(ABI_ATTACH_UPROBE), ABI_ATTACH_KPROBE);
	assert_int_equal(abi_attach_class(ABI_ATTACH_URETPROBE_MULTI),
			 ABI_ATTACH_UPROBE_MULTI);
	assert_true(abi_attach_is_typed(ABI_ATTACH_TP_BTF));
	assert_false(abi_attach_is_typed(ABI_ATTACH_UPROBE_MULTI));
}

/* What a point says of its context is stronger than its way. */
static void
test_runs(void **state)
{
	struct abi_point p = { .attach = ABI_ATTACH_RAWTP };

	assert_int_equal(abi_point_runs(&p), ABI_RUNS_EITHER);
	p.runs = ABI_RUNS_TASK;
	assert_int_equal(abi_point_runs(&p), ABI_RUNS_TASK);
	p = (struct abi_point){ .attach = ABI_ATTACH_PERF };
	assert_int_equal(abi_point_runs(&p), ABI_RUNS_INTERRUPT);
}

#if defined(__x86_64__)
static void
test_regs(void **state)
{
	static const struct { enum abi_reg reg; size_t at; } rows[] = {
		{ ABI_REG_R15, offsetof(struct pt_regs, r15) },
		{ ABI_ROLE_FP, offsetof(struct pt_regs, rbp) },
		{ ABI_ROLE_RESULT, offsetof(struct pt_regs, rax) },
		{ ABI_ROLE_ARG0, offsetof(struct pt_regs, rdi) },
		{ ABI_ROLE_ARG1, offsetof(struct pt_regs, rsi) },
		{ ABI_ROLE_ARG2, offsetof(struct pt_regs, rdx) },
		{ ABI_ROLE_ARG3, offsetof(struct pt_regs, rcx) },
		{ ABI_ROLE_CALL3, offsetof(struct pt_regs, r10) },
		{ ABI_ROLE_ARG4, offsetof(struct pt_regs, r8) },
		{ ABI_ROLE_ARG5, offsetof(struct pt_regs, r9) },
		{ ABI_ROLE_CALL, offsetof(struct pt_regs, orig_rax) },
		{ ABI_ROLE_PC, offsetof(struct pt_regs, rip) },
		{ ABI_ROLE_MODE, offsetof(struct pt_regs, cs) },
		{ ABI_ROLE_SP, offsetof(struct pt_regs, rsp) },
		{ ABI_REG_SS, offsetof(struct pt_regs, ss) },
		{ ABI_ROLE_COMPAT0, offsetof(struct pt_regs, rbx) },
		{ ABI_ROLE_COMPAT5, offsetof(struct pt_regs, rbp) },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(abi_reg_row(rows[i].reg)->offset, rows[i].at);
	assert_int_equal(ABI_ROLE_OFF_SP, offsetof(struct pt_regs, rsp));
}
#else
static void
test_regs(void **state)
{
	assert_int_equal(abi_reg_row(ABI_ROLE_SP)->offset,
			 offsetof(struct user_pt_regs, sp));
	assert_int_equal(abi_reg_row(ABI_ROLE_PC)->offset,
			 offsetof(struct user_pt_regs, pc));
	assert_int_equal(abi_reg_row(ABI_ROLE_MODE)->offset,
			 offsetof(struct user_pt_regs, pstate));
}
#endif

/* They lie one behind another; no two have one name or number. */
static void
test_reg_rows(void **state)
{
	for (int i = 0; i < ABI_NREGS; i++) {
		const struct abi_reg_row *row = abi_reg_row(i);
		assert_int_equal(row->offset, 8 * i);
		assert_in_range(row->size, 4, 8);
		for (int k = 0; k < i; k++) {
			assert_string_not_equal(row->text,
						abi_reg_row(k)->text);
			assert_true(row->dwarf < 0 ||
				    row->dwarf != abi_reg_row(k)->dwarf);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers), cmocka_unit_test(test_ways),
		cmocka_unit_test(test_runs), cmocka_unit_test(test_regs),
		cmocka_unit_test(test_reg_rows),
	};

	return cmocka_run_group_tests_name("abi-attach", tests, NULL, NULL);
}
