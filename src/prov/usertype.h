/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The types, variables, prototypes and lines of processes, as the debugging information of
 * the objects says that they have mapped.  Read when somebody asks; then kept with
 * the set.  What these types point to is in the process's memory.
 */
#ifndef PROV_USERTYPE_H
#define PROV_USERTYPE_H

#include "abi/layout.h"
#include "prov/user.h"
#include "util/hash.h"

/*
 * Find a type in process pid, as probes see it: in the object called module
 * ("a.out" is its program); NULL: in its program, then in the others by address.
 * kind: as for typedb_find().  *ret is NULL when there is none.  Error: as
 * prov_user_process(), or ERR_NOMEM.
 */
struct err *prov_user_type(struct prov_set *s, pid_t pid, const char *module,
			   enum type_kind kind, const char *name,
			   const struct type **ret);

/* Find a variable or function: its address in the process, and its type, or NULL
 * when nobody says.  *addr is 0 when there is none. */
struct err *prov_user_symbol(struct prov_set *s, pid_t pid, const char *module,
			     const char *name, uint64_t *addr,
			     const struct type **type);

/* What the function at that address, as linked, or of that name, where only names are
 * known, takes and gives: TYPE_FUNC; NULL: nobody says. */
const struct type *prov_user_prototype(struct prov_set *s, struct prov_object *o,
				       uint64_t addr, const char *name);

/*
 * Where its n-th parameter is when it begins, as the raw argument *raw, or, with
 * is_return, what it returns when it does (n: 1): its type, and its name or NULL.
 * NULL: there is none, or not in one word that a probe can see.
 */
const struct type *prov_user_arg(const struct type *prototype, bool is_return,
				 unsigned n, const char **name, unsigned *raw);

/* Has the object's source such a function, which was inlined where it is called? */
bool prov_user_is_inlined(struct prov_set *s, struct prov_object *o, const char *name);

/* The lines of an object's source: in *ret, the set's. */
struct prov_lines {
	struct sym_lines *of;	/* NULL: it has none, */
	const char *why;	/* because; in the set's arena */
};
struct err *prov_user_lines(struct prov_set *s, struct prov_object *o,
			    struct prov_lines **ret);

/* Why a variable was not found; as below. */
const char *prov_user_no_symbol(struct prov_set *s, pid_t pid,
				const char *module, const char *name);

/* Why types of the process that were asked for may not have been found ("a.out has
 * no debugging information"), in the set's arena; NULL: they have been looked
 * for. */
const char *prov_user_no_types(struct prov_set *s, pid_t pid,
			       const char *module);

/* Has the process an object of that name? */
bool prov_user_maps(struct prov_set *s, pid_t pid, const char *module);

/* Call fn with the name of each type that kind can find; false ends that. */
typedef bool prov_name_fn(void *ctx, const char *name);
struct err *prov_user_type_names(struct prov_set *s, pid_t pid,
				 const char *module, enum type_kind kind,
				 prov_name_fn *fn, void *ctx);

/* The one of that content, of those of a provider; NULL: no memory. */
const struct abi_layout *prov_user_layout(struct prov_set *s, struct hash *layouts,
					  const struct abi_layout *l);

#endif
