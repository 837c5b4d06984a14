/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Files on a file system that does not answer: here none does.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "sym/mounts_priv.h"
#include "sym/names.h"
#include "sym/sym.h"

enum { PID = 0x3fffff00, SIZE = 0x1000 };

bool __wrap_sym_mounts_answer(struct mounts *t, uint64_t dev, int pid,
			      void (*touch)(void *ctx), void *ctx);

bool
__wrap_sym_mounts_answer(struct mounts *t, uint64_t dev, int pid,
			 void (*touch)(void *ctx), void *ctx)
{
	return false;
}

static void
tell(void *ctx, const char *text)
{
	unsigned *told = ctx;

	assert_string_equal(text, "/silent/first: its file system does not answer, so addresses "
			    "there have no names");
	++*told;
}

static void
tell_kernel(void *ctx, const char *text)
{
	unsigned *told = ctx;

	assert_string_equal(text, "addresses of the kernel have no names: /dev/null: no symbols");
	++*told;
}

/* The kernel's, too. */
static void
test_hidden(void **state)
{
	unsigned told = 0;
	struct sym_kernel *kernel;
	struct sym_names *n;
	struct sym_place p;

	assert_null(sym_kernel_new("/dev/null", &kernel));
	assert_null(sym_names_new(kernel, &n));
	sym_names_on_nameless(n, tell_kernel, &told);
	for (unsigned i = 0; i < 2; i++) {
		sym_names_kernel(n, 0xffffffff81000000 + i, &p);
		assert_null(p.function);
		assert_int_equal(told, 1);
	}
	sym_names_free(n);
	sym_kernel_free(kernel);
}

/* Addresses have the file's name and no function's; that is told, once. */
static void
test_told(void **state)
{
	static const char *const paths[] = { "/silent/first", "/silent/second" };
	unsigned told = 0;
	struct sym_kernel *kernel;
	struct sym_names *n;
	struct sym_place p;

	assert_null(sym_kernel_new("/dev/null", &kernel));
	assert_null(sym_names_new(kernel, &n));
	sym_names_on_nameless(n, tell, &told);
	for (unsigned i = 0; i < 2; i++) {
		struct sym_mapping m = { .start = (i + 1) * SIZE, .size = SIZE,
			.dev = 0xffff0, .inode = 7 + i, .path = paths[i] };
		sym_names_mapped(n, PID, &m);
		sym_names_user(n, PID, m.start + 1, &p);
		assert_string_equal(p.module, strrchr(paths[i], '/') + 1);
		assert_null(p.function);
		assert_int_equal(told, 1);
	}
	sym_names_free(n);
	sym_kernel_free(kernel);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hidden),
		cmocka_unit_test(test_told),
	};

	return cmocka_run_group_tests_name("sym-silent", tests, NULL, NULL);
}
