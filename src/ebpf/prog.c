/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The programs: one per point, or for all points at a tracepoint.  A program
 *
 *	1. leaves when tracing has stopped;
 *	2. finds out which probe fired and leaves when it is none of ours
 *	   (row.c);
 *	3. claims a scratch slot when some clause needs one, and fetches what
 *	   clauses use of the firing (firing.c);
 *	4. runs the clauses of the probe's set in order, and after each one
 *	   that faulted, dt_fault (error.c); behind one that called exit() it
 *	   leaves.
 *
 * Clauses stand in the program itself when there is room: a call costs as much
 * as counting does.  Else they are functions, u64 clause(ctx, firing, slot).
 *
 * For the kernel to call one more program at a tracepoint takes as long as counting
 * does, too.  So points at the same one share a program, in which their parts stand
 * one behind the other, in the order in which programs of their own would run.
 *
 * The kernel takes 256 functions in a program, and is slow to look at a large
 * one.  With more clauses than that leaves room for, the program hands the
 * firing on to others by tail calls: each set has a chain of them, and each of
 * these runs part of the clauses.  (It takes 64 maps, too, and all clauses
 * together have no more: aggmap.c, table.c.)
 *
 * Invariants:
 *  1. a clause that is called has been written as a function before;
 *  2. there is room for the functions of some clauses beside ERROR's and those of
 *     variables;
 *  3. each link of a chain runs a clause at least, and links have the numbers that
 *     were counted for them;
 *  4. where a prelude stands it is the first clause of all sets;
 *  5. a program of several points calls no clause, and its context stands where only
 *     functions keep something.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "abi/ctl.h"
#include "abi/row.h"
#include "abi/slot.h"
#include "ebpf/prog_priv.h"

enum {
	IN_MAX = 20000,		/* instructions of clauses in a program */
	IN_TWICE_MAX = 4096,	/* the same, when some stand there twice */
	CALL_MAX = 200,		/* functions of clauses, with ERROR's */
	ERROR_MAX = 100,	/* ERROR's */
	PROG_MAX = 20000,	/* instructions of clauses, called ones too */
	FOLLOW_MAX = 50000,	/* the same, as often as they are called */
	HASH_FUNCS_MAX = 80,	/* of variables in tables (hash.c) */
	CHAIN_MAX = 32,		/* tail calls in a firing, by the kernel */
	CHAIN_FULL = 24,	/* links, before they grow: some end early */
	LINK_MAX = 6000,	/* instructions of clauses in a link */
	SHARE_MAX = 4096,	/* and in a program that points share */
};

/* --- A clause as a function ---------------------------------------------------- */

/* r0 says how the chunk left. */
static bool
tells(const struct ebpf_chunk *c)
{
	return c->use.fault || c->use.loop || c->next;
}

/* The head of the frame, from the caller's at [up] (CF_*). */
void
ebpf_head_in(struct ebpf_out *o, const struct ebpf_chunk *c, uint8_t up)
{
	ebpf_store(o, 8, BPF_REG_10, CF_UP, up);
	ebpf_load(o, 8, BPF_REG_0, up, CF_CTX - CF_HEAD);
	ebpf_store(o, 8, BPF_REG_10, CF_CTX, BPF_REG_0);
	if (c->use.task) {
		ebpf_load(o, 8, BPF_REG_0, up, CF_TASK - CF_HEAD);
		ebpf_store(o, 8, BPF_REG_10, CF_TASK, BPF_REG_0);
	}
	if (c->use.self) {
		ebpf_load(o, 8, BPF_REG_0, up, CF_SELF - CF_HEAD);
		ebpf_store(o, 8, BPF_REG_10, CF_SELF, BPF_REG_0);
	}
}

/* The next clause of the firing need not look again.  r0 stays. */
void
ebpf_head_out(struct ebpf_out *o, const struct ebpf_chunk *c)
{
	if (!c->use.self)
		return;
	ebpf_load(o, 8, BPF_REG_1, BPF_REG_10, CF_UP);
	ebpf_load(o, 8, BPF_REG_2, BPF_REG_10, CF_SELF);
	ebpf_store(o, 8, BPF_REG_1, CF_SELF - CF_HEAD, BPF_REG_2);
}

static void
chunk_func(struct ebpf *g, uint32_t index, uint32_t part, struct ebpf_chunk *c)
{
	struct ebpf_out out, *o = &out;
	const char *name = ebpf_name(g, "clause_%u_%u", index, part);

	if (c->use.loop) {
		ebpf_loop_funcs(g, name, c);
		return;
	}
	c->sym = ebpf_func_begin(o, g, SEC_TEXT, name, 3);
	ebpf_mov(o, R_FS, BPF_REG_2);
	ebpf_mov(o, R_SLOT, BPF_REG_3);
	ebpf_head_in(o, c, BPF_REG_1);
	ebpf_paste(o, c);
	ebpf_head_out(o, c);
	if (!tells(c))
		ebpf_imm(o, BPF_REG_0, LEFT_DONE);
	ebpf_emit(o, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
	ebpf_func_end(o, c->sym);
}

void
ebpf_clause_funcs(struct ebpf *g, uint32_t index)
{
	uint32_t part = 0;

	for (struct ebpf_chunk *c = &g->clauses[index]; c; c = c->next)
		if (!c->sym && !g->err)
			chunk_func(g, index, part++, c);
}

bool
ebpf_may_exit(const struct ebpf *g, uint32_t index)
{
	for (const struct ebpf_chunk *c = &g->clauses[index]; c; c = c->next)
		if (c->use.exit)
			return true;
	return false;
}

void
ebpf_if_exited(struct ebpf_out *o, int label)
{
	ebpf_load(o, 1, BPF_REG_0, R_FS, FS_EXITED);
	ebpf_jmp_imm(o, BPF_JNE, BPF_REG_0, 0, label);
}

/* --- What stands in the program -------------------------------------------------- */

struct tally {
	uint32_t clauses;	/* different ones */
	uint32_t funcs;		/* of theirs, if they are called */
	uint32_t once, all;	/* instructions, each clause counted once, and
				 * wherever it runs */
	bool loops;
	uint64_t follow;	/* what the kernel will follow, if they are
				 * called */
};

/* The kernel verifies a function for each call of it: ERROR's clauses behind
 * each one that may fault. */
static uint32_t
follow(const struct ebpf *g, const struct ebpf_chunk *c)
{
	/* A callback until it has seen that nothing changes any more. */
	return c->ninsns * (c->use.loop ? 4 : 1) +
	       (c->use.fault ? g->error_insns : 0);
}

static uint32_t
funcs_of(const struct ebpf_chunk *c)
{
	return c->use.loop ? 2 : 1;
}

static void
count_clause(const struct ebpf *g, struct prog *pr, uint32_t index,
	     struct tally *t, bool again)
{
	for (const struct ebpf_chunk *c = &g->clauses[index]; c; c = c->next) {
		t->all += c->ninsns;
		t->funcs += again ? 0 : funcs_of(c);
		t->loops |= c->use.loop;
		t->once += again ? 0 : c->ninsns;
		t->follow += follow(g, c);
		ebpf_use_join(&pr->use, &c->use);
	}
}

static struct tally
count(struct ebpf *g, struct prog *pr)
{
	bool *seen = EBPF_ARRAY(g, bool, g->plan->nclauses);
	struct tally t = { 0 };

	for (uint32_t k = 0; seen && k < pr->sets.n; k++) {
		const struct plan_probe *p = pr->sets.v[k].like;
		for (uint32_t i = 0; i < p->nclauses; i++) {
			count_clause(g, pr, p->clauses[i], &t,
				     seen[p->clauses[i]]);
			t.clauses += !seen[p->clauses[i]];
			seen[p->clauses[i]] = true;
		}
	}
	return t;
}

static bool
begins_with(const struct set *s, uint32_t clause)
{
	return s->like->nclauses && s->like->clauses[0] == clause;
}

/* Behind a prelude nobody sees the point's arguments. */
static uint32_t
raw_args(const struct ebpf *g, const struct prog *pr)
{
	const struct plan_probe *like = pr->sets.n ? pr->sets.v[0].like : NULL;
	uint32_t first = like && like->nclauses ? like->clauses[0] : 0;

	if (!like || !like->nclauses || !g->plan->clauses[first].is_prelude)
		return pr->use.args;
	assert(!BASE_ANY(i, pr->sets.n,
			!begins_with(&pr->sets.v[i], first)));		/* 4 */
	return g->clauses[first].use.args;
}

/* ERROR's clauses run below a clause that faulted, and loops below the program:
 * then frames must stay small, and clauses are functions, each with its own. */
static bool
fit_in(const struct ebpf *g, const struct tally *t)
{
	uint32_t most = t->all == t->once ? IN_MAX : IN_TWICE_MAX;

	return !g->in->error.nclauses && !t->loops && t->all <= most;
}

static void
check_funcs(struct ebpf *g)
{
	if (g->hash_funcs.n > HASH_FUNCS_MAX)
		ebpf_limit(g, 0, "associative arrays hold values of so many types "
			   "that %zu functions are needed for them, and there "
			   "can be %u: have fewer types of structs",
			   g->hash_funcs.n, HASH_FUNCS_MAX);
}

static void
check_error(struct ebpf *g)
{
	const struct plan_probe *e = &g->in->error;

	g->error_insns = 0;
	for (uint32_t i = 0; i < e->nclauses; i++)
		for (const struct ebpf_chunk *c = &g->clauses[e->clauses[i]];
		     c; c = c->next)
			g->error_insns += c->ninsns;
	if (g->in->error.nclauses > ERROR_MAX)
		ebpf_limit(g, 0, "ERROR has %u clauses, and can have %u: join "
			   "some of them", g->in->error.nclauses, ERROR_MAX);
}

/* What ERROR's clauses use, every program uses that may fault. */
static void
use_errors(struct ebpf *g, struct prog *pr)
{
	const struct plan_probe *e = &g->in->error;
	struct tally t = { 0 };

	for (uint32_t i = 0; i < e->nclauses && pr->use.fault; i++)
		count_clause(g, pr, e->clauses[i], &t, true);
	if (e->nclauses && pr->use.fault) {
		pr->use.slot = true;
		pr->use.args |= 0x3f;
	}
}

static uint32_t
call_max(const struct ebpf *g)
{
	assert(g->in->error.nclauses <= ERROR_MAX &&
	       g->hash_funcs.n <= HASH_FUNCS_MAX);			/* 2 */
	return CALL_MAX - g->in->error.nclauses - (uint32_t)g->hash_funcs.n;
}

/* Where the firing's state stands: in the slot, or at the bottom of the frame,
 * below that of the clauses when they stand in the program. */
static void
choose_state(const struct ebpf *g, struct prog *pr)
{
	pr->in_slot = !pr->takes_in && pr->use.slot;
	_Static_assert(FS_SIZE - FS_FVALUE <= CF_KEYMAX, "they fit the key");
	pr->state = pr->in_slot ? (int32_t)g->lay.state :
		    pr->takes_in ? CF_KEY - FS_FVALUE : CF_UP - FS_SIZE;
}

/* --- Running clauses -------------------------------------------------------------- */

static void
clause_args(struct ebpf_out *o, const struct prog *pr)
{
	ebpf_lea(o, BPF_REG_1, BPF_REG_10, CF_HEAD);
	ebpf_mov(o, BPF_REG_2, R_FS);
	if (pr->use.slot)
		ebpf_mov(o, BPF_REG_3, R_SLOT);
	else
		ebpf_imm(o, BPF_REG_3, 0);
}

/* done, faulted: where it goes when no further chunk of the clause runs, and when it has
 * faulted. */
static void
run_chunk(struct ebpf_out *o, const struct prog *pr, const struct ebpf_chunk *c,
	  int done, int faulted)
{
	int fine = ebpf_label(o);

	if (pr->takes_in) {
		ebpf_paste(o, c);
	} else {
		assert(o->g->err || c->sym);				/* 1 */
		clause_args(o, pr);
		ebpf_call(o, c->sym);
	}
	if (c->next)
		ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, LEFT_UNRUN, done);
	if (c->use.fault) {
		ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, LEFT_DONE, fine);
		clause_args(o, pr);
		ebpf_call(o, ebpf_sym(o->g, "dt_fault", SYM_FUNC));
		if (pr->use.slot)
			ebpf_store_imm(o, 4, R_SLOT,
				       offsetof(struct abi_slot, fault), 0);
		ebpf_jmp(o, faulted);
	}
	ebpf_place(o, fine);
}

/* A prelude that has faulted ends the firing, which it has said (FS_EXITED).  But that the
 * verifier does not know, and would follow what comes behind once more. */
static void
run_clause(struct ebpf_out *o, const struct prog *pr, uint32_t index)
{
	int done = ebpf_label(o);
	int faulted = o->g->plan->clauses[index].is_prelude ? pr->end : done;

	for (const struct ebpf_chunk *c = &o->g->clauses[index]; c; c = c->next)
		run_chunk(o, pr, c, done, faulted);
	ebpf_place(o, done);
}

static bool
wants_epid(const struct ebpf *g, uint32_t index)
{
	for (const struct ebpf_chunk *c = &g->clauses[index]; c; c = c->next)
		if (c->use.rings || c->use.fault || c->use.epid)
			return true;
	return false;
}

/* May exit() run in clause index, or in ERROR's when it faults? */
static bool
may_end_firing(const struct ebpf *g, uint32_t index)
{
	const struct plan_probe *e = &g->in->error;

	if (ebpf_may_exit(g, index))
		return true;
	for (const struct ebpf_chunk *c = &g->clauses[index]; c; c = c->next)
		for (uint32_t i = 0; c->use.fault && i < e->nclauses; i++)
			if (ebpf_may_exit(g, e->clauses[i]))
				return true;
	return false;
}

/* To the label unless the row of the probe has clause i. */
static void
skip_unless(struct ebpf_out *o, uint32_t i, int label)
{
	int runs = ebpf_label(o);

	ebpf_load(o, 8, BPF_REG_0, R_FS, FS_CLAUSES);
	ebpf_imm(o, BPF_REG_1, (uint64_t)1 << i);
	ebpf_jmp_reg(o, BPF_JSET, BPF_REG_0, BPF_REG_1, runs);
	ebpf_jmp(o, label);
	ebpf_place(o, runs);
}

/* Clauses from..to-1 of the set.  Behind an exit() no further one runs. */
static void
run_clauses(struct ebpf_out *o, const struct prog *pr, const struct set *s,
	    uint32_t from, uint32_t to)
{
	bool by_row = pr->p->point->find == ABI_FIND_COOKIE;

	assert(from <= to && to <= s->like->nclauses);
	assert(!by_row || to <= ABI_ROW_CLAUSES);
	for (uint32_t i = from; i < to && !o->g->err; i++) {
		uint32_t index = s->like->clauses[i];
		int next = ebpf_label(o);
		if (by_row)
			skip_unless(o, i, next);
		if (wants_epid(o->g, index)) {
			ebpf_load(o, 4, BPF_REG_0, R_FS, FS_INDEX);
			ebpf_alu_imm(o, BPF_ADD, BPF_REG_0,
				     (int32_t)s->epids[i]);
			ebpf_store(o, 4, R_FS, FS_EPID, BPF_REG_0);
		}
		run_clause(o, pr, index);
		if (i + 1 < s->like->nclauses && may_end_firing(o->g, index))
			ebpf_if_exited(o, pr->end);
		ebpf_place(o, next);
	}
}

/* From now on registers are as clauses know them. */
static void
enter_clauses(struct ebpf_out *o, const struct prog *pr)
{
	ebpf_store(o, 8, BPF_REG_10, CF_CTX, R_CTX);
	ebpf_state_addr(o, pr, R_FS);
}

static void
run_sets(struct ebpf_out *o, const struct prog *pr)
{
	enter_clauses(o, pr);
	ebpf_choose_set(o, pr);
	for (uint32_t k = 0; k < pr->sets.n; k++) {
		const struct set *s = &pr->sets.v[k];
		ebpf_place(o, s->label);
		run_clauses(o, pr, s, 0, s->like->nclauses);
		if (k + 1 < pr->sets.n)
			ebpf_jmp(o, pr->end);
	}
}

/* --- Programs ---------------------------------------------------------------------- */

static void
make_labels(struct ebpf_out *o, struct prog *pr)
{
	pr->out = ebpf_label(o);
	pr->end = ebpf_label(o);
	for (uint32_t k = 0; k < pr->sets.n; k++)
		pr->sets.v[k].label = ebpf_label(o);
}

static uint32_t
begin(struct ebpf_out *o, struct ebpf *g, struct prog *pr, const char *name)
{
	uint32_t sym = ebpf_prog_begin(o, g, pr->attach, name);

	make_labels(o, pr);
	ebpf_mov(o, R_CTX, BPF_REG_1);
	return sym;
}

static void
end_point(struct ebpf_out *o, const struct prog *pr)
{
	ebpf_place(o, pr->end);
	if (pr->use.slot)
		ebpf_release(o);
	ebpf_place(o, pr->out);
}

static void
end(struct ebpf_out *o, const struct prog *pr, uint32_t sym)
{
	end_point(o, pr);
	ebpf_return(o, 0);
	ebpf_func_end(o, sym);
}

static void
this_cpu(struct ebpf_out *o)
{
	ebpf_helper(o, BPF_FUNC_get_smp_processor_id);
	ebpf_mov(o, R_CPU, BPF_REG_0);
}

static void
check_state(struct ebpf_out *o, const struct prog *pr)
{
	ebpf_ctl(o, BPF_REG_1);
	ebpf_load(o, 4, BPF_REG_0, BPF_REG_1, offsetof(struct abi_ctl, state));
	ebpf_jmp_imm(o, BPF_JNE, BPF_REG_0, ABI_STATE_ACTIVE, pr->out);
}

static void
count_missed(struct ebpf_out *o, const struct ebpf_point *p)
{
	ebpf_helper(o, BPF_FUNC_get_smp_processor_id);
	ebpf_mov(o, BPF_REG_1, BPF_REG_0);
	ebpf_alu_imm(o, BPF_MUL, BPF_REG_1, (int32_t)o->g->in->nintervals);
	ebpf_alu_imm(o, BPF_ADD, BPF_REG_1, (int32_t)p->interval);
	ebpf_imm(o, BPF_REG_2, p->period_ns);
	ebpf_rt(o, "rt_interval", 2);
}

/* Go on only if the kernel has skipped the program that this one is spare for. */
static void
check_spare(struct ebpf_out *o, const struct prog *pr)
{
	ebpf_rt(o, "rt_spare", 0);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, pr->out);
}

/* Steps 1 to 3. */
static void
prologue(struct ebpf_out *o, const struct prog *pr)
{
	if (pr->p->point->is_spare)
		check_spare(o, pr);
	if (!pr->p->always)
		check_state(o, pr);
	if (pr->p->period_ns)
		count_missed(o, pr->p);
	if (pr->p->point->unless_bits) {
		ebpf_arg(o, pr, &pr->p->point->unless, BPF_REG_0);
		ebpf_jmp_imm(o, BPF_JSET, BPF_REG_0,
			     (int32_t)pr->p->point->unless_bits, pr->out);
	}
	ebpf_find_row(o, pr, pr->rows);
	this_cpu(o);
	if (!pr->p->any_cpu && o->g->in->only_cpu)
		ebpf_jmp_imm(o, BPF_JNE, R_CPU,
			     (int32_t)o->g->in->only_cpu - 1, pr->out);
	if (pr->use.slot)
		ebpf_claim(o, pr);
	ebpf_fetch(o, pr);
}

/* --- Chains ------------------------------------------------------------------------- */

/* Programs call others of their class only, and those for one function only
 * others for the same. */
static const char *
links_map(struct ebpf *g, const struct prog *pr)
{
	enum abi_attach attach = pr->attach;
	unsigned number = abi_attach_class(attach);

	if (abi_attach_is_typed(attach))
		number = ABI_NATTACH + (unsigned)(pr->p - g->in->points);
	return ebpf_name(g, "dt_links%u", number);
}

static void
tail_call(struct ebpf_out *o, const struct prog *pr, uint32_t link)
{
	struct ebpf_mapdef def = {
		.type = BPF_MAP_TYPE_PROG_ARRAY, .key_size = 4,
		.value_size = 4, .max_entries = 1,
	};

	ebpf_hand_on(o);
	ebpf_mov(o, BPF_REG_1, R_CTX);
	ebpf_map(o, BPF_REG_2, ebpf_map_sym(o->g, links_map(o->g, pr), &def));
	ebpf_imm(o, BPF_REG_3, link);
	ebpf_helper(o, BPF_FUNC_tail_call);
	/* It failed. */
	this_cpu(o);
	ebpf_imm(o, BPF_REG_1, ABI_DROP_FIRING);
	ebpf_mov(o, BPF_REG_2, BPF_REG_0);
	ebpf_rt(o, "rt_drop", 2);
	ebpf_jmp(o, pr->end);
}

static void
add_link(struct ebpf *g, const struct prog *pr, const char *name)
{
	struct ebpf_link_prog l = { name, links_map(g, pr),
				    (uint32_t)(pr->p - g->in->points) };

	EBPF_PUSH(g, &g->links, l);
}

/* One link: clauses from..to-1 of set s; link number `next` follows, if it
 * is not the last. */
static void
chain_link(struct ebpf *g, struct prog *pr, const struct set *s, uint32_t from,
     uint32_t to)
{
	struct ebpf_out out, *o = &out;
	uint32_t number = (uint32_t)g->links.n;
	const char *name = ebpf_name(g, "dt_link%u", number);

	add_link(g, pr, name);
	uint32_t sym = begin(o, g, pr, name);
	this_cpu(o);
	ebpf_go_on(o, pr);
	enter_clauses(o, pr);
	run_clauses(o, pr, s, from, to);
	if (to < s->like->nclauses) {
		ebpf_load(o, 8, R_CTX, BPF_REG_10, CF_CTX);
		tail_call(o, pr, number + 1);
	}
	end(o, pr, sym);
}

/* Instructions of a link of set s.  To load a program takes the kernel a time
 * that grows with the square of its size, so links are small while there are few:
 * a thousand clauses load in 0.26 s, and in 0.47 as links of PROG_MAX. */
static uint32_t
link_max(const struct ebpf *g, const struct set *s)
{
	uint64_t all = 0;

	for (uint32_t i = 0; i < s->like->nclauses; i++)
		for (const struct ebpf_chunk *c =
		     &g->clauses[s->like->clauses[i]]; c; c = c->next)
			all += follow(g, c);
	return (uint32_t)BASE_MIN(BASE_MAX(all / CHAIN_FULL,
					   (uint64_t)LINK_MAX),
				  (uint64_t)PROG_MAX);
}

/* Behind the last clause of a link that begins with clause `from`. */
static uint32_t
link_end(const struct ebpf *g, const struct set *s, uint32_t from)
{
	uint32_t funcs = 0, insns = 0, i = from, max = link_max(g, s);

	for (; i < s->like->nclauses; i++) {
		const struct ebpf_chunk *c = &g->clauses[s->like->clauses[i]];
		for (; c; c = c->next) {
			funcs += funcs_of(c);
			insns += follow(g, c);
		}
		if (i > from && (funcs > call_max(g) || insns > max))
			break;
	}
	assert(i > from);						/* 3 */
	return i;
}

/* How many links set s needs. */
static uint32_t
count_links(struct ebpf *g, const struct prog *pr, const struct set *s)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->like->nclauses; i = link_end(g, s, i))
		n++;
	if (n > CHAIN_MAX)
		ebpf_limit(g, 0, "the %u clauses of one probe (%s) need %u "
			   "programs, and the kernel runs %u in a row: join "
			   "some of them", s->like->nclauses,
			   pr->p->point->target, n, CHAIN_MAX);
	return n;
}

/* Instead of running the clauses, hand the firing on.  Behind the last link. */
static uint32_t
run_chains(struct ebpf_out *o, const struct prog *pr)
{
	uint32_t number = (uint32_t)o->g->links.n;

	ebpf_choose_set(o, pr);
	for (uint32_t k = 0; k < pr->sets.n; k++) {
		const struct set *s = &pr->sets.v[k];
		ebpf_place(o, s->label);
		tail_call(o, pr, number);
		number += count_links(o->g, pr, s);
	}
	return number;
}

static void
links(struct ebpf *g, struct prog *pr)
{
	for (uint32_t k = 0; k < pr->sets.n; k++) {
		const struct set *s = &pr->sets.v[k];
		uint32_t to;
		for (uint32_t i = 0; i < s->like->nclauses && !g->err; i = to) {
			to = link_end(g, s, i);
			chain_link(g, pr, s, i, to);
		}
	}
}

/* --- A point -------------------------------------------------------------------------- */

static void
make_funcs(struct ebpf *g, const struct prog *pr)
{
	for (uint32_t k = 0; k < pr->sets.n; k++)
		for (uint32_t i = 0; i < pr->sets.v[k].like->nclauses; i++)
			ebpf_clause_funcs(g, pr->sets.v[k].like->clauses[i]);
}

static bool
must_chain(const struct ebpf *g, const struct tally *t)
{
	return t->funcs > call_max(g) ||
	       (t->clauses > 1 && (t->once > PROG_MAX ||
				   t->follow > FOLLOW_MAX));
}

/* What a point's program needs, and the functions that it calls. */
static void
prepare(struct ebpf *g, struct prog *pr)
{
	if (!ebpf_sets(g, pr))
		return;
	struct tally t = count(g, pr);
	pr->ninsns = t.all;
	pr->takes_in = fit_in(g, &t);
	pr->chained = !pr->takes_in && must_chain(g, &t);
	pr->use.slot |= pr->chained;
	use_errors(g, pr);
	pr->raw_args = raw_args(g, pr);
	choose_state(g, pr);
	pr->rows = ebpf_rows(g, pr);
	if (!pr->takes_in)
		make_funcs(g, pr);
}

static void
chained(struct ebpf *g, struct prog *pr, const char *name)
{
	struct ebpf_out out, *o = &out;
	uint32_t sym = begin(o, g, pr, name);

	prologue(o, pr);
	uint32_t nlinks = run_chains(o, pr);
	end(o, pr, sym);
	links(g, pr);
	assert(g->err || g->links.n == nlinks);				/* 3 */
}

/* The program of n points. */
static void
program(struct ebpf *g, struct prog *const *prs, uint32_t n, const char *name)
{
	struct ebpf_out out, *o = &out;
	uint32_t sym = begin(o, g, prs[0], name);

	if (n > 1)
		ebpf_store(o, 8, BPF_REG_10, CTX, R_CTX);
	for (uint32_t i = 0; i < n; i++) {
		struct prog *pr = prs[i];
		assert(n == 1 || pr->takes_in);				/* 5 */
		if (i) {
			make_labels(o, pr);
			ebpf_load(o, 8, R_CTX, BPF_REG_10, CTX);
		}
		prologue(o, pr);
		run_sets(o, pr);
		end_point(o, pr);
	}
	ebpf_return(o, 0);
	ebpf_func_end(o, sym);
}

/* --- Points that share one ---------------------------------------------------------- */

/* Its firings are all there is at its place. */
static bool
may_share(const struct prog *pr)
{
	const struct abi_point *p = pr->p->point;

	return (p->attach == ABI_ATTACH_RAWTP || p->attach == ABI_ATTACH_TP_BTF) &&
	       p->find != ABI_FIND_COOKIE && !pr->p->always && pr->takes_in;
}

static bool
runs_before(const struct prog *a, const struct prog *b)
{
	uint8_t x = a->p->point->rank, y = b->p->point->rank;

	return x < y || (x == y && a->p < b->p);
}

/* All points at the tracepoint of point `first`, as they are to run; only that one
 * where they cannot share.  Where some are found by cookie, any may be at it. */
static uint32_t
sharers(struct ebpf *g, struct prog *all, uint32_t first, struct prog **ret)
{
	uint32_t n = 0, ninsns = 0;
	bool may = !g->has_rows;

	for (uint32_t i = 0; i < g->in->npoints && may; i++) {
		struct prog *pr = &all[i];
		if (strcmp(pr->p->point->target, all[first].p->point->target))
			continue;
		ninsns += pr->ninsns;
		may = may_share(pr) && ninsns <= SHARE_MAX;
		uint32_t at = n++;
		for (; at && runs_before(pr, ret[at - 1]); at--)
			ret[at] = ret[at - 1];
		ret[at] = pr;
	}
	if (!may) {
		ret[0] = &all[first];
		return 1;
	}
	return n;
}

/* One typed point makes the program a typed one; what others ask for is read there
 * like memory. */
static uint8_t
attach_of(struct prog *const *prs, uint32_t n)
{
	uint8_t attach = prs[0]->p->point->attach;

	for (uint32_t i = 1; i < n; i++)
		if (abi_attach_is_typed(prs[i]->p->point->attach))
			attach = prs[i]->p->point->attach;
	return attach;
}

static void
point(struct ebpf *g, struct prog *all, uint32_t index, struct prog **prs,
      struct ebpf_served *ret)
{
	const char *name = ebpf_name(g, "dt_%u_%s", index,
				     all[index].p->point->target);
	uint32_t n = sharers(g, all, index, prs);
	uint8_t attach = attach_of(prs, n);

	for (uint32_t i = 0; i < n; i++) {
		prs[i]->attach = attach;
		ret[prs[i] - all] = (struct ebpf_served){ name, attach,
							  prs[i] == &all[index] };
	}
	if (all[index].chained)
		chained(g, &all[index], name);
	else
		program(g, prs, n, name);
}

struct ebpf_served *
ebpf_programs(struct ebpf *g)
{
	uint32_t n = g->in->npoints;
	struct ebpf_served *ret = EBPF_ARRAY(g, struct ebpf_served, n);
	struct prog *all = EBPF_ARRAY(g, struct prog, n);
	struct prog **prs = EBPF_ARRAY(g, struct prog *, n);

	if (!ret || !all || !prs)
		return NULL;
	check_error(g);
	check_funcs(g);
	for (uint32_t i = 0; i < n && !g->err; i++) {
		all[i].p = &g->in->points[i];
		prepare(g, &all[i]);
	}
	for (uint32_t i = 0; i < n && !g->err; i++)
		if (!ret[i].prog)
			point(g, all, i, prs, ret);
	return ret;
}
