/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tracepoints, of which each has a program or many share one; and those that
 * cannot be attached.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "abi/row.h"
#include "fakekern.h"
#include "prov/ops.h"
#include "session/program_priv.h"

enum { NPROBES = 300, OWN = 100 };

static char names[NPROBES][8];
static struct abi_point own[NPROBES], shared[2];

static struct err *
discover(struct prov_set *s, const struct probe_desc *d, struct prov_sink *sink)
{
	for (unsigned i = 0; i < NPROBES; i++)
		TRY(prov_add(sink, &(struct prov_new){ .name = names[i],
						       .arg = i }));
	return NULL;
}

static struct err *
sites(struct prov_set *s, const struct probe *p, prov_site_fn *fn, void *ctx)
{
	return fn(ctx, &(struct prov_site){
		.point = &own[p->arg], .trigger = PROV_TRIGGER_RAWTP,
		.tracepoint = names[p->arg], .shared = &shared[p->arg % 2] });
}

static const struct prov_ops ops = {
	.name = "trace", .discover = discover, .sites = sites,
};

/* Functions of the kernel; odd ones are attached to by one link for all. */
static struct err *
function_sites(struct prov_set *s, const struct probe *p, prov_site_fn *fn,
	       void *ctx)
{
	static const struct abi_point points[2] = {
		{ .attach = ABI_ATTACH_KPROBE, .find = ABI_FIND_COOKIE,
		  .target = "each" },
		{ .attach = ABI_ATTACH_KPROBE_MULTI, .find = ABI_FIND_COOKIE,
		  .target = "many" },
	};

	return fn(ctx, &(struct prov_site){ .point = &points[p->arg % 2],
		.trigger = PROV_TRIGGER_RAWTP, .addr = 0x1000 + p->arg });
}

static const struct prov_ops function_ops = {
	.name = "func", .discover = discover, .sites = function_sites,
};

static int
setup(void **state)
{
	for (unsigned i = 0; i < NPROBES; i++) {
		snprintf(names[i], sizeof(names[i]), "tp%03u", i);
		own[i] = (struct abi_point){ .attach = ABI_ATTACH_RAWTP,
			.find = ABI_FIND_ONE, .target = names[i] };
	}
	for (unsigned i = 0; i < 2; i++)
		shared[i] = (struct abi_point){ .attach = ABI_ATTACH_RAWTP,
			.find = ABI_FIND_COOKIE, .target = "many" };
	return 0;
}

static struct session *
compile(const char *text)
{
	const struct diag_list *diags;
	struct session_prog *p;
	struct session *s;

	assert_null(session_new(&s));
	assert_null(prov_set_add(s->prov, &ops));
	assert_null(prov_set_add(s->prov, &function_ops));
	assert_null(session_compile(s, NULL, text, strlen(text),
				    PROBE_SPEC_NAME, 0, NULL, 0, &diags, &p));
	assert_null(session_enable(s, p));
	return s;
}

static void
check_points(const char *text, bool tells, uint32_t want)
{
	fakekern_reset();
	fake.tells_tracepoints = tells;
	struct session *s = compile(text);
	struct engine_input in = { .a = s->a };
	size_t nsites = 0;

	assert_null(session_plan(s, &in));
	assert_int_equal(in.npoints, want);
	for (uint32_t i = 0; i < in.npoints; i++) {
		const struct engine_point *p = &in.points[i];
		bool all = p->point == &shared[0] || p->point == &shared[1];
		assert_int_equal(all, want == 2);
		for (size_t k = 0; k < p->sites.n; k++)
			assert_string_equal(p->sites.v[k].site.tracepoint,
				p->probes.v[p->sites.v[k].probe].part[3]);
		nsites += p->sites.n;
	}
	assert_int_equal(nsites, want == 2 ? NPROBES : want);
	session_free(s);
}

static void
test_sharing(void **state)
{
	check_points("trace:::tp0?? { @ = count(); }", true, OWN);
	check_points("trace::: { @ = count(); }", true, 2);
	check_points("trace::: { @ = count(); }", false, NPROBES);
}

/* A row has room for so many clauses. */
static void
test_clauses(void **state)
{
	static const char clause[] = "trace::: { @ = count(); }\n";
	static char text[(ABI_ROW_CLAUSES + 1) * sizeof(clause)];

	for (int i = 0; i < ABI_ROW_CLAUSES; i++)
		strcat(text, clause);
	check_points(text, true, 2);
	strcat(text, clause);
	check_points(text, true, NPROBES);
	/* It runs as often as its descriptions match. */
	check_points("trace:::, trace:::t* { @ = count(); }", true, 2);
	strcpy(text, "trace:::");
	for (int i = 1; i < ABI_ROW_CLAUSES; i++)
		strcat(text, ",trace:::");
	strcat(text, "{ @ = count(); }");
	check_points(text, true, 2);
	strcpy(strchr(text, '{'), ",trace::: { @ = count(); }");
	check_points(text, true, NPROBES);
}

/* --- Attaching ---------------------------------------------------------------- */

static char warned[4096];

static void
warn(void *ctx, const char *text)
{
	size_t n = strlen(warned);

	snprintf(warned + n, sizeof(warned) - n, "%s\n", text);
}

/* How many of them could not be attached; -1: and so the trace was none. */
static int
count_refused(const char *text, const char *refused, bool tells)
{
	fakekern_reset();
	fake.refuses = refused;
	fake.tells_tracepoints = tells;
	*warned = '\0';
	struct session *s = compile(text);
	session_on_warning(s, warn, NULL);
	struct err *e = session_go(s);
	int n = e ? -1 : (int)session_nwarnings(s);
	err_free(e);
	session_free(s);
	assert_int_equal(fake.nlinks, 0);
	return n;
}

static void
test_refused(void **state)
{
	static const char two[] = "trace:::tp007, trace:::tp008 { @ = count(); }";
	static const char all[] = "trace::: { @ = count(); }";

	assert_int_equal(count_refused(two, NULL, true), 0);
	assert_int_equal(count_refused(two, "tp007", true), 1);
	assert_non_null(strstr(warned, "trace:::tp007: "));
	assert_null(strstr(warned, "tp008"));
	assert_int_equal(count_refused(two, "tp", true), -1);
	for (int tells = 0; tells < 2; tells++) {
		assert_int_equal(count_refused(all, "tp00", tells), 10);
		assert_non_null(strstr(warned, "trace:::tp009: "));
		assert_int_equal(count_refused(all, "tp", tells), -1);
	}
	/* What fires all of the system calls is no such thing. */
	assert_int_equal(count_refused("syscall::read:entry, trace:::tp001 "
				       "{ @ = count(); }", "sys_", true), -1);
}

/* By its cookie a program finds the probe. */
static void
test_cookies(void **state)
{
	fakekern_reset();
	fake.tells_tracepoints = true;
	struct session *s = compile("trace::: { @ = count(); }");

	assert_null(session_go(s));
	const struct abi_row *rows = fakekern_map("dt_rows");
	assert_non_null(rows);
	for (unsigned i = 1; i <= NPROBES; i++) {
		assert_true(rows[i].probe && rows[i].epid);
		assert_int_equal(rows[i].clauses, 1);
		for (unsigned k = 1; k < i; k++)
			assert_int_not_equal(rows[k].probe, rows[i].probe);
	}
	assert_int_equal(rows[NPROBES + 1].epid, 0);
	assert_non_null(strstr(sb_str(&fake.log), "attach tp000\n"));
	session_free(s);
}

/* Functions that are left one by one are so many at most. */
static void
test_functions(void **state)
{
	static const struct { const char *max, *text, *want; } rows[] = {
		{ NULL, "func::: { @ = count(); }", NULL },
		{ "150", "func::: { @ = count(); }", NULL },
		{ "149", "func::: { @ = count(); }", "-x fbtmax=150 " },
		{ "9", "func:::tp01? { @ = count(); }", NULL },
		{ "0", "func:::tp001 { @ = count(); }", NULL },
		{ "0", "func:::tp002 { @ = count(); }", "-x fbtmax=1 " },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		fakekern_reset();
		struct session *s = compile(rows[i].text);
		if (rows[i].max)
			assert_null(opt_set_value(session_opts(s), "fbtmax",
				rows[i].max, OPT_FROM_COMMAND, false));
		struct err *e = session_go(s);
		assert_int_equal(!e, !rows[i].want);
		if (e)
			assert_non_null(strstr(e->text, rows[i].want));
		err_free(e);
		session_free(s);
		assert_int_equal(fake.nlinks, 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sharing),
		cmocka_unit_test(test_clauses),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_cookies),
		cmocka_unit_test(test_functions),
	};

	return cmocka_run_group_tests_name("share", tests, setup, NULL);
}
