/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What files of programs say.  The one at hand is this test: where it was
 * loaded is known from one of its functions, and must fit the others.
 */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/base.h"
#include "sym/file.h"

int main(void);
extern int test_file_number;
int test_file_number = 1;
extern _Thread_local int test_file_own;
_Thread_local int test_file_own = 1;

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
	assert_null(sym_file_read("/proc/self/exe", "test_file_own", &f));
	assert_true(f.is_of_thread && !f.found);
	/* what nobody else is to see */
	assert_null(sym_file_exported("/proc/self/exe", "test_file_number", &f));
	assert_false(f.found);
	/* what it only uses is not there */
	assert_null(sym_file_read("/proc/self/exe", "getauxval", &f));
	assert_false(f.found || f.is_of_thread);
	assert_null(sym_file_read("/proc/self/exe", "", &f));
}

static void
test_program(void **state)
{
	static const struct { const char *path; bool is; } rows[] = {
		{ "/proc/self/exe", true }, { NULL, false }, { "/dev/null", false },
	};
	Dl_info libc;

	assert_true(dladdr((void *)(uintptr_t)getauxval, &libc));
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		int fd = open(rows[i].path ? rows[i].path : libc.dli_fname, O_RDONLY);
		assert_true(fd >= 0);
		assert_int_equal(sym_elf_is_program(fd), rows[i].is);
		close(fd);
	}
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

/* The id of what is mapped is that of the file. */
static void
test_own_id(void **state)
{
	uint8_t mapped[SYM_BUILD_ID_MAX], file[SYM_BUILD_ID_MAX];
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	size_t n = sym_elf_build_id(fd, file);

	close(fd);
	if (!n) {
		print_message("# skip: this linker makes no ids\n");
		skip();
	}
	assert_int_equal(sym_own_build_id(mapped), n);
	assert_memory_equal(mapped, file, n);
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	assert_int_equal(sym_elf_build_id(fd, file), 0);
	close(fd);
}

struct told {
	char path[64][512];
	size_t n;
};

static void
on_path(void *ctx, const char *path)
{
	struct told *t = ctx;

	assert_true(t->n < BASE_NELEMS(t->path));
	snprintf(t->path[t->n++], sizeof(t->path[0]), "%s", path);
}

static bool
is_mapped(const char *path)
{
	char line[4352], real[4096];
	bool found = false;
	FILE *f = fopen("/proc/self/maps", "r");

	assert_non_null(f);
	assert_non_null(realpath(path, real));
	while (!found && fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = 0;
		const char *at = strchr(line, '/');
		found = at && !strcmp(at, real);
	}
	fclose(f);
	return found;
}

/* What a program will map: of this one we know what it has. */
static void
test_program_files(void **state)
{
	static struct told t;
	char self[4096];
	bool libc = false;

	assert_non_null(realpath("/proc/self/exe", self));
	sym_program_files(self, on_path, &t);
	assert_string_equal(t.path[0], self);
	if (t.n == 1) {
		print_message("# skip: this program is linked statically\n");
		skip();
	}
	for (size_t i = 0; i < t.n; i++) {
		if (!is_mapped(t.path[i]))
			fail_msg("%s is not mapped", t.path[i]);
		libc |= strstr(t.path[i], "/libc.") != NULL;
	}
	assert_true(libc);
}

static void
write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
	fclose(f);
}

/* A script maps what its interpreter does; what is no program is told, no more. */
static void
test_script_files(void **state)
{
	static const char *const alone[] = { "#!sh\n", "#!", "text\n", "", "\177E",
					     "\177ELFnothing" };
	static struct told script, sh;
	char path[] = "/tmp/test-file-XXXXXX";

	close(mkstemp(path));
	sym_program_files("/bin/sh", on_path, &sh);
	assert_string_equal(sh.path[0], "/bin/sh");
	for (int i = 0; i < 2; i++) {
		write_text(path, i ? "#!/bin/sh\n" : "#! \t/bin/sh -e\n:\n");
		script.n = 0;
		sym_program_files(path, on_path, &script);
		assert_int_equal(script.n, sh.n);
		for (size_t k = 0; k < sh.n; k++)
			assert_string_equal(script.path[k], sh.path[k]);
	}
	for (size_t i = 0; i < BASE_NELEMS(alone); i++) {
		write_text(path, alone[i]);
		script.n = 0;
		sym_program_files(path, on_path, &script);
		assert_int_equal(script.n, 1);
		assert_string_equal(script.path[0], path);
	}
	unlink(path);
	script.n = 0;
	sym_program_files(path, on_path, &script);
	assert_int_equal(script.n, 1);
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
		cmocka_unit_test(test_program),
		cmocka_unit_test(test_no_file),
		cmocka_unit_test(test_own_id),
		cmocka_unit_test(test_program_files),
		cmocka_unit_test(test_script_files),
		cmocka_unit_test(test_broken),
	};

	return cmocka_run_group_tests_name("sym-file", tests, NULL, NULL);
}
