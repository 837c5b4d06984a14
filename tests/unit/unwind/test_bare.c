/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tables of code of which no .eh_frame tells.
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
#include <fcntl.h>
#include <cmocka.h>

#include "base/base.h"
#include "support/assertok.h"
#include "sym/file.h"
#include "unwind/unwind.h"
#include "util/alloc.h"
#include "util/sb.h"

#if defined(__x86_64__)
enum { ADDR = 0x1000 };

#define CODE(text) (const uint8_t *)(text), sizeof(text) - 1

/* A row: where it begins, "sp+2 3": the CFA is two words above the stack pointer, and the
 * caller's frame pointer three below that. */
static const struct {
	const char *what;
	const uint8_t *code;
	size_t size;
	const char *rows;
} cases[] = {
	{ "a leaf", /* ret */
	  CODE("\xc3"),
	  "0 sp+1, 1 ?" },
	{ "a frame pointer", /* push %rbp; mov %rsp,%rbp; sub $16,%rsp; call .+64; leave; ret */
	  CODE("\x55\x48\x89\xe5\x48\x83\xec\x10\xe8\x3b\x00\x00\x00\xc9\xc3"),
	  "0 sp+1, 1 sp+2 2, 4 fp+2 2, e sp+1, f ?" },
	{ "none, and a branch to the end", /* test %edi,%edi; je 1f; push %rbx; sub $32,%rsp; nop; add $32,%rsp; pop %rbx; 1: ret */
	  CODE("\x85\xff\x74\x0b\x53\x48\x83\xec\x20\x90\x48\x83\xc4\x20\x5b\xc3"),
	  "0 sp+1, 5 sp+2, 9 sp+6, e sp+2, f sp+1, 10 ?" },
	{ "room of any size", /* push %rbp; mov %rsp,%rbp; push %rbx; sub %rdi,%rsp; nop; lea -8(%rbp),%rsp; pop %rbx; pop %rbp; ret */
	  CODE("\x55\x48\x89\xe5\x53\x48\x29\xfc\x90\x48\x8d\x65\xf8\x5b\x5d\xc3"),
	  "0 sp+1, 1 sp+2 2, 4 fp+2 2, f sp+1, 10 ?" },
	{ "room of any size without one", /* sub %rdi,%rsp; nop; ret */
	  CODE("\x48\x29\xfc\x90\xc3"),
	  "0 sp+1, 3 ?" },
	{ "ways that do not agree", /* endbr64; 1: push %rax; dec %edi; jne 1b; ret */
	  CODE("\xf3\x0f\x1e\xfa\x50\xff\xcf\x75\xfb\xc3"),
	  "0 sp+1, 4 ?" },
	{ "who has no caller", /* endbr64; xor %ebp,%ebp; mov %rsp,%rdi; and $-16,%rsp; call .+64; hlt */
	  CODE("\xf3\x0f\x1e\xfa\x31\xed\x48\x89\xe7\x48\x83\xe4\xf0\xe8\x3b\x00\x00\x00\xf4"),
	  "0 sp+1, 6 stop, 13 ?" },
	{ "who only uses the register", /* push %rbp; xor %ebp,%ebp; pop %rbp; ret */
	  CODE("\x55\x31\xed\x5d\xc3"),
	  "0 sp+1, 1 sp+2 2, 4 sp+1, 5 ?" },
	{ "a signal's return", /* nop; mov $15,%rax; syscall; ret */
	  CODE("\x90\x48\xc7\xc0\x0f\x00\x00\x00\x0f\x05\xc3"),
	  "0 signal, a sp+1, b ?" },
	{ "a call that does not return", /* test %edi,%edi; je 1f; push %rbx; call .+64; 1: ret */
	  CODE("\x85\xff\x74\x06\x53\xe8\x3b\x00\x00\x00\xc3"),
	  "0 sp+1, 5 sp+2, a sp+1, b ?" },
	{ "the jumps of a table", /* sub $8,%rsp; add %rdx,%rax; notrack jmp *%rax; add $8,%rsp; ret; add $8,%rsp; jmp .-5 */
	  CODE("\x48\x83\xec\x08\x48\x01\xd0\x3e\xff\xe0\x48\x83\xc4\x08\xc3\x48\x83\xc4\x08\xeb\xf9"),
	  "0 sp+1, 4 sp+2, e sp+1, f sp+2, 13 sp+1, 15 ?" },
	{ "an address in the function itself", /* push %rbx; lea 1f(%rip),%rax; call .+64; 1: pop %rbx; ret */
	  CODE("\x53\x48\x8d\x05\x05\x00\x00\x00\xe8\x3b\x00\x00\x00\x5b\xc3"),
	  "0 sp+1, 1 sp+2, e sp+1, f ?" },
	{ "one of a function behind the jumps of a table", /* lea 2f(%rip),%rdi; sub $8,%rsp; add %rdx,%rax; notrack jmp *%rax; add $8,%rsp; ret; 2: push %rbx; pop %rbx; ret */
	  CODE("\x48\x8d\x3d\x0f\x00\x00\x00\x48\x83\xec\x08\x48\x01\xd0\x3e\xff\xe0\x48\x83\xc4\x08\xc3\x53\x5b\xc3"),
	  "0 sp+1, b sp+2, 15 sp+1, 17 sp+2, 18 sp+1, 19 ?" },
	{ "a frame pointer loaded from elsewhere, on another stack", /* push %rbp; sub $64,%rsp; mov 8(%rsp),%rbp; mov %rdi,%rsp; nop; ret */
	  CODE("\x55\x48\x83\xec\x40\x48\x8b\x6c\x24\x08\x48\x89\xfc\x90\xc3"),
	  "0 sp+1, 1 sp+2 2, 5 sp+10 2, d ?" },
	{ "one written, on another stack", /* mov %rdi,%rbp; mov %rdi,%rsp; nop; ret */
	  CODE("\x48\x89\xfd\x48\x89\xfc\x90\xc3"),
	  "0 sp+1, 6 ?" },
	{ "stored and loaded", /* sub $24,%rsp; mov %rbp,16(%rsp); lea 8(%rsp),%rbp; mov 16(%rsp),%rbp; add $24,%rsp; ret */
	  CODE("\x48\x83\xec\x18\x48\x89\x6c\x24\x10\x48\x8d\x6c\x24\x08\x48\x8b\x6c\x24\x10\x48\x83\xc4\x18\xc3"),
	  "0 sp+1, 4 sp+4, 9 sp+4 2, 13 sp+4, 17 sp+1, 18 ?" },
	{ "one written and then pushed", /* mov %rdi,%rbp; push %rbp; pop %rbp; ret */
	  CODE("\x48\x89\xfd\x55\x5d\xc3"),
	  "0 sp+1, 4 sp+2, 5 sp+1, 6 ?" },
	{ "one written and then stored", /* sub $24,%rsp; mov %rdi,%rbp; mov %rbp,16(%rsp); add $24,%rsp; ret */
	  CODE("\x48\x83\xec\x18\x48\x89\xfd\x48\x89\x6c\x24\x10\x48\x83\xc4\x18\xc3"),
	  "0 sp+1, 4 sp+4, 10 sp+1, 11 ?" },
	{ "pushed twice", /* push %rbp; push %rbp; pop %rbp; pop %rbp; ret */
	  CODE("\x55\x55\x5d\x5d\xc3"),
	  "0 sp+1, 1 sp+2 2, 2 sp+3 2, 3 sp+2, 4 sp+1, 5 ?" },
	{ "cleared at first", /* xor %ebp,%ebp; push %rbx; call .+64; hlt */
	  CODE("\x31\xed\x53\xe8\x3b\x00\x00\x00\xf4"),
	  "0 sp+1, 2 stop, 9 ?" },
	{ "cleared when it was written", /* mov %rdi,%rbp; xor %ebp,%ebp; push %rbx; pop %rbx; ret */
	  CODE("\x48\x89\xfd\x31\xed\x53\x5b\xc3"),
	  "0 sp+1, 6 sp+2, 7 sp+1, 8 ?" },
	{ "cleared when it was saved", /* push %rbp; xor %ebp,%ebp; push %rbx; pop %rbx; pop %rbp; ret */
	  CODE("\x55\x31\xed\x53\x5b\x5d\xc3"),
	  "0 sp+1, 1 sp+2 2, 4 sp+3 2, 5 sp+2 2, 6 sp+1, 7 ?" },
	{ "loaded from where it was saved, or beside it", /* push %rbp; sub $16,%rsp; mov 16(%rsp),%rbp; mov 8(%rsp),%rbp; add $16,%rsp; pop %rbp; ret */
	  CODE("\x55\x48\x83\xec\x10\x48\x8b\x6c\x24\x10\x48\x8b\x6c\x24\x08\x48\x83\xc4\x10\x5d\xc3"),
	  "0 sp+1, 1 sp+2 2, 5 sp+4 2, a sp+4, 13 sp+2, 14 sp+1, 15 ?" },
	{ "saved on one of two ways", /* sub $24,%rsp; test %edi,%edi; je 1f; mov %rbp,16(%rsp); nop; 1: nop; add $24,%rsp; ret */
	  CODE("\x48\x83\xec\x18\x85\xff\x74\x06\x48\x89\x6c\x24\x10\x90\x90\x48\x83\xc4\x18\xc3"),
	  "0 sp+1, 4 sp+4, d sp+4 2, e sp+4, 13 sp+1, 14 ?" },
	{ "saved on both", /* sub $24,%rsp; test %edi,%edi; je 1f; mov %rbp,16(%rsp); jmp 2f; 1: mov %rbp,16(%rsp); 2: nop; add $24,%rsp; ret */
	  CODE("\x48\x83\xec\x18\x85\xff\x74\x07\x48\x89\x6c\x24\x10\xeb\x05\x48\x89\x6c\x24\x10\x90\x48\x83\xc4\x18\xc3"),
	  "0 sp+1, 4 sp+4, d sp+4 2, f sp+4, 14 sp+4 2, 19 sp+1 2, 1a ?" },
	{ "what nobody calls", /* ret; nop; push %rbx; pop %rbx; ret */
	  CODE("\xc3\x90\x53\x5b\xc3"),
	  "0 sp+1, 1 ?, 2 sp+1, 3 sp+2, 4 sp+1, 5 ?" },
	{ "called from the function before", /* call 1f; jmp .+5; nop; nop; nop; 1: push %rbx; pop %rbx; ret */
	  CODE("\xe8\x05\x00\x00\x00\xeb\x03\x90\x90\x90\x53\x5b\xc3"),
	  "0 sp+1, 7 ?, a sp+1, b sp+2, c sp+1, d ?" },
	{ "pushes and pops of memory and numbers", /* push $1; push (%rdi); pushf; popf; pop (%rdi); pop %rax; ret */
	  CODE("\x6a\x01\xff\x37\x9c\x9d\x8f\x07\x58\xc3"),
	  "0 sp+1, 2 sp+2, 4 sp+3, 5 sp+4, 6 sp+3, 8 sp+2, 9 sp+1, a ?" },
	{ "the stack pointer from elsewhere", /* mov %rdi,%rsp; nop; ret */
	  CODE("\x48\x89\xfc\x90\xc3"),
	  "0 sp+1, 3 ?" },
	{ "a frame pointer on a stack of its own", /* push %rbp; mov %rsp,%rbp; mov %rdi,%rsp; call .+64; mov %rbp,%rsp; pop %rbp; ret */
	  CODE("\x55\x48\x89\xe5\x48\x89\xfc\xe8\x3b\x00\x00\x00\x48\x89\xec\x5d\xc3"),
	  "0 sp+1, 1 sp+2 2, 4 fp+2 2, 10 sp+1, 11 ?" },
	{ "a register that points to the frame", /* push %rbp; sub $64,%rsp; lea 16(%rsp),%rbp; nop; add $64,%rsp; pop %rbp; ret */
	  CODE("\x55\x48\x83\xec\x40\x48\x8d\x6c\x24\x10\x90\x48\x83\xc4\x40\x5d\xc3"),
	  "0 sp+1, 1 sp+2 2, 5 sp+10 2, f sp+2 2, 10 sp+1, 11 ?" },
};

static void
write_rows(const struct unwind_table *t, char *to, size_t size)
{
	static const char *const names[] = { "?", "stop", "sp", "fp", "", "", "", "signal" };
	size_t n = 0;

	*to = 0;
	for (size_t i = 0; i < t->n; i++) {
		uint32_t rule = t->rows[i].rule, words = abi_unwind_n(rule);
		uint32_t saved = abi_unwind_saved(rule);
		n += (size_t)snprintf(to + n, size - n, "%s%x %s", i ? ", " : "",
				      t->rows[i].pc - ADDR,
				      names[abi_unwind_what(rule)]);
		if (words)
			n += (size_t)snprintf(to + n, size - n, "+%u", words);
		if (saved)
			n += (size_t)snprintf(to + n, size - n, " %u", saved);
		assert_true(n < size);
	}
}

static void
test_rows(void **state)
{
	static const uint64_t start = ADDR;

	for (size_t i = 0; i < BASE_NELEMS(cases); i++) {
		struct unwind_code c = { cases[i].code, cases[i].size, ADDR, .starts = &start,
					 .nstarts = 1 };
		struct unwind_table t;
		char rows[1024];
		assert_ok(unwind_bare_rows(&c, &t));
		write_rows(&t, rows, sizeof(rows));
		unwind_table_fini(&t);
		if (strcmp(rows, cases[i].rows))
			fail_msg("%s: \"%s\"", cases[i].what, rows);
	}
}

/* A function begins where the one before, read to its end, has the middle of an
 * instruction; and behind bytes that are none, or zeros. */
static void
test_starts(void **state)
{
	static const uint8_t code[] = { 0x50, 0x48, 0xc7, 0xc0, 0x53, 0x5b, 0xc3,
					0x06, 0x53, 0x5b, 0xc3 };
	static const uint64_t starts[] = { ADDR, ADDR + 4, ADDR + 8 };
	struct unwind_code c = { code, sizeof(code), ADDR, .starts = starts, .nstarts = 3 };
	static const uint8_t zeros[] = { 0xc3, 0, 0, 0, 0x55, 0x48, 0x89, 0xe5, 0xc9, 0xc3 };
	struct unwind_code z = { zeros, sizeof(zeros), ADDR };
	struct unwind_table t;
	char rows[256];

	assert_ok(unwind_bare_rows(&z, &t));
	write_rows(&t, rows, sizeof(rows));
	assert_string_equal(rows, "0 sp+1, 1 ?, 4 sp+1, 5 sp+2 2, 8 fp+2 2, 9 sp+1, a ?");
	unwind_table_fini(&t);
	assert_ok(unwind_bare_rows(&c, &t));
	write_rows(&t, rows, sizeof(rows));
	assert_string_equal(rows, "0 sp+1, 1 ?, 4 sp+1, 5 sp+2, 6 sp+1, 7 ?, 8 sp+1, 9 sp+2, "
			    "a sp+1, b ?");
	unwind_table_fini(&t);
}

struct told {
	struct unwind_span spans[40000];
	uint64_t starts[40000];
	size_t nspans, nstarts;
};

static void
on_function(void *ctx, uint64_t addr, uint64_t size, bool is_called)
{
	struct told *t = ctx;

	if (t->nspans == BASE_NELEMS(t->spans))
		return;
	t->spans[t->nspans++] = (struct unwind_span){ addr, addr + size };
	if (is_called)
		t->starts[t->nstarts++] = addr;
}

/* A file of one page of code at ADDR, where a function begins, and jumps by a table;
 * behind it are parts of it and functions whose addresses are taken. */
enum { TEXT_SIZE = 0x20000, SECOND = 0x10000 };
enum { NAMES = 1, TEXT, DATA, SYMTAB, STRTAB, DATA_RO, RELA, NSECTIONS };
static const char section_names[] = "\0.shstrtab\0.text\0.data\0.symtab\0.strtab\0"
	".data.rel.ro\0.rela.dyn";
static struct image {
	Elf64_Ehdr eh;
	Elf64_Phdr ph;
	Elf64_Shdr sh[NSECTIONS];
	char names[sizeof(section_names)];
	uint64_t data[4], ro[4];
	Elf64_Rela rela[4];
	Elf64_Sym sym[4];
	char strings[32];
	_Alignas(4096) uint8_t text[TEXT_SIZE];
} image;

static void
section(unsigned i, const char *name, uint32_t type, const void *at, size_t size)
{
	size_t n = 1;

	while (strcmp(section_names + n, name))
		n += strlen(section_names + n) + 1;
	image.sh[i] = (Elf64_Shdr){ .sh_name = (uint32_t)n, .sh_type = type, .sh_size = size,
		.sh_offset = (size_t)((const char *)at - (const char *)&image),
		.sh_flags = SHF_ALLOC, .sh_addr = i == TEXT ? ADDR : 0 };
}

static int
make_image(void)
{
	/* sub $8,%rsp; add %rdx,%rax; notrack jmp *%rax; add $8,%rsp; ret; push %rbx; pop %rbx;
	 * ret; the last three again, three times */
	static const char code[] = "\x48\x83\xec\x08\x48\x01\xd0\x3e\xff\xe0"
		"\x48\x83\xc4\x08\xc3\x53\x5b\xc3\x53\x5b\xc3\x53\x5b\xc3\x53\x5b\xc3";
	int fd = memfd_create("bare", MFD_CLOEXEC);

	image.eh = (Elf64_Ehdr){
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_EXEC, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
		.e_ehsize = sizeof(image.eh), .e_phentsize = sizeof(image.ph),
		.e_shentsize = sizeof(image.sh[0]), .e_phnum = 1, .e_shnum = NSECTIONS,
		.e_shstrndx = NAMES, .e_phoff = offsetof(struct image, ph),
		.e_shoff = offsetof(struct image, sh),
	};
	image.ph = (Elf64_Phdr){ .p_type = PT_LOAD, .p_flags = PF_X,
		.p_offset = offsetof(struct image, text), .p_vaddr = ADDR,
		.p_filesz = TEXT_SIZE, .p_memsz = TEXT_SIZE, .p_align = 4096 };
	memcpy(image.names, section_names, sizeof(section_names));
	memset(image.text, 0xcc, sizeof(image.text));
	memcpy(image.text, code, sizeof(code) - 1);
	memcpy(image.text + SECOND, code, sizeof(code) - 1);
	strcpy(image.strings, "?f?f.cold?");
	image.strings[0] = image.strings[2] = image.strings[9] = 0;
	section(NAMES, ".shstrtab", SHT_STRTAB, image.names, sizeof(image.names));
	section(TEXT, ".text", SHT_PROGBITS, image.text, sizeof(image.text));
	section(DATA, ".data", SHT_PROGBITS, image.data, sizeof(image.data));
	section(SYMTAB, ".symtab", SHT_SYMTAB, image.sym, sizeof(image.sym));
	image.sh[SYMTAB].sh_entsize = sizeof(Elf64_Sym);
	image.sh[SYMTAB].sh_link = STRTAB;
	section(STRTAB, ".strtab", SHT_STRTAB, image.strings, sizeof(image.strings));
	section(DATA_RO, ".data.rel.ro", SHT_PROGBITS, image.ro, sizeof(image.ro));
	section(RELA, ".rela.dyn", SHT_RELA, image.rela, sizeof(image.rela));
	image.sh[RELA].sh_entsize = sizeof(Elf64_Rela);
	assert_int_equal(write(fd, &image, sizeof(image)), sizeof(image));
	return fd;
}

/* The rows of that code at `at`, where a function begins at `taken`: what is in front of it
 * is a part of the first, with its frame of two words. */
static void
put_half(struct sb *b, unsigned at, unsigned taken)
{
	unsigned was = 1;

	sb_printf(b, "%x sp+1, %x sp+2, %x sp+1", at, at + 4, at + 0xe);
	for (unsigned i = 0xf; i < 0x1b; i += 3) {
		unsigned words = taken && i >= taken ? 1 : 2;
		if (words != was)
			sb_printf(b, ", %x sp+%u", at + i, words);
		sb_printf(b, ", %x sp+%u, %x sp+%u", at + i + 1, words + 1, at + i + 2, words);
		was = words;
	}
	sb_printf(b, ", %x ?", at + 0x1b);
}

/* Where a file tells that functions begin: by a symbol that is no part of one, or where an
 * address is taken, in whatever order; elsewhere a table leads to what is behind its jump. */
static void
test_told(void **state)
{
	enum { FIRST = ADDR, TOLD = 0x8000, GIVEN = 3 };
#define AT(offset) (FIRST + (offset))
#define RELATIVE(offset) { AT(offset), R_X86_64_RELATIVE }
	static const struct {
		uint64_t data[4], ro[4];
		struct { uint64_t addend; uint32_t type; } rela[4];
		struct { uint64_t value; uint32_t type, name; } sym;
		unsigned first, second;		/* where functions begin; 0: nowhere else */
	} files[] = {
		{ .first = 0 },
		{ .data = { AT(SECOND + 0x12), AT(0x12), AT(0xf) }, .first = 0xf, .second = 0x12 },
		{ .data = { AT(0xf), AT(0x12), AT(SECOND + 0xf) }, .first = 0xf, .second = 0xf },
		{ .data = { AT(SECOND + 0xf) }, .second = 0xf },
		{ .ro = { AT(0x15), 0, 0, AT(SECOND + 0x12) }, .first = 0x15, .second = 0x12 },
		{ .rela = { RELATIVE(SECOND + 0x15), RELATIVE(0), RELATIVE(0x12) },
		  .first = 0x12, .second = 0x15 },
		{ .rela = { { AT(0x15), R_X86_64_64 } } },
		/* "f", "f.cold" and no function */
		{ .sym = { AT(0x12), STT_FUNC, 1 }, .first = 0x12 },
		{ .sym = { AT(0x12), STT_FUNC, 3 } }, { .sym = { AT(0x12), STT_OBJECT, 1 } },
		/* neither in the code nor in what is asked about */
		{ .data = { AT(-1), AT(TEXT_SIZE), 1, UINT64_MAX } },
		{ .data = { AT(TOLD + 8), AT(TOLD) } },
	};
#undef RELATIVE
#undef AT

	for (size_t i = 0; i < BASE_NELEMS(files); i++) {
		struct unwind_table t = { 0 };
		struct unwind_span told = { FIRST + TOLD, FIRST + SECOND };
		char rows[1024];
		struct sb want;
		memset(&image, 0, sizeof(image));
		for (unsigned k = 0; k < 4; k++) {
			image.data[k] = files[i].data[k];
			image.ro[k] = files[i].ro[k];
			image.rela[k] = (Elf64_Rela){
				.r_addend = (int64_t)files[i].rela[k].addend,
				.r_info = ELF64_R_INFO(0, files[i].rela[k].type) };
		}
		for (unsigned k = 0; k < GIVEN; k++)
			image.sym[k + 1] = (Elf64_Sym){ .st_shndx = TEXT,
				.st_value = k == 2 ? files[i].sym.value : FIRST + k * SECOND,
				.st_name = k == 2 ? files[i].sym.name : 1,
				.st_info = ELF64_ST_INFO(STB_GLOBAL, k == 2 ?
							 files[i].sym.type : STT_FUNC) };
		int fd = make_image();
		t.rows = util_alloc(2 * sizeof(*t.rows));
		t.rows[t.n++] = (struct abi_unwind_row){ FIRST + TOLD,
			abi_unwind_rule(ABI_UNWIND_SP, 9, 0) };
		t.rows[t.n++] = (struct abi_unwind_row){ FIRST + SECOND, 0 };
		assert_ok(unwind_bare_file(fd, &told, 1, SIZE_MAX, &t));
		write_rows(&t, rows, sizeof(rows));
		unwind_table_fini(&t);
		close(fd);
		sb_init(&want, 1 << 12);
		put_half(&want, 0, files[i].first);
		sb_printf(&want, ", %x sp+9, ", TOLD);
		put_half(&want, SECOND, files[i].second);
		if (strcmp(rows, sb_str(&want)))
			fail_msg("%zu: %s, not %s", i, rows, sb_str(&want));
		sb_fini(&want);
	}
}

/* A program of the system that has an .eh_frame; the case is skipped where it is not. */
struct program {
	struct sym_section frames, text;
	struct unwind_input in;		/* tells `told` */
	struct told *told;
	int fd;
};

static void
open_program(struct program *p)
{
	*p = (struct program){ .fd = open("/bin/bash", O_RDONLY | O_CLOEXEC) };
	if (p->fd < 0) {
		print_message("# skipped: no /bin/bash\n");
		skip();
	}
	p->told = calloc(1, sizeof(*p->told));
	assert_non_null(p->told);
	assert_ok(sym_elf_section(p->fd, ".eh_frame", &p->frames));
	assert_ok(sym_elf_section(p->fd, ".text", &p->text));
	p->in = (struct unwind_input){
		.data = p->frames.data, .size = p->frames.size, .addr = p->frames.addr,
		.on_function = on_function, .ctx = p->told,
	};
}

static void
close_program(struct program *p)
{
	sym_section_fini(&p->frames);
	sym_section_fini(&p->text);
	close(p->fd);
	free(p->told);
}

/* That the caller's frame pointer is where it was saved, and still or again in its
 * register, is the same. */
static bool
is_same(uint32_t truth, uint32_t rule)
{
	return abi_unwind_what(truth) == abi_unwind_what(rule) &&
	       abi_unwind_n(truth) == abi_unwind_n(rule) &&
	       (!abi_unwind_saved(rule) || !abi_unwind_saved(truth) ||
		abi_unwind_saved(truth) == abi_unwind_saved(rule));
}

/* A file with a function of which its .eh_frame says nothing that a row can say: its rows
 * are those of its code, and all others stay. */
static void
test_file(void **state)
{
	struct unwind_table before, after;
	struct program p;

	open_program(&p);
	struct told *told = p.told;
	assert_ok(unwind_table_make(&p.in, SIZE_MAX, &before));
	told->nspans = told->nstarts = 0;
	assert_ok(unwind_table_make(&p.in, SIZE_MAX, &after));
	size_t large = 0;
	while (told->spans[large].end - told->spans[large].start < 1000 ||
	       told->spans[large].start < p.text.addr)
		large++;
	struct unwind_span gone = told->spans[large];
	for (size_t i = 0; i < after.n; i++)
		if (after.rows[i].pc > gone.start && after.rows[i].pc < gone.end)
			after.rows[i].rule = 0;
	assert_ok(unwind_bare_file(p.fd, told->spans, told->nspans, SIZE_MAX, &after));
	size_t same = 0;
	for (uint64_t pc = gone.start; pc < gone.end; pc++)
		same += is_same(unwind_table_find(&before, (uint32_t)pc),
				unwind_table_find(&after, (uint32_t)pc));
	print_message("# %llx: %zu of %zu\n", (unsigned long long)gone.start, same,
		      (size_t)(gone.end - gone.start));
	assert_true(same * 10 > (gone.end - gone.start) * 9);
	for (size_t i = 0; i < before.n; i++)
		if (before.rows[i].rule)
			assert_int_equal(!unwind_table_find(&after, before.rows[i].pc), 0);
	for (size_t i = 1; i < after.n; i++)
		assert_true(after.rows[i - 1].pc < after.rows[i].pc);
	unwind_table_fini(&before);
	unwind_table_fini(&after);
	close_program(&p);
}

/* What stands behind the jumps of a table belongs to them, unless its address is taken. */
static void
test_taken(void **state)
{
	static const uint8_t code[] = {
		0x48, 0x83, 0xec, 0x08,		/* sub $8,%rsp */
		0x48, 0x01, 0xd0,		/* add %rdx,%rax */
		0x3e, 0xff, 0xe0,		/* notrack jmp *%rax */
		0x48, 0x83, 0xc4, 0x08, 0xc3,	/* add $8,%rsp; ret */
		0x50, 0x58, 0xc3,		/* push %rax; pop %rax; ret */
	};
	static const uint64_t start = ADDR, taken[] = { ADDR + 15, ADDR + 400 };
	struct unwind_code c = { code, sizeof(code), ADDR, .starts = &start, .nstarts = 1 };
	struct unwind_table t;
	char rows[256];

	assert_ok(unwind_bare_rows(&c, &t));
	write_rows(&t, rows, sizeof(rows));
	assert_string_equal(rows, "0 sp+1, 4 sp+2, e sp+1, f sp+2, 10 sp+3, 11 sp+2, 12 ?");
	unwind_table_fini(&t);
	c.taken = taken;
	c.ntaken = 2;
	assert_ok(unwind_bare_rows(&c, &t));
	write_rows(&t, rows, sizeof(rows));
	assert_string_equal(rows, "0 sp+1, 4 sp+2, e sp+1, 10 sp+2, 11 sp+1, 12 ?");
	unwind_table_fini(&t);
}

/* Anything has rows in order, from where it begins to its end. */
static void
test_anything(void **state)
{
	uint8_t code[400];

	srand(1);
	for (unsigned round = 0; round < 4000; round++) {
		uint64_t starts[4];
		for (size_t i = 0; i < sizeof(code); i++)
			code[i] = rand() % 3 ? (uint8_t)rand() :
				  cases[round % BASE_NELEMS(cases)].code[0];
		for (size_t i = 0; i < BASE_NELEMS(starts); i++)
			starts[i] = ADDR + 100 * i + (unsigned)rand() % 100;
		struct unwind_code c = { code, sizeof(code), ADDR, .starts = starts,
					 .nstarts = BASE_NELEMS(starts) };
		struct unwind_table t;
		assert_ok(unwind_bare_rows(&c, &t));
		for (size_t i = 1; i < t.n; i++)
			assert_true(t.rows[i - 1].pc < t.rows[i].pc &&
				    t.rows[i - 1].rule != t.rows[i].rule);
		assert_true(!t.n || (t.rows[0].pc >= ADDR &&
				     t.rows[t.n - 1].pc <= ADDR + sizeof(code)));
		unwind_table_fini(&t);
	}
}

/* --- Beside .eh_frame --------------------------------------------------------------- */

static int
by_address(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

struct score { size_t same, unknown, different; };

/* Of each byte of its functions. */
static void
compare(const struct told *told, const struct unwind_table *truth,
	const struct unwind_table *t, struct score *s)
{
	for (size_t i = 0; i < told->nspans; i++)
		for (uint64_t pc = told->spans[i].start; pc < told->spans[i].end; pc++) {
			uint32_t x = unwind_table_find(truth, (uint32_t)pc);
			uint32_t y = unwind_table_find(t, (uint32_t)pc);
			*(is_same(x, y) ? &s->same : !y || !x ? &s->unknown : &s->different) += 1;
		}
}

/* What its .eh_frame tells of a program in C is what its code alone tells: where it is
 * not known that a call does not return it differs. */
static void
test_truth(void **state)
{
	struct unwind_table truth, bare;
	struct score s = { 0 };
	struct program p;

	open_program(&p);
	struct told *told = p.told;
	assert_ok(unwind_table_make(&p.in, SIZE_MAX, &truth));
	qsort(told->starts, told->nstarts, sizeof(*told->starts), by_address);
	size_t first = BASE_HOW_MANY(i, told->nstarts, told->starts[i] < p.text.addr);
	struct unwind_code c = { p.text.data, p.text.size, p.text.addr, .starts = told->starts + first,
				 .nstarts = told->nstarts - first };
	assert_ok(unwind_bare_rows(&c, &bare));
	compare(told, &truth, &bare, &s);
	print_message("# %zu bytes as .eh_frame has them, %zu unknown, %zu different\n",
		      s.same, s.unknown, s.different);
	assert_true(s.same > 100000);
	assert_true(s.unknown * 10 < s.same);
	assert_true(s.different * 100 < s.same);
	unwind_table_fini(&bare);
	unwind_table_fini(&truth);
	close_program(&p);
}

/* The same program twice: the second has no .eh_frame of its own code, and perhaps no
 * symbols. */
static const char *const *programs;

static void
read_program(const char *path, struct unwind_table *t, struct sym_section *text)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_ok(unwind_file_table(fd, SIZE_MAX, t));
	assert_ok(sym_elf_section(fd, ".text", text));
	close(fd);
}

static void
test_programs(void **state)
{
	for (size_t i = 0; programs[i]; i += 2) {
		struct sym_section text[2];
		struct unwind_table t[2];
		size_t same = 0, unknown = 0, different = 0;
		for (size_t k = 0; k < 2; k++)
			read_program(programs[i + k], &t[k], &text[k]);
		assert_int_equal(text[0].size, text[1].size);
		for (size_t at = 0; at < text[0].size; at++) {
			uint32_t x = unwind_table_find(&t[0], (uint32_t)(text[0].addr + at));
			uint32_t y = unwind_table_find(&t[1], (uint32_t)(text[1].addr + at));
			if (!x)
				continue;
			*(is_same(x, y) ? &same : !y ? &unknown : &different) += 1;
			if (y && !is_same(x, y))
				print_message("# %s: at %zx %x for %x\n", programs[i + 1],
					      at, y, x);
		}
		assert_true(same > 500);
		assert_true(unknown * 10 < same);	/* what aligns functions */
		assert_int_equal(different, 0);
		for (size_t k = 0; k < 2; k++) {
			unwind_table_fini(&t[k]);
			sym_section_fini(&text[k]);
		}
	}
}

static void
test_no_memory(void **state)
{
	static const uint64_t start = ADDR;
	struct unwind_table t;
	unsigned long n = 0;
	struct err *e;

	for (size_t i = 0; i < BASE_NELEMS(cases); i++, n = 0) {
		struct unwind_code c = { cases[i].code, cases[i].size, ADDR, .starts = &start,
					 .nstarts = 1 };
		char rows[1024];
		do {
			util_alloc_fail(++n, 0);
			e = unwind_bare_rows(&c, &t);
			util_alloc_fail(0, 0);
			assert_true(!e || e->code == ERR_NOMEM);
		} while (e);
		assert_true(n > 1);
		write_rows(&t, rows, sizeof(rows));
		assert_string_equal(rows, cases[i].rows);
		unwind_table_fini(&t);
	}
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_starts),
		cmocka_unit_test(test_taken),
		cmocka_unit_test(test_anything),
		cmocka_unit_test(test_told),
		cmocka_unit_test(test_file),
		cmocka_unit_test(test_truth),
		cmocka_unit_test(test_programs),
		cmocka_unit_test(test_no_memory),
	};

	programs = (const char *const *)argv + 1;
	return cmocka_run_group_tests_name("unwind-bare", tests, NULL, NULL);
}
#else
int
main(void)
{
	puts("1..0 # SKIP code of another machine");
	return 0;
}
#endif
