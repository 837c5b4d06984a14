/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The kernel's engine from the inside, and what its files have for each other.
 */
#ifndef KENGINE_KENGINE_PRIV_H
#define KENGINE_KENGINE_PRIV_H

#include <pthread.h>
#include <semaphore.h>

#include "abi/interval.h"
#include "abi/layout.h"
#include "abi/row.h"
#include "abi/spec.h"
#include "ebpf/ebpf.h"
#include "ebpf/object.h"
#include "engine/process.h"
#include "kengine/kengine.h"
#include "kern/kern.h"
#include "util/arena.h"
#include "util/clock.h"
#include "util/hash.h"
#include "util/vec.h"

struct kengine_point {
	const struct engine_point *p;
	int prog;			/* descriptor; -1: none */
	uint64_t next_ns;		/* TICK: when it is due */
	uint64_t first_cookie;		/* FIND_COOKIE: of its first probe; those
					 * of the others follow */
	uint32_t interval;		/* with a perf event: which of each
					 * CPU's in k->intervals */
};

/* The thread that runs ticks; tick.c. */
struct kengine_ticker {
	pthread_t thread;
	bool runs, stop;
	sem_t wake;			/* posted when it is to stop */
};

/* A probe that was found a row in dt_rows: the row's number is its place, from 1. */
struct kengine_row {
	uint32_t probe, epid;		/* epid: the first of its point's */
	uint32_t point;			/* index in k->points */
};

/* What the programs and we both see, mapped; NULL where a program has no such
 * thing. */
struct kengine_shared {
	uint64_t *drops;		/* rows of DROP_ROW words */
	struct abi_interval *intervals;	/* nintervals for each CPU */
	uint8_t *agg_rows;		/* .bss.agg */
	struct abi_spec *specs;		/* by id - 1 */
	struct abi_row *rows;		/* rows_max and one */
	struct abi_names *names;	/* n_names of them */
	struct abi_layout *layouts;	/* ABI_LAYOUTS */
};

/* If a link is one of sites of one process, found by cookie, which those are: the kernel
 * goes by a thread that may end while the process goes on. */
struct kengine_whose {
	int pid;			/* 0: all that follows is, too */
	uint64_t life;			/* prov_site.life */
	uint32_t point;
	size_t site, n;			/* the first of the point's, how many */
	uint64_t cookie;		/* of probe 0 of the point */
	bool of_all;			/* in all processes that execute the file */
	uint64_t from_ns, to_ns;	/* when */
};

struct kengine_links {
	VEC(struct kern_link *) all;
	VEC(struct kengine_whose) whose;	/* by the same number */
};

struct kengine {
	struct engine e;		/* the first member */
	struct kengine_point *points;	/* as e.in.points */
	struct ebpf_object *code;
	struct kern_obj *obj;
	struct kengine_links links;
	struct kern_leaving *leaving;	/* those of processes that have ended */
	struct hash gone;		/* lives that are counted in e.ngone, and not over */
	VEC(const char *) held;		/* tracepoints of TRACEITER */
	uint64_t missed;		/* by links that are gone */
	uint64_t missed_most;		/* that were found, but for what spares saw */
	bool has_told_missed;
	struct kern_link *vtime_links[4];	/* outlive the others */

	unsigned ncpus;
	struct kern_ring **rings;	/* by CPU; NULL: offline */
	unsigned nrings;
	int *ring_fds;			/* borrowed from obj; -1: none */
	struct flight *flight;		/* bufpolicy=ring; else NULL */
	struct kengine_unwind *unwind;	/* NULL: no program asks for stacks of
					 * processes */
	struct kengine_shared shared;
	uint32_t nintervals;
	int (*agg_fds)[2];		/* of the code's aggmaps; borrowed */
	bool gen_done[2];		/* generation was read since the end */
	uint64_t next_kvars, next_clock;	/* ns */
	bool reads_cache;		/* dt_pages is to run */
	bool unwinds;			/* stacks by tables */
	struct kengine_ticker ticker;
	VEC(struct kengine_row) rows;	/* of probes found by cookie */
	uint32_t nepids;		/* that are given; the first are the
					 * code's */
	uint32_t nnames, names_max;	/* of dt_names: taken, there are */
	uint32_t rows_max;		/* of dt_rows, but for the first */
	struct hash layouts;		/* const struct abi_layout *: 1 + its
					 * element in dt_layouts */
};

enum { DROP_ROW = 16 };			/* words per CPU in dt_drops */

/* Has END run? */
static inline bool
kengine_has_ended(const struct kengine *k)
{
	return k->e.state == ENGINE_ENDED;
}

static inline int64_t
kengine_opt(const struct kengine *k, enum opt_id id)
{
	return k->e.in.opts->v[id];
}

/* input.c: what the generator has to know; in the arena. */
struct err *kengine_input(struct kengine *k, struct ebpf_input *in);
/* Where in its struct a member is, bytes; UINT32_MAX when BTF does not tell. */
struct err *kengine_has_helper(struct typedb *types, const char *name, bool *ret);
struct err *kengine_offset(struct typedb *types, enum abi_koff which, uint32_t *ret);

/* load.c */
struct err *kengine_load(struct kengine *k, const struct ebpf_input *in);
void kengine_unload(struct kengine *k);

/* source.c */
struct consume_source kengine_source(struct kengine *k);

#endif
