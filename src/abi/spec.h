/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What becomes of speculations: an array by id - 1, mapped by the consumer.
 *
 * speculation() makes an IDLE one ACTIVE.  commit() and discard() make it ENDING,
 * send a record that says so, and make it IDLE again, with the next generation;
 * or leave that to the consumer: when there was no room for the record, and
 * when firings of other CPUs may still be writing and the consumer is far behind.
 */
#ifndef ABI_SPEC_H
#define ABI_SPEC_H

#include "abi/int.h"

enum abi_spec_state {
	ABI_SPEC_IDLE, ABI_SPEC_ACTIVE,
	ABI_SPEC_ENDING,	/* whoever ends it will change it */
	ABI_SPEC_COMMITTED, ABI_SPEC_DISCARDED,	/* the consumer will */
};

struct abi_spec {
	uint64_t word;		/* generation << 32 | user << 8 | state */
	uint64_t lost;		/* ns: when it ended, if there was no room for
				 * the record that says so; else 0 */
	uint32_t ahead;		/* generations that several CPUs may have used
				 * and that the consumer has not seen off; the
				 * consumer zeroes it */
	uint32_t pad;
};

/* user: 0, 1 + the only CPU that called speculate(), or MANY. */
#define ABI_SPEC_WORD(gen, user, state) \
	((uint64_t)(gen) << 32 | (uint32_t)(user) << 8 | (state))
#define ABI_SPEC_STATE(word)	   ((uint32_t)(word) & 0xff)
#define ABI_SPEC_USER(word)	   ((uint32_t)(word) >> 8)
#define ABI_SPEC_MANY		   0xffffffu

/* How far `ahead` may get. */
enum { ABI_SPEC_AHEAD = 16 };

enum { ABI_NSPEC_MAX = 1 << 16 };

#endif
