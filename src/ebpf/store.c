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
#include "abi/slot.h"
#include "ebpf/var_priv.h"

static bool
is_writable(const struct ebpf_fact *f)
{
	return (f->region == REG_GLOBAL || f->region == REG_SLOT) &&
	       !f->is_copy;
}

/* dst <- the address of offset 0 of the slot or of SEC_VARS. */
static void
base_number(struct ebpf_expr *e, uint8_t dst, bool local)
{
	struct ebpf_fact f = { .region = local ? REG_SLOT : REG_GLOBAL };

	ebpf_addr(e, &f, 0, dst);
}

/* r0 <- where the address in r2 lies in v, at most max; else jumps to next. */
static void
locate(struct ebpf_expr *e, const struct plan_var *v, uint32_t off,
       uint32_t max, int next)
{
	struct ebpf_out *o = e->o;

	base_number(e, BPF_REG_1, v->scope == DIF_VS_LOCAL);
	ebpf_alu_imm(o, BPF_ADD, BPF_REG_1, (int32_t)off);
	ebpf_mov(o, BPF_REG_0, BPF_REG_2);
	ebpf_alu(o, BPF_SUB, BPF_REG_0, BPF_REG_1);
	ebpf_jmp_imm(o, BPF_JGT, BPF_REG_0, (int32_t)max, next);
}

static uint8_t
base_of(const struct plan_var *v)
{
	return v->scope == DIF_VS_LOCAL ? R_SLOT : BASE_GLOBAL;
}

/* Store r3 at r2 when that is in a variable, and go to done. */
static void
store_in_vars(struct ebpf_expr *e, unsigned size, int done)
{
	struct ebpf_out *o = e->o;

	for (uint32_t i = 0; i < e->g->plan->nvars; i++) {
		const struct plan_var *v = &e->g->plan->vars[i];
		uint32_t off;
		if (!ebpf_var_place(e->g, v, &off) || v->type.size < size)
			continue;
		int next = ebpf_label(o);
		locate(e, v, off, v->type.size - size, next);
		ebpf_dst(o, BPF_REG_1, base_of(v), (int32_t)off);
		ebpf_alu(o, BPF_ADD, BPF_REG_1, BPF_REG_0);
		ebpf_store(o, size, BPF_REG_1, 0, BPF_REG_3);
		ebpf_jmp(o, done);
		ebpf_place(o, next);
	}
}

void
ebpf_insn_store(struct ebpf_expr *e, uint32_t w)
{
	struct ebpf_out *o = e->o;
	unsigned r1 = DIF_INSN_R1(w), rd = DIF_INSN_RD(w);
	unsigned size = ebpf_access_size(DIF_INSN_OP(w));
	struct ebpf_fact f = e->fact[rd];
	int done = ebpf_label(o);

	if (is_writable(&f) && f.size >= size) {
		ebpf_mov(o, BPF_REG_0, ebpf_get(e, r1, BPF_REG_0));
		ebpf_region_ptr(o, &f, BPF_REG_1);
		ebpf_store(o, size, BPF_REG_1, 0, BPF_REG_0);
		return;
	}
	ebpf_settle(e, r1);	/* settling uses r0 only, and so does this */
	ebpf_settle(e, rd);
	ebpf_mov(o, BPF_REG_3, ebpf_get(e, r1, BPF_REG_3));
	ebpf_mov(o, BPF_REG_2, ebpf_get(e, rd, BPF_REG_2));
	if (!f.is_scratch)
		store_in_vars(e, size, done);
	ebpf_slot_arg(o);
	ebpf_imm(o, BPF_REG_4, size);
	ebpf_rt(o, "rt_store", 4);
	ebpf_check_rt(o);
	ebpf_place(o, done);
}

/* --- copys ---------------------------------------------------------------- */

static void
read_kernel(struct ebpf_out *o)
{
	ebpf_helper(o, BPF_FUNC_probe_read_kernel);
}

/* Both places known, and the size. */
static void
copy_known(struct ebpf_expr *e, uint32_t w, const struct ebpf_fact *to,
	   uint32_t size)
{
	struct ebpf_out *o = e->o;
	struct ebpf_fact from = e->fact[DIF_INSN_R1(w)];
	int32_t tmp = (int32_t)e->g->lay.value;

	ebpf_copy_to(e, R_SLOT, tmp, size, &from, DIF_INSN_R1(w), 0);
	ebpf_region_ptr(o, to, BPF_REG_1);
	ebpf_imm(o, BPF_REG_2, size);
	ebpf_dst(o, BPF_REG_3, R_SLOT, tmp);
	read_kernel(o);
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
copy_in_var(struct ebpf_expr *e, const struct plan_var *v, uint32_t off,
	    int done)
{
	struct ebpf_out *o = e->o;
	uint32_t size = v->type.size;
	int32_t copy = (int32_t)e->g->lay.value;
	int next = ebpf_label(o);

	ebpf_load(o, 8, BPF_REG_2, R_SLOT, operand(OP_TO));
	locate(e, v, off, size - 1, next);
	ebpf_imm(o, BPF_REG_2, size);
	ebpf_alu(o, BPF_SUB, BPF_REG_2, BPF_REG_0);
	ebpf_load(o, 8, BPF_REG_1, R_SLOT, operand(OP_SIZE));
	ebpf_jmp_reg(o, BPF_JGT, BPF_REG_1, BPF_REG_2, next);

	ebpf_dst(o, BPF_REG_1, R_SLOT, copy);
	ebpf_imm(o, BPF_REG_2, size);
	ebpf_dst(o, BPF_REG_3, base_of(v), (int32_t)off);
	read_kernel(o);
	/* The place again: registers did not survive the call. */
	ebpf_load(o, 8, BPF_REG_2, R_SLOT, operand(OP_TO));
	locate(e, v, off, size - 1, next);
	ebpf_dst(o, BPF_REG_1, R_SLOT, copy);
	ebpf_alu(o, BPF_ADD, BPF_REG_1, BPF_REG_0);
	ebpf_load(o, 8, BPF_REG_2, R_SLOT, operand(OP_SIZE));
	ebpf_jmp_imm(o, BPF_JGT, BPF_REG_2, (int32_t)size, next);
	ebpf_load(o, 8, BPF_REG_3, R_SLOT, operand(OP_FROM));
	read_kernel(o);
	ebpf_jmp_imm(o, BPF_JNE, BPF_REG_0, 0,
		     ebpf_fault(o, ABI_FAULT_BADADDR, CF_ADDR));
	ebpf_dst(o, BPF_REG_1, base_of(v), (int32_t)off);
	ebpf_imm(o, BPF_REG_2, size);
	ebpf_dst(o, BPF_REG_3, R_SLOT, copy);
	read_kernel(o);
	ebpf_jmp(o, done);
	ebpf_place(o, next);
}

static void
copy_unknown(struct ebpf_expr *e, uint32_t w)
{
	struct ebpf *g = e->g;
	struct ebpf_out *o = e->o;
	const uint8_t regs[NOPS] = { DIF_INSN_R1(w), DIF_INSN_R2(w),
				     DIF_INSN_RD(w) };
	bool is_scratch = e->fact[DIF_INSN_RD(w)].is_scratch;
	int done = ebpf_label(o);

	for (int i = 0; i < NOPS; i++)
		ebpf_settle(e, regs[i]);
	for (int i = 0; i < NOPS; i++) {
		uint8_t r = ebpf_get(e, regs[i], BPF_REG_1);
		ebpf_store(o, 8, R_SLOT, operand(i), r);
		if (i == OP_FROM)	/* what a fault tells */
			ebpf_store(o, 8, BPF_REG_10, CF_ADDR, r);
	}
	ebpf_load(o, 8, BPF_REG_1, R_SLOT, operand(OP_SIZE));
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_1, 0, done);
	for (uint32_t i = 0; i < g->plan->nvars && !is_scratch; i++) {
		uint32_t off;
		if (ebpf_var_place(g, &g->plan->vars[i], &off))
			copy_in_var(e, &g->plan->vars[i], off, done);
	}
	ebpf_load(o, 8, BPF_REG_2, R_SLOT, operand(OP_TO));
	ebpf_load(o, 8, BPF_REG_3, R_SLOT, operand(OP_FROM));
	ebpf_load(o, 8, BPF_REG_4, R_SLOT, operand(OP_SIZE));
	ebpf_slot_arg(o);
	ebpf_rt(o, "rt_copys", 4);
	ebpf_check_rt(o);
	ebpf_place(o, done);
}

void
ebpf_insn_copy(struct ebpf_expr *e, uint32_t w)
{
	const struct ebpf_fact *n = &e->fact[DIF_INSN_R2(w)];
	struct ebpf_fact to = e->fact[DIF_INSN_RD(w)];

	if (is_writable(&to) && n->region == REG_CONST && n->val &&
	    n->val <= to.size)
		copy_known(e, w, &to, (uint32_t)n->val);
	else
		copy_unknown(e, w);
}
