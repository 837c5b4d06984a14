/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The kernel's engine as a source, on memory of the test's: speculations, drops
 * and aggregations.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/base.h"
#include "kengine/kengine_priv.h"
#include "kern/map.h"
#include "util/sb.h"

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

/* --- Aggregations ----------------------------------------------------------------- */

enum { NAGGS = 3, ROW = 40 };	/* bytes that those without keys take of each CPU */

static const struct abi_field key = { .kind = ABI_FIELD_INT, .size = 8 };
static const struct abi_agg_desc aggs[NAGGS] = {
	{ .id = 1, .ncells = 2 },
	{ .id = 2, .ncells = 1, .nkeys = 1, .keys = &key, .key_size = 8 },
	{ .id = 3, .ncells = 1 },
};
static struct sb done;		/* what was asked for, one word each */

struct err *__wrap_consume_agg_add(struct consume *c, uint32_t id, const void *k,
				   const uint64_t *cells);
struct err *__wrap_kern_map_drain(int fd, uint32_t key_size, uint32_t value_size,
				  kern_map_fn *fn, void *ctx);
struct err *__wrap_kern_map_read(int fd, uint32_t key_size, uint32_t value_size,
				 kern_map_fn *fn, void *ctx);
struct err *__wrap_kern_barrier(void);

struct err *
__wrap_consume_agg_add(struct consume *c, uint32_t id, const void *k, const uint64_t *cells)
{
	sb_printf(&done, " %u=%llu", id, (unsigned long long)cells[0]);
	if (id == 1)
		sb_printf(&done, ",%llu", (unsigned long long)cells[1]);
	return NULL;
}

struct err *
__wrap_kern_map_drain(int fd, uint32_t key_size, uint32_t value_size, kern_map_fn *fn,
		      void *ctx)
{
	sb_printf(&done, " drain%d:%u:%u", fd, key_size, value_size);
	return NULL;
}

struct err *
__wrap_kern_map_read(int fd, uint32_t key_size, uint32_t value_size, kern_map_fn *fn,
		     void *ctx)
{
	sb_printf(&done, " read%d:%u:%u", fd, key_size, value_size);
	return NULL;
}

struct err *
__wrap_kern_barrier(void)
{
	sb_puts(&done, " barrier");
	return NULL;
}

static uint64_t rows[2][NCPUS][ROW / 8];

/* Of each generation and CPU other numbers; of the second CPU the last is untouched. */
static void
fill_rows(void)
{
	for (unsigned gen = 0; gen < 2; gen++)
		for (unsigned cpu = 0; cpu < NCPUS; cpu++) {
			uint64_t n = 100 * gen + 10 * cpu;
			const uint64_t row[ROW / 8] = { n + 1, n + 2, 1, n + 3, !cpu };
			memcpy(rows[gen][cpu], row, ROW);
		}
}

static void
check_snapshot(const struct consume_source *src, const char *want)
{
	assert_null(src->snapshot(src->ctx, NULL));
	assert_string_equal(sb_str(&done), want);
	sb_reset(&done);
}

static void
test_aggs(void **state)
{
	static const struct ebpf_agg places[NAGGS] = { { .offset = 0 }, { .offset = 0 },
		{ .offset = 24 } };
	static const struct ebpf_aggmap maps[2] = { { .key_size = 8, .ncells = 1 },
						    { .key_size = 16, .ncells = 3 } };
	int fds[2][2] = { { 5, 6 }, { -1, -1 } };
	const struct plan_prog plan = { .aggs = aggs, .naggs = NAGGS };
	struct ebpf_object code = { .aggs = places, .agg_row = ROW, .aggmaps = maps,
				    .naggmaps = 2 };
	static struct abi_ctl ctl;
	struct rig r;
	struct consume_source src = rig_init(&r);

	sb_init(&done, 4096);
	r.k.e.in.plan = &plan;
	r.k.e.ctl = &ctl;
	r.k.e.state = ENGINE_STARTED;
	r.k.code = &code;
	r.k.agg_fds = fds;
	r.k.shared.agg_rows = (uint8_t *)rows;
	fill_rows();
	/* Nobody has fired: nobody is waited for. */
	check_snapshot(&src, " 1=1,2 1=11,12 3=3 drain5:12:8");
	assert_int_equal(ctl.gen, 1);
	r.k.e.fired = true;
	check_snapshot(&src, " barrier 1=101,102 1=111,112 3=103 drain6:12:8");
	assert_int_equal(ctl.gen, 0);
	/* What was handed out is not once more, and what was not touched stays. */
	check_snapshot(&src, " barrier drain5:12:8");
	for (unsigned gen = 0; gen < 2; gen++)
		for (unsigned cpu = 0; cpu < NCPUS; cpu++)
			for (unsigned i = 0; i < ROW / 8; i++)
				assert_int_equal(rows[gen][cpu][i], cpu && i == 3 ?
						 100 * gen + 13 : 0);
	/* At the end each generation is read, once. */
	r.k.e.state = ENGINE_ENDED;
	check_snapshot(&src, " read6:12:8");
	check_snapshot(&src, " read5:12:8");
	check_snapshot(&src, "");
	check_snapshot(&src, "");
	/* Without rows there are only those with keys; and without any, nothing. */
	r.k.shared.agg_rows = NULL;
	r.k.gen_done[0] = r.k.gen_done[1] = false;
	check_snapshot(&src, " read6:12:8");
	const struct plan_prog none = { .naggs = 0 };
	r.k.e.in.plan = &none;
	check_snapshot(&src, "");
	sb_fini(&done);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_specs),
		cmocka_unit_test(test_drops),
		cmocka_unit_test(test_aggs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
