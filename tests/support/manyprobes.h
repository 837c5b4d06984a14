/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Made-up providers, as large as those of functions will be.
 */
#ifndef SUPPORT_MANYPROBES_H
#define SUPPORT_MANYPROBES_H

#include "prov/ops.h"

/*
 * many:modMM:func_NNNNN:entry and :return, with as many functions as
 * manyprobes_n, the number in NNNNN modulo 100 being that of the module.  args[0]
 * of an entry is an int, args[1] a char *.  Function i has i % 4 sites, in two
 * files whose programs are points of their own; each site keeps its arguments
 * elsewhere.
 */
extern const struct prov_ops manyprobes;
extern uint32_t manyprobes_n;	/* functions, at most MANYPROBES_MAX */
enum { MANYPROBES_MAX = 200000 };

/* procN::main:start of the processes 7, 12 and 123, for descriptions that say
 * which, or that a pattern matches. */
extern const struct prov_ops manyprocs;

#endif
