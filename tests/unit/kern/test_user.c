/* SPDX-License-Identifier: BSD-2-Clause
 *
 * User probes: cookies, the word that counts who is there, the process they are
 * of, and instructions that carry none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <cmocka.h>

#include "base/base.h"
#include "abi/obj.h"
#include "kern/kern.h"
#include "kern/site.h"
#include "support/needbpf.h"

extern const struct abi_obj good_object;

enum { FIRED = 4, COOKIES = 5, NCELLS = 8, NPLACES = 9, BAD = 5 };

#if defined(__x86_64__)
/* Places that are 16 bytes apart; number BAD cannot carry a probe. */
__asm__(".text\n"
	".balign 16\n"
	".globl user_places\n"
	"user_places:\n"
	".rept 5\n	nop\n	ret\n	.balign 16\n .endr\n"
	"	lock incl -4(%rsp)\n	ret\n	.balign 16\n"
	".rept 3\n	nop\n	ret\n	.balign 16\n .endr\n");
#else
__asm__(".text\n"
	".balign 16\n"
	".globl user_places\n"
	"user_places:\n"
	".rept 9\n	nop\n	ret\n	.balign 16\n .endr\n");
#endif
extern const char user_places[];
/* In the file, and its page is there. */
static volatile uint16_t semaphore __attribute__((section(".data"))) = 0;
static volatile uint16_t touched = 1;

static void
call(unsigned i)
{
	void (*f)(void) = (void (*)(void))(uintptr_t)(user_places + 16 * i);

	f();
}

/* Where an address of this program is in its file. */
static uint64_t
file_offset(const volatile void *addr)
{
	unsigned long start, end, off, at = 0;
	char line[512];
	FILE *f = fopen("/proc/self/maps", "re");

	while (f && !at && fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx-%lx %*s %lx", &start, &end, &off) == 3 &&
		    (uintptr_t)addr >= start && (uintptr_t)addr < end)
			at = (uintptr_t)addr - start + off;
	if (f)
		fclose(f);
	assert_true(at);
	return at;
}

static void
assert_ok(struct err *e)
{
	if (e)
		fail_msg("%s", e->text);
}

static struct kern_obj *
load(const char *optional)
{
	const struct abi_obj *objs[] = { &good_object };
	struct kern_obj *o;

	assert_ok(kern_obj_open(objs, 1, &o));
	if (optional)
		assert_ok(kern_obj_use_prog(o, optional));
	assert_ok(kern_obj_load(o, false));
	return o;
}

/* A cell since it was read last. */
static uint64_t
since(struct kern_obj *o, unsigned i)
{
	static uint64_t before[NCELLS];
	uint64_t cells[NCELLS], was = before[i];
	uint32_t key = 0;

	assert_int_equal(bpf_map_lookup_elem(kern_obj_map(o, "cells"), &key,
					     cells), 0);
	before[i] = cells[i];
	return cells[i] - was;
}

static void
in_a_child(unsigned i)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		call(i);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void
test_uprobe(void **state)
{
	struct kern_site site = { .attach = ABI_ATTACH_UPROBE,
		.target = "/proc/self/exe", .pid = getpid(),
		.place = { .at = file_offset(user_places), .cookie = 77,
			   .ref_ctr = file_offset(&semaphore) } };
	struct kern_link *l;

	need_bpf();
	struct kern_obj *o = load(NULL);
	touched = semaphore + 1;
	assert_ok(kern_attach(kern_obj_prog(o, "user"), &site, &l));
	assert_int_equal(semaphore, 1);
	for (int i = 0; i < 10; i++)
		call(0);
	call(1);
	in_a_child(0);		/* another process */
	assert_int_equal(since(o, FIRED), 10);
	assert_int_equal(since(o, COOKIES), 770);
	kern_detach(l);
	assert_int_equal(semaphore, 0);
	call(0);
	assert_int_equal(since(o, FIRED), 0);
	kern_obj_close(o);
}

/* What cannot be is told with the name of the place. */
static void
test_errors(void **state)
{
	struct kern_site site = { .attach = ABI_ATTACH_UPROBE,
				  .target = "/no/such" };
	struct kern_link *l = NULL;

	need_bpf();
	struct kern_obj *o = load(NULL);
	struct err *e = kern_attach(kern_obj_prog(o, "user"), &site, &l);
	assert_non_null(strstr(e->text, "/no/such"));
	err_free(e);
	site.target = "/proc/self/exe";
	site.place.ref_ctr = 1ULL << 32;
	e = kern_attach(kern_obj_prog(o, "user"), &site, &l);
	assert_int_equal(e->code, ERR_LIMIT);
	err_free(e);
#if defined(__x86_64__)
	site.place = (struct kern_place){
		.at = file_offset(user_places + 16 * BAD) };
	site.pid = getpid();
	e = kern_attach(kern_obj_prog(o, "user"), &site, &l);
	assert_non_null(strstr(e->text, "/proc/self/exe+0x"));
	assert_non_null(strstr(e->text, "no probe on this instruction"));
	err_free(e);
#endif
	site.attach = ABI_ATTACH_UPROBE_MULTI;
	e = kern_attach(kern_obj_prog(o, "user"), &site, &l);
	assert_int_equal(e->code, ERR_INVALID);	/* no places */
	assert_null(l);
	err_free(e);
	struct kern_place places[NPLACES] = { { .at = 1, .cookie = 2,
						.ref_ctr = 3 } };
	site.target = "/no/such";
	site.places = places;
	site.nplaces = NPLACES;
	e = kern_attach(kern_obj_prog(o, "user"), &site, &l);
	assert_non_null(strstr(e->text, "/no/such"));
	assert_null(l);
	err_free(e);
	kern_obj_close(o);
}

/* One bad place leaves the others alone, each with its cookie. */
static void
test_many(void **state)
{
	struct kern_place places[NPLACES] = { 0 };
	struct kern_site site = { .attach = ABI_ATTACH_UPROBE_MULTI,
		.target = "/proc/self/exe", .pid = getpid(), .places = places,
		.nplaces = NPLACES };
	struct kern_link *l = NULL;

	need_bpf();
	struct kern_obj *o = load("users");
	for (unsigned i = 0; i < NPLACES; i++)
		places[i] = (struct kern_place){ .cookie = 100 + i,
			.at = file_offset(user_places + 16 * i),
			.ref_ctr = i ? 0 : file_offset(&semaphore) };
	struct err *e = kern_attach(kern_obj_prog(o, "users"), &site, &l);
	if (e) {
		print_message("# not here: %s\n", e->text);
		assert_int_equal(e->os, 22);	/* before Linux 6.6 */
		err_free(e);
		kern_obj_close(o);
		return;
	}
	since(o, FIRED);
	since(o, COOKIES);
	for (unsigned i = 0; i < NPLACES; i++) {
		bool bad = places[i].refused != 0;
#if defined(__x86_64__)
		assert_int_equal(places[i].refused, i == BAD ? 524 : 0);
#endif
		call(i);
		assert_int_equal(since(o, FIRED), !bad);
		assert_int_equal(since(o, COOKIES), bad ? 0 : 100 + i);
	}
	assert_int_equal(semaphore, 1);
	kern_detach(l);
	assert_int_equal(semaphore, 0);
	call(0);
	assert_int_equal(since(o, FIRED), 0);
#if defined(__x86_64__)
	site.places = &places[BAD];		/* nothing but bad ones */
	site.nplaces = 1;
	e = kern_attach(kern_obj_prog(o, "users"), &site, &l);
	assert_int_equal(e->os, 524);
	assert_int_equal(places[BAD].refused, 524);
	err_free(e);
#endif
	kern_obj_close(o);
}

/* Links of each kind that go together: of more places than CPUs, and one by a perf
 * event. */
static void
test_detach_all(void **state)
{
	struct kern_link *l[NPLACES + 1];
	size_t n = 0;

	need_bpf();
	struct kern_obj *o = load("users");
	for (unsigned i = 0; i <= NPLACES; i++) {
		struct kern_place place = { .at = file_offset(user_places +
					    16 * (i == BAD ? 0 : i % NPLACES)) };
		struct kern_site site = { .target = "/proc/self/exe",
			.pid = getpid(), .places = &place, .nplaces = 1,
			.place = place, .attach = i < NPLACES ?
				ABI_ATTACH_UPROBE_MULTI : ABI_ATTACH_UPROBE };
		struct err *e = kern_attach(kern_obj_prog(o, i < NPLACES ?
					    "users" : "user"), &site, &l[n]);
		if (e)
			assert_int_equal(e->os, 22);	/* before Linux 6.6 */
		else
			n++;
		err_free(e);
	}
	assert_true(n == 1 || n == NPLACES + 1);
	since(o, FIRED);
	for (unsigned i = 0; i < NPLACES; i++)
		call(i);
	/* Place 0 has three, BAD none. */
	assert_int_equal(since(o, FIRED), n == 1 ? 1 : NPLACES + 1);
	kern_detach_all(l, n);
	for (unsigned i = 0; i < NPLACES; i++)
		call(i);
	assert_int_equal(since(o, FIRED), 0);
	kern_detach_all(l, 0);
	kern_obj_close(o);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_uprobe), cmocka_unit_test(test_errors),
		cmocka_unit_test(test_many), cmocka_unit_test(test_detach_all),
	};

	return cmocka_run_group_tests_name("kern-user", tests, NULL, NULL);
}
