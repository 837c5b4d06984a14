/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Expressions that are not C: variables, strings, subroutines, memory.  Each
 * row is a program of its own; the value is that of the last trace().
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rig.h"

struct row {
	const char *before;	/* statements */
	const char *expr;
	int64_t value;
	const char *str;	/* the value is this string; NULL: value */
	int fault;		/* + 1; 0: none */
};

#define FAULT(name) .fault = ABI_FAULT_##name + 1

static const char decls[] =
	"int8_t g8; uint8_t gu8; int16_t g16; uint16_t gu16; int g32;\n"
	"unsigned int gu32; long g64; string gs; struct blob gb;\n"
	"int ga[10]; long gl[4]; struct blob gba[3]; char *gp;\n"
	"struct inner { char c; long l; string s; int a[3]; };\n"
	"struct outer { int n; struct inner in; struct inner two[2]; };\n"
	"struct outer go; struct inner gi;\n"
	"self int s32; self string ss; self struct outer so;\n"
	"this int t32; this string ts; this struct outer to; this int ta[4];\n"
	"int as[string]; string ax[int, string]; struct outer ao[int];\n"
	"self int sas[string]; short a16[int];\n"
	"enum color { RED, GREEN = 5, BLUE };\n"
	"enum color gc; _Bool gbool; _Bool bools[int];\n"
	"struct pair { int a : 4; unsigned int b : 12; long c : 33; };\n"
	"struct pair gpair; self struct pair spair;\n"
	"struct tail { unsigned int a : 3, b : 20; long c : 33; }\n"
	"  __attribute__((packed)); struct tail gtail;\n"
	"struct full { char a[2]; char b; }; struct full gfull;\n"
	"typedef struct blob blob_t;\n"
	"inline int TWICE[int n] = n + n;\n"
	"inline int FORTYTWO = 42;\n"
	"inline string GREETING = \"hello\";\n"
	"static int64_t gcd(int64_t a, int64_t b)\n"
	"{ while (b) { int64_t t = a % b; a = b; b = t; } return a; }\n"
	"string rep(string s, int n) { string r = \"\";\n"
	"  for (int i = 0; i < n; i++) r = strjoin(r, s); return r; }\n"
	"void bump(int by) { g32 += by; if (by > 100) return; g32 += by; }\n"
	"int8_t narrow(int8_t v) { return v + 1; }\n"
	"int first(string s, int c) { for (int i = 0; i < 9; i++)\n"
	"  if (substr(s, i, 1) == lltostr(c)) return i; }\n"
	"int twice(int v) { return two(v) + two(v); }\n"
	"int two(int v) { return v * 2; }\n"
	"int divide(int a, int b) { return a / b; }\n"
	"char *skip(userland char *p, int n) { return p + n; }\n";

static void
put_program(const struct row *row, struct sb *b)
{
	sb_puts(b, rig_decls);
	sb_puts(b, decls);
	sb_printf(b, "test:::args { %s trace(%s); }", row->before, row->expr);
}

static void
check_value(struct rig *r, const struct row *row)
{
	const struct abi_clause_desc *d = &r->plan->clauses[0].desc;
	unsigned last = d->nfields - 1;

	assert_true(r->committed && d->nfields > 0);
	if (row->str) {
		if (d->fields[last].kind != ABI_FIELD_STRING ||
		    strcmp(rig_str(r, 0, last), row->str))
			fail_msg("{ %s } %s: \"%s\", not \"%s\"", row->before,
				 row->expr, rig_str(r, 0, last), row->str);
		return;
	}
	if (d->fields[last].kind != ABI_FIELD_INT ||
	    (int64_t)rig_int(r, 0, last) != row->value)
		fail_msg("{ %s } %s: %lld, not %lld", row->before, row->expr,
			 (long long)rig_int(r, 0, last),
			 (long long)row->value);
}

static void
check_row(const struct row *row)
{
	struct rig *r = malloc(sizeof(*r));
	struct sb b;

	assert_non_null(r);
	sb_init(&b, 1 << 20);
	put_program(row, &b);
	rig_init(r);
	r->args[2] = RIG_USER + 1024;
	r->args[3] = RIG_KERNEL;
	r->args[4] = RIG_USER;
	r->args[0] = 0xffffffff80000001;
	r->args[7] = 0x18001;
	rig_load(r, sb_str(&b));
	enum vm_outcome o = rig_run(r, 0);
	int fault = o == VM_FAULTED ? r->vm.fault.fault + 1 : 0;
	if (fault != row->fault)
		fail_msg("{ %s } %s: fault %d, not %d", row->before, row->expr,
			 fault - 1, row->fault - 1);
	if (o != VM_FAULTED)
		check_value(r, row);
	rig_fini(r);
	free(r);
	sb_fini(&b);
}

static void
check_rows(const struct row *rows, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		check_row(&rows[i]);
}

#define TABLE(name, ...) \
static void \
name(void **state) \
{ \
	static const struct row rows[] = { __VA_ARGS__ }; \
\
	check_rows(rows, BASE_NELEMS(rows)); \
}

TABLE(test_constants,
	{ "", "42", 42 },
	{ "", "0", 0 },
	{ "", "-1", -1 },
	{ "", "0x123456789abcdef0", 0x123456789abcdef0 },
	{ "", "'a'", 'a' },
	{ "", "\"hi\"", .str = "hi" },
	{ "", "\"\"", .str = "" },
	{ "", "sizeof (struct blob)", sizeof(struct rig_blob) },
	{ "", "sizeof (int)", 4 },
	{ "", "offsetof(struct blob, at)", offsetof(struct rig_blob, at) },
	{ "", "GREEN", 5 },
	{ "", "BLUE + 1", 7 },
	{ "", "FORTYTWO", 42 },
	{ "g32 = 7;", "TWICE[g32] + 1", 15 },
	{ "g32 = 7;", "TWICE[TWICE[g32]]", 28 },
	{ "", "GREETING", .str = "hello" },
	{ "", "(1, 2)", 2 },
	{ "", "1 ? 10 : 20", 10 },
	{ "", "0 ? 10 : 20", 20 },
)

TABLE(test_builtins,
	{ "", "pid", 1234 },
	{ "", "tid", 1235 },
	{ "", "uid", 0xfffffffe },
	{ "", "timestamp", 1ll << 40 },
	{ "", "execname", .str = "prog" },
	{ "", "pid == 1234", 1 },
	{ "", "uid > 0", 1 },
	{ "", "execname == \"prog\"", 1 },
	{ "", "execname != \"prog\"", 0 },
	{ "", "arg9", -9 },
	{ "", "arg9 < 0", 1 },
	{ "", "arg1 + 1", 1112 },
	{ "", "uregs[7]", 1007 },
	{ "g32 = 3;", "uregs[g32 + 1]", 1004 },
	/* args[] cut what came in 64 bits to their own type */
	{ "", "args[0]", (int32_t)0x80000001 },
	{ "", "args[0] < 0", 1 },
	{ "", "args[0] + 1", (int32_t)0x80000002 },
	{ "", "args[1]", 1111 & 0xff },
	{ "", "args[5]", (int16_t)0x8001 },
	{ "", "args[5] + 1", (int16_t)0x8002 },
	{ "", "args[3]->i", -70000 },
	{ "", "args[4]->i", -18 },
	{ "", "args[4]->next->i", -18 },
	{ "", "copyinstr((uintptr_t)args[2])", .str = "from user land" },
	{ "", "strlen(probefunc)", 6 },
)

TABLE(test_variables,
	{ "x = 5;", "x", 5 },
	{ "x = 5; x = x * x;", "x", 25 },
	{ "", "g32", 0 },
	{ "", "gs", .str = "" },
	{ "g8 = 200;", "g8", (int8_t)200 },
	{ "g8 = 200;", "g8 + 0", (int8_t)200 },
	{ "gu8 = 300;", "gu8", 300 & 255 },
	{ "g16 = 40000;", "g16", (int16_t)40000 },
	{ "gu16 = -1;", "gu16", 65535 },
	{ "gu32 = -1;", "gu32 + 1L", 1ll << 32 },
	{ "g32 = 0x80000000;", "g32 < 0", 1 },
	{ "g64 = -3;", "g64", -3 },
	{ "gs = \"abc\";", "gs", .str = "abc" },
	{ "gs = execname;", "gs", .str = "prog" },
	{ "x = \"abc\"; x = \"wxyz\";", "x", .str = "wxyz" },
	{ "self->n = 3;", "self->n", 3 },
	{ "", "self->s32", 0 },
	{ "self->s32 = -4;", "self->s32", -4 },
	{ "self->s32 = -4; self->s32 = 0;", "self->s32", 0 },
	{ "", "self->ss", .str = "" },
	{ "self->ss = \"me\";", "self->ss", .str = "me" },
	{ "self->ss = \"me\"; self->ss = 0;", "self->ss", .str = "" },
	{ "this->n = 3;", "this->n", 3 },
	{ "", "this->t32", 0 },
	{ "this->ts = \"x\";", "this->ts", .str = "x" },
	{ "x = y = z = 4;", "x + y + z", 12 },
	{ "x = (y = 3) + 1;", "x * 10 + y", 43 },
	{ "g8 = (g32 = 511);", "g8", -1 },
	{ "gc = GREEN;", "gc == GREEN", 1 },
	{ "gc = BLUE;", "gc", 6 },
	{ "x = 1; x++; ++x; x--;", "x", 2 },
	{ "n++;", "n", 1 },
	{ "n += 5; n <<= 2; n |= 1; n ^= 3; n %= 6;", "n", 22 % 6 },
	{ "x = 10; y = x++ * 2;", "y * 100 + x", 2011 },
	{ "x = 10; y = ++x * 2;", "y * 100 + x", 2211 },
	{ "g8 = 127; g8++;", "g8", -128 },
	{ "gu8 = 0; gu8--;", "gu8", 255 },
	{ "gu8 = 250; gu8 += 10;", "gu8", 4 },
	{ "self->s32++; self->s32++;", "self->s32", 2 },
	{ "self->k += 7;", "self->k", 7 },
	{ "this->t32 -= 7;", "this->t32", -7 },
	/* the one quotient that int has not */
	{ "g32 = 1 << 31; ga[0] = -1;", "g32 / ga[0] + 0L", 2147483648 },
	{ "g32 = 1 << 31;", "g32 / -1 + 0L", 2147483648 },
	{ "g32 = 1 << 31; ga[0] = -1; g32 /= ga[0];", "g32", INT32_MIN },
	/* what a declaration cuts, and what nothing does */
	{ "g32 = 2147483647; g32++;", "g32", INT32_MIN },
	{ "g32 = 100000;", "g32 * g32", 10000000000 },
	{ "g32 = 1;", "g32 << 40", 1l << 40 },
	{ "g32 = -2147483648;", "-g32", 2147483648 },
	{ "gu32 = 100000;", "gu32 * gu32", 1410065408 },
	{ "gu32 = 0;", "gu32 - 1", 0xffffffff },
	{ "g32 = 100000;", "(int)(g32 * g32)", 1410065408 },
	{ "g32 = 100000; ga[1] = g32 * g32;", "ga[1]", 1410065408 },
	{ "x = 0; x = 0x123456789;", "x", 0x123456789 },
	{ "x = 2147483647; x++;", "x", 2147483648 },
	{ "x = 1; x <<= 40; y = x; y += 1;", "y", (1l << 40) + 1 },
	{ "x = 1; y = x = 1 << 40;", "y", 1l << 40 },
	{ "x = 0; x = 4294967295;", "x == -1", 0 },
	{ "x = 0; x = 4294967295;", "x == 0xffffffff", 1 },
	{ "x = (uint8_t)1; x = 300;", "x + 1", 301 },
	{ "x = (uint32_t)5; x = -1;", "x + 0L", 0xffffffff },
	{ "x = (uint32_t)5; x = 1L << 40;", "x + 0L", 1l << 40 },
	{ "x = (uint32_t)5; x = 1L << 40;", "x + 1", 1 },
	{ "self->n = 0; self->n = timestamp;", "self->n == timestamp", 1 },
	{ "x[1] = 0; x[1] = 1L << 40; x[1]++;", "x[1]", (1l << 40) + 1 },
	{ "x = 1; y = 5 + (x << 33);", "y - 5 == 1L << 33", 1 },
	{ "x = 0; x = 1L << 40; y = 7;", "g32 == 9 ? y : x", 1l << 40 },
	{ "x = (uint32_t)0; x = 1L << 40;", "g32 == 9 ? x : x", 1l << 40 },
	{ "x = (uint32_t)0; x = 1L << 40; y = 5;", "g32 == 9 ? y : x", 1l << 40 },
	{ "x = (uint32_t)0; x = 1L << 40; y = -5;", "g32 == 0 ? y : x", 4294967291 },
	{ "g32 = 1 << 31; ga[0] = -1;", "g32 % ga[0]", 0 },
	{ "gbool = 256;", "gbool", 1 },
	{ "gbool = 0;", "gbool", 0 },
	{ "gbool = g32;", "gbool", 0 },
	{ "g32 = -7; gbool = g32;", "gbool", 1 },
	{ "g32 = 256;", "(_Bool)g32 + 1", 2 },
	{ "gbool++; gbool++;", "gbool", 1 },
	{ "gu8 = 255; gu8++; gbool = gu8;", "gbool", 0 },
	{ "bools[3] = 256; bools[2] += 2;", "bools[3] + bools[2]", 2 },
	{ "gp = (char *)0x1000; gp++;", "(long)gp", 0x1001 },
)

TABLE(test_assoc,
	{ "", "as[\"nothing\"]", 0 },
	{ "as[\"a\"] = 1; as[\"b\"] = 2;", "as[\"a\"] * 10 + as[\"b\"]", 12 },
	{ "as[execname] = 9;", "as[\"prog\"]", 9 },
	{ "as[\"a\"] = 1; as[\"a\"] = 0;", "as[\"a\"]", 0 },
	{ "as[\"a\"]++; as[\"a\"]++;", "as[\"a\"]", 2 },
	{ "as[\"a\"] = 5; x = as[\"a\"]++;", "x * 10 + as[\"a\"]", 56 },
	{ "as[\"a\"] -= 5;", "as[\"a\"]", -5 },
	{ "as[\"a\"] = 5; as[\"a\"] *= as[\"a\"] + 1;", "as[\"a\"]", 30 },
	{ "ax[1, \"x\"] = \"one\"; ax[2, \"x\"] = \"two\";",
	  "ax[1, \"x\"]", .str = "one" },
	{ "ax[1, \"x\"] = \"one\"; ax[2, \"x\"] = \"two\";",
	  "ax[2, \"x\"]", .str = "two" },
	{ "", "ax[1, \"y\"]", .str = "" },
	{ "n[1] = 5;", "n[1]", 5 },
	{ "n[1] = 5;", "n[2]", 0 },
	{ "n[1, 2, 3, 4] = 5;", "n[1, 2, 3, 4]", 5 },
	{ "n[n2[1] = 7] = 5;", "n[7] + n2[1]", 12 },
	{ "n[1] = 2; n[2] = 3; n[3] = 4;", "n[n[n[1]]]", 4 },
	{ "self->sas[\"k\"] = 3;", "self->sas[\"k\"]", 3 },
	{ "self->q[1, \"k\"] = 3; self->q[1, \"k\"]++;",
	  "self->q[1, \"k\"]", 4 },
	{ "a16[3] = 70000;", "a16[3]", 70000 - 65536 },
	{ "a16[3] = -1;", "a16[3] < 0", 1 },
	{ "n[0] = 1; n[1LL << 40] = 2;", "n[0] * 10 + n[1LL << 40]", 12 },
	{ "n[0] = 1; g64 = 1LL << 40; n[g64] = 2;",
	  "n[0] * 10 + n[g64]", 12 },
	{ "as[strjoin(\"a\", \"b\")] = 6;", "as[\"ab\"]", 6 },
	{ "as[stringof(args[3]->name)] = 6;", "as[\"blobby\"]", 6 },
	{ "as[\"x\"] = as[\"y\"] = 3;", "as[\"x\"] + as[\"y\"]", 6 },
	{ "as[\"x\"] = 1;", "as[\"x\"] ? as[\"y\"] : 7", 0 },
	{ "as[\"x\"] = 1;", "as[\"x\"] && !as[\"y\"]", 1 },
	{ "as[\"x\"] = 1;", "as[\"y\"] || as[\"x\"] == 1", 1 },
)

TABLE(test_structs,
	{ "gb.i = 5; gb.l = -6;", "gb.i * gb.l", -30 },
	{ "gb.c = 200;", "gb.c", -56 },
	{ "gb.uc = 456;", "gb.uc", 200 },
	{ "gb.s = -2; gb.us = -2;", "gb.s + gb.us", 65532 },
	{ "gb.at.x = 3; gb.at.y = 4;", "gb.at.x * 10 + gb.at.y", 34 },
	{ "gb.bytes[3] = 7; gb.bytes[4] = 8;",
	  "gb.bytes[3] * gb.bytes[4]", 56 },
	{ "gb.matrix[1][2] = 9;", "gb.matrix[1][2]", 9 },
	{ "gb.matrix[1][2] = 9;", "gb.matrix[1][1]", 0 },
	{ "g32 = 1; gb.matrix[g32][g32 + 1] = 9;", "gb.matrix[1][2]", 9 },
	{ "gb.i = 5; gb.i++; gb.i += 10; gb.i <<= 1;", "gb.i", 32 },
	{ "ga[0] = 1; ga[9] = 2;", "ga[0] + ga[9]", 3 },
	{ "g32 = 4; ga[g32] = 44; ga[g32 + 1] = 55;", "ga[4] + ga[5]", 99 },
	{ "ga[3]++; ga[3] += 4;", "ga[3]", 5 },
	{ "gl[1] = 1LL << 40;", "gl[1] >> 38", 4 },
	{ "gba[1].at.y = 6;", "gba[1].at.y", 6 },
	{ "g32 = 2; gba[g32].ul = -1; gba[1].ul = 3;",
	  "gba[2].ul + gba[1].ul", 2 },
	{ "this->ta[2] = 5;", "this->ta[2]", 5 },
	{ "go.n = 1; go.in.l = 2; go.two[1].a[2] = 3;",
	  "go.n * 100 + go.in.l * 10 + go.two[1].a[2]", 123 },
	{ "go.in.s = \"inner\"; go.in.l = 1;", "go.in.s", .str = "inner" },
	{ "go.in.s = \"inner\"; go.in.s = \"x\";", "go.in.s", .str = "x" },
	{ "go.in.s = \"inner\"; gs = go.in.s;", "gs", .str = "inner" },
	{ "gi.c = 7; gi.s = \"copied\"; go.two[1] = gi;",
	  "go.two[1].s", .str = "copied" },
	{ "gi.c = 7; go.two[1] = gi; gi.c = 8;", "go.two[1].c", 7 },
	{ "go.two[0].a[1] = 6; gi = go.two[0];", "gi.a[1]", 6 },
	{ "this->to.in.a[2] = 5; this->to.n = 1;",
	  "this->to.in.a[2] + this->to.n", 6 },
	/* thread-locals and elements are copied out and back */
	{ "", "self->so.in.l", 0 },
	{ "self->so.in.l = 4; self->so.n = 5;",
	  "self->so.in.l * 10 + self->so.n", 45 },
	{ "self->so.two[1].a[1] = 4; self->so.two[0].a[1]++;",
	  "self->so.two[1].a[1] * 10 + self->so.two[0].a[1]", 41 },
	{ "g32 = 1; self->so.two[g32].a[g32 + 1] = 4;",
	  "self->so.two[1].a[2]", 4 },
	{ "self->so.in.s = \"deep\";", "self->so.in.s", .str = "deep" },
	{ "self->so.n = 3; go = self->so;", "go.n", 3 },
	{ "go.n = 3; self->so = go; go.n = 4;", "self->so.n", 3 },
	{ "ao[7].n = 3; ao[8].n = 4; ao[7].in.a[0] += 5;",
	  "ao[7].n * 100 + ao[8].n * 10 + ao[7].in.a[0]", 345 },
	{ "", "ao[9].in.l", 0 },
	{ "ao[1].n = 1; ao[2] = ao[1]; ao[1].n = 3;", "ao[2].n", 1 },
	{ "self->so.two[(self->so.n = 1)].a[0] = 4;", "self->so.two[1].a[0]",
	  4 },
	/* struct out of the kernel, and out of a process */
	{ "gb = *(struct blob *)args[3];", "gb.i", -70000 },
	{ "b = *args[3];", "b.at.y", -22 },
	{ "b = *args[4];", "b.i", -18 },
	{ "self->b = *args[4];", "self->b.at.x", 11 },
	{ "b[1] = *args[4];", "b[1].at.x", 11 },
)

TABLE(test_bitfields,
	{ "gpair.a = 5;", "gpair.a", 5 },
	{ "gpair.a = 9;", "gpair.a", -7 },
	{ "gpair.a = -1; gpair.b = 0xabc; gpair.c = -5;",
	  "gpair.a == -1 && gpair.b == 0xabc && gpair.c == -5", 1 },
	{ "gpair.b = 0x1fff;", "gpair.b", 0xfff },
	{ "gpair.b = 0xfff; gpair.b++;", "gpair.b", 0 },
	{ "gpair.a = -1; gpair.c = -1; gpair.b = 0;", "gpair.a + gpair.c", -2 },
	{ "gpair.c = 1LL << 32;", "gpair.c", -(1ll << 32) },
	{ "gpair.a = 3; gpair.a += 2;", "gpair.a", 5 },
	{ "x = (gpair.a = 9);", "x", -7 },
	{ "x = (gpair.b = -1);", "x", 0xfff },
	{ "gpair.b = 7; x = gpair.b++;", "x * 10 + gpair.b", 78 },
	{ "gpair.b = 7; x = --gpair.b;", "x * 10 + gpair.b", 66 },
	{ "self->spair.b = 7; self->spair.a = -2; self->spair.c = 3;",
	  "self->spair.b * 100 + self->spair.a * 10 + self->spair.c", 683 },
	{ "", "args[3]->b3", 5 },
	{ "", "args[3]->sb5", -9 },
	{ "", "args[3]->b20", 0xabcde },
	{ "", "args[3]->sb12", -1999 },
	{ "", "args[3]->b40", 0xfedcba9876 },
	{ "", "args[3]->sb24", -8000000 },
	{ "", "args[4]->sb12", -1999 },
	{ "", "args[4]->b40", 0xfedcba9876 },
	{ "", "((struct blob *)args[3])->sb5 + ((blob_t *)args[3])->sb24",
	  -8000009 },
	{ "", "args[3]->sb5 < args[3]->sb12", 0 },
	/* no byte is read behind the struct, which ends where memory does */
	{ "", "((struct tail *)(arg3 + 4089))->a", 5 },
	{ "", "((struct tail *)(arg3 + 4089))->b", 0xabcde },
	{ "", "((struct tail *)(arg3 + 4089))->c", -3000000000 },
	{ "", "((userland struct tail *)(arg4 + 4089))->b", 0xabcde },
	{ "", "((userland struct tail *)(arg4 + 4089))->c", -3000000000 },
	{ "", "((struct tail *)(arg3 + 4090))->c", FAULT(BADADDR) },
	{ "gtail.a = 5; gtail.b = -1; gtail.c = 1LL << 32; gtail.b = 0x12345;",
	  "gtail.a == 5 && gtail.b == 0x12345 && gtail.c == -(1LL << 32)", 1 },
	{ "gtail.c = -2; gtail.b = 7; gtail.c++;", "gtail.c * 10 + gtail.b", -3 },
)

TABLE(test_memory,
	{ "", "args[3]->c", -3 },
	{ "", "args[3]->uc", 0xfd },
	{ "", "args[3]->s", -3000 },
	{ "", "args[3]->us", 0xfffd },
	{ "", "args[3]->ui", 0xfffffffd },
	{ "", "args[3]->l", -5000000000 },
	{ "", "args[3]->ul", (int64_t)0xfedcba9876543210 },
	{ "", "args[3]->at.y", -22 },
	{ "", "(*args[3]).at.x", 11 },
	{ "", "args[3]->next->i", 17 },
	{ "", "args[3]->next->next", 0 },
	{ "", "args[3]->next == 0", 0 },
	{ "", "args[3]->next->next == NULL", 1 },
	{ "", "args[3]->bytes[5]", 32 },
	{ "g32 = 6;", "args[3]->bytes[g32]", 64 },
	{ "g32 = 6;", "args[3]->bytes[g32 - 1] + 1", 33 },
	{ "", "args[3]->matrix[1][1]", 5 },
	{ "g8 = 1;", "args[3]->matrix[g8][g8 + 1]", 6 },
	{ "", "*args[3]->bytes", 1 },
	{ "", "*(args[3]->bytes + 3)", 8 },
	{ "", "*(3 + args[3]->bytes)", 8 },
	{ "", "&args[3]->bytes[4] - &args[3]->bytes[1]", 3 },
	{ "", "&args[3]->matrix[1][2] - args[3]->matrix[0]", 5 },
	{ "", "stringof(args[3]->name)", .str = "blobby" },
	{ "", "(string)args[3]->next->name", .str = "second" },
	{ "gs = stringof(args[3]->name);", "gs", .str = "blobby" },
	{ "", "args[3]->name == \"blobby\"", 1 },
	{ "", "\"blobbx\" < args[3]->name", 1 },
	{ "", "strlen(args[3]->name)", 6 },
	{ "", "strjoin(args[3]->name, args[3]->next->name)",
	  .str = "blobbysecond" },
	{ "", "(long)&args[3]->l - (long)args[3]",
	  offsetof(struct rig_blob, l) },
	{ "", "(long)(args[3] + 1) - (long)args[3]", sizeof(struct rig_blob) },
	{ "g8 = -1;", "(long)(args[3] + g8) - (long)args[3]",
	  -(int64_t)sizeof(struct rig_blob) },
	{ "", "(args[3] + 5) - args[3]", 5 },
	{ "", "args[3] - (args[3] + 5)", -5 },
	{ "", "args[3] < args[3] + 1", 1 },
	{ "p = (int *)&args[3]->matrix; p++;", "*p", 2 },
	{ "p = (int *)&args[3]->matrix; p += 4;", "*p", 5 },
	{ "p = (int *)&args[3]->matrix; p += 4;", "p[-1]", 4 },
	{ "p = (int *)&args[3]->matrix; p += 4; p -= 2;", "*p--", 3 },
	{ "p = (int *)&args[3]->matrix; x = *++p;", "x + *p", 4 },
	{ "", "*(short *)&args[3]->i", (short)-70000 },
	{ "", "*(char *)&args[3]->ui", -3 },
	{ "", "((struct blob *)arg3)->i", -70000 },
	{ "", "*(int *)0", FAULT(BADADDR) },
	{ "", "((struct blob *)0)->at.y", FAULT(BADADDR) },
	{ "", "args[3]->next->next->i", FAULT(BADADDR) },
	{ "", "1 / g32", FAULT(DIVZERO) },
	{ "", "1 % g64", FAULT(DIVZERO) },
	/* kernel symbols */
	{ "", "`counter", (int32_t)0xf448fdfd },
	{ "", "`blob.i", -70000 },
	{ "", "`blobs[0].at.y", -22 },
	{ "", "mod`blob.next->i", 17 },
	{ "", "(long)&`blob.l", (int64_t)RIG_KERNEL +
	       (int64_t)offsetof(struct rig_blob, l) },
	{ "", "(long)&`fn", (int64_t)RIG_KERNEL },
	{ "", "(long)&`blobs[2] - (long)&`blobs[0]",
	  2 * sizeof(struct rig_blob) },
	/* user memory */
	/* strings there, wherever they are operands */
	{ "", "strlen(stringof(args[2]))", 14 },
	{ "", "strlen(args[2])", 14 },
	{ "", "stringof(args[2]) == \"from user land\"", 1 },
	{ "", "args[4]->name == \"second\"", 1 },
	{ "", "g32 ? stringof(args[2]) : \"\"", .str = "" },
	{ "", "!g32 ? stringof(args[2]) : \"\"", .str = "from user land" },
	{ "", "strjoin(stringof(args[2]), args[4]->name)",
	  .str = "from user landsecond" },
	{ "gs = stringof(args[2]);", "gs", .str = "from user land" },
	{ "ax[1, stringof(args[2])] = \"x\";", "ax[1, \"from user land\"]",
	  .str = "x" },
	{ "", "(g32 ? *args[4] : *args[3]).i", -70000 },
	{ "", "(!g32 ? *args[4] : *args[3]).i", -18 },
	/* an array without a NUL ends where it ends */
	{ "gfull.a[0] = 'a'; gfull.a[1] = 'b'; gfull.b = 'c';",
	  "gfull.a == \"ab\"", 1 },
	{ "gfull.a[0] = 'a'; gfull.a[1] = 'b'; gfull.b = 'c'; gs = gfull.a;",
	  "gs", .str = "ab" },
	{ "gfull.a[0] = 'a'; gfull.a[1] = 'b'; gfull.b = 'c';",
	  "g32 ? \"\" : gfull.a", .str = "ab" },
	{ "gfull.a[0] = 'a'; gfull.a[1] = 'b'; gfull.b = 'c';",
	  "(g32, stringof(gfull.a)) == \"ab\"", 1 },
	{ "", "*args[2]", 'f' },
	{ "", "args[2][5]", 'u' },
	{ "", "*(args[2] + 1)", 'r' },
	{ "", "args[4]->at.y", -22 },
	{ "", "args[4]->next->at.y", -22 },
	{ "", "args[4]->bytes[5]", 32 },
	{ "g32 = 1;", "args[4]->matrix[g32][2]", 6 },
	{ "", "*&args[4]->i", -18 },
	{ "", "(args[4] + 0)->i", -18 },
	{ "", "(1 ? args[4] : args[4])->i", -18 },
	{ "g32 = 1;", "(g32 ? args[4] : args[4])->i", -18 },
	{ "", "((struct blob *)args[4])->i", -18 },
	/* memory that copyin() made may be written */
	{ "this->p = (int *)copyin((uintptr_t)args[4], 64); *this->p = 5;",
	  "*this->p", 5 },
	{ "this->b = (struct blob *)copyin((uintptr_t)args[4], "
	  "sizeof (struct blob)); "
	  "this->b->at.y = 5; this->b->at.y++;", "this->b->at.y", 6 },
	{ "*(int *)arg3 = 5;", "1", FAULT(BADADDR) },
)

TABLE(test_strings,
	{ "", "\"abc\" == \"abc\"", 1 },
	{ "gs = \"b\";", "gs < \"c\"", 1 },
	{ "gs = \"b\";", "gs <= \"b\"", 1 },
	{ "gs = \"b\";", "gs > \"a\"", 1 },
	{ "gs = \"b\";", "gs >= \"ba\"", 0 },
	{ "gs = \"b\";", "gs != \"a\"", 1 },
	{ "gs = \"\\377\";", "gs > \"a\"", 1 },
	{ "gs = \"b\";", "\"a\" < gs && gs < \"c\"", 1 },
	{ "gs = \"b\";", "gs == \"a\" || gs == \"b\"", 1 },
	{ "gs = \"b\";", "gs == \"b\" ? \"yes\" : \"no\"", .str = "yes" },
	{ "gs = \"b\";", "gs == \"c\" ? gs : execname", .str = "prog" },
	{ "", "strlen(\"hello\")", 5 },
	{ "gs = \"foo\";", "strjoin(gs, \"bar\")", .str = "foobar" },
	{ "gs = \"foo\";", "strjoin(strjoin(gs, gs), strjoin(gs, \"!\"))",
	  .str = "foofoofoo!" },
	{ "g32 = -12;", "lltostr(g32)", .str = "-12" },
	{ "gu32 = -1;", "lltostr(gu32)", .str = "4294967295" },
	{ "g32 = 255;", "lltostr(g32, 16)", .str = "0xff" },
	{ "", "basename(\"/a/b/c\")", .str = "c" },
	{ "", "dirname(\"/a/b/c\")", .str = "/a/b" },
	{ "", "strchr(\"hello\", 'l')", .str = "llo" },
	{ "", "strrchr(\"hello\", 'l')", .str = "lo" },
	{ "", "strstr(\"hello\", \"ell\")", .str = "ello" },
	{ "", "strstr(\"hello\", \"x\")", .str = "" },
	{ "", "substr(\"foobarbazbop\", 3, -4)", .str = "barba" },
	{ "", "substr(\"foobar\", 3)", .str = "bar" },
	{ "g32 = -2;", "substr(\"foobar\", g32)", .str = "ar" },
	{ "", "index(\"foobar\", \"o\")", 1 },
	{ "", "index(\"foobar\", \"o\", 2)", 2 },
	{ "", "index(\"foobar\", \"x\")", -1 },
	{ "", "index(\"foobar\", \"x\") < 0", 1 },
	{ "", "rindex(\"foobar\", \"o\")", 2 },
	{ "", "rindex(\"foobar\", \"o\", 1)", 1 },
	{ "g32 = -1;", "rindex(\"foobar\", \"f\", g32)", -1 },
	{ "", "strtoll(\"-123\")", -123 },
	{ "", "strtoll(\"ff\", 16)", 255 },
	{ "", "rand()", 42 },
	{ "", "random()", 42LL << 32 | 42 },
	{ "", "strlen(uuidstr())", 36 },
	{ "", "toupper(\"Hello\")", .str = "HELLO" },
	{ "", "tolower(strjoin(\"HE\", \"Llo\"))", .str = "hello" },
	{ "g32 = 0x12345678;", "htons(g32)", 0x7856 },
	{ "", "htonl(0x12345678) == 0x78563412", 1 },
	{ "g8 = -2;", "htons(g8)", 0xfeff },
	{ "", "ntohll(htonll(-7))", -7 },
	{ "", "strtok(NULL, \",\") == NULL", 1 },
	{ "strtok(\"a,b;c\", \",\");", "strtok(NULL, \";\")", .str = "b" },
	{ "strtok(\"a,b;c\", \",\"); strtok(NULL, \";\");",
	  "strtok(NULL, \"\")", .str = "c" },
	{ "strtok(\"a,,b\", \",\"); strtok(NULL, \",\");",
	  "strtok(NULL, \",\") == NULL", 1 },
	{ "strtok(\",\", \",\");", "strtok(NULL, \"\") == NULL", 1 },
	{ "gs = \"x y z\"; strtok(gs, \" \"); gs = \"\";",
	  "strjoin(strtok(NULL, \" \"), strtok(NULL, \" \"))", .str = "yz" },
	{ "strtok(\"a b\", \" \"); strtok(\"c d\", \" \");",
	  "strtok(NULL, \" \")", .str = "d" },
	{ "gp = NULL; strtok(\"a b\", \" \");", "strtok(gp, \" \")",
	  .str = "b" },
	{ "", "strtok(\"a b\", NULL)", FAULT(BADADDR) },
	{ "", "json(\"{\\\"ok\\\":{\\\"val\\\":7}}\", \"ok.val\")",
	  .str = "7" },
	{ "", "strtoll(json(\"[1,[2,3]]\", \"[1][0]\")) + 1", 3 },
	{ "", "json(\"[1]\", \"[1]\") == NULL", 1 },
	{ "", "json(NULL, \"[1]\")", FAULT(BADADDR) },
	{ "", "cleanpath(\"/a/./b//../c/\")", .str = "/a/c/" },
	{ "ga[0] = 0x0100007f;", "inet_ntoa(ga)", .str = "127.0.0.1" },
	{ "ga[0] = 0x0100007f;", "inet_ntop(2, ga)", .str = "127.0.0.1" },
	{ "ga[0] = ga[1] = ga[2] = 0; ga[3] = htonl(1);", "inet_ntoa6(ga)",
	  .str = "::1" },
	{ "ga[0] = 0x33221100; ga[1] = 0x5544;", "link_ntop(1, ga)",
	  .str = "00:11:22:33:44:55" },
	{ "", "inet_ntop(3, ga)", FAULT(ILLOP) },
	{ "", "getmajor(0x00800001)", 8 },
	{ "", "getminor(0x00800001)", 1 },
	{ "", "*memref((void *)7, 8)", 7 },
	{ "", "memref((void *)7, 8)[1]", 8 },
	{ "ga[0] = 'a'; ga[1] = 'b';", "memstr(ga, '.', 8)", .str = "a...b.." },
	{ "", "progenyof(1)", 1 },
	{ "", "progenyof(2)", 0 },
	{ "", "strlen(strjoin(execname, lltostr(pid)))", 8 },
	{ "gs = \"x\"; gs = strjoin(gs, gs); gs = strjoin(gs, gs);", "gs",
	  .str = "xxxx" },
	{ "x = strlen(\"abc\") ? strjoin(\"a\", \"b\") : \"c\";", "x",
	  .str = "ab" },
	{ "", "strlen(\"a\") && strlen(\"\") || strlen(\"abc\")", 1 },
	/* what waits in a variable that is assigned to meanwhile */
	{ "gs = \"a\";", "strjoin(gs, (gs = \"b\"))", .str = "ab" },
	{ "self->ss = \"a\";", "strjoin(self->ss, (self->ss = \"b\"))",
	  .str = "ab" },
	{ "self->ss = \"a\";", "self->ss == (self->ss = \"b\")", 0 },
	{ "gs = \"a\"; ax[1, (gs = \"b\")] = gs;", "ax[1, \"b\"]",
	  .str = "a" },
	{ "self->so.in.a[1] = 2;",
	  "self->so.in.a[(self->so.in.a[1] = 1)]", 1 },
	{ "gs = 0;", "gs", .str = "" },
	{ "gs = strstr(\"a\", \"b\");", "gs", .str = "" },
	{ "", "self->ss == NULL", 1 },
	{ "", "ax[1, \"z\"] != NULL", 0 },
	{ "self->ss = \"x\";", "self->ss == NULL", 0 },
	{ "self->ss = \"x\";", "NULL != self->ss ? 1 : 0", 1 },
	{ "", "strstr(\"abc\", \"x\") == NULL", 1 },
	{ "", "strstr(\"abc\", \"b\") != NULL", 1 },
	{ "", "strchr(\"abc\", 0) == NULL", 0 },
	{ "", "execname == NULL", 0 },
	{ "", "copyinstr((uintptr_t)args[2], 4)", .str = "from" },
	{ "", "copyinstr(1)", FAULT(BADADDR) },
)

/* x is what the loop makes of it. */
TABLE(test_loops,
	{ "x = 0; for (i = 0; i < 10; i++) x += i;", "x", 45 },
	{ "x = 0; for (i = 0; i < 0; i++) x += i;", "x * 100 + i", 0 },
	{ "x = 0; for (int i = 0; i < 10; i++) x += i;", "x", 45 },
	{ "x = 0; while (x < 100) x += 7;", "x", 105 },
	{ "x = 0; do x++; while (0);", "x", 1 },
	{ "x = 0; do { x++; if (x > 5) break; } while (1);", "x", 6 },
	{ "x = 0; i = 0; do { if (i & 1) continue; x += i; } while (i++ < 9);",
	  "x", 20 },
	{ "x = 0; for (i = 0; ; i++) { if (i == 7) break; x += 2; }", "x", 14 },
	{ "x = 0; for (i = 0; i < 10; i++) { if (i % 3) continue; x += i; }",
	  "x", 18 },
	{ "x = 0; for (i = 0; i < 5; i++) for (j = 0; j < i; j++) x += 10;",
	  "x", 100 },
	{ "x = 0; for (i = 0; i < 5; i++) for (j = 0; ; j++) "
	  "{ if (j == i) break; x++; }", "x * 10 + i", 105 },
	{ "x = 0; if (1) while (x < 3) x++; else x = 9;", "x", 3 },
	{ "x = 0; i = 1; while (i) if (x > 4) i = 0; else x++;", "x", 5 },
	{ "x = 0; for (;;) { if (x++ == 4095) break; }", "x", 4096 },
	{ "x = 0; for (;;) x++;", "x", 0, FAULT(LOOP) },
	{ "x = 0; for (i = 0; i < 4096; i++) x++;", "x", 4096 },
	{ "x = 0; for (i = 0; i < 4097; i++) x++;", "x", 0, FAULT(LOOP) },
	{ "x = 0; for (i = 0; i < 4000; i++) for (j = 0; j < 4000; j++) ;",
	  "x", 0, FAULT(LOOP) },
	{ "x = 5; for (i = 0; i < 3; i++) x /= 1 - i;", "x", 0,
	  FAULT(DIVZERO) },
	{ "this->s = \"\"; for (i = 0; i < 200; i++) "
	  "this->s = strjoin(lltostr(i), \"!\");", "this->s", 0, "199!" },
	{ "int_x = 1; for (int i = 0; i < 2; i++) { int_x += i; } "
	  "for (int i = 5; i < 7; i++) { int_x += i; }", "int_x", 13 },
)

TABLE(test_functions,
	{ "", "gcd(12, 18)", 6 },
	{ "", "gcd(gcd(48, 36), gcd(27, 18))", 3 },
	{ "", "gcd(17, 5) && gcd(0, 0) || 7 > gcd(8, 4)", 1 },
	{ "", "rep(\"ab\", 3)", 0, "ababab" },
	{ "", "strjoin(rep(\"x\", 2), rep(\"y\", 3))", 0, "xxyyy" },
	{ "", "rep(rep(\"z\", 2), 2)", 0, "zzzz" },
	{ "", "rep(\"a\", 2) < rep(\"b\", 1)", 1 },
	{ "g32 = 1; bump(2); bump(200);", "g32", 205 },
	{ "", "narrow(127)", -128 },
	{ "", "narrow(256)", 1 },
	{ "", "first(\"12345\", 3)", 2 },
	{ "", "first(\"12345\", 7)", 0 },
	{ "", "twice(5)", 20 },
	{ "g32 = 0;", "(0 && (g32 = gcd(3, 3))) + g32", 0 },
	{ "g32 = 3;", "g32 + gcd(g32 = 8, 4)", 7 },
	{ "", "divide(6, 3)", 2 },
	{ "", "divide(6, 0)", 0, FAULT(DIVZERO) },
	{ "as[rep(\"k\", 2)] = gcd(9, 6);", "as[\"kk\"]", 3 },
	{ "x = 0; for (i = 0; i < 4; i++) x += two(i);", "x", 12 },
)

TABLE(test_logic,
	{ "g32 = 3;", "g32 && g64", 0 },
	{ "g32 = 3;", "g32 || g64", 1 },
	{ "g32 = 3;", "g32 ^^ g64", 1 },
	{ "g32 = 3; g64 = 9;", "g32 ^^ g64", 0 },
	{ "", "g32 ^^ g64", 0 },
	{ "g32 = 3;", "!g32", 0 },
	{ "g32 = 3;", "!!g32", 1 },
	{ "g32 = 3;", "!(g32 == 3)", 0 },
	{ "g32 = 3;", "!(g32 > 3 || g64)", 1 },
	{ "g32 = 3;", "!(g32 && !g64)", 0 },
	{ "g32 = 3;", "(g32 > 2) + (g32 > 1) + (g32 > 3)", 2 },
	/* only what is needed runs */
	{ "x = 0; g32 = 0; y = g32 && (x = 1);", "x * 10 + y", 0 },
	{ "x = 0; g32 = 1; y = g32 && (x = 5);", "x * 10 + y", 51 },
	{ "x = 0; g32 = 1; y = g32 || (x = 5);", "x * 10 + y", 1 },
	{ "x = 0; g32 = 0; y = g32 || (x = 5);", "x * 10 + y", 51 },
	{ "x = 0; g32 = 0; y = g32 ^^ (x = 5);", "x * 10 + y", 51 },
	{ "x = 0; g32 = 1; y = g32 ? 3 : (x = 5);", "x * 10 + y", 3 },
	{ "x = 0; g32 = 0; y = g32 ? (x = 5) : 4;", "x * 10 + y", 4 },
	{ "g32 = 0;", "g32 && 1 / g32", 0 },
	{ "g32 = 0;", "g32 ? 1 / g32 : -1", -1 },
	{ "g32 = 2;", "g32 == 1 ? 10 : g32 == 2 ? 20 : g32 == 3 ? 30 : 40",
	  20 },
	{ "g32 = 4;", "g32 == 1 ? 10 : g32 == 2 ? 20 : g32 == 3 ? 30 : 40",
	  40 },
	{ "g8 = -1; gu32 = 1;", "1 ? g8 : gu32", 0xffffffff },
	{ "g8 = -1; gu32 = 1;", "g32 ? gu32 : g8", 0xffffffff },
	{ "g8 = -1;", "(g32 ? g16 : g8) < 0", 1 },
	{ "g32 = 5;", "g32 ? g32 > 3 ? 1 : 2 : 3", 1 },
	{ "g32 = 1; g8 = -1;", "g32 ? (g64 ? gu32 : g8) : g64", 0xffffffff },
	{ "g32 = 1; g8 = -1;", "g32 ? (g64 ? g16 : g8) : g64", -1 },
	{ "g32 = 5;", "(g32 > 3 && g32 < 9) || g64 ? 1 : 2", 1 },
	{ "g8 = -1;", "g8 ? 1 : 0", 1 },
	{ "gu8 = 255; g32 = (gu8 += 1) ? 1 : 2;", "g32", 2 },
	{ "g32 = 1; g32 <<= 31;", "g32 ? 1 : 0", 1 },
	{ "g32 = 1; x = (g32 << 31) * 2 ? 1 : 0;", "x", 1 },
	{ "g32 = 1;", "(g32 += 2, g32 * 2)", 6 },
)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_constants),
		cmocka_unit_test(test_builtins),
		cmocka_unit_test(test_variables),
		cmocka_unit_test(test_assoc),
		cmocka_unit_test(test_structs),
		cmocka_unit_test(test_bitfields),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_loops),
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_logic),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
