/* SPDX-License-Identifier: BSD-2-Clause
 *
 * events KIND CPU COUNT OUT FILE: have COUNT events of a kind on one CPU, and write to OUT
 * how many nanoseconds that took, of the clock and of the process: what half of the
 * batches took at most, times how many there were, as some are interrupted.
 *
 *	read	the first 4 KB of FILE, which is made, come from its disk
 *	switch	two processes write to each other and wait
 *	signal	a process sends itself one that it handles
 *
 * Some that are not counted come first: what is attached to a kind and meets it for
 * the first time is slow.
 */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BLOCK = 4096 };

/* What the kinds need; false from one of theirs: it failed. */
static int file = -1, to[2], from[2];

static bool
make_file(const char *name)
{
	static char block[BLOCK] __attribute__((aligned(BLOCK)));

	file = open(name, O_RDWR | O_CREAT | O_DIRECT, 0600);
	return file >= 0 && pwrite(file, block, BLOCK, 0) == BLOCK &&
	       fsync(file) == 0;
}

static bool
read_one(void)
{
	static char block[BLOCK] __attribute__((aligned(BLOCK)));

	return pread(file, block, BLOCK, 0) == BLOCK;
}

static bool
make_other(const char *name)
{
	char c;

	(void)name;
	if (pipe(to) || pipe(from))
		return false;
	pid_t pid = fork();
	if (pid == 0) {
		close(to[1]);
		while (read(to[0], &c, 1) == 1 && write(from[1], &c, 1) == 1)
			;
		_exit(0);
	}
	return pid > 0;
}

/* Two switches: there and back. */
static bool
switch_two(void)
{
	char c = 0;

	return write(to[1], &c, 1) == 1 && read(from[0], &c, 1) == 1;
}

static void
handle(int sig)
{
	(void)sig;
}

static bool
make_handler(const char *name)
{
	(void)name;
	return signal(SIGUSR1, handle) != SIG_ERR;
}

static bool
raise_one(void)
{
	return raise(SIGUSR1) == 0;
}

static const struct kind {
	const char *name;
	bool (*make)(const char *file);
	bool (*have)(void);
	int events;		/* by one call */
} kinds[] = {
	{ "read", make_file, read_one, 1 },
	{ "switch", make_other, switch_two, 2 },
	{ "signal", make_handler, raise_one, 1 },
};

static bool
repeat(const struct kind *k, long count)
{
	for (long i = 0; i < count; i += k->events)
		if (!k->have())
			return false;
	return true;
}

static long long
now_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

enum { BATCH = 100, BATCHES = 1000 };

static long long took[BATCHES], used[BATCHES];

static int
compare(const void *a, const void *b)
{
	long long x = *(const long long *)a, y = *(const long long *)b;

	return x < y ? -1 : x > y;
}

static long long
middle(long long *v, long n)
{
	qsort(v, (size_t)n, sizeof(*v), compare);
	return v[n / 2];
}

int
main(int argc, char **argv)
{
	const struct kind *k = kinds;
	cpu_set_t cpu;

	if (argc != 6)
		return 2;
	while (strcmp(k->name, argv[1]) != 0)
		if (++k == kinds + sizeof(kinds) / sizeof(kinds[0]))
			return 2;
	long count = atol(argv[3]);
	CPU_ZERO(&cpu);
	CPU_SET(atoi(argv[2]), &cpu);
	if (sched_setaffinity(0, sizeof(cpu), &cpu) || !k->make(argv[5]) ||
	    !repeat(k, count / 20))
		return 1;
	long n = count / BATCH < BATCHES ? count / BATCH : BATCHES;
	for (long i = 0; i < n; i++) {
		took[i] = now_ns(CLOCK_MONOTONIC);
		used[i] = now_ns(CLOCK_PROCESS_CPUTIME_ID);
		if (!repeat(k, BATCH))
			return 1;
		used[i] = now_ns(CLOCK_PROCESS_CPUTIME_ID) - used[i];
		took[i] = now_ns(CLOCK_MONOTONIC) - took[i];
	}
	FILE *f = fopen(argv[4], "w");
	return !f || fprintf(f, "%lld %lld\n", middle(took, n) * n, middle(used, n) * n) < 0 ||
	       fclose(f) != 0;
}
