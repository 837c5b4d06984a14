/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Functions of a process that is ourselves: which probes they have, where those fire,
 * what their arguments are, and what is said of those that there are not.  The code is
 * written by hand, so that it is known where its instructions are.
 */
#include <dlfcn.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/base.h"
#include "pid_twin.h"
#include "prov/func.h"
#include "prov/pid_priv.h"
#include "prov/user.h"
#include "prov/user_priv.h"
#include "support/assertok.h"
#include "sym/file.h"
#include "sym/names.h"
#include "type/text.h"
#include "util/alloc.h"
#include "util/clock.h"
#include "util/sb.h"
#include "fresh.h"

#if defined(__x86_64__)

/* --- What is traced ---------------------------------------------------------------- */

/* FUNCTION begins a function, whose unwinding the table tells; END ends it. */
#define FUNCTION(name) ".globl " name "\n.type " name ",@function\n" name ":\n.cfi_startproc\n"
#define UNSIZED FUNCTION
#define END(name) ".cfi_endproc\n.size " name ", .-" name "\n"

__asm__(".text\n"
	FUNCTION("pt_plain")
	".globl pt_also\n.type pt_also,@function\npt_also:\n"
	"push %rbp\n"			/* 0 */
	"mov %rsp, %rbp\n"		/* 1 */
	"mov $1, %eax\n"		/* 4 */
	"pop %rbp\n"			/* 9 */
	"ret\n"				/* a */
	".size pt_also, .-pt_also\n"
	END("pt_plain")

	/* Two ways out. */
	FUNCTION("pt_two")
	"test %edi, %edi\n"		/* 0 */
	"je 1f\n"			/* 2 */
	"mov $1, %eax\n"		/* 4 */
	"ret\n"				/* 9 */
	"1: mov $2, %eax\n"		/* a */
	"ret\n"				/* f */
	END("pt_two")

	/* The stack is lower where the kernel emulates first. */
	FUNCTION("pt_low")
	"sub $24, %rsp\n"		/* 0 */
	".cfi_adjust_cfa_offset 24\n"
	"push %rbx\n"			/* 4 */
	".cfi_adjust_cfa_offset 8\n"
	"pop %rbx\n"			/* 5 */
	".cfi_adjust_cfa_offset -8\n"
	"add $24, %rsp\n"		/* 6 */
	".cfi_adjust_cfa_offset -24\n"
	"ret\n"				/* a */
	END("pt_low")

	/* Jumps that return, and those that do not: with something on the stack, under
	 * a condition, to a part, in itself. */
	FUNCTION("pt_tail")
	"push %rax\n"			/* 0 */
	".cfi_adjust_cfa_offset 8\n"
	".byte 0xe9\n.long pt_plain - . - 4\n"	/* 1 */
	"pop %rax\n"			/* 6 */
	".cfi_adjust_cfa_offset -8\n"
	".byte 0x0f, 0x84\n.long pt_plain - . - 4\n"	/* 7 */
	".byte 0xe9\n.long pt_part.cold - . - 4\n"	/* d */
	"jmp 1f\n"			/* 12 */
	"1: nop\n"			/* 14 */
	".byte 0xe9\n.long pt_plain - . - 4\n"	/* 15 */
	END("pt_tail")
	".type pt_part.cold,@function\npt_part.cold:\n.cfi_startproc\n"
	"ret\n"
	END("pt_part.cold")
	FUNCTION("pt_made.constprop.0")
	"ret\n"
	END("pt_made.constprop.0")

	/* No probe may stand on the second of these, nor on any of the next. */
	FUNCTION("pt_call")
	"mov $39, %eax\n"		/* 0 */
	"syscall\n"			/* 5 */
	"ret\n"				/* 7 */
	END("pt_call")
	FUNCTION("pt_trap")
	"ud2\n"				/* 0 */
	END("pt_trap")

	/* What follows the jump is no instruction. */
	FUNCTION("pt_data")
	"push %rbx\n"			/* 0 */
	"pop %rbx\n"			/* 1 */
	"ret\n"				/* 2 */
	".byte 0x06, 0x06, 0x06\n"
	END("pt_data")

	/* To what begins where it ends, into the middle of another, and round for ever. */
	FUNCTION("pt_over")
	".byte 0xe9\n.long pt_next - . - 4\n"	/* 0 */
	END("pt_over")
	FUNCTION("pt_next") "ret\n" END("pt_next")
	FUNCTION("pt_into")
	".byte 0xe9\n.long pt_plain + 1 - . - 4\n"	/* 0 */
	END("pt_into")
	FUNCTION("pt_round")
	"nop\n"				/* 0 */
	".byte 0xe9\n.long pt_round - . - 4\n"	/* 1 */
	END("pt_round")

	/* The file does not say how long these are: to what leaves them, unless something
	 * before it leads further. */
	UNSIZED("lone")
	"test %edi, %edi\n"		/* 0 */
	"je 1f\n"			/* 2 */
	"ret\n"				/* 4 */
	"1: nop\n"			/* 5 */
	"jmp 2f\n"			/* 6 */
	"ret\n"				/* 8 */
	"2: ret\n"			/* 9 */
	"ret\n"				/* a: no part of it */
	".cfi_endproc\n"
	UNSIZED("lone_far")
	"nop\n"				/* 0 */
	".byte 0xe9\n.long pt_plain - . - 4\n"	/* 1 */
	"ret\n"
	".cfi_endproc\n"
	UNSIZED("lone_back")
	"1: dec %edi\n"			/* 0 */
	"jne 1b\n"			/* 2 */
	"ret\n"				/* 4 */
	"ret\n"
	".cfi_endproc\n"
	UNSIZED("lone_away")
	"nop\n"				/* 0 */
	"jmp *%rax\n"			/* 1 */
	"nop\n"
	".cfi_endproc\n"
	UNSIZED("lone_table")		/* up to the next function */
	"jmp *(%rax,%rdi,8)\n"		/* 0 */
	"ret\n"				/* 3 */
	"nop\n"				/* 4 */
	"ret\n"				/* 5 */
	".cfi_endproc\n"
	FUNCTION("pt_behind") "ret\n" END("pt_behind")

	/* Code of no function. */
	".globl pt_gap\npt_gap: nop\nret\n"

	/* As C++ calls pt::foo(int). */
	FUNCTION("_ZN2pt3fooEi") "ret\n" END("_ZN2pt3fooEi"));

struct pair { long a, b; };

long pt_args(int first, const char *second, double other, struct pair large,
	     unsigned char last);
double pt_float(void);
void pt_void(void);
long pt_line(long n);
void pt_odd(void);	/* nobody calls it */

__attribute__((noinline)) long
pt_args(int first, const char *second, double other, struct pair large,
	unsigned char last)
{
	return first + *second + (long)other + large.a + last;
}

__attribute__((noinline)) double pt_float(void) { return 1; }
__attribute__((noinline)) void pt_void(void) { }

#line 5000 "pid_lines.c"
__attribute__((noinline)) long
pt_line(long n)
{
	n *= 3;

	n += 7;
	return n;
}
#line 5100 "pid_lines.c"
__attribute__((noinline)) void
pt_odd(void)
{
	__asm__ volatile("nop");
	__asm__ volatile("syscall");
	__asm__ volatile("nop");
	__asm__ volatile("ud2");
}
#line 215 "test_pid.c"

/* Which of them is meant is chosen when the program starts. */
long pt_chosen(long n);
long pt_choice(long n);

__attribute__((noinline)) long pt_chosen(long n) { return n + 1; }
static long (*resolve(void))(long) { return pt_chosen; }
__attribute__((ifunc("resolve"))) long pt_choice(long n);

/* Chosen is what is no function's beginning: it is not called. */
long pt_middle(void);
long pt_nowhere(void);
extern char pt_gap[];

static long (*resolve_middle(void))(void) { return (long (*)(void))((char *)pt_chosen + 1); }
static long (*resolve_nowhere(void))(void) { return (long (*)(void))pt_gap; }
__attribute__((ifunc("resolve_middle"))) long pt_middle(void);
__attribute__((ifunc("resolve_nowhere"))) long pt_nowhere(void);
static volatile bool are_called;

/* --- Asking ------------------------------------------------------------------------- */

static struct sb out;

static int
begin(void **state)
{
	sb_init(&out, 1 << 16);
	return setup(state);
}

static int
end(void **state)
{
	sb_fini(&out);
	return teardown(state);
}

static struct probe_desc
own(const char *mod, const char *func, const char *name)
{
	static char prov[16];

	snprintf(prov, sizeof(prov), "pid%d", (int)getpid());
	return (struct probe_desc){ prov, mod, func, name, 0 };
}

static struct err *
put_site(void *ctx, const struct prov_site *at)
{
	const struct pid_probe *p = prov_pid_of(ctx);

	assert_int_equal(at->pid, getpid());
	assert_int_equal(at->trigger, PROV_TRIGGER_RAWTP);
	assert_int_equal(at->point->find, ABI_FIND_COOKIE);
	assert_null(at->layout);
	sb_printf(&out, " %s+%llx", at->point->target,
		  (unsigned long long)(at->offset - p->funcs.v[0]->offset));
	if (at->value || at->moved)
		sb_printf(&out, "=%x~%x", at->value, at->moved);
	return NULL;
}

static bool
put_probe(void *ctx, const struct probe *p)
{
	sb_printf(&out, "%s%s:%s", out.len ? "; " : "", p->func, p->name);
	if (ctx)
		assert_ok(prov_sites(set, p, put_site, (void *)(uintptr_t)p));
	return true;
}

/* The probes of that description, with their sites. */
static const char *
ask(const char *mod, const char *func, const char *name, bool sites)
{
	struct probe_desc d = own(mod, func, name);

	sb_reset(&out);
	assert_ok(prov_match(set, &d, put_probe, sites ? set : NULL));
	return sb_str(&out);
}

static bool
keep(void *ctx, const struct probe *p)
{
	*(const struct probe **)ctx = p;
	return true;
}

static const struct probe *
one(const char *func, const char *name)
{
	struct probe_desc d = own("a.out", func, name);
	const struct probe *p = NULL;

	assert_ok(prov_match(set, &d, keep, &p));
	assert_non_null(p);
	return p;
}

/* --- Probes and sites ----------------------------------------------------------------- */

static const struct { const char *func, *name, *want; } rows[] = {
	{ "pt_plain", "", "pt_plain:entry pid_entry+0; pt_plain:return pid_return+a=a~0; "
	  "pt_plain:0 pid_offset+0; pt_plain:1 pid_offset+1; pt_plain:4 pid_offset+4; "
	  "pt_plain:9 pid_offset+9; pt_plain:a pid_offset+a" },
	/* Instructions by name, also of a pattern's functions, and of these no other. */
	{ "pt_plain", "[149]", "pt_plain:1 pid_offset+1; pt_plain:4 pid_offset+4; "
	  "pt_plain:9 pid_offset+9" },
	{ "pt_plain*", "*", "pt_also:entry pid_entry+0; pt_also:return pid_return+a=a~0" },
	{ "pt_pl*", "4", "pt_also:4 pid_offset+4" }, { "pt_pl*", "[4]", "" },
	{ "pt_plain", "2", "" }, { "pt_plain", "b", "" }, { "pt_plain", "00", "" },
	{ "pt_plain", "entry", "pt_plain:entry pid_entry+0" },
	{ "pt_nosuch", "", "" },
	/* By its other name it is called by that which was asked for. */
	{ "pt_also", "return", "pt_also:return pid_return+a=a~0" },
	{ "pt_two", "return", "pt_two:return pid_return+9=9~0 pid_return+f=f~0" },
	{ "pt_two", "entry", "pt_two:entry pid_entry+2=0~2" },
	{ "pt_low", "entry", "pt_low:entry pid_entry+4=18~4" },
	{ "pt_tail", "", "pt_tail:entry pid_entry+0; pt_tail:return pid_return+15=15~0; "
	  "pt_tail:0 pid_offset+0; pt_tail:1 pid_offset+1; pt_tail:6 pid_offset+6; "
	  "pt_tail:7 pid_offset+7; pt_tail:d pid_offset+d; pt_tail:12 pid_offset+12; "
	  "pt_tail:14 pid_offset+14; pt_tail:15 pid_offset+15" },
	{ "pt_over", "return", "pt_over:return pid_return+0" },
	{ "pt_into", "return", "pt_into:return pid_return+0" },
	{ "pt_round", "return", "pt_round:return" },
	{ "pt_part*", "", "" },
	{ "pt_call", "", "pt_call:entry pid_entry+0; pt_call:return pid_return+7=7~0; "
	  "pt_call:0 pid_offset+0; pt_call:7 pid_offset+7" },
	{ "pt_trap", "", "pt_trap:entry; pt_trap:return" },
	{ "pt_data", "return", "pt_data:return pid_return+2=2~0" },
	{ "lone", "[0-9a-f]", "lone:0 pid_offset+0; lone:2 pid_offset+2; "
	  "lone:4 pid_offset+4; lone:5 pid_offset+5; lone:6 pid_offset+6; "
	  "lone:8 pid_offset+8; lone:9 pid_offset+9" },
	{ "lone_far", "[0-9a-f]", "lone_far:0 pid_offset+0; lone_far:1 pid_offset+1" },
	{ "lone_back", "[0-9a-f]", "lone_back:0 pid_offset+0; lone_back:2 pid_offset+2; "
	  "lone_back:4 pid_offset+4" },
	{ "lone_away", "[0-9a-f]", "lone_away:0 pid_offset+0; lone_away:1 pid_offset+1" },
	{ "lone_table", "[0-9a-f]", "lone_table:0 pid_offset+0; lone_table:3 pid_offset+3; "
	  "lone_table:4 pid_offset+4; lone_table:5 pid_offset+5" },
	{ "pt::foo", "entry", "_ZN2pt3fooEi:entry pid_entry+0" },
	{ "pt::foo(int)", "entry", "_ZN2pt3fooEi:entry pid_entry+0" },
	{ "pt::bar", "entry", "" },
};

static void
test_rows(void **state)
{
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		assert_int_equal(begin(NULL), 0);
		const char *got = ask("a.out", rows[i].func, rows[i].name, true);
		if (strcmp(got, rows[i].want))
			fail_msg("%s:%s: %s", rows[i].func, rows[i].name, got);
		end(NULL);
	}
	begin(NULL);
}

/* A place is one probe, whatever it is asked for by, until a name is said that is
 * another's. */
static void
test_again(void **state)
{
	assert_string_equal(ask("a.out", "pt_plain", "entry", false), "pt_plain:entry");
	assert_string_equal(ask("a.out", "pt_also", "entry", false), "pt_plain:entry");
	assert_string_equal(ask("a.out", "pt_pl*", "entry", false), "pt_plain:entry");
	assert_string_equal(ask("", "pt_al*", "e*", false), "pt_plain:entry");
	assert_string_equal(ask("a.out", "_ZN2pt3fooEi", "entry", false),
			    "_ZN2pt3fooEi:entry");
	assert_string_equal(ask("a.out", "pt::foo*", "entry", false), "_ZN2pt3fooEi:entry");
	assert_string_equal(ask("a.out", "pt::foo", "entry", false), "_ZN2pt3fooEi:entry");
}

/* The object by its own name, or as patterns; not by another's. */
static void
test_objects(void **state)
{
	static const struct { const char *mod; bool found; } mods[] = {
		{ "a.out", true }, { "test-prov-pid", true }, { "test-prov-p*", true },
		{ "", true }, { "*", true }, { "libc.so.6", false }, { "a.ou", false },
		{ "libc", false },
	};

	for (size_t i = 0; i < BASE_NELEMS(mods); i++)
		assert_string_equal(ask(mods[i].mod, "pt_plain", "entry", false),
				    mods[i].found ? "pt_plain:entry" : "");
	assert_string_equal(ask("libc.so.6", "getpid", "entry", false), "getpid:entry");
	assert_string_equal(ask("libc", "getpid", "entry", false), "getpid:entry");
	assert_string_equal(ask("libc.so", "getpid", "entry", false), "getpid:entry");
}

/* Functions of one name are one probe with two places. */
static void
test_twins(void **state)
{
	const struct probe *p = one("pt_twin", "return");
	const struct pid_probe *of = prov_pid_of(p);

	assert_int_equal(pt_call_twins(), 3);
	assert_int_equal(of->funcs.n, 2);
	assert_int_not_equal(of->funcs.v[0]->offset, of->funcs.v[1]->offset);
	assert_int_equal(prov_pid_ops.places(p), 2);
	/* Asked once more there are no more. */
	assert_ptr_equal(one("pt_twi[n]", "return"), p);
	assert_int_equal(of->funcs.n, 2);
}

/* Who looks at nothing may be told of an entry later than who looks at its arguments. */
static void
test_looks(void **state)
{
	const struct probe *p = one("pt_call", "entry");

	sb_reset(&out);
	prov_looks(set, 0);
	assert_ok(prov_sites(set, p, put_site, (void *)(uintptr_t)p));
	assert_string_equal(sb_str(&out), " pid_entry+0");
	const struct probe *q = one("pt_low", "entry");
	sb_reset(&out);
	prov_looks(set, PROV_LOOKS_ALL);
	assert_ok(prov_sites(set, q, put_site, (void *)(uintptr_t)q));
	assert_string_equal(sb_str(&out), " pid_entry+4=18~4");
}

static void
test_left_out(void **state)
{
	struct sb b;

	sb_init(&b, 4096);
	assert_false(prov_user_tell_left_out(set, &b));
	ask("a.out", "pt_trap", "entry", true);
	assert_true(prov_user_tell_left_out(set, &b));
	assert_non_null(strstr(sb_str(&b), "pt_trap:entry"));
	assert_non_null(strstr(sb_str(&b), "where it would harm the process or the kernel "
			       "refuses it"));
	ask("a.out", "pt_data", "return", true);
	sb_reset(&b);
	assert_true(prov_user_tell_left_out(set, &b));
	assert_non_null(strstr(sb_str(&b), "2"));
	sb_fini(&b);
}

/* The entry's program passes arguments by C's rules, and a return's where it was. */
static void
test_points(void **state)
{
	static const uint8_t regs[] = { ABI_ROLE_ARG0, ABI_ROLE_ARG1, ABI_ROLE_ARG2,
					ABI_ROLE_ARG3, ABI_ROLE_ARG4, ABI_ROLE_ARG5 };
	ask("a.out", "pt_plain", "entry", true);
	const struct pid *b = prov_state(set, &prov_pid_ops);
	const struct abi_point *in = &b->point[PID_AT_ENTRY];
	const struct abi_point *back = &b->point[PID_AT_RETURN];
	for (int i = 0; i < ABI_NARGS; i++)
		if (i < 6) {
			assert_int_equal(in->args[i].kind, ABI_ARG_REG);
			assert_int_equal(in->args[i].reg, regs[i]);
		} else {
			assert_int_equal(in->args[i].kind, ABI_ARG_UMEM);
			assert_int_equal(in->args[i].reg, ABI_ROLE_SP);
			assert_int_equal(in->args[i].row, 1);
			assert_int_equal(in->args[i].off, 8 + 8 * (i - 6));
		}
	assert_int_equal(back->args[0].kind, ABI_ARG_ROW);
	assert_int_equal(back->args[1].kind, ABI_ARG_REG);
	assert_int_equal(back->args[1].reg, ABI_ROLE_RESULT);
	assert_int_equal(b->point[PID_AFTER_RETURN].args[0].kind, ABI_ARG_CONST);
	assert_int_equal(b->point[PID_AFTER_RETURN].args[1].reg, ABI_ROLE_RESULT);
	/* What lies on the way in comes behind what lies on the way out. */
	assert_true(in->rank > back->rank);
	assert_true(b->point[PID_AT_ENTRY_GO].rank > back->rank);
	assert_int_equal(b->point[PID_AT_ENTRY_GO].args[1].reg, ABI_REG_BX);
	assert_int_equal(b->point[PID_AT_ENTRY_GO].unless_bits, 0);
	/* The carry and the zero flag. */
	assert_int_equal(b->point[PID_AT_ENTRY_CHECKED].unless_bits, 0x41);
	assert_int_equal(b->point[PID_AT_ENTRY_CHECKED].unless.reg, ABI_REG_FLAGS);
	assert_int_equal(b->point[PID_AT_ENTRY_32].args[3].kind, ABI_ARG_LAYOUT);
	assert_int_equal(b->point[PID_AT_ENTRY_32].args[3].off, 3);
	assert_int_not_equal(in->attach, b->point[PID_AFTER_RETURN].attach);
	assert_int_equal(in->attach, back->attach);
}

static struct err *
put_later(void *ctx, const struct prov_site *at)
{
	sb_printf(&out, " %s", at->point->target);
	return NULL;
}

/* Which programs what comes later may need. */
static void
test_later(void **state)
{
	static const struct { const char *func, *name, *want; } later[] = {
		{ "f", "entry", " pid_entry" }, { "f", "return", " pid_return" },
		{ "f", "1f", " pid_offset" }, { "f", "a.c@7", " pid_offset" },
		{ "f*", "a.c@7", " pid_offset" }, { "f*", "1f", " pid_offset" },
		{ "f", "", " pid_entry pid_return pid_offset" },
		{ "f*", "", " pid_entry pid_return" }, { "f", "nosuch", "" },
		{ "f", "feed", " pid_offset" }, { "f", "ee*", " pid_offset" },
		{ "f", "e*", " pid_entry pid_offset" }, { "", "[a-f]", "" }, { "f", "[a-f]", " pid_offset" },
	};

	ask("a.out", "pt_plain", "entry", false);
	for (size_t i = 0; i < BASE_NELEMS(later); i++) {
		struct probe_desc d = own("a.out", later[i].func, later[i].name);
		sb_reset(&out);
		assert_ok(prov_pid_ops.later(set, &d, put_later, NULL));
		if (strcmp(sb_str(&out), later[i].want))
			fail_msg("%s:%s:%s", later[i].func, later[i].name, sb_str(&out));
	}
	/* Of all that provide; by its number a probe is what it is. */
	for (unsigned id = 0; id < 2; id++) {
		struct probe_desc d = own("a.out", "f", "entry");
		d.id = id;
		sb_reset(&out);
		assert_ok(prov_later(set, &d, put_later, NULL));
		assert_string_equal(sb_str(&out), id ? "" : " pid_entry");
	}
	struct probe_desc d = { "pidx", "a.out", "f", "entry", 0 };
	sb_reset(&out);
	assert_ok(prov_pid_ops.later(set, &d, put_later, NULL));
	assert_string_equal(sb_str(&out), "");
}

/* A child that lives until ends[1] is closed; the caller closes both. */
static pid_t
new_kid(int ends[2])
{
	assert_int_equal(pipe(ends), 0);
	pid_t kid = fork();
	if (!kid) {
		char c;
		close(ends[1]);
		_exit((int)read(ends[0], &c, 1));
	}
	assert_true(kid > 0);
	return kid;
}

/* Children that go with their parent have probes of their own number, found by his; who
 * has ended has none any more. */
static void
count_chosen(void *ctx, int pid)
{
	++*(unsigned *)ctx;
}

static bool gone;

static void
test_follow(void **state)
{
	unsigned chosen = 0, others = 0;
	char want[128], name[32];
	int ends[2];

	pid_t kid = new_kid(ends);
	/* Nobody has asked for the parent. */
	assert_ok(prov_user_follow(set, getpid(), kid, 0, &gone));
	assert_false(prov_user_has(set, kid));
	assert_false(prov_user_mapped(set, kid, 1, 1, "/x"));
	assert_string_equal(ask("a.out", "pt_two", "entry", false), "pt_two:entry");
	const struct probe *own_one = one("pt_two", "entry");
	assert_true(prov_user_mapped(set, getpid(), 1, 1, "/x"));
	assert_ok(prov_user_follow(set, getpid(), kid, 0, &gone));
	assert_true(prov_user_has(set, kid));
	prov_ask_again(set);
	assert_string_equal(ask("a.out", "pt_two", "entry", false),
			    "pt_two:entry; pt_two:entry");
	const struct probe *his = one("pt_two", "entry");	/* the last of them */
	snprintf(name, sizeof(name), "pid%d", (int)kid);
	assert_string_equal(his->prov, name);
	assert_int_not_equal(his->id, own_one->id);
	struct probe_desc d = { name, "a.out", "pt_two", "entry", 0 };
	const struct probe *p = NULL;
	assert_ok(prov_match(set, &d, keep, &p));
	assert_ptr_equal(p, his);
	/* To ask again takes no more memory, which lasts as long as the trace. */
	size_t used = arena_used(set->arena);
	for (int i = 0; i < 100; i++) {
		prov_ask_again(set);
		assert_ok(prov_match(set, &d, keep, &p));
	}
	assert_int_equal(arena_used(set->arena), used);
	/* What is missing is told by his name, too. */
	d.func = "pt_nosuch";
	enum prov_part part;
	sb_reset(&out);
	assert_true(prov_missing(set, &d, &out, &part));
	snprintf(want, sizeof(want), "a.out of process %d (", (int)kid);
	assert_int_equal(strncmp(sb_str(&out), want, strlen(want)), 0);

	uint64_t executed = 0;
	prov_user_chosen(set, count_chosen, &chosen);
	prov_user_ended(set, kid, 1, &executed);
	assert_int_equal(executed, 0);
	prov_user_chosen(set, count_chosen, &others);
	assert_true(others > 0);
	assert_int_equal(chosen, others + 1);
	close(ends[0]);
	close(ends[1]);
	assert_int_equal(waitpid(kid, NULL, 0), kid);
	prov_ask_again(set);
	d.func = "pt_low";
	p = NULL;
	assert_ok(prov_match(set, &d, keep, &p));
	assert_null(p);
	assert_string_equal(ask("a.out", "pt_low", "entry", false), "pt_low:entry");
	/* One that is not there any more is no error. */
	assert_false(gone);
	assert_ok(prov_user_follow(set, getpid(), 0x7ffffff0, 0, &gone));
	assert_true(gone);
}

static unsigned
how_many_over(uint64_t now_ns)
{
	unsigned n = 0;

	prov_user_turn(set, now_ns);
	while (prov_user_over(set))
		n++;
	return n;
}

static struct err *
keep_life(void *ctx, const struct prov_site *at)
{
	*(uint64_t *)ctx = at->life;
	return NULL;
}

static uint64_t
life_of(const struct probe *p)
{
	uint64_t life = 0;

	prov_places_from(set, prov_places(set, p) - 1);		/* the last place's */
	assert_ok(prov_sites(set, p, keep_life, &life));
	prov_places_from(set, 0);
	return life;
}

/* A number that is another's by now, and one that nobody has. */
static void
test_used_number(void **state)
{
	uint64_t executed = 0, first, second;
	int ends[2];

	assert_string_equal(ask("a.out", "pt_two", "entry", false), "pt_two:entry");
	pid_t kid = new_kid(ends);
	assert_ok(prov_user_follow(set, getpid(), kid, 1, &gone));
	prov_ask_again(set);
	ask("a.out", "pt_two", "entry", false);
	const struct probe *p = one("pt_two", "entry");
	first = life_of(p);
	assert_int_not_equal(first, 0);
	assert_int_equal(how_many_over(clock_ns()), 0);
	/* That it began is told late. */
	assert_false(prov_user_forked(set, getpid(), kid, 1));
	assert_int_equal(how_many_over(clock_ns()), 0);
	/* And again: that is another one, whose probe has the same name. */
	assert_false(prov_user_forked(set, getpid(), kid, clock_ns()));
	assert_int_equal(how_many_over(clock_ns()), 1);
	assert_false(prov_user_has(set, kid));
	uint64_t made = clock_ns();
	assert_ok(prov_user_follow(set, getpid(), kid, made, &gone));
	prov_ask_again(set);
	ask("a.out", "pt_two", "entry", false);
	assert_ptr_equal(one("pt_two", "entry"), p);
	assert_int_equal(prov_places(set, p), 2);
	second = life_of(p);
	assert_int_not_equal(second, first);
	/* The end of the first one does not concern it; its own does, after a moment. */
	prov_user_ended(set, kid, made - 1, &executed);
	assert_int_equal(how_many_over(UINT64_MAX), 0);
	prov_user_ended(set, kid, made + 1, &executed);
	assert_int_equal(how_many_over(made + 1), 0);
	assert_int_equal(how_many_over(UINT64_MAX), 1);
	assert_int_equal(how_many_over(UINT64_MAX), 0);
	/* Whoever is named by a number is nobody else with that. */
	prov_user_ended(set, getpid(), clock_ns(), &executed);
	assert_int_equal(how_many_over(UINT64_MAX), 1);
	assert_true(prov_user_has(set, getpid()));
	assert_int_equal(how_many_over(UINT64_MAX), 0);
	close(ends[0]);
	close(ends[1]);
	assert_int_equal(waitpid(kid, NULL, 0), kid);
}

/* What is attached to files that nobody has mapped for longest is left when there are
 * many. */
static void
test_many_files(void **state)
{
	enum { FILES = 1050, TOGETHER = 50 };
	char folder[] = "many.XXXXXX", path[64];
	struct prov_process *p;
	struct stat st;
	unsigned n = 0;

	assert_string_equal(ask("a.out", "pt_two", "entry", false), "pt_two:entry");
	assert_non_null(mkdtemp(folder));
	for (int i = 1; i <= FILES; i++) {
		snprintf(path, sizeof(path), "%s/%d", folder, i);
		int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0700);
		assert_int_equal(fstat(fd, &st), 0);
		close(fd);
		struct sym_mapping m = {
			.size = 1, .inode = st.st_ino, .path = path,
			.dev = (uint64_t)major(st.st_dev) << 32 | minor(st.st_dev),
		};
		p = NULL;
		assert_ok(prov_user_stand_in(set, &m, &p));
		assert_non_null(p);
		assert_true(p->pid < 0);	/* which is no process's */
		p->maps.v[0].object->is_watched = true;
		if (i % TOGETHER)
			continue;
		how_many_over(UINT64_MAX);
		assert_true(i == FILES || !prov_user_written(set));
	}
	for (const struct prov_object *o; (o = prov_user_written(set)); n++)
		assert_true(atoi(strrchr(o->path, '/') + 1) <= FILES / 2);
	assert_int_equal(n, FILES / 2);
	for (int i = 1; i <= FILES; i++) {
		snprintf(path, sizeof(path), "%s/%d", folder, i);
		unlink(path);
	}
	assert_int_equal(rmdir(folder), 0);
}

/* Functions of a file that nobody maps are forgotten, unless probes lead there. */
static void
test_forgotten_functions(void **state)
{
	char path[] = "listed.XXXXXX";
	struct prov_process *p;
	struct stat st;

	assert_string_equal(ask("a.out", "pt_two", "entry", false), "pt_two:entry");
	int from = open("/proc/self/exe", O_RDONLY), to = mkstemp(path);
	assert_int_equal(fstat(from, &st), 0);
	assert_int_equal(sendfile(to, from, NULL, (size_t)st.st_size), st.st_size);
	assert_int_equal(fstat(to, &st), 0);
	close(from);
	close(to);
	struct sym_mapping m = {
		.size = 1, .inode = st.st_ino, .path = path,
		.dev = (uint64_t)major(st.st_dev) << 32 | minor(st.st_dev),
	};
	for (int has_places = 0; has_places < 2; has_places++) {
		p = NULL;
		assert_ok(prov_user_stand_in(set, &m, &p));
		assert_non_null(p);
		struct prov_object *o = p->maps.v[0].object;
		assert_false(o->is_listed);
		assert_ok(prov_user_functions(set, o));
		assert_true(o->nfuncs > 10);
		o->has_places = has_places;
		how_many_over(UINT64_MAX);
		assert_true(o->fd < 0);
		assert_int_equal(o->is_listed, has_places);
		assert_int_equal(o->nfuncs > 10, has_places);
	}
	unlink(path);
}

/* Whatever a probe is made of, the names of its functions are wanted from then on; those of
 * a file without probes are not. */
static void
test_names_stay(void **state)
{
	static const struct { const char *func, *name; } asked[] = {
		{ "pt_two", "entry" }, { "pt_two", "return" }, { "pt_two", "0" },
		{ "pt_line", "pid_lines.c@5003" }, { "", "pid_lines.c@5005" },
	};
	struct prov_object *o = prov_pid_of(one("pt_plain", "entry"))->object;

	for (size_t i = 0; i < BASE_NELEMS(asked); i++) {
		o->has_places = false;
		assert_string_equal(ask("a.out", "no_such_function", asked[i].name, false), "");
		assert_false(o->has_places);
		assert_true(*ask("a.out", asked[i].func, asked[i].name, false));
		assert_true(o->has_places);
	}
}

static struct err *
count_all(void *ctx, const struct prov_site *at)
{
	assert_int_equal(at->pid, 0);
	++*(unsigned *)ctx;
	return NULL;
}

/* Of all processes that execute the object, but us: one probe, of none of them. */
static void
test_all(void **state)
{
	static const struct prov_world w = { .preempts = false };
	struct probe_desc d = { "pid*", "test-prov-pid", "pt_two", "entry", 0 };
	unsigned chosen = 0;
	const struct probe *p = NULL, *again = NULL;
	unsigned n = 0;
	int ends[2];
	char c;

	assert_ok(prov_match(set, &d, keep, &p));
	assert_null(p);			/* nobody can be asked */
	prov_ask_again(set);
	assert_ok(prov_set_world(set, &w));
	assert_int_equal(pipe(ends), 0);
	pid_t kid = fork();
	if (!kid) {
		close(ends[1]);
		_exit((int)read(ends[0], &c, 1));
	}
	assert_ok(prov_match(set, &d, keep, &p));
	assert_non_null(p);
	assert_string_equal(p->prov, "pid");
	assert_true(prov_is_of_all(set, p));
	assert_ok(prov_sites(set, p, count_all, &n));
	assert_int_equal(n, 1);
	prov_user_chosen(set, count_chosen, &chosen);
	assert_int_equal(chosen, 0);
	/* A part of the object's name will do, and one file is asked once. */
	d.mod = "test-prov-pi*";
	assert_ok(prov_match(set, &d, keep, &again));
	assert_ptr_equal(p, again);
	d.mod = "nosuch.so";
	again = NULL;
	assert_ok(prov_match(set, &d, keep, &again));
	assert_null(again);
	d.mod = "";
	d.func = "pt_low";
	assert_ok(prov_match(set, &d, keep, &again));
	assert_null(again);
	/* Who comes is of interest when he maps a file that nobody has seen. */
	assert_false(prov_user_forked(set, kid, 0x7ffffff0, 0));
	assert_true(prov_user_mapped(set, 0x7ffffff0, 1, 1, "/never/seen"));
	assert_false(prov_user_watched(set));
	assert_true(prov_user_missed(set));
	assert_true(prov_user_watched(set));
	close(ends[0]);
	close(ends[1]);
	assert_int_equal(waitpid(kid, NULL, 0), kid);
}

/* Two files at fixed places, of which a child unmaps the second while the first is looked
 * at: then it is not known what that is. */
struct vanishing {
	char names[2][64];
	int to[2], from[2];
	bool asked[2];
};

static char *const vanish_at = (char *)0x10000000;

static struct err *
wants_vanishing(const void *ctx, int fd, const char *path, bool *ret)
{
	struct vanishing *v = *(struct vanishing *const *)ctx;
	char c = 0;

	for (int i = 0; i < 2; i++)
		v->asked[i] |= strstr(path, v->names[i]) != NULL;
	if (strstr(path, v->names[0])) {
		assert_int_equal(write(v->to[1], &c, 1), 1);
		assert_int_equal(read(v->from[0], &c, 1), 1);
	}
	return NULL;
}

static void
vanish(const struct vanishing *v)
{
	long page = sysconf(_SC_PAGESIZE);
	char c;

	for (int i = 0; i < 2; i++) {
		int fd = open(v->names[i], O_RDONLY | O_CLOEXEC);
		if (mmap(vanish_at + 2 * i * page, (size_t)page, PROT_READ | PROT_EXEC,
			 MAP_PRIVATE | MAP_FIXED_NOREPLACE, fd, 0) == MAP_FAILED)
			_exit(1);
	}
	close(v->to[1]);
	(void)!write(v->from[1], &c, 1);
	(void)!read(v->to[0], &c, 1);
	munmap(vanish_at + 2 * page, (size_t)page);
	(void)!write(v->from[1], &c, 1);
	_exit((int)read(v->to[0], &c, 1));
}

static struct err *
none(void *ctx, struct prov_process *p)
{
	return NULL;
}

static void
test_vanishing(void **state)
{
	static const struct prov_world w = { .preempts = false };
	struct vanishing v = { .names = { "vanish0.XXXXXX", "vanish1.XXXXXX" } }, *ctx = &v;
	struct prov_all *all;
	struct stat st[2];
	char path[4096], c;

	assert_ok(prov_set_world(set, &w));
	assert_int_equal(pipe(v.to), 0);
	assert_int_equal(pipe(v.from), 0);
	for (int i = 0; i < 2; i++) {
		int fd = mkstemp(v.names[i]);
		assert_int_equal(ftruncate(fd, sysconf(_SC_PAGESIZE)), 0);
		assert_int_equal(fstat(fd, &st[i]), 0);
		close(fd);
	}
	pid_t kid = fork();
	if (!kid)
		vanish(&v);
	assert_int_equal(read(v.from[0], &c, 1), 1);
	assert_ok(prov_all_new(set, wants_vanishing, &ctx, &all));
	prov_all_files_will_do(all, true);
	assert_ok(prov_all_walk(set, all, none, NULL));
	assert_true(v.asked[0]);
	assert_false(v.asked[1]);
	for (int i = 0; i < 2; i++) {
		uint64_t dev = (uint64_t)major(st[i].st_dev) << 32 | minor(st[i].st_dev);
		assert_non_null(realpath(v.names[i], path));
		assert_int_equal(prov_all_mapped(all, kid, dev, st[i].st_ino, path), i);
		unlink(v.names[i]);
	}
	close(v.to[1]);
	assert_int_equal(waitpid(kid, NULL, 0), kid);
	for (int i = 0; i < 2; i++)
		close(v.from[i]);
	close(v.to[0]);
}

/* Files of processes that have ended by the time that they are looked at. */
static struct err *
wants_brief(const void *ctx, int fd, const char *path, bool *ret)
{
	*ret = strstr(path, "brief");
	return NULL;
}

static struct err *
put_paths(void *ctx, struct prov_process *p)
{
	for (size_t i = 0; i < p->maps.n; i++)
		if (strstr(p->maps.v[i].object->path, "brief"))
			sb_printf(&out, "%s%s ", strrchr(p->maps.v[i].object->path, '/') + 1,
				  p->exe == p->maps.v[i].object ? " (a.out)" : "");
	return NULL;
}

static bool
brief(struct prov_all *all, int dir, const char *name, uint64_t dev, uint64_t more)
{
	const pid_t nobody = 0x7fffffff;
	char link[32], path[4096];
	struct stat st = { .st_ino = 7 };

	(void)!fstatat(dir, name, &st, 0);
	snprintf(link, sizeof(link), "/proc/self/fd/%d", dir);
	ssize_t n = readlink(link, path, sizeof(path) - 32);
	assert_true(n > 0);
	snprintf(path + n, sizeof(path) - (size_t)n, "/%s", name);
	return prov_all_mapped(all, nobody, dev, st.st_ino + more, path);
}

static void
test_brief(void **state)
{
	static const struct prov_world w = { .preempts = false };
	char name[] = "brief.XXXXXX";
	struct prov_all *all;
	struct stat st;

	assert_ok(prov_set_world(set, &w));
	int fd = mkstemp(name), dir = open(".", O_PATH | O_DIRECTORY);
	assert_true(fd >= 0 && dir >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	const uint64_t dev = (uint64_t)major(st.st_dev) << 32 | minor(st.st_dev);
	assert_ok(prov_all_new(set, wants_brief, NULL, &all));
	assert_ok(prov_all_walk(set, all, none, NULL));
	/* Where each process matters, a file alone is nothing. */
	assert_true(brief(all, dir, name, dev, 0));
	sb_reset(&out);
	assert_ok(prov_all_walk(set, all, put_paths, NULL));
	assert_string_equal(sb_str(&out), "");
	prov_all_files_will_do(all, true);
	/* Something else has its name; nothing has. */
	assert_true(brief(all, dir, name, dev, 1));
	assert_true(brief(all, dir, "brief.gone", dev, 0));
	assert_ok(prov_all_walk(set, all, put_paths, NULL));
	assert_string_equal(sb_str(&out), "");
	assert_true(brief(all, dir, name, dev, 0));
	assert_true(brief(all, dir, name, dev, 0));
	assert_ok(prov_all_walk(set, all, put_paths, NULL));
	assert_int_equal(strncmp(sb_str(&out), name, strlen(name)), 0);
	assert_string_equal(sb_str(&out) + strlen(name), " ");
	/* It is known, and told once. */
	assert_false(brief(all, dir, name, dev, 0));
	sb_reset(&out);
	assert_ok(prov_all_walk(set, all, put_paths, NULL));
	assert_string_equal(sb_str(&out), "");
	/* A program is a.out. */
	char program[] = "brief.XXXXXX";
	int from = open("/proc/self/exe", O_RDONLY), to = mkstemp(program);
	while (sendfile(to, from, NULL, 1 << 20) > 0)
		;
	close(from);
	close(to);
	assert_true(brief(all, dir, program, dev, 0));
	assert_ok(prov_all_walk(set, all, put_paths, NULL));
	assert_string_equal(sb_str(&out) + strlen(program), " (a.out) ");
	unlink(program);
	/* One that nobody asks about any more is freed. */
	assert_true(brief(all, dir, "brief.gone", dev, 0));
	unlink(name);
	close(fd);
	close(dir);
}

static struct err *
wants_self(const void *ctx, int fd, const char *path, bool *ret)
{
	*ret = strstr(path, "test-prov-pid");
	return NULL;
}

struct counts {
	pid_t kids[2];
	unsigned n[2];
};

static struct err *
count_kids(void *ctx, struct prov_process *p)
{
	struct counts *c = ctx;

	for (int i = 0; i < 2; i++)
		c->n[i] += p->pid == c->kids[i];
	return NULL;
}

static void
check_counts(struct prov_all *all, struct counts *c, unsigned first, unsigned second)
{
	c->n[0] = c->n[1] = 0;
	assert_ok(prov_all_walk(set, all, count_kids, c));
	assert_int_equal(c->n[0], first);
	assert_int_equal(c->n[1], second);
}

/* A process that lives until the end is closed. */
static pid_t
start_kid(const int ends[2])
{
	pid_t kid = fork();
	char c;

	if (kid)
		return kid;
	close(ends[1]);
	_exit(read(ends[0], &c, 1) != 0);
}

/* Who comes is looked at; of whom there is no memory to say that he came, all are. */
static void
test_who_comes(void **state)
{
	static const struct prov_world w = { .preempts = false };

	for (int fails = 0; fails < 2; fails++) {
		struct counts c = { .n = { 0 } };
		struct prov_all *all;
		int ends[2];
		assert_ok(prov_set_world(set, &w));
		assert_int_equal(pipe(ends), 0);
		c.kids[0] = start_kid(ends);
		assert_ok(prov_all_new(set, wants_self, NULL, &all));
		check_counts(all, &c, 1, 0);
		/* nobody has said so */
		c.kids[1] = start_kid(ends);
		check_counts(all, &c, 1, 0);
		/* of those who are not wanted the children are not, either */
		assert_false(prov_all_forked(all, 1, c.kids[1]));
		check_counts(all, &c, 1, 0);
		util_alloc_fail(fails, 1);
		assert_true(prov_all_forked(all, c.kids[0], c.kids[1]));
		util_alloc_fail(0, 0);
		check_counts(all, &c, 1, 1);
		prov_all_ended(all, c.kids[1]);
		check_counts(all, &c, 1, 0);
		prov_all_missed(all);
		check_counts(all, &c, 1, 1);
		close(ends[0]);
		close(ends[1]);
		for (int i = 0; i < 2; i++)
			assert_int_equal(waitpid(c.kids[i], NULL, 0), c.kids[i]);
		end(NULL);
		begin(NULL);
	}
}

/* --- Addresses, lines, choices ---------------------------------------------------- */

static uint64_t
linked(const char *func)
{
	return prov_pid_of(one(func, "entry"))->funcs.v[0]->value;
}

static const char *
at_address(uint64_t addr)
{
	char name[20];

	snprintf(name, sizeof(name), "%llx", (unsigned long long)addr);
	ask("a.out", "-", name, true);
	char *colon = strchr(sb_str(&out), ':');
	if (!colon)
		return "";
	assert_int_equal(strncmp(sb_str(&out), "-:", 2), 0);
	assert_int_equal(strncmp(colon + 1, name, strlen(name)), 0);
	return colon + 1 + strlen(name);
}

static void
test_addresses(void **state)
{
	uint64_t at = linked("pt_call");

	assert_string_equal(at_address(at), " pid_offset+0");
	assert_string_equal(at_address(at + 7), " pid_offset+0");
	assert_string_equal(at_address(at + 1), "");	/* in the middle of one */
	assert_string_equal(at_address(at + 5), "");	/* harmful */
	assert_string_equal(at_address(1), "");
	assert_string_equal(ask("a.out", "-", "11111111111111111", false), "");
	assert_string_equal(ask("a.out", "-", "entry", false), "");
}

/* Lines of one function by pattern, of any by number. */
static void
test_lines(void **state)
{
	assert_string_equal(ask("a.out", "", "pid_lines.c@*", false), "");
	const struct probe *p = one("pt_line", "pid_lines.c@5003");
	const struct pid_probe *of = prov_pid_of(p);
	size_t size = of->funcs.v[0]->size;

	assert_int_equal(pt_line(1), 10);
	assert_int_equal(of->funcs.n, 1);
	assert_in_range(of->ats.v[0], 1, size - 1);
	sb_reset(&out);
	assert_ok(prov_sites(set, p, put_site, (void *)(uintptr_t)p));
	char want[32];
	snprintf(want, sizeof(want), " pid_offset+%llx", (unsigned long long)of->ats.v[0]);
	assert_string_equal(sb_str(&out), want);
	assert_string_equal(ask("a.out", "", "pid_lines.c@5005", false),
			    "pt_line:pid_lines.c@5005");
	assert_true(prov_pid_of(one("pt_line", "pid_lines.c@5005"))->ats.v[0] >
		    of->ats.v[0]);
	assert_string_equal(ask("a.out", "pt_l*", "pid_l*.c@5006", false),
			    "pt_line:pid_lines.c@5006");
	assert_string_equal(ask("a.out", "pt_line", "pid_lines.c@*", false),
			    "pt_line:pid_lines.c@5003; pt_line:pid_lines.c@5005; "
			    "pt_line:pid_lines.c@5006; pt_line:pid_lines.c@5002; "
			    "pt_line:pid_lines.c@5007");
	assert_string_equal(ask("a.out", "", "pid_lines.c@5004", false), "");
	assert_string_equal(ask("a.out", "pt_args", "pid_lines.c@5003", false), "");
	assert_string_equal(ask("a.out", "pt_line", "lines.c@5003", false), "");
}

/* A line that begins with an instruction on which no probe may stand is at the one behind
 * that: bytes behind the first line's instruction. */
static void
test_odd_lines(void **state)
{
	static const struct { const char *name; uint64_t at, site; } lines[] = {
		{ "pid_lines.c@5103", 0, 0 },		/* nop */
		{ "pid_lines.c@5104", 1, 3 },		/* syscall */
		{ "pid_lines.c@5105", 3, 3 },		/* nop */
		{ "pid_lines.c@5106", 4, 6 },		/* ud2 */
	};
	uint64_t first = prov_pid_of(one("pt_odd", lines[0].name))->ats.v[0];

	for (size_t i = 0; i < BASE_NELEMS(lines); i++) {
		const struct probe *p = one("pt_odd", lines[i].name);
		char want[32];
		assert_int_equal(prov_pid_of(p)->ats.v[0], first + lines[i].at);
		sb_reset(&out);
		assert_ok(prov_sites(set, p, put_site, (void *)(uintptr_t)p));
		snprintf(want, sizeof(want), " pid_offset+%llx",
			 (unsigned long long)(first + lines[i].site));
		assert_string_equal(sb_str(&out), want);
	}
}

struct unnamed { unsigned objects, functions; };

static struct err *
check_unnamed(void *ctx, struct prov_object *o)
{
	static const char *const tables[] = { ".plt", ".plt.got", ".plt.sec" };
	struct unnamed *u = ctx;
	struct sym_section at[3] = { { NULL } };
	unsigned n = 0;

	for (size_t i = 0; i < BASE_NELEMS(tables); i++)
		err_free(sym_elf_place(o->fd, tables[i], &at[i]));
	assert_ok(prov_user_functions(set, o));
	for (size_t k = 0; k < o->nfuncs; k++) {
		const struct prov_ufunc *f = &o->funcs[k];
		if (!f->is_unnamed)
			continue;
		n++;
		for (size_t i = 0; i < BASE_NELEMS(tables); i++)
			if (f->value - at[i].addr < at[i].size)
				fail_msg("%s: %s is of %s", o->path, f->name, tables[i]);
	}
	u->objects += n && at[0].size && (at[1].size || at[2].size);
	u->functions += n;
	return NULL;
}

/* Of libraries without symbols what only the unwinding table knows is there, but for what
 * the linker has made. */
static void
test_unnamed(void **state)
{
	struct unnamed u = { 0 };
	struct probe_pattern all;
	struct prov_process *p;

	probe_pattern_init(&all, "");
	assert_ok(prov_user_process(set, getpid(), &p));
	assert_ok(prov_user_objects(p, &all, check_unnamed, &u));
	print_message("# %u functions without names, of %u libraries\n", u.functions, u.objects);
	if (!u.objects)
		skip();
	assert_true(u.functions > 10);
}

/* A copy of a small library as `name` in dir, which is loaded. */
static void *
load_as(const char *dir, const char *name)
{
	void *h = dlopen("libdl.so.2", RTLD_NOW), *copy;
	char path[4200], bytes[1 << 16];
	struct link_map *l;

	assert_non_null(h);
	assert_int_equal(dlinfo(h, RTLD_DI_LINKMAP, &l), 0);
	int fd = open(l->l_name, O_RDONLY);
	ssize_t n = read(fd, bytes, sizeof(bytes));
	close(fd);
	assert_true(n > 0 && n < (ssize_t)sizeof(bytes));
	dlclose(h);
	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_CREAT | O_WRONLY, 0700);
	assert_int_equal(write(fd, bytes, (size_t)n), n);
	close(fd);
	copy = dlopen(path, RTLD_NOW);
	assert_non_null(copy);
	unlink(path);
	return copy;
}

/* A library of another system is the one that has its functions here, unless the process
 * has one of that name, of any version. */
static void
test_foreign_libraries(void **state)
{
	static const struct { const char *loaded, *asked; bool is_ours; } given[] = {
		{ NULL, "libthr.so.3", true }, { NULL, "libSystem", true },
		{ NULL, "libthr.so.4", false }, { NULL, "libthr", false },
		{ "libthrx.so.3", "libthr.so.3", true }, { "libth.so.3", "libthr.so.3", true },
		{ "libthr.so.9", "libthr.so.3", false }, { "libthr.so", "libthr.so.3", false },
		{ "libthr", "libthr.so.3", false }, { "libthr.so.3", "libthr.so.3", false },
		{ "libSystem.so", "libSystem", false }, { "libSystem", "libSystem", false },
		{ "libSystem2", "libSystem", true }, { "libSystem.C", "libSystem.B.dylib", true },
	};
	char folder[] = "libraries.XXXXXX";

	assert_non_null(mkdtemp(folder));
	for (size_t i = 0; i < BASE_NELEMS(given); i++) {
		void *h = given[i].loaded ? load_as(folder, given[i].loaded) : NULL;
		end(NULL);
		begin(NULL);
		const char *got = ask(given[i].asked, "getppid", "entry", false);
		if (strcmp(got, given[i].is_ours ? "getppid:entry" : ""))
			fail_msg("%s with %s: %s", given[i].asked, given[i].loaded, got);
		if (h)
			dlclose(h);
	}
	rmdir(folder);
}

static void
test_chosen(void **state)
{
	assert_int_equal(pt_choice(1), 2);
	const struct probe *p = one("pt_choice", "entry");
	const struct probe *of = one("pt_chosen", "entry");

	assert_string_equal(p->func, "pt_choice");
	assert_int_equal(prov_pid_of(p)->funcs.v[0]->offset,
			 prov_pid_of(of)->funcs.v[0]->offset);
	assert_string_equal(ask("a.out", "pt_choice", "return", false), "pt_choice:return");
	assert_string_equal(ask("a.out", "pt_choice", "0", true),
			    "pt_choice:0 pid_offset+0");
	/* By a pattern it is what it is. */
	assert_string_equal(ask("a.out", "pt_choic[e]", "entry", false),
			    "pt_choice:entry");
}

/* What was chosen and is no function is not what was asked for, nor is what chose it. */
static void
test_chosen_badly(void **state)
{
	static const char *const names[] = {
		"pt_middle", "pt_middl[e]", "pt_nowhere", "pt_nowher[e]",
	};

	if (are_called)
		pt_middle(), pt_nowhere();
	for (size_t i = 0; i < BASE_NELEMS(names); i++)
		assert_string_equal(ask("a.out", names[i], "entry", false), "");
}

/* --- Arguments ------------------------------------------------------------------------ */

static const struct {
	const char *func, *name;
	unsigned n;
	const char *decl;	/* NULL: there is none */
	unsigned raw;
	int nargs;
} types[] = {
	{ "pt_args", "entry", 0, "int first", 0, 5 },
	{ "pt_args", "entry", 1, "const char *second", 1, 5 },
	{ "pt_args", "entry", 2, NULL, 0, 5 }, { "pt_args", "entry", 3, NULL, 0, 5 },
	/* What a struct of two words takes is not known. */
	{ "pt_args", "entry", 4, NULL, 0, 5 }, { "pt_args", "entry", 5, NULL, 0, 5 },
	{ "pt_args", "return", 0, "unknown_offset_t offset", 0, 2 },
	{ "pt_args", "return", 1, "long", 1, 2 }, { "pt_args", "return", 2, NULL, 0, 2 },
	{ "pt_float", "return", 1, NULL, 0, 1 }, { "pt_void", "return", 1, NULL, 0, 1 },
	{ "pt_void", "entry", 0, NULL, 0, 0 }, { "pt_line", "entry", 0, "long n", 0, 1 },
	{ "pt_line", "0", 0, NULL, 0, -1 }, { "pt_plain", "entry", 0, NULL, 0, -1 },
	{ "pt_plain", "return", 0, NULL, 0, -1 },
};

static void
test_types(void **state)
{
	struct sb b;

	sb_init(&b, 256);
	for (size_t i = 0; i < BASE_NELEMS(types); i++) {
		const struct probe *p = one(types[i].func, types[i].name);
		const char *name = NULL;
		unsigned raw = 77;
		const struct type *t = prov_arg_type(set, p, types[i].n, &name, &raw);
		sb_reset(&b);
		if (t)
			type_print(t, name, &b);
		char text[256] = "";
		for (const char *s = sb_str(&b); *s; )	/* pointers are the process's */
			if (!strncmp(s, "userland ", 9))
				s += 9;
			else
				strncat(text, s++, 1);
		if (strcmp(text, types[i].decl ? types[i].decl : "") ||
		    (t && raw != types[i].raw))
			fail_msg("%s:%s args[%u]: %s, raw %u", types[i].func,
				 types[i].name, types[i].n, sb_str(&b), raw);
		assert_int_equal(prov_nargs(set, p), types[i].nargs);
	}
	sb_fini(&b);
}

/* --- What there is not ------------------------------------------------------------ */

/* prov NULL: ourselves.  want: what is said, PID for our number. */
static const struct {
	const char *prov, *mod, *func, *name;
	enum prov_part part;
	const char *want;
} missing[] = {
	{ "pid0", "a.out", "f", "entry", PROV_PART_PROV,
	  "pid0 is no process: $target is that of -c or -p, and 0 without" },
	{ "pid7x", "a.out", "f", "entry", PROV_PART_PROV,
	  "pid7x is no process: a number follows pid" },
	{ "pid99999999999", "a.out", "f", "entry", PROV_PART_PROV,
	  "pid99999999999 is no process: a number follows pid" },
	{ "pid*", "", "f", "entry", PROV_PART_MOD, "functions of all processes need the "
	  "name of an object, as in pid*:libc.so.6:malloc:entry" },
	{ "pid*", "x.so", "f", "entry", PROV_PART_MOD,
	  "no process executes an object x.so, or it has no function f; -Z awaits those "
	  "that start later" },
	{ "pid*", "x.so", "", "entry", PROV_PART_MOD,
	  "no process executes an object x.so, or it has no function at all; -Z awaits "
	  "those that start later" },
	{ NULL, "a.out", "pt_plaim", "entry", PROV_PART_FUNC, "a.out of process PID "
	  "(test-prov-pid) has no function pt_plaim; near are pt_plain" },
	{ NULL, "a.out", "pt_made", "entry", PROV_PART_FUNC, "a.out of process PID "
	  "(test-prov-pid) has no function pt_made; near are pt_made.constprop.0" },
	{ NULL, "", "pt_mostunlikely", "entry", PROV_PART_FUNC,
	  "process PID (test-prov-pid) has no function pt_mostunlikely" },
	{ NULL, "a.out", "pt_plain", "nosuch", PROV_PART_NAME, "functions of processes have "
	  "no probe nosuch, but entry, return, the offsets of instructions in hex, and "
	  "lines of source, FILE@LINE" },
	{ NULL, "a.out", "pt_plain", "2", PROV_PART_NAME,
	  "no instruction of pt_plain begins at 2; near are 1 and 4" },
	{ NULL, "a.out", "pt_plain", "b", PROV_PART_NAME,
	  "function pt_plain has b bytes (hex), and none at b" },
	{ NULL, "a.out", "pt_call", "5", PROV_PART_NAME, "no probe may stand on the "
	  "instruction at 5 of pt_call: it would harm the process" },
	{ NULL, "a.out", "-", "entry", PROV_PART_NAME, "of function - the name is an "
	  "address of test-prov-pid in hex, which entry is not" },
	{ NULL, "a.out", "-", "1", PROV_PART_NAME,
	  "no function of test-prov-pid that is known is at the address 1" },
	{ NULL, "a.out", "pt_line", "pid_lines.c@5004", PROV_PART_NAME,
	  "line 5004 of pid_lines.c is no code of pt_line; near are 5003 and 5005" },
	{ NULL, "a.out", "pt_line", "pid_lines.c@7", PROV_PART_NAME,
	  "line 7 of pid_lines.c is no code of pt_line; near is 5002" },
	{ NULL, "a.out", "pt_line", "pid_lines.c@9000", PROV_PART_NAME,
	  "line 9000 of pid_lines.c is no code of pt_line; near is 5007" },
	{ NULL, "a.out", "pt_line", "nosuch.c@7", PROV_PART_NAME,
	  "nothing in pt_line was made of a file nosuch.c" },
	{ NULL, "a.out", "", "nosuch.c@7", PROV_PART_NAME,
	  "nothing in a.out was made of a file nosuch.c" },
	{ NULL, "", "", "@7", PROV_PART_NAME, "a line is FILE@NUMBER; a pattern of lines "
	  "stands for those of one function, by its name" },
	{ NULL, "a.out", "", "pid_lines.c@*", PROV_PART_NAME, "a line is FILE@NUMBER; a "
	  "pattern of lines stands for those of one function, by its name" },
};

static void
test_missing(void **state)
{
	char pid[16];

	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	for (size_t i = 0; i < BASE_NELEMS(missing); i++) {
		struct probe_desc d = own(missing[i].mod, missing[i].func, missing[i].name);
		enum prov_part part = 77;
		char want[512];
		if (missing[i].prov)
			d.prov = missing[i].prov;
		const char *at = strstr(missing[i].want, "PID");
		snprintf(want, sizeof(want), "%.*s%s%s", at ? (int)(at - missing[i].want) :
			 0, missing[i].want, at ? pid : "", at ? at + 3 : missing[i].want);
		assert_ok(prov_match(set, &d, put_probe, NULL));
		sb_reset(&out);
		if (!prov_missing(set, &d, &out, &part))
			fail_msg("%s:%s:%s:%s: nobody knows", d.prov, d.mod, d.func, d.name);
		if (strcmp(sb_str(&out), want) || part != missing[i].part)
			fail_msg("%s:%s:%s:%s: part %d: %s", d.prov, d.mod, d.func, d.name,
				 part, sb_str(&out));
	}
}

static void
test_missing_object(void **state)
{
	struct probe_desc d = own("test-prov-pix", "f", "entry");
	enum prov_part part;
	char want[128];

	sb_reset(&out);
	assert_true(prov_missing(set, &d, &out, &part));
	assert_int_equal(part, PROV_PART_MOD);
	snprintf(want, sizeof(want), "process %d executes no object test-prov-pix (",
		 (int)getpid());
	assert_int_equal(strncmp(sb_str(&out), want, strlen(want)), 0);
	assert_non_null(strstr(sb_str(&out), "test-prov-pid"));
}

/* One that has ended, and is waited for by nobody yet. */
static void
test_missing_program(void **state)
{
	char prov[24], want[128];
	siginfo_t info;
	int ends[2];
	pid_t kid = new_kid(ends);
	struct probe_desc d = { prov, "", "", "entry", 0 };
	enum prov_part part;

	close(ends[1]);
	close(ends[0]);
	assert_int_equal(waitid(P_PID, (id_t)kid, &info, WEXITED | WNOWAIT), 0);
	snprintf(prov, sizeof(prov), "pid%d", (int)kid);
	snprintf(want, sizeof(want), "process %d executes no program: it is a thread of "
		 "the kernel, or has ended", (int)kid);
	sb_reset(&out);
	assert_true(prov_missing(set, &d, &out, &part));
	assert_string_equal(sb_str(&out), want);
	assert_int_equal(part, PROV_PART_MOD);
	assert_int_equal(waitpid(kid, NULL, 0), kid);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_rows, NULL, end),
		cmocka_unit_test_setup_teardown(test_again, begin, end),
		cmocka_unit_test_setup_teardown(test_objects, begin, end),
		cmocka_unit_test_setup_teardown(test_twins, begin, end),
		cmocka_unit_test_setup_teardown(test_looks, begin, end),
		cmocka_unit_test_setup_teardown(test_left_out, begin, end),
		cmocka_unit_test_setup_teardown(test_points, begin, end),
		cmocka_unit_test_setup_teardown(test_later, begin, end),
		cmocka_unit_test_setup_teardown(test_follow, begin, end),
		cmocka_unit_test_setup_teardown(test_used_number, begin, end),
		cmocka_unit_test_setup_teardown(test_many_files, begin, end),
		cmocka_unit_test_setup_teardown(test_forgotten_functions, begin, end),
		cmocka_unit_test_setup_teardown(test_names_stay, begin, end),
		cmocka_unit_test_setup_teardown(test_all, begin, end),
		cmocka_unit_test_setup_teardown(test_vanishing, begin, end),
		cmocka_unit_test_setup_teardown(test_brief, begin, end),
		cmocka_unit_test_setup_teardown(test_who_comes, begin, end),
		cmocka_unit_test_setup_teardown(test_addresses, begin, end),
		cmocka_unit_test_setup_teardown(test_lines, begin, end),
		cmocka_unit_test_setup_teardown(test_odd_lines, begin, end),
		cmocka_unit_test_setup_teardown(test_unnamed, begin, end),
		cmocka_unit_test_setup_teardown(test_foreign_libraries, begin, end),
		cmocka_unit_test_setup_teardown(test_chosen, begin, end),
		cmocka_unit_test_setup_teardown(test_chosen_badly, begin, end),
		cmocka_unit_test_setup_teardown(test_types, begin, end),
		cmocka_unit_test_setup_teardown(test_missing, begin, end),
		cmocka_unit_test_setup_teardown(test_missing_object, begin, end),
		cmocka_unit_test_setup_teardown(test_missing_program, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int
main(void)
{
	puts("1..0 # SKIP the code is of x86-64");
	return 0;
}

#endif
