/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Meaning: each diagnostic where it belongs (errors.def), types of expressions,
 * what is kept of clauses, and lack of memory anywhere.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "abi/quant.h"
#include "dif/dif.h"
#include "type/text.h"
#include "util/alloc.h"
#include "world.h"

/* --- Every diagnostic ---------------------------------------------------- */

static const struct {
	enum diag_tag tag;
	unsigned line;			/* 0: nowhere */
	const char *opts;
	unsigned flags;
	const char *text;
} errors[] = {
#define ERR(TAG, line, opts, flags, text) { TAG, line, opts, flags, text },
#include "errors.def"
#undef ERR
};

static void
test_errors(void **state)
{
	for (size_t i = 0; i < BASE_NELEMS(errors); i++) {
		struct compile c;
		unsigned line = 0;

		assert_true(compile_init(&c, errors[i].opts));
		compile(&c, errors[i].text, errors[i].flags);
		if (!c.d.first || c.d.first->tag != errors[i].tag) {
			print_error("%s: got %s: %s\n", errors[i].text,
				    c.d.first ? diag_tag_name(c.d.first->tag)
					      : "nothing",
				    c.d.first ? c.d.first->text : "");
			fail();
		}
		if (c.d.first->span.len)
			lang_span_where(c.d.first->span, &line, NULL, NULL);
		if (line != errors[i].line)
			fail_msg("%s: line %u", errors[i].text, line);
		compile_fini(&c);
	}
}

/* Of a clause that a provider sets up one description has to match; of others each. */
static void
test_set_up(void **state)
{
	static const struct {
		const char *text;
		unsigned flags, ndiags;
	} rows[] = {
		{ "syscall::read:entry, syscall::absent:entry { x = 1; }", 0, 1 },
		{ "syscall::read:entry, syscall::absent:entry { x = 1; }",
		  LANG_LIBRARY | LANG_PRELUDE, 0 },
		{ "syscall::absent:entry, syscall::read:entry { x = 1; }",
		  LANG_LIBRARY | LANG_PRELUDE, 0 },
		{ "syscall::absent:entry, syscall::none:entry { x = 1; }",
		  LANG_LIBRARY | LANG_PRELUDE, 1 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct compile c;
		assert_true(compile_init(&c, NULL));
		compile(&c, rows[i].text, rows[i].flags);
		assert_int_equal(c.d.n, rows[i].ndiags);
		assert_true(!c.d.n || c.d.first->tag == D_PDESC_ZERO);
		compile_fini(&c);
	}
}

/* Several at once, each said once; a wrong expression is silent upward. */
static void
test_many_errors(void **state)
{
	static const char text[] =
		"BEGIN\n"
		"{\n"
		"	trace(nosuch + 1);\n"
		"	trace(nosuch);\n"			/* said already */
		"	x = nosuch2;\n"
		"	trace(x + 1);\n"			/* x is wrong */
		"	printf(\"%d\", curthread->nosuch3);\n"
		"}\n"
		"END { exit(\"a\"); @a = zount(); }\n";
	static const struct {
		enum diag_tag tag;
		unsigned line;
		const char *hint;
	} want[] = {
		{ D_IDENT_UNDEF, 3, NULL }, { D_IDENT_UNDEF, 5, NULL },
		{ D_TYPE_MEMBER, 7, NULL }, { D_PROTO_ARG, 9, NULL },
		{ D_FUNC_UNDEF, 9, "did you mean count( )?" },
	};
	struct compile c;
	size_t i = 0;

	assert_true(compile_init(&c, NULL));
	assert_non_null(compile(&c, text, 0));
	for (struct diag *d = c.d.first; d; d = d->next, i++) {
		unsigned line;
		lang_span_where(d->span, &line, NULL, NULL);
		assert_true(i < BASE_NELEMS(want));
		assert_int_equal(d->tag, want[i].tag);
		assert_int_equal(line, want[i].line);
		if (want[i].hint)
			assert_string_equal(d->hint, want[i].hint);
	}
	assert_int_equal(i, BASE_NELEMS(want));
	compile_fini(&c);
}

/* Messages whose words scripts and the specification know. */
static void
test_texts(void **state)
{
	static const struct {
		const char *text, *want, *hint;
	} rows[] = {
		{ "BEGIN { trace(strlen()); }",
		  "strlen( ) prototype mismatch: 0 args passed, 1 expected",
		  NULL },
		{ "BEGIN { trace(strlen(1)); }",
		  "strlen( ) argument #1 is incompatible with prototype: "
		  "prototype: const char *, argument: int", NULL },
		{ "BEGIN { trace(substr(\"a\")); }",
		  "substr( ) prototype mismatch: 1 arg passed, 2 or 3 "
		  "expected", NULL },
		{ "", "empty D program", NULL },
		{ "syscall::raed:entry { }",
		  "probe description syscall::raed:entry does not match any "
		  "probes", "did you mean syscall::read:entry?" },
		{ "BEGIN { trace(((struct thread *)arg0)->t_did); }",
		  "the members of struct thread are not known",
		  "a thread is a struct task_struct here: curthread is one" },
		{ "BEGIN { trace(msgsize(0)); }",
		  "msgsize( ) is not available: STREAMS do not exist on Linux",
		  NULL },
		{ "BEGIN { trace(1 / 0); }",
		  "expression contains division by zero", NULL },
		{ "BEGIN { trace(timestmp); }",
		  "failed to resolve timestmp: Unknown variable name",
		  "did you mean timestamp?" },
		{ "BEGIN { self->start = 1; } END { trace(self->strat); }",
		  "failed to resolve self->strat: Unknown variable name",
		  "did you mean self->start?" },
		{ "BEGIN { this->t = 1; } END { trace(t); }",
		  "failed to resolve t: Unknown variable name",
		  "did you mean this->t?" },
		{ "BEGIN { trace(curthread->com); }",
		  "com is not a member of struct task_struct",
		  "did you mean comm?" },
		{ "BEGIN { trace(curthread.pid); }",
		  "operator . cannot be applied to struct task_struct *, "
		  "which is a pointer", "use ->pid" },
		{ "BEGIN { pintf(\"x\"); }",
		  "undefined function name: pintf",
		  "did you mean printf( )?" },
		{ "BEGIN { s = \"x\"; printf(s); }",
		  "printf( ) argument #1 must be a string constant",
		  "write printf(\"%s\", ...)" },
		{ "BEGIN { s = \"x\"; @a = count(); printa(s, @a); }",
		  "printa( ) argument #1 must be a string constant", NULL },
		{ "BEGIN { @a++; }",
		  "operator ++ cannot be applied to an aggregation",
		  "@a = count( ) counts, @a = sum(x) adds x" },
		{ "BEGIN { @n[pid] += 5; }",
		  "operator += cannot be applied to an aggregation",
		  "@n = count( ) counts, @n = sum(x) adds x" },
		{ "BEGIN { @count = count(); } END { printa(@cuont); }",
		  "undefined aggregation: @cuont",
		  "did you mean @count?" },
		{ "BEGIN { printf('hello'); }",
		  "printf( ) argument #1 must be a string constant",
		  "text stands in double quotes, \"like this\"" },
		{ "BEGIN { printf(\"%s\", 'hello'); }",
		  "printf( ) argument #2 is incompatible with conversion #1 "
		  "prototype: conversion: %s, prototype: a string, argument: "
		  "long", "text stands in double quotes, \"like this\"" },
		{ "BEGIN { trace(sizeof (nosuch_t)); }",
		  "failed to resolve nosuch_t: Unknown variable name",
		  "no type is called nosuch_t, either" },
		{ "BEGIN { a[1][2] = 3; }",
		  "failed to resolve a: Unknown variable name",
		  "several keys stand in one pair of brackets: a[KEY, KEY]" },
		{ "BEGIN { prinft(\"x\"); }",
		  "undefined function name: prinft",
		  "did you mean printf( )?" },
		{ "BEGIN { x = strcmp(execname, \"x\"); }",
		  "undefined function name: strcmp", "== and < compare strings" },
		{ "BEGIN { trace(comm); }",
		  "failed to resolve comm: Unknown variable name",
		  "execname is the name of the process" },
		{ "BEGIN /execname == sshd/ { }",
		  "failed to resolve sshd: Unknown variable name",
		  "text stands in quotes: \"sshd\"" },
		{ "BEGIN /sshd == execname/ { }",
		  "failed to resolve sshd: Unknown variable name",
		  "text stands in quotes: \"sshd\"" },
		{ "BEGIN /execname == exename/ { }",
		  "failed to resolve exename: Unknown variable name",
		  "did you mean execname?" },
		{ "BEGIN /execname == 'sshd'/ { }",
		  "operands have incompatible types: \"string\" == \"int\"",
		  "text stands in double quotes, \"like this\"" },
		{ "BEGIN /pid = 1/ { }",
		  "operator = cannot be applied to pid, which is read-only",
		  "= assigns, == compares" },
		{ "BEGIN /`lbolt = 1/ { }",
		  "operator = cannot be applied to lbolt, which is read-only",
		  "= assigns, == compares" },
		{ "BEGIN { s = \"a\"; s = 5; }",
		  "operands have incompatible types: \"string\" = \"int\"",
		  "lltostr( ) makes a string of a number" },
		{ "BEGIN { s = \"a\"; s += \"b\"; }",
		  "operands have incompatible types: \"string\" += \"string\"",
		  "strjoin( ) puts strings together" },
		{ "BEGIN { x = 1; x = \"b\"; }",
		  "operands have incompatible types: \"int\" = \"string\"",
		  "the type of x was fixed by its first assignment" },
		{ "int x; BEGIN { x = \"b\"; }",
		  "operands have incompatible types: \"int\" = \"string\"",
		  NULL },
		{ "int x; BEGIN { x = curthread; }",
		  "operands have incompatible types: \"int\" = \"struct "
		  "task_struct *\"", "cast it: (int)" },
		{ "BEGIN { x = 1; trace(x[0]); }",
		  "only an array, a pointer or a string can be indexed, not "
		  "int", NULL },
		{ "BEGIN { self->x = 1; trace(&self->x); }",
		  "cannot take the address of a thread-local variable or an "
		  "element of an associative array",
		  "global and clause-local variables have one" },
		{ "BEGIN { printf(\"%y\", 1); }",
		  "printf( ) format: no such conversion: %y",
		  "%d, %u and %x print integers, %s strings, %p addresses, "
		  "%% a %" },
		{ "BEGIN { printf(\"100%\"); }",
		  "printf( ) format: no such conversion: %", "%% prints a %" },
		{ "#pragma D option version=1.0\n"
		  "BEGIN { trace(strchr(\"a\", 'a')); }",
		  "undefined function name: strchr", "strchr is known from "
		  "version 1.1 on; -x version asked for less" },
		{ "inline int x = 3;\n#pragma D binding \"9.2.1\" x\n"
		  "BEGIN { trace(x); }",
		  "failed to resolve x: Unknown variable name", "x is known "
		  "from version 9.2.1 on; -x version asked for less" },
		{ "BEGIN { trace(RUNNING); }",
		  "RUNNING is ambiguous: enum state and struct file have "
		  "enumerators of that name with different values",
		  "it is known where it is compared with a value of its enum; "
		  "else write its number" },
		{ "struct procinfo { int a; };\n"
		  "translator struct procinfo < struct task_struct *x > { a = x->pid; };\n"
		  "proc:::create { trace(args[0] != arg0); }",
		  "a translated struct procinfo * has no value of its own: only its "
		  "members can be used",
		  "with * before it, it is a struct; compare it with NULL, or look at "
		  "arg0, the address that it is made from" },
		{ "BEGIN { bcopy(\"abc\", alloca(4), 3); }",
		  "bcopy( ) argument #1 is incompatible with prototype: "
		  "prototype: void *, argument: string",
		  "(char *) in front of it makes it the address of its text" },
		{ "BEGIN { trace(TASK_RUNNING); }",
		  "failed to resolve TASK_RUNNING: Unknown variable name",
		  "macros of C are known with -C and the #include that defines "
		  "them, the kernel's own are not" },
		{ "BEGIN { printf(\"%s\\n\", arg0); }",
		  "printf( ) argument #2 is incompatible with conversion #1 "
		  "prototype: conversion: %s, prototype: a string, argument: "
		  "int64_t",
		  "%d prints an integer; if it is the address of a string, "
		  "use copyinstr(...) or stringof(...)" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct compile c;

		assert_true(compile_init(&c, NULL));
		compile(&c, rows[i].text, 0);
		assert_non_null(c.d.first);
		assert_string_equal(c.d.first->text, rows[i].want);
		if (rows[i].hint) {
			assert_non_null(c.d.first->hint);
			assert_string_equal(c.d.first->hint, rows[i].hint);
		}
		compile_fini(&c);
	}
}

/* --- Types and constants ------------------------------------------------- */

static const char prelude[] =
	"typedef struct point { int x, y; } point_t;\n"
	"struct bits { unsigned int a:3, b:9; int :0; long c; };\n"
	"enum colour { RED, GREEN = 5, BLUE };\n"
	"point_t pt; int vec[4]; string str; self int si; this string ts;\n"
	"userland struct point *up;\n"
	"inline int five = 5; inline string hello = \"hello\";\n"
	"inline int twice[int n] = n * 2;\n"
	"translator point_t < struct task_struct *T > {\n"
	"	x = T->pid; y = T->prio[1] + 1;\n"
	"};\n"
	"inline point_t *here = xlate <point_t *>(curthread);\n"
	"syscall::read:entry { u = 1; @a[1] = count(); "
	"self->s = execname; m[1, \"x\"] = timestamp; trace(%s); }\n";

/* The node of an expression traced in a clause behind the prelude. */
static const struct ast_node *
traced(struct compile *c, const char *expr)
{
	char text[4096];
	const struct sema_prog *p;
	const struct ast_node *n;

	assert_true(compile_init(c, NULL));
	snprintf(text, sizeof(text), prelude, expr);
	p = compile(c, text, 0);
	if (!p || c->d.n) {
		print_error("%s: %s\n", expr,
			    c->d.first ? c->d.first->text : "?");
		fail();
	}
	for (n = p->clauses[0].ast->body; n->next; n = n->next)
		;
	return n->kid[0]->list;
}

static void
test_types(void **state)
{
	static const struct {
		const char *expr, *type;
		bool is_const;
		uint64_t value;
	} rows[] = {
		/* literals */
		{ "1", "int", true, 1 },
		{ "2147483648", "long", true, 2147483648 },
		{ "0xffffffff", "unsigned int", true, 0xffffffff },
		{ "020000000000", "unsigned int", true, 0x80000000 },
		{ "0x7fffffff", "int", true, 0x7fffffff },
		{ "0x100000000", "long", true, 0x100000000 },
		{ "0xffffffffffffffff", "unsigned long", true, UINT64_MAX },
		{ "0xffffffffl", "long", true, 0xffffffff },
		{ "4294967295u", "unsigned int", true, 4294967295 },
		{ "4294967296u", "unsigned long", true, 4294967296 },
		{ "18446744073709551615", "unsigned long", true, UINT64_MAX },
		{ "1l", "long", true, 1 },
		{ "1ull", "unsigned long long", true, 1 },
		{ "'a'", "int", true, 'a' },
		{ "\"abc\"", "string 4", true, 0 },
		{ "1.5", "double", true, 0 },
		{ "1.5f", "float", true, 0 },
		/* arithmetic */
		{ "1 + 2 * 3", "int", true, 7 },
		{ "-7 / 2", "int", true, (uint64_t)-3 },
		{ "-7 % 3", "int", true, (uint64_t)-1 },
		{ "7u / 2", "unsigned int", true, 3 },
		{ "1 - 2u", "unsigned int", true, 0xffffffff },
		{ "2147483647 + 1", "int", true, 2147483648 },
		{ "-2147483647 - 2", "int", true, (uint64_t)-2147483649 },
		{ "100000 * 100000", "int", true, 10000000000 },
		{ "100000 * 100000 / 100000", "int", true, 100000 },
		{ "1 << 40 >> 38", "int", true, 4 },
		{ "(int)(1 << 40) + 1", "int", true, 1 },
		{ "100000 * 100000 + 0u", "unsigned int", true, 1410065408 },
		{ "1 ? 1 << 40 : 0", "int", true, 1l << 40 },
		{ "~0x80000000", "unsigned int", true, 2147483647 },
		{ "(int)-1 == 0xffffffff", "int", true, 1 },
		{ "1 << 3", "int", true, 8 },
		{ "-8 >> 1", "int", true, (uint64_t)-4 },
		{ "0x80000000u >> 4", "unsigned int", true, 0x08000000 },
		{ "~0", "int", true, UINT64_MAX },
		{ "~0u", "unsigned int", true, 0xffffffff },
		{ "6 & 3", "int", true, 2 }, { "6 | 3", "int", true, 7 },
		{ "6 ^ 3", "int", true, 5 },
		{ "-1 < 1u", "int", true, 0 }, { "-1 < 1", "int", true, 1 },
		{ "-1 == 0xffffffffu", "int", true, 1 },
		{ "2 > 1", "int", true, 1 }, { "2 >= 2", "int", true, 1 },
		{ "2 <= 1", "int", true, 0 }, { "2 != 2", "int", true, 0 },
		{ "1 && 0", "int", true, 0 }, { "0 && u", "int", true, 0 },
		{ "1 || u", "int", true, 1 }, { "u && 0", "int", false, 0 },
		{ "1 ^^ 2", "int", true, 0 }, { "0 ^^ 2", "int", true, 1 },
		{ "!5", "int", true, 0 }, { "+5", "int", true, 5 },
		{ "1 ? 2 : 3l", "long", true, 2 },
		{ "u ? 2 : 3", "int", false, 0 },
		{ "(char)300", "char", true, 44 },
		{ "(unsigned char)-1", "unsigned char", true, 255 },
		{ "(uint16_t)-1", "uint16_t", true, 65535 },
		{ "(uint64_t)-1", "uint64_t", true, UINT64_MAX },
		{ "(void *)0", "void *", true, 0 },
		{ "NULL", "void *", true, 0 },
		{ "(1, 2)", "int", false, 0 },
		{ "five", "int", true, 5 }, { "five + 1", "int", true, 6 },
		{ "twice[21]", "int", true, 42 },
		{ "twice[u]", "int", false, 0 },
		{ "RED", "int", true, 0 }, { "BLUE", "int", true, 6 },
		{ "sizeof (int)", "size_t", true, 4 },
		{ "sizeof (long)", "size_t", true, 8 },
		{ "sizeof (string)", "size_t", true, 256 },
		{ "sizeof (execname)", "size_t", true, 256 },
		{ "sizeof (point_t)", "size_t", true, 8 },
		{ "sizeof (vec)", "size_t", true, 16 },
		{ "sizeof (struct bits)", "size_t", true, 16 },
		{ "sizeof (pgoff_t)", "size_t", true, 8 },
		{ "sizeof (curthread->comm)", "size_t", true, 16 },
		{ "sizeof (struct vmlinux`task_struct)", "size_t", true, 112 },
		{ "offsetof(point_t, y)", "size_t", true, 4 },
		{ "offsetof(struct task_struct, comm)", "size_t", true, 4 },
		/* names */
		{ "u", "int", false, 0 }, { "pid", "pid_t", false, 0 },
		{ "tid", "id_t", false, 0 }, { "uid", "uid_t", false, 0 },
		{ "timestamp", "uint64_t", false, 0 },
		{ "walltimestamp", "int64_t", false, 0 },
		{ "arg0", "int64_t", false, 0 },
		{ "caller", "uintptr_t", false, 0 },
		{ "epid", "uint_t", false, 0 }, { "errno", "int", false, 0 },
		{ "curthread", "struct task_struct *", false, 0 },
		{ "execname", "string 16", false, 0 },
		{ "probefunc", "string 192", false, 0 },
		{ "probename", "string 64", false, 0 },
		{ "zonename", "string 256", false, 0 },
		{ "str", "string 256", false, 0 },
		{ "self->s", "string 256", false, 0 },
		{ "this->ts", "string 256", false, 0 },
		{ "self->si", "int", false, 0 },
		{ "pt", "point_t", false, 0 }, { "pt.y", "int", false, 0 },
		{ "vec[1]", "int", false, 0 },
		{ "m[2, \"y\"]", "uint64_t", false, 0 },
		{ "uregs[2]", "uint64_t", false, 0 },
		{ "args[0]", "int", false, 0 },
		{ "args[1]", "char *", false, 0 },
		{ "hello", "string 6", true, 0 },
		{ "`jiffies", "unsigned long", false, 0 },
		{ "&`jiffies", "unsigned long *", false, 0 },
		{ "&`do_exit", "void *", false, 0 },
		{ "vmlinux`init_task.pid", "int", false, 0 },
		{ "`idle.pid", "int", false, 0 },
		{ "&vmlinux`idle", "struct task_struct *", false, 0 },
		/* pointers and members */
		{ "curthread->parent->comm", "char [16]", false, 0 },
		{ "curthread->low", "unsigned int", false, 0 },
		{ "curthread->a", "long", false, 0 },
		{ "curthread->prio[2]", "int", false, 0 },
		{ "*curthread->parent", "struct task_struct", false, 0 },
		{ "&curthread->parent->pid", "int *", false, 0 },
		{ "&curthread->comm[2]", "char *", false, 0 },
		{ "curthread + 1", "struct task_struct *", false, 0 },
		{ "1 + curthread", "struct task_struct *", false, 0 },
		{ "curthread - curthread->parent", "long", false, 0 },
		{ "curthread->prio + 1", "int *", false, 0 },
		{ "curthread == 0", "int", false, 0 },
		{ "curthread->stack == curthread", "int", false, 0 },
		{ "SLEEPING", "enum state", true, 4 },
		{ "SLEEPING | 1", "int", true, 5 },
		{ "curthread->state == SLEEPING", "int", false, 0 },
		{ "curthread->state == RUNNING", "int", false, 0 },
		{ "SLEEPING == curthread->state", "int", false, 0 },
		{ "up->y", "int", false, 0 },
		{ "(userland int *)arg0", "int *", false, 0 },
		{ "*(int *)arg0", "int", false, 0 },
		{ "(uintptr_t)curthread", "uintptr_t", false, 0 },
		{ "here->x", "int", false, 0 },
		{ "here->y", "int", false, 0 },
		{ "xlate <point_t>(curthread).y", "int", false, 0 },
		/* strings */
		{ "execname == \"a\"", "int", false, 0 },
		{ "execname != NULL", "int", false, 0 },
		{ "strstr(execname, \"a\") == 0", "int", false, 0 },
		{ "curthread->comm == \"a\"", "int", false, 0 },
		{ "stringof(curthread->comm)", "string 17", false, 0 },
		{ "(string)curthread->name", "string 256", false, 0 },
		{ "stringof(arg0)", "string 256", false, 0 },
		{ "u ? execname : \"0123456789012345678\"", "string 20",
		  false, 0 },
		{ "u ? execname : curthread->name", "string 256", false, 0 },
		{ "strlen(curthread->comm)", "size_t", false, 0 },
		{ "copyin(arg0, 10)", "void *", false, 0 },
		{ "copyinstr(curthread->stack, 10)", "string 256", false, 0 },
		{ "strjoin(execname, \"x\")", "string 256", false, 0 },
		{ "index(\"a\", \"b\")", "int", false, 0 },
		{ "lltostr(1, 50)", "string 256", false, 0 },
		/* assignment */
		{ "u = 5l", "int", false, 0 },
		{ "new1 = 5l", "long", false, 0 },
		{ "new2++", "int64_t", false, 0 },
		{ "self->n += 2", "int64_t", false, 0 },
		{ "q[execname]++", "int64_t", false, 0 },
		{ "new3 = execname", "string 256", false, 0 },
		{ "new4 = curthread->low", "unsigned int", false, 0 },
		{ "str = 0", "string 256", false, 0 },
		{ "str = curthread->comm", "string 256", false, 0 },
		{ "pt = *(point_t *)arg0", "point_t", false, 0 },
		{ "new5 = &curthread->prio", "int (*)[4]", false, 0 },
		{ "chip = 1", "int", false, 0 },	/* not built: free */
	};
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct compile c;
		struct sb b;
		const struct ast_node *n = traced(&c, rows[i].expr);

		sb_init(&b, 256);
		if (type_is_string(n->type))
			sb_printf(&b, "string %d", (int)type_size(n->type));
		else
			type_print(n->type, NULL, &b);
		if (strcmp(sb_str(&b), rows[i].type) != 0 ||
		    n->is_const != rows[i].is_const)
			fail_msg("%s: %s%s", rows[i].expr, sb_str(&b),
				 n->is_const ? " const" : "");
		if (n->is_const && type_is_scalar(n->type) &&
		    n->value != rows[i].value)
			fail_msg("%s: %lld", rows[i].expr,
				 (long long)n->value);
		sb_fini(&b);
		compile_fini(&c);
	}
}

/* Where memory is the traced process's. */
static void
test_user(void **state)
{
	static const struct {
		const char *expr;
		bool is_user;
	} rows[] = {
		{ "up->y", true }, { "*up", true }, { "up[1].x", true },
		{ "*(userland int *)arg0", true }, { "up", false },
		{ "curthread->pid", false }, { "*(int *)arg0", false },
		{ "*&up->y", true },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct compile c;

		assert_int_equal(traced(&c, rows[i].expr)->is_user,
				 rows[i].is_user);
		compile_fini(&c);
	}
}

static void
test_members(void **state)
{
	static const struct {
		const char *expr;
		unsigned offset, size;
	} rows[] = {
		{ "curthread->high", 259, 5 }, { "curthread->comm", 32, 0 },
		{ "curthread->b", 640, 0 }, { "pt.y", 32, 0 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct compile c;
		const struct ast_node *n = traced(&c, rows[i].expr);

		assert_int_equal(n->bit_offset, rows[i].offset);
		assert_int_equal(n->bit_size, rows[i].size);
		assert_true(n->is_lvalue);
		compile_fini(&c);
	}
}

/* --- What lives as long as the session ----------------------------------- */

static const struct sema_ident *
find_ident(struct sema_ident *const *v, uint32_t n, const char *name)
{
	for (uint32_t i = 0; i < n; i++)
		if (strcmp(v[i]->name, name) == 0)
			return v[i];
	fail_msg("no %s", name);
	return NULL;
}

static void
good(struct compile *c, const char *text, unsigned flags)
{
	const struct sema_prog *p = compile(c, text, flags);

	if (!p || c->d.n)
		fail_msg("%s: %s", text,
			 c->d.first ? c->d.first->text : "no memory");
}

/* Keys grow with later uses, in later programs too. */
static void
test_keys(void **state)
{
	const struct sema_ident *id;
	struct compile c;
	uint32_t n;

	assert_true(compile_init(&c, "strsize=64"));
	good(&c, "BEGIN { @a[1, \"ab\"] = count(); m[\"x\"] = 1; }", 0);
	good(&c, "END { @a[arg0, execname] = count(); m[probefunc] = 2; "
	     "@b[curthread->comm, curthread->name] = sum(1); }", 0);
	struct sema_ident *const *v = sema_aggs(c.s, &n);
	assert_int_equal(n, 2);
	id = find_ident(v, n, "a");
	assert_int_equal(id->id, 1);
	assert_int_equal(id->func, ABI_AGG_COUNT);
	assert_int_equal(id->nkeys, 2);
	assert_int_equal(type_size(id->keys[0].type), 8);
	assert_int_equal(id->keys[1].size, 16);
	id = find_ident(v, n, "b");
	assert_int_equal(id->keys[0].size, 17);
	assert_int_equal(id->keys[1].size, 64);
	v = sema_vars(c.s, &n);
	assert_int_equal(n, 1);
	assert_true(v[0]->is_assoc);
	assert_int_equal(v[0]->keys[0].size, 64);
	assert_int_equal(v[0]->id, DIF_VAR_OTHER_UBASE);
	compile_fini(&c);
}

static void
test_quantize_args(void **state)
{
	const struct sema_ident *id;
	struct compile c;
	uint32_t n;

	assert_true(compile_init(&c, NULL));
	good(&c, "BEGIN { @l = lquantize(arg0, -10, 100, 20); "
	     "@d = lquantize(arg0, 0, 10); "
	     "@k = llquantize(arg0, 10, 0, 6, 20, 2); }", 0);
	struct sema_ident *const *v = sema_aggs(c.s, &n);
	id = find_ident(v, n, "l");
	assert_int_equal(ABI_LQ_BASE(id->agg_arg), -10);
	assert_int_equal(ABI_LQ_STEP(id->agg_arg), 20);
	assert_int_equal(ABI_LQ_LEVELS(id->agg_arg), 5);
	id = find_ident(v, n, "d");
	assert_int_equal(ABI_LQ_STEP(id->agg_arg), 1);
	assert_int_equal(ABI_LQ_LEVELS(id->agg_arg), 10);
	id = find_ident(v, n, "k");
	assert_int_equal(ABI_LLQ_FACTOR(id->agg_arg), 10);
	assert_int_equal(ABI_LLQ_LOW(id->agg_arg), 0);
	assert_int_equal(ABI_LLQ_HIGH(id->agg_arg), 6);
	assert_int_equal(ABI_LLQ_NSTEPS(id->agg_arg), 20);
	compile_fini(&c);
}

static void
test_args_raw(void **state)
{
	struct compile c;
	const struct sema_prog *p;

	assert_true(compile_init(&c, NULL));
	p = compile(&c, "io:::start { trace(args[0]->b_bcount); }", 0);
	assert_int_equal(c.d.n, 0);
	const struct ast_node *n = p->clauses[0].ast->body->kid[0]->list;
	assert_int_equal(n->kid[0]->kind, AST_INDEX);
	assert_int_equal(n->kid[0]->value, 1);
	compile_fini(&c);
}

/* Programs that must compile, whatever one thinks at first sight. */
static void
test_good(void **state)
{
	static const struct {
		const char *opts;
		unsigned flags;
		const char *text;
	} rows[] = {
		{ NULL, 0, "BEGIN { printa(@a); } END { @a = count(); }" },
		{ NULL, 0, "BEGIN { @a = count(); @b = sum(1); "
			   "printa(\"%@d %@d %@8u\\n\", @a, @b); }" },
		{ NULL, 0, "BEGIN { @a[pid, execname] = count(); "
			   "printa(\"%d\\n\", @a); printa(\"%*s %@d%%\\n\", @a);"
			   "clear(@a); trunc(@a); trunc(@a, -5); "
			   "normalize(@a, 10); denormalize(@a); }" },
		{ NULL, 0, "BEGIN { printf(\"%d %u %x %c %s %S %Y %p %a %i\","
			   " 1, 2u, arg0, 'a', execname, curthread->comm, "
			   "walltimestamp, curthread, caller, pid); }" },
		{ NULL, 0, "BEGIN { printf(\"%*d %.*s %%\", 5, 1, 3, "
			   "execname); }" },
		{ NULL, 0, "inline string fmt = \"%d\\n\"; "
			   "BEGIN { printf(fmt, 1); }" },
		{ NULL, 0, "BEGIN { x = speculation(); @ = count(); "
			   "speculate(x); trace(1); discard(x); clear(@); }" },
		{ NULL, 0, "BEGIN { speculate(1); commit(1); discard(2); }" },
		/* Each piece between ifs begins afresh. */
		{ NULL, 0, "BEGIN { trace(1); if (pid) { speculate(1); "
			   "trace(2); } else { commit(1); } commit(2); "
			   "if (pid) @ = count(); speculate(1); }" },
		{ "zdefs", 0, "nosuch:::x, pid123:::entry, my_prov*:::x { }" },
		{ "empty", 0, "" },
		{ NULL, LANG_LIBRARY, "" },
		{ NULL, 0, "int x; int x; int a[int, string]; "
			   "int a[int, string]; struct foo; struct foo *p;" },
		{ NULL, 0, "struct list { struct list *next; int v; }; "
			   "struct list *l; BEGIN { trace(l->next->v); }" },
		{ NULL, 0, "typedef int (*fn_t)(int, ...); struct ops { "
			   "fn_t f; int (*g)(void); };" },
		{ NULL, 0, "BEGIN { if (pid) { trace(1); } else trace(2); }" },
		{ NULL, 0, "BEGIN { self->p = curthread; self->p = 0; }" },
		{ NULL, 0, "BEGIN { this->s = execname; this->s = 0; "
			   "this->s = NULL; }" },
		{ "version=1.1", 0, "BEGIN { ucaller = 1; trace(ucaller); }" },
		{ "version=1.1", 0, "BEGIN { trace(strchr(\"a\", 'a')); }" },
		{ NULL, 0, "inline void *curpsinfo = curthread; "
			   "BEGIN { trace(curpsinfo); }" },
		{ NULL, 0, "#pragma D attributes Evolving/Stable/Common v\n"
			   "#pragma D binding \"1.2\" v\ninline int v = 1;\n"
			   "BEGIN { trace(v); }" },
		{ NULL, 0, "provider p { probe a__b(int, char *); probe c(); "
			   "probe d(struct task_struct *t) : (int t); };\n"
			   "#pragma D attributes Evolving/Stable/Common "
			   "provider p args\n" },
		{ NULL, 0, "4 { } dtrace::: { } ::: { }" },
		{ NULL, LANG_CMDLINE, "BEGIN" },
		{ NULL, 0, "BEGIN { @[curthread->state, `init_task] = "
			   "max(curthread->high); @x[curthread] = min(1); }" },
		{ NULL, 0, "BEGIN { @ = quantize(1, 2); @b = avg(arg0); "
			   "@c = stddev(arg0); }" },
		{ NULL, 0, "BEGIN { a[1] = 1; a[arg0] = 2; a[curthread] = 3; }" },
		{ "strsize=8", 0, "BEGIN { trace(\"longer than that\"); }" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct compile c;

		assert_true(compile_init(&c, rows[i].opts));
		good(&c, rows[i].text, rows[i].flags);
		compile_fini(&c);
	}
}

static void
test_is_type(void **state)
{
	struct compile c;

	assert_true(compile_init(&c, NULL));
	good(&c, "typedef int mine_t; int var;", 0);
	assert_true(sema_is_type(c.s, "mine_t"));
	assert_true(sema_is_type(c.s, "uint64_t"));
	assert_true(sema_is_type(c.s, "pgoff_t"));
	assert_false(sema_is_type(c.s, "var"));
	assert_false(sema_is_type(c.s, "pid"));
	assert_false(sema_is_type(c.s, "nosuch"));
	compile_fini(&c);
}

/* Strings are bounded by strsize, whatever the literal. */
static void
test_strsize(void **state)
{
	struct compile c;
	const struct sema_prog *p;

	assert_true(compile_init(&c, NULL));
	p = compile(&c, "#pragma D option strsize=8\n"
		    "BEGIN { trace(\"longer than that\"); }", 0);
	assert_int_equal(c.d.n, 0);
	const struct ast_node *n = p->clauses[0].ast->body->kid[0]->list;
	assert_int_equal(type_size(n->type), 8);
	p = compile(&c, "#pragma D option strsize=32\n"
		    "BEGIN { trace(probename); }", 0);
	n = p->clauses[0].ast->body->kid[0]->list;
	assert_int_equal(type_size(n->type), 32);
	compile_fini(&c);
}

static void
test_stability(void **state)
{
	static const struct probe_attr private = {
		PROBE_PRIVATE, PROBE_PRIVATE, PROBE_CLASS_ISA
	};
	struct compile c;
	const struct sema_prog *p;

	assert_true(compile_init(&c, NULL));
	p = compile(&c, "fbt:::entry { trace(curthread); } BEGIN { }", 0);
	assert_memory_equal(&p->clauses[0].probe_attr, &private,
			    sizeof(private));
	assert_int_equal(p->clauses[0].stmt_attr.name, PROBE_STABLE);
	assert_int_equal(p->clauses[0].stmt_attr.data, PROBE_PRIVATE);
	assert_int_equal(p->clauses[1].probe_attr.data, PROBE_STABLE);
	assert_int_equal(p->clauses[1].stmt_attr.data, PROBE_STABLE);
	/* What stands behind a clause is none of it. */
	p = compile(&c, "BEGIN { trace(pid); }"
		    "inline struct task_struct *me = curthread;", 0);
	assert_int_equal(p->clauses[0].stmt_attr.data, PROBE_STABLE);
	compile_fini(&c);
}

static void
test_minimum(void **state)
{
	struct compile c;

	assert_true(compile_init(&c, "amin=Evolving/Evolving/Common"));
	compile(&c, "BEGIN { trace(curthread); }", 0);
	assert_string_equal(c.d.first->text, "attributes (Stable/Private/Common) are "
			    "less than the predefined minimum "
			    "(Evolving/Evolving/Common)");
	compile_fini(&c);
}

/* A declaration that was refused declares nothing, and one is enough said. */
static void
test_bad_class(void **state)
{
	struct compile c;

	assert_true(compile_init(&c, NULL));
	compile(&c, "register int x; string x;", 0);
	assert_int_equal(c.d.n, 1);
	assert_int_equal(c.d.first->tag, D_DECL_BADCLASS);
	compile_fini(&c);
}

static void
test_asks_who(void **state)
{
	static const struct {
		enum sema_kind kind;
		uint32_t id;
		bool want;
	} rows[] = {
		{ SEMA_BVAR, 0x116 /* pid */, true },
		{ SEMA_BVAR, 0x118 /* execname */, true },
		{ SEMA_BVAR, 0x101 /* timestamp */, false },
		{ SEMA_SUBR, 8 /* copyin */, true },
		{ SEMA_SUBR, 0 /* rand */, false },
		{ SEMA_ACTION, ABI_ACT_RAISE, true },
		{ SEMA_ACTION, ABI_ACT_EXIT, false },
		/* the number alone does not say */
		{ SEMA_SUBR, 0x116, false }, { SEMA_BVAR, 8, false },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		assert_int_equal(sema_asks_who(rows[i].kind, rows[i].id),
				 rows[i].want);
}

/* --- The table and the numbers of others --------------------------------- */

struct number {
	const char *kind, *name;
	unsigned id;
	bool is_built;
};

#define NIL 0
#define DESTR 1
#define ARRAY 2
#define LATER 4
#define NEVER(WHY) LATER
#define DYN 8
#define WHO 16
static const struct number table[] = {
#define BUILTIN(KIND, name, id, proto, attr, version, flags, check) \
	{ #KIND, name, id, !((flags) & LATER) },
#include "sema/builtins.def"
#undef BUILTIN
};

static const struct number others[] = {
#define BVAR(NAME, name, id, size) { "BVAR", name, id, true },
#include "dif/bvars.def"
#undef BVAR
#define SUBR(NAME, name, no, args, result) { "SUBR", name, no, true },
#include "dif/subrs.def"
#undef SUBR
#define AGG(NAME, no, name, cells) { "AGGFUNC", name, no, true },
#include "abi/agg.def"
#undef AGG
	{ "ACTION", "trace", ABI_ACT_DIFEXPR, true },
	{ "ACTION", "print", ABI_ACT_PRINT, true },
	{ "ACTION", "printf", ABI_ACT_PRINTF, true },
	{ "ACTION", "printa", ABI_ACT_PRINTA, true },
	{ "ACTION", "exit", ABI_ACT_EXIT, true },
	{ "ACTION", "clear", ABI_ACT_CLEAR, true },
	{ "ACTION", "trunc", ABI_ACT_TRUNC, true },
	{ "ACTION", "normalize", ABI_ACT_NORMALIZE, true },
	{ "ACTION", "denormalize", ABI_ACT_DENORMALIZE, true },
	{ "ACTION", "tracemem", ABI_ACT_TRACEMEM, true },
	{ "ACTION", "printm", ABI_ACT_PRINTM, true },
	{ "ACTION", "freopen", ABI_ACT_FREOPEN, true },
	{ "ACTION", "ftruncate", ABI_ACT_FTRUNCATE, true },
	{ "ACTION", "setopt", ABI_ACT_SETOPT, true },
	{ "ACTION", "system", ABI_ACT_SYSTEM, true },
	{ "ACTION", "stop", ABI_ACT_STOP, true },
	{ "ACTION", "raise", ABI_ACT_RAISE, true },
	{ "ACTION", "chill", ABI_ACT_CHILL, true },
	{ "ACTION", "stack", ABI_ACT_STACK, true },
	{ "ACTION", "sym", ABI_ACT_SYM, true },
	{ "ACTION", "func", ABI_ACT_SYM, true },
	{ "ACTION", "mod", ABI_ACT_MOD, true },
	{ "ACTION", "speculate", ABI_ACT_SPECULATE, true },
	{ "ACTION", "commit", ABI_ACT_COMMIT, true },
	{ "ACTION", "discard", ABI_ACT_DISCARD, true },
	{ "ACTION", "ustack", ABI_ACT_USTACK, true },
	{ "ACTION", "jstack", ABI_ACT_JSTACK, true },
	{ "ACTION", "usym", ABI_ACT_USYM, true },
	{ "ACTION", "ufunc", ABI_ACT_USYM, true },
	{ "ACTION", "umod", ABI_ACT_UMOD, true },
	{ "ACTION", "uaddr", ABI_ACT_UADDR, true },
	{ "ENUM", "NULL", 0, true },
};

static const struct number *
find_number(const struct number *v, size_t n, const struct number *like)
{
	for (size_t i = 0; i < n; i++)
		if (v[i].is_built && strcmp(v[i].name, like->name) == 0 &&
		    strcmp(v[i].kind, like->kind) == 0)
			return &v[i];
	fail_msg("%s %s is in one table only", like->kind, like->name);
	return NULL;
}

static void
test_numbers(void **state)
{
	const size_t n = BASE_NELEMS(table), m = BASE_NELEMS(others);

	for (size_t i = 0; i < n; i++)
		if (table[i].is_built)
			assert_int_equal(find_number(others, m,
						     &table[i])->id,
					 table[i].id);
	for (size_t i = 0; i < m; i++)
		find_number(table, n, &others[i]);
}

/* Every prototype and type of the table can be taken apart. */
static void
test_prototypes(void **state)
{
	for (size_t i = 0; i < BASE_NELEMS(table); i++) {
		char text[256];
		struct compile c;

		if (!table[i].is_built || strcmp(table[i].kind, "ENUM") == 0)
			continue;
		assert_true(compile_init(&c, NULL));
		snprintf(text, sizeof(text),
			 !strcmp(table[i].kind, "BVAR") ? "BEGIN { %s; }" :
			 !strcmp(table[i].kind, "AGGFUNC")
			 ? "BEGIN { @ = %s(1,2,3,4,5,6,7,8,9); }"
			 : "BEGIN { %s(@a,2,3,4,5,6,7,8,9); }",
			 table[i].name);
		/* NULL would be lack of memory, as for a bad prototype. */
		if (!compile(&c, text, 0))
			fail_msg("%s", text);
		compile_fini(&c);
	}
}

/* --- What is too large --------------------------------------------------- */

/* pre, unit n times, mid, close n times, post: compiled; the first tag, or
 * DIAG_N. */
static enum diag_tag
repeated(const char *pre, const char *unit, const char *mid,
	 const char *close, const char *post, unsigned n)
{
	enum diag_tag tag = DIAG_N;
	struct compile c;
	struct sb b;

	sb_init(&b, 8 << 20);
	sb_puts(&b, pre);
	for (unsigned i = 0; i < n; i++)
		sb_printf(&b, unit, i);
	sb_puts(&b, mid);
	for (unsigned i = 0; i < n; i++)
		sb_puts(&b, close);
	sb_puts(&b, post);
	assert_false(b.failed);
	assert_true(compile_init(&c, NULL));
	compile(&c, sb_str(&b), 0);
	if (c.d.first)
		tag = c.d.first->tag;
	compile_fini(&c);
	sb_fini(&b);
	return tag;
}

/* An argument is copied once and weighs as often as it is used: 512 times. */
#define MUCH "inline int f[int k] = k + k + k + k + k + k + k + k;" \
	"inline int g[int k] = f[k] + f[k] + f[k] + f[k] + f[k] + f[k] + f[k] + f[k];" \
	"inline int h[int k] = g[k] + g[k] + g[k] + g[k] + g[k] + g[k] + g[k] + g[k];"
#define TEN "pid + pid + pid + pid + pid + pid + pid + pid + pid + pid"
#define MUCH_OF "BEGIN { x%u = h[" TEN " + " TEN " + " TEN " + " TEN "]; }"

static void
test_large(void **state)
{
	static const struct {
		const char *pre, *unit, *mid, *close, *post;
		unsigned n;
		enum diag_tag tag;
	} rows[] = {
		{ "BEGIN {", "v%u = 1;", "", "", "}", 0xffff - 0x500 + 1,
		  DIAG_N },
		{ "BEGIN {", "v%u = 1;", "", "", "}", 0xffff - 0x500 + 2,
		  D_NOREG },
		{ "BEGIN { x = ", "pid + ", "1; }", "", "", 1900, DIAG_N },
		{ "BEGIN { x = ", "(", "1", ")", "; }", 400, DIAG_N },
		/* each level uses the one inside twice */
		{ "inline int f[int k] = k + k; BEGIN { x = ", "f[", "pid",
		  "]", "; }", 10, DIAG_N },
		{ "inline int f[int k] = k + k; BEGIN { x = ", "f[", "pid",
		  "]", "; }", 60, D_CG_EXPR },
		{ "inline int f[int k] = k + 1; BEGIN { x = ", "f[", "pid",
		  "]", "; }", 300, DIAG_N },
		/* none of them is much, but all together */
		{ MUCH, MUCH_OF, "", "", "", 10, DIAG_N },
		{ MUCH, MUCH_OF, "", "", "", 150, D_CG_EXPR },
		{ "struct o { int m; }; translator struct o < int x > "
		  "{ m = x + x; }; BEGIN { x = ", "xlate <struct o>(", "pid",
		  ").m", "; }", 60, D_CG_EXPR },
		{ "struct o { int m; }; translator struct o < int x > "
		  "{ m = x; }; BEGIN { x = ", "xlate <struct o>(", "pid",
		  ").m", "; }", 100, DIAG_N },
		{ "enum e { ", "E%u,", "LAST }; BEGIN { x = LAST; }", "", "",
		  5000, DIAG_N },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		enum diag_tag tag = repeated(rows[i].pre, rows[i].unit,
					     rows[i].mid, rows[i].close,
					     rows[i].post, rows[i].n);
		if (tag != rows[i].tag)
			fail_msg("%s x %u: %s", rows[i].unit, rows[i].n,
				 tag == DIAG_N ? "accepted"
					       : diag_tag_name(tag));
	}
}

/* --- Lack of memory ------------------------------------------------------ */

static const char *const oom_programs[] = {
	"typedef struct point { int x, y; } point_t; enum e { A, B };\n"
	"int v[A + 3]; int m[string]; inline int twice[int n] = n * 2;\n"
	"translator point_t < struct task_struct *T > { x = T->pid; };\n"
	"inline point_t *here = xlate <point_t *>(curthread);\n"
	"BEGIN { trace(here->x + twice[v[1]]); }",

	"#pragma D option strsize=32\n"
	"syscall::read:entry, io:::start /pid == 1 && execname != \"x\"/\n"
	"{ self->a[args[0]] = timestamp; @l[probefunc, arg0] = "
	"lquantize(arg0, 0, 10); if (self->b++) printf(\"%s %d\", execname, "
	"pid); else printa(\"%s\", @l); }",

	"BEGIN { nosuch = nosuch2; trace(timestmp); printf(\"%s\", 1); "
	"prnt(); @a = coun(); curthread->con; } nosuch::: { }",

	"provider p { probe a(int x) : (int x); };\n"
	"#pragma D attributes Stable/Stable/Common provider p args\n"
	"#pragma D binding \"1.2\" late\ninline int late = 2;\n",
};

static void
compile_without_memory(const char *text, unsigned long nth, bool *failed)
{
	const struct sema_prog *p = NULL;
	struct compile c;

	util_alloc_fail(nth, 1);
	bool ok = compile_init(&c, NULL);
	if (ok)
		p = compile(&c, text, 0);
	util_alloc_fail(0, 0);
	*failed = !ok || !p;
	compile_fini(&c);
}

static void
test_memory(void **state)
{
	for (size_t i = 0; i < BASE_NELEMS(oom_programs); i++) {
		bool failed = true;
		unsigned long n;

		for (n = 1; failed && n < 5000; n++)
			compile_without_memory(oom_programs[i], n, &failed);
		assert_false(failed);
		assert_true(n > 10);
	}
}

/* What a wrong program defines is gone: it can be defined otherwise, and what
 * was there before still is. */
static void
test_withdrawn(void **state)
{
	static const struct { const char *wrong, *right; } rows[] = {
		{ "int x;", "string x; BEGIN { x = \"a\"; }" },
		{ "BEGIN { x = 1; }", "BEGIN { x = \"a\"; }" },
		{ "BEGIN { self->x = 1; this->x = 1; }",
		  "BEGIN { self->x = \"a\"; this->x = \"b\"; }" },
		{ "BEGIN { x[1] = 1; }", "BEGIN { x[\"a\", 1] = 1; }" },
		{ "BEGIN { @a = count(); @b[1] = sum(1); }",
		  "BEGIN { @a = sum(1); @b[\"x\"] = sum(1); }" },
		{ "struct s { int a; };",
		  "struct s { int b; }; struct s g; BEGIN { g.b = 1; }" },
		{ "typedef int new_t;",
		  "typedef char new_t[4]; BEGIN { trace(sizeof(new_t)); }" },
		{ "enum e { ONE = 1 };",
		  "enum e { ONE }; BEGIN { trace(ONE); }" },
		{ "inline int N = 1;",
		  "inline string N = \"a\"; BEGIN { trace(strlen(N)); }" },
		{ "struct o { int m; }; translator struct o < int *p > "
		  "{ m = *p; };",
		  "struct o { int m; }; translator struct o < int *p > "
		  "{ m = 2; }; BEGIN { trace(xlate <struct o> "
		  "((int *)arg0).m); }" },
		{ "provider mine { probe one(int); };",
		  "provider mine { probe one(char *); }; BEGIN { }" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct compile c;
		char text[512];
		uint32_t n;
		assert_true(compile_init(&c, NULL));
		assert_non_null(compile(&c, "int old; BEGIN { old = 1; "
					"@old[1] = count(); }", 0));
		assert_int_equal(c.d.n, 0);
		snprintf(text, sizeof(text), "%s END { trace(nosuch); }",
			 rows[i].wrong);
		compile(&c, text, 0);
		assert_int_equal(c.d.n, 1);
		sema_vars(c.s, &n);
		assert_int_equal(n, 1);
		sema_aggs(c.s, &n);
		assert_int_equal(n, 1);
		compile(&c, rows[i].right, 0);
		compile(&c, "BEGIN { old++; @old[2] = count(); }", 0);
		if (c.d.n != 1)
			fail_msg("%s: %s", rows[i].right,
				 c.d.first->next->text);
		compile_fini(&c);
	}
}

/* The same of a library, whose types are apart. */
static void
test_withdrawn_library(void **state)
{
	struct compile c;

	assert_true(compile_init(&c, NULL));
	compile(&c, "struct s { int a; }; typedef int new_t; "
		"inline int N = nosuch;", LANG_LIBRARY);
	assert_int_equal(c.d.n, 1);
	compile(&c, "struct s { int b; }; typedef char new_t[4]; "
		"inline int N = sizeof(new_t);", LANG_LIBRARY);
	compile(&c, "struct s *p; BEGIN { trace(p->b + N); }", 0);
	if (c.d.n != 1)
		fail_msg("%s", c.d.first->next->text);
	compile_fini(&c);
}

static unsigned nasked;

static const struct type *
count_type(void *ctx, const char *module, enum type_kind kind,
	   const char *name)
{
	nasked++;
	return NULL;
}

static const char *
count_hint(void *ctx, const char *module, enum type_kind kind,
	   const char *name, struct arena *a)
{
	nasked++;
	return NULL;
}

/* To look at a command it has to be begun, which none of a library's errors is
 * worth: what the kernel is asked may be missing there. */
static void
test_process_asked(void **state)
{
	static const struct {
		const char *text;
		unsigned nlibrary, nprogram;
	} rows[] = {
		{ "BEGIN { trace(sizeof (nosuch_t)); }", 0, 1 },
		{ "BEGIN { trace(((struct nosuch *)0)->x); }", 0, 2 },
		{ "BEGIN { trace(curthread->nosuch); }", 0, 1 },
		{ "BEGIN { trace(curthread->pid); }", 0, 0 },
	};
	struct sema_world world = test_world;

	world.find_process_type = count_type;
	world.no_process_type = count_hint;
	for (size_t i = 0; i < BASE_NELEMS(rows) * 2; i++) {
		struct compile c;
		unsigned flags = i & 1 ? LANG_LIBRARY : 0;

		assert_true(compile_init(&c, NULL));
		sema_free(c.s);
		assert_null(sema_new(c.a, &c.names, &c.opts, &world, &c.s));
		nasked = 0;
		compile(&c, rows[i / 2].text, flags);
		if (nasked != (flags ? rows[i / 2].nlibrary
				     : rows[i / 2].nprogram))
			fail_msg("%s: asked %u times", rows[i / 2].text, nasked);
		/* The parser asks before the text is sema's. */
		nasked = 0;
		assert_false(sema_is_type_in(c.s, "nosuch_t", flags));
		assert_int_equal(nasked, !flags);
		assert_false(sema_is_type_in(c.s, "nosuch_t", flags ^ LANG_LIBRARY));
		assert_int_equal(nasked, 1);
		compile_fini(&c);
	}
}

static unsigned
suggest_none(void *ctx, const struct probe_desc *d, struct arena *a,
	     const char **ret, unsigned n)
{
	return 0;
}

/* Where no probe is near, the parts of a description without a provider are told, if
 * it was filled from the right. */
static void
test_parts_told(void **state)
{
	static const char parts[] = "a description is PROVIDER:MODULE:FUNCTION:NAME, "
		"filled from the right: this has ";
	static const struct {
		const char *text, *want;
		unsigned flags;
	} rows[] = {
		{ "nosuch:x { }", "function nosuch and name x", 0 },
		{ "m:nosuch: { }", "module m, function nosuch and name *", 0 },
		{ "nosuch:x { }", NULL, LANG_TO_FUNCTION },
		{ "nosuch { }", NULL, 0 },
		{ "::nosuch:x { }", "function nosuch and name x", 0 },
	};
	struct sema_world world = test_world;

	world.suggest = suggest_none;
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct compile c;

		assert_true(compile_init(&c, NULL));
		sema_free(c.s);
		assert_null(sema_new(c.a, &c.names, &c.opts, &world, &c.s));
		compile(&c, rows[i].text, rows[i].flags);
		assert_int_equal(c.d.n, 1);
		const char *hint = c.d.first->hint ? c.d.first->hint : "";
		assert_int_equal(!strncmp(hint, parts, sizeof(parts) - 1),
				 rows[i].want != NULL);
		if (rows[i].want)
			assert_memory_equal(hint + sizeof(parts) - 1, rows[i].want,
					    strlen(rows[i].want));
		compile_fini(&c);
	}
}

/* A name of C++, with its colons; and a colon too many. */
static void
test_colons_told(void **state)
{
	static const char written[] = "of a name with :: each : is written ?, as in "
		"space??name";
	static const struct { const char *text, *hint; } rows[] = {
		{ "a:b:space::name:entry { }", written },
		{ "a:b:c:d:e { }", NULL },
		{ "a:b::: { }", "did you mean a:b::?" },
		{ ":::: { }", "did you mean :::?" },
		{ "a:b:::: { }", NULL },
		{ "a::b:c:d { }", written },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct compile c;

		assert_true(compile_init(&c, NULL));
		compile(&c, rows[i].text, 0);
		assert_int_equal(c.d.n, 1);
		if (!rows[i].hint)
			assert_null(c.d.first->hint);
		else
			assert_string_equal(c.d.first->hint, rows[i].hint);
		compile_fini(&c);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_colons_told),
		cmocka_unit_test(test_many_errors),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_user),
		cmocka_unit_test(test_members),
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_quantize_args),
		cmocka_unit_test(test_args_raw),
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_is_type),
		cmocka_unit_test(test_strsize),
		cmocka_unit_test(test_stability),
		cmocka_unit_test(test_minimum),
		cmocka_unit_test(test_bad_class),
		cmocka_unit_test(test_asks_who),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_prototypes),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_set_up),
		cmocka_unit_test(test_withdrawn),
		cmocka_unit_test(test_withdrawn_library),
		cmocka_unit_test(test_process_asked),
		cmocka_unit_test(test_parts_told),
		cmocka_unit_test(test_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
