/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Code of arm64: instructions of four bytes (Arm Architecture Reference Manual, C4).
 * The kernel does itself what depends on where it stands, branches and adr, steps over
 * the rest elsewhere, and refuses what would be something else there (literals, exclusive
 * loads and stores, what checks a signature); entries stay where they are.  It does not
 * refuse what stands between an exclusive load and its store, which then would fail
 * however often the loop around them tries again.
 */
#if defined(__aarch64__) || defined(INSN_TEST_ARM64)
#include <string.h>

#include "base/base.h"
#include "insn/insn.h"

enum {
	DONE = 1,	/* by the kernel itself */
	REFUSED = 2,	/* by the kernel */
	BY_REG = 4,	/* to where a register says, bits 5 to 9 */
};

/* The first row counts whose value is that of the bits of the mask.  Of `from` and `n`:
 * the bits that say how many instructions it jumps. */
static const struct row {
	uint32_t mask, value;
	uint8_t kind, from, n, flags;
} rows[] = {
	{ 0xfc000000, 0x14000000, INSN_JUMP, 0, 26, DONE },		/* b */
	{ 0xfc000000, 0x94000000, INSN_CALL, 0, 26, DONE },		/* bl */
	{ 0xff000010, 0x54000000, INSN_BRANCH, 5, 19, DONE },		/* b.cond */
	{ 0xff000010, 0x54000010, INSN_BRANCH, 5, 19, REFUSED },	/* bc.cond */
	{ 0x7e000000, 0x34000000, INSN_BRANCH, 5, 19, DONE },		/* cbz */
	{ 0x7e000000, 0x36000000, INSN_BRANCH, 5, 14, DONE },		/* tbz */
	{ 0xfffffc1f, 0xd65f0000, INSN_RETURN, 0, 0, DONE },		/* ret */
	{ 0xfffffbff, 0xd65f0bff, INSN_RETURN, 0, 0, REFUSED },		/* retaa */
	{ 0xfffffc1f, 0xd61f0000, INSN_AWAY, 0, 0, DONE | BY_REG },	/* br */
	{ 0xfefff800, 0xd61f0800, INSN_AWAY, 0, 0, REFUSED | BY_REG },	/* braa */
	{ 0xfffffc1f, 0xd63f0000, INSN_CALL, 0, 0, DONE },		/* blr */
	{ 0xfefff800, 0xd63f0800, INSN_CALL, 0, 0, REFUSED },		/* blraa */
	{ 0x1f000000, 0x10000000, INSN_PLAIN, 0, 0, DONE },		/* adr, adrp */
	{ 0x3b000000, 0x18000000, INSN_PLAIN, 0, 0, REFUSED },		/* ldr of a literal;
		* of vectors it is not refused, and would load another one */
	{ 0x3f800000, 0x08000000, INSN_PLAIN, 0, 0, REFUSED },		/* ldxr, stxr, casp */
	{ 0xff000000, 0xd4000000, INSN_PLAIN, 0, 0, REFUSED },		/* svc, brk, hlt */
	/* Hints: nop, and what signs or may be jumped to; not what waits or checks. */
	{ 0xffffffff, 0xd503201f, INSN_PLAIN, 0, 0, 0 },		/* nop */
	{ 0xffffff3f, 0xd503241f, INSN_PLAIN, 0, 0, 0 },		/* bti */
	{ 0xffffffbf, 0xd503231f, INSN_PLAIN, 0, 0, 0 },		/* paciaz, pacibz */
	{ 0xffffffbf, 0xd503233f, INSN_PLAIN, 0, 0, 0 },		/* paciasp, pacibsp */
	{ 0xffffffbf, 0xd503211f, INSN_PLAIN, 0, 0, 0 },		/* pacia1716 */
	{ 0xffffffff, 0xd50320ff, INSN_PLAIN, 0, 0, 0 },		/* xpaclri */
	{ 0xfffff01f, 0xd503201f, INSN_PLAIN, 0, 0, REFUSED },		/* other hints */
	{ 0xfff00000, 0xd5100000, INSN_PLAIN, 0, 0, REFUSED },		/* msr */
	{ 0xfff8f01f, 0xd500401f, INSN_PLAIN, 0, 0, REFUSED },		/* msr of a number, cfinv */
};

/* --- Jumps by a register ---------------------------------------------------------- */

/* Registers that calls leave as they are. */
static const uint32_t KEPT_BY_CALLS = 0x3ff80000;

/* What writes a register of 64 bits, bits 0 to 4: a place that was computed, or what a
 * table has (as jumps inside a function have); a pointer that somebody stored; what
 * another register has, bits 16 to 20. */
static const struct write {
	uint32_t mask, value;
	enum { COMPUTED, LOADED, COPIED } what;
} writes[] = {
	{ 0x1f000000, 0x10000000, COMPUTED },	/* adr, adrp */
	{ 0xff200000, 0x8b200000, COMPUTED },	/* add, of an extended register */
	{ 0xff200000, 0x8b000000, COMPUTED },	/* add, of one that is shifted */
	{ 0xff800000, 0x91000000, COMPUTED },	/* add, of a number */
	{ 0xffe00c00, 0xf8600800, COMPUTED },	/* ldr, with an index */
	{ 0xffc00000, 0xf9400000, LOADED },	/* ldr */
	{ 0xffe00000, 0xf8400000, LOADED },	/* ldr, and the base moves; ldur */
	{ 0xffe0ffe0, 0xaa0003e0, COPIED },	/* mov */
};

/* What is known of the code so far. */
struct known {
	uint32_t computed;	/* registers that may hold an address that a table told:
				 * bit by number */
	unsigned exclusive;	/* instructions among which a store that belongs to an
				 * exclusive load may still come */
};

static void
note_write(uint32_t *computed, uint32_t w)
{
	for (size_t i = 0; i < BASE_NELEMS(writes); i++) {
		if ((w & writes[i].mask) != writes[i].value)
			continue;
		uint32_t bit = UINT32_C(1) << (w & 31);
		bool is = writes[i].what == COMPUTED ||
			  (writes[i].what == COPIED && *computed >> (w >> 16 & 31) & 1);
		*computed = (*computed & ~bit) | (is ? bit : 0);
		return;
	}
}

/* --- Instructions ------------------------------------------------------------------ */

static int64_t
signed_bits(uint32_t w, unsigned from, unsigned n)
{
	return (int64_t)((uint64_t)w << (64 - from - n)) >> (64 - n);
}

enum {
	EXCLUSIVE_MASK = 0x3fc00000, EXCLUSIVE_LOAD = 0x08400000,
	EXCLUSIVE_STORE = 0x08000000,
	APART_MAX = 32,		/* of a load and its store: more is for nobody to expect */
};

/* No probe stands between an exclusive load and its store. */
static void
note_exclusive(struct known *k, uint32_t w, struct insn *i)
{
	if (k->exclusive) {
		i->is_harmful = true;
		k->exclusive--;
	}
	if ((w & EXCLUSIVE_MASK) == EXCLUSIVE_LOAD)
		k->exclusive = APART_MAX;
	else if ((w & EXCLUSIVE_MASK) == EXCLUSIVE_STORE || i->kind == INSN_RETURN)
		k->exclusive = 0;
}

static void
describe(uint32_t w, struct known *k, struct insn *i)
{
	const struct row *r = rows;

	while (r < rows + BASE_NELEMS(rows) && (w & r->mask) != r->value)
		r++;
	if (r < rows + BASE_NELEMS(rows)) {
		i->kind = r->kind;
		i->is_emulated = r->flags & DONE;
		i->is_harmful = r->flags & REFUSED;
		if (r->n) {
			i->has_target = true;
			i->target = (int64_t)i->at + 4 * signed_bits(w, r->from, r->n);
		}
		if (r->flags & BY_REG && k->computed >> (w >> 5 & 31) & 1)
			i->kind = INSN_TABLE;
	}
	if (i->kind == INSN_CALL)
		k->computed &= KEPT_BY_CALLS;
	else
		note_write(&k->computed, w);
	note_exclusive(k, w, i);
}

struct err *
insn_walk(const uint8_t *code, size_t size, insn_fn *fn, void *ctx, size_t *end)
{
	struct known known = { 0, 0 };
	uint32_t w;
	bool go_on = true;
	size_t at = 0;

	for (; go_on && size - at >= sizeof(w); at += sizeof(w)) {
		struct insn i = { .at = (uint32_t)at, .size = sizeof(w) };
		memcpy(&w, code + at, sizeof(w));
		describe(w, &known, &i);
		go_on = fn(ctx, &i);
	}
	*end = at;
	return NULL;
}

struct err *
insn_walk_32(const uint8_t *code, size_t size, insn_fn *fn, void *ctx, size_t *end)
{
	return err_new(ERR_UNSUPPORTED, 0, "machine code of 32 bits cannot be "
		       "probed here");
}

struct err *
insn_walk_stack(const uint8_t *code, size_t size, insn_stack_fn *fn, void *ctx,
		size_t *end)
{
	return err_new(ERR_UNSUPPORTED, 0, "of this machine's code it is not known "
		       "what becomes of the stack");
}

static bool
take_first(void *ctx, const struct insn *i)
{
	struct insn_entry *e = ctx;

	*e = (struct insn_entry){ !i->is_harmful, !i->is_emulated, false, 0, 0 };
	return false;
}

struct err *
insn_entry(const uint8_t *code, size_t size, size_t most, unsigned looks,
	   struct insn_entry *ret)
{
	size_t end;

	*ret = (struct insn_entry){ .found = false };
	return insn_walk(code, size, take_first, ret, &end);
}
#endif
