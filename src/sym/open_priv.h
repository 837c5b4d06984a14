/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ELF files that may be anybody's, through libelf.
 */
#ifndef SYM_OPEN_PRIV_H
#define SYM_OPEN_PRIV_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>

#include "util/err.h"
#include "util/vec.h"

/* NULL for what is not an ELF file, or none of this machine's byte order, or has
 * more sections or segments than programs have.  fd stays the caller's. */
Elf *sym_elf_open(int fd);
/* The same of an image, borrowed until elf_end(), which may be changed. */
Elf *sym_elf_open_memory(void *image, size_t size);
void sym_elf_endp(Elf **e);		/* for CLEANUP() */

/* Is the section as it is used, and not larger than any that is? */
bool sym_elf_is_usable(const GElf_Shdr *sh);
/* The section of that name. */
bool sym_elf_find_section(Elf *e, const char *name, GElf_Shdr *ret);

/* A symbol, whose name is in the section `names`: elf_strptr(). */
typedef struct err *sym_elf_symbol_fn(void *ctx, Elf *e, size_t names,
				      const GElf_Sym *sym);
/* All symbols of the first .symtab and of the first .dynsym.  *full: there is a
 * .symtab. */
struct err *sym_elf_symbols(Elf *e, sym_elf_symbol_fn *fn, void *ctx, bool *full);
/* The latter alone. */
struct err *sym_elf_dynamic(Elf *e, sym_elf_symbol_fn *fn, void *ctx);

enum { SYM_ELF_SYMBOLS_MAX = 1 << 23 };	/* that are kept */

/* Names of symbols, each with its NUL, one behind the other. */
struct sym_elf_names { char *v; size_t n, cap; };	/* a vec */

/* Append the name without the version behind '@', plain.  *kept: false when it is
 * empty or too long, or there are too many. */
struct err *sym_elf_keep_name(struct sym_elf_names *names, const char *name,
			      bool *kept);

#endif
