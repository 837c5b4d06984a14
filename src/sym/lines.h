/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Addresses of a program or library and the lines of its source, as its debugging
 * information says.  Nothing is read before the first question.
 */
#ifndef SYM_LINES_H
#define SYM_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/err.h"

struct sym_lines;

/* A function at an address, and the line of it that is run there. */
struct sym_line {
	const char *function;	/* NULL: nobody says */
	const char *file;	/* its path as the compiler was told; NULL: unknown */
	unsigned line;		/* 0: unknown */
};

/*
 * fd stays the caller's.  path says where the file lies, for what lies beside it;
 * NULL: nobody knows.  dir: NULL for /usr/lib/debug.  mangled: names of functions are
 * the linker's.  Errors as for sym_debug_open().
 */
struct err *sym_lines_open(int fd, const char *path, const char *dir,
			   bool mangled, struct sym_lines **ret);
void sym_lines_free(struct sym_lines *l);	/* NULL is fine */

/*
 * What runs at addr, as linked: the innermost of the functions that were inlined
 * there first, and last the one that is none.  NULL and *n 0: it is not known, or
 * memory is short.  Lives as long as l.
 */
const struct sym_line *sym_lines_at(struct sym_lines *l, uint64_t addr,
				    size_t *n);

/*
 * Call fn for each place, from the address `from` on and before `to`, where the code of
 * a line begins that `wants` is true of; in no order but that of one address the
 * innermost comes first.  The first error of fn ends that
 * and is returned.  ERR_UNSUPPORTED: the information cannot be read.
 */
typedef bool sym_wants_line_fn(void *ctx, const char *file, unsigned line);
typedef struct err *sym_line_place_fn(void *ctx, uint64_t addr,
				      const char *file, unsigned line);
struct err *sym_lines_walk(struct sym_lines *l, uint64_t from, uint64_t to,
			   sym_wants_line_fn *wants, sym_line_place_fn *fn,
			   void *ctx);

/* The last part of the path of a file of source. */
const char *sym_line_base(const char *file);

#endif
