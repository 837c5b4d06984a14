/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Faults.  An instruction that may fault jumps to a stub of its own behind the
 * code: the stub writes what happened into the firing's state and leaves the
 * chunk with LEFT_FAULT.  So the straight path pays one compare and no store.
 * There stands also what asks for the address of a load that gave 0.
 */
#include "abi/slot.h"
#include "ebpf/ebpf_priv.h"

int
ebpf_fault(struct ebpf_out *o, int fault, int value)
{
	struct ebpf_stub s = {
		.label = (uint32_t)ebpf_label(o), .fault = fault,
		.value = (int16_t)value, .at = o->at,
	};

	o->use.fault = true;
	EBPF_PUSH(o->g, &o->stubs, s);
	return (int)s.label;
}

void
ebpf_read_number(struct ebpf_out *o, int helper, unsigned size, int fault)
{
	ebpf_store(o, 8, BPF_REG_10, CF_ADDR, BPF_REG_3);
	ebpf_lea(o, BPF_REG_1, BPF_REG_10, CF_TMP);
	ebpf_imm(o, BPF_REG_2, size);
	ebpf_helper(o, helper);
	ebpf_jmp_imm(o, BPF_JNE, BPF_REG_0, 0, fault);
	ebpf_load(o, size, BPF_REG_0, BPF_REG_10, CF_TMP);
}

void
ebpf_ask_zero(struct ebpf_out *o, const struct ebpf_zero *z)
{
	struct ebpf_zero to = *z;

	to.label = (uint32_t)ebpf_label(o);
	to.back = (uint32_t)ebpf_label(o);
	to.fault = (uint32_t)ebpf_fault(o, ABI_FAULT_BADADDR, CF_ADDR);
	EBPF_PUSH(o->g, &o->zeros, to);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, (int)to.label);
	ebpf_place(o, (int)to.back);
}

static void
zero(struct ebpf_out *o, const struct ebpf_zero *z)
{
	ebpf_place(o, (int)z->label);
	if (z->reg)
		ebpf_mov(o, BPF_REG_3, z->reg);
	else
		ebpf_load(o, 8, BPF_REG_3, BPF_REG_10, z->at);
	ebpf_read_number(o, BPF_FUNC_probe_read_kernel, z->size, (int)z->fault);
	ebpf_jmp(o, (int)z->back);
}

void
ebpf_slot_arg(struct ebpf_out *o)
{
	o->use.slot = true;
	ebpf_load(o, 4, BPF_REG_1, R_FS, FS_SLOT);
}

/* r0, the result, is kept; r1 dies. */
void
ebpf_check_rt(struct ebpf_out *o)
{
	ebpf_load(o, 4, BPF_REG_1, R_SLOT, offsetof(struct abi_slot, fault));
	ebpf_jmp_imm(o, BPF_JNE, BPF_REG_1, 0, ebpf_fault(o, -1, 0));
}

void
ebpf_drop(struct ebpf_out *o, enum abi_drop kind)
{
	ebpf_imm(o, BPF_REG_1, kind);
	ebpf_load(o, 4, BPF_REG_2, R_FS, FS_CPU);
	ebpf_rt(o, "rt_drop", 2);
}

static void
stub(struct ebpf_out *o, const struct ebpf_stub *s)
{
	ebpf_place(o, (int)s->label);
	if (s->fault < 0) {	/* the slot says */
		ebpf_load(o, 8, BPF_REG_2, R_SLOT,
			  offsetof(struct abi_slot, fault_value));
		ebpf_load(o, 4, BPF_REG_1, R_SLOT,
			  offsetof(struct abi_slot, fault));
		ebpf_alu_imm(o, BPF_SUB, BPF_REG_1, 1);
	} else {
		if (s->value)
			ebpf_load(o, 8, BPF_REG_2, BPF_REG_10, s->value);
		else
			ebpf_imm(o, BPF_REG_2, 0);
		ebpf_imm(o, BPF_REG_1, (uint64_t)s->fault);
	}
	ebpf_imm(o, BPF_REG_3, (uint64_t)s->at.action << 32 | s->at.dif_off);
	ebpf_imm(o, BPF_REG_4, s->at.place);
	ebpf_jmp(o, o->fail_label);
}

/* Hide from the verifier what it knows of r: else it follows the clauses of
 * ERROR, to which these are arguments, anew for each place that faults. */
static void
launder(struct ebpf_out *o, uint8_t r)
{
	int32_t conv = offsetof(struct abi_slot, conv);

	ebpf_store(o, 8, R_SLOT, conv, r);
	ebpf_load(o, 8, r, R_SLOT, conv);
}

/* All stubs so far, and the end that they share. */
void
ebpf_flush_stubs(struct ebpf_out *o)
{
	if (!o->stubs.n || o->g->err)
		return;
	for (size_t i = 0; i < o->zeros.n; i++) {
		struct ebpf_zero z = o->zeros.v[i];
		zero(o, &z);
	}
	o->zeros.n = 0;
	for (size_t i = 0; i < o->stubs.n; i++) {
		struct ebpf_stub s = o->stubs.v[i];
		stub(o, &s);
	}
	o->stubs.n = 0;
	ebpf_place(o, o->fail_label);
	if (o->g->in->error.nclauses)
		for (uint8_t r = BPF_REG_1; r <= BPF_REG_4; r++)
			launder(o, r);
	ebpf_store(o, 4, R_FS, FS_FAULT, BPF_REG_1);
	ebpf_store(o, 8, R_FS, FS_FVALUE, BPF_REG_2);
	ebpf_store(o, 8, R_FS, FS_FWHERE, BPF_REG_3);
	ebpf_store(o, 4, R_FS, FS_PLACE, BPF_REG_4);
	ebpf_imm(o, BPF_REG_0, LEFT_FAULT);
}
