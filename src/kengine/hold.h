/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Processes that wait for their probes: those that execute a file which the trace has
 * not seen are stopped (bpfrt/hold.bpf.c), and let go of when the consumer says so; or,
 * however it ends and whatever keeps it, by a process that watches over them.
 */
#ifndef KENGINE_HOLD_H
#define KENGINE_HOLD_H

#include "typedb/typedb.h"

struct kengine_hold;

struct kengine_hold_input {
	struct typedb *types;
	const uint32_t *roots;	/* these, to which each file is new, and their
				 * children are meant; */
	uint32_t nroots;	/* 0: all but self and its children */
	uint32_t self;
	bool each;		/* a file that one process has is new to any other */
	uint64_t most_ns;	/* nobody waits for longer */
	void (*warn)(void *ctx, const char *text);
	void *warn_ctx;
};

/* Numbers of processes are those of the first pid namespace, where we have to be, too.
 * From now on processes are stopped.  The caller's to free. */
struct err *kengine_hold_new(const struct kengine_hold_input *in,
			     struct kengine_hold **ret);
/* Let go of all.  NULL is fine, here and below. */
void kengine_hold_free(struct kengine_hold *h);
/* Becomes readable when somebody waits. */
int kengine_hold_fd(const struct kengine_hold *h);
/* See who waits; what they have mapped is to be looked at after that. */
void kengine_hold_take(struct kengine_hold *h);
/* A file with that inode was written over: who maps it next waits, too. */
void kengine_hold_forget(struct kengine_hold *h, uint64_t inode);
/* Let go of them: their files are known. */
void kengine_hold_release(struct kengine_hold *h);

#endif
