/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which arrays have a front, and how it is looked into: bpfrt/front.h.
 */
#include <assert.h>

#include "abi/front.h"
#include "base/base.h"
#include "ebpf/var_priv.h"

/* An odd number of which no run of bits is like another: 2^64 by the golden ratio. */
#define FACTOR 0x9e3779b97f4a7c15ULL

/* Bytes of keys: numbers, execname, but no strings of any size. */
enum { KEY_MAX = 64 };
/* What is kept meanwhile: the hash, then the place; and in the frame the bucket's number. */
enum { R_KEPT = 9, BUCKET = -32 };

bool
ebpf_front_has(const struct ebpf *g, const struct plan_var *v)
{
	const struct ebpf_var_table *t = ebpf_table_of(g, v);

	/* What the library keeps (__name) is of what happens seldom. */
	return t && !t->table->shared && !t->table->own &&
	       t->table->key_size <= KEY_MAX &&
	       v->scope == DIF_VS_GLOBAL && !plan_var_is_ref(v);
}

/* How many there are among the first n variables. */
static uint32_t
count_fronts(const struct ebpf *g, size_t n)
{
	uint32_t fronts = 0;

	for (size_t i = 0; i < n; i++)
		fronts += ebpf_front_has(g, &g->plan->vars[i]);
	return fronts;
}

uint32_t
ebpf_fronts(const struct ebpf *g)
{
	return count_fronts(g, g->plan->nvars);
}

/* r0 is mixed, so that its low bits depend on all.  Each step can be undone, so nothing is
 * lost. */
static void
mix(struct ebpf_out *o)
{
	ebpf_alu(o, BPF_MUL, BPF_REG_0, BPF_REG_1);
	ebpf_mov(o, BPF_REG_2, BPF_REG_0);
	ebpf_alu_imm(o, BPF_RSH, BPF_REG_2, 32);
	ebpf_alu(o, BPF_XOR, BPF_REG_0, BPF_REG_2);
}

/* r0 <- the hash of the key in the slot, which is not 0. */
static void
hash_key(struct ebpf_out *o, const struct plan_var *v)
{
	uint32_t size = ebpf_table_of(o->g, v)->table->key_size;
	int some = ebpf_label(o);

	assert(size % 8 == 0);
	ebpf_imm(o, BPF_REG_1, FACTOR);
	ebpf_imm(o, BPF_REG_0, 0);
	for (uint32_t at = 0; at < size; at += 8) {
		ebpf_load(o, 8, BPF_REG_2, R_SLOT, (int32_t)(o->g->lay.varkey + at));
		ebpf_alu(o, BPF_XOR, BPF_REG_0, BPF_REG_2);
		mix(o);
	}
	ebpf_jmp_imm(o, BPF_JNE, BPF_REG_0, 0, some);
	ebpf_imm(o, BPF_REG_0, 1);
	ebpf_place(o, some);
}

void
ebpf_front_find(struct ebpf_out *o, const struct plan_var *v, int needs, int absent, int full)
{
	uint32_t before = count_fronts(o->g, (size_t)(v - o->g->plan->vars));
	int some = ebpf_label(o);

	hash_key(o, v);
	ebpf_mov(o, BPF_REG_1, BPF_REG_0);
	ebpf_mov(o, BPF_REG_2, BPF_REG_0);
	ebpf_alu_imm(o, BPF_AND, BPF_REG_2, ABI_FRONT_BUCKETS - 1);
	/* Nobody has the first. */
	ebpf_alu_imm(o, BPF_ADD, BPF_REG_2, (int32_t)(1 + before * ABI_FRONT_BUCKETS));
	ebpf_store(o, 4, BPF_REG_10, BUCKET, BPF_REG_2);
	ebpf_mov(o, R_KEPT, BPF_REG_1);
	ebpf_rt(o, "rt_front", 2);
	if (needs >= 0) {
		ebpf_jmp_imm(o, BPF_JNE, BPF_REG_0, (int32_t)ABI_FRONT_NONE, some);
		ebpf_jmp_imm(o, BPF_JEQ, (uint8_t)needs, 0, absent);
		ebpf_mov(o, BPF_REG_1, R_KEPT);
		ebpf_load(o, 4, BPF_REG_2, BPF_REG_10, BUCKET);
		ebpf_rt(o, "rt_front_new", 2);
		ebpf_place(o, some);
	} else {
		ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, (int32_t)ABI_FRONT_NONE, absent);
	}
	ebpf_jmp_imm(o, BPF_JGE, BPF_REG_0, ABI_FRONT_PLACES, full);
	ebpf_mov(o, R_KEPT, BPF_REG_0);
	ebpf_rtmap(o, BPF_REG_1, "dt_fronts");
	ebpf_lea(o, BPF_REG_2, BPF_REG_10, BUCKET);
	ebpf_helper(o, BPF_FUNC_map_lookup_elem);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, full);
	ebpf_alu_imm(o, BPF_MUL, R_KEPT, sizeof(struct abi_front));
	ebpf_alu(o, BPF_ADD, BPF_REG_0, R_KEPT);
	ebpf_alu_imm(o, BPF_ADD, BPF_REG_0, offsetof(struct abi_front, number));
}
