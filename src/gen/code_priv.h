/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Code with virtual registers, and the values that it computes.
 */
#ifndef GEN_CODE_PRIV_H
#define GEN_CODE_PRIV_H

#include "gen/gen_priv.h"
#include "util/hash.h"

enum { GEN_LABEL = DIF_NOPS };		/* an op of ours: imm is the label */

struct gen_insn {
	uint8_t op;		/* enum dif_op, or GEN_LABEL */
	uint32_t r1, r2, rd;	/* virtual registers; 0 is %r0 */
	/* SETX: the value; branches and GEN_LABEL: the label; SETS: offset in
	 * strs; variables, arrays and calls: the number. */
	uint64_t imm;
	uint32_t line;
};

/* --- Values ------------------------------------------------------------- */

/* How a number stands in a register: as an integer of `size` bytes. */
struct gen_int {
	uint8_t size;		/* 1, 2, 4, 8 */
	bool is_signed, is_bool;
};

/*
 * A value.  Numbers are extended to 64 bits by their sign, except that the
 * bits above size are anything while dirty.  The value of a struct, union,
 * array, function or string is its address.
 */
struct gen_val {
	uint32_t reg;
	struct gen_int as;
	bool dirty;
	bool is_const;		/* then value holds it and reg is unused */
	bool user;		/* an address in user memory */
	uint64_t value;
};

/* --- Code --------------------------------------------------------------- */

/* While a part of a dynamic variable is stored: the node that names the
 * whole, and where its copy lies. */
struct gen_alias {
	const struct ast_node *node;
	struct gen_val at;
};

struct gen_code {
	struct gen *g;
	VEC(struct gen_insn) insns;
	VEC(char) strs;
	struct hash strs_seen;	/* text -> offset + 1 */
	VEC(struct dif_var) vars;
	VEC(uint8_t) labels;	/* enum gen_label_state */
	uint32_t nregs;		/* virtual registers so far; 0 counts */
	uint32_t nopen;		/* labels used and not yet placed */
	uint32_t nspills;	/* hidden clause-locals */
	unsigned nesting;	/* of expressions being compiled */
	struct gen_alias alias;
	uint32_t line;
	struct lang_span where;	/* where line was counted */
	struct lang_span span;	/* the whole expression, for diagnostics */
	bool failed;
};

bool gen_code_init(struct gen_code *c, struct gen *g, struct lang_span span);
void gen_code_fini(struct gen_code *c);

/* Report that this expression cannot be compiled; once per expression. */
void gen_fail(struct gen_code *c, enum diag_tag tag, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Memory was asked for: was it had?  Else the expression has failed. */
bool gen_had(struct gen_code *c, bool had);

uint32_t gen_reg(struct gen_code *c);
uint32_t gen_label(struct gen_code *c);
void gen_place(struct gen_code *c, uint32_t label);
/* ba, be ... */
void gen_jump(struct gen_code *c, enum dif_op op, uint32_t label);
void gen_emit(struct gen_code *c, enum dif_op op, uint32_t r1, uint32_t r2,
	      uint32_t rd, uint64_t imm);
/* The same, into a fresh register, which is returned. */
uint32_t gen_emit_reg(struct gen_code *c, enum dif_op op, uint32_t r1,
		      uint32_t r2, uint64_t imm);
/* A constant in a register; %r0 for 0. */
uint32_t gen_const(struct gen_code *c, uint64_t value);
/* rd = reg, without an instruction where the last one can be aimed at rd. */
void gen_move(struct gen_code *c, uint32_t reg, uint32_t rd);
/* Offset of a string (up to its first NUL) in the table. */
uint32_t gen_string(struct gen_code *c, const char *s, size_t n);
/* Enter a variable into the table; flags: DIF_VF_*. */
void gen_use_var(struct gen_code *c, const char *name, uint32_t id,
		 uint8_t kind, uint8_t scope, struct dif_type type,
		 uint16_t flags);
/* The registers an instruction reads and writes. */
struct gen_operands {
	uint32_t *use[3];
	unsigned nuses;
	uint32_t *def;		/* or NULL */
};
struct gen_operands gen_operands(struct gen_insn *i);

/* Virtual registers become 1..7. */
void gen_regs(struct gen_code *c);
/* To a DIFO in the arena; NULL when it failed. */
const struct dif_difo *gen_finish(struct gen_code *c, struct dif_type rtype);

#endif
