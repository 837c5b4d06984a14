/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Speculation.  speculate() asks the runtime for the tag of what is recorded
 * from then on, and keeps it in the slot; a record takes it along.  commit() and
 * discard() send records of their own at once, since what they do is not undone
 * when the clause faults behind them.
 */
#include "ebpf/expr_priv.h"

/* The id to r1. */
static void
id(struct ebpf_body *b, const struct plan_node *n)
{
	ebpf_number(b, n->difos[0], n->action_no);
	ebpf_sext(b->o, BPF_REG_0, 4);
	ebpf_mov(b->o, BPF_REG_1, BPF_REG_0);
	b->g->uses_spec = true;
}

static void
speculate(struct ebpf_body *b, const struct plan_node *n, uint32_t *tag)
{
	struct ebpf_out *o = b->o;

	*tag = ebpf_temp(o, 8);
	id(b, n);
	ebpf_rt(o, "rt_speculate", 1);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, -1, ebpf_quit(b));
	ebpf_store(o, 8, R_SLOT, (int32_t)*tag, BPF_REG_0);
}

/* how: bits of the tag. */
static void
end(struct ebpf_body *b, const struct plan_node *n, uint32_t how)
{
	struct ebpf_out *o = b->o;
	int out = ebpf_label(o);

	id(b, n);
	ebpf_imm(o, BPF_REG_2, how);
	ebpf_rt(o, "rt_spec_end", 2);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, out);
	ebpf_store(o, 8, BPF_REG_10, CF_TMP, BPF_REG_0);
	ebpf_time(o);
	ebpf_mov(o, BPF_REG_2, BPF_REG_0);
	ebpf_load(o, 8, BPF_REG_1, BPF_REG_10, CF_TMP);
	ebpf_load(o, 4, BPF_REG_3, R_FS, FS_CPU);
	o->use.rings = b->g->sends_ends = true;
	ebpf_call(o, ebpf_sym(b->g, EBPF_SPEC_END, SYM_GFUNC));
	ebpf_mov(o, BPF_REG_2, BPF_REG_0);
	ebpf_load(o, 8, BPF_REG_1, BPF_REG_10, CF_TMP);
	ebpf_rt(o, "rt_spec_ended", 2);
	ebpf_place(o, out);
}

void
ebpf_spec(struct ebpf_body *b, const struct plan_node *n, uint32_t *tag)
{
	switch (n->act) {
	case ABI_ACT_SPECULATE:
		speculate(b, n, tag);
		break;
	case ABI_ACT_COMMIT:
		end(b, n, 0);
		break;
	case ABI_ACT_DISCARD:
		end(b, n, ABI_SPEC_END_DISCARD);
		break;
	}
}

void
ebpf_spec_tag(struct ebpf_out *o, const struct abi_clause_desc *d, uint32_t tag,
	      int out)
{
	int32_t at = (int32_t)(o->g->lay.record + d->spec);

	if (!tag) {
		ebpf_store_imm(o, 8, R_SLOT, at, 0);
		return;
	}
	ebpf_load(o, 8, BPF_REG_1, R_SLOT, (int32_t)tag);
	ebpf_store(o, 8, R_SLOT, at, BPF_REG_1);
	ebpf_imm(o, BPF_REG_2, d->record_size);
	ebpf_load(o, 4, BPF_REG_3, R_FS, FS_CPU);
	o->g->uses_spec = true;
	ebpf_rt(o, "rt_spec_room", 3);
	ebpf_jmp_imm(o, BPF_JNE, BPF_REG_0, 0, out);
}

void
ebpf_speculation(struct ebpf_expr *e, unsigned arg)
{
	e->g->uses_spec = true;
	ebpf_load(e->o, 4, BPF_REG_1, R_FS, FS_CPU);
	ebpf_rt(e->o, "rt_speculation", 1);
}
