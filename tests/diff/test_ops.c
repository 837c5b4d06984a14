/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Arithmetic, compares and branches on all pairs of edge values, operands
 * unknown to the generator (arg0, arg1) and known to it (setx).
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "diff.h"
#include "dif/dif.h"

static const uint64_t edges[] = {
	0, 1, 2, 3, 7, 63, 64, 65, 127, 128, 255, 0x7fff, 0x8000, 0x7fffffff,
	0x80000000, 0xffffffff, 0x100000000, 0x123456789abcdef0,
	0x7ffffffffffffffe, 0x7fffffffffffffff, 0x8000000000000000,
	0x8000000000000001, 0xffffffff80000000, 0xffffffffffffffc0,
	0xfffffffffffffffe, 0xffffffffffffffff,
};
enum { NEDGES = BASE_NELEMS(edges) };

static struct diff_args singles[NEDGES], pairs[NEDGES * NEDGES];

static void
make_args(void)
{
	for (unsigned i = 0; i < NEDGES; i++)
		singles[i] = (struct diff_args){ { edges[i] } };
	for (unsigned i = 0; i < NEDGES * NEDGES; i++)
		pairs[i] = (struct diff_args){ { edges[i / NEDGES],
						 edges[i % NEDGES], 5 } };
}

static const char *const alu[] = {
	"or", "xor", "and", "sll", "srl", "sra", "sub", "add", "mul", "sdiv",
	"udiv", "srem", "urem",
};
static const char *const branches[] = {
	"be", "bne", "bg", "bgu", "bge", "bgeu", "bl", "blu", "ble", "bleu",
};

/* Which registers hold r1, r2 and rd: in BPF registers and on the stack,
 * and the same ones. */
static const uint8_t triples[][3] = {
	{ 1, 2, 3 }, { 3, 4, 1 }, { 2, 1, 2 }, { 5, 6, 6 }, { 7, 7, 7 },
	{ 1, 0, 1 }, { 0, 2, 5 },
};

/* "%r0" cannot be set. */
static void
set(char *out, size_t n, const char *how, unsigned reg)
{
	if (reg)
		snprintf(out, n, "%s, %%r%u\n", how, reg);
	else
		*out = '\0';
}

static unsigned
test_alu(void)
{
	struct diff *d = diff_new(64);
	char text[256], a[64], b[64];

	for (unsigned i = 0; i < BASE_NELEMS(alu); i++)
		for (unsigned k = 0; k < BASE_NELEMS(triples); k++) {
			const uint8_t *t = triples[k];
			set(a, sizeof(a), "ldgs arg0", t[0]);
			set(b, sizeof(b), "ldgs arg1", t[1]);
			snprintf(text, sizeof(text),
				 "%s%s%s %%r%u, %%r%u, %%r%u\nret %%r%u", a, b,
				 alu[i], t[0], t[1], t[2], t[2]);
			diff_int(diff_clause(d, "%s %%r%u, %%r%u, %%r%u",
					     alu[i], t[0], t[1], t[2]),
				 8, text);
		}
	diff_int(diff_clause(d, "not"), 8,
		 "ldgs arg0, %r1\nnot %r1, %r4\nret %r4");
	diff_int(diff_clause(d, "not itself"), 8,
		 "ldgs arg0, %r5\nnot %r5, %r5\nret %r5");
	diff_int(diff_clause(d, "not 0"), 8, "not %r0, %r1\nret %r1");
	diff_int(diff_clause(d, "mov"), 8,
		 "ldgs arg0, %r3\nmov %r3, %r4\nnop\nmov %r4, %r1\nret %r1");
	diff_int(diff_clause(d, "mov 0"), 8, "mov %r0, %r1\nret %r1");
	return diff_finish(d, pairs, NEDGES * NEDGES);
}

/* Constants on either or both sides. */
static unsigned
test_alu_const(void)
{
	static const uint64_t few[] = {
		0, 1, 63, 64, 0x7fffffff, 0x80000000, 0xffffffff,
		0x7fffffffffffffff, 0x8000000000000000, 0xffffffff80000000,
		0xffffffffffffffff,
	};
	struct diff *d = diff_new(64);
	char text[300];

	for (unsigned i = 0; i < BASE_NELEMS(alu); i++)
		for (unsigned k = 0; k < BASE_NELEMS(few); k++) {
			uint64_t v = few[k], w = few[(k * 7 + i) %
						     BASE_NELEMS(few)];
			snprintf(text, sizeof(text), "ldgs arg0, %%r1\n"
				 "setx %" PRIu64 ", %%r2\n"
				 "%s %%r1, %%r2, %%r1\nret %%r1", v, alu[i]);
			struct diff_clause *c = diff_clause(d, "%s %#" PRIx64
				" %#" PRIx64, alu[i], v, w);
			diff_int(c, 8, text);
			c = diff_clause(d, "%s swapped %#" PRIx64, alu[i], v);
			snprintf(text, sizeof(text), "ldgs arg0, %%r5\n"
				 "setx %" PRIu64 ", %%r4\n"
				 "%s %%r4, %%r5, %%r1\nret %%r1", v, alu[i]);
			diff_int(c, 8, text);
			c = diff_clause(d, "%s both %#" PRIx64 " %#" PRIx64,
					alu[i], v, w);
			snprintf(text, sizeof(text), "setx %" PRIu64 ", %%r5\n"
				 "setx %" PRIu64 ", %%r4\n"
				 "%s %%r4, %%r5, %%r1\nret %%r1", v, w, alu[i]);
			diff_int(c, 8, text);
		}
	diff_batch(d, 120);
	return diff_finish(d, singles, NEDGES);
}

/* --- Encodings of numbers --------------------------------------------------- */

/* Exponents around which rounding, denormal numbers, infinity and the limits of
 * integers lie, as of a float and of a double; and random bits. */
static unsigned
make_numbers(struct diff_args *ret, unsigned n)
{
	static const uint32_t floats[] = {
		0, 1, 2, 22, 23, 24, 102, 103, 104, 126, 127, 128, 149, 150, 151,
		189, 190, 191, 192, 253, 254, 255,
	};
	static const uint32_t doubles[] = {
		0, 1, 2, 872, 873, 874, 896, 897, 898, 919, 920, 1022, 1023, 1024,
		1074, 1075, 1076, 1085, 1086, 1087, 1088, 1149, 1150, 1151, 1152,
		2045, 2046, 2047,
	};
	static const uint64_t fractions[] = {
		0, 1, 0xfffffffffffff, 0x8000000000000, 0x10000000,
		0x30000000, 0x10000001, 0x0fffffff, 0x7fffff, 0x400000,
		0xfffffe0000000, 0xffffff0000000, 0x123456789abcd,
	};
	uint64_t seed = 88172645463325252u;
	unsigned k = 0;

	for (unsigned f = 0; f < BASE_NELEMS(fractions); f++) {
		for (unsigned i = 0; i < BASE_NELEMS(floats); i++)
			for (uint64_t sign = 0; sign < 2; sign++)
				ret[k++].v[0] = sign << 31 | floats[i] << 23 |
						(fractions[f] & 0x7fffff);
		for (unsigned i = 0; i < BASE_NELEMS(doubles); i++)
			for (uint64_t sign = 0; sign < 2; sign++)
				ret[k++].v[0] = sign << 63 | fractions[f] |
						(uint64_t)doubles[i] << 52;
	}
	for (unsigned i = 0; i < NEDGES; i++)
		ret[k++].v[0] = edges[i];
	for (; k < n; k++) {
		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		/* Integers of all widths are among them. */
		ret[k].v[0] = k & 1 ? seed : seed >> (seed & 63);
	}
	return k;
}

static unsigned
test_numbers(void)
{
	static struct diff_args numbers[4000];
	struct diff *d = diff_new(64);
	char text[256];

	for (unsigned from = 0; from < DIF_NNUMS; from++)
		for (unsigned to = 0; to < DIF_NNUMS; to++) {
			snprintf(text, sizeof(text),
				 "ldgs arg0, %%r1\nsetx %u, %%r2\n"
				 "setx %u, %%r3\npushtv DT_TYPE(0), %%r0, %%r1\n"
				 "pushtv DT_TYPE(0), %%r0, %%r2\n"
				 "pushtv DT_TYPE(0), %%r0, %%r3\n"
				 "call __number, %%r4\nflushts\nret %%r4",
				 from, to);
			diff_int(diff_clause(d, "number from %u to %u", from,
					     to), 8, text);
		}
	return diff_finish(d, numbers, make_numbers(numbers, 4000));
}

/* --- Branches ----------------------------------------------------------------- */

static void
branch_text(char *text, size_t n, const char *cmp, const char *branch)
{
	snprintf(text, n, "ldgs arg0, %%r1\nldgs arg1, %%r4\n%s\n%s Y\n"
		 "setx 10, %%r1\nret %%r1\nY: setx 11, %%r1\nret %%r1", cmp,
		 branch);
}

static unsigned
test_branches(void)
{
	struct diff *d = diff_new(64);
	char text[256];

	for (unsigned i = 0; i < BASE_NELEMS(branches); i++) {
		branch_text(text, sizeof(text), "cmp %r1, %r4", branches[i]);
		diff_int(diff_clause(d, "cmp, %s", branches[i]), 8, text);
		branch_text(text, sizeof(text), "cmp %r4, %r0", branches[i]);
		diff_int(diff_clause(d, "cmp 0, %s", branches[i]), 8, text);
		branch_text(text, sizeof(text), "tst %r1", branches[i]);
		diff_int(diff_clause(d, "tst, %s", branches[i]), 8, text);
		branch_text(text, sizeof(text), "tst %r0", branches[i]);
		diff_int(diff_clause(d, "tst 0, %s", branches[i]), 8, text);
		/* The registers change before the branch. */
		branch_text(text, sizeof(text),
			    "cmp %r1, %r4\nadd %r1, %r4, %r1\nmov %r0, %r4",
			    branches[i]);
		diff_int(diff_clause(d, "cmp, change, %s", branches[i]), 8,
			 text);
	}
	return diff_finish(d, pairs, NEDGES * NEDGES);
}

/* What is compared with is a constant that an instruction has room for, or has not;
 * one branch follows, or two do. */
static unsigned
test_branches_const(void)
{
	struct diff *d = diff_new(64);
	char cmp[200], text[500];

	for (unsigned i = 0; i < BASE_NELEMS(branches); i++)
		for (unsigned k = 0; k < NEDGES; k++) {
			const char *b = branches[i];
			snprintf(cmp, sizeof(cmp), "setx %" PRIu64 ", %%r2\n"
				 "cmp %%r1, %%r2", edges[k]);
			branch_text(text, sizeof(text), cmp, b);
			diff_int(diff_clause(d, "%s %#" PRIx64, b, edges[k]), 8, text);
			snprintf(cmp, sizeof(cmp), "setx %" PRIu64 ", %%r5\n"
				 "cmp %%r5, %%r4", edges[k]);
			branch_text(text, sizeof(text), cmp, b);
			diff_int(diff_clause(d, "%#" PRIx64 " %s", edges[k], b), 8, text);
			snprintf(cmp, sizeof(cmp), "setx %" PRIu64 ", %%r2\n"
				 "cmp %%r1, %%r2\nbe Y\nnot %%r1, %%r1", edges[k]);
			branch_text(text, sizeof(text), cmp, b);
			diff_int(diff_clause(d, "be, %s %#" PRIx64, b, edges[k]), 8,
				 text);
		}
	diff_batch(d, 130);
	return diff_finish(d, pairs, NEDGES * NEDGES);
}

/* One compare, many branches; values that meet at labels. */
static const struct { const char *name, *text; } flows[] = {
	{ "one compare, three branches",
	  "ldgs arg0, %r1\nldgs arg1, %r2\ncmp %r1, %r2\nbe A\nbl B\n"
	  "bgu C\nsetx 1, %r3\nret %r3\nA: setx 2, %r3\nret %r3\n"
	  "B: setx 3, %r3\nret %r3\nC: setx 4, %r3\nret %r3" },
	{ "the codes live over a label",
	  "ldgs arg0, %r1\nldgs arg1, %r2\ncmp %r1, %r2\nbe A\n"
	  "cmp %r2, %r1\nA: bl B\nsetx 1, %r3\nret %r3\n"
	  "B: setx 2, %r3\nret %r3" },
	{ "the codes live past another compare",
	  "ldgs arg0, %r1\nldgs arg1, %r2\ncmp %r1, %r2\nbe A\nbl A\ntst %r2\n"
	  "be B\nret %r1\nA: bgu C\nret %r2\nB: setx 1, %r3\nret %r3\n"
	  "C: setx 2, %r3\nret %r3" },
	{ "the greater of two",
	  "ldgs arg0, %r1\nldgs arg1, %r2\ncmp %r1, %r2\nbg A\n"
	  "mov %r2, %r1\nA: ret %r1" },
	{ "constants meet",
	  "ldgs arg0, %r1\ntst %r1\nbe A\nsetx 5, %r2\nba B\n"
	  "A: setx 6, %r2\nB: setx 100, %r3\nadd %r3, %r2, %r3\nret %r3" },
	{ "the same constants meet",
	  "ldgs arg0, %r1\ntst %r1\nbe A\nsetx 5, %r2\nba B\n"
	  "A: setx 5, %r2\nB: setx 100, %r3\nsll %r3, %r2, %r3\nret %r3" },
	{ "a constant lives over labels",
	  "ldgs arg0, %r1\nsetx 5, %r2\nsetx 0x100000000, %r4\nmov %r4, %r6\n"
	  "tst %r1\nbe A\nadd %r1, %r2, %r1\nA: ldgs arg1, %r3\ntst %r3\n"
	  "bl B\nadd %r1, %r4, %r1\nB: sub %r1, %r2, %r1\n"
	  "xor %r1, %r6, %r1\nret %r1" },
	{ "a constant moves",
	  "ldgs arg0, %r1\nsetx 3, %r2\nmov %r2, %r5\nmov %r5, %r7\nsetx 9, %r2\n"
	  "sll %r1, %r7, %r1\nor %r1, %r2, %r1\nret %r1" },
	{ "results go where an operand was",
	  "ldgs arg0, %r1\nldgs arg1, %r2\nsub %r1, %r2, %r2\nsub %r2, %r1, %r1\n"
	  "srl %r1, %r2, %r2\nsll %r2, %r1, %r1\nsub %r1, %r1, %r2\n"
	  "or %r1, %r2, %r1\nret %r1" },
	{ "the lower half",
	  "ldgs arg0, %r1\nldgs arg1, %r5\nsetx 0xffffffff, %r2\n"
	  "and %r1, %r2, %r1\nand %r2, %r5, %r5\nor %r5, %r2, %r2\n"
	  "mul %r1, %r5, %r1\nxor %r1, %r2, %r1\nret %r1" },
	{ "always",
	  "ldgs arg0, %r1\nba A\nsetx 5, %r1\nA: ret %r1" },
	{ "to the next instruction",
	  "ldgs arg0, %r1\ntst %r1\nbe A\nA: ret %r1" },
	{ "code not reached",
	  "ldgs arg0, %r1\nret %r1\nadd %r5, %r6, %r7\nret %r7" },
	{ "ret 0", "ret %r0" },
	{ "dead registers meet",
	  "ldgs arg0, %r1\nsets \"a\", %r2\ntst %r1\nbe A\n"
	  "ldgs execname, %r2\nA: mov %r1, %r3\nret %r3" },
	{ "division guarded",
	  "ldgs arg0, %r1\nldgs arg1, %r2\ntst %r2\nbe A\n"
	  "sdiv %r1, %r2, %r1\nret %r1\nA: setx 77, %r1\nret %r1" },
	{ "all registers",
	  "ldgs arg0, %r1\nldgs arg1, %r2\nadd %r1, %r2, %r3\n"
	  "xor %r3, %r1, %r4\nmul %r4, %r2, %r5\nsub %r5, %r3, %r6\n"
	  "or %r6, %r1, %r7\nadd %r1, %r2, %r1\nadd %r1, %r3, %r1\n"
	  "add %r1, %r4, %r1\nadd %r1, %r5, %r1\nadd %r1, %r6, %r1\n"
	  "add %r1, %r7, %r1\nret %r1" },
	{ "many paths",
	  "ldgs arg0, %r1\nldgs arg1, %r2\nmov %r0, %r3\nsetx 1, %r4\n"
	  "cmp %r1, %r2\nbe A\nadd %r3, %r4, %r3\nA: bl B\n"
	  "setx 2, %r4\nadd %r3, %r4, %r3\nB: blu C\nsetx 4, %r4\n"
	  "add %r3, %r4, %r3\nC: tst %r1\nbl D\nadd %r3, %r4, %r3\n"
	  "D: tst %r2\nble E\nsetx 64, %r4\nadd %r3, %r4, %r3\nE: ret %r3" },
};

static unsigned
test_flow(void)
{
	struct diff *d = diff_new(64);

	for (unsigned i = 0; i < BASE_NELEMS(flows); i++)
		diff_int(diff_clause(d, "%s", flows[i].name), 8, flows[i].text);
	return diff_finish(d, pairs, NEDGES * NEDGES);
}

/* Many branches: labels far away, and paths that the kernel must prune. */
static unsigned
test_long(void)
{
	static char text[400000];
	struct diff *d = diff_new(64);
	size_t at = 0;

	at += (size_t)snprintf(text, sizeof(text),
			       "ldgs arg0, %%r1\nmov %%r0, %%r2\n");
	for (unsigned i = 0; i < 200; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at,
			"setx %u, %%r3\nand %%r1, %%r3, %%r4\ntst %%r4\n"
			"be L%u\nadd %%r2, %%r3, %%r2\nL%u: sll %%r2, %%r4, "
			"%%r2\n", i % 31 + 1, i, i);
	snprintf(text + at, sizeof(text) - at, "ret %%r2");
	diff_int(diff_clause(d, "200 branches"), 8, text);
	at = 0;
	at += (size_t)snprintf(text, sizeof(text),
			       "ldgs arg0, %%r1\ntst %%r1\nbe END\n");
	for (unsigned i = 0; i < 6000; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at,
				       "add %%r1, %%r1, %%r1\n");
	snprintf(text + at, sizeof(text) - at, "END: ret %%r1");
	diff_int(diff_clause(d, "6000 instructions"), 8, text);
	return diff_finish(d, singles, NEDGES);
}

int
main(void)
{
	static const struct diff_test tests[] = {
		{ "arithmetic", test_alu },
		{ "arithmetic with constants", test_alu_const },
		{ "encodings of numbers", test_numbers },
		{ "branches", test_branches },
		{ "branches with constants", test_branches_const },
		{ "control flow", test_flow },
		{ "long DIFOs", test_long },
	};

	make_args();
	return diff_main(tests, BASE_NELEMS(tests));
}
