/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How wide integers are.  A value has 64 bits; its type says which sign it has,
 * how it is converted and how it is shown, but nothing cuts it where C does not
 * say so: signed arithmetic goes on beyond the type's range, and a variable
 * whose type comes from its first assignment keeps all of whatever is assigned
 * to it later.  Declared variables, members and elements are cut, and so are
 * casts and whatever is computed in an unsigned type.
 *
 * So an expression is *wide* when its value may not be one of its type, and such
 * a value is stored and recorded in 8 bytes.  Whether a variable is wide depends
 * on all that is assigned to it, which depends on other variables.  Whoever
 * assigns to a variable that is not declared, or has a key, notes it here, and
 * sema_width_settle() goes through the notes until nothing changes:
 *
 *  1. is_wide is only ever set, and columns only grow, so that this ends;
 *  2. what is not wide has the columns of its type.
 *
 * Notes that depend on others are often in the order of the program or in the
 * opposite one, so passes alternate.
 */
#include <assert.h>

#include "sema/expr_priv.h"
#include "sema/tree.h"
#include "type/convert.h"

static struct sema_width
plain(const struct type *t)
{
	return (struct sema_width){ .columns = (uint8_t)type_size(t) };
}

static bool
is_narrow(const struct type *t)
{
	return type_is_integer(t) && type_size(t) < 8;
}

/* May values of type from be none of type t, so that D keeps them as they are?
 * A negative one that is no longer than t becomes unsigned as in C. */
static bool
outgrows(const struct type *from, const struct type *t)
{
	if (type_size(from) != type_size(t))
		return type_size(from) > type_size(t);
	return type_is_signed(t) && !type_is_signed(from);
}

/* A constant that says nothing about who takes it: x = 0. */
static bool
is_small(const struct ast_node *n, const struct type *t)
{
	return n->is_const && is_narrow(n->type) &&
	       sema_cut(t, n->value) == n->value;
}

/* The value of n, as it goes to something of type t that keeps it. */
static struct sema_width
width_as(const struct ast_node *n, const struct type *t)
{
	struct sema_width w = sema_width_of(n), ret = plain(t);

	n = sema_eval(n);
	if (!type_is_integer(n->type) || is_small(n, t))
		return ret;
	ret.is_wide = w.is_wide || outgrows(n->type, t);
	if (ret.is_wide)
		ret.columns = BASE_MAX(ret.columns, w.columns);
	return ret;
}

/* --- Expressions --------------------------------------------------------- */

static bool
is_mask(const struct ast_node *n)
{
	n = sema_eval(n);
	return n->is_const && n->value <= INT32_MAX;
}

/* a op b in the signed type t, when the operands are so wide. */
static bool
grows(unsigned op, const struct ast_node *a, struct sema_width wa,
      const struct ast_node *b, struct sema_width wb)
{
	switch (op) {
	case AST_BAND:
		return !is_mask(a) && !is_mask(b) &&
		       (wa.is_wide || wb.is_wide);
	case AST_BOR:
	case AST_BXOR: return wa.is_wide || wb.is_wide;
	case AST_MOD: return wa.is_wide && wb.is_wide;
	case AST_SHR: return wa.is_wide;
	/* The smallest number by -1 is the one quotient that grows. */
	case AST_DIV: return wa.is_wide || !is_mask(b);
	default: return true;
	}
}

static struct sema_width
arithmetic(unsigned op, const struct type *t, const struct ast_node *a,
	   const struct ast_node *b)
{
	struct sema_width wa = sema_width_of(a), wb = sema_width_of(b);
	struct sema_width ret = plain(t);
	bool is_shift = op == AST_SHL || op == AST_SHR;

	if (!is_narrow(t) || !type_is_signed(t))
		return ret;
	ret.is_wide = grows(op, a, wa, b, wb);
	if (ret.is_wide)
		ret.columns = BASE_MAX(ret.columns, is_shift ? wa.columns :
				       BASE_MAX(wa.columns, wb.columns));
	return ret;
}

static struct sema_width
of_var(const struct sema_ident *id)
{
	return (struct sema_width){ id->is_wide, id->columns };
}

/* What is assigned, as the target then holds it. */
static struct sema_width
of_target(const struct ast_node *target)
{
	const struct sema_ident *id = sema_keeps_all(target);

	return id && id->is_wide ? of_var(id)
				 : plain(sema_eval(target)->type);
}

static struct sema_width
of_unary(const struct ast_node *n)
{
	const struct ast_node *k = n->kid[0];
	struct sema_width w, ret = plain(n->type);

	if (n->op >= AST_PREINC && n->op <= AST_POSTDEC)
		return of_target(k);
	if ((n->op != AST_NEG && n->op != AST_PLUS && n->op != AST_BNOT) ||
	    !type_is_signed(n->type))
		return ret;
	w = sema_width_of(k);
	if (!w.is_wide && (n->op != AST_NEG || type_size(k->type) < 4))
		return ret;
	return (struct sema_width){ true, BASE_MAX(ret.columns, w.columns) };
}

static struct sema_width
of_binary(const struct ast_node *n)
{
	if (n->op == AST_COMMA)
		return sema_width_of(n->kid[1]);
	if (n->op >= AST_LT && n->op <= AST_LXOR)
		return plain(n->type);
	return arithmetic(n->op, n->type, n->kid[0], n->kid[1]);
}

/* Arms of different types are converted to an unsigned one as in C. */
static struct sema_width
of_cond(const struct ast_node *n)
{
	struct sema_width ret = plain(n->type);

	for (int i = 1; i <= 2; i++) {
		const struct ast_node *arm = sema_eval(n->kid[i]);
		struct sema_width w = sema_width_of(arm);
		if (w.is_wide && (type_is_signed(n->type) ||
				  type_equal(arm->type, n->type))) {
			ret.is_wide = true;
			ret.columns = BASE_MAX(ret.columns, w.columns);
		}
	}
	return ret;
}

struct sema_width
sema_width_of(const struct ast_node *n)
{
	const struct sema_ident *id;

	n = sema_eval(n);
	if (!is_narrow(n->type))
		return (struct sema_width){ .columns = 8 };
	if (n->is_const) {
		struct sema_width w = plain(n->type);
		w.is_wide = sema_cut(n->type, n->value) != n->value;
		return w;
	}
	switch (n->kind) {
	case AST_IDENT:
	case AST_SELF:
	case AST_THIS:
	case AST_INDEX:
		id = sema_keeps_all(n);
		return id && id->is_wide ? of_var(id) : plain(n->type);
	case AST_UNARY: return of_unary(n);
	case AST_BINARY: return of_binary(n);
	case AST_ASSIGN: return of_target(n->kid[0]);
	case AST_COND: return of_cond(n);
	default: return plain(n->type);
	}
}

/* --- Notes --------------------------------------------------------------- */

struct sema_ident *
sema_keeps_all(const struct ast_node *n)
{
	const struct ast_node *name;
	struct sema_ident *id;

	n = sema_eval(n);
	name = n->kind == AST_INDEX ? sema_eval(n->kid[0]) : n;
	if (!sema_is_name(name))
		return NULL;
	id = name->ident ? name->ident : n->ident;
	if (!id || id->kind != SEMA_VAR || id->is_declared ||
	    id->in_memory || id->is_assoc != (n->kind == AST_INDEX) ||
	    !is_narrow(id->type) ||
	    type_strip(id->type)->is_bool)
		return NULL;
	return id;
}

void
sema_note_store(struct sema *s, struct ast_node *n)
{
	if (sema_keeps_all(n->kid[0]))
		sema_had(s, vec_push(&s->stores, n));
}

void
sema_note_key(struct sema *s, struct sema_key *key, struct ast_node *n)
{
	struct sema_key_use u = { key, n };

	sema_had(s, vec_push(&s->key_uses, u));
}

/* What n stores in a variable of type t. */
static struct sema_width
stored(const struct ast_node *n, const struct type *t)
{
	
	struct sema_width w = plain(t), v;

	if (n->kind == AST_ASSIGN && n->op == AST_OP_NONE)
		return width_as(n->kid[1], t);
	if (n->kind == AST_UNARY) {	/* the columns are not its business */
		w.is_wide = outgrows(type_promote(t), t) ||
			    (type_is_signed(t) && type_size(t) == 4);
		return w;
	}
	const struct type *tv = sema_arith_type(n->kid[1]);
	bool is_shift = n->op == AST_SHL || n->op == AST_SHR;
	const struct type *as = is_shift || !type_is_integer(tv)
			      ? type_promote(t) : type_usual_arith(t, tv);
	v = width_as(n->kid[1], t);
	w.is_wide = arithmetic(n->op, as, n->kid[0], n->kid[1]).is_wide ||
		    outgrows(as, t);
	if (w.is_wide && !is_shift)
		w.columns = BASE_MAX(w.columns, v.columns);
	return w;
}

/* Adds w to what is known; true when that was news. */
static bool
learn(bool *is_wide, uint8_t *columns, struct sema_width w)
{
	if (!w.is_wide || (*is_wide && *columns >= w.columns))
		return false;
	*columns = BASE_MAX(*columns, w.columns);
	return *is_wide = true;
}

static bool
settle_store(const struct ast_node *n)
{
	struct sema_ident *id = sema_keeps_all(n->kid[0]);

	return id && n->type &&
	       learn(&id->is_wide, &id->columns, stored(n, id->type));
}

static void
settle_key(const struct sema_key_use *u)
{
	if (is_narrow(u->key->type) && u->node->type)
		learn(&u->key->is_wide, &u->key->columns,
		      width_as(u->node, u->key->type));
}

void
sema_width_settle(struct sema *s)
{
	bool changed = s->stores.n > 0;
	size_t n = s->stores.n;

	for (unsigned pass = 0; changed; pass++) {
		/* Columns are 1, 2, 4 or 8, of one variable at the least. */
		assert(pass <= 4 * n);				/* 1 */
		changed = false;
		for (size_t i = 0; i < n; i++)
			changed |= settle_store(
				s->stores.v[pass % 2 ? n - 1 - i : i]);
	}
	for (size_t i = 0; i < s->key_uses.n; i++)
		settle_key(&s->key_uses.v[i]);
}
