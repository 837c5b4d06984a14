/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Libraries in directories: which are found, what they depend on, what is said of one
 * that is wrong, and that a program that is wrong leaves none behind.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "session/program_priv.h"

enum { FILES = 4 };
static char dir[] = "/tmp/test-libs.XXXXXX";

struct file { const char *name, *text; };

static const char *
path_of(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static void
write_files(const struct file *files)
{
	for (int i = 0; i < FILES && files[i].name; i++) {
		FILE *f = fopen(path_of(files[i].name), "we");
		assert_non_null(f);
		fputs(files[i].text, f);
		fclose(f);
	}
}

static void
unlink_files(const struct file *files)
{
	for (int i = 0; i < FILES && files[i].name; i++)
		unlink(path_of(files[i].name));
}

static void
set(struct session *s, const char *name, const char *value)
{
	assert_null(opt_set_value(session_opts(s), name, value,
				  OPT_FROM_COMMAND, false));
}

/* Nothing that is installed: option is libdir or syslibdir. */
static struct session *
start(const char *option)
{
	struct session *s;

	assert_null(session_new(&s));
	set(s, "syslibdir", dir);
	set(s, option, dir);
	return s;
}

/* The first thing that is wrong; "": nothing. */
static const char *
said(struct session *s, const char *text)
{
	static char first[512];
	const struct diag_list *diags;
	struct session_prog *p;

	struct err *e = session_compile(s, "x.d", text, strlen(text),
					PROBE_SPEC_NAME, 0, NULL, 0, &diags, &p);
	bool failed = e;
	snprintf(first, sizeof(first), "%s", !failed ? "" :
		 diags->first ? diags->first->text : e->text);
	err_free(e);
	return first;
}

#define DEPENDS(kind, name) "#pragma D depends_on " kind " " name "\n"

static const struct row {
	struct file files[FILES];
	const char *text, *named, *found;
	/* What is said (a part; NULL: nothing) where the directory is named, and where
	 * libraries are only looked for when a name is not known. */
} rows[] = {
	{ { { "a.d", "inline int a = 1;" } }, "BEGIN { trace(a); }" },
	{ { { "a.d", "inline int a = 1;" } }, "BEGIN { trace(b); }",
	  "b", "b" },
	{ { { "a.d", DEPENDS("library", "b.d") "inline int a = b;" },
	    { "b.d", "inline int b = 1;" } }, "BEGIN { trace(a); }" },
	{ { { "b.d", DEPENDS("library", "a.d") "inline int b = a;" },
	    { "a.d", "inline int a = 1;" } }, "BEGIN { trace(a + b); }" },
	/* No kind of dependency but the one that is missing keeps a library out. */
	{ { { "a.d", DEPENDS("provider", "nosuch") "inline int a = 1;" } },
	  "BEGIN { trace(a); }", "a", "a" },
	{ { { "a.d", DEPENDS("provider", "syscall") "inline int a = 1;" } },
	  "BEGIN { trace(a); }" },
	{ { { "a.d", DEPENDS("module", "nosuch") "inline int a = 1;" } },
	  "BEGIN { trace(a); }", "a", "a" },
	{ { { "a.d", DEPENDS("module", "../module") "inline int a = 1;" } },
	  "BEGIN { trace(a); }", "a", "a" },
	{ { { "a.d", DEPENDS("module", "vmlinux") "inline int a = 1;" } },
	  "BEGIN { trace(a); }" },
	{ { { "a.d", DEPENDS("library", "b.d") "inline int a = 1;" },
	    { "b.d", DEPENDS("module", "nosuch") "inline int b = 1;" } },
	  "BEGIN { trace(a); }", "a", "a" },
	/* What is missing is told when the library is wanted. */
	{ { { "a.d", DEPENDS("library", "nosuch.d") "inline int a = 1;" } },
	  "BEGIN { trace(1); }",
	  "library a depends on library nosuch.d, which is in none", NULL },
	{ { { "a.d", DEPENDS("library", "b.d") "inline int a = 1;" },
	    { "b.d", DEPENDS("library", "a.d") "inline int b = 1;" } },
	  "BEGIN { trace(1); }", "libraries depend on each other: b on a", NULL },
	{ { { "a.d", "inline int a = nosuch;" } }, "BEGIN { trace(1); }",
	  "nosuch", NULL },
	{ { { "a.d", "inline int a = nosuch;" } }, "BEGIN { trace(a); }",
	  "nosuch", "nosuch" },
	/* The first that defines a name counts. */
	{ { { "a.d", "inline int x = 1;" }, { "b.d", "inline string x = \"\";" } },
	  "BEGIN { trace(1 + x); }", "x", NULL },
	/* A struct is no variable of the same name. */
	{ { { "a.d", "inline int x = 1;" }, { "b.d", "struct x { int i; };" } },
	  "BEGIN { trace(sizeof(struct x)); }" },
	{ { { "a.d", "struct x { int i; };" }, { "b.d", "inline int x = 1;" } },
	  "BEGIN { trace(x); }" },
	/* These are no libraries. */
	{ { { ".a.d", "inline int a = 1;" } }, "BEGIN { trace(a); }", "a", "a" },
	{ { { "a.x", "inline int a = 1;" } }, "BEGIN { trace(a); }", "a", "a" },
	{ { { "ad", "inline int a = 1;" } }, "BEGIN { trace(a); }", "a", "a" },
	{ { { ".d", "inline int a = 1;" } }, "BEGIN { trace(a); }", "a", "a" },
	/* By its name, whether it has one that anybody uses or not. */
	{ { { "a.d", "inline int a = 1;" } },
	  "import \"a\"; BEGIN { trace(a); }" },
	{ { { "a.d", "inline int a = 1;" } },
	  "import \"b\"; BEGIN { trace(1); }",
	  "there is no library \"b\"", "there is no library \"b\"" },
	{ { { "a.d", DEPENDS("module", "nosuch") "inline int a = 1;" } },
	  "import \"a\"; BEGIN { trace(1); }",
	  "library \"a\" cannot be used", "library \"a\" cannot be used" },
};

static void
check(const struct row *r, const char *option, const char *want)
{
	struct session *s = start(option);

	/* the next program is told the same */
	for (int again = 0; again < 2; again++) {
		const char *text = said(s, r->text);
		if (want ? !*text || !strstr(text, want) : *text)
			fail_msg("%s, %s%s: %s", option, r->text, again ? " again" : "", text);
	}
	session_free(s);
}

static void
test_rows(void **state)
{
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		write_files(rows[i].files);
		check(&rows[i], "libdir", rows[i].named);
		check(&rows[i], "syslibdir", rows[i].found);
		unlink_files(rows[i].files);
	}
}

/* A directory of that name, a pipe and a link to nothing are passed over. */
static void
test_no_files(void **state)
{
	static const struct file files[FILES] = { { "a.d", "inline int a = 1;" } };

	assert_int_equal(mkdir(path_of("0.d"), 0700), 0);
	assert_int_equal(mkfifo(path_of("1.d"), 0600), 0);
	assert_int_equal(symlink("/nosuch", path_of("2.d")), 0);
	write_files(files);
	struct session *s = start("libdir");
	assert_string_equal(said(s, "BEGIN { trace(a); }"), "");
	session_free(s);
	unlink_files(files);
	unlink(path_of("2.d"));
	unlink(path_of("1.d"));
	rmdir(path_of("0.d"));
}

static void
test_no_directory(void **state)
{
	struct session *s;

	for (int named = 0; named < 2; named++) {
		assert_null(session_new(&s));
		set(s, named ? "libdir" : "syslibdir", "/nosuch");
		assert_non_null(strstr(said(s, "BEGIN { trace(nosuch); }"),
				       "failed to open library directory "
				       "/nosuch"));
		session_free(s);
	}
}

/* With a program that is wrong its libraries go; the next one has them anew.  What was
 * wrong with a library may be mended; one that was right stays as it was read. */
static void
test_again(void **state)
{
	static const struct file good[FILES] = {
		{ "a.d", "inline int a = 1;" },
		{ "b.d", DEPENDS("library", "a.d") "inline int b = a;" },
	};

	for (int named = 0; named < 2; named++) {
		write_files(good);
		struct session *s = start(named ? "libdir" : "syslibdir");
		assert_string_not_equal(said(s, "BEGIN { trace(b); c(); }"), "");
		assert_string_equal(said(s, "BEGIN { trace(b); }"), "");
		assert_string_equal(said(s, "BEGIN { trace(a + b); }"), "");
		unlink_files(good);
		assert_string_equal(said(s, "BEGIN { trace(b); }"), "");
		session_free(s);
	}
}

static void
test_nolibs(void **state)
{
	static const struct file files[FILES] = { { "a.d", "inline int a = 1;" } };

	write_files(files);
	for (int named = 0; named < 2; named++) {
		struct session *s = start(named ? "libdir" : "syslibdir");
		set(s, "nolibs", NULL);
		assert_string_not_equal(said(s, "BEGIN { trace(a); }"), "");
		session_free(s);
	}
	unlink_files(files);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_no_files),
		cmocka_unit_test(test_no_directory),
		cmocka_unit_test(test_again),
		cmocka_unit_test(test_nolibs),
	};

	if (!mkdtemp(dir))
		return 1;
	int failed = cmocka_run_group_tests_name("session-libs", tests, NULL,
						 NULL);
	rmdir(dir);
	return failed;
}
