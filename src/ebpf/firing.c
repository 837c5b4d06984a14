/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A firing: the scratch slot it claims, and its state (FS_*), as far as the
 * clauses of the program use it.
 *
 * A call costs a firing more than anything else it does: where the processor
 * must not trust its return predictor, each return is some 5-10 ns.  So what
 * can be had by a load is not asked of a helper.
 */
#include <linux/errno.h>

#include "abi/ctl.h"
#include "abi/row.h"
#include "abi/slot.h"
#include "ebpf/prog_priv.h"

/* --- Where the state stands ----------------------------------------------- */

static uint8_t
base(const struct prog *pr)
{
	return pr->in_slot ? R_SLOT : BPF_REG_10;
}

static void
put(struct ebpf_out *o, const struct prog *pr, int size, int field, uint8_t reg)
{
	ebpf_store(o, size, base(pr), pr->state + field, reg);
}

static void
put_imm(struct ebpf_out *o, const struct prog *pr, int size, int field,
	int32_t value)
{
	ebpf_store_imm(o, size, base(pr), pr->state + field, value);
}

static void
get(struct ebpf_out *o, const struct prog *pr, int size, uint8_t reg, int field)
{
	ebpf_load(o, size, reg, base(pr), pr->state + field);
}

void
ebpf_state_addr(struct ebpf_out *o, const struct prog *pr, uint8_t reg)
{
	ebpf_lea(o, reg, base(pr), pr->state);
}

/* --- The slot ------------------------------------------------------------- */

/* On the stack: the number of the slot, the key it is looked up by. */
static int32_t
slot_number(const struct prog *pr)
{
	return pr->in_slot ? TMP : pr->state + FS_SLOT;
}

/* r0 <- slot number i of this CPU, or out. */
static void
slot(struct ebpf_out *o, const struct prog *pr, int i)
{
	int32_t number = slot_number(pr);

	ebpf_mov(o, BPF_REG_0, R_CPU);
	ebpf_alu_imm(o, BPF_MUL, BPF_REG_0, ABI_NSLOTS);
	if (i)
		ebpf_alu_imm(o, BPF_ADD, BPF_REG_0, i);
	ebpf_store(o, 4, BPF_REG_10, number, BPF_REG_0);
	ebpf_slots(o, BPF_REG_1);
	ebpf_lea(o, BPF_REG_2, BPF_REG_10, number);
	ebpf_helper(o, BPF_FUNC_map_lookup_elem);
	ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, pr->out);
}

static void
drop_firing(struct ebpf_out *o, const struct prog *pr)
{
	ebpf_imm(o, BPF_REG_1, ABI_DROP_FIRING);
	ebpf_mov(o, BPF_REG_2, R_CPU);
	ebpf_rt(o, "rt_drop", 2);
	ebpf_jmp(o, pr->out);
}

/* Clause-locals that somebody uses here start as zero.  What a store does not reach
 * from the slot is reached from a base of its own, for otherwise each would need one. */
static void
clear_locals(struct ebpf_out *o, const struct prog *pr)
{
	uint8_t base = R_SLOT;
	uint32_t at = 0, off = o->g->lay.locals;

	for (; off < o->g->lay.locals + o->g->lay.locals_size; off += 8) {
		if (!(pr->use.locals & ebpf_local_bit(off - o->g->lay.locals)))
			continue;
		if (off - at > INT16_MAX) {
			at = off;
			base = BPF_REG_1;
			ebpf_lea(o, base, R_SLOT, (int32_t)at);
		}
		ebpf_store_imm(o, 8, base, (int32_t)(off - at), 0);
	}
}

/* r7 <- the slot, busy for us. */
void
ebpf_claim(struct ebpf_out *o, const struct prog *pr)
{
	int have = ebpf_label(o);

	for (int i = 0; i < ABI_NSLOTS; i++) {
		slot(o, pr, i);
		ebpf_mov(o, R_SLOT, BPF_REG_0);
		ebpf_imm(o, BPF_REG_1, 1);
		ebpf_emit(o, BPF_STX | BPF_ATOMIC | BPF_W, R_SLOT, BPF_REG_1,
			  0, BPF_XCHG);
		ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_1, 0, have);
	}
	drop_firing(o, pr);
	ebpf_place(o, have);
	if (pr->in_slot) {
		ebpf_load(o, 4, BPF_REG_0, BPF_REG_10, TMP);
		put(o, pr, 4, FS_SLOT, BPF_REG_0);
	}
	ebpf_store(o, 8, R_SLOT, offsetof(struct abi_slot, self), R_SLOT);
	ebpf_store_imm(o, 4, R_SLOT, offsetof(struct abi_slot, fault), 0);
	if (o->g->lay.token)
		ebpf_store_imm(o, 8, R_SLOT, (int32_t)o->g->lay.token, 0);
	clear_locals(o, pr);
}

void
ebpf_release(struct ebpf_out *o)
{
	ebpf_store_imm(o, 4, R_SLOT, offsetof(struct abi_slot, busy), 0);
}

/* r0 <- the task of the firing, as the verifier knows it. */
static void
whose(struct ebpf_out *o, const struct prog *pr)
{
	unsigned arg = pr->p->point->thread;

	if (arg)
		ebpf_load(o, 8, BPF_REG_0, R_CTX,
			  (int32_t)pr->p->point->args[arg - 1].off);
	else
		ebpf_helper(o, BPF_FUNC_get_current_task_btf);
}

/* dst <- the same as a number. */
static void
whose_number(struct ebpf_out *o, const struct prog *pr, uint8_t dst)
{
	unsigned arg = pr->p->point->thread;

	if (arg) {
		ebpf_arg(o, pr, &pr->p->point->args[arg - 1], dst);
	} else {
		ebpf_helper(o, BPF_FUNC_get_current_task);
		ebpf_mov(o, dst, BPF_REG_0);
	}
}

static void
fetch_task(struct ebpf_out *o, const struct prog *pr)
{
	whose(o, pr);
	ebpf_store(o, 8, BPF_REG_10, CF_TASK, BPF_REG_0);
}

/* A firing that several programs see to keeps its state in the slot, under the
 * address of its context, which no other has meanwhile. */

void
ebpf_hand_on(struct ebpf_out *o)
{
	ebpf_store(o, 8, R_SLOT, offsetof(struct abi_slot, owner), R_CTX);
}

void
ebpf_go_on(struct ebpf_out *o, const struct prog *pr)
{
	int have = ebpf_label(o);
	enum { OWNER = offsetof(struct abi_slot, owner) };

	for (int i = 0; i < ABI_NSLOTS; i++) {
		int other = ebpf_label(o);
		slot(o, pr, i);
		ebpf_mov(o, R_SLOT, BPF_REG_0);
		ebpf_load(o, 8, BPF_REG_2, R_SLOT, OWNER);
		/* As a number: pointers to contexts are not compared. */
		ebpf_store(o, 8, R_SLOT, offsetof(struct abi_slot, conv),
			   R_CTX);
		ebpf_load(o, 8, BPF_REG_1, R_SLOT,
			  offsetof(struct abi_slot, conv));
		ebpf_jmp_reg(o, BPF_JNE, BPF_REG_1, BPF_REG_2, other);
		ebpf_store_imm(o, 8, R_SLOT, OWNER, 0);
		ebpf_jmp(o, have);
		ebpf_place(o, other);
	}
	drop_firing(o, pr);
	ebpf_place(o, have);
	ebpf_store_imm(o, 8, BPF_REG_10, CF_SELF, 0);
	if (pr->use.task)
		fetch_task(o, pr);
}

/* --- The state ------------------------------------------------------------ */

bool
ebpf_knows_compat(const struct ebpf *g, const struct prog *pr)
{
	return pr->p->point->compat &&
	       g->in->kernel.off[ABI_KOFF_TASK_STATUS] != UINT32_MAX;
}

/* Has finding the row fetched the task? */
static bool
looks_at_task(const struct ebpf *g, const struct prog *pr)
{
	return pr->p->point->find == ABI_FIND_TABLE &&
	       pr->p->point->compat && ebpf_knows_compat(g, pr);
}

/* Do 32-bit calls have arguments that are wanted elsewhere? */
bool
ebpf_has_compat_args(const struct ebpf *g, const struct prog *pr)
{
	return pr->raw_args && ebpf_knows_compat(g, pr) &&
	       pr->p->point->compat_args[0].kind != ABI_ARG_NONE;
}

/* An errno in r0: -4095..-1 becomes v. */
static void
error_to(struct ebpf_out *o, int is_error)
{
	ebpf_imm(o, BPF_REG_1, (uint64_t)-4095);
	ebpf_jmp_reg(o, BPF_JGE, BPF_REG_0, BPF_REG_1, is_error);
}

/* The kernel's own codes for a call that a signal interrupted: ERESTARTSYS and
 * its like.  No program sees them: the call is made again, or fails with EINTR. */
enum { RESTART_FIRST = 512, RESTART_LAST = 516 };

/* One of these in r0 becomes EINTR. */
static void
restart_to_eintr(struct ebpf_out *o, int done)
{
	ebpf_mov(o, BPF_REG_1, BPF_REG_0);
	ebpf_alu_imm(o, BPF_ADD, BPF_REG_1, -RESTART_FIRST);
	ebpf_jmp_imm(o, BPF_JGT, BPF_REG_1, RESTART_LAST - RESTART_FIRST,
		     done);
	ebpf_imm(o, BPF_REG_0, EINTR);
}

static void
fetch_errno(struct ebpf_out *o, const struct prog *pr)
{
	const struct abi_arg *a = &pr->p->point->errno_arg;
	int is_error = ebpf_label(o), done = ebpf_label(o);

	ebpf_arg(o, pr, a, BPF_REG_0);
	if (a->kind != ABI_ARG_NONE) {
		error_to(o, is_error);
		ebpf_imm(o, BPF_REG_0, 0);
		ebpf_jmp(o, done);
		ebpf_place(o, is_error);
		ebpf_emit(o, BPF_ALU64 | BPF_NEG, BPF_REG_0, 0, 0, 0);
		restart_to_eintr(o, done);
		ebpf_place(o, done);
		ebpf_blur(o, BPF_REG_0);
	}
	put(o, pr, 4, FS_ERRNO, BPF_REG_0);
}

static void
fetch_arg(struct ebpf_out *o, const struct prog *pr, const struct abi_arg *a,
	  unsigned n)
{
	ebpf_arg(o, pr, a, BPF_REG_0);
	/* A failed call returns -1, as in D elsewhere; errno tells why. */
	if (pr->p->point->errno_arg.kind != ABI_ARG_NONE &&
	    a->kind != ABI_ARG_NONE) {
		int is_error = ebpf_label(o), done = ebpf_label(o);
		error_to(o, is_error);
		ebpf_jmp(o, done);
		ebpf_place(o, is_error);
		ebpf_imm(o, BPF_REG_0, (uint64_t)-1);
		ebpf_place(o, done);
		/* Else each argument doubles what the verifier follows. */
		ebpf_blur(o, BPF_REG_0);
	}
	put(o, pr, 8, FS_ARGS + 8 * (int)n, BPF_REG_0);
}

static void
fetch_used(struct ebpf_out *o, const struct prog *pr,
	   const struct abi_arg *args)
{
	for (unsigned n = 0; n < ABI_NARGS; n++)
		if (pr->raw_args & 1u << n)
			fetch_arg(o, pr, &args[n], n);
		else if (pr->use.args & 1u << n)
			put_imm(o, pr, 8, FS_ARGS + 8 * (int)n, 0);
}

static void
fetch_args(struct ebpf_out *o, const struct prog *pr)
{
	int native = ebpf_label(o), done = ebpf_label(o);

	if (ebpf_has_compat_args(o->g, pr)) {
		ebpf_load(o, 4, BPF_REG_0, BPF_REG_10, ebpf_compat_slot(pr));
		ebpf_jmp_imm(o, BPF_JEQ, BPF_REG_0, 0, native);
		fetch_used(o, pr, pr->p->point->compat_args);
		ebpf_jmp(o, done);
		ebpf_place(o, native);
	}
	fetch_used(o, pr, pr->p->point->args);
	ebpf_place(o, done);
}

/* Whose variables these are: [FS_THREAD] <- 1 for an interrupt, else 0. */
static void
fetch_runs(struct ebpf_out *o, const struct prog *pr)
{
	enum abi_runs runs = abi_point_runs(pr->p->point);

	if (runs == ABI_RUNS_EITHER) {
		ebpf_imm(o, BPF_REG_1,
			 pr->p->point->attach == ABI_ATTACH_KPROBE);
		ebpf_rt(o, "rt_interrupt", 1);
		ebpf_alu_imm(o, BPF_AND, BPF_REG_0, 1);
	} else {
		ebpf_imm(o, BPF_REG_0, runs == ABI_RUNS_INTERRUPT);
	}
	put(o, pr, 8, FS_THREAD, BPF_REG_0);
	if (!pr->use.self)
		return;
	ebpf_alu_imm(o, BPF_MUL, BPF_REG_0, (int32_t)o->g->self_size);
	put(o, pr, 2, FS_IRQ, BPF_REG_0);
	ebpf_store_imm(o, 8, BPF_REG_10, CF_SELF, 0);
}

/* Tasks are aligned to more than 2 bytes. */
static void
fetch_thread(struct ebpf_out *o, const struct prog *pr)
{
	whose_number(o, pr, BPF_REG_0);
	get(o, pr, 8, BPF_REG_1, FS_THREAD);
	ebpf_alu(o, BPF_OR, BPF_REG_0, BPF_REG_1);
	put(o, pr, 8, FS_THREAD, BPF_REG_0);
}

/* Time on the CPU is the runtime's, which wants the time now; else clauses
 * ask for the time when they want it (ebpf_time). */
static void
fetch_time(struct ebpf_out *o, const struct prog *pr)
{
	if (!pr->use.vtime) {
		put_imm(o, pr, 8, FS_TIME, 0);
		return;
	}
	ebpf_helper(o, BPF_FUNC_ktime_get_ns);
	put(o, pr, 8, FS_TIME, BPF_REG_0);
	whose_number(o, pr, BPF_REG_2);
	get(o, pr, 8, BPF_REG_1, FS_TIME);
	ebpf_rt(o, "rt_vtime", 2);
	put(o, pr, 8, FS_VTIME, BPF_REG_0);
}

struct row_copy { uint8_t row, fs, size; };

static void
fetch_row(struct ebpf_out *o, const struct prog *pr)
{
	static const struct row_copy table[] = {
		{ offsetof(struct row, probe), FS_PROBE, 4 },
		{ offsetof(struct row, pno), FS_PNO, 4 },
		{ offsetof(struct row, index), FS_INDEX, 4 },
	}, cookie[] = {
		{ offsetof(struct abi_row, probe), FS_PROBE, 4 },
		{ offsetof(struct abi_row, name), FS_PNO, 4 },
		{ offsetof(struct abi_row, epid), FS_INDEX, 4 },
		{ offsetof(struct abi_row, clauses), FS_CLAUSES, 8 },
	};
	bool by_row = pr->p->point->find == ABI_FIND_COOKIE;
	const struct row_copy *copy = by_row ? cookie : table;
	size_t n = by_row ? BASE_NELEMS(cookie) : BASE_NELEMS(table);

	for (size_t i = 0; i < n; i++) {
		ebpf_load(o, copy[i].size, BPF_REG_0, R_ROW, copy[i].row);
		put(o, pr, copy[i].size, copy[i].fs, BPF_REG_0);
	}
	if (o->g->has_rows)
		put_imm(o, pr, 4, FS_POINT,
			(int32_t)(pr->p - o->g->in->points));
}

void
ebpf_fetch(struct ebpf_out *o, const struct prog *pr)
{
	fetch_row(o, pr);
	put(o, pr, 4, FS_CPU, R_CPU);
	if (pr->use.gen) {
		ebpf_ctl(o, BPF_REG_1);
		ebpf_load(o, 4, BPF_REG_0, BPF_REG_1,
			  offsetof(struct abi_ctl, gen));
		put(o, pr, 1, FS_GEN, BPF_REG_0);
	}
	if (pr->use.exit)
		put_imm(o, pr, 1, FS_EXITED, 0);
	fetch_time(o, pr);
	if (pr->use.self || pr->use.thread)
		fetch_runs(o, pr);
	if (pr->use.task && !looks_at_task(o->g, pr))
		fetch_task(o, pr);
	if (pr->use.other)
		put_imm(o, pr, 2, FS_OTHER, pr->p->point->thread != 0);
	if (pr->use.moved && pr->p->point->find == ABI_FIND_COOKIE) {
		ebpf_load(o, 2, BPF_REG_0, R_ROW, offsetof(struct abi_row, moved));
		put(o, pr, 2, FS_MOVED, BPF_REG_0);
	} else if (pr->use.moved) {
		put_imm(o, pr, 2, FS_MOVED, 0);
	}
	if (pr->use.thread)
		fetch_thread(o, pr);
	if (pr->use.err)
		fetch_errno(o, pr);
	fetch_args(o, pr);
}
