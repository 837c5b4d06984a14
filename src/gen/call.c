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
		args[i] = gen_in_reg(c, gen_clean(c, v));
		if (*kind == 's')
			limits[i] = gen_limit(c, k);
		kind += *kind != '\0';
		i++;
	}
	return gen_val_reg(gen_call_subr(c, id->id, info->args, args, limits,
					 i), gen_int_of(n->type));
}
