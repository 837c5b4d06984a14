/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a file with static probes says of them itself, in D: the types of their
 * arguments and what these are translated to (doc/internals/notes.md).
 */
#ifndef PROV_DEFINITION_H
#define PROV_DEFINITION_H

#include "prov/prov.h"

struct prov_text {
	const char *file;	/* as the process has it mapped */
	const char *text;
	uint32_t size;		/* bytes */
};

/* The *n texts of the file that probe p is in; *n 0: it has none, or p's provider is no
 * program's.  Two of the same content are the same one.  *prov: what they call the
 * provider, without the number of the process.  All is the set's. */
struct err *prov_texts(struct prov_set *s, const struct probe *p,
		       const struct prov_text *const **ret, size_t *n,
		       const char **prov);

#endif
