/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The fronts of associative arrays of numbers (bpfrt/front.h): elements of dt_fronts.
 */
#ifndef ABI_FRONT_H
#define ABI_FRONT_H

#include "abi/int.h"

/* Where the number of a key is. */
struct abi_front {
	uint64_t hash;		/* 0: it is free */
	uint64_t number;	/* 0: there is none */
};

/* Of an array; of a bucket, a line of a cache: powers of two. */
enum { ABI_FRONT_BUCKETS = 2048, ABI_FRONT_PLACES = 4 };

struct abi_bucket {
	struct abi_front places[ABI_FRONT_PLACES];
};

/* What rt_front() says instead of a place. */
#define ABI_FRONT_NONE (~0ULL)
#define ABI_FRONT_FULL (~1ULL)

#endif
