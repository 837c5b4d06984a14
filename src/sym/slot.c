/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Relocations that name functions (ELF, and its supplements for x86-64 and aarch64).
 * The file may be anybody's: see elf.c about what that means.
 */
#include "base/base.h"
#include "sym/open_priv.h"
#include "sym/slot.h"
#include "util/cleanup.h"

struct slots {
	Elf *e;
	const GElf_Shdr *section;
	Elf_Data *symbols;		/* that the section's entries name, or NULL */
	GElf_Shdr table;		/* these */
	sym_slot_fn *fn;
	void *ctx;
};

enum kind { OTHER, NAMED, RESOLVED };

static enum kind
kind_of(uint64_t type)
{
	switch (type) {
#if defined(__x86_64__)
	case R_X86_64_JUMP_SLOT:
	case R_X86_64_GLOB_DAT:
	case R_X86_64_64:
		return NAMED;
	case R_X86_64_IRELATIVE:
		return RESOLVED;
#elif defined(__aarch64__)
	case R_AARCH64_JUMP_SLOT:
	case R_AARCH64_GLOB_DAT:
	case R_AARCH64_ABS64:
		return NAMED;
	case R_AARCH64_IRELATIVE:
		return RESOLVED;
#endif
	default:
		return OTHER;
	}
}

static struct err *
on_entry(struct slots *s, const GElf_Rela *r)
{
	struct sym_slot slot = { .addr = r->r_offset };
	GElf_Sym sym;

	switch (kind_of(GELF_R_TYPE(r->r_info))) {
	case RESOLVED:
		slot.resolver = (uint64_t)r->r_addend;
		break;
	case NAMED:
		if (s->symbols && !r->r_addend &&
		    gelf_getsym(s->symbols, (int)GELF_R_SYM(r->r_info), &sym))
			slot.name = elf_strptr(s->e, s->table.sh_link,
					       sym.st_name);
		break;
	case OTHER:
		break;
	}
	return slot.resolver || slot.name ? s->fn(s->ctx, &slot) : NULL;
}

static struct err *
read_section(struct slots *s, Elf_Scn *scn)
{
	Elf_Scn *symbols = elf_getscn(s->e, s->section->sh_link);
	Elf_Data *data = elf_getdata(scn, NULL);
	GElf_Rela r;

	s->symbols = NULL;
	if (symbols && gelf_getshdr(symbols, &s->table) &&
	    s->table.sh_type == SHT_DYNSYM && sym_elf_is_usable(&s->table))
		s->symbols = elf_getdata(symbols, NULL);
	for (int i = 0; data && gelf_getrela(data, i, &r); i++)
		TRY(on_entry(s, &r));
	return NULL;
}

struct err *
sym_elf_slots(int fd, sym_slot_fn *fn, void *ctx)
{
	CLEANUP(sym_elf_endp) Elf *e = sym_elf_open(fd);
	struct slots s = { .e = e, .fn = fn, .ctx = ctx };
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	s.section = &sh;
	while (e && (scn = elf_nextscn(e, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_RELA &&
		    sh.sh_flags & SHF_ALLOC && sym_elf_is_usable(&sh))
			TRY(read_section(&s, scn));
	return NULL;
}
