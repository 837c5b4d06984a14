/* SPDX-License-Identifier: BSD-2-Clause
 *
 * kids WAY:COUNT:CALLS...: make so many children in a row, each of which calls early()
 * so often, as the first thing that it does, and ends.
 */
#include <linux/sched.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Seen from outside, so that it stays as it is. */
long early(long n);
volatile long sink;

__attribute__((noinline, noclone)) long
early(long n)
{
	sink = n;
	return n + 1;
}

static void
calls(long n)
{
	for (long i = 0; i < n; i++)
		early(i);
}

static void
wait_for(pid_t pid)
{
	if (pid < 0 || waitpid(pid, NULL, __WALL) != pid) {
		perror("kids");
		exit(2);
	}
}

static void
by_fork(long n)
{
	pid_t pid = fork();

	if (!pid) {
		calls(n);
		_exit(0);
	}
	wait_for(pid);
}

/* By the system call itself, and without a signal at the end. */
static void
by_clone(long n)
{
	pid_t pid = (pid_t)syscall(SYS_clone, 0, 0, 0, 0, 0);

	if (!pid) {
		calls(n);
		_exit(0);
	}
	wait_for(pid);
}

/* One call in the memory of its parent, the rest in a program of its own. */
static void
by_vfork(long n)
{
	char what[64];

	snprintf(what, sizeof(what), "none:1:%ld", n - 1);
	pid_t pid = vfork();
	if (!pid) {
		early(0);
		execl("/proc/self/exe", "kids", what, NULL);
		_exit(2);
	}
	wait_for(pid);
}

/* A child that does nothing itself has one that does. */
static void
by_grandchild(long n)
{
	pid_t pid = fork();

	if (!pid) {
		by_fork(n);
		_exit(0);
	}
	wait_for(pid);
}

static void *
thread(void *n)
{
	calls((long)n);
	return NULL;
}

static void
by_thread(long n)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, (void *)n);
	pthread_join(t, NULL);
}

static void *
forking(void *n)
{
	by_fork((long)n);
	return NULL;
}

/* By a thread that is not the first. */
static void
by_thread_fork(long n)
{
	pthread_t t;

	pthread_create(&t, NULL, forking, (void *)n);
	pthread_join(t, NULL);
}

/* With the number of the one before, which has ended. */
static void
by_again(long n)
{
	static pid_t number;
	struct clone_args a = { .exit_signal = SIGCHLD, .set_tid = number ? (uintptr_t)&number : 0,
				.set_tid_size = number != 0 };
	pid_t pid = (pid_t)syscall(SYS_clone3, &a, sizeof(a));

	if (!pid) {
		calls(n);
		_exit(0);
	}
	wait_for(pid);
	number = pid;
}

static const struct { const char *name; void (*make)(long n); } ways[] = {
	{ "fork", by_fork }, { "clone", by_clone }, { "vfork", by_vfork },
	{ "grandchild", by_grandchild }, { "thread", by_thread },
	{ "threadfork", by_thread_fork }, { "again", by_again }, { "none", calls },
};

static void
make(char *what)
{
	char *count = strchr(what, ':'), *n = count ? strchr(count + 1, ':') : NULL;

	for (size_t i = 0; n && i < sizeof(ways) / sizeof(*ways); i++)
		if (!strncmp(ways[i].name, what, strlen(ways[i].name)) &&
		    what + strlen(ways[i].name) == count) {
			for (long k = atol(count + 1); k > 0; k--)
				ways[i].make(atol(n + 1));
			return;
		}
	fprintf(stderr, "kids: %s?\n", what);
	exit(2);
}

int
main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		make(argv[i]);
	return 0;
}
