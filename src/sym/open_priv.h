/* SPDX-License-Identifier: BSD-2-Clause
 *
 * ELF files that may be anybody's, through libelf.
 */
#ifndef SYM_OPEN_PRIV_H
#define SYM_OPEN_PRIV_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>

/* NULL for what is not an ELF file, or none of this machine's byte order, or has
 * more sections or segments than programs have.  fd stays the caller's. */
Elf *sym_elf_open(int fd);
/* The same of an image, borrowed until elf_end(), which may be changed. */
Elf *sym_elf_open_memory(void *image, size_t size);
void sym_elf_endp(Elf **e);		/* for CLEANUP() */

/* Is the section as it is used, and not larger than any that is? */
bool sym_elf_is_usable(const GElf_Shdr *sh);

#endif
