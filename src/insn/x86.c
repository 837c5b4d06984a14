/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Code of x86-64, by Zydis, which is loaded when it is needed: nobody else pays for
 * it when programs start.
 *
 * What the kernel emulates (arch/x86/kernel/uprobes.c): push of a register, nops,
 * relative jumps, branches and calls.  Any other instruction is copied to another
 * page and single-stepped there, which takes 20 times as long, and more in a virtual
 * machine.  What must carry no probe, found by trying (Linux 6.18):
 *
 *	0f 1f 44 00 00	becomes a call after the first hit, which writes below the
 *			stack pointer; and a process forked then crashes
 *	0f 05		syscall: when it is stepped the process may crash
 *	int3, hlt	belong to others, or crash by themselves
 *	VEX, EVEX, XOP	refused, some of them
 *	prefixes	lock, and those of segments, which long nops and jumps by
 *			tables have (notrack): refused
 *
 * The entry of a function moves forward over instructions that each call executes
 * once and that change nothing at which somebody looks (is_passed()).  Of the entries
 * of libc 56 % would be stepped; 37 % are where somebody looks at all arguments, 25 %
 * where at the first, and 16 % where at none; of bash 49, 26, 17 and 7; of postgres 27,
 * 19, 14 and 9; of libjvm 50, 43, 38 and 34 (bench/entries).  The last of these is as
 * little as there can be: 9, 6, 8 and 34 % have no instruction that is emulated.  It may be entered again in the middle: no branch may lead behind
 * the beginning, up to the new place.  Where tables lead nobody says; never to a push, since what is pushed in
 * front of the body is popped once.  A function of Go is entered where it sees that
 * its stack is large enough (go_check()).
 */
#if defined(__x86_64__)
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <Zydis/Zydis.h>

#include "base/base.h"
#include "insn/insn.h"

enum {
	PASSED_MAX = 24,		/* instructions in front of the new place */
	KEPT_BY_CALLS = 1 << 3 | 1 << 5 | 0xf << 12,	/* rbx, rbp, r12 to r15 */
};

/* --- The library ------------------------------------------------------------- */

static struct {
	pthread_once_t once;
	__typeof__(ZydisDecoderDecodeInstruction) *decode;
	__typeof__(ZydisDecoderDecodeOperands) *operands;
	__typeof__(ZydisRegisterGetLargestEnclosing) *whole;
	ZydisDecoder decoder, decoder_32;
} zydis = { .once = PTHREAD_ONCE_INIT };

/* The library whose header this was built with: another version numbers its
 * instructions in another way, and its structures may differ. */
static const char *
library_name(void)
{
	static char name[32];

	snprintf(name, sizeof(name), "libZydis.so.%u.%u",
		 ZYDIS_VERSION_MAJOR(ZYDIS_VERSION), ZYDIS_VERSION_MINOR(ZYDIS_VERSION));
	return name;
}

/* It stays. */
static void
load(void)
{
	void *lib = dlopen(library_name(), RTLD_NOW | RTLD_LOCAL);
	__typeof__(ZydisDecoderInit) *init;

	if (!lib)
		return;
	init = (__typeof__(init))dlsym(lib, "ZydisDecoderInit");
	zydis.operands = (__typeof__(zydis.operands))
		dlsym(lib, "ZydisDecoderDecodeOperands");
	zydis.whole = (__typeof__(zydis.whole))
		dlsym(lib, "ZydisRegisterGetLargestEnclosing");
	if (!init || !zydis.operands || !zydis.whole ||
	    ZYAN_FAILED(init(&zydis.decoder, ZYDIS_MACHINE_MODE_LONG_64,
			     ZYDIS_STACK_WIDTH_64)) ||
	    ZYAN_FAILED(init(&zydis.decoder_32, ZYDIS_MACHINE_MODE_LONG_COMPAT_32,
			     ZYDIS_STACK_WIDTH_32)))
		return;
	zydis.decode = (__typeof__(zydis.decode))
		dlsym(lib, "ZydisDecoderDecodeInstruction");
}

static struct err *
need_zydis(void)
{
	pthread_once(&zydis.once, load);
	return zydis.decode ? NULL :
		err_new(ERR_UNSUPPORTED, 0, "machine code cannot be read: there "
			"is no %s", library_name());
}

/* --- One instruction ---------------------------------------------------------- */

static bool
has_prefix(const ZydisDecodedInstruction *z, const char *which, size_t n)
{
	return BASE_ANY(i, z->raw.prefix_count,
			memchr(which, z->raw.prefixes[i].value, n));
}

static bool
is_relative(const ZydisDecodedInstruction *z)
{
	return z->raw.imm[0].is_relative;
}

/* Which registers may hold an address that a table told: bit by number. */
struct computed { uint32_t set; };

static unsigned
modrm_reg(const ZydisDecodedInstruction *z)
{
	return z->raw.modrm.reg | (z->raw.rex.R ? 8u : 0);
}

static unsigned
modrm_rm(const ZydisDecodedInstruction *z)
{
	return z->raw.modrm.rm | (z->raw.rex.B ? 8u : 0);
}

static bool
has_index(const ZydisDecodedInstruction *z)
{
	return z->raw.modrm.mod != 3 && z->raw.modrm.rm == 4 &&
	       (z->raw.sib.index != 4 || z->raw.rex.X);
}

/* What a register holds is computed by adding, or comes from a place that was; what is
 * loaded from a plain place is a pointer that somebody has stored. */
static void
note_write(struct computed *c, const ZydisDecodedInstruction *z)
{
	bool to_reg = z->opcode == 0x8b || z->opcode == 0x03 ||
		      z->opcode == 0x63 || z->opcode == 0x8d;
	unsigned to = to_reg ? modrm_reg(z) : modrm_rm(z);
	bool is;

	if (z->meta.category == ZYDIS_CATEGORY_CALL)
		c->set &= KEPT_BY_CALLS;
	if (z->opcode_map != ZYDIS_OPCODE_MAP_DEFAULT)
		return;
	if (z->opcode == 0x8b || z->opcode == 0x89)
		is = z->raw.modrm.mod == 3 ?
		     c->set >> (to_reg ? modrm_rm(z) : modrm_reg(z)) & 1 :
		     has_index(z);
	else if (to_reg || z->opcode == 0x01)
		is = true;
	else
		return;
	if (to_reg || z->raw.modrm.mod == 3)
		c->set = (c->set & ~(1u << to)) | (uint32_t)is << to;
}

/* A jump by a pointer: by a table it has an index, or its address was computed from
 * what a table has, which compilers mark by notrack where they mark what is jumped
 * to. */
static enum insn_kind
indirect(const ZydisDecodedInstruction *z, const struct computed *c)
{
	bool computed = z->raw.modrm.mod == 3 && c->set >> modrm_rm(z) & 1;

	return has_index(z) || computed || has_prefix(z, "\x3e", 1) ?
	       INSN_TABLE : INSN_AWAY;
}

static enum insn_kind
kind_of(const ZydisDecodedInstruction *z, const struct computed *c)
{
	switch (z->meta.category) {
	case ZYDIS_CATEGORY_CALL:
		return INSN_CALL;
	case ZYDIS_CATEGORY_RET:
		return z->mnemonic == ZYDIS_MNEMONIC_RET ? INSN_RETURN
							 : INSN_PLAIN;
	case ZYDIS_CATEGORY_COND_BR:
		return is_relative(z) ? INSN_BRANCH : INSN_PLAIN;
	case ZYDIS_CATEGORY_UNCOND_BR:
		return is_relative(z) ? INSN_JUMP : indirect(z, c);
	default:
		return INSN_PLAIN;
	}
}

static bool
is_push(const uint8_t *p, const ZydisDecodedInstruction *z)
{
	return (z->length == 1 && *p >= 0x50 && *p <= 0x57) ||
	       (z->length == 2 && *p == 0x41 && p[1] >= 0x50 && p[1] <= 0x57);
}

/* ENDBR64 is none for the kernel. */
static bool
is_nop(const ZydisDecodedInstruction *z)
{
	return z->mnemonic == ZYDIS_MNEMONIC_NOP;
}

/* mov or pop to %ss: the processor does not stop before it has executed the next
 * instruction, too. */
static bool
sets_stack_segment(const ZydisDecodedInstruction *z)
{
	return z->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT &&
	       ((z->opcode == 0x8e && z->raw.modrm.reg == 2) || z->opcode == 0x17);
}

static bool
is_harmful(const uint8_t *p, const ZydisDecodedInstruction *z)
{
	static const char refused[] = { (char)0xf0, 0x26, 0x2e, 0x36, 0x3e };
	bool jumps = z->meta.branch_type != ZYDIS_BRANCH_TYPE_NONE;

	if (has_prefix(z, refused, sizeof(refused)) ||
	    (jumps && has_prefix(z, "\x66", 1)))
		return true;
	if (is_nop(z))
		return z->length == 5;
	/* Its tables are those of older instructions. */
	if (z->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY)
		return true;
	switch (z->mnemonic) {
	case ZYDIS_MNEMONIC_SYSCALL: case ZYDIS_MNEMONIC_SYSENTER:
	case ZYDIS_MNEMONIC_INT3: case ZYDIS_MNEMONIC_INT:
	case ZYDIS_MNEMONIC_INT1: case ZYDIS_MNEMONIC_HLT:
	case ZYDIS_MNEMONIC_XBEGIN: case ZYDIS_MNEMONIC_UD2:
	/* It would push the flag by which the kernel steps, and popf sets that. */
	case ZYDIS_MNEMONIC_PUSHF: case ZYDIS_MNEMONIC_PUSHFD: case ZYDIS_MNEMONIC_PUSHFQ:
		return true;
	default:
		return sets_stack_segment(z);
	}
}

static bool
is_emulated(const uint8_t *p, const ZydisDecodedInstruction *z)
{
	if (is_nop(z))
		return z->length != 5 && z->length <= 7;
	if (is_push(p, z))
		return true;
	/* Not loops, and no branch on a register. */
	return is_relative(z) &&
	       (*p == 0xe8 || *p == 0xe9 || *p == 0xeb ||
		(*p >= 0x70 && *p <= 0x7f) ||
		(*p == 0x0f && p[1] >= 0x80 && p[1] <= 0x8f));
}

static void
describe(const uint8_t *code, size_t at, const ZydisDecodedInstruction *z,
	 struct computed *c, struct insn *ret)
{
	const uint8_t *p = code + at;

	*ret = (struct insn){
		.at = (uint32_t)at, .size = z->length,
		.kind = kind_of(z, c),
		.is_harmful = is_harmful(p, z),
	};
	note_write(c, z);
	ret->is_emulated = !ret->is_harmful && is_emulated(p, z);
	ret->has_target = ret->kind != INSN_PLAIN && is_relative(z);
	if (ret->has_target)
		ret->target = (int64_t)at + z->length + z->raw.imm[0].value.s;
}

static struct err *
walk(const ZydisDecoder *decoder, const uint8_t *code, size_t size, insn_fn *fn,
     void *ctx, size_t *end)
{
	struct computed computed = { 0 };
	ZydisDecodedInstruction z;
	bool go_on = true;
	struct insn i;
	size_t at = 0;

	TRY(need_zydis());
	while (go_on && at < size &&
	       ZYAN_SUCCESS(zydis.decode(decoder, NULL, code + at, size - at,
					 &z))) {
		describe(code, at, &z, &computed, &i);
		i.is_emulated &= decoder == &zydis.decoder;
		at += z.length;
		go_on = fn(ctx, &i);
	}
	*end = at;
	return NULL;
}

struct err *
insn_walk(const uint8_t *code, size_t size, insn_fn *fn, void *ctx, size_t *end)
{
	return walk(&zydis.decoder, code, size, fn, ctx, end);
}

struct err *
insn_walk_32(const uint8_t *code, size_t size, insn_fn *fn, void *ctx, size_t *end)
{
	return walk(&zydis.decoder_32, code, size, fn, ctx, end);
}

/* --- The stack ---------------------------------------------------------------- */

static bool
is_register(const ZydisDecodedOperand *o, ZydisRegister r)
{
	return o->type == ZYDIS_OPERAND_TYPE_REGISTER && o->reg.value == r;
}

static bool
is_fp(const ZydisDecodedOperand *o)
{
	return is_register(o, ZYDIS_REGISTER_RBP);
}

/* base + n, and nothing else. */
static bool
is_place(const ZydisDecodedOperand *o, ZydisRegister base)
{
	return o->type == ZYDIS_OPERAND_TYPE_MEMORY && o->mem.base == base &&
	       o->mem.index == ZYDIS_REGISTER_NONE;
}

/* To the stack pointer. */
static void
effect_on_sp(const ZydisDecodedInstruction *z, const ZydisDecodedOperand *o,
	     struct insn_effect *e)
{
	bool by_number = o[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
	bool subs = z->mnemonic == ZYDIS_MNEMONIC_SUB;

	e->what = INSN_STACK_LOSES;
	if (!is_register(&o[0], ZYDIS_REGISTER_RSP))	/* half of it */
		return;
	if (by_number && (subs || z->mnemonic == ZYDIS_MNEMONIC_ADD)) {
		e->what = INSN_STACK_MOVES;
		e->n = subs ? -o[1].imm.value.s : o[1].imm.value.s;
	} else if (z->mnemonic == ZYDIS_MNEMONIC_MOV && is_fp(&o[1])) {
		e->what = INSN_STACK_TO_FP;
	} else if (z->mnemonic == ZYDIS_MNEMONIC_LEA) {
		if (is_place(&o[1], ZYDIS_REGISTER_RBP))
			e->what = INSN_STACK_TO_FP;
		else if (is_place(&o[1], ZYDIS_REGISTER_RSP))
			e->what = INSN_STACK_MOVES;
		e->n = o[1].mem.disp.value;
	}
}

/* To the frame pointer. */
static void
effect_on_fp(const ZydisDecodedInstruction *z, const ZydisDecodedOperand *o,
	     struct insn_effect *e)
{
	bool moves = z->mnemonic == ZYDIS_MNEMONIC_MOV;

	e->what = INSN_STACK_LOSES_FP;
	if (z->mnemonic == ZYDIS_MNEMONIC_XOR && is_register(&o[1], o[0].reg.value)) {
		e->what = INSN_STACK_CLEARS_FP;
	} else if (!is_fp(&o[0])) {
		;					/* half of it */
	} else if (moves && is_register(&o[1], ZYDIS_REGISTER_RSP)) {
		e->what = INSN_STACK_SETS_FP;
	} else if ((moves || z->mnemonic == ZYDIS_MNEMONIC_LEA) &&
		   is_place(&o[1], ZYDIS_REGISTER_RSP)) {
		e->what = moves ? INSN_STACK_LOADS_FP : INSN_STACK_SETS_FP;
		e->n = o[1].mem.disp.value;
	}
}

static bool
writes(const ZydisDecodedOperand *o, ZydisRegister whole)
{
	return o->type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       (o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) &&
	       zydis.whole(ZYDIS_MACHINE_MODE_LONG_64, o->reg.value) == whole;
}

/* The first operand, hidden ones too, that is written and is it, or a part of it. */
static int
written(const ZydisDecodedInstruction *z, const ZydisDecodedOperand *o, ZydisRegister whole)
{
	for (int i = 0; i < z->operand_count; i++)
		if (writes(&o[i], whole))
			return i;
	return -1;
}

static void
effect_of(const ZydisDecodedInstruction *z, const ZydisDecodedOperand *o, size_t at,
	  struct insn_effect *e)
{
	bool pushes = z->meta.category == ZYDIS_CATEGORY_PUSH;
	bool pops = z->meta.category == ZYDIS_CATEGORY_POP;
	bool calls = z->meta.branch_type != ZYDIS_BRANCH_TYPE_NONE;
	bool pops_sp = pops && z->operand_count_visible &&
		       is_register(&o[0], ZYDIS_REGISTER_RSP);
	int sp = written(z, o, ZYDIS_REGISTER_RSP);
	int fp = written(z, o, ZYDIS_REGISTER_RBP);

	*e = (struct insn_effect){ .what = INSN_STACK_KEEPS };
	if (pushes || (pops && !pops_sp)) {
		bool moves_fp = z->operand_count_visible && is_fp(&o[0]);
		e->what = !moves_fp ? INSN_STACK_MOVES :
			  pushes ? INSN_STACK_PUSHES_FP : INSN_STACK_POPS_FP;
		e->n = z->operand_width / 8 * (pushes ? -1 : 1);
	} else if (z->mnemonic == ZYDIS_MNEMONIC_LEAVE) {
		e->what = INSN_STACK_LEAVES;
	} else if (sp >= 0 && !calls) {
		e->what = INSN_STACK_LOSES;
		if (!sp && !pops_sp)
			effect_on_sp(z, o, e);
	} else if (fp >= 0) {
		e->what = INSN_STACK_LOSES_FP;
		if (!fp)
			effect_on_fp(z, o, e);
	} else if (z->mnemonic == ZYDIS_MNEMONIC_MOV && is_fp(&o[1]) &&
		   is_place(&o[0], ZYDIS_REGISTER_RSP)) {
		e->what = INSN_STACK_STORES_FP;
		e->n = o[0].mem.disp.value;
	} else if (z->mnemonic == ZYDIS_MNEMONIC_LEA &&
		   is_place(&o[1], ZYDIS_REGISTER_RIP)) {
		e->has_address = true;
		e->address = (int64_t)at + z->length + o[1].mem.disp.value;
	}
}

struct err *
insn_walk_stack(const uint8_t *code, size_t size, insn_stack_fn *fn, void *ctx,
		size_t *end)
{
	ZydisDecodedOperand o[ZYDIS_MAX_OPERAND_COUNT];
	struct computed computed = { 0 };
	ZydisDecodedInstruction z;
	ZydisDecoderContext c;
	struct insn_effect e;
	bool go_on = true;
	struct insn i;
	size_t at = 0;

	TRY(need_zydis());
	while (go_on && at < size &&
	       ZYAN_SUCCESS(zydis.decode(&zydis.decoder, &c, code + at, size - at, &z)) &&
	       ZYAN_SUCCESS(zydis.operands(&zydis.decoder, &c, &z, o, z.operand_count))) {
		describe(code, at, &z, &computed, &i);
		for (unsigned n = z.operand_count; n < 2; n++)	/* whom many look at */
			o[n].type = ZYDIS_OPERAND_TYPE_UNUSED;
		effect_of(&z, o, at, &e);
		at += z.length;
		go_on = fn(ctx, &i, &e);
	}
	*end = at;
	return NULL;
}

/* --- Entries ------------------------------------------------------------------ */

/* The set of the argument that is in r, or in a part of it. */
static unsigned
argument(ZydisRegister r)
{
	static const ZydisRegister args[] = {
		ZYDIS_REGISTER_RDI, ZYDIS_REGISTER_RSI, ZYDIS_REGISTER_RDX,
		ZYDIS_REGISTER_RCX, ZYDIS_REGISTER_R8, ZYDIS_REGISTER_R9,
	};

	r = zydis.whole(ZYDIS_MACHINE_MODE_LONG_64, r);
	for (size_t i = 0; i < BASE_NELEMS(args); i++)
		if (r == args[i])
			return 1u << i;
	return 0;
}

static bool
is_simple(const ZydisDecodedInstruction *z)
{
	switch (z->mnemonic) {
	case ZYDIS_MNEMONIC_ENDBR64: case ZYDIS_MNEMONIC_NOP:
	case ZYDIS_MNEMONIC_MOV: case ZYDIS_MNEMONIC_MOVZX:
	case ZYDIS_MNEMONIC_MOVSX: case ZYDIS_MNEMONIC_MOVSXD:
	case ZYDIS_MNEMONIC_LEA: case ZYDIS_MNEMONIC_TEST:
	case ZYDIS_MNEMONIC_CMP: case ZYDIS_MNEMONIC_XOR:
	case ZYDIS_MNEMONIC_AND: case ZYDIS_MNEMONIC_OR:
	case ZYDIS_MNEMONIC_ADD: case ZYDIS_MNEMONIC_SUB:
	case ZYDIS_MNEMONIC_SHL: case ZYDIS_MNEMONIC_SHR:
	case ZYDIS_MNEMONIC_SAR: case ZYDIS_MNEMONIC_NEG:
	case ZYDIS_MNEMONIC_NOT: case ZYDIS_MNEMONIC_BT:
	case ZYDIS_MNEMONIC_MOVD: case ZYDIS_MNEMONIC_MOVQ:
	case ZYDIS_MNEMONIC_PXOR: case ZYDIS_MNEMONIC_MOVAPS:
	case ZYDIS_MNEMONIC_XORPS: case ZYDIS_MNEMONIC_MOVUPS:
	case ZYDIS_MNEMONIC_MOVDQA: case ZYDIS_MNEMONIC_MOVDQU:
	case ZYDIS_MNEMONIC_MOVHPS: case ZYDIS_MNEMONIC_PUNPCKLQDQ:
	case ZYDIS_MNEMONIC_IMUL: case ZYDIS_MNEMONIC_CDQE:
	case ZYDIS_MNEMONIC_INC: case ZYDIS_MNEMONIC_DEC:
		return true;
	default:
		return z->meta.category == ZYDIS_CATEGORY_CMOV ||
		       z->meta.category == ZYDIS_CATEGORY_SETCC;
	}
}

/* sub $n,%rsp: how much. */
static bool
makes_room(const ZydisDecodedInstruction *z, const ZydisDecodedOperand *o,
	   uint32_t *sp)
{
	if (z->mnemonic != ZYDIS_MNEMONIC_SUB ||
	    o[0].type != ZYDIS_OPERAND_TYPE_REGISTER ||
	    o[0].reg.value != ZYDIS_REGISTER_RSP ||
	    o[1].type != ZYDIS_OPERAND_TYPE_IMMEDIATE ||
	    o[1].imm.value.s < 0 || o[1].imm.value.s > 1 << 20)
		return false;
	*sp += (uint32_t)o[1].imm.value.s;
	return true;
}

/* Does it lie in the function's own frame, below where the caller returns to? */
static bool
is_own(const ZydisDecodedOperand *o, uint32_t sp)
{
	return o->mem.base == ZYDIS_REGISTER_RSP &&
	       o->mem.index == ZYDIS_REGISTER_NONE &&
	       o->mem.disp.value + o->size / 8 <= (int64_t)sp;
}

/* May the probe be behind it: does it change no argument that somebody looks at, and
 * no memory of anybody else, and goes on to the next?  (It may fail, where an argument points to nothing, and then the
 * function is not said to have been entered.) */
static bool
is_passed(ZydisDecoderContext *c, const ZydisDecodedInstruction *z, unsigned looks,
	  uint32_t *sp)
{
	ZydisDecodedOperand o[ZYDIS_MAX_OPERAND_COUNT];

	if (!is_simple(z) || z->raw.prefix_count > 2 ||
	    ZYAN_FAILED(zydis.operands(&zydis.decoder, c, z, o,
				       z->operand_count)))
		return false;
	if (makes_room(z, o, sp))
		return true;
	for (unsigned i = 0; i < z->operand_count; i++) {
		bool writes = o[i].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
		if (o[i].type == ZYDIS_OPERAND_TYPE_MEMORY && !is_nop(z) &&
		    writes && !is_own(&o[i], *sp))
			return false;
		if (o[i].type == ZYDIS_OPERAND_TYPE_REGISTER && writes &&
		    (argument(o[i].reg.value) & looks ||
		     zydis.whole(ZYDIS_MACHINE_MODE_LONG_64, o[i].reg.value) ==
		     ZYDIS_REGISTER_RSP))
			return false;
	}
	return true;
}

static bool
enters_kernel(const ZydisDecodedInstruction *z)
{
	return z->meta.category == ZYDIS_CATEGORY_SYSCALL ||
	       z->meta.category == ZYDIS_CATEGORY_INTERRUPT ||
	       z->meta.category == ZYDIS_CATEGORY_SYSTEM ||
	       z->mnemonic == ZYDIS_MNEMONIC_UD2;
}

/* Places in the front of a function. */
struct front {
	struct insn_entry first;	/* where a probe may be at all */
	struct insn_entry best;		/* the first that is emulated */
	bool best_is_push;
};

static void
look_at_front(const uint8_t *code, size_t size, size_t most, unsigned looks,
	      struct front *f)
{
	struct computed computed = { 0 };
	ZydisDecodedInstruction z;
	ZydisDecoderContext c;
	uint32_t sp = 0;
	size_t at = 0;
	struct insn i;

	*f = (struct front){ 0 };
	for (unsigned n = 0; n < PASSED_MAX && at < size && at < most; n++) {
		if (ZYAN_FAILED(zydis.decode(&zydis.decoder, &c, code + at,
					     size - at, &z)))
			return;
		describe(code, at, &z, &computed, &i);
		if (!i.is_harmful && !f->first.found)
			f->first = (struct insn_entry){
				true, !i.is_emulated, false, i.at, sp };
		if (i.is_emulated) {
			f->best = (struct insn_entry){
				true, false, false, i.at, sp };
			f->best_is_push = is_push(code + at, &z);
			return;
		}
		if (i.kind != INSN_PLAIN || enters_kernel(&z) ||
		    (looks && !is_passed(&c, &z, looks, &sp)))
			return;
		at += z.length;
	}
}

/* What leads to the front of a function from inside of it. */
struct leading {
	uint32_t lowest;	/* the lowest target behind the beginning */
	bool by_table;
};

static bool
on_insn(void *ctx, const struct insn *i)
{
	struct leading *l = ctx;

	if (i->has_target && i->target > 0 && i->target < l->lowest)
		l->lowest = (uint32_t)i->target;
	l->by_table |= i->kind == INSN_TABLE;
	return true;
}

/* Where the branch is of the look at the room on the stack that functions of Go begin
 * with, from 1.17 on; 0: there is none.  Where there is too little the function moves to
 * a larger stack, and begins once more:
 *
 *	[lea -N(%rsp),%r12]
 *	cmp 0x10(%r14),%rsp (or %r12)
 *	jbe ... (which ends in a jump to the beginning)
 */
static size_t
go_check(const uint8_t *code, size_t size)
{
	static const uint8_t lea[] = { 0x4c, 0x8d }, compares[2][4] = {
		{ 0x49, 0x3b, 0x66, 0x10 }, { 0x4d, 0x3b, 0x66, 0x10 },
	};
	size_t at = 0;
	bool is_large = size > 4 && !memcmp(code, lea, 2) && code[3] == 0x24 &&
			(code[2] == 0x64 || code[2] == 0xa4);

	if (is_large)
		at = code[2] == 0x64 ? 5 : 8;
	if (size < at + 10 || memcmp(code + at, compares[is_large], 4))
		return 0;
	at += 4;
	return code[at] == 0x76 || (code[at] == 0x0f && code[at + 1] == 0x86) ?
	       at : 0;
}

/* There, if nothing else leads there. */
static struct err *
choose_go(const uint8_t *code, size_t size, size_t at, struct insn_entry *ret)
{
	struct leading l = { .lowest = UINT32_MAX };
	size_t end;

	TRY(insn_walk(code, size, on_insn, &l, &end));
	if (l.lowest > at && !l.by_table && end >= size)
		*ret = (struct insn_entry){ .found = true, .is_checked = true,
					    .at = (uint32_t)at };
	return NULL;
}

static struct err *
choose(const uint8_t *code, size_t size, const struct front *f,
       struct insn_entry *ret)
{
	struct leading l = { .lowest = UINT32_MAX };
	size_t end;

	TRY(insn_walk(code, size, on_insn, &l, &end));
	bool unknown = l.by_table || end < size;
	if (f->best.found && f->best.at < l.lowest &&
	    (!unknown || f->best_is_push))
		*ret = f->best;
	else if (!f->first.at || (f->first.at < l.lowest && !unknown))
		*ret = f->first;
	else
		*ret = (struct insn_entry){ .found = false };
	return NULL;
}

struct err *
insn_entry(const uint8_t *code, size_t size, size_t most, unsigned looks,
	   struct insn_entry *ret)
{
	struct front f;

	TRY(need_zydis());
	size_t checked = go_check(code, size);
	ret->found = false;
	if (checked && checked < size && checked < most)
		TRY(choose_go(code, size, checked, ret));
	if (ret->found)
		return NULL;
	look_at_front(code, size, most, looks, &f);
	if ((f.best.found && !f.best.at) || (!f.best.found && !f.first.at)) {
		*ret = f.best.found ? f.best : f.first;
		return NULL;
	}
	return choose(code, size, &f, ret);
}
#endif
