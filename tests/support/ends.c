/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ends: processes that end in every way.  Of each it prints its number, why it ended
 * as proc:::exit tells (1: by itself, 2: by a signal, 3: and left a core), and what
 * wait() says.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char **self;
static pthread_barrier_t together;

static void
tell(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		_exit(1);
	printf("%d %d %d\n", (int)pid,
	       WIFEXITED(status) ? 1 : WCOREDUMP(status) ? 3 : 2, status);
}

/* A child that does that. */
#define CHILD(what) do { \
	fflush(stdout); \
	pid_t pid = fork(); \
	if (pid == 0) { \
		what; \
		_exit(99); \
	} \
	tell(pid); \
} while (0)

static void
cores(rlim_t max)
{
	struct rlimit lim = { max, max };

	setrlimit(RLIMIT_CORE, &lim);
}

static void
bad_instruction(void)
{
#if defined(__x86_64__)
	__asm__ volatile("ud2");
#else
	raise(SIGILL);
#endif
}

static void
by_zero(void)
{
#if defined(__x86_64__)
	__asm__ volatile("xor %%ecx, %%ecx; xor %%edx, %%edx; mov $1, %%eax;"
			 "idiv %%ecx" ::: "eax", "ecx", "edx");
#else
	raise(SIGFPE);
#endif
}

/* One more thread does that, and this one waits for it for ever. */
static void
by_thread(void *(*f)(void *arg))
{
	pthread_t t;

	if (pthread_create(&t, NULL, f, NULL) == 0)
		for (;;)
			pause();
}

static void *
becomes(void *arg)
{
	execl(self[0], "ends", "became", NULL);
	return arg;
}

static void *
leaves(void *arg)
{
	exit(7);
}

/* All threads end, each by itself and with a number of its own, at once. */
static void *
ends_alone(void *arg)
{
	pthread_barrier_wait(&together);
	syscall(SYS_exit, (int)(long)arg);
	return arg;
}

static void
all_end(unsigned n)
{
	pthread_t t;

	pthread_barrier_init(&together, NULL, n);
	for (unsigned i = 1; i < n; i++)
		pthread_create(&t, NULL, ends_alone, (void *)(long)i);
	ends_alone((void *)50);
}

int
main(int argc, char **argv)
{
	self = argv;
	if (argc > 1)
		return 5;
	for (int i = 0; i < 256; i++)
		CHILD(_exit(i));
	cores(0);
	CHILD(abort());
	CHILD(bad_instruction());
	CHILD(by_zero());
	CHILD(by_thread(becomes));
	CHILD(by_thread(leaves));
	for (int i = 0; i < 50; i++)
		CHILD(all_end(2 + i % 7));
	/* In an own folder, which the caller chose. */
	CHILD(cores(RLIM_INFINITY); abort());
	return 0;
}
