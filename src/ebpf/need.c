/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What a program needs to know of the kernel.  Reading BTF costs, so
 * only what is needed is asked for: which built-in variable or subroutine
 * needs which group of offsets is a table, and generation fails with the name
 * of both when the kernel's BTF does not tell.
 */
#include "base/base.h"
#include "ebpf/ebpf_priv.h"

static const struct {
	uint16_t id;
	bool is_subr;
	uint32_t need;		/* one of enum ebpf_need */
	const char *name;
} users[] = {
	{ DIF_VAR_STACKDEPTH, false, EBPF_NEED_TEXT, "stackdepth" },
	{ DIF_VAR_CALLER, false, EBPF_NEED_TEXT, "caller" },
	{ DIF_VAR_PPID, false, EBPF_NEED_PARENT, "ppid" },
	{ DIF_SUBR_PROGENYOF, true, EBPF_NEED_PARENT, "progenyof()" },
	{ DIF_SUBR_STRTOK, true, EBPF_NEED_TOKENS, "strtok()" },
	{ DIF_SUBR_COPYIN, true, EBPF_NEED_CACHE, "copyin()" },
	{ DIF_SUBR_COPYINSTR, true, EBPF_NEED_CACHE, "copyinstr()" },
	{ DIF_SUBR_JSON, true, EBPF_NEED_JSON, "json()" },
	{ DIF_VAR_EXECNAME, false, EBPF_NEED_COMM, "execname" },
	{ DIF_VAR_EXECARGS, false, EBPF_NEED_ARGS, "execargs" },
	{ DIF_VAR_CWD, false, EBPF_NEED_PATH, "cwd" },
	{ DIF_VAR_ROOT, false, EBPF_NEED_PATH, "root" },
	{ DIF_SUBR_COPYOUT, true, EBPF_NEED_UWRITE, "copyout()" },
	{ DIF_SUBR_COPYOUTSTR, true, EBPF_NEED_UWRITE, "copyoutstr()" },
	{ DIF_SUBR_D_PATH, true, EBPF_NEED_PATH, "d_path()" },
	{ DIF_SUBR_GETF, true, EBPF_NEED_FILES, "getf()" },
	{ DIF_SUBR_MUTEX_OWNED, true, EBPF_NEED_MUTEX, "mutex_owned()" },
	{ DIF_SUBR_MUTEX_OWNER, true, EBPF_NEED_MUTEX, "mutex_owner()" },
	{ DIF_SUBR_MUTEX_ADAPTIVE, true, EBPF_NEED_MUTEX,
	  "mutex_type_adaptive()" },
	{ DIF_SUBR_MUTEX_SPIN, true, EBPF_NEED_MUTEX, "mutex_type_spin()" },
	{ DIF_SUBR_RW_READ_HELD, true, EBPF_NEED_RWSEM, "rw_read_held()" },
	{ DIF_SUBR_RW_WRITE_HELD, true, EBPF_NEED_RWSEM, "rw_write_held()" },
	{ DIF_SUBR_RW_ISWRITER, true, EBPF_NEED_RWSEM, "rw_iswriter()" },
	{ DIF_SUBR_PATH, true, EBPF_NEED_PATH, "__path()" },
};

static const struct {
	uint32_t need;
	const char *tag, *path;
} offsets[] = {
#define KOFF(name, need, tag, path) { EBPF_NEED_##need, tag, path },
#include "abi/koff.def"
#undef KOFF
};
_Static_assert(BASE_NELEMS(offsets) == ABI_NKOFFS, "a row each");

static unsigned
insn_needs(uint32_t w)
{
	bool is_subr = DIF_INSN_OP(w) == DIF_OP_CALL;

	if (DIF_INSN_OP(w) == DIF_OP_LDGA)
		return EBPF_NEED_REGS;		/* args[] */
	if (!is_subr && DIF_INSN_OP(w) != DIF_OP_LDGS)
		return 0;
	if (!is_subr && DIF_INSN_INDEX(w) >= DIF_VAR_ARG0 &&
	    DIF_INSN_INDEX(w) < DIF_VAR_ARG0 + ABI_NARGS)
		return EBPF_NEED_REGS;
	/* They do without what is not known. */
	if (!is_subr && (DIF_INSN_INDEX(w) == DIF_VAR_UCALLER ||
			 DIF_INSN_INDEX(w) == DIF_VAR_USTACKDEPTH))
		return EBPF_NEED_USTACK;
	for (size_t i = 0; i < BASE_NELEMS(users); i++)
		if (users[i].is_subr == is_subr &&
		    users[i].id == DIF_INSN_INDEX(w))
			return users[i].need;
	return 0;
}

static unsigned
difo_needs(const struct dif_difo *d)
{
	unsigned needs = 0;

	for (uint32_t pc = 0; d && pc < d->ntext; pc++)
		needs |= insn_needs(d->text[pc]);
	return needs;
}

static unsigned
fields_need(const struct abi_field *f, uint32_t n)
{
	unsigned needs = 0;

	for (uint32_t i = 0; i < n; i++)
		needs |= f[i].kind == ABI_FIELD_STACK ? EBPF_NEED_TEXT :
			 f[i].kind == ABI_FIELD_USTACK ?
				EBPF_NEED_USTACK : 0;
	return needs;
}

static unsigned
nodes_need(const struct plan_node *n)
{
	unsigned needs = 0;

	for (; n; n = n->next) {
		for (uint32_t i = 0; i < n->ndifos; i++)
			needs |= difo_needs(n->difos[i]);
		if (n->kind == PLAN_AGG)
			needs |= fields_need(n->agg->keys, n->agg->nkeys);
		needs |= nodes_need(n->then_) | nodes_need(n->else_);
	}
	return needs;
}

static unsigned
clause_needs(const struct plan_clause *c)
{
	return difo_needs(c->pred) | nodes_need(c->body) |
	       fields_need(c->desc.fields, c->desc.nfields);
}

/* Which call returns is in a register.  Typed words are read like memory. */
static unsigned
point_needs(const struct abi_point *p)
{
	return (p->compat ? EBPF_NEED_COMPAT : 0) |
	       (p->find == ABI_FIND_TABLE && p->index.kind == ABI_ARG_REG ?
		EBPF_NEED_REGS : 0) |
	       (p->thread ? EBPF_NEED_OTHER | EBPF_NEED_PARENT |
		EBPF_NEED_COMM | EBPF_NEED_REGS : 0);
}

unsigned
ebpf_needs(const struct ebpf_input *in)
{
	unsigned needs = in->plan->who ? EBPF_NEED_COMM : 0;

	for (uint32_t i = 0; i < in->plan->nclauses; i++)
		needs |= clause_needs(&in->plan->clauses[i]);
	for (uint32_t i = 0; i < in->plan->nfuncs; i++)
		needs |= nodes_need(in->plan->funcs[i].body);
	bool vars = BASE_ANY(i, in->plan->nvars,
			     in->plan->vars[i].scope == DIF_VS_THREAD);
	for (uint32_t i = 0; i < in->npoints; i++) {
		const struct abi_point *p = in->points[i].point;
		needs |= point_needs(p);
		if (p->is_spare || (vars && abi_point_runs(p) == ABI_RUNS_EITHER))
			needs |= EBPF_NEED_RUNS;
	}
	return needs;
}

bool
ebpf_known(struct ebpf *g, bool is_subr, unsigned id)
{
	size_t u = 0;

	while (u < BASE_NELEMS(users) &&
	       (users[u].id != id || users[u].is_subr != is_subr))
		u++;
	if (u == BASE_NELEMS(users))
		return true;
	for (size_t i = 0; i < ABI_NKOFFS; i++) {
		/* Strings are read where there is no way to the page cache, too. */
		if (!(offsets[i].need & users[u].need & ~(unsigned)EBPF_NEED_CACHE) ||
		    g->in->kernel.off[i] != UINT32_MAX)
			continue;
		ebpf_fail(g, err_new(ERR_UNSUPPORTED, 0,
			"%s needs member %s of struct %s, which the kernel's "
			"BTF does not tell", users[u].name, offsets[i].path,
			offsets[i].tag));
		return false;
	}
	return true;
}
