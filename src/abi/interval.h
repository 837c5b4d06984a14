/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Firings on one CPU that are to come a period apart (bpfrt/interval.h).
 */
#ifndef ABI_INTERVAL_H
#define ABI_INTERVAL_H

#include "abi/int.h"

struct abi_interval {
	uint64_t begun;		/* ns: when they began; 0: there are none */
	uint64_t base;		/* ns: a point of the grid; 0: none fired yet */
	uint64_t n;		/* points from there to the last firing's */
};

/* One fires now; how many are missing before it. */
static inline uint64_t
abi_interval_fire(struct abi_interval *v, uint64_t now, uint64_t period)
{
	uint64_t old = v->n, n;

	if (!v->base || now < v->base) {
		n = v->base || !v->begun || now < v->begun ? 0
			: (now - v->begun) / period;
		v->base = now;
		v->n = 0;
		return n;
	}
	n = (now - v->base + period / 16) / period;
	if (v->base + n * period > now)
		v->base = now - n * period;
	v->n = n;
	return n > old + 1 ? n - old - 1 : 0;
}

/* It is over; how many are missing behind the last. */
static inline uint64_t
abi_interval_end(const struct abi_interval *v, uint64_t now, uint64_t period)
{
	uint64_t last = v->base ? v->base + v->n * period : v->begun;

	return v->begun && now > last + period ?
		(now - last - period / 2) / period : 0;
}

#endif
