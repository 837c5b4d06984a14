/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The ELF object: sections, symbols and relocations as clang -target bpf
 * would write them, so that libbpf's linker can join it with the runtime.
 */
#include <bpf/libbpf.h>
#include <errno.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ebpf/ebpf_priv.h"
#include "util/cleanup.h"

#ifndef R_BPF_64_64
#define R_BPF_64_64 1
#define R_BPF_64_32 10
#endif

enum { MAXSEC = 24 };

struct sec {
	const char *name;
	uint32_t name_off;	/* in the string table */
	uint32_t type, link, info, align;
	uint64_t flags, entsize;
	const void *data;
	size_t size;
};

struct image {
	struct ebpf *g;
	struct sec sec[MAXSEC];	/* [0] is the null section */
	uint32_t nsec;
	uint32_t of[SEC_N];	/* ELF index of a section of ours, 0: absent */
	VEC(char) strtab;
	GElf_Sym *syms;
	uint32_t nsyms, nlocal;
	uint32_t *symidx;	/* of g->syms */
};

static uint32_t
add_sec(struct image *im, struct sec s)
{
	im->sec[im->nsec] = s;
	return im->nsec++;
}

static uint32_t
str(struct image *im, const char *s)
{
	size_t n = strlen(s) + 1, at = im->strtab.n;

	if (!vec_reserve(&im->strtab, n)) {
		ebpf_fail(im->g, &err_nomem);
		return 0;
	}
	memcpy(im->strtab.v + at, s, n);
	im->strtab.n += n;
	return (uint32_t)at;
}

static const struct {
	const char *name;
	uint32_t type;
	uint64_t flags;
} kinds[SEC_N] = {
	[SEC_TEXT] = { ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR },
	[SEC_RAWTP] = { "raw_tp", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR },
	[SEC_PERF] = { "perf_event", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR },
	[SEC_MAPS] = { ".maps", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE },
	[SEC_VARS] = { ".bss.vars", SHT_NOBITS, SHF_ALLOC | SHF_WRITE },
	[SEC_AGG] = { ".bss.agg", SHT_NOBITS, SHF_ALLOC | SHF_WRITE },
	[SEC_STRS] = { ".rodata.strs", SHT_PROGBITS, SHF_ALLOC },
	[SEC_TABLE] = { ".rodata.tab", SHT_PROGBITS, SHF_ALLOC },
};

/* Place the maps; the bytes of their section. */
static uint32_t
place_maps(struct ebpf *g)
{
	uint32_t at = 0;

	for (size_t i = 0; i < g->syms.n; i++) {
		struct ebpf_sym *s = &g->syms.v[i];
		if (s->kind != SYM_MAP)
			continue;
		s->value = at;
		s->size = ebpf_mapdef_size(s->def);
		at += s->size;
	}
	return at;
}

static void
data_sections(struct image *im)
{
	struct ebpf *g = im->g;
	uint32_t maps = place_maps(g), agg = g->agg_row * 2 * g->in->ncpus;
	const struct { const void *p; size_t size; } data[SEC_N] = {
		[SEC_TEXT] = { g->code[0].insns.v, g->code[0].insns.n * 8 },
		[SEC_RAWTP] = { g->code[1].insns.v, g->code[1].insns.n * 8 },
		[SEC_PERF] = { g->code[2].insns.v, g->code[2].insns.n * 8 },
		[SEC_MAPS] = { arena_alloc(g->a, maps), maps },
		[SEC_VARS] = { NULL, g->vars_size },
		[SEC_AGG] = { NULL, agg },
		[SEC_STRS] = { g->strs.v, g->strs.n },
		[SEC_TABLE] = { g->table.v, g->table.n * 4 },
	};

	for (size_t i = 0; i < g->syms.n; i++)
		if (g->syms.v[i].kind == SYM_VAR)
			g->syms.v[i].size = agg;
	for (int i = 0; i < SEC_N; i++)
		if (data[i].size)
			im->of[i] = add_sec(im, (struct sec){
				.name = kinds[i].name, .type = kinds[i].type,
				.flags = kinds[i].flags, .align = 8,
				.data = data[i].p, .size = data[i].size });
}

/* --- Symbols -------------------------------------------------------------- */

static uint32_t
add_sym(struct image *im, const char *name, uint8_t bind, uint8_t type,
	uint32_t sec, uint32_t value, uint32_t size)
{
	im->syms[im->nsyms] = (GElf_Sym){
		.st_name = name ? str(im, name) : 0,
		.st_info = GELF_ST_INFO(bind, type),
		.st_shndx = (uint16_t)sec, .st_value = value, .st_size = size };
	return im->nsyms++;
}

static void
add_symbol(struct image *im, size_t i)
{
	const struct ebpf_sym *s = &im->g->syms.v[i];
	static const uint8_t type[] = {
		[SYM_SECTION] = STT_SECTION, [SYM_VAR] = STT_OBJECT,
		[SYM_FUNC] = STT_FUNC, [SYM_GFUNC] = STT_FUNC,
		[SYM_RTFUNC] = STT_NOTYPE, [SYM_MAP] = STT_OBJECT,
		[SYM_RTMAP] = STT_NOTYPE, [SYM_RTVAR] = STT_NOTYPE,
	};
	bool local = s->kind == SYM_SECTION ||
		     (s->kind == SYM_FUNC && s->sec == SEC_TEXT);
	bool undef = s->kind == SYM_RTFUNC || s->kind == SYM_RTMAP ||
		     s->kind == SYM_RTVAR;

	im->symidx[i] = add_sym(im, s->kind == SYM_SECTION ? NULL : s->name,
		local ? STB_LOCAL : STB_GLOBAL, type[s->kind],
		undef ? SHN_UNDEF : im->of[s->sec], s->value, s->size);
}

static bool
is_local(const struct ebpf_sym *s)
{
	return s->kind == SYM_SECTION ||
	       (s->kind == SYM_FUNC && s->sec == SEC_TEXT);
}

static void
symbols(struct image *im)
{
	struct ebpf *g = im->g;

	im->syms = ARENA_ARRAY(g->a, GElf_Sym, g->syms.n + 2);
	im->symidx = ARENA_ARRAY(g->a, uint32_t, g->syms.n);
	if (!im->syms || !im->symidx) {
		ebpf_fail(g, &err_nomem);
		return;
	}
	str(im, "");
	im->nsyms = 1;
	for (size_t i = 0; i < g->syms.n; i++)	/* locals come first */
		if (is_local(&g->syms.v[i]))
			add_symbol(im, i);
	im->nlocal = im->nsyms;
	for (size_t i = 0; i < g->syms.n; i++)
		if (!is_local(&g->syms.v[i]))
			add_symbol(im, i);
}

static void
relocations(struct image *im, uint32_t symtab)
{
	static const char *const names[SEC_NCODE] = {
		".rel.text", ".relraw_tp", ".relperf_event" };
	struct ebpf *g = im->g;

	for (int i = 0; i < SEC_NCODE; i++) {
		size_t n = g->code[i].relocs.n;
		Elf64_Rel *r = ARENA_ARRAY(g->a, Elf64_Rel, n);
		if (!n)
			continue;
		if (!r) {
			ebpf_fail(g, &err_nomem);
			return;
		}
		for (size_t k = 0; k < n; k++) {
			const struct ebpf_reloc *x = &g->code[i].relocs.v[k];
			r[k].r_offset = (uint64_t)x->insn * 8;
			r[k].r_info = ELF64_R_INFO(
				(uint64_t)im->symidx[x->sym],
				x->is_call ? R_BPF_64_32 : R_BPF_64_64);
		}
		add_sec(im, (struct sec){ .name = names[i], .type = SHT_REL,
			.flags = SHF_INFO_LINK, .link = symtab,
			.info = im->of[i], .align = 8,
			.entsize = sizeof(*r), .data = r,
			.size = n * sizeof(*r) });
	}
}

/* --- Writing -------------------------------------------------------------- */

static bool
write_sec(Elf *elf, struct image *im, const struct sec *s)
{
	static const int types[] = { [SHT_SYMTAB] = ELF_T_SYM,
				     [SHT_REL] = ELF_T_REL };
	Elf_Scn *scn = elf_newscn(elf);
	Elf_Data *d = scn ? elf_newdata(scn) : NULL;
	GElf_Shdr sh;

	if (!d || !gelf_getshdr(scn, &sh))
		return false;
	d->d_buf = (void *)s->data;
	d->d_size = s->size;
	d->d_align = s->align;
	d->d_type = s->type == SHT_SYMTAB || s->type == SHT_REL
		? (Elf_Type)types[s->type] : ELF_T_BYTE;
	sh.sh_name = s->name_off;
	sh.sh_type = s->type;
	sh.sh_flags = s->flags;
	sh.sh_link = s->link;
	sh.sh_info = s->info;
	sh.sh_entsize = s->entsize;
	return gelf_update_shdr(scn, &sh) != 0;
}

static bool
write_all(Elf *elf, struct image *im, uint32_t strtab)
{
	GElf_Ehdr eh;

	if (!gelf_newehdr(elf, ELFCLASS64) || !gelf_getehdr(elf, &eh))
		return false;
	eh.e_ident[EI_DATA] = ELFDATA2LSB;
	eh.e_type = ET_REL;
	eh.e_machine = EM_BPF;
	eh.e_version = EV_CURRENT;
	eh.e_shstrndx = (uint16_t)strtab;
	if (!gelf_update_ehdr(elf, &eh))
		return false;
	/* Names first: the string table is one of the sections. */
	for (uint32_t i = 1; i < im->nsec; i++)
		im->sec[i].name_off = str(im, im->sec[i].name);
	im->sec[strtab].data = im->strtab.v;
	im->sec[strtab].size = im->strtab.n;
	for (uint32_t i = 1; i < im->nsec; i++)
		if (!write_sec(elf, im, &im->sec[i]))
			return false;
	return elf_update(elf, ELF_C_WRITE) > 0;
}

static struct err *
read_back(struct arena *a, int fd, void **bytes, size_t *size)
{
	struct stat st;

	if (fstat(fd, &st))
		return err_new(ERR_OS, errno, "fstat: %s", strerror(errno));
	void *p = arena_alloc(a, (size_t)st.st_size);
	if (!p)
		return &err_nomem;
	if (pread(fd, p, (size_t)st.st_size, 0) != st.st_size)
		return err_new(ERR_OS, errno, "an object cannot be read back");
	*bytes = p;
	*size = (size_t)st.st_size;
	return NULL;
}

static struct err *
write_image(struct image *im, uint32_t strtab, void **bytes, size_t *size)
{
	CLEANUP(util_closep) int fd = memfd_create("dtrace-obj", MFD_CLOEXEC);

	if (fd < 0)
		return err_new(ERR_OS, errno, "memfd_create: %s",
			       strerror(errno));
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(fd, ELF_C_WRITE, NULL);
	bool ok = elf && write_all(elf, im, strtab);
	struct err *e = ok ? NULL : err_new(ERR_OS, 0, "writing ELF: %s",
					    elf_errmsg(-1));
	if (elf)
		elf_end(elf);
	return e ? e : read_back(im->g->a, fd, bytes, size);
}

struct err *
ebpf_write(struct ebpf *g, void **bytes, size_t *size)
{
	static const char license[] = "Dual BSD/GPL";
	struct image im = { .g = g, .nsec = 1 };
	void *btf, *ext;
	uint32_t btf_size, ext_size;

	data_sections(&im);
	symbols(&im);
	if (g->err)
		goto out;
	struct err *e = ebpf_btf(g, &btf, &btf_size, &ext, &ext_size);
	if (e) {
		ebpf_fail(g, e);
		goto out;
	}
	add_sec(&im, (struct sec){ .name = "license", .type = SHT_PROGBITS,
		.flags = SHF_ALLOC | SHF_WRITE, .align = 1, .data = license,
		.size = sizeof(license) });
	add_sec(&im, (struct sec){ .name = ".BTF", .type = SHT_PROGBITS,
		.align = 4, .data = btf, .size = btf_size });
	if (ext_size)
		add_sec(&im, (struct sec){ .name = ".BTF.ext",
			.type = SHT_PROGBITS, .align = 4, .data = ext,
			.size = ext_size });
	uint32_t strtab = im.nsec + 1;
	uint32_t symtab = add_sec(&im, (struct sec){ .name = ".symtab",
		.type = SHT_SYMTAB, .link = strtab, .info = im.nlocal,
		.align = 8, .entsize = sizeof(GElf_Sym), .data = im.syms,
		.size = im.nsyms * sizeof(GElf_Sym) });
	add_sec(&im, (struct sec){ .name = ".strtab", .type = SHT_STRTAB,
		.align = 1 });
	relocations(&im, symtab);
	if (!g->err)
		e = write_image(&im, strtab, bytes, size);
	if (e)
		ebpf_fail(g, e);
out:
	vec_fini(&im.strtab);
	e = g->err;
	g->err = NULL;
	return e;
}

/* --- Linking -------------------------------------------------------------- */

static struct err *
to_memfd(const void *p, size_t size, int *ret)
{
	int fd = memfd_create("dtrace-obj", MFD_CLOEXEC);

	if (fd < 0 || write(fd, p, size) != (ssize_t)size) {
		struct err *e = err_new(ERR_OS, errno, "memfd: %s",
					strerror(errno));
		if (fd >= 0)
			close(fd);
		return e;
	}
	*ret = fd;
	return NULL;
}

struct err *
ebpf_link(struct arena *a, const struct ebpf_object *o, const void *rt,
	  size_t rt_size, void **ret, size_t *size)
{
	CLEANUP(util_closep) int obj = -1;
	CLEANUP(util_closep) int run = -1;
	CLEANUP(util_closep) int out = memfd_create("dtrace-out", MFD_CLOEXEC);
	char path[32];

	if (out < 0)
		return err_new(ERR_OS, errno, "memfd_create: %s",
			       strerror(errno));
	TRY(to_memfd(o->bytes, o->size, &obj));
	TRY(to_memfd(rt, rt_size, &run));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", out);
	struct bpf_linker *l = bpf_linker__new(path, NULL);
	int err = l ? 0 : -errno;
	/* Definitions first: libbpf 1.1 forgets the offset of a map that is
	 * declared before it is defined. */
	const int fds[] = { run, obj };
	for (int i = 0; i < 2 && !err; i++) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fds[i]);
		err = bpf_linker__add_file(l, path, NULL);
	}
	if (!err)
		err = bpf_linker__finalize(l);
	bpf_linker__free(l);
	if (err)
		return err_new(ERR_VERIFY, -err,
			"the program cannot be linked with the runtime: %s",
			strerror(-err));
	return read_back(a, out, ret, size);
}
