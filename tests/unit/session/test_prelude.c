/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Probes made of others, live: a provider whose table tries what there is, on
 * calls of lseek() that this program makes with a descriptor of its own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cmocka.h>

#include "fmt/fmt.h"
#include "prov/derive.h"
#include "session/session_priv.h"
#include "support/assertok.h"
#include "util/alloc.h"

enum { OURS = -424242, OFFSET = 11, WHENCE = 22 };

#define IS_OURS "(int)arg0 == -424242"
#define LSEEK(...) { DERIVE_CALL, "lseek", IS_OURS __VA_ARGS__ }
#define ALIKE(call) { DERIVE_CALL, call, IS_OURS, "arg1 + 0; arg0" }
#define REFUSED "((struct task_struct *)arg1)->no_such_member"
#define BAD "*(int *)8"

static const char keep[] =
	"syscall::lseek:entry /" IS_OURS "/ { __kept = arg1; __nkept++; }";

static const char keep_here[] =
	"syscall::lseek:entry /" IS_OURS "/ { __here = arg1 + 5; }";

static const struct derive_probe probes[] = {
	/* A value is made of the raw argument that another takes the place of. */
	{ "rotate", "long; long; int", { LSEEK(, "arg1; arg2; arg0") } },
	{ "swap", "long; int", { LSEEK(, "arg1; arg0") } },
	{ "all-of-one", "int; int; int", { LSEEK(, "arg2; arg2; arg2") } },
	{ "when", "long", { LSEEK(" && arg1 == 12", "arg1") } },
	{ "bad-value", "int; long", { LSEEK(, BAD "; arg1") } },
	{ "bad-condition", "long", { LSEEK(" && " BAD " == 0", "arg1") } },
	/* Of alternatives the first that compiles; of others each. */
	{ "choice", "long", {
		{ DERIVE_CALL, "lseek", IS_OURS, REFUSED, .choice = 1 },
		{ DERIVE_CALL, "lseek", IS_OURS, "arg1 + 1000", .choice = 1 },
		{ DERIVE_CALL, "lseek", IS_OURS, "arg1 + 2000", .choice = 1 },
	} },
	{ "each", "long", {
		{ DERIVE_CALL, "lseek", IS_OURS, "arg1 + 1000" },
		{ DERIVE_CALL, "lseek", IS_OURS, REFUSED },
		{ DERIVE_RETURN, "lseek", "(int)arg1 == -424242", "arg2 + 2000" },
	} },
	{ "either", "long", {
		LSEEK(, "__either(((struct task_struct *)arg1)->no_such_member, "
		      "arg1 + 5)") } },
	{ "some", "long", {
		{ DERIVE_CALL, "lseek", IS_OURS, "arg1 + 1000", .choice = 1 },
		{ DERIVE_CALL, "lseek", IS_OURS, REFUSED, .choice = 2 },
	} },
	{ "refused", "long", { LSEEK(, REFUSED), LSEEK(, "nobody") } },
	{ "kept", "long; int", {
		{ DERIVE_RETURN, "lseek", "(int)arg1 == -424242 && __kept != 0",
		  "__kept; __nkept", .setup = keep },
		{ DERIVE_CALL, "lseek", "0 != 0", "0; 0", .setup = keep },
	} },
	/* At one point what is kept comes first. */
	{ "kept-here", "long", {
		{ DERIVE_CALL, "lseek", IS_OURS " && __here != 0", "__here",
		  .setup = keep_here },
	} },
	/* Calls whose D is the same: one program, with a row for some of the calls. */
	{ "alike", "long; int", {
		ALIKE("fsync"), ALIKE("fdatasync"), ALIKE("fchdir"), ALIKE("syncfs"),
		ALIKE("flock"), ALIKE("fchmod"), ALIKE("no_such_call") } },
	{ "alike-too", "long; int", { ALIKE("dup"), ALIKE("ftruncate") } },
	/* A call that another has with the same D. */
	{ "twice", "long; int", { ALIKE("dup"), ALIKE("fchown") } },
	{ "refused-alike", "long", {
		{ DERIVE_CALL, "dup", IS_OURS, REFUSED },
		{ DERIVE_CALL, "fsync", IS_OURS, REFUSED } } },
	{ "no-tracepoint", NULL, {
		{ DERIVE_TRACEPOINT, "sched_process_exit", .nargs = 9 },
		{ DERIVE_TRACEPOINT, "no_such", .module = "no_such" },
	} },
};

extern const struct prov_ops prov_fake_ops;
DERIVE(fake, "fake", probes, PROV_ATTR_EVOLVING);

static char output[1024], warning[512];
static unsigned nwarnings, nerrors;
static size_t npoints;
static struct fmt *fmt;

static struct err *
take(void *ctx, const char *p, size_t n)
{
	size_t had = strlen(output);

	assert_true(had + n < sizeof(output));
	memcpy(output + had, p, n);
	output[had + n] = '\0';
	return NULL;
}

static void
on_warning(void *ctx, const char *text)
{
	nwarnings++;
	snprintf(warning, sizeof(warning), "%s", text);
}

static struct err *
on_event(void *ctx, const struct consume_event *e)
{
	nerrors += e->kind == CONSUME_ERROR;
	return e->kind == CONSUME_RECORD ? fmt_record(fmt, e) : NULL;
}

static const long others[] = { SYS_fsync, SYS_fdatasync, SYS_fchdir, SYS_syncfs, SYS_flock,
			       SYS_fchmod, SYS_dup, SYS_ftruncate, SYS_fchown };

/* Trace one call of each with the program: what it prints is in output. */
static void
trace(const char *text)
{
	const struct diag_list *diags;
	struct session_prog *p;
	struct session *s;
	struct fmt_out out = { NULL, take, NULL };

	output[0] = warning[0] = '\0';
	nwarnings = nerrors = 0;
	assert_ok(session_new(&s));
	assert_ok(prov_set_add(s->prov, &prov_fake_ops));
	session_on_warning(s, on_warning, NULL);
	assert_ok(opt_set_value(session_opts(s), "quiet", "on",
				OPT_FROM_COMMAND, false));
	/* A folder without libraries, which is not warned of. */
	assert_ok(opt_set_value(session_opts(s), "syslibdir", "/",
				OPT_FROM_COMMAND, false));
	assert_ok(session_compile(s, NULL, text, strlen(text), PROBE_SPEC_NAME,
				  0, NULL, 0, &diags, &p));
	assert_ok(session_enable(s, p));
	assert_ok(session_go(s));
	assert_ok(fmt_new(session_consume(s), session_meta(s), session_opts(s),
			  out, &fmt));
	npoints = s->points.all.n;
	syscall(SYS_lseek, OURS, (long)OFFSET, WHENCE);
	for (size_t i = 0; i < BASE_NELEMS(others); i++)
		syscall(others[i], OURS, (long)i, 0L, 0L, 0L);
	assert_ok(session_stop(s));
	assert_ok(session_drain(s, on_event, NULL));
	assert_ok(fmt_flush(fmt));
	fmt_free(fmt);
	session_free(s);
}

#define PRINTS(text, what) \
	do { trace(text); assert_string_equal(output, what); } while (0)

static void
test_values(void **state)
{
	PRINTS("fake:::rotate { printf(\"%d %d %d\", args[0], args[1], args[2]); }",
	       "11 22 -424242");
	PRINTS("fake:::rotate { printf(\"%d\", args[2]); }", "-424242");
	PRINTS("fake:::swap { printf(\"%d %d\", args[1], args[0]); }",
	       "-424242 11");
	PRINTS("fake:::all-of-one { printf(\"%d %d %d\", arg0, arg1, arg2); }",
	       "22 22 22");
	/* Beyond its values there are none, not the call's. */
	PRINTS("fake:::swap { printf(\"%d\", arg2); }", "0");
	assert_int_equal(nerrors, 0);
}

static void
test_condition(void **state)
{
	PRINTS("fake:::when { printf(\"%d\", args[0]); }", "");
	PRINTS("fake:::when { printf(\"%d\", args[0]); }"
	       "fake:::swap { printf(\"swap\"); }", "swap");
	assert_int_equal(nerrors, 0);
}

static void
test_faults(void **state)
{
	/* What is not used is not made. */
	PRINTS("fake:::bad-value { printf(\"%d\", args[1]); }", "11");
	assert_int_equal(nerrors, 0);
	/* What cannot be made keeps clauses from running, of this probe alone. */
	PRINTS("fake:::bad-value { printf(\"%d\", args[0]); }"
	       "fake:::swap { printf(\"swap\"); } ERROR { printf(\"error \"); }",
	       "error swap");
	assert_int_equal(nerrors, 1);
	PRINTS("fake:::bad-condition { printf(\"%d\", args[0]); }", "");
	assert_int_equal(nerrors, 1);
}

static void
test_choice(void **state)
{
	PRINTS("fake:::choice { printf(\"%d \", args[0]); }", "1011 ");
	PRINTS("fake:::some { printf(\"%d \", args[0]); }", "1011 ");
	assert_int_equal(nwarnings, 0);
	PRINTS("fake:::either { printf(\"%d \", args[0]); }", "16 ");
	assert_int_equal(nwarnings, 0);
	/* One that is no alternative is missed. */
	PRINTS("fake:::each { printf(\"%d \", args[0]); }", "1011 2011 ");
	assert_int_equal(nwarnings, 1);
	assert_non_null(strstr(warning, "fake:vmlinux::each"));
	assert_non_null(strstr(warning, "at lseek: "));
	assert_non_null(strstr(warning, "no_such_member"));
}

static void
test_refused(void **state)
{
	PRINTS("fake:::refused { printf(\"%d\", args[0]); }"
	       "fake:::swap { printf(\"swap\"); }", "swap");
	assert_int_equal(nwarnings, 1);
	assert_non_null(strstr(warning, "fake:vmlinux::refused"));
	assert_non_null(strstr(warning, "no_such_member"));
}

/* Kept once, however many sites and clauses want it. */
static void
test_setup(void **state)
{
	PRINTS("fake:::kept { printf(\"%d %d\", args[0], args[1]); }", "11 1");
	PRINTS("fake:::kept { printf(\"%d \", args[0]); }"
	       "fake:::kept { printf(\"%d\", args[1]); }", "11 1");
	PRINTS("fake:::kept-here { printf(\"%d\", args[0]); }", "16");
	PRINTS("syscall::lseek:entry /" IS_OURS "/ { printf(\"%d \", arg1); }"
	       "fake:::kept-here { printf(\"%d\", args[0]); }", "11 16");
}

/* The same D about different calls is one program, whichever probes they are of; each
 * firing has its own arguments, and those of its own clauses. */
static void
test_alike(void **state)
{
	PRINTS("fake:::alike { printf(\"%d \", args[0]); }", "0 1 2 3 4 5 ");
	assert_int_equal(npoints, 1);
	PRINTS("fake:::alike { printf(\"%d \", args[0]); }"
	       "fake:::alike-too { printf(\"%d:%d \", args[1], args[0]); }",
	       "0 1 2 3 4 5 -424242:6 -424242:7 ");
	assert_int_equal(npoints, 1);
	PRINTS("fake:::alike-too { printf(\"%d \", args[0]); }"
	       "fake:::twice { printf(\"(%d) \", args[0]); }", "6 (6) 7 (8) ");
	assert_int_equal(npoints, 2);
	PRINTS("fake:::alike* { @[probename] = sum(args[0]); }"
	       "fake:::alike, fake:::alike { n++; }"
	       "fake:::alike-too /args[0] == 7/ { printf(\"%d\", n); }", "12");
	assert_int_equal(nerrors, 0);
	assert_int_equal(nwarnings, 0);
	/* Why it is refused is told once. */
	PRINTS("fake:::refused-alike { printf(\"%d\", args[0]); }", "");
	assert_int_equal(nwarnings, 1);
	assert_non_null(strstr(warning, "no_such_member"));
}

static bool
count_probe(void *ctx, const struct probe *p)
{
	++*(unsigned *)ctx;
	return true;
}

static void
test_absent(void **state)
{
	struct probe_desc d = { .prov = "fake", .mod = "", .func = "",
				.name = "no-tracepoint" };
	struct session *s;
	unsigned n = 0;

	assert_ok(session_new(&s));
	assert_ok(prov_set_add(s->prov, &prov_fake_ops));
	assert_ok(prov_match(s->prov, &d, count_probe, &n));
	assert_int_equal(n, 0);
	d.name = "swap";
	assert_ok(prov_match(s->prov, &d, count_probe, &n));
	assert_int_equal(n, 1);
	session_free(s);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values), cmocka_unit_test(test_condition),
		cmocka_unit_test(test_faults), cmocka_unit_test(test_choice),
		cmocka_unit_test(test_refused), cmocka_unit_test(test_setup),
		cmocka_unit_test(test_alike), cmocka_unit_test(test_absent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
