/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Stacks: the frames, how many there are, and who called.
 *
 * What the kernel gives at a tracepoint begins with our own programs, and what
 * calls programs there.  That is none of the traced kernel's business:
 *
 *	ours		one frame, or some: the first below OWN_MAX that lies
 *			in the kernel's own text ends them
 *	bpf_trace_run2()
 *	__bpf_trace_sys_enter()	unless it jumps to the former; known by its name,
 *			as is the next (bpfrt/kstack.h): others may share it
 *	__traceiter_sys_enter()	if others trace it, too
 *	syscall_trace_enter()	<- the stack begins here
 *	do_syscall_64()		<- caller
 *
 * Where a function called __traceiter_X() is traced for the tracepoint, it is the first
 * frame, and no other is ours; and of what a perf event of a tracepoint has none but that
 * one, if others are at the tracepoint, too.  A sample's stack begins where it interrupted, wherever that
 * is.
 *
 * A function that a kretprobe is at returns to code of the kernel's, and before Linux 5.16
 * that is the first frame.
 *
 * Where a function has just been entered, on aarch64 its caller is in the link register
 * and not on the stack: the kernel shows the caller's caller next.  So the caller is put
 * in between, for which a word is left in front of the kernel's frames.  On x86 some
 * kernels (seen: 6.17) leave out the function and its caller, and where it returns the
 * caller: they are put in front, for which there are two words.
 *
 * A user's stack is found by tables (bpfrt/unwind.h).  Where there are none, or not
 * yet, it is what hangs on the frame pointer; what cannot be an address ends it
 * (cut_garbage()), and one kind of frame that is missing is put in
 * (bpfrt/leaf.h).  The runtime follows either, in half the time that the
 * kernel's helper takes; where it cannot, the helper is asked.
 */
#include <assert.h>

#include "abi/slot.h"
#include "abi/mapped.h"
#include "base/base.h"
#include "ebpf/other_priv.h"
#include "ebpf/stack_priv.h"

enum {
	OWN_MAX = 4,		/* frames of ours, at most */
	TRACE_FRAMES = 1,	/* of the kernel's, at any tracepoint */
#if defined(__aarch64__)
	SPARE = 1,		/* words in front of the frames, for more of them */
#else
	SPARE = 2,
#endif
	WORDS = 127,		/* as deep as the kernel looks */
	COPY_INLINE = 32,	/* words; more are for a helper */
	NOT_OURS = -1, FIRST_IS = -2, CALLS_ARE = -3, ENTERED = -4, RETURNS = -5,
	USER_LOW = 0x10000,	/* no code lies below */
#if defined(__x86_64__)
	USER_BITS = 47,		/* of addresses of processes */
#else
	USER_BITS = 52,
#endif
};

#define WORK(i) ((int32_t)offsetof(struct abi_slot, work[i]))
/* What is known while a stack is read: bytes, point, context. */
enum { W_BYTES, W_POINT, W_CTX };

static int
above_text(const struct ebpf_point *p, uint32_t index)
{
	if (p->point->thread)
		return NOT_OURS;
	switch (abi_attach_row(p->point->attach)->own) {
	case ABI_OWN_TRACE: return TRACE_FRAMES;
	case ABI_OWN_CODE: return 0;
	case ABI_OWN_ENTRY: return ENTERED;
	case ABI_OWN_RETURN: return RETURNS;
	case ABI_OWN_FIRST: return FIRST_IS;
	case ABI_OWN_CALLS: return CALLS_ARE;
	default: return NOT_OURS;
	}
}

/* Points whose stacks may be known, from 1: those whose contexts are on the stack. */
static int
known_point(const struct ebpf_point *p, uint32_t index)
{
#if defined(__x86_64__)
	return abi_attach_row(p->point->attach)->own == ABI_OWN_TRACE &&
	       !p->point->thread ? (int)index + 1 : 0;
#else
	return 0;
#endif
}

static bool
has_point(const struct ebpf *g, int above)
{
	return BASE_ANY(i, g->in->npoints,
			above_text(&g->in->points[i], i) == above);
}

/* How many words there are in front of the frames. */
static uint32_t
spare(const struct ebpf *g)
{
#if defined(__aarch64__)
	return SPARE;
#else
	return has_point(g, ENTERED) || has_point(g, RETURNS) ||
	       has_point(g, FIRST_IS) ? SPARE : 0;
#endif
}

/* How many frames may be left out, with those words: a mask. */
static uint32_t
skip_max(const struct ebpf *g)
{
	uint32_t most = spare(g) ? 15 : 7;

	assert(most >= OWN_MAX + TRACE_FRAMES + spare(g) + 2);
	return most;
}

/* As many words as have to be read for the first two that are not left out. */
static uint32_t
look(const struct ebpf *g)
{
	return skip_max(g) + 2;
}

/* r4 <- what `of` says of the firing's point: probes are numbered point by point.
 * (An ERROR is taken to be of the last.) */
static void
choose(struct ebpf_out *o,
       int (*of)(const struct ebpf_point *p, uint32_t index))
{
	struct ebpf *g = o->g;
	const struct ebpf_point *p = g->in->points;
	uint32_t n = g->in->npoints, first = 0;
	int done = ebpf_label(o);

	ebpf_load(o, 4, BPF_REG_5, R_FS, g->has_rows ? FS_POINT : FS_PNO);
	ebpf_imm(o, BPF_REG_4, n ? (uint64_t)of(p, 0) : 0);
	for (uint32_t i = 1; i < n; i++) {
		first += g->has_rows ? 1 : p[i - 1].nprobes;
		if (of(&p[i], i) == of(&p[i - 1], i - 1))
			continue;
		ebpf_jmp_imm(o, BPF_JLT, BPF_REG_5, (int32_t)first, done);
		ebpf_imm(o, BPF_REG_4, (uint64_t)of(&p[i], i));
	}
	ebpf_place(o, done);
}

/* The word at the address in r3 to [r7 + off]; r0 to r5 die. */
static void
read_word(struct ebpf_out *o, uint32_t off)
{
	ebpf_lea(o, BPF_REG_1, R_SLOT, (int32_t)off);
	ebpf_imm(o, BPF_REG_2, 8);
	ebpf_helper(o, BPF_FUNC_probe_read_kernel);
}

static void
read_register(struct ebpf_out *o, int32_t which, uint32_t off)
{
	ebpf_load(o, 8, BPF_REG_3, BPF_REG_10, CF_CTX);
	ebpf_alu_imm(o, BPF_ADD, BPF_REG_3, which);
	read_word(o, off);
}

#if defined(__aarch64__)

/* Where r4 is `above`, the frames behind the spare word at off are of a function that was
 * just entered: put its caller between, and to done with `skip` in r0. */
static void
add_caller(struct ebpf_out *o, uint32_t off, int above, uint64_t skip, int done)
{
	int no = ebpf_label(o);

	if (!has_point(o->g, above))
		return;
	ebpf_jmp_imm(o, BPF_JNE, BPF_REG_4, above, no);
	ebpf_load(o, 8, BPF_REG_3, R_SLOT, (int32_t)off + 8);
	ebpf_store(o, 8, R_SLOT, (int32_t)off, BPF_REG_3);
	read_register(o, ABI_ROLE_OFF_LINK, off + 8);
	ebpf_imm(o, BPF_REG_0, skip);
	ebpf_jmp(o, done);
	ebpf_place(o, no);
}

static void
add_returned(struct ebpf_out *o, uint32_t off, int done)
{
	(void)o;
	(void)off;
	(void)done;
}

#else

/* Where r4 is `above`, a function was just entered, and the frames behind the spare words at
 * off begin with it or behind it: put in front what is missing, and to done with how many
 * are to be left out in r0; if `skip` is 1, the function, too. */
static void
add_caller(struct ebpf_out *o, uint32_t off, int above, uint64_t skip, int done)
{
	int32_t function = (int32_t)off, caller = function + 8, first = function + 16;
	int no = ebpf_label(o), one = ebpf_label(o);

	if (!has_point(o->g, above))
		return;
	ebpf_jmp_imm(o, BPF_JNE, BPF_REG_4, above, no);
	read_register(o, ABI_ROLE_OFF_PC, off);
	ebpf_load(o, 8, BPF_REG_1, R_SLOT, function);
	ebpf_load(o, 8, BPF_REG_3, R_SLOT, first);
	ebpf_imm(o, BPF_REG_0, SPARE + skip);
	ebpf_jmp_reg(o, BPF_JEQ, BPF_REG_3, BPF_REG_1, done);
	read_register(o, ABI_ROLE_OFF_SP, off + 8);
	ebpf_load(o, 8, BPF_REG_3, R_SLOT, caller);
	read_word(o, off + 8);
	ebpf_load(o, 8, BPF_REG_1, R_SLOT, function);
	ebpf_load(o, 8, BPF_REG_2, R_SLOT, caller);
	ebpf_load(o, 8, BPF_REG_3, R_SLOT, first);
	ebpf_jmp_reg(o, BPF_JEQ, BPF_REG_3, BPF_REG_2, one);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_2, 0, one);
	ebpf_imm(o, BPF_REG_0, skip);
	ebpf_jmp(o, done);
	ebpf_place(o, one);		/* the function alone is missing */
	ebpf_store(o, 8, R_SLOT, caller, BPF_REG_1);
	ebpf_imm(o, BPF_REG_0, SPARE - 1 + skip);
	ebpf_jmp(o, done);
	ebpf_place(o, no);
}

/* The same where a function has returned, to where the registers say. */
static void
add_returned(struct ebpf_out *o, uint32_t off, int done)
{
	int32_t caller = (int32_t)off + 8, first = (int32_t)off + 16;

	read_register(o, ABI_ROLE_OFF_PC, off + 8);
	ebpf_load(o, 8, BPF_REG_1, R_SLOT, caller);
	ebpf_load(o, 8, BPF_REG_3, R_SLOT, first);
	ebpf_imm(o, BPF_REG_0, SPARE);
	ebpf_jmp_reg(o, BPF_JEQ, BPF_REG_3, BPF_REG_1, done);
	ebpf_imm(o, BPF_REG_0, SPARE - 1);
}

#endif

/* Where r4 is RETURNS, to done with 1 more in r0 if the first frame is where traced functions
 * return to.  Kernels that show that show the caller, too. */
static void
skip_return(struct ebpf_out *o, uint32_t off, int done)
{
	uint64_t returns = o->g->in->kernel.returns;
	int no = ebpf_label(o);

	if (!has_point(o->g, RETURNS))
		return;
	ebpf_jmp_imm(o, BPF_JNE, BPF_REG_4, RETURNS, no);
	if (returns) {
		ebpf_load(o, 8, BPF_REG_3, R_SLOT, (int32_t)off + 8 * SPARE);
		ebpf_imm(o, BPF_REG_1, returns);
		ebpf_jmp_reg(o, BPF_JNE, BPF_REG_3, BPF_REG_1, done);
		ebpf_alu_imm(o, BPF_ADD, BPF_REG_0, 1);
	} else {
		add_returned(o, off, done);
	}
	ebpf_jmp(o, done);
	ebpf_place(o, no);
}

/* r0 <- how many frames to leave out of those at r7 + off: at most skip_max(). */
static void
count_own(struct ebpf_out *o, uint32_t off)
{
	const struct ebpf_kernel *k = &o->g->in->kernel;
	int found = ebpf_label(o), calls = ebpf_label(o), done = ebpf_label(o);
	uint32_t front = spare(o->g);

	choose(o, above_text);
	add_caller(o, off, ENTERED, 0, done);
	add_caller(o, off, FIRST_IS, 1, done);
	ebpf_imm(o, BPF_REG_0, front);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_4, NOT_OURS, done);
	skip_return(o, off, done);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_4, CALLS_ARE, calls);
	ebpf_imm(o, BPF_REG_0, front + 1);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_4, FIRST_IS, done);
	ebpf_imm(o, BPF_REG_1, k->text);
	ebpf_imm(o, BPF_REG_2, k->text_end - k->text);
	for (uint32_t i = 1; i <= OWN_MAX; i++) {
		ebpf_imm(o, BPF_REG_0, i + front);
		ebpf_load(o, 8, BPF_REG_3, R_SLOT, (int32_t)(off + 8 * (i + front)));
		ebpf_alu(o, BPF_SUB, BPF_REG_3, BPF_REG_1);
		ebpf_jmp_reg(o, BPF_JLT, BPF_REG_3, BPF_REG_2, found);
	}
	ebpf_imm(o, BPF_REG_0, front);
	ebpf_jmp(o, done);
	ebpf_place(o, found);
	ebpf_alu(o, BPF_ADD, BPF_REG_0, BPF_REG_4);
	ebpf_place(o, calls);
	if (has_point(o->g, TRACE_FRAMES) || has_point(o->g, CALLS_ARE)) {
		ebpf_mov(o, BPF_REG_3, BPF_REG_0);
		ebpf_imm(o, BPF_REG_2, off);
		ebpf_slot_arg(o);
		ebpf_rt(o, "rt_stack_own", 3);
		ebpf_alu_imm(o, BPF_AND, BPF_REG_0, (int32_t)skip_max(o->g));
	}
	ebpf_place(o, done);
}

/* In a thread that is not the current one, the same as below, and to done: it is
 * where it left its CPU, and the memory of its process is out of reach: the
 * kernel fills in zeros then. */
static void
other_stack(struct ebpf_out *o, uint8_t base, int32_t off, uint32_t words,
	    bool user, int done)
{
	int current = ebpf_label(o);

	ebpf_unless_other(o, current);
	ebpf_task(o, BPF_REG_1);
	ebpf_lea(o, BPF_REG_2, base, off);
	ebpf_imm(o, BPF_REG_3, (uint64_t)words * 8);
	ebpf_imm(o, BPF_REG_4, user ? BPF_F_USER_STACK : 0);
	ebpf_helper(o, BPF_FUNC_get_task_stack);
	ebpf_jmp(o, done);
	ebpf_place(o, current);
}

/* r0 <- bytes of a stack that were read to [base + off]: words at most, zeros
 * behind them. */
static void
get_stack(struct ebpf_out *o, uint8_t base, int32_t off, uint32_t words,
	  bool user)
{
	int done = ebpf_label(o);

	if (o->other)
		other_stack(o, base, off, words, user, done);
	ebpf_load(o, 8, BPF_REG_1, BPF_REG_10, CF_CTX);
	ebpf_lea(o, BPF_REG_2, base, off);
	ebpf_imm(o, BPF_REG_3, (uint64_t)words * 8);
	ebpf_imm(o, BPF_REG_4, user ? BPF_F_USER_STACK : 0);
	ebpf_helper(o, BPF_FUNC_get_stack);
	ebpf_place(o, done);
}

/* Room for words in temps; where in the slot. */
static uint32_t
room(struct ebpf_out *o, uint32_t words)
{
	if (o->temps + words * 8 > o->g->temps_max)
		o->g->temps_max = o->temps + words * 8;
	return o->g->lay.temps + o->temps;
}

/* Read `words` of a stack into temps, zeros behind the first of them; r0 <-
 * bytes read.  The result is where they are in the slot.  The spare words in front of the
 * kernel's count as frames of ours. */
static uint32_t
read_stack(struct ebpf_out *o, uint32_t words, bool user)
{
	uint32_t front = user ? 0 : spare(o->g), off = room(o, words + front);

	ebpf_zero(o, R_SLOT, (int32_t)off, look(o->g) * 8);
	get_stack(o, R_SLOT, (int32_t)(off + 8 * front), words, user);
	if (front)
		ebpf_alu_imm(o, BPF_ADD, BPF_REG_0, (int32_t)(8 * front));
	ebpf_store(o, 8, R_SLOT, WORK(W_BYTES), BPF_REG_0);
	return off;
}

/* --- Stacks of the kernel that are known (bpfrt/kstack.h) ------------------- */

static int32_t
known_frame(const struct ebpf *g, uint32_t i)
{
	return (int32_t)(g->lay.stacks + offsetof(struct abi_stacks, frames[i]));
}

static bool
may_know(const struct ebpf *g)
{
	for (uint32_t i = 0; g->in->knows && i < g->in->npoints; i++)
		if (known_point(&g->in->points[i], i))
			return true;
	return false;
}

/* To `have` with the number of frames in r0, when the stack here is known.  False:
 * none is in this program. */
static bool
look_up(struct ebpf_out *o, int have)
{
	if (!may_know(o->g))
		return false;
	choose(o, known_point);
	ebpf_store(o, 8, R_SLOT, WORK(W_POINT), BPF_REG_4);
	ebpf_load(o, 8, BPF_REG_3, BPF_REG_10, CF_CTX);
	ebpf_store(o, 8, R_SLOT, WORK(W_CTX), BPF_REG_3);
	ebpf_load(o, 8, BPF_REG_3, R_SLOT, WORK(W_CTX));	/* a number */
	ebpf_mov(o, BPF_REG_2, BPF_REG_4);
	ebpf_slot_arg(o);
	ebpf_rt(o, "rt_stack_known", 3);
	ebpf_jmp_imm(o, BPF_JNE, BPF_REG_0, 0, have);
	return true;
}

/* The stack at off, for which there was room for `words`, is known from now on
 * if it has ended there.  r0 is how many frames are ours. */
static void
learn(struct ebpf_out *o, uint32_t off, uint32_t words)
{
	int out = ebpf_label(o);

	if (!may_know(o->g))
		return;
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, out);
	ebpf_load(o, 8, BPF_REG_5, R_SLOT, WORK(W_BYTES));
	ebpf_jmp_imm(o, BPF_JSGE, BPF_REG_5, (int32_t)words * 8, out);
	ebpf_alu_imm(o, BPF_ARSH, BPF_REG_5, 3);
	ebpf_alu(o, BPF_SUB, BPF_REG_5, BPF_REG_0);
	ebpf_mov(o, BPF_REG_4, BPF_REG_0);
	ebpf_alu_imm(o, BPF_LSH, BPF_REG_4, 3);
	ebpf_alu_imm(o, BPF_ADD, BPF_REG_4, (int32_t)off);
	ebpf_load(o, 8, BPF_REG_3, R_SLOT, WORK(W_CTX));
	ebpf_load(o, 8, BPF_REG_2, R_SLOT, WORK(W_POINT));
	ebpf_slot_arg(o);
	ebpf_rt(o, "rt_stack_learn", 5);
	ebpf_place(o, out);
}

/* So many frames must be read that a stack can be known. */
static uint32_t
to_learn(const struct ebpf *g, uint32_t words)
{
	return may_know(g) ? BASE_MAX(words, ABI_KNOWN_FRAMES + skip_max(g)) : words;
}

/* --- Variables -------------------------------------------------------------- */

/* End the frames at the first that cannot be one: where a program uses the
 * frame pointer for something else, the kernel takes for an address whatever
 * it finds, something else each time.  r2 becomes 0 there, and so do the frames
 * behind; without branches, for the verifier's sake.  r4 <- how many are left,
 * the first not counted. */
static void
cut_garbage(struct ebpf_out *o, uint8_t base, int32_t off, uint32_t words)
{
	ebpf_imm(o, BPF_REG_2, UINT64_MAX);
	ebpf_imm(o, BPF_REG_4, 0);
	for (int32_t i = 1; i < (int32_t)words; i++) {
		ebpf_load(o, 8, BPF_REG_1, base, off + 8 * i);
		ebpf_mov(o, BPF_REG_3, BPF_REG_1);
		ebpf_alu_imm(o, BPF_SUB, BPF_REG_3, USER_LOW);
		ebpf_alu_imm(o, BPF_RSH, BPF_REG_3, USER_BITS);
		ebpf_alu_imm(o, BPF_SUB, BPF_REG_3, 1);
		ebpf_alu_imm(o, BPF_ARSH, BPF_REG_3, 63);
		ebpf_alu(o, BPF_AND, BPF_REG_2, BPF_REG_3);
		ebpf_alu(o, BPF_SUB, BPF_REG_4, BPF_REG_2);
		ebpf_alu(o, BPF_AND, BPF_REG_1, BPF_REG_2);
		ebpf_store(o, 8, base, off + 8 * i, BPF_REG_1);
	}
}

/* r0 <- the caller that is missing between r1 and r2 (bpfrt/leaf.h); 0: none. */
static void
leaf(struct ebpf_out *o)
{
	ebpf_imm(o, BPF_REG_3, 0);
	ebpf_rt(o, "rt_leaf", 3);
}

/* r0 <- how many frames there are of the WORDS at off. */
static void
count_user(struct ebpf_out *o, uint32_t off)
{
	int done = ebpf_label(o);

	cut_garbage(o, R_SLOT, (int32_t)off, WORDS);
	ebpf_alu_imm(o, BPF_ADD, BPF_REG_4, 1);
	ebpf_store(o, 8, BPF_REG_10, CF_TMP, BPF_REG_4);
	ebpf_load(o, 8, BPF_REG_1, R_SLOT, (int32_t)off);
	ebpf_load(o, 8, BPF_REG_2, R_SLOT, (int32_t)off + 8);
	leaf(o);
	ebpf_load(o, 8, BPF_REG_1, BPF_REG_10, CF_TMP);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, done);
	ebpf_alu_imm(o, BPF_ADD, BPF_REG_1, 1);
	ebpf_place(o, done);
	ebpf_mov(o, BPF_REG_0, BPF_REG_1);
}

static bool
may_walk(const struct ebpf *g)
{
	return g->in->kernel.off[ABI_KOFF_TASK_UTASK] != UINT32_MAX;
}

/* r0 <- what the kernel notes of the uprobes of the task; 0: none has hit it.  Nor is it 0
 * for a thread that is not current: then the kernel is asked, too.  (Were it loaded as a
 * pointer, the verifier would look in the kernel's types for its name, 4 ms, and to cast
 * it to something else wants a number that we find there, 3 ms.) */
static void
load_utask(struct ebpf_out *o)
{
	int32_t off = (int32_t)o->g->in->kernel.off[ABI_KOFF_TASK_UTASK];
	int current = ebpf_label(o), done = ebpf_label(o);

	if (o->other) {
		ebpf_unless_other(o, current);
		ebpf_jmp(o, done);
		ebpf_place(o, current);
	}
	ebpf_store_imm(o, 8, BPF_REG_10, CF_TMP, 0);
	ebpf_task(o, BPF_REG_3);
	ebpf_alu_imm(o, BPF_ADD, BPF_REG_3, off);
	ebpf_lea(o, BPF_REG_1, BPF_REG_10, CF_TMP);
	ebpf_imm(o, BPF_REG_2, 8);
	ebpf_helper(o, BPF_FUNC_probe_read_kernel);
	ebpf_load(o, 8, BPF_REG_0, BPF_REG_10, CF_TMP);
	ebpf_place(o, done);
}

static void
walk_by(struct ebpf_out *o, const char *how, uint32_t at, uint32_t words)
{
	ebpf_slot_arg(o);
	ebpf_imm(o, BPF_REG_2, at);
	ebpf_imm(o, BPF_REG_3, words);
	ebpf_rt(o, how, 3);
}

static bool
may_unwind(const struct ebpf *g)
{
	return may_walk(g) && g->in->unwinds;
}

/* r0 <- how many of `words` frames were found by tables and put to `at` of the slot; to
 * `no` if that cannot be. */
static void
unwind(struct ebpf_out *o, uint32_t at, uint32_t words, int no)
{
	int ended = ebpf_label(o);

	if (o->other) {
		int current = ebpf_label(o);
		ebpf_unless_other(o, current);
		ebpf_jmp(o, no);
		ebpf_place(o, current);
	}
	ebpf_slot_arg(o);
	ebpf_imm(o, BPF_REG_2, at);
	ebpf_rt(o, "rt_unwind_begin", 2);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, no);
	uint32_t n = BASE_MIN(words, (uint32_t)WORDS);
	for (uint32_t i = 1; i < n; i += ABI_UNWIND_SOME) {
		ebpf_slot_arg(o);
		ebpf_imm(o, BPF_REG_2, at + n * 8);
		ebpf_imm(o, BPF_REG_3, i > 1);
		ebpf_rt(o, "rt_unwind_some", 3);
		ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, ended);
	}
	ebpf_place(o, ended);
	ebpf_load(o, 8, BPF_REG_0, R_SLOT, WORK(ABI_UNWIND_AT));
	ebpf_alu_imm(o, BPF_SUB, BPF_REG_0, (int32_t)at);
	ebpf_alu_imm(o, BPF_RSH, BPF_REG_0, 3);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, no);
}

static void
user_depth(struct ebpf_out *o)
{
	int none = ebpf_label(o), done = ebpf_label(o), no = ebpf_label(o);

	if (may_unwind(o->g)) {
		unwind(o, room(o, WORDS), WORDS, no);
		ebpf_jmp(o, done);
		ebpf_place(o, no);
	}
	uint32_t off = read_stack(o, WORDS, true);

	ebpf_jmp_imm(o, BPF_JSLE, BPF_REG_0, 0, none);
	count_user(o, off);
	ebpf_jmp(o, done);
	ebpf_place(o, none);
	ebpf_imm(o, BPF_REG_0, 0);
	ebpf_place(o, done);
}

static void
kernel_depth(struct ebpf_out *o)
{
	int done = ebpf_label(o);

	look_up(o, done);
	uint32_t off = read_stack(o, WORDS, false);
	count_own(o, off);
	ebpf_store(o, 8, BPF_REG_10, CF_TMP, BPF_REG_0);
	learn(o, off, WORDS);
	ebpf_load(o, 8, BPF_REG_1, BPF_REG_10, CF_TMP);
	ebpf_load(o, 8, BPF_REG_0, R_SLOT, WORK(W_BYTES));
	ebpf_alu_imm(o, BPF_ARSH, BPF_REG_0, 3);
	ebpf_alu(o, BPF_SUB, BPF_REG_0, BPF_REG_1);
	ebpf_jmp_imm(o, BPF_JSGT, BPF_REG_0, 0, done);
	ebpf_imm(o, BPF_REG_0, 0);
	ebpf_place(o, done);
}

void
ebpf_stackdepth(struct ebpf_out *o, unsigned id)
{
	(id == DIF_VAR_USTACKDEPTH ? user_depth : kernel_depth)(o);
}

static void
user_caller(struct ebpf_out *o)
{
	int done = ebpf_label(o), no = ebpf_label(o);

	if (may_unwind(o->g)) {
		uint32_t at = room(o, 2);
		ebpf_zero(o, R_SLOT, (int32_t)at, 16);
		unwind(o, at, 2, no);
		ebpf_load(o, 8, BPF_REG_0, R_SLOT, (int32_t)at + 8);
		ebpf_jmp(o, done);
		ebpf_place(o, no);
	}
	uint32_t off = read_stack(o, look(o->g), true);

	cut_garbage(o, R_SLOT, (int32_t)off, 2);
	ebpf_load(o, 8, BPF_REG_1, R_SLOT, (int32_t)off);
	ebpf_load(o, 8, BPF_REG_2, R_SLOT, (int32_t)off + 8);
	ebpf_imm(o, BPF_REG_0, 0);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_1, 0, done);
	leaf(o);
	ebpf_jmp_imm(o, BPF_JNE, BPF_REG_0, 0, done);
	ebpf_load(o, 8, BPF_REG_0, R_SLOT, (int32_t)off + 8);
	ebpf_place(o, done);
}

static void
kernel_caller(struct ebpf_out *o)
{
	int have = ebpf_label(o), done = ebpf_label(o);

	bool knows = look_up(o, have);
	uint32_t most = to_learn(o->g, look(o->g)), off = read_stack(o, most, false);
	count_own(o, off);
	ebpf_mov(o, BPF_REG_2, BPF_REG_0);
	ebpf_alu_imm(o, BPF_LSH, BPF_REG_2, 3);
	ebpf_lea(o, BPF_REG_1, R_SLOT, (int32_t)off + 8);
	ebpf_alu(o, BPF_ADD, BPF_REG_1, BPF_REG_2);
	ebpf_load(o, 8, BPF_REG_1, BPF_REG_1, 0);
	ebpf_store(o, 8, BPF_REG_10, CF_TMP, BPF_REG_1);
	learn(o, off, most);
	ebpf_load(o, 8, BPF_REG_0, BPF_REG_10, CF_TMP);
	if (!knows)
		return;
	ebpf_jmp(o, done);
	ebpf_place(o, have);
	ebpf_load(o, 8, BPF_REG_0, R_SLOT, known_frame(o->g, 1));
	ebpf_place(o, done);
}

void
ebpf_caller(struct ebpf_out *o, unsigned id)
{
	(id == DIF_VAR_UCALLER ? user_caller : kernel_caller)(o);
}

/* r3 <- where the frames at r7 + off begin that are not ours.  How many are
 * ours goes through memory, so that the verifier looks at one path only. */
static void
skip_own(struct ebpf_out *o, uint32_t off)
{
	count_own(o, off);
	ebpf_store(o, 8, R_SLOT, offsetof(struct abi_slot, conv), BPF_REG_0);
	ebpf_load(o, 8, BPF_REG_0, R_SLOT, offsetof(struct abi_slot, conv));
	ebpf_alu_imm(o, BPF_AND, BPF_REG_0, (int32_t)skip_max(o->g));
	ebpf_alu_imm(o, BPF_LSH, BPF_REG_0, 3);
	ebpf_lea(o, BPF_REG_3, R_SLOT, (int32_t)off);
	ebpf_alu(o, BPF_ADD, BPF_REG_3, BPF_REG_0);
}

static void
copy_frames(struct ebpf_out *o, uint8_t base, int32_t off, uint32_t words)
{
	if (words > COPY_INLINE) {
		ebpf_lea(o, BPF_REG_1, base, off);
		ebpf_imm(o, BPF_REG_2, words * 8);
		ebpf_helper(o, BPF_FUNC_probe_read_kernel);
		return;
	}
	for (int32_t i = 0; i < (int32_t)words; i++) {
		ebpf_load(o, 8, BPF_REG_1, BPF_REG_3, 8 * i);
		ebpf_store(o, 8, base, off + 8 * i, BPF_REG_1);
	}
}

/* The frames to [base + off], and to done, if the runtime can tell
 * (bpfrt/ustack.h). */
static void
walk(struct ebpf_out *o, uint8_t base, int32_t off, uint32_t words, int done)
{
	uint32_t at = base == R_SLOT ? (uint32_t)off : room(o, words);
	int no = ebpf_label(o), have = ebpf_label(o), none = ebpf_label(o);

	ebpf_zero(o, R_SLOT, (int32_t)at, words * 8);
	if (may_unwind(o->g)) {
		unwind(o, at, words, none);
		ebpf_jmp(o, have);
		ebpf_place(o, none);
	}
	load_utask(o);
	ebpf_jmp_imm(o, BPF_JNE, BPF_REG_0, 0, no);
	walk_by(o, "rt_ustack", at, words);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, no);
	ebpf_place(o, have);
	if (base != R_SLOT) {
		ebpf_lea(o, BPF_REG_3, R_SLOT, (int32_t)at);
		copy_frames(o, base, off, words);
	}
	ebpf_jmp(o, done);
	ebpf_place(o, no);
}

void
ebpf_moved(struct ebpf_out *o, uint8_t dst)
{
	if (!o->g->has_rows) {
		ebpf_imm(o, dst, 0);
		return;
	}
	o->use.moved = true;
	ebpf_load(o, 2, dst, R_FS, FS_MOVED);
}

/* The innermost frame at [base + off] shows the probe's place. */
static void
move_back(struct ebpf_out *o, uint8_t base, int32_t off)
{
	int none = ebpf_label(o);

	if (!o->g->has_rows)
		return;
	ebpf_load(o, 8, BPF_REG_1, base, off);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_1, 0, none);
	ebpf_moved(o, BPF_REG_2);
	ebpf_alu(o, BPF_SUB, BPF_REG_1, BPF_REG_2);
	ebpf_store(o, 8, base, off, BPF_REG_1);
	ebpf_place(o, none);
}

/* The pid in front of the frames at [base + off] shows when these are not to be
 * trusted. */
static void
mark_blind(struct ebpf_out *o, uint8_t base, int32_t off)
{
	int no = ebpf_label(o);

	ebpf_load(o, 8, BPF_REG_1, R_SLOT, WORK(ABI_UNWIND_BLIND));
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_1, 0, no);
	ebpf_load(o, 8, BPF_REG_1, base, off - 8);
	ebpf_imm(o, BPF_REG_2, ABI_USTACK_BLIND);
	ebpf_alu(o, BPF_OR, BPF_REG_1, BPF_REG_2);
	ebpf_store(o, 8, base, off - 8, BPF_REG_1);
	ebpf_place(o, no);
}

/* The frames at [base + off], with the caller of a function without a frame
 * where it belongs (bpfrt/leaf.h). */
static void
user_stack(struct ebpf_out *o, uint8_t base, int32_t off, uint32_t words)
{
	int done = ebpf_label(o);

	if (words > 1 && may_walk(o->g))
		walk(o, base, off, words, done);
	get_stack(o, base, off, words, true);
	if (words < 2)
		return;
	cut_garbage(o, base, off, words);
	ebpf_load(o, 8, BPF_REG_1, base, off);
	ebpf_load(o, 8, BPF_REG_2, base, off + 8);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_1, 0, done);
	leaf(o);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, done);
	for (int32_t i = (int32_t)words - 1; i > 1; i--) {
		ebpf_load(o, 8, BPF_REG_1, base, off + 8 * (i - 1));
		ebpf_store(o, 8, base, off + 8 * i, BPF_REG_1);
	}
	ebpf_store(o, 8, base, off + 8, BPF_REG_0);
	ebpf_place(o, done);
}

static void
kernel_stack(struct ebpf_out *o, uint8_t base, int32_t off, uint32_t words)
{
	int have = ebpf_label(o), done = ebpf_label(o);

	bool knows = look_up(o, have);
	uint32_t most = to_learn(o->g, words + skip_max(o->g)), at = read_stack(o, most, false);
	skip_own(o, at);
	copy_frames(o, base, off, words);
	if (!knows)
		return;
	ebpf_load(o, 8, BPF_REG_0, R_SLOT, offsetof(struct abi_slot, conv));
	learn(o, at, most);
	ebpf_jmp(o, done);
	ebpf_place(o, have);
	uint32_t n = BASE_MIN(words, (uint32_t)ABI_KNOWN_FRAMES);
	ebpf_lea(o, BPF_REG_3, R_SLOT, known_frame(o->g, 0));
	copy_frames(o, base, off, n);
	ebpf_zero(o, base, off + 8 * (int32_t)n, (words - n) * 8);
	ebpf_place(o, done);
}

void
ebpf_stack(struct ebpf_out *o, const struct abi_field *f, uint8_t base,
	   int32_t off)
{
	uint32_t words = f->size / 8;

	if (f->kind == ABI_FIELD_USTACK) {
		bool unwinds = words > 2 && may_unwind(o->g);
		if (unwinds)
			ebpf_zero(o, R_SLOT, WORK(ABI_UNWIND_BLIND), 8);
		user_stack(o, base, off + 8, words - 1);
		if (unwinds)
			mark_blind(o, base, off + 8);
		move_back(o, base, off + 8);
	} else {
		kernel_stack(o, base, off, words);
	}
}
