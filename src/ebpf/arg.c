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
#include "ebpf/prog_priv.h"

bool
ebpf_may_cast(const struct ebpf *g)
{
	return g->in->kernel.cast_id && g->in->kernel.regs_id;
}

void
ebpf_cast(struct ebpf *g)
{
	ebpf_imm(g, BPF_REG_2, g->in->kernel.regs_id);
	ebpf_emit(g, BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_KFUNC_CALL, 0,
		  (int32_t)g->in->kernel.cast_id);
}

/* dst <- size bytes in it. */
static void
narrow(struct ebpf *g, uint8_t dst, unsigned size, bool is_signed)
{
	if (is_signed)
		ebpf_sext(g, dst, size);
	else
		ebpf_zext(g, dst, size);
}

/* dst <- size bytes at base + off, which the helper reads. */
static void
ask(struct ebpf *g, int helper, uint8_t base, int64_t off, unsigned size,
    uint8_t dst)
{
	ebpf_store_imm(g, 8, BPF_REG_10, TMP, 0);
	if (base != BPF_REG_3)
		ebpf_mov(g, BPF_REG_3, base);
	ebpf_alu_imm(g, BPF_ADD, BPF_REG_3, (int32_t)off);
	ebpf_lea(g, BPF_REG_1, BPF_REG_10, TMP);
	ebpf_imm(g, BPF_REG_2, size);
	ebpf_helper(g, helper);
	ebpf_load(g, 8, dst, BPF_REG_10, TMP);
}

/* --- Words and registers ---------------------------------------------------- */

static enum abi_context
context(const struct prog *pr)
{
	return (enum abi_context)abi_attach_row(pr->p->point->attach)->context;
}

static void
word(struct ebpf *g, const struct prog *pr, int32_t off, uint8_t dst)
{
	if (context(pr) != ABI_CONTEXT_TYPED) {
		ebpf_load(g, 8, dst, R_CTX, off);
	} else if (ebpf_may_cast(g)) {
		ebpf_mov(g, BPF_REG_1, R_CTX);
		ebpf_cast(g);
		ebpf_load(g, 8, dst, BPF_REG_0, off);
	} else {
		ask(g, BPF_FUNC_probe_read_kernel, R_CTX, off, 8, dst);
	}
}

/* dst <- size bytes at offset `at` of the registers. */
static void
load_regs(struct ebpf *g, const struct prog *pr, const struct abi_arg *a,
	  int32_t at, unsigned size, uint8_t dst)
{
	enum abi_context c = context(pr);
	uint8_t base = ebpf_may_cast(g) ? BPF_REG_1 : BPF_REG_3;

	if (c == ABI_CONTEXT_REGS) {
		ebpf_load(g, size, dst, R_CTX, at);
		return;
	}
	if (c == ABI_CONTEXT_PERF) {	/* whole ones only */
		ebpf_load(g, 8, dst, R_CTX, at & ~7);
		if (at & 7)
			ebpf_alu_imm(g, BPF_RSH, dst, 8 * (at & 7));
		ebpf_zext(g, dst, size);
		return;
	}
	word(g, pr, a->base, base);
	if (!ebpf_may_cast(g)) {
		ask(g, BPF_FUNC_probe_read_kernel, base, at, size, dst);
		return;
	}
	ebpf_cast(g);
	ebpf_load(g, size, dst, BPF_REG_0, at);
}

static void
reg(struct ebpf *g, const struct prog *pr, const struct abi_arg *a,
    uint8_t dst)
{
	const struct abi_reg_row *row = abi_reg_row(a->reg);
	unsigned size = a->size ? a->size : row->size;

	load_regs(g, pr, a, row->offset + (int32_t)a->off, size, dst);
	if (a->is_signed)
		ebpf_sext(g, dst, size);
}

static void
whole_reg(struct ebpf *g, const struct prog *pr, const struct abi_arg *a,
	  enum abi_reg number, uint8_t dst)
{
	load_regs(g, pr, a, abi_reg_row(number)->offset, 8, dst);
}

/* --- Memory ----------------------------------------------------------------- */

static bool
has_regs(const struct prog *pr)
{
	return context(pr) == ABI_CONTEXT_REGS ||
	       context(pr) == ABI_CONTEXT_PERF;
}

static void
kernel_memory(struct ebpf *g, const struct prog *pr, const struct abi_arg *a,
	      uint8_t dst)
{
	uint8_t base = ebpf_may_cast(g) ? BPF_REG_1 : BPF_REG_3;

	if (has_regs(pr))
		whole_reg(g, pr, a, a->reg, base);
	else
		word(g, pr, a->base, base);
	if (ebpf_may_cast(g)) {
		ebpf_alu_imm(g, BPF_ADD, base, (int32_t)a->off);
		ebpf_cast(g);
		ebpf_load(g, a->size, dst, BPF_REG_0, 0);
	} else {
		ask(g, BPF_FUNC_probe_read_kernel, base, a->off, a->size, dst);
	}
	if (a->is_signed)
		ebpf_sext(g, dst, a->size);
}

static void
user_memory(struct ebpf *g, const struct prog *pr, const struct abi_arg *a,
	    uint8_t dst)
{
	if (a->scale) {
		whole_reg(g, pr, a, a->index, BPF_REG_0);
		ebpf_alu_imm(g, BPF_MUL, BPF_REG_0, a->scale);
		ebpf_store(g, 8, BPF_REG_10, TMP, BPF_REG_0);
	}
	whole_reg(g, pr, a, a->reg, BPF_REG_3);
	if (a->scale) {
		ebpf_load(g, 8, BPF_REG_1, BPF_REG_10, TMP);
		ebpf_alu(g, BPF_ADD, BPF_REG_3, BPF_REG_1);
	}
	ask(g, BPF_FUNC_probe_read_user, BPF_REG_3, a->off, a->size, dst);
	if (a->is_signed)
		ebpf_sext(g, dst, a->size);
}

/* --- All kinds -------------------------------------------------------------- */

/* The program counter, if a process was running (user) or the kernel was. */
static void
pc(struct ebpf *g, const struct prog *pr, const struct abi_arg *a, bool user,
   uint8_t dst)
{
	int done = ebpf_label(g), other = ebpf_label(g);
	uint8_t is_it = user == (bool)ABI_MODE_USER_IS_0 ? BPF_JEQ : BPF_JNE;

	whole_reg(g, pr, a, ABI_ROLE_MODE, BPF_REG_1);
	ebpf_alu_imm(g, BPF_AND, BPF_REG_1, ABI_MODE_BITS);
	ebpf_jmp_imm(g, is_it, BPF_REG_1, 0, other);
	ebpf_imm(g, dst, 0);
	ebpf_jmp(g, done);
	ebpf_place(g, other);
	whole_reg(g, pr, a, ABI_ROLE_PC, dst);
	ebpf_place(g, done);
}

void
ebpf_arg(struct ebpf *g, const struct prog *pr, const struct abi_arg *a,
	 uint8_t dst)
{
	switch (a->kind) {
	case ABI_ARG_CTX:
		word(g, pr, (int32_t)a->off, dst);
		narrow(g, dst, a->size, a->is_signed);
		break;
	case ABI_ARG_REG:
		reg(g, pr, a, dst);
		break;
	case ABI_ARG_KMEM:
		kernel_memory(g, pr, a, dst);
		break;
	case ABI_ARG_UMEM:
		user_memory(g, pr, a, dst);
		break;
	case ABI_ARG_CONST:
		ebpf_imm(g, dst, (uint64_t)a->off);
		break;
	case ABI_ARG_KPC:
	case ABI_ARG_UPC:
		pc(g, pr, a, a->kind == ABI_ARG_UPC, dst);
		break;
	default:
		ebpf_imm(g, dst, 0);
		break;
	}
}
