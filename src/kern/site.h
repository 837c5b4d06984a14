/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Attaching a program, in each of the ways of abi/attach.def.
 */
#ifndef KERN_SITE_H
#define KERN_SITE_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include "abi/attach.h"
#include "abi/point.h"
#include "util/err.h"

struct kern_link;		/* kern_detach() is kern.h's */

/* One of many places for one program. */
struct kern_place {
	uint64_t at;		/* the address of a kernel function, or bytes
				 * from the beginning of a file */
	uint64_t cookie;
	uint64_t ref_ctr;	/* file: bytes to a word that counts who is
				 * there; 0: none */
	int refused;		/* set by kern_attach(): an errno, or 0 */
};

/* Where a program goes; what its way does not use is 0. */
struct kern_site {
	enum abi_attach attach;
	/* RAWTP, TRACEITER: a tracepoint; KPROBE, KRETPROBE: a function, or NULL, and
	 * place.at is its address; UPROBE* and URETPROBE*: a file. */
	const char *target;
	struct kern_place place;	/* but for *_MULTI.  KPROBE with a target:
					 * at is bytes behind its beginning */
	int pid;			/* UPROBE*, URETPROBE*: 0: any process */
	unsigned cpu;			/* PERF: samples of this CPU, */
	uint64_t period_ns;		/* so often; or, not NULL: */
	const struct abi_event *event;
	struct kern_place *places;	/* *_MULTI */
	uint32_t nplaces;
};

/*
 * A cookie of 0 needs nothing of the kernel; else one that the way cannot carry is an
 * error.  Of many places those that the kernel refuses are marked and the others
 * attached; if it refuses all of them, that is an error.
 */
struct err *kern_attach(int prog_fd, const struct kern_site *site,
			struct kern_link **ret);

/* A tracepoint's programs are called by a function, where TRACEITER attaches, if there is
 * more than one; so this has n that do nothing. */
struct err *kern_hold_traceiter(const char *target, unsigned n, struct kern_link **ret);

/* A user probe cannot stand on this instruction: libc has no text for the first. */
static inline bool
kern_is_instruction(int os)
{
	return os == 524 || os == ENOEXEC;
}

#endif
