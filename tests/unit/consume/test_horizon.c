/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What is too young to be handed on: of CPUs that have more than one pass reads,
 * of firings that were interrupted, and of speculations whose end is not seen
 * yet.  Everything comes once, and in the order of time.
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
#include "consume/consume.h"
#include "support/recmaker.h"

#define MS 1000000ull

enum { GRACE_NS = 2000000, PASS_MAX = 16 << 20, LARGE = 64 << 10 };
/* Large records that a pass reads of a CPU, at most. */
enum { PASS = PASS_MAX / LARGE };

static struct seen {
	uint64_t last;		/* ns */
	unsigned n, backward, lost;
} seen;

static struct err *
note(void *ctx, const struct consume_event *e)
{
	if (e->kind == CONSUME_DROP) {
		seen.lost += (unsigned)e->count;
		return NULL;
	}
	seen.backward += e->timestamp < seen.last;
	seen.last = e->timestamp;
	seen.n++;
	return NULL;
}

struct world {
	struct rm *m;
	struct consume *c;
	uint32_t large, small;	/* EPIDs */
};

static void
open_world(struct world *w)
{
	static const uint32_t sizes[] = { LARGE, 8 };
	uint32_t *epids[] = { &w->large, &w->small };

	memset(&seen, 0, sizeof(seen));
	w->m = rm_new(3);
	rm_probe(w->m, "p", "m", "f", "n");
	for (int i = 0; i < 2; i++) {
		struct rm_clause *cl = rm_clause(w->m, 0);
		rm_action(cl, ABI_ACT_TRACEMEM, NULL);
		rm_field(cl, ABI_FIELD_BYTES, sizes[i], false);
		*epids[i] = rm_epid(w->m, 1, cl);
	}
	assert_null(consume_new(&w->m->source, &w->m->meta, &w->c));
}

static void
close_world(struct world *w)
{
	consume_free(w->c);
	rm_free(w->m);
}

/* n large records on a CPU, `step` ns apart. */
static void
fill(struct world *w, unsigned cpu, unsigned n, uint64_t step)
{
	for (unsigned i = 0; i < n; i++)
		rm_record(w->m, cpu, MS + i * step, w->large);
}

static void
pass(struct world *w, bool final)
{
	assert_null(consume_pass(w->c, true, final, note, NULL));
	assert_int_equal(seen.backward, 0);
}

/* A CPU that is cut off may still have, next in its ring, a record that is
 * older than the last one read: others wait for it. */
static void
test_interrupted(void **state)
{
	enum { N = PASS + 20 };
	const uint64_t step = MS / 10;
	struct world w;

	open_world(&w);
	w.m->clock = 1000 * MS;
	fill(&w, 0, PASS, step);
	/* It began before the last twenty, and was recorded behind them. */
	rm_record(w.m, 0, MS + (PASS - 15) * step + 1, w.small);
	for (unsigned i = PASS; i < N; i++)
		rm_record(w.m, 0, MS + i * step, w.large);
	for (unsigned i = 0; i < N; i++)
		rm_record(w.m, 1, MS + i * step + 2, w.small);
	pass(&w, false);
	assert_in_range(seen.n, PASS, 2 * PASS);
	assert_true(seen.last < MS + (PASS - 15) * step);
	for (int i = 0; i < 3; i++)
		pass(&w, false);
	assert_int_equal(seen.n, 2 * N + 1);
	close_world(&w);
}

/* The CPU that has come least far decides, whichever it is. */
static void
test_several(void **state)
{
	enum { N = 2 * PASS };

	for (unsigned slow = 0; slow < 3; slow++) {
		struct world w;
		open_world(&w);
		w.m->clock = 1000 * MS;
		for (unsigned cpu = 0; cpu < 3; cpu++)
			fill(&w, cpu, N, cpu == slow ? MS / 50 : MS / 10);
		pass(&w, false);
		assert_true(seen.last < MS + PASS * MS / 50 - GRACE_NS);
		assert_in_range(seen.n, PASS / 2, 3 * PASS);
		pass(&w, true);
		assert_int_equal(seen.n, 3 * N);
		close_world(&w);
	}
}

/* A record that is as old as the time to wait is not old enough; one that is a
 * nanosecond older is. */
static void
test_edge(void **state)
{
	struct world w;

	open_world(&w);
	rm_record(w.m, 0, 10 * MS, w.small);
	rm_record(w.m, 1, 10 * MS - 1, w.small);
	w.m->clock = 10 * MS + GRACE_NS;
	pass(&w, false);
	assert_int_equal(seen.n, 1);
	pass(&w, false);
	assert_int_equal(seen.n, 1);
	/* What comes meanwhile, and is older, goes first. */
	rm_record(w.m, 2, 10 * MS - 1, w.small);
	w.m->clock++;
	pass(&w, false);
	assert_int_equal(seen.n, 3);
	/* In the first moments nothing is old enough. */
	w.m->clock = GRACE_NS;
	rm_record(w.m, 0, 0, w.small);
	assert_null(consume_pass(w.c, true, false, note, NULL));
	assert_int_equal(seen.n, 3);
	close_world(&w);
}

/* --- Speculations ----------------------------------------------------------- */

static struct consume_spec spec_now;

static struct consume_spec
spec(void *ctx, uint32_t id)
{
	return spec_now;
}

static void
spec_free(void *ctx, uint32_t id)
{
	spec_now = (struct consume_spec){ CONSUME_SPEC_OPEN, spec_now.gen + 1,
					  0 };
}

static void
spec_seen(void *ctx, uint32_t id)
{
}

/* A speculation has ended, and its end waits behind the horizon: its records are
 * kept until then, however often somebody cleans. */
static void
test_speculation(void **state)
{
	struct world w;

	memset(&seen, 0, sizeof(seen));
	spec_now = (struct consume_spec){ CONSUME_SPEC_OPEN, 0, 0 };
	w.m = rm_new(2);
	rm_probe(w.m, "p", "m", "f", "n");
	struct rm_clause *cl = rm_clause(w.m, 0);
	rm_action(cl, ABI_ACT_DIFEXPR, NULL);
	rm_field(cl, ABI_FIELD_INT, 8, false);
	cl->desc.spec = cl->fields[0].offset;
	rm_field(cl, ABI_FIELD_INT, 8, true);
	w.small = rm_epid(w.m, 1, cl);
	w.m->source.nspec = 1;
	w.m->source.spec = spec;
	w.m->source.spec_free = spec_free;
	w.m->source.spec_seen = spec_seen;
	assert_null(consume_new(&w.m->source, &w.m->meta, &w.c));

	for (int i = 0; i < 3; i++)
		rm_set_int(w.m, rm_record(w.m, 0, MS + (uint64_t)i, w.small), 0,
			   (int64_t)ABI_SPEC_TAG(1, 0));
	struct abi_spec_end end = { { ABI_EPID_SPEC_END, sizeof(end), 5 * MS },
				    ABI_SPEC_TAG(1, 0) };
	rm_raw(w.m, 1, &end, sizeof(end));
	spec_now.gen = 1;
	w.m->clock = 6 * MS;
	for (int i = 0; i < 4; i++) {
		pass(&w, false);
		consume_clean(w.c);
		assert_int_equal(seen.n, 0);
	}
	w.m->clock = 20 * MS;
	pass(&w, false);
	assert_int_equal(seen.n, 3);
	assert_null(consume_drops(w.c, note, NULL));
	assert_int_equal(seen.lost, 0);
	/* One whose end never comes is lost, and told, when all was seen. */
	rm_set_int(w.m, rm_record(w.m, 0, 21 * MS, w.small), 0,
		   (int64_t)ABI_SPEC_TAG(1, 1));
	spec_now.gen = 2;
	w.m->clock = 30 * MS;
	for (int i = 0; i < 3; i++) {
		pass(&w, false);
		consume_clean(w.c);
		w.m->clock += 10 * MS;
	}
	assert_null(consume_drops(w.c, note, NULL));
	assert_int_equal(seen.lost, 1);
	assert_int_equal(seen.n, 3);
	close_world(&w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_interrupted),
		cmocka_unit_test(test_several),
		cmocka_unit_test(test_edge),
		cmocka_unit_test(test_speculation),
	};

	return cmocka_run_group_tests_name("consume-horizon", tests, NULL, NULL);
}
