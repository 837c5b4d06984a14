/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Every opcode with its edge values.
 */
#include "world.h"

#define RET(d) R(RET, 0, 0, d)
#define NCODE(code) (sizeof(code) / sizeof((code)[0]))

static bool ran[DIF_NOPS];	/* which opcodes some test has run */

/* Run code with ints 0.. as its integer table. */
static bool
run_ints(struct world *w, const uint32_t *code, uint32_t n,
	 const uint64_t *ints, uint32_t nints, uint64_t *ret)
{
	static uint32_t kept[4096];	/* the result may point to its DIFO */
	static struct dif_difo d;

	memcpy(kept, code, n * sizeof(*code));
	d = rdif_fixture(kept, n);
	d.ints = ints;
	d.nints = nints;
	for (uint32_t i = 0; i < n; i++)
		ran[DIF_INSN_OP(code[i])] = true;
	must_verify(&d);
	return vm_run(&w->vm, &d, ret);
}

#define RUN(w, ints, ret, ...) run_ints(w, (uint32_t[]){ __VA_ARGS__ }, \
	sizeof((uint32_t[]){ __VA_ARGS__ }) / 4, ints, BASE_NELEMS(ints), ret)

static const uint64_t edges[] = {
	0, 1, 2, 63, 64, 65, 0x7f, 0x80, 0xffffffff, 0x80000000,
	INT64_MAX, 1ULL << 63, (1ULL << 63) + 1, UINT64_MAX, UINT64_MAX - 1,
};
enum { NEDGES = BASE_NELEMS(edges) };

/* --- Arithmetic -------------------------------------------------------- */

static void
test_alu_rows(void **state)
{
	static const struct {
		unsigned op;
		uint64_t a, b, want;
	} rows[] = {
		{ DIF_OP_OR, 0xf0, 0x0f, 0xff },
		{ DIF_OP_XOR, 0xff, 0x0f, 0xf0 },
		{ DIF_OP_AND, 0xff, 0x0f, 0x0f },
		{ DIF_OP_SLL, 1, 63, 1ULL << 63 },
		{ DIF_OP_SLL, 1, 64, 1 },
		{ DIF_OP_SLL, 3, 65, 6 },
		{ DIF_OP_SLL, 1, UINT64_MAX, 1ULL << 63 },
		{ DIF_OP_SRL, UINT64_MAX, 60, 15 },
		{ DIF_OP_SRL, 8, 67, 1 },
		{ DIF_OP_SRA, 1ULL << 63, 63, UINT64_MAX },
		{ DIF_OP_SRA, -8, 1, -4 },
		{ DIF_OP_SRA, -8, 65, -4 },
		{ DIF_OP_SRA, 8, 1, 4 },
		{ DIF_OP_SUB, 0, 1, UINT64_MAX },
		{ DIF_OP_ADD, UINT64_MAX, 2, 1 },
		{ DIF_OP_MUL, 1ULL << 32, 1ULL << 32, 0 },
		{ DIF_OP_MUL, -3, 5, -15 },
		{ DIF_OP_SDIV, -7, 2, -3 },
		{ DIF_OP_SDIV, 7, -2, -3 },
		{ DIF_OP_SDIV, 1ULL << 63, -1, 1ULL << 63 },
		{ DIF_OP_SDIV, 5, -1, -5 },
		{ DIF_OP_UDIV, -7, 2, INT64_MAX - 3 },
		{ DIF_OP_UDIV, 1ULL << 63, UINT64_MAX, 0 },
		{ DIF_OP_SREM, -7, 2, -1 },
		{ DIF_OP_SREM, 7, -2, 1 },
		{ DIF_OP_SREM, 1ULL << 63, -1, 0 },
		{ DIF_OP_UREM, UINT64_MAX, 10, 5 },
		{ DIF_OP_UREM, 7, UINT64_MAX, 7 },
	};
	struct world w;
	uint64_t v;

	world_init(&w);
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		uint64_t ints[] = { rows[i].a, rows[i].b };

		assert_true(RUN(&w, ints, &v, W(SETX, 0, 1), W(SETX, 1, 2),
				DIF_FMT_R(rows[i].op, 1, 2, 3), RET(3)));
		if (v != rows[i].want)
			fail_msg("%s %llx %llx gave %llx",
				 dif_op_info(rows[i].op)->name,
				 (unsigned long long)rows[i].a,
				 (unsigned long long)rows[i].b,
				 (unsigned long long)v);
	}
	world_fini(&w);
}

static void
test_divide_by_zero(void **state)
{
	static const uint8_t ops[] = {
		DIF_OP_SDIV, DIF_OP_UDIV, DIF_OP_SREM, DIF_OP_UREM
	};
	struct world w;
	uint64_t v = 99, ints[] = { 1 };

	world_init(&w);
	for (size_t i = 0; i < BASE_NELEMS(ops); i++) {
		assert_false(RUN(&w, ints, &v, W(SETX, 0, 1),
				 DIF_FMT_R(ops[i], 1, 0, 2), RET(2)));
		expect_fault(&w, ABI_FAULT_DIVZERO, 0, 4);
	}
	assert_int_equal(v, 99);
	world_fini(&w);
}

static void
test_moves(void **state)
{
	struct world w;
	uint64_t v, ints[] = { 5, 0x1234567890abcdef };

	world_init(&w);
	assert_true(RUN(&w, ints, &v, W(SETX, 1, 1), R(NOP, 0, 0, 0),
			R(NOT, 1, 0, 2), R(MOV, 2, 0, 3), RET(3)));
	assert_int_equal(v, ~0x1234567890abcdefULL);
	/* the destination may be a source */
	assert_true(RUN(&w, ints, &v, W(SETX, 0, 1), R(ADD, 1, 1, 1), RET(1)));
	assert_int_equal(v, 10);
	assert_true(RUN(&w, ints, &v, W(SETX, 0, 1), R(SUB, 0, 1, 1), RET(1)));
	assert_int_equal(v, -5);
	assert_true(RUN(&w, ints, &v, RET(0)));
	assert_int_equal(v, 0);
	world_fini(&w);
}

/* --- Comparison -------------------------------------------------------- */

static bool
holds(unsigned op, uint64_t a, uint64_t b)
{
	int64_t sa = a, sb = b;

	switch (op) {
	case DIF_OP_BA: return true;
	case DIF_OP_BE: return a == b;
	case DIF_OP_BNE: return a != b;
	case DIF_OP_BG: return sa > sb;
	case DIF_OP_BGE: return sa >= sb;
	case DIF_OP_BL: return sa < sb;
	case DIF_OP_BLE: return sa <= sb;
	case DIF_OP_BGU: return a > b;
	case DIF_OP_BGEU: return a >= b;
	case DIF_OP_BLU: return a < b;
	case DIF_OP_BLEU: return a <= b;
	}
	fail();
	return false;
}

static void
check_branch(struct world *w, uint32_t compare, unsigned op, uint64_t a,
	     uint64_t b)
{
	uint64_t v, ints[] = { a, b, 1 };

	assert_true(RUN(w, ints, &v, W(SETX, 0, 1), W(SETX, 1, 2), compare,
			DIF_FMT_B(op, 5), RET(0), W(SETX, 2, 3), RET(3)));
	if (v != holds(op, a, b))
		fail_msg("%s after %s of %llx and %llx",
			 dif_op_info(op)->name,
			 dif_op_info(DIF_INSN_OP(compare))->name,
			 (unsigned long long)a, (unsigned long long)b);
}

static void
test_branches(void **state)
{
	struct world w;

	world_init(&w);
	for (unsigned op = DIF_OP_BA; op <= DIF_OP_BLEU; op++)
		for (unsigned i = 0; i < NEDGES; i++) {
			check_branch(&w, R(TST, 1, 0, 0), op, edges[i], 0);
			for (unsigned j = 0; j < NEDGES; j++)
				check_branch(&w, R(CMP, 1, 2, 0), op,
					     edges[i], edges[j]);
		}
	world_fini(&w);
}

static void
test_scmp(void **state)
{
	static const struct {
		const char *a, *b;
		int order;
	} rows[] = {
		{ "", "", 0 }, { "abc", "abc", 0 }, { "abc", "abd", -1 },
		{ "abc", "ab", 1 }, { "", "a", -1 }, { "\xff", "a", 1 },
		{ "a", "\x80", -1 },
		/* strsize is 8: only seven bytes count */
		{ "1234567x", "1234567y", 0 }, { "123456x", "123456y", -1 },
	};
	struct world w = { .prog.strsize = 8 };

	world_vars(&w);
	world_start(&w, 64, 1);
	for (unsigned op = DIF_OP_BA; op <= DIF_OP_BLEU; op++)
		for (unsigned i = 0; i < BASE_NELEMS(rows); i++) {
			uint64_t v, ints[] = { KMEM, KMEM + 64, 1 };

			strcpy((char *)w.kmem, rows[i].a);
			strcpy((char *)w.kmem + 64, rows[i].b);
			assert_true(RUN(&w, ints, &v, W(SETX, 0, 1),
				W(SETX, 1, 2), R(SCMP, 1, 2, 0),
				DIF_FMT_B(op, 5), RET(0), W(SETX, 2, 3),
				RET(3)));
			/* small signed numbers order alike unsigned when
			 * shifted off zero */
			assert_int_equal(v, holds(op, rows[i].order + 2, 2));
		}
	world_fini(&w);
}

/* NULL is no string: equal to itself, and below all others. */
static void
test_scmp_null(void **state)
{
	static const struct { unsigned a, b; int order; } rows[] = {
		{ 0, 0, 0 }, { 0, 1, -1 }, { 1, 0, 1 },
	};
	struct world w;
	uint64_t v, ints[] = { KMEM, 1 };

	world_init(&w);
	memset(w.kmem, 'x', PAGE);	/* and is not looked at */
	for (unsigned op = DIF_OP_BA; op <= DIF_OP_BLEU; op++)
		for (unsigned i = 0; i < BASE_NELEMS(rows); i++) {
			assert_true(RUN(&w, ints, &v, W(SETX, 0, 1),
				R(SCMP, rows[i].a, rows[i].b, 0),
				DIF_FMT_B(op, 4), RET(0), W(SETX, 1, 3),
				RET(3)));
			assert_int_equal(v, holds(op, rows[i].order + 2, 2));
		}
	world_fini(&w);
}

static void
test_scmp_faults(void **state)
{
	struct world w;
	uint64_t v, ints[] = { KMEM + PAGE - 2, 0x1000, 0 };

	world_init(&w);
	memset(w.kmem, 'x', PAGE);	/* no NUL before the page ends */
	assert_false(RUN(&w, ints, &v, W(SETX, 1, 1), W(SETX, 0, 2),
			 R(SCMP, 1, 2, 0), RET(0)));
	expect_fault(&w, ABI_FAULT_BADADDR, 0x1000, 8);
	assert_false(RUN(&w, ints, &v, W(SETX, 0, 1), R(SCMP, 1, 1, 0),
			 RET(0)));
	expect_fault(&w, ABI_FAULT_BADADDR, KMEM + PAGE - 2, 4);
	world_fini(&w);
}

/* --- Loads and stores -------------------------------------------------- */

static const struct {
	uint8_t op, size;
	bool sign, user;
} loads[] = {
	{ DIF_OP_LDSB, 1, 1, 0 }, { DIF_OP_LDSH, 2, 1, 0 },
	{ DIF_OP_LDSW, 4, 1, 0 }, { DIF_OP_LDUB, 1, 0, 0 },
	{ DIF_OP_LDUH, 2, 0, 0 }, { DIF_OP_LDUW, 4, 0, 0 },
	{ DIF_OP_LDX, 8, 0, 0 },
	{ DIF_OP_RLDSB, 1, 1, 0 }, { DIF_OP_RLDSH, 2, 1, 0 },
	{ DIF_OP_RLDSW, 4, 1, 0 }, { DIF_OP_RLDUB, 1, 0, 0 },
	{ DIF_OP_RLDUH, 2, 0, 0 }, { DIF_OP_RLDUW, 4, 0, 0 },
	{ DIF_OP_RLDX, 8, 0, 0 },
	{ DIF_OP_ULDSB, 1, 1, 1 }, { DIF_OP_ULDSH, 2, 1, 1 },
	{ DIF_OP_ULDSW, 4, 1, 1 }, { DIF_OP_ULDUB, 1, 0, 1 },
	{ DIF_OP_ULDUH, 2, 0, 1 }, { DIF_OP_ULDUW, 4, 0, 1 },
	{ DIF_OP_ULDX, 8, 0, 1 },
};

static void
check_load(struct world *w, unsigned i, uint64_t memory)
{
	uint64_t base = loads[i].user ? UMEM : KMEM, v;
	unsigned bits = loads[i].size * 8;
	uint64_t want = loads[i].sign ? (uint64_t)base_sext(memory, bits) :
			bits == 64 ? memory : memory & ((1ULL << bits) - 1);
	uint64_t ints[] = { base + 3 };	/* no alignment is asked for */

	memcpy((loads[i].user ? w->umem : w->kmem) + 3, &memory, 8);
	assert_true(RUN(w, ints, &v, W(SETX, 0, 1),
			DIF_FMT_R(loads[i].op, 1, 0, 2), RET(2)));
	assert_int_equal(v, want);
}

static void
test_loads(void **state)
{
	struct world w;
	uint64_t v;

	world_init(&w);
	for (unsigned i = 0; i < BASE_NELEMS(loads); i++) {
		uint64_t base = loads[i].user ? UMEM : KMEM;
		uint64_t last = base + PAGE - loads[i].size;
		uint64_t other = loads[i].user ? KMEM : UMEM;
		uint64_t ints[] = { last, last + 1, other, base - 1 };

		check_load(&w, i, 0x8182838485868788);
		check_load(&w, i, 0x0102030405060708);
		check_load(&w, i, UINT64_MAX);
		assert_true(RUN(&w, ints, &v, W(SETX, 0, 1),
				DIF_FMT_R(loads[i].op, 1, 0, 2), RET(2)));
		for (unsigned bad = 1; bad < 4; bad++) {
			assert_false(RUN(&w, ints, &v, W(SETX, bad, 1),
				DIF_FMT_R(loads[i].op, 1, 0, 2), RET(2)));
			expect_fault(&w, ABI_FAULT_BADADDR, ints[bad], 4);
		}
		assert_false(RUN(&w, ints, &v,
				 DIF_FMT_R(loads[i].op, 0, 0, 2), RET(2)));
		expect_fault(&w, ABI_FAULT_BADADDR, 0, 0);
	}
	world_fini(&w);
}

static void
test_stores(void **state)
{
	static const struct {
		uint8_t op;
		uint64_t want;
	} rows[] = {
		{ DIF_OP_STB, 0xef }, { DIF_OP_STH, 0xcdef },
		{ DIF_OP_STW, 0x90abcdef }, { DIF_OP_STX, 0x1234567890abcdef },
	};
	struct world w;
	uint64_t v, ints[] = { 16, 0x1234567890abcdef, KMEM, 9, 8 };

	world_init(&w);
	for (unsigned i = 0; i < BASE_NELEMS(rows); i++) {
		vm_fire(&w.vm);
		assert_true(RUN(&w, ints, &v, W(SETX, 0, 1),
			R(ALLOCS, 1, 0, 1), W(SETX, 1, 2),
			DIF_FMT_R(rows[i].op, 2, 0, 1), R(LDX, 1, 0, 3),
			RET(3)));
		assert_int_equal(v, rows[i].want);
		/* never to the kernel, nor to NULL, nor to strings */
		assert_false(RUN(&w, ints, &v, W(SETX, 2, 1),
				 DIF_FMT_R(rows[i].op, 1, 0, 1), RET(0)));
		expect_fault(&w, ABI_FAULT_BADADDR, KMEM, 4);
		assert_false(RUN(&w, ints, &v,
				 DIF_FMT_R(rows[i].op, 0, 0, 0), RET(0)));
		expect_fault(&w, ABI_FAULT_BADADDR, 0, 0);
		assert_false(RUN(&w, ints, &v, W(SETS, S_HELLO, 1),
				 DIF_FMT_R(rows[i].op, 0, 0, 1), RET(0)));
		expect_fault(&w, ABI_FAULT_BADADDR,
			     (uintptr_t)rdif_strs + S_HELLO, 4);
		assert_false(RUN(&w, ints, &v, W(LDGS, DIF_VAR_EXECNAME, 1),
				 DIF_FMT_R(rows[i].op, 0, 0, 1), RET(0)));
	}
	/* a store across the end of what is claimed */
	vm_fire(&w.vm);
	assert_false(RUN(&w, ints, &v, W(SETX, 0, 1), R(ALLOCS, 1, 0, 1),
			 W(SETX, 3, 2), R(ADD, 1, 2, 1), R(STX, 0, 0, 1),
			 RET(0)));
	expect_fault(&w, ABI_FAULT_BADADDR, (uintptr_t)w.vm.scratch + 9, 16);
	world_fini(&w);
}

static void
test_allocs(void **state)
{
	struct world w;
	uint64_t v, u, ints[] = { 1, 1000, UINT64_MAX, 1016, 0 };

	world_init(&w);		/* 1024 bytes of scratch */
	memset(w.vm.scratch, 0xee, 1024);
	assert_true(RUN(&w, ints, &v, W(SETX, 0, 1), R(ALLOCS, 1, 0, 2),
			R(LDX, 2, 0, 3), RET(3)));
	assert_int_equal(v, 0);		/* the rounding too */
	assert_true(RUN(&w, ints, &u, W(SETX, 0, 1), R(ALLOCS, 1, 0, 2),
			RET(2)));
	assert_int_equal(u % 8, 0);
	assert_int_equal(u, (uintptr_t)w.vm.scratch + 8);
	for (unsigned i = 2; i <= 3; i++) {
		assert_false(RUN(&w, ints, &v, W(SETX, i, 1),
				 R(ALLOCS, 1, 0, 2), RET(2)));
		expect_fault(&w, ABI_FAULT_NOSCRATCH, 0, 4);
	}
	assert_true(RUN(&w, ints, &v, W(SETX, 1, 1), R(ALLOCS, 1, 0, 2),
			RET(2)));
	vm_fire(&w.vm);
	assert_true(RUN(&w, ints, &v, W(SETX, 3, 1), R(ALLOCS, 1, 0, 2),
			RET(2)));
	world_fini(&w);
}

static void
test_copys(void **state)
{
	struct world w;
	uint64_t v, ints[] = { 32, 16, KMEM, KMEM + PAGE - 15, 4, 33,
			       600, KMEM + PAGE - 599 };

	world_init(&w);
	memcpy(w.kmem, "0123456\0 89abcdef", 17);
	/* NULs do not end it */
	assert_true(RUN(&w, ints, &v, W(SETX, 0, 1), R(ALLOCS, 1, 0, 1),
			W(SETX, 1, 2), W(SETX, 2, 3), R(COPYS, 3, 2, 1),
			RET(1)));
	assert_memory_equal((void *)(uintptr_t)v, w.kmem, 16);
	/* overlapping */
	assert_true(RUN(&w, ints, &v, W(SETX, 0, 1), R(ALLOCS, 1, 0, 1),
			W(SETX, 1, 2), W(SETX, 2, 3), R(COPYS, 3, 2, 1),
			W(SETX, 4, 4), R(ADD, 1, 4, 4), R(COPYS, 1, 2, 4),
			RET(4)));
	assert_memory_equal((void *)(uintptr_t)v, w.kmem, 16);
	/* the source ends early: nothing is written */
	vm_fire(&w.vm);
	assert_false(RUN(&w, ints, &v, W(SETX, 0, 1), R(ALLOCS, 1, 0, 1),
			 W(SETX, 1, 2), W(SETX, 3, 3), R(COPYS, 3, 2, 1),
			 RET(1)));
	expect_fault(&w, ABI_FAULT_BADADDR, KMEM + PAGE - 15, 16);
	assert_int_equal(w.vm.scratch[0], 0);
	/* the target is too small, and is looked at first */
	vm_fire(&w.vm);
	assert_false(RUN(&w, ints, &v, W(SETX, 0, 1), R(ALLOCS, 1, 0, 1),
			 W(SETX, 5, 2), R(COPYS, 0, 2, 1), RET(1)));
	expect_fault(&w, ABI_FAULT_BADADDR, (uintptr_t)w.vm.scratch, 12);
	assert_false(RUN(&w, ints, &v, W(SETX, 1, 2), W(SETX, 2, 3),
			 R(COPYS, 0, 2, 3), RET(0)));
	expect_fault(&w, ABI_FAULT_BADADDR, KMEM, 8);
	/* a long one, whose last byte cannot be read, and one that can */
	vm_fire(&w.vm);
	assert_false(RUN(&w, ints, &v, W(SETX, 6, 2), R(ALLOCS, 2, 0, 1),
			 W(SETX, 7, 3), R(COPYS, 3, 2, 1), RET(1)));
	expect_fault(&w, ABI_FAULT_BADADDR, KMEM + PAGE - 599, 12);
	assert_int_equal(w.vm.scratch[0], 0);
	vm_fire(&w.vm);
	for (unsigned i = 0; i < 600; i++)
		w.kmem[i] = i * 7;
	assert_true(RUN(&w, ints, &v, W(SETX, 6, 2), R(ALLOCS, 2, 0, 1),
			W(SETX, 2, 3), R(COPYS, 3, 2, 1), RET(1)));
	assert_memory_equal((void *)(uintptr_t)v, w.kmem, 600);
	/* nothing to copy: no address is looked at */
	assert_true(RUN(&w, ints, &v, R(COPYS, 0, 0, 0), RET(0)));
	world_fini(&w);
}

/* --- Variables --------------------------------------------------------- */

static void
test_builtins(void **state)
{
	struct world w;
	uint64_t v, ints[] = { 3, 9, 10, 4 };

	world_init(&w);
	assert_true(RUN(&w, ints, &v, W(LDGS, DIF_VAR_PID, 1), RET(1)));
	assert_int_equal(v, 0x42);		/* four bytes of it */
	assert_true(RUN(&w, ints, &v, W(LDGS, DIF_VAR_EXECNAME, 1), RET(1)));
	assert_string_equal((char *)(uintptr_t)v, "cat");
	assert_true(RUN(&w, ints, &v, W(LDGS, DIF_VAR_EXECNAME, 1),
			R(LDUB, 1, 0, 1), RET(1)));
	assert_int_equal(v, 'c');
	assert_true(RUN(&w, ints, &v, W(SETX, 1, 1),
			R(LDGA, DIF_VAR_ARGS, 1, 2), RET(2)));
	assert_int_equal(v, 109);
	assert_true(RUN(&w, ints, &v, W(SETX, 2, 1),
			R(LDGA, DIF_VAR_ARGS, 1, 2), RET(2)));
	assert_int_equal(v, 0);
	assert_true(RUN(&w, ints, &v, W(SETX, 0, 1),
			R(LDGA, DIF_VAR_UREGS, 1, 2), RET(2)));
	assert_int_equal(v, 7);
	assert_false(RUN(&w, ints, &v, W(SETX, 3, 1),
			 R(LDGA, DIF_VAR_UREGS, 1, 2), RET(2)));
	expect_fault(&w, ABI_FAULT_ILLOP, 0, 4);
	world_fini(&w);
}

static void
test_scalars(void **state)
{
	static const struct {
		uint32_t store, load;
		uint64_t want;
	} rows[] = {
		{ W(STGS, V_X, 1), W(LDGS, V_X, 2), 0x90abcdef },
		{ W(STTS, V_T, 1), W(LDTS, V_T, 2), 0x1234567890abcdef },
		{ W(STLS, V_L, 1), W(LDLS, V_L, 2), 0x1234567890abcdef },
	};
	struct world w;
	uint64_t v, ints[] = { 0x1234567890abcdef };

	world_init(&w);
	for (unsigned i = 0; i < BASE_NELEMS(rows); i++) {
		assert_true(RUN(&w, ints, &v, rows[i].load, RET(2)));
		assert_int_equal(v, 0);
		assert_true(RUN(&w, ints, &v, W(SETX, 0, 1), rows[i].store,
				rows[i].load, RET(2)));
		assert_int_equal(v, rows[i].want);
	}
	/* 0x90abcdef of 4 bytes twice */
	assert_true(RUN(&w, ints, &v, W(SETX, 0, 1), W(ADDGS, V_X, 1),
			W(LDGS, V_X, 2), W(STGS, V_X, 0), W(ADDGS, V_X, 1),
			RET(2)));
	assert_int_equal(v, 0x21579bde);
	assert_true(RUN(&w, ints, &v, W(SETX, 0, 1), W(STGS, V_X, 0),
			W(ADDGS, V_X, 1), W(OLDGS, V_X, 2), W(ADDGS, V_X, 1),
			W(OLDGS, V_X, 3), R(ADD, 2, 3, 2), W(STGS, V_X, 1),
			RET(2)));
	assert_int_equal(v, 0x90abcdef);
	/* the next firing keeps all but the clause-locals */
	vm_fire(&w.vm);
	for (unsigned i = 0; i < BASE_NELEMS(rows); i++) {
		assert_true(RUN(&w, ints, &v, rows[i].load, RET(2)));
		assert_int_equal(v, i == 2 ? 0 : rows[i].want);
	}
	/* another thread has its own */
	w.tid = 6;
	assert_true(RUN(&w, ints, &v, W(LDTS, V_T, 2), RET(2)));
	assert_int_equal(v, 0);
	w.tid = 5;
	assert_true(RUN(&w, ints, &v, W(LDTS, V_T, 2), RET(2)));
	assert_int_equal(v, ints[0]);
	world_fini(&w);
}

static const char *
text_of(uint64_t v)
{
	return (const char *)(uintptr_t)v;
}

static void
test_string_variable(void **state)
{
	struct world w;
	uint64_t v, u, ints[] = { KMEM, 0x30, 0x2000 };

	world_init(&w);
	strcpy((char *)w.kmem, "kernel text");
	/* unset: the empty string at an address */
	assert_true(RUN(&w, ints, &v, W(LDGS, V_S, 1), RET(1)));
	assert_string_equal(text_of(v), "");
	assert_true(RUN(&w, ints, &v, W(SETX, 0, 1), W(STGS, V_S, 1),
			W(LDGS, V_S, 2), RET(2)));
	assert_string_equal(text_of(v), "kernel text");
	/* from itself */
	assert_true(RUN(&w, ints, &v, W(LDGS, V_S, 1), W(STGS, V_S, 1),
			W(LDGS, V_S, 2), RET(2)));
	assert_string_equal(text_of(v), "kernel text");
	/* unreadable: a fault, and the old value */
	assert_false(RUN(&w, ints, &v, W(SETX, 2, 1), W(STGS, V_S, 1),
			 RET(0)));
	expect_fault(&w, ABI_FAULT_BADADDR, 0x2000, 4);
	assert_true(RUN(&w, ints, &u, W(LDGS, V_S, 2), RET(2)));
	assert_string_equal(text_of(u), "kernel text");
	/* no bytes are stored into it */
	assert_false(RUN(&w, ints, &v, W(LDGS, V_S, 1), W(SETX, 1, 2),
			 R(STB, 2, 0, 1), RET(1)));
	expect_fault(&w, ABI_FAULT_BADADDR, u, 8);
	assert_string_equal(text_of(u), "kernel text");
	/* number 0: empty, no fault */
	assert_true(RUN(&w, ints, &v, W(STGS, V_S, 0), W(LDGS, V_S, 1),
			RET(1)));
	assert_string_equal(text_of(v), "");
	world_fini(&w);
}

static void
test_sizes_of_references(void **state)
{
	struct world w = { .prog.strsize = 64 };
	struct dif_var vars[3];
	struct dif_difo d;
	uint64_t v, ints[] = { KMEM, UMEM };
	uint32_t code[] = { W(SETX, 0, 1), W(STGS, 0x520, 1), W(LDGS, 0x520, 2),
			    W(STGS, 0x521, 1), W(LDGS, 0x521, 3),
			    W(SETX, 1, 1), W(STGS, 0x522, 1), W(LDGS, 0x522, 4),
			    RET(2) };
	static const struct dif_type types[] = {
		{ DIF_TYPE_STRING, 0, DIF_TF_BYREF, 0, 5 },
		{ DIF_TYPE_CTF, DIF_CK_STRUCT, DIF_TF_BYREF, 0, 12 },
		{ DIF_TYPE_CTF, DIF_CK_STRUCT, DIF_TF_BYREF | DIF_TF_BYUREF, 0,
		  8 },
	};

	world_vars(&w);
	for (unsigned i = 0; i < 3; i++) {
		w.vars[i].id = vars[i].id = 0x520 + i;
		w.vars[i].kind = vars[i].kind = DIF_VK_SCALAR;
		w.vars[i].scope = vars[i].scope = DIF_VS_GLOBAL;
		w.vars[i].type = vars[i].type = types[i];
		vars[i].name = 0;
		vars[i].flags = 0;
	}
	world_start(&w, 64, 1);
	memcpy(w.kmem, "abcdef\0ghijklmn", 15);
	memcpy(w.umem, "user\0mem", 8);
	d = rdif_fixture(code, BASE_NELEMS(code));
	d.vars = vars;
	d.nvars = 3;
	d.ints = ints;
	d.nints = 2;
	must_verify(&d);
	assert_true(vm_run(&w.vm, &d, &v));
	assert_string_equal(text_of(v), "abcd");
	code[8] = RET(3);
	assert_true(vm_run(&w.vm, &d, &v));
	assert_memory_equal(text_of(v), "abcdef\0ghijk", 12);
	code[8] = RET(4);
	assert_true(vm_run(&w.vm, &d, &v));
	assert_memory_equal(text_of(v), "user\0mem", 8);
	/* an address behind the value of one variable is not in the next */
	code[7] = R(STX, 0, 0, 3);
	code[8] = RET(0);
	assert_true(vm_run(&w.vm, &d, &v));
	code[4] = R(NOP, 0, 0, 0);
	code[7] = R(STX, 0, 0, 2);	/* into a string */
	assert_false(vm_run(&w.vm, &d, &v));
	assert_int_equal(w.vm.fault.fault, ABI_FAULT_BADADDR);
	world_fini(&w);
}

/* --- Associative arrays ------------------------------------------------ */

/* a[i, s] */
static bool
assoc(struct world *w, uint64_t i, const char *s, uint64_t *store,
      uint64_t *ret)
{
	uint64_t ints[] = { i, KMEM, store ? *store : 0 };

	strcpy((char *)w->kmem, s);
	return RUN(w, ints, ret, R(FLUSHTS, 0, 0, 0), W(SETX, 0, 1),
		   W(SETX, 1, 2), W(SETX, 2, 3), R(PUSHTV, 0, 0, 1),
		   R(PUSHTR, 1, 0, 2),
		   store ? W(STGAA, V_A, 3) : R(NOP, 0, 0, 0),
		   W(LDGAA, V_A, 4), RET(4));
}

static void
test_assoc(void **state)
{
	struct world w;
	uint64_t v, one = 1, two = 2, zero = 0;

	world_init(&w);			/* room for 4 */
	assert_true(assoc(&w, 1, "x", NULL, &v));
	assert_int_equal(v, 0);
	assert_true(assoc(&w, 1, "x", &one, &v));
	assert_int_equal(v, 1);
	assert_true(assoc(&w, 1, "y", &two, &v));
	assert_true(assoc(&w, 1, "x", NULL, &v));
	assert_int_equal(v, 1);
	/* all 64 bits of an integer count */
	assert_true(assoc(&w, 1ULL << 32 | 1, "x", NULL, &v));
	assert_int_equal(v, 0);
	/* the key part has 8 bytes: seven characters count */
	assert_true(assoc(&w, 3, "1234567a", &two, &v));
	assert_true(assoc(&w, 3, "1234567b", NULL, &v));
	assert_int_equal(v, 2);
	assert_true(assoc(&w, 3, "123456", NULL, &v));
	assert_int_equal(v, 0);
	/* full: the fifth store is dropped and counted */
	assert_true(assoc(&w, 4, "", &one, &v));
	assert_int_equal(v, 1);
	assert_int_equal(w.vm.drops[ABI_DROP_DYNAMIC], 0);
	assert_true(assoc(&w, 5, "", &one, &v));
	assert_int_equal(v, 0);
	assert_int_equal(w.vm.drops[ABI_DROP_DYNAMIC], 1);
	/* an old one can still be changed; zero frees; freeing nothing is
	 * nothing */
	assert_true(assoc(&w, 4, "", &two, &v));
	assert_int_equal(v, 2);
	assert_true(assoc(&w, 4, "", &zero, &v));
	assert_true(assoc(&w, 4, "", &zero, &v));
	assert_int_equal(v, 0);
	assert_true(assoc(&w, 5, "", &one, &v));
	assert_int_equal(v, 1);
	assert_int_equal(w.vm.drops[ABI_DROP_DYNAMIC], 1);
	/* added to, down to zero and up again */
	uint64_t sums[] = { 5, KMEM, -2, -3, 7 };
	assert_true(RUN(&w, sums, &v, W(SETX, 0, 1), W(SETX, 1, 2),
			R(PUSHTV, 0, 0, 1), R(PUSHTR, 1, 0, 2),
			W(STGAA, V_A, 1), W(SETX, 2, 3), W(ADDGAA, V_A, 3),
			W(SETX, 3, 3), W(ADDGAA, V_A, 3), W(LDGAA, V_A, 4),
			W(SETX, 4, 3), W(ADDGAA, V_A, 3), W(OLDGAA, V_A, 5),
			R(ADD, 4, 5, 4), W(LDGAA, V_A, 5), R(ADD, 4, 5, 4),
			RET(4)));
	assert_int_equal(v, 7);
	/* a key that cannot be read */
	uint64_t ints[] = { 0x1000 };
	assert_false(RUN(&w, ints, &v, R(PUSHTV, 0, 0, 0), W(SETX, 0, 1),
			 R(PUSHTR, 1, 0, 1), W(STGAA, V_A, 1), RET(0)));
	expect_fault(&w, ABI_FAULT_BADADDR, 0x1000, 12);
	world_fini(&w);
}

static void
test_thread_assoc(void **state)
{
	struct world w;
	uint64_t v, ints[] = { KMEM, 3 };

	world_init(&w);
	strcpy((char *)w.kmem, "value");
#define KEY W(SETS, S_HELLO, 1), R(PUSHTR, 1, 0, 1)
	/* readable, not writable, whether set or not */
	assert_true(RUN(&w, ints, &v, KEY, W(LDTAA, V_TA, 2), RET(2)));
	assert_string_equal(text_of(v), "");
	assert_false(RUN(&w, ints, &v, KEY, W(LDTAA, V_TA, 2),
			 R(STB, 0, 0, 2), RET(2)));
	assert_int_equal(w.vm.fault.fault, ABI_FAULT_BADADDR);
	assert_true(RUN(&w, ints, &v, KEY, W(SETX, 0, 3), W(STTAA, V_TA, 3),
			W(LDTAA, V_TA, 2), RET(2)));
	assert_string_equal(text_of(v), "value");
	assert_false(RUN(&w, ints, &v, KEY, W(LDTAA, V_TA, 2),
			 R(STB, 0, 0, 2), RET(2)));
	assert_int_equal(w.vm.fault.fault, ABI_FAULT_BADADDR);
	w.tid = 6;
	assert_true(RUN(&w, ints, &v, KEY, W(LDTAA, V_TA, 2), RET(2)));
	assert_string_equal(text_of(v), "");
	w.tid = 5;
	assert_true(RUN(&w, ints, &v, KEY, W(SETS, S_EMPTY, 3),
			W(STTAA, V_TA, 3), W(LDTAA, V_TA, 2), RET(2)));
	assert_string_equal(text_of(v), "");
	assert_true(RUN(&w, ints, &v, KEY, W(STTAA, V_TA, 0),
			W(LDTAA, V_TA, 2), RET(2)));
	assert_string_equal(text_of(v), "");
#undef KEY
	world_fini(&w);
}

/* A key part of 20 bytes: 19 characters count. */
static void
test_long_key(void **state)
{
	static const char *const keys[] = {
		"0123456789012345678", "0123456789012345679",
		"0123456789012345678x",
	};
	static const char *const want[] = { "hello", "", "hello" };
	struct world w;
	uint64_t v, ints[] = { KMEM };

	world_init(&w);
	strcpy((char *)w.kmem, keys[0]);
	assert_true(RUN(&w, ints, &v, W(SETX, 0, 1), R(PUSHTR, 1, 0, 1),
			W(SETS, S_HELLO, 2), W(STTAA, V_TA, 2), RET(0)));
	for (unsigned i = 0; i < BASE_NELEMS(keys); i++) {
		strcpy((char *)w.kmem, keys[i]);
		assert_true(RUN(&w, ints, &v, W(SETX, 0, 1),
				R(PUSHTR, 1, 0, 1), W(LDTAA, V_TA, 2),
				RET(2)));
		assert_string_equal(text_of(v), want[i]);
	}
	world_fini(&w);
}

static void
test_tuple_stack(void **state)
{
	struct world w;
	uint64_t v, ints[] = { 7, 8, 2 };

	world_init(&w);
	/* popts takes the top only, flushts all */
	assert_true(RUN(&w, ints, &v, W(SETX, 2, 1), R(PUSHTV, 0, 0, 0),
			R(FLUSHTS, 0, 0, 0), W(SETS, S_HELLO, 2),
			R(PUSHTR, 1, 0, 2), R(PUSHTV, 0, 0, 1),
			R(PUSHTV, 0, 0, 0), R(POPTS, 0, 0, 0),
			W(CALL, DIF_SUBR_SUBSTR, 3), RET(3)));
	assert_string_equal(text_of(v), "llo");
	/* the size register of pushtr cuts, 0 does not */
	assert_true(RUN(&w, ints, &v, W(SETX, 2, 1), W(SETS, S_HELLO, 2),
			R(PUSHTR, 1, 1, 2), W(CALL, DIF_SUBR_STRLEN, 3),
			RET(3)));
	assert_int_equal(v, 2);
	assert_true(RUN(&w, ints, &v, W(SETS, S_HELLO, 2),
			R(PUSHTR, 1, 0, 2), W(CALL, DIF_SUBR_STRLEN, 3),
			RET(3)));
	assert_int_equal(v, 5);
	world_fini(&w);
}

/* The wrong number or kind of keys for a plan is refused, not misread. */
static void
test_assoc_shape(void **state)
{
	struct world w;
	uint64_t v, ints[] = { 1 };

	world_init(&w);
	assert_false(RUN(&w, ints, &v, R(PUSHTV, 0, 0, 0), W(LDGAA, V_A, 1),
			 RET(1)));
	expect_fault(&w, ABI_FAULT_ILLOP, 0, 4);
	assert_false(RUN(&w, ints, &v, R(PUSHTV, 0, 0, 0), R(PUSHTV, 0, 0, 0),
			 W(LDGAA, V_A, 1), RET(1)));
	expect_fault(&w, ABI_FAULT_ILLOP, 0, 8);
	world_fini(&w);
}

/* --- The whole --------------------------------------------------------- */

static void
test_random(void **state)
{
	static struct rdif r;
	struct world w;
	unsigned finished = 0;
	uint64_t v;

	world_init(&w);
	for (uint64_t seed = 1; seed <= 1000; seed++) {
		rdif_make(&r, seed, seed % 50);
		must_verify(&r.d);
		vm_fire(&w.vm);
		finished += vm_run(&w.vm, &r.d, &v);
	}
	assert_true(finished > 100);
	world_fini(&w);
}

/* Whatever the verifier lets through can be run. */
static void
test_verified_garbage(void **state)
{
	static struct rdif r;
	struct world w;
	unsigned accepted = 0;
	uint64_t v;

	world_init(&w);
	for (uint64_t seed = 1; seed <= 5000; seed++) {
		char text[256];
		struct base_buf b;

		rdif_make(&r, seed, 10);
		for (unsigned i = 0; i < 1 + seed % 3; i++)
			r.text[rdif_below(&r, r.n)] ^= 1u << rdif_below(&r, 32);
		base_buf_init(&b, text, sizeof(text));
		if (!dif_verify(&r.d, &b))
			continue;
		accepted++;
		vm_fire(&w.vm);
		vm_run(&w.vm, &r.d, &v);
	}
	assert_true(accepted > 100);
	world_fini(&w);
}

static void
test_no_world(void **state)
{
	static const struct vm_env nothing;
	struct world w;
	uint64_t v, ints[] = { KMEM };

	world_init(&w);
	w.vm.cfg.env = &nothing;
	assert_false(RUN(&w, ints, &v, W(LDGS, DIF_VAR_PID, 1), RET(1)));
	expect_fault(&w, ABI_FAULT_ILLOP, 0, 0);
	assert_false(RUN(&w, ints, &v, W(SETX, 0, 1), R(LDX, 1, 0, 1),
			 RET(1)));
	expect_fault(&w, ABI_FAULT_BADADDR, KMEM, 4);
	world_fini(&w);
}

static void
test_every_opcode_ran(void **state)
{
	for (unsigned op = 1; op < DIF_NOPS; op++)
		if (!ran[op] && op != DIF_OP_LDTA && op != DIF_OP_XLATE &&
		    op != DIF_OP_XLARG && op != DIF_OP_CALLF /* test_plan.c */)
			fail_msg("%s never ran", dif_op_info(op)->name);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_alu_rows),
		cmocka_unit_test(test_divide_by_zero),
		cmocka_unit_test(test_moves),
		cmocka_unit_test(test_branches),
		cmocka_unit_test(test_scmp),
		cmocka_unit_test(test_scmp_null),
		cmocka_unit_test(test_scmp_faults),
		cmocka_unit_test(test_loads),
		cmocka_unit_test(test_stores),
		cmocka_unit_test(test_allocs),
		cmocka_unit_test(test_copys),
		cmocka_unit_test(test_builtins),
		cmocka_unit_test(test_scalars),
		cmocka_unit_test(test_string_variable),
		cmocka_unit_test(test_sizes_of_references),
		cmocka_unit_test(test_assoc),
		cmocka_unit_test(test_thread_assoc),
		cmocka_unit_test(test_long_key),
		cmocka_unit_test(test_tuple_stack),
		cmocka_unit_test(test_assoc_shape),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_verified_garbage),
		cmocka_unit_test(test_no_world),
		cmocka_unit_test(test_every_opcode_ran),
	};

	return cmocka_run_group_tests_name("vm", tests, NULL, NULL);
}
