/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Names of code that a process made itself: /tmp/perf-PID.map.
 */
#ifndef SYM_JIT_PRIV_H
#define SYM_JIT_PRIV_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "util/vec.h"

struct jit_sym {
	uint64_t addr, size;
	uint32_t name;		/* offset into names */
	uint32_t line;		/* later ones win */
};

struct jit {
	bool has_owner;
	uid_t owner;		/* of the process */
	int inner_pid;		/* as it sees itself; 0: not known */
	uint64_t next_ns;	/* not to be looked at before; 0: never was */
	off_t size;		/* of the file then */
	char title[32];		/* "perf-PID.map" */
	VEC(struct jit_sym) all;	/* by address, then by line */
	VEC(char) names;
};

void sym_jit_init(struct jit *j);
void sym_jit_fini(struct jit *j);
/* Remember whose process it is, while that can be told. */
void sym_jit_meet(struct jit *j, int pid);
/* Read text, n bytes of it: what a map file holds. */
void sym_jit_parse(struct jit *j, const char *text, size_t n);
/* The symbol at addr, or NULL; reads the file when it has grown. */
const struct jit_sym *sym_jit_find(struct jit *j, int pid, uint64_t addr,
				   uint64_t now_ns);
const char *sym_jit_name(const struct jit *j, const struct jit_sym *s);

#endif
