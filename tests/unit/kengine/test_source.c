/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The kernel's engine as a source, on memory of the test's: speculations and drops.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/base.h"
#include "kengine/kengine_priv.h"

enum { NCPUS = 2, NSPEC = 3 };

struct rig {
	struct kengine k;
	struct opt_set opts;
	struct abi_spec specs[NSPEC];
	uint64_t drops[NCPUS * DROP_ROW];
};

static struct consume_source
rig_init(struct rig *r)
{
	*r = (struct rig){ .opts.v = { [OPT_NSPEC] = NSPEC } };
	r->k.e.in.opts = &r->opts;
	r->k.ncpus = r->k.nrings = NCPUS;
	r->k.shared.specs = r->specs;
	r->k.shared.drops = r->drops;
	return kengine_source(&r->k);
}

static void
check_spec(const struct consume_source *src, uint32_t id,
	   enum consume_spec_state state, uint32_t gen, uint32_t lost)
{
	struct consume_spec s = src->spec(src->ctx, id);

	assert_int_equal(s.state, state);
	assert_int_equal(s.gen, gen);
	assert_int_equal(s.lost, lost);
}

/* One that is free again is another: what was recorded for the one before is not
 * its own. */
static void
test_specs(void **state)
{
	struct rig r;
	struct consume_source src = rig_init(&r);

	assert_int_equal(src.nspec, NSPEC);
	r.specs[1] = (struct abi_spec){
		.word = ABI_SPEC_WORD(7, 0, ABI_SPEC_COMMITTED), .lost = 5,
		.ahead = 9 };
	r.specs[2].word = ABI_SPEC_WORD(2, 0, ABI_SPEC_DISCARDED);
	check_spec(&src, 1, CONSUME_SPEC_OPEN, 0, 0);
	check_spec(&src, 2, CONSUME_SPEC_COMMITTED, 7, 5);
	check_spec(&src, 3, CONSUME_SPEC_DISCARDED, 2, 0);
	src.spec_seen(src.ctx, 2);
	assert_int_equal(r.specs[1].ahead, 0);
	check_spec(&src, 2, CONSUME_SPEC_COMMITTED, 7, 5);
	src.spec_free(src.ctx, 2);
	check_spec(&src, 2, CONSUME_SPEC_OPEN, 8, 0);
	assert_int_equal(ABI_SPEC_STATE(r.specs[1].word), ABI_SPEC_IDLE);
	check_spec(&src, 3, CONSUME_SPEC_DISCARDED, 2, 0);
}

/* What is counted by CPU is told of each; the rest, of all by the first. */
static void
test_drops(void **state)
{
	struct rig r;
	struct consume_source src = rig_init(&r);

	for (unsigned cpu = 0; cpu < NCPUS; cpu++)
		for (unsigned kind = 0; kind < ABI_NDROPS; kind++)
			r.drops[cpu * DROP_ROW + kind] = 100 * cpu + kind + 1;
	for (unsigned kind = 0; kind < ABI_NDROPS; kind++) {
		uint64_t own = kind + 1, all = 100 + 2 * (uint64_t)(kind + 1);
		bool each = abi_drop_per_cpu((enum abi_drop)kind);
		assert_int_equal(src.drops(src.ctx, (enum abi_drop)kind, 0),
				 each ? own : all);
		assert_int_equal(src.drops(src.ctx, (enum abi_drop)kind, 1),
				 each ? 100 + own : 0);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_specs),
		cmocka_unit_test(test_drops),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
