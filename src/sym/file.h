/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the file of a program or library says of where things lie.
 */
#ifndef SYM_FILE_H
#define SYM_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/err.h"

/* Addresses are those of the file: before it is loaded somewhere. */
struct sym_file {
	bool is_64;
	bool found;		/* the symbol is defined here */
	uint64_t start;		/* of the file's first byte */
	uint64_t entry;		/* where a program begins */
	uint64_t value;		/* of the symbol, when found */
};

/* Look for the symbol called name, static or dynamic.  ERR_FORMAT for what is
 * not an ELF file. */
struct err *sym_file_read(const char *path, const char *name,
			  struct sym_file *ret);

#endif
