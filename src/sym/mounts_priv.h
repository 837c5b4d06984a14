/* SPDX-License-Identifier: BSD-2-Clause
 *
 * File systems that may not answer.
 */
#ifndef SYM_MOUNTS_PRIV_H
#define SYM_MOUNTS_PRIV_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "util/vec.h"

struct mount {
	uint64_t dev;		/* major << 32 | minor */
	bool is_local;		/* never asked */
	bool answers;
	uint64_t until_ns;	/* not to be asked again before */
	pid_t child;		/* that hangs, or did; 0: none */
};

struct mounts {
	VEC(struct mount) all;	/* those that were met: few */
	uint64_t wait_ns;	/* for an answer */
};

void sym_mounts_init(struct mounts *t);
void sym_mounts_fini(struct mounts *t);

/*
 * May we open a file on device dev, which process pid maps?  Where the file
 * system might hang, touch(ctx) is called before, in a child that has
 * nothing but it to do: it opens and reads the file.  Waits t->wait_ns at most,
 * and not for every file.
 */
bool sym_mounts_answer(struct mounts *t, uint64_t dev, int pid,
		       void (*touch)(void *ctx), void *ctx);

/* Of a line of /proc/PID/mountinfo: is it about device dev, and if so, does that
 * never wait for another machine or process? */
bool sym_mounts_parse(const char *line, uint64_t dev, bool *is_local);

#endif
