/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What is known of single tracepoints, and where a program goes that is to be at one.
 *
 * The kernel runs a program at a raw tracepoint once at a time on a CPU.  Since Linux 7.0
 * (world.preempts) a thread can lose its CPU in one; until it goes on, what other threads
 * of that CPU reach is not run.  So there the program is at the function __traceiter_X()
 * that calls what is attached to tracepoint X (abi/attach.def): while it runs its thread
 * keeps the CPU.  What it is given are registers, and they hold what the tracepoint passes.
 * But such a program is not run in an interrupt of another (of that kind).  So where
 * nobody can lose a CPU anyway it stays at the tracepoint; and where interrupts are it gets
 * a spare (abi_point.spare), which is at the tracepoint, too.
 *
 *  1. What a point takes at a raw tracepoint are words, and registers that one has the
 *     address of.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "prov/func_priv.h"
#include "prov/prov_priv.h"

/* thread: no interrupt is ever here: the kernel may sleep there, or is about to take the
 * CPU from the thread or to give it one, or begins or ends its system call.  A program at
 * such a place need not ask.
 * keeps: interrupts are off, or a CPU cannot be lost for another reason.
 * harms: a program ends the kernel, from 7.0 on.  What runs it at a raw tracepoint ends by
 * rcu_read_unlock(), and that may have to ask for another thread: by set_tsk_need_resched(),
 * which tells this tracepoint before it does so, and so on until the stack is full.  (Before,
 * the program counted as running until then, and was not run again.) */
static const struct { const char *glob; bool thread, keeps, harms; } rows[] = {
	{ "hrtimer_*",			false,	true },
	{ "irq_handler_*",		false,	true },
	{ "net_dev_queue",		false,	true },
	{ "netif_receive_skb",		false,	true },
	{ "page_fault_*",		false,	true },
	{ "sched_entry_tp",		true,	true },
	{ "sched_exit_tp",		true,	true },
	{ "sched_migrate_task",		false,	true },
	{ "sched_pi_setprio",		false,	true },
	{ "sched_process_exec",		true,	false },
	{ "sched_process_exit",		true,	false },
	{ "sched_process_fork",		true,	false },
	{ "sched_process_wait",		true,	false },
	{ "sched_set_need_resched_tp",	false,	false, .harms = true },
	{ "sched_stat_*",		false,	true },
	{ "sched_switch",		true,	true },
	{ "sched_wak*",			false,	true },
	{ "signal_deliver",		true,	true },
	{ "signal_generate",		false,	true },
	{ "softirq_*",			false,	true },
	{ "sys_enter",			true,	false },
	{ "sys_exit",			true,	false },
	{ "task_newtask",		true,	false },
	{ "task_rename",		true,	false },
	{ "timer_*",			false,	true },
};

/* Its row; -1: nothing is known of it. */
static int
row_of(const char *name)
{
	int i = BASE_NELEMS(rows) - 1;

	while (i >= 0 && !probe_glob_match(rows[i].glob, name))
		i--;
	return i;
}

bool
prov_tracepoint_harms(const struct prov_set *s, const char *name)
{
	int i = row_of(name);

	return i >= 0 && rows[i].harms && s->funcs && s->funcs->world.preempts;
}

enum abi_runs
prov_tracepoint_runs(const char *name)
{
	int i = row_of(name);

	return i >= 0 && rows[i].thread ? ABI_RUNS_TASK : ABI_RUNS_AS_ATTACHED;
}

/* --- From a tracepoint's words to a function's arguments ------------------------- */

#if defined(__x86_64__)
static const uint8_t regs[] = { ABI_REG_DI, ABI_REG_SI, ABI_REG_DX, ABI_REG_CX,
				ABI_REG_R8, ABI_REG_R9 };
enum { STACK = 8 };	/* behind the address to return to */
#else
static const uint8_t regs[] = { ABI_REG_X0, ABI_REG_X1, ABI_REG_X2, ABI_REG_X3,
				ABI_REG_X4, ABI_REG_X5, ABI_REG_X6, ABI_REG_X7 };
enum { STACK = 0 };
#endif
enum { NREGS = BASE_NELEMS(regs) };

/* Word i has the first bytes of the parameter behind it, and zeros. */
static struct abi_arg
word(const struct type *f, unsigned i)
{
	unsigned n = i + 1;
	uint8_t size = n < f->n ? (uint8_t)type_size(f->u.params[n].type) : 0;

	if (!size)
		return (struct abi_arg){ .kind = ABI_ARG_NONE };
	if (n < NREGS)
		return (struct abi_arg){ .kind = ABI_ARG_REG, .size = size,
					 .reg = regs[n] };
	return (struct abi_arg){ .kind = ABI_ARG_KMEM, .size = size,
		.reg = ABI_ROLE_SP, .off = STACK + 8 * (n - NREGS) };
}

static void
move_arg(const struct type *f, struct abi_arg *a)
{
	struct abi_arg w;

	switch (a->kind) {
	case ABI_ARG_CTX:
		w = word(f, (unsigned)(a->off / 8));
		w.size = BASE_MIN(w.size, a->size);
		w.is_signed = a->is_signed;
		*a = w;
		break;
	case ABI_ARG_REG:	/* of those that the word has the address of */
		a->off += abi_reg_row(a->reg)->offset;
		a->size = a->size ? a->size : abi_reg_row(a->reg)->size;
		a->kind = ABI_ARG_KMEM;
		a->reg = word(f, a->base / 8).reg;
		a->base = 0;
		break;
	default:
		assert(a->kind == ABI_ARG_NONE);			/* 1 */
	}
}

/* What pt is now, but only of interrupts; a point that is made again keeps its spare. */
static struct err *
make_spare(struct prov_set *s, struct abi_point *pt)
{
	struct abi_point *spare = pt->spare ? pt->spare :
				  ARENA_NEW(s->arena, struct abi_point);

	if (!spare)
		return &err_nomem;
	*spare = *pt;
	spare->runs = ABI_RUNS_INTERRUPT;
	spare->spare = NULL;
	spare->is_spare = true;
	pt->spare = spare;
	return NULL;
}

static void
move(const struct type *f, struct abi_point *pt)
{
	pt->attach = ABI_ATTACH_TRACEITER;
	for (unsigned i = 0; i < ABI_NARGS; i++) {
		move_arg(f, &pt->args[i]);
		move_arg(f, &pt->compat_args[i]);
	}
	move_arg(f, &pt->index);
	move_arg(f, &pt->unless);
	move_arg(f, &pt->errno_arg);
}

/* Is each of its parameters in one register, or one word of the stack? */
static bool
is_simple(const struct type *f)
{
	for (uint32_t i = 0; i < f->n; i++) {
		const struct type *t = type_strip(f->u.params[i].type);
		if (!type_is_scalar(t) || type_size(t) > 8)
			return false;
	}
	return f->n > 0;
}

/* The prototype of the function; NULL: there is none that can be taken. */
static struct err *
function_of(struct prov_set *s, const char *module, const char *name,
	    const struct type **ret)
{
	const char *text = arena_printf(s->arena, ABI_TRACEITER "%s", name);
	const struct type *f = NULL;

	*ret = NULL;
	if (!text)
		return &err_nomem;
	TRY(err_only_nomem(typedb_symbol(s->db, module, text, &f)));
	f = f ? type_strip(f) : NULL;
	if (f && type_is_func(f) && is_simple(f))
		*ret = f;
	return NULL;
}

struct err *
prov_tracepoint_settle(struct prov_set *s, const char *module,
		       struct abi_point *pt)
{
	const struct type *f;
	bool many = false;
	int row = row_of(pt->target);

	if (pt->attach != ABI_ATTACH_RAWTP || !s->db || !s->funcs ||
	    !s->funcs->world.preempts || (row >= 0 && rows[row].keeps))
		return NULL;
	TRY(err_only_nomem(prov_func_may(s, &many)));
	if (!many)
		return NULL;
	TRY(function_of(s, module, pt->target, &f));
	if (!f)
		return NULL;
	if (row < 0 || !rows[row].thread)
		TRY(make_spare(s, pt));
	move(f, pt);
	return NULL;
}
