/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Loads, stores and copies: of every size and sign, at addresses that the
 * generator knows and at those it does not, good and bad.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "diff.h"

static const char *const loads[] = {
	"ldsb", "ldsh", "ldsw", "ldub", "lduh", "lduw", "ldx",
	"rldsb", "rldsh", "rldsw", "rldub", "rlduh", "rlduw", "rldx",
};
static const char *const uloads[] = {
	"uldsb", "uldsh", "uldsw", "uldub", "ulduh", "ulduw", "uldx",
};
static const struct { const char *name; unsigned size; } stores[] = {
	{ "stb", 1 }, { "sth", 2 }, { "stw", 4 }, { "stx", 8 },
};

#define BYTES "\\201\\377\\177\\001\\200\\002\\377\\376\\003\\211\\212abcdefgh"

/* How a register comes to hold the address of some bytes; arg9 is 0, which
 * the generator does not know. */
static const struct { const char *name, *text; } places[] = {
	{ "literal", "sets \"" BYTES "\", %r1\n" },
	{ "literal in a stack register", "sets \"" BYTES "\", %r5\n"
	  "mov %r5, %r1\n" },
	{ "unknown literal", "sets \"" BYTES "\", %r1\nldgs arg9, %r7\n"
	  "add %r1, %r7, %r1\n" },
	{ "global", "sets \"" BYTES "\", %r1\nstgs %r1, buf\n"
	  "ldgs buf, %r1\n" },
	{ "unknown global", "sets \"" BYTES "\", %r1\nstgs %r1, buf\n"
	  "ldgs buf, %r1\nldgs arg9, %r7\nadd %r7, %r1, %r1\n" },
	{ "local", "sets \"" BYTES "\", %r1\nstls %r1, lbuf\n"
	  "ldls lbuf, %r1\n" },
	{ "unknown local", "sets \"" BYTES "\", %r1\nstls %r1, lbuf\n"
	  "ldls lbuf, %r1\nldgs arg9, %r7\nadd %r7, %r1, %r1\n" },
	{ "thread-local", "sets \"" BYTES "\", %r1\nstts %r1, tbuf\n"
	  "ldts tbuf, %r1\n" },
	{ "unknown thread-local", "sets \"" BYTES "\", %r1\nstts %r1, tbuf\n"
	  "ldts tbuf, %r1\nldgs arg9, %r7\nadd %r7, %r1, %r1\n" },
	{ "scratch", "setx 24, %r2\nallocs %r2, %r1\nsetx 16, %r3\n"
	  "sets \"" BYTES "\", %r4\ncopys %r4, %r3, %r1\n" },
	{ "string result", "sets \"" BYTES "\", %r1\n"
	  "pushtr DT_TYPE(1), %r0, %r1\ncall basename, %r1\nflushts\n" },
	{ "meeting", "sets \"" BYTES "\", %r1\nldgs arg9, %r2\ntst %r2\n"
	  "be M\nsets \"other bytes other bytes\", %r1\nM: nop\n" },
	{ "zeros", "ldgs s, %r1\nldgs arg9, %r7\nadd %r1, %r7, %r1\n" },
	{ "zeros from a stack register", "ldgs s, %r4\nldgs arg9, %r7\n"
	  "add %r4, %r7, %r5\nmov %r5, %r1\n" },
	{ "through a number", "sets \"" BYTES "\", %r1\nstgs %r1, num\n"
	  "ldgs num, %r1\n" },
};

static struct diff *
new_diff(void)
{
	static const struct { const char *name; int scope; const char *type; }
	vars[] = {
		{ "buf", DIF_VS_GLOBAL, "string 40" },
		{ "lbuf", DIF_VS_LOCAL, "string 40" },
		{ "tbuf", DIF_VS_THREAD, "string 40" },
		{ "num", DIF_VS_GLOBAL, "int 8" },
		{ "s", DIF_VS_GLOBAL, "struct 20" },
		{ "ls", DIF_VS_LOCAL, "struct 20" },
		{ "s2", DIF_VS_GLOBAL, "struct 12" },
		{ "ls2", DIF_VS_LOCAL, "struct 12" },
		{ "ts", DIF_VS_THREAD, "struct 20" },
	};
	struct diff *d = diff_new(64);
	char name[16];

	/* By-value variables stand between, so that on both sides what is
	 * near an object is none. */
	for (unsigned i = 0; i <= BASE_NELEMS(vars); i++) {
		for (unsigned k = 0; k < 3; k++) {
			snprintf(name, sizeof(name), "g%u_%u", i, k);
			diff_var(d, name, DIF_VS_GLOBAL, "int 8", NULL);
			snprintf(name, sizeof(name), "l%u_%u", i, k);
			diff_var(d, name, DIF_VS_LOCAL, "int 8", NULL);
		}
		if (i < BASE_NELEMS(vars))
			diff_var(d, vars[i].name, vars[i].scope, vars[i].type,
				 NULL);
	}
	diff_var(d, "a", DIF_VS_GLOBAL, "struct 20", "i");
	return d;
}

static unsigned
test_loads(void)
{
	static const unsigned offs[] = { 0, 1, 3, 8 };
	struct diff *d = new_diff();
	char text[1000];

	for (unsigned p = 0; p < BASE_NELEMS(places); p++)
		for (unsigned l = 0; l < BASE_NELEMS(loads); l++)
			for (unsigned o = 0; o < BASE_NELEMS(offs); o++) {
				if (l >= 7 && o)
					continue;
				struct diff_clause *c = diff_clause(d,
					"%s from %s + %u", loads[l],
					places[p].name, offs[o]);
				snprintf(text, sizeof(text), "%ssetx %u, %%r6\n"
					 "add %%r1, %%r6, %%r1\n"
					 "%s [%%r1], %%r3\nret %%r3",
					 places[p].text, offs[o], loads[l]);
				diff_int(c, 8, text);
			}
	return diff_finish(d, NULL, 0);
}

/* Bad addresses.  The first few are user memory that is there. */
static uint64_t bad_addrs[40];
static unsigned nbad;

static void
make_bad(struct diff_args *args, const char *page)
{
	static const uint64_t fixed[] = {
		0, 1, 7, 4095, 4096, 0x8000000000000000, 0xdead000000000000,
		0x7fffffffffffffff, 0x0000800000000000, 0x00007ffffffff000,
		0xffff7fffffffffff, 0xffffffffffffffff, 0xfffffffffffffff9,
		0xfffffffffffff000, 0xffff800000000000, 0xffffffffff600000,
	};

	nbad = 0;
	bad_addrs[nbad++] = (uintptr_t)page;
	bad_addrs[nbad++] = (uintptr_t)page + 4093;
	bad_addrs[nbad++] = (uintptr_t)page + 4096;
	memcpy(bad_addrs + nbad, fixed, sizeof(fixed));
	nbad += BASE_NELEMS(fixed);
	for (unsigned i = 0; i < nbad; i++)
		args[i] = (struct diff_args){ { bad_addrs[i], i } };
}

/* Two pages, the second of zeros, or one that cannot be read; were it not mapped,
 * something else might be in its place before long. */
static char *
user_page(int second)
{
	char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	for (int i = 0; i < 4096; i++)
		p[i] = (char)(i * 37 + 129);
	strcpy(p + 100, "hello from user memory");
	p[4096] = 0;	/* probes read only what is in memory */
	mprotect(p + 4096, 4096, second);
	return p;
}

static unsigned
test_bad_loads(void)
{
	struct diff *d = new_diff();
	struct diff_args args[40];
	char text[200], *page = user_page(PROT_NONE);

	make_bad(args, page);
	for (unsigned l = 0; l < BASE_NELEMS(loads); l++) {
		snprintf(text, sizeof(text),
			 "ldgs arg0, %%r4\n%s [%%r4], %%r4\nret %%r4",
			 loads[l]);
		diff_int(diff_clause(d, "%s", loads[l]), 8, text);
		snprintf(text, sizeof(text),
			 "ldgs arg1, %%r2\n%s [%%r0], %%r1\nret %%r1",
			 loads[l]);
		diff_int(diff_clause(d, "%s [%%r0]", loads[l]), 8, text);
	}
	for (unsigned l = 0; l < BASE_NELEMS(uloads); l++) {
		snprintf(text, sizeof(text),
			 "ldgs arg0, %%r1\n%s [%%r1], %%r4\nret %%r4",
			 uloads[l]);
		diff_int(diff_clause(d, "%s", uloads[l]), 8, text);
		snprintf(text, sizeof(text),
			 "sets \"abcdefgh\", %%r1\n%s [%%r1], %%r4\nret %%r4",
			 uloads[l]);
		diff_int(diff_clause(d, "%s of a literal", uloads[l]), 8, text);
	}
	/* References that cannot be read. */
	static const struct { const char *name, *text; } refs[] = {
		{ "scmp first", "ldgs arg0, %r1\nsets \"x\", %r2\n"
		  "scmp %r1, %r2\nret %r0" },
		{ "scmp second", "ldgs arg0, %r1\nsets \"x\", %r2\n"
		  "scmp %r2, %r1\nret %r0" },
		{ "scmp both", "ldgs arg0, %r1\nldgs arg1, %r2\n"
		  "scmp %r2, %r1\nret %r0" },
		{ "scmp with 0", "sets \"x\", %r2\nscmp %r2, %r0\nret %r0" },
		{ "scmp of 0", "sets \"x\", %r2\nscmp %r0, %r2\nret %r0" },
		{ "global string", "ldgs arg0, %r1\nstgs %r1, buf\nret %r0" },
		{ "global struct", "ldgs arg0, %r1\nstgs %r1, s\nret %r0" },
		{ "local string", "ldgs arg0, %r1\nstls %r1, lbuf\nret %r0" },
		{ "local struct", "ldgs arg0, %r1\nstls %r1, ls\nret %r0" },
		{ "thread string", "ldgs arg0, %r1\nstts %r1, tbuf\nret %r0" },
		{ "thread struct", "ldgs arg0, %r1\nstts %r1, ts\nret %r0" },
		{ "array struct", "ldgs arg0, %r1\n"
		  "pushtv DT_TYPE(0), %r0, %r1\nstgaa %r1, a\nret %r0" },
		{ "copys from", "setx 8, %r2\nallocs %r2, %r3\nldgs arg0, %r1\n"
		  "copys %r1, %r2, %r3\nret %r0" },
		{ "copys to", "sets \"abcdefgh\", %r3\nsetx 8, %r2\n"
		  "ldgs arg0, %r1\ncopys %r3, %r2, %r1\nret %r0" },
		{ "copys from and to", "setx 8, %r2\nldgs arg0, %r1\n"
		  "copys %r1, %r2, %r1\nret %r0" },
		{ "copys nothing", "ldgs arg0, %r1\n"
		  "copys %r1, %r0, %r1\nret %r0" },
		{ "stb", "ldgs arg0, %r4\nstb %r4, [%r4]\nret %r0" },
		{ "sth", "ldgs arg0, %r4\nsth %r4, [%r4]\nret %r0" },
		{ "stw", "ldgs arg0, %r4\nstw %r4, [%r4]\nret %r0" },
		{ "stx", "ldgs arg0, %r4\nstx %r4, [%r4]\nret %r0" },
		{ "stx [0]", "ldgs arg0, %r4\nstx %r4, [%r0]\nret %r0" },
		{ "key", "ldgs arg0, %r1\npushtv DT_TYPE(0), %r0, %r1\n"
		  "ldgaa a, %r1\nldub [%r1], %r1\nret %r1" },
	};
	for (unsigned i = 0; i < BASE_NELEMS(refs); i++)
		diff_int(diff_clause(d, "%s", refs[i].name), 8, refs[i].text);
	/* Copying out a result. */
	diff_str(diff_clause(d, "record string"), 20,
		 "ldgs arg0, %r1\nret %r1");
	diff_bytes(diff_clause(d, "record bytes"), 20,
		   "ldgs arg0, %r1\nret %r1");
	diff_ustr(diff_clause(d, "record user string"), 20,
		  "ldgs arg0, %r1\nret %r1");
	diff_ubytes(diff_clause(d, "record user bytes"), 20,
		    "ldgs arg0, %r1\nret %r1");
	diff_ustr(diff_clause(d, "record user string, large"), 300,
		  "ldgs arg0, %r1\nret %r1");
	/* What a store that failed leaves. */
	diff_str(diff_clause(d, "global string after"), 40,
		 "ldgs buf, %r1\nret %r1");
	diff_bytes(diff_clause(d, "global struct after"), 20,
		   "ldgs s, %r1\nret %r1");
	diff_str(diff_clause(d, "local string after"), 40,
		 "ldls lbuf, %r1\nret %r1");
	diff_str(diff_clause(d, "thread string after"), 40,
		 "ldts tbuf, %r1\nret %r1");
	return diff_finish(d, args, nbad);
}

/* Stores inside one object of `size` bytes, at its ends and across them. */
static unsigned
test_stores(void)
{
	static const struct {
		const char *name, *text, *load;
		int size;
	} objects[] = {
		{ "global", "", "ldgs s, %r1\n", 20 },
		{ "local", "", "ldls ls, %r1\n", 20 },
		{ "second global", "", "ldgs s2, %r1\n", 12 },
		{ "second local", "", "ldls ls2, %r1\n", 12 },
		{ "global string", "", "ldgs buf, %r1\n", 40 },
		{ "local string", "", "ldls lbuf, %r1\n", 40 },
		{ "scratch", "setx 16, %r2\nallocs %r2, %r1\n", "", 16 },
		{ "odd scratch", "setx 13, %r2\nallocs %r2, %r1\n", "", 16 },
		{ "string result", "sets \"abc\", %r1\n"
		  "pushtr DT_TYPE(1), %r0, %r1\ncall basename, %r1\n", "", 64 },
	};
	struct diff *d = new_diff();
	char text[1000];

	for (unsigned o = 0; o < BASE_NELEMS(objects); o++)
		for (unsigned s = 0; s < BASE_NELEMS(stores); s++)
			for (int k = 0; k < 10; k++) {
				int size = objects[o].size;
				int sz = (int)stores[s].size;
				const int at[] = { 0, 1, size - sz,
					size - sz + 1, size, -1, -sz, 3,
					size + 8, -16 };
				bool known = !*objects[o].text && k & 1;
				uint64_t off = (uint64_t)(int64_t)at[k];
				struct diff_clause *c = diff_clause(d,
					"%s to %s %+d%s", stores[s].name,
					objects[o].name, at[k],
					known ? "" : ", unknown");
				snprintf(text, sizeof(text), "%s%s%s"
					"setx 0x1122334455667788, %%r3\n"
					"setx %" PRIu64 ", %%r4\n"
					"add %%r1, %%r4, %%r2\n"
					"%s %%r3, [%%r2]\nret %%r1",
					objects[o].text, objects[o].load,
					known ? "" : "ldgs arg9, %r7\n"
					"add %r1, %r7, %r1\n", off,
					stores[s].name);
				diff_bytes(c, (unsigned)size, text);
			}
	for (unsigned i = 0; i < 10 * 3; i++) {
		snprintf(text, sizeof(text), "ldgs g%u_%u, %%r1\nret %%r1",
			 i / 3, i % 3);
		diff_int(diff_clause(d, "guard %u", i), 8, text);
		snprintf(text, sizeof(text), "ldls l%u_%u, %%r1\nret %%r1",
			 i / 3, i % 3);
		diff_int(diff_clause(d, "local guard %u", i), 8, text);
	}
	return diff_finish(d, NULL, 0);
}

/* Memory that may be read but not written. */
static unsigned
test_readonly(void)
{
	static const struct { const char *name, *text; } objects[] = {
		{ "literal", "sets \"abcdefghijklmnop\", %r1\n" },
		{ "execname", "ldgs execname, %r1\n" },
		{ "probename", "ldgs probename, %r1\n" },
		{ "zonename", "ldgs zonename, %r1\n" },
		{ "global string", "sets \"abcdefghijklmnop\", %r1\n"
		  "stgs %r1, buf\nldgs buf, %r1\n" },
		{ "absent thread-local", "stts %r0, tbuf\nldts tbuf, %r1\n" },
		{ "absent element", "pushtv DT_TYPE(0), %r0, %r0\n"
		  "ldgaa a, %r1\nflushts\n" },
		{ "present thread-local", "sets \"abcdefghijklmnop\", %r1\n"
		  "stts %r1, tbuf\nldts tbuf, %r1\n" },
		{ "no scratch", "allocs %r0, %r1\n" },
	};
	struct diff *d = new_diff();
	char text[400];

	for (unsigned o = 0; o < BASE_NELEMS(objects); o++)
		for (unsigned s = 0; s < BASE_NELEMS(stores); s++)
			for (unsigned u = 0; u < 2; u++) {
				struct diff_clause *c = diff_clause(d,
					"%s to %s%s", stores[s].name,
					objects[o].name, u ? ", unknown" : "");
				snprintf(text, sizeof(text), "%s%ssetx 120, "
					"%%r3\n%s %%r3, [%%r1]\nret %%r0",
					objects[o].text, u ? "ldgs arg9, %r7\n"
					"add %r1, %r7, %r1\n" : "",
					stores[s].name);
				diff_int(c, 8, text);
				c = diff_clause(d, "copys to %s%s",
						objects[o].name,
						u ? ", unknown" : "");
				snprintf(text, sizeof(text), "%s%ssetx 4, %%r2"
					"\nsets \"xyzzy\", %%r3\ncopys %%r3, "
					"%%r2, %%r1\nret %%r0",
					objects[o].text, u ? "ldgs arg9, %r7\n"
					"add %r1, %r7, %r1\n" : "");
				diff_int(c, 8, text);
			}
	diff_str(diff_clause(d, "probename after"), 40,
		 "ldgs probename, %r1\nret %r1");
	diff_str(diff_clause(d, "global string after"), 40,
		 "ldgs buf, %r1\nret %r1");
	diff_str(diff_clause(d, "thread-local after"), 40,
		 "ldts tbuf, %r1\nret %r1");
	return diff_finish(d, NULL, 0);
}

static unsigned
test_scratch(void)
{
	static const struct { const char *name, *text; } cases[] = {
		/* 100 bytes of scratch, of which 96 can be used */
		{ "all of it", "setx 96, %r1\nallocs %r1, %r2\n"
		  "setx 88, %r1\nadd %r2, %r1, %r2\nldx [%r2], %r3\nret %r3" },
		{ "too much", "setx 104, %r1\nallocs %r1, %r2\nret %r0" },
		{ "rounded up", "setx 97, %r1\nallocs %r1, %r2\nret %r0" },
		{ "twice", "setx 41, %r1\nallocs %r1, %r2\nallocs %r1, %r2\n"
		  "sub %r2, %r2, %r3\nret %r3" },
		{ "three times", "setx 41, %r1\nallocs %r1, %r2\n"
		  "allocs %r1, %r2\nallocs %r1, %r2\nret %r0" },
		{ "by eights", "setx 1, %r1\nallocs %r1, %r2\n"
		  "allocs %r1, %r3\nsub %r3, %r2, %r3\nret %r3" },
		{ "nothing", "allocs %r0, %r1\nallocs %r0, %r2\n"
		  "sub %r2, %r1, %r3\nret %r3" },
		{ "nothing when full", "setx 96, %r1\nallocs %r1, %r2\n"
		  "allocs %r0, %r1\nret %r0" },
		{ "negative", "setx 0xffffffffffffffff, %r1\nallocs %r1, %r2\n"
		  "ret %r0" },
		{ "wrapping", "setx 0xfffffffffffffff8, %r1\nallocs %r1, %r2\n"
		  "ret %r0" },
		{ "large", "setx 0x100000008, %r1\nallocs %r1, %r2\nret %r0" },
		{ "dirty", "setx 96, %r1\nallocs %r1, %r2\nnot %r0, %r3\n"
		  "stx %r3, [%r2]\nsetx 88, %r4\nadd %r2, %r4, %r4\n"
		  "stx %r3, [%r4]\nret %r0" },
		{ "zeroed, rounding too", "setx 89, %r1\nallocs %r1, %r2\n"
		  "ldx [%r2], %r3\nsetx 88, %r4\nadd %r2, %r4, %r4\n"
		  "ldx [%r4], %r4\nor %r3, %r4, %r3\nret %r3" },
		{ "store behind the claim", "setx 8, %r1\nallocs %r1, %r2\n"
		  "setx 8, %r3\nadd %r2, %r3, %r2\nstb %r0, [%r2]\nret %r0" },
		{ "store across the claim", "setx 8, %r1\nallocs %r1, %r2\n"
		  "setx 1, %r3\nadd %r2, %r3, %r2\nstx %r0, [%r2]\nret %r0" },
		{ "copys behind the claim", "setx 8, %r1\nallocs %r1, %r2\n"
		  "setx 9, %r3\nsets \"0123456789abcdef\", %r4\n"
		  "copys %r4, %r3, %r2\nret %r0" },
		{ "string result, no room", "setx 40, %r1\nallocs %r1, %r2\n"
		  "sets \"abc\", %r1\npushtr DT_TYPE(1), %r0, %r1\n"
		  "call basename, %r1\nret %r0" },
		{ "copy overlaps up", "setx 32, %r1\nallocs %r1, %r2\n"
		  "sets \"0123456789abcdef\", %r4\nsetx 16, %r3\n"
		  "copys %r4, %r3, %r2\nsetx 3, %r5\nadd %r2, %r5, %r5\n"
		  "copys %r2, %r3, %r5\nldx [%r5], %r1\nsetx 8, %r3\n"
		  "add %r5, %r3, %r5\nldx [%r5], %r2\nmul %r1, %r3, %r1\n"
		  "xor %r1, %r2, %r1\nret %r1" },
		{ "copy overlaps down", "setx 32, %r1\nallocs %r1, %r2\n"
		  "sets \"0123456789abcdef\", %r4\nsetx 16, %r3\n"
		  "setx 3, %r5\nadd %r2, %r5, %r5\n"
		  "copys %r4, %r3, %r5\ncopys %r5, %r3, %r2\n"
		  "ldx [%r2], %r1\nsetx 8, %r3\nadd %r2, %r3, %r2\n"
		  "ldx [%r2], %r2\nmul %r1, %r3, %r1\n"
		  "xor %r1, %r2, %r1\nret %r1" },
		{ "copy too much", "setx 8, %r1\nallocs %r1, %r2\n"
		  "sets \"0123456789abcdef\", %r4\n"
		  "setx 0x100000000, %r3\ncopys %r4, %r3, %r2\nret %r0" },
		{ "copy -1", "setx 8, %r1\nallocs %r1, %r2\nnot %r0, %r3\n"
		  "copys %r2, %r3, %r2\nret %r0" },
	};
	struct diff *d = diff_new(64);

	diff_scratch(d, 100 / 8 * 8);
	for (unsigned i = 0; i < BASE_NELEMS(cases); i++)
		diff_int(diff_clause(d, "%s", cases[i].name), 8, cases[i].text);
	return diff_finish(d, NULL, 0);
}

/* Copies to and from each kind of object. */
static unsigned
test_copies(void)
{
	static const char *const to[][2] = {
		{ "global", "ldgs s, %r2\n" }, { "local", "ldls ls, %r2\n" },
		{ "scratch", "setx 24, %r2\nallocs %r2, %r2\n" },
		{ "global string", "ldgs buf, %r2\n" },
	};
	static const unsigned sizes[] = { 1, 2, 7, 8, 12, 19 };
	struct diff *d = new_diff();
	char text[1000];

	for (unsigned p = 0; p < BASE_NELEMS(places); p++)
		for (unsigned t = 0; t < BASE_NELEMS(to); t++)
			for (unsigned k = 0; k < BASE_NELEMS(sizes); k++) {
				unsigned n = sizes[k];
				struct diff_clause *c = diff_clause(d,
					"%u bytes from %s to %s", n,
					places[p].name, to[t][0]);
				snprintf(text, sizeof(text), "%smov %%r1, %%r5"
					"\n%ssetx %u, %%r3\n"
					"copys %%r5, %%r3, %%r2\nret %%r2",
					places[p].text, to[t][1], n);
				diff_bytes(c, 19, text);
			}
	return diff_finish(d, NULL, 0);
}

/* Memory of this process that is there. */
static unsigned
test_user(void)
{
	static const char *const texts[][2] = {
		{ "copyinstr", "ldgs arg0, %r1\npushtv DT_TYPE(0), %r0, %r1\n"
		  "call copyinstr, %r1\nret %r1" },
		{ "copyinstr 5", "ldgs arg0, %r1\npushtv DT_TYPE(0), %r0, %r1\n"
		  "setx 5, %r2\npushtv DT_TYPE(0), %r0, %r2\n"
		  "call copyinstr, %r1\nret %r1" },
		{ "user string variable", "ldgs arg0, %r1\nstgs %r1, us\n"
		  "ldgs us, %r1\nret %r1" },
		{ "user thread-local", "ldgs arg0, %r1\nstts %r1, uts\n"
		  "ldts uts, %r1\nret %r1" },
		{ "user local", "ldgs arg0, %r1\nstls %r1, uls\n"
		  "ldls uls, %r1\nret %r1" },
	};
	struct diff *d = new_diff();
	struct diff_args args[64];
	char text[200], *page = user_page(PROT_READ);
	unsigned n = 0;

	diff_var(d, "us", DIF_VS_GLOBAL, "ustring 16", NULL);
	diff_var(d, "uts", DIF_VS_THREAD, "ustring 30", NULL);
	diff_var(d, "uls", DIF_VS_LOCAL, "ustring 30", NULL);
	diff_var(d, "ust", DIF_VS_LOCAL, "ustruct 12", NULL);
	diff_var(d, "utst", DIF_VS_THREAD, "ustruct 12", NULL);
	for (unsigned l = 0; l < BASE_NELEMS(uloads); l++) {
		snprintf(text, sizeof(text),
			 "ldgs arg0, %%r1\n%s [%%r1], %%r4\nret %%r4",
			 uloads[l]);
		diff_int(diff_clause(d, "%s", uloads[l]), 8, text);
	}
	for (unsigned i = 0; i < BASE_NELEMS(texts); i++)
		diff_str(diff_clause(d, "%s", texts[i][0]), 64, texts[i][1]);
	diff_bytes(diff_clause(d, "copyin"), 12, "ldgs arg0, %r1\n"
		   "pushtv DT_TYPE(0), %r0, %r1\nsetx 12, %r2\n"
		   "pushtv DT_TYPE(0), %r0, %r2\ncall copyin, %r1\nret %r1");
	diff_bytes(diff_clause(d, "user struct"), 12, "ldgs arg0, %r1\n"
		   "stls %r1, ust\nldls ust, %r1\nret %r1");
	diff_bytes(diff_clause(d, "user thread struct"), 12, "ldgs arg0, %r1\n"
		   "stts %r1, utst\nldts utst, %r1\nret %r1");
	diff_ustr(diff_clause(d, "record"), 30, "ldgs arg0, %r1\nret %r1");
	diff_ustr(diff_clause(d, "record small"), 5, "ldgs arg0, %r1\nret %r1");
	diff_ustr(diff_clause(d, "record 0"), 5, "ret %r0");
	diff_ubytes(diff_clause(d, "record bytes"), 17,
		    "ldgs arg0, %r1\nret %r1");
	for (unsigned i = 0; i < 24; i++)
		args[n++] = (struct diff_args){ { (uintptr_t)page + i } };
	args[n++] = (struct diff_args){ { (uintptr_t)page + 100 } };
	args[n++] = (struct diff_args){ { (uintptr_t)page + 106 } };
	args[n++] = (struct diff_args){ { (uintptr_t)page + 122 } };
	for (unsigned i = 4076; i <= 4096; i++)
		args[n++] = (struct diff_args){ { (uintptr_t)page + i } };
	return diff_finish(d, args, n);
}

/* --- Where readable memory ends ------------------------------------------- */

enum { EDGE = 70 };	/* more than strsize */

#define ARG0 "ldgs arg0, %r1\n"
#define PUSH(r) "pushtv DT_TYPE(0), %r0, %" #r "\n"
#define LIMITED(limit) "pushtr DT_TYPE(1), %" #limit ", %r1\n"

/* Variables are what both kinds of strings may be stored in. */
static void
add_edge_variables(struct diff *d, const char *u)
{
	static const struct { const char *name; int scope; unsigned size; }
	vars[] = {
		{ "s64", DIF_VS_GLOBAL, 64 }, { "s9", DIF_VS_GLOBAL, 9 },
		{ "l64", DIF_VS_LOCAL, 64 }, { "l10", DIF_VS_LOCAL, 10 },
		{ "t64", DIF_VS_THREAD, 64 }, { "t2", DIF_VS_THREAD, 2 },
		{ "s1", DIF_VS_GLOBAL, 1 },
	};
	static const char *const store[] = { "stgs", "stts", "stls" };
	static const char *const load[] = { "ldgs", "ldts", "ldls" };
	char text[200], type[32];

	for (unsigned i = 0; i < BASE_NELEMS(vars); i++) {
		snprintf(type, sizeof(type), "%sstring %u", u, vars[i].size);
		diff_var(d, vars[i].name, vars[i].scope, type, NULL);
	}
	for (unsigned i = 0; i < BASE_NELEMS(vars); i++) {
		snprintf(text, sizeof(text),
			 "%s%s %%r1, %s\n%s %s, %%r1\nret %%r1", ARG0,
			 store[vars[i].scope], vars[i].name,
			 load[vars[i].scope], vars[i].name);
		diff_str(diff_clause(d, "%sstring %s", u, vars[i].name), 64,
			 text);
	}
}

/* Every number of bytes up to the end: arg0 points at the first of them, arg1
 * is how many, arg2 one more. */
static unsigned
run_edge(struct diff *d, uint64_t end)
{
	struct diff_args args[EDGE + 1];

	for (unsigned i = 0; i <= EDGE; i++)
		args[i] = (struct diff_args){ { end - i, i, i + 1 } };
	return diff_run(d, args, EDGE + 1);
}

/* Text that goes on to the end, and text whose NUL is the last byte. */
static void
fill_edge(char *p, bool ends)
{
	for (unsigned i = 0; i < EDGE; i++)
		p[i] = (char)('!' + i);
	if (ends)
		p[EDGE - 1] = '\0';
}

static unsigned
test_user_end(void)
{
#define COPYINSTR2(load) ARG0 load PUSH(r1) PUSH(r2) \
		"call copyinstr, %r1\nret %r1"
#define COPYIN(load) ARG0 load PUSH(r1) PUSH(r2) \
		"call copyin, %r1\nldub [%r1], %r1\nret %r1"
#define COPYINTO(load) ARG0 load "setx 72, %r3\nallocs %r3, %r4\n" \
		PUSH(r1) PUSH(r2) PUSH(r4) \
		"call copyinto, %r1\nldx [%r4], %r1\nret %r1"
	static const char *const texts[][2] = {
		{ "copyinstr", ARG0 PUSH(r1) "call copyinstr, %r1\nret %r1" },
		{ "copyinstr exactly", COPYINSTR2("ldgs arg1, %r2\n") },
		{ "copyinstr, one more", COPYINSTR2("ldgs arg2, %r2\n") },
		{ "copyinstr 0", COPYINSTR2("setx 0, %r2\n") },
		{ "copyinstr 1", COPYINSTR2("setx 1, %r2\n") },
		{ "copyinstr 8", COPYINSTR2("setx 8, %r2\n") },
		{ "copyinstr 63", COPYINSTR2("setx 63, %r2\n") },
		{ "copyinstr 64", COPYINSTR2("setx 64, %r2\n") },
		{ "copyinstr -1", COPYINSTR2("not %r0, %r2\n") },
	};
	static const char *const numbers[][2] = {
		{ "copyin exactly", COPYIN("ldgs arg1, %r2\n") },
		{ "copyin, one more", COPYIN("ldgs arg2, %r2\n") },
		{ "copyinto exactly", COPYINTO("ldgs arg1, %r2\n") },
		{ "copyinto, one more", COPYINTO("ldgs arg2, %r2\n") },
	};
	static const unsigned sizes[] = { 1, 2, 3, 8, 9, 63, 64, 65 };
	unsigned bad = 0;

	for (int ends = 0; ends < 2; ends++) {
		struct diff *d = diff_new(64);
		char *page = user_page(PROT_NONE);
		fill_edge(page + 4096 - EDGE, ends);
		diff_scratch(d, 160);
		add_edge_variables(d, "u");
		for (unsigned i = 0; i < BASE_NELEMS(texts); i++)
			diff_str(diff_clause(d, "%s", texts[i][0]), 64,
				 texts[i][1]);
		for (unsigned i = 0; i < BASE_NELEMS(numbers); i++)
			diff_int(diff_clause(d, "%s", numbers[i][0]), 8,
				 numbers[i][1]);
		for (unsigned i = 0; i < BASE_NELEMS(sizes); i++) {
			diff_ustr(diff_clause(d, "record %u", sizes[i]),
				  sizes[i], ARG0 "ret %r1");
			diff_ubytes(diff_clause(d, "bytes %u", sizes[i]),
				    sizes[i], ARG0 "ret %r1");
		}
		bad += run_edge(d, (uintptr_t)page + 4096);
		diff_free(d);
	}
	return bad;
}

static unsigned
test_kernel_end(void)
{
	static const char *const limits[][2] = {
		{ "none", "setx 0, %r2\n" }, { "1", "setx 1, %r2\n" },
		{ "8", "setx 8, %r2\n" }, { "63", "setx 63, %r2\n" },
		{ "64", "setx 64, %r2\n" },
		{ "exactly", "ldgs arg1, %r2\n" },
		{ "one more", "ldgs arg2, %r2\n" },
	};
	static const char *const calls[][2] = {
		{ "strlen", LIMITED(r2) "call strlen, %r1\nret %r1" },
		{ "strjoin", LIMITED(r2) "sets \"ab\", %r3\n"
		  "pushtr DT_TYPE(1), %r0, %r3\ncall strjoin, %r1\n"
		  "ldx [%r1], %r1\nret %r1" },
		{ "key", LIMITED(r2) "setx 5, %r3\nstgaa %r3, a\n"
		  "ldgaa a, %r1\nret %r1" },
		{ "short key", LIMITED(r2) "setx 5, %r3\nstgaa %r3, b\n"
		  "ldgaa b, %r1\nret %r1" },
		{ "no key", LIMITED(r2) "setx 5, %r3\nstgaa %r3, c\n"
		  "ldgaa c, %r1\nret %r1" },
	};
	static const unsigned sizes[] = { 1, 2, 3, 8, 9, 63, 64, 65 };
	unsigned bad = 0;
	char text[400], bytes[EDGE];

	for (int ends = 0; ends < 2; ends++) {
		struct diff *d = diff_new(64);
		diff_kernel(d);
		diff_room(d, 400);
		diff_var(d, "a", DIF_VS_GLOBAL, "int 8", "s64");
		diff_var(d, "b", DIF_VS_GLOBAL, "int 8", "s8");
		diff_var(d, "c", DIF_VS_GLOBAL, "int 8", "s1");
		add_edge_variables(d, "");
		for (unsigned i = 0; i < BASE_NELEMS(calls); i++)
			for (unsigned k = 0; k < BASE_NELEMS(limits); k++) {
				snprintf(text, sizeof(text), "%s%s%s",
					 ARG0, limits[k][1], calls[i][1]);
				diff_int(diff_clause(d, "%s, limit %s",
						     calls[i][0], limits[k][0]),
					 8, text);
			}
		diff_int(diff_clause(d, "scmp"), 8, ARG0 "sets \"ab\", %r2\n"
			 "setx 1, %r3\nscmp %r1, %r2\nbl L\nsetx 2, %r3\n"
			 "L: ret %r3");
		for (unsigned i = 0; i < BASE_NELEMS(sizes); i++) {
			diff_str(diff_clause(d, "record %u", sizes[i]),
				 sizes[i], ARG0 "ret %r1");
			diff_bytes(diff_clause(d, "bytes %u", sizes[i]),
				   sizes[i], ARG0 "ret %r1");
		}
		fill_edge(bytes, ends);
		bad += run_edge(d, diff_kernel_end(bytes, EDGE));
		diff_free(d);
	}
	return bad;
}

int
main(void)
{
	static const struct diff_test tests[] = {
		{ "loads", test_loads },
		{ "bad addresses", test_bad_loads },
		{ "stores", test_stores },
		{ "read-only memory", test_readonly },
		{ "scratch", test_scratch },
		{ "copies", test_copies },
		{ "user memory", test_user },
		{ "the end of user memory", test_user_end },
		{ "the end of kernel memory", test_kernel_end },
	};

	return diff_main(tests, BASE_NELEMS(tests));
}
