/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The program's variables.
 *
 *	global scalar	in .bss.vars, addressed directly
 *	this->		in the slot
 *	self->, arrays	a hash of their own: key {thread, tuple}, value the
 *			variable padded to 8 bytes.  A scalar that exists is
 *			stored in place by one 8-byte store; anything larger
 *			replaces its element, so no reader sees half of it.
 *
 * Loading a dynamic variable by reference copies it to the slot first: the
 * element may vanish while the clause still looks at it.
 */
#include <stdio.h>
#include <string.h>

#include "ebpf/ebpf_priv.h"

static bool
is_dynamic(const struct plan_var *v)
{
	return v->kind == DIF_VK_ARRAY || v->scope == DIF_VS_THREAD;
}

static bool
is_ref(const struct plan_var *v)
{
	return v->type.flags & DIF_TF_BYREF;
}

static bool
is_string(const struct plan_var *v)
{
	return v->type.kind == DIF_TYPE_STRING;
}

/* Bytes of a value at rest. */
static uint32_t
value_size(const struct plan_var *v)
{
	return (uint32_t)base_align(v->type.size ? v->type.size : 8, 8);
}

static uint32_t
key_size(const struct plan_var *v)
{
	return (v->scope == DIF_VS_THREAD ? 8 : 0) +
	       (v->kind == DIF_VK_ARRAY ? v->key_size : 0);
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
		if (!is_dynamic(o) && o->scope == v->scope)
			off += value_size(o);
	}
	return off + (v->scope == DIF_VS_LOCAL ? g->lay.locals : 0);
}

bool
ebpf_var_place(const struct ebpf *g, const struct plan_var *v, uint32_t *off)
{
	if (is_dynamic(v) || !is_ref(v))
		return false;
	*off = static_offset(g, v);
	return true;
}

void
ebpf_vars_layout(struct ebpf *g)
{
	uint32_t n = g->plan->nvars, locals = 0;

	g->dynvars = ARENA_ARRAY(g->a, struct ebpf_dynvar, n);
	if (!g->dynvars) {
		ebpf_fail(g, &err_nomem);
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		const struct plan_var *v = &g->plan->vars[i];
		if (is_ref(v) && 2 * value_size(v) > g->lay.value)
			g->lay.value = 2 * value_size(v);
		if (is_dynamic(v)) {
			struct ebpf_dynvar *d = &g->dynvars[g->ndynvars++];
			snprintf(d->map, sizeof(d->map), "dt_var%u_%x",
				 v->scope, v->id);
			d->key_size = key_size(v);
			d->value_size = value_size(v);
			d->id = v->id;
			if (d->key_size > g->lay.varkey)
				g->lay.varkey = d->key_size;
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

/* --- Dynamic variables ------------------------------------------------------- */

static void
load_map(struct ebpf *g, const struct plan_var *v, uint8_t dst)
{
	char name[16];

	snprintf(name, sizeof(name), "dt_var%u_%x", v->scope, v->id);
	struct ebpf_mapdef def = {
		.type = BPF_MAP_TYPE_HASH, .key_size = key_size(v),
		.value_size = value_size(v), .max_entries = 1,
		.map_flags = BPF_F_NO_PREALLOC,
	};
	char *s = arena_strdup(g->a, name);
	if (!s) {
		ebpf_fail(g, &err_nomem);
		return;
	}
	ebpf_map(g, dst, ebpf_map_sym(g, s, &def));
}

static bool
has_string_key(const struct plan_var *v)
{
	for (uint32_t i = 0; i < v->nkeys; i++)
		if (v->keys[i].kind == ABI_FIELD_STRING)
			return true;
	return false;
}

/* Build the key in the slot. */
static void
build_key(struct ebpf *g, const struct plan_var *v)
{
	int32_t at = (int32_t)g->lay.varkey;

	ebpf_slot_used(g);
	if (has_string_key(v))		/* all of it is compared */
		ebpf_zero(g, R_SLOT, at, key_size(v));
	if (v->scope == DIF_VS_THREAD) {
		g->use.thread = true;
		ebpf_load(g, 8, BPF_REG_0, R_FS, FS_THREAD);
		ebpf_store(g, 8, R_SLOT, at, BPF_REG_0);
		at += 8;
	}
	for (uint32_t i = 0; v->kind == DIF_VK_ARRAY && i < v->nkeys; i++) {
		const struct abi_field *k = &v->keys[i];
		int32_t off = at + (int32_t)k->offset;
		if (k->kind == ABI_FIELD_STRING) {
			ebpf_cell_key(g, i, off, k->size);
		} else {
			ebpf_cell(g, i, BPF_REG_0);
			ebpf_store(g, 8, R_SLOT, off, BPF_REG_0);
		}
	}
}

static void
key_ptr(struct ebpf *g, uint8_t dst)
{
	ebpf_lea(g, dst, R_SLOT, (int32_t)g->lay.varkey);
}

/* r0 <- pointer to the value, or NULL. */
static void
lookup(struct ebpf *g, const struct plan_var *v)
{
	load_map(g, v, BPF_REG_1);
	key_ptr(g, BPF_REG_2);
	ebpf_helper(g, BPF_FUNC_map_lookup_elem);
}

uint32_t
ebpf_temp(struct ebpf *g, uint32_t size)
{
	uint32_t off = g->lay.temps + g->temps;

	g->temps += (uint32_t)base_align(size, 8);
	if (g->temps > g->temps_max)
		g->temps_max = g->temps;
	return off;
}

static void
load_dynamic(struct ebpf *g, const struct plan_var *v, unsigned rd)
{
	int absent = ebpf_label(g), done = ebpf_label(g);

	build_key(g, v);
	lookup(g, v);
	ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0, 0, absent);
	if (!is_ref(v)) {
		ebpf_load(g, v->type.size, BPF_REG_0, BPF_REG_0, 0);
		ebpf_place(g, absent);		/* r0 is 0 then */
		ebpf_set(g, rd, BPF_REG_0);
		return;
	}
	uint32_t off = ebpf_temp(g, v->type.size);
	ebpf_mov(g, BPF_REG_3, BPF_REG_0);
	ebpf_lea(g, BPF_REG_1, R_SLOT, (int32_t)off);
	ebpf_imm(g, BPF_REG_2, v->type.size);
	ebpf_helper(g, is_string(v) ? BPF_FUNC_probe_read_kernel_str
				    : BPF_FUNC_probe_read_kernel);
	ebpf_jmp(g, done);
	ebpf_place(g, absent);
	ebpf_zero(g, R_SLOT, (int32_t)off, is_string(v) ? 1 : v->type.size);
	ebpf_place(g, done);
	ebpf_set_fact(g, rd, (struct ebpf_fact){
		.region = REG_SLOT, .off = off, .size = v->type.size,
		.is_str = is_string(v), .is_copy = true });
}

/* Drop the element whose key is built. */
static void
delete(struct ebpf *g, const struct plan_var *v)
{
	load_map(g, v, BPF_REG_1);
	key_ptr(g, BPF_REG_2);
	ebpf_helper(g, BPF_FUNC_map_delete_elem);
}

/* Insert or replace the element with the bytes at r3. */
static void
update(struct ebpf *g, const struct plan_var *v, int done)
{
	load_map(g, v, BPF_REG_1);
	key_ptr(g, BPF_REG_2);
	ebpf_imm(g, BPF_REG_4, BPF_ANY);
	ebpf_helper(g, BPF_FUNC_map_update_elem);
	ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0, 0, done);
	ebpf_drop(g, ABI_DROP_DYNAMIC);
}

static void
store_value(struct ebpf *g, const struct plan_var *v, unsigned rs)
{
	int gone = ebpf_label(g), fresh = ebpf_label(g), done = ebpf_label(g);

	ebpf_mov(g, BPF_REG_0, ebpf_get(g, rs, BPF_REG_0));
	ebpf_zext(g, BPF_REG_0, v->type.size);
	ebpf_store(g, 8, BPF_REG_10, CF_TMP, BPF_REG_0);
	build_key(g, v);
	ebpf_load(g, 8, BPF_REG_0, BPF_REG_10, CF_TMP);
	ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0, 0, gone);
	lookup(g, v);
	ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0, 0, fresh);
	ebpf_load(g, 8, BPF_REG_1, BPF_REG_10, CF_TMP);
	ebpf_store(g, 8, BPF_REG_0, 0, BPF_REG_1);
	ebpf_jmp(g, done);
	ebpf_place(g, gone);
	delete(g, v);
	ebpf_jmp(g, done);
	ebpf_place(g, fresh);
	ebpf_lea(g, BPF_REG_3, BPF_REG_10, CF_TMP);
	update(g, v, done);
	ebpf_place(g, done);
}

static unsigned
copy_flags(const struct plan_var *v)
{
	return (is_string(v) ? COPY_STR : 0) |
	       (v->type.flags & DIF_TF_BYUREF ? COPY_USER : 0);
}

static void
store_ref(struct ebpf *g, const struct plan_var *v, unsigned rs)
{
	struct ebpf_fact f = g->fact[rs];
	int gone = ebpf_label(g), done = ebpf_label(g);
	bool known = f.region > REG_CONST;

	build_key(g, v);
	if (!known)
		ebpf_jmp_imm(g, BPF_JEQ, ebpf_get(g, rs, BPF_REG_0), 0, gone);
	ebpf_copy_to(g, R_SLOT, (int32_t)g->lay.value, v->type.size, &f, rs,
		     copy_flags(v));
	ebpf_lea(g, BPF_REG_3, R_SLOT, (int32_t)g->lay.value);
	update(g, v, done);
	ebpf_jmp(g, done);
	ebpf_place(g, gone);
	if (!known)
		delete(g, v);
	ebpf_place(g, done);
}

/* --- Static variables ----------------------------------------------------------- */

static uint8_t
static_base(const struct plan_var *v)
{
	return v->scope == DIF_VS_LOCAL ? R_SLOT : BASE_GLOBAL;
}

static void
load_static(struct ebpf *g, const struct plan_var *v, unsigned rd)
{
	uint32_t off = static_offset(g, v);

	if (is_ref(v)) {
		if (v->scope == DIF_VS_LOCAL)
			ebpf_slot_used(g);
		ebpf_set_fact(g, rd, (struct ebpf_fact){
			.region = v->scope == DIF_VS_LOCAL ? REG_SLOT
							   : REG_GLOBAL,
			.off = off, .size = v->type.size,
			.is_str = is_string(v) });
		return;
	}
	ebpf_dst(g, BPF_REG_1, static_base(v), (int32_t)off);
	ebpf_load(g, v->type.size, BPF_REG_0, BPF_REG_1, 0);
	ebpf_set(g, rd, BPF_REG_0);
}

/* A source that may not be readable is read to the slot first: a helper that
 * fails clears what it should have filled. */
static void
store_static_ref(struct ebpf *g, const struct plan_var *v, unsigned rs)
{
	struct ebpf_fact f = g->fact[rs];
	int32_t off = (int32_t)static_offset(g, v);
	uint8_t base = static_base(v);

	if (f.region <= REG_CONST) {
		ebpf_copy_to(g, R_SLOT, (int32_t)g->lay.value, v->type.size,
			     &f, rs, copy_flags(v) | COPY_NULL_OK);
		f = (struct ebpf_fact){ .region = REG_SLOT,
			.off = g->lay.value, .size = v->type.size };
	}
	ebpf_copy_to(g, base, off, v->type.size, &f, rs,
		     copy_flags(v) & COPY_STR);
}

static void
store_static(struct ebpf *g, const struct plan_var *v, unsigned rs)
{
	int32_t off = (int32_t)static_offset(g, v);

	if (!is_ref(v)) {
		ebpf_mov(g, BPF_REG_0, ebpf_get(g, rs, BPF_REG_0));
		ebpf_dst(g, BPF_REG_1, static_base(v), off);
		ebpf_store(g, v->type.size, BPF_REG_1, 0, BPF_REG_0);
		return;
	}
	store_static_ref(g, v, rs);
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
ebpf_insn_var(struct ebpf *g, uint32_t w)
{
	unsigned id = DIF_INSN_INDEX(w), r = DIF_INSN_RD(w), i = 0;

	if (DIF_INSN_OP(w) == DIF_OP_LDGS && id < DIF_VAR_OTHER_UBASE) {
		ebpf_bvar(g, id, r);
		return;
	}
	while (i < BASE_NELEMS(access) - 1 && access[i].op != DIF_INSN_OP(w))
		i++;
	const struct plan_var *v = find(g, access[i].scope, access[i].kind, id);
	if (!v)
		return;
	if (ebpf_self_has(g, v)) {
		(access[i].store ? ebpf_self_store : ebpf_self_load)(g, v, r);
		return;
	}
	if (access[i].store && is_dynamic(v))
		(is_ref(v) ? store_ref : store_value)(g, v, r);
	else if (access[i].store)
		store_static(g, v, r);
	else if (is_dynamic(v))
		load_dynamic(g, v, r);
	else
		load_static(g, v, r);
}
