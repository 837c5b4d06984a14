/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The small containers at their edges: empty, full, at their maximum, and with
 * allocations that fail.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <sys/resource.h>
#include <cmocka.h>

#include "base/base.h"
#include "util/arena.h"
#include "util/clock.h"
#include "util/err.h"
#include "util/files.h"
#include "util/guard.h"
#include "util/hash.h"
#include "util/intern.h"
#include "util/number.h"
#include "util/plain.h"
#include "util/sb.h"
#include "util/vec.h"

static void
test_base_numbers(void **state)
{
	static const struct {
		int64_t v;
		const char *text;
	} rows[] = {
		{ 0, "0" }, { -1, "-1" }, { INT64_MIN, "-9223372036854775808" },
		{ INT64_MAX, "9223372036854775807" },
	};
	char out[32];

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct base_buf b;
		base_buf_init(&b, out, sizeof(out));
		base_putd(&b, rows[i].v);
		assert_string_equal(out, rows[i].text);
	}
	struct base_buf b;
	base_buf_init(&b, out, 4);
	base_puts(&b, "abcdef");
	assert_string_equal(out, "abc");
	assert_int_equal(b.len, 6);
}

/* Every row of every length, and between them. */
static void
test_base_how_many(void **state)
{
	static const int rows[] = { 1, 3, 3, 5, 7, 9 };

	for (size_t n = 0; n <= BASE_NELEMS(rows); n++)
		for (int x = 0; x <= 10; x++) {
			size_t want = 0;
			while (want < n && rows[want] <= x)
				want++;
			assert_int_equal(BASE_HOW_MANY(i, n, rows[i] <= x), want);
		}
}

/* Around every power of ten and of two. */
static void
test_base_dec(void **state)
{
	for (unsigned i = 0; i < 84; i++) {
		uint64_t edge = i < 64 ? 1ULL << i : 1;
		for (unsigned k = 64; k < i; k++)
			edge *= 10;
		for (int d = -1; d <= 1; d++) {
			char want[32], got[BASE_DEC_MAX];
			uint64_t v = edge + (uint64_t)d;
			int n = snprintf(want, sizeof(want), "%llu",
					 (unsigned long long)v);
			assert_int_equal(base_dec(got, v), n);
			assert_memory_equal(got, want, n);
		}
	}
}

static void
test_hash(void **state)
{
	struct hash h = { 0 };
	char key[16];

	for (uintptr_t i = 1; i <= 1000; i++) {
		snprintf(key, sizeof(key), "k%ju", (uintmax_t)i);
		assert_true(hash_puts(&h, key, (void *)i));
	}
	for (uintptr_t i = 1; i <= 1000; i += 2) {
		snprintf(key, sizeof(key), "k%ju", (uintmax_t)i);
		assert_ptr_equal(hash_del(&h, key, strlen(key)), (void *)i);
	}
	for (uintptr_t i = 1; i <= 1000; i++) {
		snprintf(key, sizeof(key), "k%ju", (uintmax_t)i);
		assert_ptr_equal(hash_gets(&h, key), i % 2 ? NULL : (void *)i);
	}
	for (uintptr_t i = 2000; i < 4000; i++) {
		snprintf(key, sizeof(key), "k%ju", (uintmax_t)i);
		assert_true(hash_puts(&h, key, (void *)i));
	}
	size_t n = 0;
	uintptr_t last = 0;
	struct hash_entry *e;
	for (size_t i = 0; (e = hash_next(&h, &i)); n++) {
		assert_true((uintptr_t)e->val > last);
		last = (uintptr_t)e->val;
	}
	assert_int_equal(n, 2500);
	hash_fini(&h);
}

/* Back to each size there was, and from there on again. */
static void
test_hash_cut(void **state)
{
	enum { N = 200 };

	for (int keep = 0; keep <= N; keep += 7) {
		struct hash h = { 0 };
		char key[16];
		hash_cut(&h, 0);
		for (int i = 0; i < N; i++) {
			snprintf(key, sizeof(key), "k%d", i);
			assert_true(hash_puts(&h, key, key));
		}
		hash_cut(&h, N);
		hash_cut(&h, (size_t)keep);
		for (int i = 0; i < N; i++) {
			snprintf(key, sizeof(key), "k%d", i);
			assert_int_equal(hash_gets(&h, key) != NULL, i < keep);
		}
		for (int i = 0; i < N; i++) {
			snprintf(key, sizeof(key), "k%d", i);
			assert_true(hash_puts(&h, key, &h));
			assert_ptr_equal(hash_gets(&h, key), &h);
		}
		assert_int_equal(h.nlive, N);
		hash_fini(&h);
	}
}

static void
test_arena(void **state)
{
	struct arena *a = arena_new();

	for (int i = 0; i < 1000; i++) {
		char *p = arena_alloc(a, (size_t)i * 7);
		for (int j = 0; j < i * 7; j++)
			assert_int_equal(p[j], 0);
		memset(p, 0xff, (size_t)i * 7);
	}
	assert_string_equal(arena_printf(a, "%d-%s", 42, "x"), "42-x");
	assert_null(arena_alloc(a, SIZE_MAX));
	assert_true(arena_failed(a));
	assert_null(arena_alloc(a, 1));
	arena_free(a);
}

static void
test_sb_limit(void **state)
{
	struct sb b;

	sb_init(&b, 8);
	sb_puts(&b, "1234567");
	assert_false(b.failed);
	sb_putc(&b, '8');
	assert_true(b.failed);
	assert_string_equal(sb_str(&b), "1234567");
	sb_fini(&b);
}

/* Whatever the room that is left, an append happens whole or not at all. */
static void
test_sb_appends(void **state)
{
	for (size_t max = 1; max < 40; max++) {
		struct sb b;
		sb_init(&b, max);
		sb_puts(&b, "ab");
		sb_dec(&b, -12, 6);
		sb_fill(&b, '.', 3);
		sb_printf(&b, "%s%d", "cd", 345);
		sb_dec(&b, INT64_MIN, 1);
		static const char *const pieces[] = {
			"ab", "   -12", "...", "cd345",
			"-9223372036854775808" };
		char want[64] = "";
		bool failed = false;
		for (size_t i = 0; i < BASE_NELEMS(pieces); i++) {
			if (strlen(want) + strlen(pieces[i]) < max)
				strcat(want, pieces[i]);
			else
				failed = true;
		}
		assert_string_equal(sb_str(&b), want);
		assert_int_equal(b.len, strlen(want));
		assert_int_equal(b.failed, failed);
		sb_fini(&b);
	}
}

static void
test_sb_cut(void **state)
{
	struct sb b;

	sb_init(&b, 8);
	sb_cut(&b, 0);
	assert_string_equal(sb_str(&b), "");
	sb_puts(&b, "1234");
	sb_puts(&b, "5678");
	assert_true(b.failed);
	sb_cut(&b, 2);
	assert_false(b.failed);
	sb_putc(&b, '!');
	assert_string_equal(sb_str(&b), "12!");
	sb_fini(&b);
}

static void
test_intern(void **state)
{
	struct intern t = { 0 };

	const char *a = intern(&t, "abc");
	assert_ptr_equal(a, intern_n(&t, "abcd", 3));
	assert_ptr_not_equal(a, intern(&t, "abd"));
	intern_fini(&t);
}

static void
test_numbers(void **state)
{
	static const struct {
		const char *text;
		uint32_t f32;
		uint64_t f64;
	} rows[] = {
		{ "1.5", 0x3fc00000, 0x3ff8000000000000 },
		{ ".25f", 0x3e800000, 0x3fd0000000000000 },
		{ "2.L", 0x40000000, 0x4000000000000000 },
		{ "1e-1", 0x3dcccccd, 0x3fb999999999999a },
		{ "1e400", 0x7f800000, 0x7ff0000000000000 },
		/* Just above the middle of 1 and the next float: by way of
		 * double it would be the middle, and rounded down. */
		{ "1.00000005960464477540", 0x3f800001, 0x3ff0000010000000 },
	};

	for (unsigned i = 0; i < BASE_NELEMS(rows); i++) {
		assert_int_equal(number_float_bits(rows[i].text), rows[i].f32);
		assert_int_equal(number_double_bits(rows[i].text),
				 rows[i].f64);
	}
	assert_true(number_ldouble("0.5L") == 0.5L);
	assert_true(number_ldouble("0.1L") == 0.1L);
}

static void
test_alloc_failure(void **state)
{
	util_alloc_fail(1, 0);
	struct err *e = err_new(ERR_OS, 2, "%s", "text");
	assert_ptr_equal(e, &err_nomem);
	assert_ptr_equal(err_only_nomem(e), &err_nomem);
	assert_null(err_only_nomem(NULL));
	e = err_new(ERR_OS, 2, "%s", "text");
	assert_string_equal(e->text, "text");
	assert_null(err_only_nomem(e));
	util_alloc_fail(0, 0);
}

static void
test_plain(void **state)
{
	static const struct { const char *text, *want; } rows[] = {
		{ "", "" }, { "plain\n\t\\\"", "plain\n\t\\\"" },
		{ "\033[2J\r\b", "\\033[2J\\r\\b" }, { "\177", "\\177" },
		{ "\302\200\302\237", "\\302\\200\\302\\237" },
		{ "\302\240\303\251", "\302\240\303\251" },
		{ "\342\202\254\360\237\230\200", "\342\202\254\360\237\230\200" },
		{ "\300\233\340\202\233", "\\300\\233\\340\\202\\233" },
		{ "\037 ~", "\\037 ~" }, { "\302\237\302\240", "\\302\\237\302\240" },
		/* the first and the last of each length, and what could be shorter */
		{ "\337\277", "\337\277" }, { "\340\237\277", "\\340\\237\\277" },
		{ "\340\240\200", "\340\240\200" }, { "\357\277\277", "\357\277\277" },
		{ "\360\217\277\277", "\\360\\217\\277\\277" },
		{ "\360\220\200\200", "\360\220\200\200" },
		{ "\364\217\277\277", "\364\217\277\277" },
		{ "\364\220\200\200", "\\364\\220\\200\\200" },
		{ "\370\210\200\200\200", "\\370\\210\\200\\200\\200" },
		/* surrogates, and what is next to them */
		{ "\355\237\277\356\200\200", "\355\237\277\356\200\200" },
		{ "\355\240\200", "\\355\\240\\200" }, { "\355\277\277", "\\355\\277\\277" },
		{ "\360\237\230", "\\360\\237\\230" }, { "\342\202", "\\342\\202" },
		{ "a\303", "a\\303" }, { "\303a", "\\303a" },
		{ "\377x\233m", "\\377x\\233m" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct sb b;
		sb_init(&b, 100);
		plain_put(&b, rows[i].text, strlen(rows[i].text));
		assert_string_equal(sb_str(&b), rows[i].want);
		sb_fini(&b);
	}
}

/* Every end that a guarded program may have. */
static void
test_guard(void **state)
{
	char *const five[] = { "sh", "-c", "exit 5", NULL };
	char *const dies[] = { "sh", "-c", "kill -9 $$", NULL };
	char *const none[] = { "/nonexistent", NULL };
	const struct { char *const *argv; bool runs; int status; } *r,
		rows[] = { { five, true, 5 << 8 }, { dies, true, 9 },
			   { none, false, 0 } };
	struct guard g;

	for (r = rows; r < rows + BASE_NELEMS(rows); r++) {
		struct guard_program p = { r->argv[0], r->argv, { -1, -1, -1 },
					   false };
		int status = -1;
		assert_null(guard_start(&p, &g));
		struct err *e = guard_wait(&g, &status);
		assert_int_equal(!e, r->runs);
		if (e)
			assert_int_equal(e->os, ENOENT);
		else
			assert_int_equal(status, r->status);
		err_free(e);
	}
}

/* What the program started keeps the pipe open until it is gone, too. */
static void
test_guard_kill(void **state)
{
	char *const argv[] = { "sh", "-c",
		"sleep 1000 & setsid sleep 1000 & echo; wait", NULL };
	int out[2];
	char c;

	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	struct guard_program p = { "sh", argv, { -1, out[1], -1 }, false };
	struct guard g;
	assert_null(guard_start(&p, &g));
	close(out[1]);
	assert_int_equal(read(out[0], &c, 1), 1);
	guard_kill(&g);
	assert_int_equal(read(out[0], &c, 1), 0);
	close(out[0]);
}

/* More files than before, and in a child as many as at first. */
static void
test_files(void **state)
{
	struct rlimit first, few, now;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &first), 0);
	few = (struct rlimit){ 256, first.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	files_restore();
	getrlimit(RLIMIT_NOFILE, &now);
	assert_int_equal(now.rlim_cur, 256);
	files_reserve(0);
	files_reserve(900);
	getrlimit(RLIMIT_NOFILE, &now);
	assert_in_range(now.rlim_cur, 901, UINT32_MAX);
	files_reserve(10);
	rlim_t most = now.rlim_cur;
	getrlimit(RLIMIT_NOFILE, &now);
	assert_int_equal(now.rlim_cur, most);
	files_restore();
	getrlimit(RLIMIT_NOFILE, &now);
	assert_int_equal(now.rlim_cur, 256);
	/* As much as may be had; no more is no error. */
	files_reserve((size_t)1 << 40);
	getrlimit(RLIMIT_NOFILE, &now);
	assert_true(now.rlim_cur >= first.rlim_max);
	setrlimit(RLIMIT_NOFILE, &first);
}

static void
make_link(const char *dir, const char *name, const char *target)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/ns/%s", dir, name);
	unlink(path);
	assert_int_equal(symlink(target, path), 0);
}

static void
test_clock_offset(void **state)
{
	static const struct {
		const char *childrens, *offsets;
		int64_t want;
	} rows[] = {
		{ "time:[1]", "monotonic           0         0\n", 0 },
		{ "time:[1]", "monotonic     1000000         7\nboottime 1 2\n",
		  1000000000000007 },
		{ "time:[1]", "boottime 1 2\nmonotonic       -10 500000000\n", -9500000000 },
		{ "time:[2]", "monotonic     1000000         7\n", 0 },
		{ "time:[1]", "", 0 },
		{ "time:[1]", NULL, 0 },
	};
	char dir[] = "/tmp/util-clock-XXXXXX", path[64];

	assert_non_null(mkdtemp(dir));
	assert_int_equal(clock_offset_of(dir), 0);
	snprintf(path, sizeof(path), "%s/ns", dir);
	assert_int_equal(mkdir(path, 0700), 0);
	make_link(dir, "time", "time:[1]");
	snprintf(path, sizeof(path), "%s/timens_offsets", dir);
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		make_link(dir, "time_for_children", rows[i].childrens);
		unlink(path);
		if (rows[i].offsets) {
			FILE *f = fopen(path, "w");
			assert_non_null(f);
			fputs(rows[i].offsets, f);
			fclose(f);
		}
		assert_int_equal(clock_offset_of(dir), rows[i].want);
	}
	unlink(path);
	snprintf(path, sizeof(path), "rm -r %s", dir);
	assert_int_equal(system(path), 0);
}

static void
test_clock_moved(void **state)
{
	static const struct {
		uint64_t ns;
		int64_t by;
		uint64_t want;
	} rows[] = {
		{ 5000000001, 0, 5000000001 },
		{ 5000000001, 2000000000, 7000000001 },
		{ 5000000001, -2000000000, 3000000001 },
		{ 5000000001, -9000000000, 1 },
		{ 0, 0, 1 }, { 0, INT64_MIN, 1 },
		{ UINT64_MAX, 1, UINT64_MAX }, { UINT64_MAX, INT64_MAX, UINT64_MAX },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct timespec t = clock_moved(rows[i].ns, rows[i].by);
		assert_true((uint64_t)t.tv_sec == rows[i].want / 1000000000);
		assert_true((uint64_t)t.tv_nsec == rows[i].want % 1000000000);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_base_numbers),
		cmocka_unit_test(test_base_how_many),
		cmocka_unit_test(test_base_dec),
		cmocka_unit_test(test_hash),
		cmocka_unit_test(test_hash_cut),
		cmocka_unit_test(test_arena),
		cmocka_unit_test(test_sb_limit),
		cmocka_unit_test(test_sb_appends),
		cmocka_unit_test(test_sb_cut),
		cmocka_unit_test(test_intern),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_alloc_failure),
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_guard),
		cmocka_unit_test(test_guard_kill),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_clock_offset),
		cmocka_unit_test(test_clock_moved),
	};
	return cmocka_run_group_tests_name("util", tests, NULL, NULL);
}
