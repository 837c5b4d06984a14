/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A translated struct as a whole: scratch, zeroed, into which the translator's
 * members are put one after the other.
 */
#include "gen/expr_priv.h"
#include "gen/memory_priv.h"
#include "gen/value_priv.h"
#include "sema/tree.h"
#include "type/convert.h"
#include "type/make.h"

/* A char array takes a string, cut to its size; arrays of other things and
 * structs are copied. */
static void
store_member(struct gen_code *c, struct gen_addr to, const struct ast_node *n,
	     const struct type_member *m)
{
	const struct type *t = m->type, *from = sema_eval(n)->type;
	struct gen_val v = gen_eval(c, n);

	if (c->failed)
		return;
	if (type_is_array(t) && !type_equal(t, from))
		t = type_new_string(c->g->a, type_size(t));
	if (!t) {
		gen_fail(c, D_CG_EXPR, "out of memory");
		return;
	}
	if (!gen_is_ref(t))
		v = gen_convert(c, v, gen_int_of(t));
	else if (type_is_string(t))
		v = gen_operand(c, n, v, false);
	if (m->bit_size)
		gen_store_bits(c, to, v, t, m->bit_offset, m->bit_size);
	else
		gen_store(c, to, v, t);
}

struct gen_val
gen_xlate(struct gen_code *c, const struct ast_node *n)
{
	uint32_t size = gen_const(c, type_size(n->type));
	struct gen_val base = gen_val_reg(
		gen_emit_reg(c, DIF_OP_ALLOCS, size, 0, 0), gen_int_u64);

	for (const struct ast_node *k = n->list; k && !c->failed;
	     k = k->next) {
		struct type_member m;
		struct gen_addr to = { .base = base };
		if (!type_find_member(n->type, k->name, &m)) {
			gen_fail(c, D_CG_EXPR, "no member %s", k->name);
			break;
		}
		if (!m.bit_size)
			to.off = m.bit_offset / 8;
		store_member(c, to, k, &m);
	}
	return base;
}
