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

#include "base/base.h"
#include "dif/insn.h"

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

#endif
