/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Probes that a program makes as it runs: names and types that are none, and the file that
 * it maps, as whoever looks for probes reads it (sym/stap.h).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/base.h"
#include "dtrace/usdt.h"
#include "support/countopen.h"
#include "sym/stap.h"

static dtrace_usdt_t *u;

static int
setup(void **state)
{
	u = dtrace_usdt_new("prov");
	return !u;
}

static int
teardown(void **state)
{
	dtrace_usdt_free(u);
	return 0;
}

/* --- Names and types -------------------------------------------------------- */

static char name63[64], name64[65];

static void
test_names(void **state)
{
	static const char *const good[] = { "a", "_", "A9_z", "zZ0", name63 };
	static const char *const bad[] = { NULL, "", "9a", "0", "a-b", "a b", "a.b",
					   "\303\244", "a:", name64 };

	memset(name63, 'x', sizeof(name63) - 1);
	memset(name64, 'x', sizeof(name64) - 1);
	for (size_t i = 0; i < BASE_NELEMS(good); i++) {
		dtrace_usdt_t *other = dtrace_usdt_new(good[i]);
		assert_non_null(other);
		dtrace_usdt_free(other);
		assert_non_null(dtrace_usdt_add(u, good[i], NULL));
		errno = 0;
		assert_null(dtrace_usdt_add(u, good[i], NULL));
		assert_int_equal(errno, EEXIST);
	}
	for (size_t i = 0; i < BASE_NELEMS(bad); i++) {
		errno = 0;
		assert_null(dtrace_usdt_new(bad[i]));
		assert_int_equal(errno, EINVAL);
		errno = 0;
		assert_null(dtrace_usdt_add(u, bad[i], NULL));
		assert_int_equal(errno, EINVAL);
	}
	dtrace_usdt_free(NULL);
}

/* --- The file --------------------------------------------------------------- */

struct seen {
	unsigned n;
	char args[8][256], name[8][64];
	uint64_t offset[8], semaphore[8];
	char text[1024];
};

static struct err *
on_probe(void *ctx, const struct sym_stap *p)
{
	struct seen *s = ctx;

	assert_string_equal(p->prov, "prov");
	assert_in_range(s->n, 0, 7);
	snprintf(s->args[s->n], sizeof(s->args[0]), "%s", p->args);
	snprintf(s->name[s->n], sizeof(s->name[0]), "%s", p->name);
	s->offset[s->n] = p->offset;
	s->semaphore[s->n++] = p->semaphore;
	return NULL;
}

static struct err *
on_text(void *ctx, const char *text, size_t size)
{
	struct seen *s = ctx;

	assert_int_equal(s->text[0], 0);
	snprintf(s->text, sizeof(s->text), "%.*s", (int)size, text);
	return NULL;
}

/* Where the nth of our files is mapped: its code, and its counters. */
struct mapped { unsigned char *code, *counters; };

static unsigned
find_files(struct mapped *ret, unsigned most)
{
	FILE *f = fopen("/proc/self/maps", "re");
	char line[512], perms[8];
	unsigned long start;
	unsigned n = 0;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		if (!strstr(line, "dtrace-usdt-prov"))
			continue;
		assert_int_equal(sscanf(line, "%lx-%*x %7s", &start, perms), 2);
		assert_true(n / 2 < most);
		/* Nobody else sees what is counted, and what stands in the code. */
		if (n % 2 == 0) {
			assert_string_equal(perms, "r-xp");
			ret[n / 2].code = (unsigned char *)start;
		} else {
			assert_string_equal(perms, "rw-p");
			ret[n / 2].counters = (unsigned char *)start;
		}
		n++;
	}
	fclose(f);
	assert_int_equal(n % 2, 0);
	return n / 2;
}

/* What the file says of itself, read through the mapping's own link. */
static void
read_file(const struct mapped *m, struct seen *s)
{
	char path[64];
	long page = sysconf(_SC_PAGESIZE);

	memset(s, 0, sizeof(*s));
	for (long n = 1; n < 64; n++) {
		snprintf(path, sizeof(path), "/proc/self/map_files/%lx-%lx",
			 (unsigned long)m->code,
			 (unsigned long)m->code + (unsigned long)(n * page));
		int fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			continue;
		assert_null(sym_stap_walk(fd, on_probe, s));
		assert_null(sym_text_walk(fd, on_text, s));
		close(fd);
		return;
	}
	print_message("# skipped: files that are mapped cannot be opened\n");
	skip();
}

#ifdef __x86_64__

/* Types, the operands that come of them, and whether they are types at all. */
static void
test_types(void **state)
{
	static const struct { const char *types, *want; } rows[] = {
		{ NULL, "" }, { "", "" }, { "  ", "" }, { "void", "" },
		{ "int", "-4@%edi" }, { " int ", "-4@%edi" },
		{ "unsigned", "4@%edi" }, { "signed", "-4@%edi" },
		{ "char", "-1@%dil" }, { "unsigned char", "1@%dil" },
		{ "signed char", "-1@%dil" }, { "short", "-2@%di" },
		{ "short int", "-2@%di" }, { "unsigned short", "2@%di" },
		{ "long", "-8@%rdi" }, { "long int", "-8@%rdi" },
		{ "unsigned long", "8@%rdi" }, { "long long", "-8@%rdi" },
		{ "unsigned long long int", "8@%rdi" },
		{ "int8_t", "-1@%dil" }, { "uint8_t", "1@%dil" },
		{ "int16_t", "-2@%di" }, { "uint16_t", "2@%di" },
		{ "int32_t", "-4@%edi" }, { "uint32_t", "4@%edi" },
		{ "int64_t", "-8@%rdi" }, { "uint64_t", "8@%rdi" },
		{ "size_t", "8@%rdi" }, { "ssize_t", "-8@%rdi" },
		{ "uintptr_t", "8@%rdi" }, { "intptr_t", "-8@%rdi" },
		{ "pid_t", "-4@%edi" }, { "uid_t", "4@%edi" },
		{ "gid_t", "4@%edi" }, { "string", "8@%rdi" },
		{ "char *", "8@%rdi" }, { "struct any *", "8@%rdi" },
		{ "const struct any **", "8@%rdi" }, { "x*", "8@%rdi" },
		{ "char,char,char,char,char,char,char,char,char,char,char,char",
		  "-1@%dil -1@%sil -1@%dl -1@%cl -1@%r8b -1@%r9b -1@8(%rsp) "
		  "-1@16(%rsp) -1@24(%rsp) -1@32(%rsp) -1@40(%rsp) -1@48(%rsp)" },
		{ "short , short,short,short,short,short,short",
		  "-2@%di -2@%si -2@%dx -2@%cx -2@%r8w -2@%r9w -2@8(%rsp)" },
		{ "int,int,int,int,int,int",
		  "-4@%edi -4@%esi -4@%edx -4@%ecx -4@%r8d -4@%r9d" },
		{ "long,long,long,long,long,long",
		  "-8@%rdi -8@%rsi -8@%rdx -8@%rcx -8@%r8 -8@%r9" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct mapped m;
		struct seen s;

		assert_int_equal(setup(state), 0);
		if (!dtrace_usdt_add(u, "p", rows[i].types))
			fail_msg("%s", rows[i].types);
		assert_int_equal(dtrace_usdt_show(u), 0);
		assert_int_equal(find_files(&m, 1), 1);
		read_file(&m, &s);
		assert_int_equal(s.n, 1);
		assert_string_equal(s.name[0], "p");
		assert_string_equal(s.args[0], rows[i].want);
		teardown(state);
	}
}

#endif

static void
test_no_types(void **state)
{
	static const char *const types[] = {
		",", "int,", ",int", "int,,int", "double", "float", "1",
		"long long long", "long short", "long char", "char short",
		"short char", "unsigned signed", "signed signed",
		"unsigned unsigned", "int8_t x", "unsigned int8_t", "int int8_t",
		"int[2]", "int int x", "void, int", "struct any", "intx", "ints",
		"int,int,int,int,int,int,int,int,int,int,int,int,int",
	};

	for (size_t i = 0; i < BASE_NELEMS(types); i++) {
		errno = 0;
		if (dtrace_usdt_add(u, "p", types[i]) || errno != EINVAL)
			fail_msg("%s", types[i]);
	}
	/* What was refused is no probe. */
	assert_non_null(dtrace_usdt_add(u, "p", "int"));
}

/* Each time a file more, with what was added since; each probe has a stub of its own that
 * comes back, and a counter of its own. */
static void
test_files(void **state)
{
	dtrace_usdt_probe_t *p[3];
	struct mapped m[3];
	struct seen s;
	unsigned open = count_open();

	assert_int_equal(dtrace_usdt_show(u), 0);	/* nothing, and no file */
	assert_int_equal(find_files(m, 3), 0);
	assert_non_null(p[0] = dtrace_usdt_add(u, "a", "int, char *"));
	assert_non_null(p[1] = dtrace_usdt_add(u, "b", NULL));
	assert_false(dtrace_usdt_enabled(p[0]));
	dtrace_usdt_fire(p[0], 1L, 2L);			/* is nothing as yet */
	assert_int_equal(dtrace_usdt_show(u), 0);
	assert_int_equal(dtrace_usdt_show(u), 0);
	assert_int_equal(find_files(m, 3), 1);
	read_file(&m[0], &s);
	assert_int_equal(s.n, 2);
	assert_string_equal(s.text, "provider prov{probe b();probe a(int, char *);};");
	for (int i = 0; i < 2; i++) {
		int at = s.name[0][0] == (i ? 'b' : 'a') ? 0 : 1;
		unsigned char *stub = m[0].code + s.offset[at];
		uint16_t *counter = (uint16_t *)(void *)
			(m[0].counters + s.semaphore[at] % (uint64_t)sysconf(_SC_PAGESIZE));
		assert_string_equal(s.name[at], i ? "b" : "a");
		assert_ptr_not_equal(stub, NULL);
		((void (*)(void))(uintptr_t)stub)();
		assert_false(dtrace_usdt_enabled(p[i]));
		*counter = 1;
		assert_true(dtrace_usdt_enabled(p[i]));
		assert_false(dtrace_usdt_enabled(p[!i]));
		dtrace_usdt_fire(p[i], 1L, 2L);
		dtrace_usdt_firev(p[i], (const uint64_t[]){ 1, 2 });
		*counter = 0;
	}
	assert_int_not_equal(s.offset[0], s.offset[1]);
	/* Another file, with the new one alone. */
	assert_non_null(p[2] = dtrace_usdt_add(u, "c", "long"));
	assert_int_equal(dtrace_usdt_show(u), 0);
	assert_int_equal(find_files(m, 3), 2);
	struct seen one, two;
	read_file(&m[0], &one);
	read_file(&m[1], &two);
	assert_int_equal(one.n + two.n, 3);
	const struct seen *newer = one.n == 1 ? &one : &two;
	assert_int_equal(newer->n, 1);
	assert_string_equal(newer->name[0], "c");
	assert_string_equal(newer->text, "provider prov{probe c(long);};");
	assert_int_equal(count_open(), open);
}

/* What is hidden is in no file, and may be fired still. */
static void
test_hide(void **state)
{
	struct mapped m[1];
	struct seen s;

	dtrace_usdt_probe_t *p = dtrace_usdt_add(u, "a", "int");
	assert_non_null(p);
	assert_int_equal(dtrace_usdt_show(u), 0);
	assert_int_equal(find_files(m, 1), 1);
	read_file(&m[0], &s);
	unsigned char *stub = m[0].code + s.offset[0];
	*m[0].counters = 1;
	assert_true(dtrace_usdt_enabled(p));
	assert_int_equal(dtrace_usdt_hide(u), 0);
	assert_int_equal(find_files(m, 1), 0);
	assert_false(dtrace_usdt_enabled(p));
	dtrace_usdt_fire(p, 1L);
	((void (*)(void))(uintptr_t)stub)();	/* a thread that was on its way */
	/* and what is added then is seen */
	assert_non_null(dtrace_usdt_add(u, "b", NULL));
	assert_int_equal(dtrace_usdt_show(u), 0);
	assert_int_equal(find_files(m, 1), 1);
}

/* The sections, as other tools look for them. */
static void
test_sections(void **state)
{
	static const struct { const char *name; unsigned type; uint64_t flags; } want[] = {
		{ "", SHT_NULL, 0 }, { ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR },
		{ ".note.stapsdt", SHT_NOTE, 0 }, { ".note.dtrace", SHT_NOTE, 0 },
		{ ".stapsdt.base", SHT_PROGBITS, SHF_ALLOC },
		{ ".probes", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE },
		{ ".shstrtab", SHT_STRTAB, 0 },
	};
	struct mapped m[1];

	assert_non_null(dtrace_usdt_add(u, "a", "int"));
	assert_int_equal(dtrace_usdt_show(u), 0);
	assert_int_equal(find_files(m, 1), 1);
	const Elf64_Ehdr *h = (const void *)m->code;
	assert_memory_equal(h->e_ident, ELFMAG, SELFMAG);
	assert_int_equal(h->e_type, ET_DYN);
	assert_int_equal(h->e_shnum, BASE_NELEMS(want));
	const Elf64_Shdr *sh = (const void *)(m->code + h->e_shoff);
	const char *names = (const char *)m->code + sh[h->e_shstrndx].sh_offset;
	for (size_t i = 0; i < BASE_NELEMS(want); i++) {
		assert_string_equal(names + sh[i].sh_name, want[i].name);
		assert_int_equal(sh[i].sh_type, want[i].type);
		assert_int_equal(sh[i].sh_flags, want[i].flags);
		assert_int_equal(sh[i].sh_addr, want[i].flags ? sh[i].sh_offset : 0);
	}
}

/* There is room for any text that types are. */
static void
test_long_types(void **state)
{
	static char types[20000];
	struct mapped m[1];
	struct seen s;

	memset(types, 'x', sizeof(types) - 2);
	types[sizeof(types) - 2] = '*';
	assert_non_null(dtrace_usdt_add(u, "p", types));
	assert_int_equal(dtrace_usdt_show(u), 0);
	assert_int_equal(find_files(m, 1), 1);
	read_file(m, &s);
	assert_int_equal(s.n, 1);
	assert_int_equal(strspn(s.text + strlen("provider prov{probe p("), "x"),
			 sizeof(s.text) - 1 - strlen("provider prov{probe p("));
}

/* Many probes make a large file. */
static void
test_many(void **state)
{
	enum { MANY = 3000 };
	static dtrace_usdt_probe_t *p[MANY];
	struct mapped m[1];
	char name[16];

	for (int i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "p%d", i);
		p[i] = dtrace_usdt_add(u, name, "long,long,long,long,long,long,long,"
				       "long,long,long,long,unsigned long long");
		assert_non_null(p[i]);
	}
	assert_int_equal(dtrace_usdt_show(u), 0);
	assert_int_equal(find_files(m, 1), 1);
	/* The latest is the first, and each has its own. */
	for (int i = 0; i < MANY; i++)
		((uint16_t *)(void *)m[0].counters)[MANY - 1 - i] = (uint16_t)(i % 3);
	for (int i = 0; i < MANY; i++)
		assert_int_equal(dtrace_usdt_enabled(p[i]), i % 3 != 0);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_names, setup, teardown),
#ifdef __x86_64__
		cmocka_unit_test(test_types),
#endif
		cmocka_unit_test_setup_teardown(test_no_types, setup, teardown),
		cmocka_unit_test_setup_teardown(test_files, setup, teardown),
		cmocka_unit_test_setup_teardown(test_hide, setup, teardown),
		cmocka_unit_test_setup_teardown(test_sections, setup, teardown),
		cmocka_unit_test_setup_teardown(test_long_types, setup, teardown),
		cmocka_unit_test_setup_teardown(test_many, setup, teardown),
	};

	return cmocka_run_group_tests_name("usdt", tests, NULL, NULL);
}
