/* SPDX-License-Identifier: BSD-2-Clause
 *
 * C's integers in 64-bit registers.
 *
 * DIF computes with 64 bits only, and so does D wherever C does not say that
 * something is cut: whatever is computed in a signed type is computed in 64 bits
 * (gen_arith_int()), and so is what a variable holds that keeps all of it
 * (gen_target_int()).  What remains narrow is unsigned int, casts, and what comes
 * from or goes to memory and declared variables.  A value of a narrower type
 * stands in its register extended by its sign.  Restoring that costs two or
 * three instructions, and many operations do not care: the low bits of a sum,
 * product or bitwise result depend on the low bits of the operands alone, and
 * stores look at nothing else.  So a value may be *dirty* above its size, and
 * gen_clean() runs only for those who do care: comparison, division, shifting
 * right, widening.  Constants are converted here and now.
 */
#include "gen/expr_priv.h"
#include "gen/value_priv.h"
#include "sema/tree.h"
#include "util/number.h"

const struct gen_int gen_int_s32 = { .size = 4, .is_signed = true };
const struct gen_int gen_int_s64 = { .size = 8, .is_signed = true };
const struct gen_int gen_int_u64 = { .size = 8 };

bool
gen_is_ref(const struct type *t)
{
	t = type_strip(t);
	if (!t)
		return false;
	switch (t->kind) {
	case TYPE_STRUCT:
	case TYPE_UNION:
	case TYPE_ARRAY:
	case TYPE_STRING:
	case TYPE_FUNC:
		return true;
	case TYPE_INT:
	case TYPE_ENUM:
	case TYPE_FLOAT:
		return t->size != 1 && t->size != 2 && t->size != 4 &&
		       t->size != 8;
	default:
		return false;
	}
}

struct gen_int
gen_int_of(const struct type *t)
{
	t = type_strip(t);
	/* Those of a process of 32 bits are narrow. */
	if (t && t->kind == TYPE_PTR)
		return (struct gen_int){ .size = (uint8_t)t->size };
	if (!t || gen_is_ref(t) ||
	    (t->kind != TYPE_INT && t->kind != TYPE_ENUM &&
	     t->kind != TYPE_FLOAT))
		return gen_int_u64;
	return (struct gen_int){
		.size = (uint8_t)t->size, .is_signed = t->is_signed,
		.is_bool = t->is_bool,
	};
}

struct gen_int
gen_arith_int(const struct type *t)
{
	struct gen_int as = gen_int_of(t);

	return as.is_signed ? gen_int_s64 : as;
}

static struct gen_int
all_bits(const struct type *t)
{
	return type_is_signed(t) ? gen_int_s64 : gen_int_u64;
}

struct gen_int
gen_var_int(const struct sema_ident *id)
{
	bool is_wide = id->is_wide && !id->in_memory;

	return is_wide ? all_bits(id->type) : gen_int_of(id->type);
}

struct gen_int
gen_target_int(const struct ast_node *n)
{
	const struct sema_ident *id = sema_keeps_all(n);

	return id ? gen_var_int(id) : gen_int_of(sema_eval(n)->type);
}

struct gen_val
gen_convert_to(struct gen_code *c, struct gen_val v, const struct type *from,
	       const struct ast_node *target)
{
	struct gen_int to = gen_target_int(target);
	const struct type *t = sema_eval(target)->type;

	/* A negative number that is no longer becomes unsigned as in C. */
	if (type_is_integer(t) && type_size(t) < to.size &&
	    !type_is_signed(t) && type_is_signed(from) &&
	    type_size(from) <= type_size(t) && v.as.size <= type_size(t))
		v = gen_convert(c, v, gen_int_of(t));
	return gen_convert(c, v, to);
}

struct dif_type
gen_dif_string(uint64_t size)
{
	return (struct dif_type){
		.kind = DIF_TYPE_STRING, .flags = DIF_TF_BYREF,
		.size = size ? (uint32_t)size : 1,
	};
}

struct dif_type
gen_dif_type(const struct type *t, bool user)
{
	static const uint8_t ckinds[] = {
		[TYPE_VOID] = DIF_CK_UNKNOWN,	[TYPE_INT] = DIF_CK_INTEGER,
		[TYPE_FLOAT] = DIF_CK_FLOAT,	[TYPE_PTR] = DIF_CK_POINTER,
		[TYPE_ARRAY] = DIF_CK_ARRAY,	[TYPE_FUNC] = DIF_CK_FUNCTION,
		[TYPE_STRUCT] = DIF_CK_STRUCT,	[TYPE_UNION] = DIF_CK_UNION,
		[TYPE_ENUM] = DIF_CK_ENUM,	[TYPE_FWD] = DIF_CK_FORWARD,
	};

	t = type_strip(t);
	if (type_is_string(t))
		return gen_dif_string(t->size);
	struct dif_type d = {
		.size = t ? (uint32_t)t->size : 0,
		.ckind = t && t->kind < BASE_NELEMS(ckinds) ? ckinds[t->kind]
							    : DIF_CK_UNKNOWN,
	};
	if (type_is_func(t))
		d.size = 8;	/* its address */
	else if (gen_is_ref(t))
		d.flags = (uint8_t)(DIF_TF_BYREF | (user ? DIF_TF_BYUREF : 0));
	return d;
}

struct dif_type
gen_dif_var(const struct sema_ident *id)
{
	struct dif_type d = gen_dif_type(id->type, false);

	if (id->is_wide && !id->in_memory)
		d.size = 8;
	if (id->in_memory) {
		d.kind = DIF_TYPE_CTF;
		d.flags |= DIF_TF_BYREF;
	}
	return d;
}

struct gen_val
gen_val_reg(uint32_t reg, struct gen_int as)
{
	return (struct gen_val){ .reg = reg, .as = as };
}

struct gen_val
gen_val_const(uint64_t value, struct gen_int as)
{
	return (struct gen_val){ .is_const = true, .value = value, .as = as };
}

uint32_t
gen_in_reg(struct gen_code *c, struct gen_val v)
{
	return v.is_const ? gen_const(c, v.value) : v.reg;
}

static uint64_t
extend(uint64_t value, struct gen_int as)
{
	unsigned bits = as.size * 8u;

	if (bits == 64)
		return value;
	return as.is_signed ? (uint64_t)base_sext(value, bits)
			    : value & ((1ULL << bits) - 1);
}

struct gen_val
gen_clean(struct gen_code *c, struct gen_val v)
{
	unsigned spare = 64 - v.as.size * 8u;

	if (!v.dirty || v.is_const)
		return v;
	v.dirty = false;
	if (!v.as.is_signed) {
		uint32_t mask = gen_const(c, ~0ULL >> spare);
		v.reg = gen_emit_reg(c, DIF_OP_AND, v.reg, mask, 0);
		return v;
	}
	uint32_t n = gen_const(c, spare);
	v.reg = gen_emit_reg(c, DIF_OP_SLL, v.reg, n, 0);
	v.reg = gen_emit_reg(c, DIF_OP_SRA, v.reg, n, 0);
	return v;
}

static struct gen_val
to_bool(struct gen_code *c, struct gen_val v, struct gen_int to)
{
	uint32_t rd = gen_reg(c), end = gen_label(c), zero = gen_label(c);

	v = gen_clean(c, v);
	gen_emit(c, DIF_OP_TST, v.reg, 0, 0, 0);
	gen_jump(c, DIF_OP_BE, zero);
	gen_emit(c, DIF_OP_SETX, 0, 0, rd, 1);
	gen_jump(c, DIF_OP_BA, end);
	gen_place(c, zero);
	gen_emit(c, DIF_OP_MOV, 0, 0, rd, 0);
	gen_place(c, end);
	return gen_val_reg(rd, to);
}

/* Every value of `from`, extended to 64 bits, is one of `to`, so extended. */
static bool
fits(struct gen_int from, struct gen_int to)
{
	if (from.is_bool || to.size == 8)
		return true;
	if (from.is_signed == to.is_signed)
		return from.size <= to.size;
	return to.is_signed && from.size < to.size;
}

struct gen_val
gen_convert(struct gen_code *c, struct gen_val v, struct gen_int to)
{
	if (to.is_bool && !v.as.is_bool) {
		if (v.is_const)
			return gen_val_const(v.value != 0, to);
		return to_bool(c, v, to);
	}
	if (v.is_const) {
		v.value = extend(v.value, to);
		v.as = to;
		return v;
	}
	/* Bits between the old size and the new have to be right. */
	if (to.size > v.as.size)
		v = gen_clean(c, v);
	if (v.dirty) {
		/* The same bits seen as another type stay dirty. */
		v.dirty = to.size < 8;
	} else {
		v.dirty = !fits(v.as, to);
	}
	v.as = to;
	return v;
}

static unsigned
encoding_of(const struct type *t)
{
	if (type_is_float(t))
		return type_size(t) == 4 ? DIF_NUM_FLOAT : DIF_NUM_DOUBLE;
	return gen_int_of(t).is_signed ? DIF_NUM_SIGNED : DIF_NUM_UNSIGNED;
}

/* How a number of type t stands in a register once it is encoded so. */
static struct gen_int
int_of_encoding(unsigned encoding, const struct type *t)
{
	return encoding >= DIF_NUM_FLOAT ? gen_int_of(t) :
	       encoding == DIF_NUM_SIGNED ? gen_int_s64 : gen_int_u64;
}

/* A number that is 0 where v is 0.0 or -0.0. */
static struct gen_val
drop_sign(struct gen_code *c, struct gen_val v, const struct type *from)
{
	uint32_t bits = gen_const(c, type_size(from) == 4 ? 33 : 1);

	return gen_val_reg(gen_emit_reg(c, DIF_OP_SLL, gen_in_reg(c, v), bits,
					0), gen_int_u64);
}

struct gen_val
gen_recode(struct gen_code *c, const struct ast_node *n, struct gen_val v,
	   const struct type *to)
{
	const struct ast_node *e = sema_eval(n);
	const struct type *from = e->type;
	unsigned a, b = encoding_of(to);

	if (!type_is_float(from) && !type_is_float(to))
		return v;
	if (e->kind == AST_FLOAT && gen_is_ref(from)) {
		from = &type_double;
		v = gen_val_const(number_double_bits(e->str),
				  gen_int_of(from));
	}
	a = encoding_of(from);
	if (a == b)
		return v;
	if (gen_int_of(to).is_bool)
		return drop_sign(c, v, from);
	struct gen_int as = int_of_encoding(b, to);
	v = gen_clean(c, v);
	if (v.is_const)
		return gen_val_const(dif_number(v.value, a, b), as);
	uint32_t args[] = { v.reg, gen_const(c, a), gen_const(c, b) };
	return gen_val_reg(gen_call_subr(c, DIF_SUBR_NUMBER, "iii", args,
					 NULL, 3), as);
}

uint32_t
gen_as(struct gen_code *c, struct gen_val v, struct gen_int to)
{
	return gen_in_reg(c, gen_clean(c, gen_convert(c, v, to)));
}
