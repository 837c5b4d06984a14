/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Whether the kernel loads BPF programs for this process, asked without the code under test:
 * with a fault in that, tests are not to skip.
 */
#ifndef SUPPORT_LOADS_H
#define SUPPORT_LOADS_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Linux 5.15 or newer, which loads the least program that there is. */
static inline bool
kernel_loads(void)
{
	static const struct bpf_insn code[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT, .insn_cnt = 2,
		.insns = (uintptr_t)code, .license = (uintptr_t)"Dual BSD/GPL",
	};
	struct utsname u;
	unsigned major, minor;

	if (uname(&u) || sscanf(u.release, "%u.%u", &major, &minor) != 2 ||
	    major < 5 || (major == 5 && minor < 15))
		return false;
	long fd = syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));
	if (fd >= 0)
		close((int)fd);
	return fd >= 0;
}

#endif
