/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TYPEDB_TYPEDB_PRIV_H
#define TYPEDB_TYPEDB_PRIV_H

#include "btftypes/btftypes.h"
#include "typedb/typedb.h"
#include "util/hash.h"
#include "util/vec.h"

/* The types of the kernel or of one module. */
struct source {
	const char *module;	/* in the arena */
	struct btftypes *btf;
	struct hash known[TYPE_FWD];	/* by kind: name to type or &absent */
};

struct typedb {
	struct arena *arena;	/* the caller's */
	char *path;		/* of the kernel's BTF; modules lie beside it */
	VEC(struct source *) sources;	/* the kernel first, then in order of
					 * first mention */
};

#endif
