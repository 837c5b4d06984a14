/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Speculations: kept, committed, discarded, late, and when their ids are free
 * again.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/base.h"
#include "consume/consume.h"
#include "support/recmaker.h"
#include "util/alloc.h"

enum { NSPEC = 2, MAX_SEEN = 64 };

static struct world {
	struct rm *m;
	struct consume *c;
	uint32_t plain, spec;		/* EPIDs */
	struct consume_spec now[NSPEC];
	unsigned freed, seen_off;
	int64_t seen[MAX_SEEN];
	unsigned n, refuse_at;		/* 1-based; 0: never */
} w;

static struct err *
note(void *ctx, const struct consume_event *e)
{
	unsigned last;

	if (e->kind != CONSUME_RECORD)
		return NULL;
	assert_true(w.n < MAX_SEEN);
	last = e->epid->desc->nfields - 1;
	w.seen[w.n++] = consume_field_int(&e->epid->desc->fields[last],
					  e->record);
	return w.n == w.refuse_at ? &err_nomem : NULL;
}

static struct consume_spec
spec(void *ctx, uint32_t id)
{
	return w.now[id - 1];
}

static void
spec_free(void *ctx, uint32_t id)
{
	w.now[id - 1] = (struct consume_spec){ CONSUME_SPEC_OPEN,
					       w.now[id - 1].gen + 1, 0 };
	w.freed++;
}

static void
spec_seen(void *ctx, uint32_t id)
{
	w.seen_off++;
}

static uint32_t
clause(bool speculates)
{
	struct rm_clause *cl = rm_clause(w.m, 0);

	rm_action(cl, ABI_ACT_DIFEXPR, NULL);
	if (speculates) {
		rm_field(cl, ABI_FIELD_INT, 8, false);
		cl->desc.spec = cl->fields[0].offset;
	}
	rm_field(cl, ABI_FIELD_INT, 8, true);
	return rm_epid(w.m, 1, cl);
}

static void
open_world(void)
{
	memset(&w, 0, sizeof(w));
	w.m = rm_new(2);
	rm_probe(w.m, "p", "m", "f", "n");
	w.plain = clause(false);
	w.spec = clause(true);
	w.m->source.nspec = NSPEC;
	w.m->source.spec = spec;
	w.m->source.spec_free = spec_free;
	w.m->source.spec_seen = spec_seen;
	assert_null(consume_new(&w.m->source, &w.m->meta, &w.c));
}

static void
close_world(void)
{
	consume_free(w.c);
	rm_free(w.m);
}

static void
put(unsigned cpu, uint64_t time, int64_t v)
{
	rm_set_int(w.m, rm_record(w.m, cpu, time, w.plain), 0, v);
}

/* A record of generation gen of speculation id. */
static void
speculate(unsigned cpu, uint64_t time, uint32_t id, uint32_t gen, int64_t v)
{
	struct abi_record *r = rm_record(w.m, cpu, time, w.spec);

	rm_set_int(w.m, r, 0, (int64_t)ABI_SPEC_TAG(id, gen));
	rm_set_int(w.m, r, 1, v);
}

/* The record of an end. */
static void
end(unsigned cpu, uint64_t time, uint32_t id, uint32_t gen, uint32_t how)
{
	struct abi_spec_end r = { { ABI_EPID_SPEC_END, sizeof(r), time },
				  ABI_SPEC_TAG(id, gen) | how };

	rm_raw(w.m, cpu, &r, sizeof(r));
}

/* The speculation ends, and is free at once. */
static void
commit(unsigned cpu, uint64_t time, uint32_t id)
{
	end(cpu, time, id, w.now[id - 1].gen++, 0);
}

static void
discard(unsigned cpu, uint64_t time, uint32_t id)
{
	end(cpu, time, id, w.now[id - 1].gen++, ABI_SPEC_END_DISCARD);
}

/* The speculation ends, several CPUs have used it, and it is left to the
 * consumer. */
static void
leave(unsigned cpu, uint64_t time, uint32_t id, uint32_t how)
{
	end(cpu, time, id, w.now[id - 1].gen, how | ABI_SPEC_END_SHARED);
	w.now[id - 1].state = how ? CONSUME_SPEC_DISCARDED
				  : CONSUME_SPEC_COMMITTED;
}

static void
pass(void)
{
	assert_null(consume_pass(w.c, true, true, note, NULL));
}

static void
expect(const char *want)
{
	char got[512] = "", *p = got;

	for (unsigned i = 0; i < w.n; i++)
		p += sprintf(p, "%s%lld", i ? " " : "",
			     (long long)w.seen[i]);
	assert_string_equal(got, want);
	w.n = 0;
}

static void
test_commit(void **state)
{
	open_world();
	speculate(0, 10, 1, 0, 1);
	speculate(1, 5, 1, 0, 2);
	put(0, 20, 100);
	speculate(1, 25, 1, 0, 3);
	pass();
	expect("100");
	speculate(0, 30, 1, 0, 4);
	put(1, 39, 101);
	commit(1, 40, 1);
	put(1, 40, 102);
	put(0, 50, 103);
	pass();
	expect("101 2 1 3 4 102 103");
	close_world();
}

static void
test_discard(void **state)
{
	open_world();
	speculate(0, 10, 1, 0, 1);
	speculate(0, 11, 2, 0, 2);
	pass();
	discard(0, 12, 1);
	speculate(1, 13, 1, 0, 3);	/* late */
	commit(0, 20, 2);
	pass();
	expect("2");
	close_world();
}

/* A firing may end after the commit, even after the id was used again. */
static void
test_late(void **state)
{
	open_world();
	speculate(0, 10, 1, 0, 1);
	leave(0, 20, 1, 0);
	pass();
	expect("1");
	speculate(1, 15, 1, 0, 2);
	pass();
	expect("2");
	assert_false(consume_clean(w.c));
	speculate(0, 30, 1, 1, 3);
	speculate(1, 16, 1, 0, 4);
	pass();
	expect("4");
	leave(0, 31, 1, ABI_SPEC_END_DISCARD);
	pass();
	assert_false(consume_clean(w.c));
	speculate(0, 32, 1, 1, 5);	/* of the discarded one */
	speculate(1, 17, 1, 0, 6);
	speculate(0, 40, 1, 2, 7);
	commit(0, 41, 1);
	pass();
	expect("6 7");
	close_world();
}

/* Two generations are open at once when the second begins in a firing that began
 * before the first ended. */
static void
test_generations(void **state)
{
	open_world();
	speculate(0, 10, 1, 0, 1);
	speculate(1, 19, 1, 1, 2);
	end(1, 19, 1, 1, 0);
	end(0, 20, 1, 0, 0);
	speculate(0, 21, 1, 2, 3);
	speculate(1, 21, 1, 3, 4);
	end(0, 22, 1, 2, ABI_SPEC_END_DISCARD);
	end(1, 23, 1, 3, 0);
	w.now[0].gen = 4;
	pass();
	expect("2 1 4");
	close_world();
}

/* One CPU turns over any number of them; what the others used is known all
 * the same. */
static void
test_turns(void **state)
{
	open_world();
	leave(0, 1, 1, 0);
	pass();
	consume_clean(w.c);
	for (uint32_t i = 1; i <= 1000; i++) {
		speculate(1, 10 * i, 1, i, i);
		(i % 500 ? discard : commit)(1, 10 * i + 1, 1);
	}
	pass();
	expect("500 1000");
	speculate(0, 10002, 1, 0, 1);
	pass();
	expect("1");
	assert_int_equal(w.freed, 1);
	close_world();
}

static struct err *
count_spec(void *ctx, const struct consume_event *e)
{
	if (e->kind == CONSUME_DROP && e->drop == ABI_DROP_SPEC)
		*(uint64_t *)ctx += e->count;
	return NULL;
}

/* What nobody knows about any more is a drop, once all was seen that was written
 * before the id got further. */
static void
test_drops(void **state)
{
	uint64_t n = 0;

	open_world();
	for (unsigned i = 0; i < 66; i++)
		discard(0, 1, 1);
	pass();
	speculate(0, 10, 1, 0, 1);	/* 66 ago: too long */
	speculate(0, 11, 1, 1, 2);	/* 65 ago: too long */
	speculate(0, 12, 1, 2, 3);	/* 64 ago: known */
	speculate(0, 13, 1, 66, 4);	/* it is open */
	pass();
	consume_clean(w.c);
	w.m->drops[ABI_DROP_SPEC][0] = 5;
	assert_null(consume_drops(w.c, count_spec, &n));
	assert_int_equal(n, 5);
	w.m->clock++;
	pass();
	consume_clean(w.c);
	assert_null(consume_drops(w.c, count_spec, &n));
	assert_int_equal(n, 7);
	assert_int_equal(w.seen_off, 1);
	commit(0, 40, 1);
	pass();
	expect("4");
	close_world();
}

/* The id is free when the commit has been handed on, not before. */
static void
test_clean(void **state)
{
	open_world();
	assert_false(consume_clean(w.c));
	assert_int_equal(w.freed, 0);
	leave(0, 20, 1, 0);
	assert_true(consume_clean(w.c));
	assert_int_equal(w.freed, 0);
	pass();
	assert_false(consume_clean(w.c));
	assert_int_equal(w.freed, 1);
	assert_int_equal(w.now[0].gen, 1);
	close_world();
}

/* There was no room in the ring for the record of the end. */
static void
test_lost(void **state)
{
	open_world();
	speculate(0, 10, 1, 0, 1);
	put(0, 20, 100);
	put(1, 40, 101);
	w.now[0].state = CONSUME_SPEC_COMMITTED;
	w.now[0].lost = 30;
	pass();
	expect("100 1 101");
	pass();
	expect("");
	assert_false(consume_clean(w.c));
	assert_int_equal(w.freed, 1);
	speculate(0, 50, 1, 1, 2);
	w.now[0].state = CONSUME_SPEC_DISCARDED;
	w.now[0].lost = 51;
	pass();
	expect("");
	assert_false(consume_clean(w.c));
	assert_int_equal(w.freed, 2);
	close_world();
}

static void
fill(void)
{
	put(0, 1, 100);
	for (int i = 1; i <= 5; i++)
		speculate((unsigned)i & 1, (uint64_t)i * 2, 1, 0, i);
	commit(0, 20, 1);
	put(1, 21, 101);
}

/* Whoever refuses an event gets the rest the next time. */
static void
test_refused(void **state)
{
	for (unsigned at = 1; at <= 7; at++) {
		open_world();
		fill();
		w.refuse_at = at;
		struct err *e = consume_pass(w.c, true, true, note, NULL);
		assert_non_null(e);
		w.refuse_at = 0;
		pass();
		expect("100 1 2 3 4 5 101");
		close_world();
	}
}

static void
test_memory(void **state)
{
	bool failed = true;

	for (unsigned n = 1; failed; n++) {
		open_world();
		fill();
		util_alloc_fail(n, 0);
		struct err *e = consume_pass(w.c, true, true, note, NULL);
		util_alloc_fail(0, 0);
		failed = e != NULL;
		if (failed)
			pass();
		expect("100 1 2 3 4 5 101");
		close_world();
		assert_true(n < 1000);
	}
}

/* Tags that nothing can have given out. */
static void
test_nonsense(void **state)
{
	open_world();
	speculate(0, 1, 3, 0, 1);
	speculate(0, 2, 1, 7, 2);
	speculate(0, 3, 0, 1, 3);
	speculate(0, 4, 0, 0, 4);	/* no tag at all */
	pass();
	expect("4");
	assert_int_equal(rm_malformed(w.c), 3);
	close_world();
}

/* What never ends is never seen. */
static void
test_outstanding(void **state)
{
	open_world();
	speculate(0, 1, 1, 0, 1);
	put(0, 2, 2);
	pass();
	pass();
	expect("2");
	close_world();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_commit),
		cmocka_unit_test(test_discard),
		cmocka_unit_test(test_late),
		cmocka_unit_test(test_generations),
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_drops),
		cmocka_unit_test(test_clean),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_nonsense),
		cmocka_unit_test(test_outstanding),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
