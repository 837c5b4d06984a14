/* SPDX-License-Identifier: BSD-2-Clause
 *
 * From .eh_frame to a table.  Each function's description (FDE) is a program for a
 * small machine, which says of each address where the frame is and which registers
 * were saved; it begins where its common part (CIE) ends.  Of that only three
 * registers matter here: the stack pointer, the frame pointer and the return
 * address.
 *
 * Rows that say the same as the one before are left out, and where no function
 * is a row says so; so a table says of every address behind its first row what is
 * to be done.
 */
#include <assert.h>
#include <string.h>

#include "base/base.h"
#include "unwind/reader.h"
#include "unwind/unwind.h"
#include "util/alloc.h"
#include "util/vec.h"

enum { STATES_MAX = 16 };	/* remembered, one in another */

/* Numbers of registers (the psABIs). */
static const struct regs { uint8_t sp, fp, ra, word; } arches[] = {
	[UNWIND_X86_64] = { 7, 6, 16, 8 },
	[UNWIND_AARCH64] = { 31, 29, 30, 8 },
	[UNWIND_I386] = { 4, 5, 8, 4 },
};

/* --- The machine ------------------------------------------------------------------ */

enum cfa_kind { CFA_REG, CFA_DEREF_FP, CFA_DEREF_SP, CFA_AT_SP, CFA_PLT, CFA_OTHER };
enum saved_kind { SAVED_SAME, SAVED_AT, SAVED_UNDEFINED, SAVED_FP_DEREF,
		  SAVED_OTHER };

struct saved {
	uint8_t kind;
	int64_t off;			/* AT: from the CFA */
};

struct state {
	uint8_t cfa;			/* enum cfa_kind */
	uint64_t reg;
	int64_t off;
	struct saved fp, ra;
};

struct cie {
	uint64_t code_align;
	int64_t data_align;
	uint64_t ra;			/* number of the register */
	uint8_t encoding;		/* of addresses in FDEs */
	bool has_z, is_signal;
	struct reader insns;
	/* What these make of nothing, if all that they do is to set rules. */
	bool is_known;
	struct state first;
};

struct making {
	const struct unwind_input *in;
	const struct regs *regs;
	size_t max;
	VEC(struct abi_unwind_row) rows;
	struct unwind_table *t;
	struct err *err;
};

struct machine {
	struct making *m;
	const struct cie *cie;
	struct state now, first;
	struct state kept[STATES_MAX];
	unsigned nkept;
	uint64_t pc, end;		/* of the function */
	bool emits;			/* it is in the FDE */
	size_t nrows;			/* of functions before */
};

/* --- Rows --------------------------------------------------------------------------- */

static void
push(struct making *m, uint64_t pc, uint32_t rule)
{
	uint64_t at = pc - m->in->base;
	struct abi_unwind_row row = { (uint32_t)at, rule };

	if (at > UINT32_MAX || m->err)
		return;
	/* twice: each function may leave a gap behind it */
	if (m->rows.n >= 2 * m->max)
		m->err = err_new(ERR_LIMIT, 0, "a table of more than %zu rows",
				 m->max);
	else if (!vec_push(&m->rows, row))
		m->err = &err_nomem;
}

/* Offsets come from the file: what is out of range wraps, and fits nowhere. */
static int64_t
sum_of(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t
minus(int64_t n)
{
	return (int64_t)(0 - (uint64_t)n);
}

/* In words. */
static bool
fits(const struct making *m, int64_t n, uint64_t max, uint32_t *ret)
{
	int word = m->regs->word;

	if (n < 0 || n % word || (uint64_t)(n / word) > max)
		return false;
	*ret = (uint32_t)(n / word);
	return true;
}

static bool
is_kept(const struct saved *s)
{
	return s->kind == SAVED_SAME || s->kind == SAVED_UNDEFINED;
}

/* Where it is, in words below the CFA, 0: it is kept; false: this cannot be said. */
static bool
saved_words(const struct making *m, const struct saved *s, uint32_t *ret)
{
	*ret = 0;
	if (is_kept(s))
		return true;
	return s->kind == SAVED_AT && fits(m, minus(s->off), ABI_UNWIND_SAVED_MAX, ret) && *ret;
}

/* Is the return address where it is taken to be? */
static bool
ra_is_usual(const struct making *m, const struct state *s)
{
	if (m->in->arch != UNWIND_AARCH64)
		return s->ra.kind == SAVED_AT && s->ra.off == -m->regs->word;
	/* in the link register, or above the frame pointer */
	return is_kept(&s->fp) ? s->ra.kind == SAVED_SAME
			       : s->ra.kind == SAVED_AT && s->fp.kind == SAVED_AT &&
				 s->ra.off == s->fp.off + 8;
}

/* Is it alone on the stack? */
static bool
is_only_ra(const struct making *m, const struct state *s, uint32_t *words)
{
	return m->in->arch == UNWIND_AARCH64 && is_kept(&s->fp) &&
	       s->ra.kind == SAVED_AT && saved_words(m, &s->ra, words) && *words;
}

static bool
make_rule(const struct making *m, const struct state *s, uint32_t *ret)
{
	bool by_sp = s->reg == m->regs->sp, only_ra;
	int word = m->regs->word;
	uint32_t saved, n;

	if (s->ra.kind == SAVED_UNDEFINED) {
		*ret = abi_unwind_rule(ABI_UNWIND_STOP, 0, 0);
		return true;
	}
	if (s->cfa == CFA_DEREF_FP && s->fp.kind == SAVED_FP_DEREF &&
	    fits(m, minus(s->off), ABI_UNWIND_N_MAX, &n) && ra_is_usual(m, s)) {
		*ret = abi_unwind_rule(ABI_UNWIND_FP_DEREF, n, 0);
		return true;
	}
	only_ra = is_only_ra(m, s, &saved);
	if (!only_ra && (!saved_words(m, &s->fp, &saved) || !ra_is_usual(m, s)))
		return false;
	if (s->cfa == CFA_PLT) {
		*ret = abi_unwind_rule(ABI_UNWIND_PLT, (uint32_t)s->off, saved);
		return true;
	}
	if (s->cfa == CFA_DEREF_SP && fits(m, sum_of(s->off, word), ABI_UNWIND_N_MAX, &n)) {
		*ret = abi_unwind_rule(ABI_UNWIND_SP_DEREF, n, saved);
		return true;
	}
	if (s->cfa != CFA_REG || !fits(m, s->off, ABI_UNWIND_N_MAX, &n) ||
	    (!by_sp && s->reg != m->regs->fp))
		return false;
	*ret = abi_unwind_rule(only_ra ? (by_sp ? ABI_UNWIND_SP_RA : ABI_UNWIND_FP_RA)
				       : (by_sp ? ABI_UNWIND_SP : ABI_UNWIND_FP),
			       n, saved);
	return true;
}

/* Where a signal handler returns to.  On i386 there are two, and each says where the
 * stack pointer stands. */
static bool
make_signal(const struct making *m, const struct state *s, uint32_t *ret)
{
	uint32_t n = 0;

	if (m->in->arch == UNWIND_I386 &&
	    (s->cfa != CFA_AT_SP || !fits(m, s->off, ABI_UNWIND_N_MAX, &n)))
		return false;
	*ret = abi_unwind_rule(ABI_UNWIND_SIGNAL, n, 0);
	return true;
}

/* What holds from pc on. */
static void
emit(struct machine *x)
{
	uint32_t rule = abi_unwind_rule(ABI_UNWIND_FRAME, 0, 0);

	if (!x->emits || x->pc >= x->end)
		return;
	if (!(x->cie->is_signal ? make_signal : make_rule)(x->m, &x->now, &rule))
		x->m->t->ninexpressible++;
	struct making *m = x->m;
	if (m->rows.n > x->nrows &&
	    m->rows.v[m->rows.n - 1].pc == (uint32_t)(x->pc - m->in->base))
		m->rows.n--;		/* it was said of no byte */
	push(m, x->pc, rule);
}

/* --- Expressions ------------------------------------------------------------------------ */

enum { OP_DEREF = 0x06, OP_AND = 0x1a, OP_PLUS = 0x22, OP_PLUS_UCONST = 0x23, OP_SHL = 0x24,
       OP_GE = 0x2a, OP_LIT0 = 0x30, OP_BREG0 = 0x70 };

/* The forms that compilers and linkers write. */
static void
cfa_expression(struct machine *x, struct reader e)
{
	const struct regs *regs = x->m->regs;
	uint64_t op = reader_unsigned(&e, 1);
	int64_t off = reader_sleb(&e);
	size_t left = (size_t)(e.end - e.p);

	x->now.cfa = CFA_OTHER;
	if (e.bad)
		return;
	x->now.off = off;
	if (left == 1 && *e.p == OP_DEREF) {
		if (op == (uint64_t)OP_BREG0 + regs->fp)
			x->now.cfa = CFA_DEREF_FP;
		else if (op == (uint64_t)OP_BREG0 + regs->sp)
			x->now.cfa = CFA_AT_SP;
		return;
	}
	/* *(sp + off) + word: hand-written code that has moved the stack pointer */
	if (left == 3 && e.p[0] == OP_DEREF && e.p[1] == OP_PLUS_UCONST &&
	    e.p[2] == regs->word && op == (uint64_t)OP_BREG0 + regs->sp)
		x->now.cfa = CFA_DEREF_SP;
	/* sp + word + (((pc & 15) >= n) << log2(word)) */
	if (op == (uint64_t)OP_BREG0 + regs->sp && off == regs->word && left == 9 &&
	    e.p[0] == OP_BREG0 + regs->ra && e.p[1] == 0 &&
	    e.p[2] == OP_LIT0 + 15 && e.p[3] == OP_AND &&
	    e.p[4] >= OP_LIT0 && e.p[4] < OP_LIT0 + 16 && e.p[5] == OP_GE &&
	    e.p[6] == OP_LIT0 + __builtin_ctz(regs->word) && e.p[7] == OP_SHL && e.p[8] == OP_PLUS) {
		x->now.cfa = CFA_PLT;
		x->now.off = e.p[4] - OP_LIT0;
	}
}

static struct saved
saved_expression(const struct machine *x, struct reader e)
{
	uint64_t op = reader_unsigned(&e, 1);
	int64_t off = reader_sleb(&e);
	bool is_fp = !e.bad && e.p == e.end && off == 0 &&
		     op == (uint64_t)OP_BREG0 + x->m->regs->fp;

	return (struct saved){ is_fp ? SAVED_FP_DEREF : SAVED_OTHER, 0 };
}

/* --- Instructions -------------------------------------------------------------------------- */

static struct saved *
saved_of(struct machine *x, struct state *s, uint64_t reg)
{
	if (reg == x->m->regs->fp)
		return &s->fp;
	return reg == x->cie->ra ? &s->ra : NULL;
}

static void
save(struct machine *x, uint64_t reg, enum saved_kind kind, int64_t off)
{
	struct saved *s = saved_of(x, &x->now, reg);

	if (s)
		*s = (struct saved){ (uint8_t)kind, off };
}

static void
restore(struct machine *x, uint64_t reg)
{
	struct saved *s = saved_of(x, &x->now, reg);

	if (s)
		*s = *saved_of(x, &x->first, reg);
}

static void
advance(struct machine *x, uint64_t delta)
{
	emit(x);
	x->pc += delta * x->cie->code_align;
}

static int64_t
factored(struct machine *x, int64_t n)
{
	return (int64_t)((uint64_t)n * (uint64_t)x->cie->data_align);
}

static void
def_cfa(struct machine *x, uint64_t reg, int64_t off)
{
	x->now.cfa = CFA_REG;
	x->now.reg = reg;
	x->now.off = off;
}

static void
remember(struct machine *x, struct reader *r)
{
	if (x->nkept == STATES_MAX)
		r->bad = true;
	else
		x->kept[x->nkept++] = x->now;
}

static void
recall(struct machine *x, struct reader *r)
{
	if (!x->nkept)
		r->bad = true;
	else
		x->now = x->kept[--x->nkept];
}

static void
expression(struct machine *x, struct reader *r, uint64_t reg, bool is_value)
{
	struct reader e;
	struct saved *s = saved_of(x, &x->now, reg);

	reader_sub(r, reader_uleb(r), &e);
	if (s)
		*s = is_value ? (struct saved){ SAVED_OTHER, 0 }
			      : saved_expression(x, e);
}

/* DW_CFA_* without an operand in its two upper bits. */
enum {
	I_NOP, I_SET_LOC, I_ADVANCE1, I_ADVANCE2, I_ADVANCE4, I_OFFSET_EXT,
	I_RESTORE_EXT, I_UNDEFINED, I_SAME, I_REGISTER, I_REMEMBER, I_RECALL,
	I_DEF_CFA, I_DEF_CFA_REG, I_DEF_CFA_OFF, I_DEF_CFA_EXPR, I_EXPR,
	I_OFFSET_EXT_SF, I_DEF_CFA_SF, I_DEF_CFA_OFF_SF, I_VAL_OFFSET,
	I_VAL_OFFSET_SF, I_VAL_EXPR,
	I_NEGATE_RA_PC = 0x2c, I_NEGATE_RA = 0x2d, I_ARGS_SIZE = 0x2e, I_OFFSET_NEG = 0x2f,
};

static void
insn_of_place(struct machine *x, struct reader *r, uint64_t op)
{
	switch (op) {
	case I_SET_LOC:
		emit(x);
		x->pc = reader_pointer(r, x->cie->encoding, true);
		break;
	case I_ADVANCE1: advance(x, reader_unsigned(r, 1)); break;
	case I_ADVANCE2: advance(x, reader_unsigned(r, 2)); break;
	case I_ADVANCE4: advance(x, reader_unsigned(r, 4)); break;
	}
}

static void
insn_of_cfa(struct machine *x, struct reader *r, uint64_t op)
{
	struct reader e;
	uint64_t reg;

	switch (op) {
	case I_DEF_CFA:
		reg = reader_uleb(r);
		def_cfa(x, reg, (int64_t)reader_uleb(r));
		break;
	case I_DEF_CFA_SF:
		reg = reader_uleb(r);
		def_cfa(x, reg, factored(x, reader_sleb(r)));
		break;
	case I_DEF_CFA_REG:
		def_cfa(x, reader_uleb(r), x->now.off);
		break;
	case I_DEF_CFA_OFF:
		def_cfa(x, x->now.reg, (int64_t)reader_uleb(r));
		break;
	case I_DEF_CFA_OFF_SF:
		def_cfa(x, x->now.reg, factored(x, reader_sleb(r)));
		break;
	case I_DEF_CFA_EXPR:
		reader_sub(r, reader_uleb(r), &e);
		cfa_expression(x, e);
		break;
	}
}

static void
insn_of_register(struct machine *x, struct reader *r, uint64_t op)
{
	uint64_t reg = reader_uleb(r);

	switch (op) {
	case I_OFFSET_EXT:
		save(x, reg, SAVED_AT, factored(x, (int64_t)reader_uleb(r)));
		break;
	case I_OFFSET_EXT_SF:
		save(x, reg, SAVED_AT, factored(x, reader_sleb(r)));
		break;
	case I_OFFSET_NEG:
		save(x, reg, SAVED_AT, minus(factored(x, (int64_t)reader_uleb(r))));
		break;
	case I_RESTORE_EXT: restore(x, reg); break;
	case I_UNDEFINED: save(x, reg, SAVED_UNDEFINED, 0); break;
	case I_SAME: save(x, reg, SAVED_SAME, 0); break;
	case I_EXPR: expression(x, r, reg, false); break;
	case I_VAL_EXPR: expression(x, r, reg, true); break;
	default:		/* register, val_offset, val_offset_sf */
		reader_uleb(r);
		save(x, reg, SAVED_OTHER, 0);
	}
}

static void
insn(struct machine *x, struct reader *r)
{
	uint64_t byte = reader_unsigned(r, 1), low = byte & 0x3f;

	switch (byte >> 6) {
	case 1: advance(x, low); return;
	case 2:
		save(x, low, SAVED_AT, factored(x, (int64_t)reader_uleb(r)));
		return;
	case 3: restore(x, low); return;
	}
	switch (byte) {
	case I_NOP: case I_NEGATE_RA: case I_NEGATE_RA_PC: break;
	case I_ARGS_SIZE: reader_uleb(r); break;
	case I_REMEMBER: remember(x, r); break;
	case I_RECALL: recall(x, r); break;
	case I_SET_LOC: case I_ADVANCE1: case I_ADVANCE2: case I_ADVANCE4:
		insn_of_place(x, r, byte);
		break;
	case I_DEF_CFA: case I_DEF_CFA_REG: case I_DEF_CFA_OFF:
	case I_DEF_CFA_EXPR: case I_DEF_CFA_SF: case I_DEF_CFA_OFF_SF:
		insn_of_cfa(x, r, byte);
		break;
	default:
		if (byte > I_VAL_EXPR && byte != I_OFFSET_NEG)
			r->bad = true;
		else
			insn_of_register(x, r, byte);
	}
}

static void
run(struct machine *x, struct reader *r)
{
	while (r->p < r->end && !r->bad && !x->m->err)
		insn(x, r);
}

static void
machine_init(struct machine *x, struct making *m, const struct cie *c)
{
	x->m = m;
	x->cie = c;
	x->now = (struct state){ .cfa = CFA_OTHER };
	x->first = (struct state){ .cfa = 0 };
	x->nkept = 0;
	x->pc = x->end = 0;
	x->emits = false;
	x->nrows = 0;
}

/* --- CIEs and FDEs ----------------------------------------------------------------------------- */

static void
augmentation(struct reader *r, const char *letters, struct cie *c)
{
	struct reader a;

	if (*letters != 'z') {
		/* "eh" and others have no size that tells what follows. */
		r->bad |= *letters != '\0';
		return;
	}
	c->has_z = true;
	reader_sub(r, reader_uleb(r), &a);
	for (letters++; *letters && !a.bad; letters++) {
		switch (*letters) {
		case 'R': c->encoding = (uint8_t)reader_unsigned(&a, 1); break;
		case 'L': reader_unsigned(&a, 1); break;
		case 'P':
			reader_pointer(&a, (uint8_t)reader_unsigned(&a, 1),
				       false);
			break;
		case 'S': c->is_signal = true; break;
		case 'B': break;	/* addresses are signed with key B */
		default: return;	/* what follows is unknown; its size is
					 * not */
		}
	}
	r->bad |= a.bad;
}

/* All functions begin with what the instructions of their CIE say: those of thousands. */
static void
know_first(struct making *m, struct cie *c)
{
	struct reader r = c->insns;
	struct machine x;

	machine_init(&x, m, c);
	run(&x, &r);
	c->first = x.now;
	c->is_known = !r.bad && !m->err && !x.pc && !x.nkept;
}

/* The CIE whose length stands at `at`. */
static bool
read_cie(struct making *m, uint64_t at, struct cie *c)
{
	const uint8_t *data = m->in->data;
	struct reader r = { data, data, data + m->in->size, m->in->addr, false };
	struct reader body;
	const char *letters;

	*c = (struct cie){ .encoding = EH_ABSPTR };
	if (at > m->in->size)
		return false;
	r.p += at;
	uint64_t size = reader_unsigned(&r, 4);
	if (size == UINT32_MAX)
		size = reader_unsigned(&r, 8);
	reader_sub(&r, size, &body);
	if (reader_unsigned(&body, 4) != 0)	/* it is no CIE */
		return false;
	uint64_t version = reader_unsigned(&body, 1);
	letters = (const char *)body.p;
	const uint8_t *nul = body.bad ? NULL :
		memchr(body.p, 0, (size_t)(body.end - body.p));
	if (!nul || (version != 1 && version != 3))
		return false;
	body.p = nul + 1;
	c->code_align = reader_uleb(&body);
	c->data_align = reader_sleb(&body);
	c->ra = version == 1 ? reader_unsigned(&body, 1) : reader_uleb(&body);
	augmentation(&body, letters, c);
	c->insns = body;
	know_first(m, c);
	return !body.bad;
}

/* Does a function begin here with nothing on the stack but what its call has put
 * there? */
static bool
is_called(const struct making *m, size_t first, uint64_t pc)
{
	unsigned words = m->in->arch != UNWIND_AARCH64;

	if (first >= m->rows.n)
		return false;
	const struct abi_unwind_row *row = &m->rows.v[first];
	return row->pc == pc - m->in->base &&
	       abi_unwind_what(row->rule) == ABI_UNWIND_SP &&
	       abi_unwind_n(row->rule) == words;
}

static bool
read_fde(struct making *m, struct reader *r, const struct cie *c)
{
	struct reader insns = c->insns, rest;
	struct machine x;		/* but for `kept`, which is large */

	machine_init(&x, m, c);

	x.pc = reader_pointer(r, c->encoding, true);
	uint64_t size = reader_pointer(r, c->encoding, false);
	if (c->has_z)
		reader_sub(r, reader_uleb(r), &rest);
	if (r->bad || x.pc < m->in->base || size > UINT32_MAX)
		return false;
	if (!x.pc || !size)	/* what the linker has dropped */
		return true;
	uint64_t start = x.pc;
	x.end = start + size;
	if (c->is_known)
		x.now = c->first;
	else
		run(&x, &insns);
	x.first = x.now;
	x.emits = true;
	x.nrows = m->rows.n;
	run(&x, r);
	emit(&x);
	push(m, x.end, abi_unwind_rule(ABI_UNWIND_FRAME, 0, 0));
	if (m->in->on_function)
		m->in->on_function(m->in->ctx, start, size,
				   is_called(m, x.nrows, start));
	return !insns.bad && !r->bad;
}

/* --- The whole ----------------------------------------------------------------------------------- */

/* Rows of one address: a function that begins there comes before the end of
 * another.  What is known comes last, and stays. */
static uint64_t
order_of(const struct abi_unwind_row *row)
{
	return (uint64_t)row->pc << 1 | (row->rule != 0);
}

enum { DIGIT_BITS = 11, DIGITS = 3, DIGIT_VALUES = 1 << DIGIT_BITS };
_Static_assert(DIGIT_BITS * DIGITS >= 33, "as many bits as an order has");

/* By one digit of their order, from v to `to`; what is equal stays as it is. */
static void
sort_by_digit(const struct abi_unwind_row *v, size_t n, unsigned digit,
	      struct abi_unwind_row *to)
{
	size_t at[DIGIT_VALUES + 1] = { 0 };
	unsigned shift = digit * DIGIT_BITS;

	for (size_t i = 0; i < n; i++)
		at[(order_of(&v[i]) >> shift) % DIGIT_VALUES + 1]++;
	for (size_t i = 1; i < DIGIT_VALUES; i++)
		at[i] += at[i - 1];
	for (size_t i = 0; i < n; i++)
		to[at[(order_of(&v[i]) >> shift) % DIGIT_VALUES]++] = v[i];
}

/* False: out of memory. */
static bool
sort_rows(struct making *m)
{
	struct abi_unwind_row *v = m->rows.v, *other, *t;
	size_t n = m->rows.n, i = 1;

	while (i < n && order_of(&v[i - 1]) <= order_of(&v[i]))
		i++;
	if (i >= n)
		return true;
	other = util_alloc(n * sizeof(*v));
	if (!other)
		return false;
	for (unsigned digit = 0; digit < DIGITS; digit++) {
		sort_by_digit(v, n, digit, other);
		t = v;
		v = other;
		other = t;
	}
	if (v != m->rows.v)
		memcpy(m->rows.v, v, n * sizeof(*v));
	util_free(v == m->rows.v ? other : v);
	return true;
}

static void
sort(struct making *m)
{
	struct abi_unwind_row *v = m->rows.v;
	size_t n = 0;

	if (!sort_rows(m)) {
		m->err = &err_nomem;
		return;
	}
	for (size_t i = 0; i < m->rows.n; i++) {
		if (n && v[n - 1].pc == v[i].pc)
			n--;
		if (n && v[n - 1].rule == v[i].rule)
			continue;
		v[n++] = v[i];
	}
	m->rows.n = n;
}

static void
read_all(struct making *m)
{
	const uint8_t *data = m->in->data;
	struct reader r = { data, data, data + m->in->size, m->in->addr, false };
	uint64_t cie_at = UINT64_MAX;
	struct cie cie;
	bool has_cie = false;

	while (r.p < r.end && !r.bad && !m->err) {
		uint64_t size = reader_unsigned(&r, 4);
		struct reader body;
		if (!size)		/* the end, in the middle of some */
			continue;
		if (size == UINT32_MAX)
			size = reader_unsigned(&r, 8);
		reader_sub(&r, size, &body);
		uint64_t at = (uint64_t)(body.p - data);
		uint64_t back = reader_unsigned(&body, 4);
		if (!back || body.bad)
			continue;	/* a CIE is read when an FDE needs it */
		if (cie_at != at - back) {
			cie_at = at - back;
			has_cie = back <= at && read_cie(m, cie_at, &cie);
		}
		m->t->nbad_fdes += !has_cie || !read_fde(m, &body, &cie);
	}
	if (r.bad && !m->err && !m->rows.n)
		m->err = err_new(ERR_FORMAT, 0, "its .eh_frame makes no sense");
}

/* An entry of a PLT jumps with all as its caller has left it.  The first one, where no
 * function has been looked for yet, keeps the link register on the stack. */
static void
add_plt(struct making *m)
{
	enum { FIRST_SIZE = 32, NEAR = 12 };
	static const uint8_t keeps[] = { 0xf0, 0x7b, 0xbf, 0xa9 };
						/* stp x16, x30, [sp, #-16]! */
	const uint32_t called = abi_unwind_rule(ABI_UNWIND_SP, 0, 0);
	const uint8_t *code = m->in->plt;
	uint64_t at = m->in->plt_addr;

	if (m->in->plt_size < FIRST_SIZE)
		return;
	push(m, at, called);
	for (size_t i = 0; i < NEAR; i += sizeof(keeps))
		if (!memcmp(code + i, keeps, sizeof(keeps))) {
			push(m, at + i + sizeof(keeps),
			     abi_unwind_rule(ABI_UNWIND_SP_RA, 2, 1));
			push(m, at + FIRST_SIZE, called);
			break;
		}
	push(m, at + m->in->plt_size, abi_unwind_rule(ABI_UNWIND_FRAME, 0, 0));
}

/* Where a signal's handler returns to: mov x8, #__NR_rt_sigreturn; svc #0.  The kernel's
 * has nothing in .eh_frame, so as to be known by this, and a nop in front, for who looks
 * at the byte before the address. */
static void
add_signal(struct making *m)
{
	static const uint8_t returns[] = { 0x68, 0x11, 0x80, 0xd2, 1, 0, 0, 0xd4 };
	const uint8_t *code = m->in->text;

	for (size_t i = 4; i + sizeof(returns) <= m->in->text_size; i += 4) {
		if (memcmp(code + i, returns, sizeof(returns)))
			continue;
		push(m, m->in->text_addr + i - 4, abi_unwind_rule(ABI_UNWIND_SIGNAL, 0, 0));
		push(m, m->in->text_addr + i + sizeof(returns),
		     abi_unwind_rule(ABI_UNWIND_FRAME, 0, 0));
	}
}

struct err *
unwind_table_make(const struct unwind_input *in, size_t max,
		  struct unwind_table *ret)
{
	struct making m = { .in = in, .regs = &arches[in->arch], .max = max,
			    .t = ret };

	*ret = (struct unwind_table){ .rows = NULL };
	read_all(&m);
	if (!m.err && in->plt && in->arch == UNWIND_AARCH64)
		add_plt(&m);
	if (!m.err && in->text && in->arch == UNWIND_AARCH64)
		add_signal(&m);
	if (!m.err) {
		sort(&m);
		if (m.rows.n > max)
			m.err = err_new(ERR_LIMIT, 0, "a table of %zu rows, more "
					"than %zu", m.rows.n, max);
	}
	if (m.err) {
		vec_fini(&m.rows);
		return m.err;
	}
	ret->rows = m.rows.v;
	ret->n = m.rows.n;
	return NULL;
}

void
unwind_table_fini(struct unwind_table *t)
{
	util_free(t->rows);
	*t = (struct unwind_table){ .rows = NULL };
}

uint32_t
unwind_table_find(const struct unwind_table *t, uint32_t pc)
{
	size_t n = BASE_HOW_MANY(i, t->n, t->rows[i].pc <= pc);

	return n ? t->rows[n - 1].rule
		 : abi_unwind_rule(ABI_UNWIND_FRAME, 0, 0);
}
