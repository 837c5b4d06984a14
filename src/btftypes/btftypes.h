/* SPDX-License-Identifier: BSD-2-Clause
 *
 * BTF to the type graph, lazily: opening maps the file and finds out where
 * each type starts; a name is searched in one pass over the raw records; nodes
 * are made when asked for.  Source: Documentation/bpf/btf.rst of the kernel.
 */
#ifndef BTFTYPES_BTFTYPES_H
#define BTFTYPES_BTFTYPES_H

#include "type/type.h"
#include "util/err.h"

struct btftypes;

/* data is borrowed until btftypes_free(); types are made in a.  base: the
 * kernel's BTF for a module's split BTF, else NULL. */
struct err *btftypes_new(struct arena *a, const void *data, size_t size,
			 struct btftypes *base, const char *module,
			 struct btftypes **ret);
/* Map a file. */
struct err *btftypes_open(struct arena *a, const char *path,
			  struct btftypes *base, const char *module,
			  struct btftypes **ret);
void btftypes_free(struct btftypes *b);

/* NULL when absent.  kind as for typedb_find(), or TYPE_FUNC. */
const struct type *btftypes_find(struct btftypes *b, enum type_kind kind,
				 const char *name);

#endif
