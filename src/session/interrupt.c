/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a clause asks of the place where its probe fires.
 *
 * Which thread is it?  For a tick that makes a difference: it is a timer of the
 * consumer, which fires on time and interrupts nobody, unless some clause asks; then
 * it is an interrupt of one CPU.  What asks is a flag of a row of sema/builtins.def;
 * thread-local variables and stacks ask as well.
 *
 * What are the arguments, or what do they point to?  If nobody asks, an entry probe
 * may stand where a function has begun to work.
 *
 * Both are looked for in the compiled clause, so how the name got there, through an
 * inline, a translator or a function, does not matter.
 */
#include "session/program_priv.h"

/* What is asked. */
struct question {
	bool (*id)(enum sema_kind kind, uint32_t id);
	bool thread;		/* variables of threads, and stacks, do */
};

static bool func_asks(const struct question *q, const struct plan_prog *p,
		      uint32_t func);

static bool
insn_asks(const struct question *q, const struct plan_prog *p, uint32_t w)
{
	switch (DIF_INSN_OP(w)) {
	case DIF_OP_LDGS: case DIF_OP_LDGA:
		return q->id(SEMA_BVAR, DIF_INSN_INDEX(w));
	case DIF_OP_CALL:
		return q->id(SEMA_SUBR, DIF_INSN_INDEX(w));
	case DIF_OP_CALLF:
		return func_asks(q, p, DIF_INSN_INDEX(w));
	case DIF_OP_LDTS: case DIF_OP_STTS: case DIF_OP_LDTA:
	case DIF_OP_LDTAA: case DIF_OP_STTAA:
		return q->thread;
	default:
		return false;
	}
}

static bool
difo_asks(const struct question *q, const struct plan_prog *p,
	  const struct dif_difo *d)
{
	for (uint32_t pc = 0; d && pc < d->ntext; pc++)
		if (insn_asks(q, p, d->text[pc]))
			return true;
	return false;
}

static bool
fields_ask(const struct question *q, const struct abi_field *f, uint32_t n)
{
	for (uint32_t i = 0; q->thread && i < n; i++)
		if (f[i].kind == ABI_FIELD_STACK ||
		    f[i].kind == ABI_FIELD_USTACK)
			return true;
	return false;
}

static bool
nodes_ask(const struct question *q, const struct plan_prog *p,
	  const struct plan_node *n)
{
	for (; n; n = n->next) {
		for (uint32_t i = 0; i < n->ndifos; i++)
			if (difo_asks(q, p, n->difos[i]))
				return true;
		if ((n->kind == PLAN_AGG &&
		     fields_ask(q, n->agg->keys, n->agg->nkeys)) ||
		    (n->kind == PLAN_ACT && q->id(SEMA_ACTION, n->act)))
			return true;
		if (nodes_ask(q, p, n->then_) || nodes_ask(q, p, n->else_))
			return true;
	}
	return false;
}

/* Functions call those of smaller numbers only. */
static bool
func_asks(const struct question *q, const struct plan_prog *p, uint32_t func)
{
	return func < p->nfuncs && nodes_ask(q, p, p->funcs[func].body);
}

static bool
clause_asks(const struct question *q, const struct plan_prog *p,
	    const struct plan_clause *c)
{
	return difo_asks(q, p, c->pred) || nodes_ask(q, p, c->body) ||
	       fields_ask(q, c->desc.fields, c->desc.nfields);
}

bool
session_asks_who(const struct plan_prog *p, const struct plan_clause *c)
{
	return clause_asks(&(struct question){ sema_asks_who, true }, p, c);
}

/* Arguments and registers; the process's memory. */
static bool
looks(enum sema_kind kind, uint32_t id)
{
	if (kind == SEMA_BVAR)
		return id == DIF_VAR_ARGS || id == DIF_VAR_UREGS ||
		       (id >= DIF_VAR_ARG0 && id <= DIF_VAR_ARG9);
	return kind == SEMA_SUBR &&
	       (id == DIF_SUBR_COPYIN || id == DIF_SUBR_COPYINSTR ||
		id == DIF_SUBR_COPYINTO || id == DIF_SUBR_COPYOUT ||
		id == DIF_SUBR_COPYOUTSTR);
}

bool
session_looks(const struct plan_prog *p, const struct plan_clause *c)
{
	return clause_asks(&(struct question){ looks, false }, p, c);
}
