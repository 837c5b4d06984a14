/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Every built-in variable: against the interpreter, which asks this process,
 * or, where that cannot know, for what must hold.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "diff.h"

struct number { struct abi_record hdr; uint64_t v; };

static const struct dif_bvarinfo rows[] = {
#define BVAR(NAME, name, id, size) { name, id, size },
#include "dif/bvars.def"
#undef BVAR
};

/* Known to the kernel alone. */
static const uint16_t loose[] = {
	DIF_VAR_CURTHREAD, DIF_VAR_TIMESTAMP, DIF_VAR_VTIMESTAMP,
	DIF_VAR_STACKDEPTH, DIF_VAR_CALLER, DIF_VAR_WALLTIMESTAMP,
	DIF_VAR_USTACKDEPTH, DIF_VAR_UCALLER, DIF_VAR_KVARS, DIF_VAR_JIFFIES,
	DIF_VAR_LBOLT,
};

static bool
is_loose(unsigned id)
{
	for (unsigned i = 0; i < BASE_NELEMS(loose); i++)
		if (loose[i] == id)
			return true;
	return false;
}

static struct diff_clause *clauses[BASE_NELEMS(rows)];

static void
add_bvars(struct diff *d)
{
	char text[200];

	for (unsigned i = 0; i < BASE_NELEMS(rows); i++) {
		if (rows[i].id < DIF_VAR_CURTHREAD)
			continue;	/* arrays */
		struct diff_clause *c = diff_clause(d, "%s", rows[i].name);
		clauses[i] = c;
		if (is_loose(rows[i].id))
			diff_loose(c);
		snprintf(text, sizeof(text), "ldgs %s, %%r1\nret %%r1",
			 rows[i].name);
		if (rows[i].size)
			diff_int(c, 8, text);
		else
			diff_str(c, 64, text);
		/* Again, in other registers, after others. */
		c = diff_clause(d, "%s again", rows[i].name);
		if (is_loose(rows[i].id))
			diff_loose(c);
		snprintf(text, sizeof(text), "ldgs pid, %%r1\nldgs %s, %%r2\n"
			 "ldgs %s, %%r5\nmov %%r5, %%r1\nret %%r1",
			 rows[i].name, rows[i].name);
		if (rows[i].size)
			diff_int(c, 8, text);
		else
			diff_str(c, 64, text);
	}
}

static uint64_t
value(struct diff *d, unsigned id)
{
	for (unsigned i = 0; i < BASE_NELEMS(rows); i++) {
		const struct number *n;
		if (rows[i].id != id || !clauses[i])
			continue;
		n = diff_recorded(d, clauses[i]);
		if (n)
			return n->v;
		printf("# %s: nothing recorded\n", rows[i].name);
	}
	return 0;
}

static unsigned
must(bool ok, const char *what)
{
	if (!ok)
		printf("# %s\n", what);
	return !ok;
}

static unsigned
check_loose(struct diff *d)
{
	uint64_t before, after, ts = value(d, DIF_VAR_TIMESTAMP);
	unsigned bad = 0;

	diff_times(d, &before, &after);
	bad += must(ts >= before && ts <= after, "timestamp out of range");
	bad += must(value(d, DIF_VAR_WALLTIMESTAMP) - before >= DIFF_WALL_DELTA,
		    "walltimestamp is not ahead");
	bad += must(value(d, DIF_VAR_VTIMESTAMP) == 0,
		    "vtimestamp goes on without a session to watch switches");
	bad += must(value(d, DIF_VAR_CURTHREAD) >> 47 == 0x1ffff,
		    "curthread is no kernel address");
	bad += must(value(d, DIF_VAR_STACKDEPTH) >= 1 &&
		    value(d, DIF_VAR_STACKDEPTH) <= 127, "stackdepth");
	bad += must(value(d, DIF_VAR_CALLER) >> 47 == 0x1ffff, "caller");
	bad += must(value(d, DIF_VAR_USTACKDEPTH) <= 127, "ustackdepth");
	bad += must(value(d, DIF_VAR_UCALLER) >> 47 == 0, "ucaller");
	bad += must(value(d, DIF_VAR_KVARS) >> 47 == 0x1ffff, "__kvars");
	bad += must(value(d, DIF_VAR_JIFFIES) > 0, "__jiffies");
	bad += must(value(d, DIF_VAR_LBOLT) == ts / 10000000, "__lbolt");
	return bad;
}

static const struct diff_args args[] = {
	{ { 0 } },
	{ { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 } },
	{ { UINT64_MAX, 1ULL << 63, 1ULL << 32, 0xffffffff, 0x80000000,
	    INT64_MAX, 0, 1, 2, (uint64_t)-2 } },
	{ { 0, 0, 0, 0, 0, 0, 0, 0, 0, (uint64_t)-4095 } },
	{ { 0, 0, 0, 0, 0, 0, 0, 0, 0, (uint64_t)-4096 } },
	{ { 0, 0, 0, 0, 0, 0, 0, 0, 0, (uint64_t)-1 } },
	{ { 0, 0, 0, 0, 0, 0, 0, 0, 0, 4095 } },
};

static unsigned
test_all(void)
{
	struct diff *d = diff_new(64);

	memset(clauses, 0, sizeof(clauses));
	add_bvars(d);
	diff_batch(d, 100);
	unsigned bad = diff_run(d, args, BASE_NELEMS(args));
	bad += check_loose(d);
	diff_free(d);
	return bad;
}

/* errno only: arguments are seen as -1 when they are errors. */
static unsigned
test_errno(void)
{
	struct diff *d = diff_new(64);

	diff_errno(d);
	diff_int(diff_clause(d, "errno"), 8, "ldgs errno, %r1\nret %r1");
	diff_int(diff_clause(d, "errno, 4 bytes"), 4,
		 "ldgs errno, %r3\nret %r3");
	return diff_finish(d, args, BASE_NELEMS(args));
}

/* args[i], i constant or not, in range or not. */
static unsigned
test_args(void)
{
	static const uint64_t indices[] = {
		0, 1, 8, 9, 10, 11, 63, 64, 1ULL << 32, 1ULL << 61, 1ULL << 63,
		UINT64_MAX, INT64_MAX, UINT64_MAX - 8,
	};
	struct diff *d = diff_new(64);
	struct diff_args index[BASE_NELEMS(indices)];
	char text[200];

	for (unsigned i = 0; i < BASE_NELEMS(indices); i++) {
		index[i] = (struct diff_args){ { indices[i], 11, 22, 33, 44,
						 55, 66, 77, 88, 99 } };
		snprintf(text, sizeof(text), "setx %" PRIu64 ", %%r1\n"
			 "ldga args, %%r1, %%r4\nret %%r4", indices[i]);
		diff_int(diff_clause(d, "args[%#" PRIx64 "]", indices[i]), 8,
			 text);
	}
	diff_int(diff_clause(d, "args[unknown]"), 8,
		 "ldgs arg0, %r5\nldga args, %r5, %r5\nret %r5");
	diff_int(diff_clause(d, "args[%%r0]"), 8,
		 "ldga args, %r0, %r1\nret %r1");
	struct diff_clause *c = diff_clause(d, "uregs, known or not");
	diff_loose(c);
	diff_int(c, 8, "ldgs arg0, %r5\nldga uregs, %r5, %r5\nret %r5");
	return diff_finish(d, index, BASE_NELEMS(index));
}

static unsigned
test_uregs(void)
{
	/* Order of struct pt_regs: what bpf(BPF_PROG_TEST_RUN) was called
	 * with. */
	static const struct { unsigned i; uint64_t want; } known[] = {
		{ 15, SYS_bpf }, { 14, 10 }, { 17, 0x33 }, { 20, 0x2b },
	};
	struct diff *d = diff_new(64);
	struct diff_clause *c[BASE_NELEMS(known)];
	char text[200];
	unsigned bad;

	for (unsigned i = 0; i < BASE_NELEMS(known); i++) {
		c[i] = diff_clause(d, "uregs[%u]", known[i].i);
		diff_loose(c[i]);
		snprintf(text, sizeof(text), "setx %u, %%r1\n"
			 "ldga uregs, %%r1, %%r4\nret %%r4", known[i].i);
		diff_int(c[i], 8, text);
	}
	bad = diff_run_once(d);
	for (unsigned i = 0; i < BASE_NELEMS(known); i++) {
		const struct number *n = diff_recorded(d, c[i]);
		if (n && n->v == known[i].want)
			continue;
		printf("# uregs[%u] is %#" PRIx64 "\n", known[i].i,
		       n ? n->v : 0);
		bad++;
	}
	diff_free(d);
	return bad;
}

int
main(void)
{
	static const struct diff_test tests[] = {
		{ "all", test_all },
		{ "errno", test_errno },
		{ "args", test_args },
		{ "uregs", test_uregs },
	};

	return diff_main(tests, BASE_NELEMS(tests));
}
