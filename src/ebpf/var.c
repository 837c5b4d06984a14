/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The program's variables.
 *
 *	global scalar	in .bss.vars, addressed directly
 *	this->		in the slot
 *	self->		with the task (self.c), as far as there is room
 *	global string	in one hash for all, key: its number; strings must be
 *			stored and loaded whole (hash.c)
 *	arrays, and	in a table (table.c): key {thread, tuple}, value
 *	other self->	the variable padded to 8 bytes; for a thread's arrays
 *			also its number (thread.c).  Of global arrays of numbers with
 *			short keys only what found no place in front (front.c)
 *
 * What is kept in a hash and belongs to one thread is touched by that thread
 * alone, so a number that exists is stored in place.  Everything else in a hash
 * is shared by the CPUs: a store always replaces the element, and loads are
 * those of hash.c.  What several CPUs add to (addgs, addgaa) is added to in place
 * by the kernel's atomic addition, if nothing in the program stores into the array
 * by replacing elements.
 *
 * Loading a variable of a hash by reference copies it to the slot: the element
 * may vanish while the clause still looks at it.
 *
 *  1. The parts of a key fill no more than the table's keys have.
 *  2. A static variable lies in what was laid out for its scope.
 *  3. A value fits its element.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "ebpf/var_priv.h"

static bool
is_dynamic(const struct plan_var *v)
{
	return v->kind == DIF_VK_ARRAY || v->scope == DIF_VS_THREAD;
}

/* Is it kept in a hash? */
static bool
is_hashed(const struct plan_var *v)
{
	return is_dynamic(v) ||
	       (v->scope == DIF_VS_GLOBAL && plan_var_is_string(v));
}

static bool
is_shared(const struct plan_var *v)
{
	return is_hashed(v) && v->scope == DIF_VS_GLOBAL;
}

/* Is the number of the thread a part of the key? */
static bool
has_number(const struct plan_var *v)
{
	return v->scope == DIF_VS_THREAD && v->kind == DIF_VK_ARRAY;
}

/* Bytes of a value at rest. */
static uint32_t
value_size(const struct plan_var *v)
{
	return (uint32_t)base_align(v->type.size ? v->type.size : 8, 8);
}

const struct plan_var *
ebpf_var_layout(const struct ebpf *g, const struct plan_var *v)
{
	const struct ebpf_var_table *t = ebpf_table_of(g, v);

	return t ? &g->plan->vars[t->layout] :
	       is_dynamic(v) ? v : g->widest_string;
}

/* Bytes of an element: the value, and behind a shared one its stamp. */
static uint32_t
elem_size(const struct ebpf *g, const struct plan_var *v)
{
	const struct ebpf_var_table *t = ebpf_table_of(g, v);

	if (t)
		return t->table->elem_size;
	return value_size(ebpf_var_layout(g, v)) + (is_shared(v) ? 8 : 0);
}

uint32_t
ebpf_var_stamp(const struct ebpf *g, const struct plan_var *v)
{
	return is_shared(v) ? elem_size(g, v) - 8 : 0;
}

static uint32_t
key_size(const struct ebpf *g, const struct plan_var *v)
{
	const struct ebpf_var_table *t = ebpf_table_of(g, v);

	return t ? t->table->key_size : 8;
}

/* Offset of a static variable: those before it of the same scope, each
 * aligned to 8 bytes, with a word to spare for word-wise reads. */
static uint32_t
static_offset(const struct ebpf *g, const struct plan_var *v)
{
	uint32_t off = 0;

	for (uint32_t i = 0; i < g->plan->nvars; i++) {
		const struct plan_var *o = &g->plan->vars[i];
		if (o == v)
			break;
		if (!is_hashed(o) && o->scope == v->scope)
			off += value_size(o);
	}
	assert(off + value_size(v) <= (v->scope == DIF_VS_LOCAL ?
				       g->lay.locals_size : g->vars_size)); /* 2 */
	return off + (v->scope == DIF_VS_LOCAL ? g->lay.locals : 0);
}

bool
ebpf_var_place(const struct ebpf *g, const struct plan_var *v, uint32_t *off)
{
	if (is_hashed(v) || !plan_var_is_ref(v))
		return false;
	*off = static_offset(g, v);
	return true;
}

static const char *
map_name(const struct ebpf *g, const struct plan_var *v)
{
	const struct ebpf_var_table *t = ebpf_table_of(g, v);

	return t ? t->table->map : "dt_strings";
}

static void
find_strings(struct ebpf *g)
{
	for (uint32_t i = 0; i < g->plan->nvars; i++) {
		const struct plan_var *v = &g->plan->vars[i];
		if (!is_hashed(v) || is_dynamic(v))
			continue;
		if (!g->nstrings++ ||
		    v->type.size > g->widest_string->type.size)
			g->widest_string = v;
	}
}

/* --- Which arrays are stored into ------------------------------------------ */

enum { NIDS = 1 << 16 };

/* Does the addition at pc subtract, as the compiler writes that?  Then elements become zero,
 * which must end: as if it were a store.  (That some stay, where it is not seen, harms
 * nobody but who has too many.) */
static bool
subtracts(const struct dif_difo *d, uint32_t pc)
{
	unsigned rd = DIF_INSN_RD(d->text[pc]);

	while (pc-- > 0) {
		uint32_t w = d->text[pc];
		if (!(dif_insn_writes(w) & 1u << rd))
			continue;
		return DIF_INSN_OP(w) == DIF_OP_SETX ?
		       (int64_t)d->ints[DIF_INSN_INDEX(w)] < 0 :
		       DIF_INSN_OP(w) == DIF_OP_SUB && DIF_INSN_R1(w) == 0;
	}
	return false;
}

static void
note_difo(struct ebpf *g, const struct dif_difo *d)
{
	for (uint32_t pc = 0; d && pc < d->ntext; pc++) {
		unsigned op = DIF_INSN_OP(d->text[pc]);
		if (op == DIF_OP_STGAA || (op == DIF_OP_ADDGAA && subtracts(d, pc)))
			g->is_stored[DIF_INSN_INDEX(d->text[pc])] = true;
	}
}

static void
note_nodes(struct ebpf *g, const struct plan_node *n)
{
	for (; n; n = n->next) {
		for (uint32_t i = 0; i < n->ndifos; i++)
			note_difo(g, n->difos[i]);
		note_nodes(g, n->then_);
		note_nodes(g, n->else_);
	}
}

static void
note_stores(struct ebpf *g)
{
	for (uint32_t i = 0; i < g->plan->nclauses; i++) {
		note_difo(g, g->plan->clauses[i].pred);
		note_nodes(g, g->plan->clauses[i].body);
	}
	for (uint32_t i = 0; i < g->plan->nfuncs; i++)
		note_nodes(g, g->plan->funcs[i].body);
}

void
ebpf_vars_layout(struct ebpf *g)
{
	uint32_t n = g->plan->nvars, locals = 0;

	find_strings(g);
	g->is_stored = EBPF_ARRAY(g, bool, NIDS);
	if (!g->is_stored)
		return;
	note_stores(g);
	for (uint32_t i = 0; i < n; i++) {
		const struct plan_var *v = &g->plan->vars[i];
		uint32_t room = is_hashed(v) ? elem_size(g, v) : value_size(v);
		g->lay.value = BASE_MAX(g->lay.value, 2 * room);
		if (is_hashed(v)) {
			g->lay.varkey = BASE_MAX(g->lay.varkey,
						 key_size(g, v));
		} else if (v->scope == DIF_VS_LOCAL) {
			locals += value_size(v);
		} else {
			g->vars_size += value_size(v);
		}
	}
	g->lay.locals_size = locals;
}

static const struct plan_var *
find(struct ebpf *g, unsigned scope, unsigned kind, unsigned id)
{
	for (uint32_t i = 0; i < g->plan->nvars; i++) {
		const struct plan_var *v = &g->plan->vars[i];
		if (v->scope == scope && v->kind == kind && v->id == id)
			return v;
	}
	ebpf_fail(g, err_new(ERR_FORMAT, 0, "variable %#x is unknown", id));
	return NULL;
}

/* --- Variables in hashes ----------------------------------------------------- */

/* Elements of global strings beyond one for each: while one is deleted, another
 * CPU may store. */
enum { SPARE_STRINGS = 8 };

void
ebpf_var_map(struct ebpf_out *o, const struct plan_var *v, uint8_t dst)
{
	struct ebpf *g = o->g;
	struct ebpf_mapdef def = {
		.type = BPF_MAP_TYPE_HASH, .key_size = key_size(g, v),
		.value_size = elem_size(g, v),
		.max_entries = is_dynamic(v) ? 1 : g->nstrings + SPARE_STRINGS,
	};

	assert(is_hashed(v) && value_size(v) <= def.value_size);	/* 3 */
	ebpf_map(o, dst, ebpf_map_sym(g, map_name(g, v), &def));
}

bool
ebpf_var_used(const struct ebpf *g, const struct plan_var *v)
{
	const struct ebpf_var_table *t = ebpf_table_of(g, v);

	for (size_t i = 0; t && i < g->syms.n; i++)
		if (g->syms.v[i].kind == SYM_MAP &&
		    !strcmp(g->syms.v[i].name, t->table->map))
			return true;
	return false;
}

/* Build the key in the slot. */
static void
build_key(struct ebpf_expr *e, const struct plan_var *v)
{
	struct ebpf_out *o = e->o;
	const struct ebpf_var_table *t = ebpf_table_of(e->g, v);
	int32_t at = (int32_t)e->g->lay.varkey;

	/* All of it is compared; of a shared table also what others use. */
	if (BASE_ANY(i, v->nkeys, v->keys[i].kind == ABI_FIELD_STRING) ||
	    (t && t->table->shared))
		ebpf_zero(o, R_SLOT, at, key_size(e->g, v));
	if (t && t->table->shared)
		ebpf_store_imm(o, 8, R_SLOT,
			       at + (int32_t)t->table->key_size - 8,
			       (int32_t)t->number);
	if (v->scope == DIF_VS_THREAD) {
		o->use.thread = true;
		ebpf_load(o, 8, BPF_REG_0, R_FS, FS_THREAD);
		ebpf_store(o, 8, R_SLOT, at, BPF_REG_0);
		at += 8;
	}
	if (has_number(v)) {
		ebpf_mov(o, BPF_REG_1, BPF_REG_0);
		ebpf_rt(o, "rt_thread", 1);
		ebpf_store(o, 8, R_SLOT, at, BPF_REG_0);
		at += 8;
	}
	for (uint32_t i = 0; v->kind == DIF_VK_ARRAY && i < v->nkeys; i++) {
		const struct abi_field *k = &v->keys[i];
		int32_t off = at + (int32_t)k->offset;
		assert((uint32_t)off + base_align(k->size, 8) <=
		       e->g->lay.varkey + key_size(e->g, v));		/* 1 */
		if (k->kind == ABI_FIELD_STRING) {
			ebpf_cell_key(e, i, off, k->size);
		} else {
			ebpf_cell(e, i, BPF_REG_0);
			ebpf_store(o, 8, R_SLOT, off, BPF_REG_0);
		}
	}
}

static void
key_ptr(struct ebpf_out *o, uint8_t dst)
{
	ebpf_lea(o, dst, R_SLOT, (int32_t)o->g->lay.varkey);
}

void
ebpf_var_lookup(struct ebpf_out *o, const struct plan_var *v)
{
	ebpf_var_map(o, v, BPF_REG_1);
	key_ptr(o, BPF_REG_2);
	ebpf_helper(o, BPF_FUNC_map_lookup_elem);
}

void
ebpf_var_copy(struct ebpf_out *o, const struct plan_var *v)
{
	ebpf_imm(o, BPF_REG_2, v->type.size);
	ebpf_helper(o, plan_var_is_string(v) ? BPF_FUNC_probe_read_kernel_str
				    : BPF_FUNC_probe_read_kernel);
}

/* The value: a number in r0, bytes at off of the slot. */
static void
load_own(struct ebpf_out *o, const struct plan_var *v, uint32_t off, int absent)
{
	ebpf_var_lookup(o, v);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, absent);
	if (!plan_var_is_ref(v)) {
		ebpf_load(o, v->type.size, BPF_REG_0, BPF_REG_0, 0);
		return;
	}
	ebpf_mov(o, BPF_REG_3, BPF_REG_0);
	ebpf_lea(o, BPF_REG_1, R_SLOT, (int32_t)off);
	ebpf_var_copy(o, v);
}

static void
load_own_hashed(struct ebpf_out *o, const struct plan_var *v, uint32_t off)
{
	int absent = ebpf_label(o), done = ebpf_label(o);

	load_own(o, v, off, absent);
	if (plan_var_is_ref(v)) {
		ebpf_jmp(o, done);
		ebpf_place(o, absent);
		ebpf_zero(o, R_SLOT, (int32_t)off,
			  plan_var_is_string(v) ? 1 : v->type.size);
		ebpf_place(o, done);
	} else {
		ebpf_place(o, absent);		/* r0 is 0 then */
	}
}

static void
load_shared(struct ebpf_out *o, const struct plan_var *v, uint32_t off)
{
	ebpf_hash_load(o, v, off);
	if (!plan_var_is_ref(v))	/* addgaa may have left a carry above */
		ebpf_load(o, v->type.size, BPF_REG_0, R_SLOT, (int32_t)off);
}

static void
load_hashed(struct ebpf_expr *e, const struct plan_var *v, unsigned rd)
{
	uint32_t off = plan_var_is_ref(v)
		       ? ebpf_temp(e->o, ebpf_var_layout(e->g, v)->type.size)
		       : e->g->lay.value;

	build_key(e, v);
	(is_shared(v) ? load_shared : load_own_hashed)(e->o, v, off);
	if (plan_var_is_ref(v))
		ebpf_set_fact(e, rd, (struct ebpf_fact){
			.region = REG_SLOT, .off = off, .size = v->type.size,
			.is_str = plan_var_is_string(v), .is_copy = true });
	else
		ebpf_set(e, rd, BPF_REG_0);
}

void
ebpf_var_delete(struct ebpf_out *o, const struct plan_var *v)
{
	ebpf_var_map(o, v, BPF_REG_1);
	key_ptr(o, BPF_REG_2);
	ebpf_helper(o, BPF_FUNC_map_delete_elem);
}

/* Store the number at [CF_TMP]. */
static void
store_own(struct ebpf_out *o, const struct plan_var *v)
{
	int gone = ebpf_label(o), fresh = ebpf_label(o), done = ebpf_label(o);

	ebpf_load(o, 8, BPF_REG_0, BPF_REG_10, CF_TMP);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, gone);
	ebpf_var_lookup(o, v);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, fresh);
	ebpf_load(o, 8, BPF_REG_1, BPF_REG_10, CF_TMP);
	ebpf_store(o, 8, BPF_REG_0, 0, BPF_REG_1);
	ebpf_jmp(o, done);
	ebpf_place(o, gone);
	ebpf_var_delete(o, v);
	ebpf_jmp(o, done);
	ebpf_place(o, fresh);
	ebpf_load(o, 8, BPF_REG_3, BPF_REG_10, CF_TMP);
	ebpf_hash_store(o, v);
	ebpf_place(o, done);
}

static void
store_value(struct ebpf_expr *e, const struct plan_var *v, unsigned rs)
{
	struct ebpf_out *o = e->o;

	ebpf_mov(o, BPF_REG_0, ebpf_get(e, rs, BPF_REG_0));
	ebpf_zext(o, BPF_REG_0, v->type.size);
	ebpf_store(o, 8, BPF_REG_10, CF_TMP, BPF_REG_0);
	build_key(e, v);
	if (is_shared(v)) {
		ebpf_load(o, 8, BPF_REG_3, BPF_REG_10, CF_TMP);
		ebpf_hash_store(o, v);
	} else {
		store_own(o, v);
	}
}

static unsigned
copy_flags(const struct plan_var *v)
{
	return (plan_var_is_string(v) ? COPY_STR : 0) |
	       (v->type.flags & DIF_TF_BYUREF ? COPY_USER : 0);
}

/* An address that is not known may be the number 0. */
static void
store_ref(struct ebpf_expr *e, const struct plan_var *v, unsigned rs)
{
	struct ebpf_out *o = e->o;
	struct ebpf_fact f = e->fact[rs];
	int store = ebpf_label(o), some = ebpf_label(o);

	build_key(e, v);
	if (f.region <= REG_CONST) {
		ebpf_jmp_imm(o, BPF_JNE, ebpf_get(e, rs, BPF_REG_0), 0, some);
		ebpf_imm(o, BPF_REG_3, 0);
		ebpf_jmp(o, store);
		ebpf_place(o, some);
	}
	ebpf_copy_to(e, R_SLOT, (int32_t)e->g->lay.value, v->type.size, &f, rs,
		     copy_flags(v));
	ebpf_imm(o, BPF_REG_3, 1);
	ebpf_place(o, store);
	ebpf_hash_store(o, v);
}

/* --- Static variables ----------------------------------------------------------- */

uint64_t
ebpf_local_bit(uint32_t off)
{
	return 1ULL << BASE_MIN(off / 8, 63u);
}

static void
use_local(struct ebpf_out *o, const struct plan_var *v)
{
	uint32_t off = static_offset(o->g, v) - o->g->lay.locals;

	for (uint32_t at = 0; at < value_size(v); at += 8)
		o->use.locals |= ebpf_local_bit(off + at);
}

static uint8_t
static_base(const struct plan_var *v)
{
	return v->scope == DIF_VS_LOCAL ? R_SLOT : BASE_GLOBAL;
}

static void
load_static(struct ebpf_expr *e, const struct plan_var *v, unsigned rd)
{
	struct ebpf_out *o = e->o;
	uint32_t off = static_offset(e->g, v);

	if (v->scope == DIF_VS_LOCAL)
		use_local(o, v);
	if (plan_var_is_ref(v)) {
		ebpf_set_fact(e, rd, (struct ebpf_fact){
			.region = v->scope == DIF_VS_LOCAL ? REG_SLOT
							   : REG_GLOBAL,
			.off = off, .size = v->type.size,
			.is_str = plan_var_is_string(v) });
		return;
	}
	uint8_t to = ebpf_target(rd, 0);
	if (v->scope == DIF_VS_LOCAL) {
		ebpf_load(o, v->type.size, to, R_SLOT, (int32_t)off);
	} else {
		ebpf_dst(o, BPF_REG_1, BASE_GLOBAL, (int32_t)off);
		ebpf_load(o, v->type.size, to, BPF_REG_1, 0);
	}
	ebpf_set(e, rd, to);
}

/* A source that may not be readable is read to the slot first: a helper that
 * fails clears what it should have filled. */
static void
store_static_ref(struct ebpf_expr *e, const struct plan_var *v, unsigned rs)
{
	struct ebpf_fact f = e->fact[rs];
	int32_t off = (int32_t)static_offset(e->g, v);
	uint8_t base = static_base(v);

	if (f.region <= REG_CONST) {
		ebpf_copy_to(e, R_SLOT, (int32_t)e->g->lay.value, v->type.size,
			     &f, rs, copy_flags(v) | COPY_NULL_OK);
		f = (struct ebpf_fact){ .region = REG_SLOT,
			.off = e->g->lay.value, .size = v->type.size };
	}
	ebpf_copy_to(e, base, off, v->type.size, &f, rs,
		     copy_flags(v) & COPY_STR);
}

static void
store_static(struct ebpf_expr *e, const struct plan_var *v, unsigned rs)
{
	struct ebpf_out *o = e->o;
	int32_t off = (int32_t)static_offset(e->g, v);

	if (v->scope == DIF_VS_LOCAL)
		use_local(o, v);
	if (plan_var_is_ref(v)) {
		store_static_ref(e, v, rs);
		return;
	}
	uint8_t r = ebpf_get(e, rs, BPF_REG_0);
	if (v->scope == DIF_VS_LOCAL) {
		ebpf_store(o, v->type.size, R_SLOT, off, r);
	} else {
		ebpf_dst(o, BPF_REG_1, BASE_GLOBAL, off);
		ebpf_store(o, v->type.size, BPF_REG_1, 0, r);
	}
}

/* --- Instructions ------------------------------------------------------------------ */

static const struct {
	uint8_t op, scope, kind;
	bool store;
} access[] = {
	{ DIF_OP_LDGS,  DIF_VS_GLOBAL, DIF_VK_SCALAR, false },
	{ DIF_OP_STGS,  DIF_VS_GLOBAL, DIF_VK_SCALAR, true },
	{ DIF_OP_LDTS,  DIF_VS_THREAD, DIF_VK_SCALAR, false },
	{ DIF_OP_STTS,  DIF_VS_THREAD, DIF_VK_SCALAR, true },
	{ DIF_OP_LDLS,  DIF_VS_LOCAL,  DIF_VK_SCALAR, false },
	{ DIF_OP_STLS,  DIF_VS_LOCAL,  DIF_VK_SCALAR, true },
	{ DIF_OP_LDGAA, DIF_VS_GLOBAL, DIF_VK_ARRAY,  false },
	{ DIF_OP_STGAA, DIF_VS_GLOBAL, DIF_VK_ARRAY,  true },
	{ DIF_OP_LDTAA, DIF_VS_THREAD, DIF_VK_ARRAY,  false },
	{ DIF_OP_STTAA, DIF_VS_THREAD, DIF_VK_ARRAY,  true },
};

void
ebpf_insn_var(struct ebpf_expr *e, uint32_t w)
{
	unsigned id = DIF_INSN_INDEX(w), r = DIF_INSN_RD(w), i = 0;

	if (DIF_INSN_OP(w) == DIF_OP_LDGS && id < DIF_VAR_OTHER_UBASE) {
		ebpf_bvar(e, id, r);
		return;
	}
	while (i < BASE_NELEMS(access) - 1 && access[i].op != DIF_INSN_OP(w))
		i++;
	const struct plan_var *v = find(e->g, access[i].scope, access[i].kind,
					id);
	if (!v)
		return;
	if (ebpf_self_has(e->g, v)) {
		(access[i].store ? ebpf_self_store : ebpf_self_load)(e, v, r);
		return;
	}
	if (access[i].store && is_hashed(v))
		(plan_var_is_ref(v) ? store_ref : store_value)(e, v, r);
	else if (access[i].store)
		store_static(e, v, r);
	else if (is_hashed(v))
		load_hashed(e, v, r);
	else
		load_static(e, v, r);
}

/* --- Adding ------------------------------------------------------------------- */

/* Leaves what was there at [CF_TMP] if oldgs stands behind.  The cell has 8 bytes
 * whatever the variable has; a carry out of a small one goes where nobody looks. */
static void
add_static(struct ebpf_expr *e, const struct plan_var *v, unsigned r,
	   bool wants_old)
{
	struct ebpf_out *o = e->o;

	ebpf_mov(o, BPF_REG_0, ebpf_get(e, r, BPF_REG_0));
	ebpf_dst(o, BPF_REG_1, BASE_GLOBAL, (int32_t)static_offset(e->g, v));
	ebpf_emit(o, BPF_STX | BPF_ATOMIC |
		  (v->type.size == 8 ? BPF_DW : BPF_W), BPF_REG_1, BPF_REG_0, 0,
		  BPF_ADD | (wants_old ? BPF_FETCH : 0));
	if (wants_old)
		ebpf_store(o, 8, BPF_REG_10, CF_TMP, BPF_REG_0);
}

/* An element that was loaded is stored again: another may come between, but not in
 * front. */
static void
add_by_store(struct ebpf_out *o, const struct plan_var *v)
{
	int32_t value = (int32_t)o->g->lay.value;
	int by_store = ebpf_label(o), done = ebpf_label(o);

	if (ebpf_front_has(o->g, ebpf_var_layout(o->g, v))) {
		ebpf_load(o, 8, BPF_REG_3, BPF_REG_10, CF_TMP);
		ebpf_hash_add_front(o, v);
		ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, by_store);
		ebpf_load(o, 8, BPF_REG_0, R_SLOT, value);
		ebpf_store(o, 8, BPF_REG_10, CF_TMP, BPF_REG_0);
		ebpf_jmp(o, done);
	}
	ebpf_place(o, by_store);
	ebpf_hash_load(o, v, o->g->lay.value);
	ebpf_load(o, 8, BPF_REG_3, R_SLOT, value);
	ebpf_load(o, 8, BPF_REG_0, BPF_REG_10, CF_TMP);
	ebpf_store(o, 8, BPF_REG_10, CF_TMP, BPF_REG_3);
	ebpf_alu(o, BPF_ADD, BPF_REG_3, BPF_REG_0);
	ebpf_zext(o, BPF_REG_3, v->type.size);
	ebpf_hash_store(o, v);
	ebpf_place(o, done);
}

static const struct plan_var *
find_sum(struct ebpf *g, uint32_t w, bool is_array)
{
	return find(g, DIF_VS_GLOBAL, is_array ? DIF_VK_ARRAY : DIF_VK_SCALAR,
		    DIF_INSN_INDEX(w));
}

void
ebpf_insn_add(struct ebpf_expr *e, uint32_t w)
{
	struct ebpf_out *o = e->o;
	bool is_array = DIF_INSN_OP(w) == DIF_OP_ADDGAA;
	const struct plan_var *v = find_sum(e->g, w, is_array);
	unsigned r = DIF_INSN_RD(w);

	if (!v)
		return;
	if (!is_array) {
		add_static(e, v, r, DIF_INSN_OP(e->d->text[e->pc + 1]) ==
				    DIF_OP_OLDGS);
		return;
	}
	ebpf_mov(o, BPF_REG_0, ebpf_get(e, r, BPF_REG_0));
	ebpf_zext(o, BPF_REG_0, v->type.size);
	ebpf_store(o, 8, BPF_REG_10, CF_TMP, BPF_REG_0);
	build_key(e, v);
	if (e->g->is_stored[v->id]) {
		add_by_store(o, v);
		return;
	}
	ebpf_load(o, 8, BPF_REG_3, BPF_REG_10, CF_TMP);
	ebpf_hash_add(o, v);
	ebpf_store(o, 8, BPF_REG_10, CF_TMP, BPF_REG_0);
}

void
ebpf_insn_old(struct ebpf_expr *e, uint32_t w)
{
	const struct plan_var *v =
		find_sum(e->g, w, DIF_INSN_OP(w) == DIF_OP_OLDGAA);

	if (!v)
		return;
	ebpf_load(e->o, 8, BPF_REG_0, BPF_REG_10, CF_TMP);
	ebpf_zext(e->o, BPF_REG_0, v->type.size);
	ebpf_set(e, DIF_INSN_RD(w), BPF_REG_0);
}
