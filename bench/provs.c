/* SPDX-License-Identifier: BSD-2-Clause
 *
 * provs WHAT: milliseconds that something takes beside a provider of 100,000
 * probes, from a new session on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/base.h"
#include "session/program_priv.h"
#include "support/manyprobes.h"

static void
must(struct err *e)
{
	if (!e)
		return;
	fprintf(stderr, "provs: %s\n", e->text);
	exit(1);
}

static bool
count(void *ctx, const struct probe *p)
{
	++*(unsigned *)ctx;
	return true;
}

static unsigned
match(struct session *s, const char *text)
{
	unsigned n = 0;

	must(session_probes(s, text, PROBE_SPEC_NAME, count, &n));
	return n;
}

static unsigned
list(struct session *s)
{
	return match(s, ":::") > 100000;
}

static unsigned
glob(struct session *s)
{
	return match(s, "many::*_1234?:entry") == 10;
}

/* In what was listed already, which is the most that can be looked at. */
static unsigned
typo(struct session *s)
{
	struct probe_desc d = { "many", "", "func_1234x", "entry", 0 };
	const char *texts[5];

	return prov_suggest(s->prov, &d, s->a, texts, 5) == 5;
}

/* What most scripts ask for, of providers that are there anyway. */
static unsigned
begin(struct session *s)
{
	return match(s, "BEGIN") == 1;
}

static unsigned
syscalls(struct session *s)
{
	return match(s, "syscall:::entry") > 300;
}

static unsigned
mistake(struct session *s)
{
	struct probe_desc d = { "", "", "raed", "entyr", 0 };
	const char *texts[5];

	return prov_suggest(s->prov, &d, s->a, texts, 5) > 0;
}

static unsigned
plan(struct session *s)
{
	static const char text[] = "many::func_00???:entry { @ = count(); }";
	static const char *const args[] = { "provs" };
	struct engine_input in = { .a = s->a };
	const struct diag_list *diags;
	struct session_prog *p;

	must(session_compile(s, NULL, text, strlen(text), PROBE_SPEC_NAME, 0,
			     args, 1, &diags, &p));
	must(session_enable(s, p));
	must(session_plan(s, &in));
	return session_prog_matches(p) == 1000;
}

static const struct {
	const char *name;
	unsigned (*run)(struct session *s);	/* 0: another result */
	bool listed;		/* everything was listed before */
} rows[] = {
	{ "list", list }, { "glob", glob }, { "typo", typo, true },
	{ "plan", plan }, { "begin", begin }, { "syscalls", syscalls },
	{ "mistake", mistake },
};

static double
now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6;
}

int
main(int argc, char **argv)
{
	for (size_t i = 0; argc == 2 && i < BASE_NELEMS(rows); i++) {
		struct session *s;
		if (strcmp(argv[1], rows[i].name) != 0)
			continue;
		must(session_new(&s));
		must(prov_set_add(s->prov, &manyprobes));
		if (rows[i].listed)
			list(s);
		double start = now_ms();
		if (!rows[i].run(s)) {
			fputs("provs: another result\n", stderr);
			return 1;
		}
		printf("%.3f\n", now_ms() - start);
		session_free(s);
		return 0;
	}
	fputs("usage: provs list|glob|typo|plan|begin|syscalls|mistake\n", stderr);
	return 2;
}
