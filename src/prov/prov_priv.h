/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The set from the inside, and what the files of providers share.
 */
#ifndef PROV_PROV_PRIV_H
#define PROV_PROV_PRIV_H

#include "prov/attr.h"
#include "prov/index_priv.h"
#include "prov/ops.h"
#include "util/hash.h"
#include "util/sb.h"
#include "util/vec.h"

#define PROVIDER(id) extern const struct prov_ops prov_##id##_ops;
#include "prov/provider.def"
#undef PROVIDER

struct provider {
	const struct prov_ops *ops;
	uint32_t first;		/* id of its place 1 */
	uint32_t low, high;	/* its probes' ids, and others', lie in here;
				 * low > high: it has none */
	bool asked_all;		/* it has made whatever it lists */
	void *state;		/* NULL: it has none, or was not asked yet */
	uint64_t asked;
};

struct prov_set {
	struct arena *arena;	/* borrowed */
	struct typedb *db;	/* borrowed, or NULL */
	VEC(struct provider) providers;
	VEC(struct probe *) probes;	/* by id - 1; NULL: not made yet */
	struct prov_index index;
	struct hash asked;		/* descriptions, as text */
	struct prov_work work;
	unsigned looks;		/* prov_looks() */
	struct prov_funcs *funcs;	/* func_priv.h; NULL: no world */
	size_t from_place;		/* prov_places_from() */
	struct prov_users *users;	/* user_priv.h; NULL: nobody has asked */
};

/* func.c; NULL is fine. */
void prov_funcs_free(struct prov_funcs *f);
/* user.c; NULL is fine.  _again: processes are to be looked at again. */
void prov_users_free(struct prov_users *u);
void prov_users_again(struct prov_users *u);

/* A description made ready, with what its function is a foreign name of. */
struct prov_filter {
	struct probe_matcher m;
	const char *funcs[PROV_MAX_ALIASES];
	unsigned nfuncs;
	const char *foreign_name;	/* its last part, if that is one; else NULL */
};

struct prov_sink {
	struct prov_set *s;
	uint32_t provider;
	struct prov_filter f;
};

/* syscall.c: the place of the system call of that name (entry, or return) in a
 * table, for a point of its own: as prov_site.  False: there is none. */
bool prov_syscall_site(const char *name, bool is_return, struct abi_point *pt,
		       struct prov_site *site);

/* tracepoint.c: in which context the kernel is where that tracepoint is. */
enum abi_runs prov_tracepoint_runs(const char *name);
/* Does the kernel not survive a program there? */
bool prov_tracepoint_harms(const struct prov_set *s, const char *name);
/* pt, which is at a raw tracepoint of that module, is to be where no firing is lost
 * because another thread lost its CPU in the program: elsewhere if need be. */
struct err *prov_tracepoint_settle(struct prov_set *s, const char *module,
				   struct abi_point *pt);

/* profile.c: a name for the program of a probe of that name.  NULL: no memory. */
const char *prov_program_name(struct arena *a, const char *name);
/* The place of such a probe where a perf event interrupts: arg0, arg1 are the kernel's
 * address or the process's. */
struct abi_point prov_interrupt(const char *program);

/* Does p match, by its own name or (f has those) by another? */
void prov_filter_init(struct prov_filter *f, const struct prov_ops *ops,
		      const struct probe_desc *d);
bool prov_filter_match(struct prov_set *s, const struct prov_filter *f,
		       const struct probe *p);

/* Whether any probe of the provider can match, as far as can be told without
 * asking it. */
bool prov_may_match(const struct prov_ops *ops, const struct probe_desc *d);
/* Ask provider i, whatever may match and whoever asked before. */
struct err *prov_ask_one(struct prov_set *s, uint32_t i,
			 const struct probe_desc *d);
/* Have provider i make all that it lists. */
struct err *prov_ask_all(struct prov_set *s, uint32_t i);
/* Ask all providers that may have what d matches, unless that was done. */
struct err *prov_ask(struct prov_set *s, const struct probe_desc *d);
/* As prov_by_id(); *ret is NULL when there is none. */
struct err *prov_find_id(struct prov_set *s, uint32_t id,
			 const struct probe **ret);

enum { PROV_SYSCALL_ARGS = 6 };
/* The syscall provider's state: the types of arguments that were asked for. */
typedef const struct type *prov_syscall_types[PROV_SYSCALL_ARGS];
/* The typed arguments of the entry of system call i. */
const struct type *prov_syscall_arg(struct prov_set *s, uint32_t i, unsigned n,
				    const char **name);
int prov_syscall_nargs(uint32_t i);
const char *prov_syscall_name(uint32_t i);
unsigned prov_syscall_aliases(const char *func,
			      const char *ret[PROV_MAX_ALIASES]);
bool prov_syscall_foreign(const struct prov_set *s, const struct prov_ops *ops,
			  const struct probe_desc *d, struct sb *b);

#endif
