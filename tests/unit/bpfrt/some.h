/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Numbers at random, the same in each run.
 */
#ifndef TESTS_BPFRT_SOME_H
#define TESTS_BPFRT_SOME_H

#include "bpfrt/rt.h"

static u32 seed = 1;

/* Below n. */
static inline u32
some(u32 n)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 16) % n;
}

#endif
