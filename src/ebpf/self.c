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
 */
#include "ebpf/ebpf_priv.h"

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

	g->self_off = ARENA_ARRAY(g->a, int32_t, n);
	if (!g->self_off) {
		ebpf_fail(g, &err_nomem);
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		const struct plan_var *v = &g->plan->vars[i];
		g->self_off[i] = NOWHERE;
		if (v->scope != DIF_VS_THREAD || v->kind != DIF_VK_SCALAR ||
		    room_for(v) > HALF_MAX - g->self_size)
			continue;
		g->self_off[i] = (int32_t)g->self_size;
		g->self_size += room_for(v);
	}
}

static int32_t
offset(const struct ebpf *g, const struct plan_var *v)
{
	return g->self_off[v - g->plan->vars];
}

bool
ebpf_self_has(const struct ebpf *g, const struct plan_var *v)
{
	return offset(g, v) != NOWHERE;
}

static void
load_map(struct ebpf *g)
{
	struct ebpf_mapdef def = {
		.type = BPF_MAP_TYPE_TASK_STORAGE, .key_size = 4,
		.value_size = 2 * g->self_size,
		.map_flags = BPF_F_NO_PREALLOC,
	};

	ebpf_map(g, BPF_REG_1, ebpf_map_sym(g, "dt_self", &def));
}

/* r0 <- the half that belongs to this firing; r4 says in whether to make one.
 * To none when there is none, with r0 NULL. */
static void
half(struct ebpf *g, int none)
{
	int have = ebpf_label(g), fits = ebpf_label(g);

	g->use.self = true;
	ebpf_load(g, 8, BPF_REG_0, BPF_REG_10, CF_SELF);
	ebpf_jmp_imm(g, BPF_JNE, BPF_REG_0, 0, have);
	ebpf_task(g, BPF_REG_2);
	load_map(g);
	ebpf_imm(g, BPF_REG_3, 0);
	ebpf_helper(g, BPF_FUNC_task_storage_get);
	ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0, 0, none);
	ebpf_load(g, 2, BPF_REG_1, R_FS, FS_IRQ);
	ebpf_jmp_imm(g, BPF_JLE, BPF_REG_1, (int32_t)g->self_size, fits);
	ebpf_imm(g, BPF_REG_1, 0);
	ebpf_place(g, fits);
	ebpf_alu(g, BPF_ADD, BPF_REG_0, BPF_REG_1);
	ebpf_store(g, 8, BPF_REG_10, CF_SELF, BPF_REG_0);
	ebpf_place(g, have);
}

static void
load_ref(struct ebpf *g, const struct plan_var *v, unsigned rd)
{
	uint32_t at = ebpf_temp(g, v->type.size);
	int none = ebpf_label(g), done = ebpf_label(g);

	ebpf_slot_used(g);
	half(g, none);
	ebpf_lea(g, BPF_REG_1, R_SLOT, (int32_t)at);
	ebpf_imm(g, BPF_REG_2, v->type.size);
	ebpf_lea(g, BPF_REG_3, BPF_REG_0, offset(g, v));
	ebpf_helper(g, plan_var_is_string(v) ? BPF_FUNC_probe_read_kernel_str
				    : BPF_FUNC_probe_read_kernel);
	ebpf_jmp(g, done);
	ebpf_place(g, none);
	ebpf_zero(g, R_SLOT, (int32_t)at,
		  plan_var_is_string(v) ? 1 : v->type.size);
	ebpf_place(g, done);
	ebpf_set_fact(g, rd, (struct ebpf_fact){
		.region = REG_SLOT, .off = at, .size = v->type.size,
		.is_str = plan_var_is_string(v), .is_copy = true });
}

void
ebpf_self_load(struct ebpf *g, const struct plan_var *v, unsigned rd)
{
	int none = ebpf_label(g);

	ebpf_imm(g, BPF_REG_4, 0);
	if (plan_var_is_ref(v)) {
		load_ref(g, v, rd);
		return;
	}
	half(g, none);
	ebpf_load(g, v->type.size, BPF_REG_0, BPF_REG_0, offset(g, v));
	ebpf_place(g, none);		/* r0 is 0 then */
	ebpf_set(g, rd, BPF_REG_0);
}

/* Store the number at [CF_TMP]. */
static void
store_word(struct ebpf *g, const struct plan_var *v)
{
	int none = ebpf_label(g), done = ebpf_label(g), zero = ebpf_label(g);

	ebpf_imm(g, BPF_REG_4, 0);
	ebpf_load(g, 8, BPF_REG_0, BPF_REG_10, CF_TMP);
	ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0, 0, zero);
	ebpf_imm(g, BPF_REG_4, BPF_LOCAL_STORAGE_GET_F_CREATE);
	ebpf_place(g, zero);
	half(g, none);
	ebpf_load(g, 8, BPF_REG_1, BPF_REG_10, CF_TMP);
	ebpf_store(g, 8, BPF_REG_0, offset(g, v), BPF_REG_1);
	ebpf_jmp(g, done);
	ebpf_place(g, none);
	ebpf_load(g, 8, BPF_REG_1, BPF_REG_10, CF_TMP);
	ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_1, 0, done);
	ebpf_drop(g, ABI_DROP_DYNAMIC);
	ebpf_place(g, done);
}

/* Bytes from the slot at lay.value. */
static void
store_bytes(struct ebpf *g, const struct plan_var *v)
{
	int none = ebpf_label(g), done = ebpf_label(g);

	ebpf_imm(g, BPF_REG_4, BPF_LOCAL_STORAGE_GET_F_CREATE);
	half(g, none);
	ebpf_lea(g, BPF_REG_1, BPF_REG_0, offset(g, v));
	ebpf_imm(g, BPF_REG_2, v->type.size);
	ebpf_lea(g, BPF_REG_3, R_SLOT, (int32_t)g->lay.value);
	ebpf_helper(g, BPF_FUNC_probe_read_kernel);
	ebpf_jmp(g, done);
	ebpf_place(g, none);
	ebpf_drop(g, ABI_DROP_DYNAMIC);
	ebpf_place(g, done);
}

/* Storing NULL leaves nothing. */
static void
store_nothing(struct ebpf *g, const struct plan_var *v)
{
	int none = ebpf_label(g);

	ebpf_imm(g, BPF_REG_4, 0);
	half(g, none);
	ebpf_lea(g, BPF_REG_1, BPF_REG_0, offset(g, v));
	ebpf_imm(g, BPF_REG_2, v->type.size);
	ebpf_data(g, BPF_REG_3, SEC_STRS, g->zeros);
	ebpf_helper(g, BPF_FUNC_probe_read_kernel);
	ebpf_place(g, none);
}

static void
store_ref(struct ebpf *g, const struct plan_var *v, unsigned rs)
{
	struct ebpf_fact f = g->fact[rs];
	int nothing = ebpf_label(g), done = ebpf_label(g);
	bool known = f.region > REG_CONST;

	ebpf_slot_used(g);
	if (!known)
		ebpf_jmp_imm(g, BPF_JEQ, ebpf_get(g, rs, BPF_REG_0), 0,
			     nothing);
	ebpf_copy_to(g, R_SLOT, (int32_t)g->lay.value, v->type.size, &f, rs,
		     (plan_var_is_string(v) ? COPY_STR : 0) |
		     (v->type.flags & DIF_TF_BYUREF ? COPY_USER : 0));
	store_bytes(g, v);
	ebpf_jmp(g, done);
	ebpf_place(g, nothing);
	if (!known)
		store_nothing(g, v);
	ebpf_place(g, done);
}

void
ebpf_self_store(struct ebpf *g, const struct plan_var *v, unsigned rs)
{
	if (plan_var_is_ref(v)) {
		store_ref(g, v, rs);
		return;
	}
	ebpf_mov(g, BPF_REG_0, ebpf_get(g, rs, BPF_REG_0));
	ebpf_zext(g, BPF_REG_0, v->type.size);
	ebpf_store(g, 8, BPF_REG_10, CF_TMP, BPF_REG_0);
	store_word(g, v);
}
