/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Records into the ring of this CPU.
 *
 * Each CPU has a ring of its own, so that CPUs never contend.  Which one is
 * chosen by comparing the CPU's number (a tree of branches), not by a map of
 * maps: filling such a map costs a grace period for each CPU, 15 ms, before
 * tracing can begin.  The functions here are global, so the kernel looks at
 * each once however many clauses call it.
 *
 * The kernel lets a program use 64 maps, so with many CPUs some share a ring,
 * and the record says by its lap which of them wrote it.
 *
 * A record is built in the slot, where a fault can leave it and where every
 * path through the clause may write, and moves to the ring in one go.  A small
 * one by reserve, copying word by word, submit; a large one by
 * bpf_ringbuf_output().  Measured for 24 and 272 bytes: 40 and 43 ns the first
 * way, 71 and 68 the second, whose memcpy() of a variable size is slow to
 * start.
 *
 * With bufpolicy=ring there are no rings of the kernel's, since these do not
 * overwrite; bpfrt/flight.h tells what is there instead.
 *
 * With bufpolicy=fill no firing may be refused in its middle, when it has counted
 * and stored already; and whether one will record is known only at its end: a
 * branch may hang on anything that stands before it.  Asking for room when a
 * clause begins would end the tracing for firings that record nothing.  So it is
 * the other way round: the record behind which the firing that records most might
 * not fit ends the tracing (ABI_FILLING).
 *
 *  1. While firings begin, each ring has room for all that one of them may
 *     record, or as many as may be under way there at once.
 *  2. A firing that has begun runs to its end, and records what it has.
 *  3. Only what has recorded ends the tracing, and nothing is refused.
 *
 * Left free is at most half of a ring, so a firing that may record more than that,
 * in loops, may still find no room, and so may BEGIN, which fires before the
 * others and does not count.  That is the hard end (ABI_FILLED): nothing is
 * recorded any more.  A clause that will record for sure looks for room before it
 * does anything else (dt_room), so that even then what is refused leaves no trace.
 */
#include <stdio.h>
#include <string.h>

#include "ebpf/ebpf_priv.h"

enum { R_CPU = 6, R_DATA = 7, R_RING = 8, R_AT = 9 };
/* In the frame; KEY and SIZE are below what is written. */
enum { INDEX = -4, KEY = -80, SIZE = -88 };
_Static_assert(sizeof(struct abi_error_record) + sizeof(struct abi_who) <= 72,
	       "KEY lies below");

static uint32_t
nrings(const struct ebpf *g)
{
	return g->in->nrings ? g->in->nrings : g->in->ncpus;
}

/* Does some CPU that gets a ring write to this one? */
static bool
is_used(const struct ebpf *g, uint32_t ring)
{
	for (uint32_t cpu = ring; cpu < g->in->ncpus; cpu += nrings(g))
		if (g->in->ring_cpus[cpu])
			return true;
	return false;
}

void
ebpf_store_size(struct ebpf *g, uint8_t base, int32_t off, uint32_t size,
		uint8_t cpu)
{
	if (nrings(g) == g->in->ncpus) {
		ebpf_store_imm(g, 4, base, off, (int32_t)size);
		return;
	}
	ebpf_mov(g, BPF_REG_0, cpu);
	ebpf_alu_imm(g, BPF_DIV, BPF_REG_0, (int32_t)nrings(g));
	ebpf_alu_imm(g, BPF_LSH, BPF_REG_0, ABI_LAP_SHIFT);
	ebpf_alu_imm(g, BPF_OR, BPF_REG_0, (int32_t)size);
	ebpf_store(g, 4, base, off, BPF_REG_0);
}

void
ebpf_store_size_of(struct ebpf *g, uint8_t base, int32_t off, uint8_t size,
		   uint8_t cpu)
{
	ebpf_mov(g, BPF_REG_0, cpu);
	ebpf_alu_imm(g, BPF_DIV, BPF_REG_0, (int32_t)nrings(g));
	ebpf_alu_imm(g, BPF_LSH, BPF_REG_0, ABI_LAP_SHIFT);
	ebpf_alu(g, BPF_OR, BPF_REG_0, size);
	ebpf_store(g, 4, base, off, BPF_REG_0);
}

static void
ring_map(struct ebpf *g, uint32_t ring)
{
	struct ebpf_mapdef def = { .type = BPF_MAP_TYPE_RINGBUF,
				   .max_entries = g->in->ring_size };
	char *name = arena_printf(g->a, "dt_ring%u", ring);

	if (name)
		ebpf_map(g, BPF_REG_1, ebpf_map_sym(g, name, &def));
	else
		ebpf_fail(g, &err_nomem);
}

/* What is done on one ring. */
struct way {
	uint32_t size;		/* bytes, a multiple of 8; 0: SIZE says it */
	int done, drop;		/* labels */
};

static void
reserve(struct ebpf *g, uint32_t ring, const struct way *w)
{
	ring_map(g, ring);
	ebpf_imm(g, BPF_REG_2, w->size);
	ebpf_imm(g, BPF_REG_3, 0);
	ebpf_helper(g, BPF_FUNC_ringbuf_reserve);
	ebpf_jmp(g, w->done);
}

static void
output(struct ebpf *g, uint32_t ring, const struct way *w)
{
	ring_map(g, ring);
	ebpf_mov(g, BPF_REG_2, R_DATA);
	if (w->size)
		ebpf_imm(g, BPF_REG_3, w->size);
	else
		ebpf_load(g, 8, BPF_REG_3, BPF_REG_10, SIZE);
	ebpf_imm(g, BPF_REG_4, 0);
	ebpf_helper(g, BPF_FUNC_ringbuf_output);
	ebpf_jmp(g, w->done);
}

/* Rings from..to-1: halve until one is left. */
static void
choose(struct ebpf *g, uint32_t from, uint32_t to, const struct way *w,
       void (*leaf)(struct ebpf *g, uint32_t ring, const struct way *w))
{
	int upper = ebpf_label(g);

	if (to - from == 1) {
		if (is_used(g, from))
			leaf(g, from, w);
		else
			ebpf_jmp(g, w->drop);
		return;
	}
	uint32_t mid = from + (to - from) / 2;
	ebpf_jmp_imm(g, BPF_JGE, R_RING, (int32_t)mid, upper);
	choose(g, from, mid, w, leaf);
	ebpf_place(g, upper);
	choose(g, mid, to, w, leaf);
}

/* To r0. */
static void
copy(struct ebpf *g, const struct way *w)
{
	for (uint32_t at = 0; at < w->size; at += 8) {
		ebpf_load(g, 8, BPF_REG_1, R_DATA, (int32_t)at);
		ebpf_store(g, 8, BPF_REG_0, (int32_t)at, BPF_REG_1);
	}
}

static void
copy_submit(struct ebpf *g, const struct way *w)
{
	ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0, 0, w->drop);
	copy(g, w);
	ebpf_mov(g, BPF_REG_1, BPF_REG_0);
	ebpf_imm(g, BPF_REG_2, 0);
	ebpf_helper(g, BPF_FUNC_ringbuf_submit);
}

enum { COPY_MAX = 512 };

/* A log to what overwrites: the slot's index is where commit() has put it. */
static void
write_flight_log(struct ebpf *g, const struct way *w)
{
	ebpf_load(g, 4, BPF_REG_1, BPF_REG_10, INDEX);
	ebpf_mov(g, BPF_REG_2, R_RING);
	ebpf_load(g, 8, BPF_REG_3, BPF_REG_10, SIZE);
	ebpf_rt(g, "rt_flight_log", 3);
	ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0, 0, w->drop);
	ebpf_return(g, 0);
}

/* Write to what overwrites. */
static void
write_flight(struct ebpf *g, const struct way *w)
{
	ebpf_mov(g, BPF_REG_1, R_RING);
	ebpf_imm(g, BPF_REG_2, w->size + 8);
	ebpf_rt(g, "rt_flight", 2);
	ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0, 0, w->drop);
	ebpf_mov(g, R_AT, BPF_REG_0);
	ebpf_alu_imm(g, BPF_SUB, R_AT, 1);
	ebpf_store(g, 4, BPF_REG_10, KEY, R_RING);
	ebpf_rtmap(g, BPF_REG_1, "dt_flight");
	ebpf_lea(g, BPF_REG_2, BPF_REG_10, KEY);
	ebpf_helper(g, BPF_FUNC_map_lookup_elem);
	ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0, 0, w->drop);
	ebpf_jmp_imm(g, BPF_JGT, R_AT,
		     (int32_t)(g->in->ring_size - w->size - 8), w->drop);
	ebpf_alu_imm(g, BPF_ADD, BPF_REG_0, sizeof(struct abi_flight));
	ebpf_alu(g, BPF_ADD, BPF_REG_0, R_AT);
	if (w->size <= COPY_MAX) {
		copy(g, w);
	} else {
		ebpf_mov(g, BPF_REG_1, BPF_REG_0);
		ebpf_imm(g, BPF_REG_2, w->size);
		ebpf_mov(g, BPF_REG_3, R_DATA);
		ebpf_helper(g, BPF_FUNC_probe_read_kernel);
	}
	ebpf_return(g, 0);
}

/* --- A full buffer ends the tracing --------------------------------------- */

static void
load_filled(struct ebpf *g)
{
	ebpf_ctl(g, BPF_REG_1);
	ebpf_load(g, 4, BPF_REG_0, BPF_REG_1, offsetof(struct abi_ctl, filled));
}

/* r1: the control block. */
static void
stop(struct ebpf *g, enum abi_filled how)
{
	ebpf_store_imm(g, 4, BPF_REG_1, offsetof(struct abi_ctl, filled),
		       how);
	ebpf_store_imm(g, 4, BPF_REG_1, offsetof(struct abi_ctl, state),
		       ABI_STATE_STOPPED);
}

static void
query(struct ebpf *g, uint32_t ring, const struct way *w)
{
	ring_map(g, ring);
	ebpf_imm(g, BPF_REG_2, BPF_RB_AVAIL_DATA);
	ebpf_helper(g, BPF_FUNC_ringbuf_query);
	ebpf_jmp(g, w->done);
}

/* r0 <- the bytes of ring R_RING that are in use; to none when there is none. */
static void
load_used(struct ebpf *g, int none)
{
	struct way w = { 0, ebpf_label(g), none };

	choose(g, 0, nrings(g), &w, query);
	ebpf_place(g, w.done);
}

/* The kernel's own header takes 8 bytes, and a ring is never filled to the last
 * word. */
enum { RING_HDR = 8 };

/* The most that one firing of a probe records. */
static uint64_t
most_of(const struct ebpf *g, const struct ebpf_probe *p)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < p->nclauses; i++) {
		uint32_t size = g->plan->clauses[p->clauses[i]].desc.record_size;
		sum += size ? RING_HDR + size : 0;
	}
	return sum;
}

/* What is left free for firings that may be under way: those of all CPUs that
 * share the ring, and in each the one that an interrupt brings. */
static uint32_t
reserve_size(const struct ebpf *g)
{
	uint32_t cpus = (g->in->ncpus + nrings(g) - 1) / nrings(g);
	bool irq = false, task = false;
	uint64_t most = 0;

	for (uint32_t i = 0; i < g->in->npoints; i++) {
		const struct ebpf_point *p = &g->in->points[i];
		if (p->always)
			continue;
		for (uint32_t k = 0; k < p->nprobes; k++)
			most = BASE_MAX(most, most_of(g, &p->probes[k]));
		irq |= p->point->attach == ABI_ATTACH_PERF;
		task |= p->point->attach != ABI_ATTACH_PERF;
	}
	most *= cpus * (irq && task ? 2 : 1);
	return (uint32_t)BASE_MIN(most, (uint64_t)g->in->ring_size / 2);
}

/* A record has been written: was it the last? */
static void
check_last(struct ebpf *g)
{
	uint32_t left = reserve_size(g);
	int out = ebpf_label(g);

	load_filled(g);
	ebpf_jmp_imm(g, BPF_JNE, BPF_REG_0, ABI_FILLED_NOT, out);
	load_used(g, out);
	ebpf_jmp_imm(g, BPF_JLE, BPF_REG_0,
		     (int32_t)(g->in->ring_size - RING_HDR - left), out);
	ebpf_ctl(g, BPF_REG_1);
	stop(g, ABI_FILLING);
	ebpf_place(g, out);
}

/* --- Writing -------------------------------------------------------------- */

/* Write size (0: what SIZE says) bytes at R_DATA and return, or go to drop. */
static void
write_record(struct ebpf *g, uint32_t size, int drop)
{
	struct way w = { size, ebpf_label(g), drop };
	bool small = size && size <= COPY_MAX;

	if (!memchr(g->in->ring_cpus, 1, g->in->ncpus)) {
		ebpf_fail(g, err_new(ERR_INVALID, 0, "no CPU has a ring"));
		return;
	}
	ebpf_mov(g, R_RING, R_CPU);
	if (nrings(g) < g->in->ncpus)
		ebpf_alu_imm(g, BPF_MOD, R_RING, (int32_t)nrings(g));
	if (g->in->policy == EBPF_RING) {
		(size ? write_flight : write_flight_log)(g, &w);
		return;
	}
	choose(g, 0, nrings(g), &w, small ? reserve : output);
	ebpf_place(g, w.done);
	if (small)
		copy_submit(g, &w);
	else
		ebpf_jmp_imm(g, BPF_JNE, BPF_REG_0, 0, w.drop);
	if (g->in->policy == EBPF_FILL)
		check_last(g);
	ebpf_return(g, 0);
}


/* There was no room: this is the end of the tracing. */
static void
fill(struct ebpf *g)
{
	int end = ebpf_label(g);

	load_filled(g);
	ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0, ABI_FILLED_END, end);
	stop(g, ABI_FILLED);
	ebpf_return(g, 0);
	ebpf_place(g, end);
}

static uint32_t
begin(struct ebpf *g, const char *name, unsigned nargs)
{
	uint32_t sym = ebpf_func_begin(g, SEC_TEXT, name, nargs);

	if (!g->err)
		g->syms.v[sym].kind = SYM_GFUNC;
	return sym;
}

/* u64 dt_room(size, cpu): 1, and the tracing ends, when the buffer has no room for
 * a record of that size. */
static void
room(struct ebpf *g)
{
	uint32_t sym = begin(g, EBPF_ROOM, 2);
	int open = ebpf_label(g), fits = ebpf_label(g);

	ebpf_mov(g, R_CPU, BPF_REG_2);
	ebpf_mov(g, R_DATA, BPF_REG_1);
	load_filled(g);
	ebpf_jmp_imm(g, BPF_JNE, BPF_REG_0, ABI_FILLED, open);
	ebpf_return(g, 1);
	ebpf_place(g, open);
	ebpf_mov(g, R_RING, R_CPU);
	if (nrings(g) < g->in->ncpus)
		ebpf_alu_imm(g, BPF_MOD, R_RING, (int32_t)nrings(g));
	load_used(g, fits);
	ebpf_alu(g, BPF_ADD, BPF_REG_0, R_DATA);
	ebpf_jmp_imm(g, BPF_JLT, BPF_REG_0,
		     (int32_t)g->in->ring_size - RING_HDR, fits);
	load_filled(g);
	ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0, ABI_FILLED_END, fits);
	stop(g, ABI_FILLED);
	ebpf_return(g, 1);
	ebpf_place(g, fits);
	ebpf_return(g, 0);
	ebpf_func_end(g, sym);
}

/* Write size bytes at R_DATA, or do what a full buffer does, and return. */
static void
emit_record(struct ebpf *g, uint32_t size)
{
	bool fills = g->in->policy == EBPF_FILL;
	int drop = ebpf_label(g), open = ebpf_label(g);

	if (fills) {
		load_filled(g);
		ebpf_jmp_imm(g, BPF_JNE, BPF_REG_0, ABI_FILLED, open);
		ebpf_return(g, 0);
		ebpf_place(g, open);
	}
	write_record(g, size, drop);
	ebpf_place(g, drop);
	if (fills)
		fill(g);
	ebpf_imm(g, BPF_REG_1, ABI_DROP_PRINCIPAL);
	ebpf_mov(g, BPF_REG_2, R_CPU);
	ebpf_rt(g, "rt_drop", 2);
	ebpf_return(g, 0);
}

const char *
ebpf_commit_name(struct ebpf *g, uint32_t size)
{
	char *name = arena_printf(g->a, "dt_commit_%u", size);

	if (!name)
		ebpf_fail(g, &err_nomem);
	return name ? name : "";
}

/* u64 dt_commit_SIZE(slot index, cpu): the record in the slot. */
static void
commit(struct ebpf *g, uint32_t size)
{
	uint32_t sym = begin(g, ebpf_commit_name(g, size), 2);
	int out = ebpf_label(g);

	ebpf_mov(g, R_CPU, BPF_REG_2);
	ebpf_store(g, 4, BPF_REG_10, INDEX, BPF_REG_1);
	ebpf_slots(g, BPF_REG_1);
	ebpf_lea(g, BPF_REG_2, BPF_REG_10, INDEX);
	ebpf_helper(g, BPF_FUNC_map_lookup_elem);
	ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0, 0, out);
	ebpf_lea(g, R_DATA, BPF_REG_0, (int32_t)g->lay.record);
	if (!size) {
		ebpf_load(g, 4, BPF_REG_1, BPF_REG_0,
			  offsetof(struct abi_slot, log_used));
		ebpf_jmp_imm(g, BPF_JGT, BPF_REG_1,
			     (int32_t)(g->lay.entry - g->lay.record), out);
		ebpf_store(g, 8, BPF_REG_10, SIZE, BPF_REG_1);
	}
	emit_record(g, size);
	ebpf_place(g, out);
	ebpf_return(g, 0);
	ebpf_func_end(g, sym);
}

/* u64 dt_error(timestamp, cpu << 32 | epid, action << 32 | offset,
 * line << 32 | fault, value): an error record. */
static void
error(struct ebpf *g)
{
	enum { WHO = -(int)sizeof(struct abi_who),
	       AT = WHO - (int)sizeof(struct abi_error_record) };
	uint32_t size = (uint32_t)(g->plan->who ? -AT : WHO - AT);
	uint32_t sym = begin(g, "dt_error", 5);

#define FIELD(m) (AT + (int)offsetof(struct abi_error_record, m))
	ebpf_store_imm(g, 4, BPF_REG_10, FIELD(hdr.epid),
		       (int32_t)ABI_EPID_ERROR);
	ebpf_store(g, 8, BPF_REG_10, FIELD(hdr.timestamp), BPF_REG_1);
	ebpf_store(g, 4, BPF_REG_10, FIELD(epid), BPF_REG_2);
	ebpf_mov(g, R_CPU, BPF_REG_2);
	ebpf_alu_imm(g, BPF_RSH, R_CPU, 32);
	ebpf_store_size(g, BPF_REG_10, FIELD(hdr.size), size, R_CPU);
	ebpf_store(g, 4, BPF_REG_10, FIELD(dif_offset), BPF_REG_3);
	ebpf_alu_imm(g, BPF_RSH, BPF_REG_3, 32);
	ebpf_store(g, 4, BPF_REG_10, FIELD(action), BPF_REG_3);
	ebpf_store(g, 4, BPF_REG_10, FIELD(fault), BPF_REG_4);
	ebpf_alu_imm(g, BPF_RSH, BPF_REG_4, 32);
	_Static_assert(FIELD(pad) == FIELD(place) + 4, "one store for both");
	ebpf_store(g, 8, BPF_REG_10, FIELD(place), BPF_REG_4);
	ebpf_store(g, 8, BPF_REG_10, FIELD(value), BPF_REG_5);
#undef FIELD
	if (g->plan->who)
		ebpf_who(g, BPF_REG_10, WHO);
	ebpf_lea(g, R_DATA, BPF_REG_10, AT);
	emit_record(g, size);
	ebpf_func_end(g, sym);
}

/* u64 dt_spec_end(tag, timestamp, cpu): the record of how a speculation ended;
 * the timestamp, if there was no room for it, else 0. */
static void
spec_end(struct ebpf *g)
{
	enum { AT = -(int)sizeof(struct abi_spec_end) };
	uint32_t sym = begin(g, EBPF_SPEC_END, 3);
	int lost = ebpf_label(g);

#define FIELD(m) (AT + (int)offsetof(struct abi_spec_end, m))
	ebpf_mov(g, R_CPU, BPF_REG_3);
	ebpf_store_imm(g, 4, BPF_REG_10, FIELD(hdr.epid),
		       (int32_t)ABI_EPID_SPEC_END);
	ebpf_store_size(g, BPF_REG_10, FIELD(hdr.size),
			sizeof(struct abi_spec_end), R_CPU);
	ebpf_store(g, 8, BPF_REG_10, FIELD(hdr.timestamp), BPF_REG_2);
	ebpf_store(g, 8, BPF_REG_10, FIELD(tag), BPF_REG_1);
	ebpf_lea(g, R_DATA, BPF_REG_10, AT);
	write_record(g, sizeof(struct abi_spec_end), lost);
	ebpf_place(g, lost);
	ebpf_load(g, 8, BPF_REG_0, BPF_REG_10, FIELD(hdr.timestamp));
#undef FIELD
	ebpf_emit(g, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
	ebpf_func_end(g, sym);
}

static uint32_t
const_size(const struct abi_clause_desc *d)
{
	return d->is_log ? 0 : d->record_size ? d->record_size : UINT32_MAX;
}

/* One for each size of record. */
static void
commits(struct ebpf *g)
{
	const struct plan_clause *c = g->plan->clauses;

	for (uint32_t i = 0; i < g->plan->nclauses; i++) {
		uint32_t k = 0, size = const_size(&c[i].desc);
		while (k < i && const_size(&c[k].desc) != size)
			k++;
		if (k == i && c[i].desc.record_size)
			commit(g, size);
	}
}

void
ebpf_ring_funcs(struct ebpf *g)
{
	if (g->all.rings)
		commits(g);
	if (g->all.fault)
		error(g);
	if (g->sends_ends)
		spec_end(g);
	if (g->asks_room)
		room(g);
}
