/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A program or library to a table of its functions and variables.
 *
 * What a file knows of itself differs: .symtab has all functions unless the
 * file was stripped, .dynsym those that others may call, and the file with its
 * debug information, found by the build id that both have, all again.  The
 * tables are read whole and joined.
 *
 * Several names may have one address: functions with a size are better than
 * labels, global ones than local ones, and fewer leading underscores are
 * better than more.  One stays.  Labels inside of a function are left out.
 * An address behind the end of a function belongs to none: in a stripped file
 * much lies between two functions that have names.  Variables are those that
 * have a size and stand outside of code; so they never meet a function.
 *
 * Nothing of the file is kept mapped: it may be cut short while we look.
 *
 * Anybody may have written the file, to whom a terabyte of nothing costs
 * nothing.  So what libelf would allocate for it is looked at before: numbers
 * of headers and sizes of sections (open.c); one table of a
 * kind is read, and of that no more than there is room for.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "sym/debug_priv.h"
#include "sym/elf_priv.h"
#include "sym/file.h"
#include "sym/open_priv.h"
#include "sym/text_priv.h"
#include "util/alloc.h"
#include "util/cleanup.h"

enum {
	LOOK_BACK = 16,		/* functions that may lie in another */
	RANK_LABEL = 64,
	PAGE_MAX = 1 << 16,	/* of any machine */
};

/* --- Symbols -------------------------------------------------------------- */

static bool
is_in_code(Elf *e, const GElf_Sym *sym)
{
	Elf_Scn *scn = elf_getscn(e, sym->st_shndx);
	GElf_Shdr sh;

	return scn && gelf_getshdr(scn, &sh) && sh.sh_flags & SHF_EXECINSTR;
}

/* Functions, variables, and what assemblers make: labels in code. */
static bool
is_wanted(Elf *e, const GElf_Sym *sym, const char *name)
{
	unsigned type = GELF_ST_TYPE(sym->st_info);

	if (sym->st_shndx == SHN_UNDEF || !name || !*name)
		return false;
	if (type == STT_FUNC || type == STT_GNU_IFUNC)
		return true;
	if (type == STT_OBJECT)
		return sym->st_size && !is_in_code(e, sym);
	return type == STT_NOTYPE && *name != '$' && *name != '.' &&
	       is_in_code(e, sym);
}

static uint8_t
rank_of(const GElf_Sym *sym, const char *name)
{
	unsigned bind = GELF_ST_BIND(sym->st_info);
	uint8_t rank = bind == STB_GLOBAL ? 0 : bind == STB_WEAK ? 16 : 32;

	if (GELF_ST_TYPE(sym->st_info) == STT_NOTYPE)
		rank += RANK_LABEL;
	if (!sym->st_size)
		rank += RANK_LABEL;
	return (uint8_t)(rank + sym_underscores(name));
}

static struct err *
add(void *ctx, Elf *e, size_t names, const GElf_Sym *sym)
{
	const char *name = elf_strptr(e, names, sym->st_name);
	struct esyms *s = ctx;
	bool kept;

	if (!is_wanted(e, sym, name) || s->all.n >= SYM_ELF_SYMBOLS_MAX)
		return NULL;
	struct esym y = {
		.addr = sym->st_value, .size = sym->st_size,
		.name = (uint32_t)s->names.n, .rank = rank_of(sym, name),
		.is_data = GELF_ST_TYPE(sym->st_info) == STT_OBJECT,
	};
	TRY(sym_elf_keep_name(&s->names, name, &kept));
	return !kept || vec_push(&s->all, y) ? NULL : &err_nomem;
}

static struct err *
read_segments(struct esyms *s, Elf *e)
{
	size_t n = 0;
	GElf_Phdr ph;

	elf_getphdrnum(e, &n);
	for (size_t i = 0; i < n && gelf_getphdr(e, (int)i, &ph); i++) {
		struct eseg g = { ph.p_offset, ph.p_filesz, ph.p_vaddr,
				  ph.p_memsz, ph.p_flags & PF_X };
		if (ph.p_type == PT_LOAD && !vec_push(&s->segs, g))
			return &err_nomem;
	}
	return NULL;
}

/* --- The debug file ------------------------------------------------------- */

static struct err *
read_debug(struct esyms *s, Elf *main, const char *dir)
{
	uint8_t id[SYM_ID_MAX];
	size_t n = sym_build_id(main, id);
	bool full;

	if (!n)
		return NULL;
	CLEANUP(util_closep) int fd = sym_open_build(id, n, dir);
	if (fd < 0)
		return NULL;
	CLEANUP(sym_elf_endp) Elf *e = sym_elf_open(fd);
	if (!e || !sym_same_build(main, e))
		return NULL;
	return sym_elf_symbols(e, add, s, &full);
}

/* --- The table ------------------------------------------------------------ */

static int
by_addr(const void *x, const void *y)
{
	const struct esym *a = x, *b = y;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

/* One for each address, and no labels inside of functions. */
static void
thin(struct esyms *s)
{
	uint64_t end = 0;	/* of the last function */
	size_t n = 0;

	for (size_t i = 0; i < s->all.n; i++) {
		const struct esym *e = &s->all.v[i];
		if (n && s->all.v[n - 1].addr == e->addr)
			continue;
		if (e->rank >= RANK_LABEL && e->addr < end)
			continue;
		if (e->addr + e->size > end)
			end = e->addr + e->size;
		s->all.v[n++] = *e;
	}
	s->all.n = n;
}

static struct err *
read_elf(struct esyms *s, Elf *e, const char *debug_dir)
{
	bool full;

	if (!e)
		return err_new(ERR_FORMAT, 0, "not an ELF file");
	TRY(read_segments(s, e));
	TRY(sym_elf_symbols(e, add, s, &full));
	if (!full && debug_dir)
		TRY(read_debug(s, e, debug_dir));
	if (s->all.n)
		qsort(s->all.v, s->all.n, sizeof(*s->all.v), by_addr);
	thin(s);
	return NULL;
}

static struct err *
finish(struct esyms *s, struct err *e)
{
	if (e)
		sym_elf_fini(s);
	return e;
}

struct err *
sym_elf_read(struct esyms *s, int fd, const char *debug_dir)
{
	*s = (struct esyms){ 0 };
	CLEANUP(sym_elf_endp) Elf *e = sym_elf_open(fd);
	return finish(s, read_elf(s, e, debug_dir));
}

struct err *
sym_elf_read_segments(struct esyms *s, int fd)
{
	*s = (struct esyms){ 0 };
	CLEANUP(sym_elf_endp) Elf *e = sym_elf_open(fd);
	if (!e)
		return err_new(ERR_FORMAT, 0, "not an ELF file");
	return finish(s, read_segments(s, e));
}

struct err *
sym_elf_read_memory(struct esyms *s, const void *image, size_t size)
{
	*s = (struct esyms){ 0 };
	char *copy = util_alloc(size ? size : 1);
	if (!copy)
		return &err_nomem;
	memcpy(copy, image, size);
	Elf *e = sym_elf_open_memory(copy, size);
	struct err *err = finish(s, read_elf(s, e, NULL));
	elf_end(e);
	util_free(copy);
	return err;
}

void
sym_elf_fini(struct esyms *s)
{
	for (size_t i = 0; i < s->shown.n; i++)
		util_free(s->shown.v[i]);
	vec_fini(&s->shown);
	vec_fini(&s->all);
	vec_fini(&s->segs);
	vec_fini(&s->names);
}

size_t
sym_elf_size(const struct esyms *s)
{
	size_t size = s->all.cap * sizeof(*s->all.v) + s->segs.cap * sizeof(*s->segs.v) +
		      s->names.cap + s->shown.cap * sizeof(*s->shown.v);

	for (size_t i = 0; i < s->shown.n; i++)
		size += strlen(s->shown.v[i]) + 1;
	return size;
}

/* --- Questions ------------------------------------------------------------ */

bool
sym_elf_addr(const struct esyms *s, uint64_t file_off, uint64_t *ret)
{
	for (size_t i = 0; i < s->segs.n; i++) {
		const struct eseg *g = &s->segs.v[i];
		if (file_off - g->off >= g->size)
			continue;
		*ret = file_off - g->off + g->addr;
		return true;
	}
	return false;
}

bool
sym_elf_offset(const struct esyms *s, uint64_t addr, bool in_code, uint64_t *ret)
{
	for (size_t i = 0; i < s->segs.n; i++) {
		const struct eseg *g = &s->segs.v[i];
		if ((in_code && !g->is_code) || addr - g->addr >= g->size)
			continue;
		*ret = addr - g->addr + g->off;
		return true;
	}
	return false;
}

/* The segment of code that holds the byte of the file, where a mapping begins:
 * mappings begin with a page. */
static const struct eseg *
code_at(const struct esyms *s, uint64_t off, uint64_t page)
{
	for (size_t i = 0; i < s->segs.n; i++) {
		const struct eseg *g = &s->segs.v[i];
		if (g->is_code && off - (g->off & -page) < g->size)
			return g;
	}
	return NULL;
}

bool
sym_elf_data_addr(const struct esyms *s, uint64_t code_off, uint64_t distance,
		  uint64_t *ret)
{
	const struct eseg *code = code_at(s, code_off, 1);

	if (!code)
		code = code_at(s, code_off, PAGE_MAX);
	if (!code)
		return false;
	uint64_t at = code->addr + (code_off - code->off) + distance;
	for (size_t i = 0; i < s->segs.n; i++)
		if (at - s->segs.v[i].addr < s->segs.v[i].mem_size) {
			*ret = at;
			return true;
		}
	return false;
}

static bool
covers(const struct esyms *s, size_t i, uint64_t addr)
{
	const struct esym *e = &s->all.v[i];

	if (e->size)
		return addr - e->addr < e->size;
	if (i + 1 == s->all.n || s->all.v[i + 1].is_data)
		return addr == e->addr;
	return addr < s->all.v[i + 1].addr;
}

struct esym *
sym_elf_find(struct esyms *s, uint64_t addr)
{
	size_t n = BASE_HOW_MANY(i, s->all.n, s->all.v[i].addr <= addr);

	assert(!n || s->all.v[n - 1].addr <= addr);		/* sorted */
	assert(n == s->all.n || s->all.v[n].addr > addr);
	for (size_t i = n; i > 0 && n - i < LOOK_BACK; i--)
		if (covers(s, i - 1, addr))
			return &s->all.v[i - 1];
	return NULL;
}

const char *
sym_elf_name(struct esyms *s, struct esym *e, bool mangled)
{
	const char *name = s->names.v + e->name;

	if (mangled)
		return name;
	if (!e->shown) {
		char *text = sym_demangle(name);
		if (!text)
			return name;
		if (!vec_push(&s->shown, text)) {
			util_free(text);
			return name;
		}
		e->shown = (uint32_t)s->shown.n;
	}
	return s->shown.v[e->shown - 1];
}

static int
by_place(const void *a, const void *b)
{
	const struct sym_code_part *x = a, *y = b;

	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

size_t
sym_elf_parts(int fd, struct sym_code_part *ret, size_t max)
{
	struct esyms s;
	struct err *e = sym_elf_read_segments(&s, fd);
	size_t n = 0;

	if (e) {
		err_free(e);
		return 0;
	}
	for (size_t i = 0; i < s.segs.n && n < max; i++) {
		const struct eseg *g = &s.segs.v[i];
		if (g->is_code && g->size)
			ret[n++] = (struct sym_code_part){ g->off, g->size, g->addr };
	}
	sym_elf_fini(&s);
	qsort(ret, n, sizeof(*ret), by_place);
	return n;
}

bool
sym_elf_code(int fd, uint64_t addr, struct sym_code *ret)
{
	struct esyms s;
	struct err *e = sym_elf_read_segments(&s, fd);
	bool found = false;

	if (e) {
		err_free(e);
		return false;
	}
	for (size_t i = 0; i < s.segs.n && !found; i++) {
		const struct eseg *g = &s.segs.v[i];
		found = g->is_code && addr - g->addr < g->size;
		if (found)
			*ret = (struct sym_code){ g->addr, g->size, g->off };
	}
	sym_elf_fini(&s);
	return found;
}
