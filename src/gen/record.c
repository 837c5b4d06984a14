/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the actions of a clause record, and the layout of the record.
 *
 * The record is {header, branch bytes, fields}.  All paths through the clause
 * share it; a recording statement inside an if has a byte that says whether
 * its arm was taken.  Only arms with a recording statement of their own get
 * one, numbered in program order.  Where output wants it, who fired stands
 * behind the fields.
 *
 * What a loop records may come often, so where one records the record is a log
 * of all that the clause has recorded (abi/record.h), and there are no branch bytes.
 *
 *  1. There is a recorder for each action, and no more branch bytes than those.
 *  2. A log has no branch bytes, and does not speculate.
 */
#include <assert.h>

#include "gen/clause_priv.h"
#include "gen/value_priv.h"
#include "pfmt/pfmt.h"
#include "sema/tree.h"

enum {
	MAX_RECORD = 1 << 30,
	MAX_LOG = 1 << 18,	/* bytes of a record that is a log */
};

/* --- Arguments ----------------------------------------------------------- */

/* What the arguments of an action are, besides aggregations. */
static const struct action {
	uint32_t kind;			/* enum abi_action_kind */
	bool has_format;		/* a constant string, first */
	const struct gen_int *number;	/* all are such integers; NULL: any */
	bool is_memory;			/* address, size[, length] */
	bool is_memref;			/* size, address of both */
	bool is_text;			/* all are strings */
	bool is_value;			/* the call itself is what is recorded */
} actions[] = {
	{ ABI_ACT_DIFEXPR, false, NULL },
	{ ABI_ACT_PRINTF, true, NULL },
	{ ABI_ACT_PRINTA, true, NULL },
	{ ABI_ACT_EXIT, false, &gen_int_s32 },
	{ ABI_ACT_CLEAR, false, NULL },
	{ ABI_ACT_TRUNC, false, &gen_int_s64 },
	{ ABI_ACT_NORMALIZE, false, &gen_int_s64 },
	{ ABI_ACT_DENORMALIZE, false, NULL },
	{ ABI_ACT_TRACEMEM, .is_memory = true },
	{ ABI_ACT_PRINTM, .is_memref = true },
	{ ABI_ACT_SYSTEM, true, NULL },
	{ ABI_ACT_FREOPEN, true, NULL },
	{ ABI_ACT_SETOPT, .is_text = true },
	{ ABI_ACT_FTRUNCATE, false, NULL },
	{ ABI_ACT_STACK, .is_value = true },
	{ ABI_ACT_SYM, .is_value = true },
	{ ABI_ACT_MOD, .is_value = true },
	{ ABI_ACT_PRINT, false, NULL },
	{ ABI_ACT_USTACK, .is_value = true },
	{ ABI_ACT_JSTACK, .is_value = true },
	{ ABI_ACT_USYM, .is_value = true },
	{ ABI_ACT_UMOD, .is_value = true },
	{ ABI_ACT_UADDR, .is_value = true },
};

static const struct action *
find_action(uint32_t kind)
{
	for (size_t i = 0; i < BASE_NELEMS(actions); i++)
		if (actions[i].kind == kind)
			return &actions[i];
	return NULL;
}

/* Walks a format along the arguments: what is the next one to be? */
struct format {
	const char *text;		/* NULL: none */
	size_t pos;
	uint8_t queue[3];		/* enum pfmt_arg */
	unsigned n;
};

static enum pfmt_arg
next_arg(struct format *f)
{
	struct pfmt_conv conv;
	enum pfmt_arg arg;

	while (f->text && !f->n && pfmt_next(f->text, &f->pos, &conv) == 1) {
		if (conv.dyn_width)
			f->queue[f->n++] = PFMT_ARG_INT;
		if (conv.dyn_prec)
			f->queue[f->n++] = PFMT_ARG_INT;
		if (conv.conv && conv.arg != PFMT_ARG_NONE)
			f->queue[f->n++] = conv.arg;
		assert(f->n <= BASE_NELEMS(f->queue));
	}
	if (!f->n)
		return PFMT_ARG_NONE;
	arg = f->queue[0];
	f->n--;
	for (unsigned i = 0; i < f->n; i++)
		f->queue[i] = f->queue[i + 1];
	return arg;
}

static bool
too_large(struct clause *c, struct lang_span span)
{
	diag(c->g->d, D_CG_EXPR, span, "clause is too large to compile");
	c->g->failed = true;
	return false;
}

static bool
add_agg(struct clause *c, struct abi_action *a, const struct ast_node *n)
{
	a->naggs++;
	if (!n->ident)
		return gen_clause_no_memory(c);
	return vec_push(&c->aggids, n->ident->id) || gen_clause_no_memory(c);
}

static bool
put_field(struct clause *c, struct abi_action *a, const struct ast_node *n,
	  struct abi_field f, struct gen_want want)
{
	if (a->nfields++ == UINT16_MAX)
		return too_large(c, n->span);
	if (!vec_push(&c->fields, f))
		return gen_clause_no_memory(c);
	return gen_node_value(c, n, &f, want);
}

static bool
add_field(struct clause *c, const struct action *how, struct abi_action *a,
	  const struct ast_node *n, bool as_string)
{
	struct gen_want want = { .size = 0 };
	struct abi_field f = how->number ? gen_field_int(*how->number, &want)
					 : gen_field(c->g, n, as_string, &want);

	return put_field(c, a, n, f, want);
}

/* An address in the process that runs, to be printed by name. */
static bool
add_uaddr(struct clause *c, struct abi_action *a, const struct ast_node *n)
{
	struct gen_want want = { .size = 0 };
	struct abi_field f = {
		.kind = ABI_FIELD_UADDR, .align = 8, .size = 16,
	};

	return put_field(c, a, n, f, want);
}

/* printm(): memory, where and how much of which stands in two words; their
 * address is all that is computed. */
static bool
add_memref(struct clause *c, struct abi_action *a, const struct ast_node *size)
{
	struct gen_want want = { .as_int = true, .as = gen_int_u64 }, unused;
	struct abi_field length = gen_field_int(gen_int_s64, &unused);
	int64_t n = 1;

	sema_const(size, &n);
	a->arg = (uint64_t)n;
	if (!put_field(c, a, size->next,
		       gen_field_memory((uint64_t)n, &unused), want))
		return false;
	if (a->nfields++ == UINT16_MAX)
		return too_large(c, size->span);
	return vec_push(&c->fields, length) || gen_clause_no_memory(c);
}

/* tracemem(): what lies at an address, and how much of it counts. */
static bool
add_memory(struct clause *c, struct abi_action *a, const struct ast_node *addr)
{
	const struct ast_node *size = addr->next, *length = size->next;
	struct gen_want memory = { .size = 0 }, number = { .size = 0 };
	int64_t n = 1;

	sema_const(size, &n);
	a->arg = (uint64_t)n;
	if (!put_field(c, a, addr, gen_field_memory((uint64_t)n, &memory),
		       memory))
		return false;
	if (!length)
		return true;
	a->kind = ABI_ACT_TRACEMEM_DYNSIZE;
	return put_field(c, a, length, gen_field_int(gen_int_s64, &number),
			 number);
}

static bool
add_args(struct clause *c, const struct action *how, struct abi_action *a,
	 const struct ast_node *n)
{
	struct format f = { .text = NULL };

	if (how->is_memref)
		return add_memref(c, a, n);
	if (how->is_memory)
		return add_memory(c, a, n);
	for (; n; n = n->next) {
		const struct ast_node *e = sema_eval(n);
		bool ok = true;
		if (e->kind == AST_AGG) {
			ok = add_agg(c, a, e);
		} else if (how->has_format && !f.text && e->str) {
			f.text = a->format = arena_strndup(c->g->a, e->str,
							   e->str_len);
			ok = f.text || gen_clause_no_memory(c);
		} else {
			enum pfmt_arg arg = next_arg(&f);
			bool str = how->is_text || arg == PFMT_ARG_STR ||
				(arg == PFMT_ARG_NET && type_is_strcompat(e->type));
			ok = arg == PFMT_ARG_UADDR && !type_is_dyn(e->type)
			     ? add_uaddr(c, a, n)
			     : add_field(c, how, a, n, str);
		}
		if (!ok)
			return false;
	}
	return true;
}

static bool
enter_branch(struct clause *c, struct arm *arm, const struct ast_node *stmt)
{
	if (c->actions.n == UINT16_MAX)
		return too_large(c, stmt->span);
	if (arm && !arm->branch && !c->out->desc.is_log)
		/* there are fewer than actions */
		arm->branch = ++c->nbranches;
	return true;
}

/* The fields of a, the newest action, behind the entry's head. */
static void
lay_out_entry(struct clause *c, const struct abi_action *a)
{
	uint64_t off = sizeof(struct abi_entry);

	for (size_t i = a->field; i < c->fields.n; i++) {
		struct abi_field *f = &c->fields.v[i];
		off = base_align(off, f->align);
		f->offset = (uint32_t)BASE_MIN(off, (uint64_t)UINT32_MAX);
		off += f->size;
	}
	off = base_align(off, 8);
	if (off > MAX_LOG - sizeof(struct abi_record) -
		  sizeof(struct abi_who) || c->log >= MAX_RECORD)
		c->log = MAX_RECORD;
	else
		c->log += off * c->times;
}

struct plan_node *
gen_record_action(struct clause *c, const struct ast_node *stmt,
		  const struct ast_node *call, struct arm *arm)
{
	const struct sema_ident *id = sema_eval(call->kid[0])->ident;
	const struct action *how = find_action(id->id);
	struct plan_node *p = gen_node_new(c, PLAN_RECORD, stmt);

	if (!how) {
		diag(c->g->d, D_NOTIMPL, call->span,
		     "%s( ) is not available in this version", id->name);
		c->g->failed = true;
		return NULL;
	}
	if (!p || !enter_branch(c, arm, stmt))
		return NULL;
	p->branch = arm ? arm->branch : 0;
	struct abi_action a = {
		.kind = id->id, .branch = p->branch,
		.field = (uint32_t)c->fields.n, .agg = (uint32_t)c->aggids.n,
	};
	gen_node_frees(c, p, call, NULL);
	bool ok = how->is_value ? add_field(c, how, &a, call, false)
				: add_args(c, how, &a, call->list);
	if (!ok || !gen_node_done(c, p))
		return NULL;
	if (c->out->desc.is_log)
		lay_out_entry(c, &a);
	if (id->id == ABI_ACT_PRINT)
		a.type = sema_eval(call->list)->type;
	if (!vec_push(&c->actions, a) || !vec_push(&c->recorders, p)) {
		gen_clause_no_memory(c);
		return NULL;
	}
	return p;
}

bool
gen_record_row(struct clause *c, const struct ast_node *stmt,
	       struct plan_node *p, struct arm *arm)
{
	struct plan_node *row = ARENA_NEW(c->g->a, struct plan_node);

	if (!row)
		return gen_clause_no_memory(c);
	if (!enter_branch(c, arm, stmt))
		return false;
	*row = (struct plan_node){ .kind = PLAN_RECORD, .place = p->place,
		.branch = arm ? arm->branch : 0, .action_no = p->action_no };
	struct abi_action a = { .kind = ABI_ACT_SPECULATE,
				.branch = row->branch };
	p->next = row;
	return (vec_push(&c->actions, a) && vec_push(&c->recorders, row)) ||
	       gen_clause_no_memory(c);
}

/* --- The record --------------------------------------------------------- */

/* False: it does not fit. */
static bool
lay_out(struct clause *c, uint32_t *ret)
{
	struct abi_clause_desc *d = &c->out->desc;
	uint64_t off = sizeof(struct abi_record) + c->nbranches;

	*ret = 0;
	if (d->is_log) {
		d->who = c->g->who ? sizeof(struct abi_record) : 0;
		*ret = (uint32_t)BASE_MIN(abi_log_start(d) + c->log,
					  (uint64_t)MAX_LOG);
		return c->log < MAX_RECORD;
	}
	if (!c->actions.n && c->out->body)
		return true;	/* without a body: a row of the default action */
	if (c->speculates) {
		d->spec = (uint32_t)base_align(off, 8);
		off = d->spec + 8;
	}
	for (size_t i = 0; i < c->fields.n; i++) {
		struct abi_field *f = &c->fields.v[i];
		off = base_align(off, f->align);
		f->offset = (uint32_t)off;
		off += f->size;
	}
	off = base_align(off, 8);
	if (c->g->who) {
		d->who = (uint32_t)off;
		off += sizeof(struct abi_who);
	}
	*ret = (uint32_t)off;
	return off < MAX_RECORD;
}

bool
gen_record_describe(struct clause *c, struct lang_span span)
{
	struct abi_clause_desc *d = &c->out->desc;
	struct arena *a = c->g->a;

	assert(c->recorders.n == c->actions.n);			/* 1 */
	assert(c->nbranches <= c->actions.n);			/* 1 */
	assert(!d->is_log || (!c->nbranches && !c->speculates));	/* 2 */
	if (!lay_out(c, &d->record_size))
		return too_large(c, span);
	d->nbranches = c->nbranches;
	d->nactions = (uint16_t)c->actions.n;
	d->nfields = (uint32_t)c->fields.n;
	d->naggids = (uint32_t)c->aggids.n;
	d->actions = arena_memdup(a, c->actions.v,
				  c->actions.n * sizeof(*d->actions));
	d->fields = arena_memdup(a, c->fields.v,
				 c->fields.n * sizeof(*d->fields));
	d->aggids = arena_memdup(a, c->aggids.v,
				 c->aggids.n * sizeof(*d->aggids));
	if (!d->actions || !d->fields || !d->aggids)
		return gen_clause_no_memory(c);
	for (size_t i = 0; i < c->recorders.n; i++)
		c->recorders.v[i]->action = &d->actions[i];
	return true;
}
