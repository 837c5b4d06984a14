/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Ticks by a clock that is the test's: what fires when, and what is lost when it is late.
 */
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "base/base.h"
#include "kengine/kengine_priv.h"
#include "kengine/parts_priv.h"
#include "support/assertok.h"
#include "util/sb.h"

#define MS 1000000ull
enum { NPOINTS = 4, WAITS_MAX = 16 };

/* The time, ms; when each wait ends, and until when it was to be. */
static uint64_t now_ms, wakes[WAITS_MAX], asked[WAITS_MAX];
static unsigned nwaits, nwakes;
static int fails;		/* a program that cannot be run */
static bool is_done;		/* all that was due has run */
static bool only_long;		/* there are no other ticks than c */
static struct sb ran;		/* the programs that were */
static struct kengine k;

int __wrap_clock_gettime(clockid_t id, struct timespec *ts);
int __wrap_sem_clockwait(sem_t *sem, clockid_t id, const struct timespec *ts);
struct err *__wrap_kern_prog_run(int prog, const uint64_t *ctx, unsigned n, uint32_t *ret);

int
__wrap_clock_gettime(clockid_t id, struct timespec *ts)
{
	*ts = (struct timespec){ (time_t)(now_ms / 1000), (long)(now_ms % 1000 * MS) };
	return 0;
}

/* The last wait is for the end. */
int
__wrap_sem_clockwait(sem_t *sem, clockid_t id, const struct timespec *ts)
{
	if (nwaits == nwakes) {
		__atomic_store_n(&is_done, true, __ATOMIC_RELEASE);
		return sem_wait(sem);
	}
	assert_int_equal(id, CLOCK_MONOTONIC);
	asked[nwaits] = (uint64_t)ts->tv_sec * 1000 + (uint64_t)ts->tv_nsec / MS;
	now_ms = wakes[nwaits++];
	sb_printf(&ran, "%llu:", (unsigned long long)now_ms);
	return -1;
}

struct err *
__wrap_kern_prog_run(int prog, const uint64_t *ctx, unsigned n, uint32_t *ret)
{
	assert_int_equal(n, 1);
	assert_int_equal(ctx[0], 0);
	sb_printf(&ran, "%c", prog);
	return prog == fails ? err_new(ERR_OS, 1, "no") : NULL;
}

/* --- The engine ------------------------------------------------------------------ */

static const struct { enum prov_trigger trigger; uint64_t period_ms; } points[NPOINTS] = {
	{ PROV_TRIGGER_TICK, 400 }, { PROV_TRIGGER_PROFILE, 1 },
	{ PROV_TRIGGER_TICK, 5000 }, { PROV_TRIGGER_TICK, 700 },
};

static struct engine_point in_points[NPOINTS];
static struct kengine_point kpoints[NPOINTS];
static uint64_t drops[DROP_ROW];
static struct opt_set opts;

/* Run from 10 s on, until the waits have ended. */
static void
run(const uint64_t *until, unsigned n)
{
	memset(&k, 0, sizeof(k));
	memset(drops, 0, sizeof(drops));
	sb_init(&ran, 1 << 16);
	for (int i = 0; i < NPOINTS; i++) {
		in_points[i] = (struct engine_point){ .trigger = only_long && i != 2 ?
			PROV_TRIGGER_PROFILE : points[i].trigger,
			.period_ns = points[i].period_ms * MS };
		kpoints[i] = (struct kengine_point){ .p = &in_points[i], .prog = 'a' + i };
	}
	opts.v[OPT_CPU] = -1;
	k.e.in.points = in_points;
	k.e.in.npoints = NPOINTS;
	k.e.in.opts = &opts;
	k.points = kpoints;
	k.shared.drops = drops;
	now_ms = 10000;
	memcpy(wakes, until, n * sizeof(*until));
	nwaits = 0;
	nwakes = n;
	is_done = false;
	assert_ok(kengine_tick_start(&k));
	assert_true(k.ticker.runs);
	while (!__atomic_load_n(&is_done, __ATOMIC_ACQUIRE))
		nanosleep(&(struct timespec){ 0, MS }, NULL);
	kengine_tick_stop(&k);
	assert_false(k.ticker.runs);
}

static void
expect(const char *want, uint64_t lost)
{
	assert_string_equal(sb_str(&ran), want);
	assert_int_equal(drops[ABI_DROP_FIRING], lost);
	sb_fini(&ran);
}

/* Each at its time, and if several are due in the order of the program. */
static void
test_due(void **state)
{
	static const uint64_t at[] = { 10399, 10400, 10700, 10799, 11400, 12000 };
	static const uint64_t want[] = { 10400, 10400, 10700, 10800, 10800, 11600 };

	run(at, BASE_NELEMS(at));
	expect("10399:10400:a10700:d10799:11400:aad12000:aa", 0);
	assert_memory_equal(asked, want, sizeof(want));
}

/* Nobody sleeps for more than a second: the word that it is over may get lost. */
static void
test_long(void **state)
{
	static const uint64_t at[] = { 11000, 12000, 15000 };
	static const uint64_t want[] = { 11000, 12000, 13000 };

	only_long = true;
	run(at, BASE_NELEMS(at));
	only_long = false;
	expect("11000:12000:15000:c", 0);
	assert_memory_equal(asked, want, sizeof(want));
}

/* What is late makes up for a second, once at least; the rest is lost. */
static void
test_late(void **state)
{
	static const uint64_t at[] = { 20400, 20800 };

	/* Of a: 10.4 to 20.4, 26 of which 2 fire; of c: 15 and 20, of which 1 does; of d: 10.7
	 * to 19.8, 14 of which 1 does. */
	run(at, BASE_NELEMS(at));
	expect("20400:aacd20800:ad", 24 + 1 + 13);
}

static void
test_fails(void **state)
{
	static const uint64_t at[] = { 10400, 10800 };

	fails = 'a';
	run(at, BASE_NELEMS(at));
	fails = 0;
	expect("10400:a10800:ad", 2);
}

/* Without ticks there is no thread; to stop is nothing then. */
static void
test_none(void **state)
{
	struct engine_point p = { .trigger = PROV_TRIGGER_PROFILE, .period_ns = 1 };
	struct kengine_point kp = { .p = &p };

	memset(&k, 0, sizeof(k));
	k.e.in.points = &p;
	k.e.in.npoints = 1;
	k.points = &kp;
	assert_ok(kengine_tick_start(&k));
	assert_false(k.ticker.runs);
	kengine_tick_stop(&k);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_due),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_fails),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
