/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Firings at intervals that are missing when it is over: those of every point
 * that interrupts, on the CPU that is asked about, behind the last that was there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/base.h"
#include "kengine/kengine_priv.h"
#include "kengine/parts_priv.h"

enum { NCPUS = 2, NINTERVALS = 2, NPOINTS = 3 };

/* A point every 10 ns, one every 100 ns, and between them one that is no
 * interrupt. */
static const struct engine_point in_points[NPOINTS] = {
	{ .trigger = PROV_TRIGGER_PROFILE, .period_ns = 10 },
	{ .trigger = PROV_TRIGGER_TICK, .period_ns = 1 },
	{ .trigger = PROV_TRIGGER_INTERRUPT, .period_ns = 100 },
};

struct rig {
	struct kengine k;
	struct kengine_point points[NPOINTS];
	struct abi_interval intervals[NCPUS * NINTERVALS];
};

static struct kengine *
rig_init(struct rig *r)
{
	*r = (struct rig){ .points = { { .p = &in_points[0], .interval = 0 },
				       { .p = &in_points[1], .interval = 1 },
				       { .p = &in_points[2], .interval = 1 } } };
	r->k.e.in.npoints = NPOINTS;
	r->k.points = r->points;
	r->k.ncpus = NCPUS;
	r->k.nintervals = NINTERVALS;
	r->k.shared.intervals = r->intervals;
	return &r->k;
}

static void
test_missed(void **state)
{
	struct rig r;
	struct kengine *k = rig_init(&r);

	/* Of CPU 0 the last were at 1030 and never; of CPU 1 nothing began. */
	r.intervals[0] = (struct abi_interval){ 1000, 1010, 2 };
	r.intervals[1] = (struct abi_interval){ 1000, 0, 0 };
	assert_int_equal(kengine_missed_last(k, 0), 0);	/* it goes on */
	k->e.stopped_ns = 1335;
	assert_int_equal(kengine_missed_last(k, 0), 30 + 2);
	assert_int_equal(kengine_missed_last(k, 1), 0);
	r.intervals[NINTERVALS + 1] = (struct abi_interval){ 1000, 1100, 0 };
	assert_int_equal(kengine_missed_last(k, 1), 1);
	k->shared.intervals = NULL;
	assert_int_equal(kengine_missed_last(k, 0), 0);
}

static void
test_begin(void **state)
{
	struct rig r;
	struct kengine *k = rig_init(&r);
	uint64_t before = clock_ns();

	r.intervals[0].begun = r.intervals[NINTERVALS + 1].begun = 1;
	kengine_intervals_begin(k);
	assert_in_range(r.intervals[0].begun, before, clock_ns());
	assert_in_range(r.intervals[NINTERVALS + 1].begun, before, clock_ns());
	assert_int_equal(r.intervals[1].begun, 0);
	assert_int_equal(r.intervals[NINTERVALS].begun, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_missed),
		cmocka_unit_test(test_begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
