/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bpf(2) for programs, maps and types.  libbpf's own functions for these load
 * programs first to find out whether the kernel is older than any that we run
 * on, which takes 0.2 ms.
 */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kern/kern_priv.h"

enum { TRIES = 5 };

int
kern_bpf(enum bpf_cmd cmd, union bpf_attr *attr)
{
	long ret;
	int tries = TRIES;

	/* A signal makes the verifier give up. */
	do
		ret = syscall(SYS_bpf, cmd, attr, sizeof(*attr));
	while (ret < 0 && errno == EAGAIN && --tries);
	return ret < 0 ? -errno : (int)ret;
}

/* name as the kernel takes it, in BPF_OBJ_NAME_LEN bytes: of letters, digits,
 * _ and .; it cuts nothing itself. */
static void
clean_name(const char *name, char *ret)
{
	size_t n = 0;

	for (; name[n] && n < BPF_OBJ_NAME_LEN - 1; n++) {
		char c = name[n];
		bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
			    (c >= '0' && c <= '9') || c == '.';
		ret[n] = good ? c : '_';
	}
	ret[n] = '\0';
}

void
kern_prog_attr(enum bpf_prog_type type, const char *name,
	       const struct bpf_insn *insns, size_t n, union bpf_attr *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->prog_type = type;
	ret->insns = (uintptr_t)insns;
	ret->insn_cnt = (uint32_t)n;
	ret->license = (uintptr_t)"Dual BSD/GPL";
	clean_name(name, ret->prog_name);
}

int
kern_prog_load(enum bpf_prog_type type, const char *name,
	       const struct bpf_insn *insns, size_t n, uint32_t flags)
{
	union bpf_attr attr;

	kern_prog_attr(type, name, insns, n, &attr);
	attr.prog_flags = flags;
	return kern_bpf(BPF_PROG_LOAD, &attr);
}

void
kern_map_attr(enum bpf_map_type type, const char *name, uint32_t key_size,
	      uint32_t value_size, uint32_t entries, uint32_t flags,
	      union bpf_attr *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->map_type = type;
	ret->key_size = key_size;
	ret->value_size = value_size;
	ret->max_entries = entries;
	ret->map_flags = flags;
	clean_name(name, ret->map_name);
}
