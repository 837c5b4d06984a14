/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The facts of ops.def, bvars.def and subrs.def as tables that can be asked,
 * and which registers an instruction touches.
 */
#include "dif/dif.h"

static const struct dif_opinfo ops[DIF_NOPS] = {
#define OP(NAME, name_, no, fmt_) [no] = { #name_, DIF_FMT_##fmt_##_ },
#include "dif/ops.def"
#undef OP
};
_Static_assert(DIF_NOPS <= 256, "opcodes fit a byte");

/* Few rows, and asked at compile time: searched from the front. */
static const struct dif_bvarinfo bvars[] = {
#define BVAR(NAME, name_, id_, size_) { name_, id_, size_ },
#include "dif/bvars.def"
#undef BVAR
};

static const struct {
	unsigned no;
	struct dif_subrinfo info;
} subrs[] = {
#define SUBR(NAME, name_, no_, args_, ret_) { no_, { name_, args_, ret_ } },
#include "dif/subrs.def"
#undef SUBR
};

/* Which of r1, r2 and rd a format reads or writes. */
enum { R1 = 1, R2 = 2, RD = 4 };

static const struct {
	uint8_t reads, writes;
} uses[] = {
	[DIF_FMT_NONE_]	   = { 0, 0 },
	[DIF_FMT_R_]	   = { R1 | R2, RD },
	[DIF_FMT_R2_]	   = { R1, RD },
	[DIF_FMT_CMP_]	   = { R1 | R2, 0 },
	[DIF_FMT_TST_]	   = { R1, 0 },
	[DIF_FMT_LD_]	   = { R1, RD },
	[DIF_FMT_ST_]	   = { R1 | RD, 0 },
	[DIF_FMT_B_]	   = { 0, 0 },
	[DIF_FMT_W_INT_]   = { 0, RD },
	[DIF_FMT_W_STR_]   = { 0, RD },
	[DIF_FMT_W_VAR_]   = { 0, RD },
	[DIF_FMT_W_VARST_] = { RD, 0 },
	[DIF_FMT_W_SUBR_]  = { 0, RD },
	[DIF_FMT_A_]	   = { R2, RD },
	[DIF_FMT_PUSH_]	   = { R2 | RD, 0 },
	[DIF_FMT_RET_]	   = { RD, 0 },
	[DIF_FMT_W_FUNC_]  = { 0, 0 },
};

const struct dif_opinfo *
dif_op_info(unsigned op)
{
	return op < DIF_NOPS && ops[op].name ? &ops[op] : NULL;
}

const struct dif_bvarinfo *
dif_bvar_info(unsigned id)
{
	for (size_t i = 0; i < BASE_NELEMS(bvars); i++)
		if (bvars[i].id == id)
			return &bvars[i];
	return NULL;
}

const struct dif_subrinfo *
dif_subr_info(unsigned subr)
{
	for (size_t i = 0; i < BASE_NELEMS(subrs); i++)
		if (subrs[i].no == subr)
			return &subrs[i].info;
	return NULL;
}

static uint32_t
reg_bits(uint32_t word, unsigned which)
{
	uint32_t bits = 0;

	BASE_ASSERT(!(which & ~(R1 | R2 | RD)));
	if (which & R1)
		bits |= 1u << (DIF_INSN_R1(word) & (DIF_NREGS - 1));
	if (which & R2)
		bits |= 1u << (DIF_INSN_R2(word) & (DIF_NREGS - 1));
	if (which & RD)
		bits |= 1u << (DIF_INSN_RD(word) & (DIF_NREGS - 1));
	return bits;
}

uint32_t
dif_insn_reads(uint32_t word)
{
	const struct dif_opinfo *op = dif_op_info(DIF_INSN_OP(word));

	if (!op)
		return 0;
	if (DIF_INSN_OP(word) == DIF_OP_COPYS)	/* rd is an address */
		return reg_bits(word, R1 | R2 | RD);
	if (DIF_INSN_OP(word) == DIF_OP_PUSHTV)	/* r2 is ignored */
		return reg_bits(word, RD);
	BASE_ASSERT(op->fmt < BASE_NELEMS(uses));
	return reg_bits(word, uses[op->fmt].reads);
}

uint32_t
dif_insn_writes(uint32_t word)
{
	const struct dif_opinfo *op = dif_op_info(DIF_INSN_OP(word));

	if (!op || DIF_INSN_OP(word) == DIF_OP_COPYS)
		return 0;
	return reg_bits(word, uses[op->fmt].writes);
}

bool
dif_insn_is_branch(uint32_t word)
{
	const struct dif_opinfo *op = dif_op_info(DIF_INSN_OP(word));

	return op && op->fmt == DIF_FMT_B_;
}
