/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which module has the type called X: lazy and cached.  Nothing is read from
 * the kernel until the first question about a kernel type.
 */
#ifndef TYPEDB_TYPEDB_H
#define TYPEDB_TYPEDB_H

#include "type/type.h"
#include "util/arena.h"
#include "util/err.h"

struct typedb;

/* Types are handed out from a; both outlive every type returned.
 * btf_path: NULL for /sys/kernel/btf/vmlinux (tests give another file). */
struct err *typedb_new(struct arena *a, const char *btf_path,
		       struct typedb **ret);
void typedb_free(struct typedb *db);

/*
 * Find a type of the kernel.  module: "vmlinux" or "kernel"; a module's name,
 * which looks in the kernel too for what the module shares with it; or NULL
 * for the kernel and then the modules that were named before.  kind:
 * TYPE_STRUCT, TYPE_UNION, TYPE_ENUM or TYPE_TYPEDEF.  *ret is NULL when there
 * is none, and of kind TYPE_FWD when the struct is only declared; an error
 * means that BTF cannot be read.
 */
struct err *typedb_find(struct typedb *db, const char *module,
			enum type_kind kind, const char *name,
			const struct type **ret);

/* An enumerator of any enum of the kernel or of the modules that were named before.
 * *ret: the first enum that has one of that name, or NULL, and *value.  *other: the
 * first in which it has another value, or NULL. */
struct err *typedb_enumerator(struct typedb *db, const char *name,
			      const struct type **ret, int64_t *value,
			      const struct type **other);

/*
 * The byte offset and size of a member path such as "real_parent" or
 * "se.sum_exec_runtime" in struct `tag` of vmlinux; of "one|other", of either, the
 * first that there is.  ERR_NOTFOUND when the struct or a member is missing; ERR_UNSUPPORTED for
 * a bit-field.
 */
struct err *typedb_offset(struct typedb *db, const char *tag,
			  const char *path, uint32_t *offset, uint32_t *size);

/* The type of a symbol of that module ("vmlinux": the kernel itself): a
 * function's prototype, TYPE_FUNC; of a variable what symbols.def says; or
 * NULL. */
struct err *typedb_symbol(struct typedb *db, const char *module,
			  const char *name, const struct type **ret);

/* The number by which the kernel's BTF knows this type or function of vmlinux;
 * *ret is 0 when it does not. */
struct err *typedb_btf_id(struct typedb *db, enum type_kind kind,
			  const char *name, uint32_t *ret);

/*
 * Call fn with the name of each typedef of that module ("vmlinux": the kernel
 * itself) that begins with prefix; fn returning false ends that.  None for a
 * module that there is not.  Names live as long as db.
 */
typedef bool typedb_name_fn(void *ctx, const char *name);
struct err *typedb_typedefs(struct typedb *db, const char *module,
			    const char *prefix, typedb_name_fn *fn, void *ctx);
/* The same with the names of modules that have types of their own. */
struct err *typedb_modules(struct typedb *db, typedb_name_fn *fn, void *ctx);

/* Where the kernel's per-CPU variable of that name stands in each CPU's area, in
 * bytes, and its type (NULL: is not wanted); ERR_NOTFOUND when BTF does not tell. */
struct err *typedb_percpu(struct typedb *db, const char *name, uint32_t *ret,
			  const struct type **type);

#endif
