/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Operands of static probes as text, notes that are damaged, places of our own.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/base.h"
#include "prov/coming.h"
#include "prov/site.h"
#include "prov/usdt_priv.h"
#include "sym/maps.h"
#include "util/arena.h"

#define PROVIDER "own"
#include "note.h"

static bool
symbol(void *ctx, const char *name, uint64_t *ret)
{
	*ret = 0x5000;
	return strcmp(name, "known") == 0 || strcmp(name, "known@x") == 0;
}

struct row {
	const char *text;
	struct abi_place want;		/* of the first; kind NONE: it cannot be had */
	unsigned n;
};

#define REG(text, r, size, is_signed, from) \
	{ text, { ABI_PLACE_REG, size, is_signed, 0, r, 0, from }, 1 }
#define MEM(text, r, size, is_signed, off) \
	{ text, { ABI_PLACE_MEMORY, size, is_signed, 0, r, 0, off }, 1 }
#define INDEXED(text, r, i, scale, size, is_signed, off) \
	{ text, { ABI_PLACE_MEMORY, size, is_signed, scale, r, i, off }, 1 }
#define MEM_32(text, r, i, scale, size, is_signed, off) \
	{ text, { ABI_PLACE_MEMORY_32, size, is_signed, scale, r, i, off }, 1 }
#define CONST(text, size, is_signed, v) \
	{ text, { ABI_PLACE_CONST, size, is_signed, 0, 0, 0, v }, 1 }
#define NONE(text, size, is_signed) \
	{ text, { ABI_PLACE_NONE, size, is_signed }, 1 }

#if defined(__x86_64__)
static const struct row rows[] = {
	REG("-4@%edi", ABI_REG_OFF_DI, 4, 1, 0), REG("4@%edi", ABI_REG_OFF_DI, 4, 0, 0),
	REG("8@%rax", ABI_REG_OFF_AX, 8, 0, 0), REG("-8@%rax", ABI_REG_OFF_AX, 8, 1, 0),
	REG("-1@%al", ABI_REG_OFF_AX, 1, 1, 0), REG("1@%ah", ABI_REG_OFF_AX, 1, 0, 1),
	REG("-1@%dh", ABI_REG_OFF_DX, 1, 1, 1), REG("2@%cx", ABI_REG_OFF_CX, 2, 0, 0),
	REG("1@%sil", ABI_REG_OFF_SI, 1, 0, 0), REG("1@%bpl", ABI_REG_OFF_BP, 1, 0, 0),
	REG("-4@%r8d", ABI_REG_OFF_R8, 4, 1, 0), REG("2@%r9w", ABI_REG_OFF_R9, 2, 0, 0),
	REG("1@%r15b", ABI_REG_OFF_R15, 1, 0, 0), REG("8@%r12", ABI_REG_OFF_R12, 8, 0, 0),
	REG("8@%rsp", ABI_REG_OFF_SP, 8, 0, 0), REG("4@%rax", ABI_REG_OFF_AX, 4, 0, 0),
	REG("8@%eax", ABI_REG_OFF_AX, 4, 0, 0), REG("%rbx", ABI_REG_OFF_BX, 8, 0, 0),
	REG("  8@%rbp  ", ABI_REG_OFF_BP, 8, 0, 0),
	MEM("8@(%rdi)", ABI_REG_OFF_DI, 8, 0, 0),
	MEM("8@-8(%rbp)", ABI_REG_OFF_BP, 8, 0, -8),
	MEM("-4@0x10(%rsp)", ABI_REG_OFF_SP, 4, 1, 16),
	MEM("-2@8+4(%rax)", ABI_REG_OFF_AX, 2, 1, 12),
	MEM("1@-0x8+4(%rax)", ABI_REG_OFF_AX, 1, 0, -4),
	MEM("4@known(%rip)", ABI_REG_OFF_IP, 4, 0, 0x1000),
	MEM("4@known+8(%rip)", ABI_REG_OFF_IP, 4, 0, 0x1008),
	MEM("4@8+known(%rip)", ABI_REG_OFF_IP, 4, 0, 0x1008),
	MEM("4@16(%rip)", ABI_REG_OFF_IP, 4, 0, 16),
	INDEXED("8@8(%rax,%rbx,4)", ABI_REG_OFF_AX, ABI_REG_OFF_BX, 4, 8, 0, 8),
	INDEXED("-4@(%rax,%rbx)", ABI_REG_OFF_AX, ABI_REG_OFF_BX, 1, 4, 1, 0),
	INDEXED("8@-24(%rsp, %r9, 8)", ABI_REG_OFF_SP, ABI_REG_OFF_R9, 8, 8, 0, -24),
	CONST("-4@$5", 4, 1, 5), CONST("-4@$-5", 4, 1, -5),
	CONST("4@$-1", 4, 0, 0xffffffff), CONST("1@$300", 1, 0, 44),
	CONST("-1@$200", 1, 1, -56), CONST("8@$0x1234567890", 8, 0, 0x1234567890),
	CONST("-8@$-9223372036854775808", 8, 1, INT64_MIN),
	CONST("$7", 8, 0, 7),
	NONE("8f@%xmm0", 8, 0), NONE("-8f@%xmm1", 8, 1), NONE("16@%xmm0", 16, 0),
	NONE("4@%st", 4, 0), NONE("8@%fs:8", 8, 0), NONE("8@unknown(%rip)", 8, 0),
	/* of 32 bits */
	MEM_32("4@(%eax)", ABI_REG_OFF_AX, 0, 0, 4, 0, 0),
	MEM_32("-4@32(%esp)", ABI_REG_OFF_SP, 0, 0, 4, 1, 32),
	MEM_32("4@-8(%ebx,%ecx,4)", ABI_REG_OFF_BX, ABI_REG_OFF_CX, 4, 4, 0, -8),
	NONE("4@(%eax,%rbx)", 4, 0), NONE("4@(%ax)", 4, 0),
	NONE("8@known(%rax)", 8, 0),
	NONE("8@8(%rax,%ebx,4)", 8, 0), NONE("8@8(%rax,%rbx,3)", 8, 0),
	NONE("8@8(,%rbx,8)", 8, 0), NONE("8@8(%rax", 8, 0), NONE("8@8", 8, 0),
	NONE("8@", 8, 0), NONE("3@%eax", 3, 0), NONE("0@%eax", 0, 0),
	NONE("8@%", 8, 0), NONE("8@$", 8, 0), NONE("8@%rax)", 8, 0),
	NONE("@%rax", 0, 0), NONE("x@%rax", 0, 0), NONE("known@x(%rip)", 0, 0), NONE("8@%raxx", 8, 0),
	NONE("8@(%rax)x", 8, 0), NONE("8@()", 8, 0),
};
#else
static const struct row rows[] = {
	REG("-4@w0", ABI_REG_OFF_X0, 4, 1, 0), REG("8@x30", ABI_REG_OFF_X30, 8, 0, 0),
	MEM("8@[sp, 16]", ABI_ROLE_OFF_SP, 8, 0, 16), MEM("-4@[x1]", ABI_REG_OFF_X1, 4, 1, 0),
	MEM("-4@[x1,-8]", ABI_REG_OFF_X1, 4, 1, -8), CONST("-4@5", 4, 1, 5),
	CONST("-4@-5", 4, 1, -5), NONE("8@x31", 8, 0), NONE("8@[w1]", 8, 0),
	NONE("8f@d0", 8, 0), NONE("8@[x1, x2, lsl 4]", 8, 0),
	INDEXED("8@[x1, x2]", ABI_REG_OFF_X1, ABI_REG_OFF_X2, 1, 8, 0, 0),
	INDEXED("-4@[x1,x2, lsl 2]", ABI_REG_OFF_X1, ABI_REG_OFF_X2, 4, 4, 1, 0),
	NONE("8@[x1, w2, sxtw 3]", 8, 0), NONE("8@[x1, x2, ror 1]", 8, 0),
	NONE("8@[x1, 8, lsl 1]", 8, 0), NONE("8@[x1, x2, lsl", 8, 0),
};
#endif

static void
test_operands(void **state)
{
	struct abi_layout got;

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		unsigned n = prov_usdt_args(rows[i].text, 0x4000, symbol, NULL, &got);
		if (n != rows[i].n || memcmp(&got.arg[0], &rows[i].want,
						  sizeof(got.arg[0])))
			fail_msg("%s: %u operands: kind %d size %d signed %d reg %d "
				 "index %d * %d off %lld", rows[i].text, n,
				 got.arg[0].kind, got.arg[0].size, got.arg[0].is_signed,
				 got.arg[0].reg, got.arg[0].index, got.arg[0].scale,
				 (long long)got.arg[0].off);
	}
}

static void
test_several(void **state)
{
	struct abi_layout got;
	const char *many = "1@$1 1@$2 1@$3 1@$4 1@$5 1@$6 1@$7 1@$8 1@$9 1@$10 "
			   "1@$11 1@$12 1@$13";

	assert_int_equal(prov_usdt_args("", 0, NULL, NULL, &got), 0);
	assert_int_equal(prov_usdt_args("  ", 0, NULL, NULL, &got), 0);
	assert_int_equal(prov_usdt_args("8f@%xmm0 4@$7", 0, NULL, NULL, &got), 2);
#if defined(__x86_64__)
	assert_int_equal(got.arg[0].kind, ABI_PLACE_NONE);
	assert_int_equal(got.arg[1].off, 7);
	assert_int_equal(prov_usdt_args("8@8(%rax, %rbx, 4) 4@$7", 0, NULL, NULL,
					&got), 2);
	assert_int_equal(got.arg[1].off, 7);
	assert_int_equal(prov_usdt_args(many, 0, NULL, NULL, &got),
			 USDT_NARGS_MAX);
	assert_int_equal(got.arg[9].off, 10);
#else
	(void)many;
#endif
}

/* --- Notes ------------------------------------------------------------------------ */

static struct err *
count(void *ctx, const struct sym_stap *p)
{
	*(unsigned *)ctx += strlen(p->prov) + strlen(p->name) +
			    strlen(p->args) > 0;
	return NULL;
}

static unsigned
notes_of(int fd)
{
	unsigned n = 0;

	assert_null(sym_stap_walk(fd, count, &n));
	return n;
}

static void
test_notes(void **state)
{
	int fd = open(getenv("NOTED"), O_RDONLY);
	int copy = memfd_create("noted", 0);
	struct stat st;

	assert_true(fd >= 0 && copy >= 0 && !fstat(fd, &st));
	unsigned all = notes_of(fd);
	assert_true(all >= 10);
	char *bytes = malloc((size_t)st.st_size);
	assert_int_equal(pread(fd, bytes, (size_t)st.st_size, 0), st.st_size);
	char *notes = memmem(bytes, (size_t)st.st_size, "stapsdt", 8);
	assert_non_null(notes);
	size_t from = (size_t)(notes - bytes) - 12;
	unsigned fewer = 0;
	srandom(1);
	for (int i = 0; i < 3000; i++) {
		/* one of their bytes */
		size_t at = from + (size_t)random() % 900;
		char old = bytes[at];
		bytes[at] = (char)random();
		assert_int_equal(pwrite(copy, bytes, (size_t)st.st_size, 0),
				 st.st_size);
		fewer += notes_of(copy) < all;
		bytes[at] = old;
	}
	assert_true(fewer > 100);
	/* not all of them */
	for (size_t n = from; n < from + 600; n += 7) {
		assert_false(ftruncate(copy, (off_t)n));
		assert_int_equal(notes_of(copy), 0);
	}
	free(bytes);
	close(fd);
	close(copy);
}

/* --- Places ----------------------------------------------------------------------- */

int known_here;
extern const char usdt_here[];

static __attribute__((noinline)) void
places(long i)
{
	PROBE("one", "0", "-8@%0", SOME_REG(i));
	PROBE("one", "0", "-8@%0", SOME_REG(i));
	PROBE("two", "0", "-8@%0", SOME_REG(i));
	PROBE("two", "0", "-4@%0", SOME_REG((int)i));
	PROBE("two__words", "0", "-8@%0", SOME_REG(i));
	PROBE_AT(".globl usdt_here\nusdt_here: ", "here", "0", "-8@%0", SOME_REG(i));
#if defined(__x86_64__)
	PROBE("three", "0", "4@nosuch(%%rip) 4@known_here(%%rip)", SOME_REG(i));
#endif
}

struct seen {
	struct prov_set *s;
	const struct abi_layout *layout[4];
	uint64_t offset;		/* of the last in its file */
	unsigned n;
};

static struct err *
note_site(void *ctx, const struct prov_site *site)
{
	struct seen *x = ctx;

	assert_true(x->n < BASE_NELEMS(x->layout));
	x->layout[x->n++] = site->layout;
	x->offset = site->offset;
	return NULL;
}

static struct err *
find_offset(void *ctx, const struct sym_mapping *m)
{
	uint64_t at = (uintptr_t)usdt_here - m->start;

	if (at < m->size)
		*(uint64_t *)ctx = at + m->offset;
	return NULL;
}

static bool
note_probe(void *ctx, const struct probe *p)
{
	struct seen *x = ctx;

	assert_null(prov_sites(x->s, p, note_site, x));
	return true;
}

/* Of a provider whose name has three letters as "pid" has; places whose arguments lie
 * alike share a layout, whatever probe they are of. */
static void
test_layouts(void **state)
{
	struct arena *a = arena_new();
	struct seen x = { .n = 0 };
	char prov[32];

	places(1);
	assert_null(prov_set_new(a, NULL, &x.s));
	snprintf(prov, sizeof(prov), PROVIDER "%d", (int)getpid());
	const struct probe_desc one = { prov, "", "", "one", 0 };
	const struct probe_desc two = { prov, "", "", "two", 0 };
	assert_null(prov_match(x.s, &one, note_probe, &x));
	assert_int_equal(x.n, 2);
	assert_null(prov_match(x.s, &two, note_probe, &x));
	assert_int_equal(x.n, 4);
	assert_ptr_equal(x.layout[0], x.layout[1]);
	assert_ptr_equal(x.layout[0], x.layout[2]);
	assert_ptr_not_equal(x.layout[0], x.layout[3]);
#if defined(__x86_64__)
	/* A name that the file has not cannot be had. */
	const struct probe_desc three = { prov, "", "", "three", 0 };
	x.n = 0;
	assert_null(prov_match(x.s, &three, note_probe, &x));
	assert_int_equal(x.n, 1);
	assert_int_equal(x.layout[0]->arg[0].kind, ABI_PLACE_NONE);
	assert_int_equal(x.layout[0]->arg[1].kind, ABI_PLACE_MEMORY);
#endif
	/* Its place is the instruction's in the file. */
	const struct probe_desc here = { prov, "", "", "here", 0 };
	uint64_t want = 0;
	x.n = 0;
	assert_null(prov_match(x.s, &here, note_probe, &x));
	assert_int_equal(x.n, 1);
	assert_null(sym_maps_read(getpid(), find_offset, &want));
	assert_int_equal(x.offset, want);
	const struct probe_desc words = { prov, "", "", "two-words", 0 };
	x.n = 0;
	assert_null(prov_match(x.s, &words, note_probe, &x));
	assert_int_equal(x.n, 1);
	prov_set_free(x.s);
	arena_free(a);
}

static bool
keep_probe(void *ctx, const struct probe *p)
{
	*(const struct probe **)ctx = p;
	return true;
}

/* A child that goes with its parent is found by the parent's number, too, and its probes
 * have its own. */
static bool gone;

static void
test_follow(void **state)
{
	struct arena *a = arena_new();
	const struct probe *p = NULL, *his = NULL;
	struct prov_set *s;
	char prov[32], kids[32], c;
	int ends[2];

	assert_null(prov_set_new(a, NULL, &s));
	snprintf(prov, sizeof(prov), PROVIDER "%d", (int)getpid());
	const struct probe_desc one = { prov, "", "", "one", 0 };
	assert_null(prov_match(s, &one, keep_probe, &p));
	assert_non_null(p);
	assert_int_equal(pipe(ends), 0);
	pid_t kid = fork();
	if (!kid) {
		close(ends[1]);
		_exit((int)read(ends[0], &c, 1));
	}
	snprintf(kids, sizeof(kids), PROVIDER "%d", (int)kid);
	assert_null(prov_user_follow(s, getpid(), kid, 0, &gone));
	prov_ask_again(s);
	assert_null(prov_match(s, &one, keep_probe, &his));
	assert_ptr_not_equal(his, p);
	assert_string_equal(his->prov, kids);
	assert_string_equal(his->func, p->func);
	const struct probe_desc his_one = { kids, "", "", "one", 0 };
	assert_null(prov_match(s, &his_one, keep_probe, &p));
	assert_ptr_equal(his, p);
	close(ends[0]);
	close(ends[1]);
	assert_int_equal(waitpid(kid, NULL, 0), kid);
	prov_set_free(s);
	arena_free(a);
}

/* Which part of a description there is not.  PID: our number. */
static const struct {
	const char *prov;	/* our number follows */
	const char *mod, *func, *name;
	enum prov_part part;
	const char *want;
} missing[] = {
	{ "other", "", "", "one", PROV_PART_PROV, "process PID (test-prov-usdt) has no static "
	  "probes of other, but of own; -Z awaits those of what it loads later" },
	{ "own", "", "", "tow", PROV_PART_NAME, "own has no probe tow; near are two" },
	{ "own", "", "", "entirely", PROV_PART_NAME, "own has no probe entirely; it has " },
	{ "own", "libc.so.6", "", "one", PROV_PART_MOD,
	  "one is not in libc.so.6, but in test-prov-usdt" },
	{ "own", "libc.so.6", "", "", PROV_PART_MOD,
	  "no probe of own is in libc.so.6, but in test-prov-usdt" },
	{ "own", "a.out", "nosuch", "one", PROV_PART_FUNC,
	  "no place of one is in a function nosuch" },
	{ "own", "", "nosuch", "", PROV_PART_FUNC,
	  "no probe of own is in a function nosuch" },
};

static bool
on_none(void *ctx, const struct probe *p)
{
	fail_msg("%s:%s:%s:%s is there", p->prov, p->mod, p->func, p->name);
	return false;
}

static void
test_missing(void **state)
{
	struct arena *a = arena_new();
	struct prov_set *s;
	struct sb b;

	sb_init(&b, 4096);
	assert_null(prov_set_new(a, NULL, &s));
	for (size_t i = 0; i < BASE_NELEMS(missing); i++) {
		char prov[32], want[256], pid[16];
		enum prov_part part = 77;
		snprintf(pid, sizeof(pid), "%d", (int)getpid());
		snprintf(prov, sizeof(prov), "%s%s", missing[i].prov, pid);
		const char *at = strstr(missing[i].want, "PID");
		snprintf(want, sizeof(want), "%.*s%s%s", at ? (int)(at - missing[i].want) : 0,
			 missing[i].want, at ? pid : "", at ? at + 3 : missing[i].want);
		const struct probe_desc d = { prov, missing[i].mod, missing[i].func,
					      missing[i].name, 0 };
		assert_null(prov_match(s, &d, on_none, NULL));
		sb_reset(&b);
		assert_true(prov_missing(s, &d, &b, &part));
		/* What a function below has, and what libraries have: a sanitizer's runtime, which is a C++ program, and the
		 * C library of some distributions. */
		static const char *const others[] = { ", ruby", ", libstdcxx", ", libm", ", libc", ", rtld" };
		for (size_t k = 0; k < BASE_NELEMS(others); k++) {
			char *other = strstr(sb_str(&b), others[k]);
			size_t size = strlen(others[k]);
			if (other)
				memmove(other, other + size, strlen(other + size) + 1);
		}
		/* What there is ends the line. */
		bool ends = want[strlen(want) - 1] == ' ';
		if ((ends ? strncmp(sb_str(&b), want, strlen(want)) : strcmp(sb_str(&b), want)) ||
		    part != missing[i].part)
			fail_msg("%s: %s", prov, sb_str(&b));
	}
	/* Of a process that is not there, and without a number, nobody says anything. */
	static const char *const nobody[] = { "own2147483600", "own", "own0", "own1x" };
	for (size_t i = 0; i < BASE_NELEMS(nobody); i++) {
		const struct probe_desc d = { nobody[i], "", "", "one", 0 };
		enum prov_part part;
		sb_reset(&b);
		assert_false(prov_missing(s, &d, &b, &part));
	}
	prov_set_free(s);
	arena_free(a);
	sb_fini(&b);
}

/* Names that a language's probes had elsewhere: they say what its own releases call so,
 * once each, in descriptions that are no patterns, and of no other provider. */
static const struct {
	const char *prov, *name;
	unsigned n;
	const char *last;		/* found at the end, in the order of their places */
} foreign[] = {
	{ "ruby", "function-entry", 2, "cmethod-entry" },
	{ "ruby", "function-entry", 2, "cmethod-entry" },	/* now that they are there */
	{ "r*y", "function-entry", 2, "cmethod-entry" },
	{ "ruby", "method-entry", 1, "method-entry" },
	{ "ruby", "function-return", 1, "method-return" },
	{ "ruby", "function-*", 0, NULL },
	{ "ruby", "function-entr", 0, NULL },
	{ "ruby", "*-entry", 2, "cmethod-entry" },
	{ "own", "function-entry", 0, NULL },
	{ "own", "method-entry", 1, "method-entry" },
};

struct found {
	unsigned n;
	const struct probe *last;
};

static bool
count_probe(void *ctx, const struct probe *p)
{
	struct found *x = ctx;

	x->n++;
	x->last = p;
	return true;
}

static __attribute__((noinline)) void
own_method(long i)
{
	PROBE("method__entry", "0", "-8@%0", SOME_REG(i));
}

#undef PROVIDER
#define PROVIDER "ruby"

static __attribute__((noinline)) void
ruby_methods(long i)
{
	PROBE("method__entry", "0", "-8@%0", SOME_REG(i));
	PROBE("cmethod__entry", "0", "-8@%0", SOME_REG(i));
	PROBE("method__return", "0", "-8@%0", SOME_REG(i));
}

static void
test_foreign(void **state)
{
	struct arena *a = arena_new();
	struct prov_set *s;

	own_method(1);
	ruby_methods(1);
	assert_null(prov_set_new(a, NULL, &s));
	for (size_t i = 0; i < BASE_NELEMS(foreign); i++) {
		struct found x = { .n = 0 };
		char prov[32];
		snprintf(prov, sizeof(prov), "%s%d", foreign[i].prov, (int)getpid());
		const struct probe_desc d = { prov, "", "", foreign[i].name, 0 };
		assert_null(prov_match(s, &d, count_probe, &x));
		if (x.n != foreign[i].n || (x.n && strcmp(x.last->name, foreign[i].last)))
			fail_msg("%s:::%s: %u, %s", prov, d.name, x.n,
				 x.n ? x.last->name : "none");
		assert_true(!x.n || prov_by_alias(s, &d, x.last) ==
			    !strncmp(d.name, "function", 8));
	}
	prov_set_free(s);
	arena_free(a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_operands), cmocka_unit_test(test_several),
		cmocka_unit_test(test_notes), cmocka_unit_test(test_layouts),
		cmocka_unit_test(test_missing), cmocka_unit_test(test_follow),
		cmocka_unit_test(test_foreign),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
