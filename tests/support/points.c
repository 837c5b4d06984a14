/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A program whose system calls tell how far it is: main(), and an initialiser
 * of its own, which ends it when POINTS_END is set, and sends it a signal when
 * POINTS_SIGNAL is: then its exit status is 3.
 */
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

extern __attribute__((visibility("default"))) int points_library;

static volatile sig_atomic_t status;

static void
on_signal(int sig)
{
	status = 3;
}

__attribute__((constructor)) static void
initialise(void)
{
	syscall(SYS_getpgid, points_library);
	if (getenv("POINTS_END"))
		_exit(0);
	if (getenv("POINTS_SIGNAL")) {
		signal(SIGUSR1, on_signal);
		raise(SIGUSR1);
	}
}

int
main(void)
{
	syscall(SYS_getppid);
	return status;
}
