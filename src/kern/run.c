/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Running programs by hand, and what the kernel counts of them.
 */
#include <string.h>
#include <bpf/bpf.h>

#include "kern/kern_priv.h"

/* The kernel wants at least as many context words as the program may read,
 * and takes no more than it ever passes. */
struct err *
kern_prog_run(int prog_fd, const uint64_t *ctx, unsigned nctx,
	      uint32_t *retval)
{
	uint64_t words[12] = { 0 };

	if (nctx > sizeof(words) / sizeof(words[0]))
		return err_new(ERR_INVALID, 0, "a context has 12 words");
	if (nctx)
		memcpy(words, ctx, nctx * sizeof(words[0]));
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = words,
		    .ctx_size_in = sizeof(words));
	int os = bpf_prog_test_run_opts(prog_fd, &opts);
	if (os)
		return kern_os_err(os, "cannot run a BPF program");
	*retval = opts.retval;
	return NULL;
}

struct err *
kern_prog_run_on(int prog_fd, unsigned cpu)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .flags = BPF_F_TEST_RUN_ON_CPU,
		    .cpu = cpu);
	int os = bpf_prog_test_run_opts(prog_fd, &opts);

	return os ? kern_os_err(os, "cannot run a BPF program on CPU %u", cpu)
		  : NULL;
}

uint64_t
kern_prog_misses(int prog_fd)
{
	struct bpf_prog_info info = { 0 };
	uint32_t size = sizeof(info);

	if (bpf_obj_get_info_by_fd(prog_fd, &info, &size))
		return 0;
	return info.recursion_misses;
}
