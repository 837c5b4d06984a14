/* SPDX-License-Identifier: BSD-2-Clause
 *
 * libdtrace: compile D programs and consume what they trace.
 *
 * The call order of every consumer:
 *
 *	dtrace_open, dtrace_setopt*, dtrace_handle_*,
 *	[dtrace_proc_create or _grab, of which $target is the first],
 *	dtrace_program_strcompile or _fcompile, dtrace_program_exec,
 *	dtrace_go, [dtrace_proc_continue],
 *	{ dtrace_sleep, dtrace_work }* until DTRACE_WORKSTATUS_DONE,
 *	dtrace_stop, dtrace_aggregate_print or _walk, dtrace_close
 *
 * In place of dtrace_work(), which calls functions of the consumer and prints
 * the rest, dtrace_next() hands out what was traced as events (event.h).
 *
 * Errors: functions that return int give -1 on failure, those that return a
 * pointer NULL; then dtrace_errno() and dtrace_errmsg() tell why, and errno is
 * the system's reason or 0.
 *
 * Threads: a handle, and what it has given out, is used by one thread at a time.
 * Handles know nothing of each other.
 *
 * C99; also compiles as C++.
 */
#ifndef DTRACE_DTRACE_H
#define DTRACE_DTRACE_H

#include "dtrace/handle.h"
#include "dtrace/probe.h"
#include "dtrace/program.h"
#include "dtrace/consume.h"
#include "dtrace/handler.h"
#include "dtrace/aggregate.h"
#include "dtrace/lookup.h"
#include "dtrace/type.h"
#include "dtrace/statement.h"
#include "dtrace/event.h"
#include "dtrace/agg.h"

#endif
