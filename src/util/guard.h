/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A program that does not outlive us, nor does anything that it started: however
 * we end, all of it is killed.
 */
#ifndef UTIL_GUARD_H
#define UTIL_GUARD_H

#include <stdbool.h>
#include <sys/types.h>

#include "util/err.h"

struct guard_program {
	const char *file;		/* looked for in PATH */
	char *const *argv;
	int fds[3];			/* what its 0, 1 and 2 are; -1: as ours */
	/* What it started and left behind when it ended may go on. */
	bool leave;
};

struct guard {
	pid_t pid;			/* of who watches it */
	int fd;				/* to them */
};

/* Start it.  fds are the caller's to close, at once. */
struct err *guard_start(const struct guard_program *p, struct guard *ret);
/* Wait for its end; *status is as waitpid() tells.  An error when it could not be
 * run: its text is the system's alone. */
struct err *guard_wait(struct guard *g, int *status);
/* Kill it and all that it started, instead of guard_wait(). */
void guard_kill(struct guard *g);

#endif
