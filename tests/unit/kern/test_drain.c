/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Emptying and reading a hash on kernels that have no batches, or whose buckets are
 * large, and what goes wrong on the way: the hash is the test's.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <bpf/bpf.h>
#include <cmocka.h>

#include "base/base.h"
#include "kern/kern_priv.h"

enum { MAP = 77, MOST = 100 };

static struct {
	uint32_t n, left;		/* elements, and those that are there yet */
	bool gone[MOST];
	uint32_t bucket;		/* elements of one, which is never split */
	int batch_error, batch_at;	/* what the call of that number answers */
	int lookup_error, delete_error, next_error;
	unsigned nbatches, ndeleted;
	uint32_t first_cap;
} map;

int __wrap_bpf_map_lookup_elem(int fd, const void *key, void *value);
int __wrap_bpf_map_delete_elem(int fd, const void *key);
int __wrap_bpf_map_get_next_key(int fd, const void *key, void *next);
int __wrap_bpf_map_lookup_batch(int fd, void *in, void *out, void *keys, void *values,
				uint32_t *n, const struct bpf_map_batch_opts *opts);
int __wrap_bpf_map_lookup_and_delete_batch(int fd, void *in, void *out, void *keys,
					   void *values, uint32_t *n,
					   const struct bpf_map_batch_opts *opts);

int
__wrap_bpf_map_lookup_elem(int fd, const void *key, void *value)
{
	uint64_t v = *(const uint32_t *)key * 3;

	assert_int_equal(fd, MAP);
	assert_false(map.gone[*(const uint32_t *)key]);
	memcpy(value, &v, sizeof(v));
	return map.lookup_error;
}

int
__wrap_bpf_map_delete_elem(int fd, const void *key)
{
	if (map.delete_error)
		return map.delete_error;
	map.gone[*(const uint32_t *)key] = true;
	map.ndeleted++;
	return 0;
}

int
__wrap_bpf_map_get_next_key(int fd, const void *key, void *next)
{
	uint32_t k = key ? *(const uint32_t *)key + 1 : 0;

	while (k < map.n && map.gone[k])
		k++;
	errno = map.next_error ? map.next_error : ENOENT;
	if (k == map.n || map.next_error)
		return -errno;
	memcpy(next, &k, sizeof(k));
	return 0;
}

static int
batch(const uint32_t *in, uint32_t *out, uint32_t *keys, uint64_t *values, uint32_t *n,
      bool keep)
{
	uint32_t from = in ? *in : 0, cap = *n;

	if (!map.nbatches)
		map.first_cap = cap;
	if ((int)map.nbatches++ == map.batch_at && map.batch_error)
		return -map.batch_error;
	*n = 0;
	for (; from < map.n; from += map.bucket) {
		uint32_t size = BASE_MIN(map.bucket, map.n - from);
		if (*n + size > cap) {
			*out = from;
			return *n ? 0 : -ENOSPC;
		}
		for (uint32_t i = from; i < from + size; i++) {
			assert_false(map.gone[i]);
			keys[*n] = i;
			values[(*n)++] = i * 3;
			map.gone[i] = !keep;
			map.ndeleted += !keep;
		}
	}
	return -ENOENT;
}

int
__wrap_bpf_map_lookup_batch(int fd, void *in, void *out, void *keys, void *values,
			    uint32_t *n, const struct bpf_map_batch_opts *opts)
{
	assert_int_equal(fd, MAP);
	return batch(in, out, keys, values, n, true);
}

int
__wrap_bpf_map_lookup_and_delete_batch(int fd, void *in, void *out, void *keys,
				       void *values, uint32_t *n,
				       const struct bpf_map_batch_opts *opts)
{
	assert_int_equal(fd, MAP);
	return batch(in, out, keys, values, n, false);
}

/* --- What is seen ----------------------------------------------------------------- */

struct seen { unsigned n, each[MOST], stop_at; };

static struct err *
see(void *ctx, const void *key, const void *value)
{
	struct seen *s = ctx;
	uint32_t k = *(const uint32_t *)key;
	uint64_t v;

	memcpy(&v, value, sizeof(v));
	assert_true(k < map.n);
	assert_int_equal(v, k * 3);
	s->each[k]++;
	return ++s->n == s->stop_at ? err_new(ERR_STATE, 0, "enough") : NULL;
}

static void
new_map(uint32_t n, uint32_t bucket)
{
	memset(&map, 0, sizeof(map));
	map.n = n;
	map.bucket = bucket;
	map.batch_at = -1;
}

static void
check_all(const struct seen *s, bool keep)
{
	assert_int_equal(s->n, map.n);
	for (uint32_t i = 0; i < map.n; i++)
		assert_int_equal(s->each[i], 1);
	assert_int_equal(map.ndeleted, keep ? 0 : map.n);
}

/* Each once, whatever the buckets and the batch are; without batches, too. */
static void
test_all(void **state)
{
	static const uint32_t sizes[] = { 0, 1, 2, 7, 64, MOST };
	static const uint32_t buckets[] = { 1, 3, 64 }, batches[] = { 0, 1, 2, 5, 64, 200 };
	static const int errors[] = { 0, EINVAL, 524 };
	const struct kern_map_shape shape = { 4, 8 };

	for (size_t i = 0; i < BASE_NELEMS(sizes); i++)
	for (size_t b = 0; b < BASE_NELEMS(buckets); b++)
	for (size_t c = 0; c < BASE_NELEMS(batches); c++)
	for (size_t e = 0; e < BASE_NELEMS(errors); e++)
	for (int keep = 0; keep < 2; keep++) {
		struct seen s = { 0 };
		new_map(sizes[i], buckets[b]);
		map.batch_error = errors[e];
		map.batch_at = 0;
		assert_null(kern_map_drain_by(MAP, &shape, keep, batches[c], see, &s));
		check_all(&s, keep);
		if (!batches[c])
			assert_int_equal(map.nbatches, 0);
		else if (errors[e])
			assert_int_equal(map.nbatches, 1);
	}
}

/* What goes wrong: with batches, the first or a later one; key by key. */
static const struct {
	uint32_t batch;
	int batch_error, batch_at, lookup_error, delete_error, next_error;
	const char *text;
	int os;
} rows[] = {
	{ 4, EPERM, 0, 0, 0, 0, "cannot drain a map", EPERM },
	{ 4, EPERM, 1, 0, 0, 0, "cannot drain a map", EPERM },
	/* That says that there are no batches, but not behind the first. */
	{ 4, 524, 1, 0, 0, 0, "cannot drain a map", 524 },
	{ 4, EINVAL, 1, 0, 0, 0, "cannot drain a map", EINVAL },
	{ 4, 523, 0, 0, 0, 0, "cannot drain a map", 523 },
	{ 0, 0, -1, -EPERM, 0, 0, "cannot read from a map", EPERM },
	{ 0, 0, -1, 0, -EPERM, 0, "cannot delete from a map", EPERM },
	{ 0, 0, -1, 0, 0, EPERM, "cannot walk a map", EPERM },
};

static void
test_errors(void **state)
{
	const struct kern_map_shape shape = { 4, 8 };

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct seen s = { 0 };
		new_map(20, 2);
		map.batch_error = rows[i].batch_error;
		map.batch_at = rows[i].batch_at;
		map.lookup_error = rows[i].lookup_error;
		map.delete_error = rows[i].delete_error;
		map.next_error = rows[i].next_error;
		struct err *e = kern_map_drain_by(MAP, &shape, false, rows[i].batch, see, &s);
		assert_non_null(e);
		assert_int_equal(strncmp(e->text, rows[i].text, strlen(rows[i].text)), 0);
		assert_int_equal(e->os, rows[i].os);
		err_free(e);
	}
}

/* Who is told of the elements may end it. */
static void
test_stopped(void **state)
{
	const struct kern_map_shape shape = { 4, 8 };

	for (uint32_t batch_size = 0; batch_size < 8; batch_size += 4) {
		struct seen s = { .stop_at = 6 };
		new_map(20, 1);
		struct err *e = kern_map_drain_by(MAP, &shape, true, batch_size, see, &s);
		assert_non_null(e);
		assert_int_equal(e->code, ERR_STATE);
		assert_int_equal(s.n, 6);
		err_free(e);
	}
}

/* So many at a time as are 256 KiB, within limits. */
static void
test_sizes(void **state)
{
	static const struct { uint32_t value, cap; } sizes[] = {
		{ 8, 4096 }, { 64, 4096 }, { 128, 2048 }, { 1024, 256 }, { 4096, 64 },
		{ 65536, 64 },
	};

	for (size_t i = 0; i < BASE_NELEMS(sizes); i++)
		for (int keep = 0; keep < 2; keep++) {
			struct seen s = { 0 };
			new_map(0, 1);
			assert_null((keep ? kern_map_read : kern_map_drain)(MAP, 4,
				sizes[i].value, see, &s));
			assert_int_equal(map.first_cap, sizes[i].cap);
		}
	static const struct kern_map_shape bad[] = { { 0, 8 }, { 4, 0 } };
	for (size_t i = 0; i < BASE_NELEMS(bad); i++) {
		struct err *e = kern_map_drain_by(MAP, &bad[i], true, 4, see, NULL);
		assert_non_null(e);
		assert_int_equal(e->code, ERR_INVALID);
		err_free(e);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_stopped),
		cmocka_unit_test(test_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
