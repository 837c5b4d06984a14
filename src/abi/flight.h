/* SPDX-License-Identifier: BSD-2-Clause
 *
 * bufpolicy=ring: the records of a ring (bpfrt/flight.h).  Each, with its mark
 * behind it, is a multiple of 8 bytes, as is the size of all.
 */
#ifndef ABI_FLIGHT_H
#define ABI_FLIGHT_H

#include "abi/int.h"

struct abi_flight {
	uint64_t head;		/* bytes ever reserved */
	uint64_t pad;
	/* then flight_size bytes */
};

/* The last 8 bytes of a record or gap of `size` bytes that ends at head. */
#define ABI_FLIGHT_GAP		(1ULL << 31)
#define ABI_FLIGHT_MARK(head, size) (((uint64_t)(head) << 29 & ~0xffffffffULL) | \
				     (size))

/* The verifier wants offsets below 1 << 29. */
enum { ABI_FLIGHT_MAX = 1 << 28 };

#endif
