/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A clause to chunks of code, which a program takes in or calls (prog.c).
 * The record is built in the slot and handed to the ring whole at the end, so
 * a fault just leaves it.
 */
#include <signal.h>

#include "abi/slot.h"
#include "ebpf/expr_priv.h"
#include "ebpf/other_priv.h"

enum { ENTRY_INLINE = 64 };	/* bytes that are copied word by word */

/* --- Acts ----------------------------------------------------------------- */

static const struct {
	uint32_t act;			/* enum abi_action_kind */
	const char *rt;			/* function of the runtime */
	uint64_t dflt;			/* what it is told without a value */
	bool signals;			/* the current thread */
} acts[] = {
	{ ABI_ACT_STOP, "rt_raise", SIGSTOP, true },
	{ ABI_ACT_RAISE, "rt_raise", 0, true },
	{ ABI_ACT_CHILL, "rt_chill", 0 },
};

static void
act(struct ebpf_body *b, const struct plan_node *n)
{
	struct ebpf_out *o = b->o;
	size_t i = 0;

	while (acts[i].act != n->act)
		i++;
	if (acts[i].signals) {
		o->at.action = n->action_no;
		ebpf_current_only(o);
	}
	if (n->ndifos) {
		ebpf_number(b, n->difos[0], n->action_no);
		ebpf_mov(o, BPF_REG_2, BPF_REG_0);
	} else {
		o->at.action = n->action_no;
		ebpf_imm(o, BPF_REG_2, acts[i].dflt);
	}
	ebpf_slot_arg(o);
	ebpf_rt(o, acts[i].rt, 2);
	ebpf_check_rt(o);
}

/* --- The tree ------------------------------------------------------------- */

/* tag: where in the slot the tag of the speculation in force stands. */
static void send(struct ebpf_out *o, const struct plan_clause *c, uint32_t tag,
		 int out);

static void
mark_branch(struct ebpf_out *o, const struct plan_clause *c, uint16_t branch)
{
	uint32_t off = sizeof(struct abi_record) + branch - 1u;

	if (branch && !c->desc.is_log)
		ebpf_store_imm(o, 1, R_SLOT, ebpf_rec(o, off), 1);
}

static bool
insn_claims(uint32_t w)
{
	unsigned id = DIF_INSN_INDEX(w);
	const struct dif_subrinfo *subr;

	switch (DIF_INSN_OP(w)) {
	case DIF_OP_ALLOCS: case DIF_OP_CALLF:
		return true;
	case DIF_OP_CALL:
		subr = dif_subr_info(id);
		return !subr || subr->ret != 'i';
	case DIF_OP_LDGS:
		return id == DIF_VAR_EXECARGS || id == DIF_VAR_CWD ||
		       id == DIF_VAR_ROOT;
	}
	return false;
}

static bool
claims_scratch(const struct dif_difo *d)
{
	for (uint32_t k = 0; d && k < d->ntext; k++)
		if (insn_claims(d->text[k]))
			return true;
	return false;
}

/* Remember how much scratch is in use; where, or 0. */
static uint32_t
mark_scratch(struct ebpf_out *o, const struct plan_node *n)
{
	bool claims = false;
	uint32_t at;

	for (uint32_t i = 0; i < n->ndifos && !claims; i++)
		claims = claims_scratch(n->difos[i]);
	if (!n->frees || !claims)
		return 0;
	at = ebpf_temp(o, 8);
	ebpf_load(o, 4, BPF_REG_0, R_SLOT,
		  offsetof(struct abi_slot, scratch_used));
	ebpf_store(o, 4, R_SLOT, (int32_t)at, BPF_REG_0);
	return at;
}

/* r0 is kept. */
static void
free_scratch(struct ebpf_out *o, uint32_t at)
{
	if (!at)
		return;
	ebpf_load(o, 4, BPF_REG_1, R_SLOT, (int32_t)at);
	ebpf_store(o, 4, R_SLOT, offsetof(struct abi_slot, scratch_used),
		   BPF_REG_1);
}

void
ebpf_free_scratch(struct ebpf_body *b, const struct dif_difo *d)
{
	if (claims_scratch(d))
		free_scratch(b->o, b->scratch_mark);
}

/* The number of the action that faults in n name: in a function, the one that
 * calls it. */
static uint32_t
action_of(struct ebpf_out *o, const struct plan_node *n)
{
	return n->action_no ? n->action_no : o->at.action;
}

void
ebpf_condition(struct ebpf_body *b, const struct plan_node *n)
{
	struct ebpf_out *o = b->o;
	uint32_t mark = mark_scratch(o, n);

	o->at.place = n->tells_place ? n->place : 0;
	ebpf_number(b, n->difos[0], action_of(o, n));
	free_scratch(o, mark);
}

static void
conditional(struct ebpf_body *b, const struct plan_clause *c,
	    const struct plan_node *n, uint32_t tag)
{
	struct ebpf_out *o = b->o;
	int other = ebpf_label(o), end = ebpf_label(o);
	uint32_t then_tag = tag, else_tag = tag;

	ebpf_condition(b, n);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, other);
	mark_branch(o, c, n->branch);
	ebpf_nodes(b, c, n->then_, &then_tag);
	ebpf_jmp(o, end);
	ebpf_place(o, other);
	mark_branch(o, c, n->else_branch);
	ebpf_nodes(b, c, n->else_, &else_tag);
	ebpf_place(o, end);
}

static void
clear_branches(struct ebpf_out *o, const struct plan_clause *c)
{
	if (c->desc.nbranches)
		ebpf_zero(o, R_SLOT, ebpf_rec(o, sizeof(struct abi_record)),
			  c->desc.nbranches);
}

static void
part(struct ebpf_body *b, const struct plan_clause *c,
     const struct plan_node *n, uint32_t *tag)
{
	struct ebpf_out *o = b->o;
	int out = ebpf_label(o);

	clear_branches(o, c);
	mark_branch(o, c, n->branch);
	ebpf_nodes(b, c, n->then_, tag);
	send(o, c, *tag, out);
	ebpf_place(o, out);
}

static void
leaf(struct ebpf_body *b, const struct plan_clause *c,
     const struct plan_node *n)
{
	struct ebpf_out *o = b->o;
	uint32_t outer = b->scratch_mark;
	struct ebpf_expr e;

	b->scratch_mark = mark_scratch(o, n);
	switch (n->kind) {
	case PLAN_EXPR:
		ebpf_difo(&e, b, n->difos[0], action_of(o, n));
		break;
	case PLAN_RECORD:
		ebpf_record(b, c, n);
		break;
	case PLAN_AGG:
		ebpf_aggregate(b, n);
		break;
	case PLAN_ACT:
		act(b, n);
		break;
	}
	free_scratch(o, b->scratch_mark);
	b->scratch_mark = outer;
}

static void
node(struct ebpf_body *b, const struct plan_clause *c,
     const struct plan_node *n, uint32_t *tag)
{
	struct ebpf_out *o = b->o;

	o->at.place = n->tells_place ? n->place : 0;
	switch (n->kind) {
	case PLAN_IF:
		conditional(b, c, n, *tag);
		break;
	case PLAN_LOOP:
		ebpf_loop(b, c, n, *tag);
		break;
	case PLAN_SPEC:
		ebpf_spec(b, n, tag);
		break;
	case PLAN_PART:
		part(b, c, n, tag);
		break;
	case PLAN_BREAK:
		ebpf_leave(o, b->around.brk);
		break;
	case PLAN_CONTINUE:
		ebpf_leave(o, b->around.cont);
		break;
	case PLAN_RETURN:
		ebpf_leave(o, b->around.ret);
		break;
	default:
		leaf(b, c, n);
	}
}

void
ebpf_nodes(struct ebpf_body *b, const struct plan_clause *c,
	   const struct plan_node *n, uint32_t *tag)
{
	uint32_t action = b->o->at.action;

	for (; n && !b->g->err; n = n->next) {
		if (!n->action_no)	/* in a function */
			b->o->at.action = action;
		node(b, c, n, tag);
	}
}

static bool
always_records(const struct plan_clause *c)
{
	if (!c->body)
		return true;
	for (const struct plan_node *n = c->body; n; n = n->next)
		if (n->kind == PLAN_RECORD)
			return true;
	return false;
}

/* Skip the commit when no branch that was taken recorded anything. */
static void
check_branches(struct ebpf_out *o, const struct plan_clause *c, int out)
{
	int some = ebpf_label(o);

	for (uint32_t i = 0; i < c->desc.nbranches; i++) {
		ebpf_load(o, 1, BPF_REG_0, R_SLOT,
			  ebpf_rec(o, (uint32_t)sizeof(struct abi_record) + i));
		ebpf_jmp_imm(o, BPF_JNE, BPF_REG_0, 0, some);
	}
	ebpf_jmp(o, out);
	ebpf_place(o, some);
}

/* Who fires, for output that wants it with each record. */
void
ebpf_who(struct ebpf_out *o, uint8_t base, int32_t off)
{
	ebpf_tid(o);
	ebpf_store(o, 4, base, off + (int)offsetof(struct abi_who, tid),
		   BPF_REG_0);
	ebpf_pid(o);
	ebpf_store(o, 4, base, off + (int)offsetof(struct abi_who, pid),
		   BPF_REG_0);
	ebpf_comm(o, base, off + (int)offsetof(struct abi_who, comm));
}

/* The same when nothing has been written. */
static void
check_log(struct ebpf_out *o, const struct plan_clause *c, int out)
{
	ebpf_load(o, 4, BPF_REG_0, R_SLOT, offsetof(struct abi_slot, log_used));
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0,
		     (int32_t)abi_log_start(&c->desc), out);
}

static void
store_size(struct ebpf_out *o, const struct plan_clause *c)
{
	int32_t at = ebpf_rec(o, offsetof(struct abi_record, size));

	ebpf_load(o, 4, BPF_REG_1, R_FS, FS_CPU);
	if (!c->desc.is_log) {
		ebpf_store_size(o, R_SLOT, at, c->desc.record_size,
				BPF_REG_1);
		return;
	}
	ebpf_load(o, 4, BPF_REG_2, R_SLOT, offsetof(struct abi_slot, log_used));
	ebpf_store_size_of(o, R_SLOT, at, BPF_REG_2, BPF_REG_1);
}

/* The record in the slot to the ring; to out when it goes nowhere. */
static void
send(struct ebpf_out *o, const struct plan_clause *c, uint32_t tag, int out)
{
	o->use.rings = true;
	if (c->desc.spec)
		ebpf_spec_tag(o, &c->desc, tag, out);
	ebpf_load(o, 4, BPF_REG_0, R_FS, FS_EPID);
	ebpf_store(o, 4, R_SLOT, ebpf_rec(o, offsetof(struct abi_record, epid)),
		   BPF_REG_0);
	store_size(o, c);
	ebpf_time(o);
	ebpf_store(o, 8, R_SLOT,
		   ebpf_rec(o, offsetof(struct abi_record, timestamp)),
		   BPF_REG_0);
	if (c->desc.who)
		ebpf_who(o, R_SLOT, ebpf_rec(o, c->desc.who));
	ebpf_slot_arg(o);
	ebpf_load(o, 4, BPF_REG_2, R_FS, FS_CPU);
	ebpf_call(o, ebpf_sym(o->g, ebpf_commit_name(o->g,
			c->desc.is_log ? 0 : c->desc.record_size),
			      SYM_GFUNC));
}

static void
commit(struct ebpf_out *o, const struct plan_clause *c, uint32_t tag)
{
	int out = ebpf_label(o);

	if (!c->desc.record_size || c->in_parts)
		return;
	if (c->desc.is_log)
		check_log(o, c, out);
	else if (!always_records(c))
		check_branches(o, c, out);
	send(o, c, tag, out);
	ebpf_place(o, out);
}

/* bufpolicy=fill: a clause that will record is over before it has done anything,
 * and its firing, when there is no room; as a rule there is (ring.c). */
static void
check_room(struct ebpf_body *b, const struct plan_clause *c)
{
	struct ebpf_out *o = b->o;
	int some = ebpf_label(o);

	if (b->g->in->policy != EBPF_FILL || !c->desc.record_size ||
	    c->desc.is_log || c->in_parts || !always_records(c))
		return;
	o->use.rings = o->use.exit = b->g->asks_room = true;
	ebpf_imm(o, BPF_REG_1, c->desc.record_size);
	ebpf_load(o, 4, BPF_REG_2, R_FS, FS_CPU);
	ebpf_call(o, ebpf_sym(b->g, EBPF_ROOM, SYM_GFUNC));
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, some);
	ebpf_store_imm(o, 1, R_FS, FS_EXITED, 1);
	ebpf_jmp(o, ebpf_quit(b));
	ebpf_place(o, some);
}

/* --- Chunks --------------------------------------------------------------- */

/* Jumps reach 32,768 instructions, and a chunk ends after the statement that
 * made it as large as this. */
enum { CHUNK_MAX = 8000, NONE = -1 };

int
ebpf_quit(struct ebpf_body *b)
{
	if (b->quit == NONE)
		b->quit = ebpf_label(b->o);
	return b->quit;
}

static void
chunk_begin(struct ebpf_body *b, struct ebpf_chunk *chunk)
{
	struct ebpf_out *o = b->o;

	ebpf_chunk_begin(o, chunk);
	b->chunk = chunk->insn;
	o->use.loop = b->looping;
	b->around = (struct ebpf_around){ -1, -1, -1 };
	b->quit = NONE;
	o->fail_label = ebpf_label(o);
	if (b->looping)
		ebpf_loop_begin(b);
}

static void
place_if_used(struct ebpf_out *o, int label)
{
	if (label != NONE)
		ebpf_place(o, label);
}

/* Behind the straight path, which jumps over it: where the predicate and what
 * ends the clause go, unless that is the end all the same, and faults.  unrun:
 * the predicate's label, NONE when there is none. */
static void
chunk_end(struct ebpf_body *b, struct ebpf_chunk *chunk, int unrun)
{
	struct ebpf_out *o = b->o;
	bool early = unrun != NONE || b->quit != NONE;
	int end = ebpf_label(o);

	if (!chunk->next) {
		place_if_used(o, unrun);
		place_if_used(o, b->quit);
	}
	if (b->looping)
		ebpf_loop_end(b);
	if (chunk->next || o->use.fault || b->looping) {
		ebpf_imm(o, BPF_REG_0, LEFT_DONE);
		ebpf_jmp(o, end);
	}
	if (chunk->next && early) {
		place_if_used(o, unrun);
		place_if_used(o, b->quit);
		ebpf_imm(o, BPF_REG_0, LEFT_UNRUN);
		ebpf_jmp(o, end);
	}
	ebpf_flush_stubs(o);
	ebpf_place(o, end);
	ebpf_chunk_end(o, chunk);
}

/* The statements, in as many chunks as they need; returns the last, which is
 * still open. */
static struct ebpf_chunk *
statements(struct ebpf_body *b, const struct plan_clause *c,
	   struct ebpf_chunk *chunk, int *unrun, uint32_t *tag)
{
	struct ebpf *g = b->g;

	for (const struct plan_node *n = c->body; n && !g->err; n = n->next) {
		bool loops = ebpf_loops(g, n, b->looping);
		if (loops != b->looping ||
		    ebpf_pc(b->o) - chunk->insn > CHUNK_MAX) {
			chunk->next = EBPF_NEW(g, struct ebpf_chunk);
			if (!chunk->next)
				break;
			chunk_end(b, chunk, *unrun);
			chunk = chunk->next;
			b->looping = loops;
			chunk_begin(b, chunk);
			*unrun = NONE;
		}
		node(b, c, n, tag);
	}
	return chunk;
}

static bool
uses_slot(const struct ebpf_chunk *c)
{
	for (; c; c = c->next)
		if (c->use.slot)
			return true;
	return false;
}

/* All of it.  Returns where the instruction stands that resets the slot. */
static uint32_t
write_clause(struct ebpf_body *b, const struct plan_clause *c,
	     struct ebpf_chunk *first)
{
	struct ebpf_out *o = b->o;
	uint32_t tag = 0;

	chunk_begin(b, first);
	int unrun = c->pred ? ebpf_label(o) : NONE;
	uint32_t reset = ebpf_pc(o);
	ebpf_emit(o, BPF_JMP | BPF_JA, 0, 0, 0, 0);
	if (ebpf_has_loops(b->g, c)) {
		ebpf_store_imm(o, 4, R_SLOT, offsetof(struct abi_slot, turns),
			       0);
	}
	if (c->is_prelude)
		ebpf_prelude_begin(o);
	if (c->pred) {
		ebpf_number(b, c->pred, 0);
		ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, unrun);
	}
	check_room(b, c);
	if (c->desc.is_log)
		ebpf_store_imm(o, 4, R_SLOT,
			       offsetof(struct abi_slot, log_used),
			       (int32_t)abi_log_start(&c->desc));
	if (!c->in_parts)
		clear_branches(o, c);
	struct ebpf_chunk *last = first;
	if (c->is_prelude) {
		ebpf_prelude(b, c);
		ebpf_prelude_end(o);
	} else {
		last = statements(b, c, first, &unrun, &tag);
		commit(o, c, tag);
	}
	chunk_end(b, last, unrun);
	return reset;
}

void
ebpf_clause(struct ebpf *g, uint32_t index)
{
	const struct plan_clause *c = &g->plan->clauses[index];
	struct ebpf_chunk *first = &g->clauses[index];
	struct ebpf_out o;
	struct ebpf_body b = {
		.g = g, .o = &o, .func_end = g->plan->nfuncs,
		.looping = ebpf_pred_loops(g, c) ||
			   ebpf_loops(g, c->body, false) };

	ebpf_out_init(&o, g);
	o.other = ebpf_has_others(g, index);
	o.place = c->place;
	o.at.place = abi_place_file(c->place) ? c->place : 0;
	uint32_t reset = write_clause(&b, c, first);
	ebpf_out_fini(&o);
	/* Only now is it known whether there is a slot to reset. */
	if (!g->err && uses_slot(first)) {
		first->use.slot = true;
		g->chunks.insns.v[reset] = (struct bpf_insn){
			.code = BPF_ST | BPF_MEM | BPF_W, .dst_reg = R_SLOT,
			.off = offsetof(struct abi_slot, scratch_used) };
	}
}
