/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a set knows of processes.
 */
#ifndef PROV_USER_PRIV_H
#define PROV_USER_PRIV_H

#include "prov/prov_priv.h"
#include "prov/user.h"

struct prov_users {
	uint64_t now;			/* counts prov_ask_again() */
	struct hash processes;		/* pid_t: struct prov_process */
	VEC(struct prov_object *) objects;
	bool was_tried;			/* whether programs can be attached: */
	bool many;
	struct err *why;		/* not; or NULL */
	/* Places without a site, and which was the first. */
	struct { size_t n; const struct probe *first; const char *why; } left;
};

/* usertype.c's; NULL is fine. */
void prov_types_free(struct prov_types *t);

#endif
