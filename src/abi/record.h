/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Records: a firing of a probe runs clauses; a clause that records writes one
 * record {header, fields} into its CPU's ring (abi/field.h says how to read it).
 */
#ifndef ABI_RECORD_H
#define ABI_RECORD_H

#include "abi/int.h"

/* Every record starts so, 8-byte aligned.  Fields follow at fixed offsets
 * counted from the start of this header. */
struct abi_record {
	uint32_t epid;		/* 1..: probe x clause; ABI_EPID_*: special */
	uint32_t size;		/* of the whole record, header included; in a
				 * ring, above ABI_LAP_SHIFT: its lap */
	uint64_t timestamp;	/* ns, CLOCK_MONOTONIC, of the firing */
};
_Static_assert(sizeof(struct abi_record) == 16, "record header");

/*
 * CPU n writes to ring n % nrings; the quotient is the record's lap, which is 0
 * wherever each CPU has a ring of its own.
 */
enum { ABI_LAP_SHIFT = 24, ABI_RECORD_MAX = (1 << ABI_LAP_SHIFT) - 1 };

#define ABI_EPID_NONE	0u
/* A struct abi_error_record: a clause faulted. */
#define ABI_EPID_ERROR	0xffffffffu
/* A struct abi_spec_end: a speculation has ended. */
#define ABI_EPID_SPEC_END 0xfffffffeu

/*
 * A place in the text of a program, as records have it: its line, from 1, and
 * in the bits above that the number of the file, 0 for the script itself, else
 * an index into plan_prog.files and 1.  0: none is told, as of a line too far
 * down for this.
 */
enum { ABI_LINE_BITS = 22 };

static inline uint32_t
abi_place(uint32_t file, uint32_t line)
{
	if (line >> ABI_LINE_BITS || file >> (32 - ABI_LINE_BITS))
		return 0;
	return file << ABI_LINE_BITS | line;
}

static inline uint32_t
abi_place_file(uint32_t place)
{
	return place >> ABI_LINE_BITS;
}

static inline uint32_t
abi_place_line(uint32_t place)
{
	return place & ((1u << ABI_LINE_BITS) - 1);
}

/* In a program that records who fired (plan_prog.who) a struct abi_who stands
 * behind it. */
struct abi_error_record {
	struct abi_record hdr;
	uint32_t epid;		/* of the clause that faulted */
	uint32_t action;	/* 1-based; 0: the predicate */
	int32_t dif_offset;	/* bytes; -1: none */
	int32_t fault;		/* enum abi_fault */
	uint64_t value;		/* fault-specific, often the address */
	uint32_t place;		/* abi_place(); 0: the action says it */
	uint32_t pad;
};

/*
 * A clause that records in a loop has no fixed layout: behind the header its
 * record is a log of what ran, in that order, an entry for each action.
 */
struct abi_entry {
	uint32_t action;	/* index into the description's actions */
	uint32_t size;		/* of the entry with this; a multiple of 8 */
};

/*
 * Speculations have ids 1..nspec.  Each use of one has a generation of its own,
 * and the tag {generation, id} names that use, and so the records made for it.
 */
#define ABI_SPEC_TAG(id, gen)	((uint64_t)(gen) << 32 | (uint32_t)(id))
#define ABI_SPEC_ID(tag)	((uint32_t)(tag) & 0xffffff)
#define ABI_SPEC_GEN(tag)	((uint32_t)((tag) >> 32))
/* In place of a tag: what is recorded goes nowhere. */
#define ABI_SPEC_NOWHERE	(~(uint64_t)0)

/* How a use ended, as bits of its tag: else by commit(), and nobody but the CPU
 * that ended it can have written to it. */
#define ABI_SPEC_END_DISCARD	(1u << 31)
#define ABI_SPEC_END_SHARED	(1u << 30)

struct abi_spec_end {
	struct abi_record hdr;
	uint64_t tag;		/* with those bits */
};

/* The thread that a record is about, for output that wants it with each. */
struct abi_who {
	int32_t pid, tid;
	char comm[16];		/* execname, NUL-terminated */
};
_Static_assert(sizeof(struct abi_who) == 24, "recorded in words");

#endif
