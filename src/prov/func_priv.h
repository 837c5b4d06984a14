/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a set knows of the kernel's functions.
 */
#ifndef PROV_FUNC_PRIV_H
#define PROV_FUNC_PRIV_H

#include "prov/func.h"
#include "prov/prov_priv.h"

struct prov_funcs {
	struct prov_world world;
	bool has_asked_events, has_events;	/* of tracefs, for syscall */
	bool was_tried;			/* whether they can be probed: */
	bool many;
	struct err *why;		/* not; or NULL */
	bool is_listed;
	struct sb names;		/* what names point into */
	VEC(char *) calls;		/* and those of calls, by their other name */
	VEC(struct prov_func) all;	/* by name, then module */
	VEC(uint64_t) addrs;		/* of all, in their order */
	/* Left out: no functions by themselves; called for each firing; nothing tells
	 * where they are. */
	size_t nparts, nfirings, nhidden;
};

struct prov_object;
/* Sites of o are told: notice when it is written over (coming.h). */
void prov_user_watch(struct prov_set *s, struct prov_object *o);

#endif
