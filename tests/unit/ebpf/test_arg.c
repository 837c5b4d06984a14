/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The code for each kind of argument, in each context, with and without the
 * function that saves a call (arg.c).  What it reads is tests/e2e/attach's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <linux/bpf.h>

#include "base/base.h"
#include "ebpf/ebpf.h"
#include "ebpf/object.h"

enum { CAST = 1234, REGS = 77, TMP = -8, MAX = 24 };

/* arg0; */
static const uint32_t ld_arg0[] = { DIF_FMT_W(DIF_OP_LDGS, DIF_VAR_ARG0, 1),
				    DIF_FMT_R(DIF_OP_RET, 0, 0, 1) };
static const struct dif_difo arg0 = { .text = ld_arg0, .ntext = 2, .strs = "",
				      .strs_size = 1, .rtype = { .size = 8 } };
static const struct dif_difo *const difos[] = { &arg0 };
static const struct plan_node node = { .kind = PLAN_EXPR, .ndifos = 1,
				       .difos = difos, .action_no = 1 };
static const struct plan_clause clause = { .body = &node };
static const struct plan_prog plan = { .clauses = &clause, .nclauses = 1,
				       .strsize = 256 };
static const uint32_t zero[] = { 0 };

#define LOAD(size, to, base, at) { BPF_LDX | BPF_MEM | (size), to, base, at }
#define STORE(size, base, at, from) \
	{ BPF_STX | BPF_MEM | (size), base, from, at }
#define CLEAR(at) { BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, at }
#define MOV(to, from) { BPF_ALU64 | BPF_MOV | BPF_X, to, from }
#define IMM(to, v) { BPF_ALU64 | BPF_MOV | BPF_K, to, 0, 0, v }
#define OP(op, to, v) { BPF_ALU64 | (op) | BPF_K, to, 0, 0, v }
#define PLUS(to, from) { BPF_ALU64 | BPF_ADD | BPF_X, to, from }
#define CALL(f) { BPF_JMP | BPF_CALL, 0, 0, 0, f }
#define KCALL(f) { BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_KFUNC_CALL, 0, f }
#define JUMP(op, r, v, to) { BPF_JMP | (op) | BPF_K, r, 0, to, v }
#define R0 BPF_REG_0
#define R1 BPF_REG_1
#define R2 BPF_REG_2
#define R3 BPF_REG_3
#define R6 BPF_REG_6		/* the context */
#define R9 BPF_REG_9		/* the row */
#define R10 BPF_REG_10
#define TYPE IMM(R2, REGS), KCALL(CAST)
#define READ(how, size) MOV(R1, R10), OP(BPF_ADD, R1, TMP), IMM(R2, size), \
	CALL(BPF_FUNC_probe_read_##how), LOAD(BPF_DW, R0, R10, TMP)

static const struct row {
	const char *what;
	uint8_t attach;
	bool cast;
	struct abi_arg arg;
	struct bpf_insn want[MAX];	/* ends in zeros */
} rows[] = {
	{ "nothing", ABI_ATTACH_RAWTP, true, { ABI_ARG_NONE }, { IMM(R0, 0) } },
	{ "a constant", ABI_ATTACH_UPROBE, true,
	  { ABI_ARG_CONST, .off = -5 }, { IMM(R0, -5) } },
	{ "a word", ABI_ATTACH_RAWTP, true, { ABI_ARG_CTX, 8, .off = 16 },
	  { LOAD(BPF_DW, R0, R6, 16) } },
	{ "an int in a word", ABI_ATTACH_RAWTP, true,
	  { ABI_ARG_CTX, 4, 1, .off = 8 },
	  { LOAD(BPF_DW, R0, R6, 8), OP(BPF_LSH, R0, 32),
	    OP(BPF_ARSH, R0, 32) } },
	{ "a typed word", ABI_ATTACH_TP_BTF, true,
	  { ABI_ARG_CTX, 8, .off = 8 },
	  { MOV(R1, R6), TYPE, LOAD(BPF_DW, R0, R0, 8) } },
	{ "a typed word, by a helper", ABI_ATTACH_FENTRY, false,
	  { ABI_ARG_CTX, 2, .off = 8 },
	  { CLEAR(TMP), MOV(R3, R6), OP(BPF_ADD, R3, 8), READ(kernel, 8),
	    OP(BPF_LSH, R0, 48), OP(BPF_RSH, R0, 48) } },
#if defined(__x86_64__)
	{ "a register that a word points to", ABI_ATTACH_RAWTP, true,
	  { ABI_ARG_REG, 8, .reg = ABI_REG_SI },
	  { LOAD(BPF_DW, R1, R6, 0), TYPE, LOAD(BPF_DW, R0, R0, 104) } },
	{ "half a register, of a later word", ABI_ATTACH_RAWTP, true,
	  { ABI_ARG_REG, 4, 1, .base = 8, .reg = ABI_REG_SI },
	  { LOAD(BPF_DW, R1, R6, 8), TYPE, LOAD(BPF_W, R0, R0, 104),
	    OP(BPF_LSH, R0, 32), OP(BPF_ARSH, R0, 32) } },
	{ "the same, by a helper", ABI_ATTACH_RAWTP, false,
	  { ABI_ARG_REG, 8, .reg = ABI_REG_SI },
	  { LOAD(BPF_DW, R3, R6, 0), CLEAR(TMP), OP(BPF_ADD, R3, 104),
	    READ(kernel, 8) } },
	{ "a register", ABI_ATTACH_UPROBE, true,
	  { ABI_ARG_REG, .reg = ABI_REG_DI }, { LOAD(BPF_DW, R0, R6, 112) } },
	{ "the second byte of one", ABI_ATTACH_UPROBE_MULTI, true,
	  { ABI_ARG_REG, 1, 1, .reg = ABI_REG_AX, .off = 1 },
	  { LOAD(BPF_B, R0, R6, 81), OP(BPF_LSH, R0, 56),
	    OP(BPF_ARSH, R0, 56) } },
	{ "the same of a sample", ABI_ATTACH_PERF, true,
	  { ABI_ARG_REG, 1, 0, .reg = ABI_REG_AX, .off = 1 },
	  { LOAD(BPF_DW, R0, R6, 80), OP(BPF_RSH, R0, 8), OP(BPF_LSH, R0, 56),
	    OP(BPF_RSH, R0, 56) } },
	{ "kernel memory", ABI_ATTACH_KPROBE, true,
	  { ABI_ARG_KMEM, 4, .reg = ABI_REG_DI, .off = 24 },
	  { LOAD(BPF_DW, R1, R6, 112), OP(BPF_ADD, R1, 24), TYPE,
	    LOAD(BPF_W, R0, R0, 0) } },
	{ "kernel memory, by a helper", ABI_ATTACH_KPROBE_MULTI, false,
	  { ABI_ARG_KMEM, 4, 1, .reg = ABI_REG_DI, .off = -24 },
	  { LOAD(BPF_DW, R3, R6, 112), CLEAR(TMP), OP(BPF_ADD, R3, -24),
	    READ(kernel, 4), OP(BPF_LSH, R0, 32), OP(BPF_ARSH, R0, 32) } },
	{ "kernel memory at a word", ABI_ATTACH_RAWTP, true,
	  { ABI_ARG_KMEM, 8, .base = 16, .off = 8 },
	  { LOAD(BPF_DW, R1, R6, 16), OP(BPF_ADD, R1, 8), TYPE,
	    LOAD(BPF_DW, R0, R0, 0) } },
	{ "user memory", ABI_ATTACH_UPROBE, true,
	  { ABI_ARG_UMEM, 2, 1, .reg = ABI_REG_BP, .off = -20 },
	  { LOAD(BPF_DW, R3, R6, 32), CLEAR(TMP), OP(BPF_ADD, R3, -20),
	    READ(user, 2), OP(BPF_LSH, R0, 48), OP(BPF_ARSH, R0, 48) } },
	{ "user memory with an index", ABI_ATTACH_UPROBE, true,
	  { ABI_ARG_UMEM, 8, .reg = ABI_REG_AX, .index = ABI_REG_CX,
	    .scale = 8, .off = 16 },
	  { LOAD(BPF_DW, R0, R6, 88), OP(BPF_MUL, R0, 8),
	    STORE(BPF_DW, R10, TMP, R0), LOAD(BPF_DW, R3, R6, 80),
	    LOAD(BPF_DW, R1, R10, TMP), PLUS(R3, R1), CLEAR(TMP),
	    OP(BPF_ADD, R3, 16), READ(user, 8) } },
	{ "the row's value", ABI_ATTACH_UPROBE_MULTI, true, { ABI_ARG_ROW },
	  { LOAD(BPF_W, R0, R9, 24) } },
	{ "user memory, moved by the row's value", ABI_ATTACH_UPROBE, true,
	  { ABI_ARG_UMEM, 8, .reg = ABI_REG_SP, .row = 1, .off = 8 },
	  { LOAD(BPF_DW, R3, R6, 152), LOAD(BPF_W, R1, R9, 24),
	    PLUS(R3, R1), CLEAR(TMP), OP(BPF_ADD, R3, 8), READ(user, 8) } },
	{ "where the kernel was", ABI_ATTACH_PERF, true, { ABI_ARG_KPC },
	  { LOAD(BPF_DW, R1, R6, 136), OP(BPF_AND, R1, 3),
	    JUMP(BPF_JEQ, R1, 0, 2), IMM(R0, 0), JUMP(BPF_JA, 0, 0, 1),
	    LOAD(BPF_DW, R0, R6, 128) } },
	{ "where a process was", ABI_ATTACH_PERF, false, { ABI_ARG_UPC },
	  { LOAD(BPF_DW, R1, R6, 136), OP(BPF_AND, R1, 3),
	    JUMP(BPF_JNE, R1, 0, 2), IMM(R0, 0), JUMP(BPF_JA, 0, 0, 1),
	    LOAD(BPF_DW, R0, R6, 128) } },
#endif
};

static bool
same(const struct bpf_insn *a, const struct bpf_insn *b)
{
	return a->code == b->code && a->dst_reg == b->dst_reg &&
	       a->src_reg == b->src_reg && a->off == b->off && a->imm == b->imm;
}

/* Has f these instructions, and then a store of what they yield? */
static bool
has(const struct abi_obj *o, const struct abi_func *f,
    const struct bpf_insn *want)
{
	const struct bpf_insn *code = o->code + f->insn;
	uint32_t n = 0;

	while (want[n].code)
		n++;
	for (uint32_t i = 0; i + n < f->ninsns; i++) {
		uint32_t k = 0;
		while (k < n && same(&code[i + k], &want[k]))
			k++;
		if (k == n && code[i + n].code == (BPF_STX | BPF_MEM | BPF_DW) &&
		    code[i + n].src_reg == BPF_REG_0 &&
		    code[i + n].dst_reg == BPF_REG_10)
			return true;
	}
	for (uint32_t i = 0; i < f->ninsns; i++)
		print_message("# %02x r%u r%u %d %d\n", code[i].code,
			      code[i].dst_reg, code[i].src_reg, code[i].off,
			      code[i].imm);
	return false;
}

static void
check(const struct row *r)
{
	static const uint8_t cpus[] = { 1 };
	bool by_row = r->arg.kind == ABI_ARG_ROW || r->arg.row;
	const struct abi_point point = { .attach = r->attach,
		.find = by_row ? ABI_FIND_COOKIE : ABI_FIND_ONE, .target = "x",
		.args = { r->arg } };
	const struct plan_probe probe = { 1, { "a", "b", "c", "d" }, zero, 1 };
	const struct ebpf_point where = { &point, &probe, !by_row,
		.clauses = zero, .nclauses = by_row };
	struct ebpf_input in = { .plan = &plan, .points = &where, .npoints = 1,
		.ncpus = 1, .ring_cpus = cpus, .ring_size = 4096,
		.scratch_size = 4096 };
	struct arena *a = arena_new();
	struct ebpf_object *o;

	memset(in.kernel.off, 0xff, sizeof(in.kernel.off));
	in.kernel.cast_id = r->cast ? CAST : 0;
	in.kernel.regs_id = REGS;
	assert_null(ebpf_generate(a, &in, &o));
	for (uint32_t i = 0; i < o->obj.nfuncs; i++) {
		const struct abi_func *f = &o->obj.funcs[i];
		if (strcmp(f->name, o->served[0].prog))
			continue;
		assert_int_equal(f->kind, ABI_FUNC_PROG);
		assert_int_equal(f->attach, r->attach);
		if (!has(&o->obj, f, r->want))
			fail_msg("%s: the code is another", r->what);
	}
	arena_free(a);
}

static void
test_kinds(void **state)
{
	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		check(&rows[i]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_kinds) };

	return cmocka_run_group_tests_name("ebpf-arg", tests, NULL, NULL);
}
