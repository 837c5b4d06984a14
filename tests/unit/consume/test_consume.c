/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Records, errors and drops: what comes out, in which order, and when.
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

enum { GRACE = 2000000, MAX_SEEN = 4096 };

/* What was handed on. */
struct seen {
	struct consume_event e[MAX_SEEN];
	int64_t value[MAX_SEEN];	/* of its first field, if any */
	unsigned snapshots[MAX_SEEN];	/* taken before it */
	size_t n;
	size_t refuse_at;		/* fn fails at this one; 0: never */
	struct rm *m;
};

static struct err *
note(void *ctx, const struct consume_event *e)
{
	struct seen *s = ctx;

	assert_true(s->n < MAX_SEEN);
	s->e[s->n] = *e;
	s->snapshots[s->n] = s->m->snapshots;
	if (e->kind == CONSUME_RECORD && e->epid->desc->nfields)
		s->value[s->n] = consume_field_int(&e->epid->desc->fields[0],
						   e->record);
	s->n++;
	return s->n == s->refuse_at ? &err_nomem : NULL;
}

/* A world with one probe and a clause that traces an int. */
struct world {
	struct rm *m;
	struct consume *c;
	struct seen s;
	uint32_t probe, epid;
};

static struct world *
world_new(unsigned ncpus)
{
	struct world *w = calloc(1, sizeof(*w));

	w->m = rm_new(ncpus);
	w->s.m = w->m;
	w->probe = rm_probe(w->m, "p", "m", "f", "n");
	struct rm_clause *cl = rm_clause(w->m, 0);
	rm_action(cl, ABI_ACT_DIFEXPR, NULL);
	rm_field(cl, ABI_FIELD_INT, 8, true);
	w->epid = rm_epid(w->m, w->probe, cl);
	return w;
}

static void
world_open(struct world *w)
{
	assert_null(consume_new(&w->m->source, &w->m->meta, &w->c));
}

static void
world_free(struct world *w)
{
	consume_free(w->c);
	rm_free(w->m);
	free(w);
}

static void
put(struct world *w, unsigned cpu, uint64_t timestamp, int64_t v)
{
	struct abi_record *r = rm_record(w->m, cpu, timestamp, w->epid);

	rm_set_int(w->m, r, 0, v);
}

static void
pass(struct world *w, bool temporal, bool final)
{
	assert_null(consume_pass(w->c, temporal, final, note, &w->s));
}

/* The values seen, and then nothing more. */
static void
expect(struct world *w, const char *want)
{
	char got[1024] = "", *p = got;

	for (size_t i = 0; i < w->s.n; i++)
		p += sprintf(p, "%s%lld", i ? " " : "",
			     (long long)w->s.value[i]);
	assert_string_equal(got, want);
	w->s.n = 0;
}

static void
test_order(void **state)
{
	struct world *w = world_new(3);

	world_open(w);
	put(w, 0, 10, 1);
	put(w, 0, 40, 4);
	put(w, 1, 20, 2);
	put(w, 1, 30, 3);
	put(w, 2, 5, 0);
	put(w, 2, 50, 5);
	pass(w, true, false);
	expect(w, "0 1 2 3 4 5");
	assert_int_equal(w->m->releases, 3);
	pass(w, true, true);
	expect(w, "");
	world_free(w);
}

/* Of equal times, the lower CPU first, and on one CPU as committed; an outer
 * firing goes before the one that interrupted it. */
static void
test_ties_and_nesting(void **state)
{
	struct world *w = world_new(2);

	world_open(w);
	put(w, 1, 10, 3);
	put(w, 1, 10, 4);
	put(w, 0, 10, 1);
	put(w, 0, 10, 2);
	put(w, 0, 30, 6);	/* interrupted the next */
	put(w, 0, 20, 5);
	pass(w, true, false);
	expect(w, "1 2 3 4 5 6");
	world_free(w);
}

static void
test_not_temporal(void **state)
{
	struct world *w = world_new(2);

	world_open(w);
	put(w, 0, 20, 1);
	put(w, 0, w->m->clock + 5, 2);
	put(w, 1, 10, 3);
	put(w, 1, 5, 4);
	pass(w, false, false);
	expect(w, "1 2 3 4");
	world_free(w);
}

/* What is younger than the grace waits for those that may still be older. */
static void
test_hold_back(void **state)
{
	struct world *w = world_new(2);
	uint64_t t = w->m->clock;

	world_open(w);
	put(w, 0, t - GRACE - 1, 1);
	put(w, 0, t - GRACE, 3);
	put(w, 0, t - 10, 5);
	pass(w, true, false);
	expect(w, "1");
	put(w, 1, t - GRACE + 7, 4);	/* turned up late */
	put(w, 1, t - GRACE - 2, 2);	/* too late, but not lost */
	w->m->clock = t + GRACE - 10;
	pass(w, true, false);
	expect(w, "2 3 4");
	w->m->clock = t + 2 * GRACE;
	pass(w, true, false);
	expect(w, "5");
	world_free(w);
}

static void
test_final(void **state)
{
	struct world *w = world_new(2);

	world_open(w);
	put(w, 0, w->m->clock + 20, 2);
	put(w, 1, w->m->clock + 10, 1);
	pass(w, true, false);
	expect(w, "");
	pass(w, true, true);
	expect(w, "1 2");
	world_free(w);
}

/* A source without a clock holds everything already. */
static void
test_no_clock(void **state)
{
	struct world *w = world_new(1);

	w->m->source.now = NULL;
	world_open(w);
	put(w, 0, UINT64_MAX, 2);
	put(w, 0, UINT64_MAX - 1, 1);
	pass(w, true, false);
	expect(w, "1 2");
	world_free(w);
}

/* Any order at all comes out sorted, and stable. */
static void
test_random_order(void **state)
{
	uint32_t seed = 1;

	for (int round = 0; round < 20; round++) {
		struct world *w = world_new(4);
		int n = 1 + round * 100;
		world_open(w);
		for (int i = 0; i < n; i++) {
			seed = seed * 1103515245 + 12345;
			/* in order of CPU, so values rise where times tie */
			put(w, (unsigned)(i * 4 / n), 100 + (seed >> 16) % 50,
			    i);
		}
		pass(w, true, true);
		assert_int_equal(w->s.n, n);
		for (int i = 1; i < n; i++) {
			uint64_t a = w->s.e[i - 1].timestamp;
			uint64_t b = w->s.e[i].timestamp;
			assert_true(a < b || (a == b && w->s.value[i - 1] <
					      w->s.value[i]));
		}
		world_free(w);
	}
}

/* A world whose records have a number and so many bytes behind it. */
static void
open_long(struct world *w, uint32_t size)
{
	struct rm_clause *cl = rm_clause(w->m, 0);

	rm_action(cl, ABI_ACT_DIFEXPR, NULL);
	rm_field(cl, ABI_FIELD_INT, 8, true);
	rm_field(cl, ABI_FIELD_BYTES, size, false);
	w->epid = rm_epid(w->m, w->probe, cl);
	world_open(w);
}

/* More than one pass takes from a CPU: still all, still in order. */
static void
test_long_pass(void **state)
{
	enum { N = 700, SIZE = 1 << 16 };
	struct world *w = world_new(2);

	open_long(w, SIZE);
	for (int i = 0; i < N; i++)
		put(w, i % 4 == 0, (uint64_t)i * GRACE, i);	/* uneven */
	pass(w, true, true);
	assert_int_equal(w->s.n, N);
	for (int i = 0; i < N; i++)
		assert_int_equal(w->s.value[i], i);
	/* What was read is given back while the rest is being read. */
	assert_true(w->m->releases > 100);
	world_free(w);
}

/* Time stands still in a flood: records must not pile up. */
static void
test_long_pass_same_time(void **state)
{
	enum { N = 400, SIZE = 1 << 16 };
	struct world *w = world_new(1);

	open_long(w, SIZE);
	for (int i = 0; i < N; i++)
		put(w, 0, w->m->clock + 1, i);
	pass(w, true, false);
	assert_true(w->s.n > 0 && w->s.n < N);
	pass(w, true, true);
	assert_int_equal(w->s.n, N);
	world_free(w);
}

static void
test_event(void **state)
{
	struct world *w = world_new(2);

	world_open(w);
	put(w, 1, 77, 5);
	pass(w, true, true);
	const struct consume_event *e = &w->s.e[0];
	assert_int_equal(w->s.n, 1);
	assert_int_equal(e->kind, CONSUME_RECORD);
	assert_int_equal(e->cpu, 1);
	assert_int_equal(e->timestamp, 77);
	assert_int_equal(e->epid_no, w->epid);
	assert_ptr_equal(e->epid, &w->m->epids[0]);
	assert_ptr_equal(e->probe, &w->m->probes[0]);
	assert_null(e->error);
	world_free(w);
}

/* An EXIT that stands in a branch counts when the branch was taken. */
static void
test_exit_event(void **state)
{
	struct world *w = world_new(1);
	struct rm_clause *plain = rm_clause(w->m, 0);
	struct rm_clause *branch = rm_clause(w->m, 1);

	rm_action(plain, ABI_ACT_EXIT, NULL);
	rm_field(plain, ABI_FIELD_INT, 4, true);
	rm_action(branch, ABI_ACT_EXIT, NULL)->branch = 1;
	rm_field(branch, ABI_FIELD_INT, 4, true);
	uint32_t b = rm_epid(w->m, w->probe, branch);
	rm_record(w->m, 0, 1, rm_epid(w->m, w->probe, plain));
	rm_record(w->m, 0, 2, b);
	rm_take_branch(rm_record(w->m, 0, 3, b), 1);
	put(w, 0, 4, 0);
	world_open(w);
	pass(w, true, true);
	assert_int_equal(w->s.n, 4);
	assert_true(w->s.e[0].exits);
	assert_false(w->s.e[1].exits);
	assert_true(w->s.e[2].exits);
	assert_false(w->s.e[3].exits);
	world_free(w);
}

static void
test_error_event(void **state)
{
	struct world *w = world_new(1);
	struct abi_error_record r = {
		.hdr = { ABI_EPID_ERROR, sizeof(r), 9 }, .epid = w->epid,
		.action = 2, .dif_offset = 4, .fault = ABI_FAULT_BADADDR,
		.value = 0x1234,
	};

	world_open(w);
	rm_raw(w->m, 0, &r, sizeof(r));
	r.epid = 4711;
	rm_raw(w->m, 0, &r, sizeof(r));
	pass(w, true, true);
	assert_int_equal(w->s.n, 2);
	assert_int_equal(w->s.e[0].kind, CONSUME_ERROR);
	assert_int_equal(w->s.e[0].epid_no, w->epid);
	assert_ptr_equal(w->s.e[0].probe, &w->m->probes[0]);
	assert_null(w->s.e[0].record);
	assert_non_null(w->s.e[0].error);
	assert_int_equal(w->s.e[1].epid_no, 4711);
	assert_null(w->s.e[1].epid);
	assert_null(w->s.e[1].probe);
	assert_int_equal(rm_malformed(w->c), 0);
	world_free(w);
}

/* Who fired, where records say so; descriptions that cannot be are bad. */
static void
test_who(void **state)
{
	static const uint32_t bad[] = { 4, 8, 20, 24, 32, 1 << 30, UINT32_MAX };
	struct { struct abi_error_record err; struct abi_who who; } r = {
		.err.hdr = { ABI_EPID_ERROR, sizeof(r), 9 },
		.who = { 7, 8, "sh" },
	};
	struct world *w = world_new(1);
	struct rm_clause *cl = rm_clause(w->m, 0);

	rm_who(cl);
	uint32_t epid = rm_epid(w->m, w->probe, cl);
	for (size_t i = 0; i < BASE_NELEMS(bad); i++) {
		struct rm_clause *b = rm_clause(w->m, 0);
		rm_who(b);
		b->desc.who = bad[i];
		rm_record(w->m, 0, 1, rm_epid(w->m, w->probe, b));
	}
	world_open(w);
	put(w, 0, 2, 0);
	rm_set_who(w->m, rm_record(w->m, 0, 3, epid), 5, 6, "prog");
	rm_raw(w->m, 0, &r, sizeof(r));
	r.err.hdr.size = sizeof(r.err);
	rm_raw(w->m, 0, &r, sizeof(r.err));
	pass(w, true, true);
	assert_int_equal(rm_malformed(w->c), BASE_NELEMS(bad));
	assert_int_equal(w->s.n, 4);
	assert_null(w->s.e[0].who);
	assert_non_null(w->s.e[1].who);
	assert_non_null(w->s.e[2].who);
	assert_null(w->s.e[3].who);
	world_free(w);
}

/* An action on aggregations waits for a snapshot, one per pass. */
static void
test_snapshot(void **state)
{
	static const enum abi_action_kind kinds[] = {
		ABI_ACT_PRINTA, ABI_ACT_CLEAR, ABI_ACT_TRUNC,
		ABI_ACT_NORMALIZE, ABI_ACT_DENORMALIZE,
	};

	for (size_t i = 0; i < BASE_NELEMS(kinds); i++) {
		struct world *w = world_new(1);
		struct rm_clause *cl = rm_clause(w->m, 1);
		uint32_t agg = rm_agg(w->m, ABI_AGG_COUNT, 0, 1);
		rm_action(cl, kinds[i], NULL)->branch = 1;
		rm_use_agg(cl, agg);
		uint32_t epid = rm_epid(w->m, w->probe, cl);
		world_open(w);
		put(w, 0, 1, 0);
		rm_record(w->m, 0, 2, epid);	/* branch not taken */
		rm_take_branch(rm_record(w->m, 0, 3, epid), 1);
		rm_take_branch(rm_record(w->m, 0, 4, epid), 1);
		rm_sample(w->m, agg, "", (uint64_t[]){ 7 });
		pass(w, true, false);
		assert_int_equal(w->s.n, 4);
		assert_int_equal(w->s.snapshots[0], 0);
		assert_int_equal(w->s.snapshots[1], 0);
		assert_int_equal(w->s.snapshots[2], 1);
		assert_int_equal(w->s.snapshots[3], 1);
		assert_int_equal(consume_agg(w->c, agg)->elems[0].cells[0], 7);
		rm_take_branch(rm_record(w->m, 0, 5, epid), 1);
		pass(w, true, false);
		assert_int_equal(w->s.snapshots[4], 2);
		world_free(w);
	}
}

/* What fn refuses is gone; what it has not seen comes again. */
static void
test_refusal(void **state)
{
	struct world *w = world_new(1);

	world_open(w);
	for (int i = 1; i <= 5; i++)
		put(w, 0, (uint64_t)i, i);
	w->s.refuse_at = 2;
	assert_ptr_equal(consume_pass(w->c, true, false, note, &w->s),
			 &err_nomem);
	expect(w, "1 2");
	w->s.refuse_at = 0;
	put(w, 0, 6, 6);
	pass(w, true, false);
	expect(w, "3 4 5 6");
	world_free(w);
}

/* CPUs that share rings. */
static void
test_laps(void **state)
{
	struct world *w = world_new(5);
	static const struct { unsigned ring, lap, cpu; } rows[] = {
		{ 0, 0, 0 }, { 1, 0, 1 }, { 0, 1, 2 }, { 1, 1, 3 },
		{ 0, 2, 4 }, { 1, 2, UINT32_MAX }, { 0, 255, UINT32_MAX },
	};

	w->m->source.nrings = 2;
	world_open(w);
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		uint8_t bytes[24] = { 0 };
		struct abi_record hdr = { w->epid,
			24 | rows[i].lap << ABI_LAP_SHIFT, 1 };
		memcpy(bytes, &hdr, sizeof(hdr));
		rm_raw(w->m, rows[i].ring, bytes, sizeof(bytes));
		w->s.n = 0;
		pass(w, true, true);
		assert_int_equal(w->s.n, rows[i].cpu != UINT32_MAX);
		if (!w->s.n)
			continue;
		assert_int_equal(w->s.e[0].cpu, rows[i].cpu);
		assert_int_equal(w->s.e[0].record->size, 24);
	}
	assert_int_equal(rm_malformed(w->c), 2);
	world_free(w);
}

/* What a clause with loops records: entries, each with its action's size. */
static void
test_logs(void **state)
{
	static const struct abi_entry none = { 0, 8 }, one = { 1, 16 },
		big = { 1, 24 }, small = { 1, 8 }, third = { 2, 8 };
	static const struct {
		const struct abi_entry *e[3];
		uint32_t cut;		/* bytes missing at the end */
		int actions;		/* that are told; -1: malformed */
	} rows[] = {
		{ { NULL }, 0, 0 }, { { &none }, 0, 1 },
		{ { &one }, 0, 1 }, { { &one, &none, &one }, 0, 3 },
		{ { &big }, 0, -1 }, { { &small }, 0, -1 },
		{ { &third }, 0, -1 }, { { &none, &third }, 0, -1 },
		{ { &one }, 8, -1 }, { { &one, &none }, 8, 1 },
		{ { &none, &none }, 4, -1 },
	};
	struct world *w = world_new(1);
	struct rm_clause *cl = rm_clause(w->m, 0);

	rm_action(cl, ABI_ACT_PRINTF, "");
	rm_action(cl, ABI_ACT_DIFEXPR, NULL);
	rm_field(cl, ABI_FIELD_INT, 8, false);
	uint32_t epid = rm_epid(w->m, w->probe, cl);
	cl->desc.is_log = true;
	cl->desc.record_size = 128;
	cl->fields[0].offset = 8;
	world_open(w);
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		uint8_t bytes[128] = { 0 };
		struct abi_record hdr = { epid, sizeof(hdr), i + 1 };
		for (int k = 0; k < 3 && rows[i].e[k]; k++) {
			memcpy(bytes + hdr.size, rows[i].e[k],
			       sizeof(struct abi_entry));
			hdr.size += rows[i].e[k]->size;
		}
		hdr.size -= rows[i].cut;
		memcpy(bytes, &hdr, sizeof(hdr));
		rm_raw(w->m, 0, bytes, hdr.size);
		w->s.n = 0;
		pass(w, true, true);
		assert_int_equal(rm_malformed(w->c), rows[i].actions < 0);
		struct consume_step s = { .at = 0 };
		int n = 0;
		while (w->s.n && consume_next(&cl->desc, w->s.e[0].record, &s))
			n++;
		assert_int_equal(n, BASE_MAX(rows[i].actions, 0));
	}
	world_free(w);
}

static void
test_malformed(void **state)
{
	struct world *w = world_new(1);
	uint32_t epid = w->epid;
	static const struct {
		uint32_t epid, size;	/* as the record says */
		size_t bytes;		/* as handed out */
		int good;		/* 1 comes out, 0 counted, -1 padding */
	} rows[] = {
		{ 1, 24, 24, 1 }, { 1, 24, 32, 1 },
		{ 1, 24, 16, 0 }, { 1, 24, 23, 0 }, { 1, 16, 24, 0 },
		{ 1, 32, 32, 0 }, { 1, 0, 24, 0 }, { 1, UINT32_MAX, 24, 0 },
		{ 2, 24, 24, 0 }, { 0xfffffffe, 24, 24, 0 },
		{ 1, 24, 0, 0 }, { 1, 24, 15, 0 },
		{ 0, 24, 24, -1 }, { 0, 0, 16, -1 }, { 0, 0, 8, 0 },
		{ ABI_EPID_ERROR, 48, 48, 1 }, { ABI_EPID_ERROR, 47, 48, 0 },
		{ ABI_EPID_ERROR, 56, 48, 0 }, { ABI_EPID_ERROR, 16, 16, 0 },
	};

	assert_int_equal(epid, 1);
	assert_int_equal(sizeof(struct abi_error_record), 48);
	world_open(w);
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		uint8_t bytes[64] = { 0 };
		struct abi_record hdr = { rows[i].epid, rows[i].size, 1 };
		memcpy(bytes, &hdr, sizeof(hdr));
		rm_raw(w->m, 0, bytes, rows[i].bytes);
		w->s.n = 0;
		pass(w, true, true);
		assert_int_equal(w->s.n, rows[i].good == 1);
		assert_int_equal(rm_malformed(w->c), rows[i].good == 0);
	}
	world_free(w);
}

/* A description that points outside its record never reaches the caller. */
static void
test_bad_description(void **state)
{
	for (int what = 0; what < 8; what++) {
		struct world *w = world_new(1);
		struct rm_clause *cl = &w->m->clauses[0];
		switch (what) {
		case 0: cl->fields[0].offset = 8; break;
		case 1: cl->fields[0].offset = 20; break;
		case 2: cl->fields[0].size = 9; break;
		case 3: cl->fields[0].size = UINT32_MAX; break;
		case 4: cl->actions[0].nfields = 2; break;
		case 5: cl->actions[0].field = UINT32_MAX; break;
		case 6: cl->actions[0].branch = 1; break;
		case 7: cl->actions[0].naggs = 1; break;
		}
		world_open(w);
		rm_record(w->m, 0, 1, w->epid);
		pass(w, true, true);
		assert_int_equal(w->s.n, 0);
		assert_int_equal(rm_malformed(w->c), 1);
		world_free(w);
	}
}

/* Noise, some of it with a header that looks right. */
static void
test_noise(void **state)
{
	struct world *w = world_new(2);
	uint32_t seed = 7;
	uint64_t n = 20000, seen = 0;

	world_open(w);
	for (uint64_t i = 0; i < n; i++) {
		uint8_t bytes[64];
		for (size_t k = 0; k < sizeof(bytes); k++)
			bytes[k] = (uint8_t)((seed = seed * 1103515245 + 12345)
					     >> 16);
		size_t size = bytes[63] % 64;
		uint32_t hdr[2] = { bytes[62] % 4, bytes[61] % 48 };
		if (bytes[62] & 0x80)
			memcpy(bytes, hdr, sizeof(hdr));
		if (bytes[62] & 0x40)
			memset(bytes, 0xff, 4);
		rm_raw(w->m, bytes[60] % 2, bytes, size);
		w->s.n = 0;
		pass(w, bytes[59] & 1, bytes[59] & 2);
		seen += w->s.n;
	}
	w->s.n = 0;
	pass(w, true, true);
	seen += w->s.n;
	assert_true(seen > 0);
	uint64_t bad = rm_malformed(w->c);
	assert_true(bad > n / 2);
	assert_true(bad + seen <= n);
	world_free(w);
}

static void
test_drops(void **state)
{
	struct world *w = world_new(2);

	world_open(w);
	w->m->drops[ABI_DROP_PRINCIPAL][1] = 3;
	w->m->drops[ABI_DROP_DYNAMIC][0] = 9;
	w->m->drops[ABI_DROP_DYNAMIC][1] = 99;	/* not per CPU: not asked */
	w->m->drops[ABI_DROP_AGGREGATION][0] = 1;
	assert_null(consume_drops(w->c, note, &w->s));
	static const struct {
		enum abi_drop kind;
		unsigned cpu;
		uint64_t count;
	} rows[] = {
		{ ABI_DROP_PRINCIPAL, 1, 3 }, { ABI_DROP_AGGREGATION, 0, 1 },
		{ ABI_DROP_DYNAMIC, 0, 9 },
	};
	assert_int_equal(w->s.n, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(w->s.e[i].kind, CONSUME_DROP);
		assert_int_equal(w->s.e[i].drop, rows[i].kind);
		assert_int_equal(w->s.e[i].cpu, rows[i].cpu);
		assert_int_equal(w->s.e[i].count, rows[i].count);
	}
	assert_null(consume_drops(w->c, note, &w->s));
	assert_int_equal(w->s.n, 3);
	w->m->drops[ABI_DROP_PRINCIPAL][1] = 5;
	assert_null(consume_drops(w->c, note, &w->s));
	assert_int_equal(w->s.n, 4);
	assert_int_equal(w->s.e[3].count, 2);
	assert_int_equal(w->s.e[3].total, 5);
	world_free(w);
}

/* An empty source: every callback missing. */
static void
test_nothing(void **state)
{
	struct consume_source src = { 0 };
	struct consume_meta meta = { 0 };
	struct seen s = { 0 };
	struct consume *c;

	assert_null(consume_new(&src, &meta, &c));
	assert_null(consume_pass(c, true, true, note, &s));
	assert_null(consume_drops(c, note, &s));
	assert_null(consume_snapshot(c));
	assert_null(consume_agg(c, 0));
	assert_null(consume_agg(c, 1));
	assert_int_equal(consume_probe_part(&meta, 1, ABI_PART_FUNC).n, 0);
	consume_free(c);
	consume_free(NULL);
}

/* Fail each allocation in turn: some call says so, nothing is lost, nothing
 * comes twice. */
static void
test_no_memory(void **state)
{
	bool failed, reached = true;

	for (unsigned long n = 1; reached; n++) {
		struct world *w = world_new(2);
		struct rm_clause *cl = rm_clause(w->m, 0);
		rm_action(cl, ABI_ACT_PRINTA, NULL);
		rm_field(cl, ABI_FIELD_INT, 8, true);
		rm_use_agg(cl, rm_agg(w->m, ABI_AGG_COUNT, 0, 1));
		uint32_t old = w->epid, epid = rm_epid(w->m, w->probe, cl);
		for (int i = 0; i < 40; i++) {
			w->epid = i == 20 ? epid : old;
			put(w, i % 2, w->m->clock - GRACE - 30 + (uint64_t)i,
			    i);
		}
		rm_sample(w->m, 1, "", (uint64_t[]){ 5 });
		failed = false;
		unsigned long before = util_alloc_count();
		util_alloc_fail(n, 0);
		struct err *e;
		while ((e = consume_new(&w->m->source, &w->m->meta, &w->c))) {
			assert_ptr_equal(e, &err_nomem);
			failed = true;
		}
		while ((e = consume_pass(w->c, true, false, note, &w->s))) {
			assert_ptr_equal(e, &err_nomem);
			failed = true;
		}
		while ((e = consume_pass(w->c, true, true, note, &w->s))) {
			assert_ptr_equal(e, &err_nomem);
			failed = true;
		}
		util_alloc_fail(0, 0);
		reached = util_alloc_count() - before >= n;
		assert_true(failed == reached);
		assert_int_equal(w->s.n, 40);
		for (int i = 0; i < 40; i++)
			assert_int_equal(w->s.value[i], i);
		assert_int_equal(consume_agg(w->c, 1)->elems[0].cells[0], 5);
		world_free(w);
		assert_true(n < 1000);
	}
}

static void
test_field_int(void **state)
{
	static const uint8_t bytes[] = { 0xff, 0xfe, 0xff, 0xff, 0xff, 0xff,
					 0xff, 0xff, 0x7f };
	static const struct {
		uint32_t offset, size;
		uint8_t is_signed;
		int64_t want;
	} rows[] = {
		{ 0, 1, 1, -1 }, { 0, 1, 0, 255 },
		{ 1, 2, 1, -2 }, { 1, 2, 0, 65534 },
		{ 1, 4, 1, -2 }, { 1, 4, 0, 4294967294 },
		{ 0, 8, 1, -257 }, { 1, 8, 1, 0x7ffffffffffffffe },
		{ 0, 3, 1, 0 }, { 0, 0, 0, 0 }, { 0, 16, 1, 0 },
	};

	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		struct abi_field f = { .offset = rows[i].offset,
				       .size = rows[i].size,
				       .is_signed = rows[i].is_signed };
		assert_int_equal(consume_field_int(&f, bytes), rows[i].want);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_ties_and_nesting),
		cmocka_unit_test(test_not_temporal),
		cmocka_unit_test(test_hold_back),
		cmocka_unit_test(test_final),
		cmocka_unit_test(test_no_clock),
		cmocka_unit_test(test_random_order),
		cmocka_unit_test(test_long_pass),
		cmocka_unit_test(test_long_pass_same_time),
		cmocka_unit_test(test_event),
		cmocka_unit_test(test_exit_event),
		cmocka_unit_test(test_error_event),
		cmocka_unit_test(test_who),
		cmocka_unit_test(test_snapshot),
		cmocka_unit_test(test_refusal),
		cmocka_unit_test(test_laps),
		cmocka_unit_test(test_logs),
		cmocka_unit_test(test_malformed),
		cmocka_unit_test(test_bad_description),
		cmocka_unit_test(test_noise),
		cmocka_unit_test(test_drops),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_no_memory),
		cmocka_unit_test(test_field_int),
	};
	return cmocka_run_group_tests_name("consume", tests, NULL, NULL);
}
