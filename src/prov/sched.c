/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The sched provider: threads get CPUs and leave them, sleep and are woken.
 *
 * All but a few come from the tracepoint sched_switch(preempted, prev, next,
 * state), which is reached in prev.  Probes there fire in the order of the rows
 * below.  A thread that leaves sleeps, unless it was preempted or is still to
 * run (state 0): that is how the kernel counts switches, too.  Before Linux 5.18 the
 * tracepoint does not tell the state, but the thread still has it: who wakes it then gives
 * it another, which is not 0 either, until it has left the CPU.
 *
 * Elsewhere a thread that has a CPU stands in no queue, and here it does.  So that
 * the time in a queue is that of waiting, it leaves the queue when it gets the
 * CPU, and is put there when it loses it; the idle threads never are.
 */
#include "prov/prov_priv.h"
#include "prov/derive.h"

#define TASK(n) "((struct task_struct *)arg" #n ")"
#define STATE "(arg3 & 0xffffffff)"
#define OLD_STATE "__state[" TASK(1) "]"
#define SLEEPS(state) "(arg0 & 0xff) == 0 && " state " != 0"
#define STAYS(state) "((arg0 & 0xff) != 0 || " state " == 0) && " \
	TASK(1) "->pid != 0"
/* The two rows of one site. */
#define SWITCH(when, values) \
	{ DERIVE_TRACEPOINT, "sched_switch", when(STATE), values, .choice = 1, .nargs = 4 }, \
	{ DERIVE_TRACEPOINT, "sched_switch", when(OLD_STATE), values, .choice = 1 }
#define CPU_OF(n) "__cpu_of[" TASK(n) "]"

#define THREAD "struct task_struct * > lwpsinfo_t *; " \
	"struct task_struct * > psinfo_t *"
#define QUEUE THREAD "; int > cpuinfo_t *; int"
#define SELF "(uintptr_t)curthread; (uintptr_t)curthread"

/* The call was about the caller, and went well.  Elsewhere the probe fires before the
 * priority changes, and args[0]->pr_pri is what it was; here that is kept from when the
 * call began, and 2 more, so that no priority is 0. */
static const char calls[] =
	"syscall::setpriority:entry, syscall::sched_setscheduler:entry,"
	"syscall::sched_setparam:entry, syscall::sched_setattr:entry {"
	"self->__sched_pri = curthread->prio + 2; }";
#define WAS(pri) "((this->__sched_was = " pri "), 1)"
#define OWN(pid) "arg0 == 0 && ((int)" pid " == 0 || (int)" pid " == tid) && " \
	"self->__sched_pri != 0 && " WAS("self->__sched_pri - 2") " && " \
	"((self->__sched_pri = 0), 1)"
#define CHANGE "unsigned long > lwpsinfo_t *; struct task_struct * > psinfo_t *; int"
#define PRI SELF "; curthread->prio"

enum { NEXT = 3 };	/* 1 + number of the argument */

static const struct derive_probe probes[] = {
	/* In who wakes.  (sched_wakeup is where the other will run.) */
	{ "wakeup", THREAD, {
		{ DERIVE_TRACEPOINT, "sched_waking", NULL, "arg0; arg0" },
	} },
	{ "sleep", NULL, {
		SWITCH(SLEEPS, NULL),
	} },
	{ "preempt", NULL, {
		SWITCH(STAYS, NULL),
	} },
	/* Who was woken while still on a CPU was in no queue. */
	{ "enqueue", QUEUE, {
		SWITCH(STAYS, "arg1; arg1; cpu; 0"),
		{ DERIVE_TRACEPOINT, "sched_wakeup", TASK(0) "->on_cpu == 0",
		  "arg0; arg0; " CPU_OF(0) "; 0" },
		{ DERIVE_TRACEPOINT, "sched_wakeup_new", NULL,
		  "arg0; arg0; " CPU_OF(0) "; 0" },
	} },
	{ "dequeue", QUEUE, {
		{ DERIVE_TRACEPOINT, "sched_switch", TASK(2) "->pid != 0",
		  "arg2; arg2; cpu; 0" },
	} },
	{ "off-cpu", THREAD, {
		{ DERIVE_TRACEPOINT, "sched_switch", NULL, "arg2; arg2" },
	} },
	/* Newer kernels tell when the thread is there; but not all of them for its first
	 * time, when it begins elsewhere, so that this is told as older ones do.  On those
	 * the thread is there in a function, which may be where no probe can be. */
	{ "on-cpu", NULL, {
		{ DERIVE_TRACEPOINT, "sched_exit_tp",
		  "(arg0 & 0xff) != 0 && "
		  "(curthread->nvcsw != 0 || curthread->nivcsw != 0)",
		  .choice = 1 },
		{ DERIVE_FUNC, "finish_task_switch", .choice = 1, .for_ustack = true },
		{ DERIVE_FUNC, "finish_task_switch.isra.0", .choice = 1, .for_ustack = true },
		{ DERIVE_TRACEPOINT, "sched_switch", .choice = 1,
		  .thread = NEXT },
		{ DERIVE_TRACEPOINT, "sched_switch",
		  "sizeof (btf_trace_sched_exit_tp) != 0 && "
		  TASK(2) "->nvcsw == 0 && " TASK(2) "->nivcsw == 0",
		  .choice = 2, .thread = NEXT },
	} },
	{ "remain-cpu", NULL, {
		{ DERIVE_TRACEPOINT, "sched_exit_tp", "(arg0 & 0xff) == 0" },
	} },
	{ "surrender", THREAD, {
		{ DERIVE_CALL, "sched_yield", NULL, SELF },
	} },
	{ "change-pri", CHANGE, {
		{ DERIVE_TRACEPOINT, "sched_pi_setprio",
		  WAS(TASK(0) "->prio"),
		  "arg0; arg0; arg1 != 0 && " TASK(1) "->prio < "
		  TASK(0) "->normal_prio ? " TASK(1) "->prio : "
		  TASK(0) "->normal_prio" },
		{ DERIVE_RETURN, "setpriority", "arg1 == 0 && " OWN("arg2"),
		  PRI, .setup = calls },
		{ DERIVE_RETURN, "sched_setscheduler", OWN("arg1"), PRI,
		  .setup = calls },
		{ DERIVE_RETURN, "sched_setparam", OWN("arg1"), PRI,
		  .setup = calls },
		{ DERIVE_RETURN, "sched_setattr", OWN("arg1"), PRI,
		  .setup = calls },
	} },
	{ "tick", THREAD, {
		{ DERIVE_FUNC, "sched_tick", NULL, SELF, .choice = 1 },
		{ DERIVE_FUNC, "scheduler_tick", NULL, SELF, .choice = 1 },
	} },
};

DERIVE(sched, "sched", probes, PROV_ATTR_EVOLVING);
