/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A clause to chunks of code, which a program takes in or calls (prog.c).
 * The record is built in the slot and handed to the ring whole at the end, so
 * a fault just leaves it.
 */
#include <signal.h>

#include "ebpf/ebpf_priv.h"

enum { ENTRY_INLINE = 64 };	/* bytes that are copied word by word */

/* --- Acts ----------------------------------------------------------------- */

static const struct {
	uint32_t act;			/* enum abi_action_kind */
	const char *rt;			/* function of the runtime */
	uint64_t dflt;			/* what it is told without a value */
} acts[] = {
	{ ABI_ACT_STOP, "rt_raise", SIGSTOP },
	{ ABI_ACT_RAISE, "rt_raise", 0 },
	{ ABI_ACT_CHILL, "rt_chill", 0 },
};

static void
act(struct ebpf *g, const struct plan_node *n)
{
	size_t i = 0;

	while (acts[i].act != n->act)
		i++;
	if (n->ndifos) {
		ebpf_difo(g, n->difos[0], n->action_no);
		ebpf_result_number(g);
		ebpf_mov(g, BPF_REG_2, BPF_REG_0);
	} else {
		g->action = n->action_no;
		ebpf_imm(g, BPF_REG_2, acts[i].dflt);
	}
	g->pc = 0;
	ebpf_slot_arg(g);
	ebpf_rt(g, acts[i].rt, 2);
	ebpf_check_rt(g);
}

/* --- The tree ------------------------------------------------------------- */

/* tag: where in the slot the tag of the speculation in force stands. */
static void send(struct ebpf *g, const struct plan_clause *c, uint32_t tag,
		 int out);

static void
mark_branch(struct ebpf *g, const struct plan_clause *c, uint16_t branch)
{
	uint32_t off = sizeof(struct abi_record) + branch - 1u;

	if (branch && !c->desc.is_log)
		ebpf_store_imm(g, 1, R_SLOT, ebpf_rec(g, off), 1);
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
mark_scratch(struct ebpf *g, const struct plan_node *n)
{
	bool claims = false;
	uint32_t at;

	for (uint32_t i = 0; i < n->ndifos && !claims; i++)
		claims = claims_scratch(n->difos[i]);
	if (!n->frees || !claims)
		return 0;
	at = ebpf_temp(g, 8);
	ebpf_slot_used(g);
	ebpf_load(g, 4, BPF_REG_0, R_SLOT,
		  offsetof(struct abi_slot, scratch_used));
	ebpf_store(g, 4, R_SLOT, (int32_t)at, BPF_REG_0);
	return at;
}

/* r0 is kept. */
static void
free_scratch(struct ebpf *g, uint32_t at)
{
	if (!at)
		return;
	ebpf_load(g, 4, BPF_REG_1, R_SLOT, (int32_t)at);
	ebpf_store(g, 4, R_SLOT, offsetof(struct abi_slot, scratch_used),
		   BPF_REG_1);
}

void
ebpf_free_scratch(struct ebpf *g, const struct dif_difo *d)
{
	if (claims_scratch(d))
		free_scratch(g, g->scratch_mark);
}

/* The number of the action that faults in n name: in a function, the one that
 * calls it. */
static uint32_t
action_of(struct ebpf *g, const struct plan_node *n)
{
	return n->action_no ? n->action_no : g->action;
}

void
ebpf_condition(struct ebpf *g, const struct plan_node *n)
{
	uint32_t mark = mark_scratch(g, n);

	g->fault_place = n->tells_place ? n->place : 0;
	ebpf_difo(g, n->difos[0], action_of(g, n));
	ebpf_result_number(g);
	free_scratch(g, mark);
}

static void
conditional(struct ebpf *g, const struct plan_clause *c,
	    const struct plan_node *n, uint32_t tag)
{
	int other = ebpf_label(g), end = ebpf_label(g);
	uint32_t then_tag = tag, else_tag = tag;

	ebpf_condition(g, n);
	ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0, 0, other);
	mark_branch(g, c, n->branch);
	ebpf_nodes(g, c, n->then_, &then_tag);
	ebpf_jmp(g, end);
	ebpf_place(g, other);
	mark_branch(g, c, n->else_branch);
	ebpf_nodes(g, c, n->else_, &else_tag);
	ebpf_place(g, end);
}

static void
clear_branches(struct ebpf *g, const struct plan_clause *c)
{
	if (c->desc.nbranches)
		ebpf_zero(g, R_SLOT, ebpf_rec(g, sizeof(struct abi_record)),
			  c->desc.nbranches);
}

static void
part(struct ebpf *g, const struct plan_clause *c, const struct plan_node *n,
     uint32_t *tag)
{
	int out = ebpf_label(g);

	clear_branches(g, c);
	mark_branch(g, c, n->branch);
	ebpf_nodes(g, c, n->then_, tag);
	send(g, c, *tag, out);
	ebpf_place(g, out);
}

static void
leaf(struct ebpf *g, const struct plan_clause *c, const struct plan_node *n)
{
	uint32_t outer = g->scratch_mark;

	g->scratch_mark = mark_scratch(g, n);
	switch (n->kind) {
	case PLAN_EXPR:
		ebpf_difo(g, n->difos[0], action_of(g, n));
		break;
	case PLAN_RECORD:
		ebpf_record(g, c, n);
		break;
	case PLAN_AGG:
		ebpf_aggregate(g, n);
		break;
	case PLAN_ACT:
		act(g, n);
		break;
	}
	free_scratch(g, g->scratch_mark);
	g->scratch_mark = outer;
}

static void
node(struct ebpf *g, const struct plan_clause *c, const struct plan_node *n,
     uint32_t *tag)
{
	g->fault_place = n->tells_place ? n->place : 0;
	switch (n->kind) {
	case PLAN_IF:
		conditional(g, c, n, *tag);
		break;
	case PLAN_LOOP:
		ebpf_loop(g, c, n, *tag);
		break;
	case PLAN_SPEC:
		ebpf_spec(g, n, tag);
		break;
	case PLAN_PART:
		part(g, c, n, tag);
		break;
	case PLAN_BREAK:
		ebpf_leave(g, g->around.brk);
		break;
	case PLAN_CONTINUE:
		ebpf_leave(g, g->around.cont);
		break;
	case PLAN_RETURN:
		ebpf_leave(g, g->around.ret);
		break;
	default:
		leaf(g, c, n);
	}
}

void
ebpf_nodes(struct ebpf *g, const struct plan_clause *c,
	   const struct plan_node *n, uint32_t *tag)
{
	uint32_t action = g->action;

	for (; n && !g->err; n = n->next) {
		if (!n->action_no)	/* in a function */
			g->action = action;
		node(g, c, n, tag);
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
check_branches(struct ebpf *g, const struct plan_clause *c, int out)
{
	int some = ebpf_label(g);

	for (uint32_t i = 0; i < c->desc.nbranches; i++) {
		ebpf_load(g, 1, BPF_REG_0, R_SLOT,
			  ebpf_rec(g, (uint32_t)sizeof(struct abi_record) + i));
		ebpf_jmp_imm(g, BPF_JNE, BPF_REG_0, 0, some);
	}
	ebpf_jmp(g, out);
	ebpf_place(g, some);
}

/* Who fires, for output that wants it with each record. */
void
ebpf_who(struct ebpf *g, uint8_t base, int32_t off)
{
	ebpf_helper(g, BPF_FUNC_get_current_pid_tgid);
	ebpf_store(g, 4, base, off + (int)offsetof(struct abi_who, tid),
		   BPF_REG_0);
	ebpf_alu_imm(g, BPF_RSH, BPF_REG_0, 32);
	ebpf_store(g, 4, base, off + (int)offsetof(struct abi_who, pid),
		   BPF_REG_0);
	ebpf_comm(g, base, off + (int)offsetof(struct abi_who, comm));
}

/* The same when nothing has been written. */
static void
check_log(struct ebpf *g, const struct plan_clause *c, int out)
{
	ebpf_load(g, 4, BPF_REG_0, R_SLOT, offsetof(struct abi_slot, log_used));
	ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0,
		     (int32_t)abi_log_start(&c->desc), out);
}

static void
store_size(struct ebpf *g, const struct plan_clause *c)
{
	int32_t at = ebpf_rec(g, offsetof(struct abi_record, size));

	ebpf_load(g, 4, BPF_REG_1, R_FS, FS_CPU);
	if (!c->desc.is_log) {
		ebpf_store_size(g, R_SLOT, at, c->desc.record_size,
				BPF_REG_1);
		return;
	}
	ebpf_load(g, 4, BPF_REG_2, R_SLOT, offsetof(struct abi_slot, log_used));
	ebpf_store_size_of(g, R_SLOT, at, BPF_REG_2, BPF_REG_1);
}

/* The record in the slot to the ring; to out when it goes nowhere. */
static void
send(struct ebpf *g, const struct plan_clause *c, uint32_t tag, int out)
{
	g->use.rings = true;
	ebpf_slot_used(g);
	if (c->desc.spec)
		ebpf_spec_tag(g, &c->desc, tag, out);
	ebpf_load(g, 4, BPF_REG_0, R_FS, FS_EPID);
	ebpf_store(g, 4, R_SLOT, ebpf_rec(g, offsetof(struct abi_record, epid)),
		   BPF_REG_0);
	store_size(g, c);
	ebpf_time(g);
	ebpf_store(g, 8, R_SLOT,
		   ebpf_rec(g, offsetof(struct abi_record, timestamp)),
		   BPF_REG_0);
	if (c->desc.who)
		ebpf_who(g, R_SLOT, ebpf_rec(g, c->desc.who));
	ebpf_slot_arg(g);
	ebpf_load(g, 4, BPF_REG_2, R_FS, FS_CPU);
	ebpf_call(g, ebpf_sym(g, ebpf_commit_name(g,
			c->desc.is_log ? 0 : c->desc.record_size),
			      SYM_GFUNC));
}

static void
commit(struct ebpf *g, const struct plan_clause *c, uint32_t tag)
{
	int out = ebpf_label(g);

	if (!c->desc.record_size || c->in_parts)
		return;
	if (c->desc.is_log)
		check_log(g, c, out);
	else if (!always_records(c))
		check_branches(g, c, out);
	send(g, c, tag, out);
	ebpf_place(g, out);
}

/* bufpolicy=fill: a clause that will record is over before it has done anything,
 * and its firing, when there is no room; as a rule there is (ring.c). */
static void
check_room(struct ebpf *g, const struct plan_clause *c)
{
	int some = ebpf_label(g);

	if (g->in->policy != EBPF_FILL || !c->desc.record_size ||
	    c->desc.is_log || c->in_parts || !always_records(c))
		return;
	g->use.rings = g->use.exit = g->asks_room = true;
	ebpf_imm(g, BPF_REG_1, c->desc.record_size);
	ebpf_load(g, 4, BPF_REG_2, R_FS, FS_CPU);
	ebpf_call(g, ebpf_sym(g, EBPF_ROOM, SYM_GFUNC));
	ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0, 0, some);
	ebpf_store_imm(g, 1, R_FS, FS_EXITED, 1);
	ebpf_jmp(g, ebpf_quit(g));
	ebpf_place(g, some);
}

/* --- Chunks --------------------------------------------------------------- */

/* Jumps reach 32,768 instructions, and a chunk ends after the statement that
 * made it as large as this. */
enum { CHUNK_MAX = 8000, NONE = -1 };

int
ebpf_quit(struct ebpf *g)
{
	if (g->quit == NONE)
		g->quit = ebpf_label(g);
	return g->quit;
}

static void
chunk_begin(struct ebpf *g, struct ebpf_chunk *chunk)
{
	ebpf_chunk_begin(g, chunk);
	g->chunk = chunk->insn;
	g->use.loop = g->looping;
	g->around = (struct ebpf_around){ -1, -1, -1 };
	g->quit = NONE;
	g->fail_label = ebpf_label(g);
	if (g->looping)
		ebpf_loop_begin(g);
}

static void
place_if_used(struct ebpf *g, int label)
{
	if (label != NONE)
		ebpf_place(g, label);
}

/* Behind the straight path, which jumps over it: where the predicate and what
 * ends the clause go, unless that is the end all the same, and faults.  unrun:
 * the predicate's label, NONE when there is none. */
static void
chunk_end(struct ebpf *g, struct ebpf_chunk *chunk, int unrun)
{
	bool early = unrun != NONE || g->quit != NONE;
	int end = ebpf_label(g);

	if (!chunk->next) {
		place_if_used(g, unrun);
		place_if_used(g, g->quit);
	}
	if (g->looping)
		ebpf_loop_end(g);
	if (chunk->next || g->use.fault || g->looping) {
		ebpf_imm(g, BPF_REG_0, LEFT_DONE);
		ebpf_jmp(g, end);
	}
	if (chunk->next && early) {
		place_if_used(g, unrun);
		place_if_used(g, g->quit);
		ebpf_imm(g, BPF_REG_0, LEFT_UNRUN);
		ebpf_jmp(g, end);
	}
	ebpf_flush_stubs(g);
	ebpf_place(g, end);
	ebpf_chunk_end(g, chunk);
}

/* The statements, in as many chunks as they need; returns the last, which is
 * still open. */
static struct ebpf_chunk *
body(struct ebpf *g, const struct plan_clause *c, struct ebpf_chunk *chunk,
     int *unrun, uint32_t *tag)
{
	for (const struct plan_node *n = c->body; n && !g->err; n = n->next) {
		bool loops = ebpf_loops(g, n, g->looping);
		if (loops != g->looping ||
		    ebpf_pc(g) - chunk->insn > CHUNK_MAX) {
			chunk->next = ARENA_NEW(g->a, struct ebpf_chunk);
			if (!chunk->next) {
				ebpf_fail(g, &err_nomem);
				break;
			}
			chunk_end(g, chunk, *unrun);
			chunk = chunk->next;
			g->looping = loops;
			chunk_begin(g, chunk);
			*unrun = NONE;
		}
		node(g, c, n, tag);
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

void
ebpf_clause(struct ebpf *g, uint32_t index)
{
	const struct plan_clause *c = &g->plan->clauses[index];
	struct ebpf_chunk *first = &g->clauses[index];

	g->place = c->place;
	g->temps = g->limits = g->ncomms = 0;
	g->looping = ebpf_pred_loops(g, c) || ebpf_loops(g, c->body, false);
	g->func_end = g->plan->nfuncs;
	g->fault_place = abi_place_file(c->place) ? c->place : 0;
	g->depth = 0;
	chunk_begin(g, first);
	int unrun = c->pred ? ebpf_label(g) : NONE;
	uint32_t reset = ebpf_pc(g);
	ebpf_emit(g, BPF_JMP | BPF_JA, 0, 0, 0, 0);	/* patched below */
	if (ebpf_has_loops(g, c)) {
		ebpf_slot_used(g);
		ebpf_store_imm(g, 4, R_SLOT, offsetof(struct abi_slot, turns),
			       0);
	}
	if (c->pred) {
		ebpf_difo(g, c->pred, 0);
		ebpf_result_number(g);
		ebpf_jmp_imm(g, BPF_JEQ, BPF_REG_0, 0, unrun);
	}
	check_room(g, c);
	if (c->desc.is_log)
		ebpf_store_imm(g, 4, R_SLOT, offsetof(struct abi_slot, log_used),
			       (int32_t)abi_log_start(&c->desc));
	if (!c->in_parts)
		clear_branches(g, c);
	uint32_t tag = 0;
	struct ebpf_chunk *last = body(g, c, first, &unrun, &tag);
	commit(g, c, tag);
	chunk_end(g, last, unrun);
	/* Only now is it known whether there is a slot to reset. */
	if (!g->err && uses_slot(first)) {
		first->use.slot = true;
		g->chunks.insns.v[reset] = (struct bpf_insn){
			.code = BPF_ST | BPF_MEM | BPF_W, .dst_reg = R_SLOT,
			.off = offsetof(struct abi_slot, scratch_used) };
	}
	g->place = 0;
}
