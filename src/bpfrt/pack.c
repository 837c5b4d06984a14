/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Build tool: what clang -target bpf wrote, as a C source that defines a struct
 * abi_obj.  So nothing is left of ELF and BTF to be read when tracing begins,
 * and only what a program needs of it is ever looked at.
 *
 * Sections of code are put behind one another.  Of the others, .maps holds maps,
 * whose shapes BTF tells; .rodata, .bss and what begins so are maps of one
 * element each.
 */
#include <bpf/btf.h>
#include <gelf.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/attach.h"
#include "abi/obj.h"

#define R_64_64 1	/* R_BPF_64_64, R_BPF_64_32 */
#define R_64_32 10

enum { MAXSEC = 64, MAXFUNC = 4096, MAXMAP = 256 };

struct section {
	const char *name;
	GElf_Shdr sh;
	Elf_Data *data;
	uint32_t insn;		/* where its code begins */
	bool is_code;
};

static struct section secs[MAXSEC];
static size_t nsecs;
static struct btf *btf;
static GElf_Sym *syms;
static const char **names;
static size_t nsyms;

static struct bpf_insn *code;
static int32_t *target;		/* by instruction; -1: names nothing */
static uint32_t ninsns;

static struct abi_func funcs[MAXFUNC];
static struct abi_map maps[MAXMAP];
static size_t map_sec[MAXMAP];
static uint32_t map_at[MAXMAP];	/* in .maps */
static uint32_t nfuncs, nmaps;

static void
die(const char *what, const char *name)
{
	fprintf(stderr, "pack: %s: %s\n", what, name);
	exit(1);
}

/* --- Reading ---------------------------------------------------------------- */

static void
read_symbols(Elf *elf, const struct section *s)
{
	nsyms = s->sh.sh_size / s->sh.sh_entsize;
	syms = calloc(nsyms, sizeof(*syms));
	names = calloc(nsyms, sizeof(*names));
	for (size_t i = 0; i < nsyms; i++) {
		if (!gelf_getsym(s->data, (int)i, &syms[i]))
			die("symbols", elf_errmsg(-1));
		names[i] = elf_strptr(elf, s->sh.sh_link, syms[i].st_name);
	}
}

static void
read_elf(const char *path)
{
	int fd = open(path, O_RDONLY);
	size_t strs;
	Elf_Scn *scn = NULL;

	elf_version(EV_CURRENT);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
	if (!elf || elf_getshdrstrndx(elf, &strs))
		die("not ELF", path);
	while ((scn = elf_nextscn(elf, scn))) {
		size_t i = elf_ndxscn(scn);
		struct section *s = &secs[i];
		if (i >= MAXSEC || !gelf_getshdr(scn, &s->sh))
			die("sections", path);
		nsecs = i + 1;
		s->name = elf_strptr(elf, strs, s->sh.sh_name);
		s->data = elf_getdata(scn, NULL);
		s->is_code = s->sh.sh_type == SHT_PROGBITS &&
			     s->sh.sh_flags & SHF_EXECINSTR && s->sh.sh_size;
		if (s->sh.sh_type == SHT_SYMTAB)
			read_symbols(elf, s);
	}
	btf = btf__parse_elf(path, NULL);
	if (!btf)
		die("no BTF", path);
}

/* --- Code ------------------------------------------------------------------- */

static void
join_code(void)
{
	for (size_t i = 0; i < nsecs; i++)
		if (secs[i].is_code) {
			secs[i].insn = ninsns;
			ninsns += (uint32_t)secs[i].sh.sh_size / 8;
		}
	code = calloc(ninsns + 1, sizeof(*code));
	target = malloc((ninsns + 1) * sizeof(*target));
	memset(target, 0xff, (ninsns + 1) * sizeof(*target));
	for (size_t i = 0; i < nsecs; i++)
		if (secs[i].is_code)
			memcpy(code + secs[i].insn, secs[i].data->d_buf,
			       secs[i].sh.sh_size);
}

/* Bytes of what a type is the address of; 0: it is none. */
static uint32_t
pointee_size(uint32_t id)
{
	const struct btf_type *t = btf__type_by_id(btf, id);

	while (btf_is_mod(t) || btf_is_typedef(t))
		t = btf__type_by_id(btf, t->type);
	return btf_is_ptr(t) ? (uint32_t)btf__resolve_size(btf, t->type) : 0;
}

static void
read_type(struct abi_func *f)
{
	int id = btf__find_by_name_kind(btf, f->name, BTF_KIND_FUNC);

	if (id < 0)
		die("a function without a type", f->name);
	const struct btf_type *t =
		btf__type_by_id(btf, btf__type_by_id(btf, (uint32_t)id)->type);
	f->nargs = (uint8_t)btf_vlen(t);
	if (f->kind == ABI_FUNC_GLOBAL && f->nargs)
		f->cells = (uint8_t)(pointee_size(btf_params(t)->type) / 8);
}

/* Programs are in sections called as abi/attach.def says, and behind that maybe
 * "/" and what they are for. */
static uint8_t
attach_of(const char *section)
{
	size_t n = strcspn(section, "/");

	for (int i = 0; i < ABI_NATTACH; i++) {
		const char *name = abi_attach_row((enum abi_attach)i)->section;
		if (strlen(name) == n && !strncmp(name, section, n))
			return (uint8_t)i;
	}
	die("unknown section", section);
	return 0;
}

static void
set_kind(struct abi_func *f, const char *section, bool is_local)
{
	if (!strcmp(section, ".text")) {
		f->kind = is_local ? ABI_FUNC_STATIC : ABI_FUNC_GLOBAL;
		return;
	}
	f->kind = ABI_FUNC_PROG;
	f->attach = attach_of(section);
}

static int
by_place(const void *a, const void *b)
{
	const struct abi_func *f = a, *g = b;

	return f->insn < g->insn ? -1 : f->insn > g->insn;
}

static void
find_funcs(void)
{
	for (size_t i = 0; i < nsyms; i++) {
		const struct section *s = &secs[syms[i].st_shndx % MAXSEC];
		if (GELF_ST_TYPE(syms[i].st_info) != STT_FUNC || !s->is_code)
			continue;
		if (nfuncs == MAXFUNC)
			die("too many functions", names[i]);
		bool optional = s->name[0] == '?';
		funcs[nfuncs] = (struct abi_func){
			.name = names[i], .optional = optional,
			.insn = s->insn + (uint32_t)(syms[i].st_value / 8),
			.ninsns = (uint32_t)(syms[i].st_size / 8) };
		set_kind(&funcs[nfuncs], s->name + optional,
			 GELF_ST_BIND(syms[i].st_info) == STB_LOCAL);
		read_type(&funcs[nfuncs++]);
	}
	qsort(funcs, nfuncs, sizeof(*funcs), by_place);
}

static int32_t
func_at(uint32_t insn)
{
	for (uint32_t i = 0; i < nfuncs; i++)
		if (funcs[i].insn == insn)
			return (int32_t)i;
	die("a call into a function", "");
	return -1;
}

/* --- Maps ------------------------------------------------------------------- */

/* The n of int (*)[n], by which a definition spells a number. */
static uint32_t
spelled(const struct btf_type *ptr)
{
	return btf_array(btf__type_by_id(btf, ptr->type))->nelems;
}

static void
read_shape(struct abi_map *m, const struct btf_type *def)
{
	const struct {
		const char *name;
		uint32_t *to;
		bool is_type;		/* whose size it is, else the number */
	} rows[] = {
		{ "type", &m->type, false },
		{ "key_size", &m->key_size, false },
		{ "value_size", &m->value_size, false },
		{ "max_entries", &m->entries, false },
		{ "map_flags", &m->flags, false },
		{ "map_extra", &m->inner, false },
		{ "key", &m->key_size, true },
		{ "value", &m->value_size, true },
	};
	enum { NROWS = sizeof(rows) / sizeof(rows[0]) };

	for (unsigned i = 0; i < btf_vlen(def); i++) {
		const struct btf_member *b = &btf_members(def)[i];
		const char *name = btf__str_by_offset(btf, b->name_off);
		const struct btf_type *t = btf__type_by_id(btf, b->type);
		size_t k = 0;
		while (k < NROWS && strcmp(rows[k].name, name))
			k++;
		if (k == NROWS)
			die("unknown in a map", name);
		*rows[k].to = rows[k].is_type ? pointee_size(b->type)
					      : spelled(t);
	}
}

static uint32_t
add_map(struct abi_map m, size_t sec, uint32_t at)
{
	if (nmaps == MAXMAP)
		die("too many maps", m.name);
	maps[nmaps] = m;
	map_sec[nmaps] = sec;
	map_at[nmaps] = at;
	return nmaps++;
}

static void
find_maps(void)
{
	for (size_t i = 0; i < nsyms; i++) {
		size_t sec = syms[i].st_shndx % MAXSEC;
		if (GELF_ST_TYPE(syms[i].st_info) != STT_OBJECT ||
		    !secs[sec].name || strcmp(secs[sec].name, ".maps"))
			continue;
		int id = btf__find_by_name_kind(btf, names[i], BTF_KIND_VAR);
		if (id < 0)
			die("a map without a type", names[i]);
		struct abi_map m = { .name = names[i] };
		read_shape(&m, btf__type_by_id(btf,
			btf__type_by_id(btf, (uint32_t)id)->type));
		add_map(m, sec, (uint32_t)syms[i].st_value);
	}
}

/* Each section of data is a map of one element. */
static void
find_data(void)
{
	for (size_t i = 0; i < nsecs; i++) {
		const struct section *s = &secs[i];
		if (!s->name || !s->sh.sh_size ||
		    (strncmp(s->name, ".rodata", 7) &&
		     strncmp(s->name, ".bss", 4)))
			continue;
		add_map((struct abi_map){ .name = s->name,
			.type = BPF_MAP_TYPE_ARRAY, .key_size = 4,
			.value_size = (uint32_t)s->sh.sh_size, .entries = 1,
			.flags = s->name[1] == 'r' ? BPF_F_RDONLY_PROG
						   : BPF_F_MMAPABLE,
			.data = s->name[1] == 'r' ? s->data->d_buf : NULL,
			}, i, 0);
	}
}

static uint32_t
map_of(size_t sec, uint32_t at)
{
	for (uint32_t i = 0; i < nmaps; i++)
		if (map_sec[i] == sec && map_at[i] == at)
			return i;
	die("no such map", secs[sec].name);
	return 0;
}

/* --- What instructions name ------------------------------------------------- */

static void
name_address(struct bpf_insn *i, uint32_t at, const GElf_Sym *sym)
{
	size_t sec = sym->st_shndx;
	uint32_t off = (uint32_t)sym->st_value + (uint32_t)i->imm;

	i->imm = 0;
	if (sec >= nsecs)
		die("undefined", names[sym - syms]);
	if (secs[sec].is_code) {
		i->src_reg = BPF_PSEUDO_FUNC;
		target[at] = func_at(secs[sec].insn + off / 8);
	} else if (!strcmp(secs[sec].name, ".maps")) {
		i->src_reg = BPF_PSEUDO_MAP_FD;
		target[at] = (int32_t)map_of(sec, off);
	} else {
		i->src_reg = BPF_PSEUDO_MAP_VALUE;
		i[1].imm = (int32_t)off;
		target[at] = (int32_t)map_of(sec, 0);
	}
}

/* An offset from behind the call, in instructions, stands in the immediate. */
static void
name_call(struct bpf_insn *i, uint32_t at, const GElf_Sym *sym)
{
	if (sym->st_shndx >= nsecs || !secs[sym->st_shndx].is_code)
		die("a call of what is not there", "");
	target[at] = func_at(secs[sym->st_shndx].insn +
		(uint32_t)(sym->st_value / 8) + (uint32_t)(i->imm + 1));
}

static void
resolve_section(const struct section *rel)
{
	const struct section *s = &secs[rel->sh.sh_info];
	size_t n = rel->sh.sh_size / rel->sh.sh_entsize;
	GElf_Rel r;

	for (size_t i = 0; i < n; i++) {
		if (!gelf_getrel(rel->data, (int)i, &r))
			die("relocations", s->name);
		uint32_t at = s->insn + (uint32_t)(r.r_offset / 8);
		const GElf_Sym *sym = &syms[GELF_R_SYM(r.r_info)];
		if (GELF_R_TYPE(r.r_info) == R_64_32)
			name_call(&code[at], at, sym);
		else if (GELF_R_TYPE(r.r_info) == R_64_64)
			name_address(&code[at], at, sym);
		else
			die("unknown relocation", s->name);
	}
}

static void
resolve(void)
{
	for (size_t i = 0; i < nsecs; i++)
		if (secs[i].sh.sh_type == SHT_REL &&
		    secs[secs[i].sh.sh_info % MAXSEC].is_code)
			resolve_section(&secs[i]);
	for (uint32_t i = 0; i < ninsns; i++) {
		if (code[i].code != (BPF_JMP | BPF_CALL) ||
		    code[i].src_reg != BPF_PSEUDO_CALL)
			continue;
		if (target[i] < 0)	/* within the section */
			target[i] = func_at(i + (uint32_t)(code[i].imm + 1));
		code[i].imm = 0;
	}
}

/* --- Writing ---------------------------------------------------------------- */

static void
write_code(FILE *f)
{
	fprintf(f, "static const struct bpf_insn code[] = {\n");
	for (uint32_t i = 0; i < ninsns; i++)
		fprintf(f, "{%u,%u,%u,%d,%d},\n", code[i].code, code[i].dst_reg,
			code[i].src_reg, code[i].off, code[i].imm);
	fprintf(f, "};\nstatic const struct abi_ref refs[] = {\n");
	for (uint32_t i = 0; i < ninsns; i++)
		if (target[i] >= 0)
			fprintf(f, "{%u,%d},\n", i, target[i]);
	fprintf(f, "{0,0}\n};\n");
}

static void
write_funcs(FILE *f)
{
	uint32_t ref = 0;

	fprintf(f, "static const struct abi_func funcs[] = {\n");
	for (uint32_t i = 0; i < nfuncs; i++) {
		const struct abi_func *x = &funcs[i];
		uint32_t n = 0;
		for (uint32_t k = 0; k < x->ninsns; k++)
			n += target[x->insn + k] >= 0;
		fprintf(f, "{\"%s\",%u,%u,%u,%u,%u,%u,%u,%u,%d},\n",
			x->name, x->insn, x->ninsns, ref, n, x->kind, x->attach,
			x->nargs, x->cells, x->optional);
		ref += n;
	}
	fprintf(f, "};\n");
}

static void
write_maps(FILE *f)
{
	for (uint32_t i = 0; i < nmaps; i++) {
		const uint8_t *p = maps[i].data;
		if (!p)
			continue;
		fprintf(f, "static const unsigned char data%u[] "
			"__attribute__((aligned(8))) = {", i);
		for (uint32_t k = 0; k < maps[i].value_size; k++)
			fprintf(f, "%u,", p[k]);
		fprintf(f, "};\n");
	}
	fprintf(f, "static const struct abi_map maps[] = {\n");
	for (uint32_t i = 0; i < nmaps; i++) {
		const struct abi_map *m = &maps[i];
		fprintf(f, "{\"%s\",%u,%u,%u,%u,%u,", m->name, m->type,
			m->key_size, m->value_size, m->entries, m->flags);
		fprintf(f, "%u,", m->inner);
		fprintf(f, m->data ? "data%u},\n" : "0},\n", i);
	}
	fprintf(f, "{0}\n};\n");
}

int
main(int argc, char **argv)
{
	if (argc != 4) {
		fprintf(stderr, "usage: pack INPUT OUTPUT NAME\n");
		return 2;
	}
	read_elf(argv[1]);
	join_code();
	find_funcs();
	find_maps();
	find_data();
	resolve();
	FILE *f = fopen(argv[2], "w");
	if (!f)
		die("cannot write", argv[2]);
	fprintf(f, "#include <linux/bpf.h>\n#include \"abi/obj.h\"\n");
	write_code(f);
	write_funcs(f);
	write_maps(f);
	fprintf(f, "extern const struct abi_obj %s;\n"
		"const struct abi_obj %s = { code, funcs, maps, refs, %u, %u };\n",
		argv[3], argv[3], nfuncs, nmaps);
	return fclose(f) != 0;
}
