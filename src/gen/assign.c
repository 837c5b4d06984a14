/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Assignment, op=, ++ and --.
 *
 * A target is a whole variable, or memory.  Memory is what a pointer points
 * to, or part of a global or clause-local struct or array, whose address its
 * load gives.  Part of a thread-local or of an element of an associative array
 * has no address that may be written: such a variable may not exist yet.  So
 * it is copied to scratch, changed there, and stored back whole.
 *
 * The right side is evaluated first, so that between opening a target and
 * storing into it no other code of the user's runs.  Only in i += i++, where the
 * right side assigns to something, is the old value read before it.
 *
 * ++, --, += and -= of a global number become one instruction, and another that
 * gives the old value when somebody uses the expression's, so that nothing is lost
 * when several CPUs do it at once.  For an element of an array only what adds
 * does: one that counts down may come to zero, and then its room is to be given
 * back, which that instruction does not promise.
 */
#include "gen/expr_priv.h"
#include "gen/memory_priv.h"
#include "gen/value_priv.h"
#include "gen/var_priv.h"
#include "sema/tree.h"
#include "type/convert.h"

struct target {
	const struct type *type;
	bool is_var;		/* else memory at addr */
	bool copied;		/* addr is in a copy of var */
	struct gen_var var;
	struct gen_addr addr;
	uint64_t bit_offset;
	uint32_t bits;		/* 0: no bit-field */
	struct gen_val copy;	/* where it lies */
};

const struct ast_node *
gen_whole(const struct ast_node *n)
{
	for (n = sema_eval(n); n; n = sema_eval(n->kid[0])) {
		if (gen_is_var(n))
			return n;
		if (n->kind == AST_DOT)
			continue;
		if (!gen_is_part(n))
			return NULL;
	}
	return NULL;
}

static void
copy_out(struct gen_code *c, struct target *t, const struct ast_node *whole)
{
	t->var = gen_var_open(c, whole);
	if (c->failed)
		return;
	uint32_t from = gen_in_reg(c, gen_var_load(c, &t->var));
	uint32_t size = gen_const(c, type_size(t->var.id->type));
	uint32_t to = gen_emit_reg(c, DIF_OP_ALLOCS, size, 0, 0);

	gen_emit(c, DIF_OP_COPYS, from, size, to, 0);
	t->copied = true;
	t->copy = gen_val_reg(to, gen_int_u64);
}

static struct target
open_target(struct gen_code *c, const struct ast_node *n)
{
	n = sema_eval(n);
	struct target t = {
		.type = n->type, .bit_offset = n->bit_offset,
		.bits = n->bit_size,
	};

	if (gen_is_var(n)) {
		t.is_var = true;
		t.var = gen_var_open(c, n);
		return t;
	}
	const struct ast_node *whole = gen_whole(n);
	const struct sema_ident *id = whole ? gen_is_var(whole) : NULL;
	if (!id || (!id->is_assoc && id->scope != SEMA_SELF)) {
		t.addr = gen_addr(c, n);
		return t;
	}
	/* An index on the way may assign, too. */
	struct gen_alias outer = c->alias;
	copy_out(c, &t, whole);
	c->alias = (struct gen_alias){ whole, t.copy };
	t.addr = gen_addr(c, n);
	c->alias = outer;
	return t;
}

static struct gen_val
load_target(struct gen_code *c, struct target *t)
{
	if (!t->is_var)
		return gen_load_bits(c, t->addr, t->type, t->bit_offset,
				     t->bits);
	t->var.keep = true;
	return gen_var_load(c, &t->var);
}

static struct gen_val
store_target(struct gen_code *c, struct target *t, struct gen_val v)
{
	v.reg = gen_in_reg(c, v);	/* one for the store and the result */
	v.is_const = false;
	if (t->is_var)
		gen_var_store(c, &t->var, v);
	else if (t->bits)
		v = gen_store_bits(c, t->addr, v, t->type, t->bit_offset,
				   t->bits);
	else
		gen_store(c, t->addr, v, t->type);
	if (t->copied)
		gen_var_store_bytes(c, &t->var, t->copy);
	return v;
}

/* old op v.  No calls in here: a key may wait on the tuple stack. */
static struct gen_val
combine(struct gen_code *c, const struct ast_node *n, struct gen_val old,
	struct gen_val v)
{
	const struct type *t = sema_arith_type(n->kid[0]);
	const struct type *tv = sema_arith_type(n->kid[1]);
	bool shift = n->op == AST_SHL || n->op == AST_SHR;

	if (type_is_ptr(t))
		return gen_ptr_add(c, old, v, t, n->op == AST_SUB);
	if (!type_is_integer(t) || !type_is_integer(tv)) {
		gen_fail(c, D_CG_EXPR, "operands have incompatible types");
		return v;
	}
	return gen_arith(c, n->op, old, v,
			 gen_arith_for(n->op, shift ? type_promote(t)
						    : type_usual_arith(t, tv),
				       gen_target_int(n->kid[0])));
}

/* Reading the target twice must do no harm: a[i++] += i++. */
static bool
reads_first(const struct ast_node *n)
{
	return n->op != AST_OP_NONE && gen_has_effect(n->kid[1]) &&
	       !gen_has_effect(n->kid[0]);
}

/* --- Additions ------------------------------------------------------------ */

static bool
is_minus(const struct ast_node *n)
{
	return n->kind == AST_ASSIGN ? n->op == AST_SUB
				     : n->op == AST_PREDEC ||
				       n->op == AST_POSTDEC;
}

/* Is n x++, x += e or such? */
static bool
is_addition(const struct ast_node *n)
{
	if (n->kind == AST_UNARY)
		return n->op >= AST_PREINC && n->op <= AST_POSTDEC;
	return n->kind == AST_ASSIGN &&
	       (n->op == AST_ADD || n->op == AST_SUB) &&
	       type_is_integer(sema_eval(n->kid[1])->type) &&
	       !gen_has_effect(n->kid[1]);
}

/* The global number that the addition n may add to in one instruction, or NULL;
 * *as: what is computed in. */
static const struct sema_ident *
find_sum(const struct ast_node *n, struct gen_int *as)
{
	const struct ast_node *target = sema_eval(n->kid[0]);
	const struct sema_ident *id = gen_is_var(target);

	if (!id || id->scope != SEMA_GLOBAL || id->in_memory ||
	    !type_is_integer(id->type) || gen_is_ref(id->type))
		return NULL;
	const struct type *t = type_promote(id->type);
	struct gen_int to = gen_var_int(id);
	if (n->kind == AST_ASSIGN)
		t = type_usual_arith(t, sema_arith_type(n->kid[1]));
	*as = gen_arith_for(AST_ADD, t, to);
	return !to.is_bool && as->size >= to.size ? id : NULL;
}

/* *ret, unless NULL, is what the value of the expression will be. */
static bool
add_to_sum(struct gen_code *c, const struct ast_node *n, struct gen_val *ret)
{
	bool post = n->kind == AST_UNARY &&
		    (n->op == AST_POSTINC || n->op == AST_POSTDEC);
	struct gen_val v = gen_val_const(1, gen_int_s32), old;
	const struct sema_ident *id;
	struct gen_int as;

	if (!is_addition(n) || !(id = find_sum(n, &as)))
		return false;
	if (n->kind == AST_ASSIGN)
		v = gen_eval(c, n->kid[1]);
	v = gen_convert(c, v, as);
	if (is_minus(n) && v.is_const)
		v.value = -v.value;
	else if (is_minus(n))
		v = gen_arith(c, AST_SUB, gen_val_const(0, as), v, as);
	v.reg = gen_in_reg(c, v);
	v.is_const = false;
	struct gen_var var = gen_var_open(c, sema_eval(n->kid[0]));
	if (c->failed)
		return true;
	gen_var_add(c, &var, v.reg, ret ? &old : NULL);
	if (ret)
		*ret = post ? old :
		       gen_convert(c, gen_arith(c, AST_ADD, old, v, as),
				   gen_var_int(id));
	return true;
}

struct gen_val
gen_assign(struct gen_code *c, const struct ast_node *n)
{
	struct gen_val old, v = gen_val_const(0, gen_int_s64);
	const struct type *type = sema_eval(n->kid[0])->type;
	bool has_old = reads_first(n);

	if (add_to_sum(c, n, &v))
		return v;
	if (has_old)
		old = gen_eval(c, n->kid[0]);
	v = gen_eval(c, n->kid[1]);

	if (n->op == AST_OP_NONE)
		v = gen_recode(c, n->kid[1], v, type);
	if (n->op == AST_OP_NONE && !gen_is_ref(type))
		v = gen_convert_to(c, v, sema_eval(n->kid[1])->type,
				   n->kid[0]);
	else if (n->op == AST_OP_NONE && type_is_string(type))
		v = gen_operand(c, n->kid[1], v, false);
	if (gen_is_ref(type))
		v = gen_hold(c, n->kid[1], v, n->kid[0]);
	struct target t = open_target(c, n->kid[0]);
	if (c->failed)
		return v;
	if (n->op != AST_OP_NONE) {
		if (!has_old)
			old = load_target(c, &t);
		v = combine(c, n, old, v);
		v = gen_convert(c, v, gen_target_int(n->kid[0]));
	}
	return store_target(c, &t, v);
}

struct gen_val
gen_step(struct gen_code *c, const struct ast_node *n)
{
	bool minus = n->op == AST_PREDEC || n->op == AST_POSTDEC;
	bool post = n->op == AST_POSTINC || n->op == AST_POSTDEC;
	struct gen_val one = gen_val_const(1, gen_int_s32), v = one;

	if (add_to_sum(c, n, &v))
		return v;
	struct target t = open_target(c, n->kid[0]);
	if (c->failed)
		return one;
	struct gen_val old = load_target(c, &t);
	if (type_is_ptr(t.type)) {
		v = gen_ptr_add(c, old, one, t.type, minus);
	} else if (type_is_integer(t.type)) {
		enum ast_op op = minus ? AST_SUB : AST_ADD;
		struct gen_int as = gen_target_int(n->kid[0]);
		v = gen_arith(c, op, old, one,
			      gen_arith_for(op, type_promote(t.type), as));
		v = gen_convert(c, v, as);
	} else {
		gen_fail(c, D_CG_EXPR, "operand has no next value");
		return one;
	}
	v = store_target(c, &t, v);
	return post ? old : v;
}

struct gen_val
gen_effect(struct gen_code *c, const struct ast_node *n)
{
	n = sema_eval(n);
	if (n->kind == AST_BINARY && n->op == AST_COMMA && !n->is_const) {
		gen_effect(c, n->kid[0]);
		return gen_effect(c, n->kid[1]);
	}
	return add_to_sum(c, n, NULL) ? gen_val_const(0, gen_int_s64)
				      : gen_eval(c, n);
}
