/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Constant folding.  A constant keeps its value in 64 bits, extended from its
 * type: with the sign when the type has one, else with zeros.  Arithmetic is
 * done in 64 bits, as it would be at run time (width.c): a result of unsigned
 * type is brought back to it, one of signed type may be beyond it.  Only
 * division, right shifts and comparisons must know whether they are signed.
 */
#include "sema/expr_priv.h"
#include "type/convert.h"

uint64_t
sema_cut(const struct type *t, uint64_t v)
{
	unsigned bits = (unsigned)type_size(t) * 8;

	t = type_strip(t);
	if (!t || bits == 0 || bits >= 64)
		return v;
	if (t->kind == TYPE_INT && t->is_bool)
		return v != 0;
	return type_is_signed(t) ? (uint64_t)base_sext(v, bits)
				 : v & ((1ULL << bits) - 1);
}

/* v converted to t, in which something is computed. */
static uint64_t
convert(const struct type *t, uint64_t v)
{
	return type_is_signed(t) ? v : sema_cut(t, v);
}

void
sema_set_const(struct ast_node *n, uint64_t v)
{
	n->is_const = true;
	n->value = sema_cut(n->type, v);
}

/* Make n the constant v, which was computed in its type. */
static void
set_result(struct ast_node *n, uint64_t v)
{
	n->is_const = true;
	n->value = convert(n->type, v);
}

static bool
is_number(const struct ast_node *n)
{
	return n->is_const && type_is_scalar(n->type);
}

void
sema_fold_unary(struct ast_node *n)
{
	uint64_t v = n->kid[0]->value;

	if (!is_number(n->kid[0]) || !n->type)
		return;
	switch (n->op) {
	case AST_NEG: set_result(n, -v); break;
	case AST_PLUS: set_result(n, v); break;
	case AST_BNOT: set_result(n, ~v); break;
	case AST_LNOT: sema_set_const(n, !v); break;
	default: break;
	}
}

static uint64_t
divide(unsigned op, bool is_signed, uint64_t a, uint64_t b)
{
	int64_t sa = (int64_t)a, sb = (int64_t)b;

	if (!is_signed)
		return op == AST_DIV ? a / b : a % b;
	if (sb == -1)		/* INT64_MIN / -1 wraps, as in DIF */
		return op == AST_DIV ? -a : 0;
	return (uint64_t)(op == AST_DIV ? sa / sb : sa % sb);
}

static bool
compare(unsigned op, bool is_signed, uint64_t a, uint64_t b)
{
	bool less = is_signed ? (int64_t)a < (int64_t)b : a < b;

	switch (op) {
	case AST_LT: return less;
	case AST_LE: return less || a == b;
	case AST_GT: return !less && a != b;
	case AST_GE: return !less;
	case AST_EQ: return a == b;
	default: return a != b;
	}
}

/* a and b are converted to type t already. */
static uint64_t
compute(unsigned op, const struct type *t, uint64_t a, uint64_t b)
{
	bool is_signed = type_is_signed(t);

	switch (op) {
	case AST_ADD: return a + b;
	case AST_SUB: return a - b;
	case AST_MUL: return a * b;
	case AST_DIV:
	case AST_MOD: return divide(op, is_signed, a, b);
	case AST_SHL: return a << (b & 63);
	case AST_SHR: return is_signed ? (uint64_t)((int64_t)a >> (b & 63))
				       : a >> (b & 63);
	case AST_BAND: return a & b;
	case AST_BOR: return a | b;
	case AST_BXOR: return a ^ b;
	case AST_LXOR: return !a != !b;
	default: return compare(op, is_signed, a, b);
	}
}

/* && and || may be known from the left alone. */
static void
fold_logical(struct ast_node *n)
{
	const struct ast_node *a = n->kid[0], *b = n->kid[1];
	bool decides = n->op == AST_LOR;

	if (!is_number(a))
		return;
	if (!!a->value == decides)
		sema_set_const(n, decides);
	else if (is_number(b))
		sema_set_const(n, !!b->value);
}

/* The type in which the operands are taken. */
static const struct type *
operand_type(const struct ast_node *n)
{
	const struct type *a = n->kid[0]->type, *b = n->kid[1]->type;

	if (n->op == AST_SHL || n->op == AST_SHR || n->op == AST_LXOR)
		return n->op == AST_LXOR ? &type_ulong : n->type;
	if (!type_is_integer(a) || !type_is_integer(b))
		return &type_ulong;
	return type_usual_arith(a, b);
}

void
sema_fold_binary(struct sema *s, struct ast_node *n)
{
	const struct ast_node *a = n->kid[0], *b = n->kid[1];

	if (n->op == AST_LAND || n->op == AST_LOR) {
		fold_logical(n);
		return;
	}
	if (n->op == AST_COMMA || !type_is_integer(n->type) ||
	    !is_number(a) || !is_number(b))
		return;
	if ((n->op == AST_ADD || n->op == AST_SUB) &&
	    !(type_is_integer(a->type) && type_is_integer(b->type)))
		return;
	const struct type *t = operand_type(n);
	bool is_shift = n->op == AST_SHL || n->op == AST_SHR;
	set_result(n, compute(n->op, t, convert(t, a->value),
			      is_shift ? b->value : convert(t, b->value)));
}

void
sema_fold_cond(struct ast_node *n)
{
	const struct ast_node *arm;

	if (!is_number(n->kid[0]) || !type_is_integer(n->type))
		return;
	arm = n->kid[0]->value ? n->kid[1] : n->kid[2];
	if (is_number(arm))
		set_result(n, arm->value);
}

void
sema_fold_cast(struct ast_node *n)
{
	if (is_number(n->kid[0]) && type_is_scalar(n->type))
		sema_set_const(n, n->kid[0]->value);
}

bool
sema_div_zero(struct sema *s, const struct ast_node *n, unsigned op)
{
	if ((op != AST_DIV && op != AST_MOD) || !is_number(n) || n->value)
		return false;
	diag(s->d, D_DIV_ZERO, n->span, "expression contains division by zero");
	return true;
}
