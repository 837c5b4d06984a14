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
	bool has_told_missed;
	struct kern_link *vtime_links[3];	/* outlive the others */

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

/* Probes found by cookie that a trace may have, and of them those whose names
 * programs may ask for, besides those that it has when it begins. */
enum { KENGINE_ROWS_MORE = 65536, KENGINE_NAMES_MORE = 16384 };

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

/* interval.c: has the point a perf event? */
bool kengine_interrupts(const struct kengine_point *p);
/* Its firings on a CPU. */
struct abi_interval *kengine_interval(const struct kengine *k,
				      const struct kengine_point *p,
				      unsigned cpu);
/* From now on firings may be missing, wherever something is attached. */
void kengine_intervals_begin(struct kengine *k);
/* Firings that are missing on a CPU since the last one there. */
uint64_t kengine_missed_last(const struct kengine *k, unsigned cpu);

/* input.c: what the generator has to know; in the arena. */
struct err *kengine_input(struct kengine *k, struct ebpf_input *in);
/* Where in its struct a member is, bytes; UINT32_MAX when BTF does not tell. */
struct err *kengine_has_helper(struct typedb *types, const char *name, bool *ret);
struct err *kengine_offset(struct typedb *types, enum abi_koff which, uint32_t *ret);

/* load.c */
struct err *kengine_load(struct kengine *k, const struct ebpf_input *in);
void kengine_unload(struct kengine *k);

/* limit.c */

/* Bytes that a CPU's ring may have: powers of 2. */
enum { KENGINE_RING_MIN = 4096, KENGINE_RING_MAX = 1 << 30 };

/* Bytes of kernel memory that an element of a hash costs besides key and
 * value. */
enum { KENGINE_HASH_OVERHEAD = 64 };

/* How many elements of these sizes fit. */
uint32_t kengine_entries(uint64_t bytes, uint32_t key, uint32_t value);
uint32_t kengine_table_entries(uint64_t dynvarsize, const struct ebpf_table *t);
/* most: elements that there can be at most, UINT64_MAX when nobody knows. */
uint32_t kengine_agg_entries(uint64_t aggsize, const struct ebpf_aggmap *m,
			     unsigned ncpus, uint64_t most);
/* keys.c: how many pieces of an aggregation, of one number, there can be at most:
 * naggs numbers, by id - 1.  Then how many elements that makes in a map. */
struct err *kengine_agg_most(const struct engine_input *in, unsigned ncpus,
			     uint64_t *most);
uint64_t kengine_map_most(const struct ebpf_aggmap *m, const uint64_t *most);

/* The most that bufsize, aggsize or dynvarsize may be for this program on a
 * machine with `memory` bytes, ncpus possible and online CPUs. */
uint64_t kengine_limit(enum opt_id id, const struct plan_prog *p,
		       uint64_t memory, unsigned ncpus, unsigned online);
/* Lower what is more, or refuse (ERR_LIMIT); refuse a CPU that is not online.
 * online: ncpus flags. */
struct err *kengine_check_sizes(struct kengine *k, const uint8_t *online);
/* Bytes of a ring in which all finds room that BEGIN and END may record;
 * UINT64_MAX when something else may fire. */
uint64_t kengine_once_size(const struct kengine *k);
/* Refuse what that cannot be had with, or what the buffers are too small for. */
struct err *kengine_check_policy(struct kengine *k);

/* rows.c: before loading; after it: the rows of all points that are found by
 * cookie, and the names of all probes. */
struct err *kengine_rows_size(struct kengine *k);
struct err *kengine_rows_map(struct kengine *k);
void kengine_rows_unmap(struct kengine *k);
struct err *kengine_rows_fill(struct kengine *k);
/* One probe more at point number `point`; *ret: the cookie for its sites.
 * ERR_LIMIT: there is no room. */
struct err *kengine_row_add(struct kengine *k, uint32_t point,
			    const struct plan_probe *p, uint64_t *ret);
/* What the EPID means; false: nothing. */
bool kengine_epid(const struct kengine *k, uint32_t epid,
		  struct plan_epid *ret);

/* attach.c: ncpus flags, of the CPUs that are there now; in the arena, NULL
 * without memory. */
uint8_t *kengine_online(struct kengine *k);
/* On the CPU that the option asks for, if any, and if it may, run the calling
 * thread from now on. */
void kengine_pin(const struct kengine *k);
struct err *kengine_attach(struct kengine *k);
/* Sites, from number `from` on, of a point that is found by cookie.  cookie: what
 * with the number of its probe makes that of a site.  Those that the kernel refuses are
 * told to the engine's warn. */
struct err *kengine_attach_sites(struct kengine *k, uint32_t point, size_t from,
				 uint64_t cookie);
void kengine_links_fini(struct kengine_links *l);
/* As engine_attach_again(). */
struct err *kengine_attach_again(struct kengine *k, int pid, enum engine_first first,
				 uint64_t time_ns);
/* As engine_process_over() and engine_file_over(). */
void kengine_leave(struct kengine *k, uint64_t life);
void kengine_leave_file(struct kengine *k, const char *file);
struct err *kengine_attach_rawtp(int prog, const char *target,
				 struct kern_link **ret);
/* Firings that the kernel itself skipped. */
uint64_t kengine_missed(const struct kengine *k);
/* Who wants to know everything is told why, at the end. */
void kengine_missed_tell(struct kengine *k);
void kengine_detach(struct kengine *k);

/* source.c */
struct consume_source kengine_source(struct kengine *k);

/* flight.c: buffers that overwrite. */
struct err *kengine_flight_size(struct kengine *k);	/* before loading */
struct err *kengine_flight_open(struct kengine *k);
void kengine_flight_close(struct kengine *k);
/* Once the tracing has ended: records of a ring, oldest first. */
const void *kengine_flight_next(struct kengine *k, unsigned ring,
				size_t *size);

/* tick.c */
struct err *kengine_tick_start(struct kengine *k);
void kengine_tick_stop(struct kengine *k);

/* pages.c: does the program read strings, and does BTF tell how the page cache
 * can be read?  Then, once it is loaded, find out where it lies; when that goes
 * wrong, programs do without.  An error is one of memory. */
bool kengine_pages_known(struct kengine *k, const struct ebpf_input *in);
struct err *kengine_pages_find(struct kengine *k);

/* kvar.c: look anew at what programs read as variables of the kernel; when that
 * is due again. */
void kengine_kvars_set(struct kengine *k);
uint64_t kengine_kvars_next(const struct kengine *k);

/* vtime.c: before loading; before attaching; when END has run. */
struct err *kengine_vtime_prepare(struct kengine *k);
struct err *kengine_vtime_start(struct kengine *k);
void kengine_vtime_stop(struct kengine *k);

#endif
