/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What is known of a program once it is compiled: which thread and which words its
 * clauses look at, its probes' types; the preprocessor before it, and what is said
 * when it is too large.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/base.h"
#include "prov/site.h"
#include "session/program_priv.h"
#include "session/session_priv.h"

static struct session *s;

static int
setup(void **state)
{
	return session_new(&s) != NULL;
}

static int
teardown(void **state)
{
	session_free(s);
	return 0;
}

static struct err *
compile(const char *text, const struct diag_list **diags)
{
	struct session_prog *p;

	return session_compile(s, "x.d", text, strlen(text), PROBE_SPEC_NAME, 0,
			       NULL, 0, diags, &p);
}

static void
compiled(const char *text)
{
	const struct diag_list *diags;

	if (compile(text, &diags))
		fail_msg("%s: %s", text, diags->first ? diags->first->text : "");
	assert_non_null(s->compiling.tried.plan);
}

#define ARG(n) (1u << (n))
#define MEMORY	PROV_LOOKS_MEMORY

/* A body of syscall::read:entry, whether it asks who fires, and what it looks at. */
static const struct {
	const char *text;
	bool who;
	unsigned looks;
} rows[] = {
	{ "{ trace(timestamp); }", false, 0 },
	{ "{ n++; @ = count(); }", false, 0 },
	{ "{ printf(\"%d\", cpu); }", false, 0 },
	{ "{ trace(pid); }", true, 0 },
	{ "/pid/ { trace(1); }", true, 0 },
	{ "{ @[execname] = count(); }", true, 0 },
	{ "{ @ = sum(tid); }", true, 0 },
	{ "{ if (cpu) { trace(uid); } }", true, 0 },
	{ "{ if (cpu) { trace(1); } else { trace(uid); } }", true, 0 },
	{ "{ if (ppid) { n = 1; } }", true, 0 },
	{ "{ self->x = 1; }", true, 0 },
	{ "{ trace(self->x); }", true, 0 },
	{ "{ self->y[1] = 1; }", true, 0 },
	{ "{ trace(self->y[1]); }", true, 0 },
	{ "{ this->x = 1; trace(this->x); t[1] = 1; trace(t[1]); }", false, 0 },
	{ "{ stack(); }", true, 0 },
	{ "{ ustack(); }", true, 0 },
	{ "{ @[stack()] = count(); }", true, 0 },
	{ "{ @[cpu, ustack()] = count(); }", true, 0 },
	{ "{ trace(arg0); }", true, ARG(0) },
	{ "{ trace(arg2); }", false, ARG(2) },
	{ "/arg1/ { @[arg9] = count(); }", true, ARG(1) | ARG(9) },
	{ "{ trace(copyinstr(arg1)); }", true, ARG(1) | MEMORY },
	{ "{ trace(*(int *)copyin(cpu, 4)); }", true, MEMORY },
	{ "{ trace(uregs[0]); }", true, PROV_LOOKS_ALL },
};

static void
test_asks(void **state)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char text[200];

		snprintf(text, sizeof(text), "self int x; self int y[int]; "
			 "syscall::read:entry %s", rows[i].text);
		assert_int_equal(setup(state), 0);
		compiled(text);
		const struct plan_prog *p = s->compiling.tried.plan;
		assert_int_equal(p->nclauses, 1);
		bool who = session_asks_who(p, &p->clauses[0]);
		unsigned looks = session_looks(p, &p->clauses[0]);
		if (who != rows[i].who || looks != rows[i].looks)
			fail_msg("%s: %d %#x", rows[i].text, who, looks);
		teardown(state);
	}
}

static bool
keep_id(void *ctx, const struct probe *p)
{
	*(uint32_t *)ctx = p->id;
	return true;
}

static void
test_types(void **state)
{
	uint32_t id = 0;

	assert_null(session_probes(s, "syscall::kill:entry", PROBE_SPEC_NAME,
				   keep_id, &id));
	assert_true(id);
	assert_string_equal(session_probe_arg(s, id, 0), "pid_t");
	assert_string_equal(session_probe_arg(s, id, 1), "int");
	assert_null(session_probe_arg(s, id, 2));
	assert_null(session_probe_arg(s, UINT32_MAX, 0));
}

/* More than a pipe holds comes through it whole. */
static void
test_preprocessed(void **state)
{
	const struct diag_list *diags;
	static char text[200000];

	if (access("/usr/bin/cpp", X_OK))
		skip();
	assert_null(opt_set_value(&s->opts, "cpp", NULL, OPT_FROM_SETOPT, false));
	int at = sprintf(text, "#define WHAT BEGIN\n");
	for (int i = 0; i < 5000; i++)
		at += sprintf(text + at, "inline int name%d = 1;\n", i);
	sprintf(text + at, "WHAT { trace(name4999); }\n");
	compiled(text);
	assert_int_equal(s->compiling.tried.plan->nclauses, 1);
	struct err *e = compile("#error no\nBEGIN { }\n", &diags);
	assert_non_null(e);
	assert_int_equal(e->code, ERR_COMPILE);
	err_free(e);
	e = compile("WHAT { }\n", &diags);	/* is defined no more */
	assert_non_null(e);
	err_free(e);
}

/* What has no code is tried with the largest strings, too, and told of once. */
static void
test_too_large(void **state)
{
	const struct diag_list *diags;
	struct err *e = compile(
		"inline int a = pid + pid + pid + pid + pid + pid + pid + pid;\n"
		"inline int b = a + a + a + a + a + a + a + a + a + a + a + a;\n"
		"inline int c = b + b + b + b + b + b + b + b + b + b + b + b;\n"
		"inline int d = c + c + c + c + c + c + c + c + c + c + c + c;\n"
		"BEGIN { trace(d + d + d + d + d + d + d + d); }\n", &diags);

	assert_non_null(e);
	assert_int_equal(e->code, ERR_COMPILE);
	assert_non_null(diags->first);
	assert_int_equal(diags->first->tag, D_CG_EXPR);
	assert_null(diags->first->next);
	err_free(e);
}

/* What a part of a program takes has bounds: up to them it compiles, beyond them it is said of
 * which part, and where that is. */
static void
test_sizes(void **state)
{
	static const struct { const char *text; unsigned line; const char *error; } sizes[] = {
		{ "struct t { char c[1048576]; };\nstruct t x;\nBEGIN { x.c[0] = 1; }", 0, NULL },
		{ "struct t { char c[1048577]; };\nstruct t x;\nBEGIN { x.c[0] = 1; }", 2,
		  "variable x: 1048577 bytes are more than the 1048576 there can be" },
		{ "struct t { char c[131064]; };\nthis struct t x;\nBEGIN { this->x.c[0] = 1; }",
		  0, NULL },
		{ "struct t { char c[131065]; };\nthis struct t x;\nBEGIN { this->x.c[0] = 1; }",
		  0, "clause-local variables: 131080 bytes are more than the 131072 there can be" },
		{ "BEGIN\n{ tracemem(arg0, 1000000); }", 0, NULL },
		{ "inline int y = 1;\nBEGIN\n{ tracemem(arg0, 1048576); }", 2,
		  "record of a clause: 1048592 bytes are more than the 1048576 there can be" },
	};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const struct diag_list *diags;
		assert_int_equal(setup(state), 0);
		struct err *e = compile(sizes[i].text, &diags);
		if (!e != !sizes[i].error)
			fail_msg("row %zu: %s", i, e ? diags->first->text : "compiles");
		if (e) {
			assert_int_equal(e->code, ERR_COMPILE);
			assert_int_equal(diags->first->tag, D_CG_EXPR);
			assert_null(diags->first->next);
			if (strncmp(diags->first->text, sizes[i].error, strlen(sizes[i].error)))
				fail_msg("row %zu: %s", i, diags->first->text);
			unsigned line = 1;
			for (uint32_t at = 0; at < diags->first->span.off; at++)
				line += sizes[i].text[at] == '\n';
			if (sizes[i].line)
				assert_int_equal(line, sizes[i].line);
		}
		err_free(e);
		teardown(state);
	}
	setup(state);
}

/* What is too long is not even read. */
static void
test_too_long(void **state)
{
	const struct diag_list *diags;
	struct session_prog *p;
	struct err *e = session_compile(s, "x.d", "", (size_t)SESSION_TEXT_MAX + 1,
					PROBE_SPEC_NAME, 0, NULL, 0, &diags, &p);

	assert_non_null(e);
	assert_int_equal(e->code, ERR_LIMIT);
	assert_int_equal(e->os, 0);
	assert_string_equal(e->text, "the program is longer than 67108864 bytes");
	err_free(e);
}

/* Why a type may not be known is said where an error has no better hint. */
static void
test_no_types(void **state)
{
	static const struct { const char *why, *text, *hint; } cases[] = {
		{ "none", "BEGIN { trace(((struct nosuch *)arg0)->x); }",
		  "the kernel's types cannot be read: none" },
		{ NULL, "BEGIN { trace(((struct nosuch *)arg0)->x); }", NULL },
		{ "none", "BEGIN { trace(1); }", NULL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct diag_list *diags;

		assert_int_equal(setup(state), 0);
		s->compiling.no_types = cases[i].why;
		struct err *e = compile(cases[i].text, &diags);
		const char *hint = diags->last ? diags->last->hint : NULL;
		assert_int_equal(!e, !diags->last);
		if (!cases[i].hint != !hint ||
		    (hint && strcmp(hint, cases[i].hint)))
			fail_msg("%zu: %s", i, hint ? hint : "no hint");
		err_free(e);
		teardown(state);
	}
}

/* The least and the most of each option that has them, and what is said beyond. */
static void
test_limits(void **state)
{
	static const struct {
		const char *option, *value, *said;
		int64_t lowered;
	} cases[] = {
		{ "strsize", "1", "option strsize is 2 to 4096 bytes" },
		{ "strsize", "2" }, { "strsize", "4k" },
		{ "strsize", "4097", NULL, 4096 }, { "strsize", "5g", NULL, 4096 },
		{ "scratchsize", "1" }, { "scratchsize", "1m" },
		{ "scratchsize", "1048577",
		  "option scratchsize is 1 to 1048576 bytes" },
		{ "printsize", "1" }, { "printsize", "1m" },
		{ "printsize", "1048577", "option printsize is 1 to 1048576 bytes" },
		{ "loopmax", "0", "option loopmax is 1 to 4294967295" },
		{ "loopmax", "1" }, { "loopmax", "2147483647" },
		{ "nspec", "0" }, { "nspec", "65536" },
		{ "nspec", "65537", "option nspec is 0 to 65536" },
		{ "cleanrate", "199999ns", "option cleanrate is 200us to 60s" },
		{ "cleanrate", "0", "option cleanrate is 200us to 60s" },
		{ "cleanrate", "200us" }, { "cleanrate", "60s" },
		{ "cleanrate", "60000000001ns",
		  "option cleanrate is 200us to 60s" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct diag_list *diags;

		assert_int_equal(setup(state), 0);
		assert_null(opt_set_value(&s->opts, cases[i].option, cases[i].value,
					  OPT_FROM_COMMAND, false));
		struct err *e = compile("BEGIN { trace(1); }", &diags);
		if (!e != !cases[i].said ||
		    (e && strcmp(e->text, cases[i].said)))
			fail_msg("%s=%s: %s", cases[i].option, cases[i].value,
				 e ? e->text : "accepted");
		assert_int_equal(diags->nwarnings, cases[i].lowered != 0);
		if (cases[i].lowered)
			assert_int_equal(s->opts.v[OPT_STRSIZE], cases[i].lowered);
		err_free(e);
		teardown(state);
	}
}

/* A size that is lowered is refused by who wants it as it is. */
static void
test_manual_limits(void **state)
{
	const struct diag_list *diags;

	assert_int_equal(setup(state), 0);
	assert_null(opt_set_value(&s->opts, "bufresize", "manual", OPT_FROM_COMMAND,
				  false));
	struct err *e = compile("#pragma D option strsize=4097\nBEGIN { }", &diags);
	assert_non_null(e);
	assert_string_equal(e->text, "option strsize is 2 to 4096 bytes");
	err_free(e);
	teardown(state);
}

/* What programs may ask the preprocessor for, and what they may not find there. */
static void
test_predefined(void **state)
{
	static const char *const there[] = {
		"__SUNW_D", "__SUNW_D_VERSION", "__unix", "__SVR4", "__linux",
		"__Linux",
	}, *const gone[] = { "unix", "linux", "__SunOS" };
	char text[256];

	if (access("/usr/bin/cpp", X_OK))
		skip();
	assert_null(opt_set_value(&s->opts, "cpp", NULL, OPT_FROM_SETOPT, false));
	for (size_t i = 0; i < sizeof(there) / sizeof(there[0]); i++) {
		snprintf(text, sizeof(text), "#ifdef %s\nBEGIN { trace(%s); }\n"
			 "#endif\n", there[i], there[i]);
		compiled(text);
		assert_int_equal(s->compiling.tried.plan->nclauses, 1);
	}
	for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); i++) {
		snprintf(text, sizeof(text), "#ifndef %s\nBEGIN { trace(1); }\n"
			 "#endif\n", gone[i]);
		compiled(text);
		assert_int_equal(s->compiling.tried.plan->nclauses, 1);
	}
}

/* The trees that each bit of the option asks for. */
static void
test_trees(void **state)
{
	static const char parsed[] = "(clause \"BEGIN\"", typed[] = "stmt Stable/";
	static const struct { const char *tree; bool parsed, typed; } cases[] = {
		{ "0", false, false }, { "1", true, false }, { "2", false, true },
		{ "3", true, true }, { "4", false, true }, { "8", true, false },
		{ "12", true, true }, { "16", false, false },
	};
	char text[4096];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		FILE *to = tmpfile();
		int old = dup(2);

		assert_int_equal(setup(state), 0);
		assert_null(opt_set_value(&s->opts, "tree", cases[i].tree,
					  OPT_FROM_SETOPT, false));
		assert_int_equal(dup2(fileno(to), 2), 2);
		compiled("BEGIN { x++; }");
		dup2(old, 2);
		close(old);
		rewind(to);
		text[fread(text, 1, sizeof(text) - 1, to)] = '\0';
		fclose(to);
		if (!strstr(text, parsed) == cases[i].parsed ||
		    !strstr(text, typed) == cases[i].typed)
			fail_msg("%s: %s", cases[i].tree, text);
		teardown(state);
	}
}

/* The header has the probes of all programs. */
static void
test_header(void **state)
{
	struct sb b;

	compiled("provider one { probe a(int); };");
	compiled("provider two { probe b(); };");
	compiled("provider three { probe c(char *, int); };");
	sb_init(&b, 1 << 16);
	assert_null(session_header(s, "x.h", &b));
	const char *a = strstr(sb_str(&b), "ONE_A(");
	assert_non_null(a);
	assert_non_null(a = strstr(a, "TWO_B("));
	assert_non_null(strstr(a, "THREE_C("));
	sb_fini(&b);
}

/* Arguments that are not used need an option, and those that are not there another, whatever
 * else the text is: a program, a description alone, or a type. */
static void
test_arguments(void **state)
{
	enum { PROGRAM, BARE = SESSION_CMDLINE, TYPE = SESSION_TYPE };
	enum { NEITHER = 1, ARGREF = 2, DEFAULTARGS = 4, ALL = 7 };
	static const char *const args[] = { "x.d", "more" };
	static const struct {
		const char *text;
		unsigned kind, nargs, right;	/* with which of the options */
	} given[] = {
		{ "BEGIN { trace(1); }", PROGRAM, 1, ALL },
		{ "BEGIN { trace(1); }", PROGRAM, 2, ARGREF | DEFAULTARGS },
		{ "BEGIN { trace($1); }", PROGRAM, 1, DEFAULTARGS },
		{ "BEGIN { trace($$1 == NULL); }", PROGRAM, 2, ALL },
		{ "BEGIN { trace($2); }", PROGRAM, 2, DEFAULTARGS },
		{ "BEGIN", BARE, 1, ALL }, { "BEGIN", PROGRAM, 1, 0 },
		{ "BEGIN /$1/", BARE, 1, DEFAULTARGS },
		{ "struct { int a; }", TYPE, 1, ALL }, { "struct { int a; }", PROGRAM, 1, 0 },
	};

	for (size_t i = 0; i < BASE_NELEMS(given); i++) {
		for (unsigned has = NEITHER; has <= DEFAULTARGS; has *= 2) {
			const struct diag_list *diags;
			struct session_prog *p;
			assert_null(session_new(&s));
			s->opts.v[OPT_ARGREF] = has == ARGREF;
			s->opts.v[OPT_DEFAULTARGS] = has == DEFAULTARGS;
			struct err *e = session_compile(s, "x.d", given[i].text,
				strlen(given[i].text), PROBE_SPEC_NAME, given[i].kind, args,
				given[i].nargs, &diags, &p);
			if (!e != !!(given[i].right & has))
				fail_msg("%s, %u: %s", given[i].text, has,
					 diags->first ? diags->first->text : "nothing");
			err_free(e);
			session_free(s);
		}
	}
}

/* What a description of fewer than four parts ends with is told of the text; more parts than
 * that are an error (-1). */
static void
test_specs(void **state)
{
	static const struct { enum probe_spec spec; const char *text; int matches; } given[] = {
		{ PROBE_SPEC_NAME, "BEGIN", 1 }, { PROBE_SPEC_NAME, "::BEGIN", 1 },
		{ PROBE_SPEC_NAME, "dtrace", 0 }, { PROBE_SPEC_NAME, "dtrace:::BEGIN", 1 },
		{ PROBE_SPEC_FUNC, "BEGIN", 0 }, { PROBE_SPEC_FUNC, "dtrace::", 3 },
		{ PROBE_SPEC_FUNC, "dtrace:::BEGIN", -1 }, { PROBE_SPEC_FUNC, "dtrace", 0 },
		{ PROBE_SPEC_MOD, "dtrace:", 3 }, { PROBE_SPEC_MOD, "BEGIN", 0 },
		{ PROBE_SPEC_MOD, "dtrace", 0 }, { PROBE_SPEC_MOD, "dtrace:::END", -1 },
		{ PROBE_SPEC_PROVIDER, "dtrace", 3 }, { PROBE_SPEC_PROVIDER, "BEGIN", 0 },
		{ PROBE_SPEC_PROVIDER, "dtrace { trace(1); } dtrace:::BEGIN { trace(2); }", -1 },
	};

	for (size_t i = 0; i < BASE_NELEMS(given); i++) {
		const struct diag_list *diags;
		struct session_prog *p;
		assert_null(session_new(&s));
		s->opts.v[OPT_ZDEFS] = 1;
		struct err *e = session_compile(s, "x.d", given[i].text, strlen(given[i].text),
			given[i].spec, SESSION_CMDLINE, NULL, 0, &diags, &p);
		int n = e ? -1 : (int)session_prog_matches(p);
		if (n != given[i].matches)
			fail_msg("%u, %s: %d", given[i].spec, given[i].text, n);
		if (e)
			assert_non_null(strstr(diags->first->text, "Overspecified"));
		err_free(e);
		session_free(s);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_asks),
		cmocka_unit_test_setup_teardown(test_types, setup, teardown),
		cmocka_unit_test_setup_teardown(test_preprocessed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_too_large, setup, teardown),
		cmocka_unit_test_setup_teardown(test_sizes, NULL, teardown),
		cmocka_unit_test_setup_teardown(test_too_long, setup, teardown),
		cmocka_unit_test(test_no_types),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_manual_limits),
		cmocka_unit_test_setup_teardown(test_predefined, setup, teardown),
		cmocka_unit_test(test_trees),
		cmocka_unit_test(test_arguments),
		cmocka_unit_test(test_specs),
		cmocka_unit_test_setup_teardown(test_header, setup, teardown),
	};

	return cmocka_run_group_tests_name("session-program", tests, NULL, NULL);
}
