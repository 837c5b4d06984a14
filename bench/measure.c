/* SPDX-License-Identifier: BSD-2-Clause
 *
 * measure COMMAND [ARGUMENT]...: run it with its output thrown away and print
 * nanoseconds from start to end, the largest resident set in KiB, and the exit
 * status.  A program of its own, because a process begins with the resident
 * set of the one that forked it, and an interpreter's would hide the answer.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static long long
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int
main(int argc, char **argv)
{
	posix_spawn_file_actions_t quiet;
	struct rusage usage;
	pid_t pid;
	int status;

	if (argc < 2)
		return 2;
	posix_spawn_file_actions_init(&quiet);
	posix_spawn_file_actions_addopen(&quiet, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&quiet, 2, "/dev/null", O_WRONLY, 0);

	long long start = now_ns();
	if (posix_spawnp(&pid, argv[1], &quiet, NULL, argv + 1, environ) != 0)
		return 2;
	if (wait4(pid, &status, 0, &usage) != pid)
		return 2;
	printf("%lld %ld %d\n", now_ns() - start, usage.ru_maxrss, status);
	posix_spawn_file_actions_destroy(&quiet);
	return 0;
}
