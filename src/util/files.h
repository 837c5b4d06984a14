/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How many files this process may have open.
 */
#ifndef UTIL_FILES_H
#define UTIL_FILES_H

#include <stddef.h>

/* Have room for n descriptors and some more, as far as it may be had: who opens
 * one that there is no room for is told so by open(). */
void files_reserve(size_t n);
/* In a child that is to execute a program: as it was at first.  (A program that
 * has grown up with 1,024 may break with more.)  Safe behind fork(). */
void files_restore(void);

#endif
