/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where the kernel's pages are: what the runtime is given to look for, a page of ours by
 * its number and what stands in it, and what is kept when it finds that.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/base.h"
#include "kengine/kengine_priv.h"
#include "kengine/parts_priv.h"
#include "support/assertok.h"
#include "type/make.h"
#include "util/arena.h"

static struct {
	bool finds, has_page, has_enum, has_bit;
	unsigned nruns;
} kernel;

static struct arena *arena;

struct err *__wrap_kern_prog_run(int prog, const uint64_t *ctx, unsigned n, uint32_t *ret);
int __wrap_kern_obj_prog(struct kern_obj *o, const char *name);
struct err *__wrap_typedb_find(struct typedb *db, const char *module, enum type_kind kind,
			       const char *name, const struct type **ret);

/* By the kernel's own list of who has which page. */
static uint64_t
number_of(const void *p)
{
	int fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	uint64_t entry = 0;

	if (fd >= 0 && pread(fd, &entry, 8, (off_t)((uintptr_t)p /
		      (size_t)sysconf(_SC_PAGESIZE) * 8)) != 8)
		entry = 0;
	if (fd >= 0)
		close(fd);
	return entry & ((1ull << 55) - 1);
}

struct err *
__wrap_kern_prog_run(int prog, const uint64_t *ctx, unsigned n, uint32_t *ret)
{
	uint64_t words[2];

	assert_int_equal(prog, 9);
	assert_int_equal(n, 4);
	assert_int_equal(pread((int)ctx[0], words, sizeof(words), 0), sizeof(words));
	assert_int_equal(ctx[2], words[0]);
	assert_int_equal(ctx[3], words[1]);
	assert_true(words[0] || words[1]);
	/* Mapped once more it is the same page. */
	const volatile char *p = mmap(NULL, 4096, PROT_READ, MAP_SHARED, (int)ctx[0], 0);
	assert_true(p != MAP_FAILED);
	(void)*p;
	assert_int_equal(ctx[1], number_of((const void *)(uintptr_t)p));
	munmap((void *)(uintptr_t)p, 4096);
	kernel.nruns++;
	*ret = kernel.finds;
	return NULL;
}

int
__wrap_kern_obj_prog(struct kern_obj *o, const char *name)
{
	assert_string_equal(name, "dt_pages");
	return 9;
}

struct err *
__wrap_typedb_find(struct typedb *db, const char *module, enum type_kind kind,
		   const char *name, const struct type **ret)
{
	const struct type_enumerator e[] = {
		{ "PG_locked", 0 }, { kernel.has_bit ? "PG_uptodate" : "PG_other", 3 },
		{ "PG_dirty", 4 },
	};
	struct type *t = type_new_fwd(arena, TYPE_ENUM, "pageflags");

	if (kind == TYPE_STRUCT) {
		assert_string_equal(name, "page");
		*ret = kernel.has_page ? type_new_opaque(arena, name, 64, 8) : NULL;
		return NULL;
	}
	assert_int_equal(kind, TYPE_ENUM);
	assert_string_equal(name, "pageflags");
	assert_true(type_define_enum(arena, t, e, BASE_NELEMS(e)));
	*ret = kernel.has_enum ? t : NULL;
	return NULL;
}

static struct abi_pages
find(bool reads)
{
	struct abi_ctl ctl = { .state = 0 };
	struct kengine k = { .reads_cache = reads };

	k.e.ctl = &ctl;
	kernel.nruns = 0;
	arena = arena_new();
	assert_ok(kengine_pages_find(&k));
	arena_free(arena);
	return ctl.pages;
}

static void
test_found(void **state)
{
	static char page[4096];

	page[0] = 1;
	memset(&kernel, 1, offsetof(typeof(kernel), nruns));
	if (!number_of(page)) {
		assert_int_equal(find(true).shift, 0);
		assert_int_equal(kernel.nruns, 0);
		print_message("# skipped: only root is told the numbers of pages\n");
		skip();
	}
	struct abi_pages p = find(true);
	assert_int_equal(kernel.nruns, 1);
	assert_int_equal(1 << p.shift, sysconf(_SC_PAGESIZE));
	assert_int_equal(p.page_size, 64);
	assert_int_equal(p.uptodate, 3);
	kernel.finds = false;
	assert_int_equal(find(true).shift, 0);
	assert_int_equal(kernel.nruns, 1);
}

/* Who reads no strings asks for nothing; and without types there is nothing to ask. */
static void
test_unknown(void **state)
{
	bool *lacks[] = { &kernel.has_page, &kernel.has_enum, &kernel.has_bit };

	memset(&kernel, 1, offsetof(typeof(kernel), nruns));
	assert_int_equal(find(false).shift, 0);
	assert_int_equal(kernel.nruns, 0);
	for (size_t i = 0; i < BASE_NELEMS(lacks); i++) {
		memset(&kernel, 1, offsetof(typeof(kernel), nruns));
		*lacks[i] = false;
		assert_int_equal(find(true).shift, 0);
		assert_int_equal(kernel.nruns, 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found),
		cmocka_unit_test(test_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
