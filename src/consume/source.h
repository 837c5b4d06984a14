/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where bytes come from.
 */
#ifndef CONSUME_SOURCE_H
#define CONSUME_SOURCE_H

#include "abi/abi.h"
#include "util/err.h"

struct consume;

enum consume_spec_state {
	CONSUME_SPEC_OPEN,		/* idle, active, or about to end */
	CONSUME_SPEC_COMMITTED,
	CONSUME_SPEC_DISCARDED,
};

struct consume_spec {
	enum consume_spec_state state;
	uint32_t gen;			/* the generation that it is in */
	/* When it ended, if the record of that was lost; else 0. */
	uint64_t lost;
};

/* Each callback may be NULL when the source has no such thing. */
struct consume_source {
	void *ctx;
	unsigned ncpus;
	/* Next record of a CPU, in order of commitment, or NULL; borrowed until
	 * release(cpu), which gives back all handed out so far. */
	const void *(*next)(void *ctx, unsigned cpu, size_t *size);
	void (*release)(void *ctx, unsigned cpu);
	/* Take everything aggregated since the last snapshot: call
	 * consume_agg_add() for each element. */
	struct err *(*snapshot)(void *ctx, struct consume *c);
	/* Running totals since the start, by kind and CPU; kinds that are not
	 * per CPU stand at cpu 0. */
	uint64_t (*drops)(void *ctx, enum abi_drop kind, unsigned cpu);
	/* Nanoseconds, same clock as record timestamps. */
	uint64_t (*now)(void *ctx);
	unsigned nrings;		/* 0: one for each CPU (abi_record) */
	unsigned nspec;			/* speculations have ids 1..nspec; if
					 * any, there are the following */
	/* What the speculation is now. */
	struct consume_spec (*spec)(void *ctx, uint32_t id);
	/* One that was not open: how it ended has been handed on, so it may be
	 * used again, for its next generation. */
	void (*spec_free)(void *ctx, uint32_t id);
	/* All generations that had ended a while ago have been handed on. */
	void (*spec_seen)(void *ctx, uint32_t id);
};

#endif
