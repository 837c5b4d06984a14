/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a provider keeps in each set, and providers that cannot tell what there
 * is: who asks is told so, and may ask again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "prov/ops.h"
#include "util/alloc.h"
#include "util/arena.h"

/* How often each was called. */
static unsigned ninit, nfini, ndiscover;
static bool discover_fails;

static void
init(void *state)
{
	assert_int_equal(*(unsigned *)state, 0);
	ninit++;
}

static void
fini(void *state)
{
	nfini++;
}

extern const struct prov_ops kept;

/* One probe, of a name that tells how often this set was asked. */
static struct err *
discover(struct prov_set *s, const struct probe_desc *d,
	 struct prov_sink *sink)
{
	static const char *const names[] = { "first", "second", "third" };
	unsigned *n = prov_state(s, &kept);

	ndiscover++;
	assert_non_null(n);
	if (discover_fails)
		return err_new(ERR_NOTFOUND, 0, "there is no process 7");
	return prov_add(sink, &(struct prov_new){ .name = names[(*n)++] });
}

static struct err *
sites(struct prov_set *s, const struct probe *p, prov_site_fn *fn, void *ctx)
{
	return NULL;
}

const struct prov_ops kept = {
	.name = "kept", .state_size = sizeof(unsigned), .init = init, .fini = fini,
	.discover = discover, .sites = sites,
};

static struct arena *arena;

static struct prov_set *
start(void)
{
	struct prov_set *s;

	ninit = nfini = ndiscover = 0;
	discover_fails = false;
	arena = arena_new();
	assert_null(prov_set_new(arena, NULL, &s));
	assert_null(prov_set_add(s, &kept));
	return s;
}

static void
stop(struct prov_set *s)
{
	prov_set_free(s);
	arena_free(arena);
}

static bool
count(void *ctx, const struct probe *p)
{
	++*(unsigned *)ctx;
	return true;
}

static unsigned
matches(struct prov_set *s, const char *prov, const char *name)
{
	struct probe_desc d = { prov, "", "", name, 0 };
	unsigned n = 0;

	assert_null(prov_match(s, &d, count, &n));
	return n;
}

static void
assert_fails(struct prov_set *s, const struct probe_desc *d, const char *text)
{
	unsigned n = 0;
	struct err *e = prov_match(s, d, count, &n);

	assert_non_null(e);
	assert_string_equal(e->text, text);
	assert_int_equal(n, 0);
	err_free(e);
}

static void
test_state(void **state)
{
	struct prov_set *s = start(), *other;

	/* nothing is made for who does not ask */
	assert_int_equal(matches(s, "dtrace", "BEGIN"), 1);
	assert_int_equal(ninit, 0);
	assert_null(prov_state(s, &kept));
	assert_int_equal(matches(s, "kept", "first"), 1);
	assert_int_equal(matches(s, "kept", "second"), 1);
	assert_int_equal(ninit, 1);
	/* another set has its own */
	assert_null(prov_set_new(arena, NULL, &other));
	assert_null(prov_state(other, &kept));
	assert_null(prov_set_add(other, &kept));
	assert_int_equal(matches(other, "kept", "first"), 1);
	assert_int_equal(ninit, 2);
	assert_ptr_not_equal(prov_state(s, &kept), prov_state(other, &kept));
	assert_int_equal(*(unsigned *)prov_state(s, &kept), 2);
	assert_int_equal(*(unsigned *)prov_state(other, &kept), 1);
	prov_set_free(other);
	assert_int_equal(nfini, 1);
	stop(s);
	assert_int_equal(nfini, 2);
}

static void
test_unused(void **state)
{
	stop(start());
	assert_int_equal(ninit + nfini, 0);
}

/* It may work later. */
static void
test_no_memory(void **state)
{
	struct probe_desc d = { "kept", "", "", "first", 0 };
	struct prov_set *s = start();

	util_alloc_fail(1, 1);
	assert_fails(s, &d, "out of memory");
	util_alloc_fail(0, 0);
	assert_int_equal(ndiscover, 0);
	assert_int_equal(matches(s, "kept", "first"), 1);
	assert_int_equal(ninit, 1);
	stop(s);
	assert_int_equal(nfini, 1);
}

static void
test_discover_fails(void **state)
{
	struct probe_desc d = { "kept", "", "", "first", 0 };
	struct prov_set *s = start();

	discover_fails = true;
	assert_fails(s, &d, "there is no process 7");
	assert_fails(s, &d, "there is no process 7");	/* not remembered */
	/* who does not name it does not hear of it */
	assert_int_equal(matches(s, "dtrace", "BEGIN"), 1);
	assert_int_equal(matches(s, "", "BEGIN"), 1);
	assert_int_equal(matches(s, "", "first"), 0);
	assert_int_equal(matches(s, "k*t", "first"), 0);
	assert_null(prov_by_id(s, 1 << 30));
	discover_fails = false;
	assert_int_equal(matches(s, "k*t", "first"), 1);
	stop(s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_state),
		cmocka_unit_test(test_unused),
		cmocka_unit_test(test_no_memory),
		cmocka_unit_test(test_discover_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
