/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Types, objects and statements: what is told of each, and what is refused.
 * Speaks TAP.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>


#include "tap.h"
#include "told.h"

static dtrace_typeinfo_t ti;

static int
is_type(const char *text)
{
	return dtrace_type_strcompile(tap_h, text, &ti) == 0;
}

static int
is(dtrace_typekind_t kind, const char *object, const char *name,
   unsigned long size, unsigned flags)
{
	int good = ti.dtt_kind == kind && !strcmp(ti.dtt_object, object) &&
		!strcmp(ti.dtt_name, name) && ti.dtt_size == size &&
		ti.dtt_flags == flags && ti.dtt_type;

	if (!good)
		printf("# kind %d of %s, %s: %lu bytes, flags %u\n",
		       ti.dtt_kind, ti.dtt_object, ti.dtt_name,
		       (unsigned long)ti.dtt_size, ti.dtt_flags);
	return good;
}

/* Members as text: name:offset/bits=value type. */
static int
member(dtrace_hdl_t *h, const dtrace_member_t *m, void *only)
{
	if (only && strcmp(m->dtm_name, only))
		return 0;
	tell("%s:%lu/%u=%ld %s;", m->dtm_name,
	     (unsigned long)m->dtm_bit_offset, m->dtm_bit_size,
	     (long)m->dtm_value,
	     m->dtm_type.dtt_type ? m->dtm_type.dtt_name : "-");
	return only ? 7 : 0;
}

static int
members(const char *want)
{
	told[0] = '\0';
	int good = dtrace_type_members(tap_h, &ti, member, NULL) == 0 &&
		!strcmp(told, want);

	if (!good)
		printf("# members %s\n", told);
	return good;
}

static void
spelled(void)
{
	ok(is_type("int") && is(DTRACE_TYPE_INT, "C", "int", 4, DTT_FL_SIGNED),
	   "int");
	ok(is_type(" const unsigned long long\n") && ti.dtt_size == 8 &&
	   ti.dtt_kind == DTRACE_TYPE_INT && !ti.dtt_flags, "qualified");
	ok(is_type("char [16]") && ti.dtt_count == 16 &&
	   is(DTRACE_TYPE_ARRAY, "C", "char [16]", 16, 0), "an array");
	ok(!dtrace_type_target(tap_h, &ti, &ti) &&
	   is(DTRACE_TYPE_INT, "C", "char", 1, DTT_FL_SIGNED), "of chars");
	ok(dtrace_type_target(tap_h, &ti, &ti) == -1 &&
	   dtrace_errno(tap_h) == EDT_INVALID, "which have no target");
	ok(is_type("userland char *") && ti.dtt_flags == DTT_FL_USER,
	   "a pointer into a process");
	ok(is_type("int (*)(char, void *)") &&
	   ti.dtt_kind == DTRACE_TYPE_POINTER &&
	   !dtrace_type_target(tap_h, &ti, &ti) &&
	   ti.dtt_kind == DTRACE_TYPE_FUNCTION &&
	   members(":0/0=0 char;:0/0=0 void *;") &&
	   !dtrace_type_target(tap_h, &ti, &ti) && !strcmp(ti.dtt_name, "int"),
	   "a pointer to a function");
	ok(is_type("string") && ti.dtt_kind == DTRACE_TYPE_STRING, "D's own");
	ok(is_type("void *") && !dtrace_type_target(tap_h, &ti, &ti) &&
	   is(DTRACE_TYPE_VOID, "C", "void", 0, 0), "void");
	ok(is_type("struct nosuch *") && !dtrace_type_target(tap_h, &ti, &ti)
	   && ti.dtt_kind == DTRACE_TYPE_FORWARD, "one that is only declared");
}

static void
defined(void)
{
	ok(is_type("struct mine { int a : 3; char b; struct { int c; }; }") &&
	   is(DTRACE_TYPE_STRUCT, "D", "struct mine", 8, 0) &&
	   members("a:0/3=0 int;b:8/0=0 char;:32/0=0 struct {...};"),
	   "a struct of one's own");
	ok(is_type("enum { A = 5, B = -1 }") && ti.dtt_size == 4 &&
	   members("A:0/0=5 -;B:0/0=-1 -;"), "an enum");
	ok(compile("BEGIN { trace(sizeof (struct mine)); }") != NULL,
	   "programs know what was defined");
	ok(!dtrace_lookup_by_type(tap_h, "D", "struct mine", &ti) &&
	   ti.dtt_size == 8, "and so do look-ups");
	ok(is_type("int") && members(""), "an int has no members");
}

/* Nothing but a type, however it is asked for. */
static void
refused(void)
{
	static const char *const rows[] = {
		"", " ", "int x", "nosuch_t", "int)", "int) x; BEGIN { }",
		"int; BEGIN { exit(0); }", "BEGIN { }", "int [", "struct",
		"#pragma D option quiet\nint x", "#pragma D option quiet\nint",
		"int\n#pragma D option quiet", "[", "int int", "sizeof (int)",
		"struct { int a; } b", "vmlinux`nosuch", "3", "\"int\"", "$1",
		"/* int", "provider x { }", "struct x { struct x y; }",
	};
	int64_t quiet = 0;
	char big[70000];
	int good = 1;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		int got = dtrace_type_strcompile(tap_h, rows[i], &ti);
		if (got == -1 && dtrace_errno(tap_h) == EDT_COMPILER &&
		    dtrace_errmsg(tap_h, 0)[0])
			continue;
		printf("# %s: %d, %s\n", rows[i], got,
		       dtrace_errmsg(tap_h, dtrace_errno(tap_h)));
		good = 0;
	}
	ok(good, "what is no type is refused");
	ok(!dtrace_getopt(tap_h, "quiet", &quiet) && quiet != 1,
	   "and does nothing");
	memset(big, 'a', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	ok(!is_type(big), "a name of any length");
	ok(dtrace_lookup_by_type(tap_h, "vmlinux", big, &ti) == -1 &&
	   dtrace_errno(tap_h) == EDT_NOTFOUND &&
	   dtrace_lookup_by_type(tap_h, big, "int64_t", &ti) == -1 &&
	   dtrace_errno(tap_h) == EDT_NOTFOUND, "or of an object");
	memset(big, '(', sizeof(big) - 1);
	memcpy(big, "int ", 4);
	ok(!is_type(big), "and of any depth");
	memset(big, '*', sizeof(big) - 1);
	memcpy(big, "int ", 4);
	ok(!is_type(big) || ti.dtt_kind == DTRACE_TYPE_POINTER,
	   "or of so many stars");
}

static void
from_file(void)
{
	static char text[] = "pid_t\n", nul[] = "int\0int";
	FILE *fp = fmemopen(text, strlen(text), "r");

	ok(!dtrace_type_fcompile(tap_h, fp, &ti) && ti.dtt_size == 4 &&
	   !strcmp(ti.dtt_name, "pid_t") && ti.dtt_kind == DTRACE_TYPE_INT,
	   "from a file");
	fclose(fp);
	fp = fmemopen(nul, sizeof(nul), "r");
	ok(dtrace_type_fcompile(tap_h, fp, &ti) == -1 &&
	   dtrace_errno(tap_h) == EDT_COMPILER, "not with a NUL in it");
	fclose(fp);
	fp = fopen("/", "r");
	ok(dtrace_type_fcompile(tap_h, fp, &ti) == -1 &&
	   dtrace_errno(tap_h) == EDT_OS, "nor from what cannot be read");
	fclose(fp);
}

static int
not_there(const char *object, const char *name)
{
	return dtrace_lookup_by_type(tap_h, object, name, &ti) == -1 &&
		dtrace_errno(tap_h) == EDT_NOTFOUND;
}

static void
looked_up(void)
{
	const char *const every = DTRACE_OBJ_EVERY;

	if (access("/sys/kernel/btf/vmlinux", R_OK)) {
		ok(1, "the kernel's types # SKIP it does not tell them");
		return;
	}
	ok(!dtrace_lookup_by_type(tap_h, "vmlinux", "struct task_struct", &ti)
	   && ti.dtt_kind == DTRACE_TYPE_STRUCT && ti.dtt_size > 1000 &&
	   !strcmp(ti.dtt_object, "vmlinux") &&
	   !strcmp(ti.dtt_name, "struct task_struct"), "of the kernel");
	told[0] = '\0';
	ok(dtrace_type_members(tap_h, &ti, member, (void *)"pid") == 7 &&
	   strstr(told, "/0=0 pid_t;"), "its members");
	ok(!dtrace_lookup_by_type(tap_h, every, "struct task_struct", &ti) &&
	   !strcmp(ti.dtt_object, "vmlinux") &&
	   !dtrace_lookup_by_type(tap_h, NULL, "struct  file", &ti) &&
	   !dtrace_lookup_by_type(tap_h, "vmlinux", "pid_t", &ti) &&
	   !dtrace_lookup_by_type(tap_h, "vmlinux", "unsigned int", &ti) &&
	   !strcmp(ti.dtt_name, "unsigned int"), "wherever they are");
	ok(not_there("vmlinux", "nosuch_t") && not_there(every, "nosuch_t") &&
	   not_there("nosuch", "pid_t") && not_there("a b", "pid_t") &&
	   not_there("", "pid_t") && not_there("vmlinux", "") &&
	   not_there(every, "") && not_there("vmlinux", "struct nosuch") &&
	   not_there(every, "struct nosuch") && not_there("vmlinux", "struct")
	   && not_there("D", "struct nosuch2") &&
	   not_there("vmlinux", "pid_t; BEGIN { }"), "or not there");
}

static void
symbols(void)
{
	dtrace_syminfo_t info;
	Elf64_Sym sym;

	if (dtrace_lookup_by_name(tap_h, DTRACE_OBJ_EVERY, "vfs_read", &sym,
				  &info)) {
		ok(1, "types of symbols # SKIP the kernel has none");
		return;
	}
	ok(!dtrace_symbol_type(tap_h, &sym, &info, &ti) &&
	   ti.dtt_kind == DTRACE_TYPE_FUNCTION &&
	   members("file:0/0=0 struct file *;buf:0/0=0 char *;"
		   "count:0/0=0 size_t;pos:0/0=0 loff_t *;"), "the type of a function");
	ok(!dtrace_symbol_type(tap_h, &sym, NULL, &ti) &&
	   ti.dtt_kind == DTRACE_TYPE_FUNCTION, "by its address");
	info.dts_name = "nosuch";
	ok(dtrace_symbol_type(tap_h, &sym, &info, &ti) == -1 &&
	   dtrace_errno(tap_h) == EDT_NOTFOUND, "of one that is not there");
	ok(dtrace_symbol_type(tap_h, NULL, NULL, &ti) == -1 &&
	   dtrace_errno(tap_h) == EDT_INVALID, "of none");
}

/* --- Objects ------------------------------------------------------------------ */

static int nobjects;
static dtrace_objinfo_t kernel;

static int
object(dtrace_hdl_t *h, const dtrace_objinfo_t *o, void *arg)
{
	dtrace_objinfo_t same;

	if (o->dto_id != nobjects || !o->dto_name[0] || !o->dto_file ||
	    o->dto_flags != (nobjects ? DTRACE_OBJ_F_KERNEL :
			     DTRACE_OBJ_F_KERNEL | DTRACE_OBJ_F_PRIMARY) ||
	    dtrace_object_info(h, o->dto_name, &same) ||
	    same.dto_id != o->dto_id || same.dto_text_va != o->dto_text_va)
		return 5;
	if (!nobjects++)
		kernel = *o;
	return arg ? 6 : 0;
}

static void
objects(void)
{
	Elf64_Sym sym;

	if (dtrace_object_iter(tap_h, object, NULL) == -1 &&
	    dtrace_errno(tap_h) == EDT_UNSUPPORTED) {
		ok(1, "objects # SKIP the kernel hides its addresses");
		return;
	}
	nobjects = 0;
	ok(!dtrace_object_iter(tap_h, object, NULL) && nobjects > 0,
	   "each object");
	ok(!strcmp(kernel.dto_name, "vmlinux") &&
	   kernel.dto_text_size > 1 << 20, "the kernel");
	ok(!dtrace_lookup_by_name(tap_h, "vmlinux", "vfs_read", &sym, NULL) &&
	   sym.st_value - kernel.dto_text_va < kernel.dto_text_size &&
	   (dtrace_lookup_by_name(tap_h, "vmlinux", "init_task", &sym, NULL) ||
	    sym.st_value - kernel.dto_data_va < kernel.dto_data_size),
	   "has its symbols in its parts");
	nobjects = 0;
	ok(dtrace_object_iter(tap_h, object, &sym) == 6 && nobjects == 1,
	   "a walk that is ended");
	ok(dtrace_object_info(tap_h, "nosuch", &kernel) == -1 &&
	   dtrace_errno(tap_h) == EDT_NOTFOUND &&
	   dtrace_object_info(tap_h, NULL, &kernel) == -1 &&
	   dtrace_object_info(tap_h, DTRACE_OBJ_EVERY, &kernel) == -1,
	   "one that is not there");
}

/* --- Statements --------------------------------------------------------------- */

static int
statement(dtrace_hdl_t *h, dtrace_prog_t *p, dtrace_stmtdesc_t *st, void *arg)
{
	const dtrace_probedesc_t *d = &st->dtsd_ecbdesc->dted_probe;

	if (d->dtpd_id)
		tell("id %u ", d->dtpd_id);	/* a description names no probe */
	tell("%u %s:%s:%s:%s %d %s;",
	     st->dtsd_clause, d->dtpd_provider, d->dtpd_mod, d->dtpd_func,
	     d->dtpd_name, st->dtsd_ecbdesc->dted_pred,
	     dtrace_stability_name(st->dtsd_descattr.dtat_name));
	return arg ? 8 : 0;
}

static int
is_refused(void)
{
	return dtrace_errno(tap_h) == EDT_UNSUPPORTED &&
		strlen(dtrace_errmsg(tap_h, EDT_UNSUPPORTED)) > 10;
}

static void
statements(void)
{
	dtrace_ecbdesc_t ecb = { 0 };
	dtrace_stmtdesc_t st = { &ecb, 0, { 0, 0, 0 }, { 0, 0, 0 } };
	dtrace_prog_t *p = compile("BEGIN, profile:::tick-1s /1/ { }"
				   " END { exit(0); }");

	if (!p)
		dfatal("statements");
	told[0] = '\0';
	ok(!dtrace_stmt_iter(tap_h, p, statement, NULL) &&
	   !strcmp(told, "0 :::BEGIN 1 Evolving;0 profile:::tick-1s 1 Evolving;"
		   "1 :::END 0 Stable;"), "statements");
	if (tap_bad)
		printf("# %s\n", told);
	ok(dtrace_stmt_iter(tap_h, p, statement, p) == 8, "up to one");
	ok(!dtrace_stmt_create(tap_h, &ecb) && is_refused() &&
	   !dtrace_stmt_action(tap_h, &st) && is_refused() &&
	   dtrace_stmt_add(tap_h, p, &st) == -1 && is_refused(),
	   "are not made by hand");
	dtrace_stmt_destroy(tap_h, NULL);
	ok(!dtrace_dof_create(tap_h, p, 0) && is_refused() &&
	   !dtrace_getopt_dof(tap_h) && is_refused() &&
	   !dtrace_geterr_dof(tap_h) && is_refused(), "there is no DOF");
	dtrace_dof_destroy(tap_h, NULL);
}

/* The header is of what this handle has compiled; tests/e2e/provide builds programs
 * with it. */
static void
own_probes(void)
{
	char *text = NULL, dir[] = "/tmp/own.XXXXXX", path[64];
	size_t size = 0;
	FILE *fp = open_memstream(&text, &size);
	dtrace_prog_t *p = dtrace_program_strcompile(tap_h,
		"provider own { probe a__b(int, char *); };",
		DTRACE_PROBESPEC_NONE, DTRACE_C_EMPTY, 0, NULL);

	if (!p || !fp || !mkdtemp(dir))
		dfatal("provider own");
	ok(!dtrace_program_header(tap_h, fp, "own.h") &&
	   strstr(text, "#define OWN_A_B(arg0, arg1)"), "a header");
	fclose(fp);
	free(text);
	snprintf(path, sizeof(path), "%s/own.o", dir);
	ok(dtrace_program_link(tap_h, p, 1, path, 0, NULL) == -1 &&
	   dtrace_program_link(tap_h, p, 0, path, 1, NULL) == -1 &&
	   dtrace_program_link(tap_h, NULL, 0, path, 0, NULL) == -1 &&
	   dtrace_program_link(tap_h, p, 0, NULL, 0, NULL) == -1 &&
	   access(path, F_OK), "no object of what is wrong");
	ok(!dtrace_program_link(tap_h, p, 0, path, 0, NULL) &&
	   !access(path, R_OK), "an object");
	unlink(path);
	rmdir(dir);
}

int
main(void)
{
	int err;

	tap_h = dtrace_open(DTRACE_VERSION, DTRACE_O_NODEV, &err);
	if (!tap_h)
		dfatal("dtrace_open");
	spelled();
	defined();
	refused();
	from_file();
	looked_up();
	symbols();
	objects();
	statements();
	own_probes();
	return plan();
}
