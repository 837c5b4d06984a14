/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Calls of subroutines.  Arguments wait in registers until all are known,
 * because each may itself need the tuple stack.
 */
#include "gen/gen_priv.h"

enum { MAX_ARGS = 8 };

uint32_t
gen_call_subr(struct gen_code *c, unsigned subr, const char *kinds,
	      const uint32_t *args, const uint32_t *limits, unsigned n)
{
	unsigned i = 0;

	for (; *kinds && i < n; kinds++) {
		if (*kinds == '|')
			continue;
		bool str = *kinds == 's';
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

struct gen_val
gen_operand(struct gen_code *c, const struct ast_node *n, struct gen_val v,
	    bool is_bounded)
{
	uint64_t limit = gen_string_limit(n);
	uint32_t rd;

	if (c->failed || (!v.user && (is_bounded || !limit || v.is_const)))
		return v;
	if (v.user) {
		uint32_t args[] = { gen_in_reg(c, v),
				    gen_const(c, limit + 1) };
		rd = gen_call_subr(c, DIF_SUBR_COPYINSTR, "p|i", args, NULL,
				   limit ? 2 : 1);
	} else {
		uint32_t limits[] = { gen_const(c, limit), 0 };
		uint32_t args[] = { v.reg,
			gen_emit_reg(c, DIF_OP_SETS, 0, 0,
				     gen_string(c, "", 0)) };
		rd = gen_call_subr(c, DIF_SUBR_STRJOIN, "ss", args, limits, 2);
	}
	return gen_val_reg(rd, gen_int_u64);
}

struct gen_val
gen_call(struct gen_code *c, const struct ast_node *n)
{
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
		if (*kind == 's')
			v = gen_operand(c, k, v, true);
		args[i] = gen_in_reg(c, gen_clean(c, v));
		if (*kind == 's')
			limits[i] = gen_limit(c, k);
		kind += *kind != '\0';
		i++;
	}
	return gen_val_reg(gen_call_subr(c, id->id, info->args, args, limits,
					 i), gen_int_of(n->type));
}
