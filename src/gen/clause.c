/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One clause to a plan: a list of nodes, and the layout of its record.
 *
 * The record is {header, branch bytes, fields}.  All paths through the clause
 * share it; a recording statement inside an if has a byte that says whether
 * its arm was taken.  Only arms with a recording statement of their own get
 * one, numbered in program order.  Where output wants it, who fired stands
 * behind the fields.
 *
 * speculate() takes what is recorded behind it elsewhere.  Without ifs all that
 * a clause records goes to one place, for nothing may be recorded before.
 * With them, each straight piece that records is a part with its own record
 * (dif/plan.h), and the branch bytes say which part it is.
 *
 * What a loop records may come often, so where one records the record is a log
 * of all that the clause has recorded (abi.h), and there are no branch bytes;
 * but in a clause that speculates a loop is divided into parts, as an if is.
 */
#include "gen/gen_priv.h"
#include "pfmt/pfmt.h"

enum {
	MAX_RECORD = 1 << 30,
	MAX_LOG = 1 << 18,	/* bytes of a record that is a log */
	MAX_TIMES = 1 << 20,
};

struct clause {
	struct gen *g;
	/* Anywhere in the body; has_if: an if or a loop. */
	bool has_if, has_spec, speculates;
	struct plan_clause *out;
	VEC(struct abi_action) actions;
	VEC(struct plan_node *) recorders;	/* node of actions.v[i] */
	VEC(struct abi_field) fields;
	VEC(uint32_t) aggids;
	VEC(const struct dif_difo *) difos;	/* of the node being made */
	uint16_t nbranches;
	uint32_t nnodes;
	const struct sema_func *func;	/* what is compiled, or NULL */
	unsigned loops;			/* around the statement */
	bool keeps;			/* some node does not free */
	uint64_t times;			/* that the statement can run; saturates
					 * at MAX_TIMES */
	uint64_t log;			/* bytes that entries can take */
	uint32_t loopmax;
};

/* An arm of an if; branch is its byte, once it has one. */
struct arm {
	uint16_t branch;
};

static bool
no_memory(struct clause *c)
{
	c->g->failed = true;
	return false;
}

static bool
add_difo(struct clause *c, const struct ast_node *n, struct gen_want want)
{
	const struct dif_difo *d = gen_difo(c->g, n, want);

	if (!d)
		return false;
	return vec_push(&c->difos, d) || no_memory(c);
}

/* The value of a field or key: a symbol is recorded as its address, and a
 * stack needs no code. */
static bool
add_value_difo(struct clause *c, const struct ast_node *n,
	       const struct abi_field *f, struct gen_want want)
{
	static const struct gen_want address = {
		.as_int = true, .as = { .size = 8 },
	};

	switch (f->kind) {
	case ABI_FIELD_STACK:
	case ABI_FIELD_USTACK:
		return vec_push(&c->difos, NULL) || no_memory(c);
	case ABI_FIELD_SYM:
	case ABI_FIELD_MOD:
	case ABI_FIELD_USYM:
	case ABI_FIELD_UMOD:
	case ABI_FIELD_UADDR:
		if (type_is_dyn(sema_eval(n)->type))
			n = sema_eval(n)->list;
		return add_difo(c, n, address);
	default:
		return add_difo(c, n, want);
	}
}

static struct plan_node *
new_node(struct clause *c, enum plan_kind kind, const struct ast_node *stmt)
{
	struct plan_node *p = ARENA_NEW(c->g->a, struct plan_node);

	c->difos.n = 0;
	if (!p) {
		no_memory(c);
		return NULL;
	}
	p->kind = (uint8_t)kind;
	p->place = gen_place_of(c->g, stmt->span);
	p->action_no = c->func ? 0 : ++c->nnodes;
	p->tells_place = c->func || c->loops || abi_place_file(p->place);
	return p;
}

/*
 * Might n leave an address of scratch behind?  It does when it claims some
 * that has no other name, or sets a pointer.  Else what it claims is free
 * again when it is done, so that neither a loop nor a long clause runs out.
 */
static bool
keeps_scratch(const struct gen *g, const struct ast_node *n)
{
	const struct sema_ident *id;
	const struct sema_func *func;

	n = sema_eval(n);
	if (!n || n->is_const)
		return false;
	id = n->kind == AST_CALL ? sema_eval(n->kid[0])->ident : NULL;
	if (id && id->kind == SEMA_SUBR &&
	    (!dif_subr_info(id->id) || dif_subr_info(id->id)->ret == 'p'))
		return true;
	func = n->kind == AST_CALL ? gen_func_of(n) : NULL;
	if (func && g->funcs[func->id.id].keeps)
		return true;
	if (n->kind == AST_ASSIGN && n->type && !type_is_integer(n->type) &&
	    !type_is_string(n->type))
		return true;
	for (int i = n->kind == AST_CALL; i < 3; i++)
		if (keeps_scratch(g, n->kid[i]))
			return true;
	for (const struct ast_node *k = n->list; k; k = k->next)
		if (keeps_scratch(g, k))
			return true;
	return false;
}

/* p runs n. */
static void
note_scratch(struct clause *c, struct plan_node *p, const struct ast_node *n)
{
	p->frees = !keeps_scratch(c->g, n);
	c->keeps |= !p->frees;
}

/* The DIFOs collected since new_node() are p's. */
static bool
take_difos(struct clause *c, struct plan_node *p)
{
	p->ndifos = (uint32_t)c->difos.n;
	p->difos = arena_memdup(c->g->a, c->difos.v,
				c->difos.n * sizeof(*c->difos.v));
	return p->difos || no_memory(c);
}

/* --- Recording actions -------------------------------------------------- */

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

/* What a statement calls, if that is an action; else NULL. */
static const struct sema_ident *
action_of(const struct ast_node *stmt)
{
	const struct ast_node *e =
		stmt->kind == AST_EXPR ? sema_eval(stmt->kid[0]) : NULL;
	const struct sema_ident *id =
		e && e->kind == AST_CALL ? sema_eval(e->kid[0])->ident : NULL;

	return id && id->kind == SEMA_ACTION ? id : NULL;
}

static bool
is_spec(const struct sema_ident *id)
{
	return id && abi_action_class(id->id) == ABI_DOES_SPECULATES;
}

static bool
is_speculate(const struct ast_node *stmt)
{
	const struct sema_ident *id = action_of(stmt);

	return id && id->id == ABI_ACT_SPECULATE;
}

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
		return no_memory(c);
	return vec_push(&c->aggids, n->ident->id) || no_memory(c);
}

static bool
put_field(struct clause *c, struct abi_action *a, const struct ast_node *n,
	  struct abi_field f, struct gen_want want)
{
	if (a->nfields++ == UINT16_MAX)
		return too_large(c, n->span);
	if (!vec_push(&c->fields, f))
		return no_memory(c);
	return add_value_difo(c, n, &f, want);
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
	return vec_push(&c->fields, length) || no_memory(c);
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
			ok = f.text || no_memory(c);
		} else {
			enum pfmt_arg arg = next_arg(&f);
			bool str = how->is_text || arg == PFMT_ARG_STR;
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

static struct plan_node *
gen_action(struct clause *c, const struct ast_node *stmt,
	   const struct ast_node *call, struct arm *arm)
{
	const struct sema_ident *id = sema_eval(call->kid[0])->ident;
	const struct action *how = find_action(id->id);
	struct plan_node *p = new_node(c, PLAN_RECORD, stmt);

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
	note_scratch(c, p, call);
	bool ok = how->is_value ? add_field(c, how, &a, call, false)
				: add_args(c, how, &a, call->list);
	if (!ok || !take_difos(c, p))
		return NULL;
	if (c->out->desc.is_log)
		lay_out_entry(c, &a);
	c->out->uses_exit |= id->id == ABI_ACT_EXIT;
	if (id->id == ABI_ACT_PRINT)
		a.type = sema_eval(call->list)->type;
	if (!vec_push(&c->actions, a) || !vec_push(&c->recorders, p)) {
		no_memory(c);
		return NULL;
	}
	return p;
}

/* --- Acting on the process or the CPU ----------------------------------- */

static bool
is_act(uint32_t kind)
{
	return abi_action_class(kind) == ABI_DOES_ACTS;
}

static struct plan_node *
gen_act(struct clause *c, const struct ast_node *stmt,
	const struct ast_node *call, uint32_t kind)
{
	struct gen_want want = { .as_int = true, .as = gen_int_s64 };
	struct plan_node *p = new_node(c, PLAN_ACT, stmt);

	if (!p || (call->list && !add_difo(c, call->list, want)) ||
	    !take_difos(c, p))
		return NULL;
	p->act = kind;
	return p;
}

/* --- Speculating -------------------------------------------------------- */

static struct plan_node *
gen_spec(struct clause *c, const struct ast_node *stmt,
	 const struct ast_node *call)
{
	struct plan_node *p = new_node(c, PLAN_SPEC, stmt);
	struct gen_want want = { .as_int = true, .as = gen_int_s32 };

	if (!p || !add_difo(c, call->list, want) || !take_difos(c, p))
		return NULL;
	p->act = sema_eval(call->kid[0])->ident->id;
	return p;
}

/* A speculate() that stands alone speculates the row of the default action;
 * p: its node, behind which that goes. */
static bool
gen_row(struct clause *c, const struct ast_node *stmt, struct plan_node *p,
	struct arm *arm)
{
	struct plan_node *row = ARENA_NEW(c->g->a, struct plan_node);

	if (!row)
		return no_memory(c);
	if (!enter_branch(c, arm, stmt))
		return false;
	*row = (struct plan_node){ .kind = PLAN_RECORD, .place = p->place,
		.branch = arm ? arm->branch : 0, .action_no = p->action_no };
	struct abi_action a = { .kind = ABI_ACT_SPECULATE,
				.branch = row->branch };
	p->next = row;
	return (vec_push(&c->actions, a) && vec_push(&c->recorders, row)) ||
	       no_memory(c);
}

/* --- Aggregating -------------------------------------------------------- */

/* Which argument of an aggregating function is the increment. */
static unsigned
increment_arg(enum abi_agg_func func)
{
	switch (func) {
	case ABI_AGG_QUANTIZE: return 1;
	case ABI_AGG_LQUANTIZE: return 4;
	case ABI_AGG_LLQUANTIZE: return 5;
	default: return UINT32_MAX;
	}
}

static bool
add_keys(struct clause *c, const struct abi_agg_desc *agg,
	 const struct ast_node *n)
{
	for (uint32_t i = 0; n && i < agg->nkeys; i++, n = n->next) {
		const struct abi_field *f = &agg->keys[i];
		struct gen_want want = {
			.as_int = f->kind == ABI_FIELD_INT,
			.as = { (uint8_t)f->size, f->is_signed, false },
			.as_string = f->kind == ABI_FIELD_STRING,
			.size = f->size,
		};
		if (!add_value_difo(c, n, f, want))
			return false;
	}
	return true;
}

static bool
add_value(struct clause *c, struct plan_node *p, const struct ast_node *n)
{
	struct gen_want want = { .as_int = true, .as = gen_int_s64 };
	unsigned incr = increment_arg(p->agg->func);

	for (unsigned i = 0; n; i++, n = n->next) {
		if (i != 0 && i != incr)
			continue;
		if (!add_difo(c, n, want))
			return false;
		if (i == 0)
			p->has_value = true;
		else
			p->has_incr = true;
	}
	return true;
}

static struct plan_node *
gen_agg(struct clause *c, const struct ast_node *stmt,
	const struct ast_node *assign)
{
	const struct ast_node *agg = assign->kid[0];
	const struct ast_node *call = sema_eval(assign->kid[1]);
	struct plan_node *p = new_node(c, PLAN_AGG, stmt);

	if (!p)
		return NULL;
	p->agg = &c->g->aggs[agg->ident->id - 1];
	note_scratch(c, p, agg);
	p->frees = p->frees && !keeps_scratch(c->g, call);
	if (!add_keys(c, p->agg, agg->list) || !add_value(c, p, call->list) ||
	    !take_difos(c, p))
		return NULL;
	return p;
}

/* --- Statements --------------------------------------------------------- */

static bool gen_list(struct clause *c, const struct ast_node *stmts,
		     struct arm *arm, const struct plan_node **ret);

static struct plan_node *
gen_if(struct clause *c, const struct ast_node *stmt)
{
	struct plan_node *p = new_node(c, PLAN_IF, stmt);
	struct arm yes = { 0 }, no = { 0 };

	if (p)
		note_scratch(c, p, stmt->kid[0]);
	if (!p || !add_difo(c, stmt->kid[0], (struct gen_want){ .size = 0 }) ||
	    !take_difos(c, p) ||
	    !gen_list(c, stmt->list, &yes, &p->then_) ||
	    !gen_list(c, stmt->list2, &no, &p->else_))
		return NULL;
	p->branch = yes.branch;
	p->else_branch = no.branch;
	return p;
}

static struct plan_node *
gen_expr(struct clause *c, const struct ast_node *stmt,
	 const struct ast_node *e)
{
	struct plan_node *p = new_node(c, PLAN_EXPR, stmt);
	struct gen_want want = { .no_value = true };

	if (p)
		note_scratch(c, p, e);
	return p && add_difo(c, e, want) && take_difos(c, p) ? p : NULL;
}

static bool
gen_step_node(struct clause *c, const struct ast_node *stmt,
	      const struct plan_node **ret)
{
	struct plan_node *p;

	if (!stmt->kid[1])
		return true;
	*ret = p = gen_expr(c, stmt, stmt->kid[1]);
	if (p)
		p->place = gen_place_of(c->g, stmt->kid[1]->span);
	return p;
}

/* The loop itself, without what comes before it. */
static struct plan_node *
gen_turns(struct clause *c, const struct ast_node *stmt)
{
	struct plan_node *p = new_node(c, PLAN_LOOP, stmt);
	struct arm arm = { 0 };
	const struct ast_node *cond = stmt->kid[0];

	if (!p)
		return NULL;
	p->is_post = stmt->kind == AST_DO;
	if (cond)
		note_scratch(c, p, cond);
	if ((cond && !add_difo(c, cond, (struct gen_want){ .size = 0 })) ||
	    !take_difos(c, p) || !gen_list(c, stmt->list, &arm, &p->then_) ||
	    !gen_step_node(c, stmt, &p->else_))
		return NULL;
	return p;
}

/* a, then b. */
static struct plan_node *
both(struct plan_node *a, struct plan_node *b)
{
	if (!a || !b)
		return NULL;
	a->next = b;
	return a;
}

static struct plan_node *
gen_loop(struct clause *c, const struct ast_node *stmt)
{
	const struct ast_node *first = stmt->list2;
	struct plan_node *p = NULL;
	uint64_t times = c->times;

	c->loops++;
	c->times = BASE_MIN(times * c->loopmax, (uint64_t)MAX_TIMES);
	if (first)
		p = gen_expr(c, first, first->kid[first->kind == AST_LOCAL]);
	struct plan_node *turns = gen_turns(c, stmt);
	c->times = times;
	c->loops--;
	return first ? both(p, turns) : turns;
}

static struct plan_node *
gen_return(struct clause *c, const struct ast_node *stmt)
{
	struct plan_node *ret;

	if (!stmt->kid[1])
		return new_node(c, PLAN_RETURN, stmt);
	ret = gen_expr(c, stmt, stmt->kid[1]);
	return both(ret, new_node(c, PLAN_RETURN, stmt));
}

static struct plan_node *
gen_simple(struct clause *c, const struct ast_node *stmt, struct arm *arm)
{
	const struct ast_node *e = sema_eval(stmt->kid[0]);
	const struct sema_ident *id = action_of(stmt);

	if (e->kind == AST_ASSIGN && e->kid[0]->kind == AST_AGG)
		return gen_agg(c, stmt, e);
	if (is_spec(id))
		return gen_spec(c, stmt, e);
	if (id && is_act(id->id))
		return gen_act(c, stmt, e, id->id);
	return id ? gen_action(c, stmt, e, arm)
		  : gen_expr(c, stmt, stmt->kid[0]);
}

/* One node or two. */
static struct plan_node *
gen_stmt(struct clause *c, const struct ast_node *stmt, struct arm *arm)
{
	switch (stmt->kind) {
	case AST_IF: return gen_if(c, stmt);
	case AST_FOR: case AST_DO: return gen_loop(c, stmt);
	case AST_BREAK: return new_node(c, PLAN_BREAK, stmt);
	case AST_CONTINUE: return new_node(c, PLAN_CONTINUE, stmt);
	case AST_RETURN: return gen_return(c, stmt);
	case AST_LOCAL: return gen_expr(c, stmt, stmt->kid[1]);
	default: return gen_simple(c, stmt, arm);
	}
}

/* A list of nodes being made, at its end. */
struct tail {
	const struct plan_node **head;
	struct plan_node *last;
};

/* Append p and what hangs on it. */
static void
append(struct tail *t, struct plan_node *p)
{
	if (t->last)
		t->last->next = p;
	else
		*t->head = p;
	while (p->next)
		p = p->next;
	t->last = p;
}

/* Does a straight piece end here? */
static bool
divides(const struct ast_node *stmt)
{
	return stmt->kind != AST_EXPR && stmt->kind != AST_LOCAL;
}

/* The statements around one that are not empty. */
static bool
stands_alone(const struct ast_node *before, const struct ast_node *stmt)
{
	const struct ast_node *after = stmt->next;

	while (after && after->kind == AST_EMPTY)
		after = after->next;
	return (!before || divides(before)) && (!after || divides(after));
}

static bool
is_in_parts(const struct clause *c)
{
	return c->has_if && c->has_spec;
}

/* Straight pieces of a list: where the next node goes. */
struct pieces {
	struct tail list, part;
	struct arm arm;			/* of the part */
	const struct ast_node *before;
};

/* The piece has begun to record: its nodes from p on are a part. */
static bool
open_part(struct clause *c, struct pieces *s, const struct plan_node *p)
{
	struct plan_node *part = ARENA_NEW(c->g->a, struct plan_node);

	if (!part)
		return no_memory(c);
	*part = (struct plan_node){ .kind = PLAN_PART, .place = p->place,
		.branch = s->arm.branch, .action_no = p->action_no };
	append(&s->list, part);
	s->part = (struct tail){ &part->then_, NULL };
	return true;
}

static bool
gen_piece(struct clause *c, struct pieces *s, const struct ast_node *stmt,
	  struct arm *arm)
{
	bool in_parts = is_in_parts(c);
	bool alone = is_speculate(stmt) && stands_alone(s->before, stmt);

	if (divides(stmt)) {
		s->arm.branch = 0;
		s->part.head = NULL;
	}
	s->before = stmt;
	if (in_parts)
		arm = &s->arm;
	struct plan_node *p = gen_stmt(c, stmt, arm);
	if (!p || (alone && !gen_row(c, stmt, p, arm)))
		return false;
	if (in_parts && s->arm.branch && !s->part.head &&
	    !open_part(c, s, p))
		return false;
	append(s->part.head ? &s->part : &s->list, p);
	return true;
}

static bool
gen_list(struct clause *c, const struct ast_node *stmts, struct arm *arm,
	 const struct plan_node **ret)
{
	struct pieces s = { .list = { ret, NULL } };
	bool ok = true;

	/* What goes wrong is kept, and we go on: there may be more to
	 * report. */
	for (; stmts; stmts = stmts->next)
		if (stmts->kind != AST_EMPTY)
			ok = gen_piece(c, &s, stmts, arm) && ok;
	return ok;
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

static bool
describe(struct clause *c, struct lang_span span)
{
	struct abi_clause_desc *d = &c->out->desc;
	struct arena *a = c->g->a;

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
		return no_memory(c);
	for (size_t i = 0; i < c->recorders.n; i++)
		c->recorders.v[i]->action = &d->actions[i];
	return true;
}

/* What the statements have in them; in_loop: they are in a loop. */
static void
look_at(struct clause *c, const struct ast_node *stmts, bool in_loop)
{
	for (; stmts; stmts = stmts->next) {
		const struct sema_ident *id = action_of(stmts);
		bool is_loop = stmts->kind == AST_FOR || stmts->kind == AST_DO;

		c->has_if |= stmts->kind == AST_IF || is_loop;
		c->has_spec |= is_spec(id);
		c->speculates |= is_speculate(stmts);
		c->out->desc.is_log |= in_loop && id && !is_spec(id) &&
				       !is_act(id->id);
		if (stmts->kind == AST_IF)
			look_at(c, stmts->list2, in_loop);
		if (stmts->kind == AST_IF || is_loop)
			look_at(c, stmts->list, in_loop || is_loop);
	}
}

static bool
build(struct clause *c, const struct ast_clause *ast)
{
	struct gen_want want = { .size = 0 };
	bool ok = true;

	c->out->place = gen_place_of(c->g, ast->span);
	look_at(c, ast->body, false);
	c->out->in_parts = is_in_parts(c);
	if (c->has_spec)
		c->out->desc.is_log = false;
	if (ast->pred) {
		c->out->pred = gen_difo(c->g, ast->pred, want);
		ok = c->out->pred != NULL;
	}
	return gen_list(c, ast->body, NULL, &c->out->body) && ok &&
	       describe(c, ast->span);
}

bool
gen_clause(struct gen *g, const struct sema_clause *sc,
	   struct plan_clause *ret)
{
	struct clause c = { .g = g, .out = ret, .times = 1,
			    .loopmax = g->loopmax };
	bool ok = build(&c, sc->ast);

	vec_fini(&c.actions);
	vec_fini(&c.recorders);
	vec_fini(&c.fields);
	vec_fini(&c.aggids);
	vec_fini(&c.difos);
	return ok;
}

bool
gen_func(struct gen *g, const struct sema_func *f, struct plan_func *ret)
{
	struct plan_clause none = { .place = 0 };
	struct clause c = { .g = g, .out = &none, .func = f, .times = 1,
			    .loopmax = g->loopmax };
	const struct plan_node *body = NULL;
	struct plan_node *clear = NULL;
	bool ok = true;

	if (f->clear) {
		clear = gen_expr(&c, f->clear, f->clear);
		ok = clear != NULL;
	}
	ok = gen_list(&c, f->ast->body, NULL, &body) && ok;
	if (clear)
		clear->next = (struct plan_node *)body;
	ret->body = clear ? clear : body;
	ret->name = f->id.name;
	ret->place = gen_place_of(g, f->ast->span);
	ret->keeps = c.keeps;
	vec_fini(&c.difos);
	return ok;
}
