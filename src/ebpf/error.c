/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Faults, told: the consumer gets an error record, and ERROR's clauses run as
 * part of the firing, with arguments of their own.
 */
#include <string.h>

#include "abi/slot.h"
#include "ebpf/prog_priv.h"

/* Tell the consumer. */
static void
tell(struct ebpf_out *o)
{
	ebpf_time(o);
	ebpf_mov(o, BPF_REG_1, BPF_REG_0);
	ebpf_load(o, 4, BPF_REG_2, R_FS, FS_CPU);
	ebpf_alu_imm(o, BPF_LSH, BPF_REG_2, 32);
	ebpf_load(o, 4, BPF_REG_0, R_FS, FS_EPID);
	ebpf_alu(o, BPF_OR, BPF_REG_2, BPF_REG_0);
	ebpf_load(o, 8, BPF_REG_3, R_FS, FS_FWHERE);
	ebpf_load(o, 4, BPF_REG_4, R_FS, FS_PLACE);
	ebpf_alu_imm(o, BPF_LSH, BPF_REG_4, 32);
	ebpf_load(o, 4, BPF_REG_0, R_FS, FS_FAULT);
	ebpf_alu(o, BPF_OR, BPF_REG_4, BPF_REG_0);
	ebpf_load(o, 8, BPF_REG_5, R_FS, FS_FVALUE);
	ebpf_call(o, ebpf_sym(o->g, "dt_error", SYM_GFUNC));
}

/* What ERROR's clauses see instead of the firing's own: arg1..arg5, the probe
 * and its EPID.  The originals wait in the slot. */
static void
swap_in(struct ebpf_out *o, uint32_t pno)
{
	int32_t saved = offsetof(struct abi_slot, saved);

	for (int i = 0; i < 6; i++) {
		ebpf_load(o, 8, BPF_REG_0, R_FS, FS_ARGS + 8 * i);
		ebpf_store(o, 8, R_SLOT, saved + 8 * i, BPF_REG_0);
	}
	ebpf_load(o, 8, BPF_REG_0, R_FS, FS_PROBE);	/* with the EPID */
	ebpf_store(o, 8, R_SLOT, saved + 48, BPF_REG_0);
	ebpf_load(o, 4, BPF_REG_0, R_FS, FS_PNO);
	ebpf_store(o, 8, R_SLOT, saved + 56, BPF_REG_0);

	ebpf_load(o, 4, BPF_REG_0, R_FS, FS_EPID);
	ebpf_store(o, 8, R_FS, FS_ARGS + 8, BPF_REG_0);
	ebpf_load(o, 8, BPF_REG_0, R_FS, FS_FWHERE);
	ebpf_mov(o, BPF_REG_1, BPF_REG_0);
	ebpf_alu_imm(o, BPF_RSH, BPF_REG_0, 32);
	ebpf_store(o, 8, R_FS, FS_ARGS + 16, BPF_REG_0);
	ebpf_sext(o, BPF_REG_1, 4);
	ebpf_store(o, 8, R_FS, FS_ARGS + 24, BPF_REG_1);
	ebpf_load(o, 4, BPF_REG_0, R_FS, FS_FAULT);
	ebpf_store(o, 8, R_FS, FS_ARGS + 32, BPF_REG_0);
	ebpf_load(o, 8, BPF_REG_0, R_FS, FS_FVALUE);
	ebpf_store(o, 8, R_FS, FS_ARGS + 40, BPF_REG_0);
	ebpf_store_imm(o, 8, R_FS, FS_ARGS, 0);
	ebpf_store_imm(o, 4, R_FS, FS_PROBE, (int32_t)o->g->in->error.id);
	ebpf_store_imm(o, 4, R_FS, FS_PNO, (int32_t)pno);
}

static void
swap_out(struct ebpf_out *o)
{
	int32_t saved = offsetof(struct abi_slot, saved);

	for (int i = 0; i < 6; i++) {
		ebpf_load(o, 8, BPF_REG_0, R_SLOT, saved + 8 * i);
		ebpf_store(o, 8, R_FS, FS_ARGS + 8 * i, BPF_REG_0);
	}
	ebpf_load(o, 8, BPF_REG_0, R_SLOT, saved + 48);
	ebpf_store(o, 8, R_FS, FS_PROBE, BPF_REG_0);
	ebpf_load(o, 8, BPF_REG_0, R_SLOT, saved + 56);
	ebpf_store(o, 4, R_FS, FS_PNO, BPF_REG_0);
}

/* One clause; the head of the caller's frame is at -8 of ours. */
static void
run_clause(struct ebpf_out *o, const struct ebpf_chunk *c)
{
	int done = ebpf_label(o), fault = ebpf_label(o);

	for (; c; c = c->next) {
		ebpf_load(o, 8, BPF_REG_1, BPF_REG_10, -8);
		ebpf_mov(o, BPF_REG_2, R_FS);
		ebpf_mov(o, BPF_REG_3, R_SLOT);
		ebpf_call(o, c->sym);
		ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, LEFT_FAULT, fault);
		if (c->next)
			ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, LEFT_UNRUN, done);
	}
	ebpf_jmp(o, done);
	ebpf_place(o, fault);
	ebpf_drop(o, ABI_DROP_DBLERROR);
	ebpf_place(o, done);
}

/* ERROR is a firing of its own within another.  Whether exit() has run in that one
 * stands at -16 of the frame meanwhile; one of ERROR's ends both. */
static void
run_error(struct ebpf_out *o)
{
	struct ebpf *g = o->g;
	const struct plan_probe *e = &g->in->error;
	int32_t fault = offsetof(struct abi_slot, fault);
	bool may_exit = BASE_ANY(c, e->nclauses, ebpf_may_exit(g, e->clauses[c]));
	int done = ebpf_label(o);

	if (may_exit) {
		ebpf_load(o, 1, BPF_REG_0, R_FS, FS_EXITED);
		ebpf_store(o, 8, BPF_REG_10, -16, BPF_REG_0);
		ebpf_store_imm(o, 1, R_FS, FS_EXITED, 0);
	}
	swap_in(o, g->nprobes - 1);
	for (uint32_t c = 0; c < e->nclauses; c++) {
		uint32_t epid = ebpf_new_epid(g, e->id, e->clauses[c]);
		ebpf_store_imm(o, 4, R_SLOT, fault, 0);
		ebpf_store_imm(o, 4, R_FS, FS_EPID, (int32_t)epid);
		run_clause(o, &g->clauses[e->clauses[c]]);
		if (ebpf_may_exit(g, e->clauses[c]))
			ebpf_if_exited(o, done);
	}
	ebpf_place(o, done);
	if (may_exit) {
		ebpf_load(o, 1, BPF_REG_0, R_FS, FS_EXITED);
		ebpf_load(o, 8, BPF_REG_1, BPF_REG_10, -16);
		ebpf_alu(o, BPF_OR, BPF_REG_0, BPF_REG_1);
		ebpf_store(o, 1, R_FS, FS_EXITED, BPF_REG_0);
	}
	swap_out(o);
}

/* u64 dt_fault(head, firing, slot): a clause of this firing faulted. */
void
ebpf_error_func(struct ebpf *g)
{
	struct ebpf_out out, *o = &out;
	/* Functions cannot be written into one another. */
	for (uint32_t c = 0; c < g->in->error.nclauses; c++)
		ebpf_clause_funcs(g, g->in->error.clauses[c]);
	uint32_t sym = ebpf_func_begin(o, g, SEC_TEXT, "dt_fault", 3);

	ebpf_mov(o, R_FS, BPF_REG_2);
	ebpf_mov(o, R_SLOT, BPF_REG_3);
	ebpf_store(o, 8, BPF_REG_10, -8, BPF_REG_1);
	tell(o);
	if (g->in->error.nclauses)
		run_error(o);
	ebpf_return(o, 0);
	ebpf_func_end(o, sym);
}
