/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Symbols in ELF files that the test makes, one symbol at a time: which are
 * taken, which of several at an address wins, and what lies at each address.
 */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/base.h"
#include "sym/elf_priv.h"
#include "sym/file.h"

enum { CODE = 4, DATA = 5, NSECTIONS = 6, ROWS_MAX = 40, NAMES = 1 << 18 };

struct row {
	const char *name;
	unsigned type, bind, section;
	uint64_t value, size;
};

#define FUNC(name, value, size) \
	{ name, STT_FUNC, STB_GLOBAL, CODE, value, size }

/* A file in memory: one loaded page, .symtab (of dynsym if so), its strings,
 * code and data. */
struct image {
	Elf64_Ehdr eh;
	Elf64_Phdr ph;
	Elf64_Shdr sh[NSECTIONS];
	Elf64_Sym sym[ROWS_MAX + 1];
	char names[NAMES];
};

static void
make(struct image *m, const struct row *rows, size_t n, unsigned kind)
{
	size_t at = 1;

	memset(m, 0, sizeof(*m));
	m->eh = (Elf64_Ehdr){
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64,
			     __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ?
			     ELFDATA2LSB : ELFDATA2MSB, EV_CURRENT },
		.e_type = ET_DYN, .e_version = EV_CURRENT,
		.e_ehsize = sizeof(m->eh), .e_phentsize = sizeof(m->ph),
		.e_shentsize = sizeof(m->sh[0]), .e_phnum = 1,
		.e_shnum = NSECTIONS, .e_phoff = offsetof(struct image, ph),
		.e_shoff = offsetof(struct image, sh),
	};
	m->ph = (Elf64_Phdr){ .p_type = PT_LOAD, .p_flags = PF_X,
			      .p_vaddr = 0x1000, .p_filesz = 0x2000,
			      .p_memsz = 0x3000, .p_align = 4096 };
	assert_true(n <= ROWS_MAX);
	for (size_t i = 0; i < n; i++) {
		m->sym[i + 1] = (Elf64_Sym){
			.st_name = (uint32_t)at, .st_value = rows[i].value,
			.st_size = rows[i].size,
			.st_shndx = (uint16_t)rows[i].section,
			.st_info = ELF64_ST_INFO(rows[i].bind, rows[i].type) };
		assert_true(at + strlen(rows[i].name) + 1 < NAMES);
		strcpy(m->names + at, rows[i].name);
		at += strlen(rows[i].name) + 1;
	}
	m->sh[1] = (Elf64_Shdr){ .sh_type = kind,
		.sh_offset = offsetof(struct image, sym),
		.sh_size = (n + 1) * sizeof(Elf64_Sym), .sh_link = 2,
		.sh_entsize = sizeof(Elf64_Sym), .sh_addralign = 8 };
	m->sh[2] = (Elf64_Shdr){ .sh_type = SHT_STRTAB, .sh_size = NAMES,
		.sh_offset = offsetof(struct image, names) };
	m->sh[CODE] = (Elf64_Shdr){ .sh_type = SHT_PROGBITS,
		.sh_flags = SHF_ALLOC | SHF_EXECINSTR };
	m->sh[DATA] = (Elf64_Shdr){ .sh_type = SHT_NOBITS,
				    .sh_flags = SHF_ALLOC | SHF_WRITE };
}

static struct image image;

static void
read_rows(struct esyms *s, const struct row *rows, size_t n)
{
	make(&image, rows, n, SHT_SYMTAB);
	assert_null(sym_elf_read_memory(s, &image, sizeof(image)));
}

/* What lies at addr; NULL: nothing. */
static void
check(struct esyms *s, uint64_t addr, const char *want)
{
	struct esym *e = sym_elf_find(s, addr);
	const char *got = e ? sym_elf_name(s, e, true) : NULL;

	if (!got != !want || (got && strcmp(got, want)))
		fail_msg("at %#llx: %s, not %s", (unsigned long long)addr,
			 got ? got : "nothing", want ? want : "nothing");
}

/* Who has a size ends there; who has none at the next function, but does not
 * reach over data, and the last is as long as nothing. */
static void
test_ends(void **state)
{
	static const struct row rows[] = {
		FUNC("open", 0x1000, 0), FUNC("sized", 0x1100, 0x10),
		FUNC("other", 0x1200, 0), FUNC("third", 0x1300, 1),
		FUNC("before_data", 0x1400, 0),
		{ "data", STT_OBJECT, STB_GLOBAL, DATA, 0x1500, 8 },
		FUNC("last", 0x1600, 0),
	};
	struct esyms s;

	read_rows(&s, rows, BASE_NELEMS(rows));
	assert_int_equal(s.all.n, BASE_NELEMS(rows));
	check(&s, 0xfff, NULL);
	check(&s, 0x1000, "open");
	check(&s, 0x10ff, "open");
	check(&s, 0x1100, "sized");
	check(&s, 0x110f, "sized");
	check(&s, 0x1110, NULL);
	check(&s, 0x11ff, NULL);
	check(&s, 0x12ff, "other");
	check(&s, 0x1300, "third");
	check(&s, 0x1301, NULL);
	check(&s, 0x1400, "before_data");
	check(&s, 0x1401, NULL);
	check(&s, 0x1500, "data");
	check(&s, 0x1507, "data");
	check(&s, 0x1508, NULL);
	check(&s, 0x1600, "last");
	check(&s, 0x1601, NULL);
	sym_elf_fini(&s);
}

/* A function may have others in it, in which it goes on behind them. */
static void
test_inside(void **state)
{
	struct row rows[20] = { FUNC("outer", 0x1000, 0x1000) };
	char names[20][8];
	struct esyms s;

	for (size_t i = 1; i < BASE_NELEMS(rows); i++) {
		snprintf(names[i], sizeof(names[i]), "in%zu", i);
		rows[i] = (struct row)FUNC(names[i], 0x1000 + 0x10 * i, 8);
	}
	read_rows(&s, rows, BASE_NELEMS(rows));
	check(&s, 0x1008, "outer");
	check(&s, 0x1010, "in1");
	check(&s, 0x1018, "outer");
	check(&s, 0x10f0 + 7, "in15");
	check(&s, 0x10f0 + 8, "outer");		/* the 16th looked at */
	check(&s, 0x1100 + 8, NULL);		/* and that is too far */
	sym_elf_fini(&s);
}

/* Labels are names only where no function is, and what has a size, is global,
 * and has fewer underscores is better, in this order. */
static void
test_ranks(void **state)
{
	static const struct row rows[] = {
		{ "label", STT_NOTYPE, STB_GLOBAL, CODE, 0x1000, 16 },
		{ "__local", STT_FUNC, STB_LOCAL, CODE, 0x1000, 16 },
		{ "sizeless", STT_FUNC, STB_GLOBAL, CODE, 0x1000, 0 },
		{ "_local", STT_FUNC, STB_LOCAL, CODE, 0x1000, 16 },
		{ "_______________x", STT_FUNC, STB_WEAK, CODE, 0x1100, 16 },
		{ "local", STT_FUNC, STB_LOCAL, CODE, 0x1100, 16 },
		{ "local", STT_FUNC, STB_LOCAL, CODE, 0x1200, 16 },
		/* 16 underscores count as 15: they make no weak one local */
		{ "________________x", STT_FUNC, STB_WEAK, CODE, 0x1200, 16 },
		{ "weak", STT_FUNC, STB_WEAK, CODE, 0x1300, 16 },
		{ "________________y", STT_FUNC, STB_GLOBAL, CODE, 0x1300, 16 },
		{ "first", STT_FUNC, STB_GLOBAL, CODE, 0x1400, 16 },
		{ "again", STT_FUNC, STB_GLOBAL, CODE, 0x1400, 16 },
		{ "inside", STT_NOTYPE, STB_LOCAL, CODE, 0x1408, 0 },
		{ "behind", STT_NOTYPE, STB_LOCAL, CODE, 0x1410, 0 },
		{ "size0", STT_FUNC, STB_LOCAL, CODE, 0x1500, 0 },
		{ "label2", STT_NOTYPE, STB_GLOBAL, CODE, 0x1500, 1 },
	};
	struct esyms s;

	read_rows(&s, rows, BASE_NELEMS(rows));
	check(&s, 0x1000, "_local");
	check(&s, 0x1100, "_______________x");
	check(&s, 0x1200, "________________x");
	check(&s, 0x1300, "________________y");
	check(&s, 0x1400, "first");
	check(&s, 0x1408, "first");
	check(&s, 0x1410, "behind");
	check(&s, 0x1500, "label2");
	assert_int_equal(s.all.n, 7);
	sym_elf_fini(&s);
}

/* What is no name of anything here. */
static void
test_unwanted(void **state)
{
	static char longest[1 << 16], longer[(1 << 16) + 1];
	struct row rows[] = {
		FUNC("good", 0x1000, 16),
		{ "undefined", STT_FUNC, STB_GLOBAL, SHN_UNDEF, 0x1100, 16 },
		{ "", STT_FUNC, STB_GLOBAL, CODE, 0x1110, 16 },
		{ "@VERS_1", STT_FUNC, STB_GLOBAL, CODE, 0x1120, 16 },
		{ "$x", STT_NOTYPE, STB_LOCAL, CODE, 0x1130, 16 },
		{ ".L7", STT_NOTYPE, STB_LOCAL, CODE, 0x1140, 16 },
		{ "number", STT_NOTYPE, STB_LOCAL, DATA, 0x1150, 16 },
		{ "file.c", STT_FILE, STB_LOCAL, SHN_ABS, 0x1160, 16 },
		{ "tls", STT_TLS, STB_GLOBAL, DATA, 0x1170, 16 },
		{ "empty", STT_OBJECT, STB_GLOBAL, DATA, 0x1180, 0 },
		{ "table", STT_OBJECT, STB_GLOBAL, CODE, 0x1190, 16 },
		FUNC(longer, 0x11a0, 16),
		FUNC(longest, 0x1200, 16),
		{ "chosen", STT_GNU_IFUNC, STB_GLOBAL, CODE, 0x1210, 16 },
		FUNC("twice@@VERS_2", 0x1220, 16),
		FUNC("ch\033\177ange", 0x1230, 16),
		FUNC("after", 0x1240, 16),
	};
	struct esyms s;

	memset(longest, 'a', sizeof(longest) - 1);
	memset(longer, 'b', sizeof(longer) - 1);
	read_rows(&s, rows, BASE_NELEMS(rows));
	for (uint64_t addr = 0x1100; addr < 0x11b0; addr += 16)
		check(&s, addr, NULL);
	check(&s, 0x1000, "good");
	check(&s, 0x1200, longest);
	check(&s, 0x1210, "chosen");
	check(&s, 0x1220, "twice");
	check(&s, 0x1230, "ch\?\?ange");
	check(&s, 0x1240, "after");
	assert_int_equal(s.all.n, 6);
	sym_elf_fini(&s);
}

/* Both tables count, but of each only the first. */
static void
test_two_tables(void **state)
{
	static const struct row rows[] = { FUNC("one", 0x1000, 16),
					   FUNC("two", 0x1100, 16) };
	struct esyms s;

	make(&image, rows, 2, SHT_SYMTAB);
	image.sh[1].sh_size = 2 * sizeof(Elf64_Sym);	/* "one" */
	image.sh[3] = image.sh[1];
	image.sh[3].sh_offset += sizeof(Elf64_Sym);	/* "one", "two" */
	image.sh[3].sh_size += sizeof(Elf64_Sym);
	assert_null(sym_elf_read_memory(&s, &image, sizeof(image)));
	check(&s, 0x1000, "one");
	check(&s, 0x1100, NULL);
	sym_elf_fini(&s);
	image.sh[3].sh_type = SHT_DYNSYM;
	assert_null(sym_elf_read_memory(&s, &image, sizeof(image)));
	check(&s, 0x1000, "one");
	check(&s, 0x1100, "two");
	sym_elf_fini(&s);
}

/* The first and the last byte of a segment, in the file and in memory. */
static void
test_segment(void **state)
{
	uint64_t addr = 0;
	struct esyms s;

	read_rows(&s, NULL, 0);
	assert_int_equal(s.segs.n, 1);
	assert_true(sym_elf_addr(&s, 0, &addr));
	assert_int_equal(addr, 0x1000);
	assert_true(sym_elf_addr(&s, 0x1fff, &addr));
	assert_int_equal(addr, 0x2fff);
	assert_false(sym_elf_addr(&s, 0x2000, &addr));
	assert_true(sym_elf_data_addr(&s, 0, 0x2fff, &addr));
	assert_int_equal(addr, 0x3fff);
	assert_false(sym_elf_data_addr(&s, 0, 0x3000, &addr));
	assert_false(sym_elf_data_addr(&s, 0, (uint64_t)-1, &addr));
	assert_true(sym_elf_data_addr(&s, 0x1000, (uint64_t)-0x1000, &addr));
	assert_int_equal(addr, 0x1000);
	sym_elf_fini(&s);
}

/* A segment that begins within a page: what is mapped begins with the page. */
static void
test_segment_within_page(void **state)
{
	uint64_t addr = 0;
	struct esyms s;

	make(&image, NULL, 0, SHT_SYMTAB);
	image.ph.p_offset = 0x234;
	image.ph.p_vaddr = 0x1234;
	assert_null(sym_elf_read_memory(&s, &image, sizeof(image)));
	assert_true(sym_elf_data_addr(&s, 0, 0x234, &addr));
	assert_int_equal(addr, 0x1234);
	assert_true(sym_elf_data_addr(&s, 0, 0x300, &addr));
	assert_int_equal(addr, 0x1300);
	assert_true(sym_elf_data_addr(&s, 0x234, 0, &addr));
	assert_int_equal(addr, 0x1234);
	sym_elf_fini(&s);
}

/* Only parts that are code and have bytes in the file, in order of place, and no more
 * than there is room for. */
static void
test_parts(void **state)
{
	static const Elf64_Phdr heads[] = {
		{ .p_type = PT_LOAD, .p_flags = PF_R, .p_offset = 0x1000,
		  .p_vaddr = 0x401000, .p_filesz = 0x1000, .p_memsz = 0x1000 },
		{ .p_type = PT_LOAD, .p_flags = PF_X, .p_offset = 0x3000,
		  .p_vaddr = 0x403000, .p_filesz = 0x800, .p_memsz = 0x900 },
		{ .p_type = PT_LOAD, .p_flags = PF_X, .p_offset = 0x2000,
		  .p_vaddr = 0x502000, .p_filesz = 0x400, .p_memsz = 0x400 },
		{ .p_type = PT_LOAD, .p_flags = PF_X, .p_offset = 0x4000,
		  .p_vaddr = 0x604000, .p_filesz = 0, .p_memsz = 0x1000 },
		{ .p_type = PT_NOTE, .p_flags = PF_X, .p_offset = 0x5000,
		  .p_vaddr = 0x705000, .p_filesz = 0x100, .p_memsz = 0x100 },
	};
	static const struct { uint64_t addr; int part; } rows[] = {
		{ 0x401000, -1 }, { 0x402fff, -1 }, { 0x403000, 1 },
		{ 0x4037ff, 1 }, { 0x403800, -1 }, { 0x502000, 0 },
		{ 0x5023ff, 0 }, { 0x502400, -1 }, { 0x604000, -1 },
		{ 0x705000, -1 }, { 0, -1 }, { UINT64_MAX, -1 },
	};
	struct sym_code_part parts[4];
	struct sym_code code;
	int fd = memfd_create("parts", MFD_CLOEXEC);

	make(&image, NULL, 0, SHT_SYMTAB);
	image.eh.e_phnum = BASE_NELEMS(heads);
	image.eh.e_phoff = offsetof(struct image, names) + NAMES / 2;
	memcpy(image.names + NAMES / 2, heads, sizeof(heads));
	assert_int_equal(write(fd, &image, sizeof(image)), sizeof(image));
	assert_int_equal(sym_elf_parts(fd, parts, BASE_NELEMS(parts)), 2);
	assert_int_equal(parts[0].offset, 0x2000);
	assert_int_equal(parts[0].size, 0x400);
	assert_int_equal(parts[0].addr, 0x502000);
	assert_int_equal(parts[1].offset, 0x3000);
	assert_int_equal(parts[1].size, 0x800);
	assert_int_equal(parts[1].addr, 0x403000);
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		bool found = sym_elf_code(fd, rows[i].addr, &code);
		if (found != (rows[i].part >= 0))
			fail_msg("row %zu", i);
		if (!found)
			continue;
		assert_int_equal(code.offset, parts[rows[i].part].offset);
		assert_int_equal(code.size, parts[rows[i].part].size);
		assert_int_equal(code.addr, parts[rows[i].part].addr);
	}
	assert_int_equal(sym_elf_parts(fd, parts, 1), 1);
	assert_int_equal(sym_elf_parts(fd, parts, 0), 0);
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_int_equal(sym_elf_parts(fd, parts, BASE_NELEMS(parts)), 0);
	assert_false(sym_elf_code(fd, 0x403000, &code));
	close(fd);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_inside),
		cmocka_unit_test(test_ranks),
		cmocka_unit_test(test_unwanted),
		cmocka_unit_test(test_two_tables),
		cmocka_unit_test(test_segment),
		cmocka_unit_test(test_segment_within_page),
		cmocka_unit_test(test_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
