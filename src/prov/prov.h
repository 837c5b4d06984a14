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
/* The type of its args[n], as of prov_arg_type(), and *xlate as of prov_arg_xlate();
 * NULL: none, or not known. */
const struct type *prov_foreign_arg(struct prov_set *s,
				    const struct probe_desc *d, unsigned n,
				    const char **xlate);
/* The i-th system call that the C library does not make, but another; NULL: there are no
 * more. */
struct prov_usual {
	const char *call, *instead;
	const char *hint;	/* what differs, or "" */
};
const struct prov_usual *prov_syscall_usual(unsigned i);
/* d matches nothing, but has almost a name of those that exist as soon as they are
 * named: what is wrong with it, in b, or NULL. */
const char *prov_misnamed(const struct prov_set *s, const struct probe_desc *d,
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

#endif
