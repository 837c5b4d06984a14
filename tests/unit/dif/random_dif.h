/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Random DIFOs that the verifier must accept.  First every register and the
 * condition codes get a value; then come blocks, each of which leaves the
 * tuple stack empty; branches go to the start of a later block.
 */
#ifndef TESTS_RANDOM_DIF_H
#define TESTS_RANDOM_DIF_H

#include <string.h>

#include "dif/dif.h"

#define R(op, a, b, d) DIF_FMT_R(DIF_OP_##op, a, b, d)
#define W(op, index, d) DIF_FMT_W(DIF_OP_##op, index, d)
#define B(op, label) DIF_FMT_B(DIF_OP_##op, label)

/* Offsets in the string table of the fixture. */
enum { S_EMPTY = 0, S_X = 1, S_T = 3, S_L = 5, S_A = 7, S_TA = 9, S_S = 12,
       S_HELLO = 14, S_QUOTE = 20 };
static const char rdif_strs[] =
	"\0x\0t\0l\0a\0ta\0s\0hello\0\"\\\n\x7f\xff";

enum { V_X = 0x500, V_T = 0x501, V_L = 0x502, V_A = 0x503, V_TA = 0x504,
       V_S = 0x505 };

#define RDIF_INT8 { DIF_TYPE_CTF, DIF_CK_INTEGER, 0, 0, 8 }
#define RDIF_INT4 { DIF_TYPE_CTF, DIF_CK_INTEGER, 0, 0, 4 }
#define RDIF_STR { DIF_TYPE_STRING, DIF_CK_UNKNOWN, DIF_TF_BYREF, 0, 256 }

static const struct dif_var rdif_vars[] = {
	{ S_X, V_X, DIF_VK_SCALAR, DIF_VS_GLOBAL, 3, RDIF_INT4 },
	{ S_T, V_T, DIF_VK_SCALAR, DIF_VS_THREAD, 1, RDIF_INT8 },
	{ S_L, V_L, DIF_VK_SCALAR, DIF_VS_LOCAL, 2, RDIF_INT8 },
	{ S_A, V_A, DIF_VK_ARRAY, DIF_VS_GLOBAL, 3, RDIF_INT8 },
	{ S_TA, V_TA, DIF_VK_ARRAY, DIF_VS_THREAD, 3, RDIF_STR },
	{ S_S, V_S, DIF_VK_SCALAR, DIF_VS_GLOBAL, 0, RDIF_STR },
};
static const uint64_t rdif_ints[] = {
	0, 1, UINT64_MAX, 1ULL << 63, 0x1234567890abcdefULL, 64,
};

enum { RDIF_MAX = 1024 };

struct rdif {
	uint64_t seed;
	uint32_t text[RDIF_MAX], lines[RDIF_MAX];
	uint32_t n;
	uint32_t starts[RDIF_MAX];	/* of blocks */
	uint32_t nstarts;
	struct dif_difo d;
};

/* A DIFO of these words over the tables of the fixture. */
static inline struct dif_difo
rdif_fixture(const uint32_t *text, uint32_t n)
{
	return (struct dif_difo){
		.text = text, .ntext = n,
		.ints = rdif_ints, .nints = BASE_NELEMS(rdif_ints),
		.strs = rdif_strs, .strs_size = sizeof(rdif_strs),
		.vars = rdif_vars, .nvars = BASE_NELEMS(rdif_vars),
		.rtype = RDIF_INT8,
	};
}

static inline uint32_t
rdif_below(struct rdif *r, uint32_t n)
{
	r->seed = r->seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (uint32_t)(r->seed >> 33) % n;
}

static inline void
rdif_emit(struct rdif *r, uint32_t w)
{
	r->lines[r->n] = r->n / 7 + 1;
	r->text[r->n++] = w;
}

/* A register that may be written, or (from 0) read. */
static inline uint32_t
rdif_reg(struct rdif *r, unsigned from)
{
	return from + rdif_below(r, DIF_NREGS - from);
}

static inline void
rdif_call(struct rdif *r)
{
	static const uint8_t subrs[] = {
#define SUBR(NAME, name, no, ...) no,
#include "dif/subrs.def"
#undef SUBR
	};
	unsigned subr = subrs[rdif_below(r, BASE_NELEMS(subrs))];
	const char *args = dif_subr_info(subr)->args;

	rdif_emit(r, R(FLUSHTS, 0, 0, 0));
	for (; *args; args++) {
		if (*args == '|' && rdif_below(r, 2))
			break;
		if (dif_is_string(*args))
			rdif_emit(r, R(PUSHTR, DIF_PUSH_STRING, rdif_reg(r, 0),
				       rdif_reg(r, 0)));
		else if (*args != '|')
			rdif_emit(r, R(PUSHTV, DIF_PUSH_INT, rdif_reg(r, 0),
				       rdif_reg(r, 0)));
	}
	rdif_emit(r, W(CALL, subr, rdif_reg(r, 1)));
	rdif_emit(r, R(FLUSHTS, 0, 0, 0));
}

static inline void
rdif_array(struct rdif *r)
{
	unsigned n = 1 + rdif_below(r, 3);
	uint32_t d = rdif_reg(r, 1);

	for (unsigned i = 0; i < n; i++)
		rdif_emit(r, R(PUSHTV, DIF_PUSH_INT, 0, rdif_reg(r, 0)));
	switch (rdif_below(r, 5)) {
	case 0: rdif_emit(r, W(LDGAA, V_A, d)); break;
	case 1: rdif_emit(r, W(STGAA, V_A, d)); break;
	case 2: rdif_emit(r, W(LDTAA, V_TA, d)); break;
	case 3: rdif_emit(r, W(STTAA, V_TA, d)); break;
	case 4:
		rdif_emit(r, W(ADDGAA, V_A, d));
		if (d & 1)
			rdif_emit(r, W(OLDGAA, V_A, d));
		break;
	}
	for (unsigned i = 0; i < n; i++)
		rdif_emit(r, R(POPTS, 0, 0, 0));
}

/* One instruction that touches neither branches nor the tuple stack. */
static inline void
rdif_plain(struct rdif *r)
{
	static const uint8_t rows[] = {
#define OP(NAME, name, no, fmt) no,
#include "dif/ops.def"
#undef OP
	};
	unsigned op = rows[rdif_below(r, BASE_NELEMS(rows))];
	uint32_t a = rdif_reg(r, 0), b = rdif_reg(r, 0), d = rdif_reg(r, 1);
	static const uint32_t strs[] = { S_EMPTY, S_HELLO, S_QUOTE, S_TA };

	switch (dif_op_info(op)->fmt) {
	case DIF_FMT_R_:
		if (op != DIF_OP_XLATE && op != DIF_OP_XLARG)
			rdif_emit(r, DIF_FMT_R(op, a, b, d));
		break;
	case DIF_FMT_R2_: case DIF_FMT_LD_: case DIF_FMT_ST_:
		rdif_emit(r, DIF_FMT_R(op, a, 0, d));
		break;
	case DIF_FMT_CMP_: rdif_emit(r, DIF_FMT_R(op, a, b, 0)); break;
	case DIF_FMT_TST_: rdif_emit(r, DIF_FMT_R(op, a, 0, 0)); break;
	case DIF_FMT_W_INT_:
		rdif_emit(r, DIF_FMT_W(op, a % BASE_NELEMS(rdif_ints), d));
		break;
	case DIF_FMT_W_STR_:
		rdif_emit(r, DIF_FMT_W(op, strs[a % 4], d));
		break;
	default: break;
	}
	switch (op) {
	case DIF_OP_NOP: rdif_emit(r, R(NOP, 0, 0, 0)); break;
	case DIF_OP_LDGA: rdif_emit(r, R(LDGA, DIF_VAR_ARGS, b, d)); break;
	case DIF_OP_LDGS:
		rdif_emit(r, W(LDGS, a & 1 ? V_X : DIF_VAR_EXECNAME, d));
		break;
	case DIF_OP_STGS: rdif_emit(r, W(STGS, a & 1 ? V_X : V_S, d)); break;
	case DIF_OP_ADDGS: case DIF_OP_OLDGS:
		rdif_emit(r, W(ADDGS, V_X, b));
		if (op == DIF_OP_OLDGS)
			rdif_emit(r, W(OLDGS, V_X, d));
		break;
	case DIF_OP_LDTS: case DIF_OP_STTS:
		rdif_emit(r, DIF_FMT_W(op, V_T, d));
		break;
	case DIF_OP_LDLS: case DIF_OP_STLS:
		rdif_emit(r, DIF_FMT_W(op, V_L, d));
		break;
	}
}

/* A branch to a block that is numbered later; patched at the end. */
static inline void
rdif_branch(struct rdif *r)
{
	unsigned op = DIF_OP_BA + rdif_below(r, DIF_OP_BLEU - DIF_OP_BA + 1);

	rdif_emit(r, DIF_FMT_B(op, 0));
}

static inline void
rdif_patch(struct rdif *r)
{
	uint32_t next = 0;	/* the first block behind pc */

	for (uint32_t pc = 0; pc < r->n; pc++) {
		while (next < r->nstarts && r->starts[next] <= pc)
			next++;
		if (dif_insn_is_branch(r->text[pc]))
			r->text[pc] |= r->starts[next + rdif_below(r,
						BASE_MIN(r->nstarts - next, 9))];
	}
}

/* Fill r; r->d is the DIFO, with or without lines. */
static inline void
rdif_make(struct rdif *r, uint64_t seed, unsigned nblocks)
{
	*r = (struct rdif){ .seed = seed };
	for (unsigned reg = 1; reg < DIF_NREGS; reg++)
		rdif_emit(r, W(SETX, reg % BASE_NELEMS(rdif_ints), reg));
	rdif_emit(r, R(CMP, 1, 2, 0));
	for (unsigned i = 0; i < nblocks && r->n < RDIF_MAX - 32; i++) {
		r->starts[r->nstarts++] = r->n;
		switch (rdif_below(r, 8)) {
		case 0: rdif_call(r); break;
		case 1: rdif_array(r); break;
		case 2: rdif_branch(r); break;
		case 3:
			if (rdif_below(r, 8) == 0)
				rdif_emit(r, R(RET, 0, 0, rdif_reg(r, 0)));
			break;
		default: rdif_plain(r); break;
		}
	}
	r->starts[r->nstarts++] = r->n;
	rdif_emit(r, R(RET, 0, 0, rdif_reg(r, 0)));
	rdif_patch(r);
	r->d = rdif_fixture(r->text, r->n);
	r->d.lines = seed & 1 ? r->lines : NULL;
}

#endif
