/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What is known of single tracepoints.
 */
#include <string.h>

#include "base/base.h"
#include "prov/prov_priv.h"

/* No interrupt is ever here: the kernel may sleep there, or is about to take the CPU
 * from the thread or to give it one, or begins or ends its system call.  A program at
 * such a place need not ask. */
static const char *const of_threads[] = {
	"sched_entry_tp", "sched_exit_tp", "sched_process_exec",
	"sched_process_exit", "sched_process_fork", "sched_process_wait",
	"sched_switch", "signal_deliver", "sys_enter", "sys_exit",
	"task_newtask", "task_rename",
};

enum abi_runs
prov_tracepoint_runs(const char *name)
{
	for (size_t i = 0; i < BASE_NELEMS(of_threads); i++)
		if (strcmp(name, of_threads[i]) == 0)
			return ABI_RUNS_TASK;
	return ABI_RUNS_AS_ATTACHED;
}
