/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Whole clauses: predicate, branches, records, aggregations, faults.
 */
#include "world.h"

#define RET(d) R(RET, 0, 0, d)

/* DIFOs of the tests. */
static const uint64_t ints[] = {
	0, 1, KMEM, UMEM, 0x1000, 0x1122334455667788, 42, 2
};
#define DIFO(name, type, ...) \
	static const uint32_t name##_code[] = { __VA_ARGS__ }; \
	static const struct dif_difo name = { \
		.text = name##_code, .ntext = BASE_NELEMS(name##_code), \
		.ints = ints, .nints = BASE_NELEMS(ints), \
		.strs = rdif_strs, .strs_size = sizeof(rdif_strs), \
		.vars = rdif_vars, .nvars = BASE_NELEMS(rdif_vars), \
		.rtype = type }
#define INT8 RDIF_INT8
#define STR RDIF_STR
#define UREF { DIF_TYPE_CTF, DIF_CK_STRUCT, DIF_TF_BYREF | DIF_TF_BYUREF, 0, 8 }
#define REF { DIF_TYPE_CTF, DIF_CK_STRUCT, DIF_TF_BYREF, 0, 8 }

DIFO(zero, INT8, RET(0));
DIFO(one, INT8, W(SETX, 1, 1), RET(1));
DIFO(big, INT8, W(SETX, 5, 1), RET(1));
DIFO(forty_two, INT8, W(SETX, 6, 1), RET(1));
DIFO(hello, STR, W(SETS, S_HELLO, 1), RET(1));
DIFO(null_string, STR, RET(0));
DIFO(kernel, REF, W(SETX, 2, 1), RET(1));
DIFO(user, UREF, W(SETX, 3, 1), RET(1));
DIFO(wild, STR, W(SETX, 4, 1), RET(1));
DIFO(divide, INT8, W(SETX, 1, 1), R(NOP, 0, 0, 0), R(SDIV, 1, 0, 2), RET(2));
/* x++ */
DIFO(bump, INT8, W(LDGS, V_X, 1), W(SETX, 1, 2), R(ADD, 1, 2, 1),
     W(STGS, V_X, 1), RET(1));
DIFO(get_x, INT8, W(LDGS, V_X, 1), RET(1));

DIFO(two, INT8, W(SETX, 7, 1), RET(1));

static const struct dif_difo *const d_bump[] = { &bump };
static const struct dif_difo *const d_forty_two[] = { &forty_two };
static const struct dif_difo *const d_one[] = { &one };
static const struct dif_difo *const d_zero[] = { &zero };
static const struct dif_difo *const d_big[] = { &big };
static const struct dif_difo *const d_divide[] = { &divide };
static const struct dif_difo *const d_get_x[] = { &get_x };

static uint64_t
x_of(struct world *w)
{
	uint64_t v;

	assert_true(vm_run(&w->vm, &get_x, &v));
	return v;
}

static void
test_predicate(void **state)
{
	struct plan_node body = {
		.kind = PLAN_EXPR, .ndifos = 1, .difos = d_bump,
		.action_no = 1,
	};
	struct plan_clause c = { .body = &body };
	struct world w;

	world_init(&w);
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_DONE);
	c.pred = &one;
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_DONE);
	assert_int_equal(x_of(&w), 2);
	c.pred = &zero;
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_FALSE);
	c.pred = &divide;
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_FAULTED);
	expect_fault(&w, ABI_FAULT_DIVZERO, 0, 8);
	assert_int_equal(w.vm.fault.action, 0);
	assert_int_equal(x_of(&w), 2);
	assert_int_equal(w.nreserved, 0);
	world_fini(&w);
}

static void
test_default_action(void **state)
{
	struct plan_clause c = { .desc.record_size = 16 };
	struct world w;
	struct abi_record hdr;

	world_init(&w);
	assert_int_equal(vm_clause(&w.vm, &c, 9), VM_DONE);
	assert_int_equal(w.ncommitted, 1);
	memcpy(&hdr, w.record, sizeof(hdr));
	assert_int_equal(hdr.epid, 9);
	assert_int_equal(hdr.size, 16);
	assert_int_equal(hdr.timestamp, 123456789);
	w.full = true;
	assert_int_equal(vm_clause(&w.vm, &c, 9), VM_FALSE);
	assert_int_equal(w.vm.drops[ABI_DROP_PRINCIPAL], 1);
	world_fini(&w);
}

/* Every kind of field, one after another. */
static void
test_who(void **state)
{
	struct plan_clause c = { .desc = { .record_size = 40, .who = 16 } };
	struct world w;

	world_init(&w);
	w.tid = 5;
	strcpy(w.execname, "prog");
	assert_int_equal(vm_clause(&w.vm, &c, 9), VM_DONE);
	assert_int_equal(w.ncommitted, 1);
	assert_memory_equal((const char *)w.record + 16,
			    "\x42\0\0\0\5\0\0\0prog\0\0\0\0\0\0\0\0\0\0\0\0",
			    24);
	world_fini(&w);
}

static void
test_fields(void **state)
{
	static const struct abi_field fields[] = {
		{ ABI_FIELD_INT, 0, 0, 1, 16, 1 },
		{ ABI_FIELD_INT, 0, 0, 2, 18, 2 },
		{ ABI_FIELD_INT, 0, 0, 4, 20, 4 },
		{ ABI_FIELD_INT, 0, 0, 8, 24, 8 },
		{ ABI_FIELD_STRING, 0, 0, 1, 32, 8 },
		{ ABI_FIELD_STRING, 0, 0, 1, 40, 4 },	/* cut */
		{ ABI_FIELD_STRING, 0, 0, 1, 48, 8 },	/* NULL */
		{ ABI_FIELD_BYTES, 0, 0, 8, 56, 8 },
		{ ABI_FIELD_BYTES, 0, 0, 8, 64, 8 },	/* user */
		{ ABI_FIELD_PROBE, 0, 0, 4, 72, 4 },
		{ ABI_FIELD_STACK, 0, 0, 8, 80, 40 },
		{ ABI_FIELD_USTACK, 0, 0, 8, 120, 24 },
		{ ABI_FIELD_SYM, 0, 0, 8, 144, 8 },
		{ ABI_FIELD_USYM, 0, 0, 8, 152, 16 },
	};
	static const struct dif_difo *const difos[] = {
		&big, &big, &big, &big, &hello, &hello, &null_string, &kernel,
		&user, NULL, NULL, NULL, &big, &big, &bump,
	};
	static const struct abi_action action = { .nfields = 14 };
	struct plan_node body = {
		.kind = PLAN_RECORD, .ndifos = 15, .difos = difos,
		.action = &action, .action_no = 1,
	};
	const struct plan_clause c = {
		.body = &body,
		.desc = { .record_size = 168, .fields = fields, .nfields = 14 },
	};
	static const uint8_t small[] = { 0x88, 0, 0x88, 0x77,
					 0x88, 0x77, 0x66, 0x55 };
	const uint64_t *words;
	const char *bytes;
	struct world w;

	world_init(&w);
	memcpy(w.kmem, "k\0ernel!", 8);
	memcpy(w.umem, "u\0ser!!!", 8);
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_DONE);
	assert_int_equal(w.ncommitted, 1);
	words = w.record;
	bytes = (const char *)w.record;
	assert_memory_equal(bytes + 16, small, 8);
	assert_int_equal(words[3], 0x1122334455667788);
	assert_memory_equal(bytes + 32, "hello\0\0\0", 8);
	assert_memory_equal(bytes + 40, "hel\0\0\0\0\0", 8);
	assert_int_equal(words[6], 0);
	assert_memory_equal(bytes + 56, "k\0ernel!", 8);
	assert_memory_equal(bytes + 64, "u\0ser!!!", 8);
	assert_int_equal(words[9], 77);
	assert_int_equal(words[10], KMEM);
	assert_int_equal(words[12], KMEM + 2);
	assert_int_equal(words[13], 0);
	assert_int_equal(words[14], 0);
	assert_int_equal(words[15], 0x42);
	assert_int_equal(words[16], 0x400000);
	assert_int_equal(words[17], 0x400001);
	assert_int_equal(words[18], 0x1122334455667788);
	assert_int_equal(words[19], 0x42);
	assert_int_equal(words[20], 0x1122334455667788);
	assert_int_equal(x_of(&w), 1);	/* the DIFO behind the fields */
	world_fini(&w);
}

/* if (x) trace(big) else x++; one branch byte for the first arm */
static void
test_branch(void **state)
{
	static const struct abi_field fields[] = {
		{ ABI_FIELD_INT, 0, 0, 8, 24, 8 },
	};
	static const struct abi_action action = { .nfields = 1, .branch = 1 };
	struct plan_node trace = {
		.kind = PLAN_RECORD, .ndifos = 1, .difos = d_big,
		.action = &action,
	};
	struct plan_node bump_node = {
		.kind = PLAN_EXPR, .ndifos = 1, .difos = d_bump,
	};
	struct plan_node body = {
		.kind = PLAN_IF, .ndifos = 1, .difos = d_get_x, .branch = 1,
		.then_ = &trace, .else_ = &bump_node, .else_branch = 2,
	};
	const struct plan_clause c = {
		.body = &body,
		.desc = { .record_size = 32, .fields = fields, .nfields = 1,
			  .nbranches = 2 },
	};
	struct world w;

	world_init(&w);
	/* x is 0: nothing to record, so no record */
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_DONE);
	assert_int_equal(w.ndiscarded, 1);
	assert_int_equal(w.ncommitted, 0);
	assert_int_equal(x_of(&w), 1);
	assert_int_equal(w.record[2], 0x100);
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_DONE);
	assert_int_equal(w.ncommitted, 1);
	assert_int_equal(w.record[2], 1);
	assert_int_equal(w.record[3], 0x1122334455667788);
	assert_int_equal(x_of(&w), 1);
	world_fini(&w);
}

/* if (x) ; else if (x) ; else trace(big): a record two arms down */
static void
test_nested_branch(void **state)
{
	static const struct abi_field fields[] = {
		{ ABI_FIELD_INT, 0, 0, 8, 24, 8 },
	};
	static const struct abi_action action = { .nfields = 1, .branch = 2 };
	struct plan_node trace = {
		.kind = PLAN_RECORD, .ndifos = 1, .difos = d_big,
		.action = &action,
	};
	struct plan_node inner = {
		.kind = PLAN_IF, .ndifos = 1, .difos = d_get_x,
		.else_ = &trace, .else_branch = 2,
	};
	struct plan_node outer = {
		.kind = PLAN_IF, .ndifos = 1, .difos = d_get_x,
		.else_ = &inner, .else_branch = 1,
	};
	struct plan_node first = {
		.kind = PLAN_EXPR, .ndifos = 1, .difos = d_one, .next = &outer,
	};
	const struct plan_clause c = {
		.body = &first,
		.desc = { .record_size = 32, .fields = fields, .nfields = 1,
			  .nbranches = 2 },
	};
	struct world w;
	uint64_t v;

	world_init(&w);
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_DONE);
	assert_int_equal(w.ncommitted, 1);
	assert_int_equal(w.record[2], 0x101);
	assert_int_equal(w.record[3], 0x1122334455667788);
	assert_true(vm_run(&w.vm, &bump, &v));
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_DONE);
	assert_int_equal(w.ncommitted, 1);
	assert_int_equal(w.ndiscarded, 1);
	assert_int_equal(w.record[1], 123456789);	/* no byte 0 of branches */
	world_fini(&w);
}

/* if (x) ; else x++: arms that record nothing, in a clause without a record */
static void
test_branch_without_record(void **state)
{
	struct plan_node bump_node = {
		.kind = PLAN_EXPR, .ndifos = 1, .difos = d_bump,
	};
	struct plan_node body = {
		.kind = PLAN_IF, .ndifos = 1, .difos = d_get_x, .branch = 1,
		.else_ = &bump_node, .else_branch = 2,
	};
	const struct plan_clause c = { .body = &body };
	struct world w;

	world_init(&w);
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_DONE);
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_DONE);
	assert_int_equal(x_of(&w), 1);
	assert_int_equal(w.nreserved, 0);
	world_fini(&w);
}

/* trace(1); if (0) trace(big): committed, the branch byte says what ran */
static void
test_record_outside_branch(void **state)
{
	static const struct abi_field fields[] = {
		{ ABI_FIELD_INT, 0, 0, 8, 24, 8 },
		{ ABI_FIELD_INT, 0, 0, 8, 32, 8 },
	};
	static const struct abi_action first = { .nfields = 1 };
	static const struct abi_action second = {
		.nfields = 1, .field = 1, .branch = 1,
	};
	struct plan_node inner = {
		.kind = PLAN_RECORD, .ndifos = 1, .difos = d_big,
		.action = &second,
	};
	struct plan_node cond = {
		.kind = PLAN_IF, .ndifos = 1, .difos = d_zero, .branch = 1,
		.then_ = &inner,
	};
	struct plan_node body = {
		.kind = PLAN_RECORD, .ndifos = 1, .difos = d_one,
		.action = &first, .next = &cond,
	};
	const struct plan_clause c = {
		.body = &body,
		.desc = { .record_size = 40, .fields = fields, .nfields = 2,
			  .nbranches = 1 },
	};
	struct world w;

	world_init(&w);
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_DONE);
	assert_int_equal(w.ncommitted, 1);
	assert_int_equal(w.record[2], 0);
	assert_int_equal(w.record[3], 1);
	assert_int_equal(w.record[4], 0);
	world_fini(&w);
}

static void
test_aggregations(void **state)
{
	static const struct abi_field keys[] = {
		{ ABI_FIELD_INT, 0, 0, 4, 0, 4 },
		{ ABI_FIELD_STRING, 0, 0, 1, 4, 8 },
	};
	static struct abi_agg_desc aggs[] = {
		{ .name = "", .id = 1, .func = ABI_AGG_COUNT, .ncells = 1 },
		{ .name = "q", .id = 2, .func = ABI_AGG_QUANTIZE, .nkeys = 2,
		  .key_size = 12, .ncells = 127, .keys = keys },
	};
	static const struct dif_difo *const difos[] = {
		&big, &hello, &forty_two, &get_x,
	};
	struct plan_node quantize = {
		.kind = PLAN_AGG, .ndifos = 4, .difos = difos, .agg = &aggs[1],
		.has_value = true, .has_incr = true,
	};
	struct plan_node count = {
		.kind = PLAN_AGG, .agg = &aggs[0], .next = &quantize,
	};
	struct plan_node first = {
		.kind = PLAN_EXPR, .ndifos = 1, .difos = d_bump, .next = &count,
	};
	const struct plan_clause c = { .body = &first };
	struct world w = { .prog = { .aggs = aggs, .naggs = 2 } };

	world_vars(&w);
	world_start(&w, 64, 1);
	for (int i = 0; i < 3; i++)
		assert_int_equal(vm_clause(&w.vm, &c, 1), VM_DONE);
	assert_int_equal(w.ngroups, 2);
	assert_int_equal(w.groups[0].cells[0], 3);
	assert_memory_equal(w.groups[1].key, "\x88\x77\x66\x55hello\0\0\0", 12);
	/* 42 is in the bucket of 32; the increments were 1, 2, 3 */
	assert_int_equal(w.groups[1].cells[63 + 6], 6);
	assert_int_equal(w.nreserved, 0);
	/* no room for a new key: counted, and the clause goes on */
	w.ngroups = w.max_groups = 0;
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_DONE);
	assert_int_equal(w.vm.drops[ABI_DROP_AGGREGATION], 2);
	assert_int_equal(x_of(&w), 4);
	world_fini(&w);
}

/* A key, the value or the increment faults: nothing is added. */
static void
test_aggregation_faults(void **state)
{
	static const struct abi_field keys[] = {
		{ ABI_FIELD_INT, 0, 0, 8, 0, 8 },
	};
	static struct abi_agg_desc agg = {
		.id = 1, .func = ABI_AGG_QUANTIZE, .nkeys = 1, .key_size = 8,
		.ncells = 127, .keys = keys,
	};
	struct world w = { .prog = { .aggs = &agg, .naggs = 1 } };

	world_vars(&w);
	world_start(&w, 64, 1);
	for (unsigned bad = 0; bad < 3; bad++) {
		const struct dif_difo *difos[] = { &one, &one, &one };
		struct plan_node node = {
			.kind = PLAN_AGG, .ndifos = 3, .difos = difos,
			.agg = &agg, .has_value = true, .has_incr = true,
		};
		struct plan_clause c = { .body = &node };

		difos[bad] = &divide;
		assert_int_equal(vm_clause(&w.vm, &c, 1), VM_FAULTED);
		expect_fault(&w, ABI_FAULT_DIVZERO, 0, 8);
		assert_int_equal(w.ngroups, 0);
	}
	world_fini(&w);
}

/* x++; trace(1 / 0); x++ */
static void
test_fault(void **state)
{
	static const struct abi_field fields[] = {
		{ ABI_FIELD_INT, 0, 0, 8, 16, 8 },
		{ ABI_FIELD_STRING, 0, 0, 1, 16, 8 },
	};
	static struct abi_action action = { .nfields = 1 };
	static const struct dif_difo *const d_wild[] = { &wild };
	struct plan_node last = {
		.kind = PLAN_EXPR, .ndifos = 1, .difos = d_bump,
		.action_no = 3,
	};
	struct plan_node trace = {
		.kind = PLAN_RECORD, .ndifos = 1, .difos = d_divide,
		.action = &action, .action_no = 2, .next = &last,
	};
	struct plan_node first = {
		.kind = PLAN_EXPR, .ndifos = 1, .difos = d_bump,
		.action_no = 1, .next = &trace,
	};
	const struct plan_clause c = {
		.body = &first,
		.desc = { .record_size = 24, .fields = fields, .nfields = 2 },
	};
	struct abi_error_record e;
	struct world w;

	world_init(&w);
	action.field = 0;
	assert_int_equal(vm_clause(&w.vm, &c, 4), VM_FAULTED);
	expect_fault(&w, ABI_FAULT_DIVZERO, 0, 8);
	assert_int_equal(w.vm.fault.action, 2);
	assert_int_equal(w.ndiscarded, 1);
	assert_int_equal(w.ncommitted, 0);
	assert_int_equal(x_of(&w), 1);	/* what was stored stays */
	vm_error_record(&w.vm, 4, &e);
	assert_int_equal(e.hdr.epid, ABI_EPID_ERROR);
	assert_int_equal(e.hdr.size, sizeof(e));
	assert_int_equal(e.hdr.timestamp, 123456789);
	assert_int_equal(e.epid, 4);
	assert_int_equal(e.action, 2);
	assert_int_equal(e.dif_offset, 8);
	assert_int_equal(e.fault, ABI_FAULT_DIVZERO);
	/* while the result is copied out */
	action.field = 1;
	trace.difos = d_wild;
	assert_int_equal(vm_clause(&w.vm, &c, 4), VM_FAULTED);
	expect_fault(&w, ABI_FAULT_BADADDR, 0x1000, -1);
	world_fini(&w);
}

/* Scratch starts afresh for each clause, clause-locals for each firing. */
static void
test_lifetimes(void **state)
{
	DIFO(claim, INT8, W(SETX, 6, 1), R(ALLOCS, 1, 0, 2), RET(2));
	DIFO(bump_local, INT8, W(LDLS, V_L, 1), W(SETX, 1, 2),
	     R(ADD, 1, 2, 1), W(STLS, V_L, 1), W(STGS, V_X, 1), RET(1));
	static const struct dif_difo *const d_claim[] = { &claim };
	static const struct dif_difo *const d_local[] = { &bump_local };
	struct plan_node second = {
		.kind = PLAN_EXPR, .ndifos = 1, .difos = d_local,
	};
	struct plan_node first = {
		.kind = PLAN_EXPR, .ndifos = 1, .difos = d_claim,
		.next = &second,
	};
	const struct plan_clause c = { .body = &first };
	struct world w;

	memset(&w, 0, sizeof(w));
	world_vars(&w);
	world_start(&w, 48, 1);		/* room for one claim of 42 */
	for (int i = 0; i < 3; i++)
		assert_int_equal(vm_clause(&w.vm, &c, 1), VM_DONE);
	assert_int_equal(x_of(&w), 3);
	vm_fire(&w.vm);
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_DONE);
	assert_int_equal(x_of(&w), 1);
	world_fini(&w);
}

static void
test_act(void **state)
{
	struct plan_node last = {
		.kind = PLAN_EXPR, .ndifos = 1, .difos = d_bump,
		.action_no = 2,
	};
	struct plan_node act = {
		.kind = PLAN_ACT, .act = ABI_ACT_RAISE, .ndifos = 1,
		.difos = d_forty_two, .action_no = 1, .next = &last,
	};
	struct plan_clause c = { .body = &act };
	struct world w;

	world_init(&w);
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_DONE);
	assert_int_equal(w.act, ABI_ACT_RAISE);
	assert_int_equal(w.act_value, 42);
	assert_int_equal(x_of(&w), 1);
	act.act = ABI_ACT_STOP;
	act.ndifos = 0;
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_DONE);
	assert_int_equal(w.act, ABI_ACT_STOP);
	assert_int_equal(w.act_value, 0);
	assert_int_equal(x_of(&w), 2);
	act.ndifos = 1;
	act.difos = d_big;
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_FAULTED);
	expect_fault(&w, ABI_FAULT_ILLOP, 0, -1);
	assert_int_equal(w.vm.fault.action, 1);
	assert_int_equal(x_of(&w), 2);
	world_fini(&w);
}

/* tracemem() with a length: as much as that, or as there is room for. */
static void
test_dump(void **state)
{
	static const struct abi_field fields[] = {
		{ ABI_FIELD_BYTES, 0, 0, 8, 16, 8 },
		{ ABI_FIELD_INT, 1, 0, 8, 24, 8 },
	};
	static const struct dif_difo *const some[] = { &kernel, &two };
	static const struct dif_difo *const all[] = { &kernel, &zero };
	static const struct dif_difo *const more[] = { &kernel, &big };
	static const struct abi_action action = {
		.kind = ABI_ACT_TRACEMEM_DYNSIZE, .nfields = 2,
	};
	struct plan_node body = {
		.kind = PLAN_RECORD, .ndifos = 2, .action = &action,
		.action_no = 1,
	};
	struct plan_clause c = { .body = &body, .desc = {
		.record_size = 32, .nactions = 1, .nfields = 2,
		.actions = &action, .fields = fields } };
	uint8_t want[8];
	struct world w;

	world_init(&w);
	body.difos = all;
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_DONE);
	memcpy(want, &w.record[2], 8);
	assert_int_equal(w.record[3], 0);
	body.difos = more;
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_DONE);
	assert_memory_equal(&w.record[2], want, 8);
	body.difos = some;
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_DONE);
	memset(want + 2, 0, 6);
	assert_memory_equal(&w.record[2], want, 8);
	assert_int_equal(w.record[3], 2);
	world_fini(&w);
}

/* printm(): address and length are words of memory. */
static void
test_memref(void **state)
{
	static const struct abi_field fields[] = {
		{ ABI_FIELD_BYTES, 0, 0, 8, 16, 8 },
		{ ABI_FIELD_INT, 1, 0, 8, 24, 8 },
	};
	static const struct dif_difo *const at[] = { &kernel };
	static const struct dif_difo *const nowhere[] = { &one };
	static const struct abi_action action = {
		.kind = ABI_ACT_PRINTM, .nfields = 2,
	};
	struct plan_node body = {
		.kind = PLAN_RECORD, .ndifos = 1, .difos = at,
		.action = &action, .action_no = 1,
	};
	struct plan_clause c = { .body = &body, .desc = {
		.record_size = 32, .nactions = 1, .nfields = 2,
		.actions = &action, .fields = fields } };
	uint64_t pair[2] = { KMEM + 16, 3 };
	struct world w;

	world_init(&w);
	memcpy(w.kmem, pair, sizeof(pair));
	memcpy(w.kmem + 16, "abcd", 4);
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_DONE);
	assert_memory_equal(&w.record[2], "abc\0\0\0\0", 8);
	assert_int_equal(w.record[3], 3);
	pair[0] = 8;
	memcpy(w.kmem, pair, sizeof(pair));
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_FAULTED);
	expect_fault(&w, ABI_FAULT_BADADDR, 8, -1);
	body.difos = nowhere;
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_FAULTED);
	expect_fault(&w, ABI_FAULT_BADADDR, 1, -1);
	world_fini(&w);
}

/* --- Loops and functions -------------------------------------------------- */

#define CALLF(n) DIF_FMT_W(DIF_OP_CALLF, n, 0)
DIFO(below_three, INT8, W(LDGS, V_X, 1), W(SETX, 1, 2), R(SLL, 2, 2, 3),
     R(ADD, 3, 2, 3), R(CMP, 1, 3, 0), B(BL, 8), R(MOV, 0, 0, 1),
     B(BA, 9), R(MOV, 2, 0, 1), RET(1));
DIFO(call_first, INT8, CALLF(0), W(LDGS, V_X, 1), RET(1));
DIFO(call_second, INT8, W(SETX, 6, 3), CALLF(1), RET(3));
static const struct dif_difo *const d_below_three[] = { &below_three };
static const struct dif_difo *const d_call_first[] = { &call_first };
static const struct dif_difo *const d_call_second[] = { &call_second };

static const struct plan_node bump_node = {
	.kind = PLAN_EXPR, .ndifos = 1, .difos = d_bump, .action_no = 2,
};

/* While x is below 3. */
static void
test_loop(void **state)
{
	struct plan_node loop = {
		.kind = PLAN_LOOP, .ndifos = 1, .difos = d_below_three,
		.then_ = &bump_node, .action_no = 1, .place = 7,
	};
	const struct plan_clause c = { .body = &loop };
	struct world w;

	world_init(&w);
	w.prog.loopmax = 100;
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_DONE);
	assert_int_equal(x_of(&w), 3);
	loop.is_post = true;	/* the first turn is free */
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_DONE);
	assert_int_equal(x_of(&w), 4);
	world_fini(&w);
}

/* As many turns as allowed, and no more. */
static void
test_loop_limits(void **state)
{
	struct plan_node stop = { .kind = PLAN_BREAK };
	struct plan_node step = bump_node;
	struct plan_node loop = {
		.kind = PLAN_LOOP, .then_ = &step, .action_no = 1, .place = 7,
	};
	const struct plan_clause c = { .body = &loop };
	struct world w;

	world_init(&w);
	w.prog.loopmax = 10;
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_FAULTED);
	expect_fault(&w, ABI_FAULT_LOOP, 0, -1);
	assert_int_equal(w.vm.fault.action, 1);
	assert_int_equal(w.vm.fault.place, 7);
	assert_int_equal(x_of(&w), 10);
	step.next = &stop;
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_DONE);
	assert_int_equal(x_of(&w), 11);
	step.next = NULL;
	w.prog.loopmax = UINT32_MAX;
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_FAULTED);
	assert_int_equal(x_of(&w), 11 + PLAN_TURNS_MAX + 1);
	world_fini(&w);
}

/* Functions call those before them only; registers survive. */
static void
test_functions(void **state)
{
	struct plan_node leave = { .kind = PLAN_RETURN };
	struct plan_node inner[] = {
		{ .kind = PLAN_EXPR, .ndifos = 1, .difos = d_bump,
		  .next = &leave },
		{ .kind = PLAN_EXPR, .ndifos = 1, .difos = d_call_first,
		  .next = &inner[2], .tells_place = true, .place = 4 },
		{ .kind = PLAN_EXPR, .ndifos = 1, .difos = d_call_second },
	};
	struct plan_func funcs[] = { { "f", &inner[0] }, { "g", &inner[1] } };
	struct world w;
	uint64_t v;

	world_init(&w);
	w.prog.funcs = funcs;
	w.prog.nfuncs = w.vm.nfuncs = 2;
	assert_true(vm_run(&w.vm, &call_first, &v));
	assert_int_equal(v, 1);
	assert_false(vm_run(&w.vm, &call_second, &v));	/* g calls g */
	expect_fault(&w, ABI_FAULT_ILLOP, 0, 4);
	assert_int_equal(x_of(&w), 2);
	world_fini(&w);
}

/* Entries one behind the other, and no more than fit. */
static void
test_log(void **state)
{
	static const struct abi_field field = { ABI_FIELD_INT, 0, 0, 8, 8, 8 };
	static const struct abi_action action = { .nfields = 1 };
	struct plan_node record = {
		.kind = PLAN_RECORD, .ndifos = 1, .difos = d_forty_two,
		.action = &action, .action_no = 2,
	};
	struct plan_node step = { .kind = PLAN_EXPR, .ndifos = 1,
				  .difos = d_bump, .next = &record };
	struct plan_node loop = {
		.kind = PLAN_LOOP, .ndifos = 1, .difos = d_below_three,
		.then_ = &step, .action_no = 1,
	};
	struct plan_clause c = {
		.body = &loop,
		.desc = { .record_size = 16 + 2 * 16, .fields = &field,
			  .nfields = 1, .actions = &action, .nactions = 1,
			  .is_log = true },
	};
	struct world w;

	world_init(&w);
	w.prog.loopmax = 100;
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_FAULTED);
	expect_fault(&w, ABI_FAULT_LOOPREC, 0, -1);
	assert_int_equal(w.ncommitted, 0);
	assert_int_equal(w.ndiscarded, 1);
	c.desc.record_size = 16 + 9 * 16;
	loop.difos = d_zero;
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_DONE);
	assert_int_equal(w.ncommitted, 0);	/* nothing was recorded */
	loop.is_post = true;
	assert_int_equal(vm_clause(&w.vm, &c, 1), VM_DONE);
	assert_int_equal(w.ncommitted, 1);
	assert_int_equal(w.record[0] >> 32, 16 + 16);
	assert_int_equal(w.record[2], 16ULL << 32);
	assert_int_equal(w.record[3], 42);
	world_fini(&w);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_predicate),
		cmocka_unit_test(test_default_action),
		cmocka_unit_test(test_who),
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_branch),
		cmocka_unit_test(test_nested_branch),
		cmocka_unit_test(test_branch_without_record),
		cmocka_unit_test(test_record_outside_branch),
		cmocka_unit_test(test_aggregations),
		cmocka_unit_test(test_aggregation_faults),
		cmocka_unit_test(test_fault),
		cmocka_unit_test(test_lifetimes),
		cmocka_unit_test(test_act),
		cmocka_unit_test(test_dump),
		cmocka_unit_test(test_memref),
		cmocka_unit_test(test_loop),
		cmocka_unit_test(test_loop_limits),
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_log),
	};

	return cmocka_run_group_tests_name("vm-plan", tests, NULL, NULL);
}
