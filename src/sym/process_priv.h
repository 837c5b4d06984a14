/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Processes: which files they executed at which addresses.
 */
#ifndef SYM_PROCESS_PRIV_H
#define SYM_PROCESS_PRIV_H

#include "sym/jit_priv.h"
#include "sym/object_priv.h"

struct pmap {
	struct sym_mapping m;	/* path: NULL */
	struct object *object;
	const char *called;	/* by whoever executed it; NULL: by its own name */
};

struct process {
	int pid, parent;	/* parent 0: none is known */
	uint64_t forked_ns;	/* CLOCK_MONOTONIC; of its start */
	uint64_t read_ns;	/* when /proc was asked last; 0: never */
	uint64_t next_ns;	/* not to be asked before */
	bool ended;
	VEC(struct pmap) maps;
	struct jit jit;
};

struct processes {
	struct hash by_pid;	/* int: struct process */
	VEC(int) dead;		/* in order of their ends */
	size_t oldest;		/* of dead: those before it are forgotten */
};

void sym_processes_init(struct processes *t);
void sym_processes_fini(struct processes *t);
/* NULL: never heard of. */
struct process *sym_processes_find(const struct processes *t, int pid);
/* Made if need be; NULL when memory is short. */
struct process *sym_processes_get(struct processes *t, int pid);
/* It has ended.  What is known of it stays, unless very many end after it. */
void sym_processes_end(struct processes *t, struct process *p);

/* Forget the older half of those that have ended; false: there are none. */
bool sym_processes_forget(struct processes *t);

/* Forget processes that have ended, the oldest first, until what is only known of such
 * takes `most` bytes or less, and free what no process has any more. */
void sym_release(struct objects *objects, struct processes *processes, size_t most);

/* Once for all that is the same.  called is borrowed as long as p lives, or NULL. */
void sym_process_map(struct process *p, const struct sym_mapping *m,
		     struct object *o, const char *called);
/* The latest mapping at addr that was made at time `until` or before. */
struct pmap *sym_process_find(struct process *p, uint64_t addr, uint64_t until);

/* A line of /proc/PID/maps, ended by NUL.  m->path is in line.  False: no
 * executable mapping. */
bool sym_process_parse_line(char *line, struct sym_mapping *m);

#endif
