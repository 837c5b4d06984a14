/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Speculations: what is free, what a record's tag is, when a commit is told.
 */
#include "world.h"

#define RET(d) R(RET, 0, 0, d)

static const uint64_t ints[] = { 0, 1, 2, 3, (uint64_t)-1, 1ULL << 32 | 1 };

#define DIFO(name, ...) \
	static const uint32_t name##_code[] = { __VA_ARGS__ }; \
	static const struct dif_difo name = { \
		.text = name##_code, .ntext = BASE_NELEMS(name##_code), \
		.ints = ints, .nints = BASE_NELEMS(ints), \
		.strs = rdif_strs, .strs_size = sizeof(rdif_strs), \
		.vars = rdif_vars, .nvars = BASE_NELEMS(rdif_vars), \
		.rtype = RDIF_INT8 }

DIFO(take, W(CALL, DIF_SUBR_SPECULATION, 1), RET(1));
DIFO(id0, RET(0));
DIFO(id1, W(SETX, 1, 1), RET(1));
DIFO(id2, W(SETX, 2, 1), RET(1));
DIFO(id3, W(SETX, 3, 1), RET(1));
DIFO(negative, W(SETX, 4, 1), RET(1));
DIFO(wide, W(SETX, 5, 1), RET(1));	/* an int: 1 */
DIFO(divide, W(SETX, 1, 1), R(SDIV, 1, 0, 2), RET(2));

/* What a step does, with which id; then what is to come of it. */
enum op { TAKE, SPECULATE, COMMIT, DISCARD };
enum { NOTHING = -1, FAULT = -2 };

struct step {
	enum op op;
	const struct dif_difo *id;
	int64_t want;		/* TAKE: the id; else the tag sent */
};

#define TAG(id, gen) ((int64_t)ABI_SPEC_TAG(id, gen))
#define DISCARDED(id, gen) (TAG(id, gen) | ABI_SPEC_END_DISCARD)

static int64_t
run(struct world *w, enum op op, const struct dif_difo *const *id)
{
	static const struct abi_field fields[] = {
		{ ABI_FIELD_INT, 0, 0, 8, 24, 8 },
	};
	static const struct abi_action action = { .nfields = 1 };
	static const uint32_t acts[] = {
		[SPECULATE] = ABI_ACT_SPECULATE, [COMMIT] = ABI_ACT_COMMIT,
		[DISCARD] = ABI_ACT_DISCARD,
	};
	struct plan_node record = {
		.kind = PLAN_RECORD, .ndifos = 1, .difos = id,
		.action = &action,
	};
	struct plan_node spec = {
		.kind = PLAN_SPEC, .ndifos = 1, .difos = id, .act = acts[op],
		.next = op == SPECULATE ? &record : NULL,
	};
	const struct plan_clause c = {
		.body = &spec,
		.desc = { .record_size = op == SPECULATE ? 32 : 0,
			  .fields = fields, .nfields = 1, .spec = 16 },
	};
	unsigned before = w->ncommitted;

	if (vm_clause(&w->vm, &c, 1) == VM_FAULTED)
		return FAULT;
	return w->ncommitted == before ? NOTHING : (int64_t)w->record[2];
}

static void
play(const struct step *steps, size_t n, const uint64_t drops[3])
{
	struct world w;
	uint64_t v;

	world_init(&w);
	for (size_t i = 0; i < n; i++) {
		const struct step *s = &steps[i];
		int64_t got = s->want;
		if (s->op == TAKE) {
			assert_true(vm_run(&w.vm, &take, &v));
			got = (int64_t)v;
		} else {
			got = run(&w, s->op, &s->id);
		}
		if (got != s->want)
			fail_msg("step %zu: %lld, not %lld", i,
				 (long long)got, (long long)s->want);
	}
	assert_int_equal(w.vm.drops[ABI_DROP_SPEC], drops[0]);
	assert_int_equal(w.vm.drops[ABI_DROP_SPECBUSY], drops[1]);
	assert_int_equal(w.vm.drops[ABI_DROP_SPECUNAVAIL], drops[2]);
	world_fini(&w);
}

#define PLAY(steps, ...) \
	play(steps, BASE_NELEMS(steps), (const uint64_t[3]){ __VA_ARGS__ })

/* The smallest free id; what has ended is free at once. */
static void
test_taking(void **state)
{
	static const struct step steps[] = {
		{ TAKE, .want = 1 }, { TAKE, .want = 2 },
		{ TAKE, .want = 0 },			/* unavailable */
		{ DISCARD, &id1, NOTHING }, { TAKE, .want = 1 },
		{ COMMIT, &id2, TAG(2, 0) }, { TAKE, .want = 2 },
		{ TAKE, .want = 0 },			/* unavailable */
	};

	PLAY(steps, 0, 0, 2);
}

static void
test_tags(void **state)
{
	static const struct step steps[] = {
		{ SPECULATE, &id1, NOTHING },		/* idle */
		{ TAKE, .want = 1 },
		{ SPECULATE, &id1, TAG(1, 0) },
		{ SPECULATE, &wide, TAG(1, 0) },
		{ SPECULATE, &id0, NOTHING },
		{ COMMIT, &id1, TAG(1, 0) },
		{ SPECULATE, &id1, NOTHING },		/* it is over */
		{ COMMIT, &id1, NOTHING },
		{ DISCARD, &id1, NOTHING },
		{ TAKE, .want = 1 },
		{ SPECULATE, &id1, TAG(1, 1) },
		{ DISCARD, &id1, DISCARDED(1, 1) },
		{ DISCARD, &id1, NOTHING },
		{ TAKE, .want = 1 },
		{ DISCARD, &id1, NOTHING },		/* it had nothing */
		{ TAKE, .want = 1 },
		{ SPECULATE, &id1, TAG(1, 3) },
		{ COMMIT, &id1, TAG(1, 3) },
		{ COMMIT, &id1, NOTHING },
	};

	PLAY(steps, 0, 0, 0);
}

static void
test_ids(void **state)
{
	static const struct step steps[] = {
		{ SPECULATE, &id3, NOTHING }, { COMMIT, &id3, NOTHING },
		{ DISCARD, &id3, NOTHING }, { SPECULATE, &negative, NOTHING },
		{ COMMIT, &negative, NOTHING }, { DISCARD, &negative, NOTHING },
		{ COMMIT, &id0, NOTHING }, { DISCARD, &id0, NOTHING },
		{ COMMIT, &id2, NOTHING }, { COMMIT, &divide, FAULT },
	};

	PLAY(steps, 0, 0, 0);
}

/* Two records of 32 bytes fit 64; each speculation has its own room, and the
 * next generation has it anew. */
static void
test_room(void **state)
{
	static const struct step steps[] = {
		{ TAKE, .want = 1 }, { TAKE, .want = 2 },
		{ SPECULATE, &id1, TAG(1, 0) }, { SPECULATE, &id1, TAG(1, 0) },
		{ SPECULATE, &id1, NOTHING },
		{ SPECULATE, &id2, TAG(2, 0) },
		{ DISCARD, &id1, DISCARDED(1, 0) }, { TAKE, .want = 1 },
		{ SPECULATE, &id1, TAG(1, 1) }, { SPECULATE, &id1, TAG(1, 1) },
		{ SPECULATE, &id1, NOTHING },
	};

	PLAY(steps, 2, 0, 0);
}

/* What a commit's record says; without room for it, it is a drop. */
static void
test_commit_record(void **state)
{
	struct abi_spec_end r;
	const struct dif_difo *id = &id1;
	struct world w;
	uint64_t v;

	world_init(&w);
	assert_true(vm_run(&w.vm, &take, &v));
	assert_int_equal(run(&w, COMMIT, &id), TAG(1, 0));
	memcpy(&r, w.record, sizeof(r));
	assert_int_equal(r.hdr.epid, ABI_EPID_SPEC_END);
	assert_int_equal(r.hdr.size, sizeof(r));
	assert_int_equal(r.hdr.timestamp, 123456789);
	assert_true(vm_run(&w.vm, &take, &v));
	w.full = true;
	assert_int_equal(run(&w, COMMIT, &id), NOTHING);
	assert_int_equal(w.vm.drops[ABI_DROP_PRINCIPAL], 1);
	world_fini(&w);
}

/* Nothing behind a speculate() of what is not there happens. */
static void
test_quits(void **state)
{
	const struct dif_difo *id = &id1, *id_none = &id2, *bad = &divide;
	struct plan_node fails = { .kind = PLAN_EXPR, .ndifos = 1,
		.difos = &bad };
	struct plan_node spec = { .kind = PLAN_SPEC, .ndifos = 1,
		.difos = &id_none, .act = ABI_ACT_SPECULATE, .next = &fails };
	struct plan_node cond = { .kind = PLAN_IF, .ndifos = 1, .difos = &id,
		.then_ = &spec, .next = &fails };
	const struct plan_clause c = { .body = &cond,
		.desc = { .record_size = 24, .spec = 16 } };
	struct world w;

	world_init(&w);
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_DONE);
	assert_int_equal(w.ncommitted, 0);
	spec.difos = &bad;
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_FAULTED);
	world_fini(&w);
}

/* if (1) { speculate(1); trace(1) } trace(2): two records, and a fault in the
 * second leaves the first. */
static void
test_parts(void **state)
{
	static const struct abi_field fields[] = {
		{ ABI_FIELD_INT, 0, 0, 8, 32, 8 },
		{ ABI_FIELD_INT, 0, 0, 8, 40, 8 },
	};
	static const struct abi_action first = { .nfields = 1, .branch = 1 };
	static const struct abi_action second = {
		.nfields = 1, .field = 1, .branch = 2 };
	static const struct dif_difo *const d1[] = { &id1 }, *const d2[] = {
		&id2 }, *const bad[] = { &divide };
	struct plan_node trace1 = { .kind = PLAN_RECORD, .ndifos = 1,
		.difos = d1, .action = &first };
	struct plan_node part1 = { .kind = PLAN_PART, .then_ = &trace1,
		.branch = 1 };
	struct plan_node spec = { .kind = PLAN_SPEC, .ndifos = 1, .difos = d1,
		.act = ABI_ACT_SPECULATE, .next = &part1 };
	struct plan_node trace2 = { .kind = PLAN_RECORD, .ndifos = 1,
		.difos = d2, .action = &second };
	struct plan_node part2 = { .kind = PLAN_PART, .then_ = &trace2,
		.branch = 2 };
	struct plan_node cond = { .kind = PLAN_IF, .ndifos = 1, .difos = d1,
		.then_ = &spec, .next = &part2 };
	const struct plan_clause c = { .body = &cond, .in_parts = true,
		.desc = { .record_size = 48, .fields = fields, .nfields = 2,
			  .nbranches = 2, .spec = 24 } };
	struct world w;
	uint64_t v;

	world_init(&w);
	assert_true(vm_run(&w.vm, &take, &v));
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_DONE);
	assert_int_equal(w.ncommitted, 2);
	assert_int_equal(w.record[2], 0x100);	/* branch bytes */
	assert_int_equal(w.record[3], 0);	/* no tag */
	assert_int_equal(w.record[5], 2);
	trace2.difos = bad;
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_FAULTED);
	assert_int_equal(w.ncommitted, 2);
	assert_int_equal(w.ndiscarded, 2);	/* specsize, and the fault */
	assert_int_equal(w.vm.drops[ABI_DROP_SPEC], 1);
	trace2.difos = d2;
	w.full = true;
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_FALSE);
	world_fini(&w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_taking),
		cmocka_unit_test(test_tags),
		cmocka_unit_test(test_ids),
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_commit_record),
		cmocka_unit_test(test_quits),
		cmocka_unit_test(test_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
