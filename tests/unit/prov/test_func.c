/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The functions of a kernel that the test has made up.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/base.h"
#include "prov/func_priv.h"
#include "type/make.h"
#include "util/alloc.h"
#include "util/arena.h"

static const char symbols[] =
	"ffffffff81000000 T _text\n"
	"ffffffff81000100 t twice\n"
	"ffffffff81000200 T vfs_read\n"
	"ffffffff81000200 T alias_of_vfs_read\n"
	"ffffffff81000300 t twice\n"
	"ffffffff81000400 t rare.cold\n"
	"ffffffff81000500 t part.isra.0\n"
	"ffffffff81000600 t is_endbr\n"
	"ffffffff81000700 T __rcu_read_lock\n"
	"ffffffff81000800 T __rcu_read_unlock\n"
	"ffffffff81000880 t rcu_read_unlock_special\n"
	"ffffffff81000900 t __do_sys_getpid\n"
	"ffffffff81000900 T __ia32_sys_getpid\n"
	"ffffffff81000900 T __x64_sys_getpid\n"
	"ffffffff81000a00 t __do_sys_far\n"
	"ffffffff81000b00 T __x64_sys_far\n"
	"ffffffff81000c00 t __do_sys_only\n"
	"ffffffff82000000 D vfs_data\n"
	"ffffffffc0000000 t vfs_read\t[mod]\n"
	"ffffffffc0000100 t only\t[mod]\n";

/* What is diverted lies behind the beginning. */
static const char with_addrs[] =
	"ffffffff81000104 twice\n"
	"ffffffff81000204 vfs_read\n"
	"ffffffff81000304 twice\n"
	"ffffffff81000400 rare.cold\n"
	"ffffffff81000500 part.isra.0\n"
	"ffffffff81000604 is_endbr\n"
	"ffffffff81000704 __rcu_read_lock\n"
	"ffffffff81000804 __rcu_read_unlock\n"
	"ffffffff81000884 rcu_read_unlock_special\n"
	"ffffffff81000904 __do_sys_getpid\n"
	"ffffffff81000a04 __do_sys_far\n"
	"ffffffff81000c04 __do_sys_only\n"
	"ffffffff81900000 far_from_any\n"
	"ffffffffc0000004 vfs_read [mod]\n"
	"ffffffffc0000104 only [mod]\n";

static const char with_names[] =
	"twice\nvfs_read\ntwice\nrare.cold\npart.isra.0\nis_endbr\n__rcu_read_lock\n__rcu_read_unlock\n"
	"rcu_read_unlock_special\nfar_from_any\n"
	"__do_sys_getpid\n__do_sys_far\n__do_sys_only\n"
	"vfs_read [mod]\nonly [mod]\n";

static struct fake {
	const char *addrs, *names, *symbols;	/* NULL: cannot be read */
	bool refuses;
	unsigned ntried, nread;
} fake;

static struct err *
may_probe(void *ctx, bool *many)
{
	fake.ntried++;
	*many = true;
	return fake.refuses ? err_new(ERR_UNSUPPORTED, 0, "policy") : NULL;
}

static struct err *
read_fake(void *ctx, const char *file, struct sb *b)
{
	const char *text = strcmp(file, PROV_KALLSYMS) == 0 ? fake.symbols :
		strstr(file, "_addrs") ? fake.addrs : fake.names;

	fake.nread++;
	if (!text)
		return err_new(ERR_OS, 2, "%s: No such file", file);
	sb_puts(b, text);
	return b->failed ? &err_nomem : NULL;
}

static struct arena *arena;

static struct prov_set *
start(void)
{
	static const struct prov_world w = { NULL, may_probe, read_fake };
	struct prov_set *s;

	fake.ntried = fake.nread = 0;
	arena = arena_new();
	assert_null(prov_set_new(arena, NULL, &s));
	assert_null(prov_set_world(s, &w));
	return s;
}

static void
stop(struct prov_set *s)
{
	prov_set_free(s);
	arena_free(arena);
}

static void
check_func(const struct prov_func *f, const char *module, const char *name,
	   unsigned n, uint64_t first, uint64_t second)
{
	assert_string_equal(f->module, module);
	assert_string_equal(f->name, name);
	assert_int_equal(f->naddrs, n);
	assert_int_equal(f->addrs[0], first);
	if (n > 1)
		assert_int_equal(f->addrs[1], second);
}

static void
check_all(void)
{
	struct prov_set *s = start();
	struct prov_func *f;
	size_t n, left_out;

	assert_null(prov_func_all(s, &f, &n, &left_out));
	assert_int_equal(n, 8);
	assert_int_equal(left_out, 6);
	check_func(&f[0], "vmlinux", "__do_sys_far", 1, 0xffffffff81000a00, 0);
	check_func(&f[1], "vmlinux", "__do_sys_only", 1, 0xffffffff81000c00, 0);
	check_func(&f[2], "vmlinux", "__x64_sys_getpid", 1, 0xffffffff81000900, 0);
	check_func(&f[3], "mod", "only", 1, 0xffffffffc0000100, 0);
	check_func(&f[4], "vmlinux", "part.isra.0", 1, 0xffffffff81000500, 0);
	check_func(&f[5], "vmlinux", "twice", 2, 0xffffffff81000100,
		   0xffffffff81000300);
	check_func(&f[6], "vmlinux", "vfs_read", 1, 0xffffffff81000200, 0);
	check_func(&f[7], "mod", "vfs_read", 1, 0xffffffffc0000000, 0);

	struct sb told;
	sb_init(&told, 1000);
	assert_true(prov_func_tell_left_out(s, &told));
	assert_string_equal(sb_str(&told), "8 functions of the kernel can be probed; it "
		"lists 1 more that are parts of others, 4 that probes themselves call, and "
		"1 that are nowhere; 0 end the thread and have no return");
	sb_fini(&told);

	unsigned nread = fake.nread;
	assert_null(prov_func_find(s, "vfs_read", &f));
	check_func(f, "vmlinux", "vfs_read", 1, 0xffffffff81000200, 0);
	assert_null(prov_func_find(s, "only", &f));
	check_func(f, "mod", "only", 1, 0xffffffffc0000100, 0);
	assert_null(prov_func_find(s, "rare.cold", &f));
	assert_null(f);
	assert_null(prov_func_find(s, "is_endbr", &f));
	assert_null(f);
	assert_null(prov_func_find(s, "__rcu_read_unlock", &f));
	assert_null(f);
	assert_null(prov_func_find(s, "zzz", &f));
	assert_null(f);
	assert_int_equal(fake.nread, nread);
	assert_int_equal(fake.ntried, 1);
	stop(s);
}

static void
test_addresses(void **state)
{
	fake = (struct fake){ with_addrs, NULL, symbols };
	check_all();
}

static void
test_names(void **state)
{
	fake = (struct fake){ NULL, with_names, symbols };
	check_all();
}

static void
check_error(const char *text)
{
	struct prov_set *s = start();
	struct prov_func *f;
	size_t n;

	for (int i = 0; i < 2; i++) {
		struct err *e = prov_func_all(s, &f, &n, NULL);
		assert_non_null(e);
		assert_non_null(strstr(e->text, text));
		err_free(e);
	}
	assert_int_equal(fake.ntried, 1);
	stop(s);
}

static void
test_refused(void **state)
{
	fake = (struct fake){ with_addrs, NULL, symbols, .refuses = true };
	check_error("policy");
	assert_int_equal(fake.nread, 0);
	fake = (struct fake){ NULL, NULL, symbols };
	check_error("available_filter_functions: No such");
	fake = (struct fake){ with_addrs, NULL, NULL };
	check_error("kallsyms");
	fake = (struct fake){ with_addrs, NULL,
			      "0000000000000000 T vfs_read\n" };
	check_error("hidden");
}

/* Without a world nobody can tell. */
static void
test_no_world(void **state)
{
	struct prov_set *s;
	struct prov_func *f;

	arena = arena_new();
	assert_null(prov_set_new(arena, NULL, &s));
	struct err *e = prov_func_find(s, "vfs_read", &f);
	assert_non_null(e);
	assert_int_equal(e->code, ERR_UNSUPPORTED);
	err_free(e);
	stop(s);
}

static unsigned nmatched;

static bool
count_match(void *ctx, const struct probe *p)
{
	nmatched++;
	return true;
}

static unsigned
matches(struct prov_set *s, const char *prov, const char *func, const char *name)
{
	const struct probe_desc d = { prov, "", func, name, 0 };

	nmatched = 0;
	assert_null(prov_match(s, &d, count_match, NULL));
	return nmatched;
}

static void
test_probes(void **state)
{
	fake = (struct fake){ with_addrs, NULL, symbols };
	struct prov_set *s = start();

	assert_int_equal(matches(s, "", "", "BEGIN"), 1);
	assert_int_equal(fake.ntried + fake.nread, 0);
	assert_int_equal(matches(s, "fbt", "vfs_read", "entry"), 2);
	assert_int_equal(matches(s, "fbt", "only", ""), 2);
	assert_int_equal(matches(s, "fbt", "", "entry"), 8);
	assert_int_equal(matches(s, "fbt", "", ""), 16);
	assert_int_equal(matches(s, "fbt", "v*", "return"), 2);
	assert_int_equal(matches(s, "fbt", "zzz", ""), 0);
	stop(s);
}

/* What became of a function is nearer than what is written alike; and one that is
 * elsewhere than was thought is told of. */
static void
test_suggested(void **state)
{
	static const char *const rows[][3] = {
		{ "", "part", "fbt::part.isra.0:entry" },
		{ "", "alloc_page", "fbt::alloc_page_noprof:entry" },
		{ "ext4", "prat", "fbt:vmlinux:prat:entry" },
	};
	const char *texts[3];

	fake = (struct fake){ NULL, "part.isra.0\nprat\nalloc_page_noprof\n"
			      "alloc_pgs\n",
			      "ffffffff81000100 t part.isra.0\n"
			      "ffffffff81000200 t prat\n"
			      "ffffffff81000300 t alloc_page_noprof\n"
			      "ffffffff81000400 t alloc_pgs\n" };
	struct prov_set *s = start();
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		const struct probe_desc d = {
			"fbt", rows[i][0], rows[i][1], "entry", 0 };
		unsigned n = prov_suggest(s, &d, arena, texts, 3);

		assert_in_range(n, 1, 3);
		assert_string_equal(texts[0], rows[i][2]);
	}
	stop(s);
}

/* What ends a thread returns nowhere. */
static void
test_no_return(void **state)
{
	fake = (struct fake){ NULL, "do_exit\n", "ffffffff81000100 t do_exit\n" };
	struct prov_set *s = start();

	assert_int_equal(matches(s, "fbt", "do_exit", "entry"), 1);
	assert_int_equal(matches(s, "fbt", "do_exit", "return"), 0);
	stop(s);
}

/* Where it is forbidden there are none; who names fbt is told why. */
static void
test_no_probes(void **state)
{
	const struct probe_desc named = { "fbt", "", "vfs_read", "entry", 0 };

	fake = (struct fake){ with_addrs, NULL, symbols, .refuses = true };
	struct prov_set *s = start();
	assert_int_equal(matches(s, "", "vfs_read", "entry"), 0);
	assert_int_equal(matches(s, "f*", "", "entry"), 0);
	struct err *e = prov_match(s, &named, count_match, NULL);
	assert_non_null(e);
	assert_string_equal(e->text, "policy");
	err_free(e);
	assert_int_equal(fake.ntried, 1);
	stop(s);
}

/* Both points are found by cookie; a probe fires at each address of its name. */
static struct err *
check_site(void *ctx, const struct prov_site *site)
{
	bool is_return = *(bool *)ctx;

	nmatched++;
	assert_int_equal(site->point->find, ABI_FIND_COOKIE);
	assert_int_equal(site->point->attach, is_return ?
			 ABI_ATTACH_KRETPROBE_MULTI : ABI_ATTACH_KPROBE_MULTI);
	assert_int_equal(site->point->args[0].kind,
			 is_return ? ABI_ARG_CONST : ABI_ARG_REG);
	assert_int_equal(site->point->args[1].reg,
			 is_return ? ABI_ROLE_RESULT : ABI_ROLE_ARG1);
	assert_int_not_equal(site->addr, 0);
	return NULL;
}

static bool
check_sites(void *ctx, const struct probe *p)
{
	bool is_return = strcmp(p->name, "return") == 0;

	assert_null(prov_sites(ctx, p, check_site, &is_return));
	return true;
}

static void
test_sites(void **state)
{
	const struct probe_desc d = { "fbt", "", "twice", "", 0 };

	fake = (struct fake){ with_addrs, NULL, symbols };
	struct prov_set *s = start();
	nmatched = 0;
	assert_null(prov_match(s, &d, check_sites, s));
	assert_int_equal(nmatched, 4);
	stop(s);
}

static void
test_no_memory(void **state)
{
	struct prov_func *f;
	size_t n;
	bool done = false;

	fake = (struct fake){ with_addrs, NULL, symbols };
	for (unsigned long fail = 1; !done; fail++) {
		struct prov_set *s = start();
		util_alloc_fail(fail, 1);
		struct err *e = prov_func_all(s, &f, &n, NULL);
		util_alloc_fail(0, 0);
		done = !e;
		if (e)
			assert_int_equal(e->code, ERR_NOMEM);
		err_free(e);
		assert_null(prov_func_all(s, &f, &n, NULL));
		assert_int_equal(n, 8);
		stop(s);
	}
}

static struct err *
note_site(void *ctx, const struct prov_site *site)
{
	uint64_t *sum = ctx;

	*sum += site->addr;
	return NULL;
}

static void
test_points(void **state)
{
	static const uint64_t addrs[] = { 1, 20 };
	const struct prov_func f = { .addrs = addrs, .naddrs = 2 };
	struct abi_point pt;
	uint64_t sum = 0;

	prov_func_point(&pt, true, false);
	assert_int_equal(pt.attach, ABI_ATTACH_KPROBE_MULTI);
	assert_int_equal(pt.args[2].reg, ABI_ROLE_ARG2);
#if defined(__x86_64__)
	/* Six in registers, the rest above the address to return to; and no more. */
	for (int i = 6; i < ABI_NARGS; i++) {
		assert_int_equal(pt.args[i].kind, ABI_ARG_KMEM);
		assert_int_equal(pt.args[i].off, 8 * (i - 5));
	}
#endif
	for (int i = 0; i < ABI_NARGS; i++)
		assert_int_equal(pt.compat_args[i].kind, ABI_ARG_NONE);
	prov_func_point(&pt, true, true);
	assert_int_equal(pt.attach, ABI_ATTACH_KRETPROBE_MULTI);
	assert_int_equal(pt.args[0].reg, ABI_ROLE_RESULT);
	assert_int_equal(pt.args[1].kind, ABI_ARG_NONE);
	prov_func_point(&pt, false, false);
	assert_int_equal(pt.attach, ABI_ATTACH_KPROBE);
	prov_func_point(&pt, false, true);
	assert_int_equal(pt.attach, ABI_ATTACH_KRETPROBE);
	assert_null(prov_func_sites(&f, &(struct prov_site){ .point = &pt },
				    note_site, &sum));
	assert_int_equal(sum, 21);
}

static const struct probe *last;

static bool
keep_last(void *ctx, const struct probe *p)
{
	last = p;
	return true;
}

/* Of a return the second is the function's value, if it fits a register. */
static void
test_return(void **state)
{
	fake = (struct fake){ with_addrs, NULL, symbols };
	struct prov_set *s = start();
	const struct probe_desc d = { "fbt", "vmlinux", "vfs_read", "return", 0 };
	const struct type *pair = type_new_array(arena, &type_int64, 2),
			  *at = type_new_ptr(arena, pair);
	const struct { const struct type *base, *want; } rows[] = {
		{ &type_int32, &type_int32 }, { &type_void, NULL }, { pair, NULL }, { at, at },
	};
	struct prov_func *f;
	const char *name;
	unsigned raw;

	assert_null(prov_func_find(s, "vfs_read", &f));
	last = NULL;
	assert_null(prov_match(s, &d, keep_last, NULL));
	assert_non_null(last);
	f->was_asked = true;
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		f->type = type_new_func(arena, rows[i].base, NULL, 0, false);
		assert_non_null(prov_arg_type(s, last, 0, &name, &raw));
		assert_string_equal(name, "offset");
		assert_ptr_equal(prov_arg_type(s, last, 1, &name, &raw), rows[i].want);
		assert_null(prov_arg_type(s, last, 2, &name, &raw));
	}
	stop(s);
}

/* Behind what is passed in several registers, or none, nobody knows where one is. */
static void
test_params(void **state)
{
	struct arena *a = arena_new();
	const struct type *big = type_new_array(a, &type_int64, 2);
	const struct type_member params[] = {
		{ "first", &type_int32, 0, 0 }, { "second", &type_uint64, 0, 0 },
		{ "large", big, 0, 0 }, { "behind", &type_int32, 0, 0 },
	};
	struct prov_func f = { .was_asked = true,
		.type = type_new_func(a, &type_void, params, 4, false) };
	const char *name = NULL;

	assert_ptr_equal(prov_func_param(NULL, &f, 0, &name), &type_int32);
	assert_string_equal(name, "first");
	assert_ptr_equal(prov_func_param(NULL, &f, 1, &name), &type_uint64);
	assert_string_equal(name, "second");
	assert_null(prov_func_param(NULL, &f, 2, &name));
	assert_null(prov_func_param(NULL, &f, 3, &name));
	assert_null(prov_func_param(NULL, &f, 4, &name));
	f.type = NULL;
	assert_null(prov_func_param(NULL, &f, 0, &name));
	arena_free(a);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_no_world),
		cmocka_unit_test(test_probes),
		cmocka_unit_test(test_suggested),
		cmocka_unit_test(test_no_return),
		cmocka_unit_test(test_no_probes),
		cmocka_unit_test(test_sites),
		cmocka_unit_test(test_no_memory),
		cmocka_unit_test(test_points),
		cmocka_unit_test(test_return),
		cmocka_unit_test(test_params),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
