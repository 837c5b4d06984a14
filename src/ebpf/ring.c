/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Records into the ring of this CPU.
 *
 * Each CPU has a ring of its own, so that CPUs never contend.  Which one is
 * chosen by comparing the CPU's number (a tree of branches), not by a map of
 * maps: filling such a map costs a grace period for each CPU, 15 ms, before
 * tracing can begin.  The two functions here are global, so the kernel looks at
 * each once however many clauses call it.
 */
#include <stdio.h>
#include <string.h>

#include "ebpf/ebpf_priv.h"

enum { R_CPU = 6, R_DATA = 7, R_SIZE = 8 };

static void
ring_map(struct ebpf *g, uint32_t cpu)
{
	struct ebpf_mapdef def = { .type = BPF_MAP_TYPE_RINGBUF,
				   .max_entries = g->in->ring_size };
	char *name = arena_printf(g->a, "dt_ring%u", cpu);

	if (name)
		ebpf_map(g, BPF_REG_1, ebpf_map_sym(g, name, &def));
	else
		ebpf_fail(g, &err_nomem);
}

static void
output(struct ebpf *g, uint32_t cpu, int done)
{
	ring_map(g, cpu);
	ebpf_mov(g, BPF_REG_2, R_DATA);
	ebpf_mov(g, BPF_REG_3, R_SIZE);
	ebpf_imm(g, BPF_REG_4, 0);
	ebpf_helper(g, BPF_FUNC_ringbuf_output);
	ebpf_jmp(g, done);
}

/* CPUs from..to-1: halve until one is left; r0 < 0 when nothing was written. */
static void
choose(struct ebpf *g, uint32_t from, uint32_t to, int done)
{
	int upper = ebpf_label(g);

	if (to - from == 1) {
		ebpf_imm(g, BPF_REG_0, (uint64_t)-1);
		if (g->in->ring_cpus[from])
			output(g, from, done);
		else
			ebpf_jmp(g, done);
		return;
	}
	uint32_t mid = from + (to - from) / 2;
	ebpf_jmp_imm(g, BPF_JGE, R_CPU, (int32_t)mid, upper);
	choose(g, from, mid, done);
	ebpf_place(g, upper);
	choose(g, mid, to, done);
}

/* Write R_SIZE bytes at R_DATA, or count a drop; return. */
static void
emit_record(struct ebpf *g)
{
	int done = ebpf_label(g), fine = ebpf_label(g);

	choose(g, 0, g->in->ncpus, done);
	ebpf_place(g, done);
	ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0, 0, fine);
	ebpf_imm(g, BPF_REG_1, ABI_DROP_PRINCIPAL);
	ebpf_mov(g, BPF_REG_2, R_CPU);
	ebpf_rt(g, "rt_drop", 2);
	ebpf_place(g, fine);
	ebpf_imm(g, BPF_REG_0, 0);
	ebpf_emit(g, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

static uint32_t
begin(struct ebpf *g, const char *name, unsigned nargs)
{
	uint32_t sym = ebpf_func_begin(g, SEC_TEXT, name, nargs);

	if (!g->err)
		g->syms.v[sym].kind = SYM_GFUNC;
	return sym;
}

/* u64 dt_commit(slot index, cpu, size): the record in the slot. */
static void
commit(struct ebpf *g)
{
	struct ebpf_mapdef def = {
		.type = BPF_MAP_TYPE_ARRAY, .key_size = 4,
		.value_size = 65536, .max_entries = 4,
	};
	uint32_t sym = begin(g, "dt_commit", 3);
	uint32_t max = g->lay.comm - g->lay.record;
	int out = ebpf_label(g);

	ebpf_mov(g, R_CPU, BPF_REG_2);
	ebpf_mov(g, R_SIZE, BPF_REG_3);
	ebpf_store(g, 4, BPF_REG_10, -4, BPF_REG_1);
	ebpf_map(g, BPF_REG_1, ebpf_rtmap_sym(g, "dt_slots", &def));
	ebpf_lea(g, BPF_REG_2, BPF_REG_10, -4);
	ebpf_helper(g, BPF_FUNC_map_lookup_elem);
	ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0, 0, out);
	ebpf_jmp_imm(g, BPF_JGT, R_SIZE, (int32_t)max, out);
	ebpf_lea(g, R_DATA, BPF_REG_0, (int32_t)g->lay.record);
	emit_record(g);
	ebpf_place(g, out);
	ebpf_imm(g, BPF_REG_0, 0);
	ebpf_emit(g, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
	ebpf_func_end(g, sym);
}

/* u64 dt_error(timestamp, cpu << 32 | epid, action << 32 | offset, fault,
 * value): an error record. */
static void
error(struct ebpf *g)
{
	enum { AT = -(int)sizeof(struct abi_error_record) };
	uint32_t sym = begin(g, "dt_error", 5);

#define FIELD(m) (AT + (int)offsetof(struct abi_error_record, m))
	ebpf_store_imm(g, 4, BPF_REG_10, FIELD(hdr.epid), (int32_t)ABI_EPID_ERROR);
	ebpf_store_imm(g, 4, BPF_REG_10, FIELD(hdr.size),
		       sizeof(struct abi_error_record));
	ebpf_store(g, 8, BPF_REG_10, FIELD(hdr.timestamp), BPF_REG_1);
	ebpf_store(g, 4, BPF_REG_10, FIELD(epid), BPF_REG_2);
	ebpf_mov(g, R_CPU, BPF_REG_2);
	ebpf_alu_imm(g, BPF_RSH, R_CPU, 32);
	ebpf_store(g, 4, BPF_REG_10, FIELD(dif_offset), BPF_REG_3);
	ebpf_alu_imm(g, BPF_RSH, BPF_REG_3, 32);
	ebpf_store(g, 4, BPF_REG_10, FIELD(action), BPF_REG_3);
	ebpf_store(g, 4, BPF_REG_10, FIELD(fault), BPF_REG_4);
	ebpf_store(g, 8, BPF_REG_10, FIELD(value), BPF_REG_5);
#undef FIELD
	ebpf_lea(g, R_DATA, BPF_REG_10, AT);
	ebpf_imm(g, R_SIZE, sizeof(struct abi_error_record));
	emit_record(g);
	ebpf_func_end(g, sym);
}

void
ebpf_ring_funcs(struct ebpf *g)
{
	if (g->uses_rings)
		commit(g);
	if (g->can_fault)
		error(g);
}
