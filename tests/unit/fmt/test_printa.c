/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Aggregations: printa(), what changes them, and what is printed at the end.
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

static const uint64_t one = 1;

/* The rows of talk 004, slide "Userland Tracing": by count, then by name. */
static void
test_talk_counts(void **state)
{
	static const struct { const char *name; uint64_t n; } counts[] = {
		{ "strncmp", 252 }, { "free", 104 }, { "mbrtowc", 76 },
		{ "memset", 69 }, { "memcpy", 119 }, { "__free", 104 },
		{ "wcrtomb", 76 },
	};
	struct fw *w = fw_new();
	uint32_t id = rm_agg(w->m, ABI_AGG_COUNT, 0, 1);

	rm_key(w->m, id, ABI_FIELD_STRING, 16, false);
	fw_open(w);
	for (size_t i = 0; i < BASE_NELEMS(counts); i++) {
		char key[16] = { 0 };
		memcpy(key, counts[i].name, strlen(counts[i].name));
		assert_null(consume_agg_add(w->c, id, key, &counts[i].n));
	}
	fw_end(w);
	fw_expect(w, "\n"
"  memset                                                           69\n"
"  mbrtowc                                                          76\n"
"  wcrtomb                                                          76\n"
"  __free                                                          104\n"
"  free                                                            104\n"
"  memcpy                                                          119\n"
"  strncmp                                                         252\n");
	fw_free(w);
}

/* Keys of every kind side by side, a stack with its value below, a histogram
 * with its blank line. */
static void
test_tuples(void **state)
{
	struct fw *w = fw_new();
	uint32_t a = rm_agg(w->m, ABI_AGG_SUM, 0, 1);
	uint32_t b = rm_agg(w->m, ABI_AGG_COUNT, 0, 1);
	uint32_t h = rm_agg(w->m, ABI_AGG_QUANTIZE, 0, 127);
	struct { uint32_t probe; int32_t n; char s[4]; } key = { 1, 9, "x" };
	uint64_t sum = (uint64_t)-3, cells[127] = { [64] = 2 };

	rm_key(w->m, a, ABI_FIELD_PROBE, 4, false);
	w->m->keys[0][0].sub = ABI_PART_NAME;
	rm_key(w->m, a, ABI_FIELD_INT, 4, true);
	rm_key(w->m, a, ABI_FIELD_STRING, 4, false);
	rm_key(w->m, b, ABI_FIELD_STACK, 16, false);
	rm_key(w->m, h, ABI_FIELD_INT, 4, true);
	fw_open(w);
	assert_null(consume_agg_add(w->c, a, &key, &sum));
	assert_null(consume_agg_add(w->c, b, (uint64_t[]){ 16, 17 }, &one));
	assert_null(consume_agg_add(w->c, h, &key.n, cells));
	fw_end(w);
	fw_expect(w, "\n"
"  name                                                      9  x"
"                                                                -3\n"
"\n"
"              0x10\n"
"              0x11\n"
"                1\n"
"        9\n"
"           value  ------------- Distribution ------------- count    \n"
"               0 |                                         0        \n"
"               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 2        \n"
"               2 |                                         0        \n"
"\n");
	fw_free(w);
}

/* At the end: a newline always, then what no printa() showed, by id. */
static void
test_end(void **state)
{
	struct fw *w = fw_new();
	uint32_t ids[3];

	for (int i = 0; i < 3; i++)
		ids[i] = rm_agg(w->m, ABI_AGG_COUNT, 0, 1);
	w->opts.v[OPT_QUIET] = 1;
	fw_open(w);
	fw_end(w);
	fw_expect(w, "\n");
	for (uint64_t i = 0; i < 3; i++) {
		uint64_t n = 10 - i;
		assert_null(consume_agg_add(w->c, ids[i], "", &n));
	}
	fw_fire(w, fw_agg_clause(w, ABI_ACT_PRINTA, "%@d;", ids[1]));
	fw_run(w);
	fw_expect(w, "9;");
	fw_end(w);
	fw_expect(w, "\n"
"               10\n"
"                8\n");
	fw_free(w);
}

/* One aggregation keyed by (string, int): what formats make of it. */
static void
test_printa(void **state)
{
	static const struct {
		const char *format;
		bool quiet;
		const char *want;
	} rows[] = {
		{ NULL, true, "\n"
"  b                                                         7                2\n"
"  a                                                         5               10\n"
		},
		{ NULL, false, HEADER ROW "\n"
"  b                                                         7                2\n"
"  a                                                         5               10\n"
"\n" },
		{ "%s/%d=%@d\n", true, "b/7=2\na/5=10\n" },
		{ "%s/%d=%@d ", false, HEADER ROW "b/7=2 a/5=10 \n" },
		{ "%@d,", true, "2,10," },
		{ "%s %s|", true, "b 7|a 5|" },
		{ "%@d %s,", true, "2 b,10 a," },
		{ "%@d %@d,", true, "2 2,10 10," },	/* the last again */
		{ "[%5@d]", true, "[    2][   10]" },
		{ "[%@5d]", true, "[    2][   10]" },
		{ "[%-5@u]", true, "[2    ][10   ]" },
		{ "[%@08x]", true, "[00000002][0000000a]" },
		{ "%s%*s|", true, "b|a|" },
		{ "x", true, "xx" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct fw *w = fw_new();
		uint32_t id = rm_agg(w->m, ABI_AGG_COUNT, 0, 1);
		struct { char s[4]; int32_t n; } a = { "a", 5 }, b = { "b", 7 };
		uint64_t ten = 10, two = 2;
		rm_key(w->m, id, ABI_FIELD_STRING, 4, false);
		rm_key(w->m, id, ABI_FIELD_INT, 4, true);
		w->opts.v[OPT_QUIET] = rows[i].quiet;
		fw_open(w);
		assert_null(consume_agg_add(w->c, id, &a, &ten));
		assert_null(consume_agg_add(w->c, id, &b, &two));
		fw_fire(w, fw_agg_clause(w, ABI_ACT_PRINTA, rows[i].format,
					 id));
		fw_run(w);
		fw_expect(w, rows[i].want);
		fw_free(w);
	}
}

/* '*' takes its width from the key before. */
static void
test_printa_star(void **state)
{
	struct fw *w = fw_new();
	uint32_t id = rm_agg(w->m, ABI_AGG_COUNT, 0, 1);

	rm_key(w->m, id, ABI_FIELD_INT, 4, true);
	w->opts.v[OPT_QUIET] = 1;
	fw_open(w);
	assert_null(consume_agg_add(w->c, id, &(int32_t){ 4 }, &one));
	fw_fire(w, fw_agg_clause(w, ABI_ACT_PRINTA, "[%*@d]", id));
	fw_run(w);
	fw_expect(w, "[   1]");
	fw_free(w);
}

/* Scalar, histogram and average joined; what is missing is zero. */
static void
test_printa_several(void **state)
{
	static const struct {
		const char *format;
		int64_t pos, rev, key;	/* options */
		const char *want;
	} rows[] = {
		{ "%d %@d %@d\n", 0, 0, 0, "3 0 7\n1 5 4\n2 6 0\n" },
		{ "%d %@d %@d\n", 1, 0, 0, "2 6 0\n1 5 4\n3 0 7\n" },
		{ "%d %@d %@d\n", 0, 1, 0, "2 6 0\n1 5 4\n3 0 7\n" },
		{ "%d %@d %@d\n", 0, 0, 1, "1 5 4\n2 6 0\n3 0 7\n" },
		{ "%d %@d %@d\n", 0, 1, 1, "3 0 7\n2 6 0\n1 5 4\n" },
		{ "%d %@d %@d %@d\n", 0, 0, 0, "3 0 7 7\n1 5 4 4\n2 6 0 0\n" },
		{ "%d %@d\n", 0, 0, 0, "3 0\n1 5\n2 6\n" },
		{ NULL, 0, 0, 0, "\n"
"        3                0                7\n"
"        1                5                4\n"
"        2                6                0\n" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct fw *w = fw_new();
		uint32_t a = rm_agg(w->m, ABI_AGG_COUNT, 0, 1);
		uint32_t b = rm_agg(w->m, ABI_AGG_AVG, 0, 2);
		rm_key(w->m, a, ABI_FIELD_INT, 4, true);
		rm_key(w->m, b, ABI_FIELD_INT, 4, true);
		w->opts.v[OPT_QUIET] = 1;
		w->opts.v[OPT_AGGSORTPOS] = rows[i].pos;
		w->opts.v[OPT_AGGSORTREV] = rows[i].rev;
		w->opts.v[OPT_AGGSORTKEY] = rows[i].key;
		fw_open(w);
		for (int32_t k = 1; k <= 3; k++) {
			uint64_t n = 4 + (uint64_t)k;
			uint64_t avg[2] = { 2, k == 1 ? 8 : 15 };
			if (k != 3)
				assert_null(consume_agg_add(w->c, a, &k, &n));
			if (k != 2)
				assert_null(consume_agg_add(w->c, b, &k, avg));
		}
		struct rm_clause *cl = fw_agg_clause(w, ABI_ACT_PRINTA,
						     rows[i].format, a);
		rm_use_agg(cl, b);
		fw_fire(w, cl);
		fw_run(w);
		fw_expect(w, rows[i].want);
		fw_end(w);
		fw_expect(w, "\n");	/* both were shown */
		fw_free(w);
	}
}

/* A histogram in a format, and one that is missing from a row. */
static void
test_printa_histogram(void **state)
{
	struct fw *w = fw_new();
	uint32_t a = rm_agg(w->m, ABI_AGG_COUNT, 0, 1);
	uint32_t h = rm_agg(w->m, ABI_AGG_LQUANTIZE,
			    1ULL << 48 | 3ULL << 32, 5);
	uint64_t cells[5] = { 0, 0, 4, 0, 0 };

	rm_key(w->m, a, ABI_FIELD_INT, 4, true);
	rm_key(w->m, h, ABI_FIELD_INT, 4, true);
	w->opts.v[OPT_QUIET] = 1;
	fw_open(w);
	assert_null(consume_agg_add(w->c, h, &(int32_t){ 1 }, cells));
	assert_null(consume_agg_add(w->c, a, &(int32_t){ 2 }, &one));
	struct rm_clause *cl = fw_agg_clause(w, ABI_ACT_PRINTA, "%d %@d%@d.",
					     a);
	rm_use_agg(cl, h);
	fw_fire(w, cl);
	fw_run(w);
	fw_expect(w, "1 0\n"
"           value  ------------- Distribution ------------- count    \n"
"               0 |                                         0        \n"
"               1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 4        \n"
"               2 |                                         0        \n"
".2 1\n"
"           value  ------------- Distribution ------------- count    \n"
"             < 0 |                                         0        \n"
"               0 |                                         0        \n"
"               1 |                                         0        \n"
".");
	fw_free(w);
}

/* clear, trunc, normalize and denormalize, one after the other. */
static void
test_changes(void **state)
{
	struct fw *w = fw_new();
	uint32_t id = rm_agg(w->m, ABI_AGG_SUM, 0, 1);

	rm_key(w->m, id, ABI_FIELD_INT, 4, true);
	w->opts.v[OPT_QUIET] = 1;
	struct rm_clause *show = fw_agg_clause(w, ABI_ACT_PRINTA, "%d=%@d ",
					       id);
	struct rm_clause *normalize = fw_agg_clause(w, ABI_ACT_NORMALIZE,
						    NULL, id);
	rm_field(normalize, ABI_FIELD_INT, 8, true);
	struct rm_clause *denormalize = fw_agg_clause(w, ABI_ACT_DENORMALIZE,
						      NULL, id);
	struct rm_clause *clear = fw_agg_clause(w, ABI_ACT_CLEAR, NULL, id);
	struct rm_clause *trunc = fw_agg_clause(w, ABI_ACT_TRUNC, NULL, id);
	struct rm_clause *trunc_n = fw_agg_clause(w, ABI_ACT_TRUNC, NULL, id);
	rm_field(trunc_n, ABI_FIELD_INT, 4, true);
	fw_open(w);
	for (int32_t k = 1; k <= 4; k++) {
		uint64_t n = 100 * (uint64_t)k;
		assert_null(consume_agg_add(w->c, id, &k, &n));
	}

	fw_fire(w, show);
	rm_set_int(w->m, fw_fire(w, normalize), 0, 3);
	fw_fire(w, show);
	fw_run(w);
	fw_expect(w, "1=100 2=200 3=300 4=400 1=33 2=66 3=100 4=133 ");
	fw_fire(w, denormalize);
	rm_set_int(w->m, fw_fire(w, trunc_n), 0, 3);
	fw_fire(w, show);
	rm_set_int(w->m, fw_fire(w, trunc_n), 0, -2);
	fw_fire(w, show);
	fw_run(w);
	fw_expect(w, "2=200 3=300 4=400 2=200 3=300 ");
	fw_fire(w, clear);
	fw_fire(w, show);
	fw_run(w);
	fw_expect(w, "2=0 3=0 ");
	fw_fire(w, trunc);
	fw_fire(w, show);
	fw_run(w);
	fw_expect(w, "");
	fw_free(w);
}

/* A printa() that has run once ends the print at the end, whatever came after
 * it. */
static void
test_leftover(void **state)
{
	/* a: aggregate, p: printa, c: clear, t: trunc, n: trunc to 5 */
	static const struct { const char *steps, *want; } rows[] = {
		{ "ap", "" }, { "apa", "" }, { "apna", "" },
		{ "apc", "" }, { "apt", "" },
		{ "apca", "" }, { "apta", "" }, { "aptaa", "" },
		{ "apcapca", "" }, { "apcap", "" },
		{ "apcac", "" }, { "aptat", "" }, { "aptataa", "" },
		{ "ac", "0" }, { "at", "" }, { "aca", "1" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct fw *w = fw_new();
		uint32_t id = rm_agg(w->m, ABI_AGG_COUNT, 0, 1);
		struct rm_clause *cl[128] = {
			['p'] = fw_agg_clause(w, ABI_ACT_PRINTA, " ", id),
			['c'] = fw_agg_clause(w, ABI_ACT_CLEAR, NULL, id),
			['t'] = fw_agg_clause(w, ABI_ACT_TRUNC, NULL, id),
			['n'] = fw_agg_clause(w, ABI_ACT_TRUNC, NULL, id),
		};
		char want[64] = "";

		rm_field(cl['n'], ABI_FIELD_INT, 4, true);
		w->opts.v[OPT_QUIET] = 1;
		fw_open(w);
		for (const char *p = rows[i].steps; *p; p++) {
			if (*p == 'a') {
				assert_null(consume_agg_add(w->c, id, "",
							    &one));
				continue;
			}
			struct abi_record *rec = fw_fire(w, cl[(int)*p]);
			if (*p == 'n')
				rm_set_int(w->m, rec, 0, 5);
			fw_run(w);
		}
		w->len = 0;
		fw_end(w);
		if (*rows[i].want)
			snprintf(want, sizeof(want), " %16s\n", rows[i].want);
		assert_string_equal(w->out + 1, want);
		fw_free(w);
	}
}

/* clear() leaves the factor, and a cleared histogram is all zero. */
static void
test_clear_histogram(void **state)
{
	struct fw *w = fw_new();
	uint32_t id = rm_agg(w->m, ABI_AGG_QUANTIZE, 0, 127);
	uint64_t cells[127] = { [70] = 4 };

	w->opts.v[OPT_QUIET] = 1;
	fw_open(w);
	assert_null(consume_agg_add(w->c, id, "", cells));
	consume_agg(w->c, id)->normal = 2;
	fw_fire(w, fw_agg_clause(w, ABI_ACT_CLEAR, NULL, id));
	fw_fire(w, fw_agg_clause(w, ABI_ACT_PRINTA, NULL, id));
	fw_run(w);
	assert_int_equal(consume_agg(w->c, id)->normal, 2);
	fw_expect(w, "\n\n"
"           value  ------------- Distribution ------------- count    \n"
"              -1 |                                         0        \n"
"               0 |                                         0        \n"
"               1 |                                         0        \n"
"\n");
	fw_free(w);
}

/* An action on an aggregation nobody knows does nothing. */
static void
test_unknown_agg(void **state)
{
	static const enum abi_action_kind kinds[] = {
		ABI_ACT_PRINTA, ABI_ACT_CLEAR, ABI_ACT_TRUNC,
		ABI_ACT_NORMALIZE, ABI_ACT_DENORMALIZE,
	};

	for (size_t i = 0; i < BASE_NELEMS(kinds); i++) {
		struct fw *w = fw_new();
		w->opts.v[OPT_QUIET] = 1;
		fw_fire(w, fw_agg_clause(w, kinds[i], NULL, 12));
		fw_fire(w, fw_agg_clause(w, kinds[i], NULL, 0));
		fw_open(w);
		fw_run(w);
		fw_expect(w, "");
		fw_free(w);
	}
}

/* Much text goes out in pieces, whole and in order. */
static void
test_spill(void **state)
{
	enum { N = 20000 };
	struct fw *w = fw_new();
	uint32_t id = rm_agg(w->m, ABI_AGG_COUNT, 0, 1);

	rm_key(w->m, id, ABI_FIELD_INT, 4, true);
	w->opts.v[OPT_QUIET] = 1;
	fw_open(w);
	for (int32_t i = 0; i < N; i++)
		assert_null(consume_agg_add(w->c, id, &i, &one));
	fw_fire(w, fw_agg_clause(w, ABI_ACT_PRINTA, "%8d\n", id));
	fw_run(w);
	assert_int_equal(w->len, 9 * N);
	assert_true(w->writes > 1 && w->writes < 20);
	for (int i = 0; i < N; i++)
		assert_int_equal(atoi(w->out + 9 * i), i);
	fw_end(w);
	fw_free(w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_talk_counts),
		cmocka_unit_test(test_tuples),
		cmocka_unit_test(test_end),
		cmocka_unit_test(test_printa),
		cmocka_unit_test(test_printa_star),
		cmocka_unit_test(test_printa_several),
		cmocka_unit_test(test_printa_histogram),
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_leftover),
		cmocka_unit_test(test_clear_histogram),
		cmocka_unit_test(test_unknown_agg),
		cmocka_unit_test(test_spill),
	};
	return cmocka_run_group_tests_name("fmt-printa", tests, NULL, NULL);
}
