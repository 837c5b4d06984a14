/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A clause to chunks of code, which a program takes in or calls (prog.c).
 * The record is built in the slot and handed to the ring whole at the end, so
 * a fault just leaves it.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "ebpf/stack_priv.h"

enum { ENTRY_INLINE = 64 };	/* bytes that are copied word by word */

/* --- Records -------------------------------------------------------------- */

static int32_t
rec(const struct ebpf *g, uint32_t off)
{
	return (int32_t)(g->lay.record + off);
}

static unsigned
ref_flags(const struct dif_difo *d)
{
	return d->rtype.flags & DIF_TF_BYUREF ? COPY_USER : 0;
}

/* The result of the DIFO just generated as a number in r0. */
static void
result_number(struct ebpf *g)
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
static void
field(struct ebpf *g, const struct abi_field *f, const struct dif_difo *d,
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
		result_number(g);
		ebpf_store(g, f->size, base, off, BPF_REG_0);
		break;
	case ABI_FIELD_USYM:
	case ABI_FIELD_UMOD:
	case ABI_FIELD_UADDR:
		result_number(g);
		ebpf_store(g, 8, base, off + 8, BPF_REG_0);
		store_pid(g, base, off);
		break;
	case ABI_FIELD_STRING:
		ebpf_copy_to(g, base, off, f->size, &g->result, DIF_R0,
			     COPY_STR | COPY_NULL_OK | ref_flags(d));
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

/* Operands that wait for others; which: CF_VAL or CF_INCR.  Where a frame is
 * lost meanwhile they are in the slot. */
static void
keep_operand(struct ebpf *g, int32_t which)
{
	result_number(g);
	if (g->looping)
		ebpf_store(g, 8, R_SLOT, (int32_t)g->lay.operands + CF_VAL -
			   which, BPF_REG_0);
	else
		ebpf_store(g, 8, BPF_REG_10, which, BPF_REG_0);
}

static void
operand(struct ebpf *g, uint8_t dst, int32_t which)
{
	if (g->looping)
		ebpf_load(g, 8, dst, R_SLOT, (int32_t)g->lay.operands +
			  CF_VAL - which);
	else
		ebpf_load(g, 8, dst, BPF_REG_10, which);
}

/* printm(): address and length are two words, at an address: to CF_VAL and to
 * offset `size` of the slot. */
static void
memref(struct ebpf *g, const struct plan_node *n, int32_t size)
{
	ebpf_difo(g, n->difos[0], n->action_no);
	result_number(g);
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
		result_number(g);
		ebpf_store(g, 8, R_SLOT, size, BPF_REG_0);
		ebpf_difo(g, n->difos[0], n->action_no);
		result_number(g);
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
		ebpf_alu_imm(g, BPF_ADD, BPF_REG_1, rec(g, 0));
		ebpf_imm(g, BPF_REG_2, size);
		ebpf_lea(g, BPF_REG_3, R_SLOT, (int32_t)g->lay.entry);
		ebpf_helper(g, BPF_FUNC_probe_read_kernel);
		return;
	}
	ebpf_alu_imm(g, BPF_ADD, BPF_REG_1, rec(g, 0));
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
		field(g, f, i < n->ndifos ? n->difos[i] : NULL, R_SLOT,
		      (int32_t)(base + f->offset), n->action_no);
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

static void
record(struct ebpf *g, const struct plan_clause *c, const struct plan_node *n)
{
	const struct abi_action *a = n->action;

	if (c->desc.is_log)
		entry(g, c, n);
	else
		fields(g, c, n, g->lay.record);
	if (a->kind == ABI_ACT_EXIT) {
		ebpf_ctl(g, BPF_REG_1);
		ebpf_store_imm(g, 4, BPF_REG_1,
			       offsetof(struct abi_ctl, state),
			       ABI_STATE_STOPPED);
	}
}

/* --- Aggregations --------------------------------------------------------- */

/* Where a frame is lost between two parts of a key, keys are in the slot. */
static bool
small_key(const struct ebpf *g, const struct abi_agg_desc *a)
{
	return a->key_size <= CF_KEYMAX && !g->looping;
}

static uint8_t
key_base(const struct ebpf *g, const struct abi_agg_desc *a)
{
	return small_key(g, a) ? BPF_REG_10 : R_SLOT;
}

static int32_t
key_off(const struct ebpf *g, const struct abi_agg_desc *a)
{
	return small_key(g, a) ? CF_KEY : (int32_t)g->lay.aggkey;
}

/* The parts fill the key without gaps, each part all its bytes. */
static bool
key_is_dense(const struct abi_agg_desc *a, const struct plan_node *n)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < a->nkeys; i++) {
		const struct abi_field *f = &a->keys[i];
		if (f->offset != at)
			return false;
		if (f->kind == ABI_FIELD_STRING &&
		    !(f->size == 16 && n->difos[i] &&
		      ebpf_difo_bvar(n->difos[i]) == DIF_VAR_EXECNAME))
			return false;
		at += f->size;
	}
	return at == a->key_size;
}

static void
agg_key(struct ebpf *g, const struct plan_node *n)
{
	const struct abi_agg_desc *a = n->agg;
	uint8_t base = key_base(g, a);
	int32_t off = key_off(g, a);

	if (base == R_SLOT)
		ebpf_slot_used(g);
	if (!key_is_dense(a, n))
		ebpf_zero(g, base, off, a->key_size);
	for (uint32_t i = 0; i < a->nkeys; i++)
		field(g, &a->keys[i], n->difos[i], base,
		      off + (int32_t)a->keys[i].offset, n->action_no);
}

static void
agg_values(struct ebpf *g, const struct plan_node *n)
{
	uint32_t i = n->agg->nkeys;

	if (n->has_value) {
		ebpf_difo(g, n->difos[i++], n->action_no);
		keep_operand(g, CF_VAL);
	}
	if (n->has_incr) {
		ebpf_difo(g, n->difos[i], n->action_no);
		keep_operand(g, CF_INCR);
	}
}

static void
agg_map(struct ebpf *g, const struct abi_agg_desc *a, int gen)
{
	struct ebpf_mapdef def = {
		.type = ABI_AGG_PERCPU(a) ? BPF_MAP_TYPE_PERCPU_HASH
					  : BPF_MAP_TYPE_HASH,
		.key_size = a->key_size,
		.value_size = a->ncells * 8, .max_entries = 1,
		.map_flags = BPF_F_NO_PREALLOC,
	};

	ebpf_map(g, BPF_REG_1,
		 ebpf_map_sym(g, g->aggs[a->id - 1].map[gen], &def));
}

static void
agg_lookup(struct ebpf *g, const struct abi_agg_desc *a, int gen)
{
	agg_map(g, a, gen);
	ebpf_lea(g, BPF_REG_2, key_base(g, a), key_off(g, a));
	ebpf_helper(g, BPF_FUNC_map_lookup_elem);
}

/* r0 <- the cells for the key in one generation's map, then to `have`; to
 * `drop` when there is no room. */
static void
generation(struct ebpf *g, const struct abi_agg_desc *a, int gen, int have,
	   int drop)
{
	agg_lookup(g, a, gen);
	ebpf_jmp_imm(g, BPF_JNE, BPF_REG_0, 0, have);
	agg_map(g, a, gen);
	ebpf_lea(g, BPF_REG_2, key_base(g, a), key_off(g, a));
	ebpf_data(g, BPF_REG_3, SEC_STRS, g->zeros);
	ebpf_imm(g, BPF_REG_4, BPF_NOEXIST);
	ebpf_helper(g, BPF_FUNC_map_update_elem);
	agg_lookup(g, a, gen);
	ebpf_jmp_imm(g, BPF_JNE, BPF_REG_0, 0, have);
	ebpf_jmp(g, drop);
}

/* Two maps and a branch rather than a map of maps: changing one of those from
 * outside makes the kernel wait for a grace period, 15 ms each. */
static void
keyed_cells(struct ebpf *g, const struct abi_agg_desc *a, int drop)
{
	int second = ebpf_label(g), have = ebpf_label(g);

	g->use.gen = true;
	ebpf_load(g, 4, BPF_REG_0, R_FS, FS_GEN);
	ebpf_jmp_imm(g, BPF_JNE, BPF_REG_0, 0, second);
	generation(g, a, 0, have, drop);
	ebpf_place(g, second);
	generation(g, a, 1, have, drop);
	ebpf_place(g, have);
}

/* r0 <- the cells of an aggregation without keys, in this CPU's row. */
static void
plain_cells(struct ebpf *g, const struct abi_agg_desc *a, int drop)
{
	uint32_t ncpus = g->in->ncpus;

	g->use.gen = true;
	ebpf_load(g, 4, BPF_REG_1, R_FS, FS_CPU);
	ebpf_jmp_imm(g, BPF_JGE, BPF_REG_1, (int32_t)ncpus, drop);
	ebpf_load(g, 4, BPF_REG_2, R_FS, FS_GEN);
	ebpf_alu_imm(g, BPF_AND, BPF_REG_2, 1);
	ebpf_alu_imm(g, BPF_MUL, BPF_REG_2, (int32_t)ncpus);
	ebpf_alu(g, BPF_ADD, BPF_REG_1, BPF_REG_2);
	ebpf_alu_imm(g, BPF_MUL, BPF_REG_1, (int32_t)g->agg_row);
	ebpf_data(g, BPF_REG_0, SEC_AGG, g->aggs[a->id - 1].offset);
	ebpf_alu(g, BPF_ADD, BPF_REG_0, BPF_REG_1);
	ebpf_store_imm(g, 8, BPF_REG_0, (int32_t)a->ncells * 8, 1);
}

/* Atomically add r1 to the word at r0 + off. */
static void
add_cell(struct ebpf *g, int32_t off)
{
	ebpf_emit(g, BPF_STX | BPF_ATOMIC | BPF_DW, BPF_REG_0, BPF_REG_1,
		  (int16_t)off, BPF_ADD);
}

/* r1 <- the increment. */
static void
increment(struct ebpf *g, const struct plan_node *n)
{
	if (n->has_incr)
		operand(g, BPF_REG_1, CF_INCR);
	else
		ebpf_imm(g, BPF_REG_1, 1);
}

/* r0 <- r1's bucket among those of one magnitude, from `at` on, each `width`
 * wide, the first being number `bucket`. */
static void
llq_magnitude(struct ebpf *g, uint64_t at, uint64_t width, uint32_t bucket)
{
	ebpf_mov(g, BPF_REG_0, BPF_REG_1);
	ebpf_imm(g, BPF_REG_2, at);
	ebpf_alu(g, BPF_SUB, BPF_REG_0, BPF_REG_2);
	ebpf_imm(g, BPF_REG_2, width);
	ebpf_alu(g, BPF_DIV, BPF_REG_0, BPF_REG_2);
	ebpf_alu_imm(g, BPF_ADD, BPF_REG_0, (int32_t)bucket);
}

/* llquantize's bucket as a ladder of compares: the parameters are constants,
 * and a loop over magnitudes would take the verifier too long. */
static void
llq_bucket(struct ebpf *g, const struct plan_node *n)
{
	uint64_t arg = n->agg->arg, at = 1;
	uint32_t bucket = 1;
	int done = ebpf_label(g);

	for (uint32_t k = 0; k < ABI_LLQ_LOW(arg); k++)
		at *= ABI_LLQ_FACTOR(arg);
	ebpf_imm(g, BPF_REG_0, 0);
	ebpf_imm(g, BPF_REG_2, at);
	ebpf_jmp_reg(g, BPF_JSLT, BPF_REG_1, BPF_REG_2, done);
	for (uint32_t k = ABI_LLQ_LOW(arg); k <= ABI_LLQ_HIGH(arg); k++) {
		uint64_t next = at * ABI_LLQ_FACTOR(arg);
		uint64_t width = next / ABI_LLQ_NSTEPS(arg);
		int higher = ebpf_label(g);
		if (!width)
			width = 1;
		ebpf_imm(g, BPF_REG_2, next);
		ebpf_jmp_reg(g, BPF_JGE, BPF_REG_1, BPF_REG_2, higher);
		llq_magnitude(g, at, width, bucket);
		ebpf_jmp(g, done);
		ebpf_place(g, higher);
		bucket += (uint32_t)((next - at + width - 1) / width);
		at = next;
	}
	ebpf_imm(g, BPF_REG_0, bucket);
	ebpf_place(g, done);
}

static void
choose_bucket(struct ebpf *g, const struct plan_node *n)
{
	switch (n->agg->func) {
	case ABI_AGG_QUANTIZE:
		ebpf_rt(g, "rt_quantize", 1);
		break;
	case ABI_AGG_LQUANTIZE:
		ebpf_imm(g, BPF_REG_2, n->agg->arg);
		ebpf_rt(g, "rt_lquantize", 2);
		break;
	default:
		llq_bucket(g, n);
		break;
	}
}

/* Add the increment to the value's bucket. */
static void
add_bucket(struct ebpf *g, const struct plan_node *n, int drop)
{
	ebpf_mov(g, R_D1, BPF_REG_0);
	operand(g, BPF_REG_1, CF_VAL);
	choose_bucket(g, n);
	ebpf_jmp_imm(g, BPF_JGE, BPF_REG_0, (int32_t)n->agg->ncells, drop);
	ebpf_alu_imm(g, BPF_LSH, BPF_REG_0, 3);
	ebpf_alu(g, BPF_ADD, R_D1, BPF_REG_0);
	ebpf_mov(g, BPF_REG_0, R_D1);
	increment(g, n);
	add_cell(g, 0);
}

/* Raise the cell to the encoded value: all bits of `flip` inverted. */
static void
raise_cell(struct ebpf *g, uint64_t flip, int drop)
{
	operand(g, BPF_REG_2, CF_VAL);
	ebpf_imm(g, BPF_REG_1, flip);
	ebpf_alu(g, BPF_XOR, BPF_REG_2, BPF_REG_1);
	ebpf_mov(g, BPF_REG_1, BPF_REG_0);
	ebpf_rt(g, "rt_max", 2);
	ebpf_jmp_imm(g, BPF_JNE, BPF_REG_0, 0, drop);
}

static void
update_cells(struct ebpf *g, const struct plan_node *n, int drop)
{
	switch (n->agg->func) {
	case ABI_AGG_COUNT:
		ebpf_imm(g, BPF_REG_1, 1);
		add_cell(g, 0);
		break;
	case ABI_AGG_SUM:
		operand(g, BPF_REG_1, CF_VAL);
		add_cell(g, 0);
		break;
	case ABI_AGG_AVG:
		ebpf_imm(g, BPF_REG_1, 1);
		add_cell(g, 0);
		operand(g, BPF_REG_1, CF_VAL);
		add_cell(g, 8);
		break;
	case ABI_AGG_MIN:
		raise_cell(g, abi_agg_min_encode(0), drop);
		break;
	case ABI_AGG_MAX:
		raise_cell(g, abi_agg_max_encode(0), drop);
		break;
	case ABI_AGG_STDDEV:
		ebpf_mov(g, BPF_REG_1, BPF_REG_0);
		operand(g, BPF_REG_2, CF_VAL);
		ebpf_rt(g, "rt_stddev", 2);
		break;
	case ABI_AGG_QUANTIZE:
	case ABI_AGG_LQUANTIZE:
	case ABI_AGG_LLQUANTIZE:
		add_bucket(g, n, drop);
		break;
	}
}

static void
aggregate(struct ebpf *g, const struct plan_node *n)
{
	int drop = ebpf_label(g), out = ebpf_label(g);

	if (n->agg->nkeys)
		agg_key(g, n);
	agg_values(g, n);
	if (n->agg->nkeys)
		keyed_cells(g, n->agg, drop);
	else
		plain_cells(g, n->agg, drop);
	update_cells(g, n, drop);
	ebpf_jmp(g, out);
	ebpf_place(g, drop);
	ebpf_drop(g, ABI_DROP_AGGREGATION);
	ebpf_place(g, out);
}

/* --- Acts ----------------------------------------------------------------- */

static const struct {
	uint32_t act;			/* enum abi_action_kind */
	const char *rt;			/* function of the runtime */
	uint64_t dflt;			/* what it is told without a value */
} acts[] = {
	{ ABI_ACT_STOP, "rt_raise", SIGSTOP },
	{ ABI_ACT_RAISE, "rt_raise", 0 },
	{ ABI_ACT_CHILL, "rt_chill", 0 },
};

static void
act(struct ebpf *g, const struct plan_node *n)
{
	size_t i = 0;

	while (acts[i].act != n->act)
		i++;
	if (n->ndifos) {
		ebpf_difo(g, n->difos[0], n->action_no);
		result_number(g);
		ebpf_mov(g, BPF_REG_2, BPF_REG_0);
	} else {
		g->action = n->action_no;
		ebpf_imm(g, BPF_REG_2, acts[i].dflt);
	}
	g->pc = 0;
	ebpf_slot_arg(g);
	ebpf_rt(g, acts[i].rt, 2);
	ebpf_check_rt(g);
}

/* --- The tree ------------------------------------------------------------- */

/* tag: where in the slot the tag of the speculation in force stands. */
static void send(struct ebpf *g, const struct plan_clause *c, uint32_t tag,
		 int out);

static void
mark_branch(struct ebpf *g, const struct plan_clause *c, uint16_t branch)
{
	if (branch && !c->desc.is_log)
		ebpf_store_imm(g, 1, R_SLOT,
			       rec(g, sizeof(struct abi_record) + branch - 1u),
			       1);
}

static bool
claims_scratch(const struct plan_node *n)
{
	for (uint32_t i = 0; i < n->ndifos; i++)
		for (uint32_t k = 0; n->difos[i] && k < n->difos[i]->ntext; k++) {
			unsigned op = DIF_INSN_OP(n->difos[i]->text[k]);
			if (op == DIF_OP_CALL || op == DIF_OP_ALLOCS ||
			    op == DIF_OP_LDGS || op == DIF_OP_CALLF)
				return true;
		}
	return false;
}

/* Remember how much scratch is in use; where, or 0. */
static uint32_t
mark_scratch(struct ebpf *g, const struct plan_node *n)
{
	uint32_t at;

	if (!n->frees || !claims_scratch(n))
		return 0;
	at = ebpf_temp(g, 8);
	ebpf_slot_used(g);
	ebpf_load(g, 4, BPF_REG_0, R_SLOT,
		  offsetof(struct abi_slot, scratch_used));
	ebpf_store(g, 4, R_SLOT, (int32_t)at, BPF_REG_0);
	return at;
}

/* r0 is kept. */
static void
free_scratch(struct ebpf *g, uint32_t at)
{
	if (!at)
		return;
	ebpf_load(g, 4, BPF_REG_1, R_SLOT, (int32_t)at);
	ebpf_store(g, 4, R_SLOT, offsetof(struct abi_slot, scratch_used),
		   BPF_REG_1);
}

/* The number of the action that faults in n name: in a function, the one that
 * calls it. */
static uint32_t
action_of(struct ebpf *g, const struct plan_node *n)
{
	return n->action_no ? n->action_no : g->action;
}

void
ebpf_condition(struct ebpf *g, const struct plan_node *n)
{
	uint32_t mark = mark_scratch(g, n);

	g->fault_line = n->tells_line ? n->line : 0;
	ebpf_difo(g, n->difos[0], action_of(g, n));
	result_number(g);
	free_scratch(g, mark);
}

static void
conditional(struct ebpf *g, const struct plan_clause *c,
	    const struct plan_node *n, uint32_t tag)
{
	int other = ebpf_label(g), end = ebpf_label(g);
	uint32_t then_tag = tag, else_tag = tag;

	ebpf_condition(g, n);
	ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0, 0, other);
	mark_branch(g, c, n->branch);
	ebpf_nodes(g, c, n->then_, &then_tag);
	ebpf_jmp(g, end);
	ebpf_place(g, other);
	mark_branch(g, c, n->else_branch);
	ebpf_nodes(g, c, n->else_, &else_tag);
	ebpf_place(g, end);
}

static void
clear_branches(struct ebpf *g, const struct plan_clause *c)
{
	if (c->desc.nbranches)
		ebpf_zero(g, R_SLOT, rec(g, sizeof(struct abi_record)),
			  c->desc.nbranches);
}

static void
part(struct ebpf *g, const struct plan_clause *c, const struct plan_node *n,
     uint32_t *tag)
{
	int out = ebpf_label(g);

	clear_branches(g, c);
	mark_branch(g, c, n->branch);
	ebpf_nodes(g, c, n->then_, tag);
	send(g, c, *tag, out);
	ebpf_place(g, out);
}

static void
leaf(struct ebpf *g, const struct plan_clause *c, const struct plan_node *n)
{
	uint32_t mark = mark_scratch(g, n);

	switch (n->kind) {
	case PLAN_EXPR:
		ebpf_difo(g, n->difos[0], action_of(g, n));
		break;
	case PLAN_RECORD:
		record(g, c, n);
		break;
	case PLAN_AGG:
		aggregate(g, n);
		break;
	case PLAN_ACT:
		act(g, n);
		break;
	}
	free_scratch(g, mark);
}

static void
node(struct ebpf *g, const struct plan_clause *c, const struct plan_node *n,
     uint32_t *tag)
{
	g->fault_line = n->tells_line ? n->line : 0;
	switch (n->kind) {
	case PLAN_IF:
		conditional(g, c, n, *tag);
		break;
	case PLAN_LOOP:
		ebpf_loop(g, c, n, *tag);
		break;
	case PLAN_SPEC:
		ebpf_spec(g, n, tag);
		break;
	case PLAN_PART:
		part(g, c, n, tag);
		break;
	case PLAN_BREAK:
		ebpf_leave(g, g->around.brk);
		break;
	case PLAN_CONTINUE:
		ebpf_leave(g, g->around.cont);
		break;
	case PLAN_RETURN:
		ebpf_leave(g, g->around.ret);
		break;
	default:
		leaf(g, c, n);
	}
}

void
ebpf_nodes(struct ebpf *g, const struct plan_clause *c,
	   const struct plan_node *n, uint32_t *tag)
{
	uint32_t action = g->action;

	for (; n && !g->err; n = n->next) {
		if (!n->action_no)	/* in a function */
			g->action = action;
		node(g, c, n, tag);
	}
}

static bool
always_records(const struct plan_clause *c)
{
	if (!c->body)
		return true;
	for (const struct plan_node *n = c->body; n; n = n->next)
		if (n->kind == PLAN_RECORD)
			return true;
	return false;
}

/* Skip the commit when no branch that was taken recorded anything. */
static void
check_branches(struct ebpf *g, const struct plan_clause *c, int out)
{
	int some = ebpf_label(g);

	for (uint32_t i = 0; i < c->desc.nbranches; i++) {
		ebpf_load(g, 1, BPF_REG_0, R_SLOT,
			  rec(g, (uint32_t)sizeof(struct abi_record) + i));
		ebpf_jmp_imm(g, BPF_JNE, BPF_REG_0, 0, some);
	}
	ebpf_jmp(g, out);
	ebpf_place(g, some);
}

/* Who fires, for output that wants it with each record. */
void
ebpf_who(struct ebpf *g, uint8_t base, int32_t off)
{
	ebpf_helper(g, BPF_FUNC_get_current_pid_tgid);
	ebpf_store(g, 4, base, off + (int)offsetof(struct abi_who, tid),
		   BPF_REG_0);
	ebpf_alu_imm(g, BPF_RSH, BPF_REG_0, 32);
	ebpf_store(g, 4, base, off + (int)offsetof(struct abi_who, pid),
		   BPF_REG_0);
	ebpf_comm(g, base, off + (int)offsetof(struct abi_who, comm));
}

/* The same when nothing has been written. */
static void
check_log(struct ebpf *g, const struct plan_clause *c, int out)
{
	ebpf_load(g, 4, BPF_REG_0, R_SLOT, offsetof(struct abi_slot, log_used));
	ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0,
		     (int32_t)abi_log_start(&c->desc), out);
}

static void
store_size(struct ebpf *g, const struct plan_clause *c)
{
	int32_t at = rec(g, offsetof(struct abi_record, size));

	ebpf_load(g, 4, BPF_REG_1, R_FS, FS_CPU);
	if (!c->desc.is_log) {
		ebpf_store_size(g, R_SLOT, at, c->desc.record_size,
				BPF_REG_1);
		return;
	}
	ebpf_load(g, 4, BPF_REG_2, R_SLOT, offsetof(struct abi_slot, log_used));
	ebpf_store_size_of(g, R_SLOT, at, BPF_REG_2, BPF_REG_1);
}

/* The record in the slot to the ring; to out when it goes nowhere. */
static void
send(struct ebpf *g, const struct plan_clause *c, uint32_t tag, int out)
{
	g->use.rings = true;
	ebpf_slot_used(g);
	if (c->desc.spec)
		ebpf_spec_tag(g, &c->desc, tag, out);
	ebpf_load(g, 4, BPF_REG_0, R_FS, FS_EPID);
	ebpf_store(g, 4, R_SLOT, rec(g, offsetof(struct abi_record, epid)),
		   BPF_REG_0);
	store_size(g, c);
	ebpf_time(g);
	ebpf_store(g, 8, R_SLOT,
		   rec(g, offsetof(struct abi_record, timestamp)), BPF_REG_0);
	if (c->desc.who)
		ebpf_who(g, R_SLOT, rec(g, c->desc.who));
	ebpf_slot_arg(g);
	ebpf_load(g, 4, BPF_REG_2, R_FS, FS_CPU);
	ebpf_call(g, ebpf_sym(g, ebpf_commit_name(g,
			c->desc.is_log ? 0 : c->desc.record_size),
			      SYM_GFUNC));
}

static void
commit(struct ebpf *g, const struct plan_clause *c, uint32_t tag)
{
	int out = ebpf_label(g);

	if (!c->desc.record_size || c->in_parts)
		return;
	if (c->desc.is_log)
		check_log(g, c, out);
	else if (!always_records(c))
		check_branches(g, c, out);
	send(g, c, tag, out);
	ebpf_place(g, out);
}

/* --- Chunks --------------------------------------------------------------- */

/* Jumps reach 32,768 instructions, and a chunk ends after the statement that
 * made it as large as this. */
enum { CHUNK_MAX = 8000, NONE = -1 };

static void
chunk_begin(struct ebpf *g, struct ebpf_chunk *chunk)
{
	ebpf_chunk_begin(g, chunk);
	g->chunk = chunk->insn;
	g->use.loop = g->looping;
	g->around = (struct ebpf_around){ -1, -1, -1 };
	g->fail_label = ebpf_label(g);
	if (g->looping)
		ebpf_loop_begin(g);
}

/* Behind the straight path, which jumps over it: where the predicate goes,
 * unless that is the end all the same, and faults.  unrun: its label, NONE
 * when there is no predicate. */
static void
chunk_end(struct ebpf *g, struct ebpf_chunk *chunk, int unrun)
{
	int end = ebpf_label(g);

	if (!chunk->next && unrun != NONE)
		ebpf_place(g, unrun);
	if (g->looping)
		ebpf_loop_end(g);
	if (chunk->next || g->use.fault || g->looping) {
		ebpf_imm(g, BPF_REG_0, LEFT_DONE);
		ebpf_jmp(g, end);
	}
	if (chunk->next && unrun != NONE) {
		ebpf_place(g, unrun);
		ebpf_imm(g, BPF_REG_0, LEFT_UNRUN);
		ebpf_jmp(g, end);
	}
	ebpf_flush_stubs(g);
	ebpf_place(g, end);
	ebpf_chunk_end(g, chunk);
}

/* The statements, in as many chunks as they need; returns the last, which is
 * still open. */
static struct ebpf_chunk *
body(struct ebpf *g, const struct plan_clause *c, struct ebpf_chunk *chunk,
     int *unrun, uint32_t *tag)
{
	for (const struct plan_node *n = c->body; n && !g->err; n = n->next) {
		bool loops = ebpf_loops(g, n, g->looping);
		if (loops != g->looping ||
		    ebpf_pc(g) - chunk->insn > CHUNK_MAX) {
			chunk->next = ARENA_NEW(g->a, struct ebpf_chunk);
			if (!chunk->next) {
				ebpf_fail(g, &err_nomem);
				break;
			}
			chunk_end(g, chunk, *unrun);
			chunk = chunk->next;
			g->looping = loops;
			chunk_begin(g, chunk);
			*unrun = NONE;
		}
		node(g, c, n, tag);
	}
	return chunk;
}

static bool
uses_slot(const struct ebpf_chunk *c)
{
	for (; c; c = c->next)
		if (c->use.slot)
			return true;
	return false;
}

void
ebpf_clause(struct ebpf *g, uint32_t index)
{
	const struct plan_clause *c = &g->plan->clauses[index];
	struct ebpf_chunk *first = &g->clauses[index];

	g->line = c->line;
	g->temps = g->limits = g->ncomms = 0;
	g->looping = ebpf_pred_loops(g, c) || ebpf_loops(g, c->body, false);
	g->func_end = g->plan->nfuncs;
	g->fault_line = g->depth = 0;
	chunk_begin(g, first);
	int unrun = c->pred ? ebpf_label(g) : NONE;
	uint32_t reset = ebpf_pc(g);
	ebpf_emit(g, BPF_JMP | BPF_JA, 0, 0, 0, 0);	/* patched below */
	if (ebpf_has_loops(g, c)) {
		ebpf_slot_used(g);
		ebpf_store_imm(g, 4, R_SLOT, offsetof(struct abi_slot, turns),
			       0);
	}
	if (c->pred) {
		ebpf_difo(g, c->pred, 0);
		result_number(g);
		ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0, 0, unrun);
	}
	if (c->desc.is_log)
		ebpf_store_imm(g, 4, R_SLOT, offsetof(struct abi_slot, log_used),
			       (int32_t)abi_log_start(&c->desc));
	if (!c->in_parts)
		clear_branches(g, c);
	uint32_t tag = 0;
	struct ebpf_chunk *last = body(g, c, first, &unrun, &tag);
	commit(g, c, tag);
	chunk_end(g, last, unrun);
	/* Only now is it known whether there is a slot to reset. */
	if (!g->err && uses_slot(first)) {
		first->use.slot = true;
		g->chunks.insns.v[reset] = (struct bpf_insn){
			.code = BPF_ST | BPF_MEM | BPF_W, .dst_reg = R_SLOT,
			.off = offsetof(struct abi_slot, scratch_used) };
	}
	g->line = 0;
}
