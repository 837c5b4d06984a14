/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What is left of the system's headers for D.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "session/program_priv.h"

#define SYS "# 1 \"/usr/include/x.h\" 1 3 4\n"
#define END "# 2 \"x.d\" 2\n"

/* What remains, one blank for any number of them, without markers; or NULL when
 * nothing changes at all. */
static const struct { const char *in, *out; } rows[] = {
	/* what is not a system header stays */
	{ "int f(void);\nBEGIN { exit(0); }\n", NULL },
	{ "# 1 \"mine.h\" 1\nextern int x;\n" END "BEGIN{}", NULL },
	{ SYS END "BEGIN { trace(1); }\n", NULL },
	{ SYS "typedef unsigned int u;\n" END "u x;\n", NULL },
	{ SYS "struct s { int a; int (*f)(int); };\n", NULL },
	{ SYS "enum { A = (1 << 2), B };\n", NULL },
	{ SYS "typedef void (*handler)(int);\n", NULL },
	{ "BEGIN { trace(\n# 4 \"x.d\" 3 4\n(0)\n# 4 \"x.d\"\n ); }", NULL },
	/* functions and variables go */
	{ SYS "\n# 7 \"/usr/include/x.h\" 3 4\nextern int x;struct s;",
	  "struct s;" },
	{ SYS "extern int f(int);struct s { int a; };", "struct s { int a; };" },
	{ SYS "int f(int a)\n{ if (a) { return 1; } return 2; }\nstruct s;",
	  "struct s;" },
	{ SYS "struct s *f(void) __attribute__((pure));struct t;", "struct t;" },
	{ SYS "static const int x = 5; extern char **env; enum e { A };",
	  "enum e { A };" },
	{ SYS "_Static_assert(1, \"};\");struct s;", "struct s;" },
	/* but for the types that they define */
	{ SYS "extern const struct s { int a; } all[];struct t;",
	  "struct s { int a; }; struct t;" },
	{ SYS "static const struct s all[] = { { 1 }, };struct t;", "struct t;" },
	{ SYS "static enum e x = { 1 };struct t;", "struct t;" },
	{ SYS "extern enum { A, B } x;", "enum { A, B };" },
	{ SYS "extern struct { int a; } x;struct t;", "struct t;" },
	{ SYS "struct s { int a; } *f(int) __attribute__((pure));struct t;",
	  "struct s { int a; }; struct t;" },
	{ SYS "static inline struct s *f(void) { struct t { int a; } x; }struct t;",
	  "struct t;" },
	/* words of a compiler go; those that tell of a type stay */
	{ SYS "__extension__ typedef __signed__ long x;",
	  "typedef __signed__ long x;" },
	{ SYS "__inline int f(void); typedef int x __attribute__((__may_alias__));",
	  "typedef int x __attribute__((__may_alias__));" },
	{ SYS "struct s { const char *__restrict p; };", NULL },
	{ SYS "struct s { int a; } __attribute__((packed));struct t;", NULL },
	{ SYS "typedef int w __attribute__ ((__mode__ (__word__)));", NULL },
	{ SYS "__attribute__((pure)) int f(int);struct t;", "struct t;" },
	{ SYS "__attribute__((x(1))) typedef int u;struct t;", NULL },
	{ SYS "struct s { __int128 a; };struct t;", NULL },
	{ SYS "#pragma pack(1)\nstruct s { int a; };", NULL },
	/* words of D: a member, parameter or tag may be called so */
	{ SYS "struct s { int self; struct probe *p; };struct t;", NULL },
	{ SYS "typedef int f(char *string, enum x *this);", NULL },
	{ SYS "struct string { int x; };", NULL },
	{ SYS "typedef char *string;struct t;", "struct t;" },
	{ SYS "enum e { A, counter };struct t;", "struct t;" },
	/* errno */
	{ "trace(\n# 4 \"x.d\" 3 4\n(*__errno_location ())\n# 4 \"x.d\"\n );",
	  "trace(\nerrno\n);" },
	{ "a[(*__errno_location())] = 1;", "a[errno ] = 1;" },
	{ "(*__errno_location (", NULL }, { "(*__errno_location", NULL },
	{ "__errno_location())", NULL }, { "(*__errno_location(1))", NULL },
	/* functions of D */
	{ "x = __builtin_alloca (8);", "x = alloca (8);" },
	{ "__xpg_basename(s)", "basename (s)" },
	{ "(__builtin_constant_p(x) ? x : __fswab16(x))",
	  "(1| (x) ? x : htons (x))" },
	{ "my__xpg_basename(s)", NULL }, { "__builtin_alloca", "alloca" },
	/* a header in the middle of another's declaration */
	{ SYS "extern\n# 1 \"/usr/include/y.h\" 1 3\nint\n"
	  "# 9 \"/usr/include/x.h\" 2 3\nf(void);\nstruct s;\n", "struct s;" },
	/* cut off anywhere */
	{ SYS "extern int f(", "" }, { SYS "struct s { int a", NULL },
	{ SYS "struct s __attribute__((", NULL },
	{ SYS "extern char *s = \"", "" }, { SYS "'\\", "" }, { SYS, NULL },
	{ "#", NULL }, { "", NULL },
};

/* Into to: markers left out, blanks run together and none at the ends. */
static void
squeeze(char *to, const char *from)
{
	char *start = to;

	while (*from) {
		if (*from == '#') {
			from += strcspn(from, "\n");
		} else if (!strchr(" \t\n", *from)) {
			*to++ = *from++;
		} else {
			if (to > start && to[-1] != ' ')
				*to++ = ' ';
			from++;
		}
	}
	*to = '\0';
}

static void
check(const char *in, const char *out)
{
	size_t n = strlen(in);
	char *text = malloc(n), *all = calloc(1, n + 1);
	char got[512], want[512];

	assert_true(text && all);
	memcpy(text, in, n);		/* no NUL behind it */
	session_only_types(text, n);
	memcpy(all, text, n);
	for (size_t i = 0; i < n; i++)	/* lines stay */
		assert_int_equal(in[i] == '\n', all[i] == '\n');
	squeeze(got, all);
	squeeze(want, out ? out : in);
	got[strcspn(got, "#")] = '\0';
	size_t end = strlen(got), wend = strlen(want);
	while (end && got[end - 1] == ' ')
		got[--end] = '\0';
	while (wend && want[wend - 1] == ' ')
		want[--wend] = '\0';
	assert_string_equal(got, want);
	if (!out)
		assert_string_equal(all, in);
	free(text);
	free(all);
}

static void
only_types(void **state)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		check(rows[i].in, rows[i].out);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(only_types) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
