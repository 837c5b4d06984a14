/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Opening ELF files that anybody may have written, to whom a terabyte of nothing
 * costs nothing: what libelf would make room for is looked at before.
 */
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "sym/open_priv.h"
#include "sym/text_priv.h"

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define MY_DATA ELFDATA2LSB
#else
#define MY_DATA ELFDATA2MSB
#endif

enum {
	SECTION_MAX = 1 << 29,	/* bytes */
	NAMES_MAX = 1 << 29,	/* bytes */
	NAME_MAX_SIZE = 1 << 16, /* of one; longer ones are left out */
};

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

bool
sym_elf_find_section(Elf *e, const char *name, GElf_Shdr *ret)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(e, &names))
		return false;
	while ((scn = elf_nextscn(e, scn))) {
		if (!gelf_getshdr(scn, ret))
			continue;
		const char *own = elf_strptr(e, names, ret->sh_name);
		if (own && strcmp(own, name) == 0)
			return true;
	}
	return false;
}

static struct err *
read_table(Elf *e, Elf_Scn *scn, const GElf_Shdr *sh, sym_elf_symbol_fn *fn,
	   void *ctx)
{
	Elf_Scn *strings = elf_getscn(e, sh->sh_link);
	GElf_Shdr str;
	GElf_Sym sym;

	if (!sym_elf_is_usable(sh) || !strings ||
	    !gelf_getshdr(strings, &str) || str.sh_type != SHT_STRTAB ||
	    !sym_elf_is_usable(&str))
		return NULL;
	Elf_Data *data = elf_getdata(scn, NULL);
	for (int i = 0; data && gelf_getsym(data, i, &sym); i++)
		TRY(fn(ctx, e, sh->sh_link, &sym));
	return NULL;
}

struct err *
sym_elf_symbols(Elf *e, sym_elf_symbol_fn *fn, void *ctx, bool *full)
{
	bool dynamic = false;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	*full = false;
	while ((scn = elf_nextscn(e, scn))) {
		if (!gelf_getshdr(scn, &sh))
			continue;
		bool *seen = sh.sh_type == SHT_SYMTAB ? full :
			     sh.sh_type == SHT_DYNSYM ? &dynamic : NULL;
		if (!seen || *seen)
			continue;
		*seen = true;
		TRY(read_table(e, scn, &sh, fn, ctx));
	}
	return NULL;
}

struct err *
sym_elf_dynamic(Elf *e, sym_elf_symbol_fn *fn, void *ctx)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(e, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_DYNSYM)
			return read_table(e, scn, &sh, fn, ctx);
	return NULL;
}

struct err *
sym_elf_keep_name(struct sym_elf_names *names, const char *name, bool *kept)
{
	size_t n = strnlen(name, NAME_MAX_SIZE);
	const char *version = memchr(name, '@', n);

	if (version)
		n = (size_t)(version - name);
	*kept = n && n < NAME_MAX_SIZE && names->n + NAME_MAX_SIZE <= NAMES_MAX;
	if (!*kept)
		return NULL;
	if (!vec_reserve(names, n + 1))
		return &err_nomem;
	char *to = names->v + names->n;
	memcpy(to, name, n);
	sym_make_plain(to, n);
	to[n] = '\0';
	names->n += n + 1;
	return NULL;
}

void
sym_elf_endp(Elf **e)
{
	elf_end(*e);
}
