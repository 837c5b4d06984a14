/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Virtual registers to %r1..%r7.
 *
 * Branches only go forward, so a value is live nowhere outside the stretch
 * from its first write to its last read: one interval per register is exact
 * enough, and one walk over the code, giving each register at its first write
 * the lowest machine register that is free, is the whole of linear scan.
 *
 * DIF has no stack.  When no register is free, the value whose interval ends
 * last loses: a constant is made again before each use, anything else is kept
 * in a hidden clause-local, stored behind each write and loaded before each
 * read, into fresh registers that live for one instruction.  Those are never
 * chosen again, each pass that fails takes at least one other register away,
 * and an instruction has at most three operands, so this ends.  Typical
 * expressions need no second pass; operands in the order of order.c make
 * spilling rare even for hundreds of levels.
 *
 * Times are 2i for the reads of instruction i and 2i + 1 for its write, so a
 * result may take the register of an operand that dies there.
 *
 *  1. What is read was written before, in the order of the code; %r0 is never
 *     written.
 *  2. Where all registers are taken, one of them holds something that may lose.
 *  3. When a pass has spilled nothing, each value has a register.
 */
#include <assert.h>
#include <string.h>

#include "gen/code_priv.h"

enum { FIRST = 1, LAST = DIF_NREGS - 1 };

struct interval {
	uint32_t start, end;	/* times; start 0: never written */
	uint32_t ndefs;
	uint32_t def;		/* index of the last write */
	uint32_t slot;		/* hidden clause-local + 1 */
	uint8_t reg;		/* machine register, 0: none yet */
	bool spilled;
};

struct alloc {
	struct gen_code *c;
	struct interval *iv;		/* c->nregs of them */
	uint32_t first_fresh;		/* registers from here on are short */
	uint32_t active[DIF_NREGS];	/* virtual register there, or 0 */
	bool again;
	VEC(struct gen_insn) out;	/* of a rewrite */
	VEC(uint32_t) slot_end;		/* when each new slot is free again */
	uint32_t slot_base;		/* slots of earlier passes */
};

static void
find_intervals(struct alloc *a)
{
	struct gen_code *c = a->c;

	for (uint32_t i = 0; i < c->insns.n; i++) {
		struct gen_operands o = gen_operands(&c->insns.v[i]);
		for (unsigned u = 0; u < o.nuses; u++) {
			struct interval *v = &a->iv[*o.use[u]];
			assert(!*o.use[u] || v->ndefs);			/* 1 */
			v->end = 2 * i;
		}
		if (!o.def)
			continue;
		struct interval *v = &a->iv[*o.def];
		assert(*o.def);						/* 1 */
		if (!v->ndefs++)
			v->start = 2 * i + 1;
		v->end = 2 * i + 1;
		v->def = i;
	}
}

/* Made again rather than kept. */
static bool
is_cheap(const struct alloc *a, const struct interval *v)
{
	unsigned op = a->c->insns.v[v->def].op;

	return v->ndefs == 1 && (op == DIF_OP_SETX || op == DIF_OP_SETS);
}

/* Which of those in registers, and v, ends last. */
static uint32_t
choose_victim(const struct alloc *a, uint32_t v)
{
	uint32_t victim = v < a->first_fresh ? v : 0;

	for (unsigned r = FIRST; r <= LAST; r++) {
		uint32_t w = a->active[r];
		if (w >= a->first_fresh)
			continue;
		if (!victim || a->iv[w].end > a->iv[victim].end)
			victim = w;
	}
	return victim;
}

static void
place(struct alloc *a, uint32_t v, uint32_t now)
{
	for (unsigned r = FIRST; r <= LAST; r++) {
		if (a->active[r] && a->iv[a->active[r]].end >= now)
			continue;
		a->active[r] = v;
		a->iv[v].reg = (uint8_t)r;
		return;
	}

	uint32_t victim = choose_victim(a, v);
	assert(victim);						/* 2 */
	a->again = true;
	a->iv[victim].spilled = true;
	if (victim == v)
		return;
	a->iv[v].reg = a->iv[victim].reg;
	a->active[a->iv[v].reg] = v;
}

static void
scan(struct alloc *a)
{
	struct gen_code *c = a->c;

	memset(a->active, 0, sizeof(a->active));
	a->again = false;
	for (uint32_t i = 0; i < c->insns.n; i++) {
		struct gen_operands o = gen_operands(&c->insns.v[i]);
		if (!o.def)
			continue;
		struct interval *v = &a->iv[*o.def];
		if (!v->reg && !v->spilled)
			place(a, *o.def, 2 * i + 1);
	}
}

/* --- Spilling ----------------------------------------------------------- */

static void
put(struct alloc *a, struct gen_insn i)
{
	gen_had(a->c, vec_push(&a->out, i));
}

/* A hidden clause-local that is free from v's first write on. */
static uint32_t
take_slot(struct alloc *a, struct interval *v)
{
	uint32_t s = 0;

	if (v->slot)
		return v->slot - 1;
	while (s < a->slot_end.n && a->slot_end.v[s] > v->start)
		s++;
	if (s == a->slot_end.n && !gen_had(a->c, vec_push(&a->slot_end, 0)))
		return 0;
	a->slot_end.v[s] = v->end;
	v->slot = a->slot_base + s + 1;
	return v->slot - 1;
}

/* The hidden variable of a spill. */
static uint32_t
spill_var(const struct gen *g, uint32_t slot)
{
	return g->spill_id + g->spill_base + slot;
}

static void
use_slot(struct alloc *a, uint32_t slot, uint16_t flags)
{
	struct gen_code *c = a->c;
	struct dif_type t = { .ckind = DIF_CK_INTEGER, .size = 8 };
	char *name = arena_printf(c->g->a, "%%s%u", slot);

	if (c->nspills <= slot)
		c->nspills = slot + 1;
	if (spill_var(c->g, slot) > UINT16_MAX)
		gen_fail(c, D_NOREG, "Insufficient registers to generate code");
	if (gen_had(c, name))
		gen_use_var(c, name, spill_var(c->g, slot), DIF_VK_SCALAR,
			    DIF_VS_LOCAL, t, flags);
}

static void
reload(struct alloc *a, struct interval *v, uint32_t fresh, uint32_t line)
{
	struct gen_insn i = { .op = DIF_OP_LDLS, .line = line };

	if (is_cheap(a, v)) {
		i = a->c->insns.v[v->def];
	} else {
		uint32_t slot = take_slot(a, v);
		use_slot(a, slot, DIF_VF_REF);
		i.imm = spill_var(a->c->g, slot);
	}
	i.rd = fresh;
	put(a, i);
}

static void
rewrite_uses(struct alloc *a, struct gen_insn *i)
{
	struct gen_operands o = gen_operands(i);
	uint32_t from[3] = { 0 }, to[3] = { 0 };

	for (unsigned u = 0; u < o.nuses; u++) {
		uint32_t v = *o.use[u];
		unsigned k = 0;
		if (!a->iv[v].spilled)
			continue;
		while (k < u && from[k] != v)
			k++;
		if (k == u) {
			from[u] = v;
			to[u] = gen_reg(a->c);
			reload(a, &a->iv[v], to[u], i->line);
		}
		*o.use[u] = to[k];
	}
}

static void
rewrite_insn(struct alloc *a, struct gen_insn i)
{
	struct gen_operands o = gen_operands(&i);
	struct interval *v = o.def ? &a->iv[*o.def] : NULL;

	if (v && v->spilled && is_cheap(a, v))
		return;		/* made again at each use */
	rewrite_uses(a, &i);
	if (!v || !v->spilled) {
		put(a, i);
		return;
	}
	uint32_t slot = take_slot(a, v), fresh = gen_reg(a->c);
	*o.def = fresh;
	put(a, i);
	use_slot(a, slot, DIF_VF_MOD);
	put(a, (struct gen_insn){ .op = DIF_OP_STLS, .rd = fresh,
				  .imm = spill_var(a->c->g, slot),
				  .line = i.line });
}

static void
rewrite(struct alloc *a)
{
	struct gen_code *c = a->c;

	for (size_t i = 0; i < c->insns.n; i++)
		rewrite_insn(a, c->insns.v[i]);
	vec_fini(&c->insns);
	c->insns.v = a->out.v;
	c->insns.n = a->out.n;
	c->insns.cap = a->out.cap;
	a->out.v = NULL;
	a->out.n = a->out.cap = 0;
	a->slot_base = c->nspills;
	a->slot_end.n = 0;
}

/* --- All of it ---------------------------------------------------------- */

static void
apply(struct alloc *a)
{
	struct gen_code *c = a->c;

	for (size_t i = 0; i < c->insns.n; i++) {
		struct gen_operands o = gen_operands(&c->insns.v[i]);
		for (unsigned u = 0; u < o.nuses; u++) {
			uint32_t v = *o.use[u];
			assert(!v || a->iv[v].reg);			/* 3 */
			*o.use[u] = a->iv[v].reg;
		}
		if (o.def) {
			assert(a->iv[*o.def].reg);			/* 3 */
			*o.def = a->iv[*o.def].reg;
		}
	}
}

static bool
pass(struct alloc *a)
{
	util_free(a->iv);
	a->iv = util_zalloc(sizeof(*a->iv) * a->c->nregs);
	if (!gen_had(a->c, a->iv))
		return false;
	find_intervals(a);
	scan(a);
	if (a->again)
		rewrite(a);
	else
		apply(a);
	return a->again && !a->c->failed;
}

void
gen_regs(struct gen_code *c)
{
	struct alloc a = { .c = c, .first_fresh = c->nregs };

	if (c->failed)
		return;
	while (pass(&a))
		;
	util_free(a.iv);
	vec_fini(&a.out);
	vec_fini(&a.slot_end);
}
