/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a clause asks of the place where its probe fires.
 *
 * Which thread is it?  For a tick that makes a difference: it is a timer of the
 * consumer, which fires on time and interrupts nobody, unless some clause asks; then
 * it is an interrupt of one CPU.  What asks is a flag of a row of sema/builtins.def;
 * thread-local variables and stacks ask as well.
 *
 * What is the first argument, or the second, or what do they point to?  An entry probe
 * may stand where a function has begun to work, and has changed what nobody asks for.
 *
 * What is the stack of the process?  Where the thread is not there yet nobody knows.
 *
 * All are looked for in the compiled clause, so how the name got there, through an
 * inline, a translator or a function, does not matter.
 */
#include "prov/site.h"
#include "session/program_priv.h"

/* What is asked: which of a set is wanted by what. */
struct question {
	unsigned (*id)(enum sema_kind kind, uint32_t id);
	unsigned thread;	/* variables of threads, and stacks, want it */
	unsigned memory;	/* loads from a process do */
	unsigned ustack;	/* stacks of processes do */
};

static unsigned func_wants(const struct question *q, const struct plan_prog *p,
			   uint32_t func);

static unsigned
insn_wants(const struct question *q, const struct plan_prog *p, uint32_t w)
{
	switch (DIF_INSN_OP(w)) {
	case DIF_OP_LDGS:
		return q->id(SEMA_BVAR, DIF_INSN_INDEX(w));
	case DIF_OP_LDGA:
		return q->id(SEMA_BVAR, DIF_INSN_R1(w));
	case DIF_OP_CALL:
		return q->id(SEMA_SUBR, DIF_INSN_INDEX(w));
	case DIF_OP_CALLF:
		return func_wants(q, p, DIF_INSN_INDEX(w));
	case DIF_OP_LDTS: case DIF_OP_STTS: case DIF_OP_LDTA:
	case DIF_OP_LDTAA: case DIF_OP_STTAA:
		return q->thread;
	case DIF_OP_ULDSB ... DIF_OP_ULDX:
		return q->memory;
	default:
		return 0;
	}
}

static unsigned
difo_wants(const struct question *q, const struct plan_prog *p,
	   const struct dif_difo *d)
{
	unsigned set = 0;

	for (uint32_t pc = 0; d && pc < d->ntext; pc++)
		set |= insn_wants(q, p, d->text[pc]);
	return set;
}

static unsigned
fields_want(const struct question *q, const struct abi_field *f, uint32_t n)
{
	unsigned set = 0;

	for (uint32_t i = 0; i < n; i++)
		if (f[i].kind == ABI_FIELD_USTACK)
			set |= q->thread | q->ustack;
		else if (f[i].kind == ABI_FIELD_STACK)
			set |= q->thread;
	return set;
}

static unsigned
nodes_want(const struct question *q, const struct plan_prog *p,
	   const struct plan_node *n)
{
	unsigned set = 0;

	for (; n; n = n->next) {
		for (uint32_t i = 0; i < n->ndifos; i++)
			set |= difo_wants(q, p, n->difos[i]);
		if (n->kind == PLAN_AGG)
			set |= fields_want(q, n->agg->keys, n->agg->nkeys);
		if (n->kind == PLAN_ACT)
			set |= q->id(SEMA_ACTION, n->act);
		set |= nodes_want(q, p, n->then_) | nodes_want(q, p, n->else_);
	}
	return set;
}

/* Functions call those of smaller numbers only. */
static unsigned
func_wants(const struct question *q, const struct plan_prog *p, uint32_t func)
{
	return func < p->nfuncs ? nodes_want(q, p, p->funcs[func].body) : 0;
}

static unsigned
clause_wants(const struct question *q, const struct plan_prog *p,
	     const struct plan_clause *c)
{
	return difo_wants(q, p, c->pred) | nodes_want(q, p, c->body) |
	       fields_want(q, c->desc.fields, c->desc.nfields);
}

static unsigned
who(enum sema_kind kind, uint32_t id)
{
	return sema_asks_who(kind, id);
}

bool
session_asks_who(const struct plan_prog *p, const struct plan_clause *c)
{
	return clause_wants(&(struct question){ who, 1 }, p, c);
}

static unsigned
looked_at(enum sema_kind kind, uint32_t id)
{
	if (kind == SEMA_BVAR && id >= DIF_VAR_ARG0 && id <= DIF_VAR_ARG9)
		return 1u << (id - DIF_VAR_ARG0);
	if (kind == SEMA_BVAR)
		return id == DIF_VAR_ARGS || id == DIF_VAR_UREGS ?
		       PROV_LOOKS_ALL : 0;
	return kind == SEMA_SUBR &&
	       (id == DIF_SUBR_COPYIN || id == DIF_SUBR_COPYINSTR ||
		id == DIF_SUBR_COPYINTO || id == DIF_SUBR_COPYOUT ||
		id == DIF_SUBR_COPYOUTSTR) ? PROV_LOOKS_MEMORY : 0;
}

unsigned
session_looks(const struct plan_prog *p, const struct plan_clause *c)
{
	const struct question q = { looked_at, .memory = PROV_LOOKS_MEMORY };

	return clause_wants(&q, p, c);
}

static unsigned
nothing(enum sema_kind kind, uint32_t id)
{
	(void)kind;
	(void)id;
	return 0;
}

bool
session_asks_ustack(const struct plan_prog *p, const struct plan_clause *c)
{
	return clause_wants(&(struct question){ nothing, .ustack = 1 }, p, c);
}
