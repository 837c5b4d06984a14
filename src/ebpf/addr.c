/* SPDX-License-Identifier: BSD-2-Clause
 *
 * DIF registers and the memory they point at.
 *
 * A DIF register is a number to the kernel's verifier.  Loads through a
 * number go through a probe-read helper, stores through a check of the
 * runtime.  But often the generator knows where an address points: a
 * variable, a literal, execname.  Such a register carries a fact and no code
 * is emitted for its address until somebody needs the number
 * (ebpf_settle()); loads, copies and compares use the region directly.
 *
 * So does one that holds a constant: mostly an instruction has it as its operand.
 *
 * Invariants: (1) a register whose fact is a region or a constant and !has_addr
 * has no value in its BPF register; (2) at a branch or label every live register
 * holds its value; (3) facts never decide what is accepted, only how fast; (4) %r0
 * is never written, as dif_verify() has seen: it has no register of its own.
 */
#include <assert.h>
#include <string.h>

#include "abi/slot.h"
#include "ebpf/expr_priv.h"
#include "ebpf/other_priv.h"

static bool
is_region(const struct ebpf_fact *f)
{
	return f->region > REG_CONST;
}

/* The BPF register of DIF's first two. */
static uint8_t
own(unsigned dif)
{
	assert(dif && dif <= 2);
	return (uint8_t)(R_D1 + dif - 1);
}

/* Where the others are. */
static int32_t
in_frame(unsigned dif)
{
	assert(dif > 2 && dif < DIF_NREGS);
	return CF_REGS + 8 * ((int)dif - 3);
}

bool
ebpf_is_pending(const struct ebpf_fact *f)
{
	return f->region != REG_NONE && !f->has_addr;
}

uint8_t
ebpf_get(struct ebpf_expr *e, unsigned dif, uint8_t tmp)
{
	struct ebpf_out *o = e->o;

	assert(dif < DIF_NREGS || dif == DIF_R0);
	if (dif == DIF_R0) {
		ebpf_mov(o, tmp, BPF_REG_0);
		return tmp;
	}
	if (dif == 0) {
		ebpf_imm(o, tmp, 0);
		return tmp;
	}
	if (is_region(&e->fact[dif]))
		ebpf_settle(e, dif);
	if (ebpf_is_pending(&e->fact[dif])) {
		ebpf_imm(o, tmp, e->fact[dif].val);
		return tmp;
	}
	if (dif <= 2)
		return own(dif);
	ebpf_load(o, 8, tmp, BPF_REG_10, in_frame(dif));
	return tmp;
}

static void
put(struct ebpf_out *o, unsigned dif, uint8_t src)
{
	assert(dif && dif < DIF_NREGS);				/* 4 */
	if (dif <= 2)
		ebpf_mov(o, own(dif), src);
	else
		ebpf_store(o, 8, BPF_REG_10, in_frame(dif), src);
}

void
ebpf_set(struct ebpf_expr *e, unsigned dif, uint8_t src)
{
	put(e->o, dif, src);
	e->fact[dif] = (struct ebpf_fact){ REG_NONE };
}

uint8_t
ebpf_target(unsigned dif, unsigned but)
{
	return dif <= 2 && dif != but ? own(dif) : BPF_REG_0;
}

void
ebpf_set_fact(struct ebpf_expr *e, unsigned dif, struct ebpf_fact f)
{
	assert(dif && dif < DIF_NREGS);				/* 4 */
	f.has_addr = false;
	e->fact[dif] = f;
}

void
ebpf_to_number(struct ebpf_out *o, uint8_t dst)
{
	ebpf_store(o, 8, R_SLOT, offsetof(struct abi_slot, conv), dst);
	ebpf_load(o, 8, dst, R_SLOT, offsetof(struct abi_slot, conv));
}

static void
slot_addr(struct ebpf_out *o, uint32_t off, uint8_t dst)
{
	ebpf_load(o, 8, dst, R_SLOT, offsetof(struct abi_slot, self));
	ebpf_alu_imm(o, BPF_ADD, dst, (int32_t)off);
}

void
ebpf_addr(struct ebpf_expr *e, const struct ebpf_fact *f, unsigned dif,
	  uint8_t dst)
{
	struct ebpf_out *o = e->o;

	if (!is_region(f) || f->has_addr) {
		ebpf_mov(o, dst, ebpf_get(e, dif, dst));
		return;
	}
	switch (f->region) {
	case REG_SLOT:
		slot_addr(o, f->off, dst);
		break;
	case REG_COMM:
		for (int i = 0; i < 2; i++) {
			ebpf_load(o, 8, dst, BPF_REG_10, CF_COMM + 8 * i);
			ebpf_store(o, 8, R_SLOT,
				   (int32_t)e->g->lay.comm + 8 * i, dst);
		}
		slot_addr(o, e->g->lay.comm + f->off, dst);
		break;
	case REG_GLOBAL:
		ebpf_data(o, dst, SEC_VARS, f->off);
		ebpf_to_number(o, dst);
		break;
	default:
		ebpf_data(o, dst, SEC_STRS, f->off);
		ebpf_to_number(o, dst);
		break;
	}
}

void
ebpf_settle(struct ebpf_expr *e, unsigned dif)
{
	struct ebpf_fact *f = &e->fact[dif];

	if (!is_region(f) || f->has_addr)
		return;
	ebpf_addr(e, f, dif, BPF_REG_0);
	put(e->o, dif, BPF_REG_0);
	f->has_addr = true;
}

void
ebpf_hold(struct ebpf_expr *e, unsigned dif)
{
	struct ebpf_fact *f = &e->fact[dif];

	ebpf_settle(e, dif);
	if (!ebpf_is_pending(f))
		return;
	uint8_t to = ebpf_target(dif, 0);
	ebpf_imm(e->o, to, f->val);
	put(e->o, dif, to);
	f->has_addr = true;
}

void
ebpf_region_ptr(struct ebpf_out *o, const struct ebpf_fact *f, uint8_t dst)
{
	assert(is_region(f));
	switch (f->region) {
	case REG_SLOT:
		ebpf_lea(o, dst, R_SLOT, (int32_t)f->off);
		break;
	case REG_COMM:
		ebpf_lea(o, dst, BPF_REG_10, CF_COMM + (int32_t)f->off);
		break;
	case REG_GLOBAL:
		ebpf_data(o, dst, SEC_VARS, f->off);
		break;
	default:
		ebpf_data(o, dst, SEC_STRS, f->off);
		break;
	}
}

void
ebpf_source(struct ebpf_expr *e, const struct ebpf_fact *f, unsigned dif,
	    uint8_t dst)
{
	if (is_region(f))
		ebpf_region_ptr(e->o, f, dst);
	else
		ebpf_mov(e->o, dst, ebpf_get(e, dif, dst));
}

void
ebpf_dst(struct ebpf_out *o, uint8_t dst, uint8_t base, int32_t off)
{
	if (base == BASE_GLOBAL) {
		ebpf_data(o, dst, SEC_VARS, (uint32_t)off);
		return;
	}
	ebpf_lea(o, dst, base, off);
}

unsigned
ebpf_step(uint8_t base, int32_t off, uint32_t left, unsigned most)
{
	assert(left && most);
	while (most > left || (base == BPF_REG_10 && off & (int32_t)(most - 1)))
		most /= 2;
	return most;
}

enum { ZERO_INLINE = 256 };

void
ebpf_zero(struct ebpf_out *o, uint8_t base, int32_t off, uint32_t size)
{
	if (!size)
		return;
	if (size > ZERO_INLINE) {
		if (size > o->g->zeros_size)
			ebpf_limit(o->g, o->place,
				   "a value of %u bytes is too large", size);
		ebpf_dst(o, BPF_REG_1, base, off);
		ebpf_imm(o, BPF_REG_2, size);
		ebpf_data(o, BPF_REG_3, SEC_STRS, o->g->zeros);
		ebpf_helper(o, BPF_FUNC_probe_read_kernel);
		return;
	}
	ebpf_dst(o, BPF_REG_1, base, off);
	for (uint32_t at = 0; at < size; ) {
		unsigned step = ebpf_step(base, off + (int32_t)at, size - at,
					  8);
		ebpf_store_imm(o, step, BPF_REG_1, (int32_t)at, 0);
		at += step;
	}
}

enum { LIT_INLINE = 64 };

/* What a string operand may take of size bytes, its NUL included. */
static uint32_t
string_limit(const struct ebpf *g, uint32_t size, unsigned flags)
{
	return flags & COPY_WHOLE ? size : BASE_MIN(size, g->plan->strsize);
}

unsigned
ebpf_part_flags(const struct ebpf *g, uint32_t size)
{
	uint32_t strsize = g->plan->strsize;

	return plan_string_room(size, strsize) > strsize ? COPY_WHOLE : 0;
}

/* A literal of n bytes, NUL included, by immediate stores. */
static void
copy_literal(struct ebpf_out *o, uint8_t base, int32_t off, uint32_t size,
	     const struct ebpf_fact *f, unsigned flags)
{
	uint32_t n = (uint32_t)strlen(f->text);
	char text[LIT_INLINE + 4] = { 0 };

	assert(n < LIT_INLINE && size);
	n = BASE_MIN(n, string_limit(o->g, size, flags) - 1);
	memcpy(text, f->text, n);
	ebpf_dst(o, BPF_REG_1, base, off);
	for (uint32_t at = 0; at < n + 1; ) {
		unsigned step = ebpf_step(base, off + (int32_t)at, n + 1 - at,
					  4);
		uint32_t word = 0;
		memcpy(&word, text + at, step);
		ebpf_store_imm(o, step, BPF_REG_1, (int32_t)at, (int32_t)word);
		at += step;
	}
}

static int
read_helper(unsigned flags)
{
	static const int helper[2][2] = {
		{ BPF_FUNC_probe_read_kernel, BPF_FUNC_probe_read_kernel_str },
		{ BPF_FUNC_probe_read_user, BPF_FUNC_probe_read_user_str },
	};

	return helper[!!(flags & COPY_USER)][!!(flags & COPY_STR)];
}

void
ebpf_string_read(struct ebpf_out *o, unsigned flags)
{
	ebpf_helper(o, read_helper(flags | COPY_STR));
	ebpf_jmp_imm(o, BPF_JSLT, BPF_REG_0, 0,
		     ebpf_fault(o, ABI_FAULT_BADADDR, CF_ADDR));
}

void
ebpf_string_end(struct ebpf_out *o, uint8_t base, int32_t off, unsigned flags)
{
	int done = ebpf_label(o);

	ebpf_jmp_reg(o, BPF_JNE, BPF_REG_0, BPF_REG_2, done);
	ebpf_dst(o, BPF_REG_1, base, off);
	ebpf_alu(o, BPF_ADD, BPF_REG_1, BPF_REG_2);
	ebpf_store_imm(o, 1, BPF_REG_1, 0, 0);
	ebpf_alu_imm(o, BPF_ADD, BPF_REG_1, -1);
	ebpf_load(o, 8, BPF_REG_3, BPF_REG_10, CF_ADDR);
	ebpf_alu(o, BPF_ADD, BPF_REG_3, BPF_REG_2);
	ebpf_alu_imm(o, BPF_SUB, BPF_REG_3, 1);
	ebpf_imm(o, BPF_REG_2, 1);
	ebpf_helper(o, read_helper(flags & ~COPY_STR));
	ebpf_jmp_imm(o, BPF_JSLT, BPF_REG_0, 0,
		     ebpf_fault(o, ABI_FAULT_BADADDR, CF_ADDR));
	ebpf_place(o, done);
}

/* The general way: a probe-read helper. */
static void
copy_read(struct ebpf_expr *e, uint8_t base, int32_t off, uint32_t size,
	  const struct ebpf_fact *f, unsigned dif, unsigned flags)
{
	struct ebpf_out *o = e->o;
	bool str = flags & COPY_STR, known = is_region(f);
	int done = ebpf_label(o);

	if (flags & COPY_USER)
		ebpf_current_only(o);
	ebpf_source(e, f, dif, BPF_REG_3);
	if (!known)
		ebpf_store(o, 8, BPF_REG_10, CF_ADDR, BPF_REG_3);
	if (!known && flags & COPY_NULL_OK) {
		int some = ebpf_label(o);
		ebpf_jmp_imm(o, BPF_JNE, BPF_REG_3, 0, some);
		ebpf_zero(o, base, off, str ? 1 : size);
		ebpf_jmp(o, done);
		ebpf_place(o, some);
		ebpf_load(o, 8, BPF_REG_3, BPF_REG_10, CF_ADDR);
	}
	ebpf_dst(o, BPF_REG_1, base, off);
	if (str && !known) {
		uint32_t limit = string_limit(e->g, size, flags) - 1;
		ebpf_imm(o, BPF_REG_2, limit);
		ebpf_string_read(o, flags);
		ebpf_imm(o, BPF_REG_2, limit);
		ebpf_string_end(o, base, off, flags);
	} else {
		ebpf_imm(o, BPF_REG_2, str ? string_limit(e->g, size, flags)
				       : size);
		ebpf_helper(o, read_helper(flags));
		if (!known)
			ebpf_jmp_imm(o, BPF_JSLT, BPF_REG_0, 0,
				     ebpf_fault(o, ABI_FAULT_BADADDR, CF_ADDR));
	}
	ebpf_place(o, done);
}

void
ebpf_copy_to(struct ebpf_expr *e, uint8_t base, int32_t off, uint32_t size,
	     const struct ebpf_fact *f, unsigned dif, unsigned flags)
{
	struct ebpf_out *o = e->o;

	if (flags & COPY_STR && size < 2) {	/* nothing is read */
		ebpf_zero(o, base, off, size);
		return;
	}
	if (flags & COPY_STR && f->region == REG_LIT && f->text &&
	    strlen(f->text) < LIT_INLINE) {
		copy_literal(o, base, off, size, f, flags);
		return;
	}
	if (flags & COPY_STR && f->region == REG_COMM && !f->off &&
	    string_limit(e->g, size, flags) >= 16 &&
	    ebpf_step(base, off, 16, 8) == 8) {
		ebpf_dst(o, BPF_REG_1, base, off);
		for (int i = 0; i < 2; i++) {
			ebpf_load(o, 8, BPF_REG_2, BPF_REG_10,
				  CF_COMM + 8 * i);
			ebpf_store(o, 8, BPF_REG_1, 8 * i, BPF_REG_2);
		}
		return;
	}
	copy_read(e, base, off, size, f, dif, flags);
}

/* --- Instructions --------------------------------------------------------- */

unsigned
ebpf_access_size(unsigned op)
{
	static const uint8_t size[] = {
		[DIF_OP_LDSB] = 1, [DIF_OP_LDSH] = 2, [DIF_OP_LDSW] = 4,
		[DIF_OP_LDUB] = 1, [DIF_OP_LDUH] = 2, [DIF_OP_LDUW] = 4,
		[DIF_OP_LDX] = 8,
		[DIF_OP_ULDSB] = 1, [DIF_OP_ULDSH] = 2, [DIF_OP_ULDSW] = 4,
		[DIF_OP_ULDUB] = 1, [DIF_OP_ULDUH] = 2, [DIF_OP_ULDUW] = 4,
		[DIF_OP_ULDX] = 8,
		[DIF_OP_RLDSB] = 1, [DIF_OP_RLDSH] = 2, [DIF_OP_RLDSW] = 4,
		[DIF_OP_RLDUB] = 1, [DIF_OP_RLDUH] = 2, [DIF_OP_RLDUW] = 4,
		[DIF_OP_RLDX] = 8,
		[DIF_OP_STB] = 1, [DIF_OP_STH] = 2, [DIF_OP_STW] = 4,
		[DIF_OP_STX] = 8,
	};

	assert(op < BASE_NELEMS(size) && size[op]);
	return size[op];
}

static bool
is_signed_load(unsigned op)
{
	return (op >= DIF_OP_LDSB && op <= DIF_OP_LDSW) ||
	       (op >= DIF_OP_ULDSB && op <= DIF_OP_ULDSW) ||
	       (op >= DIF_OP_RLDSB && op <= DIF_OP_RLDSW);
}

static bool
is_user_load(unsigned op)
{
	return op >= DIF_OP_ULDSB && op <= DIF_OP_ULDX;
}

/* r0 <- size bytes of the kernel's memory at r, by a load that says 0 where nothing
 * can be read.  What is not 0 is there; 0 is for the helper to tell.  (Nobody asks
 * for the numbers of that for this alone: to look them up takes longer at the start
 * than is saved.) */
static void
load_at_once(struct ebpf_expr *e, unsigned r1, unsigned size)
{
	struct ebpf_out *o = e->o;
	struct ebpf_zero z = { .size = (uint8_t)size };

	ebpf_hold(e, r1);
	ebpf_mov(o, BPF_REG_1, ebpf_get(e, r1, BPF_REG_1));
	ebpf_cast(o);
	ebpf_load(o, size, BPF_REG_0, BPF_REG_0, 0);
	if (r1 <= 2)
		z.reg = own(r1);
	else
		z.at = (int16_t)in_frame(r1);
	ebpf_ask_zero(o, &z);
}

static void
load_by_helper(struct ebpf_expr *e, unsigned r1, unsigned size, bool user)
{
	struct ebpf_out *o = e->o;

	if (user)
		ebpf_current_only(o);
	ebpf_mov(o, BPF_REG_3, ebpf_get(e, r1, BPF_REG_3));
	ebpf_read_number(o, user ? BPF_FUNC_probe_read_user
				 : BPF_FUNC_probe_read_kernel, size,
			 ebpf_fault(o, ABI_FAULT_BADADDR, CF_ADDR));
}

void
ebpf_insn_load(struct ebpf_expr *e, uint32_t w)
{
	struct ebpf_out *o = e->o;
	unsigned op = DIF_INSN_OP(w), r1 = DIF_INSN_R1(w), rd = DIF_INSN_RD(w);
	unsigned size = ebpf_access_size(op);
	bool user = is_user_load(op);
	struct ebpf_fact f = e->fact[r1];

	if (is_region(&f) && !user && f.size >= size) {
		ebpf_region_ptr(o, &f, BPF_REG_1);
		ebpf_load(o, size, BPF_REG_0, BPF_REG_1, 0);
	} else if (!user && r1 && ebpf_may_cast(e->g)) {
		load_at_once(e, r1, size);
	} else {
		load_by_helper(e, r1, size, user);
	}
	if (is_signed_load(op))
		ebpf_sext(o, BPF_REG_0, size);
	ebpf_set(e, rd, BPF_REG_0);
}
