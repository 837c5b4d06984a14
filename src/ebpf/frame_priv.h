/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where things are while code runs: in registers, on the stack, in the slot.
 */
#ifndef EBPF_FRAME_PRIV_H
#define EBPF_FRAME_PRIV_H

#include <stdint.h>

/* r6..r9 */
enum { R_FS = 6, R_SLOT = 7, R_D1 = 8, R_D2 = 9 };

/* The firing's state, r6 in clauses: on the stack of a program that clauses
 * stand in; of one that calls them in the slot, if there is one, since frames are
 * few (512 bytes, and older kernels count multiples of 32 of each).  So nothing
 * here is an address that the verifier must know again: those stand in the
 * clause's frame. */
enum {
	FS_PROBE = 0,		/* u32 probe id */
	FS_EPID = 4,		/* u32 */
	FS_TIME = 8,		/* u64 */
	FS_CPU = 16,		/* u32 */
	FS_GEN = 20,		/* u8 aggregation generation */
	FS_EXITED = 21,		/* u8: exit() has run */
	FS_IRQ = 22,		/* u16 offset of our half of CF_SELF */
	FS_SLOT = 24,		/* u32 index of the slot */
	FS_INDEX = 28,		/* u32 probe's index within its set */
	FS_PNO = 32,		/* u32 which of the enabled probes */
	FS_ERRNO = 36,		/* u32 */
	FS_THREAD = 40,		/* u64 which thread this is (thread.c) */
	FS_ARGS = 48,		/* 10 u64 */
	FS_VTIME = 128,		/* u64 ns on CPU */
	FS_CLAUSES = 136,	/* u64 FIND_COOKIE: which run (abi_row) */
	FS_POINT = 144,		/* u32 which point fired, where some are found
				 * by cookie */
	FS_OTHER = 148,		/* u16: the thread is not the current one */
	FS_MOVED = 150,		/* u16: so far behind its place it stands */
	/* Of a fault.  A clause that faults needs its key no more, so in its
	 * own frame they stand there. */
	FS_FVALUE = 152,	/* u64 fault value */
	FS_FWHERE = 160,	/* u64 action << 32 | DIF offset */
	FS_FAULT = 168,		/* u32 fault */
	FS_PLACE = 172,		/* u32 of the fault, 0: not told */
	FS_SIZE = 176,
};

/* A clause's frame, offsets from r10.  A function gets the head of the frame
 * that called it, and copies of it what its clause uses. */
enum {
	CF_CTX = -8,
	CF_TASK = -16,		/* the thread's task, as the verifier knows it */
	CF_SELF = -24,		/* the thread's variables, 0: not asked */
	CF_HEAD = -24,
	CF_UP = -32,		/* called: the caller's head */
	CF_REGS = -72,		/* DIF r3..r7 */
	CF_CCA = -80, CF_CCB = -88,	/* operands of the last compare */
	CF_TMP = -96,		/* 8 bytes for probe reads */
	CF_VAL = -104, CF_INCR = -112,	/* aggregation's operands */
	CF_ADDR = -120,		/* an address being worked on */
	CF_COMM = -136,		/* 16 bytes: execname */
	CF_KEY = -200,		/* 64 bytes: small keys */
	CF_KEYMAX = 64,
};

/* Offsets in a slot, fixed before any code is generated. */
struct ebpf_layout {
	uint32_t locals, locals_size;
	uint32_t scratch, scratch_size;
	uint32_t cells;		/* DIF_NTUPLE u64 */
	uint32_t varkey, aggkey, brief, record;
	uint32_t operands;	/* CF_VAL and CF_INCR of clauses with loops */
	uint32_t entry;		/* of a log, before it is appended */
	uint32_t comm;		/* 16 bytes */
	uint32_t value;		/* a by-reference value being stored; room for
				 * two of the largest */
	uint32_t tmp;		/* the runtime's two strings */
	uint32_t token, json, stacks, window;	/* as in struct abi_cfg */
	uint32_t state;		/* FS_SIZE bytes, if it is here */
	uint32_t temps;		/* copies made by loads; grows */
};

/* How a chunk leaves, in r0; without a fault or a next chunk, r0 is nothing. */
enum ebpf_left {
	LEFT_DONE, LEFT_FAULT,
	LEFT_UNRUN,	/* the predicate said no, or it ended in the middle */
};

#endif
