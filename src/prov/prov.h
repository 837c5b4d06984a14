/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Providers: one file and one table of operations each.  A provider lists its
 * probes, types their arguments, and describes as data (abi_point) how its
 * probes are attached and where arguments lie.  It never emits instructions.
 */
#ifndef PROV_PROV_H
#define PROV_PROV_H

#include "abi/abi.h"
#include "probe/probe.h"
#include "type/type.h"
#include "typedb/typedb.h"
#include "util/err.h"
#include "util/sb.h"

struct prov_set;	/* all providers of a session and their probes */

/*
 * db may be NULL (tests): then kernel types read as unknown.  Probe ids are
 * handed out in a fixed order: BEGIN 1, END 2, ERROR 3, then the others.
 */
struct err *prov_set_new(struct arena *a, struct typedb *db,
			 struct prov_set **ret);
void prov_set_free(struct prov_set *s);

/*
 * Call fn for every probe that d matches, in order of id; probes that exist
 * only once mentioned (profile-1234, tick-3s) are created first.  fn returning
 * false ends the walk.  A function that is a foreign name of a system call
 * (exece, open64) also matches ours (execve, open).
 */
typedef bool prov_match_fn(void *ctx, const struct probe *p);
struct err *prov_match(struct prov_set *s, const struct probe_desc *d,
		       prov_match_fn *fn, void *ctx);

/* Whether d matches p through a foreign name only.  "open, open64" is meant as
 * one probe: drop such a match when another description of the same clause has
 * the probe already, lest the clause run twice. */
bool prov_by_alias(const struct probe_desc *d, const struct probe *p);

/* A description that matches nothing here may name what other systems have.  Then
 * "NAME (what to use)", for each such name, goes to b. */
bool prov_foreign(const struct probe_desc *d, struct sb *b);

/* NULL when there is none. */
const struct probe *prov_by_id(struct prov_set *s, uint32_t id);
/* Ids are 1 up to this. */
uint32_t prov_nprobes(struct prov_set *s);

/*
 * The type of args[n] of a probe, NULL when there is no such argument (or no
 * memory); *name is its parameter name or NULL, in the set's arena.  The value
 * is the probe's raw argument *raw (0..9).
 */
const struct type *prov_arg_type(struct prov_set *s, const struct probe *p,
				 unsigned n, const char **name, unsigned *raw);
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
	PROV_TRIGGER_RAWTP,	/* the kernel, at the point's tracepoint */
	PROV_TRIGGER_TICK,	/* a timer of the consumer, period_ns */
	PROV_TRIGGER_PROFILE,	/* a perf event per CPU, period_ns */
	PROV_TRIGGER_INTERRUPT,	/* a perf event on one CPU, period_ns */
};

struct prov_where {
	const struct abi_point *point;	/* the same pointer for every probe
					 * that shares one BPF program */
	enum prov_trigger trigger;
	/* FIND_TABLE: the keys under which the probe stands, as indices into
	 * the whole table (a syscall may have one for 64-bit calls and one,
	 * point->compat and up, for 32-bit calls). */
	uint32_t keys[4];
	unsigned nkeys;
	uint64_t period_ns;
	/* TICK: the point to take instead, with INTERRUPT, when somebody asks
	 * which thread it fires in. */
	const struct abi_point *interrupt;
};

/* Where and how probe p fires.  Borrowed data lives as long as s. */
struct err *prov_where(struct prov_set *s, const struct probe *p,
		       struct prov_where *ret);

#endif
