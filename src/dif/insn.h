/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Instructions (ops.def), built-in variables (bvars.def) and subroutines
 * (subrs.def): their numbers and names.
 */
#ifndef DIF_INSN_H
#define DIF_INSN_H

#include "abi/int.h"

enum dif_op {
#define OP(NAME, name, no, fmt) DIF_OP_##NAME = no,
#include "dif/ops.def"
#undef OP
	DIF_NOPS	/* one past the last */
};

enum dif_bvar {
#define BVAR(NAME, name, id, size) DIF_VAR_##NAME = id,
#include "dif/bvars.def"
#undef BVAR
};

enum dif_subr {
#define SUBR(NAME, name, no, args, ret) DIF_SUBR_##NAME = no,
#include "dif/subrs.def"
#undef SUBR
};

/* Instruction words. */
#define DIF_INSN_OP(w)	((w) >> 24)
#define DIF_INSN_R1(w)	((w) >> 16 & 0xff)
#define DIF_INSN_R2(w)	((w) >> 8 & 0xff)
#define DIF_INSN_RD(w)	((w) & 0xff)
#define DIF_INSN_LABEL(w) ((w) & 0xffffff)	/* B: instruction index */
#define DIF_INSN_INDEX(w) ((w) >> 8 & 0xffff)	/* W: table index, var, subr */
/* PUSH uses r1 for the type: */
enum { DIF_PUSH_INT = 0, DIF_PUSH_STRING = 1 };

#define DIF_FMT_R(op, r1, r2, rd) \
	((uint32_t)(op) << 24 | (uint32_t)(r1) << 16 | (uint32_t)(r2) << 8 | \
	 (uint32_t)(rd))
#define DIF_FMT_W(op, index, rd) \
	((uint32_t)(op) << 24 | (uint32_t)(index) << 8 | (uint32_t)(rd))
#define DIF_FMT_B(op, label) ((uint32_t)(op) << 24 | (uint32_t)(label))

struct dif_opinfo {
	const char *name;
	uint8_t fmt;		/* enum dif_fmt */
};

enum dif_fmt {
	DIF_FMT_NONE_, DIF_FMT_R_, DIF_FMT_R2_, DIF_FMT_CMP_, DIF_FMT_TST_,
	DIF_FMT_LD_, DIF_FMT_ST_, DIF_FMT_B_, DIF_FMT_W_INT_, DIF_FMT_W_STR_,
	DIF_FMT_W_VAR_, DIF_FMT_W_VARST_, DIF_FMT_W_SUBR_, DIF_FMT_A_,
	DIF_FMT_PUSH_, DIF_FMT_RET_, DIF_FMT_W_FUNC_,
};

/* NULL for a number that is no opcode. */
const struct dif_opinfo *dif_op_info(unsigned op);
/*
 * How the operands of a format (enum dif_fmt) are written: 1 2 d stand for
 * the registers r1, r2 and rd, l for a label, i s v c f for the index as
 * DT_INTEGER[n], DT_STRING[n], DT_VAR(n), DIF_SUBR(n), DT_FUNC(n), a and t for r1 as
 * DT_VAR(n), DT_TYPE(n); everything else stands for itself.
 */
const char *dif_fmt_operands(unsigned fmt);

struct dif_bvarinfo { const char *name; uint16_t id; uint8_t size; };
const struct dif_bvarinfo *dif_bvar_info(unsigned id);	/* or NULL */

struct dif_subrinfo { const char *name; const char *args; char ret; };
const struct dif_subrinfo *dif_subr_info(unsigned subr); /* or NULL */
/* Is the argument that this letter of args stands for pushed by pushtr? */
static inline bool
dif_is_string(char letter)
{
	return letter == 's' || letter == 'n';
}

/* Iterate the operands: does the instruction read or write these registers?
 * Bit n of the result is register n. */
uint32_t dif_insn_reads(uint32_t word);
uint32_t dif_insn_writes(uint32_t word);
/* True for ba and the conditional branches. */
bool dif_insn_is_branch(uint32_t word);

#endif
