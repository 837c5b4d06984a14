/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The object of dtrace -G.  Programs need none, as what the header's macros leave in
 * their objects is whole; but there are Makefiles that call dtrace -G and link what
 * it makes.  So it makes an object with the same note that the header has, in a
 * group of the same name: linked together they are there once.  Where there is
 * nothing to say it is an object without code, data and note.
 *
 *	section 1 .group	2 .note.dtrace	3 .symtab  4 .strtab
 *		5 .shstrtab	6 .note.GNU-stack: no stack is to be executable
 *
 * Without a provider 1 and 2 are there and empty, of type SHT_NULL.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "provide/provide_priv.h"
#include "util/cleanup.h"

enum { NAME_MAX_ = 256, NSECTIONS = 7 };

static const char section_names[] =
	"\0.group\0.note.dtrace\0.symtab\0.strtab\0.shstrtab\0.note.GNU-stack";

/* What objects have to be alike in. */
struct machine {
	uint16_t machine;
	uint32_t flags;
};

static const struct machine here = {
#ifdef __aarch64__
	EM_AARCH64, 0
#else
	EM_X86_64, 0
#endif
};

/* SHF_GNU_RETAIN is of GNU's ABI. */
static const unsigned char ident[EI_NIDENT] = {
	ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT,
	ELFOSABI_GNU
};

static struct err *
read_object(const char *path, struct machine *ret)
{
	CLEANUP(util_closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf64_Ehdr h;

	if (fd < 0)
		return err_new(ERR_OS, errno, "%s: %s", path, strerror(errno));
	if (read(fd, &h, sizeof(h)) != sizeof(h) ||
	    memcmp(h.e_ident, ELFMAG, SELFMAG) ||
	    h.e_ident[EI_CLASS] != ELFCLASS64 ||
	    h.e_ident[EI_DATA] != ELFDATA2LSB || h.e_type != ET_REL)
		return err_new(ERR_FORMAT, 0, "%s: this is no object file for "
			       "64 bits", path);
	ret->machine = h.e_machine;
	ret->flags = h.e_flags;
	return NULL;
}

/* --- Parts, each at a multiple of 8 ----------------------------------------- */

static void
align(struct sb *b, size_t from, size_t to)
{
	while ((b->len - from) % to && !b->failed)
		sb_putc(b, '\0');
}

static void
put_section(struct sb *b, size_t from, Elf64_Shdr *sh, const void *p,
	    size_t size)
{
	align(b, from, 8);
	sh->sh_offset = b->len - from;
	sh->sh_size = size;
	sb_putn(b, p, size);
}

static uint32_t
name_at(const char *name)
{
	const char *p = memmem(section_names, sizeof(section_names), name,
			       strlen(name) + 1);

	return (uint32_t)(p - section_names);
}

/* The note, and the group that is called as the symbol at sym. */
static void
put_note(struct sb *b, size_t from, Elf64_Shdr *sh, const struct sb *text)
{
	const Elf64_Word group[] = { GRP_COMDAT, 2 };
	const Elf64_Nhdr note = { sizeof("dtrace"), (Elf64_Word)text->len + 1,
				  PROVIDE_NOTE_D };

	sh[1] = (Elf64_Shdr){ .sh_name = name_at(".group"),
		.sh_type = SHT_GROUP, .sh_link = 3, .sh_info = 1,
		.sh_addralign = 4, .sh_entsize = sizeof(group[0]) };
	put_section(b, from, &sh[1], group, sizeof(group));
	sh[2] = (Elf64_Shdr){ .sh_name = name_at(".note.dtrace"),
		.sh_type = SHT_NOTE, .sh_flags = PROVIDE_NOTE_FLAGS,
		.sh_addralign = 4 };
	put_section(b, from, &sh[2], &note, sizeof(note));
	sb_putn(b, "dtrace\0", 8);
	sb_putn(b, sb_str(text), text->len);
	sb_putc(b, '\0');
	align(b, from, 4);
	sh[2].sh_size = b->len - from - sh[2].sh_offset;
}

static void
put_symbols(struct sb *b, size_t from, Elf64_Shdr *sh, const char *name)
{
	char strings[NAME_MAX_] = "";
	size_t n = 1;
	Elf64_Sym syms[2] = { { 0 } };

	if (name) {
		n += (size_t)snprintf(strings + 1, sizeof(strings) - 1,
				      "__dtracenote_%s", name) + 1;
		syms[1] = (Elf64_Sym){ .st_name = 1,
			.st_info = ELF64_ST_INFO(STB_WEAK, STT_NOTYPE),
			.st_other = STV_HIDDEN, .st_shndx = 2 };
	}
	sh[3] = (Elf64_Shdr){ .sh_name = name_at(".symtab"),
		.sh_type = SHT_SYMTAB, .sh_link = 4, .sh_info = 1,
		.sh_addralign = 8, .sh_entsize = sizeof(syms[0]) };
	put_section(b, from, &sh[3], syms, (name ? 2 : 1) * sizeof(syms[0]));
	sh[4] = (Elf64_Shdr){ .sh_name = name_at(".strtab"),
		.sh_type = SHT_STRTAB, .sh_addralign = 1 };
	put_section(b, from, &sh[4], strings, n);
	sh[5] = (Elf64_Shdr){ .sh_name = name_at(".shstrtab"),
		.sh_type = SHT_STRTAB, .sh_addralign = 1 };
	put_section(b, from, &sh[5], section_names, sizeof(section_names));
	sh[6] = (Elf64_Shdr){ .sh_name = name_at(".note.GNU-stack"),
		.sh_type = SHT_PROGBITS, .sh_addralign = 1 };
	put_section(b, from, &sh[6], "", 0);
}

static struct err *
put_object(const struct machine *m, const char *name, const struct sb *text,
	   struct sb *b)
{
	Elf64_Shdr sh[NSECTIONS] = { { 0 } };
	Elf64_Ehdr h = { .e_type = ET_REL, .e_machine = m->machine,
		.e_version = EV_CURRENT, .e_flags = m->flags,
		.e_ehsize = sizeof(h), .e_shentsize = sizeof(sh[0]),
		.e_shnum = NSECTIONS, .e_shstrndx = 5 };
	size_t from = b->len;

	memcpy(h.e_ident, ident, sizeof(h.e_ident));
	sb_putn(b, &h, sizeof(h));
	if (name)
		put_note(b, from, sh, text);
	put_symbols(b, from, sh, name);
	align(b, from, 8);
	h.e_shoff = b->len - from;
	sb_putn(b, sh, sizeof(sh));
	if (b->failed)
		return &err_nomem;
	memcpy(b->p + from, &h, sizeof(h));
	return NULL;
}

struct err *
provide_object(const struct ast_program *prog, unsigned n,
	       char *const *objects, struct sb *b)
{
	struct machine m = here, other;
	struct sb text;

	for (unsigned i = 0; i < n; i++) {
		TRY(read_object(objects[i], i ? &other : &m));
		if (i && (other.machine != m.machine))
			return err_new(ERR_INVALID, 0, "%s and %s are for "
				       "different machines", objects[0],
				       objects[i]);
	}
	TRY(provide_check(prog));
	sb_init(&text, b->max);
	provide_text(prog, &text);
	struct err *e = text.failed ? &err_nomem :
		put_object(&m, provide_first(prog), &text, b);
	sb_fini(&text);
	return e;
}
