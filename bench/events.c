/* SPDX-License-Identifier: BSD-2-Clause
 *
 * events KIND COUNT OUT FILE: have COUNT events of a kind, and write to OUT how many
 * nanoseconds the programs took meanwhile that are attached to such, by the
 * kernel's books.
 *
 *	read	the first 4 KB of FILE, which is made, come from its disk
 *	switch	two processes on one CPU write to each other and wait
 *	signal	a process sends itself one that it handles
 *
 * A disk takes now 20 us and now 40, and so does waking: in that the time of a
 * program is lost.
 */
#include <fcntl.h>
#include <linux/bpf.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCK = 4096 };

/* Programs have the names of their tracepoints, or a part. */
static const char *part;

static int
bpf(enum bpf_cmd cmd, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

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
	return strstr(info.name, part) ? info.run_time_ns : 0;
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

static int
reads(int fd, long count)
{
	static char block[BLOCK] __attribute__((aligned(BLOCK)));

	for (long i = 0; i < count; i++)
		if (pread(fd, block, BLOCK, 0) != BLOCK)
			return 1;
	return 0;
}

static int
make(const char *name)
{
	static char block[BLOCK] __attribute__((aligned(BLOCK)));
	int fd = open(name, O_RDWR | O_CREAT | O_DIRECT, 0600);

	return fd < 0 || pwrite(fd, block, BLOCK, 0) != BLOCK || fsync(fd) ? -1
									   : fd;
}

/* Each write and read of two is two switches. */
static int
switches(long count)
{
	int to[2], from[2];
	cpu_set_t cpu;
	char c = 0;

	CPU_ZERO(&cpu);
	CPU_SET(sysconf(_SC_NPROCESSORS_ONLN) - 1, &cpu);
	if (sched_setaffinity(0, sizeof(cpu), &cpu) || pipe(to) || pipe(from))
		return 1;
	pid_t pid = fork();
	if (pid == 0) {
		close(to[1]);
		while (read(to[0], &c, 1) == 1 && write(from[1], &c, 1) == 1)
			;
		_exit(0);
	}
	for (long i = 0; i < count / 2; i++)
		if (write(to[1], &c, 1) != 1 || read(from[0], &c, 1) != 1)
			return 1;
	close(to[1]);
	return waitpid(pid, NULL, 0) != pid;
}

static void
handle(int sig)
{
}

static int
signals(long count)
{
	signal(SIGUSR1, handle);
	for (long i = 0; i < count; i++)
		raise(SIGUSR1);
	return 0;
}

int
main(int argc, char **argv)
{
	union bpf_attr stats = { .enable_stats.type = BPF_STATS_RUN_TIME };
	unsigned long long took;
	int fd, bad;

	if (argc != 5 || bpf(BPF_ENABLE_STATS, &stats) < 0)
		return 2;
	long count = atol(argv[2]);
	if (strcmp(argv[1], "read") == 0) {
		part = "block_";
		fd = make(argv[4]);
		took = time_of_all();
		bad = fd < 0 || reads(fd, count);
	} else if (strcmp(argv[1], "switch") == 0) {
		part = "sched_";
		took = time_of_all();
		bad = switches(count);
	} else {
		part = "signal_";
		took = time_of_all();
		bad = signals(count);
	}
	took = time_of_all() - took;
	FILE *f = fopen(argv[3], "w");
	return bad || !f || fprintf(f, "%llu\n", took) < 0 || fclose(f) != 0;
}
