/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Trees: precedence exhaustively, then expressions, types and items one by
 * one.  Whole programs are in tests/golden/parse.
 */
#include "fixture.h"

/* What `text` becomes as the only statement of a clause. */
static void
check_expr(const char *text, const char *tree)
{
	struct fixture f;
	char prog[512], want[1024];

	snprintf(prog, sizeof(prog), "BEGIN { %s }", text);
	snprintf(want, sizeof(want), "(clause \"BEGIN\"\n  (body\n    %s))",
		 tree);
	fixture_init(&f, 0, NULL, NULL);
	fixture_parse(&f, prog);
	assert_string_equal(fixture_diags(&f), "");
	assert_string_equal(fixture_dump(&f), want);
	fixture_fini(&f);
}

/* Section 5 of the language: higher binds tighter. */
static const struct {
	const char *text;
	int level;
} binaries[] = {
	{ "*", 11 }, { "/", 11 }, { "%", 11 }, { "+", 10 }, { "-", 10 },
	{ "<<", 9 }, { ">>", 9 }, { "<", 8 }, { "<=", 8 }, { ">", 8 },
	{ ">=", 8 }, { "==", 7 }, { "!=", 7 }, { "&", 6 }, { "^", 5 },
	{ "|", 4 }, { "&&", 3 }, { "^^", 2 }, { "||", 1 }, { ",", 0 },
};

static void
test_precedence(void **state)
{
	char text[64], tree[64];

	for (size_t i = 0; i < BASE_NELEMS(binaries); i++) {
		for (size_t j = 0; j < BASE_NELEMS(binaries); j++) {
			const char *p = binaries[i].text, *q = binaries[j].text;
			bool left = binaries[i].level >= binaries[j].level;

			snprintf(text, sizeof(text), "a %s b %s c", p, q);
			if (left)
				snprintf(tree, sizeof(tree),
					 "(%s (%s a b) c)", q, p);
			else
				snprintf(tree, sizeof(tree),
					 "(%s a (%s b c))", p, q);
			check_expr(text, tree);
		}
	}
}

static void
test_assignments(void **state)
{
	static const char *const ops[] = {
		"=", "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|=", "<<=",
		">>=",
	};
	char text[64], tree[64];

	for (size_t i = 0; i < BASE_NELEMS(ops); i++) {
		snprintf(text, sizeof(text), "a %s b = c ? d : e, f", ops[i]);
		snprintf(tree, sizeof(tree), "(, (%s a (= b (? c d e))) f)",
			 ops[i]);
		check_expr(text, tree);
	}
}

static void
test_expressions(void **state)
{
	static const struct {
		const char *text, *tree;
	} rows[] = {
		{ "!~-+*&a", "(! (~ (neg (plus (deref (addr a))))))" },
		{ "++a--", "(preinc (postdec a))" },
		{ "--a++", "(predec (postinc a))" },
		{ "a++ + ++b", "(+ (postinc a) (preinc b))" },
		{ "-a[1]", "(neg (index a 1))" },
		{ "*a->b", "(deref (-> a b))" },
		{ "&a.b.c", "(addr (. (. a b) c))" },
		{ "(a + b) * c", "(* (+ a b) c)" },
		{ "a ? b : c ? d : e", "(? a b (? c d e))" },
		{ "a ? b ? c : d : e", "(? a (? b c d) e)" },
		{ "a ? b, c : d", "(? a (, b c) d)" },
		{ "f()", "(call f)" },
		{ "f(a, b = c)", "(call f a (= b c))" },
		{ "f((a, b))", "(call f (, a b))" },
		{ "args[0]->x", "(-> (index args 0) x)" },
		{ "a[1, \"x\"]", "(index a 1 \"x\")" },
		{ "a[1][2]", "(index (index a 1) 2)" },
		{ "this->x", "this->x" },
		{ "self->x[1]", "(index self->x 1)" },
		{ "self->x->y", "(-> self->x y)" },
		{ "self->if + this->int", "(+ self->if this->int)" },
		{ "a->self.string", "(. (-> a self) string)" },
		{ "@ = count()", "(= (@_) (call count))" },
		{ "@x[a, b] = sum(c)", "(= (@x a b) (call sum c))" },
		{ "`x + m`y", "(+ `x m`y)" },
		{ "LM1`libc`x", "LM1`libc`x" },
		{ "sizeof a + b", "(+ (sizeof a) b)" },
		{ "sizeof (a) + b", "(+ (sizeof a) b)" },
		{ "sizeof (int) + b", "(+ (sizeof (decl - (spec int))) b)" },
		{ "sizeof (foo_t *)",
		  "(sizeof (decl - (spec foo_t) (ptr)))" },
		{ "stringof a->b", "(stringof (-> a b))" },
		{ "stringof (a) == b", "(== (stringof a) b)" },
		{ "offsetof(struct x, y)",
		  "(offsetof (decl - (spec struct x)) y)" },
		{ "offsetof(foo_t, int)", "(offsetof (decl - (spec foo_t)) int)" },
		{ "xlate <foo_t> (a).b", "(. (xlate (decl - (spec foo_t)) a) b)" },
		{ "xlate<foo_t *>(a)->b",
		  "(-> (xlate (decl - (spec foo_t) (ptr)) a) b)" },
		{ "(int)a + b", "(+ (cast (decl - (spec int)) a) b)" },
		{ "(foo_t)-a", "(cast (decl - (spec foo_t)) (neg a))" },
		{ "(bar)-a", "(- bar a)" },
		{ "(bar *)a", "(cast (decl - (spec bar) (ptr)) a)" },
		{ "(foo_t)(a)", "(cast (decl - (spec foo_t)) a)" },
		{ "(string)a[0]", "(cast (decl - (spec string)) (index a 0))" },
		{ "(struct m`t *)a",
		  "(cast (decl - (spec struct m`t) (ptr)) a)" },
		{ "(m`foo_t *)a", "(cast (decl - (spec m`foo_t) (ptr)) a)" },
		{ "(userland char *)a",
		  "(cast (decl - (spec userland char) (ptr)) a)" },
		/* A type's name that is used as something else. */
		{ "(foo_t + 1)", "(+ foo_t 1)" },
		{ "(foo_t->x)", "(-> foo_t x)" },
		{ "1.5 + .5", "(+ (float 1.5) (float .5))" },
		{ "a-1", "(- a 1)" },
		{ "a- -1", "(- a (neg 1))" },
		{ "a/b/c", "(/ (/ a b) c)" },
		{ "a^^b", "(^^ a b)" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		check_expr(rows[i].text, rows[i].tree);
}

/* A name that this program assigns is no type there, whoever else says so. */
static void
test_shadowed_type(void **state)
{
	check_expr("(code) - a", "(cast (decl - (spec code)) (neg a))");
	check_expr("code = 1, (code) - a", "(, (= code 1) (- code a))");
}

/* The environment may have to read the kernel's types to answer. */
static void
test_types_not_asked(void **state)
{
	struct fixture f;

	fixture_init(&f, 0, NULL, NULL);
	fixture_parse(&f, "BEGIN, END { x = stringof(y); (z) == 1; f((w)); "
		      "if (a) b; -(c); (x) - 1; (d)->e; (int)g; }\n"
		      "tick-1s /(a)/ { (struct s *)b; (foo_t *)c; }\n"
		      "self int d; self foo_t *e; foo { (h) }");
	assert_string_equal(fixture_diags(&f), "");
	assert_int_equal(f.nasked, 0);
	fixture_fini(&f);
}

static void
test_statements(void **state)
{
	static const struct {
		const char *body, *tree;
	} rows[] = {
		{ "", "" },
		{ ";", "\n    (empty)" },
		{ "a", "\n    a" },
		{ "a;", "\n    a" },
		{ "a;;b", "\n    a\n    (empty)\n    b" },
		{ "if (a) b", "\n    (if a\n      b)" },
		{ "if (a) b; c", "\n    (if a\n      b)\n    c" },
		{ "if (a) { b; c } d", "\n    (if a\n      b\n      c)\n    d" },
		{ "if (a) { b }; c", "\n    (if a\n      b)\n    c" },
		{ "if (a) b; else c", "\n    (if a\n      b\n    else\n      c)" },
		{ "if (a) b else c", "\n    (if a\n      b\n    else\n      c)" },
		{ "if (a) { b } else { c }; d",
		  "\n    (if a\n      b\n    else\n      c)\n    d" },
		{ "if (a) { b }; else { c }",
		  "\n    (if a\n      b\n    else\n      c)" },
		/* A dangling else goes with the nearest if. */
		{ "if (a) if (b) c; else d",
		  "\n    (if a\n      (if b\n        c\n      else\n        d))" },
		{ "if (a) { if (b) c; } else d",
		  "\n    (if a\n      (if b\n        c)\n    else\n      d)" },
		{ "if (a) b; else if (c) d; else e",
		  "\n    (if a\n      b\n    else\n      (if c\n        d\n"
		  "      else\n        e))" },
		{ "if (a) ; b", "\n    (if a\n      (empty))\n    b" },
		{ "if (a) {} b", "\n    (if a)\n    b" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct fixture f;
		char prog[256], want[512];

		snprintf(prog, sizeof(prog), "BEGIN { %s }", rows[i].body);
		snprintf(want, sizeof(want), "(clause \"BEGIN\"\n  (body%s))",
			 rows[i].tree);
		fixture_init(&f, 0, NULL, NULL);
		fixture_parse(&f, prog);
		assert_string_equal(fixture_diags(&f), "");
		assert_string_equal(fixture_dump(&f), want);
		fixture_fini(&f);
	}
}

static void
test_predicates(void **state)
{
	static const struct {
		const char *text, *tree;
	} rows[] = {
		{ "b /a/ {}", "a" },
		{ "b /a/{}", "a" },
		{ "b/a/ /* c */ {}", "a" },
		{ "b\n/a/\n{}", "a" },
		{ "b /a / c/ {}", "(/ a c)" },
		{ "b /a /c / d/ {}", "(/ (/ a c) d)" },
		{ "b /a == \"/ {\" / {}", "(== a \"/ {\")" },
		{ "b /a / /* / { */ c / {}", "(/ a c)" },
		{ "b /(a) / (c)/ {}", "(/ a c)" },
		{ "b /a/", "a" },
		{ "b /a/;", "a" },
		{ "b /a//* c */{}", "a" },
		{ "b /a/ // c\n{}", "a" },
		{ "b /a/{} // c", "a" },
		{ "b // c's\n/a /* // d */ / // e */ /\nc/ {}", "(/ a c)" },
		{ "// c\nb /a == \"//\"/ {}", "(== a \"//\")" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct fixture f;
		char want[128];

		snprintf(want, sizeof(want), "(clause \"b\"\n  (pred %s)%s",
			 rows[i].tree, strchr(rows[i].text, '}') ?
			 "\n  (body))" : ")");
		fixture_init(&f, 0, NULL, NULL);
		fixture_parse(&f, rows[i].text);
		assert_string_equal(fixture_diags(&f), "");
		assert_string_equal(fixture_dump(&f), want);
		fixture_fini(&f);
	}
}

static void
test_declarations(void **state)
{
	static const struct {
		const char *text, *tree;
	} rows[] = {
		{ "int a;", "(declare (decl a (spec int)))" },
		{ "int a, *b;",
		  "(declare (decl a (spec int)) (decl b (spec int) (ptr)))" },
		{ "int *a[3];", "(declare (decl a (spec int) (array 3) (ptr)))" },
		{ "int (*a)[3];",
		  "(declare (decl a (spec int) (ptr) (array 3)))" },
		{ "int *(*a)[3];",
		  "(declare (decl a (spec int) (ptr) (array 3) (ptr)))" },
		{ "int a[2][3];",
		  "(declare (decl a (spec int) (array 2) (array 3)))" },
		{ "int a[];", "(declare (decl a (spec int) (array)))" },
		{ "char *const *volatile a;",
		  "(declare (decl a (spec char) (ptr volatile) (ptr const)))" },
		{ "extern int f(void);", "(declare (decl f (spec extern int) "
		  "(func (decl - (spec void)))))" },
		{ "int (*f)(int a, char *, ...);", "(declare (decl f (spec int)"
		  " (ptr) (func (decl a (spec int)) (decl - (spec char) (ptr))"
		  " ...)))" },
		{ "int (*f)();", "(declare (decl f (spec int) (ptr) (func)))" },
		{ "int f(int (*)(int), int [3]);", "(declare (decl f (spec int)"
		  " (func (decl - (spec int) (ptr) (func (decl - (spec int))))"
		  " (decl - (spec int) (array 3)))))" },
		{ "self int a;", "(declare (decl a (spec self int)))" },
		{ "this string a;", "(declare (decl a (spec this string)))" },
		{ "self foo_t *a;",
		  "(declare (decl a (spec self foo_t) (ptr)))" },
		{ "self unknown a;", "(declare (decl a (spec self unknown)))" },
		{ "foo_t a;", "(declare (decl a (spec foo_t)))" },
		{ "foo_t *a;", "(declare (decl a (spec foo_t) (ptr)))" },
		{ "foo_t*a;", "(declare (decl a (spec foo_t) (ptr)))" },
		{ "int*a;", "(declare (decl a (spec int) (ptr)))" },
		{ "foo_t(*a)(int);", "(declare (decl a (spec foo_t) (ptr) "
		  "(func (decl - (spec int)))))" },
		{ "m`foo_t a;", "(declare (decl a (spec m`foo_t)))" },
		{ "int a[string, int];", "(declare (decl a (spec int) (array "
		  "assoc (decl - (spec string)) (decl - (spec int)))))" },
		{ "self int a[foo_t];", "(declare (decl a (spec self int) "
		  "(array assoc (decl - (spec foo_t)))))" },
		{ "unsigned long long int a;", "(declare (decl a (spec unsigned"
		  " long long int)))" },
		{ "const volatile char a;",
		  "(declare (decl a (spec const volatile char)))" },
		{ "struct s;", "(declare (decl - (spec struct s)))" },
		{ "struct s { int a, b; char *c; } x;",
		  "(declare (decl x (spec struct s { (decl a (spec int)) "
		  "(decl b (spec int)) (decl c (spec char) (ptr)) })))" },
		{ "union u { int a; };",
		  "(declare (decl - (spec union u { (decl a (spec int)) })))" },
		{ "struct { int a : 3, : 2; unsigned : 0; };",
		  "(declare (decl - (spec struct { (decl a (spec int) : 3) "
		  "(decl - (spec int) : 2) (decl - (spec unsigned) : 0) })))" },
		{ "struct { struct { int a; }; union { int b; } c; };",
		  "(declare (decl - (spec struct { (decl - (spec struct { "
		  "(decl a (spec int)) })) (decl c (spec union { (decl b "
		  "(spec int)) })) })))" },
		{ "struct { foo_t foo_t; };", "(declare (decl - (spec struct { "
		  "(decl foo_t (spec foo_t)) })))" },
		{ "struct m`t *a;",
		  "(declare (decl a (spec struct m`t) (ptr)))" },
		{ "enum e { A, B = 2 + 1, C, };", "(declare (decl - (spec enum "
		  "e { A B = (+ 2 1) C })))" },
		{ "typedef int t; t *a;",
		  "(declare (decl t (spec typedef int)))\n"
		  "(declare (decl a (spec t) (ptr)))" },
		{ "typedef struct s *t; BEGIN { (t)-1 }",
		  "(declare (decl t (spec typedef struct s) (ptr)))\n"
		  "(clause \"BEGIN\"\n  (body\n    (cast (decl - (spec t)) "
		  "(neg 1))))" },
		{ "inline int a = 1 + 2;",
		  "(inline (decl a (spec int)) (+ 1 2))" },
		{ "inline foo_t *a[int k] = b[k];",
		  "(inline (decl a (spec foo_t) (array assoc (decl k (spec "
		  "int))) (ptr)) (index b k))" },
		{ "translator struct s < foo_t *t > { a = t->b; if = 1; };",
		  "(translator (decl - (spec struct s)) (decl t (spec foo_t) "
		  "(ptr))\n  (a (-> t b))\n  (if 1))" },
		{ "provider p { probe a(); probe b__c(int x, char *) : "
		  "(char *y, int x); };",
		  "(provider p\n  (probe a ( ))\n  (probe b__c ( (decl x (spec "
		  "int)) (decl - (spec char) (ptr)) ) ( (decl y (spec char) "
		  "(ptr)) (decl x (spec int)) )))" },
		{ "static int a;", "(declare (decl a (spec static int)))" },
		{ "userland char *a;",
		  "(declare (decl a (spec userland char) (ptr)))" },
		{ "_Bool a;", "(declare (decl a (spec _Bool)))" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct fixture f;

		fixture_init(&f, 0, NULL, NULL);
		fixture_parse(&f, rows[i].text);
		assert_string_equal(fixture_diags(&f), "");
		assert_string_equal(fixture_dump(&f), rows[i].tree);
		fixture_fini(&f);
	}
}

/* Spans: what a diagnostic would underline. */
static void
test_spans(void **state)
{
	static const char text[] = "BEGIN\n/a + f(b)/ { x[1] = (y)->z; }";
	struct fixture f;

	fixture_init(&f, 0, NULL, NULL);
	fixture_parse(&f, text);
	const struct ast_clause *c = f.prog->items->u.clause;
	const struct ast_node *set = c->body->kid[0];
	const struct {
		struct lang_span span;
		const char *text;
	} rows[] = {
		{ c->descs->span, "BEGIN" },
		{ c->pred->span, "a + f(b)" },
		{ c->pred->op_span, "+" },
		{ c->pred->kid[1]->span, "f(b)" },
		{ c->pred->kid[1]->op_span, "f" },
		{ set->span, "x[1] = (y)->z" },
		{ set->op_span, "=" },
		{ set->kid[0]->span, "x[1]" },
		{ set->kid[1]->span, "(y)->z" },
		{ set->kid[1]->op_span, "z" },
		{ c->span, text },
	};
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		assert_int_equal(rows[i].span.len, strlen(rows[i].text));
		assert_memory_equal(text + rows[i].span.off, rows[i].text,
				    rows[i].span.len);
	}
	assert_true(set->kid[1]->kid[0]->parens);
	fixture_fini(&f);
}

/* What the command line may leave out, and a library must. */
static void
test_flags(void **state)
{
	static const struct {
		unsigned flags;
		const char *text;
		bool ok;
	} rows[] = {
		{ 0, "BEGIN", false }, { LANG_CMDLINE, "BEGIN", true },
		{ LANG_CMDLINE, "BEGIN,END", true },
		{ LANG_CMDLINE, "a b", false },
		{ 0, "BEGIN /x/", true }, { 0, "", true }, { 0, ";;", true },
		{ LANG_LIBRARY, "BEGIN {}", false },
		{ LANG_LIBRARY, "inline int a = 1;", true },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct fixture f;

		fixture_init(&f, rows[i].flags, NULL, NULL);
		fixture_parse(&f, rows[i].text);
		assert_int_equal(f.diags.n == 0, rows[i].ok);
		fixture_fini(&f);
	}
}

const struct CMUnitTest parse_tests[] = {
	cmocka_unit_test(test_precedence),
	cmocka_unit_test(test_assignments),
	cmocka_unit_test(test_expressions),
	cmocka_unit_test(test_shadowed_type),
	cmocka_unit_test(test_types_not_asked),
	cmocka_unit_test(test_statements),
	cmocka_unit_test(test_predicates),
	cmocka_unit_test(test_declarations),
	cmocka_unit_test(test_spans),
	cmocka_unit_test(test_flags),
};
const size_t n_parse_tests = BASE_NELEMS(parse_tests);
