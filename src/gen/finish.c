/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Code over machine registers to a DIFO: labels become instruction numbers,
 * constants go to the integer table, everything moves to the arena.  What
 * comes out has passed dif_verify(); a refusal is our bug, except for sizes,
 * which are checked here first.
 */
#include <assert.h>
#include <string.h>

#include "gen/code_priv.h"

enum { MAX_TEXT = 65536, MAX_INTS = 65536 };

struct finish {
	struct gen_code *c;
	uint32_t *at;		/* of each label: instruction number */
	struct hash ints_seen;	/* value -> index + 1 */
	VEC(uint64_t) ints;
};

/* Nobody looks at the tuple stack behind the last instruction. */
static bool
is_dropped(const struct gen_insn *i)
{
	return i->op == GEN_LABEL || (i->op == DIF_OP_MOV && i->r1 == i->rd) ||
	       (i->op == DIF_OP_FLUSHTS && i[1].op == DIF_OP_RET);
}

/* The number of words; f->at filled. */
static uint32_t
place_labels(struct finish *f)
{
	uint32_t pc = 0;

	for (size_t i = 0; i < f->c->insns.n; i++) {
		const struct gen_insn *insn = &f->c->insns.v[i];
		if (insn->op == GEN_LABEL)
			f->at[insn->imm] = pc;
		pc += !is_dropped(insn);
	}
	return pc;
}

static uint32_t
int_index(struct finish *f, uint64_t value)
{
	void **seen = hash_ref(&f->ints_seen, &value, sizeof(value));

	if (seen && !*seen && f->ints.n < MAX_INTS &&
	    vec_push(&f->ints, value))
		*seen = (void *)(uintptr_t)f->ints.n;
	if (!gen_had(f->c, seen && *seen))
		return 0;
	return (uint32_t)(uintptr_t)*seen - 1;
}

static uint32_t
encode(struct finish *f, const struct gen_insn *i)
{
	switch (dif_op_info(i->op)->fmt) {
	case DIF_FMT_B_:
		return DIF_FMT_B(i->op, f->at[i->imm]);
	case DIF_FMT_W_INT_:
		return DIF_FMT_W(i->op, int_index(f, i->imm), i->rd);
	case DIF_FMT_W_STR_:
	case DIF_FMT_W_VAR_:
	case DIF_FMT_W_VARST_:
	case DIF_FMT_W_SUBR_:
	case DIF_FMT_W_FUNC_:
		return DIF_FMT_W(i->op, i->imm, i->rd);
	case DIF_FMT_A_:
		return DIF_FMT_R(i->op, i->imm, i->r2, i->rd);
	case DIF_FMT_PUSH_:
		return DIF_FMT_R(i->op, i->op == DIF_OP_PUSHTR ?
				 DIF_PUSH_STRING : DIF_PUSH_INT, i->r2, i->rd);
	default:
		return DIF_FMT_R(i->op, i->r1, i->r2, i->rd);
	}
}

static bool
write_text(struct finish *f, struct dif_difo *d)
{
	uint32_t *text = ARENA_ARRAY(f->c->g->a, uint32_t, d->ntext);
	uint32_t *lines = ARENA_ARRAY(f->c->g->a, uint32_t, d->ntext);
	uint32_t pc = 0;

	if (!text || !lines)
		return false;
	for (size_t i = 0; i < f->c->insns.n; i++) {
		const struct gen_insn *insn = &f->c->insns.v[i];
		if (is_dropped(insn))
			continue;
		text[pc] = encode(f, insn);
		lines[pc++] = insn->line;
	}
	assert(pc == d->ntext);
	d->text = text;
	d->lines = lines;
	return !f->c->failed;
}

static bool
write_tables(struct finish *f, struct dif_difo *d)
{
	struct gen_code *c = f->c;

	d->nints = (uint32_t)f->ints.n;
	d->ints = arena_memdup(c->g->a, f->ints.v,
			       f->ints.n * sizeof(uint64_t));
	d->strs_size = (uint32_t)c->strs.n;
	d->strs = arena_memdup(c->g->a, c->strs.v, c->strs.n);
	d->nvars = (uint32_t)c->vars.n;
	d->vars = arena_memdup(c->g->a, c->vars.v,
			       c->vars.n * sizeof(struct dif_var));
	return d->ints && d->strs && d->vars;
}

static bool
is_sound(const struct dif_difo *d, struct gen_code *c)
{
	char text[160];
	struct base_buf err;

	base_buf_init(&err, text, sizeof(text));
	if (dif_verify(d, &err))
		return true;
	gen_fail(c, D_UNKNOWN, "the compiler made code that does not verify: "
		 "%s", text);
	return false;
}

static bool
build(struct finish *f, struct dif_difo *d)
{
	d->ntext = place_labels(f);
	if (d->ntext > MAX_TEXT) {
		gen_fail(f->c, D_CG_EXPR, "expression is too large to compile");
		return false;
	}
	return gen_had(f->c, write_text(f, d) && write_tables(f, d)) &&
	       is_sound(d, f->c);
}

const struct dif_difo *
gen_finish(struct gen_code *c, struct dif_type rtype)
{
	struct finish f = { .c = c };
	struct dif_difo *d = ARENA_NEW(c->g->a, struct dif_difo);
	bool ok = false;

	f.at = util_zalloc(sizeof(*f.at) * (c->labels.n + 1));
	if (gen_had(c, d && f.at) && !c->failed) {
		assert(!c->nopen);		/* all labels were placed */
		d->rtype = rtype;
		ok = build(&f, d);
	}
	c->g->nspills = BASE_MAX(c->g->nspills,
				 c->g->spill_base + c->nspills);
	util_free(f.at);
	vec_fini(&f.ints);
	hash_fini(&f.ints_seen);
	return ok ? d : NULL;
}
