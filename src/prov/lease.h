/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Who opens a file to write to it, or cuts it, waits until what is attached to it has been
 * detached: a lease for reading, fcntl(2).  Nobody waits for more than a second: then the
 * lease is given by a thread of its own, whatever its owner is doing.
 *
 *  1. A file is leased once.
 */
#ifndef PROV_LEASE_H
#define PROV_LEASE_H

#include <stdbool.h>

struct prov_leases;
struct prov_object;

/* NULL: there can be none. */
struct prov_leases *prov_leases_new(void);
/* Gives all of them; NULL is fine. */
void prov_leases_free(struct prov_leases *l);
/* Is readable when somebody waits, until prov_leases_read(). */
int prov_leases_fd(const struct prov_leases *l);
void prov_leases_read(struct prov_leases *l);

/* o's file, as o->fd has it.  false: it cannot be leased, or somebody is writing to it. */
bool prov_lease_take(struct prov_leases *l, const struct prov_object *o);
/* Does somebody wait for o's file, or has one that waited been let go on? */
bool prov_lease_is_wanted(struct prov_leases *l, const struct prov_object *o);
/* o->fd is the lease's to close from now on; false: it has no lease, or another descriptor.
 * Of many such leases the oldest are given. */
bool prov_lease_keep(struct prov_leases *l, const struct prov_object *o);
/* Who waits goes on; returns when nobody writes any more, or after 0.2 s. */
void prov_lease_give(struct prov_leases *l, const struct prov_object *o);

#endif
