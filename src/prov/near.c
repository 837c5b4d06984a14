/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The nearest names.
 */
#include <string.h>

#include "probe/probe.h"
#include "prov/near.h"

void
prov_near_add(struct prov_near *x, const char *name, unsigned edits)
{
	unsigned i;

	for (i = 0; i < x->n; i++)
		if (!strcmp(x->v[i], name))
			return;
	for (i = x->n; i && x->edits[i - 1] > edits; i--)
		if (i < PROV_NEAR_MAX) {
			x->v[i] = x->v[i - 1];
			x->edits[i] = x->edits[i - 1];
		}
	if (i == PROV_NEAR_MAX)
		return;
	x->v[i] = name;
	x->edits[i] = edits;
	x->n += x->n < PROV_NEAR_MAX;
}

void
prov_near_offer(struct prov_near *x, const char *name, unsigned most)
{
	unsigned edits = probe_edit_distance(x->to, name, most);

	if (edits <= most)
		prov_near_add(x, name, edits);
}

void
prov_near_put(struct sb *b, const struct prov_near *x, const char *before)
{
	for (unsigned i = 0; i < x->n; i++)
		sb_printf(b, "%s%s", i ? ", " : before, x->v[i]);
}
