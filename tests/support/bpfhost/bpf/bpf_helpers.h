/* SPDX-License-Identifier: BSD-2-Clause
 *
 * In place of libbpf's: the runtime of the kernel side compiled for the host, so
 * that tests without privilege, and sanitizers, see it.  A test that includes
 * bpfrt/rt.h with this folder in front of the others defines what is declared
 * here.
 */
#ifndef SUPPORT_BPFHOST_H
#define SUPPORT_BPFHOST_H

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

/* A section each, so that a test can make what is constant writable. */
#define SEC(name) __attribute__((section(".host" name), used))
#define __uint(name, value) int (*name)[value]
#define __type(name, value) value *name

/* Maps are told apart by their addresses. */
void *bpf_map_lookup_elem(const void *map, const void *key);
uint32_t bpf_get_smp_processor_id(void);
uint64_t bpf_ktime_get_ns(void);
long bpf_probe_read_kernel(void *to, uint32_t size, const void *from);
long bpf_probe_read_user(void *to, uint32_t size, const void *from);
long bpf_probe_read_kernel_str(void *to, uint32_t size, const void *from);
long bpf_probe_read_user_str(void *to, uint32_t size, const void *from);

static inline long
bpf_loop(uint32_t n, void *fn, void *ctx, uint64_t flags)
{
	uint32_t i = 0;

	if (n > 1 << 23)
		return -7;		/* E2BIG, as the kernel's */
	while (i < n && !((long (*)(uint32_t, void *))fn)(i++, ctx))
		;
	return i;
}

/* Let the test write to a constant, as the session does before loading.  0: done. */
static inline int
bpfhost_open(const volatile void *p, size_t size)
{
	size_t in = (uintptr_t)p & 4095;

	return mprotect((char *)(uintptr_t)p - in, in + size,
			PROT_READ | PROT_WRITE);
}

#endif
