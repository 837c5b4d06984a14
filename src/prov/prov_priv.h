/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a provider is to the set it belongs to.
 */
#ifndef PROV_PROV_PRIV_H
#define PROV_PROV_PRIV_H

#include "prov/prov.h"
#include "util/sb.h"
#include "util/vec.h"

enum {
#define PROVIDER(id) PROV_##id,
#include "prov/provider.def"
#undef PROVIDER
	PROV_NPROVIDERS
};

enum { PROV_MAX_ALIASES = 8 };	/* calls that one foreign name can mean */

/* The operations of a provider.  Those that may be NULL say so. */
struct prov_ops {
	const char *name;
	struct probe_provattr attr;
	/* Names that its probes can have, so that a description may be turned
	 * away before the probes are listed; NULL at the end.  NULL: any. */
	const char *const *names;
	/* Probes that exist without being mentioned. */
	uint32_t nstanding;

	/* Fill in mod, func, name and arg of the standing probes, the rest of
	 * which is filled in; false when out of memory. */
	bool (*list)(struct prov_set *s, struct probe *probes);
	/* Can be NULL.  Set *made when d names exactly one probe that would
	 * come to be by that, and fill in its mod, func, name and arg. */
	struct err *(*mention)(struct prov_set *s, const struct probe_desc *d,
			       struct probe *ret, bool *made);
	/* Can be NULL.  The functions that func is a foreign name of. */
	unsigned (*aliases)(const char *func,
			    const char *ret[PROV_MAX_ALIASES]);
	/* Can be NULL.  As prov_foreign(), for a description that may be about
	 * this provider. */
	bool (*foreign)(const struct probe_desc *d, struct sb *b);
	/* As prov_arg_type() and prov_nargs().  Can be NULL, both: no probe has
	 * arguments with types. */
	const struct type *(*arg_type)(struct prov_set *s,
				       const struct probe *p, unsigned n,
				       const char **name);
	int (*nargs)(const struct probe *p);
	void (*where)(const struct probe *p, struct prov_where *ret);
};

#define PROVIDER(id) extern const struct prov_ops prov_##id##_ops;
#include "prov/provider.def"
#undef PROVIDER

/* The standing probes of one provider; NULL until someone looks. */
struct prov_group {
	struct probe *probes;
	uint32_t first;		/* id of probes[0] */
};

struct prov_set {
	struct arena *arena;	/* borrowed */
	struct typedb *db;	/* borrowed, or NULL */
	struct prov_group groups[PROV_NPROVIDERS];
	VEC(struct probe *) made;	/* by mention, in order of id */
	uint32_t first_made;		/* id of made.v[0] */
	const struct type **syscall_types;	/* syscall_args.c's cache */
};

extern const struct prov_ops *const prov_table[PROV_NPROVIDERS];

/* List the standing probes of provider i. */
struct err *prov_fill(struct prov_set *s, unsigned i);
/* Let provider i make the probe that d names, if it would and has not. */
struct err *prov_mention(struct prov_set *s, unsigned i,
			 const struct probe_desc *d);

/* The typed arguments of the entry of system call i. */
const struct type *prov_syscall_arg(struct prov_set *s, uint32_t i, unsigned n,
				    const char **name);
int prov_syscall_nargs(uint32_t i);
const char *prov_syscall_name(uint32_t i);
unsigned prov_syscall_aliases(const char *func,
			      const char *ret[PROV_MAX_ALIASES]);
bool prov_syscall_foreign(const struct probe_desc *d, struct sb *b);

#endif
