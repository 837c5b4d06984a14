/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Expressions to values, one small function for each kind of node.  Every
 * node is looked at through sema_eval(), and constants never reach the table.
 */
#include <assert.h>
#include <string.h>

#include "gen/expr_priv.h"
#include "gen/memory_priv.h"
#include "gen/value_priv.h"
#include "gen/var_priv.h"
#include "sema/tree.h"
#include "type/convert.h"
#include "type/text.h"
#include "util/number.h"

/* Trees of the parser are LANG_MAX_HEIGHT high at most; inlines may add. */
enum { MAX_NESTING = 2 * LANG_MAX_HEIGHT };

static struct gen_val
nothing(void)
{
	return gen_val_const(0, gen_int_s64);
}

static struct gen_val
bad_node(struct gen_code *c, const struct ast_node *n)
{
	gen_fail(c, D_CG_EXPR, "this expression has no value");
	return nothing();
}

/* The bits, or the address of the text when a register is too narrow. */
static struct gen_val
eval_float(struct gen_code *c, const struct ast_node *n)
{
	size_t len = strlen(n->str);

	if (n->type == &type_float)
		return gen_val_const(number_float_bits(n->str),
				     gen_int_of(n->type));
	if (!gen_is_ref(n->type))
		return gen_val_const(number_double_bits(n->str),
				     gen_int_of(n->type));
	if (len >= c->g->strsize)
		gen_fail(c, D_CG_EXPR, "strsize is too small for the constant "
			 "%s", n->str);
	return gen_val_reg(gen_emit_reg(c, DIF_OP_SETS, 0, 0,
			   gen_string(c, n->str, len)), gen_int_u64);
}

static struct gen_val
eval_memory(struct gen_code *c, const struct ast_node *n)
{
	return gen_load_bits(c, gen_addr(c, n), n->type, n->bit_offset,
			     n->bit_size);
}

static struct gen_val
eval_name(struct gen_code *c, const struct ast_node *n)
{
	const struct sema_ident *id = n->ident;

	if (!id)
		return bad_node(c, n);
	switch (id->kind) {
	case SEMA_VAR: {
		struct gen_var v = gen_var_open(c, n);
		return gen_var_load(c, &v);
	}
	case SEMA_BVAR: {
		struct gen_val v = gen_bvar_load(c, id->id, n->type);
		v.as = gen_int_of(n->type);
		return v;
	}
	case SEMA_ENUM:
		return gen_val_const(id->value, gen_int_of(n->type));
	case SEMA_KSYM:
	case SEMA_KVAR:
		return eval_memory(c, n);
	default:
		return bad_node(c, n);
	}
}

/* --- Arrays ------------------------------------------------------------- */

/* args[n]: what came in a 64-bit word, as its own type. */
static struct gen_val
eval_arg(struct gen_code *c, const struct ast_node *n)
{
	struct gen_val v = gen_bvar_load(c, DIF_VAR_ARG0 + (unsigned)n->value,
					 type_alias("int64_t"));

	v.as = gen_int_of(n->type);
	v.dirty = v.as.size < 8;
	return v;
}

static struct gen_val
eval_uregs(struct gen_code *c, const struct ast_node *n)
{
	const struct dif_bvarinfo *info = dif_bvar_info(DIF_VAR_UREGS);
	struct dif_type t = { .ckind = DIF_CK_INTEGER, .size = 8 };
	uint32_t i = gen_as(c, gen_eval(c, n->list), gen_int_s64);

	gen_use_var(c, info->name, info->id, DIF_VK_ARRAY, DIF_VS_GLOBAL, t,
		    DIF_VF_REF);
	return gen_val_reg(gen_emit_reg(c, DIF_OP_LDGA, 0, i, info->id),
			   gen_int_u64);
}

/* Does the string n lie somewhere with zeros behind it? */
static bool
lies_in_memory(const struct ast_node *n)
{
	const struct sema_ident *id = gen_is_var(n);

	if (id)
		return id->in_memory;
	return n->kind == AST_DOT || n->kind == AST_ARROW ||
	       n->kind == AST_INDEX ||
	       (n->kind == AST_UNARY && n->op == AST_DEREF);
}

/* s[i] where nothing is known of what lies behind the NUL: it is a byte 0. */
static struct gen_val
eval_byte(struct gen_code *c, const struct ast_node *n)
{
	const struct ast_node *k = sema_eval(n->kid[0]);
	struct gen_val s = gen_operand(c, k, gen_eval(c, k), true), i;

	s = gen_hold(c, k, s, n->list);
	i = gen_eval(c, n->list);
	if (!i.is_const)
		i = gen_check_bound(c, i, c->g->strsize);
	uint32_t args[] = { gen_in_reg(c, s), gen_in_reg(c, i),
			    gen_const(c, 1) };
	uint32_t limits[] = { gen_limit(c, k), 0, 0 };
	struct gen_addr a = { .base = gen_val_reg(
		gen_call_subr(c, DIF_SUBR_SUBSTR, "si|i", args, limits, 3),
		gen_int_u64) };
	return gen_load(c, a, n->type);
}

static struct gen_val
eval_index(struct gen_code *c, const struct ast_node *n)
{
	if (gen_is_var(n)) {
		struct gen_var v = gen_var_open(c, n);
		return gen_var_load(c, &v);
	}
	const struct ast_node *k = sema_eval(n->kid[0]);
	const struct sema_ident *id = k->ident ? k->ident : n->ident;
	if (k->kind == AST_IDENT && id && id->kind == SEMA_BVAR &&
	    id->is_array)
		return id->id == DIF_VAR_ARGS ? eval_arg(c, n)
					      : eval_uregs(c, n);
	if (type_is_string(k->type) && !lies_in_memory(k))
		return eval_byte(c, n);
	return eval_memory(c, n);
}

/* --- Arithmetic --------------------------------------------------------- */

/* `low`: the low bits of the result depend on low bits alone. */
static const struct { uint8_t op[2]; bool low; } rows[] = {
	[AST_ADD] = { { DIF_OP_ADD, DIF_OP_ADD }, true },
	[AST_SUB] = { { DIF_OP_SUB, DIF_OP_SUB }, true },
	[AST_MUL] = { { DIF_OP_MUL, DIF_OP_MUL }, true },
	[AST_DIV] = { { DIF_OP_UDIV, DIF_OP_SDIV }, false },
	[AST_MOD] = { { DIF_OP_UREM, DIF_OP_SREM }, false },
	[AST_SHL] = { { DIF_OP_SLL, DIF_OP_SLL }, true },
	[AST_SHR] = { { DIF_OP_SRL, DIF_OP_SRA }, false },
	[AST_BAND] = { { DIF_OP_AND, DIF_OP_AND }, true },
	[AST_BOR] = { { DIF_OP_OR, DIF_OP_OR }, true },
	[AST_BXOR] = { { DIF_OP_XOR, DIF_OP_XOR }, true },
};

struct gen_int
gen_arith_for(enum ast_op op, const struct type *t, struct gen_int to)
{
	return rows[op].low && to.size <= type_size(t) && !to.is_bool
	       ? gen_int_of(t) : gen_arith_int(t);
}

struct gen_val
gen_arith(struct gen_code *c, enum ast_op op, struct gen_val a,
	  struct gen_val b, struct gen_int t)
{
	bool low = rows[op].low;
	bool bitwise = op == AST_BAND || op == AST_BOR || op == AST_BXOR;

	a = gen_convert(c, a, t);
	if (op != AST_SHL && op != AST_SHR)
		b = gen_convert(c, b, t);
	if (!low) {
		a = gen_clean(c, a);
		b = gen_clean(c, b);
	}
	uint32_t ra = gen_in_reg(c, a), rb = gen_in_reg(c, b);
	struct gen_val r = gen_val_reg(
		gen_emit_reg(c, rows[op].op[t.is_signed], ra, rb, 0), t);
	/* INT_MIN / -1 is the one quotient that does not fit. */
	bool by_minus_1 = !b.is_const || b.value == UINT64_MAX;
	bool may_grow = bitwise ? a.dirty || b.dirty
			: low || (op == AST_DIV && t.is_signed && by_minus_1);
	r.dirty = may_grow && t.size < 8;
	return r;
}

/* Bytes from one element to the next. */
static uint64_t
stride(const struct type *t)
{
	const struct type *to = type_strip(type_strip(t)->base);
	uint64_t size = type_size(to);

	return size ? size : 1;
}

static struct gen_val
scale(struct gen_code *c, struct gen_val i, uint64_t by)
{
	if (i.is_const)
		return gen_val_const(i.value * by, gen_int_s64);
	i = gen_clean(c, gen_convert(c, i, gen_int_s64));
	if (by == 1)
		return i;
	bool power = !(by & (by - 1));
	uint32_t n = gen_const(c, power ? (uint64_t)__builtin_ctzll(by) : by);
	i.reg = gen_emit_reg(c, power ? DIF_OP_SLL : DIF_OP_MUL, i.reg, n, 0);
	return i;
}

struct gen_val
gen_ptr_add(struct gen_code *c, struct gen_val p, struct gen_val i,
	    const struct type *t, bool minus)
{
	bool user = p.user;

	i = scale(c, i, stride(t));
	p = gen_arith(c, minus ? AST_SUB : AST_ADD, p, i, gen_int_u64);
	p.user = user;
	return p;
}

static struct gen_val
ptr_diff(struct gen_code *c, struct gen_val a, struct gen_val b,
	 const struct type *t)
{
	uint64_t by = stride(t);
	struct gen_val d = gen_arith(c, AST_SUB, a, b, gen_int_s64);

	if (by == 1)
		return d;
	return gen_arith(c, AST_DIV, d, gen_val_const(by, gen_int_s64),
			 gen_int_s64);
}

static bool
points(const struct type *t)
{
	return type_is_ptr(t) || type_is_array(t);
}

void
gen_eval2(struct gen_code *c, const struct ast_node *a,
	  const struct ast_node *b, struct gen_val *va, struct gen_val *vb)
{
	if (gen_swaps(a, b)) {
		*vb = gen_eval(c, b);
		*va = gen_eval(c, a);
	} else {
		*va = gen_eval(c, a);
		*vb = gen_eval(c, b);
	}
}

/* The type that two integers are brought to. */
static const struct type *
common(const struct ast_node *a, const struct ast_node *b)
{
	return type_usual_arith(sema_arith_type(a), sema_arith_type(b));
}

static struct gen_val
eval_binary(struct gen_code *c, const struct ast_node *n)
{
	const struct ast_node *a = n->kid[0], *b = n->kid[1];
	struct gen_val va, vb;

	if (n->op == AST_COMMA) {
		gen_eval(c, a);
		return gen_eval(c, b);
	}
	if (n->op >= AST_LT && n->op <= AST_LXOR)
		return gen_truth(c, n);

	const struct type *ta = sema_eval(a)->type, *tb = sema_eval(b)->type;
	gen_eval2(c, a, b, &va, &vb);
	if (points(ta) && points(tb))
		return ptr_diff(c, va, vb, ta);
	if (points(ta))
		return gen_ptr_add(c, va, vb, ta, n->op == AST_SUB);
	if (points(tb))
		return gen_ptr_add(c, vb, va, tb, false);
	if (!type_is_integer(ta) || !type_is_integer(tb))
		return bad_node(c, n);
	bool shift = n->op == AST_SHL || n->op == AST_SHR;
	return gen_arith(c, n->op, va, vb,
			 gen_arith_int(type_promote(shift ? sema_arith_type(a)
							  : common(a, b))));
}

static struct gen_int
promoted(const struct ast_node *k)
{
	return gen_arith_int(type_promote(sema_arith_type(k)));
}

static struct gen_val
eval_unary(struct gen_code *c, const struct ast_node *n)
{
	const struct ast_node *k = sema_eval(n->kid[0]);
	struct gen_val v;

	switch (n->op) {
	case AST_LNOT:
		return gen_truth(c, n);
	case AST_DEREF:
		return eval_memory(c, n);
	case AST_ADDR: {
		struct gen_addr a = gen_addr_of(c, k);
		v = gen_val_reg(gen_addr_reg(c, a), gen_int_u64);
		v.user = a.base.user;
		return v;
	}
	case AST_NEG:
		return gen_arith(c, AST_SUB, nothing(), gen_eval(c, k),
				 promoted(k));
	case AST_PLUS:
		return gen_convert(c, gen_eval(c, k), promoted(k));
	case AST_BNOT:
		v = gen_convert(c, gen_eval(c, k), promoted(k));
		v = gen_val_reg(gen_emit_reg(c, DIF_OP_NOT, gen_in_reg(c, v), 0,
					     0), v.as);
		v.dirty = v.as.size < 8;
		return v;
	default:
		return gen_step(c, n);
	}
}

/* --- Conversions -------------------------------------------------------- */

/* A string, struct or array is its address already. */
static struct gen_val
eval_cast(struct gen_code *c, const struct ast_node *n)
{
	struct gen_val v = gen_eval(c, n->kid[0]);

	if (type_is_void(n->type) || gen_is_ref(n->type))
		return v;
	return gen_convert(c, gen_recode(c, n->kid[0], v, n->type),
			   gen_int_of(n->type));
}

static struct gen_val
eval_stringof(struct gen_code *c, const struct ast_node *n)
{
	return gen_eval(c, n->kid[0]);
}

typedef struct gen_val eval_fn(struct gen_code *c, const struct ast_node *n);

static eval_fn *const by_kind[] = {
	[AST_FLOAT] = eval_float,	[AST_IDENT] = eval_name,
	[AST_THIS] = eval_name,		[AST_SELF] = eval_name,
	[AST_SYM] = eval_name,		[AST_INDEX] = eval_index,
	[AST_CALL] = gen_call,		[AST_UNARY] = eval_unary,
	[AST_BINARY] = eval_binary,	[AST_ASSIGN] = gen_assign,
	[AST_COND] = gen_select,	[AST_CAST] = eval_cast,
	[AST_STRINGOF] = eval_stringof,	[AST_XLATE] = gen_xlate,
	[AST_DOT] = eval_memory,	[AST_ARROW] = eval_memory,
};

static struct gen_val
eval_const(struct gen_code *c, const struct ast_node *n)
{
	if (n->str && !type_is_integer(n->type))
		return gen_val_reg(gen_emit_reg(c, DIF_OP_SETS, 0, 0,
				   gen_string(c, n->str, n->str_len)),
				   gen_int_u64);
	return gen_val_const(n->value, gen_int_of(n->type));
}

/* Counting lines from the start of the text is dear, so only where there was
 * a newline since the last time.  What came from another text (an inline of
 * a library) keeps the line of its use. */
static void
note_line(struct gen_code *c, const struct ast_node *n)
{
	struct lang_span s = n->span;
	unsigned line;

	if (!s.src || (c->where.src && c->where.src != s.src) ||
	    s.off >= s.src->size)
		return;
	if (c->where.src) {
		uint32_t from = BASE_MIN(c->where.off, s.off);
		uint32_t to = BASE_MAX(c->where.off, s.off);
		if (!memchr(s.src->text + from, '\n', to - from))
			return;
	}
	lang_span_where(s, &line, NULL, NULL);
	c->line = line;
	c->where = s;
}

static bool
is_user_ptr(const struct type *t)
{
	return type_is_ptr(t) && type_strip(t)->is_user;
}

struct gen_val
gen_eval(struct gen_code *c, const struct ast_node *n)
{
	struct gen_val v = nothing();

	n = sema_eval(n);
	if (c->failed || !n)
		return v;
	for (unsigned i = 0; i < BASE_NELEMS(n->kid); i++)
		assert(!n->kid[i] || n->kid[i]->height < n->height);
	if (c->nesting >= MAX_NESTING) {
		gen_fail(c, D_CG_EXPR, "expression is nested too deeply");
		return v;
	}
	note_line(c, n);
	c->nesting++;
	if (n->kind == AST_INT || n->kind == AST_STR ||
	    (n->is_const && n->kind != AST_FLOAT))
		v = eval_const(c, n);
	else if (n->kind < BASE_NELEMS(by_kind) && by_kind[n->kind])
		v = by_kind[n->kind](c, n);
	else
		v = bad_node(c, n);
	c->nesting--;
	v.user |= n->is_user || is_user_ptr(n->type);
	return v;
}
