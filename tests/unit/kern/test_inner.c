/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Arrays put into an array of maps: where they are found, what is left of none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <cmocka.h>

#include "base/base.h"
#include "kern/kern.h"
#include "kern/map.h"
#include "support/assertok.h"
#include "support/countopen.h"
#include "support/needbpf.h"

enum { SIZE = 4096, ROOM = 8 };

static int
new_outer(void)
{
	int like, outer;

	assert_ok(kern_map_create(KERN_MAP_ARRAY, "like", 4, SIZE, 1,
				  BPF_F_MMAPABLE, -1, &like));
	assert_ok(kern_map_create(KERN_MAP_ARRAY_OF_MAPS, "outer", 4, 4, ROOM, 0,
				  like, &outer));
	close(like);
	return outer;
}

/* The word that element `key` of the outer map begins with; 0: there is none. */
static uint64_t
word_of(int outer, uint32_t key)
{
	uint64_t value[SIZE / 8];
	uint32_t id, zero = 0;

	if (bpf_map_lookup_elem(outer, &key, &id))
		return 0;
	int fd = bpf_map_get_fd_by_id(id);
	assert_true(fd >= 0);
	assert_int_equal(bpf_map_lookup_elem(fd, &zero, value), 0);
	close(fd);
	return value[0];
}

static void
test_add(void **state)
{
	struct kern_adding add = { .n = 0 };
	void *p[3] = { NULL };
	unsigned nopen;

	need_bpf();
	int outer = new_outer();

	nopen = count_open();
	assert_ok(kern_map_add_inner(&add, outer, "inner", 2, 3, SIZE, p));
	for (uint64_t i = 0; i < 3; i++)
		*(uint64_t *)p[i] = 100 + i;
	for (uint32_t key = 0; key < ROOM; key++)
		assert_int_equal(word_of(outer, key), key >= 2 && key < 5 ?
				 98 + key : 0);
	kern_map_added(&add);
	kern_map_added(&add);
	assert_int_equal(count_open(), nopen);
	/* What is not mapped any more is found all the same. */
	for (int i = 0; i < 3; i++)
		kern_unmap(p[i], SIZE);
	assert_int_equal(word_of(outer, 4), 102);
	uint32_t key = 4;
	kern_map_delete(outer, &key);
	kern_map_delete(outer, &key);
	assert_int_equal(word_of(outer, 4), 0);
	assert_int_equal(word_of(outer, 3), 101);
	close(outer);
}

/* The first for which there is no room, or none at all. */
static void
test_no_room(void **state)
{
	struct kern_adding add = { .n = 0 };
	void *p[2] = { NULL };

	need_bpf();
	int outer = new_outer();
	unsigned nopen = count_open();
	struct err *e = kern_map_add_inner(&add, outer, "inner", ROOM, 2, SIZE, p);

	if (!e) {			/* the thread has still to find out */
		for (int i = 0; i < 2; i++)
			kern_unmap(p[i], SIZE);
		kern_map_added(&add);
	}
	err_free(e);
	assert_int_equal(count_open(), nopen);
	assert_int_equal(add.n, 0);
	e = kern_map_add_inner(&add, -1, "inner", 0, 1, SIZE, p);
	if (!e)
		kern_map_added(&add);
	err_free(e);
	assert_ok(kern_map_add_inner(&add, outer, "inner", 0, 0, SIZE, p));
	kern_map_added(&add);
	assert_int_equal(count_open(), nopen);
	close(outer);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_add), cmocka_unit_test(test_no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
