/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where probes fire: what is attached for them, as data.
 */
#ifndef PROV_SITE_H
#define PROV_SITE_H

#include "prov/prov.h"

/* What fires a probe, besides its point. */
enum prov_trigger {
	PROV_TRIGGER_BEGIN, PROV_TRIGGER_END, PROV_TRIGGER_ERROR,
	PROV_TRIGGER_RAWTP,	/* the kernel, at the tracepoint or function */
	PROV_TRIGGER_TICK,	/* a timer of the consumer, period_ns */
	PROV_TRIGGER_PROFILE,	/* a perf event per CPU, period_ns */
	PROV_TRIGGER_INTERRUPT,	/* a perf event on one CPU, period_ns */
	PROV_TRIGGER_EVENT,	/* a perf event per CPU, `event` */
};

/* A place where a probe fires.  What a way of attaching has no use for is 0. */
struct prov_site {
	const struct abi_point *point;	/* the same pointer for every site that
					 * shares one BPF program */
	enum prov_trigger trigger;
	/* FIND_TABLE: the probe's keys, as indices into the whole table (a
	 * syscall may have one for 64-bit calls and one, point->compat and up,
	 * for 32-bit calls). */
	uint32_t keys[4], nkeys;
	uint64_t period_ns;
	const struct abi_event *event;	/* EVENT */
	/* TICK: the point to take instead, with INTERRUPT, when somebody asks
	 * which thread it fires in. */
	const struct abi_point *interrupt;

	/* Of tracepoints, where many could share a program: its name, and the
	 * point to take instead when there are many such probes and the kernel
	 * can tell by cookies which of them fires. */
	const char *tracepoint;
	const struct abi_point *shared;

	/* A tracepoint is the point's, if that is not told; else: */
	uint64_t addr;			/* of a function of the kernel */
	const char *file;		/* path of what has the instruction */
	uint64_t offset;		/* of that in the file, bytes */
	pid_t pid;			/* fires in this process; 0: in any */
	uint64_t life;			/* of pid: prov_process.life */
	bool leaderless;		/* that one's first thread has ended, by which
					 * the kernel would know it */
	uint64_t semaphore;		/* offset of a counter in the file, held up
					 * while attached; 0: none */
	bool only_counts;		/* it is there for that alone: no clause runs */
	uint32_t value;			/* FIND_COOKIE: what ABI_ARG_ROW finds */
	const struct abi_layout *layout;	/* FIND_COOKIE: one of equals, or
						 * NULL: what ABI_ARG_LAYOUT reads */
	uint16_t moved;			/* attached so many bytes behind its place */

	/* Where what fires is more than the probe, or tells other arguments
	 * (derive.h).  In D, about the point's arguments arg0 to arg9: */
	const char *values;		/* the probe's, by `;`; NULL: the same */
	const char *target;		/* what it is a site of, by name */
	const char *when;		/* with values: a condition, or NULL */
	const char *setup;		/* clauses to be enabled with the probe, or
					 * NULL; the same pointer, once */
	uint8_t choice;			/* of sites of one number, but for 0, the
					 * first that this kernel can have */
};

/* Call fn for each site of probe p: none, one or many.  The first error ends the
 * walk.  What a site borrows lives as long as s; the site does not. */
typedef struct err *prov_site_fn(void *ctx, const struct prov_site *site);
struct err *prov_sites(struct prov_set *s, const struct probe *p,
		       prov_site_fn *fn, void *ctx);

/* The event of that name, by which a TRACEPOINT is attached. */
struct err *prov_tracefs_event(const char *group, const char *name, struct abi_event *ret);

/* What will somebody look at, a set: 1 << n: argument n; a process's memory, and its stack?
 * The sites that are asked for next may be where anything else has changed. */
enum {
	PROV_LOOKS_MEMORY = 1 << ABI_NARGS,
	PROV_LOOKS_ALL = PROV_LOOKS_MEMORY * 2 - 1,	/* registers, too */
	PROV_LOOKS_USTACK = PROV_LOOKS_MEMORY * 2,
};
void prov_looks(struct prov_set *s, unsigned looks);

/* Call fn for each point that probes fire at which d matches and that may come
 * later, while tracing: their programs have to be there before.  These points are
 * found by cookie. */
typedef struct err *prov_point_fn(void *ctx, const struct prov_site *site);
struct err *prov_later(struct prov_set *s, const struct probe_desc *d,
		       prov_point_fn *fn, void *ctx);

#endif
