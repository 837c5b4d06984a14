/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which version of Linux this is, for the few facts that nothing else tells: what a kernel
 * can do is found by trying (feature.c).
 */
#include <stdio.h>
#include <sys/utsname.h>

#include "kern/kern.h"

bool
kern_is_since(unsigned major, unsigned minor)
{
	struct utsname u;
	unsigned is_major, is_minor;

	return !uname(&u) && sscanf(u.release, "%u.%u", &is_major, &is_minor) == 2 &&
	       (is_major > major || (is_major == major && is_minor >= minor));
}

bool
kern_preempts(void)
{
	return kern_is_since(7, 0);
}

unsigned
kern_progs_max(void)
{
	return !kern_is_since(6, 9) ? KERN_PROGS_ANY :
	       !kern_is_since(6, 13) ? KERN_PROGS_FEW : KERN_PROGS_MANY;
}
