/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Every tracing system call, and what the running kernel can do.  Features
 * are found by trying.  The only folder that loads and attaches.
 */
#ifndef KERN_KERN_H
#define KERN_KERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/err.h"

/* --- Privilege and features ---------------------------------------------- */

/* NULL when this process may load tracing programs; else says what is
 * missing ("DTrace requires additional privileges"). */
struct err *kern_may_trace(void);
/* May a program of ours write to the memory of a process? */
bool kern_may_write_user(void);
unsigned kern_ncpus(void);		/* possible CPUs; ids are below this */
unsigned kern_online(uint8_t *mask, unsigned n);/* mask[cpu] = 1; count */
/* Bytes of the machine's memory, or that the cgroups of this process may have. */
uint64_t kern_memory(void);

/* Is this Linux major.minor or newer? */
bool kern_is_since(unsigned major, unsigned minor);
/* How many BPF programs one trace may have: what this kernel can free at once
 * (doc/decisions/020). */
enum { KERN_PROGS_FEW = 240, KERN_PROGS_MANY = 1000, KERN_PROGS_ANY = INT32_MAX };
unsigned kern_progs_max(void);
/* Can a thread lose its CPU in a program at a tracepoint?  Others on that CPU cannot run
 * it then.  Since Linux 7.0, and only the version tells. */
bool kern_preempts(void);
/* Can a program have loops?  (Linux 5.17) */
bool kern_loops(void);
/* Does a program at several tracepoints learn which of them it runs at? */
bool kern_tells_tracepoints(void);
/* May programs be attached to functions of the kernel?  *many: to thousands at
 * once (kprobe.multi).  Error: why not. */
struct err *kern_may_probe(bool *many);
/* The same of places in programs (uprobe.multi). */
struct err *kern_may_probe_user(bool *many);
/* One row per feature probed; for dtrace -vV. */
struct kern_feature {
	const char *id;		/* "rawtp", as in feature.def */
	const char *name;	/* "ringbuf", "raw tracepoint" ... */
	bool present;
	const char *detail;	/* which way is taken, or why not */
};
const struct kern_feature *kern_features(unsigned *n);

/* --- Objects ---------------------------------------------------- */

struct abi_obj;
struct kern_obj;
struct kern_link;

/* Join objects: what one declares another must define.  They are borrowed
 * until kern_obj_close(). */
struct err *kern_obj_open(const struct abi_obj *const *objs, unsigned n,
			  struct kern_obj **ret);
/* Before kern_obj_load(): sizes of a map, 0 leaving one as it is; of a hash, that its
 * elements are made as they come; what a map of one element begins with, all of it
 * (borrowed until then). */
struct err *kern_obj_set_map(struct kern_obj *o, const char *map,
			     uint32_t value_size, uint32_t entries);
struct err *kern_obj_set_sparse(struct kern_obj *o, const char *map);
struct err *kern_obj_set_initial(struct kern_obj *o, const char *map,
				 const void *bytes);
/* Have a program loaded that is optional. */
struct err *kern_obj_use_prog(struct kern_obj *o, const char *prog);
/* Have a program loaded for the function or tracepoint with this number in BTF,
 * the kernel's or, when module is not 0, that of a descriptor; abi_attach_is_typed()
 * says which kinds of programs must have one. */
struct err *kern_obj_set_btf(struct kern_obj *o, const char *prog, uint32_t id,
			     int module);
/* Make this map even if no program that is loaded names it: else there is
 * none. */
struct err *kern_obj_need_map(struct kern_obj *o, const char *map);
/* Make the maps, which can be used from then on; what sets their sizes comes before. */
struct err *kern_obj_make_maps(struct kern_obj *o);
/* Load the programs, and make the maps unless they are there.  ERR_VERIFY carries the end of the verifier's log;
 * with verbose, the whole log goes to stderr. */
struct err *kern_obj_load(struct kern_obj *o, bool verbose);
/* Once it is loaded: have the kernel keep elements of hashes ready for programs that run with
 * interrupts off.  They must be empty, or have other keys than zeros. */
void kern_obj_warm(const struct kern_obj *o);
void kern_obj_close(struct kern_obj *o);	/* detaches nothing */
/* Where the kernel has no bpf_loop(), code that goes through strings was loaded so that it
 * does for strings of so many bytes; chill() and loops of D are refused. */
enum { KERN_TURNS_STRING = 256 };
bool kern_obj_turned(const struct kern_obj *o);
/* Borrowed descriptors; -1 when there is no such thing. */
int kern_obj_map(struct kern_obj *o, const char *name);
int kern_obj_prog(struct kern_obj *o, const char *name);
/* Firings that the kernel skipped because the program was already running on
 * that CPU. */
uint64_t kern_prog_misses(int prog_fd);

/* What kernel probes of the link have missed: more threads were in a function than
 * the kernel keeps returns of, or it was reached while a probe was handled.  Before
 * Linux 6.7 nothing tells: 0. */
uint64_t kern_link_misses(const struct kern_link *l);

/* Attaching is kern/site.h's. */
void kern_detach(struct kern_link *l);		/* NULL is fine */
/* All of them, and what takes its time at once. */
void kern_detach_all(struct kern_link *const *l, size_t n);
/* Detach l in the background, by a thread that *at, which is NULL at first, stands for.
 * kern_leave_end() returns when all such links are detached; then *at is NULL again. */
struct kern_leaving;
void kern_leave(struct kern_leaving **at, struct kern_link *l);
void kern_leave_end(struct kern_leaving **at);
/* Run a raw-tracepoint program here and now with up to 12 context words;
 * *retval is what it returned. */
struct err *kern_prog_run(int prog_fd, const uint64_t *ctx, unsigned nctx,
			  uint32_t *retval);
/* The same on one CPU that may be another, without a context. */
struct err *kern_prog_run_on(int prog_fd, unsigned cpu);
/* Is this process in the machine's first pid namespace, so that it knows
 * processes by the numbers that probes see?  Yes, when nobody can tell. */
bool kern_first_pid_ns(void);
/* A program that returns to the process that runs it the number that probes
 * see.  *ret is the caller's to close. */
struct err *kern_pid_prog(int *ret);
/* The address of a kernel symbol whose name has at most 63 letters; quick, but
 * no kernel before 5.16 can do it, and none where addresses are hidden. */
struct err *kern_symbol(const char *name, uint64_t *ret);
/* Wait until every BPF program that was running has returned. */
struct err *kern_barrier(void);
/* What that takes, for who may have no descriptor left when it is time to wait. */
struct err *kern_barrier_open(void);

#endif
