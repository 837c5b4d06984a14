/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What definitions of providers become: D without what means nothing, macros, and an
 * object, of which each part is looked at.
 */
#include <elf.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/base.h"
#include "provide/provide_priv.h"
#include "session/session_priv.h"
#include "support/assertok.h"

static struct session *s;

static int
begin(void **state)
{
	return session_new(&s) != NULL;
}

static int
end(void **state)
{
	session_free(s);
	return 0;
}

static const struct ast_program *
parse(const char *text)
{
	const struct diag_list *diags;
	struct session_prog *p;
	struct err *e = session_compile(s, NULL, text, strlen(text), PROBE_SPEC_NAME, 0,
					NULL, 0, &diags, &p);

	if (e)
		fail_msg("%s: %s", text, diags->first ? diags->first->text : e->text);
	return p->sema->ast;
}

/* --- The text ------------------------------------------------------------------------ */

static const struct { const char *text, *want; } texts[] = {
	{ "provider a { probe b(); };", "provider a{probe b();};" },
	{ "  provider\ta\n{\n\tprobe b ( int  x , char * y ) ;\n} ;\n",
	  "provider a{probe b(int x,char * y);};" },
	{ "/* one */provider/**/a/* two\n */{/***/};/*", "provider a{};" },
	{ "#pragma D attributes Stable/Stable/Common provider a provider\n"
	  "#pragma D option quiet\n#line 3\nprovider a {};",
	  "#pragma D attributes Stable/Stable/Common provider a provider\nprovider a{};" },
	{ "provider a {};\n \t#pragma D attributes Stable/Stable/Common provider a args\n\n"
	  "inline int x = 1;", "provider a{};\n"
	  "#pragma D attributes Stable/Stable/Common provider a args\ninline int x = 1;" },
	{ "inline string x = \"a  /* b */ \\\"  c\"; inline int y = 'x' + '\\'' ;",
	  "inline string x = \"a  /* b */ \\\"  c\";inline int y = 'x' + '\\'';" },
	{ "inline int x = 1 + - 2;", "inline int x = 1 + - 2;" },
};

static void
test_text(void **state)
{
	struct sb b;

	sb_init(&b, 4096);
	for (size_t i = 0; i < BASE_NELEMS(texts); i++) {
		struct lang_source src = { "x.d", texts[i].text,
					   (uint32_t)strlen(texts[i].text) };
		struct ast_program prog = { .src = &src };
		sb_reset(&b);
		provide_text(&prog, &b);
		assert_string_equal(sb_str(&b), texts[i].want);
	}
	sb_fini(&b);
}

/* What is cut off in the middle ends there. */
static void
test_cut(void **state)
{
	static const char text[] = "provider a {};/* x */#pragma D a\n\"b\\\"\" 'c'";
	struct sb b;

	sb_init(&b, 4096);
	for (size_t n = 0; n < sizeof(text); n++) {
		char *exact = malloc(n + !n);
		memcpy(exact, text, n);
		struct lang_source src = { "x.d", exact, (uint32_t)n };
		struct ast_program prog = { .src = &src };
		sb_reset(&b);
		provide_text(&prog, &b);
		assert_in_range(b.len, 0, n + 1);
		free(exact);
	}
	sb_fini(&b);
}

/* --- What can be --------------------------------------------------------------------- */

static const struct { const char *text, *error; } checks[] = {
	{ "provider a { probe b(int, char *, unsigned long long, int *); };", NULL },
	{ "provider a { probe b(string, int [3]); };", NULL },
	{ "enum e { E }; provider a { probe b(enum e); };", NULL },
	{ "provider a { probe b(int, int, int, int, int, int, int, int, int, int, int, int); };",
	  NULL },
	{ "provider a { probe b(int, int, int, int, int, int, int, int, int, int, int, int, "
	  "int); };", "provider a, probe b: 13 arguments; 12 are possible" },
	{ "struct t { int x; }; provider a { probe b(int, struct t); };", "provider a, probe b: "
	  "argument 2 is neither an integer nor an enum nor a pointer" },
	{ "provider a { probe c(); probe b(float); };", "provider a, probe b: argument 1 is "
	  "neither an integer nor an enum nor a pointer" },
	{ "provider a { probe b(); }; BEGIN { exit(0); }",
	  "a file of provider definitions cannot trace probes" },
};

static void
test_checks(void **state)
{
	for (size_t i = 0; i < BASE_NELEMS(checks); i++) {
		assert_int_equal(begin(NULL), 0);
		struct err *e = provide_check(parse(checks[i].text));
		if (!e != !checks[i].error || (e && strcmp(e->text, checks[i].error)))
			fail_msg("%s: %s", checks[i].text, e ? e->text : "fine");
		err_free(e);
		end(NULL);
	}
	begin(NULL);
}

static void
test_first(void **state)
{
	assert_null(provide_first(parse("inline int x = 1;")));
	assert_string_equal(provide_first(parse("inline int y = 1; provider b { probe x(); };"
						"provider a { probe x(); };")), "b");
}

/* --- The header ---------------------------------------------------------------------- */

#define PROVIDERS "provider one { probe plain(); probe two__words(char, unsigned char, short, " \
	"unsigned short, int, unsigned, long, unsigned long, char *); };"

static void
test_header(void **state)
{
	struct sb b;

	sb_init(&b, 1 << 20);
	assert_ok(provide_header(parse("inline int x = 1;"), &b));
	assert_string_equal(sb_str(&b), "");
	assert_ok(provide_header(parse(PROVIDERS), &b));
	static const char want[] = "\n#ifndef DTRACE_MACROS_OF_one\n"
		"#define DTRACE_MACROS_OF_one\n"
		"#define ONE_PLAIN() \\\n\tDTRACE_PROBE(one, plain)\n"
		"#define ONE_PLAIN_ENABLED() \\\n\tDTRACE_PROBE_ENABLED(one, plain)\n"
		"#define ONE_TWO_WORDS(arg0, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8) \\\n"
		"\tDTRACE_PROBE9(one, two__words, \\\n\t\t(signed char)(arg0), \\\n"
		"\t\t(unsigned char)(arg1), \\\n\t\t(short)(arg2), \\\n"
		"\t\t(unsigned short)(arg3), \\\n\t\t(int)(arg4), \\\n"
		"\t\t(unsigned int)(arg5), \\\n\t\t(long)(arg6), \\\n"
		"\t\t(unsigned long)(arg7), \\\n\t\t(const volatile void *)(arg8))\n"
		"#define ONE_TWO_WORDS_ENABLED() \\\n"
		"\tDTRACE_PROBE_ENABLED(one, two__words)\n#endif\n";
	assert_int_equal(strncmp(sb_str(&b), want, sizeof(want) - 1), 0);
	const char *note = sb_str(&b) + sizeof(want) - 1;
	assert_non_null(strstr(note, "__dtracenote_one: .4byte 7, 992f-991f, 1\\n"));
	assert_non_null(strstr(note, ".note.dtrace,\\\"0x200200\\\""));
	/* 64 bytes of the text in each line, the rest in the last. */
	assert_non_null(strstr(note, "\t\".ascii \\\"provider one{probe plain();probe two__words("
			       "char,unsigned char,s\\\"\\n\"\n"));
	assert_non_null(strstr(note, "char *);};\\\"\\n\"\n\t\".byte 0"));
	sb_fini(&b);
}

/* What neither C nor the assembler takes as it is. */
static void
test_bytes(void **state)
{
	struct sb b;

	sb_init(&b, 1 << 20);
	assert_ok(provide_header(parse("inline string x = \"a\\\\?~\\001\x7f!\"; "
				       "provider two { probe x(); };"), &b));
	assert_non_null(strstr(sb_str(&b), "inline string x = \\\\\\\"a\\\\\\\\\\\\\\\\\\\\077~"
			       "\\\\\\\\001\\\\177!\\\\\\\";"));
	sb_fini(&b);
}

static void
test_begin(void **state)
{
	struct sb b;

	sb_init(&b, 1 << 20);
	provide_header_begin("x.h", &b);
	assert_int_equal(strncmp(sb_str(&b), "/* x.h: made by dtrace -h;", 26), 0);
	assert_non_null(strstr(sb_str(&b), provide_sdt_h));
	sb_fini(&b);
}

/* --- The object ---------------------------------------------------------------------- */

static const char *
string_at(const struct sb *b, const Elf64_Shdr *sh, size_t at)
{
	assert_true(at < sh->sh_size);
	return b->p + sh->sh_offset + at;
}

static void
check_object(const struct sb *b, bool has_note, const char *symbol, const char *text)
{
	static const struct { const char *name; uint32_t type; } want[] = {
		{ "", SHT_NULL }, { ".group", SHT_GROUP }, { ".note.dtrace", SHT_NOTE },
		{ ".symtab", SHT_SYMTAB }, { ".strtab", SHT_STRTAB },
		{ ".shstrtab", SHT_STRTAB }, { ".note.GNU-stack", SHT_PROGBITS },
	};
	const Elf64_Ehdr *h = (void *)b->p;
	const Elf64_Shdr *sh = (void *)(b->p + h->e_shoff);

	assert_memory_equal(h->e_ident, ELFMAG, SELFMAG);
	assert_int_equal(h->e_type, ET_REL);
	assert_int_equal(h->e_shnum, BASE_NELEMS(want));
	assert_int_equal(h->e_shoff % 8, 0);
	assert_int_equal(h->e_shoff + sizeof(*sh) * h->e_shnum, b->len);
	for (size_t i = 0; i < BASE_NELEMS(want); i++) {
		bool there = has_note || i == 0 || i > 2;
		assert_int_equal(sh[i].sh_type, there ? want[i].type : SHT_NULL);
		if (there)
			assert_string_equal(string_at(b, &sh[5], sh[i].sh_name),
					    want[i].name);
		assert_true(sh[i].sh_offset + sh[i].sh_size <= b->len);
		assert_int_equal(sh[i].sh_offset % 8, 0);
	}
	assert_int_equal(sh[3].sh_link, 4);
	assert_int_equal(sh[3].sh_size, (has_note ? 2 : 1) * sizeof(Elf64_Sym));
	if (!has_note)
		return;
	const uint32_t *group = (void *)(b->p + sh[1].sh_offset);
	assert_int_equal(sh[1].sh_size, 8);
	assert_int_equal(group[0], GRP_COMDAT);
	assert_int_equal(group[1], 2);
	assert_int_equal(sh[1].sh_link, 3);
	assert_int_equal(sh[1].sh_info, 1);
	const Elf64_Sym *sym = (void *)(b->p + sh[3].sh_offset);
	assert_string_equal(string_at(b, &sh[4], sym[1].st_name), symbol);
	assert_int_equal(sym[1].st_shndx, 2);
	assert_int_equal(ELF64_ST_BIND(sym[1].st_info), STB_WEAK);
	assert_int_equal(sym[1].st_other, STV_HIDDEN);
	assert_int_equal(sh[4].sh_size, strlen(symbol) + 2);
	const Elf64_Nhdr *note = (void *)(b->p + sh[2].sh_offset);
	assert_int_equal(sh[2].sh_flags, PROVIDE_NOTE_FLAGS);
	assert_int_equal(note->n_namesz, 7);
	assert_int_equal(note->n_descsz, strlen(text) + 1);
	assert_int_equal(note->n_type, PROVIDE_NOTE_D);
	assert_string_equal((char *)(note + 1), "dtrace");
	assert_string_equal((char *)(note + 1) + 8, text);
	assert_int_equal(sh[2].sh_size, base_align(sizeof(*note) + 8 + strlen(text) + 1, 4));
}

static void
test_object(void **state)
{
	struct sb b;

	sb_init(&b, 1 << 20);
	assert_ok(provide_object(parse("provider a { probe b(); };"), 0, NULL, &b));
	check_object(&b, true, "__dtracenote_a", "provider a{probe b();};");
#if defined(__x86_64__)
	assert_int_equal(((Elf64_Ehdr *)b.p)->e_machine, EM_X86_64);
#endif
	sb_reset(&b);
	assert_ok(provide_object(parse("inline int x = 1;"), 0, NULL, &b));
	check_object(&b, false, NULL, NULL);
	sb_reset(&b);
	struct err *e = provide_object(parse("BEGIN { y = 1; }"), 0, NULL, &b);
	assert_non_null(e);
	assert_int_equal(e->code, ERR_INVALID);
	err_free(e);
	sb_fini(&b);
}

/* What stands before it stays, and all in it counts from where it begins. */
static void
test_behind(void **state)
{
	static const char before[] = "0123456789abcdefg";
	const struct ast_program *progs[] = {
		parse("inline int x = 1;"), parse("provider a { probe b(); };"),
	};
	struct sb alone, b;

	sb_init(&alone, 1 << 20);
	sb_init(&b, 1 << 20);
	for (size_t i = 0; i < BASE_NELEMS(progs); i++)
		for (size_t n = 0; n < sizeof(before); n++) {
			sb_reset(&alone);
			assert_ok(provide_object(progs[i], 0, NULL, &alone));
			sb_reset(&b);
			sb_putn(&b, before, n);
			assert_ok(provide_object(progs[i], 0, NULL, &b));
			assert_int_equal(b.len, n + alone.len);
			assert_memory_equal(b.p, before, n);
			assert_memory_equal(b.p + n, alone.p, alone.len);
		}
	sb_fini(&alone);
	sb_fini(&b);
}

/* The name of the symbol is as long as the provider's is. */
static void
test_long_name(void **state)
{
	char text[128], name[64], symbol[96];
	struct sb b;

	sb_init(&b, 1 << 20);
	for (size_t n = 1; n < 64; n++) {
		memset(name, 'n', n);
		name[n] = '\0';
		snprintf(text, sizeof(text), "provider %s { probe b(); };", name);
		snprintf(symbol, sizeof(symbol), "__dtracenote_%s", name);
		assert_int_equal(begin(NULL), 0);
		sb_reset(&b);
		assert_ok(provide_object(parse(text), 0, NULL, &b));
		snprintf(text, sizeof(text), "provider %s{probe b();};", name);
		check_object(&b, true, symbol, text);
		end(NULL);
	}
	begin(NULL);
	sb_fini(&b);
}

/* Objects that it is made for. */
static void
make_file(char *path, unsigned char class, uint16_t type, uint16_t machine, uint32_t flags)
{
	Elf64_Ehdr h = { .e_type = type, .e_machine = machine, .e_flags = flags };

	strcpy(path, "/tmp/provide.XXXXXX");
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	memcpy(h.e_ident, ELFMAG, SELFMAG);
	h.e_ident[EI_CLASS] = class;
	h.e_ident[EI_DATA] = ELFDATA2LSB;
	assert_int_equal(write(fd, &h, sizeof(h)), sizeof(h));
	close(fd);
}

static void
test_machines(void **state)
{
	char paths[5][32], absent[] = "/nonexistent/x.o";
	char *one[] = { paths[0], paths[1] }, *two[] = { paths[0], paths[2] };
	char *bad[] = { paths[3], paths[4], absent };
	const struct ast_program *prog = parse("provider a { probe b(); };");
	char want[200];
	struct sb b;

	sb_init(&b, 1 << 20);
	make_file(paths[0], ELFCLASS64, ET_REL, EM_RISCV, 5);
	make_file(paths[1], ELFCLASS64, ET_REL, EM_RISCV, 1);
	make_file(paths[2], ELFCLASS64, ET_REL, EM_X86_64, 0);
	make_file(paths[3], ELFCLASS32, ET_REL, EM_386, 0);
	make_file(paths[4], ELFCLASS64, ET_EXEC, EM_X86_64, 0);
	assert_ok(provide_object(prog, 2, one, &b));
	assert_int_equal(((Elf64_Ehdr *)b.p)->e_machine, EM_RISCV);
	assert_int_equal(((Elf64_Ehdr *)b.p)->e_flags, 5);
	struct err *e = provide_object(prog, 2, two, &b);
	assert_non_null(e);
	snprintf(want, sizeof(want), "%s and %s are for different machines", paths[0], paths[2]);
	assert_string_equal(e->text, want);
	err_free(e);
	for (size_t i = 0; i < BASE_NELEMS(bad); i++) {
		e = provide_object(prog, 1, &bad[i], &b);
		assert_non_null(e);
		assert_int_equal(e->code, i == 2 ? ERR_OS : ERR_FORMAT);
		err_free(e);
	}
	for (size_t i = 0; i < BASE_NELEMS(paths); i++)
		unlink(paths[i]);
	sb_fini(&b);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text), cmocka_unit_test(test_cut),
		cmocka_unit_test_setup_teardown(test_checks, NULL, end),
		cmocka_unit_test_setup_teardown(test_first, begin, end),
		cmocka_unit_test_setup_teardown(test_header, begin, end),
		cmocka_unit_test_setup_teardown(test_bytes, begin, end),
		cmocka_unit_test(test_begin),
		cmocka_unit_test_setup_teardown(test_object, begin, end),
		cmocka_unit_test_setup_teardown(test_behind, begin, end),
		cmocka_unit_test_setup_teardown(test_long_name, NULL, end),
		cmocka_unit_test_setup_teardown(test_machines, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
