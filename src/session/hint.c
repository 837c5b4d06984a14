/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What may be said of a fault beyond its address.  D's documents read strings
 * as copyinstr(arg0) at the entry of open(2), and on Linux that goes wrong in
 * three ways:
 *  1. arg0 of the call is no pointer: openat(2) has its path in arg1;
 *  2. the page with the string is not there before the kernel has read it;
 *  3. in a return probe, arg0 is the result;
 *  4. arg0 was kept at entry, and is no pointer: it is AT_FDCWD.
 * The code of the action tells which argument the address came from, and the
 * provider what that argument is; where it came from a variable, only a value that
 * is never an address tells.  Each is said once for a clause.
 */
#include <fcntl.h>
#include <string.h>

#include "session/session_priv.h"
#include "type/text.h"

enum { NO_ARG = -1, NREASONS = 4 };

/* --- Which argument was read? --------------------------------------------- */

static bool
is_push(uint32_t w)
{
	return DIF_INSN_OP(w) == DIF_OP_PUSHTV ||
	       DIF_INSN_OP(w) == DIF_OP_PUSHTR;
}

static bool
is_shift(uint32_t w)
{
	return DIF_INSN_OP(w) == DIF_OP_SLL || DIF_INSN_OP(w) == DIF_OP_SRL ||
	       DIF_INSN_OP(w) == DIF_OP_SRA;
}

/* The number of the argument that register reg holds before instruction pc, as
 * it is or cut to the size of its type. */
static int
find_arg(const struct dif_difo *d, uint32_t pc, uint32_t reg)
{
	while (pc-- > 0) {
		uint32_t w = d->text[pc];
		uint32_t var = DIF_INSN_INDEX(w);

		if (DIF_INSN_OP(w) >= DIF_OP_BA && DIF_INSN_OP(w) <= DIF_OP_BLEU)
			return NO_ARG;
		if (is_push(w) || DIF_INSN_OP(w) == DIF_OP_FLUSHTS ||
		    DIF_INSN_RD(w) != reg)
			continue;
		if (is_shift(w))
			reg = DIF_INSN_R1(w);
		else
			return DIF_INSN_OP(w) == DIF_OP_LDGS &&
			       var >= DIF_VAR_ARG0 && var <= DIF_VAR_ARG9
			       ? (int)(var - DIF_VAR_ARG0) : NO_ARG;
	}
	return NO_ARG;
}

/* Instruction pc reads from the process: from where which argument points? */
static int
find_read(const struct dif_difo *d, uint32_t pc)
{
	uint32_t w = pc < d->ntext ? d->text[pc] : 0, first = pc;

	if (DIF_INSN_OP(w) != DIF_OP_CALL ||
	    (DIF_INSN_INDEX(w) != DIF_SUBR_COPYINSTR &&
	     DIF_INSN_INDEX(w) != DIF_SUBR_COPYIN))
		return NO_ARG;
	/* The address is pushed first, and nothing stands between. */
	while (first > 0 && is_push(d->text[first - 1]))
		first--;
	return first == pc ? NO_ARG
			   : find_arg(d, first, DIF_INSN_RD(d->text[first]));
}

static int
find_in_nodes(const struct plan_node *n, uint32_t action, uint32_t pc)
{
	for (int arg = NO_ARG; n; n = n->next) {
		for (uint32_t i = 0; i < n->ndifos && n->action_no == action;
		     i++)
			if ((arg = find_read(n->difos[i], pc)) != NO_ARG)
				return arg;
		if ((arg = find_in_nodes(n->then_, action, pc)) != NO_ARG ||
		    (arg = find_in_nodes(n->else_, action, pc)) != NO_ARG)
			return arg;
	}
	return NO_ARG;
}

static int
find_in_clause(const struct plan_clause *c, const struct abi_error_record *r)
{
	uint32_t pc = (uint32_t)r->dif_offset / 4;

	if (r->action)
		return find_in_nodes(c->body, r->action, pc);
	return c->pred ? find_read(c->pred, pc) : NO_ARG;
}

/* --- What to say ---------------------------------------------------------- */

static bool
is_text(const struct type *t)
{
	return t && type_is_ptr(t) && type_is_charptr(t);
}

static void
print_arg(struct session *s, const struct probe *p, unsigned n, struct sb *b)
{
	const char *name = NULL;
	unsigned raw;
	const struct type *t = prov_arg_type(s->prov, p, n, &name, &raw);

	type_print(t, name, b);
}

/* Reasons 1 and 4. */
static void
say_no_pointer(struct session *s, const struct probe *p, unsigned n,
	       const char *but, struct sb *b)
{
	const char *name;
	unsigned raw;

	sb_printf(b, "arg%u of %s:entry is no pointer, but %s\"", n, p->func, but);
	print_arg(s, p, n, b);
	sb_puts(b, "\"");
	for (unsigned i = 0; i < ABI_NARGS; i++) {
		if (!is_text(prov_arg_type(s->prov, p, i, &name, &raw)))
			continue;
		sb_printf(b, "; arg%u is \"", i);
		print_arg(s, p, i, b);
		sb_puts(b, "\"");
	}
}

/* Which of the reasons it is, told in b; -1: none. */
static int
find_reason(struct session *s, const struct probe *p, unsigned n, uint64_t addr,
	    struct sb *b)
{
	const char *name;
	unsigned raw;
	const struct type *t = prov_arg_type(s->prov, p, n, &name, &raw);

	if (!t || strcmp(p->prov, "syscall"))
		return -1;
	if (!strcmp(p->name, "return")) {
		sb_printf(b, "arg%u of %s:return is the result of the call; "
			  "keep an argument at entry, self->p = arg%u, and read "
			  "copyinstr(self->p)", n, p->func, n);
		return 2;
	}
	if (!type_is_ptr(t)) {
		say_no_pointer(s, p, n, "", b);
		return 0;
	}
	if (addr < 4096)
		return -1;	/* NULL, or an offset from it */
	sb_printf(b, "memory of a process may not be there before the call has "
		  "used it; keep the address, self->p = arg%u, and read "
		  "copyinstr(self->p) in %s:return", n, p->func);
	return 1;
}

static bool
take_probe(void *ctx, const struct probe *p)
{
	*(const struct probe **)ctx = p;
	return false;
}

/* Reason 4 at a probe of a call whose arg0 may be AT_FDCWD, which most callers give. */
static int
find_folder(struct session *s, const struct probe *p, uint64_t addr, struct sb *b)
{
	struct probe_desc d = { .prov = "syscall", .mod = p->mod, .func = p->func,
				.name = "entry" };
	const struct probe *entry = NULL;
	const char *name;
	unsigned raw;

	if ((int64_t)addr != AT_FDCWD && addr != (uint32_t)AT_FDCWD)
		return -1;
	if (strcmp(p->prov, "syscall"))
		return -1;
	err_free(prov_match(s->prov, &d, take_probe, &entry));
	const struct type *t = entry ? prov_arg_type(s->prov, entry, 0, &name, &raw) : NULL;
	if (!t || type_is_ptr(t))
		return -1;
	say_no_pointer(s, entry, 0, "AT_FDCWD in ", b);
	return 3;
}

/* Has reason r been told of clause c?  From now on it has. */
static bool
is_told(struct session *s, uint32_t c, int r)
{
	size_t bit = (size_t)c * NREASONS + (size_t)r;

	if (!s->hinted)
		s->hinted = ARENA_ARRAY(s->a, bool,
					s->plan->nclauses * NREASONS);
	if (!s->hinted || s->hinted[bit])
		return true;
	s->hinted[bit] = true;
	return false;
}

bool
session_hint(struct session *s, const struct consume_event *e, struct sb *b)
{
	const struct abi_error_record *r = e->error;
	const struct probe *p = e->probe && s->engine ?
		prov_by_id(s->prov, e->probe->id) : NULL;
	struct plan_epid epid;

	if (!p || !r || r->fault != ABI_FAULT_BADADDR || r->dif_offset < 0 ||
	    !engine_epid(s->engine, r->epid, &epid))
		return false;
	uint32_t c = epid.clause;
	int arg = find_in_clause(&s->plan->clauses[c], r);
	int reason = arg == NO_ARG ? find_folder(s, p, r->value, b)
				   : find_reason(s, p, (unsigned)arg, r->value, b);
	return reason >= 0 && !is_told(s, c, reason);
}
