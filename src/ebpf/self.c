/* SPDX-License-Identifier: BSD-2-Clause
 *
 * self-> variables that are no arrays: words and bytes kept with the task.
 *
 * The kernel can hang a piece of memory on each task, which it frees with the
 * task: a thread's variables are all in one, at fixed offsets, and vanish with
 * the thread without anybody sweeping.  Finding it costs half of what a hash
 * lookup does, and a firing looks once: CF_SELF keeps the address.
 *
 * The piece is made by the first store of something that is not zero.  It has
 * two halves: the thread's interrupts have variables of their own (FS_IRQ says
 * which half; bpfrt/runs.h how a probe that may be in either finds out).  The
 * kernel bounds its size; variables that find no room, as arrays, are kept in
 * hashes (var.c).
 *
 *  1. A half is a multiple of 8 bytes, HALF_MAX at most, and each variable lies in
 *     it, where no other does.
 */
#include <assert.h>

#include "ebpf/var_priv.h"

/* What the kernel allows is a little over 7,000 bytes. */
enum { HALF_MAX = 3456, NOWHERE = -1 };

static uint32_t
room_for(const struct plan_var *v)
{
	return (uint32_t)base_align(v->type.size ? v->type.size : 8, 8);
}

void
ebpf_self_layout(struct ebpf *g)
{
	uint32_t n = g->plan->nvars;

	g->self_off = EBPF_ARRAY(g, int32_t, n);
	if (!g->self_off)
		return;
	for (uint32_t i = 0; i < n; i++) {
		const struct plan_var *v = &g->plan->vars[i];
		g->self_off[i] = NOWHERE;
		if (v->scope != DIF_VS_THREAD || v->kind != DIF_VK_SCALAR ||
		    room_for(v) > HALF_MAX - g->self_size)
			continue;
		g->self_off[i] = (int32_t)g->self_size;
		g->self_size += room_for(v);
	}
	assert(g->self_size % 8 == 0 && g->self_size <= HALF_MAX);	/* 1 */
}

static int32_t
offset(const struct ebpf *g, const struct plan_var *v)
{
	assert(v >= g->plan->vars && v < g->plan->vars + g->plan->nvars);
	return g->self_off[v - g->plan->vars];
}

bool
ebpf_self_has(const struct ebpf *g, const struct plan_var *v)
{
	return offset(g, v) != NOWHERE;
}

static void
load_map(struct ebpf_out *o)
{
	struct ebpf_mapdef def = {
		.type = BPF_MAP_TYPE_TASK_STORAGE, .key_size = 4,
		.value_size = 2 * o->g->self_size,
		.map_flags = BPF_F_NO_PREALLOC,
	};

	ebpf_map(o, BPF_REG_1, ebpf_map_sym(o->g, "dt_self", &def));
}

/* r0 <- the half that belongs to this firing; r4 says in whether to make one.
 * To none when there is none, with r0 NULL. */
static void
half(struct ebpf_out *o, int none)
{
	int have = ebpf_label(o), fits = ebpf_label(o);

	o->use.self = true;
	ebpf_load(o, 8, BPF_REG_0, BPF_REG_10, CF_SELF);
	ebpf_jmp_imm(o, BPF_JNE, BPF_REG_0, 0, have);
	ebpf_task(o, BPF_REG_2);
	load_map(o);
	ebpf_imm(o, BPF_REG_3, 0);
	ebpf_helper(o, BPF_FUNC_task_storage_get);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, none);
	ebpf_load(o, 2, BPF_REG_1, R_FS, FS_IRQ);
	ebpf_jmp_imm(o, BPF_JLE, BPF_REG_1, (int32_t)o->g->self_size, fits);
	ebpf_imm(o, BPF_REG_1, 0);
	ebpf_place(o, fits);
	ebpf_alu(o, BPF_ADD, BPF_REG_0, BPF_REG_1);
	ebpf_store(o, 8, BPF_REG_10, CF_SELF, BPF_REG_0);
	ebpf_place(o, have);
}

static void
load_ref(struct ebpf_expr *e, const struct plan_var *v, unsigned rd)
{
	struct ebpf_out *o = e->o;
	uint32_t at = ebpf_temp(o, v->type.size);
	int none = ebpf_label(o), done = ebpf_label(o);

	half(o, none);
	ebpf_lea(o, BPF_REG_1, R_SLOT, (int32_t)at);
	ebpf_imm(o, BPF_REG_2, v->type.size);
	ebpf_lea(o, BPF_REG_3, BPF_REG_0, offset(e->g, v));
	ebpf_helper(o, plan_var_is_string(v) ? BPF_FUNC_probe_read_kernel_str
				    : BPF_FUNC_probe_read_kernel);
	ebpf_jmp(o, done);
	ebpf_place(o, none);
	ebpf_zero(o, R_SLOT, (int32_t)at,
		  plan_var_is_string(v) ? 1 : v->type.size);
	ebpf_place(o, done);
	ebpf_set_fact(e, rd, (struct ebpf_fact){
		.region = REG_SLOT, .off = at, .size = v->type.size,
		.is_str = plan_var_is_string(v), .is_copy = true });
}

void
ebpf_self_load(struct ebpf_expr *e, const struct plan_var *v, unsigned rd)
{
	struct ebpf_out *o = e->o;
	int none = ebpf_label(o);

	assert(ebpf_self_has(e->g, v));					/* 1 */
	ebpf_imm(o, BPF_REG_4, 0);
	if (plan_var_is_ref(v)) {
		load_ref(e, v, rd);
		return;
	}
	half(o, none);
	ebpf_load(o, v->type.size, BPF_REG_0, BPF_REG_0, offset(e->g, v));
	ebpf_place(o, none);		/* r0 is 0 then */
	ebpf_set(e, rd, BPF_REG_0);
}

/* Store the number at [CF_TMP]. */
static void
store_word(struct ebpf_out *o, const struct plan_var *v)
{
	int none = ebpf_label(o), done = ebpf_label(o), zero = ebpf_label(o);

	ebpf_imm(o, BPF_REG_4, 0);
	ebpf_load(o, 8, BPF_REG_0, BPF_REG_10, CF_TMP);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, zero);
	ebpf_imm(o, BPF_REG_4, BPF_LOCAL_STORAGE_GET_F_CREATE);
	ebpf_place(o, zero);
	half(o, none);
	ebpf_load(o, 8, BPF_REG_1, BPF_REG_10, CF_TMP);
	ebpf_store(o, 8, BPF_REG_0, offset(o->g, v), BPF_REG_1);
	ebpf_jmp(o, done);
	ebpf_place(o, none);
	ebpf_load(o, 8, BPF_REG_1, BPF_REG_10, CF_TMP);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_1, 0, done);
	ebpf_drop(o, ABI_DROP_DYNAMIC);
	ebpf_place(o, done);
}

/* Bytes from the slot at lay.value. */
static void
store_bytes(struct ebpf_out *o, const struct plan_var *v)
{
	int none = ebpf_label(o), done = ebpf_label(o);

	ebpf_imm(o, BPF_REG_4, BPF_LOCAL_STORAGE_GET_F_CREATE);
	half(o, none);
	ebpf_lea(o, BPF_REG_1, BPF_REG_0, offset(o->g, v));
	ebpf_imm(o, BPF_REG_2, v->type.size);
	ebpf_lea(o, BPF_REG_3, R_SLOT, (int32_t)o->g->lay.value);
	ebpf_helper(o, BPF_FUNC_probe_read_kernel);
	ebpf_jmp(o, done);
	ebpf_place(o, none);
	ebpf_drop(o, ABI_DROP_DYNAMIC);
	ebpf_place(o, done);
}

/* Storing NULL leaves nothing. */
static void
store_nothing(struct ebpf_out *o, const struct plan_var *v)
{
	int none = ebpf_label(o);

	ebpf_imm(o, BPF_REG_4, 0);
	half(o, none);
	ebpf_lea(o, BPF_REG_1, BPF_REG_0, offset(o->g, v));
	ebpf_imm(o, BPF_REG_2, v->type.size);
	ebpf_data(o, BPF_REG_3, SEC_STRS, o->g->zeros);
	ebpf_helper(o, BPF_FUNC_probe_read_kernel);
	ebpf_place(o, none);
}

static void
store_ref(struct ebpf_expr *e, const struct plan_var *v, unsigned rs)
{
	struct ebpf_out *o = e->o;
	struct ebpf_fact f = e->fact[rs];
	int nothing = ebpf_label(o), done = ebpf_label(o);
	bool known = f.region > REG_CONST;

	if (!known)
		ebpf_jmp_imm(o, BPF_JEQ, ebpf_get(e, rs, BPF_REG_0), 0,
			     nothing);
	ebpf_copy_to(e, R_SLOT, (int32_t)e->g->lay.value, v->type.size, &f, rs,
		     (plan_var_is_string(v) ? COPY_STR : 0) |
		     (v->type.flags & DIF_TF_BYUREF ? COPY_USER : 0));
	store_bytes(o, v);
	ebpf_jmp(o, done);
	ebpf_place(o, nothing);
	if (!known)
		store_nothing(o, v);
	ebpf_place(o, done);
}

void
ebpf_self_store(struct ebpf_expr *e, const struct plan_var *v, unsigned rs)
{
	struct ebpf_out *o = e->o;

	assert(ebpf_self_has(e->g, v));					/* 1 */
	if (plan_var_is_ref(v)) {
		store_ref(e, v, rs);
		return;
	}
	ebpf_mov(o, BPF_REG_0, ebpf_get(e, rs, BPF_REG_0));
	ebpf_zext(o, BPF_REG_0, v->type.size);
	ebpf_store(o, 8, BPF_REG_10, CF_TMP, BPF_REG_0);
	store_word(o, v);
}
