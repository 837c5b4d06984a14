/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Truth: comparisons, && || ^^ !, and ?:.  All of it is jumping code: a
 * condition is a label to go to when it is true, or when it is false, and a
 * 0 or 1 appears only where someone wants the value.
 */
#include "gen/expr_priv.h"
#include "gen/memory_priv.h"
#include "gen/value_priv.h"
#include "gen/var_priv.h"
#include "sema/tree.h"
#include "type/convert.h"

static enum ast_op
opposite(enum ast_op op)
{
	static const uint8_t other[] = {
		[AST_LT] = AST_GE, [AST_GE] = AST_LT, [AST_GT] = AST_LE,
		[AST_LE] = AST_GT, [AST_EQ] = AST_NE, [AST_NE] = AST_EQ,
	};

	return other[op];
}

static enum dif_op
branch_op(enum ast_op op, bool is_signed)
{
	static const uint8_t ops[][2] = {
		[AST_LT] = { DIF_OP_BLU, DIF_OP_BL },
		[AST_LE] = { DIF_OP_BLEU, DIF_OP_BLE },
		[AST_GT] = { DIF_OP_BGU, DIF_OP_BG },
		[AST_GE] = { DIF_OP_BGEU, DIF_OP_BGE },
		[AST_EQ] = { DIF_OP_BE, DIF_OP_BE },
		[AST_NE] = { DIF_OP_BNE, DIF_OP_BNE },
	};

	return ops[op][is_signed];
}

/* Compare as strings? */
static bool
are_strings(const struct type *a, const struct type *b)
{
	return (type_is_string(a) && type_is_strcompat(b)) ||
	       (type_is_string(b) && type_is_strcompat(a));
}

/* As what two operands are compared; pointers and addresses are unsigned. */
static struct gen_int
common(const struct ast_node *a, const struct ast_node *b)
{
	if (type_is_integer(a->type) && type_is_integer(b->type))
		return gen_arith_int(type_usual_arith(sema_arith_type(a),
						      sema_arith_type(b)));
	return gen_int_u64;
}

/* A string variable that was never set, or set to NULL, reads as an empty
 * string, as does $$1 that was not given, and there is no other way to ask: so
 * that is what NULL is. */
static struct gen_val
null_test(struct gen_code *c, const struct ast_node *n,
	  const struct ast_node *other, struct gen_val v)
{
	if (!type_is_string(n->type) || type_is_strcompat(other->type) ||
	    !(gen_is_var(n) || n->is_macro))
		return v;
	return gen_load(c, (struct gen_addr){ .base = v }, &type_uchar);
}

static struct gen_val
eval_string(struct gen_code *c, const struct ast_node *n)
{
	return gen_operand(c, n, gen_eval(c, n), false);
}

static void
eval_strings(struct gen_code *c, const struct ast_node *a,
	     const struct ast_node *b, struct gen_val *va, struct gen_val *vb)
{
	if (gen_swaps(a, b)) {
		*vb = eval_string(c, b);
		*va = eval_string(c, a);
	} else {
		*va = gen_hold(c, a, eval_string(c, a), b);
		*vb = eval_string(c, b);
	}
}

static void
compare(struct gen_code *c, const struct ast_node *n, bool sense,
	uint32_t label)
{
	const struct ast_node *a = sema_eval(n->kid[0]);
	const struct ast_node *b = sema_eval(n->kid[1]);
	enum ast_op op = sense ? n->op : opposite(n->op);
	struct gen_int as = common(a, b);
	struct gen_val va, vb;

	if (are_strings(a->type, b->type)) {
		as = gen_int_u64;
		eval_strings(c, a, b, &va, &vb);
		gen_emit(c, DIF_OP_SCMP, gen_in_reg(c, va), gen_in_reg(c, vb),
			 0, 0);
	} else {
		gen_eval2(c, a, b, &va, &vb);
		va = null_test(c, a, b, va);
		vb = null_test(c, b, a, vb);
		uint32_t ra = gen_as(c, va, as), rb = gen_as(c, vb, as);
		gen_emit(c, DIF_OP_CMP, ra, rb, 0, 0);
	}
	gen_jump(c, branch_op(op, as.is_signed), label);
}

static void
test(struct gen_code *c, struct gen_val v, bool sense, uint32_t label)
{
	if (v.is_const) {
		if ((v.value != 0) == sense)
			gen_jump(c, DIF_OP_BA, label);
		return;
	}
	if (v.dirty) {		/* the high bits may just go */
		uint32_t n = gen_const(c, 64 - v.as.size * 8u);
		v.reg = gen_emit_reg(c, DIF_OP_SLL, v.reg, n, 0);
	}
	gen_emit(c, DIF_OP_TST, v.reg, 0, 0, 0);
	gen_jump(c, sense ? DIF_OP_BNE : DIF_OP_BE, label);
}

static void
branch_xor(struct gen_code *c, const struct ast_node *n, bool sense,
	   uint32_t label)
{
	uint32_t a = gen_in_reg(c, gen_truth(c, sema_eval(n->kid[0])));
	uint32_t b = gen_in_reg(c, gen_truth(c, sema_eval(n->kid[1])));

	gen_emit(c, DIF_OP_CMP, a, b, 0, 0);
	gen_jump(c, sense ? DIF_OP_BNE : DIF_OP_BE, label);
}

static void branch(struct gen_code *c, const struct ast_node *n, bool sense,
		   uint32_t label);

/* a && b goes to label when false if either is; a || b when true. */
static void
branch_both(struct gen_code *c, const struct ast_node *n, bool sense,
	    uint32_t label)
{
	bool either = (n->op == AST_LOR) == sense;

	if (either) {
		branch(c, n->kid[0], sense, label);
		branch(c, n->kid[1], sense, label);
		return;
	}
	uint32_t out = gen_label(c);
	branch(c, n->kid[0], !sense, out);
	branch(c, n->kid[1], sense, label);
	gen_place(c, out);
}

/* Jump to label when n is true (sense), or when it is false. */
static void
branch(struct gen_code *c, const struct ast_node *n, bool sense,
       uint32_t label)
{
	n = sema_eval(n);
	bool plain = n->is_const || c->failed;

	if (!plain && n->kind == AST_UNARY && n->op == AST_LNOT) {
		branch(c, n->kid[0], !sense, label);
	} else if (plain || n->kind != AST_BINARY || n->op < AST_LT ||
		   n->op > AST_LXOR) {
		test(c, gen_eval(c, n), sense, label);
	} else if (n->op <= AST_NE) {
		compare(c, n, sense, label);
	} else if (n->op == AST_LXOR) {
		branch_xor(c, n, sense, label);
	} else {
		branch_both(c, n, sense, label);
	}
}

struct gen_val
gen_truth(struct gen_code *c, const struct ast_node *n)
{
	uint32_t yes = gen_label(c), end = gen_label(c), rd = gen_reg(c);

	branch(c, n, true, yes);
	gen_emit(c, DIF_OP_MOV, 0, 0, rd, 0);
	gen_jump(c, DIF_OP_BA, end);
	gen_place(c, yes);
	gen_emit(c, DIF_OP_SETX, 0, 0, rd, 1);
	gen_place(c, end);
	return gen_val_reg(rd, gen_int_s32);
}

/* --- ?: ----------------------------------------------------------------- */

static bool select_into(struct gen_code *c, const struct ast_node *n,
			const struct type *t, uint32_t rd);

/* As what arm n of a ?: of type t comes: between arms of one type nothing is
 * converted. */
static struct gen_int
arm_int(const struct ast_node *n, const struct type *t)
{
	struct gen_int as = gen_arith_int(t);

	return !as.is_signed && sema_width_of(n).is_wide &&
	       type_equal(n->type, t) ? gen_int_u64 : as;
}

/* A ?: in an arm of another goes to the same register, so that a long chain
 * of them ends in one place.  True: the value is an address of the user's. */
static bool
arm(struct gen_code *c, const struct ast_node *n, const struct type *t,
    uint32_t rd)
{
	struct gen_int as = arm_int(n = sema_eval(n), t);

	/* Were its type narrower, going through it would matter. */
	if (n->kind == AST_COND && !n->is_const &&
	    gen_int_of(n->type).size == gen_int_of(t).size)
		return select_into(c, n, t, rd);
	struct gen_val v = gen_eval(c, n);
	/* The other may lie elsewhere. */
	if (type_is_string(t))
		v = gen_operand(c, n, v, false);
	else if (type_is_sou(t) && v.user)
		v = gen_val_reg(gen_copy_in(c, v, type_size(t)), gen_int_u64);
	gen_move(c, gen_as(c, v, as), rd);
	return v.user;
}

static bool
select_into(struct gen_code *c, const struct ast_node *n,
	    const struct type *t, uint32_t rd)
{
	uint32_t no = gen_label(c), end = gen_label(c);

	branch(c, n->kid[0], false, no);
	bool user = arm(c, n->kid[1], t, rd);
	gen_jump(c, DIF_OP_BA, end);
	gen_place(c, no);
	user |= arm(c, n->kid[2], t, rd);
	gen_place(c, end);
	return user;
}

struct gen_val
gen_select(struct gen_code *c, const struct ast_node *n)
{
	struct gen_val v = gen_val_reg(gen_reg(c), arm_int(n, n->type));

	v.user = select_into(c, n, n->type, v.reg);
	return v;
}
