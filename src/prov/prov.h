/* SPDX-License-Identifier: BSD-2-Clause
 *
 * All providers and the probes that were asked for so far.  Providers list
 * probes, type their arguments, and describe as data (abi_point, prov_site) how
 * they are attached and where arguments lie; none ever emits instructions.
 * prov/ops.h is what a provider is.
 */
#ifndef PROV_PROV_H
#define PROV_PROV_H

#include <sys/types.h>

#include "abi/point.h"
#include "probe/probe.h"
#include "type/type.h"
#include "typedb/typedb.h"
#include "util/err.h"
#include "util/sb.h"

struct prov_set;	/* all providers of a session and their probes */

/*
 * db may be NULL (tests): then kernel types read as unknown.  A probe has an
 * id from when a description first asks for it: BEGIN 1, END 2, ERROR 3, then
 * system calls and the standing probes of profile, whose ids are kept for them;
 * then all others as they come.
 */
struct err *prov_set_new(struct arena *a, struct typedb *db,
			 struct prov_set **ret);
void prov_set_free(struct prov_set *s);

/*
 * Call fn for every probe that d matches, in order of id.  First the providers
 * that can have such make those that do not exist yet; what was asked once is
 * not asked again.  fn returning false ends the walk.  A function that is a
 * foreign name of a system call (exece, open64) also matches ours (execve,
 * open).
 */
typedef bool prov_match_fn(void *ctx, const struct probe *p);
/* Error: the provider that d names cannot tell; then fn is not called. */
struct err *prov_match(struct prov_set *s, const struct probe_desc *d,
		       prov_match_fn *fn, void *ctx);

/* There may be more now: what was asked is asked again when matched again. */
void prov_ask_again(struct prov_set *s);

/* Whether d matches p through a foreign name only.  "open, open64" is meant as
 * one probe: drop such a match when another description of the same clause has
 * the probe already, lest the clause run twice. */
bool prov_by_alias(struct prov_set *s, const struct probe_desc *d,
		   const struct probe *p);

/* A description that matches nothing here may name what other systems have, or other
 * kernels.  Then "NAME (what to use)" goes to b. */
enum prov_foreign {
	PROV_FOREIGN_NONE,
	PROV_FOREIGN_CALL,	/* NAME is a system call */
	PROV_FOREIGN_PROBE,	/* a probe */
};
enum prov_foreign prov_foreign(struct prov_set *s, const struct probe_desc *d,
			       struct sb *b);

/* NULL when there is none.  For an id that nobody has yet providers are asked
 * for all that they have, one after the other, until somebody has it. */
const struct probe *prov_by_id(struct prov_set *s, uint32_t id);
/* The highest id that is given or kept so far. */
uint32_t prov_last_id(const struct prov_set *s);

/*
 * The type of args[n] of a probe, NULL when there is no such argument (or no
 * memory); *name is its parameter name or NULL, in the set's arena.  The value
 * is the probe's raw argument *raw (0..9).
 */
const struct type *prov_arg_type(struct prov_set *s, const struct probe *p,
				 unsigned n, const char **name, unsigned *raw);
/* The type of D, as text, that args[n] is to be translated to; NULL: none. */
const char *prov_arg_xlate(struct prov_set *s, const struct probe *p,
			   unsigned n);
/* Number of typed arguments; -1: unknown. */
int prov_nargs(struct prov_set *s, const struct probe *p);

/* Up to n names close to the description that matched nothing, as
 * "prov:mod:func:name" text in a, best first; the number found. */
unsigned prov_suggest(struct prov_set *s, const struct probe_desc *d,
		      struct arena *a, const char **ret, unsigned n);

/* --- For attaching -------------------------------------------------------- */

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
	uint64_t semaphore;		/* offset of a counter in the file, held up
					 * while attached; 0: none */
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

/* Call fn for each point that probes fire at which d matches and that may come
 * later, while tracing: their programs have to be there before.  These points are
 * found by cookie. */
typedef struct err *prov_point_fn(void *ctx, const struct prov_site *site);
struct err *prov_later(struct prov_set *s, const struct probe_desc *d,
		       prov_point_fn *fn, void *ctx);

#endif
