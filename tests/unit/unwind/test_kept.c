/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tables that are kept: what is read is what was made, and what is damaged, or could be
 * others', is made anew.
 */
#include <dirent.h>
#include <fcntl.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "support/countopen.h"
#include "sym/file.h"
#include "unwind/kept.h"

static char dir[] = "/tmp/test-kept-XXXXXX";
static char libc[4096];
static struct unwind_table truth;

static int
on_object(struct dl_phdr_info *i, size_t size, void *ctx)
{
	if (strstr(i->dlpi_name, "libc.so"))
		snprintf(libc, sizeof(libc), "%s", i->dlpi_name);
	return 0;
}

static int
set_up(void **state)
{
	dl_iterate_phdr(on_object, NULL);
	int fd = open(libc, O_RDONLY);
	return !mkdtemp(dir) || fd < 0 ||
	       unwind_file_table(fd, SIZE_MAX, &truth) || close(fd);
}

/* The name of the one file, after it was made. */
static const char *
kept(void)
{
	static char path[8192];
	const struct dirent *e;
	DIR *d = opendir(dir);
	int n = 0;

	assert_non_null(d);
	while ((e = readdir(d)))
		if (e->d_name[0] != '.' && strncmp(e->d_name, "big", 3)) {
			snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
			n++;
		}
	closedir(d);
	return n == 1 ? path : NULL;
}

static void
check_table(struct unwind_kept *k)
{
	int fd = open(libc, O_RDONLY);
	struct unwind_table t;

	assert_null(unwind_kept_table(k, fd, SIZE_MAX, &t));
	assert_int_equal(t.n, truth.n);
	assert_int_equal(t.ninexpressible, truth.ninexpressible);
	assert_int_equal(t.nbad_fdes, truth.nbad_fdes);
	assert_memory_equal(t.rows, truth.rows, t.n * sizeof(*t.rows));
	unwind_table_fini(&t);
	close(fd);
}

static ino_t
number(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return st.st_ino;
}

/* It is called after all of the build ids, ours cut to 8 bytes. */
static void
check_name(const char *name)
{
	uint8_t own[SYM_BUILD_ID_MAX], of[SYM_BUILD_ID_MAX];
	char want[256] = "";
	int fd = open(libc, O_RDONLY);
	size_t nown = sym_own_build_id(own), n = sym_elf_build_id(fd, of);

	assert_true(nown && n);
	for (size_t i = 0; i < nown && i < 8; i++)
		sprintf(want + strlen(want), "%02x", own[i]);
	strcat(want, "-");
	for (size_t i = 0; i < n; i++)
		sprintf(want + strlen(want), "%02x", of[i]);
	assert_string_equal(name, want);
	close(fd);
}

static void
test_same(void **state)
{
	struct unwind_kept *k = unwind_kept_open(dir);

	assert_non_null(k);
	assert_true(truth.n > 4096);
	check_table(k);
	assert_non_null(kept());
	check_name(strrchr(kept(), '/') + 1);
	ino_t first = number(kept());
	for (int i = 0; i < 3; i++)
		check_table(k);
	assert_int_equal(number(kept()), first);
	/* fewer than it has are wanted */
	int fd = open(libc, O_RDONLY);
	struct unwind_table t;
	struct err *e = unwind_kept_table(k, fd, 100, &t);
	assert_non_null(e);
	assert_int_equal(e->code, ERR_LIMIT);
	err_free(e);
	close(fd);
	unwind_kept_close(k);
	check_table(NULL);
}

static void
put(const char *path, off_t at, const void *what, size_t n)
{
	int fd = open(path, O_WRONLY);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, what, n, at), n);
	close(fd);
}

/* Made again, as another file. */
static void
check_anew(struct unwind_kept *k, const char *path)
{
	ino_t had = number(path);

	check_table(k);
	assert_non_null(kept());
	assert_int_not_equal(number(kept()), had);
	/* and good from then on */
	had = number(kept());
	check_table(k);
	assert_int_equal(number(kept()), had);
}

static void
test_damaged(void **state)
{
	struct unwind_kept *k = unwind_kept_open(dir);
	static const uint64_t many = UINT64_MAX / 8;
	struct stat st;

	check_table(k);
	assert_int_equal(stat(kept(), &st), 0);
	for (off_t at = 0; at < st.st_size; at += at < 64 ? 8 : st.st_size / 7) {
		put(kept(), at, "\xa5\x5a\xff", 3);
		check_anew(k, kept());
	}
	put(kept(), 16, &many, sizeof(many));
	check_anew(k, kept());
	for (off_t size = 0; size < st.st_size; size += size < 50 ? 10 : st.st_size / 5) {
		assert_int_equal(truncate(kept(), size), 0);
		check_anew(k, kept());
	}
	/* others can write to it */
	assert_int_equal(chmod(kept(), 0622), 0);
	check_anew(k, kept());
	/* it is a link to another */
	char path[8192], other[8300];
	snprintf(path, sizeof(path), "%s", kept());
	snprintf(other, sizeof(other), "%s/.other", dir);
	assert_int_equal(rename(path, other), 0);
	assert_int_equal(symlink(".other", path), 0);
	check_table(k);
	assert_int_equal(lstat(path, &st), 0);
	assert_true(S_ISREG(st.st_mode));
	unlink(other);
	unwind_kept_close(k);
}

static void
test_folder(void **state)
{
	char path[4200];
	struct stat st;

	snprintf(path, sizeof(path), "%s/.new", dir);
	struct unwind_kept *k = unwind_kept_open(path);
	assert_non_null(k);
	unwind_kept_close(k);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	chmod(path, 0722);
	assert_null(unwind_kept_open(path));
	chmod(path, 0700);
	if (geteuid() == 0) {
		assert_int_equal(chown(path, 1, 1), 0);
		assert_null(unwind_kept_open(path));
	}
	rmdir(path);
	assert_null(unwind_kept_open("/proc/none/there"));
	assert_null(unwind_kept_open(libc));
}

/* What was not used for the longest time goes. */
static void
test_room(void **state)
{
	struct unwind_kept *k = unwind_kept_open(dir);
	struct timespec when[2] = { { .tv_sec = 1000 } };
	char path[3][4200];

	if (kept())
		unlink(kept());
	for (int i = 0; i < 3; i++) {
		snprintf(path[i], sizeof(path[i]), "%s/big%d", dir, i);
		int fd = open(path[i], O_CREAT | O_WRONLY, 0600);
		assert_int_equal(ftruncate(fd, 100 << 20), 0);
		when[1].tv_sec = i == 1 ? 1000 : 2000;
		when[0] = when[1];
		assert_int_equal(futimens(fd, when), 0);
		close(fd);
	}
	check_table(k);
	assert_non_null(kept());
	for (int i = 0; i < 3; i++) {
		assert_int_equal(access(path[i], F_OK), i == 1 ? -1 : 0);
		unlink(path[i]);
	}
	unwind_kept_close(k);
}

/* What is written is counted, so that there is room for the next. */
static void
test_counted(void **state)
{
	const struct timespec when[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
	struct unwind_kept *k = unwind_kept_open(dir);
	char path[4200];
	struct stat st;

	check_table(k);
	assert_int_equal(stat(kept(), &st), 0);
	unlink(kept());
	unwind_kept_close(k);
	snprintf(path, sizeof(path), "%s/big", dir);
	int fd = open(path, O_CREAT | O_WRONLY, 0600);
	assert_int_equal(ftruncate(fd, (256 << 20) - st.st_size * 3 / 2), 0);
	assert_int_equal(futimens(fd, when), 0);
	close(fd);
	k = unwind_kept_open(dir);
	check_table(k);
	assert_int_equal(access(path, F_OK), 0);
	assert_int_equal(chmod(kept(), 0622), 0);
	check_table(k);
	assert_int_equal(access(path, F_OK), -1);
	assert_non_null(kept());
	unwind_kept_close(k);
}

static struct { uint64_t addr; bool is_called; unsigned n; } seen;

static void
on_function(void *ctx, uint64_t addr, uint64_t size, bool is_called)
{
	seen.n++;
	if (*(uint64_t *)ctx - addr < size) {
		seen.addr = addr;
		seen.is_called = is_called;
	}
}

static uint64_t bias;

static int
on_self(struct dl_phdr_info *i, size_t size, void *ctx)
{
	bias = i->dlpi_addr;
	return 1;
}

/* Of this program: one function of it. */
static void
test_functions(void **state)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	uint64_t at = (uint64_t)(uintptr_t)&test_functions;

	dl_iterate_phdr(on_self, NULL);
	at -= bias;
	assert_null(unwind_file_functions(fd, on_function, &at));
	assert_true(seen.n > 5);
	assert_int_equal(seen.addr, at);
	assert_true(seen.is_called);
	close(fd);
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	seen.n = 0;
	err_free(unwind_file_functions(fd, on_function, &at));
	assert_int_equal(seen.n, 0);
	close(fd);
}

static int
tear_down(void **state)
{
	while (kept())
		unlink(kept());
	unwind_table_fini(&truth);
	return rmdir(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_same, count_open_begin, count_open_end),
		cmocka_unit_test_setup_teardown(test_damaged, count_open_begin, count_open_end),
		cmocka_unit_test_setup_teardown(test_folder, count_open_begin, count_open_end),
		cmocka_unit_test_setup_teardown(test_room, count_open_begin, count_open_end),
		cmocka_unit_test_setup_teardown(test_counted, count_open_begin, count_open_end),
		cmocka_unit_test_setup_teardown(test_functions, count_open_begin, count_open_end),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
