/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A set's probes by name, which match.c and set.c look them up by.
 */
#ifndef PROV_INDEX_PRIV_H
#define PROV_INDEX_PRIV_H

#include "probe/probe.h"
#include "util/err.h"
#include "util/vec.h"

struct prov_set;

struct prov_slot { uint32_t id, sum; };	/* id 0: free */

/* A hash of probes by their names, or a part of them. */
struct prov_hash {
	struct prov_slot *v;
	size_t size;			/* a power of 2, or 0 */
	size_t n;			/* probes that have entered */
	VEC(uint32_t) fresh;		/* ids of those that have not yet */
};

/* Probes that share a part of their names. */
struct prov_groups {
	struct prov_hash last;		/* of each group that entered */
	VEC(uint32_t) next;		/* by id - 1: in its group; 0: none */
};

struct prov_index {
	struct prov_hash names;
	struct prov_groups funcs;	/* by function and last part */
	struct prov_groups lasts;	/* by last part */
	uint64_t walked;		/* for want of the latter */
};

struct prov_ids { uint32_t *v; size_t n, cap; };	/* a vec */

/* p has got its id. */
bool prov_index_add(struct prov_set *s, const struct probe *p);
/* The probe that has the four names of `like`; NULL: none was made. */
struct err *prov_find(struct prov_set *s, const struct probe *like,
		      const struct probe **ret);

/* Add to ret the ids of probes with that function and last part, in no order. */
struct err *prov_find_group(struct prov_set *s, const char *func,
			    const char *name, struct prov_ids *ret);
/* The same of all with that last part; of more than `most`, that many and one more. */
struct err *prov_find_named(struct prov_set *s, const char *name, size_t most,
			    struct prov_ids *ret);
void prov_index_fini(struct prov_set *s);

#endif
