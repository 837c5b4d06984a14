/* SPDX-License-Identifier: BSD-2-Clause
 *
 * DIF, the D intermediate format: 32-bit instructions over eight registers
 * (%r0 is zero), with tables of integers, strings and variables.
 * doc/spec/dif.md is the normative description; ops.def is its table.
 *
 * A DIFO (DIF object) is one expression, compiled.  It is immutable; whoever
 * made it owns its memory.  Freestanding.
 */
#ifndef DIF_DIF_H
#define DIF_DIF_H

#include "abi/int.h"
#include "base/base.h"

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

#define DIF_NREGS	8
#define DIF_NTUPLE	64	/* entries of the tuple stack; classic D has 8 */
#define DIF_MAX_TEXT	65536	/* instructions: 256 KiB */
#define DIF_MAX_TABLE	65536	/* integers; bytes of strings */
#define DIF_MAX_VARS	1024
/* Targets of branches open at one instruction, so that the verifier needs no
 * memory of its own. */
#define DIF_MAX_OPEN	512
#define DIF_VAR_ARRAY_UBASE	0x80	/* the user's arrays: 0x80..0xff */
#define DIF_VAR_OTHER_UBASE	0x500	/* the user's scalars: 0x500..0xffff */

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

/* dif_type.kind and .flags */
enum { DIF_TYPE_CTF = 0, DIF_TYPE_STRING = 1 };
enum { DIF_TF_BYREF = 1, DIF_TF_BYUREF = 2 };

struct dif_type {
	uint8_t kind;
	uint8_t ckind;		/* enum dif_ckind: what -S prints */
	uint8_t flags;
	uint8_t pad;
	uint32_t size;		/* bytes; a string's includes its NUL */
};

/* How a number is encoded: an operand of DIF_SUBR_NUMBER. */
enum dif_number {
	DIF_NUM_SIGNED, DIF_NUM_UNSIGNED, DIF_NUM_FLOAT, DIF_NUM_DOUBLE,
	DIF_NNUMS
};
/* v, an encoding `from`, as `to`. */
uint64_t dif_number(uint64_t v, unsigned from, unsigned to);

/* What kind of C type a CTF type was, for the text of -S. */
enum dif_ckind {
	DIF_CK_UNKNOWN, DIF_CK_INTEGER, DIF_CK_FLOAT, DIF_CK_POINTER,
	DIF_CK_ARRAY, DIF_CK_FUNCTION, DIF_CK_STRUCT, DIF_CK_UNION,
	DIF_CK_ENUM, DIF_CK_FORWARD, DIF_CK_TYPEDEF,
};

enum { DIF_VK_ARRAY = 0, DIF_VK_SCALAR = 1 };
enum { DIF_VS_GLOBAL = 0, DIF_VS_THREAD = 1, DIF_VS_LOCAL = 2 };
enum { DIF_VF_REF = 1, DIF_VF_MOD = 2 };

/* A variable that this DIFO reads or writes. */
struct dif_var {
	uint32_t name;		/* offset into the string table */
	uint32_t id;
	uint8_t kind;		/* DIF_VK_* ; an associative array is ARRAY */
	uint8_t scope;		/* DIF_VS_* */
	uint16_t flags;		/* DIF_VF_* */
	struct dif_type type;	/* of the value or element */
};

struct dif_difo {
	const uint32_t *text;
	const uint64_t *ints;
	const char *strs;	/* NUL-terminated strings, the first empty */
	const struct dif_var *vars;
	uint32_t ntext, nints, strs_size, nvars;
	struct dif_type rtype;
	const uint32_t *lines;	/* source line of each instruction, or NULL */
};

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

/*
 * Check that a DIFO can be run by every engine: operands in range, forward
 * branches only, no write to %r0, ends in ret, known subroutines with the
 * right arguments on the tuple stack, tuple stack of one depth and one shape
 * at every join, no register or condition code read before it is set on every
 * path, tables within their sizes (doc/spec/dif.md section 8).  True when it
 * is sound; else err is filled with one line that names the instruction.
 */
bool dif_verify(const struct dif_difo *d, struct base_buf *err);

/* Mnemonic and operands alone: "ldgs DT_VAR(280), %r1". */
void dif_print_text(const struct dif_difo *d, uint32_t pc, struct base_buf *b);
/* One instruction as -S prints it, without the newline. */
void dif_print_insn(const struct dif_difo *d, uint32_t pc, struct base_buf *b);
/* "integer", "struct", ...; NULL for a number that is no enum dif_ckind. */
const char *dif_ckind_name(unsigned ckind);
/* "string (unknown) by ref (size 256)", "D type (integer) (size 4)". */
void dif_print_type(const struct dif_type *t, struct base_buf *b);
/* All of a DIFO as -S prints it: header, code, variable table. */
void dif_print(const struct dif_difo *d, struct base_buf *b);

/* Iterate the operands: does the instruction read or write these registers?
 * Bit n of the result is register n. */
uint32_t dif_insn_reads(uint32_t word);
uint32_t dif_insn_writes(uint32_t word);
/* True for ba and the conditional branches. */
bool dif_insn_is_branch(uint32_t word);

#endif
