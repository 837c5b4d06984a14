/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Folded stacks and flame graphs of aggregations that are made up.
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

static struct fw *
new_world(enum opt_oformat form)
{
	struct fw *w = fw_new();

	w->opts.v[OPT_OFORMAT] = form;
	return w;
}

struct key {
	char name[8];
	uint64_t user[4], kernel[3];	/* pid and frames; frames */
};

static uint32_t
stack_agg(struct fw *w)
{
	uint32_t agg = rm_agg(w->m, ABI_AGG_COUNT, 0, 1);

	rm_key(w->m, agg, ABI_FIELD_STRING, 8, false);
	rm_key(w->m, agg, ABI_FIELD_USTACK, 32, false);
	rm_key(w->m, agg, ABI_FIELD_STACK, 24, false);
	return agg;
}

/* The kernel's frames stand on the user's, and these on the other keys. */
static void
test_folded(void **state)
{
	static const struct key keys[] = {
		{ "sh", { 7, 0x30, 0x20, 0x10 }, { 0x99, 0x88 } },
		{ "a;b", { 7 }, { 0x99 } },
	};
	struct fw *w = new_world(OPT_OFORMAT_FOLDED);
	uint32_t agg = stack_agg(w);

	rm_sample(w->m, agg, &keys[0], (uint64_t[]){ 3 });
	rm_sample(w->m, agg, &keys[1], (uint64_t[]){ 5 });
	fw_fire(w, rm_clause(w->m, 0));
	fw_open(w);
	fw_run(w);
	assert_null(consume_snapshot(w->c));
	fw_end(w);
	fw_expect(w, "sh;0x10;0x20;0x30;0x88;0x99 3\na:b;0x99 5\n");
	fw_free(w);
}

/* Not by strstr(): with sanitizers that looks for the end of the text each time. */
static unsigned
count(const char *text, const char *what)
{
	size_t size = strlen(what);
	unsigned n = 0;

	for (; (text = strchr(text, *what)); text++)
		n += !strncmp(text, what, size);
	return n;
}

static void
test_flames(void **state)
{
	static const struct key keys[] = {
		{ "<&\">", { 7, 0x30, 0x10 }, { 0 } },
		{ "<&\">", { 7, 0x20, 0x10 }, { 0 } },
	};
	struct fw *w = new_world(OPT_OFORMAT_FLAMEGRAPH);
	uint32_t agg = stack_agg(w);

	rm_sample(w->m, agg, &keys[0], (uint64_t[]){ 1 });
	rm_sample(w->m, agg, &keys[1], (uint64_t[]){ 3 });
	fw_open(w);
	assert_null(consume_snapshot(w->c));
	fw_end(w);
	/* in order of name, behind the one that they stand on */
	assert_int_equal(count(w->out, "<g "), 5);
	assert_non_null(strstr(w->out, "<g data-x=\"0\" data-w=\"1\" "
			       "data-d=\"1\"><title>&lt;&amp;&quot;&gt; "));
	assert_non_null(strstr(w->out, "<g data-x=\"0\" data-w=\"0.75\" "
			       "data-d=\"3\"><title>0x20 "));
	assert_non_null(strstr(w->out, "<g data-x=\"0.75\" data-w=\"0.25\" "
			       "data-d=\"3\"><title>0x30 "));
	fw_free(w);
}

/* How much it is, of what, and of which time: a sum is no number of samples. */
static void
test_facts(void **state)
{
	static const struct {
		enum abi_agg_func func;
		uint64_t value, begun, now;
		const char *want;
	} rows[] = {
		{ ABI_AGG_COUNT, 1, 0, 0, ">1 sample</p>" },
		{ ABI_AGG_COUNT, 2, 0, 0, ">2 samples</p>" },
		{ ABI_AGG_SUM, 1, 0, 0, ">1 in all</p>" },
		{ ABI_AGG_SUM, 70, 0, 0, ">70 in all</p>" },
		{ ABI_AGG_COUNT, 3, 1000000000, 3500000000, ">3 samples, 2.5 s from " },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct fw *w = new_world(OPT_OFORMAT_FLAMEGRAPH);
		uint32_t agg = rm_agg(w->m, rows[i].func, 0, 1);
		rm_sample(w->m, agg, "", &rows[i].value);
		fw_open(w);
		fmt_set_program(w->f, "BEGIN", rows[i].begun);
		fmt_set_clock(w->f, rows[i].now, 0);
		assert_null(consume_snapshot(w->c));
		fw_end(w);
		if (!strstr(w->out, rows[i].want))
			fail_msg("row %zu: %.2000s", i, w->out);
		fw_free(w);
	}
}

/* Of very many frames the narrow ones are left out, and that is said. */
static void
test_many(void **state)
{
	struct fw *w = new_world(OPT_OFORMAT_FLAMEGRAPH);
	uint32_t agg = rm_agg(w->m, ABI_AGG_SUM, 0, 1);

	rm_key(w->m, agg, ABI_FIELD_INT, 4, true);
	for (int i = 1; i <= 30000; i++)
		rm_sample(w->m, agg, &i, (uint64_t[]){ (uint64_t)i });
	fw_open(w);
	assert_null(consume_snapshot(w->c));
	fw_end(w);
	assert_int_equal(count(w->out, "<g "), 20001);
	assert_non_null(strstr(w->out, "<p class=\"dim\">10000 frames"));
	fw_free(w);
}

/* After an error there is a page of what there was until then, once. */
static void
test_closed(void **state)
{
	for (int form = OPT_OFORMAT_FLAMEGRAPH; form <= OPT_OFORMAT_HTML; form++) {
		struct fw *w = new_world((enum opt_oformat)form);
		uint32_t agg = rm_agg(w->m, ABI_AGG_COUNT, 0, 1);
		rm_sample(w->m, agg, "", (uint64_t[]){ 3 });
		fw_fire(w, fw_agg_clause(w, ABI_ACT_PRINTA, NULL, agg));
		fw_open(w);
		fw_run(w);
		assert_null(fmt_close(w->f));
		assert_non_null(strstr(w->out, "@"));
		assert_string_equal(w->out + w->len - 15, "</body></html>\n");
		w->len = 0;
		assert_null(fmt_close(w->f));
		assert_int_equal(w->len, 0);
		fw_free(w);
	}
}

/* Very many, very long events and keys: a page takes only so much. */
static void
test_large_page(void **state)
{
	struct fw *w = new_world(OPT_OFORMAT_HTML);
	struct rm_clause *cl = rm_clause(w->m, 0);
	uint32_t agg = rm_agg(w->m, ABI_AGG_COUNT, 0, 1);
	char text[6000], key[6000];

	memset(text, '&', sizeof(text));
	rm_action(cl, ABI_ACT_DIFEXPR, NULL);
	rm_field(cl, ABI_FIELD_STRING, 6000, false);
	rm_key(w->m, agg, ABI_FIELD_STRING, 6000, false);
	uint32_t epid = rm_epid(w->m, w->probe, cl);
	for (int i = 1; i <= 1500; i++) {
		struct abi_record *r = rm_record(w->m, 0, (uint64_t)i, epid);
		rm_set_bytes(w->m, r, 0, text, sizeof(text));
		memset(key, '<', sizeof(key));
		snprintf(key, sizeof(key), "%d", i);
		key[strlen(key)] = '<';
		rm_sample(w->m, agg, key, (uint64_t[]){ (uint64_t)i });
	}
	fw_open(w);
	fw_run(w);
	assert_null(consume_snapshot(w->c));
	fw_end(w);
	assert_true(w->len > 8 << 20 && w->len < 20 << 20);
	assert_non_null(strstr(w->out, "more are less"));
	assert_non_null(strstr(w->out, "Events (1\xe2\x80\xaf" "500)"));
	assert_non_null(strstr(w->out, "Only the first 4"));
	fw_free(w);
}

/* What was lost says when, from what came first, and of which CPU if it is of one. */
static void
test_losses(void **state)
{
	struct fw *w = new_world(OPT_OFORMAT_HTML);
	uint32_t agg = rm_agg(w->m, ABI_AGG_COUNT, 0, 1);

	rm_sample(w->m, agg, "", (uint64_t[]){ 3 });
	fw_open(w);
	for (unsigned i = 1; i <= 2; i++) {
		w->m->clock = i * 1500000000;
		w->m->drops[ABI_DROP_PRINCIPAL][2] = 5 * i;
		w->m->drops[ABI_DROP_DYNAMIC][0] = i;
		fw_run(w);
	}
	fw_end(w);
	for (unsigned i = 0; i <= 1; i++) {
		char row[128];
		snprintf(row, sizeof(row), "<tr><td class=\"n\">%s</td>"
			 "<td class=\"n\">2</td><td>5 drops on CPU 2</td></tr>",
			 i ? "1.500000" : "0.000000");
		assert_non_null(strstr(w->out, row));
		snprintf(row, sizeof(row), "<tr><td class=\"n\">%s</td>"
			 "<td class=\"n\"></td><td>1 dynamic variable drop</td></tr>",
			 i ? "1.500000" : "0.000000");
		assert_non_null(strstr(w->out, row));
	}
	fw_free(w);
}

/* Each event says when it was, from what came first: an event, or a loss. */
static void
test_times(void **state)
{
	static const char *const rows[] = {
		"<tr><td class=\"n\">0.000000</td><td class=\"n\">0</td>",
		"<tr><td class=\"n\">0.500000</td><td class=\"n\">0</td>",
		"<tr><td class=\"n\">2.000001</td><td class=\"n\">0</td>",
	};
	static const uint64_t at[] = { 5000000000, 5500000000, 7000001000 };
	struct fw *w = new_world(OPT_OFORMAT_HTML);
	struct rm_clause *cl = rm_clause(w->m, 0);
	const char *text;

	rm_action(cl, ABI_ACT_DIFEXPR, NULL);
	rm_field(cl, ABI_FIELD_INT, 4, true);
	uint32_t epid = rm_epid(w->m, w->probe, cl);
	for (size_t i = 0; i < BASE_NELEMS(at); i++)
		rm_record(w->m, 0, at[i], epid);
	fw_open(w);
	fw_run(w);
	fw_end(w);
	text = w->out;
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		text = strstr(text, rows[i]);
		assert_non_null(text);
	}
	fw_free(w);
}

/* Of very many losses the last are only counted. */
static void
test_many_losses(void **state)
{
	static const struct { unsigned n, rows; const char *more; } rows[] = {
		{ 0, 0, NULL }, { 999, 999, NULL }, { 1000, 1000, NULL },
		{ 1001, 1000, "<p>1 more</p>" }, { 1500, 1000, "<p>500 more</p>" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct fw *w = new_world(OPT_OFORMAT_HTML);
		uint32_t agg = rm_agg(w->m, ABI_AGG_COUNT, 0, 1);
		rm_sample(w->m, agg, "", (uint64_t[]){ 3 });
		fw_open(w);
		for (unsigned n = 1; n <= rows[i].n; n++) {
			w->m->drops[ABI_DROP_DYNAMIC][0] = n;
			fw_run(w);
		}
		fw_end(w);
		assert_int_equal(count(w->out, "1 dynamic variable drop<"), rows[i].rows);
		assert_int_equal(count(w->out, "What went wrong"), rows[i].n != 0);
		assert_int_equal(count(w->out, " more</p>"), rows[i].more != NULL);
		if (rows[i].more)
			assert_non_null(strstr(w->out, rows[i].more));
		fw_free(w);
	}
}

/* Without memory: an error, and nothing else. */
static void
test_no_memory(void **state)
{
	static const struct key key = { "sh", { 7, 0x30 }, { 0x99 } };

	for (int form = OPT_OFORMAT_FOLDED; form < OPT_OFORMAT_N; form++) {
		bool done = false;
		for (unsigned long n = 1; !done; n++) {
			struct fw *w = new_world((enum opt_oformat)form);
			uint32_t agg = stack_agg(w);
			rm_sample(w->m, agg, &key, (uint64_t[]){ 1 });
			fw_fire(w, fw_agg_clause(w, ABI_ACT_PRINTA, NULL, agg));
			fw_fire(w, fw_agg_clause(w, ABI_ACT_CLEAR, NULL, agg));
			util_alloc_fail(n, 0);
			struct err *e = fw_try_open(w);
			if (!e)
				e = fw_try_run(w);
			if (!e)
				e = fmt_end(w->f);
			util_alloc_fail(0, 0);
			done = !e;
			err_free(e);
			fw_free(w);
		}
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_folded),
		cmocka_unit_test(test_flames),
		cmocka_unit_test(test_facts),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_closed),
		cmocka_unit_test(test_large_page),
		cmocka_unit_test(test_losses),
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_many_losses),
		cmocka_unit_test(test_no_memory),
	};

	return cmocka_run_group_tests_name("fmt-picture", tests, NULL, NULL);
}
