/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where the probes of functions stand: bytes of functions, as compilers make them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#if defined(__x86_64__)
#include <dlfcn.h>
#include <link.h>
#include <Zydis/Zydis.h>
#endif

#include "base/base.h"
#include "insn/insn.h"
#include "support/assertok.h"

#if defined(__x86_64__)
#define ENDBR "\xf3\x0f\x1e\xfa"

/* --- Entries ------------------------------------------------------------------ */

static const struct {
	const char *what, *code;
	size_t size, most;		/* most 0: size */
	struct insn_entry want;
	bool freely;			/* nobody looks at anything */
	unsigned looks;			/* 0: at all, but freely */
} entries[] = {
	{ "push", "\x55\xc3", 2, 0, { true, false, false, 0, 0 } },
	{ "endbr64; push %r15", ENDBR "\x41\x57\xc3", 7, 0,
	  { true, false, false, 4, 0 } },
	{ "endbr64; ret", ENDBR "\xc3", 5, 0, { true, true, false, 0, 0 } },
	{ "endbr64; mov %rdi,%rax; push; ret", ENDBR "\x48\x89\xf8\x50\xc3", 9, 0,
	  { true, false, false, 7, 0 } },
	{ "an argument is written: mov %rax,%rdi; push", ENDBR "\x48\x89\xc7\x50\xc3",
	  9, 0, { true, true, false, 0, 0 } },
	{ "half of one: xor %ecx,%ecx; push", "\x31\xc9\x50\xc3", 4, 0,
	  { true, true, false, 0, 0 } },
	{ "a byte of one: mov $0,%sil; push", "\x40\xb6\x00\x50\xc3", 5, 0,
	  { true, true, false, 0, 0 } },
	{ "memory is written: mov %eax,(%rsp); push", "\x89\x04\x24\x50\xc3", 5, 0,
	  { true, true, false, 0, 0 } },
	{ "the frame is written: sub $24,%rsp; mov %rax,16(%rsp); call",
	  "\x48\x83\xec\x18\x48\x89\x44\x24\x10\xe8\0\1\0\0\xc3", 15, 0,
	  { true, false, false, 9, 24 } },
	{ "and where the caller returns to: sub $24,%rsp; mov %rax,17(%rsp); call",
	  "\x48\x83\xec\x18\x48\x89\x44\x24\x11\xe8\0\1\0\0\xc3", 15, 0,
	  { true, true, false, 0, 0 } },
	{ "below the stack: mov %rax,-8(%rsp); push", "\x48\x89\x44\x24\xf8\x50\xc3",
	  7, 0, { true, false, false, 5, 0 } },
	{ "where nobody knows: sub $24,%rsp; mov %rax,(%rsp,%rdi); call",
	  "\x48\x83\xec\x18\x48\x89\x04\x3c\xe8\0\1\0\0\xc3", 14, 0,
	  { true, true, false, 0, 0 } },
	{ "cmp; sete %al; cmovne %rdi,%rax; push",
	  "\x85\xff\x0f\x94\xc0\x48\x0f\x45\xc7\x50\xc3", 11, 0,
	  { true, false, false, 9, 0 } },
	{ "an argument is written: cmovne %rax,%rdi; push", "\x48\x0f\x45\xf8\x50\xc3",
	  6, 0, { true, true, false, 0, 0 } },
	{ "memory is read: mov (%rdi),%eax; push", "\x8b\x07\x50\xc3", 4, 0,
	  { true, false, false, 2, 0 } },
	{ "the stack is read: mov 8(%rsp),%rax; push", "\x48\x8b\x44\x24\x08\x50\xc3",
	  7, 0, { true, false, false, 5, 0 } },
	{ "mov %fs:40,%rax; push",
	  "\x64\x48\x8b\x04\x25\x28\x00\x00\x00\x50\xc3", 11, 0,
	  { true, false, false, 9, 0 } },
	{ "mov (%rip),%rax; push", "\x48\x8b\x05\x00\x01\x00\x00\x50\xc3", 9, 0,
	  { true, false, false, 7, 0 } },
	{ "lea (%rdi),%rax; push", "\x48\x8d\x07\x50\xc3", 5, 0,
	  { true, false, false, 3, 0 } },
	{ "room on the stack: sub $24,%rsp; call", "\x48\x83\xec\x18\xe8\0\1\0\0\xc3",
	  10, 0, { true, false, false, 4, 24 } },
	{ "another way to it: lea -24(%rsp),%rsp; call",
	  "\x48\x8d\x64\x24\xe8\xe8\0\1\0\0\xc3", 11, 0,
	  { true, true, false, 0, 0 } },
	{ "test %rdi,%rdi; je", "\x48\x85\xff\x74\x01\x90\xc3", 7, 0,
	  { true, false, false, 3, 0 } },
	{ "a loop to behind the beginning: test; je; jmp",
	  ENDBR "\x48\x85\xff\x74\x02\xeb\xf9\xc3", 12, 0,
	  { true, true, false, 0, 0 } },
	{ "a loop to the place itself", ENDBR "\x85\xff\x74\x02\xeb\xfc\xc3", 11,
	  0, { true, true, false, 0, 0 } },
	{ "a loop to the beginning", ENDBR "\x85\xff\x74\x02\xeb\xf6\xc3", 11, 0,
	  { true, false, false, 6, 0 } },
	{ "Go: cmp 16(%r14),%rsp; jbe; push; ret; jmp to the beginning",
	  "\x49\x3b\x66\x10\x76\x02\x55\xc3\xeb\xf6", 10, 0, { true, false, true, 4, 0 } },
	{ "Go, much room: lea -24(%rsp),%r12; cmp; jbe; sub $24,%rsp; ret; jmp",
	  "\x4c\x8d\x64\x24\xe8\x4d\x3b\x66\x10\x76\x05\x48\x83\xec\x18\xc3\xeb\xee",
	  18, 0, { true, false, true, 9, 0 } },
	{ "Go, more room than a byte holds: lea -488(%rsp),%r12; cmp; jbe; push; ret; jmp",
	  "\x4c\x8d\xa4\x24\x18\xfe\xff\xff\x4d\x3b\x66\x10\x76\x02\x55\xc3\xeb\xee",
	  18, 0, { true, false, true, 12, 0 } },
	{ "Go, a far branch: cmp; jbe; ret; jmp",
	  "\x49\x3b\x66\x10\x0f\x86\x01\0\0\0\xc3\xeb\xf3", 13, 0,
	  { true, false, true, 4, 0 } },
	{ "not Go: lea into another register",
	  "\x4c\x8d\x6c\x24\xe8\x4d\x3b\x66\x10\x76\x02\x55\xc3\xeb\xf1", 15, 0,
	  { true, false, false, 9, 0 } },
	{ "not Go: ja", "\x49\x3b\x66\x10\x77\x02\x55\xc3\xeb\xf6", 10, 0,
	  { true, false, false, 4, 0 } },
	{ "Go, a loop to the branch",
	  "\x49\x3b\x66\x10\x76\x03\x55\xeb\xfb\xeb\xf5", 11, 0, { true, true, false, 0, 0 } },
	{ "Go, cut off: cmp; jbe", "\x49\x3b\x66\x10\x76\x00", 6, 0, { true, false, false, 4, 0 } },
	{ "a loop behind it", ENDBR "\x85\xff\x74\x02\xeb\xfe\xc3", 11, 0,
	  { true, false, false, 6, 0 } },
	{ "a table: test; je; notrack jmp *%rax",
	  ENDBR "\x85\xff\x74\x03\x3e\xff\xe0\xc3", 12, 0,
	  { true, true, false, 0, 0 } },
	{ "a table behind a push", ENDBR "\x85\xff\x53\x3e\xff\xe0\xc3", 11, 0,
	  { true, false, false, 6, 0 } },
	{ "what is no code behind: test; je", "\x85\xff\x74\x01\x06\xc3", 6, 0,
	  { true, true, false, 0, 0 } },
	{ "what is no code behind a push", "\x85\xff\x53\x06", 4, 0,
	  { true, false, false, 2, 0 } },
	{ "another function begins there: mov; push", "\x48\x89\xf8\x50\xc3", 5, 3,
	  { true, true, false, 0, 0 } },
	{ "a nop of five bytes; push", "\x0f\x1f\x44\x00\x00\x55\xc3", 7, 0,
	  { true, false, false, 5, 0 } },
	{ "a nop of five bytes; mov (%rdi),%eax", "\x0f\x1f\x44\x00\x00\x8b\x07\xc3",
	  8, 0, { true, true, false, 5, 0 } },
	{ "an argument and memory are written, and nobody looks",
	  "\x31\xc9\x89\x04\x24\x50\xc3", 7, 0, { true, false, false, 5, 0 }, true },
	{ "one is written, and another is looked at: xor %ecx,%ecx; push",
	  "\x31\xc9\x50\xc3", 4, 0, { true, false, false, 2, 0 }, false, 1 << 0 },
	{ "that is looked at", "\x31\xc9\x50\xc3", 4, 0,
	  { true, true, false, 0, 0 }, false, 1 << 3 },
	{ "the last: xor %r9d,%r9d; push", "\x45\x31\xc9\x50\xc3", 5, 0,
	  { true, true, false, 0, 0 }, false, 1 << 5 },
	{ "what is on the stack, and another is written", "\x45\x31\xc9\x50\xc3", 5, 0,
	  { true, false, false, 3, 0 }, false, 1 << 6 },
	{ "memory is looked at and not written: xor %edi,%edi; push", "\x31\xff\x50\xc3",
	  4, 0, { true, false, false, 2, 0 }, false, INSN_LOOKS_MEMORY },
	{ "and written: xor %edi,%edi; mov %eax,(%rbx); push", "\x31\xff\x89\x03\x50\xc3",
	  6, 0, { true, true, false, 0, 0 }, false, INSN_LOOKS_MEMORY },
	{ "syscall, and nobody looks", "\x31\xc9\x0f\x05\x50\xc3", 6, 0,
	  { true, true, false, 0, 0 }, true },
	{ "ret, and nobody looks", "\x31\xc9\xc3\x50\xc3", 5, 0,
	  { true, true, false, 0, 0 }, true },
	{ "a loop, and nobody looks", "\x31\xc9\xff\xc1\x74\xfc\xc3", 7, 0,
	  { true, true, false, 0, 0 }, true },
	{ "nops of one to seven", "\x90\xc3", 2, 0, { true, false, false, 0, 0 } },
	{ "two", "\x66\x90\xc3", 3, 0, { true, false, false, 0, 0 } },
	{ "three", "\x0f\x1f\x00\xc3", 4, 0, { true, false, false, 0, 0 } },
	{ "seven", "\x0f\x1f\x80\0\0\0\0\xc3", 8, 0, { true, false, false, 0, 0 } },
	{ "with a segment: endbr64; cs nopw; push",
	  ENDBR "\x66\x2e\x0f\x1f\x84\0\0\0\0\0\x53\xc3", 16, 0,
	  { true, false, false, 14, 0 } },
	{ "endbr64; vmovd; push, and nobody looks",
	  ENDBR "\xc5\xf9\x6e\xce\x53\xc3", 10, 0, { true, false, false, 8, 0 }, true },
	{ "vmovd", "\xc5\xf9\x6e\xce\xc3", 5, 0, { true, true, false, 4, 0 }, true },
	{ "vmovd, and somebody looks", "\xc5\xf9\x6e\xce\xc3", 5, 0, { false } },
	{ "lock; nothing else", "\xf0\x48\x0f\xb1\x37\xc3", 6, 0, { false } },
	{ "syscall; ret", "\x0f\x05\xc3", 3, 0, { false } },
	{ "mov $1,%eax; syscall", "\xb8\x01\0\0\0\x0f\x05\xc3", 8, 0,
	  { true, true, false, 0, 0 } },
	{ "nothing", "", 0, 0, { false } },
};

static void
test_entries(void **state)
{
	for (size_t i = 0; i < BASE_NELEMS(entries); i++) {
		struct insn_entry got = { 0 }, want = entries[i].want;
		assert_ok(insn_entry((const uint8_t *)entries[i].code,
				     entries[i].size, entries[i].most ?
				     entries[i].most : entries[i].size,
				     entries[i].freely ? 0 : entries[i].looks ?
				     entries[i].looks : INSN_LOOKS_ALL, &got));
		if (got.found != want.found || got.at != want.at ||
		    got.is_stepped != want.is_stepped || got.sp != want.sp ||
		    got.is_checked != want.is_checked)
			fail_msg("%s: %d stepped %d checked %d at %u sp %u",
				 entries[i].what, got.found, got.is_stepped,
				 got.is_checked, got.at, got.sp);
	}
}

/* --- Walking ------------------------------------------------------------------ */

static const struct {
	const char *code;
	size_t size;
	uint8_t kind;
	bool emulated, harmful;
	int64_t target;			/* 0: none */
} walks[] = {
	{ "\xc3", 1, INSN_RETURN },
	{ "\xf3\xc3", 2, INSN_RETURN },
	{ "\xc2\x08\x00", 3, INSN_RETURN },
	{ "\xf2\xc3", 2, INSN_RETURN },
	{ "\xeb\x10", 2, INSN_JUMP, true, false, 18 },
	{ "\xe9\x00\x01\x00\x00", 5, INSN_JUMP, true, false, 261 },
	{ "\xe9\xf6\xff\xff\xff", 5, INSN_JUMP, true, false, -5 },
	{ "\x74\x10", 2, INSN_BRANCH, true, false, 18 },
	{ "\x0f\x84\x00\x01\x00\x00", 6, INSN_BRANCH, true, false, 262 },
	{ "\xe3\x10", 2, INSN_BRANCH, false, false, 18 },	/* jrcxz */
	{ "\xe8\x00\x01\x00\x00", 5, INSN_CALL, true, false, 261 },
	{ "\xff\xd0", 2, INSN_CALL },
	{ "\xff\xe0", 2, INSN_AWAY },				/* jmp *%rax */
	{ "\xff\x24\xc5\0\0\0\0", 7, INSN_TABLE },		/* (,%rax,8) */
	{ "\xff\x25\0\0\0\0", 6, INSN_AWAY },			/* (%rip) */
	{ "\xff\x60\x08", 3, INSN_AWAY },			/* 8(%rax) */
	{ "\x3e\xff\xe0", 3, INSN_TABLE, false, true },
	{ "\x0f\x1f\x44\x00\x00", 5, INSN_PLAIN, false, true },
	{ "\x66\x0f\x1f\x44\x00\x00", 6, INSN_PLAIN, true },
	{ "\xcc", 1, INSN_PLAIN, false, true },
	{ "\x0f\x05", 2, INSN_PLAIN, false, true },
	{ "\x9c", 1, INSN_PLAIN, false, true },			/* pushf */
	{ "\x66\x9c", 2, INSN_PLAIN, false, true },
	{ "\x9d", 1, INSN_PLAIN },
	{ "\x8e\xd0", 2, INSN_PLAIN, false, true },		/* mov %eax,%ss */
	{ "\x8e\xe0", 2, INSN_PLAIN },				/* mov %eax,%fs */
	{ "\x8b\xd0", 2, INSN_PLAIN },
	{ "\x50", 1, INSN_PLAIN, true },
	{ "\x58", 1, INSN_PLAIN },
	{ "\x26\x58", 2, INSN_PLAIN, false, true },		/* segments */
	{ "\x2e\x58", 2, INSN_PLAIN, false, true },
	{ "\x36\x58", 2, INSN_PLAIN, false, true },
	{ "\x3e\x58", 2, INSN_PLAIN, false, true },
	{ "\x64\x8b\x07", 3, INSN_PLAIN },
	{ "\xf0\x01\x07", 3, INSN_PLAIN, false, true },	/* lock */
	{ "\x41\x54", 2, INSN_PLAIN, true },
	{ "\x57", 1, INSN_PLAIN, true }, { "\x5f", 1, INSN_PLAIN },
	{ "\x41\x50", 2, INSN_PLAIN, true }, { "\x41\x57", 2, INSN_PLAIN, true },
	{ "\x41\x58", 2, INSN_PLAIN },			/* pop %r8 */
	{ "\x6a\x00", 2, INSN_PLAIN },				/* push $0 */
	{ ENDBR, 4, INSN_PLAIN },
};

static bool
take(void *ctx, const struct insn *i)
{
	*(struct insn *)ctx = *i;
	return false;
}

static void
test_kinds(void **state)
{
	for (size_t i = 0; i < BASE_NELEMS(walks); i++) {
		struct insn got = { 0 };
		size_t end = 0;
		assert_ok(insn_walk((const uint8_t *)walks[i].code,
				    walks[i].size, take, &got, &end));
		if (end != walks[i].size || got.kind != walks[i].kind ||
		    got.is_emulated != walks[i].emulated ||
		    got.is_harmful != walks[i].harmful ||
		    got.has_target != (walks[i].target != 0) ||
		    got.target != walks[i].target)
			fail_msg("row %zu: end %zu kind %d emulated %d harmful "
				 "%d target %lld", i, end, got.kind,
				 got.is_emulated, got.is_harmful,
				 (long long)got.target);
	}
}


static bool
count(void *ctx, const struct insn *i)
{
	unsigned *n = ctx;

	n[i->kind]++;
	return true;
}

static bool
take_last(void *ctx, const struct insn *i)
{
	*(struct insn *)ctx = *i;
	return true;
}

/* What a jump by a register is depends on where that has its value from. */
static void
test_jumps(void **state)
{
	static const struct { const char *code; size_t size; uint8_t kind; }
	rows[] = {
		{ "\xff\xe6", 2, INSN_AWAY },		/* an argument */
		/* mov 8(%rdi),%rax */
		{ "\x48\x8b\x47\x08\xff\xe0", 6, INSN_AWAY },
		/* mov (%rdi,%rax,8),%rax */
		{ "\x48\x8b\x04\xc7\xff\xe0", 6, INSN_TABLE },
		/* movslq (%rdx,%rax,4),%rax; add %rdx,%rax */
		{ "\x48\x63\x04\x82\x48\x01\xd0\xff\xe0", 9, INSN_TABLE },
		/* add %rdx,%r8; mov %r8,%r9; jmp *%r9 */
		{ "\x49\x01\xd0\x4d\x89\xc1\x41\xff\xe1", 9, INSN_TABLE },
		/* add %rdx,%rax; mov 8(%rdi),%rax */
		{ "\x48\x01\xd0\x48\x8b\x47\x08\xff\xe0", 9, INSN_AWAY },
		/* add %rdx,%rbx; call; jmp *%rbx: a call keeps that, and others, */
		{ "\x48\x01\xd3\xe8\0\0\0\0\xff\xe3", 10, INSN_TABLE },
		{ "\x48\x01\xd5\xe8\0\0\0\0\xff\xe5", 10, INSN_TABLE },
		{ "\x49\x01\xd4\xe8\0\0\0\0\x41\xff\xe4", 11, INSN_TABLE },
		{ "\x49\x01\xd7\xe8\0\0\0\0\x41\xff\xe7", 11, INSN_TABLE },
		/* but not %rdx, %rsi and %r11 */
		{ "\x48\x01\xca\xe8\0\0\0\0\xff\xe2", 10, INSN_AWAY },
		{ "\x48\x01\xd6\xe8\0\0\0\0\xff\xe6", 10, INSN_AWAY },
		{ "\x49\x01\xd3\xe8\0\0\0\0\x41\xff\xe3", 11, INSN_AWAY },
		/* add %rdx,8(%rax): memory */
		{ "\x48\x01\x50\x08\xff\xe0", 6, INSN_AWAY },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct insn last = { 0 };
		size_t end;
		assert_ok(insn_walk((const uint8_t *)rows[i].code, rows[i].size,
				    take_last, &last, &end));
		if (end != rows[i].size || last.kind != rows[i].kind)
			fail_msg("row %zu: %d", i, last.kind);
	}
}

/* What is one instruction with 64 bits are two with 32: inc %eax; ret 8 */
static void
test_32(void **state)
{
#if defined(__x86_64__)
	static const uint8_t code[] = "\x40\xc2\x08\x00";
	unsigned n[INSN_RETURN + 1] = { 0 };
	struct insn last;
	size_t end;

	assert_ok(insn_walk_32(code, sizeof(code) - 1, count, n, &end));
	assert_int_equal(end, 4);
	assert_int_equal(n[INSN_PLAIN], 1);
	assert_int_equal(n[INSN_RETURN], 1);
	assert_ok(insn_walk(code, sizeof(code) - 1, take_last, &last, &end));
	assert_int_equal(last.size, 4);
	/* push %ebp */
	assert_ok(insn_walk_32((const uint8_t *)"\x55", 1, take_last, &last, &end));
	assert_false(last.is_emulated || last.is_harmful);
#else
	skip();
#endif
}

static int
note_zydis(struct dl_phdr_info *info, size_t size, void *ret)
{
	if (strstr(info->dlpi_name, "/libZydis.so"))
		*(const char **)ret = info->dlpi_name;
	return 0;
}

/* The library that is loaded is of the version whose header the code was built with. */
static void
test_library(void **state)
{
	__typeof__(ZydisGetVersion) *version;
	unsigned n[INSN_RETURN + 1] = { 0 };
	const char *name = NULL;
	size_t end;

	assert_ok(insn_walk((const uint8_t *)"\xc3", 1, count, n, &end));
	dl_iterate_phdr(note_zydis, &name);
	assert_non_null(name);
	void *lib = dlopen(name, RTLD_NOW | RTLD_NOLOAD);
	assert_non_null(lib);
	version = (__typeof__(version))dlsym(lib, "ZydisGetVersion");
	assert_non_null(version);
	assert_int_equal(ZYDIS_VERSION_MAJOR(version()),
			 ZYDIS_VERSION_MAJOR(ZYDIS_VERSION));
	assert_int_equal(ZYDIS_VERSION_MINOR(version()),
			 ZYDIS_VERSION_MINOR(ZYDIS_VERSION));
}

/* What becomes of the stack and the frame pointer. */
static const struct {
	const char *code, *text;
	size_t size;
	enum insn_stack what;
	int64_t n, address;		/* address 0: none */
} effects[] = {
	{ "\x90", "nop", 1, INSN_STACK_KEEPS },
	{ "\xe8\0\0\0\0", "call", 5, INSN_STACK_KEEPS },
	{ "\x50", "push %rax", 1, INSN_STACK_MOVES, -8 },
	{ "\x41\x55", "push %r13", 2, INSN_STACK_MOVES, -8 },
	{ "\x66\x50", "push %ax", 2, INSN_STACK_MOVES, -2 },
	{ "\x6a\x01", "push $1", 2, INSN_STACK_MOVES, -8 },
	{ "\xff\x75\x08", "push 8(%rbp)", 3, INSN_STACK_MOVES, -8 },
	{ "\x9c", "pushf", 1, INSN_STACK_MOVES, -8 },
	{ "\x9d", "popf", 1, INSN_STACK_MOVES, 8 },
	{ "\x58", "pop %rax", 1, INSN_STACK_MOVES, 8 },
	{ "\x5c", "pop %rsp", 1, INSN_STACK_LOSES },
	{ "\x55", "push %rbp", 1, INSN_STACK_PUSHES_FP, -8 },
	{ "\x5d", "pop %rbp", 1, INSN_STACK_POPS_FP, 8 },
	{ "\x48\x83\xec\x10", "sub $16,%rsp", 4, INSN_STACK_MOVES, -16 },
	{ "\x48\x83\xec\x80", "sub $-128,%rsp", 4, INSN_STACK_MOVES, 128 },
	{ "\x48\x81\xc4\0\1\0\0", "add $256,%rsp", 7, INSN_STACK_MOVES, 256 },
	{ "\x48\x8d\x64\x24\xf8", "lea -8(%rsp),%rsp", 5, INSN_STACK_MOVES, -8 },
	{ "\x48\x8d\x65\xd8", "lea -40(%rbp),%rsp", 4, INSN_STACK_TO_FP, -40 },
	{ "\x48\x8d\x24\x04", "lea (%rsp,%rax),%rsp", 4, INSN_STACK_LOSES },
	{ "\x48\x29\xc4", "sub %rax,%rsp", 3, INSN_STACK_LOSES },
	{ "\x48\x83\xe4\xf0", "and $-16,%rsp", 4, INSN_STACK_LOSES },
	{ "\x48\x89\xc4", "mov %rax,%rsp", 3, INSN_STACK_LOSES },
	{ "\x48\xff\xc4", "inc %rsp", 3, INSN_STACK_LOSES },
	{ "\x48\xff\xc5", "inc %rbp", 3, INSN_STACK_LOSES_FP },
	{ "\x48\x83\xf5\x01", "xor $1,%rbp", 4, INSN_STACK_LOSES_FP },
	{ "\x48\x94", "xchg %rax,%rsp", 2, INSN_STACK_LOSES },
	{ "\x48\x89\xec", "mov %rbp,%rsp", 3, INSN_STACK_TO_FP },
	{ "\x48\x87\xe0", "xchg %rsp,%rax", 3, INSN_STACK_LOSES },
	{ "\x48\x95", "xchg %rax,%rbp", 2, INSN_STACK_LOSES_FP },
	{ "\xff\xd5", "call *%rbp", 2, INSN_STACK_KEEPS },
	{ "\xc2\x08\0", "ret $8", 3, INSN_STACK_KEEPS },
	{ "\x0f\x05", "syscall", 2, INSN_STACK_KEEPS },
	{ "\xc9", "leave", 1, INSN_STACK_LEAVES },
	{ "\xc8\x10\0\0", "enter $16,$0", 4, INSN_STACK_LOSES },
	{ "\x48\x89\xe5", "mov %rsp,%rbp", 3, INSN_STACK_SETS_FP },
	{ "\x48\x8d\x6c\x24\x20", "lea 32(%rsp),%rbp", 5, INSN_STACK_SETS_FP, 32 },
	{ "\x48\x89\x6c\x24\x10", "mov %rbp,16(%rsp)", 5, INSN_STACK_STORES_FP, 16 },
	{ "\x48\x8b\x6c\x24\x10", "mov 16(%rsp),%rbp", 5, INSN_STACK_LOADS_FP, 16 },
	{ "\x8b\x6c\x24\x10", "mov 16(%rsp),%ebp", 4, INSN_STACK_LOSES_FP },
	{ "\x89\xe5", "mov %esp,%ebp", 2, INSN_STACK_LOSES_FP },
	{ "\x8d\x6c\x24\x10", "lea 16(%rsp),%ebp", 4, INSN_STACK_LOSES_FP },
	{ "\x83\xec\x10", "sub $16,%esp", 3, INSN_STACK_LOSES },
	{ "\x31\xed", "xor %ebp,%ebp", 2, INSN_STACK_CLEARS_FP },
	{ "\x31\xc5", "xor %eax,%ebp", 2, INSN_STACK_LOSES_FP },
	{ "\x89\xfd", "mov %edi,%ebp", 2, INSN_STACK_LOSES_FP },
	{ "\x48\x8b\x2f", "mov (%rdi),%rbp", 3, INSN_STACK_LOSES_FP },
	{ "\x48\x89\x2f", "mov %rbp,(%rdi)", 3, INSN_STACK_KEEPS },
	{ "\x48\x39\xc4", "cmp %rax,%rsp", 3, INSN_STACK_KEEPS },
	{ "\x48\x8d\x05\x10\0\0\0", "lea 16(%rip),%rax", 7, INSN_STACK_KEEPS, 0, 23 },
	{ "\x48\x8d\x45\x10", "lea 16(%rbp),%rax", 4, INSN_STACK_KEEPS },
};

static bool
note_effect(void *ctx, const struct insn *i, const struct insn_effect *e)
{
	*(struct insn_effect *)ctx = *e;
	return true;
}

static void
test_effects(void **state)
{
	for (size_t i = 0; i < BASE_NELEMS(effects); i++) {
		struct insn_effect e = { .what = 99 };
		size_t end;
		assert_ok(insn_walk_stack((const uint8_t *)effects[i].code,
					  effects[i].size, note_effect, &e, &end));
		if (end != effects[i].size || e.what != effects[i].what ||
		    e.n != effects[i].n || e.address != effects[i].address ||
		    e.has_address != (effects[i].address != 0))
			fail_msg("%s: %d %lld", effects[i].text, e.what, (long long)e.n);
	}
}

/* It goes on to what is no instruction, and no further. */
static void
test_end(void **state)
{
	static const uint8_t code[] = ENDBR "\xff\xe0\x50\xc3\x06\xc3";
	unsigned n[INSN_RETURN + 1] = { 0 };
	size_t end;

	assert_ok(insn_walk(code, sizeof(code) - 1, count, n, &end));
	assert_int_equal(end, 8);
	assert_int_equal(n[INSN_AWAY], 1);
	assert_int_equal(n[INSN_RETURN], 1);
	assert_int_equal(n[INSN_PLAIN], 2);
	/* an instruction that is cut off */
	assert_ok(insn_walk((const uint8_t *)"\xe8\x00", 2, count, n, &end));
	assert_int_equal(end, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_library),
		cmocka_unit_test(test_entries),
		cmocka_unit_test(test_32),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_jumps),
		cmocka_unit_test(test_effects),
		cmocka_unit_test(test_end),
	};

	return cmocka_run_group_tests_name("insn", tests, NULL, NULL);
}
#else
int
main(void)
{
	puts("1..0 # SKIP code of another machine");
	return 0;
}
#endif
