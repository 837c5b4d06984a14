/* SPDX-License-Identifier: BSD-2-Clause
 *
 * All functions that a program or library has, one after the other, with where
 * their code stands in the file: what somebody needs who wants to put probes
 * there.  (elf.c answers the opposite question, and keeps one name for an
 * address.)
 *
 * Names come from .symtab, .dynsym and, of a stripped file, from two others: the one
 * that has its debugging information, if that is installed, and .gnu_debugdata, a
 * small ELF file that distributions leave in there, with a .symtab of what
 * .dynsym has not, compressed with xz.  A function that two tables have is told
 * once.  Neither has code: where that stands is what the segments of the file itself
 * say.
 *
 * liblzma is loaded when it is needed, and nobody else pays for it when programs
 * start (0.3 ms).
 *
 * The file may be anybody's: see elf.c about what that means.
 */
#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "sym/debug.h"
#include "sym/elf_priv.h"
#include "sym/file.h"
#include "sym/open_priv.h"
#include "sym/text_priv.h"
#include "util/alloc.h"
#include "util/cleanup.h"

enum {
	SMALL_FILE_MAX = 1 << 27, /* bytes, of .gnu_debugdata uncompressed */
	LZMA_MEMORY_MAX = 1 << 27,
};

struct entry {
	uint64_t value, size, offset;
	uint32_t name;		/* offset into names */
	uint8_t bind, type, rank;
};

/* A section, which is mostly that of the symbol before, too. */
struct place {
	Elf *e;
	size_t index;
	GElf_Shdr sh;
	bool is_code;
};

struct walk {
	const uint64_t *places;	/* in the file, ascending: nobody asks for functions */
	size_t nplaces;		/* that hold none of them; NULL: all are asked for */
	struct esyms file;	/* its segments alone */
	bool is_linked;		/* values are addresses, and not places in
				 * sections */
	VEC(struct entry) all;
	struct sym_elf_names names;
	struct place code;	/* of the symbol before */
};

static void
walk_fini(struct walk *w)
{
	sym_elf_fini(&w->file);
	vec_fini(&w->all);
	vec_fini(&w->names);
}

/* --- One symbol ------------------------------------------------------------ */

/* Where the linker put the way to functions of others. */
static bool
is_plt(Elf *e, const GElf_Shdr *sh)
{
	size_t names;
	const char *name = elf_getshdrstrndx(e, &names) ? NULL :
			   elf_strptr(e, names, sh->sh_name);

	return name && (!strncmp(name, ".plt", 4) || !strncmp(name, ".iplt", 5));
}

/* Have the section that the symbol's code is in; false: it has none here. */
static bool
section_of(Elf *e, const GElf_Sym *sym, struct place *p)
{
	if (sym->st_shndx == SHN_UNDEF || sym->st_shndx >= SHN_LORESERVE)
		return false;
	if (p->e != e || p->index != sym->st_shndx) {
		Elf_Scn *scn = elf_getscn(e, sym->st_shndx);
		p->e = e;
		p->index = sym->st_shndx;
		p->is_code = scn && gelf_getshdr(scn, &p->sh) &&
			     p->sh.sh_flags & SHF_EXECINSTR &&
			     !is_plt(e, &p->sh);
	}
	return p->is_code;
}

/* False: no code of the file is at that address. */
static bool
offset_of(const struct walk *w, const GElf_Sym *sym, const GElf_Shdr *sh,
	  uint64_t *ret)
{
	if (!w->is_linked) {
		*ret = sh->sh_offset + sym->st_value;
		return sh->sh_type != SHT_NOBITS &&
		       sym->st_value < sh->sh_size;
	}
	return sym_elf_offset(&w->file, sym->st_value, true, ret);
}

/* Does somebody ask for code of size bytes there? */
static bool
is_wanted(const struct walk *w, uint64_t offset, uint64_t size)
{
	if (!w->places)
		return true;
	size_t n = BASE_HOW_MANY(i, w->nplaces, w->places[i] < offset);
	return n < w->nplaces && w->places[n] - offset < size;
}

static uint8_t
rank_of(unsigned bind, const char *name)
{
	return (uint8_t)((bind == STB_LOCAL ? 32 : bind == STB_WEAK ? 16 : 0) +
			 sym_underscores(name));
}

static struct err *
add(void *ctx, Elf *e, size_t names, const GElf_Sym *sym)
{
	struct walk *w = ctx;
	struct entry y = {
		.value = sym->st_value, .size = sym->st_size,
		.name = (uint32_t)w->names.n,
		.bind = GELF_ST_BIND(sym->st_info),
		.type = GELF_ST_TYPE(sym->st_info),
	};
	bool kept;

	if ((y.type != STT_FUNC && y.type != STT_GNU_IFUNC) ||
	    !section_of(e, sym, &w->code) ||
	    !offset_of(w, sym, &w->code.sh, &y.offset) ||
	    !is_wanted(w, y.offset, y.size) || w->all.n >= SYM_ELF_SYMBOLS_MAX)
		return NULL;
	const char *name = elf_strptr(e, names, sym->st_name);
	if (!name)
		return NULL;
	y.rank = rank_of(y.bind, name);
	TRY(sym_elf_keep_name(&w->names, name, &kept));
	return !kept || vec_push(&w->all, y) ? NULL : &err_nomem;
}

/* --- The file with its debugging information ------------------------------- */

static struct err *
read_debug_file(struct walk *w, int fd, const char *path)
{
	CLEANUP(util_closep) int debug = -1;
	bool full;
	struct err *err = sym_debug_open(fd, path, NULL, &debug);

	if (err)			/* most have none */
		return err_only_nomem(err);
	CLEANUP(sym_elf_endp) Elf *e = sym_elf_open(debug);
	return e ? sym_elf_symbols(e, add, w, &full) : NULL;
}

/* --- .gnu_debugdata -------------------------------------------------------- */

typedef __typeof__(lzma_stream_buffer_decode) decode_fn;

/* NULL: there is no such library here.  It stays. */
static decode_fn *
find_decoder(void)
{
	void *lib = dlopen("liblzma.so.5", RTLD_NOW | RTLD_LOCAL);

	return lib ? (decode_fn *)dlsym(lib, "lzma_stream_buffer_decode")
		   : NULL;
}

/* How large it becomes is not known before: try, and try with more room. */
static struct err *
uncompress(const struct sym_section *in, void **ret, size_t *size)
{
	decode_fn *decode = find_decoder();
	lzma_ret r = LZMA_BUF_ERROR;
	size_t room = in->size;

	if (!decode)
		return err_new(ERR_UNSUPPORTED, 0, ".gnu_debugdata cannot be "
			       "read: there is no liblzma.so.5");
	while (r == LZMA_BUF_ERROR && room < SMALL_FILE_MAX) {
		uint64_t memory = LZMA_MEMORY_MAX;
		size_t in_at = 0, out_at = 0;
		room = BASE_MIN(room * 4 + 4096, (size_t)SMALL_FILE_MAX);
		CLEANUP(util_freep) uint8_t *out = util_alloc(room);
		if (!out)
			return &err_nomem;
		r = decode(&memory, 0, NULL, in->data, &in_at, in->size, out,
			   &out_at, room);
		if (r == LZMA_MEM_ERROR)
			return &err_nomem;
		if (r != LZMA_OK)
			continue;
		*ret = out;
		*size = out_at;
		out = NULL;
		return NULL;
	}
	return err_new(ERR_FORMAT, 0, ".gnu_debugdata is damaged, or too "
		       "large");
}

static struct err *
read_small_file(struct walk *w, Elf *outer, int fd)
{
	CLEANUP(sym_section_fini) struct sym_section packed = { 0 };
	CLEANUP(util_freep) void *image = NULL;
	size_t size = 0;
	bool full;

	struct err *err = sym_elf_section(fd, ".gnu_debugdata", &packed);
	if (err && err->code == ERR_NOTFOUND) {
		err_free(err);
		return NULL;
	}
	if (err)
		return err;
	TRY(uncompress(&packed, &image, &size));
	CLEANUP(sym_elf_endp) Elf *e = sym_elf_open_memory(image, size);
	if (!e)
		return err_new(ERR_FORMAT, 0, ".gnu_debugdata is no ELF file");
	return sym_elf_symbols(e, add, w, &full);
}

/* --- In order -------------------------------------------------------------- */

/* Places in the file rather than addresses, so that sections of a file that is
 * not linked do not mix. */
static int
by_place(const void *x, const void *y, void *ctx)
{
	const struct entry *a = x, *b = y;

	if (a->offset != b->offset)
		return a->offset < b->offset ? -1 : 1;
	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	int c = strcmp((const char *)ctx + a->name, (const char *)ctx + b->name);
	return c ? c : a->size > b->size ? -1 : a->size < b->size;
}

enum { NAMES_OF_PLACE = 64 };	/* that are compared: a file may have millions */

/* Is one of the entries from `first` on, all of one place, of y's name? */
static bool
is_there(const struct walk *w, size_t first, const struct entry *y)
{
	if (w->all.n - first > NAMES_OF_PLACE)
		first = w->all.n - NAMES_OF_PLACE;
	for (size_t i = first; i < w->all.n; i++)
		if (!strcmp(w->names.v + w->all.v[i].name, w->names.v + y->name))
			return true;
	return false;
}

/* In order, and once for all that several tables say of one name at one place: the
 * best comes first. */
static void
join(struct walk *w)
{
	size_t n = w->all.n, first = 0;

	if (!n)
		return;
	qsort_r(w->all.v, n, sizeof(*w->all.v), by_place, w->names.v);
	w->all.n = 0;
	for (size_t i = 0; i < n; i++) {
		const struct entry y = w->all.v[i];
		if (!w->all.n || w->all.v[first].offset != y.offset ||
		    w->all.v[first].value != y.value)
			first = w->all.n;
		if (!is_there(w, first, &y))
			w->all.v[w->all.n++] = y;
	}
}

static struct err *
tell(const struct walk *w, sym_elf_fn *fn, void *ctx)
{
	for (size_t i = 0; i < w->all.n; i++) {
		const struct entry *y = &w->all.v[i];
		TRY(fn(ctx, &(struct sym_function){
			.name = w->names.v + y->name,
			.value = y->value, .size = y->size,
			.offset = y->offset,
			.is_local = y->bind == STB_LOCAL,
			.is_weak = y->bind == STB_WEAK,
			.is_resolver = y->type == STT_GNU_IFUNC,
			.is_alias = i && y[-1].offset == y->offset,
		}));
	}
	return NULL;
}

static struct err *
walk(struct walk *w, int fd, const char *path, sym_elf_fn *fn,
     void *ctx)
{
	CLEANUP(sym_elf_endp) Elf *e = sym_elf_open(fd);
	bool has_symbols;
	GElf_Ehdr eh;

	if (!e || !gelf_getehdr(e, &eh))
		return err_new(ERR_FORMAT, 0, "not an ELF file");
	w->is_linked = eh.e_type != ET_REL;
	TRY(sym_elf_read_segments(&w->file, fd));
	TRY(sym_elf_symbols(e, add, w, &has_symbols));
	if (!has_symbols && w->is_linked && !w->places)
		TRY(read_debug_file(w, fd, path));
	CLEANUP(err_freep) struct err *small = read_small_file(w, e, fd);
	if (small && small->code == ERR_NOMEM)
		return &err_nomem;
	join(w);
	TRY(tell(w, fn, ctx));
	struct err *ret = small;
	small = NULL;
	return ret;
}

struct err *
sym_elf_walk_at(int fd, const uint64_t *places, size_t n, sym_elf_fn *fn,
		void *ctx)
{
	CLEANUP(walk_fini) struct walk w = { .places = places, .nplaces = n };

	return walk(&w, fd, NULL, fn, ctx);
}

struct err *
sym_elf_walk(int fd, const char *path, sym_elf_fn *fn, void *ctx)
{
	CLEANUP(walk_fini) struct walk w = { .places = NULL };

	return walk(&w, fd, path, fn, ctx);
}

/* --- Sections -------------------------------------------------------------- */

void
sym_section_fini(struct sym_section *s)
{
	util_free(s->data);
	s->data = NULL;
}

/* A file that says more than it has is damaged; that is known before there is
 * room made for it. */
static bool
is_inside(int fd, const GElf_Shdr *sh)
{
	struct stat st;

	return sh->sh_type != SHT_NOBITS && fstat(fd, &st) == 0 &&
	       sh->sh_offset <= (uint64_t)st.st_size &&
	       sh->sh_size <= (uint64_t)st.st_size - sh->sh_offset;
}

struct err *
sym_elf_place(int fd, const char *name, struct sym_section *ret)
{
	CLEANUP(sym_elf_endp) Elf *e = sym_elf_open(fd);
	GElf_Shdr sh;

	if (!e)
		return err_new(ERR_FORMAT, 0, "not an ELF file");
	if (!sym_elf_find_section(e, name, &sh))
		return err_new(ERR_NOTFOUND, 0, "no section %s", name);
	if (sh.sh_flags & SHF_COMPRESSED)
		return err_new(ERR_UNSUPPORTED, 0, "section %s is compressed",
			       name);
	if (!sym_elf_is_usable(&sh) || !is_inside(fd, &sh))
		return err_new(ERR_FORMAT, 0, "section %s is not in the file",
			       name);
	*ret = (struct sym_section){
		.size = (size_t)sh.sh_size, .addr = sh.sh_addr,
		.offset = sh.sh_offset,
	};
	return NULL;
}

struct err *
sym_elf_section(int fd, const char *name, struct sym_section *ret)
{
	struct sym_section x;

	TRY(sym_elf_place(fd, name, &x));
	CLEANUP(util_freep) uint8_t *data = util_alloc(x.size + 1);
	if (!data)
		return &err_nomem;
	if (pread(fd, data, x.size, (off_t)x.offset) != (ssize_t)x.size)
		return err_new(ERR_OS, errno, "section %s cannot be read",
			       name);
	*ret = x;
	ret->data = data;
	data = NULL;
	return NULL;
}
