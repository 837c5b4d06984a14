/* SPDX-License-Identifier: BSD-2-Clause
 *
 * dict TARGET: the words that a target knows, as a dictionary for libFuzzer,
 * from the tables that the target itself uses.
 */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "dif/dif.h"

static void
word(const void *p, size_t n)
{
	const uint8_t *s = p;

	putchar('"');
	for (size_t i = 0; i < n; i++)
		if (isalnum(s[i]) || (ispunct(s[i]) && !strchr("\"\\", s[i])))
			putchar(s[i]);
		else
			printf("\\x%02x", s[i]);
	puts("\"");
}

static void
words(const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		word(list[i], strlen(list[i]));
}

static const char *const d_words[] = {
#define KEYWORD(NAME, text, flags) text,
#include "lang/keyword.def"
#undef KEYWORD
#define PUNCT(NAME, text, prec, binary, assign) text,
#include "lang/token.def"
#define BUILTIN(kind, name, ...) name,
#include "sema/builtins.def"
#undef BUILTIN
	/* What lexer, preprocessor and the world of the tests know besides. */
	"@", "@a", "`", "$", "$1", "$$1", "$target", "$pid", "/*", "*/", "#",
	"\n#pragma D option ", "\n#pragma D attributes ",
	"\n#pragma D depends_on ", "\n#line 7 \"x\"\n", "\"", "'", "\\n",
	"\\x41", "\\101", "0x", "1ULL", "08", "1.5e3", "self->", "this->",
	"BEGIN", "END", "ERROR", "dtrace:::BEGIN", "syscall::read:entry",
	"syscall::kill:entry", "syscall:::", "fbt::do_exit:entry",
	"io:::start", "{", "}", "/", "/{", "struct task_struct", "`init_task",
	"`jiffies", "curthread->", "args[0]", "vmlinux`", "(int)", "(char *)",
	"(struct task_struct *)", "uint64_t", "int8_t", "userland",
	"%d", "%s", "%*.*x", "%@d", "%k", "%Y", "%-10s", "%lld", "%%",
	"0x7fffffff", "0x8000000000000000", "-1",
};

static const char *const option_words[] = {
#define OPT(NAME, name, ...) name,
#include "opt/opt.def"
#undef OPT
};

static const char *const asm_words[] = {
#define OP(NAME, name, ...) #name,
#include "dif/ops.def"
#undef OP
#define BVAR(NAME, name, ...) name,
#include "dif/bvars.def"
#undef BVAR
#define SUBR(NAME, name, ...) name,
#include "dif/subrs.def"
#undef SUBR
	".ret", ".int", ".str", ".var", ".line", ".word", "DT_INTEGER[0]",
	"DT_STRING[0]", "DT_VAR(1280)", "DIF_SUBR(12)", "DT_TYPE(0)",
	"DT_TYPE(1)", "%r0", "%r1", "%r7", ", ", "[%r1]", "!", "L1:", "L1",
	"scl", "arr", "glb", "tls", "loc", "r/w", "-", "D type (integer) ",
	"string (unknown) ", "by ref", "by user ref", "(size 8)", "(size 256)",
};

static const uint32_t dif_words[] = {
#define OP(NAME, ...) DIF_FMT_R(DIF_OP_##NAME, 1, 2, 3), \
	DIF_FMT_W(DIF_OP_##NAME, 0, 1),
#include "dif/ops.def"
#undef OP
#define SUBR(NAME, ...) DIF_FMT_W(DIF_OP_CALL, DIF_SUBR_##NAME, 1),
#include "dif/subrs.def"
#undef SUBR
#define BVAR(NAME, ...) DIF_FMT_W(DIF_OP_LDGS, DIF_VAR_##NAME, 1),
#include "dif/bvars.def"
#undef BVAR
	DIF_FMT_R(DIF_OP_PUSHTV, 0, 0, 1), DIF_FMT_R(DIF_OP_PUSHTR, 1, 0, 1),
	DIF_FMT_R(DIF_OP_FLUSHTS, 0, 0, 0), DIF_FMT_R(DIF_OP_RET, 0, 0, 1),
};

static const char *const format_words[] = {
#define CONV(letter, ...) (const char[]){ '%', letter, 0 }, \
	(const char[]){ '%', '@', letter, 0 }, \
	(const char[]){ '%', '-', '*', '.', '*', letter, 0 },
#include "pfmt/conv.def"
#undef CONV
	"%%", "%?", "%'", "%#", "%+", "%0", "%1048576d", "ll", "hh",
};

static const char *const note_words[] = {
	"-4@", "8@", "8f@", "%eax", "%rbp", "%r8d", "%ah", "(%rip)", "(%rsp)", "$-1",
	"(%rax,%rbx,4)", "%fs:0", "[sp, 16]", "x0", "lsl 3", "sym+8", " ", "provider ",
	"probe ", "translator ", "inline ", "typedef ", "};", "#pragma D attributes ",
};

#define WORDS(list) words(list, sizeof(list) / sizeof((list)[0]))

int
main(int argc, char **argv)
{
	const char *target = argc == 2 ? argv[1] : "";

	if (!strcmp(target, "difasm")) {
		WORDS(asm_words);
	} else if (!strcmp(target, "dif")) {
		for (size_t i = 0; i < BASE_NELEMS(dif_words); i++)
			word(&dif_words[i], sizeof(dif_words[i]));
	} else if (!strcmp(target, "provided")) {
		WORDS(note_words);
	} else if (!strcmp(target, "records")) {
		WORDS(format_words);
	} else {
		WORDS(d_words);
		WORDS(option_words);
		WORDS(format_words);
	}
	return 0;
}
