/* SPDX-License-Identifier: BSD-2-Clause
 *
 * An ELF file with probes: what a linker would have made of a library that has one
 * function for each.  Whoever looks for probes in the files of a process finds it by
 * its notes (doc/internals/notes.md).
 *
 *	page 0...	headers, stubs, sections of notes and names	r-x
 *	next page...	.probes: the counters				rw-
 *
 * A stub is `nop; ret`, and its arguments are where the ABI puts those of a function:
 * six registers on x86-64, eight on aarch64, and then the stack.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "usdt/usdt_priv.h"

enum { S_NULL, S_TEXT, S_NOTES, S_OURS, S_BASE, S_PROBES, S_NAMES, NSECTIONS };

static const char names[] = "\0.text\0.note.stapsdt\0.note.dtrace\0"
	".stapsdt.base\0.probes\0.shstrtab";
static const Elf64_Word name_at[NSECTIONS] = { 0, 1, 7, 21, 34, 48, 56 };

static void
put(struct usdt_image *f, const void *p, size_t n)
{
	if (f->len + n > f->size && !f->failed) {
		size_t size = 2 * f->size + n + 4096;
		unsigned char *q = realloc(f->p, size);
		f->failed = !q;
		f->p = q ? q : f->p;
		f->size = q ? size : f->size;
	}
	if (f->failed)
		return;
	if (p)
		memcpy(f->p + f->len, p, n);
	else
		memset(f->p + f->len, 0, n);
	f->len += n;
}

static void
put_text(struct usdt_image *f, const char *s)
{
	put(f, s, strlen(s));
}

static void
align(struct usdt_image *f, size_t to)
{
	put(f, NULL, (to - f->len % to) % to);
}

/* The operand of argument i of this size, at a stub. */
static void
put_operand(struct usdt_image *f, unsigned i, int size)
{
	char text[32];
#ifdef __aarch64__
	if (i < 8)
		snprintf(text, sizeof(text), "%d@x%u", size, i);
	else
		snprintf(text, sizeof(text), "%d@[sp, %u]", size, (i - 8) * 8);
#else
	static const char *const regs[][4] = {
		{ "dil", "di", "edi", "rdi" }, { "sil", "si", "esi", "rsi" },
		{ "dl", "dx", "edx", "rdx" }, { "cl", "cx", "ecx", "rcx" },
		{ "r8b", "r8w", "r8d", "r8" }, { "r9b", "r9w", "r9d", "r9" },
	};
	unsigned bytes = (unsigned)abs(size);
	unsigned log = bytes == 8 ? 3 : bytes / 2;
	if (i < 6)
		snprintf(text, sizeof(text), "%d@%%%s", size, regs[i][log]);
	else
		snprintf(text, sizeof(text), "%d@%u(%%rsp)", size,
			 8 + (i - 6) * 8);
#endif
	put_text(f, text);
}

/* Begin a note of this type and length; what follows is its contents. */
static void
put_note(struct usdt_image *f, const char *name, size_t size, unsigned type)
{
	const Elf64_Nhdr h = { (Elf64_Word)strlen(name) + 1, (Elf64_Word)size,
			       type };

	put(f, &h, sizeof(h));
	put(f, name, strlen(name) + 1);
	align(f, 4);
}

static void
put_probe(struct usdt_image *f, const char *prov,
	  const struct dtrace_usdt_probe *p, const uint64_t where[3])
{
	size_t head = f->len;

	put_note(f, "stapsdt", 0, 3);
	size_t from = f->len;
	put(f, where, 3 * sizeof(where[0]));
	put(f, prov, strlen(prov) + 1);
	put(f, p->name, strlen(p->name) + 1);
	for (unsigned i = 0; i < p->nargs; i++) {
		if (i)
			put_text(f, " ");
		put_operand(f, i, p->size[i]);
	}
	put(f, NULL, 1);
	Elf64_Word size = (Elf64_Word)(f->len - from);
	if (!f->failed)
		memcpy(f->p + head + offsetof(Elf64_Nhdr, n_descsz), &size,
		       sizeof(size));
	align(f, 4);
}

/* The definition, as a note of our own. */
static void
put_definition(struct usdt_image *f, const struct dtrace_usdt *u)
{
	size_t head = f->len;

	put_note(f, "dtrace", 0, 1);
	size_t from = f->len;
	put_text(f, "provider ");
	put_text(f, u->name);
	put_text(f, "{");
	for (struct dtrace_usdt_probe *p = u->probes; p != u->shown; p = p->next) {
		put_text(f, "probe ");
		put_text(f, p->name);
		put_text(f, "(");
		put_text(f, p->types);
		put_text(f, ");");
	}
	put(f, "};", 3);
	Elf64_Word size = (Elf64_Word)(f->len - from);
	if (!f->failed)
		memcpy(f->p + head + offsetof(Elf64_Nhdr, n_descsz), &size,
		       sizeof(size));
	align(f, 4);
}

static Elf64_Shdr
section(const struct usdt_image *f, int i, Elf64_Word type, Elf64_Xword flags,
	size_t from, size_t align_)
{
	return (Elf64_Shdr){ .sh_name = name_at[i], .sh_type = type,
		.sh_flags = flags, .sh_addr = flags ? from : 0,
		.sh_offset = from, .sh_size = f->len - from,
		.sh_addralign = align_ };
}

const unsigned char usdt_stub[USDT_STUB] = {
#ifdef __aarch64__
	0x1f, 0x20, 0x03, 0xd5,  0xc0, 0x03, 0x5f, 0xd6
#else
	0x90, 0xc3, 0xcc, 0xcc,  0xcc, 0xcc, 0xcc, 0xcc
#endif
};

/* The file's head, when all else is there. */
static void
put_head(struct usdt_image *f, size_t sections, const struct usdt_places *at)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	const Elf64_Ehdr h = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_DYN,
#ifdef __aarch64__
		.e_machine = EM_AARCH64,
#else
		.e_machine = EM_X86_64,
#endif
		.e_version = EV_CURRENT, .e_phoff = sizeof(h),
		.e_shoff = sections, .e_ehsize = sizeof(h),
		.e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 2,
		.e_shentsize = sizeof(Elf64_Shdr), .e_shnum = NSECTIONS,
		.e_shstrndx = S_NAMES };
	const Elf64_Phdr ph[2] = {
		{ .p_type = PT_LOAD, .p_flags = PF_R | PF_X,
		  .p_filesz = at->code, .p_memsz = at->code, .p_align = page },
		{ .p_type = PT_LOAD, .p_flags = PF_R | PF_W,
		  .p_offset = at->counters, .p_vaddr = at->counters,
		  .p_paddr = at->counters, .p_filesz = f->len - at->counters,
		  .p_memsz = f->len - at->counters, .p_align = page } };

	memcpy(f->p, &h, sizeof(h));
	memcpy(f->p + sizeof(h), ph, sizeof(ph));
}

bool
usdt_image(const struct dtrace_usdt *u, struct usdt_image *f,
	   struct usdt_places *ret)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), n = 0, from, notes = 0;
	Elf64_Shdr sh[NSECTIONS] = { { 0 } };
	struct usdt_places at;

	for (struct dtrace_usdt_probe *p = u->probes; p != u->shown; p = p->next) {
		n++;
		notes += 256 + strlen(u->name) + strlen(p->name) +
			strlen(p->types) + 24 * DTRACE_USDT_NARGS;
	}
	put(f, NULL, sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr));
	align(f, 64);
	at.stubs = f->len;
	/* The counters come behind whatever the notes may need. */
	at.code = at.stubs + n * USDT_STUB + notes + 4096;
	at.code = at.counters = (at.code + page - 1) / page * page;
	for (size_t i = 0; i < n; i++)
		put(f, usdt_stub, USDT_STUB);
	sh[S_TEXT] = section(f, S_TEXT, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR,
			     at.stubs, 16);
	from = f->len;
	put(f, NULL, 1);
	sh[S_BASE] = section(f, S_BASE, SHT_PROGBITS, SHF_ALLOC, from, 1);
	align(f, 4);
	from = f->len;
	n = 0;
	for (struct dtrace_usdt_probe *p = u->probes; p != u->shown;
	     p = p->next, n++) {
		const uint64_t where[3] = { at.stubs + n * USDT_STUB,
			sh[S_BASE].sh_addr, at.counters + 2 * n };
		put_probe(f, u->name, p, where);
	}
	sh[S_NOTES] = section(f, S_NOTES, SHT_NOTE, 0, from, 4);
	from = f->len;
	put_definition(f, u);
	sh[S_OURS] = section(f, S_OURS, SHT_NOTE, 0, from, 4);
	from = f->len;
	put(f, names, sizeof(names));
	sh[S_NAMES] = section(f, S_NAMES, SHT_STRTAB, 0, from, 1);
	align(f, 8);
	from = f->len;			/* the headers, filled in below */
	put(f, NULL, sizeof(sh));
	if (f->failed || f->len > at.code)
		return false;
	size_t heads = from;
	put(f, NULL, at.counters - f->len);
	put(f, NULL, 2 * n);
	sh[S_PROBES] = section(f, S_PROBES, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE,
			       at.counters, 2);
	if (f->failed)
		return false;
	put_head(f, heads, &at);
	memcpy(f->p + heads, sh, sizeof(sh));
	*ret = at;
	return true;
}
