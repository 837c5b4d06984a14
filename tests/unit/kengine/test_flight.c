/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Buffers that overwrite, in memory of the test's instead of a map: what is read of a
 * ring that was not full, that went round, and that makes no sense.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "abi/flight.h"
#include "base/base.h"
#include "kengine/kengine_priv.h"
#include "kengine/parts_priv.h"
#include "support/assertok.h"

enum { SIZE = 256, NRINGS = 2 };

struct ring {
	struct abi_flight head;
	uint64_t words[SIZE / 8];
};

static struct ring rings[NRINGS];
static unsigned nunmapped;

/* In place of those of kern. */
struct err *__wrap_kern_map_mmap(int fd, size_t size, void **ret);
void __wrap_kern_unmap(void *p, size_t size);
int __wrap_kern_obj_map(struct kern_obj *o, const char *name);

struct err *
__wrap_kern_map_mmap(int fd, size_t size, void **ret)
{
	assert_int_equal(fd, 7);
	assert_int_equal(size, base_align(sizeof(rings), 4096));
	*ret = rings;
	return NULL;
}

void
__wrap_kern_unmap(void *p, size_t size)
{
	assert_ptr_equal(p, rings);
	assert_int_equal(size, base_align(sizeof(rings), 4096));
	nunmapped++;
}

int
__wrap_kern_obj_map(struct kern_obj *o, const char *name)
{
	assert_string_equal(name, "dt_flight");
	return 7;
}

struct rig {
	struct kengine k;
	struct opt_set opts;
	struct ebpf_object code;
};

static void
rig_init(struct rig *r)
{
	memset(rings, 0, sizeof(rings));
	*r = (struct rig){ .code = { .uses_rings = true },
			   .opts.v = { [OPT_BUFPOLICY] = OPT_POLICY_RING } };
	r->k.e.in.opts = &r->opts;
	r->k.e.buffer_size = SIZE;
	r->k.e.state = ENGINE_ENDED;
	r->k.code = &r->code;
	r->k.nrings = NRINGS;
	assert_ok(kengine_flight_open(&r->k));
}

static void
rig_fini(struct rig *r)
{
	nunmapped = 0;
	kengine_flight_close(&r->k);
	assert_int_equal(nunmapped, 1);
}

/* n bytes, the mark included, whose first word is `value`; 0: a gap. */
static void
put(struct ring *r, uint64_t n, uint64_t value)
{
	uint64_t at = r->head.head % SIZE;

	assert_true(at + n <= SIZE);
	r->head.head += n;
	for (uint64_t i = 0; i < n; i += 8)
		r->words[(at + i) / 8] = value;
	r->words[(at + n) / 8 - 1] = ABI_FLIGHT_MARK(r->head.head, n) |
		(value ? 0 : ABI_FLIGHT_GAP);
}

/* The next ones of a ring are these: value and size, until 0; and no more. */
static void
check(struct rig *r, unsigned ring, const uint64_t *want)
{
	const uint64_t *got;
	size_t size;

	for (; *want; want += 2) {
		got = kengine_flight_next(&r->k, ring, &size);
		assert_non_null(got);
		assert_int_equal(*got, want[0]);
		assert_int_equal(size, want[1]);
		assert_true((const uint8_t *)got + size <=
			    (const uint8_t *)(&rings[ring] + 1) - 8);
	}
	for (int i = 0; i < 2; i++)
		assert_null(kengine_flight_next(&r->k, ring, &size));
}

#define CHECK(r, ring, ...) \
	check(r, ring, (const uint64_t[]){ __VA_ARGS__, 0 })

static void
test_in_order(void **state)
{
	struct rig r;

	rig_init(&r);
	put(&rings[0], 32, 1);
	put(&rings[0], 16, 2);
	put(&rings[0], 40, 3);
	put(&rings[1], 24, 4);
	r.k.e.state = ENGINE_STOPPED;
	CHECK(&r, 0, 0);
	r.k.e.state = ENGINE_ENDED;
	CHECK(&r, 1, 4, 16);
	CHECK(&r, 0, 1, 24, 2, 8, 3, 32);
	CHECK(&r, NRINGS, 0);
	rig_fini(&r);
	rig_init(&r);
	CHECK(&r, 0, 0);
	rig_fini(&r);
}

/* As much as there is room for; then the oldest goes, whole. */
static void
test_round(void **state)
{
	struct rig r;

	for (int more = 0; more < 3; more++) {
		rig_init(&r);
		put(&rings[0], 64, 1);
		put(&rings[0], 104, 2);
		put(&rings[0], 88, 3);
		for (int i = 0; i < more; i++)
			put(&rings[0], i ? 48 : 24, 4 + (uint64_t)i);
		if (!more)
			CHECK(&r, 0, 1, 56, 2, 96, 3, 80);
		else if (more == 1)
			CHECK(&r, 0, 2, 96, 3, 80, 4, 16);
		else
			CHECK(&r, 0, 3, 80, 4, 16, 5, 40);
		rig_fini(&r);
	}
	/* A gap before the end is no record. */
	rig_init(&r);
	put(&rings[0], 200, 1);
	put(&rings[0], 56, 0);
	put(&rings[0], 64, 2);
	put(&rings[0], 64, 3);
	CHECK(&r, 0, 2, 56, 3, 56);
	rig_fini(&r);
	/* One that is all there is, for the second time. */
	rig_init(&r);
	put(&rings[0], SIZE, 1);
	put(&rings[0], SIZE, 2);
	CHECK(&r, 0, 2, SIZE - 8);
	rig_fini(&r);
}

/* What stands before a mark that makes no sense is not looked at. */
static void
test_nonsense(void **state)
{
	static const uint64_t sizes[] = { 0, 4, 20, 44, 56, SIZE, SIZE + 8,
					  1 << 20 };
	struct rig r;

	for (size_t i = 0; i < BASE_NELEMS(sizes); i++) {
		rig_init(&r);
		put(&rings[0], 16, 1);
		put(&rings[0], 32, 2);
		put(&rings[0], 24, 3);
		rings[0].words[5] = ABI_FLIGHT_MARK(48, sizes[i]);
		CHECK(&r, 0, 3, 16);
		rig_fini(&r);
	}
	rig_init(&r);
	put(&rings[0], 16, 1);
	put(&rings[0], 32, 2);
	rings[0].words[5] = ABI_FLIGHT_MARK(48 + SIZE, 32);
	CHECK(&r, 0, 0);
	rig_fini(&r);
}

/* Other buffers have nothing of this. */
static void
test_unused(void **state)
{
	struct rig r = { .opts.v = { [OPT_BUFPOLICY] = OPT_POLICY_FILL },
			 .code = { .uses_rings = true } };

	r.k.e.in.opts = &r.opts;
	r.k.code = &r.code;
	assert_ok(kengine_flight_size(&r.k));
	assert_ok(kengine_flight_open(&r.k));
	assert_null(r.k.flight);
	r.opts.v[OPT_BUFPOLICY] = OPT_POLICY_RING;
	r.code.uses_rings = false;
	assert_ok(kengine_flight_open(&r.k));
	assert_null(r.k.flight);
	nunmapped = 0;
	kengine_flight_close(&r.k);
	assert_int_equal(nunmapped, 0);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_in_order), cmocka_unit_test(test_round),
		cmocka_unit_test(test_nonsense), cmocka_unit_test(test_unused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
