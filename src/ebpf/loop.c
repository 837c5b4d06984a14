/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Loops, and functions of the program.
 *
 * The kernel's verifier follows a backward jump turn by turn, and gives up
 * after a few thousand.  What it looks at once is the callback of bpf_loop().
 * Making a callback of each loop's body would take a frame of the stack for
 * each level, and there are 512 bytes in all.  So the chunk as a whole is the
 * callback, and a state machine: one call of it runs from where the last one
 * stopped to the next jump backward, at most.
 *
 *	head of loop 3:		reached from above, or by state 3
 *		condition, body, step
 *		state = 3; return 0;	bpf_loop() calls again
 *
 *  1. What lives from turn to turn is in the slot: the state, how often loops
 *     have turned, copies of DIF registers.  The callback's frame is lost at
 *     each turn, and so a number that is read in a turn is one the verifier
 *     does not know: the second turn looks like the first.
 *  2. All jumps are forward but this one, so how a loop ends (break, return,
 *     a fault) needs nothing special.
 *  3. The verifier looks at a callback several times, so what is large and has no
 *     loop is a chunk of its own, and not a callback.  (A large clause with one
 *     small loop: 235,000 instructions verified so, 967,000 in one callback.)
 *  4. Where a chunk begins it looks at the state, and hops from loop to loop
 *     until one says that it is meant.
 *  5. Only a chunk that is a callback has loops.
 *  6. A function is written into what calls it when nothing of the caller's lies on
 *     the tuple stack, and leaves the nesting as it was.
 *
 * A function is not called: its nodes stand where `callf` does, since frames
 * are short.  Registers of the DIFO around wait in the slot.
 *
 * Measured on Linux 6.18 for `for (this->i = 0; this->i < 4096; this->i++)
 * t += this->i`: the whole process takes as long as one without the loop, but
 * for 25 ns a turn, however many turns the verifier must think of.
 */
#include <assert.h>

#include "abi/slot.h"
#include "ebpf/expr_priv.h"
#include "ebpf/prog_priv.h"

enum {
	/* Nesting of functions. */
	DEPTH_MAX = 64,
	/* Instructions of DIF that may be looked at several times. */
	NEAR_MAX = 60,
	/* Jumps reach 32,768; there is no use in going on then. */
	CHUNK_LIMIT = 40000,
	NONE = -1,
};

/* --- What the plan has ---------------------------------------------------- */

static bool nodes_loop(const struct ebpf *g, const struct plan_node *n,
		       unsigned depth);

static bool
difo_loops(const struct ebpf *g, const struct dif_difo *d, unsigned depth)
{
	for (uint32_t pc = 0; d && pc < d->ntext; pc++) {
		uint32_t func = DIF_INSN_INDEX(d->text[pc]);
		if (DIF_INSN_OP(d->text[pc]) == DIF_OP_CALLF &&
		    func < g->plan->nfuncs && depth < DEPTH_MAX &&
		    nodes_loop(g, g->plan->funcs[func].body, depth + 1))
			return true;
	}
	return false;
}

static bool
nodes_loop(const struct ebpf *g, const struct plan_node *n, unsigned depth)
{
	for (; n; n = n->next) {
		if (n->kind == PLAN_LOOP || nodes_loop(g, n->then_, depth) ||
		    nodes_loop(g, n->else_, depth))
			return true;
		for (uint32_t i = 0; i < n->ndifos; i++)
			if (difo_loops(g, n->difos[i], depth))
				return true;
	}
	return false;
}

static bool
node_loops(const struct ebpf *g, const struct plan_node *n)
{
	struct plan_node one = *n;

	one.next = NULL;
	return nodes_loop(g, &one, 0);
}

/* Instructions of DIF. */
static uint64_t
weight(const struct plan_node *n)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < n->ndifos; i++)
		sum += n->difos[i] ? n->difos[i]->ntext : 0;
	for (const struct plan_node *k = n->then_; k; k = k->next)
		sum += weight(k);
	for (const struct plan_node *k = n->else_; k; k = k->next)
		sum += weight(k);
	return sum;
}

/* How the statements from n on are best taken: whether there is a loop, or only
 * little before the next one (now: or the end). */
static bool
loop_is_near(const struct ebpf *g, const struct plan_node *n, bool now)
{
	uint64_t sum = 0;

	for (; n; n = n->next) {
		if (node_loops(g, n))
			return true;
		sum += weight(n);
		if (sum > NEAR_MAX)
			return false;
	}
	return now;
}

bool
ebpf_loops(const struct ebpf *g, const struct plan_node *n, bool now)
{
	return n ? loop_is_near(g, n, now) : now;
}

bool
ebpf_has_loops(const struct ebpf *g, const struct plan_clause *c)
{
	return difo_loops(g, c->pred, 0) || nodes_loop(g, c->body, 0);
}

bool
ebpf_pred_loops(const struct ebpf *g, const struct plan_clause *c)
{
	return difo_loops(g, c->pred, 0);
}

/* --- The chunk as a callback ---------------------------------------------- */

enum { STATE = offsetof(struct abi_slot, loop_state),
       TURNS = offsetof(struct abi_slot, turns),
       LEFT = offsetof(struct abi_slot, loop_left) };

void
ebpf_loop_begin(struct ebpf_body *b)
{
	struct ebpf_out *o = b->o;

	assert(b->looping);						/* 5 */
	b->hop = ebpf_label(o);
	b->nstates = 0;
	ebpf_load(o, 4, BPF_REG_0, R_SLOT, STATE);
	ebpf_jmp_imm(o, BPF_JNE, BPF_REG_0, 0, b->hop);
}

/* The last hop, which nobody takes: no loop was meant. */
void
ebpf_loop_end(struct ebpf_body *b)
{
	ebpf_place(b->o, b->hop);
}

/* r0 says how the chunk left.  What the frame of the function that calls
 * bpf_loop() has: the head of its caller's, the firing, the slot. */
enum { UP_HEAD = -8, UP_FS = -16, UP_SLOT = -24 };

/* So bpf_loop() gets through: it makes as many turns, and go_back() faults before. */
_Static_assert(PLAN_TURNS_MAX + 2 <= 1 << 23, "what the kernel takes");

static uint32_t
callback(struct ebpf *g, const char *name, const struct ebpf_chunk *c)
{
	struct ebpf_out out, *o = &out;
	uint32_t sym = ebpf_func_begin(o, g, SEC_TEXT, name, 2);

	ebpf_load(o, 8, R_SLOT, BPF_REG_2, UP_SLOT - UP_SLOT);
	ebpf_load(o, 8, R_FS, BPF_REG_2, UP_FS - UP_SLOT);
	ebpf_load(o, 8, BPF_REG_1, BPF_REG_2, UP_HEAD - UP_SLOT);
	ebpf_head_in(o, c, BPF_REG_1);
	ebpf_paste(o, c);
	ebpf_store(o, 4, R_SLOT, LEFT, BPF_REG_0);
	ebpf_head_out(o, c);
	ebpf_return(o, 1);
	ebpf_func_end(o, sym);
	return sym;
}

void
ebpf_loop_funcs(struct ebpf *g, const char *name, struct ebpf_chunk *c)
{
	struct ebpf_out out, *o = &out;
	const char *cb = ebpf_name(g, "loop_%s", name);
	uint32_t sym = callback(g, cb, c);
	c->sym = ebpf_func_begin(o, g, SEC_TEXT, name, 3);
	ebpf_mov(o, R_SLOT, BPF_REG_3);
	ebpf_store(o, 8, BPF_REG_10, UP_HEAD, BPF_REG_1);
	ebpf_store(o, 8, BPF_REG_10, UP_FS, BPF_REG_2);
	ebpf_store(o, 8, BPF_REG_10, UP_SLOT, BPF_REG_3);
	ebpf_store_imm(o, 4, R_SLOT, STATE, 0);
	ebpf_store_imm(o, 4, R_SLOT, LEFT, LEFT_DONE);
	ebpf_imm(o, BPF_REG_1, PLAN_TURNS_MAX + 2);
	ebpf_func_addr(o, BPF_REG_2, sym);
	ebpf_lea(o, BPF_REG_3, BPF_REG_10, UP_SLOT);
	ebpf_imm(o, BPF_REG_4, 0);
	ebpf_helper(o, BPF_FUNC_loop);
	ebpf_load(o, 4, BPF_REG_0, R_SLOT, LEFT);
	ebpf_emit(o, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
	ebpf_func_end(o, c->sym);
}

/* --- Loops ---------------------------------------------------------------- */

static int
fault_here(struct ebpf_out *o, const struct plan_node *n)
{
	o->at.action = n->action_no ? n->action_no : o->at.action;
	o->at.place = n->place;
	return ebpf_fault(o, ABI_FAULT_LOOP, 0);
}

/* The kernel refuses code that nothing leads to, such as what stands behind a
 * break.  That a condition always holds it finds out only later. */
void
ebpf_leave(struct ebpf_out *o, int label)
{
	ebpf_imm(o, BPF_REG_0, 0);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, label);
}

/* One more turn of all loops, and back to the head; over: behind the loop. */
static void
go_back(struct ebpf_out *o, const struct plan_node *n, uint32_t state, int over)
{
	ebpf_load(o, 4, BPF_REG_0, R_SLOT, TURNS);
	ebpf_alu_imm(o, BPF_ADD, BPF_REG_0, 1);
	ebpf_jmp_imm(o, BPF_JGT, BPF_REG_0, PLAN_TURNS_MAX,
		     fault_here(o, n));
	ebpf_store(o, 4, R_SLOT, TURNS, BPF_REG_0);
	ebpf_store_imm(o, 4, R_SLOT, STATE, (int32_t)state);
	ebpf_imm(o, BPF_REG_0, 0);
	ebpf_jmp_imm(o, BPF_JNE, BPF_REG_0, 0, over);
	ebpf_emit(o, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

/* A turn begins; `count` is where this loop's are counted. */
static void
count_turn(struct ebpf_out *o, const struct plan_node *n, int32_t count)
{
	uint32_t most = BASE_MIN(o->g->plan->loopmax, (uint32_t)INT32_MAX);

	ebpf_load(o, 4, BPF_REG_0, R_SLOT, count);
	ebpf_jmp_imm(o, BPF_JGE, BPF_REG_0, (int32_t)most, fault_here(o, n));
	ebpf_alu_imm(o, BPF_ADD, BPF_REG_0, 1);
	ebpf_store(o, 4, R_SLOT, count, BPF_REG_0);
}

/* Where state `state` goes on; from above the way leads to first, NONE: here. */
static void
head(struct ebpf_body *b, uint32_t state, int first)
{
	struct ebpf_out *o = b->o;
	int here = ebpf_label(o), next = ebpf_label(o);

	ebpf_jmp(o, first == NONE ? here : first);
	ebpf_place(o, b->hop);
	ebpf_jmp_imm(o, BPF_JNE, BPF_REG_0, (int32_t)state, next);
	ebpf_place(o, here);
	b->hop = next;
}

void
ebpf_loop(struct ebpf_body *b, const struct plan_clause *c,
	  const struct plan_node *n, uint32_t tag)
{
	struct ebpf_out *o = b->o;
	struct ebpf_around around = b->around;
	struct ebpf_around own = { ebpf_label(o), ebpf_label(o),
				   around.ret };
	uint32_t action = o->at.action, state = ++b->nstates;
	int32_t count = (int32_t)ebpf_temp(o, 8);
	int body = ebpf_label(o);

	assert(b->looping && o->use.loop);				/* 5 */
	ebpf_store_imm(o, 4, R_SLOT, count, 0);
	head(b, state, n->is_post ? body : NONE);
	if (n->ndifos) {
		ebpf_condition(b, n);
		ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, own.brk);
	}
	ebpf_place(o, body);
	count_turn(o, n, count);
	b->around = own;
	ebpf_nodes(b, c, n->then_, &tag);
	ebpf_place(o, own.cont);
	b->around.cont = b->around.brk = NONE;
	o->at.action = action;
	ebpf_nodes(b, c, n->else_, &tag);
	go_back(o, n, state, own.brk);
	ebpf_place(o, own.brk);
	b->around = around;
	o->at.action = action;
}

/* --- Functions ------------------------------------------------------------ */

/* Registers that another DIFO in the middle of this one would spoil go to the slot:
 * saved[r] is where, 0: nowhere.  execname lies in the frame; everything else that
 * is known of an address is still true when we come back. */
static void
save(struct ebpf_expr *e, uint32_t saved[DIF_NREGS])
{
	struct ebpf_out *o = e->o;

	for (unsigned r = 1; r < DIF_NREGS; r++) {
		struct ebpf_fact *f = &e->fact[r];
		if (!(e->live & 1u << r))
			continue;
		if (f->region == REG_COMM) {
			ebpf_settle(e, r);
			*f = (struct ebpf_fact){ REG_NONE };
		}
		if (ebpf_is_pending(f))
			continue;
		saved[r] = ebpf_temp(o, 8);
		ebpf_store(o, 8, R_SLOT, (int32_t)saved[r],
			   ebpf_get(e, r, BPF_REG_0));
	}
}

static void
restore(struct ebpf_expr *e, const uint32_t saved[DIF_NREGS])
{
	for (unsigned r = 1; r < DIF_NREGS; r++) {
		struct ebpf_fact known = e->fact[r];
		if (!saved[r])
			continue;
		ebpf_load(e->o, 8, BPF_REG_0, R_SLOT, (int32_t)saved[r]);
		ebpf_set(e, r, BPF_REG_0);
		e->fact[r] = known;
	}
}

void
ebpf_callf(struct ebpf_expr *e, uint32_t w)
{
	struct ebpf_body *b = e->b;
	struct ebpf_out *o = e->o;
	uint32_t func = DIF_INSN_INDEX(w), outer = b->func_end;
	struct ebpf_around around = b->around;
	struct ebpf_where at = o->at;
	uint32_t tag = 0, saved[DIF_NREGS] = { 0 };

	if (func >= outer) {
		ebpf_leave(o, ebpf_fault(o, ABI_FAULT_ILLOP, 0));
		return;
	}
	if (++b->depth > DEPTH_MAX || ebpf_pc(o) - b->chunk > CHUNK_LIMIT) {
		ebpf_limit(e->g, o->place,
			   "the functions called here are too many, or "
			   "too large: they stand where they are called");
		return;
	}
	assert(!e->ncells);	/* 6: dif_verify() has seen it */
	save(e, saved);
	o->at.dif_off = UINT32_MAX;
	b->func_end = func;
	b->around = (struct ebpf_around){ NONE, NONE, ebpf_label(o) };
	ebpf_nodes(b, NULL, e->g->plan->funcs[func].body, &tag);
	ebpf_place(o, b->around.ret);
	b->around = around;
	assert(b->depth && b->func_end == func);			/* 6 */
	b->func_end = outer;
	b->depth--;
	o->at = at;
	restore(e, saved);
}
