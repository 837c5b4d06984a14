/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Addresses to names and back, in tables made by the test: right ones, broken
 * ones, one with many symbols; and once in the running kernel's.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/base.h"
#include "sym/sym.h"
#include "util/alloc.h"
#include "util/sb.h"

static const char sample[] =
	"0000000000000000 A fixed_percpu_data\n"
	"ffffffff81000000 T _stext\n"
	"ffffffff81000000 t local_alias\n"
	"ffffffff81000000 T __global\n"
	"ffffffff81000000 W weak_alias\n"
	"ffffffff81000040 t helper\n"
	"ffffffff81000080 T vfs_read\n"
	"ffffffff81000100 t helper\n"
	"ffffffff81000140 D some_data\n"
	"ffffffff81000180 T last_of_kernel\n"
	"ffffffffc0002000 t mod_b_fn\t[mod_b]\n"
	"ffffffffc0001000 t helper\t[mod_a]\n"
	"ffffffffc0001020 t only_a\t[mod_a]\n"
	"ffffffffc0001010 t late\t[mod_a]\n"
	"ffffffffc0003000 t prog\t[bpf]\n";

static char path[] = "/tmp/sym-test-XXXXXX";

/* n bytes of text in a file at path, until close_text(). */
static void
write_file(const char *text, size_t n)
{
	int fd;

	strcpy(path + sizeof(path) - 7, "XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, n), n);
	close(fd);
}

static struct sym_kernel *
open_text(const char *text, size_t n)
{
	struct sym_kernel *k = NULL;

	write_file(text, n);
	assert_null(sym_kernel_new(path, &k));
	return k;
}

static void
close_text(struct sym_kernel *k)
{
	sym_kernel_free(k);
	unlink(path);
}

static void
test_by_addr(void **state)
{
	static const struct {
		uint64_t addr;
		const char *name, *module;	/* NULL: none */
		uint64_t start, size;
	} rows[] = {
		{ 0, NULL, NULL, 0, 0 },
		{ 0x400000, NULL, NULL, 0, 0 },
		{ 0xffffffff80ffffff, NULL, NULL, 0, 0 },
		{ 0xffffffff81000000, "_stext", "vmlinux",
		  0xffffffff81000000, 0x40 },
		{ 0xffffffff8100003f, "_stext", "vmlinux",
		  0xffffffff81000000, 0x40 },
		{ 0xffffffff81000040, "helper", "vmlinux",
		  0xffffffff81000040, 0x40 },
		{ 0xffffffff81000081, "vfs_read", "vmlinux",
		  0xffffffff81000080, 0x80 },
		{ 0xffffffff81000150, "some_data", "vmlinux",
		  0xffffffff81000140, 0x40 },
		{ 0xffffffff81000181, "last_of_kernel", "vmlinux",
		  0xffffffff81000180, 0x10000 },
		{ 0xffffffff81010180, NULL, NULL, 0, 0 },
		{ 0xffffffffc0001011, "late", "mod_a",
		  0xffffffffc0001010, 0x10 },
		{ 0xffffffffc0001021, "only_a", "mod_a",
		  0xffffffffc0001020, 0xfe0 },
		{ 0xffffffffc0002001, "mod_b_fn", "mod_b",
		  0xffffffffc0002000, 0x1000 },
		{ 0xffffffffc0003000, "prog", "bpf",
		  0xffffffffc0003000, 0x10000 },
		{ UINT64_MAX, NULL, NULL, 0, 0 },
	};
	struct sym_kernel *k = open_text(sample, sizeof(sample) - 1);
	struct sym s;

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct err *e = sym_kernel_by_addr(k, rows[i].addr, &s);
		if (!e != !!rows[i].name)
			fail_msg("row %zu", i);
		if (e) {
			assert_int_equal(e->code, ERR_NOTFOUND);
			err_free(e);
			continue;
		}
		assert_string_equal(s.name, rows[i].name);
		assert_string_equal(s.module, rows[i].module);
		assert_true(s.addr == rows[i].start);
		assert_true(s.size == rows[i].size);
	}
	close_text(k);
}

static void
test_by_name(void **state)
{
	static const struct {
		const char *module, *name;
		uint64_t addr;		/* 0: none */
	} rows[] = {
		{ NULL, "vfs_read", 0xffffffff81000080 },
		{ "vmlinux", "vfs_read", 0xffffffff81000080 },
		{ "kernel", "vfs_read", 0xffffffff81000080 },
		{ "unix", "vfs_read", 0xffffffff81000080 },
		{ "mod_a", "vfs_read", 0 },
		{ "nosuch", "vfs_read", 0 },
		{ NULL, "helper", 0xffffffff81000040 },
		{ "mod_a", "helper", 0xffffffffc0001000 },
		{ "mod_b", "helper", 0 },
		{ NULL, "mod_b_fn", 0xffffffffc0002000 },
		{ "vmlinux", "mod_b_fn", 0 },
		{ NULL, "weak_alias", 0xffffffff81000000 },
		{ NULL, "fixed_percpu_data", 0 },
		{ NULL, "vfs_rea", 0 }, { NULL, "vfs_read2", 0 },
		{ NULL, "", 0 }, { "", "vfs_read", 0 },
	};
	struct sym_kernel *k = open_text(sample, sizeof(sample) - 1);
	struct sym s;

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct err *e = sym_kernel_by_name(k, rows[i].module,
						   rows[i].name, &s);
		if (!e != !!rows[i].addr)
			fail_msg("row %zu", i);
		if (e) {
			assert_int_equal(e->code, ERR_NOTFOUND);
			err_free(e);
			continue;
		}
		assert_string_equal(s.name, rows[i].name);
		assert_true(s.addr == rows[i].addr);
	}
	close_text(k);
}

/* Files that hold no table. */
static void
test_bad_files(void **state)
{
	static const struct {
		const char *text;
		enum err_code code;
	} rows[] = {
		{ "", ERR_FORMAT },
		{ "\n\n", ERR_FORMAT },
		{ "hello\n", ERR_FORMAT },
		{ "ffffffff81000000\n", ERR_FORMAT },
		{ "ffffffff81000000 T\n", ERR_FORMAT },
		{ "ffffffff81000000 T \n", ERR_FORMAT },
		{ "ffffffff8100000000 T x\n", ERR_FORMAT },
		{ "0000000000000000 A only_absolute\n", ERR_FORMAT },
		{ "0000000000000000 T hidden\n", ERR_UNSUPPORTED },
		{ "0000000000000000 T x\n0000000000000000 t y\t[m]\n",
		  ERR_UNSUPPORTED },
	};
	struct sym s;

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct sym_kernel *k = open_text(rows[i].text,
						 strlen(rows[i].text));
		for (int again = 0; again < 2; again++) {
			struct err *e = sym_kernel_by_name(k, NULL, "x", &s);
			assert_non_null(e);
			if (e->code != rows[i].code)
				fail_msg("row %zu: %s", i, e->text);
			err_free(e);
		}
		close_text(k);
	}

	/* Nor is every path one of a file that can be read. */
	static const struct { const char *path, *want; int os; } paths[] = {
		{ "/nonexistent", "/nonexistent: No such file or directory", ENOENT },
		{ "/", "/: Is a directory", EISDIR },
	};
	for (size_t i = 0; i < BASE_NELEMS(paths); i++) {
		struct sym_kernel *k;
		assert_null(sym_kernel_new(paths[i].path, &k));
		struct err *e = sym_kernel_by_addr(k, 1, &s);
		assert_non_null(e);
		assert_int_equal(e->code, ERR_OS);
		assert_int_equal(e->os, paths[i].os);
		assert_string_equal(e->text, paths[i].want);
		err_free(e);
		sym_kernel_free(k);
	}
	sym_kernel_free(NULL);
}

/* Lines that make no sense among ones that do. */
static void
test_bad_lines(void **state)
{
	static const char text[] =
		"garbage\n"
		" ffffffff81000000 T indented\n"
		"ffffffff81000000 T good\n"
		"ffffffff81000010 T \t[m]\n"
		"ffffffff81000020 T open\t[m\n"
		"ffffffff81000030 T empty\t[]\n"
		"ffffffff81000040 T nul\0name\n"
		"81000050 T short\n"
		"ffffffff81000058 T i\n"
		"ffffffff81000060 T unfinished";
	static const char *const good[] = {
		"good", "open", "empty", "short", "i", "unfinished",
	};
	struct sym_kernel *k = open_text(text, sizeof(text) - 1);
	struct sym s;

	for (size_t i = 0; i < BASE_NELEMS(good); i++) {
		struct err *e = sym_kernel_by_name(k, NULL, good[i], &s);
		if (e)
			fail_msg("%s", e->text);
		assert_string_equal(s.module, "vmlinux");
	}
	struct err *e = sym_kernel_by_name(k, NULL, "nul", &s);
	assert_non_null(e);
	err_free(e);
	close_text(k);
}

/* Every prefix of the sample, and every byte of it changed. */
static void
test_mutations(void **state)
{
	struct sym s;

	for (size_t n = 0; n < 2 * sizeof(sample); n++) {
		char text[sizeof(sample)];
		memcpy(text, sample, sizeof(sample));
		size_t size = BASE_MIN(n, sizeof(sample) - 1);
		if (n >= sizeof(sample))
			text[n - sizeof(sample)] ^= (char)(1 + n % 255);
		struct sym_kernel *k = open_text(text, size);
		err_free(sym_kernel_by_name(k, "mod_a", "helper", &s));
		err_free(sym_kernel_by_addr(k, 0xffffffff81000081, &s));
		close_text(k);
	}
}

/* More modules and symbols than first room, and one name thousandfold. */
static void
test_many(void **state)
{
	enum { N = 40000 };
	char *text = malloc(N * 64);
	size_t size = 0;
	struct sym s;

	for (int i = 0; i < N; i++)
		size += (size_t)sprintf(text + size,
			"%016lx t same\t[mod%d]\n",
			0xffffffffc0000000 + (unsigned long)(N - i) * 16,
			i / 100);
	struct sym_kernel *k = open_text(text, size);
	assert_null(sym_kernel_by_name(k, "mod399", "same", &s));
	assert_true(s.addr == 0xffffffffc0000010);
	assert_string_equal(s.module, "mod399");
	assert_null(sym_kernel_by_name(k, "mod0", "same", &s));
	assert_true(s.addr == 0xffffffffc0000000 + (N - 99) * 16UL);
	close_text(k);
	free(text);
}

/* What was loaded since is found, after a second; names are kept. */
static void
test_again(void **state)
{
	static const char more[] =
		"ffffffffc0200000 t fresh\t[mod_new]\n"
		"ffffffffc0200010 t other\t[mod_new]\n";
	const uint64_t addr = 0xffffffffc0200004;
	struct sym_kernel *k = open_text(sample, sizeof(sample) - 1);
	struct sym old, s;

	assert_null(sym_kernel_by_addr(k, 0xffffffff81000081, &old));
	FILE *f = fopen(path, "w");
	fputs("ffffffff81000000 T _stext\n", f);
	fputs(more, f);
	fclose(f);
	err_free(sym_kernel_by_addr(k, addr, &s));	/* too soon */
	usleep(1010000);
	err_free(sym_kernel_by_addr(k, 0x400000, &s));	/* a process's */
	assert_null(sym_kernel_by_name(k, NULL, "vfs_read", &s));
	assert_null(sym_kernel_by_addr(k, addr, &s));
	assert_string_equal(s.name, "fresh");
	assert_string_equal(s.module, "mod_new");
	assert_string_equal(old.name, "vfs_read");
	assert_string_equal(old.module, "vmlinux");
	assert_null(sym_kernel_by_name(k, "mod_new", "other", &s));
	err_free(sym_kernel_by_name(k, NULL, "vfs_read", &s));
	assert_string_equal(s.name, "other");
	close_text(k);
}

static void
test_oom(void **state)
{
	struct sym s;

	write_file(sample, sizeof(sample) - 1);
	for (int sticky = 0; sticky < 2; sticky++) {
		struct err *e = &err_nomem;
		unsigned long n = 1;
		for (; e && n < 100; n++) {
			struct sym_kernel *k = NULL;
			util_alloc_fail(n, sticky);
			e = sym_kernel_new(path, &k);
			if (!e)
				e = sym_kernel_by_name(k, "mod_a", "late", &s);
			util_alloc_fail(0, 0);
			/* What failed for want of memory works again. */
			if (e && k)
				assert_null(sym_kernel_by_name(k, "mod_a",
							       "late", &s));
			assert_true(!e || e->code == ERR_NOMEM);
			sym_kernel_free(k);
		}
		assert_null(e);
		assert_true(n > 4);
	}
	unlink(path);
}

static void
test_running_kernel(void **state)
{
	struct sym_kernel *k;
	struct sym s, t;

	assert_null(sym_kernel_new(NULL, &k));
	struct err *e = sym_kernel_by_name(k, "vmlinux", "vfs_read", &s);
	if (e) {
		print_message("# skip: %s\n", e->text);
		err_free(e);
		sym_kernel_free(k);
		skip();
	}
	assert_string_equal(s.module, "vmlinux");
	assert_null(sym_kernel_by_addr(k, s.addr + 1, &t));
	assert_true(t.addr == s.addr);
	assert_string_equal(t.name, "vfs_read");
	assert_true(t.size > 16 && t.size < 65536);
	sym_kernel_free(k);
}

/* Modules as text: name, and of each part its range. */
static bool
put_module(void *ctx, const struct sym_module *m)
{
	struct sb *b = ctx;

	sb_puts(b, m->name);
	for (int i = 0; i < SYM_NPARTS; i++)
		sb_printf(b, " %llx+%llx", (unsigned long long)m->part[i].start,
			  (unsigned long long)m->part[i].size);
	sb_putc(b, '\n');
	return strcmp(m->name, "mod_b") != 0;
}

static void
test_modules(void **state)
{
	static const char text[] =
		"ffffffff81000000 T _stext\n"
		"ffffffff81000100 T kernel_fn\n"
		"ffffffff81200010 T _etext\n"
		"ffffffff81300000 D few\n"
		"ffffffff81400000 t in_init_text\n"
		"ffffffff81500000 B __bss_start\n"
		"ffffffff81500800 B __bss_stop\n"
		"ffffffffc0001010 t first\t[mod_a]\n"
		"ffffffffc0002ff8 t last\t[mod_a]\n"
		"ffffffffc0003000 r constant\t[mod_a]\n"
		"ffffffffc0004000 d data\t[mod_a]\n"
		"ffffffffc0005ff0 b bss\t[mod_a]\n"
		"ffffffffc0009000 r only\t[mod_b]\n"
		"ffffffffffffff00 t highest\t[mod_c]\n";
	struct sym_kernel *k = open_text(text, strlen(text));
	struct sb b;

	sb_init(&b, 4096);
	assert_null(sym_kernel_modules(k, put_module, &b));
	assert_string_equal(sb_str(&b),
		"vmlinux ffffffff81000000+200010 0+0 ffffffff81500000+800\n"
		"mod_a ffffffffc0001010+1ff0 ffffffffc0004000+1000"
		" ffffffffc0005ff0+10\n"
		"mod_b 0+0 0+0 0+0\n");
	sb_fini(&b);
	close_text(k);
	assert_null(sym_kernel_new("/nonexistent", &k));
	struct err *e = sym_kernel_modules(k, put_module, &b);
	assert_non_null(e);
	err_free(e);
	sym_kernel_free(k);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_addr),
		cmocka_unit_test(test_modules),
		cmocka_unit_test(test_by_name),
		cmocka_unit_test(test_bad_files),
		cmocka_unit_test(test_bad_lines),
		cmocka_unit_test(test_mutations),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_again),
		cmocka_unit_test(test_oom),
		cmocka_unit_test(test_running_kernel),
	};

	return cmocka_run_group_tests_name("sym", tests, NULL, NULL);
}
