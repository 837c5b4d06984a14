/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Random programs in D that the compiler must take.
 *
 * One seed is one program, on every machine.  The generator keeps to what has
 * one meaning on all engines: indices lie within arrays, nothing is read behind
 * the NUL of a string or of an object, addresses of the engine's own memory are
 * followed but not shown, and what the world decides (rand(), vtimestamp) is
 * named but not shown.  Faults it does not avoid, only makes them rare.
 */
#ifndef TESTS_DGEN_H
#define TESTS_DGEN_H

#include "dtree.h"

enum dgen_world {
	DGEN_DIFF,	/* the probes of diff_d() */
	DGEN_REAL,	/* those of the running system; every clause is for
			 * process $pid alone */
};

struct dtree *dgen_program(struct arena *a, uint64_t seed,
			   enum dgen_world world);

/* The first built subroutine that the generator would not know how to call, or
 * NULL. */
const char *dgen_unknown_subr(void);

#endif
