/* SPDX-License-Identifier: BSD-2-Clause
 *
 * reads FILE COUNT OUT: read the first 4 KB of FILE COUNT times, each time from its
 * disk, and write to OUT how many nanoseconds the programs took meanwhile that are
 * attached to requests, by the kernel's books.  FILE is made.
 *
 * A disk takes now 20 us and now 40: in that the time of a program is lost.
 */
#include <fcntl.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BLOCK = 4096 };

static int
bpf(enum bpf_cmd cmd, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

/* Of one program: all tracepoints of requests have this in their name. */
static unsigned long long
time_of(unsigned id)
{
	struct bpf_prog_info info = { 0 };
	union bpf_attr by_id = { .prog_id = id };
	int fd = bpf(BPF_PROG_GET_FD_BY_ID, &by_id);
	union bpf_attr about = { .info = {
		.bpf_fd = (unsigned)fd, .info_len = sizeof(info),
		.info = (unsigned long)&info } };

	if (fd < 0)
		return 0;
	(void)bpf(BPF_OBJ_GET_INFO_BY_FD, &about);
	close(fd);
	return strstr(info.name, "block_") ? info.run_time_ns : 0;
}

static unsigned long long
time_of_all(void)
{
	union bpf_attr attr = { 0 };
	unsigned long long sum = 0;

	while (bpf(BPF_PROG_GET_NEXT_ID, &attr) == 0) {
		attr.start_id = attr.next_id;
		sum += time_of(attr.start_id);
	}
	return sum;
}

int
main(int argc, char **argv)
{
	static char block[BLOCK] __attribute__((aligned(BLOCK)));
	union bpf_attr stats = { .enable_stats.type = BPF_STATS_RUN_TIME };

	if (argc != 4 || bpf(BPF_ENABLE_STATS, &stats) < 0)
		return 2;
	long count = atol(argv[2]);
	int fd = open(argv[1], O_RDWR | O_CREAT | O_DIRECT, 0600);
	if (fd < 0 || pwrite(fd, block, BLOCK, 0) != BLOCK || fsync(fd) != 0)
		return 1;
	unsigned long long took = time_of_all();
	for (long i = 0; i < count; i++)
		if (pread(fd, block, BLOCK, 0) != BLOCK)
			return 1;
	took = time_of_all() - took;
	FILE *f = fopen(argv[3], "w");
	return !f || fprintf(f, "%llu\n", took) < 0 || fclose(f) != 0;
}
