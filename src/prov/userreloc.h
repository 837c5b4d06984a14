/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Code of a file that the dynamic linker changes when it loads the file.
 */
#ifndef PROV_USERRELOC_H
#define PROV_USERRELOC_H

#include "prov/user.h"

/* Find the places in the file where it does, o->changed, ascending.  Error: no memory. */
struct err *prov_user_relocations(struct prov_object *o);
/* Does it change any of so many bytes at that place in the file? */
bool prov_user_is_relocated(const struct prov_object *o, uint64_t offset, size_t size);

#endif
