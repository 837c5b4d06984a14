/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The instructions.  DIF has been verified, so decoding checks nothing; what
 * remains to go wrong is a fault.
 */
#include "vm/vm_priv.h"

struct frame {
	struct vm *vm;
	const struct dif_difo *d;
	uint32_t pc;			/* of the next instruction */
	uint64_t r[DIF_NREGS];
	bool n, z, v, c;
	unsigned depth;
	struct vm_tuple tuple[DIF_NTUPLE];
	uint64_t old;		/* what the last addition found */
};

/* --- Arithmetic -------------------------------------------------------- */

static int64_t
divide_signed(int64_t a, int64_t b, bool rem)
{
	if (b == -1)		/* INT64_MIN / -1 traps in C */
		return rem ? 0 : (int64_t)-(uint64_t)a;
	return rem ? a % b : a / b;
}

static bool
alu(struct frame *f, unsigned op, uint64_t a, uint64_t b, uint64_t *ret)
{
	switch (op) {
	case DIF_OP_OR: *ret = a | b; return true;
	case DIF_OP_XOR: *ret = a ^ b; return true;
	case DIF_OP_AND: *ret = a & b; return true;
	case DIF_OP_SLL: *ret = a << (b & 63); return true;
	case DIF_OP_SRL: *ret = a >> (b & 63); return true;
	case DIF_OP_SRA: *ret = (int64_t)a >> (b & 63); return true;
	case DIF_OP_SUB: *ret = a - b; return true;
	case DIF_OP_ADD: *ret = a + b; return true;
	case DIF_OP_MUL: *ret = a * b; return true;
	}
	if (b == 0)
		return vm_raise(f->vm, ABI_FAULT_DIVZERO, 0);
	switch (op) {
	case DIF_OP_SDIV: *ret = divide_signed(a, b, false); return true;
	case DIF_OP_SREM: *ret = divide_signed(a, b, true); return true;
	case DIF_OP_UDIV: *ret = a / b; return true;
	default: *ret = a % b; return true;
	}
}

static void
compare(struct frame *f, uint64_t a, uint64_t b)
{
	uint64_t d = a - b;

	f->n = d >> 63;
	f->z = d == 0;
	f->v = ((a ^ b) & (a ^ d)) >> 63;
	f->c = a < b;
}

static bool
compare_strings(struct frame *f, uint64_t a, uint64_t b)
{
	char *s = vm_tmp(f->vm, 0), *t = vm_tmp(f->vm, 1);
	uint32_t ns, nt;
	int diff;

	if (!a || !b) {		/* below all strings */
		compare(f, a != 0, b != 0);
		return true;
	}
	if (!vm_load_string(f->vm, a, 0, false, s, &ns) ||
	    !vm_load_string(f->vm, b, 0, false, t, &nt))
		return false;
	/* The NUL of the shorter is compared too. */
	diff = memcmp(s, t, BASE_MIN(ns, nt) + 1);
	f->n = f->c = diff < 0;
	f->z = diff == 0;
	f->v = false;
	return true;
}

static bool
branch_taken(const struct frame *f, unsigned op)
{
	switch (op) {
	case DIF_OP_BE: return f->z;
	case DIF_OP_BNE: return !f->z;
	case DIF_OP_BG: return !(f->z || f->n != f->v);
	case DIF_OP_BGU: return !(f->c || f->z);
	case DIF_OP_BGE: return f->n == f->v;
	case DIF_OP_BGEU: return !f->c;
	case DIF_OP_BL: return f->n != f->v;
	case DIF_OP_BLU: return f->c;
	case DIF_OP_BLE: return f->z || f->n != f->v;
	case DIF_OP_BLEU: return f->c || f->z;
	default: return true;
	}
}

/* --- Memory ------------------------------------------------------------ */

/* Loads and stores: size 0 marks every other opcode. */
static const struct {
	uint8_t size;
	bool sign, user, store;
} accesses[DIF_NOPS] = {
	[DIF_OP_LDSB] = { 1, .sign = true }, [DIF_OP_LDUB] = { 1 },
	[DIF_OP_LDSH] = { 2, .sign = true }, [DIF_OP_LDUH] = { 2 },
	[DIF_OP_LDSW] = { 4, .sign = true }, [DIF_OP_LDUW] = { 4 },
	[DIF_OP_LDX] = { 8 },
	[DIF_OP_RLDSB] = { 1, .sign = true }, [DIF_OP_RLDUB] = { 1 },
	[DIF_OP_RLDSH] = { 2, .sign = true }, [DIF_OP_RLDUH] = { 2 },
	[DIF_OP_RLDSW] = { 4, .sign = true }, [DIF_OP_RLDUW] = { 4 },
	[DIF_OP_RLDX] = { 8 },
	[DIF_OP_ULDSB] = { 1, true, true }, [DIF_OP_ULDUB] = { 1, false, true },
	[DIF_OP_ULDSH] = { 2, true, true }, [DIF_OP_ULDUH] = { 2, false, true },
	[DIF_OP_ULDSW] = { 4, true, true }, [DIF_OP_ULDUW] = { 4, false, true },
	[DIF_OP_ULDX] = { 8, .user = true },
	[DIF_OP_STB] = { 1, .store = true }, [DIF_OP_STH] = { 2, .store = true },
	[DIF_OP_STW] = { 4, .store = true }, [DIF_OP_STX] = { 8, .store = true },
};

static uint64_t
extend(const void *p, unsigned size, bool sign)
{
	uint8_t b8;
	uint16_t b16;
	uint32_t b32;
	uint64_t v;

	switch (size) {
	case 1: memcpy(&b8, p, 1); v = b8; break;
	case 2: memcpy(&b16, p, 2); v = b16; break;
	case 4: memcpy(&b32, p, 4); v = b32; break;
	default: memcpy(&v, p, 8); break;
	}
	return sign ? (uint64_t)base_sext(v, size * 8) : v;
}

static bool
load(struct frame *f, unsigned op, uint64_t addr, uint64_t *ret)
{
	uint8_t buf[8];

	if (!vm_load(f->vm, addr, buf, accesses[op].size, accesses[op].user))
		return false;
	*ret = extend(buf, accesses[op].size, accesses[op].sign);
	return true;
}

static bool
store(struct frame *f, unsigned op, uint64_t v, uint64_t addr)
{
	unsigned size = accesses[op].size;
	uint8_t *p = vm_own_store(f->vm, addr, size);
	uint8_t b8 = v;
	uint16_t b16 = v;
	uint32_t b32 = v;

	if (!p)
		return vm_raise(f->vm, ABI_FAULT_BADADDR, addr);
	switch (size) {
	case 1: memcpy(p, &b8, 1); break;
	case 2: memcpy(p, &b16, 2); break;
	case 4: memcpy(p, &b32, 4); break;
	default: memcpy(p, &v, 8); break;
	}
	return true;
}

/* Memory of the world is read twice, so that nothing is written when the end
 * cannot be read. */
static bool
copy(struct frame *f, uint64_t from, uint64_t n, uint64_t to)
{
	struct vm *vm = f->vm;
	uint8_t *p;

	if (n == 0)
		return true;
	p = vm_own_store(vm, to, n);
	if (!p)
		return vm_raise(vm, ABI_FAULT_BADADDR, to);
	if (!vm_own(vm, from, n))
		for (uint64_t i = 0; i < n; i += vm->tmp_size)
			if (!vm_load(vm, from + i, vm->tmp,
				     BASE_MIN(n - i, vm->tmp_size), false))
				return vm_raise(vm, ABI_FAULT_BADADDR, from);
	return vm_load(vm, from, p, n, false);
}

static bool
claim(struct frame *f, uint64_t n, uint64_t *ret)
{
	uint8_t *p = vm_scratch(f->vm, n);

	if (!p)
		return false;
	memset(p, 0, base_align(n, 8));
	*ret = (uintptr_t)p;
	return true;
}

/* --- Variables and tuples ---------------------------------------------- */

static const struct {
	uint8_t scope, kind;
	bool is_var, is_store, is_add, is_old;
} vars[DIF_NOPS] = {
	[DIF_OP_LDGS] = { DIF_VS_GLOBAL, DIF_VK_SCALAR, true, false },
	[DIF_OP_LDTS] = { DIF_VS_THREAD, DIF_VK_SCALAR, true, false },
	[DIF_OP_LDLS] = { DIF_VS_LOCAL, DIF_VK_SCALAR, true, false },
	[DIF_OP_LDGAA] = { DIF_VS_GLOBAL, DIF_VK_ARRAY, true, false },
	[DIF_OP_LDTAA] = { DIF_VS_THREAD, DIF_VK_ARRAY, true, false },
	[DIF_OP_STGS] = { DIF_VS_GLOBAL, DIF_VK_SCALAR, true, true },
	[DIF_OP_STTS] = { DIF_VS_THREAD, DIF_VK_SCALAR, true, true },
	[DIF_OP_STLS] = { DIF_VS_LOCAL, DIF_VK_SCALAR, true, true },
	[DIF_OP_STGAA] = { DIF_VS_GLOBAL, DIF_VK_ARRAY, true, true },
	[DIF_OP_STTAA] = { DIF_VS_THREAD, DIF_VK_ARRAY, true, true },
	[DIF_OP_ADDGS] = { DIF_VS_GLOBAL, DIF_VK_SCALAR, true, true, true },
	[DIF_OP_ADDGAA] = { DIF_VS_GLOBAL, DIF_VK_ARRAY, true, true, true },
	[DIF_OP_OLDGS] = { DIF_VS_GLOBAL, DIF_VK_SCALAR, true, .is_old = true },
	[DIF_OP_OLDGAA] = { DIF_VS_GLOBAL, DIF_VK_ARRAY, true, .is_old = true },
};

static bool
variable(struct frame *f, unsigned op, uint32_t id, uint64_t *rd)
{
	unsigned nts = vars[op].kind == DIF_VK_ARRAY ? f->depth : 0;
	uint64_t v = 0;

	if (op == DIF_OP_LDGS && id < DIF_VAR_OTHER_UBASE)
		return vm_bvar(f->vm, id, 0, rd);
	if (vars[op].is_old) {
		*rd = f->old;
		return true;
	}
	if (vars[op].is_add) {
		if (!vm_var_load(f->vm, id, vars[op].scope, vars[op].kind,
				 f->tuple, nts, &v))
			return false;
		f->old = v;
	}
	if (vars[op].is_store)
		return vm_var_store(f->vm, id, vars[op].scope, vars[op].kind,
				    f->tuple, nts, v + *rd);
	return vm_var_load(f->vm, id, vars[op].scope, vars[op].kind, f->tuple,
			   nts, rd);
}

static bool
push(struct frame *f, unsigned kind, uint64_t value, uint64_t size)
{
	if (f->depth == DIF_NTUPLE)
		return vm_raise(f->vm, ABI_FAULT_TUPOFLOW, 0);
	f->tuple[f->depth++] = (struct vm_tuple){ value, size, kind };
	return true;
}

/* --- Dispatch ---------------------------------------------------------- */

/* One instruction, but for ret. */
static bool
step(struct frame *f, uint32_t w)
{
	unsigned op = DIF_INSN_OP(w);
	uint64_t r1 = f->r[DIF_INSN_R1(w) & 7], r2 = f->r[DIF_INSN_R2(w) & 7];
	uint64_t *rd = &f->r[DIF_INSN_RD(w) & 7];

	if (dif_insn_is_branch(w)) {
		if (branch_taken(f, op))
			f->pc = DIF_INSN_LABEL(w);
		return true;
	}
	if (accesses[op].size)
		return accesses[op].store ? store(f, op, r1, *rd) :
					    load(f, op, r1, rd);
	if (vars[op].is_var)
		return variable(f, op, DIF_INSN_INDEX(w), rd);
	switch (op) {
	case DIF_OP_NOT: *rd = ~r1; return true;
	case DIF_OP_MOV: *rd = r1; return true;
	case DIF_OP_CMP: compare(f, r1, r2); return true;
	/* r1 - 0: the same n and z, and no overflow */
	case DIF_OP_TST: compare(f, r1, 0); return true;
	case DIF_OP_SCMP: return compare_strings(f, r1, r2);
	case DIF_OP_NOP: return true;
	case DIF_OP_SETX: *rd = f->d->ints[DIF_INSN_INDEX(w)]; return true;
	case DIF_OP_SETS:
		*rd = (uintptr_t)(f->d->strs + DIF_INSN_INDEX(w));
		return true;
	case DIF_OP_LDGA: return vm_bvar(f->vm, DIF_INSN_R1(w), r2, rd);
	case DIF_OP_CALL:
		return vm_call(f->vm, DIF_INSN_INDEX(w), f->tuple, f->depth, rd);
	case DIF_OP_CALLF:
		if (!vm_callf(f->vm, DIF_INSN_INDEX(w)))
			return false;
		f->vm->difo = f->d;
		return true;
	case DIF_OP_PUSHTR: return push(f, DIF_PUSH_STRING, *rd, r2);
	case DIF_OP_PUSHTV: return push(f, DIF_PUSH_INT, *rd, 0);
	case DIF_OP_POPTS: f->depth -= f->depth > 0; return true;
	case DIF_OP_FLUSHTS: f->depth = 0; return true;
	case DIF_OP_ALLOCS: return claim(f, r1, rd);
	case DIF_OP_COPYS: return copy(f, r1, r2, *rd);
	case DIF_OP_LDTA: case DIF_OP_XLATE: case DIF_OP_XLARG:
		return vm_raise(f->vm, ABI_FAULT_ILLOP, 0);
	default: return alu(f, op, r1, r2, rd);
	}
}

bool
vm_run(struct vm *vm, const struct dif_difo *d, uint64_t *ret)
{
	struct frame f;

	memset(&f, 0, offsetof(struct frame, tuple));
	f.vm = vm;
	f.d = d;
	vm->difo = d;
	for (;;) {
		uint32_t pc = f.pc++, w = d->text[pc];

		if (DIF_INSN_OP(w) == DIF_OP_RET) {
			*ret = f.r[DIF_INSN_RD(w) & 7];
			return true;
		}
		if (!step(&f, w)) {
			/* A function that faulted has said where. */
			if (DIF_INSN_OP(w) != DIF_OP_CALLF ||
			    DIF_INSN_INDEX(w) >= vm->nfuncs)
				vm->fault.dif_offset = (int32_t)(pc * 4);
			return false;
		}
	}
}
