/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Subroutines, on the rows that the interpreter is tested with and on more:
 * arguments as literals, through variables, at addresses the generator does
 * not know, with limits.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "diff.h"
#include "util/sb.h"

/* User and kernel pages of the rows: neither can be read here. */
#define KMEM 0xdead000000001000u
#define UMEM 0x0000700000001000u
enum { PAGE = 4096 };
#include "../unit/vm/subr_rows.h"

enum how { LITERAL, GLOBAL, UNKNOWN, LIMITED, NHOW };
static const char *const hows[] = { "literals", "globals", "unknown", "limits" };

/* s as difasm reads it. */
static void
quote(struct sb *b, const char *s)
{
	sb_putc(b, '"');
	for (; *s; s++)
		sb_printf(b, "\\%03o", (unsigned char)*s);
	sb_putc(b, '"');
}

static void
put_string(struct sb *b, unsigned i, const char *s, enum how how)
{
	sb_puts(b, "sets ");
	quote(b, s);
	sb_puts(b, ", %r1\n");
	if (how == GLOBAL)
		sb_printf(b, "stgs %%r1, g%u\nldgs g%u, %%r1\n", i, i);
	if (how == UNKNOWN)
		sb_puts(b, "ldgs arg9, %r2\nadd %r2, %r1, %r1\n");
	sb_puts(b, "mov %r0, %r2\n");
	if (how == LIMITED)
		sb_printf(b, "setx %zu, %%r2\n", strlen(s) + (i & 1));
	sb_puts(b, "pushtr DT_TYPE(1), %r2, %r1\n");
}

/* The address in %r5 is that of the row's memory. */
static void
put_args(struct sb *b, const struct arg *args, unsigned n, enum how how)
{
	for (unsigned i = 0; i < n; i++) {
		if (args[i].s)
			put_string(b, i, args[i].s, how);
		else if (args[i].kind == ARG_MEMORY)
			sb_puts(b, "pushtv DT_TYPE(0), %r0, %r5\n");
		else if (args[i].kind == ARG_NONE)
			sb_puts(b, "pushtr DT_TYPE(1), %r0, %r0\n");
		else
			sb_printf(b, "setx %" PRIu64 ", %%r3\n"
				  "pushtv DT_TYPE(0), %%r0, %%r3\n",
				  (uint64_t)args[i].i);
	}
}

/* One clause for each way; strings of unknown length when str.  Documents are
 * many: these come as literals, and from elsewhere in test_texts.c. */
static void
add_call(struct diff *d, unsigned subr, const struct arg *args, unsigned n,
	 bool str)
{
	const char *name = dif_subr_info(subr)->name;
	unsigned ways = subr == DIF_SUBR_JSON ? LITERAL + 1 : NHOW;
	struct sb b;

	for (enum how how = 0; how < ways; how++) {
		struct diff_clause *c = diff_clause(d,
			"%s(\"%s\" %" PRId64 ", \"%s\" %" PRId64 ", %" PRId64
			") of %u with %s", name, n && args[0].s ? args[0].s : "",
			n ? args[0].i : 0, n > 1 && args[1].s ? args[1].s : "",
			n > 1 ? args[1].i : 0, n > 2 ? args[2].i : 0, n,
			hows[how]);
		sb_init(&b, 1 << 20);
		put_args(&b, args, n, how);
		sb_printf(&b, "call %s, %%r4\nret %%r4", name);
		if (str)
			diff_str(c, 300, sb_str(&b));
		else
			diff_int(c, 8, sb_str(&b));
		sb_fini(&b);
	}
}

/* The bytes lie in scratch, or, when in_var, in a clause-local variable. */
static void
add_memory(struct diff *d, const struct mem_row *row, bool in_var)
{
	const char *name = dif_subr_info(row->subr)->name;
	struct sb b;

	sb_init(&b, 1 << 16);
	sb_printf(&b, in_var ? "ldls m0, %%r5\n"
			     : "setx %u, %%r1\nallocs %%r1, %%r5\n",
		  row->size + 8);
	for (unsigned i = 0; i < row->size; i++)
		sb_printf(&b, "setx %u, %%r2\nadd %%r5, %%r2, %%r2\n"
			  "setx %u, %%r1\nstb %%r1, [%%r2]\n", i,
			  (unsigned char)row->bytes[i]);
	put_args(&b, row->args, row->n, LITERAL);
	sb_printf(&b, "call %s, %%r4\nret %%r4", name);
	diff_str(diff_clause(d, "%s for \"%s\", in %s", name,
			     row->want ? row->want : "NULL",
			     in_var ? "a variable" : "scratch"), 300,
		 sb_str(&b));
	sb_fini(&b);
}

static struct diff *
new_diff(uint32_t strsize)
{
	struct diff *d = diff_new(strsize);

	diff_var(d, "g0", DIF_VS_GLOBAL, "string 256", NULL);
	diff_var(d, "g1", DIF_VS_GLOBAL, "string 256", NULL);
	diff_var(d, "l0", DIF_VS_LOCAL, "string 256", NULL);
	diff_var(d, "m0", DIF_VS_LOCAL, "struct 256", NULL);
	return d;
}

static void
add_rows(struct diff *d)
{
	for (unsigned i = 0; i < BASE_NELEMS(str_rows); i++)
		add_call(d, str_rows[i].subr, str_rows[i].args, str_rows[i].n,
			 true);
	for (unsigned i = 0; i < BASE_NELEMS(cut_rows); i++)
		add_call(d, cut_rows[i].subr, cut_rows[i].args, cut_rows[i].n,
			 true);
	for (unsigned i = 0; i < BASE_NELEMS(num_rows); i++)
		add_call(d, num_rows[i].subr, num_rows[i].args, num_rows[i].n,
			 false);
	for (unsigned i = 0; i < 2 * BASE_NELEMS(mem_rows); i++)
		add_memory(d, &mem_rows[i / 2], i & 1);
}

static unsigned
test_rows(void)
{
	struct diff *d = new_diff(128);

	add_rows(d);
	return diff_finish(d, NULL, 0);
}

static unsigned
test_rows_8(void)
{
	struct diff *d = new_diff(8);

	add_rows(d);
	return diff_finish(d, NULL, 0);
}

static unsigned
test_rows_2(void)
{
	struct diff *d = new_diff(2);

	add_rows(d);
	return diff_finish(d, NULL, 0);
}

/* Nearly full and overfull strings at the usual size and the largest. */
static unsigned
long_strings(uint32_t strsize)
{
	static char s[5000], t[5000], u[5000];
	struct diff *d = new_diff(strsize);

	memset(s, 'a', strsize);	/* one too many */
	memset(t, 'a', strsize - 1);
	memset(u, '/', strsize - 1);
	u[strsize - 2] = 'b';
	t[strsize - 2] = 'b';
	const struct arg one[] = { { s, 0 }, { t, 0 }, { u, 0 } };
	static const uint8_t subrs[] = { DIF_SUBR_BASENAME, DIF_SUBR_DIRNAME };
	for (unsigned i = 0; i < 3; i++) {
		const struct arg join[] = { { "x", 0 }, one[i] };
		const struct arg sub[] = { one[i], { NULL, -2 }, { NULL, 9 } };
		const struct arg chr[] = { one[i], { NULL, 'b' } };
		const struct arg find[] = { one[i], { "ab", 0 } };
		const struct arg self[] = { one[i], one[1] };
		add_call(d, DIF_SUBR_CLEANPATH, &one[i], 1, true);
		add_call(d, DIF_SUBR_TOUPPER, &one[i], 1, true);
		add_call(d, DIF_SUBR_STRTOK, find, 2, true);
		add_call(d, DIF_SUBR_STRTOK, self, 2, true);
		add_call(d, DIF_SUBR_STRLEN, &one[i], 1, false);
		for (unsigned k = 0; k < BASE_NELEMS(subrs); k++)
			add_call(d, subrs[k], &one[i], 1, true);
		add_call(d, DIF_SUBR_STRJOIN, join, 2, true);
		add_call(d, DIF_SUBR_STRJOIN, find, 2, true);
		add_call(d, DIF_SUBR_SUBSTR, sub, 3, true);
		add_call(d, DIF_SUBR_SUBSTR, sub, 2, true);
		add_call(d, DIF_SUBR_STRCHR, chr, 2, true);
		add_call(d, DIF_SUBR_STRRCHR, chr, 2, true);
		add_call(d, DIF_SUBR_STRSTR, find, 2, true);
		add_call(d, DIF_SUBR_INDEX, find, 2, false);
		add_call(d, DIF_SUBR_RINDEX, find, 2, false);
		add_call(d, DIF_SUBR_INDEX, self, 2, false);
	}
	diff_batch(d, 40);
	return diff_finish(d, NULL, 0);
}

static unsigned
test_long_256(void)
{
	return long_strings(256);
}

static unsigned
test_long_4096(void)
{
	return long_strings(4096);
}

/* Documents with as many elements and as many levels as there can be. */
static unsigned
large_documents(uint32_t strsize)
{
	static char many[5000], deep[5000], open[5000];
	struct diff *d = new_diff(strsize);
	uint32_t n = (strsize - 1) & ~1u;
	char last[16];

	memset(many, '0', n);
	for (uint32_t i = 2; i < n; i += 2)
		many[i] = ',';
	many[0] = '[';
	many[n - 2] = '7';
	many[n - 1] = ']';
	memset(deep, '[', n / 2);
	memset(deep + n / 2, ']', n / 2);
	memset(open, '[', strsize);
	for (uint32_t i = n / 2 - 4; i <= n / 2; i++) {
		snprintf(last, sizeof(last), "[%u]", i);
		add_call(d, DIF_SUBR_JSON, (struct arg[]){ { many, 0 },
			 { last, 0 } }, 2, true);
	}
	add_call(d, DIF_SUBR_JSON, (struct arg[]){ S(deep), S("[0][0]") }, 2,
		 true);
	add_call(d, DIF_SUBR_JSON, (struct arg[]){ S(deep), S("[1]") }, 2,
		 true);
	add_call(d, DIF_SUBR_JSON, (struct arg[]){ S(open), S("[0]") }, 2,
		 true);
	return diff_finish(d, NULL, 0);
}

static unsigned
test_documents(void)
{
	unsigned bad = 0;

	for (uint32_t strsize = 64; strsize < 68; strsize++)
		bad += large_documents(strsize);
	return bad + large_documents(256) + large_documents(4096);
}

/* Limits of pushtr below and above the length; with each kind of place. */
static unsigned
test_limits(void)
{
	static const uint64_t limits[] = {
		0, 1, 2, 7, 8, 9, 15, 16, 17, 100, 0x100000000,
		0xffffffffffffffff,
	};
	struct diff *d = new_diff(16);
	struct sb b;

	for (unsigned i = 0; i < BASE_NELEMS(limits); i++)
		for (unsigned k = 0; k < 4; k++) {
			struct diff_clause *c = diff_clause(d,
				"limit %" PRIu64 "%s%s", limits[i],
				k & 1 ? ", not constant" : "",
				k & 2 ? ", unknown string" : "");
			sb_init(&b, 1 << 16);
			sb_printf(&b, "setx %" PRIu64 ", %%r2\n", limits[i]);
			if (k & 1)
				sb_puts(&b, "ldgs arg9, %r3\n"
					"add %r2, %r3, %r2\n");
			sb_puts(&b, "sets \"abcdefgh\", %r1\n");
			if (k & 2)
				sb_puts(&b, "ldgs arg9, %r3\n"
					"add %r1, %r3, %r1\n");
			sb_puts(&b, "pushtr DT_TYPE(1), %r2, %r1\n"
				"pushtr DT_TYPE(1), %r2, %r1\n"
				"call strjoin, %r1\nret %r1");
			diff_str(c, 40, sb_str(&b));
			sb_fini(&b);
		}
	return diff_finish(d, NULL, 0);
}

/* Bad strings in each place, and other faults. */
static unsigned
test_faults(void)
{
	static const uint64_t bad[] = { 0, 1, KMEM, UMEM, ~0ULL };
	static const uint8_t subrs[] = {
#define SUBR(NAME, name, no, ...) no,
#include "dif/subrs.def"
#undef SUBR
	};
	struct diff *d = new_diff(64);
	struct sb b;

	diff_scratch(d, 64);
	for (unsigned i = 0; i < BASE_NELEMS(fault_rows); i++)
		add_call(d, fault_rows[i].subr, fault_rows[i].args,
			 fault_rows[i].n, false);
	for (unsigned i = 0; i < BASE_NELEMS(subrs); i++) {
		const struct dif_subrinfo *info = dif_subr_info(subrs[i]);
		unsigned n = (unsigned)strcspn(info->args, "|");
		if (subrs[i] == DIF_SUBR_COPYOUTSTR)
			continue;	/* not every kernel has it */
		for (unsigned k = 0; k < n * BASE_NELEMS(bad) * 2; k++) {
			unsigned at = k % n, lim = k / n % 2, v = k / n / 2;
			if (!dif_is_string(info->args[at]))
				continue;
			struct diff_clause *c = diff_clause(d,
				"%s argument %u is %#" PRIx64 "%s", info->name,
				at, bad[v], lim ? ", limited" : "");
			sb_init(&b, 1 << 16);
			sb_printf(&b, "setx %" PRIu64 ", %%r1\n"
				  "sets \"hello\", %%r2\nsetx %u, %%r3\n",
				  bad[v], lim * 8);
			for (unsigned j = 0; j < n; j++)
				sb_printf(&b, dif_is_string(info->args[j]) ?
					"pushtr DT_TYPE(1), %%r3, %%r%d\n" :
					"pushtv DT_TYPE(0), %%r0, %%r%d\n",
					dif_is_string(info->args[j]) && j != at ? 2 :
					1);
			sb_printf(&b, "call %s, %%r1\nret %%r0", info->name);
			diff_int(c, 8, sb_str(&b));
			sb_fini(&b);
		}
	}
	return diff_finish(d, NULL, 0);
}

static const char *const scratch_texts[][2] = {
	{ "two results", "sets \"hello\", %r1\npushtr DT_TYPE(1), %r0, %r1\n"
	  "call basename, %r2\ncall basename, %r2\nret %r0" },
	{ "NULL results", "sets \"hello\", %r1\npushtr DT_TYPE(1), %r0, %r1\n"
	  "setx 64, %r3\npushtv DT_TYPE(0), %r0, %r3\ncall strchr, %r2\n"
	  "call strchr, %r2\ncall strchr, %r2\nret %r2" },
	{ "limits claim nothing",
	  "sets \"hello\", %r1\nsetx 3, %r2\npushtr DT_TYPE(1), %r2, %r1\n"
	  "call strlen, %r3\ncall strlen, %r3\ncall strlen, %r3\nret %r3" },
	{ "a limit and a result",
	  "sets \"hello\", %r1\nsetx 3, %r2\npushtr DT_TYPE(1), %r2, %r1\n"
	  "call basename, %r3\nldub [%r3], %r3\nret %r3" },
	{ "no scratch and bad string", "setx 8, %r1\nallocs %r1, %r1\n"
	  "pushtr DT_TYPE(1), %r0, %r0\ncall basename, %r1\nret %r0" },
	{ "no scratch and bad base", "setx 8, %r1\nallocs %r1, %r1\n"
	  "pushtv DT_TYPE(0), %r0, %r0\npushtv DT_TYPE(0), %r0, %r0\n"
	  "call lltostr, %r1\nret %r0" },
	{ "copyinstr claims first", "setx 8, %r1\nallocs %r1, %r1\n"
	  "pushtv DT_TYPE(0), %r0, %r0\ncall copyinstr, %r1\nret %r0" },
	{ "copyin of nothing", "pushtv DT_TYPE(0), %r0, %r0\n"
	  "pushtv DT_TYPE(0), %r0, %r0\ncall copyin, %r1\nret %r0" },
	{ "copyin of nothing, no scratch", "setx 64, %r1\nallocs %r1, %r1\n"
	  "pushtv DT_TYPE(0), %r0, %r0\npushtv DT_TYPE(0), %r0, %r0\n"
	  "call copyin, %r1\nret %r0" },
	{ "copyinstr of 0 reads nothing", "pushtv DT_TYPE(0), %r0, %r0\n"
	  "pushtv DT_TYPE(0), %r0, %r0\n"
	  "call copyinstr, %r1\nldub [%r1], %r1\nret %r1" },
	{ "a fresh copy", "sets \"hello\", %r1\nstgs %r1, g0\nldgs g0, %r1\n"
	  "pushtr DT_TYPE(1), %r0, %r1\ncall basename, %r2\nsetx 120, %r3\n"
	  "stb %r3, [%r1]\nldub [%r2], %r4\nret %r4" },
	{ "result is writable", "sets \"hello\", %r1\n"
	  "pushtr DT_TYPE(1), %r0, %r1\ncall basename, %r2\nsetx 120, %r3\n"
	  "stb %r3, [%r2]\nflushts\npushtr DT_TYPE(1), %r0, %r2\n"
	  "call strlen, %r1\nldub [%r2], %r2\nadd %r1, %r2, %r1\nret %r1" },
};

static unsigned
test_scratch(void)
{
	struct diff *d = new_diff(64);

	diff_scratch(d, 64 + 56);
	for (unsigned i = 0; i < BASE_NELEMS(scratch_texts); i++)
		diff_int(diff_clause(d, "%s", scratch_texts[i][0]), 8,
			 scratch_texts[i][1]);
	return diff_finish(d, NULL, 0);
}

/* A text for strtok(), "" to go on; delimiters; ways to push these. */
static const struct { const char *text, *delims; enum how how; } tokens[] = {
	{ "", ",", LITERAL }, { "one,two;;three four", ",", LITERAL },
	{ "", ";", LITERAL }, { "", "; ", LIMITED }, { "", "", GLOBAL },
	{ "", ",", LITERAL }, { "", ",", LITERAL },
	{ "a b c d e f", " ", UNKNOWN }, { "", " ", UNKNOWN },
	{ "", " ", LIMITED }, { "", "d ", GLOBAL }, { ",,,", ",", LITERAL },
	{ "", ",", LITERAL }, { "x y", " ", LIMITED }, { "p q r", " ", LITERAL },
	{ "", "", LITERAL }, { "", "", LITERAL }, { "k", "", LITERAL },
	{ "", "", LITERAL },
};

/* One firing, and all its clauses share a place in a text. */
static unsigned
tokens_of(uint32_t strsize)
{
	struct diff *d = new_diff(strsize);
	struct sb b;

	diff_scratch(d, strsize);
	for (unsigned i = 0; i < BASE_NELEMS(tokens); i++) {
		sb_init(&b, 1 << 16);
		if (tokens[i].text[0])
			put_string(&b, 0, tokens[i].text, tokens[i].how);
		else
			sb_puts(&b, "pushtr DT_TYPE(1), %r0, %r0\n");
		put_string(&b, 1, tokens[i].delims, tokens[i].how);
		sb_puts(&b, "call strtok, %r4\nret %r4");
		diff_str(diff_clause(d, "token %u", i), 32, sb_str(&b));
		sb_fini(&b);
		/* A fault changes nothing. */
		if (i % 3 == 0)
			diff_int(diff_clause(d, "no scratch, %u", i), 8,
				 "setx 8, %r1\nallocs %r1, %r1\n"
				 "sets \"u v\", %r1\nsets \" \", %r2\n"
				 "pushtr DT_TYPE(1), %r0, %r1\n"
				 "pushtr DT_TYPE(1), %r0, %r2\n"
				 "call strtok, %r1\nret %r0");
		if (i % 3 == 1)
			diff_int(diff_clause(d, "no delimiters, %u", i), 8,
				 "sets \"u v\", %r1\n"
				 "pushtr DT_TYPE(1), %r0, %r1\n"
				 "pushtr DT_TYPE(1), %r0, %r0\n"
				 "call strtok, %r1\nret %r0");
	}
	return diff_finish(d, (struct diff_args[3]){ 0 }, 3);
}

static unsigned
test_tokens(void)
{
	return tokens_of(64) + tokens_of(8) + tokens_of(2);
}

/* Limits that the generator does not know, and a string that may be none. */
static unsigned
test_tokens_limits(void)
{
	static const struct diff_args args[] = {
		{ { 0, 1 } }, { { 1, 1 } }, { { 0, 0 } }, { { 1, 2 } },
		{ { 0, 3 } },
	};
	struct diff *d = new_diff(32);

	diff_str(diff_clause(d, "begin"), 32, "sets \"ab cd;ef gh\", %r1\n"
		 "sets \" \", %r2\npushtr DT_TYPE(1), %r0, %r1\n"
		 "pushtr DT_TYPE(1), %r0, %r2\ncall strtok, %r4\nret %r4");
	diff_str(diff_clause(d, "a text or none"), 32, "ldgs arg0, %r1\n"
		 "ldgs arg1, %r3\nmov %r0, %r2\ntst %r1\nbe A\n"
		 "sets \"uv;wx yz\", %r2\nA: pushtr DT_TYPE(1), %r3, %r2\n"
		 "sets \" ;\", %r2\npushtr DT_TYPE(1), %r3, %r2\n"
		 "call strtok, %r4\nret %r4");
	diff_str(diff_clause(d, "go on"), 32, "sets \" \", %r2\n"
		 "pushtr DT_TYPE(1), %r0, %r0\npushtr DT_TYPE(1), %r0, %r2\n"
		 "call strtok, %r4\nret %r4");
	return diff_finish(d, args, BASE_NELEMS(args));
}

/* Digits do not run over what else is in the slot. */
static unsigned
test_digits(void)
{
	unsigned bad = 0;

	for (uint32_t strsize = 2; strsize <= 34; strsize += 8) {
		struct diff *d = diff_new(strsize);
		diff_var(d, "t", DIF_VS_THREAD, "struct 64", NULL);
		diff_var(d, "s", DIF_VS_GLOBAL, "struct 64", NULL);
		diff_bytes(diff_clause(d, "strsize %u", strsize), 64,
			   "ldgs s, %r1\nstts %r1, t\nldts t, %r2\n"
			   "not %r0, %r3\npushtv DT_TYPE(0), %r0, %r3\n"
			   "setx 2, %r3\npushtv DT_TYPE(0), %r0, %r3\n"
			   "call lltostr, %r4\nret %r2");
		bad += diff_finish(d, NULL, 0);
	}
	return bad;
}

/* Numbers that the generator does not know, and every base. */
static unsigned
test_numbers(void)
{
	static const uint64_t values[] = {
		0, 1, 9, 10, 35, 36, 63, 64, 255, 1000, 0x7fffffff, 0x80000000,
		0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff,
	};
	struct diff *d = new_diff(128);
	struct diff_args args[BASE_NELEMS(values) * 40];
	unsigned n = 0;

	diff_str(diff_clause(d, "lltostr"), 100, "ldgs arg0, %r1\n"
		 "pushtv DT_TYPE(0), %r0, %r1\nldgs arg1, %r2\n"
		 "pushtv DT_TYPE(0), %r0, %r2\ncall lltostr, %r3\nret %r3");
	diff_int(diff_clause(d, "strtoll of lltostr"), 8, "ldgs arg0, %r1\n"
		 "pushtv DT_TYPE(0), %r0, %r1\nldgs arg1, %r2\n"
		 "pushtv DT_TYPE(0), %r0, %r2\ncall lltostr, %r3\nflushts\n"
		 "pushtr DT_TYPE(1), %r0, %r3\npushtv DT_TYPE(0), %r0, %r2\n"
		 "call strtoll, %r3\nret %r3");
	diff_str(diff_clause(d, "substr"), 100, "sets \"abcdefghij\", %r1\n"
		 "pushtr DT_TYPE(1), %r0, %r1\nldgs arg0, %r1\n"
		 "pushtv DT_TYPE(0), %r0, %r1\nldgs arg1, %r2\n"
		 "pushtv DT_TYPE(0), %r0, %r2\ncall substr, %r3\nret %r3");
	diff_int(diff_clause(d, "index"), 8, "sets \"abcabcabca\", %r1\n"
		 "pushtr DT_TYPE(1), %r0, %r1\nsets \"ca\", %r1\n"
		 "pushtr DT_TYPE(1), %r0, %r1\nldgs arg1, %r2\n"
		 "pushtv DT_TYPE(0), %r0, %r2\ncall index, %r3\nret %r3");
	diff_int(diff_clause(d, "rindex"), 8, "sets \"abcabcabca\", %r1\n"
		 "pushtr DT_TYPE(1), %r0, %r1\nsets \"ca\", %r1\n"
		 "pushtr DT_TYPE(1), %r0, %r1\nldgs arg1, %r2\n"
		 "pushtv DT_TYPE(0), %r0, %r2\ncall rindex, %r3\nret %r3");
	for (unsigned i = 0; i < BASE_NELEMS(values); i++)
		for (int base = -1; base < 39; base++)
			args[n++] = (struct diff_args){ { values[i],
							  (uint64_t)base } };
	return diff_finish(d, args, n);
}

static unsigned
test_process(void)
{
	struct diff *d = new_diff(64);
	struct diff_args args[] = {
		{ { (uint64_t)getpid() } }, { { (uint64_t)getppid() } },
		{ { 1 } }, { { 0 } }, { { 2 } }, { { (uint64_t)-1 } },
		{ { (uint64_t)getpid() + (1ULL << 32) } }, { { 0x7fffffff } },
		{ { 1ULL << 32 } },
	};

	diff_int(diff_clause(d, "progenyof"), 8, "ldgs arg0, %r1\n"
		 "pushtv DT_TYPE(0), %r0, %r1\ncall progenyof, %r1\nret %r1");
	return diff_finish(d, args, BASE_NELEMS(args));
}

static bool
is_uuid(const char *s)
{
	static const char form[] = "xxxxxxxx-xxxx-4xxx-Nxxx-xxxxxxxxxxxx";

	for (size_t i = 0; i < sizeof(form) - 1; i++)
		if (form[i] == 'x' ? !s[i] || !strchr("0123456789abcdef", s[i]) :
		    form[i] == 'N' ? !s[i] || !strchr("89ab", s[i]) :
		    s[i] != form[i])
			return false;
	return s[sizeof(form) - 1] == '\0';
}

/* What is random differs; its form does not. */
static unsigned
test_random(void)
{
	const struct { struct abi_record hdr; uint64_t rand, random;
		       char uuid[40]; } *r;
	struct diff *d = new_diff(64);
	struct diff_clause *c = diff_clause(d, "random things");
	uint64_t high = 0, low = 0, seen[8];
	unsigned bad = 0;

	diff_loose(c);
	diff_int(c, 8, "call rand, %r1\nret %r1");
	diff_int(c, 8, "call random, %r1\nret %r1");
	diff_str(c, 40, "call uuidstr, %r1\nret %r1");
	for (unsigned i = 0; i < BASE_NELEMS(seen); i++) {
		bad += diff_run_once(d);
		r = diff_recorded(d, c);
		if (!r || r->rand > UINT32_MAX || !is_uuid(r->uuid)) {
			printf("# %s\n", r ? r->uuid : "nothing");
			bad++;
			break;
		}
		high |= r->random;
		low |= r->rand;
		for (unsigned k = 0; k < i; k++)
			bad += seen[k] == r->random;
		seen[i] = r->random;
	}
	bad += high >> 32 == 0 || (uint32_t)high == 0;
	bad += low >> 31 == 0;
	diff_free(d);
	return bad;
}

/* Tuple stacks that live over branches, and are used more than once. */
static const char *const tuple_texts[][2] = {
	{ "arguments that meet", "ldgs arg0, %r1\nsets \"one\", %r2\ntst %r1\n"
	  "be A\nsets \"fifteen\", %r2\nA: pushtr DT_TYPE(1), %r0, %r2\n"
	  "call strlen, %r3\nret %r3" },
	{ "pushes in both arms", "ldgs arg0, %r1\nsets \"one\", %r2\ntst %r1\n"
	  "be A\npushtr DT_TYPE(1), %r0, %r2\nba B\n"
	  "A: ldgs execname, %r2\npushtr DT_TYPE(1), %r0, %r2\n"
	  "B: call strlen, %r3\nret %r3" },
	{ "limits in both arms", "ldgs arg0, %r1\nsets \"eleven\", %r2\n"
	  "tst %r1\nbe A\nsetx 2, %r3\npushtr DT_TYPE(1), %r3, %r2\nba B\n"
	  "A: setx 4, %r3\npushtr DT_TYPE(1), %r3, %r2\n"
	  "B: call strlen, %r3\nret %r3" },
	{ "a limit in one arm", "ldgs arg0, %r1\nsets \"eleven\", %r2\n"
	  "tst %r1\nbe A\nsetx 2, %r3\npushtr DT_TYPE(1), %r3, %r2\nba B\n"
	  "A: pushtr DT_TYPE(1), %r0, %r2\n"
	  "B: call strlen, %r3\nret %r3" },
	{ "a tuple over a branch", "ldgs arg0, %r1\nsets \"ab\", %r2\n"
	  "pushtr DT_TYPE(1), %r0, %r2\npushtr DT_TYPE(1), %r0, %r2\ntst %r1\n"
	  "be A\nsetx 5, %r1\nA: call strjoin, %r3\nflushts\n"
	  "pushtr DT_TYPE(1), %r0, %r3\ncall strlen, %r3\nret %r3" },
	{ "a limit over a branch", "ldgs arg0, %r1\nsets \"abcdef\", %r2\n"
	  "setx 3, %r3\npushtr DT_TYPE(1), %r3, %r2\ntst %r1\n"
	  "be A\nsetx 5, %r1\nA: call strlen, %r3\nret %r3" },
	{ "used twice", "sets \"abcdef\", %r2\nsetx 3, %r3\n"
	  "pushtr DT_TYPE(1), %r3, %r2\ncall strlen, %r4\n"
	  "setx 100, %r5\nmul %r4, %r5, %r4\ncall strlen, %r5\n"
	  "add %r4, %r5, %r4\nret %r4" },
	{ "popped", "sets \"abcdef\", %r2\npushtr DT_TYPE(1), %r0, %r2\n"
	  "pushtv DT_TYPE(0), %r0, %r2\npopts\ncall strlen, %r4\nret %r4" },
	{ "the register changes after the push",
	  "sets \"abcdef\", %r2\npushtr DT_TYPE(1), %r0, %r2\n"
	  "sets \"x\", %r2\ncall strlen, %r4\nret %r4" },
	{ "the variable changes after the push",
	  "sets \"abcdef\", %r2\nstls %r2, l0\nldls l0, %r2\n"
	  "pushtr DT_TYPE(1), %r0, %r2\nsets \"x\", %r3\nstls %r3, l0\n"
	  "call strlen, %r4\nret %r4" },
	{ "the limit changes after the push",
	  "sets \"abcdef\", %r2\nsetx 4, %r3\npushtr DT_TYPE(1), %r3, %r2\n"
	  "setx 2, %r3\ncall strlen, %r4\nret %r4" },
	{ "nested calls", "sets \"a\", %r1\nsets \"bc\", %r2\n"
	  "pushtr DT_TYPE(1), %r0, %r1\npushtr DT_TYPE(1), %r0, %r2\n"
	  "call strjoin, %r3\nflushts\npushtr DT_TYPE(1), %r0, %r3\n"
	  "pushtr DT_TYPE(1), %r0, %r3\ncall strjoin, %r4\nflushts\n"
	  "pushtr DT_TYPE(1), %r0, %r4\npushtr DT_TYPE(1), %r0, %r1\n"
	  "call rindex, %r5\nret %r5" },
};

static unsigned
test_tuples(void)
{
	struct diff *d = new_diff(64);
	static const struct diff_args args[] = { { { 0 } }, { { 1 } } };

	for (unsigned i = 0; i < BASE_NELEMS(tuple_texts); i++)
		diff_int(diff_clause(d, "%s", tuple_texts[i][0]), 8,
			 tuple_texts[i][1]);
	return diff_finish(d, args, 2);
}

int
main(void)
{
	static const struct diff_test tests[] = {
		{ "subroutines, strsize 128", test_rows },
		{ "subroutines, strsize 8", test_rows_8 },
		{ "subroutines, strsize 2", test_rows_2 },
		{ "long strings, strsize 256", test_long_256 },
		{ "long strings, strsize 4096", test_long_4096 },
		{ "large documents", test_documents },
		{ "limits", test_limits },
		{ "faults", test_faults },
		{ "scratch", test_scratch },
		{ "numbers", test_numbers },
		{ "tokens", test_tokens },
		{ "tokens, limits", test_tokens_limits },
		{ "digits", test_digits },
		{ "processes", test_process },
		{ "randomness", test_random },
		{ "tuple stack", test_tuples },
	};

	return diff_main(tests, BASE_NELEMS(tests));
}
