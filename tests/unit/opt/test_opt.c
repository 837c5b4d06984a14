/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Options: how values are read, who may set them and when, and whose word
 * counts when several do.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/base.h"
#include "opt/opt.h"
#include "util/alloc.h"

static const char bad_value[] = "Invalid value for specified option";

/* Set, and check the error's code and text; NULL text: no error. */
static void
check_set(struct opt_set *o, const char *text, enum opt_from from,
	  bool running, enum err_code code, const char *want)
{
	struct err *e = opt_set_text(o, text, from, running);

	if (!want) {
		if (e)
			print_message("# %s: %s\n", text, e->text);
		assert_null(e);
		return;
	}
	if (!e)
		print_message("# %s was accepted\n", text);
	assert_non_null(e);
	assert_int_equal(e->code, code);
	/* What it may be is behind that. */
	if (strncmp(e->text, want, strlen(want)) ||
	    (e->text[strlen(want)] && want != bad_value))
		fail_msg("%s: %s", text, e->text);
	err_free(e);
}

static void
test_defaults(void **state)
{
	struct opt_set o;
	static const struct {
		enum opt_id id;
		int64_t v;
	} rows[] = {
		{ OPT_AGGRATE, 1000000000 }, { OPT_AGGSIZE, 4 << 20 },
		{ OPT_BUFPOLICY, OPT_POLICY_SWITCH },
		{ OPT_BUFRESIZE, OPT_RESIZE_AUTO }, { OPT_BUFSIZE, 4 << 20 },
		{ OPT_CPU, OPT_UNSET }, { OPT_DYNVARSIZE, 1 << 20 },
		{ OPT_QUIET, 0 }, { OPT_STRSIZE, 256 },
		{ OPT_STACKFRAMES, 20 }, { OPT_USTACKFRAMES, 20 },
		{ OPT_STACKINDENT, 14 }, { OPT_STATUSRATE, 1000000000 },
		{ OPT_SWITCHRATE, 1000000000 }, { OPT_TEMPORAL, 1 },
		{ OPT_VERSION, OPT_UNSET }, { OPT_CPPPATH, OPT_UNSET },
	};

	assert_null(opt_init(&o));
	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		assert_int_equal(o.v[rows[i].id], rows[i].v);
	for (int i = 0; i < OPT_N; i++) {
		assert_null(o.s[i]);
		assert_int_equal(opt_find(opt_name(i)), i);
	}
	assert_int_equal(opt_find("nosuch"), OPT_N);
	assert_null(opt_name(OPT_N));
	opt_fini(&o);
}

/* "name=text" and the value; -1: refused. */
static void
test_values(void **state)
{
	static const struct {
		const char *text;
		int64_t v;
	} rows[] = {
		{ "bufsize=4", 4 }, { "bufsize=4k", 4096 },
		{ "bufsize=4K", 4096 }, { "bufsize=3m", 3 << 20 },
		{ "bufsize=2G", 2LL << 30 }, { "bufsize=1t", 1LL << 40 },
		{ "bufsize=0x10", 16 }, { "bufsize=010", 8 },
		{ "bufsize=0", -1 }, { "bufsize=", -1 }, { "bufsize", -1 },
		{ "bufsize=-1", -1 }, { "bufsize= 1", -1 },
		{ "bufsize=4kb", -1 }, { "bufsize=1.5m", -1 },
		{ "bufsize=k", -1 }, { "bufsize=99999999999999999999", -1 },
		{ "bufsize=9223372036854775807k", -1 },
		{ "bufsize=9223372036854775807", INT64_MAX },
		{ "bufsize=9223372036854775808", -1 },
		{ "bufsize=8388607t", 8388607LL << 40 },
		{ "bufsize=8388608t", -1 }, { "bufsize=1", 1 },
		{ "unwindsize=0", 0 }, { "unwindsize=1k", 1024 },
		{ "unwindsize=", -1 }, { "unwindsize=-0", -1 },
		{ "switchrate=1", 1000000000 }, { "switchrate=10", 100000000 },
		{ "switchrate=4hz", 250000000 }, { "switchrate=4HZ", 250000000 },
		{ "switchrate=7ns", 7 }, { "switchrate=7nsec", 7 },
		{ "switchrate=7us", 7000 }, { "switchrate=7usec", 7000 },
		{ "switchrate=7ms", 7000000 }, { "switchrate=7msec", 7000000 },
		{ "switchrate=7s", 7000000000 },
		{ "switchrate=7sec", 7000000000 },
		{ "switchrate=2m", 120000000000 },
		{ "switchrate=2min", 120000000000 },
		{ "switchrate=1h", 3600000000000 },
		{ "switchrate=1hour", 3600000000000 },
		{ "switchrate=1d", 86400000000000 },
		{ "switchrate=1day", 86400000000000 },
		{ "aggrate=0", 0 }, { "switchrate=2000000000hz", -1 },
		{ "switchrate=1x", -1 }, { "switchrate=99999999999d", -1 },
		{ "switchrate=1000000000hz", 1 },
		{ "switchrate=1000000001hz", -1 },
		{ "switchrate=999999999", 1 }, { "switchrate=0hz", 0 },
		{ "switchrate=106751d", 9223286400000000000 },
		{ "switchrate=106752d", -1 }, { "switchrate=", -1 },
		{ "switchrate", -1 },
		{ "cpu=2147483647", 2147483647 }, { "cpu=", -1 }, { "cpu", -1 },
		{ "cpu=0", 0 }, { "cpu=3", 3 }, { "cpu=3k", -1 },
		{ "cpu=-3", -1 }, { "cpu=2147483648", -1 }, { "cpu=x", -1 },
		{ "bufpolicy=ring", OPT_POLICY_RING },
		{ "bufpolicy=fill", OPT_POLICY_FILL },
		{ "bufpolicy=switch", OPT_POLICY_SWITCH },
		{ "bufpolicy=x", -1 }, { "bufpolicy", -1 },
		{ "bufresize=manual", OPT_RESIZE_MANUAL },
		{ "bufresize=auto", OPT_RESIZE_AUTO },
		{ "pidreturn=auto", OPT_PIDRETURN_AUTO },
		{ "pidreturn=ret", OPT_PIDRETURN_RET },
		{ "pidreturn=uretprobe", OPT_PIDRETURN_URETPROBE },
		{ "usdtwait=none", OPT_USDTWAIT_NONE },
		{ "usdtwait=stop", OPT_USDTWAIT_STOP },
		{ "stdc=a", OPT_DIALECT_A }, { "stdc=c", OPT_DIALECT_C },
		{ "stdc=S", OPT_DIALECT_S }, { "stdc=t", OPT_DIALECT_T },
		{ "stdc=at", -1 }, { "stdc=", -1 },
		{ "evaltime=exec", OPT_EVAL_EXEC },
		{ "evaltime=preinit", OPT_EVAL_PREINIT },
		{ "evaltime=postinit", OPT_EVAL_POSTINIT },
		{ "evaltime=main", OPT_EVAL_MAIN },
		{ "encoding=ascii", OPT_ENCODING_ASCII },
		{ "encoding=UTF8", OPT_ENCODING_UTF8 },
		{ "encoding=utf-8", OPT_ENCODING_UTF8 },
		{ "encoding=auto", OPT_UNSET },
		{ "oformat=text", OPT_OFORMAT_TEXT },
		{ "oformat=JSON", OPT_OFORMAT_JSON },
		{ "oformat=jsonl", OPT_OFORMAT_JSONL },
		{ "oformat=folded", OPT_OFORMAT_FOLDED },
		{ "oformat=flamegraph", OPT_OFORMAT_FLAMEGRAPH },
		{ "oformat=html", OPT_OFORMAT_HTML },
		{ "oformat=perfetto", OPT_OFORMAT_PERFETTO },
		{ "oformat=xml", -1 }, { "oformat", -1 },
		{ "quiet", 1 }, { "quiet=yes", 1 }, { "quiet=No", 0 },
		{ "quiet=enable", 1 }, { "quiet=DISABLE", 0 },
		{ "quiet=enabled", 1 }, { "quiet=disabled", 0 },
		{ "quiet=true", 1 }, { "quiet=false", 0 }, { "quiet=on", 1 },
		{ "quiet=off", 0 }, { "quiet=set", 1 }, { "quiet=unset", 0 },
		{ "quiet=maybe", -1 }, { "quiet=", -1 },
		{ "quiet=0", 0 }, { "quiet=1", 1 }, { "quiet=2", 1 },
		{ "quiet=-1", 1 }, { "quiet=0x10", 1 }, { "quiet=-", -1 },
		{ "quiet=99999999999999999999", 1 }, { "quiet=1x", -1 },
		{ "quiet= 1", -1 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct opt_set o;
		char name[32];

		snprintf(name, sizeof(name), "%.*s",
			 (int)strcspn(rows[i].text, "="), rows[i].text);
		assert_null(opt_init(&o));
		int64_t before = o.v[opt_find(name)];
		bool bad = rows[i].v == -1;
		check_set(&o, rows[i].text, OPT_FROM_COMMAND, false,
			  ERR_INVALID, bad ? bad_value : NULL);
		assert_int_equal(o.v[opt_find(name)],
				 bad ? before : rows[i].v);
		opt_fini(&o);
	}
}

static void
test_text_values(void **state)
{
	struct opt_set o;

	assert_null(opt_init(&o));
	check_set(&o, "version=1.7", OPT_FROM_PRAGMA, false, 0, NULL);
	assert_string_equal(o.s[OPT_VERSION], "1.7");
	check_set(&o, "version=a=b", OPT_FROM_COMMAND, false, 0, NULL);
	assert_string_equal(o.s[OPT_VERSION], "a=b");
	check_set(&o, "amin", OPT_FROM_COMMAND, false, ERR_INVALID, bad_value);
	/* Several are lines; of one alone the last counts. */
	check_set(&o, "incdir=/a", OPT_FROM_COMMAND, false, 0, NULL);
	check_set(&o, "incdir=/b c", OPT_FROM_COMMAND, false, 0, NULL);
	check_set(&o, "incdir=/d", OPT_FROM_ENV, false, 0, NULL);
	assert_string_equal(o.s[OPT_INCDIR], "/a\n/b c");
	check_set(&o, "cpppath=/a", OPT_FROM_COMMAND, false, 0, NULL);
	check_set(&o, "cpppath=/b", OPT_FROM_COMMAND, false, 0, NULL);
	assert_string_equal(o.s[OPT_CPPPATH], "/b");
	opt_fini(&o);
}

/* What is said of the environment is kept in order. */
static void
test_environment(void **state)
{
	static const char want[] = "A=1\0B\0A=b=c\0C=\0";
	struct opt_set o;

	assert_null(opt_init(&o));
	assert_null(o.s[OPT_SETENV]);
	check_set(&o, "setenv=A=1", OPT_FROM_COMMAND, false, 0, NULL);
	check_set(&o, "unsetenv=B", OPT_FROM_ENV, false, 0, NULL);
	check_set(&o, "setenv=A=b=c", OPT_FROM_ENV, false, 0, NULL);
	check_set(&o, "setenv=C=", OPT_FROM_COMMAND, false, 0, NULL);
	assert_memory_equal(o.s[OPT_SETENV], want, sizeof(want));
	check_set(&o, "setenv==1", OPT_FROM_COMMAND, false, ERR_INVALID,
		  bad_value);
	check_set(&o, "setenv=A", OPT_FROM_COMMAND, false, ERR_INVALID,
		  bad_value);
	check_set(&o, "unsetenv=", OPT_FROM_COMMAND, false, ERR_INVALID,
		  bad_value);
	assert_memory_equal(o.s[OPT_SETENV], want, sizeof(want));
	opt_fini(&o);
}

static void
test_refusals(void **state)
{
	static const char running[] =
		"Operation illegal when tracing is active";
	static const char inside[] =
		"Option cannot be used from within a D program";
	static const struct {
		const char *text;
		enum opt_from from;
		bool running;
		enum err_code code;
		const char *want;
	} rows[] = {
		{ "nosuch", OPT_FROM_COMMAND, false, ERR_INVALID,
		  "Invalid option name" },
		{ "", OPT_FROM_COMMAND, false, ERR_INVALID,
		  "Invalid option name" },
		{ "bufsiz=4m", OPT_FROM_COMMAND, false, ERR_INVALID,
		  "Invalid option name (is \"bufsize\" meant?)" },
		{ "Quiet", OPT_FROM_COMMAND, false, ERR_INVALID,
		  "Invalid option name (is \"quiet\" meant?)" },
		{ "BUFSIZE=1m", OPT_FROM_COMMAND, false, ERR_INVALID,
		  "Invalid option name (is \"bufsize\" meant?)" },
		{ "swichrate=1", OPT_FROM_PRAGMA, false, ERR_INVALID,
		  "Invalid option name (is \"switchrate\" meant?)" },
		{ "zone=x", OPT_FROM_COMMAND, false, ERR_UNSUPPORTED,
		  "Option \"zone\" has no effect: Linux has no zones" },
		{ "maxframes=3", OPT_FROM_PRAGMA, false, ERR_UNSUPPORTED,
		  "Option \"maxframes\" has no effect: it tunes another "
		  "implementation" },
		/* The first and last of a list, and parts of its words. */
		{ "kdefs", OPT_FROM_COMMAND, false, ERR_UNSUPPORTED,
		  "Option \"kdefs\" has no effect: objects are not linked "
		  "here" },
		{ "unodefs", OPT_FROM_COMMAND, false, ERR_UNSUPPORTED,
		  "Option \"unodefs\" has no effect: objects are not linked "
		  "here" },
		{ "linknomm", OPT_FROM_COMMAND, false, ERR_INVALID,
		  "Invalid option name" },
		{ "", OPT_FROM_COMMAND, false, ERR_INVALID,
		  "Invalid option name" },
		{ "libdir=/x", OPT_FROM_PRAGMA, false, ERR_INVALID, inside },
		{ "cpppath=/x", OPT_FROM_PRAGMA, false, ERR_INVALID, inside },
		{ "cpppath=/x", OPT_FROM_PRAGMA, false, ERR_INVALID, inside },
		{ "setenv=A=1", OPT_FROM_PRAGMA, false, ERR_INVALID, inside },
		{ "unsetenv=A", OPT_FROM_PRAGMA, false, ERR_INVALID, inside },
		{ "setenv=A=1", OPT_FROM_SETOPT, true, ERR_STATE, running },
		{ "bufsize=1m", OPT_FROM_SETOPT, true, ERR_STATE, running },
		{ "zdefs", OPT_FROM_SETOPT, true, ERR_STATE, running },
		{ "quiet", OPT_FROM_SETOPT, true, 0, NULL },
		{ "switchrate=5hz", OPT_FROM_SETOPT, true, 0, NULL },
		{ "switchrate=x", OPT_FROM_SETOPT, true, ERR_INVALID,
		  bad_value },
		{ "zdefs", OPT_FROM_PRAGMA, false, 0, NULL },
		{ "bufpolicy=x", OPT_FROM_COMMAND, false, ERR_INVALID,
		  "Invalid value for specified option (ring, fill or switch)" },
		{ "bufresize", OPT_FROM_COMMAND, false, ERR_INVALID,
		  "Invalid value for specified option (auto or manual)" },
		{ "bufsize=x", OPT_FROM_COMMAND, false, ERR_INVALID,
		  "Invalid value for specified option (bytes, or a number of k, "
		  "m, g or t of them, as 4m)" },
		{ "aggrate=x", OPT_FROM_COMMAND, false, ERR_INVALID,
		  "Invalid value for specified option (a time or a rate, as "
		  "100ms or 10hz)" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct opt_set o;

		assert_null(opt_init(&o));
		check_set(&o, rows[i].text, rows[i].from, rows[i].running,
			  rows[i].code, rows[i].want);
		opt_fini(&o);
	}
}

/* The last word on a macro counts. */
static void
test_define(void **state)
{
	static const struct { const char *sets[5], *undef; } rows[] = {
		{ { "undef=A", "define=A" }, "" },
		{ { "undef=A", "undef=B", "undef=C", "define=B=1" }, "A\nC" },
		{ { "undef=A", "undef=B", "define=B(x)=1" }, "A\n" },
		{ { "undef=AB", "define=A=1" }, "AB" },
		{ { "define=A", "undef=A" }, "A" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct opt_set o;

		assert_null(opt_init(&o));
		for (int k = 0; k < 5 && rows[i].sets[k]; k++)
			check_set(&o, rows[i].sets[k], OPT_FROM_COMMAND,
				  false, 0, NULL);
		assert_string_equal(o.s[OPT_UNDEF], rows[i].undef);
		opt_fini(&o);
	}
}

/* Every pair of sources: the stronger stays, the same again replaces. */
static void
test_strength(void **state)
{
	for (int first = OPT_FROM_ENV; first <= OPT_FROM_SETOPT; first++) {
		for (int then = OPT_FROM_ENV; then <= OPT_FROM_SETOPT; then++) {
			struct opt_set o;

			assert_null(opt_init(&o));
			check_set(&o, "bufsize=1", first, false, 0, NULL);
			check_set(&o, "bufsize=2", then, false, 0, NULL);
			assert_int_equal(o.v[OPT_BUFSIZE],
					 then >= first ? 2 : 1);
			assert_int_equal(o.from[OPT_BUFSIZE],
					 then >= first ? then : first);
			/* A weaker one is still told of its mistakes. */
			check_set(&o, "bufsize=x", OPT_FROM_ENV, false,
				  ERR_INVALID, bad_value);
			opt_fini(&o);
		}
	}
}

static void
test_env(void **state)
{
	char *good[] = { "PATH=/bin", "DTRACE_OPT_QUIET=", "DTRACE_OPT_bufsize=2m",
			 "DTRACE_OPT_VERSION=1.5", "DTRACE_OPT", NULL };
	char *unknown[] = { "DTRACE_OPT_NOSUCH=1", NULL };
	char *bad[] = { "DTRACE_OPT_CPU=x", NULL };
	char *ignored[] = { "DTRACE_OPT_PGMAX=3", "DTRACE_OPT_NSPEC=4", NULL };
	struct opt_set o;
	struct sb told;

	sb_init(&told, 4096);
	assert_null(opt_init(&o));
	assert_null(opt_set_env(&o, good, &told));
	assert_int_equal(o.v[OPT_QUIET], 1);
	assert_int_equal(o.v[OPT_BUFSIZE], 2 << 20);
	assert_string_equal(o.s[OPT_VERSION], "1.5");
	assert_null(opt_set_env(&o, NULL, &told));

	struct err *e = opt_set_env(&o, unknown, &told);
	assert_string_equal(e->text, "DTRACE_OPT_NOSUCH: Invalid option name");
	err_free(e);
	e = opt_set_env(&o, bad, &told);
	assert_string_equal(e->text, "DTRACE_OPT_CPU: Invalid value for "
			    "specified option (a number)");
	err_free(e);
	assert_string_equal(sb_str(&told), "");
	assert_null(opt_set_env(&o, ignored, &told));
	assert_string_equal(sb_str(&told), "DTRACE_OPT_PGMAX: Option \"pgmax\" has no "
			    "effect: as many processes are followed as are named\n");
	assert_int_equal(o.v[OPT_NSPEC], 4);
	sb_fini(&told);
	opt_fini(&o);
}

/* What a file may say of the options that it was written with. */
static void
test_restore(void **state)
{
	static const struct {
		const char *name;
		int64_t v;
		bool kept;
	} rows[] = {
		{ "quiet", 1, true }, { "rawbytes", 1, true },
		{ "droptags", 1, true }, { "aggsortpos", 65536, true },
		{ "aggsortpos", 65537, false }, { "aggsortpos", 7, true },
		{ "aggsortpos", -1, false }, { "aggsortpos", OPT_UNSET, false }, { "stackindent", 3, true },
		{ "encoding", OPT_ENCODING_ASCII, true },
		{ "encoding", OPT_ENCODING_UTF8, true },
		{ "encoding", 7, false }, { "noresolve", 1, true },
		{ "temporal", 0, true },
		{ "switchrate", 1, false }, { "bufsize", 1, false },
		{ "destructive", 1, false }, { "nosuch", 1, false },
		{ "errtags", 1, false }, { "stackframes", 3, false },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		enum opt_id id = opt_find(rows[i].name);
		struct opt_set o, before;

		assert_null(opt_init(&o));
		before = o;
		opt_restore(&o, rows[i].name, rows[i].v);
		if (rows[i].kept) {
			assert_int_equal(o.v[id], rows[i].v);
			assert_int_equal(o.from[id], OPT_FROM_ENV);
			before.v[id] = o.v[id];
			before.from[id] = o.from[id];
		}
		assert_memory_equal(&o, &before, sizeof(o));
		opt_fini(&o);
	}
}

/* Who reads the file says more than it. */
static void
test_restore_weak(void **state)
{
	struct opt_set o;

	assert_null(opt_init(&o));
	for (int from = OPT_FROM_ENV; from <= OPT_FROM_SETOPT; from++) {
		check_set(&o, "aggsortpos=5", from, false, 0, NULL);
		opt_restore(&o, "aggsortpos", 9);
		assert_int_equal(o.v[OPT_AGGSORTPOS],
				 from == OPT_FROM_ENV ? 9 : 5);
	}
	opt_fini(&o);
}

/* Only who starts the trace, and the program, can allow it. */
static void
test_destructive(void **state)
{
	for (int from = OPT_FROM_ENV; from <= OPT_FROM_SETOPT; from++) {
		static const char only[] = "Only the command line (-w) and the "
			"program itself can allow destructive actions";
		bool may = from >= OPT_FROM_PRAGMA;
		struct opt_set o;

		assert_null(opt_init(&o));
		check_set(&o, "destructive=off", from, false, 0, NULL);
		check_set(&o, "destructive", from, false, ERR_INVALID,
			  may ? NULL : only);
		assert_int_equal(o.v[OPT_DESTRUCTIVE], may);
		opt_fini(&o);
	}
}

/* The rows are in order, so that a list of them reads well. */
static void
test_order(void **state)
{
	for (int i = 1; i < OPT_N; i++)
		assert_true(strcmp(opt_name(i - 1), opt_name(i)) < 0);
}

static void
test_no_memory(void **state)
{
	char *env[] = { "DTRACE_OPT_VERSION=1.5", NULL };

	for (unsigned long n = 1; ; n++) {
		struct opt_set o;
		struct sb told;

		sb_init(&told, 4096);
		assert_null(opt_init(&o));
		util_alloc_fail(n, 0);
		struct err *a = opt_set_text(&o, "amin=x", OPT_FROM_ENV, false);
		struct err *b = opt_set_env(&o, env, &told);
		util_alloc_fail(0, 0);
		bool done = !a && !b;
		assert_true(done || a == &err_nomem || b == &err_nomem);
		opt_fini(&o);
		if (done) {
			assert_true(n > 3);
			break;
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_text_values),
		cmocka_unit_test(test_environment),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_define),
		cmocka_unit_test(test_strength),
		cmocka_unit_test(test_env),
		cmocka_unit_test(test_restore),
		cmocka_unit_test(test_restore_weak),
		cmocka_unit_test(test_destructive),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_no_memory),
	};
	return cmocka_run_group_tests_name("opt", tests, NULL, NULL);
}
