/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The option flowindent: each step is a firing, and what its row must show.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/base.h"
#include "fmtworld.h"
#include "util/alloc.h"

static const struct { const char *prov, *func, *name; } probes[] = {
	{ "syscall", "read", "entry" }, { "syscall", "read", "return" },
	{ "syscall", "exit_group", "entry" },
	{ "fbt", "f", "entry" }, { "fbt", "f", "return" },
	{ "fbt", "g", "entry" }, { "fbt", "g", "return" },
	{ "tick", "", "tick-1s" },
	{ "fbt", "read", "entry" }, { "fbt", "read", "return" },
	{ "ruby7", "enter", "method-entry" }, { "ruby7", "leave", "method-return" },
	{ "ruby7", "enter", "gc-entry" }, { "ruby8", "leave", "method-return" },
	{ "ruby7", "enter", "carpentry" }, { "ruby7", "enter", "-entry" },
};
enum { READ, READ_RET, EXIT, F, F_RET, G, G_RET, TICK, FREAD, FREAD_RET,
       METHOD, METHOD_RET, GC, METHOD_RET_8, CARPENTRY, NO_STEM, NPROBES, AGAIN = 64, ON_CPU_1 = 128 };

struct step {
	int what;	/* AGAIN: another clause of the firing before */
	const char *want;
};

static const struct step nested[] = {
	{ READ, "=> read" }, { F, "  -> f" }, { G, "    -> g" },
	{ TICK, "      | :tick-1s" }, { G_RET, "    <- g" },
	{ F_RET, "  <- f" }, { READ_RET, "<= read" }, { TICK, "| :tick-1s" },
	{ -1, NULL },
};

static const struct step recursive[] = {
	{ F, "-> f" }, { F, "  -> f" }, { F_RET, "  <- f" }, { F_RET, "<- f" },
	{ -1, NULL },
};

static const struct step clauses[] = {
	{ F, "-> f" }, { F | AGAIN, "  | f:entry" }, { F | AGAIN,
	  "  | f:entry" }, { F_RET, "<- f" }, { F_RET | AGAIN, "| f:return" },
	{ -1, NULL },
};

/* Returns without a call, calls without a return. */
static const struct step strays[] = {
	{ F_RET, "<- f" }, { READ, "=> read" }, { G_RET, "  <- g" },
	{ F, "  -> f" }, { READ_RET, "<= read" }, { F_RET, "<- f" },
	{ EXIT, "=> exit_group" }, { F, "-> f" }, { F_RET, "<- f" },
	{ -1, NULL },
};

/* Two functions of one name. */
static const struct step providers[] = {
	{ READ, "=> read" }, { FREAD, "  -> read" }, { READ_RET, "<= read" },
	{ FREAD_RET, "<- read" }, { READ, "=> read" }, { FREAD, "  -> read" },
	{ FREAD_RET, "  <- read" }, { READ_RET, "<= read" },
	{ -1, NULL },
};

/* Entry and return by their stems, wherever they are. */
static const struct step stems[] = {
	{ METHOD, "-> enter" }, { METHOD, "  -> enter" },
	{ CARPENTRY, "    | enter:carpentry" }, { METHOD_RET_8, "    <- leave" },
	{ GC, "    -> enter" }, { METHOD_RET, "  <- leave" },
	{ READ, "  => read" }, { METHOD_RET, "<- leave" },
	{ NO_STEM, "-> enter" }, { METHOD_RET, "  <- leave" },
	{ -1, NULL },
};

static const struct step cpus[] = {
	{ F, "-> f" }, { F | ON_CPU_1, "-> f" }, { G, "  -> g" },
	{ F_RET | ON_CPU_1, "<- f" }, { G_RET, "  <- g" }, { F_RET, "<- f" },
	{ F_RET, "<- f" },
	{ -1, NULL },
};

struct flow_world {
	struct fw *w;
	uint32_t probes[NPROBES];
	struct rm_clause *clauses[4];	/* of one firing, in turn */
	uint32_t epids[NPROBES][4];
	unsigned long fail;		/* the allocation to fail */
	bool failed;			/* it did */
};

static void
open_world(struct flow_world *x)
{
	x->w = fw_new();
	for (int i = 0; i < NPROBES; i++)
		x->probes[i] = rm_probe(x->w->m, probes[i].prov, "",
					probes[i].func, probes[i].name);
	for (int i = 0; i < 4; i++)
		x->clauses[i] = rm_clause(x->w->m, 0);
	x->w->opts.v[OPT_FLOWINDENT] = 1;
	fw_open(x->w);
}

static void
fire(struct flow_world *x, int what, int nth)
{
	struct fw *w = x->w;
	int probe = what & 63;
	uint32_t *epid = &x->epids[probe][nth];

	if (!*epid)
		*epid = rm_epid(w->m, x->probes[probe], x->clauses[nth]);
	w->clock += !(what & AGAIN);
	rm_record(w->m, !!(what & ON_CPU_1), w->clock, *epid);
}

static void
check(const struct step *steps)
{
	struct flow_world x = { .w = NULL };
	char want[4096];
	int n = snprintf(want, sizeof(want), "CPU %-41s\n", "FUNCTION");
	int nth = 0;

	open_world(&x);
	for (const struct step *s = steps; s->want; s++) {
		char column[64];
		nth = s->what & AGAIN ? nth + 1 : 0;
		fire(&x, s->what, nth);
		snprintf(column, sizeof(column), " %s", s->want);
		n += snprintf(want + n, sizeof(want) - (size_t)n,
			      "%3d %-41s \n", !!(s->what & ON_CPU_1), column);
	}
	fw_run(x.w);
	fw_expect(x.w, want);
	fw_free(x.w);
}

static void test_nested(void **state) { check(nested); }
static void test_recursive(void **state) { check(recursive); }
static void test_clauses(void **state) { check(clauses); }
static void test_strays(void **state) { check(strays); }
static void test_providers(void **state) { check(providers); }
static void test_stems(void **state) { check(stems); }
static void test_cpus(void **state) { check(cpus); }

/* Calls without end: the column grows up to a limit and holds. */
static void
test_deep(void **state)
{
	struct flow_world x = { .w = NULL };

	open_world(&x);
	for (int i = 0; i < 1000; i++)
		fire(&x, F, 0);
	fire(&x, F_RET, 0);
	fw_run(x.w);
	const char *last = strrchr(x.w->out, '<');
	assert_non_null(last);
	while (last > x.w->out && last[-1] != '\n')
		last--;
	assert_int_equal(strspn(last + 3, " "), 2 + 2 * 99);
	fw_free(x.w);
}

/* Of more calls than are kept the outermost are forgotten: it returns from nowhere, and
 * the others from where they are. */
static void
test_forgotten(void **state)
{
	struct flow_world x = { .w = NULL };
	enum { KEPT = 100 };

	open_world(&x);
	fire(&x, READ, 0);
	for (int i = 0; i < KEPT; i++)
		fire(&x, F, 0);
	for (int i = 0; i < KEPT; i++)
		fire(&x, F_RET, 0);
	fire(&x, READ_RET, 0);
	fw_run(x.w);
	char *line = x.w->out;
	for (int i = 0; i < 1 + 1 + KEPT; i++)
		line = strchr(line, '\n') + 1;
	for (int i = KEPT - 1; i >= 0; i--, line = strchr(line, '\n') + 1) {
		size_t blanks = strspn(line + 3, " ");
		assert_int_equal(blanks, 2 + 2 * i);
		assert_memory_equal(line + 3 + blanks, "<- f", 4);
	}
	assert_memory_equal(line, "  0  <= read", 12);
	fw_free(x.w);
}

/* What is recorded follows; what is quiet has no column. */
static void
test_records(void **state)
{
	struct flow_world x = { .w = NULL };

	open_world(&x);
	rm_action(x.clauses[0], ABI_ACT_DIFEXPR, NULL);
	rm_field(x.clauses[0], ABI_FIELD_INT, 4, true);
	fire(&x, F, 0);
	fw_run(x.w);
	fw_expect(x.w, "CPU FUNCTION                                 \n"
		       "  0  -> f                                             0\n");
	x.w->opts.v[OPT_QUIET] = 1;
	fire(&x, F_RET, 0);
	fw_run(x.w);
	fw_expect(x.w, "0");
	fw_free(x.w);
}

/* A record that fails is not told, but it has been a call all the same. */
static struct err *
print_short(void *ctx, const struct consume_event *e)
{
	struct flow_world *x = ctx;
	struct err *err;

	util_alloc_fail(e->timestamp == 1 ? x->fail : 0, 0);
	err = fmt_record(x->w->f, e);
	util_alloc_fail(0, 0);
	assert_true(!err || err == &err_nomem);
	x->failed |= err != NULL;
	return NULL;
}

static void
test_no_memory(void **state)
{
	struct flow_world x = { .failed = true };

	for (unsigned long n = 1; x.failed; n++) {
		x = (struct flow_world){ .fail = n };
		open_world(&x);
		fire(&x, F, 0);
		fire(&x, F_RET, 0);
		assert_null(consume_pass(x.w->c, true, true, print_short, &x));
		assert_null(fmt_flush(x.w->f));
		assert_non_null(strstr(x.w->out, "\n  0  <- f   "));
		assert_int_equal(!strstr(x.w->out, "-> f"), x.failed);
		fw_free(x.w);
		assert_true(n < 100);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_recursive),
		cmocka_unit_test(test_clauses),
		cmocka_unit_test(test_strays),
		cmocka_unit_test(test_providers),
		cmocka_unit_test(test_stems),
		cmocka_unit_test(test_cpus),
		cmocka_unit_test(test_deep),
		cmocka_unit_test(test_forgotten),
		cmocka_unit_test(test_records),
		cmocka_unit_test(test_no_memory),
	};

	return cmocka_run_group_tests_name("fmt-flow", tests, NULL, NULL);
}
