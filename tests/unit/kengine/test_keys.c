/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The most elements that aggregations can have.  Each row is a program of one
 * statement that aggregates, in a clause that some probes run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/base.h"
#include "kengine/kengine_priv.h"
#include "kengine/size_priv.h"

enum { NCPUS = 2 };
#define ANY UINT64_MAX
#define VAR(id)	{ DIF_FMT_W(DIF_OP_LDGS, DIF_VAR_##id, 1), RET }
#define RET	DIF_FMT_R(DIF_OP_RET, 0, 0, 1)

static const uint32_t
	func[] = VAR(PROBEFUNC), id[] = VAR(ID), cpu[] = VAR(CPU),
	pid[] = VAR(PID), now[] = VAR(TIMESTAMP), none[] = VAR(ARGS),
	number[] = { DIF_FMT_W(DIF_OP_SETX, 0, 1), RET },
	string[] = { DIF_FMT_W(DIF_OP_SETS, 1, 1), RET },
	odd[] = { DIF_FMT_W(DIF_OP_LDGS, DIF_VAR_CPU, 1),
		  DIF_FMT_R(DIF_OP_AND, 1, 1, 1), RET },
	memory[] = { DIF_FMT_W(DIF_OP_SETX, 0, 1),
		     DIF_FMT_R(DIF_OP_ULDX, 1, 0, 1), RET },
	call[] = { DIF_FMT_W(DIF_OP_CALL, 0, 1), RET },
	local[] = { DIF_FMT_W(DIF_OP_LDLS, 0x500, 1), RET },
	global[] = { DIF_FMT_W(DIF_OP_LDGS, 0x500, 1), RET };

/* Who runs the clause, besides how many probes that fire again and again. */
enum { BEGIN = 1, END = 2, ERROR_ = 4, LATER = 8, PROCESS = 16, THERE = 32 };

static const struct row {
	const char *what;
	const uint32_t *key[2];		/* NULL: a stack, or no second one */
	uint32_t nkeys;
	unsigned once, often;
	bool loop;
	uint64_t most;
} rows[] = {
	/* What fires once has one key, whatever it is. */
	{ "pid", { pid }, 1, BEGIN, 0, false, 1 },
	{ "a stack", { NULL }, 1, BEGIN, 0, false, 1 },
	{ "BEGIN and END", { pid, now }, 2, BEGIN | END, 0, false, 2 },
	{ "nobody", { pid }, 1, 0, 0, false, 0 },
	/* But not in a loop, nor where things fault. */
	{ "pid in a loop", { pid }, 1, BEGIN, 0, true, ANY },
	{ "ERROR", { number }, 1, BEGIN | ERROR_, 0, false, ANY },
	{ "func in a loop", { func }, 1, BEGIN, 0, true, NCPUS },
	/* What the probe and the CPU settle. */
	{ "func", { func }, 1, 0, 400, false, 400 * NCPUS },
	{ "id, cpu", { id, cpu }, 2, 0, 400, false, 400 * NCPUS },
	{ "string", { string, number }, 2, 0, 3, false, 3 * NCPUS },
	{ "arithmetic", { odd }, 1, 0, 3, false, 3 * NCPUS },
	{ "and once", { odd }, 1, BEGIN, 3, false, 3 * NCPUS + 1 },
	/* What other things settle. */
	{ "pid often", { pid }, 1, 0, 1, false, ANY },
	{ "pid second", { func, pid }, 2, 0, 1, false, ANY },
	{ "time", { now }, 1, 0, 1, false, ANY },
	{ "stack", { NULL }, 1, 0, 1, false, ANY },
	{ "memory", { memory }, 1, 0, 1, false, ANY },
	{ "call", { call }, 1, 0, 1, false, ANY },
	{ "this->x", { local }, 1, 0, 1, false, ANY },
	{ "x", { global }, 1, 0, 1, false, ANY },
	{ "args", { none }, 1, 0, 1, false, ANY },
	/* Of probes that may come. */
	{ "later", { func }, 1, LATER, 0, false, ANY },
	{ "later, too", { func }, 1, BEGIN | LATER, 3, false, ANY },
	{ "processes", { func }, 1, PROCESS, 1, false, ANY },
	{ "is there", { func }, 1, THERE, 0, false, NCPUS },
	{ "is there, too", { func }, 1, THERE, 3, false, 4 * NCPUS },
};

static void
add_point(struct engine_input *in, struct engine_point *at,
	  enum prov_trigger trigger, unsigned nprobes)
{
	static const uint32_t clause;
	struct engine_point p = { .trigger = trigger };
	struct plan_probe probe = { .clauses = &clause, .nclauses = 1 };

	for (unsigned i = 0; i < nprobes; i++)
		assert_true(vec_push(&p.probes, probe));
	if (nprobes)
		at[in->npoints++] = p;
}

/* A point at which probes may come that run the clause, unless one is there.  In a process
 * more may come even then. */
static void
add_cookie_point(struct engine_input *in, struct engine_point *at, bool process,
		 bool there)
{
	static const struct abi_point points[2] = {
		{ .attach = ABI_ATTACH_RAWTP, .find = ABI_FIND_COOKIE },
		{ .attach = ABI_ATTACH_UPROBE_MULTI, .find = ABI_FIND_COOKIE },
	};
	static const uint32_t clause;
	struct engine_point p = { .point = &points[process],
				  .trigger = PROV_TRIGGER_RAWTP };
	struct plan_probe probe = { .clauses = &clause, .nclauses = 1 };

	assert_true(vec_push(&p.clauses, clause));
	if (there) {	/* behind one that does not run it */
		assert_true(vec_push(&p.probes, (struct plan_probe){ .nclauses = 0 }));
		assert_true(vec_push(&p.probes, probe));
	}
	at[in->npoints++] = p;
}

static uint64_t
most_of(const struct row *r)
{
	const struct dif_difo difo[2] = {
		{ .text = r->key[0], .ntext = r->key[0] == odd ||
		  r->key[0] == memory ? 3 : 2 },
		{ .text = r->key[1], .ntext = 2 },
	};
	const struct dif_difo *difos[2] = { r->key[0] ? &difo[0] : NULL,
					    r->key[1] ? &difo[1] : NULL };
	struct abi_agg_desc agg = { .id = 1, .nkeys = r->nkeys, .ncells = 1 };
	struct plan_node node = { .kind = PLAN_AGG, .agg = &agg,
				  .difos = difos, .ndifos = r->nkeys };
	struct plan_node branch = { .kind = PLAN_IF, .then_ = &node };
	struct plan_node loop = { .kind = PLAN_LOOP, .then_ = &branch };
	const struct plan_node *body = r->loop ? &loop : &branch;
	struct plan_clause clause = { .body = body };
	struct plan_prog plan = {
		.clauses = &clause, .nclauses = 1, .aggs = &agg, .naggs = 1,
	};
	static const uint32_t zero;
	struct engine_point points[4];
	struct engine_input in = {
		.plan = &plan, .points = points,
		.error = { .clauses = &zero, .nclauses = r->once & ERROR_ ? 1 : 0 },
	};
	uint64_t most = 77;

	add_point(&in, points, PROV_TRIGGER_BEGIN, r->once & BEGIN ? 1 : 0);
	add_point(&in, points, PROV_TRIGGER_END, r->once & END ? 1 : 0);
	add_point(&in, points, PROV_TRIGGER_TICK, r->often);
	if (r->once & (LATER | PROCESS | THERE))
		add_cookie_point(&in, points, r->once & PROCESS,
				 !(r->once & LATER));
	assert_null(kengine_agg_most(&in, NCPUS, &most));
	for (uint32_t i = 0; i < in.npoints; i++) {
		vec_fini(&points[i].probes);
		vec_fini(&points[i].clauses);
	}
	return most;
}

static void
test_rows(void **state)
{
	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		if (most_of(&rows[i]) != rows[i].most)
			fail_msg("%s: %llu", rows[i].what,
				 (unsigned long long)most_of(&rows[i]));
}

/* Pieces of several aggregations, in one map. */
static void
test_maps(void **state)
{
	static const uint32_t aggs[] = { 0, 2, 2, 2, 2 };
	static const struct { uint64_t most[3], want; } sums[] = {
		{ { 5, ANY, 7 }, 5 + 4 * 7 }, { { ANY, 0, 1 }, ANY },
		{ { 0, 0, ANY / 2 }, ANY },
	};
	struct ebpf_aggmap m = { .naggs = 2, .npieces = BASE_NELEMS(aggs),
				 .aggs = aggs };

	for (size_t i = 0; i < BASE_NELEMS(sums); i++)
		assert_true(kengine_map_most(&m, sums[i].most) == sums[i].want);
}

/* What there can be always fits, unless that is more than aggsize has room for. */
static void
test_entries(void **state)
{
	struct ebpf_aggmap m = { .naggs = 1, .key_size = 4, .ncells = 1 };
	uint64_t full = kengine_agg_entries(4 << 20, &m, NCPUS, ANY);

	assert_true(full > 100000);
	for (uint64_t most = 0; most < 2 * full; most += 17) {
		uint64_t n = kengine_agg_entries(4 << 20, &m, NCPUS, most);
		assert_true(n >= BASE_MIN(most, full) && n > 0 && n <= full);
		assert_true(n <= BASE_MAX(4 * most, (uint64_t)1024));
	}
	assert_int_equal(kengine_agg_entries(100, &m, 1, 0), 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_maps),
		cmocka_unit_test(test_entries),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
