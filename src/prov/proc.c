/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The proc provider: processes and threads come, become other programs, get signals
 * and end.
 *
 * A process is a thread group, and a thread (LWP) a task.  A new one runs first when
 * the call returns, in it, that made it: with 0, and in the thread that is new.
 * (What the kernel makes for itself returns from no call, and only create tells of
 * it.)
 *
 * Since Linux 6.16 the tracepoint of a thread's end tells whether it is its
 * process's last; before, threads that end at the same time both find that nobody
 * is left: the first is taken, and that is kept until the process is forgotten.
 *
 * The kernel carries out a fatal signal by a SIGKILL of its own to every thread, and
 * exit_group() likewise.  Which it was is in the process's group_exit_code;
 * its first thread stands for all.
 */
#include "prov/derive.h"
#include "prov/prov_priv.h"

#define TASK(n) "((struct task_struct *)arg" #n ")"
#define INFO(n) "((struct kernel_siginfo *)arg" #n ")"

/* Of a process that ends, as wait() tells it: was it asked to (SIGNAL_GROUP_EXIT),
 * by a signal, with a core? */
#define CODE "(" TASK(0) "->signal->flags & 4 ? " \
	TASK(0) "->signal->group_exit_code : " \
	TASK(0) "->group_leader->exit_code)"
#define WHY CODE " & 0x80 ? 3 : " CODE " & 0x7f ? 2 : 1"

/* Of a signal that the kernel sends because of what the thread itself has done: 2 and
 * below are no addresses of an info, but say who sends. */
#define FAULTS "(arg0 == 4 || arg0 == 5 || arg0 == 7 || arg0 == 8 || " \
	"arg0 == 11) && (uint64_t)arg2 == (uint64_t)curthread && " \
	"(uint64_t)arg1 > 2 && " \
	INFO(1) "->si_code > 0"

#define SIGNAL TASK(0) "->signal"
static const char ended[] =
	"sdt:::sched_process_free"
	" /__proc_ended[" SIGNAL "] && " TASK(0) "->pid == " TASK(0) "->tgid/"
	" { __proc_ended[" SIGNAL "] = 0; }";
/* Who comes later may find that it is the only thread left, and is still not the last. */
#define IS_LAST SIGNAL "->live.counter == 0 && !__proc_ended[" SIGNAL "] && (" \
	SIGNAL "->nr_threads == 1 || ((__proc_ended[" SIGNAL "] = 1), 1))"

/* handler 1 is SIG_IGN.  Of signals that dump core the thread that got it tells. */
#define HANDLER "((struct k_sigaction *)arg2)->sa.sa_handler"
#define GROUP_SIGNAL "(curthread->signal->group_exit_code & 0x7f)"
#define IS_GROUP "(arg0 == 9 && (uint64_t)arg1 <= 2)"
#define TELLS "(" GROUP_SIGNAL " != 0 && curthread->pid == curthread->tgid && " \
	"(1 << " GROUP_SIGNAL " & 0x830009f8) == 0)"

/* A new process, or a new thread, is there; in it the call returns 0. */
#define STARTS(call, when) \
	{ DERIVE_RETURN, call, "arg0 == 0" when, "0" }
#define FIRST " && curthread->pid == curthread->tgid"

#define SIGNAL_TYPES \
	"struct task_struct * > lwpsinfo_t *; " \
	"struct task_struct * > psinfo_t *; int"

static const struct derive_probe probes[] = {
	{ "create", "struct task_struct * > psinfo_t *", {
		{ DERIVE_TRACEPOINT, "sched_process_fork",
		  TASK(1) "->tgid == " TASK(1) "->pid", "arg1" },
	} },
	{ "exec", "char __user *", {
		{ DERIVE_CALL, "execve", NULL, "arg0" },
		{ DERIVE_CALL, "execveat", NULL, "arg1" },
	} },
	{ "exec-failure", "int", {
		{ DERIVE_RETURN, "execve", "(int64_t)arg0 < 0", "-(int64_t)arg0" },
		{ DERIVE_RETURN, "execveat", "(int64_t)arg0 < 0",
		  "-(int64_t)arg0" },
	} },
	{ "exec-success", NULL, {
		{ DERIVE_TRACEPOINT, "sched_process_exec", NULL, "0" },
	} },
	{ "exit", "int", {
		{ DERIVE_TRACEPOINT, "sched_process_exit", "(arg1 & 0xff) != 0",
		  WHY, .choice = 1, .nargs = 2 },
		{ DERIVE_TRACEPOINT, "sched_process_exit",
		  IS_LAST, WHY, .choice = 1, .setup = ended },
	} },
	{ "fault", "int; struct kernel_siginfo * > siginfo_t *", {
		{ DERIVE_TRACEPOINT, "signal_generate", FAULTS,
		  "arg0 == 4 ? 1 : "			/* FLTILL */
		  "arg0 == 5 ? (" INFO(1) "->si_code == 2 ? 4 : 3) : "
		  "arg0 == 7 ? 5 : "			/* FLTACCESS */
		  "arg0 == 8 ? (" INFO(1) "->si_code == 1 ? 8 : "
			INFO(1) "->si_code == 2 ? 7 : 9) : "
		  INFO(1) "->si_code == 2 || "
		  INFO(1) "->si_code == 0x80 ? 5 : 6; arg1" },
	} },
	{ "lwp-create", "struct task_struct * > lwpsinfo_t *; "
			"struct task_struct * > psinfo_t *", {
		{ DERIVE_TRACEPOINT, "sched_process_fork",
		  TASK(1) "->tgid != " TASK(1) "->pid", "arg1; arg1" },
	} },
	{ "lwp-exit", NULL, {
		{ DERIVE_TRACEPOINT, "sched_process_exit", NULL, "0" },
	} },
	{ "lwp-start", NULL, {
		STARTS("clone", ""), STARTS("clone3", ""), STARTS("fork", ""),
		STARTS("vfork", ""),
	} },
	{ "signal-clear", "int", {
		{ DERIVE_RETURN, "rt_sigtimedwait", "(int64_t)arg0 > 0", "arg0" },
	} },
	{ "signal-discard", SIGNAL_TYPES, {
		{ DERIVE_TRACEPOINT, "signal_generate", "arg4 == 1",
		  "arg2; arg2; arg0" },
	} },
	{ "signal-handle", "int; struct kernel_siginfo * > siginfo_t *; "
			   "void (*)(void)", {
		{ DERIVE_TRACEPOINT, "signal_deliver",
		  IS_GROUP " ? " TELLS " : (uint64_t)" HANDLER " != 1",
		  IS_GROUP " ? " GROUP_SIGNAL " : (int)arg0; "
		  "(uint64_t)arg1 <= 2 ? 0 : arg1; (uint64_t)" HANDLER },
	} },
	{ "signal-send", SIGNAL_TYPES, {
		{ DERIVE_TRACEPOINT, "signal_generate", NULL,
		  "arg2; arg2; arg0" },
	} },
	{ "start", NULL, {
		STARTS("clone", FIRST), STARTS("clone3", FIRST),
		STARTS("fork", ""), STARTS("vfork", ""),
	} },
};

DERIVE(proc, "proc", probes, PROV_ATTR_EVOLVING);
