/* SPDX-License-Identifier: BSD-2-Clause
 *
 * called [-t THREADS] OP:COUNT...: call functions that can be found by name exactly
 * so often, so that tests know what a trace must count.  Each thread does the whole
 * list.  Some of it takes as long as somebody needs to see it, but ends.
 */
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

/* Seen from outside, so that it stays as it is. */
#define FUNCTION(name, ...) \
	long name(__VA_ARGS__); \
	__attribute__((noinline, noclone)) long name(__VA_ARGS__)

volatile long sink;

/* Ten arguments, of which four lie on the stack. */
FUNCTION(ten, long a, long b, long c, long d, long e, long f, long g, long h, long i,
	 long j)
{
	sink = a + b + c + d + e + f + g + h + i + j;
	return sink;
}

FUNCTION(leaf, long n)
{
	sink = n;
	return n + 1;
}

/* Two ways out. */
FUNCTION(either, long n)
{
	if (n & 1) {
		leaf(n);
		return -1;
	}
	return n * 2;
}

FUNCTION(recursive, long n)
{
	return n ? recursive(n - 1) + leaf(n) : 0;
}

/* Ends by a jump to leaf(). */
FUNCTION(tail, long n)
{
	sink = n;
	return leaf(n + 10);
}

/* Nothing but ret. */
void bare(void);
__asm__(".text\n.globl bare\n.type bare, %function\nbare: ret\n"
	".size bare, . - bare\n");

/* Functions that the C library chooses when the program starts. */
static void
do_chosen(long n)
{
	static size_t (*volatile length)(const char *) = strlen;
	static void *(*volatile copy)(void *, const void *, size_t) = memcpy;
	static char to[4321], from[sizeof(to)];

	sink = (long)length("a text of its own");
	copy(to, from, sizeof(to));
}

static void do_bare(long n) { bare(); }
static void do_ten(long n) { ten(n, 2, 3, 4, 5, 6, 7, 8, 9, 10); }
static void do_leaf(long n) { leaf(n); }
static void do_either(long n) { either(n); }
static void do_recursive(long n) { recursive(3); }
static void do_tail(long n) { tail(n); }

/* Now and then, for half a minute. */
static void
often(long (*fn)(long n))
{
	for (long i = 0; i < 30000; i++) {
		fn(i);
		usleep(1000);
	}
}

/* The path of something that lies beside the program. */
static char *
beside(const char *name)
{
	static char path[PATH_MAX + 64];
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX);

	path[n > 0 ? n : 0] = 0;
	char *slash = strrchr(path, '/');
	strcpy(slash ? slash + 1 : path, name);
	return path;
}

/* A function of a library that is loaded only now. */
static void
do_load(long n)
{
	void *lib = dlopen(beside("libcalled_late.so"), RTLD_NOW);
	long (*late)(long n) = lib ? (long (*)(long))dlsym(lib, "late") : NULL;

	if (late)
		often(late);
	else
		puts(dlerror());
}

static void
do_fork(long n)
{
	pid_t child = fork();

	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		often(leaf);
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

static void do_often(long n) { often(leaf); }

static void
do_exec(long n)
{
	execl(beside("called"), "called", "often", NULL);
}

static const struct { const char *name; void (*call)(long n); } ops[] = {
	{ "ten", do_ten }, { "leaf", do_leaf }, { "either", do_either },
	{ "recursive", do_recursive }, { "tail", do_tail },
	{ "bare", do_bare }, { "chosen", do_chosen },
	{ "load", do_load }, { "fork", do_fork }, { "exec", do_exec },
	{ "often", do_often },
};

static void
run(const char *what)
{
	size_t n = strcspn(what, ":");
	long count = what[n] ? atol(what + n + 1) : 1;

	for (size_t i = 0; i < sizeof(ops) / sizeof(*ops); i++)
		if (strlen(ops[i].name) == n && !memcmp(ops[i].name, what, n)) {
			for (long k = 1; k <= count; k++)
				ops[i].call(k);
			return;
		}
	fprintf(stderr, "called: %s?\n", what);
	exit(2);
}

static void *
run_all(void *arg)
{
	for (char **what = arg; *what; what++)
		run(*what);
	return NULL;
}

int
main(int argc, char **argv)
{
	enum { MAX = 64 };
	pthread_t threads[MAX];
	int n = 0;

	if (argc > 2 && !strcmp(argv[1], "-t")) {
		n = atoi(argv[2]);
		argv += 2;
	}
	for (int i = 0; i < n && i < MAX; i++)
		pthread_create(&threads[i], NULL, run_all, argv + 1);
	for (int i = 0; i < n && i < MAX; i++)
		pthread_join(threads[i], NULL);
	if (!n)
		run_all(argv + 1);
	return 0;
}
