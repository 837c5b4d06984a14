/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Calls of subroutines.  Arguments wait in registers until all are known,
 * because each may itself need the tuple stack.
 */
#include "gen/expr_priv.h"
#include "gen/value_priv.h"
#include "gen/var_priv.h"
#include "sema/tree.h"

enum { MAX_ARGS = 8 };

uint32_t
gen_call_subr(struct gen_code *c, unsigned subr, const char *kinds,
	      const uint32_t *args, const uint32_t *limits, unsigned n)
{
	unsigned i = 0;

	for (; *kinds && i < n; kinds++) {
		if (*kinds == '|')
			continue;
		bool str = dif_is_string(*kinds);
		gen_emit(c, str ? DIF_OP_PUSHTR : DIF_OP_PUSHTV, 0,
			 str && limits ? limits[i] : 0, args[i], 0);
		i++;
	}
	uint32_t rd = gen_emit_reg(c, DIF_OP_CALL, 0, 0, subr);
	if (n)
		gen_emit(c, DIF_OP_FLUSHTS, 0, 0, 0, 0);
	return rd;
}

/* What a string is the same bytes as: the operand of stringof(), of a cast, the
 * right one of a comma. */
static const struct ast_node *
string_source(const struct ast_node *n)
{
	for (;;) {
		n = sema_eval(n);
		if (n->kind == AST_BINARY && n->op == AST_COMMA)
			n = n->kid[1];
		else if (n->kind == AST_STRINGOF ||
			 (n->kind == AST_CAST && type_is_string(n->type)))
			n = n->kid[0];
		else
			return n;
	}
}

uint64_t
gen_string_limit(const struct ast_node *n)
{
	return gen_array_limit(string_source(n)->type);
}

uint32_t
gen_limit(struct gen_code *c, const struct ast_node *n)
{
	return gen_const(c, gen_string_limit(n));
}

/* A string in scratch: v, the value of n, cut where an array ends. */
static struct gen_val
copy_string(struct gen_code *c, const struct ast_node *n, struct gen_val v)
{
	uint64_t limit = gen_string_limit(n);
	uint32_t rd;

	if (v.user) {
		uint32_t args[] = { gen_in_reg(c, v),
				    gen_const(c, limit + 1) };
		rd = gen_call_subr(c, DIF_SUBR_COPYINSTR, "p|i", args, NULL,
				   limit ? 2 : 1);
	} else {
		uint32_t limits[] = { gen_const(c, limit), 0 };
		uint32_t args[] = { gen_in_reg(c, v),
			gen_emit_reg(c, DIF_OP_SETS, 0, 0,
				     gen_string(c, "", 0)) };
		rd = gen_call_subr(c, DIF_SUBR_STRJOIN, "ss", args, limits, 2);
	}
	return gen_val_reg(rd, gen_int_u64);
}

struct gen_val
gen_operand(struct gen_code *c, const struct ast_node *n, struct gen_val v,
	    bool is_bounded)
{
	bool whole = is_bounded || !gen_string_limit(n) || v.is_const;

	if (c->failed || (!v.user && whole))
		return v;
	return copy_string(c, n, v);
}

/* Does the value of n lie in a variable? */
static bool
is_in_var(const struct ast_node *n)
{
	n = string_source(n);
	if (n->is_const || !(gen_is_ref(n->type)))
		return false;
	if (n->kind == AST_COND)
		return is_in_var(n->kid[1]) || is_in_var(n->kid[2]);
	if (n->kind == AST_ASSIGN)
		return is_in_var(n->kid[1]);
	if (gen_func_of(n))
		return true;
	if (n->kind == AST_DOT ||
	    (n->kind == AST_INDEX && !gen_is_var(n)))
		return is_in_var(n->kid[0]);
	return gen_is_var(n) != NULL;
}

/* "No string" stays that. */
static struct gen_val
hold_string(struct gen_code *c, const struct ast_node *n, struct gen_val v)
{
	uint32_t rd = gen_reg(c), none = gen_label(c);

	gen_emit(c, DIF_OP_MOV, v.reg, 0, rd, 0);
	gen_emit(c, DIF_OP_TST, v.reg, 0, 0, 0);
	gen_jump(c, DIF_OP_BE, none);
	gen_move(c, gen_in_reg(c, copy_string(c, n, v)), rd);
	gen_place(c, none);
	return gen_val_reg(rd, gen_int_u64);
}

struct gen_val
gen_hold(struct gen_code *c, const struct ast_node *n, struct gen_val v,
	 const struct ast_node *later)
{
	bool changes = false;

	if (c->failed || v.is_const || v.user || !is_in_var(n))
		return v;
	for (; later && !changes; later = later->next)
		changes = gen_has_effect(later);
	if (!changes)
		return v;
	if (!type_is_sou(sema_eval(n)->type))
		return hold_string(c, n, v);
	uint32_t size = gen_const(c, type_size(sema_eval(n)->type));
	uint32_t to = gen_emit_reg(c, DIF_OP_ALLOCS, size, 0, 0);
	gen_emit(c, DIF_OP_COPYS, v.reg, size, to, 0);
	return gen_val_reg(to, gen_int_u64);
}

/* All arguments are known before the first is stored: another may be a call of
 * the same function. */
static struct gen_val
call_func(struct gen_code *c, const struct ast_node *n,
	  const struct sema_func *f)
{
	uint32_t *args = ARENA_ARRAY(c->g->a, uint32_t, f->nparams);
	const struct ast_node *k = n->list;
	uint32_t i = 0;

	if (!gen_had(c, args))
		return gen_val_const(0, gen_int_u64);
	for (; k && i < f->nparams; k = k->next, i++) {
		const struct type *t = f->params[i]->type;
		struct gen_val v = gen_eval(c, k);
		if (type_is_string(t))
			v = gen_hold(c, k, gen_operand(c, k, v, false),
				     k->next);
		v = gen_recode(c, k, v, t);
		args[i] = gen_is_ref(t) ? gen_in_reg(c, v)
					: gen_as(c, v, gen_int_of(t));
	}
	for (i = 0; i < f->nparams; i++) {
		struct gen_var var = { .id = f->params[i] };
		gen_var_store(c, &var, gen_val_reg(args[i], gen_int_u64));
	}
	gen_emit(c, DIF_OP_CALLF, 0, 0, 0, f->id.id);
	if (!f->ret)
		return gen_val_const(0, gen_int_u64);
	struct gen_var ret = { .id = f->ret };
	return gen_var_load(c, &ret);
}

struct gen_val
gen_call(struct gen_code *c, const struct ast_node *n)
{
	if (gen_func_of(n))
		return call_func(c, n, gen_func_of(n));

	const struct sema_ident *id = sema_eval(n->kid[0])->ident;
	const struct dif_subrinfo *info = NULL;
	uint32_t args[MAX_ARGS] = { 0 }, limits[MAX_ARGS] = { 0 };
	unsigned i = 0;

	if (id && id->kind == SEMA_SUBR)
		info = dif_subr_info(id->id);
	if (!info) {
		gen_fail(c, D_NOTIMPL, "%s( ) may not be used here",
			 id ? id->name : "function");
		return gen_val_const(0, gen_int_u64);
	}
	const char *kind = info->args;
	for (const struct ast_node *k = n->list; k && i < MAX_ARGS;
	     k = k->next) {
		struct gen_val v = gen_eval(c, k);
		kind += *kind == '|';
		if (dif_is_string(*kind))
			v = gen_hold(c, k, gen_operand(c, k, v, true),
				     k->next);
		args[i] = gen_in_reg(c, gen_clean(c, v));
		if (dif_is_string(*kind))
			limits[i] = gen_limit(c, k);
		kind += *kind != '\0';
		i++;
	}
	return gen_val_reg(gen_call_subr(c, id->id, info->args, args, limits,
					 i), gen_int_of(n->type));
}
