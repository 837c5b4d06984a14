/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The arguments of a probe (abi/attach.h): each of its kinds, in each context.
 *
 * Some kernels have bpf_rdonly_cast(), which takes any address for that of some
 * struct; what it says is at the address may be loaded at once, and is 0 where
 * nothing can be read.  (We say registers; all that matters is that these are
 * numbers.)  Else a helper reads memory, and that is a call for each.
 *
 * What the verifier knows to be a pointer cannot be used as a number, and words
 * of a typed context it knows.  So these are read like memory.
 */
#include <assert.h>

#include "abi/row.h"
#include "ebpf/prog_priv.h"

bool
ebpf_may_cast(const struct ebpf *g)
{
	return g->in->kernel.cast_id && g->in->kernel.regs_id;
}

void
ebpf_cast(struct ebpf_out *o)
{
	ebpf_imm(o, BPF_REG_2, o->g->in->kernel.regs_id);
	ebpf_emit(o, BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_KFUNC_CALL, 0,
		  (int32_t)o->g->in->kernel.cast_id);
}

/* dst <- size bytes in it. */
static void
narrow(struct ebpf_out *o, uint8_t dst, unsigned size, bool is_signed)
{
	if (is_signed)
		ebpf_sext(o, dst, size);
	else
		ebpf_zext(o, dst, size);
}

/* dst <- size bytes at base + off, which the helper reads. */
static void
ask(struct ebpf_out *o, int helper, uint8_t base, int64_t off, unsigned size,
    uint8_t dst)
{
	assert(size && size <= 8);
	ebpf_store_imm(o, 8, BPF_REG_10, TMP, 0);
	if (base != BPF_REG_3)
		ebpf_mov(o, BPF_REG_3, base);
	ebpf_alu_imm(o, BPF_ADD, BPF_REG_3, (int32_t)off);
	ebpf_lea(o, BPF_REG_1, BPF_REG_10, TMP);
	ebpf_imm(o, BPF_REG_2, size);
	ebpf_helper(o, helper);
	ebpf_load(o, 8, dst, BPF_REG_10, TMP);
}

/* --- Words and registers ---------------------------------------------------- */

static enum abi_context
context(const struct prog *pr)
{
	return (enum abi_context)abi_attach_row(pr->attach)->context;
}

static void
word(struct ebpf_out *o, const struct prog *pr, int32_t off, uint8_t dst)
{
	if (context(pr) != ABI_CONTEXT_TYPED) {
		ebpf_load(o, 8, dst, R_CTX, off);
	} else if (ebpf_may_cast(o->g)) {
		ebpf_mov(o, BPF_REG_1, R_CTX);
		ebpf_cast(o);
		ebpf_load(o, 8, dst, BPF_REG_0, off);
	} else {
		ask(o, BPF_FUNC_probe_read_kernel, R_CTX, off, 8, dst);
	}
}

/* dst <- size bytes at offset `at` of the registers. */
static void
load_regs(struct ebpf_out *o, const struct prog *pr, const struct abi_arg *a,
	  int32_t at, unsigned size, uint8_t dst)
{
	enum abi_context c = context(pr);
	uint8_t base = ebpf_may_cast(o->g) ? BPF_REG_1 : BPF_REG_3;

	if (c == ABI_CONTEXT_REGS) {
		ebpf_load(o, size, dst, R_CTX, at);
		return;
	}
	if (c == ABI_CONTEXT_PERF) {	/* whole ones only */
		ebpf_load(o, 8, dst, R_CTX, at & ~7);
		if (at & 7)
			ebpf_alu_imm(o, BPF_RSH, dst, 8 * (at & 7));
		ebpf_zext(o, dst, size);
		return;
	}
	word(o, pr, a->base, base);
	if (!ebpf_may_cast(o->g)) {
		ask(o, BPF_FUNC_probe_read_kernel, base, at, size, dst);
		return;
	}
	ebpf_cast(o);
	ebpf_load(o, size, dst, BPF_REG_0, at);
}

static void
reg(struct ebpf_out *o, const struct prog *pr, const struct abi_arg *a,
    uint8_t dst)
{
	const struct abi_reg_row *row = abi_reg_row(a->reg);
	unsigned size = a->size ? a->size : row->size;

	load_regs(o, pr, a, row->offset + (int32_t)a->off, size, dst);
	if (a->is_signed)
		ebpf_sext(o, dst, size);
}

static void
whole_reg(struct ebpf_out *o, const struct prog *pr, const struct abi_arg *a,
	  enum abi_reg number, uint8_t dst)
{
	load_regs(o, pr, a, abi_reg_row(number)->offset, 8, dst);
}

/* --- Memory ----------------------------------------------------------------- */

static bool
has_regs(const struct prog *pr)
{
	return context(pr) == ABI_CONTEXT_REGS ||
	       context(pr) == ABI_CONTEXT_PERF;
}

static void
kernel_memory(struct ebpf_out *o, const struct prog *pr,
	      const struct abi_arg *a, uint8_t dst)
{
	uint8_t base = ebpf_may_cast(o->g) ? BPF_REG_1 : BPF_REG_3;

	if (has_regs(pr))
		whole_reg(o, pr, a, a->reg, base);
	else
		word(o, pr, a->base, base);
	if (ebpf_may_cast(o->g)) {
		ebpf_alu_imm(o, BPF_ADD, base, (int32_t)a->off);
		ebpf_cast(o);
		ebpf_load(o, a->size, dst, BPF_REG_0, 0);
	} else {
		ask(o, BPF_FUNC_probe_read_kernel, base, a->off, a->size, dst);
	}
	if (a->is_signed)
		ebpf_sext(o, dst, a->size);
}

static void
row_value(struct ebpf_out *o, const struct prog *pr, uint8_t dst)
{
	assert(pr->p->point->find == ABI_FIND_COOKIE);
	ebpf_load(o, 4, dst, R_ROW, offsetof(struct abi_row, value));
}

static void
layout_arg(struct ebpf_out *o, const struct prog *pr, const struct abi_arg *a,
	   uint8_t dst)
{
	assert(pr->p->point->find == ABI_FIND_COOKIE);
	ebpf_load(o, 2, BPF_REG_1, R_ROW, offsetof(struct abi_row, layout));
	ebpf_imm(o, BPF_REG_2, (uint64_t)a->off);
	ebpf_rt(o, "rt_layout_arg", 2);
	if (dst != BPF_REG_0)
		ebpf_mov(o, dst, BPF_REG_0);
}

static void
user_memory(struct ebpf_out *o, const struct prog *pr, const struct abi_arg *a,
	    uint8_t dst)
{
	if (a->scale) {
		whole_reg(o, pr, a, a->index, BPF_REG_0);
		ebpf_alu_imm(o, BPF_MUL, BPF_REG_0, a->scale);
		ebpf_store(o, 8, BPF_REG_10, TMP, BPF_REG_0);
	}
	whole_reg(o, pr, a, a->reg, BPF_REG_3);
	if (a->scale) {
		ebpf_load(o, 8, BPF_REG_1, BPF_REG_10, TMP);
		ebpf_alu(o, BPF_ADD, BPF_REG_3, BPF_REG_1);
	}
	if (a->row) {
		row_value(o, pr, BPF_REG_1);
		ebpf_alu(o, BPF_ADD, BPF_REG_3, BPF_REG_1);
	}
	ask(o, BPF_FUNC_probe_read_user, BPF_REG_3, a->off, a->size, dst);
	if (a->is_signed)
		ebpf_sext(o, dst, a->size);
}

/* --- All kinds -------------------------------------------------------------- */

/* The program counter, if a process was running (user) or the kernel was. */
static void
pc(struct ebpf_out *o, const struct prog *pr, const struct abi_arg *a,
   bool user, uint8_t dst)
{
	int done = ebpf_label(o), other = ebpf_label(o);
	uint8_t is_it = user == (bool)ABI_MODE_USER_IS_0 ? BPF_JEQ : BPF_JNE;

	whole_reg(o, pr, a, ABI_ROLE_MODE, BPF_REG_1);
	ebpf_alu_imm(o, BPF_AND, BPF_REG_1, ABI_MODE_BITS);
	ebpf_jmp_imm(o, is_it, BPF_REG_1, 0, other);
	ebpf_imm(o, dst, 0);
	ebpf_jmp(o, done);
	ebpf_place(o, other);
	whole_reg(o, pr, a, ABI_ROLE_PC, dst);
	ebpf_place(o, done);
}

void
ebpf_arg(struct ebpf_out *o, const struct prog *pr, const struct abi_arg *a,
	 uint8_t dst)
{
	switch (a->kind) {
	case ABI_ARG_CTX:
		word(o, pr, (int32_t)a->off, dst);
		narrow(o, dst, a->size, a->is_signed);
		break;
	case ABI_ARG_REG:
		reg(o, pr, a, dst);
		break;
	case ABI_ARG_KMEM:
		kernel_memory(o, pr, a, dst);
		break;
	case ABI_ARG_UMEM:
		user_memory(o, pr, a, dst);
		break;
	case ABI_ARG_ROW:
		row_value(o, pr, dst);
		break;
	case ABI_ARG_LAYOUT:
		layout_arg(o, pr, a, dst);
		break;
	case ABI_ARG_CONST:
		ebpf_imm(o, dst, (uint64_t)a->off);
		break;
	case ABI_ARG_KPC:
	case ABI_ARG_UPC:
		pc(o, pr, a, a->kind == ABI_ARG_UPC, dst);
		break;
	default:
		ebpf_imm(o, dst, 0);
		break;
	}
}
