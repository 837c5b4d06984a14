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
/* Before loading; after it. */
struct err *kengine_unwind_size(struct kengine *k);
struct err *kengine_unwind_open(struct kengine *k);
/* While tracing; when that is due, ns. */
void kengine_unwind_turn(struct kengine *k, uint64_t now);
uint64_t kengine_unwind_due(const struct kengine *k);
void kengine_unwind_process(struct kengine *k, int pid,
			    enum engine_process what);
/* A file that is soon to be mapped by processes; false: nobody asks for stacks. */
bool kengine_unwind_file(struct kengine *k, const char *path);
/* What becomes readable when programs ask; -1: they never do. */
int kengine_unwind_fd(const struct kengine *k);
/* Tracing has ended: with the option verbose, say how many stacks lack frames. */
void kengine_unwind_tell(struct kengine *k);
void kengine_unwind_close(struct kengine *k);

#endif
