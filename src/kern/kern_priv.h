/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the files of kern share.
 */
#ifndef KERN_KERN_PRIV_H
#define KERN_KERN_PRIV_H

#include <linux/bpf.h>

#include "kern/kern.h"
#include "kern/map.h"

/* ERR_OS with ": strerror(os)" behind the text; os may be negative, as libbpf
 * returns it. */
struct err *kern_os_err(int os, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The number of possible CPUs as a map has it; 0: no map can be made. */
unsigned kern_ncpus_of_map(void);

struct kern_map_shape {
	uint32_t key_size, value_size;	/* bytes */
};

/* As kern_map_drain(), or with keep as kern_map_read(), asking for `batch`
 * elements at first; 0: key by key. */
struct err *kern_map_drain_by(int fd, const struct kern_map_shape *m, bool keep,
			      uint32_t batch, kern_map_fn *fn, void *ctx);

/* The last lines of a verifier's log that fit into size bytes, joined by "; "
 * and without its statistics; "" when it has none. */
void kern_log_tail(const char *log, char *ret, size_t size);

/* libbpf has things to say on stderr: it says them no more. */
void kern_log_quiet(void);

/* sys.c: a descriptor or 0, or -errno. */
int kern_bpf(enum bpf_cmd cmd, union bpf_attr *attr);
/* What BPF_PROG_LOAD and BPF_MAP_CREATE want at least; the rest is 0. */
void kern_prog_attr(enum bpf_prog_type type, const char *name,
		    const struct bpf_insn *insns, size_t n,
		    union bpf_attr *ret);
void kern_map_attr(enum bpf_map_type type, const char *name, uint32_t key_size,
		   uint32_t value_size, uint32_t entries, uint32_t flags,
		   union bpf_attr *ret);
/* A program that needs no more than that and BPF_F_ flags. */
int kern_prog_load(enum bpf_prog_type type, const char *name,
		   const struct bpf_insn *insns, size_t n, uint32_t flags);
/* A program that does nothing. */
int kern_load_nothing(enum bpf_prog_type type);

/* Until the end of what the result is a CLEANUP of the calling thread keeps its CPU; it
 * is for calls that work on elements of maps. */
struct kern_steady { int policy; bool is_changed; };
struct kern_steady kern_steady(void);
void kern_steady_end(struct kern_steady *s);

/* Call fn for each i below n, on as many threads as there are CPUs; it may not
 * allocate memory. */
void kern_crew(uint32_t n, void (*fn)(void *ctx, uint32_t i), void *ctx);
/* The same when fn does nothing but wait: on more threads than that. */
void kern_crew_waits(uint32_t n, void (*fn)(void *ctx, uint32_t i), void *ctx);

/* What fn gives, called in a process of its own, which ends the call even if this one is
 * killed meanwhile; it may do nothing but system calls.  Where there cannot be one fn
 * is called here. */
int kern_apart(int (*fn)(void *ctx), void *ctx);

/* kern_memory() by other files than /proc/self/cgroup and those below /sys/fs/cgroup. */
uint64_t kern_memory_in(uint64_t machine, const char *cgroups, const char *fs);

#endif
