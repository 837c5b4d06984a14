/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tables from sections that are written here byte by byte, and from what is none.
 * (That those of real files are right: truth.py.)
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/base.h"
#include "support/assertok.h"
#include "unwind/reader.h"
#include "unwind/unwind.h"
#include "util/alloc.h"

enum { ADDR = 0x5000, CODE = 0x1000 };

/* --- Writing a section ------------------------------------------------------------ */

struct bytes { uint8_t v[4096]; size_t n; };

static void
put(struct bytes *b, const void *p, size_t n)
{
	assert_true(b->n + n <= sizeof(b->v));
	memcpy(b->v + b->n, p, n);
	b->n += n;
}

static void
put32(struct bytes *b, uint32_t v)
{
	put(b, &v, 4);
}

/* With the length in front. */
static void
entry(struct bytes *b, const struct bytes *body)
{
	put32(b, (uint32_t)body->n);
	put(b, body->v, body->n);
}

/* "zR", factors 1 and -8, the return address's register, pc-relative in 4 bytes; then n
 * instructions. */
static void
cie_of(struct bytes *b, const char *letters, uint8_t ra, const uint8_t *insns, size_t n)
{
	struct bytes body = { .n = 0 };

	put32(&body, 0);
	put(&body, "\1", 1);
	put(&body, letters, strlen(letters) + 1);
	put(&body, ra == 8 ? "\1\x7c" : "\1\x78", 2);	/* i386's words have 4 bytes */
	put(&body, &ra, 1);
	put(&body, "\1\x1b", 2);
	put(&body, insns, n);
	entry(b, &body);
}

static void
cie(struct bytes *b, const char *letters, const uint8_t *insns, size_t n)
{
	cie_of(b, letters, 16, insns, n);
}

/* A function of size bytes at pc, whose CIE is the section's first. */
static void
fde(struct bytes *b, uint32_t pc, uint32_t size, const uint8_t *insns, size_t n)
{
	struct bytes body = { .n = 0 };
	uint32_t at = (uint32_t)b->n + 4;

	put32(&body, at);
	put32(&body, pc - (ADDR + at + 4));
	put32(&body, size);
	put(&body, "\0", 1);
	put(&body, insns, n);
	entry(b, &body);
}

static const uint8_t usual[] = { 0x0c, 7, 8, 0x90, 1 };	/* sp + 8, ra c-8 */

static struct unwind_input
input_of(const struct bytes *b)
{
	return (struct unwind_input){ b->v, b->n, ADDR, 0, UNWIND_X86_64 };
}

/* --- Rules -------------------------------------------------------------------------- */

struct rule_case {
	const char *insns;
	size_t n;
	enum abi_unwind what;
	uint32_t words, saved;
};

#define CASE(insns, what, words, saved) \
	{ insns, sizeof(insns) - 1, ABI_UNWIND_##what, words, saved }

static const struct rule_case cases[] = {
	CASE("", SP, 1, 0),
	CASE("\x0e\x10", SP, 2, 0),		/* def_cfa_offset 16 */
	CASE("\x0e\x10\x86\2", SP, 2, 2),	/* offset rbp, 2 */
	CASE("\x0e\x10\x86\2\x0d\6", FP, 2, 2),	/* def_cfa_register rbp */
	CASE("\x0e\x10\x86\2\xc6", SP, 2, 0),	/* restore rbp */
	CASE("\x05\6\2", SP, 1, 2),		/* offset_extended */
	CASE("\x11\6\2", SP, 1, 2),		/* offset_extended_sf */
	CASE("\x0a\x0e\x20\x0b", SP, 1, 0),	/* remember, 32, restore */
	CASE("\x13\x7c", SP, 4, 0),		/* def_cfa_offset_sf -4 */
	CASE("\x12\6\x7c", FP, 4, 0),		/* def_cfa_sf rbp -4 */
	CASE("\x2e\x10", SP, 1, 0),		/* args_size */
	CASE("\7\x10", STOP, 0, 0),		/* undefined ra */
	CASE("\0\0\0", SP, 1, 0),
	CASE("\x0e\x0c", FRAME, 0, 0),		/* 12 is no number of words */
	CASE("\x0c\1\x10", FRAME, 0, 0),	/* rdx + 16 */
	CASE("\x90\2", FRAME, 0, 0),		/* ra at c-16 */
	CASE("\x09\6\1", FRAME, 0, 0),		/* rbp is in rdx */
	CASE("\x0e\x80\x80\x10", FRAME, 0, 0),	/* 262,144: too far */
	CASE("\x0f\3\x76\x78\6" "\x10\6\2\x76\0", FP_DEREF, 1, 0),
	CASE("\x0f\3\x76\x78\6", FRAME, 0, 0),	/* rbp is not at rbp */
	CASE("\x0f\x0b\x77\x08\x80\0\x3f\x1a\x3b\x2a\x33\x24\x22", PLT, 11, 0),
	CASE("\x0f\2\x77\x08", FRAME, 0, 0),
	/* *(rsp + 40) + 8, rbp at c-16; *(rsp - 8) + 8; + 56; *(rsp + 4) + 8 */
	CASE("\x0f\5\x77\x28\6\x23\x08" "\x86\2", SP_DEREF, 6, 2),
	CASE("\x0f\5\x77\x78\6\x23\x08", SP_DEREF, 0, 0),
	CASE("\x0f\5\x77\x28\6\x23\x38", FRAME, 0, 0),
	CASE("\x0f\5\x77\4\6\x23\x08", FRAME, 0, 0),
};

/* Registers 29 to 31: a frame's pointer, its return address, the stack pointer. */
/* eip at CFA - 4; the frame is found by esp + 4 */
static const uint8_t usual_i386[] = { 0x0c, 4, 4, 0x88, 1 };

static const struct rule_case cases_i386[] = {
	CASE("", SP, 1, 0),
	CASE("\x0e\x0c\x85\2", SP, 3, 2),		/* 12, ebp pushed */
	CASE("\x0e\x0c\x85\2\x0d\5", FP, 3, 2),	/* by ebp */
	CASE("\x0e\x0e", FRAME, 0, 0),			/* 14 is no number of words */
	CASE("\x0c\1\0", FRAME, 0, 0),			/* ecx: main() aligns its stack */
	/* and then: the word at ebp - 4, ebp saved at ebp */
	CASE("\x0f\3\x75\x7c\6\x10\5\2\x75\0", FP_DEREF, 1, 0),
	/* esp + 4 + (((eip & 15) >= 11) << 2) */
	CASE("\x0f\x0b\x74\4\x78\0\x3f\x1a\x3b\x2a\x32\x24\x22", PLT, 11, 0),
	CASE("\x0f\x0b\x74\4\x78\0\x3f\x1a\x3b\x2a\x33\x24\x22", FRAME, 0, 0),
	CASE("\7\x08", STOP, 0, 0),
};

static const uint8_t usual_aarch64[] = { 0x0c, 31, 0 };

static const struct rule_case cases_aarch64[] = {
	CASE("", SP, 0, 0),
	CASE("\x2d", SP, 0, 0),			/* it is signed */
	CASE("\x2c\x0e\x20", SP, 4, 0),
	CASE("\x0e\x20\x9d\4\x9e\3", SP, 4, 4),	/* both, side by side */
	CASE("\x0e\x20\x9d\4\x9e\3\x0d\x1d", FP, 4, 4),
	CASE("\x0e\x20\x9e\4", SP_RA, 4, 4),	/* the return address alone */
	CASE("\x0e\x20\x9e\4\x0d\x1d", FP_RA, 4, 4),
	CASE("\x0e\x20\x9d\4\x9e\3\xdd\xde\x0e\0", SP, 0, 0),	/* restored */
	CASE("\7\x1e", STOP, 0, 0),		/* undefined */
	CASE("\x0e\x20\x9d\4\x9e\2", FRAME, 0, 0),	/* apart */
	CASE("\x0e\x20\x9d\4", FRAME, 0, 0),	/* the frame's alone */
	CASE("\x0c\5\x10", FRAME, 0, 0),	/* x5 + 16 */
};

static void
check_rule(const struct rule_case *c, enum unwind_arch arch)
{
	struct bytes b = { .n = 0 };
	struct unwind_table t;

	if (arch == UNWIND_X86_64)
		cie(&b, "zR", usual, sizeof(usual));
	else if (arch == UNWIND_I386)
		cie_of(&b, "zR", 8, usual_i386, sizeof(usual_i386));
	else
		cie_of(&b, "zR", 30, usual_aarch64, sizeof(usual_aarch64));
	fde(&b, CODE, 0x10, (const uint8_t *)c->insns, c->n);
	struct unwind_input in = input_of(&b);
	in.arch = arch;
	assert_ok(unwind_table_make(&in, 10, &t));
	uint32_t rule = unwind_table_find(&t, CODE + 3);
	if (abi_unwind_what(rule) != c->what ||
	    abi_unwind_n(rule) != c->words ||
	    abi_unwind_saved(rule) != c->saved)
		fail_msg("case of %u: %u %u %u", c->what, abi_unwind_what(rule),
			 abi_unwind_n(rule), abi_unwind_saved(rule));
	assert_int_equal(t.ninexpressible, c->what == ABI_UNWIND_FRAME);
	assert_int_equal(t.nbad_fdes, 0);
	/* before the function, behind it */
	assert_int_equal(unwind_table_find(&t, CODE - 1), 0);
	assert_int_equal(unwind_table_find(&t, CODE + 0x10), 0);
	unwind_table_fini(&t);
}

static void
test_rules(void **state)
{
	for (size_t i = 0; i < BASE_NELEMS(cases); i++)
		check_rule(&cases[i], UNWIND_X86_64);
}

static void
test_rules_aarch64(void **state)
{
	for (size_t i = 0; i < BASE_NELEMS(cases_aarch64); i++)
		check_rule(&cases_aarch64[i], UNWIND_AARCH64);
}

static void
test_rules_i386(void **state)
{
	for (size_t i = 0; i < BASE_NELEMS(cases_i386); i++)
		check_rule(&cases_i386[i], UNWIND_I386);
}

static void
test_signal(void **state)
{
	struct bytes b = { .n = 0 };
	struct unwind_table t;

	cie(&b, "zRS", usual, sizeof(usual));
	fde(&b, CODE, 0x10, usual, 0);
	struct unwind_input in = input_of(&b);
	assert_ok(unwind_table_make(&in, 10, &t));
	assert_int_equal(abi_unwind_what(unwind_table_find(&t, CODE)),
			 ABI_UNWIND_SIGNAL);
	unwind_table_fini(&t);
}

/* Of i386: where the stack pointer stands in the frame; else it cannot be said. */
static void
test_signal_i386(void **state)
{
	static const struct rule_case rows[] = {
		CASE("\x0f\4\x74\xa0\1\6", SIGNAL, 40, 0),	/* at esp + 160 */
		CASE("\x0f\4\x74\xa2\1\6", FRAME, 0, 0),
		CASE("", FRAME, 0, 0),
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct bytes b = { .n = 0 };
		struct unwind_table t;
		cie_of(&b, "zRS", 8, usual_i386, sizeof(usual_i386));
		fde(&b, CODE, 0x10, (const uint8_t *)rows[i].insns, rows[i].n);
		struct unwind_input in = input_of(&b);
		in.arch = UNWIND_I386;
		assert_ok(unwind_table_make(&in, 10, &t));
		assert_int_equal(unwind_table_find(&t, CODE),
				 abi_unwind_rule(rows[i].what, rows[i].words, 0));
		unwind_table_fini(&t);
	}
}

/* Of aarch64 its code tells, with a mark for indirect jumps in front and without; what is
 * too short is none. */
static void
test_plt_code(void **state)
{
	static const uint8_t keeps[] = { 0xf0, 0x7b, 0xbf, 0xa9 };
	const uint32_t called = abi_unwind_rule(ABI_UNWIND_SP, 0, 0);
	const uint32_t kept = abi_unwind_rule(ABI_UNWIND_SP_RA, 2, 1);
	const uint32_t nothing = abi_unwind_rule(ABI_UNWIND_FRAME, 0, 0);
	enum { PLT = CODE + 0x10 };

	for (unsigned mark = 0; mark <= 16; mark += 4) {
		uint8_t code[64] = { 0 };
		struct bytes b = { .n = 0 };
		struct unwind_table t;
		cie(&b, "zR", usual, sizeof(usual));
		fde(&b, CODE, 0x10, usual, 0);
		memcpy(code + mark, keeps, sizeof(keeps));
		struct unwind_input in = input_of(&b);
		in.arch = UNWIND_AARCH64;
		in.plt = code;
		in.plt_addr = PLT;
		in.plt_size = sizeof(code);
		assert_ok(unwind_table_make(&in, 10, &t));
		bool found = mark <= 8;
		assert_int_equal(unwind_table_find(&t, PLT), called);
		assert_int_equal(unwind_table_find(&t, PLT + mark + 3), called);
		assert_int_equal(unwind_table_find(&t, PLT + mark + 4),
				 found ? kept : called);
		assert_int_equal(unwind_table_find(&t, PLT + 31), found ? kept : called);
		assert_int_equal(unwind_table_find(&t, PLT + 32), called);
		assert_int_equal(unwind_table_find(&t, PLT + 63), called);
		assert_int_equal(unwind_table_find(&t, PLT + 64), nothing);
		unwind_table_fini(&t);
		in.plt_size = 31;
		assert_ok(unwind_table_make(&in, 10, &t));
		assert_int_equal(unwind_table_find(&t, PLT), nothing);
		unwind_table_fini(&t);
	}
}

/* What handlers of signals return to on aarch64 is known by its code, from the instruction
 * before on; also where nothing else is told of.  Others have nothing there. */
static void
test_signal_code(void **state)
{
	static const uint8_t code[] = {
		0x1f, 0x20, 3, 0xd5, 0x1f, 0x20, 3, 0xd5,	/* nop; nop */
		0x68, 0x11, 0x80, 0xd2, 1, 0, 0, 0xd4,		/* mov x8, #139; svc */
		0x68, 0x11, 0x80, 0xd2, 0, 0, 0, 0xd4, 0x68,	/* and no svc */
	};
	const uint32_t nothing = abi_unwind_rule(ABI_UNWIND_FRAME, 0, 0);
	struct unwind_input in = { .arch = UNWIND_AARCH64, .text = code,
				   .text_addr = CODE, .text_size = sizeof(code) };
	struct unwind_table t;

	assert_ok(unwind_table_make(&in, 10, &t));
	for (uint32_t i = 0; i < sizeof(code); i++)
		assert_int_equal(unwind_table_find(&t, CODE + i), i < 4 || i >= 16 ? nothing :
				 abi_unwind_rule(ABI_UNWIND_SIGNAL, 0, 0));
	unwind_table_fini(&t);
	in.text_size = 15;
	assert_ok(unwind_table_make(&in, 10, &t));
	assert_int_equal(t.n, 0);
	unwind_table_fini(&t);
	in.text_size = sizeof(code);
	in.arch = UNWIND_X86_64;
	assert_ok(unwind_table_make(&in, 10, &t));
	assert_int_equal(t.n, 0);
	unwind_table_fini(&t);
}

/* The rule of PLTs is that expression alone, but for the number in it. */
static void
test_plt(void **state)
{
	static const uint8_t plt[] = "\x0f\x0b\x77\x08\x80\0\x3f\x1a\x3b\x2a\x33\x24\x22";
	enum { N = sizeof(plt) - 1, NUMBER = 8 };

	for (size_t i = 2; i < N; i++)
		for (int by = -1; by <= 1; by += 2) {
			struct bytes b = { .n = 0 };
			struct unwind_table t;
			uint8_t insns[N];
			memcpy(insns, plt, N);
			insns[i] = (uint8_t)(insns[i] + by);
			cie(&b, "zR", usual, sizeof(usual));
			fde(&b, CODE, 0x10, insns, N);
			struct unwind_input in = input_of(&b);
			assert_ok(unwind_table_make(&in, 10, &t));
			uint32_t rule = unwind_table_find(&t, CODE);
			bool is_plt = abi_unwind_what(rule) == ABI_UNWIND_PLT;
			if (is_plt != (i == NUMBER))
				fail_msg("byte %zu", i);
			if (is_plt)
				assert_int_equal(abi_unwind_n(rule), 11 + by);
			unwind_table_fini(&t);
		}
}

/* --- Rows ----------------------------------------------------------------------------- */

/* Two functions side by side, the second first; one with a push in it. */
static void
test_rows(void **state)
{
	static const uint8_t push[] = { 0x41, 0x0e, 0x10, 0x86, 2, 0x42, 0x0d, 6 };
	static const struct abi_unwind_row want[] = {
		{ CODE, ABI_UNWIND_SP | 1 << 4 },
		{ CODE + 1, ABI_UNWIND_SP | 2 << 4 | 2 << 18 },
		{ CODE + 3, ABI_UNWIND_FP | 2 << 4 | 2 << 18 },
		{ CODE + 0x10, ABI_UNWIND_SP | 1 << 4 },
		{ CODE + 0x20, ABI_UNWIND_FRAME },
	};
	struct bytes b = { .n = 0 };
	struct unwind_table t;

	cie(&b, "zR", usual, sizeof(usual));
	fde(&b, CODE + 0x10, 0x10, usual, 0);
	fde(&b, CODE, 0x10, push, sizeof(push));
	fde(&b, CODE + 0x30, 0, usual, 0);	/* dropped by the linker */
	put32(&b, 0);
	struct unwind_input in = input_of(&b);
	assert_ok(unwind_table_make(&in, 5, &t));
	assert_int_equal(t.n, BASE_NELEMS(want));
	assert_memory_equal(t.rows, want, sizeof(want));
	unwind_table_fini(&t);
	struct err *e = unwind_table_make(&in, 4, &t);
	assert_non_null(e);
	assert_int_equal(e->code, ERR_LIMIT);
	err_free(e);
}

struct functions { uint64_t addr[4], size[4]; bool is_called[4]; unsigned n; };

static void
on_function(void *ctx, uint64_t addr, uint64_t size, bool is_called)
{
	struct functions *f = ctx;

	assert_true(f->n < BASE_NELEMS(f->addr));
	f->addr[f->n] = addr;
	f->size[f->n] = size;
	f->is_called[f->n++] = is_called;
}

/* In the order of the section, each from its first byte on, whatever it pushes later;
 * the second begins in the middle of another's frame. */
static void
test_functions(void **state)
{
	static const uint8_t part[] = { 0x0e, 0x10 };
	static const uint8_t push[] = { 0x41, 0x0e, 0x10, 0x86, 2, 0x42, 0x0d, 6 };
	struct functions f = { .n = 0 };
	struct bytes b = { .n = 0 };
	struct unwind_table t;

	cie(&b, "zR", usual, sizeof(usual));
	fde(&b, CODE + 0x40, 0x10, push, sizeof(push));
	fde(&b, CODE, 8, part, sizeof(part));
	struct unwind_input in = input_of(&b);
	in.on_function = on_function;
	in.ctx = &f;
	in.base = 0x10;
	assert_ok(unwind_table_make(&in, 10, &t));
	assert_int_equal(f.n, 2);
	assert_int_equal(f.addr[0], CODE + 0x40);
	assert_int_equal(f.size[0], 0x10);
	assert_true(f.is_called[0]);
	assert_int_equal(f.addr[1], CODE);
	assert_int_equal(f.size[1], 8);
	assert_false(f.is_called[1]);
	assert_int_equal(t.rows[0].pc, CODE - 0x10);
	unwind_table_fini(&t);
}

/* A CIE that moves on says nothing of what it leaves behind. */
static void
test_moving_cie(void **state)
{
	static const uint8_t moves[] = { 0x0c, 7, 8, 0x90, 1, 0x43 };
	struct bytes b = { .n = 0 };
	struct unwind_table t;

	cie(&b, "zR", moves, sizeof(moves));
	fde(&b, CODE, 0x10, moves, 0);
	struct unwind_input in = input_of(&b);
	assert_ok(unwind_table_make(&in, 10, &t));
	assert_int_equal(t.rows[0].pc, CODE + 3);
	assert_int_equal(abi_unwind_what(t.rows[0].rule), ABI_UNWIND_SP);
	unwind_table_fini(&t);
}

/* What a CIE says wrongly, all of its functions do; what it remembers, each can go back to. */
static void
test_first(void **state)
{
	static const struct {
		const char *first, *own;
		size_t nfirst, nown;
		bool is_bad;
		enum abi_unwind what;
		uint32_t words;
	} rows[] = {
#define ROW(first, own, is_bad, what, words) \
	{ first, own, sizeof(first) - 1, sizeof(own) - 1, is_bad, ABI_UNWIND_##what, words }
		ROW("\x0c\7\x08\x90\1", "", false, SP, 1),
		ROW("\x0c\7\x08\x90\1\x3f", "", true, SP, 1),
		ROW("\x3f\x0c\7\x08\x90\1", "", true, SP, 1),
		ROW("\x0c\7\x08\x90\1\x0a", "\x0e\x20", false, SP, 4),
		ROW("\x0c\7\x08\x90\1\x0a", "\x0e\x20\x0b", false, SP, 1),
		ROW("\x0c\7\x08\x90\1", "\x0e\x20\x0b", true, SP, 4),
		ROW("\x0c\7\x08\x90\1\x0a\x0b", "\x0e\x20\x0b", true, SP, 4),
#undef ROW
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct bytes b = { .n = 0 };
		struct unwind_table t;
		cie(&b, "zR", (const uint8_t *)rows[i].first, rows[i].nfirst);
		fde(&b, CODE, 0x10, (const uint8_t *)rows[i].own, rows[i].nown);
		fde(&b, CODE + 0x10, 0x10, (const uint8_t *)rows[i].own, rows[i].nown);
		struct unwind_input in = input_of(&b);
		assert_ok(unwind_table_make(&in, 10, &t));
		if (t.nbad_fdes != (rows[i].is_bad ? 2 : 0))
			fail_msg("row %zu: %zu bad", i, (size_t)t.nbad_fdes);
		for (uint32_t at = CODE; !rows[i].is_bad && at < CODE + 0x20; at += 0x10) {
			uint32_t rule = unwind_table_find(&t, at);
			if (abi_unwind_what(rule) != rows[i].what ||
			    abi_unwind_n(rule) != rows[i].words)
				fail_msg("row %zu: %u %u", i, abi_unwind_what(rule),
					 abi_unwind_n(rule));
		}
		unwind_table_fini(&t);
	}
}

/* What the letters of a CIE say, in any order, with what belongs to each. */
static void
test_letters(void **state)
{
	static const struct {
		const char *letters, *data;
		unsigned n;		/* bytes of the data, the size of which is not in it */
		enum { PCREL, ABS, BAD } how;
		bool is_signal;
	} rows[] = {
		{ "zR", "\x1b", 1, PCREL, false },
		{ "zRS", "\x1b", 1, PCREL, true },
		{ "zSR", "\x1b", 1, PCREL, true },
		{ "zRB", "\x1b", 1, PCREL, false },
		{ "zBR", "\x1b", 1, PCREL, false },
		{ "zBSR", "\x1b", 1, PCREL, true },
		{ "zLR", "\3\x1b", 2, PCREL, false },
		{ "zPR", "\3\1\2\3\4\x1b", 6, PCREL, false },
		{ "zPR", "\x0a\1\2\x1b", 4, PCREL, false },
		{ "zPR", "\0\1\2\3\4\5\6\7\x08\x1b", 10, PCREL, false },
		{ "zPLR", "\3\1\2\3\4\3\x1b", 7, PCREL, false },
		{ "zRPLS", "\x1b\3\1\2\3\4\3", 7, PCREL, true },
		{ "zR", "\x1b\1\2\3", 4, PCREL, false },	/* more than the letters say */
		{ "zR", "\0", 1, ABS, false },
		{ "z", "", 0, ABS, false },
		{ "zS", "", 0, ABS, true },
		{ "zXS", "", 0, ABS, false },
		{ "zXR", "\x1b", 1, ABS, false },	/* what X needs nobody knows */
		{ "zRXS", "\x1b", 1, PCREL, false },
		{ "zR", "", 0, BAD, false },
		{ "zLR", "\x1b", 1, BAD, false },
		{ "zPR", "\3\1\2\3", 4, BAD, false },
		{ "eh", "\x1b", 1, BAD, false },
		{ "R", "\x1b", 1, BAD, false },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct bytes b = { .n = 0 }, body = { .n = 0 };
		struct unwind_table t;
		uint8_t n = (uint8_t)rows[i].n;

		put32(&body, 0);
		put(&body, "\1", 1);
		put(&body, rows[i].letters, strlen(rows[i].letters) + 1);
		put(&body, "\1\x78\x10", 3);
		put(&body, &n, 1);
		put(&body, rows[i].data, n);
		put(&body, usual, sizeof(usual));
		entry(&b, &body);
		if (rows[i].how == ABS) {
			body.n = 0;
			put32(&body, (uint32_t)b.n + 4);
			put(&body, "\0\x10\0\0\0\0\0\0" "\x10\0\0\0\0\0\0\0", 16);
			put(&body, "\0", 1);
			entry(&b, &body);
		} else {
			fde(&b, CODE, 0x10, usual, 0);
		}
		struct unwind_input in = input_of(&b);
		assert_ok(unwind_table_make(&in, 10, &t));
		uint32_t rule = unwind_table_find(&t, CODE);
		if (t.nbad_fdes != (rows[i].how == BAD) ||
		    (rows[i].how != BAD && abi_unwind_what(rule) !=
		     (rows[i].is_signal ? ABI_UNWIND_SIGNAL : ABI_UNWIND_SP)))
			fail_msg("row %zu: %u", i, abi_unwind_what(rule));
		unwind_table_fini(&t);
	}
}

/* Without a z nothing but addresses stands before what is told of a function. */
static void
test_no_letters(void **state)
{
	struct bytes b = { .n = 0 }, body = { .n = 0 };
	struct unwind_table t;

	put32(&body, 0);
	put(&body, "\1\0\1\x78\x10", 5);
	put(&body, usual, sizeof(usual));
	entry(&b, &body);
	body.n = 0;
	put32(&body, (uint32_t)b.n + 4);
	put(&body, "\0\x10\0\0\0\0\0\0" "\x10\0\0\0\0\0\0\0", 16);
	put(&body, "\x0e\x20", 2);
	entry(&b, &body);
	struct unwind_input in = input_of(&b);
	assert_ok(unwind_table_make(&in, 10, &t));
	assert_int_equal(t.nbad_fdes, 0);
	assert_int_equal(unwind_table_find(&t, CODE),
			 abi_unwind_rule(ABI_UNWIND_SP, 4, 0));
	unwind_table_fini(&t);
}

/* How addresses may be written; anything else is bad. */
static void
test_formats(void **state)
{
	static const struct { uint8_t encoding; const char *bytes; unsigned n; bool bad; }
	rows[] = {
		{ 0x00, "\0\x10\0\0\0\0\0\0" "\x20\0\0\0\0\0\0\0", 16, false },
		{ 0x01, "\x80\x20" "\x20", 3, false },
		{ 0x02, "\0\x10" "\x20\0", 4, false },
		{ 0x03, "\0\x10\0\0" "\x20\0\0\0", 8, false },
		{ 0x04, "\0\x10\0\0\0\0\0\0" "\x20\0\0\0\0\0\0\0", 16, false },
		{ 0x09, "\x80\x20" "\x20", 3, false },
		{ 0x0a, "\0\x10" "\x20\0", 4, false },
		{ 0x0b, "\0\x10\0\0" "\x20\0\0\0", 8, false },
		{ 0x0c, "\0\x10\0\0\0\0\0\0" "\x20\0\0\0\0\0\0\0", 16, false },
		{ 0x05, "\0\x10\0\0" "\x20\0\0\0", 8, true },
		{ 0x0d, "\0\x10\0\0" "\x20\0\0\0", 8, true },
		{ 0x23, "\0\x10\0\0" "\x20\0\0\0", 8, true },
		{ 0x83, "\0\x10\0\0" "\x20\0\0\0", 8, true },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct bytes b = { .n = 0 }, body = { .n = 0 };
		struct unwind_table t;
		cie(&b, "zR", usual, sizeof(usual));
		b.v[16] = rows[i].encoding;
		put32(&body, (uint32_t)b.n + 4);
		put(&body, rows[i].bytes, rows[i].n);
		put(&body, "\0", 1);
		entry(&b, &body);
		struct unwind_input in = input_of(&b);
		assert_ok(unwind_table_make(&in, 10, &t));
		if (t.nbad_fdes != rows[i].bad)
			fail_msg("row %zu", i);
		if (!rows[i].bad) {
			assert_int_equal(t.n, 2);
			assert_int_equal(t.rows[0].pc, CODE);
			assert_int_equal(t.rows[1].pc, CODE + 0x20);
		}
		unwind_table_fini(&t);
	}
}

/* A function that makes no sense takes nothing from the others. */
static void
test_bad_function(void **state)
{
	static const uint8_t bad[] = { 0x3f };
	struct bytes b = { .n = 0 };
	struct unwind_table t;

	cie(&b, "zR", usual, sizeof(usual));
	fde(&b, CODE, 0x10, bad, sizeof(bad));
	fde(&b, CODE + 0x20, 0x10, usual, 0);
	struct unwind_input in = input_of(&b);
	assert_ok(unwind_table_make(&in, 10, &t));
	assert_int_equal(t.nbad_fdes, 1);
	assert_int_equal(abi_unwind_what(unwind_table_find(&t, CODE + 0x20)),
			 ABI_UNWIND_SP);
	unwind_table_fini(&t);
}

/* --- Numbers ---------------------------------------------------------------------------- */

struct number_case { const char *bytes; size_t n; bool is_signed, bad; uint64_t value; };

#define NUMBER(bytes, is_signed, bad, value) \
	{ bytes, sizeof(bytes) - 1, is_signed, bad, value }
#define NINE(byte) byte byte byte byte byte byte byte byte byte

static const struct number_case numbers[] = {
	NUMBER("\x7f", false, false, 127),
	NUMBER("\x80\1", false, false, 128),
	NUMBER("\x80\0", false, false, 0),
	NUMBER(NINE("\xff") "\1", false, false, UINT64_MAX),
	NUMBER(NINE("\x80") "\1", false, false, (uint64_t)1 << 63),
	NUMBER(NINE("\x80") "\x80\1", false, true, 0),
	NUMBER("\x80", false, true, 0),
	NUMBER("", false, true, 0),
	NUMBER("\x3f", true, false, 63),
	NUMBER("\x40", true, false, (uint64_t)-64),
	NUMBER("\x7f", true, false, (uint64_t)-1),
	NUMBER("\xff\0", true, false, 127),
	NUMBER("\x80\x7f", true, false, (uint64_t)-128),
	NUMBER("\x80\x80\x80\x80\x80\x80\x80\x80\x40", true, false, (uint64_t)3 << 62),
	NUMBER(NINE("\x80") "\x7f", true, false, (uint64_t)INT64_MIN),
	NUMBER(NINE("\xff") "\0", true, false, INT64_MAX),
	NUMBER(NINE("\x80") "\x80\0", true, true, 0),
	NUMBER("\x80", true, true, 0),
};

static void
test_numbers(void **state)
{
	for (size_t i = 0; i < BASE_NELEMS(numbers); i++) {
		const struct number_case *c = &numbers[i];
		uint8_t *own = malloc(c->n + 1);	/* so that a sanitizer sees */
		memcpy(own + 1, c->bytes, c->n);
		struct reader r = { own + 1, own + 1, own + 1 + c->n, ADDR, false };
		uint64_t v = c->is_signed ? (uint64_t)reader_sleb(&r) : reader_uleb(&r);
		if (r.bad != c->bad || v != c->value || (!r.bad && r.p != r.end))
			fail_msg("number %zu: %llx", i, (unsigned long long)v);
		free(own);
	}
}

/* Up to the end, and not a byte beyond. */
static void
test_ends(void **state)
{
	static const uint8_t bytes[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	struct reader r = { bytes, bytes, bytes + sizeof(bytes), ADDR, false }, part;

	reader_sub(&r, 4, &part);
	assert_int_equal(reader_unsigned(&part, 4), 0x04030201);
	assert_false(part.bad);
	assert_int_equal(reader_unsigned(&part, 1), 0);
	assert_true(part.bad);
	assert_false(r.bad);
	struct reader again = r;
	assert_int_equal(reader_unsigned(&r, 8), 0);
	assert_true(r.bad);
	assert_int_equal(reader_unsigned(&r, 1), 0);
	reader_sub(&again, 5, &part);
	assert_true(again.bad && part.bad && part.p == part.end);
	r = (struct reader){ bytes, bytes, bytes + sizeof(bytes), ADDR, false };
	assert_int_equal(reader_unsigned(&r, 8), 0x0807060504030201);
	assert_false(r.bad);
	reader_sub(&r, 0, &part);
	assert_false(r.bad || part.bad);
}

/* As many rows as may be are no error. */
static void
test_limit(void **state)
{
	enum { N = 12 };
	struct bytes b = { .n = 0 };
	struct unwind_table t;

	cie(&b, "zR", usual, sizeof(usual));
	for (uint32_t i = 0; i < N; i++)
		fde(&b, CODE + 0x40 * i, 0x10, usual, 0);
	struct unwind_input in = input_of(&b);
	assert_ok(unwind_table_make(&in, 2 * N, &t));	/* with a gap behind each */
	assert_int_equal(t.n, 2 * N);
	unwind_table_fini(&t);
	for (size_t max = 0; max < 2 * N; max++) {
		struct err *e = unwind_table_make(&in, max, &t);
		assert_non_null(e);
		assert_int_equal(e->code, ERR_LIMIT);
		err_free(e);
	}
}

/* --- What is none --------------------------------------------------------------------- */

/* Its last function comes first. */
static struct bytes
sample(void)
{
	struct bytes b = { .n = 0 };

	cie(&b, "zR", usual, sizeof(usual));
	for (size_t i = BASE_NELEMS(cases); i-- > 0; )
		fde(&b, CODE + 0x10 * (uint32_t)i, 0x10,
		    (const uint8_t *)cases[i].insns, cases[i].n);
	return b;
}

static void
make_any(const uint8_t *v, size_t n)
{
	uint8_t *own = malloc(n ? n : 1);	/* so that a sanitizer sees */
	struct unwind_table t;

	memcpy(own, v, n);
	struct unwind_input in = { own, n, ADDR, 0, UNWIND_X86_64 };
	struct err *e = unwind_table_make(&in, 1000, &t);
	for (size_t i = 1; !e && i < t.n; i++)
		assert_true(t.rows[i - 1].pc < t.rows[i].pc);
	err_free(e);
	if (!e)
		unwind_table_fini(&t);
	free(own);
}

static void
test_anything(void **state)
{
	struct bytes b = sample();

	for (size_t n = 0; n <= b.n; n++)
		make_any(b.v, n);
	for (size_t i = 0; i < b.n; i++)
		for (unsigned bit = 0; bit < 8; bit++) {
			b.v[i] ^= (uint8_t)(1 << bit);
			make_any(b.v, b.n);
			b.v[i] ^= (uint8_t)(1 << bit);
		}
}

static void
test_no_memory(void **state)
{
	struct bytes b = sample();
	struct unwind_input in = input_of(&b);
	struct unwind_table t, truth;
	struct err *e;
	unsigned long n = 0;

	assert_ok(unwind_table_make(&in, 1000, &truth));
	do {
		util_alloc_fail(++n, 0);
		e = unwind_table_make(&in, 1000, &t);
		util_alloc_fail(0, 0);
		assert_true(!e || e->code == ERR_NOMEM);
	} while (e);
	assert_true(n > 1);
	assert_int_equal(t.n, truth.n);
	assert_memory_equal(t.rows, truth.rows, t.n * sizeof(*t.rows));
	unwind_table_fini(&t);
	unwind_table_fini(&truth);
}

#define TEST(name) cmocka_unit_test(name)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_rules), TEST(test_rules_aarch64), TEST(test_rules_i386), TEST(test_signal),
		TEST(test_signal_i386), TEST(test_rows),
		TEST(test_bad_function), TEST(test_plt), TEST(test_plt_code), TEST(test_signal_code),
		TEST(test_functions),
		TEST(test_moving_cie), TEST(test_first), TEST(test_letters),
		TEST(test_no_letters), TEST(test_formats), TEST(test_numbers), TEST(test_ends),
		TEST(test_limit), TEST(test_anything),
		TEST(test_no_memory),
	};
	return cmocka_run_group_tests_name("unwind", tests, NULL, NULL);
}
