/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Addresses without names: files on a file system that does not answer, here none does, and
 * a kernel whose symbols cannot be read.
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

struct telling {
	const char *want;
	unsigned told;
};

static void
tell(void *ctx, const char *text)
{
	struct telling *t = ctx;

	assert_string_equal(text, t->want);
	t->told++;
}

/* Addresses have the file's name and no function's, and those of the kernel none; that is
 * told, once each. */
static void
test_told(void **state)
{
	static const char *const paths[] = { "/silent/first", "/silent/second" };
	struct telling t = { .want = "/silent/first: its file system does not answer, so "
			     "addresses there have no names" };
	struct sym_kernel *kernel;
	struct sym_names *n;
	struct sym_place p;

	assert_null(sym_kernel_new("/dev/null", &kernel));
	assert_null(sym_names_new(kernel, &n));
	sym_names_on_nameless(n, tell, &t);
	for (unsigned i = 0; i < 2; i++) {
		struct sym_mapping m = { .start = (i + 1) * SIZE, .size = SIZE,
			.dev = 0xffff0, .inode = 7 + i, .path = paths[i] };
		sym_names_mapped(n, PID, &m);
		sym_names_user(n, PID, m.start + 1, &p);
		assert_string_equal(p.module, strrchr(paths[i], '/') + 1);
		assert_null(p.function);
		assert_int_equal(t.told, 1);
	}
	t.want = "addresses of the kernel have no names: /dev/null: no symbols";
	for (unsigned i = 0; i < 2; i++) {
		sym_names_kernel(n, 0xffffffff81000000 + i, &p);
		assert_null(p.function);
		assert_int_equal(t.told, 2);
	}
	sym_names_free(n);
	sym_kernel_free(kernel);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_told),
	};

	return cmocka_run_group_tests_name("sym-silent", tests, NULL, NULL);
}
