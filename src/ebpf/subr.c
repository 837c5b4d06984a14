/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The tuple stack and subroutines.  The shape of the tuple stack is known at
 * every instruction, so its entries ("cells") are words at fixed places of
 * the slot; a string whose region is known need not even be stored there.
 */
#include "ebpf/ebpf_priv.h"

/* True when nothing can jump between pc and the instruction that uses the
 * tuple. */
static bool
used_at_once(struct ebpf *g)
{
	for (uint32_t pc = g->pc + 1; pc < g->d->ntext; pc++) {
		unsigned op = DIF_INSN_OP(g->d->text[pc]);
		if (dif_insn_is_branch(g->d->text[pc]))
			return false;
		if (op == DIF_OP_CALL || op == DIF_OP_LDGAA ||
		    op == DIF_OP_LDTAA || op == DIF_OP_STGAA ||
		    op == DIF_OP_STTAA)
			break;
	}
	/* Labels in between: some earlier branch leads there. */
	for (uint32_t pc = 0; pc < g->pc; pc++) {
		uint32_t w = g->d->text[pc];
		if (dif_insn_is_branch(w) && DIF_INSN_LABEL(w) > g->pc)
			return false;
	}
	return true;
}

void
ebpf_push(struct ebpf *g, uint32_t w)
{
	unsigned rd = DIF_INSN_RD(w), r2 = DIF_INSN_R2(w);
	uint32_t i = g->ncells++;
	int32_t at = (int32_t)(g->lay.cells + 8 * i);
	const struct ebpf_fact *f = &g->fact[rd], *lim = &g->fact[r2];

	g->cell[i] = (struct ebpf_fact){ REG_NONE };
	g->cell_type[i] = DIF_INSN_R1(w);
	g->cell_limit[i] = 0;
	if (DIF_INSN_OP(w) == DIF_OP_PUSHTR) {
		/* A limit that is not a constant: bound to strsize. */
		if (r2 && lim->region == REG_CONST &&
		    lim->val < g->plan->strsize)
			g->cell_limit[i] = (uint32_t)lim->val;
		if (f->is_str && f->region > REG_CONST) {
			g->cell[i] = *f;
			g->cell[i].has_addr = false;
			g->cell_limit[i] = 0;
			if (used_at_once(g))
				return;
		}
	}
	ebpf_slot_used(g);
	ebpf_settle(g, rd);
	ebpf_store(g, 8, R_SLOT, at, ebpf_get(g, rd, BPF_REG_0));
	g->cell[i].region = REG_NONE;
}

void
ebpf_cell(struct ebpf *g, uint32_t i, uint8_t dst)
{
	if (g->cell[i].region > REG_CONST) {
		ebpf_addr(g, &g->cell[i], 0, dst);
		return;
	}
	ebpf_slot_used(g);
	ebpf_load(g, 8, dst, R_SLOT, (int32_t)(g->lay.cells + 8 * i));
}

/* Replace cell i by a bounded copy of its string. */
static void
bound(struct ebpf *g, uint32_t i)
{
	ebpf_cell(g, i, BPF_REG_2);
	ebpf_slot_arg(g);
	ebpf_imm(g, BPF_REG_3, g->cell_limit[i]);
	ebpf_rt(g, "rt_strbound", 3);
	ebpf_check_rt(g);
	ebpf_store(g, 8, R_SLOT, (int32_t)(g->lay.cells + 8 * i), BPF_REG_0);
	g->cell_limit[i] = 0;
}

void
ebpf_bound_cells(struct ebpf *g)
{
	for (uint32_t i = 0; i < g->ncells; i++)
		if (g->cell_limit[i])
			bound(g, i);
}

void
ebpf_cell_key(struct ebpf *g, uint32_t i, uint8_t base, int32_t off,
	      uint32_t size)
{
	struct ebpf_fact f = g->cell[i];

	if (g->cell_limit[i])
		bound(g, i);
	ebpf_zero(g, base, off, size);
	if (f.region <= REG_CONST)
		ebpf_cell(g, i, BPF_REG_0);
	ebpf_copy_to(g, base, off, size, &f, DIF_R0, COPY_STR);
}

/* --- Subroutines --------------------------------------------------------------- */

/* rt: the runtime's function; its first argument is the slot.  dflt: what an
 * absent optional argument stands for. */
static const struct {
	uint8_t subr;
	const char *rt;
	uint64_t dflt;
} rows[] = {
	{ DIF_SUBR_COPYIN, "rt_copyin" },
	{ DIF_SUBR_COPYINSTR, "rt_copyinstr", UINT64_MAX },
	{ DIF_SUBR_STRLEN, "rt_strlen" },
	{ DIF_SUBR_STRJOIN, "rt_strjoin" },
	{ DIF_SUBR_LLTOSTR, "rt_lltostr", 10 },
	{ DIF_SUBR_BASENAME, "rt_basename" },
	{ DIF_SUBR_DIRNAME, "rt_dirname" },
	{ DIF_SUBR_STRCHR, "rt_strchr" },
	{ DIF_SUBR_STRRCHR, "rt_strrchr" },
	{ DIF_SUBR_STRSTR, "rt_strstr" },
	{ DIF_SUBR_SUBSTR, "rt_substr", INT64_MAX },
	{ DIF_SUBR_INDEX, "rt_index", 0 },
	{ DIF_SUBR_RINDEX, "rt_rindex", INT64_MAX },
	{ DIF_SUBR_STRTOLL, "rt_strtoll", UINT64_MAX },
};

static unsigned
max_args(unsigned subr)
{
	const struct dif_subrinfo *info = dif_subr_info(subr);
	unsigned n = 0;

	for (const char *p = info->args; *p; p++)
		n += *p != '|';
	return n;
}

static void
call_rt(struct ebpf *g, unsigned row, unsigned rd)
{
	unsigned n = max_args(rows[row].subr);

	ebpf_bound_cells(g);
	for (unsigned i = 0; i < n; i++) {
		uint8_t r = (uint8_t)(BPF_REG_2 + i);
		if (i < g->ncells)
			ebpf_cell(g, i, r);
		else
			ebpf_imm(g, r, rows[row].dflt);
	}
	ebpf_slot_arg(g);
	ebpf_rt(g, rows[row].rt, n + 1);
	ebpf_check_rt(g);
	ebpf_set(g, rd, BPF_REG_0);
}

static void
progenyof(struct ebpf *g, unsigned rd)
{
	const struct ebpf_kernel *k = &g->in->kernel;

	if (k->task_real_parent == UINT32_MAX || k->task_tgid == UINT32_MAX) {
		ebpf_fail(g, err_new(ERR_UNSUPPORTED, 0,
			"progenyof() needs the kernel's BTF"));
		return;
	}
	ebpf_cell(g, 0, BPF_REG_1);
	ebpf_imm(g, BPF_REG_2, k->task_real_parent);
	ebpf_imm(g, BPF_REG_3, k->task_tgid);
	ebpf_rt(g, "rt_progenyof", 3);
	ebpf_set(g, rd, BPF_REG_0);
}

static void
rand31(struct ebpf *g, unsigned rd)
{
	ebpf_helper(g, BPF_FUNC_get_prandom_u32);
	ebpf_alu_imm(g, BPF_AND, BPF_REG_0, INT32_MAX);
	ebpf_set(g, rd, BPF_REG_0);
}

void
ebpf_subr(struct ebpf *g, uint32_t w)
{
	unsigned subr = DIF_INSN_INDEX(w), rd = DIF_INSN_RD(w);

	if (subr == DIF_SUBR_RAND) {
		rand31(g, rd);
		return;
	}
	if (subr == DIF_SUBR_PROGENYOF) {
		progenyof(g, rd);
		return;
	}
	for (unsigned i = 0; i < BASE_NELEMS(rows); i++)
		if (rows[i].subr == subr) {
			call_rt(g, i, rd);
			return;
		}
	ebpf_fail(g, err_new(ERR_UNSUPPORTED, 0,
		"subroutine %u is not known to the kernel engine", subr));
}
