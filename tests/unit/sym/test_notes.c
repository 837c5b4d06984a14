/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Notes of static probes and of providers' texts, in files that the test makes: each field
 * by itself, notes of others, what is cut short, and a base that has moved.
 */
#include <elf.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/base.h"
#include "sym/stap.h"
#include "util/sb.h"

enum { NAMES = 1, PROBES, BASE, TEXTS, NSECTIONS };

static const char names[] = "\0.shstrtab\0.note.stapsdt\0.stapsdt.base\0.note.dtrace";

/* A file of two loaded pages, whose code is at 0x1000 in it and at 0x401000 in memory, and
 * its data at 0x2000 and 0x603000. */
struct image {
	Elf64_Ehdr eh;
	Elf64_Phdr ph[2];
	Elf64_Shdr sh[NSECTIONS];
	char names[sizeof(names)];
	_Alignas(8) uint8_t probes[512], texts[512];
	uint8_t rest[0x4000];
};

static struct image image;
static size_t nprobes, ntexts;		/* bytes of their notes */
static struct sb out;

static uint32_t
name_at(const char *name)
{
	size_t at = 1;

	while (strcmp(names + at, name))
		at += strlen(names + at) + 1;
	return (uint32_t)at;
}

static void
begin(void)
{
	nprobes = ntexts = 0;
	memset(&image, 0, sizeof(image));
	memcpy(image.names, names, sizeof(names));
	image.eh = (Elf64_Ehdr){
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64,
			     __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ?
			     ELFDATA2LSB : ELFDATA2MSB, EV_CURRENT },
		.e_type = ET_DYN, .e_version = EV_CURRENT, .e_ehsize = sizeof(image.eh),
		.e_phentsize = sizeof(image.ph[0]), .e_shentsize = sizeof(image.sh[0]),
		.e_phnum = 2, .e_shnum = NSECTIONS, .e_shstrndx = NAMES,
		.e_phoff = offsetof(struct image, ph), .e_shoff = offsetof(struct image, sh),
	};
	image.ph[0] = (Elf64_Phdr){ .p_type = PT_LOAD, .p_flags = PF_X, .p_offset = 0x1000,
		.p_vaddr = 0x401000, .p_filesz = 0x1000, .p_memsz = 0x1000, .p_align = 4096 };
	image.ph[1] = (Elf64_Phdr){ .p_type = PT_LOAD, .p_flags = PF_W, .p_offset = 0x2000,
		.p_vaddr = 0x603000, .p_filesz = 0x100, .p_memsz = 0x100, .p_align = 4096 };
}

static void
put(uint8_t *to, size_t *at, const void *p, size_t n)
{
	memcpy(to + *at, p, n);
	*at += base_align(n, 4);
}

static void
put_note(bool is_text, const char *owner, uint32_t type, const void *desc, uint32_t size)
{
	uint8_t *to = is_text ? image.texts : image.probes;
	size_t *at = is_text ? &ntexts : &nprobes;
	uint32_t head[3] = { (uint32_t)strlen(owner) + 1, size, type };

	put(to, at, head, sizeof(head));
	put(to, at, owner, head[0]);
	put(to, at, desc, size);
}

/* texts: of the provider, the probe and its arguments, each with its NUL. */
static void
put_probe(uint64_t addr, uint64_t base, uint64_t counter, const char *texts, size_t size)
{
	struct { uint64_t words[3]; char texts[100]; } desc = { { addr, base, counter }, "" };

	memcpy(desc.texts, texts, size);
	put_note(false, "stapsdt", 3, &desc, (uint32_t)(24 + size));
}
#define SIZED(texts) texts, sizeof(texts)

static struct err *
on_probe(void *ctx, const struct sym_stap *p)
{
	sb_printf(&out, "%s:%s(%s) %llx %llx %llx\n", p->prov, p->name, p->args,
		  (unsigned long long)p->addr, (unsigned long long)p->offset,
		  (unsigned long long)p->semaphore);
	return ctx ? err_new(ERR_OS, EIO, "no more") : NULL;
}

static struct err *
on_text(void *ctx, const char *text, size_t size)
{
	assert_int_equal(strlen(text), size);
	sb_printf(&out, "%s\n", text);
	return ctx ? err_new(ERR_OS, EIO, "no more") : NULL;
}

/* What the file says, where .stapsdt.base is at `base` (0: it is not there), and of the
 * notes no more than so many bytes. */
static const char *
read_image(uint64_t base, size_t probes, size_t texts, bool stop)
{
	int fd = memfd_create("notes", MFD_CLOEXEC);

	image.sh[NAMES] = (Elf64_Shdr){ .sh_name = name_at(".shstrtab"), .sh_type = SHT_STRTAB,
		.sh_offset = offsetof(struct image, names), .sh_size = sizeof(names) };
	image.sh[PROBES] = (Elf64_Shdr){ .sh_name = name_at(".note.stapsdt"),
		.sh_type = SHT_NOTE, .sh_offset = offsetof(struct image, probes),
		.sh_size = probes, .sh_addralign = 4 };
	image.sh[BASE] = (Elf64_Shdr){ .sh_name = base ? name_at(".stapsdt.base") : 0,
		.sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC, .sh_addr = base,
		.sh_offset = 0x1000, .sh_size = 1 };
	image.sh[TEXTS] = (Elf64_Shdr){ .sh_name = name_at(".note.dtrace"), .sh_type = SHT_NOTE,
		.sh_offset = offsetof(struct image, texts), .sh_size = texts,
		.sh_addralign = 4 };
	assert_int_equal(write(fd, &image, sizeof(image)), sizeof(image));
	sb_reset(&out);
	struct err *e = sym_stap_walk(fd, on_probe, stop ? &out : NULL);
	struct err *f = sym_text_walk(fd, on_text, stop ? &out : NULL);
	assert_int_equal(!e, !stop || !probes);
	assert_int_equal(!f, !stop || !texts);
	err_free(e);
	err_free(f);
	close(fd);
	return sb_str(&out);
}

static void
check(uint64_t base, const char *want)
{
	assert_string_equal(read_image(base, nprobes, ntexts, false), want);
}

#define PROBE SIZED("prov\0name\08@%rdi")

/* Where a probe and its counter are: within what is loaded, to its last byte. */
static void
test_places(void **state)
{
	static const struct { uint64_t addr, counter; const char *want; } rows[] = {
		{ 0x401000, 0, "401000 1000 0" }, { 0x401fff, 0, "401fff 1fff 0" },
		{ 0x400fff, 0, NULL }, { 0x402000, 0, NULL }, { 0, 0, NULL },
		{ 0x401010, 0x603000, "401010 1010 2000" },
		{ 0x401010, 0x6030ff, "401010 1010 20ff" },
		{ 0x401010, 0x603100, NULL }, { 0x401010, 0x602fff, NULL },
		{ 0x401010, 1, NULL }, { 0x603000, 0, "603000 2000 0" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		char want[100] = "";
		begin();
		put_probe(rows[i].addr, 0, rows[i].counter, PROBE);
		if (rows[i].want)
			snprintf(want, sizeof(want), "prov:name(8@%%rdi) %s\n", rows[i].want);
		check(0, want);
	}
}

/* A base that is not where the note says has moved with the probe and its counter; without
 * a base nothing has. */
static void
test_base(void **state)
{
	begin();
	put_probe(0x400800, 0x402000, 0x6028ff, PROBE);
	check(0, "");
	check(0x402800, "prov:name(8@%rdi) 401000 1000 20ff\n");
	check(0x402900, "");		/* the counter is beyond */
	begin();
	put_probe(0x401800, 0x402000, 0, PROBE);
	check(0x402000, "prov:name(8@%rdi) 401800 1800 0\n");
	check(0x401900, "prov:name(8@%rdi) 401100 1100 0\n");
	check(0, "prov:name(8@%rdi) 401800 1800 0\n");
}

/* Each text has an end, and all three are there; arguments may be none. */
static void
test_texts_of_probes(void **state)
{
	static const struct { const char *texts; size_t size; const char *want; } rows[] = {
		{ SIZED("p\0n\0"), "p:n() 401000 1000 0\n" },
		{ SIZED("p\0n\0a\0more"), "p:n(a) 401000 1000 0\n" },
		{ SIZED("\0\0"), ":() 401000 1000 0\n" },
		{ "p\0n\0a", 5, "" }, { "p\0n\0", 4, "" }, { "p\0n", 3, "" }, { "p\0", 2, "" },
		{ "p", 1, "" }, { "", 0, "" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		begin();
		put_probe(0x401000, 0, 0, rows[i].texts, rows[i].size);
		put_probe(0x401004, 0, 0, PROBE);	/* none ends the walk */
		char want[200];
		snprintf(want, sizeof(want), "%sprov:name(8@%%rdi) 401004 1004 0\n",
			 rows[i].want);
		check(0, want);
	}
	/* without room for the numbers */
	begin();
	put_note(false, "stapsdt", 3, (uint64_t[]){ 0x401000, 0, 0 }, 23);
	put_probe(0x401004, 0, 0, PROBE);
	check(0, "prov:name(8@%rdi) 401004 1004 0\n");
}

/* Notes of others are passed over. */
static void
test_others(void **state)
{
	begin();
	put_note(false, "stapsdt", 2, "", 0);
	put_note(false, "stapsdu", 3, "1234", 4);
	put_note(false, "stapsdt2", 3, "12345", 5);
	put_note(false, "stapsd", 3, "1", 1);
	put_note(false, "", 3, "123456789", 9);
	put_probe(0x401000, 0, 0, PROBE);
	put_note(false, "dtrace", 1, "text", 5);
	put_probe(0x401001, 0, 0, PROBE);
	put_note(true, "dtrace", 1, "provider a { };", 16);
	put_note(true, "dtrace", 0, "wrong type", 11);
	put_note(true, "dtrace", 2, "wrong type", 11);
	put_note(true, "dtracf", 1, "wrong owner", 12);
	put_note(true, "dtrace", 1, "without an end", 14);
	put_note(true, "dtrace", 1, "", 0);
	put_note(true, "dtrace", 1, "b\0more", 7);
	put_note(true, "dtrace", 1, "", 1);
	check(0, "prov:name(8@%rdi) 401000 1000 0\nprov:name(8@%rdi) 401001 1001 0\n"
	      "provider a { };\nb\n\n");
	/* who has enough gets no more */
	assert_string_equal(read_image(0, nprobes, ntexts, true),
			    "prov:name(8@%rdi) 401000 1000 0\nprovider a { };\n");
}

/* However they are cut, notes before the cut are there, and the last if only what aligns
 * the next is missing. */
static void
test_cut(void **state)
{
	size_t first, whole;

	begin();
	put_probe(0x401000, 0, 0, SIZED("p\0n\0ab"));	/* 31 bytes and 1 that aligns */
	first = nprobes;
	put_probe(0x401001, 0, 0, SIZED("p\0n\0ab"));
	whole = nprobes - 1;
	for (size_t n = 1; n <= nprobes; n++)
		assert_string_equal(read_image(0, n, 0, false),
				    n < first - 1 ? "" : n < whole ?
				    "p:n(ab) 401000 1000 0\n" :
				    "p:n(ab) 401000 1000 0\np:n(ab) 401001 1001 0\n");
	/* sizes that reach beyond, or around */
	static const uint32_t sizes[] = { 0xffffffff, 0xfffffff8, 0x80000000, 1000 };
	for (size_t i = 0; i < 2 * BASE_NELEMS(sizes); i++) {
		begin();
		put_probe(0x401000, 0, 0, PROBE);
		memcpy(image.probes + (i & 1) * 4, &sizes[i / 2], 4);
		put_probe(0x401001, 0, 0, PROBE);
		check(0, "");
	}
}

/* What is no such file has none. */
static void
test_none(void **state)
{
	begin();
	check(0, "");
	put_probe(0x401000, 0, 0, PROBE);
	image.eh.e_ident[0] = 'x';
	check(0, "");
}

static int
set_up(void **state)
{
	sb_init(&out, 1 << 16);
	return 0;
}

static int
tear_down(void **state)
{
	sb_fini(&out);
	return 0;
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places), cmocka_unit_test(test_base),
		cmocka_unit_test(test_texts_of_probes), cmocka_unit_test(test_others),
		cmocka_unit_test(test_cut), cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
