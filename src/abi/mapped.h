/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What is mapped where, in the process whose stack is read, and whose rows
 * (abi/unwind.h) are searched there.
 */
#ifndef ABI_MAPPED_H
#define ABI_MAPPED_H

#include "abi/unwind.h"

/* Beside the pid in a record: a table was not there yet, so frames may be missing. */
#define ABI_USTACK_BLIND (1ull << 32)
/* Words of the slot's work: where the next frame is put, and whether that is so. */
enum { ABI_UNWIND_AT = 3, ABI_UNWIND_BLIND = 9 };

/* Frames that one call of rt_unwind_some() finds. */
enum { ABI_UNWIND_SOME = 8 };

/*
 * In the kernel rows stand in chunks, arrays in an array of maps, which are made as
 * they are needed.  So do segments: the mappings of each process, in order of
 * address, and what is code in each file, in order of place; one whose rows stand
 * in two chunks is two.
 */
enum {
	ABI_UNWIND_CHUNK = 128 << 10,	/* bytes */
	ABI_UNWIND_ROWS = ABI_UNWIND_CHUNK / 8,
	ABI_UNWIND_SEGS = ABI_UNWIND_CHUNK / 32,
	ABI_UNWIND_PROC_SEGS = 1024,	/* of a process */
	ABI_UNWIND_PLACES = 16384,	/* processes and files */
};

struct abi_unwind_seg {
	uint64_t start;		/* address in the process; or byte of the file */
	uint64_t bias;		/* from a row's pc to that */
	uint32_t size;		/* bytes */
	uint32_t chunk, first;	/* its rows, which begin at or below its start */
	uint32_t n;		/* 0: none, follow the frame pointer */
};

/* What segments are of.  A file, by the device and inode that the kernel has it by; an
 * inode of 0 is the code that the kernel gives each process (vdso), size: bytes in
 * memory, and one more for those of 32 bits.  Where a file system says another device than the kernel has it by, the
 * device is ABI_UNWIND_SOME_DEV.  Or a process. */
struct abi_unwind_key { uint64_t dev, ino, size; };
#define ABI_UNWIND_SOME_DEV (~0ull)

static inline struct abi_unwind_key
abi_unwind_process(uint32_t tgid)
{
	return (struct abi_unwind_key){ tgid, 0, ~0ull };
}

struct abi_unwind_place {
	uint32_t chunk, first, n;	/* the segments.  Of a process, n is 0:
					 * they are not read yet; */
	uint32_t asked;		/* the consumer has been told that something is
				 * missing, and has not answered */
	uint64_t exec;		/* the program that has those, of all that the
				 * process has executed */
};

/* What the consumer is told. */
struct abi_unwind_ask {
	uint32_t tgid;
	uint32_t up;		/* the parent, if it runs the same program, not an
				 * equal one: the process has been forked off;
				 * or 0 */
	uint64_t exec;
};

/* Rules that were found lately, in a slot: stacks mostly go through the same
 * addresses again. */
enum { ABI_UNWIND_LATE_BITS = 7, ABI_UNWIND_LATE = 1 << ABI_UNWIND_LATE_BITS };

struct abi_unwind_late {
	uint64_t addr;
	uint64_t stamp;		/* of the process, as long as its segments stay
				 * where they are */
	uint64_t rule, unused;
};

/* What was found to be mapped lately, in a slot: in an interrupt the kernel tells of
 * one address only. */
enum { ABI_UNWIND_NEAR_BITS = 3, ABI_UNWIND_NEAR = 1 << ABI_UNWIND_NEAR_BITS };

struct abi_unwind_near {
	uint64_t stamp;		/* as in abi_unwind_late */
	uint64_t start, end;
	struct abi_unwind_key key;
	uint64_t offset, mapped;	/* as in bpfrt/unwind.h */
};

#endif
