/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The library of points.c: an initialiser.
 */
#include <sys/syscall.h>
#include <unistd.h>

extern __attribute__((visibility("default"))) int points_library;
int points_library;

__attribute__((constructor)) static void
initialise(void)
{
	syscall(SYS_getsid, 0);
}
