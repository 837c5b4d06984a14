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

#include "abi/ctl.h"
#include "abi/flight.h"
#include "abi/slot.h"
#include "ebpf/clause_priv.h"

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
ebpf_store_size(struct ebpf_out *o, uint8_t base, int32_t off, uint32_t size,
		uint8_t cpu)
{
	if (nrings(o->g) == o->g->in->ncpus) {
		ebpf_store_imm(o, 4, base, off, (int32_t)size);
		return;
	}
	ebpf_mov(o, BPF_REG_0, cpu);
	ebpf_alu_imm(o, BPF_DIV, BPF_REG_0, (int32_t)nrings(o->g));
	ebpf_alu_imm(o, BPF_LSH, BPF_REG_0, ABI_LAP_SHIFT);
	ebpf_alu_imm(o, BPF_OR, BPF_REG_0, (int32_t)size);
	ebpf_store(o, 4, base, off, BPF_REG_0);
}

void
ebpf_store_size_of(struct ebpf_out *o, uint8_t base, int32_t off, uint8_t size,
		   uint8_t cpu)
{
	ebpf_mov(o, BPF_REG_0, cpu);
	ebpf_alu_imm(o, BPF_DIV, BPF_REG_0, (int32_t)nrings(o->g));
	ebpf_alu_imm(o, BPF_LSH, BPF_REG_0, ABI_LAP_SHIFT);
	ebpf_alu(o, BPF_OR, BPF_REG_0, size);
	ebpf_store(o, 4, base, off, BPF_REG_0);
}

static void
ring_map(struct ebpf_out *o, uint32_t ring)
{
	struct ebpf *g = o->g;
	struct ebpf_mapdef def = { .type = BPF_MAP_TYPE_RINGBUF,
				   .max_entries = g->in->ring_size };
	const char *name = ebpf_name(g, "dt_ring%u", ring);

	ebpf_map(o, BPF_REG_1, ebpf_map_sym(g, name, &def));
}

/* What is done on one ring. */
struct way {
	uint32_t size;		/* bytes, a multiple of 8; 0: SIZE says it */
	int done, drop;		/* labels */
};

static void
reserve(struct ebpf_out *o, uint32_t ring, const struct way *w)
{
	ring_map(o, ring);
	ebpf_imm(o, BPF_REG_2, w->size);
	ebpf_imm(o, BPF_REG_3, 0);
	ebpf_helper(o, BPF_FUNC_ringbuf_reserve);
	ebpf_jmp(o, w->done);
}

static void
output(struct ebpf_out *o, uint32_t ring, const struct way *w)
{
	ring_map(o, ring);
	ebpf_mov(o, BPF_REG_2, R_DATA);
	if (w->size)
		ebpf_imm(o, BPF_REG_3, w->size);
	else
		ebpf_load(o, 8, BPF_REG_3, BPF_REG_10, SIZE);
	ebpf_imm(o, BPF_REG_4, 0);
	ebpf_helper(o, BPF_FUNC_ringbuf_output);
	ebpf_jmp(o, w->done);
}

/* Rings from..to-1: halve until one is left. */
static void
choose(struct ebpf_out *o, uint32_t from, uint32_t to, const struct way *w,
       void (*leaf)(struct ebpf_out *o, uint32_t ring, const struct way *w))
{
	int upper = ebpf_label(o);

	if (to - from == 1) {
		if (is_used(o->g, from))
			leaf(o, from, w);
		else
			ebpf_jmp(o, w->drop);
		return;
	}
	uint32_t mid = from + (to - from) / 2;
	ebpf_jmp_imm(o, BPF_JGE, R_RING, (int32_t)mid, upper);
	choose(o, from, mid, w, leaf);
	ebpf_place(o, upper);
	choose(o, mid, to, w, leaf);
}

/* To r0. */
static void
copy(struct ebpf_out *o, const struct way *w)
{
	for (uint32_t at = 0; at < w->size; at += 8) {
		ebpf_load(o, 8, BPF_REG_1, R_DATA, (int32_t)at);
		ebpf_store(o, 8, BPF_REG_0, (int32_t)at, BPF_REG_1);
	}
}

static void
copy_submit(struct ebpf_out *o, const struct way *w)
{
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, w->drop);
	copy(o, w);
	ebpf_mov(o, BPF_REG_1, BPF_REG_0);
	ebpf_imm(o, BPF_REG_2, 0);
	ebpf_helper(o, BPF_FUNC_ringbuf_submit);
}

enum { COPY_MAX = 512 };

/* A log to what overwrites: the slot's index is where commit() has put it. */
static void
write_flight_log(struct ebpf_out *o, const struct way *w)
{
	ebpf_load(o, 4, BPF_REG_1, BPF_REG_10, INDEX);
	ebpf_mov(o, BPF_REG_2, R_RING);
	ebpf_load(o, 8, BPF_REG_3, BPF_REG_10, SIZE);
	ebpf_rt(o, "rt_flight_log", 3);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, w->drop);
	ebpf_return(o, 0);
}

/* Write to what overwrites. */
static void
write_flight(struct ebpf_out *o, const struct way *w)
{
	ebpf_mov(o, BPF_REG_1, R_RING);
	ebpf_imm(o, BPF_REG_2, w->size + 8);
	ebpf_rt(o, "rt_flight", 2);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, w->drop);
	ebpf_mov(o, R_AT, BPF_REG_0);
	ebpf_alu_imm(o, BPF_SUB, R_AT, 1);
	ebpf_store(o, 4, BPF_REG_10, KEY, R_RING);
	ebpf_rtmap(o, BPF_REG_1, "dt_flight");
	ebpf_lea(o, BPF_REG_2, BPF_REG_10, KEY);
	ebpf_helper(o, BPF_FUNC_map_lookup_elem);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, w->drop);
	ebpf_jmp_imm(o, BPF_JGT, R_AT,
		     (int32_t)(o->g->in->ring_size - w->size - 8), w->drop);
	ebpf_alu_imm(o, BPF_ADD, BPF_REG_0, sizeof(struct abi_flight));
	ebpf_alu(o, BPF_ADD, BPF_REG_0, R_AT);
	if (w->size <= COPY_MAX) {
		copy(o, w);
	} else {
		ebpf_mov(o, BPF_REG_1, BPF_REG_0);
		ebpf_imm(o, BPF_REG_2, w->size);
		ebpf_mov(o, BPF_REG_3, R_DATA);
		ebpf_helper(o, BPF_FUNC_probe_read_kernel);
	}
	ebpf_return(o, 0);
}

/* --- A full buffer ends the tracing --------------------------------------- */

static void
load_filled(struct ebpf_out *o)
{
	ebpf_ctl(o, BPF_REG_1);
	ebpf_load(o, 4, BPF_REG_0, BPF_REG_1, offsetof(struct abi_ctl, filled));
}

/* r1: the control block. */
static void
stop(struct ebpf_out *o, enum abi_filled how)
{
	ebpf_store_imm(o, 4, BPF_REG_1, offsetof(struct abi_ctl, filled),
		       how);
	ebpf_store_imm(o, 4, BPF_REG_1, offsetof(struct abi_ctl, state),
		       ABI_STATE_STOPPED);
}

static void
query(struct ebpf_out *o, uint32_t ring, const struct way *w)
{
	ring_map(o, ring);
	ebpf_imm(o, BPF_REG_2, BPF_RB_AVAIL_DATA);
	ebpf_helper(o, BPF_FUNC_ringbuf_query);
	ebpf_jmp(o, w->done);
}

/* r0 <- the bytes of ring R_RING that are in use; to none when there is none. */
static void
load_used(struct ebpf_out *o, int none)
{
	struct way w = { 0, ebpf_label(o), none };

	choose(o, 0, nrings(o->g), &w, query);
	ebpf_place(o, w.done);
}

/* The kernel's own header takes 8 bytes, and a ring is never filled to the last
 * word. */
enum { RING_HDR = 8 };

/* The most that one firing of a probe records. */
static uint64_t
most_of(const struct ebpf *g, const struct plan_probe *p)
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
check_last(struct ebpf_out *o)
{
	uint32_t left = reserve_size(o->g);
	int out = ebpf_label(o);

	load_filled(o);
	ebpf_jmp_imm(o, BPF_JNE, BPF_REG_0, ABI_FILLED_NOT, out);
	load_used(o, out);
	ebpf_jmp_imm(o, BPF_JLE, BPF_REG_0,
		     (int32_t)(o->g->in->ring_size - RING_HDR - left), out);
	ebpf_ctl(o, BPF_REG_1);
	stop(o, ABI_FILLING);
	ebpf_place(o, out);
}

/* --- Writing -------------------------------------------------------------- */

/* Write size (0: what SIZE says) bytes at R_DATA and return, or go to drop. */
static void
write_record(struct ebpf_out *o, uint32_t size, int drop)
{
	struct ebpf *g = o->g;
	struct way w = { size, ebpf_label(o), drop };
	bool small = size && size <= COPY_MAX;

	if (!memchr(g->in->ring_cpus, 1, g->in->ncpus)) {
		ebpf_fail(g, err_new(ERR_INVALID, 0, "no CPU has a ring"));
		return;
	}
	ebpf_mov(o, R_RING, R_CPU);
	if (nrings(g) < g->in->ncpus)
		ebpf_alu_imm(o, BPF_MOD, R_RING, (int32_t)nrings(g));
	if (g->in->policy == EBPF_RING) {
		(size ? write_flight : write_flight_log)(o, &w);
		return;
	}
	choose(o, 0, nrings(g), &w, small ? reserve : output);
	ebpf_place(o, w.done);
	if (small)
		copy_submit(o, &w);
	else
		ebpf_jmp_imm(o, BPF_JNE, BPF_REG_0, 0, w.drop);
	if (g->in->policy == EBPF_FILL)
		check_last(o);
	ebpf_return(o, 0);
}


/* There was no room: this is the end of the tracing. */
static void
fill(struct ebpf_out *o)
{
	int end = ebpf_label(o);

	load_filled(o);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, ABI_FILLED_END, end);
	stop(o, ABI_FILLED);
	ebpf_return(o, 0);
	ebpf_place(o, end);
}

/* u64 dt_room(size, cpu): 1, and the tracing ends, when the buffer has no room for
 * a record of that size. */
static void
room(struct ebpf_out *o, uint32_t size)
{
	int open = ebpf_label(o), fits = ebpf_label(o);

	ebpf_mov(o, R_CPU, BPF_REG_2);
	ebpf_mov(o, R_DATA, BPF_REG_1);
	load_filled(o);
	ebpf_jmp_imm(o, BPF_JNE, BPF_REG_0, ABI_FILLED, open);
	ebpf_return(o, 1);
	ebpf_place(o, open);
	ebpf_mov(o, R_RING, R_CPU);
	if (nrings(o->g) < o->g->in->ncpus)
		ebpf_alu_imm(o, BPF_MOD, R_RING, (int32_t)nrings(o->g));
	load_used(o, fits);
	ebpf_alu(o, BPF_ADD, BPF_REG_0, R_DATA);
	ebpf_jmp_imm(o, BPF_JLT, BPF_REG_0,
		     (int32_t)o->g->in->ring_size - RING_HDR, fits);
	load_filled(o);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, ABI_FILLED_END, fits);
	stop(o, ABI_FILLED);
	ebpf_return(o, 1);
	ebpf_place(o, fits);
	ebpf_return(o, 0);
}

/* Write size bytes at R_DATA, or do what a full buffer does, and return. */
static void
emit_record(struct ebpf_out *o, uint32_t size)
{
	bool fills = o->g->in->policy == EBPF_FILL;
	int drop = ebpf_label(o), open = ebpf_label(o);

	if (fills) {
		load_filled(o);
		ebpf_jmp_imm(o, BPF_JNE, BPF_REG_0, ABI_FILLED, open);
		ebpf_return(o, 0);
		ebpf_place(o, open);
	}
	write_record(o, size, drop);
	ebpf_place(o, drop);
	if (fills)
		fill(o);
	ebpf_imm(o, BPF_REG_1, ABI_DROP_PRINCIPAL);
	ebpf_mov(o, BPF_REG_2, R_CPU);
	ebpf_rt(o, "rt_drop", 2);
	ebpf_return(o, 0);
}

const char *
ebpf_commit_name(struct ebpf *g, uint32_t size)
{
	return ebpf_name(g, "dt_commit_%u", size);
}

/* u64 dt_commit_SIZE(slot index, cpu): the record in the slot. */
static void
commit(struct ebpf_out *o, uint32_t size)
{
	int out = ebpf_label(o);

	ebpf_mov(o, R_CPU, BPF_REG_2);
	ebpf_store(o, 4, BPF_REG_10, INDEX, BPF_REG_1);
	ebpf_slots(o, BPF_REG_1);
	ebpf_lea(o, BPF_REG_2, BPF_REG_10, INDEX);
	ebpf_helper(o, BPF_FUNC_map_lookup_elem);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, out);
	ebpf_lea(o, R_DATA, BPF_REG_0, (int32_t)o->g->lay.record);
	if (!size) {
		ebpf_load(o, 4, BPF_REG_1, BPF_REG_0,
			  offsetof(struct abi_slot, log_used));
		ebpf_jmp_imm(o, BPF_JGT, BPF_REG_1,
			     (int32_t)(o->g->lay.entry - o->g->lay.record),
			     out);
		ebpf_store(o, 8, BPF_REG_10, SIZE, BPF_REG_1);
	}
	emit_record(o, size);
	ebpf_place(o, out);
	ebpf_return(o, 0);
}

/* u64 dt_error(timestamp, cpu << 32 | epid, action << 32 | offset,
 * line << 32 | fault, value): an error record. */
static void
error(struct ebpf_out *o, uint32_t size)
{
	enum { WHO = -(int)sizeof(struct abi_who),
	       AT = WHO - (int)sizeof(struct abi_error_record) };

#define FIELD(m) (AT + (int)offsetof(struct abi_error_record, m))
	ebpf_store_imm(o, 4, BPF_REG_10, FIELD(hdr.epid),
		       (int32_t)ABI_EPID_ERROR);
	ebpf_store(o, 8, BPF_REG_10, FIELD(hdr.timestamp), BPF_REG_1);
	ebpf_store(o, 4, BPF_REG_10, FIELD(epid), BPF_REG_2);
	ebpf_mov(o, R_CPU, BPF_REG_2);
	ebpf_alu_imm(o, BPF_RSH, R_CPU, 32);
	ebpf_store_size(o, BPF_REG_10, FIELD(hdr.size), size, R_CPU);
	ebpf_store(o, 4, BPF_REG_10, FIELD(dif_offset), BPF_REG_3);
	ebpf_alu_imm(o, BPF_RSH, BPF_REG_3, 32);
	ebpf_store(o, 4, BPF_REG_10, FIELD(action), BPF_REG_3);
	ebpf_store(o, 4, BPF_REG_10, FIELD(fault), BPF_REG_4);
	ebpf_alu_imm(o, BPF_RSH, BPF_REG_4, 32);
	_Static_assert(FIELD(pad) == FIELD(place) + 4, "one store for both");
	ebpf_store(o, 8, BPF_REG_10, FIELD(place), BPF_REG_4);
	ebpf_store(o, 8, BPF_REG_10, FIELD(value), BPF_REG_5);
#undef FIELD
	if (o->g->plan->who)
		ebpf_who(o, BPF_REG_10, WHO);
	ebpf_lea(o, R_DATA, BPF_REG_10, AT);
	emit_record(o, size);
}

/* u64 dt_spec_end(tag, timestamp, cpu): the record of how a speculation ended;
 * the timestamp, if there was no room for it, else 0. */
static void
spec_end(struct ebpf_out *o, uint32_t size)
{
	enum { AT = -(int)sizeof(struct abi_spec_end) };
	int lost = ebpf_label(o);

#define FIELD(m) (AT + (int)offsetof(struct abi_spec_end, m))
	ebpf_mov(o, R_CPU, BPF_REG_3);
	ebpf_store_imm(o, 4, BPF_REG_10, FIELD(hdr.epid),
		       (int32_t)ABI_EPID_SPEC_END);
	ebpf_store_size(o, BPF_REG_10, FIELD(hdr.size), size, R_CPU);
	ebpf_store(o, 8, BPF_REG_10, FIELD(hdr.timestamp), BPF_REG_2);
	ebpf_store(o, 8, BPF_REG_10, FIELD(tag), BPF_REG_1);
	ebpf_lea(o, R_DATA, BPF_REG_10, AT);
	write_record(o, size, lost);
	ebpf_place(o, lost);
	ebpf_load(o, 8, BPF_REG_0, BPF_REG_10, FIELD(hdr.timestamp));
#undef FIELD
	ebpf_emit(o, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

static uint32_t
const_size(const struct abi_clause_desc *d)
{
	return d->is_log ? 0 : d->record_size ? d->record_size : UINT32_MAX;
}

static void
func(struct ebpf *g, const char *name, unsigned nargs,
     void (*write)(struct ebpf_out *o, uint32_t size), uint32_t size)
{
	struct ebpf_out o;
	uint32_t sym = ebpf_func_begin(&o, g, SEC_TEXT, name, nargs);

	if (!g->err)
		g->syms.v[sym].kind = SYM_GFUNC;
	write(&o, size);
	ebpf_func_end(&o, sym);
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
			func(g, ebpf_commit_name(g, size), 2, commit, size);
	}
}

void
ebpf_ring_funcs(struct ebpf *g)
{
	uint32_t who = g->plan->who ? sizeof(struct abi_who) : 0;

	if (g->use.rings)
		commits(g);
	if (g->use.fault)
		func(g, "dt_error", 5, error,
		     sizeof(struct abi_error_record) + who);
	if (g->sends_ends)
		func(g, EBPF_SPEC_END, 3, spec_end,
		     sizeof(struct abi_spec_end));
	if (g->asks_room)
		func(g, EBPF_ROOM, 2, room, 0);
}
