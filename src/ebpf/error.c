/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Faults, told: the consumer gets an error record, and ERROR's clauses run as
 * part of the firing, with arguments of their own.
 */
#include <string.h>

#include "ebpf/ebpf_priv.h"

/* Tell the consumer. */
static void
tell(struct ebpf *g)
{
	ebpf_time(g);
	ebpf_mov(g, BPF_REG_1, BPF_REG_0);
	ebpf_load(g, 4, BPF_REG_2, R_FS, FS_CPU);
	ebpf_alu_imm(g, BPF_LSH, BPF_REG_2, 32);
	ebpf_load(g, 4, BPF_REG_0, R_FS, FS_EPID);
	ebpf_alu(g, BPF_OR, BPF_REG_2, BPF_REG_0);
	ebpf_load(g, 8, BPF_REG_3, R_FS, FS_FWHERE);
	ebpf_load(g, 4, BPF_REG_4, R_FS, FS_PLACE);
	ebpf_alu_imm(g, BPF_LSH, BPF_REG_4, 32);
	ebpf_load(g, 4, BPF_REG_0, R_FS, FS_FAULT);
	ebpf_alu(g, BPF_OR, BPF_REG_4, BPF_REG_0);
	ebpf_load(g, 8, BPF_REG_5, R_FS, FS_FVALUE);
	ebpf_call(g, ebpf_sym(g, "dt_error", SYM_GFUNC));
}

/* What ERROR's clauses see instead of the firing's own: arg1..arg5, the probe
 * and its EPID.  The originals wait in the slot. */
static void
swap_in(struct ebpf *g, uint32_t pno)
{
	int32_t saved = offsetof(struct abi_slot, saved);

	for (int i = 0; i < 6; i++) {
		ebpf_load(g, 8, BPF_REG_0, R_FS, FS_ARGS + 8 * i);
		ebpf_store(g, 8, R_SLOT, saved + 8 * i, BPF_REG_0);
	}
	ebpf_load(g, 8, BPF_REG_0, R_FS, FS_PROBE);	/* with the EPID */
	ebpf_store(g, 8, R_SLOT, saved + 48, BPF_REG_0);
	ebpf_load(g, 4, BPF_REG_0, R_FS, FS_PNO);
	ebpf_store(g, 8, R_SLOT, saved + 56, BPF_REG_0);

	ebpf_load(g, 4, BPF_REG_0, R_FS, FS_EPID);
	ebpf_store(g, 8, R_FS, FS_ARGS + 8, BPF_REG_0);
	ebpf_load(g, 8, BPF_REG_0, R_FS, FS_FWHERE);
	ebpf_mov(g, BPF_REG_1, BPF_REG_0);
	ebpf_alu_imm(g, BPF_RSH, BPF_REG_0, 32);
	ebpf_store(g, 8, R_FS, FS_ARGS + 16, BPF_REG_0);
	ebpf_sext(g, BPF_REG_1, 4);
	ebpf_store(g, 8, R_FS, FS_ARGS + 24, BPF_REG_1);
	ebpf_load(g, 4, BPF_REG_0, R_FS, FS_FAULT);
	ebpf_store(g, 8, R_FS, FS_ARGS + 32, BPF_REG_0);
	ebpf_load(g, 8, BPF_REG_0, R_FS, FS_FVALUE);
	ebpf_store(g, 8, R_FS, FS_ARGS + 40, BPF_REG_0);
	ebpf_store_imm(g, 8, R_FS, FS_ARGS, 0);
	ebpf_store_imm(g, 4, R_FS, FS_PROBE, (int32_t)g->in->error.id);
	ebpf_store_imm(g, 4, R_FS, FS_PNO, (int32_t)pno);
}

static void
swap_out(struct ebpf *g)
{
	int32_t saved = offsetof(struct abi_slot, saved);

	for (int i = 0; i < 6; i++) {
		ebpf_load(g, 8, BPF_REG_0, R_SLOT, saved + 8 * i);
		ebpf_store(g, 8, R_FS, FS_ARGS + 8 * i, BPF_REG_0);
	}
	ebpf_load(g, 8, BPF_REG_0, R_SLOT, saved + 48);
	ebpf_store(g, 8, R_FS, FS_PROBE, BPF_REG_0);
	ebpf_load(g, 8, BPF_REG_0, R_SLOT, saved + 56);
	ebpf_store(g, 4, R_FS, FS_PNO, BPF_REG_0);
}

/* One clause; the head of the caller's frame is at -8 of ours. */
static void
run_clause(struct ebpf *g, const struct ebpf_chunk *c)
{
	int done = ebpf_label(g), fault = ebpf_label(g);

	for (; c; c = c->next) {
		ebpf_load(g, 8, BPF_REG_1, BPF_REG_10, -8);
		ebpf_mov(g, BPF_REG_2, R_FS);
		ebpf_mov(g, BPF_REG_3, R_SLOT);
		ebpf_call(g, c->sym);
		ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0, LEFT_FAULT, fault);
		if (c->next)
			ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0, LEFT_UNRUN, done);
	}
	ebpf_jmp(g, done);
	ebpf_place(g, fault);
	ebpf_drop(g, ABI_DROP_DBLERROR);
	ebpf_place(g, done);
}

static bool
error_may_exit(const struct ebpf *g)
{
	const struct ebpf_probe *e = &g->in->error;

	for (uint32_t c = 0; c < e->nclauses; c++)
		if (ebpf_may_exit(g, e->clauses[c]))
			return true;
	return false;
}

/* ERROR is a firing of its own within another.  Whether exit() has run in that one
 * stands at -16 of the frame meanwhile; one of ERROR's ends both. */
static void
run_error(struct ebpf *g)
{
	const struct ebpf_probe *e = &g->in->error;
	int32_t fault = offsetof(struct abi_slot, fault);
	bool may_exit = error_may_exit(g);
	int done = ebpf_label(g);

	if (may_exit) {
		ebpf_load(g, 1, BPF_REG_0, R_FS, FS_EXITED);
		ebpf_store(g, 8, BPF_REG_10, -16, BPF_REG_0);
		ebpf_store_imm(g, 1, R_FS, FS_EXITED, 0);
	}
	swap_in(g, g->nprobes - 1);
	for (uint32_t c = 0; c < e->nclauses; c++) {
		uint32_t epid = ebpf_new_epid(g, e->id, e->clauses[c]);
		ebpf_store_imm(g, 4, R_SLOT, fault, 0);
		ebpf_store_imm(g, 4, R_FS, FS_EPID, (int32_t)epid);
		run_clause(g, &g->clauses[e->clauses[c]]);
		if (ebpf_may_exit(g, e->clauses[c]))
			ebpf_if_exited(g, done);
	}
	ebpf_place(g, done);
	if (may_exit) {
		ebpf_load(g, 1, BPF_REG_0, R_FS, FS_EXITED);
		ebpf_load(g, 8, BPF_REG_1, BPF_REG_10, -16);
		ebpf_alu(g, BPF_OR, BPF_REG_0, BPF_REG_1);
		ebpf_store(g, 1, R_FS, FS_EXITED, BPF_REG_0);
	}
	swap_out(g);
}

/* u64 dt_fault(head, firing, slot): a clause of this firing faulted. */
void
ebpf_error_func(struct ebpf *g)
{
	/* Functions cannot be written into one another. */
	for (uint32_t c = 0; c < g->in->error.nclauses; c++)
		ebpf_clause_funcs(g, g->in->error.clauses[c]);
	uint32_t sym = ebpf_func_begin(g, SEC_TEXT, "dt_fault", 3);

	ebpf_mov(g, R_FS, BPF_REG_2);
	ebpf_mov(g, R_SLOT, BPF_REG_3);
	ebpf_store(g, 8, BPF_REG_10, -8, BPF_REG_1);
	tell(g);
	if (g->in->error.nclauses)
		run_error(g);
	ebpf_return(g, 0);
	ebpf_func_end(g, sym);
}
