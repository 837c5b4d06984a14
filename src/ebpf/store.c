/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Stores through addresses: st* and copys.
 *
 * A store may go to claimed scratch, or lie wholly in one by-reference
 * variable at a fixed place (global or clause-local).  Where the generator
 * knows the place, nothing is checked.  Else the address is compared with
 * each such variable in turn, most programs having none or few; what is left
 * is scratch, of which the runtime knows how much is claimed.
 *
 * copys into a variable at an unknown place goes through a copy of the whole
 * variable: the verifier follows `place + size` only when each alone is within
 * bounds, so the copy has room for both, and the way back is of constant
 * size.  That also makes it atomic with regard to faults, and lets source and
 * target overlap.
 */
#include "ebpf/ebpf_priv.h"

static bool
is_writable(const struct ebpf_fact *f)
{
	return (f->region == REG_GLOBAL || f->region == REG_SLOT) &&
	       !f->is_copy;
}

/* dst <- the address of offset 0 of the slot or of SEC_VARS. */
static void
base_number(struct ebpf *g, uint8_t dst, bool local)
{
	struct ebpf_fact f = { .region = local ? REG_SLOT : REG_GLOBAL };

	ebpf_addr(g, &f, 0, dst);
}

/* r0 <- where the address in r2 lies in v, at most max; else jumps to next. */
static void
locate(struct ebpf *g, const struct plan_var *v, uint32_t off, uint32_t max,
       int next)
{
	base_number(g, BPF_REG_1, v->scope == DIF_VS_LOCAL);
	ebpf_alu_imm(g, BPF_ADD, BPF_REG_1, (int32_t)off);
	ebpf_mov(g, BPF_REG_0, BPF_REG_2);
	ebpf_alu(g, BPF_SUB, BPF_REG_0, BPF_REG_1);
	ebpf_jmp_imm(g, BPF_JGT, BPF_REG_0, (int32_t)max, next);
}

static uint8_t
base_of(const struct plan_var *v)
{
	return v->scope == DIF_VS_LOCAL ? R_SLOT : BASE_GLOBAL;
}

/* Store r3 at r2 when that is in a variable, and go to done. */
static void
store_in_vars(struct ebpf *g, unsigned size, int done)
{
	for (uint32_t i = 0; i < g->plan->nvars; i++) {
		const struct plan_var *v = &g->plan->vars[i];
		uint32_t off;
		if (!ebpf_var_place(g, v, &off) || v->type.size < size)
			continue;
		int next = ebpf_label(g);
		locate(g, v, off, v->type.size - size, next);
		ebpf_dst(g, BPF_REG_1, base_of(v), (int32_t)off);
		ebpf_alu(g, BPF_ADD, BPF_REG_1, BPF_REG_0);
		ebpf_store(g, size, BPF_REG_1, 0, BPF_REG_3);
		ebpf_jmp(g, done);
		ebpf_place(g, next);
	}
}

void
ebpf_insn_store(struct ebpf *g, uint32_t w)
{
	unsigned r1 = DIF_INSN_R1(w), rd = DIF_INSN_RD(w);
	unsigned size = ebpf_access_size(DIF_INSN_OP(w));
	struct ebpf_fact f = g->fact[rd];
	int done = ebpf_label(g);

	if (is_writable(&f) && f.size >= size) {
		ebpf_mov(g, BPF_REG_0, ebpf_get(g, r1, BPF_REG_0));
		ebpf_region_ptr(g, &f, BPF_REG_1);
		ebpf_store(g, size, BPF_REG_1, 0, BPF_REG_0);
		return;
	}
	ebpf_settle(g, r1);	/* settling uses r0 only, and so does this */
	ebpf_settle(g, rd);
	ebpf_mov(g, BPF_REG_3, ebpf_get(g, r1, BPF_REG_3));
	ebpf_mov(g, BPF_REG_2, ebpf_get(g, rd, BPF_REG_2));
	if (!f.is_scratch)
		store_in_vars(g, size, done);
	ebpf_slot_arg(g);
	ebpf_imm(g, BPF_REG_4, size);
	ebpf_rt(g, "rt_store", 4);
	ebpf_check_rt(g);
	ebpf_place(g, done);
}

/* --- copys ---------------------------------------------------------------- */

static void
read_kernel(struct ebpf *g)
{
	ebpf_helper(g, BPF_FUNC_probe_read_kernel);
}

/* Both places known, and the size. */
static void
copy_known(struct ebpf *g, uint32_t w, const struct ebpf_fact *to,
	   uint32_t size)
{
	struct ebpf_fact from = g->fact[DIF_INSN_R1(w)];
	int32_t tmp = (int32_t)g->lay.value;

	ebpf_copy_to(g, R_SLOT, tmp, size, &from, DIF_INSN_R1(w), 0);
	ebpf_region_ptr(g, to, BPF_REG_1);
	ebpf_imm(g, BPF_REG_2, size);
	ebpf_dst(g, BPF_REG_3, R_SLOT, tmp);
	read_kernel(g);
}

/* The operands of copys, in the slot: what comes from there is unknown to the
 * verifier, which would follow constants on the frame path by path. */
enum { OP_FROM, OP_SIZE, OP_TO, NOPS };

static int32_t
operand(int i)
{
	return (int32_t)offsetof(struct abi_slot, work) + 8 * i;
}

/* When the target begins in v, copy and go to done. */
static void
copy_in_var(struct ebpf *g, const struct plan_var *v, uint32_t off, int done)
{
	uint32_t size = v->type.size;
	int32_t copy = (int32_t)g->lay.value;
	int next = ebpf_label(g);

	ebpf_load(g, 8, BPF_REG_2, R_SLOT, operand(OP_TO));
	locate(g, v, off, size - 1, next);
	ebpf_imm(g, BPF_REG_2, size);
	ebpf_alu(g, BPF_SUB, BPF_REG_2, BPF_REG_0);
	ebpf_load(g, 8, BPF_REG_1, R_SLOT, operand(OP_SIZE));
	ebpf_jmp_reg(g, BPF_JGT, BPF_REG_1, BPF_REG_2, next);

	ebpf_dst(g, BPF_REG_1, R_SLOT, copy);
	ebpf_imm(g, BPF_REG_2, size);
	ebpf_dst(g, BPF_REG_3, base_of(v), (int32_t)off);
	read_kernel(g);
	/* The place again: registers did not survive the call. */
	ebpf_load(g, 8, BPF_REG_2, R_SLOT, operand(OP_TO));
	locate(g, v, off, size - 1, next);
	ebpf_dst(g, BPF_REG_1, R_SLOT, copy);
	ebpf_alu(g, BPF_ADD, BPF_REG_1, BPF_REG_0);
	ebpf_load(g, 8, BPF_REG_2, R_SLOT, operand(OP_SIZE));
	ebpf_jmp_imm(g, BPF_JGT, BPF_REG_2, (int32_t)size, next);
	ebpf_load(g, 8, BPF_REG_3, R_SLOT, operand(OP_FROM));
	read_kernel(g);
	ebpf_jmp_imm(g, BPF_JNE, BPF_REG_0, 0,
		     ebpf_fault(g, ABI_FAULT_BADADDR, CF_ADDR));
	ebpf_dst(g, BPF_REG_1, base_of(v), (int32_t)off);
	ebpf_imm(g, BPF_REG_2, size);
	ebpf_dst(g, BPF_REG_3, R_SLOT, copy);
	read_kernel(g);
	ebpf_jmp(g, done);
	ebpf_place(g, next);
}

static void
copy_unknown(struct ebpf *g, uint32_t w)
{
	const uint8_t regs[NOPS] = { DIF_INSN_R1(w), DIF_INSN_R2(w),
				     DIF_INSN_RD(w) };
	bool is_scratch = g->fact[DIF_INSN_RD(w)].is_scratch;
	int done = ebpf_label(g);

	ebpf_slot_used(g);
	for (int i = 0; i < NOPS; i++)
		ebpf_settle(g, regs[i]);
	for (int i = 0; i < NOPS; i++) {
		uint8_t r = ebpf_get(g, regs[i], BPF_REG_1);
		ebpf_store(g, 8, R_SLOT, operand(i), r);
		if (i == OP_FROM)	/* what a fault tells */
			ebpf_store(g, 8, BPF_REG_10, CF_ADDR, r);
	}
	ebpf_load(g, 8, BPF_REG_1, R_SLOT, operand(OP_SIZE));
	ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_1, 0, done);
	for (uint32_t i = 0; i < g->plan->nvars && !is_scratch; i++) {
		uint32_t off;
		if (ebpf_var_place(g, &g->plan->vars[i], &off))
			copy_in_var(g, &g->plan->vars[i], off, done);
	}
	ebpf_load(g, 8, BPF_REG_2, R_SLOT, operand(OP_TO));
	ebpf_load(g, 8, BPF_REG_3, R_SLOT, operand(OP_FROM));
	ebpf_load(g, 8, BPF_REG_4, R_SLOT, operand(OP_SIZE));
	ebpf_slot_arg(g);
	ebpf_rt(g, "rt_copys", 4);
	ebpf_check_rt(g);
	ebpf_place(g, done);
}

void
ebpf_insn_copy(struct ebpf *g, uint32_t w)
{
	const struct ebpf_fact *n = &g->fact[DIF_INSN_R2(w)];
	struct ebpf_fact to = g->fact[DIF_INSN_RD(w)];

	if (is_writable(&to) && n->region == REG_CONST && n->val &&
	    n->val <= to.size)
		copy_known(g, w, &to, (uint32_t)n->val);
	else
		copy_unknown(g, w);
}
