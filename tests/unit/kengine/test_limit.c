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
#include <cmocka.h>

#include "base/base.h"
#include "bpfrt/bpfrt.h"
#include "kengine/kengine_priv.h"

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

static void
test_others(void **state)
{
	assert_true(kengine_limit(OPT_STRSIZE, &nothing, G, 4, 4) ==
		    UINT64_MAX);
}

/* What the generator counts on, for it cannot see the runtime.  (dt_flight is
 * instead of rings.) */
static void
test_maps_of_runtime(void **state)
{
	assert_true(bpfrt_object.nmaps - 1 + EBPF_OWN_MAPS <= EBPF_OTHER_MAPS);
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
		cmocka_unit_test(test_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
