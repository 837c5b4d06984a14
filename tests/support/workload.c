/* SPDX-License-Identifier: BSD-2-Clause
 *
 * workload [-t THREADS] [-T] OP:COUNT[:NUMBER]...: make exactly the system
 * calls that were asked for, so that tests know what a trace must count.  Each
 * thread does the whole list.  -T prints how long that took.
 *
 * The calls are raw, and the program is linked statically, so that neither a
 * libc that caches nor a dynamic linker that reads adds to them.  Of the calls
 * below only -T's write happens otherwise.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct op {
	const char *name;
	void (*call)(long number);
};

static int zero, null;		/* descriptors of /dev/zero and /dev/null */
static char buf[1 << 20];
static char *args;		/* argv[0] */

static void
do_getppid(long number)
{
	syscall(SYS_getppid);
}

static void
check_size(long size)
{
	if (size < 0 || size > (long)sizeof buf)
		exit(2);
}

static void
do_read(long size)
{
	check_size(size);
	syscall(SYS_read, zero, buf, size);
}

static void
do_write(long size)
{
	check_size(size);
	syscall(SYS_write, null, buf, size);
}

/* Fails with ENOENT. */
static void
do_open(long number)
{
	syscall(SYS_openat, AT_FDCWD, "/nonexistent/file", O_RDONLY, 0);
}

static void
do_open_other(long number)
{
	int fd = open("/nonexistent/other", O_RDONLY);
	(void)fd;
}

/* Fails with EBADF. */
static void
do_close(long number)
{
	syscall(SYS_close, -1);
}

static void
do_sleep(long us)
{
	struct timespec t = { us / 1000000, us % 1000000 * 1000 };

	syscall(SYS_nanosleep, &t, NULL);
}

/* A call by its 32-bit number, through the 32-bit gate.  The upper halves of
 * the registers are full of what is no part of the arguments. */
static void
call32(long number, long a, long b, long c)
{
#ifdef __x86_64__
	const long junk = 0x7bad0bad00000000;
	long ret;

	__asm__ volatile("int $0x80" : "=a"(ret) :
			 "0"(number), "b"(a | junk), "c"(b | junk),
			 "d"(c | junk) :
			 "memory", "r8", "r9", "r10", "r11");
#endif
}

/* 20 is writev elsewhere. */
static void
do_getpid32(long number)
{
	call32(20, 0, 0, 0);
}

static void
do_getppid32(long number)
{
	call32(64, 0, 0, 0);
}

/* 4 is stat elsewhere. */
static void
do_write32(long size)
{
	check_size(size);
	call32(4, null, (intptr_t)buf, size);
}

/* Fails with ENOENT. */
static void
do_open32(long number)
{
	static const char path[] = "/nonexistent/32";

	call32(5, (intptr_t)path, O_RDONLY, 0);
}

/* With the process's arguments mapped no more, getppid; then the end. */
static void *
unmap_args(void *page)
{
	munmap(page, 1);
	syscall(SYS_getppid);
	syscall(SYS_exit_group, 0);
	return NULL;
}

/* In a thread, as the stack of the first one lies where the arguments do. */
static void
do_noargs(long number)
{
	pthread_t t;
	char *page = args - (uintptr_t)args % (uintptr_t)sysconf(_SC_PAGESIZE);

	if (pthread_create(&t, NULL, unmap_args, page) != 0)
		exit(1);
	pthread_join(t, NULL);
}

static long long
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* Use the CPU for so long, without a call.  Where the clock has jumped somebody else
 * had the CPU. */
static void
do_burn(long us)
{
	long long left = us * 1000LL, was = now_ns(), now;

	for (; left > 0; was = now) {
		now = now_ns();
		left -= now - was < 100000 ? now - was : 0;
	}
}

/* getppid, then burn. */
static void *
short_life(void *us)
{
	syscall(SYS_getppid);
	do_burn((intptr_t)us);
	return NULL;
}

/* A thread for that; it has ended when this returns. */
static void
do_spawn(long us)
{
	pthread_t t;

	if (pthread_create(&t, NULL, short_life, (void *)(intptr_t)us) != 0)
		exit(1);
	pthread_join(t, NULL);
}

/* A process that makes so many getppids; it has ended when this returns. */
static void
do_fork(long calls)
{
	pid_t pid = fork();

	if (pid < 0)
		exit(1);
	if (pid == 0) {
		while (calls-- > 0)
			syscall(SYS_getppid);
		_exit(0);
	}
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/* The same, but this process is inside of the clone() until that has ended, which
 * makes the order of their calls certain. */
static void
do_vfork(long calls)
{
	long pid = syscall(SYS_clone, CLONE_VFORK | SIGCHLD, 0, 0, 0, 0);

	if (pid < 0)
		exit(1);
	if (pid == 0) {
		while (calls-- > 0)
			syscall(SYS_getppid);
		syscall(SYS_exit_group, 0);
	}
	syscall(SYS_wait4, pid, NULL, 0, NULL);
}

/* write() of that much text, behind which nothing can be read. */
static void
write_end(long size, int last)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *p = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || size < 1 || size > (long)page ||
	    mprotect(p + page, page, PROT_NONE))
		exit(2);
	memset(p, 'x', page);
	p[page - size] = '<';
	p[page - 1] = (char)last;
	syscall(SYS_write, null, p + page - size, size);
	munmap(p, 2 * page);
}

/* No NUL ends it. */
static void
do_writeend(long size)
{
	write_end(size, '>');
}

/* The last byte is one. */
static void
do_writenul(long size)
{
	write_end(size, 0);
}

static const struct op ops[] = {
	{ "getppid", do_getppid },
	{ "getpid32", do_getpid32 },
	{ "getppid32", do_getppid32 },
	{ "write32", do_write32 },
	{ "open32", do_open32 },
	{ "read", do_read },
	{ "write", do_write },
	{ "writeend", do_writeend },
	{ "writenul", do_writenul },
	{ "open", do_open },
	{ "open-other", do_open_other },
	{ "close", do_close },
	{ "sleep", do_sleep },
	{ "noargs", do_noargs },
	{ "burn", do_burn },
	{ "spawn", do_spawn },
	{ "fork", do_fork },
	{ "vfork", do_vfork },
};

static void
one(const char *text)
{
	char name[32] = "";
	long count = 0, number = 0;

	if (sscanf(text, "%31[^:]:%ld:%ld", name, &count, &number) < 2)
		exit(2);
	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
		if (strcmp(ops[i].name, name) == 0) {
			while (count-- > 0)
				ops[i].call(number);
			return;
		}
	exit(2);
}

static void *
all(void *words)
{
	for (char **w = words; *w; w++)
		one(*w);
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t threads[64];
	int n = 1;
	bool timed = false;

	args = argv[0];
	if (argc > 2 && strcmp(argv[1], "-t") == 0) {
		n = atoi(argv[2]);
		argv += 2;
	}
	if (argv[1] && strcmp(argv[1], "-T") == 0) {
		timed = true;
		argv++;
	}
	if (n < 1 || n > 64)
		return 2;
	zero = open("/dev/zero", O_RDONLY);
	null = open("/dev/null", O_WRONLY);
	long long start = now_ns();
	for (int i = 1; i < n; i++)
		if (pthread_create(&threads[i], NULL, all, argv + 1) != 0)
			return 1;
	all(argv + 1);
	for (int i = 1; i < n; i++)
		pthread_join(threads[i], NULL);
	if (timed)
		printf("workload %lld ns\n", now_ns() - start);
	return 0;
}
