/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Drops.  The source counts from the start; the user is told the difference.
 */
#include "consume/consume_priv.h"

static struct err *
tell(struct consume *c, enum abi_drop kind, unsigned cpu, consume_fn *fn,
     void *ctx)
{
	uint64_t *told = &c->told[kind * BASE_MAX(c->src->ncpus, 1u) + cpu];
	uint64_t total = c->src->drops(c->src->ctx, kind, cpu);

	if (kind == ABI_DROP_MALFORMED)
		total += c->malformed;
	if (kind == ABI_DROP_SPEC)
		total += c->late;

	if (total <= *told)
		return NULL;
	struct consume_event e = {
		.kind = CONSUME_DROP, .cpu = cpu, .drop = kind,
		.count = total - *told, .total = total,
	};
	if (c->src->now)
		e.timestamp = c->src->now(c->src->ctx);
	*told = total;
	return fn(ctx, &e);
}

struct err *
consume_drops(struct consume *c, consume_fn *fn, void *ctx)
{
	if (!c->src->drops)
		return NULL;
	for (int kind = 0; kind < ABI_NDROPS; kind++) {
		unsigned n = abi_drop_per_cpu(kind) ? c->src->ncpus : 1;
		for (unsigned cpu = 0; cpu < n; cpu++)
			TRY(tell(c, kind, cpu, fn, ctx));
	}
	return NULL;
}
