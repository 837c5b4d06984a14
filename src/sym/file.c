/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where things lie in an ELF file.  It is asked for one symbol at a time, a few
 * times in a session, so nothing is kept: the tables are read from the start.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "sym/file.h"
#include "sym/open_priv.h"
#include "util/cleanup.h"

struct finding {
	const char *name;
	struct sym_file *ret;
};

static struct err *
on_symbol(void *ctx, Elf *e, size_t names, const GElf_Sym *sym)
{
	const char *name = elf_strptr(e, names, sym->st_name);
	struct finding *f = ctx;

	if (f->ret->found || sym->st_shndx == SHN_UNDEF || !name ||
	    strcmp(name, f->name) != 0)
		return NULL;
	f->ret->is_of_thread = GELF_ST_TYPE(sym->st_info) == STT_TLS;
	f->ret->found = !f->ret->is_of_thread;
	f->ret->is_data = GELF_ST_TYPE(sym->st_info) == STT_OBJECT;
	f->ret->value = sym->st_value;
	return NULL;
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

static bool
is_pie(Elf *e)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	GElf_Dyn dyn;

	while ((scn = elf_nextscn(e, scn))) {
		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_DYNAMIC ||
		    !sym_elf_is_usable(&sh))
			continue;
		Elf_Data *data = elf_getdata(scn, NULL);
		for (int i = 0; data && gelf_getdyn(data, i, &dyn) &&
		     dyn.d_tag != DT_NULL; i++)
			if (dyn.d_tag == DT_FLAGS_1)
				return dyn.d_un.d_val & DF_1_PIE;
	}
	return false;
}

bool
sym_elf_is_program(int fd)
{
	CLEANUP(sym_elf_endp) Elf *e = sym_elf_open(fd);
	GElf_Ehdr eh;

	return e && gelf_getehdr(e, &eh) &&
	       (eh.e_type == ET_EXEC || (eh.e_type == ET_DYN && is_pie(e)));
}

static struct err *
read_file(const char *path, const char *name, bool all, struct sym_file *ret)
{
	CLEANUP(util_closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct finding f = { name, ret };
	GElf_Ehdr eh;
	bool full;

	if (fd < 0)
		return err_new(ERR_OS, errno, "%s: %s", path, strerror(errno));
	CLEANUP(sym_elf_endp) Elf *e = sym_elf_open(fd);
	if (!e || !gelf_getehdr(e, &eh))
		return err_new(ERR_FORMAT, 0, "%s: not an ELF file", path);
	*ret = (struct sym_file){
		.is_64 = eh.e_ident[EI_CLASS] == ELFCLASS64,
		.start = first_byte(e), .entry = eh.e_entry,
	};
	return all ? sym_elf_symbols(e, on_symbol, &f, &full)
		   : sym_elf_dynamic(e, on_symbol, &f);
}

struct err *
sym_file_read(const char *path, const char *name, struct sym_file *ret)
{
	return read_file(path, name, true, ret);
}

struct err *
sym_file_exported(const char *path, const char *name, struct sym_file *ret)
{
	return read_file(path, name, false, ret);
}
