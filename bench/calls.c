/* SPDX-License-Identifier: BSD-2-Clause
 *
 * calls CPU COUNT PAUSE FILE: on that CPU, make COUNT getppid calls, whose first
 * argument counts them, with PAUSE empty turns of a loop between two, and write
 * to FILE how many nanoseconds that took, of the clock and of the CPU.  The
 * system call is an instruction in the loop itself: what the loop adds to it is
 * a fraction of a nanosecond.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>

static long long
now_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static inline long
call(long number, long arg)
{
#if defined(__x86_64__)
	long ret;

	__asm__ volatile("syscall" : "=a"(ret) : "0"(number), "D"(arg) :
			 "rcx", "r11", "memory");
	return ret;
#elif defined(__aarch64__)
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = arg;

	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8) : "memory");
	return x0;
#else
#error "which instruction makes a system call here?"
#endif
}

int
main(int argc, char **argv)
{
	cpu_set_t set;

	if (argc != 5)
		return 2;
	CPU_ZERO(&set);
	CPU_SET(atoi(argv[1]), &set);
	if (sched_setaffinity(0, sizeof(set), &set) != 0)
		return 1;
	long count = atol(argv[2]), pause = atol(argv[3]);
	long long start = now_ns(CLOCK_MONOTONIC);
	long long used = now_ns(CLOCK_THREAD_CPUTIME_ID);
	for (long i = 0; i < count; i++) {
		call(SYS_getppid, i);
		for (long k = 0; k < pause; k++)
			__asm__ volatile("");
	}
	used = now_ns(CLOCK_THREAD_CPUTIME_ID) - used;
	long long took = now_ns(CLOCK_MONOTONIC) - start;
	FILE *f = fopen(argv[4], "w");
	return !f || fprintf(f, "%lld %lld\n", took, used) < 0 ||
	       fclose(f) != 0;
}
