/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tables that are kept between runs: files below a folder, one for each build id.
 */
#ifndef UNWIND_KEPT_H
#define UNWIND_KEPT_H

#include "unwind/unwind.h"

struct unwind_kept;

/*
 * Use the folder, made if it is not there.  NULL: out of memory, or it cannot be
 * used: it is not ours alone to write to, or this program has no build id by which what
 * others have made of it can be told from its own.
 */
struct unwind_kept *unwind_kept_open(const char *dir);
void unwind_kept_close(struct unwind_kept *k);		/* NULL: nothing */

/* As unwind_file_table(); k may be NULL.  What is large and has a build id is read if it
 * is there, else made and written; that it cannot be written is no error. */
struct err *unwind_kept_table(struct unwind_kept *k, int fd, size_t max,
			      struct unwind_table *ret);

#endif
