/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The file that has the debugging information of a program or library.
 */
#ifndef SYM_DEBUG_H
#define SYM_DEBUG_H

#include "util/err.h"

/*
 * Open it: the object itself, which is fd, or one that its build id or its link
 * (.gnu_debuglink) names.  path says where the object lies, for those beside it;
 * NULL: nobody knows.  dir: NULL for /usr/lib/debug.  *ret is the caller's to
 * close.  ERR_NOTFOUND: there is none; ERR_UNSUPPORTED: it is not of 64 bits;
 * ERR_FORMAT for what is not an ELF file.
 */
struct err *sym_debug_open(int fd, const char *path, const char *dir, int *ret);

#endif
