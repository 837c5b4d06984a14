/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What actions record.  A record is built in the slot, each field at its place.
 * A clause that records in loops has a log instead: entries, each built beside
 * it and copied behind those that are there (dif/plan.h, abi.h).
 */
#include "ebpf/stack_priv.h"

enum { ENTRY_INLINE = 64 };	/* bytes that are copied word by word */

static unsigned
ref_flags(const struct dif_difo *d)
{
	return d->rtype.flags & DIF_TF_BYUREF ? COPY_USER : 0;
}

/* The result of the DIFO just generated as a number in r0. */
void
ebpf_result_number(struct ebpf *g)
{
	if (g->result.region > REG_CONST && !g->result.has_addr)
		ebpf_addr(g, &g->result, 0, BPF_REG_0);
}

static void
store_pid(struct ebpf *g, uint8_t base, int32_t off)
{
	ebpf_helper(g, BPF_FUNC_get_current_pid_tgid);
	ebpf_alu_imm(g, BPF_RSH, BPF_REG_0, 32);
	ebpf_store(g, 8, base, off, BPF_REG_0);
}

/* Evaluate d into the bytes of field f at [base + off]. */
void
ebpf_field(struct ebpf *g, const struct abi_field *f, const struct dif_difo *d,
      uint8_t base, int32_t off, uint32_t action)
{
	if (base == R_SLOT)
		ebpf_slot_used(g);
	if (f->kind == ABI_FIELD_PROBE) {
		ebpf_load(g, 4, BPF_REG_0, R_FS, FS_PROBE);
		ebpf_store(g, 4, base, off, BPF_REG_0);
		return;
	}
	if (f->kind == ABI_FIELD_STACK || f->kind == ABI_FIELD_USTACK) {
		if (f->kind == ABI_FIELD_USTACK)
			store_pid(g, base, off);
		ebpf_stack(g, f, base, off);
		return;
	}
	if (f->kind == ABI_FIELD_STRING && f->size >= 16 &&
	    ebpf_difo_bvar(d) == DIF_VAR_EXECNAME) {
		ebpf_comm(g, base, off);
		return;
	}
	ebpf_difo(g, d, action);
	g->pc = 0;
	switch (f->kind) {
	case ABI_FIELD_INT:
	case ABI_FIELD_SYM:
	case ABI_FIELD_MOD:
		ebpf_result_number(g);
		ebpf_store(g, f->size, base, off, BPF_REG_0);
		break;
	case ABI_FIELD_USYM:
	case ABI_FIELD_UMOD:
	case ABI_FIELD_UADDR:
		ebpf_result_number(g);
		ebpf_store(g, 8, base, off + 8, BPF_REG_0);
		store_pid(g, base, off);
		break;
	case ABI_FIELD_STRING:
		ebpf_copy_to(g, base, off, f->size, &g->result, DIF_R0,
			     COPY_STR | COPY_NULL_OK | ref_flags(d) |
			     ebpf_part_flags(g, f->size));
		break;
	case ABI_FIELD_BYTES:
		ebpf_copy_to(g, base, off, f->size, &g->result, DIF_R0,
			     ref_flags(d));
		break;
	default:
		ebpf_fail(g, err_new(ERR_UNSUPPORTED, 0,
			"field kind %u is not built", f->kind));
	}
}

/* printm(): address and length are two words, at an address: to CF_VAL and to
 * offset `size` of the slot. */
static void
memref(struct ebpf *g, const struct plan_node *n, int32_t size)
{
	ebpf_difo(g, n->difos[0], n->action_no);
	ebpf_result_number(g);
	g->pc = 0;
	ebpf_store(g, 8, BPF_REG_10, CF_ADDR, BPF_REG_0);
	ebpf_mov(g, BPF_REG_3, BPF_REG_0);
	ebpf_lea(g, BPF_REG_1, BPF_REG_10, CF_KEY);
	ebpf_imm(g, BPF_REG_2, 16);
	ebpf_helper(g, BPF_FUNC_probe_read_kernel);
	ebpf_jmp_imm(g, BPF_JNE, BPF_REG_0, 0,
		     ebpf_fault(g, ABI_FAULT_BADADDR, CF_ADDR));
	ebpf_load(g, 8, BPF_REG_0, BPF_REG_10, CF_KEY);
	ebpf_store(g, 8, BPF_REG_10, CF_VAL, BPF_REG_0);
	ebpf_load(g, 8, BPF_REG_0, BPF_REG_10, CF_KEY + 8);
	ebpf_store(g, 8, R_SLOT, size, BPF_REG_0);
}

/* tracemem() with a length: what lies behind it is not read.  The address is
 * the last thing that is found out, as the length may change a variable and so
 * make the address of its old value stale. */
static void
dump(struct ebpf *g, const struct abi_field *f, const struct plan_node *n,
     uint32_t base)
{
	int whole = ebpf_label(g), read = ebpf_label(g);
	int32_t to = (int32_t)(base + f[0].offset);
	int32_t size = (int32_t)(base + f[1].offset);
	bool user = n->difos[0]->rtype.flags & DIF_TF_BYUREF;

	ebpf_slot_used(g);
	if (n->ndifos == 2) {
		ebpf_difo(g, n->difos[1], n->action_no);
		ebpf_result_number(g);
		ebpf_store(g, 8, R_SLOT, size, BPF_REG_0);
		ebpf_difo(g, n->difos[0], n->action_no);
		ebpf_result_number(g);
		ebpf_store(g, 8, BPF_REG_10, CF_VAL, BPF_REG_0);
	} else {
		memref(g, n, size);
	}
	g->pc = 0;
	ebpf_zero(g, R_SLOT, to, f[0].size);
	ebpf_load(g, 8, BPF_REG_3, BPF_REG_10, CF_VAL);
	ebpf_load(g, 8, BPF_REG_2, R_SLOT, size);
	ebpf_jmp_imm(g, BPF_JSLE, BPF_REG_2, 0, whole);
	ebpf_jmp_imm(g, BPF_JLT, BPF_REG_2, (int32_t)f[0].size, read);
	ebpf_place(g, whole);
	ebpf_imm(g, BPF_REG_2, f[0].size);
	ebpf_place(g, read);
	ebpf_dst(g, BPF_REG_1, R_SLOT, to);
	ebpf_helper(g, user ? BPF_FUNC_probe_read_user
			    : BPF_FUNC_probe_read_kernel);
	ebpf_jmp_imm(g, BPF_JNE, BPF_REG_0, 0,
		     ebpf_fault(g, ABI_FAULT_BADADDR, CF_VAL));
}

/* r2 <- the bytes of the record so far; there is room for `size` more. */
static void
check_room(struct ebpf *g, const struct plan_clause *c, uint32_t size)
{
	ebpf_load(g, 4, BPF_REG_2, R_SLOT, offsetof(struct abi_slot, log_used));
	ebpf_jmp_imm(g, BPF_JGT, BPF_REG_2,
		     (int32_t)(c->desc.record_size - size),
		     ebpf_fault(g, ABI_FAULT_LOOPREC, 0));
}

/* The entry that has been built goes behind the others.  The verifier has
 * forgotten that there is room. */
static void
append_entry(struct ebpf *g, const struct plan_clause *c, uint32_t size)
{
	int32_t used = offsetof(struct abi_slot, log_used);

	check_room(g, c, size);
	ebpf_mov(g, BPF_REG_1, R_SLOT);
	ebpf_alu(g, BPF_ADD, BPF_REG_1, BPF_REG_2);
	ebpf_alu_imm(g, BPF_ADD, BPF_REG_2, (int32_t)size);
	ebpf_store(g, 4, R_SLOT, used, BPF_REG_2);
	if (size > ENTRY_INLINE) {
		ebpf_alu_imm(g, BPF_ADD, BPF_REG_1, ebpf_rec(g, 0));
		ebpf_imm(g, BPF_REG_2, size);
		ebpf_lea(g, BPF_REG_3, R_SLOT, (int32_t)g->lay.entry);
		ebpf_helper(g, BPF_FUNC_probe_read_kernel);
		return;
	}
	ebpf_alu_imm(g, BPF_ADD, BPF_REG_1, ebpf_rec(g, 0));
	for (uint32_t at = 0; at < size; at += 8) {
		ebpf_load(g, 8, BPF_REG_0, R_SLOT,
			  (int32_t)(g->lay.entry + at));
		ebpf_store(g, 8, BPF_REG_1, (int32_t)at, BPF_REG_0);
	}
}

static void
fields(struct ebpf *g, const struct plan_clause *c, const struct plan_node *n,
       uint32_t base)
{
	const struct abi_action *a = n->action;

	if (a->kind == ABI_ACT_TRACEMEM_DYNSIZE ||
	    a->kind == ABI_ACT_PRINTM) {
		dump(g, &c->desc.fields[a->field], n, base);
		return;
	}
	for (uint32_t i = 0; i < a->nfields; i++) {
		const struct abi_field *f = &c->desc.fields[a->field + i];
		const struct dif_difo *d = i < n->ndifos ? n->difos[i] : NULL;
		ebpf_field(g, f, d, R_SLOT, (int32_t)(base + f->offset),
			   n->action_no);
		if (i + 1 < a->nfields)
			ebpf_free_scratch(g, d);
	}
}

static void
entry(struct ebpf *g, const struct plan_clause *c, const struct plan_node *n)
{
	uint32_t i = (uint32_t)(n->action - c->desc.actions);
	uint32_t size = abi_entry_size(&c->desc, i);
	int32_t at = (int32_t)g->lay.entry;

	ebpf_slot_used(g);
	g->action = n->action_no;
	check_room(g, c, size);
	ebpf_zero(g, R_SLOT, at, size);
	ebpf_store_imm(g, 4, R_SLOT, at, (int32_t)i);
	ebpf_store_imm(g, 4, R_SLOT, at + 4, (int32_t)size);
	fields(g, c, n, g->lay.entry);
	g->action = n->action_no;
	append_entry(g, c, size);
}

void
ebpf_record(struct ebpf *g, const struct plan_clause *c, const struct plan_node *n)
{
	const struct abi_action *a = n->action;

	if (c->desc.is_log)
		entry(g, c, n);
	else
		fields(g, c, n, g->lay.record);
	if (a->kind == ABI_ACT_EXIT) {
		g->use.exit = true;
		ebpf_store_imm(g, 1, R_FS, FS_EXITED, 1);
		ebpf_ctl(g, BPF_REG_1);
		ebpf_store_imm(g, 4, BPF_REG_1,
			       offsetof(struct abi_ctl, state),
			       ABI_STATE_STOPPED);
	}
}
