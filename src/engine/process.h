/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What an engine is told of processes.
 */
#ifndef ENGINE_PROCESS_H
#define ENGINE_PROCESS_H

#include "engine/engine.h"

/* A process will be traced (and is known when attach returns), has mapped code, ended. */
enum engine_process {
	ENGINE_PROCESS_TRACED, ENGINE_PROCESS_MAPPED, ENGINE_PROCESS_ENDED,
};
void engine_process(struct engine *e, int pid, enum engine_process what);
/* The same of a program that will be executed. */
void engine_program(struct engine *e, const char *path);
/* While tracing: the process of the sites with that life has ended.  What is attached by
 * its number is detached, soon; what others with that number could fire, at once. */
void engine_process_over(struct engine *e, uint64_t life);
/* While tracing: what the sites with that `file` (the pointer) are in was written over.
 * What is attached there is detached. */
void engine_file_over(struct engine *e, const char *file);
/*
 * While tracing: at time_ns (CLOCK_MONOTONIC) the first thread of process pid, by which
 * sites of it fire, has ended, while others live; or another has taken its place.  What
 * fires no more because of that is attached anew.  Without a first thread that is to all
 * that execute the same; those of others fire nothing.  Otherwise nothing happens.
 */
enum engine_first { ENGINE_FIRST_NONE, ENGINE_FIRST_ANOTHER };
struct err *engine_attach_again(struct engine *e, int pid, enum engine_first first,
				uint64_t time_ns);

#endif
