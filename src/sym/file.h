/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the file of a program or library says of where things lie.  The file may
 * be anybody's, and anything.
 */
#ifndef SYM_FILE_H
#define SYM_FILE_H

#include <stdbool.h>
#include <stddef.h>
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

/* --- All functions ---------------------------------------------------------- */

struct sym_function {
	const char *name;	/* without a version; borrowed for the call */
	uint64_t value;		/* its address as linked; in a file that is not,
				 * its place in the section */
	uint64_t size;		/* bytes; 0: nobody says */
	uint64_t offset;	/* of its code in the file */
	bool is_local, is_weak;	/* neither: global */
	bool is_resolver;	/* it returns the function that is meant */
	bool is_alias;		/* of the one that was told before, at the same
				 * place */
};

typedef struct err *sym_elf_fn(void *ctx, const struct sym_function *f);
/*
 * Call fn for each function whose code is in the file, in order of place; of
 * those at one place the best name comes first.  Ways to functions of others
 * (PLT) are none.  The first error of fn ends the walk and is returned.
 * ERR_FORMAT for what is not an ELF file.  When fn was called for all that can
 * be read, but not all can: ERR_UNSUPPORTED, ERR_FORMAT, saying what.
 */
struct err *sym_elf_walk(int fd, sym_elf_fn *fn, void *ctx);

/* The address as linked of the byte at `offset` of the file; false: it is not
 * loaded, or the file is no ELF file. */
bool sym_elf_offset_addr(int fd, uint64_t offset, uint64_t *ret);

/* --- Sections --------------------------------------------------------------- */

struct sym_section {
	void *data;		/* owned; for sym_section_fini() */
	size_t size;
	uint64_t addr;		/* as linked; 0: it is not loaded */
	uint64_t offset;	/* in the file */
};

/* The bytes of the first section of that name.  ERR_NOTFOUND: there is none;
 * ERR_UNSUPPORTED: it is compressed. */
struct err *sym_elf_section(int fd, const char *name, struct sym_section *ret);
void sym_section_fini(struct sym_section *s);

#endif
