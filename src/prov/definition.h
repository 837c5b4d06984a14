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

/* Those of the file that a probe is in, all the set's; n 0: it has none, or the
 * probe's provider is no program's. */
struct prov_texts {
	const struct prov_text *const *v;	/* two of one content are the same */
	size_t n;
	const char *prov, *name;	/* as they call them: no number, `__` for `-` */
};
struct err *prov_texts(struct prov_set *s, const struct probe *p,
		       struct prov_texts *ret);

#endif
