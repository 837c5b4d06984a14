/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A program whose system calls tell how far it is: main(), and an initialiser
 * of its own, which ends it when POINTS_END is set.
 */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

extern __attribute__((visibility("default"))) int points_library;

__attribute__((constructor)) static void
initialise(void)
{
	syscall(SYS_getpgid, points_library);
	if (getenv("POINTS_END"))
		_exit(0);
}

int
main(void)
{
	syscall(SYS_getppid);
	return 0;
}
