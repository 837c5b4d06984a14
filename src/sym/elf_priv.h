/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The functions and variables of one program or library, by address.
 */
#ifndef SYM_ELF_PRIV_H
#define SYM_ELF_PRIV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sym/open_priv.h"
#include "util/err.h"
#include "util/vec.h"

struct esym {
	uint64_t addr, size;	/* as linked; size 0: up to the next one */
	uint32_t name;		/* offset into names */
	uint32_t shown;		/* index into shown, plus 1; 0: not asked yet */
	uint8_t rank;		/* of names for one address, best is least */
	bool is_data;
};

/* Bytes of the file that are loaded. */
struct eseg {
	uint64_t off, size, addr;
	uint64_t mem_size;	/* of those and the zeros behind them */
	bool is_code;
};

struct esyms {
	VEC(struct esym) all;	/* by address, one for each */
	VEC(struct eseg) segs;
	struct sym_elf_names names;
	VEC(char *) shown;	/* demangled; owned */
};

/* Read the tables of the file, which stays open, and of the file with its
 * debug information below debug_dir, if there is one.  ERR_FORMAT for what is
 * not an ELF file.  On failure *s is empty. */
struct err *sym_elf_read(struct esyms *s, int fd, const char *debug_dir);
/* The segments alone, which takes no time; for sym_elf_data_addr(). */
struct err *sym_elf_read_segments(struct esyms *s, int fd);
/* The same as sym_elf_read() of an image in memory, which is not changed. */
struct err *sym_elf_read_memory(struct esyms *s, const void *image,
				size_t size);
void sym_elf_fini(struct esyms *s);
/* What it takes, in bytes. */
size_t sym_elf_size(const struct esyms *s);

/* The address as linked of a byte of the file; false: it is not loaded. */
bool sym_elf_addr(const struct esyms *s, uint64_t file_off, uint64_t *ret);
/* Where in the file the byte of that address is, in code or wherever it may be. */
bool sym_elf_offset(const struct esyms *s, uint64_t addr, bool in_code,
		    uint64_t *ret);
/* The address as linked of what is `distance` away from the byte of the file,
 * in code, at code_off; false: nothing of the file is there. */
bool sym_elf_data_addr(const struct esyms *s, uint64_t code_off,
		       uint64_t distance, uint64_t *ret);
/* The function or variable that covers addr, or NULL. */
struct esym *sym_elf_find(struct esyms *s, uint64_t addr);
/* Its name, for people unless mangled; borrowed until sym_elf_fini(). */
const char *sym_elf_name(struct esyms *s, struct esym *e, bool mangled);

#endif
