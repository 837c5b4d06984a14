/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Speculation.  speculate() asks the runtime for the tag of what is recorded
 * from then on, and keeps it in the slot; a record takes it along.  commit()
 * sends its own record at once, since what it does is not undone when the
 * clause faults behind it.
 */
#include "ebpf/ebpf_priv.h"

/* Call a function of the runtime with the slot, the id, and arg. */
static void
call(struct ebpf *g, const struct plan_node *n, const char *rt, uint64_t arg)
{
	ebpf_difo(g, n->difos[0], n->action_no);
	ebpf_sext(g, BPF_REG_0, 4);
	ebpf_mov(g, BPF_REG_2, BPF_REG_0);
	ebpf_slot_arg(g);
	ebpf_imm(g, BPF_REG_3, arg);
	g->uses_spec = true;
	ebpf_rt(g, rt, 3);
	ebpf_check_rt(g);
}

static void
speculate(struct ebpf *g, const struct plan_node *n, uint32_t *tag)
{
	*tag = ebpf_temp(g, 8);
	call(g, n, "rt_speculate", 0);
	ebpf_store(g, 8, R_SLOT, (int32_t)*tag, BPF_REG_0);
}

static void
commit(struct ebpf *g, const struct plan_node *n)
{
	int out = ebpf_label(g);

	call(g, n, "rt_spec_end", ABI_SPEC_COMMITTED);
	ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0, 0, out);
	ebpf_store(g, 8, BPF_REG_10, CF_TMP, BPF_REG_0);
	ebpf_time(g);
	ebpf_mov(g, BPF_REG_2, BPF_REG_0);
	ebpf_load(g, 8, BPF_REG_1, BPF_REG_10, CF_TMP);
	ebpf_load(g, 4, BPF_REG_3, R_FS, FS_CPU);
	g->use.rings = g->sends_commits = true;
	ebpf_call(g, ebpf_sym(g, EBPF_SPEC_COMMIT, SYM_GFUNC));
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
		commit(g, n);
		break;
	case ABI_ACT_DISCARD:
		call(g, n, "rt_spec_end", ABI_SPEC_DISCARDED);
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
	ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_1, -1, out);
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
