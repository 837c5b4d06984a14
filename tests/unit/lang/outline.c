/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Outlines: a text, and the names that it defines, each with the first letter
 * of its kind.
 */
#include "fixture.h"
#include "lang/outline.h"

static bool
on_name(void *ctx, enum lang_name_kind kind, struct base_span name)
{
	static const char *const kinds[] = {
		[LANG_NAME_IDENT] = "id", [LANG_NAME_TYPE] = "type",
		[LANG_NAME_TAG] = "tag", [LANG_NAME_XLATOR] = "xlator",
		[LANG_NAME_SPACE] = "space",
	};

	sb_printf(ctx, "%s:%.*s ", kinds[kind], (int)name.n, name.p);
	return true;
}

static bool
on_depends(void *ctx, struct base_span kind, struct base_span name,
	   struct lang_span span)
{
	sb_printf(ctx, "needs:%.*s:%.*s@%u+%u ", (int)kind.n, kind.p,
		  (int)name.n, name.p, span.off, span.len);
	return true;
}

static void
outline(const char *text, struct sb *b)
{
	struct lang_source src = { .text = text,
				   .size = (uint32_t)strlen(text) };
	const struct lang_outline o = { b, on_name, on_depends };

	sb_reset(b);
	assert_true(lang_outline(&src, 0, src.size, &o));
}

static void
test_names(void **state)
{
	static const struct { const char *text, *want; } rows[] = {
		{ "", "" },
		{ "inline int A = 3; inline int B = A;", "id:A id:B " },
		{ "inline file_t fds[int fd, int x] = xlate <file_t>(a < b);",
		  "id:fds " },
		{ "inline psinfo_t *cur = xlate <psinfo_t *>(x);", "id:cur " },
		{ "typedef int a_t; typedef struct s b_t, *c_t;",
		  "type:a_t type:b_t type:c_t " },
		{ "typedef struct s { int i; struct in { int j; } k; } s_t;",
		  "tag:s tag:in type:s_t " },
		{ "typedef int (*fn_t)(int a, char b); typedef char v_t[3];",
		  "type:fn_t type:v_t " },
		{ "typedef struct { int (*f)(int g); char (h); } s_t; int x;", "type:s_t id:x " },
		{ "typedef int (*fn_t)(int (*g)(char h), struct s { int (*i)(void); } j); int x;",
		  "type:fn_t tag:s id:x " },
		{ "typedef union u { struct { int a[(2)]; } b; } (*u_t), *v_t; int x;",
		  "tag:u type:u_t type:v_t id:x " },
		{ "struct a { int b[3], c; }; struct d; union e { int f; } g;",
		  "tag:a tag:e id:g " },
		{ "struct a b; struct a *c, d;", "id:b id:c id:d " },
		{ "enum { A, B = 1 << 2, C = (D, 5), E }; enum f { G };",
		  "id:A id:B id:C id:E tag:f id:G " },
		{ "int x, *y, z[10]; string s[int, string];",
		  "id:x id:y id:z id:s " },
		{ "self int x; this int y; int z;", "id:z " },
		{ "translator out_t < struct in *p > { a = p->b; c = (int)d; };"
		  "int x;", "xlator:out_t id:x " },
		{ "translator struct out < in_t p > { a = 1; };",
		  "xlator:out " },
		{ "int f(int a, char *b) { return a + 1; } int x;",
		  "id:f id:x " },
		{ "namespace n { inline int A = 1; struct s { int i; };"
		  " enum { E }; } int x;", "space:n id:x " },
		{ "provider p { probe a(int x); }; int x;", "id:x " },
		{ "import \"x\"; int y;", "id:y " },
		/* What only looks like something. */
		{ "/* int a; */ inline string B = \"int c; \\\" {\"; int d;",
		  "id:B id:d " },
		{ "inline int A = ';'; int b;", "id:A id:b " },
		{ "#pragma D depends_on provider io\nint a;\n"
		  " #pragma D depends_on library x.d\n",
		  "needs:provider:io@0+32 id:a needs:library:x.d@41+32 " },
		{ "#pragma D binding \"1.2\" x\nint a;", "id:a " },
		/* What is not closed. */
		{ "struct a { int b;", "tag:a " },
		{ "inline string A = \"b; int c;", "id:A " },
		{ "/* int a;", "" },
		{ ") ] ; int a;", "id:a " },
		{ "int a; } int b;", "id:a " },
		{ "#", "" }, { "#pragma D depends_on", "needs::@0+20 " },
	};
	struct sb b;

	sb_init(&b, 1 << 16);
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		outline(rows[i].text, &b);
		if (strcmp(sb_str(&b), rows[i].want))
			fail_msg("%s: %s", rows[i].text, sb_str(&b));
	}
	sb_fini(&b);
}

/* Any part of a text will do. */
static void
test_parts(void **state)
{
	static const char text[] = "namespace n { enum a { B = 'c' }; /* d */ "
		"translator e < f \"g\" > { h = (i[2]); }; }\n#line 7\nint j;";
	struct lang_source src = { .text = text, .size = sizeof(text) - 1 };
	struct sb b;

	sb_init(&b, 1 << 20);
	const struct lang_outline o = { &b, on_name, on_depends };
	for (uint32_t from = 0; from <= src.size; from++)
		for (uint32_t to = from; to <= src.size; to++)
			assert_true(lang_outline(&src, from, to, &o));
	sb_fini(&b);
}

static bool
no_more(void *ctx, enum lang_name_kind kind, struct base_span name)
{
	return --*(int *)ctx > 0;
}

static void
test_ended(void **state)
{
	static const char text[] = "int a, b, c;";
	struct lang_source src = { .text = text, .size = sizeof(text) - 1 };
	int left = 2;
	const struct lang_outline o = { &left, no_more, NULL };

	assert_false(lang_outline(&src, 0, src.size, &o));
	assert_int_equal(left, 0);
}

const struct CMUnitTest outline_tests[] = {
	cmocka_unit_test(test_names), cmocka_unit_test(test_parts),
	cmocka_unit_test(test_ended),
};
const size_t n_outline_tests = BASE_NELEMS(outline_tests);
