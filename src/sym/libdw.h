/* SPDX-License-Identifier: BSD-2-Clause
 *
 * libdw's functions, which read debugging information.
 */
#ifndef SYM_LIBDW_H
#define SYM_LIBDW_H

#include <elfutils/libdw.h>

#include <stdbool.h>

#include "util/err.h"

struct libdw {
#define FN(name) __typeof__(name) *name;
#include "sym/libdw.def"
#undef FN
	bool reads_packages;	/* .dwp, from 0.191 on */
};

/* *ret stays loaded.  ERR_UNSUPPORTED: there is none. */
struct err *sym_libdw(const struct libdw **ret);

/* The information of a file, which may be anything; NULL: there is none that can be
 * read.  The caller's to dwarf_end(). */
Dwarf *sym_libdw_begin(const struct libdw *l, Elf *elf);

/* The package beside the file fd that has its parts when it was split, if this libdw
 * reads none; false: there is no such package, or it would have been read. */
bool sym_libdw_unread_package(const struct libdw *l, int fd, char *path, size_t size);

#endif
