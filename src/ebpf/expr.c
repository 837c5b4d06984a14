/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One DIFO to BPF, instruction by instruction.
 *
 * DIF's branches only go forward, so one pass suffices: facts flow from each
 * branch to its label and meet there, and a backward pass before tells which
 * registers are live where.
 *
 * Condition codes are the two operands of the last compare: a branch compares
 * them again (BPF has no flags).  A compare followed at once by its only
 * branch compares the registers themselves.
 *
 * The kernel's verifier goes every way through the code, unless it comes to a
 * place where it has been in the same state.  A register that holds 0 or 1 by
 * the way taken makes two states, and later branches that this decides keep
 * them apart; an expression of twenty comparisons would be a million ways.  So
 * where such ways meet, and the value is not used up at once, 0 is added that
 * the verifier does not know to be 0.
 */
#include <assert.h>
#include <string.h>

#include "ebpf/expr_priv.h"

struct flow {
	uint8_t *live;		/* registers live before instruction pc */
	int *label;		/* BPF label of pc, -1: nothing jumps here */
	struct ebpf_fact (*in)[DIF_NREGS];	/* facts where branches meet */
	bool *seen;		/* in[pc] is set */
	bool *cc;		/* some way from pc branches by what was compared before */
	uint8_t *mixed;		/* registers that are a constant on some way
				 * to pc only, or another one */
};

static bool
is_cond(uint32_t w)
{
	return dif_insn_is_branch(w) && DIF_INSN_OP(w) != DIF_OP_BA;
}

static bool
is_compare(uint32_t w)
{
	unsigned op = DIF_INSN_OP(w);

	return op == DIF_OP_CMP || op == DIF_OP_TST || op == DIF_OP_SCMP;
}

static bool
flow_init(struct ebpf_expr *e, struct flow *fl)
{
	struct ebpf *g = e->g;
	const struct dif_difo *d = e->d;
	uint32_t n = d->ntext;

	fl->live = EBPF_ARRAY(g, uint8_t, n + 1);
	fl->label = EBPF_ARRAY(g, int, n);
	fl->seen = EBPF_ARRAY(g, bool, n);
	fl->cc = EBPF_ARRAY(g, bool, n + 1);
	fl->mixed = EBPF_ARRAY(g, uint8_t, n);
	fl->in = ebpf_alloc(g, n, sizeof(*fl->in));
	if (!fl->live || !fl->label || !fl->seen || !fl->cc || !fl->mixed ||
	    !fl->in)
		return false;
	for (uint32_t pc = 0; pc < n; pc++)
		fl->label[pc] = -1;
	for (uint32_t pc = n; pc-- > 0; ) {
		uint32_t w = d->text[pc];
		uint8_t out = 0;
		bool cc = false;
		if (DIF_INSN_OP(w) != DIF_OP_RET && DIF_INSN_OP(w) != DIF_OP_BA) {
			out |= fl->live[pc + 1];
			cc |= fl->cc[pc + 1];
		}
		if (dif_insn_is_branch(w)) {
			out |= fl->live[DIF_INSN_LABEL(w)];
			cc |= fl->cc[DIF_INSN_LABEL(w)];
			if (fl->label[DIF_INSN_LABEL(w)] < 0)
				fl->label[DIF_INSN_LABEL(w)] = ebpf_label(e->o);
		}
		fl->live[pc] = (uint8_t)((out & ~dif_insn_writes(w)) |
					 dif_insn_reads(w));
		fl->cc[pc] = is_cond(w) || (cc && !is_compare(w));
	}
	return !g->err;
}

/* Is this a compare that the next instruction, and no other, branches by? */
static bool
is_fused(const struct ebpf_expr *e, const struct flow *fl, uint32_t pc)
{
	const uint32_t *w = e->d->text + pc;

	return is_compare(w[0]) && pc + 2 < e->d->ntext && is_cond(w[1]) &&
	       fl->label[pc + 1] < 0 && !fl->cc[pc + 2] &&
	       !fl->cc[DIF_INSN_LABEL(w[1])];
}

/* Give every register of the mask its value. */
static void
settle_live(struct ebpf_expr *e, uint8_t mask)
{
	for (unsigned r = 1; r < DIF_NREGS; r++)
		if (mask & 1u << r)
			ebpf_hold(e, r);
}

static void
meet(struct ebpf_expr *e, struct flow *fl, uint32_t pc)
{
	struct ebpf_fact *in = fl->in[pc];

	if (!fl->seen[pc]) {
		memcpy(in, e->fact, sizeof(e->fact));
		fl->seen[pc] = true;
		return;
	}
	for (unsigned r = 0; r < DIF_NREGS; r++) {
		if (!memcmp(&in[r], &e->fact[r], sizeof(in[r])))
			continue;
		if (in[r].region == REG_CONST ||
		    e->fact[r].region == REG_CONST)
			fl->mixed[pc] |= (uint8_t)(1u << r);
		in[r] = (struct ebpf_fact){ REG_NONE };
	}
}

/* What is mixed at pc becomes unknown, but for what is returned at once. */
static void
blur_mixed(struct ebpf_expr *e, const struct flow *fl)
{
	uint32_t w = e->d->text[e->pc];
	unsigned mask = fl->mixed[e->pc] & fl->live[e->pc];

	if (DIF_INSN_OP(w) == DIF_OP_RET)
		return;
	for (unsigned r = 1; r < DIF_NREGS; r++) {
		if (!(mask & 1u << r))
			continue;
		ebpf_mov(e->o, BPF_REG_0, ebpf_get(e, r, BPF_REG_0));
		ebpf_blur(e->o, BPF_REG_0);
		ebpf_set(e, r, BPF_REG_0);
	}
}

/* --- Arithmetic ----------------------------------------------------------- */

/* A constant that an instruction has room for. */
static bool
is_imm(const struct ebpf_fact *f)
{
	return f->region == REG_CONST && (int64_t)f->val == (int32_t)f->val;
}

static void
alu(struct ebpf_expr *e, uint32_t w, uint8_t op)
{
	unsigned r1 = DIF_INSN_R1(w), r2 = DIF_INSN_R2(w), rd = DIF_INSN_RD(w);
	struct ebpf_fact a = e->fact[r1], b = e->fact[r2];

	/* A known address moved by a constant stays known; but not at the end,
	 * where a section may end that the kernel lets nothing point behind. */
	if (op == BPF_ADD && a.region > REG_CONST && b.region == REG_CONST &&
	    b.val < a.size) {
		a.off += (uint32_t)b.val;
		a.size -= (uint32_t)b.val;
		a.is_str = false;
		a.text = NULL;
		ebpf_set_fact(e, rd, a);
		return;
	}
	ebpf_settle(e, r1);
	ebpf_settle(e, r2);
	bool half = op == BPF_AND && b.region == REG_CONST && b.val == UINT32_MAX;
	if (half || is_imm(&b)) {
		uint8_t to = ebpf_target(rd, 0);
		ebpf_mov(e->o, to, ebpf_get(e, r1, to));
		if (half)
			ebpf_zext(e->o, to, 4);
		else
			ebpf_alu_imm(e->o, op, to, (int32_t)b.val);
		ebpf_set(e, rd, to);
		return;
	}
	uint8_t src = ebpf_get(e, r2, BPF_REG_1);
	uint8_t to = ebpf_target(rd, r2);
	ebpf_mov(e->o, to, ebpf_get(e, r1, to));
	ebpf_alu(e->o, op, to, src);
	ebpf_set(e, rd, to);
}

static void
shift(struct ebpf_expr *e, uint32_t w, uint8_t op)
{
	struct ebpf_out *o = e->o;
	unsigned r1 = DIF_INSN_R1(w), r2 = DIF_INSN_R2(w), rd = DIF_INSN_RD(w);
	struct ebpf_fact b = e->fact[r2];

	ebpf_settle(e, r1);
	uint8_t to = ebpf_target(rd, 0);
	if (b.region == REG_CONST) {
		ebpf_mov(o, to, ebpf_get(e, r1, to));
		ebpf_alu_imm(o, op, to, (int32_t)(b.val & 63));
	} else {
		ebpf_settle(e, r2);
		ebpf_mov(o, BPF_REG_1, ebpf_get(e, r2, BPF_REG_1));
		ebpf_mov(o, to, ebpf_get(e, r1, to));
		ebpf_alu_imm(o, BPF_AND, BPF_REG_1, 63);
		ebpf_alu(o, op, to, BPF_REG_1);
	}
	ebpf_set(e, rd, to);
}

static void
divide(struct ebpf_expr *e, uint32_t w)
{
	struct ebpf_out *o = e->o;
	unsigned op = DIF_INSN_OP(w), rd = DIF_INSN_RD(w);
	unsigned r1 = DIF_INSN_R1(w), r2 = DIF_INSN_R2(w);

	ebpf_settle(e, r1);
	ebpf_settle(e, r2);
	ebpf_mov(o, BPF_REG_2, ebpf_get(e, r2, BPF_REG_2));
	ebpf_mov(o, BPF_REG_1, ebpf_get(e, r1, BPF_REG_1));
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_2, 0,
		     ebpf_fault(o, ABI_FAULT_DIVZERO, 0));
	if (op == DIF_OP_SDIV || op == DIF_OP_SREM) {
		ebpf_rt(o, op == DIF_OP_SDIV ? "rt_sdiv" : "rt_srem", 2);
	} else {
		ebpf_mov(o, BPF_REG_0, BPF_REG_1);
		ebpf_alu(o, op == DIF_OP_UDIV ? BPF_DIV : BPF_MOD, BPF_REG_0,
			 BPF_REG_2);
	}
	ebpf_set(e, rd, BPF_REG_0);
}

static void
move(struct ebpf_expr *e, uint32_t w)
{
	unsigned r1 = DIF_INSN_R1(w), rd = DIF_INSN_RD(w);
	struct ebpf_fact f = e->fact[r1];

	if (f.region == REG_CONST || ebpf_is_pending(&f)) {
		ebpf_set_fact(e, rd, f);
		return;
	}
	ebpf_set(e, rd, ebpf_get(e, r1, BPF_REG_0));
	e->fact[rd] = f;
}

static void
invert(struct ebpf_expr *e, uint32_t w)
{
	uint8_t to = ebpf_target(DIF_INSN_RD(w), 0);

	ebpf_mov(e->o, to, ebpf_get(e, DIF_INSN_R1(w), to));
	ebpf_alu_imm(e->o, BPF_XOR, to, -1);
	ebpf_set(e, DIF_INSN_RD(w), to);
}

static void
constant(struct ebpf_expr *e, unsigned rd, uint64_t v)
{
	ebpf_set_fact(e, rd, (struct ebpf_fact){ .region = REG_CONST, .val = v });
}

static void
string(struct ebpf_expr *e, uint32_t w)
{
	const char *s = e->d->strs + DIF_INSN_INDEX(w);
	size_t n = strlen(s) + 1;

	ebpf_set_fact(e, DIF_INSN_RD(w), (struct ebpf_fact){
		.region = REG_LIT, .off = ebpf_str(e->g, s, n),
		.size = (uint32_t)n, .is_str = true, .text = s });
}

/* --- Compare and branch --------------------------------------------------- */

/* The operands of a compare, for branches to come; r1 and r2 survive until one that
 * is fused, r0 does not. */
static void
set_cc(struct ebpf_expr *e, struct ebpf_cc cc)
{
	struct ebpf_out *o = e->o;

	assert(cc.a != BPF_REG_0);
	e->cc = cc;
	if (e->fused)
		return;
	ebpf_store(o, 8, BPF_REG_10, CF_CCA, cc.a);
	if (cc.is_imm)
		ebpf_store_imm(o, 8, BPF_REG_10, CF_CCB, cc.imm);
	else
		ebpf_store(o, 8, BPF_REG_10, CF_CCB, cc.b);
}

static void
compare(struct ebpf_expr *e, uint32_t w)
{
	unsigned r1 = DIF_INSN_R1(w), r2 = DIF_INSN_R2(w);

	if (DIF_INSN_OP(w) == DIF_OP_TST)
		r2 = 0;
	ebpf_settle(e, r1);
	ebpf_settle(e, r2);
	struct ebpf_cc cc = { .a = ebpf_get(e, r1, BPF_REG_1) };
	if (!r2 || is_imm(&e->fact[r2])) {
		cc.is_imm = true;
		cc.imm = r2 ? (int32_t)e->fact[r2].val : 0;
	} else {
		cc.b = ebpf_get(e, r2, BPF_REG_2);
	}
	set_cc(e, cc);
}

/* Until the next compare, only be and bne look at the codes. */
static bool
only_equality(struct ebpf_expr *e)
{
	for (uint32_t pc = e->pc + 1; pc < e->d->ntext; pc++) {
		uint32_t w = e->d->text[pc];
		unsigned op = DIF_INSN_OP(w);
		if (is_compare(w))
			return true;
		if (is_cond(w) && op != DIF_OP_BE && op != DIF_OP_BNE)
			return false;
	}
	return true;
}

/* Compare the bytes of a literal with a known region: r1 = 0 when equal. */
static void
scmp_literal(struct ebpf_expr *e, const struct ebpf_fact *lit,
	     const struct ebpf_fact *f)
{
	struct ebpf_out *o = e->o;
	uint32_t n = (uint32_t)strlen(lit->text) + 1;
	char text[72] = { 0 };
	int differ = ebpf_label(o), done = ebpf_label(o);

	memcpy(text, lit->text, n);
	ebpf_source(e, f, 0, BPF_REG_1);
	for (uint32_t at = 0; at < n; ) {
		unsigned step = n - at >= 8 ? 8 : n - at >= 4 ? 4 :
				n - at >= 2 ? 2 : 1;
		uint64_t word = 0;
		memcpy(&word, text + at, step);
		ebpf_load(o, step, BPF_REG_0, BPF_REG_1, (int32_t)at);
		ebpf_imm(o, BPF_REG_2, word);
		ebpf_jmp_reg(o, BPF_JNE, BPF_REG_0, BPF_REG_2, differ);
		at += step;
	}
	ebpf_imm(o, BPF_REG_1, 0);
	ebpf_jmp(o, done);
	ebpf_place(o, differ);
	ebpf_imm(o, BPF_REG_1, 1);
	ebpf_place(o, done);
	set_cc(e, (struct ebpf_cc){ BPF_REG_1, .is_imm = true, .imm = 0 });
}

static bool
scmp_quick(struct ebpf_expr *e, const struct ebpf_fact *a,
	   const struct ebpf_fact *b)
{
	if (a->region != REG_LIT || !a->text || b->region <= REG_LIT ||
	    !b->is_str || !only_equality(e))
		return false;
	size_t n = strlen(a->text) + 1;
	/* A literal that strsize cuts may equal a longer string. */
	return n <= 64 && n <= b->size && n < e->g->plan->strsize;
}

static void
scmp(struct ebpf_expr *e, uint32_t w)
{
	struct ebpf_out *o = e->o;
	unsigned r1 = DIF_INSN_R1(w), r2 = DIF_INSN_R2(w);
	struct ebpf_fact a = e->fact[r1], b = e->fact[r2];

	if (scmp_quick(e, &a, &b)) {
		scmp_literal(e, &a, &b);
		return;
	}
	if (scmp_quick(e, &b, &a)) {
		scmp_literal(e, &b, &a);
		return;
	}
	ebpf_settle(e, r1);
	ebpf_settle(e, r2);
	ebpf_mov(o, BPF_REG_2, ebpf_get(e, r1, BPF_REG_2));
	ebpf_mov(o, BPF_REG_3, ebpf_get(e, r2, BPF_REG_3));
	ebpf_slot_arg(o);
	ebpf_rt(o, "rt_scmp", 3);
	ebpf_check_rt(o);
	ebpf_mov(o, BPF_REG_1, BPF_REG_0);
	set_cc(e, (struct ebpf_cc){ BPF_REG_1, .is_imm = true, .imm = 1 });
}

static void
branch(struct ebpf_expr *e, struct flow *fl, uint32_t w)
{
	struct ebpf_out *o = e->o;
	static const uint8_t op[] = {
		[DIF_OP_BE] = BPF_JEQ, [DIF_OP_BNE] = BPF_JNE,
		[DIF_OP_BG] = BPF_JSGT, [DIF_OP_BGU] = BPF_JGT,
		[DIF_OP_BGE] = BPF_JSGE, [DIF_OP_BGEU] = BPF_JGE,
		[DIF_OP_BL] = BPF_JSLT, [DIF_OP_BLU] = BPF_JLT,
		[DIF_OP_BLE] = BPF_JSLE, [DIF_OP_BLEU] = BPF_JLE,
	};
	uint32_t to = DIF_INSN_LABEL(w);
	uint8_t live = fl->live[to];

	if (DIF_INSN_OP(w) == DIF_OP_BA) {
		settle_live(e, live);
		meet(e, fl, to);
		ebpf_jmp(o, fl->label[to]);
		return;
	}
	settle_live(e, live | fl->live[e->pc + 1]);
	meet(e, fl, to);
	struct ebpf_cc cc = { BPF_REG_1, BPF_REG_2 };
	if (e->fused) {
		cc = e->cc;
		e->fused = false;
	} else {
		ebpf_load(o, 8, cc.a, BPF_REG_10, CF_CCA);
		ebpf_load(o, 8, cc.b, BPF_REG_10, CF_CCB);
	}
	if (cc.is_imm)
		ebpf_jmp_imm(o, op[DIF_INSN_OP(w)], cc.a, cc.imm, fl->label[to]);
	else
		ebpf_jmp_reg(o, op[DIF_INSN_OP(w)], cc.a, cc.b, fl->label[to]);
}

/* --- The rest ------------------------------------------------------------- */

static void
allocs(struct ebpf_expr *e, uint32_t w)
{
	struct ebpf_out *o = e->o;

	ebpf_mov(o, BPF_REG_2, ebpf_get(e, DIF_INSN_R1(w), BPF_REG_2));
	ebpf_slot_arg(o);
	ebpf_rt(o, "rt_alloca", 2);
	ebpf_check_rt(o);
	ebpf_set(e, DIF_INSN_RD(w), BPF_REG_0);
	e->fact[DIF_INSN_RD(w)].is_scratch = true;
}

static void
ret(struct ebpf_expr *e, uint32_t w, bool only, int end)
{
	unsigned rd = DIF_INSN_RD(w);

	e->result = only ? e->fact[rd] : (struct ebpf_fact){ REG_NONE };
	if (only && e->result.region > REG_CONST && !e->result.has_addr)
		return;		/* the consumer reads the region */
	e->result.has_addr = true;
	ebpf_mov(e->o, BPF_REG_0, ebpf_get(e, rd, BPF_REG_0));
	if (!only)
		ebpf_jmp(e->o, end);
}

/* What handles an opcode: one of two shapes. */
struct handler {
	void (*fn)(struct ebpf_expr *e, uint32_t w);
	void (*fn_op)(struct ebpf_expr *e, uint32_t w, uint8_t op);
	uint8_t op;
};

static const struct handler handlers[DIF_NOPS] = {
	[DIF_OP_OR] = { .fn_op = alu, .op = BPF_OR },
	[DIF_OP_XOR] = { .fn_op = alu, .op = BPF_XOR },
	[DIF_OP_AND] = { .fn_op = alu, .op = BPF_AND },
	[DIF_OP_SUB] = { .fn_op = alu, .op = BPF_SUB },
	[DIF_OP_ADD] = { .fn_op = alu, .op = BPF_ADD },
	[DIF_OP_MUL] = { .fn_op = alu, .op = BPF_MUL },
	[DIF_OP_SLL] = { .fn_op = shift, .op = BPF_LSH },
	[DIF_OP_SRL] = { .fn_op = shift, .op = BPF_RSH },
	[DIF_OP_SRA] = { .fn_op = shift, .op = BPF_ARSH },
	[DIF_OP_SDIV] = { divide }, [DIF_OP_UDIV] = { divide },
	[DIF_OP_SREM] = { divide }, [DIF_OP_UREM] = { divide },
	[DIF_OP_NOT] = { invert }, [DIF_OP_MOV] = { move },
	[DIF_OP_CMP] = { compare }, [DIF_OP_TST] = { compare },
	[DIF_OP_SCMP] = { scmp },
	[DIF_OP_LDSB ... DIF_OP_LDX] = { ebpf_insn_load },
	[DIF_OP_ULDSB ... DIF_OP_RLDX] = { ebpf_insn_load },
	[DIF_OP_STB ... DIF_OP_STX] = { ebpf_insn_store },
	[DIF_OP_SETS] = { string },
	[DIF_OP_LDGA] = { ebpf_array },
	[DIF_OP_LDGS] = { ebpf_insn_var }, [DIF_OP_STGS] = { ebpf_insn_var },
	[DIF_OP_LDTS] = { ebpf_insn_var }, [DIF_OP_STTS] = { ebpf_insn_var },
	[DIF_OP_LDGAA ... DIF_OP_STLS] = { ebpf_insn_var },
	[DIF_OP_ADDGS] = { ebpf_insn_add }, [DIF_OP_ADDGAA] = { ebpf_insn_add },
	[DIF_OP_OLDGS] = { ebpf_insn_old }, [DIF_OP_OLDGAA] = { ebpf_insn_old },
	[DIF_OP_CALL] = { ebpf_subr }, [DIF_OP_CALLF] = { ebpf_callf },
	[DIF_OP_PUSHTR] = { ebpf_push }, [DIF_OP_PUSHTV] = { ebpf_push },
	[DIF_OP_ALLOCS] = { allocs }, [DIF_OP_COPYS] = { ebpf_insn_copy },
};

static void
insn(struct ebpf_expr *e, uint32_t w)
{
	const struct handler *h = &handlers[DIF_INSN_OP(w)];

	if (h->fn)
		h->fn(e, w);
	else if (h->fn_op)
		h->fn_op(e, w, h->op);
	else if (DIF_INSN_OP(w) == DIF_OP_SETX)
		constant(e, DIF_INSN_RD(w), e->d->ints[DIF_INSN_INDEX(w)]);
	else if (DIF_INSN_OP(w) == DIF_OP_FLUSHTS)
		e->ncells = 0;
	else if (DIF_INSN_OP(w) == DIF_OP_POPTS)
		e->ncells--;
}

static unsigned
count_rets(const struct dif_difo *d)
{
	unsigned n = 0;

	for (uint32_t pc = 0; pc < d->ntext; pc++)
		n += DIF_INSN_OP(d->text[pc]) == DIF_OP_RET;
	return n;
}

/* The tuple stack at a label is what it was at the branches to it, except
 * that limits may differ. */
struct shape { uint32_t n; uint32_t type[DIF_NTUPLE], limit[DIF_NTUPLE]; };

static void
shape_save(struct ebpf_expr *e, struct shape **at, uint32_t pc)
{
	struct shape *s = at[pc];

	if (!e->ncells)
		return;
	if (s) {
		for (uint32_t i = 0; i < e->ncells; i++)
			if (s->limit[i] != e->cell_limit[i])
				s->limit[i] = EBPF_LIMIT_UNKNOWN;
		return;
	}
	s = at[pc] = EBPF_NEW(e->g, struct shape);
	if (!s)
		return;
	s->n = e->ncells;
	memcpy(s->type, e->cell_type, sizeof(e->cell_type));
	memcpy(s->limit, e->cell_limit, sizeof(e->cell_limit));
}

static void
shape_load(struct ebpf_expr *e, const struct shape *s)
{
	e->ncells = s ? s->n : 0;
	for (uint32_t i = 0; i < e->ncells; i++) {
		e->cell[i] = (struct ebpf_fact){ REG_NONE };
		e->cell_type[i] = s->type[i];
		e->cell_limit[i] = s->limit[i];
	}
}

void
ebpf_difo(struct ebpf_expr *e, struct ebpf_body *b, const struct dif_difo *d,
	  uint32_t action)
{
	struct ebpf *g = b->g;
	struct ebpf_out *o = b->o;
	struct flow fl;
	bool only = count_rets(d) == 1, reached = true;
	int end = ebpf_label(o);

	*e = (struct ebpf_expr){ .g = g, .o = o, .b = b, .d = d };
	o->at.action = action;
	ebpf_limits_init(e);
	struct shape **shapes = EBPF_ARRAY(g, struct shape *, d->ntext);
	if (g->err || !flow_init(e, &fl))
		return;
	for (e->pc = 0; e->pc < d->ntext && !g->err; e->pc++) {
		uint32_t w = d->text[e->pc];
		o->at.dif_off = e->pc * 4;
		if (fl.label[e->pc] >= 0) {
			if (reached) {
				settle_live(e, fl.live[e->pc]);
				meet(e, &fl, e->pc);
				shape_save(e, shapes, e->pc);
			}
			reached = fl.seen[e->pc];
			memcpy(e->fact, fl.in[e->pc], sizeof(e->fact));
			shape_load(e, shapes[e->pc]);
			ebpf_place(o, fl.label[e->pc]);
			if (reached)
				blur_mixed(e, &fl);
		}
		if (!reached)
			continue;
		if (dif_insn_is_branch(w)) {
			shape_save(e, shapes, DIF_INSN_LABEL(w));
			branch(e, &fl, w);
			reached = DIF_INSN_OP(w) != DIF_OP_BA;
		} else if (DIF_INSN_OP(w) == DIF_OP_RET) {
			ret(e, w, only, end);
			reached = false;
		} else {
			e->live = fl.live[e->pc + 1];
			if (is_compare(w))
				e->fused = is_fused(e, &fl, e->pc);
			insn(e, w);
		}
	}
	ebpf_place(o, end);
	o->at.dif_off = UINT32_MAX;
}

void
ebpf_result_number(struct ebpf_expr *e)
{
	if (e->result.region > REG_CONST && !e->result.has_addr)
		ebpf_addr(e, &e->result, 0, BPF_REG_0);
}

void
ebpf_number(struct ebpf_body *b, const struct dif_difo *d, uint32_t action)
{
	struct ebpf_expr e;

	ebpf_difo(&e, b, d, action);
	ebpf_result_number(&e);
}

unsigned
ebpf_difo_bvar(const struct dif_difo *d)
{
	if (d->ntext != 2 || DIF_INSN_OP(d->text[0]) != DIF_OP_LDGS ||
	    DIF_INSN_OP(d->text[1]) != DIF_OP_RET ||
	    DIF_INSN_RD(d->text[0]) != DIF_INSN_RD(d->text[1]))
		return 0;
	unsigned id = DIF_INSN_INDEX(d->text[0]);
	return id < DIF_VAR_OTHER_UBASE ? id : 0;
}
