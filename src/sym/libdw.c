/* SPDX-License-Identifier: BSD-2-Clause
 *
 * libdw, loaded when somebody asks for it: it and what it needs would cost every
 * start of ours a millisecond, and a machine may be without.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "sym/libdw.h"
#include "sym/open_priv.h"
#include "util/cleanup.h"

static struct err *
load(struct libdw *l)
{
	void *lib = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);

	if (!lib)
		return err_new(ERR_UNSUPPORTED, 0, "debugging information "
			       "cannot be read: there is no libdw.so.1");
#define FN(name) \
	l->name = (__typeof__(name) *)dlsym(lib, #name); \
	if (!l->name) \
		return err_new(ERR_UNSUPPORTED, 0, "libdw.so.1 has no %s()", \
			       #name);
#include "sym/libdw.def"
#undef FN
	/* It came with them. */
	l->reads_packages = dlsym(lib, "dwarf_cu_dwp_section_info");
	return NULL;
}

struct err *
sym_libdw(const struct libdw **ret)
{
	static struct libdw one;
	static bool is_loaded;

	if (!is_loaded)
		TRY(load(&one));
	is_loaded = true;
	*ret = &one;
	return NULL;
}

/* Does the last string in it end?  libdw 0.188 reads on behind those of lines. */
static bool
ends_strings(Elf_Scn *scn, const GElf_Shdr *sh)
{
	if (sh->sh_flags & SHF_COMPRESSED && elf_compress(scn, 0, 0) < 0)
		return false;
	const Elf_Data *d = elf_getdata(scn, NULL);
	return !d || !d->d_size || (d->d_buf && !((const char *)d->d_buf)[d->d_size - 1]);
}

Dwarf *
sym_libdw_begin(const struct libdw *l, Elf *elf)
{
	static const char *const names[] = { ".debug_str", ".debug_line_str" };
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	size_t strs;

	if (elf_getshdrstrndx(elf, &strs))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *name = gelf_getshdr(scn, &sh) ?
				   elf_strptr(elf, strs, sh.sh_name) : NULL;
		if (name && BASE_ANY(i, BASE_NELEMS(names), !strcmp(name, names[i])) &&
		    !ends_strings(scn, &sh))
			return NULL;
	}
	return l->dwarf_begin_elf(elf, DWARF_C_READ, NULL);
}

bool
sym_libdw_unread_package(const struct libdw *l, int fd, char *path, size_t size)
{
	static const char end[] = ".dwp";
	char link[32];
	GElf_Shdr sh;

	if (l->reads_packages)
		return false;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	ssize_t n = readlink(link, path, size);
	if (n < 0 || (size_t)n + sizeof(end) > size)
		return false;
	memcpy(path + n, end, sizeof(end));
	CLEANUP(util_closep) int package = open(path, O_RDONLY | O_CLOEXEC);
	CLEANUP(sym_elf_endp) Elf *e = package < 0 ? NULL : sym_elf_open(package);
	return e && sym_elf_find_section(e, ".debug_cu_index", &sh);
}
