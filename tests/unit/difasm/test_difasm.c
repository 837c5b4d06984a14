/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Assembler and disassembler: what is written short, what is refused and with
 * which words; random DIFOs come back as they were.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "difasm/difasm.h"
#include "random_dif.h"
#include "util/alloc.h"

static struct dif_difo *
must_assemble(const char *text)
{
	struct dif_difo *d = NULL;
	struct err *e = difasm_assemble(text, &d);

	if (e)
		fail_msg("%s\n%s", e->text, text);
	return d;
}

static void
same_bytes(const void *a, const void *b, size_t n)
{
	if (n)
		assert_memory_equal(a, b, n);
}

static void
same_difo(const struct dif_difo *a, const struct dif_difo *b)
{
	assert_int_equal(a->ntext, b->ntext);
	assert_int_equal(a->nints, b->nints);
	assert_int_equal(a->strs_size, b->strs_size);
	assert_int_equal(a->nvars, b->nvars);
	same_bytes(a->text, b->text, a->ntext * sizeof(*a->text));
	same_bytes(a->ints, b->ints, a->nints * sizeof(*a->ints));
	same_bytes(a->strs, b->strs, a->strs_size);
	same_bytes(a->vars, b->vars, a->nvars * sizeof(*a->vars));
	same_bytes(&a->rtype, &b->rtype, sizeof(a->rtype));
	assert_int_equal(!a->lines, !b->lines);
	if (a->lines)
		same_bytes(a->lines, b->lines, a->ntext * sizeof(*a->lines));
}

/* --- Text that is written by hand -------------------------------------- */

static const char sample[] =
	"! traces execname when x is set\n"
	".ret string (unknown) by ref (size 256)\n"
	".int 0x10\n"
	".str \"\"\n"
	".str \"x\"\n"
	".var \"x\" 1280 scl glb r/w D type (integer) (size 4)\n"
	".line 7\n"
	"\tldgs DT_VAR(1280), %r1	! a comment\n"
	"\ttst  %r1\n"
	"\tbe   L4\n"
	".line 8\n"
	"\tsetx DT_INTEGER[0], %r2\n"
	"L4:\n"
	"\tldgs DT_VAR(280), %r3\n"
	"\tret  %r3\n";

static void
test_sample(void **state)
{
	static const uint32_t want[] = {
		W(LDGS, 1280, 1), R(TST, 1, 0, 0), B(BE, 4), W(SETX, 0, 2),
		W(LDGS, 280, 3), R(RET, 0, 0, 3),
	};
	static const uint32_t lines[] = { 7, 7, 7, 8, 8, 8 };
	struct dif_difo *d = must_assemble(sample);

	assert_int_equal(d->ntext, 6);
	assert_memory_equal(d->text, want, sizeof(want));
	assert_memory_equal(d->lines, lines, sizeof(lines));
	assert_int_equal(d->nints, 1);
	assert_int_equal(d->ints[0], 16);
	assert_int_equal(d->strs_size, 3);
	assert_memory_equal(d->strs, "\0x\0", 3);
	assert_int_equal(d->nvars, 1);
	assert_int_equal(d->vars[0].id, 1280);
	assert_int_equal(d->vars[0].name, 1);
	assert_int_equal(d->vars[0].kind, DIF_VK_SCALAR);
	assert_int_equal(d->vars[0].scope, DIF_VS_GLOBAL);
	assert_int_equal(d->vars[0].flags, 3);
	assert_int_equal(d->vars[0].type.ckind, DIF_CK_INTEGER);
	assert_int_equal(d->vars[0].type.size, 4);
	assert_int_equal(d->rtype.kind, DIF_TYPE_STRING);
	assert_int_equal(d->rtype.flags, DIF_TF_BYREF);
	difasm_free(d);
}

/* What spares a writer the tables and the numbers. */
static void
test_shorthand(void **state)
{
	static const char text[] =
		".var \"n\" 0x500 scl glb - D type (integer) (size 8)\n"
		"setx 5, %r1\nsetx 0x5, %r2\nsetx 6, %r2\n"
		"sets \"n\", %r3\nsets \"a\\\"\\\\\\n\\001\", %r3\n"
		"sets \"\", %r3\n"
		"stgs %r1, n\nldgs pid, %r1\nldga args, %r1, %r2\n"
		"pushtr DT_TYPE(1), %r0, %r3\ncall strlen, %r1\n"
		"ba end\nend: .word 0x23000001";
	static const uint32_t want[] = {
		W(SETX, 0, 1), W(SETX, 0, 2), W(SETX, 1, 2),
		W(SETS, 1, 3), W(SETS, 3, 3), W(SETS, 0, 3),
		W(STGS, 0x500, 1), W(LDGS, DIF_VAR_PID, 1), R(LDGA, 0, 1, 2),
		R(PUSHTR, 1, 0, 3), W(CALL, 12, 1), B(BA, 12), 0x23000001,
	};
	struct dif_difo *d = must_assemble(text);
	struct base_buf b;
	char out[128];

	assert_int_equal(d->ntext, BASE_NELEMS(want));
	assert_memory_equal(d->text, want, sizeof(want));
	assert_int_equal(d->strs_size, 9);
	assert_memory_equal(d->strs, "\0n\0a\"\\\n\1\0", 9);
	assert_int_equal(d->rtype.size, 8);
	assert_null(d->lines);
	base_buf_init(&b, out, sizeof(out));
	assert_true(dif_verify(d, &b));
	difasm_free(d);
}

static void
test_errors(void **state)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "nop\nfoo %r1", "line 2: unknown instruction \"foo\"" },
		{ ".foo", "line 1: unknown directive \".foo\"" },
		{ "add %r1, %r2", "line 1: expected \",\"" },
		{ "add %r1, %r2, %r8", "line 1: no such register" },
		{ "add %r1, %r2, %r12", "line 1: no such register" },
		{ "add %r1, %r2, 3", "line 1: expected \"%\"" },
		{ "add %r1, %r2, %x3", "line 1: expected a register" },
		{ "ldx %r1, %r2", "line 1: expected \"[\"" },
		{ "nop nop", "line 1: more than one statement" },
		{ "nop\n\nba nowhere\nret %r0",
		  "line 3: unknown label \"nowhere\"" },
		{ "a: nop\na: nop", "line 2: label stands twice: \"a\"" },
		{ "ba", "line 1: expected a label" },
		{ "ba 16777216", "line 1: number out of range: \"16777216\"" },
		{ "setx DT_INTEGER[65536], %r1", "line 1: number out of range" },
		{ "setx 18446744073709551616, %r1", "number out of range" },
		{ "setx 0xg, %r1", "line 1: not a number: \"0xg\"" },
		{ "setx 12a, %r1", "line 1: not a number: \"12a\"" },
		{ "setx , %r1", "line 1: expected a number" },
		{ "sets \"abc, %r1\nnop", "line 1: string without end" },
		{ "sets \"abc", "line 1: string without end" },
		{ "sets \"\\q\", %r1", "line 1: unknown escape" },
		{ "sets \"\\", "line 1: unknown escape" },
		{ "sets \"\\000\", %r1", "line 1: escape out of range" },
		{ "sets \"\\777\", %r1", "line 1: escape out of range" },
		{ "ldgs nothing, %r1", "unknown variable \"nothing\"" },
		{ "ldga pid, %r1, %r1", "unknown variable \"pid\"" },
		{ "call nothing, %r1", "unknown subroutine \"nothing\"" },
		{ "pushtv 0, %r0, %r0", "line 1: expected \"DT_TYPE\"" },
		{ ".ret int", "line 1: unknown type \"int\"" },
		{ ".ret D kind", "line 1: expected \"type\"" },
		{ ".ret string (foo) (size 1)",
		  "line 1: unknown kind of C type \"foo\"" },
		{ ".ret string (unknown) by name (size 1)",
		  "line 1: unknown reference \"name\"" },
		{ ".ret string (unknown) by ref (size x)", "not a number" },
		{ ".var \"x\" 65536 scl glb r D type (integer) (size 4)",
		  "number out of range" },
		{ ".var \"x\" 1280 foo glb r D type (integer) (size 4)",
		  "unknown word \"foo\"" },
		{ ".var DT_STRING[9] 1280 scl glb r D type (integer) (size 4)",
		  "line 1: name outside the string table" },
		{ "!\n!\n*", "line 3: expected an instruction" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct dif_difo *d = NULL;
		struct err *e = difasm_assemble(rows[i].text, &d);

		if (!e)
			fail_msg("accepted: %s", rows[i].text);
		assert_null(d);
		if (!strstr(e->text, rows[i].want))
			fail_msg("%s: \"%s\", expected \"%s\"", rows[i].text,
				 e->text, rows[i].want);
		err_free(e);
	}
}

/* --- There and back ---------------------------------------------------- */

static void
round_trip(const struct dif_difo *d)
{
	struct dif_difo *again;
	struct sb text, second;

	sb_init(&text, 1 << 24);
	sb_init(&second, 1 << 24);
	difasm_disassemble(d, &text);
	assert_false(text.failed);
	again = must_assemble(sb_str(&text));
	same_difo(d, again);
	difasm_disassemble(again, &second);
	assert_string_equal(sb_str(&text), sb_str(&second));
	difasm_free(again);
	sb_fini(&second);
	sb_fini(&text);
}

static void
test_round_trip(void **state)
{
	static struct rdif r;

	for (uint64_t seed = 1; seed <= 300; seed++) {
		rdif_make(&r, seed, seed);
		round_trip(&r.d);
	}
}

/* Tables that a spelling alone would not restore. */
static void
test_round_trip_tables(void **state)
{
	static const uint32_t ret[] = { R(RET, 0, 0, 0) };
	static const char strs[] = "\0a\0\0a\0b";
	struct dif_var vars[] = { rdif_vars[0], rdif_vars[1] };
	static const uint32_t line[] = { 0 };
	struct dif_difo d = {
		.text = ret, .ntext = 1, .rtype = { 0, DIF_CK_STRUCT, 3, 0, 0 },
	};

	round_trip(&d);
	d.lines = line;
	d.strs = strs;
	d.strs_size = sizeof(strs);
	vars[0].name = 4;		/* the second "a" */
	vars[1].name = 3;		/* the second "" */
	d.vars = vars;
	d.nvars = 2;
	round_trip(&d);
}

static void
test_disassembly(void **state)
{
	struct dif_difo *d = must_assemble(sample);
	struct sb b;

	sb_init(&b, 1 << 16);
	difasm_disassemble(d, &b);
	assert_string_equal(sb_str(&b),
		".ret string (unknown) by ref (size 256)\n"
		".int 0x10\n"
		".str \"\"\n"
		".str \"x\"\n"
		".var \"x\" 1280 scl glb r/w D type (integer) (size 4)\n"
		".line 7\n"
		"\tldgs DT_VAR(1280), %r1\n"
		"\ttst  %r1\n"
		"\tbe   L4\n"
		".line 8\n"
		"\tsetx DT_INTEGER[0], %r2\n"
		"L4:\n"
		"\tldgs DT_VAR(280), %r3\n"
		"\tret  %r3\n");
	sb_fini(&b);
	difasm_free(d);
}

/* --- Bad luck ---------------------------------------------------------- */

static void
test_out_of_memory(void **state)
{
	bool done = false;

	for (unsigned long n = 1; !done; n++) {
		struct dif_difo *d = NULL;
		struct err *e;

		util_alloc_fail(n, 0);
		e = difasm_assemble(sample, &d);
		util_alloc_fail(0, 0);
		done = !e;
		if (e)
			assert_int_equal(e->code, ERR_NOMEM);
		err_free(e);
		difasm_free(d);
		assert_true(n < 1000);
	}
}

/* Text with bytes knocked out is refused or accepted, and nothing worse. */
static void
test_garbage(void **state)
{
	char text[sizeof(sample)];
	struct rdif r = { .seed = 1 };

	for (int i = 0; i < 20000; i++) {
		struct dif_difo *d = NULL;

		memcpy(text, sample, sizeof(text));
		for (int k = 0; k < 3; k++)
			text[rdif_below(&r, sizeof(text) - 1)] =
				(char)(1 + rdif_below(&r, 255));
		err_free(difasm_assemble(text, &d));
		difasm_free(d);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sample),
		cmocka_unit_test(test_shorthand),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_round_trip_tables),
		cmocka_unit_test(test_disassembly),
		cmocka_unit_test(test_out_of_memory),
		cmocka_unit_test(test_garbage),
	};

	return cmocka_run_group_tests_name("difasm", tests, NULL, NULL);
}
