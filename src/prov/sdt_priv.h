/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tracepoints of the kernel, as the files of the sdt provider see them.
 */
#ifndef PROV_SDT_PRIV_H
#define PROV_SDT_PRIV_H

#include "prov/prov_priv.h"

struct tracepoint {
	const char *name, *group;
	const char *module;		/* whose types tell of it */
	/* Its function's: the parameters are the tracepoint's behind the first,
	 * which is no argument.  NULL: nobody knows, or (was_asked) nobody has
	 * asked yet. */
	const struct type *proto;
	bool was_asked;
	const struct abi_point *own;	/* for itself; NULL: not made yet */
};

/* The provider's state. */
struct sdt {
	struct hash names;		/* to struct tracepoint */
	VEC(struct tracepoint *) all;	/* by group and name, once */
	bool is_listed;
	struct abi_point shared[ABI_NARGS + 1];	/* by number of words */
	bool has_events;		/* tracefs was asked: */
	struct sb events;		/* GROUP:NAME, a line for each */
	const char *no_events;		/* why tracefs does not tell; NULL: it does */
};

/* sdt_list.c: may a tracepoint, which is an identifier, match that? */
bool prov_sdt_may_match(const char *name);
/* Have all of them in sdt->all. */
struct err *prov_sdt_list(struct prov_set *s, struct sdt *sdt);
/* The one of that name; *ret is NULL when there is none. */
struct err *prov_sdt_find(struct prov_set *s, struct sdt *sdt, const char *name,
			  struct tracepoint **ret);

/* tracefs.c: what a file of tracefs says goes to b. */
struct err *prov_tracefs_read(const char *file, struct sb *b);
/* What any file says. */
struct err *prov_file_read(const char *path, struct sb *b);

#endif
