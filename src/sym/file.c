/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where things lie in an ELF file.  It is asked for one symbol at a time, a few
 * times in a session, so nothing is kept: the tables are read from the start.
 */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

#include "sym/file.h"
#include "util/cleanup.h"

static void
endp(Elf **e)
{
	elf_end(*e);
}

static bool
find_in(Elf *e, Elf_Scn *scn, const GElf_Shdr *sh, const char *name,
	uint64_t *value)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	GElf_Sym sym;

	for (int i = 0; data && gelf_getsym(data, i, &sym); i++) {
		const char *s = elf_strptr(e, sh->sh_link, sym.st_name);
		if (sym.st_shndx == SHN_UNDEF || !s || strcmp(s, name))
			continue;
		*value = sym.st_value;
		return true;
	}
	return false;
}

static bool
find(Elf *e, const char *name, uint64_t *value)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(e, scn)))
		if (gelf_getshdr(scn, &sh) &&
		    (sh.sh_type == SHT_SYMTAB || sh.sh_type == SHT_DYNSYM) &&
		    find_in(e, scn, &sh, name, value))
			return true;
	return false;
}

static uint64_t
first_byte(Elf *e)
{
	GElf_Phdr ph;

	for (int i = 0; gelf_getphdr(e, i, &ph); i++)
		if (ph.p_type == PT_LOAD && ph.p_offset == 0)
			return ph.p_vaddr;
	return 0;
}

bool
sym_elf_is_32(int fd)
{
	unsigned char ident[EI_NIDENT];

	return pread(fd, ident, sizeof(ident), 0) == sizeof(ident) &&
	       !memcmp(ident, ELFMAG, SELFMAG) && ident[EI_CLASS] == ELFCLASS32;
}

struct err *
sym_file_read(const char *path, const char *name, struct sym_file *ret)
{
	CLEANUP(util_closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	GElf_Ehdr eh;

	if (fd < 0)
		return err_new(ERR_OS, errno, "%s: %s", path, strerror(errno));
	elf_version(EV_CURRENT);
	CLEANUP(endp) Elf *e = elf_begin(fd, ELF_C_READ, NULL);
	if (!e || elf_kind(e) != ELF_K_ELF || !gelf_getehdr(e, &eh))
		return err_new(ERR_FORMAT, 0, "%s: not an ELF file", path);
	*ret = (struct sym_file){
		.is_64 = eh.e_ident[EI_CLASS] == ELFCLASS64,
		.start = first_byte(e), .entry = eh.e_entry,
	};
	ret->found = find(e, name, &ret->value);
	return NULL;
}
