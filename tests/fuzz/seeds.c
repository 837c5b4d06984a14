/* SPDX-License-Identifier: BSD-2-Clause
 *
 * seeds TARGET FOLDER FILE.d...: inputs to begin with, made from D programs:
 * the programs themselves, what they compile to, or what they record when the
 * interpreter runs them.  A file is named after its content, so that what is
 * the same is there once.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "btfwriter.h"
#include "difasm/difasm.h"
#include "difo.h"
#include "engine.h"
#include "program.h"
#include "records.h"
#include "type/text.h"

enum { FILE_MAX = 1 << 20 };

static const char *folder;

static void
save(const void *p, size_t n)
{
	uint64_t h = 0xcbf29ce484222325u;
	char path[4096];

	for (size_t i = 0; i < n; i++)
		h = (h ^ ((const uint8_t *)p)[i]) * 0x100000001b3u;
	snprintf(path, sizeof(path), "%s/%016llx", folder,
		 (unsigned long long)h);
	FILE *f = fopen(path, "wb");
	if (!f || (n && !fwrite(p, n, 1, f)) || fclose(f)) {
		perror(path);
		exit(1);
	}
}

static void
save_sb(struct sb *b)
{
	save(sb_str(b), b->len);
	sb_fini(b);
}

/* --- DIFOs ------------------------------------------------------------------ */

static void
save_difo(void *ctx, const struct dif_difo *d)
{
	struct sb b;

	sb_init(&b, FILE_MAX);
	difo_encode(d, &b);
	save_sb(&b);
}

static void
save_text(void *ctx, const struct dif_difo *d)
{
	struct sb b;

	sb_init(&b, FILE_MAX);
	difasm_disassemble(d, &b);
	save_sb(&b);
}

/* --- Records ---------------------------------------------------------------- */

static void
put(struct sb *b, uint64_t v, unsigned n)
{
	sb_putn(b, &v, n);
}

static void
put_field(struct sb *b, uint8_t op, const struct abi_field *f)
{
	put(b, op, 1);
	put(b, f->kind, 1);
	put(b, f->sub, 1);
	put(b, f->is_signed, 1);
	put(b, f->size, 2);
}

static void
put_agg(struct sb *b, const struct abi_agg_desc *d)
{
	put(b, DESCRIBE_AGG, 1);
	put(b, d->func - ABI_AGG_COUNT, 1);
	put(b, d->arg, 8);
	for (uint32_t i = 0; i < d->nkeys; i++)
		put_field(b, DESCRIBE_KEY, &d->keys[i]);
}

static uint8_t
action_index(uint32_t kind)
{
	static const uint32_t kinds[] = {
#define X(name) ABI_ACT_##name,
		RECORDS_ACTIONS(X)
#undef X
	};

	for (uint8_t i = 0; i < BASE_NELEMS(kinds); i++)
		if (kinds[i] == kind)
			return i;
	return 0;
}

static void
put_action(struct sb *b, const struct abi_clause_desc *d,
	   const struct abi_action *a)
{
	const char *text = a->format ? a->format : "";
	struct sb name;

	sb_init(&name, 128);
	if (a->type)
		type_print(a->type, NULL, &name);
	if (name.len)
		text = sb_str(&name);
	size_t len = BASE_MIN(strlen(text), 127u);
	put(b, DESCRIBE_ACTION, 1);
	put(b, action_index(a->kind), 1);
	put(b, a->branch, 1);
	put(b, len, 1);
	sb_putn(b, text, len);
	sb_fini(&name);
	for (uint32_t i = 0; i < a->nfields; i++)
		put_field(b, DESCRIBE_FIELD, &d->fields[a->field + i]);
	for (uint32_t i = 0; i < a->naggs; i++) {
		put(b, DESCRIBE_USE, 1);
		put(b, d->aggids[a->agg + i], 1);
	}
}

static void
put_clause(struct sb *b, const struct abi_clause_desc *d, unsigned probe)
{
	put(b, DESCRIBE_CLAUSE, 1);
	put(b, d->nbranches, 1);
	for (uint32_t i = 0; i < d->nactions; i++)
		put_action(b, d, &d->actions[i]);
	put(b, DESCRIBE_EPID, 1);
	put(b, probe, 1);
}

/* The fields stand one after the other here, each on 8 bytes. */
static void
put_fields(struct sb *b, const struct abi_clause_desc *d, const uint8_t *rec)
{
	static const uint8_t zeros[8];

	sb_putn(b, rec + 16, d->nbranches);
	sb_putn(b, zeros, base_align(16u + d->nbranches, 8) - 16 -
		d->nbranches);
	for (uint32_t i = 0; i < d->nfields; i++) {
		const struct abi_field *f = &d->fields[i];
		sb_putn(b, rec + f->offset, f->size);
		sb_putn(b, zeros, base_align(f->size, 8) - f->size);
	}
}

struct recording {
	struct sb b;
	const struct plan_prog *plan;
};

static void
put_record(void *ctx, const void *rec, uint32_t size)
{
	struct recording *r = ctx;
	const struct abi_record *hdr = rec;

	if (hdr->epid == ABI_EPID_ERROR) {
		put(&r->b, HAPPEN_ERROR, 1);
		put(&r->b, 0, 1);
		sb_putn(&r->b, &hdr->timestamp, 8);
		sb_putn(&r->b, hdr + 1, size - sizeof(*hdr));
		return;
	}
	put(&r->b, HAPPEN_RECORD, 1);
	put(&r->b, hdr->timestamp & 1, 1);
	put(&r->b, hdr->epid, 1);
	put(&r->b, hdr->timestamp, 8);
	put_fields(&r->b, &r->plan->clauses[hdr->epid - 1].desc, rec);
}

static void
put_samples(struct sb *b, const struct abi_agg_desc *d)
{
	static const uint8_t noise[] = "name\0\1\2\3\0\0\0\0the other\0\377";

	for (unsigned i = 0; i < 3; i++) {
		put(b, HAPPEN_SAMPLE, 1);
		put(b, d->id, 1);
		for (uint32_t k = 0; k < d->key_size; k++)
			put(b, noise[(k + i * 7) % sizeof(noise)], 1);
		put(b, 4, 1);
		for (unsigned c = 0; c < 4; c++) {
			put(b, d->ncells / 2 + c, 2);
			put(b, c * 1000 + i, 8);
		}
	}
}

static void
save_records(const struct plan_prog *p)
{
	struct recording r = { .plan = p };

	sb_init(&r.b, FILE_MAX);
	put(&r.b, RECORDS_TEMPORAL | (p->nclauses & RECORDS_QUIET), 1);
	for (uint32_t i = 0; i < p->naggs; i++)
		put_agg(&r.b, &p->aggs[i]);
	for (uint32_t i = 0; i < p->nclauses; i++)
		put_clause(&r.b, &p->clauses[i].desc, i % 4);
	put(&r.b, DESCRIBE_DONE, 1);
	for (uint32_t i = 0; i < p->naggs; i++)
		put_samples(&r.b, &p->aggs[i]);
	engine_interpret(p, 5, 3, put_record, &r);
	put(&r.b, HAPPEN_PASS, 1);
	put(&r.b, 1, 1);
	save_sb(&r.b);
}

/* --- Targets ------------------------------------------------------------------- */

static void
seed_text(const struct plan_prog *p, const void *text, size_t n)
{
	save(text, n);
}

static void
seed_dif(const struct plan_prog *p, const void *text, size_t n)
{
	if (p)
		program_difos(p, save_difo, NULL);
}

static void
seed_difasm(const struct plan_prog *p, const void *text, size_t n)
{
	if (p)
		program_difos(p, save_text, NULL);
}

static void
seed_records(const struct plan_prog *p, const void *text, size_t n)
{
	if (p)
		save_records(p);
}

static const struct {
	const char *name;
	void (*make)(const struct plan_prog *p, const void *text, size_t n);
} targets[] = {
	{ "lex", seed_text }, { "parse", seed_text },
	{ "compile", seed_text }, { "dif", seed_dif },
	{ "difasm", seed_difasm }, { "records", seed_records },
};

static void
make(const char *target, const char *path)
{
	static uint8_t text[FILE_MAX];
	struct program p;
	FILE *f = fopen(path, "rb");

	if (!f) {
		perror(path);
		exit(1);
	}
	size_t n = fread(text, 1, sizeof(text), f);
	fclose(f);
	program_init(&p, text, n);
	for (size_t i = 0; i < BASE_NELEMS(targets); i++)
		if (!strcmp(targets[i].name, target))
			targets[i].make(p.plan, text, n);
	program_fini(&p);
}

/* A program with notes of static probes, and of what they are. */
static void
make_notes(void)
{
	static const char names[] = "\0.note.stapsdt\0.note.dtrace\0.shstrtab";
	struct image {
		Elf64_Ehdr head;
		Elf64_Phdr load;
		Elf64_Shdr sections[4];
		struct {
			Elf64_Nhdr head;
			char owner[8];
			uint64_t places[3];
			char text[16];
		} stap;
		struct {
			Elf64_Nhdr head;
			char owner[8];
			char text[32];
		} d;
		char names[sizeof(names)];
	} image = {
		.head = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64,
				       ELFDATA2LSB, EV_CURRENT },
			.e_type = ET_DYN, .e_machine = EM_X86_64,
			.e_version = EV_CURRENT, .e_ehsize = sizeof(Elf64_Ehdr),
			.e_phoff = offsetof(struct image, load), .e_phnum = 1,
			.e_phentsize = sizeof(Elf64_Phdr),
			.e_shoff = offsetof(struct image, sections), .e_shnum = 4,
			.e_shentsize = sizeof(Elf64_Shdr), .e_shstrndx = 3 },
		.load = { .p_type = PT_LOAD, .p_flags = PF_R | PF_X,
			.p_filesz = sizeof(struct image),
			.p_memsz = sizeof(struct image) },
		.sections = {
			[1] = { 1, SHT_NOTE, 0, 0, offsetof(struct image, stap),
				sizeof(image.stap), 0, 0, 4, 0 },
			[2] = { 15, SHT_NOTE, 0, 0, offsetof(struct image, d),
				sizeof(image.d), 0, 0, 4, 0 },
			[3] = { 28, SHT_STRTAB, 0, 0,
				offsetof(struct image, names), sizeof(names), 0,
				0, 1, 0 },
		},
		.stap = { { 8, sizeof(image.stap.places) + 16, 3 }, "stapsdt",
			  { 0x40, 0, 0 }, "p\0n\0-4@%edi" },
		.d = { { 7, sizeof(image.d.text), 1 }, "dtrace",
		       "provider p{probe n(int);};" },
	};
	struct sb b;

	memcpy(image.names, names, sizeof(names));
	sb_init(&b, FILE_MAX);
	put(&b, 0, 1);
	sb_putn(&b, &image, sizeof(image));
	save_sb(&b);
}

/* What symbols come from, behind a byte that says which: programs have nothing
 * to do with it. */
static void
make_symbols(void)
{
	static const char *const texts[] = {
		"\1" "00400000-0040b000 r-xp 00001000 fe:02 4711 /bin/a b\n"
		"7ffd4000-7ffd6000 r-xp 00000000 00:00 0       [vdso]\n"
		"7f00-8f00 rwxp 00000000 00:00 0 \n",
		"\2" "1000 20 LFoo;::bar\n1010 8 inner\n2000 10 a\n2000 10 b\n",
		"\3" "_ZNSt6vectorIiSaIiEE9push_backERKi",
		"\3" "_ZN4core3fmt5write17h0123456789abcdefE",
		"\3" "_RNvNtCs1234_7mycrate3foo3bar",
	};
	const void *vdso = (const void *)getauxval(AT_SYSINFO_EHDR);
	struct sb b;

	for (size_t i = 0; i < BASE_NELEMS(texts); i++)
		save(texts[i], strlen(texts[i]));
	sb_init(&b, FILE_MAX);
	put(&b, 0, 1);
	if (vdso)
		sb_putn(&b, vdso, 8192);
	save_sb(&b);
	make_notes();
}

/* A file of types, and one over it. */
static void
make_types(void)
{
	struct btfw w, over;
	size_t size, more;
	struct sb b;

	btfw_init(&w);
	btfw_sample(&w);
	uint8_t *file = btfw_file(&w, &size);
	btfw_init_split(&over, &w);
	btfw_sample(&over);
	uint8_t *module = btfw_file(&over, &more);
	sb_init(&b, FILE_MAX);
	put(&b, 0, 2);
	sb_putn(&b, file, size);
	save(sb_str(&b), b.len);
	sb_reset(&b);
	put(&b, size, 2);
	sb_putn(&b, file, size);
	sb_putn(&b, module, more);
	save_sb(&b);
	free(file);
	free(module);
	btfw_fini(&w);
	btfw_fini(&over);
}

static size_t
read_program(uint8_t *to, size_t max)
{
	FILE *f = fopen(SEED_PROGRAM, "rb");
	size_t n = f ? fread(to, 1, max, f) : 0;

	if (!n) {
		perror(SEED_PROGRAM);
		exit(1);
	}
	fclose(f);
	return n;
}

static const Elf64_Shdr *
section_of(const uint8_t *file, const char *name)
{
	const Elf64_Ehdr *h = (const void *)file;
	const Elf64_Shdr *s = (const void *)(file + h->e_shoff);
	const char *names = (const char *)file + s[h->e_shstrndx].sh_offset;

	for (int i = 1; i < h->e_shnum; i++)
		if (!strcmp(names + s[i].sh_name, name))
			return &s[i];
	return NULL;
}

/* A program; the same where the last string does not end, and where a function has no
 * name. */
static void
make_debug(void)
{
	_Alignas(8) static uint8_t file[FILE_MAX];
	size_t n = read_program(file, sizeof(file));
	const Elf64_Shdr *lines = section_of(file, ".debug_line_str");
	const Elf64_Shdr *strs = section_of(file, ".debug_str");

	save(file, n);
	if (lines && lines->sh_size) {
		uint8_t *last = file + lines->sh_offset + lines->sh_size - 1;
		*last = 'x';
		save(file, n);
		*last = '\0';
	}
	uint8_t *name = strs ? memmem(file + strs->sh_offset, strs->sh_size,
				      "seed_sum", 9) : NULL;
	if (name) {
		*name = '\0';
		save(file, n);
	}
}

/* A program, and its section alone, as each machine's, with its code behind it. */
static void
make_frames(void)
{
	_Alignas(8) static uint8_t file[FILE_MAX];
	size_t n = read_program(file, sizeof(file));
	const Elf64_Shdr *eh = section_of(file, ".eh_frame");
	const Elf64_Shdr *text = section_of(file, ".text");
	struct sb b;

	if (!eh || !text)
		exit(1);
	sb_init(&b, FILE_MAX);
	for (unsigned arch = 0; arch < 3; arch++) {
		sb_reset(&b);
		put(&b, arch, 1);
		put(&b, eh->sh_addr >> 8, 2);
		put(&b, 0, 1);
		put(&b, eh->sh_size, 2);
		sb_putn(&b, file + eh->sh_offset, eh->sh_size);
		sb_putn(&b, file + text->sh_offset, text->sh_size);
		save(sb_str(&b), b.len);
	}
	sb_reset(&b);
	put(&b, 3, 1);
	sb_putn(&b, file, n);
	save_sb(&b);
}

static void
make_provided(void)
{
	static const char *const texts[] = {
		"\1-4@%edi 8@8(%rsp) -2@$-7 1@%al 8f@%xmm0 4@16(%rax,%rbx,4)",
		"\1-8@sym+8(%rip) 8@%fs:0 4@(%rsp) 8@-0x10(%rbp,%rcx)",
		"\1-4@w0 8@[sp, 16] 4@[x0, x1, lsl 3] 8@5 8@[x2]",
		"\0provider p { probe a(int x, char *y); probe b__c(uint64_t); };\n"
		"#pragma D attributes Stable/Stable/Common provider p provider\n",
		"\0/* one */ typedef struct t { int a; } t_t;\n"
		"translator t_t < struct u *p > { a = p->b + 'x'; };\n"
		"inline string x = \"a /* b */ \\\" c\";",
	};

	for (size_t i = 0; i < BASE_NELEMS(texts); i++)
		save(texts[i], 1 + strlen(texts[i] + 1));
}

/* What programs have nothing to do with. */
static const struct { const char *name; void (*make)(void); } others[] = {
	{ "symbols", make_symbols }, { "types", make_types },
	{ "debug", make_debug }, { "frames", make_frames },
	{ "provided", make_provided },
};

int
main(int argc, char **argv)
{
	if (argc < 4) {
		fprintf(stderr, "usage: seeds TARGET FOLDER FILE.d...\n");
		return 2;
	}
	folder = argv[2];
	for (size_t i = 0; i < BASE_NELEMS(others); i++)
		if (!strcmp(argv[1], others[i].name)) {
			others[i].make();
			return 0;
		}
	for (int i = 3; i < argc; i++)
		make(argv[1], argv[i]);
	return 0;
}
