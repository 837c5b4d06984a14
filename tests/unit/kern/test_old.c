/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Who may trace, and what is probed and how, on kernels that this machine is not: bpf(2)
 * is played by us.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <cmocka.h>

#include "abi/attach.h"
#include "base/base.h"
#include "kern/kern_priv.h"
#include "kern/site.h"

/* The kernel: the last helper that it knows; what it answers to any program, and to
 * a cookie of a perf event; whether it has types. */
static struct kernel {
	int helpers, load, cookie;
	bool types;
} kernel;

/* Attaching to functions: what is answered to a program of this kind, and when it is
 * attached where there is none. */
struct way { int load, attach; };
static struct way many, each;
static bool has_uprobes;

int __wrap_kern_prog_load(enum bpf_prog_type type, const char *name,
			  const struct bpf_insn *insns, size_t n,
			  uint32_t flags);
struct err *__wrap_kern_attach(int prog, const struct kern_site *site,
			       struct kern_link **ret);
int __wrap_access(const char *path, int mode);
int __wrap_kern_bpf(enum bpf_cmd cmd, union bpf_attr *attr);
int __wrap_bpf_link_create(int prog_fd, int target_fd, enum bpf_attach_type type,
			   const struct bpf_link_create_opts *opts);

int
__wrap_kern_prog_load(enum bpf_prog_type type, const char *name,
		      const struct bpf_insn *insns, size_t n, uint32_t flags)
{
	for (size_t i = 0; i < n; i++)
		if (insns[i].code == (BPF_JMP | BPF_CALL) &&
		    insns[i].imm > kernel.helpers)
			return -EINVAL;
	return kernel.load ? -kernel.load : open("/dev/null", O_CLOEXEC);
}

struct err *
__wrap_kern_attach(int prog, const struct kern_site *site,
		   struct kern_link **ret)
{
	if (site->attach == ABI_ATTACH_KPROBE)
		return each.attach ? kern_os_err(each.attach, "not each") : NULL;
	if (site->attach == ABI_ATTACH_UPROBE_MULTI)
		return many.attach ? kern_os_err(many.attach, "not many") : NULL;
	assert_int_not_equal(site->place.cookie, 0);
	return kernel.cookie ? kern_os_err(kernel.cookie, "no") : NULL;
}

int
__wrap_access(const char *path, int mode)
{
	bool is_uprobes = !strcmp(path, "/sys/bus/event_source/devices/uprobe/type");

	if (!is_uprobes)
		assert_string_equal(path, "/sys/kernel/btf/vmlinux");
	errno = ENOENT;
	return (is_uprobes ? has_uprobes : kernel.types) ? 0 : -1;
}

int
__wrap_kern_bpf(enum bpf_cmd cmd, union bpf_attr *attr)
{
	const struct way *way = attr->expected_attach_type ? &many : &each;

	assert_int_equal(cmd, BPF_PROG_LOAD);
	return way->load ? -way->load : open("/dev/null", O_CLOEXEC);
}

int
__wrap_bpf_link_create(int prog_fd, int target_fd, enum bpf_attach_type type,
		       const struct bpf_link_create_opts *opts)
{
	return many.attach ? -many.attach : open("/dev/null", O_CLOEXEC);
}

static void
check(struct kernel k, const char *want)
{
	kernel = k;
	struct err *e = kern_may_trace();

	if (!want && e)
		fail_msg("refused: %s", e->text);
	if (want && !e)
		fail_msg("not refused: %s", want);
	if (want && strncmp(e->text, want, strlen(want)))
		fail_msg("\"%s\", not \"%s\"", e->text, want);
	err_free(e);
}

enum { V5_10 = 157, V5_14 = 173, V5_15 = 176, LATER = 211 };

static void
test_may_trace(void **state)
{
	static const char old[] = "DTrace needs Linux 5.15 or newer; this is ";
	const char *rights = geteuid() ?
		"DTrace requires additional privileges: run it as root, "
		"or with CAP_BPF and CAP_PERFMON" :
		"DTrace requires additional privileges: this root, as of a "
		"container, has not CAP_BPF and CAP_PERFMON of the machine";

	check((struct kernel){ LATER, 0, 0, true }, NULL);
	check((struct kernel){ V5_15, 0, 0, true }, NULL);
	check((struct kernel){ V5_14, 0, EINVAL, true }, old);
	check((struct kernel){ V5_10, 0, EINVAL, true }, old);
	/* What else may refuse a part of it is not its age. */
	check((struct kernel){ V5_10, 0, 0, true }, NULL);
	check((struct kernel){ V5_10, 0, EINVAL, false }, NULL);
	check((struct kernel){ LATER, 0, EINVAL, true }, NULL);
	check((struct kernel){ LATER, EPERM, EPERM, true }, rights);
	check((struct kernel){ V5_10, EPERM, EPERM, true }, rights);
	check((struct kernel){ LATER, ENOSYS, ENOSYS, true },
	      "this kernel has no BPF raw tracepoints");
}

/* Functions of the kernel: many at once, each alone, or none. */
static void
test_may_probe(void **state)
{
	static const struct { struct way many, each; bool is_many; const char *text; } rows[] = {
		{ { 0, 0 }, { EPERM, 0 }, true, NULL },
		{ { 0, ESRCH }, { EPERM, 0 }, true, NULL },
		{ { 0, ENOENT }, { EPERM, 0 }, true, NULL },
		{ { 0, EINVAL }, { 0, 0 }, false, NULL },
		{ { EINVAL, 0 }, { 0, EINVAL }, false, NULL },
		{ { EINVAL, 0 }, { 0, ENOENT }, false, NULL },
		{ { EINVAL, 0 }, { 0, EILSEQ }, false, NULL },
		{ { EINVAL, 0 }, { 0, EFAULT }, false, NULL },
		{ { EINVAL, 0 }, { 0, EADDRNOTAVAIL }, false, NULL },
		{ { EINVAL, 0 }, { 0, EPERM }, false, "functions of the kernel cannot be probed "
		  "here: no kprobe.multi: Invalid argument; not each: "
		  "Operation not permitted" },
		{ { 0, EOPNOTSUPP }, { EPERM, 0 }, false, "functions of the kernel cannot be "
		  "probed here: no kprobe.multi: Operation not supported; cannot load programs "
		  "for kprobes: Operation not permitted" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		bool is_many = !rows[i].is_many;
		many = rows[i].many;
		each = rows[i].each;
		struct err *e = kern_may_probe(&is_many);
		assert_int_equal(is_many, rows[i].is_many);
		if (e && rows[i].text)
			assert_string_equal(e->text, rows[i].text);
		else
			assert_true(!e && !rows[i].text);
		err_free(e);
	}
}

/* Functions of programs: the same. */
static void
test_may_probe_user(void **state)
{
	static const struct { struct way many; bool uprobes, is_many, is_refused; } rows[] = {
		{ { 0, 0 }, true, true, false },
		{ { 0, EBADF }, true, true, false },
		{ { 0, EBADF }, false, true, false },
		{ { 0, EINVAL }, true, false, false },
		{ { EINVAL, 0 }, true, false, false },
		{ { EINVAL, 0 }, false, false, true },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		bool is_many = !rows[i].is_many;
		many = rows[i].many;
		has_uprobes = rows[i].uprobes;
		struct err *e = kern_may_probe_user(&is_many);
		assert_int_equal(is_many, rows[i].is_many);
		assert_int_equal(e != NULL, rows[i].is_refused);
		err_free(e);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_may_trace), cmocka_unit_test(test_may_probe),
		cmocka_unit_test(test_may_probe_user),
	};

	return cmocka_run_group_tests_name("kern/old", tests, NULL, NULL);
}
