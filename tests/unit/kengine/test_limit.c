/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How much a session may take of a machine, by its memory and CPUs.  Values are
 * worked out by hand where a size is fixed; else what counts is that the sum
 * of all that is allowed fits.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/base.h"
#include "bpfrt/bpfrt.h"
#include "kengine/kengine_priv.h"
#include "kengine/size_priv.h"

#define K (1ULL << 10)
#define M (1ULL << 20)
#define G (1ULL << 30)

static const struct plan_prog nothing;

static void
test_buffers(void **state)
{
	static const struct { uint64_t memory; unsigned online; uint64_t want; }
	rows[] = {
		{ 8 * G, 1, G }, { 8 * G, 2, 512 * M }, { 8 * G, 8, 128 * M },
		/* Rings are powers of 2, and no ring is larger than 1g. */
		{ 8 * G, 3, 256 * M }, { 8 * G - 1, 1, 512 * M },
		{ 1024 * G, 1, G },
		/* Never less than a page. */
		{ 64 * K, 16, 4 * K }, { 0, 1, 4 * K }, { 0, 0, 4 * K },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		assert_int_equal(kengine_limit(OPT_BUFSIZE, &nothing,
				 rows[i].memory, 64, rows[i].online),
				 rows[i].want);
}

/* All hashes of all aggregations together, filled as they are sized, fit. */
static void
test_aggs(void **state)
{
	/* Strings as long as the last have hashes for brief keys, too. */
	static const struct {
		uint32_t n, key, cells;
		unsigned ncpus, hashes;
	} rows[] = {
		{ 1, 8, 1, 1, 2 }, { 20, 8, 1, 2, 2 }, { 20, 8, 1, 16, 2 },
		{ 20, 16, 127, 1, 2 }, { 10, 256, 127, 8, 4 },
	};
	struct abi_agg_desc d[20];
	const uint64_t memory = 64 * G;

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct abi_field key = { .kind = ABI_FIELD_STRING,
					 .size = rows[i].key };
		for (uint32_t k = 0; k < rows[i].n; k++)
			d[k] = (struct abi_agg_desc){ .nkeys = 1,
				.keys = &key, .key_size = rows[i].key,
				.ncells = rows[i].cells };
		struct plan_prog p = { .aggs = d, .naggs = rows[i].n };
		uint64_t size = kengine_limit(OPT_AGGSIZE, &p, memory,
					      rows[i].ncpus, rows[i].ncpus);
		struct ebpf_aggmap m = { .naggs = 1, .key_size = rows[i].key,
			.ncells = BASE_MIN(rows[i].cells, (uint32_t)ABI_PIECE) };
		uint64_t elements = kengine_agg_entries(size, &m, rows[i].ncpus,
							UINT64_MAX);
		uint64_t all = rows[i].n * rows[i].hashes * elements *
			(rows[i].key + ABI_TAG_SIZE + m.ncells * 8 +
			 KENGINE_HASH_OVERHEAD);
		assert_true(all <= memory / 8);
		/* Many CPUs make no hash larger than that. */
		assert_true(all > memory / 8 - memory / 64 ||
			    elements >= 1 << 20);
		assert_int_equal(size % (size < M ? 4 * K : M), 0);
	}
}

static void
test_aggs_without_keys(void **state)
{
	struct abi_agg_desc d = { .ncells = 1 };
	struct plan_prog p = { .aggs = &d, .naggs = 1 };

	assert_int_equal(kengine_limit(OPT_AGGSIZE, &p, 8 * G, 4, 4), G);
	assert_int_equal(kengine_limit(OPT_AGGSIZE, &nothing, 8 * G, 4, 4), G);
}

static void
test_dynvars(void **state)
{
	static const struct plan_var vars[] = {
		{ .scope = DIF_VS_GLOBAL, .kind = DIF_VK_SCALAR },
		{ .scope = DIF_VS_GLOBAL, .kind = DIF_VK_ARRAY },
		{ .scope = DIF_VS_THREAD, .kind = DIF_VK_SCALAR },
		{ .scope = DIF_VS_LOCAL, .kind = DIF_VK_SCALAR },
		{ .scope = DIF_VS_THREAD, .kind = DIF_VK_ARRAY },
		{ .scope = DIF_VS_THREAD, .kind = DIF_VK_SCALAR },
	};
	/* Up to which variable, and how many of these are dynamic. */
	static const struct { uint32_t n; uint64_t want; } rows[] = {
		{ 0, G }, { 1, G }, { 2, G }, { 3, G / 2 }, { 4, G / 2 },
		{ 5, 341 * M }, { 6, G / 4 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct plan_prog p = { .vars = vars, .nvars = rows[i].n };
		assert_int_equal(kengine_limit(OPT_DYNVARSIZE, &p, 8 * G, 4,
					       4), rows[i].want);
	}
	/* Little memory: pages. */
	struct plan_prog p = { .vars = vars, .nvars = 5 };
	assert_int_equal(kengine_limit(OPT_DYNVARSIZE, &p, 16 * M, 4, 4),
			 680 * K);
}

/* How many elements there are: exact, at least one, at most ENTRIES_MAX. */
static void
test_entries(void **state)
{
	enum { EACH = KENGINE_HASH_OVERHEAD + 16 };
	static const struct { uint64_t bytes; uint32_t want; } rows[] = {
		{ 0, 1 }, { EACH - 1, 1 }, { 2 * EACH - 1, 1 }, { 2 * EACH, 2 },
		{ 100 * EACH, 100 }, { (uint64_t)EACH << 24, 1 << 24 },
		{ ((uint64_t)EACH << 24) - 1, (1 << 24) - 1 },
		{ (uint64_t)EACH << 25, 1 << 24 },
	};
	static const struct { uint32_t nvars, want; } tables[] = {
		{ 1, 10 }, { 2, 20 }, { 4, 40 }, { 5, 40 }, { 100, 40 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		assert_int_equal(kengine_entries(rows[i].bytes, 12, 4),
				 rows[i].want);
	for (size_t i = 0; i < BASE_NELEMS(tables); i++) {
		struct ebpf_table t = { .key_size = 12, .elem_size = 4,
					.nvars = tables[i].nvars };
		assert_int_equal(kengine_table_entries(10 * EACH, &t),
				 tables[i].want);
	}
}

/* Tables are made ready while there is room, one after the other; not the library's. */
static void
test_ready(void **state)
{
	enum { ROOM = 64, EACH = KENGINE_HASH_OVERHEAD + ROOM };
	static const struct { uint64_t size, left; bool own, want; uint64_t rest; } rows[] = {
		{ M, 8 * M, false, true, 7 * M }, { M, 8 * M, true, false, 8 * M },
		{ M, M, false, true, 0 }, { M, M - 1, false, false, M - 1 },
		{ 64 * M, 8 * M, false, false, 8 * M }, { 1, EACH, false, true, 0 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct ebpf_table t = { .key_size = 8, .elem_size = ROOM - 8,
					.own = rows[i].own, .nvars = 1 };
		uint64_t left = rows[i].left;
		assert_int_equal(kengine_table_is_ready(rows[i].size, &t, &left),
				 rows[i].want);
		assert_int_equal(left, rows[i].rest);
	}
}

/* aggsize is of each CPU and aggregation, up to four; of none larger than 2^20 there
 * are more; and what is known to stay small is made smaller. */
static void
test_agg_entries(void **state)
{
	enum { EACH = 8 + ABI_TAG_SIZE + 3 * 8 + KENGINE_HASH_OVERHEAD };
	static const struct {
		uint32_t n, naggs;
		unsigned ncpus;
		uint64_t most;
		uint32_t want;
	} rows[] = {
		{ 100, 1, 1, UINT64_MAX, 100 }, { 100, 1, 2, UINT64_MAX, 200 },
		{ 100, 2, 1, UINT64_MAX, 200 }, { 100, 3, 1, UINT64_MAX, 300 },
		{ 100, 1, 4, UINT64_MAX, 400 }, { 100, 2, 8, UINT64_MAX, 400 },
		{ 600000, 1, 2, UINT64_MAX, 1 << 20 },
		{ 1 << 20, 1, 4, UINT64_MAX, 1 << 20 },
		{ 1 << 21, 1, 4, UINT64_MAX, 1 << 21 },
		/* 4000 or four for each that there can be, but 1024 at least. */
		{ 1000, 1, 4, 0, 1024 }, { 1000, 1, 4, 10, 1024 },
		{ 1000, 1, 4, 256, 1024 }, { 1000, 1, 4, 257, 1028 },
		{ 1000, 1, 4, 999, 3996 }, { 1000, 1, 4, 1000, 4000 },
		{ 1000, 1, 4, 5000, 4000 }, { 100, 1, 1, 0, 100 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct ebpf_aggmap m = { .key_size = 8, .ncells = 3,
					 .naggs = rows[i].naggs };
		uint32_t n = kengine_agg_entries((uint64_t)rows[i].n * EACH, &m,
						 rows[i].ncpus, rows[i].most);
		if (n != rows[i].want)
			fail_msg("row %zu: %u", i, n);
	}
}

/* An engine that has a program to check, of two clauses, BEGIN's and END's. */
struct rig {
	struct kengine k;
	struct opt_set opts;
	struct ebpf_object code;
	struct plan_clause clauses[2];
	struct plan_prog plan;
	struct plan_probe probes[2];
	struct abi_point at;
	struct engine_point points[2];
};

static void
rig_init(struct rig *r)
{
	static const uint32_t first = 0, last = 1;

	*r = (struct rig){ .plan = { .clauses = r->clauses, .nclauses = 2 } };
	for (int i = 0; i < OPT_N; i++)
		r->opts.v[i] = OPT_UNSET;
	r->opts.v[OPT_BUFPOLICY] = OPT_POLICY_SWITCH;
	r->opts.v[OPT_FBTMAX] = 10;
	r->clauses[0].desc.record_size = 24;
	r->clauses[1].desc.record_size = 40;
	r->probes[0] = (struct plan_probe){ .clauses = &first, .nclauses = 1 };
	r->probes[1] = (struct plan_probe){ .clauses = &last, .nclauses = 1 };
	for (int i = 0; i < 2; i++) {
		r->points[i] = (struct engine_point){ .point = &r->at,
			.trigger = i ? PROV_TRIGGER_END : PROV_TRIGGER_BEGIN };
		assert_true(vec_push(&r->points[i].probes, r->probes[i]));
	}
	r->k.code = &r->code;
	r->k.ncpus = 6;
	r->k.e.buffer_size = 4096;
	r->k.e.in = (struct engine_input){ .opts = &r->opts, .plan = &r->plan,
		.points = r->points, .npoints = 2 };
}

static void
rig_fini(struct rig *r)
{
	for (int i = 0; i < 2; i++) {
		vec_fini(&r->points[i].probes);
		vec_fini(&r->points[i].sites);
	}
}

/* NULL: it is no error. */
static void
check_error(struct err *e, enum err_code code, const char *want)
{
	if (!e != !want || (e && (e->code != code || e->os || strcmp(e->text, want))))
		fail_msg("%s, not %s", e ? e->text : "no error",
			 want ? want : "none");
	err_free(e);
}

/* What BEGIN and END can record: each clause may fault, and for each fault ERROR's
 * may run. */
static void
test_once(void **state)
{
	const uint64_t all = sizeof(struct abi_error_record) + 8 + 24 + 8 + 40;
	struct rig r;

	rig_init(&r);
	assert_int_equal(kengine_once_size(&r.k), 4 * 3 * all);
	r.clauses[1].in_parts = true;
	assert_true(kengine_once_size(&r.k) == UINT64_MAX);
	r.clauses[1].in_parts = false;
	r.points[0].trigger = PROV_TRIGGER_TICK;
	assert_true(kengine_once_size(&r.k) == UINT64_MAX);
	rig_fini(&r);
}

/* The last record that fits; one of a loop may always turn out short.  What is kept to
 * the end must have room for END, and holds no speculations. */
static void
test_policy(void **state)
{
	static const char whole[] = "Enabling exceeds size of buffer; -b makes it "
				    "larger",
		at_end[] = "END enablings exceed size of principal buffer; -b makes "
			   "it larger";
	struct rig r;

	rig_init(&r);
	r.clauses[0].desc.record_size = 4096 - 8;
	check_error(kengine_check_policy(&r.k), 0, NULL);
	r.clauses[0].desc.record_size++;
	check_error(kengine_check_policy(&r.k), ERR_LIMIT, whole);
	r.clauses[0].desc.is_log = true;
	check_error(kengine_check_policy(&r.k), 0, NULL);

	r.clauses[1].desc.record_size = 2048 - 8;
	assert_true(vec_push(&r.points[1].probes, r.probes[1]));
	r.opts.v[OPT_BUFPOLICY] = OPT_POLICY_FILL;
	check_error(kengine_check_policy(&r.k), 0, NULL);
	r.clauses[1].desc.record_size++;
	check_error(kengine_check_policy(&r.k), ERR_LIMIT, at_end);
	r.opts.v[OPT_BUFPOLICY] = OPT_POLICY_SWITCH;
	check_error(kengine_check_policy(&r.k), 0, NULL);
	r.code.uses_spec = true;
	check_error(kengine_check_policy(&r.k), 0, NULL);
	r.opts.v[OPT_BUFPOLICY] = OPT_POLICY_RING;
	check_error(kengine_check_policy(&r.k), ERR_INVALID, "speculation needs "
		    "bufpolicy=switch: with others, buffers are only read at the end");
	rig_fini(&r);
}

/* Only places that are left one by one are counted. */
static void
test_functions(void **state)
{
	static const struct engine_site site;
	struct rig r;

	rig_init(&r);
	r.at.attach = ABI_ATTACH_KPROBE;
	r.opts.v[OPT_FBTMAX] = 999;
	for (int i = 0; i < 1000; i++) {
		check_error(kengine_check_policy(&r.k), 0, NULL);
		assert_true(vec_push(&r.points[i % 2].sites, site));
	}
	check_error(kengine_check_policy(&r.k), ERR_LIMIT, "these are 1000 places "
		    "in functions, which this kernel probes one by one: to leave "
		    "them may take 6 s (up to 91 s if this process is killed); "
		    "-x fbtmax=1000 allows it");
	r.at.attach = ABI_ATTACH_RAWTP;
	check_error(kengine_check_policy(&r.k), 0, NULL);
	r.at.attach = ABI_ATTACH_URETPROBE;
	check_error(kengine_check_policy(&r.k), ERR_LIMIT, "these are 1000 places "
		    "in functions, which this kernel probes one by one: to leave "
		    "them may take 71 s (up to 71 s if this process is killed); "
		    "-x fbtmax=1000 allows it");
	r.opts.v[OPT_FBTMAX] = 1000;
	check_error(kengine_check_policy(&r.k), 0, NULL);
	r.opts.v[OPT_FBTMAX] = OPT_UNSET;
	check_error(kengine_check_policy(&r.k), 0, NULL);
	rig_fini(&r);
}

/* Programs that are loaded are counted, up to the kernel's limit or the user's. */
static void
test_programs(void **state)
{
	struct abi_func funcs[KERN_PROGS_MANY + 3] = {
		{ .kind = ABI_FUNC_STATIC }, { .kind = ABI_FUNC_PROG, .optional = true },
	};
	uint32_t most = kern_progs_max();
	struct rig r;
	char want[400];

	assert_true(most == KERN_PROGS_FEW || most == KERN_PROGS_MANY);
	rig_init(&r);
	r.code.obj.funcs = funcs;
	for (uint32_t i = 2; i < BASE_NELEMS(funcs); i++)
		funcs[i].kind = ABI_FUNC_PROG;
	const struct { int64_t option; uint32_t max; } rows[] = {
		{ OPT_UNSET, most }, { 0, 0 }, { 17, 17 }, { 1000, 1000 },
	};
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		r.opts.v[OPT_PROGMAX] = rows[i].option;
		r.code.obj.nfuncs = rows[i].max + 2;
		check_error(kengine_check_policy(&r.k), 0, NULL);
		r.code.obj.nfuncs++;
		snprintf(want, sizeof(want), "this trace needs %u BPF programs (one for each "
			 "rate of tick and profile, and one for each probe where the kernel "
			 "does not say which one fired), and more than %u that are freed at "
			 "once can stop a kernel for good: ask for fewer rates and probes, "
			 "or allow it by -x progmax=%u", rows[i].max + 1, rows[i].max, rows[i].max + 1);
		check_error(kengine_check_policy(&r.k), ERR_LIMIT, want);
	}
	rig_fini(&r);
}

static void
test_cpu(void **state)
{
	/* The last is none of them. */
	static const uint8_t online[] = { 1, 1, 0, 1, 0, 1, 1 };
	static const struct { int64_t cpu; bool ok; } rows[] = {
		{ OPT_UNSET, true }, { 0, true }, { 5, true }, { 2, false },
		{ 4, false }, { 6, false }, { 7, false }, { -1, false },
	};
	char want[80];
	struct rig r;

	rig_init(&r);
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		r.opts.v[OPT_CPU] = rows[i].cpu;
		snprintf(want, sizeof(want), "option cpu: CPU %d is not there; "
			 "there are 0-1, 3, 5", (int)rows[i].cpu);
		check_error(kengine_check_sizes(&r.k, online), ERR_INVALID,
			    rows[i].ok ? NULL : want);
	}
	rig_fini(&r);
}

/* What is more than the machine bears is lowered, or refused. */
static void
test_sizes(void **state)
{
	static const enum opt_id ids[] = { OPT_BUFSIZE, OPT_AGGSIZE,
					   OPT_DYNVARSIZE };
	static const uint8_t online[] = { 1, 1, 0, 1, 0, 1 };
	uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) *
			  (uint64_t)sysconf(_SC_PAGESIZE);
	struct rig r;

	rig_init(&r);
	for (size_t i = 0; i < BASE_NELEMS(ids); i++) {
		int64_t *v = &r.opts.v[ids[i]];
		int64_t max = (int64_t)kengine_limit(ids[i], &r.plan, memory, 6,
						     4);
		for (int manual = 0; manual < 2; manual++) {
			r.opts.v[OPT_BUFRESIZE] = manual ? OPT_RESIZE_MANUAL :
				OPT_RESIZE_AUTO;
			*v = max;
			check_error(kengine_check_sizes(&r.k, online), 0, NULL);
			*v = 4096;
			check_error(kengine_check_sizes(&r.k, online), 0, NULL);
			assert_int_equal(*v, 4096);
		}
		*v = max + 1;
		struct err *e = kengine_check_sizes(&r.k, online);
		assert_non_null(e);
		assert_int_equal(e->code, ERR_LIMIT);
		assert_non_null(strstr(e->text, opt_name(ids[i])));
		err_free(e);
		r.opts.v[OPT_BUFRESIZE] = OPT_RESIZE_AUTO;
		check_error(kengine_check_sizes(&r.k, online), 0, NULL);
		assert_int_equal(*v, max);
		*v = OPT_UNSET;
	}
	rig_fini(&r);
}

static void
test_others(void **state)
{
	assert_true(kengine_limit(OPT_STRSIZE, &nothing, G, 4, 4) ==
		    UINT64_MAX);
}

/* What the generator counts on, for it cannot see the runtime.  (dt_flight is
 * instead of rings, and dt_fronts are counted with the variables that they are of.) */
static void
test_maps_of_runtime(void **state)
{
	assert_true(bpfrt_object.nmaps - 2 + EBPF_OWN_MAPS <= EBPF_OTHER_MAPS);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_buffers),
		cmocka_unit_test(test_aggs),
		cmocka_unit_test(test_aggs_without_keys),
		cmocka_unit_test(test_dynvars),
		cmocka_unit_test(test_maps_of_runtime),
		cmocka_unit_test(test_entries),
		cmocka_unit_test(test_ready),
		cmocka_unit_test(test_agg_entries),
		cmocka_unit_test(test_once),
		cmocka_unit_test(test_policy),
		cmocka_unit_test(test_functions),
		cmocka_unit_test(test_programs),
		cmocka_unit_test(test_cpu),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
