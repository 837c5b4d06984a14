/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Begins a thread, a process that has a stack of its own, and one that has a copy of ours,
 * each by clone() and by clone3(), without what a C library does in between; they end at
 * once.  Compiled with frame pointers and without tables.
 */
#define _GNU_SOURCE
#include <linux/sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char stack[1 << 16] __attribute__((aligned(16)));

/* A system call with two arguments, whose child ends. */
__attribute__((noinline, noclone)) static long
begin(long call, const void *first, const void *second)
{
#if defined(__x86_64__)
	long ret;
	__asm__ volatile("xor %%edx, %%edx; xor %%r10d, %%r10d; xor %%r8d, %%r8d; syscall\n\t"
			 "test %%rax, %%rax; jnz 1f; mov %4, %%eax; xor %%edi, %%edi; syscall; 1:"
			 : "=a"(ret) : "a"(call), "D"(first), "S"(second), "i"(SYS_exit)
			 : "rcx", "rdx", "r8", "r10", "r11", "memory");
	return ret;
#elif defined(__aarch64__)
	register long x0 __asm__("x0") = (long)first, x1 __asm__("x1") = (long)second;
	register long x8 __asm__("x8") = call;
	__asm__ volatile("mov x2, 0; mov x3, 0; mov x4, 0; svc 0\n\t"
			 "cbnz x0, 1f; mov x8, %3; svc 0; 1:"
			 : "+r"(x0) : "r"(x1), "r"(x8), "i"(SYS_exit)
			 : "x2", "x3", "x4", "memory");
	return x0;
#endif
}

__attribute__((noinline, noclone)) static void
make(uint64_t flags, int signal, int is_new, int by)
{
	struct clone_args a = { .flags = flags, .exit_signal = (uint64_t)signal,
				.stack = is_new ? (uintptr_t)stack : 0,
				.stack_size = is_new ? sizeof(stack) : 0 };
	long id = by ? begin(SYS_clone3, &a, (void *)sizeof(a)) :
		  begin(SYS_clone, (void *)(uintptr_t)(flags | (unsigned)signal),
			is_new ? stack + sizeof(stack) : 0);

	if (signal)
		waitpid((pid_t)id, 0, 0);
	else
		usleep(100000);
}

int
main(void)
{
	for (int by = 0; by < 2; by++) {
		make(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD, 0, 1, by);
		make(CLONE_VM | CLONE_VFORK, SIGCHLD, 1, by);
		make(0, SIGCHLD, 0, by);
	}
	return 0;
}
