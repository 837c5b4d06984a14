/* SPDX-License-Identifier: BSD-2-Clause
 *
 * floor TRACEPOINT[,...] COMMAND [ARGUMENT]...: run it while a program that does nothing is
 * attached to those raw tracepoints, where the kernel has them.  What that costs is the
 * machine's share of every figure about its events; no tracer that needs them can be
 * below it.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int
bpf(int what, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, what, attr, sizeof(*attr));
}

int
main(int argc, char **argv)
{
	static const struct bpf_insn nothing[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr load = {
		.prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT, .insn_cnt = 2,
		.insns = (uintptr_t)nothing, .license = (uintptr_t)"GPL",
	};
	union bpf_attr attach = { .raw_tracepoint.name = 0 };
	pid_t pid;
	int status;

	if (argc < 3)
		return 2;
	attach.raw_tracepoint.prog_fd = (uint32_t)bpf(BPF_PROG_LOAD, &load);
	for (char *name = strtok(argv[1], ","); name; name = strtok(NULL, ",")) {
		attach.raw_tracepoint.name = (uintptr_t)name;
		if (bpf(BPF_RAW_TRACEPOINT_OPEN, &attach) < 0 && errno != ENOENT) {
			perror("floor");
			return 2;
		}
	}
	if (posix_spawnp(&pid, argv[2], NULL, NULL, argv + 2, environ) != 0 ||
	    waitpid(pid, &status, 0) != pid)
		return 2;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}
