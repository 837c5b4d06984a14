/* SPDX-License-Identifier: BSD-2-Clause
 *
 * D's variables.
 *
 * The tuple stack is empty between operations: whoever pushes flushes behind
 * the instruction that used the tuple.  So code that may be skipped leaves it
 * as it found it, as the verifier wants, and no operand can see the tuple of
 * another.  Only op= on an element keeps its key from load to store.
 *
 * A tuple has numbers and strings.  A struct as key is its bytes: as many
 * numbers of eight as fit, and smaller ones for the rest.
 */
#include <string.h>

#include "gen/expr_priv.h"
#include "gen/memory_priv.h"
#include "gen/value_priv.h"
#include "gen/var_priv.h"
#include "sema/tree.h"

uint8_t
gen_scope(const struct sema_ident *id)
{
	static const uint8_t scopes[] = {
		[SEMA_GLOBAL] = DIF_VS_GLOBAL, [SEMA_SELF] = DIF_VS_THREAD,
		[SEMA_THIS] = DIF_VS_LOCAL,
	};

	return scopes[id->scope];
}

static bool
is_name(const struct ast_node *n)
{
	return n->kind == AST_IDENT || n->kind == AST_THIS ||
	       n->kind == AST_SELF;
}

const struct sema_ident *
gen_is_var(const struct ast_node *n)
{
	const struct ast_node *k = n;

	if (n->kind == AST_INDEX)
		k = sema_eval(n->kid[0]);
	const struct sema_ident *id = k->ident ? k->ident : n->ident;
	if (!is_name(k) || !id || id->kind != SEMA_VAR ||
	    id->is_assoc != (n->kind == AST_INDEX))
		return NULL;
	return id;
}

uint64_t
gen_array_limit(const struct type *t)
{
	t = type_strip(t);
	return type_is_array(t) && t->nelems > 1 ? t->nelems : 0;
}

/* --- Keys --------------------------------------------------------------- */

/* The size of the number that stands for the bytes of a struct of this size
 * from off on. */
static unsigned
slice(uint64_t size, uint64_t off)
{
	unsigned n = 8;

	while (n > size - off)
		n /= 2;
	return n;
}

uint32_t
gen_key_cells(const struct sema_key *k)
{
	uint64_t size = type_size(k->type);
	uint32_t n = 0;

	if (!type_is_sou(k->type))
		return 1;
	if (size > DIF_NTUPLE * 8)
		return DIF_NTUPLE + 1;
	for (uint64_t off = 0; off < size; off += slice(size, off))
		n++;
	return n;
}

static uint32_t
count_cells(const struct sema_ident *id)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < id->nkeys; i++)
		n += gen_key_cells(&id->keys[i]);
	return n;
}

/* A struct into the keys from i on. */
static void
eval_struct_key(struct gen_code *c, const struct gen_var *v, unsigned i,
		const struct ast_node *n)
{
	static const struct type *const types[] = {
		[1] = &type_uchar, [2] = &type_ushort, [4] = &type_uint,
		[8] = &type_ulong,
	};
	uint64_t size = type_size(n->type), off = 0;
	struct gen_val val = gen_eval(c, n);

	val = gen_val_reg(gen_copy_in(c, val, size), gen_int_u64);
	for (; off < size && !c->failed; off += slice(size, off)) {
		struct gen_addr a = { .base = val, .off = off };
		v->keys[i++] = gen_in_reg(c, gen_load(c, a,
						types[slice(size, off)]));
	}
}

/* Whatever the type of a number, its 64-bit value counts: whoever first wrote
 * a[0] did not mean a[int]. */
static void
eval_key(struct gen_code *c, const struct gen_var *v, unsigned i,
	 const struct ast_node *n, bool str)
{
	struct gen_val val = gen_eval(c, n);

	if (str)
		val = gen_hold(c, n, gen_operand(c, n, val, true), n->next);
	v->keys[i] = gen_in_reg(c, gen_clean(c, val));
	if (str)
		v->limits[i] = gen_limit(c, n);
}

struct gen_var
gen_var_open(struct gen_code *c, const struct ast_node *n)
{
	struct gen_var v = { .id = gen_is_var(n) };
	unsigned i = 0;

	if (!v.id || !v.id->is_assoc)
		return v;
	v.n = count_cells(v.id);
	if (v.n > DIF_NTUPLE) {
		gen_fail(c, D_NOREG, "Insufficient tuple registers to "
			 "generate code: %s[ ] has %u keys, and %u is the most",
			 v.id->name, v.n, DIF_NTUPLE);
		return v;
	}
	v.keys = ARENA_ARRAY(c->g->a, uint32_t, v.n);
	v.limits = ARENA_ARRAY(c->g->a, uint32_t, v.n);
	v.is_str = ARENA_ARRAY(c->g->a, bool, v.n);
	if (!gen_had(c, v.is_str && v.keys && v.limits))
		return v;
	for (uint32_t k = 0; k < v.id->nkeys && (n = k ? n->next : n->list);
	     k++) {
		const struct sema_key *key = &v.id->keys[k];
		v.is_str[i] = type_is_string(key->type);
		if (type_is_sou(key->type))
			eval_struct_key(c, &v, i, n);
		else
			eval_key(c, &v, i, n, v.is_str[i]);
		i += gen_key_cells(key);
	}
	return v;
}

static void
push_keys(struct gen_code *c, const struct gen_var *v)
{
	if (!v->keys || !v->limits || !v->is_str)
		return;
	for (uint32_t i = 0; i < v->n; i++)
		gen_emit(c, v->is_str[i] ? DIF_OP_PUSHTR : DIF_OP_PUSHTV, 0,
			 v->limits[i], v->keys[i], 0);
}

/* --- Loads and stores --------------------------------------------------- */

static void
use(struct gen_code *c, const struct gen_var *v, uint16_t flags)
{
	gen_use_var(c, v->id->name, v->id->id,
		    v->id->is_assoc ? DIF_VK_ARRAY : DIF_VK_SCALAR,
		    gen_scope(v->id), gen_dif_var(v->id), flags);
}

/* Values by value whose variable is bytes in memory. */
static bool
is_cell(const struct sema_ident *id)
{
	return id->in_memory && !gen_is_ref(id->type);
}

/* What its ld* gives: the value, or its address. */
static uint32_t
load(struct gen_code *c, const struct gen_var *v)
{
	static const uint8_t ops[2][3] = {
		{ DIF_OP_LDGS, DIF_OP_LDTS, DIF_OP_LDLS },
		{ DIF_OP_LDGAA, DIF_OP_LDTAA },
	};
	bool aa = v->id->is_assoc;

	use(c, v, DIF_VF_REF);
	push_keys(c, v);
	uint32_t reg = gen_emit_reg(c, ops[aa][gen_scope(v->id)], 0, 0,
				    v->id->id);
	if (aa && !v->keep)
		gen_emit(c, DIF_OP_FLUSHTS, 0, 0, 0, 0);
	return reg;
}

struct gen_val
gen_var_addr(struct gen_code *c, const struct gen_var *v)
{
	return gen_val_reg(load(c, v), gen_int_u64);
}

struct gen_val
gen_var_load(struct gen_code *c, const struct gen_var *v)
{
	struct gen_val val = { .as = gen_var_int(v->id) };

	if (is_cell(v->id))
		return gen_load(c, (struct gen_addr){
					.base = gen_var_addr(c, v) },
				v->id->type);
	val.reg = load(c, v);
	/* Loads extend with zeros. */
	val.dirty = val.as.is_signed && val.as.size < 8;
	return val;
}

void
gen_var_store_bytes(struct gen_code *c, const struct gen_var *v,
		    struct gen_val val)
{
	static const uint8_t ops[2][3] = {
		{ DIF_OP_STGS, DIF_OP_STTS, DIF_OP_STLS },
		{ DIF_OP_STGAA, DIF_OP_STTAA },
	};
	bool aa = v->id->is_assoc;
	uint32_t reg = gen_in_reg(c, val);

	if (type_is_sou(v->id->type))
		reg = gen_copy_in(c, val, type_size(v->id->type));
	use(c, v, DIF_VF_MOD);
	if (!v->keep)
		push_keys(c, v);
	gen_emit(c, ops[aa][gen_scope(v->id)], 0, 0, reg, v->id->id);
	if (aa)
		gen_emit(c, DIF_OP_FLUSHTS, 0, 0, 0, 0);
}

/* A string that is kept as bytes, where its variable may not exist: "no string"
 * ends its existence. */
static void
store_dynamic_string(struct gen_code *c, const struct gen_var *v,
		     struct gen_val val)
{
	uint32_t size = gen_const(c, type_size(v->id->type));
	uint32_t rd = gen_reg(c), none = gen_label(c);

	gen_move(c, gen_in_reg(c, val), rd);
	gen_emit(c, DIF_OP_TST, rd, 0, 0, 0);
	gen_jump(c, DIF_OP_BE, none);
	struct gen_addr copy = { .base = gen_val_reg(
		gen_emit_reg(c, DIF_OP_ALLOCS, size, 0, 0), gen_int_u64) };
	gen_store(c, copy, gen_val_reg(rd, gen_int_u64), v->id->type);
	gen_emit(c, DIF_OP_MOV, copy.base.reg, 0, rd, 0);
	gen_place(c, none);
	gen_var_store_bytes(c, v, gen_val_reg(rd, gen_int_u64));
}

void
gen_var_store(struct gen_code *c, const struct gen_var *v, struct gen_val val)
{
	bool is_bytes = is_cell(v->id) ||
			(v->id->in_memory && type_is_string(v->id->type));

	if (!is_bytes)
		gen_var_store_bytes(c, v, val);
	else if (v->id->is_assoc || v->id->scope == SEMA_SELF)
		store_dynamic_string(c, v, val);
	else
		gen_store(c, (struct gen_addr){ .base = gen_var_addr(c, v) },
			  val, v->id->type);
}

void
gen_var_add(struct gen_code *c, const struct gen_var *v, uint32_t reg,
	    struct gen_val *old)
{
	use(c, v, DIF_VF_REF | DIF_VF_MOD);
	push_keys(c, v);
	gen_emit(c, v->id->is_assoc ? DIF_OP_ADDGAA : DIF_OP_ADDGS, 0, 0, reg,
		 v->id->id);
	if (old) {
		*old = (struct gen_val){ .as = gen_var_int(v->id) };
		old->reg = gen_emit_reg(c, v->id->is_assoc ? DIF_OP_OLDGAA
					: DIF_OP_OLDGS, 0, 0, v->id->id);
		old->dirty = old->as.is_signed && old->as.size < 8;
	}
	if (v->id->is_assoc)
		gen_emit(c, DIF_OP_FLUSHTS, 0, 0, 0, 0);
}

struct gen_val
gen_bvar_load(struct gen_code *c, unsigned id, const struct type *t)
{
	const struct dif_bvarinfo *info = dif_bvar_info(id);

	if (!info) {
		gen_fail(c, D_NOTIMPL, "this variable is not available yet");
		return gen_val_const(0, gen_int_u64);
	}
	gen_use_var(c, info->name, id, DIF_VK_SCALAR, DIF_VS_GLOBAL,
		    gen_dif_type(t, false), DIF_VF_REF);
	return gen_val_reg(gen_emit_reg(c, DIF_OP_LDGS, 0, 0, id),
			   gen_int_u64);
}
