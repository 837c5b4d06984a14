/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What files of programs say.  The one at hand is this test: where it was
 * loaded is known from one of its functions, and must fit the others.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/base.h"
#include "sym/file.h"

int main(void);
extern int test_file_number;
int test_file_number = 1;

static void
test_own_file(void **state)
{
	struct sym_file f;

	assert_null(sym_file_read("/proc/self/exe", "main", &f));
	assert_true(f.is_64 && f.found);
	uint64_t moved = getauxval(AT_ENTRY) - f.entry;
	assert_int_equal(moved % 4096, 0);
	assert_int_equal(f.value + moved, (uintptr_t)main);
	assert_memory_equal((void *)(uintptr_t)(f.start + moved), "\177ELF", 4);
	assert_null(sym_file_read("/proc/self/exe", "test_file_number", &f));
	assert_int_equal(f.value + moved, (uintptr_t)&test_file_number);
	/* what it only uses is not there */
	assert_null(sym_file_read("/proc/self/exe", "getauxval", &f));
	assert_false(f.found);
	assert_null(sym_file_read("/proc/self/exe", "", &f));
}

static void
test_no_file(void **state)
{
	static const struct { const char *path; enum err_code code; } rows[] = {
		{ "/nonexistent", ERR_OS }, { "/dev/null", ERR_FORMAT },
		{ "/proc/self/maps", ERR_FORMAT }, { "/", ERR_FORMAT },
	};
	struct sym_file f;

	for (unsigned i = 0; i < BASE_NELEMS(rows); i++) {
		struct err *e = sym_file_read(rows[i].path, "main", &f);
		assert_non_null(e);
		assert_int_equal(e->code, rows[i].code);
		err_free(e);
	}
}

static size_t
read_self(uint8_t **ret)
{
	FILE *in = fopen("/proc/self/exe", "r");
	size_t size;

	assert_non_null(in);
	assert_int_equal(fseek(in, 0, SEEK_END), 0);
	size = (size_t)ftell(in);
	rewind(in);
	*ret = malloc(size);
	assert_non_null(*ret);
	assert_int_equal(fread(*ret, 1, size, in), size);
	fclose(in);
	return size;
}

/* Write size bytes at p and read them as a program; whatever comes. */
static void
try_bytes(const char *path, const uint8_t *p, size_t size)
{
	struct sym_file f;
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	assert_int_equal(fwrite(p, 1, size, out), size);
	fclose(out);
	err_free(sym_file_read(path, "main", &f));
}

/* Cut short, or with wrong bytes in its tables. */
static void
test_broken(void **state)
{
	char path[] = "/tmp/test-file-XXXXXX";
	uint8_t *p;
	size_t size = read_self(&p), table;
	uint32_t noise = 1;

	close(mkstemp(path));
	memcpy(&table, p + 40, 8);		/* e_shoff */
	for (unsigned i = 0; i < 16; i++)
		try_bytes(path, p, size * i / 16);
	for (unsigned i = 0; i < 100; i++) {
		noise = noise * 1103515245 + 12345;
		size_t at = i % 2 ? 16 + (noise >> 8) % 48
				  : table + (noise >> 8) % (size - table);
		uint8_t old = p[at];
		p[at] = (uint8_t)(noise >> 16);
		try_bytes(path, p, size);
		p[at] = old;
	}
	unlink(path);
	free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_own_file),
		cmocka_unit_test(test_no_file),
		cmocka_unit_test(test_broken),
	};

	return cmocka_run_group_tests_name("sym-file", tests, NULL, NULL);
}
