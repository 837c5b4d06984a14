/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef STACKS_H
#define STACKS_H

#include <sys/syscall.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

/* Something to do when the call has returned, so that it is no jump. */
#define KEEP(call) __extension__ ({ long r_ = (call); \
	__asm__ volatile ("" : "+r" (r_) : : "memory"); r_; })

/* The system call from right here. */
static inline __attribute__((always_inline)) long
raw_getppid(void)
{
#if defined(__x86_64__)
	long r = SYS_getppid;

	__asm__ volatile ("syscall" : "+a" (r) : : "rcx", "r11", "memory");
	return r;
#elif defined(__aarch64__)
	register long number __asm__("x8") = SYS_getppid, r __asm__("x0");

	__asm__ volatile ("svc #0" : "=r" (r) : "r" (number) : "memory");
	return r;
#else
	return syscall(SYS_getppid);
#endif
}

long library_entry(void);

#endif
