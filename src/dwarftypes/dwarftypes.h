/* SPDX-License-Identifier: BSD-2-Clause
 *
 * DWARF of a program or library to the type graph, lazily: opening finds the file
 * that has it; the first question makes an index of the names that stand outside of
 * functions; nodes are made when asked for.
 *
 * Types are those of another process: each pointer made here is marked is_user,
 * and so is each type that has a name (type_in_user()).
 *
 * libdw reads it.  That is loaded when it is needed: who traces the kernel does
 * without.
 */
#ifndef DWARFTYPES_DWARFTYPES_H
#define DWARFTYPES_DWARFTYPES_H

#include "type/type.h"
#include "util/arena.h"
#include "util/err.h"

struct dwarftypes;

/*
 * fd, of the object, stays the caller's and may be closed; path says where it
 * lies, so that files beside it are found, or is NULL.  Types are made in a and
 * live no longer than *ret; module is borrowed.  ERR_NOTFOUND: it has no
 * debugging information; ERR_UNSUPPORTED: not of a kind that is read, or there
 * is no libdw.
 */
struct err *dwarftypes_open(struct arena *a, int fd, const char *path,
			    const char *module, struct dwarftypes **ret);
void dwarftypes_free(struct dwarftypes *d);	/* NULL is fine */

/*
 * A type by its name, "ns::foo" if it is in a namespace or class.  kind:
 * TYPE_STRUCT, TYPE_UNION, TYPE_ENUM or TYPE_TYPEDEF; the last finds, in languages
 * where a tag is a name, structs and the like, too.  *ret is NULL when there is
 * none.  Error: ERR_NOMEM.
 */
struct err *dwarftypes_find(struct dwarftypes *d, enum type_kind kind,
			    const char *name, const struct type **ret);

/* The variable of that name outside of functions: its address as linked.
 * *ret is NULL when there is none, or none that has an address. */
struct err *dwarftypes_variable(struct dwarftypes *d, const char *name,
				uint64_t *addr, const struct type **ret);
/* The type of one at that address, which tables of symbols call otherwise. */
struct err *dwarftypes_variable_at(struct dwarftypes *d, uint64_t addr,
				   const struct type **ret);

/* What the function that begins at addr, as linked, takes and gives: TYPE_FUNC,
 * its parameters with their names.  *ret is NULL when nobody says. */
struct err *dwarftypes_function(struct dwarftypes *d, uint64_t addr,
				const struct type **ret);

/* Has it a function of that name, in whatever space, that was inlined where it is called? */
bool dwarftypes_is_inlined(struct dwarftypes *d, const char *name);

/* A file that has a part of the information and was not found when something was looked
 * for, or that is a package (.dwp) and libdw cannot read it (before 0.191); NULL: there
 * is none. */
const char *dwarftypes_absent(const struct dwarftypes *d, bool *is_unread);

/* Call fn with the name of each type that kind can find; false ends that.  The
 * names live as long as d. */
typedef bool dwarftypes_name_fn(void *ctx, const char *name);
struct err *dwarftypes_names(struct dwarftypes *d, enum type_kind kind,
			     dwarftypes_name_fn *fn, void *ctx);

#endif
