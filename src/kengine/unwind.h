/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Tables by which programs find the callers in stacks of processes.
 */
#ifndef KENGINE_UNWIND_H
#define KENGINE_UNWIND_H

#include "kengine/kengine_priv.h"

/* Does the program ask for stacks of processes, and are there to be tables for
 * them? */
bool kengine_unwinds(const struct kengine *k, const struct ebpf_input *in);
/* What is to come can be told of from here on. */
struct err *kengine_unwind_new(struct kengine *k);
/* Before maps are made; when they are, and from then on a thread makes tables. */
struct err *kengine_unwind_size(struct kengine *k);
struct err *kengine_unwind_open(struct kengine *k);
/* When all that was told of so far is known to programs. */
void kengine_unwind_settle(struct kengine *k);
/* While tracing. */
void kengine_unwind_turn(struct kengine *k);
void kengine_unwind_process(struct kengine *k, int pid,
			    enum engine_process what);
/* One that is soon to be executed: its files are looked at. */
void kengine_unwind_program(struct kengine *k, const char *path);
/* What becomes readable when a turn is wanted; -1: never. */
int kengine_unwind_fd(const struct kengine *k);
/* Tracing has ended: with the option verbose, say how many stacks lack frames. */
void kengine_unwind_tell(struct kengine *k);
void kengine_unwind_close(struct kengine *k);

#endif
