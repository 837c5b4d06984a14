/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A thousand probes of a hundred thousand, from program to plan: each has its
 * row at each point where it has a site, and work grows as their number does.
 * Nothing is attached.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/base.h"
#include "session/program_priv.h"
#include "support/assertok.h"
#include "support/manyprobes.h"

static struct session *s;

static int
setup(void **state)
{
	manyprobes_n = 50000;
	assert_ok(session_new(&s));
	assert_ok(prov_set_add(s->prov, &manyprobes));
	return 0;
}

static int
teardown(void **state)
{
	session_free(s);
	return 0;
}

/* Compile, enable and plan; the number of probes that match. */
static unsigned
plan(const char *text, struct engine_input *in)
{
	static const char *const args[] = { "test", "123" };
	const struct diag_list *diags;
	struct session_prog *p;

	assert_ok(session_compile(s, NULL, text, strlen(text), PROBE_SPEC_NAME,
				  0, args, strstr(text, "$1") ? 2 : 1,
				  &diags, &p));
	assert_ok(session_enable(s, p));
	*in = (struct engine_input){ .a = s->a };
	assert_ok(session_plan(s, in));
	return session_prog_matches(p);
}

static const struct engine_point *
point(const struct engine_input *in, const char *target)
{
	for (uint32_t i = 0; i < in->npoints; i++)
		if (strcmp(in->points[i].point->target, target) == 0)
			return &in->points[i];
	fail_msg("there is no point %s", target);
	return NULL;
}

static void
assert_point(const struct engine_point *p, size_t nprobes, size_t nsites)
{
	assert_int_equal(p->probes.n, nprobes);
	assert_int_equal(p->sites.n, nsites);
	for (size_t i = 0; i < p->sites.n; i++) {
		const struct engine_site *site = &p->sites.v[i];
		assert_true(site->probe < p->probes.n);
		uint32_t id = p->probes.v[site->probe].id;
		/* It says so in its offset. */
		if (site->site.file)
			assert_int_equal(prov_by_id(s->prov, id)->arg,
					 site->site.offset / 64);
		assert_ptr_equal(site->site.point, p->point);
	}
}

static void
test_points(void **state)
{
	struct engine_input in;

	/* Function i has i % 4 sites, the second of them at the other point. */
	assert_int_equal(plan("many::func_00???:entry { @ = count(); }\n"
			      "many::func_0000?:entry { trace(arg0); }\n"
			      "ERROR { trace(1); } BEGIN { trace(2); }", &in),
			 1012);
	assert_int_equal(in.npoints, 3);
	assert_point(point(&in, "one"), 750, 1000);
	assert_point(point(&in, "two"), 500, 500);
	assert_point(point(&in, "BEGIN"), 1, 1);
	assert_int_equal(in.error.nclauses, 1);
	assert_int_equal(point(&in, "one")->probes.v[0].nclauses, 2);
	assert_int_equal(point(&in, "one")->probes.v[749].nclauses, 1);
}

/* All of its system calls' keys stay with a probe that has one site. */
static void
test_syscall(void **state)
{
	struct engine_input in;

	assert_int_equal(plan("syscall::read:entry,syscall::write:entry"
			      "{ @ = count(); }", &in), 2);
	assert_int_equal(in.npoints, 1);
	assert_point(&in.points[0], 2, 2);
	assert_int_equal(in.points[0].probes.v[0].nkeys, 2);
	assert_int_equal(in.points[0].sites.v[1].site.nkeys, 2);
}

static uint64_t
asked(const char *provider)
{
	return prov_asked(s->prov, provider);
}

static bool
ignore(void *ctx, const struct probe *p)
{
	return true;
}

/* A program asks those whom it may be about, whoever compiles and plans it; a
 * list of everything asks all. */
static void
test_who_is_asked(void **state)
{
	struct engine_input in;

	plan("BEGIN { exit(0); }", &in);
	assert_int_equal(asked("dtrace"), 1);
	assert_int_equal(asked("syscall"), 0);
	assert_int_equal(asked("profile"), 0);
	assert_int_equal(asked("many"), 0);
	plan("syscall::read:entry { exit(0); }", &in);
	assert_int_equal(asked("syscall"), 1);
	plan("tick-1s { exit(0); }", &in);
	assert_int_equal(asked("dtrace"), 1);
	assert_int_equal(asked("syscall"), 1);
	assert_int_equal(asked("profile"), 1);
	assert_int_equal(asked("many"), 0);
	assert_ok(session_probes(s, NULL, PROBE_SPEC_NAME, ignore, NULL));
	assert_int_equal(asked("dtrace"), 2);
	assert_int_equal(asked("syscall"), 2);
	assert_int_equal(asked("profile"), 2);
	assert_int_equal(asked("many"), 1);
}

/* A number in a provider's name may be a macro's; a probe without a site is no
 * error and has no row. */
static void
test_procs(void **state)
{
	struct engine_input in;

	assert_ok(prov_set_add(s->prov, &manyprocs));
	assert_int_equal(plan("proc$1:::start { @ = count(); }", &in), 1);
	assert_int_equal(in.npoints, 0);
	assert_int_equal(plan("proc1*::: { @ = count(); }", &in), 2);
	assert_int_equal(plan("proc7:::start, proc12:::start { @ = count(); }",
			      &in), 2);
}

/* --- Growth --------------------------------------------------------------- */

static uint64_t
steps_of(const char *text, unsigned want)
{
	struct engine_input in;

	teardown(NULL);
	setup(NULL);
	assert_int_equal(plan(text, &in), want);
	const struct prov_work *w = prov_work(s->prov);
	print_message("# %u: %llu steps\n", want,
		      (unsigned long long)(w->slots + w->matched));
	return w->asked + w->slots + w->matched + w->scored;
}

/* n clauses, each for one function by its name. */
static uint64_t
steps_of_clauses(unsigned n)
{
	static char text[1 << 20];
	size_t at = 0;

	for (unsigned i = 0; i < n; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at,
				       "many::func_%05u:entry { @ = count(); }\n",
				       i);
	return steps_of(text, n);
}

static void
test_linear(void **state)
{
	/* Every name of the provider is compared, whatever is matched. */
	uint64_t one = steps_of("many::func_00*:entry { @ = count(); }", 1000);
	uint64_t ten = steps_of("many::func_0*:entry { @ = count(); }", 10000);
	assert_in_range(ten, one, 5 * one);

	one = steps_of_clauses(250);
	uint64_t four = steps_of_clauses(1000);
	assert_in_range(four, one, 5 * one);
}

/* --- Providers that cannot tell ------------------------------------------- */

static struct err *failure;

static struct err *
fail_to_discover(struct prov_set *set, const struct probe_desc *d,
		 struct prov_sink *sink)
{
	return failure == &err_nomem ? failure :
		err_new(ERR_NOTFOUND, 0, "there is no process 7");
}

static struct err *
no_sites(struct prov_set *set, const struct probe *p, prov_site_fn *fn,
	 void *ctx)
{
	return NULL;
}

static const struct prov_ops broken = {
	.name = "broken[0-9]*", .discover = fail_to_discover,
	.sites = no_sites,
};

static struct err *
try(const char *text, const struct diag_list **diags)
{
	struct session_prog *p;

	return session_compile(s, NULL, text, strlen(text), PROBE_SPEC_NAME, 0,
			       NULL, 0, diags, &p);
}

/* What a provider says reaches who wrote the description; and what has no memory
 * is no error of the program. */
static void
test_broken(void **state)
{
	static const char text[] = "BEGIN, broken7:::entry { exit(0); }";
	const struct diag_list *diags;

	assert_ok(prov_set_add(s->prov, &broken));
	failure = NULL;
	struct err *e = try(text, &diags);
	assert_non_null(e);
	assert_int_equal(e->code, ERR_COMPILE);
	err_free(e);
	assert_int_equal(diags->n, 1);
	assert_int_equal(diags->first->tag, D_PDESC_FAIL);
	assert_string_equal(diags->first->text, "probe description "
			    "broken7:::entry: there is no process 7");
	e = session_probes(s, "broken7:::", PROBE_SPEC_NAME, ignore, NULL);
	assert_non_null(e);
	assert_string_equal(e->text, "there is no process 7");
	err_free(e);
	/* who does not name the provider has nothing to do with it */
	assert_ok(try("BEGIN { exit(0); }", &diags));
	assert_null(s->compiling.failure);
	failure = &err_nomem;
	e = try(text, &diags);
	assert_ptr_equal(e, &err_nomem);
	assert_int_equal(diags->n, 0);
}

int
main(void)
{
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(test_points),
		TEST(test_syscall),
		TEST(test_who_is_asked),
		TEST(test_procs),
		TEST(test_linear),
		TEST(test_broken),
	};
	return cmocka_run_group_tests_name("session-many", tests, NULL, NULL);
}
