/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Registers and spilling, without D: random code over many virtual registers
 * is interpreted as it stands, and must give the same on the interpreter
 * after registers were chosen.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gen/code_priv.h"
#include "vm/vm.h"

enum { MAX_REGS = 4000 };

static uint64_t seed;

static unsigned
rnd(unsigned n)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (unsigned)(seed >> 33) % n;
}

/* --- What virtual code means -------------------------------------------- */

static size_t
find_label(const struct gen_code *c, uint64_t label)
{
	for (size_t i = 0; i < c->insns.n; i++)
		if (c->insns.v[i].op == GEN_LABEL &&
		    c->insns.v[i].imm == label)
			return i;
	fail_msg("no label");
	return 0;
}

static uint64_t
interpret(const struct gen_code *c)
{
	static uint64_t r[MAX_REGS];
	bool equal = false;

	memset(r, 0, sizeof(r));
	for (size_t i = 0; i < c->insns.n; i++) {
		const struct gen_insn *n = &c->insns.v[i];
		assert_true(n->rd < MAX_REGS);
		switch (n->op) {
		case DIF_OP_SETX: r[n->rd] = n->imm; break;
		case DIF_OP_ADD: r[n->rd] = r[n->r1] + r[n->r2]; break;
		case DIF_OP_SUB: r[n->rd] = r[n->r1] - r[n->r2]; break;
		case DIF_OP_MUL: r[n->rd] = r[n->r1] * r[n->r2]; break;
		case DIF_OP_XOR: r[n->rd] = r[n->r1] ^ r[n->r2]; break;
		case DIF_OP_NOT: r[n->rd] = ~r[n->r1]; break;
		case DIF_OP_MOV: r[n->rd] = r[n->r1]; break;
		case DIF_OP_CMP: equal = r[n->r1] == r[n->r2]; break;
		case DIF_OP_BE: if (equal) i = find_label(c, n->imm); break;
		case DIF_OP_BNE: if (!equal) i = find_label(c, n->imm); break;
		case DIF_OP_RET: return r[n->rd];
		case GEN_LABEL: break;
		default: fail_msg("op %u", n->op);
		}
	}
	fail_msg("no ret");
	return 0;
}

/* --- Random code -------------------------------------------------------- */

static void
random_insn(struct gen_code *c, uint32_t *live, unsigned nlive, unsigned i)
{
	static const uint8_t ops[] = { DIF_OP_ADD, DIF_OP_SUB, DIF_OP_MUL,
				       DIF_OP_XOR };
	uint32_t a = live[rnd(nlive)], b = live[rnd(nlive)];

	switch (rnd(8)) {
	case 0:
		live[i] = gen_const(c, rnd(1000));
		break;
	case 1:
		live[i] = gen_emit_reg(c, DIF_OP_NOT, a, 0, 0);
		break;
	case 2: {	/* one that is written twice */
		uint32_t skip = gen_label(c), rd = gen_reg(c);
		gen_emit(c, DIF_OP_MOV, a, 0, rd, 0);
		gen_emit(c, DIF_OP_CMP, a, b, 0, 0);
		gen_jump(c, rnd(2) ? DIF_OP_BE : DIF_OP_BNE, skip);
		gen_emit(c, DIF_OP_ADD, rd, b, rd, 0);
		gen_place(c, skip);
		live[i] = rd;
		break;
	}
	default:
		live[i] = gen_emit_reg(c, ops[rnd(4)], a, b, 0);
	}
}

/* nlive values are alive all the time, and all are in the result. */
static void
random_code(struct gen_code *c, unsigned nlive, unsigned n)
{
	uint32_t live[64], sum;

	for (unsigned i = 0; i < nlive; i++)
		live[i] = gen_const(c, rnd(1000) + 1);
	while (n--)
		random_insn(c, live, nlive, rnd(nlive));
	sum = live[0];
	for (unsigned i = 1; i < nlive; i++) {
		sum = gen_emit_reg(c, DIF_OP_MUL, sum, gen_const(c, 31), 0);
		sum = gen_emit_reg(c, DIF_OP_ADD, sum, live[i], 0);
	}
	gen_emit(c, DIF_OP_RET, 0, 0, sum, 0);
}

static uint64_t
run(const struct dif_difo *d, uint32_t nspills)
{
	static const struct vm_env env;
	struct plan_var vars[128];
	struct plan_prog prog = { .vars = vars, .nvars = nspills,
				  .strsize = 256 };
	struct vm_config cfg = { .prog = &prog, .env = &env };
	uint64_t ret = 0;
	struct vm vm;

	assert_true(nspills <= BASE_NELEMS(vars));
	for (uint32_t i = 0; i < nspills; i++)
		vars[i] = (struct plan_var){
			.name = "s", .id = DIF_VAR_OTHER_UBASE + i,
			.scope = DIF_VS_LOCAL, .kind = DIF_VK_SCALAR,
			.type = { .ckind = DIF_CK_INTEGER, .size = 8 },
		};
	void *mem = calloc(1, vm_size(&cfg));
	vm_init(&vm, &cfg, mem);
	vm_fire(&vm);
	assert_true(vm_run(&vm, d, &ret));
	free(mem);
	return ret;
}

static void
check_random(unsigned nlive, unsigned n, uint64_t s)
{
	struct arena *a = arena_new();
	struct diag_list d;
	struct gen g = { .a = a, .d = &d, .spill_id = DIF_VAR_OTHER_UBASE };
	struct gen_code c;
	struct dif_type t = { .ckind = DIF_CK_INTEGER, .size = 8 };

	seed = s;
	diag_init(&d, a);
	assert_true(gen_code_init(&c, &g, (struct lang_span){ .len = 0 }));
	random_code(&c, nlive, n);
	uint64_t want = interpret(&c);
	gen_regs(&c);
	const struct dif_difo *difo = gen_finish(&c, t);
	assert_non_null(difo);
	if (nlive <= 5)
		assert_int_equal(g.nspills, 0);
	assert_int_equal(run(difo, g.nspills), want);
	gen_code_fini(&c);
	arena_free(a);
}

static void
test_random(void **state)
{
	for (unsigned nlive = 2; nlive <= 40; nlive++)
		for (uint64_t s = 0; s < 20; s++)
			check_random(nlive, 10 + 4 * nlive, s * 977 + nlive);
}

/* Values that are never alive together share a hidden variable. */
static void
test_slots(void **state)
{
	struct arena *a = arena_new();
	struct diag_list d;
	struct gen g = { .a = a, .d = &d, .spill_id = DIF_VAR_OTHER_UBASE };
	struct dif_type t = { .ckind = DIF_CK_INTEGER, .size = 8 };
	struct gen_code c;

	diag_init(&d, a);
	assert_true(gen_code_init(&c, &g, (struct lang_span){ .len = 0 }));
	uint32_t one = gen_emit_reg(&c, DIF_OP_NOT, 0, 0, 0), sum = one;
	for (unsigned round = 0; round < 5; round++) {
		uint32_t v[9];
		for (unsigned i = 0; i < 9; i++)
			v[i] = gen_emit_reg(&c, DIF_OP_ADD, sum, one, 0);
		for (unsigned i = 0; i < 9; i++)
			sum = gen_emit_reg(&c, DIF_OP_ADD, sum, v[i], 0);
	}
	gen_emit(&c, DIF_OP_RET, 0, 0, sum, 0);
	uint64_t want = interpret(&c);
	gen_regs(&c);
	const struct dif_difo *difo = gen_finish(&c, t);
	assert_non_null(difo);
	/* 11 alive, 7 registers, some needed for operands */
	assert_in_range(g.nspills, 4, 8);
	assert_int_equal(run(difo, g.nspills), want);
	gen_code_fini(&c);
	arena_free(a);
}

/* The lowest register first, and a result takes its operand's. */
static void
test_lowest(void **state)
{
	struct arena *a = arena_new();
	struct diag_list d;
	struct gen g = { .a = a, .d = &d, .spill_id = DIF_VAR_OTHER_UBASE };
	struct gen_code c;
	struct dif_type t = { .ckind = DIF_CK_INTEGER, .size = 8 };

	diag_init(&d, a);
	assert_true(gen_code_init(&c, &g, (struct lang_span){ .len = 0 }));
	uint32_t x = gen_const(&c, 5), y = gen_const(&c, 7);
	uint32_t z = gen_emit_reg(&c, DIF_OP_ADD, x, y, 0);
	gen_emit(&c, DIF_OP_RET, 0, 0, z, 0);
	gen_regs(&c);
	const struct dif_difo *difo = gen_finish(&c, t);
	assert_non_null(difo);
	assert_int_equal(difo->ntext, 4);
	assert_int_equal(difo->text[0], DIF_FMT_W(DIF_OP_SETX, 0, 1));
	assert_int_equal(difo->text[1], DIF_FMT_W(DIF_OP_SETX, 1, 2));
	assert_int_equal(difo->text[2], DIF_FMT_R(DIF_OP_ADD, 1, 2, 1));
	assert_int_equal(difo->text[3], DIF_FMT_R(DIF_OP_RET, 0, 0, 1));
	gen_code_fini(&c);
	arena_free(a);
}

static void
test_tables(void **state)
{
	struct arena *a = arena_new();
	struct diag_list d;
	struct gen g = { .a = a, .d = &d, .spill_id = DIF_VAR_OTHER_UBASE };
	struct gen_code c;

	diag_init(&d, a);
	assert_true(gen_code_init(&c, &g, (struct lang_span){ .len = 0 }));
	assert_int_equal(gen_string(&c, "", 0), 0);
	assert_int_equal(gen_string(&c, "abc", 3), 1);
	assert_int_equal(gen_string(&c, "de", 2), 5);
	assert_int_equal(gen_string(&c, "abcdef", 3), 1);
	assert_int_equal(gen_string(&c, "abc\0x", 5), 1);
	uint32_t x = gen_const(&c, 5), y = gen_const(&c, 5);
	assert_int_equal(gen_const(&c, 0), 0);
	gen_emit(&c, DIF_OP_RET, 0, 0,
		 gen_emit_reg(&c, DIF_OP_ADD, x, y, 0), 0);
	gen_regs(&c);
	const struct dif_difo *difo = gen_finish(&c, (struct dif_type){
		.ckind = DIF_CK_INTEGER, .size = 8 });
	assert_non_null(difo);
	assert_int_equal(difo->nints, 1);
	assert_int_equal(difo->strs_size, 8);
	gen_code_fini(&c);
	arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lowest),
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_slots),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
