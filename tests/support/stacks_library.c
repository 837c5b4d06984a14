/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A library of which one function is known to others.
 */
#include "stacks.h"

static NOINLINE long
library_inside(void)
{
	return KEEP(raw_getppid());
}

__attribute__((visibility("default"))) NOINLINE long
library_entry(void)
{
	return KEEP(library_inside());
}
