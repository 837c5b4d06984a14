/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What ids in records mean.
 */
#ifndef CONSUME_META_H
#define CONSUME_META_H

#include "abi/agg.h"
#include "base/base.h"

/* A probe as the consumer needs it; strings are borrowed. */
struct consume_probe {
	uint32_t id;
	const char *prov, *mod, *func, *name;
};

/* An enabled probe: EPID -> probe and clause.  EPIDs are 1..n. */
struct consume_epid {
	uint32_t probe;				/* probe id */
	const struct abi_clause_desc *desc;
};

struct consume_meta {
	/* Lookups may return NULL for ids never heard of. */
	const struct consume_epid *(*epid)(void *ctx, uint32_t epid);
	const struct consume_probe *(*probe)(void *ctx, uint32_t id);
	const struct abi_agg_desc *(*agg)(void *ctx, uint32_t aggid);
	/* The file of a place, abi_place_file() of it not being 0.  NULL: no
	 * file has a name. */
	const char *(*file)(void *ctx, uint32_t no);
	uint32_t naggs;				/* ids 1..naggs */
	uint32_t strsize;		/* bytes of a string with its NUL; 0:
					 * any number */
	void *ctx;
	/* The address that stands for all of one name: of the function that
	 * addr lies in for SYM and USYM, of the module or file for MOD and
	 * UMOD; addr itself when it has none.  pid: of the U kinds.  NULL: no
	 * address has a name. */
	uint64_t (*whole)(void *ctx, enum abi_field_kind kind, int64_t pid,
			  uint64_t addr);
};

#endif
