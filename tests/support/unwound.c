/* SPDX-License-Identifier: BSD-2-Clause
 *
 * unwound: calls getppid() from where stacks have odd shapes, each time after it has
 * told which return addresses the compiler's own runtime finds: one line of them,
 * the innermost first.  Built without frame pointers, as most programs are.
 *
 * The first call is there to be asked about; the rest follow, with the argument `wait`
 * a while later.
 */
#include <alloca.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FRAMES = 120 };

static volatile int sink;

#define NOINLINE __attribute__((noinline, noclone))

/* The first address is in this function itself. */
static NOINLINE void
here(const char *name)
{
	void *frames[FRAMES];
	int n = backtrace(frames, FRAMES);

	printf("%s", name);
	for (int i = 1; i < n; i++)
		printf(" %lx", (unsigned long)frames[i]);
	printf("\n");
	getppid();
	sink++;
}

static NOINLINE int
deep(int n, const char *name)
{
	if (n == 0)
		here(name);
	else
		deep(n - 1, name);
	return sink += n;
}

static int
compare(const void *a, const void *b)
{
	static int calls;

	if (calls++ == 3)
		here("qsort");
	return *(const int *)a - *(const int *)b;
}

static NOINLINE void
sorted(void)
{
	int v[] = { 5, 3, 1, 4, 2 };

	qsort(v, 5, sizeof(*v), compare);
	sink += v[0];
}

static NOINLINE void
in_alloca(int n)
{
	char *p = alloca((size_t)n);

	memset(p, n, (size_t)n);
	here("alloca");
	sink += p[n / 2];
}

static NOINLINE void
aligned(void)
{
	char wide[64] __attribute__((aligned(64)));

	memset(wide, sink, sizeof(wide));
	here("aligned");
	sink += wide[3];
}

static NOINLINE void
many(int a, int b, int c, int d, int e, int f, int g, int h, int i)
{
	here("many");
	sink += a + b + c + d + e + f + g + h + i;
}

static void
on_signal(int sig)
{
	deep(2, sig == SIGUSR1 ? "signal" : "altstack");
}

static NOINLINE void
signals(void)
{
	static char other[64 << 10];
	struct sigaction action = { .sa_handler = on_signal };
	stack_t stack = { .ss_sp = other, .ss_size = sizeof(other) };

	sigaction(SIGUSR1, &action, NULL);
	sigaltstack(&stack, NULL);
	action.sa_flags = SA_ONSTACK;
	sigaction(SIGUSR2, &action, NULL);
	raise(SIGUSR1);
	raise(SIGUSR2);
	sink++;
}

static void *
threaded(void *arg)
{
	deep(3, arg);
	return NULL;
}

static NOINLINE void
in_thread(void)
{
	pthread_t t;

	fflush(stdout);
	if (pthread_create(&t, NULL, threaded, "thread") == 0)
		pthread_join(t, NULL);
}

static NOINLINE void
jumped(int n)
{
	/* the compiler makes a table for it */
	switch (n % 9) {
	case 0: sink += 3; break;
	case 1: sink *= 5; break;
	case 2: sink ^= 7; break;
	case 3: sink -= 11; break;
	case 4: sink |= 13; break;
	default: here("jumped");
	}
	sink += n;
}

static NOINLINE int
burn(int n, double seconds)
{
	struct timespec t;
	double end;

	if (n) {
		burn(n - 1, seconds);
		return sink++;
	}
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	end = (double)t.tv_sec + (double)t.tv_nsec / 1e9 + seconds;
	do {
		for (int i = 0; i < 100000; i++)
			sink++;
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	} while ((double)t.tv_sec + (double)t.tv_nsec / 1e9 < end);
	return sink;
}

/* Processes that keep a processor busy, 30 frames deep, one after the other. */
static int
forks(int n)
{
	for (int i = 0; i < n; i++) {
		int pid = fork();
		if (pid == 0) {
			burn(30, 0.01);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
	return 0;
}

int
main(int argc, char **argv)
{
	if (argc > 2 && !strcmp(argv[1], "forks"))
		return forks(atoi(argv[2]));
	deep(0, "flat");
	if (argc > 1 && !strcmp(argv[1], "wait"))
		sleep(1);
	deep(10, "ten");
	deep(90, "ninety");
	sorted();
	in_alloca(1000 + argc);
	aligned();
	many(1, 2, 3, 4, 5, 6, 7, 8, argc);
	jumped(argc + 4);
	signals();
	in_thread();
	fflush(stdout);
	if (argc > 1 && !strcmp(argv[1], "twice"))
		execl(argv[0], argv[0], NULL);
	return 0;
}
