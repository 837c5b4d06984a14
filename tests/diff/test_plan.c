/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Whole clauses: predicates, records, branches, aggregations, drops, and the
 * clauses of ERROR.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "diff.h"

#define ARG0 "ldgs arg0, %r1\nret %r1"
#define ARG1 "ldgs arg1, %r1\nret %r1"
#define ARG2 "ldgs arg2, %r1\nret %r1"
#define DIV "ldgs arg0, %r1\nldgs arg1, %r2\nsdiv %r1, %r2, %r1\nret %r1"

#define ADD(c, agg, ...) diff_add(c, agg, \
	sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(char *), \
	(const char *const[]){ __VA_ARGS__ })

static const uint64_t edges[] = {
	0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 99, 100, 101, 1000, 65535, 65536,
	0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x100000001,
	0xb504f333, 3037000499, 3037000500, 4294967295, 0x7fffffffffffffff,
	0x7ffffffffffffffe, 0x8000000000000000, 0x8000000000000001,
	(uint64_t)-1, (uint64_t)-2, (uint64_t)-3, (uint64_t)-9, (uint64_t)-10,
	(uint64_t)-11, (uint64_t)-100, (uint64_t)-65536, 0xffffffff80000000,
	0xffffffff7fffffff, 1000000000000000000, 999999999999999999,
};
enum { NEDGES = BASE_NELEMS(edges), MAX_FIRINGS = 700 };
static struct diff_args firings[MAX_FIRINGS];

/* Powers of two and their neighbours, of both signs, too. */
static unsigned
make_firings(void)
{
	unsigned n = 0;

	for (unsigned i = 0; i < NEDGES; i++)
		firings[n++] = (struct diff_args){ { edges[i], i % 3, i } };
	for (unsigned bit = 0; bit < 64; bit++)
		for (int off = -1; off <= 1; off++)
			for (int sign = 0; sign < 2; sign++) {
				uint64_t v = (1ULL << bit) + (uint64_t)off;
				firings[n++] = (struct diff_args){ {
					sign ? -v : v, bit % 5,
					edges[bit % NEDGES] } };
			}
	for (uint64_t v = 1, i = 0; i < 19; i++, v *= 10)
		for (int off = -1; off <= 1; off++)
			firings[n++] = (struct diff_args){ {
				v + (uint64_t)off, i % 2, (uint64_t)off } };
	return n;
}

#define LQ(base, levels, step) \
	((uint64_t)(step) << 48 | (uint64_t)(levels) << 32 | (uint32_t)(base))
#define LLQ(factor, low, high, nsteps) \
	((uint64_t)(factor) << 48 | (uint64_t)(low) << 32 | \
	 (uint64_t)(high) << 16 | (nsteps))

static const struct { const char *name; int func; uint64_t arg; } aggs[] = {
	{ "count", ABI_AGG_COUNT, 0 }, { "min", ABI_AGG_MIN, 0 },
	{ "max", ABI_AGG_MAX, 0 }, { "avg", ABI_AGG_AVG, 0 },
	{ "sum", ABI_AGG_SUM, 0 }, { "stddev", ABI_AGG_STDDEV, 0 },
	{ "quantize", ABI_AGG_QUANTIZE, 0 },
	{ "lquantize 0 10 1", ABI_AGG_LQUANTIZE, LQ(0, 10, 1) },
	{ "lquantize -10 7 3", ABI_AGG_LQUANTIZE, LQ(-10, 7, 3) },
	{ "lquantize INT32_MIN", ABI_AGG_LQUANTIZE, LQ(INT32_MIN, 100, 65535) },
	{ "lquantize INT32_MAX", ABI_AGG_LQUANTIZE, LQ(INT32_MAX, 2, 1) },
	{ "lquantize 1000 levels", ABI_AGG_LQUANTIZE, LQ(-500, 1000, 1) },
	{ "lquantize 6000 levels", ABI_AGG_LQUANTIZE, LQ(-500, 6000, 11) },
	{ "llquantize 10 0 6 20", ABI_AGG_LLQUANTIZE, LLQ(10, 0, 6, 20) },
	{ "llquantize 10 0 17 10", ABI_AGG_LLQUANTIZE, LLQ(10, 0, 17, 10) },
	{ "llquantize 10 3 5 100", ABI_AGG_LLQUANTIZE, LLQ(10, 3, 5, 100) },
	{ "llquantize 2 0 61 2", ABI_AGG_LLQUANTIZE, LLQ(2, 0, 61, 2) },
	{ "llquantize 2 8 11 64", ABI_AGG_LLQUANTIZE, LLQ(2, 8, 11, 64) },
	{ "llquantize 100 0 2 300", ABI_AGG_LLQUANTIZE, LLQ(100, 0, 2, 300) },
	{ "llquantize 10 2 2 10", ABI_AGG_LLQUANTIZE, LLQ(10, 2, 2, 10) },
	{ "llquantize 16 1 3 32", ABI_AGG_LLQUANTIZE, LLQ(16, 1, 3, 32) },
};

static bool
has_incr(int func)
{
	return func == ABI_AGG_QUANTIZE || func == ABI_AGG_LQUANTIZE ||
	       func == ABI_AGG_LLQUANTIZE;
}

/* Every function, without keys, with a small and with a large one. */
static unsigned
test_aggs(void)
{
	static const char *const keys[] = { NULL, "i", "s80 i4" };
	struct diff *d = diff_new(64);
	unsigned bad = 0;

	diff_room(d, 4096);	/* large values have many pieces */
	for (unsigned i = 0; i < BASE_NELEMS(aggs); i++)
		for (unsigned k = 0; k < 3; k++)
			for (unsigned incr = 0; incr < 2; incr++) {
				const char *texts[5];
				unsigned n = 0;
				if (incr && !has_incr(aggs[i].func))
					continue;
				unsigned a = diff_agg(d, aggs[i].func,
						      aggs[i].arg, keys[k]);
				struct diff_clause *c = diff_clause(d,
					"%s%s%s", aggs[i].name, k ? ", key" :
					"", incr ? ", increment" : "");
				if (k == 2)
					texts[n++] = "ldgs execname, %r1\n"
						     "ret %r1";
				if (k)
					texts[n++] = ARG1;
				if (aggs[i].func != ABI_AGG_COUNT)
					texts[n++] = ARG0;
				if (incr)
					texts[n++] = ARG2;
				diff_add(c, a, n, texts);
			}
	/* Few, for the kernel's allocator keeps only so much at hand for new
	 * elements within one firing. */
	diff_batch(d, 8);
	bad += diff_finish(d, firings, make_firings());
	return bad;
}

/* Keys of all kinds; padding must not tell them apart. */
static unsigned
test_keys(void)
{
	static const struct {
		const char *keys;
		const char *texts[6];
	} rows[] = {
		{ "i1", { ARG0 } }, { "i2", { ARG0 } }, { "i4", { ARG0 } },
		{ "i8", { ARG0 } }, { "i1 i8", { ARG0, ARG0 } },
		{ "i1 i2 i4 i1", { ARG0, ARG1, ARG0, ARG1 } },
		{ "s16", { "ldgs execname, %r1\nret %r1" } },
		{ "s15", { "ldgs execname, %r1\nret %r1" } },
		{ "s4", { "ldgs execname, %r1\nret %r1" } },
		{ "s1", { "ldgs execname, %r1\nret %r1" } },
		{ "s64", { "ldgs execname, %r1\nret %r1" } },
		{ "s64", { "ldgs probefunc, %r1\nret %r1" } },
		{ "s64", { "ldgs v, %r1\nret %r1" } },
		{ "s64", { "ldts t, %r1\nret %r1" } },
		{ "s64", { "sets \"literal\", %r1\nret %r1" } },
		{ "s5", { "sets \"literal\", %r1\nret %r1" } },
		{ "s7 i4 s3", { "sets \"x\", %r1\nret %r1", ARG0,
		  "ldgs v, %r1\nret %r1" } },
		{ "s64", { "ret %r0" } },
		{ "s64", { "ldgs arg9, %r1\nret %r1" } },
		{ "s64", { "ldgs arg0, %r1\nsets \"a\", %r2\ntst %r1\nbe A\n"
		  "sets \"bc\", %r2\nA: ret %r2" } },
		{ "b12", { "ldgs s, %r1\nret %r1" } },
		{ "b100", { "ldls l, %r1\nret %r1" } },
		{ "i8", { DIV } }, { "i8 s8", { ARG0, ARG0 } },
		{ "s8 i8", { ARG0, ARG0 } },
		{ "b8", { ARG0 } },
		{ "i8 i8 i8 i8 i8 i8", { ARG0, ARG1, ARG0, ARG1, ARG0, ARG1 } },
		{ "s64 s64 s64 s64 i1", { "ldgs execname, %r1\nret %r1",
		  "ldgs probename, %r1\nret %r1", "sets \"abc\", %r1\nret %r1",
		  "ldgs v, %r1\nret %r1", ARG0 } },
	};
	static const struct diff_args args[] = {
		{ { 0, 0 } }, { { 1, 1 } }, { { 256, 1 } }, { { 1, 0 } },
		{ { UINT64_MAX, 2 } }, { { 1ULL << 32, 5 } }, { { 255, 1 } },
		{ { 65535, 1 } },
	};
	struct diff *d = diff_new(64);

	diff_var(d, "v", DIF_VS_GLOBAL, "string 20", NULL);
	diff_var(d, "t", DIF_VS_THREAD, "string 20", NULL);
	diff_var(d, "s", DIF_VS_GLOBAL, "struct 12", NULL);
	diff_var(d, "l", DIF_VS_LOCAL, "struct 100", NULL);
	for (unsigned i = 0; i < BASE_NELEMS(rows); i++) {
		const char *texts[8];
		unsigned n = 0, a = diff_agg(d, ABI_AGG_SUM, 0, rows[i].keys);
		struct diff_clause *c = diff_clause(d, "set %u", i);
		diff_expr(c, i & 1 ? "sets \"a value\", %r1\nstgs %r1, v\n"
			  "stts %r1, t\nret %r0" :
			  "sets \"it\", %r1\nstgs %r1, v\nstts %r1, t\n"
			  "ldgs s, %r2\nldgs arg0, %r3\nstx %r3, [%r2]\n"
			  "ldls l, %r2\nstx %r3, [%r2]\nret %r0");
		c = diff_clause(d, "row %u, keys %s", i, rows[i].keys);
		while (n < 6 && rows[i].texts[n]) {
			texts[n] = rows[i].texts[n];
			n++;
		}
		texts[n++] = ARG1;
		diff_add(c, a, n, texts);
	}
	diff_batch(d, 32);	/* a program has 64 maps at most */
	return diff_finish(d, args, BASE_NELEMS(args));
}

/* The order of what an aggregation runs, and what a fault leaves. */
static unsigned
test_agg_order(void)
{
	struct diff *d = diff_new(64);
	unsigned plain, keyed;
	static const struct diff_args args[] = {
		{ { 1, 0 } }, { { 5, 2 } }, { { 7, 7 } }, { { 9, 0 } },
		{ { 3, 1 } },
	};

	plain = diff_agg(d, ABI_AGG_QUANTIZE, 0, NULL);
	keyed = diff_agg(d, ABI_AGG_QUANTIZE, 0, "i i");
	diff_var(d, "n", DIF_VS_GLOBAL, "int 8", NULL);
	diff_var(d, "t", DIF_VS_THREAD, "int 8", NULL);
	diff_var(d, "a", DIF_VS_GLOBAL, "int 8", "i s8");
#define BUMP(op) "ldgs n, %r1\nsetx 10, %r2\nmul %r1, %r2, %r1\nsetx " op \
	", %r2\nadd %r1, %r2, %r1\nstgs %r1, n\n"
	struct diff_clause *c = diff_clause(d, "order");
	ADD(c, keyed, BUMP("1") "ret %r0", BUMP("2") "ret %r0",
	    BUMP("3") ARG0, BUMP("4") ARG1);
	c = diff_clause(d, "stores between value and increment");
	ADD(c, plain, ARG0, "ldgs arg0, %r1\nsetx 100, %r2\n"
	    "mul %r1, %r2, %r1\nstts %r1, t\nldgs arg1, %r3\n"
	    "pushtv DT_TYPE(0), %r0, %r3\nldgs execname, %r4\n"
	    "pushtr DT_TYPE(1), %r0, %r4\nstgaa %r1, a\nflushts\n"
	    "ldts t, %r1\nret %r1");
	c = diff_clause(d, "compares between value and increment");
	ADD(c, keyed, ARG0, ARG1, ARG0, "ldgs arg0, %r1\nldgs arg1, %r2\n"
	    "cmp %r1, %r2\nbl A\nldgs execname, %r1\nsets \"x\", %r2\n"
	    "scmp %r1, %r2\nbe A\nsetx 3, %r1\nret %r1\nA: setx 4, %r1\n"
	    "ret %r1");
	c = diff_clause(d, "first key faults");
	ADD(c, keyed, DIV, BUMP("5") "ret %r0", ARG0);
	c = diff_clause(d, "second key faults");
	ADD(c, keyed, BUMP("6") "ret %r0", DIV, ARG0);
	c = diff_clause(d, "value faults");
	ADD(c, keyed, BUMP("7") "ret %r0", ARG0, DIV);
	c = diff_clause(d, "increment faults");
	ADD(c, plain, ARG0, DIV);
	c = diff_clause(d, "a fault after an aggregation");
	ADD(c, plain, ARG0, ARG1);
	diff_int(c, 8, DIV);
	c = diff_clause(d, "n");
	diff_int(c, 8, "ldgs n, %r1\nret %r1");
	return diff_finish(d, args, BASE_NELEMS(args));
}

static unsigned
test_agg_room(void)
{
	struct diff *d = diff_new(64);
	struct diff_args args[40];

	diff_room(d, 5);
	unsigned a = diff_agg(d, ABI_AGG_COUNT, 0, "i");
	unsigned b = diff_agg(d, ABI_AGG_LQUANTIZE, LQ(0, 6000, 1), "i");
	ADD(diff_clause(d, "count"), a, ARG0);
	ADD(diff_clause(d, "large"), b, ARG0, ARG1);
	diff_int(diff_clause(d, "goes on"), 8, ARG0);
	/* All in one piece of the value: there is room for so many pieces. */
	for (unsigned i = 0; i < 40; i++)
		args[i] = (struct diff_args){ { i * 7 % 11, i % ABI_PIECE / 2 } };
	return diff_finish(d, args, 40);
}

/* --- Records ---------------------------------------------------------------- */

static unsigned
test_records(void)
{
	static const unsigned sizes[] = { 1, 2, 4, 8 };
	static const unsigned strs[] = { 1, 2, 8, 15, 16, 17, 64, 100 };
	static const char *const texts[] = {
		"ldgs execname, %r1\nret %r1", "ldgs probefunc, %r1\nret %r1",
		"sets \"a literal of some length\", %r1\nret %r1",
		"sets \"\", %r1\nret %r1", "ret %r0", "ldgs v, %r1\nret %r1",
		"ldts t, %r1\nret %r1", "ldts none, %r1\nret %r1",
		"ldgs arg9, %r1\nret %r1",
		"ldgs arg0, %r1\nsets \"a\", %r2\ntst %r1\nbe A\n"
		"ldgs execname, %r2\nA: ret %r2",
		"ldgs arg0, %r1\nsets \"two rets\", %r2\ntst %r1\nbe A\n"
		"ret %r2\nA: ldgs execname, %r3\nret %r3",
		"ldgs execname, %r1\nsetx 2, %r2\nadd %r1, %r2, %r1\nret %r1",
		"sets \"abc\", %r1\npushtr DT_TYPE(1), %r0, %r1\n"
		"call basename, %r1\nret %r1",
	};
	static const struct diff_args args[] = {
		{ { 0 } }, { { 1 } }, { { 0x1122334455667788, 7 } },
		{ { UINT64_MAX } },
	};
	struct diff *d = diff_new(64);

	diff_var(d, "v", DIF_VS_GLOBAL, "string 40", NULL);
	diff_var(d, "t", DIF_VS_THREAD, "string 40", NULL);
	diff_var(d, "none", DIF_VS_THREAD, "string 40", NULL);
	diff_var(d, "s", DIF_VS_GLOBAL, "struct 40", NULL);
	diff_expr(diff_clause(d, "set"), "sets \"value of v\", %r1\n"
		  "stgs %r1, v\nsets \"value of t\", %r1\nstts %r1, t\n"
		  "ldgs s, %r2\nldgs arg0, %r3\nstx %r3, [%r2]\nret %r0");
	for (unsigned i = 0; i < 4; i++)
		diff_int(diff_clause(d, "int %u", sizes[i]), sizes[i], ARG0);
	for (unsigned i = 0; i < BASE_NELEMS(strs); i++)
		for (unsigned k = 0; k < BASE_NELEMS(texts); k++)
			diff_str(diff_clause(d, "string %u of %u", strs[i], k),
				 strs[i], texts[k]);
	struct diff_clause *c = diff_clause(d, "many fields");
	diff_int(c, 1, ARG0);
	diff_str(c, 3, texts[0]);
	diff_int(c, 8, ARG0);
	diff_bytes(c, 5, "ldgs s, %r1\nret %r1");
	diff_int(c, 2, ARG0);
	diff_field(c, ABI_FIELD_PROBE, 4);
	diff_str(c, 30, texts[5]);
	diff_int(c, 4, ARG0);
	c = diff_clause(d, "40 fields");
	for (unsigned i = 0; i < 40; i++)
		diff_int(c, 4, ARG0);
	c = diff_clause(d, "no fault, then one");
	diff_int(c, 8, ARG0);
	diff_int(c, 8, DIV);
	return diff_finish(d, args, BASE_NELEMS(args));
}

static unsigned
test_predicates(void)
{
	static const char *const preds[] = {
		ARG0, DIV, "ret %r0", "setx 1, %r1\nret %r1",
		"ldgs execname, %r1\nret %r1", "ldgs probename, %r1\nret %r1",
		"ldgs arg0, %r1\ntst %r1\nbe A\nsetx 5, %r1\nret %r1\n"
		"A: ret %r0",
		"ldts t, %r1\nret %r1", "ldgs arg9, %r1\nldub [%r1], %r1\n"
		"ret %r1",
	};
	static const struct diff_args args[] = {
		{ { 0, 0 } }, { { 1, 0 } }, { { 1, 1 } }, { { 1ULL << 63, 2 } },
		{ { 1ULL << 32, 1 } },
	};
	struct diff *d = diff_new(64);

	diff_var(d, "t", DIF_VS_THREAD, "int 8", NULL);
	for (unsigned i = 0; i < BASE_NELEMS(preds); i++) {
		struct diff_clause *c = diff_clause(d, "predicate %u", i);
		diff_pred(c, preds[i]);
		diff_int(c, 8, ARG0);
		diff_expr(c, "ldts t, %r1\nsetx 1, %r2\nxor %r1, %r2, %r1\n"
			  "stts %r1, t\nret %r0");
		diff_int(c, 8, DIV);
		c = diff_clause(d, "predicate %u, nothing else", i);
		diff_pred(c, preds[i]);
	}
	return diff_finish(d, args, BASE_NELEMS(args));
}

static unsigned
test_branches(void)
{
	struct diff *d = diff_new(64);
	struct diff_args args[27];
	struct diff_clause *c;

	diff_var(d, "n", DIF_VS_GLOBAL, "int 8", NULL);
	c = diff_clause(d, "if");
	diff_if(c, ARG0);
	diff_int(c, 8, ARG1);
	diff_end(c);

	c = diff_clause(d, "if else");
	diff_if(c, ARG0);
	diff_int(c, 8, ARG1);
	diff_else(c);
	diff_int(c, 4, ARG2);
	diff_end(c);

	c = diff_clause(d, "else records");
	diff_if(c, ARG0);
	diff_expr(c, BUMP("1") "ret %r0");
	diff_else(c);
	diff_int(c, 4, ARG2);
	diff_end(c);

	c = diff_clause(d, "record, then if");
	diff_int(c, 8, ARG0);
	diff_if(c, ARG1);
	diff_int(c, 8, ARG1);
	diff_end(c);
	diff_int(c, 8, ARG2);

	c = diff_clause(d, "if, then record");
	diff_if(c, ARG1);
	diff_str(c, 20, "ldgs execname, %r1\nret %r1");
	diff_end(c);
	diff_int(c, 8, ARG2);

	c = diff_clause(d, "nested");
	diff_if(c, ARG0);
	diff_if(c, ARG1);
	diff_int(c, 8, ARG1);
	diff_else(c);
	diff_int(c, 2, ARG2);
	diff_end(c);
	diff_else(c);
	diff_if(c, ARG2);
	diff_int(c, 1, ARG1);
	diff_end(c);
	diff_end(c);

	c = diff_clause(d, "nested, empty arms");
	diff_if(c, ARG0);
	diff_if(c, ARG1);
	diff_else(c);
	diff_int(c, 2, ARG2);
	diff_end(c);
	diff_end(c);
	diff_if(c, ARG2);
	diff_expr(c, BUMP("2") "ret %r0");
	diff_end(c);

	c = diff_clause(d, "faults");
	diff_if(c, DIV);
	diff_int(c, 8, ARG1);
	diff_else(c);
	diff_int(c, 8, DIV);
	diff_end(c);

	c = diff_clause(d, "fault in an arm");
	diff_int(c, 8, ARG0);
	diff_if(c, ARG0);
	diff_int(c, 8, DIV);
	diff_end(c);

	c = diff_clause(d, "no records");
	diff_if(c, ARG0);
	diff_expr(c, BUMP("3") "ret %r0");
	diff_else(c);
	diff_expr(c, BUMP("4") "ret %r0");
	diff_end(c);

	c = diff_clause(d, "strings as conditions");
	diff_if(c, "ldgs execname, %r1\nret %r1");
	diff_int(c, 8, ARG0);
	diff_end(c);
	diff_if(c, "sets \"\", %r1\nret %r1");
	diff_int(c, 8, ARG1);
	diff_end(c);

	c = diff_clause(d, "n");
	diff_int(c, 8, "ldgs n, %r1\nret %r1");
	for (unsigned i = 0; i < 27; i++)
		args[i] = (struct diff_args){ { i % 3, i / 3 % 3, i / 9 } };
	return diff_finish(d, args, 27);
}

/* Clauses that share a firing: scratch, locals, arguments, codes. */
static unsigned
test_neighbours(void)
{
	struct diff *d = diff_new(64);
	static const struct diff_args args[] = { { { 1, 0 } }, { { 2, 1 } } };

	diff_scratch(d, 64);
	diff_var(d, "l", DIF_VS_LOCAL, "string 20", NULL);
	for (unsigned i = 0; i < 8; i++) {
		struct diff_clause *c = diff_clause(d, "clause %u", i);
		diff_expr(c, "setx 64, %r1\nallocs %r1, %r2\nnot %r0, %r3\n"
			  "stx %r3, [%r2]\nret %r0");
		diff_str(c, 20, "ldls l, %r1\nret %r1");
		diff_expr(c, i & 1 ? "sets \"odd\", %r1\nstls %r1, l\nret %r0" :
			  "ldgs execname, %r1\nstls %r1, l\nret %r0");
		diff_int(c, 8, DIV);
		if (i == 5)
			diff_expr(c, "setx 8, %r1\nallocs %r1, %r2\nret %r0");
	}
	return diff_finish(d, args, 2);
}

/* --- ERROR ------------------------------------------------------------------- */

static unsigned
test_error(void)
{
	static const char *const faults[] = {
		DIV, "ldgs arg2, %r1\nldub [%r1], %r1\nret %r1",
		"setx 100000, %r1\nallocs %r1, %r1\nret %r0",
		"pushtv DT_TYPE(0), %r0, %r0\npushtv DT_TYPE(0), %r0, %r0\n"
		"call lltostr, %r1\nret %r0",
		"ldgs arg0, %r1\nmov %r1, %r1\nmov %r1, %r1\nldx [%r1], %r1\n"
		"ret %r1",
	};
	static const struct diff_args args[] = {
		{ { 1, 0, 3, 4, 5, 6, 7, 8, 9 } },
		{ { 5, 1, 0xdead000000000000, 4, 5, 6 } },
		{ { UINT64_MAX, 0, 1ULL << 63, 1, 1, 1 } },
	};
	struct diff *d = diff_new(64);
	struct diff_clause *c;
	char text[100];

	diff_var(d, "n", DIF_VS_GLOBAL, "int 8", NULL);
	diff_var(d, "l", DIF_VS_LOCAL, "int 8", NULL);
	unsigned a = diff_agg(d, ABI_AGG_COUNT, 0, "i i");
	for (unsigned i = 0; i < BASE_NELEMS(faults); i++) {
		c = diff_clause(d, "fault %u", i);
		diff_expr(c, "ldgs arg0, %r1\nstls %r1, l\nret %r0");
		diff_int(c, 8, faults[i]);
		c = diff_clause(d, "predicate fault %u", i);
		diff_pred(c, faults[i]);
		diff_int(c, 8, ARG0);
		c = diff_clause(d, "arguments after fault %u", i);
		for (unsigned k = 0; k < 10; k++) {
			snprintf(text, sizeof(text), "ldgs arg%u, %%r1\n"
				 "ret %%r1", k);
			diff_int(c, 8, text);
		}
		diff_int(c, 4, "ldgs epid, %r1\nret %r1");
		diff_str(c, 20, "ldgs probename, %r1\nret %r1");
		diff_field(c, ABI_FIELD_PROBE, 4);
	}
	c = diff_error_clause(d, "error");
	for (unsigned k = 0; k < 5; k++) {
		snprintf(text, sizeof(text), "ldgs arg%u, %%r1\nret %%r1", k);
		diff_int(c, 8, text);
	}
	diff_int(c, 4, "ldgs epid, %r1\nret %r1");
	diff_int(c, 4, "ldgs id, %r1\nret %r1");
	diff_str(c, 20, "ldgs probename, %r1\nret %r1");
	diff_field(c, ABI_FIELD_PROBE, 4);
	diff_int(c, 8, "ldls l, %r1\nret %r1");
	c = diff_error_clause(d, "error counts");
	ADD(c, a, ARG1, "ldgs arg4, %r1\nret %r1");
	diff_expr(c, BUMP("1") "ret %r0");
	c = diff_error_clause(d, "error faults");
	diff_int(c, 8, DIV);
	diff_int(c, 8, "ldgs arg0, %r1\nldub [%r1], %r1\nret %r1");
	c = diff_error_clause(d, "error with a predicate");
	diff_pred(c, "ldgs arg4, %r1\nsetx 1, %r2\ncmp %r1, %r2\nbe A\n"
		  "ret %r0\nA: setx 1, %r1\nret %r1");
	diff_int(c, 8, "ldgs n, %r1\nret %r1");
	return diff_finish(d, args, BASE_NELEMS(args));
}

/* The kernel verifies ERROR's clauses once for a clause, not once for each
 * place of it that may fault. */
static unsigned
test_error_size(void)
{
	static const struct diff_args args[] = { { { 0 } }, { { 1 } } };
	static char text[100000];
	struct diff *d = diff_new(64);
	size_t at = 0;

	at += (size_t)snprintf(text, sizeof(text), "ldgs arg0, %%r2\n");
	for (int i = 0; i < 500; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at,
				       "ldub [%%r2], %%r1\n");
	snprintf(text + at, sizeof(text) - at, "ret %%r1");
	diff_int(diff_clause(d, "500 loads"), 8, text);
	at = (size_t)snprintf(text, sizeof(text), "ldgs timestamp, %%r2\n"
			      "xor %%r2, %%r2, %%r2\nldgs arg3, %%r1\n");
	for (int i = 0; i < 400; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at,
			"setx %d, %%r3\nand %%r1, %%r3, %%r4\ntst %%r4\n"
			"be L%d\nxor %%r2, %%r4, %%r2\nL%d: nop\n",
			4 << i % 8, i, i);
	snprintf(text + at, sizeof(text) - at, "ret %%r2");
	diff_int(diff_error_clause(d, "400 branches"), 8, text);
	return diff_finish(d, args, 2);
}

int
main(void)
{
	static const struct diff_test tests[] = {
		{ "aggregating functions", test_aggs },
		{ "keys", test_keys },
		{ "order in an aggregation", test_agg_order },
		{ "room for groups", test_agg_room },
		{ "records", test_records },
		{ "predicates", test_predicates },
		{ "branches", test_branches },
		{ "neighbours", test_neighbours },
		{ "ERROR", test_error },
		{ "the size of ERROR", test_error_size },
	};

	return diff_main(tests, BASE_NELEMS(tests));
}
