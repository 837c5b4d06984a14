/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Numbers of processes.  Probes see those of the machine's first pid namespace;
 * a process in another one, as in a container, is told other numbers by
 * everything but BPF.  So a program that returns the number is what a process
 * runs to learn its own; nothing tells it that of another process.
 */
#include <sys/stat.h>
#include <bpf/bpf.h>

#include "base/base.h"
#include "kern/kern_priv.h"

/* The inode of the first pid namespace: the same on all machines. */
enum { FIRST_INODE = 0xeffffffc };

bool
kern_first_pid_ns(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) || st.st_ino == FIRST_INODE;
}

struct err *
kern_pid_prog(int *ret)
{
	/* The upper half of what the helper says is the process. */
	static const struct bpf_insn code[] = {
		{ .code = BPF_JMP | BPF_CALL,
		  .imm = BPF_FUNC_get_current_pid_tgid },
		{ .code = BPF_ALU64 | BPF_RSH | BPF_K, .imm = 32 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	int fd = kern_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "dt_pid", code,
				BASE_NELEMS(code), 0);

	if (fd < 0)
		return kern_os_err(fd, "cannot load a BPF program");
	*ret = fd;
	return NULL;
}
