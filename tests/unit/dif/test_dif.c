/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The bytecode: what instructions read and write, how they are printed, and
 * what the verifier takes and refuses: row by row, then random DIFOs, all of
 * which are good, and the same with bits flipped, which must only do no harm.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "random_dif.h"

#define RET(d) R(RET, 0, 0, d)
#define CODE(...) .n = sizeof((uint32_t[]){ __VA_ARGS__ }) / 4, \
		  .code = { __VA_ARGS__ }

/* --- Facts ------------------------------------------------------------- */

static void
test_ops(void **state)
{
	static const struct {
		uint32_t w, reads, writes;
	} rows[] = {
		{ R(ADD, 1, 2, 3), 1 << 1 | 1 << 2, 1 << 3 },
		{ R(MOV, 4, 0, 5), 1 << 4, 1 << 5 },
		{ R(CMP, 1, 7, 0), 1 << 1 | 1 << 7, 0 },
		{ R(TST, 6, 0, 0), 1 << 6, 0 },
		{ R(LDX, 2, 0, 3), 1 << 2, 1 << 3 },
		{ R(STX, 2, 0, 3), 1 << 2 | 1 << 3, 0 },
		{ B(BA, 3), 0, 0 },
		{ W(SETX, 0x0107, 2), 0, 1 << 2 },
		{ W(STGS, V_X, 2), 1 << 2, 0 },
		{ W(CALL, 12, 7), 0, 1 << 7 },
		{ R(LDGA, 0, 3, 4), 1 << 3, 1 << 4 },
		{ R(PUSHTR, 1, 3, 4), 1 << 3 | 1 << 4, 0 },
		{ R(PUSHTV, 0, 3, 4), 1 << 4, 0 },
		{ R(COPYS, 1, 2, 3), 1 << 1 | 1 << 2 | 1 << 3, 0 },
		{ R(ALLOCS, 1, 0, 3), 1 << 1, 1 << 3 },
		{ RET(5), 1 << 5, 0 },
		{ R(FLUSHTS, 0, 0, 0), 0, 0 },
		{ 0, 0, 0 }, { 0xff010203, 0, 0 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		assert_int_equal(dif_insn_reads(rows[i].w), rows[i].reads);
		assert_int_equal(dif_insn_writes(rows[i].w), rows[i].writes);
	}
	assert_null(dif_op_info(0));
	assert_null(dif_op_info(DIF_NOPS));
	assert_string_equal(dif_op_info(41)->name, "ldgs");
	assert_string_equal(dif_bvar_info(280)->name, "execname");
	assert_null(dif_bvar_info(0x500));
	assert_string_equal(dif_subr_info(32)->name, "substr");
	assert_null(dif_subr_info(18));
	assert_true(dif_insn_is_branch(B(BLEU, 1)));
	assert_false(dif_insn_is_branch(R(LDSB, 1, 0, 1)));
}

/* --- Printing ---------------------------------------------------------- */

static void
test_print_rows(void **state)
{
	static const struct {
		uint32_t w;
		const char *text;
	} rows[] = {
		{ 0x29011801, "00: 29011801    ldgs DT_VAR(280), %r1       "
			      "! DT_VAR(280) = \"execname\"" },
		{ 0x23000001, "00: 23000001    ret  %r1" },
		{ R(ADD, 1, 2, 3), "00: 07010203    add  %r1, %r2, %r3" },
		{ R(NOT, 1, 0, 3), "00: 0d010003    not  %r1, %r3" },
		{ R(CMP, 1, 2, 0), "00: 0f010200    cmp  %r1, %r2" },
		{ R(TST, 1, 0, 0), "00: 10010000    tst  %r1" },
		{ B(BLEU, 12), "00: 1b00000c    bleu 12" },
		{ R(LDX, 1, 0, 2), "00: 22010002    ldx  [%r1], %r2" },
		{ R(STB, 1, 0, 2), "00: 3c010002    stb  %r1, [%r2]" },
		{ W(SETX, 4, 2), "00: 25000402    setx DT_INTEGER[4], %r2     "
				 "! 0x1234567890abcdef" },
		{ W(SETS, S_HELLO, 2), "00: 26000e02    sets DT_STRING[14], "
				       "%r2     ! \"hello\"" },
		{ W(SETS, S_QUOTE, 2), "00: 26001402    sets DT_STRING[20], "
			"%r2     ! \"\\\"\\\\\\n\\177\\377\"" },
		{ W(STGS, V_X, 1), "00: 2a050001    stgs %r1, DT_VAR(1280)      "
				   "! DT_VAR(1280) = \"x\"" },
		{ W(LDTAA, V_TA, 1), "00: 35050401    ldtaa DT_VAR(1284), %r1     "
				     "! DT_VAR(1284) = \"ta\"" },
		{ R(LDGA, 0, 2, 1), "00: 28000201    ldga DT_VAR(0), %r2, %r1    "
				    "! DT_VAR(0) = \"args\"" },
		{ W(CALL, 12, 1), "00: 2f000c01    call DIF_SUBR(12), %r1      "
				  "! strlen" },
		{ R(PUSHTR, 1, 2, 3), "00: 30010203    pushtr DT_TYPE(1), %r2, "
				      "%r3" },
		{ R(FLUSHTS, 0, 0, 0), "00: 33000000    flushts" },
		{ R(COPYS, 1, 2, 3), "00: 3b010203    copys %r1, %r2, %r3" },
		/* what the verifier refuses is printed too */
		{ 0, "00: 00000000    ???" },
		{ W(SETX, 99, 9), "00: 25006309    setx DT_INTEGER[99], %r9" },
		{ W(SETS, 0xffff, 1), "00: 26ffff01    sets DT_STRING[65535], "
				      "%r1" },
		{ W(LDGS, 0x600, 1), "00: 29060001    ldgs DT_VAR(1536), %r1" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct dif_difo d = rdif_fixture(&rows[i].w, 1);
		char out[256];
		struct base_buf b;

		base_buf_init(&b, out, sizeof(out));
		dif_print_insn(&d, 0, &b);
		assert_string_equal(out, rows[i].text);
	}
}

static void
test_print_type(void **state)
{
	static const struct {
		struct dif_type t;
		const char *text;
	} rows[] = {
		{ RDIF_STR, "string (unknown) by ref (size 256)" },
		{ RDIF_INT4, "D type (integer) (size 4)" },
		{ { 0, DIF_CK_STRUCT, 1, 0, 48 },
		  "D type (struct) by ref (size 48)" },
		{ { 0, DIF_CK_ARRAY, 3, 0, 16 },
		  "D type (array) by ref by user ref (size 16)" },
		{ { 0, DIF_CK_POINTER, 0, 0, 8 }, "D type (pointer) (size 8)" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		char out[128];
		struct base_buf b;

		base_buf_init(&b, out, sizeof(out));
		dif_print_type(&rows[i].t, &b);
		assert_string_equal(out, rows[i].text);
	}
}

/* The listing of talk 004, and the variable table of doc/spec. */
static void
test_print_whole(void **state)
{
	static const uint32_t code[] = { 0x29011801, 0x23000001 };
	struct dif_difo d = {
		.text = code, .ntext = 2, .rtype = RDIF_STR,
	};
	char out[1024], want[1024];
	struct base_buf b;

	base_buf_init(&b, out, sizeof(out));
	dif_print(&d, &b);
	snprintf(want, sizeof(want),
		 "\nDIFO %p returns string (unknown) by ref (size 256)\n"
		 "OFF OPCODE      INSTRUCTION\n"
		 "00: 29011801    ldgs DT_VAR(280), %%r1       "
		 "! DT_VAR(280) = \"execname\"\n"
		 "01: 23000001    ret  %%r1\n", (void *)&d);
	assert_string_equal(out, want);

	d = rdif_fixture(code + 1, 1);
	base_buf_init(&b, out, sizeof(out));
	dif_print(&d, &b);
	assert_string_equal(strstr(out, "\nNAME"),
		"\nNAME             ID   KND SCP FLAG TYPE\n"
		"x                1280 scl glb r/w  D type (integer) (size 4)\n"
		"t                1281 scl tls r    D type (integer) (size 8)\n"
		"l                1282 scl loc w    D type (integer) (size 8)\n"
		"a                1283 arr glb r/w  D type (integer) (size 8)\n"
		"ta               1284 arr tls r/w  string (unknown) by ref "
		"(size 256)\n"
		"s                1285 scl glb      string (unknown) by ref "
		"(size 256)\n");
}

/* --- Verifying --------------------------------------------------------- */

struct code_row {
	const char *want;	/* part of the message; NULL: accepted */
	uint32_t n;
	uint32_t code[12];
};

static void
check_code(const struct code_row *row)
{
	struct dif_difo d = rdif_fixture(row->code, row->n);
	char out[256];
	struct base_buf b;
	bool ok;

	base_buf_init(&b, out, sizeof(out));
	ok = dif_verify(&d, &b);
	if (ok != !row->want || (row->want && !strstr(out, row->want)))
		fail_msg("verify said %s \"%s\", expected \"%s\"",
			 ok ? "yes" : "no", out,
			 row->want ? row->want : "yes");
}

static void
test_verify_accepts(void **state)
{
	static const struct code_row rows[] = {
		{ CODE(RET(0)) },
		{ CODE(W(LDGS, DIF_VAR_PID, 1), RET(1)) },
		{ CODE(W(SETX, 0, 1), R(STX, 1, 0, 0), RET(1)) },
		/* both arms write %r1 */
		{ CODE(R(TST, 0, 0, 0), B(BE, 4), W(SETX, 0, 1), B(BA, 5),
		       W(SETX, 1, 1), RET(1)) },
		/* code that no path reaches need not set its registers */
		{ CODE(B(BA, 3), R(ADD, 1, 2, 3), B(BE, 3), RET(0)) },
		{ CODE(RET(0), R(POPTS, 0, 0, 0), RET(7)) },
		/* the tuple stack outlives its use */
		{ CODE(R(PUSHTV, 0, 0, 0), W(LDGAA, V_A, 1),
		       W(STGAA, V_A, 1), RET(1)) },
		{ CODE(R(PUSHTR, 1, 0, 0), R(PUSHTV, 0, 0, 0),
		       W(CALL, DIF_SUBR_SUBSTR, 1), R(PUSHTV, 0, 0, 0),
		       W(CALL, DIF_SUBR_SUBSTR, 1), RET(1)) },
		/* r2 of pushtv is ignored, even unset */
		{ CODE(R(PUSHTV, 0, 5, 0), RET(0)) },
		/* entries of one kind at a join, pushed apart */
		{ CODE(R(TST, 0, 0, 0), B(BE, 4), R(PUSHTV, 0, 0, 0), B(BA, 5),
		       R(PUSHTV, 0, 0, 0), R(POPTS, 0, 0, 0), RET(0)) },
		{ CODE(R(LDGA, DIF_VAR_UREGS, 0, 1), RET(1)) },
		{ CODE(R(PUSHTV, 0, 0, 0), W(LDTAA, V_TA, 1), RET(1)) },
		{ CODE(W(LDLS, V_L, 1), W(STTS, V_T, 1), W(LDTS, V_T, 2),
		       W(STLS, V_L, 2), RET(1)) },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		check_code(&rows[i]);
}

static void
test_verify_rejects(void **state)
{
	static const struct code_row rows[] = {
		/* rule 3 */
		{ "instruction 0 (?): unknown opcode", CODE(0, RET(0)) },
		{ "unknown opcode", CODE(0x55000000, RET(0)) },
		{ "unused bits", CODE(0x50000001, RET(0)) },
		{ "tuple stack is not empty",
		  CODE(R(PUSHTV, 0, 0, 0), 0x50000000, RET(0)) },
		{ "no comparison", CODE(R(TST, 0, 0, 0), 0x50000000,
					B(BE, 3), RET(0)) },
		{ "unknown opcode", CODE(0xff000000, RET(0)) },
		{ "reserved", CODE(R(XLATE, 0, 0, 1), RET(0)) },
		{ "reserved", CODE(R(XLARG, 0, 0, 1), RET(0)) },
		{ "reserved", CODE(R(LDTA, 0, 0, 1), RET(0)) },
		{ "no such register", CODE(R(ADD, 8, 0, 1), RET(0)) },
		{ "no such register", CODE(R(ADD, 0, 8, 1), RET(0)) },
		{ "no such register", CODE(R(ADD, 0, 0, 8), RET(0)) },
		{ "no such register", CODE(W(SETX, 0, 255), RET(0)) },
		{ "no such register", CODE(R(LDGA, 0, 8, 1), RET(0)) },
		{ "no such register", CODE(RET(8)) },
		{ "unused bits", CODE(R(MOV, 0, 1, 1), RET(0)) },
		{ "unused bits", CODE(R(CMP, 0, 0, 1), RET(0)) },
		{ "unused bits", CODE(R(TST, 0, 1, 0), RET(0)) },
		{ "unused bits", CODE(R(NOP, 0, 0, 1), RET(0)) },
		{ "unused bits", CODE(R(RET, 1, 0, 0)) },
		/* rule 4 */
		{ "writes %r0", CODE(R(ADD, 0, 0, 0), RET(0)) },
		{ "writes %r0", CODE(W(SETX, 0, 0), RET(0)) },
		{ "writes %r0", CODE(W(CALL, 0, 0), RET(0)) },
		{ "writes %r0", CODE(W(LDGS, V_X, 0), RET(0)) },
		{ "writes %r0", CODE(R(LDGA, 0, 0, 0), RET(0)) },
		/* rule 5 */
		{ "backward", CODE(R(NOP, 0, 0, 0), B(BA, 0), RET(0)) },
		{ "backward", CODE(B(BA, 0), RET(0)) },
		{ "behind the end", CODE(B(BA, 2), RET(0)) },
		{ "behind the end", CODE(B(BA, 0xffffff), RET(0)) },
		/* rule 6 */
		{ "not ret", CODE(R(NOP, 0, 0, 0)) },
		{ "not ret", CODE(RET(0), R(NOP, 0, 0, 0)) },
		/* rule 7 */
		{ "integer table", CODE(W(SETX, 6, 1), RET(0)) },
		{ "start of a string", CODE(W(SETS, 500, 1), RET(0)) },
		{ "start of a string", CODE(W(SETS, S_HELLO + 1, 1), RET(0)) },
		/* rule 8 */
		{ "built-in array", CODE(R(LDGA, 1, 0, 1), RET(0)) },
		{ "built-in array", CODE(R(LDGA, 0x80, 0, 1), RET(0)) },
		{ "built-in variable", CODE(W(LDGS, 0x1ff, 1), RET(0)) },
		{ "built-in variable", CODE(W(LDGS, DIF_VAR_ARGS, 1), RET(0)) },
		{ "user's", CODE(W(STGS, DIF_VAR_PID, 0), RET(0)) },
		{ "user's", CODE(W(LDTS, DIF_VAR_PID, 1), RET(0)) },
		{ "variable table", CODE(W(LDGS, 0x600, 1), RET(0)) },
		{ "variable table", CODE(W(LDTS, V_X, 1), RET(0)) },
		{ "variable table", CODE(W(LDLS, V_T, 1), RET(0)) },
		{ "other kind", CODE(W(LDGS, V_A, 1), RET(0)) },
		{ "other kind", CODE(R(PUSHTV, 0, 0, 0), W(LDGAA, V_X, 1),
				     RET(0)) },
		{ "other kind", CODE(W(ADDGS, V_A, 0), RET(0)) },
		{ "cannot be added to", CODE(W(ADDGS, V_S, 0), RET(0)) },
		{ "tuple stack is empty", CODE(W(ADDGAA, V_A, 0), RET(0)) },
		/* rule 17 */
		{ "no addition", CODE(W(OLDGS, V_X, 1), RET(0)) },
		{ "no addition", CODE(W(ADDGS, V_X, 0), R(NOP, 0, 0, 0),
				      W(OLDGS, V_X, 1), RET(0)) },
		{ "no addition", CODE(R(PUSHTV, 0, 0, 0), W(LDGAA, V_A, 1),
				      W(OLDGAA, V_A, 1), RET(0)) },
		{ "an old value", CODE(R(TST, 0, 0, 0), B(BE, 3),
				       W(ADDGS, V_X, 0), W(OLDGS, V_X, 1),
				       RET(0)) },
		/* rule 10 */
		{ "instruction 0 (ret): %r1 is not written", CODE(RET(1)) },
		{ "%r2", CODE(W(SETX, 0, 1), R(ADD, 1, 2, 3), RET(0)) },
		{ "%r3", CODE(R(STX, 0, 0, 3), RET(0)) },
		{ "%r3", CODE(W(STGS, V_X, 3), RET(0)) },
		{ "%r3", CODE(R(COPYS, 0, 0, 3), RET(0)) },
		{ "%r4", CODE(R(PUSHTR, 1, 4, 0), RET(0)) },
		{ "%r4", CODE(R(PUSHTV, 0, 0, 4), RET(0)) },
		{ "%r1", CODE(R(TST, 0, 0, 0), B(BE, 3), W(SETX, 0, 1),
			      RET(1)) },
		{ "%r1", CODE(R(TST, 0, 0, 0), B(BE, 4), W(SETX, 0, 1),
			      B(BA, 5), W(SETX, 0, 2), RET(1)) },
		/* rule 11 */
		{ "no comparison", CODE(B(BE, 1), RET(0)) },
		/* rule 12 */
		{ "differ", CODE(R(TST, 0, 0, 0), B(BE, 3),
				 R(PUSHTV, 0, 0, 0), RET(0)) },
		{ "differ", CODE(R(TST, 0, 0, 0), B(BE, 4),
				 R(PUSHTV, 0, 0, 0), B(BA, 5),
				 R(PUSHTR, 1, 0, 0), RET(0)) },
		/* rule 13 */
		{ "empty", CODE(R(POPTS, 0, 0, 0), RET(0)) },
		{ "empty", CODE(R(PUSHTV, 0, 0, 0), R(FLUSHTS, 0, 0, 0),
				R(POPTS, 0, 0, 0), RET(0)) },
		/* rule 14 */
		{ "unknown subroutine", CODE(W(CALL, 18, 1), RET(0)) },
		{ "unknown subroutine", CODE(W(CALL, 0xffff, 1), RET(0)) },
		{ "too few", CODE(W(CALL, DIF_SUBR_STRLEN, 1), RET(0)) },
		{ "too few", CODE(R(PUSHTR, 1, 0, 0),
				  W(CALL, DIF_SUBR_SUBSTR, 1), RET(0)) },
		{ "too many", CODE(R(PUSHTV, 0, 0, 0),
				   W(CALL, DIF_SUBR_RAND, 1), RET(0)) },
		{ "wrong kind", CODE(R(PUSHTV, 0, 0, 0),
				     W(CALL, DIF_SUBR_STRLEN, 1), RET(0)) },
		{ "wrong kind", CODE(R(PUSHTR, 1, 0, 0),
				     W(CALL, DIF_SUBR_LLTOSTR, 1), RET(0)) },
		{ "empty", CODE(W(LDGAA, V_A, 1), RET(0)) },
		{ "empty", CODE(W(STTAA, V_TA, 0), RET(0)) },
		/* rule 15 */
		{ "type byte", CODE(R(PUSHTR, 0, 0, 0), RET(0)) },
		{ "type byte", CODE(R(PUSHTV, 1, 0, 0), RET(0)) },
		{ "type byte", CODE(R(PUSHTR, 2, 0, 0), RET(0)) },
		/* what no path reaches still keeps rules 3 to 9 */
		{ "no such register", CODE(RET(0), R(ADD, 9, 0, 1), RET(0)) },
		{ "backward", CODE(RET(0), B(BA, 1), RET(0)) },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		check_code(&rows[i]);
}

/* Paths part only where the codes are set, so what matters is that code which
 * no path reaches does not count. */
static void
test_verify_cc_join(void **state)
{
	static const struct code_row row = {
		NULL, CODE(B(BA, 2), R(TST, 0, 0, 0), R(TST, 0, 0, 0),
			   B(BE, 4), RET(0))
	};
	static const struct code_row dead = {
		"no comparison", CODE(B(BA, 2), R(TST, 0, 0, 0), B(BE, 3),
				      RET(0))
	};

	check_code(&row);
	check_code(&dead);
}

static void
test_verify_tuple_depth(void **state)
{
	uint32_t code[DIF_NTUPLE + 2];
	char out[256];
	struct base_buf b;

	for (unsigned i = 0; i <= DIF_NTUPLE; i++)
		code[i] = R(PUSHTV, 0, 0, 0);
	code[DIF_NTUPLE] = code[DIF_NTUPLE + 1] = RET(0);
	struct dif_difo d = rdif_fixture(code, DIF_NTUPLE + 1);
	base_buf_init(&b, out, sizeof(out));
	assert_true(dif_verify(&d, &b));
	code[DIF_NTUPLE] = R(PUSHTV, 0, 0, 0);
	d.ntext++;
	assert_false(dif_verify(&d, &b));
	assert_non_null(strstr(out, "64 entries"));
}

/* n branches to n different targets are open at once. */
static bool
verify_open(unsigned n, char *out, size_t size)
{
	static uint32_t code[2 * DIF_MAX_OPEN + 8];
	struct dif_difo d = rdif_fixture(code, 2 * n + 2);
	struct base_buf b;

	code[0] = R(TST, 0, 0, 0);
	for (unsigned i = 0; i < n; i++) {
		code[1 + i] = B(BE, 1 + n + i);
		code[1 + n + i] = R(NOP, 0, 0, 0);
	}
	code[2 * n + 1] = RET(0);
	base_buf_init(&b, out, size);
	return dif_verify(&d, &b);
}

static void
test_verify_open(void **state)
{
	char out[256];

	assert_true(verify_open(DIF_MAX_OPEN, out, sizeof(out)));
	assert_false(verify_open(DIF_MAX_OPEN + 1, out, sizeof(out)));
	assert_non_null(strstr(out, "512"));
}

/* Rules 1, 2 and 9: one broken table each. */
static void
test_verify_tables(void **state)
{
	static const uint32_t ret[] = { RET(0) };
	static uint32_t big[DIF_MAX_TEXT + 1];
	static char chars[DIF_MAX_TABLE + 1];
	static uint64_t ints[DIF_MAX_TABLE + 1];
	static struct dif_var many[DIF_MAX_VARS + 1];
	struct dif_difo good = rdif_fixture(ret, 1), d;
	char out[256];
	struct base_buf b;

#define REJECTS(change, message) do { \
	d = good; \
	change; \
	base_buf_init(&b, out, sizeof(out)); \
	assert_false(dif_verify(&d, &b)); \
	assert_non_null(strstr(out, message)); \
} while (0)
#define REJECTS_VAR(change, message) do { \
	struct dif_var v[2] = { rdif_vars[0], rdif_vars[1] }; \
	change; \
	REJECTS((d.vars = v, d.nvars = 2), message); \
} while (0)
	for (unsigned i = 0; i <= DIF_MAX_TEXT; i++)
		big[i] = RET(0);
	for (unsigned i = 0; i <= DIF_MAX_VARS; i++) {
		many[i] = rdif_vars[0];
		many[i].id += i;
	}
	base_buf_init(&b, out, sizeof(out));
	assert_true(dif_verify(&good, &b));
	d = good;
	d.text = big;
	d.ntext = DIF_MAX_TEXT;
	assert_true(dif_verify(&d, &b));
	REJECTS((d.text = big, d.ntext = DIF_MAX_TEXT + 1), "65536");
	REJECTS(d.ntext = 0, "no instructions");
	REJECTS(d.text = NULL, "no instructions");
	REJECTS((d.ints = ints, d.nints = DIF_MAX_TABLE + 1), "integer table");
	REJECTS(d.ints = NULL, "integer table");
	REJECTS((d.strs = chars, d.strs_size = DIF_MAX_TABLE + 1), "string");
	REJECTS(d.strs = NULL, "string table");
	REJECTS(d.strs_size--, "NUL");
	REJECTS((d.strs++, d.strs_size--), "NUL");
	REJECTS((d.vars = many, d.nvars = DIF_MAX_VARS + 1), "variable table");
	REJECTS(d.vars = NULL, "variable table");
	REJECTS(d.rtype.kind = 2, "return type: type of unknown kind");
	REJECTS(d.rtype.ckind = 11, "unknown C kind");
	REJECTS(d.rtype.flags = 4, "unknown flags");
	REJECTS(d.rtype.flags = 2, "not by reference");
	REJECTS(d.rtype.kind = 1, "string that is not by reference");
	REJECTS(d.rtype.size = 9, "more than 8 bytes");
	REJECTS_VAR(v[1] = v[0], "variable 1: stands in the table twice");
	REJECTS_VAR(v[0].name = S_X + 1, "name");
	REJECTS_VAR(v[0].name = 1000, "name");
	REJECTS_VAR(v[0].kind = 2, "unknown kind");
	REJECTS_VAR(v[0].scope = 3, "scope");
	REJECTS_VAR(v[0].flags = 4, "flags");
	REJECTS_VAR(v[0].type.size = 3, "size");
	REJECTS_VAR(v[0].type.size = 0, "size");
	REJECTS_VAR((v[0].type.flags = 1, v[0].type.size = 0), "size");
	REJECTS_VAR(v[0].type.kind = 1, "by reference");
	REJECTS_VAR(v[0].id = 0x300, "no variable's");
	REJECTS_VAR(v[0].id = 0x10000, "no variable's");
	REJECTS_VAR(v[1].id = DIF_VAR_PID, "no variable's");
	REJECTS_VAR(v[0].id = 0x80, "array's number");
#undef REJECTS
#undef REJECTS_VAR
}

static void
test_verify_random(void **state)
{
	static struct rdif r;
	char out[256];
	struct base_buf b;

	for (uint64_t seed = 1; seed <= 500; seed++) {
		rdif_make(&r, seed, seed);
		base_buf_init(&b, out, sizeof(out));
		if (!dif_verify(&r.d, &b))
			fail_msg("seed %d: %s", (int)seed, out);
	}
}

/* Flipping bits never makes the verifier or the printer misbehave. */
static void
test_verify_garbage(void **state)
{
	static struct rdif r;
	static char out[1 << 17];
	struct base_buf b;

	for (uint64_t seed = 1; seed <= 2000; seed++) {
		rdif_make(&r, seed, 20);
		for (int i = 0; i < 3; i++)
			r.text[rdif_below(&r, r.n)] ^= 1u << rdif_below(&r, 32);
		base_buf_init(&b, out, sizeof(out));
		dif_verify(&r.d, &b);
		dif_print(&r.d, &b);
		assert_true(b.len < sizeof(out));
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ops),
		cmocka_unit_test(test_print_rows),
		cmocka_unit_test(test_print_type),
		cmocka_unit_test(test_print_whole),
		cmocka_unit_test(test_verify_accepts),
		cmocka_unit_test(test_verify_rejects),
		cmocka_unit_test(test_verify_cc_join),
		cmocka_unit_test(test_verify_tuple_depth),
		cmocka_unit_test(test_verify_open),
		cmocka_unit_test(test_verify_tables),
		cmocka_unit_test(test_verify_random),
		cmocka_unit_test(test_verify_garbage),
	};

	return cmocka_run_group_tests_name("dif", tests, NULL, NULL);
}
