/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Building code: instructions over virtual registers, labels, the string and
 * variable tables of one DIFO.  Nothing here looks at the tree.
 *
 *  1. Virtual register 0 is %r0; a fresh one is never reused.  A register may
 *     be written in several places (the arms of ?:), but where it is first
 *     written comes before every read, in the order of the code.
 *  2. A label is placed once, behind every jump to it.
 *  3. After a failure instructions still go in, so that callers need not
 *     check; gen_finish() then yields NULL.  Growth stops at MAX_INSNS.
 */
#include <assert.h>
#include <string.h>

#include "gen/code_priv.h"

enum {
	/* Twice what a DIFO may have: spilling is yet to come, and labels
	 * vanish. */
	MAX_INSNS = 131072,
	MAX_STRS = 65536,
	/* dif_verify() takes 512 different targets. */
	MAX_OPEN = 400,
};

enum gen_label_state { LABEL_NEW, LABEL_USED, LABEL_PLACED };

bool
gen_code_init(struct gen_code *c, struct gen *g, struct lang_span span)
{
	memset(c, 0, sizeof(*c));
	c->g = g;
	c->span = span;
	c->nregs = 1;
	gen_string(c, "", 0);
	return !c->failed;
}

void
gen_code_fini(struct gen_code *c)
{
	vec_fini(&c->insns);
	vec_fini(&c->strs);
	vec_fini(&c->vars);
	vec_fini(&c->labels);
	hash_fini(&c->strs_seen);
}

void
gen_fail(struct gen_code *c, enum diag_tag tag, const char *fmt, ...)
{
	if (!c->failed) {
		va_list ap;

		va_start(ap, fmt);
		char *text = arena_vprintf(c->g->a, fmt, ap);
		va_end(ap);
		diag(c->g->d, tag, c->span, "%s",
		     text ? text : "out of memory");
	}
	c->failed = true;
	c->g->failed = true;
}

bool
gen_had(struct gen_code *c, bool had)
{
	c->failed |= !had;
	c->g->failed |= !had;
	return had;
}

uint32_t
gen_reg(struct gen_code *c)
{
	return c->nregs++;
}

static void
append(struct gen_code *c, struct gen_insn i)
{
	if (c->insns.n >= MAX_INSNS) {
		gen_fail(c, D_CG_EXPR, "expression is too large to compile");
		return;
	}
	i.line = c->line;
	gen_had(c, vec_push(&c->insns, i));
}

void
gen_emit(struct gen_code *c, enum dif_op op, uint32_t r1, uint32_t r2,
	 uint32_t rd, uint64_t imm)
{
	assert(r1 < c->nregs && r2 < c->nregs && rd < c->nregs);	/* 1 */
	append(c, (struct gen_insn){ .op = (uint8_t)op, .r1 = r1, .r2 = r2,
				     .rd = rd, .imm = imm });
}

uint32_t
gen_emit_reg(struct gen_code *c, enum dif_op op, uint32_t r1, uint32_t r2,
	     uint64_t imm)
{
	uint32_t rd = gen_reg(c);

	gen_emit(c, op, r1, r2, rd, imm);
	return rd;
}

uint32_t
gen_const(struct gen_code *c, uint64_t value)
{
	return value ? gen_emit_reg(c, DIF_OP_SETX, 0, 0, value) : 0;
}

void
gen_move(struct gen_code *c, uint32_t reg, uint32_t rd)
{
	if (reg == rd)
		return;
	/* The last instruction made it, so nobody else has seen it. */
	if (c->insns.n && reg == c->nregs - 1) {
		struct gen_operands o =
			gen_operands(&c->insns.v[c->insns.n - 1]);
		if (o.def && *o.def == reg) {
			*o.def = rd;
			return;
		}
	}
	gen_emit(c, DIF_OP_MOV, reg, 0, rd, 0);
}

/* --- Labels ------------------------------------------------------------- */

uint32_t
gen_label(struct gen_code *c)
{
	if (!gen_had(c, vec_push(&c->labels, LABEL_NEW)))
		return UINT32_MAX;	/* none: 0 may be somebody's */
	return (uint32_t)c->labels.n - 1;
}

void
gen_jump(struct gen_code *c, enum dif_op op, uint32_t label)
{
	gen_emit(c, op, 0, 0, 0, label);
	if (label >= c->labels.n)
		return;
	assert(c->labels.v[label] != LABEL_PLACED);		/* 2 */
	if (c->labels.v[label] == LABEL_USED)
		return;
	c->labels.v[label] = LABEL_USED;
	if (++c->nopen > MAX_OPEN)
		gen_fail(c, D_CG_EXPR,
			 "conditional expressions are nested too deeply");
}

void
gen_place(struct gen_code *c, uint32_t label)
{
	append(c, (struct gen_insn){ .op = GEN_LABEL, .imm = label });
	if (label >= c->labels.n)
		return;
	assert(c->labels.v[label] != LABEL_PLACED);		/* 2 */
	if (c->labels.v[label] == LABEL_USED)
		c->nopen--;
	c->labels.v[label] = LABEL_PLACED;
}

/* --- Tables ------------------------------------------------------------- */

uint32_t
gen_string(struct gen_code *c, const char *s, size_t n)
{
	uint32_t off = (uint32_t)c->strs.n;

	n = strnlen(s, n);
	void **seen = hash_ref(&c->strs_seen, s, n);
	if (!gen_had(c, seen))
		return 0;
	if (*seen)
		return (uint32_t)(uintptr_t)*seen - 1;
	if (n + 1 > MAX_STRS - c->strs.n) {
		gen_fail(c, D_CG_EXPR, "the string constants of this "
			 "expression take more than %d bytes", MAX_STRS);
		return 0;
	}
	if (!gen_had(c, vec_reserve(&c->strs, n + 1)))
		return 0;
	memcpy(&c->strs.v[off], s, n);
	c->strs.v[off + n] = '\0';
	c->strs.n += n + 1;
	*seen = (void *)(uintptr_t)(off + 1);
	return off;
}

void
gen_use_var(struct gen_code *c, const char *name, uint32_t id, uint8_t kind,
	    uint8_t scope, struct dif_type type, uint16_t flags)
{
	for (size_t i = 0; i < c->vars.n; i++) {
		struct dif_var *v = &c->vars.v[i];
		if (v->id == id && v->scope == scope) {
			v->flags |= flags;
			return;
		}
	}
	struct dif_var v = {
		.name = gen_string(c, name, strlen(name)), .id = id,
		.kind = kind, .scope = scope, .flags = flags, .type = type,
	};
	gen_had(c, vec_push(&c->vars, v));
}

/* --- Operands ----------------------------------------------------------- */

enum { U1 = 1, U2 = 2, UD = 4, DD = 8 };	/* uses r1 r2 rd; defines rd */

static const uint8_t by_format[] = {
	[DIF_FMT_R_] = U1 | U2 | DD,	[DIF_FMT_R2_] = U1 | DD,
	[DIF_FMT_CMP_] = U1 | U2,	[DIF_FMT_TST_] = U1,
	[DIF_FMT_LD_] = U1 | DD,	[DIF_FMT_ST_] = U1 | UD,
	[DIF_FMT_W_INT_] = DD,		[DIF_FMT_W_STR_] = DD,
	[DIF_FMT_W_VAR_] = DD,		[DIF_FMT_W_VARST_] = UD,
	[DIF_FMT_W_SUBR_] = DD,		[DIF_FMT_A_] = U2 | DD,
	[DIF_FMT_PUSH_] = U2 | UD,	[DIF_FMT_RET_] = UD,
	[DIF_FMT_B_] = 0,		[DIF_FMT_NONE_] = 0,
	[DIF_FMT_W_FUNC_] = 0,
};

struct gen_operands
gen_operands(struct gen_insn *i)
{
	struct gen_operands o = { .nuses = 0 };
	const struct dif_opinfo *info = dif_op_info(i->op);
	unsigned what = 0;

	if (i->op == DIF_OP_COPYS)
		what = U1 | U2 | UD;
	else if (info)		/* not GEN_LABEL */
		what = by_format[info->fmt];
	if (what & U1)
		o.use[o.nuses++] = &i->r1;
	if (what & U2)
		o.use[o.nuses++] = &i->r2;
	if (what & UD)
		o.use[o.nuses++] = &i->rd;
	if (what & DD)
		o.def = &i->rd;
	return o;
}
