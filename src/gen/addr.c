/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Objects in memory: where they lie, loading and storing them.
 *
 * An address is a base and a constant offset, so that a.b.c[3] costs one
 * addition.  Bit-fields are read and written through the bytes that hold them,
 * 1, 2, 4 or 8 at once, and in parts where they lie in another number: what is
 * behind a packed struct may be a page that is not there.
 */
#include "gen/expr_priv.h"
#include "gen/memory_priv.h"
#include "gen/value_priv.h"
#include "gen/var_priv.h"
#include "sema/tree.h"
#include "type/text.h"

/* The member that DOT or ARROW n names; a bit-field keeps its bit offset. */
static struct gen_addr
member(struct gen_addr a, const struct ast_node *n)
{
	if (!n->bit_size)
		a.off += n->bit_offset / 8;
	return a;
}

bool
gen_is_part(const struct ast_node *n)
{
	if (n->kind != AST_INDEX || gen_is_var(n))
		return false;
	const struct type *t = sema_eval(n->kid[0])->type;
	return type_is_array(t) || type_is_string(t);
}

/* How many elements there are for n to be one of; 0: nobody knows.  Arrays in
 * the kernel's structs are often longer than they say. */
static uint64_t
count_elements(const struct ast_node *n)
{
	const struct type *t = type_strip(sema_eval(n->kid[0])->type);

	if (type_is_string(t))
		return type_size(t);
	return type_is_array(t) && gen_whole(n) ? t->nelems : 0;
}

struct gen_val
gen_check_bound(struct gen_code *c, struct gen_val i, uint64_t n)
{
	uint32_t args[] = { gen_as(c, i, gen_int_s64), gen_const(c, n) };

	return gen_val_reg(gen_call_subr(c, DIF_SUBR_BOUND, "ii", args, NULL,
					 2), gen_int_s64);
}

/* An array is where it lies; a pointer says where.  past: one behind the last
 * element has an address, too. */
static struct gen_addr
addr_index(struct gen_code *c, const struct ast_node *n, bool past)
{
	const struct ast_node *k = sema_eval(n->kid[0]);
	struct gen_addr a = { .off = 0 };
	struct gen_val i;

	if (gen_is_ref(k->type) && gen_has_effect(n->list)) {
		/* It may change the variable whose address would wait. */
		i = gen_eval(c, n->list);
		a = gen_addr(c, k);
	} else if (gen_is_ref(k->type)) {
		a = gen_addr(c, k);
		i = gen_eval(c, n->list);
	} else {
		gen_eval2(c, k, n->list, &a.base, &i);
	}
	if (i.is_const) {
		uint64_t size = type_size(n->type);
		a.off += i.value * (size ? size : 1);
		return a;
	}
	uint64_t count = count_elements(n);
	if (count)
		i = gen_check_bound(c, i, count + past);
	a.base = gen_ptr_add(c, a.base, i, k->type, false);
	return a;
}

static bool
is_memory_index(const struct ast_node *n)
{
	const struct ast_node *k = sema_eval(n->kid[0]);

	if (n->kind != AST_INDEX || gen_is_var(n))
		return false;
	return type_is_ptr(k->type) || type_is_array(k->type) ||
	       type_is_string(k->type);
}

static struct gen_addr
find_addr(struct gen_code *c, const struct ast_node *n)
{
	if (n->kind == AST_DOT)
		return member(gen_addr(c, n->kid[0]), n);
	if (n->kind == AST_ARROW)
		return member((struct gen_addr){
				.base = gen_eval(c, n->kid[0]) }, n);
	if (n->kind == AST_UNARY && n->op == AST_DEREF)
		return (struct gen_addr){ .base = gen_eval(c, n->kid[0]) };
	if (n->ident && n->ident->kind == SEMA_KSYM) {
		struct gen_addr a = {
			.base = gen_val_const(n->ident->value, gen_int_u64) };
		a.base.user = n->is_user;
		return a;
	}
	if (n->ident && n->ident->kind == SEMA_KVAR)
		return (struct gen_addr){
			.base = gen_bvar_load(c, DIF_VAR_KVARS,
					      type_alias("uint64_t")),
			.off = n->ident->value };
	if (n->kind == AST_INDEX && is_memory_index(n))
		return addr_index(c, n, false);
	if (gen_is_var(n) && gen_is_var(n)->in_memory) {
		struct gen_var v = gen_var_open(c, n);
		return (struct gen_addr){ .base = gen_var_addr(c, &v) };
	}
	return (struct gen_addr){ .base = gen_eval(c, n) };
}

struct gen_addr
gen_addr(struct gen_code *c, const struct ast_node *n)
{
	n = sema_eval(n);
	if (n == c->alias.node)
		return (struct gen_addr){ .base = c->alias.at };
	if (c->failed)
		return (struct gen_addr){ .off = 0 };

	return find_addr(c, n);
}

struct gen_addr
gen_addr_of(struct gen_code *c, const struct ast_node *n)
{
	n = sema_eval(n);
	return gen_is_part(n) && n != c->alias.node ? addr_index(c, n, true)
						    : gen_addr(c, n);
}

uint32_t
gen_addr_reg(struct gen_code *c, struct gen_addr a)
{
	if (a.base.is_const)
		return gen_const(c, a.base.value + a.off);
	if (!a.off)
		return a.base.reg;
	return gen_emit_reg(c, DIF_OP_ADD, a.base.reg, gen_const(c, a.off), 0);
}

/* --- Loads -------------------------------------------------------------- */

static uint32_t
load_int(struct gen_code *c, struct gen_addr a, struct gen_int as)
{
	static const uint8_t ops[2][2][9] = {
		{ { [1] = DIF_OP_LDUB, [2] = DIF_OP_LDUH,
		    [4] = DIF_OP_LDUW, [8] = DIF_OP_LDX },
		  { [1] = DIF_OP_LDSB, [2] = DIF_OP_LDSH,
		    [4] = DIF_OP_LDSW, [8] = DIF_OP_LDX } },
		{ { [1] = DIF_OP_ULDUB, [2] = DIF_OP_ULDUH,
		    [4] = DIF_OP_ULDUW, [8] = DIF_OP_ULDX },
		  { [1] = DIF_OP_ULDSB, [2] = DIF_OP_ULDSH,
		    [4] = DIF_OP_ULDSW, [8] = DIF_OP_ULDX } },
	};

	return gen_emit_reg(c, ops[a.base.user][as.is_signed][as.size],
			    gen_addr_reg(c, a), 0, 0);
}

struct gen_val
gen_load(struct gen_code *c, struct gen_addr a, const struct type *t)
{
	struct gen_val v;

	if (gen_is_ref(t)) {
		v = gen_val_reg(gen_addr_reg(c, a), gen_int_u64);
	} else {
		struct gen_int as = gen_int_of(t);
		v = gen_val_reg(load_int(c, a, as), as);
	}
	/* What user memory points to is user memory. */
	v.user = a.base.user && !type_is_integer(t);
	return v;
}

/* --- Bit-fields --------------------------------------------------------- */

/* The bytes that hold a field, or its first part, and no others. */
struct unit {
	uint64_t byte;		/* from the start of the struct */
	uint32_t size;		/* 1, 2, 4, 8 */
	uint32_t shift, bits;
};

static struct unit
find_unit(uint64_t bit_offset, uint32_t bits)
{
	struct unit u = { bit_offset / 8, 1, (uint32_t)(bit_offset % 8), bits };

	while (u.size < 8 && 2 * u.size <= (u.shift + bits + 7) / 8)
		u.size *= 2;
	if (u.bits > u.size * 8 - u.shift)
		u.bits = u.size * 8 - u.shift;
	return u;
}

/* The bits at `shift` of r, extended to 64. */
static uint32_t
extract(struct gen_code *c, uint32_t r, uint32_t shift, uint32_t bits,
	bool is_signed)
{
	uint32_t left = gen_const(c, 64 - shift - bits);
	uint32_t right = shift ? gen_const(c, 64 - bits) : left;

	r = gen_emit_reg(c, DIF_OP_SLL, r, left, 0);
	return gen_emit_reg(c, is_signed ? DIF_OP_SRA : DIF_OP_SRL, r, right,
			    0);
}

static uint32_t
load_field(struct gen_code *c, struct gen_addr a, uint64_t bit_offset,
	   uint32_t bits, bool is_signed)
{
	struct unit u = find_unit(bit_offset, bits);

	if (u.bits < bits) {
		uint32_t r = load_field(c, a, bit_offset, u.bits, false);
		uint32_t high = load_field(c, a, bit_offset + u.bits,
					   bits - u.bits, is_signed);
		high = gen_emit_reg(c, DIF_OP_SLL, high, gen_const(c, u.bits), 0);
		return gen_emit_reg(c, DIF_OP_OR, r, high, 0);
	}
	a.off += u.byte;
	struct gen_int as = { .size = (uint8_t)u.size, .is_signed = is_signed };
	if (bits == u.size * 8u)
		return load_int(c, a, as);
	as.is_signed = false;
	return extract(c, load_int(c, a, as), u.shift, bits, is_signed);
}

struct gen_val
gen_load_bits(struct gen_code *c, struct gen_addr a, const struct type *t,
	      uint64_t bit_offset, uint32_t bits)
{
	struct gen_int as = gen_int_of(t);

	if (!bits)
		return gen_load(c, a, t);
	as.is_signed = type_is_signed_field(t);
	return gen_val_reg(load_field(c, a, bit_offset, bits, as.is_signed),
			   as);
}

/* --- Stores ------------------------------------------------------------- */

static void
store_int(struct gen_code *c, struct gen_addr a, uint32_t reg, unsigned size)
{
	static const uint8_t ops[] = {
		[1] = DIF_OP_STB, [2] = DIF_OP_STH, [4] = DIF_OP_STW,
		[8] = DIF_OP_STX,
	};

	gen_emit(c, ops[size], reg, 0, gen_addr_reg(c, a), 0);
}

static void
store_field(struct gen_code *c, struct gen_addr a, uint32_t reg,
	    uint64_t bit_offset, uint32_t bits)
{
	struct unit u = find_unit(bit_offset, bits);
	uint64_t mask = ~0ull >> (64 - bits);

	if (u.bits < bits) {
		store_field(c, a, reg, bit_offset, u.bits);
		reg = gen_emit_reg(c, DIF_OP_SRL, reg, gen_const(c, u.bits), 0);
		store_field(c, a, reg, bit_offset + u.bits, bits - u.bits);
		return;
	}
	a.off += u.byte;
	if (bits < u.size * 8u) {
		uint32_t keep, old = load_int(c, a, (struct gen_int){
						.size = (uint8_t)u.size });
		keep = gen_emit_reg(c, DIF_OP_AND, old,
				    gen_const(c, ~(mask << u.shift)), 0);
		reg = gen_emit_reg(c, DIF_OP_AND, reg, gen_const(c, mask), 0);
		if (u.shift)
			reg = gen_emit_reg(c, DIF_OP_SLL, reg,
					   gen_const(c, u.shift), 0);
		reg = gen_emit_reg(c, DIF_OP_OR, keep, reg, 0);
	}
	store_int(c, a, reg, u.size);
}

/* v is of the field's type, t; the result is what the field then holds. */
struct gen_val
gen_store_bits(struct gen_code *c, struct gen_addr a, struct gen_val v,
	       const struct type *t, uint64_t bit_offset, uint32_t bits)
{
	uint32_t reg = gen_in_reg(c, v);

	store_field(c, a, reg, bit_offset, bits);
	if (bits >= 64)
		return v;
	v.as.is_signed = type_is_signed_field(t);
	return gen_val_reg(extract(c, reg, 0, bits, v.as.is_signed), v.as);
}

/* A struct in user memory is copied to scratch; its address there. */
uint32_t
gen_copy_in(struct gen_code *c, struct gen_val v, uint64_t size)
{
	uint32_t from = gen_in_reg(c, v);

	if (!v.user)
		return from;
	uint32_t args[] = { from, gen_const(c, size) };
	return gen_call_subr(c, DIF_SUBR_COPYIN, "pi", args, NULL, 2);
}

/* A string that is a member or an element: its bytes, and zeros behind. */
static void
store_string(struct gen_code *c, uint32_t to, struct gen_val v, uint64_t size)
{
	uint64_t n = BASE_MIN(size, c->g->strsize);
	uint32_t from = gen_reg(c), done = gen_label(c);
	uint32_t src = gen_in_reg(c, v);

	gen_emit(c, DIF_OP_MOV, src, 0, from, 0);
	gen_emit(c, DIF_OP_TST, src, 0, 0, 0);
	gen_jump(c, DIF_OP_BNE, done);
	gen_emit(c, DIF_OP_SETS, 0, 0, from, gen_string(c, "", 0));
	gen_place(c, done);

	/* What is behind a string is not specified, and would tell apart keys
	 * that are structs: only the string itself goes to what is zeros. */
	uint32_t len = gen_call_subr(c, DIF_SUBR_STRLEN, "s", &from, NULL, 1);
	uint32_t clean = gen_emit_reg(c, DIF_OP_ALLOCS,
				      gen_const(c, c->g->strsize), 0, 0);
	gen_emit(c, DIF_OP_COPYS, from, len, clean, 0);
	gen_emit(c, DIF_OP_COPYS, clean, gen_const(c, n), to, 0);
	uint32_t end = gen_emit_reg(c, DIF_OP_ADD, to, gen_const(c, n - 1), 0);
	gen_emit(c, DIF_OP_STB, 0, 0, end, 0);
}

void
gen_store(struct gen_code *c, struct gen_addr a, struct gen_val v,
	  const struct type *t)
{
	uint64_t size = type_size(t);

	if (!gen_is_ref(t)) {
		store_int(c, a, gen_in_reg(c, v), gen_int_of(t).size);
	} else if (type_is_string(t)) {
		store_string(c, gen_addr_reg(c, a), v, size);
	} else {
		uint32_t from = gen_copy_in(c, v, size);
		gen_emit(c, DIF_OP_COPYS, from, gen_const(c, size),
			 gen_addr_reg(c, a), 0);
	}
}
