/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Opening ELF files that anybody may have written, to whom a terabyte of nothing
 * costs nothing: what libelf would make room for is looked at before.
 */
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "sym/open_priv.h"

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define MY_DATA ELFDATA2LSB
#else
#define MY_DATA ELFDATA2MSB
#endif

enum { SECTION_MAX = 1 << 29 };	/* bytes */

union head {
	unsigned char ident[EI_NIDENT];
	Elf32_Ehdr h32;
	Elf64_Ehdr h64;
};

/* Is it an ELF file that has so few sections and segments that their numbers
 * fit its header?  Programs and libraries do. */
static bool
is_small(const union head *u)
{
	if (memcmp(u->ident, ELFMAG, SELFMAG) != 0 ||
	    u->ident[EI_DATA] != MY_DATA)
		return false;
	if (u->ident[EI_CLASS] == ELFCLASS64)
		return (u->h64.e_shnum || !u->h64.e_shoff) &&
		       u->h64.e_phnum != PN_XNUM;
	return (u->h32.e_shnum || !u->h32.e_shoff) &&
	       u->h32.e_phnum != PN_XNUM;
}

static Elf *
usable(Elf *e)
{
	if (e && elf_kind(e) != ELF_K_ELF) {
		elf_end(e);
		return NULL;
	}
	return e;
}

Elf *
sym_elf_open(int fd)
{
	union head u = { .ident = { 0 } };

	elf_version(EV_CURRENT);
	if (pread(fd, &u, sizeof(u), 0) < (ssize_t)sizeof(u.h32) ||
	    !is_small(&u))
		return NULL;
	return usable(elf_begin(fd, ELF_C_READ, NULL));
}

Elf *
sym_elf_open_memory(void *image, size_t size)
{
	union head u = { .ident = { 0 } };

	elf_version(EV_CURRENT);
	if (size < sizeof(u.h32))
		return NULL;
	memcpy(&u, image, BASE_MIN(size, sizeof(u)));
	return is_small(&u) ? usable(elf_memory(image, size)) : NULL;
}

bool
sym_elf_is_usable(const GElf_Shdr *sh)
{
	return sh->sh_size <= SECTION_MAX && !(sh->sh_flags & SHF_COMPRESSED);
}

void
sym_elf_endp(Elf **e)
{
	elf_end(*e);
}
