/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The proc provider: processes and threads come, become other programs, get signals
 * and end.
 */
#include "prov/prov_priv.h"
#include "prov/derive.h"

#define TASK(n) "((struct task_struct *)arg" #n ")"

static const struct derive_probe probes[] = {
	{ "create", "struct task_struct * > psinfo_t *", {
		{ DERIVE_TRACEPOINT, "sched_process_fork",
		  TASK(1) "->tgid == " TASK(1) "->pid", "arg1" },
	} },
	{ "exit", "int", {
		{ DERIVE_TRACEPOINT, "sched_process_exit",
		  TASK(0) "->signal->live.counter == 0",
		  TASK(0) "->signal->group_exit_code & 0x80 ? 3 : "
		  TASK(0) "->exit_code & 0x7f ? 2 : 1" },
	} },
};

DERIVE(proc, "proc", probes, DERIVE_EVOLVING);
