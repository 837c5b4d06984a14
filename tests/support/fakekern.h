/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A kernel made up for tests: what src/kern/kern.h declares, as far as sessions
 * and engines use it, without privilege and without a kernel.  A test links this
 * file in place of kern.
 *
 * Maps are memory, programs are names, and firing one calls a function of the
 * test.  Each call is counted and can be made to fail, and the order of those
 * that matter is written down.
 */
#ifndef SUPPORT_FAKEKERN_H
#define SUPPORT_FAKEKERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/mapped.h"
#include "kern/kern.h"
#include "kern/task.h"
#include "util/sb.h"

struct fakekern {
	/* The fail_at-th call that can fail does, from 1; 0: none.  It fails with
	 * no memory, or as the system would. */
	unsigned fail_at;
	bool no_memory;
	unsigned ncalls;	/* that could have failed */

	/* What is there now; all 0 when everything was given back. */
	int nobjs, nlinks, nmapped, nrings, ntasks;
	int pid_last;		/* of the site that was attached last */

	/* "load", "attach sys_enter", "run dt_0_BEGIN", "barrier", "drain 0" ...
	 * one a line. */
	struct sb log;
	/* What was asked of the object before it was loaded: "map dt_drops 0 2" (bytes
	 * of values, entries), "use dt_exit", "need dt_drops", "sparse dt_threads",
	 * "btf dt_0_x": one a line. */
	struct sb made;

	/* Called when a program is run by hand; may be NULL. */
	void (*on_run)(const char *prog);
	/* Called with what a map of one element begins with, with what is put into a map
	 * and taken out of it, and before anything is attached; may be NULL. */
	void (*on_initial)(const char *map, const void *bytes);
	void (*on_update)(const void *key, const void *value);
	void (*on_delete)(const void *key);
	void (*on_attach)(void);
	/* Called when a map is drained or read; may be NULL. */
	void (*on_drain)(void);
	/* Called when somebody waits for all programs to return; may be NULL. */
	void (*on_barrier)(void);
	/* Called when memory for tables is added, whoever does that; may be NULL. */
	void (*on_add)(void);
	uint64_t misses;	/* that each program tells of */
	uint64_t link_misses;	/* that each link tells of */
	const char *refuses;	/* nothing is attached to what begins so; NULL:
				 * anything is */
	bool tells_tracepoints, preempts;
	bool probes_one, probes_many;	/* functions of the kernel */
	bool shares;		/* children see the memory of maps, too */
	unsigned ncpus;
	uint64_t offline;	/* bit n: CPU n is not online */
	uint32_t seen_as;	/* this process is in another pid namespace than the first,
				 * where it has this number; 0: it is not */
};

extern struct fakekern fake;

/* As at the start, keeping nothing. */
void fakekern_reset(void);
/* The memory of a map of the object that is loaded, which is as large as it was
 * asked for; NULL: there is no such map. */
void *fakekern_map(const char *name);
/* How many entries a map is to have; 0: there is no such map. */
uint32_t fakekern_entries(const char *name);
/* A record into the ring of a CPU; copied. */
void fakekern_record(unsigned cpu, const void *record, size_t size);
/* What programs ask of a process for its stacks; before tracing begins. */
void fakekern_ask(const struct abi_unwind_ask *ask);
/* What a process has done, for whoever watches them; what its path is stays the
 * caller's.  Nobody hears of what happens while nobody watches. */
void fakekern_task(const struct kern_task_event *e);

#endif
