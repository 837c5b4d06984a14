/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the files of kern share.
 */
#ifndef KERN_KERN_PRIV_H
#define KERN_KERN_PRIV_H

#include "kern/kern.h"

/* ERR_OS with ": strerror(os)" behind the text; os may be negative, as libbpf
 * returns it. */
struct err *kern_os_err(int os, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The number of possible CPUs as a map has it; 0: no map can be made. */
unsigned kern_ncpus_of_map(void);

struct kern_map_shape {
	uint32_t key_size, value_size;	/* bytes */
	bool percpu;
};

/* As kern_map_drain(), or with keep as kern_map_read(), asking for `batch`
 * elements at first; 0: key by key. */
struct err *kern_map_drain_by(int fd, const struct kern_map_shape *m, bool keep,
			      uint32_t batch, kern_map_fn *fn, void *ctx);

/*
 * What libbpf says while it opens and loads an object, kept out of stderr.
 * Only one per thread may be open.
 */
struct kern_log {
	bool verbose;		/* verifier logs go to stderr, good or bad */
	bool refused;		/* the verifier refused a program */
	char text[512];		/* the latest warning, or the end of the
				 * verifier's log; one line */
};

void kern_log_open(struct kern_log *log, bool verbose);
void kern_log_close(void);
/* Have libbpf print nothing, also while no log is open. */
void kern_log_quiet(void);

#endif
