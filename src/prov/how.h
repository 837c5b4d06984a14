/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How the probes of each provider are attached, as `dtrace -vV` tells.
 */
#ifndef PROV_HOW_H
#define PROV_HOW_H

#include "prov/prov.h"

/* A way in which the probes of a provider are attached: the features of the kernel
 * that it takes (kern/feature.def, blanks between), and what it is. */
struct prov_way { const char *needs, *text; };

/* What is known of a provider: its ways (NULL: nothing); of one whose probes are made
 * of others how many there are, and the names of those that this kernel has
 * not, with blanks between (borrowed for the time of the call). */
struct prov_how {
	const char *name;
	const struct prov_way *ways;
	unsigned probes, absent;
	const char *missing;
};
typedef struct err *prov_how_fn(void *ctx, const struct prov_how *how);
struct err *prov_hows(struct prov_set *s, prov_how_fn *fn, void *ctx);

#endif
