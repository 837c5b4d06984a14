/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What actions record.  A record is built in the slot, each field at its place.
 * A clause that records in loops has a log instead: entries, each built beside
 * it and copied behind those that are there (dif/node.h, abi/record.h).
 *
 *  1. Each field lies in its record or entry.
 *  2. An entry is a multiple of 8 bytes, and the largest log has room for it.
 */
#include <assert.h>

#include "abi/ctl.h"
#include "abi/slot.h"
#include "ebpf/other_priv.h"
#include "ebpf/stack_priv.h"

enum { ENTRY_INLINE = 64 };	/* bytes that are copied word by word */

static unsigned
ref_flags(const struct dif_difo *d)
{
	return d->rtype.flags & DIF_TF_BYUREF ? COPY_USER : 0;
}

static void
store_pid(struct ebpf_out *o, uint8_t base, int32_t off)
{
	ebpf_pid(o);
	ebpf_store(o, 8, base, off, BPF_REG_0);
}

/* Evaluate d into the bytes of field f at [base + off]. */
void
ebpf_field(struct ebpf_body *b, const struct abi_field *f,
	   const struct dif_difo *d, uint8_t base, int32_t off, uint32_t action)
{
	struct ebpf_out *o = b->o;
	struct ebpf_expr e;

	if (f->kind == ABI_FIELD_PROBE) {
		ebpf_load(o, 4, BPF_REG_0, R_FS, FS_PROBE);
		ebpf_store(o, 4, base, off, BPF_REG_0);
		return;
	}
	if (f->kind == ABI_FIELD_STACK || f->kind == ABI_FIELD_USTACK) {
		if (f->kind == ABI_FIELD_USTACK)
			store_pid(o, base, off);
		ebpf_stack(o, f, base, off);
		return;
	}
	if (f->kind == ABI_FIELD_STRING && f->size >= 16 &&
	    ebpf_difo_bvar(d) == DIF_VAR_EXECNAME) {
		ebpf_comm(o, base, off);
		return;
	}
	ebpf_difo(&e, b, d, action);
	switch (f->kind) {
	case ABI_FIELD_INT:
	case ABI_FIELD_SYM:
	case ABI_FIELD_MOD:
		ebpf_result_number(&e);
		ebpf_store(o, f->size, base, off, BPF_REG_0);
		break;
	case ABI_FIELD_USYM:
	case ABI_FIELD_UMOD:
	case ABI_FIELD_UADDR:
		ebpf_result_number(&e);
		ebpf_store(o, 8, base, off + 8, BPF_REG_0);
		store_pid(o, base, off);
		break;
	case ABI_FIELD_STRING:
		ebpf_copy_to(&e, base, off, f->size, &e.result, DIF_R0,
			     COPY_STR | COPY_NULL_OK | ref_flags(d) |
			     ebpf_part_flags(b->g, f->size));
		break;
	case ABI_FIELD_BYTES:
		ebpf_copy_to(&e, base, off, f->size, &e.result, DIF_R0,
			     ref_flags(d));
		break;
	default:
		ebpf_fail(b->g, err_new(ERR_UNSUPPORTED, 0,
			"field kind %u is not built", f->kind));
	}
}

/* printm(): address and length are two words, at an address: to CF_VAL and to
 * offset `size` of the slot. */
static void
memref(struct ebpf_body *b, const struct plan_node *n, int32_t size)
{
	struct ebpf_out *o = b->o;

	ebpf_number(b, n->difos[0], n->action_no);
	ebpf_store(o, 8, BPF_REG_10, CF_ADDR, BPF_REG_0);
	ebpf_mov(o, BPF_REG_3, BPF_REG_0);
	ebpf_lea(o, BPF_REG_1, BPF_REG_10, CF_KEY);
	ebpf_imm(o, BPF_REG_2, 16);
	ebpf_helper(o, BPF_FUNC_probe_read_kernel);
	ebpf_jmp_imm(o, BPF_JNE, BPF_REG_0, 0,
		     ebpf_fault(o, ABI_FAULT_BADADDR, CF_ADDR));
	ebpf_load(o, 8, BPF_REG_0, BPF_REG_10, CF_KEY);
	ebpf_store(o, 8, BPF_REG_10, CF_VAL, BPF_REG_0);
	ebpf_load(o, 8, BPF_REG_0, BPF_REG_10, CF_KEY + 8);
	ebpf_store(o, 8, R_SLOT, size, BPF_REG_0);
}

/* tracemem() with a length: what lies behind it is not read.  The address is
 * the last thing that is found out, as the length may change a variable and so
 * make the address of its old value stale. */
static void
dump(struct ebpf_body *b, const struct abi_field *f, const struct plan_node *n,
     uint32_t base)
{
	struct ebpf_out *o = b->o;
	int whole = ebpf_label(o), read = ebpf_label(o);
	int32_t to = (int32_t)(base + f[0].offset);
	int32_t size = (int32_t)(base + f[1].offset);
	bool user = n->difos[0]->rtype.flags & DIF_TF_BYUREF;

	if (user)
		ebpf_current_only(o);
	if (n->ndifos == 2) {
		ebpf_number(b, n->difos[1], n->action_no);
		ebpf_store(o, 8, R_SLOT, size, BPF_REG_0);
		ebpf_number(b, n->difos[0], n->action_no);
		ebpf_store(o, 8, BPF_REG_10, CF_VAL, BPF_REG_0);
	} else {
		memref(b, n, size);
	}
	ebpf_zero(o, R_SLOT, to, f[0].size);
	ebpf_load(o, 8, BPF_REG_3, BPF_REG_10, CF_VAL);
	ebpf_load(o, 8, BPF_REG_2, R_SLOT, size);
	ebpf_jmp_imm(o, BPF_JSLE, BPF_REG_2, 0, whole);
	ebpf_jmp_imm(o, BPF_JLT, BPF_REG_2, (int32_t)f[0].size, read);
	ebpf_place(o, whole);
	ebpf_imm(o, BPF_REG_2, f[0].size);
	ebpf_place(o, read);
	ebpf_dst(o, BPF_REG_1, R_SLOT, to);
	ebpf_helper(o, user ? BPF_FUNC_probe_read_user
			    : BPF_FUNC_probe_read_kernel);
	ebpf_jmp_imm(o, BPF_JNE, BPF_REG_0, 0,
		     ebpf_fault(o, ABI_FAULT_BADADDR, CF_VAL));
}

/* r2 <- the bytes of the record so far; there is room for `size` more. */
static void
check_room(struct ebpf_out *o, const struct plan_clause *c, uint32_t size)
{
	ebpf_load(o, 4, BPF_REG_2, R_SLOT, offsetof(struct abi_slot, log_used));
	ebpf_jmp_imm(o, BPF_JGT, BPF_REG_2,
		     (int32_t)(c->desc.record_size - size),
		     ebpf_fault(o, ABI_FAULT_LOOPREC, 0));
}

/* The entry that has been built goes behind the others.  The verifier has
 * forgotten that there is room. */
static void
append_entry(struct ebpf_out *o, const struct plan_clause *c, uint32_t size)
{
	int32_t used = offsetof(struct abi_slot, log_used);

	check_room(o, c, size);
	ebpf_mov(o, BPF_REG_1, R_SLOT);
	ebpf_alu(o, BPF_ADD, BPF_REG_1, BPF_REG_2);
	ebpf_alu_imm(o, BPF_ADD, BPF_REG_2, (int32_t)size);
	ebpf_store(o, 4, R_SLOT, used, BPF_REG_2);
	if (size > ENTRY_INLINE) {
		ebpf_alu_imm(o, BPF_ADD, BPF_REG_1, ebpf_rec(o, 0));
		ebpf_imm(o, BPF_REG_2, size);
		ebpf_lea(o, BPF_REG_3, R_SLOT, (int32_t)o->g->lay.entry);
		ebpf_helper(o, BPF_FUNC_probe_read_kernel);
		return;
	}
	ebpf_alu_imm(o, BPF_ADD, BPF_REG_1, ebpf_rec(o, 0));
	for (uint32_t at = 0; at < size; at += 8) {
		ebpf_load(o, 8, BPF_REG_0, R_SLOT,
			  (int32_t)(o->g->lay.entry + at));
		ebpf_store(o, 8, BPF_REG_1, (int32_t)at, BPF_REG_0);
	}
}

static void
fields(struct ebpf_body *b, const struct plan_clause *c,
       const struct plan_node *n, uint32_t base)
{
	const struct abi_action *a = n->action;

	if (a->kind == ABI_ACT_TRACEMEM_DYNSIZE ||
	    a->kind == ABI_ACT_PRINTM) {
		dump(b, &c->desc.fields[a->field], n, base);
		return;
	}
	for (uint32_t i = 0; i < a->nfields; i++) {
		const struct abi_field *f = &c->desc.fields[a->field + i];
		const struct dif_difo *d = i < n->ndifos ? n->difos[i] : NULL;
		assert(f->offset + f->size <= b->g->lay.comm - base);	/* 1 */
		ebpf_field(b, f, d, R_SLOT, (int32_t)(base + f->offset),
			   n->action_no);
		if (i + 1 < a->nfields)
			ebpf_free_scratch(b, d);
	}
}

static void
entry(struct ebpf_body *b, const struct plan_clause *c,
      const struct plan_node *n)
{
	struct ebpf_out *o = b->o;
	uint32_t i = (uint32_t)(n->action - c->desc.actions);
	uint32_t size = abi_entry_size(&c->desc, i);
	int32_t at = (int32_t)b->g->lay.entry;

	assert(size % 8 == 0 && size <= c->desc.record_size);		/* 2 */
	assert(size <= b->g->lay.comm - b->g->lay.entry);		/* 1 */
	o->at.action = n->action_no;
	check_room(o, c, size);
	ebpf_zero(o, R_SLOT, at, size);
	ebpf_store_imm(o, 4, R_SLOT, at, (int32_t)i);
	ebpf_store_imm(o, 4, R_SLOT, at + 4, (int32_t)size);
	fields(b, c, n, b->g->lay.entry);
	o->at.action = n->action_no;
	append_entry(o, c, size);
}

void
ebpf_record(struct ebpf_body *b, const struct plan_clause *c,
	    const struct plan_node *n)
{
	struct ebpf_out *o = b->o;
	const struct abi_action *a = n->action;

	if (c->desc.is_log)
		entry(b, c, n);
	else
		fields(b, c, n, b->g->lay.record);
	if (a->kind == ABI_ACT_EXIT) {
		o->use.exit = true;
		ebpf_store_imm(o, 1, R_FS, FS_EXITED, 1);
		ebpf_ctl(o, BPF_REG_1);
		ebpf_store_imm(o, 4, BPF_REG_1,
			       offsetof(struct abi_ctl, state),
			       ABI_STATE_STOPPED);
	}
}
