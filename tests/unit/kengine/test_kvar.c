/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Facts of the system that programs read as the kernel's variables, of a system that is
 * made up.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/base.h"
#include "kengine/kengine_priv.h"
#include "kengine/parts_priv.h"

static struct sysinfo info;
static struct utsname names;
static int answer;

int __wrap_sysinfo(struct sysinfo *ret);
int __wrap_uname(struct utsname *ret);

int
__wrap_sysinfo(struct sysinfo *ret)
{
	*ret = info;
	return answer;
}

int
__wrap_uname(struct utsname *ret)
{
	*ret = names;
	return answer;
}

struct rig {
	struct kengine k;
	struct ebpf_object code;
	struct abi_ctl ctl;
};

static struct abi_kvars *
rig_init(struct rig *r, bool uses)
{
	memset(r, 0, sizeof(*r));
	r->code.uses_kvars = uses;
	r->k.code = &r->code;
	r->k.e.ctl = &r->ctl;
	return &r->ctl.kvars;
}

static void
test_unused(void **state)
{
	static const struct abi_kvars none;
	struct rig r;
	struct abi_kvars *v = rig_init(&r, false);

	kengine_kvars_set(&r.k);
	assert_memory_equal(v, &none, sizeof(none));
	assert_int_equal(kengine_kvars_next(&r.k), UINT64_MAX);
}

/* Loads of 1.5, 1/65536 and 100; memory in units of a page and of a byte. */
static void
test_numbers(void **state)
{
	static const struct { unsigned unit; uint64_t pages; } rows[] = {
		{ 1, 1 }, { 0, 1 }, { 4096, 4096 },
	};
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	struct rig r;

	answer = 0;
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct abi_kvars *v = rig_init(&r, true);
		info = (struct sysinfo){
			.loads = { 98304, 1, 6553600 }, .totalram = 70 * page,
			.freeram = 30 * page, .mem_unit = rows[i].unit,
		};
		kengine_kvars_set(&r.k);
		assert_int_equal(v->pagesize, page);
		assert_int_equal(1u << v->pageshift, page);
		assert_int_equal(v->hz, ABI_HZ);
		assert_int_equal(v->hp_avenrun[0], 98304);
		assert_int_equal(v->hp_avenrun[1], 1);
		assert_int_equal(v->hp_avenrun[2], 6553600);
		assert_int_equal(v->avenrun[0], 3072);
		assert_int_equal(v->avenrun[1], 0);
		assert_int_equal(v->avenrun[2], 204800);
		for (int n = 0; n < 3; n++)
			assert_int_equal(v->averunnable.ldavg[n], v->avenrun[n]);
		assert_int_equal(v->averunnable.fscale, 2048);
		assert_int_equal(v->physmem, 70 * rows[i].pages);
		assert_int_equal(v->freemem, 30 * rows[i].pages);
		assert_in_range(v->ncpus, v->ncpus_online, 1 << 20);
		assert_true(v->ncpus_online >= 1);
	}
	/* Who does not know any more says what was. */
	answer = -1;
	info.loads[0] = 0;
	kengine_kvars_set(&r.k);
	assert_int_equal(r.ctl.kvars.avenrun[0], 3072);
}

/* Names that are shorter than before leave nothing of those; and the longest are cut. */
static void
test_names(void **state)
{
	struct rig r;
	struct abi_utsname *u = &rig_init(&r, true)->utsname;

	answer = 0;
	names = (struct utsname){ "Linux", "a-long-name", "6.1", "#1", "x86_64" };
	kengine_kvars_set(&r.k);
	assert_string_equal(u->sysname, "Linux");
	assert_string_equal(u->nodename, "a-long-name");
	assert_string_equal(u->release, "6.1");
	assert_string_equal(u->version, "#1");
	assert_string_equal(u->machine, "x86_64");
	strcpy(names.nodename, "short");
	kengine_kvars_set(&r.k);
	assert_memory_equal(u->nodename, "short\0\0\0\0\0\0", 12);
	memset(names.nodename, 'n', sizeof(names.nodename) - 1);
	kengine_kvars_set(&r.k);
	assert_int_equal(strlen(u->nodename), BASE_MIN((size_t)ABI_UTS_LEN,
						       sizeof(names.nodename)) - 1);
}

/* Once a second. */
static void
test_next(void **state)
{
	struct rig r;

	rig_init(&r, true);
	uint64_t before = clock_ns();
	kengine_kvars_set(&r.k);
	assert_in_range(kengine_kvars_next(&r.k), before + 1000000000,
			clock_ns() + 1000000000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unused),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_next),
	};

	return cmocka_run_group_tests_name("kengine-kvar", tests, NULL, NULL);
}
