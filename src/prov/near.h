/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The names that are nearest to one that is not there.
 */
#ifndef PROV_NEAR_H
#define PROV_NEAR_H

#include "util/sb.h"

enum { PROV_NEAR_MAX = 5 };

struct prov_near {
	const char *to;			/* set by the caller; the rest is 0 */
	const char *v[PROV_NEAR_MAX];	/* in order, each once; borrowed */
	unsigned edits[PROV_NEAR_MAX], n;
};

/* One more name, which is so many edits away. */
void prov_near_add(struct prov_near *x, const char *name, unsigned edits);
/* The same, with the edits counted; none if there are more than `most`. */
void prov_near_offer(struct prov_near *x, const char *name, unsigned most);
/* "BEFOREname, name" at the end of b; nothing when there are none. */
void prov_near_put(struct sb *b, const struct prov_near *x, const char *before);

#endif
