/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The runtime of the kernel side as a program of the host (support/bpfhost): sums,
 * speculations, buffers that overwrite and scratch, against models of them and at
 * their edges, each in memory that ends where it must.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "bpfrt/rt.h"
#include "bpfrt/arith.h"
#include "bpfrt/drop.h"
#include "bpfrt/flight.h"
#include "bpfrt/interval.h"
/* Memory of processes that is not there is for bpfrt/cache.h. */
static bool
cache_bytes(char *slot, u64 index, u64 dst, u64 n, u64 uaddr)
{
	(void)slot, (void)index, (void)dst, (void)n, (void)uaddr;
	return false;
}

#include "bpfrt/mem.h"
#include "bpfrt/spec.h"
#include "some.h"

enum { NCPUS = 2, NSPEC = 3, SPECSIZE = 64, SCRATCH = 64, SLOT = 512,
       SCRATCH_OFF = 256, FLIGHT = 256 };

/* --- What the kernel would have --------------------------------------------- */

static struct abi_spec specs[NSPEC];
static u64 spec_words[NCPUS * NSPEC];
static u64 drops[NCPUS][ABI_NDROPS];
static struct abi_interval interval;
static char *slot, *area;
static u32 cpu;
static u64 clock_ns;

void *
bpf_map_lookup_elem(const void *map, const void *key)
{
	u32 i = *(const u32 *)key;

	if (map == &dt_specs)
		return i < NSPEC ? &specs[i] : NULL;
	if (map == &dt_spec_used)
		return i < NCPUS * NSPEC ? &spec_words[i] : NULL;
	if (map == &dt_drops)
		return i < NCPUS ? drops[i] : NULL;
	if (map == &dt_intervals)
		return i ? NULL : &interval;
	if (map == &dt_slots)
		return i ? NULL : slot;
	return map == &dt_flight && !i ? area : NULL;
}

u32
bpf_get_smp_processor_id(void)
{
	return cpu;
}

uint64_t
bpf_ktime_get_ns(void)
{
	return clock_ns;
}

/* The first page is nobody's. */
long
bpf_probe_read_kernel(void *to, uint32_t size, const void *from)
{
	if ((uintptr_t)from < 4096)
		return -14;
	memcpy(to, from, size);
	return 0;
}

long
bpf_probe_read_user(void *to, uint32_t size, const void *from)
{
	return bpf_probe_read_kernel(to, size, from);
}

static void
begin(void)
{
	struct abi_cfg *cfg = (struct abi_cfg *)(uintptr_t)&dt_cfg;

	assert_int_equal(bpfhost_open(&dt_cfg, sizeof(dt_cfg)), 0);
	cfg->nspec = NSPEC;
	cfg->specsize = SPECSIZE;
	cfg->scratch_size = SCRATCH;
	cfg->scratch_off = SCRATCH_OFF;
	cfg->slot_size = SLOT;
	cfg->flight_size = FLIGHT;
	memset(specs, 0, sizeof(specs));
	memset(spec_words, 0, sizeof(spec_words));
	memset(drops, 0, sizeof(drops));
	free(slot);
	free(area);
	slot = calloc(1, SLOT);
	area = calloc(1, sizeof(struct abi_flight) + FLIGHT);
	((struct abi_slot *)slot)->self = (uintptr_t)slot;
	cpu = 0;
}

/* --- Sums -------------------------------------------------------------------- */

static void
test_division(void **state)
{
	static const s64 v[] = { 0, 1, -1, 2, -2, 7, -7, 10, -10, INT32_MAX,
				 INT32_MIN, INT64_MAX, INT64_MIN,
				 INT64_MIN + 1, INT64_MAX - 1 };

	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++)
		for (size_t j = 0; j < sizeof(v) / sizeof(v[0]); j++) {
			s64 a = v[i], b = v[j];
			s64 q = !b ? 0 : b == -1 ? (s64)-(u64)a : a / b;
			s64 r = !b || b == -1 ? 0 : a % b;
			assert_int_equal((s64)rt_sdiv((u64)a, (u64)b), q);
			assert_int_equal((s64)rt_srem((u64)a, (u64)b), r);
		}
}

static void
test_drops(void **state)
{
	begin();
	rt_drop(0, 0);
	rt_drop(ABI_NDROPS - 1, 1);
	rt_drop(ABI_NDROPS, 0);		/* there is no such kind */
	rt_drop(0, NCPUS);		/* nor CPU */
	for (u32 c = 0; c < NCPUS; c++)
		for (u32 i = 0; i < ABI_NDROPS; i++)
			assert_int_equal(drops[c][i], (c == 0 && i == 0) ||
					 (c == 1 && i == ABI_NDROPS - 1));
	/* An interval that was missed twice is a drop of the CPU that sees it. */
	interval = (struct abi_interval){ .begun = 1000 };
	cpu = 1;
	for (clock_ns = 2000; clock_ns <= 4000; clock_ns += 1000)
		rt_interval(0, 1000);
	u64 before = drops[1][ABI_DROP_FIRING];
	clock_ns = 7000;
	rt_interval(0, 1000);
	assert_int_equal(drops[1][ABI_DROP_FIRING] - before, 2);
	rt_interval(1, 1000);		/* there is no such element */
	assert_int_equal(drops[1][ABI_DROP_FIRING] - before, 2);
}

/* --- Speculations -------------------------------------------------------------- */

/* What one is, as a model: users is a set of CPUs. */
struct model {
	u32 state, gen, users;
	u64 used[NCPUS];
	u32 ahead;
};

static struct model model[NSPEC];

static void
check_states(void)
{
	for (u32 i = 0; i < NSPEC; i++) {
		assert_int_equal(ABI_SPEC_STATE(specs[i].word), model[i].state);
		assert_int_equal(specs[i].word >> 32, model[i].gen);
	}
}

static void
next_generation(struct model *m)
{
	m->gen++;
	m->state = ABI_SPEC_IDLE;
	m->users = 0;
	memset(m->used, 0, sizeof(m->used));
}

static void
try_new(void)
{
	u64 before = drops[cpu][ABI_DROP_SPECBUSY],
	    none = drops[cpu][ABI_DROP_SPECUNAVAIL];
	u32 want = 0, busy = 0;

	for (u32 i = NSPEC; i-- > 0; )
		if (model[i].state == ABI_SPEC_IDLE)
			want = i + 1;
		else
			busy |= model[i].state > ABI_SPEC_ACTIVE;
	assert_int_equal(rt_speculation(cpu), want);
	if (want)
		model[want - 1].state = ABI_SPEC_ACTIVE;
	assert_int_equal(drops[cpu][ABI_DROP_SPECBUSY] - before,
			 !want && busy);
	assert_int_equal(drops[cpu][ABI_DROP_SPECUNAVAIL] - none,
			 !want && !busy);
}

static void
try_record(u64 id)
{
	struct model *m = &model[id - 1];
	u64 tag = rt_speculate(id), size = 8 + 8 * some(5);

	if (m->state != ABI_SPEC_ACTIVE) {
		assert_true(tag == ABI_SPEC_NOWHERE);
		return;
	}
	assert_true(tag == ABI_SPEC_TAG(id, m->gen));
	m->users |= 1u << cpu;
	u64 before = drops[cpu][ABI_DROP_SPEC];
	bool fits = m->used[cpu] + size <= SPECSIZE;
	assert_int_equal(rt_spec_room(tag, size, cpu), !fits);
	assert_int_equal(drops[cpu][ABI_DROP_SPEC] - before, !fits);
	m->used[cpu] += fits ? size : 0;
	if (m->gen) {	/* what comes late takes nothing, and is not refused */
		tag = ABI_SPEC_TAG(id, m->gen - 1);
		if (m->used[cpu])
			assert_int_equal(rt_spec_room(tag, SPECSIZE + 1, cpu),
					 0);
		assert_int_equal(drops[cpu][ABI_DROP_SPEC] - before, !fits);
	}
}

static void
try_end(u64 id, u64 how, bool lost)
{
	struct model *m = &model[id - 1];
	bool shared = m->users & ~(1u << cpu);
	u64 tag = rt_spec_end(id, how);

	if (m->state != ABI_SPEC_ACTIVE) {
		assert_int_equal(tag, 0);
		return;
	}
	if (how && !shared && !m->used[cpu]) {	/* nothing to tell */
		assert_int_equal(tag, 0);
		next_generation(m);
		return;
	}
	assert_true(tag == (ABI_SPEC_TAG(id, m->gen) | how |
			    (shared ? ABI_SPEC_END_SHARED : 0)));
	assert_int_equal(ABI_SPEC_STATE(specs[id - 1].word), ABI_SPEC_ENDING);
	assert_int_equal(rt_spec_end(id, how), 0);	/* only one ends it */
	assert_true(rt_speculate(id) == ABI_SPEC_NOWHERE);
	rt_spec_ended(tag, lost ? 77 : 0);
	if (lost || (shared && m->ahead++ >= ABI_SPEC_AHEAD)) {
		m->state = how ? ABI_SPEC_DISCARDED : ABI_SPEC_COMMITTED;
		assert_int_equal(specs[id - 1].lost, lost ? 77 : 0);
	} else {
		next_generation(m);
	}
}

/* As the consumer does. */
static void
consume(u64 id)
{
	struct model *m = &model[id - 1];

	if (m->state <= ABI_SPEC_ENDING)
		return;
	next_generation(m);
	specs[id - 1].word = ABI_SPEC_WORD(m->gen, 0, ABI_SPEC_IDLE);
	specs[id - 1].lost = 0;
}

static void
test_speculations(void **state)
{
	begin();
	memset(model, 0, sizeof(model));
	for (int i = 0; i < 200000; i++) {
		u64 id = 1 + some(NSPEC);
		cpu = some(8) ? cpu : some(NCPUS);
		switch (some(8)) {
		case 0: try_new(); break;
		case 1: try_end(id, 0, !some(50)); break;
		case 2: try_end(id, ABI_SPEC_END_DISCARD, !some(50)); break;
		case 3: if (!some(20)) consume(id); break;
		case 4: if (!some(500)) {	/* it has seen the ends */
				specs[id - 1].ahead = 0;
				model[id - 1].ahead = 0;
			}
			break;
		default: try_record(id);
		}
		check_states();
	}
	assert_true(drops[0][ABI_DROP_SPECBUSY] > 0);
	assert_true(drops[0][ABI_DROP_SPECUNAVAIL] > 0);
	/* Numbers that nobody has given out. */
	assert_true(rt_speculate(0) == ABI_SPEC_NOWHERE);
	assert_true(rt_speculate(NSPEC + 1) == ABI_SPEC_NOWHERE);
	assert_true(rt_speculate(~0ull) == ABI_SPEC_NOWHERE);
	assert_int_equal(rt_spec_end(NSPEC + 1, 0), 0);
	check_states();
}

/* --- Buffers that overwrite ------------------------------------------------------ */

/* From the newest record back to what has been overwritten: each is there, whole,
 * and they fill the area but for what a gap takes. */
static void
check_flight(const u64 *ends, const u32 *sizes, int n)
{
	const struct abi_flight *f = (const void *)area;
	u64 pos = f->head, oldest = pos > FLIGHT ? pos - FLIGHT : 0;
	int at = n;

	while (pos > oldest) {
		u64 end = (pos - 1) % FLIGHT + 1, mark;
		memcpy(&mark, area + sizeof(*f) + end - 8, 8);
		u64 size = mark & (ABI_FLIGHT_GAP - 1);
		assert_true(mark >> 32 == ABI_FLIGHT_MARK(pos, 0) >> 32);
		if (size > pos - oldest)
			break;
		if (!(mark & ABI_FLIGHT_GAP)) {
			assert_true(at-- > 0);
			assert_int_equal(size, sizes[at]);
			assert_int_equal(end, ends[at]);
			for (u64 i = end - size; i < end - 8; i++)
				assert_int_equal(area[sizeof(*f) + i],
						 (char)(at % 127));
		}
		pos -= size;
	}
	assert_true(at < n);
}

static void
test_flight(void **state)
{
	enum { N = 3000 };
	static u64 ends[N];
	static u32 sizes[N];

	begin();
	for (int i = 0; i < N; i++) {
		u32 size = 8 * (1 + some(i % 100 ? 10 : FLIGHT / 8));
		u64 head = ((struct abi_flight *)area)->head % FLIGHT;
		u64 at = rt_flight(0, size);
		assert_int_equal(at, FLIGHT - head < size ? 1 : head + 1);
		memset(area + sizeof(struct abi_flight) + at - 1, i % 127,
		       size - 8);
		sizes[i] = size;
		ends[i] = at - 1 + size;
		check_flight(ends, sizes, i + 1);
	}
	assert_int_equal(rt_flight(0, FLIGHT + 8), 0);
	assert_int_equal(rt_flight(1, 8), 0);	/* there is no such buffer */
	assert_true(rt_flight(0, FLIGHT) == 1);
}

/* --- Scratch ---------------------------------------------------------------------- */

static u32
fault(void)
{
	struct abi_slot *s = (struct abi_slot *)slot;
	u32 f = s->fault;

	s->fault = 0;
	return f;
}

/* Some bytes, up to the last there are, and none more. */
static void
test_alloca(void **state)
{
	for (u32 first = 0; first <= SCRATCH + 9; first++) {
		u32 taken = (first + 7) & ~7u;
		begin();
		memset(slot + SCRATCH_OFF, 'x', SCRATCH);
		u64 p = rt_alloca(0, first);
		if (first > SCRATCH) {
			assert_int_equal(p, 0);
			assert_int_equal(fault(), ABI_FAULT_NOSCRATCH + 1);
			continue;
		}
		assert_true(p == (uintptr_t)slot + SCRATCH_OFF);
		for (u32 i = 0; i < SCRATCH; i++)
			assert_int_equal(slot[SCRATCH_OFF + i],
					 i < taken ? 0 : 'x');
		assert_int_equal(rt_alloca(0, SCRATCH - taken + 1), 0);
		assert_int_equal(fault(), ABI_FAULT_NOSCRATCH + 1);
		assert_true(rt_alloca(0, SCRATCH - taken) != 0);
		assert_int_equal(fault(), 0);
	}
	assert_int_equal(rt_alloca(0, ~0ull), 0);
	assert_int_equal(rt_alloca(0, ~0ull - 6), 0);
	assert_int_equal(rt_alloca(1, 1), 0);
}

static void
test_copies(void **state)
{
	static const char text[SCRATCH + 8] = "0123456789abcdef";

	for (u64 size = 0; size <= SCRATCH + 1; size++) {
		begin();
		memset(slot + SCRATCH_OFF, 'x', SCRATCH);
		u64 p = rt_copyin(0, (uintptr_t)text, size);
		bool fits = size < SCRATCH;	/* and a NUL */
		assert_int_equal(p != 0, fits);
		assert_int_equal(fault(), fits ? 0 : ABI_FAULT_NOSCRATCH + 1);
		if (!fits)
			continue;
		assert_memory_equal((char *)p, text, size);
		assert_int_equal(((char *)p)[size], 0);
		/* Into what is claimed, and nowhere else. */
		u64 room = (size + 8) & ~7ull;
		assert_int_equal(rt_copyinto(0, (uintptr_t)text, room, p), 0);
		assert_int_equal(fault(), 0);
		rt_copyinto(0, (uintptr_t)text, room + 1, p);
		assert_int_equal(fault(), ABI_FAULT_BADADDR + 1);
		rt_copyinto(0, (uintptr_t)text, room, p + 1);
		assert_int_equal(fault(), ABI_FAULT_BADADDR + 1);
		rt_copyinto(0, (uintptr_t)text, 1, p - 1);
		assert_int_equal(fault(), ABI_FAULT_BADADDR + 1);
		rt_bcopy(0, (uintptr_t)text + 1, p, room);
		assert_int_equal(fault(), 0);
		assert_memory_equal((char *)p, text + 1, room);
		/* From scratch itself it is refused, to the byte. */
		rt_bcopy(0, p + room - 1, p, 1);
		assert_int_equal(fault(), ABI_FAULT_BADADDR + 1);
		rt_bcopy(0, p + room, p, 1);
		assert_int_equal(fault(), 0);
		rt_bcopy(0, p - 1, p, 1);
		assert_int_equal(fault(), 0);
		rt_bcopy(0, p - 1, p, 2);
		assert_int_equal(fault(), room < 2 ? 0 : ABI_FAULT_BADADDR + 1);
	}
	begin();
	assert_int_equal(rt_copyin(0, 8, 8), 0);
	assert_int_equal(fault(), ABI_FAULT_BADADDR + 1);
	assert_int_equal(rt_copyin(0, (uintptr_t)text, ~0ull), 0);
	assert_int_equal(fault(), ABI_FAULT_NOSCRATCH + 1);
	begin();
	u64 *pair = (u64 *)rt_memref(0, 5, 6);
	assert_int_equal(pair[0], 5);
	assert_int_equal(pair[1], 6);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_division),
		cmocka_unit_test(test_drops),
		cmocka_unit_test(test_speculations),
		cmocka_unit_test(test_flight),
		cmocka_unit_test(test_alloca),
		cmocka_unit_test(test_copies),
	};

	int failed = cmocka_run_group_tests_name("bpfrt-host", tests, NULL,
						 NULL);
	free(slot);
	free(area);
	return failed;
}
