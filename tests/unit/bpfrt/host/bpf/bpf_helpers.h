/* SPDX-License-Identifier: BSD-2-Clause
 *
 * In place of libbpf's: parts of the runtime run in a test of this machine, which says what
 * the kernel answers.
 */
#ifndef HOST_BPF_HELPERS_H
#define HOST_BPF_HELPERS_H

#include <stddef.h>
#include <stdint.h>

#define SEC(name)
#define __uint(name, value) int (*name)[value]

struct task_struct;
struct pt_regs;

void *bpf_map_lookup_elem(void *map, const void *key);
long bpf_probe_read_user(void *to, uint32_t size, const void *from);

/* Nobody asks these here. */
static inline long bpf_map_update_elem(void *m, const void *k, const void *v, uint64_t f)
{ return -1; }
static inline long bpf_loop(uint32_t n, void *fn, void *ctx, uint64_t flags) { return -1; }
static inline long bpf_probe_read_kernel(void *to, uint32_t size, const void *from)
{ return -1; }
static inline long bpf_ringbuf_output(void *m, void *data, uint64_t size, uint64_t flags)
{ return -1; }
static inline long bpf_find_vma(struct task_struct *t, uint64_t addr, void *fn, void *ctx,
				uint64_t flags)
{ return -1; }
static inline uint64_t bpf_get_current_pid_tgid(void) { return 0; }
static inline uint64_t bpf_get_current_task(void) { return 0; }
static inline uint32_t bpf_get_smp_processor_id(void) { return 0; }
static inline struct task_struct *bpf_get_current_task_btf(void) { return NULL; }
static inline long bpf_task_pt_regs(struct task_struct *t) { return 0; }

#endif
