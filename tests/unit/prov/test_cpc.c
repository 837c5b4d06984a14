/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Events of the kernel's own by their names: which event, how often, where; names that
 * are none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/perf_event.h>
#include <cmocka.h>

#include "base/base.h"
#include "prov/ops.h"
#include "prov/prov_priv.h"
#include "prov/user.h"
#include "fresh.h"

extern const struct prov_ops prov_cpc_ops;
static const struct probe *found;
static unsigned nsites;
static struct abi_event event;

static bool
on_probe(void *ctx, const struct probe *p)
{
	++*(unsigned *)ctx;
	found = p;
	return true;
}

static unsigned
matches(const char *name)
{
	struct probe_desc d = { "cpc", "", "", name, 0 };
	unsigned n = 0;

	assert_null(prov_match(set, &d, on_probe, &n));
	return n;
}

static struct err *
on_site(void *ctx, const struct prov_site *site)
{
	assert_int_equal(site->trigger, PROV_TRIGGER_EVENT);
	event = *site->event;
	nsites++;
	return NULL;
}

static void
test_events(void **state)
{
	static const struct {
		const char *name;
		uint64_t config, period;
		bool not_user, not_kernel;
	} rows[] = {
		{ "page_faults-all-1", PERF_COUNT_SW_PAGE_FAULTS, 1, 0, 0 },
		{ "page_faults-user-7", PERF_COUNT_SW_PAGE_FAULTS, 7, 0, 1 },
		{ "page_faults-kernel-9999999999", PERF_COUNT_SW_PAGE_FAULTS,
		  9999999999, 1, 0 },
		{ "cpu_migrations-user-2", PERF_COUNT_SW_CPU_MIGRATIONS, 2, 0,
		  1 },
		{ "context_switches-all-9223372036854775807",
		  PERF_COUNT_SW_CONTEXT_SWITCHES, INT64_MAX, 0, 0 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		if (matches(rows[i].name) != 1)
			fail_msg("%s: %u", rows[i].name, matches(rows[i].name));
		assert_string_equal(found->name, rows[i].name);
		nsites = 0;
		assert_null(prov_sites(set, found, on_site, NULL));
		assert_int_equal(nsites, 1);
		assert_int_equal(event.type, PERF_TYPE_SOFTWARE);
		assert_int_equal(event.config, rows[i].config);
		assert_int_equal(event.period, rows[i].period);
		assert_int_equal(event.not_user, rows[i].not_user);
		assert_int_equal(event.not_kernel, rows[i].not_kernel);
		/* asked for again it is the same */
		const struct probe *first = found;
		assert_int_equal(matches(rows[i].name), 1);
		assert_ptr_equal(found, first);
	}
}

static void
test_no_events(void **state)
{
	static const char *const names[] = {
		"page_faults", "page_faults-1", "page_faults-all",
		"page_faults-all-0", "page_faults-all-", "page_faults-all-1x",
		"page_faults-all-0x1", "page_faults-all--1", "page_faults-all- 1",
		"page_faults-any-1", "page_faults--1", "-all-1", "-page_faults-all-1",
		"page_faults-all-9223372036854775808", "no_such_event-all-1",
		"page_faults-all-user-1", "page_faults-all-0xg-1",
	};

	for (size_t i = 0; i < BASE_NELEMS(names); i++)
		if (matches(names[i]))
			fail_msg("%s", names[i]);
}

/* Why a description matches nothing: which part of the name it is; nothing is said of what
 * there is, nor of another kind of description. */
static void
test_missing(void **state)
{
	static const struct {
		struct probe_desc d;
		const char *want;	/* NULL: nothing */
	} rows[] = {
#define CPC(name) { "cpc", "", "", name, 0 }
		{ CPC("page_faults"), "page_faults is not EVENT-MODE-COUNT" },
		{ CPC("page_faults-1"), "page_faults-1 is not EVENT-MODE-COUNT" },
		{ CPC("page_faults-all-0"), "from 1 on, and not 0" },
		{ CPC("page_faults-all-"), "from 1 on, and not nothing" },
		{ CPC("page_faults-all-1x"), "from 1 on, and not 1x" },
		{ CPC("page_faults-all-9223372036854775808"),
		  "from 1 on, and not 9223372036854775808" },
		{ CPC("page_faults-any-1"),
		  "user, kernel or all, and not any" },
		{ CPC("page_faults--1"), "user, kernel or all, and not nothing" },
		{ CPC("page_fault-all-1"),
		  "there is no event page_fault; near is page_faults" },
		{ CPC("no_such_event-all-1"), "there is no event no_such_event" },
		/* with a mask of units, "0x" in front of it or not */
		{ CPC("no_such-all-0x1f-9"), "there is no event no_such:0x1f" },
		{ CPC("no_such-user-1f-9"), "there is no event no_such:0x1f" },
		{ CPC("no_such-any-0x1f-9"), "user, kernel or all, and not 0x1f" },
		{ CPC("no_such-all-0x-9"), "user, kernel or all, and not 0x" },
		{ CPC("no_such-all-0-9"), "user, kernel or all, and not 0" },
		{ CPC("page_faults-all-1"), NULL }, { CPC("*-any-1"), NULL },
		{ CPC(""), NULL }, { { "cpc", "m", "", "x", 0 }, NULL },
		{ { "cpc", "", "f", "x", 0 }, NULL },
#undef CPC
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		enum prov_part part;
		struct sb b;

		sb_init(&b, 4096);
		assert_null(prov_cpc_ops.missing(set, &rows[i].d, &b, &part));
		const char *text = sb_str(&b);
		if (rows[i].want ? !strstr(text, rows[i].want) : *text)
			fail_msg("%s: %s", rows[i].d.name, text);
		assert_int_equal(part, PROV_PART_NAME);
		sb_fini(&b);
	}
}

/* Those that are listed are of all modes, at each event. */
static void
test_listed(void **state)
{
	unsigned n;

	assert_int_equal(matches("page_faults-all-*"), 1);
	assert_string_equal(found->name, "page_faults-all-1");
	n = matches("*");
	assert_true(n > 3);
	assert_int_equal(matches("*-all-1"), n);
	assert_int_equal(matches("page_faults-user-3"), 1);
	assert_int_equal(matches("*"), n + 1);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_events, setup, teardown),
		cmocka_unit_test_setup_teardown(test_no_events, setup, teardown),
		cmocka_unit_test_setup_teardown(test_missing, setup, teardown),
		cmocka_unit_test_setup_teardown(test_listed, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
