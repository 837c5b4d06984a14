/* SPDX-License-Identifier: BSD-2-Clause
 *
 * noted [LOOPS]: a program with static probes: operands of many forms, several places of
 * one probe, counters of who traces.  It says on standard output whether anybody traces
 * "loop", as its counter has it.
 *
 * Or it waits for somebody to trace a probe, and then fires it LOOPS times:
 *	noted wait LOOPS	"loop" of its own
 *	noted load LOOPS	"fire" of a library that it loads first
 *	noted exec LOOPS	it executes "noted wait LOOPS"
 * or it waits for nobody:
 *	noted plug LOOPS	fires "now" of that library
 * and
 *	noted fork LOOPS	a child fires it so often again and again
 */
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROVIDER "noted"
#include "note.h"

unsigned short counted_counter __attribute__((section(".probes"), used));
unsigned short late_counter __attribute__((section(".probes"), used));
int global = -12345;

static long loops = 1000;

static __attribute__((noinline)) void
forms(signed char c, unsigned char uc, short s, unsigned short us, int i,
      unsigned u, long l, const char *text)
{
	PROBE("registers", "0", "-1@%0 1@%1 -2@%2 2@%3 -4@%4 4@%5 -8@%6 8@%7",
	      BYTE_REG(c), BYTE_REG(uc), "r"(s), "r"(us), "r"(i), "r"(u), "r"(l), "r"(text));
	PROBE("memory", "0", "-1@%0 1@%1 -2@%2 2@%3 -4@%4 4@%5 -8@%6 8@%7",
	      "m"(c), "m"(uc), "m"(s), "m"(us), "m"(i), "m"(u), "m"(l), "m"(text));
	PROBE("constants", "0", "-4@%0 4@%1 -8@%2 -1@%3",
	      "i"(-5), "i"(7), "i"(0x7fffffffffL), "i"(-1));
#if defined(__x86_64__)
	static long table[4] = { 10, 20, 30, 40 };
	long index = global & 1 ? 2 : 1;
	PROBE("scaled", "0", "8@8(%0,%1,8) 1@%%ah -4@global(%%rip) 8f@%%xmm0 8@%2",
	      "r"(table), "r"(index), "r"(index), "a"(0x1234), "m"(table));
#elif defined(__aarch64__)
	static long table[4] = { 10, 20, 30, 40 };
	long index = global & 1 ? 2 : 1;
	PROBE("scaled", "0", "8@[%0, %1, lsl 3] 1@%w2 -4@[%3] 8f@d0 8@%1",
	      "r"(table + 1), "r"(index), "r"(0x12), "r"(&global));
#endif
}

static __attribute__((noinline)) void
one_place(long i)
{
	PROBE("two__places", "0", "-8@%0", "r"(i));
}

static __attribute__((noinline)) void
both_places(long i)
{
	if (i & 1)
		PROBE("same", "0", "-8@%0", "r"(i));
	else
		PROBE("same", "0", "-8@%0 -4@%1", "m"(i), "i"(2));
	PROBE("two__places", "0", "-8@%0", "r"(i));
}

extern const unsigned char loop_place;

static __attribute__((noinline, noclone)) void *
work(void *arg)
{
#pragma GCC unroll 1	/* one place, as it has a name */
	for (long i = 0; i < loops; i++)
		PROBE_AT("loop_place: ", "loop", "counted_counter", "-8@%0", "nor"(i));
	return arg;
}

static int
fire_traced(void)
{
	while (!*(volatile unsigned short *)&counted_counter ||
	       *(volatile const unsigned char *)&loop_place == NOP)
		usleep(1000);
	work(NULL);
	return 0;
}

/* Have a function of the library fire. */
static int
load(const char *self, const char *name)
{
	char path[PATH_MAX];
	const char *slash = strrchr(self, '/');

	snprintf(path, sizeof(path), "%.*slibnoted_late.so",
		 slash ? (int)(slash + 1 - self) : 0, self);
	void *lib = dlopen(path, RTLD_NOW);
	void (*fire)(long) = lib ? (void (*)(long))dlsym(lib, name) : NULL;
	if (fire)
		fire(loops);
	else
		fprintf(stderr, "%s\n", dlerror());
	return !fire;
}

static pid_t made;

static void
end(int sig)
{
	kill(made, SIGKILL);
}

/* Whoever ends it finds no child left. */
static int
child(void)
{
	signal(SIGTERM, end);
	if (!(made = fork())) {
		signal(SIGTERM, SIG_DFL);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;; usleep(1000))
			work(NULL);
	}
	wait(NULL);
	return 0;
}

static int
late(const char *how, char **argv)
{
	if (!strcmp(how, "wait"))
		return fire_traced();
	if (!strcmp(how, "load"))
		return load(argv[0], "late_fire");
	if (!strcmp(how, "plug"))
		return load(argv[0], "late_now");
	if (!strcmp(how, "fork"))
		return child();
	argv[1] = "wait";
	execv("/proc/self/exe", argv);
	return 1;
}

int
main(int argc, char **argv)
{
	pthread_t threads[4];

	loops = argc > 1 ? atol(argv[argc - 1]) : loops;
	if (argc > 2)
		return late(argv[1], argv);
	printf("traced: %d\n", counted_counter > 0);
	fflush(stdout);
	forms(-5, 250, -500, 65000, -70000, 4000000000U, -5000000000L, "a text");
	for (long i = 0; i < 10; i++) {
		one_place(i);
		both_places(i);
	}
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	if (late_counter)
		PROBE("late", "late_counter", "4@%0", "i"(1));
	return 0;
}
