/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Does a clause ask which thread its probe fires in?  For a tick that makes a
 * difference: it is a timer of the consumer, which fires on time and interrupts
 * nobody, unless some clause asks; then it is an interrupt of one CPU.
 *
 * What asks is a flag of a row of sema/builtins.def.  It is looked for in the
 * compiled clause, so how the name got there, through an inline, a translator
 * or a function, does not matter.  Thread-local variables and stacks ask as well.
 */
#include "session/program_priv.h"

static bool func_asks(const struct plan_prog *p, uint32_t func);

static bool
insn_asks(const struct plan_prog *p, uint32_t w)
{
	switch (DIF_INSN_OP(w)) {
	case DIF_OP_LDGS: case DIF_OP_LDGA:
		return sema_asks_who(SEMA_BVAR, DIF_INSN_INDEX(w));
	case DIF_OP_CALL:
		return sema_asks_who(SEMA_SUBR, DIF_INSN_INDEX(w));
	case DIF_OP_CALLF:
		return func_asks(p, DIF_INSN_INDEX(w));
	case DIF_OP_LDTS: case DIF_OP_STTS: case DIF_OP_LDTA:
	case DIF_OP_LDTAA: case DIF_OP_STTAA:
		return true;
	default:
		return false;
	}
}

static bool
difo_asks(const struct plan_prog *p, const struct dif_difo *d)
{
	for (uint32_t pc = 0; d && pc < d->ntext; pc++)
		if (insn_asks(p, d->text[pc]))
			return true;
	return false;
}

static bool
fields_ask(const struct abi_field *f, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (f[i].kind == ABI_FIELD_STACK ||
		    f[i].kind == ABI_FIELD_USTACK)
			return true;
	return false;
}

static bool
nodes_ask(const struct plan_prog *p, const struct plan_node *n)
{
	for (; n; n = n->next) {
		for (uint32_t i = 0; i < n->ndifos; i++)
			if (difo_asks(p, n->difos[i]))
				return true;
		if ((n->kind == PLAN_AGG &&
		     fields_ask(n->agg->keys, n->agg->nkeys)) ||
		    (n->kind == PLAN_ACT && sema_asks_who(SEMA_ACTION, n->act)))
			return true;
		if (nodes_ask(p, n->then_) || nodes_ask(p, n->else_))
			return true;
	}
	return false;
}

/* Functions call those of smaller numbers only. */
static bool
func_asks(const struct plan_prog *p, uint32_t func)
{
	return func < p->nfuncs && nodes_ask(p, p->funcs[func].body);
}

bool
session_asks_who(const struct plan_prog *p, const struct plan_clause *c)
{
	return difo_asks(p, c->pred) || nodes_ask(p, c->body) ||
	       fields_ask(c->desc.fields, c->desc.nfields);
}
