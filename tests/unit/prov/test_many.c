/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Beside a provider of a hundred thousand probes: what is made and what is not,
 * and that work grows as its result does.  Work is counted: names compared with
 * patterns, slots of hashes looked at, names whose edits were counted.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/base.h"
#include "support/assertok.h"
#include "support/manyprobes.h"
#include "util/alloc.h"

static struct arena *arena;
static struct prov_set *set;
static uint32_t first;		/* id of the first that is made up */

static int
setup(void **state)
{
	manyprobes_n = 50000;
	arena = arena_new();
	assert_ok(prov_set_new(arena, NULL, &set));
	first = prov_last_id(set) + 1;
	assert_ok(prov_set_add(set, &manyprobes));
	assert_ok(prov_set_add(set, &manyprocs));
	return 0;
}

static int
teardown(void **state)
{
	prov_set_free(set);
	arena_free(arena);
	return 0;
}

/* A set with n functions. */
static void
again(uint32_t n)
{
	teardown(NULL);
	setup(NULL);
	manyprobes_n = n;
}

static struct probe_desc
desc(const char *text)
{
	struct base_span span = { text, strlen(text) };
	struct probe_desc d;

	assert_ok(probe_desc_parse(arena, span, PROBE_SPEC_NAME, &d));
	return d;
}

struct seen {
	uint32_t n, last;	/* matches; the id of the last */
	const struct probe *p;
};

static bool
count(void *ctx, const struct probe *p)
{
	struct seen *seen = ctx;

	assert_true(p->id > seen->last);	/* in order */
	*seen = (struct seen){ seen->n + 1, p->id, p };
	return true;
}

static struct seen
match(const char *text)
{
	struct probe_desc d = desc(text);
	struct seen seen = { 0 };

	assert_ok(prov_match(set, &d, count, &seen));
	return seen;
}

/* Probes that exist. */
static uint32_t
made(void)
{
	return prov_last_id(set) + 1 - first;
}

/* All that was done, in steps. */
static uint64_t
steps(void)
{
	const struct prov_work *w = prov_work(set);

	return w->asked + w->slots + w->matched + w->scored;
}

static void
test_list(void **state)
{
	struct seen all = match(":::");

	assert_int_equal(made(), 2 * 50000 + 3);
	assert_int_equal(all.n, prov_last_id(set));
	assert_int_equal(match("many:::").n, 100000);
	assert_int_equal(match("many:mod07::entry").n, 500);
	assert_int_equal(made(), 2 * 50000 + 3);
}

static void
test_matches(void **state)
{
	static const struct {
		const char *text;
		uint32_t n, made;	/* matches; made by now */
	} rows[] = {
		{ "BEGIN", 1, 0 },
		{ "many::func_00017:entry", 1, 1 },
		{ "many:mod17:func_00017:entry", 1, 1 },
		{ "many:mod18:func_00017:entry", 0, 1 },
		{ "many::func_99999:entry", 0, 1 },
		{ "func_00017:return", 1, 2 },
		{ "many::func_1234*:entry", 10, 12 },
		{ "many::*_1234?:", 20, 22 }, { "many::*0001*:", 30, 50 },
		{ "many::func_4[0-9]999:entry", 10, 60 },
		{ "m*:mod99:*_499*:return", 1, 61 },
		{ "many:::tick-1s", 0, 61 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		uint32_t n = match(rows[i].text).n;
		if (n != rows[i].n || made() != rows[i].made)
			fail_msg("%s: %u matches, %u made", rows[i].text, n,
				 made());
	}
}

/* Names of providers with a number in them. */
static void
test_procs(void **state)
{
	static const struct {
		const char *text;
		uint32_t n, made;
		uint64_t asked;
	} rows[] = {
		{ "BEGIN", 1, 0, 1 },	/* it could have any last part */
		{ "proc:::", 0, 0, 1 }, { "procx:::", 0, 0, 1 },
		{ "proc8:::", 0, 0, 2 }, { "proc7:::start", 1, 1, 3 },
		{ "proc12::main:", 1, 2, 4 }, { "proc1*:::", 2, 3, 5 },
		{ "pro?[0-9]:::", 1, 3, 6 }, { "*123:::", 1, 3, 7 },
		{ "proc*:::end", 0, 3, 8 }, { "many:::start", 0, 3, 8 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		uint32_t n = match(rows[i].text).n;
		uint64_t asked = prov_asked(set, "proc[0-9]*");
		if (n != rows[i].n || made() != rows[i].made ||
		    asked != rows[i].asked)
			fail_msg("%s: %u matches, %u made, asked %u times",
				 rows[i].text, n, made(), (unsigned)asked);
	}
	assert_string_equal(match("proc12:::").p->prov, "proc12");
}

/* By an id that nobody has, all are asked until somebody has it. */
static void
test_ids(void **state)
{
	assert_string_equal(prov_by_id(set, first + 99999)->func,
			    "func_49999");
	assert_int_equal(made(), 100000);
	assert_int_equal(prov_asked(set, "proc[0-9]*"), 0);
	assert_string_equal(prov_by_id(set, first + 100002)->prov, "proc123");
	assert_null(prov_by_id(set, first + 100003));
	assert_int_equal(prov_asked(set, "many"), 1);
}

/* What has come since is found when all is asked again, behind what was there. */
static void
test_ask_again(void **state)
{
	again(10);
	assert_int_equal(match("many::func_0*:entry").n, 10);
	manyprobes_n = 12;
	assert_int_equal(match("many::func_0*:entry").n, 10);
	prov_ask_again(set);
	struct seen seen = match("many::func_0*:entry");
	assert_int_equal(seen.n, 12);
	assert_string_equal(seen.p->func, "func_00011");
	assert_int_equal(made(), 12);
	assert_null(prov_by_id(set, first + 27));
	manyprobes_n = 20;
	assert_null(prov_by_id(set, first + 27));
	prov_ask_again(set);
	assert_non_null(prov_by_id(set, first + 27));
}

static void
test_types(void **state)
{
	const struct probe *p = match("many::func_00003:entry").p;
	const char *name;
	unsigned raw;

	assert_int_equal(prov_nargs(set, p), 2);
	assert_ptr_equal(prov_arg_type(set, p, 0, &name, &raw), &type_int);
	assert_string_equal(name, "fd");
	assert_true(type_is_ptr(prov_arg_type(set, p, 1, &name, &raw)));
	assert_null(prov_arg_type(set, p, 2, &name, &raw));
}

struct sites {
	struct prov_site v[4];
	unsigned n, stop_at;
};

static struct err *
keep_site(void *ctx, const struct prov_site *site)
{
	static struct err stop = { .code = ERR_STATE };
	struct sites *s = ctx;

	s->v[s->n++] = *site;
	return s->n == s->stop_at ? &stop : NULL;
}

static void
test_sites(void **state)
{
	for (uint32_t i = 0; i < 4; i++) {
		char text[64];
		snprintf(text, sizeof(text), "many::func_%05u:entry", i);
		const struct probe *p = match(text).p;
		struct sites s = { .n = 0 };
		assert_ok(prov_sites(set, p, keep_site, &s));
		assert_int_equal(s.n, i);
		for (unsigned k = 0; k < i; k++)
			assert_int_equal(s.v[k].offset, i * 128 + k);
		if (i != 3)
			continue;
		assert_ptr_equal(s.v[0].point, s.v[2].point);
		assert_ptr_not_equal(s.v[0].point, s.v[1].point);
		s = (struct sites){ .stop_at = 2 };
		assert_non_null(prov_sites(set, p, keep_site, &s));
		assert_int_equal(s.n, 2);
	}
}

/* Whatever allocation fails, the answer is an error, and nothing is asked for or
 * made by halves: with memory again all is there. */
static void
test_no_memory(void **state)
{
	static const char *const texts[] = {
		"many::func_00??3:entry", "many:mod03:func_00003:entry",
		"func_00013:entry", "proc7::main:start", "proc*:::",
		"syscall::open64:entry",
	};
	static const uint32_t want[] = { 100, 1, 1, 1, 3, 1 };
	struct probe_desc d[BASE_NELEMS(texts)];
	unsigned long n = 0;
	struct err *e;

	do {
		again(1000);
		for (size_t i = 0; i < BASE_NELEMS(texts); i++)
			d[i] = desc(texts[i]);
		util_alloc_fail(++n, 1);
		e = NULL;
		for (size_t i = 0; !e && i < BASE_NELEMS(texts); i++) {
			struct seen seen = { 0 };
			e = prov_match(set, &d[i], count, &seen);
		}
		util_alloc_fail(0, 0);
		if (e)
			assert_int_equal(e->code, ERR_NOMEM);
		if (arena_failed(arena))	/* it has none any more */
			continue;
		for (size_t i = 0; i < BASE_NELEMS(texts); i++)
			assert_int_equal(match(texts[i]).n, want[i]);
	} while (e);
	assert_true(n > 10);
}

/* --- Suggestions ---------------------------------------------------------- */

static const char *
suggest(const char *text)
{
	static const char *texts[5];
	struct probe_desc d = desc(text);

	return prov_suggest(set, &d, arena, texts, 5) ? texts[0] : "";
}

/* Without a list of everything: the nearest functions are asked for. */
static void
test_typo(void **state)
{
	static const struct {
		const char *text, *first;
	} rows[] = {
		{ "many::func_1234x:entry", "many::func_12340:entry" },
		{ "many::fnuc_12345:entry", "many::func_12345:entry" },
		{ "many:mod4:func_12345:entry", "many:mod45:func_12345:entry" },
		{ "many::func_1234*:enrty", "many::func_1234*:entry" },
		{ "many:mdo45::entry", "many:mod45::entry" },
		{ "many:::enrty", "many:::entry" },
		{ "many::another:entry", "" },
		{ "many::func_12345:entyr", "many::func_12345:entry" },
		{ "mnay::func_12345:entry", "many::func_12345:entry" },
		{ "many:mdo45:func_12345:entry",
		  "many:mod45:func_12345:entry" },
		{ "many:func_12345:entry", "many::func_12345:entry" },
		{ "func_12345", "many::func_12345:" },
		/* Those who were there before are as good as they were. */
		{ "syscall::raed:entry", "syscall::read:entry" },
		{ "syscal:::entry", "syscall:::entry" },
		{ "profle:::tick-7s", "profile:::tick-7s" },
		{ "syscall:write:entry", "syscall::write:entry" },
		{ "begin", "dtrace:::BEGIN" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		const char *got = suggest(rows[i].text);
		if (strcmp(got, rows[i].first) != 0)
			fail_msg("%s: %s", rows[i].text, got);
	}
	/* of the five nearest functions of a row, and of processes, and a tick */
	assert_in_range(made(), 2, BASE_NELEMS(rows) * 5 * 2 + 4);
}

/* With a list of everything there is a bound. */
static void
test_typo_beside(void **state)
{
	match(":::");
	struct prov_work before = *prov_work(set);
	assert_string_equal(suggest("many::func_1234x:entry"),
			    "many::func_12340:entry");
	assert_in_range(prov_work(set)->scored - before.scored, 20000, 52000);
	assert_string_equal(suggest("syscall::raed:entry"),
			    "syscall::read:entry");
	assert_in_range(prov_work(set)->matched - before.matched, 0, 16 * 52000);
}

/* --- Growth --------------------------------------------------------------- */

/* Steps that fn takes with n functions. */
static uint64_t
steps_of(void (*fn)(uint32_t n), uint32_t n)
{
	again(n);
	uint64_t before = steps();
	fn(n);
	return steps() - before;
}

/* Four times as much takes at most five times as many steps. */
static void
assert_linear(void (*fn)(uint32_t n), uint32_t n)
{
	uint64_t one = steps_of(fn, n), four = steps_of(fn, 4 * n);

	print_message("# %u: %llu steps, %u: %llu\n", n,
		      (unsigned long long)one, 4 * n, (unsigned long long)four);
	assert_in_range(four, one, 5 * one);
}

static void
list_all(uint32_t n)
{
	assert_true(match("many:::").n == 2 * n);
}

static void
match_glob(uint32_t n)
{
	assert_true(match("many::*_*9:entry").n == n / 10);
}

static void
enable_one_by_one(uint32_t n)
{
	static const char *const forms[] = {
		"many::func_%05u:entry", "many:mod%02u:func_%05u:entry",
	};
	char text[64];

	for (uint32_t i = 0; i < n; i++) {
		snprintf(text, sizeof(text), forms[0], i);
		assert_int_equal(match(text).n, 1);
		snprintf(text, sizeof(text), forms[1], i % 100, i);
		assert_int_equal(match(text).n, 1);
	}
}

/* The same, beside everything. */
static void
enable_among_all(uint32_t n)
{
	match(":::");
	enable_one_by_one(n);
}

/* Names that have no function, each its own, with those that none or many have. */
static void
name_one_by_one(uint32_t n)
{
	char text[64];

	for (uint32_t i = 0; i < n; i++) {
		snprintf(text, sizeof(text), "tick-%ums", i + 1001);
		assert_int_equal(match(text).n, 1);
		snprintf(text, sizeof(text), "profile:::tick-%ums", i + 1001);
		assert_int_equal(match(text).n, 1);
		snprintf(text, sizeof(text), "profile:::none-%u", i);
		assert_int_equal(match(text).n, 0);
	}
	assert_true(match("syscall:::entry").n > 300);
	assert_true(match("tick-1001ms").n == 1);
}

static void
test_linear(void **state)
{
	assert_linear(list_all, 10000);
	assert_linear(match_glob, 10000);
	assert_linear(enable_one_by_one, 1000);
	assert_linear(enable_among_all, 1000);
	assert_linear(name_one_by_one, 2000);
}

int
main(void)
{
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_list),
		TEST(test_matches),
		TEST(test_procs),
		TEST(test_ids),
		TEST(test_ask_again),
		TEST(test_types),
		TEST(test_sites),
		TEST(test_no_memory),
		TEST(test_typo),
		TEST(test_typo_beside),
		TEST(test_linear),
	};
	return cmocka_run_group_tests_name("prov-many", tests, NULL, NULL);
}
