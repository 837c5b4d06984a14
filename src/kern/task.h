/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What processes execute.
 */
#ifndef KERN_TASK_H
#define KERN_TASK_H

#include <stddef.h>
#include <stdint.h>

#include "util/err.h"

enum kern_task_kind {
	KERN_TASK_EXECUTED,	/* has a new program, and nothing mapped of the
				 * old one */
	KERN_TASK_MAPPED,	/* may execute a file, or memory */
	KERN_TASK_FORKED,
	/* Its first thread has ended; from a session: and so have the others, unless one
	 * executes a program just now.  Then it is told that it has. */
	KERN_TASK_ENDED,
	KERN_TASK_THREAD_ENDED,	/* another of its threads; from a session: none */
	KERN_TASK_LEADERLESS,	/* from a session: its first thread alone has ended */
	KERN_TASK_LOST,		/* events of one CPU, which nobody read in time */
	KERN_TASK_NKINDS
};

struct kern_task_event {
	enum kern_task_kind kind;
	int pid;		/* LOST: 0 */
	int parent;		/* FORKED */
	int thread;		/* THREAD_ENDED */
	uint64_t time_ns;	/* CLOCK_MONOTONIC */
	/* MAPPED: as in /proc/PID/maps.  dev: major << 32 | minor */
	uint64_t start, size, offset, dev, inode;
	const char *path;	/* borrowed for the call */
	uint64_t lost;		/* LOST: how many, at the least */
};

/* Events of all processes from now on; those of one CPU are in order.  keep: bytes of
 * those that the kernel has no room for while nobody reads. */
struct kern_tasks;
typedef void kern_task_fn(void *ctx, const struct kern_task_event *e);

struct err *kern_tasks_open(size_t keep, struct kern_tasks **ret);
void kern_tasks_close(struct kern_tasks *t);	/* NULL is fine */
/* Hand on what has come. */
void kern_tasks_read(struct kern_tasks *t, kern_task_fn *fn, void *ctx);
/* The i-th of the descriptors that become readable when something has come; -1:
 * there are no more. */
int kern_tasks_fd(const struct kern_tasks *t, unsigned i);

#endif
