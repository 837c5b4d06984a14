/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Rows, trace(), faults and drops, and what goes wrong.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/base.h"
#include "fmtworld.h"
#include "sym/names.h"
#include "util/alloc.h"

/* --- Rows --------------------------------------------------------------- */

/* The rows of talk 004, slides "proc Provider" and "Enabling a pid Probe". */
static void
test_talk_rows(void **state)
{
	struct fw *w = fw_new();
	struct rm_clause *cl = rm_clause(w->m, 0);
	struct rm_clause *none = rm_clause(w->m, 0);

	rm_action(cl, ABI_ACT_PRINTF, "%s");
	rm_field(cl, ABI_FIELD_STRING, 64, false);
	uint32_t p = rm_probe(w->m, "proc", "none", "none", "exec-success");
	w->m->probes[p - 1].id = 14;
	uint32_t q = rm_probe(w->m, "fbt", "", "fasttrap_tracepoint_install",
			      "entry");
	w->m->probes[q - 1].id = 59070;
	uint32_t e = rm_epid(w->m, p, cl), f = rm_epid(w->m, q, none);
	rm_set_bytes(w->m, rm_record(w->m, 1, 1, e), 0,
		     "/bin/sh /usr/bin/man man", 24);
	rm_set_bytes(w->m, rm_record(w->m, 0, 2, e), 0, "head -1", 7);
	rm_record(w->m, 1, 3, f);
	fw_open(w);
	fw_run(w);
	fw_expect(w, HEADER
"  1     14                none:exec-success /bin/sh /usr/bin/man man\n"
"  0     14                none:exec-success head -1\n"
"  1  59070 fasttrap_tracepoint_install:entry \n");
	fw_free(w);
}

/* The header comes once, before the first row, and quiet says nothing. */
static void
test_header(void **state)
{
	struct fw *w = fw_new();
	struct rm_clause *cl = rm_clause(w->m, 0);

	fw_open(w);
	w->opts.v[OPT_QUIET] = 1;
	fw_fire(w, cl);
	fw_run(w);
	fw_expect(w, "");
	w->opts.v[OPT_QUIET] = 0;	/* setopt() in between */
	fw_fire(w, cl);
	fw_fire(w, cl);
	fw_run(w);
	fw_expect(w, HEADER ROW "\n" ROW "\n");
	fw_fire(w, cl);
	fw_run(w);
	fw_expect(w, ROW "\n");
	fw_free(w);
}

/* A probe nobody knows still makes a row. */
static void
test_unknown_probe(void **state)
{
	struct fw *w = fw_new();
	struct rm_clause *cl = rm_clause(w->m, 0);

	w->probe = 77;
	fw_fire(w, cl);
	fw_open(w);
	fw_run(w);
	fw_expect(w, HEADER
"  0     77                                : \n");
	fw_free(w);
}

static void
test_several_actions(void **state)
{
	struct fw *w = fw_new();
	struct rm_clause *cl = rm_clause(w->m, 0);

	rm_action(cl, ABI_ACT_DIFEXPR, NULL);
	rm_field(cl, ABI_FIELD_INT, 4, true);
	rm_action(cl, ABI_ACT_PRINTF, "<%d>");
	rm_field(cl, ABI_FIELD_INT, 4, true);
	rm_action(cl, ABI_ACT_EXIT, NULL);
	rm_field(cl, ABI_FIELD_INT, 4, true);
	struct abi_record *r = fw_fire(w, cl);
	rm_set_int(w->m, r, 0, 5);
	rm_set_int(w->m, r, 1, 6);
	rm_set_int(w->m, r, 2, 7);
	fw_open(w);
	fw_run(w);
	fw_expect(w, HEADER ROW "        5<6>\n");
	fw_free(w);
}

/* if (..) printf("a") else printf("b"); with something or nothing besides. */
static void
test_branches(void **state)
{
	static const struct {
		bool always;		/* printf("c") outside */
		unsigned taken;		/* 0: none */
		const char *want;
	} rows[] = {
		{ false, 1, HEADER ROW "a\n" }, { false, 2, HEADER ROW "b\n" },
		{ false, 0, "" }, { true, 1, HEADER ROW "ac\n" },
		{ true, 0, HEADER ROW "c\n" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct fw *w = fw_new();
		struct rm_clause *cl = rm_clause(w->m, 2);
		rm_action(cl, ABI_ACT_PRINTF, "a")->branch = 1;
		rm_action(cl, ABI_ACT_PRINTF, "b")->branch = 2;
		if (rows[i].always)
			rm_action(cl, ABI_ACT_PRINTF, "c");
		struct abi_record *r = fw_fire(w, cl);
		if (rows[i].taken)
			rm_take_branch(r, rows[i].taken);
		fw_open(w);
		fw_run(w);
		fw_expect(w, rows[i].want);
		fw_free(w);
	}
}

static void
test_exit(void **state)
{
	static const struct {
		uint16_t branch;
		bool taken, want;
	} rows[] = { { 0, false, true }, { 1, true, true },
		     { 1, false, false } };

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct fw *w = fw_new();
		struct rm_clause *cl = rm_clause(w->m, 1);
		int status = 99;
		rm_action(cl, ABI_ACT_PRINTF, "x");
		rm_action(cl, ABI_ACT_EXIT, NULL)->branch = rows[i].branch;
		rm_field(cl, ABI_FIELD_INT, 4, true);
		struct abi_record *r = fw_fire(w, cl);
		rm_set_int(w->m, r, 0, -3);
		if (rows[i].taken)
			rm_take_branch(r, 1);
		struct consume_event e = {
			.kind = CONSUME_RECORD, .record = r,
			.epid = &w->m->epids[r->epid - 1],
		};
		assert_int_equal(fmt_exit_status(&e, &status), rows[i].want);
		assert_int_equal(status, rows[i].want ? -3 : 99);
		e.kind = CONSUME_ERROR;
		assert_false(fmt_exit_status(&e, &status));
		fw_free(w);
	}
}

static const uint64_t one = 1;

/* --- trace() ------------------------------------------------------------ */

static const struct value {
	enum abi_field_kind kind;
	uint32_t size;
	bool is_signed;
	int64_t v;
	const char *s;
	const char *trace, *quiet, *key;
} values[] = {
	{ ABI_FIELD_INT, 8, true, -5, NULL,
	  "               -5", "-5", "               -5" },
	{ ABI_FIELD_INT, 8, false, -1, NULL, " 18446744073709551615",
	  "18446744073709551615", " 18446744073709551615" },
	{ ABI_FIELD_INT, 8, false, 1, NULL,
	  "                1", "1", "                1" },
	{ ABI_FIELD_INT, 8, true, INT64_MIN, NULL,
	  " -9223372036854775808", "-9223372036854775808",
	  " -9223372036854775808" },
	{ ABI_FIELD_INT, 4, true, 42, NULL,
	  "       42", "42", "       42" },
	{ ABI_FIELD_INT, 4, false, 0xffffffff, NULL,
	  " 4294967295", "4294967295", " 4294967295" },
	{ ABI_FIELD_INT, 2, true, -2, NULL, "    -2", "-2", " 65534" },
	{ ABI_FIELD_INT, 2, false, -2, NULL, " 65534", "65534", " 65534" },
	{ ABI_FIELD_INT, 2, false, 7, NULL, "     7", "7", "     7" },
	{ ABI_FIELD_INT, 1, true, -2, NULL, "  -2", "-2", " 254" },
	{ ABI_FIELD_INT, 1, false, -2, NULL, " 254", "254", " 254" },
	{ ABI_FIELD_INT, 1, false, 65, NULL, "  65", "65", "  65" },
	{ ABI_FIELD_STRING, 16, false, 0, "hello",
	  "  hello                            ", "hello",
	  "  hello                                             " },
	{ ABI_FIELD_STRING, 16, false, 0, "",
	  "                                   ", "",
	  "                                                    " },
	{ ABI_FIELD_BYTES, 8, false, 0, "sixteen",
	  "  sixteen                          ", "sixteen",
	  "  sixteen                                           " },
	{ ABI_FIELD_SYM, 8, false, 0xbeef, NULL,
	  "  0xbeef                                            ",
	  "  0xbeef                                            ",
	  "  0xbeef                                            " },
};

static void
test_trace(void **state)
{
	for (size_t i = 0; i < BASE_NELEMS(values); i++) {
		const struct value *v = &values[i];
		struct fw *w = fw_new();
		struct rm_clause *cl = rm_clause(w->m, 0);
		char want[512];
		rm_action(cl, ABI_ACT_DIFEXPR, NULL);
		rm_field(cl, v->kind, v->size, v->is_signed);
		for (int k = 0; k < 2; k++) {
			struct abi_record *r = fw_fire(w, cl);
			if (v->s)
				rm_set_bytes(w->m, r, 0, v->s, strlen(v->s));
			else
				rm_set_int(w->m, r, 0, v->v);
			if (!w->f)
				fw_open(w);
			w->opts.v[OPT_QUIET] = k;
			fw_run(w);
			snprintf(want, sizeof(want), HEADER ROW "%s\n",
				 v->trace);
			fw_expect(w, k ? v->quiet : want);
		}
		fw_free(w);
	}
}

/* Each kind of address shows its part of a name; a module that is not known, the address. */
static void
test_addresses(void **state)
{
	enum { PID = 5 };
	static const struct {
		enum abi_field_kind kind;
		uint64_t addr;
		const char *want;
	} rows[] = {
		{ ABI_FIELD_SYM, 0x14, "mod`fun" }, { ABI_FIELD_MOD, 0x14, "mod" },
		{ ABI_FIELD_USYM, 0x14, "prog`f" }, { ABI_FIELD_UMOD, 0x14, "prog" },
		{ ABI_FIELD_UADDR, 0x14, "prog`f+0x4" },
		{ ABI_FIELD_SYM, 0x24, "mod`0x24" }, { ABI_FIELD_MOD, 0x24, "mod" },
		{ ABI_FIELD_SYM, 0x34, "0x34" }, { ABI_FIELD_MOD, 0x34, "0x34" },
		{ ABI_FIELD_UMOD, 0x34, "0x34" }, { ABI_FIELD_UADDR, 0x34, "0x34" },
	};
	const struct sym_place kernel[] = {
		{ .addr = 0x14, .module = "mod", .function = "fun", .offset = 4 },
		{ .addr = 0x24, .module = "mod" },
	}, user = { .addr = 0x14, .module = "prog", .function = "f", .offset = 4 };

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct fw *w = fw_new();
		struct rm_clause *cl = rm_clause(w->m, 0);
		bool is_user = rows[i].kind >= ABI_FIELD_USYM;
		uint64_t words[2] = { PID, rows[i].addr };
		struct sym_names *names;

		assert_null(sym_names_new(NULL, &names));
		for (int k = 0; k < 2; k++)
			assert_true(sym_names_keep(names, SYM_KEPT_KERNEL, 0,
						   false, &kernel[k]));
		assert_true(sym_names_keep(names, SYM_KEPT_USER, PID, false,
					   &user));
		rm_action(cl, ABI_ACT_DIFEXPR, NULL);
		rm_field(cl, rows[i].kind, is_user ? 16 : 8, false);
		struct abi_record *r = fw_fire(w, cl);
		rm_set_bytes(w->m, r, 0, is_user ? words : words + 1,
			     is_user ? 16 : 8);
		fw_open(w);
		fmt_set_names(w->f, names);
		w->opts.v[OPT_QUIET] = 1;
		fw_run(w);
		char *text = w->out + strspn(w->out, " ");
		text[strcspn(text, " ")] = '\0';
		assert_string_equal(text, rows[i].want);
		fw_free(w);
		sym_names_free(names);
	}
}

/* Names of C++ are as long as somebody likes. */
static void
test_long_names(void **state)
{
	enum { PID = 5, LENGTH = 100000 };
	static const enum abi_field_kind kinds[] = {
		ABI_FIELD_SYM, ABI_FIELD_USYM, ABI_FIELD_UADDR,
	};
	char *name = malloc(LENGTH + 1);

	memset(name, 'x', LENGTH);
	name[LENGTH] = '\0';
	for (size_t i = 0; i < BASE_NELEMS(kinds); i++) {
		const struct sym_place place = { .addr = 0x10, .module = "m", .function = name };
		struct fw *w = fw_new();
		struct rm_clause *cl = rm_clause(w->m, 0);
		bool is_user = kinds[i] != ABI_FIELD_SYM;
		uint64_t words[2] = { PID, place.addr };
		struct sym_names *names;
		assert_null(sym_names_new(NULL, &names));
		assert_true(sym_names_keep(names, is_user ? SYM_KEPT_USER : SYM_KEPT_KERNEL,
					   is_user ? PID : 0, false, &place));
		rm_action(cl, ABI_ACT_DIFEXPR, NULL);
		rm_field(cl, kinds[i], is_user ? 16 : 8, false);
		rm_set_bytes(w->m, fw_fire(w, cl), 0, words + !is_user, is_user ? 16 : 8);
		fw_open(w);
		fmt_set_names(w->f, names);
		w->opts.v[OPT_QUIET] = 1;
		fw_run(w);
		const char *text = w->out + strspn(w->out, " ");
		assert_int_equal(strncmp(text, "m`", 2), 0);
		assert_int_equal(strspn(text + 2, "x"), LENGTH);
		fw_free(w);
		sym_names_free(names);
	}
	free(name);
}

/* As wide as an integer of that size; as few digits as read back. */
static void
test_trace_float(void **state)
{
	static const struct {
		enum abi_field_kind kind;
		uint32_t size;
		union { float f32; double f64; long double l; char s[16]; } v;
		const char *trace, *quiet;
	} rows[] = {
		{ ABI_FIELD_INT, 8, { .f64 = 1.5 }, "              1.5",
		  "1.5" },
		{ ABI_FIELD_INT, 8, { .f64 = 0.1 }, "              0.1",
		  "0.1" },
		{ ABI_FIELD_INT, 8, { .f64 = 1 / 3. }, " 0.3333333333333333",
		  "0.3333333333333333" },
		{ ABI_FIELD_INT, 8, { .f64 = -1e300 }, "          -1e+300",
		  "-1e+300" },
		{ ABI_FIELD_INT, 4, { .f32 = 2.25f }, "     2.25", "2.25" },
		{ ABI_FIELD_INT, 4, { .f32 = 0.1f }, "      0.1", "0.1" },
		{ ABI_FIELD_INT, 4, { .f32 = 16777216 }, " 16777216",
		  "16777216" },
		{ ABI_FIELD_INT, 8, { .f64 = 1 / 0. }, "              inf",
		  "inf" },
		{ ABI_FIELD_INT, 8, { .s = "\0\0\0\0\0\0\370\177" },
		  "              nan", "nan" },
		{ ABI_FIELD_BYTES, 16, { .l = 0.1L }, "              0.1",
		  "0.1" },
		{ ABI_FIELD_STRING, 5, { .s = "2.5L" }, "              2.5",
		  "2.5" },
		/* no NUL, so no number */
		{ ABI_FIELD_STRING, 3, { .s = "2.5" }, "                0",
		  "0" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct fw *w = fw_new();
		struct rm_clause *cl = rm_clause(w->m, 0);
		char want[512];
		rm_action(cl, ABI_ACT_DIFEXPR, NULL);
		rm_field(cl, rows[i].kind, rows[i].size, false);
		cl->fields[0].sub = ABI_MEANS_FLOAT;
		for (int k = 0; k < 2; k++) {
			rm_set_bytes(w->m, fw_fire(w, cl), 0, &rows[i].v,
				     rows[i].size);
			if (!w->f)
				fw_open(w);
			w->opts.v[OPT_QUIET] = k;
			fw_run(w);
			snprintf(want, sizeof(want), HEADER ROW "%s\n",
				 rows[i].trace);
			fw_expect(w, k ? rows[i].quiet : want);
		}
		fw_free(w);
	}
}

/* The values of test_trace() as keys of a count. */
static void
test_keys(void **state)
{
	for (size_t i = 0; i < BASE_NELEMS(values); i++) {
		const struct value *v = &values[i];
		struct fw *w = fw_new();
		uint32_t id = rm_agg(w->m, ABI_AGG_COUNT, 0, 1);
		uint8_t key[16] = { 0 };
		char want[512];
		rm_key(w->m, id, v->kind, v->size, v->is_signed);
		if (v->s)
			memcpy(key, v->s, strlen(v->s));
		else
			memcpy(key, &v->v, v->size);
		fw_open(w);
		assert_null(consume_agg_add(w->c, id, key, &one));
		fw_end(w);
		snprintf(want, sizeof(want), "\n%s                1\n",
			 v->key);
		fw_expect(w, want);
		fw_free(w);
	}
}

#define RULER "             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f" \
	"  0123456789abcdef\n"

static void
test_hexdump(void **state)
{
	static const struct {
		const char *bytes;
		size_t n;
		const char *want;
	} rows[] = {
		{ "", 0, "\n" RULER },
		{ "Darwin", 6, "\n" RULER
"         0: 44 61 72 77 69 6e                                Darwin\n" },
		{ "0123456789abcdef\x00\x1f\x20\x7e\x7f\xff", 22, "\n" RULER
"         0: 30 31 32 33 34 35 36 37 38 39 61 62 63 64 65 66  0123456789abcdef\n"
"        10: 00 1f 20 7e 7f ff                                .. ~..\n" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct sb b;
		sb_init(&b, 4096);
		fmt_hexdump(rows[i].bytes, rows[i].n, &b);
		assert_string_equal(sb_str(&b), rows[i].want);
		sb_fini(&b);
	}
}

/* Bytes are text when all of them are, unless rawbytes. */
static void
test_bytes(void **state)
{
	static const struct {
		const char *bytes;
		bool raw;
		const char *want;
	} rows[] = {
		{ "ab\n\0", false, "ab\n" },
		{ "\0\0\0\0", false, "" },
		{ "ab\0c", false, "\n" RULER
"         0: 61 62 00 63                                      ab.c\n" },
		{ "abcd", false, "\n" RULER
"         0: 61 62 63 64                                      abcd\n" },
		{ "\1\2\0\0", false, "\n" RULER
"         0: 01 02 00 00                                      ....\n" },
		{ "ab\0\0", true, "\n" RULER
"         0: 61 62 00 00                                      ab..\n" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct fw *w = fw_new();
		struct rm_clause *cl = rm_clause(w->m, 0);
		w->opts.v[OPT_QUIET] = 1;
		w->opts.v[OPT_RAWBYTES] = rows[i].raw;
		rm_action(cl, ABI_ACT_DIFEXPR, NULL);
		rm_field(cl, ABI_FIELD_BYTES, 4, false);
		rm_set_bytes(w->m, fw_fire(w, cl), 0, rows[i].bytes, 4);
		fw_open(w);
		fw_run(w);
		fw_expect(w, rows[i].want);
		fw_free(w);
	}
}

/* tracemem(): a third argument of 0, less, or too much means all. */
static void
test_tracemem(void **state)
{
	static const char all[] =
		"41 42 43 44                                      ABCD";
	static const char two[] =
		"41 42                                            AB";
	static const struct {
		bool dyn;
		int64_t n;
		const char *want;
	} rows[] = {
		{ false, 0, all }, { true, 2, two }, { true, 4, all },
		{ true, 0, all }, { true, -1, all }, { true, 99, all },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct fw *w = fw_new();
		struct rm_clause *cl = rm_clause(w->m, 0);
		char want[256];
		rm_action(cl, ABI_ACT_TRACEMEM, NULL);
		rm_field(cl, ABI_FIELD_BYTES, 4, false);
		if (rows[i].dyn)
			rm_field(cl, ABI_FIELD_INT, 8, true);
		struct abi_record *r = fw_fire(w, cl);
		rm_set_bytes(w->m, r, 0, "ABCD", 4);
		if (rows[i].dyn)
			rm_set_int(w->m, r, 1, rows[i].n);
		fw_open(w);
		fw_run(w);
		snprintf(want, sizeof(want), HEADER ROW "\n" RULER
			 "         0: %s\n\n", rows[i].want);
		fw_expect(w, want);
		fw_free(w);
	}
}

/* Two stacks with a blank line between, as in talk 004. */
static void
test_stacks(void **state)
{
	struct fw *w = fw_new();
	struct rm_clause *cl = rm_clause(w->m, 0);

	rm_action(cl, ABI_ACT_STACK, NULL);
	rm_field(cl, ABI_FIELD_STACK, 24, false);
	rm_action(cl, ABI_ACT_USTACK, NULL);
	rm_field(cl, ABI_FIELD_USTACK, 24, false);
	struct abi_record *r = fw_fire(w, cl);
	rm_set_bytes(w->m, r, 0, (uint64_t[]){ 0xffffffff80ec6cfb, 0x10 }, 16);
	rm_set_bytes(w->m, r, 1, (uint64_t[]){ 4711, 0x20, 0x30 }, 24);
	fw_open(w);
	fw_run(w);
	fw_expect(w, HEADER ROW "\n"
"              0xffffffff80ec6cfb\n"
"              0x10\n"
"\n"
"              0x20\n"
"              0x30\n"
"\n");
	w->opts.v[OPT_STACKINDENT] = 2;
	w->opts.v[OPT_QUIET] = 1;
	fw_fire(w, cl);
	rm_set_bytes(w->m, fw_fire(w, cl), 0, (uint64_t[]){ 1 }, 8);
	fw_run(w);
	fw_expect(w, "\n\n" "\n  0x1\n\n");
	fw_free(w);
}

/* --- Actions of the caller ---------------------------------------------- */

/* In their turn, between what is printed before and behind them. */
static void
test_action_order(void **state)
{
	struct fw *w = fw_new();
	struct rm_clause *cl = rm_clause(w->m, 0);

	rm_action(cl, ABI_ACT_PRINTF, "one ");
	rm_action(cl, ABI_ACT_SYSTEM, "ps -p %d");
	rm_field(cl, ABI_FIELD_INT, 4, true);
	rm_action(cl, ABI_ACT_PRINTF, "two ");
	rm_action(cl, ABI_ACT_FTRUNCATE, NULL);
	rm_action(cl, ABI_ACT_FREOPEN, "");
	rm_action(cl, ABI_ACT_PRINTF, "three");
	struct abi_record *r = fw_fire(w, cl);
	rm_set_int(w->m, r, 0, 12);
	fw_open(w);
	fw_run(w);
	fw_expect(w, HEADER ROW "one [203:ps -p 12=none]two "
		  "[806:none=none][204:=none]three\n");
	fw_free(w);
}

static void
test_action_strings(void **state)
{
	struct fw *w = fw_new();
	struct rm_clause *cl = rm_clause(w->m, 0);

	rm_action(cl, ABI_ACT_SETOPT, NULL);
	rm_field(cl, ABI_FIELD_STRING, 8, false);
	rm_action(cl, ABI_ACT_SETOPT, NULL);
	rm_field(cl, ABI_FIELD_STRING, 8, false);
	rm_field(cl, ABI_FIELD_STRING, 4, false);
	struct abi_record *r = fw_fire(w, cl);
	rm_set_bytes(w->m, r, 0, "quiet", 6);
	rm_set_bytes(w->m, r, 1, "aggrate", 8);
	rm_set_bytes(w->m, r, 2, "10ms", 4);
	w->opts.v[OPT_QUIET] = 1;
	fw_open(w);
	fw_run(w);
	fw_expect(w, "[805:quiet=none][805:aggrate=10ms]");
	fw_free(w);
}

/* --- Faults and drops --------------------------------------------------- */

static void
test_error_text(void **state)
{
	static const struct consume_probe p = { 4, "syscall", "vmlinux",
						"read", "entry" };
	static const struct {
		int32_t fault;
		uint64_t value;
		uint32_t action;
		int32_t offset;
		const char *want;
	} rows[] = {
		{ 1, 0, 2, 4, "invalid address (0x0) in action #2 "
		  "at DIF offset 4" },
		{ 2, 0xabc1, 1, 0, "invalid alignment (0xabc1) in action #1 "
		  "at DIF offset 0" },
		{ 4, 9, 0, 12, "divide-by-zero in predicate at DIF offset 12" },
		{ 3, 0, 1, 8, "illegal operation in action #1 "
		  "at DIF offset 8" },
		{ 5, 0, 1, -1, "out of scratch space in action #1" },
		{ 6, 7, 1, 4, "invalid kernel access (0x7) in action #1 "
		  "at DIF offset 4" },
		{ 7, 7, 1, 4, "invalid user access (0x7) in action #1 "
		  "at DIF offset 4" },
		{ 8, 0, 1, 4, "tuple stack overflow in action #1 "
		  "at DIF offset 4" },
		{ 9, 5, 1, 4, "bad stack (0x5) in action #1 at DIF offset 4" },
		{ 10, 0, 1, 4, "bad size in action #1 at DIF offset 4" },
		{ 11, 0, 1, 4, "bad index in action #1 at DIF offset 4" },
		{ 1000, 0, 1, 4, "library-level fault in action #1 "
		  "at DIF offset 4" },
		{ 0, 0, 1, 4, "unknown fault in action #1 at DIF offset 4" },
		{ 777, 0, 1, 4, "unknown fault in action #1 at DIF offset 4" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct abi_error_record r = {
			.epid = 3, .action = rows[i].action,
			.dif_offset = rows[i].offset, .fault = rows[i].fault,
			.value = rows[i].value,
		};
		struct consume_event e = { .kind = CONSUME_ERROR, .error = &r,
					   .probe = &p };
		char want[256];
		struct sb b;
		sb_init(&b, 4096);
		fmt_error_text(&e, &b);
		snprintf(want, sizeof(want), "error on enabled probe ID 3 "
			 "(ID 4: syscall:vmlinux:read:entry): %s",
			 rows[i].want);
		assert_string_equal(sb_str(&b), want);
		sb_fini(&b);
	}
}

/* How many more of one error there were. */
static void
test_error_repeated(void **state)
{
	static const struct { uint64_t n; const char *want; } rows[] = {
		{ 1, "1 more time" }, { 2, "2 more times" },
		{ 999, "999 more times" }, { 1000, "1,000 more times" },
		{ 999999, "999,999 more times" },
		{ 1000000, "1,000,000 more times" },
		{ 1234567890, "1,234,567,890 more times" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct abi_error_record r = { .epid = 9, .fault = 4,
					      .dif_offset = -1 };
		struct consume_event e = { .kind = CONSUME_ERROR, .error = &r,
					   .count = rows[i].n };
		struct sb b;
		sb_init(&b, 4096);
		fmt_error_text(&e, &b);
		const char *end = strstr(sb_str(&b), " ... ");
		assert_non_null(end);
		assert_string_equal(end + 5, rows[i].want);
		sb_fini(&b);
	}
}

static void
test_error_unknown_probe(void **state)
{
	struct abi_error_record r = { .epid = 9, .fault = 4, .dif_offset = -1 };
	struct consume_event e = { .kind = CONSUME_ERROR, .error = &r };
	struct sb b;

	sb_init(&b, 4096);
	fmt_error_text(&e, &b);
	assert_string_equal(sb_str(&b), "error on enabled probe ID 9 "
			    "(ID 0: :::): divide-by-zero in predicate");
	sb_fini(&b);
}

static void
test_drop_text(void **state)
{
	static const struct {
		enum abi_drop kind;
		uint64_t n;
		const char *want;
	} rows[] = {
		{ ABI_DROP_PRINCIPAL, 2179050, "2179050 drops on CPU 3" },
		{ ABI_DROP_PRINCIPAL, 1, "1 drop on CPU 3" },
		{ ABI_DROP_AGGREGATION, 1, "1 aggregation drop on CPU 3" },
		{ ABI_DROP_AGGREGATION, 2, "2 aggregation drops on CPU 3" },
		{ ABI_DROP_DYNAMIC, 1, "1 dynamic variable drop" },
		{ ABI_DROP_DYNAMIC, 2, "2 dynamic variable drops" },
		{ ABI_DROP_DYNRINSE, 1,
		  "1 dynamic variable drop with non-empty rinsing list" },
		{ ABI_DROP_DYNRINSE, 2,
		  "2 dynamic variable drops with non-empty rinsing list" },
		{ ABI_DROP_DYNDIRTY, 2,
		  "2 dynamic variable drops with non-empty dirty list" },
		{ ABI_DROP_SPEC, 1, "1 speculative drop" },
		{ ABI_DROP_SPEC, 2, "2 speculative drops" },
		{ ABI_DROP_SPECBUSY, 1,
		  "1 failed speculation (available buffer still busy)" },
		{ ABI_DROP_SPECBUSY, 2,
		  "2 failed speculations (available buffers still busy)" },
		{ ABI_DROP_SPECUNAVAIL, 1,
		  "1 failed speculation (no speculative buffer available)" },
		{ ABI_DROP_SPECUNAVAIL, 2,
		  "2 failed speculations (no speculative buffer available)" },
		{ ABI_DROP_STKSTROVERFLOW, 1,
		  "1 jstack()/ustack() string table overflow" },
		{ ABI_DROP_STKSTROVERFLOW, 2,
		  "2 jstack()/ustack() string table overflows" },
		{ ABI_DROP_DBLERROR, 1, "1 error in ERROR probe enabling" },
		{ ABI_DROP_DBLERROR, 2, "2 errors in ERROR probe enabling" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct consume_event e = { .kind = CONSUME_DROP, .cpu = 3,
					   .drop = rows[i].kind,
					   .count = rows[i].n };
		struct sb b;
		sb_init(&b, 4096);
		fmt_drop_text(&e, false, &b);
		assert_string_equal(sb_str(&b), rows[i].want);
		sb_fini(&b);
	}
}

static void
test_drop_tags(void **state)
{
	static const char *const tags[] = {
		"PRINCIPAL", "AGGREGATION", "DYNAMIC", "DYNRINSE", "DYNDIRTY",
		"SPEC", "SPECBUSY", "SPECUNAVAIL", "STKSTROVERFLOW",
		"DBLERROR",
	};

	for (unsigned i = 0; i < BASE_NELEMS(tags); i++) {
		struct consume_event e = { .kind = CONSUME_DROP, .drop = i,
					   .count = 2 };
		char want[64];
		struct sb b;
		sb_init(&b, 4096);
		fmt_drop_text(&e, true, &b);
		snprintf(want, sizeof(want), "[DTRACEDROP_%s] 2 ", tags[i]);
		assert_memory_equal(sb_str(&b), want, strlen(want));
		sb_fini(&b);
	}
}

/* --- When things go wrong ----------------------------------------------- */

/* A full disk is reported; the header is not taken for printed. */
static void
test_write_fails(void **state)
{
	struct fw *w = fw_new();
	struct rm_clause *cl = rm_clause(w->m, 0);

	fw_open(w);
	fw_fire(w, cl);
	w->fail_write = 1;
	struct err *e = fw_try_run(w);
	assert_non_null(e);
	assert_int_equal(e->os, 28);
	err_free(e);
	fw_fire(w, cl);
	fw_run(w);
	fw_expect(w, HEADER ROW "\n");
	fw_free(w);
}

/* Many rows are one write, and a great many are several; none is cut. */
static void
test_gathers(void **state)
{
	struct fw *w = fw_new();
	struct rm_clause *cl = rm_clause(w->m, 0);

	w->opts.v[OPT_QUIET] = 1;
	rm_action(cl, ABI_ACT_PRINTF, "%999d\n");
	rm_field(cl, ABI_FIELD_INT, 8, true);
	uint32_t epid = rm_epid(w->m, w->probe, cl);
	fw_open(w);
	for (int i = 0; i < 60; i++)
		rm_record(w->m, 0, 1, epid);
	fw_run(w);
	assert_int_equal(w->len, 60 * 1000);
	assert_int_equal(w->writes, 1);
	for (int i = 0; i < 1000; i++)
		rm_record(w->m, 0, 1, epid);
	fw_run(w);
	assert_int_equal(w->len, 1060 * 1000);
	assert_in_range(w->writes, 3, 20);
	assert_null(fmt_flush(w->f));
	assert_int_equal(w->len, 1060 * 1000);
	fw_free(w);
}

static struct err *
print_without_memory(void *ctx, const struct consume_event *e)
{
	struct fw *w = ctx;

	util_alloc_fail(e->timestamp == 2, 1);
	struct err *err = fmt_record(w->f, e);
	util_alloc_fail(0, 0);
	return err;
}

/* A row that fails takes nothing with it of the rows before it. */
static void
test_row_fails(void **state)
{
	struct fw *w = fw_new();
	struct rm_clause *cl = rm_clause(w->m, 0), *bad = rm_clause(w->m, 0);

	rm_action(bad, ABI_ACT_DIFEXPR, NULL);
	rm_field(bad, ABI_FIELD_INT, 8, true);
	rm_action(bad, ABI_ACT_PRINTF, "never met before");
	fw_open(w);
	fw_fire(w, cl);
	fw_fire(w, bad);
	fw_fire(w, cl);
	assert_ptr_equal(consume_pass(w->c, true, true, print_without_memory,
				      w), &err_nomem);
	assert_int_equal(w->writes, 0);
	fw_run(w);
	fw_expect(w, HEADER ROW "\n" ROW "\n");
	fw_free(w);
}

/* The header of a row that fails comes with the next one. */
static void
test_first_row_fails(void **state)
{
	struct fw *w = fw_new();
	struct rm_clause *cl = rm_clause(w->m, 0), *bad = rm_clause(w->m, 0);

	rm_action(bad, ABI_ACT_PRINTF, "never met before");
	fw_open(w);
	w->clock = 1;
	fw_fire(w, bad);
	assert_ptr_equal(consume_pass(w->c, true, true, print_without_memory,
				      w), &err_nomem);
	fw_fire(w, cl);
	fw_run(w);
	fw_expect(w, HEADER ROW "\n");
	fw_free(w);
}

static uint32_t
noise(void)
{
	static uint32_t seed = 3;

	seed = seed * 1103515245 + 12345;
	return seed >> 16;
}

/* Random bytes in every kind of field, under every action. */
static void
test_noise(void **state)
{
	static const enum abi_action_kind kinds[] = {
		ABI_ACT_DIFEXPR, ABI_ACT_STACK, ABI_ACT_USTACK, ABI_ACT_SYM,
		ABI_ACT_TRACEMEM, ABI_ACT_PRINTF, ABI_ACT_TRUNC,
		ABI_ACT_NORMALIZE, ABI_ACT_PRINTA, ABI_ACT_EXIT,
		ABI_ACT_SYSTEM, ABI_ACT_NONE, ABI_ACT_PRINT,
	};
	static const char *const formats[] = {
		"%d %i %s %S %c %C", "%*d%.*s%*.*x", "%a%A%k%Y%T%p",
		"%I%P%e%g", "%@d%@s%@k", "%", NULL,
	};
	for (int round = 0; round < 3000; round++) {
		struct fw *w = fw_new();
		struct rm_clause *cl = rm_clause(w->m, noise() % 3);
		uint32_t id = rm_agg(w->m, ABI_AGG_SUM, 0, 1);
		rm_key(w->m, id, noise() % (ABI_FIELD_UADDR + 1),
		       noise() % 3 ? 8 : 4, noise() % 2);
		if (w->m->keys[0][0].kind == ABI_FIELD_PROBE)
			w->m->keys[0][0].size = 4;
		w->m->aggs[0].key_size = 8;
		for (int a = 0; a < 4; a++) {
			struct abi_action *act = rm_action(cl,
				kinds[noise() % BASE_NELEMS(kinds)],
				formats[noise() % BASE_NELEMS(formats)]);
			if (cl->desc.nbranches)
				act->branch = noise() %
					(cl->desc.nbranches + 1);
			for (unsigned k = noise() % 4; k; k--) {
				unsigned kind = noise() % 11;
				rm_field(cl, kind, kind == ABI_FIELD_PROBE ?
					 4 : noise() % 40, noise() % 2);
				if (kind != ABI_FIELD_PROBE && noise() % 2)
					cl->fields[cl->desc.nfields - 1].sub =
						ABI_MEANS_FLOAT;
			}
			rm_use_agg(cl, 1 + noise() % 2);
		}
		struct abi_record *r = fw_fire(w, cl);
		for (uint32_t k = 16; k < r->size; k++)
			((uint8_t *)r)[k] = (uint8_t)noise();
		w->opts.v[OPT_QUIET] = noise() % 2;
		w->opts.v[OPT_AGGSORTKEY] = noise() % 2;
		fw_open(w);
		for (int k = 0; k < 4; k++) {
			uint64_t key = noise(), n = noise();
			assert_null(consume_agg_add(w->c, id, &key, &n));
		}
		err_free(fw_try_run(w));
		fw_end(w);
		fw_free(w);
	}
}

/* Fail each allocation in turn: what is printed is whole rows, in order. */
static void
test_no_memory(void **state)
{
	bool failed = true;

	for (unsigned long n = 1; failed; n++) {
		struct fw *w = fw_new();
		uint32_t a = rm_agg(w->m, ABI_AGG_COUNT, 0, 1);
		uint32_t b = rm_agg(w->m, ABI_AGG_QUANTIZE, 0, 127);
		uint64_t cells[127] = { [64] = 1 };
		rm_key(w->m, a, ABI_FIELD_STRING, 8, false);
		rm_key(w->m, b, ABI_FIELD_STRING, 8, false);
		struct rm_clause *cl = rm_clause(w->m, 0);
		rm_action(cl, ABI_ACT_PRINTF, "%S %Y %a\n");
		rm_field(cl, ABI_FIELD_STRING, 8, false);
		rm_field(cl, ABI_FIELD_INT, 8, true);
		rm_field(cl, ABI_FIELD_INT, 8, true);
		struct rm_clause *show = fw_agg_clause(w, ABI_ACT_PRINTA,
						       "%s %@d %@d\n", a);
		rm_use_agg(show, b);
		struct rm_clause *trunc = fw_agg_clause(w, ABI_ACT_TRUNC, NULL,
							a);
		rm_field(trunc, ABI_FIELD_INT, 4, true);
		fw_fire(w, cl);
		fw_fire(w, show);
		rm_set_int(w->m, fw_fire(w, trunc), 0, 1);
		for (int i = 0; i < 3; i++) {
			char key[8] = { (char)('a' + i) };
			rm_sample(w->m, a, key, &one);
			rm_sample(w->m, b, key, cells);
		}
		struct err *e;
		failed = false;
		util_alloc_fail(n, 0);
		while ((e = fw_try_open(w))) {
			assert_ptr_equal(e, &err_nomem);
			failed = true;
		}
		while ((e = fw_try_run(w))) {
			assert_ptr_equal(e, &err_nomem);
			failed = true;
		}
		while ((e = fmt_end(w->f))) {
			assert_ptr_equal(e, &err_nomem);
			failed = true;
		}
		util_alloc_fail(0, 0);
		if (w->len)
			assert_int_equal(w->out[w->len - 1], '\n');
		fw_free(w);
		assert_true(n < 1000);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_talk_rows),
		cmocka_unit_test(test_header),
		cmocka_unit_test(test_unknown_probe),
		cmocka_unit_test(test_several_actions),
		cmocka_unit_test(test_branches),
		cmocka_unit_test(test_exit),
		cmocka_unit_test(test_trace),
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_long_names),
		cmocka_unit_test(test_trace_float),
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_hexdump),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_tracemem),
		cmocka_unit_test(test_stacks),
		cmocka_unit_test(test_action_order),
		cmocka_unit_test(test_action_strings),
		cmocka_unit_test(test_error_text),
		cmocka_unit_test(test_error_repeated),
		cmocka_unit_test(test_error_unknown_probe),
		cmocka_unit_test(test_drop_text),
		cmocka_unit_test(test_drop_tags),
		cmocka_unit_test(test_write_fails),
		cmocka_unit_test(test_gathers),
		cmocka_unit_test(test_row_fails),
		cmocka_unit_test(test_first_row_fails),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_no_memory),
	};
	return cmocka_run_group_tests_name("fmt-row", tests, NULL, NULL);
}
