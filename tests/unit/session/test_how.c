/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How providers are attached, on kernels that lack this or that: what the kernel has
 * is played by us.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/base.h"
#include "kern/kern.h"
#include "session/session.h"

static const char *absent;	/* the id of the feature that is not there */

const struct kern_feature *__wrap_kern_features(unsigned *n);

const struct kern_feature *
__wrap_kern_features(unsigned *n)
{
	static struct kern_feature rows[] = {
#define FEATURE(id, name, use) { #id, name, true, use },
#include "kern/feature.def"
#undef FEATURE
	};

	*n = BASE_NELEMS(rows);
	for (unsigned i = 0; i < *n; i++) {
		rows[i].present = strcmp(rows[i].id, absent);
		rows[i].detail = rows[i].present ? "used" : "no such thing";
	}
	return rows;
}

struct wanted {
	const char *provider;
	bool can;
	const char *text;	/* is in it */
	bool seen;
};

static void
look(void *ctx, const char *provider, bool can, const char *text)
{
	struct wanted *w = ctx;

	assert_null(strstr(text, "nobody knows"));
	if (strcmp(provider, w->provider))
		return;
	w->seen = true;
	if (can != w->can || !strstr(text, w->text))
		fail_msg("without %s, %s: %d, \"%s\"", absent, provider, can,
			 text);
}

static void
test_ways(void **state)
{
	static const struct { const char *absent; struct wanted w; } rows[] = {
		{ "", { "syscall", true, "raw tracepoints" } },
		{ "", { "sdt", true, "many share" } },
		{ "rawtp_cookie", { "sdt", true, "a program each; without raw "
				    "tracepoint cookie: no such thing" } },
		{ "btf", { "sdt", false, "without kernel types: no such" } },
		{ "rawtp", { "syscall", false, "without raw tracepoint: no" } },
		{ "rawtp", { "proc", false, "without raw tracepoint: no" } },
		{ "perf_link", { "profile", true, "no profile-N; without perf "
				 "event link" } },
		{ "prog_run", { "profile", false, "without program run" } },
		{ "prog_run", { "dtrace", false, "without program run" } },
		{ "kprobe_multi", { "fbt", true, "for each function; without "
				    "function entry by kprobe.multi" } },
		{ "perf_link", { "cpc", false, "without perf event link" } },
		{ "uprobe_multi", { "plockstat", true, "for each place; without" } },
		{ "uprobe", { "syscall", true, "raw tracepoints" } },
	};
	struct session *s;

	assert_null(session_new(&s));
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct wanted w = rows[i].w;
		absent = rows[i].absent;
		assert_null(session_hows(s, look, &w));
		assert_true(w.seen);
	}
	session_free(s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_ways) };

	return cmocka_run_group_tests_name("session/how", tests, NULL, NULL);
}
