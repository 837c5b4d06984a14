/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Functions of programs: whole, stripped, stripped with the debug information
 * elsewhere, broken; and names as people write them.
 *
 * test_elf PROGRAM STRIPPED LIBRARY: what tests/support/stacks.c becomes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/base.h"
#include "sym/elf_priv.h"
#include "sym/file.h"
#include "util/alloc.h"

static const char *program, *stripped, *library;

static void
read_file(struct esyms *s, const char *path, const char *debug_dir)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	struct err *e = sym_elf_read(s, fd, debug_dir);
	if (e)
		fail_msg("%s: %s", path, e->text);
	close(fd);
}

static struct esym *
by_name(struct esyms *s, const char *name)
{
	for (size_t i = 0; i < s->all.n; i++)
		if (strcmp(s->names.v + s->all.v[i].name, name) == 0)
			return &s->all.v[i];
	return NULL;
}

/* Every address of the function, and none around it, is the function's. */
static void
check_function(struct esyms *s, const char *name, const char *shown)
{
	struct esym *e = by_name(s, name);

	assert_non_null(e);
	assert_true(e->size > 4);
	assert_ptr_equal(sym_elf_find(s, e->addr), e);
	assert_ptr_equal(sym_elf_find(s, e->addr + e->size - 1), e);
	assert_ptr_not_equal(sym_elf_find(s, e->addr + e->size), e);
	assert_ptr_not_equal(sym_elf_find(s, e->addr - 1), e);
	assert_string_equal(sym_elf_name(s, e, true), name);
	assert_string_equal(sym_elf_name(s, e, false), shown);
	assert_string_equal(sym_elf_name(s, e, false), shown);
}

static void
test_whole(void **state)
{
	struct esyms s;

	read_file(&s, program, NULL);
	check_function(&s, "outermost", "outermost");
	check_function(&s, "_ZN5outer5innerEi", "outer::inner(int)");
	check_function(&s, "_RNvC4demo4leaf", "demo::leaf");
	check_function(&s, "forked", "forked");		/* static */
	for (size_t i = 1; i < s.all.n; i++)
		assert_true(s.all.v[i - 1].addr < s.all.v[i].addr);
	sym_elf_fini(&s);
}

static void
test_library(void **state)
{
	struct esyms s;

	read_file(&s, library, NULL);
	check_function(&s, "library_entry", "library_entry");
	check_function(&s, "library_inside", "library_inside");
	assert_null(by_name(&s, "syscall"));	/* of another */
	sym_elf_fini(&s);
}

static void
test_stripped(void **state)
{
	struct esyms s;

	read_file(&s, stripped, NULL);
	assert_null(by_name(&s, "outermost"));
	assert_true(s.segs.n > 1);
	sym_elf_fini(&s);
}

/* Variables stand at a distance from code, wherever that is loaded. */
static void
test_data(void **state)
{
	struct esyms s, segs;
	uint64_t addr;
	int fd = open(program, O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_null(sym_elf_read_segments(&segs, fd));
	close(fd);
	read_file(&s, program, NULL);
	check_function(&s, "stacks_set", "stacks_set");
	check_function(&s, "stacks_unset", "stacks_unset");	/* static */
	uint64_t set = by_name(&s, "stacks_set")->addr;
	uint64_t unset = by_name(&s, "stacks_unset")->addr;
	uint64_t code = by_name(&s, "outermost")->addr;
	for (size_t i = 0; i < s.segs.n; i++) {
		const struct eseg *g = &s.segs.v[i];
		if (code - g->addr >= g->size)
			continue;
		assert_true(g->is_code);
		uint64_t off = code - g->addr + g->off;
		assert_true(sym_elf_data_addr(&s, off, set - code, &addr));
		assert_int_equal(addr, set);
		assert_true(sym_elf_data_addr(&segs, off, unset - code, &addr));
		assert_int_equal(addr, unset);
		/* a mapping begins with a page */
		off &= ~4095ULL;
		assert_true(sym_elf_data_addr(&s, off, 0, &addr));
		assert_int_equal(addr - g->addr + g->off, off);
		assert_false(sym_elf_data_addr(&s, off, 1ULL << 40, &addr));
	}
	assert_false(sym_elf_data_addr(&s, UINT64_MAX / 2, 0, &addr));
	sym_elf_fini(&segs);
	sym_elf_fini(&s);
}

/* The segment that holds the first byte of code. */
static void
test_segments(void **state)
{
	struct esyms s;
	uint64_t addr;
	size_t code = 0;

	read_file(&s, program, NULL);
	uint64_t want = by_name(&s, "outermost")->addr;
	for (size_t i = 0; i < s.segs.n; i++)
		if (want - s.segs.v[i].addr < s.segs.v[i].size)
			code = i;
	const struct eseg *g = &s.segs.v[code];
	assert_true(sym_elf_addr(&s, want - g->addr + g->off, &addr));
	assert_int_equal(addr, want);
	assert_false(sym_elf_addr(&s, UINT64_MAX / 2, &addr));
	sym_elf_fini(&s);
}

/* --- Debug files ---------------------------------------------------------- */

static void
run(const char *fmt, ...)
{
	char text[4096];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	if (system(text) != 0)
		fail_msg("%s", text);
}

/* "ab/cdef..." of the build id. */
static bool
id_path(const char *path, char *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	size_t n = 0;

	elf_version(EV_CURRENT);
	Elf *e = elf_begin(fd, ELF_C_READ, NULL);
	while ((scn = elf_nextscn(e, scn)))
		if (gelf_getshdr(scn, &sh) && sh.sh_type == SHT_NOTE &&
		    sh.sh_size == 36) {	/* header, "GNU", 20 bytes */
			const uint8_t *p = elf_getdata(scn, NULL)->d_buf;
			for (int i = 0; i < 20; i++)
				n += (size_t)sprintf(out + n, i == 1 ? "/%02x"
						     : "%02x", p[16 + i]);
			break;
		}
	elf_end(e);
	close(fd);
	return n > 0;
}

static void
test_debug(void **state)
{
	char dir[] = "/tmp/sym-elf-XXXXXX", id[64], bare[64];
	struct esyms s;

	if (system("command -v objcopy >/dev/null") != 0 ||
	    !id_path(program, id)) {
		print_message("# skipped: no objcopy, or no build ids\n");
		skip();
	}
	assert_non_null(mkdtemp(dir));
	snprintf(bare, sizeof(bare), "%s/bare", dir);
	run("objcopy -S '%s' %s", program, bare);
	read_file(&s, bare, dir);
	assert_null(by_name(&s, "outermost"));	/* not yet */
	sym_elf_fini(&s);
	run("mkdir -p %s/.build-id/%.2s && objcopy --only-keep-debug '%s' "
	    "%s/.build-id/%s.debug", dir, id, program, dir, id);
	read_file(&s, bare, dir);
	check_function(&s, "forked", "forked");
	sym_elf_fini(&s);
	/* A file with another build id is another program. */
	run("objcopy --only-keep-debug '%s' %s/.build-id/%s.debug", library,
	    dir, id);
	read_file(&s, bare, dir);
	assert_null(by_name(&s, "library_inside"));
	sym_elf_fini(&s);
	run("rm -r %s", dir);
}

/* --- Broken and other files ----------------------------------------------- */

static char *
load(const char *path, size_t *size)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	assert_int_equal(fstat(fd, &st), 0);
	char *p = malloc((size_t)st.st_size);
	assert_int_equal(read(fd, p, (size_t)st.st_size), st.st_size);
	close(fd);
	*size = (size_t)st.st_size;
	return p;
}

static void
try_image(const void *image, size_t size)
{
	struct esyms s;
	uint64_t addr = 0;
	struct err *e = sym_elf_read_memory(&s, image, size);

	if (e) {
		err_free(e);
		return;
	}
	sym_elf_addr(&s, 4096, &addr);
	struct esym *y = sym_elf_find(&s, addr);
	if (y)
		assert_non_null(sym_elf_name(&s, y, false));
	sym_elf_fini(&s);
}

static void
test_broken(void **state)
{
	uint32_t seed = 1;
	size_t size;
	char *p = load(program, &size), *q = malloc(size);

	for (int i = 0; i < 400; i++) {
		memcpy(q, p, size);
		for (int k = 0; k < 1 + i % 8; k++) {
			seed = seed * 1103515245 + 12345;
			size_t at = seed >> 3;
			/* headers are where it hurts */
			at = i % 2 ? at % size : at % 64 % 64 +
			     (k % 2 ? size - 64 * 30 : 0) % size;
			seed = seed * 1103515245 + 12345;
			q[at] = (char)(seed >> 16);
		}
		try_image(q, size);
	}
	for (size_t n = 0; n < size; n += size / 100 + 1)
		try_image(p, n);
	free(p);
	free(q);
}

static void
test_not_elf(void **state)
{
	struct esyms s;
	struct err *e = sym_elf_read_memory(&s, "#!/bin/sh\n", 10);

	assert_int_equal(e->code, ERR_FORMAT);
	err_free(e);
}

/* --- Files that cost nothing to make ---------------------------------------- */

enum { HUGE_FILE = 1 << 30 };

struct bomb {
	const char *what;
	uint64_t shnum;		/* more than 65535: in the first section */
	uint16_t phnum;
	uint64_t table, strings;	/* bytes of these sections */
	uint64_t flags;			/* of the strings */
	bool refused;
	size_t names;		/* how many functions there are to be */
};

/* The file is sparse: a header, sections at the end of the first MB, one symbol
 * at 1 MB and its name, "f", at 2 MB; all else is zeros. */
static int
make_bomb(const struct bomb *b)
{
	FILE *f = tmpfile();
	int fd = dup(fileno(f));
	bool many = b->shnum > UINT16_MAX;
	Elf64_Ehdr eh = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64,
			     __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ?
			     ELFDATA2LSB : ELFDATA2MSB, EV_CURRENT },
		.e_type = ET_DYN, .e_version = EV_CURRENT,
		.e_phoff = sizeof(eh), .e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = b->phnum, .e_shoff = 4096, .e_ehsize = sizeof(eh),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = many ? 0 : (uint16_t)b->shnum,
	};
	Elf64_Shdr sh = { .sh_size = many ? b->shnum : 0,
			  .sh_info = 1 << 24 };
	Elf64_Shdr symtab = { .sh_type = SHT_SYMTAB, .sh_offset = 1 << 23,
		.sh_size = b->table, .sh_link = 2, .sh_addralign = 8,
		.sh_entsize = sizeof(Elf64_Sym) };
	Elf64_Shdr strtab = { .sh_type = SHT_STRTAB, .sh_offset = 1 << 24,
		.sh_size = b->strings, .sh_flags = b->flags,
		.sh_addralign = 1 };
	Elf64_Sym sym = { .st_name = 1, .st_shndx = 5, .st_value = 4096,
		.st_size = 16,
		.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC) };

	fclose(f);
	assert_int_equal(ftruncate(fd, (off_t)HUGE_FILE * 64), 0);
	assert_true(pwrite(fd, &eh, sizeof(eh), 0) > 0);
	assert_true(pwrite(fd, &sh, sizeof(sh), 4096) > 0);
	assert_true(pwrite(fd, &strtab, sizeof(sh), 4096 + 128) > 0);
	for (uint64_t i = 1; i < BASE_MIN(b->shnum, 65535u); i++)
		if (i != 2)
			assert_true(pwrite(fd, &symtab, sizeof(sh), (off_t)
					   (4096 + i * sizeof(sh))) > 0);
	assert_true(pwrite(fd, &sym, sizeof(sym), 1 << 23) > 0);
	assert_true(pwrite(fd, "\0f", 3, 1 << 24) > 0);
	return fd;
}

/* Numbers and sizes for which reading takes all memory there is, or all day. */
static void
test_bombs(void **state)
{
	static const struct bomb rows[] = {
		{ "harmless", 3, 0, 24, 16, 0, false, 1 },
		{ "sections", 1 << 29, 0, 24, 16, 0, true, 0 },
		{ "segments", 3, PN_XNUM, 24, 16, 0, true, 0 },
		{ "symbols", 3, 0, (uint64_t)48 << 30, 16, 0, false, 0 },
		{ "strings", 3, 0, 24, (uint64_t)32 << 30, 0, false, 0 },
		{ "compressed", 3, 0, 24, 1 << 20, SHF_COMPRESSED, false, 0 },
		{ "tables", 65000, 0, 24 << 20, 16, 0, false, 1 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct timespec a, b;
		struct esyms s;
		int fd = make_bomb(&rows[i]);
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
		struct err *e = sym_elf_read(&s, fd, NULL);
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
		close(fd);
		if (b.tv_sec - a.tv_sec > 5 || (e != NULL) != rows[i].refused)
			fail_msg("%s: %s", rows[i].what, e ? e->text : "read");
		if (!e && s.all.n != rows[i].names)
			fail_msg("%s: %zu names", rows[i].what, s.all.n);
		if (e)
			err_free(e);
		else
			sym_elf_fini(&s);
	}
}

static void
test_memory(void **state)
{
	for (unsigned long nth = 1; nth < 2000; nth++) {
		int fd = open(program, O_RDONLY | O_CLOEXEC);
		struct esyms s;
		util_alloc_fail(nth, 0);
		struct err *e = sym_elf_read(&s, fd, NULL);
		util_alloc_fail(0, 0);
		close(fd);
		if (!e) {
			assert_true(nth > 2);
			sym_elf_fini(&s);
			return;
		}
		assert_int_equal(e->code, ERR_NOMEM);
		err_free(e);
	}
	fail();
}

/* The kernel's own library, out of memory. */
static void
test_vdso(void **state)
{
	const void *image = (const void *)getauxval(AT_SYSINFO_EHDR);
	struct esyms s;

	if (!image)
		skip();
	assert_null(sym_elf_read_memory(&s, image, 8192));
	assert_true(by_name(&s, "__vdso_clock_gettime") ||
		    by_name(&s, "clock_gettime") ||
		    by_name(&s, "__kernel_clock_gettime"));
	sym_elf_fini(&s);
}

/* --- Names ---------------------------------------------------------------- */

static void
test_demangle(void **state)
{
	static const struct { const char *name, *want; } rows[] = {
		{ "main", NULL }, { "", NULL }, { "_Z", NULL }, { "_R", NULL },
		{ "_Zonk", NULL }, { "_start", NULL },
		{ "_Z3foov", "foo()" },
		{ "_ZN1a1b1cEv", "a::b::c()" },
		{ "_ZNSt6vectorIiSaIiEE9push_backERKi",
		  "std::vector<int, std::allocator<int> >::push_back("
		  "int const&)" },
		{ "_ZN4core3fmt5write17h0123456789abcdefE",
		  "core::fmt::write" },
		{ "_RNvC6crateX4func", "crateX::func" },
		{ "_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar" },
		{ "_D1w3fibFiZi", "w.fib(int)" },
		{ "_D1w1C4leafMFiZv", "w.C.leaf(int)" },
		{ "_Dmain", NULL }, { "_D", NULL }, { "_D1", NULL },
		{ "_DYNAMIC", NULL }, { "_D9w", NULL },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		char *got = sym_demangle(rows[i].name);
		if (rows[i].want)
			assert_string_equal(got ? got : "", rows[i].want);
		else
			assert_null(got);
		util_free(got);
	}
}

/* Names made to be large stay as they are. */
static void
test_demangle_limits(void **state)
{
	size_t n = 100000;
	char *name = malloc(n + 1);

	memset(name, 'P', n);
	memcpy(name, "_Z1f", 4);
	name[n] = '\0';
	assert_null(sym_demangle(name));
	name[9000] = '\0';
	util_free(sym_demangle(name));
	/* of D */
	memset(name, 'A', n);
	memcpy(name, "_D1f", 4);
	name[1100] = '\0';
	assert_null(sym_demangle(name));
	name[1000] = '\0';
	util_free(sym_demangle(name));
	free(name);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_library),
		cmocka_unit_test(test_stripped),
		cmocka_unit_test(test_data),
		cmocka_unit_test(test_segments),
		cmocka_unit_test(test_debug),
		cmocka_unit_test(test_broken),
		cmocka_unit_test(test_not_elf),
		cmocka_unit_test(test_bombs),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_vdso),
		cmocka_unit_test(test_demangle),
		cmocka_unit_test(test_demangle_limits),
	};

	if (argc != 4)
		return 2;
	program = argv[1];
	stripped = argv[2];
	library = argv[3];
	return cmocka_run_group_tests(tests, NULL, NULL);
}
