/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Probes as the kernel side sees them.
 */
#ifndef ABI_POINT_H
#define ABI_POINT_H

#include "abi/arg.h"
#include "abi/attach.h"

/* How a program finds out which probe fired. */
enum abi_find {
	ABI_FIND_ONE,		/* there is only one */
	ABI_FIND_TABLE,		/* `index` is looked up in a table */
	ABI_FIND_COOKIE,	/* by the number that its site was attached with:
				 * probes may be added while the program runs */
};

enum { ABI_NARGS = 10 };

/* An event that the kernel or a processor counts, as perf_event_open(2) has it. */
struct abi_event {
	uint32_t type;		/* PERF_TYPE_* */
	uint64_t config;
	uint64_t period;	/* fires at each so manieth */
	bool not_user, not_kernel;	/* does not count what happens there */
};

/*
 * One way of attaching: a single BPF program serves every enabled probe of a
 * point.  A provider fills it in; the code generator emits from it.
 */
struct abi_point {
	uint8_t attach;		/* enum abi_attach */
	uint8_t find;		/* enum abi_find */
	uint8_t runs;		/* enum abi_runs */
	/* Whose firing it is: 1 + the number of the argument that is his task,
	 * in a typed context; 0: the current thread's. */
	uint8_t thread;
	/* Programs of one tracepoint run in this order, and those of the same
	 * rank in that of their points. */
	uint8_t rank;
	const char *target;	/* name of a tracepoint or function; else a name
				 * for the program */
	const char *group;	/* TRACEPOINT: of events, that it is in */
	struct abi_arg index;	/* FIND_TABLE: the key */
	uint32_t nindex;	/* FIND_TABLE: table size; a larger key means
				 * that no probe of ours fired */
	/* FIND_TABLE: 32-bit calls are looked up `compat` entries further on;
	 * 0: the point knows no 32-bit calls. */
	uint32_t compat;
	struct abi_arg args[ABI_NARGS];
	/* Where a 32-bit call has them; [0] NONE: where the others do. */
	struct abi_arg compat_args[ABI_NARGS];
	/* While one of the bits is set in `unless`, none of its probes fires. */
	struct abi_arg unless;
	uint32_t unless_bits;
	/* The value of the errno variable is -arg when arg is in -4095..-1,
	 * else 0; ABI_ARG_NONE: errno reads as 0. */
	struct abi_arg errno_arg;
	/* TRACEITER: another point with the same probes, that has a program of its own at
	 * the tracepoint itself.  That fires where an interrupt came while the CPU ran a
	 * program and so the kernel skipped this one's.  NULL: nothing does. */
	struct abi_point *spare;
	bool is_spare;
};

/* In which context its program runs. */
static inline enum abi_runs
abi_point_runs(const struct abi_point *p)
{
	return (enum abi_runs)(p->runs ? p->runs
				       : abi_attach_row(p->attach)->runs);
}

#endif
