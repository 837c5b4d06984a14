/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Speculation.  speculate() asks the runtime for the tag of what is recorded
 * from then on, and keeps it in the slot; a record takes it along.  commit() and
 * discard() send records of their own at once, since what they do is not undone
 * when the clause faults behind them.
 */
#include "ebpf/ebpf_priv.h"

/* The id to r1. */
static void
id(struct ebpf *g, const struct plan_node *n)
{
	ebpf_difo(g, n->difos[0], n->action_no);
	ebpf_sext(g, BPF_REG_0, 4);
	ebpf_mov(g, BPF_REG_1, BPF_REG_0);
	g->uses_spec = true;
}

static void
speculate(struct ebpf *g, const struct plan_node *n, uint32_t *tag)
{
	*tag = ebpf_temp(g, 8);
	id(g, n);
	ebpf_rt(g, "rt_speculate", 1);
	ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0, -1, ebpf_quit(g));
	ebpf_slot_used(g);
	ebpf_store(g, 8, R_SLOT, (int32_t)*tag, BPF_REG_0);
}

/* how: bits of the tag. */
static void
end(struct ebpf *g, const struct plan_node *n, uint32_t how)
{
	int out = ebpf_label(g);

	id(g, n);
	ebpf_imm(g, BPF_REG_2, how);
	ebpf_rt(g, "rt_spec_end", 2);
	ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0, 0, out);
	ebpf_store(g, 8, BPF_REG_10, CF_TMP, BPF_REG_0);
	ebpf_time(g);
	ebpf_mov(g, BPF_REG_2, BPF_REG_0);
	ebpf_load(g, 8, BPF_REG_1, BPF_REG_10, CF_TMP);
	ebpf_load(g, 4, BPF_REG_3, R_FS, FS_CPU);
	g->use.rings = g->sends_ends = true;
	ebpf_call(g, ebpf_sym(g, EBPF_SPEC_END, SYM_GFUNC));
	ebpf_mov(g, BPF_REG_2, BPF_REG_0);
	ebpf_load(g, 8, BPF_REG_1, BPF_REG_10, CF_TMP);
	ebpf_rt(g, "rt_spec_ended", 2);
	ebpf_place(g, out);
}

void
ebpf_spec(struct ebpf *g, const struct plan_node *n, uint32_t *tag)
{
	switch (n->act) {
	case ABI_ACT_SPECULATE:
		speculate(g, n, tag);
		break;
	case ABI_ACT_COMMIT:
		end(g, n, 0);
		break;
	case ABI_ACT_DISCARD:
		end(g, n, ABI_SPEC_END_DISCARD);
		break;
	}
}

void
ebpf_spec_tag(struct ebpf *g, const struct abi_clause_desc *d, uint32_t tag,
	      int out)
{
	int32_t at = (int32_t)(g->lay.record + d->spec);

	if (!tag) {
		ebpf_store_imm(g, 8, R_SLOT, at, 0);
		return;
	}
	ebpf_load(g, 8, BPF_REG_1, R_SLOT, (int32_t)tag);
	ebpf_store(g, 8, R_SLOT, at, BPF_REG_1);
	ebpf_imm(g, BPF_REG_2, d->record_size);
	ebpf_load(g, 4, BPF_REG_3, R_FS, FS_CPU);
	g->uses_spec = true;
	ebpf_rt(g, "rt_spec_room", 3);
	ebpf_jmp_imm(g, BPF_JNE, BPF_REG_0, 0, out);
}

void
ebpf_speculation(struct ebpf *g, unsigned arg)
{
	g->uses_spec = true;
	ebpf_load(g, 4, BPF_REG_1, R_FS, FS_CPU);
	ebpf_rt(g, "rt_speculation", 1);
}
