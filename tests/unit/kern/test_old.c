/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Who may trace, on kernels that this machine is not: bpf(2) is played by us.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/base.h"
#include "kern/kern_priv.h"
#include "kern/site.h"

/* The kernel: the last helper that it knows; what it answers to any program, and to
 * a cookie of a perf event; whether it has types. */
static struct kernel {
	int helpers, load, cookie;
	bool types;
} kernel;

int __wrap_kern_prog_load(enum bpf_prog_type type, const char *name,
			  const struct bpf_insn *insns, size_t n,
			  uint32_t flags);
struct err *__wrap_kern_attach(int prog, const struct kern_site *site,
			       struct kern_link **ret);
int __wrap_access(const char *path, int mode);

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
	assert_int_not_equal(site->place.cookie, 0);
	return kernel.cookie ? kern_os_err(kernel.cookie, "no") : NULL;
}

int
__wrap_access(const char *path, int mode)
{
	assert_string_equal(path, "/sys/kernel/btf/vmlinux");
	errno = ENOENT;
	return kernel.types ? 0 : -1;
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
		"DTrace requires additional privileges: run it as root" :
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_may_trace),
	};

	return cmocka_run_group_tests_name("kern/old", tests, NULL, NULL);
}
