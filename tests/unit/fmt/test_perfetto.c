/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Time lines of firings that are made up.
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

#define HEAD "{\"displayTimeUnit\":\"ns\",\"traceEvents\":["
#define TAIL "\n]}\n"

struct line {
	struct fw *w;
	struct rm_clause *cl;		/* prints a number, and says who */
	uint32_t epid[4];		/* f:entry f:return g:entry g:return */
	uint64_t now;
};

static struct line
new_line(void)
{
	static const char *const names[] = { "entry", "return" };
	struct line l = { .w = fw_new() };

	l.w->opts.v[OPT_OFORMAT] = OPT_OFORMAT_PERFETTO;
	l.w->opts.v[OPT_QUIET] = 1;
	l.cl = rm_clause(l.w->m, 0);
	rm_action(l.cl, ABI_ACT_DIFEXPR, NULL);
	rm_field(l.cl, ABI_FIELD_INT, 4, true);
	rm_who(l.cl);
	for (unsigned i = 0; i < 4; i++)
		l.epid[i] = rm_epid(l.w->m, rm_probe(l.w->m, "p", "m",
			i < 2 ? "f" : "g", names[i & 1]), l.cl);
	return l;
}

/* Thread tid of process 7 fires, a microsecond after the last one. */
static void
fire(struct line *l, unsigned probe, int tid, int number)
{
	struct abi_record *r = rm_record(l->w->m, 0, l->now += 1000,
					 l->epid[probe]);

	rm_set_int(l->w->m, r, 0, number);
	rm_set_who(l->w->m, r, 7, tid, "a\"b");
}

static void
run(struct line *l)
{
	fw_open(l->w);
	fw_run(l->w);
	fw_end(l->w);
}

#define NAME(what, tid) "\n{\"ph\":\"M\",\"ts\":0.000,\"pid\":7,\"tid\":" tid \
	",\"name\":\"" what "_name\",\"args\":{\"name\":\"a\\\"b\"}}"
#define POINT(ts, tid, name, out) "\n{\"ph\":\"i\",\"ts\":" ts ",\"pid\":7," \
	"\"tid\":" tid ",\"name\":\"" name "\",\"cat\":\"p\",\"s\":\"t\"," \
	"\"args\":{\"cpu\":0,\"output\":\"" out "\"}}"
#define SLICE(ts, dur, tid, name, in, out) "\n{\"ph\":\"X\",\"ts\":" ts \
	",\"pid\":7,\"tid\":" tid ",\"dur\":" dur ",\"name\":\"" name "\"," \
	"\"cat\":\"p\",\"args\":{\"cpu\":0,\"entry\":\"" in "\"," \
	"\"return\":\"" out "\"}}"

/* A call within a call; another thread's does not get between. */
static void
test_slices(void **state)
{
	struct line l = new_line();

	fire(&l, 0, 7, 1);
	fire(&l, 2, 7, 2);
	fire(&l, 1, 8, 3);
	fire(&l, 3, 7, 4);
	fire(&l, 1, 7, 5);
	run(&l);
	fw_expect(l.w, HEAD NAME("thread", "7") "," NAME("process", "7") ","
		  NAME("thread", "8") ","
		  POINT("3.000", "8", "f:return", "3") ","
		  SLICE("2.000", "2.000", "7", "g", "2", "4") ","
		  SLICE("1.000", "4.000", "7", "f", "1", "5") TAIL);
	fw_free(l.w);
}

/* A return goes over calls that have lost theirs; what is open at the end is a
 * point, and so is a return without a call. */
static void
test_lost(void **state)
{
	struct line l = new_line();

	fire(&l, 0, 7, 1);
	fire(&l, 2, 7, 2);
	fire(&l, 1, 7, 3);
	fire(&l, 3, 7, 4);
	fire(&l, 2, 7, 5);
	run(&l);
	fw_expect(l.w, HEAD NAME("thread", "7") "," NAME("process", "7") ","
		  POINT("2.000", "7", "g:entry", "2") ","
		  SLICE("1.000", "2.000", "7", "f", "1", "3") ","
		  POINT("4.000", "7", "g:return", "4") ","
		  POINT("5.000", "7", "g:entry", "5") TAIL);
	fw_free(l.w);
}

/* Two clauses of each firing; f calls itself. */
static void
test_clauses(void **state)
{
	static const unsigned probes[] = { 0, 0, 1, 1 };
	struct line l = new_line();

	for (int i = 0; i < 8; i++) {
		fire(&l, probes[i / 2], 7, i);
		l.now -= i % 2 ? 0 : 1000;
	}
	run(&l);
	fw_expect(l.w, HEAD NAME("thread", "7") "," NAME("process", "7") ","
		  POINT("1.000", "7", "f:entry", "1") ","
		  POINT("2.000", "7", "f:entry", "3") ","
		  SLICE("2.000", "1.000", "7", "f", "2", "4") ","
		  POINT("3.000", "7", "f:return", "5") ","
		  SLICE("1.000", "3.000", "7", "f", "0", "6") ","
		  POINT("4.000", "7", "f:return", "7") TAIL);
	fw_free(l.w);
}

#define GLOBAL(ts, name, cpu, message) "\n{\"ph\":\"i\",\"ts\":" ts ",\"pid\":0," \
	"\"tid\":0,\"name\":\"" name "\",\"s\":\"g\",\"args\":{\"cpu\":" cpu \
	",\"message\":\"" message "\"}}"

/* What went wrong is seen on all lines. */
static void
test_messages(void **state)
{
	struct { struct abi_error_record err; struct abi_who who; } r = {
		.err = { .hdr = { ABI_EPID_ERROR, sizeof(r), 9000 }, .action = 2,
			 .dif_offset = -1, .fault = ABI_FAULT_BADADDR, .value = 16 },
		.who = { 7, 8, "sh" },
	};
	struct line l = new_line();

	r.err.epid = l.epid[0];
	rm_raw(l.w->m, 3, &r, sizeof(r));
	l.w->m->drops[ABI_DROP_PRINCIPAL][2] = 5;
	l.w->m->clock = 50000;
	run(&l);
	fw_expect(l.w, HEAD GLOBAL("9.000", "ERROR", "3", "error on enabled probe ID 1 "
				   "(ID 2: p:m:f:entry): invalid address (0x10) in action #2")
		  "," GLOBAL("50.000", "DROP", "2", "5 drops on CPU 2") TAIL);
	fw_free(l.w);
}

/* What several actions show stands in one text, with blanks between; what shows nothing
 * leaves none.  In a page, too. */
static void
test_cells(void **state)
{
	static const struct { int form; const char *want; } rows[] = {
		{ OPT_OFORMAT_PERFETTO, "\"output\":\"1 <2> 3 <4>\"" },
		{ OPT_OFORMAT_HTML, ">1 &lt;2&gt; 3 &lt;4&gt;<" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct fw *w = fw_new();
		w->opts.v[OPT_OFORMAT] = rows[i].form;
		w->opts.v[OPT_QUIET] = 1;
		struct rm_clause *cl = rm_clause(w->m, 0);
		rm_action(cl, ABI_ACT_FTRUNCATE, NULL);
		for (int n = 0; n < 4; n++) {
			rm_action(cl, n % 2 ? ABI_ACT_PRINTF : ABI_ACT_DIFEXPR,
				  n % 2 ? "<%d>" : NULL);
			rm_field(cl, ABI_FIELD_INT, 4, true);
			rm_action(cl, ABI_ACT_FTRUNCATE, NULL);
		}
		rm_who(cl);
		uint32_t epid = rm_epid(w->m, rm_probe(w->m, "p", "m", "f", "n"), cl);
		struct abi_record *r = rm_record(w->m, 0, 1000, epid);
		for (unsigned n = 0; n < 4; n++)
			rm_set_int(w->m, r, n, n + 1);
		rm_set_who(w->m, r, 7, 7, "x");
		fw_open(w);
		fw_run(w);
		fw_end(w);
		if (!strstr(w->out, rows[i].want))
			fail_msg("%s", w->out);
		fw_free(w);
	}
}

/* Of very many calls the outermost become points, and none is lost. */
static void
test_deep(void **state)
{
	struct line l = new_line();
	unsigned slices = 0, points = 0;

	for (int i = 0; i < 100; i++)
		fire(&l, 0, 7, i);
	for (int i = 0; i < 100; i++)
		fire(&l, 1, 7, i);
	run(&l);
	for (const char *p = l.w->out; (p = strstr(p, "\"ph\":\"")); p++) {
		slices += p[6] == 'X';
		points += p[6] == 'i';
	}
	assert_int_equal(slices, 64);
	assert_int_equal(points, 2 * (100 - 64));
	fw_free(l.w);
}

/* Numbers are curves; histograms are none. */
static void
test_curves(void **state)
{
	struct line l = new_line();
	uint32_t sum = rm_agg(l.w->m, ABI_AGG_SUM, 0, 1);
	uint32_t hist = rm_agg(l.w->m, ABI_AGG_QUANTIZE, 0, 127);
	uint64_t cells[127] = { [70] = 3 };

	rm_key(l.w->m, sum, ABI_FIELD_INT, 4, true);
	rm_sample(l.w->m, sum, &(int){ 5 }, (uint64_t[]){ 30 });
	rm_sample(l.w->m, hist, "", cells);
	fw_fire(l.w, fw_agg_clause(l.w, ABI_ACT_PRINTA, NULL, sum));
	fw_fire(l.w, fw_agg_clause(l.w, ABI_ACT_PRINTA, NULL, hist));
	run(&l);
	fw_expect(l.w, HEAD "\n{\"ph\":\"C\",\"ts\":0.001,\"pid\":0,\"tid\":0,"
		  "\"name\":\"@[5]\",\"args\":{\"value\":30}}" TAIL);
	fw_free(l.w);
}

/* After an error the document is whole, once. */
static void
test_closed(void **state)
{
	struct line l = new_line();

	fire(&l, 0, 8, 1);
	fw_open(l.w);
	fw_run(l.w);
	assert_null(fmt_close(l.w->f));
	fw_expect(l.w, HEAD NAME("thread", "8") ","
		  POINT("1.000", "8", "f:entry", "1") TAIL);
	assert_null(fmt_close(l.w->f));
	assert_int_equal(l.w->len, 0);
	fw_free(l.w);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slices), cmocka_unit_test(test_lost),
		cmocka_unit_test(test_clauses), cmocka_unit_test(test_messages),
		cmocka_unit_test(test_cells), cmocka_unit_test(test_deep),
		cmocka_unit_test(test_curves),
		cmocka_unit_test(test_closed),
	};

	return cmocka_run_group_tests_name("fmt-perfetto", tests, NULL, NULL);
}
