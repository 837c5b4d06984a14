/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Plans to a BPF object.  Knows nothing of D, of providers or of loading: in
 * go plans and abi_points, out come code for kern to load and the numbers that
 * the session needs to make maps and read records.
 */
#ifndef EBPF_EBPF_H
#define EBPF_EBPF_H

#include "abi/cfg.h"
#include "abi/point.h"
#include "dif/plan.h"
#include "util/arena.h"
#include "util/err.h"

/* One point, that is one BPF program, and its probes. */
struct ebpf_point {
	const struct abi_point *point;
	const struct plan_probe *probes;
	uint32_t nprobes;
	bool always;			/* runs even when tracing has stopped
					 * (END) */
	bool any_cpu;			/* is of no CPU: only_cpu says nothing
					 * of it */
	/* Samples: ns between firings on a CPU, which are counted in element
	 * interval + cpu * input.nintervals of dt_intervals. */
	uint64_t period_ns;
	uint32_t interval;
	/* FIND_COOKIE: instead of probes, the clauses that some of its probes
	 * have or may have, in order: indices into the plan. */
	const uint32_t *clauses;
	uint32_t nclauses;
};

/* What a full buffer does. */
enum ebpf_policy {
	EBPF_SWITCH,		/* drops what comes */
	EBPF_FILL,		/* stops the tracing */
	EBPF_RING,		/* overwrites the oldest */
};

/* What a program needs to know of the kernel: groups of the rows of
 * abi/koff.def, which are about its structs, and more. */
enum ebpf_need {
	EBPF_NEED_PARENT = 1,	/* from a task to its parent */
	EBPF_NEED_COMPAT = 2,	/* is this a 32-bit call? */
	EBPF_NEED_ARGS = 4,	/* where a process keeps its arguments */
	EBPF_NEED_PATH = 8,	/* from a task to paths */
	EBPF_NEED_COMM = 16,	/* a task's name, without asking a helper */
	EBPF_NEED_REGS = 32,	/* registers, the same */
	EBPF_NEED_TEXT = 64,	/* where the kernel's own code lies */
	EBPF_NEED_UWRITE = 4096,	/* leave to write user memory */
	EBPF_NEED_FILES = 512,	/* from a task to its open files */
	EBPF_NEED_MUTEX = 1024,	/* who holds a lock */
	EBPF_NEED_RWSEM = 2048,
	EBPF_NEED_USTACK = 8192,	/* has a process uprobes? */
	EBPF_NEED_CACHE = 16384,	/* from an address to the page cache */
	EBPF_NEED_RUNS = 32768,	/* is this a thread or an interrupt? */
	EBPF_NEED_OTHER = 65536,	/* who a thread is, that is not current */
	/* What only real-time kernels have: with RUNS and RWSEM. */
	EBPF_NEED_RT = 262144,
	EBPF_NEED_HOLD = 131072,	/* no program's: those of bpfrt/hold.bpf.c */
	/* Nothing of the kernel, but room in slots. */
	EBPF_NEED_TOKENS = 128,
	EBPF_NEED_JSON = 256,
};

struct ebpf_kernel {
	uint32_t off[ABI_NKOFFS];	/* bytes; UINT32_MAX: unknown */
	/* Numbers in BTF of the function bpf_rdonly_cast() and of struct
	 * pt_regs; 0: unknown. */
	uint32_t cast_id, regs_id;
	int32_t preempt_off;		/* as in struct abi_cfg, */
	uint32_t preempt_shift;
	int32_t active_off;		/* all three */
	uint64_t text, text_end;	/* both 0: unknown */
	uint64_t returns;		/* where functions return to that a
					 * kretprobe is at; 0: stacks hide it */
};

struct ebpf_input {
	const struct plan_prog *plan;
	const struct ebpf_point *points;
	uint32_t npoints;
	/* The clauses of dtrace:::ERROR; nclauses 0: none enabled. */
	struct plan_probe error;
	struct ebpf_kernel kernel;
	uint32_t ncpus;
	const uint8_t *ring_cpus;	/* ncpus flags: which get a ring; a
					 * record elsewhere is a drop */
	uint32_t nrings;		/* rings for all CPUs; 0: one each */
	uint32_t ring_size;		/* bytes, a power of two */
	enum ebpf_policy policy;	/* RING: dt_flight instead of rings */
	uint32_t only_cpu;		/* n: probes fire on CPU n - 1 only;
					 * 0: on all */
	uint32_t nintervals;		/* points with a period */
	uint32_t scratch_size;		/* bytes of alloca() scratch */
	uint32_t nspec, specsize;	/* speculations; bytes on each CPU */
	bool knows;			/* stacks of the kernel that were seen */
	bool unwinds;			/* stacks of processes by tables */
	uint32_t page_shift;		/* as in struct abi_cfg */
};

/* The needs of the plan and the points of in; only rows of these groups must
 * be known in in->kernel. */
unsigned ebpf_needs(const struct ebpf_input *in);

/* A part of a plan: which of its variables, aggregations or clauses. */
struct ebpf_part {
	enum { EBPF_VAR, EBPF_AGG, EBPF_CLAUSE } kind;
	uint32_t n;
};

/* Is there room for the plan's variables, keys and records?  ERR_LIMIT: no;
 * ebpf_generate() would say the same.  *part: what the error is about; of all variables
 * together its n is as many as there are. */
struct err *ebpf_check_sizes(const struct plan_prog *plan,
			     struct ebpf_part *part);

struct ebpf_object;	/* object.h */

/*
 * Generate.  All results live in a.  Errors: ERR_LIMIT names a limit of ours
 * that the program meets; ERR_NOMEM.
 */
struct err *ebpf_generate(struct arena *a, const struct ebpf_input *in,
			  struct ebpf_object **ret);

#endif
